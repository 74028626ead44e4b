"""Rebinding, the disk cache, and that compiled code is the source as it stands."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, cast

import numba
import numpy as np
import pytest

import bearenvs
from bearenvs import drivers, views
from bearenvs.batch import Batch
from bearenvs.bits import count_bits, lowest_bit, positive_places, weighted_place
from bearenvs.game import Game
from bearenvs.instructions import copy_record
from bearenvs.kernel import Binder, inlined, kernel
from bearenvs.pasting import ROW, at_most, one_at, paste, paste_bits, paste_shares, row_of
from bearenvs.running import RunningGame
from tests.toy.game import Picnic

ROOT = Path(__file__).parents[1]
SOURCES = {
    "tiny/entry.py": """
from bearenvs.kernel import kernel
from tiny.helpers import lift

@kernel
def total(values, last):
    result = 0
    for i in range(last):
        result += lift(values[i])
    return result
""",
    "tiny/helpers.py": """
from bearenvs.kernel import kernel
from elsewhere.numbers import OFFSET

@kernel
def lift(value):
    return value + OFFSET
""",
    "elsewhere/numbers.py": "OFFSET = 10\n",
}
RUN = """
import sys
import numpy as np
from pathlib import Path
from bearenvs.kernel import Binder
from tiny import entry
total = Binder("tiny", {}, Path(entry.__file__).parent)(entry.total)
values = np.arange(1, 9)[:4]  # the memory goes on behind the end
print(total(values, int(sys.argv[1])), sum(total.stats.cache_misses.values()))
"""


class Machine:
    """A folder with a game's sources and a cache, in which fresh processes run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        for name, text in SOURCES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def start(self, code: str, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment |= {"PYTHONPATH": f"{self.folder}:{ROOT}", "NUMBA_CACHE_DIR": str(self.cache)} | variables
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def total(self, last: int = 4, **variables: str) -> tuple[int, int, str]:
        """Return what the entry point computes, how many functions were compiled for it, and stderr."""
        out, err = self.start(RUN, str(last), **variables).communicate(timeout=120)
        assert out, err
        result, misses = out.split()
        return int(result), int(misses), err

    @property
    def files(self) -> list[Path]:
        return sorted(file for file in self.cache.rglob("*") if file.is_file())


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


# The disk cache


def test_first_process_compiles_and_says_so_in_a_line_and_the_second_does_neither(machine: Machine) -> None:
    assert machine.total() == (
        50,
        1,
        "bearenvs: compiling tiny for this machine (once; kept for later runs) ...\n",
    )
    assert machine.total() == (50, 0, "")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("tiny/entry.py", "result = 0", "result = 4"),
        ("tiny/helpers.py", "value + OFFSET", "value + OFFSET + 1"),
        ("elsewhere/numbers.py", "10", "11"),  # neither the game's folder nor a file of kernels
    ],
)
def test_an_edit_recompiles_wherever_it_is(machine: Machine, file: str, old: str, new: str) -> None:
    assert machine.total()[0] == 50
    machine.write(file, SOURCES[file].replace(old, new))
    assert machine.total()[:2] == (54, 1)
    assert machine.total()[:2] == (54, 0)
    assert len(machine.files) == 1  # what the old source gave is gone


def test_an_edit_of_what_no_kernel_uses_does_not_recompile(machine: Machine) -> None:
    assert machine.total()[:2] == (50, 1)
    machine.write("tiny/pictures.py", "SIZE = 600\n")
    machine.write("tiny/__init__.py", '"""Another docstring."""\n')
    assert machine.total()[:2] == (50, 0)


def test_bounds_checked_and_unchecked_code_are_kept_apart(machine: Machine) -> None:
    assert machine.total(5)[0] == 65  # past the end, unnoticed
    _, err = machine.start(RUN, "5", NUMBA_BOUNDSCHECK="1").communicate(timeout=120)
    assert "IndexError" in err
    assert machine.total(4, NUMBA_BOUNDSCHECK="1")[:2] == (50, 0)  # compiled by the run that failed
    assert machine.total(5)[:2] == (65, 0)


def test_a_damaged_file_counts_as_missing(machine: Machine) -> None:
    machine.total()
    (file,) = machine.files
    intact = file.read_bytes()
    for damaged in (b"", intact[:5000], intact[:-1] + bytes([intact[-1] ^ 1]), bytes(len(intact))):
        file.write_bytes(damaged)
        assert machine.total()[:2] == (50, 1)
    assert machine.total()[:2] == (50, 0)


def test_without_a_place_to_write_it_works_and_says_what_would_help(machine: Machine) -> None:
    machine.cache.write_text("a file where a folder should be")
    for _ in range(2):
        result, misses, err = machine.total()
        assert (result, misses) == (50, 1)
        assert "set NUMBA_CACHE_DIR to a folder that can be written" in err


def test_processes_may_compile_at_the_same_time(machine: Machine) -> None:
    running = [machine.start(RUN, "4") for _ in range(3)]
    assert [process.communicate(timeout=120)[0].split()[0] for process in running] == ["50"] * 3
    assert machine.total()[:2] == (50, 0)
    assert len(machine.files) == 1


def test_code_without_a_file_runs_and_is_not_kept(machine: Machine) -> None:
    """As in a notebook, whose cells are no files that the next process could compare with."""
    code = f"""
import sys, types
entry = types.SimpleNamespace(__file__="/nowhere/cell.py", __name__="cell")
exec({SOURCES["tiny/entry.py"]!r}, entry.__dict__)
""" + RUN.replace("from tiny import entry", "")
    out, err = machine.start(code, "4").communicate(timeout=120)
    assert out.split()[0] == "50", err
    assert machine.files == []


def test_a_game_in_a_folder_of_ones_own_is_cached_whole(machine: Machine) -> None:
    """All that an environment and a batch compile comes from the cache in the second process."""
    code = """
import bearenvs
from bearenvs.batch import Batch
from tests.toy.game import Picnic
bearenvs.GAMES["picnic"] = Picnic
game = bearenvs.load_game("picnic", num_players=3)
batch = Batch(game, 4, seed=1)
batch.reset()
for _ in range(50):
    batch.step(batch.random_actions())
print(batch.slots.tobytes().hex(), sum(sum(run.stats.cache_misses.values()) for run in game.bind._entries.values()))
"""
    runs = [machine.start(code).communicate(timeout=300) for _ in range(2)]
    (first, misses), (second, misses_again) = (out.split() for out, _ in runs)
    assert first == second
    assert int(misses) > 0 and int(misses_again) == 0
    assert runs[1][1] == ""


def test_switched_off_compilation_plays_the_same(machine: Machine) -> None:
    code = """
import hashlib
import bearenvs
batch = bearenvs.make_batch("honey_wars", 2, num_players=3, seed=5)
batch.reset()
for _ in range(40):
    batch.step(batch.action_mask.argmax(axis=1))
print(batch.game.bind.compiled, hashlib.sha256(batch.slots.tobytes() + batch.observation.tobytes()).hexdigest())
"""
    lines = []
    for off in ("0", "1"):
        out, err = machine.start(code, NUMBA_DISABLE_JIT=off, NUMBA_CACHE_DIR="").communicate(timeout=300)
        assert out, err
        lines.append(out.split())
    assert [line[0] for line in lines] == ["True", "False"]
    assert lines[0][1] == lines[1][1]


# Rebinding


@kernel
def colour(x: int) -> int:
    raise NotImplementedError


@kernel
def red(x: int) -> int:
    return x + 1


@kernel
def blue(x: int) -> int:
    return x + 2


renamed = colour


@kernel
def dark(x: int) -> int:
    return -blue(x)


@kernel
def painted(x: int) -> int:
    return colour(x) * renamed(x)


def make_namesake() -> Callable[[int], int]:
    @kernel
    def colour(x: int) -> int:
        return 100 * x

    return colour


namesake = make_namesake()


@kernel
def mixed(x: int) -> int:
    return colour(x) + namesake(x)


@kernel
def endless(x: int) -> int:
    return endlessly(x)


@kernel
def endlessly(x: int) -> int:
    return endless(x)


@kernel
def unlucky(record: Any) -> int:
    return int(record[0].colour)  # a field that has the name of a kernel


HERE = Path(__file__).parent


@pytest.mark.parametrize("compiled", [True, False])
def test_each_binder_puts_its_own_kernels_in_place(compiled: bool) -> None:
    for replacement, result in ((red, 16), (blue, 25)):
        binder = Binder("paint", {colour: replacement}, HERE, compiled=compiled)
        assert binder(painted)(3) == result
        assert binder(colour)(3) == result**0.5
        assert binder(painted) is binder(painted)
    with pytest.raises(NotImplementedError):
        painted(3)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_helper_with_the_name_of_a_replaced_kernel_stays(compiled: bool) -> None:
    assert Binder("paint", {colour: red}, HERE, compiled=compiled)(mixed)(3) == 4 + 300


def test_the_stamp_tells_kernels_of_one_name_apart() -> None:
    """All of them are in this file, so it is not the sources that do."""
    binders = [Binder("paint", {colour: one}, HERE) for one in (red, blue, namesake)]
    assert len({binder._stamp(binder._bind(painted, ())) for binder in binders}) == 3
    again = Binder("paint", {colour: red}, HERE)
    assert again._stamp(again._bind(painted, ())) == binders[0]._stamp(binders[0]._bind(painted, ()))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_replacement_may_call_what_it_replaces(compiled: bool) -> None:
    assert Binder("paint", {blue: dark}, HERE, compiled=compiled)(blue)(3) == -5


@pytest.mark.parametrize("compiled", [True, False])
def test_a_field_named_like_a_kernel_is_a_field(compiled: bool) -> None:
    rows = np.zeros(1, np.dtype((np.record, [("colour", "i4")])))
    rows["colour"] = 7
    assert Binder("paint", {colour: unlucky}, HERE, compiled=compiled)(unlucky)(rows) == 7


def test_what_is_no_kernel_is_refused_by_name() -> None:
    def helper(x: int) -> int:
        return x

    def closing(x: int) -> int:
        return x + len(HERE.parts) + len(str(helper))

    with pytest.raises(TypeError, match=r"helper.* is not a kernel: mark it with @kernel"):
        Binder("paint", {}, HERE)(helper)
    with pytest.raises(TypeError, match=r"paint: colour is no kernel: mark .*helper.* with @kernel"):
        Binder("paint", {colour: helper}, HERE)
    with pytest.raises(TypeError, match="endless calls itself: kernels do not recurse"):
        Binder("paint", {}, HERE)(endless)
    with pytest.raises(TypeError, match="closing closes over variables: pass them as arguments"):
        Binder("paint", {}, HERE)(kernel(closing))


def test_a_game_without_a_kernel_is_refused() -> None:
    class Partial(Picnic):
        kernels: ClassVar = {name: run for name, run in Picnic.kernels.items() if name != "hide"}

    with pytest.raises(bearenvs.SettingsError, match=r"lacks the kernels \['hide'\]"):
        load(Partial)


# Records


@kernel
def copy_rows(targets: Any, sources: Any) -> None:
    for i in range(len(targets)):
        copy_record(targets[i], sources[i])


@pytest.mark.parametrize("compiled", [True, False])
def test_copy_record_copies_every_byte(compiled: bool) -> None:
    game = load(Picnic)
    sources = np.frombuffer(np.random.default_rng(0).bytes(3 * game.state_dtype.itemsize), game.state_dtype).copy()
    targets = np.zeros(3, game.state_dtype)
    Binder("copies", {}, HERE, compiled=compiled)(copy_rows)(targets, sources)
    assert targets.tobytes() == sources.tobytes()


def test_copy_record_refuses_another_dtype() -> None:
    one, other = (np.zeros(1, np.dtype((np.record, [("a", kind)]))) for kind in ("i4", "i8"))
    with pytest.raises(numba.TypingError, match="two records of one dtype"):
        Binder("copies", {}, HERE)(copy_rows)(one, other)


@kernel
def paste_rows(target: Any, sources: Any) -> None:
    for i in range(len(sources)):
        paste(target, 1 + 6 * i, sources[i])


@pytest.mark.parametrize("compiled", [True, False])
def test_paste_copies_a_records_numbers(compiled: bool) -> None:
    sources = np.zeros(2, np.dtype((np.record, [("numbers", "f4", (2, 3))])))
    sources["numbers"] = np.arange(12).reshape(2, 2, 3)
    target = np.full(14, -1.0, np.float32)
    Binder("pastes", {}, HERE, compiled=compiled)(paste_rows)(target, sources)
    assert target.tolist() == [-1.0, *range(12), -1.0]


def test_paste_refuses_an_array_of_another_kind() -> None:
    sources = np.zeros(2, np.dtype((np.record, [("numbers", "f4", (2, 3))])))
    for target in (np.zeros(14), np.zeros(28, np.float32)[::2]):
        with pytest.raises(numba.TypingError, match="paste needs a contiguous array of float32 and a record"):
            Binder("pastes", {}, HERE)(paste_rows)(target, sources)


BITS = 45


@kernel
def paste_masks(target: Any, masks: Any) -> None:
    for i in range(len(masks)):
        paste_bits(target, 1 + BITS * i, int(masks[i]), BITS)


@pytest.mark.parametrize("compiled", [True, False])
def test_paste_bits(compiled: bool) -> None:
    """Bits beyond the size count for nothing; one place on either side stays as it is."""
    masks = np.random.default_rng(0).integers(-(2**63), 2**63, 100)
    target = np.full(BITS * 100 + 2, -1.0, np.float32)
    Binder("bits", {}, HERE, compiled=compiled)(paste_masks)(target, masks)
    np.testing.assert_array_equal(target, [-1.0, *(masks[:, None] >> np.arange(BITS) & 1).ravel(), -1.0])


@kernel
def paste_ones(target: Any, size: int) -> None:
    paste_bits(target, 0, -1, size)


def test_paste_bits_refuses_an_array_of_another_kind_and_a_size_that_varies() -> None:
    for target, kernel_of_it in ((np.zeros(99), paste_masks), (np.zeros(99, np.float32), paste_ones)):
        argument: Any = np.zeros(2, np.int64) if kernel_of_it is paste_masks else 16
        with pytest.raises(numba.TypingError, match="paste_bits needs a contiguous array of float32 and a constant"):
            Binder("bits", {}, HERE)(kernel_of_it)(target, argument)


@kernel
def paste_rows_of_shares(target: Any, sources: Any) -> None:
    for i in range(len(sources)):
        paste_shares(target, 1 + 127 * i, sources[i].counts[1:], sources[i].wholes)


@pytest.mark.parametrize("compiled", [True, False])
def test_paste_shares_divides_as_float64_does(compiled: bool) -> None:
    """All counts and copies that fit; one place on either side stays as it is."""
    sources = np.zeros(127, np.dtype((np.record, [("counts", "i1", (128,)), ("wholes", "f4", (127,))])))
    sources["counts"] = np.arange(128)
    sources["wholes"] = np.arange(1, 128)[:, None]
    target = np.full(127 * 127 + 2, -1.0, np.float32)
    Binder("pastes", {}, HERE, compiled=compiled)(paste_rows_of_shares)(target, sources)
    quotients = (np.arange(1, 128) / np.arange(1, 128)[:, None]).astype(np.float32)
    np.testing.assert_array_equal(target, [-1.0, *quotients.ravel(), -1.0])


def test_paste_shares_refuses_an_array_of_another_kind() -> None:
    sources = np.zeros(2, np.dtype((np.record, [("counts", "i2", (4,)), ("wholes", "f4", (3,))])))
    with pytest.raises(numba.TypingError, match="paste_shares needs contiguous arrays of float32 and int8"):
        Binder("pastes", {}, HERE)(paste_rows_of_shares)(np.zeros(256, np.float32), sources)


@kernel
def paste_sums(sources: Any, target: Any) -> None:
    for i in range(len(sources)):
        source = sources[i]
        row = row_of(source.many) + row_of(source.few)
        for k in range(len(source.places)):
            row = row - one_at(int(source.places[k]))
        paste_shares(target, 1 + ROW * i, at_most(row, 100), source.wholes)


@pytest.mark.parametrize("compiled", [True, False])
def test_rows(compiled: bool) -> None:
    """Sums, of which those over 100 are limited, less what is at some places, of which -1 and 32 are none."""
    size, random = (200, ROW), np.random.default_rng(0)
    fields = [("many", "i1", ROW), ("few", "i1", ROW), ("places", "i1", 7), ("wholes", "f4", ROW)]
    sources = np.zeros(size[0], np.dtype((np.record, fields)))
    sources["many"], sources["few"] = random.integers(-20, 111, size), random.integers(-20, 11, size)
    sources["places"], sources["wholes"] = random.integers(-1, ROW + 1, (200, 7)), random.integers(1, 128, size)
    sums = sources["many"].astype(int) + sources["few"]
    for row, found in zip(sums, sources["places"], strict=True):
        np.subtract.at(row, found[(found >= 0) & (found < ROW)], 1)
    target = np.full(sums.size + 2, -1.0, np.float32)
    Binder("rows", {}, HERE, compiled=compiled)(paste_sums)(sources, target)
    quotients = (np.minimum(sums, 100) / sources["wholes"].astype(float)).astype(np.float32)
    np.testing.assert_array_equal(target, [-1.0, *quotients.ravel(), -1.0])


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("room", [0, 1, 7, 16, 31, 32, 33])
def test_shares_beyond_the_end_are_left_out(room: int, compiled: bool) -> None:
    fields = [("many", "i1", ROW), ("few", "i1", ROW), ("places", "i1", 7), ("wholes", "f4", ROW)]
    sources = np.zeros(1, np.dtype((np.record, fields)))
    sources["many"], sources["places"], sources["wholes"] = np.arange(1, ROW + 1), -1, 2.0
    block = np.full(1 + ROW + 1 + ROW, -1.0, np.float32)
    Binder("rows", {}, HERE, compiled=compiled)(paste_sums)(sources, block[: 1 + room])
    written = min(room, ROW)
    expected = [-1.0, *np.arange(1, written + 1) / 2, *[-1.0] * (len(block) - 1 - written)]
    np.testing.assert_array_equal(block, expected)


@pytest.mark.parametrize("size", [1, 50, 126, 127])
def test_long_shares_beyond_the_end_are_left_out(size: int) -> None:
    sources = np.zeros(1, np.dtype((np.record, [("counts", "i1", (128,)), ("wholes", "f4", (127,))])))
    sources["counts"], sources["wholes"] = 3, 1.0
    block = np.full(200, -1.0, np.float32)
    Binder("pastes", {}, HERE)(paste_rows_of_shares)(block[: 1 + size], sources)
    np.testing.assert_array_equal(block, [-1.0, *[3.0] * size, *[-1.0] * (199 - size)])


def test_row_of_refuses_an_array_of_another_kind() -> None:
    for many in (("i2", ROW), ("i1", ROW - 1)):
        fields = [("many", *many), ("few", "i1", ROW), ("places", "i1", 7), ("wholes", "f4", ROW)]
        with pytest.raises(numba.TypingError, match="row_of needs a record's array of 32 int8"):
            Binder("rows", {}, HERE)(paste_sums)(np.zeros(1, np.dtype((np.record, fields))), np.zeros(99, np.float32))


def test_a_row_is_divided_by_as_many() -> None:
    fields = [("many", "i1", ROW), ("few", "i1", ROW), ("places", "i1", 7), ("wholes", "f4", ROW - 1)]
    with pytest.raises(numba.TypingError, match="paste_shares needs contiguous arrays of float32 and int8"):
        Binder("rows", {}, HERE)(paste_sums)(np.zeros(1, np.dtype((np.record, fields))), np.zeros(99, np.float32))


@kernel
def places(rows: Any, out: Any) -> None:
    for i in range(len(rows)):
        out[i] = positive_places(rows[i].counts)


@pytest.mark.parametrize("size", [1, 10, 16, 62])
def test_positive_places(size: int) -> None:
    rows = np.zeros(100, np.dtype((np.record, [("counts", "i1", (size,))])))
    rows["counts"] = np.random.default_rng(0).choice([-128, -1, 0, 1, 127], (100, size), p=[0.1, 0.1, 0.6, 0.1, 0.1])
    expected = [sum(1 << place for place in range(size) if row[place] > 0) for row in rows["counts"]]
    for compiled in (True, False):
        out = np.zeros(100, np.int64)
        Binder("places", {}, HERE, compiled=compiled)(places)(rows, out)
        assert out.tolist() == expected


def test_positive_places_refuses_an_array_of_another_kind() -> None:
    for counts in (("i2", (16,)), ("i1", (63,))):
        rows = np.zeros(1, np.dtype((np.record, [("counts", *counts)])))
        with pytest.raises(numba.TypingError, match="positive_places needs a record's array of at most 62 int8"):
            Binder("places", {}, HERE)(places)(rows, np.zeros(1, np.int64))


def load(game: type[Game], **settings: Any) -> Game:
    content = game.content_type.load(game.folder / "content.toml", is_default=True)
    return game(game.settings_type.parse(game.name, settings), content)


def games() -> list[Game]:
    return [*(bearenvs.load_game(name) for name in bearenvs.GAMES), load(Picnic)]


def fields(dtype: np.dtype[Any]) -> Iterator[np.dtype[Any]]:
    """The plain numbers that a record holds."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        for _ in range(int(np.prod(shape))):
            yield from fields(base)
    elif dtype.names:
        for name in dtype.names:
            yield from fields(dtype[name])
    else:
        yield dtype


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_records_have_no_padding_and_states_begin_with_the_header(game: Game) -> None:
    for dtype in (game.state_dtype, game.content_dtype, game.slot_dtype, drivers.result_dtype(game.max_players)):
        assert dtype.itemsize == sum(field.itemsize for field in fields(dtype))
    assert game.state_dtype.names is not None
    assert game.state_dtype.names[:5] == ("to_act", "truncated", "is_out", "ply", "turn")
    assert game.state_dtype.itemsize <= 1024


def test_each_entry_point_is_compiled_once() -> None:
    """Arrays of another layout or type would silently compile a second version."""

    class Fresh(Picnic):
        name = "picnic_fresh"

    game = load(Fresh, num_players=3)
    batch = Batch(game, 5, seed=range(5))
    batch.reset()
    batch.step(batch.random_actions())
    batch.step(list(batch.random_actions()))
    batch.step(np.asfortranarray(np.tile(batch.random_actions(), (2, 1)).T)[:, 0].astype(np.int32))
    frozen = batch.random_actions()
    frozen.flags.writeable = False
    batch.step(frozen)
    shared = Batch(game, 5, num_threads=2)
    shared.reset()
    shared.step(shared.random_actions())
    shared._finish(shared._board, 5)  # which is only asked when a helper is held up
    batch.observe(1)
    batch.observe([0, 1, 2, 0, 1], out=np.empty((5, game.observation_size), np.float32))
    batch.copy().set_state(batch.get_state([0, 1]), [3, 4])
    running = RunningGame(game, 0)
    running.restart()
    running.play(running.legal_actions()[0])
    rng = np.ones(4, np.uint32)
    for states in (running.states, game.record["initial"], batch.states.copy()):
        views.determinized(game, states, 0, rng)
        views.observation(game, states, 0)
        views.returns(game, states)
        views.describe(game, states[:1], 0)
    entries = [cast("Any", run) for run in game.bind._entries.values()]
    assert len(entries) >= 10
    assert {run.__name__: len(run.signatures) for run in entries} == dict.fromkeys((run.__name__ for run in entries), 1)


@kernel
def weighted_places(rows: Any, out: Any) -> None:
    for i in range(len(rows)):
        for rest in range(out.shape[1]):
            out[i, rest] = weighted_place(rows[i].weights, rest)


@pytest.mark.parametrize("dtype", ["i1", "i2"])
@pytest.mark.parametrize("size", [1, 5, 32, 62])
def test_weighted_place_is_that_of_adding_up(size: int, dtype: str) -> None:
    """Also where the compiled one adds up one by one, which is for other numbers than int8."""
    rng = np.random.default_rng(size)
    rows = np.zeros(40, np.dtype((np.record, [("before", "i1"), ("weights", dtype, (size,)), ("after", "i1")])))
    rows["weights"] = rng.integers(0, 127, rows["weights"].shape) * rng.integers(0, 2, rows["weights"].shape)
    rows["weights"][:, -1] = 127
    rows["before"] = rows["after"] = 100
    found = [np.zeros((40, 127), np.int64) for _ in range(2)]
    weighted_places(rows, found[0])
    Binder("places", {}, HERE)(weighted_places)(rows, found[1])
    np.testing.assert_array_equal(found[1], found[0])
    sums = rows["weights"].cumsum(axis=1)
    np.testing.assert_array_equal(found[0], [[int((row <= rest).sum()) for rest in range(127)] for row in sums])


@inlined
def doubled(value: Any) -> Any:
    return value * 2


@kernel
def halved(value: Any) -> Any:
    return value // 2


@kernel
def doubles_and_halves(value: Any) -> Any:
    return doubled(value) + halved(value)


def test_only_what_is_marked_so_is_inlined() -> None:
    bind = Binder("inlining", {}, HERE)
    assert bind(doubles_and_halves)(10) == doubles_and_halves(10) == 25
    callees = {one: cast("Any", bind._bound[one].callee) for one in (doubled, halved)}
    assert {one.__name__: callee.targetoptions["forceinline"] for one, callee in callees.items()} == {
        "doubled": True,
        "halved": False,
    }


@kernel
def count_bits_of(mask: int) -> int:
    return count_bits(mask)


@pytest.mark.parametrize("compiled", [True, False])
def test_count_bits(compiled: bool, tmp_path: Path) -> None:
    count = Binder("bits", {}, tmp_path, compiled=compiled)(count_bits_of)
    for mask in (0, 1, 2**62, 2**63 - 1, *map(int, np.random.default_rng(0).integers(0, 2**63, 100))):
        assert count(mask) == f"{mask:b}".count("1")


@kernel
def lowest_bit_of(mask: int) -> int:
    return lowest_bit(mask)


@pytest.mark.parametrize("compiled", [True, False])
def test_lowest_bit(compiled: bool, tmp_path: Path) -> None:
    find = Binder("bits", {}, tmp_path, compiled=compiled)(lowest_bit_of)
    for place in range(63):
        assert find(1 << place) == find(-1 << place) == find(5 << place & 2**63 - 1 | 1 << place) == place
    assert find(-(2**63)) == 63
