"""A playthrough as a film: an animated GIF by Pillow, or MP4 by imageio. Both come with the extra ``render``."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from bearenvs.errors import BearenvsError
from bearenvs.extras import needs
from bearenvs.files import replacing
from bearenvs.playthrough import Playthrough
from bearenvs.render.frames import frames
from bearenvs.render.pixels import Pixels, to_pixels
from bearenvs.render.scene import SIZE
from bearenvs.views import Viewer

_COLORS = 128
"""Of a GIF's picture: enough for the palette's and those on smooth edges between them."""
_BLOCK = 8
"""MP4 cuts pictures into blocks, whose side must divide the size."""


def write_gif(playthrough: Playthrough, path: Path, seat: Viewer = "all", *, fps: int = 2, size: int = SIZE) -> None:
    """Write ``playthrough`` as ``seat`` sees it as a GIF with ``fps`` pictures a second."""
    image = _needs("PIL.Image")
    pictures = (
        image.fromarray(picture).quantize(_COLORS, method=image.Quantize.FASTOCTREE, dither=image.Dither.NONE)
        for picture in _pictures(playthrough, seat, size)
    )
    with replacing(path) as draft:
        next(pictures).save(draft, "GIF", save_all=True, append_images=pictures, duration=1000 // fps, loop=0)


def write_mp4(playthrough: Playthrough, path: Path, seat: Viewer = "all", *, fps: int = 2, size: int = SIZE) -> None:
    """Do as :func:`write_gif`, as MP4. ``path`` ends with .mp4; ``size``: a multiple of 8."""
    if path.suffix.lower() != ".mp4":
        raise BearenvsError(f"{path}: the name of an MP4 film ends with .mp4")
    imageio = _needs("imageio")
    ffmpeg = _needs("imageio_ffmpeg")
    options: dict[str, Any] = {"format": "FFMPEG", "fps": fps, "macro_block_size": _BLOCK, "ffmpeg_log_level": "error"}
    with replacing(path) as draft:
        with imageio.get_writer(draft, **options) as writer:
            for picture in _pictures(playthrough, seat, size):
                writer.append_data(picture)
        try:
            ffmpeg.count_frames_and_secs(draft)
        except RuntimeError:  # ffmpeg's own end, by a full disk for one, nobody else tells
            raise OSError("ffmpeg could not write all of it") from None


def _pictures(playthrough: Playthrough, seat: Viewer, size: int) -> Iterator[Pixels]:
    return (to_pixels(frame.scene, size) for frame in frames(playthrough, seat))


def _needs(module: str) -> Any:
    with needs("a film", "render"):
        return import_module(module)
