"""The head start of a training run: the policy learns to choose as a teacher does, in the games that it plays itself.

That is DAgger (Ross, Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret
online learning", 2011). The teacher plays the learner's seats at first and the policy does more and more; at every
decision the teacher is asked what it would do, and that is what the policy is taught, so it learns to choose well in
positions of its own making too. Its values learn from the same games. Heuristics are compiled: to ask them costs next
to nothing beside the network. This module imports torch.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from torch.nn import functional

from bearagents.agent import Agent, decide
from bearagents.selfplay import SelfPlayVecEnv


class Lesson(NamedTuple):
    """What came of one lesson."""

    steps: int
    """The learner's decisions."""
    agreement: float
    """How often the teacher chose what the policy drew, among the decisions that left a choice."""
    loss: float
    """Mean of minus the log of the probability that the policy gave to the teacher's choice."""


class Apprentice:
    """Teaches the policy of ``ppo`` the choices of ``teacher`` in the games of ``env``.

    A lesson is ``rollout`` decisions in every game, and then one pass over them in batches of ``batch_size``. A teacher
    that is the advisor of ``env`` too is asked once for both.
    """

    def __init__(
        self,
        ppo: MaskablePPO,
        env: SelfPlayVecEnv,
        teacher: Agent,
        *,
        rollout: int,
        batch_size: int,
        value_coefficient: float,
        seed: int,
    ) -> None:
        self._policy = ppo.policy
        self._env = env
        self._teacher = teacher
        self._batch_size = batch_size
        self._gamma = ppo.gamma
        self._max_grad_norm = ppo.max_grad_norm
        self._value_coefficient = value_coefficient
        self._rng = np.random.default_rng(seed)
        shape = (rollout, env.num_envs)
        self._observation = np.zeros((*shape, env.game.observation_size), np.float32)
        self._action_mask = np.zeros((*shape, env.game.num_actions), np.int8)
        self._choices = np.zeros(shape, np.int64)
        self._returns = np.zeros(shape, np.float32)
        self._now: npt.NDArray[np.float32] = env.reset()

    def lesson(
        self, *, teacher_share: float, learning_rate: float, is_over: Callable[[], bool] = lambda: False
    ) -> Lesson:
        """Play on, the teacher choosing in ``teacher_share`` of the decisions, and learn from what it would have done.

        It decides before the policy does which of the two a decision is, so neither picks its positions. ``is_over``,
        which is asked after a decision in every game, ends the play before the rollout does.
        """
        length, agreement = self._play(teacher_share, is_over)
        for group in self._policy.optimizer.param_groups:
            group["lr"] = learning_rate
        return Lesson(self._choices[:length].size, agreement, self._learn(length))

    def _play(self, teacher_share: float, is_over: Callable[[], bool]) -> tuple[int, float]:
        """Return how many decisions each game had, and how often the teacher chose what the policy drew."""
        self._policy.set_training_mode(False)
        rewards = np.zeros(self._returns.shape, np.float32)
        dones = np.zeros(self._returns.shape, np.bool_)
        agreed = 0
        for t in range(len(rewards)):
            mask = self._env.action_masks()
            drawn, _ = self._policy.predict(self._now, action_masks=mask)
            is_told = self._teacher is self._env.advisor  # in the mask, where ADVISED is the largest value
            taught = mask.argmax(1) if is_told else decide(self._teacher, self._env.view())
            self._observation[t], self._action_mask[t], self._choices[t] = self._now, mask, taught
            agreed += int(((drawn == taught) & ((mask != 0).sum(1) > 1)).sum())
            is_taught = self._rng.random(len(drawn)) < teacher_share
            observation, rewards[t], dones[t], infos = self._env.step(np.where(is_taught, taught, drawn))
            cut = [i for i in np.flatnonzero(dones[t]) if infos[i]["TimeLimit.truncated"]]
            if cut:  # the game would have gone on
                ends = np.stack([infos[i]["terminal_observation"] for i in cut])
                rewards[t, cut] += self._gamma * self._values(ends)
            self._now = np.asarray(observation)
            if is_over():
                break
        length = t + 1
        after = self._values(self._now)
        for t in reversed(range(length)):
            self._returns[t] = after = rewards[t] + self._gamma * after * ~dones[t]
        return length, agreed / max(int(((self._action_mask[:length] != 0).sum(2) > 1).sum()), 1)

    def _values(self, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        with torch.no_grad():
            values: npt.NDArray[np.float32] = self._policy.predict_values(torch.as_tensor(observation)).numpy()
        return values.squeeze(1)

    def _learn(self, length: int) -> float:
        self._policy.set_training_mode(True)
        data = [_rows(array[:length]) for array in (self._observation, self._choices, self._action_mask, self._returns)]
        losses = []
        order = torch.randperm(len(data[0]))
        for first in range(0, len(order), self._batch_size):
            observation, choices, mask, returns = (array[order[first : first + self._batch_size]] for array in data)
            values, log_prob, _ = self._policy.evaluate_actions(observation, choices, action_masks=mask)
            value_loss = functional.mse_loss(values.squeeze(1), returns)
            self._policy.optimizer.zero_grad()
            loss = -log_prob.mean() + self._value_coefficient * value_loss
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
            torch.nn.utils.clip_grad_norm_(self._policy.parameters(), self._max_grad_norm)
            self._policy.optimizer.step()
            losses.append(-log_prob.mean().item())
        return float(np.mean(losses))


def _rows(array: npt.NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(array.reshape(-1, *array.shape[2:]))
