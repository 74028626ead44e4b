"""Playthroughs: a game's record as text, one event a line, whole and replayable without random numbers.

::

    honey_wars num_players=3                  the game and its settings that are not defaults
    * draw nosema                             a chance outcome
    p0 attack varroa_mites p2.0               an action of seat 0

A user's content file stands in the first line as ``content=PATH content_digest=DIGEST``: the file may lie elsewhere by
then, but has to say the same. Lines that begin with ``#`` are comments, some of
them values (:mod:`bearenvs.values`). In the record that one seat may see, ``* ?`` is an outcome that this seat does not
learn, and others' secret actions are left out: such a record cannot be replayed.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, views
from bearenvs.errors import BearenvsError, PlaythroughError
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.registry import game_class, load_game
from bearenvs.render.svg import to_svg
from bearenvs.running import RunningGame, check_seed
from bearenvs.settings import read_value
from bearenvs.views import Viewer
from bearenvs.words import YOU

DIGEST_LENGTH = 12
"""Characters of a content's digest that a record tells."""
UNSEEN = "?"
"""Stands in the place of an outcome that a seat does not learn."""


def event_of(recorded: int) -> int:
    """Return the index of an event of a record, which holds ``~index`` for an outcome."""
    return recorded if recorded >= 0 else ~recorded


class Position:
    """A game at one event after another, each checked before it is played.

    ``states`` (1,) of ``state_dtype`` is the whole truth: CHANCE is to act at first, if the game begins with it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = game.record["initial"].copy()
        self._apply = game.bind(drivers.apply_rows)
        self._event = np.zeros(1, np.int64)

    @property
    def to_act(self) -> int:
        """The seat to act, CHANCE or TERMINAL."""
        return int(self.states["to_act"][0])

    def possible(self) -> list[int]:
        """Return the events that can happen now: legal actions, or outcomes of positive weight."""
        if self.to_act == CHANCE:
            outcomes: list[int] = np.flatnonzero(views.chance_weights(self.game, self.states)).tolist()
            return outcomes
        return views.legal_actions(self.game, self.states)

    def possible_texts(self) -> str:
        """Return the notation of what can happen now, with ``|`` between."""
        return " | ".join(self.text(event) for event in self.possible())

    def text(self, event: int) -> str:
        """Return the notation of an action of the seat to act, or of an outcome."""
        game, to_act = self.game, self.to_act
        return game.outcomes.text(event) if to_act == CHANCE else game.actions.text(event, to_act)

    def index(self, text: str) -> int | None:
        """Return the event that ``text`` names now, whether it is possible or not; None if there is no such event."""
        game, to_act = self.game, self.to_act
        try:
            return game.outcomes.index(text) if to_act == CHANCE else game.actions.index(text, to_act)
        except KeyError:
            return None

    def is_seen_by(self, event: int, seat: Viewer) -> bool:
        """Tell whether ``seat`` learns of ``event`` when it happens now."""
        if seat == "all":
            return True
        mask = self.game.bind(drivers.seen_by_row)(self.game.record, self.states, event)
        return bool(mask >> seat & 1)

    def told(self, event: int, seat: Viewer) -> str | None:
        """Return in plain words what ``seat`` learns when ``event`` happens now; None if it notices nothing."""
        words = self.game.words
        is_seen = self.is_seen_by(event, seat)
        if self.to_act != CHANCE:
            return words.action(self.text(event)) if is_seen else None
        befallen = self.game.outcome_seat(views.seen(self.game, self.states, seat)[0])
        who = YOU if befallen == seat else f"p{befallen}"
        return words.outcome(self.text(event), who) if is_seen else words.unseen_outcome(who)

    def play(self, event: int) -> None:
        """Play ``event``, one of :meth:`possible`."""
        self._event[0] = event
        self._apply(self.game.record, self.states, self._event)

    def play_recorded(self, recorded: int) -> bool:
        """Play an event of a record (``~index`` for an outcome); return False, changing nothing, if not possible."""
        event = event_of(recorded)
        if (recorded < 0) != (self.to_act == CHANCE) or event not in self.possible():
            return False
        self.play(event)
        return True


@dataclass(frozen=True)
class Playthrough:
    """A game's record. ``events``: an action as its index, an outcome as ``~index``, all of them possible in turn."""

    game: Game
    events: tuple[int, ...]

    def positions(self) -> Iterator[tuple[Position, int]]:
        """Yield the position before each event, with the event's index. It is one object that moves on."""
        position = Position(self.game)
        for recorded in self.events:
            event = event_of(recorded)
            yield position, event
            position.play(event)

    def final_states(self) -> npt.NDArray[Any]:
        """Return the state (1,) after all events."""
        position = Position(self.game)
        for recorded in self.events:
            position.play(event_of(recorded))
        return position.states

    def _repr_html_(self) -> str:
        """Return the picture of where the record ends, the whole truth, for notebooks."""
        return to_svg(views.draw(self.game, self.final_states(), "all"))

    def text(self, seat: Viewer = "all", *, legal: bool = False) -> str:
        """Return the text form: the whole truth, or what ``seat`` learns.

        ``legal`` puts a line ``# legal: a | b | c`` before each action line (for ``seat``: before its own).
        """
        seat = views.check_viewer(seat, self.game.num_players)
        lines = [headline(self.game)]
        for position, event in self.positions():
            to_act = position.to_act
            if legal and to_act != CHANCE and seat in ("all", to_act):
                lines.append(f"# legal: {position.possible_texts()}")
            who = "*" if to_act == CHANCE else f"p{to_act}"
            if position.is_seen_by(event, seat):
                lines.append(f"{who} {position.text(event)}")
            elif to_act == CHANCE:
                lines.append(f"* {UNSEEN}")
        return "\n".join(lines) + "\n"


def headline(game: Game) -> str:
    """Return the first line of a playthrough of ``game``."""
    settings = game.settings.changed()
    if game.content.path is not None:
        settings |= {"content": game.content.path, "content_digest": game.content.digest[:DIGEST_LENGTH]}
    return shlex.join([game.name, *(f"{name}={value}" for name, value in settings.items())])


def record(game: Game, seed: int | None, choose: Callable[[npt.NDArray[Any], int], int]) -> Playthrough:
    """Play a whole game, with the chances of an environment that is reset with ``seed``, and return its record.

    ``choose(states, seat)`` returns an action of ``seat``; it gets the state (1,) with all hidden that the seat
    cannot know. IllegalActionError if the action is not legal.
    """
    running = RunningGame(game, check_seed(seed))
    running.restart()
    while running.to_act != TERMINAL:
        action = choose(views.hidden(game, running.states, running.to_act), running.to_act)
        running.play_checked(action)
    return Playthrough(game, tuple(running.events))


def replay(text: str, *, partial: bool = False, content: str | Path | None = None) -> Playthrough:
    """Read a playthrough, playing its events one by one; PlaythroughError names the first line that is not possible.

    The record has to reach the end of the game, unless it is ``partial``: that of an unfinished one. ``content``: where
    its content file lies now, if not where the record says.
    """
    if not isinstance(text, str):
        raise PlaythroughError(f"a playthrough is a text, not {type(text).__name__}")
    lines = text.removeprefix("\ufeff").splitlines()  # the mark that some editors put before UTF-8
    numbered = [(number, line.strip()) for number, line in enumerate(lines, 1)]
    numbered = [(number, line) for number, line in numbered if line and not line.startswith("#")]
    if not numbered:
        raise PlaythroughError("line 1: the text is empty; a playthrough begins with its game and settings")
    position = Position(_read_headline(*numbered[0], content))
    events = [_play_line(position, number, line) for number, line in numbered[1:]]
    if position.to_act == CHANCE:
        raise _fault(len(lines) + 1, "the text ends where an outcome should follow: it is cut off")
    if position.to_act != TERMINAL and not partial:
        raise _fault(
            len(lines) + 1,
            f"the text ends before the game does, with p{position.to_act} to act:"
            " it is cut off, or the record of an unfinished game (then replay it as partial)",
        )
    return Playthrough(position.game, tuple(events))


def _fault(number: int, reason: str) -> PlaythroughError:
    return PlaythroughError(f"line {number}: {reason}")


def _read_headline(number: int, line: str, content: str | Path | None) -> Game:
    """Return the game that the first line names, with ``content`` in place of the file that it names."""
    try:
        name, *items = shlex.split(line)
        kind = game_class(name)
    except ValueError as error:
        raise _fault(number, f"{line!r} begins no playthrough: {error}") from None
    settings: dict[str, Any] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals or key in settings:
            raise _fault(number, f"{item!r}: a setting is written once, as name=value")
        settings[key] = value if key in ("content", "content_digest") else read_value(value)
    recorded, digest = settings.pop("content", None), settings.pop("content_digest", None)
    if content is not None and recorded is None:
        raise _fault(number, f"content={content}: the game was played with its own content; leave it out")
    file = recorded if content is None else content
    try:
        kind.settings_type.parse(name, settings)  # refuses what is an option of load_game, but no setting
        game = load_game(name, content=file, **settings)
    except BearenvsError as error:
        raise _fault(number, str(error)) from None
    found = game.content.digest[:DIGEST_LENGTH]
    if digest is not None and digest != found:
        raise _fault(number, f"content={file} has the digest {found}; the game was played with {digest}")
    return game


def _play_line(position: Position, number: int, line: str) -> int:
    """Play what ``line`` says and return it as a recorded event."""
    who, _, text = line.partition(" ")
    if who != "*" and not re.fullmatch(r"p[0-9]+", who):
        raise _fault(number, f"{line!r}: a line is '* OUTCOME', 'pS ACTION' or '# comment'")
    to_act = position.to_act
    if to_act == TERMINAL:
        raise _fault(number, f"{line!r}: the game is over before this line")
    expected = "*" if to_act == CHANCE else f"p{to_act}"
    if who != expected:
        whose = "an outcome ('* ...')" if to_act == CHANCE else f"an action of p{to_act}"
        raise _fault(number, f"{line!r}: {whose} comes here; possible: {position.possible_texts()}")
    if who == "*" and text == UNSEEN:
        raise _fault(number, f"{line!r}: an outcome that one seat did not learn; only a whole record can be replayed")
    event = position.index(text)
    if event is None or event not in position.possible():
        kind = "outcome" if to_act == CHANCE else f"action of p{to_act}"
        reason = f"there is no {kind} {text!r}" if event is None else f"{text!r} is not possible"
        raise _fault(number, f"{line!r}: {reason}; possible: {position.possible_texts()}")
    position.play(event)
    return ~event if to_act == CHANCE else event
