"""Ursa Miner's notation in plain words."""

from bearenvs.ursa_miner.content import Tile, UrsaMinerContent
from bearenvs.words import Words, counted


def words(content: UrsaMinerContent) -> Words:
    """Return the words, with the cards' names."""
    return Words(
        actions={
            "place": "start on {0}",
            "move": "move {0} to {1}",
            "mine": "mine {0}",
            "play": "play {0}",
            "end": "take no more actions",
            "with": "let {0} help to mine",
            "stop": "stop here",
            "pick": "choose {0}",
            "bear": "choose {0}",
            "from": "steal from {0}",
            "hire": "hire a bear on the stack of {0}",
            "skip": "hire nobody",
            "rally": "send {0} to {1}",
            "shove": "push {0} to {1}",
        },
        outcomes={"tile": "{0} is turned over", "draw": "{who} draw{s} {0}"},
        names={card.id: card.name for card in content.cards} | {tile.face: _face(tile) for tile in content.tiles},
        patterns={
            r"b(\d)": r"bear \1",
            r"p(\d)\.b(\d)": r"bear \2 of p\1",
        },
        unseen="{who} draw{s} a card that you do not see",
    )


def _face(tile: Tile) -> str:
    pay = "royal jelly" if tile.resource == "jelly" else tile.resource
    return f"a tile of {tile.value} {pay} for {counted(tile.bears, 'bear')}"
