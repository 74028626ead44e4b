"""The ladder as files: a page in Markdown, its figures in JSON, and a plot."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bearagents.ladder import FIELD, QUICK_FIELD, SEED, Ladder, Pair
from bearagents.provenance import provenance
from bearagents.ratings import Estimate
from bearagents.report import one_line
from bearenvs.errors import BearenvsError
from bearenvs.files import replacing, write_text, writing
from bearenvs.game import Game

LONGEST_STEM = 180
"""Characters of the files' names, to which their ends come: systems allow 255."""


def stem_of(game: Game, *, is_quick: bool = False, agents: Iterable[str] = ()) -> str:
    """Return how the files' names begin: game, players, and what is not as it is by default.

    In this order: settings, content by its digest, ``is_quick``, and of ``agents``, the further players, those who
    are not in the field anyway. So another kind of ladder does not take the place of the main one.
    """
    settings = {name: value for name, value in game.settings.changed().items() if name != "num_players"}
    parts = [f"ladder-{game.name}-{game.num_players}p", *(f"{name}={value}" for name, value in settings.items())]
    if game.content.path is not None:
        parts.append(game.content.digest[:8])
    parts += ["quick"] if is_quick else []
    field = QUICK_FIELD if is_quick else FIELD
    parts += [f"with-{name}" for name in dict.fromkeys(agents) if name not in field]
    stem = "-".join(re.sub(r"[^\w.=-]+", "-", part, flags=re.ASCII).strip("-") for part in parts)
    if len(stem) <= LONGEST_STEM:
        return stem
    return f"{stem[:LONGEST_STEM]}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}"


def make_room(folder: Path, stem: str) -> None:
    """Make the folder; BearenvsError if the files cannot be written there, before the time for the games is spent."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for file in _files(folder, stem):
        with writing(file):
            if file.is_dir():
                raise BearenvsError(f"{file}: cannot be written: it is a folder")
            draft = file.with_name(f".new-{file.name}")
            draft.touch()
            draft.unlink()


def write_files(ladder: Ladder, folder: Path, stem: str, command: str) -> list[Path]:
    """Write all three into ``folder`` and return where they are; BearenvsError if that is not possible.

    ``stem``: see :func:`stem_of`. ``command`` is what made the ladder, for the page.
    """
    make_room(folder, stem)
    page, figures, picture = files = _files(folder, stem)
    measured = provenance()
    write_text(page, to_markdown(ladder, picture.name, command, measured))
    write_text(figures, to_json(ladder, command, measured))
    with replacing(picture) as draft:
        plot(ladder, draft)
    return files


def _files(folder: Path, stem: str) -> list[Path]:
    return [folder / f"{stem}.{suffix}" for suffix in ("md", "json", "svg")]


def to_json(ladder: Ladder, command: str, measured: dict[str, str]) -> str:
    """Return all figures as JSON."""
    game = ladder.game
    told = {
        "game": game.name,
        "version": game.version,
        "settings": game.settings.changed(),
        "content_digest": game.content.digest,
        "content_note": game.content_note,
        "seed": SEED,
        "command": command,
        "seconds": round(ladder.seconds, 1),
        "measured_on": measured,
        "rungs": [asdict(rung) for rung in ladder.rungs],
        "pairs": [{**asdict(pair), "holds": pair.holds} for pair in ladder.pairs],
        "left_out": ladder.left_out,
    }
    return json.dumps(told, indent=2) + "\n"


def to_markdown(ladder: Ladder, picture: str, command: str, measured: dict[str, str]) -> str:
    """Return the page; ``picture`` is the file name of the plot beside it."""
    game = ladder.game
    settings = ", ".join(f"{name} {value}" for name, value in game.settings.changed().items())
    rungs = [
        [
            rung.name,
            f"{rung.rating.value:+.0f}",
            f"{rung.rating.low:+.0f} to {rung.rating.high:+.0f}",
            f"{1000 * rung.seconds_per_decision:,.3g}",
            str(rung.forfeits),
        ]
        for rung in ladder.rungs
    ]
    parts = [
        f"# The ladder of {game.title}, {game.num_players} players",
        f"`{command}`: version {game.version}, {settings}; {ladder.seconds / 60:.0f} minutes. Every pair meets"
        f" alone, with as many seats each, in all seats in turn and from the same deals, from seed {SEED:,} on;"
        " the dearer its decisions are, the fewer its games. A score is the share in what both win: 50% between equals."
        " Ratings are Elo points around the average of the field, fitted to all scores: a gap of 400 says that the one"
        " wins ten times as much as the other, a gap of 100 is a score of 64%. A gap is known within the root of the"
        " sum of the squares of what both intervals reach to one side.",
        game.content_note,
        _table(["Player", "Rating", "95% interval", "ms a decision", "Forfeits"], rungs),
        f"![Ratings and scores]({picture})",
        "## Steps that should hold",
        _steps(ladder.steps),
        "## Neighbours on the ladder",
        _steps(ladder.neighbours),
        "## All pairs",
        "The score of the row against the column.",
        _all_pairs(ladder),
    ]
    parts += [
        f"{_plain(rung.name)} forfeited {rung.forfeits} games; the first time: {_plain(rung.fault)}"
        for rung in ladder.rungs
        if rung.fault
    ]
    parts += [f"Left out: {_plain(who)}: {_plain(why)}." for who, why in ladder.left_out.items()]
    parts += ["## Measured on", "\n".join(f"- {what}: {value}" for what, value in measured.items())]
    return "\n\n".join(part for part in parts if part) + "\n"


def _steps(pairs: Iterable[Pair]) -> str:
    rows = [
        [
            f"{pair.lower} < {pair.upper}",
            str(pair.games),
            f"{pair.score.value:.1%}",
            _interval(pair.score),
            "yes" if pair.holds else "**no**" if pair.score.high < 0.5 else "not decided",
        ]
        for pair in pairs
    ]
    return _table(["Step", "Games", "Score", "95% interval", "Holds with 95% confidence"], rows)


def _all_pairs(ladder: Ladder) -> str:
    names = [rung.name for rung in ladder.rungs]
    rows = []
    for upper in names:
        found = [ladder.between(lower, upper) for lower in names]
        rows.append([upper, *("" if pair is None else f"{pair.score.value:.1%} ({pair.games})" for pair in found)])
    return _table(["Player", *(f"{name} (games)" for name in names)], rows)


def _interval(found: Estimate) -> str:
    return f"{found.low:.1%} to {found.high:.1%}"


def _plain(text: str) -> str:
    """Return others' words as one line in which Markdown reads no signs of its own."""
    return re.sub(r"[\\`*\[\]<>|]|^[#+-]", r"\\\g<0>", one_line(text))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', ' ') for cell in line)} |" for line in lines)


def plot(ladder: Ladder, file: Path) -> None:
    """Draw the ratings, and the scores of all pairs. Needs the extra 'plot'."""
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    names = [rung.name for rung in reversed(ladder.rungs)]
    places = range(len(names))
    with mpl.rc_context({"svg.hashsalt": "bearenvs", "font.size": 9}):  # the same file for the same figures
        figure = Figure(figsize=(11, 1.5 + 0.5 * len(names)), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.2])
        values = [rung.rating.value for rung in reversed(ladder.rungs)]
        reach = [[rung.rating.value - rung.rating.low for rung in reversed(ladder.rungs)]] * 2
        left.errorbar(values, places, xerr=reach, fmt="o", capsize=3, color="#0072b2")
        left.set(
            yticks=places, yticklabels=names, xlabel="rating in Elo points, with 95% interval", title=_title(ladder)
        )
        left.grid(axis="x", alpha=0.3)
        scores: list[list[float]] = [[float("nan")] * len(names) for _ in names]
        for row, upper in enumerate(names):
            for column, lower in enumerate(names):
                pair = ladder.between(lower, upper)
                if pair is not None:
                    scores[row][column] = pair.score.value
                    color = "white" if abs(pair.score.value - 0.5) > 0.3 else "black"
                    right.text(column, row, f"{pair.score.value:.0%}", ha="center", va="center", color=color)
        image: Any = right.imshow(scores, origin="lower", vmin=0, vmax=1, cmap="PuOr", aspect="auto")
        right.set(xticks=places, yticks=places, yticklabels=names, title="score of the row against the column")
        right.set_xticks(places, names, rotation=30, ha="right")
        figure.colorbar(image, ax=right, format="{x:.0%}")
        figure.savefig(file, metadata={"Date": None})


def _title(ladder: Ladder) -> str:
    return f"{ladder.game.title}, {ladder.game.num_players} players"
