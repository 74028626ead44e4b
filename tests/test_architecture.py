"""ARCHITECTURE.md's table of places: every file stands in one row, and imports nothing from a row below."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from bearenvs.registry import GAMES

ROOT = Path(__file__).parent.parent
FILES = [
    file.relative_to(ROOT).as_posix()
    for package in ("bearenvs", "agents/bearagents")
    for file in sorted((ROOT / package).rglob("*.py"))
    if file.read_text()
]
BUILT_IN = "|".join(name for name in GAMES if (ROOT / "bearenvs" / name).is_dir())


def rows() -> list[list[str]]:
    """Return the places that each row of the table names; a bare file name is in the folder of the one before."""
    table = []
    for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines():
        if line.startswith("| `"):
            places: list[str] = []
            for name in re.findall("`([^`]+)`", line.split("|")[1]):
                places.append(name if "/" in name else places[-1].rpartition("/")[0] + "/" + name)
            table.append(places)
    return table


ROWS = rows()


def row_of(file: str) -> int:
    """Return the number of the row that names ``file``: by the longest place that holds it."""
    holding = [
        (len(place), number)
        for number, places in enumerate(ROWS)
        for place in places
        if re.match(re.escape(place).replace("<game>", f"({BUILT_IN})") + ("" if place.endswith("/") else "$"), file)
    ]
    assert holding, f"{file} is in no row of the table in ARCHITECTURE.md"
    return max(holding)[1]


def imports(file: str) -> Iterator[str]:
    """Yield the files of ``FILES`` that ``file`` imports, wherever in it."""
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            path = ("agents/" if name.startswith("bearagents") else "") + name.replace(".", "/")
            parent = path.rpartition("/")[0]
            candidates = (f"{path}.py", f"{path}/__init__.py", f"{parent}.py", f"{parent}/__init__.py")
            yield from [candidate for candidate in candidates if candidate in FILES][:1]


def game_of(file: str) -> str | None:
    match = re.match(f"bearenvs/({BUILT_IN})/", file)
    return match and match[1]


def test_the_table_names_what_there_is() -> None:
    for places in ROWS:
        for place in places:
            assert list(ROOT.glob(place.replace("<game>", "*"))), place


@pytest.mark.parametrize("file", FILES)
def test_a_file_imports_nothing_from_a_row_below(file: str) -> None:
    for other in imports(file):
        assert row_of(other) <= row_of(file), f"{file} imports {other}"
        assert game_of(file) is None or game_of(other) in (None, game_of(file)), f"{file} imports {other}"


@pytest.mark.parametrize("game", BUILT_IN.split("|"))
def test_inside_a_game_imports_point_one_way(game: str) -> None:
    files = {file: set(imports(file)) for file in FILES if game_of(file) == game}
    list(TopologicalSorter(files).static_order())  # CycleError names a circle
    told = re.search(r"Inside a game imports point one way: ([^.]+)\.", (ROOT / "ARCHITECTURE.md").read_text())
    assert told
    order = [f"bearenvs/{game}/{stem}.py" for stem in re.split(r",\s+", told[1])]
    for file in set(order) & set(files):
        assert not files[file] & set(order[order.index(file) :]), f"{file} imports what comes after it"
