"""The table in the browser: a page of one's own for each seat, behind a link that nobody can guess.

The server draws; a page only shows. Requests have to name this very server (an IP address, ``localhost`` or the host
it was told to be), and a page's socket has to come from a page of this server: other sites cannot reach the table,
whatever they make a browser do.
"""

import asyncio
import contextlib
import ipaddress
import json
import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from bearagents.play.messages import MAX_MESSAGE, MessageError, read_message
from bearagents.play.table import Link, Page, Table, refusal
from bearenvs.errors import BearenvsError
from bearenvs.render.palette import css_variables
from bearenvs.views import Viewer

_FILES = Path(__file__).parent / "page"
_MAX_PAGES = 8
"""How many pages may be open behind one link."""
_MOST_REFUSED = 4
"""How many messages in a row are refused as too many, before the page's socket is closed: who floods reads no answers,
and each that a page has left unread when it goes is a line in the log."""
_TOO_MUCH = 1008
"""The code with which it is closed: a breach of the rules."""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # the address is the key to the seat
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def make_app(table: Table, host: str = "127.0.0.1") -> Starlette:
    """Return the server of ``table``; ``host`` is the name or address it is reached by."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        bots = asyncio.create_task(table.play_bots())
        yield
        bots.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await bots

    async def page(request: Request) -> Response:
        return FileResponse(_FILES / "index.html") if _link(request) else _no_seat()

    async def record(request: Request) -> Response:
        link = _link(request)
        if link is None:
            return _no_seat()
        try:
            link.allowance.take()
        except MessageError as error:
            return PlainTextResponse(str(error), 429)
        is_whole = "whole" in request.query_params
        if is_whole and not table.session.is_over and link.seat != "all":
            return PlainTextResponse("The whole record can be had when the game is over.", 409)
        seen_by: Viewer = "all" if is_whole else link.seat
        text = table.session.record(seen_by)
        name = f"{table.session.game.name}{'' if seen_by == 'all' else f'-p{seen_by}'}.txt"
        return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    async def talk(websocket: WebSocket) -> None:
        link = _link(websocket)
        if link is None:
            await websocket.send_denial_response(_no_seat())
        elif link.num_pages >= _MAX_PAGES:
            reason = f"This link is open on {_MAX_PAGES} pages already: close one."
            await websocket.send_denial_response(PlainTextResponse(reason, 429))
        else:
            await websocket.accept()
            await _serve_page(table, link, websocket)

    def _link(connection: Request | WebSocket) -> Link | None:
        return table.find(connection.path_params["token"])

    return Starlette(
        routes=[
            Route("/t/{token}", page),
            Route("/t/{token}/record", record),
            WebSocketRoute("/t/{token}/socket", talk),
            Route("/palette.css", lambda _: Response(css_variables(), media_type="text/css")),
            Mount("/page", StaticFiles(directory=_FILES)),
        ],
        middleware=[Middleware(_Doorkeeper, host=host)],
        lifespan=lifespan,
    )


def _no_seat() -> Response:
    return PlainTextResponse("There is no seat behind this address: use the link that you were given.", 404)


async def _serve_page(table: Table, link: Link, websocket: WebSocket) -> None:
    """Tell the page of every change, and do what it asks, until it goes."""
    page = Page(link)
    link.num_pages += 1
    table.pages.add(page)
    talking = asyncio.Lock()
    telling = asyncio.create_task(_tell(table, page, websocket, talking))
    try:
        num_refused = 0  # in a row
        while num_refused <= _MOST_REFUSED:
            text = await _receive(websocket)
            try:
                link.allowance.take()
            except MessageError as error:
                num_refused += 1
                answer: str | None = refusal(error)
            else:
                num_refused = 0
                answer = await _hear(table, link, text)
            if answer:
                async with talking:
                    await websocket.send_text(answer)
        async with talking:
            await websocket.close(_TOO_MUCH, "too many messages")
    except WebSocketDisconnect:
        pass
    finally:
        table.pages.discard(page)
        link.num_pages -= 1
        telling.cancel()


async def _tell(table: Table, page: Page, websocket: WebSocket, talking: asyncio.Lock) -> None:
    """Send what changes, and of quick changes the last: a slow page holds up nobody."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await page.changed.wait()
            page.changed.clear()
            news = page.news(table)
            if news is not None:
                async with talking:
                    await websocket.send_text(news)


async def _receive(websocket: WebSocket) -> str | None:
    """Return the next message's text, None if it has none; WebSocketDisconnect when the page is gone."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    text: str | None = message.get("text")
    return text


async def _hear(table: Table, link: Link, text: str | None) -> str | None:
    """Do what a message asks; return the answer, if there is one."""
    try:
        if text is None:
            raise MessageError("messages are text")
        answer = await table.do(link, read_message(text))
    except BearenvsError as error:
        return refusal(error)
    return None if answer is None else json.dumps(answer)


class _Doorkeeper:
    """Turns away requests that do not mean this server or come from elsewhere; adds headers to answers."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        reason = self._refusal(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        if reason is None:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(PlainTextResponse(reason, 403))
        else:
            await PlainTextResponse(reason, 403)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own_name(host, self._host):
            return f"This server does not go by the name {host[:100]!r}."
        if scope["type"] == "websocket":
            origin = headers.get("origin", "")
            if origin not in (f"http://{host}", f"https://{host}"):
                return f"Pages of {origin[:100]!r} have no business here."
        return None


def is_own_name(host: str, name: str) -> bool:
    """Tell whether a request's ``Host`` may mean the server called ``name``.

    Any IP address does: that of a page elsewhere is not ours, but a name elsewhere can be made to point here.
    """
    try:
        hostname = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if hostname in ("localhost", name.lower()):
        return True
    try:
        ipaddress.ip_address(hostname)
    except ValueError:
        return False
    return True


class Server:
    """A server of ``table`` at ``host``; port 0 takes a free one. ``links``: by seat, "all" to watch.

    BearenvsError if the address cannot be had.
    """

    def __init__(self, table: Table, host: str, port: int) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            host.encode("idna")  # says what is wrong with a name that is none, and leaves no socket behind
            self._listener = socket.create_server((host, port), family=family)
        except (OSError, UnicodeError) as error:
            raise BearenvsError(f"cannot serve at {host}, port {port}: {error}; --port 0 takes a free port") from None
        shown = f"[{host}]" if ":" in host else host
        base = f"http://{shown}:{self._listener.getsockname()[1]}/t/"
        self.links: Mapping[Viewer, str] = {link.seat: base + link.token for link in table.links.values()}
        config = uvicorn.Config(
            make_app(table, host),
            log_level="warning",
            access_log=False,  # addresses are keys
            ws="websockets-sansio",
            ws_max_size=4 * MAX_MESSAGE,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

    def run(self) -> None:
        """Serve until interrupted or stopped."""
        with self._listener, contextlib.suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """End a run in another thread."""
        self._server.should_exit = True

    def close(self) -> None:
        """Give the address back, which the end of a run does too."""
        self._listener.close()
