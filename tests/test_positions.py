"""Playing on from states: as a game does, in copies, and nothing that cannot happen."""

import copy
import pickle
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

from bearenvs import Positions, drivers, views
from bearenvs.errors import BearenvsError, IllegalActionError, OutOfSpaceError
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.playthrough import Playthrough
from bearenvs.registry import load_game
from bearenvs.rng import seed_words
from bearenvs.running import RunningGame
from bearenvs.sets import new_set
from tests.playing import Case


def game_of(case: Case) -> Game:
    return load_game(case[0], **case[1])


def played(game: Game, seed: int, num_plies: int = 10**9) -> RunningGame:
    """Play a game at random."""
    running, rng = RunningGame(game, seed), Random(seed)
    running.restart()
    for _ in range(num_plies):
        if running.to_act == TERMINAL:
            break
        running.play(rng.choice(running.legal_actions()))
    return running


def honey_wars(num_plies: int = 10, num_players: int = 3) -> tuple[Game, RunningGame]:
    game = load_game("honey_wars", num_players=num_players)
    return game, played(game, 1, num_plies)


def test_events_lead_where_a_game_went(case: Case) -> None:
    game = game_of(case)
    running = played(game, 3)
    now = Positions.first(game)
    for position, event in Playthrough(game, tuple(running.events)).positions():
        assert now.states.tobytes() == position.states.tobytes()
        assert now.to_act.tolist() == [position.to_act]
        weights, mask = now.outcome_weights(), now.action_mask()
        assert (weights.shape, mask.shape) == ((1, len(game.outcomes)), (1, game.num_actions))
        np.testing.assert_array_equal(weights[0], views.chance_weights(game, position.states))
        assert mask[0].nonzero()[0].tolist() == views.legal_actions(game, position.states)
        now.apply([event])
    assert now.states.tobytes() == running.states.tobytes() and now.to_act.tolist() == [TERMINAL]
    np.testing.assert_array_equal(now.returns(), views.returns(game, running.states))


def test_positions_play_on_apart(case: Case) -> None:
    """Many at once, at decisions, chance and the end, do as each does alone."""
    game = game_of(case)
    running = played(game, 5)
    now = Positions.first(game)
    ahead: list[Positions] = []
    for _, event in Playthrough(game, tuple(running.events)).positions():
        if len(ahead) < 60:
            ahead.append(now.copy())
        now.apply(event)
    ahead.append(Positions(game, running.states))
    # Not checked against the laws of each game, which takes too long for so many.
    many = Positions._of(game, np.concatenate([one.states for one in ahead]))
    live = many[many.to_act != TERMINAL]
    assert len(live) == len(many) - 1 and (live.to_act == CHANCE).any() and (live.to_act >= 0).any()
    weights, masks = live.outcome_weights(), live.action_mask()
    events = np.where(live.to_act == CHANCE, weights.argmax(1), masks.argmax(1))
    for i, event in enumerate(events):
        np.testing.assert_array_equal(weights[i], ahead[i].outcome_weights()[0])
        np.testing.assert_array_equal(masks[i], ahead[i].action_mask()[0])
        ahead[i].apply(event)
    live.apply(events)
    assert live.states.tobytes() == b"".join(one.states.tobytes() for one in ahead[:-1])


def test_chance_settles_and_random_play_comes_to_the_end(case: Case) -> None:
    game = game_of(case)
    start = Positions.first(game)[np.zeros(20, int)]
    rng, again = seed_words(1), seed_words(1)
    start.settle(rng)
    assert (start.to_act != CHANCE).all()
    before, twin = start.copy(), Positions.first(game)[np.zeros(20, int)]
    twin.settle(again)
    assert twin.states.tobytes() == start.states.tobytes()
    start.play_out(rng)
    assert (start.to_act == TERMINAL).all()
    assert len(set(start.states["ply"].tolist())) > 1
    expected = before.states.copy()
    game.bind(drivers.random_playout)(game.record, expected, new_set(game.max_actions), again, 10**9)
    assert expected.tobytes() == start.states.tobytes() and (rng == again).all()
    still = start.states.tobytes()
    start.settle(rng)
    start.play_out(rng)
    assert start.states.tobytes() == still
    before.play_out(rng, max_events=1)
    assert (before.states["ply"] == 1).all()


def test_guesses_are_truths_that_look_the_same_to_the_seat(case: Case) -> None:
    game = game_of(case)
    running = played(game, 2, 8)
    for seat in range(game.num_players):
        known = views.hidden(game, running.states, seat)
        rng, twin = seed_words(seat), seed_words(seat)
        guesses = Positions.sampled(game, known, seat, 30, rng)
        assert len(guesses) == 30
        expected = views.determinized(game, np.repeat(running.states, 30), seat, twin)
        assert guesses.states.tobytes() == expected.tobytes() and (rng == twin).all()
        assert views.hidden(game, guesses.states, seat).tobytes() == known.tobytes() * 30
        Positions(game, guesses.states[:3])
        guesses.play_out(rng)
        assert (guesses.to_act == TERMINAL).all()


def test_what_is_taken_out_is_a_copy() -> None:
    game, running = honey_wars()
    given = running.states.copy()
    positions = Positions(game, given)
    given["to_act"] = TERMINAL
    three = positions[[0, 0, 0]]
    for other in (
        positions[0],
        positions[:],
        positions[np.array([True])],
        positions.copy(),
        copy.deepcopy(positions),
        copy.copy(positions),
        pickle.loads(pickle.dumps(positions)),
    ):
        assert len(other) == 1
        other.apply(other.action_mask()[0].argmax())
        assert other.states.tobytes() != positions.states.tobytes()
    assert positions.states.tobytes() * 3 == three.states.tobytes() == running.states.tobytes() * 3
    assert len(positions[:0]) == 0 and positions[:0].action_mask().shape == (0, game.num_actions)
    positions[:0].apply([])
    assert repr(three) == "Positions('honey_wars', 3)"
    with pytest.raises(IndexError):
        positions[1]
    with pytest.raises(ValueError, match="read-only"):
        positions.states["to_act"] = 0


@pytest.mark.parametrize(
    ("events", "error", "message"),
    [
        ([3, 4], IllegalActionError, r"position 1: action 4 .* is not legal for p0 now; the legal actions are 3 'end'"),
        ([3, -1], OutOfSpaceError, r"position 1: action -1 is not from 0 to \d+; the legal actions of p0 are 3 'end'"),
        ([3, 10**6], OutOfSpaceError, "position 1: action 1000000 is not from 0 to"),
        ([3, 2**63 - 1], OutOfSpaceError, "position 1: action 9223372036854775807 is not from 0 to"),
        (np.array([3, 2**64 - 1], np.uint64), OutOfSpaceError, "position 1: action -1 is not from 0 to"),
        ([3.0, 3.0], OutOfSpaceError, "events must be integers, got float64, the first"),
        ([True, True], OutOfSpaceError, "events must be integers, got bool"),
        (None, OutOfSpaceError, "events must be integers, got object"),
        ([[3], [3, 1]], OutOfSpaceError, "cannot be made an array"),
        ([3], OutOfSpaceError, r"events must have shape \(2,\), got \(1,\)"),
        ([[3, 3]], OutOfSpaceError, r"events must have shape \(2,\), got \(1, 2\)"),
    ],
)
def test_actions_that_cannot_be_are_refused_and_nothing_moves(
    events: Any, error: type[Exception], message: str
) -> None:
    game, running = honey_wars()
    positions = Positions(game, running.states)[[0, 0]]
    with pytest.raises(error, match=message):
        positions.apply(events)
    assert positions.states.tobytes() == running.states.tobytes() * 2


@pytest.mark.parametrize("event", [-1, 10**6, "impossible"])
def test_outcomes_that_cannot_be_are_refused(case: Case, event: Any) -> None:
    game = game_of(case)
    running = played(game, 1)
    for position, played_event in Playthrough(game, tuple(running.events)).positions():
        impossible = np.flatnonzero(views.chance_weights(game, position.states) == 0)
        if position.to_act == CHANCE and len(impossible):
            now = Positions(game, position.states)
            wrong = int(impossible[0]) if event == "impossible" else event
            expected = IllegalActionError if event == "impossible" else OutOfSpaceError
            with pytest.raises(
                expected, match=f"position 0: outcome {wrong} is not possible.*{played_event} '"
            ) as caught:
                now.apply(wrong)
            assert type(caught.value) is expected
            return


def test_nothing_happens_after_the_end() -> None:
    game, running = honey_wars(10**9)
    with pytest.raises(IllegalActionError, match="position 0: the game is over: nothing can happen"):
        Positions(game, running.states).apply(0)


def test_what_is_no_whole_state_is_refused(case: Case) -> None:
    """Compiled code would read and write outside it."""
    game = game_of(case)
    states = played(game, 4, 8).states
    hidden = [views.hidden(game, states, seat) for seat in range(game.num_players)]
    wrong = states.copy()
    wrong["to_act"] = game.num_players
    noise = np.frombuffer(Random(1).randbytes(states.nbytes), game.state_dtype)
    lacking = [row for row in hidden if row.tobytes() != states.tobytes()]  # from some seats nothing is hidden yet
    no_truths, unknown = [*lacking, wrong, noise, np.zeros_like(states)], [noise]
    if views.hidden(game, hidden[1], 0).tobytes() != views.hidden(game, states, 0).tobytes():
        unknown.append(hidden[1])
    assert lacking
    refused: list[tuple[Callable[[], Any], str]] = [
        *((partial(Positions, game, row), r"states\[0\] is no whole state") for row in no_truths),
        *(
            (partial(Positions.sampled, game, row, 0, 2, seed_words(1)), r"states\[0\] is no whole state")
            for row in unknown
        ),
        (lambda: Positions(game, np.concatenate([states, noise])), r"states\[1\] is no whole state"),
        (lambda: Positions(game, states[0]), "states must be an array"),
        (lambda: Positions(game, states.reshape(1, 1)), "states must be an array"),
        (lambda: Positions(game, states["to_act"]), "states must be an array"),
        (lambda: Positions.sampled(game, np.repeat(states, 2), 0, 2, seed_words(1)), "of one state, got 2"),
    ]
    for call, message in refused:
        with pytest.raises(BearenvsError, match=message):
            call()


def test_a_state_of_another_number_of_players_is_refused() -> None:
    game, _ = honey_wars()
    _, other = honey_wars(num_players=4)
    with pytest.raises(BearenvsError, match="is no whole state of honey_wars with these settings"):
        Positions(game, other.states)


@pytest.mark.parametrize(
    "rng",
    [1, None, np.zeros(4, np.uint32), np.ones(4, np.int64), np.ones(3, np.uint32), np.ones(8, np.uint32)[::2]],
    ids=repr,
)
def test_what_is_no_generator_is_refused(rng: Any) -> None:
    game, running = honey_wars()
    positions = Positions(game, running.states)
    for call in (positions.settle, positions.play_out, lambda rng: Positions.sampled(game, running.states, 0, 1, rng)):
        with pytest.raises(BearenvsError, match=r"rng (must be|is all 0)"):
            call(rng)


def test_counts_and_seats_that_cannot_be_are_refused() -> None:
    game, running = honey_wars()
    for limit in (-1, 1.5, True):
        with pytest.raises(BearenvsError, match=r"max_events=.*: an integer from 0"):
            Positions(game, running.states).play_out(seed_words(1), limit)  # type: ignore[arg-type]  # that is tested
    for count in (0, 2.0, True):
        with pytest.raises(BearenvsError, match=r"count=.*: an integer from 1"):
            Positions.sampled(game, running.states, 0, count, seed_words(1))  # type: ignore[arg-type]  # that is tested
    with pytest.raises(BearenvsError, match="seat=3: a seat from 0 to 2"):
        Positions.sampled(game, running.states, 3, 1, seed_words(1))


def test_interpreted_positions_play_the_same() -> None:
    found = []
    for compiled in (True, False):
        game = load_game("honey_wars", num_players=3, compiled=compiled)
        positions = Positions.first(game)[[0, 0]]
        rng = seed_words(5)
        positions.settle(rng)
        positions.apply(positions.action_mask().argmax(1))
        positions.play_out(rng, 200)
        found.append(positions.states.tobytes() + positions.outcome_weights().tobytes())
    assert found[0] == found[1]
