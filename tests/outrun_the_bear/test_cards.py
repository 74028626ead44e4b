"""What each effect does (Effects; OB-M5, OB-T4, OB-E3)."""

from bearenvs.game import CHANCE
from tests.outrun_the_bear.table import Table

SPREAD = {0: "c20r0", 1: "c16r1", 2: "c12r0", 3: "c12r2"}


def test_target_back_then_self_move() -> None:
    table = Table(at=SPREAD, hands=[["trip"]]).begin(0).do("p0 play trip")
    assert table.legal() == ["target p1", "target p2", "target p3"]
    table.do("p0 target p1", "p0 step c15r0", "p0 step c14r1", "p0 step c13r0")
    assert table.where(1) == "c13r0"
    table.do("p0 step c21r0")
    assert table.state.to_act == CHANCE


def test_the_target_is_asked_even_if_there_is_one() -> None:
    table = Table(num_players=2, at={0: "c20r0", 1: "c12r0"}, hands=[["trip"]]).begin(0).do("p0 play trip")
    assert table.legal() == ["target p1"]


def test_target_move_moves_an_adjacent_runner_in_any_direction() -> None:
    table = Table(at={0: "c20r0", 1: "c20r1", 2: "c12r0", 3: "c21r0"}, hands=[["shove"]]).begin(0).do("p0 play shove")
    assert table.legal() == ["target p1", "target p3"]
    table.do("p0 target p3", "p0 step c21r1", "p0 stop")
    assert table.where(3) == "c21r1"
    assert table.legal("stop") == ["stop"]  # p0 moves itself


def test_target_move_over_whose_turn_it_is() -> None:
    table = Table(num_players=2, at={0: "c20r1", 1: "c21r1"}, hands=[["shove", "slipstream"]]).begin(0)
    table.do("p0 play shove", "p0 target p1", "p0 step c20r1", "p0 step c19r1", "p0 stop")
    assert table.legal() == ["pass", "react slipstream"]


def test_a_card_without_a_possible_target_cannot_be_played() -> None:
    table = Table(num_players=2, at={0: "c20r0", 1: "c12r0"}, hands=[["shove", "trip"]]).begin(0)
    assert table.legal("play") == ["play trip"]
    table = Table(num_players=3, at={0: "c20r0", 1: "c38r0"}, hands=[["trip"]]).begin(1)
    table.do("p1 crawl", "p1 step lot").begin(0).do("p0 play trip")
    assert table.legal() == ["target p2"]  # only who still runs


def test_an_effect_that_would_be_empty_may_be_played() -> None:
    table = Table(num_players=2, at={0: "c20r0"}, hands=[["pickpocket"]]).begin(0)
    table.do("p0 play pickpocket", "p0 target p1")  # whose hand is empty: no chance event
    assert table.legal("stop") == ["stop"]


def test_swap_places_with_a_runner_anywhere() -> None:
    table = Table(num_players=2, at={1: "c30r2"}, hands=[["switcheroo"]]).begin(0)
    table.do("p0 play switcheroo", "p0 target p1")
    assert (table.where(0), table.where(1)) == ("c30r2", "camp")


def test_steal_a_random_card_seen_by_both() -> None:
    table = Table(at=SPREAD, hands=[["pickpocket"], [], ["alert", "trip", "trip"]]).begin(0)
    table.do("p0 play pickpocket", "p0 target p2", "p2 pass")
    assert table.odds() == {"steal trip": 2, "steal alert": 1}
    assert table.seen_by("steal trip") == {0, 2}
    table.do("steal trip")
    assert table.hand(0) == ["trip"] and table.hand(2) == ["trip", "alert"]
    assert table.legal("stop") == ["stop"]


def test_steal_with_a_full_hand_discards_in_sight() -> None:
    hands = [["pickpocket", *["startle"] * 6, "alert"], ["trip"]]
    table = Table(num_players=2, at={1: "c12r0"}, hands=hands).begin(0).do("p0 play pickpocket", "p0 target p1")
    assert table.seen_by("steal trip") == {0, 1}
    table.do("steal trip")
    assert len(table.hand(0)) == 7 and table.discards() == ["pickpocket", "trip"]


def test_discard_half_rounded_down_of_the_targets_choice() -> None:
    table = Table(num_players=2, at={1: "c12r0"}, hands=[["spilled_pack"], ["trip", "trip", "alert"]]).begin(0)
    table.do("p0 play spilled_pack", "p0 target p1", "p1 pass")
    assert table.legal() == ["discard trip", "discard alert"]
    table.do("p1 discard alert")
    assert table.hand(1) == ["trip", "trip"]
    assert table.legal("stop") == ["stop"]
    table = Table(num_players=2, at={1: "c12r0"}, hands=[["spilled_pack"], ["trip"]]).begin(0)
    assert table.do("p0 play spilled_pack", "p0 target p1").legal("stop") == ["stop"]


def test_draw_then_self_move() -> None:
    table = Table("0", num_players=2, hands=[["trail_mix"]]).begin(0).do("p0 play trail_mix")
    assert table.seen_by("draw alert") == {0}
    table.do("draw alert", "draw alert")
    assert table.hand(0) == ["alert", "alert"] and table.legal("stop") == ["stop"]


def test_bear_skip_once() -> None:
    """Two do not add up; the discards go under the deck all the same."""
    at = {0: "c20r0", 1: "c20r1"}
    table = Table(num_players=2, at=at, hands=[["delicious_ham", "delicious_ham"]]).begin(0)
    table.do("p0 play delicious_ham").begin(0).do("p0 play delicious_ham").bears_turn()
    assert table.state.bear == 0 and table.state.num_rounds == 1
    assert table.known_deck() == ["delicious_ham", "delicious_ham"]
    table.pile("startle", "startle").bears_turn()
    assert table.state.bear == 4


def test_bear_advance_now_without_cards() -> None:
    table = Table(num_players=2, at={0: "c20r0", 1: "c20r1"}, hands=[["bear_call"]]).pile("startle").begin(0)
    table.do("p0 play bear_call")
    assert table.state.bear == 3 and table.discards() == ["startle", "bear_call"]


# Equipment


def test_crawl_bonus() -> None:
    table = Table("0", num_players=2).gear(0, "hiking_boots").begin(0)
    table.do("p0 crawl", "p0 step c9r0", "p0 step c10r0", "p0 step c11r0")
    assert table.state.to_act == CHANCE


def test_sure_footed() -> None:
    cards = ["startle"] * 4
    table = Table("#/", num_players=2, at={0: "c8r0", 1: "c9r0"}, hands=[cards, []]).gear(0, "trekking_poles")
    assert "sprint" in table.terrain(0).legal()
    table = Table("#/", num_players=2, at={1: "c9r0"}).gear(1, "trekking_poles").terrain(1)
    assert table.where(1) == "c9r0"


def test_sure_footed_does_nothing_about_rivers() -> None:
    table = Table(". . . .~", num_players=2, at={0: "c9r3"}).gear(0, "trekking_poles").terrain(0)
    assert table.where(0) == "c10r3"


def test_draw_bonus_in_the_draw_step_only() -> None:
    table = Table("0", num_players=2, hands=[["trail_mix"]]).gear(0, "backpack").begin(0).do("p0 play trail_mix")
    table.do("draw alert", "draw alert", "p0 stop", "draw alert", "draw alert", "draw alert")
    assert table.state.to_act == 1


def test_sprint_discount() -> None:
    table = Table("0", num_players=2, hands=[["alert"] * 3]).gear(0, "headband").begin(0).do("p0 sprint")
    table.do("p0 discard alert", "p0 discard alert", "p0 discard alert")
    assert table.legal("stop") == ["stop"]


def test_bear_spray_stops_the_bear_one_column_short() -> None:
    """Of several in the column only the first in seat order is used, and before anybody is asked."""
    hands = [["adrenaline"], ["adrenaline"], []]
    table = Table(num_players=3, at={0: "c10r0", 1: "c10r1", 2: "c10r2"}, bear=7, hands=hands)
    table.gear(1, "bear_spray").gear(2, "bear_spray").pile("switcheroo", "switcheroo").bears_turn()
    assert table.state.bear == 9
    assert table.equipment(1) is None and table.equipment(2) == "bear_spray"
    assert table.state.num_rounds == 1
    assert table.known_deck() == ["switcheroo", "switcheroo", "bear_spray"]


def test_bear_spray_is_not_used_while_the_bear_is_further_off() -> None:
    table = Table(num_players=2, at={0: "c10r0", 1: "c20r0"}, bear=7).gear(0, "bear_spray").pile("alert", "alert")
    table.bears_turn()
    assert table.state.bear == 9 and table.equipment(0) == "bear_spray"
