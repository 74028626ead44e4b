"""What a seat of Ursa Miner sees, as numbers in [0, 1]: a table of cells, then everything else.

Seats are relative: the observer first, then clockwise. ``observation[layout["cells"]].reshape(num_cells, -1)`` is a
graph's node features; :func:`neighbor_table` is the graph.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from bearenvs.kernel import kernel
from bearenvs.tables import Layout, ObservationSection
from bearenvs.ursa_miner.bears import can_mine, can_move
from bearenvs.ursa_miner.content import (
    MAX_BEARS,
    MAX_HARDENED,
    MAX_LAYERS,
    NO_TILE,
    UrsaMinerContent,
)
from bearenvs.ursa_miner.mining import covered_cells
from bearenvs.ursa_miner.state import NOTHING, OVER

CELL_FEATURES = 12
"""Before the bears of each seat."""
BEAR_FEATURES = 4
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
                " cannot be taken, since the mountain would split; is the cell in progress; then for each seat, for"
                " each bear: stands here",
            ),
            ObservationSection(
                "bears",
                (MAX_BEARS, BEAR_FEATURES),
                "per own bear: is on the mountain; has a move action left; has its mine use left; is moved by the card"
                " in progress",
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


@kernel
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`.

    Nearly without branches, which a processor could not foresee, and for rows of figures by products with reciprocals,
    not divisions, which take six times as long: of numbers this small, the same float32. Slices and ``max`` spare the
    check of each index for being negative.
    """
    out[:] = 0.0
    num_players = int(content.num_players)
    width = CELL_FEATURES + num_players * MAX_BEARS
    observe_cells(content, state, width, out)
    bears_at = int(content.num_cells) * width
    seats_at = bears_at + MAX_BEARS * BEAR_FEATURES
    observe_bears(content, state, seat, out[bears_at:seats_at])
    at = seats_at
    other = seat
    for step in range(num_players):
        them = state.seats[other]
        for bear in range(MAX_BEARS):
            cell = int(them.cell[bear])  # negative for a waiting bear: its 0 goes to a place that only it can mark
            out[max(cell, 0) * width + CELL_FEATURES + step * MAX_BEARS + bear] = cell >= 0
        row = out[at : at + SEAT_FEATURES]
        row[0] = int(them.honey) / content.total_honey
        row[1] = int(them.jelly) / content.total_jelly
        row[2] = int(them.num_hand) / content.deck_size
        row[3] = (content.num_bears - int(them.num_bears)) / content.num_bears
        row[4] = state.seat == other
        at += SEAT_FEATURES
        other = other + 1 if other + 1 < num_players else 0
    observe_cards(content, state, seat, at, out)
    at += int(content.num_card_kinds) * (num_players + 2)
    num_tiles = int(content.hardened) - 1
    unseen = out[at : at + num_tiles]
    for tile in range(unseen.shape[0]):
        unseen[tile] = int(state.unseen_tiles[tile + 1]) * content.tile_share[tile + 1]
    at += num_tiles
    if state.phase != OVER:
        out[at + int(state.phase)] = 1.0
    at += OVER
    out[at] = state.has_played
    out[at + 1] = int(state.discount) / content.max_bears
    out[at + 2] = int(state.left) / 9.0
    if content.num_hardened > 0:
        out[at + 3] = int(state.num_hardened) / content.num_hardened
    out[at + 4] = int(state.num_deck) / content.deck_size
    out[at + 5] = 1.0 if state.turns_left == NOTHING else int(state.turns_left) / num_players
    out[at + 6] = int(state.turn) / content.max_turns


@kernel
def observe_cells(content: Any, state: Any, width: int, out: Any) -> None:
    """Write the features of the stacks."""
    mountain = int(state.mountain)
    bound = int(state.cuts) & ~covered_cells(state)
    for cell in range(int(content.num_cells)):
        row = out[cell * width : (cell + 1) * width]
        kind = max(int(state.top[cell]), NO_TILE)
        buried = max(int(state.buried[cell]), 0)
        row[0] = (mountain >> cell) & 1
        row[1] = content.tile_features[kind, 0]
        row[2] = content.tile_features[kind, 1]
        row[3] = content.tile_features[kind, 2]
        row[7] = (buried + (kind != NO_TILE)) * (1.0 / MAX_HEIGHT)
        row[8] = content.buried_features[cell, buried, 0]
        row[9] = content.buried_features[cell, buried, 1]
        row[10] = (bound >> cell) & (buried == 0)
    for place in range(state.num_covered):  # the upper tiles come later, and are what stays
        at = int(state.covered_cell[place]) * width
        kind = int(state.covered_kind[place])
        for feature in range(3):
            out[at + 4 + feature] = content.tile_features[kind, feature]
        out[at + 7] += np.float32(1.0 / MAX_HEIGHT)  # in float32, compiled or not
    if state.cell != NOTHING:
        out[int(state.cell) * width + 11] = 1.0


@kernel
def observe_bears(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the section of the own bears."""
    me = state.seats[seat]
    moved = int(state.bear) if state.seat == seat else NOTHING
    for bear in range(MAX_BEARS):
        is_there = me.cell[bear] >= 0
        at = bear * BEAR_FEATURES
        out[at] = is_there
        out[at + 1] = is_there & can_move(content, me, bear)
        out[at + 2] = is_there & can_mine(me, bear)
        out[at + 3] = moved == bear


@kernel
def observe_cards(content: Any, state: Any, seat: int, at: int, out: Any) -> None:
    """Write the sections from the own hand to the card in progress."""
    num_players = int(content.num_players)
    num_kinds = int(content.num_card_kinds)
    write_shares(content, state.seats[seat].hand, out[at : at + num_kinds])
    other = seat
    for _ in range(1, num_players):
        other = other + 1 if other + 1 < num_players else 0
        at += num_kinds
        write_shares(content, state.seats[other].shown, out[at : at + num_kinds])
    at += num_kinds
    write_shares(content, state.discard, out[at : at + num_kinds])
    if state.card != NOTHING:
        out[at + num_kinds + int(state.card)] = 1.0


@kernel
def write_shares(content: Any, cards: Any, out: Any) -> None:
    """Write the share of each card's copies that ``cards``, a count by kind, holds."""
    for kind in range(out.shape[0]):
        out[kind] = int(cards[kind]) * content.card_share[kind]
