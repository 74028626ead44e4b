"""Set-up, the steps of a turn, and rounds (OB-B4, OB-S1, OB-R1, OB-R2, OB-T1 to OB-T6)."""

from typing import Any

from bearenvs.game import CHANCE, TERMINAL
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.board import ability, prints_behind_lead, terrain_of
from bearenvs.outrun_the_bear.content import (
    BRAMBLE,
    DEAL_BONUS,
    DRAW_BONUS,
    REST,
    RIVER,
    RIVER_BONUS,
    SLOPE,
    SPRINT_DISCOUNT,
    SURE_FOOTED,
)
from bearenvs.outrun_the_bear.hands import discard, lose_card, put_pile_under
from bearenvs.outrun_the_bear.movement import push_move, push_slide
from bearenvs.outrun_the_bear.state import (
    ACTION,
    BEAR_TURN,
    CHOOSE_RUNNERS,
    DEAL,
    DEAL_GEAR,
    DRAW_CARDS,
    DRAW_STEP,
    EVERYBODY,
    FORCED,
    FORWARD,
    LAY_TRAIL,
    NOTHING,
    REVEAL,
    ROUND_END,
    RUNNING,
    TERRAIN,
    TURN_END,
    push_frame,
)


@kernel
def go_on_setting_up(content: Any, state: Any) -> None:
    """Carry the set-up on (OB-B4, OB-S1, OB-X1, OB-X3)."""
    num_players = int(content.num_players)
    seat = int(state.seat)
    if state.phase == LAY_TRAIL:
        if state.faces[int(content.num_trails) - 1] == NOTHING:
            state.to_act = CHANCE
        else:
            state.phase = CHOOSE_RUNNERS
            state.seat = num_players - 1 if content.has_passes != 0 else NOTHING
    elif state.phase == CHOOSE_RUNNERS:
        if seat != NOTHING:
            state.to_act = seat
        else:
            state.phase = DEAL_GEAR
            state.seat = 0 if content.deals_gear != 0 else num_players
    elif state.phase == DEAL_GEAR:
        if seat < num_players:
            state.to_act = CHANCE
        else:
            state.phase = DEAL
            state.seat = 0
    elif seat < num_players:
        push_frame(state, DRAW_CARDS, 0, seat, int(content.deal) + ability(content, state, seat, DEAL_BONUS))
        state.seat = seat + 1
    else:
        begin_round(content, state)


@kernel
def go_on_with_turn(content: Any, state: Any) -> None:
    """Carry the turn on from one step to the next, then to the next player or the Bear."""
    seat = int(state.seat)
    me = state.seats[seat]
    if state.phase == TERRAIN:
        begin_terrain(content, state, seat)
    elif state.phase == ACTION:
        if me.status == RUNNING:
            state.to_act = seat
        else:
            state.phase = TURN_END  # OB-T6
    elif state.phase == DRAW_STEP:
        state.phase = TURN_END
        if me.status == RUNNING:
            push_frame(state, DRAW_CARDS, 0, seat, int(content.draw) + ability(content, state, seat, DRAW_BONUS))
    else:
        end_turn(content, state)


@kernel
def begin_terrain(content: Any, state: Any, seat: int) -> None:
    """Begin the terrain step (OB-T1): ask, move, or go on to the action step."""
    me = state.seats[seat]
    terrain = terrain_of(content, state, int(me.space))
    if terrain == REST and me.num_hand > 0:
        state.to_act = seat
        return
    state.phase = ACTION
    if terrain == RIVER:
        push_move(state, seat, seat, FORCED, FORWARD, 1 + ability(content, state, seat, RIVER_BONUS))
    elif terrain in (SLOPE, BRAMBLE) and ability(content, state, seat, SURE_FOOTED) == 0:
        if terrain == SLOPE:
            push_slide(state, seat)
        else:
            state.no_sprint = 1


@kernel
def equip(content: Any, state: Any, seat: int, kind: int) -> None:
    """Put an equipment card from hand into play; the one before it goes to the discard pile (OB-T4)."""
    me = state.seats[seat]
    lose_card(content, state, seat, kind, EVERYBODY)
    if me.equipment != NOTHING:
        discard(state, int(me.equipment))
    me.equipment = kind


@kernel
def sprint_cost(content: Any, state: Any, seat: int) -> int:
    """Return how many cards a sprint costs a seat."""
    return max(0, int(content.sprint_cost) - ability(content, state, seat, SPRINT_DISCOUNT))


@kernel
def begin_turn(state: Any, seat: int) -> None:
    """Begin a seat's turn."""
    state.seat = seat
    state.turn += 1
    state.no_sprint = 0
    state.phase = TERRAIN


@kernel
def end_turn(content: Any, state: Any) -> None:
    """Pass the turn on to the next one running, up to the token's holder; then to the Bear (OB-R1, OB-R2)."""
    seat = int(state.seat)
    while seat != state.token:
        seat = (seat + 1) % int(content.num_players)
        if state.seats[seat].status == RUNNING:
            begin_turn(state, seat)
            return
    state.phase = BEAR_TURN


@kernel
def begin_round(content: Any, state: Any) -> None:
    """Begin a round with the first one running after the token's holder (OB-R1)."""
    seat = (int(state.token) + 1) % int(content.num_players)
    while state.seats[seat].status != RUNNING:
        seat = (seat + 1) % int(content.num_players)
    begin_turn(state, seat)


@kernel
def go_on_with_bear(content: Any, state: Any) -> None:
    """Carry the Bear's turn on: its advance, then the end of the round (OB-E1, OB-E4)."""
    if state.phase == BEAR_TURN:
        state.phase = ROUND_END
        if state.skips_turn != 0:
            state.skips_turn = 0
        else:
            push_frame(state, REVEAL, 0, NOTHING, prints_behind_lead(content, state))
    else:
        end_round(content, state)


@kernel
def end_round(content: Any, state: Any) -> None:
    """Put all discards under the deck, oldest first; pass the token to the right; or truncate the game (OB-V3)."""
    put_pile_under(state)
    state.num_rounds += 1
    if state.num_rounds == content.max_rounds:
        state.truncated = 1
        state.to_act = TERMINAL
        return
    num_players = int(content.num_players)
    seat = (int(state.token) + num_players - 1) % num_players
    while state.seats[seat].status != RUNNING:
        seat = (seat + num_players - 1) % num_players
    state.token = seat
    begin_round(content, state)
