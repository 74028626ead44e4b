"""Which cells hold the mountain together (UM-A4).

A set of hexagonal cells and its complement bound each other, so a cut is found from outside: a cell holds the connected
mountain together exactly if one connected piece of the empty space touches it from two separate sides.
"""

from typing import Any

from bearenvs.bits import count_bits, lowest_bit
from bearenvs.kernel import kernel
from bearenvs.ursa_miner.content import OUTSIDE


@kernel
def cut_cells(content: Any, mountain: int) -> int:
    """Return the mask of the cells of the connected ``mountain`` whose loss would split it, by looking once at all.

    The empty space is all the plane but the mountain. Its first piece is the one around the outline (too small itself
    to enclose a gap); others are holes.
    """
    cuts = 0
    rest = int(content.outline) & ~mountain
    piece = rest & int(content.rim) | 1 << OUTSIDE
    near = mountain & int(content.rim)  # what of the mountain touches the piece
    while piece != 0:
        found = piece & rest
        while found != 0:  # each cell of the piece, once
            next_to_it = int(content.adjacent[lowest_bit(found)])
            found &= found - 1
            near |= mountain & next_to_it
            new = rest & next_to_it & ~piece
            piece |= new
            found |= new
        rest &= ~piece
        while near != 0:
            cell = lowest_bit(near)
            near &= near - 1
            cuts |= int(touches_twice(content, cell, piece)) << cell
        piece = rest & -rest
    return cuts


@kernel
def touches_twice(content: Any, cell: int, piece: int) -> bool:
    """Tell whether, going around ``cell``, one enters the empty ``piece`` more than once."""
    ring = 0
    for side in range(6):
        ring |= (piece >> int(content.around[cell, side]) & 1) << side
    return count_bits(ring & ~(ring << 1 | ring >> 5)) > 1
