"""Content of a game (cards, tiles, maps): TOML files validated into pydantic models.

A game's own model subclasses :class:`Content`. Errors name the file, the entry by its name where it has one, the
field, the value found and what is allowed.
"""

import hashlib
import re
import tomllib
from pathlib import Path
from stat import S_ISREG
from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from bearenvs.errors import ContentError, shown

MAX_BYTES = 1_000_000
"""What a content file may have; those of the games have some ten thousand."""


class Strict(BaseModel):
    """Base of every table in a content file, and of what is saved: no unknown fields, no conversions, immutable."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _check_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9 '_-]{0,39}", name):
        raise ValueError(
            "a name starts with a letter and holds at most 40 letters, digits, spaces, hyphens, underscores,"
            " apostrophes"
        )
    return name


Name = Annotated[str, AfterValidator(_check_name)]
"""A printed name. Its :func:`entry_id` is what the notation uses."""


T = TypeVar("T")
Entries = Annotated[tuple[T, ...], Field(strict=False)]
"""A TOML array: immutable once read (strict mode alone would refuse the list that TOML gives)."""


def entry_id(name: str) -> str:
    """Return the notation's id for a printed name: lower case, spaces and hyphens as underscores, no apostrophes."""
    return re.sub(r"[ -]", "_", name.lower()).replace("'", "")


def read_file(file: Path, max_bytes: int) -> bytes:
    """Return what a regular file holds: a device or a pipe may have no end, or never begin. OSError or ValueError."""
    if not S_ISREG(file.stat().st_mode):
        raise ValueError("it is not a regular file")
    with file.open("rb") as opened:
        data = opened.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ValueError(f"it has more than {max_bytes:,} bytes")
    return data


class Content(Strict):
    """Base of a game's whole content."""

    _path: str | None = PrivateAttr(None)

    @property
    def digest(self) -> str:
        """SHA-256 of the content's canonical JSON: equal for equal content, whatever the file looked like."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    @property
    def path(self) -> str | None:
        """The user's file this came from, or None for the game's own content."""
        return self._path

    @classmethod
    def load(cls, file: Path, *, is_default: bool = False) -> Self:
        """Read and validate ``file``; ContentError says what is wrong with it, one line a fault."""
        try:
            data = tomllib.loads(read_file(file, MAX_BYTES).decode())
        except tomllib.TOMLDecodeError as error:
            raise ContentError(f"{file}: not valid TOML: {error}") from None
        except (OSError, ValueError) as error:  # also a NUL in the path, bytes that are not UTF-8, an endless number
            raise ContentError(f"{file}: cannot be read: {error}") from None
        except RecursionError:
            raise ContentError(f"{file}: cannot be read: its arrays or tables are nested too deeply") from None
        try:
            content = cls.model_validate(data)
        except ValidationError as error:
            raise ContentError("\n".join(_explain(file, data, item) for item in error.errors())) from None
        content._path = None if is_default else str(file)
        return content


def _explain(file: Path, data: Any, item: Any) -> str:
    """Turn one of pydantic's faults into a line that names the entry by its name."""
    where: list[str] = []
    at = data
    for step in item["loc"]:
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            at = None
        if isinstance(step, int):
            named = f" ({at['name']!r})" if isinstance(at, dict) and "name" in at else ""
            where[-1:] = [f"{where[-1] if where else ''}[{step}]{named}"]
        else:
            where.append(str(step))
    message = item["msg"].removeprefix("Value error, ")
    got = "" if item["type"] == "missing" or isinstance(item["input"], dict | list) else f", got {shown(item['input'])}"
    return f"{file}: {': '.join(where) or 'the file'}: {message}{got}"
