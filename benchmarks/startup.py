"""How long a user waits: for the import, for the first compilation ever, and for the first step from the cache.

Each figure is that of whole processes, from their start to their first step. The first ones begin with an empty cache.

    python benchmarks/startup.py --game honey_wars --num-players 3
"""

import argparse
import os
import subprocess
import sys
import tempfile
from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table

PROGRAMS = {
    "import bearenvs": "import bearenvs",
    "one environment": """
import bearenvs
env = bearenvs.make({game!r}, num_players={num_players})
env.reset(seed=0)
env.step(env.legal_actions()[0])
""",
    "a batch": """
import bearenvs
batch = bearenvs.make_batch({game!r}, 16, num_players={num_players})
batch.reset()
batch.step(batch.random_actions())
""",
}


def run(program: str, cache: str) -> float:
    """Return the seconds that a process with ``program`` takes."""
    started = perf_counter()
    subprocess.run([sys.executable, "-c", program], env={**os.environ, "NUMBA_CACHE_DIR": cache}, check=True)
    return perf_counter() - started


def main() -> None:
    """Run each program with an empty cache once, and then again several times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="honey_wars")
    parser.add_argument("--num-players", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()

    table = Table(title=f"Process start to first step, {options.game}, in seconds")
    for heading in ("what", "empty cache", f"from the cache (median of {options.repeats})"):
        table.add_column(heading, justify="right")
    for name, program in PROGRAMS.items():
        code = program.format(game=options.game, num_players=options.num_players)
        with tempfile.TemporaryDirectory() as cache:
            first = run(code, cache)
            later = median(run(code, cache) for _ in range(options.repeats))
        table.add_row(name, f"{first:.2f}", f"{later:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
