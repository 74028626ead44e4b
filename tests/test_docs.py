"""The documentation pages say what the code says."""

import pytest

from bearenvs import docs
from bearenvs.registry import GAMES, game_class, load_game


@pytest.mark.parametrize("name", GAMES)
def test_generated_part_is_current(name: str) -> None:
    assert docs.page_file(name).read_text(encoding="utf-8") == docs.rewritten(name), (
        f"run: python -m bearenvs.docs {name}"
    )


@pytest.mark.parametrize("name", GAMES)
def test_page_says_what_is_reconstruction(name: str) -> None:
    page = docs.page_file(name).read_text(encoding="utf-8")
    content = (game_class(name).folder / "content.toml").read_text(encoding="utf-8")
    assert game_class(name).reconstruction in page
    assert "**Reconstruction.**" in page
    assert "RECONSTRUCTION" in content


@pytest.mark.parametrize("name", GAMES)
def test_every_table_entry_is_explained(name: str) -> None:
    game = load_game(name)
    for section in (*game.actions.sections, *game.outcomes.sections, *game.layout):
        assert section.meaning, section.name
