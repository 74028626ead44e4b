"""A referee for Outrun the Bear: slow, obvious, and written without a look at the engine.

The rules stand here a second time, in the order of the specification; see `tests.referee` for the form. A runner
is its seat, a tile is the name of its side that is up (`2.b`), a space is a column and a row.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from tests import referee
from tests.referee import Answer, Pile, Referee, Steps, size, take

Card = dict[str, Any]

# --- Reference content: typed from the specification's tables, so that it checks the engine's content file


def card(kind: str, copies: int, bear: int, **effects: int) -> Card:
    """`effects` in order; those without a number have 0."""
    return {"kind": kind, "copies": copies, "bear": bear, "effects": list(effects.items())}


def trails(picture: str) -> dict[str, list[str]]:
    """The tiles' rows from top to bottom, out of a picture of tiles side by side below their names."""
    lines = [line.split() for line in picture.strip().splitlines()]
    names, first = lines[0][::2], lines[0][1::2]
    return {name: [first[i], *(line[i] for line in lines[1:])] for i, name in enumerate(names)}


REFERENCE: dict[str, Any] = {
    "trails": trails("""
1.a ..~.#...   1.b ./..#..~   2.a .#..~../   2.b ..R...#.   3.a ./.#../.   3.b .~..~.#.   4.a ...#..~.   4.b #..R.../
    .#..R../       ...~../.       ...#..#.       .#.#.#..       ..R.#.~.       ..##..R.       .~.#./..       ..//..#.
    ...#./..       .R.#..#.       .R...#..       ./.~../.       .#..~..#       .R..../.       .~.#..#.       .#..~..~
    ./..~..#       ..~../..       .~../.~.       ..~./.~.       ..~.../.       ...//..#       ..R.../.       ..~..#..
"""),
    "prints": {"1.a": [3], "1.b": [2, 6], "2.a": [5], "2.b": [1], "3.a": [4], "3.b": [2, 5], "4.a": [], "4.b": [3]},
    "difficulties": {"first": (1, 1), "normal": (2, 1), "hard": (2, 2)},
    "cards": {
        "startle": card("action", 6, 2, target_back=3, self_move=2),
        "delicious_ham": card("action", 2, 0, bear_skip=0),
        "burst_of_speed": card("action", 7, 1, self_move=3),
        "shortcut": card("action", 5, 2, self_move=4),
        "trip": card("action", 5, 2, target_back=3, self_move=1),
        "shove": card("action", 5, 1, target_move=2, self_move=2),
        "switcheroo": card("action", 3, 3, swap_places=0),
        "pickpocket": card("action", 4, 1, steal=1, self_move=2),
        "spilled_pack": card("action", 3, 2, discard_half=0, self_move=2),
        "trail_mix": card("action", 4, 1, draw=2, self_move=2),
        "bear_call": card("action", 2, 3, bear_advance=3),
        "alert": card("reaction", 6, 1, cancel_on_me=0),
        "no_way": card("reaction", 4, 2, cancel_card=0),
        "adrenaline": card("reaction", 4, 1, dash=2),
        "slipstream": card("reaction", 2, 1, slipstream=2),
        "hiking_boots": card("equipment", 3, 1, crawl_bonus=1),
        "trekking_poles": card("equipment", 2, 1, sure_footed=0),
        "backpack": card("equipment", 3, 1, draw_bonus=1),
        "headband": card("equipment", 2, 2, sprint_discount=1),
        "bear_spray": card("equipment", 2, 0, bear_spray=0),
    },
    "runners": {
        "sprinter": ("sprint_bonus", 1),
        "hiker": ("crawl_bonus", 1),
        "scout": ("deal", 4),
        "ranger": ("sure_footed", 0),
        "packer": ("hand_limit", 9),
        "kayaker": ("river", 2),
        "camper": ("rest_draw", 2),
        "anchor": ("anchor", 1),
    },
}
"""`runners` have one power each; what an equipment card does is a power too."""

NUMBERS: dict[str, int] = {
    "hand_limit": 7,
    "deal": 2,
    "draw": 2,
    "crawl": 2,
    "sprint": 5,
    "sprint_cards": 4,
    "river": 1,
    "rest_draw": 1,
}
"""The rulebook's figures. A content dictionary may replace some of them under the key "numbers"."""

DEFAULT_SETTINGS: dict[str, Any] = {
    "num_players": 4,
    "difficulty": "normal",
    "trail_tiles": 3,
    "park_pass": False,
    "coop": False,
    "equipment_for_all": False,
    "last_one_standing": False,
    "max_rounds": 100,
}

AT_TARGET = {"target_back", "target_move", "swap_places", "steal", "discard_half"}
"""The effects that hit the target (OB-A2)."""

ROWS = 4
TILE = 8
"""Columns of a tile. The campsite is the last column of the first tile, the parking lot that of the last."""

FORWARD = +1
SIDEWAYS = 0
BACK = -1
ANY = (FORWARD, SIDEWAYS, BACK)

SLIDE = inf
"""Spaces of a movement that ends at the slope's foot."""


class Space(NamedTuple):
    column: int
    row: int | None
    """None for the two big spaces, the campsite and the parking lot."""

    def text(self) -> str:
        if self.row is None:
            return "camp" if self == CAMP else "lot"
        return f"c{self.column}r{self.row}"


CAMP = Space(TILE - 1, None)


@dataclass
class Movement:
    mover: int
    left: float
    """Steps that count and are still to come; of a slide without end."""
    directions: Iterable[int]
    is_mandatory: bool = False
    passed: set[int] = field(default_factory=set)


@dataclass
class Played:
    card: str
    seat: int
    target: int | None = None


class _GameOver(Exception):
    """Unwinds the coroutine when the game has ended or was truncated."""


class Oracle(Referee):
    """One game of Outrun the Bear, driven by event texts.

    `settings`: num_players 2..6, difficulty "first", "normal" or "hard", trail_tiles 1..4, park_pass, coop,
    equipment_for_all and last_one_standing True or False, max_rounds >= 1; those left out have their defaults.
    `content`: shaped like REFERENCE, with optional `numbers`. Raises ValueError where the settings or the
    content admit no game.
    """

    def __init__(self, settings: dict[str, Any] | None = None, content: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.settings = {**DEFAULT_SETTINGS, **(settings or {})}
        self.content = REFERENCE if content is None else content
        self.numbers: dict[str, int] = {**NUMBERS, **self.content.get("numbers", {})}
        self._check_settings()

        self.num_players = self.settings["num_players"]
        players = range(self.num_players)
        self.token = self.num_players - 1
        """Who holds the Bear's token (OB-S1)."""
        self.seat = 0
        """The player whose turn it is; in the Bear's turn, whose it was."""
        self.is_players_turn = False
        """Not so during set-up and in the Bear's turn."""
        self.can_sprint = True
        self.movement: Movement | None = None
        """The one under way, which a sprint's is while it is paid for."""
        self.played: Played | None = None
        """The action card that is taking effect, or about to."""
        self.rounds_ended = 0
        self.truncated = False
        self.witnesses: set[int] = set()
        """The seats that learn the outcome of the chance event that is due."""
        self.in_window = False
        """Whether a seat is asked for a reaction."""

        self.tiles: list[str] = []
        self.num_shifts = 0
        """How often a tile was moved from the start to the end (OB-X4)."""
        self.bear = 0
        self.bear_skips = False
        self.where = dict.fromkeys(players, CAMP)
        """The runners still running."""
        self.escaped: set[int] = set()
        self.caught: set[int] = set()
        self.runners: list[str | None] = [None for _ in players]

        self.hands: list[Pile] = [Counter() for _ in players]
        self.taken_along: list[Pile] = [Counter() for _ in players]
        """The hands of who is out, which nobody else has seen."""
        self.known: list[list[Pile]] = [[Counter() for _ in players] for _ in players]
        """By seat, what it has learnt of each hand and is there still."""
        self.uncertain: dict[frozenset[int], list[Pile]] = {}
        """By the two seats of a theft, and by seat, what it knew to be with one of them and now may be with either."""
        self.equipment: list[str | None] = [None for _ in players]
        self.discard: list[str] = []
        """From the bottom, the oldest, to the top."""
        self.taken: list[str] = []
        """The cards that drive the Bear this turn, in the order taken (OB-E2)."""
        self.unseen: Pile = Counter()
        """The part of the deck whose order nobody knows; it lies on top."""
        self.under: list[str] = []
        """The part whose order everybody knows, from top to bottom (OB-E4)."""
        self.removed: Pile = Counter()
        """What has left the game."""
        self._prepare_cards()
        self._start()

    def _check_settings(self) -> None:
        lowest = {"num_players": 2, "trail_tiles": 1, "max_rounds": 1}
        difficulties = self.content["difficulties"]
        for key, value in self.settings.items():
            if key not in DEFAULT_SETTINGS:
                raise ValueError(f"unknown setting {key}; the settings are {', '.join(DEFAULT_SETTINGS)}")
            if key == "difficulty" and value not in difficulties:
                raise ValueError(f"difficulty={value}: one of {', '.join(difficulties)} is needed")
            if key in lowest and (type(value) is not int or value < lowest[key]):
                raise ValueError(f"{key}={value}: an integer from {lowest[key]} is needed")
            if key not in {*lowest, "difficulty"} and type(value) is not bool:
                raise ValueError(f"{key}={value}: True or False is needed")
        if self.settings["num_players"] > 6:
            raise ValueError(f"num_players={self.settings['num_players']}: 2 to 6 play")  # OB-S1
        if self.settings["trail_tiles"] > 4:
            raise ValueError(f"trail_tiles={self.settings['trail_tiles']}: there are 4")
        if self.settings["trail_tiles"] != 3 and not self.settings["coop"]:  # OB-X2, OB-X4
            raise ValueError("trail_tiles other than 3 are for coop")
        if self.settings["last_one_standing"] and self.settings["coop"]:  # OB-X4
            raise ValueError("last_one_standing and coop exclude each other")

    def _prepare_cards(self) -> None:
        for name, entry in self.content["cards"].items():
            if entry["copies"] > 0:
                self.unseen[name] = entry["copies"]
        num_equipment = sum(n for name, n in self.unseen.items() if self._kind(name) == "equipment")
        if self.settings["equipment_for_all"] and num_equipment < self.num_players:
            raise ValueError(f"{num_equipment} equipment cards are too few for {self.num_players} players")

    # --- What the outside sees

    def returns(self) -> list[Fraction]:
        """OB-V2, OB-V3, OB-V4, OB-X2; valid at any time."""
        if self.settings["coop"]:
            result = -1 if self.caught else 1 if not self.where else 0
            return [Fraction(result)] * self.num_players
        has_survivor = len(self.caught) == self.num_players - 1
        running = 1 if has_survivor else 0
        return [
            Fraction(-1 if seat in self.caught else 1 if seat in self.escaped else running)
            for seat in range(self.num_players)
        ]

    def seen_by(self, text: str) -> set[int]:
        """The seats that learn of this event, which is about to happen."""
        if not isinstance(self.to_act, int):
            return self.witnesses
        if self.in_window and text == "pass":  # OB-A1: not even that somebody was asked
            return {self.to_act}
        return set(range(self.num_players))

    def check_conservation(self) -> None:
        """Nothing is made or lost, and what must hold after every event does."""
        seen = self.removed + Counter([*self.discard, *self.taken, *self.under])
        seen.update(name for name in self.equipment if name is not None)
        for hand in self.hands:
            seen += hand
        for name, entry in self.content["cards"].items():
            assert seen[name] + self.unseen[name] == entry["copies"], (name, seen)
        assert sorted([*self.where, *self.escaped, *self.caught]) == list(range(self.num_players))
        for seat in self.escaped | self.caught:
            assert not self.hands[seat] and self.equipment[seat] is None
        small = [space for space in self.where.values() if space.row is not None]
        assert len(small) - len(set(small)) <= 1  # OB-B3; one may be passing
        if self.tiles:
            assert all(self.bear <= space.column <= self._last_column() for space in self.where.values())

    # --- The park

    def _lot_column(self) -> int | None:
        """OB-B1; none without a parking tile (OB-X4)."""
        return None if self.settings["last_one_standing"] else TILE * (len(self.tiles) + 2) - 1

    def _last_column(self) -> int:
        lot = self._lot_column()
        return TILE * (len(self.tiles) + 1) - 1 if lot is None else lot

    def _beside(self, space: Space, directions: Iterable[int] = ANY) -> list[Space]:
        """OB-B2: the spaces that touch this one, in these directions only."""
        column, row = space
        near = []
        for direction in directions:
            if row is None:
                rows = [] if direction == SIDEWAYS else list(range(ROWS))
            elif direction == SIDEWAYS:
                rows = [row - 1, row + 1]
            else:
                rows = [row - 1, row] if column % 2 == 0 else [row, row + 1]
            near += self._spaces(column + direction, rows) if rows else []
        return near

    def _spaces(self, column: int, rows: list[int]) -> list[Space]:
        """Those of a column's spaces in these rows that exist, or its big space."""
        if column == CAMP.column:
            return [CAMP]
        if column == self._lot_column():
            return [Space(column, None)]
        if not CAMP.column < column <= self._last_column():
            return []
        return [Space(column, row) for row in rows if 0 <= row < ROWS]

    def _terrain(self, space: Space) -> str:
        """OB-T1. A letter of the maps; the campsite works like a rest area."""
        if space == CAMP:
            return "R"
        tile, column = divmod(space.column - TILE, TILE)
        if tile == len(self.tiles):  # OB-B1: the parking tile
            return "."
        assert space.row is not None
        letter: str = self.content["trails"][self.tiles[tile]][space.row][column]
        return letter

    def _prints(self) -> list[int]:
        """OB-B4: the columns of all paw prints on the board."""
        on_campsite, on_parking = self.content["difficulties"][self.settings["difficulty"]]
        columns = list(range(on_campsite))
        for number, tile in enumerate(self.tiles, start=1):
            columns += [TILE * number + column for column in self.content["prints"][tile]]
        if self._lot_column() is not None:
            columns += [TILE * (len(self.tiles) + 1) + column for column in range(on_parking)]
        return columns

    # --- Small things

    def _kind(self, name: str) -> str:
        kind: str = self.content["cards"][name]["kind"]
        return kind

    def _effects(self, name: str) -> list[tuple[str, int]]:
        effects: list[tuple[str, int]] = self.content["cards"][name]["effects"]
        return effects

    def _held(self, seat: int, kind: str, *effects: str) -> list[str]:
        """The cards of a kind in a hand; with effects, those that have one of them."""
        return [
            name
            for name in sorted(self.hands[seat])
            if self._kind(name) == kind and (not effects or any(effect in effects for effect, _ in self._effects(name)))
        ]

    def _powers(self, seat: int) -> dict[str, int]:
        """What the runner (OB-X1) and its equipment can do; the same power twice adds up."""
        powers: Counter[str] = Counter()
        sources = [self.content["runners"][name] for name in [self.runners[seat]] if name is not None]
        equipment = self.equipment[seat]
        for power, n in [*sources, *(self._effects(equipment) if equipment is not None else [])]:
            powers[power] += n
        return powers

    def _number(self, seat: int, name: str) -> int:
        """A number of the rulebook, or what the seat has instead of it."""
        return self._powers(seat).get(name, self.numbers[name])

    def _bonus(self, seat: int, name: str) -> int:
        return self._powers(seat).get(name, 0)

    def _running(self) -> list[int]:
        """OB-R1: in seat order."""
        return sorted(self.where)

    def _others(self) -> list[int]:
        """The other players still running, clockwise from the one whose turn it is (OB-A1)."""
        clockwise = [(self.seat + i) % self.num_players for i in range(1, self.num_players)]
        return [seat for seat in clockwise if seat in self.where]

    def _ask(self, options: Callable[[], list[str]]) -> Answer:
        """The player whose turn it is decides."""
        return self._choose(self.seat, options)

    def _leaves_hand(self, seat: int, name: str, seen_by: Iterable[int] | None = None) -> str:
        """A card leaves a hand; each seat that sees it, without a word all of them, knows of one less there."""
        for witness in range(self.num_players) if seen_by is None else seen_by:
            piles = [self.known[witness][seat]]
            piles += [uncertain[witness] for pair, uncertain in self.uncertain.items() if seat in pair]
            for pile in piles:
                if pile[name] > 0:
                    take(pile, name)
                    break
        return take(self.hands[seat], name)

    def _discard_from_hand(self, seat: int, name: str) -> None:
        self.discard.append(self._leaves_hand(seat, name))

    def _receive(self, seat: int, name: str, seen_by: Iterable[int] = ()) -> None:
        """OB-T3: what a full hand cannot hold goes to the discard pile."""
        if self._is_full(seat):
            self.discard.append(name)
        else:
            self.hands[seat][name] += 1
            for witness in seen_by:
                self.known[witness][seat][name] += 1

    def _is_full(self, seat: int) -> bool:
        return size(self.hands[seat]) >= self._number(seat, "hand_limit")

    def _equip(self, seat: int, name: str) -> None:
        """OB-T4."""
        self._drop_equipment(seat)
        self.equipment[seat] = self._leaves_hand(seat, name)

    def _drop_equipment(self, seat: int) -> None:
        old = self.equipment[seat]
        if old is not None:
            self.discard.append(old)
        self.equipment[seat] = None

    def _from_deck(self, verb: str, seen_by: Iterable[int]) -> Generator[None, str, str | None]:
        """The deck's top card: at random from the unseen part, then as known, without a line; or none."""
        if self.unseen:
            self.witnesses = set(seen_by)
            text = yield from self._happen(
                lambda: {f"{verb} {name}": self.unseen[name] for name in sorted(self.unseen)}
            )
            return take(self.unseen, text.split()[1])
        return self.under.pop(0) if self.under else None

    def _draw(self, seat: int, number: int) -> Steps:
        """OB-T3."""
        for _ in range(number):
            seen_by = range(self.num_players) if self._is_full(seat) else [seat]
            is_under = not self.unseen  # then all know the card
            name = yield from self._from_deck("draw", seen_by)
            if name is not None:
                self._receive(seat, name, range(self.num_players) if is_under else ())

    # --- The game

    def _play(self) -> Steps:
        try:
            yield from self._set_up()
            while True:
                yield from self._round()
        except _GameOver:
            return

    def _set_up(self) -> Steps:
        num_tiles = 4 if self.settings["last_one_standing"] else self.settings["trail_tiles"]
        self.witnesses = set(range(self.num_players))
        while len(self.tiles) < num_tiles:  # OB-B4
            text = yield from self._happen(lambda: {f"trail {side}": 1 for side in self._sides_left()})
            self.tiles.append(text.split()[1])
        if self.settings["park_pass"]:
            for seat in reversed(range(self.num_players)):  # OB-S1
                text = yield from self._choose(
                    seat, lambda: [f"runner {name}" for name in self.content["runners"] if name not in self.runners]
                )
                self.runners[seat] = text.split()[1]
        if self.settings["equipment_for_all"]:  # OB-X3
            for seat in range(self.num_players):
                text = yield from self._happen(
                    lambda: {f"gear {name}": n for name, n in self.unseen.items() if self._kind(name) == "equipment"}
                )
                self.equipment[seat] = take(self.unseen, text.split()[1])
        for seat in range(self.num_players):  # OB-S1
            yield from self._draw(seat, self._number(seat, "deal"))

    def _sides_left(self) -> list[str]:
        """The sides of the tiles that are not in the park yet."""
        used = {number_of(tile) for tile in self.tiles}
        return [side for side in self.content["trails"] if number_of(side) not in used]

    def _round(self) -> Steps:
        """OB-R1, OB-R2."""
        for i in range(1, self.num_players + 1):
            self.seat = (self.token + i) % self.num_players
            if self.seat in self.where:
                self.is_players_turn = True
                yield from self._turn()
        self.is_players_turn = False
        yield from self._bears_turn()
        self.rounds_ended += 1
        if self.rounds_ended == self.settings["max_rounds"]:  # OB-V3
            self.truncated = True
            raise _GameOver
        self.token = (self.token - 1) % self.num_players
        while self.token not in self.where:
            self.token = (self.token - 1) % self.num_players

    # --- A player's turn

    def _turn(self) -> Steps:
        for step in (self._terrain_step, self._action_step, self._draw_step):
            if self.seat in self.where:  # OB-T6
                yield from step()

    def _terrain_step(self) -> Steps:
        """OB-T1."""
        self.can_sprint = True
        is_sure_footed = "sure_footed" in self._powers(self.seat)
        match self._terrain(self.where[self.seat]):
            case "R":
                yield from self._rest()
            case "~":
                yield from self._forced_movement(self.seat, FORWARD, self._number(self.seat, "river"))
            case "/" if not is_sure_footed:
                yield from self._forced_movement(self.seat, BACK, SLIDE)
            case "#" if not is_sure_footed:
                self.can_sprint = False

    def _rest(self) -> Steps:
        if not self.hands[self.seat]:  # Notation
            return
        verb, *name = (yield from self._ask(self._rest_options)).split()
        if verb == "equip":
            self._equip(self.seat, name[0])
        elif verb == "swap":
            self._discard_from_hand(self.seat, name[0])
            yield from self._draw(self.seat, self._number(self.seat, "rest_draw"))

    def _rest_options(self) -> list[str]:
        return [*self._equip_options(), *(f"swap {name}" for name in sorted(self.hands[self.seat])), "pass"]

    def _equip_options(self) -> list[str]:
        return [f"equip {name}" for name in self._held(self.seat, "equipment")]

    def _action_step(self) -> Steps:
        """OB-T2."""
        verb, *name = (yield from self._ask(self._action_options)).split()
        if verb == "crawl":
            yield from self._own_movement(self.numbers["crawl"] + self._bonus(self.seat, "crawl_bonus"))
        elif verb == "sprint":
            yield from self._sprint()
        elif verb == "play":
            yield from self._play_card(name[0])
        else:
            self._equip(self.seat, name[0])

    def _action_options(self) -> list[str]:
        has_enough = size(self.hands[self.seat]) >= self._sprint_cards()
        return [
            "crawl",
            *(["sprint"] if self.can_sprint and has_enough else []),
            *(f"play {name}" for name in self._held(self.seat, "action") if self._can_play(name)),
            *self._equip_options(),
        ]

    def _sprint_cards(self) -> int:
        return max(0, self.numbers["sprint_cards"] - self._bonus(self.seat, "sprint_discount"))

    def _sprint(self) -> Steps:
        n = self.numbers["sprint"] + self._bonus(self.seat, "sprint_bonus")
        self.movement = Movement(self.seat, n, ANY)
        yield from self._discard_cards(self.seat, self._sprint_cards())
        yield from self._own_movement(n)

    def _discard_cards(self, seat: int, number: int) -> Steps:
        """As many cards as are asked for, in the order that the seat chooses."""
        for _ in range(number):
            text = yield from self._choose(seat, lambda: [f"discard {name}" for name in sorted(self.hands[seat])])
            self._discard_from_hand(seat, text.split()[1])

    def _draw_step(self) -> Steps:
        """OB-T3."""
        yield from self._draw(self.seat, self.numbers["draw"] + self._bonus(self.seat, "draw_bonus"))

    # --- Movement

    def _occupant(self, mover: int, space: Space) -> int | None:
        """OB-M2: nobody ever occupies a big space."""
        if space.row is None:
            return None
        there = [seat for seat in self._running() if seat != mover and self.where[seat] == space]
        return there[0] if there else None

    def _may_enter(self, mover: int, space: Space, directions: Iterable[int], passed: set[int]) -> bool:
        if space.column <= self.bear:  # OB-M3
            return False
        occupant = self._occupant(mover, space)
        if occupant is None:
            return True
        if occupant in passed:  # OB-M2: nobody twice; and there must be a way on, to a free space
            return False
        return any(
            self._may_enter(mover, beyond, directions, passed | {occupant})
            for beyond in self._beside(space, directions)
        )

    def _steps(self, mover: int, directions: Iterable[int], passed: set[int]) -> list[Space]:
        """Where a movement that has passed these runners can go next."""
        near = self._beside(self.where[mover], directions)
        return [space for space in near if self._may_enter(mover, space, directions, passed)]

    def _enter(self, move: Movement, space: Space) -> None:
        """One step; it counts unless it passes a runner (OB-M2)."""
        occupant = self._occupant(move.mover, space)
        if occupant is not None:
            move.passed.add(occupant)
        else:
            move.left -= 1
        self.where[move.mover] = space
        if space.column == self._lot_column():  # OB-M4
            self.escaped.add(move.mover)
            self._leave(move.mover)

    def _is_passing(self, mover: int) -> bool:
        return mover in self.where and self._occupant(mover, self.where[mover]) is not None

    def _own_movement(self, n: int) -> Steps:
        return self._chosen_movement(self.seat, self.seat, n, ANY, at_least=0)

    def _chosen_movement(self, mover: int, chooser: int, n: int, directions: Iterable[int], at_least: int) -> Steps:
        """OB-M1: up to n steps that count, each of them chosen."""
        move = self.movement = Movement(mover, n, directions)

        def options() -> list[str]:
            steps = [f"step {space.text()}" for space in self._steps(mover, directions, move.passed)]
            return steps if move.left > n - at_least or self._is_passing(mover) else [*steps, "stop"]

        while move.left > 0 and mover in self.where:
            text = yield from self._choose(chooser, options)
            if text == "stop":
                break
            self._enter(move, self.space(text))
        yield from self._end_movement(move)

    def _forced_movement(self, mover: int, direction: int, n: float) -> Steps:
        """OB-M5: n steps that count; of a slide, until a free space that is no slope (OB-T1)."""
        move = self.movement = Movement(mover, n, [direction], is_mandatory=True)
        while mover in self.where and self._must_go_on(move):
            steps = self._steps(mover, [direction], move.passed)
            if not steps:  # OB-M3
                break
            space = steps[0]
            if len(steps) > 1:
                text = yield from self._ask(
                    lambda: [f"step {space.text()}" for space in self._steps(mover, [direction], move.passed)]
                )
                space = self.space(text)
            self._enter(move, space)
        yield from self._end_movement(move)

    def _must_go_on(self, move: Movement) -> bool:
        if move.left == SLIDE:
            return self._is_passing(move.mover) or self._terrain(self.where[move.mover]) == "/"
        return move.left > 0

    def _end_movement(self, move: Movement) -> Steps:
        """OB-X4, then OB-A4."""
        self.movement = None
        if move.mover in self.where and self.where[move.mover].column == self._last_column():
            assert self.settings["last_one_standing"]
            self._shift()
        for seat in sorted(move.passed):
            cards = self._held(seat, "reaction", "slipstream")
            if seat in self.where and cards:
                name = yield from self._react(seat, "slipstream")
                if name is not None:
                    yield from self._draw(seat, dict(self._effects(name))["slipstream"])

    def space(self, text: str) -> Space:
        """The space that a step names."""
        match = re.fullmatch(r"step c(\d+)r(\d+)", text)
        if match is not None:
            return Space(int(match[1]), int(match[2]))
        return CAMP if text == "step camp" else Space(self._last_column(), None)

    # --- The Bear's turn

    def _bears_turn(self) -> Steps:
        if self.bear_skips:
            self.bear_skips = False
        else:
            yield from self._take_cards()
            yield from self._advance(sum(self.content["cards"][name]["bear"] for name in self.taken))  # OB-E3
        self.under += [*self.taken, *self.discard]  # OB-E4
        self.taken, self.discard = [], []

    def _take_cards(self) -> Steps:
        """OB-E1, OB-E2."""
        lead = max(space.column for space in self.where.values())
        if self.escaped:
            lead = self._last_column()
        for _ in range(sum(column < lead for column in self._prints())):
            if self.discard:
                self.taken.append(self.discard.pop(0))
            else:
                name = yield from self._from_deck("reveal", range(self.num_players))
                if name is not None:
                    self.taken.append(name)

    def _advance(self, n: int) -> Steps:
        """OB-E3."""
        for _ in range(n):
            sprays = [seat for seat in self._in_column(self.bear + 1) if "bear_spray" in self._powers(seat)]
            if sprays:
                self._drop_equipment(sprays[0])
                return
            self.bear += 1
            for seat in range(self.num_players):  # OB-A3
                yield from self._dash(seat)
            caught = self._in_column(self.bear)
            if caught:
                self._catch(caught)
                return

    def _in_column(self, column: int) -> list[int]:
        """The runners there, in seat order."""
        return [seat for seat in self._running() if self.where[seat].column == column]

    def _catch(self, seats: list[int]) -> None:
        """OB-E5: all at once."""
        self.caught.update(seats)
        for seat in seats:
            self._leave(seat, is_last=seat == seats[-1])

    # --- End

    def _leave(self, seat: int, *, is_last: bool = True) -> None:
        """The runner is out: OB-M4, OB-E5. Once all who leave together have left, the game may be over."""
        del self.where[seat]
        self.removed.update(self.hands[seat])
        self.taken_along[seat], self.hands[seat] = self.hands[seat], Counter()
        self.removed.update(name for name in [self.equipment[seat]] if name is not None)
        self.equipment[seat] = None
        if is_last and self._is_over():
            raise _GameOver

    def _is_over(self) -> bool:
        if self.settings["coop"]:  # OB-X2
            return bool(self.caught) or not self.where
        return not self.where or len(self.caught) >= self.num_players - 1  # OB-V1

    # --- Reactions

    def _react(self, seat: int, *effects: str) -> Generator[None, str, str | None]:
        """Ask a seat that has a card that applies; the card that it played, now in the discard pile (OB-T5)."""
        self.in_window = True
        text = yield from self._choose(
            seat, lambda: [*(f"react {name}" for name in self._held(seat, "reaction", *effects)), "pass"]
        )
        self.in_window = False
        if text == "pass":
            return None
        name = text.split()[1]
        self._discard_from_hand(seat, name)
        return name

    def _reactions_to_card(self, target: int | None) -> Generator[None, str, set[str]]:
        """OB-A1, OB-A2: the effects of what was played against the card."""
        played: set[str] = set()
        for seat in self._others():
            applying = ["cancel_card", "cancel_on_me"] if seat == target else ["cancel_card"]
            if not self._held(seat, "reaction", *applying):
                continue
            name = yield from self._react(seat, *applying)
            if name is not None:
                played.update(effect for effect, _ in self._effects(name))
            if "cancel_card" in played:
                break
        return played

    def _dash(self, seat: int) -> Steps:
        """OB-A3."""
        if seat not in self._in_column(self.bear) or not self._held(seat, "reaction", "dash"):
            return
        if not self._steps(seat, [FORWARD], set()):
            return
        name = yield from self._react(seat, "dash")
        if name is not None:
            yield from self._chosen_movement(seat, seat, dict(self._effects(name))["dash"], [FORWARD], at_least=1)

    # --- Effects

    def _can_play(self, name: str) -> bool:
        effects = {effect for effect, _ in self._effects(name)}
        return not effects & AT_TARGET or bool(self._targets(name))

    def _targets(self, name: str) -> list[int]:
        targets = sorted(self._others())
        if "target_move" in dict(self._effects(name)):
            near = self._beside(self.where[self.seat])
            targets = [seat for seat in targets if self.where[seat] in near]
        return targets

    def _play_card(self, name: str) -> Steps:
        self.played = Played(name, self.seat)
        self._leaves_hand(self.seat, name)
        if self.settings["coop"] and "bear_skip" in dict(self._effects(name)):  # OB-X2
            self.removed[name] += 1
        else:
            self.discard.append(name)  # OB-T5
        yield from self._carry_out(self.played)
        self.played = None

    def _carry_out(self, played: Played) -> Steps:
        effects = self._effects(played.card)
        if any(effect in AT_TARGET for effect, _ in effects):
            text = yield from self._ask(lambda: [f"target p{seat}" for seat in self._targets(played.card)])
            played.target = int(text.removeprefix("target p"))
        answers = yield from self._reactions_to_card(played.target)
        if "cancel_card" in answers:
            return
        for effect, n in effects:
            if self.seat not in self.where:  # OB-T6
                return
            if effect not in AT_TARGET:
                yield from self._run_effect(effect, n)
            elif played.target in self.where and "cancel_on_me" not in answers:  # OB-A2
                assert played.target is not None
                yield from self._hit(played.target, effect, n)

    def _run_effect(self, effect: str, n: int) -> Steps:
        match effect:
            case "self_move":
                yield from self._own_movement(n)
            case "draw":
                yield from self._draw(self.seat, n)
            case "bear_skip":
                self.bear_skips = True
            case "bear_advance":
                yield from self._advance(n)
            case _:
                raise AssertionError(effect)

    def _hit(self, target: int, effect: str, n: int) -> Steps:
        match effect:
            case "target_back":
                n = max(0, n - self._bonus(target, "anchor"))  # OB-X1
                yield from self._forced_movement(target, BACK, n)
            case "target_move":
                if self._steps(target, ANY, set()):
                    yield from self._chosen_movement(target, self.seat, n, ANY, at_least=1)
            case "swap_places":
                self.where[self.seat], self.where[target] = self.where[target], self.where[self.seat]
            case "steal":
                for _ in range(min(n, size(self.hands[target]))):
                    yield from self._steal_from(target)
            case "discard_half":
                yield from self._discard_cards(target, size(self.hands[target]) // 2)
            case _:
                raise AssertionError(effect)

    def _steal_from(self, target: int) -> Steps:
        hand = self.hands[target]
        is_seen_by_all = self._is_full(self.seat)
        self.witnesses = set(range(self.num_players)) if is_seen_by_all else {self.seat, target}
        text = yield from self._happen(lambda: {f"steal {name}": hand[name] for name in sorted(hand)})
        if not is_seen_by_all:
            self._become_uncertain(self.seat, target)
        name = self._leaves_hand(target, text.split()[1], self.witnesses)
        self._receive(self.seat, name, [target])

    def _become_uncertain(self, thief: int, victim: int) -> None:
        """What others knew of the victim's hand: one of these cards may be with the thief. The last theft counts."""
        self._forget_theft(victim)
        others = [seat for seat in range(self.num_players) if seat not in (thief, victim)]
        if any(self.known[seat][victim] for seat in others):
            self._forget_theft(thief)
            uncertain = self.uncertain[frozenset([thief, victim])] = [Counter() for _ in range(self.num_players)]
            for seat in others:
                uncertain[seat], self.known[seat][victim] = self.known[seat][victim], Counter()

    def _forget_theft(self, seat: int) -> None:
        self.uncertain = {pair: piles for pair, piles in self.uncertain.items() if seat not in pair}

    # --- Variants

    def _shift(self) -> None:
        """OB-X4: the first tile is taken away, flipped, and added at the end."""
        self.num_shifts += 1
        number, side = self.tiles[0].split(".")
        self.tiles = [*self.tiles[1:], f"{number}.{'b' if side == 'a' else 'a'}"]
        for seat, (column, row) in self.where.items():
            goes_to_camp = row is None or column < 2 * TILE
            self.where[seat] = CAMP if goes_to_camp else Space(column - TILE, row)
        self.bear = max(0, self.bear - TILE)


def number_of(side: str) -> str:
    """The tile that this is a side of."""
    return side.partition(".")[0]


def verify(lines: Iterable[str], content: dict[str, Any] | None = None, *, must_be_finished: bool = True) -> Oracle:
    """Referee a playthrough of Outrun the Bear: see `tests.referee.verify`. `content` replaces the reference."""
    return referee.verify(
        lines,
        "outrun_the_bear",
        lambda settings: Oracle(settings, content),
        skip_content=content is not None,
        must_be_finished=must_be_finished,
    )
