"""The extras, which a plain installation leaves out: what is said when one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from bearenvs.errors import BearenvsError


def missing(what: str, extra: str, error: ImportError | None = None) -> str:
    """Return the words for ``what`` that cannot be had without ``extra``."""
    return f"{what} needs the extra {extra!r}: pip install 'bearenvs[{extra}]'" + (f" ({error})" if error else "")


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Import within the block what ``extra`` brings; BearenvsError says how to get it."""
    try:
        yield
    except ImportError as error:
        raise BearenvsError(missing(what, extra, error)) from None
