"""The state of a game of Outrun the Bear: one packed record.

What is under way stands on a small stack of frames: a card, the movement that is one of its effects, the reactions
to that movement, the cards drawn by a reaction. The last frame is the one to go on with; without a frame the game
goes on with its ``phase``.
"""

from typing import Any

from bearenvs.game import TERMINAL, header_fields, record_dtype
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.content import MAX_HAND, MAX_KINDS, MAX_PLAYERS, NUM_TRAILS, SHOWN_BYTES

NOTHING = -1
"""No card, no seat, no space, no tile."""
NOBODY = -3
"""``to_act`` while the rules carry the game on."""
EVERYBODY = 2 ** (MAX_PLAYERS + 1) - 1
"""The bit mask of all seats, and of PUBLIC."""
PUBLIC = 2**MAX_PLAYERS
"""The bit of an onlooker, who sees only what all see: what it knows, everybody knows."""

# Phases, in their order.
LAY_TRAIL, CHOOSE_RUNNERS, DEAL_GEAR, DEAL, TERRAIN, ACTION, DRAW_STEP, TURN_END, BEAR_TURN, ROUND_END = range(10)

# What a frame is.
NO_FRAME, MOVE, CARD, WINDOW, DRAW_CARDS, DISCARD_CARDS, STEAL_CARDS, REVEAL, ADVANCE = range(9)

# The mode of a MOVE: may stop; may stop after the next step; mandatory; mandatory to the slope's foot.
FREE, FIRST_STEP, FORCED, SLIDE = range(4)
# Its way.
BACK, ANY_WAY, FORWARD = -1, 0, 1
# The mode of a WINDOW: what it answers. A card; the Bear's arrival; a movement that passed runners.
TO_CARD, TO_BEAR, TO_PASSING = range(3)
# The mode of a CARD: waits for its target, for reactions, takes effect; then without its target.
AIMING, ANNOUNCED, WORKING, WARDED = range(4)
# The mode of an ADVANCE: about to enter the next column; in a column with runners who have been asked.
COMING, ARRIVED = range(2)

# A runner's status.
RUNNING, ESCAPED, CAUGHT = range(3)

RING = 128
"""Places of ``line``: enough for MAX_CARDS, and a power of two, whose remainder is one instruction."""
HAND = MAX_HAND + 1  # a hidden row may list one card too many in a hand: see knowledge.py

SEAT = record_dtype(
    [
        ("status", "i1"),
        ("space", "i2"),  # the parking lot's for who has escaped, NOTHING for who was caught
        ("runner", "i1"),  # the Park Pass, or NOTHING
        ("equipment", "i1"),  # a kind, or NOTHING
        ("num_hand", "i1"),
        # The hand, sorted by kind, then NOTHING. Who is out keeps it: it has left the game unseen.
        ("hand", "i1", (HAND,)),
        ("known", "u1", (HAND,)),  # bit mask: who knows that this card is in this hand
        ("maybe", "u1", (HAND,)),  # ... that it was here, or is with the thief: see hands.py
        ("thief", "i1"),  # who last stole from this hand, while "maybe" needs it
        # What others can tell of that theft: see hands.py.
        ("kept", "u1"),  # bit mask: to whom none of the "maybe" cards is with the thief
        ("lost", "u1"),  # ... one of them is
        ("shed", "u4", (MAX_PLAYERS,)),  # by seat, a bit mask: the "maybe" kinds that the thief has shed
    ]
)

FRAME = record_dtype(
    [
        ("op", "i1"),
        ("mode", "i1"),
        ("seat", "i1"),  # who moves, plays, draws, discards, steals; of a WINDOW: who comes first in it
        ("other", "i1"),  # who chooses the way; the card's target; who is stolen from
        ("card", "i1"),
        ("way", "i1"),
        ("passed", "u1"),  # bit mask: the seats passed by a movement
        ("step", "i2"),  # of a CARD, the next effect; of a WINDOW, how many seats are done; of a REVEAL, cards counted
        ("left", "i2"),  # spaces, cards or columns still to come
        ("total", "i2"),  # of a REVEAL, the sum of the cards counted; of a WINDOW, how many seats all know to be done
    ]
)
STACK = 8

STATE = record_dtype(
    [
        *header_fields(MAX_PLAYERS),
        ("phase", "i1"),
        ("seat", "i1"),  # whose turn it is; during set-up, whose choice or deal it is
        ("token", "i1"),  # the holder of the Bear's turn token
        ("num_rounds", "i4"),  # rounds finished
        ("bear", "i1"),  # the Bear's column
        ("skips_turn", "i1"),  # 1: the Bear stays where it is on its next turn
        ("no_sprint", "i1"),  # 1: bramble, this turn
        ("faces", "i1", (NUM_TRAILS,)),  # the trail tiles from the campsite on, 2 x tile + side, or NOTHING
        # What the tiles make of the park: to put it together for each observation would take longer.
        ("prints", "i8"),  # bit mask: the columns with a paw print
        ("shown", "i1", (SHOWN_BYTES,)),  # the spaces of each column as observations show them
        ("num_deck", "i2"),  # cards of the unseen part of the deck
        ("deck", "i1", (MAX_KINDS,)),  # the unseen part; in a hidden row: all that is unseen
        # Cards whose order all know, in a ring: those under the deck, then the discard pile, oldest first.
        ("line", "i1", (RING,)),
        ("first", "i2"),
        ("num_under", "i2"),
        ("num_pile", "i2"),
        # How many of each kind there are of them: to count them for each observation would take longer.
        ("under", "i1", (MAX_KINDS,)),
        ("pile", "i1", (MAX_KINDS,)),
        ("removed", "i1", (MAX_KINDS,)),  # left the game in sight
        ("num_passes", "i4"),  # plies in which a seat passed in a window: a hidden row does not count them
        ("seats", SEAT, (MAX_PLAYERS,)),
        ("depth", "i1"),
        ("stack", FRAME, (STACK,)),
    ]
)


@kernel
def push_frame(state: Any, op: int, mode: int, seat: int, left: int) -> None:
    """Put a fresh frame on the stack."""
    frame = state.stack[int(state.depth)]
    state.depth += 1
    frame.op = op
    frame.mode = mode
    frame.seat = seat
    frame.other = NOTHING
    frame.card = NOTHING
    frame.way = ANY_WAY
    frame.passed = 0
    frame.step = 0
    frame.left = left
    frame.total = 0


@kernel
def pop_frame(state: Any) -> None:
    """Take the last frame off the stack. It is cleared: equal states have equal bytes."""
    state.depth -= 1
    frame = state.stack[int(state.depth)]
    frame.op = NO_FRAME
    frame.mode = 0
    frame.seat = 0
    frame.other = 0
    frame.card = 0
    frame.way = 0
    frame.passed = 0
    frame.step = 0
    frame.left = 0
    frame.total = 0


@kernel
def leave_game(content: Any, state: Any, seat: int, status: int) -> None:
    """Take a runner out as ESCAPED or CAUGHT (OB-M4, OB-E5, OB-V4); :func:`check_end` is to follow."""
    me = state.seats[seat]
    me.status = status
    me.space = content.lot if status == ESCAPED else NOTHING
    if me.equipment != NOTHING:
        state.removed[me.equipment] += 1
        me.equipment = NOTHING
    if content.is_coop == 0:
        state.is_out[seat] = 1


@kernel
def check_end(content: Any, state: Any) -> None:
    """End the game if no runner is running, or all but one are caught (OB-V1); in co-op, if any is (OB-X2)."""
    num_running = 0
    num_caught = 0
    for seat in range(content.num_players):
        if state.seats[seat].status == RUNNING:
            num_running += 1
        elif state.seats[seat].status == CAUGHT:
            num_caught += 1
    if content.is_coop != 0:
        is_over = num_running == 0 or num_caught > 0
    else:
        is_over = num_running == 0 or num_caught >= content.num_players - 1
    if is_over:
        state.to_act = TERMINAL
