"""Kernels: plain Python functions that Numba compiles, a whole call graph at a time.

A function marked with :func:`kernel` stays an ordinary Python function: called directly, it runs interpreted. A
:class:`Binder` makes the fast version. It copies a kernel and every kernel it calls by global name, puts one game's
own functions in the place of the contract's (``legal``, ``apply`` ...), and compiles the result. So a driver is
written once, in readable Python, and exists once for each game, and the interpreted twin is the same source.

Compiled entry points are kept on disk (:mod:`bearenvs.kernel_cache`), stamped with every source file that takes part.
"""

import dis
import enum
import hashlib
import operator
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, lower_builtin, overload, register_model, type_callable

from bearenvs.kernel_cache import KernelCache

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "__bearenvs_kernel__"


class _KernelCompiler(CompilerBase):  # type: ignore[misc]  # numba ships no types
    """Numba's usual passes, told that a kernel's arguments lie apart in memory.

    Else each write into an observation could have changed the state: every number would be read again after it, and
    loops over both would first compare all their addresses.
    """

    def define_pipelines(self) -> list[Any]:
        self.state.flags.noalias = True
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


# Without Numba's memory management (``_nrt``): kernels allocate nothing, and with it every row that is looked at counts
# references to its array by a locked instruction, a dozen times a step and on a cache line that all threads share.
_COMPILE_FLAGS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "pipeline_class": _KernelCompiler,
}


CACHE_LINE = 64
PREFETCHED = 14 * CACHE_LINE
"""Bytes of a slot: state, generator, log, and of the legal list in Ursa Miner all of it (the slot has 812 bytes), in
Outrun the Bear all but the last 7 of 24 places (909), in Honey Wars the first 136 of 323 (1269). Lists are short."""


def kernel(function: F) -> F:
    """Mark ``function`` as a kernel: allocation-free, recursion-free code over arrays, records and integers.

    The function itself is returned unchanged. Kernels must call other kernels by a plain global name. What a kernel
    writes through one argument it must not reach through another (a state beside one of its own seats may only be
    read), and it returns numbers only. The compiler relies on both; ``tests/agents/test_kernel_arguments.py`` watches.
    """
    setattr(function, _MARK, "called")
    return function


def inlined(function: F) -> F:
    """Mark ``function`` as a :func:`kernel` that compiled code takes in whole wherever it calls it.

    For what every step runs through: a call costs some nanoseconds, an array alone travels in seven words, and the
    caller's knowledge ends there. What is long and called from many places would make the code too large instead.
    """
    setattr(function, _MARK, "inlined")
    return function


def is_kernel(value: object) -> bool:
    """Tell whether ``value`` is a function marked with :func:`kernel`."""
    return isinstance(value, FunctionType) and hasattr(value, _MARK)


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

    Compiled it is a few vector instructions. A loop would not be: nothing tells the compiler that the two are apart.
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


class _Bound(NamedTuple):
    """A kernel whose calls lead to one game's kernels."""

    plain: FunctionType
    callee: Callable[..., Any]
    """What other kernels call: ``plain``, or its compiled version."""
    sources: frozenset[Path]
    """The files of this kernel and of all it calls."""
    names: frozenset[str]
    """What each global name in them stands for: compiled code holds it, wherever it was imported from."""


class Binder:
    """Makes the runnable versions of kernels for one game.

    ``replacements`` maps the contract's kernels to the game's own, which are called in their place, by whatever name;
    another kernel that only has the name of one of the contract's stays. ``folder`` is where the game lives;
    ``compiled=False`` gives plain Python functions, replaced alike.
    """

    def __init__(
        self,
        name: str,
        replacements: Mapping[Callable[..., Any], Callable[..., Any]],
        folder: Path,
        *,
        compiled: bool = True,
    ) -> None:
        self.name = name
        self.compiled = compiled and not numba.config.DISABLE_JIT
        self._replacements = dict(replacements)
        self._folder = folder
        self._bound: dict[object, _Bound] = {}
        self._entries: dict[object, Callable[..., Any]] = {}
        self._lock = threading.Lock()
        for role, replacement in replacements.items():
            if not is_kernel(replacement):
                raise TypeError(f"{name}: {role.__name__} is no kernel: mark {replacement!r} with @kernel")

    def __call__(self, entry: F) -> F:
        """Return the version of ``entry`` that works on this game; the same object each time."""
        with self._lock:
            if entry not in self._entries:
                self._entries[entry] = self._make_entry(entry)
            return cast("F", self._entries[entry])

    def _make_entry(self, entry: Callable[..., Any]) -> Callable[..., Any]:
        if not is_kernel(entry):
            raise TypeError(f"{entry!r} is not a kernel: mark it with @kernel")
        bound = self._bind(entry, ())
        if not self.compiled:
            return bound.plain
        dispatcher = numba.njit(**_COMPILE_FLAGS)(bound.plain)
        stamp = self._stamp(bound)
        if stamp is not None:
            # The folder parts the caches of two checkouts, which would else keep replacing each other's code.
            setup = f"{_COMPILE_FLAGS}{numba.config.BOUNDSCHECK}{numba.config.OPT}{self._folder}"
            dispatcher._cache = KernelCache(self.name, bound.plain.__qualname__, stamp, setup)
        return cast("Callable[..., Any]", dispatcher)

    def _bind(self, named: Callable[..., Any], callers: tuple[FunctionType, ...]) -> _Bound:
        """Return the kernel ``named``, or the game's own in its place, with the kernels it calls bound too."""
        function = cast("FunctionType", self._replacements.get(named, named))
        if function is not named and function in callers[-1:]:
            function = cast("FunctionType", named)  # a replacement may itself call what it replaces
        if function in callers:
            raise TypeError(f"kernel {function.__qualname__} calls itself: kernels do not recurse")
        if function.__closure__:
            raise TypeError(f"kernel {function.__qualname__} closes over variables: pass them as arguments")
        if function not in self._bound:
            self._bound[function] = self._make_bound(function, callers)
        return self._bound[function]

    def _make_bound(self, function: FunctionType, callers: tuple[FunctionType, ...]) -> _Bound:
        namespace = dict(function.__globals__)
        sources = {Path(function.__code__.co_filename)}
        names: set[str] = set()
        for name in _global_names(function.__code__):
            value = namespace.get(name)
            if is_kernel(value):
                called = self._bind(cast("FunctionType", value), (*callers, function))
                namespace[name] = called.callee
                sources |= called.sources
                names |= called.names
                value = called.plain.__qualname__
            elif isinstance(value, ModuleType | FunctionType):
                sources |= _files_of(value)
            if _is_constant(value):
                names.add(f"{function.__module__}.{function.__qualname__} {name}={_shown(value)}")
        plain = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
        plain.__qualname__ = f"{self.name}.{function.__module__}.{function.__qualname__}"
        plain.__module__ = function.__module__
        is_inlined = getattr(function, _MARK) == "inlined"
        callee = numba.njit(**_COMPILE_FLAGS, forceinline=is_inlined)(plain) if self.compiled else plain
        return _Bound(plain, callee, frozenset(sources), frozenset(names))

    def _stamp(self, bound: _Bound) -> str | None:
        """Return a digest of all that goes into ``bound``; None if a source is no file (a notebook's cell)."""
        digest = hashlib.sha256(repr(sorted(bound.names)).encode())
        for source in sorted({Path(__file__), *bound.sources}):
            try:
                digest.update(f"\0{source.name}\0".encode() + source.read_bytes())
            except OSError:
                return None
        return digest.hexdigest()


def _global_names(code: CodeType) -> Iterable[str]:
    """All global names a function's code reads, that of nested code (comprehensions) included."""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_GLOBAL":
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def _files_of(value: ModuleType | FunctionType) -> set[Path]:
    """Return the file that a module, or a function that is no kernel, comes from: its parts are not looked into."""
    file = value.__code__.co_filename if isinstance(value, FunctionType) else getattr(value, "__file__", None)
    return {Path(file)} if file else set()


def _shown(value: object) -> str:
    """Return text that differs when compiled code with ``value`` in it would."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{value.tobytes()!r}"
    return repr(list(value)) if isinstance(value, enum.EnumMeta) else repr(value)


def _is_constant(value: object) -> bool:
    """Tell whether ``value`` is one that compiled code takes in as it is."""
    if isinstance(value, type):
        return issubclass(value, enum.Enum)
    return isinstance(value, int | float | complex | str | bytes | tuple | np.generic | np.ndarray | np.dtype)
