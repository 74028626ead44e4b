"""Sets of actions: what they hold, compiled and interpreted, beside Python's own sets."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bearenvs
from bearenvs.bits import nth_bit, spread_bits
from bearenvs.kernel import Binder, kernel
from bearenvs.sets import (
    WORD,
    add_action,
    add_actions,
    count_actions,
    draw_action,
    has_action,
    list_actions,
    listed,
    new_set,
    num_words,
)
from tests.toy.game import Picnic

HERE = Path(__file__).parent
SIZES = [1, 7, 63, 64, 65, 111, 439, 448, 449, 511, 512, 513, 1157]


@kernel
def put(sets: Any, one: int, first: int, which: int) -> None:
    add_action(sets[0].actions, one)
    add_actions(sets[0].actions, first, which)


@kernel
def look(sets: Any, asked: Any, held: Any, mask: Any, out: Any, nth: Any) -> int:
    actions = sets[0].actions
    for k in range(len(asked)):
        held[k] = has_action(actions, asked[k])
    spread_bits(actions, mask)
    count = list_actions(actions, out)
    for k in range(count):
        nth[k] = nth_bit(actions, k)
    return count_actions(actions)


@kernel
def draw_many(sets: Any, rng: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = draw_action(sets[0].actions, rng)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_what_a_set_holds(size: int, compiled: bool) -> None:
    bind = Binder("sets", {}, HERE, compiled=compiled)
    rng = np.random.default_rng(size)
    for density in (0.02, 0.3, 1.0):
        expected: set[int] = set()
        actions = new_set(size)
        assert len(actions["actions"][0]) == num_words(size) >= (size - 1) // WORD + 2
        for _ in range(1 + size // 40):
            one, first = (int(action) for action in rng.integers(0, size, 2))
            bits = (rng.random(min(63, size - first)) < density).tolist()
            bind(put)(actions, one, first, sum(1 << k for k, bit in enumerate(bits) if bit))
            expected |= {one} | {first + k for k, bit in enumerate(bits) if bit}
        assert listed(actions["actions"][0]) == sorted(expected)
        asked = np.array([*range(-70, size + 70), 2**31, 2**63 - 1, -(2**63), 2**62 + 5], np.int64)
        held, mask = np.zeros(len(asked), np.bool_), np.full(size + 4, 7, np.int8)
        out, nth = np.zeros((2, size), np.int64)
        assert bind(look)(actions, asked, held, mask[2:-2], out, nth) == len(expected)
        assert {int(action) for action in asked[held]} == expected
        assert out[: len(expected)].tolist() == nth[: len(expected)].tolist() == sorted(expected)
        assert np.flatnonzero(mask[2:-2]).tolist() == sorted(expected) and mask[2:-2].max() == 1
        assert mask[[0, 1, -2, -1]].tolist() == [7] * 4, "written outside"


@settings(deadline=None)  # it compiles
@given(st.sets(st.integers(0, 1156), min_size=1), st.integers(0, 2**32 - 1))
def test_compiled_and_interpreted_draws_agree(members: set[int], seed: int) -> None:
    actions = new_set(1157)
    for member in members:
        add_action(actions["actions"][0], member)
    drawn = [np.zeros(50, np.int64) for _ in range(2)]
    for compiled, out in enumerate(drawn):
        rng = np.array([seed, 1, 2, 3], np.uint32)
        Binder("draws", {}, HERE, compiled=bool(compiled))(draw_many)(actions, rng, out)
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert set(drawn[0].tolist()) <= members


def test_draws_are_uniform() -> None:
    actions, members = new_set(500), [0, 3, 63, 64, 200, 499]
    for member in members:
        add_action(actions["actions"][0], member)
    out = np.zeros(60_000, np.int64)
    Binder("draws", {}, HERE)(draw_many)(actions, np.array([1, 2, 3, 4], np.uint32), out)
    counts = np.array([(out == member).sum() for member in members])
    assert counts.sum() == len(out)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 20.5  # chi-squared, 5 degrees: exceeded once in a thousand


def test_a_table_that_is_longer_than_the_set_is_refused() -> None:
    class Small(Picnic):
        max_actions = 5

    content = Picnic.content_type.load(Picnic.folder / "content.toml", is_default=True)
    with pytest.raises(bearenvs.SettingsError, match=r"picnic has \d+ actions, but its max_actions is 5"):
        Small(Picnic.settings_type.parse("picnic", {}), content)
