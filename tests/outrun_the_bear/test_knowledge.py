"""What a seat knows of hidden cards, and what is forgotten (see bearenvs.outrun_the_bear.hands)."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bearenvs import drivers, views
from bearenvs.game import CHANCE, TERMINAL, Game
from bearenvs.outrun_the_bear.game import OutrunTheBear
from bearenvs.outrun_the_bear.state import NOTHING, WINDOW
from bearenvs.registry import load_game
from bearenvs.rng import seed_words
from tests.outrun_the_bear.table import Table

APART = {0: "c20r0", 1: "c20r2", 2: "c24r0", 3: "c24r2"}


def known(table: Table, observer: int, seat: int) -> list[str]:
    """The cards that stand in another hand in the observer's hidden row."""
    row = views.hidden(table.game, table.states, observer)[0]
    return [table.ids[kind] for kind in row.seats[seat].hand if kind != NOTHING]


def samples(table: Table, observer: int, seat: int, count: int = 200) -> list[list[str]]:
    """Hands of another seat in the observer's determinizations."""
    rng = seed_words(5)
    rows = [views.determinized(table.game, table.states, observer, rng)[0] for _ in range(count)]
    assert all(all(table.game.laws(row).values()) for row in rows)
    return [[table.ids[kind] for kind in row.seats[seat].hand if kind != NOTHING] for row in rows]


def test_other_hands_are_hidden_and_their_sizes_are_not() -> None:
    table = Table(num_players=3, hands=[["alert"], ["trip", "trip"], ["no_way"]]).terrain(0)
    row = views.hidden(table.game, table.states, 0)[0]
    assert [table.ids[kind] for kind in row.seats[0].hand if kind != NOTHING] == ["alert"]
    assert known(table, 0, 1) == known(table, 0, 2) == []
    assert list(row.seats["num_hand"][:3]) == [1, 2, 1]
    assert row.deck[table.kind("trip")] == 5 and row.num_deck == 70


def test_a_stolen_card_is_known_to_both_sides() -> None:
    table = Table(at=APART, hands=[["pickpocket"], ["trip", "alert"]]).begin(0)
    table.do("p0 play pickpocket", "p0 target p1", "p1 pass", "steal trip", "p0 stop", "draw shove", "draw shove")
    assert known(table, 1, 0) == ["trip"]
    assert known(table, 2, 0) == known(table, 0, 1) == []
    assert all("trip" in hand for hand in samples(table, 1, 0))
    assert any("trip" not in hand for hand in samples(table, 2, 0))


def drawn_in_sight(*cards: str, unseen: str = "startle") -> Table:
    """Return a table on which p1 has just drawn an unseen card and then all of these, known to all."""
    table = Table(at=APART, hands=[["pickpocket"]]).gear(1, "backpack").deck(unseen, under=cards).begin(1)
    return table.do("p1 crawl", "p1 stop", f"draw {unseen}")


def test_cards_from_the_known_part_are_known_to_all() -> None:
    table = drawn_in_sight("trip", "alert")
    assert table.hand(1) == ["startle", "trip", "alert"]
    for observer in (0, 2, 3):
        assert known(table, observer, 1) == ["trip", "alert"]
        assert all({"trip", "alert"} < set(hand) for hand in samples(table, observer, 1, 20))


def test_of_equal_cards_a_seat_cannot_tell_which_one_others_know() -> None:
    table = drawn_in_sight("trip", unseen="trip")
    assert table.hand(1) == ["trip", "trip"]
    own = views.hidden(table.game, table.states, 1)[0].seats[1].known[:2].tolist()
    assert own == sorted(own, reverse=True) and own[0] != own[1]
    drawn = views.determinized(table.game, table.states, 0, seed_words(5))
    assert views.hidden(table.game, drawn, 1).tobytes() == views.hidden(table.game, table.states, 1).tobytes()


def test_a_known_card_that_is_played_is_known_no_more() -> None:
    table = drawn_in_sight("trip").begin(1).do("p1 play trip", "p1 target p0")
    assert known(table, 2, 1) == []


def test_of_two_equal_cards_one_known_the_known_one_counts_as_played() -> None:
    """Nobody can tell which of the two it was: of the other one nobody knows."""
    table = drawn_in_sight("trip", unseen="trip")
    assert table.hand(1) == ["trip", "trip"] and known(table, 2, 1) == ["trip"]
    table.begin(1).do("p1 play trip", "p1 target p0")
    assert known(table, 2, 1) == []


def stolen_from_known() -> Table:
    """Return a table on which p0 has stolen the Alert of p1's three cards, two of them known to all."""
    table = drawn_in_sight("trip", "alert").begin(0)
    return table.do("p0 play pickpocket", "p0 target p1", "p1 pass", "steal alert")


def test_after_a_theft_one_of_the_known_cards_may_be_with_the_thief() -> None:
    """p2 knew the Trip and the Alert of three cards; at most one of them has gone to p0."""
    table = stolen_from_known()
    assert known(table, 2, 1) == ["trip", "alert"]
    hands = Counter(tuple(hand) for hand in samples(table, 2, 1, 600))
    assert set(hands) == {("startle", "trip"), ("startle", "alert"), ("trip", "alert")}
    assert all(150 < count < 250 for count in hands.values())  # each card was as likely to be taken
    assert known(table, 0, 1) == ["trip"]  # the thief knows
    assert known(table, 1, 0) == ["alert"]  # and so does the victim


def test_who_has_lost_a_known_card_and_who_has_it_agree() -> None:
    table = stolen_from_known()
    rng = seed_words(1)
    for _ in range(100):
        row = views.determinized(table.game, table.states, 2, rng)[0]
        cards = [table.ids[kind] for seat in (0, 1) for kind in row.seats[seat].hand if kind != NOTHING]
        assert sorted(cards) == ["alert", "startle", "trip"]


def test_what_then_leaves_either_hand_in_sight_is_counted_off() -> None:
    table = stolen_from_known().do("p0 stop").begin(1).do("p1 play trip", "p1 target p3")
    assert known(table, 2, 1) == ["alert"]
    assert {tuple(hand) for hand in samples(table, 2, 1)} == {("startle",), ("alert",)}


def test_the_next_theft_from_the_hand_makes_others_forget() -> None:
    table = stolen_from_known().do("p0 stop").give_back(3, "pickpocket")
    table.begin(3).do("p3 play pickpocket", "p3 target p1", "steal trip")
    assert known(table, 2, 1) == []
    assert known(table, 1, 3) == ["trip"]


# Over random games, with a content in which thefts and known draws are common


def crafty_content(folder: Path) -> Path:
    """Write a content with a slow Bear and few cards, a third of them thefts."""
    lines, name = [], ""
    for line in (OutrunTheBear.folder / "content.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("name"):
            name = line.partition('"')[2].rstrip('"')
        copies = {"Pickpocket": 10, "Trail Mix": 4, "Alert": 2, "No Way": 2, "Adrenaline": 3, "Slipstream": 3}
        if line.startswith("copies"):
            lines.append(f"copies = {copies.get(name, 1)}")
        else:
            lines.append("bear = 0" if line.startswith("bear = ") and name != "Switcheroo" else line)
    file = folder / "crafty.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def is_window_of_others(states: Any, seat: int) -> bool:
    state = states[0]
    return bool(
        state.to_act >= 0 and state.to_act != seat and state.depth and state.stack[state.depth - 1].op == WINDOW
    )


def play(game: Game, states: Any, event: int) -> None:
    game.bind(drivers.apply_rows)(game.record, states, np.array([event]))


def pass_for_others(game: Game, states: Any, seat: int) -> None:
    while is_window_of_others(states, seat):
        play(game, states, game.actions.index("pass"))


def possible(game: Game, states: Any) -> list[int]:
    if states[0].to_act == CHANCE:
        return [int(event) for event in np.flatnonzero(views.chance_weights(game, states))]
    return views.legal_actions(game, states)


def twins(game: Game, seed: int, counts: Counter[str]) -> None:
    """Play a random game; at each event, let the same happen in a determinization, as far as the observer sees it.

    What it knows afterwards must be the same in both. Others pass in windows until it sees something.
    """
    random = np.random.default_rng(seed)
    rng = seed_words(seed)
    states = game.record["initial"].copy()
    while states[0].to_act != TERMINAL:
        event = int(random.choice(possible(game, states)))
        observer = int(random.integers(game.num_players))
        is_seen = game.bind(drivers.seen_by_row)(game.record, states, event) >> observer & 1
        twin = views.determinized(game, states, observer, rng)
        truth = states.copy()
        play(game, states, event)
        if is_window_of_others(truth, observer):
            continue
        if is_seen and event not in possible(game, twin):
            counts["not possible in the twin"] += 1
            continue
        play(game, truth, event)
        play(game, twin, event if is_seen else int(random.choice(possible(game, twin))))
        pass_for_others(game, truth, observer)
        pass_for_others(game, twin, observer)
        if truth[0].to_act != TERMINAL and twin[0].to_act != TERMINAL:
            rows = [views.hidden(game, one, observer) for one in (truth, twin)]
            assert rows[0].tobytes() == rows[1].tobytes()
            counts["seen" if is_seen else "unseen"] += 1
            counts["uncertain"] += bool((rows[0][0].seats["thief"][: game.num_players] != NOTHING).any())


@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_a_seat_knows_the_same_whatever_it_did_not_see(num_players: int, tmp_path: Path) -> None:
    game = load_game("outrun_the_bear", num_players=num_players, content=crafty_content(tmp_path), max_rounds=12)
    counts: Counter[str] = Counter()
    for seed in range(40):
        twins(game, seed, counts)
    assert counts["unseen"] > 100 and counts["seen"] > 1000
    assert counts["uncertain"] > 50 or num_players == 2
