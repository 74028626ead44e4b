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
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.dispatcher import Dispatcher

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


def load_for(entry: Callable[..., Any], *arguments: object) -> None:
    """Compile ``entry``, or load it from disk, for such ``arguments``, which it is not called with yet.

    Numba does so with a lock on that the whole process shares: a child that is forked meanwhile could never compile.
    """
    if isinstance(entry, Dispatcher):
        entry.compile(tuple(entry.typeof_pyval(argument) for argument in arguments))


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
