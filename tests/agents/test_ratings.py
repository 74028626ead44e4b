"""The arena's arithmetic, on fixed cases and on samples of known truth."""

import numpy as np
import pytest
from bearagents.ratings import Estimate, even_share, rate, share, wins
from scipy.stats import binomtest

from bearenvs.registry import load_game

RIVALS = load_game("honey_wars", num_players=2)


def test_the_highest_return_wins_and_ties_share() -> None:
    returns = np.array([[1.0, -0.5, -0.5], [2.0, 3.0, 3.0], [0.0, 0.0, 0.0], [-2.0, -1.0, -3.0]])
    found = wins(RIVALS, returns, np.zeros(4, np.bool_))
    np.testing.assert_array_equal(found, [[1, 0, 0], [0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3], [0, 1, 0]])


def test_nobody_wins_a_truncated_game() -> None:
    found = wins(RIVALS, np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([False, True]))
    np.testing.assert_array_equal(found, [[1, 0], [0, 0]])


def test_in_a_cooperative_game_all_win_or_none() -> None:
    game = load_game("outrun_the_bear", num_players=2, coop=True)
    found = wins(game, np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0]]), np.array([False, False, True]))
    np.testing.assert_array_equal(found, [[1, 1], [0, 0], [0, 0]])
    assert even_share(game) is None
    assert even_share(load_game("outrun_the_bear", num_players=4)) == 0.25


@pytest.mark.parametrize(("won", "of"), [(30, 100), (500, 1000), (1, 400), (399, 400)])
def test_rounds_of_one_game_have_wilsons_interval(won: int, of: int) -> None:
    found = share(np.repeat([1.0, 0.0], [won, of - won]))
    expected = binomtest(won, of).proportion_ci(method="wilson")
    assert found.value == won / of
    # A sample's variance and Student's quantile in place of the binomial's: a difference that falls with the games.
    assert found.low == pytest.approx(expected.low, rel=0.03)
    assert found.high == pytest.approx(expected.high, rel=0.03)


def test_interval_lies_within_bounds_and_has_a_width() -> None:
    for value in (0.0, 0.5, 1.0):
        found = share(np.full(50, value))
        assert 0 <= found.low <= value <= found.high <= 1
        assert found.high - found.low == pytest.approx(0.075 if value != 0.5 else 0.27, rel=0.05)


def test_games_of_one_deal_count_as_one() -> None:
    """100 rounds whose ten games all end alike say as little as 100 games."""
    rounds = np.repeat([1.0, 0.0], [60, 40])
    assert share(np.stack([rounds] * 10).mean(axis=0)) == share(rounds)


def test_playing_all_seats_narrows_the_interval() -> None:
    """An agent that wins nine in ten games in one seat and one in ten in the other wins about one game a round."""
    games = np.random.default_rng(0).random((400, 2)) < (0.9, 0.1)
    found = share(games.mean(axis=1))
    independent = binomtest(int(games.sum()), 800).proportion_ci(method="wilson")
    assert found.high - found.low < 0.7 * (independent.high - independent.low)


@pytest.mark.parametrize("truth", [0.03, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("num_rounds", [10, 100])
def test_intervals_cover_the_truth_95_times_in_100(truth: float, num_rounds: int) -> None:
    """Also for games that depend on each other within a round: half of them end as the first one does."""
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(1000):
        games = rng.random((num_rounds, 6)) < truth
        games = np.where(rng.random(games.shape) < 0.5, games[:, :1], games)
        found = share(games.mean(axis=1))
        covered += found.low <= truth <= found.high
    assert 0.92 < covered / 1000 < 0.995


def of_strengths(strengths: list[float], num_games: int, seed: int, num_seats: int = 3) -> list[Estimate]:
    """Rate agents of which each wins a game with odds exp(strength)."""
    rng = np.random.default_rng(seed)
    games = []
    for _ in range(num_games):
        agents = rng.integers(0, len(strengths), num_seats)
        weights = np.exp(np.array(strengths)[agents])
        scores = np.full(num_seats, -1.0)
        scores[rng.choice(num_seats, p=weights / weights.sum())] = 1.0
        games.append((agents, scores))
    return rate(games, len(strengths))


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_ratings_find_the_strengths_whatever_the_number_of_seats(num_seats: int) -> None:
    """A rating's gap g means odds of exp(g / (sqrt(2) 25/6)): openskill's own scale."""
    scale = 2**0.5 * 25 / 6
    runs = [of_strengths([0.0, 0.5, 2.0], 1500, seed, num_seats) for seed in range(4)]
    gaps = np.array([[one.value - run[0].value for one in run] for run in runs]) / scale
    np.testing.assert_allclose(gaps.mean(axis=0), [0.0, 0.5, 2.0], atol=0.15)
    covered = [
        one.low < 25 + (s - 5 / 6) * scale < one.high for run in runs for one, s in zip(run, (0, 0.5, 2), strict=True)
    ]
    assert np.mean(covered) > 0.8


def test_ties_truncations_and_games_against_oneself_say_nothing() -> None:
    start = rate([], 2)
    assert start[0] == start[1] and start[0].low < 25 == start[0].value < start[0].high
    assert rate([(np.array([0, 1]), np.zeros(2)), (np.array([1, 1]), np.array([1.0, -1.0]))], 2) == start


def test_ranks_count_where_there_are_more_than_a_winner() -> None:
    found = rate([(np.array([0, 1, 2]), np.array([30.0, 20.0, 10.0]))] * 50, 3)
    assert found[0].low > found[1].value > found[2].high
