"""What a seat knows of the hidden cards: two pools after a reshuffle, exact for two players."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.registry import load_game
from bearenvs.rng import seed_words


def states_after_reshuffle(num_players: int, count: int) -> list[npt.NDArray[Any]]:
    """Return ``count`` states of random play in which a deck has been reshuffled."""
    game = load_game("honey_wars", num_players=num_players)
    random = np.random.default_rng(1)
    rng = seed_words(1)
    found: list[npt.NDArray[Any]] = []
    while len(found) < count:
        states = game.record["initial"].copy()
        while states[0].to_act != TERMINAL:
            if states[0].to_act == CHANCE:
                event = np.zeros(1, np.int64)
                game.bind(drivers.sample_chance_rows)(game.record, states, rng, event)
            else:
                event = random.choice(views.legal_actions(game, states), 1)
                if states[0].num_shuffles and random.random() < 0.2:
                    found.append(states.copy())
            game.bind(drivers.apply_rows)(game.record, states, event)
    return found[:count]


def test_two_players_know_the_cards_held_over_exactly() -> None:
    game = load_game("honey_wars")
    for states in states_after_reshuffle(2, 60):
        for seat in (0, 1):
            other = states[0].seats[1 - seat]
            sampled = views.determinized(game, states, seat, seed_words(3))[0].seats[1 - seat]
            np.testing.assert_array_equal(sampled.held, other.held)


def test_a_determinization_is_a_possible_deal() -> None:
    """Cards dealt anew come out of what was unseen; held cards only from what was held."""
    game = load_game("honey_wars", num_players=3)
    for states in states_after_reshuffle(3, 40):
        hidden = views.hidden(game, states, 0)[0]
        sampled = views.determinized(game, states, 0, seed_words(4))[0]
        held = sum(sampled.seats[seat].held.astype(int) for seat in (1, 2))
        np.testing.assert_array_equal(held, hidden.held_over)
        assert all(game.laws(sampled).values())


def test_determinizations_are_uniform_over_deals() -> None:
    """With one card in the other hand, each unseen card is as likely as its copies say."""
    game = load_game("honey_wars")
    states = game.record["initial"].copy()
    rng = seed_words(8)
    while states[0].to_act == CHANCE:
        event = np.zeros(1, np.int64)
        game.bind(drivers.sample_chance_rows)(game.record, states, rng, event)
        game.bind(drivers.apply_rows)(game.record, states, event)
    states[0].deck += states[0].seats[1].hand
    states[0].seats[1].hand[:] = 0
    states[0].seats[1].hand[5] = 1
    states[0].seats[1].num_hand = 1
    states[0].deck[5] -= 1
    states[0].num_deck += 3
    hidden = views.hidden(game, states, 0)
    many = np.repeat(hidden, 20000)
    game.bind(drivers.determinize_rows)(game.record, many, 0, rng)
    seen = Counter(many["seats"]["hand"][:, 1].argmax(axis=1).tolist())
    pool = hidden[0].deck / hidden[0].deck.sum()
    for kind in range(20):
        share = seen[kind] / 20000
        assert abs(share - pool[kind]) < 5 * (pool[kind] * (1 - pool[kind]) / 20000) ** 0.5 + 1e-9
