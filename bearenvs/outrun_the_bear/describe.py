"""Outrun the Bear as readable text."""

from collections.abc import Sequence
from typing import Any

from bearenvs.game import CHANCE, TERMINAL
from bearenvs.outrun_the_bear.board import prints_on, space_name, terrain_of
from bearenvs.outrun_the_bear.content import CAMP, FIRST_COLUMN, LETTERS, ROWS
from bearenvs.outrun_the_bear.content import OutrunTheBearContent as Cards
from bearenvs.outrun_the_bear.hands import pile_card
from bearenvs.outrun_the_bear.state import (
    BEAR_TURN,
    DEAL,
    ESCAPED,
    NOTHING,
    RUNNING,
    STEAL_CARDS,
    TERRAIN,
    WINDOW,
)


def describe(content: Cards, record: Any, state: Any, seat: int | None) -> str:
    """Return the table as ``seat`` sees it; ``None`` shows every hand. ``record``: the content record."""
    names = [card.name for card in content.cards]
    lines = [headline(record, state, seat), *_park(record, state)]
    for player in range(record.num_players):
        lines += _runner(content, names, record, state, player, seat)
    pile = [names[pile_card(state, place)] for place in range(state.num_pile)]
    under = [names[pile_card(state, place)] for place in range(-int(state.num_under), 0)]
    lines.append(f"  discard pile, oldest first: {', '.join(pile) or 'none'}")
    lines.append(f"  deck: {state.num_deck} unseen cards, then {', '.join(under) or 'nothing'}")
    return "\n".join(lines)


def headline(record: Any, state: Any, seat: int | None) -> str:
    """Return the round, whose turn it is, who is to act as far as ``seat`` may know, and where the Bear is."""
    if state.to_act == TERMINAL:
        fates = [fate(record, state, player) for player in range(record.num_players)]
        groups = {word: ", ".join(f"p{player}" for player, own in enumerate(fates) if own == word) for word in fates}
        told = "; ".join(f"{word}: {players}" for word, players in groups.items())
        verdict = "all win" if {*fates} == {"escaped"} else "all lose"
        together = f": {verdict}" if record.is_coop and not state.truncated else ""  # OB-X2
        return f"Game over{together}. {told[0].upper()}{told[1:]}."
    if state.phase <= DEAL:
        return "Set-up."
    top = state.stack[int(state.depth) - 1] if state.depth else None
    if top is not None and top.op == WINDOW and state.to_act != seat and seat is not None:
        waiting = "reactions may be played"  # by whom, nobody else learns
    elif state.to_act == CHANCE:
        waiting = "a card is stolen" if top is not None and top.op == STEAL_CARDS else "a card is drawn"
    else:
        waiting = f"p{state.to_act} is to act"
    skip = " It skips its next turn." if state.skips_turn else ""
    step = "terrain step" if state.phase == TERRAIN and not state.depth else "turn"
    whose = "the Bear's" if state.phase >= BEAR_TURN else f"p{state.seat}'s"
    return f"Round {state.num_rounds + 1}, {whose} {step}: {waiting}. The Bear is at column {state.bear}.{skip}"


def has_turn(state: Any, player: int) -> bool:
    """Tell whether it is this runner's turn, and not the Bear's."""
    return bool(player == state.seat and state.phase < BEAR_TURN and state.to_act != TERMINAL)


def fate(record: Any, state: Any, player: int) -> str:
    """Return what has become of a runner."""
    status = state.seats[player].status
    if status == RUNNING:
        return "still running" if state.truncated or record.is_coop else "survived"
    return "escaped" if status == ESCAPED else "caught"


def _park(record: Any, state: Any) -> list[str]:
    """Return the map: letters of the content file, runners as digits; above it B for the Bear and ' for prints."""
    if (state.faces[: record.num_trails] == NOTHING).any():
        return []
    letters = list(LETTERS)
    last = int(record.last_column) - (record.lot != NOTHING)
    rows = []
    for row in range(ROWS):
        cells = [letters[terrain_of(record, state, column * ROWS + row)] for column in range(FIRST_COLUMN, last + 1)]
        for player in range(record.num_players):
            space = int(state.seats[player].space)
            if space not in (NOTHING, CAMP, record.lot) and space % ROWS == row:
                cells[space // ROWS - FIRST_COLUMN] = str(player)
        rows.append(" " * FIRST_COLUMN + "".join(cells))
    marks = ["'" if prints_on(state, column) else " " for column in range(record.last_column + 1)]
    marks[int(state.bear)] = "B"
    return ["  " + "".join(marks).rstrip(), *("  " + row for row in rows)]


def _runner(content: Cards, names: Sequence[str], record: Any, state: Any, player: int, seat: int | None) -> list[str]:
    me = state.seats[player]
    mark = ">" if has_turn(state, player) else " "
    you = " (you)" if player == seat else ""
    runner = f", {content.runners[me.runner].name}" if me.runner != NOTHING else ""
    if me.status != RUNNING:
        return [f"{mark} p{player}{you}{runner}: {fate(record, state, player)}"]
    token = ", holds the Bear's token" if player == state.token else ""
    gear = f", {names[me.equipment]}" if me.equipment != NOTHING else ""
    where = space_name(int(me.space), int(record.lot))
    line = f"{mark} p{player}{you}{runner}: at {where}, {me.num_hand} cards{gear}{token}"
    if seat is None or player == seat:
        return [line, f"    hand: {_list(names, me.hand)}"]
    known = [kind for kind, marks in zip(me.hand, me.known, strict=True) if int(marks) >> seat & 1]
    return [line, f"    known to hold: {_list(names, known)}"] if known else [line]


def _list(names: Sequence[str], kinds: Any) -> str:
    return ", ".join(names[kind] for kind in kinds if kind != NOTHING) or "none"
