"""Three tabletop games as exact and fast environments for reinforcement learning.

    >>> import bearenvs
    >>> env = bearenvs.make("honey_wars", num_players=3)
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter(1):
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     env.step(env.legal_actions()[0])

:func:`make` gives one game as a PettingZoo environment, :func:`make_batch` many games a step, :mod:`bearenvs.gym` one
seat against given opponents as a Gymnasium environment, :class:`Positions` states to play on from, and
:func:`load_game` the game itself, with its rules, tables and content. ``from bearenvs import honey_wars_v0`` gives
the game's module, as PettingZoo does.
"""

import re
from importlib import import_module
from importlib.metadata import version
from typing import Any

from bearenvs.errors import (
    BearenvsError,
    ContentError,
    IllegalActionError,
    OrderError,
    OutOfSpaceError,
    PlaythroughError,
    SaveError,
    SettingsError,
)
from bearenvs.registration import register_games, unchanged_environ
from bearenvs.registry import GAMES, game_class, game_names, load_game

with unchanged_environ():
    from bearenvs.batch import Batch, make_batch
    from bearenvs.env import BearEnv, CheckedEnv, make
    from bearenvs.playthrough import replay
    from bearenvs.positions import Positions

    register_games(GAMES)

__version__ = version("bearenvs")

__all__ = [
    "GAMES",
    "Batch",
    "BearEnv",
    "BearenvsError",
    "CheckedEnv",
    "ContentError",
    "IllegalActionError",
    "OrderError",
    "OutOfSpaceError",
    "PlaythroughError",
    "Positions",
    "SaveError",
    "SettingsError",
    "load_game",
    "make",
    "make_batch",
    "register_games",
    "replay",
]


def __getattr__(name: str) -> Any:
    """Return the module of a game by its name with the version, such as ``honey_wars_v0``."""
    match = re.fullmatch(r"(.+)_v(\d+)", name)
    if match is None or match[1] not in game_names():
        raise AttributeError(f"module 'bearenvs' has no attribute {name!r}")
    game = game_class(match[1])
    if int(match[2]) != game.version:
        raise AttributeError(f"this release has {game.name}_v{game.version}, not {name}")
    package = game.__module__.rpartition(".")[0]
    if not package:
        raise AttributeError(f"{name}: the module {game.__module__!r} of {game.__name__} is in no package")
    return import_module(package)
