"""Agents of other people: the one in the README, in every command, and names that installed packages give."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from bearagents.agent import Agent, AgentError
from bearagents.arena import compete
from bearagents.cli import app
from bearagents.names import load_agent
from bearagents.play.seating import sit_down
from bearagents.random import RandomAgent
from typer.testing import CliRunner

from bearenvs.registry import load_game
from tests.playing import install

README = Path(__file__).parents[2] / "README.md"
NAME = "my_agents:Builder"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the README's agent where it can be imported from, into an empty current folder."""
    (source,) = re.findall(r"```python\n(# my_agents.py\n.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(source.splitlines()) <= 21  # its name and 20 lines
    (tmp_path / "my_agents.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_readmes_agent_builds() -> None:
    game = load_game("honey_wars", num_players=3)
    agents: dict[str, Agent] = {"own": load_agent(NAME, game), "random": RandomAgent()}
    found = compete(game, agents, games=60)
    assert not found.faults
    assert found.returns[found.seatings == 0].mean() > found.returns[found.seatings == 1].mean()


@pytest.mark.parametrize("limit", [[], ["--time-limit", "20"]])
def test_the_readmes_agent_in_the_arena(limit: list[str]) -> None:
    words = ["arena", "honey_wars", "--agents", NAME, "random", "--games", "20", "--json", *limit]
    told: Any = json.loads(CliRunner().invoke(app, words).stdout)
    assert [(agent["name"], agent["forfeits"]) for agent in told["agents"]] == [(NAME, 0), ("random", 0)]


def test_the_readmes_agent_at_the_table() -> None:
    session = sit_down(load_game("honey_wars", num_players=2), [], [NAME, "random"], seed=3)
    for _ in range(20):
        assert session.answer()


def test_an_installed_package_names_its_agents(folder: Path) -> None:
    install(folder, "bearenvs.agents", f"builder = {NAME}")
    game = load_game("honey_wars")
    assert load_agent("builder", game).name == "builder"
    with pytest.raises(AgentError, match=r"comes with the package\), builder, the folder"):
        load_agent("nobody", game)


@pytest.mark.parametrize("entry", ["broken = no_such_module:Agent", "broken = my_agents:Nobody", "broken = json:dumps"])
def test_a_broken_entry_point_is_an_error_that_names_it(entry: str, folder: Path) -> None:
    install(folder, "bearenvs.agents", entry)
    with pytest.raises(AgentError, match=r"agent 'broken' cannot be made: .* is its entry point"):
        load_agent("broken", load_game("honey_wars"))
