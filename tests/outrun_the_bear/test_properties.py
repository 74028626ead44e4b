"""What holds in any game of Outrun the Bear; what holds in any game at all is in tests/test_combinations.py."""

from typing import Any

import numpy as np
import pytest

from bearenvs import drivers
from bearenvs.batch import Batch
from bearenvs.outrun_the_bear.state import CAUGHT, ESCAPED, STATE
from bearenvs.registry import load_game
from bearenvs.sets import listed, new_set

CASES: list[dict[str, Any]] = [
    *({"num_players": count} for count in (2, 3, 4, 5, 6)),
    {"num_players": 2, "park_pass": True, "equipment_for_all": True, "difficulty": "hard"},
    {"num_players": 6, "park_pass": True, "equipment_for_all": True},
    {"num_players": 3, "coop": True, "trail_tiles": 1},
    {"num_players": 4, "coop": True, "trail_tiles": 4, "park_pass": True},
    {"num_players": 6, "coop": True, "equipment_for_all": True, "difficulty": "first"},
    {"num_players": 5, "last_one_standing": True},
    {"num_players": 4, "last_one_standing": True, "park_pass": True, "equipment_for_all": True},
    {"num_players": 3, "max_rounds": 2},
]


def test_a_state_takes_at_most_a_kilobyte() -> None:
    assert STATE.itemsize <= 1024


def test_an_observation_has_at_most_900_values() -> None:
    for settings in CASES:
        assert load_game("outrun_the_bear", **settings).observation_size <= 900


@pytest.mark.parametrize("settings", CASES[:5] + CASES[9:11], ids=str)
def test_who_is_out_has_its_return_and_is_never_asked(settings: dict[str, Any]) -> None:
    """OB-V4: rewards come the moment they are earned, once, and in co-op nobody is out before the end (OB-X2)."""
    game = load_game("outrun_the_bear", **settings)
    batch = Batch(game, 64, seed=1)
    batch.reset()
    total = np.zeros((64, game.num_players))
    for _ in range(400):
        batch.step(batch.random_actions())
        total += batch.rewards
        is_over = batch.terminated | batch.truncated
        assert set(np.unique(total)) <= {-1.0, 0.0, 1.0}
        assert (total[is_over & ~batch.truncated] != 0).all()
        total[is_over] = 0
        seats = batch.states["seats"][:, : game.num_players]
        status = seats["status"]
        is_out = batch.states["is_out"][:, : game.num_players]
        acting = np.arange(64), batch.to_act
        assert (is_out[acting] == 0).all() and (status[acting] == 0).all()
        if game.settings.model_dump()["coop"]:
            assert not is_out.any() and not total.any()
        else:
            expected = (status == ESCAPED).astype(float) - (status == CAUGHT)
            np.testing.assert_array_equal(total, expected)


def test_last_one_standing_shifts_within_its_columns() -> None:
    """OB-X4: no runner is ever left in the last column when somebody is asked for anything but a step."""
    game = load_game("outrun_the_bear", num_players=3, last_one_standing=True)
    content = game.record[0].content
    batch = Batch(game, 256, seed=2)
    batch.reset()
    for _ in range(300):
        forward = np.array([listed(slot.legal)[-1] for slot in batch.slots], np.int64)
        batch.step(np.where(np.arange(256) % 2 == 0, forward, batch.random_actions()))
        rows = batch.states
        at_rest = rows[rows["depth"] == 0]
        assert (at_rest["seats"]["space"] // 4 < content.last_column).all()
        assert (at_rest["faces"] >= 0).all()
        assert all(len(set((faces // 2).tolist())) == 4 for faces in at_rest["faces"])


def test_playouts_end() -> None:
    game = load_game("outrun_the_bear", num_players=6)
    states = np.repeat(game.record["initial"], 200)
    rng = np.array([1, 2, 3, 4], np.uint32)
    game.bind(drivers.random_playout)(game.record, states, new_set(game.max_actions), rng, 5000)
    assert (states["to_act"] == -2).all()
