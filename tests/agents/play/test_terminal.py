"""The terminal's table, through prompt_toolkit's pipe input; and the command."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from bearagents.cli import app
from bearagents.names import load_agent
from bearagents.play.seating import resume
from bearagents.play.session import PERSON, Session
from bearagents.play.terminal import Terminal, _Completer
from bearagents.random import RandomAgent
from prompt_toolkit import PromptSession
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import Console
from typer.testing import CliRunner

from bearenvs.playthrough import replay
from tests.agents.play.tables import SHORT, let_bots, table


def type_in(session: Session, lines: Sequence[str]) -> str:
    """Type lines at the session's seat 0 and leave; return what is shown."""
    shown = io.StringIO()
    console = Console(file=shown, width=120)
    with create_pipe_input() as keys:
        keys.send_text("".join(f"{line}\r" for line in [*lines, "quit"]))
        prompt: PromptSession[str] = PromptSession(input=keys, output=DummyOutput())
        Terminal(session, 0, load_agent("random", session.game), console, prompt).run()
    return shown.getvalue()


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_numbers(name: str) -> None:
    session = table(name)
    shown = type_in(session, ["1"] * 60)
    assert session.is_over
    assert "Game over" in shown and "returns: p0 " in shown
    assert "the game is over" in shown or "there is no choice 1" in shown  # the keys typed after the end


def test_actions_may_be_typed() -> None:
    session = table("honey_wars")
    let_bots(session)
    choice = session.view(0).choices[-1]
    shown = type_in(session, [f"  {choice.text.replace(' ', '  ')} "])
    assert f"you: {choice.words}" in shown


def test_mistakes_are_explained_and_change_nothing() -> None:
    session = table("honey_wars")
    before = session.save()
    shown = type_in(
        session,
        ["fly", "99", "0", "9" * 5000, "save", "undo", "save /nowhere/file", "record /nowhere/file", "", "help"],
    )
    assert session.save() == before
    for reason in (
        "there is no action 'fly'; possible: ",
        "there is no choice 99: numbers are 1 to ",
        "there is no choice 0: ",
        "save FILE: name the file",
        "has not decided anything yet",
        "/nowhere/file: cannot be written",
        "take back your last decision",
    ):
        assert reason in " ".join(shown.split())


class Shaky(RandomAgent):
    """Plays at random, but fails when it is asked for the first time."""

    name = "shaky"
    is_ill = True

    def act(self, view: Any) -> Any:
        if self.is_ill:
            self.is_ill = False
            raise RuntimeError("my cards are nosema and drought")
        return super().act(view)


@pytest.mark.parametrize(
    ("line", "is_bot_up"), [("table", True), ("1", True), ("fault", True), ("", False), ("undo", False)]
)
def test_a_bot_that_fails_is_told_without_its_cards_and_asked_again(line: str, is_bot_up: bool) -> None:
    session = Session(table("honey_wars").game, [PERSON, "shaky"], {"shaky": Shaky()}, 5)
    while not session.is_bot_up:
        session.play(0, session.view(0).choices[-1].action)
    shown = type_in(session, [line])
    assert "A bot failed (RuntimeError). Enter asks it again" in shown
    assert session.is_bot_up == is_bot_up
    assert ("nosema and drought" in shown) == (line == "fault")


def test_hint_undo_log_and_files(tmp_path: Path) -> None:
    session = table("honey_wars")
    before = session.save()
    shown = type_in(session, ["hint", "1", "undo", "log", f"save {tmp_path / 'game'}", f"record {tmp_path / 'record'}"])
    assert "random would: " in shown
    assert "Taken back." in shown
    assert session.save() == before == (tmp_path / "game").read_text()
    assert resume(tmp_path / "game", "honey_wars").save() == before
    assert (tmp_path / "record").read_text() == session.record(0)


def test_others_cards_are_not_shown() -> None:
    session = table("honey_wars")
    shown = type_in(session, ["log", "table"])
    assert "p1 draws a card that you do not see (4 times)" in shown
    assert shown.count("hand:") == 2  # one's own, twice


def test_the_end_of_input_leaves_the_table() -> None:
    session = table("honey_wars")
    with create_pipe_input() as keys:
        keys.send_text("\x04")
        prompt: PromptSession[str] = PromptSession(input=keys, output=DummyOutput())
        shown = io.StringIO()
        Terminal(session, 0, load_agent("random", session.game), Console(file=shown), prompt).run()
    assert "You leave the table." in shown.getvalue()


def test_completion_offers_actions_by_any_word() -> None:
    session = table("ursa_miner")
    let_bots(session)
    completer = _Completer(session.view(0))

    def completed(typed: str) -> list[str]:
        return [completion.text for completion in completer.get_completions(Document(typed), None)]

    assert completed("c12") == ["place c12"]
    assert completed("place c2")[0] == "place c2"
    assert completed("un") == ["undo"]
    assert completed("xyz") == []


# The command


def refused(*words: str) -> str:
    found = CliRunner().invoke(app, list(words), prog_name="bearenvs")
    assert found.exit_code == 2, found
    return found.stderr


def test_the_command_refuses_what_makes_no_table(tmp_path: Path) -> None:
    save = tmp_path / "game"
    save.write_text(table("honey_wars").save())
    for words, reason in [
        (["play", "honey_wars", "--seat", "2"], "seat 2: seats are 0 to 1"),
        (["play", "honey_wars", "--seat", "0", "--seat", "1"], "several play with --web"),
        (["play", "honey_wars", "--save", "x"], "--save goes with --web"),
        (["play", "honey_wars", "--against", "nobody"], "there is no agent 'nobody'"),
        (["play", "ursa_miner", "--resume", str(save)], "a table of honey_wars, not of ursa_miner"),
        (["play", "honey_wars", "--resume", str(tmp_path / "none")], "cannot be read"),
        (["play", "honey_wars", "--resume", str(save), "--seed", "1"], "leave the others out"),
        (["play", "honey_wars", "--web", "--port", "0", "--save", "."], ".: cannot be written"),
        (["play", "honey_wars", "--web", "--port", "0", "--save", "/"], "/: cannot be written"),
        (["play", "honey_wars", "--web", "--port", "0", "--save", "/none/file"], "/none/file: cannot be written"),
        (["play", "honey_wars", "--web", "--host", "203.0.113.1"], "cannot serve at 203.0.113.1"),
        (["play", "honey_wars", "--web", "--host", "é..x"], "cannot serve at é..x"),
        (["play", "honey_wars", "--web", "--host", "a" * 70], "cannot serve at aaa"),
        (["watch", "honey_wars", "--agents", "nobody"], "there is no agent 'nobody'"),
    ]:
        assert reason in refused(*words), words


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are Unix's")
def test_the_command_in_a_pseudo_terminal(tmp_path: Path) -> None:
    words = ["play", "honey_wars", "--against", "random", "--set", "max_turns=4", "--hint", "random", "--seed", "3"]
    code = f"from bearagents.cli import app; app({words!r})"
    ours, theirs = os.openpty()
    environ = {**os.environ, "TERM": "xterm"}
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path, env=environ
    )
    os.close(theirs)
    os.write(ours, b"1\rhint\rrecord mine\rquit\r")
    shown = b""
    # A pseudo-terminal ends with an error.
    with contextlib.suppress(OSError):
        while chunk := os.read(ours, 4096):
            shown += chunk
            if b"\x1b[6n" in chunk:  # where is the cursor?
                os.write(ours, b"\x1b[1;1R")
    os.close(ours)
    assert child.wait(60) == 0, shown.decode(errors="replace")
    assert b"random would: " in shown
    assert (tmp_path / "mine").read_text().startswith("honey_wars num_players=2 max_turns=4\n")


def test_an_unfinished_game_replays(tmp_path: Path) -> None:
    session = table("honey_wars", ["random", "random"])
    session.answer()
    assert replay(session.save(), partial=True).events
    assert PERSON not in session.seats
