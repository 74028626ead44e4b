"""Outrun the Bear's notation in plain words."""

from bearenvs.outrun_the_bear.content import OutrunTheBearContent
from bearenvs.words import Words


def words(content: OutrunTheBearContent) -> Words:
    """Return the words, with the names of cards and runners."""
    cards = dict(zip(content.card_ids, (card.name for card in content.cards), strict=True))
    return Words(
        actions={
            "pass": "do nothing",
            "crawl": "crawl",
            "sprint": "sprint",
            "stop": "stop here",
            "play": "play {0}",
            "react": "react with {0}",
            "equip": "put on {0}",
            "swap": "swap {0} for a new card",
            "discard": "discard {0}",
            "target": "aim at {0}",
            "step": "step to {0}",
            "runner": "run as {0}",
        },
        outcomes={
            "trail": "trail tile {0} is laid",
            "gear": "{who} get{s} {0}",
            "draw": "{who} draw{s} {0}",
            "steal": "{who} steal{s} {0}",
            "reveal": "{0} is turned over for the Bear",
        },
        names={
            **cards,
            **dict(zip(content.runner_ids, (runner.name for runner in content.runners), strict=True)),
            "camp": "the camp",
            "lot": "the parking lot",
        },
        patterns={r"c(\d+)r(\d)": r"column \1, row \2", r"(\d)\.([ab])": r"\1, side \2,"},
        unseen="{who} take{s} a card that you do not see",
    )
