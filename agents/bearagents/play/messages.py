"""What a page may say to the server, and how often."""

import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bearenvs.errors import BearenvsError

MAX_MESSAGE = 1024
"""Bytes of a message."""
BURST, PER_SECOND = 30.0, 10.0
"""How many messages a link may send at once, and how many a second from then on."""

Moment = Annotated[str, Field(max_length=32)]


class MessageError(BearenvsError):
    """A message that is none, too large, or one too many."""


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PlayAction(_Message):
    """Play an action, by its notation, if the table still stands as at ``moment``."""

    kind: Literal["play"]
    moment: Moment
    action: Annotated[str, Field(max_length=100)]


class TakeBack(_Message):
    """Undo the seat's last decision."""

    kind: Literal["undo"]
    moment: Moment


class AskHint(_Message):
    """Ask what an agent would do."""

    kind: Literal["hint"]


class SetPace(_Message):
    """Stop the bots or let them go on, ``delay`` seconds after one another."""

    kind: Literal["pace"]
    is_paused: bool
    delay: Annotated[float, Field(ge=0, le=10)]


class TakeStep(_Message):
    """Let one bot decide while they are stopped."""

    kind: Literal["step"]


Message = Annotated[PlayAction | TakeBack | AskHint | SetPace | TakeStep, Field(discriminator="kind")]
_MESSAGE: TypeAdapter[PlayAction | TakeBack | AskHint | SetPace | TakeStep] = TypeAdapter(Message)


def read_message(text: str) -> PlayAction | TakeBack | AskHint | SetPace | TakeStep:
    """Return the message that ``text`` holds as JSON; MessageError says what is wrong with it."""
    if len(text.encode()) > MAX_MESSAGE:
        raise MessageError(f"a message has at most {MAX_MESSAGE} bytes")
    try:
        return _MESSAGE.validate_json(text)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "message"
        raise MessageError(f"{where}: {fault['msg']}") from None


class Allowance:
    """How many messages may come: BURST at once, and PER_SECOND from then on."""

    def __init__(self) -> None:
        self._left = BURST
        self._at = time.monotonic()

    def take(self) -> None:
        """Count a message; MessageError if it is one too many."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._at) * PER_SECOND)
        self._at = now
        if self._left < 1:
            raise MessageError("too many messages: wait a moment")
        self._left -= 1
