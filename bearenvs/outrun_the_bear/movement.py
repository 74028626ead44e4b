"""Movement: steps, passing, the way out, and the shifting park of Last One Standing."""

from typing import Any

from bearenvs.bits import lowest_bit
from bearenvs.kernel import inlined, kernel
from bearenvs.outrun_the_bear.actions import A_STOP
from bearenvs.outrun_the_bear.board import (
    AROUND,
    column_of,
    lay_tile,
    others_around,
    place_around,
    runner_at,
    terrain_of,
)
from bearenvs.outrun_the_bear.content import CAMP, FIRST_COLUMN, MAX_SPACES, ROWS, SLOPE, TILE_COLUMNS
from bearenvs.outrun_the_bear.state import (
    BACK,
    ESCAPED,
    FIRST_STEP,
    FORWARD,
    FREE,
    MOVE,
    NOTHING,
    RUNNING,
    SLIDE,
    TO_PASSING,
    WINDOW,
    check_end,
    leave_game,
    pop_frame,
    push_frame,
)
from bearenvs.sets import add_actions


@kernel
def push_move(state: Any, seat: int, chooser: int, mode: int, way: int, spaces: int) -> None:
    """Let ``seat`` move by ``spaces``, ``chooser`` choosing the way."""
    push_frame(state, MOVE, mode, seat, spaces)
    frame = state.stack[int(state.depth) - 1]
    frame.other = chooser
    frame.way = way


@kernel
def push_slide(state: Any, seat: int) -> None:
    """Let ``seat`` slide down its slope (OB-T1): back, until it stands free on something else."""
    push_move(state, seat, seat, SLIDE, BACK, MAX_SPACES)


@inlined
def open_around(content: Any, state: Any, here: int, way: int) -> int:
    """Return which steps lead the right way, and into a column ahead of the Bear (OB-M3, OB-M5): see ``board``."""
    column = column_of(here)
    first = (max(int(state.bear), column if way == FORWARD else 0) + 1) * ROWS
    behind = (1 << place_around(here, first)) - 1
    back = (1 << place_around(here, column * ROWS)) - 1
    return int(content.touching[here]) & ~behind & (back if way == BACK else -1)


@inlined
def leads_on(content: Any, state: Any, mover: int, first: int, way: int, passed: int) -> bool:
    """Tell whether one can go on from the space of the runner ``first`` to a free space (OB-M2).

    ``passed``: the runners passed already, over whom the movement cannot lead again.
    """
    seen = passed | 1 << first
    waiting = 1 << first
    while waiting != 0:
        here = int(state.seats[lowest_bit(waiting)].space)
        waiting &= waiting - 1
        steps = open_around(content, state, here, way)
        occupied = steps & others_around(content, state, here, mover)
        if steps != occupied:
            return True
        while occupied != 0:
            other = runner_at(content, state, here - AROUND + lowest_bit(occupied), mover)
            occupied &= occupied - 1
            if seen >> other & 1 == 0:
                seen |= 1 << other
                waiting |= 1 << other
    return False


@inlined
def possible_steps(content: Any, state: Any, mover: int, others: int, way: int, passed: int) -> int:
    """Return which of the spaces around a runner it can step into; ``others`` are around it."""
    here = int(state.seats[mover].space)
    steps = open_around(content, state, here, way)
    occupied = steps & others
    steps &= ~occupied
    while occupied != 0:
        place = lowest_bit(occupied)
        occupied &= occupied - 1
        other = runner_at(content, state, here - AROUND + place, mover)
        if passed >> other & 1 == 0 and leads_on(content, state, mover, other, way, passed):
            steps |= 1 << place
    return steps


@inlined
def add_moves(content: Any, state: Any, frame: Any, out: Any) -> None:
    """Add the choices of a movement: to stop, and all possible steps."""
    mover = int(frame.seat)
    here = int(state.seats[mover].space)
    others = others_around(content, state, here, mover)
    add_actions(out, A_STOP, int(frame.mode == FREE and is_free(others)))
    steps = possible_steps(content, state, mover, others, int(frame.way), int(frame.passed))
    add_actions(out, int(content.to_step) + here - AROUND, steps)


@inlined
def can_move(content: Any, state: Any, mover: int, way: int) -> bool:
    """Tell whether a runner could make a first step."""
    others = others_around(content, state, int(state.seats[mover].space), mover)
    return possible_steps(content, state, mover, others, way, 0) != 0


@inlined
def is_free(others: int) -> bool:
    """Tell whether a runner may end its movement where it is (OB-M2); ``others`` are around it."""
    return others >> AROUND & 1 == 0


@kernel
def go_on_moving(content: Any, state: Any) -> None:
    """Carry the movement on top of the stack on: end it, make the one mandatory step, or ask for a step (OB-M5)."""
    frame = state.stack[int(state.depth) - 1]
    mover = int(frame.seat)
    here = int(state.seats[mover].space)
    if state.seats[mover].status != RUNNING:
        end_move(content, state)
        return
    others = others_around(content, state, here, mover)
    if is_free(others):
        if frame.left == 0 or (frame.mode == SLIDE and terrain_of(content, state, here) != SLOPE):
            end_move(content, state)
            return
    if frame.mode != FREE:
        steps = possible_steps(content, state, mover, others, int(frame.way), int(frame.passed))
        if steps == 0:
            end_move(content, state)
            return
        if steps & steps - 1 == 0 and frame.mode != FIRST_STEP:
            take_step(content, state, here - AROUND + lowest_bit(steps))
            return
    state.to_act = frame.other


@kernel
def take_step(content: Any, state: Any, there: int) -> None:
    """Move the runner of the movement on top of the stack into a space that it can step into."""
    frame = state.stack[int(state.depth) - 1]
    mover = int(frame.seat)
    other = runner_at(content, state, there, mover)
    state.seats[mover].space = there
    if frame.mode == FIRST_STEP:
        frame.mode = FREE
    if other == NOTHING:
        frame.left -= 1
    else:
        frame.passed = int(frame.passed) | 1 << other
    if there == content.lot:
        leave_game(content, state, mover, ESCAPED)  # OB-M4
        check_end(content, state)


@kernel
def end_move(content: Any, state: Any) -> None:
    """End the movement on top of the stack: the park may shift (OB-X4), then those passed may react (OB-A4)."""
    frame = state.stack[int(state.depth) - 1]
    mover = int(frame.seat)
    passed = int(frame.passed)
    pop_frame(state)
    if content.is_last_standing != 0 and column_of(int(state.seats[mover].space)) == content.last_column:
        shift_park(content, state)
    if passed != 0:
        push_frame(state, WINDOW, TO_PASSING, 0, content.num_players)
        state.stack[int(state.depth) - 1].passed = passed


@kernel
def shift_park(content: Any, state: Any) -> None:
    """Take the first trail tile away, flip it, and add it at the end (OB-X4)."""
    first = int(state.faces[0])
    for place in range(int(content.num_trails) - 1):
        lay_tile(content, state, place, int(state.faces[place + 1]))
    lay_tile(content, state, int(content.num_trails) - 1, first ^ 1)
    state.bear = max(0, int(state.bear) - TILE_COLUMNS)
    for seat in range(content.num_players):
        me = state.seats[seat]
        if me.status == RUNNING:
            column = column_of(int(me.space)) - TILE_COLUMNS
            me.space = CAMP if column < FIRST_COLUMN else int(me.space) - TILE_COLUMNS * ROWS
