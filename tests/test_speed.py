"""Speed that must not be lost, as ratios within one process, and the benchmarks themselves on their smallest cases."""

import os
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pytest

from bearenvs import Batch, load_game
from bearenvs.game import record_dtype
from bearenvs.instructions import prefetch
from bearenvs.kernel import Binder, kernel
from benchmarks import ratio, report, sides
from benchmarks.measured import Results
from benchmarks.ours import PLAYERS
from benchmarks.runner import run
from benchmarks.sides import OURS, Side

CHECKS_OF_BOUNDS = os.environ.get("NUMBA_BOUNDSCHECK") == "1" or os.environ.get("NUMBA_DISABLE_JIT") == "1"


class SlowBatch(Batch):
    """A batch with a planted slow-down: it writes its observations three times."""

    def step(self, actions: npt.ArrayLike) -> None:
        super().step(actions)
        for _ in range(2):
            self.observe(self.to_act, self.observation)


def test_every_game_has_a_recorded_ratio() -> None:
    assert set(ratio.recorded()) == set(PLAYERS)


@pytest.mark.timed
@pytest.mark.skipif(CHECKS_OF_BOUNDS, reason="the ratios are those of fast code")
@pytest.mark.parametrize("name", PLAYERS)
def test_batch_is_as_close_to_copying_as_it_was(name: str) -> None:
    least = ratio.TOLERATED * ratio.recorded()[name]
    batch = ratio.guarded_batch(name)
    measured = max(ratio.measure(batch) for _ in range(2))  # a burst of other work can outlast one measurement
    assert measured >= least, f"{name}: {measured:.3f} of the speed of copying, at least {least:.3f} is asked for"


@pytest.mark.timed
@pytest.mark.skipif(CHECKS_OF_BOUNDS, reason="the ratios are those of fast code")
def test_the_guard_sees_a_planted_slow_down() -> None:
    name = "outrun_the_bear"
    slow = SlowBatch(load_game(name, num_players=PLAYERS[name]), ratio.NUM_ENVS, num_threads=1)
    assert ratio.measure(slow) < ratio.TOLERATED * ratio.recorded()[name]


def test_smallest_measurement_is_reported(tmp_path: Path) -> None:
    results = run([OURS], lambda case: case.game == "honey_wars" and case.num_envs == 1, rounds=2, seconds=0.001)
    assert not results.failures
    assert {one.interface for one in results.measured} == {"AEC", "raw_env", "Gymnasium", "batch", "copy"}
    assert all(one.error is None and one.rate > 0 and len(one.rates) == 2 for one in results.measured)
    assert results.versions["bearenvs"]["numba"] != "not installed"
    text = report.write(results, tmp_path, []).read_text(encoding="utf-8")
    assert "honey_wars | batch | 1 | 1" in text
    assert Results.model_validate_json((tmp_path / "bench.json").read_text(encoding="utf-8")) == results


@kernel
def copies_array(states: Any) -> None:
    """Copies array to array, which Numba does through memory of its own."""
    states[0].a[:] = states[0].b


@kernel
def prefetches(states: Any) -> int:
    prefetch(states[0])
    return int(states[0].a[1])


@pytest.fixture
def rows() -> npt.NDArray[Any]:
    states = np.zeros(1, record_dtype([("a", "i1", (2,)), ("b", "i1", (2,))]))
    states["a"] = 1, 2
    return states


def test_kernels_that_allocate_are_refused(rows: npt.NDArray[Any], tmp_path: Path) -> None:
    """Compiled without memory management, which would count references with a locked instruction each."""
    if not numba.config.DISABLE_JIT:
        with pytest.raises(numba.core.errors.NumbaError, match="NRT required"):
            Binder("allocating", {}, tmp_path)(copies_array)(rows)


@pytest.mark.parametrize("compiled", [True, False])
def test_prefetching_changes_nothing(compiled: bool, rows: npt.NDArray[Any], tmp_path: Path) -> None:
    before = rows.tobytes()
    assert Binder("prefetching", {}, tmp_path, compiled=compiled)(prefetches)(rows) == 2
    assert rows.tobytes() == before


PEER = """
from benchmarks.case import Case

DISTRIBUTIONS = ("numpy",)
{requirements}

def works():
    return lambda: 1

def breaks():
    import no_such_peer

CASES = [Case("works", "loop", works), Case("breaks", "loop", breaks)]
"""


@pytest.fixture
def peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two made-up peers: a case of the one breaks, the other cannot be installed."""
    folder = tmp_path / "peers"
    folder.mkdir()
    (folder / "broken_peer.py").write_text(PEER.format(requirements=""))
    (folder / "missing_peer.py").write_text(PEER.format(requirements='REQUIREMENTS = ("./no-such-folder",)'))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setattr(sides, "ENVIRONMENTS", tmp_path / "environments")


@pytest.mark.usefixtures("peers")
def test_what_fails_is_told(tmp_path: Path) -> None:
    """It does not end the run, and is a line of the table."""
    made_up = [Side("Broken", "broken_peer"), Side("Missing", "missing_peer")]
    results = run(made_up, lambda _: True, rounds=1, seconds=0.001)
    errors = {(one.side, one.game): one.error for one in results.measured}
    assert errors["Broken", "works"] is None
    assert errors["Broken", "breaks"] == "ModuleNotFoundError: No module named 'no_such_peer'"
    assert "not installed" in str(errors["Missing", "works"])
    assert results.failures.keys() == {"Missing"}
    text = report.write(results, tmp_path, []).read_text(encoding="utf-8")
    assert "**failed**: ModuleNotFoundError" in text
    assert "| Missing | **not installed" in text
