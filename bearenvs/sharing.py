"""Kernels by which threads share one call's work on a batch: its games in chunks, taken from a board of counters.

The thread that is asked for a job leads; the others come and go (:class:`bearenvs.threads.Crew`), and nothing ever
waits for one that is not there: whoever is free takes a chunk, of its own part of the games first, whose memory it has
nearest.

A *team* is what the threads of one batch share: (game, slots, actions, observation, action_mask, results), as
:func:`bearenvs.drivers.step_slice` takes them, then choices (N,) int64, generators (num_chunks, RNG_WORDS) and board.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.atomics import WORDS_APART, add, load, lower, pause, store
from bearenvs.drivers import CHUNK, choose_chunk, first_illegal, num_chunks, step_slice
from bearenvs.kernel import inlined, kernel

STEP, CHOOSE = range(2)
"""The jobs: to check and play the ``actions``; to draw ``choices``."""
UNFINISHED = -2
"""Of a job: some chunks are still being worked on. Else it has a game's number, or -1: all went well."""
PATIENCE = 1000
"""Looks at a word, with a pause each, before a thread leaves off waiting: 10 to 50 microseconds on x86."""
# Words of the board: which job, how often one was given, chunks checked, chunks done, the first illegal game.
_JOB, _ROUND, _CHECKED, _DONE, _ILLEGAL, _PARTS = range(0, 6 * WORDS_APART, WORDS_APART)
# Words of each thread, from _PARTS on: the next chunk of its part to check, to work on, whether the thread is there.
_TO_CHECK, _TO_DO, _PRESENT, _PART_SIZE = range(0, 4 * WORDS_APART, WORDS_APART)


def new_board(count: int, num_threads: int) -> npt.NDArray[np.int64]:
    """Return a board for ``count`` games on which nothing is left to do."""
    board = np.zeros(_PARTS + num_threads * _PART_SIZE, np.int64)
    board[[_CHECKED, _DONE]] = num_chunks(count)
    board[_ILLEGAL] = count
    for counter in (_TO_CHECK, _TO_DO):
        board[_PARTS + counter :: _PART_SIZE] = num_chunks(count)
    return board


def presence(board: Any) -> Any:
    """Return the words of ``board`` that say which threads are there."""
    return board[_PARTS + _PRESENT :: _PART_SIZE]


@inlined
def num_parts(board: Any) -> int:
    """Return into how many parts the games are divided, one for each thread."""
    return (len(board) - _PARTS) // _PART_SIZE


@kernel
def take_chunk(board: Any, counter: int, count: int, thread: int) -> int:
    """Return a chunk that is still to be had by one of the counters of all parts, or -1."""
    parts = num_parts(board)
    part = thread
    for _ in range(parts):
        last = num_chunks(count) * (part + 1) // parts
        at = _PARTS + part * _PART_SIZE + counter
        if load(board, at) < last:
            chunk = add(board, at, 1)
            if chunk < last:
                return chunk
        part = part + 1 if part + 1 < parts else 0
    return -1


@kernel
def work(team: Any, thread: int) -> None:
    """Do the job for the chunks that are left.

    No game moves before all are checked. What to do is looked up for each chunk: a thread that was held up may take one
    of the next job.
    """
    game, slots, actions, observation, action_mask, results, choices, generators, board = team
    count = slots.shape[0]
    chunk = take_chunk(board, _TO_CHECK, count, thread)
    while chunk >= 0:
        illegal = first_illegal(slots, actions, chunk * CHUNK, min((chunk + 1) * CHUNK, count))
        if illegal >= 0:
            lower(board, _ILLEGAL, illegal)
        add(board, _CHECKED, 1)
        chunk = take_chunk(board, _TO_CHECK, count, thread)
    chunk = take_chunk(board, _TO_DO, count, thread)
    while chunk >= 0:
        first, last = chunk * CHUNK, min((chunk + 1) * CHUNK, count)
        if load(board, _JOB) == CHOOSE:
            choose_chunk(slots, generators[chunk], choices, first, last)
        else:
            while load(board, _CHECKED) < num_chunks(count):
                pause()
            if load(board, _ILLEGAL) == count:
                step_slice(game, slots, actions, observation, action_mask, results, first, last, True)
        add(board, _DONE, 1)
        chunk = take_chunk(board, _TO_DO, count, thread)


@kernel
def lead(team: Any, job: int) -> int:
    """Lay the board out for a job and take part in it; return what :func:`finish` does."""
    _, slots, _, _, _, _, _, _, board = team
    count = slots.shape[0]
    parts = num_parts(board)
    store(board, _DONE, 0)
    store(board, _JOB, job)
    if job == STEP:
        store(board, _CHECKED, 0)
        store(board, _ILLEGAL, count)
    for part in range(parts):
        start = num_chunks(count) * part // parts
        if job == STEP:
            store(board, _PARTS + part * _PART_SIZE + _TO_CHECK, start)
        store(board, _PARTS + part * _PART_SIZE + _TO_DO, start)
    add(board, _ROUND, 1)
    work(team, 0)
    return finish(board, count)


@kernel
def finish(board: Any, count: int) -> int:
    """Wait a while for the last chunks; return UNFINISHED if they are not done, else as ``step_slice`` does."""
    for _ in range(PATIENCE):
        if load(board, _DONE) == num_chunks(count):
            illegal = load(board, _ILLEGAL)
            return illegal if illegal < count else -1
        pause()
    return UNFINISHED


@kernel
def help_out(team: Any, thread: int) -> None:
    """Take part in the jobs, until none has come for a while."""
    board = team[-1]
    waited = 0
    while waited < PATIENCE:
        begun = load(board, _ROUND)
        work(team, thread)
        waited = 0
        while waited < PATIENCE and load(board, _ROUND) == begun:
            pause()
            waited += 1
    store(board, _PARTS + thread * _PART_SIZE + _PRESENT, 0)
