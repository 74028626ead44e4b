"""Exported policies: the same decisions without torch, cards that tell the truth, and files of every bad kind."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.reference
import pytest
from bearagents import policy as policies
from bearagents.agent import AgentError, Views
from bearagents.cli import app
from bearagents.duel import duel
from bearagents.export import export
from bearagents.heuristics import HeuristicAgent
from bearagents.mlp import MAX_BYTES, Mlp, decode, encode
from bearagents.names import load_agent
from bearagents.policy import CARD, Policy, PolicyError, read_card
from onnx import helper, numpy_helper
from typer.testing import CliRunner

from bearenvs.batch import Batch
from bearenvs.errors import SettingsError
from bearenvs.game import Game
from bearenvs.registry import GAMES, load_game
from tests.agents.toy_game import ToyGame
from tests.agents.untrained import save_untrained

SIZES = (5, 4, 3)


@pytest.fixture
def game() -> Game:
    return load_game("honey_wars", num_players=2)


@pytest.fixture
def exported(game: Game, tmp_path: Path) -> Path:
    save_untrained(tmp_path / "run", game)
    export(tmp_path / "run", tmp_path / "out", games=20)
    return tmp_path / "out"


def layers_of(sizes: tuple[int, ...] = SIZES, scale: float = 1.0) -> Any:
    rng = np.random.default_rng(0)
    pairs = pairwise(sizes)
    return [
        (rng.normal(0, scale, pair).astype(np.float32), rng.normal(size=pair[1]).astype(np.float32)) for pair in pairs
    ]


# The model


def test_a_model_keeps_its_layers_and_any_runtime_computes_it() -> None:
    layers = layers_of()
    data = encode(layers)
    for (weight, bias), (kept_weight, kept_bias) in zip(layers, decode(data, SIZES), strict=True):
        np.testing.assert_array_equal(weight, kept_weight)
        np.testing.assert_array_equal(bias, kept_bias)
    onnx.checker.check_model(onnx.ModelProto.FromString(data), full_check=True)
    rows = np.random.default_rng(1).random((7, 5), np.float32)
    (first, shift), (second, last) = layers
    expected = np.maximum(rows @ first + shift, 0) @ second + last
    np.testing.assert_allclose(Mlp(layers)(rows), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(computed(data, rows), expected, rtol=1e-5, atol=1e-6)


def test_a_large_model_is_stored_in_half_precision_and_a_larger_one_not_at_all() -> None:
    sizes = (1000, 700, 3)
    layers = layers_of(sizes)
    data = encode(layers)
    assert 1_400_000 < len(data) < MAX_BYTES
    for found, expected in zip(decode(data, sizes), layers, strict=True):
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == np.float32
            np.testing.assert_array_equal(one, other.astype(np.float16))
    onnx.checker.check_model(onnx.ModelProto.FromString(data), full_check=True)
    rows = np.random.default_rng(1).random((3, 1000), np.float32)
    np.testing.assert_allclose(Mlp(decode(data, sizes))(rows), computed(data, rows), rtol=1e-4, atol=1e-3)
    with pytest.raises(ValueError, match=r"bytes in float16; 2,000,000 are allowed: train a smaller one"):
        encode(layers_of((1500, 700, 3)))


def computed(data: bytes, rows: Any) -> Any:
    """The logits by ONNX's own plain evaluator."""
    evaluator: Any = onnx.reference.ReferenceEvaluator(onnx.ModelProto.FromString(data))
    return evaluator.run(None, {"observation": rows})[0]


def changed(change: Callable[[Any], None]) -> bytes:
    model = onnx.ModelProto.FromString(encode(layers_of()))
    change(model)
    return bytes(model.SerializeToString())


def set_weight(model: Any, array: Any, name: str = "weight_0") -> None:
    next(t for t in model.graph.initializer if t.name == name).CopyFrom(numpy_helper.from_array(array, name))


def external(model: Any) -> None:
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="/etc/passwd")


def foreign_operator(model: Any) -> None:
    model.graph.node[0].op_type, model.graph.node[0].domain = "Gemmy", "com.example"
    model.opset_import.append(helper.make_opsetid("com.example", 1))


def lying_dimensions(model: Any) -> None:
    model.graph.initializer[0].dims[:] = [2**40, 2**40]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it has no weight_0"),
        (b"\xff" * 100, "not an ONNX model"),
        (encode(layers_of())[:-40], "not an ONNX model"),
        (encode(layers_of((5, 6, 3))), r"layer 0 is \(5, 6\) and \(6,\), not 5 to 4"),
        (encode(layers_of((5, 4, 3, 3))), r"not a network as 'bearenvs export' writes it"),
        (encode(layers_of((5, 4))), "it has no weight_1"),
        (changed(external), "weight_0 lies in another file"),
        (changed(foreign_operator), "not a network as"),
        (changed(lying_dimensions), "weight_0 is not "),
        (changed(lambda model: set_weight(model, np.zeros((5, 4)))), "weight_0 is not .* of float32"),
        (changed(lambda model: set_weight(model, np.zeros((5, 4), np.float16))), "not a network as"),
        (changed(lambda model: set_weight(model, np.full((5, 4), np.nan, np.float32))), "weights are not finite"),
        (
            changed(lambda model: model.graph.node[1].CopyFrom(helper.make_node("Tanh", ["sum_0"], ["hidden_0"]))),
            "not a",
        ),
        (changed(lambda model: model.graph.node.append(model.graph.node[0])), "not a network as"),
        (changed(lambda model: model.metadata_props.add(key="a", value="b")), "not a network as"),
        (changed(lambda model: model.functions.add(name="f", domain="d")), "not a network as"),
        (b"\0" * (MAX_BYTES + 1), "2,000,001 bytes, and 2,000,000 are allowed"),
    ],
)
def test_models_from_elsewhere_are_refused_with_a_reason(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        decode(data, SIZES)


# The files


def test_an_exported_policy_decides_as_the_archive_it_came_from(game: Game, exported: Path) -> None:
    run, model = (Policy.load(exported.parent / name, greedy=True) for name in ("run", "out"))
    batch = Batch(game, 512, seed=3)
    batch.reset()
    views, decisions = Views(batch), 0
    drawn = [Policy(one.name, one.card, one.layers) for one in (run, model)]
    for _ in range(20):
        view = views.of(np.arange(512))
        actions = model.act(view)
        np.testing.assert_array_equal(run.act(view), actions)
        np.testing.assert_array_equal(drawn[0].act(view), drawn[1].act(view))
        decisions += len(np.unique(actions))
        batch.step(actions)
    assert decisions > 100


def test_the_card_says_what_was_measured(game: Game, exported: Path) -> None:
    card = read_card(exported)
    assert {file.name for file in exported.iterdir()} == {CARD, card.archive}
    assert card.archive_digest == hashlib.sha256(model_of(exported).read_bytes()).hexdigest()
    assert card.archive == f"network-{card.archive_digest[:12]}.onnx"
    rest = card.model_copy(update={"archive": "policy-0.zip", "archive_digest": None, "strength": ()})
    assert rest == read_card(exported.parent / "run")
    assert [(found.opponent, found.games, found.even_share) for found in card.strength] == [
        ("random", 20, 0.5),
        ("heuristic", 20, 0.5),
    ]
    found = duel(Policy.load(exported, greedy=True), HeuristicAgent(), game, 20).win_share
    told = card.strength[1]
    assert (told.win_share, told.low, told.high) == (found.value, found.low, found.high)


def test_a_team_has_no_even_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Team(ToyGame):
        is_cooperative = True

    monkeypatch.setitem(GAMES, "toy", Team)
    save_untrained(tmp_path / "run", load_game("toy", num_players=2))
    export(tmp_path / "run", tmp_path / "out", games=20, against=["random"])
    (found,) = read_card(tmp_path / "out").strength
    assert found.even_share is None
    shown = CliRunner().invoke(app, ["export", str(tmp_path / "run"), str(tmp_path / "out"), "--games", "20"]).stdout
    assert f"wins    {found.win_share:.1%} with random (95%: " in shown and "even:" not in shown


def test_exports_can_be_exported_again_and_runs_are_not_overwritten(game: Game, exported: Path) -> None:
    before = model_of(exported).read_bytes()
    again = export(exported, exported, games=40, against=["random"], seed=5)
    assert model_of(exported).read_bytes() == before
    assert [(found.opponent, found.games, found.seed) for found in again.strength] == [("random", 40, 5)]
    with pytest.raises(PolicyError, match="run holds a training run: export into another folder"):
        export(exported, exported.parent / "run")
    with pytest.raises(AgentError, match="there is no agent 'nobody'"):
        export(exported, exported.parent / "new", against=["nobody"])
    with pytest.raises(SettingsError, match="games=1"):
        export(exported, exported.parent / "new", games=1)
    assert not (exported.parent / "new").exists()
    save_untrained(exported.parent / "better", game, steps=7)
    export(exported.parent / "better", exported, against=[])
    assert model_of(exported).read_bytes() != before
    assert {file.name for file in exported.iterdir()} == {CARD, model_of(exported).name}  # the old one is gone
    (exported.parent / "file").write_text("")
    with pytest.raises(PolicyError, match=r"file: cannot be written"):
        export(exported, exported.parent / "file", games=20)


def test_games_that_an_opponent_forfeits_are_no_strength(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = [
        "class Lost:",
        " name = 'lost'",
        " def reset(self, seed): ...",
        " def act(self, view): raise OSError('no map')",
    ]
    (tmp_path / "lost_agents.py").write_text("\n".join(source), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = {file.name: file.read_bytes() for file in exported.iterdir()}
    says = r"^20 of 20 games were forfeited, .*: agent 'lost_agents:Lost' failed: OSError: no map"
    with pytest.raises(AgentError, match=says):
        export(exported, exported, games=20, against=["random", "lost_agents:Lost"])
    assert {file.name: file.read_bytes() for file in exported.iterdir()} == before
    with pytest.raises(AgentError, match="were forfeited"):
        export(exported, tmp_path / "new", games=20, against=["lost_agents:Lost"])
    assert not list((tmp_path / "new").iterdir())


def test_too_large_a_network_is_not_exported(game: Game, tmp_path: Path) -> None:
    save_untrained(tmp_path / "run", game, hidden=(1000, 1000))
    with pytest.raises(PolicyError, match=r"run: a network of .* bytes in float16"):
        export(tmp_path / "run", tmp_path / "out")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda file: file.unlink(), "cannot be read as the policy on its card"),
        (lambda file: file.write_bytes(file.read_bytes()[:-1]), "its SHA-256 differs"),
        (lambda file: file.write_bytes(b"\0" * (MAX_BYTES + 1)), "more than 2,000,000 bytes"),
        (lambda file: sign(file, encode(layers_of())), r"layer 0 is \(5, 4\)"),
    ],
)
def test_damaged_files_are_refused_with_a_reason(damage: Any, says: str, exported: Path) -> None:
    damage(model_of(exported))
    with pytest.raises(PolicyError, match=says):
        Policy.load(exported)


def test_a_card_sets_settings_and_nothing_else(exported: Path) -> None:
    card = json.loads((exported / CARD).read_text())
    card["settings"]["compiled"] = False
    (exported / CARD).write_text(json.dumps(card))
    with pytest.raises(SettingsError, match="compiled"):
        export(exported, exported.parent / "new", games=20)


def model_of(folder: Path) -> Path:
    return folder / read_card(folder).archive


def sign(file: Path, data: bytes) -> None:
    """Replace a model as somebody would who means harm: with the card to match."""
    file.write_bytes(data)
    card = json.loads((file.parent / CARD).read_text())
    (file.parent / CARD).write_text(json.dumps(card | {"archive_digest": hashlib.sha256(data).hexdigest()}))


def test_exported_policies_play_without_torch(exported: Path) -> None:
    code = """
import sys
from bearagents.arena import compete
from bearagents.names import load_agent
from bearenvs import load_game
game = load_game("honey_wars", num_players=2)
agents = {name: load_agent(name, game) for name in ("random", sys.argv[1])}
assert compete(game, agents, games=4).decisions.all()
sys.exit("torch" in sys.modules or "onnxruntime" not in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code, str(exported)], check=False).returncode == 0


def test_without_the_extra_the_error_names_it(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(PolicyError, match=r"needs the extra 'policies': pip install 'bearenvs\[policies\]'"):
        Policy.load(exported)


# Those that come with the package


def test_ppo_is_the_policy_for_the_game_and_the_number_of_players(
    game: Game, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policies, "SHIPPED", exported.parent)
    three = load_game("honey_wars", num_players=3)
    with pytest.raises(PolicyError, match=r"no policy for honey_wars with 2 players comes .*; those that do: out, run"):
        load_agent("ppo", game)
    exported.rename(exported.parent / "honey_wars-2p")
    agent = load_agent("ppo", game)
    assert isinstance(agent, Policy) and agent.name == "ppo" and agent.greedy
    with pytest.raises(PolicyError, match="no policy for honey_wars with 3 players"):
        load_agent("ppo", three)


SHIPPED = [
    ("honey_wars", 2),
    ("honey_wars", 4),
    ("outrun_the_bear", 3),
    ("outrun_the_bear", 6),
    ("ursa_miner", 2),
    ("ursa_miner", 4),
]


def test_these_policies_are_shipped_and_no_others() -> None:
    there = {folder.name for folder in policies.SHIPPED.glob("*/")}
    assert there == {f"{name}-{num_players}p" for name, num_players in SHIPPED}


@pytest.mark.parametrize(("name", "num_players"), SHIPPED)
def test_shipped_policies_are_what_their_folders_and_cards_say(name: str, num_players: int) -> None:
    folder = policies.SHIPPED / f"{name}-{num_players}p"
    card = read_card(folder)
    game = load_game(card.game, **card.settings)
    assert (game.name, game.num_players) == (name, num_players)
    assert folder == policies.shipped(game)
    assert card.content is None and card.is_exported
    agent = load_agent("ppo", game)
    assert isinstance(agent, Policy) and agent.card == card
    assert sum(file.stat().st_size for file in folder.iterdir()) <= MAX_BYTES + 100_000
    told = {found.opponent: found for found in card.strength}
    assert told["heuristic"].games >= 1000 and told["heuristic"].low > 1 / game.num_players
    against = told["heuristic"]
    row = (
        f"| {game.title} | {game.num_players} | {card.steps:,} | {card.seconds / 60:.0f} | {against.games:,}"
        f" | {against.win_share:.1%} | {against.low:.1%} to {against.high:.1%} | {against.even_share:.1%} |"
    )
    figures = (Path(__file__).parents[2] / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert row in figures
    assert card.command.startswith(f"bearenvs train {game.name} --num-players {game.num_players} ")
