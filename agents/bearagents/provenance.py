"""On what, and with what, something was measured."""

import os
import platform
import re
import shlex
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("bearenvs", "numpy", "numba", "onnxruntime", "torch")


def provenance() -> dict[str, str]:
    """Return the hardware, the versions and the commit (``+ changes``: the working tree differs from it)."""
    return {
        "processor": f"{processor()}, {usable_processors()} of {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "versions": ", ".join(f"{name} {_version(name)}" for name in PACKAGES),
        "commit": _commit(),
    }


def command_line() -> str:
    """Return the command line of this process."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def usable_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """Return the processor's name."""
    try:
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or "unknown"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _commit() -> str:
    """Return the commit of this package's sources; unknown where they are installed, if within another repository."""
    file = Path(__file__)
    try:
        _, commit, changes = (
            subprocess.run(
                ["git", "-C", str(file.parent), *words], capture_output=True, text=True, check=True
            ).stdout.strip()
            for words in (
                ["ls-files", "--error-unmatch", file.name],
                ["rev-parse", "--short=12", "HEAD"],
                ["status", "--porcelain", "--untracked-files=no"],
            )
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit} + changes" if changes else commit
