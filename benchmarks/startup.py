"""How long a user waits: for the import, for the first compilation ever, and for the first step from the cache.

Each figure is that of whole processes, from their start to their first step. The first begins with an empty cache.
"""

import os
import subprocess
import sys
import tempfile
from time import perf_counter

from benchmarks.measured import Startup
from benchmarks.ours import PLAYERS

IMPORT = "import bearenvs"
PROGRAMS = {
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


def measure(game: str, what: str, program: str, repeats: int) -> Startup:
    """Run ``program`` once with an empty cache and then ``repeats`` times."""
    with tempfile.TemporaryDirectory() as cache:
        cold, *warm = (_run(program, cache) for _ in range(repeats + 1))
    return Startup(game=game, what=what, cold=cold, warm=warm)


def measure_all(is_quick: bool) -> list[Startup]:
    """Measure the import, and each program for each game; a quick run takes one game and repeats nothing."""
    players = {"honey_wars": PLAYERS["honey_wars"]} if is_quick else PLAYERS
    repeats = 1 if is_quick else 5
    startups = [measure("any", IMPORT, IMPORT, repeats)]
    for game, num_players in players.items():
        for what, program in PROGRAMS.items():
            startups.append(measure(game, what, program.format(game=game, num_players=num_players), repeats))
    return startups


def _run(program: str, cache: str) -> float:
    started = perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, stderr=subprocess.DEVNULL)
    return perf_counter() - started
