"""Ursa Miner as a picture: the mountain, each player's bears and stores, and the hands that may be seen."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bearenvs.render.lettering import cut, largest, width_of
from bearenvs.render.palette import Role, ink_on, seat_role
from bearenvs.render.scene import SIZE, Circle, Rect, Scene, Shape, Text
from bearenvs.render.symbols import (
    Chip,
    bear_token,
    card_back,
    drop,
    hand_row,
    hexagon,
    lines,
    seat_token,
)
from bearenvs.ursa_miner.content import NO_TILE, Card, Tile, UrsaMinerContent
from bearenvs.ursa_miner.describe import covered_kinds, done, headline, hidden_layers, played
from bearenvs.ursa_miner.state import NOTHING, OVER
from bearenvs.words import counted

_MARGIN = 8
_TOP, _BOTTOM = 62, 424
_PANEL_WIDTH = 176
_MOUNTAIN_WIDTH = SIZE - _PANEL_WIDTH - 3 * _MARGIN
_HANDS_TOP, _HANDS_HEIGHT = 430, 126
_COVERED_AT, _MOUNTAIN_TOP = 63, 72
_LEGEND_HEIGHT = 20


@dataclass(frozen=True)
class _Table:
    """What the parts of the picture are drawn from. ``live`` are the words of the legal actions."""

    content: UrsaMinerContent
    num_players: int
    state: Any
    seat: int | None
    live: frozenset[str]
    mines: frozenset[str]  # the cells that can be mined now

    def bear_tag(self, player: int, bear: int) -> str:
        """Return the word for a bear, as the seat to act writes it."""
        return f"b{bear}" if player == self.state.to_act else f"p{player}.b{bear}"


def draw(content: UrsaMinerContent, num_players: int, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
    """Return the table as ``seat`` sees it; ``None`` shows every hand."""
    live = frozenset(word for text in legal for word in text.split())
    mines = frozenset(text.split()[1] for text in legal if text.startswith("mine "))
    table = _Table(content, num_players, state, seat, live, mines)
    shapes = [*_piles(table), *_covered(table), *_mountain(table), *_legend(table)]
    for player in range(num_players):
        shapes += _panel(table, player)
    shapes += _all_hands(table) if seat is None else _hand(table, seat)
    return Scene(f"Ursa Miner. {headline(content, num_players, state)}", tuple(shapes))


def _piles(table: _Table) -> Iterator[Shape]:
    """Yield the head lines, deck, discard pile, and what is left of Hardened Honey and of the last round."""
    state, content = table.state, table.content
    yield Text(_MARGIN, 16, "Ursa Miner", 16)
    title = headline(content, table.num_players, state).partition(". ")[0]
    yield Text(SIZE - _MARGIN, 15, title, 13, anchor="end")
    for sentence in played(state):
        yield Text(SIZE - _MARGIN, 28, sentence.rstrip("."), 10, "accent", "end")
    yield from card_back(_MARGIN, 32, 16, 22)
    yield Text(_MARGIN + 22, 43, str(state.num_deck), 14)
    names = [card.name for card in content.cards]
    pile = [
        names[k] + (f" x{state.discard[k]}" if state.discard[k] > 1 else "")
        for k in range(len(names))
        if state.discard[k]
    ]
    text = f"discard pile: {', '.join(pile) or 'none'}"
    yield from lines(_MARGIN + 50, 35, text, 9, _MOUNTAIN_WIDTH - 48, 2, "soft")
    x = SIZE - _PANEL_WIDTH
    yield hexagon(x, 46, 10, "honey", "night")
    yield Text(x + 18, 43, f"Hardened Honey left: {state.num_hardened}", 10, "soft")
    if state.turns_left != NOTHING and state.phase != OVER:
        yield Text(x + 18, 55, f"last round: {counted(state.turns_left, 'turn')} left", 10, "accent")


def _covered(table: _Table) -> Iterator[Shape]:
    """Yield the covered tiles that were seen: on their stacks is no room for their figures."""
    state, x, y = table.state, float(_MARGIN), _COVERED_AT
    for place in range(state.num_covered):
        kind, tag = int(state.covered_kind[place]), f"c{state.covered_cell[place]}"
        text, role = f"{'covered: ' * (place == 0)}{tag}", _color(table.content, kind)
        yield Text(x, y, text, 9, "soft", tag=tag)
        x += width_of(text, 9) + 3
        yield Rect(x, y - 12, 30, 19, role, "night", 1, 3, tag)
        yield from _face(table.content, kind, x + 15, y, 24, tag, ink_on(role), is_small=True)
        x += 40


@dataclass(frozen=True)
class _Grid:
    """Where the cells lie: hexagons with a corner at the top."""

    radius: float
    left: float
    top: float

    def place(self, cell: tuple[int, int]) -> tuple[float, float]:
        q, r = cell
        return self.left + self.radius * math.sqrt(3) * (q + r / 2), self.top + self.radius * 1.5 * r


def _grid(cells: Sequence[tuple[int, int]]) -> _Grid:
    """Return the largest grid of these cells that fits the mountain's place, in its middle."""
    unit = _Grid(1, 0, 0)
    xs, ys = zip(*map(unit.place, cells), strict=True)
    height = _BOTTOM - _LEGEND_HEIGHT - _MOUNTAIN_TOP
    radius = min(_MOUNTAIN_WIDTH / (max(xs) - min(xs) + 2), height / (max(ys) - min(ys) + 2.3))
    left = _MARGIN + _MOUNTAIN_WIDTH / 2 - radius * (min(xs) + max(xs)) / 2
    return _Grid(radius, left, _MOUNTAIN_TOP + height / 2 - radius * (min(ys) + max(ys)) / 2)


def _mountain(table: _Table) -> Iterator[Shape]:
    mountain = table.content.setup_for(table.num_players).mountain
    grid = _grid(mountain.cells)
    for cell, at in enumerate(mountain.cells):
        x, y = grid.place(at)
        if int(table.state.mountain) >> cell & 1:
            yield from _stack(table, cell, mountain.layers[cell], x, y, grid.radius)
        else:
            yield Circle(x, y, 2, "edge")


def _stack(table: _Table, cell: int, layers: Sequence[int], x: float, y: float, radius: float) -> Iterator[Shape]:
    """Yield a stack of tiles: those below stick out, the top one shows its face, and the bears stand in front."""
    state, tag = table.state, f"c{cell}"
    colors: tuple[Role, ...] = ("brown", "gray", "black")
    below = [colors[color] for color in hidden_layers(state, cell, layers)]
    kind = int(state.top[cell])
    role = _color(table.content, kind) if kind != NO_TILE else colors[layers[len(below)]]
    below += [_color(table.content, covered) for covered in covered_kinds(state, cell)]
    size, step = radius * 0.93, radius * 0.1
    lift = step * (1 - len(below))
    for depth, color in enumerate(below):
        yield hexagon(x, y - lift - step * depth, size, color, "night", 1, tag)
    y -= lift + step * len(below)
    can_mine = tag in table.mines
    edge: Role = "accent" if tag in table.live else "night"
    yield hexagon(x, y, size, role, edge, 4 if can_mine else 2 if tag in table.live else 1, tag)
    ink = ink_on(role)
    height = len(below) + 1
    yield Text(x, y - 0.63 * size, f"{tag} x{height}" if height > 1 else tag, 8, ink, "middle", tag)
    bears = [
        (player, bear)
        for player in range(table.num_players)
        for bear in range(table.state.seats[player].num_bears)
        if state.seats[player].cell[bear] == cell
    ]
    if kind != NO_TILE:
        up = 0.1 * size if len(bears) > 4 else 0.0
        yield from _face(table.content, kind, x, y - up, size, tag, ink, is_small=bool(bears))
    else:
        yield Text(x, y, "?", size * 0.7, ink, "middle", tag)
    yield from _bears(table, bears, tag, x, y, size)


def _color(content: UrsaMinerContent, kind: int) -> Role:
    if kind > len(content.tiles):
        return "honey"
    return content.tiles[kind - 1].color


def _face(
    content: UrsaMinerContent, kind: int, x: float, y: float, size: float, tag: str, ink: Role, *, is_small: bool
) -> Iterator[Shape]:
    """Yield what a tile pays, and below it a head for each bear that it takes; ``is_small`` leaves room for bears."""
    tile = content.tiles[kind - 1] if kind <= len(content.tiles) else content.hardened_honey
    role: Role = "jelly" if isinstance(tile, Tile) and tile.resource == "jelly" else "honey"
    role = role if isinstance(tile, Tile) else "snow"  # Hardened Honey is honey-colored itself
    if is_small:
        yield from drop(x - 0.36 * size, y - 0.08 * size, 0.22 * size, role, tag)
        yield Text(x - 0.36 * size, y - 0.08 * size, str(tile.value), 0.34 * size, "night", "middle", tag)
        yield Text(x + 0.14 * size, y - 0.08 * size, str(tile.bears), 0.34 * size, ink, "middle", tag)
        yield from _head(x + 0.4 * size, y - 0.06 * size, 0.09 * size, ink, tag)
        return
    yield from drop(x, y + 0.06 * size, 0.29 * size, role, tag)
    yield Text(x, y + 0.06 * size, str(tile.value), 0.42 * size, "night", "middle", tag)
    head = 0.075 * size
    for place in range(tile.bears):
        center = x + (place - (tile.bears - 1) / 2) * 3.3 * head
        yield from _head(center, y + 0.55 * size, head, ink, tag)


def _head(x: float, y: float, radius: float, role: Role, tag: str = "") -> Iterator[Shape]:
    """Yield a small bear's head."""
    yield Circle(x - radius, y - radius, 0.6 * radius, role, tag=tag)
    yield Circle(x + radius, y - radius, 0.6 * radius, role, tag=tag)
    yield Circle(x, y, 1.25 * radius, role, tag=tag)


def _bears(
    table: _Table, bears: Sequence[tuple[int, int]], cell_tag: str, x: float, y: float, size: float
) -> Iterator[Shape]:
    """Yield the bears on a cell around (x, y), in rows from its foot up, the smaller the more there are."""
    per_row, share = (3, 0.27) if len(bears) <= 3 else (4, 0.2) if len(bears) <= 4 else (5, 0.17)
    radius = share * size
    for place, (player, bear) in enumerate(bears):
        word = table.bear_tag(player, bear)
        tag = word if word in table.live else cell_tag
        row, column = divmod(place, per_row)
        in_row = min(per_row, len(bears) - row * per_row)
        at = x + (column - (in_row - 1) / 2) * 2.1 * radius
        foot = y + (0.79 if per_row == 3 else 0.68) * size - radius - row * 2.2 * radius
        if word in table.live:
            yield Circle(at, foot, radius + 2.5, "accent", tag=tag)
        yield from bear_token(at, foot, radius, seat_role(player), str(bear), tag)


def _legend(table: _Table) -> Iterator[Shape]:
    """Yield what the signs mean."""
    y = _BOTTOM - 6
    yield from drop(_MARGIN + 8, y, 6, "honey")
    yield Text(_MARGIN + 18, y, "honey", 9, "soft")
    yield from drop(_MARGIN + 62, y, 6, "jelly")
    yield Text(_MARGIN + 72, y, "royal jelly", 9, "soft")
    yield from _head(_MARGIN + 136, y, 3.5, "ink")
    yield Text(_MARGIN + 145, y, "bears it takes", 9, "soft")
    yield Text(_MARGIN + 222, y, "x2 tiles high", 9, "soft")
    if table.mines:
        yield hexagon(_MARGIN + 304, y, 8, None, "accent", 3)
        yield Text(_MARGIN + 317, y, "can be mined now", 9, "soft")


def _panel(table: _Table, player: int) -> Iterator[Shape]:
    """Yield a player's place: stores, size of the hand, and what each bear has done."""
    state, me, tag = table.state, table.state.seats[player], f"p{player}"
    height = min((_BOTTOM - _TOP) / table.num_players, 150) - 6
    x, y = SIZE - _PANEL_WIDTH - _MARGIN, _TOP + player * (height + 6)
    is_up = player == state.seat and state.phase != OVER
    edge: Role = "accent" if tag in table.live else "ink" if is_up else "edge"
    yield Rect(x, y, _PANEL_WIDTH, height, "panel", edge, 1 if edge == "edge" else 3, 8, tag)
    yield from seat_token(x + 14, y + 14, 9, player, tag)
    yield Text(x + 28, y + 14, "you" if player == table.seat else f"p{player}", 12, "ink", "start", tag)
    yield from drop(x + 66, y + 16, 7, "jelly", tag)
    yield Text(x + 76, y + 14, str(me.jelly), 13, "ink", "start", tag)
    yield from drop(x + 105, y + 16, 7, "honey", tag)
    yield Text(x + 115, y + 14, str(me.honey), 13, "ink", "start", tag)
    yield from card_back(x + 142, y + 6, 11, 16)
    yield Text(x + 157, y + 14, str(me.num_hand), 12, "ink", "start", tag)
    waiting = table.content.bears.total - int(me.num_bears)
    notes = [f"{waiting} waiting"] if waiting else []
    known = [card.name for card, count in zip(table.content.cards, me.shown, strict=False) if count]
    if known and table.seat not in (None, player):
        notes.append("holds " + ", ".join(known))
    row = min((height - 28) / (int(me.num_bears) + bool(notes)), 20)
    for bear in range(me.num_bears):
        yield from _bear_line(table, player, bear, x + 16, y + 26 + row * (bear + 0.5), min(row / 2.3, 7))
    if notes:
        text = cut("; ".join(notes), 9, _PANEL_WIDTH - 20)
        yield Text(x + 10, y + 26 + row * (me.num_bears + 0.5), text, 9, "soft", "start", tag)


def _bear_line(table: _Table, player: int, bear: int, x: float, y: float, radius: float) -> Iterator[Shape]:
    """Yield one of a player's bears with where it is and what it has done this turn."""
    me = table.state.seats[player]
    word = table.bear_tag(player, bear)
    tag = word if word in table.live else f"p{player}"
    yield from bear_token(x, y + 1, radius, seat_role(player), str(bear), tag)
    yield Text(x + 12, y, f"c{me.cell[bear]} {done(me, bear)}".rstrip(), 10 if radius > 5 else 9, "ink", "start", tag)


def effect_text(card: Card) -> str:
    """Return what a card does, in a few words."""
    text = {
        "own_move": f"move a bear up to {card.n}",
        "shove": "move another's bear by one",
        "swap_tops": "swap two top tiles",
        "place_hardened": "put Hardened Honey on a cell",
        "mine_discount": f"mine with {counted(card.n or 0, 'bear')} fewer",
        "refresh": "a bear can act again",
        "steal": f"take up to {card.n} honey",
        "hire": "a waiting bear joins",
        "rally": "a bear goes to another",
    }[card.effect]
    return text + (", card returns" if card.after == "return" else "")


def _hand(table: _Table, seat: int) -> Iterator[Shape]:
    """Yield the own hand, card by card."""
    cards, hand = table.content.cards, table.state.seats[seat].hand
    kinds = [kind for kind in range(len(cards)) for _ in range(hand[kind])]
    yield Text(_MARGIN, _HANDS_TOP + 5, "your hand" + ("" if kinds else ": no cards"), 10, "soft")
    step = min(116.0, (SIZE - 2 * _MARGIN) / max(len(kinds), 1))
    for place, kind in enumerate(kinds):
        yield from _card(table, cards[kind], _MARGIN + place * step, _HANDS_TOP + 15, step - 6)


def _card(table: _Table, card: Card, x: float, y: float, width: float) -> Iterator[Shape]:
    """Yield a card with its top left corner at (x, y)."""
    is_live, tag, middle = card.id in table.live, card.id, x + width / 2
    yield Rect(x, y, width, 108, "buddy", "accent" if is_live else "edge", 3 if is_live else 1, 6, tag)
    yield from drop(x + 14, y + 17, 8, "honey", tag)
    yield Text(x + 14, y + 16, str(card.cost), 11, "night", "middle", tag)
    size = largest(card.name, width - 6, 12, 10, 8)
    yield from lines(middle, y + 40, card.name, size, width - 6, 2, "night", "middle", tag)
    text = effect_text(card)
    yield from lines(middle, y + 72, text, largest(text, width - 6, 10, 8), width - 6, 3, "night", "middle", tag)


def _all_hands(table: _Table) -> Iterator[Shape]:
    """Yield every player's hand as a row of small cards."""
    for player in range(table.num_players):
        hand, is_up = table.state.seats[player].hand, player == table.state.to_act
        cards = [card for kind, card in enumerate(table.content.cards) for _ in range(hand[kind])]
        chips = [Chip(card.name, "buddy", card.id if is_up and card.id in table.live else "") for card in cards]
        height = _HANDS_HEIGHT / table.num_players
        yield from hand_row(_MARGIN, _HANDS_TOP + height * player, height, player, chips)
