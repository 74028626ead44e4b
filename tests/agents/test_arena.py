"""Who plays whom where, that results follow from the seed alone, and what the report makes of them."""

import asyncio
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from bearagents.agent import Agent, AgentError, UnfitError, View, agent_seed
from bearagents.arena import FEWEST_ROUNDS, Results, compete, cyclic_order, line_ups, record_game, schedule
from bearagents.heuristics import HeuristicAgent
from bearagents.random import RandomAgent
from bearagents.report import Report
from rich.console import Console

from bearenvs import views
from bearenvs.batch import Batch
from bearenvs.content import Content
from bearenvs.errors import BearenvsError, IllegalActionError, OrderError, SettingsError
from bearenvs.registry import load_game
from tests.agents.toy_game import GIVE, LEAVE, TAKE, ToyGame, ToySettings, toy_game


class Always:
    """Plays one action in every game, and keeps what it saw."""

    name = "always"

    def __init__(self, action: int) -> None:
        self.action = action
        self.seeds: list[int] = []
        self.seen: list[View] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, view: View) -> npt.NDArray[np.int64]:
        self.seen.append(view)
        return np.full(len(view), self.action)


# Line-ups and seatings


@pytest.mark.parametrize(
    ("entries", "num_seats", "expected"),
    [
        ([0, 1], 2, ["01"]),
        ([0, 1, 2], 2, ["01", "02", "12"]),
        ([0, 1], 3, ["001", "011"]),
        ([0, 1], 4, ["0011"]),
        ([0, 1, 2], 4, ["0012", "0112", "0122"]),
        ([0, 1, 2], 3, ["012"]),
        ([0], 3, ["000"]),
        ([0, 1, 1, 1], 4, ["0111"]),
        ([0, 1, 1], 2, ["01", "11"]),
    ],
)
def test_line_ups(entries: list[int], num_seats: int, expected: list[str]) -> None:
    assert ["".join(map(str, line_up)) for line_up in line_ups(entries, num_seats)] == expected


@pytest.mark.parametrize("num_agents", [1, 2, 3, 5])
@pytest.mark.parametrize("num_seats", [2, 3, 4, 6])
@pytest.mark.parametrize("is_short", [False, True])
def test_every_agent_sits_equally_often_in_every_seat(num_agents: int, num_seats: int, is_short: bool) -> None:
    all_orders = schedule(range(num_agents), num_seats, 10**6)
    seatings = schedule(range(num_agents), num_seats, 30 * len(all_orders) - 1) if is_short else all_orders
    assert len({tuple(order) for order in seatings}) == len(seatings)
    for seat in range(num_seats):
        times = Counter(seatings[:, seat].tolist())
        assert len(times) == num_agents and len(set(times.values())) == 1


def test_enough_games_allow_every_order_and_few_only_turns() -> None:
    orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    assert schedule([0, 1, 2], 3, 180).tolist() == orders
    assert schedule([0, 1, 2], 3, 179, seed=8).tolist() == [orders[0], orders[3], orders[4]]
    assert schedule([0, 1, 2], 3, 179, seed=9).tolist() == [orders[1], orders[2], orders[5]]


@pytest.mark.parametrize(("num_agents", "num_seats"), [(3, 3), (4, 4), (4, 3), (5, 2), (3, 4), (3, 5), (5, 5), (2, 4)])
def test_over_rounds_everyone_follows_everyone_equally_often(num_agents: int, num_seats: int) -> None:
    """In each seat: the round's cyclic orders take turns."""
    num_rounds = factorial(num_agents - 1)
    rounds = np.stack([schedule(range(num_agents), num_seats, 700, seed) for seed in range(7, 7 + num_rounds)])
    tables = rounds.reshape(-1, num_seats)
    times = Counter(
        (seat, one, other)
        for seat in range(num_seats)
        for one, other in zip(tables[:, seat].tolist(), np.roll(tables, -1, axis=1)[:, seat].tolist(), strict=True)
        if one != other
    )
    assert len(times) == num_seats * num_agents * (num_agents - 1)
    assert len(set(times.values())) == 1


@pytest.mark.parametrize("num_agents", [4, 5, 6])
def test_neighbours_change_from_round_to_round(num_agents: int) -> None:
    orders = [cyclic_order(range(num_agents), number) for number in range(factorial(num_agents - 1))]
    assert len({tuple(order) for order in orders}) == len(orders)
    for one, other in pairwise(orders):
        assert one != other


def test_two_agents_sit_the_same_in_every_round() -> None:
    """So the games of a pair of the ladder, and of a duel, are the same whatever the seed."""
    for entries, num_seats in (([0, 1], 2), ([0, 1], 3), ([0, 1], 4), ([0, 1, 1], 3), ([0, 1, 1, 1, 1, 1], 6)):
        first = sorted(line_up[k:] + line_up[:k] for line_up in line_ups(entries, num_seats) for k in range(num_seats))
        for seed in range(10):
            assert schedule(entries, num_seats, 50, seed).tolist() == [list(seating) for seating in first]


@pytest.mark.parametrize("batch_size", [7, 2048])
def test_equals_get_the_same_though_one_opponent_feeds_whom_it_precedes(batch_size: int) -> None:
    game = toy_game(num_players=3, die_sides=1, max_turns=42)
    agents = {"one": Always(TAKE), "giver": Always(GIVE), "other": Always(TAKE)}
    found = compete(game, agents, games=30, batch_size=batch_size)
    one, giver, other = Report.of(found).agents
    assert (one.mean_return, giver.mean_return, other.mean_return) == (14 + 14, 0, 14 + 14)
    assert len({seatings.tobytes() for seatings in found.seatings}) == 2


def test_too_few_games_are_refused() -> None:
    assert len(schedule([0, 1, 2], 3, 6)) * FEWEST_ROUNDS == 6
    with pytest.raises(SettingsError, match="games=5: these agents need at least 6: 2 rounds, for intervals, of 3"):
        schedule([0, 1, 2], 3, 5)
    with pytest.raises(SettingsError, match="1000 agents make more line-ups of 6 than"):
        schedule(range(1000), 6, 10**9)  # at once: they are not listed
    with pytest.raises(SettingsError, match="at least one agent"):
        schedule([], 3, 100)


@pytest.mark.parametrize("entries", [["random"], ["random", "heuristic", "other"], []])
def test_entries_name_the_agents(entries: list[str]) -> None:
    with pytest.raises(SettingsError, match="these agents have to be named, each at least once"):
        compete(load_game("honey_wars"), baselines(), games=100, entries=entries)


# Play


def baselines() -> dict[str, Agent]:
    return {"random": RandomAgent(), "heuristic": HeuristicAgent()}


def test_results_follow_from_the_seed_whatever_the_batch() -> None:
    game = load_game("honey_wars", num_players=3)
    one, other = (compete(game, baselines(), games=120, seed=4, batch_size=size) for size in (2048, 7))
    np.testing.assert_array_equal(one.returns, other.returns)
    np.testing.assert_array_equal(one.decisions, other.decisions)
    changed = compete(game, baselines(), games=120, seed=5)
    assert (changed.returns != one.returns).any()
    # Round r of a run is round 0 of the run with a seed greater by r: the games of a round share their seed.
    np.testing.assert_array_equal(changed.returns[:-1], one.returns[1:])


class Spy(RandomAgent):
    """Plays at random and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: list[View] = []

    def act(self, view: View) -> npt.NDArray[np.int64]:
        self.seen.append(view)
        return super().act(view)


def test_seatings_of_a_round_start_from_the_same_deal() -> None:
    one, other = Spy(), Spy()
    found = compete(load_game("honey_wars", num_players=2), {"one": one, "other": other}, games=40, seed=1)
    # After the warm-up each sees the first decision of the 20 games in which it sits first.
    first, second = (spy.seen[1].states["seats"]["hand"][:, 0] for spy in (one, other))
    assert len(first) == 20 and len({hand.tobytes() for hand in first}) > 10
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(found.returns[:, 0], found.returns[:, 1])  # two of a kind: no matter who is who


def test_known_results() -> None:
    """In the toy game without dice, ``take`` earns the author 1 and ``give`` the next seat 2, for 40 turns."""
    game = toy_game(num_players=2, die_sides=1, max_turns=40)
    found = compete(game, {"taker": Always(TAKE), "giver": Always(GIVE)}, games=8)
    assert found.seatings.tolist() == [[[0, 1], [1, 0]]] * 4
    np.testing.assert_array_equal(found.returns[:, 0], [[20 + 40, 0]] * 4)
    np.testing.assert_array_equal(found.returns[:, 1], [[0, 20 + 40]] * 4)
    assert found.truncated.all() and found.decisions.tolist() == [160, 160]
    report = Report.of(found)
    assert report.truncated == report.games == 8
    assert [agent.win_share.value for agent in report.agents] == [0, 0]  # nobody wins a truncated game
    assert [agent.mean_return for agent in report.agents] == [60, 0]


def test_agents_are_reset_before_they_are_asked_and_before_they_play() -> None:
    game = toy_game(num_players=2)
    taker = Strict(TAKE)
    compete(game, {"taker": taker}, games=50, seed=3, batch_size=10)
    assert taker.seeds == [0, agent_seed(3, 0)]  # to warm up, and to play
    taker = Strict(TAKE)
    record_game(game, [taker, taker], 3)
    assert taker.seeds == [agent_seed(3, 0)]


def test_agents_get_seeds_of_their_own_from_which_no_deal_follows() -> None:
    """With the seed of the deals an agent could set the tables up again, and look at every hand."""
    game = load_game("honey_wars", num_players=2)

    class Cheat(Spy):
        def reset(self, seed: int) -> None:
            self.seed = seed

    def dealt(seed: int) -> Any:
        batch = Batch(game, 20, seed=seed)
        batch.reset()
        return batch.slots["state"]["seats"]["hand"][:, 0]

    one, other = Cheat(), Cheat()
    compete(game, {"one": one, "other": other}, games=40, seed=6)
    first = one.seen[1].states["seats"]["hand"][:, 0]
    np.testing.assert_array_equal(first, dealt(6))
    assert (first != dealt(one.seed)).any()
    assert one.seed != other.seed
    record_game(game, [one, other], 6)
    assert one.seed != other.seed and 6 not in (one.seed, other.seed)


class Strict(Always):
    """Cannot decide before it has got its seed."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        if not self.seeds:
            raise AgentError("not reset")
        return super().act(view)


class Unready(RandomAgent):
    """Cannot begin."""

    name = "unready"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def reset(self, seed: int) -> None:
        raise self.error


def test_who_cannot_begin_a_game_to_record_is_named() -> None:
    with pytest.raises(AgentError, match="agent 'unready' failed: OSError: no data"):
        record_game(toy_game(), [Unready(OSError("no data"))] * 2, 0)


def test_progress_counts_up_to_all_games() -> None:
    seen: list[tuple[int, int]] = []
    compete(
        toy_game(),
        baselines_of_toy(),
        games=50,
        batch_size=20,
        on_progress=lambda done, all_: seen.append((done, all_)),
    )
    assert seen == sorted(seen) and seen[-1] == (50, 50) and len(seen) > 3


def baselines_of_toy() -> dict[str, Agent]:
    return {"taker": Always(TAKE), "random": RandomAgent()}


# Forfeits


class Fails(RandomAgent):
    """Plays at random, but does in each game in which ``when`` holds for its row what ``how`` says."""

    name = "fails"

    def __init__(self, how: Callable[[View], Any], when: Callable[[Any], bool] = lambda _: True) -> None:
        self.how = how
        self.when = when

    def act(self, view: View) -> npt.NDArray[np.int64]:
        actions = super().act(view)
        for i in range(len(view)):
            if self.when(view.states[i]):
                answer = self.how(view)
                if not isinstance(answer, int):
                    return np.asarray(answer)
                actions[i] = answer
        return actions


def crash(view: View) -> Any:
    raise RuntimeError("no idea")


def leave(view: View) -> Any:
    raise SystemExit(3)


def give_up(view: View) -> Any:
    raise GeneratorExit


def cancel(view: View) -> Any:
    raise asyncio.CancelledError


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def be_unspeakable(view: View) -> Any:
    raise Unspeakable


def cheat(view: View) -> int:
    """Declare all legal, and choose what was not."""
    view.action_mask[:] = 1
    return LEAVE


FAULTS = [
    (crash, r"agent 'fails' failed: RuntimeError: no idea \(.*test_arena.py:\d+\)"),
    (leave, "agent 'fails' failed: SystemExit: 3"),
    (give_up, "agent 'fails' failed: GeneratorExit"),
    (cancel, "agent 'fails' failed: CancelledError"),
    (be_unspeakable, "agent 'fails' failed: Unspeakable: which cannot be told in words"),
    (cheat, r"agent 'fails' chose action 2 \(leave\) for seat \d; legal are 0 \(take\), 1 \(give\), 3 \(again\)$"),
    (lambda view: 4711, r"chose action 4711 \(outside the table\)"),
    (lambda view: -1, r"chose action -1 \(outside the table\)"),
    (lambda view: view.seats[:-1], r"has to return integers of shape \(\d+,\), got int64 of shape \(\d+,\)"),
    (lambda view: view.seats[:, None], "has to return integers"),
    (lambda view: np.full(len(view), np.nan), "has to return integers of shape .*, got float64"),
    (lambda view: view.seats / 1.0, "has to return integers of shape .*, got float64"),
    (lambda view: [None] * len(view), "has to return integers of shape .*, got object"),
    (lambda view: None, "has to return integers of shape .*, got object"),
    (lambda view: [[1], [1, 2]], "agent 'fails' failed: ValueError"),
]


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize(("how", "says"), FAULTS)
def test_who_fails_forfeits_and_the_others_share_the_win(how: Any, says: str, num_players: int) -> None:
    game = toy_game(num_players=num_players, die_sides=1)
    agents = {"fails": Fails(how, lambda state: state.turn < num_players), "random": RandomAgent()}
    entries = ["fails", *["random"] * (num_players - 1)]
    found = compete(game, agents, games=10 * num_players, entries=entries)
    assert (found.forfeited == 0).all()
    own = found.seatings == 0
    np.testing.assert_array_equal(found.returns, np.where(own, -1, 1 / (num_players - 1)))
    assert not found.truncated.any() and list(found.faults) == [0] and re.search(says, found.faults[0])
    report = Report.of(found)
    fails, other = report.agents
    assert (fails.forfeits, fails.fault, fails.win_share.value) == (10 * num_players, found.faults[0], 0)
    assert (other.forfeits, other.fault) == (0, "") and other.win_share.value == pytest.approx(1 / (num_players - 1))


@pytest.mark.parametrize("batch_size", [1, 7, 2048])
@pytest.mark.parametrize("how", [crash, lambda view: 4711, lambda view: None])
def test_a_fault_costs_the_games_in_which_it_happens_and_no_others(how: Any, batch_size: int) -> None:
    game = toy_game(num_players=2)
    whole = compete(game, {"fails": RandomAgent(), "random": RandomAgent()}, games=100)
    # Some games end by dice before the third turn, and in some that turn is the other's.
    agents = {"fails": Fails(how, lambda state: state.turn == 2), "random": RandomAgent()}
    found = compete(game, agents, games=100, batch_size=batch_size)
    has_failed = found.forfeited >= 0
    assert 10 < has_failed.sum() < 90
    np.testing.assert_array_equal(found.returns[~has_failed], whole.returns[~has_failed])
    assert (np.sort(found.returns[has_failed]) == [-1, 1]).all()


def test_an_agent_forfeits_with_all_its_seats() -> None:
    agents = {"fails": Fails(crash), "random": RandomAgent()}
    found = compete(toy_game(num_players=3), agents, games=9, entries=["fails", "fails", "random"])
    np.testing.assert_array_equal(found.returns, np.where(found.seatings == 0, -1, 1))
    alone = compete(toy_game(num_players=3), {"fails": Fails(crash)}, games=4)
    assert (alone.returns == -1).all() and alone.truncated.all() and (alone.forfeited == 0).all()
    assert Report.of(alone).agents[0].win_share.value == 0


def test_in_a_cooperative_game_a_mate_that_fails_loses_for_all() -> None:
    class Team(ToyGame):
        is_cooperative = True

    game = Team(ToySettings.parse("toy", {"num_players": 3, "die_sides": 1}), Content())
    agents = {"fails": Fails(crash), "random": RandomAgent()}
    found = compete(game, agents, games=6, entries=["fails", "random", "random"])
    assert (found.forfeited == 0).all() and (found.returns == -1).all() and not found.truncated.any()
    assert [agent.win_share.value for agent in Report.of(found).agents] == [0, 0]


@pytest.mark.parametrize("error", [OSError("no data"), SettingsError("no data")], ids=repr)
def test_who_cannot_begin_forfeits_all_games(error: Exception) -> None:
    found = compete(toy_game(), {"unready": Unready(error), "random": RandomAgent()}, games=8)
    says = f"agent 'unready' failed: {type(error).__name__}: no data"
    assert (found.forfeited == 0).all() and says in found.faults[0]


def test_ctrl_c_while_an_agent_decides_ends_the_arena() -> None:
    def interrupt(view: View) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compete(toy_game(), {"fails": Fails(interrupt), "random": RandomAgent()}, games=4)


def test_who_says_that_it_cannot_play_this_game_is_an_error() -> None:
    def refuse(view: View) -> Any:
        raise UnfitError("not this game")

    with pytest.raises(UnfitError, match="not this game"):
        compete(toy_game(), {"random": RandomAgent(), "fails": Fails(refuse)}, games=4)


@pytest.mark.parametrize(
    "error", [AgentError("mine"), IllegalActionError("mine"), SettingsError("mine"), OrderError("mine")], ids=repr
)
def test_bearenvs_errors_are_faults_as_others_are(error: BearenvsError) -> None:
    """An agent that searches by itself meets them by a mistake of its own: it forfeits, and the arena goes on."""

    def err(view: View) -> Any:
        raise error

    found = compete(toy_game(), {"random": RandomAgent(), "fails": Fails(err)}, games=8)
    assert (found.forfeited == 1).all() and "mine" in found.faults[1]
    assert isinstance(error, AgentError) or f"agent 'fails' failed: {type(error).__name__}" in found.faults[1]


def test_the_report_names_who_forfeited_and_why() -> None:
    report = Report.of(compete(toy_game(), {"fails": Fails(crash), "random": RandomAgent()}, games=8))
    console = Console(width=120, file=io.StringIO())
    console.print(report)
    text = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]  # a StringIO
    assert "fails forfeited 8 games. The first time: agent 'fails' failed: RuntimeError: no idea" in text
    assert [agent["forfeits"] for agent in json.loads(report.to_json())["agents"]] == [8, 0]
    assert [row["forfeits"] for row in csv.DictReader(io.StringIO(report.to_csv()))] == ["8", "0"]


@pytest.mark.parametrize("make", [RandomAgent, HeuristicAgent])
def test_a_recorded_game_is_the_arenas_game_of_that_seed(make: Callable[[], Agent]) -> None:
    game = load_game("honey_wars", num_players=4)
    found = compete(game, {"only": make()}, games=3, seed=20)
    for place in range(3):
        record = record_game(game, [make()] * 4, seed=20 + place)
        np.testing.assert_array_equal(views.returns(game, record.final_states())[0], found.returns[place, 0])


# The report


def made_up(game_name: str = "honey_wars", **settings: Any) -> Results:
    """Two rounds of three agents, two at a table: a beats b, b beats c, the first seat wins between a and c."""
    game = load_game(game_name, num_players=2, **settings)
    seatings = np.array([[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]])
    winner = np.array([0, 0, 1, 0, 0, 1])
    returns = np.where(winner[:, None] == np.arange(2), 1.0, -1.0)
    truncated = np.zeros((2, 6), np.bool_)
    both = np.stack([returns, returns])
    truncated[1, 3], both[1, 3] = True, 0.0
    return Results(
        game=game,
        agents=("a", "b", "c"),
        seed=9,
        seatings=np.stack([seatings, seatings]),
        returns=both,
        truncated=truncated,
        forfeited=np.full((2, 6), -1),
        faults={},
        decisions=np.array([100, 200, 300]),
        thinking=np.array([1.0, 4.0, 2.0]),
        seconds=10.0,
    )


def test_figures() -> None:
    report = Report.of(made_up())
    a, b, c = report.agents
    assert (a.games, b.games, c.games) == (8, 8, 8)
    assert (a.win_share.value, b.win_share.value, c.win_share.value) == (6 / 8, 3 / 8, 2 / 8)
    assert (a.mean_return, b.mean_return, c.mean_return) == (4 / 8, -1 / 8, -3 / 8)
    ratings = [one.rating.value for one in (a, b, c) if one.rating is not None]
    assert len(ratings) == 3 and ratings == sorted(ratings, reverse=True)
    assert [one.value for one in a.by_seat] == [1.0, 0.5]
    assert [one.value for one in b.by_seat] == [0.25, 0.5]
    assert [one.value for one in c.by_seat] == [0.5, 0.0]
    assert [one.value for one in report.seats] == pytest.approx([7 / 12, 4 / 12])
    assert (a.decisions_per_second, b.decisions_per_second, report.decisions_per_second) == (100, 50, 60)
    assert (report.rounds, report.games, report.truncated, report.even_share) == (2, 12, 1, 0.5)
    for one in (a, b, c):
        assert 0 <= one.win_share.low < one.win_share.value < one.win_share.high <= 1


def test_win_shares_of_a_game_sum_to_one() -> None:
    report = Report.of(compete(load_game("honey_wars", num_players=3), baselines(), games=180))
    assert report.truncated == 0
    assert sum(agent.win_share.value * agent.games for agent in report.agents) == pytest.approx(report.games)
    assert sum(seat.value for seat in report.seats) == pytest.approx(1)


def test_json_holds_all_figures() -> None:
    report = Report.of(made_up())
    told = json.loads(report.to_json())
    assert told["game"] == "honey_wars" and told["settings"] == {"num_players": 2} and told["seed"] == 9
    assert "reconstruction" in told["content_note"]
    assert told["agents"][0]["win_share"]["value"] == 0.75 and len(told["agents"][0]["by_seat"]) == 2
    assert told["seats"][1]["value"] == pytest.approx(1 / 3)


def test_csv_has_a_row_for_each_agent() -> None:
    rows = list(csv.DictReader(io.StringIO(Report.of(made_up()).to_csv())))
    assert [row["agent"] for row in rows] == ["a", "b", "c"]
    assert rows[0]["win_share"] == "0.75" and rows[0]["win_share_in_seat_1"] == "0.5"
    assert all(value for row in rows for value in row.values())


def test_table_shows_the_best_first_and_names_as_they_are() -> None:
    results = made_up()
    named = Results(**{**vars(results), "agents": ("a", "[b]", "c")})
    console = Console(width=120, file=io.StringIO())
    console.print(Report.of(named))
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert text.index("75.0%") < text.index("37.5%") < text.index("25.0%")
    assert "reconstruction" in text
    assert "[b]" in text and "12 games: 2 rounds of 6 seatings, from seed 9" in text and "Truncated: 1" in text
    assert "Even share: 50.0%. Ratings are Elo points" in " ".join(text.split())


def test_in_a_cooperative_game_no_share_is_even() -> None:
    results = made_up("outrun_the_bear", coop=True)
    results.returns[:] = results.returns[:, :, :1]  # the team's
    report = Report.of(results)
    told = json.loads(report.to_json())
    assert told["even_share"] is None and [agent["rating"] for agent in told["agents"]] == [None] * 3
    assert "rating" not in report.to_csv()
    console = Console(width=200, file=io.StringIO(), force_terminal=True, color_system="standard")
    console.print(report)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    plain = " ".join(re.sub(r"\x1b\[[\d;]*m", "", text).split())
    assert "All win or none: shares are the team's, and nobody is rated" in plain
    assert "Even share" not in plain and "rating" not in plain
    assert "\x1b[32m" not in text and "\x1b[31m" not in text  # nothing is good or bad against it
