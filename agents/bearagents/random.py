"""The agent that plays any legal action with equal chance."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bearagents.agent import View
from bearenvs.kernel import kernel
from bearenvs.rng import random_below


class RandomAgent:
    """Plays a uniformly random legal action."""

    name = "random"

    def reset(self, seed: int) -> None:
        """Do nothing: every view brings its random numbers."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        """See :class:`~bearagents.agent.Agent`."""
        actions = np.empty(len(view), np.int64)
        view.game.bind(choose_randomly)(view.legal, view.num_legal, view.rng, actions)
        return actions


@kernel
def choose_randomly(legal: Any, num_legal: Any, rng: Any, actions: Any) -> None:
    """Write a random entry of each legal list."""
    for i in range(actions.shape[0]):
        actions[i] = legal[i, random_below(rng[i], int(num_legal[i]))]
