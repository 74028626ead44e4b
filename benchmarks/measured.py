"""What a run measured, as it is kept in JSON."""

import platform
from datetime import UTC, datetime
from statistics import median, quantiles

from bearagents.provenance import processor, usable_processors
from pydantic import BaseModel


class Measured(BaseModel):
    """One case: how fast in each round, or why not."""

    side: str
    game: str
    interface: str
    num_envs: int
    threads: int
    """0: the side's own choice, up to all processors."""
    players: int
    unit: str
    notes: dict[str, int]
    setup_seconds: float | None = None
    """Imports, building, compilation, first play."""
    rates: list[float] = []
    """Units a second, one a round."""
    error: str | None = None

    @property
    def rate(self) -> float:
        """The median; 0 where nothing was measured."""
        return median(self.rates) if self.rates else 0.0

    @property
    def spread(self) -> tuple[float, float]:
        """The quartiles."""
        if len(self.rates) < 2:  # quartiles of one are the one
            return self.rate, self.rate
        low, _, high = quantiles(self.rates, n=4, method="inclusive")
        return low, high


class Startup(BaseModel):
    """Whole processes, from start to the first step, in seconds."""

    game: str
    what: str
    cold: float
    """With nothing compiled before."""
    warm: list[float]

    @property
    def median_warm(self) -> float:
        """With everything compiled before."""
        return median(self.warm)


class Results(BaseModel):
    """One run."""

    date: str
    machine: str
    processors: int
    python: str
    rounds: int
    seconds: float
    """A measurement's length."""
    versions: dict[str, dict[str, str]] = {}
    failures: dict[str, str] = {}
    """Sides that could not be installed or started."""
    measured: list[Measured] = []
    startup: list[Startup] = []

    @classmethod
    def begin(cls, rounds: int, seconds: float) -> "Results":
        """Return the empty results of a run on this machine."""
        return cls(
            date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            machine=processor(),
            processors=usable_processors(),
            python=platform.python_version(),
            rounds=rounds,
            seconds=seconds,
        )

    def of(self, side: str, interface: str | None = None, game: str | None = None) -> list[Measured]:
        """Return what was measured of a side, of one interface or game where named."""
        return [
            one
            for one in self.measured
            if one.side == side and interface in (None, one.interface) and game in (None, one.game)
        ]
