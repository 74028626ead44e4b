"""Mining (UM-A3 to UM-A5): what can be mined, by whom, and what becomes of the tile."""

from typing import Any

import numpy as np

from bearenvs.bits import lowest_bit
from bearenvs.game import CHANCE
from bearenvs.kernel import inlined, kernel
from bearenvs.ursa_miner.bears import can_mine, speaks_for_equals
from bearenvs.ursa_miner.connectivity import cut_cells
from bearenvs.ursa_miner.content import HONEY, MAX_BEARS, MAX_HARDENED, NO_TILE, UNDER
from bearenvs.ursa_miner.state import ACTIONS, CREW, NEEDED_DIGITS, NOTHING, REVEAL


@inlined
def covered_cells(state: Any) -> int:
    """Return the mask of the cells whose stack has a covered tile that was seen."""
    cells = 0
    for place in range(MAX_HARDENED):
        cells |= int(place < state.num_covered) << int(state.covered_cell[place])
    return cells


@inlined
def is_last_tile(state: Any, cell: int) -> bool:
    """Tell whether the stack on ``cell`` is one tile high."""
    return bool(state.buried[cell] == 0 and not (covered_cells(state) >> cell) & 1)


@inlined
def num_able(content: Any, me: Any, cell: int) -> int:
    """Return how many of the player's bears could take part in mining ``cell``: next to it, mine use left."""
    able = 0
    for bear in range(me.num_bears):
        able += int(can_mine(me, bear)) & (int(content.adjacent[me.cell[bear]]) >> cell)
    return able


@inlined
def num_needed(content: Any, state: Any, cell: int) -> int:
    """Return how many bears it takes now to mine ``cell`` (mine_discount: at least 1)."""
    return max(1, int(content.bears[state.top[cell]]) - int(state.discount))


@inlined
def mines(content: Any, state: Any, free: int) -> int:
    """Return the mask of the stacks that can be mined, of those that are ``free`` of bears."""
    me = state.seats[state.seat]
    # For all cells at once: digit by digit in base 2, each cell's :func:`num_able` and the discount together.
    discount = int(state.discount)
    ones, twos, fours, eights = -(discount & 1), -(discount >> 1 & 1), -(discount >> 2 & 1), -(discount >> 3 & 1)
    near = 0
    for bear in range(MAX_BEARS):
        is_able = int(bear < me.num_bears) & int(can_mine(me, bear))
        added = int(content.adjacent[max(int(me.cell[bear]), 0)]) & -is_able
        near |= added
        carried = ones & added
        ones ^= added
        added, carried = carried, twos & carried
        twos ^= added
        added, carried = carried, fours & carried
        fours ^= added
        eights ^= carried
    needed = state.needed
    enough = ones | ~int(needed[0])
    enough = twos & ~int(needed[1]) | (twos | ~int(needed[1])) & enough
    enough = fours & ~int(needed[2]) | (fours | ~int(needed[2])) & enough
    enough = eights & ~int(needed[3]) | (eights | ~int(needed[3])) & enough
    return near & free & enough & ~int(state.bound)


@kernel
def crew(content: Any, state: Any) -> int:
    """Return the mask of the bears that could still take part."""
    me = state.seats[state.seat]
    bears = 0
    for bear in range(me.num_bears):
        could = (
            can_mine(me, bear)
            and (content.adjacent[me.cell[bear]] >> int(state.cell)) & 1
            and speaks_for_equals(me, bear)
        )
        bears |= int(could) << bear
    return bears


@kernel
def renew_stack(content: Any, state: Any, cell: int) -> None:
    """Renew what the state says of stacks beside what they are, once one has changed on ``cell``.

    These things are kept since every decision asks for them: ``needed``, ``bare``, ``bound``, ``shown``.
    """
    here = 1 << cell
    kind, buried = int(state.top[cell]), int(state.buried[cell])
    for digit in range(NEEDED_DIGITS):
        state.needed[digit] = int(state.needed[digit]) & ~here | (int(content.bears[kind]) >> digit & 1) << cell
    state.bare = int(state.bare) & ~here | int(buried == 0) << cell
    state.shown[cell] = kind * UNDER + int(content.under[cell, buried])
    bound = int(state.cuts) & int(state.bare) & ~covered_cells(state)
    changed = int(state.bound) & ~here ^ bound
    state.bound = bound
    while changed != 0:
        state.shown[lowest_bit(changed)] ^= np.uint16(1)
        changed &= changed - 1


@kernel
def begin_mining(content: Any, state: Any, cell: int) -> None:
    """Begin to mine ``cell``; any discount is used up."""
    state.cell = cell
    state.left = num_needed(content, state, cell)
    state.discount = 0
    fill_crew(content, state)


@kernel
def add_to_crew(content: Any, state: Any, bear: int) -> None:
    """Have ``bear`` take part in the mining in progress."""
    state.seats[state.seat].mined[bear] = 1
    state.left -= 1
    fill_crew(content, state)


@kernel
def fill_crew(content: Any, state: Any) -> None:
    """Ask for the next bear, or take the tile once the choice is over or all that are left are needed."""
    me = state.seats[state.seat]
    cell = int(state.cell)
    if state.left > 0 and num_able(content, me, cell) > state.left:
        state.phase = CREW
        return
    if state.left > 0:
        for bear in range(me.num_bears):
            if can_mine(me, bear) and (content.adjacent[me.cell[bear]] >> cell) & 1:
                me.mined[bear] = 1
        state.left = 0
    take_tile(content, state)


@kernel
def take_tile(content: Any, state: Any) -> None:
    """Give the top tile to the player (UM-A5) and bring up what is under it."""
    me = state.seats[state.seat]
    cell = int(state.cell)
    kind = int(state.top[cell])
    if content.resource[kind] == HONEY:
        me.honey += content.value[kind]
    else:
        me.jelly += content.value[kind]
    state.mined_tiles[kind] += 1
    state.top[cell] = uncover(state, cell)
    is_hidden = state.top[cell] == NO_TILE and state.buried[cell] > 0
    if state.top[cell] == NO_TILE and not is_hidden:
        state.mountain = int(state.mountain) & ~(1 << cell)
        state.cuts = cut_cells(content, int(state.mountain))
    renew_stack(content, state, cell)
    if is_hidden:
        state.phase = REVEAL
        state.to_act = CHANCE
    else:
        state.cell = NOTHING
        state.phase = ACTIONS


@kernel
def uncover(state: Any, cell: int) -> int:
    """Take the uppermost covered tile of ``cell`` out of the list and return its kind, NO_TILE if there is none."""
    for place in range(int(state.num_covered) - 1, -1, -1):
        if state.covered_cell[place] == cell:
            kind = int(state.covered_kind[place])
            state.num_covered -= 1
            for after in range(place, int(state.num_covered)):
                state.covered_cell[after] = state.covered_cell[after + 1]
                state.covered_kind[after] = state.covered_kind[after + 1]
            state.covered_cell[state.num_covered] = 0
            state.covered_kind[state.num_covered] = 0
            return kind
    return NO_TILE


@kernel
def hidden_color(content: Any, state: Any) -> int:
    """Return the color of the uppermost buried tile of the cell about to be revealed."""
    return int(content.layers[state.cell, int(state.buried[state.cell]) - 1])


@kernel
def reveal(content: Any, state: Any, face: int) -> None:
    """Turn the uppermost buried tile of the cell in progress into its top (UM-M3)."""
    color = hidden_color(content, state)
    for kind in range(1, content.hardened):
        if content.color[kind] == color and content.face[kind] == face:
            state.top[state.cell] = kind
            state.buried[state.cell] -= 1
            renew_stack(content, state, int(state.cell))
            state.unseen_tiles[kind] -= 1
            return
