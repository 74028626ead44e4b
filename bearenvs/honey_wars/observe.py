"""What a seat of Honey Wars sees, as numbers in [0, 1]. Seats are relative: the observer first, then clockwise."""

from typing import Any

from bearenvs.honey_wars.content import MAX_HIVES, MAX_PLAYERS, HoneyWarsContent
from bearenvs.honey_wars.state import CHOOSE_DISCARD, DEFEND, HARVEST, SPEND
from bearenvs.kernel import kernel
from bearenvs.tables import Layout, ObservationSection

SEAT_SCALARS = 5


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


@kernel
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """See :func:`bearenvs.game.observe`; the sections are those of :func:`layout`."""
    out[:] = 0.0
    num_players = int(content.num_players)
    num_kinds = int(content.num_kinds)
    num_hive_kinds = int(content.num_hive_kinds)
    num_buddy_kinds = int(content.num_buddy_kinds)
    first_threat = num_hive_kinds + num_buddy_kinds
    num_threat_kinds = num_kinds - first_threat
    # Products with reciprocals, not divisions, which take six times as long: of numbers this small, the same float32.
    per_card = 1.0 / content.hand_size
    per_cube = 1.0 / content.honey_cubes
    per_win = 1.0 / content.winning_honey

    if state.phase == DEFEND:
        out[0] = 1.0
    elif state.phase == HARVEST:
        out[1] = 1.0
    elif state.phase == SPEND:
        out[2] = 1.0
    elif state.phase == CHOOSE_DISCARD:
        out[3] = 1.0
    at = 4
    turn_seat = int(state.seat) - seat
    out[at + (turn_seat if turn_seat >= 0 else turn_seat + num_players)] = 1.0
    at += num_players
    if state.phase == DEFEND:
        out[at + int(state.cursor)] = 1.0
    at += MAX_HIVES
    out[at] = state.has_built
    out[at + 1] = state.no_bonus
    out[at + 2] = state.no_harvest
    out[at + 3] = state.no_build
    out[at + 4] = state.skip_spend
    at += 5
    out[at] = int(state.pot) * per_cube
    out[at + 1] = int(state.num_deck) / content.num_cards
    out[at + 2] = min((content.base_harvest + int(state.num_shuffles)) / 10.0, 1.0)
    out[at + 3] = min(int(state.turn) / content.max_turns, 1.0)
    at += 4

    hand_at, unseen_at, held_at, seats_at = at, at + num_kinds, at + 2 * num_kinds, at + 3 * num_kinds
    observe_cards(content, state, seat, out[hand_at:unseen_at], out[unseen_at:held_at], out[held_at:seats_at])
    at = seats_at

    hives_at = at + num_players * SEAT_SCALARS
    threats_at = hives_at + num_players * MAX_HIVES * num_hive_kinds
    buddies_at = threats_at + num_players * MAX_HIVES * num_threat_kinds
    other = seat
    for _ in range(num_players):
        them = state.seats[other]
        honey = int(them.honey)
        out[at] = honey * per_cube
        out[at + 1] = min(honey * per_win, 1.0)
        out[at + 2] = int(them.num_hives) * (1.0 / 3.0)
        out[at + 3] = min(int(them.num_hand) * per_card, 1.0)
        out[at + 4] = min(int(them.num_held) * per_card, 1.0)
        at += SEAT_SCALARS
        for place in range(MAX_HIVES):
            mark(out, hives_at, int(them.hives[place]))
            mark(out, threats_at, int(them.threats[place]) - first_threat)
            hives_at += num_hive_kinds
            threats_at += num_threat_kinds
        mark(out, buddies_at, int(them.buddy) - num_hive_kinds)
        buddies_at += num_buddy_kinds
        other = other + 1 if other + 1 < num_players else 0


@kernel
def mark(out: Any, at: int, kind: int) -> None:
    """Put the 1 of the one-hot section that starts at ``at``; none for a negative ``kind``.

    Without a branch, which a processor could not foresee: no 1 is the first entry of all, written as it is.
    """
    first = out[0]
    is_there = kind >= 0
    out[at + kind if is_there else 0] = 1.0 if is_there else first


@kernel
def observe_cards(content: Any, state: Any, seat: int, hand: Any, unseen: Any, held_over: Any) -> None:
    """Fill the three sections with an entry for each kind of card.

    The last two are sums over the truth and over a hidden row alike. All seats' places are summed, filled or empty,
    and the observer's own taken off: loops without branches become vector instructions.
    """
    per_card = 1.0 / content.hand_size
    me = state.seats[seat]
    for kind in range(hand.shape[0]):
        mine, mine_held = int(me.hand[kind]), int(me.held[kind])
        in_hands, held = -mine, -mine_held
        for other in range(MAX_PLAYERS):
            in_hands += int(state.seats[other].hand[kind])
            held += int(state.seats[other].held[kind])
        hand[kind] = min(mine * per_card, 1.0)
        unseen[kind] = (int(state.deck[kind]) + in_hands - held) * content.share[kind]
        held_over[kind] = min((int(state.held_over[kind]) + held) * per_card, 1.0)
