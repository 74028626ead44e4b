"""Content of Outrun the Bear: what is refused, and what the errors say."""

from pathlib import Path
from random import Random

import pytest

from bearenvs import views
from bearenvs.errors import ContentError
from bearenvs.outrun_the_bear.game import OutrunTheBear
from bearenvs.registry import load_game
from bearenvs.rng import seed_words
from bearenvs.running import RunningGame

DEFAULT = (OutrunTheBear.folder / "content.toml").read_text(encoding="utf-8")
STARTLE = """name = "Startle"
copies = 6
bear = 2
effects = [{ effect = "target_back", n = 3 }, { effect = "self_move", n = 2 }]"""
MAP = "..~.#...\n.#..R../\n...#./..\n./..~..#\n"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (MAP, MAP.replace(".#..R../", ".#..R./"), r"trails\[0\]: a: map: row 1 \(.#..R./\) has 7 spaces, a row has 8"),
        (MAP, MAP.replace("./..~..#\n", ""), r"trails\[0\]: a: map: a trail tile has 4 rows, here are 3"),
        (
            MAP,
            MAP.replace("R", "r"),
            r"a: map: row 1, column 4: 'r' is no terrain; the letters are \. path, ~ river, / slope, # bramble, R rest",
        ),
        ("prints = [3]", "prints = [8]", r"a: prints: a print on column 8 is off the tile, whose columns are 0 to 7"),
        ("prints = [3]", "prints = [3, 3]", r"a: prints: column 3 has two prints, a column has at most one"),
        (STARTLE, STARTLE.replace("copies = 6\n", ""), r"actions\[0\] \('Startle'\): copies: Field required"),
        (STARTLE, STARTLE.replace("bear = 2", "bear = 10"), r"'Startle'\): bear: .*less than or equal to 9, got 10"),
        (
            STARTLE,
            STARTLE.replace("target_back", "target_bak"),
            r"'Startle'\): effects\[0\]: effect: .*'self_move', 'target_back'.*got 'target_bak'",
        ),
        (STARTLE, STARTLE.replace(", n = 3", ""), r"effects\[0\]: 'target_back' needs its number: n = 1 to 9"),
        (
            STARTLE,
            STARTLE.replace('"self_move"', '"bear_skip"'),
            r"effects\[1\]: 'bear_skip' takes no number: leave out n",
        ),
        (
            'effect = "dash"\nn = 2',
            'effect = "dash"',
            r"reactions\[2\] \('Adrenaline'\): 'dash' needs its number: n = 1 to 9",
        ),
        (
            'ability = "bear_spray"',
            'ability = "bear_ray"',
            r"equipment\[4\] \('Bear Spray'\): ability: .*'bear_spray', got 'bear_ray'",
        ),
        ('name = "Trip"', 'name = "startle"', r"2 cards share the id 'startle'; each needs its own"),
        ('name = "Hiker"', 'name = "Scout"', r"2 runners share the id 'scout'; each needs its own"),
        ('name = "hard"', 'name = "first"', r"difficulties has first, first, normal; it must have first, normal and"),
        ("hand_limit = 7", "hand_limit = 10", "hand_limit 10 and a hand_bonus of 2 make 12; a hand holds at most 11"),
        ("copies = 6", "copies = 100", r"168 cards in all; there must be 1 to 127"),
        ("[setup]\ndeal", "[set_up]\ndeal", r"setup: Field required"),
    ],
)
def test_wrong_content(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in DEFAULT
    file = tmp_path / "mine.toml"
    file.write_text(DEFAULT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContentError, match=says) as error:
        load_game("outrun_the_bear", content=file)
    assert str(file) in str(error.value)


def with_few_cards(tmp_path: Path, gear: int, startles: int = 1) -> Path:
    """Write a content with so many copies of Startle and of the Backpack, and of no other card."""
    lines, name = [], ""
    for line in DEFAULT.splitlines():
        if line.startswith("name"):
            name = line
        kept = str(startles) if "Startle" in name else str(gear) if "Backpack" in name else "0"
        lines.append(f"copies = {kept}" if line.startswith("copies") else line)
    file = tmp_path / "few.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_a_deck_too_small_to_deal_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"few.toml: 4 cards; to deal to 4 players takes at least 8"):
        load_game("outrun_the_bear", content=with_few_cards(tmp_path, 3))
    assert load_game("outrun_the_bear", content=with_few_cards(tmp_path, 3), num_players=2).num_players == 2


def test_equipment_that_does_not_suffice_for_all_is_an_error(tmp_path: Path) -> None:
    file = with_few_cards(tmp_path, 1)
    with pytest.raises(ContentError, match="1 equipment cards; with equipment_for_all, 2 players need 2"):
        load_game("outrun_the_bear", content=file, num_players=2, equipment_for_all=True)


def test_as_many_copies_of_one_card_as_there_may_be(tmp_path: Path) -> None:
    """127 are counted in an int8, in the deck as in what a seat knows of it."""
    game = load_game("outrun_the_bear", content=with_few_cards(tmp_path, 0, 127), num_players=2, compiled=False)
    assert game.record["initial"][0].deck.max() == 127
    running = RunningGame(game, 1)
    running.restart()
    choose = Random(1)
    for _ in range(60):
        if running.to_act < 0:
            running.restart()
        laws = game.laws(running.states[0])
        assert all(laws.values()), laws
        hidden = views.hidden(game, running.states, 0)
        sample = views.determinized(game, hidden, 0, seed_words(1))
        assert views.hidden(game, sample, 0).tobytes() == hidden.tobytes()
        assert running.observation.min() >= 0 and running.observation.max() <= 1
        running.play_checked(choose.choice(running.legal_actions()))
    with pytest.raises(ContentError, match=r"copies: .*less than or equal to 127, got 128"):
        load_game("outrun_the_bear", content=with_few_cards(tmp_path, 0, 128))
