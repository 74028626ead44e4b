"""What a seat of Outrun the Bear sees, as numbers in [0, 1]. Seats are relative: the observer first, then clockwise."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.kernel import inlined
from bearenvs.outrun_the_bear.board import column_of, is_big, prints_behind_lead
from bearenvs.outrun_the_bear.content import (
    BRAMBLE,
    CAMP,
    CELL,
    COLUMN,
    COLUMN_BYTES,
    KIND_MASK,
    MAX_COLUMNS,
    MAX_HAND,
    MAX_KINDS,
    MAX_PLAYERS,
    NOWHERE,
    REST,
    RIVER,
    ROWS,
    SLOPE,
    WINDOW_BACK,
    OutrunTheBearContent,
)
from bearenvs.outrun_the_bear.hands import ONES, any_marks, pile_card
from bearenvs.outrun_the_bear.state import (
    ACTION,
    BACK,
    BEAR_TURN,
    CARD,
    FORCED,
    FORWARD,
    HAND,
    MOVE,
    NO_FRAME,
    NOTHING,
    RUNNING,
    STACK,
    TERRAIN,
    TO_BEAR,
    WINDOW,
)
from bearenvs.pasting import at_most, one_at, paste, paste_bits, paste_shares, row_of
from bearenvs.tables import Layout, ObservationSection

WINDOW_COLUMNS = 14
CELLS = ROWS * CELL
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
    span = f"columns from {WINDOW_BACK} behind the own runner, or the Bear that caught it, to"
    span += f" {WINDOW_COLUMNS - WINDOW_BACK - 1} ahead"
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
            "of the movement under way, a sprint's from its discards on: spaces left / 6, at most 1; is mandatory; only"
            " back; only forward",
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
            "the Bear's column / last; own column / last, 0 when caught; columns between / 16; paw prints behind the"
            " lead runner / 12; sum of the discards that many / 16; cards they lack / 12; the Bear skips its turn; no"
            " sprint this turn; unseen deck, known part under it, discard pile, each / all cards; rounds / 20; at most"
            " 1",
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


def shown_spaces(terrain: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int8]:
    """Return what ``park`` says of spaces with this ``terrain``, a bit a number, without runners and the Bear."""
    cells = np.zeros((*terrain.shape, CELL), np.uint8)
    cells[..., 0] = 1
    for place, kind in enumerate((RIVER, SLOPE, BRAMBLE, REST), start=1):
        cells[..., place] = terrain == kind
    return np.packbits(cells, bitorder="little").view(np.int8)


@inlined
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`.

    Each section is written once and whole, in the layout's order: what vectors write beyond its end, the next one
    replaces. What a seat sees depends on cards and places, so no processor foresees branches on it, and there are few:
    what is one or nothing is collected as a bit mask. And a mask that changes nothing (``& KIND_MASK``) says that an
    index is not negative, else each would be looked at.
    """
    observe_decision(content, state, seat, out)
    prints = prints_behind_lead(content, state)
    knows = knows_others(content, state, seat)
    observe_cards(content, state, seat, knows, out)
    total = observe_oldest(content, state, prints, out)
    observe_race(content, state, seat, prints, total, out)
    observe_seats(content, state, seat, out)
    observe_equipment(content, state, seat, out)
    observe_known(content, state, seat, knows, out)
    observe_park(content, state, seat, out)
    if content.has_passes != 0:
        observe_runners(content, state, seat, out)


@inlined
def next_seat(content: Any, seat: Any) -> Any:
    """Return the seat to the left; seats that are counted through are of uint8."""
    return content.left[seat]


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
    """Write the sections ``decision`` to ``card_seats``: 57 numbers at most."""
    first, num_players = int(content.at_card_seats), int(content.num_players)
    bits = int(state.to_act == seat) << decision_of(state, seat)
    move = state.stack[top_frame_of(state, MOVE)]
    is_moving = int(move.op == MOVE)
    at = int(content.at_movement)
    bits |= (is_moving & int(move.mode >= FORCED)) << at + 1
    bits |= (is_moving & int(move.way == BACK)) << at + 2
    bits |= (is_moving & int(move.way == FORWARD)) << at + 3
    card = state.stack[top_frame_of(state, CARD)]
    is_played = int(card.op == CARD)
    bits |= is_played << int(content.at_card) + int(card.card)
    bits |= is_played << first + relative(content, int(card.seat), seat)
    bits |= (is_played & int(card.other != NOTHING)) << first + num_players + relative(content, int(card.other), seat)
    paste_bits(out, 0, bits, 64)
    out[at] = np.float32(is_moving * min(int(move.left), 6)) / np.float32(6.0)


@inlined
def observe_cards(content: Any, state: Any, seat: int, knows: bool, out: Any) -> None:
    """Write the sections ``hand`` to ``next``.

    What is unseen is what is nowhere in sight: to count others' hands would take longer.
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
    if knows:
        for other in range(content.num_players):
            them = state.seats[other]
            for j in range(HAND if other != seat else 0):
                is_marked = (int(them.known[j]) | int(them.maybe[j])) >> seat & 1 == 1
                unseen = unseen - one_at(int(them.hand[j]) if is_marked else NOTHING)
    at = int(content.at_hand)
    most = MANY_COPIES if me.status == RUNNING else 0  # who is out keeps a list of what has left the game (OB-E5)
    paste_shares(out, at, at_most(hand, most), content.hand_wholes)
    paste_shares(out, at + num_kinds, unseen, content.card_wholes)
    paste_shares(out, at + 2 * num_kinds, pile, content.card_wholes)
    paste_shares(out, at + 3 * num_kinds, under, content.card_wholes)
    bits = 0
    if state.num_deck == 0:
        for place in range(min(NEXT_SHOWN, int(state.num_under))):
            bits |= 1 << place * num_kinds + pile_card(state, place - int(state.num_under))
    paste_bits(out, int(content.at_next), bits, 64)


@inlined
def knows_others(content: Any, state: Any, seat: int) -> bool:
    """Tell whether a seat knows anything of another's hand."""
    marks = 0
    other = np.uint8(seat)
    for _ in range(int(content.num_players) - 1):
        other = next_seat(content, other)
        marks |= any_marks(state.seats[other])
    return marks & (ONES << seat) != 0


@inlined
def observe_oldest(content: Any, state: Any, prints: int, out: Any) -> int:
    """Write the section ``oldest``; return the sum of the discards that the Bear takes, as many as ``prints``."""
    num_pile = int(state.num_pile)
    num_taken = min(prints, num_pile)
    at = int(content.at_oldest)
    paste_bits(out, at, 0, 32)
    total = 0
    for place in range(min(num_pile, PILE_SHOWN)):
        kind = pile_card(state, place) & KIND_MASK
        paste(out, at + 2 * place, content.discards[kind])
        total += int(content.bear[kind]) * int(place < num_taken)
    for place in range(PILE_SHOWN, num_taken):
        total += int(content.bear[pile_card(state, place)])
    return total


@inlined
def observe_race(content: Any, state: Any, seat: int, prints: int, total: int, out: Any) -> None:
    """Write the sections ``race`` to ``row``."""
    bear = int(state.bear)
    own = max(0, column_of(int(state.seats[seat].space)))
    num_cards = np.float32(content.num_cards)
    race = np.uint16(content.at_race)
    out[race] = content.column_share[bear]
    out[race + 1] = content.column_share[own]
    out[race + 2] = content.ahead[own - bear + MAX_COLUMNS & 255]
    out[race + 3] = content.print_share[prints + 128 & 255]
    out[race + 4] = np.float32(min(total, 16)) / np.float32(16.0)
    out[race + 5] = content.print_share[prints - int(state.num_pile) + 128 & 255]
    out[race + 6] = np.float32(state.skips_turn)
    out[race + 7] = np.float32(state.no_sprint)
    out[race + 8] = np.float32(state.num_deck) / num_cards
    out[race + 9] = np.float32(state.num_under) / num_cards
    out[race + 10] = np.float32(state.num_pile) / num_cards
    out[race + 11] = np.float32(min(int(state.num_rounds), 20)) / np.float32(20.0)
    frame = state.stack[max(int(state.depth) - 1, 0)]
    mover = int(frame.seat)
    space = int(state.seats[(mover if frame.op == MOVE else seat) & 7].space)
    at = int(content.at_column)
    row_at = int(content.at_row) - at
    bits = int(space != NOTHING) << max(column_of(space), 0)
    bits |= int((space != NOTHING) & (not is_big(content, space))) << row_at + (space & ROWS - 1)
    paste_bits(out, at, bits, 64)


@inlined
def shown_space(them: Any) -> int:
    """Return the space of a runner; for who is out one beyond all others, without asking a branch."""
    return int(them.space) & NOWHERE - 1 | int(them.status != RUNNING) * NOWHERE


@inlined
def observe_seats(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the section ``seats``."""
    here = max(int(state.seats[seat].space), 0)  # who was caught is in column 0, as in ``race``
    to_own, to_bear = MAX_COLUMNS - column_of(here), MAX_COLUMNS - int(state.bear)
    touched = content.touched[here & 255]
    acting = int(state.seat) if (state.turn > 0) & (state.phase < BEAR_TURN) else NOTHING
    token = int(state.token)
    at = int(content.at_seats)
    other = np.uint8(seat)
    for _ in range(int(content.num_players)):
        them = state.seats[other]
        status = int(them.status) & 3
        space = shown_space(them)
        is_running = int(status == RUNNING)
        column = space >> 2
        bits = 1 << status | int(other == acting) << 12 | int(other == token) << 13
        bits |= (is_running & int(space != CAMP)) << 6 + (space & ROWS - 1)
        bits |= (is_running & (int(touched[space >> 6 & 3]) >> (space & 63))) << 10
        paste_bits(out, at, bits, 16)
        row = np.uint16(at)
        out[row + 3] = content.column_share[column & 255]
        out[row + 4] = content.beside[column + to_own & 255]
        out[row + 5] = content.ahead[column + to_bear & 255]
        out[row + 11] = content.hand_share[is_running * 16 + int(them.num_hand) & 31]
        at += SEAT_SCALARS
        other = next_seat(content, other)


@inlined
def observe_equipment(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the section ``equipment``."""
    first_equipment = int(content.first_equipment)
    at = int(content.at_equipment)
    other = np.uint8(seat)
    for _ in range(int(content.num_players)):
        kind = int(state.seats[other].equipment)
        paste_bits(out, at, 1 << (kind & 63) >> first_equipment, MAX_KINDS)  # NOTHING is a bit beyond them
        at += int(content.num_kinds) - first_equipment
        other = next_seat(content, other)


@inlined
def observe_known(content: Any, state: Any, seat: int, knows: bool, out: Any) -> None:
    """Write the section ``known``."""
    at = int(content.at_known)
    other = np.uint8(seat)
    for _ in range(int(content.num_players) - 1):
        other = next_seat(content, other)
        them = state.seats[other]
        known = one_at(NOTHING)
        for j in range(HAND if knows else 0):
            known = known + one_at(int(them.hand[j]) if int(them.known[j]) >> seat & 1 == 1 else NOTHING)
        most = MANY_COPIES if them.status == RUNNING else 0
        paste_shares(out, at, at_most(known, most), content.hand_wholes)
        at += int(content.num_kinds)


THIRDS = np.array([sum((bits >> k & 1) << COLUMN * k for k in range(7)) for bits in range(128)], np.int64)
"""Seven bits of columns, each where the numbers of its column begin."""
NUM_WORDS = 6
"""Words of 64 bits that hold the spaces of a window, the last one in part."""

_PLACES = np.arange(64 * NUM_WORDS)
_IS_ENTERED = (_PLACES % CELL == 0) & (CELLS * np.arange(WINDOW_COLUMNS + 1)[:, np.newaxis] > _PLACES)
ENTERED = np.packbits(_IS_ENTERED, axis=1, bitorder="little").view(np.int64)
"""Where they say "can be entered" of the first columns, by how many."""


@inlined
def spread_window(columns: int, own: int) -> int:
    """Return which of ``columns``, a bit mask, the window around column ``own`` shows, each at a third place."""
    window = columns << WINDOW_BACK >> own & (1 << WINDOW_COLUMNS) - 1
    return int(THIRDS[window & 127]) | int(THIRDS[window >> 7]) << 7 * COLUMN


@inlined
def observe_others(content: Any, state: Any, seat: int, first: int, out: Any) -> None:
    """Write into ``park``, from column ``first`` on, where others are; the rest into ``columns``, to come yet."""
    other = np.uint8(seat)
    for _ in range(int(content.num_players) - 1):
        other = next_seat(content, other)
        space = shown_space(state.seats[other])
        space |= int(space == CAMP) * NOWHERE
        place = int(content.marks[column_of(space) - first & 255]) + (space & ROWS - 1) * CELL
        out[np.uint16(place)] = 1.0


@inlined
def observe_park(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the sections ``park`` and ``columns``."""
    bear = int(state.bear)
    space = int(state.seats[seat].space)
    own = column_of(space) if space != NOTHING else bear
    reached = max(0, min(bear - own + WINDOW_BACK + 1, WINDOW_COLUMNS))
    at = int(content.at_park)
    start = (own & 63) * COLUMN_BYTES
    words = state.shown[start : start + 8 * NUM_WORDS].view(np.int64)
    for word in range(NUM_WORDS - 1):
        paste_bits(out, at + 64 * word, int(words[word]) & ~int(ENTERED[reached, word]), 64)
    paste_bits(out, at + 64 * (NUM_WORDS - 1), int(words[NUM_WORDS - 1]) & ~int(ENTERED[reached, NUM_WORDS - 1]), 16)
    observe_others(content, state, seat, own - WINDOW_BACK, out)
    marks = spread_window(int(state.prints), own) | spread_window((2 << bear) - 1, own) << 1
    marks |= spread_window(int(content.big_columns), own) << 2
    paste_bits(out, int(content.at_columns), marks, 42)


@inlined
def observe_runners(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the section ``runners``."""
    at = int(content.at_runners)
    out[at:] = 0.0
    other = np.uint8(seat)
    for _ in range(content.num_players):
        if state.seats[other].runner != NOTHING:
            out[at + int(state.seats[other].runner)] = 1.0
        at += int(content.num_runners)
        other = next_seat(content, other)
