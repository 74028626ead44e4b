"""MaskablePPO in a training loop of one's own: one learner, a pool of opponents, all games in one vector environment.

`bearenvs train` does this and more: snapshots in the pool, evaluation, checkpoints. Here are the bare parts.

python examples/train_maskable_ppo.py --steps 300000
"""

import argparse

import numpy as np
from bearagents.heuristics import HeuristicAgent
from bearagents.random import RandomAgent
from bearagents.selfplay import Opponent, SelfPlayVecEnv
from sb3_contrib import MaskablePPO

from bearenvs import load_game

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=300_000)
parser.add_argument("--num-envs", type=int, default=256)
parser.add_argument("--games", type=int, default=1000)
arguments = parser.parse_args()

game = load_game("honey_wars", num_players=2)
pool = [Opponent(HeuristicAgent(), weight=3), Opponent(RandomAgent(), weight=1)]
env = SelfPlayVecEnv(game, arguments.num_envs, pool, seed=1)
model = MaskablePPO(
    "MlpPolicy",
    env,
    n_steps=64,
    batch_size=2048,
    n_epochs=4,
    learning_rate=1e-3,
    gamma=1.0,  # games end: a win is a win, however late
    policy_kwargs={"net_arch": [128, 128]},
    seed=1,
    device="cpu",
)
model.learn(arguments.steps)

# The first game of each of many tables, not the first games to end: those would be the short ones.
test = SelfPlayVecEnv(game, arguments.games, [Opponent(HeuristicAgent())], seed=10_000)
observation = test.reset()
returns = np.full(arguments.games, np.nan)
while np.isnan(returns).any():
    actions, _state = model.predict(observation, action_masks=test.action_masks(), deterministic=True)
    stepped, _rewards, dones, infos = test.step(actions)
    observation = np.asarray(stepped)
    for i in np.flatnonzero(dones & np.isnan(returns)):
        returns[i] = infos[i]["episode"]["r"]
print(f"after {model.num_timesteps:,} decisions the policy wins {np.mean(returns > 0):.1%} against the heuristic")
