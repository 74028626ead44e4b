"""Files are written whole or not at all."""

import os
from pathlib import Path

import pytest

from bearenvs.errors import SaveError
from bearenvs.files import replacing, write_text


def test_what_fails_halfway_leaves_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    write_text(file, "kept")

    def write_half(error: BaseException) -> None:
        with replacing(file, SaveError) as draft:
            draft.write_text("ha")
            raise error

    with pytest.raises(SaveError, match=r"game.txt: cannot be written: no space left"):
        write_half(OSError("no space left"))
    with pytest.raises(KeyboardInterrupt):
        write_half(KeyboardInterrupt())
    with pytest.raises(SaveError, match=r"game.txt: cannot be written: .*encode"):
        write_text(file, "content=\udcff", SaveError)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("game.txt", "kept")]
    write_text(file, "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("game.txt", "new")]


@pytest.mark.parametrize("name", [".", "/", "..", "none/file", "x" * 5000, "file/file"])
def test_what_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    with pytest.raises(SaveError) as caught:
        write_text(Path(name), "text", SaveError)
    assert str(caught.value).startswith(f"{name}: cannot be written: ")
    assert [*Path().iterdir()] == [Path("file")]


def test_links_and_pipes_stay_what_they_are(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    (tmp_path / "file").touch()
    write_text(link, "text")
    assert link.is_symlink() and (tmp_path / "file").read_text() == "text"
    read, write = os.pipe()
    write_text(Path(f"/dev/fd/{write}"), "text")
    assert os.read(read, 10) == b"text"
    os.close(read)
    os.close(write)
