"""Policies that learnt with advice and are loaded as stable-baselines3 does it: where they find the advice."""

import re
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
import torch
from bearagents.advised import AdvisedEnv
from bearagents.agent import View
from bearagents.heuristics import HeuristicAgent
from bearagents.network import MaskedCategorical
from bearagents.policy import Policy, PolicyWarning, read_card
from bearagents.selfplay import ADVISED
from bearagents.train import Hyperparameters, train
from sb3_contrib import MaskablePPO

from bearenvs.errors import SettingsError
from bearenvs.gym import SeatEnv

README = Path(__file__).parents[2] / "README.md"
TINY = Hyperparameters(
    num_envs=8, rollout=8, batch_size=32, num_epochs=1, hidden=(8,), advice=0.001, evaluation_games=20
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a short run in ``runs/three``: its choices are neither the heuristic's nor the network's."""
    folder = tmp_path_factory.mktemp("trained")
    train(
        "honey_wars", num_players=3, steps=128, out=folder / "runs" / "three", hyperparameters=TINY, show_progress=False
    )
    return folder


def three(**options: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make("bearenvs/HoneyWars-v0", num_players=3, opponents=HeuristicAgent(), **options)


def test_a_run_loaded_by_stable_baselines3_plays_by_network_and_advice(folder: Path) -> None:
    run = folder / "runs" / "three"
    model, policy = MaskablePPO.load(run / read_card(run).archive), Policy.load(run, greedy=True)
    env: Any = AdvisedEnv(three())
    differs = np.zeros(2, np.bool_)
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        is_over = False
        while not is_over:
            masks = env.action_masks()
            np.testing.assert_array_equal(masks != 0, info["action_mask"] != 0)
            action, _ = model.predict(observation, action_masks=masks, deterministic=True)
            logits = np.where(masks != 0, policy.logits(observation[None])[0], -np.inf)
            alone = logits.argmax()
            logits[masks == ADVISED] += np.float32(TINY.advice)
            assert action == logits.argmax()
            differs |= action != masks.argmax(), action != alone
            observation, _, terminated, truncated, info = env.step(action)
            is_over = terminated or truncated
        assert env.action_masks().tolist() == [1] * env.unwrapped.game.num_actions
    assert differs.all(), "the network and the advice both count"


def test_the_readmes_example_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (source,) = re.findall(r"```python\n([^`]*AdvisedEnv.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(folder)
    told: dict[str, Any] = {}
    exec(source, told)
    assert told["terminated"] and told["reward"] in (1.0, -0.5)


def test_a_policy_that_misses_its_advice_says_so_once(folder: Path) -> None:
    run = folder / "runs" / "three"
    model, env = MaskablePPO.load(run / read_card(run).archive), three()
    observation, info = env.reset(seed=1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for _ in range(3):
            model.predict(observation, action_masks=info["action_mask"])
    assert [warning.category for warning in said] == [PolicyWarning]
    assert "bearagents.advised.AdvisedEnv" in str(said[0].message)


@pytest.mark.parametrize(
    ("advice", "masks"),
    [
        (0.0, [[1, 0], [0, 1]]),  # a network that stands on its own
        (5.0, [[1, 0], [0, ADVISED]]),  # nobody asked for one of the games
        (5.0, [[1, 1], [1, 1]]),  # the episode is over
        (5.0, None),
    ],
)
def test_who_misses_nothing_says_nothing(advice: float, masks: Any) -> None:
    distribution = MaskedCategorical(2, advice).proba_distribution(torch.zeros(2, 2))
    distribution.apply_masking(None if masks is None else np.array(masks, np.int8))  # warnings are errors


def test_the_advisor_is_asked_once_a_decision_and_may_be_any_agent() -> None:
    class Last:
        name = "last"

        def __init__(self) -> None:
            self.seeds: list[int] = []
            self.num_asked = 0

        def reset(self, seed: int) -> None:
            self.seeds.append(seed)

        def act(self, view: View) -> npt.NDArray[np.int64]:
            self.num_asked += 1
            return view.legal[np.arange(len(view)), view.num_legal - 1].astype(np.int64)

    advisor = Last()
    env = AdvisedEnv(three(), advisor)
    env.reset(seed=7)
    for k in range(5):
        masks = env.action_masks()
        advised = np.flatnonzero(masks)[-1]
        assert masks[advised] == ADVISED and (masks == ADVISED).sum() == 1
        masks[:] = 0  # a copy
        assert env.action_masks()[advised] == ADVISED
        assert advisor.num_asked == k + 1
        env.step(advised)
    env.reset()
    assert advisor.seeds == [7]


def test_training_goes_on_with_the_masks_of_the_wrapper(folder: Path) -> None:
    """stable-baselines3 wraps the environment further, and finds the masks of this wrapper, not of what is inside."""
    run = folder / "runs" / "three"
    model = MaskablePPO.load(run / read_card(run).archive, env=AdvisedEnv(three()), n_steps=32, device="cpu")
    model.learn(32)  # warnings are errors
    assert (model.rollout_buffer.action_masks == ADVISED).any(-1).all()


def test_only_a_single_seat_environment_can_be_advised() -> None:
    AdvisedEnv(SeatEnv("honey_wars"))
    with pytest.raises(SettingsError, match=r"is no SeatEnv: gymnasium\.make"):
        AdvisedEnv(gymnasium.make("CartPole-v1"))
