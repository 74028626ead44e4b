"""What a seat cannot know in Ursa Miner: which unseen bonus cards are in which other hand.

Faces of unseen tiles need no hiding, since no state holds them: they are drawn when they are seen.
"""

from typing import Any

from bearenvs.kernel import kernel
from bearenvs.rng import draw_weighted


@kernel
def hide(content: Any, state: Any, seat: int) -> None:
    """See :func:`bearenvs.game.hide`: the others' hands keep the cards that were shown; the rest goes to the unseen."""
    for other in range(content.num_players):
        if other != seat:
            them = state.seats[other]
            for card in range(content.num_card_kinds):
                state.unseen_cards[card] += int(them.hand[card]) - int(them.shown[card])
                them.hand[card] = them.shown[card]


@kernel
def determinize(content: Any, state: Any, seat: int, rng: Any) -> None:
    """See :func:`bearenvs.game.determinize`: fill each other hand up from the unseen cards."""
    num_unseen = 0
    for card in range(content.num_card_kinds):
        num_unseen += int(state.unseen_cards[card])
    for other in range(content.num_players):
        if other != seat:
            them = state.seats[other]
            missing = int(them.num_hand)
            for card in range(content.num_card_kinds):
                missing -= int(them.hand[card])
            for _ in range(missing):
                card = draw_weighted(rng, state.unseen_cards, num_unseen)
                state.unseen_cards[card] -= 1
                them.hand[card] += 1
                num_unseen -= 1
