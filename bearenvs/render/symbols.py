"""Things that more than one picture shows, made of plain shapes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bearenvs.render.lettering import cut, wrap
from bearenvs.render.palette import Role, ink_on, seat_role
from bearenvs.render.scene import SIZE, Anchor, Circle, Polygon, Rect, Shape, Text


def hexagon(
    x: float,
    y: float,
    radius: float,
    fill: Role | None,
    stroke: Role | None = "edge",
    line: float = 1,
    tag: str = "",
    *,
    flat: bool = False,
) -> Polygon:
    """Return a regular hexagon with a corner at its top, or a ``flat`` top."""
    turn = 0.0 if flat else math.pi / 6
    angles = [turn + corner * math.pi / 3 for corner in range(6)]
    points = tuple((round(x + radius * math.cos(a), 2), round(y + radius * math.sin(a), 2)) for a in angles)
    return Polygon(points, fill, stroke, line, tag)


def drop(x: float, y: float, radius: float, fill: Role, tag: str = "") -> Iterator[Shape]:
    """Yield a drop of honey or jelly."""
    yield Polygon(
        ((x, y - 1.7 * radius), (x + 0.85 * radius, y - 0.4 * radius), (x - 0.85 * radius, y - 0.4 * radius)),
        fill,
        tag=tag,
    )
    yield Circle(x, y, radius, fill, tag=tag)


def card_back(x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """Yield the back of a card with its top left corner at (x, y)."""
    yield Rect(x, y, width, height, "honey", "night", 1, 2)
    yield hexagon(x + width / 2, y + height / 2, width / 3.5, "snow", None)


def seat_token(x: float, y: float, radius: float, seat: int, tag: str = "") -> Iterator[Shape]:
    """Yield a seat's round token with its number."""
    role = seat_role(seat)
    yield Circle(x, y, radius, role, "paper", 1.5, tag)
    yield Text(x, y, str(seat), round(1.25 * radius), ink_on(role), "middle", tag)


def bear_token(x: float, y: float, radius: float, role: Role, label: str, tag: str = "") -> Iterator[Shape]:
    """Yield a bear's head with ``label`` on it."""
    for side in (-1, 1):
        yield Circle(x + 0.72 * side * radius, y - 0.72 * radius, 0.42 * radius, role, "paper", 1, tag)
    yield Circle(x, y, radius, role, "paper", 1, tag)
    yield Text(x, y, label, round(1.3 * radius, 1), ink_on(role), "middle", tag)


def paw(x: float, y: float, radius: float, role: Role) -> Iterator[Shape]:
    """Yield a paw print."""
    yield Circle(x, y + 0.35 * radius, 0.6 * radius, role)
    for angle in (-0.95, -0.32, 0.32, 0.95):
        yield Circle(
            x + 1.1 * radius * math.sin(angle), y + 0.2 * radius - 1.1 * radius * math.cos(angle), 0.26 * radius, role
        )


def lines(
    x: float,
    y: float,
    text: str,
    size: float,
    width: float,
    num_lines: int,
    fill: Role = "ink",
    anchor: Anchor = "start",
    tag: str = "",
) -> Iterator[Shape]:
    """Yield ``text`` broken into lines that fit ``width``; y is the middle of the first line."""
    for number, line in enumerate(wrap(text, size, width, num_lines)):
        yield Text(x, y + 1.15 * size * number, line, size, fill, anchor, tag)


@dataclass(frozen=True)
class Chip:
    """A card drawn small. ``tag`` only where it can be chosen now."""

    name: str
    role: Role
    tag: str = ""


def hand_row(x: float, y: float, height: float, seat: int, chips: Sequence[Chip]) -> Iterator[Shape]:
    """Yield a seat's hand as one row of small cards, from (x, y) to the right edge."""
    middle, high = y + height / 2, min(height - 4, 30)
    yield from seat_token(x + 10, middle, min(9, height / 2 - 1), seat)
    left = x + 26
    step = min(140.0, (SIZE - 8 - left) / max(len(chips), 1))
    size = 9 if step > 90 else 8
    for place, chip in enumerate(chips):
        edge: Role = "accent" if chip.tag else "edge"
        box = (left + place * step, middle - high / 2, step - 4, high)
        yield Rect(*box, chip.role, edge, 2 if chip.tag else 1, 4, chip.tag)
        text = cut(chip.name, size, step - 8)
        yield Text(box[0] + box[2] / 2, middle, text, size, ink_on(chip.role), "middle", chip.tag)
