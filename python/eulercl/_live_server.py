# SPDX-License-Identifier: BSD-2-Clause
"""The server of live views, for browsers of this machine."""
import asyncio
import functools
import hmac
import html
import json
import secrets
import signal
import urllib.parse

from aiohttp import WSMsgType, web

from ._gallery import read_gallery
from ._library import InvalidError
from ._live import PAGE
from ._live_command import make_session

# Connections at a time, of which some are pages that show a run. So many more may be accepted before the
# first of them counts.
MOST_CONNECTIONS, MOST_PAGES, ACCEPTED_AT_ONCE = 64, 16, 16
# Runs of the gallery at a time; of more, one that no page shows is ended.
MOST_RUNS = 4
# Bytes of a message of a page, and messages that wait for a page.
MESSAGE_BYTES, WAITING_MESSAGES = 1 << 16, 64

_kinds = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
_headers = {"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
            "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}


class _Refused(asyncio.Protocol):
    """A connection beyond the last one that is taken."""

    def connection_made(self, transport):
        transport.abort()


class Server:
    """What answers requests: those with the token alone, which come from its own pages.

    Parameters
    ----------
    arguments : argparse.Namespace
        Of `_live_command`.
    session : Session or None
        What all pages show. None: the gallery.
    """

    def __init__(self, arguments, session):
        self.token = secrets.token_urlsafe(24)
        self._arguments, self._session, self._pages, self._tasks = arguments, session, 0, set()
        self._sessions = {} if session is None else {None: session}
        self._gallery = {} if session else read_gallery()

    # ---- requests ----

    @web.middleware
    async def _guard(self, request, handler):
        """A page of another site that has got this machine's name to mean 127.0.0.1 has another Host."""
        host = urllib.parse.urlsplit(f"//{request.host}").hostname
        origin = request.headers.get("Origin", f"http://{request.host}")
        token = request.query.get("token", "").encode("utf-8", "replace")
        if (host not in ("127.0.0.1", "localhost") or origin != f"http://{request.host}"
                or not hmac.compare_digest(token, self.token.encode())):
            return web.Response(status=403, text="The address needs its token: see the line that eulercl "
                                                 "live has printed.\n", headers=_headers)
        return await handler(request)

    async def _index(self, request):
        if self._session is None and request.query.get("problem") not in self._gallery:
            return self._page("gallery.html", items="\n".join(
                self._text("item.html", name=name, title=item.title, formulas=item.formulas)
                for name, item in self._gallery.items()))
        return self._page("live.html", items=self._text("view.html"))

    def _text(self, file, **values):
        text = (PAGE / file).read_text("utf-8").replace("{token}", self.token)
        for key, value in values.items():
            text = text.replace("{%s}" % key, value if key == "items" else html.escape(value))
        return text

    def _page(self, file, **values):
        return web.Response(text=self._text(file, **values), headers=_headers,
                            content_type=_kinds[f".{file.rpartition('.')[2]}"])

    async def _file(self, request):
        return self._page(request.path.removeprefix("/"))

    async def _picture(self, request):
        item = self._gallery.get(request.match_info["name"])
        if item is None or item.picture is None:
            raise web.HTTPNotFound
        return web.Response(body=item.picture.read_bytes(), content_type="image/png", headers=_headers)

    async def _socket(self, request):
        name = request.query.get("problem")
        if self._session is None and name not in self._gallery:
            raise web.HTTPNotFound
        if self._pages >= MOST_PAGES:
            raise web.HTTPServiceUnavailable
        self._pages += 1
        try:
            socket = web.WebSocketResponse(max_msg_size=MESSAGE_BYTES, heartbeat=20, compress=False)
            await socket.prepare(request)
            await self._show(request.transport, socket, self._session or self._run(name))
            return socket
        finally:
            self._pages -= 1

    # ---- runs ----

    def _run(self, name):
        """Return the run of a problem of the gallery; make it, if there is none."""
        if name not in self._sessions:
            unseen = [key for key, session in self._sessions.items() if not session.viewers]
            if len(self._sessions) >= MOST_RUNS and unseen:
                self._end(self._sessions.pop(unseen[0]))
            self._sessions[name] = make_session(self._gallery[name].arguments)
        return self._sessions[name]

    def _end(self, session):
        task = asyncio.get_running_loop().run_in_executor(None, session.close)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _show(self, transport, socket, session):
        """Pass messages between a page and the run."""
        loop, queue = asyncio.get_running_loop(), asyncio.Queue(WAITING_MESSAGES)

        def put(message):
            if not queue.full():
                queue.put_nowait(message)
            else:
                transport.abort()  # it sends messages and reads no answers

        def send(content, data):
            head = json.dumps(content, allow_nan=False).encode()
            message = len(head).to_bytes(4, "little") + head + (data or b"")
            try:
                loop.call_soon_threadsafe(put, message)
            except RuntimeError:
                pass  # the server ends

        viewer = session.join(send)
        writer = asyncio.create_task(self._write(socket, queue))
        try:
            async for message in socket:
                if message.type != WSMsgType.TEXT or not self._take(session, viewer, message.data):
                    await socket.close(code=1008)
        finally:
            session.leave(viewer)
            writer.cancel()

    @staticmethod
    async def _write(socket, queue):
        try:
            while True:
                await socket.send_bytes(await queue.get())
        except ConnectionError:
            pass  # the page is gone

    @staticmethod
    def _take(session, viewer, words):
        try:
            return session.receive(viewer, json.loads(words))
        except (ValueError, RecursionError):
            return False

    # ---- the server's life ----

    def _limited(self, server):
        return server() if len(server.connections) <= MOST_CONNECTIONS - ACCEPTED_AT_ONCE else _Refused()

    async def run(self, is_ready):
        """Serve until the task is cancelled; `is_ready` is called with the address."""
        application = web.Application(middlewares=[self._guard])
        application.add_routes([
            web.get("/", self._index), web.get("/live.js", self._file), web.get("/live.css", self._file),
            web.get("/picture/{name}", self._picture), web.get("/socket", self._socket)])
        runner = web.AppRunner(application, access_log=None, handle_signals=False)
        await runner.setup()
        loop = asyncio.get_running_loop()
        if self._session is not None:
            await loop.run_in_executor(None, self._session.opened.wait)
            if self._session.failure is not None:
                raise self._session.failure
        try:
            server = await loop.create_server(functools.partial(self._limited, runner.server), "127.0.0.1",
                                              self._arguments.port, backlog=ACCEPTED_AT_ONCE)
        except (OSError, OverflowError) as error:
            raise InvalidError(f"--port {self._arguments.port}: {error}", "INVALID") from None
        try:
            is_ready(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/?token={self.token}")
            await asyncio.Event().wait()
        finally:
            server.close()
            await runner.cleanup()
            for session in self._sessions.values():
                session.close()


async def _until_signal(server):
    task = asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await server.run(functools.partial(print, flush=True))
    except asyncio.CancelledError:
        pass


def serve(arguments, session):
    """Serve pages until Ctrl-C; return the exit status. Arguments as of `Server`."""
    asyncio.run(_until_signal(Server(arguments, session)))
    return 0
