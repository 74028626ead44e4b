"""Settings and content of Ursa Miner: what is refused, and what the errors say."""

from pathlib import Path
from typing import Any

import pytest

import bearenvs
from bearenvs.errors import ContentError, SettingsError
from bearenvs.playthrough import Position
from bearenvs.registry import load_game
from bearenvs.render.scene import SIZE, Polygon
from bearenvs.ursa_miner.game import UrsaMiner


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"num_players": 1}, r"num_players=1.*one of 2, 3, 4"),
        ({"sleepy_bears": 1}, r"sleepy_bears=1.*True or False"),
        ({"honey_burst": "yes"}, r"honey_burst='yes'.*True or False"),
        ({"max_turns": 0}, r"max_turns=0.*integer from 1 to 30000"),
        ({"sleepy": True}, r"no setting 'sleepy'; its settings are honey_burst, max_turns, num_players, sleepy_bears"),
    ],
)
def test_wrong_settings(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        load_game("ursa_miner", **settings)


DEFAULT = (UrsaMiner.folder / "content.toml").read_text(encoding="utf-8")
FIRST_TILE = 'color = "brown"\nresource = "honey"\nvalue = 1\nbears = 1\ncopies = 16'
BLACK_FIVE = 'color = "black"\nresource = "jelly"\nvalue = 5\nbears = 5\ncopies = 2'
STAMPEDE = 'name = "Stampede"\ncopies = 2\ncost = 1\neffect = "own_move"\nn = 3\nafter = "discard"'
CORE = "core = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (FIRST_TILE, FIRST_TILE.replace("bears = 1\n", ""), r"tiles\[0\]: bears: Field required"),
        (FIRST_TILE, FIRST_TILE.replace("value = 1", "value = 0"), r"tiles\[0\]: value: .*greater.*1, got 0"),
        (FIRST_TILE, FIRST_TILE.replace("brown", "green"), r"tiles\[0\]: color: .*'brown', 'gray' or 'black'.*'green'"),
        (
            FIRST_TILE,
            FIRST_TILE.replace("copies = 16", "copies = 9"),
            "2 players: the mountain needs 30 brown tiles.*29",
        ),
        (
            BLACK_FIVE,
            BLACK_FIVE.replace("copies = 2", "copies = 1"),
            "4 players: the mountain needs 6 black tiles.*are 5",
        ),
        (BLACK_FIVE, BLACK_FIVE.replace("5\n", "4\n"), r"tiles: two entries are 'black j4/4'"),
        (
            STAMPEDE,
            STAMPEDE.replace("own_move", "fly"),
            r"cards\[1\] \('Stampede'\): effect: .*'own_move', 'shove'.*'fly'",
        ),
        (STAMPEDE, STAMPEDE.replace("n = 3\n", ""), r"\('Stampede'\): effect 'own_move' needs its number: n = 1 to 9"),
        (STAMPEDE, STAMPEDE.replace("own_move", "hire"), r"\('Stampede'\): effect 'hire' takes no number: leave out n"),
        (STAMPEDE, STAMPEDE.replace("Stampede", "sugar-rush"), r"cards: two entries are 'sugar_rush'"),
        (STAMPEDE, STAMPEDE.replace("discard", "burn"), r"\('Stampede'\): after: .*'discard' or 'return'.*'burn'"),
        (STAMPEDE, STAMPEDE.replace("copies = 2", "copies = 1"), "4 players: deck_size is 28, but there are 27 cards"),
        (STAMPEDE, STAMPEDE + "\nspeed = 1", r"\('Stampede'\): speed: Extra inputs"),
        ("deck_size = 20", "deck_size = 0", r"setup\[0\]: deck_size: .*greater.*1, got 0"),
        ("num_players = 3", "num_players = 2", r"setup: there must be one for each of num_players = 2, 3, 4"),
        (CORE, "core = []", r"setup\[2\]: the core needs at least one cell"),
        (CORE, "core = [[0, 0], [0, 0]]", r"setup\[2\]: the core names the cell \[0, 0\] twice"),
        (CORE, "core = [[0, 0], [6, 0]]", r"setup\[2\]: the mountain around this core is not connected"),
        (CORE, "core = [[0, 0], [5, 0], [0, 5]]", r"setup\[2\]: .* has 57 cells; at most 48 fit"),
        (CORE, "core = [[0, 0, 0]]", r"setup\[2\]: core\[0\].*"),
        (CORE, "core = [[0, 1001]]", r"setup\[2\]: core\[0\]\[1\]: .*less than or equal to 1000, got 1001"),
        (CORE, f"core = [[-{10**16}, 0]]", rf"setup\[2\]: core\[0\]\[0\]: .*greater.* -1000, got -{10**16}"),
        (CORE, f"core = [[{10**401}, 0]]", r"setup\[2\]: core\[0\]\[0\]: .*less than or equal to 1000, got 10{401}"),
        ("starting = 2", "starting = 6", r"bears: starting: .*less than or equal to 5, got 6"),
        ("total = 5", "total = 1", r"bears: starting = 2 is more than total = 1"),
        ("tiles = 4", "tiles = 5", r"hardened_honey: tiles: .*less than or equal to 4, got 5"),
    ],
)
def test_wrong_content(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in DEFAULT
    file = tmp_path / "mine.toml"
    file.write_text(DEFAULT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContentError, match=f"^{file}: .*{says}"):
        load_game("ursa_miner", content=file)


def test_too_many_kinds(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    entries = [
        f'[[tiles]]\ncolor = "gray"\nresource = "jelly"\nvalue = 9\nbears = {bears}\ncopies = 1'
        for bears in range(1, 10)
    ]
    tiles = "\n".join([DEFAULT, *entries, *(entry.replace("jelly", "honey") for entry in entries)])
    file.write_text(tiles, encoding="utf-8")
    with pytest.raises(ContentError, match="29 kinds of tiles; at most 22 fit"):
        load_game("ursa_miner", content=file)
    cards = "\n".join([DEFAULT, *(f"[[cards]]\n{STAMPEDE.replace('Stampede', f'Card {n}')}" for n in range(7))])
    file.write_text(cards, encoding="utf-8")
    with pytest.raises(ContentError, match="17 kinds of cards; there can be 1 to 16"):
        load_game("ursa_miner", content=file)


def test_um_e5_a_deck_that_runs_out_in_set_up_gives_each_player_one_turn(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(DEFAULT.replace("deck_size = 20", "deck_size = 1"), encoding="utf-8")
    game = load_game("ursa_miner", content=file, compiled=False)
    position = Position(game)
    drawn = []
    turns = []
    while position.to_act >= -1:
        event = next((e for e in position.possible() if position.text(e) == "end"), position.possible()[0])
        if position.text(event).startswith("draw"):
            drawn.append(position.text(event))
        if position.text(event) == "end":
            turns.append(position.to_act)
        position.play(event)
    assert len(drawn) == 1
    assert turns == [0, 1]


def test_a_core_in_two_pieces_is_held_together_where_they_meet(tmp_path: Path) -> None:
    """UM-A4 holds from the first turn on for any mountain."""
    file = tmp_path / "mine.toml"
    file.write_text(DEFAULT.replace(CORE, "core = [[0, 0], [5, 0]]").replace("= 16", "= 18"), encoding="utf-8")
    game = load_game("ursa_miner", num_players=4, content=file, compiled=False)
    assert isinstance(game, UrsaMiner)
    cells = game.components.setup_for(4).mountain.cells
    state = game.record["initial"][0]
    assert all(game.laws(state).values())
    assert state.cuts == 1 << cells.index((2, 0)) | 1 << cells.index((3, 0))


def test_a_core_as_far_out_as_can_be_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    far = "core = [[1000, -1000], [999, -1000], [1000, -999], [999, -999]]"
    file.write_text(DEFAULT.replace("core = [[0, 0], [1, 0], [0, 1], [1, 1]]", far, 1), encoding="utf-8")
    env = bearenvs.make("ursa_miner", content=file)
    env.reset(seed=1)
    points = [point for shape in env.draw("all").shapes if isinstance(shape, Polygon) for point in shape.points]
    assert points and all(0 < x < SIZE and 0 < y < SIZE for x, y in points)
