"""Search: iterations a second of ``mcts-random`` and of OpenSpiel's bots, with random rollouts, in one run.

OpenSpiel's bots, in Python and in C++, search Gin Rummy: two players, hidden hands, and of the games that OpenSpiel can
draw determinizations of the one that is nearest to ours in length and choices (the table says how many). An iteration
plays to the end of a game, so beside the ratio of iterations stands, in brackets, that of decisions: iterations times
the game's length. ISMCTSBot searches as ours does, over determinizations; MCTSBot knows the whole truth. All search
positions half-way through random games in which there is a choice, and take turns, so that all meet the same machine.

    pip install open_spiel
    python benchmarks/search.py
"""

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from bearagents.mcts import Budget, MctsAgent, Searcher
from rich.console import Console
from rich.table import Table

import bearenvs
from bearenvs import views
from bearenvs.rng import seed_words

MOST_PLIES = 3000
UCT_C = 2.0


@dataclass
class Contestant:
    """Something that searches, and what was measured of it."""

    name: str
    game: str
    plies: float
    """Decisions in a random game."""
    branching: float
    """Legal actions at a decision."""
    search: Callable[[int, int], None]
    """Think about a position, given by its index, for so many iterations."""
    iterations: int
    figures: list[float] = field(default_factory=list)

    def measure(self, repeat: int, num_positions: int) -> None:
        """Think about all positions once."""
        started = perf_counter()
        for position in range(num_positions):
            self.search(position, self.iterations)
        if repeat:  # the first round compiles
            self.figures.append(self.iterations * num_positions / (perf_counter() - started))


def ours(name: str, num_positions: int, iterations: int) -> Contestant:
    """Return our search on one of our games, for two."""
    game = bearenvs.load_game(name, num_players=2)
    batch = bearenvs.Batch(game, num_positions, seed=0)
    lengths, branching = np.zeros(num_positions), []
    batch.reset()
    is_on = np.ones(num_positions, np.bool_)
    while is_on.any():
        branching += batch.action_mask.sum(axis=1)[is_on].tolist()
        batch.step(batch.random_actions())
        lengths[is_on] += 1
        is_on &= ~(batch.terminated | batch.truncated)
    roots = [_half_way(game, seed, int(length) // 2) for seed, length in enumerate(lengths)]
    searcher = Searcher(game, MctsAgent(rollout="random").options_for(game))

    def search(position: int, number: int) -> None:
        root = roots[position]
        searcher.search(root, int(root["to_act"][0]), seed_words(position), Budget(number))

    return Contestant("bearagents mcts-random", name, lengths.mean(), float(np.mean(branching)), search, iterations)


def _half_way(game: Any, seed: int, plies: int) -> Any:
    batch = bearenvs.Batch(game, 1, seed=seed)
    batch.reset()
    while plies > 0 or batch.action_mask.sum() == 1:
        batch.step(batch.random_actions())
        plies -= 1
    return views.hidden(game, batch.states, int(batch.to_act[0]))


def theirs(name: str, num_positions: int, slow: int, fast: int) -> list[Contestant]:
    """Return OpenSpiel's four bots on its game; those in Python get ``slow`` iterations, those in C++ ``fast``."""
    try:
        pyspiel: Any = import_module("pyspiel")
        ismcts: Any = import_module("open_spiel.python.algorithms.ismcts")
        mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    except ImportError as error:
        sys.exit(f"error: this benchmark needs OpenSpiel ({error}): pip install open_spiel")

    game = pyspiel.load_game(name)
    lengths, branching = [], []
    for seed in range(num_positions):
        actions = _play(game.new_initial_state(), random.Random(seed), MOST_PLIES)
        lengths.append(len(actions))
        branching += actions
    states = []
    for seed, length in enumerate(lengths):
        state = game.new_initial_state()
        _play(state, random.Random(seed), length // 2)
        states.append(state)

    def python_ismcts(number: int) -> Any:
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
        return ismcts.ISMCTSBot(game, evaluator, UCT_C, number, random_state=np.random.RandomState(0))

    def python_mcts(number: int) -> Any:
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
        return mcts.MCTSBot(game, UCT_C, number, evaluator, solve=False, random_state=np.random.RandomState(0))

    def cpp_ismcts(number: int) -> Any:
        return pyspiel.ISMCTSBot(0, pyspiel.RandomRolloutEvaluator(1, 0), UCT_C, number)

    def cpp_mcts(number: int) -> Any:
        return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 0), UCT_C, number, 1000, False, 0, False)

    def contestant(bot: str, make: Callable[[int], Any], iterations: int) -> Contestant:
        def search(position: int, number: int) -> None:
            make(number).step(states[position])

        return Contestant(bot, name, float(np.mean(lengths)), float(np.mean(branching)), search, iterations)

    return [
        contestant("OpenSpiel ISMCTSBot, Python", python_ismcts, slow),
        contestant("OpenSpiel MCTSBot, Python", python_mcts, slow),
        contestant("OpenSpiel ISMCTSBot, C++", cpp_ismcts, fast),
        contestant("OpenSpiel MCTSBot, C++", cpp_mcts, fast),
    ]


def _play(state: Any, rng: random.Random, plies: int) -> list[int]:
    """Play at random up to a choice after so many decisions, or to the end; return how many actions each had."""
    numbers: list[int] = []
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
            continue
        actions = state.legal_actions()
        if len(numbers) >= plies and len(actions) > 1:
            break
        numbers.append(len(actions))
        state.apply_action(rng.choice(actions))
    return numbers


def _ratios(mine: Contestant, other: Contestant) -> str:
    ratio = median(mine.figures) / median(other.figures)
    return f"{ratio:.0f} times ({ratio * mine.plies / other.plies:.0f})"


def main() -> None:
    """Measure all by turns and print the medians, and how many times as fast ours are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=["honey_wars", "ursa_miner", "outrun_the_bear"])
    parser.add_argument("--others", nargs="*", default=["gin_rummy"], help="OpenSpiel's games")
    parser.add_argument("--positions", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=1000, help="for a decision of ours and of the bots in C++")
    parser.add_argument("--slow-iterations", type=int, default=50, help="for a decision of the bots in Python")
    options = parser.parse_args()

    others = [
        bot
        for name in options.others
        for bot in theirs(name, options.positions, options.slow_iterations, options.iterations)
    ]
    own = [ours(name, options.positions, options.iterations) for name in options.games]
    for repeat in range(options.repeats + 1):
        for contestant in own + others:
            contestant.measure(repeat, options.positions)

    table = Table(title=f"Search with random rollouts, medians of {options.repeats}")
    for heading in ("search", "game", "decisions", "actions", "iterations/s", *(f"{one.game} is" for one in own)):
        table.add_column(heading, justify="right")
    for one in own + others:
        figure = median(one.figures)
        ratios = ["" if one in own else _ratios(mine, one) for mine in own]
        table.add_row(one.name, one.game, f"{one.plies:.0f}", f"{one.branching:.1f}", f"{figure:,.0f}", *ratios)
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
