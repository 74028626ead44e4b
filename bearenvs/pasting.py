"""What observations are written with: parts that are pasted one after the other, each by a few vector instructions.

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
from numba.extending import intrinsic, lower_builtin, register_model, type_callable

from bearenvs.instructions import compile_as, fill


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
        return builder.zext(builder.icmp_signed("==", fill(builder, _VECTOR, arguments[0]), places), _VECTOR)

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
        limits = fill(builder, _VECTOR, arguments[1])
        return builder.select(builder.icmp_signed("<", arguments[0], limits), arguments[0], limits)

    return _ROW(row, types.int8), generate


compile_as(at_most, _limit_row)
