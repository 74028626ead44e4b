"""Saved environments: a file format of its own, so that reading one runs no foreign code.

A save holds no memory image. It is the record of events, which loading plays anew and checks event by event, the
generator of chance, and what the environment keeps for each agent. The bytes are a magic line that ends with the
format's version, :class:`Save` as JSON, and the SHA-256 of both.
"""

import hashlib
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError

from bearenvs.content import Strict
from bearenvs.errors import SaveError
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.playthrough import Position
from bearenvs.rng import RNG_WORDS
from bearenvs.running import RunningGame

_MAGIC = b"bearenvs save "
_MAGIC_LINE = _MAGIC + b"1\n"
_CHECKSUM_SIZE = hashlib.sha256().digest_size

Word = Annotated[int, Field(ge=0, lt=2**32)]
Reward = Annotated[float, Field(allow_inf_nan=False)]


class SavedAgent(Strict):
    """What an environment keeps for one of its agents."""

    seat: int
    reward: Reward
    cumulative_reward: Reward
    terminated: bool
    truncated: bool

    @property
    def has_ended(self) -> bool:
        return self.terminated or self.truncated


class Origin(Strict):
    """What a save and the environment it is loaded into must have in common."""

    game: str
    version: int
    settings: dict[str, Any]
    content: str
    early_termination: bool

    @classmethod
    def of(cls, game: Game, early_termination: bool) -> Self:
        """Return the origin of the saves of an environment with this game; ``content`` is the content's digest."""
        return cls(
            game=game.name,
            version=game.version,
            settings=game.settings.model_dump(mode="json"),
            content=game.content.digest,
            early_termination=early_termination,
        )


class Save(Strict):
    """An environment in the middle of a game, or at its end.

    ``events`` are a :class:`~bearenvs.playthrough.Playthrough`'s, ``state`` is the digest of the state they lead to,
    ``rng`` the generator of chance. ``selection`` is the selected agent's seat, and ``next_selection`` the seat that
    is selected once the agents that have ended are removed. ``agents`` are those not yet removed, in order of seats.
    """

    origin: Origin
    events: tuple[int, ...]
    state: str
    rng: Annotated[tuple[Word, ...], Field(min_length=RNG_WORDS, max_length=RNG_WORDS)]
    agents: tuple[SavedAgent, ...]
    selection: int
    next_selection: int | None

    def to_bytes(self) -> bytes:
        """Return the save as :func:`from_bytes` reads it."""
        body = _MAGIC_LINE + self.model_dump_json().encode()
        return body + hashlib.sha256(body).digest()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a save; SaveError if it is none, of another format, damaged or cut off."""
        if not isinstance(data, bytes):
            raise SaveError(f"a save is bytes, not {type(data).__name__}")
        if not data.startswith(_MAGIC):
            raise SaveError(f"not a save of bearenvs: it does not begin with {_MAGIC.decode()!r}")
        if not data.startswith(_MAGIC_LINE):
            found = data[len(_MAGIC) :].split(b"\n", 1)[0][:20]
            raise SaveError(f"the save has format {found.decode(errors='replace')!r}; this release reads format '1'")
        body, checksum = data[:-_CHECKSUM_SIZE], data[-_CHECKSUM_SIZE:]
        if hashlib.sha256(body).digest() != checksum:
            raise SaveError("the save is damaged or cut off: its checksum does not fit")
        try:
            return cls.model_validate_json(body[len(_MAGIC_LINE) :])
        except ValidationError as error:
            raise SaveError(f"the save is not valid: {error}") from None

    def resume(self, game: Game, early_termination: bool) -> RunningGame:
        """Play the events anew in ``game``; SaveError where save and environment, or events and state, disagree."""
        ours = Origin.of(game, early_termination)
        for name in Origin.model_fields:
            if getattr(self.origin, name) != getattr(ours, name):
                raise SaveError(
                    f"the save has {name} {getattr(self.origin, name)!r}, this environment {getattr(ours, name)!r}"
                )
        position = Position(game)
        for number, event in enumerate(self.events):
            if not position.play_recorded(event):
                raise SaveError(f"the save's event {number} ({event}) is not possible by these rules")
        if position.to_act == CHANCE or state_digest(position.states) != self.state:
            raise SaveError("the save's events lead to another state by these rules")
        is_out = position.states["is_out"][0]
        still_in = {seat for seat in range(game.num_players) if not (early_termination and is_out[seat])}
        if not (self._selects(position.to_act, still_in, game.num_players) and any(self.rng)):
            raise SaveError("the save contradicts itself: its agents do not fit its game")
        return RunningGame.resume(game, position.states, self.events, self.rng)

    def _selects(self, to_act: int, still_in: set[int], num_players: int) -> bool:
        """Tell whether an environment can have these agents, selection and next selection.

        PettingZoo selects agents that have ended one after another, then the seat that was selected before: the one to
        act, or, where nobody is left, the last to have acted, who may be removed by then.
        """
        seats = [agent.seat for agent in self.agents]
        ended = [agent.seat for agent in self.agents if agent.has_ended]
        live = set(seats) - set(ended)
        if seats != sorted(set(seats) & set(range(num_players))):
            return False
        if live:
            selection = ended[0] if ended else to_act
            next_selection = to_act if ended else None
            is_selected = (self.selection, self.next_selection) == (selection, next_selection)
            return to_act != TERMINAL and live == still_in and is_selected
        selectable = set(ended[:1]) or set(range(num_players))
        return self.selection in selectable and self.next_selection in {None, *range(num_players)}


def state_digest(states: Any) -> str:
    """Return the digest of one state (1,)."""
    return hashlib.sha256(states.tobytes()).hexdigest()
