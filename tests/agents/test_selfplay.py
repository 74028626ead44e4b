"""The self-play environment on a toy game that has every trap, and on Honey Wars."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from bearagents.agent import AgentError, UnfitError, View
from bearagents.heuristics import HeuristicAgent
from bearagents.random import RandomAgent
from bearagents.selfplay import ADVISED, Opponent, SelfPlayVecEnv
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from bearenvs.errors import IllegalActionError, OrderError, SettingsError
from bearenvs.game import Game
from bearenvs.registry import load_game
from tests.agents.toy_game import AGAIN, GIVE, LEAVE, MAX_PLAYERS, TAKE, toy_game

Step = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]


class Always:
    """Plays the first of ``wishes`` that is legal."""

    def __init__(self, *wishes: int, name: str = "always") -> None:
        self.name = name
        self.wishes = wishes
        self.seen: list[View] = []

    def reset(self, seed: int) -> None: ...

    def act(self, view: View) -> npt.NDArray[np.int64]:
        self.seen.append(view)
        return np.array([next(wish for wish in self.wishes if mask[wish]) for mask in view.action_mask])


class OutsideRandom(RandomAgent):
    """Random play that the compiled loop does not know for what it is."""


class OutsideHeuristic(HeuristicAgent):
    """The heuristic, likewise."""


def env_of(game: Game, *agents: Any, num_envs: int = 1, **options: Any) -> SelfPlayVecEnv:
    return SelfPlayVecEnv(game, num_envs, [Opponent(agent) for agent in agents], **options)


def play(env: SelfPlayVecEnv, num_steps: int, seed: int = 0) -> Iterator[Step]:
    """Reset, then play random actions, the same for equal masks and seeds."""
    env.reset()
    rng = np.random.default_rng(seed)
    for _ in range(num_steps):
        masks = env.action_masks()
        draws = rng.random((1, masks.shape[1])) + np.zeros((len(masks), 1))
        yield env.step(np.where(masks, draws, -1.0).argmax(1))  # type: ignore[misc]  # VecEnv allows other shapes


def assert_same_play(one: SelfPlayVecEnv, other: SelfPlayVecEnv, num_steps: int, rows: int | None = None) -> None:
    for ours, theirs in zip(play(one, num_steps), play(other, num_steps), strict=True):
        for left, right in zip(ours[:3], theirs[:3], strict=True):
            np.testing.assert_array_equal(left[:rows], right[:rows])
        np.testing.assert_array_equal(one.action_masks()[:rows], other.action_masks()[:rows])
        assert [info.get("episode") for info in ours[3][:rows]] == [info.get("episode") for info in theirs[3][:rows]]


def script(game: Game, seat: int, learner: Sequence[int], *opponents: int) -> list[tuple[float, bool, bool]]:
    """Play the learner's actions in one game without dice; return reward, done and truncated of each step."""
    env = env_of(game, Always(*opponents), learner_seat=seat)
    env.reset()
    steps = [env.step(np.array([action])) for action in learner]
    return [
        (float(rewards[0]), bool(dones[0]), bool(infos[0].get("TimeLimit.truncated", False)))
        for _, rewards, dones, infos in steps
    ]


def test_a_reward_holds_what_the_others_moves_brought() -> None:
    game = toy_game(compiled=False, die_sides=1, max_turns=6)
    assert script(game, 0, [TAKE, GIVE, TAKE], GIVE) == [(3, False, False), (2, False, False), (3, True, True)]
    game = toy_game(compiled=False, die_sides=1, max_turns=6, num_players=3)
    # The seat before the learner's gives; in the middle of the learner's own turn nobody else moves.
    assert script(game, 2, [AGAIN, TAKE, TAKE], GIVE) == [(2, False, False), (3, False, False), (1, True, True)]


def test_what_happens_before_the_first_decision_is_paid_with_it() -> None:
    game = toy_game(compiled=False, die_sides=1, max_turns=4)
    # Seat 0 gives twice; the learner takes twice and the game is truncated on its own move. Then the next game.
    assert script(game, 1, [TAKE, TAKE, TAKE], GIVE) == [(5, False, False), (1, True, True), (5, False, False)]


def test_a_game_that_ends_on_anothers_move_ends_for_the_learner() -> None:
    game = toy_game(compiled=False, die_sides=1, max_turns=100)
    # The opponent gives, then leaves: two players, so that ends the game.
    assert script(game, 0, [TAKE, TAKE], LEAVE, GIVE) == [(3, False, False), (1, True, False)]


def test_the_episode_ends_when_the_learners_seat_is_out() -> None:
    game = toy_game(compiled=False, die_sides=1, max_turns=100, num_players=4)
    env = env_of(game, Always(GIVE), learner_seat=0)
    env.reset()
    env.step(np.array([TAKE]))
    observation, rewards, dones, infos = env.step(np.array([LEAVE]))
    assert (rewards[0], dones[0], infos[0]["TimeLimit.truncated"]) == (0, True, False)
    assert isinstance(observation, np.ndarray)
    assert infos[0]["episode"] == {"r": 3.0, "l": 2, "seat": 0, "opponents": ("always", "always", "always")}
    assert infos[0]["terminal_observation"][2 * MAX_PLAYERS] == pytest.approx(2 / 1000)  # its two turns
    assert observation[0, 2 * MAX_PLAYERS] == 0  # a new game


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_rewards_sum_to_the_returns_of_the_episode(num_players: int) -> None:
    env = env_of(toy_game(compiled=False, num_players=num_players), RandomAgent(), num_envs=6)
    owed, decisions, num_episodes = np.zeros(6), np.zeros(6), 0
    for _, rewards, dones, infos in play(env, 80):
        owed += rewards
        decisions += 1
        for i in np.flatnonzero(dones):
            assert owed[i] == infos[i]["episode"]["r"] and decisions[i] == infos[i]["episode"]["l"]
            num_episodes += 1
        assert all(bool(info) == done for info, done in zip(infos, dones, strict=True))
        owed[dones] = decisions[dones] = 0
    assert num_episodes > 30


def test_returns_are_those_of_the_seat_in_the_whole_game() -> None:
    """The end of each game as the opponents saw it tells the same scores."""
    agent = Always(GIVE)
    env = env_of(toy_game(compiled=False, die_sides=1, max_turns=8, num_players=4), agent, learner_seat=3)
    env.reset()
    env.step(np.array([TAKE]))
    *_, infos = env.step(np.array([TAKE]))
    # Seat 2 saw the table last, before its own second gift: the learner had 1 and 2, and then gets 2 and takes 1.
    assert agent.seen[5].states["score"][0, 3] == 3
    assert infos[0]["episode"]["r"] == 6


@pytest.mark.parametrize("learner_seat", [None, 1])
def test_observations_and_masks_are_the_learners(learner_seat: int | None) -> None:
    env = env_of(toy_game(compiled=False, num_players=3), RandomAgent(), num_envs=6, learner_seat=learner_seat)
    before = np.zeros((6, env.game.observation_size), np.float32)
    seats = set()
    for observation, _, dones, infos in play(env, 60):
        seat = observation[:, :MAX_PLAYERS].argmax(1)
        np.testing.assert_array_equal(observation[:, MAX_PLAYERS : 2 * MAX_PLAYERS].argmax(1), seat)  # is to act
        np.testing.assert_array_equal(env.action_masks()[:, LEAVE], observation[:, 2 * MAX_PLAYERS] > 0)
        was = before[:, :MAX_PLAYERS].argmax(1) if before.any() else np.where(dones, -1, seat)
        np.testing.assert_array_equal(seat[~dones], was[~dones])
        for i in np.flatnonzero(dones):
            end = infos[i]["terminal_observation"]
            assert end[:MAX_PLAYERS].argmax() == infos[i]["episode"]["seat"]
            assert infos[i]["episode"]["seat"] == was[i] or not before.any()
            assert not end[MAX_PLAYERS : 2 * MAX_PLAYERS].any() or end[2 * MAX_PLAYERS + 1] == 0
        seats |= set(seat)
        before = observation
    assert seats == ({0, 1, 2} if learner_seat is None else {1})


def test_a_game_that_ends_before_the_learners_first_decision_gives_no_transition() -> None:
    env = env_of(toy_game(compiled=False, die_sides=2), Always(GIVE), num_envs=8, learner_seat=1)
    lengths = []
    for _, _, dones, infos in play(env, 40):
        lengths += [infos[i]["episode"]["l"] for i in np.flatnonzero(dones)]
    assert len(lengths) > 50 and min(lengths) == 1


def test_settings_under_which_the_learner_never_decides_are_an_error_not_a_hang() -> None:
    env = env_of(toy_game(compiled=False, max_turns=1), RandomAgent(), learner_seat=1)
    with pytest.raises(SettingsError, match="before the learner's first decision"):
        env.reset()


@pytest.mark.parametrize(
    ("make_game", "inside", "outside"),
    [
        (lambda: toy_game(compiled=False, num_players=4), RandomAgent(), OutsideRandom()),
        (lambda: load_game("honey_wars", num_players=3), HeuristicAgent(), OutsideHeuristic()),
    ],
    ids=["toy", "honey_wars"],
)
def test_opponents_play_the_same_inside_the_compiled_loop_and_outside(
    make_game: Callable[[], Game], inside: Any, outside: Any
) -> None:
    game = make_game()
    assert_same_play(env_of(game, inside, num_envs=5), env_of(game, outside, num_envs=5), 60)


def test_compiled_and_interpreted_play_are_the_same() -> None:
    one, other = (
        env_of(toy_game(compiled=compiled, num_players=3), RandomAgent(), OutsideRandom(), num_envs=5)
        for compiled in (True, False)
    )
    assert_same_play(one, other, 60)


def test_a_game_plays_the_same_however_many_are_beside_it() -> None:
    game = toy_game(compiled=False, num_players=3)
    few, many = (env_of(game, RandomAgent(), OutsideRandom(), num_envs=n, seed=7) for n in (2, 9))
    assert_same_play(few, many, 60, rows=2)


def test_seeds_make_runs_repeat_and_differ() -> None:
    game = toy_game(compiled=False)
    one, other, third = (env_of(game, RandomAgent(), num_envs=4, seed=seed) for seed in (5, 5, 6))
    assert_same_play(one, other, 30)
    rewards = [np.stack([step[1] for step in play(env, 30)]) for env in (one, third)]
    assert (rewards[0] != rewards[1]).any()


def test_seats_go_to_the_pool_by_weight() -> None:
    pool = [Opponent(Always(TAKE, name=name), weight) for name, weight in (("a", 6), ("b", 2), ("never", 0))]
    env = SelfPlayVecEnv(toy_game(compiled=False, num_players=4, die_sides=3), 32, pool)
    names = [name for *_, infos in play(env, 60) for info in infos if info for name in info["episode"]["opponents"]]
    assert set(names) == {"a", "b"}
    share = names.count("a") / len(names)
    assert abs(share - 0.75) < 4 * np.sqrt(0.75 * 0.25 / len(names))


def test_the_pool_can_grow_between_steps_but_not_shrink() -> None:
    first, second = Always(TAKE, name="first"), Always(TAKE, name="second")
    env = SelfPlayVecEnv(toy_game(compiled=False), 4, [Opponent(first)])
    env.reset()
    env.set_opponents([Opponent(first, 0.0), Opponent(second)])
    names = [info["episode"]["opponents"] for *_, infos in play(env, 50) for info in infos if info]
    assert set(names) == {("second",)}
    with pytest.raises(SettingsError, match="weight 0"):
        env.set_opponents([Opponent(first)])


def test_an_episode_is_of_those_whom_it_began_with() -> None:
    first, second, third = (Always(TAKE, name=name) for name in ("first", "second", "third"))
    env = SelfPlayVecEnv(toy_game(compiled=False), 6, [Opponent(first)], learner_seat=0)
    env.reset()
    env.step(np.full(6, TAKE))
    env.set_opponents([Opponent(second), Opponent(third)])
    told: list[list[str]] = [[] for _ in range(6)]
    for _ in range(120):
        for i, info in enumerate(env.step(np.full(6, TAKE))[3]):
            if info:
                told[i] += info["episode"]["opponents"]
    for names in told:
        assert names[0] == "first" and "first" not in names[1:]
    assert {"second", "third"} <= {name for names in told for name in names}


@pytest.mark.parametrize("weights", [[], [0.0], [-1.0, 2.0], [float("nan")], [1.0] * 65])
def test_a_pool_without_sense_is_refused(weights: list[float]) -> None:
    with pytest.raises(SettingsError, match=r"pool has 1 to 64|weights"):
        SelfPlayVecEnv(toy_game(compiled=False), 1, [Opponent(RandomAgent(), weight) for weight in weights])


def test_the_heuristic_of_a_game_that_has_none_is_refused() -> None:
    with pytest.raises(UnfitError, match="there is no heuristic for 'toy'"):
        env_of(toy_game(compiled=False), HeuristicAgent())


@pytest.mark.parametrize("options", [{"num_envs": 0}, {"learner_seat": 2}, {"learner_seat": -1}])
def test_options_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match=next(iter(options))):
        env_of(toy_game(compiled=False), RandomAgent(), **options)


@pytest.mark.parametrize(
    "actions",
    [[0], [0, 9], [0, -1], [0, LEAVE], [0.0, 0.0], [[0], [0]], [0, 2**40]],
    ids=["too few", "too high", "negative", "masked", "floats", "shape", "huge"],
)
def test_a_wrong_action_is_an_error_and_changes_nothing(actions: list[Any]) -> None:
    env, twin = (env_of(toy_game(compiled=False), RandomAgent(), num_envs=2) for _ in range(2))
    env.reset(), twin.reset()
    with pytest.raises(IllegalActionError, match=r"game 1|shape"):
        env.step(np.array(actions))
    for ours, theirs in zip(env.step(np.array([TAKE, TAKE])), twin.step(np.array([TAKE, TAKE])), strict=True):
        np.testing.assert_equal(ours, theirs)


def test_a_step_before_the_reset_is_an_error() -> None:
    with pytest.raises(OrderError, match="reset"):
        env_of(toy_game(compiled=False), RandomAgent()).step(np.array([TAKE]))


@pytest.mark.parametrize("answer", [np.array([9]), np.array([0.5]), np.array([0, 0, 0])])
def test_an_opponent_that_answers_wrongly_is_named(answer: npt.NDArray[Any]) -> None:
    class Wrong(Always):
        def act(self, view: View) -> npt.NDArray[Any]:
            return answer

    env = env_of(toy_game(compiled=False), Wrong(name="rogue"), learner_seat=1)
    with pytest.raises(AgentError, match="rogue"):
        env.reset()
    with pytest.raises(OrderError, match="broke off"):
        env.step(np.array([TAKE]))


def test_opponents_see_hidden_rows_of_the_seat_to_act() -> None:
    class Spy(OutsideHeuristic):
        def act(self, view: View) -> npt.NDArray[np.int64]:
            for i, seat in enumerate(view.seats):
                hands = view.states["seats"]["hand"][i, : view.game.num_players]
                own = hands[seat].sum()
                assert own == view.states["seats"]["num_hand"][i, seat]
                assert hands.sum() == own  # nobody else's hand, nor its cards
                expected = view.action_mask[i].nonzero()[0]
                np.testing.assert_array_equal(view.legal[i, : view.num_legal[i]], expected)
            np.testing.assert_array_equal(view.seats, view.states["to_act"])
            return super().act(view)

    for _ in play(env_of(load_game("honey_wars", num_players=3), Spy(), num_envs=4), 20):
        pass


def test_the_advisor_is_asked_once_a_step() -> None:
    """Asking for the masks twice tells the same, and changes nothing that comes."""
    game = toy_game(compiled=False, num_players=3)
    once, twice = (env_of(game, OutsideRandom(), num_envs=20, advisor=OutsideRandom()) for _ in range(2))
    once.reset(), twice.reset()
    for _ in range(20):
        masks = once.action_masks()
        np.testing.assert_array_equal(twice.action_masks(), masks)
        twice.action_masks()[:] = 0
        np.testing.assert_array_equal(twice.action_masks(), masks)
        assert ((masks == ADVISED).sum(1) == 1).all()
        actions = masks.argmax(1)
        for ours, theirs in zip(once.step(actions)[:3], twice.step(actions)[:3], strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_opponents_get_seeds_of_their_own() -> None:
    seeds = []

    class Keeps(RandomAgent):
        def reset(self, seed: int) -> None:
            seeds.append(seed)

    pool = [Opponent(Keeps()), Opponent(Keeps())]
    env = SelfPlayVecEnv(toy_game(compiled=False), 3, pool, seed=3)
    env.reset()
    assert len({*seeds, 3}) == 3


def test_sb3_contrib_finds_the_masks() -> None:
    env = env_of(toy_game(compiled=False), RandomAgent(), num_envs=3)
    env.reset()
    assert is_masking_supported(env)
    np.testing.assert_array_equal(get_action_masks(env), env.action_masks())
    np.testing.assert_array_equal(env.env_method("action_masks", indices=[2])[0], env.action_masks()[2])
    with pytest.raises(AttributeError):
        env.env_method("no_such_method")
    assert not env.has_attr("no_such_attribute")


def test_arrays_handed_out_are_copies() -> None:
    env = env_of(toy_game(compiled=False), RandomAgent(), num_envs=3)
    steps = [tuple(np.copy(part) for part in step[:3]) + step[:3] for step in play(env, 10)]
    for step in steps:
        for then, now in zip(step[:3], step[3:], strict=True):
            np.testing.assert_array_equal(then, now)
