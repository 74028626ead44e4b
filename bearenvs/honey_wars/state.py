"""The state of a game of Honey Wars: one packed record."""

from bearenvs.game import header_fields, record_dtype
from bearenvs.honey_wars.content import MAX_HIVES, MAX_KINDS, MAX_PLAYERS

# Phases: what the game is waiting for, or about to do.
DEAL, DEFEND, ROLL, LOSE_CARD, HARVEST, SPEND, CHOOSE_DISCARD, DRAW, OVER = range(9)

NOTHING = -1
"""No threat on a hive, no buddy, no winner."""

SEAT = record_dtype(
    [
        ("honey", "i1"),
        ("num_hives", "i1"),
        ("hives", "i1", (MAX_HIVES,)),  # kinds, leftmost first
        ("threats", "i1", (MAX_HIVES,)),  # the kind on each hive, or NOTHING
        ("attackers", "i1", (MAX_HIVES,)),  # the seat that played each threat
        ("buddy", "i1"),
        ("num_hand", "i1"),
        ("num_held", "i1"),
        ("hand", "i1", (MAX_KINDS,)),
        ("held", "i1", (MAX_KINDS,)),  # the part of the hand held since before the last reshuffle
    ]
)

STATE = record_dtype(
    [
        *header_fields(MAX_PLAYERS),
        ("phase", "i1"),
        ("seat", "i1"),  # whose turn it is; while dealing, who is dealt to
        ("cursor", "i1"),  # the hive being defended, from the left
        ("pending", "i1"),  # cards still to be dealt or lost
        ("roll_bonus", "i1"),  # added to the coming roll
        ("has_built", "i1"),
        ("no_bonus", "i1"),  # these four hold for the turn in progress
        ("no_harvest", "i1"),
        ("no_build", "i1"),
        ("skip_spend", "i1"),
        ("last_roll", "i1"),  # 0 before the first roll
        ("winner", "i1"),
        ("pot", "i1"),
        ("num_shuffles", "i2"),
        ("num_deck", "i2"),
        ("deck", "i1", (MAX_KINDS,)),  # in a hidden row: all that is unseen and was shuffled last
        ("discard", "i1", (MAX_KINDS,)),
        (
            "held_over",
            "i1",
            (MAX_KINDS,),
        ),  # in a hidden row: what the others held over the last reshuffle; else 0
        ("seats", SEAT, (MAX_PLAYERS,)),
    ]
)
