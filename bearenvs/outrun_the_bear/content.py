"""The content of Outrun the Bear: what a content file may hold, and the record that kernels read it from."""

from collections import Counter
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from bearenvs.content import Content, Entries, Name, Strict, entry_id
from bearenvs.game import record_dtype

MAX_PLAYERS = 6
MAX_KINDS = 32
KIND_MASK = MAX_KINDS - 1
ALL_KINDS = (1 << MAX_KINDS) - 1
MAX_CARDS = 127
"""As many cards of a kind as an int8 of the state counts."""
MAX_EFFECTS = 4
MAX_RUNNERS = 12
MAX_HAND = 11

ROWS = 4
COLUMN, CELL = 3, 6
"""Numbers that an observation shows of a column, and of a space."""
TILE_COLUMNS = 8
NUM_TRAILS = 4
MAX_COLUMNS = (NUM_TRAILS + 2) * TILE_COLUMNS
FIRST_COLUMN = TILE_COLUMNS
"""The first column of the trail, right of the campsite tile (OB-B1)."""

# A space is numbered 4 x column + row. A big space has one number: the campsite that before the trail's first space,
# the parking lot that after the last.
CAMP = FIRST_COLUMN * ROWS - 1
MAX_SPACES = MAX_COLUMNS * ROWS
NOWHERE = 256
"""A bit beyond all spaces: observations have who is out there."""

LETTERS = {".": "path", "~": "river", "/": "slope", "#": "bramble", "R": "rest area"}
PATH, RIVER, SLOPE, BRAMBLE, REST = range(len(LETTERS))

Difficulty = Literal["first", "normal", "hard"]
Copies = Annotated[int, Field(ge=0, le=MAX_CARDS)]
BearValue = Annotated[int, Field(ge=0, le=9)]
Amount = Annotated[int, Field(ge=1, le=9)]

ActionEffect = Literal[
    "self_move",
    "target_back",
    "target_move",
    "swap_places",
    "steal",
    "discard_half",
    "draw",
    "bear_skip",
    "bear_advance",
]
ReactionEffect = Literal["cancel_on_me", "cancel_card", "dash", "slipstream"]
EquipmentAbility = Literal["crawl_bonus", "sure_footed", "draw_bonus", "sprint_discount", "bear_spray"]
RunnerAbility = Literal[
    "sprint_bonus",
    "crawl_bonus",
    "deal_bonus",
    "sure_footed",
    "hand_bonus",
    "river_bonus",
    "rest_bonus",
    "back_resistance",
]

# Effects as kernels know them: their place in the vocabulary, actions first, then reactions; 0 is no effect.
EFFECT_NAMES: tuple[str, ...] = ("none", *get_args(ActionEffect), *get_args(ReactionEffect))
(
    NO_EFFECT,
    SELF_MOVE,
    TARGET_BACK,
    TARGET_MOVE,
    SWAP_PLACES,
    STEAL,
    DISCARD_HALF,
    DRAW,
    BEAR_SKIP,
    BEAR_ADVANCE,
    CANCEL_ON_ME,
    CANCEL_CARD,
    DASH,
    SLIPSTREAM,
) = range(len(EFFECT_NAMES))
FIRST_TARGETED, LAST_TARGETED = TARGET_BACK, DISCARD_HALF
"""Only the actor and its target meet an effect from the one to the other of these in the vocabulary."""

# What equipment and Park Passes do all the time. Those without a number count 1.
ABILITY_NAMES: tuple[str, ...] = (
    "crawl_bonus",
    "sprint_bonus",
    "sprint_discount",
    "draw_bonus",
    "sure_footed",
    "bear_spray",
    "deal_bonus",
    "hand_bonus",
    "river_bonus",
    "rest_bonus",
    "back_resistance",
)
(
    CRAWL_BONUS,
    SPRINT_BONUS,
    SPRINT_DISCOUNT,
    DRAW_BONUS,
    SURE_FOOTED,
    BEAR_SPRAY,
    DEAL_BONUS,
    HAND_BONUS,
    RIVER_BONUS,
    REST_BONUS,
    BACK_RESISTANCE,
) = range(len(ABILITY_NAMES))
NUM_ABILITIES = len(ABILITY_NAMES)

_WITHOUT_NUMBER = {
    "swap_places",
    "discard_half",
    "bear_skip",
    "cancel_on_me",
    "cancel_card",
    "sure_footed",
    "bear_spray",
}


def _check_number(word: str, n: int | None) -> None:
    if word in _WITHOUT_NUMBER and n is not None:
        raise ValueError(f"{word!r} takes no number: leave out n")
    if word not in _WITHOUT_NUMBER and n is None:
        raise ValueError(f"{word!r} needs its number: n = 1 to 9")


def _check_map(text: str) -> str:
    rows = text.split()
    if len(rows) != ROWS:
        raise ValueError(f"a trail tile has {ROWS} rows, here are {len(rows)}")
    for r, row in enumerate(rows):
        if len(row) != TILE_COLUMNS:
            raise ValueError(f"row {r} ({row}) has {len(row)} spaces, a row has {TILE_COLUMNS}")
        for c, letter in enumerate(row):
            if letter not in LETTERS:
                allowed = ", ".join(f"{key} {name}" for key, name in LETTERS.items())
                raise ValueError(f"row {r}, column {c}: {letter!r} is no terrain; the letters are {allowed}")
    return text


def _check_prints(prints: tuple[int, ...]) -> tuple[int, ...]:
    for column in prints:
        if not 0 <= column < TILE_COLUMNS:
            raise ValueError(f"a print on column {column} is off the tile, whose columns are 0 to {TILE_COLUMNS - 1}")
        if prints.count(column) > 1:
            raise ValueError(f"column {column} has two prints, a column has at most one")
    return prints


class Setup(Strict):
    """The numbers of the rules (OB-S1, OB-T2, OB-T3)."""

    deal: Annotated[int, Field(ge=0, le=MAX_HAND)]
    hand_limit: Annotated[int, Field(ge=1, le=MAX_HAND)]
    crawl: Amount
    sprint: Amount
    sprint_cost: Annotated[int, Field(ge=1, le=MAX_HAND)]
    draw: Annotated[int, Field(ge=0, le=9)]


class Prints(Strict):
    """How many paw prints the outer tiles bear at a difficulty (OB-B4)."""

    name: Difficulty
    campsite: Annotated[int, Field(ge=0, le=TILE_COLUMNS - 1)]
    parking: Annotated[int, Field(ge=0, le=TILE_COLUMNS - 1)]


class Side(Strict):
    """One side of a trail tile (OB-B1)."""

    map: Annotated[str, AfterValidator(_check_map)]
    prints: Annotated[Entries[int], AfterValidator(_check_prints)] = ()

    @property
    def rows(self) -> list[str]:
        """The rows of letters, top to bottom."""
        return self.map.split()


class Trail(Strict):
    """A trail tile."""

    a: Side
    b: Side


class Effect(Strict):
    """One effect of an action card."""

    effect: ActionEffect
    n: Amount | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_number(self.effect, self.n)
        return self


class Action(Strict):
    """A kind of action card: its effects happen in order."""

    name: Name
    copies: Copies
    bear: BearValue
    effects: Annotated[Entries[Effect], Field(min_length=1, max_length=MAX_EFFECTS)]


class Reaction(Strict):
    """A kind of reaction card."""

    name: Name
    copies: Copies
    bear: BearValue
    effect: ReactionEffect
    n: Amount | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_number(self.effect, self.n)
        return self


class Equipment(Strict):
    """A kind of equipment card."""

    name: Name
    copies: Copies
    bear: BearValue
    ability: EquipmentAbility
    n: Amount | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_number(self.ability, self.n)
        return self


class Runner(Strict):
    """A runner and its Park Pass (OB-X1)."""

    name: Name
    ability: RunnerAbility
    n: Amount | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_number(self.ability, self.n)
        return self


class OutrunTheBearContent(Content):
    """Maps, cards and runners. A card's *kind* is its place among actions, then reactions, then equipment."""

    setup: Setup
    difficulties: Entries[Prints]
    trails: Annotated[Entries[Trail], Field(min_length=NUM_TRAILS, max_length=NUM_TRAILS)]
    actions: Entries[Action]
    reactions: Entries[Reaction] = ()
    equipment: Entries[Equipment] = ()
    runners: Annotated[Entries[Runner], Field(min_length=MAX_PLAYERS, max_length=MAX_RUNNERS)]

    @property
    def cards(self) -> tuple[Action | Reaction | Equipment, ...]:
        """All kinds of cards, in the order of their numbers."""
        return (*self.actions, *self.reactions, *self.equipment)

    @property
    def card_ids(self) -> tuple[str, ...]:
        """The notation's name of each kind."""
        return tuple(entry_id(card.name) for card in self.cards)

    @property
    def runner_ids(self) -> tuple[str, ...]:
        """The notation's name of each runner."""
        return tuple(entry_id(runner.name) for runner in self.runners)

    @model_validator(mode="after")
    def _check(self) -> Self:
        for things, ids in (("cards", self.card_ids), ("runners", self.runner_ids)):
            for name, count in Counter(ids).items():
                if count > 1:
                    raise ValueError(f"{count} {things} share the id {name!r}; each needs its own")
        if len(self.cards) > MAX_KINDS:
            raise ValueError(f"{len(self.cards)} kinds of cards; there may be at most {MAX_KINDS}")
        total = sum(card.copies for card in self.cards)
        if not 1 <= total <= MAX_CARDS:
            raise ValueError(f"{total} cards in all; there must be 1 to {MAX_CARDS}")
        names = sorted(prints.name for prints in self.difficulties)
        if names != sorted(get_args(Difficulty)):
            raise ValueError(f"difficulties has {', '.join(names)}; it must have first, normal and hard, each once")
        bonus = max((runner.n or 0 for runner in self.runners if runner.ability == "hand_bonus"), default=0)
        if self.setup.hand_limit + bonus > MAX_HAND:
            raise ValueError(
                f"hand_limit {self.setup.hand_limit} and a hand_bonus of {bonus} make {self.setup.hand_limit + bonus};"
                f" a hand holds at most {MAX_HAND} cards"
            )
        return self


COLUMN_BYTES = ROWS * CELL // 8
"""A column's spaces as an observation shows them, a bit a number."""
WINDOW_BACK = 3
"""Columns behind the own runner that an observation shows."""
SHOWN_BYTES = 64 * COLUMN_BYTES
"""Those of the whole park, from column -WINDOW_BACK on, with as many more as a window takes in."""

DISCARD_SHOWN = record_dtype([("numbers", "f4", (2,))])
"""What an observation shows of a discard."""

SECTIONS_WRITTEN = (
    *("movement", "card", "card_seats", "hand", "next", "oldest", "race", "column", "row", "seats", "equipment"),
    *("known", "columns", "park", "runners"),
)
"""The sections of the observation whose first places kernels need."""

CONTENT = record_dtype(
    [
        ("num_players", "i4"),
        ("max_rounds", "i4"),
        ("has_passes", "i4"),
        ("is_coop", "i4"),
        ("is_last_standing", "i4"),
        ("deals_gear", "i4"),
        ("deal", "i4"),
        ("hand_limit", "i4"),
        ("crawl", "i4"),
        ("sprint", "i4"),
        ("sprint_cost", "i4"),
        ("draw", "i4"),
        # The park:
        ("num_trails", "i4"),  # trail tiles laid out
        ("last_column", "i4"),
        ("lot", "i4"),  # the parking lot's space; -1 without one
        ("terrain", "i1", (NUM_TRAILS * 2, TILE_COLUMNS, ROWS)),  # by face: 2 x tile + side
        ("prints", "i8", (NUM_TRAILS * 2,)),  # by face: bit mask of its columns
        ("shown", "i1", (NUM_TRAILS * 2, TILE_COLUMNS * COLUMN_BYTES)),  # by face: see the state's
        ("touching", "i4", (MAX_SPACES,)),  # the spaces that touch one, as a bit mask of what is around: see board.py
        # Cards, by kind:
        ("num_kinds", "i4"),
        ("first_reaction", "i4"),
        ("first_equipment", "i4"),
        ("num_cards", "i4"),
        ("copies", "i1", (MAX_KINDS,)),
        ("bear", "i4", (MAX_KINDS,)),
        ("num_effects", "i4", (MAX_KINDS,)),
        ("effect", "i4", (MAX_KINDS, MAX_EFFECTS)),
        ("n", "i4", (MAX_KINDS, MAX_EFFECTS)),
        ("needs_target", "i4", (MAX_KINDS,)),
        ("needs_adjacent", "i4", (MAX_KINDS,)),  # ... next to the actor
        # Bit masks of kinds: all action cards and equipment, then of action cards those that need a target.
        ("action_kinds", "i8"),
        ("equipment_kinds", "i8"),
        ("aiming_kinds", "i8"),
        ("adjacent_kinds", "i8"),
        ("reaction_kinds", "i8", (len(EFFECT_NAMES),)),  # by effect
        ("ability", "i4", (MAX_KINDS, NUM_ABILITIES)),
        ("num_runners", "i4"),
        ("runner_ability", "i4", (MAX_RUNNERS, NUM_ABILITIES)),
        # Where the sections of the action table begin; of those of some cards only, less the first one's kind:
        ("to_play", "i4"),
        ("to_react", "i4"),
        ("to_equip", "i4"),
        ("to_swap", "i4"),
        ("to_discard", "i4"),
        ("to_target", "i4"),
        ("to_step", "i4"),  # less the number of the first space
        ("to_runner", "i4"),
        # ... and of the outcome table:
        ("of_gear", "i4"),
        ("of_draw", "i4"),
        ("of_steal", "i4"),
        ("of_reveal", "i4"),
        # Where the sections of the observation begin:
        *((f"at_{section}", "i4") for section in SECTIONS_WRITTEN),
        # What observations show:
        ("big_columns", "i8"),  # bit mask: those of the campsite and the parking lot
        ("discards", DISCARD_SHOWN, (MAX_KINDS,)),  # by kind
        ("touched", "i8", (MAX_SPACES, 4)),  # the spaces that touch one, a bit each
        ("marks", "i2", (256,)),  # by column less the window's first: where ``park`` has a runner in its first row
        ("left", "u1", (MAX_PLAYERS,)),  # the next seat
        ("print_share", "f4", (256,)),  # number / MANY_PRINTS, by number + 128
        ("column_share", "f4", (256,)),  # column / last column; like the next ones, 0 for who is NOWHERE
        ("beside", "f4", (256,)),  # 1/2 + difference of columns / 32, by the difference + MAX_COLUMNS
        ("ahead", "f4", (256,)),  # difference of columns / 16, by the same
        ("hand_share", "f4", (32,)),  # cards / MAX_HAND, by 16 + number; before, 0
        # What the numbers of cards of each kind are divided by, in the section ``hand`` and those after it:
        ("hand_wholes", "f4", (MAX_KINDS,)),
        ("card_wholes", "f4", (MAX_KINDS,)),
    ]
)
