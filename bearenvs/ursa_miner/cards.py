"""Bonus cards (UM-A6): when each effect can be played, what it asks, what it does."""

from typing import Any

from bearenvs.bits import lowest_bit, positive_places
from bearenvs.kernel import inlined, kernel
from bearenvs.sets import add_action, add_actions
from bearenvs.ursa_miner.bears import (
    add_bear,
    can_mine,
    free_stacks,
    hosts,
    is_lowest_on_stack,
    next_stacks,
    occupied,
    speaks_for_equals,
)
from bearenvs.ursa_miner.connectivity import cut_cells
from bearenvs.ursa_miner.content import (
    HIRE_FREE,
    MAX_BEARS,
    MAX_CELLS,
    MAX_COST,
    MINE_DISCOUNT,
    OWN_MOVE,
    PLACE_HARDENED,
    RALLY,
    REFRESH,
    SHOVE,
    STEAL,
    SWAP_TOPS,
)
from bearenvs.ursa_miner.mining import renew_stack
from bearenvs.ursa_miner.state import ACTIONS, EFFECT, NOTHING

# ---------------------------------------------------------------------------------------------------------------
# Playing a card


@inlined
def price(content: Any, state: Any, card: int) -> int:
    """Return the card's cost, with honey burst's surcharge on every further card of a turn (UM-X2)."""
    return int(content.cost[card]) + int(state.has_played)


@inlined
def plays(content: Any, state: Any, free: int) -> int:
    """Return the mask of the cards that can be played. ``free``: the stacks without bears."""
    me = state.seats[state.seat]
    may_play = int(state.has_played == 0) | int(content.honey_burst)
    cards = positive_places(me.hand) & -may_play
    cards &= int(content.affordable[min(max(int(me.honey) + 1 - int(state.has_played), 0), MAX_COST + 1)])
    if cards == 0:
        return 0
    effects = effects_now(content, state, free)
    possible = 0
    for effect in range(len(content.with_effect)):
        possible |= int(content.with_effect[effect]) & -(effects >> effect & 1)
    return cards & possible


@inlined
def effects_now(content: Any, state: Any, free: int) -> int:
    """Return the mask of the effects that could change anything now: the conditions that stand with each in the rules.

    All at once and nearly without branches: which of them the cards in hand ask for cannot be foreseen.
    """
    mountain = int(state.mountain)
    me = state.seats[state.seat]
    # Of two cells or more: the mountain is connected, so every stack has a neighbour.
    is_wide = int(mountain & (mountain - 1) != 0)
    effects = is_wide << OWN_MOVE | is_wide << SHOVE
    effects |= int(has_two_faces(content, state, free)) << SWAP_TOPS
    if state.num_hardened > 0:
        effects |= int(free != 0 or hardened_spots(content, state) != 0) << PLACE_HARDENED
    effects |= int(me.num_bears < content.num_bears) << HIRE_FREE
    for seat in range(content.num_players):
        effects |= (int(seat != state.seat) & int(state.seats[seat].honey > 0)) << STEAL
    first = me.cell[0]
    for bear in range(MAX_BEARS):
        could = int(can_mine(me, bear)) << MINE_DISCOUNT | int(me.mined[bear]) << REFRESH
        could |= int(me.cell[bear] != first) << RALLY
        effects |= could & -int(bear < me.num_bears)
    return effects


@kernel
def has_two_faces(content: Any, state: Any, free: int) -> bool:
    """Tell whether the stacks without bears, the cells ``free``, show at least two different faces."""
    if free == 0:
        return False
    first = content.figures[state.top[lowest_bit(free)]]
    while free != 0:
        if content.figures[state.top[lowest_bit(free)]] != first:
            return True
        free &= free - 1
    return False


@inlined
def hardened_spots(content: Any, state: Any) -> int:
    """Return the mask of the cells that can take a Hardened Honey tile: no bear there, in or next to the mountain."""
    mountain = int(state.mountain)
    cells = mountain
    for cell in range(MAX_CELLS):
        cells |= int(content.adjacent[cell]) * ((mountain >> cell) & 1)
    return cells & ~occupied(content, state)


@kernel
def play(content: Any, state: Any, card: int) -> None:
    """Pay for a card, take it out of the hand and begin its effect."""
    me = state.seats[state.seat]
    me.honey -= price(content, state, card)
    me.hand[card] -= 1
    me.num_hand -= 1
    if me.shown[card] > 0:
        me.shown[card] -= 1
    state.has_played = 1
    state.card = card
    if content.effect[card] == MINE_DISCOUNT:
        state.discount = min(int(state.discount) + content.n[card], content.max_bears)
        put_away(content, state)
        return
    state.phase = EFFECT
    if content.effect[card] == OWN_MOVE:
        state.left = content.n[card]


@kernel
def put_away(content: Any, state: Any) -> None:
    """End the effect in progress: its card goes to the discard pile, or back to the hand for all to see."""
    card = int(state.card)
    if content.returns[card]:
        me = state.seats[state.seat]
        me.hand[card] += 1
        me.shown[card] += 1
        me.num_hand += 1
    else:
        state.discard[card] += 1
    state.card = NOTHING
    state.bear = NOTHING
    state.cell = NOTHING
    state.left = 0
    state.phase = ACTIONS


# ---------------------------------------------------------------------------------------------------------------
# What an effect asks


@kernel
def add_choices(content: Any, state: Any, out: Any) -> None:
    """Add the choices that the effect in progress offers."""
    effect = content.effect[state.card]
    me = state.seats[state.seat]
    if effect == OWN_MOVE:
        add_own_moves(content, state, me, out)
    elif effect == SHOVE:
        add_shoves(content, state, out)
    elif effect in (SWAP_TOPS, PLACE_HARDENED):
        add_actions(out, content.first_pick, picks(content, state, effect))
    elif effect == HIRE_FREE:
        add_actions(out, content.first_hire, hosts(me))
    elif effect == STEAL:
        for step in range(1, content.num_players):
            if state.seats[(int(state.seat) + step) % content.num_players].honey > 0:
                add_action(out, content.first_from + step - 1)
    elif effect == REFRESH:
        for bear in range(me.num_bears):
            if me.mined[bear] and speaks_for_equals(me, bear):
                add_action(out, content.first_bear + bear)
    else:  # RALLY
        for bear in range(me.num_bears):
            if speaks_for_equals(me, bear):
                for target in range(me.num_bears):
                    if me.cell[target] != me.cell[bear] and is_lowest_on_stack(me, target):
                        skipped = 1 if target > bear else 0
                        add_action(out, content.first_rally + bear * (MAX_BEARS - 1) + target - skipped)


@kernel
def add_own_moves(content: Any, state: Any, me: Any, out: Any) -> None:
    """Add the next steps of own_move: any bear's at first, then the same bear's, or ``stop``."""
    for bear in range(me.num_bears):
        if state.bear == bear or (state.bear == NOTHING and speaks_for_equals(me, bear)):
            steps = next_stacks(content, state, int(me.cell[bear]))
            add_actions(out, content.first_move + bear * content.num_cells, steps)
    if state.bear != NOTHING:
        add_action(out, content.first_stop)


@kernel
def add_shoves(content: Any, state: Any, out: Any) -> None:
    """Add ``shove pS.bX cK`` for every other player's bears."""
    for step in range(1, content.num_players):
        them = state.seats[(int(state.seat) + step) % content.num_players]
        for bear in range(them.num_bears):
            if speaks_for_equals(them, bear):
                first = content.first_shove + ((step - 1) * MAX_BEARS + bear) * content.num_cells
                add_actions(out, first, next_stacks(content, state, int(them.cell[bear])))


@kernel
def picks(content: Any, state: Any, effect: int) -> int:
    """Return the mask of the cells that swap_tops or place_hardened can take."""
    if effect == PLACE_HARDENED:
        return hardened_spots(content, state)
    cells = free_stacks(content, state)
    if state.cell != NOTHING:
        cells &= ~(1 << int(state.cell))
    return cells


# ---------------------------------------------------------------------------------------------------------------
# What a choice does


@kernel
def choose(content: Any, state: Any, action: int) -> None:
    """Carry out one choice of the effect in progress, and put the card away when it was the last."""
    effect = content.effect[state.card]
    me = state.seats[state.seat]
    if effect == OWN_MOVE:
        if action == content.first_stop:
            state.left = 0
        else:
            state.bear = (action - content.first_move) // content.num_cells
            me.cell[state.bear] = (action - content.first_move) % content.num_cells
            state.left -= 1
        if state.left > 0:
            return
    elif effect == SHOVE:
        aim = (action - content.first_shove) // content.num_cells
        them = state.seats[(int(state.seat) + 1 + aim // MAX_BEARS) % content.num_players]
        them.cell[aim % MAX_BEARS] = (action - content.first_shove) % content.num_cells
    elif effect == SWAP_TOPS:
        cell = action - content.first_pick
        if state.cell == NOTHING:
            state.cell = cell
            return
        kind = int(state.top[cell])
        state.top[cell] = state.top[state.cell]
        state.top[state.cell] = kind
        renew_stack(content, state, cell)
        renew_stack(content, state, int(state.cell))
    elif effect == PLACE_HARDENED:
        place_hardened(content, state, action - content.first_pick)
    elif effect == HIRE_FREE:
        add_bear(me, action - content.first_hire)
    elif effect == STEAL:
        them = state.seats[(int(state.seat) + 1 + action - content.first_from) % content.num_players]
        taken = min(content.n[state.card], int(them.honey))
        them.honey -= taken
        me.honey += taken
    elif effect == REFRESH:
        me.mined[action - content.first_bear] = 0
    else:  # RALLY
        bear = (action - content.first_rally) // (MAX_BEARS - 1)
        target = (action - content.first_rally) % (MAX_BEARS - 1)
        me.cell[bear] = me.cell[target + (1 if target >= bear else 0)]
    put_away(content, state)


@kernel
def place_hardened(content: Any, state: Any, cell: int) -> None:
    """Put a Hardened Honey tile on ``cell``: over its top, which stays known, or where no stack is."""
    if (int(state.mountain) >> cell) & 1:
        state.covered_cell[state.num_covered] = cell
        state.covered_kind[state.num_covered] = state.top[cell]
        state.num_covered += 1
    else:
        state.mountain = int(state.mountain) | 1 << cell
        state.cuts = cut_cells(content, int(state.mountain))
    state.top[cell] = content.hardened
    renew_stack(content, state, cell)
    state.num_hardened -= 1
