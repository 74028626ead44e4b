"""What every seat is shown of Outrun the Bear is what the referee's table says, and means what the layout says."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bearenvs.registry import load_game
from tests.observing import Sections, at_most_one, check_observations, one_hot, shares, total
from tests.outrun_the_bear.oracle import BACK, CAMP, FORWARD, ROWS, Oracle, Space
from tests.outrun_the_bear.test_against_referee import VARIANTS, random_content, side_by_side, variant_id, write
from tests.referee import Pile, size

DECISIONS = ["runner", "terrain", "action", "own step", "other's step", "target", "discard", "to card", "to Bear"]
WINDOW = range(-3, 11)
"""The columns shown, counted from the own runner's."""


def meant(other: Oracle, seat: int) -> Sections:
    """What the sections hold for a seat, by their documented meanings."""
    cards, move, played = other.content["cards"], other.movement, other.played
    copies: Pile = Counter({name: card["copies"] for name, card in cards.items()})
    fours: Pile = Counter(dict.fromkeys(cards, 4))
    kinds = {kind: [name for name in cards if cards[name]["kind"] == kind] for kind in ("action", "equipment")}
    seats = [(seat + step) % other.num_players for step in range(other.num_players)]
    rivals = seats[1:]
    asked = decision(other)
    is_moving = asked != "discard"  # a sprint is paid for first
    shown = place(other, move.mover if move and is_moving else seat)
    discards = [*other.taken, *other.discard]
    runners = other.content["runners"] if other.settings["park_pass"] else []
    own = place(other, seat)
    return {
        "decision": one_hot(DECISIONS, asked if other.to_act == seat else None),
        "movement": [
            at_most_one(move.left / 6 if move else 0),
            float(bool(move and move.is_mandatory)),
            float(bool(move and list(move.directions) == [BACK])),
            float(bool(move and list(move.directions) == [FORWARD])),
        ],
        "card": one_hot(kinds["action"], played and played.card),
        "card_seats": [one_hot(seats, played and played.seat), one_hot(seats, played and played.target)],
        "hand": shares(other.hands[seat], fours),
        "unseen": shares(unseen(other, seat, rivals), copies),
        "pile": shares(Counter(discards), copies),
        "under": shares(Counter(other.under), copies),
        "next": [one_hot(cards, name) for name in [*([] if other.unseen else other.under[:2]), None, None][:2]],
        "oldest": [
            [1.0, at_most_one(cards[name]["bear"] / 4)] if name else [0.0, 0.0]
            for name in [*discards[:12], *[None] * 12][:12]
        ],
        "race": race(other, own, discards),
        "column": one_hot(range(other._last_column() + 1), shown and shown.column),
        "row": one_hot(range(ROWS), shown and shown.row),
        "seats": [runner(other, s, seat) for s in seats],
        "equipment": [one_hot(kinds["equipment"], other.equipment[s]) for s in seats],
        "known": [shares(other.known[seat][s] if s in other.where else Counter(), fours) for s in rivals],
        "columns": columns(other, own),
        "park": park(other, own, [other.where[s] for s in rivals if s in other.where]),
        "runners": np.reshape([one_hot(runners, other.runners[s]) for s in seats], (len(seats), len(runners))),
    }


def decision(other: Oracle) -> str | None:
    """What is asked, by the answers that there are."""
    answers = [text.split() for text in other.legal()]
    verbs = {verb for verb, *_ in answers}
    if other.in_window:
        effects = [effect for _, *names in answers for name in names for effect, _ in other._effects(name)]
        return "to Bear" if "dash" in effects else "to card"
    if verbs & {"step", "stop"}:
        assert other.movement is not None
        return "own step" if other.movement.mover == other.to_act else "other's step"
    by_verb = {"runner": "runner", "pass": "terrain", "crawl": "action", "target": "target", "discard": "discard"}
    return next((by_verb[verb] for verb in by_verb if verb in verbs), None)


def unseen(other: Oracle, seat: int, rivals: list[int]) -> Pile:
    """The deck and the others' hands, those taken out of the game too, but for what the seat has learnt of them."""
    cards = total([other.unseen, *(other.hands[s] + other.taken_along[s] for s in rivals)])
    cards -= total(other.known[seat][s] for s in rivals)
    return cards - total(uncertain[seat] for uncertain in other.uncertain.values())


def place(other: Oracle, seat: int) -> Space | None:
    """Where a runner is; who has escaped is in the parking lot, and who was caught nowhere."""
    return Space(other._last_column(), None) if seat in other.escaped else other.where.get(seat)


def race(other: Oracle, own: Space | None, discards: list[str]) -> list[float]:
    cards, last = other.content["cards"], other._last_column()
    lead = max((place.column for place in other.where.values()), default=0)
    prints = sum(column < (last if other.escaped else lead) for column in other._prints())
    column = own.column if own else 0
    num_cards = sum(card["copies"] for card in cards.values())
    values = [
        other.bear / last,
        column / last,
        (column - other.bear) / 16,
        prints / 12,
        sum(cards[name]["bear"] for name in discards[:prints]) / 16,
        (prints - len(discards)) / 12,
        float(other.bear_skips),
        float(not other.can_sprint),
        size(other.unseen) / num_cards,
        len(other.under) / num_cards,
        len(discards) / num_cards,
        other.rounds_ended / 20,
    ]
    return [at_most_one(value) for value in values]


def runner(other: Oracle, seat: int, observer: int) -> list[float]:
    where, own = other.where.get(seat), place(other, observer)
    own_column = own.column if own else 0
    return [
        *(float(seat in seats) for seats in (other.where, other.escaped, other.caught)),
        where.column / other._last_column() if where else 0.0,
        at_most_one(1 / 2 + (where.column - own_column) / 32) if where else 0.0,
        at_most_one((where.column - other.bear) / 16) if where else 0.0,
        *one_hot(range(ROWS), where and where.row),
        float(where is not None and own is not None and where in other._beside(own)),
        size(other.hands[seat]) / 11,
        float(other.is_players_turn and seat == other.seat),
        float(seat == other.token),
    ]


def window(other: Oracle, own: Space | None) -> list[int]:
    """The columns shown: around the own runner, or the Bear that caught it."""
    return [(own.column if own else other.bear) + step for step in WINDOW]


def columns(other: Oracle, own: Space | None) -> list[list[float]]:
    prints, big = other._prints(), (CAMP.column, other._lot_column())
    return [
        [float(column in prints), float(0 <= column <= other.bear), float(column in big)]
        for column in window(other, own)
    ]


def park(other: Oracle, own: Space | None, rivals: list[Space]) -> npt.NDArray[np.float64]:
    """Of every space that there is; a big one stands for all its rows, and its own terrain is none of these."""
    shown = np.zeros((len(WINDOW), ROWS, 6))
    for place, column in enumerate(window(other, own)):
        for row in range(ROWS) if CAMP.column <= column <= other._last_column() else ():
            terrain = "." if column in (CAMP.column, other._lot_column()) else other._terrain(Space(column, row))
            is_rival_here = Space(column, row) in rivals
            shown[place, row] = [column > other.bear, *one_hot("~/#R", terrain), is_rival_here]
    return shown


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_id)
def test_default_content(variant: dict[str, Any]) -> None:
    number = VARIANTS.index(variant)
    settings = {"num_players": 2 + number % 5, **variant}
    game = load_game("outrun_the_bear", **settings)
    for seed in (number, number + 1):
        check_observations(game, side_by_side(game, settings, seed), meant)


@pytest.mark.parametrize("seed", range(12))
def test_random_content(tmp_path: Path, seed: int) -> None:
    """Any valid content: kinds without copies, thefts in turn, cards of up to four effects, decks that run out."""
    random = Random(seed)
    settings = {"num_players": random.randint(2, 6), **VARIANTS[seed % len(VARIANTS)], "max_rounds": 30}
    game = load_game("outrun_the_bear", content=write(tmp_path / "content.toml", random_content(random)), **settings)
    check_observations(game, side_by_side(game, settings, seed), meant)
