"""Policies: files that stay whole, cards that say what a policy can play, a masked distribution that cannot fail."""

import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from bearagents.agent import View
from bearagents.heuristics import HeuristicAgent
from bearagents.network import MaskedCategorical
from bearagents.policy import (
    CARD,
    MAX_CARD_BYTES,
    Policy,
    PolicyCard,
    PolicyError,
    PolicyWarning,
    draw,
    read_card,
    save,
)
from bearagents.random import RandomAgent
from bearagents.selfplay import ADVISED, Opponent, SelfPlayVecEnv
from stable_baselines3.common.save_util import save_to_zip_file

from bearenvs.game import Game
from bearenvs.registry import load_game
from tests.agents.toy_game import toy_game
from tests.agents.untrained import card_of, save_untrained


def view_of(game: Game, n: int) -> View:
    rng = np.random.default_rng(0)
    mask = rng.integers(0, 2, (n, game.num_actions)).astype(np.int8)
    mask[np.arange(n), rng.integers(0, game.num_actions, n)] = 1
    return View(
        game=game,
        states=np.zeros(n, game.state_dtype),
        seats=np.zeros(n, np.int64),
        observation=rng.random((n, game.observation_size), np.float32),
        action_mask=mask,
        legal=np.zeros((n, game.max_legal), np.int16),
        num_legal=np.ones(n, np.int64),
        rng=rng.integers(0, 2**32, (n, 4), dtype=np.uint32),
    )


def test_a_saved_policy_plays_as_its_network_does(tmp_path: Path) -> None:
    game = toy_game(compiled=False)
    built = save_untrained(tmp_path / "mine", game)
    view = view_of(game, 20_000)
    policy = Policy.load(tmp_path / "mine")
    assert policy.name == "mine" and policy.card == card_of(game)
    distribution = built.get_distribution(torch.from_numpy(view.observation), view.action_mask)
    probabilities = (
        torch.stack([distribution.log_prob(torch.full((20_000,), a)) for a in range(4)], 1).exp().detach().numpy()
    )
    actions = policy.act(view)
    assert (view.action_mask[np.arange(len(view)), actions] == 1).all()
    counts, expected = np.bincount(actions, minlength=4), probabilities.sum(0)
    np.testing.assert_allclose(counts, expected, atol=5 * np.sqrt(20_000) / 2)
    greedy = Policy.load(tmp_path / "mine", greedy=True).act(view)
    np.testing.assert_array_equal(greedy, distribution.mode().numpy())


def test_choices_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    game = toy_game(compiled=False)
    save_untrained(tmp_path, game)
    policy, view = Policy.load(tmp_path), view_of(game, 50)
    one_by_one = [
        policy.act(
            View(
                game, **{name: array[i : i + 1] for name, array in vars(view).items() if isinstance(array, np.ndarray)}
            )
        )
        for i in range(50)
    ]
    np.testing.assert_array_equal(np.concatenate(one_by_one), policy.act(view))


def test_advice_is_added_to_what_the_network_says(tmp_path: Path) -> None:
    game = load_game("honey_wars", num_players=2)
    env = SelfPlayVecEnv(game, 300, [Opponent(RandomAgent())], advisor=HeuristicAgent())
    env.reset()
    for _ in range(5):
        env.step((env.action_masks() > 0).argmax(1))
    built = save_untrained(tmp_path, game, advice=0.5)
    policy, view, masks = Policy.load(tmp_path, greedy=True), env.view(), env.action_masks()
    expected = built.get_distribution(torch.from_numpy(view.observation), masks).mode().numpy()
    np.testing.assert_array_equal(policy.act(view), expected)
    logits = policy.logits(view.observation)
    alone = np.where(view.action_mask != 0, logits, -np.inf).argmax(1)
    assert (alone != expected).any()  # the advice counts,
    advised = np.where(masks == ADVISED, 1, 0).argmax(1)
    assert (advised != expected).any()  # and the network does
    np.testing.assert_array_equal(advised, HeuristicAgent().act(view))


def test_draw_never_takes_what_is_illegal() -> None:
    logits = np.array([[-np.inf, 0.0, -np.inf, 1.0, -np.inf], [-np.inf, -1e4, 1e4, -np.inf, -np.inf]], np.float32)
    for uniform in (0.0, 0.2, 0.999, 1 - 2**-53):
        assert draw(logits, np.full(2, uniform)).tolist() in ([1, 2], [3, 2])


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (toy_game(compiled=False, num_players=3), "number of players: 2, not 3"),
        (load_game("honey_wars", compiled=False), "game: toy, not honey_wars"),
    ],
)
def test_a_policy_refuses_what_it_was_not_trained_for(game: Game, what: str, tmp_path: Path) -> None:
    save_untrained(tmp_path / "mine", toy_game(compiled=False))
    with pytest.raises(PolicyError, match=f"policy mine was trained for another {what}"):
        Policy.load(tmp_path / "mine").act(view_of(game, 1))


def test_a_policy_refuses_another_version_and_other_content(tmp_path: Path) -> None:
    game = toy_game(compiled=False)
    save_untrained(tmp_path, game)
    for field, value, what in (("version", 4, "game version: 4, not 3"), ("content_digest", "0", "content: 0, not")):
        card = json.loads((tmp_path / CARD).read_text())
        (tmp_path / CARD).write_text(json.dumps(card | {field: value}))
        with pytest.raises(PolicyError, match=what):
            Policy.load(tmp_path).check(game)
        (tmp_path / CARD).write_text(json.dumps(card))


def test_other_settings_are_no_other_game_but_are_said(tmp_path: Path) -> None:
    save_untrained(tmp_path / "mine", toy_game(compiled=False, die_sides=3))
    policy = Policy.load(tmp_path / "mine")
    policy.check(toy_game(compiled=False, die_sides=3))
    for other, says in (
        (toy_game(compiled=False), "policy mine was trained with die_sides=3, not 12"),
        (toy_game(compiled=False, die_sides=3, max_turns=5), "policy mine was trained with max_turns=40, not 5"),
    ):
        with pytest.warns(PolicyWarning, match=says):
            policy.check(other)


def replace_by_a_device(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / CARD).unlink(), "no policy there"),
        (lambda folder: (folder / CARD).write_text("{"), "not a policy's card"),
        (lambda folder: (folder / CARD).write_bytes(b"\xff\xfe"), "no policy there"),
        (lambda folder: (folder / CARD).write_text('{"game": 3}'), "not a policy's card: game"),
        (lambda folder: (folder / CARD).write_bytes(b" " * MAX_CARD_BYTES + b"{}"), "more than 1,000,000 bytes"),
        (lambda folder: replace_by_a_device(folder / CARD), "not a regular file"),
        (
            lambda folder: (folder / CARD).write_text((folder / CARD).read_text().replace("policy-0", "../policy-0")),
            "not a policy's card: archive",
        ),
        (lambda folder: (folder / "policy-0.zip").unlink(), "cannot be read"),
        (lambda folder: (folder / "policy-0.zip").write_bytes(b"PK"), "cannot be read"),
        (lambda folder: zipfile.ZipFile(folder / "policy-0.zip", "w").close(), "cannot be read"),
        (
            lambda folder: (folder / CARD).write_text(
                (folder / CARD).read_text().replace('"num_actions": 4', '"num_actions": 5')
            ),
            "cannot be read",
        ),
        *(
            (
                lambda folder, advice=advice: (folder / CARD).write_text(
                    (folder / CARD).read_text().replace('"advice": 0.0', f'"advice": {advice}')
                ),
                "not a policy's card: advice",
            )
            for advice in ("NaN", "Infinity", "1e9", "-1.0")
        ),
    ],
)
def test_damaged_files_are_refused_with_a_reason(damage: Any, message: str, tmp_path: Path) -> None:
    save_untrained(tmp_path, toy_game(compiled=False))
    damage(tmp_path)
    with pytest.raises(PolicyError, match=message):
        Policy.load(tmp_path)


def test_weights_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    game = toy_game(compiled=False)
    parameters: Any = {"policy": save_untrained(tmp_path, game).state_dict()}
    parameters["policy"]["action_net.bias"][0] = float("nan")
    save(tmp_path, card_of(game), lambda path: save_to_zip_file(path, params=parameters))
    with pytest.raises(PolicyError, match="its weights are not finite"):
        Policy.load(tmp_path)


def test_an_interrupted_save_leaves_the_earlier_policy_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = toy_game(compiled=False)
    save_untrained(tmp_path, game, steps=1)

    def half(path: Path) -> None:
        path.write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(tmp_path, card_of(game, 2), half)
    assert Policy.load(tmp_path).card.steps == 1
    replace = Path.replace

    def fail_at_the_card(self: Path, target: Path) -> Path:
        if target.name == CARD:
            raise OSError("disk full")
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail_at_the_card)
        with pytest.raises(OSError, match="disk full"):
            save_untrained(tmp_path, game, steps=3)
    assert Policy.load(tmp_path).card.steps == 1
    save_untrained(tmp_path, game, steps=4)
    assert {file.name for file in tmp_path.iterdir()} == {CARD, "policy-4.zip"}
    assert read_card(tmp_path / CARD).steps == 4


def test_the_network_is_on_the_disk_before_the_card_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, synced, sync, replace = toy_game(compiled=False), [], os.fsync, Path.replace

    def note(number: int) -> None:
        synced.append(os.fstat(number).st_ino)
        sync(number)

    def put(self: Path, target: Path) -> Path:
        assert synced[-1] == self.stat().st_ino
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", note)
    monkeypatch.setattr(Path, "replace", put)
    save_untrained(tmp_path, game)
    assert synced == [(tmp_path / name).stat().st_ino for name in ("policy-0.zip", CARD)]


def test_an_exported_policy_is_replaced_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def note(path: Path, data: bytes) -> None:
        path.write_bytes(data)

    cards = [card_of(toy_game(compiled=False), steps) for steps in (1, 2)]
    cards = [card.model_copy(update={"archive": f"network-{card.steps}.onnx"}) for card in cards]
    save(tmp_path, cards[0], lambda path: note(path, b"1"))
    with monkeypatch.context() as patch:
        patch.setattr(PolicyCard, "model_dump_json", lambda *_, **__: pytest.fail("interrupted"))
        with pytest.raises(pytest.fail.Exception):
            save(tmp_path, cards[1], lambda path: note(path, b"2"))
    assert read_card(tmp_path) == cards[0] and (tmp_path / "network-1.onnx").read_bytes() == b"1"
    save(tmp_path, cards[1], lambda path: note(path, b"2"))
    assert {file.name for file in tmp_path.iterdir()} == {CARD, "network-2.onnx"}


class Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("unpickled",)


def test_loading_runs_nothing_that_the_archive_brings(tmp_path: Path) -> None:
    save_untrained(tmp_path, toy_game(compiled=False))
    with zipfile.ZipFile(tmp_path / "policy-0.zip", "a") as archive:
        archive.writestr("data", pickle.dumps(Bomb()))
    Policy.load(tmp_path)
    bomb: Any = {"policy": Bomb()}
    save_to_zip_file(tmp_path / "policy-0.zip", params=bomb)
    with pytest.raises(PolicyError, match="cannot be read"):
        Policy.load(tmp_path)


def test_importing_the_module_does_not_import_torch() -> None:
    code = "import sys, bearagents.policy; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# The masked distribution


def masked(logits: Any, mask: Any) -> MaskedCategorical:
    distribution = MaskedCategorical(len(logits[0])).proba_distribution(torch.as_tensor(logits))
    distribution.apply_masking(mask)
    return distribution


def test_the_distribution_is_the_softmax_of_the_legal_logits() -> None:
    distribution = masked([[1.0, 2.0, 3.0, 4.0]], np.array([[1, 0, 1, 0]], np.int8))
    expected: Any = torch.distributions.Categorical(logits=torch.tensor([[1.0, 3.0]]))
    assert distribution.log_prob(torch.tensor([2])).item() == pytest.approx(expected.log_prob(torch.tensor(1)).item())
    assert distribution.entropy().item() == pytest.approx(expected.entropy().item())
    assert distribution.mode().item() == 2
    torch.manual_seed(0)
    many = masked(torch.tensor([1.0, 2.0, 3.0, 4.0]).repeat(20_000, 1), np.tile([1, 0, 1, 0], (20_000, 1))).sample()
    share = (many == 2).double().mean().item()
    assert set(many.tolist()) == {0, 2}
    assert share == pytest.approx(expected.probs[0, 1].item(), abs=4 * 0.5 / np.sqrt(20_000))


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e2, 1e6, 1e30])
def test_large_masked_spaces_stay_finite(scale: float) -> None:
    """Where torch's checks of sb3-contrib's distribution fail by rounding, or masked terms become NaN."""
    torch.manual_seed(1)
    logits = (torch.randn(64, 5000) * scale).requires_grad_()
    mask = torch.rand(64, 5000) < 0.01
    mask[:, 17] = True
    mask[0] = False
    mask[0, 3] = True  # one legal action
    distribution = masked(logits, mask)
    for actions in (distribution.sample(), distribution.mode()):
        assert mask[torch.arange(64), actions].all()
    loss = distribution.log_prob(distribution.mode()).sum() + distribution.entropy().sum()
    torch.autograd.backward(loss)
    assert torch.isfinite(loss) and logits.grad is not None and torch.isfinite(logits.grad).all()
    assert (logits.grad[~mask] == 0).all()
    only = masked(logits[:1], mask[:1])
    assert only.entropy().item() == 0 and only.log_prob(torch.tensor([3])).item() == 0
