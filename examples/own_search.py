"""A search of one's own: flat Monte Carlo from what one seat sees, in the arena against random play.

For each decision it guesses what the seat cannot know, tries every legal action in each guess, and plays on at random.
`mcts:1000` and `flat:1000` are the package's own: compiled, and far stronger for the same time.

python examples/own_search.py --games 60 --guesses 20
"""

import argparse

import numpy as np
import numpy.typing as npt
from bearagents.agent import Agent, View
from bearagents.arena import compete
from bearagents.random import RandomAgent
from bearagents.report import Report
from rich.console import Console

from bearenvs import Positions, load_game

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--games", type=int, default=60)
parser.add_argument("--guesses", type=int, default=20)
arguments = parser.parse_args()


class OwnSearch:
    """Takes the action after which random play returns most, on average over the same guesses for each."""

    name = "own search"

    def reset(self, seed: int) -> None:
        """Nothing to forget: every view brings its random numbers."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        return np.array([self._choose(view, i) for i in range(len(view))])

    def _choose(self, view: View, i: int) -> int:
        seat, rng = int(view.seats[i]), view.rng[i]
        legal = view.legal[i, : view.num_legal[i]]
        guesses = Positions.sampled(view.game, view.states[i : i + 1], seat, arguments.guesses, rng)
        tries = guesses[np.tile(np.arange(len(guesses)), len(legal))]  # all guesses for the first action, and so on
        tries.apply(np.repeat(legal, len(guesses)))
        tries.play_out(rng)
        values = tries.returns()[:, seat].reshape(len(legal), len(guesses)).mean(axis=1)
        return int(legal[values.argmax()])


game = load_game("honey_wars", num_players=2)
agents: dict[str, Agent] = {"own search": OwnSearch(), "random": RandomAgent()}
Console().print(Report.of(compete(game, agents, games=arguments.games, seed=0)))
