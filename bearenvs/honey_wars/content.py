"""The content of Honey Wars: what a content file may hold, and the record that kernels read it from."""

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from bearenvs.content import Content, Entries, Name, Strict, entry_id
from bearenvs.game import record_dtype

MAX_PLAYERS = 4
MAX_HIVES = 3
MAX_KINDS = 32
MAX_CARDS = 120
MAX_HONEY = 127

Copies = Annotated[int, Field(ge=0, le=MAX_CARDS)]
Cost = Annotated[int, Field(ge=0, le=50)]
Amount = Annotated[int, Field(ge=1, le=50)]

ThreatEffect = Literal[
    "lose_honey",
    "lose_half",
    "pay_attacker",
    "no_bonus",
    "no_harvest",
    "lose_cards",
    "lose_hive",
    "no_build",
    "skip_spend",
]
BuddyAbility = Literal["auto_defend", "roll_bonus", "gain", "double_bonus"]

# Effects as kernels know them: their place in the vocabulary, threats first, then buddies; 0 is no effect.
EFFECT_NAMES: tuple[str, ...] = ("none", *get_args(ThreatEffect), *get_args(BuddyAbility))
(
    NO_EFFECT,
    LOSE_HONEY,
    LOSE_HALF,
    PAY_ATTACKER,
    NO_BONUS,
    NO_HARVEST,
    LOSE_CARDS,
    LOSE_HIVE,
    NO_BUILD,
    SKIP_SPEND,
    AUTO_DEFEND,
    ROLL_BONUS,
    GAIN,
    DOUBLE_BONUS,
) = range(len(EFFECT_NAMES))

_WITH_NUMBER = {"lose_honey", "pay_attacker", "lose_cards", "roll_bonus", "gain"}
_ABILITIES = {"shield": ("auto_defend", "roll_bonus"), "dipper": ("gain", "double_bonus")}


def _check_number(effect: str, n: int | None) -> None:
    if effect in _WITH_NUMBER and n is None:
        raise ValueError(f"effect {effect!r} needs its number: n = 1 to 50")
    if effect not in _WITH_NUMBER and n is not None:
        raise ValueError(f"effect {effect!r} takes no number: leave out n")


class Setup(Strict):
    """The set-up numbers (HW-S2 to HW-S4, HW-H2, HW-V1, HW-W1)."""

    starting_hive: Name
    starting_honey: Annotated[int, Field(ge=0, le=50)]
    honey_cubes: Annotated[int, Field(ge=1, le=100)]
    hand_size: Annotated[int, Field(ge=1, le=10)]
    die_sides: Annotated[int, Field(ge=2, le=20)]
    base_harvest: Annotated[int, Field(ge=0, le=20)]
    winning_honey: Annotated[int, Field(ge=1, le=100)]
    discard_hand_cost: Annotated[int, Field(ge=0, le=50)]
    only_hive_loss: Annotated[int, Field(ge=0, le=50)]


class Hive(Strict):
    """A kind of Hive card."""

    name: Name
    copies: Copies
    cost: Cost
    bonus: Annotated[int, Field(ge=0, le=20)]


class Buddy(Strict):
    """A kind of Beekeeper Buddy card."""

    name: Name
    copies: Copies
    type: Literal["shield", "dipper"]
    cost: Cost
    ability: BuddyAbility
    n: Amount | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_number(self.ability, self.n)
        if self.ability not in _ABILITIES[self.type]:
            raise ValueError(f"a {self.type} buddy's ability is one of {', '.join(_ABILITIES[self.type])}")
        return self


class Threat(Strict):
    """A kind of Threat card."""

    name: Name
    copies: Copies
    level: Annotated[int, Field(ge=1, le=40)]
    cost: Cost
    continuous: bool
    effect: ThreatEffect
    n: Amount | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_number(self.effect, self.n)
        return self


class HoneyWarsContent(Content):
    """All cards, by kind: hives, then buddies, then threats. A card's *kind* is its place in that order."""

    setup: Setup
    hives: Entries[Hive]
    buddies: Entries[Buddy] = ()
    threats: Entries[Threat]

    @property
    def cards(self) -> tuple[Hive | Buddy | Threat, ...]:
        """All kinds of cards, in the order of their numbers."""
        return (*self.hives, *self.buddies, *self.threats)

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The notation's name of each kind."""
        return tuple(entry_id(card.name) for card in self.cards)

    @model_validator(mode="after")
    def _check(self) -> Self:
        ids = self.card_ids
        for place, name in enumerate(ids):
            if name in ids[:place]:
                raise ValueError(f"two cards share the id {name!r}: names must differ")
        if len(ids) > MAX_KINDS:
            raise ValueError(f"{len(ids)} kinds of cards; at most {MAX_KINDS} fit")
        if sum(card.copies for card in self.cards) > MAX_CARDS:
            raise ValueError(f"{sum(card.copies for card in self.cards)} cards; at most {MAX_CARDS} fit")
        names = [hive.name for hive in self.hives]
        if self.setup.starting_hive not in names:
            raise ValueError(f"setup.starting_hive {self.setup.starting_hive!r} is no hive; the hives are {names}")
        return self


SECTIONS_WRITTEN = ("supply", "attackers", "hand", "seats", "hives", "threats", "buddies")
"""The sections of the observation whose first places kernels need."""

CONTENT = record_dtype(
    [
        ("num_players", "i4"),
        ("max_turns", "i4"),
        ("num_hive_kinds", "i4"),
        ("num_buddy_kinds", "i4"),
        ("num_kinds", "i4"),
        ("num_cards", "i4"),
        ("starting_kind", "i4"),
        ("starting_honey", "i4", (MAX_PLAYERS,)),
        ("honey_cubes", "i4"),
        ("hand_size", "i4"),
        ("die_sides", "i4"),
        ("base_harvest", "i4"),
        ("winning_honey", "i4"),
        ("discard_hand_cost", "i4"),
        ("only_hive_loss", "i4"),
        # By kind of card:
        ("copies", "i4", (MAX_KINDS,)),
        ("whole", "f4", (MAX_KINDS,)),  # copies, 1 for none
        ("hand_wholes", "f4", (MAX_KINDS,)),  # hand_size each
        ("cost", "i4", (MAX_KINDS,)),
        ("bonus", "i4", (MAX_KINDS,)),
        ("level", "i4", (MAX_KINDS,)),
        ("effect", "i4", (MAX_KINDS,)),
        ("n", "i4", (MAX_KINDS,)),
        ("is_continuous", "i4", (MAX_KINDS,)),
        ("is_shield", "i4", (MAX_KINDS,)),
        ("is_dipper", "i4", (MAX_KINDS,)),
        # Bit masks of kinds:
        ("hives", "i8"),
        ("buddies", "i8"),
        ("threats", "i8"),
        ("affordable", "i8", (MAX_HONEY + 1,)),  # by honey: those that cost no more
        # Where the sections of the action and the outcome table begin:
        ("first_build", "i4"),
        ("first_hire", "i4"),
        ("first_discard", "i4"),
        ("first_attack", "i4"),
        ("first_draw", "i4"),
        ("first_lose", "i4"),
        ("first_die", "i4"),
        # And those of the observation:
        *((f"at_{section}", "i4") for section in SECTIONS_WRITTEN),
    ]
)
