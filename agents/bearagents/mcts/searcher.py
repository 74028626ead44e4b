"""Thinks about one decision at a time."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bearagents.forecasts import forecast_of
from bearagents.heuristics import choose, heuristic_or_random
from bearagents.mcts.budget import Budget
from bearagents.mcts.tree import (
    NO_NODE,
    NODE,
    forecast_returns,
    foresee,
    iterate,
    plant,
    take_subtree,
)
from bearenvs.game import Game, own_kernels
from bearenvs.kernel import Binder
from bearenvs.sets import new_set

MOST_NODES = 2**20
"""A tree of this size (48 MB) is full: iterations go on, from where it ends."""
MOST_KEPT = 2**12
"""Of a tree that is gone on with, so many nodes are kept (200 kB), from the root down: a batch keeps one a game."""
CHUNK = 32
"""Iterations between two looks at the clock."""
LONG_CHUNK = 1024
"""Iterations without a clock, after which an interrupt is heard."""
NUM_DRAWS = 4
"""How many draws of the hidden have to agree on what a seat sees next."""

Rng = npt.NDArray[np.uint32]


@dataclass
class Tree:
    """Nodes in use: the first ``size`` of ``nodes``, the root at 0."""

    nodes: npt.NDArray[Any]
    size: int

    def place_of(self, action: int) -> int:
        """Return where the root's child by ``action`` is, or NO_NODE."""
        child = int(self.nodes["first_child"][0])
        while child != NO_NODE and self.nodes["action"][child] != action:
            child = int(self.nodes["next_sibling"][child])
        return child

    def children(self) -> Iterator[Any]:
        """The root's children."""
        child = int(self.nodes["first_child"][0])
        while child != NO_NODE:
            yield self.nodes[child]
            child = int(self.nodes["next_sibling"][child])


def merge(trees: Iterable[Tree]) -> dict[int, tuple[int, float]]:
    """Return each action tried at the roots: its visits and mean return over all trees, most visited first."""
    visits: Counter[int] = Counter()
    values: dict[int, float] = defaultdict(float)
    for tree in trees:
        for node in tree.children():
            visits[int(node["action"])] += int(node["num_visits"])
            values[int(node["action"])] += float(node["value"])
    found = {action: (number, values[action] / number) for action, number in visits.items()}
    return dict(sorted(found.items(), key=lambda item: (-item[1][0], -item[1][1], item[0])))


class Searcher:
    """Searches a game with given ``options`` (1,) in scratch memory of its own: one for each thread."""

    def __init__(self, game: Game, options: npt.NDArray[Any]) -> None:
        bind = search_binder(type(game), game.bind.compiled)
        self._iterate, self._plant, self._take, self._foresee = (
            bind(iterate),
            bind(plant),
            bind(take_subtree),
            bind(foresee),
        )
        self._game = game
        self._options = options
        self._states = np.zeros(1, game.state_dtype)
        self._sets = new_set(game.max_actions)
        self._legal = np.zeros(game.max_legal, np.int16)
        self._child_of = np.full(game.num_actions, NO_NODE, np.int32)
        self._path = np.zeros(int(options["max_depth"][0]) + 1, np.int32)
        self._values = np.zeros(game.num_players, np.float64)

    def search(self, root: npt.NDArray[Any], seat: int, rng: Rng, budget: Budget, tree: Tree | None = None) -> Tree:
        """Return the tree that grows from the hidden row ``root`` (1,) of ``seat``, or goes on from ``tree``."""
        known = 1 if tree is None else tree.size
        nodes = np.empty(min(MOST_NODES, known + (budget.iterations or MOST_NODES)), NODE)
        if tree is None:
            self._plant(nodes, seat)
        else:
            nodes[:known] = tree.nodes[:known]
        size, done, start = known, 0, time.perf_counter()
        limit, seconds = budget.iterations or np.iinfo(np.int32).max, budget.seconds
        while done < limit and (seconds is None or done == 0 or time.perf_counter() - start < seconds):
            chunk = min(LONG_CHUNK if seconds is None else CHUNK, limit - done)
            size = self._iterate(
                self._game.record,
                root,
                self._options,
                nodes,
                size,
                chunk,
                self._states,
                self._sets,
                self._legal,
                self._child_of,
                self._path,
                self._values,
                rng,
            )
            done += chunk
        return Tree(nodes, size)

    def below(self, tree: Tree, action: int) -> Tree | None:
        """Return the tree below the root's child by ``action``, in memory of its own; None if there is none."""
        place = tree.place_of(action)
        if place == NO_NODE:
            return None
        room = min(MOST_KEPT, tree.size, int(tree.nodes["num_visits"][place]) + 1)
        nodes, origin = np.empty(room, NODE), np.empty(room, np.int32)
        size = self._take(tree.nodes, place, nodes, origin)
        return Tree(nodes[:size].copy(), size)

    def row_after(self, root: npt.NDArray[Any], seat: int, action: int, rng: Rng) -> bytes | None:
        """Return the hidden row that ``seat`` sees after ``action``, if it is sure to be up next and to see just that.

        So it is, as far as a few draws of what is hidden show, where neither chance nor another seat comes between.
        """
        rows = np.repeat(root, NUM_DRAWS)
        if not self._foresee(self._game.record, rows, seat, action, rng):
            return None
        seen = {row.tobytes() for row in rows}
        return seen.pop() if len(seen) == 1 else None


@cache
def search_binder(game: type[Game], compiled: bool) -> Binder:
    """Return the binder of all search kernels for ``game``, with its heuristic and its forecast where it has them."""
    own = {choose: heuristic_or_random(game), forecast_returns: forecast_of(game).kernel}
    kernels: dict[Any, Any] = {**own_kernels(game), **own}
    return Binder(f"{game.name}-search", kernels, game.folder, compiled=compiled)
