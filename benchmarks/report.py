"""The results as Markdown."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.measured import Measured, Results

LIKE_SIZED = ("gin", "skat", "mahjong", "hanabi", "backgammon")
"""Peers' games of about the size of ours; the others are toys."""
OURS = "bearenvs"
LARGE = 1024
"""Games in a batch from which on the calls themselves cost nothing."""
LIMIT_GOAL = 1 / 3
LIKE_SIZED_GOAL = 50
AEC_GOAL = 10


def write(results: Results, folder: Path, plots: Sequence[Path]) -> Path:
    """Write ``bench.json`` and ``bench.md`` with links to the ``plots``; return the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.json").write_text(results.model_dump_json(indent=1) + "\n", encoding="utf-8")
    sections = [_head(results)]
    if results.of(OURS):
        sections.append(_goals(results))
    sections.append("\n\n".join(f"![{plot.stem.replace('_', ' ')}]({plot.name})" for plot in plots))
    if peers_of(results):
        sections.append(_peers(results))
    if results.of(OURS):
        sections += [_ours(results), _limit(results), _search(results), _startup(results), _growth(results)]
    sections.append(_versions(results))
    path = folder / "bench.md"
    path.write_text("\n\n".join(filter(None, sections)) + "\n", encoding="utf-8")
    return path


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def best(measured: Iterable[Measured]) -> Measured | None:
    """Return the fastest, if anything was measured."""
    return max((one for one in measured if one.rates), key=lambda one: one.rate, default=None)


def is_like_sized(one: Measured) -> bool:
    """Tell whether a peer's game is about as large as ours."""
    return any(word in one.game.lower() for word in LIKE_SIZED)


def peers_of(results: Results) -> list[Measured]:
    """Return all that was measured of others."""
    return [one for one in results.measured if one.side != OURS]


def limit_share(results: Results, batch: Measured) -> float:
    """Return how close a batch comes to copying what its steps write: 1 is as fast.

    The limit is the best of copying on as many threads or fewer: a second one can cost more to wake than it copies.
    """
    limit = best(
        copy
        for copy in results.of(OURS, "copy", batch.game)
        if copy.num_envs == batch.num_envs and copy.threads <= batch.threads
    )
    return batch.rate / limit.rate if limit else 0.0


def games_of(results: Results) -> list[str]:
    """Return our games, in order."""
    return list(dict.fromkeys(one.game for one in results.of(OURS, "batch")))


def _head(results: Results) -> str:
    return (
        "# Measured against the field\n\n"
        f"One run of `make bench`, {results.date}: {results.machine}, {results.processors} processors, Python"
        f" {results.python}. All sides by turns, {results.rounds} rounds of {results.seconds:g} seconds each; medians,"
        " and in brackets the quartiles. Random legal play; observation and mask are made for every decision, a game"
        " that ends starts anew; warm-up is left out, and set-up (imports, building, compiling, first play) told apart."
        " Threads: 0 is the side's own choice."
    )


def _goals(results: Results) -> str:
    peers = peers_of(results)
    fastest = best(peers)
    # OpenSpiel's lists are no arrays that a policy could take: the comparison is made with and without them.
    alike = list(filter(is_like_sized, peers))
    candidates = (best(alike), best(one for one in alike if not one.interface.endswith("lists")))
    like_sized = [one for place, one in enumerate(candidates) if one and one not in candidates[:place]]
    aec = best(results.of("PettingZoo"))
    openspiel = [one for one in results.of("OpenSpiel") if one.game == "leduc_poker" and one.rates]
    rows: list[Sequence[object]] = []
    for game in games_of(results):
        batches = results.of(OURS, "batch", game)
        batch = best(batches)
        if batch is None:
            continue
        if fastest:
            rows.append(_goal(game, f"batch over the fastest peer ({_named(fastest)})", batch.rate / fastest.rate, 1))
        for peer in like_sized:
            goal = f"batch over the fastest peer of like size ({_named(peer)})"
            rows.append(_goal(game, goal, batch.rate / peer.rate, LIKE_SIZED_GOAL))
        if aec and (ours := best(results.of(OURS, "AEC", game))):
            rows.append(_goal(game, f"AEC over PettingZoo's fastest ({aec.game})", ours.rate / aec.rate, AEC_GOAL))
        if one := best(batch for batch in batches if batch.num_envs == 1):
            for peer in openspiel:
                what = f"batch of 1 over OpenSpiel's leduc_poker ({peer.interface})"
                rows.append(_goal(game, what, one.rate / peer.rate, 1))
        if large := [one for one in batches if one.num_envs >= LARGE]:
            share = max(limit_share(results, one) for one in large)
            rows.append(_goal(game, f"share of the copy limit, best of batches from {LARGE:,}", share, LIMIT_GOAL))
    return "## Goals\n\n" + table(("Game", "What", "Times", "Goal", "Reached"), rows)


def _goal(game: str, what: str, value: float, goal: float) -> Sequence[object]:
    return game, what, f"{value:.2f}", f"{goal:.2f}", "yes" if value >= goal else "**no**"


def _named(one: Measured) -> str:
    return f"{one.side} {one.game}, {one.interface}, {one.num_envs:,}"


def _peers(results: Results) -> str:
    rows = [
        (one.side, one.game + (" (like size)" if is_like_sized(one) else ""), one.interface, f"{one.num_envs:,}")
        + ((_spread(one), _setup(one)) if one.rates else (f"**failed**: {one.error}", _setup(one)))
        for one in peers_of(results)
    ]
    return "## Peers\n\n" + table(("Peer", "Game", "How", "Games", "Decisions/s", "Set-up, s"), rows)


def _ours(results: Results) -> str:
    kinds = ("AEC", "raw_env", "Gymnasium", "batch", "VecEnv", "VecEnv and policy")
    rows = [
        (one.game, one.interface, f"{one.num_envs:,}", one.threads, _figure(one), _setup(one))
        for game in games_of(results)
        for kind in kinds
        for one in results.of(OURS, kind, game)
    ]
    headings = ("Game", "Interface", "Games", "Threads", "Decisions/s", "Set-up, s")
    note = (
        "Gymnasium and VecEnv count the learner's decisions; its opponents, at random, move inside. Set-up is from the"
        " cache of compiled code, and holds 100 steps of warm-up."
    )
    return f"## This library\n\n{note}\n\n" + table(headings, rows)


def _limit(results: Results) -> str:
    rows = []
    for game in games_of(results):
        for one in results.of(OURS, "batch", game):
            if not one.rates:
                continue
            copy = one.rate / limit_share(results, one) if limit_share(results, one) else 0.0
            share = f"{limit_share(results, one):.2f}"
            written = one.notes["written"]
            rows.append((game, f"{one.num_envs:,}", one.threads, written, f"{one.rate:,.0f}", f"{copy:,.0f}", share))
    headings = ("Game", "Games", "Threads", "Bytes a step", "Decisions/s", "Copies of these bytes/s", "Share")
    note = "How close a batch comes to copying the bytes that a step writes: state, mask, observation."
    return f"## The limit\n\n{note}\n\n" + table(headings, rows)


def _search(results: Results) -> str:
    rows = []
    for game in games_of(results):
        bytes_of = results.of(OURS, "batch", game)[0].notes
        clone, determinize = (results.of(OURS, kind, game) for kind in ("clone", "clone and determinize"))
        rows.append(
            (
                game,
                bytes_of["state bytes"],
                bytes_of["slot bytes"],
                *(_figure(one) for one in (*clone, *determinize)),
            )
        )
    headings = ("Game", "Bytes of a state", "Bytes a game in a batch", "Clones/s", "Clones determinized/s")
    return "## Search\n\n" + table(headings, rows)


def _startup(results: Results) -> str:
    if not results.startup:
        return ""
    rows = [(one.game, one.what, f"{one.cold:.2f}", f"{one.median_warm:.2f}") for one in results.startup]
    note = "Whole processes, from start to first step, in seconds."
    return f"## Start-up\n\n{note}\n\n" + table(("Game", "What", "Nothing compiled", "From the cache"), rows)


def _growth(results: Results) -> str:
    parts = [
        "## How cost grows",
        "Batches of 1,024 games on one thread, by players and by kinds of cards; PPO by games.",
    ]
    rows = [
        (
            one.game,
            f"{one.players} players" if one.players else one.interface,
            one.notes["actions"],
            one.notes["observation"],
            _figure(one),
        )
        for one in results.of(OURS)
        if "observation" in one.notes
    ]
    parts.append(table(("Game", "With", "Actions", "Observation", "Decisions/s"), rows))
    training = [(one.game, f"{one.num_envs:,}", _figure(one)) for one in results.of(OURS, "PPO")]
    parts.append(table(("Game", "Games", "Training steps/s"), training))
    return "\n\n".join(parts)


def _versions(results: Results) -> str:
    rows = [
        (side, ", ".join(f"{name} {version}" for name, version in versions.items()))
        for side, versions in results.versions.items()
    ]
    rows += [(side, f"**{error}**") for side, error in results.failures.items()]
    return "## Versions\n\n" + table(("Side", "Installed"), rows)


def _figure(one: Measured) -> str:
    return _spread(one) if one.rates else f"**failed**: {one.error}"


def _spread(one: Measured) -> str:
    low, high = one.spread
    return f"{one.rate:,.0f} ({low:,.0f} to {high:,.0f})"


def _setup(one: Measured) -> str:
    return "" if one.setup_seconds is None else f"{one.setup_seconds:.1f}"
