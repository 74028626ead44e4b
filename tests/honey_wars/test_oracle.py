"""The referee is tested before it judges: each rule by hand, then laws that hold in every random game."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.honey_wars.oracle import NUMBERS, REFERENCE, Hive, Oracle, Threat, verify
from tests.referee import CHANCE, TERMINAL, Disagreement, IllegalEvent

KINDS = ("hives", "threats", "buddies")
NO_ACTION_HAND = ["pesticides", "pesticides", "hungry_bear", "hungry_bear"]


def dealt(content: dict[str, Any] | None = None, **settings: int) -> Oracle:
    """A game at seat 0's first decision, whatever was dealt."""
    game = Oracle(settings, content)
    draw_any(game)
    return game


def draw_any(game: Oracle) -> None:
    """Resolve chance with the first outcome for as long as cards are drawn."""
    while game.to_act == CHANCE and all(text.startswith("draw ") for text in game.chance()):
        game.apply(next(iter(game.chance())))


def rig(
    game: Oracle,
    seat: int,
    honey: int | None = None,
    hand: list[str] | None = None,
    hives: list[str] | None = None,
    buddy: str | None = None,
) -> None:
    """Rearrange a seat without making or losing a cube or a card.

    A hive is `HIVE` or `HIVE:THREAT`; the threat was played by the next seat.
    """
    if honey is not None:
        game.pot += game.honey[seat] - honey
        game.honey[seat] = honey
    if hand is not None:
        game.deck.update(game.hands[seat])
        game.hands[seat].clear()
    if hives is not None:
        for old in game.hives[seat]:
            game.deck.update([old.card] + ([old.threat.card] if old.threat else []))
        game.hives[seat][:] = []
        for text in hives:
            card, _, threat = text.partition(":")
            attacker = (seat + 1) % game.num_players
            new = Hive(take(game, seat, card), Threat(take(game, seat, threat), attacker) if threat else None)
            game.hives[seat].append(new)
    if buddy is not None:
        game.buddies[seat] = take(game, seat, buddy)
    for card in hand or []:
        game.hands[seat][take(game, seat, card)] += 1
    game.check_conservation()


def take(game: Oracle, seat: int, card: str) -> str:
    """Out of the deck, or else out of another seat's hand, which gets a card of the deck instead."""
    for pile in (game.deck, *(hand for other, hand in enumerate(game.hands) if other != seat)):
        if pile[card] > 0:
            pile[card] -= 1
            pile += Counter()  # in place: drops the keys at zero
            if pile is not game.deck:
                pile[take(game, seat, max(game.deck))] += 1
            return card
    raise AssertionError(f"no {card} left to rig with")


def turn_of_seat_1(honey: int = 5, content: dict[str, Any] | None = None, **parts: Any) -> Oracle:
    """Two players, at the first event of seat 1's first turn; `parts` as in `rig`."""
    game = dealt(content)
    rig(game, 0, hand=NO_ACTION_HAND)
    rig(game, 1, **{"honey": honey, "hand": ["drought"] * 3 + ["varroa_mites"], **parts})
    play(game, "end", "keep")
    return game


def play(game: Oracle, *texts: str) -> Oracle:
    for text in texts:
        game.apply(text)
    return game


def board(game: Oracle, seat: int) -> list[str]:
    return [h.card + (f":{h.threat.card}" if h.threat else "") for h in game.hives[seat]]


# --- Set-up


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_setup_hw_s1_to_s4(num_players: int) -> None:
    game = Oracle({"num_players": num_players})
    assert [board(game, seat) for seat in range(num_players)] == [["small_hive"]] * num_players
    assert game.deck["small_hive"] == 8 - num_players
    assert sum(game.deck.values()) == 74 - num_players
    assert game.honey == [3] * num_players
    assert game.pot == 50 - 3 * num_players
    for i in range(4 * num_players):
        assert game.to_act == CHANCE
        assert sum(game.chance().values()) == 74 - num_players - i
        assert game.chance() == {f"draw {card}": count for card, count in game.deck.items()}
        game.apply("draw nosema" if i < 4 else next(iter(game.chance())))
    assert game.hands[0] == {"nosema": 4}
    assert game.to_act == 0
    assert game.honey[0] == 6


def test_defaults_and_bad_settings() -> None:
    assert Oracle().num_players == 2
    bad: list[tuple[str, int, str]] = [
        ("num_players", 1, "from 2"),
        ("num_players", 5, "2 to 4"),
        ("num_players", True, "an integer"),
        ("max_turns", 0, "from 1"),
        ("late_seat_honey", -1, "from 0"),
        ("late_seat_honey", 45, "50 cubes"),
        ("speed", 1, "unknown setting"),
    ]
    for key, value, reason in bad:
        with pytest.raises(ValueError, match=reason):
            Oracle({key: value})


def test_late_seat_honey_hw_s3() -> None:
    game = Oracle({"num_players": 3, "late_seat_honey": 2})
    assert game.honey == [3, 5, 5]
    assert game.pot == 37
    assert Oracle({"late_seat_honey": 44}).pot == 0


def test_a_deck_too_small_to_deal_is_an_error() -> None:
    tiny = {"starting_hive": "small_hive", "hives": {"small_hive": {"copies": 9, "cost": 1, "bonus": 1}}}
    with pytest.raises(ValueError, match="too few"):
        Oracle({}, {**tiny, "threats": {}, "buddies": {}})
    tiny["hives"] = {"small_hive": {"copies": 1, "cost": 1, "bonus": 1}}
    with pytest.raises(ValueError, match="starting hive"):
        Oracle({}, {**tiny, "threats": {}, "buddies": {}})


def test_reference_content_has_the_printed_counts() -> None:
    counts = [sum(card["copies"] for card in REFERENCE[kind].values()) for kind in KINDS]
    assert counts == [18, 48, 8]


# --- Defend


@pytest.mark.parametrize(
    ("face", "threat", "stays", "honey"),
    [
        (5, "nosema", False, 8),  # equal to the level: beaten
        (8, "nosema", False, 8),
        (4, "nosema", True, 6),  # continuous: stays
        (3, "poor_nutrition", False, 5),  # not continuous: goes
    ],
)
def test_roll_hw_d1(face: int, threat: str, stays: bool, honey: int) -> None:
    game = turn_of_seat_1(honey=5, hives=[f"small_hive:{threat}"])
    assert game.chance() == {f"die {k}": 1 for k in range(1, 9)}
    play(game, f"die {face}")
    assert (game.hives[1][0].threat is not None) == stays
    assert game.discard[threat] == (not stays)
    assert game.honey[1] == honey
    assert game.to_act == 1


def test_continuous_threat_is_rolled_again_next_turn_hw_d1() -> None:
    game = play(turn_of_seat_1(hives=["small_hive:nosema"]), "die 1", "end", "keep", "end", "keep")
    assert game.seat == 1
    assert "die 1" in game.chance()


def test_leftmost_first_and_each_threat_once_hw_d1_d5() -> None:
    """The leftmost hive goes: the others move left, keep their threats, and are rolled once each."""
    hives = ["small_hive:american_foulbrood", "medium_hive:nosema", "large_hive:varroa_mites"]
    game = turn_of_seat_1(honey=8, hives=hives)
    play(game, "die 6")
    assert board(game, 1) == ["medium_hive:nosema", "large_hive:varroa_mites"]
    assert game.discard == {"american_foulbrood": 1, "small_hive": 1}
    play(game, "die 4")
    assert game.honey[1] == 6
    play(game, "die 5")  # varroa mites stay: no bonuses this turn
    assert game.to_act == 1
    assert game.honey[1] == 8
    assert board(game, 1)[1] == "large_hive:varroa_mites"


def test_middle_hive_lost_after_a_continuous_threat_stayed_hw_d5() -> None:
    """What stayed on the left is not rolled twice, what moved left is not skipped."""
    hives = ["small_hive:nosema", "medium_hive:american_foulbrood", "large_hive:robber_bees"]
    game = play(turn_of_seat_1(honey=5, hives=hives), "die 1", "die 1")
    assert board(game, 1) == ["small_hive:nosema", "large_hive:robber_bees"]
    assert "die 8" in game.chance()
    play(game, "die 8")
    assert game.to_act == 1
    assert board(game, 1) == ["small_hive:nosema", "large_hive"]


def test_two_hives_lost_in_one_step_hw_d5() -> None:
    game = turn_of_seat_1(hives=["small_hive:american_foulbrood", "medium_hive:american_foulbrood"], honey=5)
    play(game, "die 1", "die 1")  # the second is the only hive by then: 3 honey instead
    assert board(game, 1) == ["medium_hive"]
    assert game.honey[1] == 5 - 3 + 4
    assert game.discard == {"american_foulbrood": 2, "small_hive": 1}


def test_no_debt_hw_d3() -> None:
    game = play(turn_of_seat_1(honey=2, hives=["small_hive:wax_moths"]), "die 3")
    assert game.honey[1] == 3
    game = play(turn_of_seat_1(honey=2, hives=["small_hive:robber_bees"]), "die 4")
    assert game.honey == [6 + 2, 3]  # the attacker gets what there is


def test_the_one_who_played_the_threat_is_paid_hw_p2() -> None:
    game = dealt(num_players=3)
    rig(game, 0, hand=NO_ACTION_HAND, honey=7)
    rig(game, 1, hand=["nosema"] * 4)
    rig(game, 2, hand=["robber_bees"] * 4, honey=5)
    play(game, "end", "keep", "end", "keep", "attack robber_bees p0.0", "end", "keep", "draw yellowjackets")
    assert game.honey[2] == 5 + 3 - 1
    assert play(game, "die 4").honey == [7, 6, 10]  # seat 0: 7 - 3 + 3


def test_lost_cards_hw_d3() -> None:
    game = turn_of_seat_1(hives=["small_hive:yellowjackets"], hand=["nosema", "nosema"])
    play(game, "die 4")
    assert game.chance() == {"lose nosema": 2}
    assert board(game, 1) == ["small_hive:yellowjackets"]
    play(game, "lose nosema", "lose nosema")
    assert not game.hands[1]
    assert game.discard == {"nosema": 2, "yellowjackets": 1}
    assert game.to_act == 1
    game = turn_of_seat_1(hives=["small_hive:yellowjackets"], hand=[])
    assert play(game, "die 4").to_act == 1  # an empty hand: no chance event at all
    game = turn_of_seat_1(hives=["small_hive:kid_with_a_stick"])
    play(game, "die 1")
    assert game.chance() == {"lose drought": 3, "lose varroa_mites": 1}
    assert play(game, "lose drought", "lose drought").to_act == 1


@pytest.mark.parametrize(("honey", "kept"), [(7, 3), (8, 4), (1, 0), (0, 0)])
def test_lose_half_rounds_the_loss_up(honey: int, kept: int) -> None:
    game = play(turn_of_seat_1(honey=honey, hives=["small_hive:hungry_bear"]), "die 6")
    assert game.honey[1] == kept + 3


def test_auto_defend_hw_d4() -> None:
    hives = ["small_hive:varroa_mites", "medium_hive:nosema"]
    game = turn_of_seat_1(hives=hives, buddy="hive_inspector")
    assert game.to_act == 1
    assert set(game.legal()) == {"roll", "use"}
    play(game, "roll", "die 1")
    assert game.to_act == 1
    assert set(game.legal()) == {"roll", "use"}
    play(game, "use")
    assert board(game, 1) == ["small_hive:varroa_mites", "medium_hive"]
    assert game.to_act == 1
    assert "end" in game.legal()
    assert game.buddies[1] is None
    assert game.discard == {"hive_inspector": 1, "nosema": 1}


def test_used_on_the_first_roll_no_choice_after_hw_d4() -> None:
    game = turn_of_seat_1(hives=["small_hive:varroa_mites", "medium_hive:nosema"], buddy="hive_inspector")
    assert play(game, "use").to_act == CHANCE
    assert board(game, 1) == ["small_hive", "medium_hive:nosema"]


def test_roll_bonus_hw_d4() -> None:
    for face, beaten in ((3, True), (2, False)):
        game = turn_of_seat_1(hives=["small_hive:varroa_mites", "small_hive:nosema"], buddy="smoke_keeper")
        play(game, "use")
        assert game.buddies[1] is None
        assert game.discard == {"smoke_keeper": 1}
        assert game.chance() == {f"die {k}": 1 for k in range(1, 9)}  # the bare roll
        play(game, f"die {face}")
        assert (game.hives[1][0].threat is None) == beaten
        play(game, "die 3")  # the bonus was for one roll
        assert game.hives[1][1].threat is not None


def test_a_dipper_does_not_defend_hw_d4() -> None:
    game = turn_of_seat_1(hives=["small_hive:nosema"], buddy="honey_hauler")
    assert "die 8" in game.chance()
    assert set(play(game, "die 8").legal()) == {"use", "pass"}


def test_only_hive_is_never_lost_and_a_continuous_threat_stays() -> None:
    threats = {**REFERENCE["threats"]}
    threats["american_foulbrood"] = {**threats["american_foulbrood"], "continuous": True}
    content = {**REFERENCE, "threats": threats}
    game = turn_of_seat_1(content=content, hives=["small_hive:american_foulbrood"], honey=2)
    play(game, "die 6")
    assert board(game, 1) == ["small_hive:american_foulbrood"]
    assert game.honey[1] == 3
    game = turn_of_seat_1(content=content, hives=["small_hive:american_foulbrood", "large_hive"])
    assert board(play(game, "die 6"), 1) == ["large_hive"]
    assert game.discard["american_foulbrood"] == 1


# --- Harvest


def test_bonuses_and_base_hw_h1_h2() -> None:
    game = turn_of_seat_1(honey=0, hives=["small_hive", "large_hive"])
    assert game.honey[1] == 2 + 1 + 3
    game.num_shuffles = 2
    assert play(game, "end", "keep").honey[0] == 6 + 4 + 1  # any player's next harvest


def test_empty_pot_hw_h3_h4() -> None:
    game = dealt()
    rig(game, 0, honey=46, hand=NO_ACTION_HAND)
    rig(game, 1, honey=2, buddy="honey_hauler")
    play(game, "end", "keep")
    assert set(game.legal()) == {"use", "pass"}
    play(game, "use")
    assert game.honey[1] == 4
    assert game.pot == 0
    assert game.buddies[1] is None
    draw_any(play(game, "end", "keep"))
    assert game.to_act == 0
    assert game.honey == [46, 4]


@pytest.mark.parametrize(
    ("buddy", "choice", "honey"),
    [
        ("honey_hauler", "use", 8),
        ("honey_hauler", "pass", 5),
        ("master_extractor", "use", 8),
        ("master_extractor", "pass", 5),
    ],
)
def test_dipper_hw_h4(buddy: str, choice: str, honey: int) -> None:
    game = turn_of_seat_1(honey=0, hives=["small_hive", "medium_hive"], buddy=buddy)
    play(game, choice)
    assert game.honey[1] == honey
    assert game.buddies[1] == (buddy if choice == "pass" else None)


@pytest.mark.parametrize(("buddy", "honey"), [("honey_hauler", 5), ("master_extractor", 2)])
def test_no_bonus_hw_h5(buddy: str, honey: int) -> None:
    hives = ["small_hive:varroa_mites", "large_hive"]
    game = play(turn_of_seat_1(honey=0, hives=hives, buddy=buddy), "die 5")
    assert set(game.legal()) == {"use", "pass"}  # asked, though it may change nothing
    assert play(game, "use").honey[1] == honey


def test_no_harvest_hw_h5() -> None:
    game = turn_of_seat_1(honey=4, hives=["small_hive:pesticides"], buddy="honey_hauler")
    play(game, "die 5")
    assert game.honey[1] == 4
    assert "end" in game.legal()
    assert game.buddies[1] == "honey_hauler"
    draw_any(play(game, "end", "keep", "end", "keep"))
    assert set(game.legal()) == {"use", "pass"}  # this turn's effect does not last


# --- Spend


def test_pay_in_full_hw_p1() -> None:
    game = dealt()
    rig(game, 0, honey=5, hand=["small_hive", "medium_hive", "large_hive", "hungry_bear"])
    assert set(game.legal()) == {"build small_hive", "attack hungry_bear p1.0", "end"}
    play(game, "build small_hive")
    assert game.honey[0] == 0
    assert board(game, 0) == ["small_hive", "small_hive"]
    assert game.legal() == ["end"]


def test_attack_hw_p2() -> None:
    game = dealt(num_players=3)
    rig(game, 0, honey=6, hand=["nosema", "nosema", "nosema"])
    rig(game, 1, hives=["small_hive", "large_hive:varroa_mites"])
    rig(game, 2, hives=["medium_hive", "small_hive"])
    assert set(game.legal()) == {"attack nosema p1.0", "attack nosema p2.0", "attack nosema p2.1", "end"}
    play(game, "attack nosema p2.1", "attack nosema p2.0")
    assert board(game, 2) == ["medium_hive:nosema", "small_hive:nosema"]
    assert game.honey[0] == 4
    assert [h.threat.attacker for h in game.hives[2] if h.threat] == [0, 0]
    assert set(game.legal()) == {"attack nosema p1.0", "end"}


def test_build_hw_p3() -> None:
    game = dealt()
    rig(game, 0, honey=30, hand=["small_hive", "small_hive", "medium_hive"])
    assert set(game.legal()) == {"build small_hive", "build medium_hive", "end"}
    assert play(game, "build medium_hive").legal() == ["end"]  # one a turn
    assert board(game, 0) == ["small_hive", "medium_hive"]  # to the right
    rig(game, 1, hand=NO_ACTION_HAND)
    play(game, "end", "keep", "draw wax_moths", "draw wax_moths", "end", "keep")
    assert game.to_act == 0
    assert "build small_hive" in game.legal()  # and one the next turn
    game = dealt()
    rig(game, 0, honey=5, hand=["small_hive"], hives=["small_hive", "small_hive", "small_hive"])
    assert game.legal() == ["end"]  # three in play


def test_no_build_lasts_one_turn() -> None:
    game = turn_of_seat_1(honey=30, hives=["small_hive:small_hive_beetles"], hand=["small_hive"] * 4)
    play(game, "die 4")
    assert game.legal() == ["end"]
    play(game, "end", "keep", "end", "keep", "die 5")
    assert set(game.legal()) == {"build small_hive", "end"}


def test_hire_hw_p4() -> None:
    game = dealt()
    rig(game, 0, honey=9, hand=["smoke_keeper", "honey_hauler", "pesticides", "pesticides"])
    assert {"hire smoke_keeper", "hire honey_hauler"} < set(game.legal())
    play(game, "hire honey_hauler")
    assert game.buddies[0] == "honey_hauler"
    assert game.honey[0] == 8
    assert not any(text.startswith("hire") for text in game.legal())


def test_hire_again_after_using_the_first_hw_p4() -> None:
    game = turn_of_seat_1(buddy="honey_hauler", hand=["smoke_keeper", *["drought"] * 3])
    play(game, "use")
    assert "hire smoke_keeper" in game.legal()


def test_skip_spend_hw_p5() -> None:
    game = play(turn_of_seat_1(hives=["small_hive:drought"], honey=5, hand=["drought", "nosema"]), "die 4")
    assert game.honey[1] == 8  # harvested
    assert set(game.legal()) == {"keep", "discard drought", "discard nosema", "discard_hand"}


# --- Draw


def test_draw_choices_hw_w1() -> None:
    game = dealt()
    rig(game, 0, honey=2, hand=["nosema", "nosema", "drought"])
    assert set(play(game, "end").legal()) == {"keep", "discard nosema", "discard drought"}
    rig(game, 0, honey=3)
    assert set(game.legal()) == {"keep", "discard nosema", "discard drought", "discard_hand"}
    play(game, "discard_hand")
    assert game.honey[0] == 0
    assert not game.hands[0]
    assert game.discard == {"nosema": 2, "drought": 1}
    for _ in range(4):
        assert game.seat == 0
        assert game.to_act == CHANCE
        assert game.chance() == {f"draw {card}": count for card, count in game.deck.items()}
        game.apply(next(iter(game.chance())))
    assert game.seat == 1


def test_empty_hand_is_asked_but_cannot_pay_hw_w1() -> None:
    game = dealt()
    rig(game, 0, honey=9, hand=[])
    assert play(game, "end").legal() == ["keep"]


def test_discard_one_then_draw_hw_w2_w3() -> None:
    game = dealt(num_players=3)
    rig(game, 0, hand=["nosema"] * 2 + ["drought"] * 2)
    play(game, "end", "discard nosema", "draw nosema")
    assert game.hands[0] == {"nosema": 2, "drought": 2}
    assert game.to_act == 1


def empty_the_deck(game: Oracle, leave: int, discard: bool) -> None:
    """All but `leave` cards of the deck go to the discard pile, or out of the way into seat 1's hand."""
    cards = sorted(game.deck.elements())
    (game.discard if discard else game.hands[1]).update(cards[leave:])
    game.deck.clear()
    game.deck.update(cards[:leave])


def test_reshuffle_when_a_card_must_be_drawn_hw_w2_h2() -> None:
    game = dealt()
    rig(game, 0, hand=["nosema"])
    empty_the_deck(game, leave=2, discard=True)
    play(game, "end", "keep")
    for _ in range(2):
        assert game.num_shuffles == 0
        play(game, next(iter(game.chance())))
    assert game.num_shuffles == 1
    assert not game.discard
    assert sum(game.chance().values()) == 74 - 2 - 4 - 3
    before = game.honey[1]
    play(game, next(iter(game.chance())))
    assert game.to_act == 1
    assert game.honey[1] == before + 3 + 1


def test_last_card_drawn_is_no_reshuffle_hw_w2() -> None:
    game = dealt()
    rig(game, 0, hand=["nosema"] * 3)
    empty_the_deck(game, leave=1, discard=True)
    play(game, "end", "keep")
    play(game, next(iter(game.chance())))
    assert game.seat == 1
    assert game.num_shuffles == 0
    assert not game.deck
    play(game, "end", f"discard {min(game.hands[1])}")
    assert game.num_shuffles == 1  # the card just discarded is in it
    assert sum(game.chance().values()) == 74 - 2 - 7


def test_both_piles_empty_hw_w2() -> None:
    game = dealt()
    rig(game, 0, hand=["nosema"] * 2)
    empty_the_deck(game, leave=1, discard=False)
    play(game, "end", "keep")
    play(game, next(iter(game.chance())))
    assert game.seat == 1
    assert sum(game.hands[0].values()) == 3
    assert game.num_shuffles == 0


# --- End


def three_hives(threat: str = "") -> list[str]:
    return ["small_hive", "small_hive", "medium_hive" + (f":{threat}" if threat else "")]


def test_win_by_harvest_hw_v1_v3() -> None:
    game = dealt(num_players=3)
    rig(game, 0, hand=NO_ACTION_HAND)
    rig(game, 1, honey=6, hives=three_hives())
    play(game, "end", "keep")  # 6 + 2 + 4
    assert game.to_act == TERMINAL
    assert game.winner == 1
    assert not game.truncated
    assert game.returns() == [Fraction(-1, 2), 1, Fraction(-1, 2)]
    assert game.legal() == []
    assert game.chance() == {}
    with pytest.raises(IllegalEvent, match="after the end"):
        game.apply("end")


def test_one_honey_short_is_no_win_hw_v1() -> None:
    game = turn_of_seat_1(honey=5, hives=three_hives())
    assert game.to_act == 1
    assert game.honey[1] == 11
    assert game.returns() == [0, 0]


@pytest.mark.parametrize(("honey", "wins"), [(20, True), (19, False)])
def test_win_by_third_hive_after_paying_hw_v1_p1(honey: int, wins: bool) -> None:
    game = dealt()
    rig(game, 0, honey=honey, hand=["medium_hive"], hives=["small_hive", "small_hive"])
    play(game, "build medium_hive")
    assert (game.to_act == TERMINAL) == wins
    assert game.winner == (0 if wins else None)


def test_attacker_wins_on_anothers_turn_hw_v1() -> None:
    game = dealt()
    rig(game, 0, honey=9, hand=NO_ACTION_HAND, hives=three_hives())
    rig(game, 1, honey=11, hives=["small_hive:robber_bees", "medium_hive:nosema", "large_hive"])
    play(game, "end", "keep", "die 4")
    assert game.to_act == TERMINAL
    assert game.winner == 0
    assert game.returns() == [1, -1]
    assert game.discard == {"robber_bees": 1}  # HW-V1: the discard belongs to the event


def test_attacker_gains_only_what_was_paid_hw_v1_d3() -> None:
    game = dealt()
    rig(game, 0, honey=9, hand=NO_ACTION_HAND, hives=three_hives())
    rig(game, 1, honey=2, hives=["small_hive:robber_bees"])
    assert play(game, "end", "keep", "die 4").to_act == 1
    assert game.honey[0] == 11


def test_of_several_winners_the_turn_decides_hw_v1() -> None:
    game = dealt(num_players=4)
    rig(game, 0, hand=NO_ACTION_HAND)
    rig(game, 1, hand=["nosema"] * 4)
    play(game, "end", "keep")
    for seat in (0, 3):
        rig(game, seat, honey=12, hives=three_hives())
    assert play(game, "attack nosema p2.0").winner == 3  # clockwise from seat 1


def test_truncation_hw_v2() -> None:
    game = dealt(max_turns=3)
    for seat in (0, 1, 0):
        assert game.to_act == seat
        assert not game.truncated
        rig(game, seat, hand=NO_ACTION_HAND if seat == 0 else ["drought"] * 3 + ["nosema"])
        play(game, "end", "keep")
    assert game.to_act == TERMINAL
    assert game.truncated
    assert game.winner is None
    assert game.returns() == [0, 0]


def test_truncation_comes_after_the_draws_of_the_last_turn_hw_v2() -> None:
    game = dealt(max_turns=1)
    rig(game, 0, hand=["nosema"] * 3)
    assert play(game, "end", "keep").to_act == CHANCE
    assert play(game, "draw wax_moths").to_act == TERMINAL
    assert game.truncated


# --- Whole games


def random_record(seed: int, **settings: int) -> tuple[Oracle, list[str]]:
    """A random game, with the laws checked at every event, and its playthrough with the legal actions."""
    rng = random.Random(seed)
    game = Oracle(settings)
    lines = [" ".join(["honey_wars", *(f"{key}={value}" for key, value in settings.items())])]
    while game.to_act != TERMINAL:
        outcomes, actions = game.chance(), game.legal()
        assert bool(outcomes) != bool(actions)
        assert len(set(actions)) == len(actions)
        assert game.winner is None
        assert not game.truncated
        if outcomes:
            assert min(outcomes.values()) > 0
            text = rng.choices(list(outcomes), list(outcomes.values()))[0]
            lines.append(f"* {text}")
        else:
            text = rng.choice(actions)
            lines += [f"# legal: {' | '.join(rng.sample(actions, len(actions)))}", f"p{game.to_act} {text}"]
        others = [board(game, seat) for seat in range(game.num_players) if seat != game.seat]
        game.apply(text)
        assert_nothing_lost(game)
        if text.split()[0] in {"roll", "use", "die", "lose"}:  # HW-D6
            assert [board(game, seat) for seat in range(game.num_players) if seat != game.seat] == others
    return game, lines


def assert_nothing_lost(game: Oracle) -> None:
    """50 cubes; every card of the box in as many copies as it has; one buddy and three hives at most."""
    assert sum(game.honey) + game.pot == 50
    assert min(game.honey) >= 0 <= game.pot
    cards: Counter[str] = Counter()
    for pile in (game.deck, game.discard, *game.hands):
        assert all(count > 0 for count in pile.values())
        cards += pile
    for hives in game.hives:
        assert 1 <= len(hives) <= 3
        cards.update(h.card for h in hives)
        cards.update(h.threat.card for h in hives if h.threat)
    cards.update(name for name in game.buddies if name)
    box = {name: card["copies"] for kind in KINDS for name, card in REFERENCE[kind].items()}
    assert cards == box
    assert sum(cards.values()) == 74


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_random_games_agree_with_their_own_record(num_players: int) -> None:
    for seed in range(10):
        game, lines = random_record(seed, num_players=num_players, late_seat_honey=seed % 2)
        assert sum(game.returns()) == 0
        if game.winner is not None:
            assert game.honey[game.winner] >= NUMBERS["honey_to_win"]
            assert len(game.hives[game.winner]) == 3
        assert vars_of(verify(lines)) == vars_of(game)


def vars_of(game: Oracle) -> tuple[Any, ...]:
    hives = [[(h.card, h.threat and (h.threat.card, h.threat.attacker)) for h in row] for row in game.hives]
    table = (game.honey, game.pot, game.hands, game.deck, game.discard, game.buddies, hives)
    return (*table, game.winner, game.truncated, game.turns_ended, game.num_shuffles)


def test_random_games_reach_every_kind_of_event() -> None:
    seen: set[str] = set()
    shuffles = 0
    for seed in range(12):
        game, lines = random_record(seed, num_players=3)
        shuffles = max(shuffles, game.num_shuffles)
        seen.update(line.split()[1] for line in lines[1:] if not line.startswith("#"))
    actions = {"roll", "use", "pass", "build", "hire", "attack", "end", "keep", "discard", "discard_hand"}
    assert seen == actions | {"die", "lose", "draw"}
    assert shuffles > 0


# --- verify


def test_verify_names_line_and_reason() -> None:
    _, lines = random_record(3, num_players=2)
    first = next(i for i, line in enumerate(lines) if line.startswith("p0"))
    legal = first - 1
    before, after, listed, rest = lines[:legal], lines[first + 1 :], lines[legal], lines[first:]
    for number, changed, reason in [
        (1, ["honey_bears num_players=2", *lines[1:]], "begins with honey_wars"),
        (1, ["honey_wars num_players=7", *lines[1:]], "2 to 4"),
        (1, ["honey_wars pace=2", *lines[1:]], "unknown setting"),
        (1, ["honey_wars num_players=True", *lines[1:]], "integer"),
        (2, [lines[0], "* die 4", *lines[1:]], "not possible"),
        (2, [lines[0], "p0 end", *lines[1:]], r"\* is to act"),
        (3, [lines[0], *lines[1:2], "", *lines[2:]], "to act"),
        (first + 1, [*before, listed, "p0 build castle", *after], "not possible"),
        (first + 1, [*before, listed, "p1 end", *after], "p0 is to act"),
        (first + 1, [*before, listed + " | dance", *rest], r"listed wrongly \['dance'\]"),
        (first + 1, [*before, listed + " | end", *rest], r"listed wrongly \['end'\]"),
        (first + 1, [*before, "# legal: end", *rest], "not listed"),
        (first + 1, [*before, listed, listed, *rest], "right before an action"),
        (len(lines) + 1, [*lines, "p0 end"], "over already"),
        (len(lines) - 1, lines[:-1], "breaks off|but the game does not"),
    ]:
        with pytest.raises(Disagreement, match=rf"^line {number}: .*({reason})"):
            verify(changed)
    with pytest.raises(Disagreement, match="line 0"):
        verify([])


def test_verify_skips_other_comments_and_allows_a_stopped_record_on_request() -> None:
    lines = ["honey_wars", "# a comment", "* draw nosema"]
    assert verify(lines, must_be_finished=False).hands[0] == {"nosema": 1}


def test_verify_with_other_content() -> None:
    content = {**REFERENCE, "hives": {"small_hive": {"copies": 18, "cost": 5, "bonus": 1}}}
    lines = ["honey_wars content=cards.toml num_players=2", *["* draw small_hive"] * 8, "p0 build small_hive"]
    game = verify(lines, content, must_be_finished=False)
    assert board(game, 0) == ["small_hive"] * 2
    with pytest.raises(Disagreement, match=r"^line 1: 'content=cards.toml'"):
        verify(lines)
