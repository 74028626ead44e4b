"""A referee for Honey Wars: slow, obvious, and written without a look at the engine.

The rules stand here a second time, in the order of the specification; see `tests.referee` for the form.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests import referee
from tests.referee import Answer, Pile, Referee, Steps, size, take

Card = dict[str, Any]

# --- Reference content: typed from the specification's tables, so that it checks the engine's content file


def hive(copies: int, cost: int, bonus: int) -> Card:
    return {"copies": copies, "cost": cost, "bonus": bonus}


def threat(copies: int, level: int, cost: int, continuous: bool, effect: str, amount: int = 0) -> Card:
    return {
        "copies": copies,
        "level": level,
        "cost": cost,
        "continuous": continuous,
        "effect": effect,
        "amount": amount,
    }


def buddy(copies: int, type_: str, cost: int, effect: str, amount: int = 0) -> Card:
    return {"copies": copies, "type": type_, "cost": cost, "effect": effect, "amount": amount}


REFERENCE: dict[str, Any] = {
    "starting_hive": "small_hive",
    "hives": {
        "small_hive": hive(8, 5, 1),
        "medium_hive": hive(6, 8, 2),
        "large_hive": hive(4, 11, 3),
    },
    "threats": {
        "varroa_mites": threat(4, 6, 2, True, "no_bonus"),
        "nosema": threat(4, 5, 1, True, "lose_honey", 2),
        "poor_nutrition": threat(4, 4, 1, False, "lose_honey", 3),
        "kid_with_a_stick": threat(4, 5, 1, False, "lose_cards", 2),
        "pesticides": threat(4, 6, 2, False, "no_harvest"),
        "hungry_bear": threat(4, 7, 3, False, "lose_half"),
        "small_hive_beetles": threat(4, 5, 1, True, "no_build"),
        "wax_moths": threat(4, 4, 2, False, "lose_honey", 5),
        "robber_bees": threat(4, 5, 1, False, "pay_attacker", 3),
        "yellowjackets": threat(4, 5, 1, False, "lose_cards", 3),
        "american_foulbrood": threat(2, 7, 4, False, "lose_hive"),
        "deformed_wing_virus": threat(3, 6, 2, True, "lose_honey", 3),
        "drought": threat(3, 5, 1, False, "skip_spend"),
    },
    "buddies": {
        "hive_inspector": buddy(2, "shield", 2, "auto_defend"),
        "smoke_keeper": buddy(2, "shield", 1, "roll_bonus", 3),
        "honey_hauler": buddy(2, "dipper", 1, "gain", 3),
        "master_extractor": buddy(2, "dipper", 2, "double_bonus"),
    },
}

NUMBERS: dict[str, int] = {
    "cubes": 50,
    "starting_honey": 3,
    "hand_size": 4,
    "die_faces": 8,
    "harvest_base": 2,
    "max_hives": 3,
    "honey_to_win": 12,
    "only_hive_loss": 3,
    "discard_hand_cost": 3,
}
"""The rulebook's figures. A content dictionary may replace some of them under the key "numbers"."""

DEFAULT_SETTINGS: dict[str, int] = {"num_players": 2, "max_turns": 200, "late_seat_honey": 0}


class _GameOver(Exception):
    """Unwinds the coroutine from wherever the game was won or truncated."""


# eq=False: two copies of a card on the table are two different things.
@dataclass(eq=False)
class Threat:
    card: str
    attacker: int


@dataclass(eq=False)
class Hive:
    card: str
    threat: Threat | None = None


class Oracle(Referee):
    """One game of Honey Wars, driven by event texts.

    `settings`: num_players 2..4, max_turns >= 1, late_seat_honey >= 0; those left out have their defaults.
    `content`: shaped like REFERENCE (`starting_hive`, `hives`, `threats`, `buddies`, optional `numbers`).
    Raises ValueError where the settings or the content admit no game.
    """

    def __init__(self, settings: dict[str, int] | None = None, content: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.settings = {**DEFAULT_SETTINGS, **(settings or {})}
        self.content = REFERENCE if content is None else content
        self.numbers = {**NUMBERS, **self.content.get("numbers", {})}
        self._check_settings()

        players = range(self.settings["num_players"])
        self.num_players = len(players)
        self.seat = 0
        """The player whose turn it is."""
        self.turns_ended = 0
        self.num_shuffles = 0
        """How often the discard pile has become a new deck."""
        self.winner: int | None = None
        self.truncated = False
        self.effects: set[str] = set()
        """Those of no_bonus, no_harvest, no_build and skip_spend that hold for this turn."""
        self.has_built = False
        self.defended: Hive | None = None
        """The hive that is defended, or was the last to be."""

        # HW-S2 one starting hive each, out of the hive cards; the rest of the cards is the deck.
        self.deck: Pile = Counter()
        for kind in ("hives", "threats", "buddies"):
            for name, card in self.content[kind].items():
                if card["copies"] > 0:
                    self.deck[name] = card["copies"]
        self.num_cards = size(self.deck)
        if self.deck[self.content["starting_hive"]] < self.num_players:
            raise ValueError(f"{self.num_players} players need as many copies of the starting hive")
        self.hives = [[Hive(take(self.deck, self.content["starting_hive"]))] for _ in players]
        self.discard: Pile = Counter()
        self.hands: list[Pile] = [Counter() for _ in players]
        self.held: list[Pile] = [Counter() for _ in players]
        """The part of each hand that was in it when the discard pile last became the deck."""
        self.buddies: list[str | None] = [None for _ in players]
        if size(self.deck) < self.numbers["hand_size"] * self.num_players:
            raise ValueError(f"{size(self.deck)} cards are too few to deal {self.num_players} hands")

        # HW-S3 starting honey out of a fixed number of cubes; seats after the first may get more.
        late = self.settings["late_seat_honey"]
        self.honey = [self.numbers["starting_honey"] + (late if seat > 0 else 0) for seat in players]
        self.pot = self.numbers["cubes"] - sum(self.honey)
        if self.pot < 0:
            raise ValueError(f"late_seat_honey={late} needs more than the {self.numbers['cubes']} cubes")

        self._start()

    def _check_settings(self) -> None:
        lowest = {"num_players": 2, "max_turns": 1, "late_seat_honey": 0}
        for key, value in self.settings.items():
            if key not in lowest:
                raise ValueError(f"unknown setting {key}; the settings are {', '.join(lowest)}")
            if type(value) is not int or value < lowest[key]:
                raise ValueError(f"{key}={value}: an integer from {lowest[key]} is needed")
        if self.settings["num_players"] > 4:
            raise ValueError(f"num_players={self.settings['num_players']}: 2 to 4 play")  # HW-S1

    # --- What the outside sees

    def returns(self) -> list[Fraction]:
        """HW-V3: the winner +1, every other player -1/(n-1); all 0 without a winner."""
        if self.winner is None:
            return [Fraction(0)] * self.num_players
        loss = Fraction(-1, self.num_players - 1)
        return [Fraction(1) if seat == self.winner else loss for seat in range(self.num_players)]

    def check_conservation(self) -> None:
        """No cube and no card is ever made or lost (HW-S3), and nothing is in debt (HW-D3)."""
        assert min(self.pot, *self.honey) >= 0, (self.pot, self.honey)
        assert self.pot + sum(self.honey) == self.numbers["cubes"], (self.pot, self.honey)
        on_table = sum(1 + (h.threat is not None) for hives in self.hives for h in hives)
        on_table += sum(name is not None for name in self.buddies)
        in_piles = size(self.deck) + size(self.discard) + sum(map(size, self.hands))
        assert on_table + in_piles == self.num_cards, (on_table, in_piles)

    # --- Small moves

    def _ask(self, options: Callable[[], list[str]]) -> Answer:
        """The player whose turn it is decides (nobody else ever does)."""
        return self._choose(self.seat, options)

    def _card_from(self, verb: str, pile: Callable[[], Pile]) -> Answer:
        """A card of the pile at random, each of its copies being as likely; to take it is the caller's."""
        text = yield from self._happen(lambda: {f"{verb} {name}": pile()[name] for name in sorted(pile())})
        return text.split()[1]

    def _leaves_hand(self, seat: int, name: str) -> str:
        """Of equal cards the one held for longer goes first: which it is nobody can tell."""
        if self.held[seat][name] > 0:
            take(self.held[seat], name)
        return take(self.hands[seat], name)

    def _pay(self, seat: int, amount: int) -> None:
        """Honey to the pot; HW-D3: what is there, no debt."""
        paid = min(amount, self.honey[seat])
        self.honey[seat] -= paid
        self.pot += paid

    def _usable_buddy(self, type_: str) -> Card | None:
        """HW-D4, HW-H4: in front of you and of the right type.

        HW-P4's "not on the turn it is hired" needs no check: both uses come before the step that hires.
        """
        name = self.buddies[self.seat]
        if name is None or self.content["buddies"][name]["type"] != type_:
            return None
        card: Card = self.content["buddies"][name]
        return card

    def _discard_buddy(self) -> None:
        name = self.buddies[self.seat]
        assert name is not None
        self.buddies[self.seat] = None
        self.discard[name] += 1

    def _discard_threat(self, hive: Hive) -> None:
        if hive.threat is not None:
            self.discard[hive.threat.card] += 1
            hive.threat = None

    def _look_for_winner(self) -> None:
        """HW-V1: called after each event; the player whose turn it is comes first, then clockwise."""
        for step in range(self.num_players):
            seat = (self.seat + step) % self.num_players
            enough = self.honey[seat] >= self.numbers["honey_to_win"]
            if enough and len(self.hives[seat]) >= self.numbers["max_hives"]:
                self.winner = seat
                raise _GameOver

    # --- The game

    def _play(self) -> Steps:
        try:
            yield from self._deal()
            while True:
                yield from self._turn()
        except _GameOver:
            return

    def _deal(self) -> Steps:
        """HW-S4: to each seat in order, its whole hand."""
        for hand in self.hands:
            for _ in range(self.numbers["hand_size"]):
                yield from self._draw_card(hand)

    def _draw_card(self, hand: Pile) -> Steps:
        hand[take(self.deck, (yield from self._card_from("draw", lambda: self.deck)))] += 1

    def _turn(self) -> Steps:
        self.effects = set()  # an effect on a turn ends with that turn
        self.has_built = False
        yield from self._defend()
        if "no_harvest" not in self.effects:  # HW-H5
            yield from self._harvest()
        if "skip_spend" not in self.effects:
            yield from self._spend()
        yield from self._draw()
        self.turns_ended += 1
        if self.turns_ended == self.settings["max_turns"]:  # HW-V2
            self.truncated = True
            raise _GameOver
        self.seat = (self.seat + 1) % self.num_players  # HW-W3

    # --- Defend

    def _defend(self) -> Steps:
        """HW-D1, HW-D2, HW-D5: always the leftmost threat not yet rolled against, as the hives now stand."""
        rolled: list[Threat] = []
        while True:
            waiting = [h for h in self.hives[self.seat] if h.threat is not None and h.threat not in rolled]
            if not waiting:
                return
            hive = waiting[0]
            assert hive.threat is not None
            rolled.append(hive.threat)
            self.defended = hive
            yield from self._defend_hive(hive)
            self._look_for_winner()

    def _defend_hive(self, hive: Hive) -> Steps:
        assert hive.threat is not None
        threat = self.content["threats"][hive.threat.card]
        bonus = 0
        shield = self._usable_buddy("shield")
        if shield is not None:  # HW-D4
            if (yield from self._ask(lambda: ["roll", "use"])) == "use":
                self._discard_buddy()
                if shield["effect"] == "auto_defend":
                    self._discard_threat(hive)
                    return
                assert shield["effect"] == "roll_bonus", shield
                bonus = shield["amount"]
        faces = range(1, self.numbers["die_faces"] + 1)
        text = yield from self._happen(lambda: {f"die {face}": 1 for face in faces})
        if int(text.split()[1]) + bonus >= threat["level"]:  # HW-D1
            self._discard_threat(hive)
            return
        yield from self._suffer(hive)
        if not threat["continuous"]:
            self._discard_threat(hive)

    def _suffer(self, hive: Hive) -> Steps:
        """The threat on `hive` strikes the player whose turn it is. HW-D6: nobody else's hives."""
        assert hive.threat is not None
        seat, card = self.seat, self.content["threats"][hive.threat.card]
        effect, amount = card["effect"], card.get("amount", 0)
        if effect == "lose_honey":
            self._pay(seat, amount)
        elif effect == "lose_half":
            self._pay(seat, self.honey[seat] - self.honey[seat] // 2)
        elif effect == "pay_attacker":
            paid = min(amount, self.honey[seat])
            self.honey[seat] -= paid
            self.honey[hive.threat.attacker] += paid
        elif effect == "lose_cards":
            for _ in range(min(amount, size(self.hands[seat]))):
                name = yield from self._card_from("lose", lambda: self.hands[seat])
                self.discard[self._leaves_hand(seat, name)] += 1
        elif effect == "lose_hive" and len(self.hives[seat]) == 1:
            self._pay(seat, self.numbers["only_hive_loss"])
        elif effect == "lose_hive":  # HW-D5
            self._discard_threat(hive)
            self.hives[seat].remove(hive)
            self.discard[hive.card] += 1
        else:
            assert effect in ("no_bonus", "no_harvest", "no_build", "skip_spend"), effect
            self.effects.add(effect)

    # --- Harvest

    def _harvest(self) -> Steps:
        gain = self.numbers["harvest_base"] + self.num_shuffles  # HW-H2
        bonuses = sum(self.content["hives"][h.card]["bonus"] for h in self.hives[self.seat])
        if "no_bonus" in self.effects:  # HW-H5
            bonuses = 0
        gain += bonuses  # HW-H1
        dipper = self._usable_buddy("dipper")
        if dipper is not None:  # HW-H4
            if (yield from self._ask(lambda: ["use", "pass"])) == "use":
                self._discard_buddy()
                assert dipper["effect"] in ("gain", "double_bonus"), dipper
                gain += dipper["amount"] if dipper["effect"] == "gain" else bonuses
        gain = min(gain, self.pot)  # HW-H3
        self.pot -= gain
        self.honey[self.seat] += gain
        self._look_for_winner()

    # --- Spend

    def _spend(self) -> Steps:
        while (text := (yield from self._ask(self._spend_options))) != "end":
            verb, card, *target = text.split()
            kind = {"build": "hives", "hire": "buddies", "attack": "threats"}[verb]
            self._pay(self.seat, self.content[kind][card]["cost"])  # HW-P1: before what it buys counts
            self._leaves_hand(self.seat, card)
            if verb == "build":
                self.hives[self.seat].append(Hive(card))
                self.has_built = True
            elif verb == "hire":
                self.buddies[self.seat] = card
            else:
                seat, place = map(int, target[0][1:].split("."))
                self.hives[seat][place].threat = Threat(card, self.seat)
            self._look_for_winner()

    def _spend_options(self) -> list[str]:
        seat, options = self.seat, []
        for card in sorted(self.hands[seat]):
            if card in self.content["hives"]:  # HW-P3
                room = len(self.hives[seat]) < self.numbers["max_hives"]
                can_build = room and not self.has_built and "no_build" not in self.effects
                texts = [f"build {card}"] if can_build else []
                kind = "hives"
            elif card in self.content["buddies"]:  # HW-P4
                texts = [f"hire {card}"] if self.buddies[seat] is None else []
                kind = "buddies"
            else:  # HW-P2
                texts = [f"attack {card} {target}" for target in self._targets()]
                kind = "threats"
            if self.content[kind][card]["cost"] <= self.honey[seat]:  # HW-P1
                options += texts
        return [*options, "end"]  # HW-P5

    def _targets(self) -> list[str]:
        """HW-P2: the opponents' hives that bear no threat."""
        return [
            f"p{seat}.{place}"
            for seat in range(self.num_players)
            for place, hive in enumerate(self.hives[seat])
            if seat != self.seat and hive.threat is None
        ]

    # --- Draw

    def _draw(self) -> Steps:
        text = yield from self._ask(self._draw_options)
        hand = self.hands[self.seat]
        if text == "discard_hand":
            self._pay(self.seat, self.numbers["discard_hand_cost"])
            self.discard.update(hand)
            hand.clear()
            self.held[self.seat].clear()
        elif text != "keep":
            self.discard[self._leaves_hand(self.seat, text.split()[1])] += 1
        while size(hand) < self.numbers["hand_size"]:  # HW-W2
            if not self.deck:
                if not self.discard:
                    return
                self.deck, self.discard = self.discard, Counter()
                self.num_shuffles += 1
                self.held = [pile.copy() for pile in self.hands]
            yield from self._draw_card(hand)

    def _draw_options(self) -> list[str]:
        """HW-W1."""
        hand = self.hands[self.seat]
        options = ["keep", *(f"discard {card}" for card in sorted(hand))]
        if hand and self.honey[self.seat] >= self.numbers["discard_hand_cost"]:
            options.append("discard_hand")
        return options


def verify(lines: Iterable[str], content: dict[str, Any] | None = None, *, must_be_finished: bool = True) -> Oracle:
    """Referee a playthrough of Honey Wars: see `tests.referee.verify`. `content` replaces the reference."""
    return referee.verify(
        lines,
        "honey_wars",
        lambda settings: Oracle(settings, content),
        skip_content=content is not None,
        must_be_finished=must_be_finished,
    )
