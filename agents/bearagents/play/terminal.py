"""The table in the terminal: one person, who types an action, its number, or a command."""

from itertools import groupby
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from bearagents.agent import Agent, AgentError
from bearagents.play.seating import SaveFile
from bearagents.play.session import SeatView, Session, Told
from bearenvs import views
from bearenvs.errors import BearenvsError
from bearenvs.files import write_text

COMMANDS = {
    "hint": "what an agent would do",
    "undo": "take back your last decision",
    "log": "all that you have learnt",
    "table": "show the table again",
    "save FILE": "keep the game in a file; --resume FILE goes on with it",
    "record FILE": "write your playthrough into a file",
    "fault": "what a bot that failed says of it: it may tell the bot's cards",
    "help": "this list",
    "quit": "leave the game",
}


class Terminal:
    """A person's place at a session, until the game is over or the person leaves."""

    def __init__(
        self, session: Session, seat: int, hint: Agent, console: Console, prompt: PromptSession[str] | None = None
    ) -> None:
        self._session = session
        self._seat = seat
        self._hint = hint
        self._console = console
        self._prompt: PromptSession[str] = prompt or PromptSession()
        self._view = session.view(seat)
        self._num_told = 0
        self._fault = ""

    def run(self) -> None:
        """Play; return when the game is over and looked at, or the person quits (also by Ctrl-D or Ctrl-C)."""
        self._console.print(f"You hold seat {self._seat}: p{self._seat}. Type an action, its number, or 'help'.")
        self._go_on()
        try:
            while self._do(self._ask()):
                pass
        except (EOFError, KeyboardInterrupt):
            self._say("You leave the table.")

    def _ask(self) -> str:
        return self._prompt.prompt(
            "game over> " if self._view.is_over else f"p{self._seat}> ", completer=_Completer(self._view)
        ).strip()

    def _go_on(self) -> None:
        """Let the bots play up to the person's next decision, tell what happened, and show the table."""
        self._fault = failed = ""
        try:
            while self._session.is_bot_up:
                self._session.answer()
        except AgentError as error:
            self._fault, failed = str(error), type(error.__cause__ or error).__name__
        self._view = self._session.view(self._seat)
        self._tell(self._view.log[self._num_told :])
        self._num_told = len(self._view.log)
        self._show()
        if failed:
            self._say(
                f"A bot failed ({failed}). Enter asks it again; fault tells why, undo and save FILE work.", "bold red"
            )

    def _do(self, line: str) -> bool:
        """Do what the person typed; return False to leave."""
        word, _, rest = line.partition(" ")
        try:
            match word:
                case "" if self._session.is_bot_up:
                    self._go_on()
                case "":
                    pass
                case "fault":
                    self._say(self._fault or "No bot has failed.")
                case "quit":
                    return False
                case "help":
                    self._help()
                case "log":
                    self._tell(self._view.log)
                case "table":
                    self._show()
                case "hint":
                    choice = self._session.hint(self._seat, self._hint)
                    self._say(f"{self._hint.name} would: {choice.words} ({choice.text})")
                case "undo":
                    self._session.undo(self._seat)
                    self._num_told = len(self._session.view(self._seat).log)
                    self._say("Taken back.")
                    self._go_on()
                case "save" | "record":
                    self._write(word, rest.strip())
                case _:
                    self._session.play(self._seat, self._choice(line))
                    self._go_on()
        except BearenvsError as error:
            self._say(str(error), "bold red")
        return True

    def _choice(self, line: str) -> str | int:
        """Return what the person chose by number or words."""
        if not line.isdecimal():
            return " ".join(line.split())
        if len(line) > 18 or not 1 <= int(line) <= len(self._view.choices):  # Python reads no endless number
            raise BearenvsError(f"there is no choice {line}: numbers are 1 to {len(self._view.choices)}")
        return self._view.choices[int(line) - 1].action

    def _write(self, what: str, name: str) -> None:
        if not name:
            raise BearenvsError(f"{what} FILE: name the file")
        if what == "save":
            SaveFile(Path(name)).write(self._session)
        else:
            write_text(Path(name), self._session.record(self._seat))
        self._say(f"Written: {name}")

    # Showing. What comes from a game is text, never markup.

    def _say(self, line: str, style: str = "bold") -> None:
        self._console.print(Text(line, style))

    def _help(self) -> None:
        for command, meaning in COMMANDS.items():
            self._console.print(Text.assemble((f"  {command:<12}", "bold"), meaning))

    def _tell(self, log: tuple[Told, ...]) -> None:
        for told, run in groupby(log):
            count = len(list(run))
            times = f" ({count} times)" if count > 1 else ""
            who = "    " if told.who < 0 else "you: " if told.who == self._seat else f"p{told.who}: "
            style = "dim" if told.who < 0 else "bold" if told.who == self._seat else ""
            self._console.print(Text(f"  {who}{told.words}{times}", style))

    def _show(self) -> None:
        view, game = self._view, self._session.game
        self._console.print()
        self._console.print(Text(views.describe(game, view.states, self._seat)))
        if view.is_over:
            returns = "  ".join(f"p{seat} {value:+g}" for seat, value in enumerate(self._session.returns()))
            self._say(f"returns: {returns}. Type undo, record FILE, log or quit.")
            return
        numbered: list[Any] = [
            Text.assemble((f"{number:>3} ", "bold cyan"), choice.words, (f"  {choice.text}", "dim"))
            for number, choice in enumerate(view.choices, 1)
        ]
        self._console.print()
        self._console.print(Columns(numbered, column_first=True, padding=(0, 3)))


class _Completer(Completer):
    """Completes whole actions and commands from any of their words' beginnings."""

    def __init__(self, view: SeatView) -> None:
        self._actions = [(choice.text, choice.words) for choice in view.choices]
        self._commands = [(command.partition(" ")[0], meaning) for command, meaning in COMMANDS.items()]

    def get_completions(self, document: Any, complete_event: Any) -> Any:
        typed = document.text_before_cursor
        for text, meaning in [*self._actions, *self._commands]:
            if text.startswith(typed) or any(word.startswith(typed) for word in text.split()):
                yield Completion(text, start_position=-len(typed), display_meta=meaning)
