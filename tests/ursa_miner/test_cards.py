"""The effects of Ursa Miner's bonus cards, each on a small arranged table. See `table` for the map of cells."""

from pathlib import Path
from typing import Any

import pytest

from bearenvs.ursa_miner.game import UrsaMiner
from tests.ursa_miner.table import LINE, Table

HIGH = {10: "? h1/1", 11: "? h2/2", 12: "? h1/1", 13: "? j1/2"}
"""A row of stacks of two tiles."""


def table_with(card: str, stacks: dict[int, str], bears: list[list[int]], **arguments: Any) -> Table:
    """A table at which seat 0 holds ``card`` and can pay for it."""
    return Table(stacks, bears, [[card]], **{"honey": [1], **arguments})


def custom(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """The default content with some text replaced."""
    text = (UrsaMiner.folder / "content.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "content.toml"
    file.write_text(text, encoding="utf-8")
    return file


# --- own_move


def test_own_move_one_space_spends_no_use_and_asks_no_more() -> None:
    table = table_with("sugar_rush", LINE, [[9], []])
    table.do("play sugar_rush")
    assert table.legal() == ["move b0 c10"]
    table.do("move b0 c10")
    assert table.legal("move", "stop", "end") == ["move b0 c9", "move b0 c11", "end"]
    assert table.seat(0).moves[0] == 0


def test_own_move_goes_on_with_the_same_bear_until_the_last_space() -> None:
    table = table_with("stampede", LINE, [[9, 14], []])
    table.do("play stampede")
    assert table.legal() == ["move b0 c10", "move b1 c13"]
    table.do("move b1 c13")
    assert table.legal() == ["move b1 c12", "move b1 c14", "stop"]
    table.do("move b1 c12")
    assert table.legal() == ["move b1 c11", "move b1 c13", "stop"]
    table.do("move b1 c11")
    assert "end" in table.legal()
    assert table.cells(0) == [9, 11]


def test_own_move_may_stop_after_the_first_space() -> None:
    table = table_with("stampede", LINE, [[9], []])
    table.do("play stampede")
    assert "stop" not in table.legal()
    table.do("move b0 c10", "stop")
    assert "end" in table.legal()
    assert table.cards_in(table.state.discard) == ["stampede"]


def test_own_move_keeps_the_bear_when_it_joins_one_like_it() -> None:
    table = table_with("stampede", LINE, [[10, 9], []])
    table.do("play stampede", "move b1 c10")
    assert table.legal() == ["move b1 c9", "move b1 c11", "stop"]


def test_own_move_moves_bears_that_have_no_uses_left() -> None:
    table = table_with("sugar_rush", HIGH, [[11], []])
    table.do("mine c10", "tile h2/2", "move b0 c12", "play sugar_rush")
    assert table.legal() == ["move b0 c11", "move b0 c13"]


def test_own_move_needs_a_neighbouring_stack() -> None:
    assert table_with("sugar_rush", {9: "h1/1"}, [[9], []]).legal("play") == []


# --- shove


def test_shove_moves_one_opposing_bear_where_its_mover_says() -> None:
    table = Table(LINE, [[9], [12, 12, 13], [11]], [["bear_hug"]], num_players=3)
    table.do("play bear_hug")
    assert table.legal() == [
        "shove p1.b0 c11",
        "shove p1.b0 c13",
        "shove p1.b2 c12",
        "shove p1.b2 c14",
        "shove p2.b0 c10",
        "shove p2.b0 c12",
    ]
    table.do("shove p1.b2 c14")
    assert table.cells(1) == [12, 12, 14]
    assert list(table.seat(1).moves) == [0] * 5


def test_shove_aims_at_seats_as_the_acting_seat_sees_them() -> None:
    table = Table(LINE, [[9], [12], [11]], [[], ["bear_hug"]], num_players=3)
    table.pass_turn()
    table.do("play bear_hug")
    assert table.legal() == ["shove p2.b0 c10", "shove p2.b0 c12", "shove p0.b0 c10"]
    table.do("shove p0.b0 c10")
    assert table.cells(0) == [10]


def test_a_bear_shoved_on_its_way_goes_on_from_where_it_is() -> None:
    table = Table(HIGH, [[10], [13]], [[], ["bear_hug"]])
    table.do("move b0 c11")
    table.pass_turn()
    table.do("play bear_hug", "shove p0.b0 c10")
    table.pass_turn()
    assert table.legal("move", "mine") == ["move b0 c11"]  # c11 takes two bears


def test_shove_needs_a_bear_that_can_move() -> None:
    assert table_with("bear_hug", {9: "h1/1"}, [[9], [9]]).legal("play") == []


# --- swap_tops


def test_swap_tops_exchanges_two_tops_without_bears() -> None:
    table = table_with("cave_in", HIGH, [[10], []])
    table.do("play cave_in")
    assert table.legal() == ["pick c11", "pick c12", "pick c13"]
    table.do("pick c13")
    assert table.legal() == ["pick c11", "pick c12"]
    table.do("pick c11")
    assert (table.top(11), table.top(12), table.top(13)) == ("j1/2", "h1/1", "h2/2")
    assert list(table.state.buried[11:14]) == [1, 1, 1]
    assert "end" in table.legal()


def test_swap_tops_takes_picks_in_either_order_and_equal_faces_second() -> None:
    table = table_with("cave_in", {**HIGH, 9: "h1/1"}, [[10], []])
    table.do("play cave_in", "pick c9")
    assert "pick c12" in table.legal()  # h1/1 as well: allowed as the second, though it changes nothing
    table.do("pick c12")
    assert "end" in table.legal()


def test_swap_tops_needs_two_different_faces() -> None:
    assert table_with("cave_in", LINE, [[9], []]).legal("play") == []
    assert table_with("cave_in", {9: "h1/1", 10: "h2/2"}, [[9], []]).legal("play") == []
    assert table_with("cave_in", {9: "h2/2", 10: "h1/1", 11: "h2/2"}, [[10], []]).legal("play") == []
    assert table_with("cave_in", {9: "h2/2", 10: "h1/1", 11: "h3/3"}, [[10], []]).legal("play") == ["play cave_in"]


def test_swap_tops_counts_equal_figures_on_different_colors_as_one_face() -> None:
    table = table_with("cave_in", {9: "h1/1", 10: "? h1/1", 11: "h2/2"}, [[9], []])
    table.do("mine c10", "tile h2/2")  # a gray 2/2 beside the brown one on c11
    assert table.state.top[10] != table.state.top[11]
    assert table.legal("play") == []


# --- place_hardened


def test_place_hardened_on_a_free_stack_or_beside_the_mountain() -> None:
    table = table_with("hardened_honey", {9: "h1/1", 10: "? h1/1"}, [[9], []])
    table.do("play hardened_honey")
    assert table.legal() == [f"pick c{cell}" for cell in (4, 5, 10, 11, 15, 16)]  # the outline ends left of c9


def test_place_hardened_in_a_gap_extends_the_mountain() -> None:
    table = table_with("hardened_honey", LINE, [[10], []])
    table.do("play hardened_honey", "pick c15")  # beside c9 and c10
    assert (table.top(15), table.state.num_hardened) == ("hh", 3)
    assert "move b0 c15" in table.legal()
    assert table.state.cuts == sum(1 << cell for cell in (10, 11, 12, 13))


def test_place_hardened_covers_a_tile_that_stays_known() -> None:
    table = table_with("hardened_honey", {9: "h1/1", 10: "? j1/2"}, [[9, 9, 9, 9], []])
    table.do("play hardened_honey", "pick c10")
    assert (table.top(10), table.state.num_covered, table.state.buried[10]) == ("hh", 1, 1)
    table.do("mine c10", "with b0", "with b1")
    assert table.state.to_act == 0  # known: no chance event
    assert (table.top(10), table.state.num_covered, table.seat(0).honey) == ("j1/2", 0, 2)
    table.do("mine c10")
    assert table.odds().keys() == {"tile h2/2", "tile h3/3", "tile j2/3", "tile j3/4"}


def test_place_hardened_twice_on_one_stack_comes_up_in_order() -> None:
    table = Table(
        {9: "h1/1", 10: "? j1/2", 11: "? h1/1"}, [[9] * 5, []], [["hardened_honey"] * 3], honey=[9], honey_burst=True
    )
    table.do("play hardened_honey", "pick c10", "play hardened_honey", "pick c11", "play hardened_honey", "pick c10")
    assert table.state.num_covered == 3
    table.do("mine c10", "with b0", "with b1")
    assert table.top(10) == "hh"
    table.do("mine c10", "with b2", "with b3")
    assert (table.top(10), table.top(11)) == ("j1/2", "hh")
    assert list(table.state.covered_cell) == [11, 0, 0, 0]


def test_place_hardened_a_mined_one_does_not_come_back() -> None:
    table = table_with("hardened_honey", {9: "h1/1", 10: "? h1/1"}, [[9, 9], []])
    table.do("play hardened_honey", "pick c10", "mine c10")
    assert table.state.num_hardened == 3
    assert table.state.mined_tiles[len(table.content.tiles) + 1] == 1


def test_place_hardened_needs_a_tile_left() -> None:
    stacks = dict.fromkeys((10, 11, 12, 13), "hh")
    assert table_with("hardened_honey", {**stacks, 14: "h1/1"}, [[14], []]).legal("play") == []


# --- mine_discount


def test_mine_discount_is_used_by_the_next_mining() -> None:
    table = table_with("sharp_claws", HIGH, [[10, 10], []])
    table.do("play sharp_claws")
    assert table.legal("mine") == ["mine c11"]
    table.do("mine c11", "with b0", "tile j3/3")
    assert (table.seat(0).honey, table.state.discount) == (2, 0)


def test_mine_discounts_add_up_but_at_least_one_bear_is_needed() -> None:
    hand = ["sharp_claws"] * 3
    table = Table({9: "h1/1", 10: "? h3/3"}, [[9, 9], []], [hand], honey=[9], honey_burst=True)
    table.do("play sharp_claws")
    assert table.legal("mine") == ["mine c10"]
    table.do("play sharp_claws", "play sharp_claws", "mine c10")
    assert table.legal() == ["with b0"]  # one of two, not none


def test_mine_discount_lapses_with_the_turn() -> None:
    table = table_with("sharp_claws", {9: "h1/1", 10: "? h2/2"}, [[9], [9]])
    table.do("play sharp_claws")
    table.pass_turn()
    assert table.legal("mine") == []
    table.pass_turn()
    assert table.legal("mine") == []


def test_mine_discount_needs_a_bear_with_its_mine_use() -> None:
    table = table_with("sharp_claws", HIGH, [[11], []])
    table.do("mine c10", "tile h2/2")
    assert table.legal("play") == []
    table = table_with("sharp_claws", HIGH, [[11], []])
    table.do("move b0 c12", "move b0 c11")
    assert table.legal("play") == []


# --- refresh


def test_refresh_lets_a_bear_mine_again_or_move_instead() -> None:
    table = table_with("second_wind", HIGH, [[11], []])
    assert table.legal("play") == []  # nobody has mined
    table.do("mine c10", "tile h2/2", "play second_wind")
    assert table.legal() == ["bear b0"]
    table.do("bear b0")
    assert table.legal("move", "mine") == ["move b0 c10", "move b0 c12", "mine c12"]
    table.do("move b0 c12", "move b0 c11")
    assert table.legal() == ["end"]


def test_refresh_offers_one_of_like_bears() -> None:
    table = table_with("second_wind", {10: "? h1/1", 11: "? h2/2", 12: "h1/1", 13: "h1/1"}, [[12, 12, 13], []])
    table.do("mine c11", "tile j3/3", "play second_wind")
    assert table.legal() == ["bear b0"]


# --- steal


def test_steal_takes_up_to_n_from_one_who_has_some_and_asks_even_for_one() -> None:
    table = Table(LINE, [[9], [14], [13]], [["sticky_paws"]], honey=[0, 0, 4], num_players=3)
    table.do("play sticky_paws")
    assert table.legal() == ["from p2"]
    table.do("from p2")
    assert [int(table.seat(seat).honey) for seat in range(3)] == [1, 0, 3]


def test_steal_needs_an_opponent_with_honey() -> None:
    assert Table(LINE, [[9], [14]], [["sticky_paws"]], honey=[5, 0]).legal("play") == []


def test_steal_takes_no_more_than_there_is(tmp_path: Path) -> None:
    content = custom(tmp_path, ('effect = "steal"\nn = 1', 'effect = "steal"\nn = 5'))
    table = Table(LINE, [[9], [14]], [["sticky_paws"]], honey=[0, 2], content=content)
    table.do("play sticky_paws", "from p1")
    assert [int(table.seat(seat).honey) for seat in range(2)] == [2, 0]


# --- hire


def test_hire_by_card_places_a_bear_without_uses_that_cards_can_move() -> None:
    table = Table(HIGH, [[10, 12], []], [["word_of_mouth", "sugar_rush"]], honey=[9], honey_burst=True)
    table.do("play word_of_mouth")
    assert table.legal() == ["hire b0", "hire b1"]
    table.do("hire b1")
    assert table.cells(0) == [10, 12, 12]
    assert table.legal("move") == ["move b0 c11", "move b1 c11", "move b1 c13"]
    table.do("play sugar_rush")
    assert "move b2 c13" in table.legal()


def test_hire_for_honey_stays_possible_after_the_card() -> None:
    table = table_with("word_of_mouth", LINE, [[9], []], honey=[4])
    table.do("play word_of_mouth", "hire b0", "end")
    assert table.legal() == ["hire b0", "skip"]
    table.do("hire b0")
    assert (table.seat(0).num_bears, table.seat(0).honey) == (3, 0)


def test_hire_needs_a_waiting_bear() -> None:
    assert table_with("word_of_mouth", LINE, [[9] * 5, []]).legal("play") == []


def test_a_bear_hired_by_card_cannot_mine_this_turn() -> None:
    table = table_with("word_of_mouth", {9: "h1/1", 10: "? h2/2"}, [[9], []])
    table.do("play word_of_mouth", "hire b0")
    assert table.legal("mine") == []


# --- rally


def test_rally_brings_a_bear_to_the_stack_of_another() -> None:
    table = table_with("scent_trail", LINE, [[9, 9, 12, 14, 14], []])
    table.do("play scent_trail")
    assert table.legal() == [
        "rally b0 b2",
        "rally b0 b3",
        "rally b2 b0",
        "rally b2 b3",
        "rally b3 b0",
        "rally b3 b2",
    ]
    table.do("rally b3 b2")
    assert table.cells(0) == [9, 9, 12, 12, 14]
    assert table.seat(0).moves[3] == 0


def test_rally_needs_bears_on_two_stacks() -> None:
    assert table_with("scent_trail", LINE, [[9, 9], []]).legal("play") == []


# --- own content


@pytest.mark.parametrize("n", [1, 9])
def test_own_move_takes_its_number_from_the_content(tmp_path: Path, n: int) -> None:
    content = custom(tmp_path, ('effect = "own_move"\nn = 3', f'effect = "own_move"\nn = {n}'))
    table = table_with("stampede", LINE, [[9], []], content=content)
    table.do("play stampede", "move b0 c10")
    for step in range(1, n):
        assert "stop" in table.legal()
        table.do("move b0 c9" if step % 2 else "move b0 c10")
    assert "end" in table.legal()
