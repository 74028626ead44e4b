"""Thousands of games at once, with random legal actions: how long games are, who wins, and how fast it goes.

python examples/batch_random.py --num-envs 4096 --steps 500
"""

import argparse
import time

import numpy as np

import bearenvs

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--num-envs", type=int, default=4096)
parser.add_argument("--num-players", type=int, default=3)
parser.add_argument("--steps", type=int, default=500)
arguments = parser.parse_args()

batch = bearenvs.make_batch("honey_wars", num_envs=arguments.num_envs, num_players=arguments.num_players, seed=0)
batch.reset()
wins = np.zeros(arguments.num_players)
num_games = 0

started = time.perf_counter()
for _ in range(arguments.steps):
    # A policy would choose from batch.observation and batch.action_mask, for the seats in batch.to_act.
    batch.step(batch.random_actions())
    # A game that ended has started anew by now; its last rewards are still here.
    ended = batch.terminated | batch.truncated
    wins += (batch.rewards[ended] > 0).sum(axis=0)
    num_games += int(ended.sum())
seconds = time.perf_counter() - started

decisions = arguments.steps * arguments.num_envs
print(f"{decisions:,} decisions in {seconds:.2f} s: {decisions / seconds:,.0f} a second")
print(f"{num_games:,} games ended; wins by seat: {np.round(wins / max(num_games, 1), 3)}")
