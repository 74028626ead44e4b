"""Honey Wars content of other sizes, made from the default file."""

import tempfile
from functools import cache
from pathlib import Path

from bearenvs.honey_wars.game import HoneyWars

ENTRIES = ("[[hives]]", "[[buddies]]", "[[threats]]")


@cache
def honey_wars_with(num_kinds: int) -> str:
    """Return the path of a content file with ``num_kinds`` kinds of cards: fewer threats, or the last one repeated."""
    text = (HoneyWars.folder / "content.toml").read_text(encoding="utf-8")
    head, *threats = text.split("[[threats]]")
    num_threats = num_kinds - sum(head.count(entry) for entry in ENTRIES)
    chosen = threats[:num_threats]
    for copy in range(num_threats - len(chosen)):
        name = threats[-1].partition('name = "')[2].partition('"')[0]
        chosen.append(threats[-1].replace(name, f"{name} {copy}", 1))
    path = Path(_folder().name) / f"honey_wars_{num_kinds}.toml"
    path.write_text("[[threats]]".join([head, *chosen]), encoding="utf-8")
    return str(path)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return the folder of all these files, which goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="bearenvs-bench-")
