"""What holds for the heuristic of every game, with every number of players it is made for."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from bearagents.agent import UnfitError, View, Views, decide
from bearagents.arena import compete
from bearagents.heuristics import HEURISTICS, HeuristicAgent, heuristic_of, heuristic_or_random, play_randomly
from bearagents.random import RandomAgent
from bearagents.report import Report

from bearenvs.batch import Batch
from bearenvs.honey_wars.content import HoneyWarsContent
from bearenvs.registry import game_class, load_game
from tests.playing import Case, player_counts

CASES: list[Case] = [(name, {"num_players": count}) for name in HEURISTICS for count in player_counts(name)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{case[1]['num_players']}")
def playable(request: pytest.FixtureRequest) -> Any:
    return request.param


def views_on_the_way(
    name: str, settings: dict[str, Any], *, compiled: bool = True, plies: int = 150
) -> list[tuple[View, Batch]]:
    """Return what is seen in 8 games, half of whose actions are random, every tenth ply, with the batch at that ply."""
    game = load_game(name, **settings, compiled=compiled)
    batch = Batch(game, 8, seed=3)
    batch.reset()
    views = Views(batch, seed=3)
    agent = HeuristicAgent()
    seen = []
    for ply in range(plies):
        view = views.of(np.arange(8))
        if ply % 10 == 0:
            seen.append((view, batch.copy()))
        batch.step(decide(agent, view) if ply % 2 else batch.random_actions())
    return seen


def test_it_beats_random_play_beyond_doubt(playable: Case) -> None:
    name, settings = playable
    game = load_game(name, **settings)
    report = Report.of(compete(game, {"heuristic": HeuristicAgent(), "random": RandomAgent()}, games=300))
    heuristic, random = report.agents
    assert heuristic.win_share.low > random.win_share.high


def test_it_uses_nothing_but_the_view(playable: Case) -> None:
    """It chooses the same on the whole truth: what a seat cannot know makes no difference."""
    name, settings = playable
    differ = 0
    for view, batch in views_on_the_way(name, settings):
        truth = replace(view, states=batch.states.copy(), rng=view.rng.copy())
        differ += truth.states.tobytes() != view.states.tobytes()
        np.testing.assert_array_equal(HeuristicAgent().act(truth), HeuristicAgent().act(view))
    assert differ > 0


def test_it_leaves_the_view_as_it_was(playable: Case) -> None:
    name, settings = playable
    for view, _ in views_on_the_way(name, settings, plies=60):
        states, legal = view.states.tobytes(), view.legal.tobytes()
        HeuristicAgent().act(view)
        assert (view.states.tobytes(), view.legal.tobytes()) == (states, legal)


def test_interpreted_it_plays_the_same(playable: Case) -> None:
    name, settings = playable
    interpreted = load_game(name, **settings, compiled=False)
    for view, _ in views_on_the_way(name, settings, plies=60):
        again = replace(view, game=interpreted, rng=view.rng.copy())
        np.testing.assert_array_equal(HeuristicAgent().act(view), HeuristicAgent().act(again))


@pytest.mark.usefixtures("picnic")
def test_kernels_by_game() -> None:
    honey_wars, picnic = game_class("honey_wars"), game_class("picnic")
    assert heuristic_or_random(honey_wars) is heuristic_of(honey_wars)
    assert heuristic_or_random(picnic) is play_randomly
    with pytest.raises(UnfitError, match="there is no heuristic for 'picnic', only for honey_wars"):
        heuristic_of(picnic)


def random_content(random: Random) -> HoneyWarsContent:
    """Return valid content with random figures: effects of any strength, cards that cost nothing or too much."""
    game = load_game("honey_wars")
    figures: dict[str, Callable[[], object]] = {
        "copies": lambda: random.choice([0, 1, 3, 6]),
        "cost": lambda: random.choice([0, 1, 2, 5, 50]),
        "bonus": lambda: random.randint(0, 5),
        "level": lambda: random.choice([1, 4, 6, 9, 40]),
        "n": lambda: random.choice([1, 3, 50]),
        "continuous": lambda: random.random() < 0.5,
    }
    data = game.content.model_dump(exclude_none=True)
    for kind in ("hives", "buddies", "threats"):
        data[kind] = tuple(
            {key: figures[key]() if key in figures else value for key, value in card.items()} for card in data[kind]
        )
    data["hives"][0]["copies"] = 30
    data["setup"] |= {
        "honey_cubes": random.randint(12, 60),
        "hand_size": random.randint(1, 6),
        "die_sides": random.randint(2, 12),
        "base_harvest": random.randint(0, 3),
        "winning_honey": random.randint(5, 20),
        "discard_hand_cost": random.randint(0, 5),
    }
    if random.random() < 0.3:
        data["buddies"] = ()
    if random.random() < 0.3:
        data["threats"] = data["threats"][: random.randint(0, 3)]
    return HoneyWarsContent.model_validate(data)


@pytest.mark.parametrize("seed", range(20))
def test_honey_wars_with_any_content_it_never_does_what_is_illegal(seed: int) -> None:
    random = Random(seed)
    num_players = random.randint(2, 4)
    kind = type(load_game("honey_wars"))
    settings = kind.settings_type.parse("honey_wars", {"num_players": num_players, "max_turns": 60})
    game = kind(settings, random_content(random))
    found = compete(game, {"heuristic": HeuristicAgent(), "random": RandomAgent()}, games=60)  # checks every action
    assert found.decisions.min() > 0
