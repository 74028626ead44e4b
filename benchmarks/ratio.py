"""The guard's figure: how close a batch comes to copying the bytes that its steps write, measured in one process.

A ratio, so that it means the same on a slow machine and on a busy one. ``python -m benchmarks.ratio`` records it anew.
"""

import json
from pathlib import Path
from time import perf_counter

from bearenvs import Batch
from benchmarks.case import Play
from benchmarks.ours import PLAYERS, copy_batch, new_batch, play_batch

RECORDED = Path(__file__).parent / "ratios.json"
"""By game, the ratio that a test holds new code against."""
TOLERATED = 2 / 3
"""What must be left of it."""
NUM_ENVS = 1024
ROUNDS = 150


def measure(batch: Batch) -> float:
    """Return the speed of ``batch`` over that of copying, each at its best over many short rounds by turns.

    A round takes some milliseconds: what else the machine does slows some of them down, and spares others.
    """
    loops = (play_batch(batch), copy_batch(batch))
    fastest = [0.0, 0.0]
    for _ in range(ROUNDS):
        fastest = [max(before, _rate(play)) for before, play in zip(fastest, loops, strict=True)]
    return fastest[0] / fastest[1]


def _rate(play: Play) -> float:
    started = perf_counter()
    count = play()
    return count / (perf_counter() - started)


def guarded_batch(name: str) -> Batch:
    """Return the batch that stands for the game ``name``."""
    return new_batch(name, NUM_ENVS, 1, num_players=PLAYERS[name])


def recorded() -> dict[str, float]:
    """Return the recorded ratios."""
    ratios: dict[str, float] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return ratios


def main() -> None:
    """Measure all games and record what came out."""
    ratios = {name: round(measure(guarded_batch(name)), 4) for name in PLAYERS}
    RECORDED.write_text(json.dumps(ratios, indent=1) + "\n", encoding="utf-8")
    print(ratios)


if __name__ == "__main__":
    main()
