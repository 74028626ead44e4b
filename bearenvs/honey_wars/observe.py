"""What a seat of Honey Wars sees, as numbers in [0, 1]. Seats are relative: the observer first, then clockwise."""

from typing import Any

import numpy as np

from bearenvs.honey_wars.content import MAX_HIVES, MAX_PLAYERS, HoneyWarsContent
from bearenvs.honey_wars.state import CHOOSE_DISCARD, DEFEND, HARVEST, SPEND
from bearenvs.kernel import inlined
from bearenvs.pasting import at_most, paste_bits, paste_shares, row_of
from bearenvs.tables import Layout, ObservationSection

NUM_PHASES, NUM_FLAGS, SUPPLY_SCALARS = 4, 5, 4
FIRST_BITS = NUM_PHASES + MAX_PLAYERS + MAX_HIVES + NUM_FLAGS
ATTACKER_BITS = MAX_PLAYERS * MAX_HIVES * MAX_PLAYERS
"""Entries that are 0 or 1, of the first sections and of ``attackers``, with the most players: so many are written."""
SEAT_SCALARS = 5


def layout(content: HoneyWarsContent, num_players: int) -> Layout:
    """Return the observation's sections for these cards and players."""
    kinds, n = len(content.cards), num_players
    hives, buddies, threats = len(content.hives), len(content.buddies), len(content.threats)
    return Layout(
        [
            ObservationSection(
                "phase",
                (NUM_PHASES,),
                "one-hot: Defend, Harvest, Spend or Draw choice of the seat whose turn it is; else 0",
            ),
            ObservationSection("turn_seat", (n,), "one-hot: whose turn it is"),
            ObservationSection("cursor", (MAX_HIVES,), "one-hot in Defend: the hive about to be defended"),
            ObservationSection(
                "turn_flags",
                (NUM_FLAGS,),
                "has built, no bonuses, no harvest, no build, skip Spend: each 0 or 1, this turn",
            ),
            ObservationSection(
                "supply",
                (SUPPLY_SCALARS,),
                "pot / cubes; deck / cards; base harvest so far / 10; turns played / max_turns (each at most 1)",
            ),
            ObservationSection(
                "attackers",
                (n, MAX_HIVES, n if n > 2 else 0),
                "per seat and place: one-hot seat that played the threat; none with two players, where it is the other",
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
    num_players = int(content.num_players)
    num_hive_kinds = int(content.num_hive_kinds)
    num_buddy_kinds = int(content.num_buddy_kinds)
    first_threat = num_hive_kinds + num_buddy_kinds
    num_threat_kinds = int(content.num_kinds) - first_threat
    hand_size = np.float32(content.hand_size)
    cubes = np.float32(content.honey_cubes)
    winning_honey = np.float32(content.winning_honey)
    one = np.float32(1.0)
    hives_at, threats_at, buddies_at = int(content.at_hives), int(content.at_threats), int(content.at_buddies)
    marks = out[hives_at:]
    marks[:] = 0.0
    if num_players > 2:
        observe_attackers(content, state, seat, out)
    observe_cards(content, state, seat, out)
    at = int(content.at_seats)
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
    observe_turn(content, state, seat, out)  # last, since the first entry has been written for all that is not there


@inlined
def observe_turn(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the sections up to ``supply``."""
    num_players = int(content.num_players)
    phase = int(state.phase)
    turn_seat = int(state.seat) - seat
    place = NUM_PHASES + (turn_seat if turn_seat >= 0 else turn_seat + num_players)
    bits = int(phase == DEFEND) | int(phase == HARVEST) << 1 | int(phase == SPEND) << 2
    bits |= int(phase == CHOOSE_DISCARD) << 3 | 1 << place
    place = NUM_PHASES + num_players
    bits |= int(phase == DEFEND) << place + max(int(state.cursor), 0)
    place += MAX_HIVES
    bits &= (1 << place) - 1  # the cursor may be past the last hive
    bits |= (int(state.has_built) | int(state.no_bonus) << 1 | int(state.no_harvest) << 2) << place
    bits |= (int(state.no_build) << 3 | int(state.skip_spend) << 4) << place
    paste_bits(out, 0, bits, FIRST_BITS)
    at = int(content.at_supply)
    row = out[at : at + SUPPLY_SCALARS]  # indices into a slice need no check for being negative
    one = np.float32(1.0)
    row[0] = np.float32(state.pot) / np.float32(content.honey_cubes)
    row[1] = np.float32(state.num_deck) / np.float32(content.num_cards)
    row[2] = min(np.float32(content.base_harvest + int(state.num_shuffles)) / np.float32(10.0), one)
    row[3] = min(np.float32(state.turn) / np.float32(content.max_turns), one)


@inlined
def mark(out: Any, at: int, kind: int) -> None:
    """Put the 1 of the one-hot section that starts at ``at``; for a negative ``kind`` into the first entry of all."""
    out[np.uint64((at + kind) & ~(kind >> 63))] = 1.0


@inlined
def observe_attackers(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the section ``attackers``, and beyond it, where ``hand`` and the next ones come yet."""
    num_players = int(content.num_players)
    bits, place, other = 0, 0, seat
    for _ in range(num_players):
        them = state.seats[other]
        for hive in range(MAX_HIVES):
            attacker = int(them.attackers[hive]) - seat  # of no threat, -1 - seat: a place too, where nothing is put
            attacker += num_players if attacker < 0 else 0
            bits |= int(them.threats[hive] >= 0) << place + attacker
            place += num_players
        other = other + 1 if other + 1 < num_players else 0
    paste_bits(out, int(content.at_attackers), bits, ATTACKER_BITS)


@inlined
def observe_cards(content: Any, state: Any, seat: int, out: Any) -> None:
    """Write the three sections with an entry for each kind of card.

    The last two are sums over the truth and over a hidden row alike. All seats' places are summed, filled or empty,
    and the observer's own taken off. Whole rows are written: what is too much, the next section replaces.
    """
    num_kinds = int(content.num_kinds)
    at = int(content.at_hand)
    me = state.seats[seat]
    own, own_held = row_of(me.hand), row_of(me.held)
    hands, held = row_of(state.seats[0].hand), row_of(state.seats[0].held)
    for other in range(1, MAX_PLAYERS):
        hands = hands + row_of(state.seats[other].hand)
        held = held + row_of(state.seats[other].held)
    others_held = held - own_held
    limit = int(content.hand_size)
    paste_shares(out, at, at_most(own, limit), content.hand_wholes)
    paste_shares(out, at + num_kinds, row_of(state.deck) + hands - own - others_held, content.whole)
    paste_shares(out, at + 2 * num_kinds, at_most(row_of(state.held_over) + others_held, limit), content.hand_wholes)
