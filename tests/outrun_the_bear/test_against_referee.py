"""The engine and the independent referee, side by side: same questions, same odds, same table, same end."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import numpy as np
import pytest

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.outrun_the_bear.board import space_name
from bearenvs.outrun_the_bear.content import (
    Action,
    ActionEffect,
    Equipment,
    EquipmentAbility,
    OutrunTheBearContent,
    Reaction,
    ReactionEffect,
    RunnerAbility,
)
from bearenvs.outrun_the_bear.game import OutrunTheBear
from bearenvs.outrun_the_bear.hands import pile_card
from bearenvs.outrun_the_bear.state import NOTHING, RUNNING
from bearenvs.playthrough import record
from bearenvs.registry import load_game
from bearenvs.views import States
from tests import referee
from tests.outrun_the_bear import oracle
from tests.outrun_the_bear.oracle import Oracle
from tests.referee import Pile

# The referee's names for what the engine's content calls otherwise, and whether its number counts from the usual one.
RUNNER_POWERS = {
    "deal_bonus": ("deal", "deal"),
    "hand_bonus": ("hand_limit", "hand_limit"),
    "river_bonus": ("river", "river"),
    "rest_bonus": ("rest_draw", "rest_draw"),
    "back_resistance": ("anchor", None),
}
SETUP = {
    "deal": "deal",
    "hand_limit": "hand_limit",
    "crawl": "crawl",
    "sprint": "sprint",
    "sprint_cost": "sprint_cards",
    "draw": "draw",
}


def for_referee(content: OutrunTheBearContent) -> dict[str, Any]:
    """Turn the engine's content into the referee's tables."""
    numbers = {**oracle.NUMBERS, **{SETUP[name]: value for name, value in content.setup}}
    sides = {
        f"{number}.{side}": getattr(trail, side) for number, trail in enumerate(content.trails, 1) for side in "ab"
    }
    runners = {}
    for runner_id, runner in zip(content.runner_ids, content.runners, strict=True):
        power, base = RUNNER_POWERS.get(runner.ability, (runner.ability, None))
        runners[runner_id] = (power, (runner.n or 0) + (numbers[base] if base else 0))
    return {
        "trails": {name: side.rows for name, side in sides.items()},
        "prints": {name: list(side.prints) for name, side in sides.items()},
        "difficulties": {prints.name: (prints.campsite, prints.parking) for prints in content.difficulties},
        "cards": {name: card_for_referee(card) for name, card in zip(content.card_ids, content.cards, strict=True)},
        "runners": runners,
        "numbers": numbers,
    }


def card_for_referee(card: Action | Reaction | Equipment) -> oracle.Card:
    effects: list[tuple[str, int]]
    if isinstance(card, Action):
        kind, effects = "action", [(item.effect, item.n or 0) for item in card.effects]
    elif isinstance(card, Reaction):
        kind, effects = "reaction", [(card.effect, card.n or 0)]
    else:
        kind, effects = "equipment", [(card.ability, card.n or 0)]
    return {"kind": kind, "copies": card.copies, "bear": card.bear, "effects": effects}


# --- Playing


HABITS: list[dict[str, float]] = [
    {},
    {"forward": 9, "sprint": 6, "play": 3, "stop": 0.2, "pass": 0.3},
    {"forward": 4, "play": 5, "react": 20, "stop": 0.2},
    {"forward": 3, "play": 4, "react": 5, "over": 30, "stop": 0.3},
]
"""Weights of random players: as likely as not; in a hurry for the parking lot; quick to react; over each other.

`forward` weighs a column, `over` a space with a runner in it; the others are first words of actions.
"""


def choose(random: Random, other: Oracle, texts: list[str], habits: dict[str, float]) -> str:
    columns = {text: other.space(text).column for text in texts if text.startswith("step")}

    def weight(text: str) -> float:
        if text not in columns:
            return habits.get(text.partition(" ")[0], 1)
        space = other.space(text)
        is_over = space.row is not None and space in other.where.values()
        ahead = columns[text] - min(columns.values())
        return habits.get("forward", 1) ** ahead * (habits.get("over", 1) if is_over else 1)

    return random.choices(texts, [weight(text) for text in texts])[0]


def side_by_side(game: Game, settings: dict[str, Any], seed: int) -> Iterator[tuple[States, Oracle]]:
    """Play one random game in both, comparing them; yield the two before every event and at the end."""
    assert isinstance(game, OutrunTheBear)
    random = Random(seed)
    other = Oracle(settings, for_referee(game.cards))
    states = game.record["initial"].copy()
    while states[0].to_act != TERMINAL:
        compare_tables(game, states[0], other)
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
            text = choose(random, other, texts, HABITS[seed % len(HABITS)])
            event = game.actions.index(text, seat)
        mask = game.bind(drivers.seen_by_row)(game.record, states, event)
        assert {seat for seat in range(game.num_players) if mask >> seat & 1} == other.seen_by(text)
        other.apply(text)
        game.bind(drivers.apply_rows)(game.record, states, np.array([event]))
    assert other.to_act == referee.TERMINAL
    assert other.truncated == bool(states[0].truncated)
    np.testing.assert_allclose(views.returns(game, states)[0], [float(value) for value in other.returns()])
    yield states, other


def play_side_by_side(game: Game, settings: dict[str, Any], seed: int) -> Oracle:
    """Play one random game in both, comparing them before every event; return the finished referee."""
    *_, (_, other) = side_by_side(game, settings, seed)
    return other


def compare_tables(game: OutrunTheBear, state: Any, other: Oracle) -> None:
    ids = game.cards.card_ids

    def names(kinds: Any) -> list[str]:
        return [ids[kind] for kind in kinds if kind != NOTHING]

    def pile(counts: Any) -> Pile:
        return Counter({ids[kind]: int(counts[kind]) for kind in np.flatnonzero(counts)})

    assert int(state.bear) == other.bear
    assert bool(state.skips_turn) == other.bear_skips
    assert (int(state.token), int(state.num_rounds)) == (other.token, other.rounds_ended)
    faces = [f"{face // 2 + 1}.{'ab'[face % 2]}" for face in state.faces.tolist() if face != NOTHING]
    assert faces == other.tiles
    assert pile(state.deck) == other.unseen
    assert [ids[pile_card(state, k)] for k in range(-int(state.num_under), 0)] == other.under
    assert [ids[pile_card(state, k)] for k in range(state.num_pile)] == [*other.taken, *other.discard]
    removed = pile(state.removed)
    for seat in range(game.num_players):
        me = state.seats[seat]
        assert (me.status == RUNNING) == (seat in other.where)
        if me.status == RUNNING:
            assert space_name(int(me.space), game.lot) == other.where[seat].text()
            assert Counter(names(me.hand)) == other.hands[seat]
        else:
            removed.update(names(me.hand))
        is_out = seat not in other.where and not other.settings["coop"]  # OB-V4
        assert bool(state.is_out[seat]) == is_out
        assert names([me.equipment]) == [name for name in [other.equipment[seat]] if name is not None]
        runner = None if me.runner == NOTHING else game.cards.runner_ids[me.runner]
        assert runner == other.runners[seat]
    assert removed == other.removed


# --- The default content


VARIANTS: list[dict[str, Any]] = [
    {},
    {"difficulty": "first"},
    {"difficulty": "hard", "park_pass": True},
    {"park_pass": True, "equipment_for_all": True},
    {"coop": True},
    {"coop": True, "trail_tiles": 1, "park_pass": True},
    {"coop": True, "trail_tiles": 4, "equipment_for_all": True},
    {"last_one_standing": True},
    {"last_one_standing": True, "park_pass": True, "equipment_for_all": True},
    {"max_rounds": 3},
    {"coop": True, "max_rounds": 2},
]


def variant_id(variant: dict[str, Any]) -> str:
    return "-".join(f"{name}={value}" for name, value in variant.items()) or "plain"


def test_default_content_is_the_written_one() -> None:
    """The content file holds exactly the tables of the written rules."""
    content = load_game("outrun_the_bear").content
    assert isinstance(content, OutrunTheBearContent)
    assert for_referee(content) == {**oracle.REFERENCE, "numbers": oracle.NUMBERS}


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_default_content(num_players: int, variant: dict[str, Any]) -> None:
    settings = {"num_players": num_players, **variant}
    game = load_game("outrun_the_bear", **settings)
    for seed in range(len(HABITS)):
        play_side_by_side(game, settings, seed)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_playthroughs(variant: dict[str, Any]) -> None:
    """The text form, legal actions and all, passes the referee; a seat's own leaves out what it does not see."""
    random = Random(1)
    game = load_game("outrun_the_bear", num_players=3, **variant)
    played = record(game, seed=1, choose=lambda states, seat: random.choice(views.legal_actions(game, states)))
    oracle.verify(played.text(legal=True).splitlines())
    headline, *lines = played.text().splitlines()
    expected = [[headline] for _ in range(3)]
    other = Oracle({"num_players": 3, **variant})
    for line in lines:
        who, _, text = line.partition(" ")
        for seat in range(3):
            if seat in other.seen_by(text):
                expected[seat].append(line)
            elif who == "*":
                expected[seat].append("* ?")
        other.apply(text)
    assert [played.text(seat).splitlines() for seat in range(3)] == expected


# --- Other content


def write(file: Path, data: dict[str, Any]) -> Path:
    file.write_text("\n".join(f"{key} = {to_toml(value)}" for key, value in data.items()), encoding="utf-8")
    return file


def to_toml(value: Any) -> str:
    """Write a value in TOML, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {to_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(to_toml, value)) + "]"
    return json.dumps(value)


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_slow_bear(tmp_path: Path, num_players: int) -> None:
    """Runners get to the parking lot, or round the same tiles again; few of the random ones do with the true Bear."""
    data = tomllib.loads((OutrunTheBear.folder / "content.toml").read_text(encoding="utf-8"))
    for card in [*data["actions"], *data["reactions"], *data["equipment"]]:
        card["bear"] = int(card["bear"] == 3)
    file = write(tmp_path / "content.toml", data)
    settings: dict[str, Any] = {"num_players": num_players, "park_pass": True, "max_rounds": 20}
    game = load_game("outrun_the_bear", content=file, **settings)
    ends = [play_side_by_side(game, settings, seed) for seed in (1, 3)]
    assert any(end.escaped for end in ends)
    settings["last_one_standing"] = True
    game = load_game("outrun_the_bear", content=file, **settings)
    ends = [play_side_by_side(game, settings, seed) for seed in (1, 3)]
    assert any(end.num_shifts > 1 for end in ends)


WITHOUT_NUMBER = {
    "swap_places",
    "discard_half",
    "bear_skip",
    "cancel_on_me",
    "cancel_card",
    "sure_footed",
    "bear_spray",
}


def random_content(random: Random) -> dict[str, Any]:
    """Valid content of any kind: cards of up to four effects, large numbers, short decks, small hands, a slow Bear."""

    def word(kind: str, names: Any) -> dict[str, Any]:
        name = random.choice(get_args(names))
        if name in WITHOUT_NUMBER:
            return {kind: name}
        return {kind: name, "n": random.choice([1, 1, 2, 2, 3, 9]) if name != "hand_bonus" else random.randint(1, 2)}

    slowness = random.choice([1, 3])

    def card(name: str, copies: list[int]) -> dict[str, Any]:
        return {"name": name, "copies": random.choice(copies), "bear": random.choice([0] * slowness + [1, 2])}

    few, many = random.choice([([0, 1, 2], [3]), ([0, 1, 2, 4], [3, 6])])
    return {
        "setup": {
            "deal": random.randint(0, 3),
            "hand_limit": random.choice([1, 3, 5, 7, 9]),
            "crawl": random.randint(1, 3),
            "sprint": random.choice([1, 5, 9]),
            "sprint_cost": random.choice([1, 2, 4]),
            "draw": random.randint(0, 3),
        },
        "difficulties": [
            {"name": name, "campsite": random.choice([0, 1, 2, 5]), "parking": random.choice([0, 1, 7])}
            for name in ("first", "normal", "hard")
        ],
        "trails": random_trails(random),
        "actions": [
            {
                **card(f"Action {number}", few if number else [9]),
                "effects": [word("effect", ActionEffect) for _ in range(random.randint(1, 4))],
            }
            for number in range(random.randint(3, 9))
        ],
        "reactions": [
            {**card(f"Reaction {number}", many), **word("effect", ReactionEffect)}
            for number in range(random.randint(0, 6))
        ],
        "equipment": [
            {**card(f"Equipment {number}", many), **word("ability", EquipmentAbility)} for number in range(4)
        ],
        "runners": [{"name": f"Runner {number}", **word("ability", RunnerAbility)} for number in range(6)],
    }


def random_trails(random: Random) -> list[dict[str, Any]]:
    weights = [random.random() ** 2 for _ in range(5)]

    def side() -> dict[str, Any]:
        rows = ["".join(random.choices(".~/#R", weights, k=8)) for _ in range(4)]
        return {"map": "\n".join(rows), "prints": sorted(random.sample(range(8), random.randint(0, 2)))}

    return [{"a": side(), "b": side()} for _ in range(4)]


@pytest.mark.parametrize("seed", range(24))
def test_random_content(tmp_path: Path, seed: int) -> None:
    """Any valid content plays by the same rules: decks that run out, thefts in turn, long slides, full hands."""
    random = Random(seed)
    variant = {**VARIANTS[seed % len(VARIANTS)], "max_rounds": 30}
    settings = {"num_players": random.randint(2, 6), **variant}
    file = write(tmp_path / "content.toml", random_content(random))
    game = load_game("outrun_the_bear", content=file, **settings)
    for repeat in range(len(HABITS)):
        play_side_by_side(game, settings, repeat)
