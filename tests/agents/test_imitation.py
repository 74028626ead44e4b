"""Imitation: a policy comes to choose as its teacher does, and its values to what such play returns."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from bearagents.agent import View
from bearagents.heuristics import HeuristicAgent
from bearagents.imitation import Apprentice
from bearagents.network import Network
from bearagents.random import RandomAgent
from bearagents.selfplay import Opponent, SelfPlayVecEnv
from sb3_contrib import MaskablePPO

from bearenvs.registry import GAMES, load_game
from tests.agents.toy_game import ToyGame


class Last:
    """Takes the last legal action."""

    name = "last"

    def reset(self, seed: int) -> None: ...

    def act(self, view: View) -> npt.NDArray[np.int64]:
        return view.legal[np.arange(len(view)), view.num_legal - 1].astype(np.int64)


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> SelfPlayVecEnv:
    monkeypatch.setitem(GAMES, "toy", ToyGame)
    torch.set_num_threads(1)
    return SelfPlayVecEnv(load_game("toy", num_players=2), 32, [Opponent(RandomAgent())], seed=3)


def apprentice(env: SelfPlayVecEnv, gamma: float = 1.0) -> Apprentice:
    ppo = MaskablePPO(Network, env, policy_kwargs={"hidden": (32,)}, gamma=gamma, seed=1, device="cpu")
    return Apprentice(ppo, env, Last(), rollout=16, batch_size=128, value_coefficient=0.5, seed=5)


def test_the_policy_comes_to_choose_as_the_teacher(env: SelfPlayVecEnv) -> None:
    one = apprentice(env)
    first = one.lesson(teacher_share=1.0, learning_rate=5e-3)
    assert first.steps == 16 * 32
    last = first
    for k in range(30):
        last = one.lesson(teacher_share=max(0.0, 1 - k / 10), learning_rate=5e-3)
    assert first.agreement < 0.7
    assert last.agreement > 0.95
    assert last.loss < 0.15 < first.loss


def test_a_lesson_that_is_over_teaches_what_there_is(env: SelfPlayVecEnv) -> None:
    one = apprentice(env)
    one.lesson(teacher_share=1.0, learning_rate=0.0)
    for array in (one._observation, one._returns):
        array[3:] = np.nan  # of the lesson before
    answers = iter([False, False, True])
    found = one.lesson(teacher_share=1.0, learning_rate=5e-3, is_over=lambda: next(answers))
    assert found.steps == 3 * 32 and 0.1 < found.agreement < 0.9
    assert one.lesson(teacher_share=1.0, learning_rate=5e-3).loss < found.loss


@pytest.mark.parametrize("is_advisor", [False, True])
def test_a_teacher_that_advises_is_asked_once_and_teaches_the_same(is_advisor: bool) -> None:
    game = load_game("honey_wars", num_players=2)  # there the heuristic draws no random numbers
    asked: list[int] = []
    expected = []

    class Counting(HeuristicAgent):
        def act(self, view: View) -> npt.NDArray[np.int64]:
            asked.append(len(view))
            return super().act(view)

    class Watched(SelfPlayVecEnv):
        def step_async(self, actions: npt.NDArray[np.integer[Any]]) -> None:
            expected.append(HeuristicAgent().act(self.view()))
            super().step_async(actions)

    teacher = Counting()
    advisor = teacher if is_advisor else Counting()
    env = Watched(game, 8, [Opponent(RandomAgent())], advisor=advisor, seed=3)
    ppo = MaskablePPO(Network, env, policy_kwargs={"hidden": (8,), "advice": 1.0}, seed=1, device="cpu")
    one = Apprentice(ppo, env, teacher, rollout=16, batch_size=128, value_coefficient=0.5, seed=5)
    one.lesson(teacher_share=0.5, learning_rate=1e-3)
    assert asked == [8] * (16 if is_advisor else 32)
    np.testing.assert_array_equal(one._choices, expected)


def test_values_are_taught_what_is_discounted_as_in_training(env: SelfPlayVecEnv) -> None:
    counts = []
    for gamma in (0.0, 1.0):
        env.seed(3)
        one = apprentice(env, gamma)
        one.lesson(teacher_share=1.0, learning_rate=1e-3)
        counts.append(np.count_nonzero(one._returns))
    assert 0 < counts[0] < counts[1]


@pytest.mark.parametrize(("settings", "is_cut"), [({"die_sides": 2}, False), ({"die_sides": 1, "max_turns": 3}, True)])
def test_after_a_game_s_end_comes_nothing_but_a_cut_game_would_go_on(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], is_cut: bool
) -> None:
    monkeypatch.setitem(GAMES, "toy", ToyGame)
    steps = []

    class Watched(SelfPlayVecEnv):
        def step_wait(self) -> Any:
            steps.append(super().step_wait())
            return steps[-1]

    one = apprentice(Watched(load_game("toy", num_players=3, **settings), 32, [Opponent(Last())], seed=3), gamma=0.5)
    monkeypatch.setattr(one, "_values", lambda observation: np.full(len(observation), 100.0, np.float32))
    one.lesson(teacher_share=1.0, learning_rate=1e-3)
    rewards, dones = np.stack([step[1] for step in steps]), np.stack([step[2] for step in steps])
    cut = np.array([[info.get("TimeLimit.truncated", False) for info in step[3]] for step in steps])
    assert dones.sum() > 20 and cut.any() == is_cut
    np.testing.assert_array_equal(one._returns[dones], rewards[dones] + 50.0 * cut[dones])


def test_equal_seeds_teach_alike(env: SelfPlayVecEnv) -> None:
    found = []
    for _ in range(2):
        env.seed(3)
        one = apprentice(env)
        found.append([one.lesson(teacher_share=0.5, learning_rate=1e-3) for _ in range(3)])
    assert found[0] == found[1]
