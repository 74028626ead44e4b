"""The chances to win at each decision of a record."""

import numpy as np
import pytest
from bearagents.agent import agent_seed
from bearagents.arena import record_game
from bearagents.chances import win_chances
from bearagents.names import load_agent
from bearagents.random import RandomAgent

from bearenvs.game import CHANCE
from bearenvs.playthrough import Playthrough
from bearenvs.registry import load_game


@pytest.mark.parametrize("name", ["honey_wars", "ursa_miner", "outrun_the_bear"])
def test_every_decision_has_chances_and_the_end_its_winners(name: str) -> None:
    game = load_game(name, num_players=3)
    agent = load_agent("random", game)
    played = record_game(game, [agent] * 3, 5)
    found = win_chances(played, agent, games=2)
    asked = [place for place, (position, _) in enumerate(played.positions()) if position.to_act != CHANCE]
    assert [*found] == [*asked, len(played.events)]
    assert np.allclose(np.sum([*found.values()], axis=1), 1)
    assert {*found[len(played.events)]} <= {0, 1, 0.5, 1 / 3}
    seen: list[tuple[int, int]] = []
    assert win_chances(played, agent, games=2, on_progress=lambda *told: seen.append(told)) == found
    total = 2 * len(asked)
    assert len(seen) > 2 and seen == sorted(seen) and (seen[0], seen[-1]) == ((0, total), (total, total))


def test_the_agent_is_not_told_the_seed_of_chance() -> None:
    seeds = []

    class Keeps(RandomAgent):
        def reset(self, seed: int) -> None:
            seeds.append(seed)

    game = load_game("honey_wars")
    win_chances(record_game(game, [RandomAgent()] * 2, 0), Keeps(), games=1, seed=7)
    assert seeds == [agent_seed(7, 0)]


def test_chances_tell_who_is_about_to_win() -> None:
    """By the last decision, the winner's have grown; an unfinished record has none at its end."""
    game = load_game("honey_wars")
    agent = load_agent("heuristic", game)
    early, late = [], []
    for seed in range(4):
        played = record_game(game, [agent] * 2, seed)
        found = [*win_chances(played, agent).values()]
        winner = int(np.argmax(found[-1]))
        early.append(found[0][winner])
        late.append(found[-2][winner])
    assert np.mean(early) < 0.7
    assert np.mean(late) > 0.9
    cut = Playthrough(game, record_game(game, [agent] * 2, 0).events[:20])
    assert 20 not in win_chances(cut, agent, games=2)
    assert win_chances(Playthrough(game, ()), agent) == {}
