"""What a user installs: a quiet, light import, a complete wheel, and a repeatable set-up."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

# Import names, which differ from the names that the extras install.
EXTRAS = {
    "arena": {"choix", "scipy"},
    "play": {"prompt_toolkit", "starlette", "uvicorn", "websockets"},
    "plot": {"matplotlib"},
    "policies": {"onnx", "onnxruntime"},
    "render": {"pygame", "imageio", "imageio_ffmpeg", "PIL"},
    "train": {"torch", "stable_baselines3", "sb3_contrib", "tensorboard", "tqdm"},
}
# Not scipy, which Numba imports where it is installed.
UNWANTED = set().union(*EXTRAS.values()) - {"scipy"} | {"torchrl", "tkinter"}

REPORT_IMPORT = """
import os, sys
before = dict(os.environ)
import {module}
changed = before.items() ^ os.environ.items()
with open({report!r}, "w") as file:
    print(*sorted({{name.partition(".")[0] for name in sys.modules}}), file=file)
    print(*sorted(name for name, value in changed), file=file)
"""


def run_python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stderr
    return done


def import_alone(module: str, folder: Path) -> tuple[set[str], list[str], str]:
    """Imports `module` in a fresh interpreter: packages loaded, environment variables changed, output."""
    report = folder / "report"
    code = REPORT_IMPORT.format(module=module, report=str(report))
    done = run_python("-c", code, folder=folder)
    loaded, changed = report.read_text().splitlines()
    return set(loaded.split()), changed.split(), done.stdout + done.stderr


@pytest.mark.parametrize("module", ["bearenvs", "bearagents.cli"])  # `bearenvs replay` does not wait for torch
def test_import_is_light_and_quiet(module: str, tmp_path: Path) -> None:
    loaded, changed, output = import_alone(module, tmp_path)
    assert module.partition(".")[0] in loaded
    assert not loaded & UNWANTED
    assert changed == []
    assert output == ""


RUN_COMMANDS = """
import contextlib, io, json, sys
from importlib.machinery import PathFinder
hidden, commands = json.loads(sys.argv[1])
class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, *where):
        return None if name.partition(".")[0] in hidden else super().find_spec(name, *where)
sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
from bearagents.cli import app
errors = []
for command in commands:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            app(command.split())
        except SystemExit as ended:
            errors.append([ended.code or 0, err.getvalue()])
print(json.dumps(errors))
"""
RECORD = "playthrough honey_wars -n 2 --out game.txt"


@pytest.mark.parametrize(
    ("extras", "works", "fails"),
    [
        (
            [],
            ["--version", RECORD, "replay game.txt --html game.html --svg game.svg"],
            {
                "arena honey_wars --agents random": "arena",
                "exploit honey_wars random --out run": "train",
                "export run policy": "train",
                "ladder honey_wars": "arena",
                "play honey_wars": "play",
                "playthrough honey_wars -n 2 --agent ppo": "policies",
                "quickstart": "train",
                "replay game.txt --gif game.gif": "render",
                "replay game.txt --mp4 game.mp4": "render",
                "replay game.txt --values random": "arena",
                "train honey_wars --out run": "train",
                "watch honey_wars --agents random": "play",
            },
        ),
        (
            ["play", "render"],
            [RECORD, "replay game.txt --at 2 --gif game.gif", "replay game.txt --at 2 --mp4 game.mp4"],
            {"play honey_wars --seat 7": "seat 7", "watch honey_wars --agents nobody": "there is no agent"},
        ),
        (["arena"], ["arena honey_wars -n 2 --agents random --games 4"], {"ladder honey_wars": "plot"}),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
def test_commands_work_with_their_own_extra(
    extras: list[str], works: list[str], fails: dict[str, str], tmp_path: Path
) -> None:
    """All others end in one line that names the extra that they lack, or says what else is wrong."""
    hidden = set().union(*(modules for extra, modules in EXTRAS.items() if extra not in extras))
    request = json.dumps([sorted(hidden), [*works, *fails]])
    ended = json.loads(run_python("-c", RUN_COMMANDS, request, folder=tmp_path).stdout)
    assert [code for code, _ in ended[: len(works)]] == [0] * len(works), ended
    for (code, error), what in zip(ended[len(works) :], fails.values(), strict=True):
        assert code == 2 and error.startswith("error: ") and error.count("\n") == 1, error
        assert (f"needs the extra '{what}': pip install 'bearenvs[{what}]'" if what in EXTRAS else what) in error


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this working tree."""
    folder = tmp_path_factory.mktemp("dist")
    run_python("-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder), folder=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_wheel_holds_both_packages_whole(wheel: Path) -> None:
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    packages = {"bearenvs": ROOT / "bearenvs", "bearagents": ROOT / "agents" / "bearagents"}
    source = {
        f"{package}/{path.relative_to(folder).as_posix()}"
        for package, folder in packages.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"bearenvs/py.typed", "bearagents/py.typed", "bearenvs/honey_wars/content.toml"} <= source
    assert {"bearenvs/render/replay.html", "bearagents/play/page/index.html"} <= source
    assert source == packed
    assert {name.partition("/")[0] for name in packed} == set(packages)
    assert not [name for name in packed if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_wheel_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        folder = zipfile.Path(archive, f"bearenvs-{PROJECT['version']}.dist-info/")
        metadata = (folder / "METADATA").read_text(encoding="utf-8").splitlines()
        assert "bearenvs = bearagents.cli:app" in (folder / "entry_points.txt").read_text(encoding="utf-8")
    required = [line.partition(": ")[2] for line in metadata if line.startswith("Requires-Dist")]
    core = {Requirement(line).name for line in required if "extra ==" not in line}
    assert core == {"numpy", "numba", "gymnasium", "pettingzoo", "pydantic", "typer", "rich", "typing-extensions"}


def test_packages_import_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "import bearenvs, bearagents; print(bearenvs.__file__, bearagents.__file__, sep='\\n')"
    # The current folder comes first on a -c interpreter's path, before any editable install.
    done = run_python("-c", code, folder=tmp_path)
    assert [Path(line).parents[1] for line in done.stdout.splitlines()] == [tmp_path, tmp_path]


def pinned() -> dict[str, str]:
    """constraints.txt: distribution name to exact version."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / "constraints.txt").read_text().splitlines())
    matches = [re.fullmatch(r"([a-z0-9-]+)==([0-9.]+)", line) for line in lines if line]
    assert all(matches), "each line of constraints.txt is name==version: no ranges, no addresses"
    return {match[1]: match[2] for match in matches if match}


def needed(requirement: Requirement, extra: str = "") -> Iterator[Requirement]:
    """The requirement, if this platform has it; for bearenvs' own extras, what pyproject.toml lists."""
    if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
        return
    if requirement.name != PROJECT["name"]:
        yield requirement
        return
    for name in requirement.extras:
        for line in PROJECT["optional-dependencies"][name]:
            yield from needed(Requirement(line), extra)


def direct_requirements() -> list[Requirement]:
    lines = [*PROJECT["dependencies"], f"{PROJECT['name']}[dev]"]
    return [found for line in lines for found in needed(Requirement(line))]


def test_constraints_lie_within_the_declared_ranges() -> None:
    pins = pinned()
    for requirement in direct_requirements():
        version = pins[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} does not admit {version}"


def test_constraints_pin_everything_that_a_set_up_installs() -> None:
    open_ended: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    todo = direct_requirements()
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        key = (name, frozenset(requirement.extras))
        # torch's default Linux build pins the CUDA packages itself: see constraints.txt.
        if key in seen or re.match(r"nvidia-|cuda-|triton", name):
            continue
        seen.add(key)
        if name not in pinned():
            open_ended.add(name)
        try:
            lines = distribution(name).requires or []
        except PackageNotFoundError:
            continue  # not for this platform
        extras = requirement.extras or {""}
        for line in lines:
            for extra in extras:
                todo.extend(needed(Requirement(line), extra))
    assert open_ended == set()
