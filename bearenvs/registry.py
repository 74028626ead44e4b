"""The games there are: one line each."""

from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from bearenvs.errors import SettingsError, shown
from bearenvs.game import Game

GAMES: dict[str, str | type[Game]] = {
    "honey_wars": "bearenvs.honey_wars.game:HoneyWars",
    "outrun_the_bear": "bearenvs.outrun_the_bear.game:OutrunTheBear",
    "ursa_miner": "bearenvs.ursa_miner.game:UrsaMiner",
}
"""Name of each game and where its :class:`~bearenvs.game.Game` subclass is; imported when first asked for.

A game of your own becomes known by its name in this process with ``bearenvs.GAMES["picnic"] = Picnic``: the class, or
its place. An installed package makes its games known everywhere, by entry points in the group :data:`GROUP`.
:func:`bearenvs.register_games` then enters both into the registries of Gymnasium and PettingZoo.
"""
GROUP = "bearenvs.games"
"""The group of entry points by which an installed package names its games: ``picnic = "picnic.game:Picnic"``."""


def game_names() -> list[str]:
    """Return the names of all games, those of installed packages among them."""
    return sorted({*GAMES, *entry_points(group=GROUP).names})


def game_class(name: object) -> type[Game]:
    """Return the class of the game ``name``; SettingsError lists the games there are, or says what is wrong with it."""
    entry: object = GAMES.get(name) if isinstance(name, str) else None
    if entry is None:
        installed = entry_points(group=GROUP, name=str(name))  # no name of one holds what another type is written with
        if not installed:
            raise SettingsError(f"there is no game {shown(name)}; the games are {', '.join(game_names())}")
        entry = next(iter(installed)).value
    if isinstance(entry, str):
        entry = _load(str(name), entry)
    assert isinstance(entry, type)
    return entry


def _load(name: str, place: str) -> type[Game]:
    """Return the class at ``place``; SettingsError for all that goes wrong in code that may be foreign."""
    try:
        found = EntryPoint(name, place, GROUP).load()
    except Exception as error:
        raise SettingsError(f"game {name!r} cannot be loaded from {place}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise SettingsError(f"game {name!r}: {place} is no subclass of bearenvs.game.Game")
    if found.name != name:
        raise SettingsError(f"game {name!r}: {place} calls itself {found.name!r}, and so would its records")
    return found


def load_game(name: str, *, content: str | Path | None = None, compiled: bool = True, **settings: Any) -> Game:
    """Return the game ``name`` with ``settings``, and with the content file ``content`` in place of its own.

    SettingsError and ContentError say what is wrong and what is allowed. ``compiled=False``: see :class:`Game`.
    """
    game = game_class(name)
    if not isinstance(content, str | Path | None):
        raise SettingsError(f"content={shown(content)}: the path of a content file, or None")
    values = game.settings_type.parse(name, settings)
    file = game.folder / "content.toml" if content is None else Path(content)
    return game(values, game.content_type.load(file, is_default=content is None), compiled=compiled)
