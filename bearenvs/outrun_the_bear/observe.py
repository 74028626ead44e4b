"""What a seat of Outrun the Bear sees, as numbers in [0, 1]. Seats are relative: the observer first, then clockwise."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.kernel import kernel, paste
from bearenvs.outrun_the_bear.board import (
    are_adjacent,
    column_of,
    face_of,
    has_big_space,
    is_big,
    prints_behind_lead,
    prints_on,
)
from bearenvs.outrun_the_bear.content import (
    BRAMBLE,
    CAMP,
    CELL,
    FIRST_COLUMN,
    MAX_HAND,
    NUM_TRAILS,
    REST,
    RIVER,
    ROWS,
    SLOPE,
    TILE_COLUMNS,
    OutrunTheBearContent,
)
from bearenvs.outrun_the_bear.hands import pile_card
from bearenvs.outrun_the_bear.state import (
    ACTION,
    BACK,
    CARD,
    CAUGHT,
    ESCAPED,
    FORCED,
    FORWARD,
    HAND,
    MOVE,
    NOTHING,
    RING,
    RUNNING,
    TERRAIN,
    TO_BEAR,
    WINDOW,
)
from bearenvs.tables import Layout, ObservationSection

WINDOW_BACK = 3
WINDOW_COLUMNS = 14
COLUMN = 3
SEAT_SCALARS = 14
PILE_SHOWN = 12
NEXT_SHOWN = 2
NUM_DECISIONS = 9
RACE_SCALARS = 12
MANY_COPIES = 4.0
MANY_PRINTS = 12.0


def layout(content: OutrunTheBearContent, num_players: int, last_column: int, *, passes: bool) -> Layout:
    """Return the observation's sections for these cards, players and this park."""
    kinds, n = len(content.cards), num_players
    shown = (WINDOW_COLUMNS, ROWS, CELL)
    span = f"columns from {WINDOW_BACK} behind the own runner to {WINDOW_COLUMNS - WINDOW_BACK - 1} ahead"
    runners = len(content.runners) if passes else 0
    sections = [
        ObservationSection(
            "decision",
            (NUM_DECISIONS,),
            "one-hot: what the observer is asked now: runner; terrain; action step; a step of its own; a step of"
            " another's; target; discard; reaction to a card or a passing; reaction to the Bear; else 0",
        ),
        ObservationSection(
            "movement",
            (4,),
            "of the movement under way: spaces left / 6, at most 1; is mandatory; only back; only forward",
        ),
        ObservationSection("card", (len(content.actions),), "one-hot: the action card being played"),
        ObservationSection("card_seats", (2, n), "one-hot each: who plays it; its target"),
        ObservationSection("hand", (kinds,), "copies of each card in the own hand / 4, at most 1"),
        ObservationSection("unseen", (kinds,), "share of each card's copies unseen: in the deck or another's hand"),
        ObservationSection("pile", (kinds,), "share of each card's copies in the discard pile"),
        ObservationSection("under", (kinds,), "share of each card's copies in the known part under the deck"),
        ObservationSection("next", (NEXT_SHOWN, kinds), "one-hot: the next cards to draw, when all know them"),
        ObservationSection(
            "oldest",
            (PILE_SHOWN, 2),
            "the oldest discards, which the Bear takes: is there; bear value / 4, at most 1",
        ),
        ObservationSection(
            "race",
            (RACE_SCALARS,),
            "the Bear's column / last; own column / last; columns between / 16; paw prints behind the lead runner / 12;"
            " sum of the discards that many / 16; cards they lack / 12; the Bear skips its turn; no sprint this turn;"
            " unseen deck, known part under it, discard pile, each / all cards; rounds / 20; at most 1",
        ),
        ObservationSection("column", (last_column + 1,), "one-hot: column of the runner who moves, or of the own one"),
        ObservationSection("row", (ROWS,), "one-hot: its row; 0 in campsite and parking lot"),
        ObservationSection(
            "seats",
            (n, SEAT_SCALARS),
            "per seat: running; escaped; caught; column / last; 1/2 + columns ahead of the own runner / 32; columns"
            " ahead of the Bear / 16; one-hot row; touches the own runner; cards in hand / 11; has the turn; holds the"
            " Bear's token",
        ),
        ObservationSection("equipment", (n, len(content.equipment)), "per seat: one-hot kind of equipment"),
        ObservationSection("known", (n - 1, kinds), "per other seat: copies it is known to hold / 4, at most 1"),
        ObservationSection(
            "columns", (WINDOW_COLUMNS, COLUMN), f"{span}: has a print; the Bear is here or beyond; is a big space"
        ),
        ObservationSection(
            "park", shown, f"{span}, by row: can be entered; river; slope; bramble; rest area; another runner is here"
        ),
        ObservationSection("runners", (n, runners), "with park_pass, per seat: one-hot Park Pass"),
    ]
    return Layout(sections)


def shown_columns(terrain: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Return what the section ``park`` says of each column of each face, if the Bear is not there and no runner.

    ``terrain`` is (faces, columns, rows); the result, (faces + 1, columns, rows, CELL), ends with one without terrain.
    """
    num_faces, columns, rows = terrain.shape
    shown = np.zeros((num_faces + 1, columns, rows, CELL), np.float32)
    shown[..., 0] = 1.0
    for place, kind in enumerate((RIVER, SLOPE, BRAMBLE, REST), start=1):
        shown[:num_faces, ..., place] = terrain == kind
    return shown


@kernel
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`."""
    out[:] = 0.0
    at = observe_decision(content, state, seat, out)
    at = observe_cards(content, state, seat, out, at)
    at = observe_race(content, state, seat, out, at)
    at = observe_seats(content, state, seat, out, at)
    at = observe_park(content, state, seat, out, at)
    if content.has_passes != 0:
        other = seat
        for _ in range(content.num_players):
            if state.seats[other].runner != NOTHING:
                out[at + int(state.seats[other].runner)] = 1.0
            at += int(content.num_runners)
            other = next_seat(content, other)


@kernel
def next_seat(content: Any, seat: int) -> int:
    """Return the seat to the left."""
    return seat + 1 if seat + 1 < content.num_players else 0


@kernel
def relative(content: Any, seat: int, observer: int) -> int:
    """Return how many places ``seat`` sits after the observer."""
    return seat - observer if seat >= observer else seat - observer + int(content.num_players)


@kernel
def decision_of(state: Any, seat: int) -> int:
    """Return what ``seat`` is asked now, as its place in the section ``decision``; NOTHING if it is not to act."""
    if state.to_act != seat:
        return NOTHING
    if state.depth == 0:
        return 1 if state.phase == TERRAIN else 2 if state.phase == ACTION else 0
    frame = state.stack[int(state.depth) - 1]
    if frame.op == MOVE:
        return 3 if frame.seat == seat else 4
    if frame.op == WINDOW:
        return 8 if frame.mode == TO_BEAR else 7
    return 5 if frame.op == CARD else 6


@kernel
def observe_decision(content: Any, state: Any, seat: int, out: Any) -> int:
    """Write the sections ``decision`` to ``card_seats``; return where the next one begins."""
    decision = decision_of(state, seat)
    if decision != NOTHING:
        out[decision] = 1.0
    at = NUM_DECISIONS
    for depth in range(int(state.depth)):
        frame = state.stack[depth]
        if frame.op == MOVE:
            out[at] = min(int(frame.left) / 6.0, 1.0)
            out[at + 1] = 1.0 if frame.mode >= FORCED else 0.0
            out[at + 2] = 1.0 if frame.way == BACK else 0.0
            out[at + 3] = 1.0 if frame.way == FORWARD else 0.0
        elif frame.op == CARD:
            out[at + 4 + int(frame.card)] = 1.0
            first = at + 4 + int(content.first_reaction)
            out[first + relative(content, int(frame.seat), seat)] = 1.0
            if frame.other != NOTHING:
                out[first + int(content.num_players) + relative(content, int(frame.other), seat)] = 1.0
    return at + 4 + int(content.first_reaction) + 2 * int(content.num_players)


@kernel
def observe_cards(content: Any, state: Any, seat: int, out: Any, at: int) -> int:
    """Write the sections ``hand`` to ``oldest``; return where the next one begins."""
    num_kinds = int(content.num_kinds)
    hand, unseen = out[at : at + num_kinds], out[at + num_kinds : at + 2 * num_kinds]
    pile, under = out[at + 2 * num_kinds : at + 3 * num_kinds], out[at + 3 * num_kinds : at + 4 * num_kinds]
    at += 4 * num_kinds
    me = state.seats[seat]
    for j in range(int(me.num_hand)):
        kind = int(me.hand[j])
        hand[kind] = min(hand[kind] + 1.0 / MANY_COPIES, 1.0)
    for kind in range(num_kinds):
        unseen[kind] = state.deck[kind]
    for other in range(content.num_players):
        if other != seat:
            them = state.seats[other]
            for j in range(HAND):
                kind = int(them.hand[j])
                if kind == NOTHING:
                    break
                # In a hidden row the cards without the observer's mark are in the deck, and counted above.
                if (int(them.known[j]) | int(them.maybe[j])) >> seat & 1 == 0:
                    unseen[kind] += 1.0
    oldest = int(state.first) + int(state.num_under)
    for place in range(oldest, oldest + int(state.num_pile)):
        pile[state.line[place % RING]] += 1.0
    for place in range(int(state.first), oldest):
        under[state.line[place % RING]] += 1.0
    for kind in range(num_kinds):
        unseen[kind] *= content.share[kind]
        pile[kind] *= content.share[kind]
        under[kind] *= content.share[kind]
    if state.num_deck == 0:
        for place in range(min(NEXT_SHOWN, int(state.num_under))):
            out[at + place * num_kinds + pile_card(state, place - int(state.num_under))] = 1.0
    at += NEXT_SHOWN * num_kinds
    for place in range(min(PILE_SHOWN, int(state.num_pile))):
        out[at + 2 * place] = 1.0
        out[at + 2 * place + 1] = min(int(content.bear[pile_card(state, place)]) / 4.0, 1.0)
    return at + 2 * PILE_SHOWN


@kernel
def observe_race(content: Any, state: Any, seat: int, out: Any, at: int) -> int:
    """Write the sections ``race`` to ``row``; return where the next one begins."""
    last_column = int(content.last_column)
    bear = int(state.bear)
    mover = seat
    own = max(0, column_of(int(state.seats[seat].space)))
    prints = prints_behind_lead(content, state)
    total = 0
    for place in range(min(prints, int(state.num_pile))):
        total += int(content.bear[pile_card(state, place)])
    out[at] = bear / last_column
    out[at + 1] = own / last_column
    out[at + 2] = max(0.0, min((own - bear) / 16.0, 1.0))
    out[at + 3] = min(prints / MANY_PRINTS, 1.0)
    out[at + 4] = min(total / 16.0, 1.0)
    out[at + 5] = max(0.0, min((prints - int(state.num_pile)) / MANY_PRINTS, 1.0))
    out[at + 6] = int(state.skips_turn)
    out[at + 7] = int(state.no_sprint)
    out[at + 8] = int(state.num_deck) / content.num_cards
    out[at + 9] = int(state.num_under) / content.num_cards
    out[at + 10] = int(state.num_pile) / content.num_cards
    out[at + 11] = min(int(state.num_rounds) / 20.0, 1.0)
    at += RACE_SCALARS
    if state.depth > 0 and state.stack[int(state.depth) - 1].op == MOVE:
        mover = int(state.stack[int(state.depth) - 1].seat)
    space = int(state.seats[mover].space)
    if space != NOTHING:
        out[at + column_of(space)] = 1.0
        if not is_big(content, space):
            out[at + last_column + 1 + space % ROWS] = 1.0
    return at + last_column + 1 + ROWS


@kernel
def observe_seats(content: Any, state: Any, seat: int, out: Any, at: int) -> int:
    """Write the sections ``seats`` to ``known``; return where the next one begins."""
    num_players, num_kinds = int(content.num_players), int(content.num_kinds)
    num_gear = num_kinds - int(content.first_equipment)
    last_column = int(content.last_column)
    here = int(state.seats[seat].space)
    own = column_of(here)
    gear_at = at + num_players * SEAT_SCALARS
    known_at = gear_at + num_players * num_gear
    other = seat
    for _ in range(num_players):
        them = state.seats[other]
        space = int(them.space)
        column = column_of(space)
        out[at] = 1.0 if them.status == RUNNING else 0.0
        out[at + 1] = 1.0 if them.status == ESCAPED else 0.0
        out[at + 2] = 1.0 if them.status == CAUGHT else 0.0
        if them.status == RUNNING:
            out[at + 3] = column / last_column
            out[at + 4] = max(0.0, min(0.5 + (column - own) / 32.0, 1.0))
            out[at + 5] = max(0.0, min((column - int(state.bear)) / 16.0, 1.0))
            if space != CAMP:
                out[at + 6 + space % ROWS] = 1.0
            if here != NOTHING and are_adjacent(content, here, space):
                out[at + 10] = 1.0
            out[at + 11] = int(them.num_hand) / MAX_HAND
        out[at + 12] = 1.0 if other == state.seat and state.turn > 0 else 0.0
        out[at + 13] = 1.0 if other == state.token else 0.0
        at += SEAT_SCALARS
        if them.equipment != NOTHING:
            out[gear_at + int(them.equipment) - int(content.first_equipment)] = 1.0
        gear_at += num_gear
        if other != seat:
            for j in range(them.hand.shape[0]):
                if int(them.known[j]) >> seat & 1 == 1:
                    place = known_at + int(them.hand[j])
                    out[place] = min(out[place] + 1.0 / MANY_COPIES, 1.0)
            known_at += num_kinds
        other = next_seat(content, other)
    return known_at


@kernel
def observe_park(content: Any, state: Any, seat: int, out: Any, at: int) -> int:
    """Write the sections ``columns`` and ``park``; return where the next one begins."""
    last_column, bear = int(content.last_column), int(state.bear)
    space = int(state.seats[seat].space)
    first = (column_of(space) if space != NOTHING else bear) - WINDOW_BACK
    cells_at = at + WINDOW_COLUMNS * COLUMN
    end = cells_at + WINDOW_COLUMNS * ROWS * CELL
    columns, cells = out[at:cells_at], out[cells_at:end]
    for k in range(max(0, -first), min(WINDOW_COLUMNS, last_column + 1 - first)):
        column = first + k
        columns[k * COLUMN] = prints_on(content, state, column)
        columns[k * COLUMN + 1] = 1.0 if column <= bear else 0.0
        columns[k * COLUMN + 2] = 1.0 if has_big_space(content, column) else 0.0
        if column >= FIRST_COLUMN - 1:
            face = face_of(content, state, column)
            shown = content.shown[face if face != NOTHING else NUM_TRAILS * 2, column % TILE_COLUMNS]
            paste(cells, k * ROWS * CELL, shown)
            if column <= bear:
                for row in range(ROWS):
                    cells[(k * ROWS + row) * CELL] = 0.0
    for other in range(content.num_players):
        there = int(state.seats[other].space)
        k = column_of(there) - first
        if other != seat and state.seats[other].status == RUNNING and there != CAMP and 0 <= k < WINDOW_COLUMNS:
            cells[(k * ROWS + there % ROWS) * CELL + 5] = 1.0
    return end
