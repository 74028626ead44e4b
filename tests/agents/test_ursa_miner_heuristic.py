"""The heuristic of Ursa Miner: its sense of the game on arranged tables, and how games go that it plays."""

from typing import Any

import numpy as np
import pytest
from bearagents.agent import Views, agents_rng, decide, view_of
from bearagents.arena import compete
from bearagents.heuristics import HeuristicAgent
from bearagents.random import RandomAgent
from bearagents.report import Report

from bearenvs import views
from bearenvs.batch import Batch
from bearenvs.registry import load_game
from bearenvs.ursa_miner.game import UrsaMiner
from bearenvs.ursa_miner.mountain import COLORS
from tests.ursa_miner.table import LINE, Table

# On arranged tables


def choice(table: Table) -> str:
    """Return what the heuristic does now."""
    seat = int(table.state.to_act)
    hidden = views.hidden(table.game, table.states, seat)
    action = decide(HeuristicAgent(), view_of(table.game, hidden, agents_rng(0)))[0]
    return table.game.actions.text(int(action), seat)


def test_mines_what_is_worth_most_for_its_bears() -> None:
    table = Table({10: "? j2/3", 11: "? h1/1", 12: "? h1/1"}, [[11, 11, 11], []])
    assert choice(table) == "mine c10"


def test_brings_a_bear_beside_a_tile_that_lacks_one() -> None:
    table = Table({9: "h1/1", 10: "? h1/1", 11: "? j3/3", 12: "? h1/1", 13: "? h1/1"}, [[9, 10, 12], [13]])
    assert choice(table) == "move b0 c10"
    table.do("move b0 c10")
    assert choice(table) == "mine c11"


def test_steps_off_a_tile_to_mine_it() -> None:
    table = Table({10: "? h1/1", 11: "? j3/3", 12: "? h1/1"}, [[10, 12, 11], [10]])
    assert choice(table) in ("move b2 c10", "move b2 c12")


def test_gathers_bears_when_there_is_nothing_to_mine() -> None:
    table = Table({9: "h3/3", 10: "? h3/3", 11: "? h3/3", 12: "? j3/4", 13: "? h3/3", 14: "h3/3"}, [[9, 14], [14]])
    assert choice(table).startswith("move")


def test_saves_up_for_bears_and_hires_them() -> None:
    table = Table({10: "? h2/2", 11: "? h1/1", 12: "? j1/2"}, [[11, 11], [11]])
    assert choice(table) == "mine c10"
    table = Table(LINE, [[9], [14]], honey=[3])
    table.do("end")
    assert choice(table) == "hire b0"


def test_wants_jelly_when_there_is_nobody_left_to_hire() -> None:
    table = Table({10: "? h2/2", 11: "h1/1", 12: "? j1/2"}, [[11] * 5, [11]])
    assert choice(table) == "mine c12"


def last_turn(table: Table) -> Table:
    table.state.num_deck = 0
    table.state.turns_left = 2
    return table


def test_does_not_hire_for_a_turn_that_does_not_come() -> None:
    table = last_turn(Table(LINE, [[9], [14]], honey=[3]))
    table.do("end")
    assert choice(table) == "skip"


def test_does_not_walk_about_in_the_last_turn() -> None:
    assert choice(last_turn(Table({9: "h3/3", 10: "h3/3", 11: "h3/3"}, [[10], [11]]))) == "end"


@pytest.mark.parametrize(
    ("card", "table"),
    [
        ("sticky_paws", {"bears": [[9], [14]], "honey": [0, 2]}),
        ("word_of_mouth", {"bears": [[9], [14]], "honey": [1, 0]}),
        ("sharp_claws", {"stacks": {10: "? j3/3", 11: "? h1/1"}, "bears": [[11, 11], [11]], "honey": [1, 0]}),
        ("bear_hug", {"stacks": {9: "h1/1", 10: "? j3/3", 11: "j5/5"}, "bears": [[11] * 3, [10, 9]]}),
    ],
)
def test_plays_a_card_that_pays(card: str, table: dict[str, Any]) -> None:
    arranged = Table(table.get("stacks", LINE), table["bears"], [[card]], table.get("honey", []))
    assert choice(arranged) == f"play {card}"


def test_brings_a_bear_on_with_a_card_when_it_has_no_moves_left() -> None:
    stacks = {10: "j5/5", 11: "j5/5", 12: "j4/4", 13: "j4/4", 14: "j3/3"}
    table = Table(stacks, [[11, 13, 13], []], [["sugar_rush"]])
    table.seat(0).moves[:3] = 2
    assert choice(table) == "play sugar_rush"
    table.do("play sugar_rush")
    assert choice(table) == "move b0 c12"


def test_refreshes_a_bear_that_can_mine_again() -> None:
    table = Table({10: "? j1/2", 11: "? h1/1", 12: "? j2/3"}, [[11] * 4, [11]], [["second_wind"]], honey=[1])
    table.do("mine c12", "with b0", "with b1", "with b2", "tile j3/3")
    assert choice(table) == "play second_wind"


def test_steals_from_the_leader() -> None:
    table = Table(LINE, [[9], [14], [13]], [["sticky_paws"]], honey=[0, 3, 3], num_players=3)
    table.seat(2).jelly = 4
    table.do("play sticky_paws")
    assert choice(table) == "from p2"


def test_swaps_a_valuable_tile_within_its_reach() -> None:
    table = Table(
        {9: "h1/1", 10: "? h1/1", 11: "? h1/1", 12: "? h1/1", 13: "? j2/3", 14: "h1/1"},
        [[9, 9, 9], [14]],
        [["cave_in"]],
        honey=[9],
    )
    table.seat(0).mined[:3] = 1
    table.seat(0).moves[:3] = 1
    assert choice(table) == "play cave_in"
    table.do("play cave_in")
    picks = []
    for _ in range(2):
        picks.append(choice(table))
        table.do(picks[-1])
    assert "pick c13" in picks
    assert "j2/3" in {table.top(10), table.top(11)}


# How games go


@pytest.mark.parametrize("settings", [{}, {"sleepy_bears": True, "honey_burst": True}])
def test_beats_random_play_in_more_than_95_of_100_games(settings: dict[str, Any]) -> None:
    game = load_game("ursa_miner", **settings)
    report = Report.of(compete(game, {"heuristic": HeuristicAgent(), "random": RandomAgent()}, games=300))
    assert report.agents[0].win_share.low > 0.95


@pytest.mark.parametrize(
    ("num_players", "jelly", "hires", "shares", "decisions"),
    [
        (2, 17, 3.0, (0.79, 0.65, 0.63), 156),
        (3, 10.5, 2.4, (0.74, 0.56, 0.45), 142),
        (4, 11, 2.3, (0.76, 0.58, 0.46), 190),
    ],
)
def test_balance(num_players: int, jelly: float, hires: float, shares: tuple[float, ...], decisions: int) -> None:
    """The figures are the specification's, of another heuristic. This one hires more, and uncovers less for others."""
    game = load_game("ursa_miner", num_players=num_players)
    assert isinstance(game, UrsaMiner)
    batch = Batch(game, 400)
    batch.reset()
    views_, agent = Views(batch), HeuristicAgent()
    is_on = np.ones(400, np.bool_)
    plies = np.zeros(400)
    last = batch.states.copy()
    while is_on.any():
        view = views_.of(np.arange(400))
        last[is_on] = batch.states[is_on]  # after the last decision, to end or to hire, no jelly is gained
        plies += is_on
        batch.step(agent.act(view))
        is_on &= ~batch.terminated
    seats = last["seats"][:, :num_players]
    assert abs(np.median(seats["jelly"].max(axis=1)) - jelly) <= 3.5
    assert seats["num_bears"].mean() - 2 == pytest.approx(hires, abs=0.7)
    assert plies.mean() == pytest.approx(decisions, rel=0.15)
    for color, share in enumerate(shares):
        there = sum(color in layers for layers in game.components.setup_for(num_players).mountain.layers)
        kinds = [kind for kind, tile in enumerate(game.components.tiles, 1) if tile.color == COLORS[color]]
        mined = last["mined_tiles"][:, kinds].sum(axis=1).mean() / there
        assert mined == pytest.approx(share, abs=(0.1, 0.1, 0.3)[color]), COLORS[color]
