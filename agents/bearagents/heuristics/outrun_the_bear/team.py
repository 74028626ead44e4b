"""Running as a team (OB-X2): all escape, or all are lost.

The team drives the Bear itself. It takes a card for each print behind the lead runner, the oldest discards first. So a
team discards cheap cards early in a round, keeps the lead runner from running up prints that the others pay for, and
leaves nobody behind. All three follow from one *forecast* of the race, round by round to its end, and its *outlook*:
each choice is a :class:`Plan`, and the plan with the best outlook is made.
"""

import math
from typing import Any, NamedTuple

from bearagents.heuristics.outrun_the_bear.cards import (
    has_effect,
    mean_bear_value,
    moved_by,
    worth_in_play,
    worth_of_equipment,
)
from bearagents.heuristics.outrun_the_bear.ground import is_still_to_move, step_ahead, step_back
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.actions import A_CRAWL, A_PASS, A_SPRINT
from bearenvs.outrun_the_bear.board import ability, column_of, prints_behind_lead, prints_on
from bearenvs.outrun_the_bear.cards import is_target
from bearenvs.outrun_the_bear.content import (
    BACK_RESISTANCE,
    BEAR_ADVANCE,
    BEAR_SKIP,
    CRAWL_BONUS,
    DASH,
    DISCARD_HALF,
    DRAW,
    DRAW_BONUS,
    FIRST_COLUMN,
    HAND_BONUS,
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
    ANY_WAY,
    BACK,
    MOVE,
    NOTHING,
    RUNNING,
    TO_BEAR,
    TO_PASSING,
)
from bearenvs.outrun_the_bear.turn import sprint_cost

# Found by playing variants of this heuristic.
HORIZON = 14
"""Rounds that the forecast looks ahead: enough for the whole park."""
USE = 0.8
"""Columns that a card which nobody has seen gains over a crawl."""
FODDER = 0.75
"""Columns that any card gains: four pay for a sprint."""
BURST = 3.5
"""Columns that cards can gain in one turn."""
TAMED = 0.8
"""Bear value of what a team discards with care, compared to cards off the deck."""
SPREAD = 2.0
"""How far the Bear's first advance may miss the forecast, and"""
GROWTH = 0.6
"""... how much more that is with each round."""
PULL = 1.0
"""Columns of use that are given up for a column less of the Bear's."""
LEAD = 12.0
"""Columns from the last runner to the lead runner, at most, in rounds to come: it waits, as prints behind it count."""
RESERVE = 4.0
"""Columns that a card is kept for by which the Bear skips a turn."""
PROGRESS = 0.002
"""A column, where no danger is in sight."""
FRESH = 1.05
"""Columns that a card gains which is drawn for a discard."""


class Plan(NamedTuple):
    """What a seat could do, as the changes that it brings."""

    seat: int
    column: int
    """Where it would stand, before its own move."""
    hand: float
    """Columns that its cards would be good for."""
    other: int
    """The seat aimed at, or NOTHING."""
    theirs: int
    """Where that would stand."""
    loses: int
    """Cards that it would lose."""
    closer: int
    """Columns that the Bear would come closer by at once."""
    num_discards: int
    """Cards discarded that the Bear may take, and"""
    bear_value: float
    """... the sum of their values."""
    skips: bool
    """Whether the Bear would skip its next turn."""


# --------------------------------------------------------------------------------------------------
# The forecast


@kernel
def column_ahead(content: Any, state: Any, plan: Any, seat: int, rounds: int) -> float:
    """Return where a runner is likely to be at the Bear's turn, ``rounds`` rounds after this one."""
    column = column_of(int(state.seats[seat].space))
    hand = USE * int(state.seats[seat].num_hand)
    if seat == plan.seat:
        column, hand = plan.column, plan.hand
    elif seat == plan.other:
        column, hand = plan.theirs, hand - USE * plan.loses
    turns = rounds + (1 if is_still_to_move(content, state, seat) else 0)
    drawn = USE * (content.draw + ability(content, state, seat, DRAW_BONUS))
    crawl = content.crawl + 0.4 * ability(content, state, seat, CRAWL_BONUS)
    return float(column + crawl * turns + min(BURST * turns, hand + drawn * turns))


@kernel
def next_advance(content: Any, state: Any, plan: Any, prints: int) -> float:
    """Return by how much the Bear is likely to advance in this round, with ``prints`` behind the lead runner."""
    if state.skips_turn != 0 or plan.skips:
        return 0.0
    known = min(prints, int(state.num_pile))
    advance = 0.0
    for place in range(known):
        advance += int(content.bear[pile_card(state, place)])
    planned = min(plan.num_discards, prints - known)
    if planned > 0:
        advance += plan.bear_value * planned / plan.num_discards
    unknown = mean_bear_value(content) * (1.0 if state.seat == state.token else TAMED)
    return float(advance + (prints - known - planned) * unknown)


@kernel
def danger(margin: float) -> float:
    """Return how likely the Bear is to arrive, from 1 far behind it to 0 far ahead; no margin, however wide, is all."""
    return float(0.5 - 0.5 * margin / math.sqrt(1.0 + margin * margin))


@kernel
def outlook(content: Any, state: Any, plan: Any) -> float:
    """Return how things look for the team: the dangers of all runners in all rounds to come, as a loss."""
    value = 0.0
    bear = float(state.bear) + plan.closer
    pace = TAMED * mean_bear_value(content)
    lead = 0.0
    prints = column = 0
    for rounds in range(HORIZON):
        front, rear = 0.0, float(content.last_column)
        for seat in range(content.num_players):
            there = float(content.last_column)
            if state.seats[seat].status == RUNNING:
                there = min(there, column_ahead(content, state, plan, seat, rounds))
            front, rear = max(front, there), min(rear, there)
        lead = max(lead, front if rounds == 0 else min(front, rear + LEAD))
        while column < lead:
            prints += prints_on(state, column)
            column += 1
        bear += next_advance(content, state, plan, prints) if rounds == 0 else pace * prints
        for seat in range(content.num_players):
            if state.seats[seat].status == RUNNING:
                there = column_ahead(content, state, plan, seat, rounds)
                if there < content.last_column:
                    value -= danger((there - bear) / (SPREAD + GROWTH * rounds))
                if rounds == 0:
                    value += PROGRESS * min(there, float(content.last_column))
        if rear == content.last_column:
            break
    return value


@kernel
def best_stop(content: Any, state: Any, plan: Any, spaces: int) -> tuple[float, int]:
    """Return the best outlook after a move of up to ``spaces``, and the column it ends in.

    That is the last one, or one with paw prints: they count only once the lead runner is past them (OB-E1).
    """
    best, most = 0, 0.0
    for left in range(spaces + 1):
        column = min(plan.column + spaces - left, int(content.last_column))
        if left == 0 or prints_on(state, column) > 0:
            value = outlook(content, state, in_column(plan, column))
            if left == 0 or value > most:
                best, most = column, value
    return most, best


@kernel
def in_column(plan: Any, column: int) -> Any:
    """Return the plan with the seat in another column."""
    return Plan(
        plan.seat,
        column,
        plan.hand,
        plan.other,
        plan.theirs,
        plan.loses,
        plan.closer,
        plan.num_discards,
        plan.bear_value,
        plan.skips,
    )


# --------------------------------------------------------------------------------------------------
# What cards are good for


@kernel
def use_of_card(content: Any, state: Any, seat: int, kind: int) -> float:
    """Return what a card is good for in hand, in columns over a crawl."""
    if kind >= content.first_equipment:
        return max(FODDER, 0.4 * (worth_of_equipment(content, kind) - worth_in_play(content, state, seat)))
    use = 0.0
    for k in range(int(content.num_effects[kind])):
        effect, n = content.effect[kind, k], int(content.n[kind, k])
        if effect == SELF_MOVE:
            use += n - content.crawl
        elif effect in (TARGET_MOVE, SLIPSTREAM):
            use += 0.5 * n
        elif effect == DRAW:
            use += USE * n
        elif effect == BEAR_SKIP:
            use += RESERVE
        elif effect == DASH:
            use += 2.0 + 0.5 * n
    return max(FODDER, use)


@kernel
def use_of_hand(content: Any, state: Any, seat: int, num_spent: int) -> float:
    """Return what all cards of a hand are good for, less what is lost in the draw step if ``num_spent`` are spent."""
    me = state.seats[seat]
    use = 0.0
    for j in range(int(me.num_hand)):
        use += use_of_card(content, state, seat, int(me.hand[j]))
    room = content.hand_limit + ability(content, state, seat, HAND_BONUS) - (int(me.num_hand) - num_spent)
    drawn = content.draw + ability(content, state, seat, DRAW_BONUS)
    return float(use - FODDER * max(0, drawn - room))


@kernel
def cost_of_discard(content: Any, state: Any, seat: int, kind: int, is_for_bear: bool) -> float:
    """Return what a discard costs in columns: its use, and, if the Bear will take it, the Bear's advance."""
    return use_of_card(content, state, seat, kind) + (PULL * int(content.bear[kind]) if is_for_bear else 0.0)


@kernel
def prints_behind(content: Any, state: Any, column: int) -> int:
    """Return the number of paw prints behind the lead runner, once one stands in ``column``."""
    prints = 0
    for passed in range(min(column, int(content.last_column))):
        prints += prints_on(state, passed)
    return max(prints, prints_behind_lead(content, state))


@kernel
def is_taken(content: Any, state: Any, column: int, place: int) -> bool:
    """Tell whether the Bear will take the discard at a place of the pile, once somebody stands in ``column``."""
    return place < prints_behind(content, state, column)


# --------------------------------------------------------------------------------------------------
# Plans


@kernel
def plan_nothing(state: Any, seat: int, hand: float) -> Any:
    """Return the plan to stay with a hand that is good for so much."""
    column = column_of(int(state.seats[seat].space))
    return Plan(seat, column, hand, NOTHING, 0, 0, 0, 0, 0.0, False)


@kernel
def plan_sprint(content: Any, state: Any, seat: int) -> Any:
    """Return the plan to pay for a sprint with the cheapest cards."""
    me = state.seats[seat]
    cost = sprint_cost(content, state, seat)
    column = column_of(int(me.space))
    room = prints_behind(content, state, column + int(content.sprint)) - int(state.num_pile)
    hand = use_of_hand(content, state, seat, cost)
    spent = num_discards = 0
    bear_value = 0.0
    for k in range(cost):
        cheapest, least = 0, 0.0
        is_first = True
        for j in range(int(me.num_hand)):
            value = cost_of_discard(content, state, seat, int(me.hand[j]), k < room)
            if spent >> j & 1 == 0 and (is_first or value < least):
                cheapest, least, is_first = j, value, False
        spent |= 1 << cheapest
        hand -= use_of_card(content, state, seat, int(me.hand[cheapest]))
        if k < room:
            num_discards += 1
            bear_value += content.bear[me.hand[cheapest]]
    return Plan(seat, column, hand, NOTHING, 0, 0, 0, num_discards, bear_value, False)


@kernel
def plan_card(content: Any, state: Any, seat: int, kind: int, target: int) -> Any:
    """Return the plan to play a card at a target (NOTHING: at nobody), short of the own move."""
    column = column_of(int(state.seats[seat].space))
    closer = moved_by(content, kind, BEAR_ADVANCE)
    theirs = loses = 0
    if target != NOTHING:
        theirs = column_of(int(state.seats[target].space))
        if has_effect(content, kind, SWAP_PLACES):
            column, theirs = theirs, column
        back = max(0, moved_by(content, kind, TARGET_BACK) - ability(content, state, target, BACK_RESISTANCE))
        theirs = max(theirs - back, min(theirs, max(int(state.bear) + 1, FIRST_COLUMN - 1)))
        theirs += moved_by(content, kind, TARGET_MOVE)
        loses = min(int(state.seats[target].num_hand), moved_by(content, kind, STEAL))
    hand = use_of_hand(content, state, seat, 1) - use_of_card(content, state, seat, kind)
    hand += USE * (moved_by(content, kind, DRAW) + loses)
    if has_effect(content, kind, DISCARD_HALF):
        loses += int(state.seats[target].num_hand) // 2
    skips = has_effect(content, kind, BEAR_SKIP)
    num_discards = 0 if skips else 1  # OB-X2
    return Plan(seat, column, hand, target, theirs, loses, closer, num_discards, float(content.bear[kind]), skips)


@kernel
def plan_action(content: Any, state: Any, seat: int, action: int, target: int) -> Any:
    """Return the plan for a choice of the action step."""
    if action == A_CRAWL:
        return plan_nothing(state, seat, use_of_hand(content, state, seat, 0))
    if action == A_SPRINT:
        return plan_sprint(content, state, seat)
    if action < content.to_play + content.first_reaction:
        return plan_card(content, state, seat, action - int(content.to_play), target)
    kind = action - int(content.to_equip)
    gain = worth_of_equipment(content, kind) - worth_in_play(content, state, seat)
    hand = use_of_hand(content, state, seat, 1) - use_of_card(content, state, seat, kind) + gain
    return plan_nothing(state, seat, hand)


@kernel
def spaces_of_action(content: Any, state: Any, seat: int, action: int) -> int:
    """Return how far a choice of the action step moves the seat itself."""
    if action == A_CRAWL:
        return int(content.crawl) + ability(content, state, seat, CRAWL_BONUS)
    if action == A_SPRINT:
        return int(content.sprint) + ability(content, state, seat, SPRINT_BONUS)
    if action < content.to_play + content.first_reaction:
        return moved_by(content, action - int(content.to_play), SELF_MOVE)
    return 0


# --------------------------------------------------------------------------------------------------
# Choices


@kernel
def choose_action(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Return the action, with its best target, that has the best outlook."""
    best, most = A_CRAWL, 0.0
    for k in range(num_legal):
        action = int(legal[k])
        value = value_of_action(content, state, seat, action)
        if k == 0 or value > most:
            best, most = action, value
    return best


@kernel
def value_of_action(content: Any, state: Any, seat: int, action: int) -> float:
    """Return the outlook of an action, with its best target if it is a card that needs one."""
    needs_target = False
    kind = action - int(content.to_play)
    if 0 <= kind < content.first_reaction:
        needs_target = content.needs_target[kind] != 0
    spaces = spaces_of_action(content, state, seat, action)
    best = -math.inf
    for target in range(NOTHING, content.num_players):
        if is_target(content, state, seat, kind, target) if needs_target else target == NOTHING:
            plan = plan_action(content, state, seat, action, target)
            best = max(best, best_stop(content, state, plan, spaces)[0])
    return best


@kernel
def choose_target(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Aim the card just played where the outlook is best."""
    kind = int(state.stack[int(state.depth) - 1].card)
    best, most = int(legal[0]), 0.0
    for k in range(num_legal):
        target = (seat + 1 + int(legal[k]) - int(content.to_target)) % int(content.num_players)
        plan = plan_card(content, state, seat, kind, target)
        value = best_stop(content, state, plan, moved_by(content, kind, SELF_MOVE))[0]
        if k == 0 or value > most:
            best, most = int(legal[k]), value
    return best


@kernel
def choose_step(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Lead the seat itself as far as the outlook gets better; a mate as far as it can go, or back as little."""
    frame = state.stack[int(state.depth) - 1]
    if frame.way == BACK:
        return step_back(content, state, legal, num_legal, False)
    goal = int(content.last_column)
    if frame.seat == seat and frame.way == ANY_WAY:
        plan = plan_nothing(state, seat, use_of_hand(content, state, seat, 0))
        goal = best_stop(content, state, plan, int(frame.left))[1]
    return step_ahead(content, state, legal, num_legal, goal)


@kernel
def choose_reaction(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Dash from the Bear; draw if there is room; cancel no mate's card."""
    mode = state.stack[int(state.depth) - 1].mode
    if mode == TO_BEAR or (mode == TO_PASSING and not is_full(content, state, seat)):
        return int(legal[num_legal - 1])
    return A_PASS


@kernel
def choose_discard(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Discard what costs least: of what the Bear will take, that of low value."""
    column = column_of(int(state.seats[seat].space))
    if state.stack[0].op == MOVE and state.seat == seat:  # the sprint that this discard pays for
        column += int(state.stack[0].left)
    taken = is_taken(content, state, column, int(state.num_pile))
    best, least = int(legal[0]), 0.0
    for k in range(num_legal):
        cost = cost_of_discard(content, state, seat, int(legal[k]) - int(content.to_discard), taken)
        if k == 0 or cost < least:
            best, least = int(legal[k]), cost
    return best


@kernel
def choose_at_rest(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Put on better equipment; else change the card that it gains most to discard, if it gains at all."""
    taken = is_taken(content, state, 0, int(state.num_pile))
    best, most = A_PASS, 0.0
    for k in range(1, num_legal):
        action = int(legal[k])
        if action < content.to_swap:
            kind = action - int(content.to_equip)
            value = 2.0 * (worth_of_equipment(content, kind) - worth_in_play(content, state, seat))
        else:
            cost = cost_of_discard(content, state, seat, action - int(content.to_swap), taken)
            value = FRESH + (PULL * mean_bear_value(content) if taken else 0.0) - cost
        if value > most:
            best, most = action, value
    return best
