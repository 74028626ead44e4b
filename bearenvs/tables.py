"""Named index spaces: the table of a game's actions or chance outcomes, and the layout of its observation."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from bearenvs.errors import shown


@dataclass(frozen=True)
class Section:
    """A run of ``size`` entries of a :class:`Table` that share one notation.

    ``text(i, seat)`` gives the notation of the section's i-th entry (0 <= i < size) when ``seat`` is the acting
    seat; outcomes ignore the seat. ``notation`` is the general form (``attack THREAT pS.H``) and ``meaning`` one
    sentence, both for the documentation.
    """

    name: str
    notation: str
    size: int
    text: Callable[[int, int], str]
    meaning: str = ""


def fixed(text: str) -> Callable[[int, int], str]:
    """Return the ``text`` function of a section whose one entry has no argument."""
    return lambda _i, _seat: text


class Table:
    """Index <-> notation, both ways, for every acting seat.

    Entries are numbered from 0 through the sections in their order. Actions aim at relative seats, so the same
    index can read differently for different acting seats; within one seat every text is unique. Seats are from 0 to
    ``num_seats - 1``.
    """

    def __init__(self, sections: Sequence[Section], num_seats: int) -> None:
        self.sections = tuple(sections)
        self.start: dict[str, int] = {}
        size = 0
        for section in self.sections:
            self.start[section.name] = size
            size += section.size
        self._texts = [
            [section.text(i, seat) for section in self.sections for i in range(section.size)]
            for seat in range(num_seats)
        ]
        self._indices = [{text: index for index, text in enumerate(texts)} for texts in self._texts]
        for seat, indices in enumerate(self._indices):
            if len(indices) != size:
                raise ValueError(f"a table gives two entries one notation for seat {seat}")

    def __len__(self) -> int:
        return len(self._texts[0])

    def text(self, index: int, seat: int = 0) -> str:
        """Return the notation of entry ``index`` for ``seat``; IndexError outside [0, len), or for no such seat."""
        if not 0 <= index < len(self):
            raise IndexError(f"index {shown(index)} is outside this table: 0 to {len(self) - 1}")
        self._check_seat(seat)
        return self._texts[seat][index]

    def index(self, text: str, seat: int = 0) -> int:
        """Return the entry that ``text`` names for ``seat``; KeyError if it names none, IndexError for no such seat."""
        self._check_seat(seat)
        return self._indices[seat][text]

    def texts(self, seat: int = 0) -> Sequence[str]:
        """Return all notations for ``seat``, in order of their indices; IndexError for no such seat."""
        self._check_seat(seat)
        return tuple(self._texts[seat])

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self._texts):
            raise IndexError(f"seat {shown(seat)} is outside this table: 0 to {len(self._texts) - 1}")


@dataclass(frozen=True)
class ObservationSection:
    """A named block of the observation vector. ``shape`` is how its values can be reshaped (C order)."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many values the section has."""
        return prod(self.shape)


class Layout:
    """The observation's sections in order, float32 values all in [0, 1]; ``layout[name]`` is the slice of a section."""

    def __init__(self, sections: Sequence[ObservationSection]) -> None:
        self.sections = tuple(sections)
        self._slices: dict[str, slice] = {}
        self.size = 0
        for section in self.sections:
            if section.name in self._slices:
                raise ValueError(f"observation section {section.name!r} is declared twice")
            self._slices[section.name] = slice(self.size, self.size + section.size)
            self.size += section.size

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def __iter__(self) -> Iterator[ObservationSection]:
        return iter(self.sections)
