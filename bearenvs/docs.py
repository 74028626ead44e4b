"""The generated part of a game's documentation page, and what keeps it true.

A game's page is the docstring of its package. Its prose is written by hand; everything that code or content files
already say stands below the line :data:`MARK` and is made here. ``python -m bearenvs.docs honey_wars`` rewrites it,
and a test compares.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from bearenvs.content import Content, Strict
from bearenvs.errors import BearenvsError
from bearenvs.game import Game
from bearenvs.registry import GAMES, game_class, load_game
from bearenvs.tables import Table

MARK = "<!-- generated from the code by `python -m bearenvs.docs`: do not edit below -->"


def generated(name: str) -> str:
    """Return the generated part of the page of the game ``name``, in Markdown."""
    game = load_game(name)
    widest = load_game(name, num_players=game.max_players)
    parts = [MARK, "## Settings", _settings(game)]
    parts += ["## Actions", _sizes(game, widest), _table(game.actions)]
    parts += ["## Chance outcomes", _table(game.outcomes)]
    parts += ["## Observation", _observation(game, widest)]
    parts += ["## Default content", game.reconstruction, *_content(game.content)]
    return "\n\n".join(part for part in parts if part)


def _settings(game: Game) -> str:
    model = game.settings_type
    rows = [
        (f"`{name}`", model.allowed(name), f"`{field.default}`", field.description or "")
        for name, field in model.model_fields.items()
    ]
    rows.append(("`content`", "path of a TOML file", "the default content", "cards and set-up numbers to play with"))
    return markdown(("Setting", "Values", "Default", "Meaning"), rows)


def _sizes(game: Game, widest: Game) -> str:
    return (
        f"{game.num_actions} actions with {game.num_players} players and the default content,"
        f" {widest.num_actions} with {widest.num_players}. Seats S in the notation are numbered from 0."
    )


def _table(table: Table) -> str:
    rows = [
        (f"{table.start[section.name]}", f"{section.size}", f"`{section.notation}`", section.meaning)
        for section in table.sections
    ]
    return markdown(("First", "Number", "Notation", "Meaning"), rows)


def _observation(game: Game, widest: Game) -> str:
    shapes = {section.name: section.shape for section in widest.layout}
    rows = [
        (f"`{section.name}`", _shape(section.shape), _shape(shapes[section.name]), section.meaning)
        for section in game.layout
    ]
    head = (
        f"float32 in [0, 1]: {game.observation_size} values with {game.num_players} players,"
        f" {widest.observation_size} with {widest.num_players}. Sections in order, each in C order:"
    )
    shape_of = "Shape, {} players"
    columns = ("Section", shape_of.format(game.num_players), shape_of.format(widest.num_players), "Values")
    return head + "\n\n" + markdown(columns, rows)


def _shape(shape: tuple[int, ...]) -> str:
    return " x ".join(str(size) for size in shape)


def _content(content: Content) -> Iterable[str]:
    for name in type(content).model_fields:
        value = getattr(content, name)
        yield f"### {name}"
        if isinstance(value, Strict):
            yield markdown(("Number", "Value"), [(f"`{key}`", _cell(item)) for key, item in value])
        elif isinstance(value, tuple) and value and all(isinstance(entry, Strict) for entry in value):
            columns = list(type(value[0]).model_fields)
            yield markdown(columns, [[_cell(getattr(entry, column)) for column in columns] for entry in value])
        else:
            yield _cell(value)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Strict):
        return " ".join(_cell(item) for _, item in value if item is not None)
    if isinstance(value, tuple):
        return ", ".join(f"({_cell(item)})" if isinstance(item, tuple) else _cell(item) for item in value)
    return str(value).strip().replace("|", "\\|").replace("\n", "<br>")


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def page_file(name: str) -> Path:
    """Return the file whose docstring is the page of the game ``name``."""
    return game_class(name).folder / "__init__.py"


def rewritten(name: str) -> str:
    """Return the page file's text with its generated part made anew."""
    text = page_file(name).read_text(encoding="utf-8")
    head, mark, rest = text.partition(MARK)
    if not mark:
        raise BearenvsError(f"{page_file(name)}: the docstring lacks the line {MARK!r}")
    _, quotes, code = rest.partition('\n"""\n')
    return head + generated(name) + quotes + code


if __name__ == "__main__":
    try:
        for given in sys.argv[1:] or GAMES:
            page_file(given).write_text(rewritten(given), encoding="utf-8")
    except (BearenvsError, OSError) as fault:
        sys.exit(f"error: {fault}")
