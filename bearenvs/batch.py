"""Many games of one kind that step together: :func:`make_batch`.

>>> batch = make_batch("honey_wars", num_envs=4, num_players=2, seed=7)
>>> batch.reset()
>>> for _ in range(100):
...     actions = batch.action_mask.argmax(axis=1)  # the first legal action of each game
...     batch.step(actions)
>>> batch.to_act.shape, batch.rewards.shape
((4,), (4, 2))
"""

import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import get_ident
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, sharing, views
from bearenvs.arrays import as_bytes, as_integers, check_array, take_rows
from bearenvs.errors import (
    IllegalActionError,
    OrderError,
    OutOfSpaceError,
    SaveError,
    SettingsError,
    shown,
)
from bearenvs.game import Game
from bearenvs.kernel import load_for
from bearenvs.registry import load_game
from bearenvs.rng import RNG_WORDS, seed_generators, seed_words
from bearenvs.running import not_legal
from bearenvs.sets import listed
from bearenvs.threads import MAX_THREADS, Crew, by_one_thread, default_threads, let_others_run, refuse, run_slices

MAX_ENVS = 1 << 24
SHARED_CHOICES = 2048
"""From so many games on, threads share the choice of random actions: before, it is done sooner than they are told."""
MAX_SEED = (1 << 62) - 1

Seeds = int | Sequence[int] | npt.NDArray[np.integer[Any]]
"""One seed a game, or one int for seed, seed + 1, seed + 2 ..."""


def make_batch(
    name: str,
    num_envs: int,
    *,
    seed: Seeds | None = 0,
    num_threads: int | None = None,
    out: Mapping[str, npt.NDArray[Any]] | None = None,
    content: str | Path | None = None,
    **settings: Any,
) -> "Batch":
    """Return ``num_envs`` games of ``name`` that step together, each with these settings: see :class:`Batch`.

    ``settings`` are the game's own, ``num_players`` among them; ``content`` is a content file in place of the game's
    own. SettingsError and ContentError say what is wrong and what is allowed.
    """
    game = load_game(name, content=content, **settings)
    return Batch(game, num_envs, seed=seed, num_threads=num_threads, out=out)


@dataclass(frozen=True)
class BatchState:
    """What :meth:`Batch.get_state` returns: some games as they stood. Can be pickled."""

    game: str
    """Which game with which settings and content the rows belong to."""
    slots: npt.NDArray[Any]
    results: npt.NDArray[Any]
    seeds: npt.NDArray[np.int64]
    checksum: int = -1
    """CRC-32 of all above, since kernels would trust damaged rows. (SHA-256 would make branching twice as slow.)"""

    def __len__(self) -> int:
        return len(self.slots)

    def sealed(self) -> Self:
        """Return this state with the checksum of its rows as they are now.

        For who has changed them and answers for them: a row that no play leads to can crash the process.
        """
        return replace(self, checksum=self._sum())

    @property
    def is_whole(self) -> bool:
        """Whether the checksum is that of the rows."""
        try:
            return self.checksum == self._sum()
        except (AttributeError, TypeError, ValueError):  # the parts are not even strings and arrays
            return False

    def _sum(self) -> int:
        found = zlib.crc32(self.game.encode())
        for rows in (self.slots, self.results, self.seeds):
            found = zlib.crc32(np.ascontiguousarray(rows, rows.dtype).view(np.uint8).data, found)
        return found


class Batch:
    """``num_envs`` games of ``game`` that step together.

    Game i plays as a single environment with ``seeds[i]`` does, whatever the number of threads. A game that ends
    starts anew inside the same step: ``rewards``, ``terminated`` and ``truncated`` then tell about the game that
    ended, and ``to_act``, ``observation`` and ``action_mask`` about the new one.

    All arrays below are views of the batch's own memory: the next :meth:`step` or :meth:`reset` overwrites them. Copy
    what you keep. A batch serves one thread at a time (another's call meanwhile is an OrderError); it shares its own
    work among ``num_threads``.

    Args:
        game: from :func:`bearenvs.registry.load_game`.
        num_envs: number of games, from 1.
        seed: an int from 0: game i gets ``seed + i``, which is below 2**62 for the last game too; or a sequence of
            ints in [0, 2**62), one a game; None: seeds from the system, to be read from ``seeds``.
        num_threads: None for a sensible number. Results do not depend on it.
        out: arrays of yours that are written instead of new ones: ``observation`` and ``action_mask``, with shape
            and dtype as below, C-contiguous (for example in shared memory).

    Raises:
        SettingsError: an argument is not as described; the message says what it should be.
    """

    game: Game
    num_envs: int
    num_players: int
    num_threads: int
    seeds: npt.NDArray[np.int64]
    """(N,) the seed with which each game's random numbers began."""
    slots: npt.NDArray[Any]
    """(N,) ``game.slot_dtype``, for kernels that look at many games. Writing into it breaks the games."""
    states: npt.NDArray[Any]
    """(N,) ``game.state_dtype``, read-only: the whole truth. Never show it to an agent."""
    to_act: npt.NDArray[np.int32]
    """(N,) the seat to decide in each game."""
    observation: npt.NDArray[np.float32]
    """(N, game.observation_size) in [0, 1]: what the seat to act sees."""
    action_mask: npt.NDArray[np.int8]
    """(N, game.num_actions): 1 for its legal actions, else 0; at least one 1."""
    rewards: npt.NDArray[np.float64]
    """(N, num_players): by how much the last step changed each seat's return."""
    terminated: npt.NDArray[np.bool_]
    """(N,) the last step ended the game by its rules."""
    truncated: npt.NDArray[np.bool_]
    """(N,) the last step ended the game by its turn limit."""

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seed: Seeds | None = 0,
        num_threads: int | None = None,
        out: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise SettingsError(f"game must be what load_game() returns, not {shown(game)}; by name: make_batch()")
        self.game = game
        self._identity = _identity(game)
        self.num_envs = _check_int("num_envs", num_envs, 1, MAX_ENVS)
        self.num_players = game.num_players
        self.num_threads = (
            default_threads(self.num_envs)
            if num_threads is None
            else _check_int("num_threads", num_threads, 1, MAX_THREADS)
        )
        self.seeds = _make_seeds(seed, self.num_envs)
        self.slots = np.zeros(self.num_envs, game.slot_dtype)
        self.states = self.slots["state"]
        self.states.flags.writeable = False
        arrays = _check_out(out, self.num_envs, game)
        self.observation = arrays["observation"]
        self.action_mask = arrays["action_mask"]
        self._results = np.zeros(self.num_envs, drivers.result_dtype(game.max_players))
        self.to_act = self._results["to_act"]
        self.rewards = self._results["rewards"][:, : self.num_players]
        self.terminated = self._results["terminated"]
        self.truncated = self._results["truncated"]
        self._actions = np.zeros(self.num_envs, np.int64)
        self._generators = np.zeros((drivers.num_chunks(self.num_envs), RNG_WORDS), np.uint32)
        self._seed_choices()
        self._is_seeded = False
        self._is_ready = False
        self._users: list[int] = []
        self._process = os.getpid()
        self._reset_slice = game.bind(drivers.reset_slice)
        self._arrays = (game.record, self.slots, self._actions, self.observation, self.action_mask, self._results)
        self._act_randomly = game.bind(drivers.act_randomly)
        # Interpreted, the board's words are not safe to count in, and a second thread would only wait for the lock.
        self._is_shared = self.num_threads > 1 and game.bind.compiled
        if self._is_shared:
            self._choices = np.zeros(self.num_envs, np.int64)
            self._board = sharing.new_board(self.num_envs, self.num_threads)
            self._team = (*self._arrays, self._choices, self._generators, self._board)
            self._lead = game.bind(sharing.lead)
            self._finish = game.bind(sharing.finish)
            help_out = game.bind(sharing.help_out)
            load_for(help_out, self._team, 1)  # here: helpers may still be at it when the caller forks
            self._crew = Crew(partial(help_out, self._team), sharing.presence(self._board))
        else:
            self._step_slice = game.bind(drivers.step_slice)

    def __repr__(self) -> str:
        return f"Batch({self.game.name!r}, num_envs={self.num_envs}, num_players={self.num_players})"

    @by_one_thread
    def reset(self, seed: Seeds | None = None) -> None:
        """Start every game anew.

        ``seed`` starts the random numbers anew too, as in the constructor. None: they go on where they are (the first
        time, from the constructor's seed).
        """
        seeds = self.seeds if seed is None else _make_seeds(seed, self.num_envs)
        self._is_ready = False
        if seed is not None or not self._is_seeded:
            self._is_seeded = False  # should this be interrupted, some games have their seed and some have not
            self.seeds[:] = seeds
            for slot, one in zip(self.slots, self.seeds, strict=True):
                slot.rng[:] = seed_words(int(one))
            self._seed_choices()
            self._is_seeded = True
        run_slices(
            lambda first, last: self._reset_slice(
                self.game.record, self.slots, self.observation, self.action_mask, self._results, first, last
            ),
            self.num_envs,
            self.num_threads,
        )
        self._is_ready = True

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action in every game: ``actions`` (N,), integers of any kind.

        Raises:
            IllegalActionError: an action is not legal in its game; the message names the first such game, the action
                and the legal ones. OutOfSpaceError, a kind of it: the array is of another shape or kind, or an action
                is out of range. No game has moved then.
            OrderError: before :meth:`reset`, or while another thread uses the batch.
        """
        users, me = self._users, get_ident()
        try:  # as by_one_thread does, in a third of the time
            users.append(me)
            if users[0] != me:
                refuse(self, me)
            self._check_ready()
            given = as_integers("actions", actions, (self.num_envs,), OutOfSpaceError)
            self._actions[:] = given  # a uint64 that is too large turns negative, which is not legal either
            self._is_ready = False  # should the step be interrupted, some games have moved and some have not
            illegal = (
                self._share(sharing.STEP)
                if self._is_shared
                else self._step_slice(*self._arrays, 0, self.num_envs, False)
            )
            self._is_ready = True
            if illegal >= 0:
                raise self._illegal(illegal, int(given[illegal]))
        finally:
            users.remove(me)

    def random_actions(self, out: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """Return a uniformly random legal action for each game, (N,) int64, drawn from the batch's own generators.

        ``out`` (N,) int64 is written and returned instead of a new array. The games' random numbers are not touched.
        """
        users, me = self._users, get_ident()
        try:  # as in step()
            users.append(me)
            if users[0] != me:
                refuse(self, me)
            self._check_ready()
            actions = _output(out, (self.num_envs,), np.int64)
            if self._is_shared and self.num_envs >= SHARED_CHOICES:
                self._share(sharing.CHOOSE)
                actions[:] = self._choices
            else:
                self._act_randomly(self.slots, self._generators, actions)
            return actions
        finally:
            users.remove(me)

    @by_one_thread
    def observe(
        self, seats: int | npt.ArrayLike, out: npt.NDArray[np.float32] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return what a seat sees in each game now, whoever is to act: (N, game.observation_size) float32.

        ``seats`` is one seat, or (N,) seats. ``out`` is written and returned instead of a new array.

        Raises:
            BearenvsError: there is no such seat, or an array is of another shape or kind.
        """
        self._check_ready()
        chosen = self._check_seats(seats)
        seen = _output(out, (self.num_envs, self.game.observation_size), np.float32)
        observe_slice = self.game.bind(drivers.observe_slice)
        run_slices(
            lambda first, last: observe_slice(self.game.record, self.slots, chosen, seen, first, last),
            self.num_envs,
            self.num_threads,
        )
        return seen

    @by_one_thread
    def get_state(self, games: npt.ArrayLike | None = None) -> BatchState:
        """Return the games as they stand, random numbers included; ``games`` (k,) are indices, None is all of them."""
        self._check_ready()
        chosen = self._check_games(games)
        return BatchState(
            self._identity, take_rows(self.slots, chosen), take_rows(self._results, chosen), self.seeds[chosen]
        ).sealed()

    @by_one_thread
    def set_state(self, state: BatchState, games: npt.ArrayLike | None = None) -> None:
        """Put saved games in the place of ``games`` (indices, as many as were saved; None is all of them).

        They play on as the saved ones would have.

        Raises:
            SaveError: this is no such state, or it is damaged, or was saved from another game, version, content or
                settings, or holds another number. No game has been replaced then.
        """
        chosen = self._check_games(games)
        if not isinstance(state, BatchState):
            raise SaveError(f"a state is what get_state() returns, not {type(state).__name__}")
        if not state.is_whole:
            raise SaveError("this state is damaged: its checksum does not fit")
        if state.game != self._identity:
            raise SaveError(f"this state was saved from {state.game}; this batch plays {self._identity}")
        if any(mine.dtype != theirs.dtype for mine, theirs in self._beside(state)):
            raise SaveError("this state was saved by another release: its records are laid out differently")
        if len(state) != len(chosen):
            raise SaveError(f"this state holds {len(state)} games, to be put in the place of {len(chosen)}")
        if any(rows.shape != (len(chosen),) for rows in (state.slots, state.results, state.seeds)):
            raise SaveError(
                f"this state contradicts itself: {state.slots.shape} slots, {state.results.shape} results and"
                f" {state.seeds.shape} seeds"
            )
        if not self._is_ready and len(np.unique(chosen)) < self.num_envs:
            raise OrderError("call reset() before replacing some of the games")
        self._is_seeded = self._is_ready = False  # should this be interrupted
        for mine, theirs in self._beside(state):
            as_bytes(mine)[chosen] = as_bytes(theirs)
        self.game.bind(drivers.present_slice)(
            self.game.record, self.slots, self.observation, self.action_mask, 0, self.num_envs
        )
        self._is_seeded = self._is_ready = True

    def copy(self) -> "Batch":
        """Return a batch with memory of its own that plays on as this one does."""
        return _rebuild(*self.__reduce__()[1])

    @by_one_thread
    def __reduce__(self) -> tuple[Any, ...]:
        state = self.get_state() if self._is_ready else None
        return _rebuild, (self.game, self.seeds.copy(), self.num_threads, self._generators.copy(), state)

    def _beside(self, state: BatchState) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """Return each of the batch's arrays with the one that is to be put into it."""
        return [(self.slots, state.slots), (self._results, state.results), (self.seeds, state.seeds)]

    def _seed_choices(self) -> None:
        """Start the generators of :meth:`random_actions` anew."""
        self._generators[:] = seed_generators((int(self.seeds[0]), self.num_envs), len(self._generators))

    # What callers hand in

    def _check_ready(self) -> None:
        if not self._is_ready:
            raise OrderError("call reset() first: no games are under way, or a step was interrupted")

    def _share(self, job: int) -> int:
        """Do a job on several threads; return what :func:`bearenvs.drivers.step_slice` does."""
        self._crew.summon()
        found = sharing.UNFINISHED
        try:
            found = self._lead(self._team, job)
        finally:  # even if interrupted: nobody must work on the games when this has ended
            while found == sharing.UNFINISHED:  # before the first chunk, or a helper is held up
                let_others_run()
                found = self._finish(self._board, self.num_envs)
        return found

    def _illegal(self, game: int, action: int) -> IllegalActionError:
        """Return the error that says why ``action`` cannot be played in ``game`` now, and what can."""
        slot = self.slots[game]
        reason = not_legal(self.game, int(slot.state.to_act), action, listed(slot.legal))
        error = IllegalActionError if 0 <= action < self.game.num_actions else OutOfSpaceError
        return error(f"game {game}: {reason}. No game has moved")

    def _check_seats(self, seats: int | npt.ArrayLike) -> npt.NDArray[np.int64]:
        if isinstance(seats, int | np.integer):
            return np.full(self.num_envs, views.check_seat(seats, self.num_players), np.int64)
        given = as_integers("seats", seats, (self.num_envs,), SettingsError)
        for seat in (given.min(), given.max()):
            views.check_seat(int(seat), self.num_players)
        return given.astype(np.int64)

    def _check_games(self, games: npt.ArrayLike | None) -> npt.NDArray[np.int64]:
        if games is None:
            return np.arange(self.num_envs)
        given = as_integers("games", games, None, SettingsError)
        if given.size and (given.min() < 0 or given.max() >= self.num_envs):
            raise SettingsError(f"games must be from 0 to {self.num_envs - 1}, got {given.min()} to {given.max()}")
        return given.astype(np.int64)


def _rebuild(
    game: Game,
    seeds: npt.NDArray[np.int64],
    num_threads: int,
    generators: npt.NDArray[np.uint32],
    state: BatchState | None,
) -> Batch:
    batch = Batch(game, len(seeds), seed=seeds, num_threads=num_threads)
    if state is not None:
        batch.set_state(state)
        batch._generators[:] = generators
    return batch


def _identity(game: Game) -> str:
    values = " ".join(f"{key}={value}" for key, value in sorted(game.settings.model_dump().items()))
    return f"{game.name} version {game.version} with {values} and content {game.content.digest}"


def _check_int(name: str, value: object, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise SettingsError(f"{name} must be an integer from {low} to {high}, got {shown(value)}")
    return int(value)


def _make_seeds(seed: Seeds | None, count: int) -> npt.NDArray[np.int64]:
    """Return the seed of each game, (count,)."""
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
    if isinstance(seed, np.ndarray) and seed.ndim == 0:
        seed = seed[()]
    if not isinstance(seed, Sequence | np.ndarray):
        return _check_int("seed", seed, 0, MAX_SEED - count + 1) + np.arange(count, dtype=np.int64)
    seeds = [_check_int(f"seed[{i}]", one, 0, MAX_SEED) for i, one in enumerate(seed)]
    if len(seeds) != count:
        raise SettingsError(f"seed holds {len(seeds)} seeds for {count} games")
    return np.array(seeds, np.int64)


def _check_out(out: Mapping[str, npt.NDArray[Any]] | None, num_envs: int, game: Game) -> dict[str, npt.NDArray[Any]]:
    """Return the output arrays: the caller's, checked, or new ones."""
    wanted: dict[str, tuple[tuple[int, int], type[np.generic]]] = {
        "observation": ((num_envs, game.observation_size), np.float32),
        "action_mask": ((num_envs, game.num_actions), np.int8),
    }
    if out is None:
        out = {}
    if not isinstance(out, Mapping):
        raise SettingsError(f"out must be a mapping with the arrays {', '.join(wanted)}, not {type(out).__name__}")
    unknown = [name for name in out if name not in wanted]
    if unknown:
        raise SettingsError(f"out knows the arrays {', '.join(wanted)}; got {', '.join(map(shown, unknown))}")
    arrays = {
        name: check_array(f"out[{name!r}]", out[name], shape, np.dtype(dtype))
        if name in out
        else np.zeros(shape, dtype)
        for name, (shape, dtype) in wanted.items()
    }
    if np.may_share_memory(arrays["observation"], arrays["action_mask"]):
        raise SettingsError("out['observation'] and out['action_mask'] overlap in memory: they must be apart")
    return arrays


def _output(out: npt.NDArray[Any] | None, shape: tuple[int, ...], dtype: type[np.generic]) -> npt.NDArray[Any]:
    """Return a caller's array for a result, checked, or a new one."""
    return np.empty(shape, dtype) if out is None else check_array("out", out, shape, np.dtype(dtype))
