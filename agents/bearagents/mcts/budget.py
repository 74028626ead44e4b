"""How long a search thinks about one decision."""

from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Self

from bearagents.mcts.checks import is_integer, is_number
from bearenvs.errors import SettingsError, shown

MOST_ITERATIONS = 10_000_000
MOST_SECONDS = 3600.0


@dataclass(frozen=True)
class Budget:
    """``iterations``, or ``seconds`` of each decision, or both: whichever is over first.

    Only iterations make decisions that can be repeated. SettingsError if there is neither, or one is out of range
    or no number; iterations are integers.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.seconds is None:
            raise SettingsError("a budget needs iterations or seconds")
        if self.iterations is not None and not is_integer(self.iterations):
            raise SettingsError(f"iterations={shown(self.iterations)}: an integer, or else seconds=...")
        if self.iterations is not None and not 1 <= self.iterations <= MOST_ITERATIONS:
            raise SettingsError(f"iterations={shown(self.iterations)}: at least 1, at most {MOST_ITERATIONS:,}")
        if self.seconds is not None and not (is_number(self.seconds) and 0 < self.seconds <= MOST_SECONDS):
            raise SettingsError(f"seconds={shown(self.seconds)}: more than 0, at most {MOST_SECONDS:,.0f}")

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what :meth:`__str__` writes: ``1000`` iterations, or ``0.5s``; SettingsError if it is neither."""
        amount = text.removesuffix("s")
        iterations = seconds = None
        try:
            if amount == text:
                iterations = int(amount)
            else:
                seconds = float(amount)
        except ValueError:
            told = f"{shortened(text)} is no budget: iterations as in 1000, or seconds as in 0.5s"
            raise SettingsError(told) from None
        return cls(iterations, seconds)

    def shares(self, number: int) -> list[Self]:
        """Return the budgets of so many searches side by side, fewer if there are fewer iterations."""
        if self.iterations is None:
            return [self] * number
        number = min(number, self.iterations)
        return [
            type(self)(self.iterations // number + (place < self.iterations % number), self.seconds)
            for place in range(number)
        ]

    def __str__(self) -> str:
        iterations = [] if self.iterations is None else [str(self.iterations)]
        seconds = [] if self.seconds is None else [f"{self.seconds:g}s"]
        return "+".join(iterations + seconds)
