"""The search tree: kernels that grow it an iteration at a time, and that cut out what stays of use.

A node is a row of ``NODE`` and stands for what was played since the root. Chance and hidden cards do not branch.
"""

from math import log, sqrt
from typing import Any

from bearagents.heuristics import choose
from bearenvs.drivers import find_legal, list_legal
from bearenvs.game import CHANCE, TERMINAL, apply, determinize, hide, record_dtype, returns, sample_chance
from bearenvs.instructions import copy_record
from bearenvs.kernel import kernel
from bearenvs.rng import random_below
from bearenvs.sets import draw_action, list_actions

NO_NODE = -1
NO_ACTION = -1
LEAST_SPREAD = 0.05
"""Returns are taken to spread by this at least: the first few may be equal by chance."""

NODE = record_dtype(
    [
        ("first_child", "i4"),
        ("next_sibling", "i4"),
        ("action", "i4"),  # that leads here
        ("seat", "i4"),  # who took it; of the root: who searches
        ("is_advised", "i4"),
        ("num_visits", "i4"),
        ("num_available", "i4"),  # how often the action was legal
        ("value", "f8"),  # sum of the seat's returns
        ("square", "f8"),  # sum of their squares
    ]
)

OPTIONS = record_dtype(
    [
        ("exploration", "f8"),
        ("trust", "f8"),
        ("widening", "f8"),
        ("max_depth", "i4"),
        ("max_rollout", "i4"),
        ("horizon", "i4"),
        ("takes_advice", "i4"),
    ]
)
"""See :class:`bearagents.mcts.MctsAgent`."""


@kernel
def forecast_returns(content: Any, state: Any, out: Any) -> None:
    """Stand for the game's forecast of each seat's return in a game that is not over."""
    raise NotImplementedError


@kernel
def settle_chance(content: Any, state: Any, rng: Any) -> None:
    """Resolve chance up to the next decision or the end."""
    while state.to_act == CHANCE:
        apply(content, state, sample_chance(content, state, rng))


@kernel
def clear_node(node: Any, seat: int, action: int) -> None:
    """Make ``node`` a fresh one."""
    node.first_child = NO_NODE
    node.next_sibling = NO_NODE
    node.action = action
    node.seat = seat
    node.is_advised = 0
    node.num_visits = 0
    node.num_available = 0
    node.value = 0.0
    node.square = 0.0


@kernel
def plant(nodes: Any, seat: int) -> None:
    """Make ``nodes[0]`` the root of an empty tree, searched by ``seat``."""
    clear_node(nodes[0], seat, NO_ACTION)


@kernel
def spread_of(node: Any) -> float:
    """Return the standard deviation of a node's returns, at least LEAST_SPREAD."""
    if node.num_visits == 0:
        return LEAST_SPREAD
    mean = node.value / node.num_visits
    return sqrt(max(node.square / node.num_visits - mean * mean, LEAST_SPREAD * LEAST_SPREAD))


@kernel
def select_child(nodes: Any, legal_list: Any, count: int, child_of: Any, exploration: float, trust: float) -> int:
    """Count the legal children as available and return the best, or NO_NODE if none is legal.

    The best has the highest upper confidence bound, UCB1 over the times it was available; an advised one is trusted
    beyond it. ``child_of[action]`` is the child of each action; NO_NODE for those not in the tree.
    """
    best = NO_NODE
    best_score = 0.0
    for k in range(count):
        child = child_of[legal_list[k]]
        if child == NO_NODE:
            continue
        node = nodes[child]
        node.num_available += 1
        score = node.value / node.num_visits
        score += exploration * sqrt(log(float(node.num_available)) / node.num_visits)
        if node.is_advised != 0:
            score += trust * sqrt(float(node.num_available)) / (1 + node.num_visits)
        if best == NO_NODE or score > best_score:
            best = child
            best_score = score
    return best


@kernel
def unopened_action(legal_list: Any, count: int, num_known: int, child_of: Any, rng: Any) -> int:
    """Return one of the legal actions that are not open yet."""
    skip = random_below(rng, count - num_known)
    for k in range(count):
        if child_of[legal_list[k]] == NO_NODE:
            if skip == 0:
                return int(legal_list[k])
            skip -= 1
    return NO_ACTION


@kernel
def step_down(
    content: Any,
    state: Any,
    options: Any,
    nodes: Any,
    num_nodes: int,
    parent: int,
    spread: float,
    sets: Any,
    legal_list: Any,
    child_of: Any,
    rng: Any,
) -> int:
    """Choose the next node below ``parent``: a new one (``num_nodes``), a known one, or NO_NODE in a full tree.

    The caller plays its action. A new one is opened while fewer legal actions are open than ``widening`` times the
    root of the visits, and the first is the one that is advised.
    """
    count = list_legal(content, state, sets[0].actions, legal_list)
    seat = int(state.to_act)
    first = int(nodes[parent].first_child)
    child = first
    while child != NO_NODE:
        if nodes[child].seat == seat:
            child_of[nodes[child].action] = child
        child = int(nodes[child].next_sibling)
    num_known = 0
    for k in range(count):
        if child_of[legal_list[k]] != NO_NODE:
            num_known += 1
    chosen = select_child(nodes, legal_list, count, child_of, options.exploration * spread, options.trust * spread)
    may_open = num_known < count and num_nodes < nodes.shape[0]
    if may_open and (num_known == 0 or num_known < options.widening * sqrt(float(nodes[parent].num_visits))):
        is_advised = num_known == 0 and options.takes_advice != 0
        if is_advised:
            action = choose(content, state, legal_list, count, rng)
        else:
            action = unopened_action(legal_list, count, num_known, child_of, rng)
        clear_node(nodes[num_nodes], seat, action)
        nodes[num_nodes].next_sibling = first
        nodes[num_nodes].is_advised = 1 if is_advised else 0
        nodes[num_nodes].num_available = 1
        nodes[parent].first_child = num_nodes
        chosen = num_nodes
    child = first
    while child != NO_NODE:
        child_of[nodes[child].action] = NO_NODE
        child = int(nodes[child].next_sibling)
    return chosen


@kernel
def roll_out(
    content: Any, state: Any, options: Any, last_turn: int, sets: Any, legal_list: Any, rng: Any, values: Any
) -> None:
    """Play ``state`` on to its end, or as far as the options allow, and write each seat's return or its forecast."""
    actions = sets[0].actions
    for _ in range(options.max_rollout):
        if state.to_act == TERMINAL or state.turn >= last_turn:
            break
        find_legal(content, state, actions)
        if options.takes_advice != 0:
            action = choose(content, state, legal_list, list_actions(actions, legal_list), rng)
        else:
            action = draw_action(actions, rng)
        apply(content, state, action)
        settle_chance(content, state, rng)
    if state.to_act == TERMINAL:
        returns(content, state, values)
    else:
        forecast_returns(content, state, values)


@kernel
def iterate(
    game: Any,
    root: Any,
    options: Any,
    nodes: Any,
    num_nodes: int,
    num_iterations: int,
    states: Any,
    sets: Any,
    legal_list: Any,
    child_of: Any,
    path: Any,
    values: Any,
    rng: Any,
) -> int:
    """Run iterations from the hidden row ``root[0]`` of the seat ``nodes[0].seat``; return the number of nodes then.

    ``options`` (1,). Scratch: ``states``, ``sets`` (1,), ``legal_list``, ``child_of`` (num_actions,) all NO_NODE,
    ``path`` (> max_depth,), ``values`` (num_players,).
    """
    content = game[0].content
    state = states[0]
    seat = int(nodes[0].seat)
    max_depth = int(options[0].max_depth)
    last_turn = int(root[0].turn) + int(options[0].horizon)
    path[0] = 0
    for _ in range(num_iterations):
        copy_record(state, root[0])
        determinize(content, state, seat, rng)
        spread = spread_of(nodes[0])
        depth = 0
        while depth < max_depth and state.to_act != TERMINAL:
            child = step_down(
                content, state, options[0], nodes, num_nodes, path[depth], spread, sets, legal_list, child_of, rng
            )
            if child == NO_NODE:
                break
            apply(content, state, int(nodes[child].action))
            settle_chance(content, state, rng)
            depth += 1
            path[depth] = child
            if child == num_nodes:
                num_nodes += 1
                break
        roll_out(content, state, options[0], last_turn, sets, legal_list, rng, values)
        for level in range(depth + 1):
            node = nodes[path[level]]
            value = values[node.seat]
            node.num_visits += 1
            node.value += value
            node.square += value * value
    return num_nodes


@kernel
def take_subtree(nodes: Any, top: int, out: Any, origin: Any) -> int:
    """Copy the tree below ``nodes[top]`` to ``out``, level by level from its root until ``out`` is full.

    Return the number of nodes copied. ``origin`` is scratch as long as ``out``: where in ``nodes`` each comes from.
    """
    copy_record(out[0], nodes[top])
    out[0].next_sibling = NO_NODE
    out[0].first_child = NO_NODE
    origin[0] = top
    count = 1
    place = 0
    while place < count:
        last = NO_NODE
        child = int(nodes[origin[place]].first_child)
        while child != NO_NODE and count < out.shape[0]:
            copy_record(out[count], nodes[child])
            out[count].first_child = NO_NODE
            out[count].next_sibling = NO_NODE
            origin[count] = child
            if last == NO_NODE:
                out[place].first_child = count
            else:
                out[last].next_sibling = count
            last = count
            count += 1
            child = int(nodes[child].next_sibling)
        place += 1
    return count


@kernel
def foresee(game: Any, rows: Any, seat: int, action: int, rng: Any) -> bool:
    """Turn each of ``rows``, hidden ones of ``seat``, into a draw of what it sees after ``action``.

    Return False if chance or another seat comes first.
    """
    content = game[0].content
    for i in range(rows.shape[0]):
        determinize(content, rows[i], seat, rng)
        apply(content, rows[i], action)
        if rows[i].to_act != seat:
            return False
        hide(content, rows[i], seat)
    return True
