"""How likely each seat is to win, at every decision of a recorded game: what the bar under a replay shows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bearagents.agent import Agent, Views, agent_seed, decide, reset
from bearagents.ratings import wins
from bearenvs import views
from bearenvs.batch import Batch
from bearenvs.game import TERMINAL
from bearenvs.playthrough import Playthrough

Floats = npt.NDArray[np.float64]


def win_chances(
    playthrough: Playthrough,
    agent: Agent,
    *,
    games: int = 32,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[int, list[float]]:
    """Return each seat's chance to win, or share of the win, by the number of events before; at every decision.

    From each decision on, ``games`` games are played by ``agent`` in all seats, with chance drawn anew. The agent sees
    what its seats see; the games start from the truth. ``on_progress`` is called with the games that are over and the
    games in all.
    """
    game = playthrough.game
    decisions = {
        place: position.states.copy()
        for place, (position, _) in enumerate(playthrough.positions())
        if position.to_act >= 0
    }
    found = {}
    if decisions:
        batch = _batch_from(np.repeat(np.concatenate([*decisions.values()]), games), playthrough, seed)
        reset(agent, agent_seed(seed, 0))
        if on_progress is not None:
            on_progress(0, batch.num_envs)
        shares = wins(game, *_play_out(batch, agent, seed, on_progress))
        shares = shares.reshape(len(decisions), games, game.num_players).mean(axis=1)
        found = dict(zip(decisions, shares.tolist(), strict=True))
    states = playthrough.final_states()
    if states["to_act"][0] == TERMINAL:
        final = wins(game, views.returns(game, states), states["truncated"].astype(np.bool_))
        found[len(playthrough.events)] = final[0].tolist()
    return found


def _batch_from(states: npt.NDArray[Any], playthrough: Playthrough, seed: int) -> Batch:
    """Return a batch of the games that stand at ``states`` (n,)."""
    batch = Batch(playthrough.game, len(states), seed=seed)
    batch.reset()
    saved = batch.get_state()
    saved.slots["state"] = states
    saved.slots["returns"][:, : batch.num_players] = views.returns(batch.game, states)
    batch.set_state(saved.sealed())
    return batch


def _play_out(
    batch: Batch, agent: Agent, seed: int, on_progress: Callable[[int, int], None] | None
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Play every game to its end; return the final returns (n, seats), and which were truncated (n,)."""
    seen = Views(batch, seed)
    returns = batch.slots["returns"][:, : batch.num_players].copy()
    truncated = np.zeros(batch.num_envs, np.bool_)
    is_on = np.ones(batch.num_envs, np.bool_)
    while is_on.any():
        actions = batch.action_mask.argmax(axis=1)  # of games that are over, and have begun anew by themselves
        actions[is_on] = decide(agent, seen.of(np.flatnonzero(is_on)))
        batch.step(actions)
        returns[is_on] += batch.rewards[is_on]
        truncated |= is_on & batch.truncated
        is_on &= ~(batch.terminated | batch.truncated)
        if on_progress is not None:
            on_progress(int((~is_on).sum()), len(is_on))
    return returns, truncated
