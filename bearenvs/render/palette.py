"""The colors: a shape names a role, a theme says what the role looks like.

The seats' colors are those of Okabe and Ito, which people who see colors differently can tell apart; still, nothing is
said by color alone.
"""

from typing import Literal, get_args

from bearenvs.errors import SettingsError

Role = Literal[
    "paper",  # what everything lies on
    "panel",  # a player's place, a pile
    "edge",  # thin lines
    "ink",  # text
    "soft",  # text of less weight
    "accent",  # what can be done now
    "night",  # dark and light on colors, whatever the theme
    "snow",
    "honey",
    "jelly",
    "hive",
    "threat",
    "buddy",
    "brown",
    "gray",
    "black",
    "path",
    "river",
    "slope",
    "bramble",
    "rest",
    "bear",
    "seat0",
    "seat1",
    "seat2",
    "seat3",
    "seat4",
    "seat5",
]
ROLES: tuple[Role, ...] = get_args(Role)
_SEATS = [role for role in ROLES if role.startswith("seat")]
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)

_BOTH: dict[str, str] = {
    "night": "#1d1a16",
    "snow": "#ffffff",
    "honey": "#f2b01e",
    "jelly": "#c9a8ea",
    "hive": "#f6d27a",
    "threat": "#e9a08c",
    "buddy": "#a9d5ec",
    "brown": "#c08a55",
    "gray": "#a9a9ac",
    "black": "#4b4740",
    "seat0": "#0072b2",
    "seat1": "#d55e00",
    "seat2": "#009e73",
    "seat3": "#cc79a7",
    "seat4": "#e69f00",
    "seat5": "#56b4e9",
}
PALETTES: dict[Theme, dict[str, str]] = {
    "light": _BOTH
    | {
        "paper": "#fbf7ee",
        "panel": "#f1e9d8",
        "edge": "#b3a68f",
        "ink": "#26221c",
        "soft": "#675e50",
        "accent": "#b3007a",
        "path": "#eadfc4",
        "river": "#9cc8ea",
        "slope": "#c7b08c",
        "bramble": "#a5c08a",
        "rest": "#f7f3c6",
        "bear": "#6b4226",
    },
    "dark": _BOTH
    | {
        "paper": "#1c1a18",
        "panel": "#2b2824",
        "edge": "#6f675b",
        "ink": "#f3ecdf",
        "soft": "#b9ae9c",
        "accent": "#ff7ac8",
        "path": "#5a5242",
        "river": "#2f5f88",
        "slope": "#7a6142",
        "bramble": "#466234",
        "rest": "#6d6830",
        "bear": "#b98157",
    },
}
"""The colors of both themes, ``#rrggbb`` by role."""


def seat_role(seat: int) -> Role:
    """Return the role of a seat's color. There are six; SettingsError for a seat beyond."""
    if not 0 <= seat < len(_SEATS):
        raise SettingsError(f"seat {seat} has no color: a game has at most {len(_SEATS)} seats, from 0")
    return _SEATS[seat]


def ink_on(role: Role) -> Role:
    """Return the role of text that is readable on ``role`` in both themes."""
    if role in ("seat0", "seat1", "seat2", "black", "accent"):
        return "snow"
    if role in ("paper", "panel", "path", "river", "slope", "bramble", "rest"):
        return "ink"
    return "paper" if role in ("ink", "bear") else "night"


def css_variables() -> str:
    """Return a style sheet that declares ``--role`` for every role: light, or dark where the reader prefers that.

    ``data-theme="light"`` or ``"dark"`` on the root element decides instead.
    """
    light, dark = (";".join(f"--{role}:{color}" for role, color in PALETTES[theme].items()) for theme in THEMES)
    return (
        f":root{{{light}}}"
        f'@media(prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}'
        f':root[data-theme="dark"]{{{dark}}}'
    )
