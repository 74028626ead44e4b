"""Honey Wars as a picture: the middle of the table, each player's hives, and the hands that may be seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bearenvs.honey_wars.content import Buddy, Hive, HoneyWarsContent, Threat
from bearenvs.honey_wars.describe import headline
from bearenvs.honey_wars.state import DEFEND, NOTHING, OVER
from bearenvs.render.lettering import cut, largest
from bearenvs.render.palette import Role
from bearenvs.render.scene import SIZE, Line, Polygon, Rect, Scene, Shape, Text
from bearenvs.render.symbols import Chip, card_back, drop, hand_row, hexagon, lines, seat_token

_MARGIN, _GAP = 8, 8
_PANELS_TOP, _PANEL_HEIGHT = 106, 152
_HANDS_TOP, _HANDS_HEIGHT = 426, 126


@dataclass(frozen=True)
class _Table:
    """What the parts of the picture are drawn from. ``live`` are the words of the legal actions."""

    content: HoneyWarsContent
    num_players: int
    state: Any
    seat: int | None
    live: frozenset[str]

    def edge(self, tag: str) -> Role:
        """Return the color of the outline of what bears ``tag``."""
        return "accent" if tag in self.live else "edge"


def draw(content: HoneyWarsContent, num_players: int, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
    """Return the table as ``seat`` sees it; ``None`` shows every hand."""
    live = frozenset(word for text in legal for word in text.split())
    table = _Table(content, num_players, state, seat, live)
    title = headline(content, state)
    shapes = [*_middle(table)]
    for player in range(num_players):
        shapes += _panel(table, player)
    shapes += _all_hands(table) if seat is None else _hand(table, seat)
    return Scene(f"Honey Wars. {title}", tuple(shapes))


def _middle(table: _Table) -> Iterator[Shape]:
    """Yield the head line, pot, deck, discard pile and die."""
    state, content = table.state, table.content
    turn, _, step = headline(content, state).partition(". ")[0].partition(": ")
    yield Text(_MARGIN, 18, "Honey Wars", 16)
    yield Text(SIZE - _MARGIN, 18, f"{turn}: {step}", 13, anchor="end")
    yield from drop(26, 66, 15, "honey")
    yield Text(26, 66, str(state.pot), 15, "night", "middle")
    yield Text(26, 93, "pot", 10, "soft", "middle")
    yield from card_back(66, 42, 28, 40)
    yield Text(102, 62, str(state.num_deck), 15)
    yield Text(80, 93, "deck", 10, "soft", "middle")
    yield from _die(table, 146, 62)
    yield Text(146, 93, "last roll", 10, "soft", "middle")
    base = content.setup.base_harvest + int(state.num_shuffles)
    yield hexagon(210, 62, 20, "hive")
    yield Text(210, 62, str(base), 15, "night", "middle")
    yield Text(210, 93, "base harvest", 10, "soft", "middle")
    names = [card.name for card in content.cards]
    pile = [
        names[k] + (f" x{state.discard[k]}" if state.discard[k] > 1 else "")
        for k in range(len(names))
        if state.discard[k]
    ]
    yield Text(256, 42, f"discard pile, {int(state.discard.sum(dtype=int))} cards", 10, "soft")
    yield from lines(256, 54, ", ".join(pile), 9, SIZE - _MARGIN - 256, 5)


def _die(table: _Table, x: float, y: float) -> Iterator[Shape]:
    """Yield the die: an eye for whoever may roll it."""
    tag = "roll" if "roll" in table.live else ""
    yield Rect(x - 18, y - 18, 36, 36, "snow", table.edge("roll"), 3 if tag else 1.5, 7, tag)
    text = str(table.state.last_roll) if table.state.last_roll else "-"
    yield Text(x, y, text, 20, "night", "middle", tag)


def _panel(table: _Table, player: int) -> Iterator[Shape]:
    """Yield a player's place: honey, size of the hand, hives with the threats on them, buddy."""
    state, me = table.state, table.state.seats[player]
    is_wide = table.num_players == 2
    width = SIZE - 2 * _MARGIN if is_wide else (SIZE - 2 * _MARGIN - _GAP) // 2
    column, row = (0, player) if is_wide else (player % 2, player // 2)
    x = _MARGIN + column * (width + _GAP)
    y = _PANELS_TOP + row * (_PANEL_HEIGHT + _GAP)
    is_up = player == state.seat and state.phase != OVER
    yield Rect(x, y, width, _PANEL_HEIGHT, "panel", "ink" if is_up else "edge", 3 if is_up else 1, 8)
    yield from seat_token(x + 18, y + 16, 11, player)
    who = "you" if player == table.seat else f"p{player}"
    if state.phase == OVER and player == state.winner:
        who += " win" if player == table.seat else " wins"
    elif is_up:
        who += ", to play"
    yield Text(x + 36, y + 16, who, 13)
    yield from drop(x + width - 96, y + 18, 8, "honey")
    yield Text(x + width - 82, y + 16, str(me.honey), 16)
    yield from card_back(x + width - 46, y + 6, 14, 20)
    yield Text(x + width - 28, y + 16, str(me.num_hand), 14)
    cell = (width - 2 * _GAP) / 4
    for place in range(me.num_hives):
        yield from _hive(table, player, place, x + _GAP + cell * (place + 0.5), y + 34, cell - 4)
    if me.buddy != NOTHING:
        yield from _buddy(table, player, x + _GAP + cell * 3.5, y + 34, cell - 4)


def _hive(table: _Table, player: int, place: int, x: float, y: float, width: float) -> Iterator[Shape]:
    """Yield a hive around x, and the threat on it."""
    state, me = table.state, table.state.seats[player]
    tag = f"p{player}.{place}"
    hive = table.content.hives[int(me.hives[place])]
    is_defended = state.phase == DEFEND and player == state.seat and place == state.cursor
    edge: Role = "accent" if tag in table.live else "ink" if is_defended else "edge"
    line = 3 if tag in table.live or is_defended else 1
    yield Rect(x - width / 2, y, width, 112, "paper", edge, line, 6, tag)
    yield hexagon(x, y + 23, 19, "hive", "night", 1, tag)
    yield Text(x, y + 23, f"+{hive.bonus}", 15, "night", "middle", tag)
    size = 10 if width > 100 else 9
    yield Text(x, y + 51, cut(hive.name, size, width - 4), size, "ink", "middle", tag)
    if me.threats[place] == NOTHING:
        return
    threat = table.content.cards[int(me.threats[place])]
    assert isinstance(threat, Threat)
    yield Rect(x - width / 2 + 2, y + 60, width - 4, 50, "threat", "night", 1, 4, tag)
    name = f"{threat.name}: {effect_text(threat)}" if width > 100 else threat.name
    yield from lines(x, y + 69, name, largest(name, width - 6, 9, 8), width - 6, 2, "night", "middle", tag)
    yield Text(x - width / 2 + 6, y + 101, f"lv {threat.level}", 10, "night", "start", tag)
    yield Text(x + width / 2 - 23, y + 101, "by", 9, "night", "end", tag)
    yield from seat_token(x + width / 2 - 13, y + 100, 7, int(me.attackers[place]), tag)


def _buddy(table: _Table, player: int, x: float, y: float, width: float) -> Iterator[Shape]:
    """Yield the buddy around x; who may use it does so by its tag."""
    buddy = table.content.cards[int(table.state.seats[player].buddy)]
    assert isinstance(buddy, Buddy)
    tag = "use" if player == table.state.to_act and "use" in table.live else ""
    yield Rect(x - width / 2, y, width, 112, "buddy", "accent" if tag else "edge", 3 if tag else 1, 6, tag)
    yield from _emblem(buddy, x, y + 23, tag)
    yield from lines(x, y + 51, buddy.name, 10, width - 6, 2, "night", "middle", tag)
    yield from lines(x, y + 82, effect_text(buddy), 9, width - 6, 2, "night", "middle", tag)


def _emblem(card: Hive | Buddy | Threat, x: float, y: float, tag: str) -> Iterator[Shape]:
    """Yield the sign of a kind of card: a hive with its bonus, a shield, a dipper, or a threat's level."""
    if isinstance(card, Hive):
        yield hexagon(x, y, 16, "hive", "night", 1, tag)
        yield Text(x, y, f"+{card.bonus}", 13, "night", "middle", tag)
    elif isinstance(card, Threat):
        yield Polygon(((x, y - 17), (x + 18, y + 14), (x - 18, y + 14)), "snow", "night", 1.5, tag)
        yield Text(x, y + 3, str(card.level), 14, "night", "middle", tag)
    elif card.type == "shield":
        points = ((x - 12, y - 14), (x + 12, y - 14), (x + 12, y + 2), (x, y + 16), (x - 12, y + 2))
        yield Polygon(points, "snow", "night", 1.5, tag)
    else:
        yield Line(x, y - 16, x, y + 2, "night", 3, tag)
        yield from drop(x, y + 8, 8, "honey", tag)


def effect_text(card: Hive | Buddy | Threat) -> str:
    """Return what a card does, in two or three words."""
    if isinstance(card, Hive):
        return f"harvest +{card.bonus}"
    if isinstance(card, Buddy):
        return {
            "auto_defend": "defends",
            "roll_bonus": f"roll +{card.n}",
            "gain": f"{card.n} honey",
            "double_bonus": "bonus x2",
        }[card.ability]
    return {
        "lose_honey": f"lose {card.n} honey",
        "lose_half": "lose half the honey",
        "pay_attacker": f"pay {card.n} to attacker",
        "no_bonus": "no bonus",
        "no_harvest": "no harvest",
        "lose_cards": f"lose {card.n} cards",
        "lose_hive": "lose the hive",
        "no_build": "no building",
        "skip_spend": "skip Spend",
    }[card.effect] + (", stays" if card.continuous else "")


def color_of(card: Hive | Buddy | Threat) -> Role:
    """Return the color of a kind of card."""
    return "hive" if isinstance(card, Hive) else "buddy" if isinstance(card, Buddy) else "threat"


def _hand(table: _Table, seat: int) -> Iterator[Shape]:
    """Yield the own hand, card by card."""
    hand = table.state.seats[seat].hand
    kinds = [kind for kind in range(len(table.content.cards)) for _ in range(hand[kind])]
    yield Text(_MARGIN, _HANDS_TOP + 4, "your hand", 10, "soft")
    step = min(108.0, (SIZE - 2 * _MARGIN) / max(len(kinds), 1))
    for place, kind in enumerate(kinds):
        yield from _card(table, kind, _MARGIN + place * step, _HANDS_TOP + 14, step - 6)


def _card(table: _Table, kind: int, x: float, y: float, width: float) -> Iterator[Shape]:
    """Yield a card with its top left corner at (x, y)."""
    card, tag = table.content.cards[kind], table.content.card_ids[kind]
    middle = x + width / 2
    yield Rect(x, y, width, 112, color_of(card), table.edge(tag), 3 if tag in table.live else 1, 6, tag)
    yield from drop(x + 13, y + 15, 8, "honey", tag)
    yield Text(x + 13, y + 14, str(card.cost), 11, "night", "middle", tag)
    yield from _emblem(card, middle + 8, y + 22, tag)
    yield from lines(middle, y + 53, card.name, 11, width - 6, 2, "night", "middle", tag)
    yield from lines(middle, y + 85, effect_text(card), 10, width - 6, 2, "night", "middle", tag)


def _all_hands(table: _Table) -> Iterator[Shape]:
    """Yield every player's hand as a row of small cards."""
    cards, ids = table.content.cards, table.content.card_ids
    for player in range(table.num_players):
        hand, is_up = table.state.seats[player].hand, player == table.state.to_act
        kinds = [kind for kind in range(len(cards)) for _ in range(hand[kind])]
        chips = [
            Chip(cards[k].name, color_of(cards[k]), ids[k] if is_up and ids[k] in table.live else "") for k in kinds
        ]
        height = _HANDS_HEIGHT / table.num_players
        yield from hand_row(_MARGIN, _HANDS_TOP + height * player, height, player, chips)
