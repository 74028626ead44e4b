"""Check any game, of this package or your own, against all that the engine promises about games.

::

    from bearenvs.testing import check_game

    check_game("honey_wars", num_players=3)
    check_game(MyGame, num_games=100, content="my_cards.toml")

:data:`CHECKS` lists what is checked. Everything is drawn from ``seed``: a game that passes once passes always, and a
:class:`CheckFailed` happens again. Checks that compare frequencies fail a right game in fewer than one of a million
seeds, and say what they counted.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bearenvs.errors import SettingsError
from bearenvs.game import Game
from bearenvs.registry import GAMES, load_game
from bearenvs.testing.interfaces import (
    check_batch,
    check_copies,
    check_playthrough,
    check_refusal,
    check_seeds,
)
from bearenvs.testing.knowledge import check_chances_of_the_hidden, check_determinize, check_no_peeking
from bearenvs.testing.lab import Check, CheckFailed, Lab
from bearenvs.testing.rules import (
    check_actions,
    check_chance,
    check_compiled,
    check_observation,
    check_states,
    check_tables,
)

__all__ = ["CHECKS", "CheckFailed", "check_game"]

CHECKS: dict[str, Check] = {
    "tables": check_tables,
    "states": check_states,
    "actions": check_actions,
    "chance": check_chance,
    "observation": check_observation,
    "compiled": check_compiled,
    "no_peeking": check_no_peeking,
    "determinize": check_determinize,
    "chances_of_the_hidden": check_chances_of_the_hidden,
    "seeds": check_seeds,
    "batch": check_batch,
    "refusal": check_refusal,
    "copies": check_copies,
    "playthrough": check_playthrough,
}
"""All checks by name, in the order in which they run. Each one's docstring says what it checks."""


def check_game(
    game: str | type[Game],
    *,
    num_games: int = 20,
    seed: int = 0,
    checks: Sequence[str] | None = None,
    compiled: bool = True,
    content: str | Path | None = None,
    **settings: Any,
) -> None:
    """Check a game with these settings on ``num_games`` random games, and on samples of their states.

    Args:
        game: a name, or a class of your own, known by its name or not.
        num_games: how many games are played and looked at event by event, at least 1.
        seed: all random numbers start from it.
        checks: names of :data:`CHECKS`; None for all.
        compiled: False runs the kernels as plain Python, with smaller samples: slow, for debugging.
        content: a content file in place of the game's own.
        **settings: the game's own.

    Raises:
        CheckFailed: (an AssertionError) what failed, in which game after which events.
        SettingsError: no such game, setting or check; no game to play.
        ContentError: what is wrong with the content file.
    """
    if type(num_games) is not int or num_games < 1:
        raise SettingsError(f"num_games={num_games!r}: an integer from 1 is allowed")
    chosen = list(CHECKS) if checks is None else list(checks)
    unknown = [name for name in chosen if name not in CHECKS]
    if unknown:
        raise SettingsError(f"there is no check {unknown[0]!r}; the checks are {', '.join(CHECKS)}")
    with _known(game) as name:
        loaded = load_game(name, content=content, compiled=compiled, **settings)

        def again(check: str) -> str:
            given: dict[str, Any] = {"num_games": num_games, "seed": seed, "checks": [check]}
            if not compiled:
                given["compiled"] = False
            if content is not None:
                given["content"] = str(content)
            given |= loaded.settings.changed()
            whose = repr(game) if isinstance(game, str) else game.__name__
            return f"check_game({whose}, {', '.join(f'{key}={value!r}' for key, value in given.items())})"

        lab = Lab(loaded, num_games, seed, again)
        for check in chosen:
            lab.run(check, CHECKS[check])


@contextmanager
def _known(game: str | type[Game]) -> Iterator[str]:
    """Let a class be known by its name for a while, so that playthroughs can be replayed."""
    if isinstance(game, str):
        yield game
        return
    before = GAMES.get(game.name)
    GAMES[game.name] = game
    try:
        yield game.name
    finally:
        if before is None:
            del GAMES[game.name]
        else:
            GAMES[game.name] = before
