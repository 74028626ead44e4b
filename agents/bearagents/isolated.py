"""Agents in a process of their own: what they do there, hanging and dying included, leaves the arena standing.

All that is asked of an agent is asked with a clock running: a decision has the time limit, what comes before the games
a limit of its own. An agent that lets it run out is stopped, by force, and started anew for the next game; so is one
whose process ends by itself. After :data:`MOST_STARTS` starts it stays out.
"""

import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from dataclasses import fields
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bearagents.agent import AgentError, View, Views, decide, reset
from bearagents.names import load_agent
from bearenvs.batch import Batch
from bearenvs.errors import BearenvsError, SettingsError
from bearenvs.game import Game

LOADING_LIMIT = 120.0
"""Seconds in which an agent has to be imported and made."""
WARM_UP_LIMIT = 60.0
"""Seconds for a reset, and for the one decision before its games, in which it may compile what it needs."""
MOST_STARTS = 10
"""So often a process is started. Starting takes seconds, which an agent that always hangs must not cost each game."""


class IsolatedAgent:
    """Plays as the agent of this name does, in a process of its own, ``time_limit`` seconds a decision at most.

    It is asked for one decision at a time, so that the limit is that of a decision. Faults are AgentErrors, as
    :func:`~bearagents.agent.decide` raises them. Used as a context it ends its process at the end.

    AgentError if there is no such agent or it cannot play ``game``; SettingsError if the limit is no time.
    """

    def __init__(self, name: str, game: Game, time_limit: float) -> None:
        if not 0 < time_limit < float("inf"):
            raise SettingsError(f"time limit {time_limit:g}: seconds, more than 0")
        self.name = name
        self._game = game
        self._limit = time_limit
        self._seed: int | None = None
        self._num_starts = 0
        self._process: Any = None
        self._pipe: Connection[Any, Any]
        self._why_out = ""  # nothing while it is still asked
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def reset(self, seed: int) -> None:
        """Begin a new series of games; AgentError if the agent fails to."""
        self._seed = seed
        self._ask(seed, WARM_UP_LIMIT, "to be reset")

    def act(self, view: View) -> npt.NDArray[np.int64]:
        """Return its decisions, one after the other; AgentError names the first fault."""
        arrays = {field.name: getattr(view, field.name) for field in fields(view)}
        arrays = {name: array for name, array in arrays.items() if isinstance(array, np.ndarray)}
        actions = np.empty(len(view), np.int64)
        for i in range(len(view)):
            request = {name: array[i : i + 1] for name, array in arrays.items()}
            actions[i] = self._ask(request, self._limit, "for a decision")
        return actions

    def _start(self) -> None:
        """Start the process, up to its first decision."""
        self._num_starts += 1
        context = multiprocessing.get_context("spawn")  # threads, which compiled code has, do not survive a fork
        self._pipe, theirs = context.Pipe()
        # Names are looked up there as they would be here, now: multiprocessing goes by where this process began.
        place = (Path.cwd(), sys.path)
        self._process = context.Process(target=_serve, args=(theirs, place, self.name, self._game), daemon=True)
        self._process.start()
        theirs.close()
        try:
            self._receive(LOADING_LIMIT, "to be loaded")
        except AgentError:
            self.close()
            if self._num_starts == 1:
                raise
            self._why_out = f"agent {self.name!r} could not be started again"
            return
        try:
            self._receive(WARM_UP_LIMIT, "for a first decision, before the games")
            if self._seed is not None:
                self._pipe.send(self._seed)
                self._receive(WARM_UP_LIMIT, "to be reset")
        except AgentError as error:
            self._why_out = str(error)

    def _ask(self, request: Any, limit: float, what: str) -> int:
        if self._process is None and not self._why_out:
            if self._num_starts == MOST_STARTS:
                self._why_out = f"agent {self.name!r} is out: its process was started {MOST_STARTS} times"
            else:
                self._start()
        if self._why_out:
            raise AgentError(self._why_out)
        with suppress(OSError):  # it has ended, which receiving tells
            self._pipe.send(request)
        return self._receive(limit, what)

    def _receive(self, limit: float, what: str) -> int:
        """Return what the process answers within the limit; AgentError if it reports one, is late, or ends."""
        try:
            if not self._pipe.poll(limit):
                self.close()
                raise AgentError(f"agent {self.name!r} took more than {limit:g} s {what}")
            answer = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode
            self.close()
            raise AgentError(f"the process of agent {self.name!r} ended, with exit code {code}") from None
        if isinstance(answer, str):
            raise AgentError(answer)
        return int(answer)


def print_to_stderr() -> None:
    """Send to standard error what this process and those it starts print: what agents print is no part of an output."""
    with suppress(OSError):  # there is none
        os.dup2(2, 1)
    sys.stdout = sys.stderr


def _serve(pipe: Any, place: tuple[Path, list[str]], name: str, game: Game) -> None:
    """Be the process: load the agent, let it warm up, answer each request with an action, or words for a fault."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the arena, which ends this process
    os.chdir(place[0])
    sys.path[:] = place[1]
    print_to_stderr()
    try:
        agent = load_agent(name, game)
        pipe.send(0)
    except BearenvsError as error:
        pipe.send(str(error))
        return
    batch = Batch(game, 1)
    batch.reset()
    with suppress(BearenvsError):  # it will show in the games
        reset(agent, 0)
        decide(agent, Views(batch).of(np.zeros(1, np.int64)))
    pipe.send(0)
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):  # the arena has ended
            return
        try:
            if isinstance(request, dict):
                pipe.send(int(decide(agent, View(game, **request))[0]))
            else:
                reset(agent, request)
                pipe.send(0)
        except BearenvsError as error:
            pipe.send(str(error))
