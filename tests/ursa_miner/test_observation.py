"""The observation of Ursa Miner, and random games of all settings."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.registry import load_game
from bearenvs.rng import random_below, seed_words
from bearenvs.ursa_miner.game import UrsaMiner
from bearenvs.ursa_miner.state import ACTIONS, EFFECT, NOTHING, STATE
from tests.ursa_miner.table import LINE, Table

ALL_SETTINGS = [
    {"num_players": n, "sleepy_bears": sleepy, "honey_burst": burst}
    for n, sleepy, burst in product((2, 3, 4), (False, True), (False, True))
]


def section(table: Table, seat: int, name: str) -> npt.NDArray[np.float32]:
    shape = {section.name: section.shape for section in table.game.layout}[name]
    values = views.observation(table.game, table.states, seat)[0][table.game.layout[name]]
    shaped: npt.NDArray[np.float32] = values.reshape(shape)
    return shaped


def test_cells() -> None:
    table = Table({10: "? j1/2", 11: "?? h3/3", 12: "h1/1"}, [[10, 12], [12]])
    mine, theirs = section(table, 0, "cells"), section(table, 1, "cells")
    assert mine.shape == (30, 22)
    assert not mine[9].any()
    #                                     here honey jelly bears  covered  height gray black cut now
    np.testing.assert_allclose(mine[10, :12], [1, 0, 1 / 5, 2 / 5, 0, 0, 0, 2 / 7, 1, 0, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(mine[11, :12], [1, 3 / 5, 0, 3 / 5, 0, 0, 0, 3 / 7, 1, 1, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(mine[12, :12], [1, 1 / 5, 0, 1 / 5, 0, 0, 0, 1 / 7, 0, 0, 0, 0], rtol=1e-6)
    assert np.argwhere(mine[:, 12:]).tolist() == [[10, 0], [12, 1], [12, 5]]  # own bears b0 to b4, then the next seat's
    assert np.argwhere(theirs[:, 12:]).tolist() == [[10, 5], [12, 0], [12, 6]]


def test_cell_that_must_stay() -> None:
    cells = section(Table(LINE, [[9], [14]]), 0, "cells")
    assert np.flatnonzero(cells[:, 10]).tolist() == [10, 11, 12, 13]
    high = section(Table({**LINE, 11: "? h1/1"}, [[9], [14]]), 0, "cells")
    assert np.flatnonzero(high[:, 10]).tolist() == [10, 12, 13]


def test_bears_seats_and_cards() -> None:
    table = Table(LINE, [[9, 11], [14], [13]], [["bear_hug", "stampede"], ["cave_in"]], honey=[3, 0, 6], num_players=3)
    table.seat(2).jelly = 2
    table.do("move b0 c10", "move b0 c9", "play stampede", "move b1 c12")
    #                          in play, may move, may mine, moved by the card, moves made / 2
    assert section(table, 0, "bears")[:3].tolist() == [[1, 0, 0, 0, 1], [1, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    honey, jelly = table.game.record[0].content.total_honey, table.game.record[0].content.total_jelly
    assert (honey, jelly) == (16 + 16 + 12 + 10 + 12 + 4, 8 + 12 + 9 + 6 + 8 + 10)
    np.testing.assert_allclose(
        section(table, 2, "seats"),
        [[6 / honey, 2 / jelly, 0, 4 / 5, 0], [2 / honey, 0, 1 / 21, 3 / 5, 1], [0, 0, 1 / 21, 4 / 5, 0]],
        rtol=1e-6,
    )
    assert np.flatnonzero(section(table, 0, "hand")).tolist() == [table.cards.index("bear_hug")]
    assert section(table, 0, "hand").max() == pytest.approx(1 / 3)
    assert np.flatnonzero(section(table, 1, "card")).tolist() == [table.cards.index("stampede")]
    assert np.flatnonzero(section(table, 0, "phase")).tolist() == [EFFECT]
    assert section(table, 0, "turn")[:3].tolist() == pytest.approx([1, 0, 2 / 9])
    table.do("stop")
    assert section(table, 0, "discard")[table.cards.index("stampede")] == pytest.approx(1 / 2)
    assert np.flatnonzero(section(table, 0, "phase")).tolist() == [ACTIONS]


def test_bears_that_differ_in_what_they_did_look_different() -> None:
    """After a move a bear may do what a fresh one may, and after both uses as little as after two moves (UM-A1)."""
    table = Table(LINE, [[9, 11, 12, 13], [14]])
    seat = table.seat(0)
    seat.moves[:4], seat.mined[:4] = [0, 1, 1, 2], [0, 0, 1, 0]
    rows = section(table, 0, "bears")[:4].tolist()
    assert rows == [[1, 1, 1, 0, 0], [1, 1, 1, 0, 0.5], [1, 0, 0, 0, 0.5], [1, 0, 0, 0, 1]]


def test_shown_cards_of_other_seats() -> None:
    table = Table(LINE, [[9, 12], [14]], [["scent_trail"]], honey=[1], num_players=2)
    table.do("play scent_trail", "rally b0 b1")
    assert section(table, 1, "shown")[0, table.cards.index("scent_trail")] == pytest.approx(1 / 2)
    assert not section(table, 0, "shown").any()


def test_kinds_without_copies_are_seen_as_none(tmp_path: Path) -> None:
    """A content file may hold cards and tiles of which there is none: their shares are 0, not 0 / 0."""
    text = (UrsaMiner.folder / "content.toml").read_text()
    text = text.replace('name = "Bear Hug"\ncopies = 3', 'name = "Bear Hug"\ncopies = 0', 1)
    text += '\n[[tiles]]\ncolor = "black"\nresource = "honey"\nvalue = 9\nbears = 1\ncopies = 0\n'
    path = tmp_path / "few.toml"
    path.write_text(text.replace("deck_size = 28", "deck_size = 25"))
    game = loaded(content=str(path))
    for states in random_game(game, 3, 200):
        seen = views.observation(game, states, 0)[0]
        for name, place in (("hand", 2), ("discard", 2), ("unseen", 11)):
            assert seen[game.layout[name]][place] == 0.0


TILE = '\n[[tiles]]\ncolor = "%s"\nresource = "honey"\nvalue = %d\nbears = 1\ncopies = %d\n'


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("num_kinds", [3, 22])
def test_the_smallest_and_the_largest_content_fill_their_rows(tmp_path: Path, num_kinds: int, compiled: bool) -> None:
    """What is pasted is longer than some sections: nothing of it stays, and nothing lies behind the row."""
    text = (UrsaMiner.folder / "content.toml").read_text()
    text = text[: text.index("[[tiles]]")].replace("deck_size = 21", "deck_size = 20").replace("= 28", "= 20")
    few = ("brown", "gray", "black")
    text += "".join(TILE % (few[kind % 3], 1 + kind // 3, 60) for kind in range(num_kinds))
    text += '\n[[cards]]\nname = "Nap"\ncopies = 20\ncost = 0\neffect = "refresh"\nafter = "discard"\n'
    path = tmp_path / "content.toml"
    path.write_text(text)
    game = loaded(content=str(path), compiled=compiled)
    buffer = np.full(game.observation_size + 64, -1.0, np.float32)
    out = buffer[: game.observation_size]
    for states in random_game(game, 3, 100):
        out[:] = -1.0
        game.bind(drivers.observe_rows)(game.record, states, 0, out.reshape(1, -1))
        state = states[0]
        np.testing.assert_array_equal(
            out[game.layout["unseen"]], (state.unseen_tiles[1 : num_kinds + 1] / 60).astype(np.float32)
        )
        assert out[game.layout["card"]].tolist() == [state.card != NOTHING]
        assert np.flatnonzero(out[game.layout["phase"]]).tolist() == [state.phase]
        assert out.min() >= 0.0 and out.max() <= 1.0
        assert (buffer[game.observation_size :] == -1.0).all()


def test_state_is_small_and_packed() -> None:
    assert STATE.itemsize <= 1024
    assert STATE.itemsize == sum(STATE[name].itemsize for name in STATE.names or ())


def random_game(game: UrsaMiner, seed: int, events: int) -> list[npt.NDArray[Any]]:
    """The states of a random game, before each of at most so many events."""
    rng = seed_words(seed)
    states = game.record["initial"].copy()
    history = [states.copy()]
    event = np.zeros(1, np.int64)
    while states[0].to_act != TERMINAL and len(history) <= events:
        if states[0].to_act == CHANCE:
            game.bind(drivers.sample_chance_rows)(game.record, states, rng, event)
        else:
            legal = views.legal_actions(game, states)
            assert legal == sorted(set(legal))
            event[0] = legal[random_below(rng, len(legal))]
        game.bind(drivers.apply_rows)(game.record, states, event)
        history.append(states.copy())
    return history


def loaded(*, compiled: bool = True, **settings: Any) -> UrsaMiner:
    game = load_game("ursa_miner", compiled=compiled, **settings)
    assert isinstance(game, UrsaMiner)
    return game


@pytest.mark.parametrize("settings", ALL_SETTINGS)
def test_laws_hold_and_observations_stay_in_bounds(settings: dict[str, Any]) -> None:
    game = loaded(**settings)
    for states in random_game(game, 3, 1000):
        assert all(game.laws(states[0]).values()), game.laws(states[0])
        for seat in range(game.num_players):
            seen = views.observation(game, states, seat)
            assert seen.min() >= 0.0 and seen.max() <= 1.0
            hidden = views.hidden(game, states, seat)
            np.testing.assert_array_equal(views.observation(game, hidden, seat), seen)


@pytest.mark.parametrize("settings", ALL_SETTINGS[::3])
def test_compiled_and_interpreted_games_are_the_same(settings: dict[str, Any]) -> None:
    compiled, plain = loaded(**settings), loaded(compiled=False, **settings)
    for one, other in zip(random_game(compiled, 4, 120), random_game(plain, 4, 120), strict=True):
        assert one.tobytes() == other.tobytes()
        seat = max(0, int(one[0].to_act))
        np.testing.assert_array_equal(views.observation(compiled, one, seat), views.observation(plain, one, seat))
