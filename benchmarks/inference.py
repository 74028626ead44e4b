"""A policy's network by onnxruntime and by the same matrix products in NumPy: microseconds a call, in one process.

Both compute on one thread. The two take turns, and the best of each counts.

    OMP_NUM_THREADS=1 python benchmarks/inference.py --game ursa_miner --num-players 4
"""

import argparse
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
from bearagents.mlp import Layers, Mlp
from rich.console import Console
from rich.table import Table

from bearenvs import load_game


def by_numpy(layers: Layers, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the logits (n, outputs)."""
    *hidden, (weight, bias) = layers
    for layer, shift in hidden:
        observation = np.maximum(observation @ layer + shift, 0.0)
    return observation @ weight + bias


def best(calls: list[Callable[[], Any]], rounds: int, repeats: int) -> list[float]:
    """Return the seconds that each call takes at its best."""
    found = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            started = perf_counter()
            for _ in range(repeats):
                call()
            found[place] = min(found[place], (perf_counter() - started) / repeats)
    return found


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="honey_wars")
parser.add_argument("--num-players", type=int, default=2)
parser.add_argument("--hidden", type=int, nargs="+", default=[128, 128])
parser.add_argument("--rows", type=int, nargs="+", default=[1, 8, 64, 512, 2048])
parser.add_argument("--rounds", type=int, default=7)
arguments = parser.parse_args()

game = load_game(arguments.game, num_players=arguments.num_players)
sizes = [game.observation_size, *arguments.hidden, game.num_actions]
rng = np.random.default_rng(0)
layers: Layers = [
    (rng.normal(0, n**-0.5, (n, m)).astype(np.float32), rng.normal(size=m).astype(np.float32))
    for n, m in pairwise(sizes)
]
network = Mlp(layers)
table = Table(title=f"{game.name}, {game.num_players} players: {' x '.join(map(str, sizes))}")
for heading in ("rows", "NumPy, µs", "onnxruntime, µs", "times as fast"):
    table.add_column(heading, justify="right")
for rows in arguments.rows:
    seen = rng.random((rows, game.observation_size), np.float32)
    np.testing.assert_allclose(network(seen), by_numpy(layers, seen), rtol=1e-4, atol=1e-4)
    numpy, runtime = best(
        [partial(by_numpy, layers, seen), partial(network, seen)], arguments.rounds, max(5, 2000 // rows)
    )
    table.add_row(str(rows), f"{numpy * 1e6:,.1f}", f"{runtime * 1e6:,.1f}", f"{numpy / runtime:.2f}")
Console(width=100).print(table)
