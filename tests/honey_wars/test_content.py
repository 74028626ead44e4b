"""Settings and content of Honey Wars: what is refused, and what the errors say."""

import re
from pathlib import Path
from typing import Any

import pytest

from bearenvs.errors import ContentError, SettingsError
from bearenvs.honey_wars.game import HoneyWars
from bearenvs.registry import load_game


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"num_players": 5}, r"num_players=5.*one of 2, 3, 4"),
        ({"num_players": "3"}, r"num_players='3'.*one of 2, 3, 4"),
        ({"num_players": None}, "num_players=None"),
        ({"max_turns": 0}, "max_turns=0.*integer from 1 to 30000"),
        ({"max_turns": 2.5}, "max_turns=2.5.*integer from 1"),
        ({"late_seat_honey": -1}, "late_seat_honey=-1.*integer from 0 to 20"),
        ({"late_seat_honey": True}, "late_seat_honey=True"),
        ({"players": 3}, r"no setting 'players'; its settings are late_seat_honey, max_turns, num_players, content$"),
        ({"num_players": 4, "late_seat_honey": 20}, "start with 72 honey in all.*there are 50 cubes"),
    ],
)
def test_wrong_settings(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        load_game("honey_wars", **settings)


def test_unknown_game() -> None:
    with pytest.raises(SettingsError, match=r"no game 'honey_war'; the games are .*honey_wars"):
        load_game("honey_war")


DEFAULT = (HoneyWars.folder / "content.toml").read_text(encoding="utf-8")
NOSEMA = """name = "Nosema"
copies = 4
level = 5
cost = 1
continuous = true
effect = "lose_honey"
n = 2"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (NOSEMA, NOSEMA.replace("level = 5\n", ""), r"threats\[1\] \('Nosema'\): level: Field required"),
        (
            NOSEMA,
            NOSEMA.replace("copies = 4", "copies = -1"),
            r"'Nosema'\): copies: .*greater than or equal to 0, got -1",
        ),
        (
            NOSEMA,
            NOSEMA.replace("lose_honey", "lose_hony"),
            r"'Nosema'\): effect: .*'lose_honey', 'lose_half'.*got 'lose_hony'",
        ),
        (NOSEMA, NOSEMA.replace("\nn = 2", ""), r"'Nosema'\): effect 'lose_honey' needs its number"),
        (NOSEMA, NOSEMA.replace("lose_honey", "no_bonus"), r"'Nosema'\): effect 'no_bonus' takes no number"),
        (NOSEMA, NOSEMA.replace("level = 5", 'level = "5"'), r"'Nosema'\): level: .*integer"),
        (NOSEMA, NOSEMA + "\ncolour = 1", r"'Nosema'\): colour: Extra inputs"),
        (NOSEMA, NOSEMA.replace('"Nosema"', '"Wax-Moths"'), "two cards share the id 'wax_moths'"),
        (
            NOSEMA,
            NOSEMA.replace('"Nosema"', '"No|sema"'),
            "starts with a letter and holds at most 40 letters, digits, spaces, hyphens, underscores, apostrophes",
        ),
        (NOSEMA, NOSEMA.replace("copies = 4", "copies = 90"), "at most 120"),
        ('"Small Hive"  #', '"Tiny Hive"  #', "starting_hive 'Tiny Hive' is no hive; the hives are"),
        (
            'ability = "auto_defend"',
            'ability = "double_bonus"',
            "a shield buddy's ability is one of auto_defend, roll_bonus",
        ),
        ("hand_size = 4", "hand_size = four", "not valid TOML"),
        pytest.param("hand_size = 4", f"hand_size = {'9' * 5000}", "cannot be read: .*digits", id="long number"),
        pytest.param("hand_size = 4", f"hand_size = 0x{'f' * 5000}", "hand_size: .*got an integer too", id="long hex"),
        pytest.param("hand_size = 4", f"a = {'[' * 9999}", "cannot be read: .*nested too deeply", id="deep"),
        ("[setup]", "[set_up]", "setup: Field required"),
    ],
)
def test_wrong_content(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in DEFAULT
    file = tmp_path / "mine.toml"
    file.write_text(DEFAULT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContentError, match=says) as error:
        load_game("honey_wars", content=file)
    assert str(file) in str(error.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="cannot be read"):
        load_game("honey_wars", content=tmp_path / "none.toml")
    with pytest.raises(ContentError, match=r"none\0.toml: cannot be read: .*null"):
        load_game("honey_wars", content=tmp_path / "none\0.toml")


def test_a_name_may_hold_what_the_error_says(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(DEFAULT.replace('"Nosema"', '"No-se_ma\'s 2nd"'), encoding="utf-8")
    assert "draw no_se_mas_2nd" in load_game("honey_wars", content=file).outcomes.texts()


def test_a_deck_too_small_to_deal_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "few.toml"
    few = "\n".join("copies = 1" if line.startswith("copies") else line for line in DEFAULT.splitlines())
    file.write_text(few.replace("copies = 1", "copies = 4", 1), encoding="utf-8")
    assert load_game("honey_wars", content=file, num_players=3).record["content"][0].num_cards == 23
    file.write_text(few.replace("copies = 1", "copies = 4", 1).replace("hand_size = 4", "hand_size = 5"))
    with pytest.raises(ContentError, match="19 cards are left to deal; 4 players with 5 each"):
        load_game("honey_wars", content=file, num_players=4)
    file.write_text(few)
    with pytest.raises(ContentError, match="1 copies of the starting hive 'Small Hive'; 2 players"):
        load_game("honey_wars", content=file)


def test_too_little_honey_is_the_fault_of_the_file_or_of_the_setting(tmp_path: Path) -> None:
    file = tmp_path / "sweet.toml"
    file.write_text(re.sub("starting_honey = .*", "starting_honey = 25", DEFAULT), encoding="utf-8")
    assert load_game("honey_wars", content=file, num_players=2).record["initial"][0].pot == 0
    says = "sweet.toml: starting_honey = 25 makes 75 for 3 players, but there are only honey_cubes = 50"
    with pytest.raises(ContentError, match=says):
        load_game("honey_wars", content=file, num_players=3)
    with pytest.raises(SettingsError, match=r"start with 51 honey in all .late_seat_honey=1.*there are 50 cubes"):
        load_game("honey_wars", content=file, num_players=2, late_seat_honey=1)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
def test_a_file_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="/dev/zero: cannot be read: it is not a regular file"):
        load_game("honey_wars", content="/dev/zero")
    long = tmp_path / "long.toml"
    long.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ContentError, match="cannot be read: it has more than 1,000,000 bytes"):
        load_game("honey_wars", content=long)
