"""Search: finds what is known to be best, from a seat's view alone, the same way each time."""

from typing import Any

import numpy as np
import pytest
from bearagents.agent import View, Views
from bearagents.mcts import Budget, FlatAgent, MctsAgent, Searcher

import bearenvs
from bearenvs import views
from bearenvs.errors import SettingsError
from bearenvs.game import Game
from bearenvs.honey_wars.state import SPEND
from bearenvs.rng import seed_words


def spending(game: Game, honey: int, hives: int, *hand: int) -> Any:
    """Return seat 0 at its Spend step with this honey, hives and hand."""
    batch = bearenvs.Batch(game, 1, seed=3)
    batch.reset()
    states = batch.states.copy()
    state = states[0]
    me = state.seats[0]
    state.pot += int(me.honey) - honey
    me.honey = honey
    state.deck[:] += me.hand
    state.num_deck += me.num_hand
    me.hand[:] = 0
    for kind in hand:
        me.hand[kind] += 1
        state.deck[kind] -= 1
    for place in range(1, hives):
        me.hives[place] = 0
        state.deck[0] -= 1
    me.num_hives = hives
    me.num_hand = len(hand)
    state.num_deck -= len(hand) + hives - 1
    state.phase, state.to_act, state.seat = SPEND, 0, 0
    assert all(game.laws(state).values())
    return states


def search(game: Game, states: Any, iterations: int, seed: int = 0) -> dict[int, tuple[int, float]]:
    searcher = Searcher(game, "random", Budget(iterations), 64, 2000)
    hidden = views.hidden(game, states, 0)
    return searcher.visits(hidden, 0, seed_words(seed), exploration=1.0, widening=4.0)


def test_takes_a_win_that_is_there() -> None:
    """A Small Hive for 5 leaves 12 honey and three hives: the game is won."""
    game = bearenvs.load_game("honey_wars")
    found = search(game, spending(game, 17, 2, 0, 10, 12), 300)
    best = next(iter(found))
    assert game.actions.text(best) == "build small_hive"
    assert found[best][1] == 1.0


def test_attacks_who_is_about_to_win() -> None:
    """Seat 1 wins at its next Harvest unless Pesticides keep it from harvesting."""
    game = bearenvs.load_game("honey_wars")
    states = spending(game, 3, 1, 11, 3)
    rival = states[0].seats[1]
    rival.hives[1:3] = 0
    rival.num_hives = 3
    states[0].deck[0] -= 2
    states[0].num_deck -= 2
    states[0].pot -= 10 - rival.honey
    rival.honey = 10
    assert all(game.laws(states[0]).values())
    found = search(game, states, 2000)
    assert game.actions.text(next(iter(found))).startswith("attack pesticides p1.")


def test_depends_on_the_view_alone() -> None:
    """Two truths that seat 0 cannot tell apart are searched to the same numbers."""
    game = bearenvs.load_game("honey_wars", num_players=3)
    states = spending(game, 6, 1, 0, 10, 12)
    other = views.determinized(game, states, 0, seed_words(9))
    assert other.tobytes() != states.tobytes()
    assert search(game, states, 400) == search(game, other, 400)


def test_values_are_returns_and_visits_add_up() -> None:
    game = bearenvs.load_game("honey_wars", num_players=4)
    found = search(game, spending(game, 6, 1, 0, 10, 12), 500)
    assert sum(visits for visits, _ in found.values()) == 500
    assert all(-1.0 <= value <= 1.0 for _, value in found.values())


def the_view(num_envs: int, num_players: int) -> View:
    batch = bearenvs.make_batch("honey_wars", num_envs=num_envs, num_players=num_players)
    batch.reset()
    return Views(batch).of(np.arange(num_envs))


@pytest.mark.parametrize(
    "agent", [MctsAgent(Budget(50)), FlatAgent(Budget(50)), MctsAgent(Budget(20), rollout="heuristic")]
)
def test_plays_legally_and_repeatably(agent: MctsAgent) -> None:
    actions = agent.act(the_view(6, 3))
    view = the_view(6, 3)
    assert all(action in legal for action, legal in zip(actions, view.legal, strict=True))
    np.testing.assert_array_equal(actions, agent.act(view))


def test_threads_change_nothing() -> None:
    alone = MctsAgent(Budget(100)).act(the_view(6, 2))
    shared = MctsAgent(Budget(100), num_threads=3).act(the_view(6, 2))
    np.testing.assert_array_equal(alone, shared)


def test_a_time_budget_ends_the_search() -> None:
    game = bearenvs.load_game("honey_wars")
    searcher = Searcher(game, "random", Budget(10**6, seconds=0.05), 64, 2000)
    found = searcher.visits(views.hidden(game, spending(game, 6, 1, 0), 0), 0, seed_words(0), 1.0, 4.0)
    assert sum(visits for visits, _ in found.values()) < 10**6


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"seconds": 0.0}])
def test_wrong_budgets(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        Budget(**wrong)


def test_unknown_rollout() -> None:
    with pytest.raises(SettingsError, match="'random' or 'heuristic'"):
        MctsAgent(rollout="clever")


def test_name_says_what_it_is() -> None:
    assert MctsAgent(Budget(10)).name == "mcts:10"
    assert FlatAgent(Budget(10)).name == "flat:10"
