"""The Bear, and the end of the game: OB-E1 to OB-E5, OB-V1 to OB-V4."""

from bearenvs.game import CHANCE, TERMINAL
from tests.outrun_the_bear.table import Table


def test_e2_the_oldest_discards_are_taken() -> None:
    """Two prints on the campsite: Startle 2 and Shove 1; the Switcheroo on top is not taken."""
    table = Table(num_players=2, at={0: "c20r0", 1: "c20r1"}).pile("startle", "shove", "switcheroo").bears_turn()
    assert table.state.bear == 3


def test_e2_the_rest_is_turned_over_from_the_deck() -> None:
    table = Table(num_players=3, at={seat: f"c20r{seat}" for seat in range(3)}).pile("startle").bears_turn()
    assert table.state.to_act == CHANCE
    assert table.odds()["reveal startle"] == 5
    assert table.seen_by("reveal shove") == {0, 1, 2}
    table.do("reveal switcheroo")
    assert table.state.bear == 5
    assert table.known_deck() == ["startle", "switcheroo"]


def test_e2_from_the_known_part_once_the_unseen_is_used_up() -> None:
    table = Table(num_players=2, at={0: "c20r0", 1: "c20r1"}).deck("trip", under=["bear_call", "bear_call"])
    assert table.bears_turn().odds() == {"reveal trip": 1}
    table.do("reveal trip")  # then a Bear Call, without a line
    assert table.state.bear == 2 + 3
    assert table.known_deck() == ["bear_call", "trip", "bear_call"]


def test_e2_with_no_cards_at_all_the_bear_stays() -> None:
    table = Table(num_players=2, at={0: "c20r0", 1: "c20r1"}).deck().bears_turn()
    assert table.state.bear == 0 and table.state.num_rounds == 1


def test_e1_an_escaped_runner_leads() -> None:
    table = Table(num_players=2, at={0: "c38r0", 1: "c9r0"}, prints=[20, 30]).begin(0)
    table.pile("alert", "alert", "alert", "alert", "alert", "alert").do("p0 crawl", "p0 step lot").bears_turn()
    assert table.state.bear == 5  # columns 0, 1, 20, 30 and 32


def test_e3_everyone_left_in_the_column_is_caught_and_the_rest_of_the_advance_lost() -> None:
    table = Table(num_players=4, at={0: "c9r0", 1: "c9r3", 2: "c10r0", 3: "c20r0"}, bear=7)
    table.pile("switcheroo", "switcheroo").bears_turn()
    assert table.state.bear == 9
    assert table.returns() == [-1.0, -1.0, 0.0, 0.0]
    assert list(table.state.is_out[:4]) == [1, 1, 0, 0]
    assert [table.where(seat) for seat in (2, 3)] == ["c10r0", "c20r0"]


def test_e3_all_in_the_campsite() -> None:
    table = Table(num_players=3, bear=5, at={0: "c20r0"}).pile("switcheroo", "alert").bears_turn()
    assert table.state.to_act == TERMINAL
    assert table.returns() == [1.0, -1.0, -1.0]  # p0 has survived


def test_e4_all_discards_go_under_the_deck_in_order() -> None:
    table = Table(num_players=2, at={0: "c20r0", 1: "c20r1"}).under("trip", "alert")
    table.pile("shove", "shove", "startle", "no_way").bears_turn()
    assert table.discards() == []
    assert table.known_deck() == ["trip", "alert", "shove", "shove", "startle", "no_way"]


def test_e4_cards_played_during_the_advance_come_last() -> None:
    table = Table(num_players=2, at={0: "c9r0", 1: "c20r1"}, bear=8, hands=[["adrenaline"]])
    table.pile("alert", "bear_spray", "trip").bears_turn().do("p0 react adrenaline", "p0 step c10r0", "p0 stop")
    assert table.state.bear == 9
    assert table.known_deck() == ["alert", "bear_spray", "trip", "adrenaline"]


def test_e4_the_known_part_is_drawn_without_a_chance_event_and_all_know_it() -> None:
    table = Table("0", num_players=3, at={1: "c20r1", 2: "c20r2"}).deck("trip", under=["alert"]).begin(0)
    table.do("p0 crawl", "p0 stop")
    assert table.odds() == {"draw trip": 1}
    table.do("draw trip")
    assert table.hand(0) == ["trip", "alert"]
    assert table.state.to_act == 1


def test_e4_an_empty_deck_draws_nothing() -> None:
    table = Table("0", num_players=2, at={1: "c20r1"}).deck().begin(0).do("p0 crawl", "p0 stop")
    assert table.hand(0) == [] and table.state.to_act == 1


def test_e5_hand_and_equipment_of_who_is_caught_leave_the_game() -> None:
    table = Table(num_players=3, at={0: "c9r0", 1: "c20r0", 2: "c20r1"}, bear=8, hands=[["alert"]])
    table.gear(0, "backpack").pile("alert", "alert").bears_turn()
    assert table.equipment(0) is None and table.state.removed[table.kind("backpack")] == 1
    assert table.known_deck() == ["alert", "alert"]


def test_v1_the_last_one_survives() -> None:
    table = Table(num_players=3, at={0: "c9r0", 1: "c9r1", 2: "c20r1"}, bear=8).pile("alert", "alert").bears_turn()
    assert table.state.to_act == TERMINAL and table.state.truncated == 0
    assert table.returns() == [-1.0, -1.0, 1.0]


def test_v1_with_an_escaped_one_the_others_run_on() -> None:
    table = Table(num_players=3, at={0: "c38r0", 1: "c9r1", 2: "c20r1"}, bear=8).begin(0)
    table.do("p0 crawl", "p0 step lot").pile("alert", "alert", "alert").bears_turn()
    assert table.returns() == [1.0, -1.0, 0.0]
    assert table.state.to_act == 2
    table.pile("startle", "startle", "startle", "startle", "startle", "startle")
    table.state.bear = 18
    table.bears_turn()
    assert table.state.to_act == TERMINAL
    assert table.returns() == [1.0, -1.0, -1.0]


def test_v2_if_all_are_caught_together_the_bear_wins() -> None:
    table = Table(num_players=2, bear=6).pile("alert", "alert").bears_turn()
    assert table.state.to_act == TERMINAL
    assert table.returns() == [-1.0, -1.0]


def test_v3_after_max_rounds_the_game_is_truncated() -> None:
    table = Table(num_players=3, at={0: "c38r0", 1: "c20r0", 2: "c20r1"}, max_rounds=1).begin(0)
    table.do("p0 crawl", "p0 step lot").pile("alert", "alert", "alert").bears_turn()
    assert table.state.to_act == TERMINAL and table.state.truncated == 1
    assert table.returns() == [1.0, 0.0, 0.0]


def test_v4_a_return_holds_from_the_moment_it_is_earned() -> None:
    table = Table(num_players=4, at={0: "c9r0", 1: "c38r0", 2: "c20r0", 3: "c20r1"}, bear=8)
    table.pile("alert", "alert", "alert").bears_turn()
    assert table.returns() == [-1.0, 0.0, 0.0, 0.0]
    table.begin(1).do("p1 crawl", "p1 step lot")
    assert table.returns() == [-1.0, 1.0, 0.0, 0.0]
    assert table.state.to_act == 2
