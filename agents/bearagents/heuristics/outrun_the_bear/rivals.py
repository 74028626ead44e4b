"""Running against each other: ahead of the Bear, but above all ahead of somebody else.

Every choice is weighed in columns: those it gains, and those that being caught soon is worth. It sprints when cheap
cards pay for that, and discards them so that the Bear is slow, or fast if somebody is behind. It aims at whom it hurts
most, and keeps a dash for the Bear.
"""

from typing import Any

from bearagents.heuristics.outrun_the_bear.cards import (
    has_effect,
    mean_bear_value,
    moved_by,
    worth_in_play,
    worth_of_equipment,
)
from bearagents.heuristics.outrun_the_bear.ground import ESCAPE, is_still_to_move, step_ahead, step_back
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.actions import A_CRAWL, A_PASS, A_SPRINT
from bearenvs.outrun_the_bear.board import ability, column_of, prints_behind_lead
from bearenvs.outrun_the_bear.cards import is_target
from bearenvs.outrun_the_bear.content import (
    BACK_RESISTANCE,
    BEAR_ADVANCE,
    BEAR_SKIP,
    CANCEL_CARD,
    CANCEL_ON_ME,
    CRAWL_BONUS,
    DASH,
    DISCARD_HALF,
    DRAW,
    FIRST_COLUMN,
    SELF_MOVE,
    SLIPSTREAM,
    SPRINT_BONUS,
    STEAL,
    SWAP_PLACES,
    TARGET_BACK,
    TARGET_MOVE,
)
from bearenvs.outrun_the_bear.hands import is_full, pile_card
from bearenvs.outrun_the_bear.state import (
    BACK,
    MOVE,
    NOTHING,
    RUNNING,
    TO_BEAR,
    TO_PASSING,
)
from bearenvs.outrun_the_bear.turn import sprint_cost

# What is not a column, in columns. Found by playing variants of this heuristic against each other.
LIFE = 16.0
"""Being caught."""
SHELTER = 0.25
"""How far being caught is from who has somebody running behind, compared to the last one."""
PACE = 3.0
"""What a runner is taken to gain in a turn."""
SPREAD = 6.0
"""How far the Bear's advance may miss its mean."""
RIVAL = 0.1
"""A column that a rival loses."""
CATCH = 6.0
"""Another one caught."""
CARD_PRICE = 0.35
"""A card in hand, as a share of what it is worth when played."""
ENOUGH_HARM = 2.5
"""How much a card must harm before a reaction is spent on it."""
WELL_EQUIPPED = 0.7
"""By how much new equipment must be better to be put on in the action step, in place of a move."""


# --------------------------------------------------------------------------------------------------
# How the runners stand


@kernel
def expected_advance(content: Any, state: Any) -> float:
    """Return by how much the Bear is likely to advance on its next turn."""
    if state.skips_turn != 0:
        return 0.0
    prints = prints_behind_lead(content, state)
    known = min(prints, int(state.num_pile))
    advance = (prints - known) * mean_bear_value(content)
    for place in range(known):
        advance += int(content.bear[pile_card(state, place)])
    return advance


@kernel
def column_at_bears_turn(content: Any, state: Any, seat: int, column: int) -> float:
    """Return where a runner, now in ``column``, is likely to be at the Bear's turn."""
    return column + (PACE if is_still_to_move(content, state, seat) else 0.0)


@kernel
def standing(content: Any, state: Any, seat: int, mine: int, other: int, theirs: int, bear: int) -> float:
    """Return how well a seat stands in column ``mine``, with ``other`` in column ``theirs`` and the Bear in ``bear``.

    A seat's own column counts, the danger of being caught next, and a little how far its rivals are.
    """
    if content.lot != NOTHING and mine >= content.last_column:
        return float(ESCAPE + content.last_column)
    own = column_at_bears_turn(content, state, seat, mine)
    advance = expected_advance(content, state)
    risk = reach_of_bear(own - bear, advance)
    others = 0.0
    for rival in range(content.num_players):
        if rival == seat or state.seats[rival].status != RUNNING:
            continue
        column = theirs if rival == other else column_of(int(state.seats[rival].space))
        there = column_at_bears_turn(content, state, rival, column)
        others -= RIVAL * column
        if there < own and column > bear:
            risk = min(risk, SHELTER * reach_of_bear(own - bear, advance))
    return mine - LIFE * risk + others


@kernel
def reach_of_bear(gap: float, advance: float) -> float:
    """Return about how likely the Bear is to come ``gap`` columns far, if it advances by ``advance`` on average."""
    return max(0.0, min(0.5 + (advance - gap) / (2.0 * SPREAD), 1.0))


# --------------------------------------------------------------------------------------------------
# What cards are worth


@kernel
def worth(content: Any, state: Any, seat: int, kind: int) -> float:
    """Return what a card is worth in hand, about in columns that playing it gains."""
    if kind >= content.first_equipment:
        return 0.8 * max(0.0, worth_of_equipment(content, kind) - worth_in_play(content, state, seat))
    total = 0.0
    for k in range(int(content.num_effects[kind])):
        effect, n = content.effect[kind, k], int(content.n[kind, k])
        if effect == SELF_MOVE:
            total += n
        elif effect == TARGET_BACK:
            total += 0.3 * n
        elif effect == TARGET_MOVE:
            total += 0.2 * n
        elif effect == DRAW:
            total += 0.8 * n
        elif effect == STEAL:
            total += 1.0
        elif effect == BEAR_ADVANCE:
            total += 0.5
        else:
            total += 2.0  # swap_places, discard_half, bear_skip
    effect, n = content.effect[kind, 0], int(content.n[kind, 0])
    if effect == DASH:
        total = 3.0 + n
    elif effect == CANCEL_CARD:
        total = 2.0
    elif effect == CANCEL_ON_ME:
        total = 1.5
    elif effect == SLIPSTREAM:
        total = 0.5 * n
    return total


@kernel
def price(content: Any, state: Any, seat: int, kind: int) -> float:
    """Return what giving a card away costs: the less, the fuller the hand."""
    fullness = int(state.seats[seat].num_hand) / (content.hand_limit + 1.0)
    return float(CARD_PRICE * (1.2 - fullness) * worth(content, state, seat, kind))


# --------------------------------------------------------------------------------------------------
# The action step


@kernel
def after_card(content: Any, state: Any, viewer: int, actor: int, kind: int, target: int) -> float:
    """Return how ``viewer`` stands once ``actor`` has played a card at ``target`` (NOTHING: at nobody)."""
    bear = int(state.bear)
    its = column_of(int(state.seats[actor].space))
    theirs = column_of(int(state.seats[target].space)) if target != NOTHING else 0
    if has_effect(content, kind, SWAP_PLACES):
        its, theirs = theirs, its
    if target != NOTHING and theirs >= FIRST_COLUMN:
        back = moved_by(content, kind, TARGET_BACK)
        back = max(0, back - ability(content, state, target, BACK_RESISTANCE))
        back += moved_by(content, kind, TARGET_MOVE)
        theirs = max(theirs - back, bear + 1, FIRST_COLUMN - 1)
    its += moved_by(content, kind, SELF_MOVE)
    if viewer == actor:
        return standing(content, state, viewer, its, target, theirs, bear)
    if viewer == target:
        return standing(content, state, viewer, theirs, actor, its, bear)
    mine = column_of(int(state.seats[viewer].space))
    return standing(content, state, viewer, mine, actor, its, bear)


@kernel
def standing_now(content: Any, state: Any, seat: int) -> float:
    """Return how a seat stands if nothing changes."""
    return standing(content, state, seat, column_of(int(state.seats[seat].space)), NOTHING, 0, int(state.bear))


@kernel
def value_of_target(content: Any, state: Any, seat: int, kind: int, target: int) -> float:
    """Return how well ``seat`` stands after its card at this target, with what the card takes from that hand."""
    value = after_card(content, state, seat, seat, kind, target)
    num_hand = int(state.seats[target].num_hand)
    if has_effect(content, kind, STEAL) and num_hand > 0:
        value += 1.0
    if has_effect(content, kind, DISCARD_HALF):
        value += 0.4 * (num_hand // 2)
    return value


@kernel
def best_target(content: Any, state: Any, seat: int, kind: int) -> int:
    """Return the target at which a card is best aimed, or NOTHING."""
    best, most = NOTHING, 0.0
    for target in range(content.num_players):
        if is_target(content, state, seat, kind, target):
            value = value_of_target(content, state, seat, kind, target)
            if best == NOTHING or value > most:
                best, most = target, value
    return best


@kernel
def value_of_card(content: Any, state: Any, seat: int, kind: int) -> float:
    """Return how well ``seat`` stands after playing an action card, less its price."""
    if content.needs_target[kind] != 0:
        value = value_of_target(content, state, seat, kind, best_target(content, state, seat, kind))
    else:
        value = after_card(content, state, seat, seat, kind, NOTHING)
    value += 0.6 * moved_by(content, kind, DRAW)
    if has_effect(content, kind, BEAR_SKIP) and state.skips_turn == 0:
        mine = column_of(int(state.seats[seat].space))
        safe = standing(
            content, state, seat, mine, NOTHING, 0, int(state.bear) - round(expected_advance(content, state))
        )
        value += safe - standing_now(content, state, seat)
    columns = moved_by(content, kind, BEAR_ADVANCE)
    if columns > 0:
        value += value_of_bear_advance(content, state, seat, columns)
    return value - price(content, state, seat, kind)


@kernel
def value_of_bear_advance(content: Any, state: Any, seat: int, columns: int) -> float:
    """Return what an advance of the Bear now is worth: much if it catches another, and the least for being caught."""
    bear = int(state.bear)
    mine = column_of(int(state.seats[seat].space))
    for column in range(bear + 1, bear + columns + 1):
        num_caught = 0
        for other in range(content.num_players):
            if state.seats[other].status == RUNNING and column_of(int(state.seats[other].space)) == column:
                num_caught += 1
        if num_caught > 0:
            if mine == column:
                return -2.0 * LIFE
            return CATCH * num_caught
    return standing(content, state, seat, mine, NOTHING, 0, bear + columns) - standing_now(content, state, seat)


@kernel
def cost_of_sprint(content: Any, state: Any, seat: int) -> float:
    """Return the price of the cheapest cards that pay for a sprint."""
    me = state.seats[seat]
    left = sprint_cost(content, state, seat)
    total = 0.0
    taken = 0
    for _ in range(left):
        cheapest = NOTHING
        least = 0.0
        for j in range(int(me.num_hand)):
            value = price(content, state, seat, int(me.hand[j]))
            if taken >> j & 1 == 0 and (cheapest == NOTHING or value < least):
                cheapest, least = j, value
        taken |= 1 << max(cheapest, 0)
        total += least
    return total


@kernel
def choose_action(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Return the action after which ``seat`` stands best, less what the cards for it cost."""
    best, most = A_CRAWL, 0.0
    mine = column_of(int(state.seats[seat].space))
    bear = int(state.bear)
    for k in range(num_legal):
        action = int(legal[k])
        if action == A_CRAWL:
            spaces = int(content.crawl) + ability(content, state, seat, CRAWL_BONUS)
            value = standing(content, state, seat, mine + spaces, NOTHING, 0, bear)
        elif action == A_SPRINT:
            spaces = int(content.sprint) + ability(content, state, seat, SPRINT_BONUS)
            value = standing(content, state, seat, mine + spaces, NOTHING, 0, bear)
            value -= cost_of_sprint(content, state, seat)
        elif action < content.to_play + content.first_reaction:
            value = value_of_card(content, state, seat, action - int(content.to_play))
        else:
            gain = worth_of_equipment(content, action - int(content.to_equip)) - worth_in_play(content, state, seat)
            value = standing(content, state, seat, mine, NOTHING, 0, bear) + gain * WELL_EQUIPPED
        if k == 0 or value > most:
            best, most = action, value
    return best


# --------------------------------------------------------------------------------------------------
# Moving


@kernel
def choose_step(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Lead a runner ahead to good ground; a rival back to bad ground."""
    frame = state.stack[int(state.depth) - 1]
    if frame.seat == seat and frame.way != BACK:
        return step_ahead(content, state, legal, num_legal, int(content.last_column))
    return step_back(content, state, legal, num_legal, frame.seat != seat)


# --------------------------------------------------------------------------------------------------
# Reactions, targets, discards


@kernel
def choose_target(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Aim the card just played."""
    kind = int(state.stack[int(state.depth) - 1].card)
    target = best_target(content, state, seat, kind)
    distance = (target - seat - 1) % int(content.num_players)
    return int(content.to_target) + distance


@kernel
def choose_reaction(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Dash from the Bear; draw if there is room; cancel a card that harms enough, with the cheapest reaction."""
    frame = state.stack[int(state.depth) - 1]
    if frame.mode == TO_BEAR:
        return int(legal[num_legal - 1])
    if frame.mode == TO_PASSING:
        return int(legal[num_legal - 1]) if not is_full(content, state, seat) else A_PASS
    card = state.stack[int(state.depth) - 2]
    kind, actor, target = int(card.card), int(card.seat), int(card.other)
    harm = standing_now(content, state, seat) - after_card(content, state, seat, actor, kind, target)
    if target == seat and has_effect(content, kind, DISCARD_HALF):
        harm += 0.7 * (int(state.seats[seat].num_hand) // 2)
    columns = moved_by(content, kind, BEAR_ADVANCE)
    if columns > 0:
        harm -= value_of_bear_advance(content, state, seat, columns)
    if harm < ENOUGH_HARM:
        return A_PASS
    best, least = A_PASS, 0.0
    for k in range(1, num_legal):
        reaction = int(legal[k]) - int(content.to_react)
        cost = worth(content, state, seat, reaction)
        if best == A_PASS or cost < least:
            best, least = int(legal[k]), cost
    return best


@kernel
def choose_discard(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Discard what is worth least. What the Bear will take must suit: low values, or high if others are behind."""
    suits = 0.0
    if state.num_pile < prints_behind_lead(content, state):
        suits = 0.5 if wants_slow_bear(content, state, seat) else -0.3
    best, least = int(legal[0]), 0.0
    for k in range(num_legal):
        kind = int(legal[k]) - int(content.to_discard)
        value = worth(content, state, seat, kind) + suits * int(content.bear[kind])
        if k == 0 or value < least:
            best, least = int(legal[k]), value
    return best


@kernel
def wants_slow_bear(content: Any, state: Any, seat: int) -> bool:
    """Tell whether the Bear threatens this seat rather than somebody behind it."""
    mine = column_of(int(state.seats[seat].space))
    frame = state.stack[int(state.depth) - 1]
    if state.depth > 1 and state.stack[0].op == MOVE:  # the sprint that this discard pays for
        mine += int(state.stack[0].left)
    own = column_at_bears_turn(content, state, seat, mine)
    for other in range(content.num_players):
        if other != seat and state.seats[other].status == RUNNING and frame.seat == seat:
            column = column_of(int(state.seats[other].space))
            if column_at_bears_turn(content, state, other, column) < own:
                return False
    return True


@kernel
def choose_at_rest(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Put on better equipment; else change the least card if it is worth less than one from the deck."""
    best, most = A_PASS, 0.3
    for k in range(1, num_legal):
        action = int(legal[k])
        if action < content.to_swap:
            kind = action - int(content.to_equip)
            value = 2.0 * (worth_of_equipment(content, kind) - worth_in_play(content, state, seat))
        else:
            value = 1.8 - worth(content, state, seat, action - int(content.to_swap))
        if value > most:
            best, most = action, value
    return best
