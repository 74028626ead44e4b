"""Ursa Miner as a picture."""

from collections.abc import Sequence
from typing import Any

from bearenvs.render.scene import Scene, Shape, Text
from bearenvs.ursa_miner.content import UrsaMinerContent
from bearenvs.ursa_miner.describe import describe


def draw(content: UrsaMinerContent, num_players: int, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
    """Return the table as ``seat`` sees it; ``None`` shows every hand."""
    lines = describe(content, num_players, state, seat).splitlines()
    shapes: list[Shape] = [Text(8, 16 + 18 * i, line, 9) for i, line in enumerate(lines)]
    return Scene("Ursa Miner", tuple(shapes))
