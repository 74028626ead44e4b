"""Honey Wars as readable text."""

from typing import Any

from bearenvs.honey_wars.content import HoneyWarsContent
from bearenvs.honey_wars.state import CHOOSE_DISCARD, DEFEND, DRAW, HARVEST, LOSE_CARD, NOTHING, OVER, ROLL, SPEND

_STEPS = {
    DEFEND: "Defend",
    ROLL: "Defend",
    LOSE_CARD: "Defend",
    HARVEST: "Harvest",
    SPEND: "Spend",
    CHOOSE_DISCARD: "Draw",
    DRAW: "Draw",
}


def describe(content: HoneyWarsContent, num_players: int, state: Any, seat: int | None) -> str:
    """Return the table as ``seat`` sees it; ``None`` shows every hand."""
    names = [card.name for card in content.cards]
    lines = [headline(content, state)]
    for player in range(num_players):
        me = state.seats[player]
        mark = ">" if player == state.seat and state.phase != OVER else " "
        you = " (you)" if player == seat else ""
        lines.append(f"{mark} p{player}{you}: {me.honey} honey, {me.num_hand} cards in hand")
        lines.append(f"    hives: {', '.join(_hive(names, me, place) for place in range(me.num_hives))}")
        if me.buddy != NOTHING:
            lines.append(f"    buddy: {names[me.buddy]}")
        if seat is None or player == seat:
            lines.append(f"    hand:  {_cards(names, me.hand)}")
    lines.append(f"  discard pile: {_cards(names, state.discard)}")
    return "\n".join(lines)


def headline(content: HoneyWarsContent, state: Any) -> str:
    """Return whose turn it is, what it is about, and the piles, in one line."""
    if state.phase == OVER:
        return "Game over: " + ("truncated, nobody wins" if state.winner == NOTHING else f"p{state.winner} wins")
    step = _STEPS.get(int(state.phase), "dealing")
    base = content.setup.base_harvest + int(state.num_shuffles)
    roll = f", last roll {state.last_roll}" if state.last_roll else ""
    defended = f" (hive {state.cursor})" if state.phase == DEFEND else ""
    return (
        f"Turn {state.turn + 1}, p{state.seat}: {step}{defended}."
        f" Pot {state.pot} honey, deck {state.num_deck} cards, base harvest {base}{roll}."
    )


def _hive(names: list[str], me: Any, place: int) -> str:
    threat = int(me.threats[place])
    hive = names[int(me.hives[place])]
    return hive if threat == NOTHING else f"{hive} [{names[threat]} from p{me.attackers[place]}]"


def _cards(names: list[str], counts: Any) -> str:
    shown = [
        names[kind] + (f" x{counts[kind]}" if counts[kind] > 1 else "") for kind in range(len(names)) if counts[kind]
    ]
    return ", ".join(shown) or "none"
