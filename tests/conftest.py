"""What all tests share, and which of them run beside others.

``--timed=not`` leaves out the tests that measure time, and ``--timed=only`` leaves out all others: those run side by
side, these alone (``make test``).
"""

from typing import Any

import pytest

from bearenvs.registry import GAMES
from tests.playing import CASES, case_id
from tests.toy.game import Picnic


def pytest_addoption(parser: pytest.Parser) -> None:
    help_text = "what becomes of the tests that measure time (default: also)"
    parser.addoption("--timed", choices=("also", "not", "only"), default="also", help=help_text)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    timed = [item for item in items if item.get_closest_marker("timed") is not None]
    others = [item for item in items if item.get_closest_marker("timed") is None]
    kept, dropped = {"also": (items, []), "not": (others, timed), "only": (timed, others)}[config.getoption("timed")]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Let a half of the tests be empty: options such as ``-k`` may choose from the other alone."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and session.config.getoption("timed") != "also":
        session.exitstatus = pytest.ExitCode.OK


@pytest.fixture
def picnic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make Picnic known by its name."""
    monkeypatch.setitem(GAMES, "picnic", Picnic)


@pytest.fixture(params=CASES, ids=case_id)
def case(request: pytest.FixtureRequest, picnic: None) -> Any:
    """A game's name and settings: every game, with the fewest and the most players."""
    return request.param
