"""Outrun the Bear as a picture: the trail in two strips, the runners, and the hands that may be seen."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bearenvs.game import TERMINAL
from bearenvs.outrun_the_bear.board import prints_on, space_name, terrain_of
from bearenvs.outrun_the_bear.content import (
    BRAMBLE,
    CAMP,
    FIRST_COLUMN,
    LETTERS,
    PATH,
    REST,
    RIVER,
    ROWS,
    SLOPE,
    TILE_COLUMNS,
    Action,
    Equipment,
    OutrunTheBearContent,
    Reaction,
)
from bearenvs.outrun_the_bear.describe import fate, has_turn, headline
from bearenvs.outrun_the_bear.hands import pile_card
from bearenvs.outrun_the_bear.state import NOTHING, RUNNING
from bearenvs.render.lettering import cut, largest, width_of
from bearenvs.render.palette import Role
from bearenvs.render.scene import SIZE, Circle, Line, Rect, Scene, Shape, Text
from bearenvs.render.symbols import Chip, bear_token, card_back, hand_row, hexagon, lines, paw, seat_token

Card = Action | Reaction | Equipment

_MARGIN = 8
_STRIPS_TOP = 46
_TRACK = 18  # above each strip: the Bear and the prints
_STRIP_COLUMNS = 20
_PANELS_TOP, _PANEL_HEIGHT = 383, 35
_HANDS_TOP, _HANDS_BOTTOM = 463, 556

_FILLS: dict[int, Role] = {PATH: "path", RIVER: "river", SLOPE: "slope", BRAMBLE: "bramble", REST: "rest"}


@dataclass(frozen=True)
class _Park:
    """Where things lie. Columns run through two strips, one under the other; ``radius`` is a hexagon's."""

    num_columns: int

    @property
    def per_strip(self) -> int:
        return max(_STRIP_COLUMNS, (self.num_columns + 1) // 2)

    @property
    def radius(self) -> float:
        return (SIZE - 2 * _MARGIN) / (1.5 * self.per_strip + 0.5)

    @property
    def high(self) -> float:
        """The height of a hexagon, which has a flat top."""
        return math.sqrt(3) * self.radius

    def top(self, column: int) -> float:
        """The upper edge of the strip that ``column`` is in."""
        return _STRIPS_TOP + (column // self.per_strip) * (_TRACK + (ROWS + 0.5) * self.high)

    def x(self, column: int) -> float:
        """The middle of a column."""
        return _MARGIN + self.radius + 1.5 * self.radius * (column % self.per_strip)

    def y(self, column: int, row: int) -> float:
        """The middle of a space: odd columns sit half a space lower."""
        return self.top(column) + _TRACK + (row + 0.5 + column % 2 / 2) * self.high


@dataclass(frozen=True)
class _Table:
    """What the parts of the picture are drawn from. ``live`` are the words of the legal actions."""

    content: OutrunTheBearContent
    record: Any
    state: Any
    seat: int | None
    live: frozenset[str]
    park: _Park

    def runner_tag(self, player: int, otherwise: str) -> str:
        """Return ``pS`` if an action can aim at this runner, else the tag of what it stands on."""
        return f"p{player}" if f"p{player}" in self.live else otherwise


def draw(content: OutrunTheBearContent, record: Any, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
    """Return the table as ``seat`` sees it; ``None`` shows every hand. ``record``: the content record."""
    live = frozenset(word for text in legal for word in text.split())
    table = _Table(content, record, state, seat, live, _Park(int(record.last_column) + 1))
    title = headline(record, state, seat)
    shapes = [*_piles(table, title), *_trail(table)]
    for player in range(record.num_players):
        shapes += _panel(table, player)
    shapes += _all_hands(table) if seat is None else _hand(table, seat)
    return Scene(f"Outrun the Bear. {title}", tuple(shapes))


def _piles(table: _Table, title: str) -> Iterator[Shape]:
    """Yield the head line, the deck, and the discards, which the Bear will count from the oldest on."""
    state, cards = table.state, table.content.cards
    yield Text(_MARGIN, 14, "Outrun the Bear", 16)
    size = largest(title.replace(" ", "_"), SIZE - 160, 12, 11, 10, 9)
    yield Text(SIZE - _MARGIN, 14, cut(title, size, SIZE - 160), size, anchor="end")
    yield from card_back(_MARGIN, 27, 14, 19)
    under = f" + {state.num_under} known" if state.num_under else ""
    yield Text(_MARGIN + 20, 36, f"{state.num_deck}{under}", 12)
    pile = [f"{cards[k].name} ({cards[k].bear})" for k in (pile_card(state, place) for place in range(state.num_pile))]
    text = f"discards, oldest first (value for the Bear): {', '.join(pile) or 'none'}"
    yield from lines(_MARGIN + 124, 32, text, 8, SIZE - 2 * _MARGIN - 124, 2, "soft")


def _trail(table: _Table) -> Iterator[Shape]:
    """Yield the campsite, the spaces, the parking lot, who stands where, the prints, the Bear and the legend."""
    record, park = table.record, table.park
    yield from _big(table, "camp", 0, FIRST_COLUMN - 1, CAMP)
    last = int(record.last_column) - (record.lot != NOTHING)
    for column in range(FIRST_COLUMN, last + 1):
        for row in range(ROWS):
            yield from _space(table, column, row)
    if record.lot != NOTHING:
        yield from _big(table, "lot", last + 1, last + 1, int(record.lot))
    for column in range(int(record.last_column) + 1):
        if _faces_known(table, column) and prints_on(table.state, column):
            yield from paw(park.x(column), park.top(column) + _TRACK / 2, 6, "bear")
        elif column % 5 == 0:
            yield Text(park.x(column), park.top(column) + _TRACK / 2 + 2, str(column), 8, "soft", "middle")
    yield from _bear(table)
    yield from _legend(table)
    if record.lot != NOTHING:
        yield Text(park.x(last + 1), park.top(last + 1) + _TRACK + 15, "P", 12, "ink", "middle", "lot")


def _faces_known(table: _Table, column: int) -> bool:
    """Tell whether the tile with this column lies already: it is laid out during set-up."""
    tile = column // TILE_COLUMNS - 1
    return not 0 <= tile < table.record.num_trails or bool(table.state.faces[tile] != NOTHING)


def _space(table: _Table, column: int, row: int) -> Iterator[Shape]:
    """Yield a hexagon with its terrain's pattern and letter, and the runners on it."""
    park, space = table.park, column * ROWS + row
    x, y, tag = park.x(column), park.y(column, row), space_name(space, int(table.record.lot))
    is_live = tag in table.live
    if not _faces_known(table, column):
        yield hexagon(x, y, park.radius * 0.96, "paper", "edge", 1, tag, flat=True)
        return
    terrain = terrain_of(table.record, table.state, space)
    edge: Role = "accent" if is_live else "edge"
    yield hexagon(x, y, park.radius * 0.96, _FILLS[terrain], edge, 3 if is_live else 1, tag, flat=True)
    yield from _pattern(terrain, x, y, park.radius, tag)
    here = [player for player in range(table.record.num_players) if table.state.seats[player].space == space]
    for number, player in enumerate(here):  # two for a moment, when one runner passes the other
        at = x + (number - (len(here) - 1) / 2) * park.radius * 0.8
        yield from _runner(table, player, at, y, park.radius * 0.62, tag)


def _pattern(terrain: int, x: float, y: float, radius: float, tag: str) -> Iterator[Shape]:
    """Yield what tells a terrain without its color: its pattern, and its letter in a content file."""
    r = radius
    if terrain == RIVER:
        for dy in (-0.52, 0.52):
            points = [(x + r * (k / 4 - 0.375), y + r * (dy + (0.1 if k % 2 else -0.1))) for k in range(4)]
            for (x1, y1), (x2, y2) in pairwise(points):
                yield Line(x1, y1, x2, y2, "ink", 1.2, tag)
    elif terrain == SLOPE:
        for dx in (-0.55, 0.55):
            yield Line(x + r * (dx - 0.15), y + r * 0.4, x + r * (dx + 0.15), y - r * 0.4, "ink", 1.2, tag)
    elif terrain == BRAMBLE:
        for dx, dy in ((-0.5, 0), (0.5, 0), (0, -0.55), (0, 0.55)):
            for side in (-1, 1):
                ends = (
                    x + r * (dx - 0.13),
                    y + r * (dy - 0.13 * side),
                    x + r * (dx + 0.13),
                    y + r * (dy + 0.13 * side),
                )
                yield Line(*ends, "ink", 1.2, tag)
    elif terrain == REST:
        yield Circle(x, y, 0.6 * r, None, "ink", 1.2, tag)
    if terrain != PATH:
        yield Text(x, y, list(LETTERS)[terrain], 0.62 * r, "ink", "middle", tag)


def _runner(table: _Table, player: int, x: float, y: float, radius: float, ground: str) -> Iterator[Shape]:
    """Yield a runner's token on ``ground``."""
    tag = table.runner_tag(player, ground)
    if tag != ground:
        yield Circle(x, y, radius + 2.5, "accent", tag=tag)
    yield from seat_token(x, y, radius, player, tag)


def _legend(table: _Table) -> Iterator[Shape]:
    """Yield the campsite's name and what the terrains are, over the Bear's line, which passes below."""
    park = table.park
    yield from _label(park.x(0) - 0.7 * park.radius + 8, park.top(0) + _TRACK + 15, "Campsite", 12)
    x, y = park.x(3), park.top(0) + _TRACK + 40
    for number, (terrain, name) in enumerate(list(enumerate(LETTERS.values()))[1:]):
        middle = y + min(24, (park.high * (ROWS + 0.5) - 54) / 3) * number
        yield hexagon(x + 4, middle, 10, _FILLS[terrain], "edge", 1, "camp", flat=True)
        yield from _pattern(terrain, x + 4, middle, 11, "camp")
        yield from _label(x + 20, middle, name, 10)


def _label(x: float, y: float, text: str, size: float) -> Iterator[Shape]:
    """Yield text on the campsite's ground."""
    yield Rect(x - 2, y - size / 2 - 2, width_of(text, size) + 4, size + 4, "rest", tag="camp")
    yield Text(x, y, text, size, "ink", "start", "camp")


def _big(table: _Table, tag: str, first: int, last: int, space: int) -> Iterator[Shape]:
    """Yield a big space over the columns ``first`` to ``last``, and everyone on it."""
    park = table.park
    left, right = park.x(first) - 0.7 * park.radius, park.x(last) + 0.55 * park.radius
    top, high = park.top(first) + _TRACK + 2, (ROWS + 0.5) * park.high - 6
    is_live = tag in table.live
    yield Rect(left, top, right - left, high, "rest", "accent" if is_live else "edge", 3 if is_live else 1, 8, tag)
    here = [player for player in range(table.record.num_players) if table.state.seats[player].space == space]
    radius = min(park.radius * 0.62, (high - 24) / 12.5)
    for number, player in enumerate(here):
        yield from _runner(table, player, park.x(last), top + 24 + radius * (2 * number + 1), radius, tag)


def _bear(table: _Table) -> Iterator[Shape]:
    """Yield the Bear above its column, and the line it has reached."""
    park, column = table.park, int(table.state.bear)
    x, top = park.x(column), park.top(column)
    right = x + 0.75 * park.radius
    yield Line(right, top + 2, right, top + _TRACK + (ROWS + 0.5) * park.high - 4, "bear", 3)
    yield from bear_token(x, top + _TRACK / 2 + 1, 9, "bear", "z" if table.state.skips_turn else "B")


def _panel(table: _Table, player: int) -> Iterator[Shape]:
    """Yield what all know of a runner: pass, equipment, size of the hand, the Bear's turn token."""
    state, record, me = table.state, table.record, table.state.seats[player]
    columns = min(int(record.num_players), 3)
    width = (SIZE - 2 * _MARGIN - 6 * (columns - 1)) / columns
    x, y = _MARGIN + (player % columns) * (width + 6), _PANELS_TOP + (player // columns) * (_PANEL_HEIGHT + 4)
    is_up = has_turn(state, player)
    tag = f"p{player}"
    edge: Role = "accent" if tag in table.live else "ink" if is_up else "edge"
    yield Rect(x, y, width, _PANEL_HEIGHT, "panel", edge, 1 if edge == "edge" else 2.5, 6, tag)
    yield from seat_token(x + 15, y + 13, 9, player, tag)
    name = "you" if player == table.seat else tag
    if me.runner != NOTHING:
        name += f", {table.content.runners[me.runner].name}"
    yield Text(x + 29, y + 13, cut(name, 11, width - 90), 11, "ink", "start", tag)
    if player == state.token:
        yield from bear_token(x + width - 46, y + 14, 7, "bear", "", tag)
    if me.status == RUNNING:
        yield from card_back(x + width - 30, y + 5, 11, 15)
        yield Text(x + width - 15, y + 13, str(me.num_hand), 12, "ink", "start", tag)
    yield Text(x + 8, y + 27, cut(_status(table, player), 9, width - 14), 9, "soft", "start", tag)


def _status(table: _Table, player: int) -> str:
    """Return a runner's fate, or its equipment and what the seat knows of its hand."""
    me, cards = table.state.seats[player], table.content.cards
    if me.status != RUNNING or table.state.to_act == TERMINAL:
        return fate(table.record, table.state, player)
    parts = [cards[me.equipment].name] if me.equipment != NOTHING else []
    if table.seat not in (None, player):
        known = [cards[k].name for k, marks in zip(me.hand, me.known, strict=True) if int(marks) >> table.seat & 1]
        parts += [f"holds {', '.join(known)}"] if known else []
    return "; ".join(parts) or "no equipment"


def color_of(card: Card) -> Role:
    """Return the color of a kind of card."""
    return "hive" if isinstance(card, Action) else "jelly" if isinstance(card, Reaction) else "buddy"


def effect_text(card: Card) -> str:
    """Return what a card does, in a few words."""
    if isinstance(card, Equipment):
        return {
            "crawl_bonus": f"crawl +{card.n}",
            "sure_footed": "slope and bramble do nothing",
            "draw_bonus": f"draw +{card.n}",
            "sprint_discount": f"sprint: {card.n} card less",
            "bear_spray": "stops the Bear once",
        }[card.ability]
    if isinstance(card, Reaction):
        return {
            "cancel_on_me": "not me",
            "cancel_card": "cancels a card",
            "dash": f"Bear here: dash {card.n}",
            "slipstream": f"passed: draw {card.n}",
        }[card.effect]
    return ", ".join(
        {
            "self_move": f"move {item.n}",
            "target_back": f"one goes back {item.n}",
            "target_move": f"push one {item.n}",
            "swap_places": "swap places",
            "steal": f"steal {item.n}",
            "discard_half": "one drops half",
            "draw": f"draw {item.n}",
            "bear_skip": "the Bear rests",
            "bear_advance": f"Bear +{item.n}",
        }[item.effect]
        for item in card.effects
    )


def _held(table: _Table, seat: int) -> list[int]:
    """Return the cards in a hand: none of who is out (OB-E5)."""
    me = table.state.seats[seat]
    return [int(kind) for kind in me.hand if kind != NOTHING] if me.status == RUNNING else []


def _hand(table: _Table, seat: int) -> Iterator[Shape]:
    """Yield the own hand, card by card."""
    kinds = _held(table, seat)
    step = min(96.0, (SIZE - 2 * _MARGIN) / max(len(kinds), 1))
    for place, kind in enumerate(kinds):
        yield from _card(table, kind, _MARGIN + place * step, _HANDS_TOP, step - 4)
    if not kinds:
        yield Text(_MARGIN, _HANDS_TOP + 8, "your hand: no cards", 10, "soft")


def _card(table: _Table, kind: int, x: float, y: float, width: float) -> Iterator[Shape]:
    """Yield a card with its top left corner at (x, y)."""
    card, tag, middle = table.content.cards[kind], table.content.card_ids[kind], x + width / 2
    is_live = tag in table.live
    high = _HANDS_BOTTOM - _HANDS_TOP
    yield Rect(x, y, width, high, color_of(card), "accent" if is_live else "edge", 3 if is_live else 1, 6, tag)
    yield Circle(x + width - 12, y + 12, 8, "snow", "night", 1, tag)
    yield Text(x + width - 12, y + 12, str(card.bear), 10, "night", "middle", tag)
    kind_name = type(card).__name__.lower()
    yield Text(x + 5, y + 12, cut(kind_name, 8, width - 27), 8, "night", "start", tag)
    yield from lines(
        middle, y + 32, card.name, largest(card.name, width - 6, 11, 10, 9, 8), width - 6, 2, "night", "middle", tag
    )
    text = effect_text(card)
    yield from lines(middle, y + 59, text, largest(text, width - 6, 9, 8), width - 6, 3, "night", "middle", tag)


def _all_hands(table: _Table) -> Iterator[Shape]:
    """Yield every player's hand as a row of small cards."""
    cards, ids = table.content.cards, table.content.card_ids
    for player in range(table.record.num_players):
        is_up = player == table.state.to_act
        kinds = _held(table, player)
        chips = [
            Chip(cards[k].name, color_of(cards[k]), ids[k] if is_up and ids[k] in table.live else "") for k in kinds
        ]
        height = (_HANDS_BOTTOM - _HANDS_TOP) / table.record.num_players
        yield from hand_row(_MARGIN, _HANDS_TOP + height * player, height, player, chips)
