"""Monte Carlo search for games of chance and hidden hands, compiled, for every game.

:class:`MctsAgent` is single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", 2012): one tree over what has been played since the decision; every
iteration draws a fresh determinization of what the seat cannot know and goes down the tree by UCB with availability
counts, since which actions are legal depends on the draw. Each seat maximises its own return (max-n; Luckhardt and
Irani, 1986). Chance is sampled and does not branch (open loop; Perez Liebana et al., 2015), so private draws cannot
tell the tree what an opponent holds. Nodes open a few children at a time (progressive widening; Coulom, 2007).

:class:`FlatAgent` is the same with a tree of one level: flat Monte Carlo.

Both see a seat's view only: hidden rows go in, so what the seat cannot know is not there to be used.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from bearagents.agent import View
from bearagents.heuristics import choose, heuristic_of
from bearenvs.errors import SettingsError
from bearenvs.game import CHANCE, TERMINAL, Game, apply, determinize, legal, record_dtype, returns, sample_chance
from bearenvs.kernel import Binder, copy_record, kernel
from bearenvs.rng import random_below

NO_NODE = -1
CHUNK = 32
"""Iterations between two looks at the clock."""

NODE = record_dtype(
    [
        ("first_child", "i4"),
        ("next_sibling", "i4"),
        ("action", "i4"),
        ("seat", "i4"),  # who took the action that leads here
        ("num_visits", "i4"),
        ("num_available", "i4"),
        ("value", "f8"),  # sum of the seat's returns
    ]
)


@kernel
def play_randomly(content: Any, state: Any, legal: Any, num_legal: int, rng: Any) -> int:
    """Choose any legal action: the rollout that needs no knowledge of the game."""
    return int(legal[random_below(rng, num_legal)])


@kernel
def settle_chance(content: Any, state: Any, rng: Any) -> None:
    """Resolve chance up to the next decision or the end."""
    while state.to_act == CHANCE:
        apply(content, state, sample_chance(content, state, rng))


@kernel
def add_node(nodes: Any, num_nodes: int, parent: int, seat: int, action: int) -> None:
    """Make node ``num_nodes`` a child of ``parent``."""
    node = nodes[num_nodes]
    node.first_child = NO_NODE
    node.next_sibling = nodes[parent].first_child
    node.action = action
    node.seat = seat
    node.num_visits = 0
    node.num_available = 0
    node.value = 0.0
    nodes[parent].first_child = num_nodes


@kernel
def select_child(
    nodes: Any, parent: int, seat: int, legal_list: Any, count: int, child_of: Any, exploration: float
) -> int:
    """Count the legal children as available and return the best by UCB, or NO_NODE if none is legal.

    ``child_of[action]`` is the child of each action; NO_NODE for those not in the tree.
    """
    best = NO_NODE
    best_score = 0.0
    for k in range(count):
        child = child_of[legal_list[k]]
        if child == NO_NODE:
            continue
        node = nodes[child]
        node.num_available += 1
        spread = sqrt(log(float(node.num_available)) / node.num_visits)
        score = node.value / node.num_visits + exploration * spread
        if best == NO_NODE or score > best_score:
            best = child
            best_score = score
    return best


@kernel
def step_down(
    content: Any,
    state: Any,
    nodes: Any,
    num_nodes: int,
    parent: int,
    legal_list: Any,
    child_of: Any,
    exploration: float,
    widening: float,
    rng: Any,
) -> int:
    """Choose the next node below ``parent``: a new one (``num_nodes``) or a known one. The caller plays its action."""
    count = legal(content, state, legal_list)
    seat = int(state.to_act)
    num_known = 0
    child = int(nodes[parent].first_child)
    while child != NO_NODE:
        if nodes[child].seat == seat:
            child_of[nodes[child].action] = child
        child = int(nodes[child].next_sibling)
    for k in range(count):
        if child_of[legal_list[k]] != NO_NODE:
            num_known += 1
    chosen = NO_NODE
    may_widen = num_known < widening * sqrt(float(nodes[parent].num_visits + 1))
    if num_known == 0 or (num_known < count and num_nodes < nodes.shape[0] and may_widen):
        skip = random_below(rng, count - num_known)
        for k in range(count):
            if child_of[legal_list[k]] == NO_NODE:
                if skip == 0:
                    add_node(nodes, num_nodes, parent, seat, int(legal_list[k]))
                    chosen = num_nodes
                    break
                skip -= 1
    best = select_child(nodes, parent, seat, legal_list, count, child_of, exploration)
    child = int(nodes[parent].first_child)
    while child != NO_NODE:
        child_of[nodes[child].action] = NO_NODE
        child = int(nodes[child].next_sibling)
    return chosen if chosen != NO_NODE else best


@kernel
def iterate(
    game: Any,
    root: Any,
    seat: int,
    nodes: Any,
    num_nodes: int,
    num_iterations: int,
    max_depth: int,
    max_rollout: int,
    exploration: float,
    widening: float,
    states: Any,
    legal_list: Any,
    child_of: Any,
    path: Any,
    values: Any,
    rng: Any,
) -> int:
    """Run iterations from the hidden row ``root[0]`` of ``seat``; return the number of nodes then in use.

    ``nodes`` has room for a node an iteration. Scratch: ``states`` (1,), ``legal_list``, ``child_of`` (num_actions,)
    all NO_NODE, ``path`` (> max_depth,), ``values`` (num_players,).
    """
    content = game[0].content
    state = states[0]
    for _ in range(num_iterations):
        copy_record(state, root[0])
        determinize(content, state, seat, rng)
        depth = 0
        node = 0
        nodes[0].num_visits += 1
        while depth < max_depth and state.to_act != TERMINAL:
            child = step_down(content, state, nodes, num_nodes, node, legal_list, child_of, exploration, widening, rng)
            if child == NO_NODE:
                break
            apply(content, state, int(nodes[child].action))
            settle_chance(content, state, rng)
            nodes[child].num_visits += 1
            path[depth] = child
            depth += 1
            node = child
            if child == num_nodes:
                num_nodes += 1
                break
        for _ in range(max_rollout):
            if state.to_act == TERMINAL:
                break
            count = legal(content, state, legal_list)
            apply(content, state, choose(content, state, legal_list, count, rng))
            settle_chance(content, state, rng)
        returns(content, state, values)
        for level in range(depth):
            nodes[path[level]].value += values[nodes[path[level]].seat]
    return num_nodes


@dataclass(frozen=True)
class Budget:
    """How long to think about a decision: ``iterations``, or ``seconds`` if given, whichever is over first."""

    iterations: int = 1000
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise SettingsError(f"iterations={self.iterations}: at least 1")
        if self.seconds is not None and self.seconds <= 0:
            raise SettingsError(f"seconds={self.seconds}: more than 0, or None")


class Searcher:
    """Thinks about one decision at a time, in arrays of its own: one for each thread."""

    def __init__(self, game: Game, rollout: str, budget: Budget, max_depth: int, max_rollout: int) -> None:
        self._game = game
        self._budget = budget
        self._max_depth = max_depth
        self._max_rollout = max_rollout
        self._iterate = _binder(type(game), rollout, game.bind.compiled)(iterate)
        self._nodes = np.zeros(budget.iterations + 1, NODE)
        self._states = np.zeros(1, game.state_dtype)
        self._legal = np.zeros(game.max_legal, np.int16)
        self._child_of = np.full(game.num_actions, NO_NODE, np.int32)
        self._path = np.zeros(max_depth + 1, np.int32)
        self._values = np.zeros(game.num_players, np.float64)

    def visits(
        self, root: npt.NDArray[Any], seat: int, rng: npt.NDArray[np.uint32], exploration: float, widening: float
    ) -> dict[int, tuple[int, float]]:
        """Return each action tried in the hidden row ``root`` (1,): its visits and mean return, most visited first."""
        self._nodes[0] = (NO_NODE, NO_NODE, 0, 0, 0, 0, 0.0)
        num_nodes, done, start = 1, 0, time.perf_counter()
        limit, seconds = self._budget.iterations, self._budget.seconds
        while done < limit and (seconds is None or done == 0 or time.perf_counter() - start < seconds):
            chunk = limit - done if seconds is None else min(CHUNK, limit - done)
            num_nodes = self._iterate(
                self._game.record,
                root,
                seat,
                self._nodes,
                num_nodes,
                chunk,
                self._max_depth,
                self._max_rollout,
                exploration,
                widening,
                self._states,
                self._legal,
                self._child_of,
                self._path,
                self._values,
                rng,
            )
            done += chunk
        found = {}
        child = int(self._nodes["first_child"][0])
        while child != NO_NODE:
            node = self._nodes[child]
            found[int(node.action)] = (int(node.num_visits), float(node.value / node.num_visits))
            child = int(node.next_sibling)
        return dict(sorted(found.items(), key=lambda item: (-item[1][0], item[0])))


class MctsAgent:
    """Information-set Monte Carlo tree search over a seat's view.

    ``rollout`` plays positions out below the tree: ``"random"`` or ``"heuristic"``. ``max_rollout`` bounds their
    decisions; the returns so far then count. ``exploration`` weighs the UCB term; returns lie in [-1, 1].
    ``widening`` times the root of a node's visits is how many of its actions are open.
    """

    def __init__(
        self,
        budget: Budget = Budget(),
        *,
        rollout: str = "random",
        exploration: float = 1.0,
        widening: float = 4.0,
        max_depth: int = 64,
        max_rollout: int = 2000,
        num_threads: int = 1,
    ) -> None:
        if rollout not in ("random", "heuristic"):
            raise SettingsError(f"rollout={rollout!r}: 'random' or 'heuristic'")
        if num_threads < 1 or max_depth < 1 or max_rollout < 0:
            raise SettingsError("num_threads and max_depth are at least 1, max_rollout at least 0")
        self.name = f"mcts:{budget.iterations}" if rollout == "random" else f"mcts-{rollout}:{budget.iterations}"
        self._budget = budget
        self._rollout = rollout
        self._exploration = exploration
        self._widening = widening
        self._max_depth = max_depth
        self._max_rollout = max_rollout
        self._num_threads = num_threads

    def reset(self, seed: int) -> None:
        """Do nothing: every view brings its random numbers."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        """See :class:`~bearagents.agent.Agent`. Games are shared out over the threads."""
        actions = np.empty(len(view), np.int64)

        def think(worker: int) -> None:
            searcher = Searcher(view.game, self._rollout, self._budget, self._max_depth, self._max_rollout)
            for i in range(worker, len(view), self._num_threads):
                if view.num_legal[i] == 1:
                    actions[i] = view.legal[i, 0]
                    continue
                found = searcher.visits(
                    view.states[i : i + 1], int(view.seats[i]), view.rng[i], self._exploration, self._widening
                )
                actions[i] = next(iter(found))

        if self._num_threads == 1:
            think(0)
        else:
            with ThreadPoolExecutor(self._num_threads) as pool:
                list(pool.map(think, range(self._num_threads)))
        return actions


class FlatAgent(MctsAgent):
    """Flat Monte Carlo: plays every legal action out, the more often the better it looks, and takes the most tried."""

    def __init__(self, budget: Budget = Budget(), **options: Any) -> None:
        super().__init__(budget, max_depth=1, widening=1e6, **options)
        self.name = self.name.replace("mcts", "flat")


@cache
def _binder(game: type[Game], rollout: str, compiled: bool) -> Binder:
    chosen: Callable[..., int] = play_randomly if rollout == "random" else heuristic_of(game)
    return Binder(f"{game.name}-{rollout}-search", {**game.kernels, "choose": chosen}, game.folder, compiled=compiled)
