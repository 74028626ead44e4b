"""Instructions of the processor for compiled kernels: how they are given, and those for copying and for the caches.

Each function is plain Python with the same result, which is what interpreted kernels run, and an overload for Numba.
"""

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

CACHE_LINE = 64


def compile_as(function: Callable[..., Any], instruction: Any, **options: Any) -> None:
    """Let compiled code run ``instruction`` for ``function``, with the same arguments; ``options`` are Numba's."""

    @overload(function, strict=False, **options)  # type: ignore[untyped-decorator]  # numba ships no types
    def compiled(*arguments: Any) -> Any:
        def work(*arguments: Any) -> Any:
            return instruction(*arguments)

        return work


def fill(builder: Any, row: Any, number: Any) -> Any:
    """Return a vector of the type ``row`` with ``number`` everywhere."""
    nowhere, first = (
        ir.Constant(row, ir.Undefined),
        ir.Constant(ir.VectorType(ir.IntType(32), row.count), [0] * row.count),
    )
    return builder.shuffle_vector(builder.insert_element(nowhere, number, ir.IntType(32)(0)), nowhere, first)


def add_up(builder: Any, row: Any) -> Any:
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
