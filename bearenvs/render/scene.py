"""A scene: plain shapes and text, in drawing order, on a square of :data:`SIZE` units, the origin at the top left.

Colors are roles of the palette; ``None`` leaves a fill or an outline away. A shape's ``tag`` is a word of the game's
notation (``c12``, ``p1.0``, ``nosema``): the thing that actions with this word are about. So a page can make any
game's picture clickable: a click on a tag leaves those legal actions that mention it.
"""

from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

from bearenvs.render.palette import Role

SIZE = 600
"""The width and height of every scene."""

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle with its top left corner at (x, y); ``radius`` rounds the corners."""

    x: float
    y: float
    width: float
    height: float
    fill: Role | None = None
    stroke: Role | None = None
    line: float = 1.0
    radius: float = 0.0
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: Role | None = None
    stroke: Role | None = None
    line: float = 1.0
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed polygon."""

    points: tuple[tuple[float, float], ...]
    fill: Role | None = None
    stroke: Role | None = None
    line: float = 1.0
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line, ``line`` wide."""

    x: float
    y: float
    x2: float
    y2: float
    stroke: Role = "edge"
    line: float = 1.0
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, its middle at the height y; ``anchor`` says which part of it stands at x."""

    x: float
    y: float
    text: str
    size: float = 12.0
    fill: Role = "ink"
    anchor: Anchor = "start"
    tag: str = ""


Shape: TypeAlias = Rect | Circle | Polygon | Line | Text


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture. ``title`` says in a few words what is shown, for readers who cannot see it."""

    title: str
    shapes: tuple[Shape, ...]

    def tags(self) -> frozenset[str]:
        """Return all tags of the scene's shapes."""
        return frozenset(shape.tag for shape in self.shapes if shape.tag)


def as_list(shape: Shape) -> list[Any]:
    """Return a shape as JSON can hold it: its kind's first letter, then its fields in order."""
    return [type(shape).__name__[0], *(getattr(shape, field.name) for field in fields(shape))]
