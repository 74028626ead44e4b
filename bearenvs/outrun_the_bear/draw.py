"""Outrun the Bear as a picture."""

from collections.abc import Sequence
from typing import Any

from bearenvs.outrun_the_bear.content import OutrunTheBearContent
from bearenvs.outrun_the_bear.describe import describe
from bearenvs.render.scene import Scene, Shape, Text


def draw(content: OutrunTheBearContent, record: Any, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
    """Return the table as ``seat`` sees it; ``None`` shows every hand."""
    lines = describe(content, record, state, seat).splitlines()
    shapes: list[Shape] = [Text(8, 16 + 18 * i, line, 9) for i, line in enumerate(lines)]
    return Scene("Outrun the Bear", tuple(shapes))
