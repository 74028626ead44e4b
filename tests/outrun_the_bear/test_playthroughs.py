"""Whole games kept as text: `bearenvs playthrough outrun_the_bear --agent heuristic --legal --seed S --out FILE`.

They pin what is asked, of whom, and in which order, against any later change of the rules.
"""

from pathlib import Path

import pytest

from bearenvs.playthrough import replay
from tests.outrun_the_bear import oracle

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_engine_asks_and_allows_what_is_written(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert replay(text).text(legal=True) == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_referee_agrees(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    referee = oracle.Oracle(replay(text).game.settings.model_dump())
    for line in text.splitlines()[1:]:
        who, _, event = line.partition(" ")
        if who == "#":
            assert sorted(event.removeprefix("legal: ").split(" | ")) == sorted(referee.legal())
        else:
            assert who == ("*" if referee.to_act == "chance" else f"p{referee.to_act}")
            referee.apply(event)
    assert referee.to_act == "terminal"


def test_every_number_and_variant_is_there() -> None:
    heads = " ".join(file.read_text(encoding="utf-8").partition("\n")[0] for file in FILES)
    settings = ("num_players=2", "num_players=4", "num_players=6", "difficulty=first", "difficulty=hard", "max_rounds=")
    variants = ("park_pass=True", "coop=True", "equipment_for_all=True", "last_one_standing=True", "trail_tiles=")
    assert all(words in heads for words in (*settings, *variants))


def test_rare_events_are_there() -> None:
    """Escapes, dashes, slipstreams, cancelled cards, thefts, cards turned over for the Bear, and the park's shift."""
    lines = [line for file in FILES for line in file.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    texts = {line.partition(" ")[2] for line in lines}
    for text in ("step lot", "react adrenaline", "react slipstream", "react alert", "react no_way", "sprint"):
        assert text in texts, text
    assert {text.split()[0] for text in texts} >= {"steal", "reveal", "gear", "runner", "swap", "equip", "target"}
    assert any(text.startswith("step c39") for text in texts)
