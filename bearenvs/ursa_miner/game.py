"""Ursa Miner as a :class:`bearenvs.game.Game`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt
from pydantic import Field

from bearenvs.game import CHANCE, Game
from bearenvs.render.scene import Scene
from bearenvs.settings import Settings
from bearenvs.tables import Layout, Table
from bearenvs.ursa_miner import knowledge, turn
from bearenvs.ursa_miner.actions import action_table, outcome_table
from bearenvs.ursa_miner.connectivity import cut_cells
from bearenvs.ursa_miner.content import (
    CONTENT,
    EFFECT_NAMES,
    HONEY,
    JELLY,
    MAX_BEARS,
    MAX_CARD_KINDS,
    MAX_CELLS,
    MAX_PLAYERS,
    OUTSIDE,
    RESOURCE_NAMES,
    SECTIONS_WRITTEN,
    UNDER,
    UrsaMinerContent,
)
from bearenvs.ursa_miner.describe import describe
from bearenvs.ursa_miner.draw import draw
from bearenvs.ursa_miner.mining import renew_stack
from bearenvs.ursa_miner.mountain import AROUND, BLACK, COLORS, GRAY, NO_CELL, is_connected
from bearenvs.ursa_miner.observe import layout, observe, pack_seen
from bearenvs.ursa_miner.state import NEEDED_DIGITS, NOTHING, STATE, TILES
from bearenvs.ursa_miner.words import words
from bearenvs.words import Words


class UrsaMinerSettings(Settings):
    """The settings of Ursa Miner."""

    num_players: Annotated[Literal[2, 3, 4], Field(description="players at the table (UM-S1)")] = 2
    sleepy_bears: Annotated[
        bool, Field(description="a bear that has mined cannot make a move action any more that turn (UM-X1)")
    ] = False
    honey_burst: Annotated[
        bool, Field(description="more than one card a turn, each further one for 1 honey on top (UM-X2)")
    ] = False
    max_turns: Annotated[
        int, Field(ge=1, le=30000, description="player turns after which the game is truncated (UM-E4)")
    ] = 200


class UrsaMiner(Game):
    """Ursa Miner: see :mod:`bearenvs.ursa_miner`."""

    name = "ursa_miner"
    title = "Ursa Miner"
    version = 0
    reconstruction = (
        "The rulebook prints neither the tiles' faces nor the 28 bonus cards, and shows the core's shape only in a"
        " picture. All faces, all cards and the core are this project's reconstruction, not the published ones."
    )
    settings_type = UrsaMinerSettings
    content_type = UrsaMinerContent
    content_dtype = CONTENT
    state_dtype = STATE
    max_players = MAX_PLAYERS
    max_actions = (
        (3 + MAX_PLAYERS * MAX_BEARS) * MAX_CELLS + MAX_CARD_KINDS + (2 + MAX_BEARS) * MAX_BEARS + 3 + MAX_PLAYERS - 1
    )
    # The Actions phase is the widest decision: six moves a bear, every cell mined, every card, end.
    max_legal = 6 * MAX_BEARS + MAX_CELLS + MAX_CARD_KINDS + 1
    kernels: ClassVar = {
        "legal": turn.legal,
        "apply": turn.apply,
        "chance": turn.chance,
        "sample_chance": turn.sample_chance,
        "returns": turn.returns,
        "event_seen_by": turn.event_seen_by,
        "observe": observe,
        "hide": knowledge.hide,
        "determinize": knowledge.determinize,
    }
    folder = Path(__file__).parent

    @property
    def components(self) -> UrsaMinerContent:
        return cast("UrsaMinerContent", self.content)

    @property
    def options(self) -> UrsaMinerSettings:
        return cast("UrsaMinerSettings", self.settings)

    def make_actions(self) -> Table:
        return action_table(self.components, self.num_players)

    def make_outcomes(self) -> Table:
        return outcome_table(self.components)

    def make_layout(self) -> Layout:
        return layout(self.components, self.num_players)

    def make_words(self) -> Words:
        return words(self.components)

    def outcome_seat(self, state: Any) -> int:
        return int(state.seat)

    def pack(self, record: Any) -> None:
        content = self.components
        record.num_players = self.num_players
        record.sleepy_bears = self.options.sleepy_bears
        record.honey_burst = self.options.honey_burst
        record.max_turns = self.options.max_turns
        record.num_bears = content.bears.total
        record.starting_bears = content.bears.starting
        record.hire_cost = content.bears.hire_cost
        record.deck_size = content.setup_for(self.num_players).deck_size
        record.num_hardened = content.hardened_honey.tiles
        self._pack_mountain(record)
        self._pack_tiles(record)
        record.num_card_kinds = len(content.cards)
        for kind, card in enumerate(content.cards):
            record.card_copies[kind] = card.copies
            record.cost[kind] = card.cost
            record.effect[kind] = EFFECT_NAMES.index(card.effect)
            record.n[kind] = card.n or 0
            record.returns[kind] = card.after == "return"
            record.affordable[card.cost + 1 :] |= 1 << kind
            record.with_effect[record.effect[kind]] |= 1 << kind
        pack_seen(record)
        for section in self.actions.sections:
            record[f"first_{section.name}"] = self.actions.start[section.name]
        for section in self.outcomes.sections:
            record[f"first_{section.name}"] = self.outcomes.start[section.name]
        for name in SECTIONS_WRITTEN:
            record[f"at_{name}"] = self.layout[name].start

    def _pack_mountain(self, record: Any) -> None:
        mountain = self.components.setup_for(self.num_players).mountain
        record.num_cells = len(mountain.cells)
        record.outline = (1 << len(mountain.cells)) - 1
        for cell, (layers, neighbors) in enumerate(zip(mountain.layers, mountain.neighbors, strict=True)):
            record.num_layers[cell] = len(layers)
            record.layers[cell, : len(layers)] = layers
            for buried in range(len(layers) + 1):
                record.under[cell, buried] = 4 * buried + (GRAY in layers[:buried]) + 2 * (BLACK in layers[:buried])
            record.around[cell] = [OUTSIDE if neighbors[side] == NO_CELL else neighbors[side] for side in AROUND]
            record.adjacent[cell] = sum(1 << neighbor for neighbor in neighbors if neighbor != NO_CELL)
            if NO_CELL in neighbors:
                record.rim |= 1 << cell

    def _pack_tiles(self, record: Any) -> None:
        content = self.components
        faces = content.faces
        hardened = len(content.tiles) + 1
        kinds = [
            (tile.resource, tile.value, tile.bears, tile.copies, COLORS.index(tile.color), faces.index(tile.face))
            for tile in content.tiles
        ]
        honey = content.hardened_honey
        kinds.append(("honey", honey.value, honey.bears, honey.tiles, NOTHING, NOTHING))
        for kind, (resource, value, bears, copies, color, face) in enumerate(kinds, start=1):
            record.resource[kind] = RESOURCE_NAMES.index(resource)
            record.value[kind] = value
            record.bears[kind] = bears
            record.tile_copies[kind] = copies
            record.color[kind] = color
            record.face[kind] = face
            record.figures[kind] = (record.resource[kind] * 10 + value) * 10 + bears
        record.hardened = hardened
        record.max_bears = record.bears.max()
        worth = record.value * record.tile_copies
        record.total_honey = max(1, int(worth[record.resource == HONEY].sum()))
        record.total_jelly = max(1, int(worth[record.resource == JELLY].sum()))

    def start(self, state: Any) -> None:
        content = self.record["content"][0]
        state.to_act = CHANCE
        state.phase = TILES
        state.turns_left = NOTHING
        state.card = NOTHING
        state.bear = NOTHING
        state.mountain = content.outline
        state.cuts = cut_cells(content, int(content.outline))
        state.buried[:] = content.num_layers
        for cell in range(content.num_cells):
            renew_stack(content, state, cell)
        state.num_hardened = content.num_hardened
        state.unseen_tiles[: content.hardened] = content.tile_copies[: content.hardened]
        state.num_deck = content.deck_size
        state.unseen_cards[:] = content.card_copies
        state.seats["cell"] = NOTHING

    def describe(self, state: Any, seat: int | None) -> str:
        return describe(self.components, self.num_players, state, seat)

    def draw(self, state: Any, seat: int | None, legal: Sequence[str]) -> Scene:
        return draw(self.components, self.num_players, state, seat, legal)

    def laws(self, state: Any) -> Mapping[str, bool]:
        content = self.record["content"][0]
        cells = self.components.setup_for(self.num_players).mountain.cells
        standing = {cell for index, cell in enumerate(cells) if int(state.mountain) >> index & 1}
        seats = state.seats[: self.num_players]
        tiles = state.unseen_tiles.astype(int) + state.mined_tiles
        on_mountain = [*state.top[state.top > 0], *state.covered_kind[: state.num_covered]]
        np.add.at(tiles, np.array(on_mountain, int), 1)
        tiles[content.hardened] += state.num_hardened
        cards = state.unseen_cards.astype(int) + state.discard + seats["hand"].sum(axis=0, dtype=int)
        if state.card != NOTHING:
            cards[state.card] += 1
        bears = [int(cell) for me in seats for cell in me.cell[: me.num_bears]]
        return {
            "every tile is somewhere once": bool((tiles == content.tile_copies).all()),
            "every card is somewhere once": bool((cards == content.card_copies).all()),
            "no honey is negative": bool((seats["honey"] >= 0).all()),
            "hands are as large as they say": bool((seats["num_hand"] == seats["hand"].sum(axis=1)).all()),
            "shown cards are in hand": bool((seats["shown"] <= seats["hand"]).all()),
            "bears stand on the mountain": all(int(state.mountain) >> cell & 1 for cell in bears),
            "the mountain is where tiles are": standing
            == {cell for index, cell in enumerate(cells) if state.top[index] > 0 or state.buried[index] > 0},
            "what follows from the stacks is known": self._are_stacks_known(state),
            "the mountain is connected": is_connected(standing),
            "the cells that hold it together are known": int(state.cuts)
            == sum(1 << i for i, cell in enumerate(cells) if cell in standing and not is_connected(standing - {cell})),
        }

    def _are_stacks_known(self, state: Any) -> bool:
        """Tell whether the fields that :func:`mining.renew_stack` keeps are what follows from the stacks."""
        content = self.record["content"][0]
        cells = np.arange(content.num_cells)
        kinds, buried = state.top[cells].astype(int), state.buried[cells]
        bare, needed = _mask(buried == 0), content.bears[kinds]
        bound = int(state.cuts) & bare & ~sum(1 << int(cell) for cell in set(state.covered_cell[: state.num_covered]))
        shown = kinds * UNDER + content.under[cells, buried] + (bound >> cells & 1)
        return bool(
            [int(mask) for mask in state.needed] == [_mask(needed >> digit & 1) for digit in range(NEEDED_DIGITS)]
            and (int(state.bare), int(state.bound)) == (bare, bound)
            and (state.shown[cells] == shown).all()
        )


def _mask(is_in: npt.NDArray[Any]) -> int:
    """Return the set of the places that hold anything but 0, as a bit mask."""
    return sum(1 << int(place) for place in np.flatnonzero(is_in))
