"""What every seat is shown of Honey Wars is what the referee's table says, and means what the layout says it does."""

from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from bearenvs.registry import load_game
from tests.honey_wars.oracle import Hive, Oracle
from tests.honey_wars.test_against_referee import side_by_side, written
from tests.observing import Sections, at_most_one, check_observations, one_hot, shares, total
from tests.referee import Pile, size

STEPS = ["roll", "pass", "end", "keep"]
"""A choice of each step, Defend to Draw, that there is in no other."""
EFFECTS = ["no_bonus", "no_harvest", "no_build", "skip_spend"]


def meant(other: Oracle, seat: int) -> Sections:
    """What the sections hold for a seat, by their documented meanings."""
    numbers, content = other.numbers, other.content
    hives, buddies, threats = content["hives"], content["buddies"], content["threats"]
    copies: Pile = Counter({name: card["copies"] for name, card in {**hives, **buddies, **threats}.items()})
    hand_sizes: Pile = Counter(dict.fromkeys(copies, numbers["hand_size"]))
    seats = [(seat + step) % other.num_players for step in range(other.num_players)]
    rivals = seats[1:]
    rows = [[*other.hives[s], *[None] * numbers["max_hives"]][: numbers["max_hives"]] for s in seats]
    step = next((step for step in STEPS if step in other.legal()), None)
    held_over = total(other.held[s] for s in rivals)
    return {
        "phase": one_hot(STEPS, step),
        "turn_seat": one_hot(seats, other.seat),
        "cursor": [float(step == "roll" and hive is other.defended) for hive in rows[seats.index(other.seat)]],
        "turn_flags": [float(other.has_built), *(float(effect in other.effects) for effect in EFFECTS)],
        "supply": [
            other.pot / numbers["cubes"],
            size(other.deck) / size(copies),
            at_most_one((numbers["harvest_base"] + other.num_shuffles) / 10),
            at_most_one(other.turns_ended / other.settings["max_turns"]),
        ],
        "attackers": attackers(rows, seats),
        "hand": shares(other.hands[seat], hand_sizes),
        "unseen": shares(other.deck + total(other.hands[s] for s in rivals) - held_over, copies),
        "held_over": shares(held_over, hand_sizes),
        "seats": [
            [
                other.honey[s] / numbers["cubes"],
                at_most_one(other.honey[s] / numbers["honey_to_win"]),
                len(other.hives[s]) / 3,
                at_most_one(size(other.hands[s]) / numbers["hand_size"]),
                at_most_one(size(other.held[s]) / numbers["hand_size"]),
            ]
            for s in seats
        ],
        "hives": [[one_hot(hives, hive and hive.card) for hive in row] for row in rows],
        "threats": [[one_hot(threats, hive and hive.threat and hive.threat.card) for hive in row] for row in rows],
        "buddies": [one_hot(buddies, other.buddies[s]) for s in seats],
    }


def attackers(rows: list[list[Hive | None]], seats: list[int]) -> npt.ArrayLike:
    """Who played each threat; with two players it goes without saying."""
    if len(seats) == 2:
        return np.zeros((2, len(rows[0]), 0))
    return [[one_hot(seats, hive.threat.attacker if hive and hive.threat else None) for hive in row] for row in rows]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_default_content(num_players: int) -> None:
    settings = {"num_players": num_players, "late_seat_honey": num_players % 2}
    game = load_game("honey_wars", num_players=num_players, late_seat_honey=num_players % 2)
    for seed in range(3):
        check_observations(game, side_by_side(game, settings, seed), meant)


def test_truncation() -> None:
    game = load_game("honey_wars", num_players=3, max_turns=7)
    for seed in range(5):
        check_observations(game, side_by_side(game, {"num_players": 3, "max_turns": 7}, seed), meant)


@pytest.mark.parametrize("seed", range(6))
def test_random_content(tmp_path: Path, seed: int) -> None:
    """Any valid content: decks that run out, hives lost, kinds without copies."""
    settings = {"num_players": 2 + seed % 3, "max_turns": 80}
    game = load_game("honey_wars", num_players=2 + seed % 3, max_turns=80, content=written(tmp_path, seed))
    for repeat in range(2):
        check_observations(game, side_by_side(game, settings, repeat), meant)
