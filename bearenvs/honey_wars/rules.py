"""The rules of Honey Wars as kernels. Rule ids (HW-...) are those of the documentation page.

A turn runs through the phases in order; :func:`go_on` carries the game to the next decision, chance event or end.
"""

from typing import Any

from bearenvs.bits import lowest_bit, positive_places
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.honey_wars.actions import A_DISCARD_HAND, A_END, A_KEEP, A_PASS, A_ROLL, A_USE
from bearenvs.honey_wars.content import (
    AUTO_DEFEND,
    DOUBLE_BONUS,
    GAIN,
    LOSE_CARDS,
    LOSE_HALF,
    LOSE_HIVE,
    LOSE_HONEY,
    MAX_HIVES,
    MAX_PLAYERS,
    NO_BONUS,
    NO_BUILD,
    NO_HARVEST,
    PAY_ATTACKER,
    ROLL_BONUS,
    SKIP_SPEND,
)
from bearenvs.honey_wars.state import (
    CHOOSE_DISCARD,
    DEAL,
    DEFEND,
    DRAW,
    HARVEST,
    LOSE_CARD,
    NOTHING,
    OVER,
    ROLL,
    SPEND,
)
from bearenvs.kernel import inlined, kernel
from bearenvs.rng import draw_weighted, random_below
from bearenvs.sets import add_action, add_actions

# ---------------------------------------------------------------------------------------------------------------
# Cards and honey


@inlined
def add_card(state: Any, seat: int, kind: int) -> None:
    """Put a card from the deck into a hand."""
    me = state.seats[seat]
    state.deck[kind] -= 1
    state.num_deck -= 1
    me.hand[kind] += 1
    me.num_hand += 1


@inlined
def remove_card(state: Any, seat: int, kind: int) -> None:
    """Take a card out of a hand. Of equal cards the one held over a reshuffle goes first: they cannot be told apart."""
    me = state.seats[seat]
    me.hand[kind] -= 1
    me.num_hand -= 1
    num_held = int(me.held[kind] > 0)
    me.held[kind] -= num_held
    me.num_held -= num_held


@inlined
def discard_card(state: Any, seat: int, kind: int) -> None:
    """Move a card from a hand to the discard pile."""
    remove_card(state, seat, kind)
    state.discard[kind] += 1


@inlined
def pay(state: Any, seat: int, amount: int) -> None:
    """Move honey to the pot, at most what there is (HW-D3)."""
    paid = min(amount, int(state.seats[seat].honey))
    state.seats[seat].honey -= paid
    state.pot += paid


@kernel
def reshuffle(content: Any, state: Any) -> None:
    """Make the discard pile the new deck (HW-W2); every hand is now held over."""
    state.num_deck = 0
    for kind in range(content.num_kinds):
        state.num_deck += int(state.discard[kind])
        state.deck[kind] = state.discard[kind]
        state.discard[kind] = 0
    state.num_shuffles += 1
    for seat in range(content.num_players):
        me = state.seats[seat]
        for kind in range(content.num_kinds):
            me.held[kind] = me.hand[kind]
        me.num_held = me.num_hand


@inlined
def can_draw(content: Any, state: Any) -> bool:
    """Tell whether the seat whose turn it is draws another card; reshuffles if it must (HW-W2)."""
    if state.seats[state.seat].num_hand >= content.hand_size:
        return False
    if state.num_deck == 0:
        num_discards = 0
        for kind in range(content.num_kinds):
            num_discards += int(state.discard[kind])
        if num_discards == 0:
            return False
        reshuffle(content, state)
    return True


# ---------------------------------------------------------------------------------------------------------------
# Going on


@inlined
def check_win(content: Any, state: Any) -> bool:
    """End the game if somebody has won (HW-V1): whose turn it is comes first, then clockwise."""
    has_winner = False
    for seat in range(MAX_PLAYERS):  # one branch for all, which a processor can foresee
        me = state.seats[seat]
        has_winner |= (me.num_hives == MAX_HIVES) & (me.honey >= content.winning_honey)
    if not has_winner:
        return False
    seat = int(state.seat)
    for _ in range(content.num_players):
        me = state.seats[seat]
        if me.num_hives == MAX_HIVES and me.honey >= content.winning_honey:
            state.winner = seat
            state.phase = OVER
            state.to_act = TERMINAL
            return True
        seat = seat_after(content, seat)
    return False


@inlined
def seat_after(content: Any, seat: int) -> int:
    """Return the next seat clockwise. A division would take ten times as long."""
    return seat + 1 if seat + 1 < content.num_players else 0


@inlined
def wait(state: Any, phase: int, to_act: int) -> None:
    """Stop at ``phase`` for a decision of seat ``to_act``, or for CHANCE."""
    state.phase = phase
    state.to_act = to_act


@inlined
def begin_turn(state: Any, seat: int) -> None:
    """Start a seat's turn with its Defend step; the effects of the turn before end."""
    state.seat = seat
    state.phase = DEFEND
    state.cursor = 0
    state.has_built = 0
    state.no_bonus = 0
    state.no_harvest = 0
    state.no_build = 0
    state.skip_spend = 0


@inlined
def end_turn(content: Any, state: Any) -> None:
    """Pass the turn on clockwise (HW-W3), or truncate the game (HW-V2)."""
    state.turn += 1
    if state.turn >= content.max_turns:
        state.truncated = 1
        wait(state, OVER, TERMINAL)
    else:
        begin_turn(state, seat_after(content, int(state.seat)))


@inlined
def go_on(content: Any, state: Any) -> None:
    """Carry the game from the phase it is in to the next decision, chance event or end."""
    while state.phase != OVER:
        me = state.seats[state.seat]
        has_buddy = me.buddy != NOTHING
        if state.phase == DEFEND:
            while state.cursor < me.num_hives and me.threats[state.cursor] == NOTHING:
                state.cursor += 1
            if state.cursor < me.num_hives:
                if has_buddy and content.is_shield[me.buddy]:  # HW-D4: never one hired this turn, Spend comes later
                    wait(state, DEFEND, state.seat)
                else:
                    wait(state, ROLL, CHANCE)
                return
            state.phase = HARVEST
        if state.phase == HARVEST:
            if state.no_harvest:  # HW-H5
                state.phase = SPEND
            elif has_buddy and content.is_dipper[me.buddy]:  # HW-H4
                wait(state, HARVEST, state.seat)
                return
            else:
                harvest(content, state, 0, 1)
                if check_win(content, state):
                    return
        if state.phase == SPEND:
            if state.skip_spend == 0:
                wait(state, SPEND, state.seat)
                return
            state.phase = CHOOSE_DISCARD
        if state.phase == CHOOSE_DISCARD:
            wait(state, CHOOSE_DISCARD, state.seat)
            return
        if state.phase == DRAW:
            if can_draw(content, state):
                wait(state, DRAW, CHANCE)
                return
            end_turn(content, state)


# ---------------------------------------------------------------------------------------------------------------
# Defend


@kernel
def discard_threat(state: Any, seat: int, hive: int) -> None:
    """Move the threat on a hive to the discard pile."""
    me = state.seats[seat]
    state.discard[me.threats[hive]] += 1
    me.threats[hive] = NOTHING
    me.attackers[hive] = NOTHING


@kernel
def discard_buddy(state: Any, seat: int) -> None:
    """Move a seat's buddy to the discard pile."""
    me = state.seats[seat]
    state.discard[me.buddy] += 1
    me.buddy = NOTHING


@kernel
def remove_hive(state: Any, seat: int, hive: int) -> None:
    """Discard a hive; those to its right move left and keep their threats (HW-D5). It bears no threat any more."""
    me = state.seats[seat]
    state.discard[me.hives[hive]] += 1
    me.num_hives -= 1
    for place in range(hive, int(me.num_hives)):
        me.hives[place] = me.hives[place + 1]
        me.threats[place] = me.threats[place + 1]
        me.attackers[place] = me.attackers[place + 1]
    me.hives[me.num_hives] = NOTHING
    me.threats[me.num_hives] = NOTHING
    me.attackers[me.num_hives] = NOTHING


@kernel
def settle_roll(content: Any, state: Any, roll: int) -> None:
    """Compare a roll, its bonus included, with the threat level, and apply the effect if it is lower (HW-D1)."""
    me = state.seats[state.seat]
    threat = int(me.threats[state.cursor])
    state.phase = DEFEND
    if roll >= content.level[threat]:
        discard_threat(state, int(state.seat), int(state.cursor))
        state.cursor += 1
        return
    effect = content.effect[threat]
    attacker = int(me.attackers[state.cursor])
    takes_hive = effect == LOSE_HIVE and me.num_hives > 1
    if takes_hive or not content.is_continuous[threat]:
        discard_threat(state, int(state.seat), int(state.cursor))
    if takes_hive:
        remove_hive(state, int(state.seat), int(state.cursor))  # the next hive now stands at the cursor
        return
    state.cursor += 1
    if effect == LOSE_HIVE:
        pay(state, int(state.seat), int(content.only_hive_loss))
    else:
        apply_effect(state, effect, int(content.n[threat]), attacker)


@kernel
def apply_effect(state: Any, effect: int, n: int, attacker: int) -> None:
    """Let the seat whose turn it is suffer an effect; the loss of a hive is settled by the caller."""
    seat = int(state.seat)
    me = state.seats[seat]
    if effect == LOSE_HONEY:
        pay(state, seat, n)
    elif effect == LOSE_HALF:
        pay(state, seat, (int(me.honey) + 1) // 2)
    elif effect == PAY_ATTACKER:
        given = min(n, int(me.honey))
        me.honey -= given
        state.seats[attacker].honey += given
    elif effect == NO_BONUS:
        state.no_bonus = 1
    elif effect == NO_HARVEST:
        state.no_harvest = 1
    elif effect == NO_BUILD:
        state.no_build = 1
    elif effect == SKIP_SPEND:
        state.skip_spend = 1
    elif effect == LOSE_CARDS:
        state.pending = min(n, int(me.num_hand))
        if state.pending > 0:
            wait(state, LOSE_CARD, CHANCE)


# ---------------------------------------------------------------------------------------------------------------
# Harvest


@inlined
def harvest(content: Any, state: Any, flat: int, factor: int) -> None:
    """Gain the base, ``factor`` times the bonuses, and ``flat`` more, as far as the pot goes (HW-H1 to HW-H5)."""
    me = state.seats[state.seat]
    bonus = 0
    if state.no_bonus == 0:
        for place in range(me.num_hives):
            bonus += int(content.bonus[me.hives[place]])
    gain = min(content.base_harvest + int(state.num_shuffles) + bonus * factor + flat, int(state.pot))
    state.pot -= gain
    me.honey += gain
    state.phase = SPEND


# ---------------------------------------------------------------------------------------------------------------
# The contract


@inlined
def legal(content: Any, state: Any, out: Any) -> None:
    """See :func:`bearenvs.game.legal`."""
    me = state.seats[state.seat]
    if state.phase == DEFEND:
        add_action(out, A_ROLL)
        add_action(out, A_USE)
    elif state.phase == HARVEST:
        add_action(out, A_USE)
        add_action(out, A_PASS)
    elif state.phase == CHOOSE_DISCARD:
        add_discards(content, me, out)
    else:
        add_spending(content, state, out)


@inlined
def add_discards(content: Any, me: Any, out: Any) -> None:
    """Add what may be discarded in the Draw step (HW-W1)."""
    may_pay = (me.num_hand > 0) & (me.honey >= content.discard_hand_cost)
    add_actions(out, 0, 1 << A_KEEP | int(may_pay) << A_DISCARD_HAND)
    add_actions(out, content.first_discard, positive_places(me.hand))


@inlined
def add_spending(content: Any, state: Any, out: Any) -> None:
    """Add what may be played in the Spend step (HW-P1 to HW-P5)."""
    me = state.seats[state.seat]
    add_action(out, A_END)
    kinds = positive_places(me.hand) & int(content.affordable[me.honey])
    threats = kinds & int(content.threats)
    may_build = (me.num_hives < MAX_HIVES) & (state.has_built == 0) & (state.no_build == 0)
    # Masks, not branches, which a processor could not foresee.
    kinds &= -int(may_build) & int(content.hives) | -int(me.buddy == NOTHING) & int(content.buddies)
    add_actions(out, content.first_build, kinds)
    targets = free_hives(content, state)
    first_threat, num_targets = content.num_hive_kinds + content.num_buddy_kinds, (content.num_players - 1) * MAX_HIVES
    while threats != 0:
        threat = lowest_bit(threats) - first_threat
        add_actions(out, content.first_attack + threat * num_targets, targets)
        threats &= threats - 1


@inlined
def free_hives(content: Any, state: Any) -> int:
    """Return the hives of others without a threat as a bit mask: MAX_HIVES for each seat, clockwise."""
    free = 0
    seat = int(state.seat)
    for step in range(content.num_players - 1):
        seat = seat_after(content, seat)
        other = state.seats[seat]
        for hive in range(MAX_HIVES):
            is_free = (hive < other.num_hives) & (other.threats[hive] == NOTHING)
            free |= int(is_free) << (step * MAX_HIVES + hive)
    return free


@inlined
def apply(content: Any, state: Any, event: int) -> None:
    """See :func:`bearenvs.game.apply`."""
    if state.to_act == CHANCE:
        goes_on = apply_outcome(content, state, event)
    else:
        state.ply += 1
        goes_on = apply_action(content, state, event)
    if goes_on:
        go_on(content, state)


@inlined
def apply_action(content: Any, state: Any, action: int) -> bool:
    """Carry out an action of the seat whose turn it is; tell whether the game goes on by itself then."""
    seat = int(state.seat)
    me = state.seats[seat]
    if state.phase == SPEND:
        spend(content, state, action)
    elif state.phase == CHOOSE_DISCARD:
        if action == A_DISCARD_HAND:
            pay(state, seat, content.discard_hand_cost)
            for kind in range(content.num_kinds):
                while me.hand[kind] > 0:
                    discard_card(state, seat, kind)
        elif action != A_KEEP:
            discard_card(state, seat, action - content.first_discard)
        state.phase = DRAW
    elif state.phase == HARVEST:
        flat = 0
        factor = 1
        if action == A_USE:
            if content.effect[me.buddy] == GAIN:
                flat = int(content.n[me.buddy])
            elif content.effect[me.buddy] == DOUBLE_BONUS:
                factor = 2
            discard_buddy(state, seat)
        harvest(content, state, flat, factor)
    elif action == A_USE:  # in Defend
        effect = content.effect[me.buddy]
        n = int(content.n[me.buddy])
        discard_buddy(state, seat)
        if effect == AUTO_DEFEND:
            discard_threat(state, seat, int(state.cursor))
            state.cursor += 1
        elif effect == ROLL_BONUS:
            state.roll_bonus = n
            wait(state, ROLL, CHANCE)
            return False
    else:
        wait(state, ROLL, CHANCE)
        return False
    return not check_win(content, state)


@inlined
def spend(content: Any, state: Any, action: int) -> None:
    """Carry out an action of the Spend step; what it buys is paid for first (HW-P1)."""
    seat = int(state.seat)
    me = state.seats[seat]
    if action == A_END:
        state.phase = CHOOSE_DISCARD
    elif action >= content.first_attack:
        at = action - content.first_attack
        hive = at % MAX_HIVES
        step = at // MAX_HIVES % (content.num_players - 1) + 1
        threat = at // MAX_HIVES // (content.num_players - 1)
        kind = threat + content.num_hive_kinds + content.num_buddy_kinds
        pay(state, seat, content.cost[kind])
        remove_card(state, seat, kind)
        target = state.seats[(seat + step) % content.num_players]
        target.threats[hive] = kind
        target.attackers[hive] = seat
    elif action >= content.first_hire:
        kind = action - content.first_hire + content.num_hive_kinds
        pay(state, seat, content.cost[kind])
        remove_card(state, seat, kind)
        me.buddy = kind
    else:
        kind = action - content.first_build
        pay(state, seat, content.cost[kind])
        remove_card(state, seat, kind)
        me.hives[me.num_hives] = kind
        me.num_hives += 1
        state.has_built = 1


@inlined
def apply_outcome(content: Any, state: Any, outcome: int) -> bool:
    """Carry out a roll, a card lost or a card drawn; tell whether the game goes on by itself then."""
    seat = int(state.seat)
    if state.phase == ROLL:
        state.last_roll = outcome - content.first_die + 1
        roll = int(state.last_roll) + int(state.roll_bonus)
        state.roll_bonus = 0
        settle_roll(content, state, roll)
        return bool(state.phase != LOSE_CARD) and not check_win(content, state)
    if state.phase == LOSE_CARD:
        discard_card(state, seat, outcome - content.first_lose)
        state.pending -= 1
        if state.pending > 0:
            return False
        state.phase = DEFEND
        return True
    add_card(state, seat, outcome - content.first_draw)
    if state.phase == DEAL:
        deal_on(content, state)
        return bool(state.phase != DEAL)
    return True


@kernel
def deal_on(content: Any, state: Any) -> None:
    """Count the card just dealt; after the last one the first turn begins (HW-S4)."""
    state.pending -= 1
    if state.pending == 0:
        if state.seat == content.num_players - 1:
            begin_turn(state, 0)
        else:
            state.seat += 1
            state.pending = content.hand_size


@kernel
def chance(content: Any, state: Any, weights: Any) -> None:
    """See :func:`bearenvs.game.chance`."""
    weights[:] = 0
    if state.phase == ROLL:
        for side in range(content.die_sides):
            weights[content.first_die + side] = 1
    elif state.phase == LOSE_CARD:
        for kind in range(content.num_kinds):
            weights[content.first_lose + kind] = state.seats[state.seat].hand[kind]
    else:
        for kind in range(content.num_kinds):
            weights[content.first_draw + kind] = state.deck[kind]


@inlined
def sample_chance(content: Any, state: Any, rng: Any) -> int:
    """See :func:`bearenvs.game.sample_chance`."""
    if state.phase == ROLL:
        return int(content.first_die) + random_below(rng, int(content.die_sides))
    if state.phase == LOSE_CARD:
        me = state.seats[state.seat]
        return int(content.first_lose) + draw_weighted(rng, me.hand, int(me.num_hand))
    return int(content.first_draw) + draw_weighted(rng, state.deck, int(state.num_deck))


@inlined
def returns(content: Any, state: Any, out: Any) -> None:
    """See :func:`bearenvs.game.returns`. Winner +1, every other player -1/(n-1) (HW-V3)."""
    winner = int(state.winner)
    others = 0.0 if winner == NOTHING else -1.0 / (content.num_players - 1)
    for seat in range(content.num_players):
        out[seat] = 1.0 if seat == winner else others


@kernel
def event_seen_by(content: Any, state: Any, event: int) -> int:
    """See :func:`bearenvs.game.event_seen_by`. Only drawn cards are private."""
    if state.to_act == CHANCE and state.phase in (DEAL, DRAW):
        return 1 << int(state.seat)
    return (1 << int(content.num_players)) - 1
