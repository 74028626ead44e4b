"""Copies, pickles and saves in the middle of a game play on identically; a bad save is refused."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bearenvs
from bearenvs import BearEnv, SaveError, load_game
from bearenvs.saves import Save
from tests.playing import Case, assert_same, play


def by_deepcopy(env: Any) -> Any:
    return copy.deepcopy(env)


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def by_save(env: Any) -> Any:
    raw = env.unwrapped
    other = bearenvs.make(raw.game.name, early_termination=raw.early_termination, **raw.game.settings.model_dump())
    into: Any = other if env is not raw else other.unwrapped
    into.load_state(env.save_state())
    return into


WAYS = [by_deepcopy, by_pickle, by_save]
Way = Callable[[Any], Any]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("is_raw", [False, True])
@pytest.mark.parametrize("early_termination", [False, True])
def test_a_copy_plays_on_identically(case: Case, way: Way, is_raw: bool, early_termination: bool) -> None:
    """Copied after every number of steps, dead steps at the end too, and through the start of another game."""
    for num_steps in (0, 1, 7, 30, 1000):
        env: Any = bearenvs.make(case[0], early_termination=early_termination, **case[1])
        env = env.unwrapped if is_raw else env
        env.reset(seed=num_steps)
        play(env, Random(num_steps), num_steps)
        if num_steps == 1000 and env.agents:
            env.step(None) if env.terminations[env.agent_selection] else env.step(env.legal_actions()[0])
        copied = way(env)
        assert type(copied) is type(env)
        assert copied.save_state() == env.save_state()
        assert copied.infos == env.infos
        assert_same(play(copied, Random(1)), play(env, Random(1)))
        assert copied.playthrough() == env.playthrough()
        for each in (copied, env):
            each.reset()
        assert_same(play(copied, Random(2)), play(env, Random(2)))


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_among_the_dead_steps_of_the_end(case: Case, way: Way) -> None:
    env = bearenvs.make(case[0], **case[1])
    env.reset(seed=1)
    while env.legal_actions():
        env.step(env.legal_actions()[-1])
    while env.agents:
        copied = way(env)
        assert_same(play(copied, Random(1)), play(way(env), Random(1)))
        env.step(None)
        assert copied.agents == []
    copied = way(env)
    with pytest.raises(bearenvs.OrderError):
        copied.step(None)


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_after_an_illegal_action(case: Case, way: Way) -> None:
    env = bearenvs.make(case[0], **case[1])
    env.reset(seed=1)
    env.step(next(action for action in range(10**6) if action not in env.legal_actions()))
    copied = way(env)
    assert copied.legal_actions() == []
    assert_same(play(copied, Random(1)), play(env, Random(1)))


@pytest.mark.parametrize("way", [by_deepcopy, by_pickle])
def test_a_copy_and_its_original_do_not_touch_each_other(case: Case, way: Way) -> None:
    env = bearenvs.make(case[0], **case[1])
    env.reset(seed=1)
    play(env, Random(1), 5)
    saved = env.save_state()
    copied = way(env)
    play(copied, Random(2), 10)
    copied.reset(seed=5)
    assert env.save_state() == saved


@pytest.mark.parametrize("way", [by_deepcopy, by_pickle])
def test_a_copy_samples_actions_identically(case: Case, way: Way) -> None:
    env = bearenvs.make(case[0], **case[1])
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(7)
    copied = way(env)
    for agent in env.possible_agents:
        mask = env.observe(agent)["action_mask"]
        assert env.action_space(agent).sample(mask) == copied.action_space(agent).sample(mask)


@pytest.mark.parametrize("way", [by_deepcopy, by_pickle])
def test_before_reset_a_copy_is_a_new_environment(case: Case, way: Way) -> None:
    env = bearenvs.make(case[0], **case[1])
    copied = way(env)
    with pytest.raises(AssertionError, match="reset"):
        copied.step(0)
    for each in (copied, env):
        each.reset(seed=1)
    assert_same(play(copied, Random(2)), play(env, Random(2)))


def test_a_game_can_be_pickled(case: Case) -> None:
    game = load_game(case[0], **case[1])
    copied = pickle.loads(pickle.dumps(game))
    assert copied.record.tobytes() == game.record.tobytes()
    assert copied.settings == game.settings and copied.content == game.content


@pytest.mark.parametrize("early_termination", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_every_save_of_a_game_can_be_loaded(picnic: None, early_termination: bool, seed: int) -> None:
    """After every step of games in which seats go out, and of games that an illegal action ends."""
    env, other = (bearenvs.make("picnic", num_players=4, early_termination=early_termination) for _ in range(2))
    env.reset(seed=seed)
    rng = Random(seed)
    for num_steps in range(1000):
        saved = env.save_state()
        other.load_state(saved)
        assert other.save_state() == saved
        if not env.agents:
            break
        assert (other.agent_selection, other.legal_actions()) == (env.agent_selection, env.legal_actions())
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.step(None)
        elif seed % 3 == 0 and num_steps == 12:
            env.step(next(action for action in range(10**6) if action not in env.legal_actions()))
        else:
            env.step(rng.choice(env.legal_actions()))
    assert not env.agents


def test_load_state_needs_no_reset() -> None:
    env = bearenvs.make("honey_wars")
    env.reset(seed=1)
    other = bearenvs.make("honey_wars")
    other.load_state(env.save_state())
    assert_same(play(other, Random(1)), play(env, Random(1)))


# Refused saves


@pytest.fixture
def env() -> Any:
    env = bearenvs.make("honey_wars", num_players=3)
    env.reset(seed=1)
    play(env, Random(1), 30)
    return env


def assert_refused(env: Any, data: Any, reason: str) -> None:
    before = env.save_state()
    with pytest.raises(SaveError, match=reason):
        env.load_state(data)
    assert env.save_state() == before


def other_save(**changes: Any) -> bytes:
    other = bearenvs.make("honey_wars", **{"num_players": 3, **changes})
    other.reset(seed=2)
    return bytes(other.save_state())


def test_every_cut_off_save_is_refused(env: Any) -> None:
    data = env.save_state()
    for size in [*range(0, len(data), 29), len(data) - 1]:
        assert_refused(env, data[:size], "damaged or cut off|not a save of bearenvs|has format")


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_every_damaged_save_is_refused(data: st.DataObject) -> None:
    env = bearenvs.make("honey_wars")
    env.reset(seed=1)
    saved = bytearray(env.save_state())
    saved[data.draw(st.integers(0, len(saved) - 1))] ^= data.draw(st.integers(1, 255))
    assert_refused(env, bytes(saved), "damaged or cut off|not a save of bearenvs|has format")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", pickle.dumps({"a": 1})], ids=["empty", "zip", "pickle"])
def test_foreign_bytes_are_refused(env: Any, data: bytes) -> None:
    assert_refused(env, data, "not a save of bearenvs")


@pytest.mark.parametrize("data", [None, "bearenvs save 1", 5, np.zeros(3)])
def test_what_is_not_bytes_is_refused(env: Any, data: Any) -> None:
    assert_refused(env, data, "a save is bytes, not")


def test_another_format_is_refused(env: Any) -> None:
    assert_refused(env, env.save_state().replace(b"save 1\n", b"save 2\n", 1), "has format '2'; this release reads")


def test_another_game_is_refused(env: Any, picnic: None) -> None:
    other = bearenvs.make("picnic", num_players=3)
    other.reset(seed=1)
    assert_refused(env, other.save_state(), "the save has game 'picnic', this environment 'honey_wars'")


def test_other_settings_are_refused(env: Any) -> None:
    assert_refused(env, other_save(num_players=4), "the save has settings .*'num_players': 4")
    assert_refused(env, other_save(max_turns=9), "the save has settings .*'max_turns': 9")
    assert_refused(env, other_save(early_termination=True), "the save has early_termination True")


def test_another_version_is_refused(env: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = env.save_state()
    monkeypatch.setattr(type(env.unwrapped.game), "version", 77)
    assert_refused(env, data, "the save has version 0, this environment 77")


def test_other_content_is_refused(env: Any, tmp_path: Path) -> None:
    file = tmp_path / "cards.toml"
    text = (env.unwrapped.game.folder / "content.toml").read_text()
    file.write_text(text.replace("winning_honey = 12", "winning_honey = 13"))
    data = other_save(content=file)
    assert_refused(env, data, "the save has content '[0-9a-f]{64}', this environment '[0-9a-f]{64}'")


def forged(env: Any, **changes: Any) -> bytes:
    """A save with a right checksum and wrong insides."""
    return Save.from_bytes(env.save_state()).model_copy(update=changes).to_bytes()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"events": (5,)}, r"event 0 \(5\) is not possible"),
        ({"events": (~5,) * 200}, r"event \d+ \(-6\) is not possible"),
        ({"events": (2**40,)}, r"event 0 \(\d+\) is not possible"),
        ({"events": ()}, "lead to another state"),
        ({"state": "0" * 64}, "lead to another state"),
        ({"rng": (0, 0, 0, 0)}, "contradicts itself"),
        ({"rng": (1, 2, 3)}, "the save is not valid"),
        ({"rng": (-1, 2, 3, 4)}, "the save is not valid"),
        ({"selection": 7}, "contradicts itself"),
        ({"next_selection": -1}, "contradicts itself"),
        ({"agents": ()}, None),
    ],
)
def test_forged_saves_do_no_harm(env: Any, changes: dict[str, Any], reason: str | None) -> None:
    data = forged(env, **changes)
    if reason is None:
        env.load_state(data)
        with pytest.raises(bearenvs.OrderError):
            env.step(0)
    else:
        assert_refused(env, data, reason)


def test_agents_that_do_not_fit_are_refused(env: Any) -> None:
    agents = Save.from_bytes(env.save_state()).agents
    ended = agents[0].model_copy(update={"terminated": True})
    acting = env.possible_agents.index(env.agent_selection)
    others = tuple(agent for agent in agents if agent.seat != acting)
    for wrong in [(agents[0], *agents), (agents[0].model_copy(update={"seat": 9}),), others, (ended,) * 3]:
        assert_refused(env, forged(env, agents=wrong), "contradicts itself")


@pytest.mark.parametrize("selection", [-1, 3, 99])
def test_a_seat_that_does_not_exist_is_not_selected(env: Any, selection: int) -> None:
    assert_refused(env, forged(env, agents=(), selection=selection), "contradicts itself")


def test_a_live_agent_that_is_not_to_act_is_not_selected(env: Any) -> None:
    acting = env.possible_agents.index(env.agent_selection)
    for seat in {0, 1, 2} - {acting}:
        assert_refused(env, forged(env, selection=seat), "contradicts itself")
    for seat in range(3):
        assert_refused(env, forged(env, next_selection=seat), "contradicts itself")


def test_an_agent_whose_game_goes_on_has_not_ended(env: Any) -> None:
    """It would be asked again after it has been removed."""
    saved = Save.from_bytes(env.save_state())
    acting = saved.selection
    other = next(seat for seat in range(3) if seat != acting)
    agents = tuple(
        agent.model_copy(update={"terminated": True}) if agent.seat == other else agent for agent in saved.agents
    )
    assert_refused(env, forged(env, agents=agents, selection=other, next_selection=acting), "contradicts itself")
    assert_refused(env, forged(env, agents=tuple(a for a in agents if a.seat != other)), "contradicts itself")


def test_after_a_dead_step_the_seat_to_act_is_selected(picnic: None) -> None:
    env = bearenvs.make("picnic", num_players=4, early_termination=True)
    rng, num_dead_steps = Random(1), 0
    for seed in range(20):
        env.reset(seed=seed)
        while env.legal_actions():
            agent = env.agent_selection
            if not env.terminations[agent]:
                env.step(rng.choice(env.legal_actions()))
                continue
            num_dead_steps += 1
            saved = Save.from_bytes(env.save_state())
            for seat in {None, *range(-1, 6)} - {saved.next_selection}:
                assert_refused(env, forged(env, next_selection=seat), "contradicts itself")
            env.step(None)
        ended = Save.from_bytes(env.save_state())
        for seat in {*range(-1, 6)} - {ended.selection}:
            assert_refused(env, forged(env, selection=seat), "contradicts itself")
        assert_refused(env, forged(env, next_selection=5), "contradicts itself")
    assert num_dead_steps >= 5


def test_saves_are_small(case: Case) -> None:
    env = BearEnv(load_game(case[0], **case[1]))
    env.reset(seed=1)
    play(env, Random(1))
    assert len(env.save_state()) < 20_000
