"""Share compiled work on many games among threads.

Kernels release the interpreter's lock, so plain threads run them side by side. One pool serves the whole process: it
is made when first needed, and forgotten in a forked child, where its threads no longer exist (a child that waited
for them would hang). Numba's own threading layer is not used: its default ends the process when two threads enter it.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait

MAX_THREADS = 256
GAMES_PER_THREAD = 256
"""By default a thread is used only if there are so many games for it: waking one takes as long as some 100 games."""
_CHUNKS_PER_THREAD = 4
_SMALLEST_CHUNK = 64

Work = Callable[[int, int], object]
"""Does its part for the games ``first`` to ``last`` - 1."""

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
