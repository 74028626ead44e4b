"""Batched stepping: one game's play whatever the batch, the threads and the arrays; and what bad input gets."""

import copy
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bearenvs
from bearenvs import load_game, sharing, threads
from bearenvs.atomics import add, load, lower, pause, store
from bearenvs.batch import Batch, make_batch
from bearenvs.errors import (
    BearenvsError,
    IllegalActionError,
    OrderError,
    OutOfSpaceError,
    SaveError,
    SettingsError,
)
from bearenvs.game import TERMINAL, Game
from bearenvs.kernel import kernel
from bearenvs.rng import seed_words
from bearenvs.running import RunningGame
from tests.toy.game import Picnic

ARRAYS = ("to_act", "observation", "action_mask", "rewards", "terminated", "truncated", "seeds")


def picnic(*, compiled: bool = True, **settings: Any) -> Game:
    content = Picnic.content_type.load(Picnic.folder / "content.toml", is_default=True)
    return Picnic(Picnic.settings_type.parse("picnic", settings), content, compiled=compiled)


def started(game: Game | None = None, num_envs: int = 6, **options: Any) -> Batch:
    batch = Batch(picnic(num_players=3) if game is None else game, num_envs, **options)
    batch.reset()
    return batch


def everything(batch: Batch) -> bytes:
    """All that a batch shows, and its games with their generators."""
    return b"".join(getattr(batch, name).tobytes() for name in ARRAYS) + batch.slots.tobytes()


def play(batch: Batch, steps: int = 60) -> list[bytes]:
    """Play at random; return what the batch showed after each step."""
    shown = []
    for _ in range(steps):
        batch.step(batch.random_actions())
        shown.append(everything(batch))
    return shown


# The same play


@pytest.mark.parametrize(
    "game", [picnic(num_players=3), bearenvs.load_game("honey_wars", num_players=4)], ids=lambda game: game.name
)
def test_each_game_plays_as_a_single_one_with_its_seed(game: Game) -> None:
    """Over several games: a new game goes on with the generator of the one that ended."""
    batch = started(game, 5, seed=7)
    singles = [RunningGame(game, int(seed)) for seed in batch.seeds]
    for single in singles:
        single.restart()
    num_ended = 0
    for step in range(1500):
        actions = batch.random_actions()
        batch.step(actions)
        for i, single in enumerate(singles):
            assert single.play(int(actions[i])), step
            assert batch.rewards[i].tolist() == list(single.rewards)
            assert (batch.terminated[i], batch.truncated[i]) == (single.terminated, single.truncated)
            if single.to_act == TERMINAL:
                num_ended += 1
                single.restart()
            assert batch.to_act[i] == single.to_act
            assert batch.states[i].tobytes() == single.states.tobytes()
            assert batch.observation[i].tobytes() == single.observation.tobytes()
            assert batch.action_mask[i].tobytes() == single.action_mask.tobytes()
            assert np.flatnonzero(batch.action_mask[i]).tolist() == single.legal_actions()
    assert num_ended > 5


@pytest.mark.parametrize("num_threads", [2, 3, 16])
def test_the_number_of_threads_changes_nothing(num_threads: int) -> None:
    assert play(started(num_envs=1000, num_threads=1)) == play(started(num_envs=1000, num_threads=num_threads))


def test_compiled_and_interpreted_batches_are_the_same() -> None:
    assert play(started(picnic(num_players=4))) == play(started(picnic(num_players=4, compiled=False)))


def test_seeds() -> None:
    one = started(seed=11)
    assert one.seeds.tolist() == [11, 12, 13, 14, 15, 16]
    assert play(one) == play(started(seed=11))
    assert play(started(seed=11)) != play(started(seed=12))
    chosen = started(num_envs=3, seed=[13, 11, 11])
    assert chosen.states[0].tobytes() == started(seed=11).states[2].tobytes()
    assert chosen.slots[1].tobytes() == chosen.slots[2].tobytes()
    assert started(seed=None).seeds.tolist() != started(seed=None).seeds.tolist()
    unseeded = started(seed=None)
    assert play(unseeded) == play(started(seed=unseeded.seeds))


def test_reset_goes_on_with_the_generators_or_starts_them_anew() -> None:
    batch = started(seed=3)
    first = everything(batch)
    batch.reset()
    assert everything(batch) != first
    batch.reset(seed=3)
    assert everything(batch) == first
    batch.reset(seed=[3, 4, 5, 6, 7, 8])
    assert everything(batch) == first
    assert play(batch) == play(started(seed=3))


def test_random_actions_are_legal_and_leave_the_games_alone() -> None:
    batch = started(num_envs=300)
    before = batch.slots.tobytes()
    mine = np.zeros(300, np.int64)
    assert batch.random_actions(mine) is not None
    assert (batch.action_mask[np.arange(300), mine] == 1).all()
    assert len({tuple(batch.random_actions()) for _ in range(20)}) == 20
    assert batch.slots.tobytes() == before


# What a step shows


def test_a_game_that_ends_starts_anew_in_the_same_step() -> None:
    batch = started(picnic(num_players=2, max_turns=7), 50)
    kinds = set()
    returns = np.zeros((50, 2))
    for _ in range(100):
        assert (batch.states["to_act"] == batch.to_act).all()
        batch.step(batch.random_actions())
        returns += batch.rewards
        over = batch.terminated | batch.truncated
        assert not (batch.terminated & batch.truncated).any()
        assert (batch.states["ply"][over] == 0).all() and (batch.states["ply"][~over] > 0).all()
        assert (batch.states["seats"]["eaten"][:, :2][~over] == returns[~over]).all()  # rewards sum to returns
        assert (batch.action_mask.sum(axis=1) >= 1).all()
        kinds |= {(bool(batch.terminated[i]), bool(batch.truncated[i])) for i in np.flatnonzero(over)}
        returns[over] = 0
    assert kinds == {(True, False), (False, True)}


def test_arrays_are_views_with_the_declared_shapes() -> None:
    batch = started(num_envs=6)
    arrays = {name: getattr(batch, name) for name in ARRAYS}
    game = batch.game
    assert {name: (array.shape, array.dtype.name) for name, array in arrays.items()} == {
        "to_act": ((6,), "int32"),
        "observation": ((6, game.observation_size), "float32"),
        "action_mask": ((6, game.num_actions), "int8"),
        "rewards": ((6, 3), "float64"),
        "terminated": ((6,), "bool"),
        "truncated": ((6,), "bool"),
        "seeds": ((6,), "int64"),
    }
    play(batch, 5)
    batch.reset(seed=9)
    assert all(getattr(batch, name) is array for name, array in arrays.items())
    for name, array in arrays.items():  # what torch.from_numpy asks for
        assert all(stride % array.itemsize == 0 for stride in array.strides), name


def test_states_are_for_reading() -> None:
    batch = started()
    with pytest.raises(ValueError, match="read-only"):
        batch.states["ply"][0] = 3


def test_observe_shows_any_seat() -> None:
    batch = started(num_envs=5)
    play(batch, 9)
    rows = np.arange(5)
    every = np.stack([batch.observe(seat) for seat in range(3)])
    assert (every[batch.to_act, rows] == batch.observation).all()
    assert (batch.observe(batch.to_act) == batch.observation).all()
    mine = np.full((5, batch.game.observation_size), np.nan, np.float32)
    assert np.shares_memory(batch.observe([0, 1, 2, 1, 0], out=mine), mine)
    assert (mine == every[[0, 1, 2, 1, 0], rows]).all()


# Arrays of the caller


def test_output_arrays_of_the_caller_are_written() -> None:
    game = picnic(num_players=3)
    block = np.full((8, game.observation_size), 7, np.float32)
    mask = np.full((6, game.num_actions), 7, np.int8)
    batch = started(game, out={"observation": block[1:7], "action_mask": mask})
    plain = started(game)
    assert play(batch) == play(plain)
    assert (block[1:7] == plain.observation).all() and (mask == plain.action_mask).all()
    assert (block[[0, 7]] == 7).all()
    only = started(game, out={"action_mask": mask})
    assert np.shares_memory(only.action_mask, mask) and only.observation.shape == (6, game.observation_size)


def frozen(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("name", "make", "reason"),
    [
        ("observation", lambda n, d: np.zeros((n, d), np.float64), r"must be float32 of shape \(6, \d+\), got float64"),
        ("observation", lambda n, d: np.zeros((n, d), ">f4"), "must be float32 .* got >f4"),
        ("observation", lambda n, d: np.zeros((n + 1, d), np.float32), r"of shape \(7, \d+\)"),
        ("observation", lambda n, d: np.zeros((d, n), np.float32).T, "must be C-contiguous"),
        ("observation", lambda n, d: np.zeros((n, 2 * d), np.float32)[:, ::2], "must be C-contiguous"),
        ("observation", lambda n, d: frozen(np.zeros((n, d), np.float32)), "writeable"),
        (
            "observation",
            lambda n, d: np.zeros(n * d * 4 + 1, np.uint8)[1:].view(np.float32).reshape(n, d),
            "aligned",
        ),
        ("observation", lambda n, d: [[0.0] * d] * n, "must be a NumPy array, got list"),
        ("obs", lambda n, d: np.zeros((n, d), np.float32), "knows the arrays observation, action_mask; got 'obs'"),
    ],
)
def test_output_arrays_that_do_not_fit_are_refused(name: str, make: Callable[[int, int], Any], reason: str) -> None:
    game = picnic(num_players=3)
    with pytest.raises(SettingsError, match=reason):
        Batch(game, 6, out={name: make(6, game.observation_size)})


def test_output_arrays_must_not_overlap() -> None:
    game = picnic(num_players=3)
    observation = np.zeros((6, game.observation_size), np.float32)
    mask = observation.reshape(-1)[:15].view(np.int8).reshape(6, game.num_actions)
    with pytest.raises(SettingsError, match="overlap"):
        Batch(game, 6, out={"observation": observation, "action_mask": mask})


# Bad actions


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (np.zeros(5, np.int64), r"must have shape \(6,\), got \(5,\)"),
        (np.zeros((6, 1), np.int64), r"got \(6, 1\)"),
        (3, r"got \(\)"),
        ([], r"got \(0,\)"),
        (np.zeros(6), "must be integers, got float64, the first .*0.0"),
        (np.full(6, np.nan), "must be integers, got float64, the first .*nan"),
        (np.zeros(6, bool), "got bool"),
        (np.array([None] * 6), "got object, the first None"),
        (["wait"] * 6, "got <U4"),
        ([[0], [0, 1], [0], [0], [0], [0]], "cannot be made an array of integers"),
        (np.array([0, 0, 0, 0, 10**6, 0]), "game 4: action 1000000 is not from 0 to 9; the legal actions of p0 are"),
        (np.array([0, -1, 0, 0, 0, 0]), "game 1: action -1 is not from 0 to 9"),
        (np.array([0, 0, 2**64 - 1, 0, 0, 0], np.uint64), "game 2: action 18446744073709551615 is not from 0 to 9"),
    ],
)
def test_what_is_no_action_is_refused_and_no_game_moves(actions: Any, reason: str) -> None:
    batch = started()
    before = everything(batch)
    with pytest.raises(OutOfSpaceError, match=reason):
        batch.step(actions)
    assert everything(batch) == before
    assert play(batch) == play(started())


def test_an_illegal_action_in_one_game_is_named_and_no_game_moves() -> None:
    batch = started(num_envs=1000, num_threads=2)
    play(batch, 10)
    before = everything(batch)
    actions = batch.random_actions()
    table, wrong = batch.game.actions, 777
    actions[wrong] = illegal = int(np.flatnonzero(batch.action_mask[wrong] == 0)[0])
    actions[wrong + 1] = 99
    seat = int(batch.to_act[wrong])
    with pytest.raises(IllegalActionError) as caught:
        batch.step(actions)
    assert everything(batch) == before
    legal = ", ".join(f"{i} {table.text(int(i), seat)!r}" for i in np.flatnonzero(batch.action_mask[wrong]))
    assert str(caught.value) == (
        f"game 777: action {illegal} {table.text(illegal, seat)!r} is not legal for p{seat} now;"
        f" the legal actions are {legal}. No game has moved"
    )


def test_integers_of_every_kind_are_actions() -> None:
    for kind in (np.int8, np.uint8, np.int32, np.uint64, ">i4"):
        batch = started()
        batch.step(np.zeros(6, kind))
        batch.step([0] * 6)
        assert (batch.states["ply"] == 2).all()


def test_a_caller_may_reuse_its_array_of_actions() -> None:
    batch = started()
    actions = batch.random_actions()
    kept = actions.copy()
    batch.step(actions)
    assert (actions == kept).all()


# Bad calls


@pytest.mark.parametrize(
    "call",
    [
        lambda batch: batch.step([0] * 6),
        lambda batch: batch.random_actions(),
        lambda batch: batch.observe(0),
        lambda batch: batch.get_state(),
    ],
)
def test_before_reset_nothing_is_under_way(call: Callable[[Batch], Any]) -> None:
    with pytest.raises(OrderError, match=r"call reset\(\) first"):
        call(Batch(picnic(), 6))


@pytest.mark.parametrize(("num_threads", "name"), [(1, "_step_slice"), (2, "_lead")])
def test_an_interrupted_step_asks_for_reset(monkeypatch: pytest.MonkeyPatch, num_threads: int, name: str) -> None:
    batch = started(num_threads=num_threads)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.step(batch.random_actions())
    monkeypatch.undo()
    with pytest.raises(OrderError):
        batch.step([0] * 6)
    batch.reset()
    play(batch, 3)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"num_envs": 0}, "num_envs must be an integer from 1 to .*, got 0"),
        ({"num_envs": 2.0}, "num_envs must be an integer"),
        ({"num_envs": True}, "num_envs must be an integer"),
        ({"num_threads": 0}, "num_threads must be an integer from 1 to 256, got 0"),
        ({"num_threads": "2"}, "num_threads must be"),
        ({"seed": -1}, "seed must be an integer from 0 to .*, got -1"),
        ({"seed": 1.5}, "seed must be"),
        ({"seed": 2**63}, "seed must be"),
        ({"seed": 2**62 - 5}, f"seed must be an integer from 0 to {2**62 - 6}"),
        ({"seed": np.array(1.5)}, "seed must be an integer"),
        ({"seed": [1, 2]}, "seed holds 2 seeds for 6 games"),
        ({"seed": [1, 2, 3, 4, 5, None]}, r"seed\[5\] must be an integer"),
        ({"num_players": 9}, "num_players=9"),
        ({"colour": "red"}, "has no setting 'colour'"),
    ],
)
def test_bad_arguments_say_what_is_allowed(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(SettingsError, match=reason):
        make_batch("honey_wars", **{"num_envs": 6, **arguments})


def test_the_largest_seeds_and_a_seed_in_an_array() -> None:
    assert started(seed=2**62 - 6).seeds.tolist() == list(range(2**62 - 6, 2**62))
    assert started(seed=np.array(5)).seeds.tolist() == [5, 6, 7, 8, 9, 10]


def test_bad_seats_and_outputs_are_refused() -> None:
    batch = started()
    for seats, reason in (
        (3, "seat=3: a seat from 0 to 2"),
        (-1, "from 0 to 2"),
        ([0, 1, 2, 3, 0, 0], "seat=3"),
        (True, "seat=True"),
        (0.5, "integers"),
        ([0, 1], "shape"),
    ):
        with pytest.raises(BearenvsError, match=reason):
            batch.observe(seats)
    with pytest.raises(SettingsError, match="out must be float32 of shape"):
        batch.observe(0, out=np.zeros((6, 3), np.float32))
    with pytest.raises(SettingsError, match="out must be int64 of shape"):
        batch.random_actions(np.zeros(6, np.int32))


# Copies


@pytest.mark.parametrize(
    "duplicate",
    [Batch.copy, copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["copy()", "copy.copy", "copy.deepcopy", "pickle"],
)
def test_any_copy_plays_on_identically(duplicate: Callable[[Batch], Batch]) -> None:
    batch = started(out={"action_mask": np.zeros((6, 10), np.int8)})
    play(batch, 20)
    twin = duplicate(batch)
    assert everything(twin) == everything(batch)
    assert not any(np.shares_memory(getattr(twin, name), getattr(batch, name)) for name in (*ARRAYS, "slots"))
    went_on = play(batch)
    assert play(twin) == went_on


def test_a_copy_before_reset_starts_alike() -> None:
    batch = Batch(picnic(), 3, seed=5)
    twin = batch.copy()
    for one in (batch, twin):
        one.reset()
    assert play(batch) == play(twin)


def test_games_are_put_back_where_they_were() -> None:
    batch = started()
    play(batch, 10)
    saved = pickle.loads(pickle.dumps(batch.get_state()))
    shown = everything(batch)
    play(batch, 10)
    batch.set_state(saved)
    assert everything(batch) == shown

    three = batch.get_state([3])
    batch.set_state(three, games=[0])
    assert batch.states[0].tobytes() == batch.states[3].tobytes()
    for _ in range(30):  # generator and seed went along
        actions = batch.random_actions()
        actions[0] = actions[3]
        batch.step(actions)
        assert batch.slots[0].tobytes() == batch.slots[3].tobytes()
        assert batch.rewards[0].tolist() == batch.rewards[3].tolist()
    assert batch.seeds.tolist() == [3, 1, 2, 3, 4, 5]


def test_a_batch_may_begin_with_saved_games() -> None:
    batch = Batch(picnic(num_players=3), 6, seed=99)
    batch.set_state(started().get_state())
    assert batch.seeds.tolist() == [0, 1, 2, 3, 4, 5]
    assert len({tuple(batch.random_actions()) for _ in range(20)}) > 15
    batch.reset()  # goes on with the saved generators
    twin = started()
    twin.reset()
    assert batch.slots.tobytes() == twin.slots.tobytes()


def test_states_of_other_games_are_refused() -> None:
    batch = started()
    for other in (started(picnic(num_players=2)), started(bearenvs.load_game("honey_wars", num_players=3))):
        before = everything(batch)
        with pytest.raises(SaveError, match=r"saved from .*; this batch plays picnic .*num_players=3"):
            batch.set_state(other.get_state())
        assert everything(batch) == before
    older = replace(batch.get_state(), slots=np.zeros(6, "V3")).sealed()
    with pytest.raises(SaveError, match="another release"):
        batch.set_state(older)
    with pytest.raises(SaveError, match="holds 6 games, to be put in the place of 2"):
        batch.set_state(batch.get_state(), games=[0, 1])
    with pytest.raises(SettingsError, match="games must be from 0 to 5, got 6 to 6"):
        batch.get_state([6])
    with pytest.raises(OrderError, match="before replacing some"):
        Batch(batch.game, 6).set_state(batch.get_state([0]), games=[0])


def test_a_state_that_contradicts_itself_replaces_nothing() -> None:
    batch = started()
    other = started(seed=9).get_state()
    before = batch.slots.tobytes(), batch._results.tobytes(), batch.seeds.tobytes()
    for name in ("results", "seeds"):
        with pytest.raises(SaveError, match=r"contradicts itself: \(6,\) slots"):
            batch.set_state(replace(other, **{name: getattr(other, name)[:4]}).sealed())
    for wrong in (None, (1, 2), pickle.dumps(other)):
        with pytest.raises(SaveError, match="a state is what get_state"):
            batch.set_state(wrong)  # type: ignore[arg-type]  # which is what is tested
    assert (batch.slots.tobytes(), batch._results.tobytes(), batch.seeds.tobytes()) == before


def noise(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.frombuffer(np.random.default_rng(5).bytes(rows.nbytes), rows.dtype)


@pytest.mark.parametrize(
    "change",
    [
        {"slots": noise},  # of random bytes, kernels read outside their arrays
        {"slots": np.zeros_like},  # all 0 is the generator that a kernel draws from for ever
        {"results": noise},
        {"results": lambda results: results.tolist()},
        {"slots": lambda slots: slots.astype(object)},
        {"slots": lambda _: None},
        {"seeds": lambda seeds: seeds + 1},
        {"seeds": lambda seeds: seeds + 0.5},
        {"seeds": lambda seeds: np.full(len(seeds), np.nan)},
        {"seeds": lambda seeds: seeds.astype(str)},
        {"seeds": lambda seeds: seeds.tolist()},
        {"game": lambda game: (game, 1)},
        {"game": lambda game: game.replace("version 0", "version 1")},
        {"checksum": lambda checksum: checksum + 1},
        {"checksum": lambda _: "ab"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_damaged_state_replaces_nothing(change: dict[str, Callable[[Any], Any]]) -> None:
    batch = started()
    other = started(seed=9).get_state()
    damaged = replace(other, **{name: damage(getattr(other, name)) for name, damage in change.items()})
    before = everything(batch)
    with pytest.raises(SaveError, match="damaged: its checksum does not fit"):
        batch.set_state(damaged)
    with pytest.raises(SaveError, match="damaged: its checksum does not fit"):
        batch.set_state(pickle.loads(pickle.dumps(damaged)))
    assert everything(batch) == before
    assert play(batch) == play(started())


def test_seeds_of_another_kind_replace_nothing() -> None:
    batch = started()
    before = everything(batch)
    for seeds in (np.full(6, 1.5), np.array(list("abcdef"))):
        with pytest.raises(SaveError, match="laid out differently"):
            batch.set_state(replace(batch.get_state(), seeds=seeds).sealed())
    assert everything(batch) == before


def test_an_interrupted_replacement_asks_for_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = started()
    saved = started(seed=9).get_state()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(vars(batch.game), "bind", lambda _: interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.set_state(saved)
    monkeypatch.undo()
    with pytest.raises(OrderError):
        batch.step([0] * 6)
    batch.reset()  # from the seeds, so that each game is one that its seed leads to
    assert play(batch) == play(started(seed=batch.seeds))


# Threads


def test_slices_cover_everything_once() -> None:
    for count in (1, 63, 64, 65, 1000, 4096):
        for num_threads in (1, 2, 5):
            seen = np.zeros(count, int)

            def work(first: int, last: int, seen: Any = seen) -> None:
                seen[first:last] += 1

            threads.run_slices(work, count, num_threads)
            assert (seen == 1).all()


def test_an_error_in_a_slice_comes_out_when_nobody_works_any_more() -> None:
    busy = 0
    lock = threading.Lock()

    def work(first: int, _last: int) -> None:
        nonlocal busy
        with lock:
            busy += 1
        try:
            if first > 2000:
                raise ZeroDivisionError
        finally:
            with lock:
                busy -= 1

    for _ in range(50):
        with pytest.raises(ZeroDivisionError):
            threads.run_slices(work, 4096, 4)
        assert busy == 0


def test_after_an_error_nobody_begins_another_slice() -> None:
    begun: list[int] = []
    is_helping, has_failed = threading.Event(), threading.Event()
    caller = threading.get_ident()

    def work(first: int, _last: int) -> None:
        begun.append(first)
        if threading.get_ident() == caller:
            assert is_helping.wait(30)
            has_failed.set()
            raise ZeroDivisionError
        is_helping.set()
        assert has_failed.wait(30)
        time.sleep(0.05)  # the caller gives out what is left before this helper asks for more

    with pytest.raises(ZeroDivisionError):
        threads.run_slices(work, 64 * 8, 2)
    assert len(begun) == 2


def test_threads_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert [threads.default_threads(count) for count in (1, 128, 256, 512, 10**6)] == [1, 1, 2, 4, 8]


@pytest.mark.parametrize("num_threads", [2, 3, 64])
def test_of_many_illegal_actions_the_first_game_is_named_whoever_finds_it(num_threads: int) -> None:
    batch = started(num_envs=700, num_threads=num_threads)
    for first in (699, 650, 400, 31, 0):
        actions = batch.random_actions()
        actions[first::7] = 99
        before = everything(batch)
        with pytest.raises(IllegalActionError, match=rf"^game {first}: "):
            batch.step(actions)
        assert everything(batch) == before
    alone = started(num_envs=700, num_threads=1)
    for _ in range(5):
        alone.random_actions()
    assert play(batch) == play(alone)


def wait_until_alone(batch: Batch) -> None:
    end = time.monotonic() + 30
    while batch._crew._presence.any():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_helpers_leave_by_themselves_and_come_again() -> None:
    batch, alone = started(num_envs=300, num_threads=3), started(num_envs=300, num_threads=1)
    for _ in range(20):
        assert play(batch, 3) == play(alone, 3)
        wait_until_alone(batch)


def test_a_helper_that_never_comes_is_not_waited_for() -> None:
    batch = started(num_envs=300, num_threads=3)
    play(batch, 1)
    wait_until_alone(batch)
    batch._crew._presence[:] = 1  # the leader thinks that they are there
    assert play(batch, 10) == play(started(num_envs=300, num_threads=1), 11)[1:]


def test_helpers_keep_no_batch_alive() -> None:
    batch = started(num_envs=300, num_threads=3)
    play(batch, 5)
    wait_until_alone(batch)
    slots = weakref.ref(batch.slots)
    del batch
    end = time.monotonic() + 30
    while slots() is not None:  # the pool's threads may still hold what they worked on last
        assert time.monotonic() < end
        time.sleep(0.01)


def test_words_are_counted_in_by_many_threads_at_once() -> None:
    words = np.zeros(2, np.int64)
    count = load_game("honey_wars").bind(count_up)
    count(words, 0)
    helpers = [threading.Thread(target=count, args=(words, 200_000)) for _ in range(4)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
    assert words.tolist() == [800_000, -800_000]
    plain = np.zeros(2, np.int64)
    count_up(plain, 10)
    assert plain.tolist() == [10, -10]


@kernel
def count_up(words: Any, times: int) -> None:
    for _ in range(times):
        lower(words, 1, -1 - add(words, 0, 1))
        pause()
    store(words, 1, load(words, 1))


def test_helpers_compile_nothing() -> None:
    """A helper outlasts the call that it helps with: a child forked meanwhile would inherit Numba's lock, locked."""

    class Fresh(Picnic):
        """Of which this process has loaded nothing yet."""

    usual = picnic(num_players=3)
    game = Fresh(usual.settings, usual.content)
    help_out: Any = game.bind(sharing.help_out)
    assert not help_out.signatures
    batch = started(game, num_envs=256, num_threads=2)
    assert len(help_out.signatures) == 1
    play(batch, 3)
    assert len(help_out.signatures) == 1


CALLS: dict[str, Callable[[Batch], Any]] = {
    "step": lambda batch: batch.step([0] * batch.num_envs),
    "reset": Batch.reset,
    "random_actions": Batch.random_actions,
    "observe": lambda batch: batch.observe(0),
    "get_state": Batch.get_state,
    "set_state": lambda batch: batch.set_state(started(num_envs=batch.num_envs).get_state()),
    "copy": Batch.copy,
    "copy.copy": copy.copy,
    "pickle": pickle.dumps,
}


def in_another_thread(work: Callable[[], Any]) -> None:
    """Do ``work`` in a thread, and pass on its error."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result(30)


@pytest.mark.parametrize("inner", CALLS)
@pytest.mark.parametrize("outer", ["step", "observe"])
def test_a_second_thread_is_refused(monkeypatch: pytest.MonkeyPatch, outer: str, inner: str) -> None:
    """Two leaders of one team waited for each other for ever."""
    batch = started()
    before = everything(batch)

    def meanwhile(*_: object) -> int:
        with pytest.raises(OrderError, match="another thread is using this batch"):
            in_another_thread(lambda: CALLS[inner](batch))
        assert everything(batch) == before
        return -1

    monkeypatch.setattr(batch, "_step_slice", meanwhile)
    monkeypatch.setitem(vars(batch.game), "bind", lambda _: meanwhile)
    CALLS[outer](batch)
    monkeypatch.undo()
    in_another_thread(lambda: CALLS[inner](batch))
    play(batch, 3)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_fails_lets_the_next_thread_in(call: str) -> None:
    batch = started()
    for _ in range(2):
        for wrong in (lambda: batch.step(None), lambda: batch.observe(99), lambda: batch.reset(-1)):  # type: ignore[arg-type]
            with pytest.raises(BearenvsError, match=r"actions|seat|seed"):
                wrong()
        in_another_thread(lambda: CALLS[call](batch))


@pytest.mark.parametrize("num_threads", [1, 2])
def test_of_many_threads_at_once_those_that_are_let_in_play_on(num_threads: int) -> None:
    batch = started(num_envs=300, num_threads=num_threads)
    num_steps: list[int] = []

    def hammer() -> None:
        done = 0
        for _ in range(300):
            try:
                batch.step(batch.random_actions())
                done += 1
            except BearenvsError:  # another thread is using it, or its step has made the actions illegal
                pass
        num_steps.append(done)

    hammerers = [threading.Thread(target=hammer, daemon=True) for _ in range(4)]
    for hammerer in hammerers:
        hammerer.start()
    for hammerer in hammerers:
        hammerer.join(60)
    assert len(num_steps) == 4 and sum(num_steps) > 0
    assert not batch._users
    play(batch, 3)


INTERRUPTS = """
import _thread, sys, threading
sys.path.insert(0, sys.argv[1])
from bearenvs.errors import OrderError
from tests.test_batch import play, started

batch = started(num_envs=64, num_threads=int(sys.argv[2]))
play(batch, 3)  # Numba loads code, in which an interrupt could harm it
batch.reset()
for place in range(200):
    timer = threading.Timer(place * 1e-5, _thread.interrupt_main)
    try:
        timer.start()
        late = 0  # what runs while Python can raise nothing, a finalizer say, may swallow an interrupt
        while late < 100:
            late += not timer.is_alive()
            if not batch._is_ready:
                batch.reset()
            batch.step(batch.random_actions())
    except (KeyboardInterrupt, OrderError):
        pass
    timer.join()
    assert not batch._users
other = threading.Thread(target=batch.reset)
other.start()
other.join()
print(len(play(batch, 3)))
"""


@pytest.mark.parametrize("num_threads", [1, 2])
def test_interrupts_lock_nobody_out(num_threads: int) -> None:
    """Wherever they come: in a process of its own, since they may come late, where pytest is not proof against them."""
    command = [sys.executable, "-c", INTERRUPTS, str(Path(__file__).parents[1]), str(num_threads)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr


def test_an_interrupted_reset_leaves_seeds_that_the_next_one_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = started()
    count = 0

    def interrupted(seed: int) -> Any:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        return seed_words(seed)

    monkeypatch.setattr("bearenvs.batch.seed_words", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.reset(seed=50)
    with pytest.raises(OrderError):
        batch.step([0] * 6)
    batch.reset()
    assert batch.seeds.tolist() == [50, 51, 52, 53, 54, 55]
    assert play(batch) == play(started(seed=50))


FORK = """
import multiprocessing, sys, threading
sys.path.insert(0, sys.argv[1])
from bearenvs.threads import run_slices
from tests.test_batch import started, play

batch = started(num_envs=2000, num_threads=2)
play(batch, 3)  # the pool has threads now

def child(queue):
    both = threading.Barrier(2)
    run_slices(lambda first, last: both.wait(30), 128, 2)  # two slices, each of which waits for the other
    queue.put(play(batch, 3)[-1])
    batch._users[:] = [1]  # as if another thread had been in a call when this one forked
    batch._process = 0
    play(batch, 3)

if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,), daemon=True)
    process.start()
    print(queue.get(timeout=60) == play(batch, 3)[-1])
    process.join(30)
    print(process.exitcode)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_steps_on(tmp_path: Path) -> None:
    """With threads of its own: those of the parent's pool do not exist there."""
    script = tmp_path / "forking.py"
    script.write_text(FORK)
    done = subprocess.run(
        [sys.executable, str(script), str(Path(__file__).parents[1])],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.split() == ["True", "0"], done.stderr
