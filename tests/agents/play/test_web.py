"""The server: what it shows to whom, and everything it refuses."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR
from typing import Any

import pytest
from bearagents.names import load_agent
from bearagents.play import messages
from bearagents.play.messages import Allowance, MessageError, read_message
from bearagents.play.session import PERSON, Session
from bearagents.play.table import Page, Table
from bearagents.play.web import is_own_name, make_app
from bearagents.random import RandomAgent
from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from bearenvs import views
from bearenvs.errors import SaveError
from bearenvs.playthrough import replay
from bearenvs.views import Viewer
from tests.agents.play.tables import SHORT, served, table

HERE = "http://127.0.0.1:8000"
SOCKETS = "ws://127.0.0.1:8000"
KEYS = {
    *("kind", "game", "seats", "seat", "moment", "is_up", "is_over", "headline", "text", "picture", "choices"),
    *("returns", "can_undo", "can_hint", "pace", "fault", "log_start", "log"),
}


@contextmanager
def client_of(laid: Table) -> Iterator[TestClient]:
    with TestClient(make_app(laid), base_url=HERE) as client:
        yield client


@contextmanager
def page_of(client: TestClient, laid: Table, seat: Viewer = 0) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f"{SOCKETS}{path_of(laid, seat)}/socket", headers={"origin": HERE}) as socket:
        yield socket


def path_of(laid: Table, seat: Viewer = 0) -> str:
    return next(f"/t/{token}" for token, link in laid.links.items() if link.seat == seat)


def tables_turn(socket: WebSocketTestSession) -> dict[str, Any]:
    """Return the first message that asks the person, or shows the end."""
    while True:
        message = socket.receive_json()
        if message["kind"] != "table" or message["is_up"] or message["is_over"]:
            assert isinstance(message, dict)
            return message


def with_people(name: str = "honey_wars") -> Table:
    session = table(name)
    return Table(table(name, [PERSON] * session.game.num_players))


# What is shown


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game(name: str) -> None:
    laid = Table(table(name))
    with client_of(laid) as client, page_of(client, laid) as socket:
        shown = tables_turn(socket)
        log = shown["log"]
        while not shown["is_over"]:
            assert {*shown} == KEYS
            socket.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][-1][0]})
            while True:  # news may come bot by bot
                shown = socket.receive_json()
                assert shown["kind"] == "table", shown
                log = log[: shown["log_start"]] + shown["log"]
                if shown["is_up"] or shown["is_over"]:
                    break
        assert log == [[told.who, told.words] for told in laid.session.view(0).log]
        assert len(shown["returns"]) == laid.session.game.num_players
        assert client.get(path_of(laid) + "/record").text == laid.session.record(0)
        whole = client.get(path_of(laid) + "/record?whole")
        assert replay(whole.text).events
        assert "attachment" in whole.headers["content-disposition"]


@pytest.mark.timed
def test_an_answer_beside_a_heuristic_takes_less_than_100_ms() -> None:
    session = table("honey_wars", [PERSON, "heuristic"], max_turns=20)
    laid = Table(session)
    times = []
    with client_of(laid) as client, page_of(client, laid) as socket:
        shown = tables_turn(socket)
        while not shown["is_over"]:
            started = time.perf_counter()
            socket.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][0][0]})
            shown = tables_turn(socket)
            times.append(time.perf_counter() - started)
    # The median, of a machine that may be busy with other things.
    assert sorted(times)[len(times) // 2] < 0.1


@pytest.mark.parametrize("name", SHORT)
def test_a_page_gets_its_seats_view_and_only_when_that_changes(name: str) -> None:
    laid = with_people(name)
    session, game = laid.session, laid.session.game
    pages = {link.seat: Page(link) for link in laid.links.values()}
    for page in pages.values():
        assert page.news(laid)
    while not session.is_over:
        to_act = session._running.to_act
        before = {seat: session.view(seat) for seat in pages}
        session.play(to_act, session.view(to_act).choices[-1].action)
        for seat, page in pages.items():
            after, news = session.view(seat), page.news(laid)
            is_same = (after.log, after.is_up) == (before[seat].log, before[seat].is_up)
            if is_same and after.states.tobytes() == before[seat].states.tobytes():
                assert news is None
            elif news is not None:
                shown = json.loads(news)
                assert {*shown} == KEYS
                assert seat != "all"
                hidden = views.hidden(game, session._running.states, seat)
                assert shown["text"] == game.describe(hidden[0], seat)
                assert bool(shown["choices"]) == (session._running.to_act == seat)


def test_two_people_each_see_their_own_cards() -> None:
    laid = with_people()
    with client_of(laid) as client, page_of(client, laid, 0) as first, page_of(client, laid, 1) as second:
        shown, others = first.receive_json(), second.receive_json()
        assert shown["text"].count("hand:") == others["text"].count("hand:") == 1
        assert shown["text"] != others["text"]
        first.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][0][0]})
        assert second.receive_json()["log"][-1][0] == 0
        first.send_json({"kind": "undo", "moment": shown["moment"]})
        assert "alone" in next(m for m in iter(first.receive_json, None) if m["kind"] == "refused")["reason"]


def test_a_reload_goes_on() -> None:
    laid = Table(table("ursa_miner"))
    with client_of(laid) as client:
        with page_of(client, laid) as socket:
            shown = tables_turn(socket)
            socket.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][0][0]})
            shown = tables_turn(socket)
        with page_of(client, laid) as socket:
            again = tables_turn(socket)
            assert again["moment"] == shown["moment"] and again["log_start"] == 0
            assert len(again["log"]) == len(laid.session.view(0).log)


def test_undo_and_hint() -> None:
    session = table("honey_wars")
    laid = Table(session, load_agent("random", session.game))
    with client_of(laid) as client, page_of(client, laid) as socket:
        first = tables_turn(socket)
        socket.send_json({"kind": "hint"})
        hint = tables_turn(socket)
        assert hint["action"] in [choice for choice, _ in first["choices"]] and hint["moment"] == first["moment"]
        socket.send_json({"kind": "play", "moment": first["moment"], "action": hint["action"]})
        shown = tables_turn(socket)
        assert shown["can_undo"]
        socket.send_json({"kind": "undo", "moment": shown["moment"]})
        back = tables_turn(socket)
        assert back["choices"] == first["choices"] and back["log_start"] == 0


def test_watching_can_be_paused_stepped_and_hurried() -> None:
    laid = Table(table("honey_wars", ["random", "random"]), delay=5)
    with client_of(laid) as client, page_of(client, laid, "all") as socket:
        shown = socket.receive_json()
        assert shown["pace"] == {"is_paused": False, "delay": 5} and not shown["choices"]
        assert shown["text"].count("hand:") == 2
        socket.send_json({"kind": "pace", "is_paused": True, "delay": 0})
        while not shown["pace"]["is_paused"]:
            shown = socket.receive_json()
        count = laid.session.num_actions
        time.sleep(0.2)
        assert laid.session.num_actions == count
        socket.send_json({"kind": "step"})
        socket.receive_json()
        assert laid.session.num_actions == count + 1
        socket.send_json({"kind": "play", "moment": shown["moment"], "action": "end"})
        assert "no seat" in socket.receive_json()["reason"]
        socket.send_json({"kind": "pace", "is_paused": False, "delay": 0})
        while not shown["is_over"]:
            shown = socket.receive_json()


# What is refused


REFUSED: dict[str, tuple[str, str]] = {
    "no JSON": ("{", "Invalid JSON"),
    "no object": ("[1]", "message: "),
    "no kind": ("{}", "Unable to extract tag"),
    "unknown kind": ('{"kind": "cheat"}', "does not match any of the expected tags"),
    "a field missing": ('{"kind": "play", "action": "end"}', "play.moment: Field required"),
    "a field too many": ('{"kind": "hint", "seat": 1}', "hint.seat: Extra inputs"),
    "a wrong type": ('{"kind": "play", "moment": 3, "action": "end"}', "play.moment: Input should be a valid string"),
    "a long text": (json.dumps({"kind": "play", "moment": "0.0", "action": "x" * 101}), "at most 100 characters"),
    "too large": (json.dumps({"kind": "play", "moment": "0.0", "action": "x" * 1100}), "at most 1024 bytes"),
    "a pace out of range": ('{"kind": "pace", "is_paused": true, "delay": 1e9}', "less than or equal to 10"),
    "no number": ('{"kind": "pace", "is_paused": true, "delay": NaN}', "delay: "),
    "stale": ('{"kind": "play", "moment": "0.0", "action": "end"}', "look again"),
    "no action": ('{"kind": "play", "moment": "MOMENT", "action": "fly"}', "there is no action 'fly'"),
    "not legal": ('{"kind": "play", "moment": "MOMENT", "action": "keep"}', "is not legal for p0 now"),
    "nothing to undo": ('{"kind": "undo", "moment": "MOMENT"}', "has not decided anything yet"),
    "no hints here": ('{"kind": "hint"}', "nobody gives hints"),
    "not watching": ('{"kind": "step"}', "only who watches"),
    "not watching either": ('{"kind": "pace", "is_paused": true, "delay": 1}', "only who watches"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_bad_messages_are_refused_with_a_reason_and_harm_nothing(what: str) -> None:
    text, reason = REFUSED[what]
    laid = Table(table("honey_wars"))
    with client_of(laid) as client, page_of(client, laid) as socket:
        shown = tables_turn(socket)
        before = laid.session.save()
        socket.send_text(text.replace("MOMENT", shown["moment"]))
        answer = socket.receive_json()
        assert answer["kind"] == "refused" and reason in answer["reason"]
        assert laid.session.save() == before
        socket.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][0][0]})
        assert tables_turn(socket)["kind"] == "table"


def test_bytes_and_others_turns_are_refused() -> None:
    laid = with_people()
    with client_of(laid) as client, page_of(client, laid, 1) as socket:
        shown = socket.receive_json()
        socket.send_bytes(b"\x00\xff")
        assert socket.receive_json()["reason"] == "messages are text"
        socket.send_json({"kind": "play", "moment": shown["moment"], "action": "end"})
        assert socket.receive_json()["reason"] == "p1 is not asked now"


def test_a_flood_is_refused_also_over_new_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "PER_SECOND", 0.001)
    laid = Table(table("honey_wars"))
    with client_of(laid) as client:
        with page_of(client, laid) as socket:
            tables_turn(socket)
            for _ in range(31):
                socket.send_text("{")
            reasons = [socket.receive_json()["reason"] for _ in range(31)]
            assert "too many messages" not in reasons[29] and "too many messages" in reasons[30]
        with page_of(client, laid) as socket:
            tables_turn(socket)
            socket.send_text("{")
            assert "too many messages" in socket.receive_json()["reason"]
        assert client.get(path_of(laid) + "/record").status_code == 429


def test_the_allowance_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    allowance = Allowance()
    for _ in range(30):
        allowance.take()
    with pytest.raises(MessageError):
        allowance.take()
    now[0] += 0.2
    allowance.take()
    allowance.take()
    with pytest.raises(MessageError):
        allowance.take()
    now[0] += 1000.0  # a link that says nothing saves nothing up
    for _ in range(30):
        allowance.take()
    with pytest.raises(MessageError):
        allowance.take()


def test_nobody_gets_in_without_a_link() -> None:
    laid = Table(table("honey_wars"))
    with client_of(laid) as client:
        for path in ("/", "/t/", "/t/0", "/t/0/record", "/page/../table.py", "/page/none", path_of(laid)[:-1]):
            assert client.get(path).status_code == 404, path
        with (
            pytest.raises(WebSocketDenialResponse) as denial,
            client.websocket_connect(f"{SOCKETS}/t/0/socket", headers={"origin": HERE}),
        ):
            pass
        assert denial.value.status_code == 404
        page = client.get(path_of(laid))
        assert page.status_code == 200
        assert page.headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert client.get(path_of(laid) + "/record?whole").status_code == 409
        assert client.post(path_of(laid)).status_code == 405


@pytest.mark.parametrize(
    "origin",
    [
        "http://[",
        "http://127.0.0.1:8000/",
        "http://evil.example",
        "null",
        "",
        "http://127.0.0.1:9000",
        "file://127.0.0.1:8000",
        f"{HERE}.evil.example",
    ],
)
def test_foreign_pages_are_refused(origin: str) -> None:
    laid = Table(table("honey_wars"))
    with client_of(laid) as client:
        with (
            pytest.raises(WebSocketDenialResponse) as denial,
            client.websocket_connect(f"{SOCKETS}{path_of(laid)}/socket", headers={"origin": origin}),
        ):
            pass
        assert denial.value.status_code == 403
        assert laid.pages == set()


def test_foreign_names_are_refused() -> None:
    laid = Table(table("honey_wars"))
    with client_of(laid) as client:
        for name in ("evil.example", "evil.example:8000", "localhost.evil.example", "["):
            assert client.get(path_of(laid), headers={"host": name}).status_code == 403
    assert all(is_own_name(name, "bears.lan") for name in ("127.0.0.1", "[::1]:80", "localhost:1", "bears.lan:80"))


def test_links_take_only_so_many_pages() -> None:
    laid = Table(table("honey_wars"))
    link = next(iter(laid.links.values()))
    link.num_pages = 8
    with client_of(laid) as client:
        with pytest.raises(WebSocketDenialResponse) as denial, page_of(client, laid):
            pass
        assert denial.value.status_code == 429


def test_links_cannot_be_guessed() -> None:
    tokens = [token for _ in range(20) for token in with_people().links]
    assert len({*tokens}) == 40
    assert all(len(token) == 32 for token in tokens)


def test_read_message_reads_what_a_page_sends() -> None:
    assert read_message('{"kind": "step"}').kind == "step"


# What goes wrong


class Faulty:
    name = "faulty"

    def reset(self, seed: int) -> None: ...

    def act(self, view: Any) -> Any:
        raise RuntimeError("my cards are nosema and drought")


def test_a_bot_that_fails_is_told_without_its_cards(caplog: pytest.LogCaptureFixture) -> None:
    game = table("honey_wars").game
    laid = Table(Session(game, ["faulty", PERSON], {"faulty": Faulty()}, 5))
    with client_of(laid) as client, page_of(client, laid, 1) as socket:
        shown = socket.receive_json()
        while not shown["fault"]:
            shown = socket.receive_json()
        assert "RuntimeError" in shown["fault"] and "nosema" not in shown["fault"]
    assert "my cards are nosema" in caplog.text


class Shaky(RandomAgent):
    """Plays at random, but while it is ill it fails."""

    is_ill = True

    def act(self, view: Any) -> Any:
        if self.is_ill:
            raise RuntimeError("I am ill")
        return super().act(view)


def test_a_bot_that_answers_again_is_well() -> None:
    bot = Shaky()
    laid = Table(Session(table("honey_wars").game, ["shaky", "shaky"], {"shaky": bot}, 5))

    async def fault_after_an_answer() -> str:
        await laid._answer()
        fault = laid.show(laid.session.view("all"))["fault"]
        assert isinstance(fault, str)
        return fault

    page = Page(next(iter(laid.links.values())))
    laid.pages.add(page)
    assert "RuntimeError" in asyncio.run(fault_after_an_answer())
    bot.is_ill = False
    page.changed.clear()
    assert asyncio.run(fault_after_an_answer()) == ""
    assert page.changed.is_set()


def test_a_decision_taken_back_takes_a_bots_fault_along() -> None:
    session = Session(table("honey_wars").game, [PERSON, "shaky"], {"shaky": Shaky()}, 5)
    laid = Table(session)
    with client_of(laid) as client, page_of(client, laid) as socket:
        shown = tables_turn(socket)
        while not shown["fault"]:
            if shown["is_up"]:
                socket.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][0][0]})
            shown = socket.receive_json()
        socket.send_json({"kind": "undo", "moment": shown["moment"]})
        assert tables_turn(socket)["fault"] == ""


@pytest.mark.parametrize("error", [SaveError("the disk is full"), ValueError("the disk is full")], ids=repr)
def test_a_save_that_cannot_be_written_ends_no_game(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    def full() -> None:
        if is_full:
            raise error

    is_full = True
    laid = Table(table("honey_wars"), on_change=full)
    with client_of(laid) as client, page_of(client, laid) as socket:
        shown = tables_turn(socket)
        for _ in range(2):
            socket.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][0][0]})
            shown = tables_turn(socket)
            assert shown["fault"].startswith("The game is not saved as it stands")
        assert caplog.text.count("the disk is full") == 1 and "disk" not in shown["fault"]
        is_full = False
        socket.send_json({"kind": "play", "moment": shown["moment"], "action": shown["choices"][0][0]})
        assert tables_turn(socket)["fault"] == ""


def test_one_hint_at_a_time() -> None:
    session = table("honey_wars")
    gate = threading.Event()

    class Slow(Faulty):
        def act(self, view: Any) -> Any:
            gate.wait(10)
            return view.legal[:, 0]

    laid = Table(session, Slow())
    link = next(iter(laid.links.values()))

    async def ask_twice() -> None:
        first = asyncio.create_task(laid.do(link, read_message('{"kind": "hint"}')))
        await asyncio.sleep(0)
        with pytest.raises(MessageError, match="on its way"):
            await laid.do(link, read_message('{"kind": "hint"}'))
        gate.set()
        assert await first

    asyncio.run(ask_twice())


# Over a real socket


def flood(socket: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        for _ in range(5000):
            socket.send("{")


def test_who_floods_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    with served(Table(table("honey_wars"))) as links:
        address = links[0].replace("http", "ws") + "/socket"
        origin = Origin(links[0].partition("/t/")[0])
        with connect(address, origin=Origin(origin), close_timeout=1) as socket:
            flood(socket)
            with pytest.raises(ConnectionClosed) as closed:
                list(socket)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008
        with connect(address, origin=Origin(origin), close_timeout=1) as socket:
            assert json.loads(socket.recv(10))["kind"] == "table"
            flood(socket)
            with suppress(OSError):
                socket.socket.shutdown(SHUT_RDWR)  # and goes without a word
        time.sleep(0.5)
    assert not caplog.records


def test_a_real_server_cuts_off_oversized_frames_and_lives_on() -> None:
    with served(Table(table("honey_wars"))) as links:
        address = links[0].replace("http", "ws") + "/socket"
        origin = Origin(links[0].partition("/t/")[0])
        with connect(address, origin=Origin(origin)) as socket:
            json.loads(socket.recv(10))
            socket.send("x" * 100_000)
            with pytest.raises(ConnectionClosed) as closed:
                list(socket)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        with connect(address, origin=Origin(origin)) as socket:
            assert json.loads(socket.recv(10))["kind"] == "table"


def test_a_page_that_goes_is_forgotten() -> None:
    laid = Table(table("honey_wars"))
    with client_of(laid) as client:
        with page_of(client, laid) as socket:
            tables_turn(socket)
            assert len(laid.pages) == 1
        assert laid.pages == set()
