"""Bears: where they stand, what they may still do, and which of them is offered for others like it."""

from typing import Any

from bearenvs.instructions import lowest_bit
from bearenvs.kernel import inlined, kernel
from bearenvs.ursa_miner.content import MAX_BEARS


@inlined
def occupied(content: Any, state: Any) -> int:
    """Return the mask of the cells on which a bear of anybody stands."""
    cells = 0
    for seat in range(content.num_players):
        them = state.seats[seat]
        for bear in range(MAX_BEARS):
            cells |= 1 << (int(them.cell[bear]) & 63)  # bit 63 for a waiting bear: no test, and no cell
    return cells & int(content.outline)


@inlined
def free_stacks(content: Any, state: Any) -> int:
    """Return the mask of the stacks on which no bear stands."""
    return int(state.mountain) & ~occupied(content, state)


@inlined
def list_cells(cells: int, first: int, out: Any) -> int:
    """Write ``first`` + K for every cell K of the mask; return their number."""
    count = 0
    while cells != 0:
        out[count] = first + lowest_bit(cells)
        cells &= cells - 1
        count += 1
    return count


@inlined
def can_move(content: Any, me: Any, bear: int) -> bool:
    """Tell whether the bear has a move action left (UM-A1, UM-X1)."""
    weight = 1 + content.sleepy_bears  # of having mined
    return bool(int(me.moves[bear]) + weight * int(me.mined[bear]) < 2)


@inlined
def can_mine(me: Any, bear: int) -> bool:
    """Tell whether the bear has its mine use left (UM-A1)."""
    return bool((me.mined[bear] == 0) & (me.moves[bear] < 2))


@inlined
def likeness(me: Any, bear: int) -> int:
    """Return a number that only interchangeable bears have in common: cell, moves, whether it has mined."""
    return int(me.cell[bear]) << 3 | int(me.moves[bear]) << 1 | int(me.mined[bear])


@kernel
def speaks_for_equals(me: Any, bear: int) -> bool:
    """Tell whether no lower-numbered bear is interchangeable with this one (UM-A7)."""
    has_equal = False
    for lower in range(bear):
        has_equal |= likeness(me, lower) == likeness(me, bear)
    return not has_equal


@inlined
def in_play(me: Any) -> int:
    """Return the mask of the player's bears on the mountain."""
    return (1 << int(me.num_bears)) - 1


@inlined
def movers(content: Any, me: Any) -> int:
    """Return the mask of the bears with a move action left that speak for their equals: without a branch."""
    bears = 0
    for bear in range(MAX_BEARS):
        bears |= (int(can_move(content, me, bear)) & int(speaks_for_equals(me, bear))) << bear
    return bears & in_play(me)


@kernel
def is_lowest_on_stack(me: Any, bear: int) -> bool:
    """Tell whether no lower-numbered bear of the same player stands there too."""
    for lower in range(bear):
        if me.cell[lower] == me.cell[bear]:
            return False
    return True


@inlined
def list_moves(content: Any, state: Any, cell: int, first: int, out: Any, count: int) -> int:
    """Append ``first`` + K for every stack K next to ``cell`` (UM-A2); return the new count.

    Without a branch: what is no stack is written too, and then written over. The slice spares the check of each index
    for being negative.
    """
    mountain = int(state.mountain)
    rest = out[count:]
    found = 0
    for side in range(6):
        neighbor = int(content.neighbors[cell, side])
        rest[found] = first + neighbor
        found += (mountain >> (neighbor & 63)) & 1  # NO_CELL asks for bit 63, where no mountain is
    return count + found


@kernel
def list_hosts(content: Any, me: Any, out: Any) -> int:
    """Write ``hire bX`` for one bear of each stack a new bear could join (UM-H1); return their number."""
    count = 0
    for bear in range(me.num_bears):
        if is_lowest_on_stack(me, bear):
            out[count] = content.first_hire + bear
            count += 1
    return count


@kernel
def add_bear(me: Any, host: int) -> None:
    """Put the next waiting bear beside ``host``; it acts from the next turn (UM-H1)."""
    bear = int(me.num_bears)
    me.cell[bear] = me.cell[host]
    me.moves[bear] = 2
    me.num_bears += 1


@kernel
def rest_bears(me: Any) -> None:
    """Give all bears their uses back (UM-A1)."""
    for bear in range(me.num_bears):
        me.moves[bear] = 0
        me.mined[bear] = 0
