"""Training: decisions a second, where the time goes, and how the policy then does against the heuristic.

python benchmarks/training.py --minutes 10 --num-players 2 3 4
"""

import argparse
import os
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import torch
from bearagents.agent import Agent
from bearagents.arena import compete
from bearagents.heuristics import HeuristicAgent
from bearagents.imitation import Apprentice
from bearagents.policy import Policy
from bearagents.quickstart import ENDLESS
from bearagents.report import Report
from bearagents.selfplay import SelfPlayVecEnv
from bearagents.train import train
from rich.console import Console
from sb3_contrib import MaskablePPO

from bearenvs import load_game

seconds: defaultdict[str, float] = defaultdict(float)
running: set[str] = set()


def clock(owner: Any, method: str, what: str, *, within: str = "") -> None:
    """Add the time spent in ``owner.method`` to ``seconds[what]``; with ``within``, only while that is running."""
    original = getattr(owner, method)

    def timed(*args: Any, **kwargs: Any) -> Any:
        if within and within not in running:
            return original(*args, **kwargs)
        running.add(what)
        started = time.perf_counter()
        try:
            return original(*args, **kwargs)
        finally:
            seconds[what] += time.perf_counter() - started
            running.discard(what)

    setattr(owner, method, timed)


def main() -> None:
    """Train and compete once for each number of players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="honey_wars")
    parser.add_argument("--num-players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", type=int, default=3000, help="games in the arena")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="keep the runs in this folder")
    arguments = parser.parse_args()

    clock(Apprentice, "lesson", "lessons")
    clock(SelfPlayVecEnv, "step", "environment", within="rollouts")
    clock(SelfPlayVecEnv, "env_method", "environment", within="rollouts")
    clock(MaskablePPO, "collect_rollouts", "rollouts")
    clock(MaskablePPO, "train", "updates")
    print(f"{os.cpu_count()} processors, {torch.get_num_threads()} torch threads")
    with tempfile.TemporaryDirectory() as temporary:
        for num_players in arguments.num_players:
            out = (arguments.out or Path(temporary)) / f"{arguments.game}-{num_players}"
            seconds.clear()
            run = train(
                arguments.game,
                num_players=num_players,
                steps=ENDLESS,
                time_limit=60 * arguments.minutes,
                out=out,
                seed=arguments.seed,
            )
            total = run.card.seconds
            shares = {
                "lessons": seconds["lessons"],
                "environment": seconds["environment"],
                "acting": seconds["rollouts"] - seconds["environment"],
                "updates": seconds["updates"],
                "evaluation, saving": total - seconds["lessons"] - seconds["rollouts"] - seconds["updates"],
            }
            told = ", ".join(f"{what} {value / total:.1%}" for what, value in shares.items())
            print(f"\n{num_players} players: {run.card.steps:,} decisions, {run.card.steps / total:,.0f}/s; {told}")
            game = load_game(arguments.game, num_players=num_players)
            agents: dict[str, Agent] = {"policy": Policy.load(out, greedy=True), "heuristic": HeuristicAgent()}
            # One policy among heuristics: the even share is 1/n.
            entries = ["policy", *["heuristic"] * (num_players - 1)]
            # Seeds of their own: the evaluation during the run began with seed 0.
            results = compete(game, agents, games=arguments.games, entries=entries, seed=1_000_000)
            Console(width=120).print(Report.of(results))


if __name__ == "__main__":
    main()
