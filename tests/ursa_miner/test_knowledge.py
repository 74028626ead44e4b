"""What a seat of Ursa Miner knows: own hand, public piles, cards that returned to a hand in sight, covered tiles."""

from collections import Counter

import numpy as np

from bearenvs import views
from bearenvs.rng import seed_words
from tests.ursa_miner.table import LINE, Table

HANDS = [["cave_in", "stampede"], ["bear_hug", "scent_trail"], ["sticky_paws"]]


def arranged() -> Table:
    """Seat 1 has played its Scent Trail, which came back to its hand; seat 0 is to act."""
    table = Table(LINE, [[9], [12, 13], [14]], HANDS, honey=[1, 1], num_players=3)
    table.pass_turn()
    table.do("play scent_trail", "rally b0 b1")
    table.pass_turn()
    table.pass_turn()
    return table


def test_other_hands_are_hidden_but_for_the_cards_that_were_shown() -> None:
    table = arranged()
    row = views.hidden(table.game, table.states, 0)[0]
    assert table.cards_in(row.seats[0].hand) == table.cards_in(table.seat(0).hand)
    assert table.cards_in(row.seats[1].hand) == ["scent_trail"]
    assert table.cards_in(row.seats[2].hand) == []
    assert list(row.seats["num_hand"][:3]) == [3, 3, 2]
    known = Counter(table.cards_in(row.unseen_cards))
    assert known == Counter(
        table.cards_in(table.state.unseen_cards + table.seat(1).hand + table.seat(2).hand)
    ) - Counter(["scent_trail"])


def test_the_owner_of_a_shown_card_sees_no_difference() -> None:
    table = arranged()
    row = views.hidden(table.game, table.states, 1)[0]
    assert table.cards_in(row.seats[1].hand) == table.cards_in(table.seat(1).hand)


def test_truths_that_look_alike_hide_to_the_same_row() -> None:
    """Exchange a hidden card of another hand with one of the deck."""
    table = arranged()
    before = views.hidden(table.game, table.states, 0).tobytes()
    bear_hug, cave_in = table.cards.index("bear_hug"), table.cards.index("cave_in")
    for pile, delta in ((table.seat(1).hand, 1), (table.state.unseen_cards, -1)):
        pile[bear_hug] -= delta
        pile[cave_in] += delta
    table.check_laws()
    after = views.hidden(table.game, table.states, 0)
    assert after.tobytes() == before
    assert views.hidden(table.game, after, 0).tobytes() == before  # idempotent
    assert views.hidden(table.game, table.states, 1).tobytes() != before


def test_a_shown_card_that_is_played_is_shown_no_more() -> None:
    table = Table(LINE, [[9, 12], [14]], [["scent_trail", "scent_trail"]], honey=[9], honey_burst=True)
    table.do("play scent_trail", "rally b0 b1", "move b0 c11", "play scent_trail")
    assert table.cards_in(table.seat(0).shown) == []
    table.do("rally b0 b1")
    assert table.cards_in(table.seat(0).shown) == ["scent_trail"]  # of the two in hand one is known


def test_determinizations_agree_with_what_is_known_and_reach_everything() -> None:
    table = arranged()
    rng = seed_words(5)
    row = views.hidden(table.game, table.states, 0)
    hands = set()
    for _ in range(150):
        sample = views.determinized(table.game, table.states, 0, rng)
        assert all(table.game.laws(sample[0]).values())
        assert views.hidden(table.game, sample, 0).tobytes() == row.tobytes()
        hands.add(tuple(table.cards_in(sample[0].seats[1].hand)))
    assert all("scent_trail" in hand and len(hand) == 3 for hand in hands)
    singles = {card for hand in hands for card in hand}
    assert singles == set(table.cards_in(row[0].unseen_cards)) | {"scent_trail"}


def test_determinizations_are_as_likely_as_deals() -> None:
    """One card in the other hand: each unseen card in proportion to its copies."""
    table = Table(LINE, [[9], [14]], [["cave_in"], ["bear_hug"]])
    rng = seed_words(6)
    counts: Counter[str] = Counter()
    tries = 4000
    for _ in range(tries):
        counts.update(table.cards_in(views.determinized(table.game, table.states, 0, rng)[0].seats[1].hand))
    unseen = Counter(table.cards_in(views.hidden(table.game, table.states, 0)[0].unseen_cards))
    assert unseen.total() == 27
    for card, copies in unseen.items():
        expected = tries * copies / 27
        assert abs(counts[card] - expected) < 5 * np.sqrt(expected), card


def test_a_covered_tile_is_in_every_view() -> None:
    table = Table({9: "h1/1", 10: "? j1/2"}, [[9], [9]], [["hardened_honey"]])
    table.do("play hardened_honey", "pick c10")
    for seat in (0, 1):
        row = views.hidden(table.game, table.states, seat)[0]
        assert (row.covered_cell[0], table.content.kind_names[row.covered_kind[0]]) == (10, "j1/2")
        cells = views.observation(table.game, table.states, seat)[0][table.game.layout["cells"]].reshape(30, -1)
        np.testing.assert_allclose(cells[10, 1:8], [1 / 5, 0, 2 / 5, 0, 1 / 5, 2 / 5, 3 / 7], rtol=1e-6)


def test_buried_faces_are_in_no_state() -> None:
    """There is nothing to hide: two different mountains under the same tops are the same state."""
    table = Table({9: "h1/1", 10: "? j1/2", 11: "?? j1/2"}, [[9], [9]])
    assert table.state.unseen_tiles.sum() == 60 - 3
    assert set(table.state.top[table.state.top > 0]) == {1, 3}
