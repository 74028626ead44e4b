"""The park: which spaces touch, what lies on them, who stands where."""

from collections.abc import Iterable
from typing import Any

from bearenvs.bits import count_bits
from bearenvs.kernel import inlined
from bearenvs.outrun_the_bear.content import (
    CAMP,
    COLUMN_BYTES,
    FIRST_COLUMN,
    PATH,
    REST,
    ROWS,
    TILE_COLUMNS,
    WINDOW_BACK,
)
from bearenvs.outrun_the_bear.state import NOTHING

AROUND = 8
"""More than the numbers of two spaces that touch can differ by."""


def neighbours(space: int, last_column: int, *, has_lot: bool) -> Iterable[int]:
    """Yield the spaces that touch ``space`` (OB-B2): odd columns sit half a space lower."""
    column, row = divmod(space, ROWS)
    lot = last_column * ROWS if has_lot else None
    if space == CAMP:
        yield from (FIRST_COLUMN * ROWS + r for r in range(ROWS))
    elif space == lot:
        yield from ((last_column - 1) * ROWS + r for r in range(ROWS))
    else:
        upper = row - 1 + column % 2  # of the two spaces touched in the columns beside
        beside = [(column + step, upper + k) for step in (-1, 1) for k in (0, 1)]
        for c, r in [(column, row - 1), (column, row + 1), *beside]:
            if 0 <= r < ROWS and FIRST_COLUMN <= c <= last_column - has_lot:
                yield c * ROWS + r
        if column == FIRST_COLUMN:
            yield CAMP
        if lot is not None and column == last_column - 1:
            yield lot


def space_name(space: int, lot: int) -> str:
    """Return a space's notation."""
    return "camp" if space == CAMP else "lot" if space == lot else f"c{space // ROWS}r{space % ROWS}"


@inlined
def column_of(space: int) -> int:
    """Return the column of a space."""
    return space >> 2  # what // ROWS is, in one instruction


@inlined
def is_big(content: Any, space: int) -> bool:
    """Tell whether a space is the campsite or the parking lot."""
    return bool((space == CAMP) | (space == content.lot))  # both are looked at: no processor foresees a branch


@inlined
def face_of(content: Any, state: Any, column: int) -> int:
    """Return the face of the trail tile that a column is on; NOTHING on an outer tile, or before the trail is laid."""
    tile = column // TILE_COLUMNS - 1
    return int(state.faces[tile]) if 0 <= tile < content.num_trails else NOTHING


@inlined
def terrain_of(content: Any, state: Any, space: int) -> int:
    """Return the terrain of a space; the campsite does what a rest area does (OB-T1)."""
    if space == CAMP:
        return REST
    column = column_of(space)
    face = face_of(content, state, column)
    return PATH if face == NOTHING else int(content.terrain[face, column % TILE_COLUMNS, space % ROWS])


@inlined
def lay_tile(content: Any, state: Any, place: int, face: int) -> None:
    """Lay a face of a trail tile out at a place of the trail."""
    column = FIRST_COLUMN + place * TILE_COLUMNS
    state.faces[place] = face
    state.prints = int(state.prints) & ~((1 << TILE_COLUMNS) - 1 << column) | int(content.prints[face]) << column
    first = (WINDOW_BACK + column) * COLUMN_BYTES
    for k in range(TILE_COLUMNS * COLUMN_BYTES):
        state.shown[first + k] = content.shown[face, k]


@inlined
def prints_on(state: Any, column: int) -> int:
    """Return the number of paw prints on a column (OB-B4)."""
    return int(state.prints) >> column & 1


@inlined
def prints_behind_lead(content: Any, state: Any) -> int:
    """Return the number of paw prints behind the lead runner, an escaped one included (OB-E1)."""
    lead = 0
    for seat in range(content.num_players):
        lead = max(lead, int(state.seats[seat].space))  # who was caught is at NOTHING
    return count_bits(int(state.prints) & (1 << column_of(lead)) - 1)


@inlined
def runner_at(content: Any, state: Any, space: int, mover: int) -> int:
    """Return the runner other than ``mover`` who occupies a space, or NOTHING: always in a big space (OB-M2)."""
    if is_big(content, space):
        return NOTHING
    for seat in range(content.num_players):
        if seat != mover and state.seats[seat].space == space:
            return seat
    return NOTHING


# What is around a space is a bit mask: of the space itself bit AROUND, and so on by number. All that touch it are in.


@inlined
def place_around(here: int, there: int) -> int:
    """Return the bit that ``there`` is of a mask of what is around ``here``; one that touches nothing if it is far."""
    return max(0, min(there - here + AROUND, 2 * AROUND))


@inlined
def are_adjacent(content: Any, one: int, other: int) -> bool:
    """Tell whether two spaces touch; NOTHING touches none."""
    return bool(int(content.touching[max(one, 0)]) >> place_around(one, other) & 1)


@inlined
def others_around(content: Any, state: Any, here: int, mover: int) -> int:
    """Return the spaces around ``here`` that runners other than ``mover`` occupy: never a big one (OB-M2)."""
    occupied = 0
    for seat in range(content.num_players):
        occupied |= int(seat != mover) << place_around(here, int(state.seats[seat].space))
    return occupied & ~(1 << place_around(here, CAMP) | 1 << place_around(here, int(content.lot)))


@inlined
def ability(content: Any, state: Any, seat: int, name: int) -> int:
    """Return what a seat's equipment and Park Pass (OB-X1) add up to in one ability."""
    me = state.seats[seat]
    equipment, runner = int(me.equipment), int(me.runner)
    total = int(content.ability[max(equipment, 0), name]) * (equipment != NOTHING)
    return total + int(content.runner_ability[max(runner, 0), name]) * (runner != NOTHING)
