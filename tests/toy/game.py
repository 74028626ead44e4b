"""Picnic as a game of bearenvs: ``bearenvs.GAMES["picnic"] = Picnic`` makes it known by its name."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field

from bearenvs.errors import ContentError
from bearenvs.game import CHANCE, CONTRACT_KERNELS, Game
from bearenvs.render.scene import Scene, Text
from bearenvs.settings import Settings
from bearenvs.tables import Layout, ObservationSection, Section, Table

from . import rules
from .state import CONTENT, DEAL, DIE_SIDES, MAX_FOODS, MAX_PLAYERS, STATE, PicnicContent


class PicnicSettings(Settings):
    num_players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)] = 2
    max_turns: Annotated[int, Field(ge=1, le=1000)] = 40


class Picnic(Game):
    """See the package's docstring."""

    name = "picnic"
    title = "Picnic"
    version = 0
    settings_type = PicnicSettings
    content_type = PicnicContent
    content_dtype = CONTENT
    state_dtype = STATE
    max_players = MAX_PLAYERS
    max_actions = 2 + 2 * MAX_FOODS + MAX_PLAYERS - 1
    max_legal = 1 + MAX_FOODS + MAX_PLAYERS - 1
    kernels: ClassVar = {kernel.__name__: getattr(rules, kernel.__name__) for kernel in CONTRACT_KERNELS}
    folder = Path(__file__).parent

    @property
    def cards(self) -> PicnicContent:
        return cast("PicnicContent", self.content)

    def make_actions(self) -> Table:
        ids, n = self.cards.ids, self.num_players
        return Table(
            [
                Section("wait", "wait", 1, lambda _i, _s: "wait"),
                Section("growl", "growl", 1, lambda _i, _s: "growl"),
                Section("eat", "eat FOOD", len(ids), lambda i, _: f"eat {ids[i]}"),
                Section("rob", "rob pS", n - 1, lambda i, s: f"rob p{(s + 1 + i) % n}"),
                Section("bury", "bury FOOD", len(ids), lambda i, _: f"bury {ids[i]}"),
            ],
            n,
        )

    def make_outcomes(self) -> Table:
        ids = self.cards.ids
        return Table(
            [
                Section("draw", "draw FOOD", len(ids), lambda i, _: f"draw {ids[i]}"),
                Section("roll", "roll K", DIE_SIDES, lambda i, _: f"roll {i + 1}"),
            ],
            1,
        )

    def make_layout(self) -> Layout:
        foods, n = len(self.cards.foods), self.num_players
        return Layout(
            [
                ObservationSection("phase", (3,), "one-hot: deal, turn, robbed"),
                ObservationSection("turn_seat", (n,), "one-hot"),
                ObservationSection("hand", (foods,), "share of the copies"),
                ObservationSection("buried", (foods,), "own, share of the copies"),
                ObservationSection("shown", (foods,), "share of the copies"),
                ObservationSection("deck", (1,), "share of the cards"),
                ObservationSection("seats", (n, 5), "hand, buried, eaten, is out, is robbed"),
            ]
        )

    def pack(self, record: Any) -> None:
        record.num_players = self.num_players
        record.max_turns = cast("PicnicSettings", self.settings).max_turns
        record.num_foods = len(self.cards.foods)
        record.hand_size = self.cards.hand_size
        for food, card in enumerate(self.cards.foods):
            record.value[food] = card.value
            record.copies[food] = card.copies
        record.num_cards = record.copies.sum()
        record.first_rob = self.actions.start["rob"]
        record.first_bury = self.actions.start["bury"]

    def start(self, state: Any) -> None:
        content = self.record["content"][0]
        needed = self.num_players * self.cards.hand_size
        if content.num_cards < needed:
            raise ContentError(f"{self.cards.path}: {content.num_cards} cards; the deal alone needs {needed}")
        state.to_act = CHANCE
        state.phase = DEAL
        state.num_deck = content.num_cards
        state.deck[:] = content.copies

    def describe(self, state: Any, seat: int | None) -> str:
        lines = [f"turn {state.turn}, p{state.seat}, phase {state.phase}, deck {state.num_deck}, shown {state.shown}"]
        for player in range(self.num_players):
            me = state.seats[player]
            own = f" {me.hand} {me.buried}" if seat in (None, player) else ""
            lines.append(f"p{player}: eaten {me.eaten}, hand {me.num_hand}, buried {me.num_buried}{own}")
        return "\n".join(lines)

    def draw(self, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
        lines = self.describe(state, seat).splitlines()
        return Scene(self.title, tuple(Text(10, 20 + 20 * i, line, 14) for i, line in enumerate(lines)))

    def laws(self, state: Any) -> Mapping[str, bool]:
        seats = state.seats[: self.num_players]
        cards = state.deck.astype(int) + state.shown + seats["hand"].sum(axis=0) + seats["buried"].sum(axis=0)
        return {
            "every card is somewhere once": bool((cards == self.record["content"][0].copies).all()),
            "no pile is negative": bool(
                min(state.deck.min(), state.shown.min(), seats["hand"].min(), seats["buried"].min()) >= 0
            ),
            "piles are as large as they say": bool(
                state.num_deck == state.deck.sum()
                and (seats["num_hand"] == seats["hand"].sum(axis=1)).all()
                and (seats["num_buried"] == seats["buried"].sum(axis=1)).all()
            ),
        }
