"""Search: finds what is known to be best, from a seat's view alone, the same way each time."""

import time
from collections import Counter
from dataclasses import replace
from functools import partial
from math import log
from typing import Any

import numpy as np
import pytest
from bearagents.agent import UnfitError, View, Views, agents_rng, decide, view_of
from bearagents.forecasts import NEVER
from bearagents.mcts import Budget, FlatAgent, MctsAgent, Searcher, Tree, merge
from bearagents.mcts.searcher import search_binder
from bearagents.mcts.tree import NO_NODE, NODE, select_child, take_subtree

import bearenvs
from bearenvs import drivers, views
from bearenvs.errors import SettingsError
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.honey_wars.state import SPEND
from bearenvs.registry import load_game
from bearenvs.rng import seed_words
from tests.outrun_the_bear.table import Table as Trail
from tests.ursa_miner.table import Table as Mountain

GAMES = [
    ("honey_wars", 2),
    ("honey_wars", 4),
    ("ursa_miner", 2),
    ("ursa_miner", 4),
    ("outrun_the_bear", 3),
    ("outrun_the_bear", 6),
]
AGENTS = [MctsAgent, FlatAgent, partial(MctsAgent, rollout="random"), partial(MctsAgent, num_threads=3)]


def spending(game: Game, honey: int, hives: int, *hand: int) -> Any:
    """Return seat 0 at its Spend step with this honey, hives and hand."""
    batch = bearenvs.Batch(game, 1, seed=3)
    batch.reset()
    states = batch.states.copy()
    state = states[0]
    me = state.seats[0]
    state.pot += int(me.honey) - honey
    me.honey = honey
    state.deck[:] += me.hand
    state.num_deck += me.num_hand
    me.hand[:] = 0
    for kind in hand:
        me.hand[kind] += 1
        state.deck[kind] -= 1
    for place in range(1, hives):
        me.hives[place] = 0
        state.deck[0] -= 1
    me.num_hives = hives
    me.num_hand = len(hand)
    state.num_deck -= len(hand) + hives - 1
    state.phase, state.to_act, state.seat = SPEND, 0, 0
    assert all(game.laws(state).values())
    return states


def search(
    game: Game, states: Any, iterations: int, seed: int = 0, agent: type[MctsAgent] = MctsAgent, **options: Any
) -> dict[int, tuple[int, float]]:
    """Return the actions that are tried for the seat to act: visits and mean returns, most visited first."""
    seat = int(states[0].to_act)
    budget = Budget(iterations)
    searcher = Searcher(game, agent(budget, **options).options_for(game))
    return merge([searcher.search(views.hidden(game, states, seat), seat, seed_words(seed), budget)])


def best(game: Game, states: Any, iterations: int, **options: Any) -> str:
    """Return the action that is found to be best, in words."""
    return game.actions.text(next(iter(search(game, states, iterations, **options))), int(states[0].to_act))


def some_views(name: str, num_players: int, *, plies: int = 60, step: int = 10, **settings: Any) -> list[View]:
    """Return what is seen in 4 games of random play, every so many plies."""
    batch = bearenvs.Batch(load_game(name, num_players=num_players, **settings), 4, seed=3)
    batch.reset()
    looks = Views(batch, seed=3)
    seen = []
    for ply in range(plies):
        if ply % step == 0:
            seen.append(looks.of(np.arange(4)))
        batch.step(batch.random_actions())
    return seen


def again(view: View, **changes: Any) -> View:
    """Return a copy of ``view``, whose random numbers are not used up."""
    return replace(view, **{"states": view.states.copy(), "rng": view.rng.copy(), **changes})


# --------------------------------------------------------------------------------------------------
# What is known to be best


@pytest.mark.parametrize("rollout", ["heuristic", "random"])
def test_honey_wars_takes_a_win_that_is_there(rollout: str) -> None:
    """A Small Hive for 5 leaves 12 honey and three hives: the game is won."""
    game = load_game("honey_wars")
    states = spending(game, 17, 2, 0, 10, 12)
    assert best(game, states, 300, rollout=rollout) == "build small_hive"
    assert next(iter(search(game, states, 300, rollout=rollout).values()))[1] == 1.0


@pytest.mark.parametrize("rollout", ["heuristic", "random"])
def test_honey_wars_attacks_who_is_about_to_win(rollout: str) -> None:
    """Seat 1 wins at its next Harvest unless Pesticides keep it from harvesting."""
    game = load_game("honey_wars")
    states = spending(game, 3, 1, 11, 3)
    rival = states[0].seats[1]
    rival.hives[1:3] = 0
    rival.num_hives = 3
    states[0].deck[0] -= 2
    states[0].num_deck -= 2
    states[0].pot -= 10 - rival.honey
    rival.honey = 10
    assert all(game.laws(states[0]).values())
    assert best(game, states, 2000, rollout=rollout).startswith("attack pesticides p1.")


@pytest.mark.parametrize("rollout", ["heuristic", "random"])
def test_ursa_miner_mines_the_jelly_that_wins(rollout: str) -> None:
    """In its last turn seat 0 is two jelly behind: three for the taking win, three honey do not."""
    table = Mountain({10: "? j3/3", 11: "? h1/1", 12: "? h3/3"}, [[11, 11, 11], [11]])
    table.state.turns_left = 1
    table.seat(1).jelly = 2
    game = load_game("ursa_miner")
    assert best(game, table.states, 300, rollout=rollout) == "mine c10"


@pytest.mark.parametrize("rollout", ["heuristic", "random"])
def test_outrun_the_bear_steps_into_the_parking_lot(rollout: str) -> None:
    """The Bear is close behind: whoever steps into the lot has won, whoever stops may be caught."""
    table = Trail(at={0: "c38r0", 1: "c38r1"}, bear=35, num_players=2).begin(0).do("p0 crawl")
    assert table.legal() == ["stop", "step c37r0", "step c38r1", "step lot"]
    game = type(table.game)(table.game.settings, table.game.content)
    assert best(game, table.states, 300, rollout=rollout) == "step lot"
    assert next(iter(search(game, table.states, 300, rollout=rollout).values()))[1] == 1.0


# --------------------------------------------------------------------------------------------------
# Exact values on a tiny deck


class Exact:
    """Full expectation over a game tree without hidden cards, by each seat's best play or by random play.

    With ``all_against_0`` the others do not play for themselves, but so that seat 0 gets least.
    """

    def __init__(self, game: Game, *, random_play: bool, all_against_0: bool = False) -> None:
        self.game = game
        self.random_play = random_play
        self.all_against_0 = all_against_0
        self.known: dict[bytes, Any] = {}

    def after(self, states: Any, event: int) -> Any:
        rows = states.copy()
        self.game.bind(drivers.apply_rows)(self.game.record, rows, np.array([event]))
        return self.value(rows)

    def actions(self, states: Any) -> dict[int, Any]:
        """Return each legal action with what it brings every seat."""
        return {action: self.after(states, action) for action in views.legal_actions(self.game, states)}

    def value(self, states: Any) -> Any:
        key = states.tobytes()
        if key not in self.known:
            self.known[key] = self._value(states)
        return self.known[key]

    def _value(self, states: Any) -> Any:
        to_act = int(states[0].to_act)
        if to_act == TERMINAL:
            return views.returns(self.game, states)[0]
        if to_act == CHANCE:
            weights = views.chance_weights(self.game, states)
            possible = np.flatnonzero(weights)
            return sum(weights[e] * self.after(states, int(e)) for e in possible) / weights.sum()
        values = list(self.actions(states).values())
        if self.all_against_0 and to_act != 0:
            return min(values, key=lambda value: value[0])
        return np.mean(values, axis=0) if self.random_play else max(values, key=lambda value: value[to_act])


def picnic_with(*hands_and_deck: tuple[int, ...], max_turns: int = 6) -> tuple[Game, Any]:
    """Return a game of Picnic in which seat 0 has its turn: hands, then the deck, by berries, honeycombs, salmon."""
    *hands, deck = hands_and_deck
    game = load_game("picnic", num_players=len(hands), max_turns=max_turns)
    batch = bearenvs.Batch(game, 1, seed=0)
    batch.reset()
    states = batch.states.copy()
    state = states[0]
    state.deck[:3] = deck
    state.num_deck = sum(deck)
    for seat, hand in enumerate(hands):
        state.seats[seat].hand[:3] = hand
        state.seats[seat].num_hand = sum(hand)
    state.shown[:3] = np.array([5, 3, 2]) - np.sum(hands_and_deck, axis=0)
    assert all(game.laws(state).values())
    return game, states


OPEN = ((1, 0, 1), (0, 1, 0), (0, 1, 0))  # all that seat 0 cannot see is honeycombs: nothing is hidden from it


@pytest.mark.usefixtures("picnic")
def test_the_tree_finds_the_value_of_best_play() -> None:
    game, states = picnic_with(*OPEN)
    exact = {action: value[0] for action, value in Exact(game, random_play=False).actions(states).items()}
    found = search(game, states, 30_000)
    most = max(exact.values())
    assert exact[next(iter(found))] == pytest.approx(most)
    assert sorted(exact.values())[-2] < most - 0.1, "a choice that matters"
    assert next(iter(found.values()))[1] == pytest.approx(most, abs=0.15)


@pytest.mark.usefixtures("picnic")
def test_of_three_seats_each_plays_for_itself() -> None:
    """Seat 0 eats: the others rob each other and leave it a berry to rob, where against it they would eat theirs."""
    game, states = picnic_with((0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 0, 0), max_turns=5)
    exact, against = (
        {action: value[0] for action, value in one.actions(states).items()}
        for one in (Exact(game, random_play=False), Exact(game, random_play=False, all_against_0=True))
    )
    first = max(exact, key=lambda action: exact[action])
    assert max(against.values()) > against[first] + 0.1
    found = search(game, states, 30_000, exploration=2.0)
    assert next(iter(found)) == first
    assert found[first][1] == pytest.approx(exact[first], abs=0.15)


@pytest.mark.usefixtures("picnic")
@pytest.mark.parametrize("hands", [OPEN, ((1, 0, 1), (0, 1, 0), (1, 0, 1)), ((2, 0, 0), (1, 0, 1), (0, 2, 0))])
def test_flat_means_are_the_exact_expectation_of_random_play(hands: tuple[tuple[int, ...], ...]) -> None:
    """Over chance, and over what seat 1 may hold: the cards that seat 0 does not see, drawn without replacement."""
    game, states = picnic_with(*hands)
    unseen = np.array(hands[1]) + np.array(hands[2])
    cards = [food for food in range(3) for _ in range(unseen[food])]
    deals = [np.bincount(deal, minlength=3) for deal in _choices(cards, sum(hands[1]))]
    exact: dict[int, list[float]] = {}
    for deal in deals:
        _, rows = picnic_with(hands[0], tuple(map(int, deal)), tuple(map(int, unseen - deal)))
        for action, value in Exact(game, random_play=True).actions(rows).items():
            exact.setdefault(action, []).append(value[0])
    found = search(game, states, 40_000, agent=FlatAgent, exploration=50.0)
    assert set(found) == set(exact)
    for action, (visits, mean) in found.items():
        assert mean == pytest.approx(np.mean(exact[action]), abs=5 * 4.0 / visits**0.5)


def _choices(cards: list[int], number: int) -> list[list[int]]:
    if number == 0:
        return [[]]
    return [
        [card, *rest]
        for place, card in enumerate(cards)
        for rest in _choices(cards[:place] + cards[place + 1 :], number - 1)
    ]


# --------------------------------------------------------------------------------------------------
# UCB1 over availability


def children_of(*children: tuple[float, int, int]) -> Any:
    """Return a root and its children, by actions from 0 on: mean return, visits and how often each was available."""
    nodes = np.zeros(1 + len(children), NODE)
    for node, (mean, visits, available) in zip(nodes[1:], children, strict=True):
        node.value, node.num_visits, node.num_available = mean * visits, visits, available
    return nodes


@pytest.mark.parametrize(("available", "best"), [(2, 0), (3, 0), (20, 2), (99, 2)])
def test_a_rare_action_is_tried_by_how_often_it_could_have_been(available: int, best: int) -> None:
    """Tried twice in 100 visits, it is due again if it was often legal, but not if it was legal in few draws."""
    nodes = children_of((0.6, 60, 99), (0.5, 38, 99), (0.0, 2, available), (9.0, 1, 7))
    scores = [
        0.6 + 0.7 * (log(100) / 60) ** 0.5,
        0.5 + 0.7 * (log(100) / 38) ** 0.5,
        0.0 + 0.7 * (log(available + 1) / 2) ** 0.5,
    ]
    assert scores[best] == max(scores)
    child_of = np.array([1, 2, 3, 4, NO_NODE], np.int32)
    legal = np.array([0, 1, 2, 4], np.int16)  # not the fourth child, and one that has no node
    assert select_child(nodes, legal, 4, child_of, 0.7, 0.0) == 1 + best
    assert nodes["num_available"].tolist() == [0, 100, 100, available + 1, 7]


@pytest.mark.usefixtures("picnic")
def test_availability_counts_the_draws_in_which_an_action_is_legal() -> None:
    """After seat 0 waits, seat 1 can eat its card: in a draw one of three berries, a honeycomb and a salmon."""
    game, states = picnic_with((0, 0, 0), (0, 1, 0), (3, 0, 1))
    hidden, rng = views.hidden(game, states, 0), seed_words(0)
    searcher = Searcher(game, MctsAgent(exploration=3.0).options_for(game))
    wait, *eat = (game.actions.index(text, 0) for text in ("wait", "eat berry", "eat honey_comb", "eat salmon"))
    tree = searcher.search(hidden, 0, rng, Budget(1))
    known: dict[int, tuple[int, float]] = {}
    available: Counter[int] = Counter()
    for _ in range(600):
        hand = views.determinized(game, hidden, 0, rng.copy())["seats"]["hand"][0, 1]
        root = tree.nodes[0].copy()
        tree = searcher.search(hidden, 0, rng, Budget(1), tree)
        below = searcher.below(tree, wait)
        found = {} if below is None else merge([below])
        for chosen in [action for action in found if found[action] != known.get(action)]:
            legal = [action for action in found if action not in eat or hand[eat.index(action)]]
            available.update(legal)
            if chosen in known:
                variance = root.square / root.num_visits - (root.value / root.num_visits) ** 2
                scores = {
                    action: mean + 3.0 * (variance * log(available[action]) / visits) ** 0.5
                    for action, (visits, mean) in known.items()
                    if action in legal
                }
                assert scores[chosen] == pytest.approx(max(scores.values()))
        known = found
    last = searcher.below(tree, wait)
    assert last is not None
    assert {int(node["action"]): int(node["num_available"]) for node in last.children()} == available
    assert 10 < available[eat[2]] < available[wait] / 3, "a salmon is rare"


# --------------------------------------------------------------------------------------------------
# From the view alone, the same way each time


@pytest.mark.parametrize(("name", "num_players"), GAMES)
def test_depends_on_the_view_alone(name: str, num_players: int) -> None:
    """Two truths that the seat cannot tell apart lead to the same decision, and to the same numbers."""
    game = load_game(name, num_players=num_players)
    batch = bearenvs.Batch(game, 8, seed=3)
    batch.reset()
    searcher, budget = Searcher(game, MctsAgent().options_for(game)), Budget(20)
    differ = 0
    for ply in range(60):
        if ply % 6 == 0:
            truth = batch.states[ply % 8 : ply % 8 + 1].copy()
            seat = int(truth[0].to_act)
            other = views.determinized(game, truth, seat, seed_words(ply))
            differ += truth.tobytes() != other.tobytes()
            one, two = (
                searcher.search(views.hidden(game, states, seat), seat, seed_words(1), budget)
                for states in (truth, other)
            )
            assert one.nodes[: one.size].tobytes() == two.nodes[: two.size].tobytes()
            acts = [
                decide(MctsAgent(budget), view_of(game, views.hidden(game, states, seat), agents_rng(1)))[0]
                for states in (truth, other)
            ]
            assert acts[0] == acts[1]
        batch.step(batch.random_actions())
    assert differ > 0


@pytest.mark.parametrize(("name", "num_players"), GAMES)
def test_interpreted_it_thinks_the_same(name: str, num_players: int) -> None:
    compiled, plain = (load_game(name, num_players=num_players, compiled=compiled) for compiled in (True, False))
    budget = Budget(3)
    for view in some_views(name, num_players, plies=21, step=20):
        grown = []
        for game in (compiled, plain):
            searcher = Searcher(game, MctsAgent(max_rollout=5).options_for(game))
            root, seat = view.states[:1], int(view.seats[0])
            tree = searcher.search(root, seat, view.rng[0].copy(), budget)
            tree = searcher.search(root, seat, view.rng[1].copy(), budget, tree)
            below = searcher.below(tree, int(tree.nodes["action"][tree.nodes["first_child"][0]]))
            assert below is not None
            grown.append([one.nodes[: one.size].tobytes() for one in (tree, below)])
        assert grown[0] == grown[1]


@pytest.mark.parametrize(("name", "num_players"), GAMES)
@pytest.mark.parametrize("make", AGENTS)
def test_plays_legally_and_repeatably(name: str, num_players: int, make: Any) -> None:
    for view in some_views(name, num_players, plies=21):
        actions = decide(make(Budget(10)), again(view))
        np.testing.assert_array_equal(actions, decide(make(Budget(10)), again(view)))
        one_by_one = [
            decide(
                make(Budget(10)),
                replace(
                    view,
                    **{
                        field: getattr(view, field)[i : i + 1].copy()
                        for field in ("states", "seats", "observation", "action_mask", "legal", "num_legal", "rng")
                    },
                ),
            )[0]
            for i in range(len(view))
        ]
        np.testing.assert_array_equal(actions, one_by_one)


def test_values_are_returns_and_visits_add_up() -> None:
    game = load_game("honey_wars", num_players=4)
    found = search(game, spending(game, 6, 1, 0, 10, 12), 500)
    assert sum(visits for visits, _ in found.values()) == 500
    assert all(-1.0 <= value <= 1.0 for _, value in found.values())


# --------------------------------------------------------------------------------------------------
# Going on with a tree


def played(name: str, num_envs: int, plies: int, **options: Any) -> tuple[list[Any], int]:
    """Return all actions of games between one searching agent and itself, and how many trees were gone on with."""
    batch = bearenvs.Batch(load_game(name), num_envs, seed=5)
    batch.reset()
    looks, agent = Views(batch, seed=5), MctsAgent(Budget(30), **options)
    actions, reused = [], 0
    recall = agent._recall

    def count(view: View, i: int) -> list[Tree | None]:
        nonlocal reused
        trees = recall(view, i)
        reused += trees[0] is not None
        return trees

    agent._recall = count  # type: ignore[method-assign]  # counts
    for _ in range(plies):
        actions.append(decide(agent, looks.of(np.arange(num_envs))))
        batch.step(actions[-1])
    return actions, reused


def test_a_kept_tree_may_hold_answers_to_other_questions() -> None:
    """After one action hidden cards may lead to several: the most visited child need not be legal at the next one."""
    batch = bearenvs.Batch(load_game("outrun_the_bear", num_players=3), 1, seed=5)
    batch.reset()
    (view,) = [Views(batch, seed=5).of(np.arange(1))]
    legal = view.legal[0, : view.num_legal[0]].tolist()
    assert len(legal) > 1
    other = next(action for action in range(batch.game.num_actions) if action not in legal)
    nodes = np.zeros(2, NODE)
    nodes[["first_child", "next_sibling"]] = -1
    nodes[0]["first_child"], nodes[0]["action"] = 1, -1
    nodes["seat"], nodes["num_visits"], nodes[1]["action"] = view.seats[0], 100_000, other
    agent = MctsAgent(Budget(30))
    assert view.games is not None
    agent._kept[int(view.games[0])] = (view.game, view.states[0].tobytes(), [Tree(nodes, 2)])
    assert decide(agent, view)[0] in legal


@pytest.mark.parametrize("name", ["honey_wars", "ursa_miner", "outrun_the_bear"])
def test_trees_are_gone_on_with_alike_in_single_games_and_batches(name: str) -> None:
    many, reused = played(name, 3, 40)
    one, _ = played(name, 1, 40)
    assert reused > 0
    np.testing.assert_array_equal(np.array(many)[:, 0], np.array(one)[:, 0])
    assert played(name, 3, 40, reuses_trees=False)[1] == 0


@pytest.mark.parametrize("name", ["honey_wars", "ursa_miner", "outrun_the_bear"])
def test_what_a_kept_tree_is_meant_for(name: str) -> None:
    """The row foreseen is what the seat then sees, and other rows find no tree."""
    batch = bearenvs.Batch(load_game(name), 1, seed=2)
    batch.reset()
    looks, agent = Views(batch), MctsAgent(Budget(30))
    met = 0
    for _ in range(60):
        view = looks.of(np.zeros(1, np.int64))
        if agent._kept:
            met += 1
            (_, row, trees), *_ = agent._kept.values()
            assert row == view.states.tobytes()
            assert trees[0] is not None
            agent.act(again(view, states=np.zeros_like(view.states), num_legal=np.ones(1, np.int64)))
            assert not agent._kept, "a row it is not meant for"
        batch.step(agent.act(view))
    assert met > 0


def test_more_visits_where_a_tree_is_gone_on_with() -> None:
    game = load_game("honey_wars")
    states = spending(game, 9, 1, 0, 10, 12)
    searcher, budget = Searcher(game, MctsAgent().options_for(game)), Budget(400)
    hidden = views.hidden(game, states, 0)
    tree = searcher.search(hidden, 0, seed_words(0), budget)
    action = game.actions.index("build small_hive", 0)
    row = searcher.row_after(hidden, 0, action, seed_words(1))
    assert row is not None
    below = searcher.below(tree, action)
    assert below is not None
    visits = int(below.nodes["num_visits"][0])
    assert visits == merge([tree])[action][0]
    later = searcher.search(np.frombuffer(row, game.state_dtype), 0, seed_words(2), budget, below)
    assert later.nodes["num_visits"][0] == visits + 400
    end, keep = (game.actions.index(text, 0) for text in ("end", "keep"))
    after_end = searcher.row_after(hidden, 0, end, seed_words(1))
    assert after_end is not None
    drawn = searcher.row_after(np.frombuffer(after_end, game.state_dtype), 0, keep, seed_words(1))
    assert drawn is None, "chance, and then the other seat"


def test_a_subtree_is_cut_off_at_the_room_there_is() -> None:
    game = load_game("honey_wars")
    states = spending(game, 9, 1, 0, 10, 12)
    searcher = Searcher(game, MctsAgent().options_for(game))
    tree = searcher.search(views.hidden(game, states, 0), 0, seed_words(0), Budget(300))
    take = search_binder(type(game), True)(take_subtree)
    room = np.empty(5, NODE)
    assert take(tree.nodes, 0, room, np.empty(5, np.int32)) == 5
    assert (room["first_child"] < 5).all() and (room["next_sibling"] < 5).all()


# --------------------------------------------------------------------------------------------------
# Budgets, threads, options


def test_threads_are_trees_that_add_up() -> None:
    view = some_views("honey_wars", 2)[1]
    four = MctsAgent(Budget(200), num_threads=4)
    first = four.act(again(view))
    for _ in range(3):
        np.testing.assert_array_equal(first, MctsAgent(Budget(200), num_threads=4).act(again(view)))
    assert [share.iterations for share in Budget(10).shares(4)] == [3, 3, 2, 2]
    assert len(Budget(2).shares(4)) == 2


def test_a_time_budget_ends_the_search() -> None:
    game = load_game("honey_wars")
    search(game, spending(game, 6, 1, 0), 1)
    searcher = Searcher(game, MctsAgent().options_for(game))
    started = time.perf_counter()
    for budget in (Budget(seconds=0.05), Budget(10**7, 0.05)):
        tree = searcher.search(views.hidden(game, spending(game, 6, 1, 0), 0), 0, seed_words(0), budget)
        assert 0 < tree.nodes["num_visits"][0] < 10**7
    assert time.perf_counter() - started < 20


def test_a_full_tree_goes_on_without_new_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bearagents.mcts.searcher.MOST_NODES", 4)
    game = load_game("honey_wars")
    states = spending(game, 6, 1, 0, 10, 12)
    searcher = Searcher(game, MctsAgent().options_for(game))
    tree = searcher.search(views.hidden(game, states, 0), 0, seed_words(0), Budget(500))
    assert tree.size == 4
    assert tree.nodes["num_visits"][0] == 500
    below = searcher.below(tree, next(iter(merge([tree]))))
    later = searcher.search(views.hidden(game, states, 0), 0, seed_words(0), Budget(10), below)
    assert later.size <= 4


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"iterations": 0}, "iterations=0: at least 1"),
        ({"iterations": 10**12}, "at most 10,000,000"),
        ({"iterations": 2.5}, "iterations=2.5: an integer"),
        ({"iterations": "7"}, "iterations=.7.: an integer"),
        ({"seconds": 0.0}, "seconds=0.0"),
        ({"iterations": True}, "iterations=True: an integer"),
        ({"iterations": 10**5000}, "iterations=an integer too large to be written: at least 1"),
        ({"seconds": float("nan")}, "seconds=nan"),
        ({"seconds": 10**400}, "at most 3,600"),
        ({"seconds": "1"}, "seconds='1': more than 0"),
        ({"seconds": True}, "seconds=True: more than 0"),
        ({}, "iterations or seconds"),
    ],
)
def test_wrong_budgets(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        Budget(**wrong)


def test_budgets_in_words() -> None:
    assert Budget.read("1000") == Budget(1000)
    assert Budget.read("0.1s") == Budget(seconds=0.1)
    assert [str(Budget.read(text)) for text in ("7", "2s", "0.25s")] == ["7", "2s", "0.25s"]
    for text in ("s", "1e3", "5m", "", "1.5"):
        with pytest.raises(SettingsError, match="no budget"):
            Budget.read(text)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rollout": "clever"}, "'clever': one of auto, random, heuristic"),
        ({"rollout": ["auto"]}, "one of auto, random, heuristic"),
        ({"budget": 100}, r"budget=100: a Budget, as in Budget\(1000\)"),
        ({"num_threads": 0}, "num_threads=0: an integer from 1 to 256"),
        ({"num_threads": 2.5}, "num_threads=2.5: an integer from 1 to 256"),
        ({"num_threads": True}, "num_threads=True: an integer"),
        ({"max_depth": 0}, "max_depth=0: an integer from 1 to 100,000"),
        ({"max_depth": 2.5}, "max_depth=2.5: an integer from 1 to 100,000"),
        ({"max_depth": 10**9}, "max_depth=1000000000: an integer from 1 to 100,000"),  # 4 GB for the way down
        ({"max_rollout": -1}, "max_rollout=-1: an integer from 0$"),
        ({"max_rollout": 1.5}, "max_rollout=1.5: an integer from 0$"),
        ({"horizon": 0}, "horizon=0: an integer from 1$"),
        ({"horizon": 2.5}, "horizon=2.5: an integer from 1$"),
        ({"horizon": float("nan")}, "horizon=nan: an integer from 1$"),
        ({"widening": 0.0}, "widening=0.0: a finite number above 0"),
        ({"exploration": -1.0}, "exploration=-1.0: a finite number, at least 0"),
        ({"exploration": float("nan")}, "exploration=nan: a finite number"),
        ({"exploration": "x"}, "exploration='x': a finite number"),
        ({"exploration": False}, "exploration=False: a finite number"),
        ({"trust": float("inf")}, "trust=inf: a finite number, at least 0"),
        ({"trust": 10**400}, "trust=10*: a finite number"),
        ({"trust": None}, "trust=None: a finite number"),
    ],
)
def test_wrong_options(options: dict[str, Any], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        MctsAgent(**options)


def test_options_at_their_ends_reach_the_kernels() -> None:
    """What is more than a game can take means never, and numbers may be NumPy's."""
    game = load_game("ursa_miner")
    never = MctsAgent(Budget(1), horizon=10**12, max_rollout=10**30).options_for(game)
    assert never["horizon"] == never["max_rollout"] == NEVER
    least: dict[str, Any] = {"horizon": np.int64(1), "max_rollout": 0, "max_depth": 1, "trust": np.float32(0)}
    found = MctsAgent(Budget(1), exploration=0, **least).options_for(game)
    assert found[[*least, "exploration"]][0].tolist() == (1, 0, 1, 0.0, 0.0)
    decide(MctsAgent(Budget(2), horizon=10**12), some_views("ursa_miner", 2, plies=1)[0])


def test_flat_search_says_which_options_it_does_not_have() -> None:
    with pytest.raises(SettingsError, match="no choice of max_depth, reuses_trees: leave it out"):
        FlatAgent(Budget(10), reuses_trees=True, max_depth=3)
    assert FlatAgent(Budget(10), max_rollout=5, rollout="random").name == "flat-random:10"


@pytest.mark.usefixtures("picnic")
def test_a_game_without_heuristic_or_forecast() -> None:
    game = load_game("picnic")
    with pytest.raises(UnfitError, match="no heuristic for 'picnic'"):
        MctsAgent(rollout="heuristic").options_for(game)
    for view in some_views("picnic", 3):
        decide(MctsAgent(Budget(20)), view)


def test_name_says_what_it_is() -> None:
    assert MctsAgent(Budget(10)).name == "mcts:10"
    assert MctsAgent(Budget(seconds=0.5), rollout="random").name == "mcts-random:0.5s"
    assert FlatAgent(Budget(10)).name == "flat:10"
