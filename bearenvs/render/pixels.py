"""A scene as pixels, and a window that shows them: with pygame-ce, from the extra ``render``. Pixels need no display.

Everything is drawn at twice its size and scaled down, which smooths edges at little cost.
"""

import os
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from bearenvs.errors import BearenvsError
from bearenvs.extras import needs
from bearenvs.registration import unchanged_environ
from bearenvs.render.palette import PALETTES, Theme
from bearenvs.render.scene import SIZE, Circle, Line, Polygon, Rect, Scene, Shape

Pixels = npt.NDArray[np.uint8]
_FINE = 2


@lru_cache(maxsize=1)
def _pygame() -> Any:
    with unchanged_environ():
        os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
        with needs("a picture in pixels", "render"):
            pygame = import_module("pygame")
    pygame.font.init()
    return pygame


def to_pixels(scene: Scene, size: int = SIZE, theme: Theme = "light") -> Pixels:
    """Return ``scene`` as an image, uint8 (size, size, 3), rows from the top, red first."""
    return np.ascontiguousarray(_pygame().surfarray.pixels3d(_paint(scene, size, theme)).swapaxes(0, 1))


def _paint(scene: Scene, size: int, theme: Theme) -> Any:
    """Return ``scene`` on a new surface."""
    pygame = _pygame()
    brush = _Brush(pygame, size * _FINE, theme)
    for shape in scene.shapes:
        brush.paint(shape)
    return pygame.transform.smoothscale(brush.surface, (size, size))


class _Brush:
    """Paints shapes on a surface, ``size`` pixels wide."""

    def __init__(self, pygame: Any, size: int, theme: Theme) -> None:
        self._pygame = pygame
        self._scale = size / SIZE
        self._colors = PALETTES[theme]
        self.surface = pygame.Surface((size, size), 0, 32)
        self.surface.fill(self._colors["paper"])

    def paint(self, shape: Shape) -> None:
        draw, scale, colors = self._pygame.draw, self._scale, self._colors
        line = shape.line * scale if not hasattr(shape, "text") else 0.0
        match shape:
            case Rect():
                box = (shape.x * scale, shape.y * scale, shape.width * scale, shape.height * scale)
                self._rect(box, shape, line)
            case Circle():
                center, radius = (shape.x * scale, shape.y * scale), shape.radius * scale
                if shape.fill is not None:
                    draw.circle(self.surface, colors[shape.fill], center, radius)
                if shape.stroke is not None:
                    draw.circle(self.surface, colors[shape.stroke], center, radius + line / 2, max(1, round(line)))
            case Polygon():
                points = [(x * scale, y * scale) for x, y in shape.points]
                if shape.fill is not None:
                    draw.polygon(self.surface, colors[shape.fill], points)
                if shape.stroke is not None:
                    self._outline(points, colors[shape.stroke], line)
            case Line():
                ends = ((shape.x * scale, shape.y * scale), (shape.x2 * scale, shape.y2 * scale))
                draw.line(self.surface, colors[shape.stroke], *ends, max(1, round(line)))
            case _:
                image = _lettering(shape.text, round(shape.size * scale), colors[shape.fill])
                width, height = image.get_size()
                share = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
                self.surface.blit(image, (shape.x * scale - share * width, shape.y * scale - height / 2))

    def _rect(self, box: tuple[float, ...], shape: Rect, line: float) -> None:
        rect, radius = self._pygame.Rect(*map(round, box)), round(shape.radius * self._scale)
        if shape.fill is not None:
            self._pygame.draw.rect(self.surface, self._colors[shape.fill], rect, border_radius=radius)
        if shape.stroke is not None:
            rect = rect.inflate(round(line), round(line))
            width = max(1, round(line))
            self._pygame.draw.rect(self.surface, self._colors[shape.stroke], rect, width, border_radius=radius)

    def _outline(self, points: list[tuple[float, float]], color: str, line: float) -> None:
        width = max(1, round(line))
        self._pygame.draw.lines(self.surface, color, True, points, width)
        if width > 2:  # fill the corners
            for point in points:
                self._pygame.draw.circle(self.surface, color, point, width / 2)


@lru_cache(maxsize=64)
def _font(size: int) -> Any:
    pygame = _pygame()
    return pygame.font.Font(str(Path(pygame.__file__).parent / pygame.font.get_default_font()), size)


@lru_cache(maxsize=4096)
def _lettering(text: str, size: int, color: str) -> Any:
    try:
        return _font(size).render(text, True, color)
    except _pygame().error:  # a pygame.quit() somewhere else in the process has ended the fonts too
        _pygame().font.init()
        _font.cache_clear()
        return _font(size).render(text, True, color)


_open: WeakSet["Window"] = WeakSet()


class Window:
    """A window that shows scenes. Whoever sits before it may close it: then it shows nothing more.

    Every window stands for itself: others of this process may be opened and closed beside it. One whose display is
    taken away, by ``pygame.quit()`` somewhere else in the process, counts as closed. Where there is no display SDL may
    draw for nobody, which is left as it is: so the checkers of Gymnasium and PettingZoo pass everywhere.
    """

    def __init__(self, title: str, size: int = SIZE, theme: Theme = "light") -> None:
        self._pygame = _pygame()
        self._size = size
        self._theme: Theme = theme
        try:
            self._pygame.display.init()
            self._window = self._pygame.Window(title, (size, size))
        except self._pygame.error as error:
            raise _no_window(str(error)) from None
        self._due = 0
        self.is_open = True
        _open.add(self)

    def show(self, scene: Scene, fps: int) -> None:
        """Show ``scene`` once the one before it was there for 1 / fps seconds."""
        try:
            while self._is_still_open() and self._pygame.time.get_ticks() < self._due:
                self._pygame.time.wait(10)
            if self.is_open:
                self._window.get_surface().blit(_paint(scene, self._size, self._theme), (0, 0))
                self._window.flip()
        except self._pygame.error:
            self.close()
        self._due = self._pygame.time.get_ticks() + 1000 // fps

    def _is_still_open(self) -> bool:
        # The process has one queue of events, so each window takes those of all.
        for event in self._pygame.event.get() if self.is_open else ():
            for window in list(_open):
                if event.type == self._pygame.QUIT or (
                    event.type == self._pygame.WINDOWCLOSE and event.window is window._window
                ):
                    window.close()
        return self.is_open

    def close(self) -> None:
        """Close the window; more than once does no harm."""
        if self.is_open:
            self.is_open = False
            _open.discard(self)
            self._window.destroy()


def _no_window(reason: str) -> BearenvsError:
    return BearenvsError(f"no window can be opened here ({reason}); 'rgb_array' needs no display")
