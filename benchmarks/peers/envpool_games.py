"""EnvPool's versions of Pgx's games, in C++ behind its Gymnasium interface."""

from functools import partial

from benchmarks.case import Case, Play

REQUIREMENTS = ("envpool==1.2.5",)
DISTRIBUTIONS = ("envpool", "gymnasium", "numpy")
GAMES = ("ConnectFour-v1", "LeducHoldem-v1", "SparrowMahjong-v1", "Backgammon-v1")
BATCHES = (1, 1024, 4096)


def make(name: str, num_envs: int) -> Play:
    """Return a loop of ``num_envs`` games of ``name``, with actions drawn by NumPy from the masks."""
    import envpool  # noqa: PLC0415  # only this side's environment has them
    import numpy as np  # noqa: PLC0415

    env = envpool.make(name, env_type="gymnasium", num_envs=num_envs, seed=0)  # its own choice of threads
    rng = np.random.default_rng(0)
    _, info = env.reset()
    num_steps = max(1024 // num_envs, 1)

    def play() -> int:
        nonlocal info
        for _ in range(num_steps):
            mask = info["legal_action_mask"]
            actions = (rng.random(mask.shape, np.float32) * mask).argmax(axis=1).astype(np.int32)
            _, _, _, _, info = env.step(actions)
        return num_envs * num_steps

    return play


CASES = [Case(name, "batch", partial(make, name, size), num_envs=size, threads=0) for name in GAMES for size in BATCHES]
