"""Picnic's kernels."""

from typing import Any

from bearenvs.game import CHANCE, TERMINAL
from bearenvs.kernel import kernel
from bearenvs.rng import draw_weighted, random_below
from bearenvs.sets import add_action

from .state import DEAL, DIE_SIDES, DRAW, MAX_VALUE, OVER, ROBBED, ROLL, TURN

A_WAIT = 0
A_GROWL = 1
FIRST_EAT = 2
LUCKY_ROLL = 4
"""From this outcome on (a 5), the robber is out."""


@kernel
def legal(content: Any, state: Any, out: Any) -> None:
    if state.phase == ROBBED:
        add_action(out, A_GROWL)
        add_hand(content, state.seats[state.victim], out, content.first_bury)
        return
    add_action(out, A_WAIT)
    add_hand(content, state.seats[state.seat], out, FIRST_EAT)
    for step in range(1, content.num_players):
        other = (int(state.seat) + step) % content.num_players
        if state.is_out[other] == 0 and state.seats[other].num_hand > 0:
            add_action(out, content.first_rob + step - 1)


@kernel
def add_hand(content: Any, me: Any, out: Any, first_action: int) -> None:
    """Add the action ``first_action`` + food for each food in hand."""
    for food in range(content.num_foods):
        if me.hand[food] > 0:
            add_action(out, first_action + food)


@kernel
def apply(content: Any, state: Any, event: int) -> None:
    if state.to_act != CHANCE:
        state.ply += 1
        apply_action(content, state, event)
    elif state.phase == ROLL:
        apply_roll(content, state, event - content.num_foods)
    else:
        me = state.seats[state.seat]
        state.deck[event] -= 1
        state.num_deck -= 1
        me.hand[event] += 1
        me.num_hand += 1
        go_on_dealing(content, state) if state.phase == DEAL else end_turn(content, state)


@kernel
def go_on_dealing(content: Any, state: Any) -> None:
    if state.seats[state.seat].num_hand == content.hand_size:
        state.seat += 1
        if state.seat == content.num_players:
            begin_turn(state, 0)


@kernel
def begin_turn(state: Any, seat: int) -> None:
    state.seat = seat
    state.phase = TURN
    state.to_act = seat


@kernel
def draw(content: Any, state: Any) -> None:
    """Let the seat whose turn it is draw a card, if there is one and it is still in."""
    if state.num_deck > 0 and state.is_out[state.seat] == 0:
        state.phase = DRAW
        state.to_act = CHANCE
    else:
        end_turn(content, state)


@kernel
def end_turn(content: Any, state: Any) -> None:
    state.turn += 1
    num_in = 0
    num_cards = int(state.num_deck)
    for seat in range(content.num_players):
        if state.is_out[seat] == 0:
            num_in += 1
            num_cards += int(state.seats[seat].num_hand)
    if num_in == 1 or num_cards == 0 or state.turn >= content.max_turns:
        state.truncated = num_in > 1 and num_cards > 0
        state.phase = OVER
        state.to_act = TERMINAL
        return
    seat = (int(state.seat) + 1) % content.num_players
    while state.is_out[seat]:
        seat = (seat + 1) % content.num_players
    begin_turn(state, seat)


@kernel
def apply_action(content: Any, state: Any, action: int) -> None:
    me = state.seats[state.to_act]
    if action == A_WAIT:
        draw(content, state)
    elif action == A_GROWL:
        state.phase = ROLL
        state.to_act = CHANCE
    elif action >= content.first_bury:
        food = action - content.first_bury
        me.hand[food] -= 1
        me.num_hand -= 1
        me.buried[food] += 1
        me.num_buried += 1
        state.seats[state.seat].eaten += 1
        draw(content, state)
    elif action >= content.first_rob:
        state.victim = (int(state.seat) + action - content.first_rob + 1) % content.num_players
        state.phase = ROBBED
        state.to_act = state.victim
    else:
        food = action - FIRST_EAT
        me.hand[food] -= 1
        me.num_hand -= 1
        state.shown[food] += 1
        me.eaten += content.value[food]
        draw(content, state)


@kernel
def apply_roll(content: Any, state: Any, roll: int) -> None:
    robber = state.seats[state.seat]
    if roll >= LUCKY_ROLL:
        state.is_out[state.seat] = 1
        for food in range(content.num_foods):
            state.shown[food] += int(robber.hand[food])
            robber.hand[food] = 0
        robber.num_hand = 0
    else:
        robber.eaten += 2
    draw(content, state)


@kernel
def chance(content: Any, state: Any, weights: Any) -> None:
    weights[:] = 0
    if state.phase == ROLL:
        weights[content.num_foods :] = 1
    else:
        for food in range(content.num_foods):
            weights[food] = state.deck[food]


@kernel
def sample_chance(content: Any, state: Any, rng: Any) -> int:
    if state.phase == ROLL:
        return int(content.num_foods) + random_below(rng, DIE_SIDES)
    return draw_weighted(rng, state.deck, int(state.num_deck))


@kernel
def returns(content: Any, state: Any, out: Any) -> None:
    for seat in range(content.num_players):
        out[seat] = state.seats[seat].eaten


@kernel
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    out[:] = 0.0
    n = int(content.num_players)
    foods = int(content.num_foods)
    if state.phase < ROLL:
        out[int(state.phase)] = 1.0
    out[3 + (int(state.seat) - seat) % n] = 1.0
    me = state.seats[seat]
    at = 3 + n
    for food in range(foods):
        out[at + food] = int(me.hand[food]) / max(content.copies[food], 1)
        out[at + foods + food] = int(me.buried[food]) / max(content.copies[food], 1)
        out[at + 2 * foods + food] = int(state.shown[food]) / max(content.copies[food], 1)
    at += 3 * foods
    out[at] = int(state.num_deck) / content.num_cards
    at += 1
    for step in range(n):
        other = (seat + step) % n
        them = state.seats[other]
        out[at] = min(int(them.num_hand) / content.num_cards, 1.0)
        out[at + 1] = int(them.num_buried) / content.num_cards
        out[at + 2] = min(int(them.eaten) / (MAX_VALUE * 10.0), 1.0)
        out[at + 3] = state.is_out[other]
        out[at + 4] = state.phase == ROBBED and state.victim == other
        at += 5


@kernel
def hide(content: Any, state: Any, seat: int) -> None:
    for other in range(content.num_players):
        if other != seat:
            them = state.seats[other]
            for food in range(content.num_foods):
                state.deck[food] += int(them.hand[food]) + int(them.buried[food])
                them.hand[food] = 0
                them.buried[food] = 0


@kernel
def determinize(content: Any, state: Any, seat: int, rng: Any) -> None:
    unseen = int(state.num_deck)
    for other in range(content.num_players):
        if other != seat:
            unseen += int(state.seats[other].num_hand) + int(state.seats[other].num_buried)
    for other in range(content.num_players):
        if other != seat:
            them = state.seats[other]
            for _ in range(them.num_hand):
                food = draw_weighted(rng, state.deck, unseen)
                state.deck[food] -= 1
                them.hand[food] += 1
                unseen -= 1
            for _ in range(them.num_buried):
                food = draw_weighted(rng, state.deck, unseen)
                state.deck[food] -= 1
                them.buried[food] += 1
                unseen -= 1


@kernel
def event_seen_by(content: Any, state: Any, event: int) -> int:
    if state.to_act == CHANCE and state.phase != ROLL:
        return 1 << int(state.seat)
    if state.to_act != CHANCE and event >= content.first_bury:
        return 1 << int(state.victim)
    return (1 << int(content.num_players)) - 1
