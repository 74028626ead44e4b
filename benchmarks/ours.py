"""This library behind each of its interfaces, and what a copy of the same bytes takes."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs import Batch, drivers, load_game, make
from bearenvs.game import Game
from bearenvs.gym import SeatEnv
from bearenvs.instructions import copy_record
from bearenvs.kernel import kernel
from bearenvs.rng import seed_words
from benchmarks.aec import play_aec
from benchmarks.case import Case, Play
from benchmarks.content import honey_wars_with

DISTRIBUTIONS = ("bearenvs", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "stable-baselines3", "torch")
PLAYERS = {"honey_wars": 3, "ursa_miner": 2, "outrun_the_bear": 4}
"""The games, with the number of players that they are measured with."""
BATCHES = ((1, 1), (16, 1), (256, 1), (1024, 1), (4096, 1), (16384, 1), (1024, 2), (4096, 2), (16384, 2))
"""Numbers of games and threads."""
ROWS = 4096
"""States that are cloned or determinized in a call."""
WARM_UP = 100
"""Steps before the clock starts: games are then in all phases."""


# Batches, and the limit


def play_batch(batch: Batch) -> Play:
    """Return a loop that plays ``batch`` at random: choose, check, play, reward, restart, mask, observation."""
    batch.reset()
    for _ in range(WARM_UP):
        batch.step(batch.random_actions())
    num_steps = min(max(4096 // batch.num_envs, 1), 256)

    def play() -> int:
        for _ in range(num_steps):
            batch.step(batch.random_actions())
        return num_steps * batch.num_envs

    return play


def copy_batch(batch: Batch) -> Play:
    """Return a loop that copies what a step of ``batch`` writes (state, mask, observation), on as many threads."""
    states = np.zeros((batch.num_envs, batch.game.state_dtype.itemsize), np.uint8)
    sources: list[npt.NDArray[Any]] = [states, batch.action_mask, batch.observation]
    targets = [np.zeros_like(source) for source in sources]
    num_copies = max(65536 // batch.num_envs, 4)
    bounds = [batch.num_envs * part // batch.num_threads for part in range(batch.num_threads + 1)]

    def copy_part(part: int) -> None:
        """Copy a part many times: to wake a thread takes as long as some copies."""
        games = slice(bounds[part], bounds[part + 1])
        pairs = [(target[games], source[games]) for target, source in zip(targets, sources, strict=True)]
        for _ in range(num_copies):
            for target, source in pairs:
                np.copyto(target, source)

    def play() -> int:
        if batch.num_threads == 1:
            copy_part(0)
        else:
            list(pool.map(copy_part, range(batch.num_threads)))
        return num_copies * batch.num_envs

    pool = ThreadPoolExecutor(batch.num_threads)
    return play


def new_batch(name: str, num_envs: int, threads: int, **settings: Any) -> Batch:
    """Return a batch of the game ``name``."""
    return Batch(load_game(name, **settings), num_envs, num_threads=threads)


def batch_cases(name: str) -> list[Case]:
    """Return the batches of all sizes, each beside the copy of its bytes."""
    game = load_game(name, num_players=PLAYERS[name])
    bytes_written = game.state_dtype.itemsize + game.num_actions + 4 * game.observation_size
    notes = {"state bytes": game.state_dtype.itemsize, "slot bytes": game.slot_dtype.itemsize, "written": bytes_written}
    cases = []
    for num_envs, threads in BATCHES:
        batch = partial(new_batch, name, num_envs, threads, num_players=PLAYERS[name])
        for interface, loop in (("batch", play_batch), ("copy", copy_batch)):
            cases.append(Case(name, interface, _chain(batch, loop), num_envs, threads, notes=notes))
    return cases


def _chain(make_it: Callable[[], Batch], loop: Callable[[Batch], Play]) -> Callable[[], Play]:
    return lambda: loop(make_it())


# One game at a time


def make_aec(name: str, is_raw: bool) -> Play:
    """Return the AEC loop of ``env()`` or ``raw_env()``."""
    env = make(name, num_players=PLAYERS[name])
    return play_aec(env.env if is_raw else env)


def make_gym(name: str) -> Play:
    """Return a loop of the Gymnasium environment against random opponents; its decisions are the learner's."""
    env = SeatEnv(name, num_players=PLAYERS[name])
    random = Random(0)
    _, info = env.reset(seed=0)

    def play() -> int:
        nonlocal info
        for _ in range(50):
            (legal,) = info["action_mask"].nonzero()
            _, _, terminated, truncated, info = env.step(np.int64(legal[random.randrange(len(legal))]))
            if terminated or truncated:
                _, info = env.reset()
        return 50

    return play


# Training


def self_play(name: str, num_envs: int) -> Any:
    """Return the vector environment of self-play, with random opponents."""
    from bearagents.random import RandomAgent  # noqa: PLC0415  # with torch, which the other cases do not wait for
    from bearagents.selfplay import Opponent, SelfPlayVecEnv  # noqa: PLC0415

    return SelfPlayVecEnv(load_game(name, num_players=PLAYERS[name]), num_envs, [Opponent(RandomAgent())])


def make_vec_env(name: str, num_envs: int) -> Play:
    """Return a loop of the stable-baselines3 vector environment; its decisions are the learner's."""
    env = self_play(name, num_envs)
    env.reset()
    rng = np.random.default_rng(0)

    def play() -> int:
        mask = env.action_masks()
        env.step((rng.random(mask.shape, np.float32) * mask).argmax(axis=1))
        return num_envs

    return play


def make_policy(name: str, num_envs: int) -> Play:
    """Return the same loop with the actions of a small policy network (two layers of 64)."""
    import torch  # noqa: PLC0415
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy  # noqa: PLC0415

    env = self_play(name, num_envs)
    policy = MaskableActorCriticPolicy(env.observation_space, env.action_space, lambda _: 0.0)
    observation = env.reset()

    def play() -> int:
        nonlocal observation
        with torch.no_grad():
            actions, _, _ = policy(torch.from_numpy(observation), action_masks=env.action_masks())
        observation, *_ = env.step(actions.numpy())
        return num_envs

    return play


def make_training(name: str, num_envs: int) -> Play:
    """Return a loop of masked PPO with the same network: one rollout of 8,192 decisions and its updates a call."""
    from sb3_contrib import MaskablePPO  # noqa: PLC0415

    env = self_play(name, num_envs)
    num_decisions = 8192
    model = MaskablePPO("MlpPolicy", env, n_steps=num_decisions // num_envs, batch_size=1024, n_epochs=2, device="cpu")

    def play() -> int:
        model.learn(num_decisions, reset_num_timesteps=False)
        return num_decisions

    return play


# Search


@kernel
def clone_rows(states: Any, targets: Any) -> None:
    """Copy each state."""
    for i in range(states.shape[0]):
        copy_record(targets[i], states[i])


def make_clones(name: str) -> Play:
    """Return a loop that clones states from random games."""
    game, states = some_states(name)
    clone, targets = game.bind(clone_rows), states.copy()

    def play() -> int:
        clone(states, targets)
        return ROWS

    return play


def make_determinizations(name: str) -> Play:
    """Return a loop that clones rows hidden for seat 0 and samples a whole truth for each."""
    game, states = some_states(name)
    game.bind(drivers.hide_rows)(game.record, states, 0)
    clone, determinize, targets, rng = (
        game.bind(clone_rows),
        game.bind(drivers.determinize_rows),
        states.copy(),
        seed_words(0),
    )

    def play() -> int:
        clone(states, targets)
        determinize(game.record, targets, 0, rng)
        return ROWS

    return play


def some_states(name: str) -> tuple[Game, npt.NDArray[Any]]:
    """Return a game and states in all phases of it."""
    batch = new_batch(name, ROWS, 1, num_players=PLAYERS[name])
    play_batch(batch)
    return batch.game, np.ascontiguousarray(batch.states)


# All cases


def single_cases(name: str) -> list[Case]:
    """Return what plays one game at a time, and what search does."""
    return [
        Case(name, "AEC", partial(make_aec, name, False)),
        Case(name, "raw_env", partial(make_aec, name, True)),
        Case(name, "Gymnasium", partial(make_gym, name)),
        Case(name, "clone", partial(make_clones, name), num_envs=ROWS, unit="states"),
        Case(name, "clone and determinize", partial(make_determinizations, name), num_envs=ROWS, unit="states"),
    ]


def training_cases(name: str) -> list[Case]:
    """Return the vector environment without and with a policy, and PPO, by number of games."""
    cases = [
        Case(name, "VecEnv", partial(make_vec_env, name, 1024), num_envs=1024),
        Case(name, "VecEnv and policy", partial(make_policy, name, 1024), num_envs=1024, threads=0),
    ]
    sizes = (16, 64, 256, 1024) if name == "honey_wars" else (256,)
    return cases + [
        Case(name, "PPO", partial(make_training, name, size), num_envs=size, threads=0, unit="training steps")
        for size in sizes
    ]


def growth_cases() -> list[Case]:
    """Return batches by number of players, and of Honey Wars by size of its content."""
    ranges: Mapping[str, tuple[int, ...]] = {
        "honey_wars": (2, 3, 4),
        "ursa_miner": (2, 3, 4),
        "outrun_the_bear": (2, 4, 6),
    }
    cases = [
        Case(
            name,
            "players",
            _chain(partial(new_batch, name, 1024, 1, num_players=players), play_batch),
            1024,
            players=players,
            notes=_sizes(load_game(name, num_players=players)),
        )
        for name, counts in ranges.items()
        for players in counts
    ]
    for num_kinds in (10, 20, 32):
        settings: dict[str, Any] = {"content": honey_wars_with(num_kinds), "num_players": PLAYERS["honey_wars"]}
        cases.append(
            Case(
                "honey_wars",
                f"content of {num_kinds} kinds",
                _chain(partial(new_batch, "honey_wars", 1024, 1, **settings), play_batch),
                1024,
                notes=_sizes(load_game("honey_wars", **settings)) | {"kinds": num_kinds},
            )
        )
    return cases


def _sizes(game: Game) -> dict[str, int]:
    return {"actions": game.num_actions, "observation": game.observation_size}


CASES = [
    *(case for name in PLAYERS for case in (*single_cases(name), *batch_cases(name), *training_cases(name))),
    *growth_cases(),
]
