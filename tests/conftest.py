from typing import Any

import pytest

from bearenvs.registry import GAMES
from tests.playing import CASES, case_id
from tests.toy.game import Picnic


@pytest.fixture
def picnic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make Picnic known by its name."""
    monkeypatch.setitem(GAMES, "picnic", Picnic)


@pytest.fixture(params=CASES, ids=case_id)
def case(request: pytest.FixtureRequest, picnic: None) -> Any:
    """A game's name and settings: every game, with the fewest and the most players."""
    return request.param
