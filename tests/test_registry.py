"""Games of installed packages are known by their names, as the package's own are."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import bearenvs
from bearenvs.docs import MARK
from bearenvs.errors import SettingsError
from bearenvs.registry import GAMES, GROUP, game_class
from tests.playing import install
from tests.toy.game import Picnic

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_an_installed_package_names_its_games(folder: Path) -> None:
    install(folder, GROUP, "picnic = tests.toy.game:Picnic")
    assert "picnic" not in GAMES and game_class("picnic") is Picnic
    env: Any = bearenvs.make("picnic", num_players=3, compiled=False)
    env.reset(seed=1)
    assert bearenvs.replay(env.playthrough("all"), partial=True).game.name == "picnic"
    with pytest.raises(SettingsError, match="the games are honey_wars, outrun_the_bear, picnic, ursa_miner"):
        game_class("chess")
    assert bearenvs.picnic_v0.__name__ == "tests.toy"
    assert "bearenvs/Picnic-v0" not in gymnasium.registry
    bearenvs.register_games()
    assert gymnasium.registry.pop("bearenvs/Picnic-v0").kwargs == {"game": "picnic"}
    if aec := getattr(sys.modules["pettingzoo"], "aec_registry", None):
        del aec["bearenvs/picnic-v0"]


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("no_such_module:Game", "cannot be loaded from no_such_module:Game: No module named"),
        ("tests.toy.game:Nothing", "cannot be loaded from tests.toy.game:Nothing: .* has no attribute 'Nothing'"),
        ("json:dumps", "json:dumps is no subclass of bearenvs.game.Game"),
        ("tests.toy.game:Picnic", "tests.toy.game:Picnic calls itself 'picnic'"),
    ],
)
def test_a_broken_entry_point_is_an_error_that_names_it(place: str, says: str, folder: Path) -> None:
    install(folder, GROUP, f"broken = {place}")
    with pytest.raises(SettingsError, match=f"^game 'broken'.* {says}"):
        bearenvs.load_game("broken")


def document(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "bearenvs.docs", name]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)


def test_an_installed_games_page_is_written(tmp_path: Path) -> None:
    install(tmp_path, GROUP, "picnic = our_picnic.game:Picnic")
    shutil.copytree(TOY, tmp_path / "our_picnic")
    page = tmp_path / "our_picnic" / "__init__.py"
    page.write_text(f'"""Picnic.\n\n{MARK}\n"""\n', encoding="utf-8")
    assert document("picnic", tmp_path).returncode == 0
    assert "| `num_players` |" in page.read_text(encoding="utf-8")
    page.write_text('"""Picnic."""\n', encoding="utf-8")
    for name, says in (("picnic", "the docstring lacks the line"), ("chess", "there is no game 'chess'")):
        found = document(name, tmp_path)
        assert found.returncode == 1 and found.stderr.startswith("error: ") and says in found.stderr
        assert found.stderr.count("\n") == 1
