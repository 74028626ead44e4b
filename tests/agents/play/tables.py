"""Tables to sit down at: every game, cut short."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bearagents.names import load_agent
from bearagents.play.session import PERSON, Session
from bearagents.play.table import Table
from bearagents.play.web import Server

from bearenvs.registry import load_game
from bearenvs.views import Viewer

SHORT: dict[str, dict[str, Any]] = {
    "honey_wars": {"num_players": 2, "max_turns": 4},
    "ursa_miner": {"num_players": 2, "max_turns": 3},
    "outrun_the_bear": {"num_players": 3, "max_rounds": 2},
}


def table(name: str, seats: list[str] | None = None, seed: int = 5, **settings: Any) -> Session:
    """Return a new session: a person in seat 0, random bots in the others."""
    game = load_game(name, **{**SHORT[name], **settings})
    seats = seats or [PERSON] + ["random"] * (game.num_players - 1)
    agents = {seat: load_agent(seat, game) for seat in seats if seat != PERSON}
    return Session(game, seats, agents, seed)


def let_bots(session: Session) -> None:
    while session.answer():
        pass


@contextmanager
def served(laid: Table) -> Iterator[Mapping[Viewer, str]]:
    """Serve a table on a free port; yields the link of each seat."""
    server = Server(laid, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server.links
    finally:
        server.stop()
        thread.join(20)
