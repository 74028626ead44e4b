"""Pgx on the CPU backend of JAX: a compiled loop of steps with automatic reset, as fast as Pgx can be driven."""

from functools import partial
from typing import Any

from benchmarks.case import Case, Play

REQUIREMENTS = ("pgx==2.6.0", "jax==0.10.2")
DISTRIBUTIONS = ("pgx", "jax", "jaxlib", "numpy")
GAMES = ("connect_four", "leduc_holdem", "sparrow_mahjong", "backgammon")
BATCHES = (1, 1024, 4096)


def make(name: str, num_envs: int) -> Play:
    """Return a loop of ``num_envs`` games of ``name``; a call plays several steps without coming back to Python."""
    import jax  # noqa: PLC0415  # only this side's environment has them
    import jax.numpy as jnp  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))
    num_steps = min(max(16384 // num_envs, 4), 512)

    def one_step(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choices, chances = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(choices, logits, axis=-1)
        return (step(state, action, jax.random.split(chances, num_envs)), key), None

    steps = jax.jit(lambda carry: jax.lax.scan(one_step, carry, None, length=num_steps)[0])
    start, key = jax.random.split(jax.random.PRNGKey(0))
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(start, num_envs)), key)

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(steps(carry))  # the state carries observation and mask: both are computed
        return num_envs * num_steps

    return play


CASES = [
    Case(name, "compiled loop", partial(make, name, size), num_envs=size, threads=0)
    for name in GAMES
    for size in BATCHES
]
