"""The games there are: one line each."""

from importlib import import_module
from pathlib import Path
from typing import Any

from bearenvs.errors import SettingsError
from bearenvs.game import Game

GAMES: dict[str, str | type[Game]] = {
    "honey_wars": "bearenvs.honey_wars.game:HoneyWars",
    "outrun_the_bear": "bearenvs.outrun_the_bear.game:OutrunTheBear",
    "ursa_miner": "bearenvs.ursa_miner.game:UrsaMiner",
}
"""Name of each game and where its :class:`~bearenvs.game.Game` subclass is; imported when first asked for.

A game of your own becomes known by its name with ``bearenvs.GAMES["picnic"] = Picnic``: the class, or its place.
:func:`bearenvs.register_games` then enters it into the registries of Gymnasium and PettingZoo.
"""


def game_class(name: str) -> type[Game]:
    """Return the class of the game ``name``; SettingsError lists the games there are."""
    if name not in GAMES:
        raise SettingsError(f"there is no game {name!r}; the games are {', '.join(sorted(GAMES))}")
    entry = GAMES[name]
    if isinstance(entry, str):
        module, _, attribute = entry.partition(":")
        entry = getattr(import_module(module), attribute)
    assert isinstance(entry, type)
    return entry


def load_game(name: str, *, content: str | Path | None = None, compiled: bool = True, **settings: Any) -> Game:
    """Return the game ``name`` with ``settings``, and with the content file ``content`` in place of its own.

    SettingsError and ContentError say what is wrong and what is allowed. ``compiled=False``: see :class:`Game`.
    """
    game = game_class(name)
    values = game.settings_type.parse(name, settings)
    file = game.folder / "content.toml" if content is None else Path(content)
    return game(values, game.content_type.load(file, is_default=content is None), compiled=compiled)
