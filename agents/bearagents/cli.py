"""The command line: ``bearenvs``. Errors of what was asked are one line on stderr and exit code 2."""

import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import ExitStack, closing, contextmanager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
from typer.core import TyperCommand, TyperGroup

import bearenvs
from bearagents.agent import Agent
from bearagents.arena import compete, record_game
from bearagents.isolated import WARM_UP_LIMIT, IsolatedAgent
from bearagents.names import baselines_of, load_agent
from bearagents.policy import read_card
from bearagents.provenance import command_line
from bearenvs import views
from bearenvs.errors import BearenvsError, PlaythroughError, SettingsError
from bearenvs.extras import missing, needs
from bearenvs.files import write_text
from bearenvs.game import Game
from bearenvs.playthrough import Playthrough, headline, replay
from bearenvs.registry import GAMES, game_class, load_game
from bearenvs.render.film import write_gif, write_mp4
from bearenvs.render.html import replay_page
from bearenvs.render.svg import to_svg
from bearenvs.settings import read_value
from bearenvs.values import Values, read_values, write_values
from bearenvs.views import Viewer, check_viewer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class _Commands(TyperGroup):
    """Turns the errors that bearenvs raises on purpose, and warnings, into a line on stderr each."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_: typer.echo(f"warning: {message}", err=True)
                return super().invoke(ctx)
        except BearenvsError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(2) from None


class _AgentsCommand(TyperCommand):
    """Takes several names after one ``--agents`` or ``--against``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, spread(spread(args, "--agents"), "--against"))


def spread(words: Sequence[str], option: str) -> list[str]:
    """Put ``option`` before each value that follows it, up to the next option: a parser takes only one for each.

    >>> spread(["honey_wars", "--agents", "random", "heuristic", "--json"], "--agents")
    ['honey_wars', '--agents', 'random', '--agents', 'heuristic', '--json']
    """
    repeated: list[str] = []
    is_open = False
    for word in words:
        if word.startswith("-"):
            is_open = word.partition("=")[0] == option
        elif is_open and repeated[-1] != option:
            repeated.append(option)
        repeated.append(word)
    return repeated


RESULTS = Path("benchmarks/results")

app = typer.Typer(
    cls=_Commands,
    help="Three tabletop games for reinforcement learning: play, record, train, compare.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
content_app = typer.Typer(help="Work with content files: cards, tiles and set-up numbers.", no_args_is_help=True)
app.add_typer(content_app, name="content")

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help=f"{', '.join(sorted(GAMES))}, or a game that an installed package names.")
]
NumPlayers = Annotated[
    int | None, typer.Option("--num-players", "-n", help="Players at the table (default: the game's own).")
]
ContentFile = Annotated[Path | None, typer.Option("--content", help="A content file in place of the game's own.")]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the game. May be repeated.")
]
SeenBy = Annotated[
    str, typer.Option("--seat", metavar="SEAT", help="Show only what this seat sees; all, for everything.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**32 - 1, help="Where all random numbers start.")]
STEPS = 2_000_000
"""Of a training run without a limit of its own."""
Steps = Annotated[
    int | None,
    typer.Option(
        "--steps", min=1, help=f"The learner's decisions in all (default: {STEPS:,}; with --minutes: no limit)."
    ),
]
Minutes = Annotated[
    float | None, typer.Option("--minutes", help="Stop after this time; with --steps, at whichever comes first.")
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        help="Run each agent in a process of its own, in which it has so many seconds a decision; before the games, and"
        f" to be reset, it has {WARM_UP_LIMIT:g}.",
    ),
]


@app.callback(invoke_without_command=True)
def _bearenvs(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"bearenvs {bearenvs.__version__}")
        raise typer.Exit
    # A script's folder stands in for the current one on the path: look for agents of one's own here as well.
    if "" not in sys.path:
        sys.path.insert(0, "")


def read_settings(num_players: int | None, sets: Sequence[str] | None) -> dict[str, Any]:
    """Return the settings that options name; SettingsError for what is not NAME=VALUE, or given twice."""
    settings: dict[str, Any] = {} if num_players is None else {"num_players": num_players}
    for item in sets or ():
        name, equals, value = item.partition("=")
        if not (name and equals):
            raise SettingsError(f"--set {item!r}: a setting is written NAME=VALUE, such as late_seat_honey=1")
        if name in settings:
            raise SettingsError(f"setting {name!r} is given twice")
        settings[name] = read_value(value)
    return settings


def _load(name: str, settings: dict[str, Any], content: Path | None) -> Game:
    game_class(name).settings_type.parse(name, settings)  # refuses what is an argument of load_game, but no setting
    return load_game(name, content=content, **settings)


def _stdout() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=120)


# --------------------------------------------------------------------------------------------------
# Content


@content_app.command("check")
def check_content(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The content file (TOML).")],
    num_players: NumPlayers = None,
    sets: Sets = None,
) -> None:
    """Check a content file: whether it is valid, and for how many players it suffices."""
    settings = read_settings(num_players, sets)
    digest = game_class(game).content_type.load(file).digest
    counts = [settings["num_players"]] if "num_players" in settings else _player_counts(game)
    faults: dict[int, BearenvsError] = {}
    for count in counts:
        try:
            _load(game, {**settings, "num_players": count}, file)
        except BearenvsError as error:
            faults[count] = error
    if len(faults) == len(counts):
        raise next(iter(faults.values()))
    typer.echo(f"{file}: valid content for {game}, digest {digest[:12]}")
    for count in counts:
        typer.echo(f"  {count} players: {faults.get(count, 'ok')}")


def _player_counts(game: str) -> list[int]:
    schema = game_class(game).settings_type.model_json_schema()["properties"]["num_players"]
    return list(schema.get("enum") or range(schema["minimum"], schema["maximum"] + 1))


# --------------------------------------------------------------------------------------------------
# Records


@app.command("playthrough")
def write_playthrough(
    game: GameName,
    num_players: NumPlayers = None,
    seed: Seed = 0,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", help="Who plays: one for all seats, or repeated, one a seat.")
    ] = None,
    legal: Annotated[
        bool, typer.Option("--legal", help="Add a comment with the legal actions to each action.")
    ] = False,
    seat: SeenBy = "all",
    out: Annotated[Path | None, typer.Option("--out", help="Write into this file instead.")] = None,
    content: ContentFile = None,
    sets: Sets = None,
) -> None:
    """Play one game and print its record."""
    loaded = _load(game, read_settings(num_players, sets), content)
    names = agent or ["random"]
    if len(names) not in (1, loaded.num_players):
        raise SettingsError(f"{len(names)} agents for {loaded.num_players} seats: name one for all, or one for each")
    viewer = _viewer(seat, loaded)
    agents = {name: load_agent(name, loaded) for name in names}
    seats = [agents[names[place % len(names)]] for place in range(loaded.num_players)]
    text = record_game(loaded, seats, seed).text(viewer, legal=legal)
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_text(out, text)


@app.command("replay")
def check_playthrough(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A playthrough.")],
    partial: Annotated[bool, typer.Option("--partial", help="Accept the record of an unfinished game.")] = False,
    seat: SeenBy = "all",
    at: Annotated[int | None, typer.Option("--at", min=0, help="Stop after so many events.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page to play it back: one file.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write a picture of where it leads.")] = None,
    gif: Annotated[Path | None, typer.Option("--gif", help="Write it as an animated GIF.")] = None,
    mp4: Annotated[Path | None, typer.Option("--mp4", help="Write it as a film.")] = None,
    fps: Annotated[int, typer.Option("--fps", min=1, max=50, help="Pictures a second of GIF and film.")] = 2,
    values: Annotated[
        str | None,
        typer.Option("--values", metavar="NAME", help="Find the seats' chances to win: let this agent play on."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the record, with the chances to win.")] = None,
    content: Annotated[
        Path | None, typer.Option("--content", help="Where its content file lies, if not where the record says.")
    ] = None,
) -> None:
    """Play a record again, without random numbers, and show where it leads, or write it as pictures.

    The page of --html shows the chances to win that the record carries, or that --values finds.
    """
    text = _read(file)
    try:
        played = replay(text, partial=partial, content=content)
    except PlaythroughError as error:
        raise PlaythroughError(f"{file}: {error}") from None
    if at is not None and at > len(played.events):
        raise SettingsError(f"--at {at}: the record ends after {len(played.events)} events")
    played = Playthrough(played.game, played.events[:at])
    game, states = played.game, played.final_states()
    viewer = _viewer(seat, game)
    if viewer != "all" and (values or out):
        raise SettingsError("--values and --out go with the whole record: leave --seat out")
    chances = read_values(text, game.num_players) if values is None else _chances(played, values)
    if out is not None:
        write_text(out, write_values(played.text(), chances))
    for path, write in ((gif, write_gif), (mp4, write_mp4)):
        if path is not None:
            write(played, path, viewer, fps=fps)
    if html is not None:
        write_text(html, replay_page(played, viewer, chances))
    if svg is not None:
        write_text(svg, to_svg(views.draw(game, states, viewer)))
    if html or svg or gif or mp4 or out:
        return
    typer.echo(f"{headline(game)}: {len(played.events)} events, all possible. The game then stands so:\n")
    typer.echo(views.describe(game, states, viewer))
    returns = views.returns(game, states)[0]
    if game.content_note:
        typer.echo(f"\n{game.content_note}")
    typer.echo("\nreturns: " + "  ".join(f"p{seat} {value:+g}" for seat, value in enumerate(returns)))


def _chances(played: Playthrough, name: str) -> Values:
    with needs("--values", "arena"):
        from bearagents.chances import win_chances  # noqa: PLC0415
    agent = load_agent(name, played.game)
    with _progress() as on_progress:
        return win_chances(played, agent, on_progress=on_progress)


def _viewer(seat: str, game: Game) -> Viewer:
    return check_viewer(int(seat) if re.fullmatch("[0-9]{1,18}", seat) else seat, game.num_players)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BearenvsError(f"{file}: cannot be read: {error}") from None


# --------------------------------------------------------------------------------------------------
# Agents


@app.command("arena", cls=_AgentsCommand)
def run_arena(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Option(
            "--agents",
            metavar="NAME...",
            help="random, heuristic, mcts:1000, ppo, a policy's folder, package.module:Class. Named twice, an agent"
            " sits at the table twice; fewer names than players repeat evenly.",
        ),
    ],
    num_players: NumPlayers = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Play at most so many: whole rounds.")] = 1000,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a row of figures for each agent.")] = False,
    time_limit: TimeLimit = None,
    content: ContentFile = None,
    sets: Sets = None,
) -> None:
    """Let agents compete in all seats in turn, from the same deals, and rate them; who fails forfeits the game."""
    if as_json and as_csv:
        raise SettingsError("--json and --csv: choose one")
    report_type = _report_type()
    loaded = _load(game, read_settings(num_players, sets), content)
    # What an agent prints is no part of the report.
    with redirect_stdout(sys.stderr), _entrants(agents, loaded, time_limit) as entrants, _progress() as on_progress:
        results = compete(loaded, entrants, games=games, entries=agents, seed=seed, on_progress=on_progress)
    report = report_type.of(results)
    if as_json:
        typer.echo(report.to_json())
    elif as_csv:
        typer.echo(report.to_csv(), nl=False)
    else:
        _stdout().print(report)


@app.command("ladder", cls=_AgentsCommand)
def rate_ladder(
    game: GameName,
    num_players: NumPlayers = None,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agents", metavar="NAME...", help="Further players, as for the arena."),
    ] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", help="About how long (default: 20; quick: 2).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the slowest search, and take less time.")] = False,
    out: Annotated[Path, typer.Option("--out", help="The folder for table, figures and plot.")] = RESULTS,
    time_limit: TimeLimit = None,
    content: ContentFile = None,
    sets: Sets = None,
) -> None:
    """Rate all kinds of players by a fixed protocol: random, heuristic, search, the package's policy, and yours.

    The files are named by game and players, ladder-GAME-2p.md; --set, --content, --quick and --agents add to the name:
    ladder-GAME-2p-max_turns=100-quick-with-NAME.md.
    """
    _report_type()
    _needs_plots()
    from bearagents.ladder import FIELD, QUICK_FIELD, climb  # noqa: PLC0415  # needs the extra
    from bearagents.ladder_files import make_room, stem_of, write_files  # noqa: PLC0415

    loaded = _load(game, read_settings(num_players, sets), content)
    seconds = _seconds(minutes if minutes is not None else 2.0 if quick else 20.0)
    field = [*(QUICK_FIELD if quick else FIELD), *(agents or ())]
    stem = stem_of(loaded, is_quick=quick, agents=agents or ())
    make_room(out, stem)
    with _progress() as on_progress:
        ladder = climb(loaded, field, seconds=seconds, time_limit=time_limit, on_progress=on_progress)
    page, *others = write_files(ladder, out, stem, command_line())
    typer.echo(page.read_text(encoding="utf-8"))
    typer.echo("\n".join(f"written: {file}" for file in (page, *others)))


@contextmanager
def _entrants(names: Sequence[str], game: Game, time_limit: float | None) -> "Iterator[dict[str, Agent]]":
    """Load agents; with a time limit, into a process of its own each."""
    with ExitStack() as processes:
        if time_limit is None:
            yield {name: load_agent(name, game) for name in names}
        else:
            yield {name: processes.enter_context(IsolatedAgent(name, game, time_limit)) for name in names}


@contextmanager
def _progress() -> "Iterator[Any]":
    """Show a bar on a terminal's stderr."""
    console = Console(stderr=True)
    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("games")
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _report_type() -> Any:
    with needs("the arena", "arena"):
        from bearagents.report import Report  # noqa: PLC0415
    return Report


def _needs_plots() -> None:
    if find_spec("matplotlib") is None:
        raise BearenvsError(missing("the plot", "plot"))


def _needs_training() -> Any:
    with needs("training", "train"):
        from bearagents import train  # noqa: PLC0415  # imports torch
    return train


def _seconds(minutes: float) -> float:
    if not minutes > 0:
        raise SettingsError(f"--minutes {minutes:g}: more than 0 are needed")
    return 60 * minutes


def _steps(steps: int | None, minutes: float | None) -> int:
    from bearagents.quickstart import ENDLESS  # noqa: PLC0415  # imports torch

    return steps or (STEPS if minutes is None else ENDLESS)


@app.command("train")
def train_policy(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", help="The run's folder: policy, log, snapshots.")],
    num_players: NumPlayers = None,
    steps: Steps = None,
    seed: Seed = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder, in its game.")] = False,
    minutes: Minutes = None,
    hyper: Annotated[
        list[str] | None,
        typer.Option("--hyper", metavar="NAME=VALUE", help="A hyperparameter, its value as JSON. May be repeated."),
    ] = None,
    content: ContentFile = None,
    sets: Sets = None,
) -> None:
    """Train a policy by self-play. Ctrl-C ends the run and saves it."""
    training = _needs_training()
    base = training.hyperparameters_of(read_card(out)) if resume and hyper else None
    run = training.train(
        game,
        settings=read_settings(num_players, sets),
        content=content and content.absolute(),  # the run goes on from any folder
        steps=_steps(steps, minutes),
        out=out,
        seed=seed,
        resume=resume,
        time_limit=None if minutes is None else _seconds(minutes),
        hyperparameters=training.read_hyperparameters(hyper, base) if hyper else None,
    )
    ended = "Interrupted" if run.was_interrupted else "Done"
    typer.echo(f"{ended} after {run.card.steps:,} steps.")
    then = "" if run.evaluated_at == run.card.steps else f" (at {run.evaluated_at:,} steps)"
    for name, share in run.win_shares.items():
        typer.echo(f"wins    {share.value:.1%} against {name} (95%: {share.low:.1%} to {share.high:.1%}){then}")
    typer.echo(f"policy  {run.folder}\nlog     {run.folder / 'log'}")


@app.command("exploit")
def probe_policy(
    game: GameName,
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="Any agent by its name: ppo, a policy's folder.")],
    out: Annotated[Path, typer.Option("--out", help="The folder for the response's run, figures and plot.")],
    num_players: NumPlayers = None,
    steps: Steps = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            help="Train for this time; with --steps, until whichever comes first. Against a slow POLICY the checkpoints"
            " play fewer games, so that they take little of it. The last games are played after it.",
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option("--games", min=1, help="The last games, by which the response is measured."),
    ] = 2000,
    seed: Seed = 0,
    hyper: Annotated[
        list[str] | None,
        typer.Option(
            "--hyper",
            metavar="NAME=VALUE",
            help="A hyperparameter, as for train; the league's change nothing, as all opponents are POLICY.",
        ),
    ] = None,
    content: ContentFile = None,
    sets: Sets = None,
) -> None:
    """Look for weaknesses of a policy: train an opponent against it, and say how far that gets."""
    training = _needs_training()
    _needs_plots()
    from bearagents.exploit import FIGURES, PICTURE, probe  # noqa: PLC0415  # imports torch

    loaded = _load(game, read_settings(num_players, sets), content and content.absolute())
    limit = None if minutes is None else _seconds(minutes)
    found = probe(
        loaded,
        policy,
        out,
        steps=_steps(steps, minutes),
        time_limit=limit,
        games=games,
        seed=seed,
        hyperparameters=training.read_hyperparameters(hyper) if hyper else None,
    )
    typer.echo(f"{found.verdict}\nfigures {out / FIGURES}\nplot    {out / PICTURE}\nrun     {out}")


@app.command("export", cls=_AgentsCommand)
def export_policy(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A training run's folder.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder for the exported policy.")],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="NAME...", help="Opponents to measure it against (default: the baselines)."),
    ] = None,
    games: Annotated[int, typer.Option("--games", min=1, help="Games against each of them.")] = 2000,
    seed: Seed = 0,
) -> None:
    """Write a policy as an ONNX model that plays without torch, and how strong it is."""
    with needs("exporting", "train"):
        from bearagents.export import export  # noqa: PLC0415  # imports torch
    with _progress() as on_progress:
        card = export(run, out, against=against, games=games, seed=seed, on_progress=on_progress)
    for found in card.strength:
        even = "" if found.even_share is None else f"; even: {found.even_share:.1%}"
        whom = "with" if found.even_share is None else "against"
        typer.echo(
            f"wins    {found.win_share:.1%} {whom} {found.opponent} (95%: {found.low:.1%} to {found.high:.1%}{even})"
        )
    typer.echo(f"policy  {out}, {(out / card.archive).stat().st_size:,} bytes")


# --------------------------------------------------------------------------------------------------
# At the table

Host = Annotated[str, typer.Option("--host", help="Where the page is served; only this machine reaches the default.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="The page's port; 0 takes a free one.")]
TableSeed = Annotated[int | None, typer.Option("--seed", min=0, help="Where chance starts (default: anywhere).")]


@app.command("play", cls=_AgentsCommand)
def play_game(
    game: GameName,
    seat: Annotated[
        list[int] | None, typer.Option("--seat", help="Your seat (default: 0); repeated, with --web.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", metavar="NAME...", help="Who holds the other seats, as for the arena (default: the heuristic)."
        ),
    ] = None,
    num_players: NumPlayers = None,
    web: Annotated[bool, typer.Option("--web", help="Play in the browser, each person behind a private link.")] = False,
    hint: Annotated[
        str | None, typer.Option("--hint", metavar="NAME", help="The agent that gives hints (default: the heuristic).")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="With --web: keep the game in this file at any time.")
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved game.")] = None,
    seed: TableSeed = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    content: ContentFile = None,
    sets: Sets = None,
) -> None:
    """Sit down and play against agents, or with other people in the browser."""
    _needs_table()
    from bearagents.play import seating  # noqa: PLC0415

    if resume is not None:
        if seat or against or num_players is not None or seed is not None or content is not None or sets:
            raise SettingsError("--resume FILE brings its seats, agents and settings along: leave the others out")
        session = seating.resume(resume, game)
    else:
        loaded = _load(game, read_settings(num_players, sets), content)
        session = seating.sit_down(loaded, seat or [0], against or baselines_of(loaded)[-1:], seed)
    _show_notice(session.game)
    adviser = load_agent(hint or baselines_of(session.game)[-1], session.game)
    if web:
        from bearagents.play.table import Table  # noqa: PLC0415  # needs the extra

        def keep() -> None:
            if save is not None:
                seating.SaveFile(save).write(session)

        _serve(Table(session, adviser, keep), host, port, keep)
        return
    if len(session.people) != 1:
        raise SettingsError("one person sits at the terminal; several play with --web")
    if save is not None:
        raise SettingsError("--save goes with --web; in the terminal, type save FILE")
    from bearagents.play.terminal import Terminal  # noqa: PLC0415  # needs the extra

    Terminal(session, session.people[0], adviser, _stdout()).run()


@app.command("watch", cls=_AgentsCommand)
def watch_game(
    game: GameName,
    agents: Annotated[
        list[str], typer.Option("--agents", metavar="NAME...", help="Who plays, as for the arena; names repeat.")
    ],
    num_players: NumPlayers = None,
    delay: Annotated[float, typer.Option("--delay", min=0, max=10, help="Seconds between decisions.")] = 1.0,
    seed: TableSeed = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    content: ContentFile = None,
    sets: Sets = None,
) -> None:
    """Watch agents play in the browser, with all cards open."""
    _needs_table()
    from bearagents.play import seating  # noqa: PLC0415
    from bearagents.play.table import Table  # noqa: PLC0415  # needs the extra

    loaded = _load(game, read_settings(num_players, sets), content)
    _show_notice(loaded)
    _serve(Table(seating.sit_down(loaded, [], agents, seed), delay=delay), host, port)


def _needs_table() -> None:
    with needs("playing", "play"):
        import prompt_toolkit  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415


def _show_notice(game: Game) -> None:
    if game.content_note:
        typer.echo(game.content_note)


def _serve(table: Any, host: str, port: int, keep: "Callable[[], None]" = lambda: None) -> None:
    from bearagents.play.web import Server  # noqa: PLC0415  # needs the extra

    with closing(Server(table, host, port)) as server:
        keep()  # a file that cannot be written is an error now, not a surprise after the game
        for seat, link in server.links.items():
            typer.echo(f"{'Watch' if seat == 'all' else f'Seat {seat}'}: {link}")
        typer.echo("A link is the key to its seat: give it to nobody else. Ctrl-C ends the game.")
        server.run()


@app.command("quickstart")
def run_quickstart(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")] = "honey_wars",
    num_players: Annotated[int, typer.Option("--num-players", "-n", help="Players at the table.")] = 2,
    minutes: Annotated[float, typer.Option("--minutes", help="Time for training.")] = 3.0,
    games: Annotated[int, typer.Option("--games", min=1, help="Games in the arena.")] = 3000,
    runs: Annotated[Path, typer.Option("--runs", help="The folder for the run's folder.")] = Path("runs"),
) -> None:
    """Train an agent for a few minutes, rate it against the baselines, and say where everything lies."""
    _needs_training()
    from bearagents.quickstart import quickstart  # noqa: PLC0415  # imports torch

    quickstart(game, num_players, _seconds(minutes), games, runs, _stdout())
