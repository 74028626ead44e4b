"""The arena: agents play each other in all seats, from the same deals.

A *line-up* says which agents play; a *seating* puts them in order. A *round* turns every line-up around the table, all
with the same seed, so that no agent owes its result to a better seat or a luckier deal. Nor to whom it follows: each
round has the agents in another cyclic order, or in every order if there are games enough.

An agent that fails in a game *forfeits* it: by an exception, an answer that is no legal action, or, in a process of
its own (:mod:`bearagents.isolated`), by taking too long or ending. The game stops there. Each of the agent's seats is
paid -1, what the worst of results pays, and the other seats share the win: 1/k to each of k. So nobody gains or loses
by who would have won, and two agents get what they get for a game that was played. If all seats are the agent's, the
game counts as truncated. In a cooperative game all win or none, so every seat is paid -1. When an answer for many games
at once fails as a whole, the agent is asked once more, for one game at a time, and forfeits only those in which it
fails again. The other games go on.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import comb, factorial, prod

import numpy as np
import numpy.typing as npt

from bearagents.agent import (
    Agent,
    AgentError,
    UnfitError,
    Views,
    agent_seed,
    agents_rng,
    consult,
    decide,
    forgiving,
    reset,
    view_of,
)
from bearagents.isolated import IsolatedAgent
from bearenvs.batch import Batch
from bearenvs.errors import SettingsError
from bearenvs.game import Game
from bearenvs.playthrough import Playthrough, record

Ints = npt.NDArray[np.int64]

ENOUGH_ROUNDS = 30
"""With fewer rounds than this to play, a round has every line-up in one cyclic order and not in all."""
_STRIDE = 1_000_003
"""From a round to the next in the list of cyclic orders: a prime, so that each has its turn, and far, so that
neighbours change where rounds are few."""
FEWEST_ROUNDS = 2
"""Intervals need as many."""
MOST_LINE_UPS = 100_000
BATCH_SIZE = 2048


@dataclass(frozen=True)
class Results:
    """What an arena's games came to, before any statistics. Axes: round, seating, seat."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    """Round r was played with ``seed + r``."""
    seatings: Ints
    """(rounds, seatings, seats): the agent in each seat, an index of ``agents``."""
    returns: npt.NDArray[np.float64]
    """(rounds, seatings, seats)."""
    truncated: npt.NDArray[np.bool_]
    """(rounds, seatings)."""
    forfeited: Ints
    """(rounds, seatings): the agent that forfeited the game, or -1."""
    faults: Mapping[int, str]
    """Of each agent that forfeited: what it did the first time."""
    decisions: Ints
    """(agents,) how many decisions each took, and"""
    thinking: npt.NDArray[np.float64]
    """(agents,) how many seconds it spent on them."""
    seconds: float
    """How long all games took."""

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """Each seat's share of the win, as :func:`~bearagents.ratings.wins` has it: (rounds, seatings, seats)."""
        from bearagents.ratings import wins  # noqa: PLC0415  # games are played without the extra 'arena' too

        returns = self.returns.reshape(-1, self.returns.shape[-1])
        return wins(self.game, returns, self.truncated.ravel()).reshape(self.returns.shape)


def compete(
    game: Game,
    agents: Mapping[str, Agent],
    *,
    games: int,
    entries: Sequence[str] | None = None,
    seed: int = 0,
    rounds: range | None = None,
    batch_size: int = BATCH_SIZE,
    on_progress: Callable[[int, int], None] | None = None,
) -> Results:
    """Play at most ``games`` games, as many as make whole rounds, and return the results.

    ``entries`` are names of ``agents``, each as often as it may sit at one table (see :func:`line_ups`); by default
    every agent once. ``rounds``: play only these of the rounds, to be put together by :func:`join`. ``on_progress`` is
    called with the games that are over and the games in all. Results depend on ``seed``, but not on ``batch_size``, the
    number of games that go on at once.

    SettingsError if ``games`` are too few for intervals. An agent that fails forfeits (see above); UnfitError if one
    says before the games that it cannot play this one.
    """
    names = tuple(agents)
    entries = names if entries is None else entries
    if set(entries) != set(names):
        raise SettingsError(
            f"entries {list(entries)}: these agents have to be named, each at least once: {list(names)}"
        )
    listed = [names.index(name) for name in entries]
    size = len(schedule(listed, game.num_players, games))
    rounds = range(games // size) if rounds is None else rounds
    seatings = np.stack([schedule(listed, game.num_players, games, seed + place) for place in rounds])
    seed += rounds.start
    tables = seatings.reshape(-1, game.num_players)
    seeds = seed + np.repeat(np.arange(len(rounds)), size)
    _warm_up(game, agents.values())
    hall = _Hall(game, list(agents.values()), seed)
    started = time.perf_counter()
    for first in range(0, len(tables), batch_size):
        chunk = slice(first, first + batch_size)
        for done in hall.play(tables[chunk], seeds[chunk]):
            if on_progress is not None:
                on_progress(first + done, len(tables))
    shape = (len(rounds), size)
    return Results(
        game=game,
        agents=names,
        seed=seed,
        seatings=seatings,
        returns=np.concatenate(hall.returns).reshape(*shape, -1),
        truncated=np.concatenate(hall.truncated).reshape(shape),
        forfeited=np.concatenate(hall.forfeited).reshape(shape),
        faults=hall.faults,
        decisions=hall.decisions,
        thinking=hall.thinking,
        seconds=time.perf_counter() - started,
    )


def join(parts: Sequence[Results]) -> Results:
    """Return the results of one competition from those of its rounds, cut into ``parts``, in order."""
    faults: dict[int, str] = {}
    for part in parts:
        faults = {**part.faults, **faults}
    return replace(
        parts[0],
        seatings=np.concatenate([part.seatings for part in parts]),
        returns=np.concatenate([part.returns for part in parts]),
        truncated=np.concatenate([part.truncated for part in parts]),
        forfeited=np.concatenate([part.forfeited for part in parts]),
        faults=faults,
        decisions=np.sum([part.decisions for part in parts], axis=0),
        thinking=np.sum([part.thinking for part in parts], axis=0),
        seconds=sum(part.seconds for part in parts),
    )


def record_game(game: Game, seats: Sequence[Agent], seed: int) -> Playthrough:
    """Play the one game that the arena plays at ``seed`` with these agents in the seats, and return its record."""
    rng = agents_rng(seed)
    for number, agent in enumerate({id(agent): agent for agent in seats}.values()):
        reset(agent, agent_seed(seed, number))
    return record(game, seed, lambda states, seat: int(decide(seats[seat], view_of(game, states, rng))[0]))


# --------------------------------------------------------------------------------------------------
# Who sits where


def line_ups(entries: Sequence[int], num_seats: int) -> list[tuple[int, ...]]:
    """Return every choice of ``num_seats`` of the ``entries``. Too few entries all sit down again, as evenly as can be.

    >>> line_ups([0, 1, 2], 2)
    [(0, 1), (0, 2), (1, 2)]
    >>> line_ups([0, 1], 3)
    [(0, 0, 1), (0, 1, 1)]
    >>> line_ups([0, 1, 1], 3)
    [(0, 1, 1)]
    """
    everyone, rest = divmod(num_seats, len(entries))
    return sorted({tuple(sorted([*entries] * everyone + list(some))) for some in combinations(entries, rest)})


def schedule(entries: Sequence[int], num_seats: int, games: int, seed: int = 0) -> Ints:
    """Return the seatings (seatings, num_seats) of the round of this ``seed``.

    They are every order of every line-up if ``games`` allow it. Otherwise each line-up is put in the round's
    :func:`cyclic_order` of the agents and turned around the table: also then every agent sits equally often in every
    seat, and over rounds with successive seeds everyone follows everyone. Two agents have one cyclic order.

    SettingsError if not even that leaves enough rounds.
    """
    if not entries:
        raise SettingsError("the arena needs at least one agent")
    if comb(len(entries), num_seats % len(entries)) > MOST_LINE_UPS:
        raise SettingsError(f"{len(entries)} agents make more line-ups of {num_seats} than the arena takes; name fewer")
    chosen = line_ups(entries, num_seats)
    if ENOUGH_ROUNDS * sum(map(_num_orders, chosen)) <= games:
        seatings = sorted({order for line_up in chosen for order in permutations(line_up)})
    else:
        order = cyclic_order(sorted({*entries}), seed)
        chosen = line_ups([order.index(entry) for entry in entries], num_seats)
        turned = {line_up[k:] + line_up[:k] for line_up in chosen for k in range(num_seats)}
        seatings = sorted(tuple(order[place] for place in seating) for seating in turned)
    if games < FEWEST_ROUNDS * len(seatings):
        raise SettingsError(
            f"games={games}: these agents need at least {FEWEST_ROUNDS * len(seatings)}:"
            f" {FEWEST_ROUNDS} rounds, for intervals, of {len(seatings)} seatings"
        )
    return np.array(seatings, np.int64)


def cyclic_order(agents: Sequence[int], number: int) -> list[int]:
    """Return one of the (n-1)! orders of n ``agents`` around a table. So many successive numbers give each once.

    >>> [cyclic_order([0, 1, 2], number) for number in range(3)]
    [[0, 1, 2], [0, 2, 1], [0, 1, 2]]
    """
    first, *others = agents
    place = number * _STRIDE % factorial(len(others))
    order = [first]
    while others:
        which, place = divmod(place, factorial(len(others) - 1))
        order.append(others.pop(which))
    return order


def _num_orders(line_up: tuple[int, ...]) -> int:
    return factorial(len(line_up)) // prod(map(factorial, Counter(line_up).values()))


# --------------------------------------------------------------------------------------------------
# Playing


def _warm_up(game: Game, agents: Iterable[Agent]) -> None:
    """Reset and ask every agent once, so that no time of play goes into compiling."""
    batch = Batch(game, 1)
    batch.reset()
    for agent in agents:
        if isinstance(agent, IsolatedAgent):
            continue  # it has been asked
        with forgiving():
            reset(agent, 0)
            consult(agent, Views(batch).of(np.zeros(1, np.int64)))
    batch.step(batch.action_mask.argmax(axis=1))


class _Hall:
    """Where the games are played, a batch at a time; keeps the books."""

    def __init__(self, game: Game, agents: Sequence[Agent], seed: int) -> None:
        self._game = game
        self._agents = agents
        self.faults: dict[int, str] = {}
        self._out: set[int] = set()
        for index, agent in enumerate(agents):
            try:
                reset(agent, agent_seed(seed, index))
            except UnfitError:
                raise
            except AgentError as error:
                self.faults[index] = str(error)
                self._out.add(index)
        self.decisions: Ints = np.zeros(len(agents), np.int64)
        self.thinking: npt.NDArray[np.float64] = np.zeros(len(agents))
        self.returns: list[npt.NDArray[np.float64]] = []
        self.truncated: list[npt.NDArray[np.bool_]] = []
        self.forfeited: list[Ints] = []

    def play(self, tables: Ints, seeds: Ints) -> Iterator[int]:
        """Play one game at each of ``tables`` (n, seats), with its seed (n,), to the end; yield how many are over."""
        batch = Batch(self._game, len(tables), seed=seeds)
        batch.reset()
        views = Views(batch, seeds.tolist())
        returns = np.zeros(tables.shape)
        truncated = np.zeros(len(tables), np.bool_)
        forfeited = np.full(len(tables), -1)
        is_on = np.ones(len(tables), np.bool_)
        while is_on.any():
            # Games that are over begin anew by themselves and go on with any legal action, unnoticed.
            actions = batch.action_mask.argmax(axis=1)
            acting = np.where(is_on, tables[np.arange(len(tables)), batch.to_act], -1)
            for agent in np.unique(acting[is_on]):
                games = np.flatnonzero(acting == agent)
                found, has_failed = self._ask(int(agent), views, games)
                actions[games[~has_failed]] = found[~has_failed]
                forfeited[games[has_failed]] = agent
            is_on &= forfeited < 0
            batch.step(actions)
            returns[is_on] += batch.rewards[is_on]
            truncated |= is_on & batch.truncated
            is_on &= ~(batch.terminated | batch.truncated)
            yield int((~is_on).sum())
        for i in np.flatnonzero(forfeited >= 0):
            others = tables[i] != forfeited[i]
            shared = -1.0 if self._game.is_cooperative else 1 / max(others.sum(), 1)
            returns[i] = np.where(others, shared, -1.0)
            truncated[i] = not others.any()
        self.returns.append(returns)
        self.truncated.append(truncated)
        self.forfeited.append(forfeited)

    def _ask(self, agent: int, views: Views, games: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Return what an agent does in ``games``, and where it fails to do what is legal."""
        started = time.perf_counter()
        actions, has_failed = np.zeros(len(games), np.int64), np.zeros(len(games), np.bool_)
        asked = self._agents[agent]
        all_of_them = np.arange(len(games))
        todo = list(all_of_them[::-1, None]) if isinstance(asked, IsolatedAgent) else [all_of_them]
        if agent in self._out:
            todo, has_failed[:] = [], True
        while todo:
            rows = todo.pop()
            before = views.generators[games[rows]]
            try:
                answer = consult(asked, views.of(games[rows]))
            except AgentError as error:
                if len(rows) > 1:
                    views.generators[games[rows]] = before
                    todo = list(rows[::-1, None])
                    continue
                has_failed[rows] = True
                fault = str(error)
            else:
                actions[rows] = answer.actions
                has_failed[rows[answer.wrong]] = True
                fault = answer.fault
            if fault:
                self.faults.setdefault(agent, fault)
        self.thinking[agent] += time.perf_counter() - started
        self.decisions[agent] += (~has_failed).sum()
        return actions, has_failed
