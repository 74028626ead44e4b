"""The AEC loop, the same for every side: random legal actions with ``agent_iter`` and ``last``."""

from random import Random
from typing import Any

from benchmarks.case import Play


def play_aec(env: Any) -> Play:
    """Return a loop that plays one game of ``env`` at a time."""
    random = Random(0)

    def play() -> int:
        decisions = 0
        env.reset(seed=random.randrange(2**31))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            (legal,) = observation["action_mask"].nonzero()  # a third of flatnonzero's time, for every side
            env.step(int(legal[random.randrange(len(legal))]))
            decisions += 1
        return decisions

    return play
