"""Errors are part of the interface: what users hand in raises the library's own, whatever it is."""

from collections.abc import Callable
from typing import Any

import pytest

import bearenvs
from bearenvs.batch import Batch, make_batch
from bearenvs.errors import BearenvsError, OrderError
from bearenvs.gym import SeatEnv
from bearenvs.playthrough import replay
from bearenvs.registry import game_class, load_game

HUGE = 10**5000
"""An integer that Python does not write."""


class Hostile:
    """Refuses to be shown, and to be an array or an integer."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __array__(self, *_: object, **__: object) -> Any:
        raise RuntimeError("no array")

    def __index__(self) -> int:
        raise RuntimeError


def batch() -> Batch:
    made = make_batch("honey_wars", 2)
    made.reset()
    return made


def env() -> Any:
    made = bearenvs.make("honey_wars").env
    made.reset(seed=1)
    return made


def played(answer: object) -> None:
    """Let an opponent answer so."""
    learner = SeatEnv("honey_wars", opponents=lambda _: answer, seat=1)
    for seed in range(9):
        learner.reset(seed=seed)


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "seed": (lambda: env().reset(seed=-HUGE), "seed=an integer too large"),
    "action": (lambda: env().step(HUGE), "an integer too large to be written is no action"),
    "hostile action": (lambda: env().step(Hostile()), "some Hostile is no action"),
    "seat": (lambda: env().describe(HUGE), "seat=an integer too large"),
    "num_envs": (lambda: make_batch("honey_wars", HUGE), "got an integer too large"),
    "seed of a batch": (lambda: make_batch("honey_wars", 2, seed=-HUGE), "got an integer too large"),
    "actions": (
        lambda: batch().step([HUGE, 0]),
        "actions must be integers, got object, the first an integer",
    ),
    "hostile actions": (lambda: batch().step(Hostile()), "actions cannot be made an array of integers: no array"),
    "setting": (lambda: load_game("honey_wars", num_players=HUGE), "num_players=an integer too large"),
    "float": (
        lambda: load_game("honey_wars", num_players=3.0),
        r"num_players=3.0: it must be an integer \(one of 2",
    ),
    "complex": (lambda: load_game("honey_wars", num_players=3 + 0j), "it must be an integer"),
    "game list": (lambda: game_class([]), r"there is no game \[\]; the games are"),
    "game dict": (lambda: bearenvs.make({}), r"there is no game \{\}"),  # type: ignore[arg-type]
    "content number": (lambda: load_game("honey_wars", content=5), "content=5: the path of a content file"),  # type: ignore[arg-type]
    "content bytes": (lambda: load_game("honey_wars", content=b"x"), "content=b'x'"),  # type: ignore[arg-type]
    "content list": (lambda: load_game("honey_wars", content=[]), r"content=\[\]"),  # type: ignore[arg-type]
    "batch by name": (lambda: Batch("honey_wars", 2), r"game must be what load_game\(\) returns, not 'honey_wars'"),  # type: ignore[arg-type]
    "batch of None": (lambda: Batch(None, 2), "not None"),  # type: ignore[arg-type]
    **{
        f"out {out!r}": (lambda out=out: make_batch("honey_wars", 2, out=out), f"out .*{reason}")  # type: ignore[misc]
        for out, reason in (
            (5, "must be a mapping with .*, not int"),
            ("ab", "not str"),
            ([1], "not list"),
            ({"x": 1, 3: 2}, "knows the arrays observation, action_mask; got 'x', 3"),
        )
    },
    "replay None": (lambda: replay(None), "a playthrough is a text, not NoneType"),  # type: ignore[arg-type]
    "replay bytes": (lambda: replay(b"x"), "not bytes"),  # type: ignore[arg-type]
    "observe": (lambda: env().observe([]), r"there is no agent \[\]; the agents are player_0"),
    "action_index": (lambda: env().action_index([]), r"p0 has no action \[\]; legal now"),
    "hostile answer": (lambda: played(Hostile()), "opponent .*: no array"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_errors_are_the_librarys_own(wrong: str) -> None:
    call, reason = WRONG[wrong]
    with pytest.raises(BearenvsError, match=reason):
        call()


def test_an_opponents_reset_that_is_no_method_is_not_called() -> None:
    class Chooser:
        reset = 5

        def act(self, view: Any) -> Any:
            return view.legal[0, 0]

    SeatEnv("honey_wars", opponents=Chooser()).reset(seed=1)


def test_agent_iter_without_a_step_is_an_order_error() -> None:
    checked = bearenvs.make("honey_wars")
    checked.reset(seed=1)
    agents = iter(checked.agent_iter())
    next(agents)
    with pytest.raises(OrderError, match=r"agent_iter\(\): call step\(\)"):
        next(agents)


def test_spaces_of_no_agent_are_key_errors_as_in_pettingzoo() -> None:
    for ask in (env().observation_space, env().action_space):
        with pytest.raises(KeyError):
            ask("nobody")


def test_a_record_may_begin_with_a_byte_order_mark() -> None:
    made = env()
    made.step(made.legal_actions()[0])
    text = made.playthrough()
    assert replay("\ufeff" + text, partial=True).text() == text


@pytest.mark.parametrize("is_raw", [False, True])
def test_methods_before_reset_are_order_errors(is_raw: bool) -> None:
    made: Any = bearenvs.make("honey_wars")
    made = made.env if is_raw else made
    for call in (made.state, made.render, made.agent_iter, made.last, made.save_state):
        with pytest.raises(OrderError, match="reset"):
            call()
