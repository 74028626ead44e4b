"""A hand-written player of Ursa Miner: see :func:`choose`.

It counts everything in royal jelly. Its eye is :func:`standing`: what the tiles around are worth to the bears that can
get to them. A move or a choice is tried out on the row itself, seen with that eye, and taken back.
"""

from typing import Any

from bearenvs.kernel import kernel
from bearenvs.ursa_miner.bears import can_mine, can_move, occupied
from bearenvs.ursa_miner.cards import price
from bearenvs.ursa_miner.content import (
    HIRE_FREE,
    JELLY,
    MAX_BEARS,
    MINE_DISCOUNT,
    NO_TILE,
    OWN_MOVE,
    PLACE_HARDENED,
    RALLY,
    REFRESH,
    SHOVE,
    STEAL,
)
from bearenvs.ursa_miner.mining import is_last_tile
from bearenvs.ursa_miner.state import ACTIONS, CREW, HIRE, NOTHING, PLACE

# Worths in jelly. Found by playing variants of this heuristic against each other.
HONEY_TO_HIRE = 0.7
"""A honey towards the next bear."""
HONEY_TO_SPARE = 0.15
NEW_BEAR = 2.0
WITHIN_REACH = 0.15
"""Share of a tile's worth that counts where one's bears could mine it next turn, beyond the best one."""
HALFWAY = 0.8
"""Share that counts where too few bears are near, before what is missing is taken off."""
FAR = 0.02
"""Share that counts where bears are two moves away."""
EXPOSED = 0.25
"""What it costs to uncover a tile for the one opponent who has the bears there, as a share of its likely worth."""
OPENED = 0.25
"""What it is worth to uncover a tile that can be mined oneself this turn, as a share of its likely worth."""
OTHERS_LOSS = 0.5
"""What an opponent's loss of prospects is worth."""
NOW = 1.5
"""A tile that can be had this turn, against prospects."""
BULK = 0.5
"""What a tile's whole worth adds to its worth for each bear that it takes."""
LEAST_GAIN = 0.02
"""A move has to better the standing by so much."""
LEAST_CARD_GAIN = 0.3
WORST = -1000.0


@kernel
def choose(content: Any, state: Any, legal: Any, num_legal: int, rng: Any) -> int:
    """Gather bears around valuable tiles, hire early, mine what is worth most for its bears.

    Plays a card when it lets more be mined or betters the standing, and moves idle bears towards the next tiles. See
    :func:`bearagents.heuristics.choose`.
    """
    if num_legal == 1:
        return int(legal[0])
    seat = int(state.to_act)
    if state.phase == ACTIONS:
        return choose_action(content, state, seat, legal, num_legal)
    if state.phase == CREW:
        return choose_crew(content, state, seat, legal, num_legal)
    if state.phase == HIRE and num_turns(content, state) < 2:
        return int(content.first_skip)
    best = int(legal[0])
    most = WORST
    for k in range(num_legal):
        value = value_of_choice(content, state, seat, int(legal[k]))
        if value > most:
            best, most = int(legal[k]), value
    return best


# ---------------------------------------------------------------------------------------------------------------
# Worths


@kernel
def num_turns(content: Any, state: Any) -> int:
    """Return how many turns the seat to act still has, this one included."""
    if state.turns_left != NOTHING:
        return 1
    return (int(state.num_deck) + 2 * int(content.num_players) - 1) // int(content.num_players)


@kernel
def worth_of_honey(content: Any, state: Any, seat: int) -> float:
    """Return what one honey is worth: much while it can buy bears that will still work."""
    me = state.seats[seat]
    waiting = int(content.num_bears) - int(me.num_bears)
    if num_turns(content, state) > 2 and me.honey < waiting * content.hire_cost:
        return HONEY_TO_HIRE
    return HONEY_TO_SPARE


@kernel
def worth(content: Any, kind: int, honey: float) -> float:
    """Return what a tile is worth."""
    return float(content.value[kind]) * (1.0 if content.resource[kind] == JELLY else honey)


@kernel
def spread(content: Any, cells: int) -> int:
    """Return the mask of all cells next to one of ``cells``."""
    beside = 0
    for cell in range(content.num_cells):
        if (cells >> cell) & 1:
            beside |= content.adjacent[cell]
    return beside


@kernel
def tally(one: int, two: int, four: int, cells: int) -> tuple[int, int, int]:
    """Add 1 on each of ``cells`` to counts of 0 to 7, whose bits are the three masks; return the new masks."""
    carry = one & cells
    return one ^ cells, two ^ carry, four | (two & carry)


@kernel
def count_at(one: int, two: int, four: int, cell: int) -> int:
    """Return the count on ``cell``: see :func:`tally`."""
    return ((one >> cell) & 1) + 2 * ((two >> cell) & 1) + 4 * ((four >> cell) & 1)


@kernel
def within_a_move(content: Any, state: Any, cell: int) -> int:
    """Return the mask of the cells that a bear on ``cell`` can mine with all its uses: after one move, or at once."""
    beside = int(content.adjacent[cell])
    return beside | spread(content, beside & int(state.mountain))


@kernel
def must_stay(state: Any, cell: int) -> bool:
    """Tell whether the top of ``cell`` cannot be taken, since the mountain would split (UM-A4)."""
    return bool((int(state.cuts) >> cell) & 1 and is_last_tile(state, cell))


@kernel
def standing(content: Any, state: Any, seat: int) -> float:
    """Return what the bears of ``seat`` can hope to mine next turn from where they stand.

    The best tile that they can reach counts in full, others in part, and so do tiles for which bears are missing or
    still far: that is what draws bears together.
    """
    me = state.seats[seat]
    mountain = int(state.mountain)
    near1, near2, near4 = 0, 0, 0
    far1, far2, far4 = 0, 0, 0
    for bear in range(me.num_bears):
        cells = within_a_move(content, state, int(me.cell[bear]))
        near1, near2, near4 = tally(near1, near2, near4, cells)
        far1, far2, far4 = tally(far1, far2, far4, cells | spread(content, cells & mountain))
    honey = worth_of_honey(content, state, seat)
    best = 0.0
    total = 0.0
    seen = (far1 | far2 | far4) & mountain
    for cell in range(content.num_cells):
        if (seen >> cell) & 1 and not must_stay(state, cell):
            kind = state.top[cell]
            needed = int(content.bears[kind])
            near = min(1.0, count_at(near1, near2, near4, cell) / needed)
            far = min(1.0, count_at(far1, far2, far4, cell) / needed)
            value = worth(content, kind, honey)
            if near == 1.0:
                best = max(best, value)
                total += WITHIN_REACH * value
            else:
                total += WITHIN_REACH * HALFWAY * near * near * value
            total += FAR * far * far * value
    return best + total


@kernel
def reach(content: Any, state: Any, me: Any, bear: int) -> int:
    """Return the mask of the cells that the bear could still help to mine this turn, moving first if it can."""
    if not can_mine(me, bear):
        return 0
    if me.moves[bear] > 0:
        return int(content.adjacent[me.cell[bear]])
    return within_a_move(content, state, int(me.cell[bear]))


@kernel
def obstacles(content: Any, state: Any, seat: int) -> int:
    """Return the mask of the cells with bears that will not go away this turn: others', and own ones without a move."""
    cells = 0
    for other in range(content.num_players):
        them = state.seats[other]
        for bear in range(them.num_bears):
            if other != seat or not can_move(content, them, bear) or them.mined[bear]:
                cells |= 1 << int(them.cell[bear])
    return cells


@kernel
def best_target(content: Any, state: Any, seat: int, discount: int) -> int:
    """Return the cell whose tile is most worth mining this turn, for which enough bears can get there; else NOTHING."""
    me = state.seats[seat]
    one, two, four = 0, 0, 0
    for bear in range(me.num_bears):
        one, two, four = tally(one, two, four, reach(content, state, me, bear))
    honey = worth_of_honey(content, state, seat)
    free = (one | two | four) & int(state.mountain) & ~obstacles(content, state, seat)
    best = NOTHING
    most = 0.0
    for cell in range(content.num_cells):
        if (free >> cell) & 1 and not must_stay(state, cell):
            kind = state.top[cell]
            needed = max(1, int(content.bears[kind]) - discount)
            able = count_at(one, two, four, cell)
            if able >= needed:
                value = appeal(worth(content, kind, honey), needed)
                if state.buried[cell] > 0:
                    value += appeal_of_uncovering(content, state, seat, cell, able - needed)
                if value > most:
                    best, most = cell, value
    return best


@kernel
def appeal(value: float, needed: int) -> float:
    """Return how good it is to mine a tile of this worth with so many bears: what a bear gains, and the gain in all."""
    return value / needed + BULK * value


@kernel
def appeal_of_uncovering(content: Any, state: Any, seat: int, cell: int, num_left: int) -> float:
    """Return what it adds or costs to uncover the tile under the top of ``cell``, with so many own bears left there."""
    color = content.layers[cell, int(state.buried[cell]) - 1]
    copies, value, bears = 0, 0, 0
    for kind in range(1, content.hardened):
        if content.color[kind] == color and content.resource[kind] == JELLY:
            copies += int(state.unseen_tiles[kind])
            value += int(state.unseen_tiles[kind]) * int(content.value[kind])
            bears += int(state.unseen_tiles[kind]) * int(content.bears[kind])
    if copies == 0:
        return 0.0
    if num_left * copies >= bears:
        return OPENED * value / copies
    num_others = int(content.num_players) - 1
    for other in range(content.num_players):
        if other != seat and num_near(content, state, other, cell) * copies >= bears:
            return -EXPOSED * value / copies / (num_others * num_others)
    return 0.0


@kernel
def num_near(content: Any, state: Any, seat: int, cell: int) -> int:
    """Return how many bears of ``seat`` could mine ``cell`` next turn."""
    me = state.seats[seat]
    near = 0
    for bear in range(me.num_bears):
        near += (within_a_move(content, state, int(me.cell[bear])) >> cell) & 1
    return near


@kernel
def outlook(content: Any, state: Any, seat: int) -> float:
    """Return how good the table looks for ``seat`` in the midst of its turn."""
    value = 0.0
    if seat == state.seat:
        target = best_target(content, state, seat, int(state.discount))
        if target != NOTHING:
            value = NOW * worth(content, state.top[target], worth_of_honey(content, state, seat))
    if num_turns(content, state) > 1:
        value += standing(content, state, seat)
        for other in range(content.num_players):
            if other != seat:
                value -= OTHERS_LOSS / (content.num_players - 1) * standing(content, state, other)
    return value


# ---------------------------------------------------------------------------------------------------------------
# The Actions phase


@kernel
def choose_action(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Go for the best tile of this turn; if there is none, play a card, better the standing, or end."""
    first_play, last_play = NOTHING, NOTHING
    for k in range(num_legal):
        if content.first_play <= legal[k] < content.first_end:
            first_play = k if first_play == NOTHING else first_play
            last_play = k
    target = best_target(content, state, seat, int(state.discount))
    if first_play != NOTHING:
        card = choose_card(content, state, seat, target, legal, first_play, last_play)
        if card != NOTHING:
            return card
    if target != NOTHING:
        action = go_for(content, state, seat, target, legal, num_legal)
        if action != NOTHING:
            return action
    return choose_move(content, state, seat, legal, num_legal)


@kernel
def go_for(content: Any, state: Any, seat: int, target: int, legal: Any, num_legal: int) -> int:
    """Mine ``target`` if that is possible now, else bring a bear beside it."""
    me = state.seats[seat]
    best = NOTHING
    most = WORST
    for k in range(num_legal):
        action = int(legal[k])
        if action == content.first_mine + target:
            return action
        if action < content.first_mine:
            bear = (action - int(content.first_move)) // int(content.num_cells)
            cell = (action - int(content.first_move)) % int(content.num_cells)
            is_beside = (int(content.adjacent[me.cell[bear]]) >> target) & 1
            gets_beside = (int(content.adjacent[cell]) >> target) & 1
            if can_mine(me, bear) and me.moves[bear] == 0 and gets_beside and not is_beside:
                value = standing_after_move(content, state, seat, bear, cell)
                if value > most:
                    best, most = action, value
    return best


@kernel
def standing_after_move(content: Any, state: Any, seat: int, bear: int, cell: int) -> float:
    """Return the standing of ``seat`` if its bear stood on ``cell``."""
    me = state.seats[seat]
    home = int(me.cell[bear])
    me.cell[bear] = cell
    value = standing(content, state, seat)
    me.cell[bear] = home
    return value


@kernel
def choose_move(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Return the move that betters the standing most, or the end of the phase."""
    best = int(content.first_end)
    if num_turns(content, state) == 1:
        return best
    most = standing(content, state, seat) + LEAST_GAIN
    for k in range(num_legal):
        action = int(legal[k])
        if action < content.first_mine:
            bear = (action - int(content.first_move)) // int(content.num_cells)
            cell = (action - int(content.first_move)) % int(content.num_cells)
            value = standing_after_move(content, state, seat, bear, cell)
            if value > most:
                best, most = action, value
    return best


@kernel
def choose_crew(content: Any, state: Any, seat: int, legal: Any, num_legal: int) -> int:
    """Return the bear that gives up least: one that has moved already and could only mine."""
    me = state.seats[seat]
    best = int(legal[0])
    most = -1
    for k in range(num_legal):
        moves = int(me.moves[legal[k] - content.first_with])
        if moves > most:
            best, most = int(legal[k]), moves
    return best


# ---------------------------------------------------------------------------------------------------------------
# Cards


@kernel
def choose_card(content: Any, state: Any, seat: int, target: int, legal: Any, first_play: int, last_play: int) -> int:
    """Return the ``play`` with the greatest gain over its price; NOTHING if none gains enough.

    While there is something to mine without, only cards that make more of it, or that always help, are considered.
    """
    honey = worth_of_honey(content, state, seat)
    best = NOTHING
    most = LEAST_CARD_GAIN
    for k in range(first_play, last_play + 1):
        card = int(legal[k]) - int(content.first_play)
        effect = content.effect[card]
        gain = 0.0
        if effect == STEAL:
            gain = 1.0
        elif effect == HIRE_FREE:
            gain = NEW_BEAR + honey if num_turns(content, state) > 1 else 0.0
        elif effect == MINE_DISCOUNT:
            gain = gain_of_discount(content, state, seat, target, int(content.n[card]), honey)
        elif target == NOTHING:
            gain = gain_of_effect(content, state, seat, int(effect))
        gain -= honey * (price(content, state, card))
        if gain > most:
            best, most = int(legal[k]), gain
    return best


@kernel
def gain_of_discount(content: Any, state: Any, seat: int, target: int, n: int, honey: float) -> float:
    """Return how much more worth the best tile of this turn is if it needs fewer bears."""
    other = best_target(content, state, seat, int(state.discount) + n)
    if other == NOTHING:
        return 0.0
    before = worth(content, state.top[target], honey) if target != NOTHING else 0.0
    return worth(content, state.top[other], honey) - before


@kernel
def gain_of_effect(content: Any, state: Any, seat: int, effect: int) -> float:
    """Return by how much the best choice of ``effect`` betters the outlook."""
    if effect in (OWN_MOVE, SHOVE):
        most = best_step(content, state, seat, effect)
    elif effect == RALLY:
        most = best_rally(content, state, seat)
    elif effect == REFRESH:
        most = best_refresh(content, state, seat)
    elif effect == PLACE_HARDENED:
        most = best_cover(content, state, seat)
    else:
        most = WORST
        free = int(state.mountain) & ~occupied(content, state)
        for cell in range(content.num_cells):
            if (free >> cell) & 1:
                most = max(most, best_swap(content, state, seat, cell, free))
    return most - outlook(content, state, seat)


@kernel
def best_step(content: Any, state: Any, seat: int, effect: int) -> float:
    """Return the best outlook after one step of an own bear (OWN_MOVE) or of another's (SHOVE)."""
    most = WORST
    for other in range(content.num_players):
        if (other == seat) == (effect == OWN_MOVE):
            them = state.seats[other]
            for bear in range(them.num_bears):
                beside = int(content.adjacent[them.cell[bear]]) & int(state.mountain)
                for cell in range(content.num_cells):
                    if (beside >> cell) & 1:
                        most = max(most, outlook_after_move(content, state, seat, other, bear, cell))
    return most


@kernel
def best_rally(content: Any, state: Any, seat: int) -> float:
    """Return the best outlook after one own bear has joined another."""
    me = state.seats[seat]
    most = WORST
    for bear in range(me.num_bears):
        for host in range(me.num_bears):
            if me.cell[host] != me.cell[bear]:
                most = max(most, outlook_after_move(content, state, seat, seat, bear, int(me.cell[host])))
    return most


@kernel
def best_refresh(content: Any, state: Any, seat: int) -> float:
    """Return the best outlook after one own bear got its mine use back."""
    me = state.seats[seat]
    most = WORST
    for bear in range(me.num_bears):
        if me.mined[bear]:
            most = max(most, outlook_after_refresh(content, state, seat, bear))
    return most


@kernel
def best_cover(content: Any, state: Any, seat: int) -> float:
    """Return the best outlook after one top was covered by Hardened Honey."""
    free = int(state.mountain) & ~occupied(content, state)
    most = WORST
    for cell in range(content.num_cells):
        if (free >> cell) & 1:
            most = max(most, outlook_with_top(content, state, seat, cell, int(content.hardened)))
    return most


@kernel
def best_swap(content: Any, state: Any, seat: int, cell: int, free: int) -> float:
    """Return the best outlook after the top of ``cell`` was exchanged with one of ``free``."""
    most = WORST
    for other in range(content.num_cells):
        if other != cell and (free >> other) & 1 and state.top[other] != state.top[cell]:
            most = max(most, outlook_after_swap(content, state, seat, cell, other))
    return most


@kernel
def outlook_after_move(content: Any, state: Any, seat: int, other: int, bear: int, cell: int) -> float:
    """Return the outlook of ``seat`` if the bear of seat ``other`` stood on ``cell``."""
    them = state.seats[other]
    home = int(them.cell[bear])
    them.cell[bear] = cell
    value = outlook(content, state, seat)
    them.cell[bear] = home
    return value


@kernel
def outlook_after_refresh(content: Any, state: Any, seat: int, bear: int) -> float:
    """Return the outlook of ``seat`` if its bear had not mined."""
    me = state.seats[seat]
    me.mined[bear] = 0
    value = outlook(content, state, seat)
    me.mined[bear] = 1
    return value


@kernel
def outlook_with_top(content: Any, state: Any, seat: int, cell: int, kind: int) -> float:
    """Return the outlook of ``seat`` if ``kind`` were the top of ``cell``, a stack of the mountain."""
    top = int(state.top[cell])
    state.top[cell] = kind
    value = outlook(content, state, seat)
    state.top[cell] = top
    return value


@kernel
def outlook_after_swap(content: Any, state: Any, seat: int, cell: int, other: int) -> float:
    """Return the outlook of ``seat`` if the tops of two stacks were exchanged."""
    top = int(state.top[cell])
    state.top[cell] = state.top[other]
    value = outlook_with_top(content, state, seat, other, top)
    state.top[cell] = top
    return value


# ---------------------------------------------------------------------------------------------------------------
# Choices outside the Actions phase


@kernel
def value_of_choice(content: Any, state: Any, seat: int, action: int) -> float:
    """Return the outlook after one of the choices of set-up, of a card in progress, or of the Hire phase."""
    me = state.seats[seat]
    if state.phase == PLACE:
        me.num_bears = content.starting_bears
        me.cell[: me.num_bears] = action - content.first_place
        value = standing(content, state, seat)
        me.cell[: me.num_bears] = NOTHING
        me.num_bears = 0
        return value
    if action == content.first_skip:
        return WORST
    if state.phase == HIRE or content.effect[state.card] == HIRE_FREE:
        bear = int(me.num_bears)
        me.cell[bear] = me.cell[action - content.first_hire]
        me.num_bears += 1
        value = standing(content, state, seat)
        me.num_bears -= 1
        me.cell[bear] = NOTHING
        return value
    return value_of_card_choice(content, state, seat, me, action)


@kernel
def value_of_card_choice(content: Any, state: Any, seat: int, me: Any, action: int) -> float:
    """Return the outlook after one of the choices of the card in progress."""
    effect = content.effect[state.card]
    num_cells = int(content.num_cells)
    if effect == OWN_MOVE:
        if action == content.first_stop:
            return outlook(content, state, seat)
        place = action - int(content.first_move)
        return outlook_after_move(content, state, seat, seat, place // num_cells, place % num_cells)
    if effect == SHOVE:
        place = action - int(content.first_shove)
        other = (seat + 1 + place // num_cells // MAX_BEARS) % int(content.num_players)
        return outlook_after_move(content, state, seat, other, place // num_cells % MAX_BEARS, place % num_cells)
    if effect == RALLY:
        bear = (action - int(content.first_rally)) // (MAX_BEARS - 1)
        target = (action - int(content.first_rally)) % (MAX_BEARS - 1)
        cell = int(me.cell[target + (1 if target >= bear else 0)])
        return outlook_after_move(content, state, seat, seat, bear, cell)
    if effect == REFRESH:
        return outlook_after_refresh(content, state, seat, action - int(content.first_bear))
    if effect == STEAL:
        them = state.seats[(seat + 1 + action - int(content.first_from)) % int(content.num_players)]
        return float(them.jelly)
    cell = action - int(content.first_pick)
    if effect == PLACE_HARDENED:
        if state.top[cell] == NO_TILE:
            return outlook(content, state, seat) - 1.0
        return outlook_with_top(content, state, seat, cell, int(content.hardened))
    if state.cell == NOTHING:
        return best_swap(content, state, seat, cell, int(state.mountain) & ~occupied(content, state))
    return outlook_after_swap(content, state, seat, int(state.cell), cell)
