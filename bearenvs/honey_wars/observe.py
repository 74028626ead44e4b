"""What a seat of Honey Wars sees, as numbers in [0, 1]. Seats are relative: the observer first, then clockwise."""

from typing import Any

import numpy as np

from bearenvs.honey_wars.content import MAX_HIVES, MAX_PLAYERS, HoneyWarsContent
from bearenvs.honey_wars.state import CHOOSE_DISCARD, DEFEND, HARVEST, SPEND
from bearenvs.kernel import inlined
from bearenvs.tables import Layout, ObservationSection

TURN_SCALARS = 9
SEAT_SCALARS = 5
BLOCK = 16
"""Kinds of cards that are written at once. The entries of two seats follow, which are more."""


def layout(content: HoneyWarsContent, num_players: int) -> Layout:
    """Return the observation's sections for these cards and players."""
    kinds, n = len(content.cards), num_players
    hives, buddies, threats = len(content.hives), len(content.buddies), len(content.threats)
    return Layout(
        [
            ObservationSection(
                "phase",
                (4,),
                "one-hot: Defend, Harvest, Spend or Draw choice of the seat whose turn it is; else 0",
            ),
            ObservationSection("turn_seat", (n,), "one-hot: whose turn it is"),
            ObservationSection("cursor", (MAX_HIVES,), "one-hot in Defend: the hive about to be defended"),
            ObservationSection(
                "turn_flags",
                (5,),
                "has built, no bonuses, no harvest, no build, skip Spend: each 0 or 1, this turn",
            ),
            ObservationSection(
                "supply",
                (4,),
                "pot / cubes; deck / cards; base harvest so far / 10; turns played / max_turns (each at most 1)",
            ),
            ObservationSection("hand", (kinds,), "copies of each card in the own hand / hand size, at most 1"),
            ObservationSection(
                "unseen",
                (kinds,),
                "share of each card's copies unseen: in the deck, or drawn by others since the last reshuffle",
            ),
            ObservationSection(
                "held_over",
                (kinds,),
                "copies in other hands since before the last reshuffle / hand size, at most 1",
            ),
            ObservationSection(
                "seats",
                (n, SEAT_SCALARS),
                "per seat: honey / cubes; honey / winning honey; hives / 3; hand and held over / hand size; at most 1",
            ),
            ObservationSection("hives", (n, MAX_HIVES, hives), "per seat and place: one-hot kind of hive"),
            ObservationSection("threats", (n, MAX_HIVES, threats), "per seat and place: one-hot kind of threat"),
            ObservationSection("buddies", (n, buddies), "per seat: one-hot kind of buddy"),
        ]
    )


@inlined
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`.

    Without branches, which a processor could not foresee. Of numbers this small a quotient in float32 is that of
    float64 rounded, and takes half as long.
    """
    out[:] = 0.0
    num_players = int(content.num_players)
    num_kinds = int(content.num_kinds)
    num_hive_kinds = int(content.num_hive_kinds)
    num_buddy_kinds = int(content.num_buddy_kinds)
    first_threat = num_hive_kinds + num_buddy_kinds
    num_threat_kinds = num_kinds - first_threat
    hand_size = np.float32(content.hand_size)
    cubes = np.float32(content.honey_cubes)
    winning_honey = np.float32(content.winning_honey)
    one = np.float32(1.0)
    phase = int(state.phase)
    at = 4
    turn_seat = int(state.seat) - seat
    out[at + (turn_seat if turn_seat >= 0 else turn_seat + num_players)] = 1.0
    at += num_players
    out[at + max(int(state.cursor), 0)] = phase == DEFEND  # past the last hive it is the next section's
    at += MAX_HIVES
    row = out[at : at + TURN_SCALARS]  # indices into a slice need no check for being negative
    row[0] = state.has_built
    row[1] = state.no_bonus
    row[2] = state.no_harvest
    row[3] = state.no_build
    row[4] = state.skip_spend
    row[5] = np.float32(state.pot) / cubes
    row[6] = np.float32(state.num_deck) / np.float32(content.num_cards)
    row[7] = min(np.float32(content.base_harvest + int(state.num_shuffles)) / np.float32(10.0), one)
    row[8] = min(np.float32(state.turn) / np.float32(content.max_turns), one)
    at += TURN_SCALARS

    observe_cards(content, state, seat, at, out)
    at += 3 * num_kinds
    hives_at = at + num_players * SEAT_SCALARS
    threats_at = hives_at + num_players * MAX_HIVES * num_hive_kinds
    buddies_at = threats_at + num_players * MAX_HIVES * num_threat_kinds
    other = seat
    for _ in range(num_players):
        them = state.seats[other]
        honey = np.float32(them.honey)
        row = out[at : at + SEAT_SCALARS]
        row[0] = honey / cubes
        row[1] = min(honey / winning_honey, one)
        row[2] = np.float32(them.num_hives) / np.float32(MAX_HIVES)
        row[3] = min(np.float32(them.num_hand) / hand_size, one)
        row[4] = min(np.float32(them.num_held) / hand_size, one)
        at += SEAT_SCALARS
        for place in range(MAX_HIVES):
            mark(out, hives_at, int(them.hives[place]))
            mark(out, threats_at, int(them.threats[place]) - first_threat)
            hives_at += num_hive_kinds
            threats_at += num_threat_kinds
        mark(out, buddies_at, int(them.buddy) - num_hive_kinds)
        buddies_at += num_buddy_kinds
        other = other + 1 if other + 1 < num_players else 0
    # Last, since the first entry has been written for all that is not there.
    out[0] = phase == DEFEND
    out[1] = phase == HARVEST
    out[2] = phase == SPEND
    out[3] = phase == CHOOSE_DISCARD


@inlined
def mark(out: Any, at: int, kind: int) -> None:
    """Put the 1 of the one-hot section that starts at ``at``; for a negative ``kind`` into the first entry of all."""
    out[np.uint64(at + kind if kind >= 0 else 0)] = 1.0


@inlined
def observe_cards(content: Any, state: Any, seat: int, at: int, out: Any) -> None:
    """Write the three sections with an entry for each kind of card, from ``at`` on.

    The last two are sums over the truth and over a hidden row alike. All seats' places are summed, filled or empty,
    and the observer's own taken off. Whole blocks are written, each one vector: what is too much is 0 or overwritten
    by the next section.
    """
    num_kinds = int(content.num_kinds)
    num_written = (num_kinds + BLOCK - 1) & -BLOCK
    hand_size = np.float32(content.hand_size)
    one = np.float32(1.0)
    me = state.seats[seat]
    hand = out[at : at + num_written]
    for kind in range(num_written):
        hand[kind] = min(np.float32(me.hand[kind]) / hand_size, one)
    at += num_kinds
    unseen = out[at : at + num_written]
    for kind in range(num_written):
        count = np.float32(state.deck[kind]) - np.float32(me.hand[kind]) + np.float32(me.held[kind])
        for other in range(MAX_PLAYERS):
            count += np.float32(state.seats[other].hand[kind]) - np.float32(state.seats[other].held[kind])
        unseen[kind] = count / content.whole[kind]
    at += num_kinds
    held_over = out[at : at + num_written]
    for kind in range(num_written):
        count = np.float32(state.held_over[kind]) - np.float32(me.held[kind])
        for other in range(MAX_PLAYERS):
            count += np.float32(state.seats[other].held[kind])
        held_over[kind] = min(count / hand_size, one)
