"""The render modes of the environments."""

from importlib.util import find_spec
from typing import Any

import gymnasium

from bearenvs import views
from bearenvs.errors import SettingsError
from bearenvs.game import Game
from bearenvs.render.pixels import EXTRA, Pixels, Window, to_pixels
from bearenvs.render.svg import to_svg

RENDER_MODES = ("human", "rgb_array", "svg", "ansi")
"""A window; an image, uint8 (600, 600, 3); SVG text; plain text."""
FPS = 2
"""So many pictures a second the window shows at most, where ``metadata["render_fps"]`` does not say otherwise."""


class Renderer:
    """Renders one environment in one mode. Its window opens with the first picture."""

    def __init__(self, mode: str | None) -> None:
        if mode not in (None, *RENDER_MODES):
            raise SettingsError(f"render_mode={mode!r}: None, {', '.join(map(repr, RENDER_MODES))} are allowed")
        if mode in ("human", "rgb_array") and find_spec("pygame") is None:
            raise SettingsError(f"render_mode={mode!r} {EXTRA}; 'svg' and 'ansi' need nothing")
        self.mode = mode
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"mode": self.mode, "_window": None}  # a copy opens a window of its own

    def render(self, game: Game, states: views.States, seat: int | None, fps: int) -> str | Pixels | None:
        """Return the one state as ``seat`` sees it in this mode; None for the window, which shows it."""
        match self.mode:
            case None:
                gymnasium.logger.warn("render() does nothing: make the environment with a render_mode")
                return None
            case "ansi":
                return views.describe(game, states, seat)
            case "svg":
                return to_svg(views.draw(game, states, seat))
            case "rgb_array":
                return to_pixels(views.draw(game, states, seat))
            case _:
                if self._window is None:
                    self._window = Window(game.title)
                self._window.show(views.draw(game, states, seat), fps)
                return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
