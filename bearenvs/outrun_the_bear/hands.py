"""Cards: where they go, and who knows that.

A hand's cards are told apart for one reason: another seat may know of them. It saw the card drawn from the known part
under the deck, or the card was stolen from it. Such a seat's bit is in ``known``. When a card of that kind leaves the
hand in sight, each seat knows of one less.

A theft is seen by two. For every other seat, the cards that it knew in the victim's hand are there still, but for one
of them that may be with the thief: their bits move to ``maybe``. What then happens in sight tells such a seat more:

- The thief sheds a "maybe" kind: the stolen card, or one of its own. From "maybe" this kind goes to those ``shed``.
- Of the thief's cards it knows all: the victim has ``kept`` its "maybe" cards.
- The victim has too few cards to have all of them: it has ``lost`` one.

So to such a seat, the victim has all "maybe" and ``shed`` kinds but at most one, and if that is a "maybe" card, the
thief has it. That is kept for the last theft that touched a hand; what an earlier one left uncertain is then forgotten
(R). And when the victim sheds a "maybe" kind, of which it may have got another card, that one was ``lost`` is forgotten
if its hand does not show it still (R).
"""

from typing import Any

import numpy as np

from bearenvs.kernel import inlined, kernel
from bearenvs.outrun_the_bear.board import ability
from bearenvs.outrun_the_bear.content import ALL_KINDS, HAND_BONUS, MAX_KINDS
from bearenvs.outrun_the_bear.state import EVERYBODY, HAND, NOTHING, RING
from bearenvs.rng import random_below

# Eight bytes in a word.
ONES = 0x0101010101010101
SEVEN_BYTES = 2**56 - 1
SEVEN_ONES = ONES & SEVEN_BYTES
SEVEN_TOPS = 0x80808080808080

# ---------------------------------------------------------------------------------------------------------------
# The known line: under the deck, then the discard pile


@inlined
def discard(state: Any, kind: int) -> None:
    """Put a card on top of the discard pile."""
    end = int(state.first) + int(state.num_under) + int(state.num_pile)
    state.line[end % RING] = kind
    state.num_pile += 1
    state.pile[kind] += 1


@inlined
def pile_card(state: Any, place: int) -> int:
    """Return the card at a place of the discard pile, counted from the oldest."""
    return int(state.line[(int(state.first) + int(state.num_under) + place) % RING])


@kernel
def take_from_under(state: Any) -> int:
    """Take the next card of the known part under the deck."""
    first = int(state.first)
    kind = int(state.line[first])
    state.line[first] = 0
    state.first = (first + 1) % RING
    state.num_under -= 1
    state.under[kind] -= 1
    return kind


@kernel
def put_pile_under(state: Any) -> None:
    """Put all discards under the deck, oldest first: they lie there in the ring already."""
    state.num_under += state.num_pile
    state.num_pile = 0
    for kind in range(MAX_KINDS):
        state.under[kind] += state.pile[kind]
        state.pile[kind] = 0


@inlined
def draw_unseen(state: Any, rng: Any) -> int:
    """Return the kind of a random card of the unseen part: ``draw_weighted`` of the deck, eight kinds at a time.

    A product with ONES makes of eight bytes, none of them negative, their sums from the first one on.
    """
    words = state.deck.view(np.int64)
    rest = random_below(rng, int(state.num_deck))
    first = int(words[0]) * ONES >> 56 & 127
    second = first + (int(words[1]) * ONES >> 56 & 127)
    third = second + (int(words[2]) * ONES >> 56 & 127)
    word = (rest >= first) + (rest >= second) + (rest >= third)
    rest -= 0 if rest < first else first if rest < second else second if rest < third else third
    sums = int(words[word]) * ONES & SEVEN_BYTES
    passed = (rest * SEVEN_ONES | SEVEN_TOPS) - sums & SEVEN_TOPS  # the top bit of each byte whose sum is <= rest
    return 8 * int(word) + ((passed >> 7) * SEVEN_ONES >> 48 & 127)


@inlined
def take_from_deck(state: Any, kind: int) -> None:
    """Take a card out of the unseen part of the deck."""
    state.deck[kind] -= 1
    state.num_deck -= 1


# ---------------------------------------------------------------------------------------------------------------
# Hands


@inlined
def any_marks(me: Any) -> int:
    """Return something other than 0 if any card of a hand is marked. Eight marks are looked at at a time."""
    marks = int(me.known[:8].view(np.int64)[0]) | int(me.known[HAND - 8 :].view(np.int64)[0])
    marks |= int(me.maybe[:8].view(np.int64)[0]) | int(me.maybe[HAND - 8 :].view(np.int64)[0])
    return marks


@inlined
def hand_kinds(state: Any, seat: int) -> int:
    """Return the kinds in a hand as a bit mask."""
    me = state.seats[seat]
    kinds = 0
    for j in range(HAND):
        kinds |= 1 << (int(me.hand[j]) & 63)
    return kinds & ALL_KINDS  # without the bit of NOTHING


@kernel
def find_card(state: Any, seat: int, kind: int) -> int:
    """Return the place of a card of this kind in a hand that has one: it comes after all lower kinds."""
    me = state.seats[seat]
    place = 0
    for j in range(HAND):
        place += (me.hand[j] < kind) & (me.hand[j] != NOTHING)
    return place


@kernel
def insert_card(state: Any, seat: int, place: int, kind: int, known: int, maybe: int) -> None:
    """Enter a card with its marks into a hand's list of ``place`` cards, sorted; the number is the caller's."""
    me = state.seats[seat]
    has_marks = any_marks(me) != 0
    j = place
    while j > 0 and me.hand[j - 1] > kind:
        me.hand[j] = me.hand[j - 1]
        j -= 1
    me.hand[j] = kind
    if has_marks:
        for k in range(place, j, -1):
            me.known[k] = me.known[k - 1]
            me.maybe[k] = me.maybe[k - 1]
    me.known[j] = known
    me.maybe[j] = maybe


@kernel
def order_marks(state: Any, seat: int) -> None:
    """Order the marks of equal cards, the most known first: which of them bears a mark is no fact.

    So hands about which the same is known are equal, and of equal cards it is the most known that goes.
    """
    me = state.seats[seat]
    if any_marks(me) == 0:
        return
    for end in range(1, int(me.num_hand)):
        j = end
        while j > 0 and me.hand[j - 1] == me.hand[j] and is_less_known(me, j - 1, j):
            known, maybe = int(me.known[j]), int(me.maybe[j])
            me.known[j], me.maybe[j] = me.known[j - 1], me.maybe[j - 1]
            me.known[j - 1], me.maybe[j - 1] = known, maybe
            j -= 1


@kernel
def is_less_known(me: Any, place: int, other: int) -> bool:
    """Tell whether the card at a place of a hand bears smaller marks than the one at another place."""
    if me.known[place] != me.known[other]:
        return bool(me.known[place] < me.known[other])
    return bool(me.maybe[place] < me.maybe[other])


@kernel
def delete_card(state: Any, seat: int, place: int) -> None:
    """Strike a card from a hand's list; the number is the caller's."""
    me = state.seats[seat]
    for j in range(HAND - 1):  # of a number known in advance
        me.hand[j] = me.hand[j + (j >= place)]
    me.hand[HAND - 1] = NOTHING
    if any_marks(me) != 0:
        for j in range(place, HAND - 1):
            me.known[j] = me.known[j + 1]
            me.maybe[j] = me.maybe[j + 1]
        me.known[HAND - 1] = 0
        me.maybe[HAND - 1] = 0


@kernel
def gain_card(state: Any, seat: int, kind: int, known: int, maybe: int) -> None:
    """Add a card to a hand that is not full."""
    me = state.seats[seat]
    insert_card(state, seat, int(me.num_hand), kind, known, maybe)
    me.num_hand += 1
    order_marks(state, seat)


@inlined
def is_full(content: Any, state: Any, seat: int) -> bool:
    """Tell whether a hand is at its limit (OB-T3)."""
    limit = int(content.hand_limit) + ability(content, state, seat, HAND_BONUS)
    return int(state.seats[seat].num_hand) >= limit


@kernel
def draw_card(content: Any, state: Any, seat: int, kind: int, known: int) -> None:
    """Give a seat a card, which those in ``known`` see; at the hand limit it is discarded instead (OB-T3)."""
    if is_full(content, state, seat):
        discard(state, kind)
    else:
        gain_card(state, seat, kind, known, 0)


@kernel
def find_victim(content: Any, state: Any, seat: int) -> int:
    """Return the victim of the theft that left something uncertain about a seat's hand, or NOTHING."""
    if state.seats[seat].thief != NOTHING:
        return seat
    for other in range(content.num_players):
        if state.seats[other].thief == seat:
            return other
    return NOTHING


@kernel
def lose_card(content: Any, state: Any, seat: int, kind: int, seen_by: int) -> int:
    """Take a card out of a hand, in sight of ``seen_by``, each of whom then knows of one less there.

    Returns the "maybe" bits that go with the card: those of seats that did not see it go.
    """
    me = state.seats[seat]
    place = find_card(state, seat, kind)
    counting = seen_by & ~int(me.known[place])  # who still has to take one off
    maybe = int(me.maybe[place])
    delete_card(state, seat, place)
    me.num_hand -= 1
    for j in range(int(me.num_hand) if any_marks(me) != 0 else 0):
        if me.hand[j] == kind:
            surer = int(me.known[j]) & counting
            me.known[j] = int(me.known[j]) & ~surer
            me.maybe[j] = int(me.maybe[j]) | (surer & maybe)
            counting &= ~surer
            maybe &= ~surer
    victim = find_victim(content, state, seat)
    if counting != 0 and victim != NOTHING:
        recount_theft(content, state, victim, seat, kind, counting, counting & maybe)
        draw_conclusions(state, victim)
    order_marks(state, seat)
    return maybe & ~seen_by


@kernel
def recount_theft(content: Any, state: Any, victim: int, loser: int, kind: int, seen_by: int, found: int) -> None:
    """Let the seats in ``seen_by`` make of a theft what a card tells them that one of its two hands has lost.

    None of them has known of this card; those in ``found`` have taken it off as a "maybe" of theirs.
    """
    them = state.seats[victim]
    thief = int(them.thief)
    looking = seen_by & ~found
    if (
        loser == thief
    ):  # that can have been a card of its own to who has reckoned with it, or knows what the victim kept
        looking &= ~int(them.kept)
        for observer in range(content.num_players):
            looking &= ~((int(them.shed[observer]) >> kind & 1) << observer)
    left = count_off_maybe(state, loser, kind, looking)
    left = count_off_maybe(state, thief if loser == victim else victim, kind, left)
    found |= looking & ~left
    them.lost = int(them.lost) & ~found
    for observer in range(content.num_players):
        if loser == thief:
            them.shed[observer] = int(them.shed[observer]) | (found >> observer & 1) << kind
        else:
            them.shed[observer] = int(them.shed[observer]) & ~(((seen_by & ~found) >> observer & 1) << kind)
    order_marks(state, victim)
    order_marks(state, thief)


@kernel
def draw_conclusions(state: Any, victim: int) -> None:
    """Let each seat make of a theft what the sizes of the two hands tell it."""
    them = state.seats[victim]
    thief = state.seats[int(them.thief)]
    lists_all, knows_all, misses = EVERYBODY, EVERYBODY, 0
    for j in range(int(them.num_hand)):
        lists_all &= int(them.known[j]) | int(them.maybe[j])
    for j in range(int(thief.num_hand)):
        knows_all &= int(thief.known[j])
        misses |= int(thief.maybe[j])
    them.kept = int(them.kept) | knows_all
    them.lost = int(them.lost) | (lists_all & misses)


@kernel
def count_off_maybe(state: Any, seat: int, kind: int, counting: int) -> int:
    """Take one "maybe" of this kind in a hand off for each seat in ``counting``; return who found none."""
    me = state.seats[seat]
    for j in range(int(me.num_hand)):
        if me.hand[j] == kind:
            found = int(me.maybe[j]) & counting
            me.maybe[j] = int(me.maybe[j]) & ~found
            counting &= ~found
    return counting


@kernel
def discard_from_hand(content: Any, state: Any, seat: int, kind: int) -> None:
    """Move a card from a hand to the discard pile, in sight of all."""
    lose_card(content, state, seat, kind, EVERYBODY)
    discard(state, kind)


@kernel
def forget_theft(content: Any, state: Any, seat: int) -> None:
    """Drop what a theft has left uncertain about a seat's hand."""
    victim = find_victim(content, state, seat)
    if victim != NOTHING:
        them = state.seats[victim]
        thief = int(them.thief)
        them.maybe[:] = 0
        state.seats[thief].maybe[:] = 0
        order_marks(state, victim)
        order_marks(state, thief)
        them.thief = NOTHING
        them.kept = 0
        them.lost = 0
        them.shed[:] = 0


@kernel
def steal_card(content: Any, state: Any, thief: int, victim: int, kind: int) -> None:
    """Move a card from the victim's hand to the thief's, in sight of these two; to the pile if that hand is full."""
    if is_full(content, state, thief):
        discard_from_hand(content, state, victim, kind)
        return
    them = state.seats[victim]
    others = EVERYBODY & ~(1 << thief | 1 << victim)
    is_uncertain = 0
    forget_theft(content, state, victim)
    forget_theft(content, state, thief)
    for j in range(int(them.num_hand)):
        is_uncertain |= int(them.known[j]) & others
    if is_uncertain != 0:
        for j in range(int(them.num_hand)):
            them.maybe[j] = int(them.known[j]) & others
            them.known[j] = int(them.known[j]) & ~others
        order_marks(state, victim)
    maybe = lose_card(content, state, victim, kind, 1 << thief)
    gain_card(state, thief, kind, 1 << victim, maybe)
    if is_uncertain != 0:
        them.thief = thief
        draw_conclusions(state, victim)
