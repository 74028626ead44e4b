"""check_game: right games pass, and for each thing it checks there is a planted fault that it finds."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import bearenvs
from bearenvs.batch import Batch
from bearenvs.env import BearEnv
from bearenvs.errors import IllegalActionError, SettingsError
from bearenvs.game import CHANCE
from bearenvs.kernel import kernel
from bearenvs.rng import draw_weighted, random_below
from bearenvs.sets import add_action, add_actions
from bearenvs.tables import Section, Table
from bearenvs.testing import CHECKS, CheckFailed, check_game
from bearenvs.testing.lab import field_at
from tests.toy.game import Picnic
from tests.toy.rules import (
    A_WAIT,
    FIRST_EAT,
    apply,
    determinize,
    event_seen_by,
    hide,
    legal,
    observe,
    returns,
    sample_chance,
)
from tests.toy.state import DEAL, ROBBED, ROLL, TURN

# Right games


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_users_game_passes(num_players: int) -> None:
    check_game(Picnic, num_players=num_players)
    assert "picnic" not in bearenvs.GAMES  # it was known only while it was checked


def test_an_interpreted_game_passes() -> None:
    check_game(Picnic, num_games=4, num_players=3, compiled=False)


def test_what_is_asked_for_must_exist() -> None:
    with pytest.raises(SettingsError, match="no check 'luck'; the checks are tables, states,"):
        check_game(Picnic, checks=["luck"])
    with pytest.raises(SettingsError, match="no game 'poker'"):
        check_game("poker")
    with pytest.raises(SettingsError, match="num_players=9"):
        check_game(Picnic, num_players=9)
    for num_games in (0, -1, 1.5, True):
        with pytest.raises(SettingsError, match=f"num_games={num_games!r}: an integer from 1 is allowed"):
            check_game(Picnic, num_games=num_games)  # type: ignore[arg-type]  # on purpose


# Planted faults: kernels of Picnic, each wrong in one thing


@kernel
def apply_uncounted(content: Any, state: Any, event: int) -> None:
    is_wait = state.to_act != CHANCE and event == A_WAIT
    apply(content, state, event)
    if is_wait:
        state.ply -= 1


@kernel
def apply_losing_a_card(content: Any, state: Any, event: int) -> None:
    is_eaten = state.phase == TURN and event == FIRST_EAT
    apply(content, state, event)
    if is_eaten:
        state.shown[0] -= 1


@kernel
def apply_endlessly(content: Any, state: Any, event: int) -> None:
    apply(content, state, event)
    if state.to_act < CHANCE:
        state.to_act = 0
        state.phase = TURN
        state.truncated = 0


@kernel
def apply_forgiving(content: Any, state: Any, event: int) -> None:
    if state.to_act != CHANCE:
        state.is_out[:] = 0
    apply(content, state, event)


@kernel
def apply_asking_those_out(content: Any, state: Any, event: int) -> None:
    apply(content, state, event)
    if state.ply == 3:
        state.is_out[state.to_act] = 1


@kernel
def apply_turning_back(content: Any, state: Any, event: int) -> None:
    apply(content, state, event)
    if state.ply == 6:
        state.turn = 0


@kernel
def apply_asking_nobody(content: Any, state: Any, event: int) -> None:
    apply(content, state, event)
    if state.ply == 3:
        state.to_act = 3


@kernel
def apply_changing_the_cards(content: Any, state: Any, event: int) -> None:
    apply(content, state, event)
    content.value[0] = state.ply


@kernel
def returns_of_some(content: Any, state: Any, out: Any) -> None:
    out[0] = state.seats[0].eaten


@kernel
def returns_overflowing(content: Any, state: Any, out: Any) -> None:
    for seat in range(content.num_players):
        out[seat] = (state.seats[seat].num_hand + 1) * np.int8(100)


@kernel
def legal_beyond_the_table(content: Any, state: Any, out: Any) -> None:
    legal(content, state, out)
    if state.phase == ROBBED:
        add_action(out, 200)


@kernel
def legal_touching(content: Any, state: Any, out: Any) -> None:
    state.victim = 1
    legal(content, state, out)


@kernel
def legal_out_of_an_empty_hand(content: Any, state: Any, out: Any) -> None:
    if state.phase == ROBBED:
        legal(content, state, out)
    else:
        add_action(out, A_WAIT)
        add_actions(out, FIRST_EAT, (1 << int(content.num_foods)) - 1)


@kernel
def legal_of_nothing(content: Any, state: Any, out: Any) -> None:
    if state.phase == ROBBED:
        legal(content, state, out)


@kernel
def legal_knowing_hands(content: Any, state: Any, out: Any) -> None:
    other = state.seats[(int(state.seat) + 1) % content.num_players]
    if state.phase == TURN and other.hand[0] == 0:
        add_action(out, A_WAIT)
    else:
        legal(content, state, out)


@kernel
def sample_alike(content: Any, state: Any, rng: Any) -> int:
    if state.phase == ROLL:
        return sample_chance(content, state, rng)
    food = random_below(rng, content.num_foods)
    while state.deck[food] == 0:
        food = random_below(rng, content.num_foods)
    return food


@kernel
def sample_from_an_empty_pile(content: Any, state: Any, rng: Any) -> int:
    return int(content.num_foods) + random_below(rng, 6)


@kernel
def sample_outside(content: Any, state: Any, rng: Any) -> int:
    return sample_chance(content, state, rng) + 50 * random_below(rng, 2)


@kernel
def sample_touching(content: Any, state: Any, rng: Any) -> int:
    state.victim += 1
    return sample_chance(content, state, rng)


@kernel
def chance_of_nothing(content: Any, state: Any, weights: Any) -> None:
    weights[:] = 0


@kernel
def observe_leaving_gaps(content: Any, state: Any, seat: int, out: Any) -> None:
    last = out[len(out) - 1]
    observe(content, state, seat, out)
    out[len(out) - 1] = last


@kernel
def observe_adding(content: Any, state: Any, seat: int, out: Any) -> None:
    first = max(out[0], 0)
    observe(content, state, seat, out)
    out[0] = min(first, 1)


@kernel
def observe_above_one(content: Any, state: Any, seat: int, out: Any) -> None:
    observe(content, state, seat, out)
    out[3 + int(content.num_players)] = 1.5


@kernel
def observe_above_one_in_turn(content: Any, state: Any, seat: int, out: Any) -> None:
    observe(content, state, seat, out)
    if state.phase == TURN:
        out[0] = 1.5


@kernel
def observe_too_far(content: Any, state: Any, seat: int, out: Any) -> None:
    observe(content, state, seat, out)
    out[len(out)] = 0.5


@kernel
def observe_touching(content: Any, state: Any, seat: int, out: Any) -> None:
    observe(content, state, seat, out)
    state.turn += 1


@kernel
def observe_peeking(content: Any, state: Any, seat: int, out: Any) -> None:
    observe(content, state, seat, out)
    out[0] = state.seats[(seat + 1) % content.num_players].hand[0] > 0


@kernel
def hide_nothing(content: Any, state: Any, seat: int) -> None:
    pass


@kernel
def hide_but_not_what_is_buried(content: Any, state: Any, seat: int) -> None:
    for other in range(content.num_players):
        if other != seat:
            for food in range(content.num_foods):
                state.deck[food] += int(state.seats[other].hand[food])
                state.seats[other].hand[food] = 0


@kernel
def hide_again_and_again(content: Any, state: Any, seat: int) -> None:
    hide(content, state, seat)
    state.victim += 1


@kernel
def determinize_nothing(content: Any, state: Any, seat: int, rng: Any) -> None:
    pass


@kernel
def determinize_other_sizes(content: Any, state: Any, seat: int, rng: Any) -> None:
    determinize(content, state, seat, rng)
    for other in range(content.num_players):
        if other != seat and state.num_deck > 0:
            food = draw_weighted(rng, state.deck, int(state.num_deck))
            state.deck[food] -= 1
            state.num_deck -= 1
            state.seats[other].hand[food] += 1
            state.seats[other].num_hand += 1


@kernel
def swap_one_for_berries(content: Any, state: Any, other: int, food: int) -> None:
    """Let a seat's ``food`` in hand be berries, if there are any."""
    them = state.seats[other]
    while them.hand[food] > 0 and state.deck[0] > 0:
        them.hand[food] -= 1
        state.deck[food] += 1
        them.hand[0] += 1
        state.deck[0] -= 1


@kernel
def determinize_without_salmon(content: Any, state: Any, seat: int, rng: Any) -> None:
    determinize(content, state, seat, rng)
    for other in range(content.num_players):
        if other != seat:
            swap_one_for_berries(content, state, other, 2)


@kernel
def determinize_burying_the_cheapest(content: Any, state: Any, seat: int, rng: Any) -> None:
    """Choose what others buried before anything else, and not at random."""
    for other in range(content.num_players):
        them = state.seats[other]
        for _ in range(them.num_buried if other != seat else 0):
            food = 0
            while state.deck[food] == 0:
                food += 1
            state.deck[food] -= 1
            them.buried[food] += 1
    unseen = int(state.deck.sum())
    for other in range(content.num_players):
        them = state.seats[other]
        for _ in range(them.num_hand if other != seat else 0):
            food = draw_weighted(rng, state.deck, unseen)
            state.deck[food] -= 1
            them.hand[food] += 1
            unseen -= 1


@kernel
def determinize_pairs_only(content: Any, state: Any, seat: int, rng: Any) -> None:
    """Deal with the right odds for a single card, but make every second card like the first."""
    determinize(content, state, seat, rng)
    for other in range(content.num_players):
        them = state.seats[other]
        if other != seat and them.num_hand == 2:
            first = draw_weighted(rng, them.hand, 2)
            for food in range(content.num_foods):
                if food != first and them.hand[food] == 1 and state.deck[first] > 0:
                    them.hand[food] = 0
                    state.deck[food] += 1
                    them.hand[first] = 2
                    state.deck[first] -= 1


@kernel
def determinize_always_alike(content: Any, state: Any, seat: int, rng: Any) -> None:
    """Deal the lowest cards there are."""
    for other in range(content.num_players):
        if other != seat:
            them = state.seats[other]
            for k in range(int(them.num_hand) + int(them.num_buried)):
                food = 0
                while state.deck[food] == 0:
                    food += 1
                state.deck[food] -= 1
                if k < them.num_hand:
                    them.hand[food] += 1
                else:
                    them.buried[food] += 1


@kernel
def seen_by_others(content: Any, state: Any, event: int) -> int:
    if state.to_act == CHANCE:
        return event_seen_by(content, state, event)
    return ((1 << int(content.num_players)) - 1) ^ (1 << int(state.to_act))


@kernel
def draws_seen_by_nobody(content: Any, state: Any, event: int) -> int:
    return 0 if state.phase == DEAL else (1 << int(content.num_players)) - 1


moods = count()


@kernel
def observe_moodily(content: Any, state: Any, seat: int, out: Any) -> None:
    observe(content, state, seat, out)
    out[0] = next(moods) % 97 / 97


@kernel
def apply_moodily(content: Any, state: Any, event: int) -> None:
    apply(content, state, event)
    state.victim = next(moods) % 2


@kernel
def returns_moodily(content: Any, state: Any, out: Any) -> None:
    returns(content, state, out)
    out[0] += next(moods) % 2


class Sloppy(Picnic):
    """Writes a notation with two spaces."""

    def make_outcomes(self) -> Table:
        return Table([Section("draw", "draw", 9, lambda i, _s: f"draw  {i}")], 1)


class ForgetfulTable(Table):
    def index(self, text: str, seat: int = 0) -> int:
        return super().index(text, seat) // 2 * 2


class Forgetful(Picnic):
    """Takes one text for another's."""

    def make_actions(self) -> Table:
        return ForgetfulTable(super().make_actions().sections, self.num_players)


class Inconstant(Picnic):
    """Has other cards each time it is made."""

    made = count()

    def pack(self, record: Any) -> None:
        super().pack(record)
        record.value[0] = next(self.made) % 8


class Chatty(Picnic):
    """Describes the same differently."""

    def describe(self, state: Any, seat: int | None) -> str:
        return f"{super().describe(state, seat)} {next(moods)}"


def with_kernel(role: str, wrong: Callable[..., Any]) -> type[Picnic]:
    return type(wrong.__name__, (Picnic,), {"kernels": {**Picnic.kernels, role: wrong}})


FAULTS: list[tuple[str, type[Picnic], str]] = [
    ("tables", Sloppy, "outcome 0 reads 'draw  0' for p0: not a line of words with single spaces"),
    ("tables", Forgetful, "action 1 reads 'growl' for p0, which is 0"),
    ("states", with_kernel("apply", apply_uncounted), r"changes ply from \d+ to \d+"),
    ("states", with_kernel("apply", apply_losing_a_card), "the law 'every card is somewhere once' is broken"),
    ("states", with_kernel("apply", apply_forgiving), "brings back a seat that is out"),
    ("states", with_kernel("apply", apply_asking_those_out), r"asks p\d, who is out|puts a seat out that is not there"),
    ("states", with_kernel("apply", apply_turning_back), "turns turn back"),
    ("states", with_kernel("apply", apply_asking_nobody), "makes to_act 3"),
    ("states", with_kernel("returns", returns_of_some), "not all written, or not finite"),
    ("actions", with_kernel("legal", legal_of_nothing), r"what can happen next is \[\], of \d"),
    ("actions", with_kernel("legal", legal_beyond_the_table), r"what can happen next is \[.*, 200\], of \d+"),
    ("actions", with_kernel("legal", legal_touching), r"legal\(\) changes the state"),
    ("actions", with_kernel("legal", legal_out_of_an_empty_hand), "breaks the law 'no pile is negative'"),
    ("actions", with_kernel("apply", apply_moodily), "gives two different states, in victim"),
    ("actions", with_kernel("apply", apply_changing_the_cards), "changes the content"),
    ("chance", with_kernel("sample_chance", sample_alike), r"sample_chance\(\) drew 'draw .*' \d+ times of"),
    ("chance", with_kernel("sample_chance", sample_from_an_empty_pile), "draws 'roll .', whose weight is 0"),
    ("chance", with_kernel("sample_chance", sample_outside), "draws what is not in the outcome table"),
    ("chance", with_kernel("sample_chance", sample_touching), r"sample_chance\(\) changes the state"),
    ("chance", with_kernel("chance", chance_of_nothing), r"what can happen next is \[\], of \d"),
    ("observation", with_kernel("observe", observe_leaving_gaps), "section 'seats' at 14 of 15 is nan .*: not written"),
    ("observation", with_kernel("observe", observe_adding), "section 'phase' at 0 of 3 is"),
    ("observation", with_kernel("observe", observe_above_one), "section 'hand' at 0 of 3 is 1.5 .* or not in"),
    ("observation", with_kernel("observe", observe_too_far), "IndexError"),
    ("observation", with_kernel("observe", observe_touching), r"observe\(\) changes the state"),
    ("no_peeking", with_kernel("observe", observe_peeking), "does not see which of .*, but its observations differ"),
    (
        "no_peeking",
        with_kernel("legal", legal_knowing_hands),
        "has other legal actions in its",
    ),
    ("no_peeking", with_kernel("hide", hide_nothing), r"hidden rows differ in .*deck\[\d\]"),
    ("no_peeking", with_kernel("hide", hide_but_not_what_is_buried), r"differ in .*seats\[.\]\.buried\[.\]"),
    ("no_peeking", with_kernel("hide", hide_again_and_again), "and hiding it again, differ in victim"),
    ("no_peeking", with_kernel("determinize", determinize_other_sizes), "a determinization of it, differ in num_deck"),
    ("no_peeking", with_kernel("event_seen_by", seen_by_others), "not its author and other seats"),
    ("no_peeking", with_kernel("event_seen_by", draws_seen_by_nobody), "does not see which of 'draw .*' happens, but"),
    ("no_peeking", Chatty, "the description for p0 is not the same in"),
    ("determinize", with_kernel("determinize", determinize_nothing), "breaks the law 'piles are as large as they say'"),
    ("determinize", with_kernel("determinize", determinize_always_alike), "the truth is none of them"),
    ("chances_of_the_hidden", with_kernel("determinize", determinize_without_salmon), "at the first decision of"),
    ("chances_of_the_hidden", with_kernel("determinize", determinize_pairs_only), "at the first decision of"),
    ("seeds", with_kernel("observe", observe_moodily), "two batches with seed 0 differ"),
    ("batch", with_kernel("observe", observe_moodily), "game 0 and its environment differ in the observation"),
    ("batch", with_kernel("returns", returns_moodily), "differ in rewards"),
    ("copies", Inconstant, "a batch's (deepcopy|pickle) plays on differently"),
]


@pytest.mark.parametrize(
    ("check", "game", "message"),
    FAULTS,
    ids=[f"{check}-{game.__name__}" for check, game, _ in FAULTS],
)
def test_a_planted_fault_is_found(check: str, game: type[Picnic], message: str) -> None:
    with pytest.raises(CheckFailed, match=f"(?s)^{check}: .*({message})") as caught:
        check_game(game, num_games=12, checks=[check], compiled=False, num_players=3)
    arguments = f"num_games=12, seed=0, checks=['{check}'], compiled=False, num_players=3"
    assert str(caught.value).endswith(f"\nAgain: check_game({game.__name__}, {arguments})")


def test_every_check_has_a_planted_fault() -> None:
    elsewhere = {"compiled", "refusal", "playthrough"}  # below: what a game's interpreted kernels cannot get wrong
    assert {check for check, _, _ in FAULTS} | elsewhere == set(CHECKS)


def test_determinizations_that_are_the_truth_are_found() -> None:
    class Leaky(Picnic):
        kernels: ClassVar = {**Picnic.kernels, "hide": hide_nothing, "determinize": determinize_nothing}

    with pytest.raises(CheckFailed, match="does not see, but its determinizations are the truth"):
        check_game(Leaky, num_games=5, checks=["determinize"], compiled=False)


def test_what_is_hidden_later_in_the_game_is_compared_too() -> None:
    class Forgetting(Picnic):
        name = "picnic_forgetting"
        kernels: ClassVar = {**Picnic.kernels, "determinize": determinize_burying_the_cheapest}

    with pytest.raises(CheckFailed, match=r"at some moment of .*buried\[\d\]"):
        check_game(Forgetting, checks=["chances_of_the_hidden"])


def test_a_game_that_does_not_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bearenvs.testing.lab.MAX_EVENTS", 500)
    with pytest.raises(CheckFailed, match="does not end in 500 events"):
        check_game(with_kernel("apply", apply_endlessly), checks=["states"], compiled=False)


def test_writing_outside_an_array_is_found_in_compiled_code() -> None:
    class Overrunning(Picnic):
        name = "picnic_overrunning"
        kernels: ClassVar = {**Picnic.kernels, "observe": observe_too_far}

    with pytest.raises(CheckFailed, match=r"observe\(\) writes outside"):
        check_game(Overrunning, num_games=2, checks=["observation"])


def test_small_integers_that_overflow_when_interpreted_are_found() -> None:
    class Overflowing(Picnic):
        name = "picnic_overflowing"
        kernels: ClassVar = {**Picnic.kernels, "returns": returns_overflowing}

    with pytest.raises(CheckFailed, match=r"compiled: RuntimeWarning: overflow|returns differs"):
        check_game(Overflowing, num_games=2, checks=["compiled"])


def test_an_interface_that_plays_what_is_illegal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lenient:
        def step(self, action: Any) -> None:
            with suppress(IllegalActionError):
                original(self, action)

    original: Callable[..., None] = Batch.step
    monkeypatch.setattr(Batch, "step", Lenient.step)
    with pytest.raises(CheckFailed, match=r"the batch plays action \d+, not in the mask"):
        check_game(Picnic, checks=["refusal"], compiled=False)
    monkeypatch.undo()
    original = BearEnv.step
    monkeypatch.setattr(BearEnv, "step", Lenient.step)
    with pytest.raises(CheckFailed, match=r"the environment plays action \d+, not in the mask"):
        check_game(Picnic, checks=["refusal"], compiled=False)


def test_a_record_that_leads_elsewhere_is_found() -> None:
    with pytest.raises(CheckFailed, match="replaying this playthrough leads to another state"):
        check_game(Inconstant, checks=["playthrough"], compiled=False)


# Failures say where


def test_a_failure_can_be_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record up to it is a playthrough, which leads to the moment that failed."""
    with pytest.raises(CheckFailed) as caught:
        check_game(with_kernel("observe", observe_above_one_in_turn), checks=["observation"], compiled=False)
    number, text = str(caught.value).split("After ")[1].split(" events of this game:\n")
    monkeypatch.setitem(bearenvs.GAMES, "picnic", Picnic)
    record = bearenvs.replay(text.split("\nAgain:")[0], partial=True)
    assert len(record.events) == int(number)
    assert record.final_states()["phase"][0] == TURN


def test_failures_repeat() -> None:
    messages = []
    for _ in range(2):
        with pytest.raises(CheckFailed) as caught:
            check_game(with_kernel("sample_chance", sample_alike), seed=4, checks=["chance"], compiled=False)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_how_to_run_a_check_again_is_the_whole_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands there fails in the same way."""
    game = with_kernel("observe", observe_above_one_in_turn)
    monkeypatch.setitem(bearenvs.GAMES, "picnic", game)
    content = Path(__file__).parent / "toy" / "content.toml"
    with pytest.raises(CheckFailed) as caught:
        check_game("picnic", num_games=2, seed=3, compiled=False, content=content, num_players=3)
    call = str(caught.value).rpartition("\nAgain: ")[2]
    arguments = f"num_games=2, seed=3, checks=['observation'], compiled=False, content={str(content)!r}, num_players=3"
    assert call == f"check_game('picnic', {arguments})"
    with pytest.raises(CheckFailed) as again:
        eval(call)
    assert str(again.value) == str(caught.value)


def leaves(dtype: np.dtype[Any], prefix: str = "") -> Iterator[str]:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        for place in np.ndindex(shape):
            yield from leaves(base, f"{prefix}[{', '.join(map(str, place))}]")
    elif dtype.names:
        for name in dtype.names:
            yield from leaves(dtype[name], f"{prefix}.{name}" if prefix else name)
    else:
        yield from [prefix] * dtype.itemsize


def test_every_byte_of_a_state_has_a_name() -> None:
    dtype = Picnic.state_dtype
    assert [field_at(dtype, offset) for offset in range(dtype.itemsize)] == list(leaves(dtype))
