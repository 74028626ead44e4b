"""The engine and the independent referee, side by side: same questions, same odds, same table, same end."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.outrun_the_bear.board import space_name
from bearenvs.outrun_the_bear.content import LETTERS, Action, Equipment, OutrunTheBearContent, Reaction
from bearenvs.outrun_the_bear.game import OutrunTheBear
from bearenvs.outrun_the_bear.hands import pile_card
from bearenvs.outrun_the_bear.state import NOTHING, RUNNING
from bearenvs.registry import load_game
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
    if isinstance(card, Action):
        return oracle.card("action", card.copies, card.bear, **{item.effect: item.n or 0 for item in card.effects})
    if isinstance(card, Reaction):
        return oracle.card("reaction", card.copies, card.bear, **{card.effect: card.n or 0})
    return oracle.card("equipment", card.copies, card.bear, **{card.ability: card.n or 0})


def play_side_by_side(game: Game, settings: dict[str, Any], seed: int) -> Oracle:
    """Play one random game in both, comparing them before every event; return the finished referee.

    Half of the time the last legal action is taken, which runs forward where it can: the park is seen to its end.
    """
    assert isinstance(game, OutrunTheBear)
    random = Random(seed)
    referee = Oracle(settings, for_referee(game.cards))
    states = game.record["initial"].copy()
    while states[0].to_act != TERMINAL:
        compare_tables(game, states[0], referee)
        if states[0].to_act == CHANCE:
            weights = views.chance_weights(game, states)
            odds = {game.outcomes.text(i): int(weight) for i, weight in enumerate(weights) if weight}
            assert odds == referee.chance()
            text = random.choices(list(odds), list(odds.values()))[0]
            event = game.outcomes.index(text)
            seen_by = game.bind(drivers.seen_by_row)(game.record, states, event)
            assert {seat for seat in range(game.num_players) if seen_by >> seat & 1} == referee.seen_by
        else:
            seat = int(states[0].to_act)
            assert seat == referee.to_act
            texts = [game.actions.text(action, seat) for action in views.legal_actions(game, states)]
            assert sorted(texts) == sorted(referee.legal())
            text = random.choice([texts[-1], random.choice(texts)])
            event = game.actions.index(text, seat)
        referee.apply(text)
        game.bind(drivers.apply_rows)(game.record, states, np.array([event]))
    assert referee.to_act == "terminal"
    assert referee.truncated == bool(states[0].truncated)
    np.testing.assert_allclose(views.returns(game, states)[0], [float(value) for value in referee.returns()])
    return referee


def compare_tables(game: OutrunTheBear, state: Any, referee: Oracle) -> None:
    ids = game.cards.card_ids

    def names(kinds: Any) -> list[str]:
        return [ids[kind] for kind in kinds if kind != NOTHING]

    assert int(state.bear) == referee.bear
    assert bool(state.skips_turn) == referee.bear_skips
    assert int(state.token) == referee.token
    faces = [f"{face // 2 + 1}.{'ab'[face % 2]}" for face in state.faces.tolist() if face != NOTHING]
    assert faces == referee.tiles
    assert Counter({name: int(count) for name, count in zip(ids, state.deck, strict=False) if count}) == referee.unseen
    assert [ids[pile_card(state, k)] for k in range(-int(state.num_under), 0)] == referee.under
    assert [ids[pile_card(state, k)] for k in range(state.num_pile)] == [*referee.taken, *referee.discard]
    removed: Pile = Counter({name: int(count) for name, count in zip(ids, state.removed, strict=False) if count})
    for seat in range(game.num_players):
        me = state.seats[seat]
        if me.status == RUNNING:
            assert space_name(int(me.space), game.lot) == referee.where[seat].text()
            assert Counter(names(me.hand)) == referee.hands[seat]
        else:
            assert seat in referee.escaped | referee.caught
            removed.update(names(me.hand))
        assert names([me.equipment]) == [name for name in [referee.equipment[seat]] if name is not None]
        runner = None if me.runner == NOTHING else game.cards.runner_ids[me.runner]
        assert runner == referee.runners[seat]
    assert removed == referee.removed


def test_default_content_is_the_written_one() -> None:
    """The content file holds exactly the tables of the written rules."""
    content = load_game("outrun_the_bear").content
    assert isinstance(content, OutrunTheBearContent)
    assert for_referee(content) == {**oracle.REFERENCE, "numbers": oracle.NUMBERS}


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


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join(map(str, variant)) or "plain")
def test_default_content(num_players: int, variant: dict[str, Any]) -> None:
    settings = {"num_players": num_players, **variant}
    game = load_game("outrun_the_bear", **settings)
    for seed in range(6):
        play_side_by_side(game, settings, seed)


def written(tmp_path: Path, seed: int) -> Path:
    """Write a content file with random but valid figures: slow Bear, short decks, rare cards common, other trails."""
    random = Random(seed)

    def figure(line: str) -> str:
        key = line.partition(" = ")[0]
        if key == "copies":
            return f"copies = {random.choice([0, 1, 1, 2, 4])}"
        if key == "bear":
            return f"bear = {random.choice([0, 0, 0, 1])}"
        if key == "n":
            return f"n = {random.randint(1, 2)}"
        if key in SETUP:
            return f"{key} = {random.randint(1, 4)}"
        is_map = len(line) == 8 and set(line) <= set(LETTERS)
        return "".join(random.choices("".join(LETTERS), k=8)) if is_map else line

    default = (OutrunTheBear.folder / "content.toml").read_text(encoding="utf-8")
    file = tmp_path / f"content{seed}.toml"
    file.write_text("\n".join(map(figure, default.splitlines())), encoding="utf-8")
    return file


@pytest.mark.parametrize("seed", range(20))
def test_random_content(tmp_path: Path, seed: int) -> None:
    """Any valid content plays by the same rules: decks that run out, thefts in turn, long slides, full hands."""
    variant = VARIANTS[seed % len(VARIANTS)]
    settings = {"num_players": 2 + seed % 5, "max_rounds": 30, **variant} | {"equipment_for_all": False}
    game = load_game("outrun_the_bear", content=written(tmp_path, seed), **settings)
    for repeat in range(3):
        play_side_by_side(game, settings, 100 * seed + repeat)
