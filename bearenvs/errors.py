"""The errors for what users hand in. Each message says what was wrong, where, and what would be right.

Beside these, a table raises IndexError and KeyError, as a sequence and a mapping do, and an author of games gets
TypeError and ValueError for kernels and tables that cannot be.
"""


def shown(value: object) -> str:
    """Return ``value`` as messages show it, whatever it is."""
    try:
        return repr(value)
    except Exception:  # Python writes no integer of more than 4300 digits; what is not ours may raise anything
        return "an integer too large to be written" if isinstance(value, int) else f"some {type(value).__name__}"


class BearenvsError(ValueError):
    """Base of all errors below, so that one ``except`` catches them."""


class SettingsError(BearenvsError):
    """A game, setting or combination of settings that does not exist or is out of range."""


class ContentError(BearenvsError):
    """A content file that is not a valid set of cards, tiles or maps."""


class IllegalActionError(BearenvsError):
    """An action that is not legal now. The environment is unharmed."""


class OutOfSpaceError(IllegalActionError, AssertionError):
    """No action at all: of a wrong type, NaN or out of range. An AssertionError too, as PettingZoo raises."""


class OrderError(BearenvsError, AssertionError):
    """A call at the wrong moment: before reset() or after the end. An AssertionError too, as PettingZoo raises."""


class SaveError(BearenvsError):
    """A saved state that is damaged, or was written by another game, version or content."""


class PlaythroughError(BearenvsError):
    """A playthrough text with a line that is not possible. The message names the line."""
