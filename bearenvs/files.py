"""Files that users ask for: written whole or not at all, with errors that name them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bearenvs.errors import BearenvsError


@contextmanager
def writing(place: Path, fault: type[BearenvsError] = BearenvsError) -> Iterator[None]:
    """Make what the system says against writing at ``place`` a ``fault``."""
    try:
        yield
    except (OSError, UnicodeEncodeError) as error:  # a path that is no text may stand in what is written
        raise fault(f"{place}: cannot be written: {error}") from None


@contextmanager
def replacing(file: Path, fault: type[BearenvsError] = BearenvsError) -> Iterator[Path]:
    """Yield a draft beside ``file``, which takes its place at the end; what was there stays if anything fails.

    ``fault`` says that it cannot be written. What is no plain file, such as a pipe, is written as it is.
    """
    with writing(file, fault):
        is_there = file.exists()
        if is_there and not file.is_file():
            yield file
            return
        target = file.resolve() if is_there else file  # a link stays one
        draft = target.with_name(f".new-{target.name}")  # the end of a name may tell its format
        try:
            yield draft
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


def write_text(file: Path, text: str, fault: type[BearenvsError] = BearenvsError) -> None:
    """Write ``text`` into ``file``, whole or not at all; ``fault`` if that is not possible."""
    with replacing(file, fault) as draft:
        draft.write_text(text, encoding="utf-8")
