"""Policies that nobody trained: their files, as a training run leaves them."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from bearagents.network import Network
from bearagents.policy import PolicyCard, card_for, save
from gymnasium import spaces
from stable_baselines3.common.save_util import save_to_zip_file

from bearenvs.game import Game


def card_of(game: Game, steps: int = 0, hidden: tuple[int, ...] = (8,), advice: float = 0.0) -> PolicyCard:
    return card_for(
        game,
        hidden=hidden,
        advice=advice,
        steps=steps,
        seconds=0.0,
        seed=0,
        command="test",
        training={},
        archive=f"policy-{steps}.zip",
    )


def save_untrained(
    folder: Path, game: Game, steps: int = 0, hidden: tuple[int, ...] = (8,), advice: float = 0.0
) -> Network:
    torch.manual_seed(steps)
    built = Network(
        spaces.Box(0.0, 1.0, (game.observation_size,), np.float32),
        spaces.Discrete(game.num_actions),
        lambda _: 0.0,
        hidden=hidden,
        advice=advice,
    )
    with torch.no_grad():
        for tensor in built.action_net.parameters():
            tensor.mul_(100)  # untrained they are near 0: all actions alike
    parameters: Any = {"policy": built.state_dict()}
    save(folder, card_of(game, steps, hidden, advice), lambda path: save_to_zip_file(path, params=parameters))
    return built
