"""Movement: OB-M1 to OB-M5, and the terrain that moves (OB-T1)."""

from bearenvs.game import CHANCE
from bearenvs.outrun_the_bear.state import ACTION
from tests.outrun_the_bear.table import Table


def test_m1_up_to_the_number_and_in_any_direction() -> None:
    table = Table(". ..0", num_players=2).begin(0).do("p0 crawl")
    assert table.legal("stop") == ["stop"]
    assert table.steps() == ["c9r0", "c9r1", "c10r0", "c10r2", "c11r0", "c11r1"]
    table.do("p0 step c9r1", "p0 step c10r1")
    assert table.state.to_act == CHANCE  # two spaces: the movement is over
    assert table.where(0) == "c10r1"


def test_m1_stop_at_once() -> None:
    table = Table(num_players=2).begin(0).do("p0 crawl", "p0 stop")
    assert table.where(0) == "camp"
    assert table.state.to_act == CHANCE


def test_m1_stop_is_asked_as_the_only_option() -> None:
    """Before the lot of Last One Standing there is only the end of the park, and a dash goes forward."""
    table = Table(at={0: "c38r0", 1: "c39r2"}, bear=37, hands=[["adrenaline"]], last_one_standing=True, num_players=2)
    table.pile("startle", "startle").bears_turn().do("p0 react adrenaline", "p0 step c39r0")
    assert table.legal() == ["stop"]


def test_m2_passing_is_free_and_no_place_to_stop() -> None:
    table = Table(". .01", num_players=2).begin(0).do("p0 crawl", "p0 step c10r1")
    assert table.where(0) == table.where(1)
    assert table.legal("stop") == []
    table.do("p0 step c11r1")
    assert table.legal("stop") == ["stop"]
    table.do("p0 step c12r1")
    assert table.state.to_act == CHANCE


def test_m2_no_runner_is_passed_twice_in_one_movement() -> None:
    table = Table(". .01", num_players=2).begin(0).do("p0 crawl", "p0 step c10r1", "p0 step c10r2")
    assert "c10r1" not in table.steps()
    table.do("p0 stop").begin(0).do("p0 crawl")
    assert "c10r1" in table.steps()  # another movement


def test_m2_one_may_return_to_where_the_movement_began() -> None:
    table = Table(". .01", num_players=2).begin(0).do("p0 crawl", "p0 step c10r1", "p0 step c9r1", "p0 stop")
    assert table.where(0) == "c9r1"


def test_m2_over_several_runners() -> None:
    table = Table("0123", bear=7).begin(0).do("p0 crawl", "p0 step c9r0")
    assert table.steps() == ["c8r0", "c8r1", "c9r1", "c10r0", "c10r1"]
    table.do("p0 step c10r0")
    assert table.steps() == ["c10r1", "c11r0"]  # not c9r0: p1 has been passed
    table.do("p0 step c11r0", "p0 step c12r0", "p0 stop")
    assert table.where(0) == "c12r0"


HEMMED_IN = {0: "c20r0", 1: "c11r0", 2: "c10r0", 3: "c10r1"}
"""p2 and p3 stand on the two spaces behind p1."""


def test_m2_m3_a_step_that_leads_nowhere_is_not_allowed() -> None:
    """Behind p2 and p3 is the Bear: p1 cannot be moved back over them, and stays."""
    table = Table(at=HEMMED_IN, bear=9, hands=[["startle"]]).begin(0).do("p0 play startle", "p0 target p1")
    assert table.where(1) == "c11r0"
    assert table.legal("stop") == ["stop"]  # p0's own movement


def test_m2_the_same_step_that_leads_on_is_allowed() -> None:
    table = Table(at=HEMMED_IN, bear=8, hands=[["startle"]]).begin(0).do("p0 play startle", "p0 target p1")
    assert table.steps() == ["c10r0", "c10r1"]
    assert table.do("p0 step c10r0").where(1) == "c9r0"  # the only space behind c10r0


def test_m2_what_leads_on_only_over_a_runner_passed_already_leads_nowhere() -> None:
    """In the last column, the Bear in the one before: beyond p2 there is p3, and beyond p3 only p2 again."""
    at = {0: "c39r0", 1: "c39r1", 2: "c39r2", 3: "c39r3"}
    table = Table(at=at, bear=38, last_one_standing=True).begin(1).do("p1 crawl", "p1 step c39r2")
    assert table.legal() == ["step c39r1"]


def test_m2_the_campsite_is_never_occupied() -> None:
    table = Table("0", num_players=3).begin(0).do("p0 crawl", "p0 step camp")
    assert table.legal("stop") == ["stop"]
    table.do("p0 step c8r0")
    assert table.state.to_act == CHANCE  # the step into it was one of the two


def test_m3_never_at_or_behind_the_bear() -> None:
    table = Table(". ..0.1", num_players=2, bear=9).begin(0).do("p0 crawl")
    assert table.steps() == ["c10r0", "c10r2", "c11r0", "c11r1"]
    table = Table("0.1", num_players=2, bear=7).begin(0).do("p0 crawl")
    assert "camp" not in table.steps()


def test_m3_a_mandatory_movement_stops_ahead_of_the_bear() -> None:
    table = Table(at={0: "c20r0", 1: "c12r0"}, bear=10, num_players=2, hands=[["startle"]]).begin(0)
    table.do("p0 play startle", "p0 target p1")
    assert table.where(1) == "c11r0"
    assert table.legal("stop") == ["stop"]


def test_m4_the_parking_lot_ends_movement_and_turn() -> None:
    table = Table(at={0: "c37r0"}, num_players=3, hands=[["burst_of_speed", "alert"], ["alert"]]).begin(0)
    table.do("p0 play burst_of_speed", "p0 step c38r0", "p0 step lot")
    assert table.where(0) == "lot"
    assert list(table.state.is_out[:3]) == [1, 0, 0]
    assert table.returns() == [1.0, 0.0, 0.0]
    assert table.state.to_act == 1  # p0 draws no cards (OB-T6)


def test_m4_a_target_can_be_moved_into_the_lot() -> None:
    table = Table(at={0: "c37r0", 1: "c38r0"}, num_players=3, hands=[["shove"]]).begin(0)
    table.do("p0 play shove", "p0 target p1", "p0 step lot")
    assert table.where(1) == "lot"
    assert table.legal("stop") == ["stop"]  # the card goes on: p0 moves


def test_m5_a_single_mandatory_step_is_automatic() -> None:
    """Forward from row 3 of an odd column there is one space."""
    table = Table(". . . .~", at={0: "c9r3"}, num_players=2).terrain(0)
    assert table.where(0) == "c10r3"
    assert (table.state.phase, table.state.to_act) == (ACTION, 0)


def test_m5_of_several_mandatory_steps_one_is_chosen() -> None:
    table = Table(". .~", at={0: "c9r1"}, num_players=2).terrain(0)
    assert table.legal() == ["step c10r1", "step c10r2"]
    assert table.do("p0 step c10r2").where(0) == "c10r2"


def test_m5_an_occupied_space_may_be_chosen_while_a_free_one_exists() -> None:
    table = Table(". .~ ..1", at={0: "c9r1"}, num_players=2).terrain(0)
    assert table.legal() == ["step c10r1", "step c10r2"]
    table.do("p0 step c10r2")  # over p1: the movement goes on
    assert table.legal() == ["step c11r1", "step c11r2"]
    table.do("p0 step c11r2")
    assert (table.state.phase, table.state.to_act) == (ACTION, 0)


def test_m5_whose_turn_it_is_chooses_how_a_target_moves_back() -> None:
    table = Table(at={0: "c20r0", 1: "c14r1"}, num_players=2, hands=[["startle"]]).begin(0)
    table.do("p0 play startle", "p0 target p1")
    assert table.legal() == ["step c13r0", "step c13r1"]
    table.do("p0 step c13r0")
    assert table.legal() == ["step c12r0", "step c12r1"]
    assert table.do("p0 step c12r0").where(1) == "c11r0"  # the third step is made by itself


def test_m5_the_first_step_of_target_move_is_asked_even_with_one_space() -> None:
    """In the corner of the last column, the Bear before it, p1 can only go over p0 and back, or on to c39r1."""
    table = Table(at={0: "c39r2", 1: "c39r3"}, bear=38, num_players=2, hands=[["shove"]], last_one_standing=True)
    table.begin(0).do("p0 play shove", "p0 target p1")
    assert table.legal() == ["step c39r2"]
    table.do("p0 step c39r2")
    assert table.legal() == ["step c39r1", "step c39r3"]


def test_m5_the_first_step_of_a_dash_is_asked_even_with_one_space() -> None:
    table = Table(at={0: "c11r3", 1: "c20r0"}, bear=10, num_players=2, hands=[["adrenaline"]])
    table.pile("shove", "alert").bears_turn().do("p0 react adrenaline")
    assert table.legal() == ["step c12r3"]


def test_t1_slope_slides_back_to_free_ground() -> None:
    table = Table("...../", at={0: "c13r0"}, num_players=2).terrain(0)
    assert table.legal() == ["step c12r0", "step c12r1"]
    assert table.do("p0 step c12r0").where(0) == "c12r0"


def test_t1_slope_goes_on_over_slopes_and_over_runners() -> None:
    """From c14r0 the only way back is c13r0, a slope; c12r0 is one too, and p1 stands below."""
    table = Table("...1///", at={0: "c14r0"}, num_players=2).terrain(0)
    assert table.where(0) == "c13r0"
    table.do("p0 step c12r0")  # then over p1 on c11r0
    assert table.legal() == ["step c10r0", "step c10r1"]
    assert table.do("p0 step c10r1").where(0) == "c10r1"


def test_t1_slope_stops_ahead_of_the_bear() -> None:
    table = Table("..///", at={0: "c12r0", 1: "c20r0"}, bear=10, num_players=2).terrain(0)
    assert table.where(0) == "c11r0"


def test_t1_slope_may_end_in_the_campsite() -> None:
    table = Table("/", at={0: "c8r0"}, num_players=2, hands=[["alert"]]).terrain(0)
    assert table.where(0) == "camp"
    assert table.state.phase == ACTION  # whose effect does not count this turn


def test_t1_a_space_entered_in_the_step_has_no_effect() -> None:
    table = Table(". . . .~#", at={0: "c9r3"}, num_players=2, hands=[["alert"] * 4]).terrain(0)
    assert table.where(0) == "c10r3"
    assert table.legal("sprint") == ["sprint"]


def test_m5_swapping_places_is_no_movement() -> None:
    """Nobody is passed: p2, between them, is not asked about its Slipstream."""
    table = Table("0.2.1", num_players=3, hands=[["switcheroo"], [], ["slipstream"]]).begin(0)
    table.do("p0 play switcheroo", "p0 target p1")
    assert [table.where(seat) for seat in range(3)] == ["c12r0", "c8r0", "c10r0"]
    assert table.state.to_act == CHANCE
