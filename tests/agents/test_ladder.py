"""The ladder: who meets whom how often, what the scores say, and the files that come of it."""

import json
import os
import time
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bearagents import ladder as ladders
from bearagents import policy as policies
from bearagents.agent import AgentError, UnfitError, View
from bearagents.arena import Results, join
from bearagents.ladder import FEWEST_ROUNDS, FIELD, MOST_GAMES, QUICK_FIELD, SEED, STEPS, Ladder, Pair, climb
from bearagents.ladder_files import make_room, stem_of, to_markdown, write_files
from bearagents.random import RandomAgent
from bearagents.ratings import Estimate

from bearenvs.errors import BearenvsError, SettingsError
from bearenvs.registry import load_game
from tests.agents.toy_game import toy_game


def test_the_field_and_the_steps_are_of_the_same_players() -> None:
    assert {name for step in STEPS for name in step} <= set(FIELD)
    assert set(QUICK_FIELD) < set(FIELD)
    pairs = ladders._pairs(FIELD)
    assert len(pairs) == 21 and {*STEPS} <= {*pairs}
    assert ("random", "mcts:100") in ladders._pairs(["random", "mcts:100"])


# How many games


def shares(costs: dict[str, float], seconds: float, jobs: int = 1) -> Any:
    game = toy_game(num_players=2, compiled=False)
    prices = ladders._prices(game, ladders._pairs(list(costs)), costs)
    return ladders._shares(game, prices, seconds, jobs), ladders._decisions(game)


def test_cheap_pairs_play_the_most_games_and_the_time_is_used_up() -> None:
    costs = {"random": 1e-6, "heuristic": 1e-6, "mcts:100": 0.01, "mcts:1000": 0.1}
    games, decisions = shares(costs, 600.0)
    assert games["random", "heuristic"] == MOST_GAMES
    spent = {pair: count * decisions * sum(costs[name] for name in pair) for pair, count in games.items()}
    assert sum(spent.values()) == pytest.approx(600, rel=0.02)
    # A step has four times as long; equal prices and weights make equal shares.
    assert spent["heuristic", "mcts:1000"] == pytest.approx(4 * spent["random", "mcts:1000"], rel=0.02)
    assert spent["heuristic", "mcts:1000"] == pytest.approx(spent["mcts:100", "mcts:1000"], rel=0.02)


def test_what_is_too_slow_is_left_out_and_told() -> None:
    games, _ = shares({"random": 1e-6, "heuristic": 1e-6, "mcts:1000": 1e3}, 60.0)
    assert games == {("random", "heuristic"): MOST_GAMES, ("random", "mcts:1000"): 0, ("heuristic", "mcts:1000"): 0}
    assert ladders._too_slow(["random", "heuristic", "mcts:1000"], games) == {"mcts:1000": "too slow for this time"}
    games["random", "mcts:1000"] = 1
    told = ladders._too_slow(["random", "heuristic", "mcts:1000"], games)
    assert told == {"heuristic against mcts:1000": "too slow for this time"}


def test_many_processors_play_more_games_and_no_dearer_ones_than_a_round_on_each() -> None:
    costs = {"random": 1e-6, "mcts:1000": 1.0}
    _, decisions = shares(costs, 1.0)
    fewest = 2 * FEWEST_ROUNDS
    enough = 4 * fewest * decisions / FEWEST_ROUNDS * 1.01  # for as many processors as rounds, each to play one
    for jobs, expected in ((1, 0), (FEWEST_ROUNDS - 1, 0), (FEWEST_ROUNDS, fewest)):
        assert shares(costs, enough, jobs)[0]["random", "mcts:1000"] >= expected
        assert bool(shares(costs, enough, jobs)[0]["random", "mcts:1000"]) == bool(expected)
    assert not shares(costs, enough / 1.02, 1000)[0]["random", "mcts:1000"]
    many = shares(costs, 10 * enough, 20)[0]["random", "mcts:1000"]
    assert many == pytest.approx(20 * shares(costs, 10 * enough)[0]["random", "mcts:1000"], abs=40)


@pytest.mark.parametrize(("games", "price", "num_parts"), [(12, 1e-6, 1), (60, 1.0, 6), (60, 100.0, 30), (59, 1.0, 6)])
def test_a_pair_that_takes_long_is_cut_into_parts(games: int, price: float, num_parts: int) -> None:
    parts = ladders._parts(toy_game(num_players=2, compiled=False), games, price, 10.0)
    assert len(parts) == num_parts and [place for part in parts for place in part] == [*range(games // 2)]
    assert max(map(len, parts)) <= min(map(len, parts)) + 1


@pytest.mark.parametrize("games", [48, 180])
def test_parts_play_the_games_of_one_run(games: int) -> None:
    """With four seats, 180 games make rounds of all orders, and its parts alone would not."""
    game, pair = toy_game(num_players=4), ("random", "bearagents.random:RandomAgent")
    parts = ladders._parts(game, games, 1.0, games / 5)
    assert len(parts) == 5
    found = join([ladders._meet(game, pair, games, part, None) for part in parts])
    whole = ladders._meet(game, pair, games, range(parts[-1].stop), None)
    for name in ("agents", "seed", "faults"):
        assert getattr(found, name) == getattr(whole, name)
    for name in ("seatings", "returns", "truncated", "forfeited", "decisions"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))
    assert len({row.tobytes() for row in whole.returns}) > 5


def test_the_cost_of_a_decision_is_asked_of_agents_that_were_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []

    class Keeps(RandomAgent):
        def reset(self, seed: int) -> None:
            told.append(seed)

        def act(self, view: View) -> Any:
            told.append("asked")
            return super().act(view)

    game = toy_game(num_players=2)
    monkeypatch.setattr(ladders, "load_agent", lambda name, _: Keeps() if name == "keeps" else RandomAgent())
    ladders._cost(game, "keeps", None)
    assert told == [0, *["asked"] * (ladders.SAMPLES + 1)]


def test_faults_are_left_to_the_games_but_who_cannot_play_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fails(RandomAgent):
        error: Exception = SettingsError("mine")

        def act(self, view: View) -> Any:
            raise self.error

    monkeypatch.setattr(ladders, "load_agent", lambda name, _: Fails() if name == "fails" else RandomAgent())
    assert ladders._cost(toy_game(num_players=2), "fails", None) >= 0.0
    Fails.error = UnfitError("not this game")
    with pytest.raises(UnfitError, match="not this game"):
        ladders._cost(toy_game(num_players=2), "fails", None)


# What came of them


def results(returns: Any, seatings: Any, *, is_truncated: bool = False) -> Results:
    returns = np.array(returns, np.float64)
    shape = returns.shape[:2]
    return Results(
        game=toy_game(num_players=returns.shape[2]),
        agents=("a", "b"),
        seed=SEED,
        seatings=np.array([seatings] * len(returns)),
        returns=returns,
        truncated=np.full(shape, is_truncated),
        forfeited=np.full(shape, -1),
        faults={},
        decisions=np.array([10, 20]),
        thinking=np.array([1.0, 1.0]),
        seconds=2.0,
    )


def test_a_score_is_the_share_of_the_second_in_what_both_win() -> None:
    a_wins, b_wins = [1.0, -1.0], [-1.0, 1.0]
    found = ladders._score(("a", "b"), results([[b_wins, a_wins], [b_wins, b_wins]], [[0, 1], [1, 0]]))
    assert (found.rounds, found.games, found.score.value) == (2, 4, 0.75)
    cut = ladders._score(("a", "b"), results([[b_wins, a_wins]] * 2, [[0, 1], [1, 0]], is_truncated=True))
    assert (cut.truncated, cut.score.value, cut.holds) == (4, 0.5, False)


def test_between_equals_a_score_is_half_whatever_the_seats() -> None:
    """Three seats: the lone one wins a third of its games, the two others two thirds."""
    seatings = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    first = [1.0, -0.5, -0.5]
    found = ladders._score(("a", "b"), results([[first] * 6] * 3, seatings))
    assert found.score.value == 0.5


def made_up() -> Ladder:
    game = load_game("honey_wars", num_players=2)

    def rung(name: str, value: float) -> Any:
        return ladders.Rung(name, Estimate(value, value - 1, value + 1), 0.001, 0, "")

    pairs = (
        Pair("random", "heuristic", 10, 20, 0, Estimate(0.9, 0.8, 0.95)),
        Pair("random", "mcts:1000", 10, 20, 0, Estimate(0.8, 0.7, 0.9)),
        Pair("heuristic", "mcts:1000", 10, 20, 1, Estimate(0.3, 0.2, 0.45)),
    )
    rungs = (rung("heuristic", 30), rung("mcts:1000", 28), rung("random", 20))
    return Ladder(game, rungs, pairs, {"ppo": "there is none"}, 60.0)


def test_steps_and_neighbours_say_whether_they_hold() -> None:
    ladder = made_up()
    assert [(pair.lower, pair.upper, pair.holds) for pair in ladder.steps] == [
        ("random", "heuristic", True),
        ("heuristic", "mcts:1000", False),
    ]
    assert [(pair.lower, pair.upper, pair.holds) for pair in ladder.neighbours] == [
        ("random", "mcts:1000", True),
        ("mcts:1000", "heuristic", True),
    ]
    assert ladder.neighbours[1].score == Estimate(0.7, 0.55, 0.8)
    assert ladder.between("random", "ppo") is None


def test_the_page_says_it_all() -> None:
    page = to_markdown(made_up(), "plot.svg", "bearenvs ladder", {"commit": "abc"})
    for part in (
        "# The ladder of Honey Wars, 2 players",
        "`bearenvs ladder`: version 0",
        "reconstruction",
        "| random < heuristic | 20 | 90.0% | 80.0% to 95.0% | yes |",
        "| heuristic < mcts:1000 | 20 | 30.0% | 20.0% to 45.0% | **no** |",
        "| mcts:1000 < heuristic | 20 | 70.0% | 55.0% to 80.0% | yes |",
        "| random | 10.0% (20) | 20.0% (20) |  |",
        "Left out: ppo: there is none.",
        "- commit: abc",
        "![Ratings and scores](plot.svg)",
    ):
        assert part in page


def test_what_players_say_when_they_fail_stays_a_line_of_text() -> None:
    ladder = made_up()
    fault = "ValueError: no\n\n# tea | `left` <b>*now*</b> [here](x)\n" + "very " * 200
    rungs = (replace(ladder.rungs[0], name="a|b", forfeits=3, fault=fault), *ladder.rungs[1:])
    ladder = replace(ladder, rungs=rungs, left_out={"ppo": "# none\n\n- of it"})
    lines = to_markdown(ladder, "plot.svg", "bearenvs ladder", {}).splitlines()
    (told,) = (line for line in lines if "forfeited" in line)
    assert told.startswith(
        r"a\|b forfeited 3 games; the first time: ValueError: no # tea \| \`left\` \<b\>\*now\*\</b\>"
    )
    assert r" \[here\](x) very very" in told
    assert told.endswith(" ...") and len(told) < 400
    assert r"Left out: ppo: \# none - of it." in lines


def test_files(tmp_path: Path) -> None:
    page, figures, picture = write_files(made_up(), tmp_path / "new", "a-stem", "bearenvs ladder")
    assert {page.name, figures.name, picture.name} == {f"a-stem.{kind}" for kind in ("md", "json", "svg")}
    told = json.loads(figures.read_text())
    assert told["pairs"][0]["holds"] and set(told["measured_on"]) == {"processor", "system", "versions", "commit"}
    before = picture.read_bytes()
    assert b"</svg>" in before and b"heuristic" not in before[:200]
    write_files(made_up(), tmp_path / "new", "a-stem", "bearenvs ladder")
    assert picture.read_bytes() == before
    assert "](a-stem.svg)" in page.read_text()
    (tmp_path / "file").write_text("")
    with pytest.raises(BearenvsError, match="file: cannot be written"):
        write_files(made_up(), tmp_path / "file", "a-stem", "bearenvs ladder")


def test_room_for_the_files_is_made_and_leaves_what_is_there(tmp_path: Path) -> None:
    make_room(tmp_path / "new", "a-stem")
    assert not [*(tmp_path / "new").iterdir()]
    (tmp_path / "a-stem.md").write_text("as it was")
    make_room(tmp_path, "a-stem")
    assert (tmp_path / "a-stem.md").read_text() == "as it was"
    (tmp_path / "a-stem.svg").mkdir()
    with pytest.raises(BearenvsError, match=r"a-stem.svg: cannot be written: it is a folder"):
        make_room(tmp_path, "a-stem")
    with pytest.raises(BearenvsError, match=r"cannot be written: .*too long"):
        make_room(tmp_path, "a" * 300)


def test_another_kind_of_ladder_has_other_files(tmp_path: Path) -> None:
    plain = load_game("honey_wars", num_players=2)
    assert stem_of(plain) == stem_of(plain, agents=["random", "mcts:10000"]) == "ladder-honey_wars-2p"
    assert stem_of(plain, is_quick=True) == "ladder-honey_wars-2p-quick"
    yours = ["../runs/three", "my_agents:Bär|x", "my_agents:Bär|x", "mcts:10000"]
    assert stem_of(plain, is_quick=True, agents=yours) == (
        "ladder-honey_wars-2p-quick-with-..-runs-three-with-my_agents-B-r-x-with-mcts-10000"
    )
    content = tmp_path / "content.toml"
    content.write_bytes((type(plain).folder / "content.toml").read_bytes())
    changed = load_game("honey_wars", num_players=3, max_turns=50, content=content)
    assert stem_of(changed) == f"ladder-honey_wars-3p-max_turns=50-{changed.content.digest[:8]}"
    long = [stem_of(plain, agents=[f"{'x' * 300}{end}"]) for end in "ab"]
    assert len({*long}) == 2 and max(map(len, long)) < 200


# As a whole


@pytest.mark.parametrize("error", [KeyboardInterrupt, AgentError])
def test_an_end_before_the_end_does_not_wait_for_all_jobs(error: type[BaseException]) -> None:
    futures: list[Future[None]] = []

    def begin() -> None:
        with ladders._workers(1) as pool:
            futures.extend(pool.submit(time.sleep, 0.05) for _ in range(100))
            raise error

    with pytest.raises(error):
        begin()
    assert sum(future.cancelled() for future in futures) > 90


def test_a_player_that_ends_its_process_is_an_error_in_words() -> None:
    with pytest.raises(AgentError, match="a player ended the process in which it played"), ladders._workers(1) as pool:
        pool.submit(os._exit, 3).result()


def test_what_players_print_is_no_part_of_the_output(capfd: pytest.CaptureFixture[str]) -> None:
    with ladders._workers(1) as pool:
        pool.submit(print, "of Python", flush=True).result()
        pool.submit(os.write, 1, b"of C\n").result()
        pool.submit(os.system, "echo of a child").result()
    out, err = capfd.readouterr()
    assert out == "" and err.splitlines() == ["of Python", "of C", "of a child"]


def test_a_whole_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "SHIPPED", tmp_path)
    game = load_game("honey_wars", num_players=3)
    done: list[tuple[int, int]] = []
    field = ("random", "heuristic", "mcts:10000", "ppo", "bearagents.random:RandomAgent")
    ladder = climb(game, field, seconds=3.0, on_progress=lambda *counts: done.append(counts))
    assert ladder.rungs[0].name == "heuristic" and len(ladder.rungs) == 3
    assert set(ladder.left_out) == {"mcts:10000", "ppo"}
    assert [(pair.lower, pair.upper, pair.holds) for pair in ladder.steps] == [("random", "heuristic", True)]
    equals = ladder.between("random", "bearagents.random:RandomAgent")
    assert equals is not None and equals.score.low < 0.5 < equals.score.high
    assert done[-1][0] == done[-1][1] == sum(pair.games for pair in ladder.pairs) and len(done) >= 3
    assert all(pair.rounds >= FEWEST_ROUNDS for pair in ladder.pairs)


def test_too_little_time_for_any_pair_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    game = toy_game(num_players=2)
    monkeypatch.setattr(ladders, "_prices", lambda *_: {("a", "b"): 100.0, ("random", "mcts:100"): 10.0})
    monkeypatch.setattr(ladders, "usable_processors", lambda: 2)
    says = "^too little time for any pair: 239 seconds; random against mcts:100 needs 240$"
    with pytest.raises(SettingsError, match=says):
        climb(game, ["random", "bearagents.random:RandomAgent"], seconds=239)


def test_who_cannot_play() -> None:
    game = load_game("honey_wars")
    with pytest.raises(SettingsError, match="needs two players or more, not random"):
        climb(game, ["random"], seconds=1)
    with pytest.raises(SettingsError, match="seconds=nan: more than 0"):
        climb(game, seconds=float("nan"))
    with pytest.raises(AgentError, match="there is no agent 'nobody'"):
        climb(game, ["random", "nobody"], seconds=1)
