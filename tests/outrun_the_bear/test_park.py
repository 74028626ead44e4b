"""The park: OB-B1 to OB-B4."""

import pytest

from bearenvs.game import CHANCE
from bearenvs.outrun_the_bear.board import neighbours, prints_behind_lead, prints_on, space_name
from bearenvs.outrun_the_bear.content import CAMP, ROWS
from bearenvs.outrun_the_bear.game import OutrunTheBear
from bearenvs.registry import load_game
from tests.outrun_the_bear.table import Table


def touching(space: str, last_column: int = 39, has_lot: bool = True) -> set[str]:
    lot = last_column * ROWS if has_lot else -1
    number = next(n for n in range(CAMP, last_column * ROWS + ROWS) if space_name(n, lot) == space)
    return {space_name(n, lot) for n in neighbours(number, last_column, has_lot=has_lot)}


def test_b1_columns_of_the_park() -> None:
    for settings, last_column, lot in (
        ({}, 39, 156),
        ({"coop": True, "trail_tiles": 1}, 23, 92),
        ({"coop": True, "trail_tiles": 4}, 47, 188),
        ({"last_one_standing": True}, 39, -1),
    ):
        game = load_game("outrun_the_bear", **settings)
        assert isinstance(game, OutrunTheBear)
        assert (game.last_column, game.lot) == (last_column, lot)
    table = Table()
    assert table.state.bear == 0
    assert [table.where(seat) for seat in range(4)] == ["camp"] * 4


def test_b1_steps_are_named_by_column_and_row() -> None:
    texts = load_game("outrun_the_bear").actions.texts()
    steps = [text for text in texts if text.startswith("step ")]
    assert steps == ["step camp", *(f"step c{c}r{r}" for c in range(8, 39) for r in range(4)), "step lot"]


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        ("c10r1", "c10r0 c10r2 c9r0 c9r1 c11r0 c11r1"),
        ("c11r1", "c11r0 c11r2 c10r1 c10r2 c12r1 c12r2"),
        ("c10r0", "c10r1 c9r0 c11r0"),
        ("c11r3", "c11r2 c10r3 c12r3"),
        ("c8r2", "c8r1 c8r3 c9r1 c9r2 camp"),
        ("c38r0", "c38r1 c37r0 lot"),
        ("camp", "c8r0 c8r1 c8r2 c8r3"),
        ("lot", "c38r0 c38r1 c38r2 c38r3"),
    ],
)
def test_b2_which_spaces_touch(space: str, expected: str) -> None:
    assert touching(space) == set(expected.split())


def test_b2_touching_is_mutual() -> None:
    for has_lot, last_column in ((True, 39), (False, 39), (True, 47)):
        spaces = [CAMP, *range(32, (last_column + 1 - has_lot) * ROWS), *([last_column * ROWS] if has_lot else [])]
        beside = {space: set(neighbours(space, last_column, has_lot=has_lot)) for space in spaces}
        assert all(one in beside[other] for one in spaces for other in beside[one])
        assert all(len(found) <= 6 for found in beside.values())


def test_b2_runners_in_one_big_space_are_not_adjacent() -> None:
    """Shove needs an adjacent runner: p1 in the same campsite is none, p2 on the first column is one."""
    table = Table("... 2.. ... ...", num_players=3, hands=[["shove"]]).begin(0)
    assert table.legal("play") == ["play shove"]
    assert table.do("p0 play shove").legal() == ["target p2"]
    assert Table(num_players=3, hands=[["shove"]]).begin(0).legal("play") == []


def test_b3_the_parking_lot_holds_any_number() -> None:
    table = Table(at={0: "c38r0", 1: "c38r1"}, num_players=3).begin(0)
    table.do("p0 crawl", "p0 step lot")
    table.begin(1).do("p1 crawl", "p1 step lot")
    assert [table.where(seat) for seat in range(3)] == ["lot", "lot", "camp"]


def test_b4_tiles_are_drawn_at_random_with_a_random_side() -> None:
    table = Table().restart()
    assert table.state.to_act == CHANCE
    sides = [f"trail {tile}.{side}" for tile in (1, 2, 3, 4) for side in "ab"]
    assert table.odds() == dict.fromkeys(sides, 1)
    table.do("trail 3.b")
    assert table.odds() == {side: 1 for side in sides if "3." not in side}
    table.do("trail 1.a", "trail 4.b")
    assert [int(face) for face in table.state.faces] == [5, 0, 7, -1]
    assert next(iter(table.odds())).startswith("draw")


def test_b4_tiles_in_last_one_standing_are_all_four() -> None:
    table = Table(last_one_standing=True).restart().do("trail 3.b", "trail 1.a", "trail 4.b")
    assert table.odds() == {"trail 2.a": 1, "trail 2.b": 1}


@pytest.mark.parametrize(
    ("difficulty", "expected"), [("first", [0, 32]), ("normal", [0, 1, 32]), ("hard", [0, 1, 32, 33])]
)
def test_b4_x5_prints_of_the_outer_tiles(difficulty: str, expected: list[int]) -> None:
    table = Table(difficulty=difficulty)
    assert [column for column in range(40) if prints_on(table.state, column)] == expected


def test_e1_prints_behind_the_lead_runner() -> None:
    """All count, those behind the Bear and on the lead's own tile too, but not on its own column."""
    table = Table(at={0: "c12r0", 1: "c11r0"}, prints=[11, 12, 20])
    content = table.game.record[0].content
    assert prints_behind_lead(content, table.state) == 3  # columns 0, 1 and 11
    table.seat(0).space = table.space("c13r0")
    assert prints_behind_lead(content, table.state) == 4
