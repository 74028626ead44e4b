"""The contract a game fulfils: a subclass of :class:`Game`, and the kernels named here.

Everything else (PettingZoo, batches, Gymnasium, search, playthroughs) is written once on top of this file. The
functions from :func:`legal` to :func:`event_seen_by` are the contract's kernels: here they only say what each must
do; a game supplies its own in ``Game.kernels``, and a :class:`~bearenvs.kernel.Binder` puts them in their place.

Kernels work on two records. ``content`` holds the cards, tiles and settings (never changed); ``state`` is the whole
truth about one game in progress: one row of ``Game.state_dtype``, which starts with :func:`header_fields`.

Rules for kernels: allocate nothing (``a[:] = b`` from array to array does: write the loop; Numba says "NRT required"
where it finds one), draw no random numbers (but for the two that get ``rng``), do not recurse, read no globals but true
constants, wrap small fields in ``int()`` before arithmetic, never divide by zero, and mark each with
:func:`~bearenvs.kernel.kernel`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from bearenvs.content import Content
from bearenvs.errors import SettingsError
from bearenvs.kernel import Binder, kernel
from bearenvs.render.scene import Scene
from bearenvs.rng import RNG_WORDS
from bearenvs.sets import num_words
from bearenvs.settings import Settings
from bearenvs.tables import Layout, Table
from bearenvs.words import Words

CHANCE = -1
"""``state.to_act`` when the next event is a chance outcome."""
TERMINAL = -2
"""``state.to_act`` when the game is over."""
LOG_SIZE = 64
"""How many chance outcomes a slot remembers at a time."""


def header_fields(max_players: int) -> list[tuple[Any, ...]]:
    """Return the fields every state record begins with.

    ``to_act``: the seat to decide, CHANCE or TERMINAL. ``truncated``: 1 when the game was cut off. ``is_out[seat]``:
    1 once the seat's own game is over. ``ply``: decisions so far. ``turn``: player turns so far.
    """
    return [
        ("to_act", "i1"),
        ("truncated", "i1"),
        ("is_out", "i1", (max_players,)),
        ("ply", "i4"),
        ("turn", "i4"),
    ]


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """Return a packed dtype whose rows are ``np.record`` (attribute access, compiled or not)."""
    return np.dtype((np.record, fields))


# ---------------------------------------------------------------------------------------------------------------
# The kernels of the contract


@kernel
def legal(content: Any, state: Any, out: Any) -> None:
    """Add the legal actions of the seat to act, at least one, to the empty set ``out`` (:mod:`bearenvs.sets`).

    Called only when ``state.to_act`` is a seat. Depends on nothing that this seat cannot know.
    """
    raise NotImplementedError


@kernel
def apply(content: Any, state: Any, event: int) -> None:
    """Change ``state`` by ``event``: an action of the seat to act, or at CHANCE an outcome. Deterministic.

    The event is legal: callers check. Counts ``ply`` up by one for an action. Goes on until a decision, a chance event
    or the end, and leaves ``to_act`` saying which.
    """
    raise NotImplementedError


@kernel
def chance(content: Any, state: Any, weights: Any) -> None:
    """Write the weight of every outcome into ``weights`` (num_outcomes,) int64, 0 for the impossible ones.

    Called only at CHANCE. At least one weight is positive.
    """
    raise NotImplementedError


@kernel
def sample_chance(content: Any, state: Any, rng: Any) -> int:
    """Return an outcome drawn by the weights of :func:`chance`, fast. ``rng``: see :mod:`bearenvs.rng`."""
    raise NotImplementedError


@kernel
def returns(content: Any, state: Any, out: Any) -> None:
    """Write each seat's return so far into ``out`` (num_players,) float64. Rewards are its differences."""
    raise NotImplementedError


@kernel
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write what ``seat`` sees into ``out`` (layout.size,) float32: every entry, each in [0, 1].

    ``out`` arrives uncleared. The result is the same on the truth and on the row that :func:`hide` makes of it.
    """
    raise NotImplementedError


@kernel
def hide(content: Any, state: Any, seat: int) -> None:
    """Replace in ``state`` all that ``seat`` cannot know by a canonical filler, in place. Idempotent.

    Two truths that look the same to the seat become byte-identical rows.
    """
    raise NotImplementedError


@kernel
def determinize(content: Any, state: Any, seat: int, rng: Any) -> None:
    """Fill the hidden row ``state`` of ``seat`` with a random whole truth that contradicts nothing the seat knows.

    Hiding the result for ``seat`` again gives the same hidden row.
    """
    raise NotImplementedError


@kernel
def event_seen_by(content: Any, state: Any, event: int) -> int:
    """Return the seats that learn ``event``, as a bit mask (bit s for seat s), for ``state`` just before it.

    An action's author and all who see it; at CHANCE, the seats that learn the outcome.
    """
    raise NotImplementedError


CONTRACT_KERNELS = (
    legal,
    apply,
    chance,
    sample_chance,
    returns,
    observe,
    hide,
    determinize,
    event_seen_by,
)


# ---------------------------------------------------------------------------------------------------------------
# The plain Python side


class Game(ABC):
    """One game with its settings and content: everything the drivers and adapters need to know about it.

    A game is a subclass with the class variables below and the abstract methods; instances come from
    :func:`bearenvs.load_game` and can be pickled. Each attribute is set once, and none that the class has: agents share
    the game they play, and must not change it. ``compiled=False`` makes an instance whose kernels run as plain
    Python: slow, for debugging and for comparing.
    """

    name: ClassVar[str]
    """Registry id, as in ``bearenvs.make(name)``."""
    title: ClassVar[str]
    version: ClassVar[int]
    """Raised when the rules, the content, a table or what an observation says changes so that results can no longer be
    compared, or policies that were trained before no longer see what they learnt from."""
    reconstruction: ClassVar[str] = ""
    """What part of the default content is a reconstruction and not printed in any source; shown to users."""
    settings_type: ClassVar[type[Settings]]
    content_type: ClassVar[type[Content]]
    content_dtype: ClassVar[np.dtype[Any]]
    state_dtype: ClassVar[np.dtype[Any]]
    max_players: ClassVar[int]
    """Capacity of the state's seat arrays."""
    max_actions: ClassVar[int]
    """Capacity of a set of actions: no settings and no content make a longer table of actions."""
    max_legal: ClassVar[int]
    """Capacity of a list of legal actions: no state has more."""
    kernels: ClassVar[Mapping[str, Callable[..., Any]]]
    """The game's own version of every kernel of the contract, by name."""
    folder: ClassVar[Path]
    """The folder of the game's sources and its ``content.toml``."""

    def __init__(self, settings: Settings, content: Content, *, compiled: bool = True) -> None:
        self.settings = settings
        self.content = content
        self.num_players: int = settings.num_players
        self.actions = self.make_actions()
        self.outcomes = self.make_outcomes()
        if len(self.actions) > self.max_actions:
            raise SettingsError(
                f"{self.name} has {len(self.actions)} actions, but its max_actions is {self.max_actions}"
            )
        self.layout = self.make_layout()
        self.words = self.make_words()
        self.bind = _binder(type(self), compiled)
        self.record = np.zeros(1, _game_dtype(type(self)))
        """The one argument that tells kernels about the game: fields ``content`` and ``initial`` (the first state)."""
        self.pack(self.record["content"][0])
        self.start(self.record["initial"][0])

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute for the first time; AttributeError for one that there is."""
        if name in vars(self) or hasattr(type(self), name):
            raise AttributeError(f"{type(self).__name__}: a game never changes, and {name!r} is set")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Refuse, as :meth:`__setattr__` does."""
        raise AttributeError(f"{type(self).__name__}: a game never changes, and {name!r} is part of it")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_game, (type(self), self.settings, self.content, self.bind.compiled)

    @property
    def num_actions(self) -> int:
        """The size of the action space."""
        return len(self.actions)

    @property
    def observation_size(self) -> int:
        """The length of an observation."""
        return self.layout.size

    @cached_property
    def slot_dtype(self) -> np.dtype[Any]:
        """One running game for the drivers: state, generator, legal actions, chance outcomes just drawn."""
        return _slot_dtype(type(self))

    @property
    def content_note(self) -> str:
        """What users have to know of the game's own content: ``reconstruction``; of a file of theirs, nothing."""
        return self.reconstruction if self.content.path is None else ""

    @property
    def is_cooperative(self) -> bool:
        """Whether all seats win or lose together, so that their returns are always the same."""
        return False

    @abstractmethod
    def make_actions(self) -> Table:
        """Return the table of all actions for these settings and this content."""

    @abstractmethod
    def make_outcomes(self) -> Table:
        """Return the table of all chance outcomes."""

    @abstractmethod
    def make_layout(self) -> Layout:
        """Return the observation's layout."""

    def make_words(self) -> Words:
        """Return the phrases in which logs tell actions and outcomes; by default there are none but the notation."""
        return Words()

    def outcome_seat(self, state: Any) -> int:
        """Return whom the coming outcome befalls (who draws, rolls, loses), CHANCE if nobody. For logs only.

        Callers pass a hidden row, or the truth.
        """
        return CHANCE

    @abstractmethod
    def pack(self, record: Any) -> None:
        """Fill the zeroed content record (``content_dtype``) from ``self.content`` and ``self.settings``."""

    @abstractmethod
    def start(self, state: Any) -> None:
        """Fill the zeroed ``state`` with the one state every game starts from (``self.record`` is packed already)."""

    @abstractmethod
    def describe(self, state: Any, seat: int | None) -> str:
        """Return the table as readable text from ``seat``'s place. Callers pass a hidden row, or the truth and None."""

    @abstractmethod
    def draw(self, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
        """Return the table as a picture from ``seat``'s place: on a hidden row, or on the truth for None.

        ``legal``: the notation of the legal actions, where ``seat`` (for None: any seat) is to act; else empty. Shapes
        stay above :data:`bearenvs.render.strip.TOP`; what an action is about is tagged with that word of its notation.
        Callers use :func:`bearenvs.views.draw`.
        """

    @abstractmethod
    def laws(self, state: Any) -> Mapping[str, bool]:
        """Return the game's conservation laws, each with whether it holds in ``state`` (a truth)."""


_binders: dict[tuple[type[Game], bool], Binder] = {}
_dtypes: dict[tuple[str, type[Game]], np.dtype[Any]] = {}


def own_kernels(game: type[Game]) -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return what a :class:`~bearenvs.kernel.Binder` puts in the place of each of the contract's kernels for ``game``.

    SettingsError names those that it lacks.
    """
    missing = {function.__name__ for function in CONTRACT_KERNELS} - set(game.kernels)
    if missing:
        raise SettingsError(f"game {game.name!r} lacks the kernels {sorted(missing)}")
    return {function: game.kernels[function.__name__] for function in CONTRACT_KERNELS}


def _binder(game: type[Game], compiled: bool) -> Binder:
    """All instances of a game share their compiled kernels: content and settings are arguments."""
    if (game, compiled) not in _binders:
        _binders[game, compiled] = Binder(game.name, own_kernels(game), game.folder, compiled=compiled)
    return _binders[game, compiled]


def _game_dtype(game: type[Game]) -> np.dtype[Any]:
    # One dtype object for all instances: Numba recognises it by identity, which keeps calls cheap.
    if ("game", game) not in _dtypes:
        _dtypes["game", game] = record_dtype([("content", game.content_dtype), ("initial", game.state_dtype)])
    return _dtypes["game", game]


def _slot_dtype(game: type[Game]) -> np.dtype[Any]:
    if ("slot", game) not in _dtypes:
        _dtypes["slot", game] = record_dtype(
            [
                ("legal", "u8", (num_words(game.max_actions),)),
                ("state", game.state_dtype),
                ("rng", "u4", (RNG_WORDS,)),
                ("returns", "f8", (game.max_players,)),
                ("num_logged", "i4"),
                ("log", "i2", (LOG_SIZE,)),
            ]
        )
    return _dtypes["slot", game]


def _rebuild_game(game: type[Game], settings: Settings, content: Content, compiled: bool) -> Game:
    return game(settings, content, compiled=compiled)
