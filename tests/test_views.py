"""What a seat sees, asked for in plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bearenvs import views
from bearenvs.errors import BearenvsError
from bearenvs.registry import load_game
from bearenvs.rng import seed_words
from bearenvs.running import RunningGame
from bearenvs.settings import Settings
from tests.toy.game import Picnic

ASK: dict[str, Callable[[Any, Any], Any]] = {
    "hidden": lambda game, states: views.hidden(game, states, 0),
    "seen": lambda game, states: views.seen(game, states, "all"),
    "determinized": lambda game, states: views.determinized(game, states, 0, seed_words(1)),
    "observation": lambda game, states: views.observation(game, states, 0),
    "returns": views.returns,
    "legal_actions": views.legal_actions,
    "chance_weights": views.chance_weights,
    "describe": lambda game, states: views.describe(game, states, "all"),
    "draw": lambda game, states: views.draw(game, states, "all"),
}
OF_ONE = ("legal_actions", "chance_weights", "describe", "draw")


@pytest.mark.parametrize("ask", ASK)
def test_what_is_no_array_of_this_games_states_is_refused(ask: str) -> None:
    """Compiled code would read outside it."""
    game = picnic()
    states = game.record["initial"].copy()
    wrongs: list[Any] = [None, 5, states.tobytes(), states[0], [states[0]], states.tolist()]
    for wrong in wrongs:
        with pytest.raises(BearenvsError, match=r"states must be an array of .* of picnic, not \w+"):
            ASK[ask](game, wrong)
    for other in (load_game("honey_wars").record["initial"], np.zeros(1), np.zeros(1, object)):
        with pytest.raises(BearenvsError, match=r"states must be an array .*; these are of another dtype"):
            ASK[ask](game, other)
    for wrong in (states[None], states.reshape(()), *([states[:0], states.repeat(2)] if ask in OF_ONE else [])):
        with pytest.raises(BearenvsError, match=r"states must be an array .* got shape"):
            ASK[ask](game, wrong)
    ASK[ask](game, states)


@pytest.mark.parametrize(
    ("rng", "reason"),
    [
        (None, "got NoneType"),
        ([1, 2, 3, 4], "got list"),
        (np.ones(4, np.int64), "got int64"),
        (np.ones(4, ">u4"), "got >u4"),
        (np.ones(3, np.uint32), r"of shape \(3,\)"),
        (np.ones((1, 4), np.uint32), r"of shape \(1, 4\)"),
        (np.ones(8, np.uint32)[::2], "C-contiguous"),
        (np.frombuffer(b"1" * 16, np.uint32), "writeable"),
        (np.zeros(4, np.uint32), "all 0"),
    ],
)
def test_what_is_no_generator_is_refused(rng: Any, reason: str) -> None:
    """Compiled code would write outside it, or draw for ever."""
    game = picnic()
    with pytest.raises(BearenvsError, match=f"rng .*{reason}"):
        views.determinized(game, game.record["initial"].copy(), 0, rng)


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
