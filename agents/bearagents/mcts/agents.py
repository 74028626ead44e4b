"""The searching agents."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf, isfinite, nan
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bearagents.agent import View
from bearagents.forecasts import NEVER, forecast_of
from bearagents.heuristics import HEURISTICS, heuristic_of
from bearagents.mcts.budget import Budget
from bearagents.mcts.checks import is_integer, is_number
from bearagents.mcts.searcher import Searcher, Tree, merge
from bearagents.mcts.tree import OPTIONS
from bearenvs.errors import SettingsError, shown
from bearenvs.game import Game
from bearenvs.rng import seed_words

ROLLOUTS = ("auto", "random", "heuristic")
MOST_THREADS = 256
MOST_DEPTH = 100_000
"""A tree has at most this many levels: each search keeps memory for the way down."""
USUAL = Budget(1000)


def _weight(name: str, value: object, *, may_be_0: bool = True) -> float:
    """Return ``value`` if it can weigh a term; SettingsError if not."""
    try:
        weight = float(value) if is_number(value) else nan
    except OverflowError:  # an integer beyond all floats
        weight = inf
    if not isfinite(weight) or weight < 0 or (weight == 0 and not may_be_0):
        raise SettingsError(f"{name}={shown(value)}: a finite number{', at least' if may_be_0 else ' above'} 0")
    return weight


def _count(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return ``value`` if it is an integer in range, at most NEVER; SettingsError if not."""
    if not is_integer(value) or value < least or (most is not None and value > most):
        raise SettingsError(f"{name}={shown(value)}: an integer from {least}{'' if most is None else f' to {most:,}'}")
    return min(int(value), NEVER)


class MctsAgent:
    """Information-set Monte Carlo tree search over a seat's view.

    ``rollout``: ``"heuristic"`` plays positions out below the tree by the game's heuristic, which also advises on
    each node's first action, and cuts them short where the game has a forecast; ``"random"`` needs no knowledge of
    the game; ``"auto"`` is the one or the other, as the game has a heuristic or not.

    ``exploration`` weighs the UCB term and ``trust`` that of an advised action, both in standard deviations of the
    returns found. ``widening`` times the root of a node's visits is how many of its actions are open. ``max_depth``
    (from 1 to :data:`MOST_DEPTH`) bounds the tree's depth, ``max_rollout`` a rollout's decisions and ``horizon`` its
    player turns from the root (None: as the game's forecast asks); what the position is then forecast to bring counts.

    ``num_threads`` trees share the budget of a decision and add up their visits (root parallelisation): decisions
    depend on it, but not on how the threads run. A tree's part below the action taken is gone on with, if the same
    seat is up again without any chance, or another's decision, between, as far as four draws of what is hidden tell.
    SettingsError names an option that is out of range or of a wrong type, and what it may be.
    """

    kind = "mcts"

    def __init__(
        self,
        budget: Budget = USUAL,
        *,
        rollout: str = "auto",
        exploration: float = 0.7,
        trust: float = 0.5,
        widening: float = 1.0,
        max_depth: int = 64,
        max_rollout: int = 2000,
        horizon: int | None = None,
        num_threads: int = 1,
        reuses_trees: bool = True,
    ) -> None:
        if not isinstance(budget, Budget):
            raise SettingsError(f"budget={shown(budget)}: a Budget, as in Budget(1000) or Budget(seconds=0.5)")
        if rollout not in ROLLOUTS:
            raise SettingsError(f"rollout={shown(rollout)}: one of {', '.join(ROLLOUTS)}")
        self.name = f"{self.kind}{'' if rollout == 'auto' else f'-{rollout}'}:{budget}"
        self._rollout = rollout
        self._horizon = None if horizon is None else _count("horizon", horizon, 1)
        self._options = np.zeros(1, OPTIONS)
        self._options["exploration"] = _weight("exploration", exploration)
        self._options["trust"] = _weight("trust", trust)
        self._options["widening"] = _weight("widening", widening, may_be_0=False)
        self._options["max_depth"] = _count("max_depth", max_depth, 1, MOST_DEPTH)
        self._options["max_rollout"] = _count("max_rollout", max_rollout, 0)
        self._options["horizon"] = NEVER
        self._shares = budget.shares(_count("num_threads", num_threads, 1, MOST_THREADS))
        self._reuses_trees = reuses_trees
        self._kept: dict[int, tuple[Game, bytes, list[Tree | None]]] = {}

    def reset(self, seed: int) -> None:
        """Forget all trees. Random numbers come with every view."""
        self._kept.clear()

    def options_for(self, game: Game) -> npt.NDArray[Any]:
        """Return the options as the kernels take them; SettingsError if ``game`` lacks a heuristic asked for."""
        options = self._options.copy()
        if self._rollout == "heuristic":
            heuristic_of(type(game))
        if self._rollout == "random" or game.name not in HEURISTICS:
            options["horizon"] = self._horizon or NEVER
        else:
            options["takes_advice"] = 1
            options["horizon"] = self._horizon or forecast_of(type(game)).horizon
        return options

    def act(self, view: View) -> npt.NDArray[np.int64]:
        """See :class:`~bearagents.agent.Agent`."""
        options = self.options_for(view.game)
        searchers = [Searcher(view.game, options) for _ in self._shares]
        if len(searchers) == 1:
            return np.array([self._decide(view, i, searchers, map) for i in range(len(view))], np.int64)
        with ThreadPoolExecutor(len(searchers)) as pool:
            return np.array([self._decide(view, i, searchers, pool.map) for i in range(len(view))], np.int64)

    def _decide(self, view: View, i: int, searchers: Sequence[Searcher], run: Callable[..., Iterable[Tree]]) -> int:
        root, seat = view.states[i : i + 1], int(view.seats[i])
        trees = self._recall(view, i)
        action = int(view.legal[i, 0])
        if view.num_legal[i] > 1:
            words = tuple(map(int, view.rng[i]))
            streams = [view.rng[i], *(seed_words((*words, place)) for place in range(1, len(searchers)))]

            def grow(place: int) -> Tree:
                return searchers[place].search(root, seat, streams[place], self._shares[place], trees[place])

            grown = list(run(grow, range(len(searchers))))
            # What hidden cards lead to may ask a seat other things after the same action: a tree that is gone on with
            # holds the answers to all of them.
            legal = view.legal[i, : view.num_legal[i]].tolist()
            action, trees = next(one for one in merge(grown) if one in legal), [*grown]
        if self._reuses_trees and view.games is not None:
            self._keep(view, i, action, searchers[0], trees)
        return action

    def _keep(self, view: View, i: int, action: int, searcher: Searcher, trees: Sequence[Tree | None]) -> None:
        """Remember the parts below ``action``, and the row for which they are meant."""
        below = [None if tree is None else searcher.below(tree, action) for tree in trees]
        if view.games is None or not any(below):
            return
        row = searcher.row_after(view.states[i : i + 1], int(view.seats[i]), action, view.rng[i])
        if row is not None:
            self._kept[int(view.games[i])] = (view.game, row, below)

    def _recall(self, view: View, i: int) -> list[Tree | None]:
        """Return the trees that were meant for this row, and forget those that were not."""
        if view.games is not None:
            game, row, trees = self._kept.pop(int(view.games[i]), (None, b"", []))
            if game is view.game and row == view.states[i].tobytes():
                return trees
        return [None] * len(self._shares)


class FlatAgent(MctsAgent):
    """Flat Monte Carlo: plays every legal action out, the more often the better it looks, and takes the most tried.

    ``options`` are those of :class:`MctsAgent`, but for those in :attr:`FIXED`, which make it flat: SettingsError
    names them.
    """

    kind = "flat"
    FIXED: ClassVar[Mapping[str, Any]] = {"max_depth": 1, "widening": 1e6, "reuses_trees": False}

    def __init__(self, budget: Budget = USUAL, **options: Any) -> None:
        fixed = ", ".join(name for name in self.FIXED if name in options)
        if fixed:
            raise SettingsError(f"flat search has no choice of {fixed}: leave it out, or take MctsAgent")
        super().__init__(budget, **options, **self.FIXED)
