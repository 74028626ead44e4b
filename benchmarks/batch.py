"""Batched random play: decisions a second, against the time it takes to copy the same bytes.

Every step chooses random legal actions, checks them, plays them, and writes mask and observation. Copying moves as
many bytes as a step writes: state row, mask and observation.

    python benchmarks/batch.py --game honey_wars --num-players 3 --threads 1 2
"""

import argparse
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from bearenvs import Batch, load_game
from bearenvs.threads import run_slices

WARM_UP = 100
"""Steps before the clock starts: games are then in all phases."""


def play(batch: Batch, steps: int) -> None:
    """Play at random."""
    actions = np.zeros(batch.num_envs, np.int64)
    for _ in range(steps):
        batch.step(batch.random_actions(actions))


def make_copier(batch: Batch) -> Callable[[int], None]:
    """Return a function that copies a step's bytes so many times, on as many threads as the batch uses."""
    states = np.zeros((batch.num_envs, batch.game.state_dtype.itemsize), np.uint8)
    sources: list[npt.NDArray[Any]] = [states, batch.action_mask, batch.observation]
    targets = [np.empty_like(source) for source in sources]

    def copy_slice(first: int, last: int) -> None:
        for target, source in zip(targets, sources, strict=True):
            np.copyto(target[first:last], source[first:last])

    def copy(times: int) -> None:
        for _ in range(times):
            run_slices(copy_slice, batch.num_envs, batch.num_threads)

    return copy


def seconds(work: Callable[[], None]) -> float:
    """Return how long ``work`` takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def main() -> None:
    """Measure each number of threads in turn, several times over, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="honey_wars")
    parser.add_argument("--num-players", type=int, default=3)
    parser.add_argument("--num-envs", type=int, default=4096)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--steps", type=int, default=50, help="steps a measurement")
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()

    game = load_game(options.game, num_players=options.num_players)
    batches = [Batch(game, options.num_envs, num_threads=threads) for threads in options.threads]
    copiers = [make_copier(batch) for batch in batches]
    for batch in batches:
        batch.reset()
        play(batch, WARM_UP)
    played: list[list[float]] = [[] for _ in batches]
    copied: list[list[float]] = [[] for _ in batches]
    for _ in range(options.repeats):
        for k, batch in enumerate(batches):
            played[k].append(seconds(partial(play, batch, options.steps)))
            copied[k].append(seconds(partial(copiers[k], options.steps)))

    table = Table(
        title=f"{game.title}, {game.num_players} players, {options.num_envs} games, medians of {options.repeats}",
        caption=f"state row {game.state_dtype.itemsize} bytes, mask {game.num_actions}, observation"
        f" {game.observation_size} float32",
    )
    for heading in ("threads", "M decisions/s", "ns a decision", "ns to copy the same bytes", "ratio"):
        table.add_column(heading, justify="right")
    for k, batch in enumerate(batches):
        step, copy = (1e9 * median(times[k]) / options.steps / batch.num_envs for times in (played, copied))
        table.add_row(str(batch.num_threads), f"{1e3 / step:.2f}", f"{step:.0f}", f"{copy:.0f}", f"{step / copy:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
