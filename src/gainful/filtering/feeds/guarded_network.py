"""A network for requests to addresses that strangers give: names are looked up once, every answer is checked, and the
connection goes to the very address that was checked.

TLS and the Host header keep the name. No proxy, cookie or password of the environment is used.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpcore
import httpx

from gainful.errors import DataError
from gainful.filtering.feeds.address_guard import PUBLIC_PORTS, refusal
from gainful.formats.ids import shown

VARIABLE = "GAINFUL_ALLOW_PRIVATE"
"""The environment variable that allows private addresses, loopback among them, and all ports."""

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Looks a host up: its network addresses."""

_LOOKUPS = (
    32  # at a time; a server of names that does not answer holds one of them for as long as the system waits
)
_MOST_ADDRESSES = 4  # of one host that are tried
_LOOKUP_SECONDS = 10.0
_CONNECTIONS = 64


class Refused(DataError):
    """A request that is not made, because its address is not allowed."""


@dataclass(frozen=True)
class NetworkRules:
    """Where requests may go.

    allow_private  to private addresses too, loopback among them, and to any port; metadata addresses stay refused
    resolve        looks hosts up; the system's way by default
    """

    allow_private: bool = field(default_factory=lambda: os.environ.get(VARIABLE, "") not in ("", "0"))
    resolve: Resolver | None = None

    def check_port(self, port: int) -> None:
        """Raise where a port is not allowed."""
        if port not in PUBLIC_PORTS and not self.allow_private:
            ports = ", ".join(map(str, sorted(PUBLIC_PORTS)))
            raise Refused(
                f"port {port} is not allowed, only {ports}; {VARIABLE}=1 in the environment allows others"
            )

    def check_address(self, host: str, address: str) -> None:
        """Raise where a network address of a host is not allowed."""
        if reason := refusal(address, allow_private=self.allow_private):
            way_out = "" if self.allow_private else f"; {VARIABLE}=1 in the environment allows private ones"
            raise Refused(f"its host {shown(host)[:200]} has {reason}, which is not allowed{way_out}")


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to hosts whose addresses, all of them, are allowed."""

    def __init__(self, rules: NetworkRules) -> None:
        self._rules = rules
        self._resolve = rules.resolve or _SystemResolver()
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to an address of the host that was checked."""
        self._rules.check_port(port)
        addresses = await self._checked(host, port)
        for place, address in enumerate(addresses, 1):
            try:
                stream = await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if place == len(addresses):
                    raise
                continue
            try:
                self._rules.check_address(host, str(stream.get_extra_info("server_addr")[0]))
            except BaseException:
                await stream.aclose()
                raise
            return stream
        raise AssertionError("a host has at least one address")

    async def _checked(self, host: str, port: int) -> list[str]:
        """Addresses of a host; refused where any of them is not allowed."""
        try:
            addresses = await asyncio.wait_for(self._resolve(host, port), _LOOKUP_SECONDS)
        except TimeoutError:
            raise httpcore.ConnectTimeout(f"no answer about {host}") from None
        except (OSError, UnicodeError):
            addresses = []
        if not addresses:
            raise httpcore.ConnectError(f"its host {shown(host)[:200]} is not known")
        for address in addresses:
            self._rules.check_address(host, address)
        return list(dict.fromkeys(addresses))[:_MOST_ADDRESSES]

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        """Refused: strangers' addresses lead to no socket of this machine."""
        raise Refused("a socket of this machine is not allowed")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class _SystemResolver:
    """Looks hosts up in threads of its own, which nobody waits for when the program ends."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(_LOOKUPS)

    async def __call__(self, host: str, port: int) -> list[str]:
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        threading.Thread(target=self._look_up, args=(loop, answer, host, port), daemon=True).start()
        return await answer

    def _look_up(
        self, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[list[str]], host: str, port: int
    ) -> None:
        result: list[str] | Exception
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            result = [str(address[0]) for *_, address in entries]
        except (OSError, UnicodeError) as fault:
            result = fault
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(self._answer, answer, result)

    def _answer(self, answer: asyncio.Future[list[str]], result: list[str] | Exception) -> None:
        self._free.release()
        if answer.done():  # given up meanwhile
            return
        if isinstance(result, Exception):
            answer.set_exception(result)
        else:
            answer.set_result(result)


@cache
def _ssl_context() -> ssl.SSLContext:
    """Certificates are read once: it takes a while."""
    return httpx.create_ssl_context()


class GuardedTransport(httpx.AsyncBaseTransport):
    """HTTP over guarded connections; every request, also one that follows a redirect, is checked anew."""

    def __init__(self, rules: NetworkRules | None = None) -> None:
        self._rules = rules or NetworkRules()
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=_ssl_context(),
            max_connections=_CONNECTIONS,
            max_keepalive_connections=0,  # a connection that stays was checked for an answer that may have changed
            network_backend=GuardedBackend(self._rules),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer to a request, its body still to be read."""
        url = request.url
        if url.scheme not in ("http", "https"):
            raise Refused(f"only http and https are allowed, not {shown(url.scheme)[:40]}")
        if not url.host:
            raise Refused("the address has no host")
        with _faults_of_httpx():
            answer = await self._pool.handle_async_request(
                httpcore.Request(
                    method=request.method,
                    url=httpcore.URL(
                        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Body(answer.stream), extensions=answer.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


@contextmanager
def _faults_of_httpx() -> Iterator[None]:
    """Errors of httpcore as those of httpx, which have the same names."""
    try:
        yield
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as fault:
        kind: type[httpx.TransportError] = getattr(httpx, type(fault).__name__, httpx.NetworkError)
        raise kind(str(fault)) from fault


class _Body(httpx.AsyncByteStream):
    """The body of an answer, as httpx takes it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _faults_of_httpx():
            async for chunk in self._stream:
                yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def guarded_client(*, rules: NetworkRules | None = None, **given: Any) -> httpx.AsyncClient:
    """A client of httpx whose requests go to public hosts alone; it follows no redirects and uses no proxy.

    rules  where requests may go
    given  other settings of the client
    """
    return httpx.AsyncClient(
        transport=GuardedTransport(rules), trust_env=False, follow_redirects=False, **given
    )
