"""What a seat cannot know in Honey Wars: the deck's order, and which unseen cards are in which other hand.

At a reshuffle the new deck becomes known as a multiset, and with it the other hands together. So unseen cards form
two pools: ``held_over`` (in other hands since before the last reshuffle) and ``deck`` (shuffled last: the deck and
what the others drew from it). How many cards of each pool a hand holds is kept: exact for two players, an accepted
approximation for more, since which cards left a hand is public and where they came from is not.
"""

from typing import Any

from bearenvs.kernel import kernel
from bearenvs.rng import draw_weighted


@kernel
def hide(content: Any, state: Any, seat: int) -> None:
    """See :func:`bearenvs.game.hide`: the others' hands go into the two pools; their sizes stay."""
    for other in range(content.num_players):
        if other == seat:
            continue
        them = state.seats[other]
        for kind in range(content.num_kinds):
            state.held_over[kind] += int(them.held[kind])
            state.deck[kind] += int(them.hand[kind]) - int(them.held[kind])
            them.hand[kind] = 0
            them.held[kind] = 0


@kernel
def determinize(content: Any, state: Any, seat: int, rng: Any) -> None:
    """See :func:`bearenvs.game.determinize`: deal each other hand from the pools again."""
    num_held_over = 0
    num_unseen = int(state.num_deck)
    for other in range(content.num_players):
        if other != seat:
            num_held_over += int(state.seats[other].num_held)
            num_unseen += int(state.seats[other].num_hand) - int(state.seats[other].num_held)
    for other in range(content.num_players):
        if other == seat:
            continue
        them = state.seats[other]
        for _ in range(them.num_held):
            kind = draw_weighted(rng, state.held_over, num_held_over)
            state.held_over[kind] -= 1
            them.held[kind] += 1
            them.hand[kind] += 1
            num_held_over -= 1
        for _ in range(int(them.num_hand) - int(them.num_held)):
            kind = draw_weighted(rng, state.deck, num_unseen)
            state.deck[kind] -= 1
            them.hand[kind] += 1
            num_unseen -= 1
