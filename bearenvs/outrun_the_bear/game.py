"""Outrun the Bear as a :class:`bearenvs.game.Game`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, cast

import numpy as np
from pydantic import Field, model_validator
from typing_extensions import override

from bearenvs.errors import ContentError
from bearenvs.game import CHANCE, Game
from bearenvs.outrun_the_bear import knowledge, rules
from bearenvs.outrun_the_bear.actions import WORDS, action_table, outcome_table
from bearenvs.outrun_the_bear.board import AROUND, column_of, lay_tile, neighbours
from bearenvs.outrun_the_bear.content import (
    ABILITY_NAMES,
    CAMP,
    CELL,
    COLUMN_BYTES,
    CONTENT,
    EFFECT_NAMES,
    FIRST_COLUMN,
    FIRST_TARGETED,
    LAST_TARGETED,
    LETTERS,
    MAX_COLUMNS,
    MAX_HAND,
    MAX_KINDS,
    MAX_PLAYERS,
    MAX_RUNNERS,
    MAX_SPACES,
    NUM_TRAILS,
    PATH,
    ROWS,
    SECTIONS_WRITTEN,
    TILE_COLUMNS,
    WINDOW_BACK,
    Action,
    Difficulty,
    OutrunTheBearContent,
    Reaction,
)
from bearenvs.outrun_the_bear.describe import describe
from bearenvs.outrun_the_bear.draw import draw
from bearenvs.outrun_the_bear.observe import MANY_COPIES, MANY_PRINTS, WINDOW_COLUMNS, layout, observe, shown_spaces
from bearenvs.outrun_the_bear.state import ADVANCE, LAY_TRAIL, MOVE, NOTHING, RING, RUNNING, STATE
from bearenvs.outrun_the_bear.words import words
from bearenvs.render.scene import Scene
from bearenvs.settings import Settings
from bearenvs.tables import Layout, Table
from bearenvs.words import Words


class OutrunTheBearSettings(Settings):
    """The settings of Outrun the Bear."""

    num_players: Annotated[Literal[2, 3, 4, 5, 6], Field(description="players at the table (OB-S1)")] = 4
    difficulty: Annotated[Difficulty, Field(description="paw prints on the outer tiles (OB-B4, OB-X5)")] = "normal"
    trail_tiles: Annotated[
        int, Field(ge=1, le=NUM_TRAILS, description="trail tiles laid out; other than 3 only with coop (OB-B4, OB-X2)")
    ] = 3
    park_pass: Annotated[bool, Field(description="players choose runners, whose abilities hold (OB-X1)")] = False
    coop: Annotated[bool, Field(description="all win if all escape; all lose once one is caught (OB-X2)")] = False
    equipment_for_all: Annotated[bool, Field(description="each player starts with an equipment card (OB-X3)")] = False
    last_one_standing: Annotated[
        bool, Field(description="all four trail tiles and no parking lot: the park goes on and on (OB-X4)")
    ] = False
    max_rounds: Annotated[
        int, Field(ge=1, le=30000, description="rounds after which the game is truncated (OB-V3)")
    ] = 100

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.last_one_standing and self.coop:
            raise ValueError("last_one_standing has no parking lot to escape to, so there is no co-op game of it")
        if self.last_one_standing and self.trail_tiles != 3:
            raise ValueError(
                f"trail_tiles={self.trail_tiles} does not go with last_one_standing, which uses all {NUM_TRAILS}:"
                " leave it out"
            )
        if self.trail_tiles != 3 and not self.coop:
            raise ValueError(f"trail_tiles={self.trail_tiles} needs coop=True; other games have 3 trail tiles")
        return self


class OutrunTheBear(Game):
    """Outrun the Bear: see :mod:`bearenvs.outrun_the_bear`."""

    name = "outrun_the_bear"
    title = "Outrun the Bear"
    version = 0
    reconstruction = (
        "The rulebook prints neither the trail maps, nor the cards, nor the Park Passes. All of these, and where paw"
        " prints lie, are this project's reconstruction, not the published game."
    )
    settings_type = OutrunTheBearSettings
    content_type = OutrunTheBearContent
    content_dtype = CONTENT
    state_dtype = STATE
    max_players = MAX_PLAYERS
    max_actions = len(WORDS) + 3 * MAX_KINDS + MAX_PLAYERS - 1 + MAX_SPACES - CAMP + MAX_RUNNERS
    # The widest decision is the terrain step at a rest area: pass, and each card to equip or to swap.
    max_legal = 2 + 2 * MAX_HAND
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
    def cards(self) -> OutrunTheBearContent:
        """The content, by its own type."""
        return cast("OutrunTheBearContent", self.content)

    @property
    def options(self) -> OutrunTheBearSettings:
        """The settings, by their own type."""
        return cast("OutrunTheBearSettings", self.settings)

    @property
    def num_trails(self) -> int:
        """How many trail tiles are laid out (OB-B4, OB-X4)."""
        return NUM_TRAILS if self.options.last_one_standing else self.options.trail_tiles

    @property
    def last_column(self) -> int:
        """The last column of the park: the parking lot's, or of Last One Standing the last trail column."""
        return (self.num_trails + (1 if self.options.last_one_standing else 2)) * TILE_COLUMNS - 1

    @property
    def lot(self) -> int:
        """The parking lot's space; -1 without one."""
        return NOTHING if self.options.last_one_standing else self.last_column * ROWS

    @override
    def make_actions(self) -> Table:
        return action_table(self.cards, self.num_players, self.lot, self.last_column, passes=self.options.park_pass)

    @override
    def make_outcomes(self) -> Table:
        return outcome_table(self.cards)

    @override
    def make_layout(self) -> Layout:
        return layout(self.cards, self.num_players, self.last_column, passes=self.options.park_pass)

    @override
    def make_words(self) -> Words:
        return words(self.cards)

    @override
    def outcome_seat(self, state: Any) -> int:
        return int(state.stack[int(state.depth) - 1].seat if state.depth else state.seat)

    @override
    def pack(self, record: Any) -> None:
        options = self.options
        record.num_players = self.num_players
        record.max_rounds = options.max_rounds
        record.has_passes = options.park_pass
        record.is_coop = options.coop
        record.is_last_standing = options.last_one_standing
        record.deals_gear = options.equipment_for_all
        for name, value in self.cards.setup:
            record[name] = value
        self._pack_park(record)
        self._pack_cards(record)
        self._pack_shown(record)
        first_kind = {"react": record.first_reaction, "equip": record.first_equipment, "step": CAMP}
        for section in ("play", "react", "equip", "swap", "discard", "target", "step", "runner"):
            record[f"to_{section}"] = self.actions.start[section] - first_kind.get(section, 0)
        for section in ("gear", "draw", "steal", "reveal"):
            first = record.first_equipment if section == "gear" else 0
            record[f"of_{section}"] = self.outcomes.start[section] - first

    def _pack_park(self, record: Any) -> None:
        has_lot = not self.options.last_one_standing
        record.num_trails = self.num_trails
        record.last_column = self.last_column
        record.lot = self.lot
        spaces = range(FIRST_COLUMN * ROWS, (self.last_column + 1 - has_lot) * ROWS)
        for space in (CAMP, *spaces, *([self.lot] if has_lot else [])):
            found = neighbours(space, self.last_column, has_lot=has_lot)
            found = list(found)
            record.touching[space] = sum(1 << AROUND + there - space for there in found)
            for there in found:
                record.touched.view(np.uint64)[space, there // 64] |= np.uint64(1 << there % 64)
        for tile, trail in enumerate(self.cards.trails):
            for side, face in enumerate((trail.a, trail.b)):
                rows = [[list(LETTERS).index(letter) for letter in row] for row in face.rows]
                record.terrain[2 * tile + side] = np.array(rows).T
                record.prints[2 * tile + side] = sum(1 << column for column in face.prints)
                record.shown[2 * tile + side] = shown_spaces(record.terrain[2 * tile + side])
        record.big_columns = 1 << column_of(CAMP) | int(has_lot) << self.last_column

    def _pack_shown(self, record: Any) -> None:
        for section in SECTIONS_WRITTEN:
            record[f"at_{section}"] = self.layout[section].start
        record.column_share[: self.last_column + 1] = np.arange(self.last_column + 1) / self.last_column
        differences = np.arange(-MAX_COLUMNS, MAX_COLUMNS + 1)
        record.beside[: 2 * MAX_COLUMNS + 1] = np.clip(0.5 + differences / 32.0, 0.0, 1.0)
        record.ahead[: 2 * MAX_COLUMNS + 1] = np.clip(differences / 16.0, 0.0, 1.0)
        record.print_share[:] = np.clip((np.arange(256) - 128) / MANY_PRINTS, 0.0, 1.0)
        record.left[: self.num_players] = (np.arange(self.num_players) + 1) % self.num_players
        record.marks[:] = record.at_columns
        record.marks[:WINDOW_COLUMNS] = record.at_park + CELL - 1 + np.arange(WINDOW_COLUMNS) * ROWS * CELL
        record.hand_share[16 : 16 + MAX_HAND + 1] = np.arange(MAX_HAND + 1) / MAX_HAND
        record.hand_wholes[:] = MANY_COPIES
        record.card_wholes[:] = np.maximum(record.copies, 1)
        for kind, card in enumerate(self.cards.cards):
            record.discards["numbers"][kind] = 1.0, min(card.bear / 4.0, 1.0)

    def _pack_cards(self, record: Any) -> None:
        cards = self.cards
        record.num_kinds = len(cards.cards)
        record.first_reaction = len(cards.actions)
        record.first_equipment = len(cards.actions) + len(cards.reactions)
        record.num_cards = sum(card.copies for card in cards.cards)
        for kind, card in enumerate(cards.cards):
            record.copies[kind] = card.copies
            record.bear[kind] = card.bear
            bit = 1 << kind
            if isinstance(card, Action):
                words = {item.effect for item in card.effects}
                record.action_kinds |= bit
                record.num_effects[kind] = len(card.effects)
                record.needs_target[kind] = bool(words & {*EFFECT_NAMES[FIRST_TARGETED : LAST_TARGETED + 1]})
                record.needs_adjacent[kind] = "target_move" in words
                record.aiming_kinds |= bit * int(record.needs_target[kind])
                record.adjacent_kinds |= bit * int(record.needs_adjacent[kind])
                for k, item in enumerate(card.effects):
                    record.effect[kind, k] = EFFECT_NAMES.index(item.effect)
                    record.n[kind, k] = item.n or 0
            elif isinstance(card, Reaction):
                record.effect[kind, 0] = EFFECT_NAMES.index(card.effect)
                record.n[kind, 0] = card.n or 0
                record.reaction_kinds[record.effect[kind, 0]] |= bit
            else:
                record.equipment_kinds |= bit
                record.ability[kind, ABILITY_NAMES.index(card.ability)] = card.n or 1
        record.num_runners = len(cards.runners)
        for number, runner in enumerate(cards.runners):
            record.runner_ability[number, ABILITY_NAMES.index(runner.ability)] = runner.n or 1

    @override
    def start(self, state: Any) -> None:
        content = self.record["content"][0]
        self._check_supply(content)
        state.to_act = CHANCE
        state.phase = LAY_TRAIL
        state.token = self.num_players - 1
        state.faces[:] = NOTHING
        self._lay_out(state)
        state.deck[:] = content.copies
        state.num_deck = content.num_cards
        for seat in range(MAX_PLAYERS):
            me = state.seats[seat]
            me.space = CAMP if seat < self.num_players else NOTHING
            me.runner = NOTHING
            me.equipment = NOTHING
            me.hand[:] = NOTHING
            me.thief = NOTHING

    def _lay_out(self, state: Any) -> None:
        """Lay out the outer tiles, and blanks in the place of trail tiles."""
        outer = next(prints for prints in self.cards.difficulties if prints.name == self.options.difficulty)
        state.prints = (1 << outer.campsite) - 1
        if not self.options.last_one_standing:
            state.prints |= (1 << outer.parking) - 1 << (self.num_trails + 1) * TILE_COLUMNS
        blank = shown_spaces(np.full((TILE_COLUMNS, ROWS), PATH))
        shown = state.shown[WINDOW_BACK * COLUMN_BYTES :].reshape(-1, COLUMN_BYTES)
        shown[FIRST_COLUMN - 1 : self.last_column + 1] = blank[:COLUMN_BYTES]  # of the campsite's the last one is shown

    def _check_supply(self, content: Any) -> None:
        """Refuse cards that do not suffice for these players."""
        where = self.cards.path or "the default content"
        gear = int(content.copies[content.first_equipment :].sum())
        needed = self.num_players if self.options.equipment_for_all else 0
        if gear < needed:
            raise ContentError(
                f"{where}: {gear} equipment cards; with equipment_for_all, {self.num_players} players need {needed}"
            )
        needed += self.num_players * int(content.deal)
        if content.num_cards < needed:
            raise ContentError(
                f"{where}: {content.num_cards} cards; to deal to {self.num_players} players takes at least {needed}"
            )

    @property
    @override
    def is_cooperative(self) -> bool:
        return self.options.coop

    @override
    def describe(self, state: Any, seat: int | None) -> str:
        return describe(self.cards, self.record["content"][0], state, seat)

    @override
    def draw(self, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
        return draw(self.cards, self.record["content"][0], state, seat, legal)

    @override
    def laws(self, state: Any) -> Mapping[str, bool]:
        content = self.record["content"][0]
        seats = state.seats[: self.num_players]
        running = [me for me in seats if me.status == RUNNING]
        line = [
            int(state.line[(int(state.first) + k) % RING]) for k in range(int(state.num_under) + int(state.num_pile))
        ]
        under = np.bincount(line[: state.num_under], minlength=MAX_KINDS)
        pile = np.bincount(line[state.num_under :], minlength=MAX_KINDS)
        cards = state.deck.astype(int) + state.removed + under + pile
        for me in seats:
            for kind in (*me.hand[: me.num_hand], me.equipment):
                if kind != NOTHING:
                    cards[kind] += 1
        spaces = [int(me.space) for me in running if me.space != CAMP]
        is_passing = any(frame.op == MOVE for frame in state.stack[: state.depth])
        is_arriving = any(frame.op == ADVANCE for frame in state.stack[: state.depth])
        park = np.zeros(1, STATE)[0]
        self._lay_out(park)
        for place, face in enumerate(state.faces[state.faces != NOTHING]):
            lay_tile(content, park, place, int(face))
        return {
            "the park is as its tiles make it": state.prints == park.prints and bool((state.shown == park.shown).all()),
            "every card is somewhere once": bool((cards == content.copies).all()),
            "cards under the deck and discards are as many of each kind as it says": bool(
                (state.under == under).all() and (state.pile == pile).all()
            ),
            "the deck is as large as it says": state.num_deck == state.deck.sum(dtype=int),
            "hands are as large as they say, and sorted": all(
                (me.hand[: me.num_hand] >= 0).all()
                and (me.hand[me.num_hand :] == NOTHING).all()
                and (np.diff(me.hand[: me.num_hand]) >= 0).all()
                for me in seats
            ),
            "marks are on cards": all(((me.known | me.maybe)[me.hand == NOTHING] == 0).all() for me in seats),
            "one runner a space": is_passing or len(set(spaces)) == len(spaces),
            "nobody runs at or behind the Bear": is_arriving or all(me.space // ROWS > state.bear for me in running),
            "the Bear is in the park": 0 <= state.bear <= content.last_column,
            "out is who has escaped or was caught": self.options.coop
            or all(bool(state.is_out[seat]) == (me.status != RUNNING) for seat, me in enumerate(seats)),
        }
