"""Picnic's content and state."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from bearenvs.content import Content, Entries, Name, Strict, entry_id
from bearenvs.game import header_fields, record_dtype

MAX_PLAYERS = 4
MAX_FOODS = 6
MAX_COPIES = 12
MAX_VALUE = 9
DIE_SIDES = 6

# Phases: what the game is waiting for.
DEAL, TURN, ROBBED, ROLL, DRAW, OVER = range(6)


class Food(Strict):
    name: Name
    value: Annotated[int, Field(ge=0, le=MAX_VALUE)]
    copies: Annotated[int, Field(ge=0, le=MAX_COPIES)]


class PicnicContent(Content):
    """The cards."""

    hand_size: Annotated[int, Field(ge=1, le=4)]
    foods: Annotated[Entries[Food], Field(min_length=1, max_length=MAX_FOODS)]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(entry_id(food.name) for food in self.foods)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(set(self.ids)) < len(self.ids):
            raise ValueError("two foods share an id: names must differ")
        return self


CONTENT = record_dtype(
    [
        ("num_players", "i4"),
        ("max_turns", "i4"),
        ("num_foods", "i4"),
        ("num_cards", "i4"),
        ("hand_size", "i4"),
        ("value", "i4", (MAX_FOODS,)),
        ("copies", "i4", (MAX_FOODS,)),
        ("first_rob", "i4"),
        ("first_bury", "i4"),
    ]
)

SEAT = record_dtype(
    [
        ("eaten", "i2"),
        ("num_hand", "i1"),
        ("num_buried", "i1"),
        ("hand", "i1", (MAX_FOODS,)),
        ("buried", "i1", (MAX_FOODS,)),  # in a hidden row only the observer's own
    ]
)

STATE = record_dtype(
    [
        *header_fields(MAX_PLAYERS),
        ("phase", "i1"),
        ("seat", "i1"),  # whose turn it is; while dealing, who is dealt to
        ("victim", "i1"),
        ("num_deck", "i1"),
        ("deck", "i1", (MAX_FOODS,)),  # in a hidden row: all that the observer has not seen
        ("shown", "i1", (MAX_FOODS,)),  # cards eaten or shown
        ("seats", SEAT, (MAX_PLAYERS,)),
    ]
)
