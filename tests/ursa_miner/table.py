"""A game of Ursa Miner to arrange and to play on, in the notation's words.

The mountain's outline for two or three players, by cell::

           0   1   2   3
         4   5   6   7   8
       9  10  11  12  13  14
        15  16  17  18  19  20
          21  22  23  24  25
            26  27  28  29
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bearenvs import drivers, views
from bearenvs.game import CHANCE
from bearenvs.registry import load_game
from bearenvs.ursa_miner.connectivity import cut_cells
from bearenvs.ursa_miner.content import UrsaMinerContent
from bearenvs.ursa_miner.game import UrsaMiner
from bearenvs.ursa_miner.mining import renew_stack
from bearenvs.ursa_miner.state import ACTIONS, NOTHING

LINE = {9: "h1/1", 10: "h1/1", 11: "h1/1", 12: "h1/1", 13: "h1/1", 14: "h1/1"}
"""One row of single tiles: taking one from the middle would split it."""


class Table:
    """Seat 0 is in its Actions phase, with nothing on the table but what the arguments say.

    ``stacks``: for each cell the tile on top, after a ``?`` for each buried one: ``"?? h1/1"``. ``bears``: for each
    seat the cells of its bears in play. ``hands`` and ``honey``: for each seat. Everything runs interpreted, and
    after every event the laws are checked.
    """

    def __init__(
        self,
        stacks: Mapping[int, str],
        bears: Sequence[Sequence[int]],
        hands: Sequence[Sequence[str]] = (),
        honey: Sequence[int] = (),
        **settings: Any,
    ) -> None:
        game = load_game("ursa_miner", compiled=False, **settings)
        assert isinstance(game, UrsaMiner)
        self.game = game
        self.cards = [card.id for card in self.content.cards]
        self.states = game.record["initial"].copy()
        self.state.phase = ACTIONS
        self.state.to_act = 0
        self.state.cell = NOTHING
        self._lay(stacks)
        for seat, cells in enumerate(bears):
            me = self.seat(seat)
            me.num_bears = len(cells)
            me.cell[: len(cells)] = cells
        for seat, hand in enumerate(hands):
            self.hand(seat, *hand)
        for seat, amount in enumerate(honey):
            self.seat(seat).honey = amount
        self.check_laws()

    def _lay(self, stacks: Mapping[int, str]) -> None:
        self.state.mountain = sum(1 << cell for cell in stacks)
        self.state.cuts = cut_cells(self.game.record[0].content, int(self.state.mountain))
        self.state.buried[:] = 0
        for cell, text in stacks.items():
            self.state.buried[cell] = text.count("?")
            assert self.state.buried[cell] < self.game.record[0].content.num_layers[cell], f"c{cell} is not that high"
            face = text.split()[-1]
            kind = next(
                kind for kind, name in enumerate(self.content.kind_names) if name == face and self._is_left(kind)
            )
            self.state.top[cell] = kind
            if face == "hh":
                self.state.num_hardened -= 1
            else:
                self.state.unseen_tiles[kind] -= 1
        for cell in range(self.game.record[0].content.num_cells):
            renew_stack(self.game.record[0].content, self.state, cell)

    def _is_left(self, kind: int) -> bool:
        return kind == len(self.content.tiles) + 1 or self.state.unseen_tiles[kind] > 0

    @property
    def content(self) -> UrsaMinerContent:
        return self.game.components

    @property
    def state(self) -> Any:
        return self.states[0]

    def seat(self, seat: int) -> Any:
        return self.state.seats[seat]

    def hand(self, seat: int, *cards: str) -> None:
        """Give an empty-handed seat these cards, out of the deck."""
        me = self.seat(seat)
        for card in cards:
            me.hand[self.cards.index(card)] += 1
            self.state.unseen_cards[self.cards.index(card)] -= 1
        me.num_hand = len(cards)
        self.state.num_deck -= len(cards)

    def top(self, cell: int) -> str:
        return self.content.kind_names[int(self.state.top[cell])]

    def cells(self, seat: int) -> list[int]:
        """Where the seat's bears stand."""
        me = self.seat(seat)
        return [int(cell) for cell in me.cell[: me.num_bears]]

    def cards_in(self, counts: Any) -> list[str]:
        return [card for card, copies in zip(self.cards, counts, strict=False) for _ in range(copies)]

    def legal(self, *words: str) -> list[str]:
        """The legal actions, or those that begin with one of ``words``."""
        seat = int(self.state.to_act)
        texts = [self.game.actions.text(action, seat) for action in views.legal_actions(self.game, self.states)]
        return [text for text in texts if not words or text.split()[0] in words]

    def odds(self) -> dict[str, int]:
        weights = views.chance_weights(self.game, self.states)
        return {self.game.outcomes.text(i): int(weight) for i, weight in enumerate(weights) if weight}

    def do(self, *texts: str) -> None:
        """Let these events happen, each of them possible in its turn."""
        for text in texts:
            if self.state.to_act == CHANCE:
                assert text in self.odds()
                event = self.game.outcomes.index(text)
            else:
                assert text in self.legal()
                event = self.game.actions.index(text, int(self.state.to_act))
            self.game.bind(drivers.apply_rows)(self.game.record, self.states, np.array([event]))
            self.check_laws()

    def pass_turn(self) -> None:
        """End the turn without hiring; draw whatever comes first."""
        self.do("end")
        if self.legal("skip"):
            self.do("skip")
        if self.state.to_act == CHANCE:
            self.do(next(iter(self.odds())))

    def check_laws(self) -> None:
        broken = [law for law, holds in self.game.laws(self.state).items() if not holds]
        assert not broken
