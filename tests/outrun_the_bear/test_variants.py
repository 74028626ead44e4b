"""Variants: OB-X1 to OB-X5, and which of them go together."""

from typing import Any

import pytest

from bearenvs.errors import SettingsError
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.registry import load_game
from tests.outrun_the_bear.table import Table


def with_pass(seat: int, runner: str, *args: Any, **options: Any) -> Table:
    """Return a table on which one seat has this Park Pass."""
    table = Table(*args, park_pass=True, **options)
    table.seat(seat).runner = table.game.cards.runner_ids.index(runner)
    return table


# OB-X1


def test_s1_x1_runners_are_chosen_in_reverse_seat_order() -> None:
    table = Table(num_players=3, park_pass=True).restart().do("trail 1.a", "trail 2.a", "trail 3.a")
    names = ["sprinter", "hiker", "scout", "ranger", "packer", "kayaker", "camper", "anchor"]
    assert table.legal() == [f"runner {name}" for name in names]
    table.do("p2 runner scout", "p1 runner hiker")
    assert table.legal() == [f"runner {name}" for name in names if name not in ("scout", "hiker")]
    table.do("p0 runner anchor", "draw alert", "draw alert", "draw trip", "draw trip")
    table.do("draw alert", "draw alert", "draw shove", "draw shove")  # the scout's four
    assert table.state.to_act == 0 and len(table.hand(2)) == 4


def test_x1_without_the_setting_nobody_chooses() -> None:
    assert not any(text.startswith("runner") for text in load_game("outrun_the_bear").actions.texts())


def test_x1_sprinter() -> None:
    table = with_pass(0, "sprinter", "0", num_players=2, hands=[["alert"] * 4]).begin(0).do("p0 sprint")
    table.do(*["p0 discard alert"] * 4)
    assert table.state.stack[0].left == 6


def test_x1_hiker_and_boots_add_up() -> None:
    table = with_pass(0, "hiker", "0", num_players=2).gear(0, "hiking_boots").begin(0).do("p0 crawl")
    assert table.state.stack[0].left == 4


def test_x1_ranger() -> None:
    table = with_pass(0, "ranger", "/#", num_players=2, at={0: "c8r0"}).terrain(0)
    assert table.where(0) == "c8r0"
    table = with_pass(0, "ranger", "/#", num_players=2, at={0: "c9r0"}, hands=[["alert"] * 4]).terrain(0)
    assert "sprint" in table.legal()


def test_x1_packer() -> None:
    table = with_pass(0, "packer", "0", num_players=2, hands=[["startle"] * 6 + ["alert"] * 2]).begin(0)
    table.do("p0 crawl", "p0 stop")
    assert table.seen_by("draw trip") == {0}
    table.do("draw trip")
    assert table.seen_by("draw trip") == {0, 1}
    assert table.do("draw trip").discards() == ["trip"]


def test_x1_kayaker_chooses_each_step() -> None:
    table = with_pass(0, "kayaker", ". .~", num_players=2, at={0: "c9r1"}).terrain(0)
    assert table.legal() == ["step c10r1", "step c10r2"]
    table.do("p0 step c10r1")
    assert table.legal() == ["step c11r0", "step c11r1"]
    assert table.do("p0 step c11r1").where(0) == "c11r1"
    assert table.state.depth == 0


def test_x1_camper_draws_two() -> None:
    table = with_pass(0, "camper", num_players=2, hands=[["alert"]]).terrain(0)
    table.do("p0 swap alert", "draw trip", "draw shove")
    assert table.hand(0) == ["trip", "shove"] and table.state.to_act == 0


def test_x1_anchor_is_moved_back_one_less() -> None:
    at = {0: "c20r0", 1: "c13r0"}
    table = with_pass(1, "anchor", num_players=2, at=at, hands=[["startle"]]).begin(0)
    table.do("p0 play startle", "p0 target p1", "p0 step c12r0")
    assert table.where(1) == "c11r0"


# OB-X2


def test_x2_coop_all_win_if_all_escape() -> None:
    table = Table(num_players=2, coop=True, at={0: "c38r0", 1: "c38r1"}).begin(0).do("p0 crawl", "p0 step lot")
    assert table.returns() == [0.0, 0.0] and not table.state.is_out.any()
    table.begin(1).do("p1 crawl", "p1 step lot")
    assert table.state.to_act == TERMINAL and table.returns() == [1.0, 1.0]


def test_x2_coop_all_lose_as_soon_as_one_is_caught() -> None:
    table = Table(num_players=3, coop=True, at={0: "c38r0", 1: "c9r0", 2: "c20r0"}, bear=8).begin(0)
    table.do("p0 crawl", "p0 step lot").pile("alert", "alert", "alert").bears_turn()
    assert table.state.to_act == TERMINAL and table.returns() == [-1.0, -1.0, -1.0]


def test_x2_coop_truncated() -> None:
    table = Table(num_players=2, coop=True, at={0: "c38r0", 1: "c20r0"}, max_rounds=1).begin(0)
    table.do("p0 crawl", "p0 step lot").pile("alert", "alert", "alert").bears_turn()
    assert table.state.truncated == 1 and table.returns() == [0.0, 0.0]


def test_x2_a_ham_leaves_the_game_even_cancelled() -> None:
    at = {0: "c20r0", 1: "c20r1"}
    table = Table(num_players=2, coop=True, at=at, hands=[["delicious_ham"], ["no_way"]]).begin(0)
    table.do("p0 play delicious_ham", "p1 react no_way")
    assert table.discards() == ["no_way"] and table.state.skips_turn == 0
    assert table.state.removed[table.kind("delicious_ham")] == 1


@pytest.mark.parametrize(("trail_tiles", "last_column"), [(1, 23), (2, 31), (4, 47)])
def test_x2_coop_on_other_trails(trail_tiles: int, last_column: int) -> None:
    """From the last column but one the lot is next."""
    at = {0: f"c{last_column - 1}r0", 1: f"c{last_column - 1}r1"}
    table = Table(num_players=2, coop=True, trail_tiles=trail_tiles, at=at).begin(0)
    table.do("p0 crawl", "p0 step lot")
    assert table.where(0) == "lot"


# OB-X3


def test_x3_everybody_starts_with_equipment() -> None:
    table = Table(num_players=2, equipment_for_all=True).restart().do("trail 1.a", "trail 2.a", "trail 3.a")
    gear = {"hiking_boots": 3, "trekking_poles": 2, "backpack": 3, "headband": 2, "bear_spray": 2}
    assert table.odds() == {f"gear {card}": copies for card, copies in gear.items()}
    table.do("gear bear_spray")
    assert table.odds()["gear bear_spray"] == 1
    table.do("gear backpack")
    assert (table.equipment(0), table.equipment(1)) == ("bear_spray", "backpack")
    assert table.odds()["draw bear_spray"] == 1  # the others are in the deck


# OB-X4


def shifting(at: dict[int, str], bear: int, **options: Any) -> Table:
    return Table("...##", at=at, bear=bear, last_one_standing=True, **options)


def test_x4_the_first_tile_is_flipped_and_added_at_the_end() -> None:
    table = shifting({0: "c38r1", 1: "c20r2", 2: "c12r0"}, 10, num_players=3).begin(0)
    assert table.steps() == []
    table.do("p0 crawl", "p0 step c39r1", "p0 stop")
    assert [int(face) for face in table.state.faces] == [2, 4, 6, 1]
    assert table.state.bear == 2
    assert [table.where(seat) for seat in range(3)] == ["c31r1", "c12r2", "camp"]


def test_x4_only_at_the_end_of_a_movement() -> None:
    """One may go through the last column without ending there."""
    table = shifting({0: "c38r1", 1: "c20r2"}, 10, num_players=2).begin(0)
    table.do("p0 crawl", "p0 step c39r1", "p0 step c38r1")
    assert [int(face) for face in table.state.faces] == [0, 2, 4, 6]


def test_x4_the_bear_does_not_drop_below_column_0() -> None:
    table = shifting({0: "c38r1", 1: "camp"}, 5, num_players=2).begin(0).do("p0 crawl", "p0 step c39r1", "p0 stop")
    assert table.state.bear == 0 and table.where(1) == "camp"


def test_x4_the_campsite_stays_where_it_is() -> None:
    table = shifting({0: "c38r3", 1: "camp"}, 0, num_players=2).begin(0).do("p0 crawl", "p0 step c39r3", "p0 stop")
    assert table.where(0) == "c31r3" and table.where(1) == "camp"


def test_x4_a_forced_movement_shifts_before_slipstream_is_asked() -> None:
    """A river in column 37 takes p0 over p1 into the last column."""
    table = Table(". . . " + "." * 29 + "~", at={0: "c37r3", 1: "c38r3"}, num_players=2, last_one_standing=True)
    table.give(1, "slipstream")
    table.terrain(0).do("p0 step c39r3")
    assert table.where(0) == "c31r3" and table.where(1) == "c30r3"
    assert table.legal() == ["pass", "react slipstream"]


def test_x4_after_a_dash_the_advance_goes_on() -> None:
    table = shifting({0: "c37r0", 1: "c38r3"}, 36, num_players=2, hands=[["adrenaline"]])
    table.pile("startle", "delicious_ham").bears_turn()
    table.do("p0 react adrenaline", "p0 step c38r0", "p0 step c39r0")
    assert table.state.bear == 38 - 8  # at 37 when the park shifted, then one more column, where p1 is
    assert table.returns() == [1.0, -1.0]


def test_x4_there_is_no_lot_and_no_parking_print() -> None:
    table = shifting({0: "c38r1", 1: "c20r2"}, 10, num_players=2).begin(0).do("p0 crawl")
    assert "lot" not in table.steps()
    assert "step lot" not in table.game.actions.texts()


# Combinations


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"num_players": 1}, r"num_players=1.*one of 2, 3, 4, 5, 6"),
        ({"num_players": 7}, r"num_players=7.*one of 2, 3, 4, 5, 6"),
        ({"difficulty": "easy"}, r"difficulty='easy'.*one of 'first', 'normal', 'hard'"),
        ({"trail_tiles": 5, "coop": True}, r"trail_tiles=5.*integer from 1 to 4"),
        ({"coop": 1}, r"coop=1.*True or False"),
        ({"max_rounds": 0}, r"max_rounds=0.*integer from 1"),
        ({"trail_tiles": 2}, "trail_tiles=2 needs coop=True; other games have 3 trail tiles"),
        ({"last_one_standing": True, "coop": True}, "no parking lot to escape to, so there is no co-op game"),
        ({"last_one_standing": True, "trail_tiles": 4}, "does not go with last_one_standing, which uses all 4"),
        ({"last_one_standing": True, "coop": True, "trail_tiles": 4}, "no parking lot to escape to"),
        ({"players": 3}, r"no setting 'players'; its settings are .*coop, .*content$"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says) as error:
        load_game("outrun_the_bear", **settings)
    assert "Value error" not in str(error.value)


def test_all_at_once() -> None:
    settings: dict[str, Any] = {"park_pass": True, "equipment_for_all": True, "difficulty": "hard"}
    table = Table(num_players=6, coop=True, trail_tiles=4, **settings).restart()
    assert table.state.to_act == CHANCE
    assert Table(num_players=6, last_one_standing=True, **settings).restart().state.to_act == CHANCE
