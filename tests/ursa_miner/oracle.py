"""A referee for Ursa Miner: slow, obvious, and written without a look at the engine.

The rules stand here a second time, in the order of the specification; see `tests.referee` for the form. Cells
are numbers as in the notation (`c7` is 7), tiles are faces as in the notation (`j2/3`), bears are numbers of
a seat (`b0` is 0).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from tests import referee
from tests.referee import Answer, Pile, Referee, Steps, size, take

Card = dict[str, Any]
Place = tuple[int, int]
"""Axial (q, r)."""

# --- Reference content: typed from the specification's tables, so that it checks the engine's content file


def card(copies: int, cost: int, effect: str, n: int = 0, after: str = "discard") -> Card:
    return {"copies": copies, "cost": cost, "effect": effect, "n": n, "after": after}


RHOMBUS: list[Place] = [(0, 0), (1, 0), (0, 1), (1, 1)]
PARALLELOGRAM: list[Place] = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]

REFERENCE: dict[str, Any] = {
    "cores": {2: RHOMBUS, 3: RHOMBUS, 4: PARALLELOGRAM},
    "deck_sizes": {2: 20, 3: 21, 4: 28},
    "tiles": {
        "brown": {"h1/1": 16, "h2/2": 8, "j1/2": 8, "h3/3": 4},
        "gray": {"h2/2": 5, "h3/3": 4, "j2/3": 6, "j3/4": 3},
        "black": {"j3/3": 2, "j4/4": 2, "j5/5": 2},
    },
    "cards": {
        "sugar_rush": card(4, 0, "own_move", 1),
        "stampede": card(2, 1, "own_move", 3),
        "bear_hug": card(3, 0, "shove"),
        "cave_in": card(3, 1, "swap_tops"),
        "hardened_honey": card(3, 0, "place_hardened"),
        "sharp_claws": card(3, 1, "mine_discount", 1),
        "second_wind": card(3, 1, "refresh"),
        "sticky_paws": card(3, 0, "steal", 1),
        "word_of_mouth": card(2, 1, "hire"),
        "scent_trail": card(2, 1, "rally", after="return"),
    },
}

NUMBERS: dict[str, int] = {
    "bears": 5,
    "starting_bears": 2,
    "hire_cost": 3,
    "hardened_tiles": 4,
    "hardened_honey": 1,
    "hardened_bears": 2,
    "burst_cost": 1,
}
"""The rulebook's figures. A content dictionary may replace some of them under the key "numbers"."""

DEFAULT_SETTINGS: dict[str, int] = {
    "num_players": 2,
    "sleepy_bears": False,
    "honey_burst": False,
    "max_turns": 200,
}

HARDENED = "hh"
NEIGHBOURS: list[Place] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


class Figures(NamedTuple):
    """What a face shows: "h" for honey or "j" for royal jelly, how much, and the mining number."""

    resource: str
    value: int
    bears: int


# eq=False: two tiles with the same face are two different things.
@dataclass(eq=False)
class Tile:
    colour: str
    face: str | None = None
    """None until the tile has been seen."""


@dataclass(eq=False)
class Bear:
    cell: int
    moves: int = 0
    """Move actions this turn; moves by card do not count (UM-A7)."""
    mined: bool = False


class _GameOver(Exception):
    """Unwinds the coroutine when the game has ended or was truncated."""


class Oracle(Referee):
    """One game of Ursa Miner, driven by event texts.

    `settings`: num_players 2..4, sleepy_bears and honey_burst True or False, max_turns >= 1; those left out
    have their defaults. `content`: shaped like REFERENCE, with optional `numbers`.
    Raises ValueError where the settings or the content admit no game.
    """

    def __init__(self, settings: dict[str, int] | None = None, content: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.settings = {**DEFAULT_SETTINGS, **(settings or {})}
        self.content = REFERENCE if content is None else content
        self.numbers = {**NUMBERS, **self.content.get("numbers", {})}
        self._check_settings()

        self.num_players = self.settings["num_players"]
        players = range(self.num_players)
        self.seat = 0
        """The player whose turn it is."""
        self.turns_ended = 0
        self.turns_left: int | None = None
        """How many turns are still to be taken, once that is settled (UM-E1)."""
        self.winners: list[int] = []
        self.truncated = False

        self.honey = [0] * self.num_players
        self.jelly = [0] * self.num_players
        self.spent = [0] * self.num_players
        """Honey each seat has paid or lost, less what it has stolen: `honey + spent` is what it mined."""
        self.mined: list[list[str]] = [[] for _ in players]
        """The faces each seat has mined."""
        self.bears: list[list[Bear]] = [[] for _ in players]
        """Those in play, by number; the others wait to be hired."""

        self.hands: list[Pile] = [Counter() for _ in players]
        self.known: list[Pile] = [Counter() for _ in players]
        """Cards that everyone knows to be in a hand, since they returned there."""
        self.discard: Pile = Counter()
        self.unseen_cards: Pile = Counter()
        """The deck, and what was left in the box at set-up: nobody can tell them apart."""
        self.deck_size = self.content["deck_sizes"][self.num_players]
        """How many cards are left to draw."""
        self.in_play: str | None = None
        """The card whose effect runs."""
        self.num_played = 0
        """Cards played this turn."""
        self.discount = 0

        self.hardened_left = self.numbers["hardened_tiles"]
        self.unseen_tiles: dict[str, Pile] = {}
        """For each colour: tiles under the tops, and those left in the box."""
        self.places: list[Place] = []
        """Where each cell of the outline is."""
        self.next_to: list[list[int]] = []
        """The neighbouring cells of each, all of them in the outline, stack or no stack."""
        self.stacks: list[list[Tile]] = []
        """For each cell the tiles from the bottom to the top; none where the mountain is gone."""
        self._build_mountain()
        self._prepare_cards()
        self._start()

    def _check_settings(self) -> None:
        lowest = {"num_players": 2, "max_turns": 1}
        for key, value in self.settings.items():
            if key not in DEFAULT_SETTINGS:
                raise ValueError(f"unknown setting {key}; the settings are {', '.join(DEFAULT_SETTINGS)}")
            if key in lowest and (type(value) is not int or value < lowest[key]):
                raise ValueError(f"{key}={value}: an integer from {lowest[key]} is needed")
            if key not in lowest and type(value) is not bool:
                raise ValueError(f"{key}={value}: True or False is needed")
        if self.settings["num_players"] > 4:
            raise ValueError(f"num_players={self.settings['num_players']}: 2 to 4 play")  # UM-S1

    def _build_mountain(self) -> None:
        """UM-M1, UM-M2: black core, gray around and on it, brown around and on that."""
        core = self.content["cores"][self.num_players]
        inner = {place for centre in core for place in (centre, *around(centre))}
        outline = {place for centre in inner for place in (centre, *around(centre))}
        self.places = sorted(outline, key=lambda place: (place[1], place[0]))  # Notation: by r, then q
        for place in self.places:
            self.next_to.append([c for c, other in enumerate(self.places) if other in around(place)])
            colours = ["black"] * (place in core) + ["gray"] * (place in inner) + ["brown"]
            self.stacks.append([Tile(colour) for colour in colours])
        if len(self.places) < self.num_players:
            raise ValueError(f"{len(self.places)} cells are too few for {self.num_players} players")
        for colour, faces in self.content["tiles"].items():  # UM-M3
            self.unseen_tiles[colour] = Counter({face: copies for face, copies in faces.items() if copies > 0})
            needed = sum(tile.colour == colour for stack in self.stacks for tile in stack)
            if size(self.unseen_tiles[colour]) < needed:
                raise ValueError(f"the mountain needs {needed} {colour} tiles")

    def _prepare_cards(self) -> None:
        """UM-S1."""
        for name, entry in self.content["cards"].items():
            if entry["copies"] > 0:
                self.unseen_cards[name] = entry["copies"]
        if size(self.unseen_cards) < self.deck_size:
            raise ValueError(f"{size(self.unseen_cards)} cards are too few for a deck of {self.deck_size}")

    # --- What the outside sees

    def returns(self) -> list[Fraction]:
        """UM-E3; before the end and after a truncation (UM-E4) all 0."""
        if not self.winners:
            return [Fraction(0)] * self.num_players
        n, w = self.num_players, len(self.winners)
        win, loss = (Fraction(1, w) - Fraction(1, n)) * Fraction(n, n - 1), Fraction(-1, n - 1)
        return [win if seat in self.winners else loss for seat in range(n)]

    def check_conservation(self) -> None:
        """Nothing is made or lost, and what must hold after every event does."""
        self._check_cards()
        self._check_tiles()
        self._check_bears()
        for seat in range(self.num_players):
            totals = {"h": 0, "j": 0}
            for face in self.mined[seat]:
                totals[self.figures(face).resource] += self.figures(face).value
            assert self.honey[seat] >= 0
            assert self.honey[seat] + self.spent[seat] == totals["h"], (seat, self.honey, self.spent, totals)
            assert self.jelly[seat] == totals["j"], (seat, self.jelly, totals)

    def _check_cards(self) -> None:
        seen = self.discard + Counter([self.in_play] if self.in_play else [])
        for hand, known in zip(self.hands, self.known, strict=True):
            assert known <= hand, (known, hand)
            seen += hand
        for name, entry in self.content["cards"].items():
            assert seen[name] + self.unseen_cards[name] == entry["copies"], (name, seen)
        assert 0 <= self.deck_size <= size(self.unseen_cards)

    def _check_tiles(self) -> None:
        """Each colour, and the Hardened Honey. A face does not tell its colour once it is mined: count all."""
        on_table = [tile for stack in self.stacks for tile in stack]
        faces = Counter(tile.face for tile in on_table if tile.face is not None)
        faces.update(face for pile in self.mined for face in pile)
        assert faces.pop(HARDENED, 0) + self.hardened_left == self.numbers["hardened_tiles"]
        box: Pile = Counter()
        for copies in self.content["tiles"].values():
            box.update(copies)
        for colour, pile in self.unseen_tiles.items():
            faces.update(pile)
            hidden = sum(tile.colour == colour and tile.face is None for tile in on_table)
            assert hidden <= size(pile), (colour, hidden, pile)
        assert faces == +box, (faces, box)

    def _check_bears(self) -> None:
        for seat, bears in enumerate(self.bears):
            assert len(bears) <= self.numbers["bears"]
            for bear in bears:
                assert self.stacks[bear.cell], "a bear stands on nothing"
                assert 0 <= bear.moves + bear.mined <= 2  # UM-A1
                assert seat == self.seat or (bear.moves == 0 and not bear.mined)
        assert self._is_connected(set(self._mountain())), "the mountain is split"  # UM-A4

    # --- Small things

    def figures(self, face: str) -> Figures:
        """`h1/2` is 1 honey for 2 bears."""
        if face == HARDENED:
            return Figures("h", self.numbers["hardened_honey"], self.numbers["hardened_bears"])
        match = re.fullmatch(r"([hj])(\d+)/(\d+)", face)
        assert match is not None, face
        return Figures(match[1], int(match[2]), int(match[3]))

    def _top(self, cell: int) -> Figures:
        face = self.stacks[cell][-1].face
        assert face is not None, f"c{cell}'s top has not been seen"
        return self.figures(face)

    def _mountain(self) -> list[int]:
        """UM-M4: the cells that still have a tile."""
        return [cell for cell, stack in enumerate(self.stacks) if stack]

    def _stacks_next_to(self, cell: int) -> list[int]:
        """UM-M4, UM-A2."""
        return [other for other in self.next_to[cell] if self.stacks[other]]

    def _is_connected(self, cells: set[int]) -> bool:
        reached: set[int] = set()
        waiting = sorted(cells)[:1]
        while waiting:
            cell = waiting.pop()
            if cell not in reached:
                reached.add(cell)
                waiting += [other for other in self.next_to[cell] if other in cells]
        return reached == cells

    def _stacks_without_bears(self) -> list[int]:
        occupied = {bear.cell for bears in self.bears for bear in bears}
        return [cell for cell in self._mountain() if cell not in occupied]

    def _distinct(self, seat: int, numbers: Iterable[int]) -> list[int]:
        """UM-A7: of the bears that are interchangeable the lowest-numbered."""
        chosen: dict[tuple[int, int, bool], int] = {}
        for number in sorted(numbers):
            bear = self.bears[seat][number]
            chosen.setdefault((bear.cell, bear.moves, bear.mined), number)
        return list(chosen.values())

    def _own(self) -> list[int]:
        """The numbers of the bears of the player whose turn it is, those in play."""
        return list(range(len(self.bears[self.seat])))

    def _ask(self, options: Callable[[], list[str]]) -> Answer:
        """The player whose turn it is decides (nobody else does, once the bears are placed)."""
        return self._choose(self.seat, options)

    def _pay(self, amount: int) -> None:
        self.honey[self.seat] -= amount
        self.spent[self.seat] += amount

    # --- The game

    def _play(self) -> Steps:
        try:
            yield from self._set_up()
            while True:
                yield from self._turn()
        except _GameOver:
            return

    def _set_up(self) -> Steps:
        for cell in range(len(self.stacks)):  # UM-M3
            yield from self._uncover(cell)
        for seat in range(self.num_players):  # UM-S1
            yield from self._draw(seat)
        for seat in range(self.num_players):  # UM-S2
            text = yield from self._choose(seat, lambda: [f"place c{c}" for c in self._stacks_without_bears()])
            cell = cell_in(text)
            self.bears[seat] = [Bear(cell) for _ in range(self.numbers["starting_bears"])]
        if self.deck_size == 0:  # UM-E5
            self.turns_left = self.num_players

    def _uncover(self, cell: int) -> Steps:
        """UM-M3: if the top of the stack has never been seen, it is now."""
        if not self.stacks[cell] or self.stacks[cell][-1].face is not None:
            return
        tile = self.stacks[cell][-1]
        unseen = self.unseen_tiles[tile.colour]
        text = yield from self._happen(lambda: {f"tile {face}": unseen[face] for face in sorted(unseen)})
        tile.face = take(unseen, text.split()[1])

    def _draw(self, seat: int) -> Steps:
        """One card, if the deck has any left, be there cards in the box or not."""
        if self.deck_size == 0:
            return
        text = yield from self._happen(
            lambda: {f"draw {name}": self.unseen_cards[name] for name in sorted(self.unseen_cards)}
        )
        self.hands[seat][take(self.unseen_cards, text.split()[1])] += 1
        self.deck_size -= 1

    def _turn(self) -> Steps:
        self.num_played = 0
        yield from self._act()
        yield from self._hire()
        yield from self._draw_phase()
        for bear in self.bears[self.seat]:  # UM-A1: uses come back at the end of the owner's turn
            bear.moves, bear.mined = 0, False
        self.discount = 0  # mine_discount: lapses with the turn
        self.turns_ended += 1
        if self.turns_left == 0:
            self._find_winners()
            raise _GameOver
        if self.turns_ended == self.settings["max_turns"]:  # UM-E4
            self.truncated = True
            raise _GameOver
        self.seat = (self.seat + 1) % self.num_players  # UM-S1: clockwise

    # --- Actions

    def _act(self) -> Steps:
        while (text := (yield from self._ask(self._action_options))) != "end":
            verb, first, *_ = text.split()
            if verb == "move":
                bear = self.bears[self.seat][bear_in(text)]
                bear.cell = cell_in(text)
                bear.moves += 1
            elif verb == "mine":
                yield from self._mine(cell_in(text))
            else:
                yield from self._play_card(first)

    def _action_options(self) -> list[str]:
        movers = self._distinct(self.seat, filter(self._can_move, self._own()))
        minable = [cell for cell in self._mountain() if self._can_mine(cell)]
        playable = [name for name in sorted(self.hands[self.seat]) if self._can_play(name)]
        return [
            *self._move_options(movers),
            *(f"mine c{cell}" for cell in minable),
            *(f"play {name}" for name in playable),
            "end",
        ]

    def _move_options(self, numbers: Iterable[int]) -> list[str]:
        """UM-A2: where each of these own bears can go."""
        bears = self.bears[self.seat]
        return [f"move b{n} c{cell}" for n in numbers for cell in self._stacks_next_to(bears[n].cell)]

    def _can_move(self, number: int) -> bool:
        """UM-A1: whether a move action is left."""
        bear = self.bears[self.seat][number]
        if self.settings["sleepy_bears"] and bear.mined:  # UM-X1
            return False
        return bear.moves + bear.mined < 2

    def _has_mine_use(self, number: int) -> bool:
        """UM-A1: one mining a turn, and none after two moves."""
        bear = self.bears[self.seat][number]
        return not bear.mined and bear.moves < 2

    def _miners(self, cell: int) -> list[int]:
        """UM-A3: own bears next to the stack that can still mine."""
        bears, near = self.bears[self.seat], self.next_to[cell]
        return [n for n in self._own() if bears[n].cell in near and self._has_mine_use(n)]

    def _bears_needed(self, cell: int) -> int:
        """UM-A3 and mine_discount."""
        return max(1, self._top(cell).bears - self.discount)

    def _can_mine(self, cell: int) -> bool:
        if cell not in self._stacks_without_bears():  # UM-A3
            return False
        if len(self._miners(cell)) < self._bears_needed(cell):
            return False
        return len(self.stacks[cell]) > 1 or self._is_connected(set(self._mountain()) - {cell})  # UM-A4

    def _mine(self, cell: int) -> Steps:
        could = self._miners(cell)
        needed = self._bears_needed(cell)
        self.discount = 0  # mine_discount: all used by this mining
        while needed > 0:
            if needed == len(could):  # Notation: all that are left are needed
                taker = could[0]
            else:
                text = yield from self._ask(lambda: [f"with b{n}" for n in self._distinct(self.seat, could)])
                taker = bear_in(text)
            could.remove(taker)
            self.bears[self.seat][taker].mined = True
            needed -= 1
        figures = self._top(cell)
        face = self.stacks[cell].pop().face
        assert face is not None
        self.mined[self.seat].append(face)
        if figures.resource == "h":  # UM-A5
            self.honey[self.seat] += figures.value
        else:
            self.jelly[self.seat] += figures.value
        yield from self._uncover(cell)

    # --- Bonus cards

    def _cost(self, name: str) -> int:
        cost: int = self.content["cards"][name]["cost"]
        return cost + (self.numbers["burst_cost"] if self.num_played > 0 else 0)  # UM-X2

    def _can_play(self, name: str) -> bool:
        """UM-A6."""
        if self.num_played > 0 and not self.settings["honey_burst"]:
            return False
        if self.honey[self.seat] < self._cost(name):
            return False
        effect = self.content["cards"][name]["effect"]
        if effect == "mine_discount":
            return any(self._has_mine_use(number) for number in self._own())
        return bool(self._effect_options(effect))

    def _play_card(self, name: str) -> Steps:
        self._pay(self._cost(name))
        self.num_played += 1
        self.in_play = take(self.hands[self.seat], name)
        if self.known[self.seat][name] > 0:
            take(self.known[self.seat], name)
        entry = self.content["cards"][name]
        yield from self._run_effect(entry["effect"], entry["n"])
        self.in_play = None
        if entry["after"] == "return":
            self.hands[self.seat][name] += 1
            self.known[self.seat][name] += 1
        else:
            assert entry["after"] == "discard", entry
            self.discard[name] += 1

    def _effect_options(self, effect: str) -> list[str]:
        """What an effect asks first. Nothing to ask: it could have no effect, and the card is unplayable."""
        seat, bears = self.seat, self.bears[self.seat]
        match effect:
            case "own_move":
                return self._move_options(self._distinct(seat, self._own()))
            case "shove":
                return self._shove_options()
            case "swap_tops":
                free = self._stacks_without_bears()
                # The same figures on different colours are the same face.
                return [f"pick c{c}" for c in free] if len({self._top(c) for c in free}) > 1 else []
            case "place_hardened":
                return [f"pick c{c}" for c in self._hardened_cells()] if self.hardened_left > 0 else []
            case "refresh":
                return [f"bear b{n}" for n in self._distinct(seat, self._own()) if bears[n].mined]
            case "steal":
                return [f"from p{s}" for s in range(self.num_players) if s != seat and self.honey[s] > 0]
            case "hire":
                return self._hire_options()
            case "rally":
                return [
                    f"rally b{x} b{y}"
                    for x in self._distinct(seat, self._own())
                    for y in self._lowest_on_each_stack()
                    if bears[x].cell != bears[y].cell
                ]
        raise AssertionError(effect)

    def _shove_options(self) -> list[str]:
        return [
            f"shove p{seat}.b{number} c{cell}"
            for seat in range(self.num_players)
            if seat != self.seat
            for number in self._distinct(seat, range(len(self.bears[seat])))
            for cell in self._stacks_next_to(self.bears[seat][number].cell)
        ]

    def _hardened_cells(self) -> list[int]:
        """Stacks without bears, and empty cells of the outline next to the mountain."""
        empty = [cell for cell, stack in enumerate(self.stacks) if not stack and self._stacks_next_to(cell)]
        return sorted(self._stacks_without_bears() + empty)

    def _lowest_on_each_stack(self) -> list[int]:
        lowest: dict[int, int] = {}
        for number in self._own():
            lowest.setdefault(self.bears[self.seat][number].cell, number)
        return list(lowest.values())

    def _hire_options(self) -> list[str]:
        if len(self.bears[self.seat]) == self.numbers["bears"]:
            return []
        return [f"hire b{number}" for number in self._lowest_on_each_stack()]

    def _run_effect(self, effect: str, n: int) -> Steps:
        if effect == "mine_discount":
            self.discount += n  # several add up
            return
        text = yield from self._ask(lambda: self._effect_options(effect))
        match effect:
            case "own_move":
                yield from self._move_on(text, n)
            case "shove":
                seat, number = (int(word) for word in re.findall(r"[pb](\d+)", text))
                self.bears[seat][number].cell = cell_in(text)
            case "swap_tops":
                yield from self._swap_with(cell_in(text))
            case "place_hardened":
                self.hardened_left -= 1
                self.stacks[cell_in(text)].append(Tile("hardened", HARDENED))
            case "refresh":
                self.bears[self.seat][bear_in(text)].mined = False
            case "steal":
                self._steal(int(text.removeprefix("from p")), n)
            case "hire":
                self._place_new_bear(bear_in(text))
            case "rally":
                x, y = (int(word) for word in re.findall(r"b(\d+)", text))
                self.bears[self.seat][x].cell = self.bears[self.seat][y].cell
            case _:
                raise AssertionError(effect)

    def _move_on(self, first: str, n: int) -> Steps:
        """own_move: one bear, 1 to n spaces; it keeps its number, whoever it comes to stand with."""
        number = bear_in(first)
        bear = self.bears[self.seat][number]
        bear.cell = cell_in(first)
        for _ in range(n - 1):
            text = yield from self._ask(lambda: [*self._move_options([number]), "stop"])
            if text == "stop":
                return
            bear.cell = cell_in(text)

    def _swap_with(self, first: int) -> Steps:
        text = yield from self._ask(lambda: [f"pick c{c}" for c in self._stacks_without_bears() if c != first])
        a, b = self.stacks[first], self.stacks[cell_in(text)]
        a[-1], b[-1] = b[-1], a[-1]

    def _steal(self, victim: int, n: int) -> None:
        amount = min(n, self.honey[victim])
        self.honey[victim] -= amount
        self.spent[victim] += amount
        self._pay(-amount)

    def _place_new_bear(self, beside: int) -> None:
        """UM-A7: it counts as having made two moves, so that it has no uses left this turn."""
        self.bears[self.seat].append(Bear(self.bears[self.seat][beside].cell, moves=2))

    # --- Hire, Draw

    def _hire(self) -> Steps:
        """UM-H1: once; not asked when nothing can be hired."""
        if self.honey[self.seat] < self.numbers["hire_cost"] or not self._hire_options():
            return
        text = yield from self._ask(lambda: [*self._hire_options(), "skip"])
        if text != "skip":
            self._pay(self.numbers["hire_cost"])
            self._place_new_bear(bear_in(text))

    def _draw_phase(self) -> Steps:
        """UM-D1, UM-E1: after the last card each player, from the next on, takes one more turn."""
        if self.turns_left is not None:
            self.turns_left -= 1
            return
        yield from self._draw(self.seat)
        if self.deck_size == 0:
            self.turns_left = self.num_players

    # --- End

    def _find_winners(self) -> None:
        """UM-E2: most jelly, then most honey; what is still tied shares the win."""
        totals = list(zip(self.jelly, self.honey, strict=True))
        self.winners = [seat for seat, total in enumerate(totals) if total == max(totals)]


def around(place: Place) -> list[Place]:
    """UM-M2: the six places that share an edge with this one."""
    return [(place[0] + dq, place[1] + dr) for dq, dr in NEIGHBOURS]


def cell_in(text: str) -> int:
    """The cell that an action names."""
    (number,) = re.findall(r"c(\d+)", text)
    return int(number)


def bear_in(text: str) -> int:
    """The own bear that an action names."""
    (number,) = re.findall(r"\bb(\d+)", text)
    return int(number)


def verify(lines: Iterable[str], content: dict[str, Any] | None = None, *, must_be_finished: bool = True) -> Oracle:
    """Referee a playthrough of Ursa Miner: see `tests.referee.verify`. `content` replaces the reference."""
    return referee.verify(
        lines,
        "ursa_miner",
        lambda settings: Oracle(settings, content),
        skip_content=content is not None,
        must_be_finished=must_be_finished,
    )
