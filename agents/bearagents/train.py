"""Train a policy by self-play: MaskablePPO against a pool of a heuristic, random play and snapshots of itself.

A run's folder holds the policy (:mod:`bearagents.policy`), ``log/`` for tensorboard and ``snapshots/``, which are
policies themselves. This module imports torch.
"""

import csv
import json
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.save_util import save_to_zip_file

from bearagents.agent import Agent, AgentError
from bearagents.arena import FEWEST_ROUNDS
from bearagents.duel import Duel, duel
from bearagents.heuristics import HEURISTICS, HeuristicAgent
from bearagents.imitation import Apprentice
from bearagents.league import League, Line, Scale
from bearagents.mlp import Layers
from bearagents.names import baselines_of, load_agent
from bearagents.network import Network
from bearagents.policy import CARD, MAX_ADVICE, Policy, PolicyCard, actor_layers, card_for, read_card, save
from bearagents.provenance import command_line
from bearagents.ratings import Estimate
from bearagents.selfplay import MAX_OPPONENTS, Opponent, SelfPlayVecEnv
from bearenvs.errors import BearenvsError
from bearenvs.files import writing
from bearenvs.game import Game
from bearenvs.registry import game_class, load_game

SNAPSHOTS = "snapshots"
LEAGUE_LOG = "league.csv"
"""In the folder ``log``: for each rollout and opponent its share, games, and how the learner does against it."""
SAVE_EVERY = 120.0
"""Seconds after which the policy is saved between two checkpoints."""
IMITATION_ROLLOUT = 16
"""Decisions in each game between two updates at most, while a teacher tells the best: its choices do not grow stale."""
THEN = " && "
"""Between the commands on a card."""
MOST_COMMANDS = 4000
"""Characters of a card's commands together; ``...`` stands for earlier ones beyond that."""
EVALUATION_SHARE = 0.2
"""Share of a time limit that evaluations against a fixed pool take, unless they play the fewest games already."""
EPISODES_LOGGED = 4096
"""How many of the last episodes the logged returns are means of."""

# Left out of the archive: what belongs to this process alone.
_NOT_SAVED = ("learning_rate", "lr_schedule", "_last_obs", "_last_episode_starts", "ep_info_buffer")


class TrainingError(BearenvsError):
    """A run that cannot begin or go on."""


SEEDS = 2**32
"""Seeds are below this: NumPy's legacy generator, which stable-baselines3 seeds, takes no other."""
MOST_DECISIONS = 2**22
"""Between two updates, all games together: they are kept in memory."""

Count = Annotated[int, Field(ge=1)]
Units = Annotated[int, Field(ge=1, le=4096)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Hyperparameters(BaseModel):
    """How a run learns. The defaults were tuned for ten minutes on two processor cores."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    num_envs: Count = 512
    """Games played side by side."""
    rollout: Count = 64
    """The learner's decisions in each game between two updates."""
    batch_size: Annotated[int, Field(ge=2)] = 4096
    num_epochs: Count = 2
    learning_rate: Annotated[float, Field(gt=0.0)] = 5e-4
    """At the start. It falls to 0 with what is left of the run's steps or time, whichever is less."""
    gamma: Share = 1.0
    gae_lambda: Share = 0.85
    clip_range: Annotated[float, Field(gt=0.0)] = 0.2
    entropy_coefficient: Annotated[float, Field(ge=0.0)] = 0.001
    value_coefficient: Annotated[float, Field(ge=0.0)] = 0.5
    hidden: Annotated[tuple[Units, ...], Field(max_length=8)] = (128, 128)
    """Units in the hidden layers of each of the two networks."""
    advice: Annotated[float, Field(ge=0.0, le=MAX_ADVICE)] = 5.0
    """What is added to the logit of the heuristic's choice, if the game has one. More than 0, the policy begins as the
    heuristic, asks it at every decision and learns where to differ: residual policy learning (Silver, Allen, Tenenbaum
    and Kaelbling, 2018; Johannink et al., 2019). With 0 the network stands on its own."""
    num_checkpoints: Count = 20
    """How often, evenly over the run, the policy is saved, evaluated and added to the pool."""
    num_snapshots: Annotated[int, Field(ge=1, le=MAX_OPPONENTS // 2)] = 4
    """How many of these stay in the pool: the newest."""
    imitation_share: Share = 0.15
    """Share of the run in which the policy is taught the heuristic's choices, if the game has one, and its values what
    they return, before it looks for better ones."""
    heuristic_share: Share = 0.8
    """Share of the opponents' seats that the heuristic gets, if the game has one."""
    random_share: Share = 0.05
    """Share of random play. Snapshots get the rest; until there are any, the heuristic or else random play does."""
    guests: tuple[str, ...] = ()
    """Further agents in the league, by name: ``mcts:100``, another run's folder."""
    guest_share: Share = 0.0
    """Share of the guests together."""
    is_prioritised: bool = True
    """Whether these shares are weighed by how much the learner can learn: :mod:`bearagents.league`."""
    evaluation_games: Annotated[int, Field(ge=20)] = 500

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.heuristic_share + self.random_share + self.guest_share > 1.0 + 1e-9:  # they may come rounded
            raise ValueError("heuristic_share, random_share and guest_share are at most 1 together")
        if bool(self.guests) != (self.guest_share > 0.0):
            raise ValueError("guests and guest_share are given together")
        if self.imitation_share == 1.0:
            raise ValueError("imitation_share is less than 1")
        decisions = self.num_envs * self.rollout
        if decisions > MOST_DECISIONS:
            raise ValueError(f"num_envs times rollout is at most {MOST_DECISIONS:,}")
        if decisions % self.batch_size == 1:  # stable-baselines3 divides by the scatter within a batch
            raise ValueError("num_envs times rollout leaves a last batch of 1 decision: change one, or batch_size")
        return self


def read_hyperparameters(items: Iterable[str], base: Hyperparameters | None = None) -> Hyperparameters:
    """Return ``base``, or the defaults, with changes written ``NAME=VALUE``, the value as in JSON.

    TrainingError names a fault.
    """
    changes: dict[str, Any] = {}
    for item in items:
        name, _, value = item.partition("=")
        if name not in Hyperparameters.model_fields:
            raise TrainingError(
                f"--hyper {item!r}: NAME=VALUE with one of these names: {', '.join(Hyperparameters.model_fields)}"
            )
        if name in changes:
            raise TrainingError(f"--hyper {name} is given twice")
        try:
            changes[name] = json.loads(value)
        except (ValueError, RecursionError):
            raise TrainingError(f"--hyper {item!r}: the value is written as in JSON: 5, [128, 128], true") from None
    try:
        return Hyperparameters.model_validate((base or Hyperparameters()).model_dump() | changes)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise TrainingError(f"--hyper {where}: {first['msg']}" if where else f"--hyper: {first['msg']}") from None


@dataclass(frozen=True)
class RunResult:
    """What a run came to."""

    folder: Path
    card: PolicyCard
    was_interrupted: bool
    win_shares: Mapping[str, Estimate]
    """The last evaluation, with 95% intervals: one policy, and a baseline in all other seats."""
    evaluated_at: int
    """The policy's steps then: fewer than on the card if the run was interrupted since."""


def train(
    game: str,
    *,
    num_players: int | None = None,
    steps: int,
    out: str | Path,
    seed: int = 0,
    resume: bool = False,
    time_limit: float | None = None,
    content: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    hyperparameters: Hyperparameters | None = None,
    opponents: Sequence[Opponent] | None = None,
    command: str | None = None,
    show_progress: bool = True,
) -> RunResult:
    """Train a policy for ``game`` into the folder ``out`` until the learner has made ``steps`` decisions in all.

    ``time_limit`` (seconds) ends it earlier, and so does Ctrl-C: the policy is saved then as it is. The evaluations at
    the start and the end are not in this time; against a fixed pool of slow opponents evaluations have fewer games.
    ``resume`` goes on with the policy in ``out``, up to ``steps`` in all: in the game on its card (number of players,
    settings and content may be left out), and with its hyperparameters unless others are given; lessons that were
    interrupted begin anew. ``opponents`` are a fixed pool in place of the league that the hyperparameters describe:
    against frozen opponents a run finds a best response. ``command`` is written on the policy's card, after those of
    the run that is resumed; by default it is this process's command line.

    Raises SettingsError and ContentError for the game, PolicyError for a policy that cannot be resumed as this game,
    TrainingError for a folder that is in use, a seed that is not from 0 to 2**32 - 1, a run resumed as another game
    than its own, steps that are spent, weights that stop being finite, or an opponent that fails: the policy is saved
    then, too.
    """
    if not 0 <= seed < SEEDS:
        raise TrainingError(f"seed={seed}: from 0 to {SEEDS - 1}")
    folder = Path(out)
    given = {**({} if num_players is None else {"num_players": num_players}), **(settings or {})}
    if resume:
        earlier = _earlier(folder)
        played = _same_game(game, given, content, earlier.card, folder)
        earlier.check(played)
    else:
        earlier, played = None, _load(game, given, content)
        remedy = ": resume it, or" if opponents is None else ", and one against fixed opponents begins anew:"
        _make_folder(folder, f"{remedy} choose another folder")
    first_step = earlier.card.steps if earlier else 0
    if steps <= first_step:
        raise TrainingError(f"steps={steps}: {folder} has been trained for {first_step} already; name a larger total")
    if time_limit is not None and not time_limit > 0:
        raise TrainingError(f"time_limit={time_limit}: seconds, more than 0")
    if hyperparameters is None:
        hyperparameters = hyperparameters_of(earlier.card) if earlier else Hyperparameters()
    if earlier and hyperparameters.hidden != earlier.card.hidden:
        raise TrainingError(f"hidden={hyperparameters.hidden}: the policy in {folder} has {earlier.card.hidden}")
    if earlier and earlier.card.advice != _advice(played, hyperparameters):
        raise TrainingError(f"advice={hyperparameters.advice:g}: the policy in {folder} has {earlier.card.advice:g}")
    with writing(folder, TrainingError):
        run = Run(
            played,
            folder,
            hyperparameters,
            Allowance(first_step, steps, time_limit),
            earlier=earlier,
            opponents=opponents,
            seed=seed,
            command=_commands(earlier, command or command_line()),
        )
        with _stop_on_interrupt(run), _progress_bar(show_progress) as run.progress:
            run.learn()
    return run.result()


def _earlier(folder: Path) -> Policy:
    """Return the policy that a run goes on with."""
    found = Policy.load(folder)
    if found.card.is_exported:
        raise TrainingError(f"{folder} holds an exported policy, which cannot be trained: resume the run it is from")
    return found


def _make_folder(folder: Path, remedy: str) -> None:
    """Make the folder of a new run; TrainingError if there is a run in it, which ends with ``remedy``."""
    with writing(folder, TrainingError):  # a path too long for a file fails in all three
        holds_run = (folder / CARD).exists() or (folder / SNAPSHOTS).exists()
        folder.mkdir(parents=True, exist_ok=True)
    if holds_run:
        raise TrainingError(f"{folder} holds a run already{remedy}")


def _commands(earlier: Policy | None, command: str) -> str:
    """Return what led to the policy: the commands of the run that is resumed, and this one, each once."""
    if earlier is None:
        return command
    before = earlier.card.command.split(THEN)
    found = THEN.join(before if command in before else [*before, command])
    return found if len(found) <= MOST_COMMANDS else f"...{THEN}{command}"


def _load(game: str, settings: dict[str, Any], content: str | Path | None) -> Game:
    game_class(game).settings_type.parse(game, settings)  # refuses what is an argument of load_game, but no setting
    return load_game(game, content=content, **settings)


def _same_game(game: str, settings: dict[str, Any], content: str | Path | None, card: PolicyCard, folder: Path) -> Game:
    """Return the game of the run in ``folder``; TrainingError names what is given for it and is not the run's."""
    there = f"the run in {folder} has"
    if game != card.game:
        raise TrainingError(f"game {game}: {there} {card.game}")
    known = game_class(game).settings_type.model_fields
    for name, value in settings.items():
        trained = card.settings.get(name, known[name].default if name in known else value)
        if value != trained:
            raise TrainingError(f"{name}={value}: {there} {name}={trained}. A run goes on as it began: leave it out")
    played = _load(game, {**settings, **card.settings}, card.content if content is None else content)
    if content is not None and played.content.digest != card.content_digest:
        raise TrainingError(
            f"content={content} (digest {played.content.digest[:12]}): {there} content"
            f" {card.content or 'of the game itself'} (digest {card.content_digest[:12]}): leave it out"
        )
    return played


def hyperparameters_of(card: PolicyCard) -> Hyperparameters:
    """Return those that a policy was trained with; TrainingError if they are not of this release."""
    try:
        return Hyperparameters.model_validate({"advice": card.advice, **card.training})  # older cards have no advice
    except ValidationError as error:
        raise TrainingError(f"the hyperparameters on the policy's card are not of this release: {error}") from None


def _advice(game: Game, h: Hyperparameters) -> float:
    return h.advice if game.name in HEURISTICS else 0.0


class Allowance:
    """How much of a run is left: of its steps, and of its seconds if there is a time limit."""

    def __init__(self, first_step: int, last_step: int, time_limit: float | None) -> None:
        self.first_step = first_step
        self.last_step = last_step
        self.step = first_step
        self.time_limit = time_limit
        self.start()

    def start(self) -> None:
        """Count the seconds from now."""
        self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._started

    @property
    def is_out_of_time(self) -> bool:
        """Whether the time limit has passed."""
        return self.time_limit is not None and self.seconds >= self.time_limit

    @property
    def left(self) -> float:
        """What is left of the nearer limit, from 1 to 0."""
        left = 1.0 - (self.step - self.first_step) / (self.last_step - self.first_step)
        if self.time_limit is not None:
            left = min(left, 1.0 - self.seconds / self.time_limit)
        return max(left, 0.0)


class Run(BaseCallback):
    """One training run; stable-baselines3 calls it back at every step of its loop."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        hyperparameters: Hyperparameters,
        allowance: Allowance,
        *,
        earlier: Policy | None,
        opponents: Sequence[Opponent] | None,
        seed: int,
        command: str,
    ) -> None:
        super().__init__()
        self.game = game
        self.folder = folder
        self.hyperparameters = hyperparameters
        self.allowance = allowance
        self.progress = Progress(disable=True)
        self.is_interrupted = False
        self._seed = seed
        self._command = command
        self._seconds_before = earlier.card.seconds if earlier else 0.0
        self._advice = _advice(game, hyperparameters)
        snapshots = _load_snapshots(folder / SNAPSHOTS) if earlier and opponents is None else []
        scale = Scale.of(game, _baselines(game)[-1])
        self._league = (
            _league(game, hyperparameters, snapshots, scale) if opponents is None else League(opponents, scale=scale)
        )
        for snapshot in snapshots[: -hyperparameters.num_snapshots]:
            shutil.rmtree(self._snapshot_folder(snapshot))
        self._takes_snapshots = opponents is None
        # Whom evaluations are played against.
        self._yardsticks = _baselines(game) if opponents is None else [opponent.agent for opponent in opponents]
        self._num_games = hyperparameters.evaluation_games
        self._num_checkpoints = 0
        has_had_lessons = earlier is not None and earlier.card.is_taught
        has_lessons = hyperparameters.imitation_share > 0.0 and game.name in HEURISTICS and not has_had_lessons
        heuristic = HeuristicAgent()
        self._teacher = heuristic if has_lessons else None  # None also once lessons are over
        # The last episodes: the return, and which kinds of opponents there were.
        self._episodes: deque[tuple[float, set[str]]] = deque(maxlen=EPISODES_LOGGED)
        self._win_shares: dict[str, Estimate] = {}
        self._evaluated_at = 0
        self._saved_at = time.monotonic()
        self._env = SelfPlayVecEnv(
            game,
            hyperparameters.num_envs,
            self._league.hand_out(),
            advisor=heuristic if self._advice else None,
        )
        self._ppo = self._make_ppo(earlier)

    def _make_ppo(self, earlier: Policy | None) -> MaskablePPO:
        h = self.hyperparameters
        ppo = MaskablePPO(
            Network,
            self._env,
            learning_rate=lambda _: h.learning_rate * self.allowance.left,
            n_steps=h.rollout,
            batch_size=h.batch_size,
            n_epochs=h.num_epochs,
            gamma=h.gamma,
            gae_lambda=h.gae_lambda,
            clip_range=h.clip_range,
            ent_coef=h.entropy_coefficient,
            vf_coef=h.value_coefficient,
            policy_kwargs={"hidden": h.hidden, "advice": self._advice},
            # A resumed run does not meet its first games again. This seeds the environment too.
            seed=(self._seed + self.allowance.first_step) % SEEDS,
            device="cpu",
        )
        if earlier:
            archive = self.folder / earlier.card.archive
            try:
                ppo.set_parameters(str(archive), device="cpu")
            except Exception as error:  # torch and zipfile have many for a damaged file
                reason = str(error).partition("\n")[0]
                raise TrainingError(f"{archive}: cannot be gone on with: {reason}") from None
            ppo.num_timesteps = self.allowance.first_step
        log = self.folder / "log"
        ppo.set_logger(Logger(str(log), [TensorBoardOutputFormat(str(log))]))
        return ppo

    def learn(self) -> None:
        """Train until the allowance is spent or the run is interrupted, and save; also when an opponent fails."""
        try:
            self._num_games = self._affordable_games()
            self._evaluate()  # where it begins; and what compiles does so before the clock starts
            self._learn()
        finally:
            self._ppo.logger.close()  # with the log's file, and the thread that writes it

    def _learn(self) -> None:
        try:
            self._play()
        except AgentError as error:
            self._check_finite()
            self._save()
            remedy = "resume the run once that agent is mended, or without it"
            if not self._takes_snapshots:  # a fixed pool, against which no command resumes
                remedy = "once that agent is mended, begin again in another folder"
            raise TrainingError(
                f"{error}. The policy is saved in {self.folder} as it was after {self._ppo.num_timesteps:,} steps:"
                f" {remedy}"
            ) from error
        self._check_finite()
        if not self.is_interrupted:
            self._evaluate()
        self._save()

    def _play(self) -> None:
        self._env.reset()
        self.allowance.start()
        self._bar = self.progress.add_task(f"{self.game.title}, {self.game.num_players} players", total=1.0, note="")
        if self._teacher is not None:
            self._imitate(self._teacher)
        if not self.is_interrupted:
            self._teacher = None
            self._ppo.learn(
                self.allowance.last_step - self._ppo.num_timesteps, callback=self, reset_num_timesteps=False
            )

    def result(self) -> RunResult:
        """Return what the run came to."""
        return RunResult(
            self.folder, read_card(self.folder), self.is_interrupted, dict(self._win_shares), self._evaluated_at
        )

    def _imitate(self, teacher: Agent) -> None:
        h = self.hyperparameters
        apprentice = Apprentice(
            self._ppo,
            self._env,
            teacher,
            rollout=min(h.rollout, IMITATION_ROLLOUT),
            batch_size=h.batch_size,
            value_coefficient=h.value_coefficient,
            seed=self._seed,
        )
        while not self.is_interrupted and (phase := (1.0 - self.allowance.left) / h.imitation_share) < 1.0:
            # The policy plays alone in the second half.
            lesson = apprentice.lesson(
                teacher_share=max(0.0, 1.0 - 2.0 * phase),
                learning_rate=h.learning_rate * self.allowance.left,
                is_over=lambda: self.is_interrupted or self.allowance.is_out_of_time,
            )
            self._ppo.num_timesteps += lesson.steps
            self.allowance.step = self._ppo.num_timesteps
            self._ppo.logger.record("imitation/agreement", lesson.agreement)
            self._ppo.logger.record("imitation/loss", lesson.loss)
            self._ppo.logger.dump(self.allowance.step)
            self._show_progress()
            self._check_finite()
            if time.monotonic() - self._saved_at > SAVE_EVERY:
                self._save()

    # What stable-baselines3 calls

    def _on_training_start(self) -> None:
        self._num_checkpoints = self._checkpoints_due
        if self._takes_snapshots:  # so that it meets itself from the first game on
            self._save()  # first: a folder with snapshots and no policy could be neither resumed nor begun in anew
            self._take_snapshot()

    def _on_rollout_start(self) -> None:
        self._check_finite()
        self._log_round()
        if self._checkpoints_due > self._num_checkpoints:
            self._num_checkpoints = self._checkpoints_due
            self._save()
            if self._takes_snapshots:
                self._take_snapshot()
            self._evaluate()
        elif time.monotonic() - self._saved_at > SAVE_EVERY:
            self._save()
        self._env.set_opponents(self._league.hand_out())

    @property
    def _checkpoints_due(self) -> int:
        return int((1.0 - self.allowance.left) * self.hyperparameters.num_checkpoints)

    def _on_step(self) -> bool:
        self.allowance.step = self.num_timesteps
        for i in np.flatnonzero(self.locals["dones"]):
            episode = self.locals["infos"][i]["episode"]
            self._league.note(episode["opponents"], episode["r"])
            self._episodes.append((episode["r"], {name.partition("-")[0] for name in episode["opponents"]}))
        self._show_progress()
        return not (self.is_interrupted or self.allowance.is_out_of_time)

    def _on_rollout_end(self) -> None:
        for kind in sorted({kind for _, kinds in self._episodes for kind in kinds}):
            returns = [value for value, kinds in self._episodes if kind in kinds]
            self.logger.record(f"return/{kind}", float(np.mean(returns)))

    # What happens between updates

    def _take_snapshot(self) -> None:
        """Put the policy as it is into the league, in the place of the oldest once that is full."""
        card = self._card()
        snapshot = Policy(f"snapshot-{card.steps}", card, self._layers(card))
        if self._snapshot_folder(snapshot).exists():  # a resumed run's last one
            return
        weights: Any = {"policy": self._ppo.policy.state_dict()}
        save(self._snapshot_folder(snapshot), card, lambda path: save_to_zip_file(path, params=weights))
        gone = self._league.add(snapshot)
        if isinstance(gone, Policy):
            shutil.rmtree(self._snapshot_folder(gone))

    def _log_round(self) -> None:
        """Log whom the last games were played against."""
        lines = self._league.end_round()
        path = self.folder / "log" / LEAGUE_LOG
        is_new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["steps", *(field.name for field in fields(Line))])
            if is_new:
                writer.writeheader()
            writer.writerows({"steps": self._ppo.num_timesteps, **asdict(line)} for line in lines)

    def _snapshot_folder(self, snapshot: Policy) -> Path:
        return self.folder / SNAPSHOTS / f"{snapshot.card.steps:010d}"

    def _layers(self, card: PolicyCard) -> Layers:
        return actor_layers(self._ppo.policy.state_dict(), card)

    def _affordable_games(self) -> int:
        """Return how many games an evaluation has: fewer where time is limited and the fixed opponents are slow."""
        wanted, limit = self.hyperparameters.evaluation_games, self.allowance.time_limit
        if limit is None or self._takes_snapshots:  # baselines are fast
            return wanted
        allowed = EVALUATION_SHARE * limit / (self.hyperparameters.num_checkpoints + 1)
        games = FEWEST_ROUNDS * self.game.num_players
        # Many games at once are cheaper than the same number of single ones, so the price of few tells little.
        while games < wanted and 2 * sum(found.seconds for found in self._duels(games)) <= allowed:
            games = min(2 * games, wanted)
        return games

    def _duels(self, games: int) -> Iterator[Duel]:
        card = self._card()
        policy = Policy("policy", card, self._layers(card), greedy=True)
        return (duel(policy, baseline, self.game, games) for baseline in self._yardsticks)

    def _evaluate(self) -> None:
        self._evaluated_at = self._ppo.num_timesteps
        for baseline, played in zip(self._yardsticks, self._duels(self._num_games), strict=True):
            found = played.win_share
            self._win_shares[baseline.name] = found
            self._ppo.logger.record(f"win_share/{baseline.name}", found.value)
            self._ppo.logger.record(f"win_share_low/{baseline.name}", found.low)
            self._ppo.logger.record(f"win_share_high/{baseline.name}", found.high)
        self._ppo.logger.dump(self._evaluated_at)

    def _check_finite(self) -> None:
        if not all(bool(torch.isfinite(weights).all()) for weights in self._ppo.policy.parameters()):
            raise TrainingError(
                f"the network's weights stopped being finite before step {self._ppo.num_timesteps}; the policy in"
                f" {self.folder} is the last one saved before that. Resume it with a lower learning rate"
            )

    def _save(self) -> None:
        save(self.folder, self._card(), lambda path: self._ppo.save(path, exclude=_NOT_SAVED))
        self._saved_at = time.monotonic()

    def _card(self) -> PolicyCard:
        steps = self._ppo.num_timesteps
        return card_for(
            self.game,
            hidden=self.hyperparameters.hidden,
            advice=self._advice,
            is_taught=self._teacher is None,
            steps=steps,
            seconds=round(self._seconds_before + self.allowance.seconds, 1),
            seed=self._seed,
            command=self._command,
            training=self.hyperparameters.model_dump(mode="json"),
            archive=f"policy-{steps}.zip",
        )

    def _show_progress(self) -> None:
        rate = (self.allowance.step - self.allowance.first_step) / self.allowance.seconds
        shares = "".join(f" · wins {share.value:.0%} against {name}" for name, share in self._win_shares.items())
        self.progress.update(
            self._bar,
            completed=1.0 - self.allowance.left,
            note=f"{self.allowance.step:,} steps · {rate:,.0f}/s{shares}",
        )


def _baselines(game: Game) -> list[Agent]:
    return [load_agent(name, game) for name in baselines_of(game)]


def _league(game: Game, h: Hyperparameters, snapshots: Sequence[Policy], scale: Scale) -> League:
    """Return the league that the hyperparameters describe, with the snapshots of an earlier run."""
    shares = {"random": h.random_share, "heuristic": h.heuristic_share}
    members = [Opponent(load_agent(name, game), h.guest_share / len(h.guests)) for name in h.guests]
    # Last, for that is who stands in for snapshots until there are any.
    members += [Opponent(agent, shares[agent.name]) for agent in _baselines(game)]
    league = League(
        members,
        snapshot_share=max(0.0, 1.0 - sum(member.weight for member in members)),
        num_snapshots=h.num_snapshots,
        is_prioritised=h.is_prioritised,
        scale=scale,
    )
    for snapshot in snapshots:
        league.add(snapshot)
    return league


def _load_snapshots(folder: Path) -> list[Policy]:
    """Return the snapshots of an earlier run, the oldest first."""
    found = [Policy.load(card.parent) for card in folder.glob(f"*/{CARD}")]
    for snapshot in found:
        snapshot.name = f"snapshot-{snapshot.card.steps}"
    return sorted(found, key=lambda snapshot: snapshot.card.steps)


@contextmanager
def _progress_bar(is_shown: bool) -> Iterator[Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=Console(stderr=True), disable=not is_shown) as progress:
        yield progress


@contextmanager
def _stop_on_interrupt(run: Run) -> Iterator[None]:
    """Let Ctrl-C end the run at its next step, with everything saved; a second one ends the process as usual."""
    if threading.current_thread() is not threading.main_thread():  # only there can signals be handled
        yield
        return

    def stop(_signal: int, _frame: Any) -> None:
        run.is_interrupted = True
        signal.signal(signal.SIGINT, previous)

    previous = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
