"""Training libraries run on the environments as they are."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import bearenvs
from bearenvs import views
from bearenvs.registry import game_class
from tests.playing import NAMES

# The libraries' own warnings are none of ours.
pytestmark = pytest.mark.filterwarnings("default")

GAMES = [name for name in NAMES if name != "picnic"]


def gymnasium_id(name: str) -> str:
    return f"bearenvs/{name.title().replace('_', '')}-v{game_class(name).version}"


@pytest.mark.parametrize("name", GAMES)
def test_stable_baselines3_learns_with_masks(name: str) -> None:
    sb3_contrib = pytest.importorskip("sb3_contrib")
    callbacks = pytest.importorskip("stable_baselines3.common.callbacks")

    num_episodes = 0

    class Watch(callbacks.BaseCallback):  # type: ignore[misc, name-defined]  # imported only if installed
        def _on_step(self) -> bool:
            nonlocal num_episodes
            for info in self.locals["infos"]:
                num_episodes += "episode" in info
                assert "illegal_action" not in info
            return True

    env = gymnasium.make(gymnasium_id(name), num_players=3)
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(384, callback=Watch())
    assert num_episodes > 0
    observation, info = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=info["action_mask"].astype(bool))
    assert info["action_mask"][action] == 1
    env.step(action)


@pytest.mark.parametrize("name", GAMES)
def test_stable_baselines3s_checker_passes(name: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make(gymnasium_id(name), num_players=2).unwrapped)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("return_state", [False, True])
def test_torchrl_checks_and_rolls_out(name: str, return_state: bool) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("torchrl")
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper  # noqa: PLC0415  # only if installed
    from torchrl.envs.utils import check_env_specs  # noqa: PLC0415

    torch.manual_seed(1)
    env = PettingZooWrapper(bearenvs.make(name, num_players=3), use_mask=True, return_state=return_state, seed=1)
    check_env_specs(env)
    rollout: Any = env.rollout(5000)
    assert rollout["next", "done"][-1].item(), "random play with masks comes to the game's end"
    ours = env._env.unwrapped
    rewards = [rollout["next", agent, "reward"].sum().item() for agent in ours.possible_agents]
    returns = views.returns(ours.game, ours._running.states)[0]
    np.testing.assert_allclose(rewards, returns, atol=1e-5)
    if return_state:
        assert rollout["next", "state"][-1].numpy().tobytes() == ours.state().tobytes()
