"""A tiny game with all that self-play must get right: rewards on others' moves, chance, seats that go out.

Seats take turns. ``take`` earns the seat 1, ``give`` earns the next seat 2, ``leave`` puts the seat out (not legal on
its first turn), ``again`` earns nothing and keeps the turn (once). After every action a die of ``die_sides`` is
rolled: 0 ends the game, unless the die has one side. The game also ends when all seats but one are out, and is
truncated after ``max_turns`` turns.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field

from bearenvs.content import Content
from bearenvs.game import CHANCE, TERMINAL, Game, header_fields, record_dtype
from bearenvs.kernel import kernel
from bearenvs.render.scene import Scene, Text
from bearenvs.rng import random_below
from bearenvs.sets import add_action
from bearenvs.settings import Settings
from bearenvs.tables import Layout, ObservationSection, Section, Table

MAX_PLAYERS = 4
TAKE, GIVE, LEAVE, AGAIN = range(4)
CONTENT = record_dtype([("num_players", "i4"), ("max_turns", "i4"), ("die_sides", "i4")])
STATE = record_dtype(
    [
        *header_fields(MAX_PLAYERS),
        ("seat", "i4"),
        ("has_repeated", "i4"),
        ("turns", "i4", (MAX_PLAYERS,)),
        ("score", "i4", (MAX_PLAYERS,)),
    ]
)


class ToySettings(Settings):
    num_players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)] = 2
    max_turns: Annotated[int, Field(ge=1, le=1000)] = 40
    die_sides: Annotated[int, Field(ge=1, le=100)] = 12


@kernel
def legal(content: Any, state: Any, out: Any) -> None:
    add_action(out, TAKE)
    add_action(out, GIVE)
    if state.turns[state.seat] > 0:
        add_action(out, LEAVE)
    if state.has_repeated == 0:
        add_action(out, AGAIN)


@kernel
def apply(content: Any, state: Any, event: int) -> None:
    num_players = int(content.num_players)
    if state.to_act == CHANCE:
        num_in = 0
        for seat in range(num_players):
            num_in += 1 - int(state.is_out[seat])
        if (event == 0 and content.die_sides > 1) or num_in < 2:
            state.to_act = TERMINAL
        elif state.turn >= content.max_turns:
            state.to_act = TERMINAL
            state.truncated = 1
        else:
            state.to_act = state.seat
        return
    seat = int(state.seat)
    state.ply += 1
    state.to_act = CHANCE
    if event == AGAIN:
        state.has_repeated = 1
        return
    after = (seat + 1) % num_players
    while state.is_out[after] != 0:
        after = (after + 1) % num_players
    if event == TAKE:
        state.score[seat] += 1
    elif event == GIVE:
        state.score[after] += 2
    else:
        state.is_out[seat] = 1
    state.turns[seat] += 1
    state.turn += 1
    state.has_repeated = 0
    state.seat = after


@kernel
def chance(content: Any, state: Any, weights: Any) -> None:
    weights[:] = 0
    weights[: content.die_sides] = 1


@kernel
def sample_chance(content: Any, state: Any, rng: Any) -> int:
    return random_below(rng, int(content.die_sides))


@kernel
def returns(content: Any, state: Any, out: Any) -> None:
    for seat in range(int(content.num_players)):
        out[seat] = state.score[seat]


@kernel
def observe(content: Any, state: Any, seat: int, out: Any) -> None:
    """Who looks, who is to act, how often the observer has acted, whether the game is over."""
    out[:] = 0.0
    out[seat] = 1.0
    if state.to_act >= 0:
        out[MAX_PLAYERS + state.to_act] = 1.0
    out[2 * MAX_PLAYERS] = min(int(state.turns[seat]) / 1000.0, 1.0)
    out[2 * MAX_PLAYERS + 1] = state.to_act == TERMINAL


@kernel
def hide(content: Any, state: Any, seat: int) -> None:
    """Hide nothing: all is open."""


@kernel
def determinize(content: Any, state: Any, seat: int, rng: Any) -> None:
    """Fill in nothing: all is open."""


@kernel
def event_seen_by(content: Any, state: Any, event: int) -> int:
    return (1 << int(content.num_players)) - 1


class ToyGame(Game):
    name = "toy"
    title = "Toy"
    version = 3
    settings_type = ToySettings
    content_type = Content
    content_dtype = CONTENT
    state_dtype = STATE
    max_players = MAX_PLAYERS
    max_actions = 4
    max_legal = 4
    kernels: ClassVar = {
        "legal": legal,
        "apply": apply,
        "chance": chance,
        "sample_chance": sample_chance,
        "returns": returns,
        "observe": observe,
        "hide": hide,
        "determinize": determinize,
        "event_seen_by": event_seen_by,
    }
    folder = Path(__file__).parent

    @property
    def options(self) -> ToySettings:
        return cast("ToySettings", self.settings)

    def make_actions(self) -> Table:
        names = ("take", "give", "leave", "again")
        return Table([Section("moves", "move", 4, lambda i, _: names[i])], self.num_players)

    def make_outcomes(self) -> Table:
        return Table([Section("die", "die K", self.options.die_sides, lambda i, _: f"die {i}")], 1)

    def make_layout(self) -> Layout:
        return Layout(
            [
                ObservationSection("observer", (MAX_PLAYERS,), "one-hot"),
                ObservationSection("to_act", (MAX_PLAYERS,), "one-hot"),
                ObservationSection("rest", (2,), "own turns / 1000; is over"),
            ]
        )

    def pack(self, record: Any) -> None:
        record.num_players = self.num_players
        record.max_turns = self.options.max_turns
        record.die_sides = self.options.die_sides

    def start(self, state: Any) -> None:
        state.to_act = 0

    def describe(self, state: Any, seat: int | None) -> str:
        return f"scores {state.score[: self.num_players].tolist()}"

    def draw(self, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
        lines = self.describe(state, seat).splitlines()
        return Scene(self.title, tuple(Text(10, 20 + 20 * i, line, 14) for i, line in enumerate(lines)))

    def laws(self, state: Any) -> Mapping[str, bool]:
        return {"no score is negative": bool((state.score >= 0).all())}


def toy_game(*, compiled: bool = True, **settings: int) -> ToyGame:
    return ToyGame(ToySettings.parse("toy", settings), Content(), compiled=compiled)
