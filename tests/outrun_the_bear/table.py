"""A game of Outrun the Bear to arrange and to play on, in the notation's words."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bearenvs import drivers, views
from bearenvs.game import CHANCE
from bearenvs.kernel import kernel
from bearenvs.outrun_the_bear.board import lay_tile, space_name
from bearenvs.outrun_the_bear.content import CAMP, FIRST_COLUMN, ROWS, TILE_COLUMNS, OutrunTheBearContent
from bearenvs.outrun_the_bear.game import OutrunTheBear, OutrunTheBearSettings
from bearenvs.outrun_the_bear.hands import discard, gain_card, pile_card, put_pile_under, take_from_deck
from bearenvs.outrun_the_bear.rules import go_on
from bearenvs.outrun_the_bear.state import ACTION, BEAR_TURN, NOBODY, NOTHING, TERRAIN, TURN_END


@kernel
def resume(game: Any, states: Any) -> None:
    """Let the rules carry on the one state that a test has rearranged."""
    states[0].to_act = NOBODY
    go_on(game[0].content, states[0])


class Table:
    """Empty hands, an empty discard pile, no paw prints but the campsite's, and a trail as drawn.

    ``drawing``: rows of the content file's letters from column 8 on, filled up with path; a digit is a runner on a path
    space. Who is not drawn is in the campsite, or where ``at`` says. ``prints``: more columns with a paw print.
    Everything runs interpreted, and after every event the laws are checked.
    """

    def __init__(
        self,
        drawing: str = "",
        *,
        bear: int = 0,
        at: Mapping[int, str] | None = None,
        hands: Sequence[Sequence[str]] = (),
        prints: Iterable[int] = (),
        **settings: Any,
    ) -> None:
        drawn = drawing.split()
        rows = [row.ljust(4 * TILE_COLUMNS, ".") for row in drawn + [""] * (ROWS - len(drawn))]
        data = tomllib.loads((OutrunTheBear.folder / "content.toml").read_text(encoding="utf-8"))
        for tile, trail in enumerate(data["trails"]):
            span = slice(tile * TILE_COLUMNS, (tile + 1) * TILE_COLUMNS)
            terrain = ["".join("." if letter.isdigit() else letter for letter in row[span]) for row in rows]
            columns = [column - FIRST_COLUMN - span.start for column in prints]
            trail["a"] = {"map": "\n".join(terrain), "prints": [c for c in columns if 0 <= c < TILE_COLUMNS]}
            trail["b"] = {"map": "\n".join(["." * TILE_COLUMNS] * ROWS), "prints": []}
        content = OutrunTheBearContent.model_validate(data)
        self.game = OutrunTheBear(OutrunTheBearSettings.parse("outrun_the_bear", settings), content, compiled=False)
        self.ids = content.card_ids
        self.states = self.game.record["initial"].copy()
        for tile in range(self.game.num_trails):
            lay_tile(self.game.record["content"][0], self.state, tile, 2 * tile)
        self.state.bear = bear
        for row, letters in enumerate(rows):
            for column, letter in enumerate(letters, FIRST_COLUMN):
                if letter.isdigit():
                    self.seat(int(letter)).space = column * ROWS + row
        for seat, text in (at or {}).items():
            self.seat(seat).space = self.space(text)
        for seat, hand in enumerate(hands):
            self.give(seat, *hand)

    # Arranging

    @property
    def state(self) -> Any:
        return self.states[0]

    def seat(self, seat: int) -> Any:
        return self.state.seats[seat]

    def space(self, text: str) -> int:
        return next(
            space for space in range(CAMP, self.game.last_column * ROWS + 4) if space_name(space, self.game.lot) == text
        )

    def kind(self, card: str) -> int:
        return self.ids.index(card)

    def give(self, seat: int, *cards: str) -> "Table":
        """Add these cards to a hand, out of the unseen deck."""
        for card in cards:
            take_from_deck(self.state, self.kind(card))
            gain_card(self.state, seat, self.kind(card), 0, 0)
        return self

    def gear(self, seat: int, card: str) -> "Table":
        take_from_deck(self.state, self.kind(card))
        self.seat(seat).equipment = self.kind(card)
        return self

    def pile(self, *cards: str) -> "Table":
        """Put these on the discard pile, out of the unseen deck; the first becomes the oldest."""
        for card in cards:
            take_from_deck(self.state, self.kind(card))
            discard(self.state, self.kind(card))
        return self

    def under(self, *cards: str) -> "Table":
        """Put these under the deck, where all know their order. The pile must be empty."""
        self.pile(*cards)
        put_pile_under(self.state)
        return self

    def deck(self, *unseen: str, under: Sequence[str] = ()) -> "Table":
        """Let the deck be these cards, ``under`` being its known part, in order; what was in it is removed."""
        self.state.removed += self.state.deck
        self.state.deck[:] = 0
        for card in (*unseen, *under):
            self.state.deck[self.kind(card)] += 1
            self.state.removed[self.kind(card)] -= 1
        self.state.num_deck = len(unseen) + len(under)
        return self.under(*under)

    def give_back(self, seat: int, card: str) -> "Table":
        """Put a removed card into a hand."""
        self.state.removed[self.kind(card)] -= 1
        gain_card(self.state, seat, self.kind(card), 0, 0)
        return self

    def restart(self) -> "Table":
        """Put the game back to its first state, before the trail is laid out."""
        self.states[:] = self.game.record["initial"]
        return self

    def begin(self, seat: int, phase: int = ACTION) -> "Table":
        """Let the turn of ``seat`` begin, with its action step if nothing else is said."""
        self.state.depth = 0
        self.state.stack[:] = np.zeros(1, self.state.stack.dtype)
        self.state.seat = seat
        self.state.turn = 1
        self.state.no_sprint = 0
        self.state.phase = phase
        self.resume()
        return self

    def terrain(self, seat: int) -> "Table":
        """Let the turn of ``seat`` begin with its terrain step."""
        return self.begin(seat, TERRAIN)

    def bears_turn(self) -> "Table":
        """Let the Bear's turn begin."""
        return self.begin(int(self.state.token), BEAR_TURN)

    def end_turn(self, seat: int) -> "Table":
        """Let the turn of ``seat`` end here, whatever is left of it."""
        return self.begin(seat, TURN_END)

    def resume(self) -> None:
        self.check_laws()
        self.game.bind(resume)(self.game.record, self.states)
        self.check_laws()

    # Playing

    def legal(self, *words: str) -> list[str]:
        """The legal actions, or those that begin with one of ``words``."""
        seat = int(self.state.to_act)
        texts = [self.game.actions.text(action, seat) for action in views.legal_actions(self.game, self.states)]
        return [text for text in texts if not words or text.split()[0] in words]

    def odds(self) -> dict[str, int]:
        weights = views.chance_weights(self.game, self.states)
        return {self.game.outcomes.text(i): int(weight) for i, weight in enumerate(weights) if weight}

    def do(self, *texts: str) -> "Table":
        """Let these events happen, each of them possible in its turn: ``p1 pass``, ``draw alert``."""
        for text in texts:
            if self.state.to_act == CHANCE:
                assert text in self.odds()
                event = self.game.outcomes.index(text)
            else:
                who, _, action = text.partition(" ")
                seat = int(self.state.to_act)
                assert who == f"p{seat}", f"p{seat} is to act: {self.legal()}"
                assert action in self.legal(), self.legal()
                event = self.game.actions.index(action, seat)
            self.game.bind(drivers.apply_rows)(self.game.record, self.states, np.array([event]))
            self.check_laws()
        return self

    def seen_by(self, text: str) -> set[int]:
        """The seats that learn this event, if it happens now."""
        table = self.game.outcomes if self.state.to_act == CHANCE else self.game.actions
        event = table.index(text, max(0, int(self.state.to_act)))
        mask = self.game.bind(drivers.seen_by_row)(self.game.record, self.states, event)
        return {seat for seat in range(self.game.num_players) if mask >> seat & 1}

    # Looking

    def where(self, seat: int) -> str:
        return space_name(int(self.seat(seat).space), self.game.lot)

    def steps(self) -> list[str]:
        """The spaces that can be stepped into."""
        return [text.removeprefix("step ") for text in self.legal("step")]

    def hand(self, seat: int) -> list[str]:
        return [self.ids[kind] for kind in self.seat(seat).hand if kind != NOTHING]

    def equipment(self, seat: int) -> str | None:
        kind = int(self.seat(seat).equipment)
        return None if kind == NOTHING else self.ids[kind]

    def discards(self) -> list[str]:
        """The discard pile, oldest first."""
        return [self.ids[pile_card(self.state, place)] for place in range(self.state.num_pile)]

    def known_deck(self) -> list[str]:
        """The known part under the deck, in the order in which it will be drawn."""
        return [self.ids[pile_card(self.state, place)] for place in range(-int(self.state.num_under), 0)]

    def returns(self) -> list[float]:
        values: list[float] = views.returns(self.game, self.states)[0].tolist()
        return values

    def check_laws(self) -> None:
        broken = [law for law, holds in self.game.laws(self.state).items() if not holds]
        assert not broken, broken
