"""What compiled kernels do in a few instructions of the processor, where a loop or a branch would take many.

Each function is plain Python with the same result, which is what interpreted kernels run, and an overload for Numba.
"""

import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, lower_builtin, overload, register_model, type_callable

CACHE_LINE = 64
PREFETCHED = 14 * CACHE_LINE
"""Bytes of a slot: state, generator, log, and of the legal list in Ursa Miner all of it (the slot has 812 bytes), in
Outrun the Bear all but the last 7 of 24 places (909), in Honey Wars the first 136 of 323 (1269). Lists are short."""


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


@overload(copy_record)  # type: ignore[untyped-decorator]  # numba ships no types
def _copy_record_compiled(target: Any, source: Any) -> Any:
    if isinstance(target, types.Record) and isinstance(source, types.Record):

        def copy(target: Any, source: Any) -> Any:  # the parameters must be spelled as above
            return _copy_record_bytes(target, source)

        return copy
    return None


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
        size = context.get_constant(types.intp, signature.args[2].size)
        cgutils.raw_memcpy(builder, builder.gep(start, [index]), record, size, 1)
        return context.get_dummy_value()

    return types.void(target, types.intp, source), generate


@overload(paste)  # type: ignore[untyped-decorator]  # numba ships no types
def _paste_compiled(target: Any, at: Any, source: Any) -> Any:
    def put(target: Any, at: Any, source: Any) -> Any:  # the parameters must be spelled as above
        return _paste_bytes(target, at, source)

    return put


def paste_shares(target: Any, at: int, counts: Any, wholes: Any) -> None:
    """Write ``counts`` (int8) / ``wholes``, a record's array of float32, into ``target`` as :func:`paste` does.

    ``counts`` is an array, or a row as :func:`row_of` makes it. As many as there are ``wholes``, with one vector
    instruction a step. Of such numbers a quotient in float32 is that of float64 rounded.
    """
    size = len(wholes)
    target[at : at + size] = counts[:size].astype(np.float32) / wholes


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
        def start(k: int) -> Any:
            return context.make_array(signature.args[k])(context, builder, arguments[k]).data

        size = signature.args[3].shape[0]
        numbers, integers = ir.VectorType(ir.FloatType(), size), ir.VectorType(ir.IntType(8), size)
        counted = arguments[2]
        if not isinstance(signature.args[2], _Row):
            counted = builder.load(builder.bitcast(start(2), integers.as_pointer()), align=1)
        whole = builder.load(builder.bitcast(start(3), numbers.as_pointer()), align=1)
        place = builder.bitcast(builder.gep(start(0), [arguments[1]]), numbers.as_pointer())
        builder.store(builder.fdiv(builder.sitofp(counted, numbers), whole), place, align=1)
        return context.get_dummy_value()

    return types.void(target, types.intp, counts, wholes), generate


@overload(paste_shares)  # type: ignore[untyped-decorator]  # numba ships no types
def _paste_shares_compiled(target: Any, at: Any, counts: Any, wholes: Any) -> Any:
    def put(target: Any, at: Any, counts: Any, wholes: Any) -> Any:  # the parameters must be spelled as above
        return _paste_quotients(target, at, counts, wholes)

    return put


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


def _fill_row(builder: Any, number: Any) -> Any:
    """Return the row of ``number`` alone."""
    nowhere, first = ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), ROW), [0] * ROW)
    return builder.shuffle_vector(builder.insert_element(nowhere, number, ir.IntType(32)(0)), nowhere, first)


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


@overload(row_of)  # type: ignore[untyped-decorator]  # numba ships no types
def _row_of_compiled(counts: Any) -> Any:
    def load(counts: Any) -> Any:  # the parameters must be spelled as above
        return _load_row(counts)

    return load


def one_at(place: int) -> Any:
    """Return the row with a 1 at ``place``, an int8, and 0 elsewhere; 0 everywhere if a row has no such place."""
    return (np.arange(ROW) == place).astype(np.int8)


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _compare_places(_typing: Any, place: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        places = ir.Constant(_VECTOR, list(range(ROW)))
        return builder.zext(builder.icmp_signed("==", _fill_row(builder, arguments[0]), places), _VECTOR)

    return _ROW(types.int8), generate


@overload(one_at)  # type: ignore[untyped-decorator]  # numba ships no types
def _one_at_compiled(place: Any) -> Any:
    def compare(place: Any) -> Any:  # the parameters must be spelled as above
        return _compare_places(np.int8(place))

    return compare


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
        limits = _fill_row(builder, arguments[1])
        return builder.select(builder.icmp_signed("<", arguments[0], limits), arguments[0], limits)

    return _ROW(row, types.int8), generate


@overload(at_most)  # type: ignore[untyped-decorator]  # numba ships no types
def _at_most_compiled(row: Any, limit: Any) -> Any:
    def choose(row: Any, limit: Any) -> Any:  # the parameters must be spelled as above
        return _limit_row(row, np.int8(limit))

    return choose


def prefetch(record: Any) -> None:
    """Ask the processor to bring the first :data:`PREFETCHED` bytes of a record nearer. Interpreted, do nothing."""


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _prefetch_lines(_typing: Any, record: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8), ir.IntType(32)
        called = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, called, "llvm.prefetch.p0")
        start = builder.bitcast(arguments[0], byte.as_pointer())
        how = [number(0), number(3), number(1)]  # to read, into all caches, data
        for offset in range(0, min(signature.args[0].size, PREFETCHED), CACHE_LINE):
            builder.call(fetch, [cgutils.pointer_add(builder, start, offset), *how])
        return context.get_dummy_value()

    return types.void(record), generate


@overload(prefetch)  # type: ignore[untyped-decorator]  # numba ships no types
def _prefetch_compiled(record: Any) -> Any:
    def fetch(record: Any) -> Any:
        return _prefetch_lines(record)

    return fetch


def lowest_bit(mask: int) -> int:
    """Return the place of the lowest bit of ``mask``, an int64 other than 0 (one instruction when compiled).

    For loops over the members of a set: ``mask &= mask - 1`` takes out the one that was found.
    """
    return (int(mask) & -int(mask)).bit_length() - 1


@intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
def _count_trailing_zeros(_typing: Any, mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@overload(lowest_bit)  # type: ignore[untyped-decorator]  # numba ships no types
def _lowest_bit_compiled(mask: Any) -> Any:
    def find(mask: Any) -> Any:
        return _count_trailing_zeros(mask)

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


@overload(positive_places)  # type: ignore[untyped-decorator]  # numba ships no types
def _positive_places_compiled(counts: Any) -> Any:
    def find(counts: Any) -> Any:
        return _compare_with_zero(counts)

    return find


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
        places = ir.VectorType(ir.IntType(32), size)
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        sums = builder.sext(builder.load(builder.bitcast(start, narrow.as_pointer()), align=1), row)
        nothing = ir.Constant(row, [0] * size)
        distance = 1
        while distance < size:  # each sum takes in the one so far to its left, and so twice as many weights as before
            left = ir.Constant(places, [size if place < distance else place - distance for place in range(size)])
            sums = builder.add(sums, builder.shuffle_vector(sums, nothing, left))
            distance *= 2
        rest = builder.insert_element(nothing, builder.trunc(arguments[1], ir.IntType(16)), ir.IntType(32)(0))
        everywhere = builder.shuffle_vector(rest, nothing, ir.Constant(places, [0] * size))
        found = builder.bitcast(builder.icmp_signed("<=", sums, everywhere), ir.IntType(size))
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
