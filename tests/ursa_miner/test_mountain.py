"""The mountain's shape (UM-M1, UM-M2), and which cells hold it together (UM-A4)."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from bearenvs.registry import load_game
from bearenvs.ursa_miner.connectivity import cut_cells
from bearenvs.ursa_miner.game import UrsaMiner
from bearenvs.ursa_miner.mountain import BLACK, BROWN, GRAY, NO_CELL, Cell, build_mountain, is_connected
from bearenvs.ursa_miner.observe import neighbor_table

RHOMBUS = [(0, 0), (1, 0), (0, 1), (1, 1)]
PARALLELOGRAM = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


def ursa_miner(num_players: int) -> UrsaMiner:
    game = load_game("ursa_miner", num_players=num_players, compiled=False)
    assert isinstance(game, UrsaMiner)
    return game


@pytest.mark.parametrize(
    ("core", "tiles", "heights"),
    [(RHOMBUS, (4, 14, 30), (4, 10, 16)), (PARALLELOGRAM, (6, 18, 36), (6, 12, 18))],
)
def test_um_m2_component_counts(core: list[Cell], tiles: tuple[int, ...], heights: tuple[int, ...]) -> None:
    mountain = build_mountain(core)
    colors = Counter(color for layers in mountain.layers for color in layers)
    assert (colors[BLACK], colors[GRAY], colors[BROWN]) == tiles
    counts = Counter(len(layers) for layers in mountain.layers)
    assert (counts[3], counts[2], counts[1]) == heights


def test_um_m1_gray_and_brown_lie_over_and_around() -> None:
    mountain = build_mountain(RHOMBUS)
    assert set(mountain.layers) == {(BLACK, GRAY, BROWN), (GRAY, BROWN), (BROWN,)}
    for cell, layers in zip(mountain.cells, mountain.layers, strict=True):
        assert (len(layers) == 3) == (cell in RHOMBUS)


@pytest.mark.parametrize(("core", "numbers"), [(RHOMBUS, [11, 12, 17, 18]), (PARALLELOGRAM, [13, 14, 15, 20, 21, 22])])
def test_cells_are_numbered_by_r_then_q(core: list[Cell], numbers: list[int]) -> None:
    cells = build_mountain(core).cells
    assert [cells.index(cell) for cell in core] == numbers
    assert list(cells) == sorted(cells, key=lambda cell: (cell[1], cell[0]))


@pytest.mark.parametrize(("num_players", "core"), [(2, RHOMBUS), (3, RHOMBUS), (4, PARALLELOGRAM)])
def test_um_m1_core_by_number_of_players(num_players: int, core: list[Cell]) -> None:
    assert list(ursa_miner(num_players).components.setup_for(num_players).core) == core


def test_um_m4_neighbours_share_an_edge() -> None:
    mountain = build_mountain(RHOMBUS)
    table = neighbor_table(ursa_miner(2).components, 2)
    assert table.shape == (30, 6)
    for cell, (q, r) in enumerate(mountain.cells):
        beside = {(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)}
        found = [int(neighbor) for neighbor in table[cell] if neighbor != NO_CELL]
        assert {mountain.cells[neighbor] for neighbor in found} == beside & set(mountain.cells)
        assert found == sorted(found)  # legal actions are listed ascending


def test_connectedness_of_cells() -> None:
    assert is_connected([])
    assert is_connected([(0, 0), (1, 0), (1, 1)])
    assert not is_connected([(0, 0), (1, 1)])  # a corner is no edge


def naive_cuts(cells: list[Cell]) -> set[Cell]:
    """The cells whose loss splits the rest, by taking away each in turn."""
    return {cell for cell in cells if not is_connected(set(cells) - {cell})}


@pytest.mark.parametrize("num_players", [2, 4])
def test_um_a4_cut_cells_of_random_mountains(num_players: int) -> None:
    """Full of holes and down to a single cell: mined away tile by tile, at random, and now and then filled again."""
    game = ursa_miner(num_players)
    content = game.record[0].content
    outline = game.components.setup_for(num_players).mountain.cells
    random = Random(1)
    holes = 0
    for _ in range(12):
        cells = list(outline)
        while len(cells) > 1:
            cuts = naive_cuts(cells)
            mask = sum(1 << outline.index(cell) for cell in cells)
            assert cut_cells(content, mask) == sum(1 << outline.index(cell) for cell in cuts)
            holes += not is_connected(around(outline) - set(cells))
            cells.remove(random.choice([cell for cell in cells if cell not in cuts]))
            if random.random() < 0.2:
                empty = [cell for cell in outline if cell not in cells and is_connected({*cells, cell})]
                cells.extend(random.sample(empty, min(1, len(empty))))
        assert cut_cells(content, 1 << outline.index(cells[0])) == 0
    assert holes > 50  # the interesting case did come up


def around(outline: tuple[Cell, ...]) -> set[Cell]:
    """The outline and one ring more: what lies outside is one piece there."""
    return {(q + dq, r + dr) for q, r in outline for dq in (-1, 0, 1) for dr in (-1, 0, 1)}


def test_um_a4_cut_cells_agree_compiled() -> None:
    game = load_game("ursa_miner")
    assert isinstance(game, UrsaMiner)
    plain = ursa_miner(2)
    compiled = game.bind(cut_cells)
    random = np.random.default_rng(2)
    line = sum(1 << cell for cell in range(9, 15))
    for mask in [int(game.record[0].content.outline), line, *(line | int(random.integers(1 << 30)) for _ in range(50))]:
        assert compiled(game.record[0].content, mask) == cut_cells(plain.record[0].content, mask)
