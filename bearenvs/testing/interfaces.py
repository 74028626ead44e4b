"""Checks of the game behind the interfaces: single environments, batches, copies and records."""

import copy
import pickle
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from bearenvs import views
from bearenvs.batch import Batch
from bearenvs.env import BearEnv
from bearenvs.errors import IllegalActionError
from bearenvs.game import Game
from bearenvs.playthrough import Playthrough, replay
from bearenvs.testing.lab import CheckFailed, Lab, is_decision

NUM_ENVS = 8


def _require(condition: object, what: str) -> None:
    if not condition:
        raise CheckFailed(what)


def _started(lab: Lab) -> Batch:
    batch = Batch(lab.game, NUM_ENVS, seed=lab.seed)
    batch.reset()
    return batch


def _shown(batch: Batch) -> bytes:
    arrays = (batch.to_act, batch.observation, batch.action_mask, batch.rewards, batch.terminated, batch.truncated)
    return b"".join(array.tobytes() for array in (*arrays, batch.slots))


def _played(batch: Batch, steps: int) -> list[bytes]:
    """Play at random; return all that was shown."""
    shown = []
    for _ in range(steps):
        batch.step(batch.random_actions())
        shown.append(_shown(batch))
    return shown


def _typical_plies(lab: Lab) -> int:
    return int(np.median([is_decision(record.states).sum() for record in lab.records]))


def check_seeds(lab: Lab) -> None:
    """The same seed plays the same, over several games; another seed plays another game, if chance has a part."""
    steps = min(3 * _typical_plies(lab), lab.size(2000))
    one, other = (_played(_started(lab), steps) for _ in range(2))
    different = [k for k in range(steps) if one[k] != other[k]]
    _require(not different, f"two batches with seed {lab.seed} differ after {different[:1]} steps")
    if any(event < 0 for record in lab.records for event in record.events):
        states = Batch(lab.game, 100, seed=lab.seed)
        states.reset()
        words = {row.tobytes() for row in states.slots["rng"]}
        _require(len(words) > 90, "games with different seeds draw the same random numbers")


def check_batch(lab: Lab) -> None:
    """Each game of a batch plays as an environment with its seed: arrays, rewards, ends. Rewards sum to returns."""
    game, batch = lab.game, _started(lab)
    envs = [BearEnv(game) for _ in range(NUM_ENVS)]
    for i, env in enumerate(envs):
        env.reset(seed=lab.seed + i)
    sums = np.zeros((NUM_ENVS, game.num_players))
    for step in range(min(2 * _typical_plies(lab) + 10, lab.size(1000))):
        actions = batch.random_actions()
        batch.step(actions)
        for i, env in enumerate(envs):
            env.step(int(actions[i]))
            where = f"after {step + 1} steps of a batch with seed {lab.seed}, game {i} and its environment differ in"
            rewards = [env.rewards[agent] for agent in env.possible_agents]
            _require(batch.rewards[i].tolist() == rewards, f"{where} rewards")
            _require(bool(batch.terminated[i]) == all(env.terminations.values()), f"{where} termination")
            _require(bool(batch.truncated[i]) == all(env.truncations.values()), f"{where} truncation")
            _require(not any(env.infos.values()), "infos are not empty")
            sums[i] += batch.rewards[i]
            if batch.terminated[i] or batch.truncated[i]:
                _require_returns(game, env, sums[i])
                env.reset()
                sums[i] = 0
            _require(env.agent_selection == f"player_{batch.to_act[i]}", f"{where} whose move it is")
            seen = env.observe(env.agent_selection)
            _require(batch.observation[i].tobytes() == seen["observation"].tobytes(), f"{where} the observation")
            _require(batch.action_mask[i].tobytes() == seen["action_mask"].tobytes(), f"{where} the mask")


def _require_returns(game: Game, env: BearEnv, sums: npt.NDArray[np.float64]) -> None:
    """The rewards of a whole game are the difference between its last and its first returns."""
    last = np.frombuffer(env.state().tobytes(), game.state_dtype)
    gained = views.returns(game, last)[0] - views.returns(game, game.record["initial"])[0]
    _require(
        np.allclose(sums, gained),
        f"the rewards sum to {sums}, but the returns say {gained}, in this game:\n{env.playthrough()}",
    )


def check_refusal(lab: Lab) -> None:
    """Every action that is not in the mask is refused, by batch and environment, and changes nothing."""
    batch, env = _started(lab), BearEnv(lab.game)
    env.reset(seed=lab.seed)
    num_actions = lab.game.num_actions
    for step in range(lab.size(300)):
        mask = batch.action_mask[0].copy()
        actions = batch.random_actions()
        before = _shown(batch), env.save_state()
        illegal = [int(action) for action in np.flatnonzero(mask == 0)]
        few = len(illegal) if step % 20 == 0 else 4
        for wrong in (*lab.random.permutation(illegal)[:few].tolist(), -1, num_actions):
            tried = actions.copy()
            tried[0] = wrong
            for name, call in (("batch", partial(batch.step, tried)), ("environment", partial(env.step, wrong))):
                _require(
                    _is_refused(call),
                    f"step {step}, seed {lab.seed}: the {name} plays action {wrong}, not in the mask",
                )
            _require((_shown(batch), env.save_state()) == before, f"the refused action {wrong} changed something")
        batch.step(actions)
        env.step(int(actions[0]))
        if not env.agents or all(env.terminations.values()) or all(env.truncations.values()):
            env.reset()


def _is_refused(call: Callable[[], None]) -> bool:
    try:
        call()
    except IllegalActionError:
        return True
    return False


def check_copies(lab: Lab) -> None:
    """Copies, pickles and saves of batches and environments, taken in mid-game, play on identically."""
    batch = _started(lab)
    _played(batch, _typical_plies(lab) // 2)
    twins = {"copy()": batch.copy(), "deepcopy": copy.deepcopy(batch), "pickle": pickle.loads(pickle.dumps(batch))}
    went_on = _played(batch, 30)
    for name, twin in twins.items():
        _require(_played(twin, 30) == went_on, f"a batch's {name} plays on differently")
    for i in range(4):
        env = BearEnv(lab.game)
        env.reset(seed=lab.seed + i)
        _play(env, lab, _typical_plies(lab) // 2)
        loaded = BearEnv(lab.game)
        loaded.load_state(env.save_state())
        copies = {"deepcopy": copy.deepcopy(env), "pickle": pickle.loads(pickle.dumps(env)), "save": loaded}
        actions = _play(env, lab, 30)
        for name, other in copies.items():
            for action in actions:
                other.step(action)
            _require(other.save_state() == env.save_state(), f"an environment's {name} plays on differently")


def _play(env: BearEnv, lab: Lab, plies: int) -> list[int]:
    """Play at random for some plies, or to the end; return the actions."""
    actions: list[int] = []
    while len(actions) < plies and env.legal_actions():
        actions.append(int(lab.random.choice(env.legal_actions())))
        env.step(actions[-1])
    return actions


def check_playthrough(lab: Lab) -> None:
    """A game's record, written and replayed without random numbers, leads to the same last state."""
    for record in lab.records[:10]:
        text = Playthrough(lab.game, record.events).text()
        _require(
            replay(text).final_states().tobytes() == record.states[-1:].tobytes(),
            f"replaying this playthrough leads to another state:\n{text}",
        )
