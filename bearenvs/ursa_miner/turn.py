"""Set-up, the turn and the end of Ursa Miner as kernels. Rule ids (UM-...) are those of the documentation page."""

from typing import Any

from bearenvs.game import CHANCE, TERMINAL
from bearenvs.kernel import inlined, kernel
from bearenvs.rng import draw_weighted, random_below
from bearenvs.sets import add_action, add_actions
from bearenvs.ursa_miner.bears import (
    add_bear,
    free_stacks,
    hosts,
    movers,
    next_stacks,
    rest_bears,
)
from bearenvs.ursa_miner.cards import add_choices, choose, play, plays
from bearenvs.ursa_miner.content import MAX_BEARS
from bearenvs.ursa_miner.mining import (
    add_to_crew,
    begin_mining,
    crew,
    hidden_color,
    mines,
    reveal,
)
from bearenvs.ursa_miner.state import (
    ACTIONS,
    CARDS,
    CREW,
    DRAW,
    EFFECT,
    HIRE,
    NOTHING,
    OVER,
    PLACE,
    REVEAL,
    TILES,
)

# ---------------------------------------------------------------------------------------------------------------
# What can be done


@inlined
def legal(content: Any, state: Any, out: Any) -> None:
    """See :func:`bearenvs.game.legal`."""
    me = state.seats[state.seat]
    if state.phase == ACTIONS:
        add_move_actions(content, state, me, out)
        free = free_stacks(content, state)
        add_actions(out, content.first_mine, mines(content, state, free))
        add_actions(out, content.first_play, plays(content, state, free))
        add_action(out, content.first_end)
    elif state.phase == CREW:
        add_actions(out, content.first_with, crew(content, state))
    elif state.phase == EFFECT:
        add_choices(content, state, out)
    elif state.phase == HIRE:
        add_actions(out, content.first_hire, hosts(me))
        add_action(out, content.first_skip)
    else:
        add_actions(out, content.first_place, free_stacks(content, state))  # UM-S2


@inlined
def add_move_actions(content: Any, state: Any, me: Any, out: Any) -> None:
    """Add every ``move bX cK`` of the Actions phase."""
    bears = movers(content, me)
    for bear in range(MAX_BEARS):
        steps = next_stacks(content, state, int(me.cell[bear])) & -(bears >> bear & 1)
        add_actions(out, content.first_move + bear * content.num_cells, steps)


# ---------------------------------------------------------------------------------------------------------------
# What it does


@inlined
def apply(content: Any, state: Any, event: int) -> None:
    """See :func:`bearenvs.game.apply`."""
    if state.to_act == CHANCE:
        apply_outcome(content, state, event)
        return
    state.ply += 1
    phase = state.phase
    if phase == ACTIONS:
        act(content, state, event)
    elif phase == CREW:
        add_to_crew(content, state, event - content.first_with)
    elif phase == EFFECT:
        choose(content, state, event)
    elif phase == HIRE:
        if event != content.first_skip:
            me = state.seats[state.seat]
            me.honey -= content.hire_cost
            add_bear(me, event - content.first_hire)
        draw_or_end_turn(content, state)
    else:
        place_bears(content, state, event - content.first_place)


@inlined
def act(content: Any, state: Any, action: int) -> None:
    """Carry out an action of the Actions phase."""
    me = state.seats[state.seat]
    if action < content.first_mine:
        bear, cell = 0, action - int(content.first_move)
        for _ in range(1, MAX_BEARS):  # in the place of a division
            is_next = cell >= content.num_cells
            bear += int(is_next)
            cell -= int(content.num_cells) if is_next else 0
        me.cell[bear] = cell
        me.moves[bear] += 1
    elif action < content.first_play:
        begin_mining(content, state, action - content.first_mine)
    elif action < content.first_end:
        play(content, state, action - content.first_play)
    elif me.honey >= content.hire_cost and me.num_bears < content.num_bears:
        state.phase = HIRE
    else:
        draw_or_end_turn(content, state)


@kernel
def place_bears(content: Any, state: Any, cell: int) -> None:
    """Put a player's starting bears on ``cell`` (UM-S2); after the last player the first turn begins."""
    me = state.seats[state.seat]
    me.num_bears = content.starting_bears
    for bear in range(me.num_bears):
        me.cell[bear] = cell
    if state.seat + 1 < content.num_players:
        state.seat += 1
        state.to_act = state.seat
        return
    if state.num_deck == 0:  # UM-E5
        state.turns_left = content.num_players
    ask_for_actions(state, 0)


@inlined
def ask_for_actions(state: Any, seat: int) -> None:
    """Ask ``seat`` for its actions, at the start of its turn or further on in it."""
    state.seat = seat
    state.to_act = seat
    state.phase = ACTIONS


@inlined
def draw_or_end_turn(content: Any, state: Any) -> None:
    """Go on after the Hire phase (UM-D1)."""
    if state.num_deck > 0:
        state.phase = DRAW
        state.to_act = CHANCE
    else:
        end_turn(content, state)


@inlined
def end_turn(content: Any, state: Any) -> None:
    """Pass the turn on clockwise, or end the game (UM-E1) or truncate it (UM-E4)."""
    rest_bears(state.seats[state.seat])
    state.discount = 0
    state.has_played = 0
    state.turn += 1
    if state.turns_left > 0:
        state.turns_left -= 1
    elif state.num_deck == 0:
        state.turns_left = content.num_players
    if state.turns_left == 0:
        state.phase = OVER
        state.to_act = TERMINAL
    elif state.turn >= content.max_turns:
        state.truncated = 1
        state.phase = OVER
        state.to_act = TERMINAL
    else:
        ask_for_actions(state, (int(state.seat) + 1) % content.num_players)


# ---------------------------------------------------------------------------------------------------------------
# Chance


@inlined
def apply_outcome(content: Any, state: Any, outcome: int) -> None:
    """Reveal a tile, or give a card to the seat that draws, and go on."""
    if state.phase in (TILES, REVEAL):
        reveal(content, state, outcome - content.first_tile)
        if state.phase == REVEAL:
            state.cell = NOTHING
            ask_for_actions(state, int(state.seat))
        elif state.cell + 1 < content.num_cells:
            state.cell += 1
        else:
            state.cell = NOTHING
            deal_or_place(content, state)
        return
    card = outcome - content.first_draw
    me = state.seats[state.seat]
    state.unseen_cards[card] -= 1
    state.num_deck -= 1
    me.hand[card] += 1
    me.num_hand += 1
    if state.phase == DRAW:
        end_turn(content, state)
    else:
        state.seat += 1
        deal_or_place(content, state)


@kernel
def deal_or_place(content: Any, state: Any) -> None:
    """Deal a card to the seat whose turn it is to get one (UM-S1); when all have one, or the deck is empty, go on."""
    if state.seat < content.num_players and state.num_deck > 0:
        state.phase = CARDS
    else:
        state.phase = PLACE
        state.seat = 0
        state.to_act = 0


@kernel
def chance(content: Any, state: Any, weights: Any) -> None:
    """See :func:`bearenvs.game.chance`."""
    weights[:] = 0
    if state.phase in (TILES, REVEAL):
        color = hidden_color(content, state)
        for kind in range(1, content.hardened):
            if content.color[kind] == color:
                weights[content.first_tile + content.face[kind]] = state.unseen_tiles[kind]
    else:
        for card in range(content.num_card_kinds):
            weights[content.first_draw + card] = state.unseen_cards[card]


@inlined
def sample_chance(content: Any, state: Any, rng: Any) -> int:
    """See :func:`bearenvs.game.sample_chance`."""
    total = 0
    if state.phase in (TILES, REVEAL):
        color = hidden_color(content, state)
        for kind in range(1, content.hardened):
            if content.color[kind] == color:
                total += int(state.unseen_tiles[kind])
        rest = random_below(rng, total)
        kind = 1
        while content.color[kind] != color or rest >= state.unseen_tiles[kind]:
            if content.color[kind] == color:
                rest -= int(state.unseen_tiles[kind])
            kind += 1
        return int(content.first_tile + content.face[kind])
    for card in range(content.num_card_kinds):
        total += int(state.unseen_cards[card])
    return int(content.first_draw) + draw_weighted(rng, state.unseen_cards, total)


@kernel
def event_seen_by(content: Any, state: Any, event: int) -> int:
    """See :func:`bearenvs.game.event_seen_by`. Only drawn cards are private."""
    if state.to_act == CHANCE and state.phase in (CARDS, DRAW):
        return 1 << int(state.seat)
    return (1 << int(content.num_players)) - 1


# ---------------------------------------------------------------------------------------------------------------
# The end


@inlined
def returns(content: Any, state: Any, out: Any) -> None:
    """See :func:`bearenvs.game.returns`: the winners' equal shares (UM-E2, UM-E3), 0 before the end or without one."""
    num_players = content.num_players
    if state.phase != OVER or state.truncated != 0:
        for seat in range(num_players):
            out[seat] = 0.0
        return
    best_jelly = -1
    best_honey = -1
    winners = 0
    for seat in range(num_players):
        jelly = int(state.seats[seat].jelly)
        honey = int(state.seats[seat].honey)
        if jelly > best_jelly or (jelly == best_jelly and honey > best_honey):
            best_jelly = jelly
            best_honey = honey
            winners = 0
        if jelly == best_jelly and honey == best_honey:
            winners += 1
    for seat in range(num_players):
        if state.seats[seat].jelly == best_jelly and state.seats[seat].honey == best_honey:
            out[seat] = (1.0 / winners - 1.0 / num_players) * num_players / (num_players - 1)
        else:
            out[seat] = -1.0 / (num_players - 1)
