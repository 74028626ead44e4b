"""What others can tell of a theft that they did not see: compared with a list of all that is possible."""

import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from bearenvs import views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.outrun_the_bear.content import OutrunTheBearContent
from bearenvs.outrun_the_bear.game import OutrunTheBear, OutrunTheBearSettings
from bearenvs.outrun_the_bear.hands import is_full
from bearenvs.outrun_the_bear.state import NOTHING
from bearenvs.rng import seed_words
from tests.outrun_the_bear.table import Table
from tests.outrun_the_bear.test_knowledge import APART, drawn_in_sight, is_window_of_others, play, possible, twins

FEW = {"Pickpocket": 8, "Trip": 3, "Startle": 2, "Burst of Speed": 3, "Alert": 3, "Slipstream": 2, "Backpack": 2}


def few_kinds(num_players: int, *, compiled: bool = True) -> Game:
    """Return a game with few kinds of cards, many of them thefts, and a Bear that never comes."""
    data = tomllib.loads((OutrunTheBear.folder / "content.toml").read_text(encoding="utf-8"))
    for section in ("actions", "reactions", "equipment"):
        cards = [card for card in data[section] if card["name"] in FEW]
        data[section] = [{**card, "copies": FEW[card["name"]], "bear": 0} for card in cards]
    settings = OutrunTheBearSettings.parse("outrun_the_bear", {"num_players": num_players, "max_rounds": 30})
    return OutrunTheBear(settings, OutrunTheBearContent.model_validate(data), compiled=compiled)


Hands = tuple[tuple[int, ...], ...]
"""By seat, the kinds that are in a hand at least."""


def without(hands: Hands, seat: int, kind: int) -> Hands:
    hand = list(hands[seat])
    hand.remove(kind)
    return (*hands[:seat], tuple(hand), *hands[seat + 1 :])


def plus(hands: Hands, seat: int, *kinds: int) -> Hands:
    return (*hands[:seat], tuple(sorted((*hands[seat], *kinds))), *hands[seat + 1 :])


def hand(row: Any, seat: int) -> Counter[int]:
    return Counter(int(kind) for kind in row.seats[seat].hand if kind != NOTHING)


@dataclass
class Tracker:
    """All that other hands may hold to an observer who forgets nothing: one of ``worlds``, and any cards besides."""

    game: Game
    observer: int
    worlds: set[Hands]

    def lose(self, row: Any, seat: int, kind: int) -> None:
        """Let a seat lose a card in sight of the observer: one known to be there, or an unknown one if there is any."""
        size = int(row.seats[seat].num_hand)
        self.worlds = {
            without(world, seat, kind) if kind in world[seat] else world
            for world in self.worlds
            if kind in world[seat] or len(world[seat]) < size
        }

    def steal(self, row: Any, thief: int, victim: int) -> None:
        """Let a card change hands, unseen."""
        size = int(row.seats[victim].num_hand)
        worlds = {world for world in self.worlds if len(world[victim]) < size}
        for world in self.worlds:
            worlds |= {plus(without(world, victim, kind), thief, kind) for kind in set(world[victim])}
        self.worlds = worlds

    def gain(self, seat: int, *kinds: int) -> None:
        self.worlds = {plus(world, seat, *kinds) for world in self.worlds}

    def prune(self, row: Any) -> None:
        """Strike what takes more cards than there are in a hand, or unseen ones of a kind."""
        unseen = Counter({kind: int(count) for kind, count in enumerate(row.deck)})
        for seat in range(self.game.num_players):
            unseen += hand(row, seat) if seat != self.observer else Counter()
        self.worlds = {
            world
            for world in self.worlds
            if all(len(kinds) <= row.seats[seat].num_hand for seat, kinds in enumerate(world))
            and Counter(kind for kinds in world for kind in kinds) <= unseen
        }

    def allows(self, row: Any) -> bool:
        return any(all(Counter(kinds) <= hand(row, seat) for seat, kinds in enumerate(world)) for world in self.worlds)

    def follow(self, states: Any, event: int) -> str:
        """Let an event happen; return what it was."""
        before = states[0].copy()
        game = self.game
        is_chance = before.to_act == CHANCE
        seat = game.outcome_seat(before) if is_chance else int(before.to_act)
        text = game.outcomes.text(event) if is_chance else game.actions.text(event, seat)
        word, card = (*text.split(), "")[:2]
        play(game, states, event)
        drawn = [hand(states[0], other) - hand(before, other) for other in range(game.num_players)]
        ids = game.cards.card_ids  # type: ignore[attr-defined]  # of this game
        if word in ("play", "react", "equip", "swap", "discard"):
            kind = ids.index(card)
            left = hand(before, seat) - Counter([kind])
            drawn[seat] = hand(states[0], seat) - left
            if seat != self.observer:
                self.lose(before, seat, kind)
        elif word == "draw" and not is_full(game.record["content"][0], before, seat):
            drawn[seat] -= Counter([ids.index(card)])
        elif word == "steal":
            victim, kind = int(before.stack[before.depth - 1].other), ids.index(card)
            left = hand(before, victim) - Counter([kind])
            drawn[victim] = hand(states[0], victim) - left
            if is_full(game.record["content"][0], before, seat):
                if victim != self.observer:
                    self.lose(before, victim, kind)
            else:
                drawn[seat] -= Counter([kind])
                if self.observer == seat:
                    self.lose(before, victim, kind)
                elif self.observer == victim:
                    self.gain(seat, kind)
                else:
                    self.steal(before, seat, victim)
                word = f"theft {seat} {victim}"
        for other in range(game.num_players):
            if other != self.observer:
                self.gain(other, *drawn[other].elements())
        self.prune(states[0])
        return word


def watch(game: Game, seed: int, counts: Counter[str]) -> None:
    """Play a random game before an observer, up to a second theft that touches a hand after one that it did not see."""
    random = np.random.default_rng(seed)
    rng = seed_words(seed)
    states = game.record["initial"].copy()
    observer = seed % game.num_players
    tracker = Tracker(game, observer, {((),) * game.num_players})
    touched: set[str] = set()
    while states[0].to_act != TERMINAL:
        word = tracker.follow(states, int(random.choice(possible(game, states))))
        if word.startswith("theft"):
            seats = set(word.split()[1:])
            if seats & touched:
                return
            touched |= seats if str(observer) not in seats else set()
        assert tracker.allows(states[0]), (seed, word)
        counts["events"] += 1
        if is_window_of_others(states, observer) or not touched:
            continue
        row = views.hidden(game, states, observer)[0]
        pending = [me for me in row.seats if me.thief != NOTHING]
        counts["uncertain"] += bool(pending)
        counts["kept"] += any(me.kept for me in pending)
        counts["lost"] += any(me.lost for me in pending)
        counts["shed"] += any(me.shed.any() for me in pending)
        counts["several"] += any(int(me.shed[observer]).bit_count() > 1 for me in pending)
        for _ in range(10 if pending else 1):
            assert tracker.allows(views.determinized(game, states, observer, rng)[0]), (seed, counts)


@pytest.mark.parametrize("num_players", [3, 4])
def test_no_determinization_contradicts_what_a_seat_has_seen_since_a_theft(num_players: int) -> None:
    game = few_kinds(num_players)
    counts: Counter[str] = Counter()
    for seed in range(40):
        watch(game, seed, counts)
    assert min(counts[what] for what in ("shed", "kept", "lost")) > 20


@pytest.mark.parametrize("num_players", [3, 4, 5])
def test_after_a_theft_a_seat_knows_the_same_whatever_it_did_not_see(num_players: int) -> None:
    game = few_kinds(num_players)
    counts: Counter[str] = Counter()
    for seed in range(30):
        twins(game, seed, counts)
    assert counts["uncertain"] > 100


def test_compiled_and_interpreted_determinizations_agree() -> None:
    games = few_kinds(3), few_kinds(3, compiled=False)
    random = np.random.default_rng(4)
    num_shed = 0
    for seed in range(4):
        states = games[0].record["initial"].copy()
        while states[0].to_act != TERMINAL:
            twin = states.copy()
            event = int(random.choice(possible(games[0], states)))
            for game, rows in zip(games, (states, twin), strict=True):
                play(game, rows, event)
            assert states.tobytes() == twin.tobytes()
            if states[0].seats["shed"].any() and states[0].to_act != TERMINAL:
                num_shed += 1
                first, second = (views.determinized(game, states, num_shed % 3, seed_words(seed)) for game in games)
                assert first.tobytes() == second.tobytes()
    assert num_shed > 50


# What follows, one position each


def stolen_trip(*hand_of_thief: str, unseen: str = "startle") -> Table:
    """Return a table on which p0 has stolen the Trip of p1, of which all knew that and the Alert."""
    table = Table(at=APART, hands=[["pickpocket", *hand_of_thief]]).gear(1, "backpack")
    table.deck(unseen, under=["trip", "alert"]).begin(1).do("p1 crawl", "p1 stop", f"draw {unseen}")
    return table.begin(0).do("p0 play pickpocket", "p0 target p1", "p1 pass", "steal trip", "p0 stop")


def hands_seen(table: Table, observer: int = 2) -> Counter[tuple[str, str]]:
    """The hands of p0 and p1 in an observer's determinizations."""
    rng = seed_words(3)
    rows = [views.determinized(table.game, table.states, observer, rng)[0] for _ in range(400)]
    assert all(all(table.game.laws(row).values()) for row in rows)
    hands = [[" ".join(table.ids[kind] for kind in hand(row, seat).elements()) for seat in (0, 1)] for row in rows]
    return Counter((first, second) for first, second in hands)


def test_if_the_thief_sheds_the_only_card_of_its_kind_that_was_the_stolen_one() -> None:
    table = stolen_trip("burst_of_speed").begin(0).do("p0 play trip", "p0 target p3")
    assert set(hands_seen(table)) == {("startle", "burst_of_speed alert"), ("burst_of_speed", "startle alert")}


def test_if_the_thief_may_have_shed_another_card_the_victim_has_that_kind_still() -> None:
    """The thief has the Alert only if it had a Trip of its own, and p1 then has the other one."""
    table = stolen_trip("burst_of_speed", unseen="trip").begin(0).do("p0 play trip", "p0 target p3")
    hands = hands_seen(table)
    assert set(hands) == {
        ("alert", "burst_of_speed trip"),  # a Trip of the thief's own
        ("burst_of_speed", "trip alert"),  # the Trip that was known, or the card that was not
        ("trip", "burst_of_speed alert"),  # the Trip that was known
    }
    assert hands["burst_of_speed", "trip alert"] > hands["alert", "burst_of_speed trip"] > 40


def test_if_the_victim_then_sheds_that_kind_it_had_kept_it() -> None:
    """So the shed card was no news: the thief may have the Alert or a card that nobody knew of."""
    table = stolen_trip("burst_of_speed", unseen="trip").begin(0).do("p0 play trip", "p0 target p3")
    assert set(hands_seen(table.begin(1).do("p1 play trip", "p1 target p3"))) == {
        ("alert", "burst_of_speed"),
        ("burst_of_speed", "alert"),
    }


def test_when_all_of_the_thiefs_cards_are_known_the_victim_has_kept_those_that_were_known() -> None:
    """The thief plays the card that it stole and has none left, so a card that it then gets is not one of those."""
    table = drawn_in_sight("trip", "alert").begin(0)
    table.do("p0 play pickpocket", "p0 target p1", "p1 pass", "steal startle").begin(0)
    table.do("p0 play startle", "p0 target p3").give_back(0, "shove")
    assert set(hands_seen(table)) == {("shove", "trip alert")}


def test_what_was_known_of_a_whole_hand_is_lost_in_part_whatever_the_victim_gets() -> None:
    table = Table(at=APART, hands=[["pickpocket"]]).deck(under=["trip", "alert"]).begin(1).do("p1 crawl", "p1 stop")
    table.begin(0).do("p0 play pickpocket", "p0 target p1", "p1 pass", "steal trip").give_back(1, "shove")
    assert set(hands_seen(table)) == {("trip", "shove alert"), ("alert", "trip shove")}
