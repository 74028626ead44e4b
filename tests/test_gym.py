"""One seat against given opponents, as a Gymnasium environment."""

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from bearagents.names import load_agent
from gymnasium.utils.env_checker import check_env

import bearenvs
from bearenvs import BearenvsError, IllegalActionError, OrderError, OutOfSpaceError, SettingsError, views
from bearenvs.game import TERMINAL
from bearenvs.gym import SeatEnv
from bearenvs.playthrough import Position
from bearenvs.registry import game_class
from bearenvs.render.svg import to_svg
from bearenvs.rng import random_below
from bearenvs.views import View
from tests.playing import NAMES, Case


def make(case: Case, **options: Any) -> SeatEnv:
    return SeatEnv(case[0], **case[1], **options)


def first_legal(view: View) -> int:
    return int(view.legal[0, 0])


def an_episode(env: Any, rng: Random, num_steps: int = 10**9, seed: int | None = None) -> list[Any]:
    """Play an episode at random; return all that was told on the way."""
    observation, info = env.reset(seed=seed)
    told: list[Any] = [(observation, info)]
    for _ in range(num_steps):
        told.append(env.step(int(rng.choice(info["action_mask"].nonzero()[0]))))
        info = told[-1][4]
        if told[-1][2] or told[-1][3]:
            break
    return told


def assert_same(told: list[Any], expected: list[Any]) -> None:
    assert len(told) == len(expected)
    for mine, theirs in zip(told, expected, strict=True):
        np.testing.assert_equal(mine, theirs)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "picnic"])
def test_registered_and_passes_gymnasiums_checker(name: str) -> None:
    camel_case = name.title().replace("_", "")
    env = gymnasium.make(f"bearenvs/{camel_case}-v{game_class(name).version}", num_players=3)
    assert isinstance(env.unwrapped, SeatEnv)
    assert env.unwrapped.game.name == name and env.unwrapped.game.num_players == 3
    check_env(env.unwrapped)


def test_spaces_are_exact(case: Case) -> None:
    env = make(case)
    assert env.observation_space == gymnasium.spaces.Box(0.0, 1.0, (env.game.observation_size,), np.float32)
    assert env.action_space == gymnasium.spaces.Discrete(env.game.num_actions)
    for observation, *_ in an_episode(env, Random(1), seed=1):
        assert env.observation_space.contains(observation)


def test_the_learner_sees_its_own_seat_and_only_when_it_is_to_act(case: Case) -> None:
    env = make(case)
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        rng = Random(seed)
        is_over = False
        while not is_over:
            running = env._running
            assert running.to_act == env.seat == info["seat"]
            expected = views.observation(env.game, running.states, env.seat)[0]
            np.testing.assert_array_equal(observation, expected)
            assert info["action_mask"].nonzero()[0].tolist() == views.legal_actions(env.game, running.states)
            assert info["action_mask"].dtype == np.int8
            np.testing.assert_array_equal(env.action_masks(), info["action_mask"] == 1)
            action = rng.choice(info["action_mask"].nonzero()[0])
            observation, _, terminated, truncated, info = env.step(action)
            is_over = terminated or truncated
        np.testing.assert_array_equal(observation, views.observation(env.game, env._running.states, env.seat)[0])
        assert info["action_mask"].all() and env.action_masks().all()


def test_observations_are_copies(case: Case) -> None:
    env = make(case)
    observation, info = env.reset(seed=1)
    kept = observation.copy(), info["action_mask"].copy()
    env.step(int(env.action_masks().argmax()))
    np.testing.assert_array_equal(observation, kept[0])
    np.testing.assert_array_equal(info["action_mask"], kept[1])


def test_rewards_sum_as_the_returns_of_the_seat_do(case: Case) -> None:
    env = make(case)
    seats = set()
    for seed in range(20):
        told = an_episode(env, Random(seed), seed=seed)
        sum_of_rewards = sum(reward for _, reward, *_ in told[1:])
        assert sum_of_rewards == pytest.approx(views.returns(env.game, env._running.states)[0, env.seat])
        assert env._running.to_act == TERMINAL or env._running.is_out[env.seat]
        seats.add(env.seat)
    assert seats == set(range(env.game.num_players))


def test_an_episode_ends_when_another_seat_ends_the_game() -> None:
    env = SeatEnv("honey_wars", num_players=4, seat=0)
    losses = 0
    for seed in range(20):
        *_, last = an_episode(env, Random(seed), seed=seed)
        if env._running.states[0].winner > 0:
            losses += 1
            assert last[1] == pytest.approx(-1 / 3) and last[2:4] == (True, False)
    assert losses > 0


def test_an_episode_ends_when_the_seat_is_out(picnic: None) -> None:
    env = SeatEnv("picnic", num_players=4)
    num_out = 0
    for seed in range(60):
        *_, last = an_episode(env, Random(seed), seed=seed)
        if env._running.to_act != TERMINAL:
            num_out += 1
            assert env._running.is_out[env.seat]
            assert last[2:4] == (True, False)
    assert num_out > 0


def test_a_truncated_game_truncates_the_episode() -> None:
    env = SeatEnv("honey_wars", max_turns=4)
    *_, last = an_episode(env, Random(1), seed=1)
    assert last[2:4] == (False, True)


def test_a_game_without_a_decision_of_the_learner_is_no_episode() -> None:
    """The learner sits second and the game is cut off after the first turn."""
    env = SeatEnv("honey_wars", max_turns=1, seat=1)
    with pytest.raises(BearenvsError, match="10000 games in a row ended before the first decision of the learner"):
        env.reset(seed=1)
    with pytest.raises(OrderError):
        env.step(0)


def test_another_game_is_drawn_when_one_ends_before_the_learners_first_decision() -> None:
    """With the seat drawn too, only games in which the learner sits first come to a decision."""
    env = SeatEnv("honey_wars", max_turns=1)
    for seed in range(10):
        env.reset(seed=seed)
        assert env.seat == 0


def test_the_seat_is_fixed_or_drawn() -> None:
    for seat in range(3):
        env = SeatEnv("honey_wars", num_players=3, seat=seat)
        assert {env.reset(seed=seed)[1]["seat"] for seed in range(5)} == {seat}
    env = SeatEnv("honey_wars", num_players=3)
    assert {env.reset()[1]["seat"] for _ in range(50)} == {0, 1, 2}


def test_same_seed_same_episode_and_reset_goes_on(case: Case) -> None:
    for opponents in (None, first_legal, drawn):
        first, second = make(case, opponents=opponents), make(case, opponents=opponents)
        assert_same(an_episode(first, Random(1), seed=3), an_episode(second, Random(1), seed=3))
        assert_same(an_episode(first, Random(2)), an_episode(second, Random(2)))


def drawn(view: View) -> int:
    """Play at random with the view's own generator."""
    return int(view.legal[0, random_below(view.rng[0], int(view.num_legal[0]))])


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_identically(case: Case, way: Any) -> None:
    env = make(case, opponents=drawn)
    an_episode(env, Random(1), num_steps=3, seed=1)
    copied = way(env)
    if not env._is_over:
        action = int(env.action_masks().argmax())
        np.testing.assert_equal(copied.step(action), env.step(action))
    assert_same(an_episode(copied, Random(2)), an_episode(env, Random(2)))


def test_actions_have_names_and_the_legal_ones_are_listed(case: Case) -> None:
    env = make(case)
    for call in (env.legal_actions, lambda: env.action_text(0)):
        with pytest.raises(OrderError, match=r"no game has begun; call reset\(\) first"):
            call()
    for seed in range(3):
        _, info = env.reset(seed=seed)
        assert env.legal_actions() == info["action_mask"].nonzero()[0].tolist()
        texts = [env.action_text(action) for action in range(env.game.num_actions)]
        assert texts == list(env.game.actions.texts(env.seat))
        an_episode(env, Random(seed))
        assert env.legal_actions() == []
        assert env.action_text(0) == env.game.actions.text(0, env.seat)
    with pytest.raises(OutOfSpaceError, match="is no action"):
        env.action_text(-1)


def test_the_learners_view_is_what_an_agent_in_its_place_is_shown(case: Case) -> None:
    """And who looks on changes nothing, opponents that draw random numbers from their views included."""
    env, unseen = make(case, opponents=drawn), make(case, opponents=drawn)
    with pytest.raises(OrderError, match=r"view\(\): no episode is running"):
        env.view()
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        np.testing.assert_equal(unseen.reset(seed=seed), (observation, info))
        is_over = False
        while not is_over:
            view = env.view()
            states = views.hidden(env.game, env._running.states, env.seat)
            assert (view.game, view.seats.tolist(), view.states.tobytes()) == (env.game, [env.seat], states.tobytes())
            assert view.legal[0, : view.num_legal[0]].tolist() == env.legal_actions()
            np.testing.assert_array_equal(view.observation[0], observation)
            np.testing.assert_array_equal(view.action_mask[0], info["action_mask"])
            assert (view.rng != env.view().rng).any()
            action = drawn(view)
            told = env.step(action)
            np.testing.assert_equal(unseen.step(action), told)
            observation, info, is_over = told[0], told[4], told[2] or told[3]
        with pytest.raises(OrderError, match=r"view\(\): no episode is running"):
            env.view()


# Opponents


class Recorder:
    """An opponent with the protocol of bearagents, which keeps what it saw."""

    name = "recorder"

    def __init__(self) -> None:
        self.views: list[View] = []
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, view: View) -> Any:
        self.views.append(view)
        return view.legal[np.arange(len(view)), view.num_legal - 1]


def test_opponents_see_their_own_seats_and_nothing_else(case: Case) -> None:
    recorder = Recorder()
    env = make(case, opponents=recorder)
    for seed in range(3):
        an_episode(env, Random(seed), seed=seed)
    assert recorder.seeds and recorder.views
    for view in recorder.views:
        seat = int(view.seats[0])
        assert view.game is env.game
        assert view.states.tobytes() == views.hidden(env.game, view.states, seat).tobytes()
        np.testing.assert_array_equal(view.observation, views.observation(env.game, view.states, seat))
        legal = views.legal_actions(env.game, view.states)
        assert view.legal[0, : view.num_legal[0]].tolist() == legal == view.action_mask[0].nonzero()[0].tolist()
        assert view.rng.shape == (1, 4) and view.rng.dtype == np.uint32


@pytest.mark.parametrize("name", ["random", "heuristic"])
def test_agents_of_bearagents_can_be_opponents(name: str) -> None:
    game = bearenvs.load_game("honey_wars", num_players=3)
    first, second = (SeatEnv(game, opponents=load_agent(name, game)) for _ in range(2))
    assert_same(an_episode(first, Random(1), seed=1), an_episode(second, Random(1), seed=1))


def test_each_opponent_sits_where_it_was_put() -> None:
    """One opponent a seat, in the order of play after the learner."""
    recorders = [Recorder(), Recorder(), Recorder()]
    env = SeatEnv("honey_wars", num_players=4, opponents=recorders, seat=2)
    an_episode(env, Random(1), seed=1)
    for recorder, seat in zip(recorders, (3, 0, 1), strict=True):
        assert {int(view.seats[0]) for view in recorder.views} == {seat}


def test_none_among_opponents_plays_at_random() -> None:
    recorder = Recorder()
    env = SeatEnv("honey_wars", num_players=3, opponents=[None, recorder], seat=0)
    an_episode(env, Random(1), seed=1)
    assert {int(view.seats[0]) for view in recorder.views} == {2}


def test_an_opponent_may_not_change_the_game_through_its_view() -> None:
    def vandal(view: View) -> int:
        action = first_legal(view)
        for array in (
            view.states,
            view.seats,
            view.observation,
            view.action_mask,
            view.legal,
            view.num_legal,
            view.rng,
        ):
            array.view(np.uint8)[:] = 0
        return action

    wild, tame = SeatEnv("honey_wars", opponents=vandal), SeatEnv("honey_wars", opponents=first_legal)
    assert_same(an_episode(wild, Random(1), seed=1), an_episode(tame, Random(1), seed=1))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (4, "not legal for p0"),
        (999, "is no action"),
        (None, "is no action"),
        ([1, 2], "opponent"),
        (1.5, "is no action"),
    ],
)
def test_an_illegal_answer_of_an_opponent_is_its_error(answer: Any, message: str) -> None:
    env = SeatEnv("honey_wars", opponents=lambda _: answer, seat=1)
    with pytest.raises(IllegalActionError, match=f"opponent .*{message}"):
        env.reset(seed=1)


@pytest.mark.parametrize("failure", ["raises", "plays what is illegal"])
def test_an_opponent_that_fails_ends_the_episode(failure: str) -> None:
    """The learner's next action is not played in its place."""
    is_tired = False

    def tiring(view: View) -> int:
        if is_tired and failure == "raises":
            raise RuntimeError("tired")
        return -1 if is_tired else first_legal(view)

    def again_and_again(act: Callable[[], Any]) -> None:
        while True:
            act()

    def fail(act: Callable[[], Any]) -> None:
        with pytest.raises((RuntimeError, IllegalActionError), match=r"tired|opponent .* is no action"):
            again_and_again(act)
        before = env._running.states.tobytes()
        assert env._running.to_act == 1 - env.seat and env.action_masks().all()
        with pytest.raises(OrderError, match="no episode is running; call reset"):
            env.step(views.legal_actions(env.game, env._running.states)[0])
        assert env._running.states.tobytes() == before

    env = SeatEnv(bearenvs.load_game("honey_wars", compiled=False), opponents=tiring, seat=1)
    env.reset(seed=1)
    is_tired = True
    fail(lambda: env.step(int(env.action_masks().argmax())))
    fail(env.reset)
    is_tired = False
    env.reset()


def test_what_an_episode_that_broke_off_still_owed_is_not_paid_in_the_next(picnic: None) -> None:
    """The learner eats, which pays at once, and then the opponent fails."""
    is_tired = True

    def tiring(view: View) -> int:
        if is_tired:
            raise RuntimeError("tired")
        return first_legal(view)

    env = SeatEnv("picnic", opponents=tiring, seat=0)
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match="tired"):
        env.step(next(action for action in env.legal_actions() if env.action_text(action).startswith("eat ")))
    assert views.returns(env.game, env._running.states)[0, 0] > 0
    is_tired = False
    told = an_episode(env, Random(1))
    paid = sum(reward for _, reward, *_ in told[1:])
    assert paid == views.returns(env.game, env._running.states)[0, 0]


def test_random_opponents_play_every_legal_action_alike() -> None:
    """How often the opponent's first choice is the first or the last legal action, within four standard deviations."""
    env = SeatEnv("honey_wars", seat=1)
    env.reset(seed=0)
    counts, expected, variance = np.zeros(2), 0.0, 0.0
    for _ in range(1000):
        env.reset()
        position = Position(env.game)
        for event in env._running.events:
            legal = position.possible()
            if position.to_act == 0 and len(legal) > 1:
                counts += event == legal[0], event == legal[-1]
                expected += 1 / len(legal)
                variance += 1 / len(legal) * (1 - 1 / len(legal))
                break
            position.play_recorded(event)
    assert expected > 100
    assert (abs(counts - expected) < 4 * variance**0.5).all()


# Bad input


def test_an_illegal_action_ends_the_episode_against_the_learner(case: Case) -> None:
    env = make(case)
    _, info = env.reset(seed=1)
    action = int((info["action_mask"] == 0).argmax())
    text = env.game.actions.text(action, env.seat)
    observation, reward, terminated, truncated, info = env.step(action)
    assert env.observation_space.contains(observation)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert f"action {action} {text!r} is not legal" in info["illegal_action"]
    assert info["action_mask"].all()
    with pytest.raises(OrderError, match="no episode is running"):
        env.step(0)
    an_episode(env, Random(1))


@pytest.mark.parametrize("action", [-1, 72, 1.0, np.nan, "0", None, [0], True], ids=repr)
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = SeatEnv("honey_wars")
    _, info = env.reset(seed=1)
    before = env._running.states.tobytes()
    with pytest.raises(OutOfSpaceError, match="is no action: actions are integers from 0 to 71"):
        env.step(action)
    assert env._running.states.tobytes() == before
    env.step(int(info["action_mask"].argmax()))


def test_a_step_before_reset_or_after_the_end_is_refused(case: Case) -> None:
    env = make(case)
    with pytest.raises(OrderError, match="no episode is running; call reset"):
        env.step(0)
    an_episode(env, Random(1))
    with pytest.raises(OrderError, match="no episode is running; call reset"):
        env.step(0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 2}, "seat=2: a seat from 0 to 1, or None"),
        ({"seat": "1"}, "seat='1'"),
        ({"seat": 1.0}, "seat=1.0"),
        ({"opponents": [first_legal, first_legal]}, "2 opponents for 1 seat$"),
        ({"opponents": [first_legal], "num_players": 3}, "1 opponent for 2 seats$"),
        ({"opponents": 5}, "opponent 5 is neither None, nor callable"),
        ({"opponents": "heuristic"}, r"opponents='heuristic': opponents are objects with act\(\) or functions, not na"),
        ({"opponents": ["heuristic"]}, "opponent 'heuristic' is neither None, nor callable"),
        ({"render_mode": "rgb"}, "render_mode='rgb': None, 'human', 'rgb_array', 'svg', 'ansi' are allowed"),
        ({"num_players": 9}, "num_players=9"),
        ({"players": 2}, "no setting 'players'"),
    ],
)
def test_bad_settings_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BearenvsError, match=message):
        SeatEnv("honey_wars", **arguments)


def test_a_game_brings_its_settings() -> None:
    env = SeatEnv(bearenvs.load_game("honey_wars", num_players=4))
    assert env.game.num_players == 4
    with pytest.raises(SettingsError, match="num_players cannot be given as well"):
        SeatEnv(env.game, num_players=4)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True], ids=repr)
def test_a_bad_seed_is_refused(seed: Any) -> None:
    env = SeatEnv("honey_wars")
    with pytest.raises(BearenvsError, match="a seed is a non-negative integer or None"):
        env.reset(seed=seed)


def test_render_shows_what_the_learner_sees() -> None:
    env = SeatEnv("honey_wars", render_mode="ansi", seat=1)
    env.reset(seed=1)
    assert env.render() == views.describe(env.game, env._running.states, 1)
    svg = SeatEnv("honey_wars", render_mode="svg", seat=1)
    svg.reset(seed=1)
    assert svg.render() == to_svg(views.draw(env.game, env._running.states, 1)) == svg._repr_html_()
    whole = SeatEnv("honey_wars", render_mode="ansi", render_seat="all", seat=1)
    whole.reset(seed=1)
    assert whole.render() == views.describe(whole.game, whole._running.states, "all") != env.render()
    silent = SeatEnv("honey_wars")
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert silent.render() is None


@pytest.mark.parametrize("mode", [None, "ansi", "svg"])
def test_before_reset_there_is_nothing_to_show(mode: str | None) -> None:
    env = SeatEnv(bearenvs.load_game("honey_wars", compiled=False), render_mode=mode)
    with pytest.raises(OrderError, match=r"render\(\): no game has begun; call reset\(\) first"):
        env.render()
    assert env._repr_html_() == "<p>Honey Wars: call reset() to begin</p>"


def test_a_searching_agent_can_be_the_opponent() -> None:
    """What it is shown is what the arena shows it."""
    env = SeatEnv("honey_wars", opponents=load_agent("mcts:4", bearenvs.load_game("honey_wars")), seat=0, max_turns=4)
    _, info = env.reset(seed=2)
    has_ended = False
    while not has_ended:
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        has_ended = terminated or truncated
