"""What a seat of Ursa Miner sees, as numbers in [0, 1]: a table of cells, then everything else.

Seats are relative: the observer first, then clockwise. ``observation[layout["cells"]].reshape(num_cells, -1)`` is a
graph's node features; :func:`neighbor_table` is the graph.
"""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.kernel import inlined
from bearenvs.pasting import paste, paste_shares
from bearenvs.tables import Layout, ObservationSection
from bearenvs.ursa_miner.bears import can_mine, can_move
from bearenvs.ursa_miner.content import (
    HONEY,
    JELLY,
    MAX_BEARS,
    MAX_CARD_KINDS,
    MAX_CELLS,
    MAX_HARDENED,
    MAX_LAYERS,
    NO_TILE,
    SHOWN_TILES,
    STACK_WIDTH,
    UNDER,
    UrsaMinerContent,
)
from bearenvs.ursa_miner.state import NOTHING, OVER, SEAT

CELL_FEATURES = 12
"""Before the bears of each seat."""
BEAR_FEATURES = 5
SEAT_FEATURES = 5
TURN_FEATURES = 7
MAX_HEIGHT = MAX_LAYERS + MAX_HARDENED


def neighbor_table(content: UrsaMinerContent, num_players: int) -> npt.NDArray[np.int64]:
    """Return each cell's neighbours (num_cells, 6), in the order of ``mountain.DIRECTIONS``, -1 outside the outline."""
    return np.array(content.setup_for(num_players).mountain.neighbors, np.int64)


def layout(content: UrsaMinerContent, num_players: int) -> Layout:
    """Return the observation's sections for this content and these players."""
    n, num_cells = num_players, len(content.setup_for(num_players).mountain.cells)
    cards, tiles = len(content.cards), len(content.tiles)
    return Layout(
        [
            ObservationSection(
                "cells",
                (num_cells, CELL_FEATURES + n * MAX_BEARS),
                "per cell: is in the mountain; its top's honey, jelly and mining number / the largest; the same three"
                " of the covered tile under it, if that was seen; height / 7; has a buried gray, a buried black;"
                " its last tile, face up, cannot be taken, since the mountain would split; is the cell in progress;"
                " then for each seat, for each bear: stands here",
            ),
            ObservationSection(
                "bears",
                (MAX_BEARS, BEAR_FEATURES),
                "per own bear: is on the mountain; has a move action left; has its mine use left; is moved by the card"
                " in progress; move actions made / 2",
            ),
            ObservationSection(
                "seats",
                (n, SEAT_FEATURES),
                "per seat: honey, jelly / all there are on the tiles; hand / deck size; bears waiting / all bears;"
                " whose turn it is",
            ),
            ObservationSection("hand", (cards,), "share of each card's copies in the own hand"),
            ObservationSection(
                "shown", (n - 1, cards), "per other seat: share of each card's copies known to be in its hand"
            ),
            ObservationSection("discard", (cards,), "share of each card's copies in the discard pile"),
            ObservationSection("card", (cards,), "one-hot: the card in progress"),
            ObservationSection("unseen", (tiles,), "share of each kind of tile that is buried or in the box"),
            ObservationSection("phase", (OVER,), "one-hot: what is asked"),
            ObservationSection(
                "turn",
                (TURN_FEATURES,),
                "a card was played this turn; mining discount / largest mining number; bears to choose or spaces to"
                " move left / 9; Hardened Honey left / all; deck left / deck size; turns left / players in the last"
                " round, else 1; turns played / max_turns",
            ),
        ]
    )


def pack_seen(record: Any) -> None:
    """Fill the content record's parts of observations, in the order that :func:`layout` tells. Its rest is filled."""
    for kind in range(record.hardened + 1):
        paid = [record.value[kind] * (record.resource[kind] == resource) for resource in (HONEY, JELLY)]
        figures = [*(paid / record.value.max()), record.bears[kind] / record.max_bears]
        for under in range(UNDER):
            buried = under // 4
            height = buried + (kind != NO_TILE)
            is_bound = buried == 0 and under % 2
            colors = [under % 2, under // 2 % 2] if buried else [0, 0]
            shown = [height > 0, *figures, 0, 0, 0, height / MAX_HEIGHT, *colors, is_bound]
            record.seen_stack[kind * UNDER + under].features[: len(shown)] = shown
    me = np.zeros(1, SEAT)[0]
    for me.moves[0], me.mined[0] in product(range(3), range(2)):
        shown = [1, can_move(record, me, 0), can_mine(me, 0), 0, me.moves[0] / 2]
        record.seen_bear[1, me.moves[0], me.mined[0]].features[: len(shown)] = shown
    record.one_hot["features"][1:] = np.eye(MAX_CARD_KINDS)
    record.tile_wholes = np.maximum(record.tile_copies[1 : SHOWN_TILES + 1], 1)
    record.card_wholes = np.maximum(record.card_copies, 1)


@inlined
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`.

    Nearly without branches, which a processor could not foresee. Nothing is cleared before: parts are pasted one after
    the other, some longer than their section, and the next goes over what is too much. Memory that is written once and
    in order takes half the time. Slices, masks and ``max`` spare the check of each index for being negative.
    """
    num_players = int(content.num_players)
    num_kinds = int(content.num_card_kinds)
    width = CELL_FEATURES + num_players * MAX_BEARS
    observe_cells(content, state, width, out)
    bears_at = int(content.at_bears)
    at = int(content.at_seats)
    other = seat
    for step in range(num_players):
        them = state.seats[other]
        for bear in range(MAX_BEARS):
            cell = int(them.cell[bear]) & 255  # large for a waiting bear: its 1 goes to where the next section begins
            place = cell * width + CELL_FEATURES + step * MAX_BEARS + bear
            out[place if cell < MAX_CELLS else bears_at] = 1.0
        row = out[at : at + SEAT_FEATURES]
        row[0] = int(them.honey) / content.total_honey
        row[1] = int(them.jelly) / content.total_jelly
        row[2] = int(them.num_hand) / content.deck_size
        row[3] = (content.num_bears - int(them.num_bears)) / content.num_bears
        row[4] = state.seat == other
        at += SEAT_FEATURES
        other = other + 1 if other + 1 < num_players else 0
    observe_bears(content, state, seat, bears_at, out)
    paste_shares(out, int(content.at_hand), state.seats[seat].hand, content.card_wholes)
    at = int(content.at_shown)
    for _ in range(1, num_players):
        other = other + 1 if other + 1 < num_players else 0
        paste_shares(out, at, state.seats[other].shown, content.card_wholes)
        at += num_kinds
    paste_shares(out, int(content.at_discard), state.discard, content.card_wholes)
    paste(out, int(content.at_card), content.one_hot[max(int(state.card) + 1, 0)])
    at = int(content.at_unseen)
    paste_shares(out, at, state.unseen_tiles[1:], content.tile_wholes)
    for tile in range(SHOWN_TILES, int(content.hardened) - 1):
        out[at + tile] = int(state.unseen_tiles[tile + 1]) / max(1, int(content.tile_copies[tile + 1]))
    paste(out, int(content.at_phase), content.one_hot[max(int(state.phase) + 1, 0)])  # OVER is in the next section
    at = int(content.at_turn)
    observe_turn(content, state, out[at : at + TURN_FEATURES])


@inlined
def observe_cells(content: Any, state: Any, width: int, out: Any) -> None:
    """Write the features of the stacks, and 0 for all bears."""
    for cell in range(int(content.num_cells)):
        paste(out, cell * width, content.seen_stack[state.shown[cell]])
        if width > STACK_WIDTH:
            paste(out, cell * width + STACK_WIDTH, content.rest_of_stack)
    for place in range(state.num_covered):  # the upper tiles come later, and are what stays
        row = out[max(int(state.covered_cell[place]), 0) * width :]
        seen = content.seen_stack[max(int(state.covered_kind[place]), 0) * UNDER].features
        for feature in range(3):
            row[4 + feature] = seen[1 + feature]
        row[7] += np.float32(1.0 / MAX_HEIGHT)  # in float32, compiled or not
    if state.cell != NOTHING:
        out[int(state.cell) * width + 11] = 1.0


@inlined
def observe_bears(content: Any, state: Any, seat: int, at: int, out: Any) -> None:
    """Write the section of the own bears."""
    me = state.seats[seat]
    for bear in range(MAX_BEARS):
        is_there = int(me.cell[bear] >= 0)
        seen = content.seen_bear[is_there, int(me.moves[bear]) & 3, int(me.mined[bear]) & 1]
        paste(out, at + bear * BEAR_FEATURES, seen)
    moved = int(state.bear) if state.seat == seat else NOTHING
    out[at + max(moved, 0) * BEAR_FEATURES + 3] = moved != NOTHING


@inlined
def observe_turn(content: Any, state: Any, out: Any) -> None:
    """Write the last section."""
    out[0] = state.has_played
    out[1] = int(state.discount) / content.max_bears
    out[2] = int(state.left) / 9.0
    out[3] = int(state.num_hardened) / max(1, int(content.num_hardened))
    out[4] = int(state.num_deck) / content.deck_size
    out[5] = 1.0 if state.turns_left == NOTHING else int(state.turns_left) / int(content.num_players)
    out[6] = int(state.turn) / content.max_turns
