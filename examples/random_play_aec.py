"""One game of Honey Wars through PettingZoo's interface, with random legal actions.

python examples/random_play_aec.py --num-players 3 --seed 7
"""

import argparse

import numpy as np

import bearenvs

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--num-players", type=int, default=3)
parser.add_argument("--seed", type=int, default=7)
arguments = parser.parse_args()

env = bearenvs.make("honey_wars", num_players=arguments.num_players, render_mode="ansi")
env.reset(seed=arguments.seed)
rng = np.random.default_rng(arguments.seed)
totals = dict.fromkeys(env.possible_agents, 0.0)

for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    totals[agent] += reward
    if terminated or truncated:
        env.step(None)
        continue
    # The mask says which actions are legal for the agent that is asked; others' masks are all ones.
    action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
    print(f"{agent}: {env.unwrapped.action_text(action)}")
    env.step(action)

print(env.render())
for agent, total in totals.items():
    print(f"{agent}: {total:+.2f}")
