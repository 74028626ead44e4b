"""A playthrough as a page: one file that needs no network, with pictures, play and pause, and what happened in words.

Frames share their shapes, and each is stored as what changes against the one before.
"""

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from bearenvs.playthrough import Playthrough, headline
from bearenvs.render.frames import frames
from bearenvs.render.lettering import nominal_width
from bearenvs.render.palette import css_variables, ink_on, seat_role
from bearenvs.render.scene import Scene, Shape, Text, as_list
from bearenvs.values import Values
from bearenvs.views import Viewer

_TEMPLATE = Path(__file__).with_name("replay.html")


def replay_page(playthrough: Playthrough, seat: Viewer = "all", values: Values | None = None) -> str:
    """Return the page of ``playthrough``, with nothing but what ``seat`` sees.

    ``values`` may come from the truth: a seat's page leaves them out. They hold until the next ones.
    """
    game = playthrough.game
    shown = list(frames(playthrough, seat))
    values = values if values is not None and seat == "all" else {}
    shapes, changes = _packed([frame.scene for frame in shown])
    data = {
        "shapes": shapes,
        "frames": changes,
        "titles": [frame.scene.title for frame in shown],
        "log": [[frame.turn, frame.text] for frame in shown],
        "inks": [ink_on(seat_role(player)) for player in range(game.num_players)],
        "values": [*_held(values, [frame.num_events for frame in shown])],
    }
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(game.title),
        subtitle=escape(headline(game) + (", everything shown" if seat == "all" else f", as p{seat} sees it")),
        palette=css_variables(),
        notice=escape(game.content_note),
        # No text can end the script element.
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    )


def _held(values: Values, places: Sequence[int]) -> Iterator[list[float] | None]:
    """Yield at each of ``places``, ascending, the last values up to there."""
    last = None
    for place in places:
        last = values.get(place, last)
        yield None if last is None else [round(value, 3) for value in last]


def _packed(scenes: Sequence[Scene]) -> tuple[list[Any], list[Any]]:
    """Return all different shapes, and for each scene the changes of the list of their numbers."""
    numbers: dict[str, int] = {}
    packed = []
    before: list[int] = []
    for scene in scenes:
        texts = (json.dumps(_rounded(_fields(shape))) for shape in scene.shapes)
        after = [numbers.setdefault(text, len(numbers)) for text in texts]
        packed.append([*_changes(before, after)])
        before = after
    return [json.loads(text) for text in numbers], packed


def _fields(shape: Shape) -> list[Any]:
    """Return a shape as the page's script takes it: without its tag, but a text with its width."""
    fields = as_list(shape)[:-1]
    return [*fields, nominal_width(shape.text, shape.size)] if isinstance(shape, Text) else fields


def _changes(before: list[int], after: list[int]) -> Iterator[list[Any]]:
    """Yield [where, how many go, which come], from behind forward, so that no change moves another's place."""
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for operation, start, stop, first, last in reversed(codes):
        if operation != "equal":
            yield [start, stop - start, after[first:last]]


def _rounded(value: Any) -> Any:
    """Return ``value`` with its numbers rounded to what can be seen."""
    if isinstance(value, float):
        return int(value) if value == int(value) else round(value, 1)
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value
