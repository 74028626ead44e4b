"""Reactions: who is asked and when, and what nobody learns of it: OB-A1 to OB-A4."""

import pytest

from bearenvs import views
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.rng import seed_words
from tests.outrun_the_bear.table import Table

SPREAD = {0: "c20r0", 1: "c16r1", 2: "c12r0", 3: "c12r2"}


def test_a1_others_are_asked_clockwise_before_the_effect() -> None:
    hands = [["no_way"], ["alert", "no_way"], ["startle"], ["no_way"]]
    table = Table(at=SPREAD, hands=hands).begin(2).do("p2 play startle", "p2 target p1")
    assert table.state.to_act == 3
    assert table.legal() == ["pass", "react no_way"]
    table.do("p3 pass")
    assert table.legal() == ["pass", "react no_way"]
    table.do("p0 pass")
    assert table.legal() == ["pass", "react alert", "react no_way"]
    assert table.where(1) == "c16r1"
    table.do("p1 pass")
    assert table.steps() == ["c15r0", "c15r1"]


def test_a1_only_seats_that_could_react_are_asked() -> None:
    """p1 holds an Alert, but is not the target; p3 holds cards for other moments."""
    hands = [["startle"], ["alert"], [], ["adrenaline", "slipstream", "trip"]]
    table = Table(at=SPREAD, hands=hands).begin(0).do("p0 play startle", "p0 target p2")
    assert table.state.to_act == 0
    assert table.where(2) == "c11r0"  # the card is working already


def test_a1_cards_without_a_target_can_be_cancelled_too() -> None:
    table = Table(at=SPREAD, hands=[["burst_of_speed"], ["no_way"]]).begin(0).do("p0 play burst_of_speed")
    table.do("p1 react no_way")
    assert table.state.to_act == CHANCE  # p0's draw step
    assert table.where(0) == "c20r0"
    assert table.discards() == ["burst_of_speed", "no_way"]


def test_a2_cancel_card_stops_the_whole_card_and_the_asking() -> None:
    hands = [["startle"], ["no_way"], ["alert"], ["no_way"]]
    table = Table(at=SPREAD, hands=hands).begin(0).do("p0 play startle", "p0 target p2", "p1 react no_way")
    assert table.state.to_act == CHANCE
    assert table.hand(2) == ["alert"] and table.hand(3) == ["no_way"]


def test_a2_cancel_on_me_voids_the_targets_part_only() -> None:
    """The rulebook's own case: after an Alert, Startle's player still moves."""
    table = Table(at=SPREAD, hands=[["startle"], [], ["alert"]]).begin(0)
    table.do("p0 play startle", "p0 target p2", "p2 react alert")
    assert table.where(2) == "c12r0"
    table.do("p0 step c21r0", "p0 step c22r0")
    assert table.state.to_act == CHANCE


def test_a2_cancel_on_me_does_not_end_the_asking() -> None:
    hands = [["startle"], [], ["alert"], ["no_way"]]
    table = Table(at=SPREAD, hands=hands).begin(0).do("p0 play startle", "p0 target p2", "p2 react alert")
    assert table.state.to_act == 3
    table.do("p3 react no_way")
    assert table.state.to_act == CHANCE and table.where(0) == "c20r0"


def test_a2_cancel_on_me_even_against_an_empty_effect() -> None:
    table = Table(at={0: "c20r0", 2: "c12r0", 3: "c12r1"}, hands=[["startle"], ["alert"]]).begin(0)
    assert table.do("p0 play startle", "p0 target p1").legal() == ["pass", "react alert"]  # p1 is in the campsite


def test_a2_no_reaction_to_a_reaction() -> None:
    hands = [["startle", "no_way"], ["no_way"], []]
    table = Table(at=SPREAD, hands=hands).begin(0).do("p0 play startle", "p0 target p2", "p1 react no_way")
    assert table.state.to_act == CHANCE


def test_a3_dash_away_and_the_bear_goes_on() -> None:
    """Advance 3 from column 9: p0 dashes two columns from 10, the Bear comes to 11 and catches it in 12 after all."""
    table = Table(num_players=2, at={0: "c10r0", 1: "c20r0"}, bear=9, hands=[["adrenaline"]])
    table.pile("startle", "alert").bears_turn()
    assert table.legal() == ["pass", "react adrenaline"]
    table.do("p0 react adrenaline", "p0 step c11r0", "p0 step c12r1")
    assert table.state.bear == 12 and table.returns() == [-1.0, 1.0]


def test_a3_in_seat_order_and_only_while_in_the_column() -> None:
    hands = [["adrenaline"], ["adrenaline"], ["adrenaline"]]
    table = Table(num_players=4, at={0: "c10r0", 1: "c10r2", 2: "c11r0", 3: "c20r0"}, bear=9, hands=hands)
    table.state.token = 1  # the order is that of seats, whoever has the token
    table.pile("alert", "bear_spray").bears_turn()
    table.do("p0 react adrenaline", "p0 step c11r0", "p0 step c12r0", "p0 stop")  # over p2, without a Slipstream
    table.do("p1 pass")
    assert table.returns() == [0.0, -1.0, 0.0, 0.0]
    assert table.hand(2) == ["adrenaline"]


def test_a3_asked_again_in_another_column() -> None:
    table = Table(num_players=2, at={0: "c10r0", 1: "c20r0"}, bear=9, hands=[["adrenaline", "adrenaline"]])
    table.pile("alert", "alert").bears_turn().do("p0 react adrenaline", "p0 step c11r0", "p0 stop")
    assert table.state.bear == 11
    table.do("p0 react adrenaline", "p0 step c12r0", "p0 step c13r0")
    assert table.where(0) == "c13r0" and table.state.is_out[0] == 0


def test_a3_all_away_means_nobody_is_caught() -> None:
    table = Table(num_players=2, at={0: "c10r0", 1: "c10r2"}, bear=9, hands=[["adrenaline"], ["adrenaline"]])
    table.pile("alert", "bear_spray").bears_turn()
    table.do("p0 react adrenaline", "p0 step c11r0", "p0 stop", "p1 react adrenaline", "p1 step c11r1", "p1 stop")
    assert table.state.bear == 10 and table.state.num_rounds == 1


def test_a3_a_dash_into_the_lot() -> None:
    table = Table(num_players=2, at={0: "c38r0", 1: "c38r1"}, bear=37, hands=[["adrenaline"]])
    table.pile("alert", "alert", "alert").bears_turn().do("p0 react adrenaline", "p0 step lot")
    assert table.state.to_act == TERMINAL
    assert table.returns() == [1.0, -1.0]


def test_a3_in_a_bear_advance_on_anyones_turn() -> None:
    table = Table(at={0: "c20r0", 1: "c11r0", 2: "c20r1", 3: "c20r2"}, bear=10, hands=[["bear_call"], ["adrenaline"]])
    table.begin(0).do("p0 play bear_call", "p1 react adrenaline", "p1 step c12r0", "p1 step c13r0")
    assert table.state.bear == 13 and table.state.is_out[1] == 1
    assert table.state.to_act == CHANCE  # p0's draw step


def test_a4_asked_at_the_end_of_the_movement() -> None:
    table = Table(". .01", num_players=2, hands=[[], ["slipstream"]]).begin(0)
    table.do("p0 crawl", "p0 step c10r1", "p0 step c11r1", "p0 stop")
    assert table.legal() == ["pass", "react slipstream"]
    table.do("p1 react slipstream")
    assert table.seen_by("draw trip") == {1}
    table.do("draw trip", "draw alert")
    assert table.hand(1) == ["trip", "alert"]
    assert table.seen_by("draw trip") == {0}  # then p0's draw step


def test_a4_forced_movements_count_and_the_player_whose_turn_it_is_may_be_asked() -> None:
    """p1, moved back by p0's Trip, passes p0 itself and p2; then the rest of the card, p0's own movement."""
    at = {0: "c12r0", 1: "c13r0", 2: "c11r0"}
    table = Table(num_players=3, at=at, hands=[["trip", "slipstream"], [], ["slipstream"]]).begin(0)
    table.do("p0 play trip", "p0 target p1", "p0 step c12r0", "p0 step c10r0", "p0 step c8r0")
    table.do("p0 react slipstream", "draw alert", "draw alert", "p2 pass")  # in seat order
    assert table.legal("stop") == ["stop"]  # p0's own movement


def test_a4_a_mover_who_escaped_still_counts() -> None:
    table = Table(num_players=3, at={0: "c37r0", 1: "c38r0"}, hands=[[], ["slipstream"]]).begin(0)
    table.do("p0 crawl", "p0 step c38r0", "p0 step lot")
    assert table.legal() == ["pass", "react slipstream"]
    table.do("p1 pass")
    assert table.state.to_act == 1  # its turn: p0 draws nothing


def test_a4_after_a_dash_before_the_bear_goes_on() -> None:
    table = Table(
        num_players=3, at={0: "c10r0", 1: "c11r0", 2: "c20r0"}, bear=9, hands=[["adrenaline"], ["slipstream"]]
    )
    table.pile("alert", "alert").bears_turn()
    table.do("p0 react adrenaline", "p0 step c11r0", "p0 step c12r0", "p0 stop")
    assert table.state.bear == 10
    table.do("p1 react slipstream", "draw trip", "draw adrenaline")
    assert table.state.bear == 11
    assert table.legal() == ["pass", "react adrenaline"]  # drawn just in time


# Nothing tells who is asked


def waiting_for_p1_or_p3() -> Table:
    hands = [["startle"], ["no_way"], ["trip"], ["no_way"]]
    return Table(at=SPREAD, hands=hands).begin(0).do("p0 play startle", "p0 target p2")


def test_nobody_sees_who_is_asked() -> None:
    first, second = waiting_for_p1_or_p3(), waiting_for_p1_or_p3().do("p1 pass")
    assert (first.state.to_act, second.state.to_act) == (1, 3)
    for seat in (0, 2):
        rows = [views.hidden(table.game, table.states, seat) for table in (first, second)]
        assert rows[0].tobytes() == rows[1].tobytes()
        texts = [views.describe(table.game, table.states, seat) for table in (first, second)]
        assert texts[0] == texts[1] and "p1" not in texts[0].splitlines()[0]


def test_a_pass_leaves_no_trace() -> None:
    """Whether p1 has passed or could not react: p0, p2 and p3 see the same afterwards."""
    passed = waiting_for_p1_or_p3().do("p1 pass", "p3 pass")
    hands = [["startle"], ["shove"], ["trip"], ["shove"]]
    never = Table(at=SPREAD, hands=hands).begin(0).do("p0 play startle", "p0 target p2")
    assert passed.state.ply == never.state.ply + 2
    rows = [views.hidden(table.game, table.states, 2) for table in (passed, never)]
    assert rows[0].tobytes() == rows[1].tobytes()


def test_only_the_author_learns_of_a_pass() -> None:
    table = waiting_for_p1_or_p3()
    assert table.seen_by("pass") == {1}
    assert table.seen_by("react no_way") == {0, 1, 2, 3}
    table = Table(num_players=2, hands=[["alert"]]).terrain(0)
    assert table.seen_by("pass") == {0, 1}  # another pass, in the terrain step


def test_who_has_passed_knows_that_later_ones_are_asked() -> None:
    table = waiting_for_p1_or_p3().do("p1 pass")
    assert views.hidden(table.game, table.states, 1)[0].to_act == 2  # the first after itself
    assert views.hidden(table.game, table.states, 0)[0].to_act == 1


@pytest.mark.parametrize("passes", [0, 1])
def test_determinizations_ask_somebody_who_could_react(passes: int) -> None:
    table = waiting_for_p1_or_p3().do(*["p1 pass"][:passes])
    asked: set[int] = set()
    for k in range(60):
        sample = views.determinized(table.game, table.states, 0, seed_words(k))
        asked.add(int(sample[0].to_act))
        assert len(views.legal_actions(table.game, sample)) > 1
        assert all(table.game.laws(sample[0]).values())
    assert asked == {1, 2, 3}  # p2 might hold an Alert


def test_determinizations_respect_what_the_seat_itself_could_do() -> None:
    """p1 holds a No Way and has not been asked yet: whoever is asked comes before it."""
    hands = [["no_way"], ["no_way"], ["startle"], ["no_way"]]
    table = Table(at=SPREAD, hands=hands).begin(2).do("p2 play startle", "p2 target p0", "p3 pass")
    asked = {int(views.determinized(table.game, table.states, 1, seed_words(k))[0].to_act) for k in range(40)}
    assert asked == {3, 0}
    table = Table(at=SPREAD, hands=[hands[0], ["trip"], *hands[2:]]).begin(2)
    table.do("p2 play startle", "p2 target p0")
    asked = {int(views.determinized(table.game, table.states, 1, seed_words(k))[0].to_act) for k in range(40)}
    assert asked == {3, 0}  # p1 has no reaction, and is none of those who may be asked now


def test_a_reaction_tells_all_that_those_before_are_done() -> None:
    """p2's Alert shows that p1, who came before it, is asked no more."""
    hands = [["startle"], ["trip"], ["alert"], ["no_way"]]
    table = Table(at=SPREAD, hands=hands).begin(0).do("p0 play startle", "p0 target p2", "p2 react alert")
    for seat in (0, 1, 2):
        assert views.hidden(table.game, table.states, seat)[0].to_act == 3
