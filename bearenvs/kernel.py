"""Kernels: plain Python functions that Numba compiles, a whole call graph at a time.

A function marked with :func:`kernel` stays an ordinary Python function: called directly, it runs interpreted. A
:class:`Binder` makes the fast version. It copies a kernel and every kernel it calls by global name, puts one game's
own functions in the place of the contract's names (``legal``, ``apply`` ...), and compiles the result. So a driver
is written once, in readable Python, and exists once for each game, and the interpreted twin is the same source.

Compiled entry points are kept on disk. Numba itself would look only at the file of the cached function, and an edit
in an imported kernel would leave stale code behind; here the stamp is a digest of every source file that takes part.
"""

import hashlib
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

import numba
from numba.core import caching, cgutils, types
from numba.extending import intrinsic, overload
from numba.misc.appdirs import AppDirs

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "__bearenvs_kernel__"
_COMPILE_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Mark ``function`` as a kernel: allocation-free, recursion-free code over arrays, records and integers.

    The function itself is returned unchanged. Kernels must call other kernels by a plain global name.
    """
    setattr(function, _MARK, True)
    return function


def is_kernel(value: object) -> bool:
    """Tell whether ``value`` is a function marked with :func:`kernel`."""
    return isinstance(value, FunctionType) and getattr(value, _MARK, False)


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


class Binder:
    """Makes the runnable versions of kernels for one game.

    ``replacements`` maps the contract's names to the game's kernels; ``folder`` holds the game's sources, all of
    which enter the cache stamp; ``compiled=False`` gives plain Python functions with the same replacements.
    """

    def __init__(
        self,
        name: str,
        replacements: Mapping[str, Callable[..., Any]],
        folder: Path,
        *,
        compiled: bool = True,
    ) -> None:
        self.name = name
        self.compiled = compiled and not numba.config.DISABLE_JIT
        self._replacements = dict(replacements)
        self._folder = folder
        self._copies: dict[object, Callable[..., Any]] = {}
        self._entries: dict[object, Callable[..., Any]] = {}
        self._lock = threading.Lock()

    def __call__(self, entry: F) -> F:
        """Return the version of ``entry`` that works on this game; the same object each time."""
        with self._lock:
            if entry not in self._entries:
                self._entries[entry] = self._make_entry(entry)
            return cast("F", self._entries[entry])

    def _make_entry(self, entry: Callable[..., Any]) -> Callable[..., Any]:
        if not is_kernel(entry):
            raise TypeError(f"{entry!r} is not a kernel: mark it with @kernel")
        files: set[Path] = {Path(__file__)}
        plain = self._rebind(cast("FunctionType", entry), files, set())
        if not self.compiled:
            return plain
        dispatcher = numba.njit(**_COMPILE_FLAGS)(plain)
        folders = {self._folder, *(file.parent for file in files if file.parent != Path(__file__).parent)}
        sources = sorted(files | {file for folder in folders for file in folder.glob("*.py")})
        _keep_on_disk(dispatcher, self.name, sources)
        return cast("Callable[..., Any]", dispatcher)

    def _rebind(self, function: FunctionType, files: set[Path], above: set[object]) -> FunctionType:
        """Copy ``function`` with the kernels it names bound to their own copies; note the files it came from."""
        if function in above:
            raise TypeError(f"kernel {function.__qualname__} calls itself: kernels do not recurse")
        files.add(Path(function.__code__.co_filename))
        namespace = dict(function.__globals__)
        for name in _names(function.__code__):
            called = self._replacements.get(name, namespace.get(name))
            if is_kernel(called):
                namespace[name] = self._callee(cast("FunctionType", called), files, {*above, function})
        bound = FunctionType(
            function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
        )
        bound.__qualname__ = f"{self.name}.{function.__module__}.{function.__qualname__}"
        bound.__module__ = function.__module__
        return bound

    def _callee(self, function: FunctionType, files: set[Path], above: set[object]) -> Callable[..., Any]:
        # The walk goes on below a known copy too: the entry's stamp needs every file under it.
        plain = self._rebind(function, files, above)
        if function not in self._copies:
            self._copies[function] = numba.njit(**_COMPILE_FLAGS)(plain) if self.compiled else plain
        return self._copies[function]


def _names(code: CodeType) -> Iterable[str]:
    """All global names a function's code mentions, nested code (comprehensions) included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def cache_directory() -> Path:
    """Where compiled kernels are kept: ``NUMBA_CACHE_DIR`` if set, else the user's cache directory."""
    return Path(numba.config.CACHE_DIR or AppDirs(appname="bearenvs", appauthor=False).user_cache_dir)


def _keep_on_disk(dispatcher: Any, game: str, sources: list[Path]) -> None:
    """Give ``dispatcher`` a disk cache stamped with the digest of ``sources``; without a writable place, none."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(str(source.name).encode() + b"\0" + source.read_bytes() + b"\0")

    class Locator(caching._CacheLocator):  # type: ignore[misc]  # numba ships no types
        def get_cache_path(self) -> str:
            # What changes the machine code, but not the source, parts the folders: a bounds-checked run must never
            # load unchecked code, nor the other way round.
            flags = f"{_COMPILE_FLAGS}{numba.config.BOUNDSCHECK}{numba.config.OPT}{sys.version_info[:2]}"
            return str(cache_directory() / f"{game}-{hashlib.sha256(flags.encode()).hexdigest()[:8]}")

        def get_source_stamp(self) -> str:
            return digest.hexdigest()

        def get_disambiguator(self) -> None:
            return None

        @classmethod
        def from_function(cls, _function: Any, _file: str) -> "Locator | None":
            locator = cls()
            try:
                locator.ensure_cache_path()
            except OSError:
                return None
            return locator

    class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]  # numba ships no types
        _locator_classes = [Locator]  # noqa: RUF012  # numba's own spelling of this class attribute

    class Cache(caching.FunctionCache):  # type: ignore[misc]  # numba ships no types
        _impl_class = Implementation

        def load_overload(self, signature: Any, target: Any) -> Any:
            found = super().load_overload(signature, target)
            if found is None:
                _announce_compilation(game)
            return found

    try:
        dispatcher._cache = Cache(dispatcher.py_func)
    except RuntimeError:  # no locator found a writable place: compile in every process
        _announce_compilation(game)


_announced: set[str] = set()


def _announce_compilation(game: str) -> None:
    if game not in _announced:
        _announced.add(game)
        # Not a log message: whoever waits ten seconds must see why, whatever the logging set-up.
        sys.stderr.write(f"bearenvs: compiling {game} for this machine (once; kept for later runs) ...\n")
