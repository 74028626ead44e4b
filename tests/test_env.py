"""The PettingZoo environment, of every game."""

import math
import re
import sys
import warnings
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import bearenvs
from bearenvs import (
    BearEnv,
    BearenvsError,
    CheckedEnv,
    IllegalActionError,
    OrderError,
    OutOfSpaceError,
    SettingsError,
    drivers,
    load_game,
    views,
)
from bearenvs.gym import SeatEnv
from bearenvs.registry import game_class
from bearenvs.views import Viewer
from tests.playing import NAMES, Case, assert_same, play
from tests.toy.game import Picnic

with warnings.catch_warnings():
    # PettingZoo's tests import a game in the way that PettingZoo deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
    from pettingzoo.test import test_save_obs as check_save_obs

# PettingZoo's checker exempts its own classic games by name from these two warnings, which any environment with a
# mask in its observation gets.
ignore_dict_observations = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box",
)


def make(case: Case, **options: Any) -> Any:
    return bearenvs.make(case[0], **case[1], **options)


def make_raw(case: Case, **options: Any) -> Any:
    return make(case, **options).env


def num_actions(env: Any) -> int:
    return int(env.action_space("player_0").n)


def an_illegal_action(env: Any) -> int:
    return next(action for action in range(num_actions(env)) if action not in env.legal_actions())


# PettingZoo's own tests


@ignore_dict_observations
@pytest.mark.parametrize("early_termination", [False, True])
@pytest.mark.parametrize("maker", [make, make_raw])
def test_passes_the_api_test(case: Case, maker: Callable[..., Any], early_termination: bool) -> None:
    api_test(maker(case, early_termination=early_termination))


def test_passes_the_seed_test(case: Case) -> None:
    seed_test(lambda: make(case))


def test_passes_the_render_test(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("bearenvs.env.FPS", 1000)
    render_test(lambda render_mode: make(case, render_mode=render_mode))


def test_passes_the_save_observation_test(case: Case) -> None:
    check_save_obs(make(case))


class ByTurns(wrappers.BaseWrapper[str, Any, Any]):
    """Makes a step of a player's whole turn, for PettingZoo's test counts steps; always plays the same game."""

    env: BearEnv

    def __init__(self, env: BearEnv, seed: int) -> None:
        super().__init__(env)
        self._seed = seed

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed=self._seed)
        self._rng = Random(self._seed)

    def step(self, action: int | None) -> None:
        if action is None:
            self.env.step(None)
            return
        header = self.env._running.states[0]
        turn = int(header["turn"])
        while self.env.legal_actions() and header["turn"] == turn:
            self.env.step(self._rng.choice(self.env.legal_actions()))


class InCycles:
    """Makes a step of one turn of every player, in whatever order they play."""

    def __init__(self, env: ByTurns) -> None:
        self.env = env
        self.action_space = env.action_space

    def reset(self) -> tuple[Any, ...]:
        self.env.reset()
        self.agents = self.env.agents
        return {}, {}

    def step(self, actions: dict[str, int]) -> tuple[Any, ...]:
        for _ in self.agents:
            self.env.step(actions[self.env.agent_selection])
        return {}, self.env.rewards, self.env.terminations, self.env.truncations, {}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "picnic"])
def test_passes_the_max_cycles_test(name: str) -> None:
    counts_rounds = "max_rounds" in game_class(name).settings_type.model_fields

    def by_turns(max_cycles: int, seed: int) -> ByTurns:
        limit = {"max_rounds": max_cycles} if counts_rounds else {"max_turns": max_cycles * 3}
        return ByTurns(make_raw((name, {"num_players": 3, **limit})), seed)

    def reaches_the_limit(seed: int) -> bool:
        """Tell whether nothing else ends this game, or a player's part in it."""
        game = by_turns(4, seed)
        game.reset()
        while game.env.legal_actions():
            game.step(0)
        return game.env._running.truncated and not game.env._running.is_out.any()

    seed = next(seed for seed in range(1000) if reaches_the_limit(seed))

    class Module:
        env = staticmethod(partial(by_turns, seed=seed))

        @staticmethod
        def parallel_env(max_cycles: int) -> InCycles:
            return InCycles(by_turns(max_cycles, seed))

    max_cycles_test(Module)


# Spaces, observations, masks


def test_spaces_are_exact_and_alike_for_all_agents(case: Case) -> None:
    env = make(case)
    game = env.unwrapped.game
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert space["observation"].shape == (game.observation_size,)
        assert space["observation"].dtype == np.float32
        assert (space["observation"].low == 0).all() and (space["observation"].high == 1).all()
        assert space["action_mask"].shape == (game.num_actions,)
        assert space["action_mask"].dtype == np.int8
        assert env.action_space(agent).n == game.num_actions
        assert space == env.observation_space("player_0")
    env.reset(seed=1)
    for agent, observation, *_ in play(env, Random(1)):
        assert env.observation_space(agent).contains(observation)
        assert all(type(number) is not np.float64 for number in observation["observation"][:1])


def test_agents_are_named_by_seat(case: Case) -> None:
    env = make(case)
    assert env.possible_agents == [f"player_{seat}" for seat in range(case[1]["num_players"])]
    assert str(env) == env.metadata["name"] == f"{case[0]}_v{env.unwrapped.game.version}"


def test_only_the_agent_to_act_has_a_mask_that_forbids(case: Case) -> None:
    env = make(case)
    env.reset(seed=3)
    rng = Random(3)
    while env.legal_actions():
        for agent in env.possible_agents:
            mask = env.observe(agent)["action_mask"]
            expected = env.legal_actions() if agent == env.agent_selection else range(num_actions(env))
            assert mask.nonzero()[0].tolist() == list(expected)
        env.step(rng.choice(env.legal_actions()))
    for agent in env.possible_agents:
        assert env.observe(agent)["action_mask"].all()


def test_every_agent_observes_what_its_seat_sees(case: Case) -> None:
    env = make(case)
    env.reset(seed=4)
    rng = Random(4)
    for _ in range(40):
        truth = env.unwrapped._running.states
        for seat, agent in enumerate(env.possible_agents):
            expected = views.observation(env.unwrapped.game, truth, seat)[0]
            np.testing.assert_array_equal(env.observe(agent)["observation"], expected)
        if not env.legal_actions():
            break
        env.step(rng.choice(env.legal_actions()))


def test_observations_are_copies(case: Case) -> None:
    env = make(case)
    env.reset(seed=5)
    first = env.last()[0]
    kept = {key: value.copy() for key, value in first.items()}
    env.step(env.legal_actions()[0])
    for key, value in kept.items():
        np.testing.assert_array_equal(first[key], value)
    before = env.last()[0]
    for value in env.last()[0].values():
        value[:] = 0
    for key, value in env.last()[0].items():
        np.testing.assert_array_equal(value, before[key])


def test_infos_are_empty(case: Case) -> None:
    env = make(case)
    env.reset(seed=6)
    assert all(info == {} for *_, info in play(env, Random(6)))


def test_state_is_the_whole_truth(case: Case) -> None:
    env = make(case)
    env.reset(seed=7)
    rng = Random(7)
    seen = set()
    while env.legal_actions():
        state = env.state()
        assert env.state_space.contains(state)
        assert state.view(env.unwrapped.game.state_dtype).tobytes() == env.unwrapped._running.states.tobytes()
        seen.add(state.tobytes())
        state[:] = 0
        assert env.state().tobytes() in seen
        env.step(rng.choice(env.legal_actions()))
    assert len(seen) > 1


# Rewards and ends


def test_rewards_are_what_the_returns_change_by(case: Case) -> None:
    env = make(case)
    game = env.unwrapped.game
    for seed in range(3):
        env.reset(seed=seed)
        rng = Random(seed)
        sums = dict.fromkeys(env.possible_agents, 0.0)
        before = views.returns(game, env.unwrapped._running.states)[0]
        while env.legal_actions():
            env.step(rng.choice(env.legal_actions()))
            after = views.returns(game, env.unwrapped._running.states)[0]
            assert [env.rewards[agent] for agent in env.possible_agents] == (after - before).tolist()
            before = after
            for agent in env.agents:
                sums[agent] += env.rewards[agent]
        cumulative = {agent: reward for agent, _, reward, *_ in play(env, rng)}
        assert cumulative.keys() == sums.keys()
        assert list(sums.values()) == pytest.approx(before)


def test_all_agents_end_together(case: Case) -> None:
    env = make(case)
    for seed in range(5):
        env.reset(seed=seed)
        told = play(env, Random(seed))
        ended = [agent for agent, _, _, terminated, truncated, _ in told if terminated or truncated]
        assert ended == env.possible_agents == [agent for agent, *_ in told[-len(ended) :]]
        assert env.agents == []


def test_a_truncated_game_is_not_terminated(case: Case) -> None:
    settings = (Picnic if case[0] == "picnic" else game_class(case[0])).settings_type.model_fields
    limit = "max_rounds" if "max_rounds" in settings else "max_turns"
    env = make(case, **{limit: 1})
    env.reset(seed=0)
    *_, last = play(env, Random(0))
    assert last[3:5] == (False, True)


def test_an_agent_that_is_out_is_not_asked_again_and_has_its_reward_at_once(picnic: None) -> None:
    env = bearenvs.make("picnic", num_players=4)
    num_out = 0
    for seed in range(10):
        env.reset(seed=seed)
        rng = Random(seed)
        running = env.unwrapped._running
        while env.legal_actions():
            assert not running.is_out[env.possible_agents.index(env.agent_selection)]
            assert len(env.agents) == 4 and not any(env.terminations.values())
            env.step(rng.choice(env.legal_actions()))
        num_out += running.is_out.sum()
    assert num_out > 0


def test_early_termination_ends_an_agent_the_moment_it_is_out(picnic: None) -> None:
    usual = bearenvs.make("picnic", num_players=4)
    early = bearenvs.make("picnic", num_players=4, early_termination=True)
    num_early = 0
    for seed in range(10):
        usual.reset(seed=seed)
        early.reset(seed=seed)
        rng = Random(seed)
        while usual.legal_actions():
            while early.terminations[early.agent_selection]:
                gone = early.agent_selection
                assert early.unwrapped._running.is_out[early.possible_agents.index(gone)]
                assert early.last()[0]["action_mask"].all()
                early.step(None)
                assert gone not in early.agents
                num_early += 1
            assert early.agent_selection == usual.agent_selection
            action = rng.choice(usual.legal_actions())
            usual.step(action)
            early.step(action)
            for agent in early.agents:
                assert early.rewards[agent] == usual.rewards[agent]
        play(early, rng)
        assert early.agents == []
    assert num_early > 0


# An illegal action


def test_wrapped_as_pettingzoo_wraps_its_classic_games(case: Case) -> None:
    """CheckedEnv against the three wrappers whose work it does, illegal actions and all."""
    ours, raw = make(case), make_raw(case)
    theirs = wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1))
    )
    assert isinstance(ours, wrappers.OrderEnforcingWrapper)
    for seed in range(10):
        ours.reset(seed=seed)
        theirs.reset(seed=seed)
        rng = Random(seed)
        while ours.agents:
            for name in ("agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"):
                assert getattr(ours, name) == getattr(theirs, name), name
            assert ours._cumulative_rewards == theirs._cumulative_rewards
            mine: Any = ours.last()
            expected: Any = theirs.last()
            np.testing.assert_array_equal(mine[0]["observation"], expected[0]["observation"])
            assert mine[1:] == expected[1:]
            has_ended = mine[2] or mine[3]
            illegal = rng.random() < 0.02 and len(ours.legal_actions()) < num_actions(ours)
            action = None if has_ended else an_illegal_action(ours) if illegal else rng.choice(ours.legal_actions())
            ours.step(action)
            theirs.step(action)
        assert theirs.agents == []


def test_an_illegal_action_ends_the_game_against_its_author(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    env = make(case)
    env.reset(seed=1)
    play(env, Random(1), 10)
    author = env.agent_selection
    env.step(an_illegal_action(env))
    assert all(env.terminations.values()) and all(env.truncations.values())
    assert env.rewards == {agent: -1.0 if agent == author else 0.0 for agent in env.possible_agents}
    assert env.legal_actions() == []
    assert all(env.observe(agent)["action_mask"].all() for agent in env.possible_agents)
    told = play(env, Random(1))
    assert [agent for agent, *_ in told] == env.possible_agents
    assert next(reward for agent, _, reward, *_ in told if agent == author) == -1.0


def test_raw_env_names_the_illegal_action_and_the_legal_ones(case: Case) -> None:
    env = make_raw(case)
    env.reset(seed=2)
    play(env, Random(2), 7)
    before = env.save_state()
    action = an_illegal_action(env)
    with pytest.raises(IllegalActionError) as caught:
        env.step(action)
    message = str(caught.value)
    assert f"action {action} {env.action_text(action)!r} is not legal" in message
    assert all(f"{legal} {env.action_text(legal)!r}" in message for legal in env.legal_actions())
    assert env.save_state() == before


# Bad input

NO_ACTIONS = [-1, 10**6, 2**70, 1.0, math.nan, np.nan, np.float32(3), "0", [0], np.array([0, 1]), True, object, None]


@pytest.mark.parametrize("maker", [make, make_raw])
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused(maker: Callable[..., Any], action: object) -> None:
    env = maker(("honey_wars", {}))
    env.reset(seed=1)
    play(env, Random(1), 5)
    before = env.save_state()
    with pytest.raises(OutOfSpaceError, match=r"None is the action of|is no action: actions are integers from 0 to 71"):
        env.step(action)
    assert env.save_state() == before
    env.step(env.legal_actions()[0])


@pytest.mark.parametrize("kind", [int, np.int32, np.int64, np.uint8, np.array])
def test_integers_of_any_kind_are_actions(kind: Callable[..., Any]) -> None:
    env, expected = make_raw(("honey_wars", {})), make_raw(("honey_wars", {}))
    for each in (env, expected):
        each.reset(seed=1)
    for _ in range(20):
        action = env.legal_actions()[-1]
        env.step(kind(action))
        expected.step(action)
    assert env.save_state() == expected.save_state()
    step: Any = env.game.bind(drivers.step_single)
    if env.game.bind.compiled:
        assert len(step.signatures) == 1, "another integer type compiles the kernel again"


@pytest.mark.parametrize("maker", [make, make_raw])
def test_nothing_goes_before_reset(case: Case, maker: Callable[..., Any]) -> None:
    env = maker(case)
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: env.step(0), "step"),
        (lambda: env.observe("player_0"), "observe"),
        (env.last, "last"),
        (env.state, "state"),
        (env.render, "render"),
        (env.legal_actions, "legal_actions"),
        (lambda: env.action_text(0), "action_text"),
        (lambda: env.action_index("end"), "action_index"),
        (lambda: env.describe(0), "describe"),
        (env.playthrough, "playthrough"),
        (env.save_state, "save_state"),
    ]
    for call, name in calls:
        with pytest.raises(AssertionError, match=f"{name}") as caught:
            call()
        assert "reset()" in str(caught.value)
    env.reset(seed=1)
    env.step(env.legal_actions()[0])


def test_attributes_before_reset_are_refused_as_pettingzoo_does() -> None:
    env = bearenvs.make("honey_wars")
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            getattr(env, name)
    with pytest.raises(OrderError, match="reset"):
        env.agent_iter()


@pytest.mark.parametrize("maker", [make, make_raw])
def test_a_step_after_the_end_is_refused(case: Case, maker: Callable[..., Any]) -> None:
    env = maker(case)
    env.reset(seed=1)
    rng = Random(1)
    while env.legal_actions():
        env.step(rng.choice(env.legal_actions()))
    before = env.save_state()
    with pytest.raises(OrderError, match="player_0 has ended: its only action is None, not 0"):
        env.step(0)
    assert env.save_state() == before
    play(env, rng)
    for action in (0, None):
        with pytest.raises(OrderError, match=r"step\(\): the game is over and all agents have ended; call reset\(\)"):
            env.step(action)
    with pytest.raises(OrderError, match="reset"):
        env.last()
    env.reset()
    env.step(env.legal_actions()[0])


@pytest.mark.parametrize("doing", ["step", "reset", "load_state", "dead step", "illegal step"])
def test_an_interrupt_anywhere_leaves_the_environment_whole_or_refused(picnic: None, doing: str) -> None:
    """Ctrl-C at every line in turn. Left between two moments, it saved what could not be loaded."""
    outcomes = set()
    was_interrupted = True
    for place in range(200):
        env = bearenvs.make("picnic")
        env.reset(seed=1)
        other = env.save_state()
        play(env, Random(1), 10**9 if doing == "dead step" else 3)
        if doing == "dead step":
            env.reset(seed=2)
            while env.legal_actions():
                env.step(env.legal_actions()[-1])
        do: dict[str, Callable[[], Any]] = {
            "step": lambda: env.step(env.legal_actions()[0]),  # noqa: B023  # called before the next round
            "reset": lambda: env.reset(seed=5),  # noqa: B023
            "load_state": lambda: env.load_state(other),  # noqa: B023
            "dead step": lambda: env.step(None),  # noqa: B023
            "illegal step": lambda: env.step(an_illegal_action(env)),  # noqa: B023
        }
        was_interrupted = interrupt(do[doing], place)
        try:
            saved = env.save_state()
        except OrderError:
            for call in (env.save_state, env.last, env.legal_actions, env.playthrough, partial(env.step, 0)):
                with pytest.raises(OrderError, match=r"a step was interrupted; call reset\(\) first"):
                    call()
            outcomes.add("refused")
            env.reset()
        else:
            bearenvs.make("picnic").load_state(saved)
            outcomes.add("whole")
        play(env, Random(2))
        if not was_interrupted:
            break
    assert not was_interrupted and outcomes == {"refused", "whole"}


def interrupt(call: Callable[[], Any], place: int) -> bool:
    """Raise KeyboardInterrupt at the line ``place`` of those that ``call`` runs in the environment; False if not."""
    count = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.endswith(("env.py", "running.py")):
            return None
        count += event == "line"
        if count == place + 1 and event == "line":
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_agent_iter_wants_a_step_for_each_agent() -> None:
    env = bearenvs.make("honey_wars")
    env.reset(seed=1)
    agents = iter(env.agent_iter())
    next(agents)
    with pytest.raises(AssertionError, match="step"):
        next(agents)
    env.step(env.legal_actions()[0])
    assert [*env.agent_iter(0)] == []


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, math.nan, [1]], ids=repr)
def test_a_bad_seed_is_refused(seed: Any) -> None:
    env = bearenvs.make("honey_wars")
    env.reset(seed=1)
    before = env.save_state()
    with pytest.raises(BearenvsError, match="a seed is a non-negative integer or None"):
        env.reset(seed=seed)
    assert env.save_state() == before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_players": 5}, r"num_players=5.*one of 2, 3, 4"),
        ({"num_players": "3"}, "num_players='3'"),
        ({"num_players": 1}, "num_players=1"),
        ({"players": 3}, "no setting 'players'; its settings are"),
        ({"max_turns": 0}, "max_turns=0"),
        ({"render_mode": "rgb"}, "render_mode='rgb': None, 'human', 'rgb_array', 'svg', 'ansi' are allowed"),
        ({"early_termination": 1}, "early_termination=1: True or False"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        bearenvs.make("honey_wars", **settings)


def test_a_game_that_does_not_exist_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"no game 'chess'; the games are .*honey_wars"):
        bearenvs.make("chess")


def test_agents_and_seats_that_do_not_exist_are_refused(case: Case) -> None:
    env = make(case)
    env.reset(seed=1)
    n = case[1]["num_players"]
    with pytest.raises(BearenvsError, match=f"no agent 'player_{n}'; the agents are player_0, "):
        env.observe(f"player_{n}")
    for call in (env.describe, env.playthrough):
        with pytest.raises(BearenvsError, match=f"seat={n}: a seat from 0 to {n - 1}, or 'all'"):
            call(n)
        with pytest.raises(BearenvsError, match=r"seat=1\.0"):
            call(1.0)


# Text


def test_actions_have_names_for_the_agent_to_act(case: Case) -> None:
    env = make(case)
    env.reset(seed=8)
    rng = Random(8)
    for _ in range(30):
        if not env.legal_actions():
            break
        for action in env.legal_actions():
            assert env.action_index(env.action_text(action)) == action
        env.step(rng.choice(env.legal_actions()))


def test_unknown_action_names_are_refused() -> None:
    env = bearenvs.make("honey_wars")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="p0 has no action 'fly'; legal now: 'end'"):
        env.action_index("fly")
    with pytest.raises(OutOfSpaceError):
        env.action_text(1000)


def test_describe_and_render_show_only_what_the_seat_knows(case: Case) -> None:
    env = make(case, render_mode="ansi")
    env.reset(seed=9)
    play(env, Random(9), 9)
    game, truth = env.unwrapped.game, env.unwrapped._running.states
    for seat in range(game.num_players):
        assert env.describe(seat) == game.describe(views.hidden(game, truth, seat)[0], seat)
    assert env.describe("all") == game.describe(truth[0], None)
    assert env.render() == env.describe(env.possible_agents.index(env.agent_selection))
    viewers: tuple[Viewer, ...] = ("all", 1)
    for viewer in viewers:
        shown = make(case, render_mode="ansi", render_seat=viewer)
        shown.reset(seed=9)
        assert shown.render() == shown.describe(viewer)


@pytest.mark.parametrize("wrong", [2, -1, None, True, "0", 1.0, "ALL"], ids=repr)
def test_what_is_neither_a_seat_nor_all_is_refused(wrong: Any) -> None:
    says = re.escape(f"seat={wrong!r}: a seat from 0 to 1, or 'all' to see everything")
    env = bearenvs.make("honey_wars")
    env.reset(seed=1)
    for show in (env.describe, env.draw, env.playthrough):
        with pytest.raises(BearenvsError, match=says):
            show(wrong)
    if wrong is not None:
        with pytest.raises(BearenvsError, match=says):
            bearenvs.make("honey_wars", render_mode="svg", render_seat=wrong)


def test_render_without_a_mode_warns() -> None:
    env = bearenvs.make("honey_wars")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


# Seeds and the ways to make one


def test_same_seed_same_play_and_reset_goes_on(case: Case) -> None:
    first, second = make(case), make_raw(case)
    for env in (first, second):
        env.reset(seed=10)
    assert_same(play(first, Random(1)), play(second, Random(1)))
    for env in (first, second):
        env.reset()
    again = play(first, Random(1))
    assert_same(again, play(second, Random(1)))
    first.reset(seed=10)
    assert len(again) != len(play(first, Random(1))) or first.playthrough() != second.playthrough()


def test_plays_as_the_batch_does(case: Case) -> None:
    env = make(case)
    batch = bearenvs.make_batch(case[0], num_envs=1, seed=11, **case[1])
    batch.reset()
    env.reset(seed=11)
    rng = Random(11)
    while env.legal_actions():
        np.testing.assert_array_equal(env.last()[0]["observation"], batch.observation[0])
        np.testing.assert_array_equal(env.last()[0]["action_mask"], batch.action_mask[0])
        assert env.agent_selection == f"player_{batch.to_act[0]}"
        action = rng.choice(env.legal_actions())
        env.step(action)
        batch.step(np.array([action]))
        assert [env.rewards[agent] for agent in env.possible_agents] == batch.rewards[0].tolist()
    assert env.terminations["player_0"] == batch.terminated[0]
    assert env.truncations["player_0"] == batch.truncated[0]


def test_interpreted_plays_as_compiled(case: Case) -> None:
    compiled = make(case)
    interpreted = CheckedEnv(BearEnv(load_game(case[0], **case[1], compiled=False)))
    for env in (compiled, interpreted):
        env.reset(seed=12)
    assert_same(play(interpreted, Random(12), 60), play(compiled, Random(12), 60))
    assert interpreted.playthrough() == compiled.playthrough()


def test_more_outcomes_at_once_than_a_slot_logs(picnic: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class ShortLog(Picnic):
        """Bound anew, while the log is short."""

    usual = make(("picnic", {"num_players": 4}))
    monkeypatch.setattr(drivers, "LOG_SIZE", 3)
    game = usual.unwrapped.game
    short = CheckedEnv(BearEnv(ShortLog(game.settings, game.content, compiled=False)))
    for env in (usual, short):
        env.reset(seed=13)
    assert_same(play(short, Random(13)), play(usual, Random(13)))
    assert short.playthrough() == usual.playthrough()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "picnic"])
def test_each_game_has_its_module(name: str) -> None:
    version = game_class(name).version
    module = getattr(bearenvs, f"{name}_v{version}")
    assert isinstance(module.env(num_players=3), CheckedEnv)
    assert isinstance(module.raw_env(num_players=3, render_mode="ansi"), BearEnv)
    with pytest.raises(AttributeError, match=f"this release has {name}_v{version}, not {name}_v99"):
        getattr(bearenvs, f"{name}_v99")
    with pytest.raises(AttributeError, match="has no attribute 'chess_v0'"):
        getattr(bearenvs, "chess_" + "v0")


def test_a_game_in_no_package_has_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bearenvs.GAMES, "picnic", type("Loose", (Picnic,), {"__module__": "__main__"}))
    assert not hasattr(bearenvs, "picnic_v0")
    with pytest.raises(AttributeError, match="picnic_v0: the module '__main__' of Loose is in no package"):
        getattr(bearenvs, "picnic_" + "v0")


def test_a_game_of_ones_own_is_registered_when_asked_for(picnic: None) -> None:
    has_registry = hasattr(pettingzoo, "register")
    try:
        for _ in range(2):
            bearenvs.register_games()
        seat = gymnasium.make("bearenvs/Picnic-v0", num_players=3, compiled=False).unwrapped
        assert isinstance(seat, SeatEnv) and isinstance(seat.game, Picnic) and seat.game.num_players == 3
        if has_registry:
            env: Any = pettingzoo.make("aec", "bearenvs/picnic_v0", num_players=3, compiled=False)
            assert isinstance(env, CheckedEnv) and isinstance(env.unwrapped.game, Picnic)
    finally:
        del gymnasium.registry["bearenvs/Picnic-v0"]
        if has_registry:
            del pettingzoo.aec_registry["bearenvs/picnic-v0"]


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry")
@pytest.mark.parametrize("name", [name for name in NAMES if name != "picnic"])
def test_registered_with_pettingzoo(name: str) -> None:
    env: Any = pettingzoo.make("aec", f"bearenvs/{name}_v{game_class(name).version}", num_players=3)
    assert isinstance(env, AECEnv) and isinstance(env, CheckedEnv)
    assert env.max_num_agents == 3
