"""Set-up, rounds and the steps of a turn: OB-S1, OB-R1, OB-R2, OB-T1 to OB-T6."""

import pytest

from bearenvs.game import CHANCE, TERMINAL
from bearenvs.outrun_the_bear.state import ACTION, CAUGHT, ESCAPED
from tests.outrun_the_bear.table import Table

MANY = ["startle", "startle", "startle", "startle", "startle", "startle", "trip"]


def test_s1_two_cards_each_in_seat_order_then_seat_0() -> None:
    table = Table(num_players=3).restart().do("trail 1.a", "trail 2.a", "trail 3.a")
    for seat, cards in enumerate((["alert", "trip"], ["shove", "shove"], ["startle", "alert"])):
        for card in cards:
            assert table.seen_by(f"draw {card}") == {seat}
            table.do(f"draw {card}")
        assert table.hand(seat) == sorted(cards, key=table.ids.index)
    assert table.state.to_act == 0 and table.state.turn == 1
    assert table.state.token == 2


def test_r1_the_turn_goes_round_from_the_left_of_the_token() -> None:
    """The Bear moves after the token's holder; then the token goes to the right, so p2, the holder before, begins."""
    table = Table(num_players=3, bear=0, at={0: "c30r0", 1: "c30r1", 2: "c30r2"}).begin(0)
    order = []
    for _ in range(7):
        seat = int(table.state.to_act)
        order.append((seat, int(table.state.token)))
        table.do(f"p{seat} crawl", f"p{seat} stop")
        while table.state.to_act == CHANCE:
            table.do(next(text for text in table.odds() if text.split()[0] in ("draw", "reveal")))
    assert order == [(0, 2), (1, 2), (2, 2), (2, 1), (0, 1), (1, 1), (1, 0)]


def out(table: Table, seat: int, status: int) -> None:
    table.seat(seat).status = status
    table.seat(seat).space = table.game.lot if status == ESCAPED else -1
    table.state.is_out[seat] = 1


def test_r2_without_its_holder_the_round_ends_before_it() -> None:
    """p2, who holds the token, is out: after p1 comes the Bear; then p1 holds it, and the next one after p1 begins."""
    table = Table(num_players=4, at={0: "c30r0", 1: "c30r1", 3: "c30r2"})
    table.state.token = 2
    out(table, 2, ESCAPED)
    table.state.skips_turn = 1
    table.end_turn(1)
    assert table.state.num_rounds == 1
    assert table.state.token == 1
    assert table.state.to_act == 3  # left of p1 sits p2, who is out


def test_r2_the_token_passes_over_those_who_are_out() -> None:
    table = Table(num_players=4, at={1: "c30r1", 3: "c30r2"})
    table.state.token = 3
    out(table, 2, CAUGHT)
    table.state.skips_turn = 1
    table.end_turn(3)
    assert table.state.token == 1 and table.state.to_act == 3


def test_r2_the_last_one_running_keeps_the_token() -> None:
    table = Table(num_players=3, at={1: "c30r1"})
    out(table, 0, ESCAPED)
    out(table, 2, CAUGHT)
    table.state.token = 2
    table.state.skips_turn = 1
    table.end_turn(1)
    assert table.state.token == 1 and table.state.to_act == 1


@pytest.mark.parametrize("ground", ["camp", "c8r0"])
def test_t1_campsite_and_rest_area(ground: str) -> None:
    table = Table("R", at={0: ground}, num_players=2, hands=[["alert", "alert", "backpack"]]).terrain(0)
    assert table.legal() == ["pass", "equip backpack", "swap alert", "swap backpack"]
    table.do("p0 swap alert")
    assert table.discards() == ["alert"] and table.state.to_act == CHANCE
    table.do("draw trip")
    assert table.hand(0) == ["trip", "alert", "backpack"]
    assert (table.state.phase, table.state.to_act) == (ACTION, 0)


def test_t1_equipping_there_leaves_the_action_step() -> None:
    table = Table(num_players=2, hands=[["alert", "backpack"]]).terrain(0).do("p0 equip backpack")
    assert table.equipment(0) == "backpack"
    assert table.legal() == ["crawl"]


def test_t1_nothing_is_asked_there_of_an_empty_hand() -> None:
    assert Table(num_players=2).terrain(0).legal() == ["crawl"]


def test_t1_a_swap_with_no_deck_left_draws_the_discard() -> None:
    """It goes to the discard pile, not under the deck: nothing is drawn (OB-E4)."""
    table = Table(num_players=2, hands=[["alert"]]).deck().terrain(0).do("p0 swap alert")
    assert table.hand(0) == [] and table.discards() == ["alert"]
    assert table.legal() == ["crawl"]


def test_t1_path_does_nothing() -> None:
    assert Table("0", num_players=2, hands=[["alert"]]).terrain(0).state.phase == ACTION


def test_t1_bramble_allows_no_sprint_this_turn() -> None:
    table = Table("#", at={0: "c8r0"}, num_players=2, hands=[MANY]).terrain(0)
    assert table.legal() == ["crawl", "play startle", "play trip"]
    table.do("p0 crawl", "p0 step c9r0", "p0 stop")
    assert "sprint" in table.terrain(0).legal()  # on other ground, in another turn


def test_t2_exactly_one_action_of_four() -> None:
    table = Table("0", num_players=2, hands=[["startle", "startle", "alert", "backpack"]]).begin(0)
    assert table.legal() == ["crawl", "sprint", "play startle", "equip backpack"]
    table.do("p0 equip backpack")
    assert table.state.to_act == CHANCE  # the draw step
    table = Table("0", num_players=2, hands=[["startle", "alert", "backpack"]]).begin(0)
    assert table.legal() == ["crawl", "play startle", "equip backpack"]  # a sprint takes 4 cards


def test_t2_sprint_discards_in_the_chosen_order_then_moves() -> None:
    table = Table("0", num_players=2, hands=[["startle", "trip", "alert", "no_way", "backpack"]]).begin(0)
    table.pile("shove").do("p0 sprint", "p0 discard no_way", "p0 discard startle", "p0 discard backpack")
    assert table.legal() == ["discard trip", "discard alert"]
    table.do("p0 discard trip")
    assert table.discards() == ["shove", "no_way", "startle", "backpack", "trip"]
    table.do("p0 step c9r0", "p0 step c10r0", "p0 step c11r0", "p0 step c12r0")
    assert table.legal("stop") == ["stop"]
    table.do("p0 step c13r0")
    assert table.state.to_act == CHANCE


def test_t2_the_last_discard_is_asked_even_with_one_option() -> None:
    table = Table("0", num_players=2, hands=[["alert"] * 4]).begin(0).do("p0 sprint")
    assert table.legal() == ["discard alert"]


def test_t3_draw_two() -> None:
    table = Table("0", num_players=2).begin(0).do("p0 crawl", "p0 stop")
    assert table.seen_by("draw alert") == {0}
    table.do("draw alert", "draw trip")
    assert table.hand(0) == ["trip", "alert"]
    assert table.state.to_act == 1


def test_t3_at_the_limit_a_drawn_card_is_discarded_in_sight() -> None:
    table = Table("0", num_players=2, hands=[[*MANY[:6]]]).begin(0).do("p0 crawl", "p0 stop", "draw alert")
    assert len(table.hand(0)) == 7
    assert table.seen_by("draw shove") == {0, 1}
    table.do("draw shove")
    assert len(table.hand(0)) == 7 and table.discards() == ["shove"]


def test_t4_a_second_equipment_sends_the_first_to_the_pile() -> None:
    table = Table("0", num_players=2, hands=[["headband"]]).gear(0, "backpack").begin(0).do("p0 equip headband")
    assert table.equipment(0) == "headband" and table.discards() == ["backpack"]


def test_t5_a_card_is_discarded_when_announced_below_any_reaction() -> None:
    table = Table("0.1", num_players=2, hands=[["startle"], ["alert"]]).begin(0).do("p0 play startle")
    assert table.discards() == ["startle"]
    table.do("p0 target p1", "p1 react alert")
    assert table.discards() == ["startle", "alert"]


def test_t6_caught_by_its_own_card_a_player_takes_no_further_step() -> None:
    at = {0: "c11r0", 1: "c20r1", 2: "c20r2"}
    table = Table(num_players=3, at=at, bear=8, hands=[["bear_call", "alert"]]).begin(0).do("p0 play bear_call")
    assert table.returns() == [-1.0, 0.0, 0.0]
    assert table.state.is_out[0] == 1
    assert table.state.to_act == 1
    assert table.hand(0) == ["alert"]  # it has left the game, unseen


def test_the_end_is_the_end() -> None:
    table = Table(num_players=2, at={0: "c38r0", 1: "c38r1"}).begin(0).do("p0 crawl", "p0 step lot")
    table.begin(1).do("p1 crawl", "p1 step lot")
    assert table.state.to_act == TERMINAL
