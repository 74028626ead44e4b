"""What the games' observation oracles have in common: numbers for what is so, and the comparison by section.

An oracle says what an observation means: what each of its sections has to hold for a seat, worked out from the
referee's table by the section's documented meaning, and without a look at how the engine writes it.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bearenvs import views
from bearenvs.game import CHANCE, Game
from bearenvs.views import States
from tests.referee import Pile, Referee

Sections = dict[str, npt.ArrayLike]
"""What each section holds, by name, in the shape that the layout gives it."""
Table = TypeVar("Table", bound=Referee)


def one_hot(names: Iterable[object], name: object) -> list[float]:
    """A 1 for the one of the names that it is; nothing but 0 if it is none of them."""
    return [float(other == name) for other in names]


def at_most_one(value: float) -> float:
    return max(0.0, min(value, 1.0))


def shares(pile: Pile, wholes: Pile) -> list[float]:
    """How much of the whole there is of each card, at most 1; of cards without copies there is nothing."""
    return [at_most_one(pile[name] / (whole or 1)) for name, whole in wholes.items()]


def total(piles: Iterable[Pile]) -> Pile:
    return sum(piles, Counter())


def check_observations(
    game: Game, played: Iterable[tuple[States, Table]], meant: Callable[[Table, int], Sections]
) -> None:
    """Compare what each seat is shown of a game, at decisions and at the end, with what is ``meant`` for it."""
    for states, table in played:
        if states[0].to_act != CHANCE:  # nobody is shown a die that is rolling
            for seat in range(game.num_players):
                check_sections(game, states, seat, meant(table, seat))


def check_sections(game: Game, states: States, seat: int, expected: Sections) -> None:
    seen = views.observation(game, states, seat)[0]
    assert list(expected) == [section.name for section in game.layout]
    for section in game.layout:
        shown, right = seen[game.layout[section.name]].reshape(section.shape), np.asarray(expected[section.name])
        assert right.shape == section.shape, (section.name, right.shape)
        wrong = [differing(shown, right, place) for place in np.argwhere(np.abs(shown - right) > 1e-6)]
        assert not wrong, f"{section.name}, as seat {seat} sees it: {'; '.join(wrong[:9])} ({section.meaning})"


def differing(shown: npt.NDArray[np.float32], right: npt.NDArray[np.float64], place: npt.NDArray[np.intp]) -> str:
    index = tuple(place.tolist())
    return f"{list(index)} is {shown[index]:.6g}, not {right[index]:.6g}"
