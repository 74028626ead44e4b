"""The strip under every picture: the words of what can be done now, and what of the content is a reconstruction."""

from collections.abc import Iterator, Sequence

from bearenvs.render.lettering import cut, width_of
from bearenvs.render.scene import SIZE, Rect, Scene, Shape, Text

TOP = 560
"""A game's own shapes stay above this height."""
NOTICE = "Cards, tiles and maps: this project's own reconstruction, not the published game's"
_LEFT, _RIGHT, _BOTTOM = 8, SIZE - 8, SIZE - 6


def with_strip(scene: Scene, legal: Sequence[str], *, is_reconstruction: bool) -> Scene:
    """Return ``scene`` with a strip of words that are needed to name an action of ``legal`` and tag no shape yet.

    A word that all these actions share is left out: it tells none from another.
    """
    words = dict.fromkeys(word for text in legal for word in text.split())
    tags = scene.tags()
    needed = [
        word
        for word in words
        if word not in tags and (len(legal) == 1 or not all(word in text.split() for text in legal))
    ]
    shapes = next(
        chips
        for chips in _ways_to_show(needed)
        if all(chip.y + chip.height <= _BOTTOM for chip in chips if isinstance(chip, Rect))
    )
    if is_reconstruction:
        shapes.append(Text(SIZE - 6, SIZE - 5, NOTICE, 7, "soft", "end"))
    return Scene(scene.title, (*scene.shapes, *shapes))


def _ways_to_show(words: Sequence[str]) -> Iterator[list[Shape]]:
    """Yield the words as rows of chips, each time smaller: first in smaller letters, then cut, in the end both."""
    width = float(_RIGHT - _LEFT)
    for letters in (11.0, 9.0, 7.0):
        yield _chips(words, letters, width)
    while True:
        width *= 0.8
        letters = min(letters, width / 5)
        yield _chips(words, letters, width)


def _chips(words: Sequence[str], letters: float, widest: float) -> list[Shape]:
    """Return the words in rows of chips, none of them wider than ``widest``."""
    shapes: list[Shape] = []
    scale = letters / 11
    high, pad, gap = 16 * scale, 14 * scale, 4 * scale
    x, y = float(_LEFT), float(TOP)
    for word in words:
        shown = cut(word, letters, widest - pad)
        width = width_of(shown, letters) + pad
        if x + width > _RIGHT and x > _LEFT:
            x, y = float(_LEFT), y + high + gap / 2
        shapes.append(Rect(x, y, width, high, "paper", "accent", 1.5, high / 2, word))
        shapes.append(Text(x + width / 2, y + high / 2, shown, letters, "accent", "middle", word))
        x += width + gap
    return shapes
