"""The engine and the independent referee, side by side: same questions, same odds, same table, same end."""

import json
from collections import Counter
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.playthrough import record
from bearenvs.registry import load_game
from bearenvs.ursa_miner.content import NO_TILE, UrsaMinerContent
from bearenvs.views import legal_actions
from tests import referee
from tests.ursa_miner import oracle
from tests.ursa_miner.oracle import NEIGHBOURS, Oracle

EAGER = {"mine": 20, "play": 10, "hire": 10, "end": 0.3, "skip": 0.3}
"""Weights with which random players mine deep; in every other game all actions are as likely."""

FACES = [(resource, value, bears) for resource in ("honey", "jelly") for value in (1, 2) for bears in (1, 2, 3)]
EFFECTS = [*(entry["effect"] for entry in oracle.REFERENCE["cards"].values())]


def for_referee(content: UrsaMinerContent) -> dict[str, Any]:
    """Turn the engine's content into the referee's tables."""
    tiles = sorted(content.tiles, key=lambda tile: tile.color)
    return {
        "cores": {setup.num_players: list(setup.core) for setup in content.setup},
        "deck_sizes": {setup.num_players: setup.deck_size for setup in content.setup},
        "tiles": {
            color: {tile.face: tile.copies for tile in group}
            for color, group in groupby(tiles, key=lambda tile: tile.color)
        },
        "cards": {
            card.id: oracle.card(card.copies, card.cost, card.effect, card.n or 0, card.after) for card in content.cards
        },
        "numbers": {
            "bears": content.bears.total,
            "starting_bears": content.bears.starting,
            "hire_cost": content.bears.hire_cost,
            "hardened_tiles": content.hardened_honey.tiles,
            "hardened_honey": content.hardened_honey.value,
            "hardened_bears": content.hardened_honey.bears,
            "burst_cost": 1,
        },
    }


def play_side_by_side(game: Game, settings: dict[str, int], seed: int) -> Oracle:
    """Play one random game in both, comparing them before every event; return the finished referee."""
    random = Random(seed)
    content = game.content
    assert isinstance(content, UrsaMinerContent)
    other = Oracle(settings, for_referee(content))
    states = game.record["initial"].copy()
    while states[0].to_act != TERMINAL:
        if states[0].to_act == CHANCE:
            weights = views.chance_weights(game, states)
            odds = {game.outcomes.text(i): int(weight) for i, weight in enumerate(weights) if weight}
            assert odds == other.chance()
            text = random.choices(list(odds), list(odds.values()))[0]
            event = game.outcomes.index(text)
        else:
            compare_tables(content, states[0], other)
            seat = int(states[0].to_act)
            assert seat == other.to_act
            texts = [game.actions.text(action, seat) for action in legal_actions(game, states)]
            assert sorted(texts) == sorted(other.legal())
            likely = [EAGER.get(text.split()[0], 1) if seed % 2 else 1 for text in texts]
            text = random.choices(texts, likely)[0]
            event = game.actions.index(text, seat)
        other.apply(text)
        game.bind(drivers.apply_rows)(game.record, states, np.array([event]))
    compare_tables(content, states[0], other)
    assert other.to_act == referee.TERMINAL
    assert other.truncated == bool(states[0].truncated)
    np.testing.assert_allclose(views.returns(game, states)[0], [float(value) for value in other.returns()])
    return other


def compare_tables(content: UrsaMinerContent, state: Any, other: Oracle) -> None:
    """At a decision and at the end: while a tile or a card is drawn, either side may be ahead."""
    faces, colors = content.kind_names, ("none", *(tile.color for tile in content.tiles), "hardened")
    for cell, stack in enumerate(other.stacks):
        kinds = [*covered(state, cell), int(state.top[cell])]
        seen = [(colors[kind], faces[kind]) for kind in kinds if kind != NO_TILE]
        assert [(tile.colour, tile.face) for tile in stack if tile.face] == seen
        assert len(stack) == len(seen) + int(state.buried[cell])
        assert (int(state.mountain) >> cell & 1) == bool(stack)
    unseen: Counter[str] = sum(other.unseen_tiles.values(), Counter())
    assert pile(faces, state.unseen_tiles) == unseen
    assert pile(faces, state.mined_tiles) == Counter(face for mined in other.mined for face in mined)
    assert int(state.num_hardened) == other.hardened_left

    ids = [card.id for card in content.cards]
    assert int(state.num_deck) == other.deck_size
    assert pile(ids, state.unseen_cards) == other.unseen_cards
    assert pile(ids, state.discard) == other.discard
    assert (None if state.card < 0 else ids[state.card]) == other.in_play
    enough = max(content.hardened_honey.bears, *(tile.bears for tile in content.tiles))
    assert int(state.discount) == min(other.discount, enough)
    for seat in range(other.num_players):
        me = state.seats[seat]
        assert (int(me.honey), int(me.jelly)) == (other.honey[seat], other.jelly[seat])
        assert pile(ids, me.hand) == other.hands[seat]
        assert pile(ids, me.shown) == other.known[seat]
        n = int(me.num_bears)
        bears = list(zip(me.cell[:n].tolist(), me.moves[:n].tolist(), me.mined[:n].tolist(), strict=True))
        assert bears == [(bear.cell, bear.moves, bear.mined) for bear in other.bears[seat]]


def covered(state: Any, cell: int) -> list[int]:
    """The kinds of the tiles of a stack that were seen and then covered, from the bottom."""
    n = int(state.num_covered)
    pairs = zip(state.covered_cell[:n], state.covered_kind[:n], strict=True)
    return [int(kind) for where, kind in pairs if where == cell]


def pile(names: Any, counts: npt.NDArray[Any]) -> Counter[str]:
    """A multiset by name; tiles of different colors with the same face count together."""
    result: Counter[str] = Counter()
    for kind in np.flatnonzero(counts):
        result[names[kind]] += int(counts[kind])
    return result


def test_default_content_is_the_written_one() -> None:
    """The content file holds exactly the tables of the written rules."""
    content = load_game("ursa_miner").content
    assert isinstance(content, UrsaMinerContent)
    assert for_referee(content) == {**oracle.REFERENCE, "numbers": oracle.NUMBERS}


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("sleepy_bears", [False, True])
@pytest.mark.parametrize("honey_burst", [False, True])
def test_default_content(num_players: int, sleepy_bears: bool, honey_burst: bool) -> None:
    settings: dict[str, Any] = {"num_players": num_players, "sleepy_bears": sleepy_bears, "honey_burst": honey_burst}
    game = load_game("ursa_miner", **settings)
    for seed in range(5):
        play_side_by_side(game, settings, seed)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_playthroughs(num_players: int) -> None:
    """The text form, legal actions and all, passes the referee; a seat's own leaves out only the others' draws."""
    random = Random(num_players)
    game = load_game("ursa_miner", num_players=num_players, honey_burst=True)
    played = record(game, seed=num_players, choose=lambda states, seat: random.choice(legal_actions(game, states)))
    oracle.verify(played.text(legal=True).splitlines())
    whole = played.text().splitlines()
    draws = [number for number, line in enumerate(whole) if line.startswith("* draw")]
    for seat in range(num_players):
        expected = whole.copy()
        for turn, number in enumerate(draws):  # one card each in set-up, then one after each turn
            if turn % num_players != seat:
                expected[number] = "* ?"
        assert played.text(seat).splitlines() == expected


@pytest.mark.parametrize(("max_turns", "truncated"), [(1, True), (20, True), (21, False)])
def test_truncation(max_turns: int, truncated: bool) -> None:
    """UM-E4: after max_turns turns the game is truncated, unless it has ended."""
    settings: dict[str, Any] = {"num_players": 3, "max_turns": max_turns}
    game = load_game("ursa_miner", **settings)
    assert play_side_by_side(game, settings, seed=1).truncated == truncated


def random_content(random: Random) -> dict[str, Any]:
    """Valid content of any kind: odd mountains, few faces, short and long decks, cards that return, free hiring."""
    tiles = [
        {"color": color, "resource": resource, "value": value, "bears": bears, "copies": random.choice([0, 3, 9, 60])}
        for color in ("brown", "gray", "black")
        for resource, value, bears in random.sample(FACES, random.randint(1, 4))
    ]
    for color in ("brown", "gray", "black"):
        next(tile for tile in tiles if tile["color"] == color)["copies"] = 60  # enough for any mountain
    cards = []
    for number, effect in enumerate(random.sample(EFFECTS, len(EFFECTS))):
        entry = {"name": f"Card {number}", "copies": random.choice([0, 1, 2, 6]), "cost": random.randint(0, 2)}
        n = {"n": random.randint(1, 3)} if effect in {"own_move", "mine_discount", "steal"} else {}
        cards.append({**entry, "effect": effect, **n, "after": random.choice(["discard", "return"])})
    cards[0]["copies"] = 9
    num_cards = sum(entry["copies"] for entry in cards)
    total = random.randint(1, 5)
    return {
        "bears": {"total": total, "starting": random.randint(1, total), "hire_cost": random.randint(0, 3)},
        "hardened_honey": {"tiles": random.randint(0, 4), "value": random.randint(1, 3), "bears": random.randint(1, 3)},
        "setup": [
            {"num_players": n, "deck_size": random.randint(1, num_cards), "core": random_core(random)}
            for n in (2, 3, 4)
        ],
        "tiles": tiles,
        "cards": cards,
    }


def random_core(random: Random) -> list[list[int]]:
    """One to four cells, each next to one before it, or one cell apart: the rings fill such gaps."""
    core = [(0, 0)]
    for most_apart in (2, 2, 1)[: random.randint(0, 3)]:
        q, r = random.choice(core)
        dq, dr = random.choice(NEIGHBOURS)
        apart = random.randint(1, most_apart)
        core.append((q + apart * dq, r + apart * dr))
    return [list(cell) for cell in dict.fromkeys(core)]


def write_toml(file: Path, data: dict[str, Any]) -> Path:
    lines = []
    for key, value in data.items():
        for entry in value if isinstance(value, list) else [value]:
            lines.append(f"[[{key}]]" if isinstance(value, list) else f"[{key}]")
            lines += [f"{name} = {json.dumps(figure)}" for name, figure in entry.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.mark.parametrize("seed", range(16))
def test_random_content(tmp_path: Path, seed: int) -> None:
    """Any valid content plays by the same rules: mountains mined to the last stack, cards back in the hand."""
    random = Random(seed)
    settings: dict[str, Any] = {
        "num_players": 2 + seed % 3,
        "sleepy_bears": random.random() < 0.5,
        "honey_burst": random.random() < 0.7,
        "max_turns": 60,
    }
    file = write_toml(tmp_path / "content.toml", random_content(random))
    game = load_game("ursa_miner", content=file, **settings)
    for repeat in range(3):
        play_side_by_side(game, settings, 100 * seed + repeat)


def test_hardened_honey_with_a_tile_s_figures(tmp_path: Path) -> None:
    """swap_tops: the same figures are the same face, be they on a tile or on Hardened Honey."""
    data = random_content(Random(0))
    data["hardened_honey"] = {"tiles": 4, "value": 1, "bears": 2}
    data["tiles"] = [
        {"color": color, "resource": "honey", "value": 1, "bears": 2, "copies": 60}
        for color in ("brown", "gray", "black")
    ]
    data["cards"] = [
        {"name": effect, "copies": 9, "cost": 0, "effect": effect, "after": "discard"}
        for effect in ("swap_tops", "place_hardened")
    ]
    data["setup"] = [{**setup, "deck_size": 18} for setup in data["setup"]]
    game = load_game("ursa_miner", content=write_toml(tmp_path / "content.toml", data))
    final = play_side_by_side(game, {}, seed=0)
    assert final.hardened_left < 4
    assert "swap_tops" not in final.discard
