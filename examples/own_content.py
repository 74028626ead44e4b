"""Cards of one's own: write a content file, check it, and compare how the game plays with it.

python examples/own_content.py --games 500
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from bearagents.arena import compete
from bearagents.heuristics import HeuristicAgent

from bearenvs import ContentError, load_game

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--games", type=int, default=500)
arguments = parser.parse_args()

default = load_game("honey_wars", num_players=2)
text = (default.folder / "content.toml").read_text(encoding="utf-8")

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "cheap_hives.toml"

    # A mistake is told with file, entry and field.
    file.write_text(text.replace("cost = 11", "cost = -11"), encoding="utf-8")
    try:
        load_game("honey_wars", num_players=2, content=file)
    except ContentError as error:
        print(f"refused: {error}\n")

    # Large hives for 6 honey instead of 11.
    file.write_text(text.replace("cost = 11", "cost = 6"), encoding="utf-8")
    cheap = load_game("honey_wars", num_players=2, content=file)

for name, game in (("default", default), ("cheap hives", cheap)):
    results = compete(game, {"heuristic": HeuristicAgent()}, games=arguments.games)
    decisions = int(results.decisions.sum()) / results.truncated.size
    first_seat = float(np.mean(results.returns[:, :, 0] > 0))
    print(f"{name}: {decisions:.1f} decisions a game, the first seat wins {first_seat:.0%}")
