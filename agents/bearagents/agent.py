"""What an agent is: something that chooses actions for many games at once, each seen from one seat.

One game is the batch of size one, so there is one protocol. A whole agent::

    class Greedy:
        name = "greedy"

        def reset(self, seed: int) -> None: ...

        def act(self, view: View) -> npt.NDArray[np.integer]:
            return view.legal[np.arange(len(view)), view.num_legal - 1]  # the last legal action

Name such a class as ``package.module:Greedy`` and the arena gives it a seat. A package that is installed can give it
a name of its own, with an entry point in its ``pyproject.toml``::

    [project.entry-points."bearenvs.agents"]
    greedy = "package.module:Greedy"
"""

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bearenvs import views
from bearenvs.batch import Batch
from bearenvs.env import BearEnv, CheckedEnv
from bearenvs.errors import BearenvsError
from bearenvs.game import Game, hide
from bearenvs.instructions import copy_record
from bearenvs.kernel import kernel
from bearenvs.rng import RNG_WORDS, next_word, seed_words
from bearenvs.sets import list_actions
from bearenvs.views import View as View  # noqa: PLC0414  # part of this module, for agents
from bearenvs.views import new_view
from bearenvs.views import view_of as view_of  # noqa: PLC0414  # as View is

Games = npt.NDArray[np.int64]
"""Indices of games in a batch, (n,)."""

_AGENTS_STREAM = 1
"""Keeps the agents' random numbers apart from those of a game with the same seed."""
_RESETS_STREAM = 4
"""Keeps the seeds that agents are given apart from both, and from what else is drawn for the same seed."""


class AgentError(BearenvsError):
    """An agent that does not exist, or that does not do what an agent has to."""


class UnfitError(AgentError):
    """An agent says that it cannot play the game that it is asked to. Before the first game that ends a competition."""


@runtime_checkable
class Agent(Protocol):
    """Chooses actions from what one seat sees."""

    name: str

    def reset(self, seed: int) -> None:
        """Begin a new series of games: forget earlier ones; ``seed`` starts random numbers of one's own.

        It is not the games' seed, from which the whole truth would follow (:func:`agent_seed`).
        """

    def act(self, view: View) -> npt.NDArray[np.integer[Any]]:
        """Return a legal action for each game of ``view``, (n,) integers."""


@dataclass(frozen=True)
class Answer:
    """What an agent does in ``n`` games: ``actions`` (n,), of which those in the rows ``wrong`` are not legal."""

    actions: npt.NDArray[np.int64]
    wrong: npt.NDArray[np.int64]
    fault: str
    """What is wrong with the first of them."""


def consult(agent: Agent, view: View) -> Answer:
    """Return what ``agent`` does in each game of ``view``.

    AgentError if it raises an exception or returns anything but n integers. Its own AgentErrors come through as they
    are, UnfitError among them; so does KeyboardInterrupt, which cannot be told from the user's Ctrl-C.
    """
    game, seats, action_mask = view.game, view.seats.copy(), view.action_mask.copy()  # an agent may spoil its view
    try:
        actions = np.asarray(agent.act(view))
    except (AgentError, KeyboardInterrupt):
        raise
    except BaseException as error:  # of other people's code: SystemExit, GeneratorExit, CancelledError
        raise AgentError(f"agent {agent.name!r} failed: {_tell(error)}") from error
    shape = (len(action_mask),)
    if actions.shape != shape or actions.dtype.kind not in "iu":
        raise AgentError(
            f"agent {agent.name!r} has to return integers of shape {shape},"
            f" got {actions.dtype} of shape {actions.shape}"
        )
    in_table = (actions >= 0) & (actions < game.num_actions)
    is_legal = action_mask[np.arange(*shape), np.where(in_table, actions, 0)] == 1
    wrong = np.flatnonzero(~(in_table & is_legal))
    fault = ""
    if len(wrong):
        i = wrong[0]
        text = game.actions.text
        seat = int(seats[i])
        found = text(int(actions[i]), seat) if in_table[i] else "outside the table"
        allowed = ", ".join(f"{k} ({text(int(k), seat)})" for k in np.flatnonzero(action_mask[i]))
        fault = f"agent {agent.name!r} chose action {actions[i]} ({found}) for seat {seat}; legal are {allowed}"
    return Answer(actions.astype(np.int64), wrong, fault)


def decide(agent: Agent, view: View) -> npt.NDArray[np.int64]:
    """Return what ``agent`` does in each game of ``view``, (n,); AgentError names a fault, see :func:`consult`."""
    answer = consult(agent, view)
    if len(answer.wrong):
        raise AgentError(answer.fault)
    return answer.actions


def reset(agent: Agent, seed: int) -> None:
    """Let ``agent`` begin a new series of games; AgentError if it fails to."""
    try:
        agent.reset(seed)
    except (AgentError, KeyboardInterrupt):
        raise
    except BaseException as error:  # of other people's code: SystemExit, GeneratorExit, CancelledError
        raise AgentError(f"agent {agent.name!r} failed: {_tell(error)}") from error


@contextmanager
def forgiving() -> Iterator[None]:
    """Leave what an agent does wrong to the games, where it will show; but not that it cannot play this game at all."""
    try:
        yield
    except UnfitError:
        raise
    except AgentError:
        pass


def agent_seed(seed: int, number: int) -> int:
    """Return what agent ``number`` is to be reset with where games have this ``seed``: a word of 32 bits.

    With the seed itself an agent could deal the games again and see what is hidden, and all would draw alike.
    """
    return int(seed_words((int(seed), _RESETS_STREAM, number))[0])


def _tell(error: BaseException) -> str:
    """Return what was raised, and the line that raised it."""
    *_, frame = traceback.extract_tb(error.__traceback__)
    return f"{told(error, ': which cannot be told in words')} ({frame.filename}:{frame.lineno})"


def told(error: BaseException, or_else: str = "") -> str:
    """Return an exception's kind and words; the kind and ``or_else`` if it has none: they are others' code as well."""
    kind = type(error).__name__
    try:
        return f"{kind}: {error}"
    except KeyboardInterrupt:
        raise
    except BaseException:
        return kind + or_else


class Views:
    """Makes the views of a batch's games.

    ``seed`` starts the agents' random numbers: one a game, or an int for seed, seed + 1 ... as in a batch.
    """

    def __init__(self, batch: Batch, seed: int | Sequence[int] = 0) -> None:
        self._batch = batch
        self.generators = np.empty((batch.num_envs, RNG_WORDS), np.uint32)
        """The agents' random numbers of each game. A view moves those of its games on."""
        self.reset(seed)

    def reset(self, seed: int | Sequence[int]) -> None:
        """Start the agents' random numbers anew."""
        seeds = range(seed, seed + len(self.generators)) if isinstance(seed, int) else seed
        for row, one in zip(self.generators, seeds, strict=True):
            row[:] = agents_rng(one)

    def of(self, games: Games) -> View:
        """Return what the seats to act see now in ``games``, in that order."""
        batch = self._batch
        return view_of_slots(
            batch.game, batch.slots, self.generators, games, batch.observation, batch.action_mask, numbers=games.copy()
        )


def agents_rng(seed: int) -> npt.NDArray[np.uint32]:
    """Return the generator (4,) that the agents' random numbers in the game of this ``seed`` come from."""
    return seed_words((int(seed), _AGENTS_STREAM))


def view_of_slots(
    game: Game,
    slots: npt.NDArray[Any],
    generators: npt.NDArray[np.uint32],
    games: Games,
    observation: npt.NDArray[np.float32],
    action_mask: npt.NDArray[np.int8],
    *,
    numbers: Games | None = None,
) -> View:
    """Return what the seats to act see now in ``games`` (n,), rows of the other arrays, in that order.

    The games' ``generators`` move on. ``numbers`` (n,) tell the games apart for agents, if anything is to.
    """
    view = new_view(game, numbers, observation[games], action_mask[games])
    game.bind(gather_rows)(
        game.record, slots, generators, games, view.states, view.seats, view.legal, view.num_legal, view.rng
    )
    return view


def view_of_env(env: BearEnv | CheckedEnv, rng: npt.NDArray[np.uint32]) -> View:
    """Return what the selected agent of a single environment sees; ``rng`` as for :func:`view_of`."""
    game, seat = env.game, env.possible_agents.index(env.agent_selection)
    truth = np.frombuffer(env.state().tobytes(), game.state_dtype)
    return view_of(game, views.hidden(game, truth, seat), rng)


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
        num_legal[k] = list_actions(slot.legal, legal[k])
        for word in range(rng.shape[1]):
            rng[k, word] = next_word(generators[i])
