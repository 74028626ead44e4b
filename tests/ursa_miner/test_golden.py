"""Playthroughs that must stay as they are, with every legal action of every decision: see ``golden/``.

A change that alters them is a change of the rules, the notation or the content: raise ``UrsaMiner.version`` with it.
``python -m tests.ursa_miner.test_golden`` writes them anew.
"""

from pathlib import Path
from random import Random
from typing import Any

import numpy.typing as npt
import pytest
from bearagents.agent import agents_rng, decide, view_of
from bearagents.heuristics import HeuristicAgent

from bearenvs import views
from bearenvs.playthrough import record, replay
from bearenvs.registry import load_game
from bearenvs.ursa_miner.content import EFFECT_NAMES
from bearenvs.ursa_miner.game import UrsaMiner
from tests.ursa_miner.oracle import verify

FOLDER = Path(__file__).parent / "golden"
GAMES: dict[str, dict[str, Any]] = {
    "2_players": {"num_players": 2},
    "3_players": {"num_players": 3},
    "4_players": {"num_players": 4},
    "sleepy_bears": {"num_players": 2, "sleepy_bears": True},
    "honey_burst": {"num_players": 3, "honey_burst": True},
    "both_advanced_rules": {"num_players": 4, "sleepy_bears": True, "honey_burst": True},
    "max_turns": {"num_players": 2, "max_turns": 5},
}
SENSIBLE = 0.7
"""How many of the decisions the heuristic takes; the others are random, so that all sorts of things happen."""


def written(settings: dict[str, Any], seed: int) -> str:
    """Play a game and return its record."""
    game = load_game("ursa_miner", compiled=False, **settings)
    random = Random(seed)

    def choose(states: npt.NDArray[Any], _seat: int) -> int:
        if random.random() < SENSIBLE:
            return int(decide(HeuristicAgent(), view_of(game, states, agents_rng(seed)))[0])
        return random.choice(views.legal_actions(game, states))

    return record(game, seed, choose).text(legal=True)


@pytest.mark.parametrize("name", GAMES)
def test_golden_playthroughs(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    playthrough = replay(text)
    assert playthrough.text(legal=True) == text
    assert playthrough.game.settings.changed() == GAMES[name]
    referee = verify(text.splitlines())
    assert referee.truncated == (name == "max_turns")


def test_golden_playthroughs_show_every_effect_and_action() -> None:
    game = load_game("ursa_miner", compiled=False)
    assert isinstance(game, UrsaMiner)
    texts = "".join((FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in GAMES)
    played = {line.split()[2] for line in texts.splitlines() if line.startswith("p") and line.split()[1] == "play"}
    effects = {card.effect for card in game.components.cards if card.id in played}
    assert effects == set(EFFECT_NAMES)
    words = {line.split()[1] for line in texts.splitlines() if line.startswith("p")}
    assert words == {section.name for section in game.actions.sections}


if __name__ == "__main__":
    for number, (name, settings) in enumerate(GAMES.items()):
        (FOLDER / f"{name}.txt").write_text(written(settings, number), encoding="utf-8")
