"""The way through the park, space by space, and whose turn is still to come."""

from typing import Any

from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.actions import A_STOP
from bearenvs.outrun_the_bear.board import ability, column_of, runner_at, terrain_of
from bearenvs.outrun_the_bear.content import BRAMBLE, CAMP, FIRST_COLUMN, REST, RIVER, ROWS, SLOPE, SURE_FOOTED
from bearenvs.outrun_the_bear.state import NOTHING

ESCAPE = 40.0
"""The worth of the parking lot, in columns."""


@kernel
def worth_of_ground(content: Any, state: Any, seat: int, space: int) -> float:
    """Return what the terrain of a space is worth to who begins its next turn there."""
    terrain = terrain_of(content, state, space)
    if terrain == RIVER:
        return 0.8
    if terrain == REST:
        return 0.3
    if ability(content, state, seat, SURE_FOOTED) == 0:
        if terrain == SLOPE:
            return -1.4
        if terrain == BRAMBLE:
            return -0.5
    return 0.0


@kernel
def best_ahead(content: Any, state: Any, mover: int, space: int, steps: int) -> float:
    """Return the worth of the best place to be reached from ``space`` by ``steps`` more steps ahead."""
    column = column_of(space)
    if content.lot != NOTHING and column + steps >= content.last_column:
        return float(ESCAPE + content.last_column)
    low = high = space % ROWS
    if space == CAMP and steps > 0:
        low, high, column, steps = 0, ROWS - 1, FIRST_COLUMN, steps - 1
    if column_of(space) + steps > content.last_column:
        steps = int(content.last_column) - column
    for _ in range(steps):
        low, high = low - 1 + column % 2, high + column % 2
        low, high = max(low, 0), min(high, ROWS - 1)
        column += 1
    best = -1.0
    for row in range(low, high + 1):
        there = column * ROWS + row
        if runner_at(content, state, there, mover) == NOTHING:
            best = max(best, column + worth_of_ground(content, state, mover, there))
    return max(best, column - 1.0)


@kernel
def step_ahead(content: Any, state: Any, legal: Any, num_legal: int, goal: int) -> int:
    """Lead the runner who moves ahead to good ground, but not beyond the column ``goal``."""
    frame = state.stack[int(state.depth) - 1]
    mover = int(frame.seat)
    best, most = int(legal[0]), 0.0
    for k in range(num_legal):
        there, left = after_step(content, state, mover, int(legal[k]), int(frame.left))
        beyond = max(0, column_of(there) - goal)
        left = max(0, min(left, goal - column_of(there)))
        value = best_ahead(content, state, mover, there, left) - 2.0 * beyond
        if k == 0 or value > most:
            best, most = int(legal[k]), value
    return best


@kernel
def step_back(content: Any, state: Any, legal: Any, num_legal: int, harms: bool) -> int:
    """Lead the runner who moves back as far as can be and to bad ground; without ``harms`` the opposite."""
    frame = state.stack[int(state.depth) - 1]
    mover = int(frame.seat)
    best, most = int(legal[0]), 0.0
    for k in range(num_legal):
        there, left = after_step(content, state, mover, int(legal[k]), int(frame.left))
        value = column_of(there) - left + 0.9 * worth_of_ground(content, state, mover, there)
        value = -value if harms else value
        if k == 0 or value > most:
            best, most = int(legal[k]), value
    return best


@kernel
def after_step(content: Any, state: Any, mover: int, action: int, left: int) -> tuple[int, int]:
    """Return where the runner who moves would stand, and with how many steps left."""
    if action == A_STOP:
        return int(state.seats[mover].space), 0
    there = action - int(content.to_step)
    return there, left if runner_at(content, state, there, mover) != NOTHING else left - 1


@kernel
def is_still_to_move(content: Any, state: Any, seat: int) -> bool:
    """Tell whether a seat has a turn before the Bear, after the one whose turn it is."""
    num_players = int(content.num_players)
    distance = (seat - int(state.seat)) % num_players
    return 0 < distance <= (int(state.token) - int(state.seat)) % num_players
