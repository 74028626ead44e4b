"""Bears: where they stand, what they may still do, and which of them is offered for others like it."""

from typing import Any

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
def next_stacks(content: Any, state: Any, cell: int) -> int:
    """Return the mask of the stacks next to ``cell``, where a bear there can go (UM-A2); any for a waiting bear."""
    return int(content.adjacent[max(cell, 0)]) & int(state.mountain)


@kernel
def hosts(me: Any) -> int:
    """Return the mask of the bears that a new one could join: one for each stack (UM-H1)."""
    bears = 0
    for bear in range(me.num_bears):
        bears |= int(is_lowest_on_stack(me, bear)) << bear
    return bears


@kernel
def add_bear(me: Any, host: int) -> None:
    """Put the next waiting bear on the stack of ``host``; it acts from the next turn (UM-H1)."""
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
