"""Honey Wars as a :class:`bearenvs.game.Game`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, cast

from pydantic import Field
from typing_extensions import override

from bearenvs.errors import ContentError, SettingsError
from bearenvs.game import CHANCE, Game
from bearenvs.honey_wars import knowledge, rules
from bearenvs.honey_wars.actions import WORDS, action_table, outcome_table
from bearenvs.honey_wars.content import (
    CONTENT,
    EFFECT_NAMES,
    MAX_HIVES,
    MAX_HONEY,
    MAX_KINDS,
    MAX_PLAYERS,
    SECTIONS_WRITTEN,
    Buddy,
    Hive,
    HoneyWarsContent,
)
from bearenvs.honey_wars.describe import describe
from bearenvs.honey_wars.draw import draw
from bearenvs.honey_wars.observe import layout, observe
from bearenvs.honey_wars.state import DEAL, NOTHING, STATE
from bearenvs.honey_wars.words import words
from bearenvs.render.scene import Scene
from bearenvs.settings import Settings
from bearenvs.tables import Layout, Table
from bearenvs.words import Words


class HoneyWarsSettings(Settings):
    """The settings of Honey Wars."""

    num_players: Annotated[Literal[2, 3, 4], Field(description="players at the table (HW-S1)")] = 2
    max_turns: Annotated[
        int, Field(ge=1, le=30000, description="player turns after which the game is truncated (HW-V2)")
    ] = 200
    late_seat_honey: Annotated[
        int, Field(ge=0, le=20, description="honey that every seat but the first starts with on top (HW-S3)")
    ] = 0


class HoneyWars(Game):
    """Honey Wars: see :mod:`bearenvs.honey_wars`."""

    name = "honey_wars"
    title = "Honey Wars"
    version = 0
    reconstruction = (
        "The rulebook prints no card list. All figures on the cards but the Small Hive's bonus and the effect of"
        " Varroa Mites are this project's reconstruction, not the published cards."
    )
    settings_type = HoneyWarsSettings
    content_type = HoneyWarsContent
    content_dtype = CONTENT
    state_dtype = STATE
    max_players = MAX_PLAYERS
    max_actions = len(WORDS) + 2 * MAX_KINDS + MAX_KINDS * (MAX_PLAYERS - 1) * MAX_HIVES
    # Spend is the widest decision: end, every kind in hand once, and each threat on each of the others' hives.
    max_legal = 3 + MAX_KINDS + MAX_KINDS * (MAX_PLAYERS - 1) * MAX_HIVES
    kernels: ClassVar = {
        "legal": rules.legal,
        "apply": rules.apply,
        "chance": rules.chance,
        "sample_chance": rules.sample_chance,
        "returns": rules.returns,
        "event_seen_by": rules.event_seen_by,
        "observe": observe,
        "hide": knowledge.hide,
        "determinize": knowledge.determinize,
    }
    folder = Path(__file__).parent

    @property
    def cards(self) -> HoneyWarsContent:
        """The content, by its own type."""
        return cast("HoneyWarsContent", self.content)

    @property
    def options(self) -> HoneyWarsSettings:
        """The settings, by their own type."""
        return cast("HoneyWarsSettings", self.settings)

    @override
    def make_actions(self) -> Table:
        return action_table(self.cards, self.num_players)

    @override
    def make_outcomes(self) -> Table:
        return outcome_table(self.cards)

    @override
    def make_layout(self) -> Layout:
        return layout(self.cards, self.num_players)

    @override
    def make_words(self) -> Words:
        return words(self.cards)

    @override
    def outcome_seat(self, state: Any) -> int:
        return int(state.seat)

    @override
    def pack(self, record: Any) -> None:
        cards, setup = self.cards, self.cards.setup
        record.num_players = self.num_players
        record.max_turns = self.options.max_turns
        record.num_hive_kinds = len(cards.hives)
        record.num_buddy_kinds = len(cards.buddies)
        record.num_kinds = len(cards.cards)
        record.num_cards = sum(card.copies for card in cards.cards)
        record.starting_kind = [hive.name for hive in cards.hives].index(setup.starting_hive)
        for name in (
            "honey_cubes",
            "hand_size",
            "die_sides",
            "base_harvest",
            "winning_honey",
            "discard_hand_cost",
            "only_hive_loss",
        ):
            record[name] = getattr(setup, name)
        for seat in range(self.num_players):
            record.starting_honey[seat] = setup.starting_honey + (self.options.late_seat_honey if seat else 0)
        record.whole[:] = 1
        record.hand_wholes[:] = record.hand_size
        for kind, card in enumerate(cards.cards):
            record.copies[kind] = card.copies
            record.whole[kind] = card.copies or 1
            record.cost[kind] = card.cost
            if isinstance(card, Hive):
                record.bonus[kind] = card.bonus
            elif isinstance(card, Buddy):
                _pack_effect(record, kind, card.ability, card.n)
                record.is_shield[kind] = card.type == "shield"
                record.is_dipper[kind] = card.type == "dipper"
            else:
                _pack_effect(record, kind, card.effect, card.n)
                record.level[kind] = card.level
                record.is_continuous[kind] = card.continuous
        kind = 0
        for group in ("hives", "buddies", "threats"):
            for _ in getattr(cards, group):
                record[group] |= 1 << kind
                kind += 1
        for honey in range(MAX_HONEY + 1):
            record.affordable[honey] = sum(1 << kind for kind, card in enumerate(cards.cards) if card.cost <= honey)
        for section in ("build", "hire", "discard", "attack"):
            record[f"first_{section}"] = self.actions.start[section]
        for section in ("draw", "lose", "die"):
            record[f"first_{section}"] = self.outcomes.start[section]
        for section in SECTIONS_WRITTEN:
            record[f"at_{section}"] = self.layout[section].start

    @override
    def start(self, state: Any) -> None:
        content = self.record["content"][0]
        self._check_supply(content)
        state.to_act = CHANCE
        state.phase = DEAL
        state.pending = content.hand_size
        state.winner = NOTHING
        state.deck[:] = content.copies
        state.deck[content.starting_kind] -= self.num_players
        state.num_deck = content.num_cards - self.num_players
        state.pot = content.honey_cubes - content.starting_honey.sum()
        for seat in range(MAX_PLAYERS):
            me = state.seats[seat]
            me.hives[:] = NOTHING
            me.threats[:] = NOTHING
            me.attackers[:] = NOTHING
            me.buddy = NOTHING
            if seat < self.num_players:
                me.honey = content.starting_honey[seat]
                me.num_hives = 1
                me.hives[0] = content.starting_kind

    def _check_supply(self, content: Any) -> None:
        """Refuse cards or cubes that do not suffice for these players."""
        where = self.cards.path or "the default content"
        hives, hand = int(content.copies[content.starting_kind]), int(content.hand_size)
        if hives < self.num_players:
            raise ContentError(
                f"{where}: {hives} copies of the starting hive {self.cards.setup.starting_hive!r};"
                f" {self.num_players} players need at least {self.num_players}"
            )
        left = int(content.num_cards) - self.num_players
        if left < self.num_players * hand:
            raise ContentError(
                f"{where}: {left} cards are left to deal; {self.num_players} players with {hand} each"
                f" need at least {self.num_players * hand}"
            )
        setup = self.cards.setup
        if setup.starting_honey * self.num_players > setup.honey_cubes:
            raise ContentError(
                f"{where}: starting_honey = {setup.starting_honey} makes {setup.starting_honey * self.num_players} for"
                f" {self.num_players} players, but there are only honey_cubes = {setup.honey_cubes}"
            )
        honey = int(content.starting_honey.sum())
        if honey > content.honey_cubes:
            raise SettingsError(
                f"honey_wars: the players start with {honey} honey in all (late_seat_honey="
                f"{self.options.late_seat_honey}), but there are {content.honey_cubes} cubes"
            )

    @override
    def describe(self, state: Any, seat: int | None) -> str:
        return describe(self.cards, self.num_players, state, seat)

    @override
    def draw(self, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
        return draw(self.cards, self.num_players, state, seat, legal)

    @override
    def laws(self, state: Any) -> Mapping[str, bool]:
        content = self.record["content"][0]
        seats = state.seats[: self.num_players]
        cards = state.deck.astype(int) + state.discard + state.held_over + seats["hand"].sum(axis=0, dtype=int)
        for me in seats:
            for kind in (*me.hives[: me.num_hives], *me.threats[me.threats != NOTHING], me.buddy):
                if kind != NOTHING:
                    cards[kind] += 1
        return {
            "honey in play and in the pot is all the honey": int(seats["honey"].sum(dtype=int)) + int(state.pot)
            == content.honey_cubes,
            "no honey is negative": bool((seats["honey"] >= 0).all() and state.pot >= 0),
            "every card is somewhere once": bool((cards == content.copies).all()),
            "deck and hands are as large as they say": bool(
                state.num_deck == state.deck.sum(dtype=int)
                and (seats["num_hand"] == seats["hand"].sum(axis=1)).all()
                and (seats["num_held"] == seats["held"].sum(axis=1)).all()
            ),
            "held cards are in hand": bool((seats["held"] <= seats["hand"]).all()),
            "one to three hives, threats only on hives": all(
                1 <= me.num_hives <= MAX_HIVES and (me.threats[me.num_hives :] == NOTHING).all() for me in seats
            ),
        }


def _pack_effect(record: Any, kind: int, effect: str, n: int | None) -> None:
    record.effect[kind] = EFFECT_NAMES.index(effect)
    record.n[kind] = n or 0
