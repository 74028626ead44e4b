"""Compiled kernels rely on arguments that lie apart: watched here in interpreted play, search and self-play."""

from collections.abc import Callable
from functools import wraps
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from bearagents.agent import Views, decide
from bearagents.heuristics import HeuristicAgent
from bearagents.mcts import Budget, MctsAgent
from bearagents.random import RandomAgent
from bearagents.selfplay import Opponent, SelfPlayVecEnv

from bearenvs import drivers, views
from bearenvs.batch import Batch
from bearenvs.game import Game
from bearenvs.kernel import Binder, kernel
from bearenvs.positions import Positions
from bearenvs.registry import load_game
from bearenvs.running import RunningGame
from bearenvs.sets import new_set
from tests.playing import CASES, case_id


def place(value: np.ndarray[Any, Any] | np.void) -> tuple[int, int]:
    """Return where the memory of an array, or of a record of one, begins and ends."""
    start = value.__array_interface__["data"][0]
    strides = getattr(value, "strides", ())
    return start, start + value.itemsize + sum((n - 1) * step for n, step in zip(value.shape, strides, strict=True))


def watched(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make ``function`` refuse arguments that overlap in bytes which it changes, and results that are no number."""

    @wraps(function)
    def call(*arguments: Any) -> Any:
        places = [(place(value), value) for value in arguments if isinstance(value, np.ndarray | np.void)]
        shared = [
            (one, other, one.tobytes(), other.tobytes())
            for ((first, last), one), ((start, end), other) in combinations(places, 2)
            if max(first, start) < min(last, end)
        ]
        result = function(*arguments)
        for one, other, *before in shared:
            assert before == [one.tobytes(), other.tobytes()], (
                f"{function.__qualname__} changes what two of its arguments share"
            )
        for number in result if isinstance(result, tuple) else (result,):
            assert number is None or isinstance(number, int | float | np.generic), (function.__qualname__, number)
            assert not isinstance(number, np.void), f"{function.__qualname__} returns a record"
        return result

    return call


@pytest.fixture
def watching(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Watch all kernels of games loaded from now on; return the names of those that were bound."""
    make, bound = Binder._make_bound, set()

    def make_watched(self: Binder, function: Any, callers: Any) -> Any:
        made = make(self, function, callers)
        bound.add(function.__qualname__)
        plain: Any = watched(made.plain)
        return made._replace(plain=plain, callee=plain)

    monkeypatch.setattr(Binder, "_make_bound", make_watched)
    return bound


def unbound(name: str, **settings: Any) -> Game:
    """Return an interpreted game of a type of its own, none of whose kernels is bound yet."""
    game = load_game(name, **settings, compiled=False)
    watched_type: type[Game] = type("Watched", (type(game),), {"__module__": __name__})
    return watched_type(game.settings, game.content, compiled=False)


@pytest.mark.parametrize("playable", [case for case in CASES if case[0] != "picnic"], ids=case_id)
def test_no_kernel_is_given_the_same_memory_twice_to_write(playable: Any, watching: set[str]) -> None:
    name, settings = playable
    game = unbound(name, **settings)
    batch = Batch(game, 2)
    batch.reset()
    for _ in range(80):
        batch.step(batch.random_actions())
    batch.observe(1)
    running = RunningGame(game, 0)
    running.restart()
    running.play(running.legal_actions()[0])
    rng = np.ones(4, np.uint32)
    for seat in range(game.num_players):
        views.observation(game, views.determinized(game, batch.states, seat, rng), seat)
    states = batch.states.copy()
    game.bind(drivers.random_playout)(game.record, states, new_set(game.max_actions), rng, 200)
    positions = Positions(game, batch.states)
    positions.outcome_weights()
    positions.apply(positions.action_mask().argmax(axis=1))
    positions.settle(rng)
    for event in running.legal_actions():
        game.bind(drivers.seen_by_row)(game.record, running.states, event)
    seen = Views(batch, seed=3)
    for agent in (HeuristicAgent(), MctsAgent(Budget(3), max_rollout=4)):
        for _ in range(2):
            batch.step(decide(agent, seen.of(np.arange(2))))
    env = SelfPlayVecEnv(game, 2, [Opponent(HeuristicAgent()), Opponent(RandomAgent())], advisor=HeuristicAgent())
    env.reset()
    for _ in range(3):
        env.step(env.action_masks().argmax(axis=1))
    assert len(watching) > 100, sorted(watching)


def test_the_watch_sees_what_it_should(watching: set[str]) -> None:
    game = unbound("honey_wars")
    states = np.zeros(1, game.state_dtype)
    game.bind(moves_honey)(states[0], states[0]["seats"][1], 0)
    with pytest.raises(AssertionError, match="moves_honey changes what two of its arguments share"):
        game.bind(moves_honey)(states[0], states[0]["seats"][1], 1)
    with pytest.raises(AssertionError, match="finds_seat returns a record"):
        game.bind(finds_seat)(states[0])
    assert watching == {"moves_honey", "finds_seat"}


@kernel
def moves_honey(state: Any, seat: Any, amount: int) -> None:
    seat.honey += amount
    state.pot -= amount


@kernel
def finds_seat(state: Any) -> Any:
    return state.seats[0]
