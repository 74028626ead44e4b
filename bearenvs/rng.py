"""Random numbers inside kernels: xoshiro128++ (Blackman and Vigna, 2021), seeded by NumPy's SeedSequence.

The generator's whole state is four uint32, a field of a game's slot and never of a game's state. All arithmetic is
on non-negative int64 below 2**63, so compiled and interpreted runs draw the same numbers and nothing overflows.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.bits import weighted_place
from bearenvs.errors import BearenvsError
from bearenvs.kernel import inlined

RNG_WORDS = 4
_MASK32 = 0xFFFFFFFF

Seed = int | tuple[int, ...] | None


def seed_words(seed: Seed) -> npt.NDArray[np.uint32]:
    """Return the generator state (4,) uint32 for ``seed``; ``None`` takes entropy from the system."""
    words: npt.NDArray[np.uint32] = seed_generators(seed, 1)[0]
    return words


def seed_generators(seed: Seed, count: int) -> npt.NDArray[np.uint32]:
    """Return the states (count, 4) uint32 of that many generators; the first is that of :func:`seed_words`."""
    words = np.random.SeedSequence(seed).generate_state(count * RNG_WORDS, np.uint32)
    generators = np.asarray(words, np.uint32).reshape(count, RNG_WORDS)
    generators[~generators.any(axis=1), 0] = 1  # all 0 is the one state that xoshiro cannot leave
    return generators


def check_generator(rng: object) -> None:
    """Raise BearenvsError unless kernels can draw from ``rng`` safely: see :func:`seed_words`."""
    if not (isinstance(rng, np.ndarray) and rng.dtype == np.uint32 and rng.shape == (RNG_WORDS,)):
        found = f"{rng.dtype} of shape {rng.shape}" if isinstance(rng, np.ndarray) else type(rng).__name__
        raise BearenvsError(
            f"rng must be an array of uint32 of shape ({RNG_WORDS},), as seed_words() makes, got {found}"
        )
    if not rng.flags.carray:
        raise BearenvsError("rng must be C-contiguous, aligned and writeable: drawing moves it on")
    if not rng.any():
        raise BearenvsError("rng is all 0, from which no number can be drawn: seed_words() makes a generator")


@inlined
def next_word(rng: Any) -> int:
    """Advance the generator ``rng`` (4,) uint32 and return the next 32 random bits as an int."""
    s0, s1, s2, s3 = int(rng[0]), int(rng[1]), int(rng[2]), int(rng[3])
    total = (s0 + s3) & _MASK32
    result = ((((total << 7) & _MASK32) | (total >> 25)) + s0) & _MASK32
    shifted = (s1 << 9) & _MASK32
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = ((s3 << 11) & _MASK32) | (s3 >> 21)
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return result


@inlined
def random_below(rng: Any, bound: int) -> int:
    """Return a uniform integer in [0, bound), for 1 <= bound <= 2**31 (Lemire's method, 2019: no modulo bias)."""
    bound = int(bound)
    product = next_word(rng) * bound
    low = product & _MASK32
    if low < bound:
        threshold = (0x100000000 - bound) % bound
        while low < threshold:
            product = next_word(rng) * bound
            low = product & _MASK32
    return product >> 32


@inlined
def draw_weighted(rng: Any, weights: Any, total: int) -> int:
    """Return an index of ``weights`` (integers >= 0 that sum to ``total`` >= 1), in proportion to its weight."""
    return weighted_place(weights, random_below(rng, total))
