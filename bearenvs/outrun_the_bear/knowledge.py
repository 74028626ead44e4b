"""What a seat cannot know: others' hands, the unseen deck, and who is asked in a reaction window.

A seat knows what it has seen of other hands: the marks that :mod:`bearenvs.outrun_the_bear.hands` keeps. In a hidden
row another hand lists the cards that the seat knows of, without other seats' marks, and a "maybe" card stands in the
hand it was in before the theft. All other unseen cards are in ``deck``. Who is out has taken unseen cards along: they
count among the unseen ones for good.

In a window no seat learns who else is asked, or was. A hidden row then names the first seat that could be, as far as
all can see, and ``ply`` counts no passes in windows.
"""

from typing import Any

from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.hands import delete_card, find_victim, insert_card
from bearenvs.outrun_the_bear.reactions import answering_kinds, could_react, may_be_asked, seat_in_window
from bearenvs.outrun_the_bear.state import EVERYBODY, HAND, NOTHING, PUBLIC, WINDOW
from bearenvs.rng import draw_weighted, random_below

MAX_DEALS = 400
"""Deals tried before giving up on one in which the seat to be asked could react."""
FREE_DEALS = 40
"""... of these, before a card is put into its hand on purpose."""


@kernel
def hide(content: Any, state: Any, seat: int) -> None:
    """See :func:`bearenvs.game.hide`."""
    if is_others_window(state, seat):
        hide_who_is_asked(content, state, seat)
    state.ply -= state.num_passes
    state.num_passes = 0
    hide_hands(content, state, seat)


@kernel
def is_others_window(state: Any, seat: int) -> bool:
    """Tell whether a reaction is asked for, of another seat."""
    if state.to_act < 0 or state.to_act == seat or state.depth == 0:
        return False
    return bool(state.stack[int(state.depth) - 1].op == WINDOW)


@kernel
def place_in_window(content: Any, state: Any, seat: int) -> int:
    """Return how many seats come before this one in the window on top of the stack."""
    return (seat - int(state.stack[int(state.depth) - 1].seat)) % int(content.num_players)


@kernel
def hide_who_is_asked(content: Any, state: Any, seat: int) -> None:
    """Name the first seat that this one must think possible instead of the one that is asked."""
    frame = state.stack[int(state.depth) - 1]
    own = place_in_window(content, state, seat)
    step = int(frame.total)
    if frame.step > own and could_react(content, state, seat):  # then it has passed
        step = max(step, own + 1)
    while step == own or not may_be_asked(content, state, seat_in_window(content, frame, step)):
        step += 1
    frame.step = step
    state.to_act = seat_in_window(content, frame, step)


@kernel
def hide_hands(content: Any, state: Any, seat: int) -> None:
    """Leave in other hands what the seat knows of, and put the rest into the deck."""
    state.seats[seat].maybe[:] = 0
    for other in range(content.num_players):
        if other != seat:
            keep_known(state, other, 1 << seat)
    for victim in range(content.num_players):
        if state.seats[victim].thief != NOTHING:
            bring_back(state, victim, seat)


@kernel
def keep_known(state: Any, other: int, bit: int) -> None:
    """Leave in a hand's list the cards that the seat with this bit knows of, with its mark, and PUBLIC if it applies.

    Of equal cards, which one bears a mark is no fact: marks are counted, and given out again from the first on.
    """
    them = state.seats[other]
    count = 0
    j = 0
    while j < HAND and them.hand[j] != NOTHING:
        kind = int(them.hand[j])
        num_known, num_public, num_maybe = 0, 0, 0
        while j < HAND and them.hand[j] == kind:
            if int(them.known[j]) & bit != 0:
                num_known += 1
            elif int(them.maybe[j]) & bit != 0:
                num_maybe += 1
            else:
                state.deck[kind] += 1
            num_public += 1 if int(them.known[j]) & PUBLIC != 0 else 0
            j += 1
        for k in range(num_known + num_maybe):
            them.hand[count] = kind
            them.known[count] = 0 if k >= num_known else bit | PUBLIC if k < num_public else bit
            them.maybe[count] = bit if k >= num_known else 0
            count += 1
    for k in range(count, HAND):
        them.hand[k] = NOTHING
        them.known[k] = 0
        them.maybe[k] = 0


@kernel
def list_length(state: Any, seat: int) -> int:
    """Return how many cards a hand's list names."""
    count = 0
    while count < HAND and state.seats[seat].hand[count] != NOTHING:
        count += 1
    return count


@kernel
def bring_back(state: Any, victim: int, seat: int) -> None:
    """List all "maybe" cards of a theft in the victim's hand, after known ones of their kind."""
    them = state.seats[victim]
    thief = int(them.thief)
    for j in range(HAND - 1, -1, -1):
        maybe = int(state.seats[thief].maybe[j])
        if maybe != 0:
            kind = int(state.seats[thief].hand[j])
            delete_card(state, thief, j)
            insert_card(state, victim, list_length(state, victim), kind, 0, maybe)
    shed = int(them.shed[seat])
    is_uncertain = shed != 0
    for j in range(HAND):
        is_uncertain |= them.maybe[j] != 0
    if not is_uncertain:
        them.thief = NOTHING
    them.kept = int(them.kept) & 1 << seat if is_uncertain else 0
    them.lost = int(them.lost) & 1 << seat if is_uncertain else 0
    them.shed[:] = 0
    them.shed[seat] = shed


@kernel
def determinize(content: Any, state: Any, seat: int, rng: Any) -> None:
    """See :func:`bearenvs.game.determinize`."""
    if is_others_window(state, seat):
        deal_in_window(content, state, seat, rng)
    else:
        deal_hands(content, state, seat, rng)


@kernel
def count_unseen(content: Any, state: Any) -> int:
    """Return how many unseen cards are left."""
    count = 0
    for kind in range(content.num_kinds):
        count += int(state.deck[kind])
    return count


@kernel
def deal_hands(content: Any, state: Any, seat: int, rng: Any) -> None:
    """Decide each theft, then fill the other hands from the unseen cards."""
    for victim in range(content.num_players):
        if state.seats[victim].thief != NOTHING:
            decide_theft(content, state, victim, seat, rng)
    num_unseen = count_unseen(content, state)
    for other in range(content.num_players):
        if other != seat:
            for j in range(HAND):
                if int(state.seats[other].known[j]) & PUBLIC != 0:
                    state.seats[other].known[j] = EVERYBODY
            for count in range(list_length(state, other), int(state.seats[other].num_hand)):
                kind = draw_weighted(rng, state.deck, num_unseen)
                num_unseen -= 1
                give_unseen(state, other, kind, count)


@kernel
def give_unseen(state: Any, seat: int, kind: int, place: int) -> None:
    """Enter an unseen card into a hand's list of ``place`` cards."""
    state.deck[kind] -= 1
    insert_card(state, seat, place, kind, 0, 0)


@kernel
def decide_theft(content: Any, state: Any, victim: int, seat: int, rng: Any) -> None:
    """Choose which card was stolen, and give both hands what follows from it.

    Of the choices the first HAND are the victim's listed cards; then comes one that the seat did not know of, and then
    the kinds that the thief has ``shed``.
    """
    them = state.seats[victim]
    thief = int(them.thief)
    shed = int(them.shed[seat])
    num_choices = HAND + 1 + (int(content.num_kinds) if shed != 0 else 0)
    total = 0
    for choice in range(num_choices):
        total += theft_weight(content, state, victim, seat, choice)
    if total == 0:  # what it takes went into the hands of another theft
        return
    rest = random_below(rng, total)
    stolen = 0
    while rest >= theft_weight(content, state, victim, seat, stolen):
        rest -= theft_weight(content, state, victim, seat, stolen)
        stolen += 1
    if stolen < HAND:
        kind, maybe = int(them.hand[stolen]), int(them.maybe[stolen])
        delete_card(state, victim, stolen)
        insert_card(state, thief, list_length(state, thief), kind, 0, maybe)
    for kind in range(num_choices - HAND - 1):
        if shed >> kind & 1 == 1 and kind != stolen - HAND - 1:
            give_unseen(state, victim, kind, list_length(state, victim))


@kernel
def theft_weight(content: Any, state: Any, victim: int, seat: int, choice: int) -> int:
    """Return how likely a choice of :func:`decide_theft` is: any card was as likely to go.

    That the thief has shed another kind of its own is as likely as its unknown cards are many, and those of that kind
    among the unseen ones; weights are multiplied by the number of these.
    """
    them = state.seats[victim]
    shed = int(them.shed[seat])
    num_stolen = 1
    if choice < HAND:
        if them.maybe[choice] == 0 or them.kept != 0 or shed >> int(them.hand[choice]) & 1 == 1:
            return 0
    elif choice == HAND:
        num_stolen = int(them.num_hand) + 1 - list_length(state, victim) if them.lost == 0 else 0
    elif shed >> choice - HAND - 1 & 1 == 0:
        return 0
    chance = 1
    if shed != 0:
        thief = int(them.thief)
        num_own = int(state.seats[thief].num_hand) - list_length(state, thief) + int(choice >= HAND)
        chance = max(1, count_unseen(content, state))
        for kind in range(content.num_kinds):
            if shed >> kind & 1 == 1 and kind != choice - HAND - 1:
                chance = min(chance, num_own * int(state.deck[kind]))
                num_stolen -= int(choice == HAND)
    return max(0, num_stolen) * chance


@kernel
def deal_in_window(content: Any, state: Any, seat: int, rng: Any) -> None:
    """Choose who is asked, and deal that seat a card to react with.

    Each pair of a deal and a seat that is asked in it is as likely as its deal.
    """
    frame = state.stack[int(state.depth) - 1]
    first = int(frame.step)
    end = int(content.num_players)
    own = place_in_window(content, state, seat)
    if first < own and could_react(content, state, seat):  # its turn is still to come
        end = own
    for attempt in range(MAX_DEALS):
        asked = seat
        while asked == seat or not may_be_asked(content, state, asked):
            frame.step = first + random_below(rng, end - first)
            asked = seat_in_window(content, frame, int(frame.step))
        state.to_act = asked
        deal_hands(content, state, seat, rng)
        if could_react(content, state, asked):
            return
        if attempt >= FREE_DEALS and arm(content, state, seat, asked):
            return
        if attempt < MAX_DEALS - 1:
            hide_hands(content, state, seat)


@kernel
def arm(content: Any, state: Any, seat: int, asked: int) -> bool:
    """Exchange a card of a hand that the observer does not know for one from the deck that lets the seat react."""
    me = state.seats[asked]
    victim = find_victim(content, state, asked)
    kept = int(state.seats[victim].shed[seat]) if victim != NOTHING else 0  # may be what follows from a theft
    for j in range(int(me.num_hand)):
        if me.known[j] == 0 and me.maybe[j] == 0 and kept >> int(me.hand[j]) & 1 == 0:
            for kind in range(content.first_reaction, content.first_equipment):
                if state.deck[kind] > 0 and answering_kinds(content, state, asked) >> kind & 1 == 1:
                    state.deck[kind] -= 1
                    state.deck[me.hand[j]] += 1
                    delete_card(state, asked, j)
                    insert_card(state, asked, int(me.num_hand) - 1, kind, 0, 0)
                    return True
    return False
