"""Agents in processes of their own: no hang, no death and no noise of theirs stops the arena."""

import io
import os
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bearagents import isolated
from bearagents.agent import AgentError
from bearagents.arena import Results, compete
from bearagents.isolated import IsolatedAgent
from bearagents.random import RandomAgent
from bearagents.report import Report
from rich.console import Console

from bearenvs.errors import SettingsError
from tests.agents.toy_game import toy_game

NAME = "foreign_agents"
SOURCE = """
import os, time
from bearagents.random import RandomAgent

class Late(RandomAgent):
    def act(self, view):
        if view.states[0].turn == 5:
            time.sleep(1000)
        print("noise")
        return super().act(view)

class Noisy(RandomAgent):
    def reset(self, seed):
        print("of Python")
        os.write(1, b"of C\\n")
        os.system("echo of a child")

class Dies(RandomAgent):
    def act(self, view):
        if view.states[0].turn == 5:
            os._exit(7)
        return super().act(view)

class Hangs(RandomAgent):
    def act(self, view):
        while True:
            pass

class Strict(RandomAgent):
    seeds = []

    def reset(self, seed):
        self.seeds.append(seed)

    def act(self, view):
        if not self.seeds:
            os._exit(8)
        return super().act(view)

class Reads(RandomAgent):
    def reset(self, seed):
        time.sleep(0.8)

class Unfit(RandomAgent):
    def reset(self, seed):
        raise OSError("no data\\n\\n\\x1b[2Jat all")
"""


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{NAME}.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


def play(agent: Any, games: int = 40, die_sides: int = 12) -> Results:
    return compete(toy_game(die_sides=die_sides), {"isolated": agent, "random": RandomAgent()}, games=games)


def test_an_agent_plays_in_its_process_as_it_does_here() -> None:
    here = play(RandomAgent())
    with IsolatedAgent("random", toy_game(), 20) as agent:
        there = play(agent)
    np.testing.assert_array_equal(here.returns, there.returns)
    assert (there.forfeited == -1).all() and not there.faults


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("Late", "took more than 0.5 s for a decision"),
        ("Dies", "ended, with exit code 7"),
    ],
)
def test_a_hang_or_a_death_costs_one_game(kind: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "MOST_STARTS", 2)
    whole = play(RandomAgent())
    started = time.monotonic()
    with IsolatedAgent(f"{NAME}:{kind}", toy_game(), 0.5) as agent:
        found = play(agent)
        with pytest.raises(AgentError, match=f"'{NAME}:{kind}' is out: its process was started 2 times"):
            agent.reset(0)
    assert time.monotonic() - started < 90
    assert f"{NAME}:{kind}" in found.faults[0] and says in found.faults[0]
    has_failed = found.forfeited == 0
    assert has_failed.any()
    # Until it is out for good, it loses the games in which it failed and no others.
    np.testing.assert_array_equal(found.returns[~has_failed], whole.returns[~has_failed])
    assert (~has_failed).any()


def test_who_hangs_at_once_forfeits_all_and_is_asked_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "WARM_UP_LIMIT", 1.0)
    with IsolatedAgent(f"{NAME}:Hangs", toy_game(die_sides=1), 0.5) as agent:
        started = time.monotonic()
        found = play(agent, die_sides=1)
    assert time.monotonic() - started < 20
    assert (found.forfeited == 0).all() and "more than 1 s for a first decision, before the games" in found.faults[0]


def test_an_agent_is_reset_before_it_is_asked() -> None:
    with IsolatedAgent(f"{NAME}:Strict", toy_game(die_sides=1), 20) as agent:
        found = play(agent, games=4, die_sides=1)
    assert not found.faults


def test_a_reset_may_take_longer_than_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    with IsolatedAgent(f"{NAME}:Reads", toy_game(die_sides=1), 0.5) as agent:
        assert not play(agent, games=4, die_sides=1).faults
        monkeypatch.setattr(isolated, "WARM_UP_LIMIT", 0.2)
        assert "took more than 0.2 s to be reset" in play(agent, games=4, die_sides=1).faults[0]


def test_what_it_prints_is_no_part_of_the_output(capfd: pytest.CaptureFixture[str]) -> None:
    with IsolatedAgent(f"{NAME}:Noisy", toy_game(), 20):
        out, err = capfd.readouterr()
    assert out == "" and {"of Python", "of C", "of a child"} <= {*err.splitlines()}


def test_who_cannot_begin_forfeits_all() -> None:
    with IsolatedAgent(f"{NAME}:Unfit", toy_game(die_sides=1), 20) as agent:
        found = play(agent, games=4, die_sides=1)
    assert (found.forfeited == 0).all() and "failed: OSError: no data" in found.faults[0]
    told = Report.of(found)
    assert [(one.decisions > 0, one.decisions_per_second is None) for one in told.agents] == [
        (False, True),
        (True, False),
    ]
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(told)
    assert "failed: OSError: no data [2Jat all (" in " ".join(console.export_text(clear=False).split())
    (row,) = re.findall(r"│ isolated .*│", console.export_text().partition("Win share")[0])
    assert row.rstrip(" │").endswith(" -")


def test_who_is_not_there_is_an_error_and_leaves_no_process() -> None:
    with pytest.raises(AgentError, match="there is no agent 'nobody'"):
        IsolatedAgent("nobody", toy_game(), 1)
    with pytest.raises(SettingsError, match="time limit -1: seconds, more than 0"):
        IsolatedAgent("random", toy_game(), -1)


def test_closing_ends_the_process() -> None:
    agent = IsolatedAgent("random", toy_game(), 20)
    pid = agent._process.pid
    agent.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    agent.close()
