"""A hand-written player of Outrun the Bear: see :func:`choose`.

What cards do comes from the content record: it plays any content file. As rivals and as a team the game is played so
differently that they share only what they know of cards and ground.
"""

from typing import Any

from bearagents.heuristics.outrun_the_bear.cards import worth_of_abilities
from bearagents.heuristics.outrun_the_bear.rivals import choose_against_rivals
from bearagents.heuristics.outrun_the_bear.team import choose_for_team
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.state import CHOOSE_RUNNERS


@kernel
def choose(content: Any, state: Any, legal: Any, num_legal: int, rng: Any) -> int:
    """Run for oneself, or in co-op for all. See :func:`bearagents.heuristics.choose`."""
    seat = int(state.to_act)
    if state.phase == CHOOSE_RUNNERS:
        return choose_runner(content, legal, num_legal)
    if content.is_coop != 0:
        return choose_for_team(content, state, seat, legal, num_legal)
    return choose_against_rivals(content, state, seat, legal, num_legal)


@kernel
def choose_runner(content: Any, legal: Any, num_legal: int) -> int:
    """Return the runner with the best Park Pass."""
    best, most = int(legal[0]), -1.0
    for k in range(num_legal):
        value = worth_of_abilities(content.runner_ability[int(legal[k]) - int(content.to_runner)])
        if value > most:
            best, most = int(legal[k]), value
    return best
