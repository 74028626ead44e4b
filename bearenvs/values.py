"""Values in a playthrough: how likely each seat is to win, as somebody estimates it, in comments before the events.

``# values: 0.7 0.3`` stands before the event that follows the estimate, one number for each seat.
"""

import re
from collections.abc import Mapping, Sequence

from bearenvs.errors import PlaythroughError

Values = Mapping[int, Sequence[float]]
"""By the number of events before: the seats' chances to win, all >= 0."""

_MARK = "# values:"


def read_values(text: str, num_players: int) -> dict[int, list[float]]:
    """Return the values in a playthrough's text; PlaythroughError names a line that is no number >= 0 for each seat."""
    values: dict[int, list[float]] = {}
    num_events = -1  # the first line that is no comment names the game
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(_MARK):
            words = line.removeprefix(_MARK).split()
            if len(words) != num_players or not all(re.fullmatch(r"[0-9]+(\.[0-9]+)?", word) for word in words):
                raise PlaythroughError(f"line {number}: {line!r}: values are {num_players} numbers, one for each seat")
            values[num_events] = [float(word) for word in words]
        elif _is_event(line):
            num_events += 1
    return values


def write_values(text: str, values: Values) -> str:
    """Return a playthrough's text with these values, of three decimals, in the place of those it may have."""
    lines: list[str] = []
    num_events = -1
    kept = [line for line in text.splitlines() if not line.startswith(_MARK)]
    for line in kept:
        if _is_event(line):
            lines += _lines(values, num_events)
            num_events += 1
        lines.append(line)
    return "\n".join([*lines, *_lines(values, num_events)]) + "\n"


def _lines(values: Values, num_events: int) -> list[str]:
    return [" ".join([_MARK, *(f"{value:.3f}" for value in values[num_events])])] if num_events in values else []


def _is_event(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
