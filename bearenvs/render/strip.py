"""The strip under every picture: the words of what can be done now, and what of the content is a reconstruction."""

from collections.abc import Sequence

from bearenvs.render.lettering import width_of
from bearenvs.render.scene import SIZE, Rect, Scene, Shape, Text

TOP = 560
"""A game's own shapes stay above this height."""
NOTICE = "Cards, tiles and maps: this project's own reconstruction, not the published game's"
_LETTERS, _HIGH, _GAP = 11, 16, 4


def with_strip(scene: Scene, legal: Sequence[str], *, is_reconstruction: bool) -> Scene:
    """Return ``scene`` with a strip of words that are needed to name an action of ``legal`` and tag no shape yet.

    A word that all these actions share is left out: it tells none from another.
    """
    words = dict.fromkeys(word for text in legal for word in text.split())
    tags = scene.tags()
    shapes: list[Shape] = []
    x, y = 8.0, float(TOP)
    for word in words:
        if word in tags or (len(legal) > 1 and all(word in text.split() for text in legal)):
            continue
        width = width_of(word, _LETTERS) + 14
        if x + width > SIZE - 8:
            x, y = 8.0, y + _HIGH + 2
        shapes.append(Rect(x, y, width, _HIGH, "paper", "accent", 1.5, _HIGH / 2, word))
        shapes.append(Text(x + width / 2, y + _HIGH / 2, word, _LETTERS, "accent", "middle", word))
        x += width + _GAP
    if is_reconstruction:
        shapes.append(Text(SIZE - 6, SIZE - 5, NOTICE, 7, "soft", "end"))
    return Scene(scene.title, (*scene.shapes, *shapes))
