"""Masks that hold an advisor's advice, in a single-seat environment, for policies that learnt with it.

The network of a training run is only part of its policy (``advice`` of :class:`bearagents.policy.PolicyCard`): it has
learnt where to differ from the heuristic, and is next to nothing where no mask tells it what that would do.
"""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from bearagents.agent import Agent, decide, reset
from bearagents.heuristics import HeuristicAgent
from bearagents.selfplay import ADVISED
from bearenvs.errors import SettingsError
from bearenvs.gym import SeatEnv


class AdvisedEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A :class:`~bearenvs.gym.SeatEnv`, wrapped or not, whose :meth:`action_masks` also tell what ``advisor`` would do.

    ``advisor``: None for the game's heuristic, whose advice ``bearenvs train`` gives.

    SettingsError if ``env`` is no such environment.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], advisor: Agent | None = None) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, SeatEnv):
            raise SettingsError(f"{env} is no SeatEnv: gymnasium.make('bearenvs/...') makes one")
        self.advisor = advisor or HeuristicAgent()
        self._seat_env = env.unwrapped
        self._masks: npt.NDArray[np.int8] | None = None  # once they are asked for

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode, see :class:`~bearenvs.gym.SeatEnv`. A ``seed`` starts the advisor anew too."""
        self._masks = None
        if seed is not None:
            reset(self.advisor, seed)
        return super().reset(seed=seed, options=options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Play ``action``, see :class:`~bearenvs.gym.SeatEnv`."""
        self._masks = None
        return super().step(action)

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the learner's actions, int8 (A,): 0 illegal, 1 legal, 2 legal and what the advisor would do.

        All 1 when the episode is over. The advisor is asked once for each decision, however often this is called;
        AgentError if it fails.
        """
        if self._masks is None:
            self._masks = self._seat_env.action_masks().astype(np.int8)
            if self._seat_env.legal_actions():
                self._masks[decide(self.advisor, self._seat_env.view())] = ADVISED
        return self._masks.copy()
