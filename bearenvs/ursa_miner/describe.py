"""Ursa Miner as readable text."""

from collections.abc import Sequence
from typing import Any

from bearenvs.ursa_miner.content import NO_TILE, UrsaMinerContent
from bearenvs.ursa_miner.state import ACTIONS, CARDS, CREW, DRAW, EFFECT, HIRE, NOTHING, OVER, PLACE, REVEAL, TILES
from bearenvs.words import counted

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
_LETTERS = "bgk"
"""Of the colors, brown to black."""
_KEY = "cell, top/covered^height, colors of hidden tiles (b brown, g gray, k black), :players with bears there"


def describe(content: UrsaMinerContent, num_players: int, state: Any, seat: int | None) -> str:
    """Return the table as ``seat`` sees it; ``None`` shows every hand."""
    lines = [headline(content, num_players, state), *_mountain(content, num_players, state)]
    for player in range(num_players):
        me = state.seats[player]
        mark = ">" if player == state.seat and state.phase != OVER else " "
        you = " (you)" if player == seat else ""
        waiting = content.bears.total - int(me.num_bears)
        lines.append(
            f"{mark} p{player}{you}: {me.jelly} jelly, {me.honey} honey, {counted(me.num_hand, 'card')} in hand,"
            f" {counted(waiting, 'bear')} waiting"
        )
        lines.append(f"    bears: {', '.join(_bear(me, bear) for bear in range(me.num_bears)) or 'none'}")
        if seat is None or player == seat:
            lines.append(f"    hand:  {_cards(content, me.hand)}")
        elif me.shown.any():
            lines.append(f"    known in hand: {_cards(content, me.shown)}")
    lines.append(f"  discard pile: {_cards(content, state.discard)}")
    return "\n".join(lines)


def headline(content: UrsaMinerContent, num_players: int, state: Any) -> str:
    """Return in one line whose turn it is, what is asked, what is left, and what holds for the rest of the turn."""
    if state.phase == OVER:
        return "Game over: " + ("truncated, nobody wins" if state.truncated else _winners(num_players, state))
    line = f"Turn {state.turn + 1}, p{state.seat}: {_STEPS[int(state.phase)]}"
    if state.card != NOTHING:
        line += f" ({content.cards[state.card].name})"
    if state.cell != NOTHING:
        line += f" at c{state.cell}"
    last = f", {counted(state.turns_left, 'turn')} left" if state.turns_left != NOTHING else ""
    left = f"Deck {counted(state.num_deck, 'card')}{last}, Hardened Honey {counted(state.num_hardened, 'tile')}."
    return " ".join([f"{line}.", left, *played(state)])


def played(state: Any) -> list[str]:
    """Return in a sentence that a card was played this turn, with the discount in force; without one, nothing."""
    if not state.has_played:
        return []
    fewer = f"; the next mining takes {counted(state.discount, 'bear')} fewer" if state.discount else ""
    return [f"A card was played this turn{fewer}."]


def _winners(num_players: int, state: Any) -> str:
    """Return who has the most royal jelly, and of those the most honey (UM-E2, UM-E3)."""
    wealth = [(int(state.seats[player].jelly), int(state.seats[player].honey)) for player in range(num_players)]
    best = [f"p{player}" for player, own in enumerate(wealth) if own == max(wealth)]
    return f"{best[0]} wins" if len(best) == 1 else f"{', '.join(best)} share the win"


def _mountain(content: UrsaMinerContent, num_players: int, state: Any) -> list[str]:
    """Draw the stacks row by row, as far apart as the longest asks for; what stands for what is told below them."""
    mountain = content.setup_for(num_players).mountain
    stacks = [_stack(content, num_players, state, cell, layers) for cell, layers in enumerate(mountain.layers)]
    half = (max(map(len, stacks)) + 3) // 2  # of a column: neighbouring rows are half a column apart
    left = min(2 * q + r for q, r in mountain.cells)
    rows: dict[int, str] = {}
    for stack, (q, r) in zip(stacks, mountain.cells, strict=True):
        rows[r] = rows.get(r, "").ljust(half * (2 * q + r - left)) + stack
    return [*(f"  {row}" for row in rows.values()), f"  {_KEY}"]


def _stack(content: UrsaMinerContent, num_players: int, state: Any, cell: int, layers: Sequence[int]) -> str:
    if not int(state.mountain) >> cell & 1:
        return "."
    names = [content.kind_names[kind] for kind in covered_kinds(state, cell)]
    hidden = "".join(_LETTERS[color] for color in hidden_layers(state, cell, layers))
    kind = int(state.top[cell])
    top = content.kind_names[kind] if kind != NO_TILE else f"?{_LETTERS[layers[len(hidden)]]}"
    height = len(hidden) + len(names) + 1
    bears = "".join(str(seat) for seat in range(num_players) if cell in state.seats[seat].cell)
    under = f"^{height}{hidden[::-1]}" if height > 1 else ""
    return f"{cell} {'/'.join([top, *names[::-1]])}{under}" + (f":{bears}" if bears else "")


def covered_kinds(state: Any, cell: int) -> list[int]:
    """Return the kinds of the covered tiles on ``cell`` that were seen, from the bottom."""
    is_here = state.covered_cell[: state.num_covered] == cell
    return [int(kind) for kind in state.covered_kind[: state.num_covered][is_here]]


def hidden_layers(state: Any, cell: int, layers: Sequence[int]) -> Sequence[int]:
    """Return the colors of the tiles under the top of ``cell`` that nobody has seen, from the bottom."""
    return layers[: int(state.buried[cell]) - int(state.top[cell] == NO_TILE)]


def done(me: Any, bear: int) -> str:
    """Return what a bear has done this turn, in words that hold too where it counts as having done it (UM-A7)."""
    if me.moves[bear] == 2:
        return "no uses left"
    return ", ".join(["moved"] * int(me.moves[bear]) + ["mined"] * int(me.mined[bear]))


def _bear(me: Any, bear: int) -> str:
    return f"b{bear} on c{me.cell[bear]}" + (f" ({done(me, bear)})" if done(me, bear) else "")


def _cards(content: UrsaMinerContent, counts: Any) -> str:
    shown = [
        card.name + (f" x{counts[kind]}" if counts[kind] > 1 else "")
        for kind, card in enumerate(content.cards)
        if counts[kind]
    ]
    return ", ".join(shown) or "none"
