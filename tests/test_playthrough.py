"""Playthroughs: written, read, replayed, and refused at the first line that is not possible."""

import re
import shlex
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bearenvs
from bearenvs import IllegalActionError, PlaythroughError, drivers, load_game, replay, views
from bearenvs.playthrough import Position, record
from tests.playing import Case, play

HONEY_WARS: Case = ("honey_wars", {"num_players": 2})


def played(case: Case, seed: int = 1, num_steps: int = 10**9, **settings: Any) -> Any:
    env = bearenvs.make(case[0], **case[1], **settings)
    env.reset(seed=seed)
    play(env, Random(seed), num_steps)
    return env


def test_a_replay_reaches_the_same_state(case: Case) -> None:
    for seed in range(5):
        env = played(case, seed)
        for legal in (False, True):
            again = replay(env.playthrough(legal=legal))
            assert again.final_states().tobytes() == env.unwrapped._running.states.tobytes()
            assert again.text() == env.playthrough()
            assert again.text(legal=True) == env.playthrough(legal=True)


def test_the_record_of_an_unfinished_game_replays_as_partial(case: Case) -> None:
    env = played(case, num_steps=5)
    text = env.playthrough()
    assert replay(text, partial=True).final_states().tobytes() == env.unwrapped._running.states.tobytes()
    last = len(text.splitlines())
    with pytest.raises(PlaythroughError, match=f"line {last + 1}: the text ends before the game does, with p. to act"):
        replay(text)


def test_the_form(case: Case) -> None:
    """First the game and its settings, then `* outcome` and `pS action`, in the tables' notation."""
    env = played(case)
    game = env.unwrapped.game
    first, *lines = env.playthrough().splitlines()
    assert first == f"{case[0]} num_players={case[1]['num_players']}"
    for line in lines:
        who, text = line.split(" ", 1)
        if who == "*":
            assert game.outcomes.text(game.outcomes.index(text)) == text
        else:
            game.actions.index(text, int(re.fullmatch("p([0-9])", who)[1]))  # type: ignore[index]  # else it fails
    assert env.playthrough().endswith("\n")


def test_settings_that_are_not_defaults_stand_in_the_first_line() -> None:
    text = played(HONEY_WARS, late_seat_honey=1).playthrough()
    assert text.startswith("honey_wars num_players=2 late_seat_honey=1\n")
    swapped = text.replace("num_players=2 late_seat_honey=1", "late_seat_honey=1 num_players=2", 1)
    assert replay(swapped).events == replay(text).events


def test_a_content_file_stands_in_the_first_line(tmp_path: Path) -> None:
    file = tmp_path / "my cards, 'new'.toml"
    text = (load_game("honey_wars").folder / "content.toml").read_text()
    file.write_text(text.replace("winning_honey = 12", "winning_honey = 6"))
    env = played(HONEY_WARS, content=file)
    record = env.playthrough()
    digest = env.unwrapped.game.content.digest[:12]
    assert {f"content={file}", f"content_digest={digest}"} <= set(shlex.split(record.splitlines()[0]))
    states = env.unwrapped._running.states.tobytes()
    assert replay(record).final_states().tobytes() == states
    moved = file.rename(tmp_path / "moved.toml")
    with pytest.raises(PlaythroughError, match=r"line 1: .*my cards"):
        replay(record)
    for text_of_it in (record, record.replace(f" content_digest={digest}", "")):
        assert replay(text_of_it, content=moved).final_states().tobytes() == states
    moved.write_text(text.replace("winning_honey = 12", "winning_honey = 7"))
    with pytest.raises(PlaythroughError, match=f"line 1: .*moved.toml has the digest .* played with {digest}"):
        replay(record, content=moved)
    with pytest.raises(PlaythroughError, match=r"line 1: .*moved.toml: the game was played with its own content"):
        replay(played(HONEY_WARS).playthrough(), content=moved)


def test_legal_actions_stand_before_each_action(case: Case) -> None:
    env = bearenvs.make(case[0], **case[1])
    env.reset(seed=3)
    rng = Random(3)
    expected = []
    while env.legal_actions():
        expected.append("# legal: " + " | ".join(env.action_text(action) for action in env.legal_actions()))
        env.step(rng.choice(env.legal_actions()))
    lines = env.playthrough(legal=True).splitlines()
    assert [line for line in lines if line.startswith("#")] == expected
    for comment, action in pairwise(lines):
        if comment.startswith("#"):
            assert action.split(" ", 1)[1] in comment.removeprefix("# legal: ").split(" | ")
    assert [line for line in lines if not line.startswith("#")] == env.playthrough().splitlines()


def test_a_seat_is_shown_what_it_learns(case: Case) -> None:
    """Unseen outcomes as `* ?`, unseen actions not at all; legal actions before its own actions only."""
    env = played(case, 2)
    whole = env.playthrough().splitlines()
    for seat in range(case[1]["num_players"]):
        expected = [whole[0]]
        position = Position(env.unwrapped.game)
        see = env.unwrapped.game.bind(drivers.seen_by_row)
        for line, event in zip(whole[1:], env.unwrapped._running.events, strict=True):
            index = event if event >= 0 else ~event
            if see(env.unwrapped.game.record, position.states, index) >> seat & 1:
                expected.append(line)
            elif event < 0:
                expected.append("* ?")
            assert position.play_recorded(event)
        assert env.playthrough(seat).splitlines() == expected
        legal = env.playthrough(seat, legal=True).splitlines()
        for comment, action in pairwise(legal):
            if comment.startswith("#"):
                assert action.startswith(f"p{seat} ")
        assert sum(line.startswith("#") for line in legal) == sum(line.startswith(f"p{seat} ") for line in legal)


def test_hidden_cards_and_secret_actions_stay_hidden(picnic: None) -> None:
    env = played(("picnic", {"num_players": 3}), 4)
    assert any(line.startswith("p1 bury") for line in env.playthrough().splitlines())
    assert not any(line.startswith("p1 bury") for line in env.playthrough(0).splitlines())
    assert any(line.startswith("p1 bury") for line in env.playthrough(1).splitlines())
    deal = env.playthrough(0).splitlines()[1:7]
    assert any(line.startswith("* draw") for line in deal) and "* ?" in deal


def test_one_seats_record_cannot_be_replayed(case: Case) -> None:
    text = played(case).playthrough(0)
    number = text.splitlines().index("* ?") + 1
    with pytest.raises(PlaythroughError, match=rf"line {number}: '\* \?': an outcome that one seat did not learn"):
        replay(text)


def test_record_plays_as_an_environment_does(case: Case) -> None:
    def choose(states: Any, seat: int) -> int:
        assert states.tobytes() == views.hidden(game, states, seat).tobytes()
        return views.legal_actions(game, states)[-1]

    game = load_game(case[0], **case[1])
    env = bearenvs.make(case[0], **case[1])
    env.reset(seed=5)
    while env.legal_actions():
        env.step(env.legal_actions()[-1])
    assert record(game, 5, choose).text() == env.playthrough()
    with pytest.raises(IllegalActionError, match=r"is not legal for p|is no action"):
        record(game, 5, lambda *_: game.num_actions - 1)
    with pytest.raises(IllegalActionError, match="'x' is no action"):
        record(game, 5, lambda *_: "x")  # type: ignore[arg-type]  # that is the point


# Refused lines


def lines_of(case: Case = HONEY_WARS) -> list[str]:
    lines: list[str] = played(case).playthrough().splitlines()
    return lines


def assert_refused(lines: list[str], number: int, reason: str) -> None:
    with pytest.raises(PlaythroughError, match=f"^line {number}: .*{reason}"):
        replay("\n".join(lines))


def test_comments_and_blank_lines_are_skipped_but_counted() -> None:
    lines = lines_of()
    assert replay("\r\n".join(["# by hand", "", lines[0], "# x", *(f"  {line} " for line in lines[1:])])).events
    assert_refused(["# a", "", "#b", lines[0], "nonsense"], 5, "")


def test_every_cut_off_text_is_refused() -> None:
    text = played(HONEY_WARS).playthrough().rstrip("\n")
    assert replay(text).events
    last_line = text.rindex("\n")
    for size in [*range(0, last_line, 7), *range(last_line, len(text))]:
        with pytest.raises(PlaythroughError, match=r"^line \d+: ") as caught:
            replay(text[:size])
        number = int(re.match(r"line (\d+)", str(caught.value))[1])  # type: ignore[index]  # matched above
        num_lines = len(text[:size].splitlines())
        assert max(num_lines, 1) <= number <= num_lines + 1


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ("chess", "there is no game 'chess'; the games are"),
        ("honey_wars num_players=7", "num_players=7.*one of 2, 3, 4"),
        ("honey_wars players=2", "has no setting 'players'"),
        ("honey_wars name=2", "has no setting 'name'"),
        ("honey_wars compiled=False", "has no setting 'compiled'"),
        ("honey_wars num_players", "'num_players': a setting is written once, as name=value"),
        ("honey_wars num_players=2 num_players=2", "'num_players=2': a setting is written once"),
        ("honey_wars num_players=True", "num_players=True"),
        ("honey_wars num_players=999999999999999999999", "num_players='9+'"),
        ("honey_wars num_players=_", "num_players='_'"),
        ("honey_wars content=/no/such/file.toml", "/no/such/file.toml"),
        ("honey_wars 'num_players=2", "begins no playthrough: No closing quotation"),
        ("import numpy as np", "'import numpy as np' begins no playthrough: there is no game 'import'"),
        ("''", "there is no game ''"),
    ],
)
def test_a_bad_first_line_is_refused(first: str, reason: str) -> None:
    assert_refused([first, *lines_of()[1:]], 1, reason)


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(PlaythroughError, match=r"^line 1: the text is empty"):
        replay(text)


def test_impossible_lines_are_refused() -> None:
    lines = lines_of()
    first_action = next(i for i, line in enumerate(lines) if line.startswith("p0"))
    before = lines[:first_action]
    number = first_action + 1
    assert_refused([*before, "p1 end"], number, r"'p1 end': an action of p0 comes here; possible: .*end")
    assert_refused([*before, "* die 3"], number, "an action of p0 comes here")
    assert_refused([*before, "p0 fly"], number, "there is no action of p0 'fly'; possible: .*end")
    assert_refused([*before, "p0 keep"], number, "'keep' is not possible; possible: .*end")
    assert_refused([*before, "p0"], number, "there is no action of p0 ''")
    assert_refused([*before, "p0 attack nosema p0.0"], number, "there is no action of p0 'attack nosema p0.0'")
    assert_refused([*before, "go on"], number, r"a line is '\* OUTCOME', 'pS ACTION' or '# comment'")
    assert_refused([lines[0], "p0 end"], 2, r"an outcome \('\* \.\.\.'\) comes here; possible: draw small_hive \|")
    assert_refused([lines[0], "* die 3"], 2, "'die 3' is not possible; possible: draw small_hive")
    assert_refused([lines[0], "* draw ace"], 2, "there is no outcome 'draw ace'; possible: draw small_hive")
    assert_refused([*lines, "p0 end"], len(lines) + 1, "the game is over before this line")
    assert_refused(lines[:3], 4, "the text ends where an outcome should follow: it is cut off")


def test_an_outcome_of_no_weight_is_refused() -> None:
    """All nosemas are dealt: the next one cannot be drawn."""
    text = ["honey_wars num_players=2", *["* draw nosema"] * 5]
    assert_refused(text, 6, "'draw nosema' is not possible")


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    lines = lines_of()
    for garbled in (text, f"{lines[0]}\n{text}", f"{lines[0]} {text}\n" + "\n".join(lines[1:])):
        assert re.match(r"line \d+: |nothing", why_refused(garbled))


def why_refused(text: str) -> str:
    try:
        replay(text)
    except PlaythroughError as error:
        return str(error)
    return "nothing"
