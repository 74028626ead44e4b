"""The ladder: how strong each kind of player is, by a fixed protocol.

Every pair of the field meets alone, each of the two in as many seats as the other, in all seats in turn and from the
same deals (:mod:`bearagents.arena`), with the seeds from :data:`SEED` on. A pair's *score* is the share that the second
has of all that the two win, so 50% between equals at any number of seats; a truncated game counts half for each.

How many games a pair plays follows from what its decisions cost, so that the whole takes about the time it is given:
each pair gets the same time, a pair that makes a step of the ladder :data:`STEP_WEIGHT` times as much, and what cheap
pairs leave of theirs goes to the others. A pair that could not even play :data:`FEWEST_ROUNDS` rounds in a quarter of
the whole time, with a processor for each, is left out, which the results say. Several processors share a pair's rounds
where those take long (:data:`PARTS`); what comes of them is the same for players that draw their random numbers from
the views: those that are seeded by their reset are so anew in each part.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from math import ceil
from multiprocessing import get_context
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from bearagents.agent import Agent, AgentError, Views, consult, forgiving, reset
from bearagents.arena import Results, compete, join, line_ups, schedule
from bearagents.isolated import IsolatedAgent, print_to_stderr
from bearagents.names import baselines_of, load_agent
from bearagents.provenance import usable_processors
from bearagents.ratings import Estimate, rate, share
from bearenvs.batch import Batch
from bearenvs.errors import BearenvsError, SettingsError
from bearenvs.game import Game

FIELD = ("random", "heuristic", "flat:1000", "mcts:100", "mcts:1000", "mcts:10000", "ppo")
QUICK_FIELD = tuple(name for name in FIELD if name != "mcts:10000")
STEPS = (
    ("random", "heuristic"),
    ("heuristic", "mcts:1000"),
    ("heuristic", "ppo"),
    ("flat:1000", "mcts:1000"),
    ("mcts:100", "mcts:1000"),
    ("mcts:1000", "mcts:10000"),
)
"""Who should lose to whom."""
STEP_WEIGHT = 4
SEED = 1_000_000
FEWEST_ROUNDS = 6
MOST_GAMES = 2000
"""Games of a pair at most."""
PARTS = 8
"""No job of a processor takes longer than about the whole time divided by this."""
SAMPLES = 8
"""Decisions by which an agent's cost is measured."""


@dataclass(frozen=True)
class Rung:
    """One player and where it stands."""

    name: str
    rating: Estimate
    """In Elo points, by all scores: a gap of 400 says that the one wins ten times as much as the other."""
    seconds_per_decision: float
    forfeits: int
    fault: str
    """What it did when it first forfeited; empty if it never did."""


@dataclass(frozen=True)
class Pair:
    """How two players did against each other."""

    lower: str
    upper: str
    rounds: int
    games: int
    truncated: int
    score: Estimate
    """The share of ``upper`` in what both won."""

    @property
    def holds(self) -> bool:
        """Whether ``upper`` is the stronger one with 95% confidence."""
        return self.score.low > 0.5


@dataclass(frozen=True)
class Ladder:
    """What the games came to: the strongest first."""

    game: Game
    rungs: tuple[Rung, ...]
    pairs: tuple[Pair, ...]
    left_out: dict[str, str]
    """Players and pairs that did not play, and why."""
    seconds: float

    @property
    def steps(self) -> list[Pair]:
        """The pairs of :data:`STEPS` that played."""
        return [pair for step in STEPS for pair in self.pairs if (pair.lower, pair.upper) == step]

    @property
    def neighbours(self) -> list[Pair]:
        """The pairs of players that stand one above the other, from the bottom, if they played."""
        names = [rung.name for rung in reversed(self.rungs)]
        found = [self.between(lower, upper) for lower, upper in pairwise(names)]
        return [pair for pair in found if pair is not None]

    def between(self, lower: str, upper: str) -> Pair | None:
        """Return how ``upper`` did against ``lower``; None if they did not play."""
        for pair in self.pairs:
            if (pair.lower, pair.upper) == (lower, upper):
                return pair
            if (pair.upper, pair.lower) == (lower, upper):
                score = Estimate(1 - pair.score.value, 1 - pair.score.high, 1 - pair.score.low)
                return Pair(lower, upper, pair.rounds, pair.games, pair.truncated, score)
        return None


def climb(
    game: Game,
    field: Sequence[str] = FIELD,
    *,
    seconds: float,
    time_limit: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Ladder:
    """Let the players of ``field`` meet for about ``seconds`` on all processors, and return how they stand.

    Players that this game has not (``ppo`` without a policy, ``heuristic``) are left out. ``time_limit`` gives each
    player a process of its own and so many seconds a decision. ``on_progress``: games played, games in all.

    AgentError for a player that does not exist; SettingsError for fewer than two players, or too little time for all.
    """
    if not seconds > 0:
        raise SettingsError(f"seconds={seconds:g}: more than 0 are needed")
    if game.is_cooperative:
        raise SettingsError(f"{game.title} with these settings is cooperative: all win together, and nobody is above")
    started = perf_counter()
    names, left_out = _present(game, field)
    jobs = usable_processors()
    with _workers(jobs) as pool:
        costs = dict(zip(names, pool.map(partial(_cost, game, time_limit=time_limit), names), strict=True))
        prices = _prices(game, _pairs(names), costs)
        games = _shares(game, prices, seconds, jobs)
        if not any(games.values()):
            pair = min(prices, key=lambda pair: prices[pair])
            raise SettingsError(
                f"too little time for any pair: {seconds:g} seconds; {pair[0]} against {pair[1]} needs"
                f" {ceil(_least(game, prices[pair], jobs)):,}"
            )
        left_out |= _too_slow(names, games)
        parts = {pair: _parts(game, games[pair], prices[pair], seconds / PARTS) for pair in prices if games[pair]}
        # The longest first, so that no processor is left with one in the end.
        todo = [(pair, part) for pair in parts for part in parts[pair]]
        todo.sort(key=lambda job: -len(job[1]) * prices[job[0]])
        futures = {pool.submit(_meet, game, pair, games[pair], part, time_limit): (pair, part) for pair, part in todo}
        found: dict[tuple[tuple[str, str], range], Results] = {}
        done, total = 0, sum(games.values())
        for future in as_completed(futures):
            results = found[futures[future]] = future.result()
            done += results.truncated.size
            if on_progress is not None:
                on_progress(done, total)
    met = [(pair, join([found[pair, part] for part in parts[pair]])) for pair in parts]
    return Ladder(
        game=game,
        rungs=_rungs([name for name in names if name not in left_out], met),
        pairs=tuple(_score(pair, results) for pair, results in met),
        left_out=left_out,
        seconds=perf_counter() - started,
    )


@contextmanager
def _workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    # Threads, which compiled code has, survive no fork.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=print_to_stderr)
    try:
        yield pool
    except BrokenProcessPool:
        raise AgentError("a player ended the process in which it played: a time limit gives each its own") from None
    finally:
        pool.shutdown(cancel_futures=True)  # after an error nobody waits for the jobs that have not begun


def _present(game: Game, field: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the players that can play, in the order of ``field``, and why the others cannot."""
    names, left_out = [], {}
    for name in dict.fromkeys(field):
        if name in FIELD:
            try:
                load_agent(name, game)
            except BearenvsError as error:
                left_out[name] = str(error)
                continue
        names.append(name)
    if len(names) < 2:
        raise SettingsError(f"a ladder needs two players or more, not {', '.join(names) or 'none'}")
    return names, left_out


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return all pairs, those of a step in its order."""
    return [(b, a) if (b, a) in STEPS else (a, b) for a, b in combinations(names, 2)]


# --------------------------------------------------------------------------------------------------
# How many games


def _prices(game: Game, pairs: Iterable[tuple[str, str]], costs: dict[str, float]) -> dict[tuple[str, str], float]:
    """Return how many seconds a game of each pair takes."""
    decisions = _decisions(game) * game.num_players / 2  # of each of the two
    return {pair: decisions * sum(costs[name] for name in pair) for pair in pairs}


def _shares(game: Game, prices: dict[tuple[str, str], float], seconds: float, jobs: int) -> dict[tuple[str, str], int]:
    """Return how many games, in whole rounds, each pair plays; 0 for a pair that is left out.

    With so many ``jobs`` at once, all take about ``seconds``.
    """
    seats = game.num_players
    games = dict.fromkeys(prices, 0)
    weights = {
        pair: STEP_WEIGHT if pair in STEPS else 1 for pair in prices if _least(game, prices[pair], jobs) <= seconds
    }
    left = seconds * jobs
    # Who needs the least of its share comes first, and what it leaves raises the shares of the others.
    for pair in sorted(weights, key=lambda pair: prices[pair] / weights[pair]):
        allowed = left * weights[pair] / sum(weights.values())
        del weights[pair]
        wanted = int(min(max(allowed / prices[pair], _fewest(game)), MOST_GAMES))
        games[pair] = wanted - wanted % len(schedule([0, 1], seats, wanted))
        left = max(left - games[pair] * prices[pair], 0.0)
    return games


def _least(game: Game, price: float, jobs: int) -> float:
    """Return the fewest seconds for a ladder in which a pair plays whose games take ``price`` seconds."""
    return 4 * _fewest(game) * price / min(jobs, FEWEST_ROUNDS)  # a round is played by one


def _fewest(game: Game) -> int:
    return FEWEST_ROUNDS * len(line_ups([0, 1], game.num_players)) * game.num_players


def _parts(game: Game, games: int, price: float, seconds: float) -> list[range]:
    """Return the rounds that ``games`` make, cut into parts of about ``seconds`` at most."""
    rounds = games // len(schedule([0, 1], game.num_players, games))
    count = min(max(ceil(games * price / seconds), 1), rounds)
    return [range(start, end) for start, end in pairwise(rounds * place // count for place in range(count + 1))]


def _too_slow(names: Iterable[str], games: dict[tuple[str, str], int]) -> dict[str, str]:
    """Return the players, and of the others the pairs, that play no game."""
    found = [name for name in names if not any(games[pair] for pair in games if name in pair)]
    idle = [pair for pair in games if not games[pair] and not {*pair} & {*found}]
    return dict.fromkeys([*found, *(f"{lower} against {upper}" for lower, upper in idle)], "too slow for this time")


def _decisions(game: Game) -> float:
    """Return how many decisions a seat has in a game between baselines."""
    found = compete(game, {"baseline": _baseline(game)}, games=2 * FEWEST_ROUNDS, seed=SEED)
    return float(found.decisions.sum() / found.returns.size)


def _baseline(game: Game) -> Agent:
    return load_agent(baselines_of(game)[-1], game)


def _cost(game: Game, name: str, time_limit: float | None) -> float:
    """Return how many seconds a decision takes: the mean over all phases of a game between baselines."""
    batch = Batch(game, SAMPLES, seed=SEED)
    batch.reset()
    views, baseline = Views(batch, SEED), _baseline(game)
    length = ceil(_decisions(game) * game.num_players)
    moments = [length * place // SAMPLES for place in range(SAMPLES)]
    spent = 0.0
    reset(baseline, 0)
    with _seated(game, name, time_limit) as agent:
        with forgiving():
            reset(agent, 0)
        _ask(agent, views, 0)  # compiles
        for ply in range(moments[-1] + 1):
            for place in np.flatnonzero(np.array(moments) == ply):
                started = perf_counter()
                _ask(agent, views, int(place))
                spent += perf_counter() - started
            batch.step(consult(baseline, views.of(np.arange(SAMPLES))).actions)
    return spent / SAMPLES


def _ask(agent: Agent, views: Views, game: int) -> None:
    with forgiving():
        consult(agent, views.of(np.array([game])))


def _seated(game: Game, name: str, time_limit: float | None) -> Any:
    """Return the player as a context."""
    return nullcontext(load_agent(name, game)) if time_limit is None else IsolatedAgent(name, game, time_limit)


# --------------------------------------------------------------------------------------------------
# What came of them


def _meet(game: Game, pair: tuple[str, str], games: int, rounds: range, time_limit: float | None) -> Results:
    with _seated(game, pair[0], time_limit) as lower, _seated(game, pair[1], time_limit) as upper:
        return compete(game, {pair[0]: lower, pair[1]: upper}, games=games, seed=SEED, rounds=rounds)


def _score(pair: tuple[str, str], results: Results) -> Pair:
    rounds, seatings = results.truncated.shape
    return Pair(
        *pair,
        rounds=rounds,
        games=rounds * seatings,
        truncated=int(results.truncated.sum()),
        score=share(_scores(results)),
    )


def _scores(results: Results) -> npt.NDArray[np.float64]:
    """Return the score of the second in each round, (rounds,)."""
    shares = np.where(results.seatings == 1, results.shares, -results.shares)
    scores: npt.NDArray[np.float64] = 0.5 + shares.sum(axis=2).mean(axis=1) / 2
    return scores


def _rungs(names: Sequence[str], met: Sequence[tuple[tuple[str, str], Results]]) -> tuple[Rung, ...]:
    """Rate the players by the scores of all pairs."""
    rounds = [np.zeros((results.truncated.shape[0], len(names), len(names))) for _, results in met]
    decisions, thinking, forfeits = (np.zeros(len(names)) for _ in range(3))
    faults: dict[int, str] = {}
    for (pair, results), won in zip(met, rounds, strict=True):
        who = np.array([names.index(name) for name in pair])
        scores, games = _scores(results), results.truncated.shape[1]
        won[:, who[1], who[0]], won[:, who[0], who[1]] = games * scores, games * (1 - scores)
        decisions[who] += results.decisions
        thinking[who] += results.thinking
        forfeits[who] += [(results.forfeited == place).sum() for place in range(2)]
        for place, fault in results.faults.items():
            faults.setdefault(int(who[place]), fault)
    ratings = rate(np.concatenate(rounds))
    rungs = [
        Rung(
            name=name,
            rating=ratings[index],
            seconds_per_decision=float(thinking[index] / max(decisions[index], 1)),
            forfeits=int(forfeits[index]),
            fault=faults.get(index, ""),
        )
        for index, name in enumerate(names)
    ]
    return tuple(sorted(rungs, key=lambda rung: -rung.rating.value))
