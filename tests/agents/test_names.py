"""Agents by the names that the command line takes."""

import importlib
import re
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from bearagents import names
from bearagents.agent import Agent, AgentError, UnfitError
from bearagents.heuristics import HeuristicAgent
from bearagents.mcts import FlatAgent, MctsAgent
from bearagents.names import load_agent
from bearagents.policy import Policy, PolicyError
from bearagents.random import RandomAgent

from bearenvs.errors import SettingsError
from bearenvs.game import Game
from bearenvs.registry import load_game


@pytest.fixture
def game() -> Game:
    return load_game("honey_wars")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty current folder that modules can be imported from."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("random", RandomAgent),
        ("heuristic", HeuristicAgent),
        ("mcts:20", MctsAgent),
        ("mcts-random:20", MctsAgent),
        ("flat:20", FlatAgent),
        ("flat-random:2s", FlatAgent),
        ("mcts:0.5s", MctsAgent),
    ],
)
def test_names(game: Game, name: str, kind: type[Agent]) -> None:
    agent = load_agent(name, game)
    assert type(agent) is kind
    assert agent.name == name


@pytest.mark.parametrize("name", ["randm", "", "runs/none", "policy.json"])
def test_an_unknown_name_gets_a_list_of_what_is_possible(game: Game, folder: Path, name: str) -> None:
    with pytest.raises(AgentError) as caught:
        load_agent(name, game)
    for part in (f"no agent {name!r}", "random", "heuristic", "mcts", "training run", "package.module:Class"):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mcts:0", "iterations=0: at least 1, at most 10,000,000"),
        ("mcts:-5", "iterations=-5: at least 1"),
        ("flat-random:99999999999", "iterations=99999999999: at least 1, at most 10,000,000"),
        ("mcts:1000000s", "seconds=1000000.0: more than 0, at most 3,600"),
        ("flat:-.5s", "seconds=-0.5: more than 0, at most 3,600"),
        ("mcts:nans", "seconds=nan: more than 0"),
        ("mcts:many", "'many' is no budget: iterations as in 1000, or seconds as in 0.5s"),
        ("mcts-random:1e3", "'1e3' is no budget"),
        ("mcts:s", "'s' is no budget"),
    ],
)
def test_a_budget_says_what_is_wrong_with_it(game: Game, name: str, says: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(says)):
        load_agent(name, game)


def test_a_long_budget_is_shortened(game: Game) -> None:
    with pytest.raises(SettingsError, match="is no budget") as caught:
        load_agent("mcts:" + "9" * 5000, game)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("kind", ["mcts", "flat-random"])
def test_a_search_without_its_budget(game: Game, folder: Path, kind: str) -> None:
    """The name alone may be that of a run's folder; where there is none, it is a search that lacks its budget."""
    for name in (kind, f"{kind}:"):
        with pytest.raises(AgentError, match=f"'{name}' lacks its budget: .*{kind}:1000, or .*{kind}:0.5s$"):
            load_agent(name, game)
    (folder / kind).mkdir()
    with pytest.raises(PolicyError, match=f"{kind}: no policy there"):
        load_agent(kind, game)


def test_a_budget_begins_with_the_point(game: Game) -> None:
    assert load_agent("mcts:.5s", game).name == "mcts:0.5s"


@pytest.mark.parametrize("name", ["a" * 5000, "runs/" + "b" * 5000, "c:" * 2500])
def test_a_name_too_long_for_a_file_is_unknown_and_shortened(game: Game, name: str) -> None:
    with pytest.raises(AgentError, match=rf"agent '{name[:100]}\.\.\.'") as caught:
        load_agent(name, game)
    assert name[:101] not in str(caught.value)


def test_a_path_too_long_for_a_file_holds_no_policy() -> None:
    with pytest.raises(PolicyError, match="no policy there"):
        Policy.load("d" * 5000)


def test_a_module_of_ones_own(game: Game, folder: Path) -> None:
    source = "class Mine:\n    name = 'mine'\n    def reset(self, seed): ...\n    def act(self, view): ...\n"
    (folder / "own_agents.py").write_text(source + "class Lame:\n    name = 'lame'\nWRONG = 3\n", encoding="utf-8")
    assert load_agent("own_agents:Mine", game).name == "own_agents:Mine"
    with pytest.raises(AgentError, match=r"'own_agents:Lame' lacks name \(a str\), reset\(seed\) or act\(view\)"):
        load_agent("own_agents:Lame", game)
    for name in ("own_agents:None", "own_agents:WRONG", "no_such_module:Mine", ":Mine", "own_agents.:Mine"):
        with pytest.raises(AgentError, match=f"agent '{name}' cannot be made: .*package.module:Class"):
            load_agent(name, game)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("raise SystemExit(0)", "cannot be made: SystemExit: 0; it has to be"),
        ("class Agent:\n    def __init__(self): exit()", "cannot be made: SystemExit: "),
        ("class Agent:\n    def __init__(self): raise BaseException('no')", "cannot be made: BaseException: no"),
        ("class Agent:\n    name = property(lambda self: 1 / 0)", "cannot be made: ZeroDivisionError"),
        ("1 +", "cannot be made: SyntaxError: invalid syntax (mute_agents.py, line 1)"),
        ("class Agent:\n    name = None", "lacks name"),
        ("class Agent:\n    name = 5", "lacks name"),
        (
            "class Mute(Exception):\n    def __str__(self): raise SystemExit\nraise Mute",
            "cannot be made: Mute; it has to be",
        ),
    ],
)
def test_whatever_foreign_code_does_is_an_error_that_names_it(
    game: Game, folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, says: str
) -> None:
    monkeypatch.delitem(sys.modules, "mute_agents", raising=False)
    methods = "\n    def reset(self, seed): ...\n    def act(self, view): ...\n"
    (folder / "mute_agents.py").write_text(source + methods * source.startswith("class Agent"), encoding="utf-8")
    importlib.invalidate_caches()
    with pytest.raises(AgentError, match=re.escape("agent 'mute_agents:Agent' " + says)):
        load_agent("mute_agents:Agent", game)


def test_two_packages_with_one_name_for_their_agents(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"one": "a:Agent", "two": "b:Agent", "too": "b:Agent"}
    entries = [EntryPoint("two" if name == "too" else name, value, names.GROUP) for name, value in values.items()]
    clashing = EntryPoint("one", "c:Agent", names.GROUP)
    found = EntryPoints([*entries, clashing])
    monkeypatch.setattr(names, "entry_points", found.select)
    with pytest.raises(AgentError, match="several agents 'one': name the class itself, a:Agent or c:Agent"):
        load_agent("one", game)
    with pytest.raises(AgentError, match="agent 'two' cannot be made: ModuleNotFoundError"):
        load_agent("two", game)


def test_a_folder_without_a_policy(game: Game, folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(PolicyError, match="empty: no policy there"):
        load_agent("empty", game)


@pytest.mark.usefixtures("picnic")
@pytest.mark.parametrize("name", ["heuristic"])
def test_a_game_without_heuristic(name: str) -> None:
    with pytest.raises(UnfitError, match="no heuristic for 'picnic'"):
        load_agent(name, load_game("picnic"))
