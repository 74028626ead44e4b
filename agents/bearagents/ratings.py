"""What the arena infers from results: win shares with honest intervals, and ratings.

Games of one seed start from the same deal, so their results are not independent. Intervals of shares therefore go by
*rounds*: a round is every agent in every seat, at one seed. Rounds are independent.
"""

from dataclasses import dataclass
from itertools import permutations
from math import log, sqrt

import numpy as np
import numpy.typing as npt
from choix import ilsr_pairwise_dense
from scipy.optimize import nnls
from scipy.stats import t

from bearenvs.game import Game

CONFIDENCE = 0.95
_ELO = 400 / log(10)
_DRAWS = 300
"""Of the bootstrap of ratings: so many know an interval's width to about 4%."""
_MOST_STEPS = 1000

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


def comparisons(
    seatings: npt.NDArray[np.int64], returns: Floats, truncated: npt.NDArray[np.bool_], num_agents: int
) -> Floats:
    """Return how often each agent did better than each other in every round, (rounds, agents, agents).

    ``seatings`` and ``returns`` have the axes round, game, seat; ``truncated`` has the first two. Every two seats of
    different agents are compared. Who win together share, as do all in a truncated game: half for each. Who lose
    alike say nothing of each other.
    """
    found = np.zeros((len(returns), num_agents, num_agents))
    rounds = np.arange(len(returns))[:, None]
    best = returns.max(axis=2)
    for one, other in permutations(range(returns.shape[2]), 2):
        ours, theirs = returns[..., one], returns[..., other]
        is_shared = truncated | ((ours == theirs) & (ours == best))
        points = np.where(is_shared, 0.5, ours > theirs)
        np.add.at(found, (rounds, seatings[..., one], seatings[..., other]), points)
    found[:, range(num_agents), range(num_agents)] = 0.0
    return found


def rate(rounds: Floats) -> list[Estimate]:
    """Rate agents by :func:`comparisons` (rounds, agents, agents), in Elo points: 0 is the average of the field.

    A gap of 400 log10(x) says that in comparisons of the two the one does better x times as often as the other: 10
    times for 400, 64% for 100. It is the model of Bradley and Terry (1952) at its maximum of likelihood. Half a win
    and half a loss against the average for each agent keep the ratings finite.

    Intervals are for gaps: a gap is known within the root of the sum of the squares of both agents' reaches. They
    come from a bootstrap over rounds in its Bayesian form (Rubin, 1981): every round, and each of those halves, gets a
    random weight. The scatter is widened for few rounds, by Student's quantile, as in :func:`share`.
    """
    num_rounds, num_agents, _ = rounds.shape
    flat = rounds.reshape(num_rounds, -1)
    rng = np.random.default_rng(0)
    drawn = np.zeros((1 + _DRAWS, num_agents + 1, num_agents + 1))
    weights = np.concatenate([np.ones((1, num_rounds)), rng.exponential(size=(_DRAWS, num_rounds))])
    drawn[:, :-1, :-1] = (weights @ flat).reshape(-1, num_agents, num_agents)
    drawn[0, :-1, -1] = drawn[0, -1, :-1] = 0.5
    drawn[1:, :-1, -1], drawn[1:, -1, :-1] = rng.gamma(0.5, size=(2, _DRAWS, num_agents))
    ratings = np.stack([_most_likely(wins) for wins in drawn])
    reach = np.sqrt(_own_variances(ratings[1:]) * num_rounds / (num_rounds - 1))
    reach *= t.ppf((1 + CONFIDENCE) / 2, num_rounds - 1)
    found = zip(ratings[0].tolist(), reach.tolist(), strict=True)
    return [Estimate(value, value - half, value + half) for value, half in found]


def _own_variances(draws: Floats) -> Floats:
    """Return a variance for each agent, such that those of two add up to their gap's in ``draws`` (draws, agents).

    Quasi-variances (Firth and de Menezes, 2004), by the least squares of relative errors. Variances around the average
    would make one agent of whom little is known blur all others.
    """
    ones, others = np.triu_indices(draws.shape[1], 1)
    of_gaps = (draws[:, ones] - draws[:, others]).var(axis=0)
    if not len(of_gaps):
        return np.zeros(1)
    who = np.eye(draws.shape[1])
    sums = np.concatenate([(who[ones] + who[others]) / of_gaps[:, None], 1e-3 * who / of_gaps.max()])
    found: Floats = nnls(sums, np.repeat([1.0, 0.0], [len(ones), len(who)]))[0]  # the last rows: of two, half for each
    return found


def _most_likely(wins: Floats) -> Floats:
    """Return the ratings (agents,) of most likelihood for ``wins``, one row and column more: those of the average."""
    strengths = ilsr_pairwise_dense(wins, max_iter=_MOST_STEPS)[:-1]  # natural logarithms of odds
    ratings: Floats = (strengths - strengths.mean()) * _ELO
    return ratings
