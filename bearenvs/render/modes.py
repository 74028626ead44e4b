"""The render modes of the environments."""

from importlib.util import find_spec
from typing import Any

import gymnasium

from bearenvs import views
from bearenvs.errors import SettingsError
from bearenvs.extras import missing
from bearenvs.game import Game
from bearenvs.render.pixels import Pixels, Window, to_pixels
from bearenvs.render.svg import to_svg

RENDER_MODES = ("human", "rgb_array", "svg", "ansi")
"""A window; an image, uint8 (600, 600, 3); SVG text; plain text."""
FPS = 2
"""So many pictures a second the window shows at most, where ``metadata["render_fps"]`` does not say otherwise."""


class Renderer:
    """Renders one environment in one mode. Its window opens with the first picture.

    ``seat``: from whose place; "all" to see everything; None for whoever :meth:`render` is told.
    """

    def __init__(self, mode: str | None, seat: object, num_players: int) -> None:
        if mode not in (None, *RENDER_MODES):
            raise SettingsError(f"render_mode={mode!r}: None, {', '.join(map(repr, RENDER_MODES))} are allowed")
        if mode in ("human", "rgb_array") and find_spec("pygame") is None:
            raise SettingsError(f"{missing(f'render_mode={mode!r}', 'render')}; 'svg' and 'ansi' need nothing")
        self.mode = mode
        self._seat = None if seat is None else views.check_viewer(seat, num_players)
        self._window: Window | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}  # a copy opens a window of its own

    def render(self, game: Game, states: views.States, seat: int, fps: int) -> str | Pixels | None:
        """Return the one state in this mode; None for the window, which shows it.

        It is shown as the fixed seat sees it, or, where none is fixed, as ``seat`` does.
        """
        viewer = seat if self._seat is None else self._seat
        match self.mode:
            case None:
                gymnasium.logger.warn("render() does nothing: make the environment with a render_mode")
                return None
            case "ansi":
                return views.describe(game, states, viewer)
            case "svg":
                return to_svg(views.draw(game, states, viewer))
            case "rgb_array":
                return to_pixels(views.draw(game, states, viewer))
            case _:
                if self._window is None:
                    self._window = Window(game.title)
                self._window.show(views.draw(game, states, viewer), fps)
                return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
