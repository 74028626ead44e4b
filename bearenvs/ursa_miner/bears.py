"""Bears: where they stand, what they may still do, and which of them is offered for others like it."""

from typing import Any

from bearenvs.kernel import kernel


@kernel
def occupied(content: Any, state: Any) -> int:
    """Return the mask of the cells on which a bear of anybody stands."""
    cells = 0
    for seat in range(content.num_players):
        them = state.seats[seat]
        for bear in range(them.num_bears):
            cells |= 1 << int(them.cell[bear])
    return cells


@kernel
def can_move(content: Any, me: Any, bear: int) -> bool:
    """Tell whether the bear has a move action left (UM-A1, UM-X1)."""
    if me.mined[bear] and content.sleepy_bears:
        return False
    return bool(int(me.moves[bear]) + int(me.mined[bear]) < 2)


@kernel
def can_mine(me: Any, bear: int) -> bool:
    """Tell whether the bear has its mine use left (UM-A1)."""
    return bool(me.mined[bear] == 0 and me.moves[bear] < 2)


@kernel
def speaks_for_equals(me: Any, bear: int) -> bool:
    """Tell whether no lower-numbered bear is interchangeable with this one (UM-A7)."""
    for lower in range(bear):
        if me.cell[lower] == me.cell[bear] and me.moves[lower] == me.moves[bear] and me.mined[lower] == me.mined[bear]:
            return False
    return True


@kernel
def is_lowest_on_stack(me: Any, bear: int) -> bool:
    """Tell whether no lower-numbered bear of the same player stands there too."""
    for lower in range(bear):
        if me.cell[lower] == me.cell[bear]:
            return False
    return True


@kernel
def list_moves(content: Any, state: Any, cell: int, first: int, out: Any, count: int) -> int:
    """Append ``first`` + K for every stack K next to ``cell`` (UM-A2); return the new count."""
    mountain = int(state.mountain)
    for side in range(6):
        neighbor = content.neighbors[cell, side]
        if neighbor >= 0 and (mountain >> neighbor) & 1:
            out[count] = first + neighbor
            count += 1
    return count


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
