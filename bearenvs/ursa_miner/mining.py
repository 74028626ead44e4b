"""Mining (UM-A3 to UM-A5): what can be mined, by whom, and what becomes of the tile."""

from typing import Any

from bearenvs.game import CHANCE
from bearenvs.instructions import lowest_bit
from bearenvs.kernel import inlined, kernel
from bearenvs.ursa_miner.bears import can_mine, speaks_for_equals
from bearenvs.ursa_miner.connectivity import cut_cells
from bearenvs.ursa_miner.content import HONEY, MAX_BEARS, MAX_HARDENED, NO_TILE
from bearenvs.ursa_miner.state import ACTIONS, CREW, NOTHING, REVEAL


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
def list_mines(content: Any, state: Any, free: int, out: Any, count: int) -> int:
    """Append every ``mine cK`` that is possible among the stacks ``free`` of bears; return the new count.

    Without a branch: a cell beside a bear that cannot be mined is written too, and then written over.
    """
    me = state.seats[state.seat]
    ones, twos, fours = 0, 0, 0  # all cells' :func:`num_able` at once: each cell's digits in base 2
    for bear in range(MAX_BEARS):
        is_able = int(bear < me.num_bears) & int(can_mine(me, bear))
        added = int(content.adjacent[max(int(me.cell[bear]), 0)]) & -is_able
        carried = ones & added
        ones ^= added
        fours ^= twos & carried
        twos ^= carried
    near = (ones | twos | fours) & free
    bound = near & int(state.cuts)
    if bound != 0:  # else nothing is covered that would count
        bound &= ~covered_cells(state)
    while bound != 0:
        cell = lowest_bit(bound)
        bound &= bound - 1
        near &= ~(int(state.buried[cell] == 0) << cell)
    discount = int(state.discount)
    while near != 0:
        cell = lowest_bit(near)
        near &= near - 1
        able = ((ones >> cell) & 1) + 2 * ((twos >> cell) & 1) + 4 * ((fours >> cell) & 1)
        out[count] = content.first_mine + cell
        count += int(able + discount >= content.bears[int(state.top[cell]) & 31])  # :func:`num_needed`: able is >= 1
    return count


@kernel
def list_crew(content: Any, state: Any, out: Any) -> int:
    """Write ``with bX`` for the bears that could still take part; return their number."""
    me = state.seats[state.seat]
    count = 0
    for bear in range(me.num_bears):
        if (
            can_mine(me, bear)
            and (content.adjacent[me.cell[bear]] >> int(state.cell)) & 1
            and speaks_for_equals(me, bear)
        ):
            out[count] = content.first_with + bear
            count += 1
    return count


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
    if state.top[cell] == NO_TILE:
        if state.buried[cell] > 0:
            state.phase = REVEAL
            state.to_act = CHANCE
            return
        state.mountain = int(state.mountain) & ~(1 << cell)
        state.cuts = cut_cells(content, int(state.mountain))
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
            state.unseen_tiles[kind] -= 1
            return
