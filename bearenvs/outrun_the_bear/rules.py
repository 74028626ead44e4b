"""The rules of Outrun the Bear as the contract's kernels. Rule ids (OB-...) are those of the documentation page.

The chapters stand in files of their own: :mod:`~bearenvs.outrun_the_bear.turn` (set-up, steps, rounds), ``cards``,
``movement``, ``reactions``, ``bear``. Each leaves what comes next on the state's stack; here :func:`go_on` carries
the game to the next decision, chance event or end.
"""

from typing import Any

import numpy as np

from bearenvs.game import CHANCE, TERMINAL
from bearenvs.kernel import inlined, kernel
from bearenvs.outrun_the_bear.actions import A_CRAWL, A_PASS, A_SPRINT, A_STOP
from bearenvs.outrun_the_bear.bear import go_on_advancing, go_on_revealing
from bearenvs.outrun_the_bear.board import ability, lay_tile
from bearenvs.outrun_the_bear.cards import (
    aim_card,
    announce_card,
    draw_from_under,
    go_on_with_card,
    is_target,
    playable_kinds,
)
from bearenvs.outrun_the_bear.content import CRAWL_BONUS, NUM_TRAILS, REST_BONUS, SPRINT_BONUS
from bearenvs.outrun_the_bear.hands import (
    discard,
    discard_from_hand,
    draw_card,
    draw_unseen,
    hand_kinds,
    is_full,
    steal_card,
    take_from_deck,
)
from bearenvs.outrun_the_bear.movement import add_moves, end_move, go_on_moving, push_move, take_step
from bearenvs.outrun_the_bear.reactions import answering_kinds, go_on_asking, pass_window, react
from bearenvs.outrun_the_bear.state import (
    ACTION,
    ADVANCE,
    ANY_WAY,
    CARD,
    CAUGHT,
    CHOOSE_RUNNERS,
    DEAL,
    DEAL_GEAR,
    DISCARD_CARDS,
    DRAW_CARDS,
    DRAW_STEP,
    FREE,
    LAY_TRAIL,
    MOVE,
    NOBODY,
    NOTHING,
    REVEAL,
    STEAL_CARDS,
    TERRAIN,
    TURN_END,
    WINDOW,
    pop_frame,
    push_frame,
)
from bearenvs.outrun_the_bear.turn import equip, go_on_setting_up, go_on_with_bear, go_on_with_turn, sprint_cost
from bearenvs.rng import draw_weighted, random_below
from bearenvs.sets import add_action, add_actions


@inlined
def go_on(content: Any, state: Any) -> None:
    """Carry the game on, from the last frame on the stack or from the phase, until somebody is to act."""
    while state.to_act == NOBODY:
        if state.depth == 0:
            if state.phase <= DEAL:
                go_on_setting_up(content, state)
            elif state.phase <= TURN_END:
                go_on_with_turn(content, state)
            else:
                go_on_with_bear(content, state)
            continue
        op = state.stack[int(state.depth) - 1].op
        if op == MOVE:
            go_on_moving(content, state)
        elif op == CARD:
            go_on_with_card(content, state)
        elif op == WINDOW:
            go_on_asking(content, state)
        elif op == REVEAL:
            go_on_revealing(content, state)
        elif op == ADVANCE:
            go_on_advancing(content, state)
        else:
            go_on_with_cards_to_move(content, state)


@inlined
def go_on_with_cards_to_move(content: Any, state: Any) -> None:
    """Carry a draw, a discard or a theft of several cards on by one card, or to its end."""
    frame = state.stack[int(state.depth) - 1]
    seat = int(frame.seat)
    if frame.left == 0:
        pop_frame(state)
    elif frame.op == DISCARD_CARDS:
        state.to_act = seat
    elif frame.op == STEAL_CARDS:
        if state.seats[int(frame.other)].num_hand > 0:
            state.to_act = CHANCE
        else:
            frame.left = 0
    elif state.num_deck > 0:
        state.to_act = CHANCE
    elif state.num_under > 0:
        frame.left -= 1
        draw_from_under(content, state, seat)
    else:
        frame.left = 0  # OB-E4


# ---------------------------------------------------------------------------------------------------------------
# Decisions


@inlined
def add_turn_actions(content: Any, state: Any, seat: int, out: Any) -> None:
    """Add the choices of the action step (OB-T2)."""
    may_sprint = state.no_sprint == 0 and state.seats[seat].num_hand >= sprint_cost(content, state, seat)
    add_actions(out, 0, 1 << A_CRAWL | int(may_sprint) << A_SPRINT)
    kinds = hand_kinds(state, seat)
    add_actions(out, int(content.to_play), kinds & playable_kinds(content, state, seat))
    add_actions(out, int(content.to_equip), kinds & int(content.equipment_kinds))


@inlined
def add_phase_actions(content: Any, state: Any, seat: int, out: Any) -> None:
    """Add the choices of a phase."""
    if state.phase == ACTION:
        add_turn_actions(content, state, seat, out)
    elif state.phase == TERRAIN:
        kinds = hand_kinds(state, seat)
        add_action(out, A_PASS)
        add_actions(out, int(content.to_equip), kinds & int(content.equipment_kinds))
        add_actions(out, int(content.to_swap), kinds)
    else:  # CHOOSE_RUNNERS
        runners = (1 << int(content.num_runners)) - 1
        for other in range(content.num_players):
            if state.seats[other].runner != NOTHING:
                runners &= ~(1 << int(state.seats[other].runner))
        add_actions(out, int(content.to_runner), runners)


@inlined
def legal(content: Any, state: Any, out: Any) -> None:
    """See :func:`bearenvs.game.legal`."""
    seat = int(state.to_act)
    if state.depth == 0:
        add_phase_actions(content, state, seat, out)
        return
    frame = state.stack[int(state.depth) - 1]
    if frame.op == MOVE:
        add_moves(content, state, frame, out)
    elif frame.op == CARD:
        for k in range(int(content.num_players) - 1):
            if is_target(content, state, seat, int(frame.card), (seat + 1 + k) % int(content.num_players)):
                add_action(out, int(content.to_target) + k)
    elif frame.op == WINDOW:
        kinds = hand_kinds(state, seat) & answering_kinds(content, state, seat)
        add_action(out, A_PASS)
        add_actions(out, int(content.to_react), kinds)
    else:  # DISCARD_CARDS
        add_actions(out, int(content.to_discard), hand_kinds(state, seat))


# ---------------------------------------------------------------------------------------------------------------
# What an event does


@inlined
def apply(content: Any, state: Any, event: int) -> None:
    """See :func:`bearenvs.game.apply`."""
    seat = int(state.to_act)
    state.to_act = NOBODY
    if seat == CHANCE:
        apply_outcome(content, state, event)
    else:
        state.ply += 1
        if state.depth == 0:
            apply_phase_action(content, state, seat, event)
        else:
            apply_frame_action(content, state, seat, event)
    go_on(content, state)


@inlined
def apply_phase_action(content: Any, state: Any, seat: int, action: int) -> None:
    """Carry out a choice of set-up, the terrain step (OB-T1) or the action step (OB-T2)."""
    if state.phase == CHOOSE_RUNNERS:
        state.seats[seat].runner = action - content.to_runner
        state.seat = seat - 1
    elif state.phase == TERRAIN:
        state.phase = ACTION
        if action >= content.to_swap:
            discard_from_hand(content, state, seat, action - int(content.to_swap))
            push_frame(state, DRAW_CARDS, 0, seat, 1 + ability(content, state, seat, REST_BONUS))
        elif action != A_PASS:
            equip(content, state, seat, action - int(content.to_equip))
    else:
        state.phase = DRAW_STEP
        if action == A_CRAWL:
            spaces = int(content.crawl) + ability(content, state, seat, CRAWL_BONUS)
            push_move(state, seat, seat, FREE, ANY_WAY, spaces)
        elif action == A_SPRINT:
            spaces = int(content.sprint) + ability(content, state, seat, SPRINT_BONUS)
            push_move(state, seat, seat, FREE, ANY_WAY, spaces)
            push_frame(state, DISCARD_CARDS, 0, seat, sprint_cost(content, state, seat))
        elif action >= content.to_equip + content.first_equipment:
            equip(content, state, seat, action - int(content.to_equip))
        else:
            announce_card(content, state, seat, action - int(content.to_play))


@inlined
def apply_frame_action(content: Any, state: Any, seat: int, action: int) -> None:
    """Carry out a choice that the frame on top of the stack asked for."""
    frame = state.stack[int(state.depth) - 1]
    if frame.op == MOVE:
        if action == A_STOP:
            end_move(content, state)
        else:
            take_step(content, state, action - int(content.to_step))
    elif frame.op == WINDOW:
        if action == A_PASS:
            pass_window(state)
        else:
            react(content, state, seat, action - int(content.to_react))
    elif frame.op == CARD:
        target = seat + 1 + action - int(content.to_target)
        aim_card(state, target % int(content.num_players))
    else:
        frame.left -= 1
        discard_from_hand(content, state, seat, action - int(content.to_discard))


# ---------------------------------------------------------------------------------------------------------------
# Chance


@inlined
def apply_outcome(content: Any, state: Any, outcome: int) -> None:
    """Carry out a chance outcome."""
    if state.depth == 0:
        if state.phase == LAY_TRAIL:
            place = 0
            while state.faces[place] != NOTHING:
                place += 1
            lay_tile(content, state, place, outcome)
        else:
            kind = outcome - int(content.of_gear)
            take_from_deck(state, kind)
            state.seats[state.seat].equipment = kind
            state.seat += 1
        return
    frame = state.stack[int(state.depth) - 1]
    if frame.op == DRAW_CARDS:
        frame.left -= 1
        take_from_deck(state, outcome - int(content.of_draw))
        draw_card(content, state, int(frame.seat), outcome - int(content.of_draw), 0)
    elif frame.op == STEAL_CARDS:
        frame.left -= 1
        steal_card(content, state, int(frame.seat), int(frame.other), outcome - int(content.of_steal))
    else:  # REVEAL
        take_from_deck(state, outcome - int(content.of_reveal))
        discard(state, outcome - int(content.of_reveal))


@kernel
def is_face_free(state: Any, face: int) -> bool:
    """Tell whether neither side of a trail tile is laid out yet."""
    for place in range(NUM_TRAILS):
        if state.faces[place] != NOTHING and state.faces[place] // 2 == face // 2:
            return False
    return True


@kernel
def chance(content: Any, state: Any, weights: Any) -> None:
    """See :func:`bearenvs.game.chance`."""
    weights[:] = 0
    op = state.stack[int(state.depth) - 1].op if state.depth > 0 else NOTHING
    if op == STEAL_CARDS:
        victim = state.seats[state.stack[int(state.depth) - 1].other]
        for j in range(int(victim.num_hand)):
            weights[int(content.of_steal) + int(victim.hand[j])] += 1
    elif op != NOTHING:
        offset = int(content.of_draw) if op == DRAW_CARDS else int(content.of_reveal)
        for kind in range(content.num_kinds):
            weights[offset + kind] = state.deck[kind]
    elif state.phase == DEAL_GEAR:
        for kind in range(content.first_equipment, content.num_kinds):
            weights[int(content.of_gear) + kind] = state.deck[kind]
    else:
        for face in range(2 * NUM_TRAILS):
            weights[face] = 1 if is_face_free(state, face) else 0


@inlined
def sample_chance(content: Any, state: Any, rng: Any) -> int:
    """See :func:`bearenvs.game.sample_chance`."""
    if state.depth > 0:
        frame = state.stack[int(state.depth) - 1]
        if frame.op == STEAL_CARDS:
            victim = state.seats[int(frame.other)]
            return int(content.of_steal) + int(victim.hand[random_below(rng, int(victim.num_hand))])
        kind = draw_unseen(state, rng)
        return kind + (int(content.of_draw) if frame.op == DRAW_CARDS else int(content.of_reveal))
    if state.phase == DEAL_GEAR:
        gear = state.deck[content.first_equipment : content.num_kinds]
        total = 0
        for count in gear:
            total += int(count)
        return draw_weighted(rng, gear, total) + int(content.first_equipment) + int(content.of_gear)
    face = random_below(rng, 2 * NUM_TRAILS)
    while not is_face_free(state, face):
        face = random_below(rng, 2 * NUM_TRAILS)
    return face


@kernel
def event_seen_by(content: Any, state: Any, event: int) -> int:
    """See :func:`bearenvs.game.event_seen_by`: private are draws, thefts, and a pass in a window."""
    everybody = (1 << int(content.num_players)) - 1
    if state.depth == 0:
        return everybody
    frame = state.stack[int(state.depth) - 1]
    if frame.op == WINDOW and event == A_PASS:
        return 1 << int(state.to_act)
    if state.to_act != CHANCE or frame.op == REVEAL or is_full(content, state, int(frame.seat)):
        return everybody
    if frame.op == STEAL_CARDS:
        return 1 << int(frame.seat) | 1 << int(frame.other)
    return 1 << int(frame.seat)


RETURNS = np.array([[0.0, 1.0, -1.0, 0.0], [1.0, 1.0, -1.0, 0.0]])
"""Of who is RUNNING, ESCAPED, CAUGHT; in a game that goes on, and in one that is over."""


@inlined
def returns(content: Any, state: Any, out: Any) -> None:
    """See :func:`bearenvs.game.returns`: winners +1, caught -1 (OB-V2, OB-V3); in co-op all alike (OB-X2)."""
    num_players = int(content.num_players)
    is_over = state.to_act == TERMINAL and state.truncated == 0
    if content.is_coop != 0:
        result = 1.0 if is_over else 0.0
        for seat in range(num_players):
            if state.seats[seat].status == CAUGHT:
                result = -1.0
        out[:num_players] = result
        return
    for seat in range(num_players):
        out[seat] = RETURNS[int(is_over), int(state.seats[seat].status) & 3]
