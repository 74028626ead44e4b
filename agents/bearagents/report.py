"""The arena's report: the figures, and the forms in which they are shown."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from bearagents.arena import Results
from bearagents.ratings import Estimate, comparisons, even_share, rate, share

MOST_TOLD = 300
"""Characters of a fault that a report or page repeats."""


def one_line(text: str) -> str:
    """Return an agent's words as one line, not too long: they are others' and may hold anything."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= MOST_TOLD else f"{line[:MOST_TOLD].rstrip()} ..."


@dataclass(frozen=True)
class AgentFigures:
    """How one agent did, over all the seats it had."""

    name: str
    games: int
    """Seats that it had in games, so 2 for a game in which it had two."""
    win_share: Estimate
    """Wins a seat and game; a win that w seats share counts 1/w for each. In a cooperative game, how often its teams
    win."""
    mean_return: float
    rating: Estimate | None
    """:func:`~bearagents.ratings.rate`; None in a cooperative game, in which nobody does better than a mate."""
    by_seat: tuple[Estimate, ...]
    """Its win share in each seat."""
    decisions: int
    decisions_per_second: float | None
    """None for an agent that took no decision."""
    forfeits: int
    """Games that it forfeited."""
    fault: str
    """What it did the first time; empty if it never did."""


@dataclass(frozen=True)
class Report:
    """What the arena found out."""

    game: str
    version: int
    settings: dict[str, Any]
    content_digest: str
    content_note: str
    """What part of the content is a reconstruction."""
    seed: int
    rounds: int
    games: int
    truncated: int
    even_share: float | None
    """The win share of equals: one in the number of seats. None in a cooperative game, where all win or none."""
    agents: tuple[AgentFigures, ...]
    seats: tuple[Estimate, ...]
    """The win share of each seat, whoever sat there: the seat effect."""
    decisions_per_second: float

    @classmethod
    def of(cls, results: Results) -> "Report":
        """Work out the figures of ``results``."""
        game, num_seats = results.game, results.game.num_players
        rounds, num_seatings = results.truncated.shape
        shares = results.shares
        ratings: list[Estimate | None] = [None] * len(results.agents)
        if not game.is_cooperative:
            met = comparisons(results.seatings, results.returns, results.truncated, len(results.agents))
            ratings = [*rate(met)]
        agents = []
        for index, name in enumerate(results.agents):
            own = results.seatings == index
            agents.append(
                AgentFigures(
                    name=name,
                    games=int(own.sum()),
                    win_share=share(shares.mean(axis=(1, 2), where=own)),
                    mean_return=float(results.returns[own].mean()),
                    rating=ratings[index],
                    by_seat=tuple(
                        share(shares[:, :, seat].mean(axis=1, where=own[:, :, seat])) for seat in range(num_seats)
                    ),
                    decisions=int(results.decisions[index]),
                    decisions_per_second=_speed(results.decisions[index], results.thinking[index]),
                    forfeits=int((results.forfeited == index).sum()),
                    fault=results.faults.get(index, ""),
                )
            )
        return cls(
            game=game.name,
            version=game.version,
            settings=game.settings.changed(),
            content_digest=game.content.digest,
            content_note=game.content_note,
            seed=results.seed,
            rounds=rounds,
            games=rounds * num_seatings,
            truncated=int(results.truncated.sum()),
            even_share=even_share(game),
            agents=tuple(agents),
            seats=tuple(share(shares[:, :, seat].mean(axis=1)) for seat in range(num_seats)),
            decisions_per_second=float(results.decisions.sum() / results.seconds),
        )

    def to_json(self) -> str:
        """Return all figures as JSON."""
        return json.dumps(asdict(self), indent=2)

    def to_csv(self) -> str:
        """Return a table of comma-separated values, one row an agent."""
        rows = [_csv_row(agent) for agent in self.agents]
        out = io.StringIO()
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def __rich__(self) -> RenderableType:
        """Return the tables for the terminal: best agent first."""
        ranked = sorted(self.agents, key=lambda agent: -agent.win_share.value)
        forfeits = [
            Text(f"{agent.name} forfeited {agent.forfeits} games. The first time: {one_line(agent.fault)}", "red")
            for agent in self.agents
            if agent.forfeits
        ]
        return Group(
            self._agents_table(ranked), *forfeits, "", self._seats_table(ranked), Text(self.content_note, "dim")
        )

    def _agents_table(self, agents: Iterable[AgentFigures]) -> Table:
        settings = " ".join(f"{name}={value}" for name, value in self.settings.items())
        told = "All win or none: shares are the team's, and nobody is rated above a mate"
        if self.even_share is not None:
            told = f"Even share: {self.even_share:.1%}. Ratings are Elo points around the average: 400 for odds of 10"
        table = Table(
            title=escape(f"{self.game} {settings}"),
            caption=(
                f"{self.games} games: {self.rounds} rounds of {self.games // self.rounds} seatings,"
                f" from seed {self.seed}. {told}. Truncated: {self.truncated}."
                f" {self.decisions_per_second:,.0f} decisions/s in all."
            ),
        )
        table.add_column("agent")
        rating = ("rating", "95% interval") if self.even_share is not None else ()
        for heading in ("win share", "95% interval", "mean return", *rating, "decisions/s"):
            table.add_column(heading, justify="right")
        for agent in agents:
            table.add_row(
                escape(agent.name),
                self._colored(agent.win_share),
                f"{agent.win_share.low:.1%} to {agent.win_share.high:.1%}",
                f"{agent.mean_return:+.3f}",
                *_rating(agent.rating),
                "-" if agent.decisions_per_second is None else f"{agent.decisions_per_second:,.0f}",
            )
        return table

    def _seats_table(self, agents: Iterable[AgentFigures]) -> Table:
        table = Table(title="Win share by seat, with 95% interval")
        table.add_column("agent")
        for seat in range(len(self.seats)):
            table.add_column(f"seat {seat}", justify="right")
        for name, estimates in [*((agent.name, agent.by_seat) for agent in agents), ("all", self.seats)]:
            table.add_row(
                escape(name), *(f"{self._colored(one)} ({one.low:.1%} to {one.high:.1%})" for one in estimates)
            )
        return table

    def _colored(self, found: Estimate) -> str:
        """Mark what is above or below the even share beyond doubt."""
        if self.even_share is None:
            return f"{found.value:.1%}"
        color = "green" if found.low > self.even_share else "red" if found.high < self.even_share else "default"
        return f"[{color}]{found.value:.1%}[/]"


def _speed(decisions: int, seconds: float) -> float | None:
    return float(decisions / max(seconds, 1e-9)) if decisions else None


def _rating(found: Estimate | None) -> tuple[str, ...]:
    return () if found is None else (f"{found.value:+.0f}", f"{found.low:+.0f} to {found.high:+.0f}")


def _csv_row(agent: AgentFigures) -> dict[str, Any]:
    row: dict[str, Any] = {"agent": agent.name, "games": agent.games}
    row |= _columns("win_share", agent.win_share)
    row["mean_return"] = agent.mean_return
    row |= {} if agent.rating is None else _columns("rating", agent.rating)
    for seat, estimate in enumerate(agent.by_seat):
        row |= _columns(f"win_share_in_seat_{seat}", estimate)
    row["decisions"] = agent.decisions
    row["decisions_per_second"] = agent.decisions_per_second
    row["forfeits"] = agent.forfeits
    return row


def _columns(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
