"""Actions and outcomes in plain words, as choices and logs tell them."""

from random import Random

import pytest

from bearenvs import load_game
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.playthrough import Position
from bearenvs.words import YOU, Words
from tests.playing import Case

GAMES = ("honey_wars", "ursa_miner", "outrun_the_bear")


@pytest.mark.parametrize("name", GAMES)
def test_words_name_every_action_and_outcome_apart(name: str) -> None:
    """At the largest table, for every seat: no two choices ever read the same."""
    game = load_game(name, num_players=load_game(name).max_players)
    words = game.words
    for seat in range(game.num_players):
        told = [words.action(text) for text in game.actions.texts(seat)]
        assert len({*told}) == len(told)
        assert not any("_" in line or "{" in line for line in told)
    for who in ("p1", YOU):
        outcomes = [words.outcome(text, who) for text in game.outcomes.texts()]
        assert len({*outcomes}) == len(outcomes)
        assert not any("_" in line or "{" in line for line in outcomes)


@pytest.mark.parametrize(
    ("name", "notation", "plain"),
    [
        ("honey_wars", "attack kid_with_a_stick p0.2", "put Kid with a Stick on hive 2 of p0"),
        ("ursa_miner", "rally b0 b2", "send bear 0 to bear 2"),
        ("ursa_miner", "rally b2 b0", "send bear 2 to bear 0"),
        ("ursa_miner", "hire b0", "hire a bear on the stack of bear 0"),
        ("ursa_miner", "shove p1.b3 c7", "push bear 3 of p1 to c7"),
        ("outrun_the_bear", "step c12r3", "step to column 12, row 3"),
    ],
)
def test_choices_read_plainly(name: str, notation: str, plain: str) -> None:
    game = load_game(name)
    assert notation in {text for seat in range(game.num_players) for text in game.actions.texts(seat)}
    assert game.words.action(notation) == plain


@pytest.mark.parametrize(
    ("name", "notation", "by_another", "by_the_reader"),
    [
        ("honey_wars", "draw nosema", "p1 draws Nosema", "you draw Nosema"),
        ("honey_wars", "die 6", "p1 rolls 6", "you roll 6"),
        ("ursa_miner", "tile h1/1", *["a tile of 1 honey for 1 bear is turned over"] * 2),
        ("ursa_miner", "tile j2/3", *["a tile of 2 royal jelly for 3 bears is turned over"] * 2),
        ("outrun_the_bear", "trail 4.b", *["trail tile 4, side b, is laid"] * 2),
        ("outrun_the_bear", "steal trail_mix", "p1 steals Trail Mix", "you steal Trail Mix"),
    ],
)
def test_outcomes_read_plainly(name: str, notation: str, by_another: str, by_the_reader: str) -> None:
    game = load_game(name)
    assert notation in game.outcomes.texts()
    assert game.words.outcome(notation, "p1") == by_another
    assert game.words.outcome(notation, YOU) == by_the_reader


def test_what_has_no_words_keeps_its_notation(picnic: None) -> None:
    game = load_game("picnic", compiled=False)
    assert game.words.action(game.actions.text(0, 0)) == game.actions.text(0, 0)
    assert Words().outcome("draw plum", YOU) == "draw plum"
    assert Words().unseen_outcome("p1") == "something happens by chance that you do not see"


def test_whoever_draws_is_named_and_learns_what(case: Case) -> None:
    """A seat is told words that name itself for its own outcomes; of another's private one, only whose it is."""
    game = load_game(case[0], **case[1])
    position, rng = Position(game), Random(6)
    private = 0
    for _ in range(300):
        if position.to_act == TERMINAL:
            break
        event = rng.choice(position.possible())
        told = {seat: position.told(event, seat) for seat in range(game.num_players)}
        whole = position.told(event, "all")
        assert whole is not None and "do not see" not in whole
        for seat, words in told.items():
            is_seen = position.is_seen_by(event, seat)
            assert (words is None) == (not is_seen and position.to_act != CHANCE)
            if words is not None and words != whole:
                assert position.to_act == CHANCE
                assert ("do not see" in words) == (not is_seen)
                private += not is_seen
            befallen = game.outcome_seat(position.states[0])
            if position.to_act == CHANCE and is_seen and whole.startswith("p"):
                assert words is not None and words.startswith(YOU if befallen == seat else f"p{befallen}")
        position.play(event)
    assert private, "nothing was private: the test tests nothing"
