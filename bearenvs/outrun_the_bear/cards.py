"""Action cards and what they set going: discards, draws, thefts (OB-T5, Effects)."""

from typing import Any

from bearenvs.kernel import inlined, kernel
from bearenvs.outrun_the_bear.board import ability, are_adjacent
from bearenvs.outrun_the_bear.content import (
    BACK_RESISTANCE,
    BEAR_ADVANCE,
    BEAR_SKIP,
    DISCARD_HALF,
    DRAW,
    FIRST_TARGETED,
    LAST_TARGETED,
    MAX_EFFECTS,
    SELF_MOVE,
    STEAL,
    SWAP_PLACES,
    TARGET_BACK,
    TARGET_MOVE,
)
from bearenvs.outrun_the_bear.hands import discard, draw_card, lose_card, take_from_under
from bearenvs.outrun_the_bear.movement import push_move
from bearenvs.outrun_the_bear.state import (
    ADVANCE,
    AIMING,
    ANNOUNCED,
    ANY_WAY,
    BACK,
    CARD,
    COMING,
    DISCARD_CARDS,
    DRAW_CARDS,
    EVERYBODY,
    FIRST_STEP,
    FORCED,
    FREE,
    NOTHING,
    RUNNING,
    STEAL_CARDS,
    TO_CARD,
    WARDED,
    WINDOW,
    WORKING,
    pop_frame,
    push_frame,
)


@kernel
def is_target(content: Any, state: Any, actor: int, kind: int, seat: int) -> bool:
    """Tell whether a card may aim at a seat: another runner, for ``target_move`` next to the actor."""
    if seat == actor or state.seats[seat].status != RUNNING:
        return False
    here, there = int(state.seats[actor].space), int(state.seats[seat].space)
    return content.needs_adjacent[kind] == 0 or are_adjacent(content, here, there)


@inlined
def playable_kinds(content: Any, state: Any, actor: int) -> int:
    """Return the action cards that could be played, as a bit mask of kinds: not those whose target does not exist."""
    here = int(state.seats[actor].space)
    has_target, has_adjacent = False, False
    for seat in range(content.num_players):
        is_other = (seat != actor) & (state.seats[seat].status == RUNNING)
        has_target |= is_other
        has_adjacent |= is_other & are_adjacent(content, here, int(state.seats[seat].space))
    kinds = int(content.action_kinds)
    kinds &= ~(0 if has_target else int(content.aiming_kinds))
    return kinds & ~(0 if has_adjacent else int(content.adjacent_kinds))


@kernel
def announce_card(content: Any, state: Any, actor: int, kind: int) -> None:
    """Play an action card to the discard pile (OB-T5); in co-op a ``bear_skip`` card leaves the game (OB-X2)."""
    lose_card(content, state, actor, kind, EVERYBODY)
    is_single_use = False
    for k in range(MAX_EFFECTS):
        is_single_use |= content.is_coop != 0 and content.effect[kind, k] == BEAR_SKIP
    if is_single_use:
        state.removed[kind] += 1
    else:
        discard(state, kind)
    push_frame(state, CARD, AIMING if content.needs_target[kind] != 0 else ANNOUNCED, actor, 0)
    state.stack[int(state.depth) - 1].card = kind


@kernel
def aim_card(state: Any, target: int) -> None:
    """Name the target of the card on top of the stack."""
    frame = state.stack[int(state.depth) - 1]
    frame.other = target
    frame.mode = ANNOUNCED


@kernel
def go_on_with_card(content: Any, state: Any) -> None:
    """Carry the card on top of the stack on: its target, reactions (OB-A1), then one effect after another."""
    frame = state.stack[int(state.depth) - 1]
    actor = int(frame.seat)
    kind = int(frame.card)
    if frame.mode == AIMING:
        state.to_act = actor
    elif frame.mode == ANNOUNCED:
        frame.mode = WORKING
        push_frame(state, WINDOW, TO_CARD, (actor + 1) % int(content.num_players), int(content.num_players))
    elif frame.step == content.num_effects[kind] or state.seats[actor].status != RUNNING:  # OB-T6
        pop_frame(state)
    else:
        k = int(frame.step)
        frame.step += 1
        begin_effect(content, state, int(content.effect[kind, k]), int(content.n[kind, k]))


@kernel
def begin_effect(content: Any, state: Any, effect: int, n: int) -> None:
    """Carry out an effect of the card on top of the stack, or put what it takes on the stack."""
    frame = state.stack[int(state.depth) - 1]
    actor, target = int(frame.seat), int(frame.other)
    if FIRST_TARGETED <= effect <= LAST_TARGETED:
        if frame.mode == WARDED or state.seats[target].status != RUNNING:  # OB-A2
            return
    if effect == SELF_MOVE:
        push_move(state, actor, actor, FREE, ANY_WAY, n)
    elif effect == TARGET_BACK:
        spaces = max(0, n - ability(content, state, target, BACK_RESISTANCE))
        push_move(state, target, actor, FORCED, BACK, spaces)
    elif effect == TARGET_MOVE:
        push_move(state, target, actor, FIRST_STEP, ANY_WAY, n)
    elif effect == SWAP_PLACES:
        me, them = state.seats[actor], state.seats[target]
        here = int(me.space)
        me.space = them.space
        them.space = here
    elif effect == STEAL:
        push_frame(state, STEAL_CARDS, 0, actor, n)
        state.stack[int(state.depth) - 1].other = target
    elif effect == DISCARD_HALF:
        push_frame(state, DISCARD_CARDS, 0, target, int(state.seats[target].num_hand) // 2)
    elif effect == DRAW:
        push_frame(state, DRAW_CARDS, 0, actor, n)
    elif effect == BEAR_SKIP:
        state.skips_turn = 1
    elif effect == BEAR_ADVANCE:
        push_frame(state, ADVANCE, COMING, NOTHING, n)


@kernel
def draw_from_under(content: Any, state: Any, seat: int) -> None:
    """Give a seat the next card of the known part of the deck: no chance event, and all know the card (OB-E4)."""
    draw_card(content, state, seat, take_from_under(state), EVERYBODY)
