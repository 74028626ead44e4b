"""Compiled kernels kept on disk, so that only the first process on a machine compiles.

Numba's own cache is not used. It looks only at the file of the cached function, so that an edit in an imported kernel
leaves stale code behind; and it parts an index from the code it points to, so that processes that write at the same
time can leave the one beside the other's. Here a file's name holds the digest of all that went into the code, and the
file begins with the digest of its contents: it is right, or it counts as missing.
"""

import hashlib
import pickle
import re
import sys
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import caching
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

_DIGEST_SIZE = hashlib.sha256().digest_size


def cache_directory() -> Path:
    """Where compiled kernels are kept: ``NUMBA_CACHE_DIR`` if set, else the user's cache directory."""
    return Path(numba.config.CACHE_DIR or AppDirs(appname="bearenvs", appauthor=False).user_cache_dir)


class KernelCache(caching._Cache):  # type: ignore[misc]  # numba ships no types
    """The disk cache of one entry point of one game, a file for each signature.

    Args:
        game: the game's name, for the folder and for the notice on first compiling.
        entry: the entry point's qualified name.
        stamp: a digest of all sources that take part.
        setup: what changes the machine code, but not the sources. It parts the folders: a run with bounds checks must
            never load unchecked code, nor the other way round.
    """

    def __init__(self, game: str, entry: str, stamp: str, setup: str) -> None:
        self._game = game
        self._entry = re.sub(r"[^\w.]", "_", entry)
        self._stamp = stamp[:16]
        self._folder = cache_directory() / f"{game}-{_digest(f'{setup}{numba.__version__}{sys.version_info[:2]}')}"

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for ``sig``, or None if there is none to be trusted."""
        target_context.refresh()
        try:
            data = self._file(sig, target_context.codegen()).read_bytes()
        except OSError:
            data = b""
        digest, payload = data[:_DIGEST_SIZE], data[_DIGEST_SIZE:]
        if digest != hashlib.sha256(payload).digest():
            _announce(self._game)
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code ``data`` for ``sig``; without a writable place, say so and go on."""
        if data.library.has_dynamic_globals:  # it holds addresses of this process
            return
        payload = dumps(data._reduce())
        file = self._file(sig, data.codegen)
        written = file.with_suffix(f".{uuid.uuid4().hex}.tmp")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            written.write_bytes(hashlib.sha256(payload).digest() + payload)
            written.replace(file)
            for old in self._folder.glob(f"{self._entry}-*.nbc"):
                if not old.name.startswith(f"{self._entry}-{self._stamp}-"):
                    old.unlink(missing_ok=True)
        except OSError as error:
            with suppress(OSError):
                written.unlink()
            _complain(self._folder, error)

    def _file(self, sig: Any, codegen: Any) -> Path:
        return self._folder / f"{self._entry}-{self._stamp}-{_digest(f'{sig}{codegen.magic_tuple()}')}.nbc"

    def enable(self) -> None:
        """Do nothing: it is always enabled."""

    def disable(self) -> None:
        """Do nothing: it is always enabled."""

    def flush(self) -> None:
        """Forget what is kept of this entry point."""
        for file in self._folder.glob(f"{self._entry}-*.nbc"):
            file.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# Neither notice is a log message: whoever waits ten seconds must see why, whatever the logging set-up. Once a process.
_told: set[str] = set()


def _announce(game: str) -> None:
    if game not in _told:
        _told.add(game)
        sys.stderr.write(f"bearenvs: compiling {game} for this machine (once; kept for later runs) ...\n")


def _complain(folder: Path, error: OSError) -> None:
    if "" not in _told:
        _told.add("")
        sys.stderr.write(
            f"bearenvs: compiled code cannot be kept in {folder} ({error.strerror}), so every run compiles;"
            " set NUMBA_CACHE_DIR to a folder that can be written\n"
        )
