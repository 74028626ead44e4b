"""Sets as bits of words, and counts in bytes, of which all are looked at together: there is hardly a loop or a branch.

Each function is plain Python with the same result, which is what interpreted kernels run, and an overload for Numba.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from bearenvs.instructions import CACHE_LINE, add_up, compile_as, fill


def lowest_bit(mask: int) -> int:
    """Return the place of the lowest bit of ``mask``, an int64 or uint64 other than 0 (one instruction when compiled).

    For loops over the members of a set: ``mask &= mask - 1`` takes out the one that was found.
    """
    return (int(mask) & -int(mask)).bit_length() - 1


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _count_trailing_zeros(_typing: Any, mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


compile_as(lowest_bit, _count_trailing_zeros)


def count_bits(mask: int) -> int:
    """Return how many bits of ``mask``, an int64 or uint64, are 1 (one instruction when compiled)."""
    return int(mask).bit_count()


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _count_ones(_typing: Any, mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


compile_as(count_bits, _count_ones)


def unpack_bits(words: Any) -> npt.NDArray[np.uint8]:
    """Return the bits of ``words``, an array of uint64, from the lowest of the first on. Not for kernels."""
    return np.unpackbits(np.array(words, "<u8").view(np.uint8), bitorder="little")


def spread_bits(words: Any, out: Any) -> None:
    """Write the first bits of ``words``, a record's array of uint64, into all of ``out`` (int8), one in each place.

    Compiled it takes an instruction or two for 64 of them.
    """
    out[:] = unpack_bits(words)[: len(out)]


def _are_words(words: Any) -> bool:
    return isinstance(words, types.NestedArray) and (words.dtype, words.ndim) == (types.uint64, 1)


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _spread_words(_typing: Any, words: Any, out: Any) -> Any:
    if not _are_words(words) or out != types.Array(types.int8, 1, "C"):
        raise numba.TypingError(f"spread_bits needs a record's array of uint64 and one of int8, got {words} and {out}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = ir.IntType(64)
        source = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        target = context.make_array(signature.args[1])(context, builder, arguments[1])
        size = builder.extract_value(target.shape, 0)

        def spread(word: Any, at: Any, width: int) -> None:
            bits, row = ir.VectorType(ir.IntType(1), width), ir.VectorType(ir.IntType(8), width)
            first = word if width == 64 else builder.trunc(word, ir.IntType(width))
            place = builder.bitcast(builder.gep(target.data, [at]), row.as_pointer())
            builder.store(builder.zext(builder.bitcast(first, bits), row), place, align=1)

        whole = builder.lshr(size, number(6))
        with cgutils.for_range(builder, whole) as loop:
            spread(builder.load(builder.gep(source, [loop.index]), align=1), builder.shl(loop.index, number(6)), 64)
        at = builder.shl(whole, number(6))
        rest = cgutils.alloca_once_value(builder, builder.load(builder.gep(source, [whole]), align=1))
        for width in (32, 16, 8, 4, 2, 1):
            part = builder.and_(size, number(width))
            with builder.if_then(builder.icmp_unsigned("!=", part, number(0))):
                word = builder.load(rest)
                spread(word, at, width)
                builder.store(builder.lshr(word, number(width)), rest)
            at = builder.add(at, part)
        return context.get_dummy_value()

    return types.void(words, out), generate


compile_as(spread_bits, _spread_words)


LINE = CACHE_LINE // 8
"""Words of 64 bits that are looked at together."""


def nth_bit(words: Any, n: int) -> int:
    """Return the place of that bit of ``words`` which is 1 and has ``n`` others before it. There must be one.

    ``words`` is a record's array of uint64, whole :data:`LINE`. Compiled there is hardly a branch: where the bit is, no
    processor could foresee.
    """
    return int(np.flatnonzero(unpack_bits(words))[n])


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _find_word(_typing: Any, words: Any, _first: Any, _n: Any) -> Any:
    """Of the line of words from ``first`` on: that with the bit, LINE if it has not, and the bits before."""
    if not _are_words(words) or words.shape[0] % LINE != 0:
        raise numba.TypingError(f"nth_bit needs a record's array of uint64, {LINE} or more times that, got {words}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, first, n = arguments
        number, line = ir.IntType(64), ir.VectorType(ir.IntType(64), LINE)
        start = builder.gep(context.make_array(signature.args[0])(context, builder, array).data, [first])

        def call(name: str, returned: Any, argument: Any) -> Any:
            called = ir.FunctionType(returned, [line])
            return builder.call(
                cgutils.get_or_insert_function(builder.module, called, f"{name}.v{LINE}i64"), [argument]
            )

        counts = call("llvm.ctpop", line, builder.load(builder.bitcast(start, line.as_pointer()), align=1))
        sums = add_up(builder, counts)
        is_before = builder.icmp_signed("<=", sums, fill(builder, line, n))
        word = builder.zext(builder.ctpop(builder.bitcast(is_before, ir.IntType(LINE))), number)
        num_before = call("llvm.vector.reduce.umax", number, builder.select(is_before, sums, line([0] * LINE)))
        return context.make_tuple(builder, signature.return_type, [word, num_before])

    found = types.UniTuple(types.int64, 2)  # type: ignore[attr-defined]  # the stubs know only some types
    return found(words, types.intp, types.int64), generate


# Of a word: how many bits each byte has, added up, is one multiplication; the bit in its byte is looked up.
_EACH_BYTE, _EACH_HIGH_BIT = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_PAIRS, _FOURS, _EIGHTS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_BIT_OF_BYTE = np.array(
    [([place for place in range(8) if byte >> place & 1] + 8 * [0])[:8] for byte in range(256)], np.uint8
)


@overload(nth_bit)  # type: ignore[untyped-decorator]  # numba ships no types
def _nth_bit_compiled(words: Any, n: Any) -> Any:
    def find(words: Any, n: Any) -> Any:
        first = 0
        word, num_before = _find_word(words, first, n)
        while word == LINE:
            n -= num_before
            first += LINE
            word, num_before = _find_word(words, first, n)
        bits = words[np.uint64(first + word)]
        counts = bits - ((bits >> np.uint64(1)) & _PAIRS)
        counts = (counts & _FOURS) + ((counts >> np.uint64(2)) & _FOURS)
        sums = ((counts + (counts >> np.uint64(4))) & _EIGHTS) * _EACH_BYTE
        left = np.uint64(n - num_before)
        at = np.uint64(8 * count_bits(((left * _EACH_BYTE | _EACH_HIGH_BIT) - sums) & _EACH_HIGH_BIT))
        left -= (sums << np.uint64(8)) >> at & np.uint64(255)
        return 64 * (first + word) + np.int64(at) + np.int64(_BIT_OF_BYTE[bits >> at & np.uint64(255), left])

    return find


def positive_places(counts: Any) -> int:
    """Return the mask of the places of ``counts``, a record's array of at most 62 int8, that hold more than 0.

    Two instructions when compiled: who looks for the few cards in a hand has no need to ask for each.
    """
    return sum(1 << int(place) for place in np.flatnonzero(counts > 0))


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _compare_with_zero(_typing: Any, counts: Any) -> Any:
    if not _is_byte_row(counts):
        raise numba.TypingError(f"positive_places needs a record's array of at most 62 int8, got {counts}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = signature.args[0].shape[0]
        row = ir.VectorType(ir.IntType(8), size)
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        counted = builder.load(builder.bitcast(start, row.as_pointer()), align=1)
        found = builder.icmp_signed(">", counted, ir.Constant(row, [0] * size))
        return builder.zext(builder.bitcast(found, ir.IntType(size)), ir.IntType(64))

    return types.int64(counts), generate


compile_as(positive_places, _compare_with_zero)


def weighted_place(weights: Any, rest: int) -> int:
    """Return the first place at which the sum of ``weights`` up to there, itself included, is above ``rest``.

    Compiled, for a record's array of at most 62 int8 whose sum is below 2**15, all sums are formed at once: a loop ends
    where no processor can foresee.
    """
    place = 0
    while rest >= weights[place]:
        rest -= int(weights[place])
        place += 1
    return place


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _count_sums_up_to(_typing: Any, weights: Any, _rest: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = signature.args[0].shape[0]
        narrow, row = ir.VectorType(ir.IntType(8), size), ir.VectorType(ir.IntType(16), size)
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        numbers = builder.sext(builder.load(builder.bitcast(start, narrow.as_pointer()), align=1), row)
        limits = fill(builder, row, builder.trunc(arguments[1], ir.IntType(16)))
        found = builder.bitcast(builder.icmp_signed("<=", add_up(builder, numbers), limits), ir.IntType(size))
        return builder.zext(builder.ctpop(found), ir.IntType(64))

    return types.int64(weights, types.int64), generate


@overload(weighted_place)  # type: ignore[untyped-decorator]  # numba ships no types
def _weighted_place_compiled(weights: Any, rest: int) -> Any:  # annotated as weighted_place is, which may be returned
    def find(weights: Any, rest: int) -> Any:
        return _count_sums_up_to(weights, rest)

    return find if _is_byte_row(weights) else weighted_place


def _is_byte_row(counts: Any) -> bool:
    """Tell whether this is the type of a record's array of int8 whose places fit into one mask."""
    is_row = isinstance(counts, types.NestedArray) and (counts.dtype, counts.ndim) == (types.int8, 1)
    return is_row and counts.shape[0] <= 62
