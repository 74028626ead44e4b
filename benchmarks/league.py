"""What the league adds: it and plain self-play against the latest policy, from the same start, with equal steps.

python benchmarks/league.py --games honey_wars:2 outrun_the_bear:3 --steps 3_000_000 --seeds 3

Both learn from nothing: no lessons and no advice. "Latest" meets the newest snapshot of itself and nobody else.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from bearagents.agent import Agent
from bearagents.duel import duel
from bearagents.heuristics import HeuristicAgent
from bearagents.policy import Policy
from bearagents.train import Hyperparameters, train
from rich.console import Console
from rich.table import Table

from bearenvs import load_game

KINDS = {
    "league": Hyperparameters(advice=0.0, imitation_share=0.0),
    "latest": Hyperparameters(
        advice=0.0,
        imitation_share=0.0,
        heuristic_share=0.0,
        random_share=0.0,
        num_snapshots=1,
        is_prioritised=False,
    ),
}


def main() -> None:
    """Train both kinds with every seed, and let them play the heuristic and each other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=["honey_wars:2"], help="GAME:PLAYERS")
    parser.add_argument("--steps", type=int, default=3_000_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--duels", type=int, default=2000, help="games in each comparison")
    arguments = parser.parse_args()
    console = Console(width=120)
    for name in arguments.games:
        console.print(compare(name, arguments.steps, range(arguments.seeds), arguments.duels))


def compare(name: str, steps: int, seeds: range, games: int) -> Table:
    """Return the table of one game: win shares in one seat, the other named in all the rest."""
    game_name, _, players = name.partition(":")
    game = load_game(game_name, num_players=int(players))
    table = Table("Seed", "League, heuristic", "Latest, heuristic", "League, latest", "Latest, league")
    table.title = f"{game.title}, {players} players, {steps:,} steps: win share of the first against the second"
    rows = []
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            found = {}
            for kind, hyperparameters in KINDS.items():
                out = Path(folder, kind)
                train(
                    game_name,
                    num_players=game.num_players,
                    steps=steps,
                    out=out,
                    seed=seed,
                    hyperparameters=hyperparameters,
                )
                found[kind] = Policy.load(out, greedy=True)
        pairs: list[tuple[Agent, Agent]] = [
            (found["league"], HeuristicAgent()),
            (found["latest"], HeuristicAgent()),
            (found["league"], found["latest"]),
            (found["latest"], found["league"]),
        ]
        shares = [duel(one, other, game, games, seed=seed).win_share for one, other in pairs]
        table.add_row(str(seed), *(f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})" for share in shares))
        rows.append([share.value for share in shares])
    table.add_section()
    table.add_row("mean", *(f"{value:.1%}" for value in np.mean(rows, axis=0)))
    return table


if __name__ == "__main__":
    main()
