"""An agent of one's own, in the arena against the built-in ones.

python examples/own_agent.py --games 600
"""

import argparse

import numpy as np
import numpy.typing as npt
from bearagents.agent import Agent, View
from bearagents.arena import compete
from bearagents.heuristics import HeuristicAgent
from bearagents.random import RandomAgent
from bearagents.report import Report
from rich.console import Console

from bearenvs import load_game

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--games", type=int, default=600)
arguments = parser.parse_args()


class Builder:
    """Builds the dearest hive it can pay, and else does as a random player does."""

    name = "builder"

    def reset(self, seed: int) -> None:
        """Nothing to forget."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        # A view holds many games at once, each as the seat to act sees it. Actions are indices of the game's table.
        builds = [i for i, text in enumerate(view.game.actions.texts()) if text.startswith("build ")]
        actions = RandomAgent().act(view)
        for build in builds:  # the dearest comes last
            actions[view.action_mask[:, build] == 1] = build
        return actions


game = load_game("honey_wars", num_players=3)
agents: dict[str, Agent] = {"builder": Builder(), "random": RandomAgent(), "heuristic": HeuristicAgent()}
results = compete(game, agents, games=arguments.games, seed=0)
Console().print(Report.of(results))
