"""A playthrough as a page: one file that needs no network, with pictures, play and pause, and what happened in words.

Frames share their shapes, and each is stored as what changes against the one before.
"""

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from bearenvs.errors import PlaythroughError
from bearenvs.playthrough import Playthrough, headline
from bearenvs.render.frames import frames
from bearenvs.render.lettering import nominal_width
from bearenvs.render.palette import css_variables
from bearenvs.render.scene import Scene, Shape, Text, as_list
from bearenvs.views import Viewer

Values = dict[int, list[float]]
"""By the number of events before: the seats' chances to win as somebody estimates them, all >= 0."""

_TEMPLATE = Path(__file__).with_name("replay.html")


def read_values(text: str, num_players: int) -> Values:
    """Return the values in a playthrough's comments: ``# values: 0.7 0.3`` stands before the event they precede.

    PlaythroughError names a line with other than one number >= 0 for each seat.
    """
    values: Values = {}
    num_events = -1  # the first line that is no comment names the game
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("# values:"):
            words = line.removeprefix("# values:").split()
            if len(words) != num_players or not all(re.fullmatch(r"[0-9]+(\.[0-9]+)?", word) for word in words):
                raise PlaythroughError(f"line {number}: {line!r}: values are {num_players} numbers, one for each seat")
            values[num_events] = [float(word) for word in words]
        elif line.strip() and not line.startswith("#"):
            num_events += 1
    return values


def replay_page(playthrough: Playthrough, seat: Viewer = "all", values: Values | None = None) -> str:
    """Return the page of ``playthrough``, with nothing but what ``seat`` sees.

    ``values`` may come from the truth: a seat's page leaves them out.
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
        "values": [values.get(frame.num_events) for frame in shown],
    }
    notice = game.is_reconstruction if game.content.path is None else ""
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(game.title),
        subtitle=escape(headline(game) + (", everything shown" if seat == "all" else f", as p{seat} sees it")),
        palette=css_variables(),
        notice=escape(notice),
        # No text can end the script element.
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    )


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
