"""The engine and the independent referee, side by side: same questions, same odds, same table, same end."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.honey_wars.content import HoneyWarsContent
from bearenvs.honey_wars.state import NOTHING
from bearenvs.registry import load_game
from bearenvs.views import States
from tests import referee
from tests.honey_wars import oracle
from tests.honey_wars.oracle import Oracle


def for_referee(content: HoneyWarsContent) -> dict[str, Any]:
    """Turn the engine's content into the referee's tables."""
    setup = content.setup
    ids = iter(content.card_ids)
    return {
        "starting_hive": content.card_ids[[hive.name for hive in content.hives].index(setup.starting_hive)],
        "hives": {next(ids): oracle.hive(hive.copies, hive.cost, hive.bonus) for hive in content.hives},
        "buddies": {
            next(ids): oracle.buddy(buddy.copies, buddy.type, buddy.cost, buddy.ability, buddy.n or 0)
            for buddy in content.buddies
        },
        "threats": {
            next(ids): oracle.threat(
                threat.copies, threat.level, threat.cost, threat.continuous, threat.effect, threat.n or 0
            )
            for threat in content.threats
        },
        "numbers": {
            "cubes": setup.honey_cubes,
            "starting_honey": setup.starting_honey,
            "hand_size": setup.hand_size,
            "die_faces": setup.die_sides,
            "harvest_base": setup.base_harvest,
            "max_hives": 3,
            "honey_to_win": setup.winning_honey,
            "only_hive_loss": setup.only_hive_loss,
            "discard_hand_cost": setup.discard_hand_cost,
        },
    }


def side_by_side(game: Game, settings: dict[str, int], seed: int) -> Iterator[tuple[States, Oracle]]:
    """Play one random game in both, comparing them; yield the two before every event and at the end."""
    random = Random(seed)
    content = game.content
    assert isinstance(content, HoneyWarsContent)
    other = Oracle(settings, for_referee(content))
    states = game.record["initial"].copy()
    while states[0].to_act != TERMINAL:
        compare_tables(game, content, states[0], other)
        yield states, other
        if states[0].to_act == CHANCE:
            weights = views.chance_weights(game, states)
            odds = {game.outcomes.text(i): int(weight) for i, weight in enumerate(weights) if weight}
            assert odds == other.chance()
            text = random.choices(list(odds), list(odds.values()))[0]
            event = game.outcomes.index(text)
        else:
            seat = int(states[0].to_act)
            assert seat == other.to_act
            texts = [game.actions.text(action, seat) for action in views.legal_actions(game, states)]
            assert sorted(texts) == sorted(other.legal())
            text = random.choice(texts)
            event = game.actions.index(text, seat)
        other.apply(text)
        game.bind(drivers.apply_rows)(game.record, states, np.array([event]))
    assert other.to_act == referee.TERMINAL
    assert other.truncated == bool(states[0].truncated)
    np.testing.assert_allclose(views.returns(game, states)[0], [float(value) for value in other.returns()])
    yield states, other


def play_side_by_side(game: Game, settings: dict[str, int], seed: int) -> Oracle:
    """Play one random game in both, comparing them before every event; return the finished referee."""
    *_, (_, other) = side_by_side(game, settings, seed)
    return other


def compare_tables(game: Game, content: HoneyWarsContent, state: Any, other: Oracle) -> None:
    ids = content.card_ids
    assert int(state.pot) == other.pot
    assert int(state.num_shuffles) == other.num_shuffles
    assert {ids[kind]: int(state.deck[kind]) for kind in np.flatnonzero(state.deck)} == +other.deck
    for seat in range(game.num_players):
        me = state.seats[seat]
        assert int(me.honey) == other.honey[seat]
        assert [ids[kind] for kind in me.hives[: me.num_hives]] == [hive.card for hive in other.hives[seat]]
        assert {ids[kind]: int(me.hand[kind]) for kind in np.flatnonzero(me.hand)} == +other.hands[seat]
        if state.to_act != CHANCE:  # while cards are lost, a beaten threat may lie on its hive or in the pile
            threats = [None if kind == NOTHING else ids[kind] for kind in me.threats[: me.num_hives]]
            assert threats == [hive.threat and hive.threat.card for hive in other.hives[seat]]
        buddy = other.buddies[seat]
        assert (None if me.buddy == NOTHING else ids[me.buddy]) == buddy


def test_default_content_is_the_written_one() -> None:
    """The content file holds exactly the tables of the written rules."""
    content = load_game("honey_wars").content
    assert isinstance(content, HoneyWarsContent)
    expected = {**oracle.REFERENCE, "numbers": oracle.NUMBERS}
    assert for_referee(content) == expected


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("late_seat_honey", [0, 1])
def test_default_content(num_players: int, late_seat_honey: int) -> None:
    game = load_game("honey_wars", num_players=num_players, late_seat_honey=late_seat_honey)
    for seed in range(25):
        play_side_by_side(game, {"num_players": num_players, "late_seat_honey": late_seat_honey}, seed)


def test_truncation() -> None:
    """HW-V2: after max_turns turns the game is truncated, unless somebody has won."""
    game = load_game("honey_wars", num_players=3, max_turns=7)
    ends = {play_side_by_side(game, {"num_players": 3, "max_turns": 7}, seed).truncated for seed in range(20)}
    assert True in ends


def written(tmp_path: Path, seed: int) -> Path:
    """Write a content file with random but valid figures: rare effects become common, decks small."""
    random = Random(seed)
    default = (Path(drivers.__file__).parent / "honey_wars" / "content.toml").read_text(encoding="utf-8")
    figures: dict[str, Callable[[], object]] = {
        "copies": lambda: random.choice([0, 1, 1, 2, 4]),
        "cost": lambda: random.randint(0, 4),
        "level": lambda: random.randint(1, 10),
        "n": lambda: random.randint(1, 6),
        "continuous": lambda: random.choice(["true", "false"]),
        "honey_cubes": lambda: random.randint(20, 50),
    }
    keys = [line.partition(" = ")[0] for line in default.splitlines()]
    lines = [
        f"{key} = {figures[key]()}" if key in figures else line
        for key, line in zip(keys, default.splitlines(), strict=True)
    ]
    # The first "copies" is that of the starting hive: there must be one for each player.
    first = next(i for i, line in enumerate(lines) if line.startswith("copies"))
    lines[first] = "copies = 8"
    data = tomllib.loads("\n".join(lines))
    total = sum(card["copies"] for kind in ("hives", "buddies", "threats") for card in data[kind])
    assert total >= 24
    file = tmp_path / f"content{seed}.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.mark.parametrize("seed", range(12))
def test_random_content(tmp_path: Path, seed: int) -> None:
    """Any valid content plays by the same rules: continuous hive losses, empty pots, decks that run out."""
    num_players = 2 + seed % 3
    game = load_game("honey_wars", num_players=num_players, content=written(tmp_path, seed), max_turns=80)
    for repeat in range(6):
        play_side_by_side(game, {"num_players": num_players, "max_turns": 80}, 100 * seed + repeat)
