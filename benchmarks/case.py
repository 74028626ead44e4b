"""What is measured: a :class:`Case` is one environment behind one interface. Needs the standard library only."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Play = Callable[[], int]
"""Plays for some milliseconds and returns how many units (decisions, as a rule) it played."""


@dataclass(frozen=True)
class Case:
    """One line of the measurements.

    ``make`` imports what it needs, builds the environment and returns its :data:`Play`; the time that it and the first
    play take (imports, compilation) is told as set-up time. A decision is: choose a uniformly random legal action, play
    it, and have observation and mask of the next seat to act; a game that ends starts anew.
    """

    game: str
    interface: str
    make: Callable[[], Play]
    num_envs: int = 1
    threads: int = 1
    unit: str = "decisions"
    players: int = 0
    """0: as many as the game is played with here."""
    notes: dict[str, Any] = field(default_factory=dict)
    """What else a reader of the results should know, such as the bytes of a game."""

    @property
    def name(self) -> str:
        """What tells the case from the others of its side."""
        players = f" {self.players} players" if self.players else ""
        return f"{self.game}{players}, {self.interface}, {self.num_envs} x {self.threads}"
