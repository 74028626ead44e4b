"""What a seat sees, asked for in plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bearenvs import views
from bearenvs.errors import BearenvsError
from bearenvs.rng import seed_words
from bearenvs.running import RunningGame
from bearenvs.settings import Settings
from tests.toy.game import Picnic


@pytest.mark.parametrize("seat", [-1, 2, 99, True, 0.0, "0", None])
@pytest.mark.parametrize(
    "ask",
    [
        views.hidden,
        views.observation,
        views.seen,
        views.describe,
        views.draw,
        lambda game, states, seat: views.determinized(game, states, seat, seed_words(1)),
    ],
)
def test_a_seat_that_there_is_not_sees_nothing(ask: Callable[..., Any], seat: object) -> None:
    """Compiled code would read outside the state."""
    running = RunningGame(picnic(), 1)
    running.restart()
    with pytest.raises(BearenvsError, match=f"seat={seat!r}: a seat from 0 to 1"):
        ask(running.game, running.states, seat)


def test_a_seat_may_be_a_numpy_integer() -> None:
    running = RunningGame(picnic(), 1)
    running.restart()
    expected = views.observation(running.game, running.states, 1)
    seat: Any = np.int8(1)
    np.testing.assert_array_equal(views.observation(running.game, running.states, seat), expected)


def picnic() -> Any:
    settings: Settings = Picnic.settings_type.parse("picnic", {})
    return Picnic(settings, Picnic.content_type.load(Picnic.folder / "content.toml", is_default=True), compiled=False)
