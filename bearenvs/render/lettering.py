"""How wide text is, and how to make it fit: by the widths of Helvetica Bold, which every medium's font has or is near.

A picture is laid out once, before any medium and its font are known.
"""

# Widths in thousandths of the size, as published with the font; other letters count as the widest common one.
_WIDTHS = {
    278: " ,./\\fijlt!|I",
    333: "()[]-:;'`r",
    389: "*{}",
    474: '"',
    500: "z",
    556: "0123456789aceksvxyJ$_",
    584: "+<=>~^",
    611: "bdghnopquFLTZ?#",
    667: "EPSVXY",
    722: "ABCDHKNRU&",
    778: "GOQw",
    833: "M",
    889: "m%",
    944: "W",
    975: "@",
}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHERS = 778
_SPARE = 1.08
"""Some fonts run this much wider, at small sizes."""


def nominal_width(text: str, size: float) -> float:
    """Return how wide one line of text is in Helvetica Bold: media that can, make it exactly so."""
    return sum(_WIDTH_OF.get(letter, _OTHERS) for letter in text) * size / 1000


def width_of(text: str, size: float) -> float:
    """Return the room to leave for one line of text."""
    return nominal_width(text, size) * _SPARE


def largest(text: str, width: float, *sizes: float) -> float:
    """Return the first of ``sizes`` in which every word of ``text`` fits into ``width``; the last if none does."""
    fitting = (size for size in sizes if all(width_of(word, size) <= width for word in text.split()))
    return next(fitting, sizes[-1])


def cut(text: str, size: float, width: float) -> str:
    """Return ``text``, or as much of its beginning as fits into ``width`` with an ellipsis after it."""
    if width_of(text, size) <= width:
        return text
    while text and width_of(text + "...", size) > width:
        text = text[:-1]
    return text.rstrip() + "..."


def wrap(text: str, size: float, width: float, num_lines: int) -> list[str]:
    """Return ``text`` in at most ``num_lines`` lines, broken between words, the last one cut where it must be."""
    lines: list[str] = []
    words = text.split()
    while words:
        if len(lines) == num_lines - 1:
            return [*lines, cut(" ".join(words), size, width)]
        count = 1
        while count < len(words) and width_of(" ".join(words[: count + 1]), size) <= width:
            count += 1
        lines.append(cut(" ".join(words[:count]), size, width))
        words = words[count:]
    return lines
