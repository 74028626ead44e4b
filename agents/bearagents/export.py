"""Exported policies: the ONNX model of a policy's network, and its card with the measured strength.

They need no torch to play. ``bearagents/policies/`` holds those that come with the package, made by the same command.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from bearagents.duel import check_games, duel
from bearagents.mlp import decode, encode
from bearagents.names import baselines_of, load_agent
from bearagents.policy import CARD, Policy, PolicyCard, PolicyError, Strength, read_card, save
from bearagents.ratings import even_share
from bearenvs.files import writing
from bearenvs.game import Game
from bearenvs.registry import game_class, load_game


def export(
    policy: str | Path,
    out: str | Path,
    *,
    against: Sequence[str] | None = None,
    games: int = 2000,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> PolicyCard:
    """Write the policy at ``policy``, a run's folder, into the folder ``out`` as an ONNX model, and return its card.

    The model plays ``games`` games against each agent of ``against`` (by default random play and the heuristic, if the
    game has one) in all other seats, and the card says how it did.

    PolicyError if there is no policy, ``out`` holds a training run, or the network is larger than
    :data:`~bearagents.mlp.MAX_BYTES`; AgentError and SettingsError for ``against`` and ``games``, AgentError also if
    one of the two forfeits a game. Then nothing is written.
    """
    trained, folder = Policy.load(policy), Path(out)
    if (folder / CARD).exists() and not read_card(folder).is_exported:
        raise PolicyError(f"{folder} holds a training run: export into another folder")
    game = game_of(trained)
    try:
        data = encode(trained.layers)
    except ValueError as error:
        raise PolicyError(f"{policy}: {error}") from None
    digest = hashlib.sha256(data).hexdigest()
    # Another name for another network: see save.
    card = trained.card.model_copy(
        update={"archive": f"network-{digest[:12]}.onnx", "archive_digest": digest, "strength": ()}
    )
    opponents = baselines_of(game) if against is None else against
    rivals = [load_agent(name, game) for name in opponents]
    if rivals:
        check_games(game, games)
    with writing(folder, PolicyError):  # before the time for the games is spent
        folder.mkdir(parents=True, exist_ok=True)
    layers = decode(data, (card.observation_size, *card.hidden, card.num_actions))
    exported = Policy(folder.resolve().name, card, layers, greedy=True)
    strength = []
    for name, rival in zip(opponents, rivals, strict=True):
        found = duel(exported, rival, game, games, seed=seed, on_progress=on_progress)
        found.check()
        strength.append(
            Strength(
                opponent=name,
                games=found.games,
                seed=seed,
                win_share=found.win_share.value,
                low=found.win_share.low,
                high=found.win_share.high,
                even_share=even_share(game),
            )
        )
    card = card.model_copy(update={"strength": tuple(strength)})
    with writing(folder, PolicyError):
        save(folder, card, lambda path: _write(path, data))
    return card


def game_of(policy: Policy) -> Game:
    """Return the game that ``policy`` was trained for; PolicyError if it is no longer that game."""
    card = policy.card
    game_class(card.game).settings_type.parse(card.game, card.settings)  # load_game has arguments that are no settings
    game = load_game(card.game, content=card.content, **card.settings)
    policy.check(game)
    return game


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
