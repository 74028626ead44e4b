"""The sides of the measurement, each in a process and, for peers, an environment of its own.

An environment for each peer, since their requirements contradict each other. What cannot be installed is told.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from benchmarks.case import Case

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = ROOT / ".venv-bench"


class SideError(Exception):
    """A side that cannot be set up, or a case that fails: the message is for the table."""


@dataclass(frozen=True)
class Side:
    """This library, or a peer: a module with CASES, DISTRIBUTIONS and, for peers, REQUIREMENTS."""

    title: str
    module: str

    @property
    def cases(self) -> list[Case]:
        """The side's cases. Importing the module does not import what it measures, except for our own."""
        cases: list[Case] = import_module(self.module).CASES
        return cases

    def python(self) -> Path:
        """Return the interpreter that has the side installed, after installing it if need be."""
        requirements: tuple[str, ...] = getattr(import_module(self.module), "REQUIREMENTS", ())
        if not requirements:
            return Path(sys.executable)
        folder = ENVIRONMENTS / self.module.rpartition(".")[2]
        python, stamp = folder / "bin" / "python", folder / ".installed"
        if not stamp.exists() or stamp.read_text() != repr(requirements):
            self._run(sys.executable, "-m", "venv", "--clear", str(folder))
            self._run(str(python), "-m", "pip", "install", "--quiet", *requirements)
            stamp.write_text(repr(requirements))
        return python

    def _run(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            errors = [line for line in lines if line.startswith("ERROR")] or lines or ["no message"]
            raise SideError(f"not installed: {errors[-1][:300]}")


OURS = Side("bearenvs", "benchmarks.ours")
PEERS = (
    Side("PettingZoo", "benchmarks.peers.classic"),
    Side("OpenSpiel", "benchmarks.peers.openspiel"),
    Side("Pgx", "benchmarks.peers.pgx_games"),
    Side("EnvPool", "benchmarks.peers.envpool_games"),
    Side("RLCard", "benchmarks.peers.rlcard_games"),
)


@dataclass
class Worker:
    """A side's running process."""

    process: "subprocess.Popen[str]"
    log: Path
    versions: dict[str, str] = field(default_factory=dict)

    @classmethod
    def start(cls, side: Side, logs: Path) -> Self:
        """Start the process of ``side``, whose messages go to a file in ``logs``."""
        log = logs / f"{side.title}.log"
        with log.open("w") as file:
            process = subprocess.Popen(
                [str(side.python()), "-m", "benchmarks.worker", side.module],
                cwd=ROOT,
                env={**os.environ, "JAX_PLATFORMS": "cpu"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
            )
        worker = cls(process, log)
        worker.versions = worker.ask(do="versions")["versions"]
        return worker

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and return its answer; SideError for an error, also the process's end."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = self.process.wait()
            raise SideError(f"its process ended with code {code}: {_last_line(self.log)}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise SideError(answer["error"])
        return answer

    def stop(self) -> None:
        """End the process."""
        with suppress(BrokenPipeError):
            self.process.communicate()


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else "no message"
