"""What a seat of Outrun the Bear sees, as numbers in [0, 1]. Seats are relative: the observer first, then clockwise."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.instructions import at_most, one_at, paste, paste_shares, row_of
from bearenvs.kernel import inlined
from bearenvs.outrun_the_bear.board import are_adjacent, column_of, is_big, prints_behind_lead
from bearenvs.outrun_the_bear.content import (
    BLANK_TILE,
    BRAMBLE,
    CAMP,
    CAMP_TILE,
    CELL,
    COLUMN,
    FACES_SHOWN,
    KIND_MASK,
    LAST_TILE,
    MAX_COLUMNS,
    MAX_HAND,
    MAX_KINDS,
    MAX_PLAYERS,
    NO_TILE,
    NUM_TRAILS,
    REST,
    RIVER,
    ROWS,
    SHOWN,
    SLOPE,
    TILE_COLUMNS,
    OutrunTheBearContent,
)
from bearenvs.outrun_the_bear.hands import ONES, any_marks, pile_card
from bearenvs.outrun_the_bear.state import (
    ACTION,
    BACK,
    CARD,
    FORCED,
    FORWARD,
    HAND,
    MOVE,
    NO_FRAME,
    NOTHING,
    RING,
    RUNNING,
    STACK,
    TERRAIN,
    TO_BEAR,
    WINDOW,
)
from bearenvs.tables import Layout, ObservationSection

WINDOW_BACK = 3
WINDOW_COLUMNS = 14
SEAT_SCALARS = 14
PILE_SHOWN = 12
NEXT_SHOWN = 2
NUM_DECISIONS = 9
RACE_SCALARS = 12
MANY_COPIES = 4
MANY_PRINTS = 12


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


def shown_columns(
    terrain: npt.NDArray[np.int8], prints: npt.NDArray[np.int8], outer_prints: npt.NDArray[np.int8], last_column: int
) -> npt.NDArray[Any]:
    """Return what ``columns`` and ``park`` say of each column of each face if no runner is there.

    The result is (2 * FACES_SHOWN * TILE_COLUMNS,) of SHOWN: all columns, then all again as the Bear leaves them.
    ``terrain`` and ``prints`` are those of the trail tiles' faces, ``outer_prints`` those of the park's columns.
    """
    shown = np.zeros((2, FACES_SHOWN, TILE_COLUMNS), SHOWN)
    marks, cells = shown["marks"]["numbers"], shown["cells"]["numbers"]
    marks[:, :CAMP_TILE, :, 0] = prints
    marks[:, CAMP_TILE, :, 0] = outer_prints[:TILE_COLUMNS]
    marks[:, LAST_TILE, :, 0] = outer_prints[last_column + 1 - TILE_COLUMNS : last_column + 1]
    marks[1, :NO_TILE, :, 1] = 1.0
    marks[:, CAMP_TILE, -1, 2] = 1.0
    marks[:, LAST_TILE, -1, 2] = 1.0
    cells[0, :NO_TILE, ..., 0] = 1.0
    cells[0, CAMP_TILE, :-1, :, 0] = 0.0  # of the campsite tile only the last column is shown
    for place, kind in enumerate((RIVER, SLOPE, BRAMBLE, REST), start=1):
        cells[:, :CAMP_TILE, ..., place] = terrain == kind
    return shown.ravel()


@inlined
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`.

    What a seat sees depends on cards and places, so no processor foresees branches on it, and there are few. What may
    count or not is written all the same: as 0, or into a place that gets its own number afterwards. And a mask that
    changes nothing (``& KIND_MASK``) says that an index is not negative, else each would be looked at.
    """
    out[: int(content.at_columns)] = 0.0
    observe_decision(content, state, seat, out)
    prints = prints_behind_lead(content, state)
    observe_cards(content, state, seat, out)
    total = observe_oldest(content, state, prints, out)
    observe_race(content, state, seat, prints, total, out)
    observe_seats(content, state, seat, out)
    observe_park(content, state, seat, out)
    if content.has_passes != 0:
        observe_runners(content, state, seat, out)


@inlined
def next_seat(content: Any, seat: int) -> int:
    """Return the seat to the left."""
    return seat + 1 if seat + 1 < content.num_players else 0


@inlined
def relative(content: Any, seat: int, observer: int) -> int:
    """Return how many places ``seat`` sits after the observer."""
    return seat - observer if seat >= observer else seat - observer + int(content.num_players)


ASKED = np.array([0, 3, 5, 7, 0, 6, 0, 0, 0], np.int64)
"""What a frame asks, as the place in the section ``decision``: by NO_FRAME, MOVE, CARD, WINDOW, DRAW_CARDS ..."""


@inlined
def decision_of(state: Any, seat: int) -> int:
    """Return what ``seat``, which is to act, is asked now, as the place in the section ``decision``."""
    frame = state.stack[max(int(state.depth) - 1, 0)]
    op = int(frame.op)
    decision = int(ASKED[op & 15])
    decision += int((op == MOVE) & (frame.seat != seat)) + int((op == WINDOW) & (frame.mode == TO_BEAR))
    return decision + int(op == NO_FRAME) * (int(state.phase == TERRAIN) + 2 * int(state.phase == ACTION))


@inlined
def top_frame_of(state: Any, op: int) -> int:
    """Return the place of the last frame of this kind on the stack; 0 without one."""
    found = 0
    for depth in range(STACK):
        found = depth if state.stack[depth].op == op else found
    return found


@inlined
def observe_decision(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the sections ``decision`` to ``card_seats``."""
    out[decision_of(state, seat) & 15] = np.float32(state.to_act == seat)
    frame = state.stack[top_frame_of(state, MOVE)]
    movement = out[int(content.at_movement) : int(content.at_card)]
    is_moving = frame.op == MOVE
    movement[0] = np.float32(is_moving * min(int(frame.left), 6)) / np.float32(6.0)
    movement[1] = np.float32(is_moving & (frame.mode >= FORCED))
    movement[2] = np.float32(is_moving & (frame.way == BACK))
    movement[3] = np.float32(is_moving & (frame.way == FORWARD))
    frame = state.stack[top_frame_of(state, CARD)]
    if frame.op == CARD:
        out[int(content.at_card) + int(frame.card)] = 1.0
        first = int(content.at_card_seats)
        out[first + relative(content, int(frame.seat), seat)] = 1.0
        if frame.other != NOTHING:
            out[first + int(content.num_players) + relative(content, int(frame.other), seat)] = 1.0


@inlined
def observe_cards(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the sections ``hand`` to ``next``.

    What is unseen is what is nowhere in sight: to count others' hands would take longer. All cards of a row are written
    at once, beyond the last kind as 0s, which the next section replaces.
    """
    num_kinds = int(content.num_kinds)
    me = state.seats[seat]
    hand = one_at(int(me.hand[0]))
    for j in range(1, MAX_HAND):
        hand = hand + one_at(int(me.hand[j]))  # NOTHING is nowhere
    pile, under = row_of(state.pile), row_of(state.under)
    unseen = row_of(content.copies) - row_of(state.removed) - pile - under - hand
    for other in range(MAX_PLAYERS):
        unseen = unseen - one_at(int(state.seats[other].equipment))
    if knows_others(content, state, seat):
        for other in range(content.num_players):
            them = state.seats[other]
            for j in range(HAND if other != seat else 0):
                is_marked = (int(them.known[j]) | int(them.maybe[j])) >> seat & 1 == 1
                unseen = unseen - one_at(int(them.hand[j]) if is_marked else NOTHING)
        observe_known(content, state, seat, out)
    at = int(content.at_hand)
    paste_shares(out, at, at_most(hand, MANY_COPIES), content.hand_wholes)
    paste_shares(out, at + num_kinds, unseen, content.card_wholes)
    paste_shares(out, at + 2 * num_kinds, pile, content.card_wholes)
    paste_shares(out, at + 3 * num_kinds, under, content.card_wholes)
    if state.num_deck == 0:
        for place in range(min(NEXT_SHOWN, int(state.num_under))):
            out[int(content.at_next) + place * num_kinds + pile_card(state, place - int(state.num_under))] = 1.0


@inlined
def knows_others(content: Any, state: Any, seat: int) -> bool:
    """Tell whether a seat knows anything of another's hand."""
    marks = 0
    other = seat
    for _ in range(int(content.num_players) - 1):
        other = next_seat(content, other)
        marks |= any_marks(state.seats[other])
    return marks & (ONES << seat) != 0


@inlined
def observe_oldest(content: Any, state: Any, prints: int, out: Any) -> int:
    """Write the section ``oldest``; return the sum of the discards that the Bear takes, as many as ``prints``."""
    oldest = int(state.first) + int(state.num_under)
    num_pile = int(state.num_pile)
    num_taken = min(prints, num_pile)
    shown = out[int(content.at_oldest) : int(content.at_race)]
    total = 0
    for place in range(PILE_SHOWN):
        kind = int(state.line[(oldest + place) & RING - 1]) & KIND_MASK
        paste(shown, 2 * place, content.discards[kind if place < num_pile else MAX_KINDS])
        total += int(content.bear[kind]) if place < num_taken else 0
    for place in range(PILE_SHOWN, num_taken):
        total += int(content.bear[pile_card(state, place)])
    return total


@inlined
def observe_race(content: Any, state: Any, seat: int, prints: int, total: int, out: Any) -> None:
    """Write the sections ``race`` to ``row``."""
    bear = int(state.bear)
    own = max(0, column_of(int(state.seats[seat].space)))
    num_cards = np.float32(content.num_cards)
    race = out[int(content.at_race) : int(content.at_column)]
    race[0] = content.column_share[bear]
    race[1] = content.column_share[own]
    race[2] = np.float32(max(0, min(own - bear, 16))) / np.float32(16.0)
    race[3] = np.float32(min(prints, MANY_PRINTS)) / np.float32(MANY_PRINTS)
    race[4] = np.float32(min(total, 16)) / np.float32(16.0)
    race[5] = np.float32(max(0, min(prints - int(state.num_pile), MANY_PRINTS))) / np.float32(MANY_PRINTS)
    race[6] = np.float32(state.skips_turn)
    race[7] = np.float32(state.no_sprint)
    race[8] = np.float32(state.num_deck) / num_cards
    race[9] = np.float32(state.num_under) / num_cards
    race[10] = np.float32(state.num_pile) / num_cards
    race[11] = np.float32(min(int(state.num_rounds), 20)) / np.float32(20.0)
    frame = state.stack[max(int(state.depth) - 1, 0)]
    space = int(state.seats[int(frame.seat) if frame.op == MOVE else seat].space)
    if space != NOTHING:
        out[int(content.at_column) + column_of(space)] = 1.0
        out[int(content.at_row) + space % ROWS] = np.float32(not is_big(content, space))


@inlined
def observe_seats(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the sections ``seats`` and ``equipment``."""
    first_equipment = int(content.first_equipment)
    num_gear = int(content.num_kinds) - first_equipment
    here = int(state.seats[seat].space)
    to_own, to_bear = MAX_COLUMNS - column_of(here), MAX_COLUMNS - int(state.bear)
    at, gear_at = int(content.at_seats), int(content.at_equipment)
    other = seat
    for _ in range(int(content.num_players)):
        them = state.seats[other]
        row = out[at : at + SEAT_SCALARS]
        row[int(them.status) & 3] = 1.0
        if them.status == RUNNING:
            space = int(them.space)
            column = column_of(space) & 63
            row[3] = content.column_share[column]
            row[4] = content.beside[(column + to_own) & 127]
            row[5] = content.ahead[(column + to_bear) & 127]
            row[6 + (space & ROWS - 1)] = content.has_row[int(space == CAMP)]
            row[10] = are_adjacent(content, here, space)
            row[11] = content.hand_share[int(them.num_hand) & 15]
        at += SEAT_SCALARS
        kind = int(them.equipment)
        out[gear_at + max(kind - first_equipment, 0)] = np.float32(kind != NOTHING)  # without any: of a later section
        gear_at += num_gear
        other = next_seat(content, other)
    if state.turn > 0:
        out[int(content.at_seats) + relative(content, int(state.seat), seat) * SEAT_SCALARS + 12] = 1.0
    out[int(content.at_seats) + relative(content, int(state.token), seat) * SEAT_SCALARS + 13] = 1.0


@inlined
def observe_known(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the section ``known``."""
    num_kinds = int(content.num_kinds)
    at = int(content.at_known)
    other = seat
    for _ in range(int(content.num_players) - 1):
        other = next_seat(content, other)
        them = state.seats[other]
        known = out[at : at + num_kinds]
        for j in range(HAND):
            if int(them.known[j]) >> seat & 1 == 1:
                kind = int(them.hand[j])
                known[kind] = min(known[kind] + np.float32(1.0 / MANY_COPIES), np.float32(1.0))
        at += num_kinds


@inlined
def face_shown(content: Any, state: Any, tile: int) -> int:
    """Return the face of a tile of the park, from -1 on, as SHOWN has it."""
    outer = int(content.outer_face[tile + 1])
    face = int(state.faces[max(0, min(tile - 1, NUM_TRAILS - 1))])
    return face if outer == BLANK_TILE and face != NOTHING else outer


@inlined
def observe_park(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the sections ``columns`` and ``park``."""
    bear = int(state.bear)
    space = int(state.seats[seat].space)
    first = (column_of(space) if space != NOTHING else bear) - WINDOW_BACK
    columns = out[int(content.at_columns) : int(content.at_runners)]
    cells = out[int(content.at_park) : int(content.at_runners)]
    tile = first >> 3  # what // TILE_COLUMNS is
    # Where ``shown`` has a column less its place in the window, by the tile that it is on: a window covers three.
    on_first = face_shown(content, state, tile) * TILE_COLUMNS + first - tile * TILE_COLUMNS
    on_second = face_shown(content, state, tile + 1) * TILE_COLUMNS + first - (tile + 1) * TILE_COLUMNS
    on_third = face_shown(content, state, tile + 2) * TILE_COLUMNS + first - (tile + 2) * TILE_COLUMNS
    second, third = (tile + 1) * TILE_COLUMNS - first, (tile + 2) * TILE_COLUMNS - first
    for k in range(WINDOW_COLUMNS):
        column = k + (on_first if k < second else on_second if k < third else on_third)
        column += FACES_SHOWN * TILE_COLUMNS if first + k <= bear else 0
        shown = content.shown[column & 255]
        paste(columns, k * COLUMN, shown.marks)
        paste(cells, k * ROWS * CELL, shown.cells)
    observe_others(content, state, seat, first, columns)


@inlined
def observe_others(content: Any, state: Any, seat: int, first: int, columns: Any) -> None:
    """Mark where other runners are, in the sections from ``columns`` on; the window's first column is ``first``."""
    first_mark = columns[0]  # runners that are not shown are marked here
    other = seat
    for _ in range(int(content.num_players) - 1):
        other = next_seat(content, other)
        them = state.seats[other]
        there = int(them.space)
        k = column_of(there) - first
        is_shown = (them.status == RUNNING) & (there != CAMP) & (k >= 0) & (k < WINDOW_COLUMNS)
        place = COLUMN * WINDOW_COLUMNS + (k * ROWS + (there & ROWS - 1)) * CELL + 5
        columns[place & 511 if is_shown else 0] = 1.0
    columns[0] = first_mark


@inlined
def observe_runners(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the section ``runners``."""
    at = int(content.at_runners)
    out[at:] = 0.0
    other = seat
    for _ in range(content.num_players):
        if state.seats[other].runner != NOTHING:
            out[at + int(state.seats[other].runner)] = 1.0
        at += int(content.num_runners)
        other = next_seat(content, other)
