"""How long a search thinks about one decision."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from bearenvs.errors import SettingsError

MOST_ITERATIONS = 10_000_000
MOST_SECONDS = 3600.0


@dataclass(frozen=True)
class Budget:
    """``iterations``, or ``seconds`` of each decision, or both: whichever is over first.

    Only iterations make decisions that can be repeated. SettingsError if there is neither, one is out of
    range, or the iterations are no integer.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.seconds is None:
            raise SettingsError("a budget needs iterations or seconds")
        if self.iterations is not None and not isinstance(self.iterations, int | np.integer):
            raise SettingsError(f"iterations={self.iterations!r}: an integer, or else seconds=...")
        if self.iterations is not None and not 1 <= self.iterations <= MOST_ITERATIONS:
            raise SettingsError(f"iterations={self.iterations}: at least 1, at most {MOST_ITERATIONS:,}")
        if self.seconds is not None and not 0 < self.seconds <= MOST_SECONDS:
            raise SettingsError(f"seconds={self.seconds}: more than 0, at most {MOST_SECONDS:,.0f}")

    @classmethod
    def read(cls, text: str) -> Self:
        """Read what :meth:`__str__` writes: ``1000`` iterations, or ``0.5s``; SettingsError if it is neither."""
        amount = text.removesuffix("s")
        try:
            return cls(seconds=float(amount)) if amount != text else cls(iterations=int(amount))
        except ValueError:
            raise SettingsError(f"{text!r} is no budget: iterations as in 1000, or seconds as in 0.5s") from None

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
