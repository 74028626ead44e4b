"""The referee is tested before it judges: each rule by hand, then laws that hold in every random game."""

import random
from collections import Counter
from typing import Any

import pytest

from tests.outrun_the_bear.oracle import CAMP, REFERENCE, Oracle, Space, card, verify
from tests.referee import CHANCE, TERMINAL, Disagreement, IllegalEvent, size

PATH = ["." * 8] * 4
FLAT: dict[str, Any] = {
    **REFERENCE,
    "trails": dict.fromkeys(REFERENCE["trails"], PATH),
    "prints": {side: [] for side in REFERENCE["prints"]},
}
"""Nothing but paths, and no paw prints but those of the campsite and the parking lot."""


def mapped(**tiles: str) -> dict[str, Any]:
    """FLAT, with other tiles: `t1="~./#"` gives tile 1's rows, each of one terrain, from top to bottom."""
    sides = {f"{tile[1]}.{side}": [letter * 8 for letter in rows] for tile, rows in tiles.items() for side in "ab"}
    return {**FLAT, "trails": {**FLAT["trails"], **sides}}


def with_cards(**cards: Any) -> dict[str, Any]:
    return {**FLAT, "cards": {**REFERENCE["cards"], **cards}}


def started(content: dict[str, Any] | None = None, **settings: Any) -> Oracle:
    """A game at seat 0's action step: tiles 1.a, 2.a, 3.a; the first runners and cards in order."""
    game = Oracle(settings, content or FLAT)
    while not (game.to_act == 0 and "pass" in game.legal()):
        game.apply(next(iter(game.chance() or game.legal())))
    return play(game, "pass")


def table(where: str, *hands: str, bear: int = 0, content: dict[str, Any] | None = None, **settings: Any) -> Oracle:
    """A game at seat 0's action step, rearranged; nothing is made or lost.

    `where`: for each seat its space. `hands`: of seat 0 and so on, cards apart by spaces; the rest is empty.
    """
    seats = where.split()
    game = started(content, num_players=len(seats), **settings)
    game.bear = bear
    for seat, text in enumerate(seats):
        put(game, seat, text)
        give(game, seat, hands[seat] if seat < len(hands) else "")
    game.check_conservation()
    return game


def put(game: Oracle, seat: int, text: str) -> None:
    column, _, row = text.removeprefix("c").partition("r")
    game.where[seat] = CAMP if text == "camp" else Space(int(column), int(row))


def give(game: Oracle, seat: int, hand: str) -> None:
    game.unseen += game.hands[seat]
    game.hands[seat] = Counter(hand.split())
    game.unseen.subtract(game.hands[seat])
    game.unseen += Counter()  # drops the keys at zero


def move_from_deck(game: Oracle, pile: list[str], cards: str) -> None:
    """Put cards of the unseen deck on a pile in this order."""
    pile += cards.split()
    game.unseen.subtract(cards.split())
    game.unseen += Counter()


def equip(game: Oracle, seat: int, name: str) -> None:
    game.equipment[seat] = name
    game.unseen[name] -= 1


def stack_deck(game: Oracle, cards: str) -> None:
    """Let the deck be exactly these cards, in an order that all know."""
    move_from_deck(game, game.under, cards)
    game.removed += game.unseen
    game.unseen = Counter()


def play(game: Oracle, *texts: str) -> Oracle:
    for text in texts:
        game.apply(text)
    return game


def draw_any(game: Oracle, verb: str = "draw") -> Oracle:
    """Draw, for as long as that is due, what cannot be played as a reaction, nor moves the Bear."""
    while game.to_act == CHANCE and all(text.startswith(verb) for text in game.chance()):
        quiet = [text for text in game.chance() if text.split()[1] in {"hiking_boots", "trekking_poles", "backpack"}]
        game.apply(quiet[0] if quiet else next(iter(game.chance())))
    return game


def idle(game: Oracle) -> Oracle:
    """From an action step: stand still and draw."""
    return draw_any(play(game, "crawl", "stop"))


def options(game: Oracle, verb: str) -> str:
    """What follows the verb in the legal actions that begin with it."""
    return " ".join(text.removeprefix(verb).strip() for text in game.legal() if text.split()[0] == verb)


def returns(game: Oracle) -> list[int]:
    return [int(value) for value in game.returns()]


def places(game: Oracle) -> str:
    return " ".join(game.where[seat].text() for seat in sorted(game.where))


# --- The park, set-up, rounds


def test_columns_ob_b1() -> None:
    game = started()
    assert (game._lot_column(), game._last_column()) == (39, 39)
    game = started(coop=True, trail_tiles=1)
    assert game._lot_column() == 23
    assert started(last_one_standing=True)._last_column() == 39


@pytest.mark.parametrize(
    ("space", "near"),
    [
        (Space(10, 1), "c11r0 c11r1 c10r0 c10r2 c9r0 c9r1"),
        (Space(11, 1), "c12r1 c12r2 c11r0 c11r2 c10r1 c10r2"),
        (Space(10, 0), "c11r0 c10r1 c9r0"),
        (Space(11, 3), "c12r3 c11r2 c10r3"),
        (Space(8, 2), "c9r1 c9r2 c8r1 c8r3 camp"),
        (CAMP, "c8r0 c8r1 c8r2 c8r3"),
        (Space(38, 0), "lot c38r1 c37r0"),
    ],
)
def test_touching_ob_b2(space: Space, near: str) -> None:
    assert [other.text() for other in started()._beside(space)] == near.split()


def test_park_ob_b4() -> None:
    game = Oracle(content=REFERENCE)
    assert game.chance() == dict.fromkeys([f"trail {n}.{s}" for n in range(1, 5) for s in "ab"], 1)
    play(game, "trail 2.b")
    assert list(game.chance()) == [f"trail {n}.{s}" for n in (1, 3, 4) for s in "ab"]
    play(game, "trail 3.b", "trail 1.b")
    assert game.tiles == ["2.b", "3.b", "1.b"]
    assert "draw alert" in game.chance()
    assert game._prints() == [0, 1, 9, 18, 21, 26, 30, 32]


@pytest.mark.parametrize(
    ("difficulty", "prints"), [("first", [0, 32]), ("normal", [0, 1, 32]), ("hard", [0, 1, 32, 33])]
)
def test_difficulty_ob_b4_x5(difficulty: str, prints: list[int]) -> None:
    assert started(difficulty=difficulty)._prints() == prints


def test_reference_content_has_the_printed_counts() -> None:
    assert sum(entry["copies"] for entry in REFERENCE["cards"].values()) == 74
    assert len(REFERENCE["runners"]) == 8
    assert all(len(rows) == 4 and {len(row) for row in rows} == {8} for rows in REFERENCE["trails"].values())
    assert REFERENCE["trails"]["2.b"] == ["..R...#.", ".#.#.#..", "./.~../.", "..~./.~."]
    assert Counter("".join(map("".join, REFERENCE["trails"].values()))).keys() == set(".~/#R")


def test_set_up_ob_s1() -> None:
    game = Oracle({"num_players": 3, "park_pass": True, "equipment_for_all": True})
    play(game, "trail 1.a", "trail 2.a", "trail 3.a")
    assert game.to_act == 2  # reverse seat order
    assert options(game, "runner").split() == list(REFERENCE["runners"])
    play(game, "runner scout")
    assert game.to_act == 1
    assert "runner scout" not in game.legal()
    play(game, "runner anchor", "runner packer")
    assert game.runners == ["packer", "anchor", "scout"]
    gear = {"backpack": 3, "bear_spray": 2, "headband": 2, "hiking_boots": 3, "trekking_poles": 2}
    assert {text.split()[1]: n for text, n in game.chance().items()} == gear  # OB-X3
    play(game, "gear backpack")
    assert game.chance()["gear backpack"] == 2
    play(game, "gear backpack", "gear headband")
    assert game.equipment == ["backpack", "backpack", "headband"]
    assert game.chance()["draw backpack"] == 1
    for seat, cards in ((0, 2), (1, 2), (2, 4)):  # the scout's in its own turn
        for _ in range(cards):
            assert game.witnesses == {seat}
            play(game, "draw startle" if game.unseen["startle"] else "draw shove")
    assert [size(hand) for hand in game.hands] == [2, 2, 4]
    assert game.to_act == 0
    assert places(game) == "camp camp camp"


def test_rounds_ob_r1() -> None:
    """The token starts with the last seat and passes to the right; its holder is last in the round."""
    game = table("c20r0 c20r1 c20r2")
    seen = []
    for _ in range(9):
        seen.append(game.to_act)
        draw_any(idle(game), "reveal")
    assert seen == [0, 1, 2, 2, 0, 1, 1, 2, 0]
    assert (game.token, game.rounds_ended) == (2, 3)


def test_token_s_holder_is_out_ob_r2() -> None:
    game = idle(idle(idle(table("c20r0 c20r1 c20r2 c38r3"))))
    play(game, "crawl", "step lot")  # the holder escapes: the round ends after it
    draw_any(game, "reveal")
    assert (game.token, game.rounds_ended) == (2, 1)
    assert game.to_act == 0  # 3 is out
    game = idle(idle(table("c20r0 c20r1 c38r2 c20r3")))
    del game.where[3]
    game.caught.add(3)
    play(game, "crawl", "step lot")  # the last one running before the holder, who is out
    draw_any(game, "reveal")
    assert (game.token, game.rounds_ended) == (1, 1)  # to the next still running: not 2
    assert game.to_act == 0


# --- A player's turn


def test_rest_ob_t1() -> None:
    game = table("c9r0 c10r1", "", "bear_spray shove", content=mapped(t1="..RR"))
    put(game, 1, "c10r2")
    idle(game)
    assert game.legal() == ["equip bear_spray", "swap bear_spray", "swap shove", "pass"]
    play(game, "equip bear_spray")
    assert game.equipment[1] == "bear_spray"
    assert "crawl" in game.legal()
    game = idle(table("c9r0 camp", "", "bear_spray shove"))
    play(game, "swap shove")
    assert game.discard == ["shove"]
    assert game.witnesses == {1}
    play(game, "draw trip")
    assert game.hands[1] == {"bear_spray": 1, "trip": 1}
    assert "crawl" in game.legal()
    game = idle(table("c9r0 camp"))
    assert "crawl" in game.legal()  # nothing in hand: not asked


def test_a_path_has_no_effect_ob_t1() -> None:
    game = idle(table("c9r0 c10r1", "", "shove"))
    assert "crawl" in game.legal()
    assert game.where[1] == Space(10, 1)


def test_river_ob_t1_m5() -> None:
    game = table("c9r0 c10r1", content=mapped(t1="~~~~"))
    idle(game)
    assert game.legal() == ["step c11r0", "step c11r1"]
    play(game, "step c11r1")
    assert "crawl" in game.legal()  # the river entered has no effect this turn
    game = idle(table("c9r0 c10r0", content=mapped(t1="~~~~")))
    assert game.where[1] == Space(11, 0)  # a single space: automatic
    game = idle(table("c9r0 c15r3", content=mapped(t1="~~~~", t2="####")))
    assert game.where[1] == Space(16, 3)
    assert game.can_sprint  # only one terrain a turn


def test_river_passes_ob_m2_m3() -> None:
    game = idle(table("c11r0 c10r0 c20r0", content=mapped(t1="~~~~")))
    assert game.legal() == ["step c12r0", "step c12r1"]  # automatic into the only space, and on beyond it
    game = idle(table("c9r0 c10r1 c11r0", content=mapped(t1="~~~~")))
    assert game.legal() == ["step c11r0", "step c11r1"]  # an occupied space may be chosen beside a free one
    play(game, "step c11r0")
    assert game.legal() == ["step c12r0", "step c12r1"]


def test_slope_wholly_blocked_ob_m3() -> None:
    """By a runner, with the Bear's line behind it."""
    game = idle(table("c15r0 c16r0", content=mapped(t2="/..."), bear=14))
    assert game.where[1] == Space(16, 0)
    assert "crawl" in game.legal()


def test_slope_ob_t1_m5() -> None:
    """Over slopes and runners, until a free space that is no slope."""
    slope = mapped(t2="/...")
    game = idle(table("c30r0 c17r0", content=slope))
    assert game.legal() == ["step c16r0", "step c16r1"]
    play(game, "step c16r0")  # a slope too: on to the only space behind it
    assert game.where[1] == Space(15, 0)
    assert "crawl" in game.legal()
    game = play(idle(table("c30r0 c17r0", content=slope)), "step c16r1")
    assert game.where[1] == Space(16, 1)
    game = idle(table("c15r0 c16r0 c30r0", content=slope))
    assert game.legal() == ["step c14r0", "step c14r1"]  # behind the runner
    assert idle(table("c30r0 c8r0", content=mapped(t1="////"))).where[1] == CAMP


def test_slope_ends_before_the_bear_ob_m3() -> None:
    slope = mapped(t2="/...")
    game = play(idle(table("c30r0 c17r0", content=slope, bear=15)), "step c16r0")
    assert game.where[1] == Space(16, 0)
    assert idle(table("c30r0 c16r0", content=slope, bear=15)).where[1] == Space(16, 0)


def test_bramble_ob_t1() -> None:
    four = "shove shove trip trip"
    game = idle(table("c30r0 c10r0", "", four, content=mapped(t1="####")))
    assert "sprint" not in game.legal()
    game = idle(table("c30r0 c18r0", "", four, content=mapped(t1="####")))
    assert "sprint" in game.legal()


def test_sure_footed() -> None:
    game = table("c30r0 c10r0", "", "shove shove trip trip", content=mapped(t1="####"))
    equip(game, 1, "trekking_poles")
    assert "sprint" in idle(game).legal()
    game = table("c30r0 c10r0", content=mapped(t1="////"))
    equip(game, 1, "trekking_poles")
    assert idle(game).where[1] == Space(10, 0)


def test_actions_ob_t2() -> None:
    game = table("c10r0 c20r0", "trip alert backpack shove")
    assert game.legal() == ["crawl", "sprint", "play trip", "equip backpack"]  # nobody to shove
    give(game, 0, "trip alert backpack")
    assert "sprint" not in game.legal()
    give(game, 0, "")
    assert game.legal() == ["crawl"]
    give(game, 0, "backpack")
    equip(game, 0, "headband")
    play(game, "equip backpack")
    assert game.equipment[0] == "backpack"
    assert game.discard == ["headband"]  # OB-T4
    assert game.to_act == CHANCE


def test_crawl_ob_t2_m1() -> None:
    game = play(table("c10r1 c20r0"), "crawl")
    assert game.legal() == [
        *(f"step {space}" for space in ("c11r0", "c11r1", "c10r0", "c10r2", "c9r0", "c9r1")),
        "stop",
    ]
    play(game, "step c9r0")
    assert "stop" in game.legal()
    play(game, "step c10r0")
    assert game.chance() == {f"draw {name}": n for name, n in game.unseen.items()}
    game = play(table("c10r1 c20r0"), "crawl", "stop")
    assert game.to_act == CHANCE


def test_sprint_ob_t2() -> None:
    game = play(table("c10r1 c20r0", "shove trip alert alert no_way"), "sprint")
    assert game.legal() == ["discard alert", "discard no_way", "discard shove", "discard trip"]
    play(game, "discard trip", "discard alert", "discard alert", "discard shove")
    assert game.discard == ["trip", "alert", "alert", "shove"]
    assert game.hands[0] == {"no_way": 1}
    play(game, "step c11r1", "step c12r1", "step c13r1", "step c14r1")
    assert game.to_act == 0
    play(game, "step c15r1")
    assert game.chance()
    game = play(table("c10r1 c20r0", "alert alert alert alert"), "sprint", *["discard alert"] * 3)
    assert game.legal() == ["discard alert"]


def test_equipment_for_movement_and_draws() -> None:
    game = table("c10r1 c20r0")
    equip(game, 0, "hiking_boots")
    play(game, "crawl", "step c11r1", "step c12r1", "step c13r1")
    assert game.to_act == CHANCE
    game = table("c10r1 c20r0", "alert alert alert")
    equip(game, 0, "headband")
    play(game, "sprint", *["discard alert"] * 3)
    assert "stop" in game.legal()
    game = table("c10r1 c20r0")
    equip(game, 0, "backpack")
    assert size(idle(game).hands[0]) == 3


def test_hand_limit_ob_t3() -> None:
    game = table("c10r1 c20r0", "alert alert alert alert no_way no_way")
    play(game, "crawl", "stop")
    assert game.witnesses == {0}
    play(game, "draw trip")
    assert game.witnesses == {0, 1}
    play(game, "draw shove")
    assert size(game.hands[0]) == 7
    assert game.discard == ["shove"]


def test_known_cards_are_drawn_without_a_line_ob_e4() -> None:
    game = table("c10r1 c20r0")
    stack_deck(game, "shove trip alert")
    play(game, "crawl", "stop")
    assert game.hands[0] == {"shove": 1, "trip": 1}
    play(game, "crawl", "stop")
    assert game.hands[1] == {"alert": 1}  # then the deck is empty
    assert game.rounds_ended == 1


# --- Movement


def test_passing_ob_m2() -> None:
    game = play(table("c10r1 c11r1 c20r0"), "crawl", "step c11r1")
    assert "stop" not in game.legal()
    assert options(game, "step") == "c12r1 c12r2 c11r0 c11r2 c10r1 c10r2"  # also where it came from
    play(game, "step c12r1")
    assert "stop" in game.legal()
    assert "step c11r1" not in game.legal()  # nobody is passed twice
    play(game, "step c13r1")
    assert game.to_act == CHANCE


def test_no_way_on_ob_m2() -> None:
    """A backward movement cannot come back to where it came from; one's own can."""
    game = play(table("c9r0 c10r0", "trip", bear=8), "play trip", "target p1")
    assert game.where[1] == Space(10, 0)
    game = table("c10r0 c9r0", bear=8)
    assert options(play(game, "crawl"), "step") == "c11r0 c10r1 c9r0"
    assert options(play(game, "step c9r0"), "step") == "c10r0 c10r1 c9r1"


def test_the_camp_is_never_occupied_ob_m2() -> None:
    game = play(table("c8r0 camp camp", "", "slipstream"), "crawl", "step camp")
    assert options(game, "step") == "c8r0 c8r1 c8r2 c8r3"
    assert "stop" in game.legal()
    play(game, "step c8r3")
    assert game.to_act == CHANCE


def test_the_bear_s_line_ob_m3() -> None:
    game = play(table("c10r1 c20r0", bear=9), "crawl")
    assert options(game, "step") == "c11r0 c11r1 c10r0 c10r2"


def test_stop_may_be_the_only_option_ob_m1() -> None:
    game = play(table("c10r0 c11r0 c10r1", bear=9), "crawl", "step c11r0", "step c10r1", "step c10r0")
    assert game.legal() == ["stop"]


def test_escape_ob_m4_v4() -> None:
    game = table("c38r0 c20r0 c20r1", "shove trip")
    equip(game, 0, "backpack")
    play(game, "crawl", "step lot")
    assert game.escaped == {0}
    assert returns(game) == [1, 0, 0]
    assert game.removed == {"shove": 1, "trip": 1, "backpack": 1}
    assert game.to_act == 1  # OB-T6: no draw step


# --- The Bear's turn


def last_turn(game: Oracle, *discards: str) -> Oracle:
    """Let the others' turns pass until the Bear's turn begins, with these discards."""
    move_from_deck(game, game.discard, " ".join(discards))
    for _ in range(game.num_players):
        idle(game)
    return game


def test_prints_behind_the_leader_ob_e1_e2() -> None:
    game = table("c33r0 c20r0")
    last_turn(game, "delicious_ham", "bear_spray")
    assert all(text.startswith("reveal") for text in game.chance())  # prints in 0, 1, 32
    assert game.taken == ["delicious_ham", "bear_spray"]
    assert game.witnesses == {0, 1}
    play(game, "reveal no_way")
    assert game.bear == 2
    assert game.under == ["delicious_ham", "bear_spray", "no_way"]
    game = last_turn(table("c32r0 c20r0"), "no_way", "no_way", "switcheroo")  # not the one beside the leader
    assert game.bear == 4
    assert game.under == ["no_way", "no_way", "switcheroo"]


def test_an_escaped_runner_leads_ob_e1() -> None:
    game = table("c38r0 c20r0 c20r1")
    play(game, "crawl", "step lot")
    move_from_deck(game, game.discard, "shove shove shove shove")
    idle(idle(game))
    assert game.bear == 3


def test_order_under_the_deck_ob_e4() -> None:
    game = table("c9r0 c20r0", "adrenaline", bear=7)
    move_from_deck(game, game.under, "trip")
    last_turn(game, "no_way", "bear_spray", "shove", "alert")
    assert game.legal() == ["react adrenaline", "pass"]
    play(game, "react adrenaline", "step c10r0", "stop")
    assert game.bear == 9
    assert game.under == ["trip", "no_way", "bear_spray", "shove", "alert", "adrenaline"]


def test_an_empty_deck_gives_nothing_ob_e2_e4() -> None:
    game = table("c20r0 c20r1")
    stack_deck(game, "")
    last_turn(game)
    assert (game.bear, game.rounds_ended) == (0, 1)


def test_known_cards_drive_the_bear_without_a_line_ob_e2() -> None:
    game = table("c20r0 c20r1")
    stack_deck(game, "alert alert no_way no_way switcheroo trip")
    last_turn(game)
    assert game.bear == 3 + 2
    assert game.under == ["switcheroo", "trip"]


def test_all_runners_in_the_column_are_caught_ob_e3_e5() -> None:
    game = table("c10r0 c10r1 c11r1 c20r0", "alert", "trip", bear=8)
    equip(game, 0, "headband")
    last_turn(game, "switcheroo", "switcheroo", "switcheroo")
    assert game.caught == {0, 1}
    assert game.bear == 10  # 7 more would reach the others
    assert returns(game) == [-1, -1, 0, 0]
    assert game.removed["alert"] == game.removed["trip"] == game.removed["headband"] == 1
    assert game.to_act == 3  # after the token's new holder, 2


def test_dash_ob_a3() -> None:
    game = table("c10r0 c10r1 c20r1", "adrenaline", "adrenaline adrenaline", bear=8)
    move_from_deck(game, game.discard, "switcheroo no_way")
    for _ in range(3):
        play(game, "crawl", "stop")
        draw_any(game)
    assert game.to_act == 0
    play(game, "react adrenaline")
    assert game.legal() == ["step c11r0"]  # at least 1, forward only
    play(game, "step c11r0")
    assert game.legal() == ["step c12r0", "step c12r1", "stop"]
    play(game, "step c12r1")
    assert game.to_act == 1
    play(game, "react adrenaline", "step c11r1", "stop")
    assert game.to_act == 1  # the Bear goes on, and reaches the next column
    assert game.bear == 11
    play(game, "pass")
    assert game.caught == {1}
    assert (game.bear, places(game)) == (11, "c12r1 c20r1")


def test_dash_into_the_lot_ob_a3_m4() -> None:
    game = last_turn(table("c38r0 c38r1", "adrenaline", bear=37), "alert", "alert", "alert")
    play(game, "react adrenaline")
    assert game.legal() == ["step lot"]
    play(game, "step lot")
    assert (game.escaped, game.caught) == ({0}, {1})


def test_bear_spray() -> None:
    game = table("c10r0 c10r1 c20r0", "adrenaline", bear=7)
    equip(game, 0, "bear_spray")
    equip(game, 1, "bear_spray")
    last_turn(game, "switcheroo", "switcheroo")
    assert game.bear == 9
    assert game.equipment == [None, "bear_spray", None]
    assert game.under[:3] == ["switcheroo", "switcheroo", "bear_spray"]
    assert len(game.where) == 3


# --- End


def test_last_runner_survives_ob_v1_v2() -> None:
    game = table("c10r0 c11r1 c20r0", bear=9)
    game.caught.add(1)
    del game.where[1]
    move_from_deck(game, game.discard, "alert")
    idle(game)
    idle(game)
    draw_any(game, "reveal")
    assert game.to_act == TERMINAL
    assert returns(game) == [-1, -1, 1]
    assert not game.truncated


def test_all_caught_at_once_ob_v2() -> None:
    game = last_turn(table("c10r0 c10r1 c10r2", bear=9), "alert", "alert")
    assert game.to_act == TERMINAL
    assert returns(game) == [-1, -1, -1]


def test_two_players_ob_v1() -> None:
    """One caught: the other survives. One escaped: the other runs on."""
    game = last_turn(table("c10r0 c20r1", bear=9), "alert", "alert")
    assert (game.to_act, returns(game)) == (TERMINAL, [-1, 1])
    game = play(table("c38r0 c20r1", bear=9), "crawl", "step lot")
    assert (game.to_act, returns(game)) == (1, [1, 0])
    put(game, 1, "c38r0")
    play(game, "crawl", "step lot")
    assert (game.to_act, returns(game)) == (TERMINAL, [1, 1])


def test_truncation_ob_v3() -> None:
    game = table("c38r0 c20r1 c20r2", max_rounds=2)
    play(game, "crawl", "step lot")
    for _ in range(4):
        draw_any(idle(game), "reveal")
    assert game.to_act == TERMINAL
    assert game.truncated
    assert returns(game) == [1, 0, 0]


# --- Reactions


def test_who_is_asked_ob_a1_a2() -> None:
    """Clockwise from the actor; `cancel_on_me` is for the target only and does not end the asking."""
    hands = ("", "trip", "alert no_way", "alert no_way", "alert")
    game = table("c20r0 c22r0 c24r0 c26r0 c28r0", *hands)
    idle(game)
    play(game, "play trip")
    assert options(game, "target") == "p0 p2 p3 p4"
    play(game, "target p3")
    assert game.discard == ["trip"]  # OB-T5
    assert (game.to_act, game.legal()) == (2, ["react no_way", "pass"])
    assert (game.seen_by("pass"), game.seen_by("react no_way")) == ({2}, {0, 1, 2, 3, 4})
    play(game, "pass")
    assert (game.to_act, game.legal()) == (3, ["react alert", "react no_way", "pass"])
    play(game, "react alert")
    assert game.discard == ["trip", "alert"]
    assert game.to_act == 1  # nobody else holds a no_way
    assert "stop" in game.legal()  # the rest happens
    assert game.where[3] == Space(26, 0)


def test_cancel_card_ob_a2() -> None:
    hands = ("trip", "no_way", "alert no_way")
    game = play(table("c20r0 c22r0 c24r0", *hands), "play trip", "target p2", "react no_way")
    assert game.to_act == CHANCE  # stops the whole card, and the asking
    assert game.witnesses == {0}
    assert game.discard == ["trip", "no_way"]
    game = play(table("c20r0 c22r0 c24r0", "trip", "alert", "no_way"), "play trip", "target p1")
    play(game, "react alert")
    assert game.to_act == 2  # cancel_on_me does not end it
    play(game, "react no_way")
    assert game.chance()
    game = play(table("c20r0 c22r0", "burst_of_speed", "alert no_way"), "play burst_of_speed")
    assert (game.to_act, game.legal()) == (1, ["react no_way", "pass"])


def test_startle_moves_after_alert() -> None:
    game = play(table("c20r0 c24r0", "startle", "alert"), "play startle", "target p1", "react alert")
    play(game, "step c21r0", "step c22r0")
    assert (game.to_act, places(game)) == (CHANCE, "c22r0 c24r0")


def test_alert_against_an_empty_effect_ob_a2() -> None:
    game = play(table("c20r0 camp", "trip", "alert"), "play trip", "target p1")
    assert (game.to_act, game.legal()) == (1, ["react alert", "pass"])


def test_slipstream_ob_a4() -> None:
    """Seat order, at the end of the movement and before the rest of the card."""
    hands = ("trip", "slipstream", "slipstream")
    game = play(table("c20r0 c21r0 c22r1", *hands), "play trip", "target p2")
    play(game, "step c21r0")  # the actor moves 2 over 1
    assert (game.to_act, game.legal()) == (0, ["step c20r0", "step c20r1"])  # one step counts none
    play(game, "step c20r0")
    assert game.to_act == 0


def test_slipstream_orders_ob_a4() -> None:
    content = with_cards(trip=card("action", 5, 2, target_back=1, self_move=1))
    hands = ("trip slipstream", "slipstream")
    game = table("c21r0 c20r0 c22r0", *hands, content=content)
    play(game, "play trip", "target p2")
    assert game.legal() == ["step c20r0", "step c20r1"]  # over the actor, automatic
    play(game, "step c20r0")  # occupied: on to the single space behind
    assert game.where[2] == Space(19, 0)
    assert (game.to_act, game.legal()) == (0, ["react slipstream", "pass"])
    play(game, "react slipstream")
    assert game.witnesses == {0}
    draw_any(game)
    assert (game.to_act, game.legal()) == (1, ["react slipstream", "pass"])
    play(game, "react slipstream")
    draw_any(game)
    assert size(game.hands[0]) == size(game.hands[1]) == 2
    assert game.discard == ["trip", "slipstream", "slipstream"]
    assert game.to_act == 0
    assert "stop" in game.legal()


def test_slipstream_after_an_escape_ob_a4() -> None:
    game = play(table("c37r0 c38r0 c20r0", "", "slipstream"), "crawl", "step c38r0")
    assert options(game, "step") == "lot c38r1 c37r0"
    play(game, "step lot")
    assert (game.to_act, game.legal()) == (1, ["react slipstream", "pass"])
    play(game, "react slipstream", "draw alert", "draw alert")
    assert game.to_act == 1
    assert "crawl" in game.legal()


def test_slipstream_during_an_advance_ob_a4() -> None:
    game = last_turn(table("c10r0 c11r0 c20r0", "adrenaline", "slipstream", bear=9), "alert", "alert")
    play(game, "react adrenaline", "step c11r0", "step c12r0", "stop")
    assert (game.to_act, game.legal()) == (1, ["react slipstream", "pass"])
    play(game, "react slipstream", "draw alert", "draw alert")
    assert (game.bear, game.caught) == (11, {1})


# --- Effects


def test_target_back() -> None:
    """The actor chooses; a space occupied or free; the Bear's line; the campsite is the end of the way."""
    game = play(table("c20r0 c24r1 c23r1", "startle"), "play startle", "target p1")
    assert (game.to_act, game.legal()) == (0, ["step c23r0", "step c23r1"])
    play(game, "step c23r1")
    assert game.legal() == ["step c22r1", "step c22r2"]
    play(game, "step c22r1", "step c21r0", "step c20r1")  # three that count
    assert game.where[1] == Space(20, 1)
    assert "stop" in game.legal()
    game = play(table("c20r0 c10r0", "startle", bear=7), "play startle", "target p1")
    assert game.legal() == ["step c8r0", "step c8r1"]  # c9r0 was the only space
    play(game, "step c8r1")
    assert game.where[1] == Space(8, 1)
    assert "stop" in game.legal()
    game = play(table("c20r0 c8r0", "startle"), "play startle", "target p1")
    assert game.where[1] == CAMP


def test_target_move() -> None:
    game = table("c20r0 c21r0 c24r0", "shove")
    assert options(game, "play") == "shove"
    play(game, "play shove")
    assert options(game, "target") == "p1"
    play(game, "target p1")
    assert game.to_act == 0
    assert options(game, "step") == "c22r0 c22r1 c21r1 c20r0 c20r1"
    assert "stop" not in game.legal()  # at least 1
    play(game, "step c21r1")
    assert "stop" in game.legal()
    play(game, "stop")
    assert game.where[1] == Space(21, 1)
    assert "stop" in game.legal()  # the actor's own move
    assert table("camp camp", "shove").legal() == ["crawl"]  # OB-B2
    assert options(table("camp c8r3", "shove"), "play") == "shove"


def test_target_move_into_the_lot() -> None:
    game = play(table("c37r0 c38r0", "shove"), "play shove", "target p1", "step lot")
    assert game.escaped == {1}
    assert game.to_act == 0
    assert "stop" in game.legal()


def test_swap_places() -> None:
    game = play(table("camp c24r0 c20r0", "switcheroo", "slipstream"), "play switcheroo")
    assert options(game, "target") == "p1 p2"
    play(game, "target p1")
    assert places(game) == "c24r0 camp c20r0"
    assert game.to_act == CHANCE
    game = play(table("camp c24r0", "switcheroo", "alert"), "play switcheroo", "target p1", "react alert")
    assert places(game) == "camp c24r0"


def test_steal() -> None:
    content = with_cards(pickpocket=card("action", 4, 1, steal=2, self_move=2))
    game = play(table("c10r0 c20r0", "pickpocket", "trip trip shove", content=content), "play pickpocket")
    play(game, "target p1")
    assert game.chance() == {"steal trip": 2, "steal shove": 1}
    assert game.witnesses == {0, 1}
    play(game, "steal trip", "steal shove")
    assert game.hands[:2] == [{"trip": 1, "shove": 1}, {"trip": 1}]
    assert "stop" in game.legal()
    game = play(table("c10r0 c20r0", "pickpocket", "trip", content=content), "play pickpocket", "target p1")
    play(game, "steal trip")
    assert game.to_act == 0
    game = play(table("c10r0 c20r0", "pickpocket", content=content), "play pickpocket", "target p1")
    assert "stop" in game.legal()  # from an empty hand there is no chance event
    full = "pickpocket alert alert alert alert no_way no_way no_way"
    game = play(table("c10r0 c20r0 c20r1", full, "trip", content=content), "play pickpocket", "target p1")
    assert game.witnesses == {0, 1, 2}
    play(game, "steal trip")
    assert game.discard == ["pickpocket", "trip"]


def test_discard_half() -> None:
    game = play(table("c10r0 c20r0", "spilled_pack", "trip shove shove alert trip"), "play spilled_pack")
    play(game, "target p1", "pass")
    assert (game.to_act, game.legal()) == (1, ["discard alert", "discard shove", "discard trip"])
    play(game, "discard shove", "discard alert")
    assert game.discard == ["spilled_pack", "shove", "alert"]
    assert game.to_act == 0
    game = play(table("c10r0 c20r0", "spilled_pack", "trip"), "play spilled_pack", "target p1")
    assert game.to_act == 0


def test_draw() -> None:
    game = play(table("c10r0 c20r0", "trail_mix"), "play trail_mix", "draw alert", "draw alert")
    assert "stop" in game.legal()


def test_bear_skip() -> None:
    """Its next turn only, however often; its discards still go under the deck."""
    game = play(table("c20r0 c20r1", "delicious_ham", "delicious_ham"), "play delicious_ham")
    draw_any(game)
    play(game, "play delicious_ham")
    draw_any(game)
    assert (game.bear, game.bear_skips) == (0, False)
    assert game.under == ["delicious_ham"] * 2
    move_from_deck(game, game.discard, "switcheroo switcheroo")
    assert idle(idle(game)).bear == 6


def test_bear_advance() -> None:
    content = with_cards(bear_call=card("action", 2, 3, bear_advance=3, draw=2))
    game = play(table("c10r0 c11r0 c20r0", "bear_call", "adrenaline", bear=7, content=content), "play bear_call")
    assert game.caught == {0}  # OB-T6: no more effects, no draw step
    assert (game.bear, game.to_act) == (10, 1)
    game = play(table("c12r0 c10r0 c20r0", "bear_call", bear=8, content=content), "play bear_call")
    assert (game.caught, game.bear) == ({1}, 10)
    assert game.witnesses == {0}
    draw_any(game)
    assert game.to_act == 2  # 1 is out
    game = play(table("c12r0 c20r0", "bear_call", bear=8, content=content), "play bear_call")
    assert (game.bear, game.to_act) == (11, CHANCE)


# --- Variants


def runner(game: Oracle, seat: int, name: str) -> None:
    game.runners[seat] = name


def test_park_passes_ob_x1() -> None:
    game = table("c10r0 c20r0", "alert alert alert alert")
    runner(game, 0, "sprinter")
    play(game, "sprint", *["discard alert"] * 4, *(f"step c{column}r0" for column in range(11, 16)))
    assert game.to_act == 0
    game = table("c10r0 c20r0")
    runner(game, 0, "hiker")
    equip(game, 0, "hiking_boots")
    play(game, "crawl", "step c11r0", "step c12r0", "step c13r0")
    assert game.to_act == 0
    game = table("c30r0 c10r0", content=mapped(t1="////"))
    runner(game, 1, "ranger")
    assert idle(game).where[1] == Space(10, 0)
    game = table("c10r0 c20r0", "alert alert alert alert no_way no_way no_way")
    runner(game, 0, "packer")
    idle(game)
    assert (size(game.hands[0]), game.discard) == (9, [])
    game = table("c9r0 camp", "", "trip")
    runner(game, 1, "camper")
    play(idle(game), "swap trip", "draw alert", "draw alert")
    assert (game.to_act, game.hands[1]) == (1, {"alert": 2})


def test_kayaker_ob_x1() -> None:
    game = table("c30r0 c10r0", content=mapped(t1="~~~~"))
    runner(game, 1, "kayaker")
    idle(game)
    assert (game.where[1], game.legal()) == (Space(11, 0), ["step c12r0", "step c12r1"])
    play(game, "step c12r1")
    assert "crawl" in game.legal()


def test_anchor_ob_x1() -> None:
    game = table("c10r0 c20r0", "trip")
    runner(game, 1, "anchor")
    play(game, "play trip", "target p1")
    while "stop" not in game.legal():
        game.apply(game.legal()[0])
    assert game.where[1].column == 18


def test_coop_ob_x2() -> None:
    game = play(table("c38r0 c38r1 c20r0", coop=True), "crawl", "step lot")
    assert returns(game) == [0, 0, 0]
    play(game, "crawl", "step lot")
    put(game, 2, "c38r0")
    play(game, "crawl", "step lot")
    assert (game.to_act, returns(game)) == (TERMINAL, [1, 1, 1])
    game = play(table("c38r0 c12r1 c20r0", coop=True, bear=11), "crawl", "step lot")
    move_from_deck(game, game.discard, "switcheroo switcheroo switcheroo")
    idle(idle(game))
    assert (game.to_act, returns(game)) == (TERMINAL, [-1, -1, -1])


def test_ham_leaves_a_coop_game_ob_x2() -> None:
    game = play(table("c20r0 c20r1", "delicious_ham", "no_way", coop=True), "play delicious_ham", "react no_way")
    assert game.removed == {"delicious_ham": 1}
    assert game.discard == ["no_way"]
    assert not game.bear_skips


def test_coop_truncation_ob_v3() -> None:
    game = play(table("c38r0 c20r1", coop=True, max_rounds=1), "crawl", "step lot")
    draw_any(idle(game), "reveal")
    assert (game.to_act, game.truncated, returns(game)) == (TERMINAL, True, [0, 0])


def test_shift_ob_x4() -> None:
    """At the end of a movement in the last column; the tile comes back flipped at the end."""
    game = table("c38r0 c16r1 c15r3 camp", last_one_standing=True, bear=5)
    play(game, "crawl", "step c39r0")
    assert game.tiles == ["1.a", "2.a", "3.a", "4.a"]
    play(game, "stop")
    assert game.tiles == ["2.a", "3.a", "4.a", "1.b"]
    assert places(game) == "c31r0 c8r1 camp camp"
    assert game.bear == 0
    game = table("c38r0 c30r1", last_one_standing=True, bear=20)
    play(game, "crawl", "step c39r0", "step c38r0")  # did not end there
    assert game.tiles[0] == "1.a"
    assert game._prints() == [0, 1]


def test_shift_before_slipstream_and_during_an_advance_ob_x4() -> None:
    hands = ("adrenaline", "slipstream", "adrenaline")
    game = table("c37r0 c38r0 c37r1", *hands, bear=36, last_one_standing=True)
    last_turn(game, "trip", "alert")
    play(game, "react adrenaline", "step c38r0", "step c39r0")
    assert game.legal() == ["stop"]  # OB-M1: a step is left, but there is nowhere to go
    play(game, "stop")
    assert (game.to_act, game.legal()) == (1, ["react slipstream", "pass"])
    assert (places(game), game.bear) == ("c31r0 c30r0 c29r1", 29)
    play(game, "pass")
    assert game.to_act == 2  # still in the Bear's column
    play(game, "react adrenaline", "step c30r1", "step c31r1")
    assert (game.caught, game.bear) == ({1}, 30)  # the advance goes on


def test_bad_settings() -> None:
    bad: list[tuple[dict[str, Any], str]] = [
        ({"num_players": 1}, "from 2"),
        ({"num_players": 7}, "2 to 6"),
        ({"difficulty": "easy"}, "one of first, normal, hard"),
        ({"trail_tiles": 4}, "for coop"),
        ({"trail_tiles": 5, "coop": True}, "there are 4"),
        ({"last_one_standing": True, "coop": True}, "exclude each other"),
        ({"last_one_standing": True, "trail_tiles": 4}, "for coop"),
        ({"park_pass": 1}, "True or False"),
        ({"max_rounds": 0}, "from 1"),
        ({"speed": 1}, "unknown setting"),
    ]
    for settings, reason in bad:
        with pytest.raises(ValueError, match=reason):
            Oracle(settings)


# --- Whole games


VARIANTS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 4, "difficulty": "hard", "park_pass": True},
    {"num_players": 6, "equipment_for_all": True},
    {"num_players": 3, "coop": True, "trail_tiles": 1, "difficulty": "first"},
    {"num_players": 5, "last_one_standing": True, "park_pass": True, "max_rounds": 12},
]


def chosen(game: Oracle, rng: random.Random) -> str:
    """At random, but mostly forward and with all means: games get to their ends."""
    actions = game.legal()

    def weight(text: str) -> float:
        verb = text.partition(" ")[0]
        if verb == "step":
            column = game.space(text).column
            return 9 if column > game.where[game.seat].column or text == "step lot" else 1
        return {"stop": 0.2, "pass": 0.3, "play": 3, "sprint": 6}.get(verb, 1)

    return rng.choices(actions, [weight(text) for text in actions])[0]


def random_record(seed: int, settings: dict[str, Any]) -> tuple[Oracle, list[str]]:
    """A random game, with the laws checked at every event, and its playthrough with the legal actions."""
    rng = random.Random(seed)
    game = Oracle(settings)
    lines = [" ".join(["outrun_the_bear", *(f"{key}={value}" for key, value in settings.items())])]
    while game.to_act != TERMINAL:
        outcomes, actions = game.chance(), game.legal()
        assert bool(outcomes) != bool(actions)
        assert len(set(actions)) == len(actions)
        if outcomes:
            assert min(outcomes.values()) > 0
            text = rng.choices(list(outcomes), list(outcomes.values()))[0]
            lines.append(f"* {text}")
        else:
            text = chosen(game, rng)
            lines += [f"# legal: {' | '.join(rng.sample(actions, len(actions)))}", f"p{game.to_act} {text}"]
        before = game.returns()
        game.apply(text)
        if not settings.get("coop"):  # OB-V4
            assert all(now == then for now, then in zip(game.returns(), before, strict=True) if then != 0)
    return game, lines


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_random_games_agree_with_their_own_record(settings: dict[str, Any]) -> None:
    for seed in range(6):
        game, lines = random_record(seed, settings)
        results = set(game.returns())
        if settings.get("coop"):
            assert results in ({1}, {-1}, {0})
        elif not game.truncated:
            assert results <= {1, -1}
            assert len(game.where) <= 1  # a survivor
        assert vars_of(verify(lines)) == vars_of(game)


def vars_of(game: Oracle) -> tuple[Any, ...]:
    piles = (game.hands, game.equipment, game.discard, game.taken, game.unseen, game.under, game.removed)
    return (*piles, game.where, game.escaped, game.caught, game.runners, game.tiles, game.bear, game.token, game.seat)


def test_random_games_reach_every_kind_of_event() -> None:
    seen: set[str] = set()
    for seed in range(25):
        _, lines = random_record(seed, VARIANTS[seed % 5])
        for line in lines[1:]:
            words = line.split()
            if not line.startswith("#"):
                seen.add(" ".join(words[1:3]) if words[1] in {"play", "equip", "react", "runner"} else words[1])
    by_kind = {"action": "play", "equipment": "equip", "reaction": "react"}
    cards = {f"{by_kind[entry['kind']]} {name}" for name, entry in REFERENCE["cards"].items()}
    runners = {f"runner {name}" for name in REFERENCE["runners"]}
    parts = {"swap", "pass", "step", "stop", "crawl", "sprint", "target", "discard"}
    assert seen == cards | runners | parts | {"trail", "gear", "draw", "steal", "reveal"}


def test_illegal_events_change_nothing() -> None:
    game = started()
    before = vars_of(game)
    for text in ["stop", "step c8r0", "pass", "crawl ", "", "draw alert", "target p1"]:
        with pytest.raises(IllegalEvent, match="possible: crawl"):
            game.apply(text)
    assert vars_of(game) == before


# --- verify


def test_verify_names_line_and_reason() -> None:
    _, lines = random_record(3, {"num_players": 2, "difficulty": "hard"})
    first = next(i for i, line in enumerate(lines) if line.startswith("p0"))
    legal = first - 1
    before, after, listed, rest = lines[:legal], lines[first + 1 :], lines[legal], lines[first:]
    for number, changed, reason in [
        (1, ["outrun_the_bee", *lines[1:]], "begins with outrun_the_bear"),
        (1, ["outrun_the_bear num_players=7", *lines[1:]], "2 to 6"),
        (1, ["outrun_the_bear difficulty=easy", *lines[1:]], "one of first"),
        (1, ["outrun_the_bear coop=yes", *lines[1:]], "True or False"),
        (2, [lines[0], "* trail 5.a", *lines[2:]], "not possible"),
        (2, [lines[0], "p0 crawl", *lines[1:]], r"\* is to act"),
        (first + 1, [*before, listed, "p0 step c9r9", *after], "not possible"),
        (first + 1, [*before, listed, "p1 crawl", *after], "p0 is to act"),
        (first + 1, [*before, listed + " | dance", *rest], r"listed wrongly \['dance'\]"),
        (len(lines) + 1, [*lines, "p0 crawl"], "over already"),
        (len(lines) - 1, lines[:-1], "breaks off|but the game does not"),
    ]:
        with pytest.raises(Disagreement, match=rf"^line {number}: .*({reason})"):
            verify(changed)


def test_verify_with_other_content_and_a_stopped_record() -> None:
    content = {**REFERENCE, "trails": {"9.a": PATH, "9.b": PATH}}
    lines = ["outrun_the_bear content=mine.toml coop=True trail_tiles=1", "# a comment", "* trail 9.b"]
    game = verify(lines, content, must_be_finished=False)
    assert game.tiles == ["9.b"]
    with pytest.raises(Disagreement, match=r"^line 1: 'content=mine.toml'"):
        verify(lines)
