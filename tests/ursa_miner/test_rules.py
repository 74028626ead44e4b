"""The rules of Ursa Miner by their ids, each on a small arranged table. See `table` for the map of cells."""

from collections import Counter

import pytest

from bearenvs import views
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.playthrough import Position
from bearenvs.registry import load_game
from bearenvs.ursa_miner.content import UrsaMinerContent
from tests.ursa_miner.table import LINE, Table


def started(num_players: int = 2) -> Position:
    """A game at its very first event."""
    return Position(load_game("ursa_miner", num_players=num_players, compiled=False))


def possible(position: Position) -> list[str]:
    return [position.text(event) for event in position.possible()]


def play(position: Position, text: str) -> None:
    event = position.index(text)
    assert event in position.possible()
    position.play(event)


# ---------------------------------------------------------------------------------------------------------------
# The mountain


def test_um_m3_tops_are_revealed_cell_by_cell_from_their_colors_multiset() -> None:
    position = started()
    state = position.states[0]
    odds = views.chance_weights(position.game, position.states)
    texts = {position.game.outcomes.text(i): int(weight) for i, weight in enumerate(odds) if weight}
    assert texts == {"tile h1/1": 16, "tile h2/2": 8, "tile j1/2": 8, "tile h3/3": 4}
    for cell in range(30):
        assert state.cell == cell
        play(position, "tile h3/3" if cell < 4 else possible(position)[0])
    assert "tile h3/3" not in possible(position)  # all four are on the mountain
    assert state.buried.sum() == 4 * 2 + 10


def test_um_m3_mining_reveals_what_is_under_it_in_public() -> None:
    table = Table({9: "h1/1", 10: "? h1/1", 11: "?? h1/1"}, [[9], [11]])
    table.do("mine c10")
    assert table.state.to_act == CHANCE
    assert table.odds() == {"tile h2/2": 5, "tile h3/3": 4, "tile j2/3": 6, "tile j3/4": 3}
    position = table.game.outcomes.index("tile j2/3")
    assert table.game.kernels["event_seen_by"](table.game.record[0].content, table.state, position) == 0b11
    table.do("tile j2/3")
    assert (table.state.to_act, table.top(10)) == (0, "j2/3")
    assert table.state.buried[10] == 0


def test_um_m3_black_lies_under_gray() -> None:
    table = Table({10: "h1/1", 11: "?? h1/1"}, [[10], []])
    table.do("mine c11", "tile h2/2")
    table.seat(0).mined[0] = 0
    table.seat(0).num_bears = 2
    table.seat(0).cell[1] = 10
    table.do("mine c11")
    assert table.odds() == {"tile j3/3": 2, "tile j4/4": 2, "tile j5/5": 2}


def test_um_m3_a_chance_event_with_one_outcome_happens_too() -> None:
    table = Table({9: "h1/1", 10: "? h1/1"}, [[9], []])
    for kind, tile in enumerate(table.content.tiles, start=1):
        if tile.color == "gray" and tile.face != "j3/4":
            table.state.mined_tiles[kind] += table.state.unseen_tiles[kind]
            table.state.unseen_tiles[kind] = 0
    table.do("mine c10")
    assert table.odds() == {"tile j3/4": 3}


def test_um_m4_heights_do_not_matter_and_a_gone_cell_is_no_neighbour() -> None:
    table = Table({10: "h1/1", 11: "?? h2/2", 17: "? h2/2"}, [[11], []])
    assert table.legal("move") == ["move b0 c10", "move b0 c17"]
    table.do("mine c10")
    assert table.legal("move") == ["move b0 c17"]


# ---------------------------------------------------------------------------------------------------------------
# Setup


@pytest.mark.parametrize(("num_players", "deck"), [(2, 20), (3, 21), (4, 28)])
def test_um_s1_decks_and_first_hands(num_players: int, deck: int) -> None:
    position = started(num_players)
    state = position.states[0]
    assert state.num_deck == deck
    while possible(position)[0].startswith("tile"):
        play(position, possible(position)[0])
    for seat in range(num_players):
        assert len(possible(position)) == 10  # every kind may come: those left in the box are unseen too
        event = position.possible()[0]
        assert [other for other in range(num_players) if position.is_seen_by(event, other)] == [seat]
        position.play(event)
    assert list(state.seats["num_hand"][:num_players]) == [1] * num_players
    assert (state.num_deck, state.unseen_cards.sum()) == (deck - num_players, 28 - num_players)


def test_um_s2_both_starting_bears_go_on_one_free_tile_in_seat_order() -> None:
    position = started(3)
    while position.to_act == CHANCE:
        play(position, possible(position)[0])
    assert position.to_act == 0
    assert possible(position) == [f"place c{cell}" for cell in range(30)]
    play(position, "place c11")
    assert position.to_act == 1
    assert possible(position) == [f"place c{cell}" for cell in range(30) if cell != 11]
    play(position, "place c0")
    play(position, "place c29")
    seats = position.states[0].seats
    assert [list(seats[seat].cell) for seat in range(3)] == [
        [11, 11, -1, -1, -1],
        [0, 0, -1, -1, -1],
        [29, 29, -1, -1, -1],
    ]
    assert position.to_act == 0
    assert "end" in possible(position)


# ---------------------------------------------------------------------------------------------------------------
# Actions


def test_um_a1_a_bear_moves_and_mines_in_any_order() -> None:
    table = Table(LINE, [[10], []])
    table.do("mine c9", "move b0 c11")
    assert table.legal() == ["end"]
    table = Table(LINE, [[11], []])
    table.do("move b0 c10", "mine c9")
    assert table.legal() == ["end"]


def test_um_a1_a_bear_moves_twice_but_never_mines_twice() -> None:
    table = Table(LINE, [[11], []])
    table.do("move b0 c10", "move b0 c11")
    assert table.legal() == ["end"]
    table = Table({10: "? h1/1", 11: "h1/1", 12: "? h1/1"}, [[11], []])
    table.do("mine c10", "tile h2/2")
    assert table.legal() == ["move b0 c10", "move b0 c12", "end"]


def test_um_a1_bears_interleave_and_uses_come_back_at_the_end_of_the_turn() -> None:
    table = Table(LINE, [[9, 12], [14]])
    table.do("move b1 c11", "move b0 c10", "move b1 c12")
    assert table.legal("move") == ["move b0 c9", "move b0 c11"]
    table.pass_turn()
    assert list(table.seat(0).moves) == [0] * 5
    table.pass_turn()
    assert table.legal("move") == ["move b0 c9", "move b0 c11", "move b1 c11", "move b1 c13"]


def test_um_a2_a_bear_moves_onto_stacks_with_any_bears() -> None:
    table = Table(LINE, [[10, 11], [9]])
    assert table.legal("move") == ["move b0 c9", "move b0 c11", "move b1 c10", "move b1 c12"]


def test_um_a3_only_stacks_without_bears_are_mined() -> None:
    table = Table({9: "h1/1", 10: "? h1/1", 11: "? h1/1", 16: "? h1/1"}, [[10], [9]])
    assert table.legal("mine") == ["mine c11", "mine c16"]


def test_um_a3_exactly_the_mining_number_of_own_bears_beside_the_stack() -> None:
    stacks = {10: "? h1/1", 11: "? h2/2", 12: "? h1/1", 13: "h1/1"}
    assert Table(stacks, [[10, 13], [12]]).legal("mine") == []  # opponents' bears never count
    table = Table(stacks, [[10, 12], [13]])  # bears on different stacks work together
    table.do("mine c11")
    assert list(table.seat(0).mined[:2]) == [1, 1]
    assert table.seat(0).honey == 2


def test_um_a3_bears_without_a_mine_use_do_not_count() -> None:
    table = Table({9: "h1/1", 10: "? h1/1", 11: "? h2/2", 12: "? h1/1", 13: "h1/1"}, [[10, 12], []])
    table.do("mine c13")
    assert table.legal("mine") == ["mine c9"]


def test_um_a3_with_asks_until_all_that_are_left_are_needed() -> None:
    stacks = {10: "? h1/1", 11: "? h2/2", 12: "? h1/1", 6: "? h1/1"}
    table = Table(stacks, [[10, 12, 6], []])
    table.do("mine c11")
    assert table.legal() == ["with b0", "with b1", "with b2"]
    table.do("with b0")
    assert table.legal() == ["with b1", "with b2"]
    table.do("with b2", "tile j3/3")
    assert list(table.seat(0).mined[:3]) == [1, 0, 1]

    table = Table({**stacks, 11: "? h3/3", 5: "? h1/1"}, [[10, 12, 6, 5], []])
    table.do("mine c11", "with b1")
    assert table.legal() == ["with b0", "with b2", "with b3"]
    table.do("with b3")
    assert table.legal() == ["with b0", "with b2"]
    table.do("with b2")
    assert list(table.seat(0).mined[:4]) == [0, 1, 1, 1]


def test_um_a3_all_take_part_unasked_when_all_are_needed() -> None:
    table = Table({10: "? h1/1", 11: "? h3/3", 12: "? h1/1"}, [[10, 10, 12], []])
    table.do("mine c11")
    assert table.state.to_act == CHANCE
    assert list(table.seat(0).mined[:3]) == [1, 1, 1]


def test_um_a3_with_is_asked_even_among_interchangeable_bears() -> None:
    """Both could take part and one is needed: a decision with a single option (UM-A7)."""
    table = Table({9: "h1/1", 10: "? h1/1"}, [[9, 9], []])
    table.do("mine c10")
    assert table.legal() == ["with b0"]


def test_um_a4_a_last_tile_that_would_split_the_mountain_stays() -> None:
    table = Table(LINE, [[10], []])
    assert table.legal("mine") == ["mine c9"]
    assert Table({**LINE, 11: "? h1/1"}, [[10], []]).legal("mine") == ["mine c9", "mine c11"]
    ring = {5: "h1/1", 6: "h1/1", 10: "h1/1", 12: "h1/1", 16: "h1/1", 17: "h1/1"}
    table = Table(ring, [[6], []])
    assert table.legal("mine") == ["mine c5", "mine c12"]  # around the hole at c11 there is another way
    table.do("mine c5", "end", "draw bear_hug")
    assert table.state.cuts == sum(1 << cell for cell in (12, 17, 16))  # now it is a line from c6 to c10


def test_um_a5_honey_and_jelly_are_counted_apart() -> None:
    table = Table({10: "? h3/3", 11: "h1/1", 12: "? j1/2"}, [[11] * 5, []])
    table.do("mine c10", "with b0", "with b1", "with b2", "tile j2/3", "mine c12")
    assert (table.seat(0).honey, table.seat(0).jelly) == (3, 1)


def test_um_a6_one_card_a_turn_paid_for_first_then_on_the_discard_pile() -> None:
    table = Table(LINE, [[9, 12], [14]], [["stampede", "sugar_rush"]], honey=[1])
    assert table.legal("play") == ["play sugar_rush", "play stampede"]
    table.do("play stampede")
    assert (table.seat(0).honey, table.seat(0).num_hand) == (0, 1)
    assert table.cards_in(table.state.discard) == []  # while its effect runs it is in neither hand nor pile
    table.do("move b0 c10", "stop")
    assert table.cards_in(table.state.discard) == ["stampede"]
    assert table.legal("play") == []
    table.pass_turn()
    table.pass_turn()
    assert "play sugar_rush" in table.legal("play")


def test_um_a6_a_card_needs_its_cost() -> None:
    table = Table(LINE, [[9], []], [["stampede", "sugar_rush"]])
    assert table.legal("play") == ["play sugar_rush"]


def test_um_a6_a_returning_card_is_back_in_the_hand_for_all_to_see() -> None:
    table = Table(LINE, [[9, 12], [14]], [["scent_trail"]], honey=[9])
    table.do("play scent_trail")
    assert table.cards_in(table.seat(0).hand) == []
    table.do("rally b0 b1")
    assert table.cards_in(table.seat(0).hand) == ["scent_trail"]
    assert table.cards_in(table.seat(0).shown) == ["scent_trail"]
    assert table.cards_in(table.state.discard) == []
    assert table.legal("play") == []  # one card a turn


def test_um_a7_of_interchangeable_bears_the_lowest_is_offered() -> None:
    table = Table({9: "h1/1", 10: "? h1/1"}, [[9, 9, 9, 10], []])
    assert table.legal("move") == ["move b0 c10", "move b3 c9"]
    table.do("move b0 c10")
    assert table.legal("move") == ["move b0 c9", "move b1 c10", "move b3 c9"]  # b0 has moved, b3 has not
    table.do("move b1 c10", "move b0 c9")
    assert table.legal("move") == ["move b1 c9", "move b2 c10", "move b3 c9"]  # b0, twice moved, is not offered


def test_um_a7_bears_differ_by_having_mined() -> None:
    table = Table({9: "h1/1", 10: "? h1/1", 11: "h1/1"}, [[9, 9], []])
    table.do("mine c10", "with b0", "tile h2/2")
    assert table.legal("move") == ["move b0 c10", "move b1 c10"]


def test_um_a7_moves_by_card_do_not_count() -> None:
    table = Table(LINE, [[9, 10], []], [["sugar_rush"]])
    table.do("play sugar_rush", "move b0 c10")
    assert table.legal("move") == ["move b0 c9", "move b0 c11"]  # b1 is like b0


# ---------------------------------------------------------------------------------------------------------------
# Hire, draw, end


def test_um_h1_hire_for_three_honey_once_after_the_actions() -> None:
    table = Table(LINE, [[9, 9, 10], [14]], honey=[7])
    table.do("end")
    assert table.legal() == ["hire b0", "hire b2", "skip"]
    table.do("hire b2")
    assert (table.seat(0).honey, table.cells(0)) == (4, [9, 9, 10, 10])
    assert table.state.to_act == CHANCE  # once only


def test_um_h1_is_not_asked_when_nothing_can_be_hired() -> None:
    table = Table(LINE, [[9], [14]], honey=[2])
    table.do("end")
    assert table.state.to_act == CHANCE
    table = Table(LINE, [[9] * 5, [14]], honey=[9])
    table.do("end")
    assert table.state.to_act == CHANCE


def test_um_h1_a_hired_bear_acts_from_the_next_turn() -> None:
    table = Table(LINE, [[9], [14]], honey=[3])
    table.do("end", "hire b0", "draw bear_hug")
    table.pass_turn()
    assert table.legal("move") == ["move b0 c10"]  # b0 and b1 are alike again
    assert list(table.seat(0).moves[:2]) == [0, 0]


def test_um_d1_a_card_is_drawn_in_private_and_there_is_no_hand_limit() -> None:
    table = Table(LINE, [[9], [14]], [["bear_hug"] * 3 + ["cave_in"] * 3 + ["sticky_paws"] * 3])
    table.do("end")
    event = table.game.outcomes.index("draw stampede")
    assert table.game.kernels["event_seen_by"](table.game.record[0].content, table.state, event) == 0b01
    table.do("draw stampede")
    assert table.seat(0).num_hand == 10
    assert table.state.to_act == 1


def test_um_d1_nothing_is_drawn_from_an_empty_deck() -> None:
    table = Table(LINE, [[9], [14]])
    table.state.num_deck = 0
    table.state.turns_left = 2
    table.do("end")
    assert (table.state.to_act, table.state.num_deck) == (1, 0)


@pytest.mark.parametrize(("num_players", "turns"), [(2, 10), (3, 7), (4, 7)])
def test_um_e1_every_player_has_the_same_number_of_turns(num_players: int, turns: int) -> None:
    position = started(num_players)
    taken: Counter[int] = Counter()
    after_last_draw: list[int] = []
    while position.to_act != TERMINAL:
        if position.to_act == CHANCE or "end" not in possible(position):
            play(position, possible(position)[0])
        else:
            taken[position.to_act] += 1
            if position.states[0].num_deck == 0:
                after_last_draw.append(position.to_act)
            play(position, "end")
    assert set(taken.values()) == {turns}
    assert after_last_draw == list(range(num_players))  # one more turn each, from the next player on
    assert not position.states[0].truncated


def finished(jelly: list[int], honey: list[int]) -> list[float]:
    table = Table({18: "h1/1"}, [[18]] * len(jelly), num_players=len(jelly))
    for seat in range(len(jelly)):
        table.seat(seat).jelly = jelly[seat]
        table.seat(seat).honey = honey[seat]
    assert list(views.returns(table.game, table.states)[0]) == [0.0] * len(jelly)  # not decided before the end
    table.state.num_deck = 0
    table.state.turns_left = 1
    table.do("end")
    if table.state.to_act != TERMINAL:
        table.do("skip")
    assert table.state.to_act == TERMINAL
    return list(views.returns(table.game, table.states)[0])


def test_um_e2_most_jelly_wins_then_most_honey_then_the_win_is_shared() -> None:
    assert finished([1, 2], [9, 0]) == [-1, 1]
    assert finished([2, 2], [1, 0]) == [1, -1]
    assert finished([2, 2], [1, 1]) == [0, 0]
    assert finished([2, 2, 1], [1, 1, 2]) == pytest.approx([0.25, 0.25, -0.5])


def test_um_e3_returns_are_shares_of_one() -> None:
    assert finished([1, 0, 0], [0, 0, 0]) == pytest.approx([1, -0.5, -0.5])
    assert finished([1, 1, 1, 0], [0, 0, 0, 0]) == pytest.approx([1 / 9, 1 / 9, 1 / 9, -1 / 3])
    assert finished([1, 1, 1, 1], [0, 0, 0, 0]) == pytest.approx([0, 0, 0, 0])


def test_um_e4_truncation() -> None:
    table = Table(LINE, [[9], [14]], max_turns=2)
    table.pass_turn()
    assert table.state.to_act == 1
    table.seat(1).jelly = 5
    table.pass_turn()
    assert (table.state.to_act, table.state.truncated) == (TERMINAL, 1)
    assert list(views.returns(table.game, table.states)[0]) == [0, 0]


def test_um_e4_a_game_that_ends_with_the_last_turn_allowed_is_not_truncated() -> None:
    table = Table(LINE, [[9], [14]], max_turns=1)
    table.state.num_deck = 0
    table.state.turns_left = 1
    table.do("end")
    assert (table.state.to_act, table.state.truncated) == (TERMINAL, 0)


# ---------------------------------------------------------------------------------------------------------------
# Advanced rules


SLEEPY = {10: "? h1/1", 11: "h1/1", 12: "? h1/1"}


def test_um_x1_sleepy_bears_do_not_move_after_mining() -> None:
    table = Table(SLEEPY, [[11], []], [["sugar_rush"]], sleepy_bears=True)
    table.do("mine c10", "tile h2/2")
    assert table.legal() == ["play sugar_rush", "end"]
    table.do("play sugar_rush")  # cards can still move it
    assert table.legal() == ["move b0 c10", "move b0 c12"]


def test_um_x1_a_bear_that_has_not_mined_may_move_twice() -> None:
    table = Table(SLEEPY, [[11], []], sleepy_bears=True)
    table.do("move b0 c10", "move b0 c11")
    assert table.legal() == ["end"]


def test_um_x1_a_refreshed_bear_may_move_again() -> None:
    table = Table(SLEEPY, [[11], []], [["second_wind"]], honey=[1], sleepy_bears=True)
    table.do("mine c10", "tile h2/2", "play second_wind", "bear b0")
    assert table.legal("move") == ["move b0 c10", "move b0 c12"]


def test_um_x2_honey_burst_takes_one_honey_more_for_each_further_card() -> None:
    hand = ["sugar_rush", "sugar_rush", "stampede"]
    table = Table(LINE, [[9], [14]], [hand], honey=[3], honey_burst=True)
    table.do("play sugar_rush", "move b0 c10")
    assert table.seat(0).honey == 3
    table.do("play stampede", "move b0 c11", "stop")
    assert table.seat(0).honey == 1  # its cost 1, and 1 for being another card
    table.do("play sugar_rush", "move b0 c12")
    assert table.seat(0).honey == 0  # still 1 more, not 2


def test_um_x2_the_surcharge_must_be_affordable_and_lapses_with_the_turn() -> None:
    table = Table(LINE, [[9], [14]], [["sugar_rush", "sugar_rush"]], honey_burst=True)
    table.do("play sugar_rush", "move b0 c10")
    assert table.legal("play") == []
    table.pass_turn()
    table.pass_turn()
    assert "play sugar_rush" in table.legal("play")


def test_um_a6_a_returned_card_may_be_played_again_under_honey_burst() -> None:
    table = Table(LINE, [[9, 12], [14]], [["scent_trail"]], honey=[3], honey_burst=True)
    table.do("play scent_trail", "rally b0 b1")
    table.do("move b0 c11", "play scent_trail", "rally b1 b0")
    assert (table.seat(0).honey, table.cells(0)) == (0, [11, 11])
    assert table.cards_in(table.seat(0).shown) == ["scent_trail"]


# ---------------------------------------------------------------------------------------------------------------
# The reference content has what the rules above need


def test_default_content_counts() -> None:
    content = load_game("ursa_miner", compiled=False).content
    assert isinstance(content, UrsaMinerContent)
    copies = Counter({tile.color: 0 for tile in content.tiles})
    for tile in content.tiles:
        copies[tile.color] += tile.copies
    assert copies == {"brown": 36, "gray": 18, "black": 6}
    assert sum(card.copies for card in content.cards) == 28
