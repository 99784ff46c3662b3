"""What stands before every handler: hosts, prefix, forwarded headers, sizes and times of bodies, headers of answers."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections.abc import Mapping
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gainful.filtering.service.service_parts import ServiceOptions

MOST_BODY = 1_000_000
"""Bytes of a request's body."""

MOST_UPLOAD = 10_000_000
"""Bytes of a body at addresses where a file is uploaded."""

BODY_SECONDS = 30.0
"""Time in which a body must be there."""

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]*)\]|([^\[\]:]*))(?::\d*)?")

UPLOADS = frozenset({"/feeds/opml"})

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}
"""Headers of every answer, unless it has its own."""


class RequestGuard:
    """Refuses what is too large, too slow or meant for another host, and gives answers their headers."""

    def __init__(self, app: ASGIApp, options: ServiceOptions) -> None:
        self._app, self._options = app, options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded = _Answer(send, scope)
        if self._options.behind_proxy:
            _believe(scope, headers)
        if not self._known_host(Headers(scope=scope).get("host", "")):
            await PlainTextResponse("This service has another name.\n", 400)(scope, receive, guarded)
            return
        _place(scope, self._options.prefix)
        limit = MOST_UPLOAD if _path(scope) in UPLOADS else MOST_BODY
        if _announced(headers) > limit:
            await _too_large(limit)(scope, receive, guarded)
            return
        body = _Body(receive, limit)
        try:
            await self._app(scope, body, guarded)
        except _TooLargeError:
            await _refuse(guarded, _too_large(limit), scope, receive)
        except _TooSlowError:
            await _refuse(guarded, PlainTextResponse("The body came too slowly.\n", 408), scope, receive)

    def _known_host(self, host: str) -> bool:
        if not self._options.hosts:
            return True
        name = _HOST.fullmatch(host)
        return name is not None and (name[1] or name[2] or "").lower() in self._options.hosts


async def _refuse(guarded: _Answer, answer: PlainTextResponse, scope: Scope, receive: Receive) -> None:
    if not guarded.begun:
        await answer(scope, receive, guarded)


def _too_large(limit: int) -> PlainTextResponse:
    return PlainTextResponse(f"The body has more than {limit:,} bytes.\n", 413)


def _announced(headers: Mapping[str, str]) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 16 else 0


def _path(scope: Scope) -> str:
    return str(scope["path"]).removeprefix(scope.get("root_path", ""))


def _place(scope: Scope, prefix: str) -> None:
    """The path as handlers know it, whether or not a proxy has removed the prefix."""
    if not prefix:
        return
    path = str(scope["path"])
    scope["root_path"] = prefix
    if path != prefix and not path.startswith(f"{prefix}/"):
        scope["path"] = prefix + path


def _believe(scope: Scope, headers: Headers) -> None:
    """Client, scheme and host as the proxy in front says them: of several the last, which the proxy itself added."""

    def last(name: str) -> str:
        return ",".join(headers.getlist(name)).rsplit(",", 1)[-1].strip()

    client = last("x-forwarded-for")
    with suppress(ValueError):  # of no address, nothing is believed
        scope["client"] = (str(ipaddress.ip_address(client)), 0)
    scheme = last("x-forwarded-proto")
    if scheme in ("http", "https"):
        scope["scheme"] = scheme
    host = last("x-forwarded-host")
    if host:
        kept = [(name, value) for name, value in scope["headers"] if name != b"host"]
        scope["headers"] = [*kept, (b"host", host.encode("latin-1", "replace"))]


class _TooLargeError(Exception):
    """More bytes than a body may have."""


class _TooSlowError(Exception):
    """A body that did not arrive in time."""


class _Body:
    """The body of a request, counted and timed while it arrives."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._left = receive, limit
        self._until: float | None = None
        self._whole = False

    async def __call__(self) -> Message:
        if self._whole:  # what comes now is the end of the connection, which may take its time
            return await self._receive()
        loop = asyncio.get_running_loop()
        self._until = loop.time() + BODY_SECONDS if self._until is None else self._until
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise _TooSlowError from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _TooLargeError
        self._whole = not message.get("more_body", False)
        return message


class _Answer:
    """Sends an answer with the headers that every one has."""

    def __init__(self, send: Send, scope: Scope) -> None:
        self._send, self._scope = send, scope
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if self._scope["scheme"] == "https":
                headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        await self._send(message)
