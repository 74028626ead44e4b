"""One side's process: makes and plays the cases of a module when the runner asks, a line of JSON each way.

    python -m benchmarks.worker benchmarks.peers.openspiel

Runs in the environment of the side it measures, so it needs the standard library only.
"""

import json
import os
import sys
import traceback
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Any

from benchmarks.case import Case, Play


def main(module_name: str) -> None:
    """Answer requests until there are no more. An error is an answer too."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print must not get between the answers
    module: Any = import_module(module_name)
    cases: dict[str, Case] = {case.name: case for case in module.CASES}
    plays: dict[str, Play] = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = answer_to(request, module, cases, plays)
        except Exception as error:  # whatever a peer raises is told in the table
            traceback.print_exc()
            told = "".join(traceback.format_exception_only(error)).strip()
            answer = {"error": told.splitlines()[-1][:300]}
        answers.write(json.dumps(answer) + "\n")


def answer_to(request: Any, module: Any, cases: dict[str, Case], plays: dict[str, Play]) -> dict[str, Any]:
    """Do as one request says: tell versions, make a case, or play one for about so many seconds."""
    if request["do"] == "versions":
        return {"versions": {name: version_of(name) for name in module.DISTRIBUTIONS}}
    name = request["case"]
    if request["do"] == "make":
        started = perf_counter()
        plays[name] = cases[name].make()
        plays[name]()
        seconds = perf_counter() - started
        plays[name]()  # a second time, for what happens only after the first (caches, the first games' ends)
        return {"seconds": seconds}
    return rate(plays[name], request["seconds"])


def rate(play: Play, duration: float) -> dict[str, Any]:
    """Play for about ``duration`` seconds."""
    count = 0
    started = perf_counter()
    while (elapsed := perf_counter() - started) < duration:
        count += play()
    return {"rate": count / elapsed}


def version_of(distribution: str) -> str:
    """Return the installed version, or that there is none."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    main(sys.argv[1])
