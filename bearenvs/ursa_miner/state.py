"""The state of a game of Ursa Miner: one packed record.

No face of an unseen tile is in it: a stack holds, from the bottom, ``buried`` tiles that nobody has seen (their colors
are the content's), tiles that were seen and covered again (in ``covered_*``), and its ``top``.
"""

from bearenvs.game import header_fields, record_dtype
from bearenvs.ursa_miner.content import (
    MAX_BEARS,
    MAX_CARD_KINDS,
    MAX_CELLS,
    MAX_HARDENED,
    MAX_PLAYERS,
    MAX_TILE_KINDS,
)

# Phases: what the game is waiting for. EFFECT asks for the choices of the card in progress; its effect, and whether
# ``bear`` or ``cell`` is set already, say which. CREW asks which bears mine.
TILES, CARDS, PLACE, ACTIONS, CREW, REVEAL, EFFECT, HIRE, DRAW, OVER = range(10)

NOTHING = -1
"""No card, bear or cell in progress; a bear that is not on the mountain; ``turns_left`` before the last round."""

NEEDED_DIGITS = 4
"""Of a mining number, which is 9 at most, and of how many bears there are for it, with all discounts."""

SEAT = record_dtype(
    [
        ("honey", "i2"),
        ("jelly", "i2"),
        ("num_bears", "i1"),  # on the mountain; b0 to b(num_bears - 1)
        ("cell", "i1", (MAX_BEARS,)),  # where each bear stands
        ("moves", "i1", (MAX_BEARS,)),  # move actions this turn; a bear hired this turn counts as having made two
        ("mined", "i1", (MAX_BEARS,)),  # 1 for a bear that has mined this turn
        ("num_hand", "i1"),
        ("hand", "i1", (MAX_CARD_KINDS,)),
        ("shown", "i1", (MAX_CARD_KINDS,)),  # the part of the hand that everyone has seen: cards that returned to it
    ]
)

STATE = record_dtype(
    [
        *header_fields(MAX_PLAYERS),
        ("phase", "i1"),
        ("seat", "i1"),  # whose turn it is; in set-up, who is dealt to or places bears
        ("turns_left", "i1"),  # of the last round (UM-E1), or NOTHING before it
        ("has_played", "i1"),  # a card this turn
        ("discount", "i1"),  # bears fewer that the next mining needs
        # What is in progress. One such frame is enough: no effect and no mining starts another.
        ("card", "i1"),
        ("bear", "i1"),  # the bear that own_move moves
        ("cell", "i1"),  # the cell being mined or revealed; the first one to swap
        ("left", "i1"),  # bears still to choose, or spaces still to move
        # The mountain.
        ("mountain", "i8"),  # bit mask of the cells that have a tile
        ("cuts", "i8"),  # bit mask of the cells without which the mountain would fall apart (UM-A4)
        # What follows from the stacks, and is asked for at every decision: see :func:`mining.renew_stack`.
        ("needed", "i8", (NEEDED_DIGITS,)),  # bit masks of cells: each digit in base 2 of their tops' mining numbers
        ("bare", "i8"),  # bit mask of the cells where nothing is buried
        ("bound", "i8"),  # bit mask of the cells whose top cannot be taken: it is the last tile, and one of ``cuts``
        ("shown", "u2", (MAX_CELLS,)),  # what an observation shows of each stack: a row of the content's seen_stack
        ("top", "i1", (MAX_CELLS,)),  # kind; NO_TILE while it is about to be revealed, and where no stack is
        ("buried", "i1", (MAX_CELLS,)),
        ("num_covered", "i1"),
        ("covered_cell", "i1", (MAX_HARDENED,)),  # in the order in which they were covered; else 0
        ("covered_kind", "i1", (MAX_HARDENED,)),
        ("num_hardened", "i1"),  # Hardened Honey tiles left to place
        # Multisets by kind.
        ("unseen_tiles", "i1", (MAX_TILE_KINDS,)),  # buried or in the box
        ("mined_tiles", "i1", (MAX_TILE_KINDS,)),
        ("num_deck", "i1"),
        ("unseen_cards", "i1", (MAX_CARD_KINDS,)),  # in the deck or the box; in a hidden row, or in other hands
        ("discard", "i1", (MAX_CARD_KINDS,)),
        ("seats", SEAT, (MAX_PLAYERS,)),
    ]
)
