"""What one seat sees of a state, in plain Python. A state is given as ``states`` (1,), one row of ``state_dtype``.

All functions raise BearenvsError for states that are no such array, and for a seat that there is not. What a row holds
they trust: rows come from the engine.
"""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bearenvs import drivers
from bearenvs.bits import spread_bits
from bearenvs.drivers import list_legal
from bearenvs.errors import BearenvsError, shown
from bearenvs.game import Game, observe
from bearenvs.kernel import kernel
from bearenvs.render.scene import Scene
from bearenvs.render.strip import with_strip
from bearenvs.rng import RNG_WORDS, check_generator, next_word
from bearenvs.sets import listed, new_set

States = npt.NDArray[Any]
Viewer: TypeAlias = int | Literal["all"]
"""A seat, or ``"all"``: who is shown the whole truth."""


@dataclass(frozen=True)
class View:
    """What the seats to act see in ``n`` games of one kind, for an agent, who may keep or change the arrays."""

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
    games: npt.NDArray[np.int64] | None = None
    """(n,) a number for each game, the same at all its decisions, by which an agent can go on with what it thought
    before; None where whoever asks does not tell games apart. Numbers come again: a game that is over gives its own to
    the next one, and after an agent's reset all begin anew."""

    def __len__(self) -> int:
        return len(self.seats)


def new_view(
    game: Game,
    games: npt.NDArray[np.int64] | None,
    observation: npt.NDArray[np.float32],
    action_mask: npt.NDArray[np.int8],
) -> View:
    """Return a view that has these arrays, and whose other arrays are to be written: by :func:`look` and the like."""
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
        games=games,
    )


def view_of(game: Game, states: States, rng: npt.NDArray[np.uint32]) -> View:
    """Return the view of one game from ``states`` (1,): the row of the seat to act, all hidden that it cannot know.

    The generator ``rng`` (4,) moves on, as for each decision in a batch: agents play the same way there.
    """
    observation = np.empty((1, game.observation_size), np.float32)
    view = new_view(game, np.zeros(1, np.int64), observation, np.zeros((1, game.num_actions), np.int8))
    view.states[:] = states
    view.seats[:] = states["to_act"]
    game.bind(look)(
        game.record,
        states,
        view.observation,
        view.action_mask,
        new_set(game.max_actions),
        view.legal,
        view.num_legal,
        view.rng,
        rng,
    )
    return view


@kernel
def look(
    game: Any,
    states: Any,
    observation: Any,
    action_mask: Any,
    sets: Any,
    legal_actions: Any,
    num_legal: Any,
    rng: Any,
    generator: Any,
) -> None:
    """Write what the seat to act sees in the one hidden row ``states``, and a fresh generator. ``sets``: scratch."""
    content = game[0].content
    num_legal[0] = list_legal(content, states[0], sets[0].actions, legal_actions[0])
    spread_bits(sets[0].actions, action_mask[0])
    observe(content, states[0], int(states[0].to_act), observation[0])
    for word in range(rng.shape[1]):
        rng[0, word] = next_word(generator)


def check_seat(seat: object, num_players: int, or_else: str = "") -> int:
    """Return ``seat`` if it is one; BearenvsError says which there are, and with ``or_else`` what may stand instead."""
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < num_players:
        raise BearenvsError(f"seat={shown(seat)}: a seat from 0 to {num_players - 1}{or_else}")
    return int(seat)


def check_viewer(seat: object, num_players: int) -> Viewer:
    """Return ``seat`` if it is one, or "all"; BearenvsError says what there is."""
    if isinstance(seat, str) and seat == "all":
        return "all"
    return check_seat(seat, num_players, ", or 'all' to see everything")


def check_states(game: Game, states: object, *, is_one: bool = False) -> None:
    """Raise BearenvsError unless ``states`` is an array of rows of ``game``: kernels would read past any other."""
    wanted = f"an array of shape {'(1,)' if is_one else '(n,)'} of the state_dtype of {game.name}"
    if not isinstance(states, np.ndarray):
        raise BearenvsError(f"states must be {wanted}, not {type(states).__name__}")
    if states.dtype != game.state_dtype:
        raise BearenvsError(f"states must be {wanted}; these are of another dtype")
    if states.ndim != 1 or (is_one and len(states) != 1):
        raise BearenvsError(f"states must be {wanted}, got shape {states.shape}")


def hidden(game: Game, states: States, seat: int) -> States:
    """Return a copy of ``states`` (n,) in which all that ``seat`` cannot know is replaced by a filler."""
    check_states(game, states)
    seat = check_seat(seat, game.num_players)
    rows = states.copy()
    game.bind(drivers.hide_rows)(game.record, rows, seat)
    return rows


def seen(game: Game, states: States, seat: Viewer) -> States:
    """Return what ``seat`` knows of ``states`` (n,): hidden rows, or for "all" the very rows."""
    check_states(game, states)
    seat = check_viewer(seat, game.num_players)
    return states if seat == "all" else hidden(game, states, seat)


def determinized(game: Game, states: States, seat: int, rng: npt.NDArray[np.uint32]) -> States:
    """Return a copy of ``states`` (n,) with all that ``seat`` cannot know drawn anew.

    ``rng``, a generator as `rng.seed_words` makes it, moves on; BearenvsError if it is none.
    """
    check_generator(rng)
    seat = check_seat(seat, game.num_players)
    rows = hidden(game, states, seat)
    game.bind(drivers.determinize_rows)(game.record, rows, seat, rng)
    return rows


def observation(game: Game, states: States, seat: int) -> npt.NDArray[np.float32]:
    """Return what ``seat`` sees of ``states`` (n,): float32 (n, observation_size) in [0, 1]."""
    check_states(game, states)
    seat = check_seat(seat, game.num_players)
    out = np.empty((len(states), game.observation_size), np.float32)
    game.bind(drivers.observe_rows)(game.record, states, seat, out)
    return out


def legal_actions(game: Game, states: States) -> list[int]:
    """Return the legal actions of the seat to act in the one state; none where no seat is to act."""
    check_states(game, states, is_one=True)
    found = new_set(game.max_actions)
    game.bind(drivers.legal_row)(game.record, states, found)
    return listed(found["actions"][0])


def chance_weights(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return the weight of each outcome (num_outcomes,) of the one state; all 0 where chance is not to act."""
    check_states(game, states, is_one=True)
    weights = np.zeros(len(game.outcomes), np.int64)
    game.bind(drivers.chance_row)(game.record, states, weights)
    return weights


def returns(game: Game, states: States) -> npt.NDArray[np.float64]:
    """Return each seat's return so far: float64 (n, num_players)."""
    check_states(game, states)
    out = np.empty((len(states), game.num_players), np.float64)
    game.bind(drivers.returns_rows)(game.record, states, out)
    return out


def describe(game: Game, states: States, seat: Viewer) -> str:
    """Return the one state as text from ``seat``'s place, showing only what it knows; "all" shows everything."""
    check_states(game, states, is_one=True)
    rows = seen(game, states, seat)
    return game.describe(rows[0], None if seat == "all" else seat)


def draw(game: Game, states: States, seat: Viewer) -> Scene:
    """Return the one state as a picture from ``seat``'s place, showing only what it knows; "all" shows everything.

    Tags of its shapes (:mod:`bearenvs.render.scene`) hold every word by which the legal actions differ.
    """
    check_states(game, states, is_one=True)
    rows = seen(game, states, seat)
    to_act = int(rows["to_act"][0])
    is_up = to_act >= 0 and seat in ("all", to_act)
    legal = [game.actions.text(action, to_act) for action in legal_actions(game, rows)] if is_up else []
    scene = game.draw(rows[0], None if seat == "all" else seat, legal)
    return with_strip(scene, legal, is_reconstruction=bool(game.content_note))
