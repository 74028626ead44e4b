"""The results as pictures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")  # needs no display

import matplotlib.pyplot as plt  # after the choice above

from benchmarks.measured import Measured, Results
from benchmarks.report import OURS, best, games_of, is_like_sized, limit_share, peers_of

COLORS = ("#0072B2", "#D55E00", "#009E73")  # told apart by everybody
MARKERS = ("o", "s", "^")


def draw(results: Results, folder: Path) -> list[Path]:
    """Write the plots into ``folder``; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn: dict[str, Callable[[Results, Any], None]] = {"against_the_field": _field}
    if results.of(OURS):
        drawn |= {
            "number_of_games": _number_of_games,
            "share_of_the_limit": _limit,
            "players_and_content": _growth,
            "training": _training,
        }
    return [_save(folder / f"{name}.png", results, plot) for name, plot in drawn.items()]


def _save(path: Path, results: Results, plot: Callable[[Results, Any], None]) -> Path:
    figure, axes = plt.subplots(figsize=(9, 5.5), layout="constrained")
    plot(results, axes)
    figure.savefig(path, dpi=100)
    plt.close(figure)
    return path


def _field(results: Results, axes: Any) -> None:
    """Draw each game's best batch, ours in color."""
    ours = [one for game in games_of(results) if (one := best(results.of(OURS, "batch", game)))]
    names = dict.fromkeys((one.side, one.game) for one in peers_of(results))
    peers = [one for side, game in names if (one := best(results.of(side, game=game)))]
    shown = sorted((*ours, *peers), key=lambda one: one.rate)
    colors = ["#0072B2" if one.side == OURS else "#E69F00" if is_like_sized(one) else "#BBBBBB" for one in shown]
    axes.barh(range(len(shown)), [one.rate for one in shown], color=colors)
    axes.set_yticks(range(len(shown)), [f"{one.side} {one.game}, {one.num_envs:,}" for one in shown], fontsize=8)
    for place, one in enumerate(shown):
        axes.text(one.rate, place, f" {one.rate:,.0f}", va="center", fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(right=max(one.rate for one in shown) * 5)
    axes.set_xlabel("decisions a second, the best of each game (logarithmic)")
    axes.set_title("This library (blue), peers' games of like size (orange), toys (gray)")


def _number_of_games(results: Results, axes: Any) -> None:
    """Draw decisions a second against the number of games, on one thread and two."""
    for number, game in enumerate(games_of(results)):
        for threads, style in ((1, "-"), (2, "--")):
            batches = [one for one in results.of(OURS, "batch", game) if one.threads == threads and one.rates]
            _line(axes, batches, f"{game}, {threads} thread{'s' * (threads > 1)}", number, style)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("games in a batch")
    axes.set_ylabel("decisions a second")
    axes.set_title("Batches")
    axes.legend(fontsize=8)


def _line(axes: Any, points: list[Measured], label: str, number: int, style: str = "-") -> None:
    if points:
        spreads = [one.spread for one in points]
        below = [one.rate - low for one, (low, _) in zip(points, spreads, strict=True)]
        above = [high - one.rate for one, (_, high) in zip(points, spreads, strict=True)]
        axes.errorbar(
            [one.num_envs for one in points],
            [one.rate for one in points],
            yerr=[below, above],
            linestyle=style,
            marker=MARKERS[number],
            color=COLORS[number],
            capsize=3,
            label=label,
        )


def _limit(results: Results, axes: Any) -> None:
    """Draw how close batches come to copying."""
    for number, game in enumerate(games_of(results)):
        for threads, style in ((1, "-"), (2, "--")):
            batches = [one for one in results.of(OURS, "batch", game) if one.threads == threads and one.rates]
            if batches:
                axes.plot(
                    [one.num_envs for one in batches],
                    [limit_share(results, one) for one in batches],
                    linestyle=style,
                    marker=MARKERS[number],
                    color=COLORS[number],
                    label=f"{game}, {threads} thread{'s' * (threads > 1)}",
                )
    axes.axhline(1 / 3, color="black", linewidth=1, linestyle=":")
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("games in a batch")
    axes.set_ylabel("share of the copy limit (dotted: the goal)")
    axes.set_title("Batches against copying the bytes that they write")
    axes.legend(fontsize=8)


def _growth(results: Results, axes: Any) -> None:
    """Draw nanoseconds a decision against the size of the observation, as players and content grow."""
    for number, game in enumerate(games_of(results)):
        grown = [one for one in results.of(OURS, game=game) if "observation" in one.notes and one.rates]
        for label, marker, points in (
            ("players", MARKERS[number], [one for one in grown if one.players]),
            ("kinds of cards", "x", [one for one in grown if not one.players]),
        ):
            if points:
                sizes, costs = [one.notes["observation"] for one in points], [1e9 / one.rate for one in points]
                style = "-" if label == "players" else ":"
                axes.plot(sizes, costs, marker=marker, linestyle=style, color=COLORS[number], label=f"{game}, {label}")
                for size, cost, one in zip(sizes, costs, points, strict=True):
                    axes.annotate(
                        one.players or one.notes["kinds"], (size, cost), textcoords="offset points", xytext=(5, 5)
                    )
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("numbers in an observation")
    axes.set_ylabel("nanoseconds a decision, 1,024 games, one thread")
    axes.set_title("Players (labels) and kinds of cards")
    axes.legend(fontsize=8)


def _training(results: Results, axes: Any) -> None:
    """Draw training steps a second against the number of games."""
    for number, game in enumerate(games_of(results)):
        _line(axes, [one for one in results.of(OURS, "PPO", game) if one.rates], game, number)
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("games played side by side")
    axes.set_ylabel("training steps a second")
    axes.set_title("Masked PPO, two layers of 64, rollouts of 8,192 steps")
    axes.legend(fontsize=8)
