"""One agent against another: the one in a single seat, the other in all the rest, in each seat in turn."""

from collections.abc import Callable
from dataclasses import dataclass

from bearagents.agent import Agent, AgentError
from bearagents.arena import compete, schedule
from bearagents.ratings import Estimate, share
from bearenvs.game import Game


@dataclass(frozen=True)
class Duel:
    """What came of it for the one in a single seat."""

    games: int
    win_share: Estimate
    mean_return: float
    forfeits: int = 0
    """Games that either of the two forfeited (:mod:`bearagents.arena`)."""
    fault: str = ""
    """What was wrong the first time; empty if there are none."""
    seconds: float = 0.0
    """How long the games took."""

    def check(self) -> None:
        """Raise AgentError if games were forfeited: the figures then tell of failures, and not of play."""
        if self.forfeits:
            raise AgentError(
                f"{self.forfeits} of {self.games} games were forfeited, so they measure nothing; the first time:"
                f" {self.fault}"
            )


def check_games(game: Game, games: int) -> None:
    """Raise SettingsError if so many games are too few for the interval of a :func:`duel`."""
    schedule([0, *[1] * (game.num_players - 1)], game.num_players, games)


def duel(
    agent: Agent,
    opponent: Agent,
    game: Game,
    games: int,
    *,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> Duel:
    """Let ``agent`` play at most ``games`` games with ``opponent`` in all other seats.

    SettingsError if those are too few for an interval.
    """
    agents = {"agent": agent, "opponent": opponent}
    entries = ["agent", *["opponent"] * (game.num_players - 1)]
    results = compete(game, agents, games=games, entries=entries, seed=seed, on_progress=on_progress)
    own = results.seatings[0] == 0  # in every round: two agents have one cyclic order
    return Duel(
        games=results.truncated.size,
        win_share=share(results.shares[:, own].mean(axis=1)),
        mean_return=float(results.returns[:, own].mean()),
        forfeits=int((results.forfeited >= 0).sum()),
        fault=next(iter(results.faults.values()), ""),
        seconds=results.seconds,
    )
