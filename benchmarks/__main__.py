"""Measure this library and its peers in one run, and write the report.

python -m benchmarks            # about 10 minutes on two processors
python -m benchmarks --quick    # about 2 minutes, once the peers are installed
"""

from pathlib import Path
from typing import Annotated

import typer
from bearagents.provenance import usable_processors
from rich.console import Console

from benchmarks import plots, report, startup
from benchmarks.case import Case
from benchmarks.measured import Results
from benchmarks.runner import run
from benchmarks.sides import OURS, PEERS

RESULTS = Path(__file__).parent / "results"
QUICK_BATCHES = (1, 256, 1024, 4096)
"""Numbers of games that the quick run does not leave out."""


def main(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer and shorter rounds, fewer cases.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="Only these sides, such as bearenvs or Pgx.")] = None,
    out: Annotated[Path, typer.Option(help="Folder for the report.")] = RESULTS,
    redraw: Annotated[bool, typer.Option("--redraw", help="Measure nothing: report on what the folder holds.")] = False,
) -> None:
    """Measure this library and its peers by turns, and write tables, plots and JSON."""
    titles = {side.title for side in (OURS, *PEERS)}
    if unknown := set(only or ()) - titles:
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: the sides are {', '.join(sorted(titles))}")
    if redraw:
        results = Results.model_validate_json((out / "bench.json").read_text(encoding="utf-8"))
    else:
        results = measure(quick, only)
    path = report.write(results, out, plots.draw(results, out))
    Console(soft_wrap=True).print(path.read_text(encoding="utf-8"), f"written to {out}", markup=False, highlight=False)


def measure(quick: bool, only: list[str] | None) -> Results:
    """Measure the wanted sides, ours with its start-up."""
    sides = [side for side in (OURS, *PEERS) if not only or side.title in only]
    processors = usable_processors()

    def is_wanted(case: Case) -> bool:
        return case.threads <= processors and (not quick or case.num_envs in QUICK_BATCHES)

    results = run(sides, is_wanted, rounds=3 if quick else 9, seconds=0.1 if quick else 0.25)
    if OURS in sides:
        results.startup = startup.measure_all(quick)
    return results


if __name__ == "__main__":
    typer.run(main)
