"""Agents by name, as the command line writes them."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bearagents.agent import Agent, AgentError, View, told
from bearagents.heuristics import HEURISTICS, HeuristicAgent, heuristic_of
from bearagents.mcts import Budget, FlatAgent, MctsAgent
from bearagents.policy import Policy, shipped
from bearagents.random import RandomAgent
from bearenvs.game import Game

BUILT_IN: dict[str, Callable[[], Agent]] = {"random": RandomAgent, "heuristic": HeuristicAgent}
SEARCHES: dict[str, Callable[[Budget], Agent]] = {
    "mcts": MctsAgent,
    "mcts-random": partial(MctsAgent, rollout="random"),
    "flat": FlatAgent,
    "flat-random": partial(FlatAgent, rollout="random"),
}
"""Agents whose name ends with their budget, iterations or seconds: ``mcts:1000``, ``mcts:0.5s``. The first of each
kind uses the game's heuristic, if it has one; ``-random`` needs no knowledge of the game."""
PPO = "ppo"
"""The policy for the game and number of players that comes with the package."""
GROUP = "bearenvs.agents"
"""The group of entry points by which an installed package names agents of its own."""
MOST_SHOWN = 100
"""Characters of a name that an error repeats."""


def load_agent(name: str, game: Game) -> Agent:
    """Return the agent that ``name`` names, ready to play ``game``.

    A name is, and is looked for in this order: one of :data:`BUILT_IN`; ``ppo``, the policy that comes with the
    package; one of :data:`SEARCHES` with its budget (``mcts:1000``); the folder of a policy (or its
    ``policy.json``); a name that an installed package has given an agent in the group ``bearenvs.agents`` of entry
    points; or ``package.module:Class``. The last two lead to an :class:`~bearagents.agent.Agent` class that needs no
    arguments.

    What other packages bring goes by the name it is asked for: several classes may call themselves the same.

    AgentError lists what is possible; UnfitError says why the agent cannot play this game, SettingsError what is wrong
    with a budget.
    """
    if name == HeuristicAgent.name:
        heuristic_of(type(game))
    if name in BUILT_IN:
        return BUILT_IN[name]()
    kind, _, rest = name.partition(":")
    if kind in SEARCHES and rest:
        return SEARCHES[kind](Budget.read(rest))
    if name == PPO:
        return _load_policy(name, shipped(game), game)
    if name and _is_path(name):
        return _load_policy(name, Path(name), game)
    entry = _installed(name)
    if entry is not None:
        return _make(name, entry.load, f"an Agent class; {entry.value} is its entry point")
    if kind in SEARCHES:
        raise AgentError(f"agent {name!r} lacks its budget: iterations as in {kind}:1000, or seconds as in {kind}:0.5s")
    if rest:
        return _make(name, lambda: getattr(import_module(kind), rest), "package.module:Class")
    installed = sorted({entry.name for entry in entry_points(group=GROUP)})
    raise AgentError(
        f"there is no agent {_shown(name)}, nor a file or folder of that name; an agent is random, heuristic (plays"
        f" {', '.join(sorted(HEURISTICS))}), {', '.join(SEARCHES)} with its budget (mcts:1000, mcts:0.5s), {PPO}"
        f" (comes with the package), {''.join(f'{one}, ' for one in installed)}the folder of a training run or"
        " policy, or package.module:Class"
    )


def baselines_of(game: Game) -> list[str]:
    """Return the names of agents to be measured against: random play and, if there is one, the heuristic."""
    return [RandomAgent.name, *([HeuristicAgent.name] if game.name in HEURISTICS else [])]


def _is_path(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # too long for the name of a file, or where this user may not look
        return False


def _shown(name: str) -> str:
    return repr(name if len(name) <= MOST_SHOWN else f"{name[:MOST_SHOWN]}...")


def _load_policy(name: str, path: Path, game: Game) -> Policy:
    policy = Policy.load(path, name=name, greedy=True)
    policy.check(game)
    return policy


def _installed(name: str) -> EntryPoint | None:
    """Return what an installed package names so, or None; AgentError if two packages name different classes so."""
    found = {entry.value: entry for entry in entry_points(group=GROUP, name=name)}
    if len(found) > 1:
        raise AgentError(
            f"installed packages name several agents {_shown(name)}: name the class itself,"
            f" {' or '.join(sorted(found))}"
        )
    return next(iter(found.values()), None)


class _Named:
    """An agent of other people's code, by the name that it was asked for."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self._agent = agent

    def reset(self, seed: int) -> None:
        self._agent.reset(seed)

    def act(self, view: View) -> npt.NDArray[np.integer[Any]]:
        return self._agent.act(view)


def _make(name: str, find: Callable[[], Any], what: str) -> Agent:
    """Return an agent of the class that ``find`` returns; AgentError for all that goes wrong in that foreign code."""
    try:
        agent = find()()
        is_agent = isinstance(agent, Agent) and isinstance(agent.name, str)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit: only Ctrl-C is none of the agent's doing
        raise AgentError(f"agent {_shown(name)} cannot be made: {told(error)}; it has to be {what}") from error
    if not is_agent:
        raise AgentError(f"agent {_shown(name)} lacks name (a str), reset(seed) or act(view): see bearagents.agent")
    return _Named(name, agent)
