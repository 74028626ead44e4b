"""What a position of Ursa Miner is likely to bring: see :func:`forecast`."""

from math import exp, sqrt
from typing import Any

from bearagents.heuristics.ursa_miner import num_turns, standing
from bearenvs.kernel import kernel

# Worths in jelly, fitted to who won games between heuristics that now and then played at random.
HONEY = 0.4
BEAR = 1.6
LONG_BEAR = 0.1
"""A bear, for each turn to come after the next."""
PROSPECTS = 0.4
"""Of the heuristic's standing."""
TO_ACT = 1.0
LATE = 4.0
"""The worth of honey and bears dwindles over so many last turns."""


@kernel
def forecast(content: Any, state: Any, out: Any) -> None:
    """Write the likely returns: a race of jelly, with what bears, honey and places will still bring.

    The chances to win are a softmax of the scores, flatter the more turns are to come.
    """
    num_players = int(content.num_players)
    turns = num_turns(content, state)
    total = 0.0
    best = score(content, state, 0, turns)
    for seat in range(1, num_players):
        best = max(best, score(content, state, seat, turns))
    for seat in range(num_players):
        out[seat] = exp((score(content, state, seat, turns) - best) / sqrt(float(turns)))
        total += out[seat]
    for seat in range(num_players):
        out[seat] = (out[seat] / total * num_players - 1.0) / (num_players - 1)


@kernel
def score(content: Any, state: Any, seat: int, turns: int) -> float:
    """Return how far a seat has come."""
    me = state.seats[seat]
    early = min(1.0, (turns - 1) / LATE)
    value = me.jelly + early * (HONEY * me.honey + BEAR * me.num_bears) + LONG_BEAR * me.num_bears * (turns - 1)
    value += PROSPECTS * standing(content, state, seat)
    return float(value + (TO_ACT if state.to_act == seat else 0.0))
