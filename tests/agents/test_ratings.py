"""The arena's arithmetic, on fixed cases and on samples of known truth."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from bearagents.arena import schedule
from bearagents.ratings import Estimate, comparisons, even_share, rate, share, wins
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


# Ratings

ELO = 400 / np.log(10)


def luce_games(strengths: list[float], num_rounds: int, num_seats: int, rng: np.random.Generator) -> Any:
    """Draw rounds of games of Plackett and Luce's model: an agent wins a game with odds exp(strength)."""
    seatings = schedule(range(len(strengths)), num_seats, 2 * 24)
    seatings = np.stack([seatings] * num_rounds)
    luck = rng.gumbel(size=seatings.shape) + np.array(strengths)[seatings]
    returns = np.where(luck == luck.max(axis=2, keepdims=True), 1.0, -1 / (num_seats - 1))
    return comparisons(seatings, returns, np.zeros(returns.shape[:2], np.bool_), len(strengths))


@pytest.mark.parametrize(
    ("strengths", "num_rounds", "num_seats"),
    [
        ([0.0, 0.0], 10, 2),
        ([0.0, 3.0], 20, 2),
        ([0.0, 1.0], 12, 2),
        ([0.0, 0.5, 2.0], 20, 3),
        ([0.0, 0.5, 2.0], 20, 4),
        ([0.0, 1.0, 2.0, 6.0], 50, 3),
    ],
)
def test_ratings_find_strengths_and_intervals_cover_them(
    strengths: list[float], num_rounds: int, num_seats: int
) -> None:
    """Whatever the number of seats."""
    rng = np.random.default_rng(2)
    runs = [rate(luce_games(strengths, num_rounds, num_seats, rng)) for _ in range(60)]
    values = np.array([[one.value for one in run] for run in runs])
    reaches = np.array([[one.high - one.value for one in run] for run in runs])
    covered = []
    for one, other in combinations(range(len(strengths)), 2):
        error = values[:, other] - values[:, one] - (strengths[other] - strengths[one]) * ELO
        reach = np.hypot(reaches[:, one], reaches[:, other])
        covered.append(np.mean(np.abs(error) <= reach))
        assert abs(np.median(error)) < np.mean(reach) / 4
    assert min(covered) >= 0.9 and np.mean(covered) <= 0.99


def test_an_agent_that_loses_every_game_does_not_blur_the_others() -> None:
    rounds = np.array([[[0.0, 0.0, 0.0], [2.0, 0.0, 0.9], [2.0, 1.1, 0.0]]] * 400)
    rounds[::2, 1, 2], rounds[::2, 2, 1] = 2.0, 0.0
    lost, one, other = (found.high - found.value for found in rate(rounds))
    alone = [found.high - found.value for found in rate(rounds[:, 1:, 1:])]
    assert np.hypot(one, other) == pytest.approx(np.hypot(alone[0], alone[1]), rel=0.1)
    assert alone[0] == pytest.approx(alone[1], rel=1e-3) and lost > 10 * alone[0]


def test_ratings_do_not_depend_on_the_order_of_rounds() -> None:
    rounds = luce_games([0.0, 0.5, 2.0], 200, 3, np.random.default_rng(4))
    one, other = rate(rounds), rate(rounds[::-1])
    assert [a.value for a in one] == pytest.approx([b.value for b in other])
    assert [a.high - a.low for a in one] == pytest.approx([b.high - b.low for b in other], rel=0.1)


def test_a_gap_of_400_is_odds_of_ten() -> None:
    found = rate(np.array([[[0.0, 1.0], [10.0, 0.0]]] * 1000))
    assert found[1].value - found[0].value == pytest.approx(400, abs=0.1)
    assert found[0].value + found[1].value == pytest.approx(0)


def test_who_wins_all_has_a_rating_with_an_end() -> None:
    lost, won = rate(np.array([[[0.0, 0.0], [2.0, 0.0]]] * 100))
    assert won.value - lost.value == pytest.approx(400 * np.log10(2 * 200), rel=0.02)
    assert 400 < np.hypot(won.high - won.value, lost.high - lost.value) < won.value - lost.value


def test_who_meets_nobody_is_the_average() -> None:
    assert rate(np.zeros((2, 1, 1))) == [Estimate(0.0, 0.0, 0.0)]


def test_winners_share_and_equal_losers_say_nothing() -> None:
    def of(returns: list[float], *, is_truncated: bool = False) -> list[list[float]]:
        seatings, truncated = np.arange(len(returns))[None, None], np.array([[is_truncated]])
        found: list[list[float]] = comparisons(seatings, np.array([[returns]]), truncated, len(returns))[0].tolist()
        return found

    assert of([1.0, -0.5, -0.5]) == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert of([0.5, 0.5, -1.0]) == [[0, 0.5, 1], [0.5, 0, 1], [0, 0, 0]]
    assert of([3.0, 2.0, 1.0]) == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert of([3.0, 2.0], is_truncated=True) == of([0.0, 0.0]) == [[0, 0.5], [0.5, 0]]


def test_seats_of_one_agent_are_not_compared() -> None:
    seatings = np.array([[[0, 1, 1], [1, 0, 1]]])
    returns = np.array([[[1.0, -0.5, -0.5], [1.0, -0.5, -0.5]]])
    assert comparisons(seatings, returns, np.zeros((1, 2), np.bool_), 2).tolist() == [[[0, 2], [1, 0]]]
