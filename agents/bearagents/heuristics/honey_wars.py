"""A hand-written player of Honey Wars: see :func:`choose`.

It weighs every choice in honey. What cards do and cost comes from the content record: it plays any content file.
"""

from typing import Any

from bearenvs.honey_wars.actions import A_END, A_KEEP, A_PASS, A_ROLL, A_USE
from bearenvs.honey_wars.content import (
    AUTO_DEFEND,
    DOUBLE_BONUS,
    GAIN,
    LOSE_CARDS,
    LOSE_HALF,
    LOSE_HIVE,
    LOSE_HONEY,
    MAX_HIVES,
    NO_BONUS,
    NO_BUILD,
    NO_HARVEST,
    PAY_ATTACKER,
    ROLL_BONUS,
    SKIP_SPEND,
)
from bearenvs.honey_wars.state import CHOOSE_DISCARD, DEFEND, HARVEST, NOTHING
from bearenvs.kernel import kernel
from bearenvs.rng import random_below

# What is not honey, in honey. Found by playing variants of this heuristic against each other.
WIN = 1000.0
STOP_A_WIN = 100.0
BUILD = 50.0
TURN_WITHOUT_BUILDING = 3.0
CARD = 0.4
SURE_DEFENCE = 4.0
HIVE_NEEDED = 6.0
"""A hive in hand that will be built next."""
FRESH_CARD = 1.0
"""A card from the deck: what is worth less in hand is discarded."""
LONGEST_STAY = 3.0
"""How often a continuous threat is taken to strike at most."""
NEEDED = 1.5
"""Honey that the next hive or the win needs."""
BYSTANDER = 0.4
"""What an opponent's loss is worth if it is not the leader's."""


@kernel
def choose(content: Any, state: Any, legal: Any, num_legal: int, rng: Any) -> int:
    """Build whenever possible; attack the leader with what hurts most for its price, and to stop a win at any price.

    Grudges the honey that the next hive or the win needs, uses a Buddy where that saves or gains enough, and discards
    what a card from the deck is likely to better. See :func:`bearagents.heuristics.choose`.
    """
    seat = int(state.to_act)
    if state.phase == DEFEND:
        return choose_defence(content, state, seat)
    if state.phase == HARVEST:
        return choose_harvest(content, state, seat)
    leader = find_leader(content, state, seat, rng)
    if state.phase == CHOOSE_DISCARD:
        return choose_discard(content, state, seat, leader)
    return choose_spending(content, state, seat, leader, legal, num_legal)


# --------------------------------------------------------------------------------------------------
# How the players stand


@kernel
def bonuses(content: Any, state: Any, seat: int) -> int:
    """Return the sum of a seat's hive bonuses."""
    me = state.seats[seat]
    total = 0
    for place in range(me.num_hives):
        total += int(content.bonus[me.hives[place]])
    return total


@kernel
def income(content: Any, state: Any, seat: int) -> int:
    """Return what a seat gains in an undisturbed harvest."""
    return int(content.base_harvest) + int(state.num_shuffles) + bonuses(content, state, seat)


@kernel
def cheapest_hive(content: Any) -> int:
    """Return the cost of the cheapest kind of hive."""
    least = int(content.cost[0])
    for kind in range(1, content.num_hive_kinds):
        least = min(least, int(content.cost[kind]))
    return least


@kernel
def estimate_turns(content: Any, honey: int, num_hives: int, gain: int) -> float:
    """Estimate the turns to the win for a seat that gains ``gain`` a turn and buys the cheapest hives it lacks."""
    missing = MAX_HIVES - num_hives
    needed = int(content.winning_honey) + missing * cheapest_hive(content) - honey
    return max(float(missing), needed / max(1, gain), 0.0)


@kernel
def find_leader(content: Any, state: Any, seat: int, rng: Any) -> int:
    """Return the opponent of ``seat`` who seems nearest to the win; of equals a random one."""
    num_others = int(content.num_players) - 1
    first = random_below(rng, num_others)
    leader = NOTHING
    fewest = 0.0
    for k in range(num_others):
        other = (seat + 1 + (first + k) % num_others) % int(content.num_players)
        them = state.seats[other]
        turns = estimate_turns(content, int(them.honey), int(them.num_hives), income(content, state, other))
        if leader == NOTHING or turns < fewest:
            leader = other
            fewest = turns
    return leader


@kernel
def spare_honey(content: Any, state: Any, seat: int) -> int:
    """Return what ``seat`` can spend and still, after its next harvest, have what it needs.

    That is the honey for the cheapest hive in hand, or with all hives for the win. What cannot be had by then anyway
    does not bind any honey now.
    """
    me = state.seats[seat]
    need = int(content.winning_honey)
    if me.num_hives < MAX_HIVES:
        need = 0
        for kind in range(content.num_hive_kinds):
            if me.hand[kind] > 0 and (need == 0 or content.cost[kind] < need):
                need = int(content.cost[kind])
        if need == 0:
            need = cheapest_hive(content)
    honey = int(me.honey)
    left = honey + income(content, state, seat) - need
    return min(honey, left) if left >= 0 else honey


@kernel
def price(content: Any, kind: int, spare: int) -> float:
    """Return what paying for a card feels like: honey that is needed soon counts for more."""
    cost = int(content.cost[kind])
    return cost * (NEEDED if cost > spare else 1.0)


# --------------------------------------------------------------------------------------------------
# Threats


@kernel
def failure(content: Any, kind: int, roll_bonus: int) -> float:
    """Return the probability that the roll against a threat fails."""
    sides = int(content.die_sides)
    return max(0, min(int(content.level[kind]) - 1 - roll_bonus, sides)) / sides


@kernel
def damage(content: Any, state: Any, seat: int, hive: int, kind: int) -> float:
    """Return what the threat ``kind`` on a hive of ``seat`` costs when a roll fails."""
    me = state.seats[seat]
    effect = content.effect[kind]
    honey, n = int(me.honey), int(content.n[kind])
    if effect == LOSE_HONEY:
        return float(min(n, honey))
    if effect == PAY_ATTACKER:
        return 2.0 * min(n, honey)
    if effect == LOSE_HALF:
        return float((honey + 1) // 2)
    if effect == NO_BONUS:
        return float(bonuses(content, state, seat))
    if effect == NO_HARVEST:
        return float(income(content, state, seat))
    if effect == LOSE_CARDS:
        return CARD * min(n, int(me.num_hand))
    if effect == LOSE_HIVE:
        if me.num_hives == 1:
            return float(min(honey, int(content.only_hive_loss)))
        return float(content.cost[me.hives[hive]]) + TURN_WITHOUT_BUILDING
    if effect in (NO_BUILD, SKIP_SPEND):
        return TURN_WITHOUT_BUILDING if me.num_hives < MAX_HIVES else 0.0
    return 0.0


@kernel
def expected_damage(content: Any, state: Any, seat: int, hive: int, kind: int) -> float:
    """Return what the threat is likely to cost ``seat`` until it is gone."""
    strikes = failure(content, kind, 0)
    if content.is_continuous[kind]:
        strikes = min(strikes / max(1.0 - strikes, 0.01), LONGEST_STAY)
    return strikes * damage(content, state, seat, hive, kind)


@kernel
def is_about_to_win(content: Any, state: Any, seat: int) -> bool:
    """Tell whether an undisturbed harvest wins the game for ``seat``."""
    me = state.seats[seat]
    return bool(me.num_hives == MAX_HIVES and me.honey + income(content, state, seat) >= content.winning_honey)


@kernel
def stops_win(content: Any, state: Any, seat: int, kind: int) -> bool:
    """Tell whether the threat, if its roll fails, keeps ``seat`` from the win that its next harvest would be."""
    me = state.seats[seat]
    if not is_about_to_win(content, state, seat):
        return False
    effect = content.effect[kind]
    honey, n = int(me.honey), int(content.n[kind])
    gain = income(content, state, seat)
    if effect == LOSE_HIVE:
        return True
    if effect in (LOSE_HONEY, PAY_ATTACKER):
        honey -= min(n, honey)
    elif effect == LOSE_HALF:
        honey //= 2
    elif effect == NO_BONUS:
        gain -= bonuses(content, state, seat)
    elif effect == NO_HARVEST:
        gain = 0
    return bool(honey + gain < content.winning_honey)


# --------------------------------------------------------------------------------------------------
# Defend and Harvest


@kernel
def saving(content: Any, state: Any, seat: int, hive: int) -> float:
    """Return what the Buddy of ``seat`` saves if it is used against the threat on ``hive``."""
    me = state.seats[seat]
    kind = int(me.threats[hive])
    cost = expected_damage(content, state, seat, hive, kind)
    chance_to_fail = failure(content, kind, 0)
    if stops_win(content, state, seat, kind):
        cost += STOP_A_WIN * chance_to_fail
    if content.effect[me.buddy] == ROLL_BONUS and chance_to_fail > 0.0:
        cost *= 1.0 - failure(content, kind, int(content.n[me.buddy])) / chance_to_fail
    return cost


@kernel
def choose_defence(content: Any, state: Any, seat: int) -> int:
    """Use the Buddy if it saves what a hand card is worth, and no later roll of this turn needs it more."""
    me = state.seats[seat]
    saved = saving(content, state, seat, int(state.cursor))
    if saved < 2 * FRESH_CARD:
        return A_ROLL
    for hive in range(int(state.cursor) + 1, int(me.num_hives)):
        if me.threats[hive] != NOTHING and saving(content, state, seat, hive) > saved:
            return A_ROLL
    return A_USE


@kernel
def choose_harvest(content: Any, state: Any, seat: int) -> int:
    """Use the Buddy for all the flat gain it gives; a doubling once it is worth two honey."""
    me = state.seats[seat]
    bonus = 0 if state.no_bonus else bonuses(content, state, seat)
    plain = int(content.base_harvest) + int(state.num_shuffles) + bonus
    more = int(content.n[me.buddy]) if content.effect[me.buddy] == GAIN else bonus
    more = max(0, min(more, int(state.pot) - plain))
    if more >= 2 or (more > 0 and content.effect[me.buddy] == GAIN):
        return A_USE
    return A_PASS


# --------------------------------------------------------------------------------------------------
# Spend


@kernel
def choose_spending(content: Any, state: Any, seat: int, leader: int, legal: Any, num_legal: int) -> int:
    """Return the action with the greatest gain over its price, or the end of the step."""
    best, most = A_END, 0.0
    spare = spare_honey(content, state, seat)
    for k in range(num_legal):
        action = int(legal[k])
        if action >= content.first_attack:
            value = value_of_attack(content, state, seat, leader, spare, action)
        elif action >= content.first_hire:
            kind = action - int(content.first_hire) + int(content.num_hive_kinds)
            value = value_of_buddy(content, state, seat, kind) - price(content, kind, spare)
        elif action >= content.first_build:
            value = value_of_hive(content, state, seat, action - int(content.first_build))
        else:
            value = 0.0
        if value > most:
            best, most = action, value
    return best


@kernel
def value_of_hive(content: Any, state: Any, seat: int, kind: int) -> float:
    """Return the value of building now: always great, most for the hive with which the win comes soonest."""
    me = state.seats[seat]
    honey = int(me.honey) - int(content.cost[kind])
    if me.num_hives == MAX_HIVES - 1 and honey >= content.winning_honey:
        return WIN
    gain = income(content, state, seat) + int(content.bonus[kind])
    return BUILD - min(BUILD - 1.0, estimate_turns(content, honey, int(me.num_hives) + 1, gain))


@kernel
def value_of_attack(content: Any, state: Any, seat: int, leader: int, spare: int, action: int) -> float:
    """Return what an attack is likely to take from its target, as far as that helps, less its price."""
    num_others = int(content.num_players) - 1
    at = action - int(content.first_attack)
    hive = at % MAX_HIVES
    target = (seat + 1 + at // MAX_HIVES % num_others) % int(content.num_players)
    kind = int(content.num_hive_kinds) + int(content.num_buddy_kinds) + at // MAX_HIVES // num_others
    if stops_win(content, state, target, kind):
        return STOP_A_WIN * failure(content, kind, 0)
    value = expected_damage(content, state, target, hive, kind)
    for place in range(state.seats[target].num_hives):
        other = int(state.seats[target].threats[place])
        if other != NOTHING and content.effect[other] == content.effect[kind]:
            value *= 0.5  # the same effect twice in a turn seldom does twice the harm
    if target != leader:
        value *= BYSTANDER
    return value - price(content, kind, spare)


@kernel
def value_of_buddy(content: Any, state: Any, seat: int, kind: int) -> float:
    """Return what a Buddy is likely to save or gain."""
    effect = content.effect[kind]
    n = int(content.n[kind])
    value = 0.0
    if effect == AUTO_DEFEND:
        value = SURE_DEFENCE
    elif effect == ROLL_BONUS:
        value = SURE_DEFENCE * min(1.0, 1.5 * n / int(content.die_sides))
    elif effect == GAIN:
        value = float(n)
    elif effect == DOUBLE_BONUS:
        value = float(bonuses(content, state, seat))
    return value


# --------------------------------------------------------------------------------------------------
# Draw


@kernel
def num_hives_in_hand(content: Any, state: Any, seat: int) -> int:
    """Return how many hives ``seat`` holds in hand."""
    total = 0
    for kind in range(content.num_hive_kinds):
        total += int(state.seats[seat].hand[kind])
    return total


@kernel
def value_in_hand(content: Any, state: Any, seat: int, leader: int, kind: int) -> float:
    """Return what a card is worth to keep."""
    me = state.seats[seat]
    if kind < content.num_hive_kinds:
        is_needed = me.num_hives + num_hives_in_hand(content, state, seat) <= MAX_HIVES
        return HIVE_NEEDED if is_needed else 0.0
    if kind < content.num_hive_kinds + content.num_buddy_kinds:
        value = value_of_buddy(content, state, seat, kind) - int(content.cost[kind])
        return value if me.buddy == NOTHING else value / 2
    return expected_damage(content, state, leader, 0, kind) - int(content.cost[kind])


@kernel
def choose_discard(content: Any, state: Any, seat: int, leader: int) -> int:
    """Discard the least card if a fresh one is likely to be better."""
    me = state.seats[seat]
    worst = NOTHING
    least = 0.0
    for kind in range(content.num_kinds):
        if me.hand[kind] > 0:
            value = value_in_hand(content, state, seat, leader, kind)
            if worst == NOTHING or value < least:
                worst = kind
                least = value
    if worst != NOTHING and least < FRESH_CARD:
        return int(content.first_discard) + worst
    return A_KEEP
