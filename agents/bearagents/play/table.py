"""A session that people on several pages look at: who is connected, what is sent to whom, when bots move.

Everything here runs in one event loop; bots and hints think in threads. A page gets its seat's hidden row as a
picture, a text and a log, and gets them only when they change: nothing on the wire tells of what the seat does not
learn.
"""

import asyncio
import contextlib
import json
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bearagents.agent import Agent
from bearagents.play.messages import Allowance, AskHint, Message, MessageError, PlayAction, SetPace, TakeBack
from bearagents.play.session import SeatView, Session
from bearenvs import views
from bearenvs.errors import BearenvsError, OrderError
from bearenvs.render.svg import to_svg
from bearenvs.views import Viewer

_GLIMPSE = 0.1
"""Seconds between two pictures of bots that move without a delay: nobody could look at more."""
_LOGGER = logging.getLogger("bearagents.play")


@dataclass
class Link:
    """A private address. Whoever opens it has the seat; ``seat`` "all" watches bots, and sees the whole truth."""

    token: str
    seat: Viewer
    allowance: Allowance
    num_pages: int = 0
    is_thinking: bool = False


class Page:
    """One open page: knows what it was sent last."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.changed = asyncio.Event()
        self.changed.set()
        self._last = ""
        self._moment = ""
        self._num_told = 0

    def news(self, table: "Table") -> str | None:
        """Return what to send, as JSON; None if nothing has changed for this page."""
        view = table.session.view(self.link.seat)
        undone = view.moment.partition(".")[0]
        start = self._num_told if self._moment.partition(".")[0] == undone else 0
        shown = table.show(view)
        whole = json.dumps(shown)
        if whole == self._last:
            return None
        self._last, self._moment, self._num_told = whole, view.moment, len(view.log)
        log = [[told.who, told.words] for told in view.log[start:]]
        return json.dumps({**shown, "log_start": start, "log": log})


class Table:
    """A session, its links and its open pages.

    ``hint``: the agent to ask. ``on_change`` is called after each change of the game. ``delay`` seconds pass after a
    bot's move.
    """

    def __init__(
        self,
        session: Session,
        hint: Agent | None = None,
        on_change: Callable[[], None] = lambda: None,
        delay: float = 0.0,
    ) -> None:
        self.session = session
        self._hint = hint
        self._on_change = on_change
        self._delay = delay
        self._is_paused = False
        self._steps = 0
        self._fault = ""
        self._loss = ""
        self._told_at = 0.0
        self._wake = asyncio.Event()
        self._wake.set()
        self.pages: set[Page] = set()
        places: tuple[Viewer, ...] = session.people or ("all",)
        self.links = {link.token: link for link in (Link(secrets.token_urlsafe(24), s, Allowance()) for s in places)}

    def find(self, token: str) -> Link | None:
        """Return the link with this token, in a time that tells nothing of those there are."""
        found = None
        for known, link in self.links.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                found = link
        return found

    # What pages see

    def show(self, view: SeatView) -> dict[str, Any]:
        """Return what a page shows, but for the log."""
        session, game = self.session, self.session.game
        text = views.describe(game, view.states, view.seat)
        is_alone = session.people == (view.seat,)
        return {
            "kind": "table",
            "game": game.title,
            "seats": list(session.seats),
            "seat": view.seat,
            "moment": view.moment,
            "is_up": view.is_up,
            "is_over": view.is_over,
            "headline": text.strip().splitlines()[0],
            "text": text,
            "picture": to_svg(views.draw(game, view.states, view.seat), "css"),
            "choices": [[choice.text, choice.words] for choice in view.choices],
            "returns": session.returns() if view.is_over else None,
            "can_undo": is_alone and any(told.who == view.seat for told in view.log),
            "can_hint": self._hint is not None and view.is_up,
            "pace": {"is_paused": self._is_paused, "delay": self._delay} if view.seat == "all" else None,
            "fault": " ".join(filter(None, (self._fault, self._loss))),
        }

    def _tell_pages(self) -> None:
        self._told_at = time.monotonic()
        for page in self.pages:
            page.changed.set()

    def _has_changed(self) -> None:
        self._keep()
        self._wake.set()
        self._tell_pages()

    def _keep(self) -> None:
        try:
            self._on_change()
        except Exception:  # a full disk ends no game
            if not self._loss:
                _LOGGER.exception("the game goes on, but could not be kept")
            self._loss = "The game is not saved as it stands: the server's log says why."
        else:
            self._loss = ""

    # What pages do

    async def do(self, link: Link, message: Message) -> dict[str, Any] | None:
        """Do what the page behind ``link`` asks; return an answer for it alone. BearenvsError says why not."""
        match message:
            case PlayAction():
                self.session.play(_seat(link), message.action, message.moment)
                self._has_changed()
            case TakeBack():
                self.session.undo(_seat(link), message.moment)
                self._fault = ""
                self._has_changed()
            case AskHint():
                return await self._ask_hint(link)
            case SetPace():
                self._check_watcher(link)
                self._is_paused, self._delay = message.is_paused, message.delay
                self._wake.set()
                self._tell_pages()
            case _:
                self._check_watcher(link)
                self._steps = 1
                self._wake.set()
        return None

    def _check_watcher(self, link: Link) -> None:
        if link.seat != "all":
            raise OrderError("only who watches bots sets their pace")

    async def _ask_hint(self, link: Link) -> dict[str, Any]:
        seat = _seat(link)
        if self._hint is None:
            raise OrderError("nobody gives hints at this table")
        if link.is_thinking:
            raise MessageError("a hint is on its way")
        moment = self.session.view(seat).moment
        link.is_thinking = True
        try:
            choice = await asyncio.to_thread(self.session.hint, seat, self._hint)
        finally:
            link.is_thinking = False
        return {
            "kind": "hint",
            "moment": moment,
            "agent": self._hint.name,
            "action": choice.text,
            "words": choice.words,
        }

    # Bots

    async def play_bots(self) -> None:
        """Let bots answer whenever they are to act, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self.session.is_bot_up and (self._steps or not self._is_paused):
                self._steps = 0
                if not await self._answer():
                    break
                await self._wait()

    async def _answer(self) -> bool:
        try:
            has_answered = await asyncio.to_thread(self.session.answer)
        except Exception as error:  # an agent is anybody's code; the table outlives it
            # Its error may name the bot's cards: that is for whoever started the server.
            _LOGGER.exception("a bot failed")
            reason = type(error.__cause__ or error).__name__
            self._fault = f"A bot failed ({reason}): the game stands still. The server's log says why."
            self._tell_pages()
            return False
        if has_answered:
            is_news = bool(self._fault or self._delay) or not self.session.is_bot_up
            self._fault = ""
            self._keep()
            if is_news or time.monotonic() - self._told_at > _GLIMPSE:
                self._tell_pages()
        return has_answered or self.session.is_bot_up

    async def _wait(self) -> None:
        """Wait for the delay, or until something is asked for."""
        if self._delay:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._delay)


def _seat(link: Link) -> int:
    if link.seat == "all":
        raise OrderError("who watches has no seat")
    return link.seat


def refusal(error: BearenvsError) -> str:
    """Return the reason that a page is told."""
    return json.dumps({"kind": "refused", "reason": str(error)})
