"""The network that self-play trains: stable-baselines3's actor-critic with a masked distribution that cannot fail.

sb3-contrib's own masked distribution hands probabilities to torch's argument checks, which large masked action
spaces can fail late in training by rounding alone (its issues 81 and 247). Here one masked log-softmax is all there
is: nothing to check, illegal actions have probability 0 exactly, and it is faster too. This module imports torch.
"""

import warnings
from typing import Any, Self

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution, MaybeMasks
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import nn

from bearagents.policy import PolicyWarning
from bearagents.selfplay import ADVISED

UNADVISED = (
    "this policy learnt with its heuristic's advice and is far weaker without, but these action masks hold none:"
    " take them from bearagents.advised.AdvisedEnv around the environment, or play by bearagents.policy.Policy"
)


class MaskedCategorical(MaskableDistribution):
    """A categorical distribution over ``num_actions`` in which illegal actions have probability 0.

    ``advice`` is added to the logit of an action that is advised.
    """

    def __init__(self, num_actions: int, advice: float = 0.0) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # stable-baselines3 leaves it unannotated
        self.num_actions = num_actions
        self.advice = advice

    def proba_distribution_net(self, latent_dim: int) -> nn.Module:
        """Return the layer that computes the logits."""
        return nn.Linear(latent_dim, self.num_actions)

    def proba_distribution(self, action_logits: torch.Tensor) -> Self:
        """Take the logits (n, num_actions), with every action legal until :meth:`apply_masking`."""
        self._logits = action_logits
        self.apply_masking(None)
        return self

    def apply_masking(self, masks: MaybeMasks) -> None:
        """Take what is legal, any array with the logits' size: 0 illegal, 1 legal, 2 legal and advised.

        ``None``: all are legal. PolicyWarning if advice counts and no mask holds any.
        """
        logits = self._logits
        if masks is None:
            self._is_legal = torch.ones_like(logits, dtype=torch.bool)
        else:
            given = torch.as_tensor(masks, device=logits.device).reshape(logits.shape)
            self._is_legal = given != 0
            if self.advice:
                is_advised = given == ADVISED
                if not is_advised.any() and not self._is_legal.all():  # all legal: the episode is over
                    warnings.warn(UNADVISED, PolicyWarning, stacklevel=2)
                logits = logits + self.advice * is_advised
        self._log_probs = torch.log_softmax(logits.masked_fill(~self._is_legal, -torch.inf), dim=1)

    def log_prob(self, x: torch.Tensor) -> torch.Tensor:
        """Return the log probability (n,) of the actions ``x`` (n,)."""
        return self._log_probs.gather(1, x.long().reshape(-1, 1)).squeeze(1)

    def entropy(self) -> torch.Tensor:
        """Return the entropy (n,)."""
        log_probs = self._log_probs.masked_fill(~self._is_legal, 0.0)
        return -(log_probs * log_probs.exp() * self._is_legal).sum(1)

    def sample(self) -> torch.Tensor:
        """Return random actions (n,): the first of independent exponential clocks to ring."""
        clocks = torch.empty_like(self._log_probs).exponential_()
        # Filled once more because a clock of exactly 0 would let an illegal action ring too.
        return (self._log_probs - clocks.log()).masked_fill(~self._is_legal, -torch.inf).argmax(1)

    def mode(self) -> torch.Tensor:
        """Return the most probable actions (n,)."""
        return self._log_probs.argmax(1)

    def actions_from_params(self, action_logits: torch.Tensor, deterministic: bool = False) -> torch.Tensor:
        """Return actions for the logits, all of them legal."""
        return self.proba_distribution(action_logits).get_actions(deterministic=deterministic)

    def log_prob_from_params(self, action_logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return random actions for the logits, all of them legal, and their log probabilities."""
        actions = self.actions_from_params(action_logits)
        return actions, self.log_prob(actions)


class Network(MaskableActorCriticPolicy):
    """Two separate multilayer perceptrons, for the logits of the actions and for the value."""

    def __init__(
        self,
        observation_space: spaces.Box,
        action_space: spaces.Discrete,
        lr_schedule: Schedule,
        *,
        hidden: tuple[int, ...],
        advice: float = 0.0,
        **options: Any,
    ) -> None:
        self._advice = advice
        self._num_actions = int(action_space.n)
        layers = {"pi": list(hidden), "vf": list(hidden)}
        super().__init__(
            observation_space, action_space, lr_schedule, net_arch=layers, activation_fn=nn.ReLU, **options
        )

    def _build(self, lr_schedule: Schedule) -> None:
        self.action_dist = MaskedCategorical(self._num_actions, self._advice)
        super()._build(lr_schedule)
