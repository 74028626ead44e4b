"""Every game keeps the engine's promises with every number of players and every combination of its settings.

The daily tests take combinations in which each value of each setting occurs, and some more at random; all of them:
``make test ARGS="-m exhaustive"``.
"""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from bearenvs.errors import SettingsError
from bearenvs.registry import GAMES, game_class
from bearenvs.testing import check_game

LONGEST_RANGE = 8
"""A setting with more values than this (a limit of turns, say) has tests of its own."""
NUM_DRAWN = 6


def values(game: str) -> dict[str, list[Any]]:
    """Return the values of each setting that has few, ``num_players`` first."""
    schema = game_class(game).settings_type.model_json_schema()["properties"]
    found: dict[str, list[Any]] = {}
    for name, entry in schema.items():
        if entry["type"] == "boolean":
            found[name] = [False, True]
        elif "enum" in entry:
            found[name] = list(entry["enum"])
        elif entry["maximum"] - entry["minimum"] < LONGEST_RANGE:
            found[name] = list(range(entry["minimum"], entry["maximum"] + 1))
    return found


def allowed(game: str) -> list[dict[str, Any]]:
    """Return all combinations that the game does not refuse."""
    choices = values(game)
    combinations = [dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values())]
    return [settings for settings in combinations if is_allowed(game, settings)]


def is_allowed(game: str, settings: dict[str, Any]) -> bool:
    try:
        game_class(game).settings_type.parse(game, settings)
    except SettingsError:
        return False
    return True


def few(game: str) -> Iterator[dict[str, Any]]:
    """Return combinations in which every value of every setting occurs."""
    combinations = allowed(game)
    random = Random(game)
    random.shuffle(combinations)
    missing = {(name, value) for name, options in values(game).items() for value in options}
    extra = NUM_DRAWN
    for settings in combinations:
        new = settings.items() & missing
        missing -= new
        if new or extra > 0:
            extra -= not new
            yield settings


def words_of(value: Any) -> str:
    """Return how a test is named: the game, and what differs from one test to the next."""
    return value if isinstance(value, str) else ",".join(f"{name}={chosen}" for name, chosen in value.items())


@pytest.mark.parametrize(("game", "settings"), [(g, s) for g in GAMES for s in few(g)], ids=words_of)
def test_some(game: str, settings: dict[str, Any]) -> None:
    check_game(game, num_games=2, **settings)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("game", "settings"), [(g, s) for g in GAMES for s in allowed(g)], ids=words_of)
def test_all(game: str, settings: dict[str, Any]) -> None:
    check_game(game, num_games=5, **settings)
