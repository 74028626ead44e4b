"""What a game that is not over is likely to bring each seat: kernels by which search can cut its rollouts short.

A game needs none. One has one where its rollouts are too long, or their end tells too little, for search to wait for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from bearenvs.game import Game, returns
from bearenvs.kernel import kernel

NEVER = 2**30
"""A horizon that no game gets to."""


@dataclass(frozen=True)
class Forecast:
    """A kernel ``(content, state, out)`` that writes each seat's likely return into ``out`` (num_players,) float64."""

    kernel: Callable[..., None]
    horizon: int
    """How many player turns a rollout goes on before it is worth asking."""


FORECASTS: dict[str, tuple[str, int]] = {"ursa_miner": ("bearagents.forecasts.ursa_miner:forecast", 2)}
"""Name of each game that has a forecast, where it is, and its horizon; imported when first asked for."""


@kernel
def returns_so_far(content: Any, state: Any, out: Any) -> None:
    """Stand in where a game has no forecast of its own."""
    returns(content, state, out)


@cache
def forecast_of(game: type[Game]) -> Forecast:
    """Return the forecast for ``game``; its returns so far if it has none."""
    if game.name not in FORECASTS:
        return Forecast(returns_so_far, NEVER)
    place, horizon = FORECASTS[game.name]
    module, _, attribute = place.partition(":")
    return Forecast(getattr(import_module(module), attribute), horizon)
