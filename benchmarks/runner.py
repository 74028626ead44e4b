"""Makes all cases of all sides, then plays them by turns, round after round: all meet the same machine."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

from rich.progress import track

from benchmarks.case import Case
from benchmarks.measured import Measured, Results
from benchmarks.sides import Side, SideError, Worker

Wanted = Callable[[Case], bool]


def run(sides: Sequence[Side], wanted: Wanted, *, rounds: int, seconds: float) -> Results:
    """Measure the wanted cases of all sides: ``rounds`` times ``seconds`` each. What fails is told in the results."""
    results = Results.begin(rounds, seconds)
    with tempfile.TemporaryDirectory() as logs, ExitStack() as stack:
        playing: list[tuple[Worker, Case, Measured]] = []
        for side in track(sides, "Setting up"):
            try:
                worker = Worker.start(side, Path(logs))
            except SideError as error:
                results.failures[side.title] = str(error)
                results.measured += [_unmeasured(side, case, str(error)) for case in side.cases if wanted(case)]
                continue
            stack.callback(worker.stop)
            results.versions[side.title] = worker.versions
            for case in filter(wanted, side.cases):
                measured = _make(side, worker, case)
                results.measured.append(measured)
                playing.append((worker, case, measured))
        order = Random(0)
        for _ in track(range(rounds), "Measuring"):
            order.shuffle(playing)  # no case always follows the same other, nor does a side play in one stretch
            for worker, case, measured in playing:
                _play(worker, case, measured, seconds)
    return results


def _unmeasured(side: Side, case: Case, error: str | None = None) -> Measured:
    return Measured(
        side=side.title,
        game=case.game,
        interface=case.interface,
        num_envs=case.num_envs,
        threads=case.threads,
        players=case.players,
        unit=case.unit,
        notes=case.notes,
        error=error,
    )


def _make(side: Side, worker: Worker, case: Case) -> Measured:
    measured = _unmeasured(side, case)
    try:
        measured.setup_seconds = worker.ask(do="make", case=case.name)["seconds"]
    except SideError as error:
        measured.error = str(error)
    return measured


def _play(worker: Worker, case: Case, measured: Measured, seconds: float) -> None:
    if measured.error is None:
        try:
            measured.rates.append(worker.ask(do="play", case=case.name, seconds=seconds)["rate"])
        except SideError as error:
            measured.error = str(error)
