"""A rollout of Honey Wars in TorchRL, through its PettingZoo wrapper, with masks. Needs `pip install torchrl`.

python examples/torchrl_rollout.py --steps 200
"""

import argparse

from torchrl.envs.libs.pettingzoo import PettingZooWrapper

import bearenvs

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=200)
arguments = parser.parse_args()

env = PettingZooWrapper(bearenvs.make("honey_wars", num_players=3), use_mask=True, seed=1)
# Without a policy, a rollout samples legal actions: the wrapper hands the masks on.
rollout = env.rollout(arguments.steps)
print(rollout)
for agent in ("player_0", "player_1", "player_2"):
    print(agent, "return so far:", rollout["next", agent, "reward"].sum().item())
