"""A hand-written player of Outrun the Bear: see :func:`choose`.

What cards do comes from the content record: it plays any content file. As rivals and as a team the game is played so
differently that they share only what they know of cards and ground.
"""

from typing import Any

from bearagents.heuristics.outrun_the_bear.cards import worth_of_abilities
from bearagents.heuristics.outrun_the_bear.rivals import choose_action as act_alone
from bearagents.heuristics.outrun_the_bear.rivals import choose_at_rest as rest_alone
from bearagents.heuristics.outrun_the_bear.rivals import choose_discard as discard_alone
from bearagents.heuristics.outrun_the_bear.rivals import choose_reaction as react_alone
from bearagents.heuristics.outrun_the_bear.rivals import choose_step as step_alone
from bearagents.heuristics.outrun_the_bear.rivals import choose_target as aim_alone
from bearagents.heuristics.outrun_the_bear.team import choose_action as act_for_team
from bearagents.heuristics.outrun_the_bear.team import choose_at_rest as rest_for_team
from bearagents.heuristics.outrun_the_bear.team import choose_discard as discard_for_team
from bearagents.heuristics.outrun_the_bear.team import choose_reaction as react_for_team
from bearagents.heuristics.outrun_the_bear.team import choose_step as step_for_team
from bearagents.heuristics.outrun_the_bear.team import choose_target as aim_for_team
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.state import ACTION, CARD, CHOOSE_RUNNERS, MOVE, WINDOW


@kernel
def choose(content: Any, state: Any, legal: Any, num_legal: int, rng: Any) -> int:
    """Run for oneself, or in co-op for all. See :func:`bearagents.heuristics.choose`."""
    seat = int(state.to_act)
    is_team = content.is_coop != 0
    if state.phase == CHOOSE_RUNNERS:
        return choose_runner(content, legal, num_legal)
    if state.depth == 0 and state.phase == ACTION:
        if is_team:
            return act_for_team(content, state, seat, legal, num_legal)
        return act_alone(content, state, seat, legal, num_legal)
    if state.depth == 0:
        if is_team:
            return rest_for_team(content, state, seat, legal, num_legal)
        return rest_alone(content, state, seat, legal, num_legal)
    asked = state.stack[int(state.depth) - 1].op
    if asked == MOVE:
        if is_team:
            return step_for_team(content, state, seat, legal, num_legal)
        return step_alone(content, state, seat, legal, num_legal)
    if asked == WINDOW:
        if is_team:
            return react_for_team(content, state, seat, legal, num_legal)
        return react_alone(content, state, seat, legal, num_legal)
    if asked == CARD:
        if is_team:
            return aim_for_team(content, state, seat, legal, num_legal)
        return aim_alone(content, state, seat, legal, num_legal)
    if is_team:
        return discard_for_team(content, state, seat, legal, num_legal)
    return discard_alone(content, state, seat, legal, num_legal)


@kernel
def choose_runner(content: Any, legal: Any, num_legal: int) -> int:
    """Return the runner with the best Park Pass."""
    best, most = int(legal[0]), -1.0
    for k in range(num_legal):
        value = worth_of_abilities(content.runner_ability[int(legal[k]) - int(content.to_runner)])
        if value > most:
            best, most = int(legal[k]), value
    return best
