"""A trained policy: its files, and the agent that plays by it.

A run's folder holds ``policy.json``, the *card*, and the stable-baselines3 archive that the card names. The card is
replaced last and at once, so a folder holds a whole policy or none. Loading reads the archive's tensors only; nothing
in it is executed (unlike ``MaskablePPO.load``, which unpickles). Torch is imported to read them, and plays no part
after that: the network is a few matrix products.
"""

import io
import os
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, ValidationError

from bearagents.agent import AgentError, View
from bearenvs.game import Game

CARD = "policy.json"

Layers = list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]


class PolicyError(AgentError):
    """A policy that cannot be read, or that is asked to play what it was not trained for."""


class PolicyCard(BaseModel):
    """What a policy was trained for and how."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    version: int
    """:attr:`Game.version <bearenvs.game.Game.version>` at the time of training."""
    settings: dict[str, Any]
    """The settings that were not defaults, and ``num_players``."""
    content: str | None
    """The user's content file, or None for the game's own content."""
    content_digest: str
    observation_size: int
    num_actions: int
    hidden: tuple[int, ...]
    """Units in the network's hidden layers."""
    steps: int
    """The learner's decisions so far."""
    seconds: float
    """Time spent training so far."""
    seed: int
    command: str
    """The command line that trained it."""
    training: dict[str, Any]
    """The hyperparameters."""
    archive: str
    """File name of the stable-baselines3 archive beside the card."""


def card_for(game: Game, **rest: Any) -> PolicyCard:
    """Return the card of a policy for ``game``; ``rest`` are the fields that the game does not determine."""
    return PolicyCard(
        game=game.name,
        version=game.version,
        settings=game.settings.changed(),
        content=game.content.path,
        content_digest=game.content.digest,
        observation_size=game.observation_size,
        num_actions=game.num_actions,
        **rest,
    )


def save(folder: Path, card: PolicyCard, write_archive: Callable[[Path], None]) -> None:
    """Put a policy into ``folder`` in place of the one there; interrupted at any moment, one of the two is left whole.

    ``write_archive`` writes the archive to the path it is given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f".{card.archive}"
    write_archive(partial)
    partial.replace(folder / card.archive)
    partial = folder / f".{CARD}"
    with partial.open("w", encoding="utf-8") as file:
        file.write(card.model_dump_json(indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())
    partial.replace(folder / CARD)
    for old in {*folder.glob("policy-*.zip"), *folder.glob(".policy-*")} - {folder / card.archive}:
        old.unlink()


def read_card(path: Path) -> PolicyCard:
    """Return the card at ``path``, a run's folder or the card itself; PolicyError says what is wrong with it."""
    file = path / CARD if path.is_dir() else path
    try:
        return PolicyCard.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"{path}: no policy there: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise PolicyError(f"{file}: not a policy's card: {where}: {first['msg']}") from None


class Policy:
    """An :class:`~bearagents.agent.Agent` that plays as a trained network does.

    It draws from the network's distribution, as in training and in the pool of opponents; with ``greedy=True``, as
    where it is named as an agent or evaluated, it takes the most probable action, which wins more. ``layers``: see
    :func:`actor_layers`.
    """

    def __init__(self, name: str, card: PolicyCard, layers: Layers, *, greedy: bool = False) -> None:
        self.name = name
        self.card = card
        self.greedy = greedy
        self._layers = layers
        self._checked: Game | None = None

    @classmethod
    def load(cls, path: str | Path, *, name: str | None = None, greedy: bool = False) -> Self:
        """Load the policy at ``path``, a run's folder or its card, by default named as its folder."""
        try:
            import torch  # noqa: PLC0415  # slow, and of the extra 'train'
        except ImportError as error:
            raise PolicyError(f"policies need the extra 'train': pip install 'bearenvs[train]' ({error})") from None
        path = Path(path)
        card = read_card(path)
        folder = path if path.is_dir() else path.parent
        try:
            with zipfile.ZipFile(folder / card.archive) as archive:
                file = io.BytesIO(archive.read("policy.pth"))
            layers = actor_layers(torch.load(file, map_location="cpu", weights_only=True), card)
        except Exception as error:  # torch and zipfile have many for a damaged file
            reason = str(error).partition("\n")[0]
            raise PolicyError(f"{folder / card.archive}: cannot be read as the policy on its card: {reason}") from None
        return cls(name or folder.resolve().name, card, layers, greedy=greedy)

    def reset(self, seed: int) -> None:
        """Do nothing: every view brings its random numbers."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        """See :class:`~bearagents.agent.Agent`; PolicyError for a game it was not trained for."""
        if view.game is not self._checked:
            self.check(view.game)
            self._checked = view.game
        logits = np.where(view.action_mask != 0, self.logits(view.observation), np.float32(-np.inf))
        if self.greedy:
            return np.asarray(logits.argmax(1), np.int64)
        # Each row of view.rng is a fresh state, so its first word is as good as a draw.
        return draw(logits, view.rng[:, 0] / 2.0**32)

    def logits(self, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the network's logits (n, num_actions), masked for nothing, for observations (n, D)."""
        *hidden, (weight, bias) = self._layers
        for layer, shift in hidden:
            observation = np.maximum(observation @ layer + shift, 0.0)
        return observation @ weight + bias

    def check(self, game: Game) -> None:
        """Raise PolicyError if ``game`` is not what this policy was trained for."""
        card = self.card
        facts = [
            ("game", card.game, game.name),
            ("game version", card.version, game.version),
            ("number of players", card.settings.get("num_players"), game.num_players),
            ("content", card.content_digest, game.content.digest),
            ("size of the observation", card.observation_size, game.observation_size),
            ("number of actions", card.num_actions, game.num_actions),
        ]
        for what, trained, asked in facts:
            if trained != asked:
                raise PolicyError(f"policy {self.name} was trained for another {what}: {trained}, not {asked}")


def actor_layers(weights: Mapping[str, Any], card: PolicyCard) -> Layers:
    """Return the layers that lead to the actions' logits, from the tensors of :class:`bearagents.network.Network`.

    Each is a weight (inputs, outputs) and a bias (outputs,), float32, copied. ValueError if the card says otherwise.
    """
    names = [*(f"mlp_extractor.policy_net.{2 * k}" for k in range(len(card.hidden))), "action_net"]
    layers = [(weights[f"{name}.weight"].numpy().T.copy(), weights[f"{name}.bias"].numpy().copy()) for name in names]
    sizes = (card.observation_size, *card.hidden, card.num_actions)
    for (weight, bias), inputs, outputs in zip(layers, sizes, sizes[1:], strict=False):
        if (weight.shape, bias.shape) != ((inputs, outputs), (outputs,)):
            raise ValueError(f"a layer is {weight.shape[0]} to {weight.shape[1]}, not {inputs} to {outputs}")
    return layers


def draw(logits: npt.NDArray[np.float32], uniform: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return for each row of ``logits`` (n, A) the action at a quantile, ``uniform`` (n,) in [0, 1), of its softmax."""
    weights = np.exp((logits - logits.max(1, keepdims=True)).astype(np.float64))
    quantiles = weights.cumsum(1)
    # The first entry that passes the target adds to the sum, so its weight is not 0: never an illegal action.
    return np.asarray((quantiles > (uniform * quantiles[:, -1])[:, None]).argmax(1), np.int64)
