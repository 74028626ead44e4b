"""The AEC loop: decisions a second of our ``env()`` and of PettingZoo's ``connect_four_v3``, in one run.

Both environments play random legal actions in the same loop, and take turns, so that both meet the same machine.

    python benchmarks/aec.py --game honey_wars --num-players 2
"""

import argparse
import os
import warnings
from importlib import import_module
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import bearenvs

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # Connect Four imports pygame, which greets


def make_connect_four() -> Any:
    """Return PettingZoo's environment, wrapped as it comes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer releases prefer their registry, older ones have none
        classic: Any = import_module("pettingzoo.classic.connect_four_v3")
        return classic.env()


def decisions_per_second(env: Any, random: Random, duration: float) -> float:
    """Play random games for about ``duration`` seconds."""
    decisions = 0
    started = perf_counter()
    while (elapsed := perf_counter() - started) < duration:
        env.reset(seed=random.randrange(2**31))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[random.randrange(len(legal))]))
            decisions += 1
    return decisions / elapsed


def main() -> None:
    """Measure both environments by turns and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="honey_wars")
    parser.add_argument("--num-players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a measurement")
    parser.add_argument("--repeats", type=int, default=11)
    options = parser.parse_args()

    envs = {
        options.game: bearenvs.make(options.game, num_players=options.num_players),
        "connect_four_v3": make_connect_four(),
    }
    measured: dict[str, list[float]] = {name: [] for name in envs}
    for repeat in range(options.repeats + 1):
        for name, env in envs.items():
            figure = decisions_per_second(env, Random(repeat), options.seconds)
            if repeat:  # the first round compiles
                measured[name].append(figure)

    ours, theirs = (median(measured[name]) for name in envs)
    table = Table(title=f"The AEC loop, medians of {options.repeats}")
    for heading in ("environment", "decisions/s", "µs a decision"):
        table.add_column(heading, justify="right")
    for name, figure in zip(envs, (ours, theirs), strict=True):
        table.add_row(name, f"{figure:,.0f}", f"{1e6 / figure:.1f}")
    console = Console()
    console.print(table)
    console.print(f"{options.game} / connect_four_v3: {ours / theirs:.1f}")


if __name__ == "__main__":
    main()
