"""The generator of chance: known values, no bias, one stream compiled and interpreted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bearenvs.kernel import Binder, kernel
from bearenvs.rng import RNG_WORDS, draw_weighted, next_word, random_below, seed_generators, seed_words

Words = npt.NDArray[np.uint32]


@kernel
def fill_words(rng: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = next_word(rng)


@kernel
def fill_below(rng: Any, bound: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = random_below(rng, bound)


@kernel
def fill_weighted(rng: Any, weights: Any, total: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = draw_weighted(rng, weights, total)


@pytest.fixture(params=[True, False], ids=["compiled", "interpreted"])
def bind(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return Binder("rng", {}, Path(__file__).parent, compiled=request.param)


def reference(state: list[int], count: int) -> list[int]:
    """xoshiro128++ as its authors define it, on unbounded integers."""

    def rotated(x: int, k: int) -> int:
        return ((x << k) | (x >> (32 - k))) % 2**32

    s, drawn = state.copy(), []
    for _ in range(count):
        drawn.append((rotated((s[0] + s[3]) % 2**32, 7) + s[0]) % 2**32)
        t = (s[1] << 9) % 2**32
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 11)
    return drawn


@pytest.mark.parametrize("state", [[1, 2, 3, 4], [2**32 - 1] * 4, [0, 0, 0, 1], [2**31, 0, 2**31, 2**32 - 1]])
def test_words_are_those_of_xoshiro128plusplus(bind: Callable[[Any], Any], state: list[int]) -> None:
    out = np.zeros(200, np.int64)
    bind(fill_words)(np.array(state, np.uint32), out)
    assert out.tolist() == reference(state, 200)
    if state == [1, 2, 3, 4]:
        assert out[:3].tolist() == [641, 1573767, 3222811527]  # as published with the generator


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 2**16 + 1, 3 * 2**29, 2**31 - 1, 2**31])
def test_bounded_draws_are_lemires(bind: Callable[[Any], Any], bound: int) -> None:
    """The high half of word * bound, drawn again while the low half is below 2**32 % bound."""
    rng, out = seed_words(3), np.zeros(100, np.int64)
    words = iter(reference([int(word) for word in rng], 1000))
    bind(fill_below)(rng, bound, out)
    expected: list[int] = []
    while len(expected) < len(out):
        product = next(words) * bound
        if product % 2**32 >= 2**32 % bound:
            expected.append(product >> 32)
    assert out.tolist() == expected
    assert out.min() >= 0 and out.max() < bound


def test_bounded_draws_have_no_bias(bind: Callable[[Any], Any]) -> None:
    """With this bound, every third number would come up only two times for three of each other, if none was refused."""
    out = np.zeros(4000, np.int64)
    bind(fill_below)(seed_words(1), 3 * 2**29, out)
    assert abs(np.mean(out % 3 == 2) - 1 / 3) < 0.04  # five standard deviations


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_weighted_draws_follow_their_weights(bind: Callable[[Any], Any], dtype: type[np.integer[Any]]) -> None:
    weights = np.array([0, 1, 0, 3, 100, 0, 16, 0], dtype)
    out = np.zeros(6000, np.int64)
    bind(fill_weighted)(seed_words(2), weights, int(weights.sum(dtype=int)), out)
    counts = np.bincount(out, minlength=8)
    assert (counts[weights == 0] == 0).all()
    expected = 6000 * weights[weights > 0].astype(float) / weights.sum(dtype=int)
    assert ((counts[weights > 0] - expected) ** 2 / expected).sum() < 30  # chi-square, 3 degrees of freedom


def test_seeds() -> None:
    streams = {tuple(seed_words(seed).tolist()) for seed in (0, 1, 2**40, (0, 1), (1, 0, 7))}
    assert len(streams) == 5
    assert all(any(stream) for stream in streams)
    assert seed_words(5).tolist() == seed_words(5).tolist()
    assert seed_words(None).tolist() != seed_words(None).tolist()
    assert seed_words(0).shape == (RNG_WORDS,) and seed_words(0).dtype == np.uint32


def test_no_generator_starts_where_it_could_not_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unlucky:
        """Gives the second of three generators the one state that stays what it is."""

        def __init__(self, _seed: object) -> None:
            pass

        def generate_state(self, count: int, dtype: type[np.uint32]) -> Words:
            words = np.arange(1, count + 1, dtype=dtype)
            words[RNG_WORDS : 2 * RNG_WORDS] = 0
            return words

    monkeypatch.setattr(np.random, "SeedSequence", Unlucky)
    assert seed_generators(0, 3).tolist() == [[1, 2, 3, 4], [1, 0, 0, 0], [9, 10, 11, 12]]
