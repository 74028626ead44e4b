"""Hand-written players, one a game: each a kernel, :func:`choose`, that search and self-play can compile in."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from bearagents.agent import UnfitError, View
from bearenvs.game import Game, own_kernels
from bearenvs.kernel import Binder, kernel
from bearenvs.rng import random_below

HEURISTICS: dict[str, str] = {
    "honey_wars": "bearagents.heuristics.honey_wars:choose",
    "outrun_the_bear": "bearagents.heuristics.outrun_the_bear:choose",
    "ursa_miner": "bearagents.heuristics.ursa_miner:choose",
}
"""Name of each game that has a heuristic, and where its ``choose`` is; imported when first asked for."""


@kernel
def choose(content: Any, state: Any, legal: Any, num_legal: int, rng: Any) -> int:
    """Return one of the first ``num_legal`` of ``legal`` for the seat to act in the hidden row ``state``.

    Kernels that ask for the heuristic's choice call this; a Binder puts the game's own in its place.
    """
    raise NotImplementedError


@kernel
def play_randomly(content: Any, state: Any, legal: Any, num_legal: int, rng: Any) -> int:
    """Stand in the place of :func:`choose` where a game has no heuristic: any legal action."""
    return int(legal[random_below(rng, num_legal)])


@kernel
def choose_rows(game: Any, states: Any, legal: Any, num_legal: Any, rng: Any, actions: Any) -> None:
    """Write the choice for each of the hidden rows ``states``."""
    for i in range(actions.shape[0]):
        actions[i] = choose(game[0].content, states[i], legal[i], int(num_legal[i]), rng[i])


class HeuristicAgent:
    """Plays each game as its hand-written heuristic does."""

    name = "heuristic"

    def reset(self, seed: int) -> None:
        """Do nothing: every view brings its random numbers."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        """See :class:`~bearagents.agent.Agent`; UnfitError for a game without a heuristic."""
        actions = np.empty(len(view), np.int64)
        run = _binder(type(view.game), view.game.bind.compiled)(choose_rows)
        run(view.game.record, view.states, view.legal, view.num_legal, view.rng, actions)
        return actions


@cache
def heuristic_of(game: type[Game]) -> Callable[..., int]:
    """Return the kernel in the place of :func:`choose` for ``game``; UnfitError if it has no heuristic."""
    if game.name not in HEURISTICS:
        raise UnfitError(f"there is no heuristic for {game.name!r}, only for {', '.join(sorted(HEURISTICS))}")
    module, _, attribute = HEURISTICS[game.name].partition(":")
    found: Callable[..., int] = getattr(import_module(module), attribute)
    return found


def heuristic_or_random(game: type[Game]) -> Callable[..., int]:
    """Return the kernel in the place of :func:`choose` for ``game``, random play if it has no heuristic."""
    return heuristic_of(game) if game.name in HEURISTICS else play_randomly


@cache
def _binder(game: type[Game], compiled: bool) -> Binder:
    return Binder(
        f"{game.name}-heuristic", {**own_kernels(game), choose: heuristic_of(game)}, game.folder, compiled=compiled
    )
