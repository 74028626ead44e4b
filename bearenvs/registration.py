"""Every game's entry in the registries of Gymnasium and, where the installed release has one, PettingZoo."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bearenvs.registry import game_class, game_names


@contextmanager
def unchanged_environ() -> Iterator[None]:
    """Undo within the block what changes in ``os.environ``: Gymnasium and PettingZoo set variables when imported."""
    before = dict(os.environ)
    try:
        yield
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


def register_games(names: Iterable[str] | None = None) -> None:
    """Enter games as ``bearenvs/HoneyWars-v0`` (Gymnasium) and ``bearenvs/honey_wars_v0`` (PettingZoo).

    By default all games. Importing ``bearenvs`` does this for its own. Call it again for those of installed packages,
    and once ``bearenvs.GAMES`` has one of yours: what is entered already stays as it is.
    """
    # Imported here, where the caller keeps the environment variables as they are.
    import gymnasium  # noqa: PLC0415
    import pettingzoo  # noqa: PLC0415

    for name in game_names() if names is None else names:
        game = game_class(name)
        camel_case = "".join(word.capitalize() for word in name.split("_"))
        gymnasium_id = f"bearenvs/{camel_case}-v{game.version}"
        if gymnasium_id not in gymnasium.registry:
            gymnasium.register(gymnasium_id, entry_point="bearenvs.gym:SeatEnv", kwargs={"game": name})
        # PettingZoo has a registry since 1.27, which writes ids as Gymnasium does.
        if hasattr(pettingzoo, "register") and f"bearenvs/{name}-v{game.version}" not in pettingzoo.aec_registry:
            pettingzoo.register(
                "aec", f"bearenvs/{name}_v{game.version}", entry_point="bearenvs:make", kwargs={"name": name}
            )
