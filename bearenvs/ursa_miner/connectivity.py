"""Which cells hold the mountain together (UM-A4).

A set of hexagonal cells and its complement bound each other, so a cut is found from outside: a cell holds the connected
mountain together exactly if one connected piece of the empty space touches it from two separate sides.
"""

from typing import Any

from bearenvs.kernel import kernel
from bearenvs.ursa_miner.mountain import AROUND


@kernel
def cut_cells(content: Any, mountain: int) -> int:
    """Return the mask of the cells of the connected ``mountain`` whose loss would split it, by looking once at all.

    The empty space is all the plane but the mountain. Its first piece is the one around the outline (too small itself
    to enclose a gap); others are holes.
    """
    cuts = 0
    rest = content.outline & ~mountain
    piece = rest & content.rim
    is_outside = True
    while is_outside or rest != 0:
        if not is_outside:
            piece = rest & -rest
        piece = flood(content, piece, rest)
        rest &= ~piece
        for cell in range(content.num_cells):
            if (mountain >> cell) & 1 and touches_twice(content, cell, piece, is_outside):
                cuts |= 1 << cell
        is_outside = False
    return cuts


@kernel
def flood(content: Any, piece: int, room: int) -> int:
    """Return ``piece`` and all cells of ``room`` that can be reached from it through ``room``."""
    room &= ~piece
    has_grown = True
    while has_grown:
        has_grown = False
        for cell in range(content.num_cells):
            if (room >> cell) & 1 and content.adjacent[cell] & piece:
                piece |= 1 << cell
                room &= ~(1 << cell)
                has_grown = True
    return piece


@kernel
def touches_twice(content: Any, cell: int, piece: int, is_outside: bool) -> bool:
    """Tell whether, going around ``cell``, one enters the empty ``piece`` more than once."""
    entries = 0
    was_inside = is_in_piece(content, cell, AROUND[5], piece, is_outside)
    for side in range(6):
        is_inside = is_in_piece(content, cell, AROUND[side], piece, is_outside)
        if is_inside and not was_inside:
            entries += 1
        was_inside = is_inside
    return entries > 1


@kernel
def is_in_piece(content: Any, cell: int, side: int, piece: int, is_outside: bool) -> bool:
    """Tell whether the neighbour of ``cell`` on ``side`` is in the empty ``piece``: beyond the outline is outside."""
    neighbor = int(content.neighbors[cell, side])
    if neighbor < 0:
        return is_outside
    return bool((piece >> neighbor) & 1)
