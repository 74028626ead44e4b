"""The opponents of a training run and how often each is met: prioritised fictitious self-play.

After "Grandmaster level in StarCraft II using multi-agent reinforcement learning" (Vinyals et al., 2019): an opponent
is met in proportion to p (1 - p), where p is how well the learner does against it. Games that are won or lost anyway
teach little; an opponent that is beyond the learner comes back by itself once the learner has grown, and one that the
learner begins to lose to again comes back at once. Without priorities the shares stay as they are given; with one
snapshot as the only opponent that is plain self-play against the latest policy.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from bearagents.agent import Agent
from bearagents.arena import compete
from bearagents.selfplay import MAX_OPPONENTS, Opponent
from bearenvs.errors import SettingsError
from bearenvs.game import Game

MEMORY = 0.9
"""What a result counts for after each round, against the next one's."""
DOUBT = 20.0
"""A new member is taken for an equal, as if after so many games."""
LEAST_PRIORITY = 0.02
"""Of 1 for an equal. Nobody is forgotten: only who is met can be measured."""
_SCALE_GAMES = 500


@dataclass(frozen=True)
class Scale:
    """What the worst, an equal and the best at the table return: a score of 0, 0.5 and 1."""

    worst: float = -1.0
    even: float = 0.0
    best: float = 1.0

    @classmethod
    def of(cls, game: Game, agent: Agent) -> "Scale":
        """Return what comes of games in which all seats are ``agent``'s: equals by definition.

        No rule says it: who loses against two others may return -1/2, and it may be two that lose. In a cooperative
        game, in which equals may win every time, it is what lies between.
        """
        returns = compete(game, {agent.name: agent}, games=_SCALE_GAMES).returns
        worst, best = float(returns.min()), float(returns.max())
        even = (worst + best) / 2 if game.is_cooperative else float(returns.mean())
        return cls(worst, even, best) if worst < best else cls(even - 1.0, even, even + 1.0)

    def score(self, value: float) -> float:
        """Return the score of the mean return ``value``, linear between the three."""
        return float(np.interp(value, (self.worst, self.even, self.best), (0.0, 0.5, 1.0)))


@dataclass
class Standing:
    """How the learner does against one opponent."""

    scale: Scale
    games: float = DOUBT
    surplus: float = 0.0
    """What the learner returned above an equal's return, in all games together."""
    round_games: int = 0
    """Games since the last round's end."""

    @property
    def score(self) -> float:
        """How well the learner does, by its mean return: 0.5 against an equal, whatever the number of seats."""
        return self.scale.score(self.scale.even + self.surplus / self.games)

    @property
    def priority(self) -> float:
        """How much the next games teach: 1 against an equal."""
        return max(LEAST_PRIORITY, 4.0 * self.score * (1.0 - self.score))

    def forget(self) -> None:
        """End a round: what came before it counts less from now on, as the learner has changed."""
        self.games *= MEMORY
        self.surplus *= MEMORY
        self.round_games = 0


@dataclass(frozen=True)
class Line:
    """One opponent's line in the log of a round."""

    opponent: str
    share: float
    """Share of the opponents' seats that it was given in the round."""
    games: int
    """Episodes of the round that it was in."""
    score: float
    """How the learner does against it, from 0 to 1, older games counting less."""


class League:
    """A pool of opponents: fixed members, and the newest snapshots of the learner.

    Args:
        fixed: the members that stay, weighted by their shares before priorities.
        snapshot_share: what the snapshots share equally. Until there are any, the last fixed member has it.
        num_snapshots: how many are kept.
        is_prioritised: whether shares follow results.
        scale: what the game's returns mean.

    SettingsError for too many members, two of one name, or none to be met.
    """

    def __init__(
        self,
        fixed: Sequence[Opponent],
        *,
        snapshot_share: float = 0.0,
        num_snapshots: int = 1,
        is_prioritised: bool = False,
        scale: Scale = Scale(),
    ) -> None:
        if len(fixed) + num_snapshots > MAX_OPPONENTS:
            raise SettingsError(f"a league has at most {MAX_OPPONENTS} members, snapshots included")
        names = [opponent.agent.name for opponent in fixed]
        if len(set(names)) < len(names):
            raise SettingsError(f"two members of the league have the same name: {', '.join(names)}")
        total = sum(opponent.weight for opponent in fixed) + snapshot_share
        if not fixed or not 0.0 < total < inf or any(opponent.weight < 0.0 for opponent in fixed):
            weights = [opponent.weight for opponent in fixed]
            raise SettingsError(f"a league has members, of weights that are not negative, and not all 0; got {weights}")
        self._fixed = list(fixed)
        self._snapshot_share = snapshot_share
        self._num_snapshots = num_snapshots
        self._is_prioritised = is_prioritised
        self._snapshots: list[Agent] = []
        self._oldest = 0
        self._scale = scale
        self._standings = {name: Standing(scale) for name in names}
        self._given: dict[str, float] = {}

    def add(self, snapshot: Agent) -> Agent | None:
        """Take in a snapshot; return the oldest one if it had to go for it."""
        if len(self._snapshots) < self._num_snapshots:
            gone = None
            self._snapshots.append(snapshot)
        else:
            gone, self._snapshots[self._oldest] = self._snapshots[self._oldest], snapshot
            self._oldest = (self._oldest + 1) % self._num_snapshots
            del self._standings[gone.name]
        self._standings[snapshot.name] = Standing(self._scale)
        return gone

    def note(self, opponents: Iterable[str], value: float) -> None:
        """Take in an episode: whom it began with, and the learner's return.

        It counts for nobody in the place of one that has gone since: its end was played by the newcomer in that place,
        but most of it was not.
        """
        for name in set(opponents):
            standing = self._standings.get(name)
            if standing is None:
                continue
            standing.games += 1.0
            standing.surplus += value - self._scale.even
            standing.round_games += 1

    @property
    def pool(self) -> list[Opponent]:
        """The members, each in a place that it keeps, with their shares of now."""
        members = self._members()
        if self._is_prioritised:
            members = [
                replace(member, weight=member.weight * self._standings[member.agent.name].priority)
                for member in members
            ]
        total = sum(member.weight for member in members)
        return [replace(member, weight=member.weight / total) for member in members]

    def hand_out(self) -> list[Opponent]:
        """Return the pool for the games to come, and keep its shares for the log."""
        pool = self.pool
        self._given = {member.agent.name: member.weight for member in pool}
        return pool

    def end_round(self) -> list[Line]:
        """Return what came of the games since the last call, for the log."""
        lines = []
        for member in self._members():
            name = member.agent.name
            standing = self._standings[name]
            lines.append(Line(name, self._given.get(name, 0.0), standing.round_games, standing.score))
        for standing in self._standings.values():
            standing.forget()
        return lines

    def _members(self) -> list[Opponent]:
        if not self._snapshots:
            *others, last = self._fixed
            return [*others, Opponent(last.agent, last.weight + self._snapshot_share)]
        share = self._snapshot_share / len(self._snapshots)
        return [*self._fixed, *(Opponent(snapshot, share) for snapshot in self._snapshots)]
