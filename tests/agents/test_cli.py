"""Every command, and every error that it can be made to show: one line, exit code 2."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bearagents.cli
import bearagents.exploit
import bearagents.ladder
import bearagents.train
import pytest
from bearagents.agent import Agent
from bearagents.cli import app, read_settings, spread
from bearagents.play.session import PERSON, Session
from bearagents.quickstart import ENDLESS
from bearagents.ratings import Estimate
from typer.testing import CliRunner

import bearenvs
from bearenvs.errors import SettingsError
from bearenvs.game import Game
from bearenvs.playthrough import replay
from bearenvs.registry import GROUP, game_class, load_game
from tests.agents.untrained import save_untrained
from tests.playing import install

CONTENT = game_class("honey_wars").folder / "content.toml"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def run(*words: str | Path) -> Outcome:
    found = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "120"}, prog_name="bearenvs")
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return Outcome(found.exit_code, found.stdout, found.stderr)


def fails(*words: str | Path) -> str:
    """Run a command that has to end with one line on stderr; return it."""
    found = run(*words)
    lines = [line for line in found.err.splitlines() if not line.startswith("bearenvs: compiling")]
    assert (found.code, found.out, len(lines)) == (2, "", 1), found
    assert lines[0].startswith("error: ")
    return lines[0]


def succeeds(*words: str | Path) -> str:
    found = run(*words)
    assert found.code == 0, found
    return found.out


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    return tmp_path


# As a whole


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["content"],
        ["content", "check"],
        *([name] for name in ("playthrough", "replay", "arena", "train", "ladder", "export", "exploit", "quickstart")),
    ],
)
def test_help(words: list[str]) -> None:
    assert f"Usage: bearenvs {' '.join(words)}".strip() in " ".join(succeeds(*words, "--help").split())


def test_version() -> None:
    assert succeeds("--version") == f"bearenvs {bearenvs.__version__}\n"


def test_without_a_command_it_shows_what_there_is() -> None:
    found = run()
    assert "playthrough" in found.out + found.err and "quickstart" in found.out + found.err


@pytest.mark.parametrize("words", [["nonsense"], ["arena"], ["arena", "honey_wars"], ["replay"], ["arena", "--what"]])
def test_misuse(words: list[str]) -> None:
    found = run(*words)
    assert found.code == 2 and "Usage: bearenvs" in found.err and "Traceback" not in found.err


def test_starting_it_does_not_import_torch() -> None:
    code = "import sys, bearagents.cli; sys.exit('torch' in sys.modules or 'matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_as_a_program(folder: Path) -> None:
    """The installed command finds agents in the current folder, and reports errors without a traceback."""
    program = Path(sys.executable).parent / "bearenvs"
    (folder / "near.py").write_text("class Near: ...\n", encoding="utf-8")
    words = [str(program), "playthrough", "honey_wars", "--agent", "near:Near"]
    found = subprocess.run(words, check=False, capture_output=True, text=True)
    assert found.returncode == 2 and found.stderr.startswith("error: agent 'near:Near' lacks name")


# Settings


def test_settings_are_read_as_what_they_look_like() -> None:
    found = read_settings(3, ["max_turns=20", "odd=true", "even=False", "low=-1", "big=2_000", "name=x=y"])
    assert found == {
        "num_players": 3,
        "max_turns": 20,
        "odd": True,
        "even": False,
        "low": -1,
        "big": 2000,
        "name": "x=y",
    }
    assert read_settings(None, None) == {}


@pytest.mark.parametrize("item", ["late_seat_honey", "=1", "late_seat_honey 1"])
def test_a_setting_without_value(item: str) -> None:
    with pytest.raises(SettingsError, match="a setting is written NAME=VALUE"):
        read_settings(None, [item])


def test_a_setting_given_twice() -> None:
    assert "'num_players' is given twice" in fails("playthrough", "honey_wars", "-n", "2", "--set", "num_players=3")
    with pytest.raises(SettingsError, match="'a' is given twice"):
        read_settings(None, ["a=1", "a=1"])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["no_game"], "there is no game 'no_game'; the games are"),
        (["honey_wars", "-n", "9"], "num_players=9"),
        (["honey_wars", "--set", "speed=3"], "no setting 'speed'; its settings are"),
        (["honey_wars", "--set", "compiled=False"], "no setting 'compiled'"),
        (["honey_wars", "--set", "late_seat_honey=many"], "an integer from 0 to"),
        (["honey_wars", "--set", "max_turns=_"], "max_turns='_': Input should be a valid integer"),
        (["honey_wars", "--set", "max_turns=1__0"], "max_turns='1__0'"),
        (["honey_wars", "--content", "none.toml"], "none.toml: cannot be read"),
    ],
)
@pytest.mark.parametrize(
    "command", [["playthrough"], ["arena", "--agents", "random", "--games", "4"], ["train", "--out", "x"]]
)
def test_wrong_games_and_settings(folder: Path, command: list[str], words: list[str], says: str) -> None:
    assert says in fails(command[0], *words, *command[1:])
    assert not list(folder.iterdir())


# content check


def test_content_check() -> None:
    found = succeeds("content", "check", "honey_wars", CONTENT)
    assert f"{CONTENT}: valid content for honey_wars, digest " in found
    assert [line.strip() for line in found.splitlines()[1:]] == [f"{n} players: ok" for n in (2, 3, 4)]


def changed(folder: Path, old: str, new: str) -> Path:
    text = CONTENT.read_text(encoding="utf-8")
    assert old in text
    file = folder / "mine.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


def test_content_check_tells_for_how_many_players_it_suffices(folder: Path) -> None:
    file = changed(folder, "hand_size = 4", "hand_size = 5")
    text = file.read_text(encoding="utf-8")
    first = text.index("copies = 8")
    file.write_text(text[:first] + "copies = 3" + text[first + 10 :], encoding="utf-8")
    found = succeeds("content", "check", "honey_wars", file)
    assert "2 players: ok" in found and "3 players: ok" in found and "4 players: " in found
    assert "4 players need at least 4" in found
    assert "4 players need at least 4" in fails("content", "check", "honey_wars", file, "--num-players", "4")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hand_size = 4", "", "hand_size"),
        ('effect = "lose_half"', 'effect = "lose_all"', "'lose_half'"),
        ("copies = 8", "copies = -8", "Small Hive"),
        ("[setup]", "[setup", "not valid TOML"),
    ],
)
def test_content_check_shows_faults(folder: Path, old: str, new: str, says: str) -> None:
    assert says in fails("content", "check", "honey_wars", changed(folder, old, new))


def test_content_check_of_what_is_not_there(folder: Path) -> None:
    assert "none.toml: cannot be read" in fails("content", "check", "honey_wars", "none.toml")
    assert "there is no game 'go'" in fails("content", "check", "go", CONTENT)


# playthrough, replay


def test_playthrough_can_be_replayed(folder: Path) -> None:
    text = succeeds("playthrough", "honey_wars", "--num-players", "3", "--seed", "7", "--agent", "random")
    assert text.startswith("honey_wars num_players=3\n* draw ")
    assert succeeds("playthrough", "honey_wars", "-n", "3", "--seed", "7") == text
    assert succeeds("playthrough", "honey_wars", "-n", "3", "--seed", "8") != text
    (folder / "game.txt").write_text(text, encoding="utf-8")
    shown = succeeds("replay", "game.txt")
    assert "honey_wars num_players=3: " in shown and f"{len(text.splitlines()) - 1} events" in shown
    assert shown.rstrip().splitlines()[-1].startswith("returns: p0 ")


def test_playthrough_with_legal_actions() -> None:
    text = succeeds("playthrough", "honey_wars", "--seed", "1", "--agent", "heuristic", "--legal")
    lines = text.splitlines()
    actions = [i for i, line in enumerate(lines) if line.startswith("p")]
    assert actions
    for i in actions:
        legal = lines[i - 1].removeprefix("# legal: ").split(" | ")
        assert lines[i].partition(" ")[2] in legal
    assert replay(text).text(legal=True) == text


def test_playthrough_of_one_agent_a_seat_differs_from_that_of_one_for_all() -> None:
    seats = succeeds("playthrough", "honey_wars", "--agent", "heuristic", "--agent", "random")
    assert seats != succeeds("playthrough", "honey_wars", "--agent", "random", "--agent", "heuristic")
    assert seats != succeeds("playthrough", "honey_wars", "--agent", "heuristic")


def test_playthrough_as_one_seat_sees_it() -> None:
    text = succeeds("playthrough", "honey_wars", "--seat", "1", "--legal")
    assert text.splitlines()[1:5] == ["* ?"] * 4 and text.splitlines()[5].startswith("* draw ")


def test_playthrough_into_a_file_with_settings(folder: Path) -> None:
    words = ("playthrough", "honey_wars", "--set", "late_seat_honey=1", "--set", "max_turns=9", "--content", CONTENT)
    assert succeeds(*words, "--out", "game.txt") == ""
    text = (folder / "game.txt").read_text(encoding="utf-8")
    assert text == succeeds(*words)
    assert {"late_seat_honey=1", "max_turns=9", f"content={CONTENT}"} <= set(text.splitlines()[0].split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--agent", "nobody"], "there is no agent 'nobody'"),
        (["--agent", "random", "--agent", "random", "-n", "3"], "2 agents for 3 seats"),
        (["--seat", "2"], "seat=2: a seat from 0 to 1, or 'all' to see everything"),
        (["--seat", "9" * 5000], "a seat from 0 to 1, or 'all' to see everything"),
        (["--seat", "every"], "seat='every': a seat from 0 to 1, or 'all' to see everything"),
        (["--out", "none/game.txt"], "none/game.txt: cannot be written"),
    ],
)
def test_playthrough_errors(folder: Path, words: list[str], says: str) -> None:
    assert says in fails("playthrough", "honey_wars", *words)


def test_replay_names_the_line_that_is_not_possible(folder: Path) -> None:
    lines = succeeds("playthrough", "honey_wars", "--seed", "2").splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("p"))
    (folder / "cut.txt").write_text("\n".join(lines[:at]), encoding="utf-8")
    assert f"line {at + 1}: " in fails("replay", "cut.txt") and "cut off" in fails("replay", "cut.txt")
    assert f"{at - 1} events" in succeeds("replay", "cut.txt", "--partial")
    lines[at] = "p0 win"
    (folder / "wrong.txt").write_text("\n".join(lines), encoding="utf-8")
    assert f"line {at + 1}: 'p0 win'" in fails("replay", "wrong.txt")


def test_replay_shows_how_far_the_chances_to_win_are(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []

    @contextmanager
    def bar() -> Iterator[Any]:
        yield lambda done, total: seen.append((done, total))

    monkeypatch.setattr(bearagents.cli, "_progress", bar)
    (folder / "game.txt").write_text(succeeds("playthrough", "honey_wars", "--set", "max_turns=2"), encoding="utf-8")
    succeeds("replay", "game.txt", "--values", "random", "--out", "valued.txt")
    assert seen[0] == (0, seen[-1][0]) and seen[-1][0] == seen[-1][1] > 0


def test_replay_finds_chances_to_win_and_shows_those_of_a_record(folder: Path) -> None:
    (folder / "game.txt").write_text(succeeds("playthrough", "honey_wars", "--set", "max_turns=6"), encoding="utf-8")
    assert succeeds("replay", "game.txt", "--values", "random", "--out", "valued.txt") == ""
    valued = (folder / "valued.txt").read_text(encoding="utf-8")
    assert "\n# values: 0." in valued and valued.endswith("\n# values: 0.000 0.000\n")  # truncated: nobody wins
    for words in (("game.txt", "--values", "random"), ("valued.txt",)):
        assert succeeds("replay", *words, "--html", f"{words[0]}.html") == ""
    page = (folder / "valued.txt.html").read_text(encoding="utf-8")
    assert page == (folder / "game.txt.html").read_text(encoding="utf-8") and '"values":[null,' in page
    assert "leave --seat out" in fails("replay", "game.txt", "--values", "random", "--seat", "1", "--html", "x.html")
    assert "there is no agent 'nobody'" in fails("replay", "game.txt", "--values", "nobody")


def test_replay_shows_one_seats_view_or_all(folder: Path) -> None:
    (folder / "game.txt").write_text(succeeds("playthrough", "honey_wars", "--seed", "2"), encoding="utf-8")
    assert succeeds("replay", "game.txt", "--at", "8").count("hand:") == 2
    assert succeeds("replay", "game.txt", "--at", "8", "--seat", "all").count("hand:") == 2
    assert succeeds("replay", "game.txt", "--at", "8", "--seat", "1").count("hand:") == 1
    assert "seat=2: a seat from 0 to 1, or 'all'" in fails("replay", "game.txt", "--seat", "2")


@pytest.mark.skipif(sys.platform == "win32", reason="limits are Unix's")
@pytest.mark.parametrize("option", ["--out", "--html", "--svg", "--gif", "--mp4"])
def test_a_full_disk_leaves_the_file_that_was_there(folder: Path, option: str) -> None:
    import resource  # noqa: PLC0415  # Unix only

    if option in ("--gif", "--mp4"):
        for module in ("PIL", "pygame", "imageio", "imageio_ffmpeg"):
            pytest.importorskip(module, reason="the extra 'render' is not installed")
    record = folder / "game.mp4"
    record.write_text(succeeds("playthrough", "honey_wars", "--set", "max_turns=2"), encoding="utf-8")
    kept = record.read_bytes()
    succeeds("replay", record)  # compiles, for which files are written
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        said = fails("replay", record, option, record)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert f"{record}: cannot be written" in said
    assert [path.read_bytes() for path in folder.iterdir()] == [kept]


def test_replay_of_what_is_no_text(folder: Path) -> None:
    assert "none.txt: cannot be read" in fails("replay", "none.txt")
    (folder / "binary").write_bytes(b"\xff\xfe\x00")
    assert "binary: cannot be read" in fails("replay", "binary")
    (folder / "my_agents.py").write_text("# mine\nimport numpy as np\n", encoding="utf-8")
    assert "my_agents.py: line 2: 'import numpy as np' begins no playthrough" in fails("replay", "my_agents.py")


def test_replay_with_content_that_lies_elsewhere_now(folder: Path) -> None:
    file = changed(folder, "winning_honey = 12", "winning_honey = 6")
    succeeds("playthrough", "honey_wars", "--content", file.name, "--out", "game.txt")
    file.rename("moved.toml")
    assert f"{file.name}: cannot be read" in fails("replay", "game.txt")
    assert "all possible" in succeeds("replay", "game.txt", "--content", "moved.toml")
    assert "the game was played with" in fails("replay", "game.txt", "--content", CONTENT)


def test_replay_stops_within_the_record(folder: Path) -> None:
    succeeds("playthrough", "honey_wars", "--set", "max_turns=2", "--out", "game.txt")
    num_events = len((folder / "game.txt").read_text(encoding="utf-8").splitlines()) - 1
    assert f"{num_events} events" in succeeds("replay", "game.txt", "--at", str(num_events))
    says = f"--at {num_events + 1}: the record ends after {num_events} events"
    assert says in fails("replay", "game.txt", "--at", str(num_events + 1))


# arena


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("g --agents a b c", "g --agents a --agents b --agents c"),
        ("g --agents a --agents b --seed 3", "g --agents a --agents b --seed 3"),
        ("--agents a b --json g", "--agents a --agents b --json g"),
        ("g --agents=a b -n 3", "g --agents=a --agents b -n 3"),
        ("g --seed 3 x", "g --seed 3 x"),
        ("g --agents --json", "g --agents --json"),
        ("", ""),
    ],
)
def test_spread(words: str, expected: str) -> None:
    assert spread(words.split(), "--agents") == expected.split()


def arena(*words: str | Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(succeeds("arena", "honey_wars", *words, "--json"))
    for agent in told["agents"]:
        assert bool(agent.pop("decisions_per_second")) == bool(agent["decisions"])
    assert told.pop("decisions_per_second") > 0
    return told


def test_arena() -> None:
    told = arena("--agents", "random", "heuristic", "--num-players", "3", "--games", "60", "--seed", "5")
    assert [agent["name"] for agent in told["agents"]] == ["random", "heuristic"]
    assert (told["games"], told["seed"], told["settings"]) == (60, 5, {"num_players": 3})
    assert arena("--agents", "random", "--agents", "heuristic", "-n", "3", "--games", "65", "--seed", "5") == told
    assert arena("--agents", "random", "heuristic", "-n", "3", "--games", "60", "--seed", "6") != told


def test_arena_shows_a_table() -> None:
    shown = succeeds("arena", "honey_wars", "--agents", "random", "heuristic", "--games", "40")
    for part in ("win share", "95% interval", "mean return", "rating", "decisions/s", "seat 1", "40 games: 20 rounds"):
        assert part in shown
    assert shown.index("heuristic") < shown.index("random")


def test_arena_as_comma_separated_values() -> None:
    rows = succeeds("arena", "honey_wars", "--agents", "random", "heuristic", "--games", "40", "--csv").splitlines()
    assert rows[0].startswith("agent,games,win_share,") and [row.split(",")[0] for row in rows[1:]] == [
        "random",
        "heuristic",
    ]


def test_arena_with_settings_and_an_agent_twice() -> None:
    told = arena("--agents", "random", "heuristic", "heuristic", "-n", "3", "--games", "30", "--set", "max_turns=3")
    assert told["settings"] == {"num_players": 3, "max_turns": 3} and told["truncated"] == 30
    assert [agent["games"] for agent in told["agents"]] == [30, 60]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["random", "randm"], "there is no agent 'randm', nor a file or folder"),
        (["random", "runs/none"], "there is no agent 'runs/none'"),
        (["random", "--games", "1"], "games=1: these agents need at least 2"),
        (["random", "--json", "--csv"], "--json and --csv: choose one"),
        (["random", "mcts:0"], "iterations=0: at least 1, at most 10,000,000"),
        (["random", "--time-limit", "0"], "time limit 0: seconds, more than 0"),
        (["random", "--time-limit", "nan"], "time limit nan: seconds, more than 0"),
        (["randm", "--time-limit", "1"], "there is no agent 'randm', nor a file or folder"),
    ],
)
def test_arena_errors(folder: Path, words: list[str], says: str) -> None:
    assert says in fails("arena", "honey_wars", "--agents", *words)


def test_an_agent_that_fails_does_not_end_the_arena(folder: Path) -> None:
    (folder / "crooked.py").write_text(
        "class Crooked:\n    name = 'crooked'\n    def reset(self, seed): ...\n"
        "    def act(self, view):\n        print('noise')\n        return view.seats + 9999 - view.seats\n",
        encoding="utf-8",
    )
    for limit in ([], ["--time-limit", "20"]):
        told = arena("--agents", "random", "crooked:Crooked", "--games", "4", *limit)
        assert [agent["forfeits"] for agent in told["agents"]] == [0, 4]
        assert "agent 'crooked:Crooked' chose action 9999 (outside the table)" in told["agents"][1]["fault"]


def without(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Let importing ``module`` fail."""
    monkeypatch.delitem(sys.modules, module, raising=False)
    package, _, name = module.rpartition(".")
    monkeypatch.delattr(sys.modules[package], name, raising=False)
    monkeypatch.setitem(sys.modules, module, None)


def test_arena_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "bearagents.report")
    assert "pip install 'bearenvs[arena]'" in fails("arena", "honey_wars", "--agents", "random")


# train, quickstart


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Put a stand-in in the place of training; return the list of what it is asked for."""
    calls: list[dict[str, Any]] = []

    def train(game: str, **options: Any) -> Any:
        calls.append({"game": game, **options})
        card, shares = SimpleNamespace(steps=1234), {"random": Estimate(0.5, 0.45, 0.55)}
        told = {"was_interrupted": True, "evaluated_at": 1000} if options["seed"] == 13 else {}
        told = {"was_interrupted": False, "evaluated_at": 1234, **told}
        return SimpleNamespace(folder=options["out"], card=card, win_shares=shares, **told)

    monkeypatch.setattr(bearagents.train, "train", train)
    return calls


def test_train_passes_its_options_on(training: Sequence[dict[str, Any]]) -> None:
    words = [
        "--num-players",
        "3",
        "--steps",
        "2_000_000",
        "--out",
        "runs/x",
        "--seed",
        "4",
        "--resume",
        "--minutes",
        "1.5",
    ]
    shown = succeeds("train", "honey_wars", *words, "--set", "late_seat_honey=1", "--content", CONTENT)
    assert list(training) == [
        {
            "game": "honey_wars",
            "settings": {"num_players": 3, "late_seat_honey": 1},
            "content": CONTENT,
            "steps": 2_000_000,
            "out": Path("runs/x"),
            "seed": 4,
            "resume": True,
            "time_limit": 90.0,
            "hyperparameters": None,
        }
    ]
    assert "Done after 1,234 steps" in shown and "50.0%" in shown and "random" in shown and "runs/x" in shown


def test_a_runs_content_is_found_from_any_folder(folder: Path, training: Sequence[dict[str, Any]]) -> None:
    file = changed(folder, "winning_honey = 12", "winning_honey = 6")
    succeeds("train", "honey_wars", "--out", "run", "--content", file.name)
    assert training[0]["content"] == file


def test_a_run_that_goes_on_keeps_the_hyperparameters_that_are_not_named(
    training: Sequence[dict[str, Any]], tmp_path: Path
) -> None:
    save_untrained(tmp_path, load_game("honey_wars", num_players=2), advice=2.0)
    words = ("train", "honey_wars", "--out", str(tmp_path), "--hyper", "gamma=0.5")
    succeeds(*words)
    succeeds(*words, "--resume")
    assert [(call["hyperparameters"].gamma, call["hyperparameters"].advice) for call in training] == [
        (0.5, 5.0),
        (0.5, 2.0),
    ]


def test_train_has_defaults(training: Sequence[dict[str, Any]]) -> None:
    succeeds("train", "honey_wars", "--out", "x")
    assert "--minutes nan" in fails("train", "honey_wars", "--out", "x", "--minutes", "nan")
    assert (
        len(training) == 1
        and training[0]["settings"] == {}
        and training[0]["time_limit"] is None
        and not training[0]["resume"]
    )


def test_an_interrupted_run_says_when_it_was_evaluated(training: Sequence[dict[str, Any]]) -> None:
    shown = succeeds("train", "honey_wars", "--out", "x", "--seed", "13")
    assert "Interrupted after 1,234 steps" in shown and "(at 1,000 steps)" in shown
    assert "(at " not in succeeds("train", "honey_wars", "--out", "x")


def test_seeds_have_32_bits(training: Sequence[dict[str, Any]]) -> None:
    succeeds("train", "honey_wars", "--out", "x", "--seed", str(2**32 - 1))
    assert run("train", "honey_wars", "--out", "x", "--seed", str(2**32)).code == 2
    assert len(training) == 1


def test_time_is_a_limit_of_its_own(training: Sequence[dict[str, Any]]) -> None:
    for words in ([], ["--minutes", "2"], ["--minutes", "2", "--steps", "500"]):
        succeeds("train", "honey_wars", "--out", "x", *words)
    assert [(call["steps"], call["time_limit"]) for call in training] == [
        (2_000_000, None),
        (ENDLESS, 120.0),
        (500, 120.0),
    ]


@pytest.mark.filterwarnings("default::bearagents.policy.PolicyWarning")
def test_exported_policies_from_run_to_arena(folder: Path) -> None:
    save_untrained(folder / "run", load_game("honey_wars", num_players=2))
    shown = succeeds("export", "run", "out", "--games", "20", "--against", "random", "heuristic")
    for part in ("against random (95%: ", "against heuristic (95%: ", "even: 50.0%", "policy  out, "):
        assert part in shown
    told = arena("--agents", "random", "out", "--games", "8")
    assert [agent["forfeits"] for agent in told["agents"]] == [0, 0]
    found = run("arena", "honey_wars", "--agents", "random", "out", "--games", "8", "--set", "late_seat_honey=1")
    assert found.code == 0
    assert found.err.splitlines() == ["warning: policy out was trained with late_seat_honey=0, not 1"]
    assert "nothing: no policy there" in fails("export", "nothing", "out")
    assert "no policy for honey_wars with 3 players" in fails("arena", "honey_wars", "--agents", "ppo", "-n", "3")


def test_ladder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def climb(game: Game, field: Sequence[str], **options: Any) -> Any:
        asked.append((game.num_players, field, options["seconds"], options["time_limit"]))
        rungs = [bearagents.ladder.Rung(name, Estimate(25, 20, 30), 0.1, 0, "") for name in ("a", "b")]
        pair = bearagents.ladder.Pair("a", "b", 2, 4, 0, Estimate(0.5, 0.1, 0.9))
        return bearagents.ladder.Ladder(game, tuple(rungs), (pair,), {}, 1.0)

    monkeypatch.setattr(bearagents.ladder, "climb", climb)
    shown = succeeds("ladder", "honey_wars", "-n", "3", "--agents", "a:B", "c", "--time-limit", "2")
    succeeds("ladder", "honey_wars", "--quick", "--minutes", "0.5", "--out", "here")
    assert asked[0] == (3, [*bearagents.ladder.FIELD, "a:B", "c"], 1200.0, 2.0)
    assert asked[1] == (2, [*bearagents.ladder.QUICK_FIELD], 30.0, None)
    page = Path("benchmarks/results/ladder-honey_wars-3p-with-a-B-with-c.md")
    assert page.read_text(encoding="utf-8") in shown and f"written: {page}" in shown
    assert Path("here/ladder-honey_wars-2p-quick.svg").exists()
    Path("file").write_text("")
    assert "file: cannot be written" in fails("ladder", "honey_wars", "--out", "file")
    assert len(asked) == 2  # before any game
    assert "--minutes 0: more than 0" in fails("ladder", "honey_wars", "--minutes", "0")


def test_exploit(folder: Path, training: Sequence[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def probe(game: Game, policy: str, out: Path, **options: Any) -> Any:
        asked.append((game.name, policy, out, options))
        return SimpleNamespace(verdict="It holds.")

    monkeypatch.setattr(bearagents.exploit, "probe", probe)
    shown = succeeds("exploit", "honey_wars", "heuristic", "--out", "run", "--minutes", "2", "--games", "40")
    options = {"steps": ENDLESS, "time_limit": 120.0, "games": 40, "seed": 0, "hyperparameters": None}
    assert asked == [("honey_wars", "heuristic", Path("run"), options)]
    assert "It holds." in shown and "run/exploit.svg" in shown
    succeeds("exploit", "honey_wars", "heuristic", "--out", "run", "--hyper", "advice=0", "--hyper", "hidden=[8, 8]")
    h = asked[1][3]["hyperparameters"]
    assert (h.advice, h.hidden, asked[1][3]["steps"]) == (0.0, (8, 8), 2_000_000)
    assert "NAME=VALUE with one of" in fails("exploit", "honey_wars", "heuristic", "--out", "run", "--hyper", "wings=2")


@pytest.mark.parametrize(
    "words",
    [
        ["train", "honey_wars", "--out", "x"],
        ["exploit", "honey_wars", "random", "--out", "x"],
        ["quickstart"],
    ],
)
def test_training_without_its_extra(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    without(monkeypatch, "bearagents.train")
    assert "pip install 'bearenvs[train]'" in fails(*words)


def test_quickstart_checks_its_games_before_it_trains(folder: Path) -> None:
    says = "games=11: these agents need at least 12"
    assert says in fails("quickstart", "--minutes", "0.001", "--games", "11")
    assert not list(folder.iterdir())


def test_quickstart_trains_rates_and_says_where_everything_lies(folder: Path) -> None:
    shown = succeeds("quickstart", "--minutes", "0.01", "--games", "12")
    run_folder = Path("runs/quickstart-1")
    assert (run_folder / "policy.json").exists() and list((run_folder / "log").iterdir())
    for name in ("random", "heuristic", str(run_folder), str(run_folder / "log"), str(run_folder / "playthrough.txt")):
        assert name in shown
    assert "events, all possible" in succeeds("replay", run_folder / "playthrough.txt")
    told = arena("--agents", "random", run_folder, "--games", "8")
    assert told["agents"][1]["name"] == str(run_folder)
    assert "trained for another number of players: 2, not 3" in fails(
        "arena", "honey_wars", "--agents", run_folder, "-n", "3"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["go"], "there is no game 'go'"),
        (["-n", "7"], "num_players=7"),
        (["--minutes", "0"], "--minutes 0: more than 0"),
    ],
)
def test_quickstart_errors(folder: Path, words: list[str], says: str) -> None:
    found = run("quickstart", *words)
    assert found.code == 2 and says in found.err and "Traceback" not in found.err
    assert not list(folder.iterdir())


# A game of an installed package, which has no heuristic


@pytest.fixture
def picnic_installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(folder, GROUP, "picnic = tests.toy.game:Picnic")
    monkeypatch.syspath_prepend(str(folder))


def test_a_game_of_an_installed_package(picnic_installed: None) -> None:
    succeeds("playthrough", "picnic", "-n", "3", "--out", "game.txt")
    assert "all possible" in succeeds("replay", "game.txt")


def test_at_the_table_of_a_game_without_heuristic(picnic_installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def terminal(session: Session, _seat: int, adviser: Agent, _console: Any) -> Any:
        return SimpleNamespace(run=lambda: seen.extend([*session.seats, adviser.name]))

    monkeypatch.setattr("bearagents.play.terminal.Terminal", terminal)
    succeeds("play", "picnic", "-n", "2")
    assert seen == [PERSON, "random", "random"]


def test_quickstart_of_a_game_without_heuristic(picnic_installed: None) -> None:
    assert "need at least 4" in fails("quickstart", "picnic", "--minutes", "0.01", "--games", "3")
    shown = succeeds("quickstart", "picnic", "--minutes", "0.01", "--games", "4")
    assert "random" in shown and "heuristic" not in shown.partition("policy ")[0]
    assert "bearenvs arena picnic --agents random runs/quickstart-1" in shown
