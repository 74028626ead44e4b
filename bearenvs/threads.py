"""Share compiled work on many games among threads.

Kernels release the interpreter's lock, so plain threads run them side by side. One pool serves the whole process: it
is made when first needed, and forgotten in a forked child, where its threads no longer exist (a child that waited
for them would hang). Numba's own threading layer is not used: its default ends the process when two threads enter it.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import wraps
from threading import get_ident
from time import sleep
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from bearenvs.errors import OrderError

MAX_THREADS = 256
GAMES_PER_THREAD = 128
"""By default a thread is used only if there are so many games for it: to wake one takes as long as some 100 games."""
_CHUNKS_PER_THREAD = 4
_SMALLEST_CHUNK = 64

Work = Callable[[int, int], object]
"""Does its part for the games ``first`` to ``last`` - 1."""


P = ParamSpec("P")
R = TypeVar("R")


def by_one_thread(method: Callable[P, R]) -> Callable[P, R]:
    """Return a batch's ``method``, made to raise OrderError while another thread is in a call.

    The batch's ``_users`` are the threads that are in a call, once for each call; the batch is the first one's. A
    thread appends itself first of all inside ``try``, and removes itself in ``finally``: no interrupt comes between, as
    one does after a lock was taken. A thread may call again within its call, as the handler of a signal does.
    """

    @wraps(method)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        batch: Any = args[0]
        users, me = batch._users, get_ident()
        try:
            users.append(me)
            if users[0] != me:
                refuse(batch, me)
            return method(*args, **kwargs)
        finally:
            users.remove(me)

    return alone


def refuse(batch: Any, me: int) -> None:
    """Raise OrderError for the thread ``me``, which is not the first: but in a forked child the others are not."""
    if batch._process == os.getpid():
        raise OrderError("another thread is using this batch: give each thread a batch of its own, or take turns")
    batch._process = os.getpid()
    batch._users[:] = [me]


class Crew:
    """Threads that come to help with one batch's steps, and stay for a while to see whether there is another.

    To wake a thread takes the system longer than a step of a hundred games, and to enter compiled code it takes the
    interpreter's lock. So a helper does not return between steps that follow each other closely.
    """

    def __init__(self, help_out: Callable[[int], object], presence: npt.NDArray[np.int64]) -> None:
        """``help_out(thread)`` runs in a thread, 1 to the last, and puts 0 into ``presence[thread]`` when it leaves."""
        self._help_out = help_out
        self._presence = presence
        self._pool: ThreadPoolExecutor | None = None

    def summon(self) -> None:
        """Let those come that are not there. Whoever leaves just now is missed once."""
        pool = _get_pool()
        if self._pool is not pool:  # the first time, or in a forked child, where nobody is there
            self._presence[:] = 0
            self._pool = pool
        for thread in range(1, len(self._presence)):
            if not self._presence[thread]:
                self._presence[thread] = 1
                pool.submit(self._help_out, thread)


def let_others_run() -> None:
    """Give up the processor for a moment: somebody that this thread waits for may need it."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        sleep(0)


_pool: ThreadPoolExecutor | None = None


def _forget_pool() -> None:
    global _pool  # noqa: PLW0603  # one pool a process
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def default_threads(count: int) -> int:
    """Return how many threads to use for ``count`` games: no more than processors, nor than there is work for."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(usable, count // GAMES_PER_THREAD, MAX_THREADS))


def run_slices(work: Work, count: int, num_threads: int) -> None:
    """Call ``work(first, last)`` for slices that together are 0 to ``count`` - 1, on up to ``num_threads`` threads.

    The calling thread takes part. Returns, or passes on the first error, when no slice is being worked on any more.
    """
    if num_threads == 1:
        work(0, count)
        return
    # More slices than threads: a thread that the system holds up then leaves its share to the others.
    size = max(-(-count // (num_threads * _CHUNKS_PER_THREAD)), _SMALLEST_CHUNK)
    starts = iter(range(0, count, size))  # shared: each start is given out once, under the interpreter's lock
    num_helpers = min(num_threads, -(-count // size)) - 1
    helpers: list[Future[None]] = []
    try:
        while len(helpers) < num_helpers:
            helpers.append(_get_pool().submit(_work_off, work, starts, size, count))
        _work_off(work, starts, size, count)
    finally:
        for _ in starts:  # after an error: let nobody begin another slice
            pass
        wait([helper for helper in helpers if not helper.cancel()])
    for helper in helpers:
        if not helper.cancelled():
            helper.result()


def _get_pool() -> ThreadPoolExecutor:
    global _pool  # noqa: PLW0603  # one pool a process
    if _pool is None:
        _pool = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="bearenvs")
    return _pool


def _work_off(work: Work, starts: Iterator[int], size: int, count: int) -> None:
    for first in starts:
        work(first, min(first + size, count))
