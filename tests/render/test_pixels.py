"""Images and the window, without a display."""

import copy
import pickle
import sys
import time
from typing import Any

import numpy as np
import pytest

import bearenvs
from bearenvs import BearenvsError, SettingsError
from bearenvs.render import pixels
from bearenvs.render.palette import PALETTES, THEMES, Role, Theme
from bearenvs.render.pixels import Window, to_pixels
from bearenvs.render.scene import Circle, Line, Polygon, Rect, Scene, Text
from tests.playing import Case

pygame = pytest.importorskip("pygame", reason="the extra 'render' is not installed")


@pytest.fixture(autouse=True)
def without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def shown_in(window: Window) -> list[int]:
    return list(window._window.get_surface().get_at((300, 300)))[:3]


def ask_to_close(window: Window) -> None:
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))


def color(role: Role, theme: Theme = "light") -> list[int]:
    return [int(PALETTES[theme][role][at : at + 2], 16) for at in (1, 3, 5)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [600, 300])
def test_an_image_has_each_shape_in_its_place(theme: Theme, size: int) -> None:
    shapes = (
        Rect(100, 100, 100, 50, "honey", "ink", 4),
        Circle(400, 100, 40, "river"),
        Polygon(((100, 300), (200, 300), (150, 400)), "bear"),
        Line(300, 300, 500, 300, "accent", 10),
    )
    image = to_pixels(Scene("", shapes), size, theme)
    assert image.shape == (size, size, 3) and image.dtype == np.uint8 and image.flags.c_contiguous

    def at(x: int, y: int) -> list[int]:
        return list(image[y * size // 600, x * size // 600])

    expected: dict[tuple[int, int], Role] = {
        (50, 50): "paper",
        (150, 125): "honey",
        (150, 100): "ink",
        (400, 100): "river",
        (150, 330): "bear",
        (110, 390): "paper",
        (400, 300): "accent",
    }
    assert {place: at(*place) for place in expected} == {place: color(role, theme) for place, role in expected.items()}


@pytest.mark.parametrize(("anchor", "columns"), [("start", (300, 400)), ("middle", (250, 350)), ("end", (200, 300))])
def test_text_stands_where_its_anchor_says(anchor: Any, columns: tuple[int, int]) -> None:
    image = to_pixels(Scene("", (Text(300, 200, "HHHHHH", 22, "ink", anchor),)))
    rows, inked = np.nonzero((image != color("paper")).any(axis=2))
    assert columns[0] - 2 <= inked.min() and inked.max() <= columns[1] + 10
    assert abs((rows.min() + rows.max()) / 2 - 200) < 3, "its middle is not at its height"


def test_an_image_takes_less_than_25_ms(case: Case) -> None:
    env = bearenvs.make(case[0], render_mode="rgb_array", **case[1])
    env.reset(seed=3)
    env.render()
    times = []
    for _ in range(5):
        env.step(env.legal_actions()[-1])
        begin = time.process_time()
        env.render()
        times.append(time.process_time() - begin)
    assert min(times) < 0.025


def test_the_window_shows_each_picture_for_its_time_and_can_be_closed() -> None:
    window = Window("test")
    scenes = [Scene("", (Rect(0, 0, 600, 600, role),)) for role in ("honey", "river", "bear")]
    begin = time.monotonic()
    for scene in scenes:
        window.show(scene, 20)
    assert time.monotonic() - begin >= 0.09
    assert shown_in(window) == color("bear")
    ask_to_close(window)
    window.show(scenes[0], 20)
    assert not window.is_open
    window.show(scenes[0], 20)
    window.close()


def test_each_window_stands_for_itself() -> None:
    honey, river, bear = (Scene("", (Rect(0, 0, 600, 600, role),)) for role in ("honey", "river", "bear"))
    first, second, third = (Window(title) for title in "abc")
    for window, scene in ((first, honey), (second, river), (third, bear)):
        window.show(scene, 1000)
    assert [shown_in(window) for window in (first, second)] == [color("honey"), color("river")]
    third.close()
    ask_to_close(first)
    second.show(bear, 1000)  # takes the event that is the first one's
    assert (first.is_open, second.is_open) == (False, True) and shown_in(second) == color("bear")
    first.show(honey, 1000)
    second.show(honey, 1000)
    assert shown_in(second) == color("honey")
    second.close()


@pytest.mark.parametrize("comes_back", [False, True])
def test_a_window_whose_display_is_quit_by_others_is_closed(comes_back: bool) -> None:
    window = Window("test")
    window.show(Scene("", (Text(9, 9, "before", 9, "ink"),)), 1000)
    pygame.quit()
    if comes_back:
        pygame.init()
    scene = Scene("", (Text(9, 9, "after" + " again" * comes_back, 9, "ink"),))
    window.show(scene, 1000)
    assert not window.is_open
    window.close()
    other = Window("test")
    other.show(scene, 1000)
    assert other.is_open
    other.close()


def test_human_mode_shows_every_step_and_copies_open_their_own_window(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(Window, "show", lambda _window, scene, fps: shown.append(f"{fps} {scene.title}"))
    env = bearenvs.make("honey_wars", render_mode="human")
    env.metadata["render_fps"] = 7
    env.reset(seed=1)
    env.step(env.legal_actions()[0])
    assert len(shown) == 2 and shown[1] == f"7 {env.draw(env.possible_agents.index(env.agent_selection)).title}"
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(other.legal_actions()[0])
    env.close()
    assert len(shown) == 4


def test_without_pygame_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels._pygame.cache_clear()
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(BearenvsError, match=r"pip install 'bearenvs\[render\]'"):
        to_pixels(Scene("", ()))
    monkeypatch.setattr("bearenvs.render.modes.find_spec", lambda _name: None)
    with pytest.raises(SettingsError, match=r"pip install 'bearenvs\[render\]'; 'svg' and 'ansi' need nothing"):
        bearenvs.make("honey_wars", render_mode="rgb_array")


def test_without_a_display_the_window_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":987")
    with pytest.raises(BearenvsError, match=r"no window can be opened here .*'rgb_array' needs no display"):
        Window("test")
