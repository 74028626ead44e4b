"""Generic kernels that play a game: step a slice of games, look at states, roll out.

They call the contract's kernels by name; ``game.bind(driver)`` gives the version for a game. All take the game's
record as ``game`` (1,), so content and settings are arguments and never compiled in.

A *slot* (``Game.slot_dtype``) is one running game. ``RESULT`` is what a step tells about it.
"""

from functools import cache
from typing import Any

import numpy as np

from bearenvs.bits import spread_bits

# The names of the contract: a Binder puts a game's own kernels in their place.
from bearenvs.game import (
    CHANCE,
    LOG_SIZE,
    TERMINAL,
    apply,
    chance,
    determinize,
    event_seen_by,
    hide,
    legal,
    observe,
    record_dtype,
    returns,
    sample_chance,
)
from bearenvs.instructions import copy_record, prefetch
from bearenvs.kernel import inlined, kernel
from bearenvs.sets import draw_action, has_action, list_actions

CHUNK = 16
"""Games that a thread takes at once: some 3 microseconds' work, beside 50 nanoseconds to take them."""
FAR = 8192
"""From so many games on, what is to be written has to be brought near too: before, the caches have it."""


@inlined
def num_chunks(count: int) -> int:
    """Return how many chunks ``count`` games make."""
    return (count + CHUNK - 1) // CHUNK


@cache  # one dtype object for all: Numba recognises it by identity, which keeps calls cheap
def result_dtype(max_players: int) -> np.dtype[Any]:
    """What a step writes for each game: each seat's reward, the next seat to decide, how the game ended."""
    return record_dtype(
        [
            ("rewards", "f8", (max_players,)),
            ("to_act", "i4"),
            ("terminated", "?"),
            ("truncated", "?"),
            ("_unused", "u1", (2,)),  # rows of whole float64s: torch takes no view of any field otherwise
        ]
    )


@inlined
def settle(content: Any, slot: Any) -> None:
    """Resolve chance until a seat is to act, the game is over or the slot's log is full."""
    state = slot.state
    while state.to_act == CHANCE and slot.num_logged < LOG_SIZE:
        outcome = sample_chance(content, state, slot.rng)
        apply(content, state, outcome)
        slot.log[slot.num_logged] = outcome
        slot.num_logged += 1


@kernel
def settle_wholly(content: Any, slot: Any) -> None:
    """Resolve chance to the next decision or the end; the log then holds the last outcomes only."""
    while slot.state.to_act == CHANCE:
        slot.num_logged = 0
        settle(content, slot)


@inlined
def find_legal(content: Any, state: Any, actions: Any) -> None:
    """Make ``actions`` the set of what the seat to act may do."""
    actions[:] = 0
    legal(content, state, actions)


@inlined
def list_legal(content: Any, state: Any, actions: Any, out: Any) -> int:
    """Do as :func:`find_legal`, write the actions into ``out`` too, ascending, and return their number."""
    find_legal(content, state, actions)
    return list_actions(actions, out)


@inlined
def present(content: Any, slot: Any, observation: Any, action_mask: Any) -> None:
    """Write the legal actions, the mask (int8, 0 or 1) and the acting seat's observation."""
    state = slot.state
    find_legal(content, state, slot.legal)
    spread_bits(slot.legal, action_mask)
    observe(content, state, int(state.to_act), observation)


@kernel
def begin(game: Any, slot: Any) -> None:
    """Put the slot's state back to the first one. Its generator goes on where it is."""
    copy_record(slot.state, game[0].initial)
    slot.num_logged = 0
    slot.legal[:] = 0
    returns(game[0].content, slot.state, slot.returns)


@kernel
def reset_slice(game: Any, slots: Any, observation: Any, action_mask: Any, results: Any, first: int, last: int) -> None:
    """Start the games ``first`` to ``last`` - 1 anew and play each to its first decision."""
    content = game[0].content
    for i in range(first, last):
        begin(game, slots[i])
        settle_wholly(content, slots[i])
        present(content, slots[i], observation[i], action_mask[i])
        result = results[i]
        result.to_act = slots[i].state.to_act
        result.terminated = False
        result.truncated = False
        result.rewards[:] = 0.0


@inlined
def first_illegal(slots: Any, actions: Any, first: int, last: int) -> int:
    """Return the first of the games ``first`` to ``last`` - 1 whose action is not legal, or -1."""
    for i in range(first, last):
        if not has_action(slots[i].legal, actions[i]):
            return i
    return -1


@inlined
def reward_slot(content: Any, slot: Any, rewards: Any) -> None:
    """Write how the returns changed since the last call into ``rewards``."""
    for seat in range(len(slot.returns)):
        rewards[seat] = slot.returns[seat]
    returns(content, slot.state, slot.returns)
    for seat in range(len(slot.returns)):
        rewards[seat] = slot.returns[seat] - rewards[seat]


@inlined
def tell_end(state: Any, result: Any) -> bool:
    """Write how the game has ended, if it has; return whether."""
    is_over = state.to_act == TERMINAL
    result.truncated = is_over and state.truncated != 0
    result.terminated = is_over and state.truncated == 0
    return bool(is_over)


@kernel
def step_slice(
    game: Any,
    slots: Any,
    actions: Any,
    observation: Any,
    action_mask: Any,
    results: Any,
    first: int,
    last: int,
    is_checked: bool,
) -> int:
    """Play one action in each of the games ``first`` to ``last`` - 1; a game that ends starts anew at once.

    Return -1; or, unless ``is_checked`` says that all are legal, the first game in which one is not: none has moved.
    """
    content = game[0].content
    if not is_checked:
        illegal = first_illegal(slots, actions, first, last)
        if illegal >= 0:
            return illegal
    for i in range(first, last):
        slot = slots[i]
        state = slot.state
        prefetch(slots[min(i + 1, last - 1)])  # else each game would be waited for, once there are many
        if slots.shape[0] >= FAR:
            prefetch(observation[i])
        slot.num_logged = 0
        apply(content, state, int(actions[i]))
        settle(content, slot)  # taken in whole; what comes after a full log, hardly ever, is not
        if state.to_act == CHANCE:
            settle_wholly(content, slot)
        result = results[i]
        reward_slot(content, slot, result.rewards)
        if tell_end(state, result):
            begin(game, slot)
            settle_wholly(content, slot)
        present(content, slot, observation[i], action_mask[i])
        result.to_act = state.to_act
    return -1


@kernel
def present_slice(game: Any, slots: Any, observation: Any, action_mask: Any, first: int, last: int) -> None:
    """Write the legal actions, masks and observations of the games ``first`` to ``last`` - 1 as they stand."""
    for i in range(first, last):
        present(game[0].content, slots[i], observation[i], action_mask[i])


@kernel
def observe_slice(game: Any, slots: Any, seats: Any, out: Any, first: int, last: int) -> None:
    """Write what ``seats[i]`` sees into ``out[i]`` for the games ``first`` to ``last`` - 1."""
    for i in range(first, last):
        observe(game[0].content, slots[i].state, int(seats[i]), out[i])


@kernel
def act_randomly(slots: Any, generators: Any, actions: Any) -> None:
    """Choose a uniformly random legal action in each game; each chunk of games has its own of the ``generators``."""
    count = slots.shape[0]
    for chunk in range(num_chunks(count)):
        choose_chunk(slots, generators[chunk], actions, chunk * CHUNK, min((chunk + 1) * CHUNK, count))


@inlined
def choose_chunk(slots: Any, rng: Any, actions: Any, first: int, last: int) -> None:
    """Choose for the games ``first`` to ``last`` - 1, drawn from ``rng`` (4,)."""
    for i in range(first, last):
        actions[i] = draw_action(slots[i].legal, rng)


# A single environment keeps a game's whole record, so it takes its steps one event log at a time and does not
# start anew by itself.


@kernel
def reset_single(game: Any, slots: Any) -> None:
    """Put the one game back to its first state; :func:`continue_single` goes on from there."""
    begin(game, slots[0])


@kernel
def step_single(game: Any, slots: Any, action: int, observation: Any, action_mask: Any, results: Any) -> int:
    """Play ``action`` in the one game of ``slots``; return -1, and change nothing, if it is not legal.

    Otherwise as :func:`continue_single`.
    """
    slot = slots[0]
    if not has_action(slot.legal, action):
        return -1
    apply(game[0].content, slot.state, action)
    return continue_single(game, slots, observation, action_mask, results)


@kernel
def continue_single(game: Any, slots: Any, observation: Any, action_mask: Any, results: Any) -> int:
    """Resolve chance and write the results; return how many outcomes the slot's log now holds.

    While ``to_act`` in the results is CHANCE the log was too small: take its outcomes and call again.
    """
    content = game[0].content
    slot = slots[0]
    state = slot.state
    slot.num_logged = 0
    settle(content, slot)
    result = results[0]
    result.to_act = state.to_act
    if state.to_act == CHANCE:
        return int(slot.num_logged)
    reward_slot(content, slot, result.rewards)
    if tell_end(state, result):
        slot.legal[:] = 0
    else:
        present(content, slot, observation[0], action_mask[0])
    return int(slot.num_logged)


# Looking at states, one row each: ``states`` is (n,) of ``Game.state_dtype``.


@kernel
def apply_rows(game: Any, states: Any, events: Any) -> None:
    """Apply ``events[i]``, an action or an outcome that is possible in ``states[i]``."""
    for i in range(states.shape[0]):
        apply(game[0].content, states[i], int(events[i]))


@kernel
def legal_row(game: Any, states: Any, sets: Any) -> None:
    """Add the legal actions of ``states[0]`` to the empty set ``sets[0].actions``; none where no seat is to act."""
    if states[0].to_act >= 0:
        legal(game[0].content, states[0], sets[0].actions)


@kernel
def chance_row(game: Any, states: Any, weights: Any) -> None:
    """Write the outcomes' weights at ``states[0]``; all 0 where chance is not to act."""
    weights[:] = 0
    if states[0].to_act == CHANCE:
        chance(game[0].content, states[0], weights)


@kernel
def sample_chance_rows(game: Any, states: Any, rng: Any, out: Any) -> None:
    """Draw an outcome for each of ``states``, all of them at CHANCE, without applying it."""
    for i in range(states.shape[0]):
        out[i] = sample_chance(game[0].content, states[i], rng)


@kernel
def returns_rows(game: Any, states: Any, out: Any) -> None:
    """Write each state's returns into ``out`` (n, num_players)."""
    for i in range(states.shape[0]):
        returns(game[0].content, states[i], out[i])


@kernel
def observe_rows(game: Any, states: Any, seat: int, out: Any) -> None:
    """Write what ``seat`` sees in each state into ``out`` (n, observation_size)."""
    for i in range(states.shape[0]):
        observe(game[0].content, states[i], seat, out[i])


@kernel
def hide_rows(game: Any, states: Any, seat: int) -> None:
    """Hide from each state what ``seat`` cannot know, in place."""
    for i in range(states.shape[0]):
        hide(game[0].content, states[i], seat)


@kernel
def determinize_rows(game: Any, states: Any, seat: int, rng: Any) -> None:
    """Fill each hidden row of ``seat`` with a random truth, in place."""
    for i in range(states.shape[0]):
        determinize(game[0].content, states[i], seat, rng)


@kernel
def seen_by_row(game: Any, states: Any, event: int) -> int:
    """Return the bit mask of the seats that learn ``event`` at ``states[0]``."""
    return event_seen_by(game[0].content, states[0], event)


@kernel
def random_playout(game: Any, states: Any, sets: Any, rng: Any, max_events: int) -> int:
    """Play each state on at random to its end, or for ``max_events`` events; return the events played in all.

    ``sets`` (1,) is scratch.
    """
    content = game[0].content
    total = 0
    for i in range(states.shape[0]):
        state = states[i]
        for _ in range(max_events):
            if state.to_act == TERMINAL:
                break
            if state.to_act == CHANCE:
                event = sample_chance(content, state, rng)
            else:
                find_legal(content, state, sets[0].actions)
                event = draw_action(sets[0].actions, rng)
            apply(content, state, event)
            total += 1
    return total
