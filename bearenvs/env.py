"""The one PettingZoo environment, for every game: :class:`BearEnv`, and :class:`CheckedEnv` around it.

Agents are ``player_0`` ... in seat order. Nothing in ``infos`` is hidden from anyone, for they are empty. AEC's
``agent_selection`` shows everyone who is asked, also where the game itself keeps that secret.

Two choices make all common training libraries run:

- Masks of agents that are not to act, and of all agents at the end, are all ones: clients sample for everyone.
- An agent that is out is not selected any more, and all agents terminate together at the end of the game. Its reward
  still comes the moment it is earned. ``early_termination=True`` follows PettingZoo's own protocol instead: the agent
  terminates at once.
"""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers.order_enforcing import AECOrderEnforcingIterable, OrderEnforcingWrapper

from bearenvs import views
from bearenvs.errors import BearenvsError, IllegalActionError, OrderError, OutOfSpaceError, SettingsError, shown
from bearenvs.game import TERMINAL, Game
from bearenvs.playthrough import Playthrough
from bearenvs.registry import load_game
from bearenvs.render.modes import FPS, RENDER_MODES, Renderer
from bearenvs.render.pixels import Pixels
from bearenvs.render.scene import Scene
from bearenvs.render.svg import to_svg
from bearenvs.running import RunningGame, check_seed
from bearenvs.saves import Origin, Save, SavedAgent, state_digest
from bearenvs.views import Viewer

Observation = dict[str, npt.NDArray[Any]]

ILLEGAL_REWARD = -1.0
"""What :class:`CheckedEnv` gives the author of an illegal action; the others get 0."""


class BearEnv(AECEnv[str, Any, Any]):
    """A game as a PettingZoo AEC environment, with exact errors: what ``raw_env()`` returns.

    Observation of an agent: ``{"observation": float32 (D,) in [0, 1], "action_mask": int8 (A,)}``; ``game.layout``
    names the sections of the first, ``game.actions`` the entries of the second. Actions are integers in [0, A).

    ``render_mode``: :meth:`render` returns the table as the selected agent sees it, as an image uint8 (600, 600, 3)
    (``"rgb_array"``), as ``"svg"`` or as plain text (``"ansi"``); ``"human"`` shows it in a window after each step.
    Image and window need the extra ``render``. ``render_seat``: the seat that sees it instead, or ``"all"`` to see
    everything.

    Errors, all of which leave the environment as it was: IllegalActionError names the action and the legal ones;
    OutOfSpaceError is for what is no action at all; OrderError for a step before :meth:`reset` or after the end. After
    an interrupt in the middle of a step (Ctrl-C), every call but :meth:`reset` and :meth:`load_state` is an OrderError.
    """

    _skip_agent_selection: Any  # PettingZoo declares a str, and puts None in it

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        early_termination: bool = False,
        render_seat: Viewer | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # PettingZoo leaves it unannotated
        if not isinstance(early_termination, bool):
            raise SettingsError(f"early_termination={shown(early_termination)}: True or False is allowed")
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, render_seat, game.num_players)
        self.early_termination = early_termination
        self._running = RunningGame(game)
        self._num_actions = game.num_actions
        self._is_whole = False
        """Whether a game has begun and all here tells of one moment: not before reset(), nor after an interrupt."""
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: _observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 255, (game.state_dtype.itemsize,), np.uint8)

    @property
    def unwrapped(self) -> "BearEnv":
        """This environment."""
        return self

    @property
    def game(self) -> Game:
        """The game, with its tables, layout, settings and content. Not to be changed."""
        return self._running.game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's space of observations, always the same object; KeyError for none, as PettingZoo."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's space of actions, always the same object; KeyError for none, as PettingZoo."""
        return self.action_spaces[agent]

    # Playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. ``seed`` starts chance anew; without, it goes on as it was. ``options`` are ignored."""
        seed = check_seed(seed)
        if seed is not None:
            self._running.seed(seed)
        self._is_whole = False
        self._running.restart()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the selected agent's action, None if it has ended, and all that happens up to the next decision."""
        if not self.play(action):
            assert action is not None
            raise self._running.illegal(action)

    def play(self, action: int | None) -> bool:
        """Do as :meth:`step`, but return False, changing nothing, for an action that is not legal."""
        if not (self._is_whole and self.agents):
            raise self._untimely("step")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._remove(action)
            return True
        running = self._running
        if type(action) is not int or not 0 <= action < self._num_actions:
            if action is None:
                raise OutOfSpaceError(f"None is the action of an agent that has ended; {agent} has not")
            action = running.action_index(action)
        self._is_whole = False
        if not running.play(action):
            self._is_whole = True
            return False
        self._cumulative_rewards[agent] = 0.0
        if any(running.rewards):
            self.rewards = {other: running.rewards[self._seats[other]] for other in self.agents}
            self._accumulate_rewards()
        elif any(self.rewards.values()):
            self.rewards = dict.fromkeys(self.agents, 0.0)
        self._go_on()
        return True

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """Yield the selected agent until all have ended, or ``max_iter`` times. Each needs a step()."""
        self._check_begun("agent_iter")
        return super().agent_iter(max_iter)

    def _go_on(self) -> None:
        """Select the agent to act, or let agents end."""
        to_act = self._running.to_act
        if to_act != TERMINAL:
            self._acting: str | None = self.possible_agents[to_act]
            self.agent_selection = self._acting
            if self.early_termination:
                self._end_those_out()
        else:
            self._acting = None
            self.terminations = dict.fromkeys(self.agents, self._running.terminated)
            self.truncations = dict.fromkeys(self.agents, self._running.truncated)
            self._deads_step_first()
        self._is_whole = True
        if self.render_mode == "human":
            self.render()

    def _end_those_out(self) -> None:
        for agent in self.agents:
            if self._running.is_out[self._seats[agent]]:
                self.terminations[agent] = True
        self._deads_step_first()

    def _remove(self, action: int | None) -> None:
        """Take the selected agent, which has ended, from ``agents``, as PettingZoo's protocol wants."""
        if action is not None:
            raise OrderError(f"{self.agent_selection} has ended: its only action is None, not {shown(action)}")
        self._is_whole = False
        self._was_dead_step(None)
        self._is_whole = True

    def end_against(self, agent: str) -> None:
        """End the game at once for all, as PettingZoo's TerminateIllegalWrapper does: ``agent`` gets -1."""
        self._is_whole = False
        self._acting = None
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()
        self._is_whole = True

    # Looking

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last step, termination, truncation and info of the selected agent.

        The observation is None if ``observe`` is False.
        """
        if not (self._is_whole and self.agents):
            raise self._untimely("last")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """Return what ``agent`` sees now: arrays of its own. The mask is all ones for who is not to act."""
        if not self._is_whole:
            raise self._untimely("observe")
        running = self._running
        if agent == self._acting:
            return {"observation": running.observation.copy(), "action_mask": running.action_mask.copy()}
        if agent not in self.possible_agents:  # a list: what is asked for need not be hashable
            raise BearenvsError(f"there is no agent {shown(agent)}; the agents are {', '.join(self.possible_agents)}")
        return {
            "observation": running.observe(self._seats[agent]),
            "action_mask": np.ones(self._num_actions, np.int8),
        }

    def state(self) -> npt.NDArray[np.uint8]:
        """Return the whole truth, hidden facts included, for centralised critics: uint8 (S,).

        These are the bytes of the state, one row of ``game.state_dtype`` (most of whose numbers are a byte each), so
        different truths always differ here. What all seats see together is the agents' observations side by side.
        """
        self._check_begun("state")
        return np.frombuffer(self._running.states.tobytes(), np.uint8).copy()

    def render(self) -> str | Pixels | None:
        """Return the table in the render mode, as the selected agent or ``render_seat`` sees it.

        "human" shows it and returns None.
        """
        self._check_begun("render")
        seat = self._seats[self.agent_selection]
        return self._renderer.render(self.game, self._running.states, seat, self.metadata["render_fps"])

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def draw(self, seat: Viewer) -> Scene:
        """Return the table as a picture from ``seat``'s place, showing only what it knows; "all" shows everything."""
        self._check_begun("draw")
        return views.draw(self.game, self._running.states, seat)

    def _repr_html_(self) -> str:
        """Return the table as the selected agent sees it, for notebooks."""
        if not self._is_whole:
            return f"<p>{self.game.title}: call reset() to begin</p>"
        return to_svg(self.draw(self._seats[self.agent_selection]))

    def describe(self, seat: Viewer) -> str:
        """Return the table as text from ``seat``'s place, showing only what it knows; "all" shows everything."""
        self._check_begun("describe")
        return views.describe(self.game, self._running.states, seat)

    # Actions by name

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the agent to act, ascending; none at the end."""
        self._check_begun("legal_actions")
        return [] if self._acting is None else self._running.legal_actions()

    def action_text(self, action: int) -> str:
        """Return the notation of ``action`` for the selected agent."""
        self._check_begun("action_text")
        return self.game.actions.text(self._running.action_index(action), self._seats[self.agent_selection])

    def action_index(self, text: str) -> int:
        """Return the action that ``text`` names for the selected agent, legal or not; IllegalActionError if none."""
        self._check_begun("action_index")
        seat = self._seats[self.agent_selection]
        try:
            return self.game.actions.index(text, seat)
        except (KeyError, TypeError):  # TypeError: it is not even hashable
            legal = ", ".join(repr(self.game.actions.text(action, seat)) for action in self.legal_actions())
            raise IllegalActionError(f"p{seat} has no action {shown(text)}; legal now: {legal or 'none'}") from None

    # Records

    def playthrough(self, seat: Viewer = "all", *, legal: bool = False) -> str:
        """Return the game's record so far as text: the whole truth, or what ``seat`` learnt of it.

        See :mod:`bearenvs.playthrough`. ``legal`` adds a comment with the legal actions before each action.
        """
        self._check_begun("playthrough")
        return Playthrough(self.game, tuple(self._running.events)).text(seat, legal=legal)

    def save_state(self) -> bytes:
        """Return all that :meth:`load_state` of an environment with the same game needs to play on identically."""
        self._check_begun("save_state")
        skip = self._skip_agent_selection
        return Save(
            origin=Origin.of(self.game, self.early_termination),
            events=tuple(self._running.events),
            state=state_digest(self._running.states),
            rng=self._running.rng_words,
            agents=tuple(
                SavedAgent(
                    seat=self._seats[agent],
                    reward=float(self.rewards[agent]),
                    cumulative_reward=float(self._cumulative_rewards[agent]),
                    terminated=self.terminations[agent],
                    truncated=self.truncations[agent],
                )
                for agent in self.agents
            ),
            selection=self._seats[self.agent_selection],
            next_selection=None if skip is None else self._seats[skip],
        ).to_bytes()

    def load_state(self, data: bytes) -> None:
        """Go on from where :meth:`save_state` was called; SaveError says why ``data`` does not allow that."""
        save = Save.from_bytes(data)
        running = save.resume(self.game, self.early_termination)
        # Nothing fails from here on: a refused save leaves the environment as it was.
        self._is_whole = False
        self._running = running
        names = self.possible_agents
        saved = {names[agent.seat]: agent for agent in save.agents}
        self.agents = list(saved)
        self.rewards = {name: agent.reward for name, agent in saved.items()}
        self._cumulative_rewards = {name: agent.cumulative_reward for name, agent in saved.items()}
        self.terminations = {name: agent.terminated for name, agent in saved.items()}
        self.truncations = {name: agent.truncated for name, agent in saved.items()}
        self.infos = {name: {} for name in saved}
        self.agent_selection = names[save.selection]
        self._skip_agent_selection = None if save.next_selection is None else names[save.next_selection]
        acting = None if self._running.to_act == TERMINAL else names[self._running.to_act]
        self._acting = acting if acting in saved and not saved[acting].has_ended else None
        self._is_whole = True

    # Checks

    def _check_begun(self, call: str) -> None:
        if not self._is_whole:
            raise self._untimely(call)

    def _untimely(self, call: str) -> OrderError:
        when = (
            "the game is over and all agents have ended"
            if self._is_whole
            else "no game has begun, or a step was interrupted"
        )
        return OrderError(f"{call}(): {when}; call reset() first")


class CheckedEnv(OrderEnforcingWrapper[str, Any, Any]):
    """A :class:`BearEnv` as PettingZoo wraps its classic games: what ``env()`` and :func:`bearenvs.make` return.

    It does in one class the work of OrderEnforcingWrapper, AssertOutOfBoundsWrapper and TerminateIllegalWrapper, which
    forward every attribute through each other: an illegal action ends the game against its author with a reward of
    -1 (0 for the others) and a logged warning. The environment's own methods are all here too. One thing is stricter: a
    step after all agents have ended, of which PettingZoo's wrapper only warns, is an OrderError.
    """

    env: BearEnv

    # Set by reset() only, so that before it the wrapper's own error for each comes.
    agent_selection: Any = property(attrgetter("env.agent_selection"))
    rewards: Any = property(attrgetter("env.rewards"))
    terminations: Any = property(attrgetter("env.terminations"))
    truncations: Any = property(attrgetter("env.truncations"))
    infos: Any = property(attrgetter("env.infos"))

    @property
    def unwrapped(self) -> BearEnv:
        """The bare environment."""
        return self.env

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See :meth:`BearEnv.reset`."""
        self.env.reset(seed, options)
        self._has_reset = self._has_updated = True

    def load_state(self, data: bytes) -> None:
        """See :meth:`BearEnv.load_state`."""
        self.env.load_state(data)
        self._has_reset = self._has_updated = True

    def step(self, action: int | None) -> None:
        """See :meth:`BearEnv.step`; an illegal action ends the game."""
        if not self.env.play(action):
            EnvLogger.warn_on_illegal_move()
            self.env.end_against(self.env.agent_selection)
        self._has_updated = True

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See :meth:`BearEnv.last`."""
        return self.env.last(observe)

    def observe(self, agent: str) -> Observation:
        """See :meth:`BearEnv.observe`."""
        return self.env.observe(agent)

    def state(self) -> npt.NDArray[np.uint8]:
        """See :meth:`BearEnv.state`."""
        return self.env.state()

    def render(self) -> str | Pixels | None:
        """See :meth:`BearEnv.render`."""
        return self.env.render()

    def agent_iter(self, max_iter: int = 2**63) -> AECOrderEnforcingIterable[str, Any, Any]:
        """Yield the selected agent until all have ended, or ``max_iter`` times. Each needs a step()."""
        self.env._check_begun("agent_iter")
        return _AgentIterable(self, max_iter)  # type: ignore[no-untyped-call]  # as above

    def __str__(self) -> str:
        return str(self.env)

    def _repr_html_(self) -> str:
        """See :class:`BearEnv`. PettingZoo's wrappers forward no name that begins with an underscore."""
        return self.env._repr_html_()


class _AgentIterable(AECOrderEnforcingIterable[str, Any, Any]):
    """PettingZoo's agent_iter() as a generator, which takes a third of the time."""

    env: CheckedEnv

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # PettingZoo names its own iterator class
        checked, env, remaining = self.env, self.env.env, self.max_iter
        while env.agents and remaining > 0:
            if not checked._has_updated:
                raise OrderError("agent_iter(): call step() or reset() for each agent")
            checked._has_updated = False
            remaining -= 1
            yield env.agent_selection


def make(
    name: str,
    *,
    render_mode: str | None = None,
    render_seat: Viewer | None = None,
    early_termination: bool = False,
    **settings: Any,
) -> CheckedEnv:
    """Return the game ``name`` as a PettingZoo environment, wrapped as PettingZoo wraps its classic games.

    ``settings`` are the game's own (its documentation lists them), and ``content``, the path of a content file.
    ``render_mode``: None, ``"human"``, ``"rgb_array"``, ``"svg"`` or ``"ansi"``; ``render_seat``: None, a seat or
    ``"all"``; see :class:`BearEnv`.
    ``early_termination``: see :mod:`bearenvs.env`.

    SettingsError and ContentError say what is wrong and what is allowed.
    """
    return CheckedEnv(BearEnv(load_game(name, **settings), render_mode, early_termination, render_seat))


def env_makers(name: str) -> tuple[Callable[..., CheckedEnv], Callable[..., BearEnv]]:
    """Return the functions ``env`` and ``raw_env`` of the game ``name``, as each of PettingZoo's games has them."""

    def env(**settings: Any) -> CheckedEnv:
        """Return :func:`bearenvs.make` of this game: an illegal action ends the game against its author."""
        return make(name, **settings)

    def raw_env(**settings: Any) -> BearEnv:
        """Return the bare environment, for the same arguments: an illegal action raises IllegalActionError."""
        return make(name, **settings).env

    return env, raw_env


def _observation_space(game: Game) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (game.observation_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )
