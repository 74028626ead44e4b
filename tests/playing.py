"""What tests that run over all games share: which games with which players, and random play."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from bearenvs.registry import GAMES, game_class
from tests.toy.game import Picnic

Case = tuple[str, dict[str, Any]]
"""A game's name and settings."""


def player_counts(name: str) -> list[int]:
    """Return the numbers of players that the game ``name`` allows."""
    game = Picnic if name == "picnic" else game_class(name)
    schema = game.settings_type.model_json_schema()["properties"]["num_players"]
    return list(schema.get("enum") or range(schema["minimum"], schema["maximum"] + 1))


NAMES = ["picnic", *GAMES]
"""All games of the package, and one that has secret actions and seats that go out."""
CASES: list[Case] = [
    (name, {"num_players": count}) for name in NAMES for count in {min(player_counts(name)), max(player_counts(name))}
]


def case_id(case: Case) -> str:
    return f"{case[0]}-{case[1]['num_players']}"


def play(env: Any, rng: Random, num_steps: int = 10**9) -> list[Any]:
    """Play ``num_steps`` steps at random, or to the end; return all that last() told on the way."""
    told = []
    for agent in env.agent_iter(num_steps):
        observation, reward, terminated, truncated, info = env.last()
        told.append((agent, observation, reward, terminated, truncated, info))
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if terminated or truncated else int(rng.choice(legal)))
    return told


def assert_same(told: list[Any], expected: list[Any]) -> None:
    assert len(told) == len(expected)
    for mine, theirs in zip(told, expected, strict=True):
        for key in ("observation", "action_mask"):
            np.testing.assert_array_equal(mine[1][key], theirs[1][key])
        assert (mine[0], *mine[2:]) == (theirs[0], *theirs[2:])


def install(folder: Path, group: str, entry: str) -> None:
    """Leave in ``folder`` what an installed package leaves: an entry point."""
    info = folder / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n", encoding="utf-8")
