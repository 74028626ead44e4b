"""Training runs: what is learned, what is kept, how a run ends and goes on."""

import csv
import os
import signal
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from bearagents.agent import UnfitError, View
from bearagents.duel import Duel
from bearagents.export import export
from bearagents.imitation import Apprentice
from bearagents.league import Scale
from bearagents.policy import CARD, Policy, PolicyError
from bearagents.random import RandomAgent
from bearagents.ratings import Estimate
from bearagents.selfplay import Opponent, SelfPlayVecEnv
from bearagents.train import (
    LEAGUE_LOG,
    SNAPSHOTS,
    Hyperparameters,
    Run,
    RunResult,
    TrainingError,
    _league,
    read_hyperparameters,
    train,
)
from sb3_contrib import MaskablePPO
from stable_baselines3.common.save_util import load_from_zip_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from bearenvs.errors import SettingsError
from bearenvs.registry import GAMES, load_game
from tests.agents.toy_game import ToyGame

TINY = Hyperparameters(num_envs=8, rollout=8, batch_size=32, num_epochs=1, hidden=(8,), evaluation_games=20)
# One kind of card, free to build, once a turn; three hives win. With three turns in all only the first seat can win,
# and only by building in both of its turns.
TWO_BUILDS_WIN = """
[setup]
starting_hive = "Small Hive"
starting_honey = 3
honey_cubes = 50
hand_size = 1
die_sides = 8
base_harvest = 2
winning_honey = 1
discard_hand_cost = 3
only_hive_loss = 3

[[hives]]
name = "Small Hive"
copies = 30
cost = 0
bonus = 1

[[threats]]
name = "None"
copies = 0
level = 1
cost = 0
continuous = false
effect = "no_bonus"
"""


@pytest.fixture(autouse=True)
def one_thread() -> Any:
    """Tiny networks: handing them to other threads takes longer than the work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", ToyGame)


def tiny(out: Path, steps: int = 640, **options: Any) -> RunResult:
    options = {"num_players": 2, "hyperparameters": TINY, "show_progress": False, **options}
    return train("toy", steps=steps, out=out, **options)


def league_log(run: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((run / "log" / LEAGUE_LOG).read_text().splitlines()))


def weights(folder: Path) -> dict[str, Any]:
    _, parameters, _ = load_from_zip_file(folder / Policy.load(folder).card.archive, load_data=False)
    found: Any = parameters["policy"]
    return dict(found)


def test_the_best_reply_is_learned(tmp_path: Path) -> None:
    content = tmp_path / "content.toml"
    content.write_text(TWO_BUILDS_WIN)
    settings: dict[str, Any] = {"max_turns": 3}
    game = load_game("honey_wars", num_players=2, content=content, **settings)
    report = train(
        "honey_wars",
        num_players=2,
        steps=12_000,
        out=tmp_path / "run",
        content=content,
        settings=settings,
        hyperparameters=Hyperparameters(
            num_envs=64, rollout=16, batch_size=256, learning_rate=3e-3, hidden=(32,), num_checkpoints=3
        ),
        show_progress=False,
    )
    assert (report.card.settings, report.card.content) == ({"num_players": 2, **settings}, str(content))
    policy = Policy.load(tmp_path / "run")
    # The policy in seat 0, a random learner in seat 1: the policy wins, so the learner loses every game.
    env = SelfPlayVecEnv(game, 100, [Opponent(policy)], learner_seat=1)
    env.reset()
    returns: list[float] = []
    while len(returns) < 300:
        *_, infos = env.step(env.action_masks().argmax(1))
        returns += [info["episode"]["r"] for info in infos if info]
    assert np.mean(returns) < -0.95
    first_seat = SelfPlayVecEnv(game, 100, [Opponent(RandomAgent())], learner_seat=1)
    first_seat.reset()
    random_returns = [
        info["episode"]["r"]
        for _ in range(3)
        for info in first_seat.step(first_seat.action_masks().argmax(1))[3]
        if info
    ]
    assert np.mean(random_returns) > -0.6  # so it had to be learned


def test_a_run_leaves_policy_card_log_and_snapshots(toy: None, tmp_path: Path) -> None:
    report = tiny(tmp_path, seed=5, command="bearenvs train toy")
    assert not report.was_interrupted and set(report.win_shares) == {"random"} and report.evaluated_at == 640
    card = Policy.load(tmp_path).card
    assert card == report.card
    assert (card.game, card.steps, card.seed, card.command) == ("toy", 640, 5, "bearenvs train toy")
    assert Hyperparameters.model_validate(card.training) == TINY
    snapshots = sorted((tmp_path / "snapshots").iterdir())
    assert len(snapshots) == TINY.num_snapshots
    assert Policy.load(snapshots[-1]).card.steps == int(snapshots[-1].name) < 640
    log = EventAccumulator(str(tmp_path / "log")).Reload()
    assert {"win_share/random", "return/random", "return/snapshot", "train/value_loss"} <= set(log.Tags()["scalars"])
    model = MaskablePPO.load(tmp_path / card.archive)
    for name, tensor in model.policy.state_dict().items():
        assert torch.equal(tensor, weights(tmp_path)[name])


def test_equal_seeds_give_equal_policies(toy: None, tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("other", 3), ("third", 4)):
        tiny(tmp_path / name, seed=seed)
    one, other, third = (weights(tmp_path / name) for name in ("one", "other", "third"))
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert any(not torch.equal(one[name], third[name]) for name in one)


def test_any_seed_of_32_bits_will_do(toy: None, tmp_path: Path) -> None:
    tiny(tmp_path / "run", steps=64, seed=2**32 - 1)
    assert tiny(tmp_path / "run", steps=128, seed=2**32 - 1, resume=True).card.seed == 2**32 - 1
    for seed in (-1, 2**32):
        with pytest.raises(TrainingError, match=f"seed={seed}: from 0 to 4294967295"):
            tiny(tmp_path / "other", seed=seed)
    assert not (tmp_path / "other").exists()


def test_a_run_leaves_no_open_log(toy: None, tmp_path: Path) -> None:
    """The log is written by a thread, which goes with it. Games' own threads come when they are needed, and stay."""

    def threads() -> set[threading.Thread]:
        return {thread for thread in threading.enumerate() if not thread.name.startswith("bearenvs")}

    before = threads()
    tiny(tmp_path)
    wild = TINY.model_copy(update={"learning_rate": 1e38})
    with pytest.raises(TrainingError, match="stopped being finite"):
        tiny(tmp_path, steps=10**6, resume=True, hyperparameters=wild)
    assert threads() == before


def test_a_run_can_be_resumed(toy: None, tmp_path: Path) -> None:
    first = tiny(tmp_path)
    before = weights(tmp_path)
    second = tiny(tmp_path, steps=1280, resume=True, hyperparameters=None)
    assert (second.card.steps, second.card.training) == (1280, first.card.training)
    assert second.card.seconds > first.card.seconds
    assert any(not torch.equal(before[name], now) for name, now in weights(tmp_path).items())
    assert len(list(tmp_path.glob("policy-*.zip"))) == 1
    assert len(list((tmp_path / "snapshots").iterdir())) == TINY.num_snapshots


def test_the_card_of_a_resumed_run_holds_all_its_commands(toy: None, tmp_path: Path) -> None:
    for steps, command, expected in (
        (64, "begin", "begin"),
        (128, "go on", "begin && go on"),
        (192, "go on", "begin && go on"),
        (256, "further", "begin && go on && further"),
        (320, "far " * 1000, "... && " + "far " * 1000),
        (384, "end", "... && end"),
    ):
        assert tiny(tmp_path, steps=steps, resume=steps > 64, command=command).card.command == expected


def test_a_run_goes_on_in_its_own_game(toy: None, tmp_path: Path) -> None:
    content = tmp_path / "content.toml"
    content.write_bytes((ToyGame.folder / "content.toml").read_bytes())
    first = tiny(tmp_path / "run", steps=64, num_players=3, settings={"die_sides": 3}, content=content).card
    again = tiny(tmp_path / "run", steps=128, num_players=None, resume=True).card
    assert (again.steps, again.settings) == (128, {"num_players": 3, "die_sides": 3})
    assert (again.content, again.content_digest) == (first.content, first.content_digest)
    tiny(tmp_path / "run", steps=192, num_players=3, settings={"die_sides": 3}, content=content, resume=True)
    again_in: dict[str, Any] = {"steps": 256, "num_players": None, "resume": True}
    others: list[tuple[dict[str, Any], str]] = [
        ({"settings": {"die_sides": 4}}, r"die_sides=4: the run in .*run has die_sides=3"),
        ({"settings": {"max_turns": 9}}, r"max_turns=9: the run in .*run has max_turns=40"),
        ({"num_players": 2}, r"num_players=2: the run in .*run has num_players=3"),
    ]
    for options, says in others:
        with pytest.raises(TrainingError, match=says):
            tiny(tmp_path / "run", **(again_in | options))
    with pytest.raises(SettingsError, match="toy has no setting 'wings'"):
        tiny(tmp_path / "run", settings={"wings": 2}, **again_in)
    with pytest.raises(TrainingError, match=r"game honey_wars: the run in .*run has toy"):
        train("honey_wars", steps=256, out=tmp_path / "run", resume=True)
    card = (tmp_path / "run" / CARD).read_text()
    (tmp_path / "run" / CARD).write_text(card.replace(again.content_digest, "0" * 64))
    with pytest.raises(TrainingError, match=r"content.toml \(digest \w+\): the run in .*content.toml \(digest 0+\)"):
        tiny(tmp_path / "run", content=content, **again_in)
    with pytest.raises(PolicyError, match="trained for another content"):
        tiny(tmp_path / "run", **again_in)


def test_what_cannot_begin_says_why(toy: None, tmp_path: Path) -> None:
    tiny(tmp_path)
    with pytest.raises(TrainingError, match=r"holds a run already: resume it, or choose another folder$"):
        tiny(tmp_path)
    with pytest.raises(TrainingError, match="has been trained for 640 already"):
        tiny(tmp_path, resume=True)
    with pytest.raises(TrainingError, match=r"num_players=3: the run in .* has num_players=2"):
        tiny(tmp_path, steps=1280, resume=True, num_players=3)
    (tmp_path / "log").rename(tmp_path / "moved")
    (tmp_path / "log").write_text("")
    with pytest.raises(TrainingError, match=r"cannot be written: .*log"):
        tiny(tmp_path, steps=1280, resume=True)
    with pytest.raises(TrainingError, match=r"hidden=\(9,\)"):
        tiny(tmp_path, steps=1280, resume=True, hyperparameters=TINY.model_copy(update={"hidden": (9,)}))
    with pytest.raises(TrainingError, match="cannot be written"):
        tiny(tmp_path / CARD)
    with pytest.raises(TrainingError, match=r"cannot be written: .*too long"):
        tiny(tmp_path / ("long" * 200))
    with pytest.raises(PolicyError, match="no policy there"):
        tiny(tmp_path / "new", resume=True)
    for limit in (0.0, float("nan")):
        with pytest.raises(TrainingError, match="time_limit"):
            tiny(tmp_path / "new", time_limit=limit)


def test_ctrl_c_saves_and_ends(toy: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Run._on_training_start

    def begin_and_interrupt(self: Run) -> None:
        begin(self)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    before = signal.getsignal(signal.SIGINT)
    with monkeypatch.context() as patch:
        patch.setattr(Run, "_on_training_start", begin_and_interrupt)
        report = tiny(tmp_path, steps=10**9)
    assert report.was_interrupted
    assert signal.getsignal(signal.SIGINT) is before
    assert Policy.load(tmp_path).card.steps == report.card.steps > report.evaluated_at
    assert tiny(tmp_path, steps=report.card.steps + 64, resume=True).card.steps >= report.card.steps + 64


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("no more tea"), r"agent 'guest' failed: ValueError: no more tea \(.*test_train.py:\d+\)"),
        (OSError("no more disk"), r"agent 'guest' failed: OSError: no more disk"),
        (SettingsError("no more sets"), r"agent 'guest' failed: SettingsError: no more sets"),
        (UnfitError("not this game"), r"agent 'guest' cannot play: not this game"),
    ],
)
@pytest.mark.parametrize("fails_in", ["act", "reset"])
def test_an_opponent_that_fails_ends_the_run_which_is_saved(
    toy: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str, fails_in: str
) -> None:
    class Guest(RandomAgent):
        name = "guest"

        def reset(self, seed: int) -> None:
            self.patience = 30
            if fails_in == "reset":
                raise error

        def act(self, view: View) -> npt.NDArray[np.int64]:
            self.patience -= 1
            if fails_in == "act" and self.patience < 0:
                raise error
            return super().act(view)

    monkeypatch.setattr("bearagents.train.load_agent", lambda name, game: Guest() if name == "guest" else RandomAgent())
    with_guest = TINY.model_copy(update={"guests": ("guest",), "guest_share": 0.5})
    with pytest.raises(TrainingError, match=says) as caught:
        tiny(tmp_path, steps=10**6, hyperparameters=with_guest)
    card = Policy.load(tmp_path).card
    assert (card.steps > 0) == (fails_in == "act")
    assert f"saved in {tmp_path} as it was after {card.steps:,} steps" in str(caught.value)
    assert tiny(tmp_path, steps=card.steps + 64, resume=True, hyperparameters=TINY).card.steps >= card.steps + 64


def test_the_time_limit_ends_a_run(toy: None, tmp_path: Path) -> None:
    report = tiny(tmp_path, steps=10**9, time_limit=1.0)
    assert not report.was_interrupted and 1.0 <= report.card.seconds < 60.0
    assert 0 < Policy.load(tmp_path).card.steps < 10**9


def test_weights_that_are_not_finite_end_the_run_and_are_not_saved(toy: None, tmp_path: Path) -> None:
    tiny(tmp_path)
    wild = TINY.model_copy(update={"learning_rate": 1e38})
    with pytest.raises(TrainingError, match="stopped being finite"):
        tiny(tmp_path, steps=10**6, resume=True, hyperparameters=wild)
    assert Policy.load(tmp_path).card.steps == 640
    assert (tmp_path / CARD).exists()


def test_weights_that_stop_being_finite_in_a_lesson_are_told_with_its_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = Apprentice.lesson

    def spoil(self: Apprentice, **options: Any) -> Any:
        found = lesson(self, **options)
        with torch.no_grad():
            next(iter(self._policy.parameters())).fill_(torch.nan)
        return found

    monkeypatch.setattr(Apprentice, "lesson", spoil)
    with pytest.raises(TrainingError, match="stopped being finite before step 64;"):
        train("honey_wars", num_players=2, steps=640, out=tmp_path, hyperparameters=TINY, show_progress=False)


def test_an_exported_policy_cannot_be_resumed(toy: None, tmp_path: Path) -> None:
    tiny(tmp_path / "run", steps=64)
    export(tmp_path / "run", tmp_path / "exported", against=[])
    with pytest.raises(TrainingError, match="holds an exported policy, which cannot be trained"):
        tiny(tmp_path / "exported", steps=128, resume=True)


def test_hyperparameters_are_read_as_json() -> None:
    read = read_hyperparameters(
        ["hidden=[64, 32]", "advice=2.5", "is_prioritised=false", 'guests=["mcts:10"]', "guest_share=0.1"]
    )
    assert (read.hidden, read.advice, read.is_prioritised, read.guests) == ((64, 32), 2.5, False, ("mcts:10",))
    for wrong, why in [
        ("speed=5", "one of these names: num_envs, "),
        ("advice", "written as in JSON"),
        ("advice=fast", "written as in JSON"),
        ("advice=-1", "advice: Input should be greater than or equal to 0"),
        ("heuristic_share=0.99", "at most 1 together"),
        ("guest_share=0.1", "given together"),
        ("advice=Infinity", "advice: Input should be"),
        ("learning_rate=Infinity", "learning_rate: Input should be"),
        ("hidden=[1000000]", "hidden.0: Input should be less"),
        ("num_envs=1000000", "at most 4,194,304"),
        ("batch_size=32767", "a last batch of 1 decision"),
    ]:
        with pytest.raises(TrainingError, match=why):
            read_hyperparameters([wrong])
    with pytest.raises(TrainingError, match="advice is given twice"):
        read_hyperparameters(["advice=1", "advice=2"])
    assert read_hyperparameters(["hidden=[]"]).hidden == ()
    assert read_hyperparameters(["gamma=0.9"], TINY) == TINY.model_copy(update={"gamma": 0.9})


def test_the_league_is_logged_and_a_run_goes_on_with_it(toy: None, tmp_path: Path) -> None:
    tiny(tmp_path)
    lines = league_log(tmp_path)
    assert {"random", "snapshot-64"} <= {line["opponent"] for line in lines}
    last = [line for line in lines if line["steps"] == lines[-1]["steps"]]
    assert sum(float(line["share"]) for line in last) == pytest.approx(1.0)
    assert sum(int(line["games"]) for line in lines) > 0
    tiny(tmp_path, steps=1280, resume=True)
    more = league_log(tmp_path)
    assert more[: len(lines)] == lines and len(more) > len(lines)


def test_a_run_that_is_killed_before_its_first_checkpoint_goes_on(
    toy: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException): ...

    def die(self: Run) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_on_rollout_start", die)
        with pytest.raises(Killed):
            tiny(tmp_path)
    assert (tmp_path / SNAPSHOTS / f"{0:010d}").exists()
    assert tiny(tmp_path, resume=True).card.steps == 640


def test_snapshots_that_a_smaller_league_leaves_out_go(toy: None, tmp_path: Path) -> None:
    tiny(tmp_path)
    before = sorted(folder.name for folder in (tmp_path / SNAPSHOTS).iterdir())
    assert len(before) == TINY.num_snapshots == 4
    fewer = TINY.model_copy(update={"num_snapshots": 2, "num_checkpoints": 1})
    tiny(tmp_path, steps=704, resume=True, hyperparameters=fewer)
    after = sorted(folder.name for folder in (tmp_path / SNAPSHOTS).iterdir())
    assert len(after) == 2 and before[-1] in after


def test_what_cannot_be_gone_on_with_says_why(toy: None, tmp_path: Path) -> None:
    card = tiny(tmp_path, steps=64).card
    data = (tmp_path / card.archive).read_bytes()
    with zipfile.ZipFile(tmp_path / card.archive) as archive:
        policy = archive.read("policy.pth")
    with zipfile.ZipFile(tmp_path / card.archive, "w") as archive:
        archive.writestr("policy.pth", policy)
    with pytest.raises(TrainingError, match="cannot be gone on with"):
        tiny(tmp_path, steps=128, resume=True)
    (tmp_path / card.archive).write_bytes(data)
    assert tiny(tmp_path, steps=128, resume=True).card.steps == 128


def test_guests_do_not_stand_in_for_snapshots(toy: None) -> None:
    h = Hyperparameters.model_validate({**TINY.model_dump(), "guests": ["mcts:5"], "guest_share": 0.1})
    found = _league(load_game("toy", num_players=2), h, [], Scale())
    shares = {member.agent.name: member.weight for member in found.pool}
    assert shares == {"mcts:5": pytest.approx(0.1), "random": pytest.approx(0.9)}


def test_a_pool_without_opponents_is_refused(toy: None, tmp_path: Path) -> None:
    for pool in ([], [Opponent(RandomAgent(), 0.0)], [Opponent(RandomAgent(), -1.0)]):
        with pytest.raises(SettingsError, match="a league has members"):
            tiny(tmp_path, opponents=pool)


def test_a_fixed_pool_that_fails_is_no_run_to_be_resumed(
    toy: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Fails(RandomAgent):
        name = "fails"

        def reset(self, seed: int) -> None:
            if self.is_playing:
                raise OSError("no data")

        is_playing = False

    rival = Fails()
    evaluate = Run._evaluate

    def evaluate_and_turn(self: Run) -> None:
        evaluate(self)
        rival.is_playing = True

    monkeypatch.setattr(Run, "_evaluate", evaluate_and_turn)
    with pytest.raises(TrainingError, match=r"begin again in another folder$"):
        tiny(tmp_path, opponents=[Opponent(rival)])


def test_a_fixed_pool_is_met_alone(toy: None, tmp_path: Path) -> None:
    report = tiny(tmp_path, opponents=[Opponent(RandomAgent())])
    assert set(report.win_shares) == {"random"}
    assert not (tmp_path / SNAPSHOTS).exists()
    with pytest.raises(TrainingError, match=r"a run already, and one against .* begins anew: choose another folder$"):
        tiny(tmp_path, opponents=[Opponent(RandomAgent())])
    lines = league_log(tmp_path)
    assert {line["opponent"] for line in lines} == {"random"}


@pytest.mark.parametrize(
    ("seconds_a_game", "time_limit", "num_opponents", "expected"),
    [
        (1e-3, 1.0, 1, [4, 8]),  # twice 8 would take more than 1 / 5 / 21 seconds
        (1e-3, 1.0, 2, [4]),
        (1e-6, 1.0, 1, [4, 8, 16, 20]),
        (10.0, 1.0, 1, [4]),
        (10.0, None, 1, [20]),
    ],
)
def test_evaluations_against_slow_opponents_have_fewer_games(
    toy: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seconds_a_game: float,
    time_limit: float | None,
    num_opponents: int,
    expected: list[int],
) -> None:
    asked: list[int] = []

    def fake(agent: Any, opponent: Any, game: Any, games: int) -> Duel:
        asked.append(games)
        return Duel(games, Estimate(0.5, 0.4, 0.6), 0.0, seconds=games * seconds_a_game)

    monkeypatch.setattr("bearagents.train.duel", fake)
    rivals = [RandomAgent() for _ in range(num_opponents)]
    for number, rival in enumerate(rivals):
        rival.name = f"rival-{number}"
    pool = [Opponent(rival) for rival in rivals]
    tiny(tmp_path / "pool", steps=64, time_limit=time_limit, opponents=pool)
    assert [*dict.fromkeys(asked)] == expected and asked[-1] == expected[-1]
    asked.clear()
    tiny(tmp_path / "league", steps=64, time_limit=time_limit)
    assert {*asked} == {20}


def test_lessons_end_with_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step, num_steps = SelfPlayVecEnv.step, []

    def slow(self: SelfPlayVecEnv, actions: Any) -> Any:
        num_steps.append(1)
        time.sleep(0.4)
        return step(self, actions)

    monkeypatch.setattr(SelfPlayVecEnv, "step", slow)
    options: Any = {"num_players": 2, "out": tmp_path, "show_progress": False, "hyperparameters": TINY}
    report = train("honey_wars", steps=10**9, time_limit=1.0, opponents=[Opponent(RandomAgent())], **options)
    assert report.card.is_taught and report.card.steps == 8 * len(num_steps)
    assert len(num_steps) <= 4  # of the 8 that a lesson has, and one after it


def test_interrupted_lessons_are_saved_and_begin_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson, was_saved = Apprentice.lesson, []

    def teach(self: Apprentice, **options: Any) -> Any:
        was_saved.append((tmp_path / CARD).exists())
        if len(was_saved) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return lesson(self, **options)

    monkeypatch.setattr(Apprentice, "lesson", teach)
    monkeypatch.setattr("bearagents.train.SAVE_EVERY", 0.0)
    options: Any = {"num_players": 2, "out": tmp_path, "show_progress": False}
    first = train("honey_wars", steps=640, hyperparameters=TINY.model_copy(update={"imitation_share": 0.5}), **options)
    assert first.was_interrupted and was_saved == [False, True]
    assert (first.card.steps, first.card.is_taught) == (72, False)  # it ends at its next step
    second = train("honey_wars", steps=640, resume=True, **options)
    assert second.card.is_taught
    num_lessons = len(was_saved)
    assert num_lessons == 2 + 5  # half of the 568 steps that were left, 64 a lesson
    train("honey_wars", steps=704, resume=True, **options)
    assert len(was_saved) == num_lessons
    with pytest.raises(TrainingError, match=r"advice=0: the policy in .* has 5"):
        train("honey_wars", steps=999, resume=True, hyperparameters=TINY.model_copy(update={"advice": 0.0}), **options)


def test_lessons_make_a_heuristic_s_equal_before_anything_is_explored(tmp_path: Path) -> None:
    hyperparameters = Hyperparameters(
        num_envs=64, rollout=16, batch_size=256, hidden=(64,), advice=0.0, imitation_share=0.98, evaluation_games=100
    )
    report = train(
        "honey_wars",
        num_players=2,
        steps=60_000,
        out=tmp_path,
        hyperparameters=hyperparameters,
        show_progress=False,
    )
    assert report.win_shares["random"].low > 0.7  # the heuristic itself has 93%
