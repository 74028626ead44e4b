"""The content of Ursa Miner: what a content file may hold, and the record that kernels read it from."""

from collections import Counter
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from bearenvs.content import Content, Entries, Name, Strict, entry_id
from bearenvs.game import record_dtype
from bearenvs.ursa_miner.mountain import COLORS, Mountain, build_mountain, is_connected

MAX_PLAYERS = 4
MAX_BEARS = 5
MAX_CELLS = 48
"""A set of cells is a bit mask in an int64."""
OUTSIDE = 62
"""In such a set: all of the plane that is outside the outline."""
MAX_LAYERS = 3
MAX_HARDENED = 4
MAX_TILE_KINDS = 24
MAX_CARD_KINDS = 16
MAX_DECK = 120
MAX_COST = 50
MAX_COORDINATE = 1000
"""Of a core's cell: a picture can place no cell that lies endlessly far away."""

Copies = Annotated[int, Field(ge=0, le=60)]
Figure = Annotated[int, Field(ge=1, le=9)]
Coordinate = Annotated[int, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]

Color = Literal["brown", "gray", "black"]
Resource = Literal["honey", "jelly"]
Effect = Literal[
    "own_move",
    "shove",
    "swap_tops",
    "place_hardened",
    "mine_discount",
    "refresh",
    "steal",
    "hire",
    "rally",
]

# Effects and resources as kernels know them: their place in the vocabulary.
EFFECT_NAMES: tuple[str, ...] = get_args(Effect)
OWN_MOVE, SHOVE, SWAP_TOPS, PLACE_HARDENED, MINE_DISCOUNT, REFRESH, STEAL, HIRE_FREE, RALLY = range(len(EFFECT_NAMES))
RESOURCE_NAMES: tuple[str, ...] = get_args(Resource)
HONEY, JELLY = range(len(RESOURCE_NAMES))

NO_TILE = 0
"""The kind that stands for no tile. Real kinds count from 1."""

_WITH_NUMBER = ("own_move", "mine_discount", "steal")


class Bears(Strict):
    """The set-up numbers of bears (UM-S2, UM-H1)."""

    total: Annotated[int, Field(ge=1, le=MAX_BEARS)]
    starting: Annotated[int, Field(ge=1, le=MAX_BEARS)]
    hire_cost: Annotated[int, Field(ge=0, le=MAX_COST)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.starting > self.total:
            raise ValueError(f"starting = {self.starting} is more than total = {self.total}")
        return self


class HardenedHoney(Strict):
    """The Hardened Honey tiles: all alike, and they pay honey."""

    tiles: Annotated[int, Field(ge=0, le=MAX_HARDENED)]
    value: Figure
    bears: Figure


class Setup(Strict):
    """What depends on the number of players: the bonus cards in play (UM-S1), the core's cells (UM-M2)."""

    num_players: Literal[2, 3, 4]
    deck_size: Annotated[int, Field(ge=1, le=MAX_DECK)]
    core: Entries[Annotated[tuple[Coordinate, Coordinate], Field(strict=False)]]

    @property
    def mountain(self) -> Mountain:
        return build_mountain(self.core)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.core:
            raise ValueError("the core needs at least one cell")
        doubled = [list(cell) for cell, times in Counter(self.core).items() if times > 1]
        if doubled:
            raise ValueError(f"the core names the cell {doubled[0]} twice")
        cells = self.mountain.cells
        if len(cells) > MAX_CELLS:
            raise ValueError(f"the mountain around this core has {len(cells)} cells; at most {MAX_CELLS} fit")
        if not is_connected(cells):
            raise ValueError("the mountain around this core is not connected: move the core's cells closer together")
        return self


class Tile(Strict):
    """A kind of tile: what it pays, and the mining number ``bears``."""

    color: Color
    resource: Resource
    value: Figure
    bears: Figure
    copies: Copies

    @property
    def face(self) -> str:
        """The notation of what is printed on the tile, as in ``j2/3``."""
        return f"{self.resource[0]}{self.value}/{self.bears}"


class Card(Strict):
    """A kind of bonus card: an effect with its number, a cost in honey, and where the card goes after."""

    name: Name
    copies: Copies
    cost: Annotated[int, Field(ge=0, le=MAX_COST)]
    effect: Effect
    n: Figure | None = None
    after: Literal["discard", "return"]

    @property
    def id(self) -> str:
        return entry_id(self.name)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.effect in _WITH_NUMBER and self.n is None:
            raise ValueError(f"effect {self.effect!r} needs its number: n = 1 to 9")
        if self.effect not in _WITH_NUMBER and self.n is not None:
            raise ValueError(f"effect {self.effect!r} takes no number: leave out n")
        return self


class UrsaMinerContent(Content):
    """Tiles and cards count as *kinds* by their place in the file; Hardened Honey is the kind after the last tile."""

    bears: Bears
    hardened_honey: HardenedHoney
    setup: Entries[Setup]
    tiles: Entries[Tile]
    cards: Entries[Card]

    @property
    def faces(self) -> tuple[str, ...]:
        """The different faces of the tiles, whatever their color, in the order of the file."""
        return tuple(dict.fromkeys(tile.face for tile in self.tiles))

    @property
    def kind_names(self) -> tuple[str, ...]:
        """The notation of every kind's face; ``hh`` is Hardened Honey."""
        return ("none", *(tile.face for tile in self.tiles), "hh")

    def setup_for(self, num_players: int) -> Setup:
        return next(setup for setup in self.setup if setup.num_players == num_players)

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_kinds()
        if sorted(setup.num_players for setup in self.setup) != [2, 3, 4]:
            raise ValueError("setup: there must be one for each of num_players = 2, 3, 4")
        for setup in self.setup:
            self._check_supply(setup)
        return self

    def _check_kinds(self) -> None:
        if len(self.tiles) + 1 >= MAX_TILE_KINDS:
            raise ValueError(f"{len(self.tiles)} kinds of tiles; at most {MAX_TILE_KINDS - 2} fit")
        if not 1 <= len(self.cards) <= MAX_CARD_KINDS:
            raise ValueError(f"{len(self.cards)} kinds of cards; there can be 1 to {MAX_CARD_KINDS}")
        for what, names in (
            ("tiles", [f"{tile.color} {tile.face}" for tile in self.tiles]),
            ("cards", [card.id for card in self.cards]),
        ):
            doubled = [name for name, times in Counter(names).items() if times > 1]
            if doubled:
                raise ValueError(f"{what}: two entries are {doubled[0]!r}; they must differ")

    def _check_supply(self, setup: Setup) -> None:
        """Refuse a mountain or a deck that is larger than what there is to make it of."""
        where = f"setup for {setup.num_players} players"
        needed = Counter(COLORS[color] for layers in setup.mountain.layers for color in layers)
        for color in COLORS:
            there = sum(tile.copies for tile in self.tiles if tile.color == color)
            if there < needed[color]:
                raise ValueError(f"{where}: the mountain needs {needed[color]} {color} tiles, but there are {there}")
        cards = sum(card.copies for card in self.cards)
        if cards < setup.deck_size:
            raise ValueError(f"{where}: deck_size is {setup.deck_size}, but there are {cards} cards")


UNDER = 4 * (MAX_LAYERS + 1)
"""What can be under a top: 4 for each buried tile, 1 if one is gray, 2 if one is black; of none, 1 if it is bound."""
SHOWN_TILES = 16
"""Kinds of tiles whose shares an observation takes at once: the sections after them have room for so many."""
STACK_WIDTH = 24
"""Columns of the table of cells that are pasted for a stack: all, if two play."""
# Parts of an observation. What its table of cells shows of a stack, with 0 for what is rare and for bears, and the
# columns after; an own bear, but for whether it is moved; at most one of some things.
STACK = record_dtype([("features", "f4", (STACK_WIDTH,))])
REST_OF_STACK = record_dtype([("features", "f4", (12 + MAX_PLAYERS * MAX_BEARS - STACK_WIDTH,))])
BEAR = record_dtype([("features", "f4", (5,))])
ONE_HOT = record_dtype([("features", "f4", (MAX_CARD_KINDS,))])

SECTIONS_WRITTEN = ("bears", "seats", "hand", "shown", "discard", "card", "unseen", "phase", "turn")
"""The sections of the observation whose first places kernels need."""

# Integers are int64: interpreted, a narrower field would drag a shifted cell mask down to its own width.
CONTENT = record_dtype(
    [
        ("num_players", "i8"),
        ("sleepy_bears", "i8"),
        ("honey_burst", "i8"),
        ("max_turns", "i8"),
        ("num_bears", "i8"),
        ("starting_bears", "i8"),
        ("hire_cost", "i8"),
        ("deck_size", "i8"),
        ("num_hardened", "i8"),
        # The mountain:
        ("num_cells", "i8"),
        ("outline", "i8"),  # the bit mask of all cells
        ("rim", "i8"),  # the bit mask of the cells with a neighbour outside the outline
        ("around", "i8", (MAX_CELLS, 6)),  # the neighbours as one meets them going around, or OUTSIDE the outline
        ("adjacent", "i8", (MAX_CELLS,)),  # the neighbours as bit masks
        ("num_layers", "i8", (MAX_CELLS,)),
        ("layers", "i8", (MAX_CELLS, MAX_LAYERS)),  # colors from the bottom
        ("under", "u1", (MAX_CELLS, MAX_LAYERS + 1)),  # by the number of buried tiles: 4 each, 1: a gray, 2: a black
        # By kind of tile:
        ("hardened", "i8"),  # the kind of Hardened Honey
        ("tile_copies", "i8", (MAX_TILE_KINDS,)),
        ("color", "i8", (MAX_TILE_KINDS,)),
        ("resource", "i8", (MAX_TILE_KINDS,)),
        ("value", "i8", (MAX_TILE_KINDS,)),
        ("bears", "i8", (MAX_TILE_KINDS,)),
        ("figures", "i8", (MAX_TILE_KINDS,)),  # equal for tiles with the same figures
        ("face", "i8", (MAX_TILE_KINDS,)),  # the outcome that reveals it, from first_tile
        ("seen_stack", STACK, (MAX_TILE_KINDS * UNDER,)),  # by its top, and what is ``under`` it
        ("rest_of_stack", REST_OF_STACK),
        ("tile_wholes", "f4", (SHOWN_TILES,)),  # from the first real kind on: copies, 1 for none
        ("max_bears", "i8"),
        ("total_honey", "i8"),  # on all tiles together
        ("total_jelly", "i8"),
        ("seen_bear", BEAR, (2, 4, 2)),  # by whether it is on the mountain, its moves, whether it has mined
        ("one_hot", ONE_HOT, (MAX_CARD_KINDS + 1,)),  # none, then each
        # By kind of card:
        ("num_card_kinds", "i8"),
        ("card_copies", "i8", (MAX_CARD_KINDS,)),
        ("card_wholes", "f4", (MAX_CARD_KINDS,)),  # copies, 1 for none
        ("cost", "i8", (MAX_CARD_KINDS,)),
        ("effect", "i8", (MAX_CARD_KINDS,)),
        ("n", "i8", (MAX_CARD_KINDS,)),
        ("returns", "i8", (MAX_CARD_KINDS,)),
        ("affordable", "i8", (MAX_COST + 2,)),  # bit mask of the cards that cost less than so much
        ("with_effect", "i8", (len(EFFECT_NAMES),)),  # bit mask of the cards with each effect
        # Where the sections of the action and the outcome table begin:
        ("first_place", "i8"),
        ("first_move", "i8"),
        ("first_mine", "i8"),
        ("first_play", "i8"),
        ("first_end", "i8"),
        ("first_with", "i8"),
        ("first_stop", "i8"),
        ("first_pick", "i8"),
        ("first_bear", "i8"),
        ("first_from", "i8"),
        ("first_hire", "i8"),
        ("first_skip", "i8"),
        ("first_rally", "i8"),
        ("first_shove", "i8"),
        ("first_tile", "i8"),
        ("first_draw", "i8"),
        # And those of the observation:
        *((f"at_{section}", "i8") for section in SECTIONS_WRITTEN),
    ]
)
