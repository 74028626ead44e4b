"""Rules that random play seldom or never reaches, each on an arranged table. The rest is in test_against_referee."""

from typing import Any

import numpy as np
import pytest

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.honey_wars.content import HoneyWarsContent
from bearenvs.honey_wars.state import CHOOSE_DISCARD, DEFEND, NOTHING, ROLL, SPEND
from bearenvs.registry import load_game


class Table:
    """A game of Honey Wars to arrange and to play on, in the notation's words."""

    def __init__(self, **settings: Any) -> None:
        self.game: Game = load_game("honey_wars", **settings)
        content = self.game.content
        assert isinstance(content, HoneyWarsContent)
        self.ids = content.card_ids
        self.states = self.game.record["initial"].copy()
        while self.state.to_act == CHANCE:  # deal whatever comes first: tests lay out their own hands
            self.do(next(iter(self.odds())))
        for seat in range(self.game.num_players):
            self.hand(seat)

    @property
    def state(self) -> Any:
        return self.states[0]

    def seat(self, seat: int) -> Any:
        return self.state.seats[seat]

    def hand(self, seat: int, *cards: str) -> None:
        """Give a seat exactly these cards, out of the deck; its old ones go back there."""
        me = self.seat(seat)
        self.state.deck[:] += me.hand
        self.state.num_deck += me.num_hand
        me.hand[:] = 0
        for card in cards:
            me.hand[self.ids.index(card)] += 1
            self.state.deck[self.ids.index(card)] -= 1
        me.num_hand = len(cards)
        self.state.num_deck -= len(cards)

    def honey(self, seat: int, honey: int) -> None:
        self.state.pot += self.seat(seat).honey - honey
        self.seat(seat).honey = honey

    def hives(self, seat: int, *hives: str) -> None:
        me = self.seat(seat)
        for place, hive in enumerate(hives[1:], 1):
            me.hives[place] = self.ids.index(hive)
            self.state.deck[self.ids.index(hive)] -= 1
        me.num_hives = len(hives)
        self.state.num_deck -= len(hives) - 1

    def threat(self, seat: int, place: int, threat: str, attacker: int) -> None:
        self.seat(seat).threats[place] = self.ids.index(threat)
        self.seat(seat).attackers[place] = attacker
        self.state.deck[self.ids.index(threat)] -= 1
        self.state.num_deck -= 1

    def buddy(self, seat: int, buddy: str) -> None:
        self.seat(seat).buddy = self.ids.index(buddy)
        self.state.deck[self.ids.index(buddy)] -= 1
        self.state.num_deck -= 1

    def defend(self, seat: int) -> None:
        """Let the turn of ``seat`` come, by ending that of the seat before it: its Defend step begins."""
        self.state.seat = (seat - 1) % self.game.num_players
        self.state.phase = CHOOSE_DISCARD
        self.state.to_act = self.state.seat
        before = self.seat(int(self.state.seat))
        kept = before.num_hand
        before.num_hand = 4  # a full hand draws nothing
        self.do("keep")
        before.num_hand = kept

    def legal(self) -> list[str]:
        seat = int(self.state.to_act)
        return [self.game.actions.text(action, seat) for action in views.legal_actions(self.game, self.states)]

    def odds(self) -> dict[str, int]:
        weights = views.chance_weights(self.game, self.states)
        return {self.game.outcomes.text(i): int(weight) for i, weight in enumerate(weights) if weight}

    def do(self, *texts: str) -> None:
        for text in texts:
            if self.state.to_act == CHANCE:
                assert text in self.odds()
                event = self.game.outcomes.index(text)
            else:
                assert text in self.legal()
                event = self.game.actions.index(text, int(self.state.to_act))
            self.game.bind(drivers.apply_rows)(self.game.record, self.states, np.array([event]))

    def card(self, place: int) -> str | None:
        return None if place == NOTHING else self.ids[place]


def test_d1_a_roll_equal_to_the_level_beats_the_threat() -> None:
    table = Table()
    table.threat(0, 0, "nosema", attacker=1)
    table.defend(0)
    table.do("die 5")
    assert table.seat(0).threats[0] == NOTHING
    assert table.state.discard[table.ids.index("nosema")] == 1


def test_d1_a_continuous_threat_stays_and_strikes() -> None:
    table = Table()
    table.threat(0, 0, "nosema", attacker=1)
    table.honey(0, 5)
    table.defend(0)
    assert table.state.phase == ROLL
    table.do("die 4")
    assert table.card(table.seat(0).threats[0]) == "nosema"
    assert table.seat(0).honey == 5 - 2 + 2 + 1  # effect, then the harvest of a Small Hive


def test_d3_no_debt() -> None:
    table = Table()
    table.threat(0, 0, "wax_moths", attacker=1)
    table.honey(0, 1)
    table.defend(0)
    table.do("die 1")
    assert table.seat(0).honey == 3


def test_d4_buddy_is_spent_before_the_roll_and_counts_once() -> None:
    table = Table()
    table.hives(0, "small_hive", "medium_hive")
    table.threat(0, 0, "hungry_bear", attacker=1)
    table.threat(0, 1, "hungry_bear", attacker=1)
    table.buddy(0, "smoke_keeper")
    table.defend(0)
    assert table.legal() == ["roll", "use"]
    table.do("use")
    assert table.seat(0).buddy == NOTHING
    assert table.state.discard[table.ids.index("smoke_keeper")] == 1
    table.do("die 4")  # 4 + 3 reaches 7
    assert table.seat(0).threats[0] == NOTHING
    assert table.state.phase == ROLL  # no choice any more
    table.honey(0, 8)
    table.do("die 4")  # the bonus is used up: half is lost
    assert table.seat(0).honey == 4 + 2 + 1 + 2


def test_d4_auto_defend_needs_no_roll() -> None:
    table = Table()
    table.threat(0, 0, "american_foulbrood", attacker=1)
    table.buddy(0, "hive_inspector")
    table.defend(0)
    table.do("use")
    assert table.state.phase == SPEND
    assert table.seat(0).threats[0] == NOTHING


def test_d5_hives_move_left_with_their_threats_and_each_is_rolled_once() -> None:
    table = Table()
    table.hives(0, "small_hive", "medium_hive", "large_hive")
    table.honey(0, 0)
    table.threat(0, 0, "american_foulbrood", attacker=1)
    table.threat(0, 1, "nosema", attacker=1)
    table.threat(0, 2, "varroa_mites", attacker=1)
    table.defend(0)
    table.do("die 1")
    me = table.seat(0)
    assert [table.card(hive) for hive in me.hives] == ["medium_hive", "large_hive", None]
    assert [table.card(threat) for threat in me.threats] == ["nosema", "varroa_mites", None]
    table.do("die 1")
    table.do("die 1")
    assert table.state.phase == SPEND
    assert me.honey == 2  # Varroa Mites: no bonuses
    assert table.state.discard[table.ids.index("american_foulbrood")] == 1
    assert table.state.discard[table.ids.index("small_hive")] == 1


def test_d5_an_only_hive_is_never_lost() -> None:
    table = Table()
    table.honey(0, 4)
    table.threat(0, 0, "american_foulbrood", attacker=1)
    table.defend(0)
    table.do("die 1")
    assert table.seat(0).num_hives == 1
    assert table.seat(0).honey == 4 - 3 + 3


def test_h3_the_pot_is_the_limit() -> None:
    table = Table()
    table.honey(1, 45)
    table.honey(0, 4)  # 1 is left
    table.buddy(0, "honey_hauler")
    table.defend(0)
    assert table.legal() == ["use", "pass"]
    table.do("use")
    assert table.state.pot == 0
    assert table.seat(0).honey == 5


def test_h5_no_bonus_blocks_what_a_buddy_adds_to_bonuses() -> None:
    table = Table()
    table.honey(0, 0)
    table.threat(0, 0, "varroa_mites", attacker=1)
    table.buddy(0, "master_extractor")
    table.defend(0)
    table.do("die 1", "use")
    assert table.seat(0).honey == 2


def test_h5_no_harvest_asks_about_no_buddy() -> None:
    table = Table()
    table.honey(0, 0)
    table.threat(0, 0, "pesticides", attacker=1)
    table.buddy(0, "honey_hauler")
    table.defend(0)
    table.do("die 1")
    assert table.state.phase == SPEND
    assert table.seat(0).honey == 0


def test_p1_a_card_is_paid_in_full_before_it_counts() -> None:
    """HW-P1, HW-V1: a third hive wins only if 12 honey are left after paying for it."""
    table = Table()
    table.hives(0, "small_hive", "small_hive")
    table.hand(0, "medium_hive")
    table.honey(0, 19)
    table.state.phase, table.state.to_act = SPEND, 0
    table.do("build medium_hive")
    assert table.state.to_act == 0
    table = Table()
    table.hives(0, "small_hive", "small_hive")
    table.hand(0, "medium_hive")
    table.honey(0, 20)
    table.state.phase, table.state.to_act = SPEND, 0
    table.do("build medium_hive")
    assert table.state.to_act == TERMINAL
    assert table.state.winner == 0


def test_p2_two_copies_may_sit_on_two_hives_but_not_on_one() -> None:
    table = Table(num_players=3)
    table.hives(2, "small_hive", "large_hive")
    table.hand(0, "nosema", "nosema")
    table.honey(0, 5)
    table.state.phase, table.state.seat, table.state.to_act = SPEND, 0, 0
    assert table.legal() == ["end", "attack nosema p1.0", "attack nosema p2.0", "attack nosema p2.1"]
    table.do("attack nosema p2.1")
    assert table.legal() == ["end", "attack nosema p1.0", "attack nosema p2.0"]


def test_p4_one_buddy_in_play() -> None:
    table = Table()
    table.hand(0, "smoke_keeper", "honey_hauler")
    table.honey(0, 5)
    table.state.phase, table.state.to_act = SPEND, 0
    table.do("hire smoke_keeper")
    assert table.legal() == ["end"]


@pytest.mark.parametrize(("honey", "expected"), [(2, False), (3, True)])
def test_w1_discarding_the_hand_costs_3(honey: int, expected: bool) -> None:
    table = Table()
    table.hand(0, "nosema")
    table.honey(0, honey)
    table.state.phase, table.state.to_act = CHOOSE_DISCARD, 0
    assert ("discard_hand" in table.legal()) == expected


def test_w1_an_empty_hand_is_asked_and_can_only_keep() -> None:
    table = Table()
    table.honey(0, 9)
    table.state.phase, table.state.to_act = CHOOSE_DISCARD, 0
    assert table.legal() == ["keep"]


def test_w2_a_deck_is_reshuffled_only_when_a_card_must_be_drawn() -> None:
    table = Table()
    table.state.discard[:] = table.state.deck
    table.state.deck[:] = 0
    last = table.ids.index("nosema")
    table.state.deck[last] = 1
    table.state.discard[last] -= 1
    table.state.num_deck = 1
    table.hand(0, "nosema")
    table.state.num_deck = 0  # the last card is in hand 0 now
    table.state.phase, table.state.to_act = CHOOSE_DISCARD, 0
    assert table.state.num_shuffles == 0
    table.do("keep")
    assert table.state.num_shuffles == 1
    assert table.seat(0).num_held == 1
    assert table.state.discard.sum() == 0


def test_w2_with_both_piles_empty_drawing_stops_without_a_shuffle() -> None:
    table = Table()
    table.state.deck[:] = 0
    table.state.num_deck = 0
    table.state.phase, table.state.to_act = CHOOSE_DISCARD, 0
    table.do("keep")
    assert table.state.num_shuffles == 0
    assert table.state.seat == 1
    assert table.state.phase == SPEND  # seat 1, after its harvest


def test_v1_the_attacker_can_win_on_anothers_turn() -> None:
    table = Table(num_players=3)
    table.hives(2, "small_hive", "small_hive", "small_hive")
    table.honey(2, 10)
    table.honey(0, 2)
    table.threat(0, 0, "robber_bees", attacker=2)
    table.defend(0)
    table.do("die 1")
    assert table.state.winner == 2
    np.testing.assert_array_equal(views.returns(table.game, table.states)[0], [-0.5, -0.5, 1.0])


def test_v1_whose_turn_it_is_comes_first_then_clockwise() -> None:
    table = Table(num_players=4)
    for seat in (0, 1, 3):
        table.seat(seat).num_hives = 3
        table.honey(seat, 12)
    table.state.seat = 2
    table.state.phase, table.state.to_act = SPEND, 2
    table.do("end")
    assert table.state.winner == 3


def test_v2_a_win_on_the_last_turn_is_no_truncation() -> None:
    table = Table(max_turns=2)
    table.hives(0, "small_hive", "small_hive", "small_hive")
    table.honey(0, 10)
    table.defend(0)
    assert table.state.winner == 0
    assert table.state.truncated == 0


def test_defend_starts_at_the_leftmost_threat() -> None:
    table = Table()
    table.hives(0, "small_hive", "medium_hive")
    table.threat(0, 1, "nosema", attacker=1)
    table.buddy(0, "smoke_keeper")
    table.defend(0)
    assert table.state.phase == DEFEND
    assert table.state.cursor == 1
