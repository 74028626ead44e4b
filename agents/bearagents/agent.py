"""What an agent is: something that chooses actions for many games at once, each seen from one seat.

One game is the batch of size one, so there is one protocol. A whole agent::

    class Greedy:
        name = "greedy"

        def reset(self, seed: int) -> None: ...

        def act(self, view: View) -> npt.NDArray[np.integer]:
            return view.legal[np.arange(len(view)), view.num_legal - 1]  # the last legal action

Name such a class as ``package.module:Greedy`` and the arena gives it a seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bearenvs.game import Game, hide
from bearenvs.kernel import copy_record, kernel
from bearenvs.rng import RNG_WORDS, next_word, seed_words

if TYPE_CHECKING:
    from bearenvs.batch import Batch

Games = npt.NDArray[np.int64]
"""Indices of games in a batch, (n,)."""

_AGENTS_STREAM = 1
"""Keeps the agents' random numbers apart from those of a game with the same seed."""


@dataclass(frozen=True)
class View:
    """What the seats to act see in ``n`` games of one kind. The arrays are the agent's to keep or change."""

    game: Game
    states: npt.NDArray[Any]
    """(n,) ``game.state_dtype``: rows from which all that the seat cannot know is hidden."""
    seats: npt.NDArray[np.int64]
    """(n,) the seat to act in each game."""
    observation: npt.NDArray[np.float32]
    """(n, game.observation_size), each in [0, 1]."""
    action_mask: npt.NDArray[np.int8]
    """(n, game.num_actions), 1 for the legal actions."""
    legal: npt.NDArray[np.int16]
    """(n, game.max_legal): the first ``num_legal[i]`` entries of row i are the legal actions, ascending."""
    num_legal: npt.NDArray[np.int64]
    """(n,), each at least 1."""
    rng: npt.NDArray[np.uint32]
    """(n, 4) a generator for each decision (:mod:`bearenvs.rng`): an agent that draws from these alone plays
    a game the same way however games are put into batches."""

    def __len__(self) -> int:
        return len(self.seats)


@runtime_checkable
class Agent(Protocol):
    """Chooses actions from what one seat sees."""

    name: str

    def reset(self, seed: int) -> None:
        """Begin a new series of games: forget earlier ones; ``seed`` starts random numbers of one's own."""

    def act(self, view: View) -> npt.NDArray[np.integer[Any]]:
        """Return a legal action for each game of ``view``, (n,) integers."""


class Views:
    """Makes the views of a batch's games.

    ``seed`` starts the agents' random numbers: one a game, or an int for seed, seed + 1 ... as in a batch.
    """

    def __init__(self, batch: "Batch", seed: int | Sequence[int] = 0) -> None:
        self._batch = batch
        self._gather = batch.game.bind(gather_rows)
        self._rng = np.empty((batch.num_envs, RNG_WORDS), np.uint32)
        self.reset(seed)

    def reset(self, seed: int | Sequence[int]) -> None:
        """Start the agents' random numbers anew."""
        seeds = range(seed, seed + len(self._rng)) if isinstance(seed, int) else seed
        for row, one in zip(self._rng, seeds, strict=True):
            row[:] = seed_words((one, _AGENTS_STREAM))

    def of(self, games: Games) -> View:
        """Return what the seats to act see now in ``games``, in that order."""
        batch = self._batch
        view = _empty_view(batch.game, batch.observation[games], batch.action_mask[games])
        self._gather(
            batch.game.record,
            batch.slots,
            self._rng,
            games,
            view.states,
            view.seats,
            view.legal,
            view.num_legal,
            view.rng,
        )
        return view


def _empty_view(game: Game, observation: npt.NDArray[np.float32], action_mask: npt.NDArray[np.int8]) -> View:
    n = len(observation)
    return View(
        game=game,
        states=np.empty(n, game.state_dtype),
        seats=np.empty(n, np.int64),
        observation=observation,
        action_mask=action_mask,
        legal=np.zeros((n, game.max_legal), np.int16),
        num_legal=np.empty(n, np.int64),
        rng=np.empty((n, RNG_WORDS), np.uint32),
    )


@kernel
def gather_rows(
    game: Any,
    slots: Any,
    generators: Any,
    games: Any,
    states: Any,
    seats: Any,
    legal: Any,
    num_legal: Any,
    rng: Any,
) -> None:
    """Write the hidden row, seat, legal list and a fresh generator for each of ``games``."""
    for k in range(games.shape[0]):
        i = games[k]
        slot = slots[i]
        seat = int(slot.state.to_act)
        copy_record(states[k], slot.state)
        hide(game[0].content, states[k], seat)
        seats[k] = seat
        num_legal[k] = slot.num_legal
        for j in range(slot.num_legal):
            legal[k, j] = slot.legal[j]
        for word in range(rng.shape[1]):
            rng[k, word] = next_word(generators[i])
