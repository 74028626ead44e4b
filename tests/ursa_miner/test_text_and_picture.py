"""Ursa Miner's table as text and as a picture: all that is public is there, and reads well."""

import re
from collections.abc import Sequence

import pytest

from bearenvs import views
from bearenvs.render.scene import Polygon, Shape, Text
from bearenvs.ursa_miner.content import Card
from bearenvs.ursa_miner.draw import effect_text
from tests.ursa_miner.table import LINE, Table


def rows_of(text: str) -> list[str]:
    """The rows of the mountain: what stands between the head line and the key."""
    lines = text.splitlines()
    return lines[1 : next(number for number, line in enumerate(lines) if line.startswith("  cell, "))]


def picture(table: Table, seat: int) -> Sequence[Shape]:
    legal = table.legal() if table.state.to_act == seat else []
    return table.game.draw(views.hidden(table.game, table.states, seat)[0], seat, legal).shapes


def texts(table: Table, seat: int) -> list[str]:
    return [shape.text for shape in picture(table, seat) if isinstance(shape, Text)]


def test_table_in_words() -> None:
    table = Table({10: "? j1/2", 11: "?? h3/3", 12: "h1/1"}, [[10, 12], [12]], [["cave_in"], ["bear_hug"]])
    text = views.describe(table.game, table.states, 0)
    assert "10 j1/2^2g:0" in text
    assert "11 h3/3^3gk" in text
    assert "12 h1/1:01" in text
    assert "> p0 (you): 0 jelly, 0 honey, 1 card in hand, 3 bears waiting" in text
    assert "Cave-In" in text
    assert "Bear Hug" not in text
    assert "Bear Hug" in views.describe(table.game, table.states, "all")


@pytest.mark.parametrize("num_bears", range(5))
@pytest.mark.parametrize(("tile", "under"), [("? h1/1", "^2k"), ("?? h1/1", "^3gk")])
def test_stacks_stand_apart_and_rows_half_a_column_apart(tile: str, under: str, num_bears: int) -> None:
    """However long the bears make the longest stack's text."""
    stacks = dict.fromkeys((11, 12, 13, 15, 20, 21), "h1/1") | {14: tile}
    table = Table(stacks, [[14 if seat < num_bears else 20] for seat in range(4)], num_players=4)
    upper, lower = rows_of(views.describe(table.game, table.states, 0))[2:4]
    longest = f"14 h1/1{under}{':' * (num_bears > 0)}{'0123'[:num_bears]}"
    assert re.split(" {2,}", upper.strip()) == ["11 h1/1", "12 h1/1", "13 h1/1", longest, "15 h1/1", ".", "."]
    column = upper.index("15 ") - upper.index("14 ")
    assert 2 * (upper.index("14 ") - lower.index("20 ")) == 2 * (lower.index("21 ") - upper.index("14 ")) == column


def test_covered_tiles_are_told_while_they_are_known() -> None:
    stacks = {9: "h1/1", 10: "? j1/2", 11: "?? h1/1"}
    table = Table(stacks, [[9] * 5, []], [["hardened_honey"] * 2], honey=[9], honey_burst=True)
    table.do("play hardened_honey", "pick c10", "play hardened_honey", "pick c10")
    for seat in range(2):
        assert "10 hh/hh/j1/2^4g" in views.describe(table.game, table.states, seat)
        assert "11 h1/1^3gk" in views.describe(table.game, table.states, seat)
        covered = [text for text in texts(table, seat) if text.startswith("covered")]
        assert covered == ["covered: c10"]
    table.do("mine c10", "with b0", "with b1")
    assert "10 hh/j1/2^3g" in views.describe(table.game, table.states, 1)
    table.do("mine c10", "with b2", "with b3")
    assert "10 j1/2^2g" in views.describe(table.game, table.states, 1)
    assert not [text for text in texts(table, 1) if text.startswith("covered")]


def test_a_card_played_and_the_discount_in_force_are_told() -> None:
    stacks = {10: "? h1/1", 11: "?? h3/3", 12: "? h2/2"}
    table = Table(stacks, [[10, 10], [10]], [["sharp_claws"] * 2], honey=[9], honey_burst=True)
    told = [
        ("play sharp_claws", "A card was played this turn; the next mining takes 1 bear fewer"),
        ("play sharp_claws", "A card was played this turn; the next mining takes 2 bears fewer"),
        ("mine c11", "A card was played this turn"),
    ]
    assert "A card was" not in views.describe(table.game, table.states, 1)
    for action, sentence in told:
        table.do(action)
        assert f" {sentence}.\n" in views.describe(table.game, table.states, 1)
        assert sentence in texts(table, 1)
    table.do("with b0", "tile h2/2")
    table.pass_turn()
    assert "A card was" not in views.describe(table.game, table.states, 1)


def test_what_a_bear_has_done_is_true_of_a_hired_one_too() -> None:
    table = Table({**LINE, 12: "? h1/1"}, [[9, 9, 11], [14]], [["word_of_mouth"]], honey=[1])
    table.do("play word_of_mouth", "hire b0", "move b0 c10", "mine c12", "tile j3/3", "move b1 c10", "move b0 c9")
    told = "b0 on c9 (no uses left), b1 on c10 (moved), b2 on c11 (mined), b3 on c9 (no uses left)"
    assert told in views.describe(table.game, table.states, 0)
    assert {"c10 moved", "c9 no uses left", "c11 mined"} <= {*texts(table, 0)}


def test_a_picture_shows_as_many_tiles_as_there_are_in_their_colors() -> None:
    """Also those that nobody has seen yet, in set-up and while one is turned over."""

    def fills(table: Table, cell: int) -> list[str | None]:
        hexagons = [shape for shape in picture(table, 0) if isinstance(shape, Polygon) and len(shape.points) == 6]
        return [shape.fill for shape in hexagons if shape.tag == f"c{cell}"]

    table = Table({10: "? j1/2", 11: "?? h3/3", 12: "h1/1"}, [[12, 12, 12], []])
    assert [fills(table, cell) for cell in (10, 11, 12)] == [["gray", "brown"], ["black", "gray", "brown"], ["brown"]]
    table.do("mine c11")
    assert fills(table, 11) == ["black", "gray"]
    table.do("tile h2/2")
    assert fills(table, 11) == ["black", "gray"]
    table.states[:] = table.game.record["initial"]
    assert [fills(table, cell) for cell in (0, 5, 11)] == [["brown"], ["gray", "brown"], ["black", "gray", "brown"]]


@pytest.mark.parametrize(
    ("effect", "n", "says"),
    [
        ("mine_discount", 1, "mine with 1 bear fewer"),
        ("mine_discount", 2, "mine with 2 bears fewer"),
        ("steal", 2, "take up to 2 honey"),
        ("hire", None, "a waiting bear joins"),
    ],
)
def test_what_cards_say(effect: str, n: int | None, says: str) -> None:
    card = Card.model_validate({"name": "Card", "copies": 1, "cost": 1, "effect": effect, "n": n, "after": "discard"})
    assert effect_text(card) == says
