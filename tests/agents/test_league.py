"""The league: who is met how often, and what its log says."""

import numpy as np
import numpy.typing as npt
import pytest
from bearagents.agent import View
from bearagents.heuristics import HeuristicAgent
from bearagents.league import DOUBT, LEAST_PRIORITY, MEMORY, League, Scale
from bearagents.random import RandomAgent
from bearagents.selfplay import MAX_OPPONENTS, Opponent

from bearenvs.errors import SettingsError
from bearenvs.registry import load_game
from tests.agents.toy_game import TAKE, toy_game


class Named(RandomAgent):
    def __init__(self, name: str) -> None:
        self.name = name


def league(is_prioritised: bool = True, num_snapshots: int = 2) -> League:
    fixed = [Opponent(Named("easy"), 0.2), Opponent(Named("hard"), 0.6)]
    return League(fixed, snapshot_share=0.2, num_snapshots=num_snapshots, is_prioritised=is_prioritised)


def shares(league: League) -> dict[str, float]:
    return {member.agent.name: round(member.weight, 6) for member in league.pool}


def test_newcomers_are_taken_for_equals() -> None:
    one = league()
    assert shares(one) == {"easy": 0.2, "hard": 0.8}  # what the snapshots would have is the last one's
    one.add(Named("s1"))
    assert shares(one) == {"easy": 0.2, "hard": 0.6, "s1": 0.2}


def test_who_is_beaten_anyway_or_never_is_met_less() -> None:
    one = league()
    one.add(Named("s1"))
    for _ in range(2000):
        one.note(["easy"], 1.0)
        one.note(["hard"], -1.0)
    for k in range(2000):
        one.note(["s1"], 1.0 if k % 2 else -1.0)
    found = shares(one)
    assert found["s1"] > 0.8
    # 4 p (1 - p) of p = 10 / 2020, more than the least priority of 0.02 by little, times the given shares
    assert found["hard"] == pytest.approx(3 * found["easy"], rel=1e-3)
    assert found["easy"] == pytest.approx(0.2 * LEAST_PRIORITY / 0.2 * found["s1"], rel=1e-3)


def test_an_opponent_comes_back_when_results_change() -> None:
    one = league()
    for _ in range(500):
        one.note(["hard"], -1.0)
    before = shares(one)["hard"]
    for _ in range(60):  # rounds, in which the learner has grown an equal
        one.end_round()
        one.note(["hard"], 1.0)
        one.note(["hard"], -1.0)
    assert before < shares(one)["hard"] > 0.75


def test_without_priorities_shares_stay() -> None:
    one = league(is_prioritised=False)
    for _ in range(500):
        one.note(["easy"], 1.0)
    assert shares(one) == {"easy": 0.2, "hard": 0.8}


def test_the_oldest_snapshot_goes_and_all_keep_their_places() -> None:
    one = league()
    first, *rest = (Named(f"s{k}") for k in range(4))
    assert one.add(first) is None
    assert one.add(rest[0]) is None
    assert one.add(rest[1]) is first
    assert [member.agent.name for member in one.pool] == ["easy", "hard", "s2", "s1"]
    assert one.add(rest[2]) is rest[0]
    assert [member.agent.name for member in one.pool] == ["easy", "hard", "s2", "s3"]
    one.note(["s0", "easy"], 1.0)  # a game that began before it went
    lines = {line.opponent: (line.games, line.score) for line in one.end_round()}
    assert lines == {"easy": (1, 11 / 21), "hard": (0, 0.5), "s2": (0, 0.5), "s3": (0, 0.5)}


@pytest.mark.parametrize("num_players", [2, 4])
def test_between_equals_a_score_is_half_and_a_loss_is_0(num_players: int) -> None:
    """Who always loses returns -1/(n-1) there, and equals return 0 on the average."""
    found = Scale.of(load_game("honey_wars", num_players=num_players), HeuristicAgent())
    assert (found.worst, found.best) == pytest.approx((-1 / (num_players - 1), 1.0))
    assert found.even == pytest.approx(0.0, abs=1e-9)
    assert [found.score(value) for value in (found.worst, found.even, found.best, -1.0)] == [0.0, 0.5, 1.0, 0.0]


def test_where_most_lose_half_a_score_is_what_equals_return() -> None:
    found = Scale.of(load_game("outrun_the_bear", num_players=4), RandomAgent())
    assert (found.worst, found.best) == (-1.0, 1.0) and found.worst < found.even < 0.0
    assert found.score(found.even) == 0.5
    coop = Scale.of(load_game("outrun_the_bear", num_players=4, coop=True), RandomAgent())
    assert coop.worst < coop.even == (coop.worst + coop.best) / 2


def test_games_that_all_end_alike_have_a_scale() -> None:
    found = Scale.of(toy_game(num_players=2, die_sides=1, max_turns=2), Taker())
    assert [found.score(value) for value in (0.0, 1.0, 2.0)] == [0.0, 0.5, 1.0]


class Taker(RandomAgent):
    def act(self, view: View) -> npt.NDArray[np.int64]:
        return np.full(len(view), TAKE)


def test_an_opponent_that_always_wins_against_three_is_met_least() -> None:
    one = League([Opponent(Named("hard"))], is_prioritised=True, scale=Scale(-1 / 3, 0.0, 1.0))
    for _ in range(2000):
        one.note(["hard"], -1 / 3)
    (line,) = one.end_round()
    assert line.score == pytest.approx(0.5 * DOUBT / (2000 + DOUBT))


def test_what_is_remembered_counts_less_and_says_the_same() -> None:
    one = league()
    for _ in range(30):
        one.note(["easy"], 1.0)
    before = one.end_round()[0].score
    assert before == one.end_round()[0].score == pytest.approx((DOUBT / 2 + 30) / (DOUBT + 30))
    one.note(["easy"], -1.0)
    left = (DOUBT + 30) * MEMORY**2
    assert one.end_round()[0].score == pytest.approx(before * left / (left + 1))


def test_the_log_tells_the_shares_of_the_round_and_not_of_the_next() -> None:
    one = league()
    given = {member.agent.name: member.weight for member in one.hand_out()}
    for _ in range(500):
        one.note(["hard"], -1.0)
    one.add(Named("s1"))
    assert {line.opponent: line.share for line in one.end_round()} == given | {"s1": 0.0}
    after = {member.agent.name: member.weight for member in one.hand_out()}
    assert after["hard"] < given["hard"]
    assert {line.opponent: line.share for line in one.end_round()} == after


def test_a_round_tells_who_was_met_and_how_it_went() -> None:
    one = league()
    one.hand_out()
    one.note(["easy", "easy"], 1.0)
    one.note(["easy", "hard"], 0.0)
    easy, hard = one.end_round()
    assert (easy.opponent, easy.games, hard.games) == ("easy", 2, 1)
    assert easy.score == pytest.approx((10 + 1.5) / 22)
    assert hard.score == pytest.approx(10.5 / 21)
    assert easy.share + hard.share == pytest.approx(1.0)
    assert [line.games for line in one.end_round()] == [0, 0]


def test_what_makes_no_league_is_refused() -> None:
    with pytest.raises(SettingsError, match="same name: easy, easy"):
        League([Opponent(Named("easy")), Opponent(Named("easy"))])
    with pytest.raises(SettingsError, match=f"at most {MAX_OPPONENTS} members"):
        League([Opponent(Named("easy"))], num_snapshots=MAX_OPPONENTS)
    for weights in ([], [0.0, 0.0], [1.0, -0.5], [float("nan")], [float("inf")]):
        with pytest.raises(SettingsError, match="a league has members"):
            League([Opponent(Named(str(place)), weight) for place, weight in enumerate(weights)])
