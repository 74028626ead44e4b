"""From what a command line says to a session: who sits where, saves in files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bearagents.names import load_agent
from bearagents.play.session import PERSON, SavedTable, Session, new_seed
from bearenvs.errors import BearenvsError, SaveError, SettingsError
from bearenvs.files import write_text
from bearenvs.game import Game


def sit_down(game: Game, people: Sequence[int], bots: Sequence[str], seed: int | None) -> Session:
    """Return a new session with people in the seats ``people``; ``bots`` share the others, in turn."""
    unknown = sorted({*people} - {*range(game.num_players)})
    if unknown:
        raise SettingsError(f"seat {unknown[0]}: seats are 0 to {game.num_players - 1}")
    if not bots and len({*people}) < game.num_players:
        raise SettingsError("name at least one agent for the other seats")
    others = [seat for seat in range(game.num_players) if seat not in people]
    held = {seat: bots[place % len(bots)] for place, seat in enumerate(others)}
    seats = [held.get(seat, PERSON) for seat in range(game.num_players)]
    agents = {name: load_agent(name, game) for name in {*held.values()}}
    return Session(game, seats, agents, new_seed() if seed is None else seed)


def resume(file: Path, game_name: str) -> Session:
    """Return the session that ``file`` keeps; SaveError if it is of another game."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SaveError(f"{file}: cannot be read: {error}") from None
    try:
        saved = SavedTable.read(text)
        game = saved.playthrough.game
        if game.name != game_name:
            raise SaveError(f"a table of {game.name}, not of {game_name}")
        return saved.resume({name: load_agent(name, game) for name in {*saved.seats} - {PERSON}})
    except BearenvsError as error:
        raise SaveError(f"{file}: {error}") from error


@dataclass(frozen=True)
class SaveFile:
    """Where a session is kept."""

    path: Path

    def write(self, session: Session) -> None:
        """Write the session, whole or not at all; SaveError if that is not possible."""
        write_text(self.path, session.save(), SaveError)
