"""Honey Wars' notation in plain words."""

from bearenvs.honey_wars.content import HoneyWarsContent
from bearenvs.words import Words


def words(content: HoneyWarsContent) -> Words:
    """Return the words, with the cards' names."""
    return Words(
        actions={
            "roll": "roll the die",
            "use": "use the Buddy",
            "pass": "keep the Buddy for later",
            "end": "spend no more",
            "keep": "keep all cards",
            "discard_hand": "pay to discard the whole hand",
            "build": "build {0}",
            "hire": "hire {0}",
            "discard": "discard {0}",
            "attack": "put {0} on {1}",
        },
        outcomes={"draw": "{who} draw{s} {0}", "lose": "{who} lose{s} {0}", "die": "{who} roll{s} {0}"},
        names=dict(zip(content.card_ids, (card.name for card in content.cards), strict=True)),
        patterns={r"p(\d)\.(\d)": r"hive \2 of p\1"},
        unseen="{who} draw{s} a card that you do not see",
    )
