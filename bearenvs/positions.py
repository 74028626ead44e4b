"""Play on from states, for a search of one's own: :class:`Positions`.

>>> import bearenvs
>>> from bearenvs.rng import seed_words
>>> game = bearenvs.load_game("honey_wars", num_players=2)
>>> rng = seed_words(1)
>>> position = Positions.first(game)
>>> position.settle(rng)  # cards are dealt
>>> legal = np.flatnonzero(position.action_mask()[0])
>>> tries = position[np.zeros(len(legal), int)]  # one copy for each legal action
>>> tries.apply(legal)
>>> tries.play_out(rng)
>>> tries.returns().shape == (len(legal), 2)
True
"""

from functools import cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, views
from bearenvs.arrays import as_integers, take_rows
from bearenvs.bits import spread_bits
from bearenvs.drivers import find_legal
from bearenvs.errors import BearenvsError, IllegalActionError, OutOfSpaceError

# The names of the contract: a Binder puts a game's own kernels in their place.
from bearenvs.game import CHANCE, TERMINAL, Game, apply, chance, own_kernels, sample_chance
from bearenvs.kernel import Binder, kernel
from bearenvs.rng import check_generator
from bearenvs.running import not_legal
from bearenvs.sets import has_action, new_set
from bearenvs.views import States

_TO_THE_END = 2**62


class Positions:
    """``n`` whole states of one game, which play on apart from each other, event by event.

    Indices, slices and masks give copies: ``positions[np.repeat(0, 100)]`` is a hundred of the first. What a position
    is asked about beyond the methods here, :mod:`bearenvs.views` tells of ``states``.

    Random numbers come from ``rng`` (:func:`bearenvs.rng.seed_words`), uint32 (4,), which moves on.

    Args:
        game: from :func:`bearenvs.load_game`.
        states: (n,) ``game.state_dtype``, which are copied: whole truths, as a batch's ``states`` are, or one seat's
            guesses by :func:`bearenvs.views.determinized`; never rows from which something is hidden.

    Raises:
        BearenvsError: the states are not as described, or no game with these settings and this content leads to one.
            The game's laws tell, which takes 0.1 to 2 milliseconds a state: check one and copy it, or let
            :meth:`sampled` guess.
    """

    def __init__(self, game: Game, states: States) -> None:
        rows = _as_rows(game, states)
        for i in range(len(rows)):
            _check_lawful(game, rows[i], f"states[{i}]")
        self._take(game, rows)

    def _take(self, game: Game, rows: States) -> None:
        self.game = game
        self._rows = rows
        self._scratch = new_set(game.max_actions)

    @classmethod
    def _of(cls, game: Game, rows: States) -> Self:
        """Return the positions of rows that nobody else has and that are known to be states."""
        made = cls.__new__(cls)
        made._take(game, rows)
        return made

    @classmethod
    def first(cls, game: Game) -> Self:
        """Return the one state that every game starts from. Chance is to act there in most."""
        return cls._of(game, game.record["initial"].copy())

    @classmethod
    def sampled(cls, game: Game, states: States, seat: int, count: int, rng: npt.NDArray[np.uint32]) -> Self:
        """Return ``count`` guesses of what the one state (1,) may be in truth, from all that ``seat`` knows of it.

        The state is a whole truth, or what was hidden from this seat, as an agent's view holds it. BearenvsError
        as in the constructor, for a seat that there is not, and for a ``count`` that is no integer from 1.
        """
        row = _as_rows(game, states)
        if len(row) != 1:
            raise BearenvsError(f"guesses are made of one state, got {len(row)}")
        copies = np.zeros(_as_count("count", count, 1), np.int64)
        check_generator(rng)
        _check_hidden(game, row, views.check_seat(seat, game.num_players), rng)
        return cls._of(game, views.determinized(game, take_rows(row, copies), seat, rng))

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"Positions({self.game.name!r}, {len(self)})"

    def __getitem__(self, index: Any) -> Self:
        """Return copies of the positions that an index, a slice, or an array of indices or booleans names."""
        return self._of(self.game, take_rows(self._rows, np.ravel(np.arange(len(self))[index])))

    def copy(self) -> Self:
        """Return positions with memory of their own that stand where these do."""
        return self[:]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.game, self._rows.tobytes())

    # Looking

    @property
    def states(self) -> States:
        """(n,) ``game.state_dtype``, read-only: the states as they are now. The next event changes them."""
        rows = self._rows.view()
        rows.flags.writeable = False
        return rows

    @property
    def to_act(self) -> npt.NDArray[np.int64]:
        """(n,) the seat to act, or :data:`~bearenvs.game.CHANCE` or :data:`~bearenvs.game.TERMINAL`."""
        return self._rows["to_act"].astype(np.int64)

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Return int8 (n, num_actions): 1 for what the seat to act may do; all 0 where no seat is to act."""
        out = np.zeros((len(self), self.game.num_actions), np.int8)
        self.game.bind(mask_rows)(self.game.record, self._rows, self._scratch, out)
        return out

    def outcome_weights(self) -> npt.NDArray[np.int64]:
        """Return int64 (n, num_outcomes): how likely each outcome is, in proportion; all 0 where chance is not to act.

        The entries are those of ``game.outcomes``.
        """
        out = np.zeros((len(self), len(self.game.outcomes)), np.int64)
        self.game.bind(weigh_rows)(self.game.record, self._rows, out)
        return out

    def returns(self) -> npt.NDArray[np.float64]:
        """Return each seat's return so far, float64 (n, num_players); at the end, that of the game."""
        return views.returns(self.game, self._rows)

    # Playing on

    def apply(self, events: npt.ArrayLike) -> None:
        """Let one event happen in each position: ``events`` (n,), an action, or where chance is to act an outcome.

        Integers of any kind, entries of ``game.actions`` and ``game.outcomes``. One integer is one for all.

        IllegalActionError names the first position in which its event cannot happen, and what can; OutOfSpaceError,
        a kind of it, is for what is no event at all. No position has moved then.
        """
        chosen = self._as_events(events)
        weights = np.zeros(len(self.game.outcomes), np.int64)
        wrong = self.game.bind(first_impossible)(self.game.record, self._rows, chosen, self._scratch, weights)
        if wrong >= 0:
            raise self._impossible(wrong, int(chosen[wrong]))
        self.game.bind(drivers.apply_rows)(self.game.record, self._rows, chosen)

    def settle(self, rng: npt.NDArray[np.uint32]) -> None:
        """Let chance act in each position until a seat is to act or the game is over."""
        check_generator(rng)
        self.game.bind(settle_rows)(self.game.record, self._rows, rng)

    def play_out(self, rng: npt.NDArray[np.uint32], max_events: int | None = None) -> None:
        """Play each position on, every seat at random, to the end; or for ``max_events`` events, chance's included.

        BearenvsError for a ``max_events`` that is no integer from 0.
        """
        limit = _TO_THE_END if max_events is None else min(_as_count("max_events", max_events, 0), _TO_THE_END)
        check_generator(rng)
        self.game.bind(drivers.random_playout)(self.game.record, self._rows, self._scratch, rng, limit)

    def _as_events(self, events: npt.ArrayLike) -> npt.NDArray[np.int64]:
        shape = () if isinstance(events, int | np.integer) else (len(self),)
        given = as_integers("events", events, shape, OutOfSpaceError)
        # A uint64 that is too large turns negative, which is no event either.
        return np.ascontiguousarray(np.broadcast_to(given, (len(self),)).astype(np.int64))

    def _impossible(self, i: int, event: int) -> IllegalActionError:
        """Return the error that says why ``event`` cannot happen in position ``i``, and what can."""
        game, row = self.game, self._rows[i : i + 1]
        seat = int(row["to_act"][0])
        if seat == TERMINAL:
            return IllegalActionError(f"position {i}: the game is over: nothing can happen")
        if seat != CHANCE:
            error = IllegalActionError if 0 <= event < game.num_actions else OutOfSpaceError
            return error(f"position {i}: {not_legal(game, seat, event, views.legal_actions(game, row))}")
        error = IllegalActionError if 0 <= event < len(game.outcomes) else OutOfSpaceError
        possible = np.flatnonzero(views.chance_weights(game, row))
        shown = ", ".join(f"{outcome} {game.outcomes.text(int(outcome))!r}" for outcome in possible)
        return error(f"position {i}: outcome {event} is not possible; chance is to act, and possible are {shown}")


def _restored(cls: type[Positions], game: Game, data: bytes) -> Positions:
    # With the game's own dtype object: kernels recognise it by identity.
    return cls._of(game, np.frombuffer(data, game.state_dtype).copy())


def _as_rows(game: Game, states: States) -> States:
    """Return a copy of ``states``, in one piece, if they look like states of ``game``; else BearenvsError."""
    views.check_states(game, states)
    return np.frombuffer(states.tobytes(), game.state_dtype).copy()


_NONSENSE = (ArithmeticError, IndexError, ValueError)
"""What plain Python raises where rows hold numbers that none of a game's can."""


def _check_lawful(game: Game, row: Any, which: str) -> None:
    """Raise BearenvsError if ``row`` is no whole state of ``game``."""
    try:
        broken = [law for law, holds in game.laws(row).items() if not holds]
    except _NONSENSE as error:
        broken = [str(error)]
    if not TERMINAL <= int(row.to_act) < game.num_players:
        broken.append(f"p{row.to_act} is to act")
    if broken:
        raise _no_state(game, which, broken[0])


def _check_hidden(game: Game, rows: States, seat: int, rng: npt.NDArray[np.uint32]) -> None:
    """Raise BearenvsError if what ``seat`` knows of the one row cannot be completed. ``rng`` stays as it is.

    Compiled, what completes it would write outside the state: so it is tried in plain Python first.
    """
    guess, bind = rows.copy(), _interpreted(type(game))
    try:
        with np.errstate(all="raise"):
            bind(drivers.hide_rows)(game.record, guess, seat)
            bind(drivers.determinize_rows)(game.record, guess, seat, rng.copy())
    except _NONSENSE as error:
        raise _no_state(game, "states[0]", str(error)) from None
    _check_lawful(game, guess[0], "states[0]")


def _no_state(game: Game, which: str, reason: str) -> BearenvsError:
    return BearenvsError(
        f"{which} is no whole state of {game.name} with these settings and this content: {reason}."
        " A row from which something is hidden is completed by Positions.sampled, for the seat that it was hidden from"
    )


@cache
def _interpreted(game: type[Game]) -> Binder:
    return Binder(game.name, own_kernels(game), game.folder, compiled=False)


def _as_count(name: str, value: object, low: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise BearenvsError(f"{name}={value!r}: an integer from {low}")
    return int(value)


@kernel
def mask_rows(game: Any, states: Any, sets: Any, out: Any) -> None:
    """Write each state's legal actions into ``out`` (n, num_actions), which is all 0. ``sets`` (1,) is scratch."""
    for i in range(states.shape[0]):
        if states[i].to_act >= 0:
            find_legal(game[0].content, states[i], sets[0].actions)
            spread_bits(sets[0].actions, out[i])


@kernel
def weigh_rows(game: Any, states: Any, out: Any) -> None:
    """Write the outcomes' weights at each state into ``out`` (n, num_outcomes), which is all 0."""
    for i in range(states.shape[0]):
        if states[i].to_act == CHANCE:
            chance(game[0].content, states[i], out[i])


@kernel
def settle_rows(game: Any, states: Any, rng: Any) -> None:
    """Resolve chance in each state to the next decision or the end."""
    for i in range(states.shape[0]):
        while states[i].to_act == CHANCE:
            apply(game[0].content, states[i], sample_chance(game[0].content, states[i], rng))


@kernel
def first_impossible(game: Any, states: Any, events: Any, sets: Any, weights: Any) -> int:
    """Return the first of ``states`` in which ``events[i]``, any integer, cannot happen, or -1.

    ``sets`` (1,) and ``weights`` (num_outcomes,) are scratch.
    """
    content = game[0].content
    for i in range(states.shape[0]):
        state, event = states[i], events[i]
        if state.to_act >= 0:
            find_legal(content, state, sets[0].actions)
            if not has_action(sets[0].actions, event):
                return i
        elif state.to_act == CHANCE:
            weights[:] = 0
            chance(content, state, weights)
            if not 0 <= event < weights.shape[0] or weights[event] == 0:
                return i
        else:
            return i
    return -1
