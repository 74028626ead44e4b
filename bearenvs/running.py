"""One game in progress: what the single environments, playthroughs and saves are built on.

The state, its generator and the buffers that compiled steps write into live here; who is called what, rewards by
agent and the protocols of other libraries are the business of :mod:`bearenvs.env` and :mod:`bearenvs.gym`.
"""

import operator
import struct
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, views
from bearenvs.errors import BearenvsError, IllegalActionError, OutOfSpaceError, shown
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.rng import seed_words
from bearenvs.sets import listed


def check_seed(seed: object) -> int | None:
    """Return ``seed`` if it can seed a game: a non-negative integer, or None for entropy from the system."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise BearenvsError(f"seed={shown(seed)}: a seed is a non-negative integer or None")
    return int(seed)


def check_seat(seat: object, num_players: int) -> int | None:
    """Return ``seat`` if it is one, or None; BearenvsError says which there are."""
    return None if seat is None else views.check_seat(seat, num_players, ", or None")


def not_legal(game: Game, seat: int, action: int, legal: Iterable[int]) -> str:
    """Say that ``action`` is not legal for ``seat``, and what is."""
    text = game.actions.text
    shown = ", ".join(f"{other} {text(other, seat)!r}" for other in legal)
    if not 0 <= action < game.num_actions:
        return f"action {action} is not from 0 to {game.num_actions - 1}; the legal actions of p{seat} are {shown}"
    return f"action {action} {text(action, seat)!r} is not legal for p{seat} now; the legal actions are {shown}"


class RunningGame:
    """A game that is always settled: a seat is to act, or the game is over. Not begun before :meth:`restart`.

    ``events`` is the whole record so far: an action as its index, a chance outcome as ``~index`` (so a negative
    number). ``to_act``, ``terminated``, ``truncated`` and ``rewards`` (one float a seat) tell of the last step.
    ``observation`` (D,) float32 and ``action_mask`` (A,) int8 are buffers that hold what the seat to act sees until the
    next step: copy them before handing them on. ``states`` (1,) is the whole truth and ``is_out`` (max_players,) int8
    a field of it: views, to be left unchanged.

    Copies share the :class:`Game`, which never changes; pickles bring it along.
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.events: list[int] = []
        self.slots = np.zeros(1, game.slot_dtype)
        self.rewards: tuple[float, ...] = (0.0,) * game.num_players
        self.to_act = CHANCE
        self.terminated = self.truncated = False
        self._attach()
        self.seed(seed)

    def _attach(self) -> None:
        """Make the buffers and the views into them, which neither copies nor pickles carry."""
        game = self.game
        self._observations = np.zeros((1, game.observation_size), np.float32)
        self._action_masks = np.zeros((1, game.num_actions), np.int8)
        self._results = np.zeros(1, drivers.result_dtype(game.max_players))
        self.observation = self._observations[0]
        self.action_mask = self._action_masks[0]
        self.states = self.slots["state"]
        self.is_out = self.states["is_out"][0]
        self._log = self.slots["log"][0]
        # Reads a step's results in one call, four times as fast as field by field: the players' rewards, to_act,
        # terminated, truncated.
        unused = 8 * (game.max_players - game.num_players)
        self._unpack = struct.Struct(f"={game.num_players}d{unused}xi??").unpack_from
        self._result_bytes = self._results.view(np.uint8).data
        self._step = game.bind(drivers.step_single)
        self._continue = game.bind(drivers.continue_single)

    def seed(self, seed: int | None) -> None:
        """Set the generator of chance; play goes on from where it is."""
        self.slots["rng"][0] = seed_words(seed)

    def restart(self) -> None:
        """Start a new game, with the generator where it is, and play to its first decision."""
        self.game.bind(drivers.reset_single)(self.game.record, self.slots)
        self.events = []
        self._refresh()
        self.rewards = (0.0,) * self.game.num_players

    def play(self, action: int) -> bool:
        """Play ``action`` (an int64) and on to the next decision; return False, changing nothing, if not legal."""
        count = self._step(self.game.record, self.slots, action, self._observations, self._action_masks, self._results)
        if count < 0:
            return False
        self.events.append(action)
        self._take(count)
        return True

    def play_checked(self, action: object) -> None:
        """Play ``action``; IllegalActionError if it is not legal, OutOfSpaceError if it is no action at all."""
        index = self.action_index(action)
        if not self.play(index):
            raise self.illegal(index)

    def action_index(self, action: object) -> int:
        """Return ``action`` as an int in [0, num_actions); OutOfSpaceError if it is anything else."""
        try:
            index = operator.index(action)  # type: ignore[arg-type]  # what has no index is what this looks for
        except Exception:  # TypeError for most; what is not ours may raise anything
            index = -1
        if isinstance(action, bool) or not 0 <= index < self.game.num_actions:
            raise OutOfSpaceError(
                f"{shown(action)} is no action: actions are integers from 0 to {self.game.num_actions - 1}"
            )
        return index

    def illegal(self, action: int) -> IllegalActionError:
        """Return the error that says why ``action`` cannot be played now, and what can."""
        if self.to_act == TERMINAL:
            return IllegalActionError("the game is over: no action is legal")
        return IllegalActionError(not_legal(self.game, self.to_act, action, self.legal_actions()))

    def _refresh(self) -> None:
        """Settle, and write what the seat to act sees."""
        self._take(self._continue(self.game.record, self.slots, self._observations, self._action_masks, self._results))

    def _take(self, count: int) -> None:
        """Take over the results of a step that logged ``count`` outcomes."""
        while True:
            if count:
                self.events += [~outcome for outcome in self._log[:count].tolist()]
            values = self._unpack(self._result_bytes)
            self.rewards, (self.to_act, self.terminated, self.truncated) = values[:-3], values[-3:]
            if self.to_act != CHANCE:
                break
            count = self._continue(self.game.record, self.slots, self._observations, self._action_masks, self._results)

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to act, ascending; none when the game is over."""
        return listed(self.slots["legal"][0])

    def observe(self, seat: int) -> npt.NDArray[np.float32]:
        """Return what ``seat`` sees now, (D,) float32 of its own; BearenvsError for a seat that there is not."""
        row: npt.NDArray[np.float32] = views.observation(self.game, self.states, seat)[0]
        return row

    @property
    def rng_words(self) -> tuple[int, ...]:
        """The generator's state, four integers below 2**32."""
        return tuple(self.slots["rng"][0].tolist())

    @classmethod
    def resume(cls, game: Game, states: npt.NDArray[Any], events: Iterable[int], rng_words: Iterable[int]) -> Self:
        """Return the game that stands at ``states`` (1,) after ``events``, its generator at ``rng_words``.

        No event is checked here: ``states`` is a decision or the end of a game that these events were played in.
        """
        running = cls(game, 0)
        running.slots["state"] = states
        running.slots["rng"][0] = tuple(rng_words)
        running.slots["returns"][0, : game.num_players] = views.returns(game, states)[0]
        running._refresh()
        running.events = list(events)
        return running

    def __getstate__(self) -> dict[str, Any]:
        slots = self.slots.tobytes()
        return {
            "game": self.game,
            "slots": slots,
            "events": self.events.copy(),
            "rewards": self.rewards,
            "to_act": self.to_act,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "observation": self.observation.tobytes(),
            "action_mask": self.action_mask.tobytes(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        observation, action_mask, slots = (state.pop(name) for name in ("observation", "action_mask", "slots"))
        self.__dict__.update(state)
        # Made anew with the game's own dtype object: kernels recognise it by identity.
        self.slots = np.frombuffer(slots, self.game.slot_dtype).copy()
        self._attach()
        self.observation[:] = np.frombuffer(observation, np.float32)
        self.action_mask[:] = np.frombuffer(action_mask, np.int8)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copied = type(self).__new__(type(self))
        memo[id(self)] = copied
        copied.__setstate__(self.__getstate__())
        return copied
