"""The mountain's geometry: hexagonal cells in axial coordinates, and how the outline grows from the core."""

from collections.abc import Iterable
from dataclasses import dataclass

Cell = tuple[int, int]
"""Axial coordinates (q, r)."""

COLORS = ("brown", "gray", "black")
BROWN, GRAY, BLACK = range(3)

DIRECTIONS: tuple[Cell, ...] = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
"""The six neighbours in reading order: they are numbered in ascending order."""

AROUND = (3, 1, 0, 2, 4, 5)
"""The directions in the order in which one meets them going around a cell."""

NO_CELL = -1


@dataclass(frozen=True)
class Mountain:
    """The outline of a mountain. Cells are numbered by r ascending, then q ascending.

    ``layers[c]`` are the colors of the stack on cell c, from the bottom. ``neighbors[c]`` are the numbers of the six
    neighbours in the order of :data:`DIRECTIONS`, NO_CELL outside the outline.
    """

    cells: tuple[Cell, ...]
    layers: tuple[tuple[int, ...], ...]
    neighbors: tuple[tuple[int, ...], ...]


def with_ring(cells: Iterable[Cell]) -> set[Cell]:
    """Return ``cells`` and all cells next to them."""
    return {(q + dq, r + dr) for q, r in cells for dq, dr in ((0, 0), *DIRECTIONS)}


def build_mountain(core: Iterable[Cell]) -> Mountain:
    """Return the mountain around ``core`` (UM-M1): gray on and around the black, brown on and around the gray."""
    black = set(core)
    gray = with_ring(black)
    brown = with_ring(gray)
    cells = sorted(brown, key=lambda cell: (cell[1], cell[0]))
    number = {cell: index for index, cell in enumerate(cells)}
    colors = ((BLACK, black), (GRAY, gray), (BROWN, brown))
    return Mountain(
        cells=tuple(cells),
        layers=tuple(tuple(color for color, area in colors if cell in area) for cell in cells),
        neighbors=tuple(tuple(number.get((q + dq, r + dr), NO_CELL) for dq, dr in DIRECTIONS) for q, r in cells),
    )


def is_connected(cells: Iterable[Cell]) -> bool:
    """Tell whether one can walk from any of ``cells`` to any other. True for none."""
    rest = set(cells)
    border = {rest.pop()} if rest else set()
    while border:
        border = with_ring(border) & rest
        rest -= border
    return not rest
