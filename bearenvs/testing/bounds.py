"""How far counts may stray by chance. Both bounds hold for every sample size; neither is an approximation."""

from math import log, sqrt

ERROR = 1e-9
"""Chance at which a single comparison of frequencies may fail a right game."""


def bernstein(variance: float, comparisons: int) -> float:
    """Bound |sum - its mean| for independent terms in [0, 1], given the sum's variance (Bernstein's inequality)."""
    level = log(2 * comparisons / ERROR)
    return level / 3 + sqrt(level * level / 9 + 2 * variance * level)


def symmetric(squares: float, comparisons: int) -> float:
    """Bound |sum| for independent symmetric terms, given the sum of their squares (Hoeffding's inequality)."""
    return sqrt(2 * squares * log(2 * comparisons / ERROR))
