"""The Bear's turn and every other advance of the Bear (OB-E1 to OB-E5)."""

from typing import Any

from bearenvs.game import CHANCE
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.board import ability, column_of
from bearenvs.outrun_the_bear.content import BEAR_SPRAY
from bearenvs.outrun_the_bear.hands import discard, pile_card, take_from_under
from bearenvs.outrun_the_bear.state import (
    ADVANCE,
    ARRIVED,
    CAUGHT,
    COMING,
    NOTHING,
    RUNNING,
    TO_BEAR,
    WINDOW,
    check_end,
    leave_game,
    pop_frame,
    push_frame,
)


@kernel
def go_on_revealing(content: Any, state: Any) -> None:
    """Take the Bear's cards: the oldest discards, then cards off the deck, which join the pile; advance (OB-E2)."""
    frame = state.stack[int(state.depth) - 1]
    while frame.left > 0:
        if frame.step < state.num_pile:
            frame.total += int(content.bear[pile_card(state, int(frame.step))])
            frame.step += 1
            frame.left -= 1
        elif state.num_deck > 0:
            state.to_act = CHANCE
            return
        elif state.num_under > 0:
            discard(state, take_from_under(state))
        else:
            frame.left = 0
    columns = int(frame.total)
    pop_frame(state)
    push_frame(state, ADVANCE, COMING, NOTHING, columns)


@kernel
def runner_in_column(content: Any, state: Any, column: int, name: int) -> int:
    """Return the first seat running in a column, or NOTHING; with ``name``, the first that has this ability."""
    for seat in range(content.num_players):
        me = state.seats[seat]
        if me.status == RUNNING and column_of(int(me.space)) == column:
            if name == NOTHING or ability(content, state, seat, name) > 0:
                return seat
    return NOTHING


@kernel
def go_on_advancing(content: Any, state: Any) -> None:
    """Carry the Bear's advance on by a column, or to its end (OB-E3)."""
    frame = state.stack[int(state.depth) - 1]
    if frame.mode == ARRIVED and runner_in_column(content, state, int(state.bear), NOTHING) != NOTHING:
        catch_runners(content, state)
        pop_frame(state)
        return
    column = int(state.bear) + 1
    if frame.left == 0 or column > content.last_column:
        pop_frame(state)
        return
    sprayer = runner_in_column(content, state, column, BEAR_SPRAY)
    if sprayer != NOTHING:
        discard(state, int(state.seats[sprayer].equipment))
        state.seats[sprayer].equipment = NOTHING
        pop_frame(state)
        return
    state.bear = column
    frame.left -= 1
    frame.mode = COMING
    if runner_in_column(content, state, column, NOTHING) != NOTHING:
        frame.mode = ARRIVED
        push_frame(state, WINDOW, TO_BEAR, 0, int(content.num_players))


@kernel
def catch_runners(content: Any, state: Any) -> None:
    """Catch every runner still in the Bear's column (OB-E3)."""
    for seat in range(content.num_players):
        me = state.seats[seat]
        if me.status == RUNNING and column_of(int(me.space)) == state.bear:
            leave_game(content, state, seat, CAUGHT)
    check_end(content, state)
