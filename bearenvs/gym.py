"""One learning seat against given opponents, as a Gymnasium environment: :class:`SeatEnv`.

>>> import gymnasium
>>> import bearenvs
>>> env = gymnasium.make("bearenvs/HoneyWars-v0", num_players=3)
>>> observation, info = env.reset(seed=7)
>>> for _ in range(10):
...     action = info["action_mask"].argmax()  # the first legal action
...     observation, reward, terminated, truncated, info = env.step(action)
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from bearenvs import drivers, views
from bearenvs.env import ILLEGAL_REWARD
from bearenvs.errors import BearenvsError, IllegalActionError, OrderError, SettingsError, shown
from bearenvs.game import TERMINAL, Game
from bearenvs.registry import load_game
from bearenvs.render.modes import FPS, RENDER_MODES, Renderer
from bearenvs.render.pixels import Pixels
from bearenvs.render.svg import to_svg
from bearenvs.rng import RNG_WORDS
from bearenvs.running import RunningGame, check_seat, check_seed
from bearenvs.views import View, Viewer
from bearenvs.words import counted

MAX_FRUITLESS_GAMES = 10_000
"""So many games in a row that the learner has no decision in, and the settings must be at fault."""


class Chooser(Protocol):
    """An opponent as bearagents has them. ``reset(seed)``, if it has that too, is called with each new seed."""

    def act(self, view: Any) -> Any:
        """Return a legal action, an integer or an array of one, for the view of one game."""


Opponent = Chooser | Callable[[View], Any]
"""Chooses for a seat: an object with such a method ``act``, or a function that does the same."""


class SeatEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """A game from one seat's place; opponents, which are part of the environment, move for the others.

    - Observation: float32 (D,) in [0, 1], of the learner's seat (``game.layout`` names its sections). Action: an
      integer in [0, A). ``info`` holds ``action_mask`` int8 (A,), all ones at the end, and ``seat``;
      :meth:`action_masks` gives the mask as sb3-contrib reads it.
    - The reward is everything that happened to the seat since its last decision, its own action included.
    - An episode ends with the game, whoever moved last, or at the moment the seat is out.
    - A game that ends before the seat's first decision is no episode: another one is drawn.
    - An illegal action ends the episode with reward -1, and ``info["illegal_action"]`` says what was wrong. What is
      no action at all raises OutOfSpaceError, a step before reset() or after the end OrderError.
    - An illegal action of an opponent raises IllegalActionError, which names the opponent; what an opponent raises
      comes through as it is. Either ends the episode: reset() begins another.
    - ``copy.deepcopy`` and pickle keep an episode where it stands. What :func:`gymnasium.make` returns wraps this
      environment: ``env.unwrapped`` has the methods that Gymnasium does not know.

    Args:
        game: the game's name; or a :class:`Game`, and then no settings.
        opponents: None for uniformly random ones; one :data:`Opponent` for all other seats; or one for each, in the
            order of play after the learner (None among them plays at random).
        seat: the learner's seat; None draws it anew for each episode.
        render_mode: None; "rgb_array", "svg" or "ansi", which render() returns; or "human", a window that shows what
            the learner sees before each of its decisions. See :class:`bearenvs.env.BearEnv`.
        render_seat: the seat that sees it instead, or "all" to see everything.
        settings: the game's settings, and ``content``.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": FPS}  # noqa: RUF012  # as in Gymnasium

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Opponent | Sequence[Opponent | None] | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
        render_seat: Viewer | None = None,
        **settings: Any,
    ) -> None:
        if isinstance(game, Game) and settings:
            raise SettingsError(f"a Game has its settings: {', '.join(settings)} cannot be given as well")
        game = game if isinstance(game, Game) else load_game(game, **settings)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, render_seat, game.num_players)
        self.observation_space = spaces.Box(0.0, 1.0, (game.observation_size,), np.float32)
        self.action_space = spaces.Discrete(game.num_actions)
        self.seat = 0
        self._fixed_seat = check_seat(seat, game.num_players)
        self._opponents = _seat_opponents(opponents, game.num_players - 1)
        self._running = RunningGame(game)
        self._rng = np.zeros(RNG_WORDS, np.uint32)
        self._own_rng = np.zeros(RNG_WORDS, np.uint32)  # of view(): who looks on must not change how the others play
        self._is_seeded = False
        self._has_begun = False
        self._is_over = True
        self._owed = 0.0

    @property
    def game(self) -> Game:
        """The game, with its tables, layout, settings and content. Not to be changed."""
        return self._running.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Start an episode. ``seed`` starts chance, seating and opponents anew. ``options`` are ignored."""
        super().reset(seed=check_seed(seed))
        if seed is not None or not self._is_seeded:
            self._seed(seed)
        for _ in range(MAX_FRUITLESS_GAMES):
            self._owed = 0.0
            drawn = int(self.np_random.integers(self.game.num_players))
            self.seat = drawn if self._fixed_seat is None else self._fixed_seat
            self._is_over = True  # stays so when an opponent fails, or an interrupt comes
            self._running.restart()
            self._has_begun = True
            self._play_others()
            if not self._is_over:
                self._show()
                return self._observe()
        raise BearenvsError(
            f"{self.game.name}: {MAX_FRUITLESS_GAMES} games in a row ended before the first decision of the learner"
        )

    def _seed(self, seed: int | None) -> None:
        self._is_seeded = True
        self._running.seed(seed)
        for rng in (self._rng, self._own_rng):
            rng[:] = self.np_random.integers(1, 2**32, RNG_WORDS, np.uint32)
        for opponent in self._opponents:
            if callable(getattr(opponent, "reset", None)):
                opponent.reset(int(self.np_random.integers(2**31)))

    def step(self, action: np.int64 | int) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's ``action``, then the others up to its next decision or the end."""
        if self._is_over:
            raise OrderError("step(): no episode is running; call reset() first")
        index = self._running.action_index(action)
        self._is_over = True  # stays so when an opponent fails: it would be the learner's to play its turn otherwise
        if not self._running.play(index):
            observation, info = self._observe()
            return (
                observation,
                ILLEGAL_REWARD,
                True,
                False,
                info | {"illegal_action": str(self._running.illegal(index))},
            )
        self._play_others()
        reward, self._owed = self._owed, 0.0
        truncated = self._is_over and self._running.truncated
        observation, info = self._observe()
        self._show()
        return observation, reward, self._is_over and not truncated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the learner's legal actions, bool (A,); all true when the episode is over."""
        return np.ones(self.game.num_actions, np.bool_) if self._is_over else self._running.action_mask.astype(np.bool_)

    def legal_actions(self) -> list[int]:
        """Return the learner's legal actions, ascending; none when the episode is over. OrderError before reset()."""
        self._check_begun("legal_actions")
        return [] if self._is_over else self._running.legal_actions()

    def action_text(self, action: np.int64 | int) -> str:
        """Return the notation of ``action`` for the learner's seat.

        OutOfSpaceError for what is no action, OrderError before reset(): the seat may be drawn then.
        """
        self._check_begun("action_text")
        return self.game.actions.text(self._running.action_index(action), self.seat)

    def view(self) -> View:
        """Return what the learner sees at its decision as agents are shown it, who can so advise it or play for it.

        Each call moves on the random numbers that come with views, and none of the episode's own. OrderError if no
        episode is running.
        """
        if self._is_over:
            raise OrderError("view(): no episode is running; call reset() first")
        return self._view(self._own_rng)

    def render(self) -> str | Pixels | None:
        """Return the table in the render mode, as the learner or ``render_seat`` sees it.

        "human" shows it and returns None. OrderError before reset().
        """
        self._check_begun("render")
        return self._renderer.render(self.game, self._running.states, self.seat, self.metadata["render_fps"])

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _repr_html_(self) -> str:
        """Return the table as the learner sees it, for notebooks."""
        if not self._has_begun:
            return f"<p>{self.game.title}: call reset() to begin</p>"
        return to_svg(views.draw(self.game, self._running.states, self.seat))

    def _check_begun(self, call: str) -> None:
        if not self._has_begun:
            raise OrderError(f"{call}(): no game has begun; call reset() first")

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observe(self) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        is_up = self._running.to_act == self.seat
        observation = self._running.observation.copy() if is_up else self._running.observe(self.seat)
        return observation, {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}

    def _play_others(self) -> None:
        """Take the reward of the play just made, and play for the opponents until the learner's turn or end."""
        running, seat = self._running, self.seat
        self._owed += running.rewards[seat]
        while running.to_act not in (seat, TERMINAL) and not running.is_out[seat]:
            opponent = self._opponents[(running.to_act - seat) % self.game.num_players - 1]
            self._play_at_random() if opponent is None else self._ask(opponent)
            self._owed += running.rewards[seat]
        self._is_over = running.to_act != seat

    def _play_at_random(self) -> None:
        choice = np.zeros(1, np.int64)
        self.game.bind(drivers.act_randomly)(self._running.slots, self._rng[None], choice)
        self._running.play(int(choice[0]))

    def _ask(self, opponent: Any) -> None:
        act = getattr(opponent, "act", opponent)
        answer = act(self._view(self._rng))
        try:
            self._running.play_checked(np.asarray(answer).reshape(()))
        except Exception as error:  # an answer that is not ours may raise anything when it is made an array
            raise IllegalActionError(f"opponent {shown(opponent)}: {error}") from error

    def _view(self, rng: npt.NDArray[np.uint32]) -> View:
        states = self._running.states
        return views.view_of(self.game, views.hidden(self.game, states, self._running.to_act), rng)


def _seat_opponents(opponents: Any, count: int) -> tuple[Any, ...]:
    """Return one opponent a seat, in the order of play after the learner."""
    if isinstance(opponents, str):
        raise SettingsError(f"opponents={opponents!r}: opponents are objects with act() or functions, not names")
    seated = tuple(opponents) if isinstance(opponents, Sequence) else (opponents,) * count
    if len(seated) != count:
        raise SettingsError(f"{counted(len(seated), 'opponent')} for {counted(count, 'seat')}")
    for opponent in seated:
        if opponent is not None and not callable(getattr(opponent, "act", opponent)):
            raise SettingsError(f"opponent {opponent!r} is neither None, nor callable, nor has it a method act")
    return seated
