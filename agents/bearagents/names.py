"""Agents by name, as the command line writes them."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from bearagents.agent import Agent, AgentError
from bearagents.heuristics import HEURISTICS, HeuristicAgent, heuristic_of
from bearagents.mcts import Budget, FlatAgent, MctsAgent
from bearagents.random import RandomAgent
from bearenvs.game import Game

BUILT_IN: dict[str, Callable[[], Agent]] = {"random": RandomAgent, "heuristic": HeuristicAgent}
SEARCHES: dict[str, Callable[[Budget], Agent]] = {
    "mcts": MctsAgent,
    "mcts-heuristic": partial(MctsAgent, rollout="heuristic"),
    "flat": FlatAgent,
    "flat-heuristic": partial(FlatAgent, rollout="heuristic"),
}
"""Agents whose name ends with their iterations: ``mcts:1000``."""


def load_agent(name: str, game: Game) -> Agent:
    """Return the agent that ``name`` names, ready to play ``game``.

    A name is one of :data:`BUILT_IN`, one of :data:`SEARCHES` with its iterations (``mcts:1000``), the folder of a
    training run (or its ``policy.json``), or ``package.module:Class`` for an :class:`~bearagents.agent.Agent` class
    that needs no arguments.

    AgentError lists what is possible; PolicyError and SettingsError say why the agent cannot play this game.
    """
    kind, _, iterations = name.partition(":")
    if kind.endswith("heuristic"):
        heuristic_of(type(game))
    if name in BUILT_IN:
        return BUILT_IN[name]()
    if kind in SEARCHES and iterations.isdecimal():
        return SEARCHES[kind](Budget(int(iterations)))
    if name and Path(name).exists():
        from bearagents.policy import Policy  # noqa: PLC0415  # imports torch when it loads

        policy = Policy.load(name, name=name, greedy=True)
        policy.check(game)
        return policy
    if kind not in SEARCHES and iterations:
        return _load_class(name)
    raise AgentError(
        f"there is no agent {name!r}, nor a file or folder of that name; an agent is random, heuristic (plays"
        f" {', '.join(sorted(HEURISTICS))}), {', '.join(SEARCHES)} with its iterations (mcts:1000), the folder of a"
        " training run, or package.module:Class"
    )


def _load_class(name: str) -> Agent:
    module, _, attribute = name.partition(":")
    try:
        agent = getattr(import_module(module), attribute)()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise AgentError(f"agent {name!r} cannot be made: {error}; it has to be package.module:Class") from error
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {name!r} lacks name, reset(seed) or act(view): see bearagents.agent")
    return agent
