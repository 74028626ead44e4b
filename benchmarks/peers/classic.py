"""PettingZoo's classic games: the AEC loop of ``env()``."""

import os
import warnings
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.aec import play_aec
from benchmarks.case import Case, Play

REQUIREMENTS = ("pettingzoo[classic]==1.27.0",)
DISTRIBUTIONS = ("pettingzoo", "gymnasium", "rlcard", "open-spiel", "shimmy", "numpy")
GAMES = ("connect_four_v3", "leduc_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")


def make(name: str) -> Play:
    """Return a loop that plays ``name`` at random, wrapped as it comes."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    warnings.simplefilter("ignore")  # newer releases prefer their registry
    module: Any = import_module(f"pettingzoo.classic.{name}")
    return play_aec(module.env())


CASES = [Case(name, "AEC", partial(make, name)) for name in GAMES]
