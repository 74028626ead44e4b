"""What the arena infers from results: win shares with honest intervals, and ratings.

Games of one seed start from the same deal, so their results are not independent. Intervals of shares therefore go by
*rounds*: a round is every agent in every seat, at one seed. Rounds are independent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
from openskill.models import PlackettLuce
from scipy.stats import t

from bearenvs.game import Game

CONFIDENCE = 0.95

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95% interval."""

    value: float
    low: float
    high: float


def wins(game: Game, returns: Floats, truncated: npt.NDArray[np.bool_]) -> Floats:
    """Return each seat's share of the win (games, seats) from the final ``returns`` (games, seats) of ``game``.

    The highest return wins; ``w`` seats that share it get 1/w each. In a cooperative game all seats win, each whole,
    if they return more than 0. Nobody wins a truncated game.
    """
    is_best = returns == returns.max(axis=1, keepdims=True)
    shares: Floats = is_best / is_best.sum(axis=1, keepdims=True)
    if game.is_cooperative:
        shares = (returns > 0.0).astype(np.float64)
    shares[truncated] = 0.0
    return shares


def even_share(game: Game) -> float | None:
    """Return the share of the win that equals have, one in the number of seats; None in a cooperative game.

    There all seats have the same share: how often the team wins.
    """
    return None if game.is_cooperative else 1 / game.num_players


def share(rounds: Floats) -> Estimate:
    """Estimate a share from its mean in each round, (rounds,) of values in [0, 1], at least two.

    Wilson's score interval (1927) on the effective sample size (Korn and Graubard, 1998): as many independent
    games as would scatter like the rounds do. If the rounds do not scatter at all, each counts as one game. So the
    interval stays within [0, 1] and always has a width.
    """
    mean, num_rounds = float(rounds.mean()), len(rounds)
    variance = float(rounds.var(ddof=1)) / num_rounds
    size = mean * (1 - mean) / variance if variance > 1e-12 else float(num_rounds)
    z = float(t.ppf((1 + CONFIDENCE) / 2, num_rounds - 1))
    middle = (mean + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * sqrt(mean * (1 - mean) / size + z * z / (4 * size * size))
    return Estimate(mean, max(0.0, middle - half), min(1.0, middle + half))


def rate(games: Iterable[tuple[npt.NDArray[np.int64], Floats]], num_agents: int) -> list[Estimate]:
    """Rate agents 0 to ``num_agents`` - 1 by ``games``, each given as the agent and the score in every seat.

    openskill's Plackett-Luce model, fed with pairs: who did better than whom in one game. Ties, and an agent against
    itself, say nothing. Fed with whole games it would take all who lost to one winner for equals, and so draw the
    weaker agents together. Agents do not change between games, hence ``tau=0``. The interval is the model's own
    uncertainty. A gap of 6 means about 73% of the wins between two.
    """
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(num_agents)]
    for agents, scores in games:
        for better, worse in zip(*np.nonzero(scores[:, None] > scores[None, :]), strict=True):
            winner, loser = agents[better], agents[worse]
            if winner != loser:
                (ratings[winner],), (ratings[loser],) = model.rate([[ratings[winner]], [ratings[loser]]])
    z = float(t.ppf((1 + CONFIDENCE) / 2, np.inf))
    return [Estimate(one.mu, one.mu - z * one.sigma, one.mu + z * one.sigma) for one in ratings]
