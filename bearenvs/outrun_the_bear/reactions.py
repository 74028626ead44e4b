"""Reactions: who is asked, in which order, and what the cards do (OB-A1 to OB-A4).

A window asks one seat after another. It keeps how many of them are done, and works out whether the next one could
react only when its turn comes: what others hold is never written down. A pass is told to nobody.
"""

from typing import Any

from bearenvs.kernel import inlined, kernel
from bearenvs.outrun_the_bear.board import column_of
from bearenvs.outrun_the_bear.content import CANCEL_CARD, CANCEL_ON_ME, DASH, SLIPSTREAM
from bearenvs.outrun_the_bear.hands import discard_from_hand, hand_kinds
from bearenvs.outrun_the_bear.movement import can_move, push_move
from bearenvs.outrun_the_bear.state import (
    DRAW_CARDS,
    FIRST_STEP,
    FORWARD,
    RUNNING,
    TO_BEAR,
    TO_CARD,
    TO_PASSING,
    WARDED,
    pop_frame,
    push_frame,
)


@inlined
def seat_in_window(content: Any, frame: Any, step: int) -> int:
    """Return the seat that comes in a window after ``step`` others."""
    return (int(frame.seat) + step) % int(content.num_players)


@inlined
def may_be_asked(content: Any, state: Any, seat: int) -> bool:
    """Tell from what all can see whether the window on top of the stack could ask a seat."""
    frame = state.stack[int(state.depth) - 1]
    me = state.seats[seat]
    if me.status != RUNNING:
        return False
    if frame.mode == TO_CARD:
        return bool(seat != state.stack[int(state.depth) - 2].seat)
    if frame.mode == TO_PASSING:
        return int(frame.passed) >> seat & 1 == 1
    return column_of(int(me.space)) == state.bear and can_move(content, state, seat, FORWARD)


@inlined
def answering_kinds(content: Any, state: Any, seat: int) -> int:
    """Return the cards that apply in the window on top of the stack if a seat is asked, as a bit mask of kinds."""
    mode = state.stack[int(state.depth) - 1].mode
    kinds = content.reaction_kinds
    if mode == TO_CARD:
        is_target = state.stack[int(state.depth) - 2].other == seat
        return int(kinds[CANCEL_CARD]) | (int(kinds[CANCEL_ON_ME]) if is_target else 0)
    return int(kinds[DASH] if mode == TO_BEAR else kinds[SLIPSTREAM])


@kernel
def could_react(content: Any, state: Any, seat: int) -> bool:
    """Tell whether a seat may be asked and holds a card that applies: then it is."""
    return hand_kinds(state, seat) & answering_kinds(content, state, seat) != 0 and may_be_asked(content, state, seat)


@kernel
def go_on_asking(content: Any, state: Any) -> None:
    """Ask the next seat that could react in the window on top of the stack; close it if there is none."""
    frame = state.stack[int(state.depth) - 1]
    while frame.step < frame.left:
        seat = seat_in_window(content, frame, int(frame.step))
        if could_react(content, state, seat):
            state.to_act = seat
            return
        frame.step += 1
    pop_frame(state)


@kernel
def pass_window(state: Any) -> None:
    """Let the seat that is asked in the window on top of the stack pass."""
    state.stack[int(state.depth) - 1].step += 1
    state.num_passes += 1


@kernel
def react(content: Any, state: Any, seat: int, kind: int) -> None:
    """Play a reaction card in the window on top of the stack. All see it: the seats before this one are done."""
    frame = state.stack[int(state.depth) - 1]
    frame.step += 1
    frame.total = frame.step
    discard_from_hand(content, state, seat, kind)
    reaction = content.effect[kind, 0]
    if reaction == CANCEL_CARD:  # the window and the card
        pop_frame(state)
        pop_frame(state)
    elif reaction == CANCEL_ON_ME:
        state.stack[int(state.depth) - 2].mode = WARDED
    elif reaction == DASH:
        push_move(state, seat, seat, FIRST_STEP, FORWARD, int(content.n[kind, 0]))
    else:
        push_frame(state, DRAW_CARDS, 0, seat, int(content.n[kind, 0]))
