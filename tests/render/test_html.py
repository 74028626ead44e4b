"""Replays: what the page holds, what it must not hold, and that a browser plays it."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bearenvs import PlaythroughError, load_game, views
from bearenvs.errors import BearenvsError
from bearenvs.game import CHANCE, TERMINAL
from bearenvs.playthrough import Playthrough, Position, record, replay
from bearenvs.render.film import write_gif, write_mp4
from bearenvs.render.frames import Frame, frames
from bearenvs.render.html import replay_page
from bearenvs.render.scene import Text
from bearenvs.values import read_values, write_values
from tests.playing import Case


def played(case: Case, seed: int = 3) -> Playthrough:
    game = load_game(case[0], **case[1])
    rng = Random(seed)
    return record(game, seed, lambda states, _seat: rng.choice(views.legal_actions(game, states)))


def data_of(page: str) -> Any:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def scenes_of(data: Any) -> list[list[Any]]:
    """Unpack the pictures as the page's script does."""
    scenes: list[list[int]] = []
    for changes in data["frames"]:
        shapes = list(scenes[-1]) if scenes else []
        for at, count, added in changes:
            shapes[at : at + count] = added
        scenes.append(shapes)
    return [[data["shapes"][number] for number in scene] for scene in scenes]


def test_the_page_holds_every_picture_and_nothing_from_elsewhere(case: Case) -> None:
    game = played(case)
    page = replay_page(game)
    scenes, shown = scenes_of(data_of(page)), list(frames(game, "all"))
    assert len(scenes) == len(shown) == len(game.events) + 1
    for scene, frame in zip(scenes, shown, strict=True):
        assert [shape[3] for shape in scene if shape[0] == "T"] == [
            s.text for s in frame.scene.shapes if hasattr(s, "text")
        ]
    assert not re.search(r"(src|href)\s*=|@import|url\(|fetch\(", page)
    assert set(re.findall(r"https?://[^\"'\s<]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert len(page) < 2_000_000 * 40 / 300, "300 plies would take more than 2 MB"


def texts_of(frame: Frame) -> list[str]:
    return [shape.text for shape in frame.scene.shapes if isinstance(shape, Text)]


def names_in(text: str, names: set[str]) -> set[str]:
    plain = re.sub(r"[\W_]+", " ", text.lower())
    return {name for name in names if f" {name} " in f" {plain} "}


def test_the_page_of_a_seat_holds_no_hidden_card() -> None:
    """In the whole file: pictures, titles, log. All cards bear names of their own, so that each can be looked for."""
    game = load_game("honey_wars", num_players=4)
    whole = played(("honey_wars", {"num_players": 4}))
    cut = Playthrough(game, whole.events[:20])
    names = {card.name.lower() for card in game.cards.cards}  # type: ignore[attr-defined]  # Honey Wars' own
    known = names_in(cut.text(1), {re.sub(r"[\W_]+", " ", name) for name in names})
    described = "".join(views.describe(game, position.states, 1) for position, _ in cut.positions())
    known |= names_in(described, names)
    hidden = names_in(views.describe(game, cut.final_states(), "all"), names) - known
    assert hidden, "nothing is hidden: the test tests nothing"
    assert not names_in(replay_page(cut, 1), hidden)
    assert names_in(replay_page(cut), hidden) == hidden


def test_the_page_of_a_seat_is_the_same_whatever_it_does_not_see(case: Case) -> None:
    """Change what happens unseen, where the rest can follow all the same."""
    game = load_game(case[0], **case[1])
    compared = 0
    position, rng = Position(game), Random(5)
    events: list[int] = []
    while compared < 3 and position.to_act != TERMINAL:
        event = rng.choice(possible := position.possible())
        unseen = [each for each in possible if not position.is_seen_by(each, 0)]
        if position.to_act == CHANCE and len(unseen) > 1:
            one, other = (Playthrough(game, (*events, ~each)) for each in unseen[:2])
            assert replay_page(one, 0) == replay_page(other, 0)
            assert replay_page(one) != replay_page(other)
            compared += 1
        events.append(~event if position.to_act == CHANCE else event)
        position.play(event)
    assert compared


def test_values() -> None:
    game = played(("honey_wars", {"num_players": 2}))
    last = len(game.events)
    text = write_values(game.text(legal=True), {1: [0.25, 0.75], last: [1, 0]})
    assert text.splitlines()[2] == "# values: 0.250 0.750" and text.endswith("\n# values: 1.000 0.000\n")
    assert write_values(text, {}) == game.text(legal=True)
    values = read_values(text, 2)
    assert values == {1: [0.25, 0.75], last: [1, 0]}
    shown = data_of(replay_page(replay(text), "all", values))["values"]
    assert shown == [None, *[[0.25, 0.75]] * (last - 1), [1, 0]], "they hold until the next"
    assert not any(data_of(replay_page(replay(text), 0, values))["values"]), "they may come from the truth"
    for wrong in ("0.25", "0.5 x", "nan 1", "-1 2"):
        with pytest.raises(PlaythroughError, match=r"line 3: .*2 numbers, one for each seat"):
            read_values(text.replace("0.250 0.750", wrong), 2)


def test_an_event_is_told_under_the_turn_that_it_happens_in(case: Case) -> None:
    game = played(case)
    turns = [int(position.states["turn"][0]) for position, _ in game.positions()]
    assert [frame.turn for frame in frames(game, "all")] == [0, *turns]


def test_films(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="the extra 'render' is not installed")
    pytest.importorskip("pygame")
    whole = played(("honey_wars", {"num_players": 2}))
    start = Playthrough(whole.game, whole.events[:12])
    write_gif(start, tmp_path / "a.gif", 1, size=304)
    with image.open(tmp_path / "a.gif") as gif:
        assert gif.size == (304, 304) and 2 <= gif.n_frames <= 13  # equal pictures in a row are one
    imageio = pytest.importorskip("imageio")
    pytest.importorskip("imageio_ffmpeg")
    with pytest.raises(BearenvsError, match=r"a.txt: the name of an MP4 film ends with .mp4"):
        write_mp4(start, tmp_path / "a.txt")
    write_mp4(start, tmp_path / "a.mp4", fps=5, size=304)
    with imageio.get_reader(tmp_path / "a.mp4") as reader:
        assert reader.count_frames() == 13 and reader.get_data(0).shape == (304, 304, 3)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as manager:
        chromium = manager.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.mark.parametrize("viewport", [(1200, 800), (390, 844)], ids=["desktop", "phone"])
def test_a_browser_plays_it(browser: Any, viewport: tuple[int, int], tmp_path: Path) -> None:
    whole = played(("honey_wars", {"num_players": 2}))
    text = whole.text().replace("\np0", "\n# values: 0.2 0.8\np0", 1)
    (tmp_path / "replay.html").write_text(replay_page(whole, "all", read_values(text, 2)), encoding="utf-8")
    page = browser.new_page(viewport={"width": viewport[0], "height": viewport[1]})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text))
    page.on("request", lambda request: faults.append(request.url) if not request.url.startswith("file:") else None)
    page.goto((tmp_path / "replay.html").as_uri())
    last = len(whole.events)
    frame_texts = [texts_of(frame) for frame in frames(whole, "all")]

    def shown() -> int:
        number = int(page.inner_text("#count").split(" / ")[0])
        assert page.locator("#picture svg text").all_text_contents() == frame_texts[number]
        assert page.locator("#log li[aria-current]").count() == 1
        return number

    assert shown() == 0
    page.keyboard.press("ArrowRight")
    page.click("#next")
    assert shown() == 2
    page.click("#back")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert shown() == 0
    page.keyboard.press("End")
    assert shown() == last
    page.click("#first")
    page.locator("#place").fill(str(last // 2))
    assert shown() == last // 2
    page.locator("#log li:not(.turn)").nth(5).click()
    assert shown() == 5
    first_value = next(n for n, event in enumerate(whole.events) if event >= 0)
    page.locator("#log li:not(.turn)").nth(first_value).click()
    assert page.locator("#values span").all_text_contents() == ["p0 20%", "p1 80%"]
    assert page.get_attribute("#values", "aria-label") == "Chances to win: p0 20%, p1 80%"
    page.select_option("#speed", "300")
    page.click("#play")
    for _ in range(100):
        if int(page.input_value("#place")) >= first_value + 2:
            break
        page.wait_for_timeout(100)
    page.click("#play")
    now = shown()
    assert now >= first_value + 2
    page.wait_for_timeout(500)
    assert shown() == now, "it goes on after pause"
    box = page.locator("#picture svg").bounding_box()
    assert box is not None and box["width"] <= viewport[0] and min(box["width"], box["height"]) > 300
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport[0]
    assert not faults
    page.close()
