"""The heuristic of Outrun the Bear: its sense of the game on arranged tables, and how games go that it plays."""

from dataclasses import replace

import numpy as np
import pytest
from bearagents.agent import Agent, Views, agents_rng, decide, view_of
from bearagents.arena import compete
from bearagents.heuristics import HeuristicAgent
from bearagents.random import RandomAgent
from bearagents.report import Report

from bearenvs import views
from bearenvs.batch import Batch
from bearenvs.registry import load_game
from tests.outrun_the_bear.table import Table

# On arranged tables


def choice(table: Table) -> str:
    """Return what the heuristic does now."""
    seat = int(table.state.to_act)
    hidden = views.hidden(table.game, table.states, seat)
    action = decide(HeuristicAgent(), view_of(table.game, hidden, agents_rng(0)))[0]
    return table.game.actions.text(int(action), seat)


def choices(table: Table, number: int) -> list[str]:
    """Let the heuristic act and return what it does."""
    done = []
    for _ in range(number):
        done.append(choice(table))
        table.do(f"p{int(table.state.to_act)} {done[-1]}")
    return done


@pytest.mark.parametrize("coop", [False, True])
def test_dashes_from_the_bear(coop: bool) -> None:
    table = Table(bear=8, at={0: "c10r0", 1: "c20r0"}, hands=[["adrenaline"]], num_players=2, coop=coop)
    table.pile("startle", "startle").bears_turn()
    assert choice(table) == "react adrenaline"


def test_as_a_team_it_pays_for_a_sprint_so_that_the_bear_is_slow() -> None:
    hand = ["switcheroo", "no_way", "alert", "alert", "alert", "bear_call"]
    table = Table(bear=10, at={0: "c14r0", 1: "c14r2"}, hands=[hand], num_players=2, coop=True).begin(0)
    assert choices(table, 3) == ["sprint", "discard alert", "discard alert"]  # the Bear takes two (OB-E1)
    assert set(choices(table, 2)) == {"discard switcheroo", "discard bear_call"}


def test_as_a_team_it_hurts_no_mate() -> None:
    hands = [["startle", "trip", "spilled_pack", "switcheroo"]]
    table = Table(bear=8, at={0: "c20r0", 1: "c14r0"}, hands=hands, num_players=2, coop=True).begin(0)
    assert not choice(table).startswith("play")


def test_as_a_team_it_takes_a_mate_along() -> None:
    at = {0: "c20r0", 1: "c14r0", 2: "c14r1"}
    table = Table(bear=11, at=at, hands=[[], ["shove"]], num_players=3, coop=True).begin(1)
    assert choices(table, 2) == ["play shove", "target p2"]


def test_as_a_team_it_does_not_run_up_paw_prints_ahead_of_the_others() -> None:
    at = {0: "c17r0", 1: "c10r0", 2: "c10r2"}
    table = Table(bear=7, at=at, hands=[["shortcut", "burst_of_speed"]], prints=[18], num_players=3, coop=True).begin(0)
    while table.state.to_act == 0:
        choices(table, 1)
    assert table.where(0).startswith("c18")


def test_as_a_team_it_stops_the_bear_when_it_would_arrive() -> None:
    table = Table(bear=12, at={0: "c15r0", 1: "c14r0"}, hands=[["delicious_ham"]], num_players=2, coop=True)
    table.state.token = 0
    assert choice(table.pile("switcheroo", "switcheroo").begin(0)) == "play delicious_ham"


# How games go


def team_wins(num_players: int, games: int = 500) -> float:
    """Return the share of games that a team of heuristics wins."""
    batch = Batch(load_game("outrun_the_bear", num_players=num_players, coop=True), games)
    batch.reset()
    views_, agent = Views(batch), HeuristicAgent()
    is_on = np.ones(games, np.bool_)
    wins = 0
    while is_on.any():
        batch.step(agent.act(views_.of(np.arange(games))))
        wins += int((batch.rewards[is_on, 0] == 1).sum())
        is_on &= ~(batch.terminated | batch.truncated)
    return wins / games


def test_as_a_team_it_plays_the_same_interpreted() -> None:
    batch = Batch(load_game("outrun_the_bear", num_players=3, coop=True), 4)
    batch.reset()
    views_, agent = Views(batch), HeuristicAgent()
    interpreted = load_game("outrun_the_bear", num_players=3, coop=True, compiled=False)
    for _ in range(80):
        view = views_.of(np.arange(4))
        actions = agent.act(view)
        np.testing.assert_array_equal(agent.act(replace(view, game=interpreted)), actions)
        batch.step(actions)


@pytest.mark.parametrize(("num_players", "written"), [(2, 0.26), (3, 0.35), (4, 0.51), (6, 0.51)])
def test_a_team_of_heuristics_wins_more_than_the_written_balance(num_players: int, written: float) -> None:
    """The specification's Balance section has the figures for 2 to 4 players, of another heuristic."""
    assert team_wins(num_players) > written


@pytest.mark.parametrize("num_players", [3, 4, 6])
def test_it_survives_more_often_among_its_equals_than_random_play_among_heuristics(num_players: int) -> None:
    game = load_game("outrun_the_bear", num_players=num_players)
    agents: dict[str, Agent] = {"heuristic": HeuristicAgent(), "random": RandomAgent()}
    entries = ["random", *["heuristic"] * (num_players - 1)]
    heuristic, random = Report.of(compete(game, agents, games=600, entries=entries)).agents
    assert (1 + heuristic.mean_return) / 2 > 0.35  # the share that escapes or survives
    assert (1 + random.mean_return) / 2 < 0.02
