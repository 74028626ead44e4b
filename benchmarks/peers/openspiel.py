"""OpenSpiel through its Python API: a state at a time, with observation tensor and legal actions mask.

Both come as lists. They are measured as they come, and made into arrays, which is what every other side hands out.
"""

from functools import partial
from random import Random
from typing import Any

from benchmarks.case import Case, Play

REQUIREMENTS = ("open-spiel==2.0.2",)
DISTRIBUTIONS = ("open-spiel", "numpy")
GAMES = ("leduc_poker", "gin_rummy", "backgammon", "hanabi", "skat")


def make(name: str, as_arrays: bool) -> Play:
    """Return a loop that plays ``name`` at random."""
    import numpy as np  # noqa: PLC0415  # only this side's environment has them
    import pyspiel  # noqa: PLC0415

    game = pyspiel.load_game(name)
    random = Random(0)
    state: Any = settled(game.new_initial_state(), random)

    def play() -> int:
        nonlocal state
        for _ in range(100):
            observation, mask = state.observation_tensor(), state.legal_actions_mask()
            if as_arrays:
                np.array(observation, np.float32), np.array(mask, np.int8)
            actions = state.legal_actions()
            state.apply_action(actions[random.randrange(len(actions))])
            settled(state, random)
            if state.is_terminal():
                state = settled(game.new_initial_state(), random)
        return 100

    return play


def settled(state: Any, random: Random) -> Any:
    """Resolve chance."""
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(outcomes, weights)[0])
    return state


CASES = [
    Case(name, f"Python loop, {kind}", partial(make, name, kind == "arrays"))
    for kind in ("lists", "arrays")
    for name in GAMES
]
