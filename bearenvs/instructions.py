"""What compiled kernels do in a few instructions of the processor, where a loop or a branch would take many.

Each function is plain Python with the same result, which is what interpreted kernels run, and an overload for Numba.
"""

import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, lower_builtin, overload, register_model, type_callable

CACHE_LINE = 64


def compile_as(function: Callable[..., Any], instruction: Any, **options: Any) -> None:
    """Let compiled code run ``instruction`` for ``function``, with the same arguments; ``options`` are Numba's."""

    @overload(function, strict=False, **options)  # type: ignore[untyped-decorator]  # numba ships no types
    def compiled(*arguments: Any) -> Any:
        def work(*arguments: Any) -> Any:
            return instruction(*arguments)

        return work


def _fill(builder: Any, row: Any, number: Any) -> Any:
    """Return a vector of the type ``row`` with ``number`` everywhere."""
    nowhere, first = (
        ir.Constant(row, ir.Undefined),
        ir.Constant(ir.VectorType(ir.IntType(32), row.count), [0] * row.count),
    )
    return builder.shuffle_vector(builder.insert_element(nowhere, number, ir.IntType(32)(0)), nowhere, first)


def _add_up(builder: Any, row: Any) -> Any:
    """Return the vector of the sums of all numbers of ``row`` up to each."""
    size, sums, distance = row.type.count, row, 1
    nothing, places = ir.Constant(row.type, [0] * size), ir.VectorType(ir.IntType(32), size)
    while distance < size:  # each sum takes in the one so far to its left, and so twice as many numbers as before
        left = ir.Constant(places, [size if place < distance else place - distance for place in range(size)])
        sums = builder.add(sums, builder.shuffle_vector(sums, nothing, left))
        distance *= 2
    return sums


def copy_record(target: Any, source: Any) -> None:
    """Copy a whole record over another of the same dtype (one memory copy when compiled)."""
    for name in source.dtype.names:
        target[name] = source[name]


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _copy_record_bytes(_typing: Any, target: Any, source: Any) -> Any:
    if not isinstance(target, types.Record) or target != source:
        raise numba.TypingError(f"copy_record needs two records of one dtype, got {target} and {source}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


compile_as(copy_record, _copy_record_bytes)


def paste(target: Any, at: int, source: Any) -> None:
    """Copy a record of float32 numbers into the array ``target`` (float32, contiguous) from ``at`` on.

    Compiled it is a few vector instructions, whatever the record's length.
    """
    target[at : at + source.dtype.itemsize // 4] = np.frombuffer(source.tobytes(), np.float32)


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _paste_bytes(_typing: Any, target: Any, at: Any, source: Any) -> Any:
    if not isinstance(source, types.Record) or target != types.Array(types.float32, 1, "C"):
        raise numba.TypingError(f"paste needs a contiguous array of float32 and a record, got {target} and {source}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, record = arguments
        start = context.make_array(signature.args[0])(context, builder, array).data
        target, size, at = builder.gep(start, [index]), signature.args[2].size, 0
        for width in (64, 32, 16, 8, 4):  # one after the other: a memory copy would let the last two overlap
            numbers = ir.VectorType(ir.FloatType(), width // 4).as_pointer()
            while size - at >= width:
                place = builder.bitcast(cgutils.pointer_add(builder, record, at), numbers)
                value = builder.load(place, align=1)
                builder.store(value, builder.bitcast(cgutils.pointer_add(builder, target, at), numbers), align=1)
                at += width
        return context.get_dummy_value()

    return types.void(target, types.intp, source), generate


compile_as(paste, _paste_bytes)


def paste_shares(target: Any, at: int, counts: Any, wholes: Any) -> None:
    """Write ``counts`` (int8) / ``wholes``, a record's array of float32, into ``target`` as :func:`paste` does.

    ``counts`` is an array, or a row as :func:`row_of` makes it. As many as there are ``wholes``, with one vector
    instruction a step; what would lie beyond the end of ``target`` is left out. Of such numbers a quotient in float32
    is that of float64 rounded.
    """
    size = min(len(wholes), len(target) - at)
    target[at : at + size] = counts[:size].astype(np.float32) / wholes[:size]


def _is_bytes(counts: Any) -> bool:
    return isinstance(counts, types.Array) and (counts.dtype, counts.ndim, counts.layout) == (types.int8, 1, "C")


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _paste_quotients(_typing: Any, target: Any, at: Any, counts: Any, wholes: Any) -> Any:
    if (
        target != types.Array(types.float32, 1, "C")
        or not isinstance(wholes, types.NestedArray)
        or (wholes.dtype, wholes.ndim) != (types.float32, 1)
        or not (_is_bytes(counts) or (isinstance(counts, _Row) and wholes.shape[0] == ROW))
    ):
        raise numba.TypingError(
            "paste_shares needs contiguous arrays of float32 and int8 and a record's array of float32,"
            f" got {target}, {counts} and {wholes}"
        )

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def array(k: int) -> Any:
            return context.make_array(signature.args[k])(context, builder, arguments[k])

        size = signature.args[3].shape[0]
        numbers, integers = ir.VectorType(ir.FloatType(), size), ir.VectorType(ir.IntType(8), size)
        counted = arguments[2]
        if not isinstance(signature.args[2], _Row):
            counted = builder.load(builder.bitcast(array(2).data, integers.as_pointer()), align=1)
        whole = builder.load(builder.bitcast(array(3).data, numbers.as_pointer()), align=1)
        shares = builder.fdiv(builder.sitofp(counted, numbers), whole)
        place = builder.bitcast(builder.gep(array(0).data, [arguments[1]]), numbers.as_pointer())
        room = builder.sub(builder.extract_value(array(0).shape, 0), arguments[1])
        with builder.if_else(builder.icmp_signed(">=", room, ir.IntType(64)(size)), likely=True) as (then, otherwise):
            with then:
                builder.store(shares, place, align=1)
            with otherwise:
                wide = ir.IntType(size + 65)  # for any room
                first = builder.sub(builder.shl(wide(1), builder.zext(room, wide)), wide(1))
                mask = builder.bitcast(builder.trunc(first, ir.IntType(size)), ir.VectorType(ir.IntType(1), size))
                called = ir.FunctionType(ir.VoidType(), [numbers, place.type, ir.IntType(32), mask.type])
                store = cgutils.get_or_insert_function(builder.module, called, f"llvm.masked.store.v{size}f32.p0")
                builder.call(store, [shares, place, ir.IntType(32)(1), mask])
        return context.get_dummy_value()

    return types.void(target, types.intp, counts, wholes), generate


compile_as(paste_shares, _paste_quotients)


LANES = 16
"""Numbers that a vector of the processor holds."""


def paste_bits(target: Any, at: int, bits: int, size: int) -> None:
    """Write the lowest ``size`` of ``bits``, an int64, as 0.0 and 1.0 into ``target`` as :func:`paste` does.

    ``size`` is a constant; compiled, each LANES of it, or part of them, take three instructions.
    """
    target[at : at + size] = [bits >> place & 1 for place in range(size)]


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]  # numba ships no types
def _paste_mask(_typing: Any, target: Any, _at: Any, _bits: Any, size: Any) -> Any:
    if target != types.Array(types.float32, 1, "C") or not isinstance(size, types.IntegerLiteral):
        raise numba.TypingError(f"paste_bits needs a contiguous array of float32 and a constant, got {target}, {size}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        for place in range(0, size.literal_value, LANES):
            width = min(LANES, size.literal_value - place)
            numbers, mask = ir.VectorType(ir.FloatType(), width), ir.VectorType(ir.IntType(1), width)
            piece = builder.lshr(arguments[2], ir.IntType(64)(place))
            found = builder.bitcast(builder.trunc(piece, ir.IntType(width)), mask)
            ones, zeros = ir.Constant(numbers, [1.0] * width), ir.Constant(numbers, [0.0] * width)
            to = builder.gep(start, [builder.add(arguments[1], ir.IntType(64)(place))])
            builder.store(builder.select(found, ones, zeros), builder.bitcast(to, numbers.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(target, types.intp, types.int64, size), generate


compile_as(paste_bits, _paste_mask, prefer_literal=True)


ROW = 32
"""Numbers of a *row*, all in int8, such as how many cards there are of each kind.

Compiled, a row is a vector of the processor: two are added, or subtracted, by one instruction, and none lies in memory.
Interpreted it is an array. No kernel takes or returns one.
"""


class _Row(types.Type):
    """What a row is to Numba."""

    def __init__(self) -> None:
        super().__init__(name="Row")


_ROW = _Row()
_VECTOR = ir.VectorType(ir.IntType(8), ROW)


@register_model(_Row)
class _RowModel(PrimitiveModel):  # type: ignore[misc]  # numba ships no types
    """What a row is to LLVM."""

    def __init__(self, manager: Any, row_type: Any) -> None:
        super().__init__(manager, row_type, _VECTOR)


def row_of(counts: Any) -> Any:
    """Return ``counts``, a record's array of int8 that long, as a row."""
    return np.array(counts)


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _load_row(_typing: Any, counts: Any) -> Any:
    if not isinstance(counts, types.NestedArray) or (counts.dtype, counts.shape) != (types.int8, (ROW,)):
        raise numba.TypingError(f"row_of needs a record's array of {ROW} int8, got {counts}")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.load(builder.bitcast(start, _VECTOR.as_pointer()), align=1)

    return _ROW(counts), generate


compile_as(row_of, _load_row)


def one_at(place: int) -> Any:
    """Return the row with a 1 at ``place``, an int8, and 0 elsewhere; 0 everywhere if a row has no such place."""
    return (np.arange(ROW) == place).astype(np.int8)


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _compare_places(_typing: Any, place: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        places = ir.Constant(_VECTOR, list(range(ROW)))
        return builder.zext(builder.icmp_signed("==", _fill(builder, _VECTOR, arguments[0]), places), _VECTOR)

    return _ROW(types.int8), generate


compile_as(one_at, _compare_places)


def _make_operator(operation: Callable[..., Any], name: str) -> None:
    """Let compiled code work out ``operation`` of two rows, by the instruction that llvmlite calls ``name``."""

    @type_callable(operation)  # type: ignore[untyped-decorator]  # numba ships no types
    def give_type(_context: Any) -> Any:
        return lambda one, other: _ROW if one == other == _ROW else None

    @lower_builtin(operation, _ROW, _ROW)  # type: ignore[untyped-decorator]  # numba ships no types
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments)


_make_operator(operator.add, "add")
_make_operator(operator.sub, "sub")


def at_most(row: Any, limit: int) -> Any:
    """Return ``row`` with ``limit``, an int8, in the place of all that is more."""
    return np.minimum(row, np.int8(limit))


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _limit_row(_typing: Any, row: Any, limit: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        limits = _fill(builder, _VECTOR, arguments[1])
        return builder.select(builder.icmp_signed("<", arguments[0], limits), arguments[0], limits)

    return _ROW(row, types.int8), generate


compile_as(at_most, _limit_row)


def prefetch(what: Any) -> None:
    """Ask the processor to bring a record, or a contiguous array, nearer. Interpreted, do nothing."""


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _prefetch_lines(_typing: Any, what: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number, long = ir.IntType(8), ir.IntType(32), ir.IntType(64)
        called = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, called, "llvm.prefetch.p0")

        def ask(place: Any, is_written: int) -> None:
            builder.call(fetch, [place, number(is_written), number(3), number(1)])  # into all caches, data

        if isinstance(signature.args[0], types.Record):
            start = builder.bitcast(arguments[0], byte.as_pointer())
            for offset in range(0, signature.args[0].size, CACHE_LINE):
                ask(cgutils.pointer_add(builder, start, offset), 0)
        else:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            start = builder.bitcast(array.data, byte.as_pointer())
            num_lines = builder.udiv(builder.mul(array.nitems, array.itemsize), long(CACHE_LINE))
            with cgutils.for_range(builder, num_lines) as loop:
                ask(builder.gep(start, [builder.mul(loop.index, long(CACHE_LINE))]), 1)
        return context.get_dummy_value()

    return types.void(what), generate


compile_as(prefetch, _prefetch_lines)


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
        sums = _add_up(builder, counts)
        is_before = builder.icmp_signed("<=", sums, _fill(builder, line, n))
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
        limits = _fill(builder, row, builder.trunc(arguments[1], ir.IntType(16)))
        found = builder.bitcast(builder.icmp_signed("<=", _add_up(builder, numbers), limits), ir.IntType(size))
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
