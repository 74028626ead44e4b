"""RLCard: a game at a time; every state has observation and legal actions."""

from functools import partial
from random import Random

from benchmarks.case import Case, Play

REQUIREMENTS = ("rlcard==1.2.0",)
DISTRIBUTIONS = ("rlcard", "numpy")
GAMES = ("leduc-holdem", "uno", "gin-rummy")


def make(name: str) -> Play:
    """Return a loop that plays one game of ``name`` at a time, on the states that its own agents would be given."""
    import numpy as np  # noqa: PLC0415  # only this side's environment has them
    import rlcard  # noqa: PLC0415

    env = rlcard.make(name, config={"seed": 0})
    random = Random(0)
    mask = np.zeros(env.num_actions, np.int8)

    def play() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            mask[:] = 0
            mask[legal] = 1
            state, _ = env.step(legal[random.randrange(len(legal))])
            decisions += 1
        return decisions

    return play


CASES = [Case(name, "Python loop", partial(make, name)) for name in GAMES]
