"""The shortest way from nothing to a rated agent: train a little, compete, and say where everything lies."""

from itertools import count
from pathlib import Path

from rich.console import Console

from bearagents.arena import compete, record_game, schedule
from bearagents.names import baselines_of, load_agent
from bearagents.report import Report
from bearagents.train import train
from bearenvs.registry import load_game

ENDLESS = 10**12
"""More steps than time allows: the run is limited by time alone."""


def quickstart(game_name: str, num_players: int, seconds: float, games: int, runs: Path, console: Console) -> None:
    """Train a policy for ``seconds`` in a new folder under ``runs``, then rate it against the baselines.

    SettingsError if ``games`` are too few for that.
    """
    game = load_game(game_name, num_players=num_players)
    baselines = baselines_of(game)
    schedule(range(len(baselines) + 1), num_players, games)  # with the policy; before time is spent on its training
    folder = next(folder for n in count(1) if not (folder := runs / f"quickstart-{n}").exists())
    console.print(
        f"Training a policy for {game_name} with {num_players} players by self-play, for {seconds / 60:.3g} minutes."
        " Ctrl-C ends it earlier and saves what there is."
    )
    run = train(game_name, num_players=num_players, steps=ENDLESS, time_limit=seconds, out=folder)
    console.print(f"Trained for {run.card.steps:,} steps. Now it meets the baselines in the arena.\n")
    agents = {name: load_agent(name, game) for name in (*baselines, str(folder))}
    console.print(Report.of(compete(game, agents, games=games)))
    record = folder / "playthrough.txt"
    record.write_text(record_game(game, [agents[str(folder)]] * num_players, seed=0).text(legal=True), encoding="utf-8")
    console.print(
        f"\npolicy       {folder}  (an agent's name: bearenvs arena {game_name} --agents {baselines[-1]} {folder})"
        f"\nlog          {folder / 'log'}  (tensorboard --logdir {folder / 'log'})"
        f"\nplaythrough  {record}  (bearenvs replay {record})",
        soft_wrap=True,
        highlight=False,
        markup=False,
    )
