"""A table: turns, views, undo, saves; all games."""

import threading
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from bearagents.agent import AgentError, View, agent_seed
from bearagents.names import load_agent
from bearagents.play.session import PERSON, SavedTable, Session, new_seed
from bearagents.random import RandomAgent

from bearenvs import views
from bearenvs.errors import IllegalActionError, OrderError, OutOfSpaceError, PlaythroughError, SaveError, SettingsError
from bearenvs.playthrough import replay
from bearenvs.registry import load_game
from tests.agents.play.tables import SHORT, let_bots, table


@pytest.fixture(params=SHORT)
def session(request: pytest.FixtureRequest) -> Session:
    return table(request.param)


def decide_once(session: Session, place: int = -1) -> None:
    """Let the bots play up to the person's decision, and take it."""
    let_bots(session)
    if not session.is_over:
        session.play(0, session.view(0).choices[place].action)


def finish(session: Session) -> None:
    while not session.is_over:
        decide_once(session)


def test_a_whole_game(session: Session) -> None:
    while not session.is_over:
        decide_once(session)
        for seat in range(session.game.num_players):
            view = session.view(seat)
            assert bool(view.choices) == view.is_up
    assert not session.answer()
    assert len(session.returns()) == session.game.num_players
    assert tuple(replay(session.record("all")).events) == tuple(session._running.events)
    with pytest.raises(OrderError, match="the game is over"):
        session.play(0, 0)


def test_a_view_is_hidden_and_changes_only_with_what_a_seat_learns(session: Session) -> None:
    seen: dict[tuple[int, str], list[Any]] = {}
    while not session.is_over:
        decide_once(session)
        for seat in range(session.game.num_players):
            view = session.view(seat)
            assert view.states.tobytes() == views.hidden(session.game, view.states, seat).tobytes()
            told = [line.words for line in view.log]
            record = session.record(seat).splitlines()[1:]
            assert len(told) == len(record)
            assert ["you do not see" in words for words in told] == [line == "* ?" for line in record]
            # One moment never has two decisions.
            if view.is_up:
                assert seen.setdefault((seat, view.moment), list(view.choices)) == list(view.choices)


# Playing


def test_actions_are_refused_with_a_reason_and_change_nothing(session: Session) -> None:
    let_bots(session)
    before, game = session.save(), session.game
    illegal = next(a for a in range(game.num_actions) if a not in [c.action for c in session.view(0).choices])
    with pytest.raises(OrderError, match="p1 is not asked now"):
        session.play(1, session.view(0).choices[0].action)
    with pytest.raises(IllegalActionError, match="is not legal for p0 now"):
        session.play(0, illegal)
    with pytest.raises(OutOfSpaceError, match="no action 'fly'; possible: "):
        session.play(0, "fly")
    for nonsense in (-1, game.num_actions, True):
        with pytest.raises(OutOfSpaceError):
            session.play(0, nonsense)
    with pytest.raises(OrderError, match="look again"):
        session.play(0, session.view(0).choices[0].action, "0.99999")
    with pytest.raises(OrderError, match="when the game is over"):
        session.returns()
    assert session.save() == before


def test_an_action_goes_by_its_notation_too(session: Session) -> None:
    let_bots(session)
    view = session.view(0)
    session.play(0, view.choices[0].text, view.moment)
    assert session.view(0).moment != view.moment


def test_seats_have_to_be_held() -> None:
    game = load_game("honey_wars")
    with pytest.raises(SettingsError, match="1 places for 2 seats"):
        Session(game, [PERSON], {}, 0)
    with pytest.raises(SettingsError, match="'ghost'"):
        Session(game, [PERSON, "ghost"], {}, 0)


# Undo


def test_undo_brings_back_the_same_game(session: Session) -> None:
    saves = []
    for _ in range(3):
        let_bots(session)
        saves.append(session.save())
        decide_once(session)
    let_bots(session)
    last = session.save()
    for earlier in reversed(saves):
        session.undo(0)
        assert session.save() == earlier
    with pytest.raises(OrderError, match="has not decided anything yet"):
        session.undo(0)
    for _ in range(3):
        decide_once(session)
    let_bots(session)
    assert session.save() == last  # the same decisions meet the same chance and the same bots


def test_undo_makes_the_past_moment_stale(session: Session) -> None:
    let_bots(session)
    view = session.view(0)
    session.play(0, view.choices[0].action)
    session.undo(0)
    assert session.view(0).choices == view.choices
    with pytest.raises(OrderError, match="look again"):
        session.play(0, view.choices[0].action, view.moment)


def test_undo_after_the_end() -> None:
    session = table("honey_wars")
    finish(session)
    session.undo(0)
    assert not session.is_over


def test_nobody_takes_back_what_another_person_saw() -> None:
    session = table("honey_wars", [PERSON, PERSON])
    session.play(0, session.view(0).choices[0].action)
    for seat in (0, 1):
        with pytest.raises(OrderError, match="alone"):
            session.undo(seat)
    with pytest.raises(OrderError, match="alone"):
        table("honey_wars", ["random", "random"]).undo(0)


# Bots


def test_a_hint_is_legal_and_the_same_twice(session: Session) -> None:
    let_bots(session)
    before, agent = session.save(), load_agent("random", session.game)
    hint = session.hint(0, agent)
    assert hint in session.view(0).choices
    assert hint == session.hint(0, agent)
    assert session.save() == before
    with pytest.raises(OrderError):
        session.hint(1, agent)


class Strict(RandomAgent):
    """Plays at random, once it has got its seed."""

    name = "strict"

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, view: View) -> npt.NDArray[np.int64]:
        assert self.seeds
        return super().act(view)


def test_bots_and_who_gives_hints_are_reset_before_they_are_asked() -> None:
    bot, adviser = Strict(), Strict()
    session = Session(load_game("honey_wars", num_players=3), [PERSON, "strict", "strict"], {"strict": bot}, 5)
    for _ in range(2):
        let_bots(session)
        session.hint(0, adviser)
        decide_once(session)
    let_bots(session)
    assert bot.seeds == [agent_seed(5, 1)] and adviser.seeds == [agent_seed(5, 3)]


def test_a_bot_that_cannot_begin_is_named() -> None:
    class Unfit(Strict):
        def reset(self, seed: int) -> None:
            raise OSError("no data")

    with pytest.raises(AgentError, match="agent 'strict' failed: OSError: no data"):
        Session(load_game("honey_wars"), [PERSON, "strict"], {"strict": Unfit()}, 5)


class Fixed:
    """Answers with a fixed action; waits for `gate` first."""

    name = "fixed"

    def __init__(self, action: int | None = None) -> None:
        self.action = action
        self.asked = threading.Event()
        self.gate = threading.Event()

    def reset(self, seed: int) -> None: ...

    def act(self, view: View) -> npt.NDArray[np.integer[Any]]:
        self.asked.set()
        assert self.gate.wait(10)
        return view.legal[:, 0] if self.action is None else np.array([self.action])


def with_bot(bot: Fixed) -> Session:
    session = Session(load_game("honey_wars"), [PERSON, "fixed"], {"fixed": bot}, 5)
    while not session.is_bot_up:
        session.play(0, session.view(0).choices[0].action)
    return session


def test_a_faulty_bot_is_named_and_changes_nothing() -> None:
    bot = Fixed(-7)
    bot.gate.set()
    session = with_bot(bot)
    before = session.save()
    with pytest.raises(AgentError, match="'fixed' chose action -7"):
        session.answer()
    assert session.save() == before


def test_a_bot_that_thinks_holds_up_nobody_and_is_overtaken_by_undo() -> None:
    bot = Fixed()
    session = with_bot(bot)
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(session.answer()))
    thread.start()
    assert bot.asked.wait(10)
    assert session.view(0).log  # not blocked
    session.undo(0)
    undone = session.save()
    bot.gate.set()
    thread.join(10)
    assert answers == [False]
    assert session.save() == undone


def test_many_threads_play_one_game() -> None:
    session = table("honey_wars", ["random", "random"])

    def play() -> None:
        while not session.is_over:
            session.answer()
            session.view(0)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    alone = table("honey_wars", ["random", "random"])
    let_bots(alone)
    assert session.save() == alone.save()


# Saves


def resumed(text: str) -> Session:
    saved = SavedTable.read(text)
    game = saved.playthrough.game
    return saved.resume({name: load_agent(name, game) for name in saved.seats if name != PERSON})


def test_a_saved_table_goes_on_as_the_first(session: Session) -> None:
    decide_once(session)
    let_bots(session)
    again = resumed(session.save())
    assert again.save() == session.save()
    assert again.view(0).log == session.view(0).log
    finish(session)
    finish(again)
    assert again.save() == session.save()
    again.undo(0)
    assert not again.is_over
    assert tuple(replay(session.save()).events) == tuple(session._running.events)  # a playthrough like any other


def test_damaged_saves_are_refused() -> None:
    session = table("honey_wars")
    decide_once(session)
    text = session.save()
    line = next(line for line in text.splitlines() if line.startswith("# table: "))
    for broken, reason in [
        (text.replace(line + "\n", ""), "has 0 lines"),
        (text.replace(line, line + "\n" + line), "has 2 lines"),
        (text.replace(line, "# table: {"), "Invalid JSON"),
        (text.replace('"seed":5', '"seed":-5'), "seed: Input should be greater"),
        (text.replace('"seed":5', '"seed":6'), "do not follow from its seed|cannot be set up"),
        (text.replace('["person","random"]', '["person"]'), "1 places for 2 seats"),
        (text.replace('["person","random"]', "[]"), "seats: "),
    ]:
        with pytest.raises(SaveError, match=reason):
            resumed(broken)
    with pytest.raises(PlaythroughError, match="line 1"):
        resumed("poker\n" + line)


def test_new_seeds_differ() -> None:
    assert len({new_seed() for _ in range(100)}) == 100


def test_the_log_says_who_draws_and_to_the_others_not_what() -> None:
    session = table("honey_wars")
    mine, theirs, whole = ([told.words for told in session.view(viewer).log[:8]] for viewer in (0, 1, "all"))
    unseen = "draws a card that you do not see"
    assert mine[4:] == [f"p1 {unseen}"] * 4 and theirs[:4] == [f"p0 {unseen}"] * 4
    assert all(line.startswith("you draw ") for line in mine[:4] + theirs[4:])
    assert [line.replace("p0 draws", "you draw") for line in whole[:4]] == mine[:4]
    assert [line.replace("p1 draws", "you draw") for line in whole[4:]] == theirs[4:]
