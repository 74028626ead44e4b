"""What the games' referees have in common: events one by one, in text, and the checking of playthroughs.

A referee is slow, obvious, and written without a look at the engine. Its rules stand, in the order of the
specification, as one coroutine that stops at every decision and every chance event. It speaks the notation of
playthroughs only, never indices, so that whatever the engine does can be checked from its text record.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from fractions import Fraction
from typing import Any, TypeVar

CHANCE = "chance"
TERMINAL = "terminal"

Pile = Counter[str]
"""A multiset; its keys are what it holds, with counts above 0."""
Steps = Generator[None, str, None]
"""A part of the game: stops at each event, is sent the event's text, and returns nothing."""
Answer = Generator[None, str, str]
"""One event or more, for one text: what was chosen or drawn."""


class IllegalEvent(Exception):
    """The event cannot happen here; the message says what can."""


class Disagreement(Exception):
    """A playthrough departs from the rules; the message begins with the line number (from 1)."""


def size(pile: Pile) -> int:
    return sum(pile.values())


def take(pile: Pile, name: str) -> str:
    """Remove one copy, and the key with the last copy."""
    assert pile[name] > 0, f"no {name} to take from {dict(pile)}"
    pile[name] -= 1
    if pile[name] == 0:
        del pile[name]
    return name


class Referee:
    """One game, driven by event texts; a subclass writes the rules as `_play` and calls `_start`.

    `to_act` is a seat, "chance" or "terminal". Texts have no `*` or `pS` in front. A subclass's public
    attributes are the whole truth about the table. Tests may rearrange it between two events: what is
    possible is worked out anew whenever it is asked for.
    """

    def __init__(self) -> None:
        self.to_act: int | str = CHANCE
        self._options: Callable[[], dict[str, int]] = dict

    def _start(self) -> None:
        self._game = self._play()
        next(self._game)

    def _play(self) -> Steps:
        raise NotImplementedError

    def returns(self) -> list[Fraction]:
        raise NotImplementedError

    def check_conservation(self) -> None:
        raise NotImplementedError

    def legal(self) -> list[str]:
        """The actions of the seat to act; empty at chance and at the end."""
        return list(self._options()) if isinstance(self.to_act, int) else []

    def chance(self) -> dict[str, int]:
        """The outcomes of the chance event, with weights above 0; empty at a decision and at the end."""
        return self._options() if self.to_act == CHANCE else {}

    def apply(self, text: str) -> None:
        """Let one event happen. Raises IllegalEvent, with nothing changed, where it cannot."""
        if self.to_act == TERMINAL:
            raise IllegalEvent(f"{text!r} comes after the end of the game")
        possible = self._options()
        if text not in possible:
            raise IllegalEvent(f"{text!r} is not possible; possible: {' | '.join(possible)}")
        try:
            self._game.send(text)
        except StopIteration:
            self.to_act = TERMINAL
        self.check_conservation()

    def _choose(self, seat: int, options: Callable[[], list[str]]) -> Answer:
        self.to_act, self._options = seat, lambda: dict.fromkeys(options(), 1)
        return (yield)

    def _happen(self, outcomes: Callable[[], dict[str, int]]) -> Answer:
        self.to_act, self._options = CHANCE, outcomes
        return (yield)


Settings = dict[str, Any]
Game = TypeVar("Game", bound=Referee)


def verify(
    lines: Iterable[str], name: str, begin: Callable[[Settings], Game], *, skip_content: bool, must_be_finished: bool
) -> Game:
    """Referee a playthrough from its first line to its last, and return the game at its end.

    The first line names the game and its settings, out of which `begin` makes the referee; then come
    `* OUTCOME` and `pS ACTION` lines. A comment `# legal: a | b | c` stands right before an action line and
    must list the legal actions, each once, in any order; other lines that begin with `#` are skipped. So is
    the setting `content`, on request. Raises Disagreement at the first line that the rules do not allow.
    """
    game: Game | None = None
    listed: str | None = None
    number = 0
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip("\r\n")
        try:
            if game is None:
                game = begin(_settings(line, name, skip_content))
            elif line.startswith("# legal: ") and listed is None:
                listed = line.removeprefix("# legal: ")
            elif listed is not None and not line.startswith("p"):
                raise IllegalEvent("a list of legal actions stands right before an action line")
            elif not line.startswith("#"):
                _check_line(game, line, listed)
                listed = None
        except (IllegalEvent, ValueError) as error:
            raise Disagreement(f"line {number}: {error}, in {line!r}") from error
    if game is None or listed is not None:
        raise Disagreement(f"line {number}: the record breaks off")
    if must_be_finished and game.to_act != TERMINAL:
        raise Disagreement(f"line {number}: the record ends, but the game does not ({game.to_act} is to act)")
    return game


def _settings(line: str, expected_name: str, skip_content: bool) -> Settings:
    name, *words = line.split(" ")
    if name != expected_name:
        raise ValueError(f"a record begins with {expected_name} and its settings")
    settings: Settings = {}
    for word in words:
        key, _, value = word.partition("=")
        if key == "content" and skip_content:
            continue
        if not re.fullmatch(r"-?[0-9]+|True|False|[a-z_]+", value) or key in settings:
            raise ValueError(f"{word!r} is not a setting with an integer, True, False or a plain word, named once")
        if value in {"True", "False"}:
            settings[key] = value == "True"
        else:
            settings[key] = value if value.islower() else int(value)
    return settings


def _check_line(game: Referee, line: str, listed: str | None) -> None:
    if game.to_act == TERMINAL:
        raise IllegalEvent("the game is over already")
    who, _, text = line.partition(" ")
    expected = "*" if game.to_act == CHANCE else f"p{game.to_act}"
    if who != expected:
        raise IllegalEvent(f"{expected} is to act; possible: {' | '.join(game.chance() or game.legal())}")
    if listed is not None and sorted(listed.split(" | ")) != sorted(game.legal()):
        theirs, ours = Counter(listed.split(" | ")), Counter(game.legal())
        too_many, missing = sorted((theirs - ours).elements()), sorted((ours - theirs).elements())
        raise IllegalEvent(f"the legal actions differ: listed wrongly {too_many}, not listed {missing}")
    game.apply(text)
