"""What cards do, and what equipment is worth."""

from typing import Any

from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.content import (
    BACK_RESISTANCE,
    BEAR_SPRAY,
    CRAWL_BONUS,
    DEAL_BONUS,
    DRAW_BONUS,
    HAND_BONUS,
    REST_BONUS,
    RIVER_BONUS,
    SPRINT_BONUS,
    SPRINT_DISCOUNT,
    SURE_FOOTED,
)
from bearenvs.outrun_the_bear.state import NOTHING


@kernel
def mean_bear_value(content: Any) -> float:
    """Return the mean bear value of all cards."""
    total = 0
    for kind in range(content.num_kinds):
        total += int(content.copies[kind]) * int(content.bear[kind])
    return float(total / content.num_cards)


@kernel
def moved_by(content: Any, kind: int, wanted: int) -> int:
    """Return the number of an action card's effect ``wanted``, or 0."""
    for k in range(int(content.num_effects[kind])):
        if content.effect[kind, k] == wanted:
            return int(content.n[kind, k])
    return 0


@kernel
def has_effect(content: Any, kind: int, wanted: int) -> bool:
    """Tell whether an action card has an effect."""
    for k in range(int(content.num_effects[kind])):
        if content.effect[kind, k] == wanted:
            return True
    return False


@kernel
def worth_of_equipment(content: Any, kind: int) -> float:
    """Return what an equipment card is worth in play."""
    return worth_of_abilities(content.ability[kind])


@kernel
def worth_of_abilities(has: Any) -> float:
    """Return what abilities are worth, given as their numbers."""
    return float(
        2.5 * has[CRAWL_BONUS]
        + 2.0 * has[SPRINT_BONUS]
        + 2.0 * has[SPRINT_DISCOUNT]
        + 3.0 * has[DRAW_BONUS]
        + 1.2 * has[SURE_FOOTED]
        + 4.0 * has[BEAR_SPRAY]
        + 1.0 * has[DEAL_BONUS]
        + 0.7 * has[HAND_BONUS]
        + 0.8 * has[RIVER_BONUS]
        + 0.6 * has[REST_BONUS]
        + 0.5 * has[BACK_RESISTANCE]
    )


@kernel
def worth_in_play(content: Any, state: Any, seat: int) -> float:
    """Return what the equipment of a seat is worth."""
    kind = int(state.seats[seat].equipment)
    return 0.0 if kind == NOTHING else worth_of_equipment(content, kind)
