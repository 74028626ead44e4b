"""Each game's picture, at many moments: nothing outside, nothing over another text, every action within reach."""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import bearenvs
from bearenvs import BearEnv, SettingsError, replay, views
from bearenvs.render.lettering import cut, largest, nominal_width, width_of, wrap
from bearenvs.render.palette import PALETTES, ROLES, THEMES, Role, Theme, ink_on, seat_role
from bearenvs.render.scene import SIZE, Circle, Line, Polygon, Rect, Scene, Text
from bearenvs.render.strip import TOP, with_strip
from bearenvs.render.svg import to_svg
from bearenvs.views import Viewer
from tests.playing import CASES, Case, case_id

Box = tuple[float, float, float, float]


def moments(case: Case, count: int = 30) -> Iterator[BearEnv]:
    """Yield a random game at some of its moments, the last one included."""
    env = bearenvs.make(case[0], **case[1]).unwrapped
    env.reset(seed=11)
    rng = Random(4)
    for number, _ in enumerate(env.agent_iter()):
        legal = env.legal_actions()
        if number % 5 == 0 or not legal:
            yield env
        if not legal or number > 5 * count:
            return
        env.step(rng.choice(legal))


def box_of(text: Text) -> Box:
    """Return the corners of what a text covers, its letters without ascenders to spare."""
    width = nominal_width(text.text, text.size)
    left = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width
    return left, text.y - 0.36 * text.size, left + width, text.y + 0.36 * text.size


def corners(shape: Rect | Circle | Polygon | Text) -> Box:
    match shape:
        case Rect():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Circle():
            return shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius
        case Polygon():
            xs, ys = zip(*shape.points, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
        case _:
            return box_of(shape)


# Picnic's picture is a list of lines, which is not laid out for anything.
VIEWERS: tuple[Viewer, ...] = ("all", 0)
GAME_CASES = [case for case in CASES if case[0] != "picnic"]


@pytest.mark.parametrize("case", GAME_CASES, ids=case_id)
def test_nothing_lies_outside_the_picture_or_in_the_strip(case: Case) -> None:
    for env in moments(case):
        for seat in VIEWERS:
            rows = views.seen(env.game, env._running.states, seat)
            drawn = env.game.draw(rows[0], None if seat == "all" else seat, ())
            for shape in drawn.shapes:
                if not isinstance(shape, Line):
                    left, top, right, bottom = corners(shape)
                    assert min(left, top) >= 0 and right <= SIZE and bottom <= TOP, shape


@pytest.mark.parametrize("case", GAME_CASES, ids=case_id)
def test_no_text_covers_another(case: Case) -> None:
    for env in moments(case):
        for seat in VIEWERS:
            texts = [shape for shape in env.draw(seat).shapes if isinstance(shape, Text) and len(shape.text) > 2]
            boxes = sorted((box_of(text), text.text) for text in texts)
            for place, (box, text) in enumerate(boxes):
                for other_box, other in boxes[place + 1 :]:
                    if other_box[0] > box[2] - 1:
                        break
                    assert min(box[3], other_box[3]) - max(box[1], other_box[1]) < 1, f"{text!r} lies on {other!r}"


def test_the_words_that_tell_actions_apart_are_tags(case: Case) -> None:
    for env in moments(case):
        texts = [env.action_text(action) for action in env.legal_actions()]
        seat = env.possible_agents.index(env.agent_selection)
        tags = env.draw(seat).tags()
        words = {word for text in texts for word in text.split()}
        shared = {word for word in words if len(texts) > 1 and all(word in text.split() for text in texts)}
        assert words - shared <= tags
        others = env.draw((seat + 1) % env.game.num_players).shapes
        assert not any(isinstance(shape, Rect) and shape.stroke == "accent" for shape in others)


@pytest.mark.parametrize("count", [1, 8, 60, 300])
def test_the_strip_has_room_for_any_words(count: int) -> None:
    words = [f"{'long_distance_runner_of_the_forest' * (1 + (count == 1) * 3)}_{number}" for number in range(count)]
    shapes = with_strip(Scene("", ()), [f"run {word}" for word in words], is_reconstruction=False).shapes
    assert [shape.tag for shape in shapes if isinstance(shape, Rect)] == ["run"] * (count == 1) + words
    for shape in shapes:
        assert isinstance(shape, Rect | Text)
        left, top, right, bottom = corners(shape)
        assert min(left, top - TOP) >= 0 and max(right, bottom) <= SIZE
        if count == 8 and isinstance(shape, Text):
            assert shape.size >= 7 and not shape.text.endswith("...")


def test_a_picture_is_as_well_formed_as_its_texts_are_not() -> None:
    text = "<script>alert('&\"')</script> \u2028 \u00e9"
    scene = Scene("</title>", (Text(1, 2, text, tag='"><b>'), Rect(0, 0, 1, 1, tag="a&b")))
    for theme in (*THEMES, "css"):
        root = ET.fromstring(to_svg(scene, theme))  # type: ignore[arg-type]  # themes are literals
        found = root.find("{*}text")
        assert found is not None and found.text == text and found.get("data-tag") == '"><b>'
        assert root.findtext("{*}title") == "</title>"


def luminance(role: Role, theme: Theme) -> float:
    channels = [int(PALETTES[theme][role][at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES)
def test_text_stands_out_on_every_color(theme: Theme) -> None:
    """By the contrast of the web's accessibility guidelines: 4.5, and 3 for large letters, as on tokens."""

    def contrast(one: Role, other: Role) -> float:
        light, dark = sorted((luminance(one, theme), luminance(other, theme)), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    lines_and_text = {"ink", "soft", "edge", "night", "snow", "accent"}
    for role in ROLES:
        if role not in lines_and_text:
            large = role.startswith("seat")
            assert contrast(ink_on(role), role) >= (3 if large else 4.5), role
    for ground in ("paper", "panel"):
        assert contrast("soft", ground) >= 4.5 and contrast("accent", ground) >= 4.5


def test_lettering() -> None:
    assert wrap("one two three", 10, width_of("one two", 10), 3) == ["one two", "three"]
    assert wrap("one two three", 10, width_of("one two", 10), 1) == [cut("one two three", 10, width_of("one two", 10))]
    assert cut("abc", 10, 100) == "abc" and cut("abcdefgh", 10, width_of("abcd...", 10)) == "abcd..."
    assert largest("a longest", width_of("longest", 9), 12, 9, 8) == 9
    assert largest("unbreakable", 1, 12, 8) == 8


def test_text_is_no_wider_in_pixels_than_was_reckoned() -> None:
    pytest.importorskip("pygame", reason="the extra 'render' is not installed")
    from bearenvs.render.pixels import _lettering  # noqa: PLC0415  # optional

    for size in range(7, 21):
        for text in ("Yellowjackets", "discard pile, 16 cards", "p0.b1 c12 x3", "Deformed Wing Virus"):
            assert _lettering(text, 2 * size, "#000000").get_width() / 2 <= width_of(text, size) * 1.04


def test_notebooks_show_the_picture_of_environments_and_playthroughs(case: Case) -> None:
    env = bearenvs.make(case[0], **case[1])
    assert "call reset() to begin" in env._repr_html_() == env.unwrapped._repr_html_()
    env.reset(seed=2)
    picture = to_svg(env.draw(env.possible_agents.index(env.agent_selection)))
    assert env._repr_html_() == env.unwrapped._repr_html_() == picture
    record = replay(env.playthrough(), partial=True)
    assert record._repr_html_() == to_svg(env.draw("all")) and ET.fromstring(record._repr_html_()).tag.endswith("svg")


# What linear red, green and blue become without one kind of cones (Machado, Oliveira and Fernandes, 2009).
CONES = {
    "all": np.eye(3),
    "no long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no middle": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(role: Role, cones: str) -> Any:
    """Return the color as CIELAB, in which 2 is a difference that one can just see."""
    channels = np.array([int(PALETTES["light"][role][at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    share = XYZ @ np.clip(CONES[cones] @ linear, 0, 1) / XYZ.sum(axis=1)
    f = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_a_seventh_seat_has_no_color() -> None:
    for seat in (6, -1):
        with pytest.raises(SettingsError, match=f"seat {seat} has no color: a game has at most 6 seats"):
            seat_role(seat)


@pytest.mark.parametrize("cones", CONES)
def test_seats_are_told_apart_by_whoever_sees_colors_differently(cones: str) -> None:
    colors = [lab(seat_role(seat), cones) for seat in range(6)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(colors, 2)) > 10
