"""Where the time of a batch's step goes: its stages, each over all games before the next.

    python -m benchmarks.stages honey_wars

The parts of a step are the driver's own kernels. Taken apart they cost somewhat more than in one piece, since each
stage fetches every game anew.
"""

from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from bearenvs.bits import spread_bits
from bearenvs.drivers import begin, find_legal, first_illegal, reward_slot, settle_wholly
from bearenvs.game import TERMINAL, apply, observe
from bearenvs.kernel import kernel
from benchmarks.ours import PLAYERS, copy_batch, new_batch, play_batch


@kernel
def apply_stage(game: Any, slots: Any, actions: Any) -> None:
    """Carry out the actions."""
    for i in range(slots.shape[0]):
        apply(game[0].content, slots[i].state, int(actions[i]))


@kernel
def chance_stage(game: Any, slots: Any) -> None:
    """Resolve chance."""
    for i in range(slots.shape[0]):
        slots[i].num_logged = 0
        settle_wholly(game[0].content, slots[i])


@kernel
def reward_stage(game: Any, slots: Any, results: Any) -> None:
    """Pay rewards."""
    for i in range(slots.shape[0]):
        reward_slot(game[0].content, slots[i], results[i].rewards)


@kernel
def restart_stage(game: Any, slots: Any) -> None:
    """Start the games that are over anew."""
    for i in range(slots.shape[0]):
        if slots[i].state.to_act == TERMINAL:
            begin(game, slots[i])
            settle_wholly(game[0].content, slots[i])


@kernel
def legal_stage(game: Any, slots: Any) -> None:
    """Find the legal actions."""
    for i in range(slots.shape[0]):
        find_legal(game[0].content, slots[i].state, slots[i].legal)


@kernel
def mask_stage(slots: Any, action_mask: Any) -> None:
    """Write the masks."""
    for i in range(slots.shape[0]):
        spread_bits(slots[i].legal, action_mask[i])


@kernel
def observe_stage(game: Any, slots: Any, observation: Any) -> None:
    """Write the observations."""
    for i in range(slots.shape[0]):
        observe(game[0].content, slots[i].state, int(slots[i].state.to_act), observation[i])


def main(name: str, num_envs: int = 4096, num_steps: int = 100) -> None:
    """Print the median nanoseconds a decision of each stage, of a whole step, and of copying what it writes."""
    batch = new_batch(name, num_envs, 1, num_players=PLAYERS[name])
    whole, copy = play_batch(batch), copy_batch(batch)
    game, slots, mask, seen = batch.game, batch.slots, batch.action_mask.copy(), batch.observation.copy()
    record, actions, results = game.record, np.zeros(num_envs, np.int64), np.zeros_like(batch._results)
    bind = game.bind
    stages: dict[str, Callable[[], object]] = {
        "choose": partial(batch.random_actions, actions),
        "check": partial(bind(first_illegal), slots, actions, 0, num_envs),
        "apply": partial(bind(apply_stage), record, slots, actions),
        "chance": partial(bind(chance_stage), record, slots),
        "reward": partial(bind(reward_stage), record, slots, results),
        "restart": partial(bind(restart_stage), record, slots),
        "legal": partial(bind(legal_stage), record, slots),
        "mask": partial(bind(mask_stage), slots, mask),
        "observe": partial(bind(observe_stage), record, slots, seen),
    }
    beside: dict[str, Callable[[], object]] = {
        "a whole step": whole,
        "copying": copy,
    }
    taken: dict[str, list[float]] = {stage: [] for stage in (*stages, *beside)}
    for _ in range(num_steps):
        for stage, work in (*stages.items(), *beside.items()):
            started = perf_counter()
            played = work()
            count = played if isinstance(played, int) and stage in ("a whole step", "copying") else num_envs
            taken[stage].append(1e9 * (perf_counter() - started) / count)
    figures = {stage: median(times) for stage, times in taken.items()}
    total = sum(figures[stage] for stage in stages)
    table = Table(title=f"{game.title}, {game.num_players} players, {num_envs} games, one thread")
    for heading in ("stage", "ns a decision", "share"):
        table.add_column(heading, justify="right")
    for stage in stages:
        table.add_row(stage, f"{figures[stage]:.1f}", f"{figures[stage] / total:.0%}")
    table.add_section()
    for stage in beside:
        table.add_row(stage, f"{figures[stage]:.1f}", "")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
