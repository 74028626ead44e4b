"""Actions and outcomes in plain words: what choices are called, and what the log says.

An action is put as a request ("build a Small Hive"), which reads well behind a player's name too. What has no
words here keeps its notation.
"""

import re
from collections.abc import Mapping

from bearenvs.content import entry_id
from bearenvs.game import Game
from bearenvs.tables import Table

HIDDEN = "something you do not see"

# By game and by the first word of the notation; {0} ... are the words behind it.
_ACTIONS: Mapping[str, Mapping[str, str]] = {
    "honey_wars": {
        "roll": "roll the die",
        "use": "use the Buddy",
        "pass": "keep the Buddy for later",
        "end": "spend no more",
        "keep": "keep all cards",
        "discard_hand": "pay to discard the whole hand",
        "build": "build {0}",
        "hire": "hire {0}",
        "discard": "discard {0}",
        "attack": "put {0} on {1}",
    },
    "ursa_miner": {
        "place": "start on {0}",
        "move": "move {0} to {1}",
        "mine": "mine {0}",
        "play": "play {0}",
        "end": "take no more actions",
        "with": "let {0} help to mine",
        "stop": "stop here",
        "pick": "choose {0}",
        "bear": "choose {0}",
        "from": "steal from {0}",
        "hire": "hire a bear beside {0}",
        "skip": "hire nobody",
        "rally": "send {0} to {1}",
        "shove": "push {0} to {1}",
    },
    "outrun_the_bear": {
        "pass": "do nothing",
        "crawl": "crawl",
        "sprint": "sprint",
        "stop": "stop here",
        "play": "play {0}",
        "react": "react with {0}",
        "equip": "put on {0}",
        "swap": "swap {0} for a new card",
        "discard": "discard {0}",
        "target": "aim at {0}",
        "step": "step to {0}",
        "runner": "run as {0}",
    },
}
_OUTCOMES: Mapping[str, Mapping[str, str]] = {
    "honey_wars": {"draw": "{0} is drawn", "lose": "{0} is lost", "die": "the die shows {0}"},
    "ursa_miner": {"tile": "tile {0} is turned over", "draw": "{0} is drawn"},
    "outrun_the_bear": {
        "trail": "trail tile {0} is laid",
        "gear": "{0} is dealt",
        "draw": "{0} is drawn",
        "steal": "{0} is stolen",
        "reveal": "{0} is turned over for the Bear",
    },
}

# How a word that names a place or a bear reads.
_THINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "honey_wars": ((r"p(\d)\.(\d)", r"hive \2 of p\1"),),
    "ursa_miner": (
        (r"b(\d)", r"bear \1"),
        (r"p(\d)\.b(\d)", r"bear \2 of p\1"),
    ),
    "outrun_the_bear": ((r"c(\d+)r(\d)", r"column \1, row \2"), ("camp", "the camp"), ("lot", "the parking lot")),
}


class Words:
    """The words of one game, with the names of its content."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._actions = _ACTIONS.get(game.name, {})
        self._outcomes = _OUTCOMES.get(game.name, {})
        self._things = [(re.compile(pattern), words) for pattern, words in _THINGS.get(game.name, ())]
        entries = [*getattr(game.content, "cards", ()), *getattr(game.content, "runners", ())]
        self._names: dict[str, str] = {entry_id(entry.name): entry.name for entry in entries}

    def action(self, action: int, seat: int) -> str:
        """Return what ``seat`` does by ``action``."""
        return self._read(self._game.actions, self._actions, action, seat)

    def outcome(self, outcome: int) -> str:
        """Return what happens by ``outcome``."""
        return self._read(self._game.outcomes, self._outcomes, outcome, 0)

    def _read(self, table: Table, templates: Mapping[str, str], index: int, seat: int) -> str:
        text = table.text(index, seat)
        verb, *rest = text.split()
        if verb not in templates:
            return text
        return templates[verb].format(*map(self._thing, rest))

    def _thing(self, word: str) -> str:
        for pattern, words in self._things:
            if pattern.fullmatch(word):
                return pattern.sub(words, word)
        return self._names.get(word, word)
