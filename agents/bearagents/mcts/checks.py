"""Whether an option is the kind of number that it has to be, before it reaches compiled code."""

from typing import TypeGuard

import numpy as np


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether ``value`` is an integer; a bool is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Return whether ``value`` is an integer or a float, which may be infinite or NaN; a bool is none."""
    return is_integer(value) or isinstance(value, float | np.floating)
