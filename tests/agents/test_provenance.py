"""What a measurement says about where it comes from."""

import shutil
import subprocess
from pathlib import Path

import pytest
from bearagents import provenance


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.com")
    command = ["git", "-C", str(folder), *who, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_commit_is_that_of_these_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of a user's repository in which they are installed."""
    sources, installed = tmp_path / "provenance.py", tmp_path / ".venv" / "provenance.py"
    installed.parent.mkdir()
    for file in (sources, installed):
        file.write_text("")
    git(tmp_path, "init")
    git(tmp_path, "add", sources.name)
    git(tmp_path, "commit", "-m", "First")
    commit = git(tmp_path, "rev-parse", "--short=12", "HEAD")
    for file, expected in ((sources, commit), (installed, "unknown")):
        monkeypatch.setattr(provenance, "__file__", str(file))
        assert provenance.provenance()["commit"] == expected
    sources.write_text("changed")
    monkeypatch.setattr(provenance, "__file__", str(sources))
    assert provenance.provenance()["commit"] == f"{commit} + changes"
