"""What the checks work with: recorded random games, moments in them, and failures that say where they happened."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.playthrough import Playthrough, event_of
from bearenvs.rng import seed_words
from bearenvs.views import States

MAX_EVENTS = 100_000
"""A random game of more events counts as one that does not end."""
MAX_EVENTS_SHOWN = 2_000
POISON = 77
"""What lies around buffers that kernels write: it must still be there afterwards."""


class CheckFailed(AssertionError):
    """A game breaks a promise. The message says which, where, and how to get there again."""


@dataclass(frozen=True)
class Moment:
    """A recorded random game after its first ``number`` events (an outcome as ``~index``)."""

    lab: "Lab"
    events: tuple[int, ...]
    number: int
    states: States
    """(1,) the state, a copy."""

    @property
    def to_act(self) -> int:
        return int(self.states["to_act"][0])

    def require(self, condition: object, what: str) -> None:
        """Fail here unless ``condition`` holds."""
        if not condition:
            self.fail(what)

    def fail(self, what: str) -> NoReturn:
        """Raise CheckFailed, with the playthrough up to here, or its beginning."""
        shown = self.events[: min(self.number, MAX_EVENTS_SHOWN)]
        record = Playthrough(self.lab.game, shown).text()
        which = f", of which these are the first {len(shown)}" if len(shown) < self.number else ""
        raise CheckFailed(f"{what}\nAfter {self.number} events of this game{which}:\n{record}")


@dataclass(frozen=True)
class Record:
    """A whole random game: ``events[k]`` leads from ``states[k]`` to ``states[k + 1]``."""

    lab: "Lab"
    events: tuple[int, ...]
    states: States

    def moment(self, number: int) -> Moment:
        return Moment(self.lab, self.events, number, self.states[number : number + 1].copy())

    def moments(self) -> Iterator[Moment]:
        return map(self.moment, range(len(self.states)))


class Lab:
    """A game under test.

    ``random`` is for choices of the checks, ``rng`` (4,) for kernels; ``size(n)`` scales a sample of n states: an
    interpreted game gets a tenth. ``again`` gives the call, as source text, that runs the check of a name once more.
    """

    def __init__(self, game: Game, num_games: int, seed: int, again: Callable[[str], str]) -> None:
        self.game = game
        self.num_games = num_games
        self.seed = seed
        self.again = again
        self.begin()

    def begin(self) -> None:
        """Start the random numbers anew, so that a check draws the same ones alone and after others."""
        self.random = np.random.default_rng(self.seed)
        self.rng = seed_words((self.seed, 1))

    def run(self, name: str, check: "Check") -> None:
        """Run ``check``; CheckFailed names it and how to run it again, whatever went wrong in it."""
        self.begin()
        try:
            check(self)
        except CheckFailed as failure:
            raise CheckFailed(f"{name}: {failure}\nAgain: {self.again(name)}") from None
        except Exception as error:
            raise CheckFailed(f"{name}: {type(error).__name__}: {error}\nAgain: {self.again(name)}") from error

    def size(self, count: int) -> int:
        return count if self.game.bind.compiled else max(count // 10, 3)

    @property
    def seats(self) -> range:
        return range(self.game.num_players)

    # Random games

    @cached_property
    def records(self) -> list[Record]:
        """``num_games`` random games."""
        random = np.random.default_rng(self.seed)
        return [self._record(random) for _ in range(self.num_games)]

    def _record(self, random: np.random.Generator) -> Record:
        states = self.game.record["initial"].copy()
        events: list[int] = []
        rows = [states.tobytes()]
        while states["to_act"][0] != TERMINAL:
            if len(events) == MAX_EVENTS:
                endless = Moment(self, tuple(events), MAX_EVENTS, states)
                endless.fail(f"a random game does not end in {MAX_EVENTS} events")
            is_outcome = states["to_act"][0] == CHANCE
            weights = views.chance_weights(self.game, states) if is_outcome else np.ones(0, np.int64)
            possible = self.possible(states)
            size = len(self.game.outcomes) if is_outcome else self.game.num_actions
            if not possible or min(possible) < 0 or max(possible) >= size or (weights < 0).any():
                # Such an event must not reach compiled code.
                Moment(self, tuple(events), len(events), states).fail(f"what can happen next is {possible}, of {size}")
            place = random.integers(weights.sum() if is_outcome else len(possible))
            event = int(np.searchsorted(weights.cumsum(), place, "right")) if is_outcome else possible[place]
            events.append(~event if is_outcome else event)
            self.apply(states, event)
            rows.append(states.tobytes())
        return Record(self, tuple(events), np.frombuffer(b"".join(rows), self.game.state_dtype))

    def moments(self, count: int, *, where: Callable[[States], npt.NDArray[np.bool_]] | None = None) -> list[Moment]:
        """Return about ``count`` (see :meth:`size`) moments of the random games, of those ``where``.

        They are drawn evenly over what happens next, by section of the tables, so that what is rare is there too.
        """
        by_kind: dict[str, list[tuple[Record, int]]] = {}
        for record in self.records:
            chosen = np.ones(len(record.states), bool) if where is None else where(record.states)
            for number in np.flatnonzero(chosen).tolist():
                by_kind.setdefault(self._kind(record, number), []).append((record, number))
        kinds = [[places[k] for k in self.random.permutation(len(places))] for places in by_kind.values()]
        rounds = [place for turn in zip_longest(*kinds) for place in turn if place is not None]
        return [record.moment(number) for record, number in rounds[: self.size(count)]]

    def _kind(self, record: Record, number: int) -> str:
        if number == len(record.events):
            return "end"
        event = record.events[number]
        table = self.game.actions if event >= 0 else self.game.outcomes
        index = event_of(event)
        return "* " * (event < 0) + max(table.start.items(), key=lambda item: (item[1] <= index, item[1]))[0]

    # Kernels

    def apply(self, states: States, event: int) -> None:
        """Apply ``event`` to all ``states``, in place."""
        self.game.bind(drivers.apply_rows)(self.game.record, states, np.full(len(states), event, np.int64))

    def applied(self, states: States, event: int) -> States:
        states = states.copy()
        self.apply(states, event)
        return states

    def sample_chance(self, states: States, rng: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        out = np.zeros(len(states), np.int64)
        self.game.bind(drivers.sample_chance_rows)(self.game.record, states, rng, out)
        return out

    def seen_by(self, states: States, event: int) -> int:
        return int(self.game.bind(drivers.seen_by_row)(self.game.record, states, event))

    def determinized(self, hidden: States, seat: int) -> States:
        """Return truths drawn for rows that are hidden already."""
        rows = hidden.copy()
        self.game.bind(drivers.determinize_rows)(self.game.record, rows, seat, self.rng)
        return rows

    def possible(self, states: States) -> list[int]:
        """Return the events that can happen in the one state."""
        if states["to_act"][0] == CHANCE:
            return [int(outcome) for outcome in np.flatnonzero(views.chance_weights(self.game, states))]
        return views.legal_actions(self.game, states)

    def event_text(self, states: States, event: int) -> str:
        to_act = int(states["to_act"][0])
        return self.game.outcomes.text(event) if to_act == CHANCE else self.game.actions.text(event, to_act)

    def broken_law(self, states: States) -> str | None:
        """Return the first of the game's laws that does not hold in the one state."""
        return next((law for law, holds in self.game.laws(states[0]).items() if not holds), None)


Check = Callable[[Lab], None]


def is_decision(states: States) -> npt.NDArray[np.bool_]:
    """Tell which of ``states`` (n,) a seat is to act in."""
    mask: npt.NDArray[np.bool_] = states["to_act"] >= 0
    return mask


def is_chance(states: States) -> npt.NDArray[np.bool_]:
    """Tell which of ``states`` (n,) chance is to act in."""
    mask: npt.NDArray[np.bool_] = states["to_act"] == CHANCE
    return mask


def byte_rows(states: States) -> npt.NDArray[np.uint8]:
    """View states (n,) as bytes (n, itemsize)."""
    return np.ascontiguousarray(states).view(np.uint8).reshape(len(states), -1)


def field_at(dtype: np.dtype[Any], offset: int) -> str:
    """Return the name of the field that the byte ``offset`` of a row belongs to, like ``seats[1].hand[3]``."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        place = np.unravel_index(offset // base.itemsize, shape)
        rest = field_at(base, offset % base.itemsize)
        return f"[{', '.join(str(int(k)) for k in place)}]" + (f".{rest}" if rest else "")
    for name in dtype.names or ():
        field, start = dtype.fields[name][:2]  # type: ignore[index]  # it has names
        if start <= offset < start + field.itemsize:
            rest = field_at(field, offset - start)
            return name + (rest if rest.startswith("[") or not rest else f".{rest}")
    return ""


def differing_fields(one: States, other: States) -> str:
    """Return the names of the fields in which two states (1,) differ, at most five."""
    offsets = np.flatnonzero(byte_rows(one)[0] != byte_rows(other)[0])
    return ", ".join(list(dict.fromkeys(field_at(one.dtype, int(offset)) for offset in offsets))[:5])
