"""The referee is tested before it judges: each rule by hand, then laws that hold in every random game."""

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.referee import CHANCE, TERMINAL, Disagreement, IllegalEvent, size
from tests.ursa_miner.oracle import REFERENCE, Bear, Oracle, Tile, card, verify

# In the outline for two or three players c9 to c14 lie in a row; c11 and c12 are the upper half of the core.
ROW = dict.fromkeys(range(9, 15), "h1/1")


def started(content: dict[str, Any] | None = None, **settings: int) -> Oracle:
    """A game at seat 0's first action: the first tile and card in the alphabet, seats placed from c0 on."""
    game = Oracle(settings, content)
    while not game.bears[-1]:
        game.apply(next(iter(game.chance() or game.legal())))
    return game


def table(
    stacks: dict[int, str],
    bears: list[list[int]],
    hand: str = "",
    honey: tuple[int, ...] = (0, 0),
    content: dict[str, Any] | None = None,
    **settings: int,
) -> Oracle:
    """A game at seat 0's first action, with the table rearranged; nothing is made or lost.

    `stacks`: for each cell of the mountain its tiles from the bottom to the top, a tile being a face or
    `?COLOUR`. `bears`: for each seat their cells. `hand`: seat 0's; the others' hands are empty.
    """
    game = started(content, num_players=len(bears), **settings)
    for stack in game.stacks:
        for tile in stack:
            if tile.face is not None:
                game.unseen_tiles[tile.colour][tile.face] += 1
        stack.clear()
    for cell, faces in stacks.items():
        game.stacks[cell].extend(new_tile(game, face) for face in faces.split())
    game.bears = [[Bear(cell) for cell in cells] for cells in bears]
    for seat in range(len(bears)):
        give(game, seat, hand if seat == 0 else "")
        game.spent[seat] = -honey[seat]
        game.honey[seat] = honey[seat]
    game.check_conservation()
    return game


def new_tile(game: Oracle, face: str) -> Tile:
    if face.startswith("?"):
        return Tile(face[1:])
    if face == "hh":
        game.hardened_left -= 1
        return Tile("hardened", face)
    for colour in ("brown", "gray", "black"):
        if game.unseen_tiles[colour][face] > 0:
            game.unseen_tiles[colour][face] -= 1
            game.unseen_tiles[colour] += Counter()  # drops the keys at zero
            return Tile(colour, face)
    raise AssertionError(f"no {face} left to rig with")


def give(game: Oracle, seat: int, hand: str) -> None:
    game.unseen_cards.update(game.hands[seat])
    game.hands[seat] = Counter(hand.split())
    game.unseen_cards.subtract(game.hands[seat])
    game.unseen_cards += Counter()


def play(game: Oracle, *texts: str) -> Oracle:
    for text in texts:
        game.apply(text)
    return game


def options(game: Oracle, verb: str) -> str:
    """What follows the verb in the legal actions that begin with it."""
    return " | ".join(text.removeprefix(verb).strip() for text in game.legal() if text.split()[0] == verb)


def end_turn(game: Oracle) -> None:
    """End the phase, hire nobody, draw whatever comes."""
    game.apply("end")
    if "skip" in game.legal():
        game.apply("skip")
    if game.to_act == CHANCE:
        game.apply(next(iter(game.chance())))


def faces(game: Oracle, cell: int) -> list[str | None]:
    return [tile.face for tile in game.stacks[cell]]


def cells(game: Oracle, seat: int) -> list[int]:
    return [bear.cell for bear in game.bears[seat]]


# --- The mountain, set-up


@pytest.mark.parametrize(
    ("num_players", "core", "heights", "colours"),
    [
        (2, [11, 12, 17, 18], (16, 10, 4), (30, 14, 4)),
        (3, [11, 12, 17, 18], (16, 10, 4), (30, 14, 4)),
        (4, [13, 14, 15, 20, 21, 22], (18, 12, 6), (36, 18, 6)),
    ],
)
def test_mountain_um_m1_m2(
    num_players: int, core: list[int], heights: tuple[int, ...], colours: tuple[int, ...]
) -> None:
    game = Oracle({"num_players": num_players})
    assert [c for c, stack in enumerate(game.stacks) if len(stack) == 3] == core
    assert tuple(sum(len(stack) == h for stack in game.stacks) for h in (1, 2, 3)) == heights
    tiles = [tile.colour for stack in game.stacks for tile in stack]
    assert tuple(tiles.count(colour) for colour in ("brown", "gray", "black")) == colours
    assert [tile.colour for tile in game.stacks[core[0]]] == ["black", "gray", "brown"]
    assert all(stack[-1].colour == "brown" for stack in game.stacks)


def test_neighbours_um_m2() -> None:
    game = Oracle()
    assert game.next_to[11] == [5, 6, 10, 12, 16, 17]
    assert game.next_to[9] == [4, 10, 15]
    assert Counter(map(len, game.next_to)) == {3: 6, 4: 10, 6: 14}  # a hexagon
    assert all(a in game.next_to[b] for a in range(30) for b in game.next_to[a])


def test_set_up_um_m3_s1_s2() -> None:
    game = Oracle({"num_players": 3})
    for cell in range(30):
        assert not game.hands[0]
        assert sum(game.chance().values()) == 36 - cell
        assert cell > 8 or game.chance()["tile h1/1"] == 16 - cell
        game.apply("tile h1/1" if cell < 8 else next(iter(game.chance())))
    assert faces(game, 11)[:2] == [None, None]
    for seat in range(3):
        assert sum(game.chance().values()) == 28 - seat  # also those that stay in the box
        game.apply("draw stampede" if seat < 2 else "draw cave_in")
        assert size(game.hands[seat]) == 1
    assert "stampede" not in game.unseen_cards
    assert game.deck_size == 18
    assert game.to_act == 0
    assert game.legal() == [f"place c{c}" for c in range(30)]
    play(game, "place c11")
    assert game.to_act == 1
    assert "place c11" not in game.legal()
    play(game, "place c12")
    assert options(game, "place").split(" | ") == [f"c{c}" for c in range(30) if c not in {11, 12}]
    play(game, "place c0")
    assert game.to_act == 0
    assert [cells(game, seat) for seat in range(3)] == [[11, 11], [12, 12], [0, 0]]


def test_reference_content_has_the_printed_counts() -> None:
    assert {colour: sum(pile.values()) for colour, pile in REFERENCE["tiles"].items()} == {
        "brown": 36,
        "gray": 18,
        "black": 6,
    }
    assert sum(entry["copies"] for entry in REFERENCE["cards"].values()) == 28


def test_defaults_and_bad_settings() -> None:
    assert Oracle().num_players == 2
    bad: list[tuple[str, int, str]] = [
        ("num_players", 1, "from 2"),
        ("num_players", 5, "2 to 4"),
        ("max_turns", 0, "from 1"),
        ("max_turns", True, "an integer"),
        ("sleepy_bears", 1, "True or False"),
        ("speed", 1, "unknown setting"),
    ]
    for key, value, reason in bad:
        with pytest.raises(ValueError, match=reason):
            Oracle({key: value})


def test_content_that_admits_no_game() -> None:
    for change, reason in [
        ({"deck_sizes": {2: 29}}, "too few for a deck of 29"),
        ({"tiles": {**REFERENCE["tiles"], "black": {"j5/5": 3}}}, "needs 4 black"),
        ({"cores": {2: []}}, "0 cells are too few"),
    ]:
        with pytest.raises(ValueError, match=reason):
            Oracle({}, {**REFERENCE, **change})


# --- Moving and mining


def test_moves_um_a1_a2_m4() -> None:
    """Onto any stack, whoever stands there, twice; not onto a cell whose last tile is gone."""
    game = table(ROW, [[10, 10], [11]])
    assert options(game, "move") == "b0 c9 | b0 c11"
    play(game, "move b0 c11", "move b0 c10")
    assert options(game, "move") == "b1 c9 | b1 c11"
    play(game, "move b1 c9", "move b1 c10")
    assert options(game, "move") == ""
    end_turn(game)
    end_turn(game)
    assert options(game, "move") == "b0 c9 | b0 c11"  # uses come back


def test_one_move_and_one_mining_in_any_order_um_a1() -> None:
    game = table({**ROW, 9: "h1/1 h1/1 h1/1", 4: "h1/1"}, [[10], [12]])
    play(game, "mine c9")
    assert options(game, "mine") == ""  # never mine twice
    assert options(game, "move") == "b0 c4 | b0 c9 | b0 c11"
    play(game, "move b0 c11")
    assert options(game, "move") == ""
    assert options(game, "mine") == ""
    game = table({**ROW, 9: "h1/1 h1/1 h1/1"}, [[11], [14]])
    play(game, "move b0 c10", "mine c9")
    assert game.legal() == ["end"]
    game = table({**ROW, 9: "h1/1 h1/1 h1/1"}, [[10], [12]])
    play(game, "move b0 c11", "move b0 c10")
    assert game.legal() == ["end"]  # two moves: no mining


def test_bears_interleave_um_a1() -> None:
    game = table({**ROW, 9: "h2/2 h1/1"}, [[11, 12], [14]])
    play(game, "move b0 c10", "move b1 c11", "mine c9", "move b1 c10")
    assert game.legal() == ["end"]
    assert game.honey[0] == 1


def test_who_can_mine_what_um_a3() -> None:
    """Not under bears, own or opposing; opponents do not count; from different stacks; exactly the number."""
    stacks = {**ROW, 11: "h1/1 h2/2", 10: "h1/1 h1/1", 12: "h1/1 h1/1", 5: "h1/1", 6: "h1/1"}
    game = table(stacks, [[10], [12, 12]])
    assert options(game, "mine") == "c5 | c9"  # c11 needs two of one's own
    game = table(stacks, [[10, 12], [5]])
    assert options(game, "mine") == "c6 | c9 | c11"  # c13 would split
    play(game, "mine c11")  # both needed: not asked
    assert game.to_act == 0
    assert [bear.mined for bear in game.bears[0]] == [True, True]
    assert game.honey[0] == 2
    assert options(game, "mine") == ""


def test_a_mined_tile_pays_and_uncovers_um_a5_m3() -> None:
    game = table({**ROW, 9: "?black ?gray j1/2"}, [[10, 10], [13, 13]])
    play(game, "mine c9")
    assert (game.honey[0], game.jelly[0]) == (0, 1)
    assert game.chance() == {"tile h2/2": 5, "tile h3/3": 4, "tile j2/3": 6, "tile j3/4": 3}
    play(game, "tile j3/4")
    assert faces(game, 9) == [None, "j3/4"]
    assert game.unseen_tiles["gray"]["j3/4"] == 2
    assert game.to_act == 0


def test_which_bears_mine_um_a3() -> None:
    """Asked once for each bear needed, until all that are left are needed."""
    game = table({**ROW, 11: "h1/1 h2/2", 5: "h1/1"}, [[10, 5, 12], [14]])
    play(game, "mine c11")
    assert game.legal() == ["with b0", "with b1", "with b2"]
    play(game, "with b1")
    assert game.legal() == ["with b0", "with b2"]
    play(game, "with b2")
    assert [bear.mined for bear in game.bears[0]] == [False, True, True]
    game = table({**ROW, 11: "h1/1 h3/3", 5: "h1/1"}, [[10, 5, 12], [14]])
    play(game, "mine c11")
    assert game.honey[0] == 3


def test_takers_that_are_interchangeable_um_a3_a7() -> None:
    game = table({**ROW, 9: "h1/1 j2/3"}, [[10, 10, 10, 10], [14]])
    play(game, "mine c9")
    assert game.legal() == ["with b0"]
    play(game, "with b0")
    assert game.legal() == ["with b1"]
    play(game, "with b1")
    assert game.legal() == ["with b2"]
    play(game, "with b2")
    assert game.jelly[0] == 2
    game = table({**ROW, 9: "h1/1 j1/2"}, [[11, 10, 10], [14]])
    play(game, "move b0 c10", "mine c9")
    assert game.legal() == ["with b0", "with b1"]  # b0 has moved
    play(game, "with b1")
    assert game.legal() == ["with b0", "with b2"]


def test_the_mountain_stays_connected_um_a4() -> None:
    game = table(ROW, [[9, 11], [13]])
    assert options(game, "mine") == ""
    game = table({**ROW, 10: "h1/1 h1/1"}, [[9, 11], [13]])
    assert options(game, "mine") == "c10"  # not the stack's last tile
    ring = dict.fromkeys([5, 6, 10, 12, 16, 17], "h1/1")
    assert options(table(ring, [[5], [17]]), "mine") == "c6 | c10"  # a ring survives one gap
    game = play(table(ring, [[5], [17]]), "mine c10", "move b0 c6")
    end_turn(game)
    assert options(game, "mine") == "c16"  # the new end of the chain; c12 would split


def test_interchangeable_bears_um_a7() -> None:
    game = table({**ROW, 9: "h1/1 h1/1 h1/1"}, [[10, 10, 10, 11], [13, 13, 12]])
    assert options(game, "move") == "b0 c9 | b0 c11 | b3 c10 | b3 c12"
    play(game, "move b3 c10")
    assert options(game, "move") == "b0 c9 | b0 c11 | b3 c9 | b3 c11"
    play(game, "mine c9", "with b0")
    assert options(game, "move") == "b0 c9 | b0 c11 | b1 c9 | b1 c11 | b3 c9 | b3 c11"
    play(game, "move b1 c11", "move b1 c10")
    assert options(game, "move") == "b0 c9 | b0 c11 | b2 c9 | b2 c11 | b3 c9 | b3 c11"
    play(game, "move b0 c11", "move b2 c11")
    assert options(game, "move") == "b2 c10 | b2 c12 | b3 c9 | b3 c11"


# --- Bonus cards


def test_one_card_a_turn_paid_first_um_a6() -> None:
    game = table(ROW, [[10, 10], [12]], "sugar_rush sugar_rush stampede", honey=(0, 0))
    assert options(game, "play") == "sugar_rush"
    game = table(ROW, [[10, 10], [12]], "sugar_rush stampede", honey=(1, 0))
    play(game, "play stampede")
    assert game.honey[0] == 0
    assert game.in_play == "stampede"
    assert game.hands[0] == {"sugar_rush": 1}
    assert not game.discard
    play(game, "move b0 c9", "stop")
    assert game.discard == {"stampede": 1}
    assert options(game, "play") == ""
    end_turn(game)
    end_turn(game)
    assert "sugar_rush" in options(game, "play")


def test_own_move() -> None:
    """One bear, its uses untouched; `stop` after each but the last; it keeps its number among its like."""
    game = table(ROW, [[10, 11, 12], [12]], "stampede", honey=(1, 0))
    play(game, "play stampede")
    assert options(game, "move") == "b0 c9 | b0 c11 | b1 c10 | b1 c12 | b2 c11 | b2 c13"
    assert "stop" not in game.legal()
    play(game, "move b1 c10")
    assert game.legal() == ["move b1 c9", "move b1 c11", "stop"]
    play(game, "move b1 c11", "move b1 c12")
    assert game.in_play is None
    assert game.bears[0][1].moves == 0
    game = table(ROW, [[10], [12]], "sugar_rush")
    assert play(game, "play sugar_rush", "move b0 c9").in_play is None
    assert game.legal() == ["move b0 c10", "end"]


def test_cards_move_bears_without_uses() -> None:
    game = table({**ROW, 9: "h1/1 h1/1"}, [[10], [13]], "sugar_rush", sleepy_bears=True)
    play(game, "mine c9")
    assert game.legal() == ["play sugar_rush", "end"]  # UM-X1
    play(game, "play sugar_rush", "move b0 c11")
    assert game.legal() == ["end"]


def test_shove() -> None:
    game = table({**ROW, 5: "h1/1"}, [[9], [10, 10], [14]], "bear_hug", honey=(0, 0, 0))
    play(game, "play bear_hug")
    assert options(game, "shove") == "p1.b0 c5 | p1.b0 c9 | p1.b0 c11 | p2.b0 c13"
    play(game, "shove p1.b0 c9")
    assert cells(game, 1) == [9, 10]
    assert game.bears[1][0].moves == 0
    assert game.to_act == 0
    end_turn(game)
    assert {text.split()[1] for text in game.legal() if text.startswith("move")} == {"b0", "b1"}


def test_swap_tops() -> None:
    stacks = {**ROW, 11: "?gray j1/2", 10: "h1/1 h2/2"}
    game = table(stacks, [[9], [14]], "cave_in", honey=(1, 0))
    play(game, "play cave_in")
    assert options(game, "pick") == "c10 | c11 | c12 | c13"
    play(game, "pick c11")
    assert options(game, "pick") == "c10 | c12 | c13"
    play(game, "pick c10")
    assert (faces(game, 11), faces(game, 10)) == ([None, "h2/2"], ["h1/1", "j1/2"])
    game = table(ROW, [[9], [14]], "cave_in", honey=(1, 0))
    assert options(game, "play") == ""  # no two different faces
    game = table({**ROW, 9: "h2/2"}, [[9], [14]], "cave_in", honey=(1, 0))
    assert options(game, "play") == ""  # the different one has a bear on it
    game = table({**ROW, 12: "hh"}, [[9], [14]], "cave_in", honey=(1, 0))
    play(game, "play cave_in", "pick c10", "pick c11")  # two equal ones may be picked
    game = table({**ROW, 12: "hh"}, [[9], [14]], "cave_in", honey=(1, 0))
    play(game, "play cave_in", "pick c13", "pick c12")
    assert (faces(game, 12), faces(game, 13)) == (["h1/1"], ["hh"])


def test_swap_tops_same_figures_on_different_colours() -> None:
    game = table({**ROW, 9: "h2/2", 10: "h2/2"}, [list(range(11, 15)), []], "cave_in", honey=(1, 0))
    game.stacks[9][-1].colour, game.stacks[10][-1].colour = "brown", "gray"
    assert options(game, "play") == ""


def test_place_hardened() -> None:
    """On a stack without bears, or on an empty cell of the outline next to the mountain."""
    game = table({9: "h1/1", 10: "?gray h2/2", 11: "h1/1"}, [[9, 11], [11]], "hardened_honey")
    play(game, "play hardened_honey")
    assert options(game, "pick") == "c4 | c5 | c6 | c10 | c12 | c15 | c16 | c17"
    play(game, "pick c10")
    assert faces(game, 10) == [None, "h2/2", "hh"]
    assert game.hardened_left == 3
    assert "mine c10" in game.legal()
    play(game, "mine c10")  # a tile once seen stays known: no chance event
    assert game.to_act == 0
    assert faces(game, 10) == [None, "h2/2"]
    assert game.honey[0] == 1
    assert game.hardened_left == 3  # a mined one does not come back
    game = table({9: "h1/1", 10: "h1/1"}, [[9, 9], [10]], "hardened_honey")
    play(game, "play hardened_honey", "pick c15", "mine c15")
    assert faces(game, 15) == []
    game.hardened_left = 0
    game.numbers["hardened_tiles"] = 1
    give(game, 0, "hardened_honey")
    game.unseen_cards += Counter(hardened_honey=1)
    game.discard.clear()
    game.num_played = 0
    assert options(game, "play") == ""


def test_mine_discount() -> None:
    game = table({**ROW, 9: "h1/1 h3/3 h1/1", 13: "h1/1 h1/1"}, [[10], [14]], "sharp_claws", honey=(1, 0))
    play(game, "play sharp_claws")
    assert game.discount == 1
    assert options(game, "mine") == "c9"  # c13 has no bear of seat 0 next to it, and 1 is the least
    play(game, "mine c9")  # at least 1
    assert game.discount == 0  # used all the same
    game = table({**ROW, 9: "h1/1 h3/3"}, [[10, 10], [14]], "sharp_claws sharp_claws", honey=(3, 0), honey_burst=True)
    play(game, "play sharp_claws")
    assert options(game, "mine") == "c9"
    play(game, "play sharp_claws", "mine c9")
    assert game.legal() == ["with b0"]
    play(game, "with b0")
    assert (game.honey[0], game.discount) == (3, 0)
    game = table({**ROW, 9: "h1/1 h3/3"}, [[10, 10], [14]], "sharp_claws", honey=(1, 0))
    play(game, "play sharp_claws")
    end_turn(game)
    assert game.discount == 0  # lapsed
    game = table({**ROW, 9: "h1/1 h1/1"}, [[10], [14]], "sharp_claws", honey=(1, 0))
    assert options(play(game, "mine c9"), "play") == ""  # no bear with its mine use
    game = table(ROW, [[10], [14]], "sharp_claws", honey=(1, 0))
    assert options(play(game, "move b0 c11", "move b0 c12"), "play") == ""


def test_refresh() -> None:
    game = table({**ROW, 9: "h1/1 h1/1 h1/1"}, [[10, 10], [14]], "second_wind", honey=(1, 0), sleepy_bears=True)
    assert options(game, "play") == ""
    play(game, "mine c9", "with b0")
    assert options(game, "move") == "b1 c9 | b1 c11"
    play(game, "play second_wind")
    assert game.legal() == ["bear b0"]
    play(game, "bear b0")
    assert options(game, "move") == "b0 c9 | b0 c11"  # interchangeable again, and awake
    play(game, "move b0 c11", "move b0 c10")  # both moves: the mining does not count
    assert game.bears[0][0].moves == 2
    game = table({**ROW, 9: "h1/1 h1/1 h1/1"}, [[10], [14]], "second_wind", honey=(1, 0))
    play(game, "mine c9", "play second_wind", "bear b0", "mine c9")
    assert game.honey[0] == 2
    assert options(game, "move") == "b0 c9 | b0 c11"


def test_steal() -> None:
    content = {**REFERENCE, "cards": {**REFERENCE["cards"], "sticky_paws": card(3, 0, "steal", 2)}}
    game = table(ROW, [[9], [10], [11]], "sticky_paws", honey=(0, 0, 1), content=content)
    play(game, "play sticky_paws")
    assert game.legal() == ["from p2"]
    play(game, "from p2")
    assert game.honey == [1, 0, 0]
    game = table(ROW, [[9], [10], [11]], "sticky_paws", honey=(0, 3, 1), content=content)
    play(game, "play sticky_paws")
    assert game.legal() == ["from p1", "from p2"]
    assert play(game, "from p1").honey == [2, 1, 1]
    game = table(ROW, [[9], [10]], "sticky_paws", honey=(5, 0))
    assert options(game, "play") == ""


def test_hire_card() -> None:
    """No uses until the next turn, but cards may move it; hiring for honey stays possible."""
    game = table(ROW, [[10, 10, 11], [14]], "word_of_mouth scent_trail", honey=(6, 0), honey_burst=True)
    play(game, "play word_of_mouth")
    assert game.legal() == ["hire b0", "hire b2"]
    play(game, "hire b2")
    assert cells(game, 0) == [10, 10, 11, 11]
    assert options(game, "move") == "b0 c9 | b0 c11 | b2 c10 | b2 c12"
    play(game, "play scent_trail")
    assert game.legal() == ["rally b0 b2", "rally b2 b0", "rally b3 b0"]
    play(game, "rally b3 b0", "end")
    assert game.legal() == ["hire b0", "hire b2", "skip"]
    play(game, "hire b0")
    assert cells(game, 0) == [10, 10, 11, 10, 10]
    assert game.honey[0] == 6 - 1 - 2 - 3
    game = table(ROW, [[10] * 5, [14]], "word_of_mouth", honey=(6, 0))
    assert options(game, "play") == ""


def test_a_hired_bear_is_like_one_that_moved_twice_um_a7() -> None:
    game = table(ROW, [[9, 10], [14]], "word_of_mouth sugar_rush", honey=(4, 0), honey_burst=True)
    play(game, "move b0 c10", "move b0 c9", "play word_of_mouth", "hire b0", "play sugar_rush")
    assert game.legal() == ["move b0 c10", "move b1 c9", "move b1 c11"]
    play(game, "move b0 c10")
    end_turn(game)
    end_turn(game)
    assert options(game, "move") == "b0 c9 | b0 c11 | b2 c10"


def test_rally_and_return_um_a6() -> None:
    game = table(ROW, [[9, 9], [14]], "scent_trail", honey=(2, 0))
    assert options(game, "play") == ""  # bears on one stack only
    game = table(ROW, [[12, 9, 9, 14], [14]], "scent_trail", honey=(2, 0))
    play(game, "play scent_trail")
    assert not game.hands[0]
    expected = "b0 b1 | b0 b3 | b1 b0 | b1 b3 | b3 b0 | b3 b1"
    assert options(game, "rally") == expected
    play(game, "rally b1 b0")
    assert cells(game, 0) == [12, 12, 9, 14]
    assert game.hands[0] == {"scent_trail": 1} == game.known[0]
    assert not game.discard
    assert options(game, "play") == ""  # one card a turn
    assert game.bears[0][1].moves == 0


def test_rally_tells_bears_apart_by_their_uses_um_a7() -> None:
    game = table(ROW, [[9, 10, 12], [14]], "scent_trail", honey=(1, 0))
    play(game, "move b1 c9", "play scent_trail")
    assert options(game, "rally") == "b0 b2 | b1 b2 | b2 b0"


def test_honey_burst_um_x2() -> None:
    game = table(ROW, [[9, 12], [14]], "scent_trail sugar_rush bear_hug", honey=(4, 0), honey_burst=True)
    play(game, "play scent_trail", "rally b0 b1")
    assert game.honey[0] == 3
    assert options(game, "play") == "bear_hug | sugar_rush"  # not scent_trail: bears on one stack only
    play(game, "play sugar_rush", "move b0 c11")
    assert game.honey[0] == 2  # one more than its cost
    play(game, "play scent_trail", "rally b1 b0")
    assert game.honey[0] == 0  # the third card too: one more than its cost
    assert options(game, "play") == ""
    assert game.known[0] == {"scent_trail": 1}


# --- Hire, draw, end


def test_hire_phase_um_h1() -> None:
    game = play(table(ROW, [[10, 12, 12], [14]], honey=(7, 0)), "end")
    assert game.legal() == ["hire b0", "hire b1", "skip"]
    play(game, "hire b1")
    assert cells(game, 0) == [10, 12, 12, 12]
    assert game.honey[0] == 4
    assert game.to_act == CHANCE  # once
    assert play(table(ROW, [[10], [14]], honey=(2, 0)), "end").to_act == CHANCE
    assert play(table(ROW, [[10] * 5, [14]], honey=(9, 0)), "end").to_act == CHANCE


def test_draw_um_d1() -> None:
    game = play(table(ROW, [[10], [14]], "bear_hug"), "end")
    assert game.chance() == {f"draw {name}": n for name, n in game.unseen_cards.items()}
    assert sum(game.chance().values()) == 27
    play(game, "draw bear_hug")
    assert game.hands[0] == {"bear_hug": 2}
    assert game.to_act == 1


@pytest.mark.parametrize(("num_players", "turns"), [(2, 10), (3, 7), (4, 7)])
def test_one_more_turn_after_the_last_card_um_e1(num_players: int, turns: int) -> None:
    game = started(num_players=num_players)
    for turn in range(turns * num_players):
        assert game.to_act == turn % num_players
        assert (game.deck_size == 0) == (turn >= (turns - 1) * num_players)
        end_turn(game)
    assert game.to_act == TERMINAL
    assert not game.truncated
    assert size(game.unseen_cards) == 28 - REFERENCE["deck_sizes"][num_players]  # the box is not drawn from


@pytest.mark.parametrize("deck_size", [0, 1, 3])
def test_deck_that_runs_out_during_set_up_um_e5(deck_size: int) -> None:
    game = started({**REFERENCE, "deck_sizes": {3: deck_size}}, num_players=3)
    assert [size(hand) for hand in game.hands] == [int(seat < deck_size) for seat in range(3)]
    play(game, "end", "end", "end")
    assert game.to_act == TERMINAL


@pytest.mark.parametrize(
    ("jelly", "honey", "returns"),
    [
        ((3, 4, 2), (9, 0, 9), ("-1/2", "1", "-1/2")),
        ((4, 4, 2), (1, 2, 9), ("-1/2", "1", "-1/2")),
        ((4, 4, 2), (2, 2, 9), ("1/4", "1/4", "-1/2")),
        ((0, 0, 0), (0, 0, 0), ("0", "0", "0")),
    ],
)
def test_winners_um_e2_e3(jelly: tuple[int, ...], honey: tuple[int, ...], returns: tuple[str, ...]) -> None:
    game = started({**REFERENCE, "deck_sizes": {3: 3}}, num_players=3)
    game.jelly, game.honey = list(jelly), list(honey)
    game.check_conservation = lambda: None  # type: ignore[method-assign]  # out of thin air
    assert game.returns() == [0, 0, 0]
    for _ in range(3):
        end_turn(game)
    assert game.returns() == [Fraction(text) for text in returns]
    assert sum(game.returns()) == 0


def test_truncation_um_e4() -> None:
    game = started(max_turns=3)
    for _ in range(3):
        assert game.to_act != TERMINAL
        end_turn(game)
    assert game.to_act == TERMINAL
    assert game.truncated
    assert game.returns() == [0, 0]
    game = started(max_turns=20)
    for _ in range(20):
        end_turn(game)
    assert game.to_act == TERMINAL
    assert not game.truncated  # it has ended


def test_sleepy_bears_um_x1() -> None:
    stacks = {**ROW, 9: "h1/1 h1/1"}
    game = play(table(stacks, [[10, 11], [14]], sleepy_bears=True), "mine c9")
    assert options(game, "move") == "b1 c10 | b1 c12"
    game = play(table(stacks, [[11], [14]], sleepy_bears=True), "move b0 c10", "mine c9")
    assert game.legal() == ["end"]


# --- Whole games


VARIANTS: list[dict[str, int]] = [
    {"num_players": n, "sleepy_bears": sleepy, "honey_burst": burst}
    for n, sleepy, burst in [(2, False, False), (2, True, True), (3, False, True), (4, True, False)]
]

EAGER = {"mine": 20, "play": 10, "hire": 10, "end": 0.3, "skip": 0.3}
"""Weights with which random players get somewhere."""


def random_record(seed: int, settings: dict[str, int]) -> tuple[Oracle, list[str]]:
    """A random game, with the laws checked at every event, and its playthrough with the legal actions."""
    rng = random.Random(seed)
    game = Oracle(settings)
    lines = [" ".join(["ursa_miner", *(f"{key}={value}" for key, value in settings.items())])]
    while game.to_act != TERMINAL:
        outcomes, actions = game.chance(), game.legal()
        assert bool(outcomes) != bool(actions)
        assert len(set(actions)) == len(actions)
        if outcomes:
            assert min(outcomes.values()) > 0
            text = rng.choices(list(outcomes), list(outcomes.values()))[0]
            lines.append(f"* {text}")
        else:
            weights = [EAGER.get(action.split()[0], 1) for action in actions]
            text = rng.choices(actions, weights)[0]
            lines += [f"# legal: {' | '.join(rng.sample(actions, len(actions)))}", f"p{game.to_act} {text}"]
        game.apply(text)
        if game.to_act != CHANCE:
            assert all(stack[-1].face for stack in game.stacks if stack)  # UM-M3
    return game, lines


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_random_games_agree_with_their_own_record(settings: dict[str, int]) -> None:
    n = settings["num_players"]
    for seed in range(6):
        game, lines = random_record(seed, settings)
        assert sum(game.returns()) == 0
        assert game.turns_ended == {2: 20, 3: 21, 4: 28}[n]
        assert sum(map(size, game.hands)) + size(game.discard) == {2: 20, 3: 21, 4: 28}[n]
        best = max(zip(game.jelly, game.honey, strict=True))
        assert [(game.jelly[s], game.honey[s]) == best for s in range(n)] == [s in game.winners for s in range(n)]
        assert vars_of(verify(lines)) == vars_of(game)


def vars_of(game: Oracle) -> tuple[Any, ...]:
    stacks = [[(tile.colour, tile.face) for tile in stack] for stack in game.stacks]
    table = (game.honey, game.jelly, game.mined, game.hands, game.known, game.discard, stacks, game.hardened_left)
    piles = (game.unseen_cards, game.unseen_tiles, game.deck_size)
    return (*table, *piles, [cells(game, s) for s in range(game.num_players)], game.winners, game.turns_ended)


def test_random_games_reach_every_kind_of_event() -> None:
    seen: set[str] = set()
    for seed in range(12):
        _, lines = random_record(seed, VARIANTS[seed % 4])
        for line in lines[1:]:
            words = line.split()
            if not line.startswith("#"):
                seen.add(" ".join(words[1:3]) if words[1] == "play" else words[1])
    actions = {"place", "move", "mine", "with", "end", "hire", "skip"}
    parts = {"stop", "shove", "pick", "bear", "from", "rally"}
    assert seen == actions | parts | {"tile", "draw"} | {f"play {name}" for name in REFERENCE["cards"]}


def test_illegal_events_change_nothing() -> None:
    game = started()
    before = vars_of(game)
    for text in ["move b0 c0", "move b2 c1", "mine c0", "skip", "stop", "", "tile h1/1", "end "]:
        with pytest.raises(IllegalEvent, match="possible: move b0"):
            game.apply(text)
    assert vars_of(game) == before
    for _ in range(20):
        end_turn(game)
    with pytest.raises(IllegalEvent, match="after the end"):
        game.apply("end")


# --- verify


def test_verify_names_line_and_reason() -> None:
    _, lines = random_record(3, {"num_players": 2})
    first = next(i for i, line in enumerate(lines) if line.startswith("p0"))
    legal = first - 1
    before, after, listed, rest = lines[:legal], lines[first + 1 :], lines[legal], lines[first:]
    for number, changed, reason in [
        (1, ["ursa_major num_players=2", *lines[1:]], "begins with ursa_miner"),
        (1, ["ursa_miner num_players=7", *lines[1:]], "2 to 4"),
        (1, ["ursa_miner num_players=2 num_players=2", *lines[1:]], "named once"),
        (1, ["ursa_miner sleepy_bears=yes", *lines[1:]], "True or False"),
        (2, [lines[0], "* tile j5/5", *lines[2:]], "not possible"),
        (2, [lines[0], "p0 end", *lines[1:]], r"\* is to act"),
        (first + 1, [*before, listed, "p0 place c99", *after], "not possible"),
        (first + 1, [*before, listed, "p1 place c0", *after], "p0 is to act"),
        (first + 1, [*before, listed + " | end", *rest], r"listed wrongly \['end'\]"),
        (first + 1, [*before, "# legal: place c0", *rest], "not listed"),
        (first + 1, [*before, listed, listed, *rest], "right before an action"),
        (len(lines) + 1, [*lines, "p0 end"], "over already"),
        (len(lines) - 1, lines[:-1], "breaks off|but the game does not"),
    ]:
        with pytest.raises(Disagreement, match=rf"^line {number}: .*({reason})"):
            verify(changed)
    with pytest.raises(Disagreement, match="line 0"):
        verify([])


def test_verify_with_other_content_and_a_stopped_record() -> None:
    content = {**REFERENCE, "tiles": {**REFERENCE["tiles"], "brown": {"h9/1": 30}}}
    lines = ["ursa_miner content=mine.toml honey_burst=True", "# a comment", "* tile h9/1"]
    game = verify(lines, content, must_be_finished=False)
    assert faces(game, 0) == ["h9/1"]
    assert game.settings["honey_burst"] is True
    with pytest.raises(Disagreement, match=r"^line 1: 'content=mine.toml'"):
        verify(lines)
