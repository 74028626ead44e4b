"""Self-play: many games at once as one stable-baselines3 vector environment with a single learner.

In every game one seat is the learner's; each other seat is given, when a game starts, to a member of a pool of
opponents. A step plays the learner's action in each game and then goes on until every game awaits its learner again.
Random and heuristic opponents play inside the compiled loop; others (past snapshots of the learner) act in batches,
one call for all the seats that await them.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from bearagents.agent import Agent, AgentError, UnfitError, View, agent_seed, agents_rng, decide, reset, view_of_slots
from bearagents.heuristics import HeuristicAgent, choose, heuristic_of, play_randomly
from bearagents.random import RandomAgent
from bearenvs.drivers import begin, find_legal, present, settle_wholly
from bearenvs.errors import IllegalActionError, OrderError, SettingsError
from bearenvs.game import TERMINAL, Game, apply, hide, observe, own_kernels, record_dtype, returns
from bearenvs.gym import MAX_FRUITLESS_GAMES
from bearenvs.instructions import copy_record
from bearenvs.kernel import Binder, kernel
from bearenvs.rng import RNG_WORDS, draw_weighted, next_word, random_below, seed_words
from bearenvs.sets import draw_action, list_actions

MAX_OPPONENTS = 64
"""Places in an opponent pool."""
NEW_GAME = -1
"""In place of an action: start this game anew."""
ADVISED = 2
"""In an action mask: legal, and what the advisor would do."""

_AT_RANDOM, _BY_HEURISTIC, _OUTSIDE = range(3)  # who chooses for a member of the pool: the compiled loop or act()
_CHOOSERS: dict[type, int] = {RandomAgent: _AT_RANDOM, HeuristicAgent: _BY_HEURISTIC}  # subclasses may play otherwise
_SEATING_STREAM = 2  # keeps these random numbers apart from the game's and the agents' of the same seed


def _lobby_dtype() -> np.dtype[Any]:
    """What the compiled loop knows of the pool: one record for all games."""
    return record_dtype(
        [
            ("num_players", "i4"),
            ("learner_seat", "i4"),  # -1: drawn for each game
            ("total_weight", "i8"),
            ("weight", "i8", (MAX_OPPONENTS,)),
            ("chooser", "i4", (MAX_OPPONENTS,)),
        ]
    )


def _episode_fields(max_players: int) -> list[tuple[Any, ...]]:
    return [
        ("learner", "i4"),
        ("opponents", "i4", (max_players,)),  # each seat's place in the pool; the learner's own means nothing
        ("num_decisions", "i4"),
        ("paid", "f8"),  # the part of the learner's return that its rewards have told so far
    ]


@cache
def _table_dtype(max_players: int) -> np.dtype[Any]:
    """One game's table: who sits where, what the learner is owed, and the episode that ended in this step."""
    episode = record_dtype(_episode_fields(max_players))
    return record_dtype(
        [
            ("episode", episode),
            ("ended", episode),
            ("reward", "f8"),
            ("done", "?"),
            ("truncated", "?"),
            ("num_fruitless", "i4"),
            ("seating_rng", "u4", (RNG_WORDS,)),
        ]
    )


@cache
def _scratch_dtype(game: type[Game]) -> np.dtype[Any]:
    return record_dtype([("hidden", game.state_dtype), ("rng", "u4", (RNG_WORDS,)), ("legal", "i2", (game.max_legal,))])


# ---------------------------------------------------------------------------------------------------------------
# The compiled loop


@kernel
def begin_episode(game: Any, lobby: Any, slot: Any, table: Any) -> None:
    """Start a new game and seat the learner and its opponents."""
    begin(game, slot)
    episode = table.episode
    rng = table.seating_rng
    num_players = int(lobby[0].num_players)
    episode.learner = lobby[0].learner_seat
    if episode.learner < 0:
        episode.learner = random_below(rng, num_players)
    for seat in range(num_players):
        episode.opponents[seat] = draw_weighted(rng, lobby[0].weight, int(lobby[0].total_weight))
    episode.num_decisions = 0
    episode.paid = slot.returns[episode.learner]


@kernel
def end_episode(content: Any, slot: Any, table: Any, terminal_observation: Any) -> None:
    """Pay the learner for the last time and note how its episode ended; without a decision there was none."""
    episode = table.episode
    if episode.num_decisions == 0:
        table.num_fruitless += 1
        return
    table.num_fruitless = 0
    learner = int(episode.learner)
    returns(content, slot.state, slot.returns)
    table.reward = slot.returns[learner] - episode.paid
    episode.paid = slot.returns[learner]
    table.done = True
    table.truncated = slot.state.truncated != 0
    observe(content, slot.state, learner, terminal_observation)
    copy_record(table.ended, episode)


@kernel
def choose_inside(content: Any, slot: Any, seat: int, chooser: int, scratch: Any, generator: Any) -> int:
    """Return the action of a random or heuristic opponent; it draws as it would from a View."""
    for word in range(RNG_WORDS):
        scratch.rng[word] = next_word(generator)
    if chooser == _AT_RANDOM:
        return draw_action(slot.legal, scratch.rng)
    copy_record(scratch.hidden, slot.state)
    hide(content, scratch.hidden, seat)
    count = list_actions(slot.legal, scratch.legal)
    return int(choose(content, scratch.hidden, scratch.legal, count, scratch.rng))


@kernel
def play_on(
    game: Any,
    lobby: Any,
    slot: Any,
    table: Any,
    generator: Any,
    scratch: Any,
    observation: Any,
    action_mask: Any,
    terminal_observation: Any,
) -> bool:
    """Play until the learner is to decide, through the ends of games, or an outside opponent: then return True.

    Writes what the seat to act sees.
    """
    content = game[0].content
    state = slot.state
    episode = table.episode
    while table.num_fruitless < MAX_FRUITLESS_GAMES:
        settle_wholly(content, slot)
        seat = int(state.to_act)
        if seat == TERMINAL or state.is_out[int(episode.learner)] != 0:
            end_episode(content, slot, table, terminal_observation)
            begin_episode(game, lobby, slot, table)
        elif seat == episode.learner or lobby[0].chooser[episode.opponents[seat]] == _OUTSIDE:
            break
        else:
            find_legal(content, state, slot.legal)
            chooser = int(lobby[0].chooser[episode.opponents[seat]])
            apply(content, state, choose_inside(content, slot, seat, chooser, scratch, generator))
    if table.num_fruitless == MAX_FRUITLESS_GAMES:
        return False
    present(content, slot, observation, action_mask)
    learner = int(episode.learner)
    if state.to_act != learner:
        return True
    if episode.num_decisions > 0:  # what came before the first decision is paid with it
        returns(content, state, slot.returns)
        table.reward = slot.returns[learner] - episode.paid
        episode.paid = slot.returns[learner]
    return False


@kernel
def play_games(
    game: Any,
    lobby: Any,
    slots: Any,
    tables: Any,
    generators: Any,
    scratch: Any,
    observation: Any,
    action_mask: Any,
    terminal_observation: Any,
    games: Any,
    actions: Any,
    count: int,
) -> int:
    """Play ``actions[k]`` (legal, or NEW_GAME) in game ``games[k]`` for k < ``count``, and on to the next decision.

    The games that now await an outside opponent move to the front of ``games``; returns their number.
    """
    num_waiting = 0
    for k in range(count):
        i = games[k]
        slot = slots[i]
        table = tables[i]
        if actions[k] == NEW_GAME:
            begin_episode(game, lobby, slot, table)
        else:
            if slot.state.to_act == table.episode.learner:
                table.episode.num_decisions += 1
            apply(game[0].content, slot.state, int(actions[k]))
        if play_on(
            game,
            lobby,
            slot,
            table,
            generators[i],
            scratch[0],
            observation[i],
            action_mask[i],
            terminal_observation[i],
        ):
            games[num_waiting] = i
            num_waiting += 1
    return num_waiting


@cache
def _bind_loop(game_type: type[Game], has_heuristic: bool, compiled: bool) -> Any:
    """Bind :func:`play_games`; without the game's heuristic it is smaller, and compiles sooner."""
    chooser = heuristic_of(game_type) if has_heuristic else play_randomly
    name = f"{game_type.name}-{chooser.__name__}"
    return Binder(name, own_kernels(game_type) | {choose: chooser}, game_type.folder, compiled=compiled)(play_games)


# ---------------------------------------------------------------------------------------------------------------
# The pool and the environment


@dataclass(frozen=True)
class Opponent:
    """A member of the pool: an agent and how often it is drawn, as a share of the pool's sum of weights."""

    agent: Agent
    weight: float = 1.0


class SelfPlayVecEnv(VecEnv):
    """``num_envs`` games of ``game``, each with a learner in one seat and opponents from a pool in the others.

    - The reward of a step is all that happened to the learner's seat since its last decision; before its first one,
      since the start of the game. An episode's rewards sum to the seat's return.
    - An episode ends with the game, whoever moved last, or at the moment the learner's seat is out: the rest of that
      game is not played. ``infos[i]`` then holds ``terminal_observation``, ``TimeLimit.truncated`` and ``episode``:
      ``r`` return, ``l`` decisions, ``seat``, ``opponents`` (names in the order of play after the learner, of those
      whom it began with: :meth:`set_opponents` may since have put others in their places).
    - A game that ends before the learner's first decision gives no transition: the next one starts at once.
    - Observations (float32, in [0, 1]) and :meth:`action_masks` are those of the learner's seat. Arrays that are
      handed out are copies.

    ``learner_seat=None`` draws the seat for each game. An ``advisor`` sees what the learners see; the action masks
    tell what it would do. Game i is seeded ``seed + i``, for chance, seating and
    opponents alike, and plays the same with any number of other games beside it.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Opponent],
        *,
        learner_seat: int | None = None,
        advisor: Agent | None = None,
        seed: int = 0,
    ) -> None:
        if num_envs < 1:
            raise SettingsError(f"num_envs={num_envs!r}: at least 1 game is needed")
        if learner_seat is not None and not 0 <= learner_seat < game.num_players:
            raise SettingsError(f"learner_seat={learner_seat!r}: None or a seat from 0 to {game.num_players - 1}")
        self.game = game
        self.advisor = advisor
        self._lobby = np.zeros(1, _lobby_dtype())
        self._lobby["num_players"] = game.num_players
        self._lobby["learner_seat"] = -1 if learner_seat is None else learner_seat
        self._slots = np.zeros(num_envs, game.slot_dtype)
        self._tables = np.zeros(num_envs, _table_dtype(game.max_players))
        self._generators = np.zeros((num_envs, RNG_WORDS), np.uint32)
        self._scratch = np.zeros(1, _scratch_dtype(type(game)))
        self._observation = np.zeros((num_envs, game.observation_size), np.float32)
        self._terminal_observation = np.zeros_like(self._observation)
        self._action_mask = np.zeros((num_envs, game.num_actions), np.int8)
        self._games = np.zeros(num_envs, np.int64)
        self._actions = np.zeros(num_envs, np.int64)
        self._advice: npt.NDArray[np.int64] | None = None  # the advisor's choices (N,), once it is asked
        self._has_games = False
        self._is_ready = False  # all games await their learners; not so after an error within a step
        self._opponents: tuple[Opponent, ...] = ()
        self._pools: list[tuple[Opponent, ...]] = []
        """The pool that each running game drew its opponents from."""
        self.set_opponents(opponents)
        super().__init__(
            num_envs,
            spaces.Box(0.0, 1.0, (game.observation_size,), np.float32),
            spaces.Discrete(game.num_actions),
        )
        self.seed(seed)

    # The pool

    @property
    def opponents(self) -> tuple[Opponent, ...]:
        """The pool, in its places."""
        return self._opponents

    def set_opponents(self, opponents: Iterable[Opponent]) -> None:
        """Change the pool. Seats of running games keep their place in it, so the pool may grow but not shrink."""
        pool = tuple(opponents)
        if not 1 <= len(pool) <= MAX_OPPONENTS:
            raise SettingsError(f"a pool has 1 to {MAX_OPPONENTS} opponents, not {len(pool)}")
        if self._has_games and len(pool) < len(self._opponents):
            raise SettingsError(f"games with {len(self._opponents)} opponents are running: give weight 0 instead")
        weights = np.array([opponent.weight for opponent in pool], np.float64)
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
            raise SettingsError(f"opponents' weights are not negative, and not all 0; got {weights.tolist()}")
        choosers = [_CHOOSERS.get(type(opponent.agent), _OUTSIDE) for opponent in pool]
        self._play = _bind_loop(type(self.game), _BY_HEURISTIC in choosers, self.game.bind.compiled)
        self._opponents = pool
        # Integers whose sum random_below takes; no positive weight becomes 0.
        whole = np.ceil(weights / weights.sum() * 1_000_000).astype(np.int64)
        lobby = self._lobby[0]
        lobby.total_weight = whole.sum()
        lobby.weight[: len(pool)] = whole
        lobby.chooser[: len(pool)] = choosers

    # Playing

    def reset(self) -> npt.NDArray[np.float32]:
        """Start all games anew, with the seeds of the last :meth:`seed`; return the observations, float32 (N, D).

        Raises what :meth:`step_wait` does.
        """
        for i, seed in enumerate(self._seeds):
            if seed is not None:
                self._slots["rng"][i] = seed_words(seed)
                self._generators[i] = agents_rng(seed)
                self._tables["seating_rng"][i] = seed_words((seed, _SEATING_STREAM))
        self._reset_seeds()
        self._reset_options()
        for number, opponent in enumerate(self._opponents):
            with _faults_of(opponent.agent):
                reset(opponent.agent, agent_seed(int(self._generators[0, 0]), number))
        self._has_games = True
        self._pools = [self._opponents] * self.num_envs
        self._play_all(np.full(self.num_envs, NEW_GAME, np.int64))
        return self._observation.copy()

    def step_async(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Take the learners' actions, integers (N,).

        IllegalActionError for another shape or dtype, or names the first game with an illegal one; OrderError before
        the first reset, and after a step that broke off. Nothing moves then.
        """
        self._require_ready()
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or not np.issubdtype(chosen.dtype, np.integer):
            raise IllegalActionError(
                f"step takes integers of shape ({self.num_envs},), got {chosen.dtype} {chosen.shape}"
            )
        wrong = _first_illegal(chosen, self._action_mask)
        if wrong is not None:
            raise IllegalActionError(f"game {wrong}: action {chosen[wrong]} is not legal")
        self._actions[:] = chosen

    def step_wait(self) -> VecEnvStepReturn:
        """Play on until every game awaits its learner; return observations, rewards, dones and infos.

        They are float32 (N, D) in [0, 1], float32 (N,), bool (N,) and a list of N dicts: see the class. Where a game is
        done, the observation is the next game's first.

        AgentError for an opponent that fails or plays what is illegal, SettingsError where games keep ending before the
        learner's first decision: the step has broken off, and :meth:`reset` comes next.
        """
        self._play_all(self._actions)
        tables = self._tables
        dones = tables["done"].copy()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            infos[i] = self._info(int(i))
            self._pools[i] = self._opponents
        return self._observation.copy(), tables["reward"].astype(np.float32), dones, infos

    def view(self) -> View:
        """Return what the learners see at their decisions, as an agent would be shown it.

        Each call moves the agents' random numbers on, as for another decision. OrderError as in :meth:`step_async`.
        """
        self._require_ready()
        return self._view(np.arange(self.num_envs))

    def action_masks(self) -> npt.NDArray[np.bool_] | npt.NDArray[np.int8]:
        """Return the learners' legal actions, bool (N, A); with an advisor int8, and ADVISED for what it would do.

        The advisor is asked once for each step, however often this is called. OrderError as in :meth:`step_async`,
        AgentError for an advisor that fails.
        """
        if self.advisor is None:
            return self._action_mask.astype(np.bool_)
        if self._advice is None:
            self._advice = decide(self.advisor, self.view())
        masks = self._action_mask.copy()
        masks[np.arange(self.num_envs), self._advice] = ADVISED
        return masks

    def close(self) -> None:
        """Do nothing: there are no processes or files to close."""

    def _require_ready(self) -> None:
        if not self._is_ready:
            raise OrderError("call reset() first: no games are under way, or a step broke off")

    def _info(self, i: int) -> dict[str, Any]:
        ended = self._tables["ended"][i]
        seat, n = int(ended["learner"]), self.game.num_players
        names = [self._pools[i][ended["opponents"][(seat + k) % n]].agent.name for k in range(1, n)]
        return {
            "terminal_observation": self._terminal_observation[i].copy(),
            "TimeLimit.truncated": bool(self._tables["truncated"][i]),
            "episode": {
                "r": float(ended["paid"]),
                "l": int(ended["num_decisions"]),
                "seat": seat,
                "opponents": tuple(names),
            },
        }

    def _play_all(self, actions: npt.NDArray[np.int64]) -> None:
        """Play ``actions`` and on until each game awaits its learner, asking the outside opponents in batches."""
        self._is_ready = False
        self._advice = None
        self._tables["done"] = False
        self._tables["truncated"] = False
        self._games[:] = range(self.num_envs)
        count = self._play_some(actions, self.num_envs)
        while count:
            count = self._play_some(self._ask_outside(self._games[:count]), count)
        stuck = np.flatnonzero(self._tables["num_fruitless"] >= MAX_FRUITLESS_GAMES)
        if len(stuck):
            raise SettingsError(
                f"{self.game.name}: {MAX_FRUITLESS_GAMES} games in a row ended before the learner's first decision"
            )
        self._is_ready = True

    def _play_some(self, actions: npt.NDArray[np.int64], count: int) -> int:
        return int(
            self._play(
                self.game.record,
                self._lobby,
                self._slots,
                self._tables,
                self._generators,
                self._scratch,
                self._observation,
                self._action_mask,
                self._terminal_observation,
                self._games,
                actions,
                count,
            )
        )

    def _ask_outside(self, games: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the actions of the outside opponents whom ``games`` await; AgentError names one that fails."""
        seats = self._slots["state"]["to_act"][games]
        places = self._tables["episode"]["opponents"][games, seats]
        actions = np.empty(len(games), np.int64)
        for place in np.unique(places):
            chosen = places == place
            agent = self._opponents[place].agent
            with _faults_of(agent):
                actions[chosen] = decide(agent, self._view(games[chosen]))
        return actions

    def _view(self, games: npt.NDArray[np.int64]) -> View:
        return view_of_slots(self.game, self._slots, self._generators, games, self._observation, self._action_mask)

    # What VecEnv asks of each environment on its own

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the attribute of this environment once for each game asked for."""
        value = None if attr_name == "render_mode" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refuse: the games share their attributes."""
        raise NotImplementedError("the games of a SelfPlayVecEnv share their attributes: set them on the environment")

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """Return each asked game's row of ``action_masks``, the one method games have."""
        if method_name != "action_masks":
            raise AttributeError(f"games of a SelfPlayVecEnv have the method action_masks, not {method_name!r}")
        masks = self.action_masks()
        return list(masks) if indices is None else [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Return False for each game asked for."""
        return [False for _ in self._get_indices(indices)]


@contextmanager
def _faults_of(agent: Agent) -> Iterator[None]:
    """Let what ``agent`` says when it cannot play name it."""
    try:
        yield
    except UnfitError as error:
        raise AgentError(f"agent {agent.name!r} cannot play: {error}") from error


def _first_illegal(actions: npt.NDArray[np.integer[Any]], action_mask: npt.NDArray[np.int8]) -> int | None:
    """Return the first row whose action is out of range or masked, or None."""
    num_actions = action_mask.shape[1]
    is_inside = (actions >= 0) & (actions < num_actions)
    is_legal = is_inside & (action_mask[np.arange(len(actions)), np.where(is_inside, actions, 0)] != 0)
    return None if is_legal.all() else int(np.argmin(is_legal))
