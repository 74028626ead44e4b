"""Every example runs, with a tiny budget."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
BUDGETS = {
    "batch_random": ["--num-envs=64", "--steps=300"],
    "own_agent": ["--games=36"],
    "own_content": ["--games=20"],
    "own_search": ["--games=8", "--guesses=4"],
    "random_play_aec": [],
    "torchrl_rollout": ["--steps=30"],
    "train_maskable_ppo": ["--steps=512", "--num-envs=8", "--games=20"],
}


def test_every_example_is_run() -> None:
    assert set(BUDGETS) == {file.stem for file in EXAMPLES.glob("*.py")}


# The libraries' own warnings are none of ours.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", BUDGETS)
def test_example(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *BUDGETS[name]])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out
