"""What agents see, in a batch and in a single game, and what becomes of wrong answers."""

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from bearagents.agent import Agent, AgentError, View, Views, agents_rng, decide, view_of, view_of_env
from bearagents.heuristics import HeuristicAgent
from bearagents.random import RandomAgent

import bearenvs
from bearenvs import views
from bearenvs.batch import Batch
from bearenvs.game import Game
from bearenvs.registry import load_game
from tests.playing import Case

ARRAYS = ("states", "seats", "observation", "action_mask", "legal", "num_legal", "rng")


def played_on(game: Game, num_envs: int = 16, plies: int = 30, seed: int = 5) -> Batch:
    batch = Batch(game, num_envs, seed=seed)
    batch.reset()
    for _ in range(plies):
        batch.step(batch.random_actions())
    return batch


def test_views_show_what_the_seat_sees_and_no_more(case: Case) -> None:
    name, settings = case
    game = load_game(name, **settings)
    batch = played_on(game)
    games = np.array([3, 0, 11])
    view = Views(batch).of(games)
    assert len(view) == 3 and view.game is game
    for k, i in enumerate(games):
        seat = int(batch.to_act[i])
        assert view.seats[k] == seat
        hidden = views.hidden(game, batch.states[i : i + 1].copy(), seat)
        assert view.states[k].tobytes() == hidden[0].tobytes()
        np.testing.assert_array_equal(view.observation[k], batch.observation[i])
        np.testing.assert_array_equal(view.action_mask[k], batch.action_mask[i])
        legal = view.legal[k, : view.num_legal[k]]
        np.testing.assert_array_equal(legal, np.flatnonzero(batch.action_mask[i]))


def test_views_are_the_agents_own() -> None:
    batch = played_on(load_game("honey_wars"))
    before = batch.slots.tobytes(), batch.observation.copy(), batch.action_mask.copy()
    view = Views(batch).of(np.arange(16))
    view.states["to_act"] = 9
    for array in (view.observation, view.action_mask, view.legal):
        array[:] = 1
    assert batch.slots.tobytes() == before[0]
    np.testing.assert_array_equal(batch.observation, before[1])
    np.testing.assert_array_equal(batch.action_mask, before[2])


def test_random_numbers_do_not_depend_on_how_games_are_grouped() -> None:
    batch = played_on(load_game("honey_wars"))
    together = Views(batch, seed=3).of(np.arange(16))
    views_ = Views(batch, seed=3)
    parts = [views_.of(np.arange(first, first + 4)) for first in (12, 4, 0, 8)]
    np.testing.assert_array_equal(together.rng[[12, 4, 0, 8]], [part.rng[0] for part in parts])
    listed = Views(batch, seed=[*range(3, 19)]).of(np.arange(16))
    np.testing.assert_array_equal(together.rng, listed.rng)
    assert len({row.tobytes() for row in together.rng}) == 16
    assert (Views(batch, seed=4).of(np.arange(16)).rng[:-1] == together.rng[1:]).all()


def test_each_decision_has_its_own_random_numbers() -> None:
    batch = played_on(load_game("honey_wars"))
    views_ = Views(batch)
    first, second = views_.of(np.arange(16)), views_.of(np.arange(16))
    assert not (first.rng == second.rng).all(axis=1).any()
    views_.reset(0)
    np.testing.assert_array_equal(views_.of(np.arange(16)).rng, first.rng)


@pytest.mark.parametrize("agent", [RandomAgent(), HeuristicAgent()], ids=lambda agent: agent.name)
def test_a_single_environment_is_played_as_the_game_of_a_batch(agent: Agent) -> None:
    env = bearenvs.make("honey_wars", num_players=3)
    env.reset(seed=8)
    batch = Batch(env.game, 2, seed=7)
    batch.reset()
    views_, rng = Views(batch, seed=7), agents_rng(8)
    while env.agents and not any(env.terminations.values()):
        single, many = view_of_env(env, rng), views_.of(np.array([0, 1]))
        for name in ARRAYS:
            assert getattr(single, name)[0].tobytes() == getattr(many, name)[1].tobytes(), name
        actions = decide(agent, many)
        assert decide(agent, single)[0] == actions[1]
        env.step(int(actions[1]))
        batch.step(actions)
    assert batch.terminated[1] and env.rewards == {f"player_{i}": batch.rewards[1, i] for i in range(3)}


def test_interpreted_views_are_the_same() -> None:
    seen = []
    for compiled in (True, False):
        game = load_game("honey_wars", num_players=4, compiled=compiled)
        batch = played_on(game, num_envs=3)
        seat = int(batch.to_act[2])
        hidden = views.hidden(game, batch.states[2:].copy(), seat)
        seen.append((Views(batch).of(np.arange(3)), view_of(game, hidden, agents_rng(1))))
    for one, other in zip(*seen, strict=True):
        for name in ARRAYS:
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


def test_random_agent_plays_every_legal_action_equally_often() -> None:
    batch = played_on(load_game("honey_wars"))
    view = Views(batch).of(np.flatnonzero(batch.action_mask.sum(axis=1) == 4)[:1])
    legal = view.legal[0, : view.num_legal[0]].tolist()
    rows = np.zeros(3000, np.int64)
    arrays = {name: getattr(view, name)[rows] for name in ARRAYS}
    arrays["rng"] = np.array([agents_rng(seed) for seed in range(3000)])
    many = View(view.game, **arrays)
    found, counts = np.unique(RandomAgent().act(many), return_counts=True)
    assert len(legal) == 4 and found.tolist() == legal
    expected = 3000 / len(legal)
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


class Answers:
    """Gives one answer, whatever it is."""

    name = "stubborn"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def reset(self, seed: int) -> None: ...

    def act(self, view: View) -> npt.NDArray[np.int64]:
        return self.answer  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (np.zeros(3, np.int64), "integers of shape (2,), got int64 of shape (3,)"),
        (np.zeros(2), "integers of shape (2,), got float64 of shape (2,)"),
        (None, "got object of shape ()"),
        (np.array([9999, 0]), "chose action 9999 (outside the table)"),
        (np.array([-1, 0]), "chose action -1 (outside the table)"),
        (np.array([2**63, 0], np.uint64), "chose action 9223372036854775808 (outside the table)"),
    ],
)
def test_wrong_answers(answer: Any, says: str) -> None:
    view = Views(played_on(load_game("honey_wars"))).of(np.arange(2))
    with pytest.raises(AgentError) as caught:
        decide(Answers(answer), view)
    assert "agent 'stubborn'" in str(caught.value) and says in str(caught.value)


def test_illegal_answer_is_named_with_what_is_legal() -> None:
    view = Views(played_on(load_game("honey_wars"))).of(np.arange(2))
    illegal = int(view.action_mask[1].argmin())
    actions = np.array([view.legal[0, 0], illegal])
    text = view.game.actions.text
    seat = int(view.seats[1])
    with pytest.raises(AgentError) as caught:
        decide(Answers(actions), view)
    assert f"chose action {illegal} ({text(illegal, seat)}) for seat {seat}" in str(caught.value)
    assert all(text(int(k), seat) in str(caught.value) for k in view.legal[1, : view.num_legal[1]])
    assert decide(Answers(actions[:1].astype(np.int16)), replace(view, **first_of(view))).dtype == np.int64


def test_an_agent_may_spoil_its_view() -> None:
    view = Views(played_on(load_game("honey_wars"))).of(np.arange(2))
    seats = view.seats.tolist()

    class Spoils(Answers):
        def act(self, view: View) -> npt.NDArray[np.int64]:
            for array in (getattr(view, name) for name in ARRAYS if name != "states"):
                array[:] = 99
            view.states["to_act"] = 99
            object.__setattr__(view, "game", None)
            return super().act(view)

    with pytest.raises(AgentError, match=rf"chose action 9999 \(outside the table\) for seat {seats[0]}; legal are "):
        decide(Spoils(np.array([9999, 0])), view)


def test_an_agent_cannot_change_the_game() -> None:
    game = load_game("honey_wars")
    view = Views(played_on(game)).of(np.arange(2))

    class Changes(Answers):
        def act(self, view: View) -> npt.NDArray[np.int64]:
            view.game.num_players = 99
            return super().act(view)

    with pytest.raises(AgentError, match="AttributeError: HoneyWars: a game never changes, and 'num_players' is set"):
        decide(Changes(view.legal[:, 0]), view)
    for name in ("actions", "describe", "max_legal", "slot_dtype"):
        with pytest.raises(AttributeError, match="a game never changes"):
            setattr(game, name, None)
        with pytest.raises(AttributeError, match="a game never changes"):
            delattr(game, name)
    assert pickle.loads(pickle.dumps(game)).num_players == copy.copy(game).num_players == 2


def first_of(view: View) -> dict[str, Any]:
    return {name: getattr(view, name)[:1] for name in ARRAYS}
