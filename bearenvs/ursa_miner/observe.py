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
    HONEY,
    MAX_BEARS,
    MAX_HARDENED,
    MAX_LAYERS,
    NO_TILE,
    UrsaMinerContent,
)
from bearenvs.ursa_miner.mining import is_last_tile
from bearenvs.ursa_miner.mountain import BLACK, GRAY
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
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`."""
    out[:] = 0.0
    num_players = content.num_players
    width = CELL_FEATURES + num_players * MAX_BEARS
    num_cells = content.num_cells
    observe_cells(content, state, width, out)
    for step in range(num_players):
        other = seat + step if seat + step < num_players else seat + step - num_players
        them = state.seats[other]
        for bear in range(them.num_bears):
            out[int(them.cell[bear]) * width + CELL_FEATURES + step * MAX_BEARS + bear] = 1.0
        at = num_cells * width + MAX_BEARS * BEAR_FEATURES + step * SEAT_FEATURES
        out[at] = int(them.honey) / content.total_honey
        out[at + 1] = int(them.jelly) / content.total_jelly
        out[at + 2] = int(them.num_hand) / content.deck_size
        out[at + 3] = (content.num_bears - int(them.num_bears)) / content.num_bears
        out[at + 4] = state.seat == other
    me = state.seats[seat]
    at = num_cells * width
    for bear in range(me.num_bears):
        out[at] = 1.0
        out[at + 1] = can_move(content, me, bear)
        out[at + 2] = can_mine(me, bear)
        out[at + 3] = state.seat == seat and state.bear == bear
        at += BEAR_FEATURES
    at = num_cells * width + MAX_BEARS * BEAR_FEATURES + num_players * SEAT_FEATURES
    observe_cards(content, state, seat, at, out)
    at += content.num_card_kinds * (num_players + 2)
    for kind in range(1, content.hardened):
        if state.unseen_tiles[kind] > 0:
            out[at + kind - 1] = int(state.unseen_tiles[kind]) / content.tile_copies[kind]
    at += content.hardened - 1
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
    per_value = 1.0 / content.max_value
    per_bear = 1.0 / content.max_bears
    at = 0
    for cell in range(content.num_cells):
        if (mountain >> cell) & 1:
            out[at] = 1.0
            kind = state.top[cell]
            if kind != NO_TILE:
                out[at + (1 if content.resource[kind] == HONEY else 2)] = content.value[kind] * per_value
                out[at + 3] = content.bears[kind] * per_bear
            buried = int(state.buried[cell])
            out[at + 7] = (buried + (1 if kind != NO_TILE else 0)) / MAX_HEIGHT
            for layer in range(buried):
                if content.layers[cell, layer] == GRAY:
                    out[at + 8] = 1.0
                elif content.layers[cell, layer] == BLACK:
                    out[at + 9] = 1.0
            if (int(state.cuts) >> cell) & 1 and is_last_tile(state, cell):
                out[at + 10] = 1.0
        at += width
    for place in range(state.num_covered):  # the upper tiles come later, and are what stays
        at = int(state.covered_cell[place]) * width
        kind = state.covered_kind[place]
        is_honey = content.resource[kind] == HONEY
        out[at + 4] = content.value[kind] * per_value if is_honey else 0.0
        out[at + 5] = 0.0 if is_honey else content.value[kind] * per_value
        out[at + 6] = content.bears[kind] * per_bear
        out[at + 7] += np.float32(1.0 / MAX_HEIGHT)  # in float32, compiled or not
    if state.cell != NOTHING:
        out[int(state.cell) * width + 11] = 1.0


@kernel
def observe_cards(content: Any, state: Any, seat: int, at: int, out: Any) -> None:
    """Write the sections from the own hand to the card in progress."""
    num_players = content.num_players
    num_kinds = content.num_card_kinds
    me = state.seats[seat]
    for card in range(num_kinds):
        if me.hand[card] > 0:
            out[at + card] = int(me.hand[card]) / content.card_copies[card]
        if state.discard[card] > 0:
            out[at + num_players * num_kinds + card] = int(state.discard[card]) / content.card_copies[card]
    if state.card != NOTHING:
        out[at + (num_players + 1) * num_kinds + int(state.card)] = 1.0
    for step in range(1, num_players):
        them = state.seats[(seat + step) % num_players]
        for card in range(num_kinds):
            if them.shown[card] > 0:
                out[at + step * num_kinds + card] = int(them.shown[card]) / content.card_copies[card]
