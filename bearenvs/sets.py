"""Sets of actions: action K is bit K % 64 of word K // 64 of a record's array of uint64.

Most of a game's conditions hold for many actions at once, or for none. As bits they take a few instructions together,
where a list takes a loop whose end no processor can foresee. What is listed at last ascends by itself.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.bits import LINE, count_bits, lowest_bit, nth_bit, unpack_bits
from bearenvs.kernel import inlined
from bearenvs.rng import random_below

WORD = 64


def num_words(num_actions: int) -> int:
    """Return how many words a set of so many actions takes: whole cache lines, with at least a word to spare.

    So :func:`add_actions` need not ask whether what it adds goes on in another word.
    """
    return (num_actions + WORD - 1) // WORD // LINE * LINE + LINE


@cache  # one dtype object for all of a size: Numba recognises it by identity, which keeps calls cheap
def _set_dtype(size: int) -> np.dtype[Any]:
    return np.dtype((np.record, [("actions", "u8", (size,))]))


def new_set(max_actions: int) -> npt.NDArray[Any]:
    """Return an empty set as a record (1,) with the one field ``actions``, to be handed to kernels."""
    return np.zeros(1, _set_dtype(num_words(max_actions)))


def listed(actions: Any) -> list[int]:
    """Return the actions of the set, ascending. In kernels: :func:`list_actions`."""
    found: list[int] = np.flatnonzero(unpack_bits(actions)).tolist()
    return found


@inlined
def add_action(actions: Any, action: int) -> None:
    """Put ``action`` into the set."""
    place = np.uint64(action)
    actions[place >> np.uint64(6)] |= np.uint64(1) << (place & np.uint64(63))


@inlined
def add_actions(actions: Any, first: int, which: int) -> None:
    """Put ``first`` + K into the set for each bit K of ``which``, which is not negative."""
    place, added = np.uint64(first), np.uint64(which)
    word, shift = place >> np.uint64(6), place & np.uint64(63)
    actions[word] |= added << shift
    actions[word + np.uint64(1)] |= added >> np.uint64(1) >> (np.uint64(63) - shift)


@inlined
def has_action(actions: Any, action: int) -> bool:
    """Tell whether ``action``, any integer, is in the set."""
    size = len(actions) * WORD
    place = np.uint64(action if 0 <= action < size else size - 1)  # that is no action
    return bool(actions[place >> np.uint64(6)] >> (place & np.uint64(63)) & np.uint64(1))


@inlined
def count_actions(actions: Any) -> int:
    """Return how many actions are in the set."""
    count = 0
    for word in range(len(actions)):
        count += count_bits(actions[word])
    return count


@inlined
def list_actions(actions: Any, out: Any) -> int:
    """Write the actions of the set into ``out``, ascending; return their number."""
    count = 0
    for word in range(len(actions)):
        rest = actions[word]
        while rest != np.uint64(0):
            out[count] = word * WORD + lowest_bit(rest)
            rest &= rest - np.uint64(1)
            count += 1
    return count


@inlined
def draw_action(actions: Any, rng: Any) -> int:
    """Return one of the actions of the set, each as likely as any other."""
    return nth_bit(actions, random_below(rng, count_actions(actions)))
