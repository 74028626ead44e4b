"""A trained policy: its files, and the agent that plays by it.

A folder holds ``policy.json``, the *card*, and the file with the network that the card names: the stable-baselines3
archive of a training run, or the ONNX model of an exported policy (:mod:`bearagents.export`). The card is replaced
last and at once, so a folder holds a whole policy or none.

Loading runs nothing that either file brings. Of an archive it reads the tensors only (unlike ``MaskablePPO.load``,
which unpickles), and imports torch for that; of a model the weights only (:mod:`bearagents.mlp`), without torch.
"""

import hashlib
import io
import os
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bearagents.agent import UnfitError, View
from bearagents.heuristics import HeuristicAgent
from bearagents.mlp import MAX_BYTES, Layers, Mlp, decode
from bearenvs.content import read_file
from bearenvs.extras import missing
from bearenvs.game import Game

CARD = "policy.json"
_ARCHIVES = ("policy-*.zip", ".policy-*", "network*.onnx", ".network*")
"""What archives are called, and what is left of those whose writing was interrupted."""
MAX_CARD_BYTES = 1_000_000
MAX_WEIGHTS_BYTES = 2**30
MAX_ADVICE = 100.0
"""What float32 leaves room for beside the logits; far less already makes the advised action all but certain."""
SHIPPED = Path(__file__).parent / "policies"
"""The policies that come with the package, a folder ``<game>-<players>p`` each."""


class PolicyError(UnfitError):
    """A policy that cannot be read, or that is asked to play what it was not trained for."""


class PolicyWarning(UserWarning):
    """A policy plays under other settings than it was trained with, or without its advice: not as well as it could."""


class Strength(BaseModel):
    """What came of an arena: the policy in one seat, an opponent in all others, in each seat in turn."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    opponent: str
    games: int
    seed: int
    win_share: float
    low: float
    high: float
    """The ends of the 95% interval."""
    even_share: float | None
    """The win share of equals: one in the number of seats. None in a cooperative game: ``win_share`` is the team's."""


class PolicyCard(BaseModel):
    """What a policy was trained for and how."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

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
    advice: Annotated[float, Field(ge=0.0, le=MAX_ADVICE)] = 0.0
    """What is added to the logit of the action that the game's heuristic would take. If it is not 0, the network alone
    is only part of the policy, which then changes with the heuristic."""
    is_taught: bool = True
    """Whether its lessons are over; a run that is resumed before goes on with them."""
    steps: int
    """The learner's decisions so far."""
    seconds: float
    """Time spent training so far."""
    seed: int
    command: str
    """The command line that trained it; of a run that was resumed all of them, joined by ``&&``."""
    training: dict[str, Any]
    """The hyperparameters."""
    archive: Annotated[str, Field(pattern=r"^\w[\w.-]*\.(zip|onnx)$")]
    """Name of the file with the network, beside the card: a stable-baselines3 archive, or an ONNX model."""
    archive_digest: str | None = None
    """SHA-256 of an ONNX model, hexadecimal."""
    strength: tuple[Strength, ...] = ()
    """How strong the policy was found to be when it was exported."""

    @property
    def is_exported(self) -> bool:
        """Whether it is an ONNX model, which cannot be trained any further."""
        return self.archive.endswith(".onnx")


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

    ``write_archive`` writes the archive to the path it is given. So that the old card never stands beside the new
    network, ``card.archive`` is another name than the old one's, unless it is the same network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f".{card.archive}"
    write_archive(partial)
    with partial.open("rb+") as file:
        os.fsync(file.fileno())
    partial.replace(folder / card.archive)
    partial = folder / f".{CARD}"
    with partial.open("w", encoding="utf-8") as file:
        file.write(card.model_dump_json(indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())
    partial.replace(folder / CARD)
    for old in {old for pattern in _ARCHIVES for old in folder.glob(pattern)} - {folder / card.archive}:
        old.unlink()


def read_card(path: Path) -> PolicyCard:
    """Return the card at ``path``, a run's folder or the card itself; PolicyError says what is wrong with it."""
    file = path
    try:
        if path.is_dir():
            file = path / CARD
        return PolicyCard.model_validate_json(read_file(file, MAX_CARD_BYTES).decode())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise PolicyError(f"{file}: not a policy's card: {where}: {first['msg']}") from None
    except (OSError, ValueError) as error:  # also a NUL in the path, bytes that are not UTF-8
        raise PolicyError(f"{path}: no policy there: {error}") from None


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
        self.layers = layers
        self._checked: Game | None = None
        self._advisor = HeuristicAgent()
        try:
            self._network = Mlp(layers)
        except ImportError as error:
            raise PolicyError(_needed_for(".onnx", error)) from None

    @classmethod
    def load(cls, path: str | Path, *, name: str | None = None, greedy: bool = False) -> Self:
        """Load the policy at ``path``, its folder or its card, by default named as its folder.

        PolicyError says which file is damaged or missing, or which extra has to be installed.
        """
        path = Path(path)
        card = read_card(path)
        folder = path if path.is_dir() else path.parent
        file = folder / card.archive
        read = _read_model if file.suffix == ".onnx" else _read_archive
        try:
            layers = read(file, card)
        except ImportError as error:
            raise PolicyError(_needed_for(file.suffix, error)) from None
        except Exception as error:  # torch and zipfile have many for a damaged file
            reason = str(error).partition("\n")[0]
            raise PolicyError(f"{file}: cannot be read as the policy on its card: {reason}") from None
        return cls(name or folder.resolve().name, card, layers, greedy=greedy)

    def reset(self, seed: int) -> None:
        """Do nothing: every view brings its random numbers."""

    def act(self, view: View) -> npt.NDArray[np.int64]:
        """See :class:`~bearagents.agent.Agent`; PolicyError for a game it was not trained for."""
        if view.game is not self._checked:
            self.check(view.game)
        logits = self.logits(view.observation)
        if self.card.advice:
            logits[np.arange(len(view)), self._advisor.act(view)] += np.float32(self.card.advice)
        logits = np.where(view.action_mask != 0, logits, np.float32(-np.inf))
        if self.greedy:
            return np.asarray(logits.argmax(1), np.int64)
        # Each row of view.rng is a fresh state, so its first word is as good as a draw.
        return draw(logits, view.rng[:, 0] / 2.0**32)

    def logits(self, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the network's logits (n, num_actions), masked for nothing, for observations (n, D)."""
        return self._network(observation)

    def check(self, game: Game) -> None:
        """Raise PolicyError if ``game`` is not what this policy was trained for; PolicyWarning for other settings."""
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
        played = game.settings.changed()
        for setting in sorted(card.settings.keys() | played.keys()):
            trained, asked = (those.get(setting, _default(game, setting)) for those in (card.settings, played))
            if trained != asked:
                warnings.warn(
                    f"policy {self.name} was trained with {setting}={trained}, not {asked}", PolicyWarning, stacklevel=2
                )
        self._checked = game


def shipped(game: Game) -> Path:
    """Return the folder of the policy for ``game`` that comes with the package; PolicyError lists those there are."""
    folder = SHIPPED / f"{game.name}-{game.num_players}p"
    if not (folder / CARD).is_file():
        there = sorted(card.parent.name for card in SHIPPED.glob(f"*/{CARD}"))
        raise PolicyError(
            f"no policy for {game.name} with {game.num_players} players comes with the package;"
            f" those that do: {', '.join(there) or 'none'}"
        )
    return folder


def _default(game: Game, setting: str) -> Any:
    field = type(game.settings).model_fields.get(setting)
    return None if field is None else field.default


def _needed_for(suffix: str, error: ImportError) -> str:
    what, extra = ("an exported policy", "policies") if suffix == ".onnx" else ("a training run's archive", "train")
    return missing(what, extra, error)


def _read_model(file: Path, card: PolicyCard) -> Layers:
    data = read_file(file, MAX_BYTES)
    if hashlib.sha256(data).hexdigest() != card.archive_digest:
        raise ValueError("it is not the file that the card was written for: its SHA-256 differs")
    return decode(data, (card.observation_size, *card.hidden, card.num_actions))


def _read_archive(file: Path, card: PolicyCard) -> Layers:
    import torch  # noqa: PLC0415  # slow, and of the extra 'train'

    with zipfile.ZipFile(file) as archive:
        if archive.getinfo("policy.pth").file_size > MAX_WEIGHTS_BYTES:
            raise ValueError(f"its weights have more than {MAX_WEIGHTS_BYTES:,} bytes")
        weights = io.BytesIO(archive.read("policy.pth"))
    return actor_layers(torch.load(weights, map_location="cpu", weights_only=True), card)


def actor_layers(weights: Mapping[str, Any], card: PolicyCard) -> Layers:
    """Return the layers that lead to the actions' logits, from the tensors of :class:`bearagents.network.Network`.

    Each is a weight (inputs, outputs) and a bias (outputs,), float32, copied. ValueError if they are not
    finite, or the card says otherwise.
    """
    names = [*(f"mlp_extractor.policy_net.{2 * k}" for k in range(len(card.hidden))), "action_net"]
    layers = [(weights[f"{name}.weight"].numpy().T.copy(), weights[f"{name}.bias"].numpy().copy()) for name in names]
    sizes = (card.observation_size, *card.hidden, card.num_actions)
    for (weight, bias), inputs, outputs in zip(layers, sizes, sizes[1:], strict=False):
        if (weight.shape, bias.shape) != ((inputs, outputs), (outputs,)):
            raise ValueError(f"a layer is {weight.shape[0]} to {weight.shape[1]}, not {inputs} to {outputs}")
    if not all(np.isfinite(array).all() for layer in layers for array in layer):
        raise ValueError("its weights are not finite")
    return layers


def draw(logits: npt.NDArray[np.float32], uniform: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return for each row of ``logits`` (n, A) the action at a quantile, ``uniform`` (n,) in [0, 1), of its softmax."""
    weights = np.exp((logits - logits.max(1, keepdims=True)).astype(np.float64))
    quantiles = weights.cumsum(1)
    # The first entry that passes the target adds to the sum, so its weight is not 0: never an illegal action.
    return np.asarray((quantiles > (uniform * quantiles[:, -1])[:, None]).argmax(1), np.int64)
