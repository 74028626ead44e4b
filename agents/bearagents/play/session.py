"""One game at a table: who sits where, what each seat sees and may do, what it has learnt; undo and saves.

A session is its game, its seed and the actions played: chance follows from the seed, and a bot's random numbers from
the seed and the number of the decision. So taking back a decision deals nothing anew, and a save is a playthrough
(:mod:`bearenvs.playthrough`) with one more comment line, which playing it again proves to be unharmed.
"""

import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bearagents.agent import Agent, View, agent_seed, decide, reset, view_of
from bearenvs import views
from bearenvs.errors import BearenvsError, OrderError, OutOfSpaceError, SaveError, SettingsError
from bearenvs.game import TERMINAL, Game
from bearenvs.playthrough import Playthrough, Position, event_of, replay
from bearenvs.rng import seed_words
from bearenvs.running import RunningGame
from bearenvs.views import Viewer

PERSON = "person"
"""Who holds a seat: this, or an agent's name."""
_BOTS_STREAM, _HINTS_STREAM = 2, 3
"""Keep the random numbers of bots and of hints apart from those of a game with the same seed."""


@dataclass(frozen=True)
class Choice:
    """A legal action: its index, its notation, and what it is in plain words."""

    action: int
    text: str
    words: str


@dataclass(frozen=True)
class Told:
    """An event as a seat learns it, in plain words. ``who`` is a seat or CHANCE."""

    who: int
    words: str


@dataclass(frozen=True)
class SeatView:
    """What one seat sees at a moment; the whole truth for ``seat`` "all"."""

    seat: Viewer
    moment: str
    """Another one after whatever changes for this seat. Tells nothing of what it does not learn."""
    is_up: bool
    is_over: bool
    states: npt.NDArray[Any]
    """(1,) ``game.state_dtype``: a hidden row, but for "all"."""
    choices: tuple[Choice, ...]
    """The legal actions, where the seat is up."""
    log: tuple[Told, ...]


class Session:
    """A game in progress. Safe to use from several threads: bots and hints think without holding up the others.

    ``seats`` names who holds each seat: PERSON, or a key of ``agents``. ``actions`` have been played already.
    AgentError if an agent fails to begin.
    """

    def __init__(
        self, game: Game, seats: Sequence[str], agents: Mapping[str, Agent], seed: int, actions: Sequence[int] = ()
    ) -> None:
        if len(seats) != game.num_players:
            raise SettingsError(f"{len(seats)} places for {game.num_players} seats: name one for each")
        unknown = sorted({*seats} - {PERSON, *agents})
        if unknown:
            raise SettingsError(f"seats name {unknown}, which is neither {PERSON!r} nor among the agents given")
        self.game = game
        self.seats = tuple(seats)
        self.seed = seed
        self._agents = {seat: agents[name] for seat, name in enumerate(seats) if name != PERSON}
        self._lock = threading.RLock()
        self._thinking = threading.Lock()
        self._adviser: Agent | None = None
        self._undone = 0
        self._deal(actions)
        for number, name in enumerate(dict.fromkeys(seats)):
            if name != PERSON:
                reset(agents[name], agent_seed(seed, number))

    def _deal(self, actions: Sequence[int]) -> None:
        """Begin the game, again, and play ``actions``."""
        self._running = RunningGame(self.game, self.seed)
        self._running.restart()
        self._actions: list[tuple[int, int]] = []
        self._logs = _Logs(self.game)
        self._logs.tell(self._running.events)
        for action in actions:
            self._apply(action)

    def _apply(self, action: int) -> None:
        seat = self._running.to_act
        self._running.play_checked(action)
        self._actions.append((seat, action))
        self._logs.tell(self._running.events)

    # What is seen

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people hold."""
        return tuple(seat for seat, name in enumerate(self.seats) if name == PERSON)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._running.to_act == TERMINAL

    @property
    def is_bot_up(self) -> bool:
        """Whether a bot is to act."""
        return self._running.to_act in self._agents

    @property
    def num_actions(self) -> int:
        """How many actions have been played."""
        return len(self._actions)

    def view(self, seat: Viewer) -> SeatView:
        """Return what ``seat`` sees now."""
        with self._lock:
            running = self._running
            to_act = running.to_act
            is_up = to_act >= 0 and seat == to_act
            states = views.seen(self.game, running.states, seat).copy()
            log = self._logs.of(seat)
            # A seat's next decision always comes after an event that it learns: at least its own last one.
            moment = f"{self._undone}.{len(log)}"
            choices = self._choices(to_act) if is_up else ()
            return SeatView(seat, moment, is_up, to_act == TERMINAL, states, choices, log)

    def _choices(self, seat: int) -> tuple[Choice, ...]:
        return tuple(self._choice(action, seat) for action in self._running.legal_actions())

    def _choice(self, action: int, seat: int) -> Choice:
        text = self.game.actions.text(action, seat)
        return Choice(action, text, self.game.words.action(text))

    def returns(self) -> tuple[float, ...]:
        """Return what each seat got in the game that is over; OrderError before."""
        with self._lock:
            if not self.is_over:
                raise OrderError("returns are told when the game is over")
            return tuple(views.returns(self.game, self._running.states)[0].tolist())

    def record(self, seat: Viewer) -> str:
        """Return the playthrough so far as ``seat`` learns it."""
        with self._lock:
            return self._playthrough().text(seat)

    def _playthrough(self) -> Playthrough:
        return Playthrough(self.game, tuple(self._running.events))

    # What is done

    def play(self, seat: int, choice: str | int, moment: str | None = None) -> None:
        """Play an action of ``seat``, as its index or notation; for ``moment``, only if nothing has changed since.

        OrderError if the seat is not up or the moment is past, IllegalActionError if the action is not legal.
        """
        with self._lock:
            self._check_turn(seat, moment)
            if isinstance(choice, str):
                try:
                    choice = self.game.actions.index(choice, seat)
                except KeyError:
                    legal = " | ".join(option.text for option in self._choices(seat))
                    raise OutOfSpaceError(f"there is no action {choice!r}; possible: {legal}") from None
            self._apply(self._running.action_index(choice))

    def _check_turn(self, seat: int, moment: str | None) -> None:
        if self.is_over:
            raise OrderError("the game is over")
        if seat != self._running.to_act:
            raise OrderError(f"p{seat} is not asked now")
        self._check_moment(seat, moment)

    def _check_moment(self, seat: int, moment: str | None) -> None:
        if moment is not None and moment != self.view(seat).moment:
            raise OrderError("the table has changed since: look again")

    def answer(self) -> bool:
        """Let the bot that is to act decide; return False, changing nothing, if none is or the table changed meanwhile.

        AgentError if it does what is not legal.
        """
        with self._thinking:
            with self._lock:
                if not self.is_bot_up:
                    return False
                agent = self._agents[self._running.to_act]
                view = self._agents_view(_BOTS_STREAM)
                at = (self._undone, len(self._actions))
            action = int(decide(agent, view)[0])
            with self._lock:
                if at != (self._undone, len(self._actions)):
                    return False
                self._apply(action)
                return True

    def hint(self, seat: int, agent: Agent) -> Choice:
        """Return what ``agent`` would do in the place of ``seat``; OrderError if the seat is not up, AgentError for it.

        Who gives hints for the first time begins a series of games.
        """
        with self._thinking:
            with self._lock:
                self._check_turn(seat, None)
                view = self._agents_view(_HINTS_STREAM)
            if agent is not self._adviser:
                reset(agent, agent_seed(self.seed, self.game.num_players))  # as nobody at the table
                self._adviser = agent
            action = int(decide(agent, view)[0])
        return self._choice(action, seat)

    def _agents_view(self, stream: int) -> View:
        running = self._running
        rng = seed_words((self.seed, stream, len(self._actions)))
        return view_of(self.game, views.hidden(self.game, running.states, running.to_act), rng)

    def undo(self, seat: int, moment: str | None = None) -> None:
        """Go back to the last decision of ``seat``, with the same chance to come.

        OrderError if there is none, or if another person sits at the table.
        """
        with self._lock:
            if self.people != (seat,):
                raise OrderError("only who plays against bots alone takes back decisions")
            self._check_moment(seat, moment)
            own = [number for number, (author, _) in enumerate(self._actions) if author == seat]
            if not own:
                raise OrderError(f"p{seat} has not decided anything yet")
            self._undone += 1
            self._deal([action for _, action in self._actions[: own[-1]]])

    # Saves

    def save(self) -> str:
        """Return the whole table as :class:`SavedTable` reads it. It holds the seed: who reads it can see ahead."""
        with self._lock:
            table = _Table(seats=self.seats, seed=self.seed).model_dump_json()
            headline, rest = self._playthrough().text().split("\n", 1)
            return f"{headline}\n{_TABLE_LINE}{table}\n{rest}"


class _Logs:
    """What each seat has learnt so far, and the whole truth."""

    def __init__(self, game: Game) -> None:
        self._position = Position(game)
        self._num_told = 0
        viewers: tuple[Viewer, ...] = ("all", *range(game.num_players))
        self._logs: dict[Viewer, list[Told]] = {viewer: [] for viewer in viewers}

    def of(self, seat: Viewer) -> tuple[Told, ...]:
        return tuple(self._logs[seat])

    def tell(self, events: Sequence[int]) -> None:
        """Take note of those events of the record that are new."""
        position = self._position
        for recorded in events[self._num_told :]:
            event = event_of(recorded)
            for viewer, log in self._logs.items():
                words = position.told(event, viewer)
                if words is not None:
                    log.append(Told(position.to_act, words))
            position.play(event)
        self._num_told = len(events)


_TABLE_LINE = "# table: "


class _Table(BaseModel):
    """The line that makes a playthrough a save."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    seats: Annotated[tuple[str, ...], Field(min_length=1)]
    seed: Annotated[int, Field(ge=0, strict=True)]


@dataclass(frozen=True)
class SavedTable:
    """A saved session, without its agents."""

    seats: tuple[str, ...]
    seed: int
    playthrough: Playthrough

    @classmethod
    def read(cls, text: str) -> "SavedTable":
        """Read what :meth:`Session.save` wrote; SaveError or PlaythroughError says what is wrong."""
        lines = [line for line in text.splitlines() if line.startswith(_TABLE_LINE)]
        if len(lines) != 1:
            raise SaveError(f"not a saved table: it has {len(lines)} lines that begin with {_TABLE_LINE!r}, not one")
        try:
            table = _Table.model_validate_json(lines[0].removeprefix(_TABLE_LINE))
        except ValidationError as error:
            reasons = "; ".join(
                f"{'.'.join(map(str, fault['loc'])) or 'line'}: {fault['msg']}" for fault in error.errors()
            )
            raise SaveError(f"the saved table's line {_TABLE_LINE!r} is not valid: {reasons}") from None
        return cls(table.seats, table.seed, replay(text, partial=True))

    def resume(self, agents: Mapping[str, Agent]) -> Session:
        """Return the session as it was saved; SaveError if its events do not follow from its seed."""
        actions = [event for event in self.playthrough.events if event >= 0]
        try:
            session = Session(self.playthrough.game, self.seats, agents, self.seed, actions)
        except SaveError:
            raise
        except BearenvsError as error:
            raise SaveError(f"the saved table cannot be set up: {error}") from error
        if tuple(session._running.events) != self.playthrough.events:
            raise SaveError("the saved table was altered: its events do not follow from its seed")
        return session


def new_seed() -> int:
    """Return a seed that nobody can guess."""
    return secrets.randbits(63)
