"""Ursa Miner as readable text."""

from typing import Any

from bearenvs.ursa_miner.content import Setup, UrsaMinerContent
from bearenvs.ursa_miner.state import ACTIONS, CARDS, CREW, DRAW, EFFECT, HIRE, NOTHING, OVER, PLACE, REVEAL, TILES

_STEPS = {
    TILES: "set-up, revealing the mountain",
    CARDS: "set-up, dealing cards",
    PLACE: "set-up, placing bears",
    ACTIONS: "Actions",
    CREW: "Actions, choosing who mines",
    REVEAL: "Actions, revealing a tile",
    EFFECT: "Actions, playing a card",
    HIRE: "Hire",
    DRAW: "Draw",
}
_STACK_WIDTH = 14


def describe(content: UrsaMinerContent, num_players: int, state: Any, seat: int | None) -> str:
    """Return the table as ``seat`` sees it; ``None`` shows every hand."""
    setup = content.setup_for(num_players)
    lines = [headline(content, num_players, state), *_mountain(content, setup, num_players, state)]
    for player in range(num_players):
        me = state.seats[player]
        mark = ">" if player == state.seat and state.phase != OVER else " "
        you = " (you)" if player == seat else ""
        waiting = content.bears.total - int(me.num_bears)
        lines.append(
            f"{mark} p{player}{you}: {me.jelly} jelly, {me.honey} honey, {me.num_hand} cards in hand,"
            f" {waiting} bears waiting"
        )
        lines.append(f"    bears: {', '.join(_bear(me, bear) for bear in range(me.num_bears)) or 'none'}")
        if seat is None or player == seat:
            lines.append(f"    hand:  {_cards(content, me.hand)}")
        elif me.shown.any():
            lines.append(f"    known in hand: {_cards(content, me.shown)}")
    lines.append(f"  discard pile: {_cards(content, state.discard)}")
    return "\n".join(lines)


def headline(content: UrsaMinerContent, num_players: int, state: Any) -> str:
    """Return whose turn it is and what is asked, the deck and the Hardened Honey left, in one line."""
    if state.phase == OVER:
        return "Game over: " + ("truncated, nobody wins" if state.truncated else _winners(num_players, state))
    line = f"Turn {state.turn + 1}, p{state.seat}: {_STEPS[int(state.phase)]}"
    if state.card != NOTHING:
        line += f" ({content.cards[state.card].name})"
    if state.cell != NOTHING:
        line += f" at c{state.cell}"
    last = f", {state.turns_left} turns left" if state.turns_left != NOTHING else ""
    return f"{line}. Deck {state.num_deck} cards{last}, Hardened Honey {state.num_hardened} tiles."


def _winners(num_players: int, state: Any) -> str:
    """Return who has the most royal jelly, and of those the most honey (UM-E2, UM-E3)."""
    wealth = [(int(state.seats[player].jelly), int(state.seats[player].honey)) for player in range(num_players)]
    best = [f"p{player}" for player, own in enumerate(wealth) if own == max(wealth)]
    return f"{best[0]} wins" if len(best) == 1 else f"{', '.join(best)} share the win"


def _mountain(content: UrsaMinerContent, setup: Setup, num_players: int, state: Any) -> list[str]:
    """Draw the stacks row by row: cell, top, height above one as ``^3``, then whose bears stand there as ``:02``."""
    cells = setup.mountain.cells
    left = min(2 * q + r for q, r in cells)
    rows: dict[int, str] = {}
    for cell, (q, r) in enumerate(cells):
        column = (2 * q + r - left) * _STACK_WIDTH // 2
        text = _stack(content, num_players, state, cell)
        rows[r] = rows.get(r, "").ljust(column) + text.ljust(_STACK_WIDTH)
    return [f"  {row.rstrip()}" for row in rows.values()]


def _stack(content: UrsaMinerContent, num_players: int, state: Any, cell: int) -> str:
    if not int(state.mountain) >> cell & 1:
        return "."
    kind = int(state.top[cell])
    covered = int((state.covered_cell[: state.num_covered] == cell).sum())
    height = int(state.buried[cell]) + covered + (kind > 0)
    bears = "".join(str(seat) for seat in range(num_players) if cell in state.seats[seat].cell)
    top = content.kind_names[kind] if kind else "?"
    return f"{cell} {top}" + (f"^{height}" if height > 1 else "") + (f":{bears}" if bears else "")


def _bear(me: Any, bear: int) -> str:
    done = [f"moved {me.moves[bear]}"] * bool(me.moves[bear]) + ["mined"] * bool(me.mined[bear])
    return f"b{bear} on c{me.cell[bear]}" + (f" ({', '.join(done)})" if done else "")


def _cards(content: UrsaMinerContent, counts: Any) -> str:
    shown = [
        card.name + (f" x{counts[kind]}" if counts[kind] > 1 else "")
        for kind, card in enumerate(content.cards)
        if counts[kind]
    ]
    return ", ".join(shown) or "none"
