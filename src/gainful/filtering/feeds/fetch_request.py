"""One feed or page fetched: redirects followed and checked, sizes and times bounded while the answer streams in."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urljoin

import httpx

from gainful import __version__
from gainful.filtering.feeds.feed_address import (
    host_of,
    origin_of,
    regular_address,
    shown_address,
    without_login,
)
from gainful.filtering.feeds.fetch_reply import Decoder, FetchFault, Limits, Reply, Room, too_large
from gainful.filtering.feeds.fetch_schedule import GRANTED, LONGEST, SECOND
from gainful.filtering.feeds.guarded_network import GuardedTransport, NetworkRules
from gainful.filtering.safe_text import line
from gainful.filtering.state.events import stamp

_ACCEPTED = (
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, "
    "text/xml;q=0.9, text/html;q=0.5, */*;q=0.1"
)
_Value = TypeVar("_Value")
_HOPS = 5  # redirects that are followed
_LARGE = 1 << 20  # bytes of an answer that is large
_MOST_LARGE = 8  # large ones that are held at a time
_MAX_AGE = re.compile(r"max-age=(\d{1,9})")
_CHARSET = re.compile(r"charset\s*=\s*\"?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)


class Fetcher:
    """Fetches what strangers' addresses name, one request a host at a time.

    rules   where requests may go
    limits  how much of anything an answer may take
    clock   for servers that name a time instead of a number of seconds
    """

    def __init__(
        self,
        rules: NetworkRules | None = None,
        limits: Limits | None = None,
        *,
        clock: Callable[[], datetime],
    ) -> None:
        self._transport = GuardedTransport(rules)
        self._limits = limits or Limits()
        self._clock = clock
        self._turns: dict[str, asyncio.Lock] = {}
        self._large = asyncio.Semaphore(_MOST_LARGE)

    async def __aenter__(self) -> Fetcher:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._transport.aclose()

    async def get(self, address: str, *, login: str = "", etag: str = "", modified: str = "") -> Reply:
        """What an address holds; `FetchFault` says why it brought nothing. Keywords are those of `answer`."""
        async with self.answer(address, login=login, etag=etag, modified=modified) as reply:
            return reply

    @asynccontextmanager
    async def answer(
        self, address: str, *, login: str = "", etag: str = "", modified: str = ""
    ) -> AsyncIterator[Reply]:
        """What an address holds, while it is worked with: a few large answers at a time are held in memory.

        login           an address with name and password, which are sent to its host alone
        etag, modified  what the server said of what is known already
        """
        room = Room(self._large)
        try:
            yield await self._followed(address, login, _headers(etag, modified), room)
        finally:
            room.leave()

    async def _followed(self, address: str, login: str, headers: dict[str, str], room: Room) -> Reply:
        url, own = without_login(regular_address(address))
        place, secret = without_login(regular_address(login)) if login else (url, own)
        moved, lasting, left = "", True, self._limits.total
        for _ in range(_HOPS + 1):
            allowed = secret if secret and origin_of(place) == origin_of(url) else None
            async with self._turn(url):
                begun = asyncio.get_running_loop().time()
                reply = await self._hop(url, _with_login(headers, allowed), left, room)
                left -= asyncio.get_running_loop().time() - begun
            if isinstance(reply, Reply):
                return replace(reply, moved=moved)
            status, target = reply
            lasting = lasting and status in (301, 308) and not _weaker(url, target)
            url = target
            moved = url if lasting else moved
        raise FetchFault(f"more than {_HOPS} redirects follow each other")

    @asynccontextmanager
    async def _turn(self, url: str) -> AsyncIterator[None]:
        """A time in which no other request goes to the host."""
        host = host_of(url)
        lock = self._turns.setdefault(host, asyncio.Lock())
        try:
            await asyncio.wait_for(lock.acquire(), self._limits.turn)
        except TimeoutError:
            raise FetchFault(f"{host} was busy with other requests", busy=True) from None
        try:
            yield
        finally:
            lock.release()

    async def _hop(
        self, url: str, headers: dict[str, str], left: float, room: Room
    ) -> Reply | tuple[int, str]:
        """One request, in the time that is left: a reply, or the status of a redirect and where it leads."""
        limits = self._limits
        waits = httpx.Timeout(limits.quiet, connect=limits.connect, pool=limits.total)
        try:
            request = httpx.Request("GET", url, headers=headers, extensions={"timeout": waits.as_dict()})
            async with asyncio.timeout(left):
                response = await self._transport.handle_async_request(request)
                try:
                    return await self._answer(url, response, room)
                finally:
                    await response.aclose()
        except httpx.InvalidURL:
            raise FetchFault("it is no web address") from None
        except TimeoutError:
            raise FetchFault(f"it took longer than {limits.total:g} s", silent=True) from None
        except httpx.TimeoutException as fault:
            seconds = limits.connect if isinstance(fault, httpx.ConnectTimeout) else limits.quiet
            raise FetchFault(f"no answer within {seconds:g} s", silent=True) from None
        except httpx.ProtocolError:
            raise FetchFault("the server does not speak HTTP as it should", silent=True) from None
        except httpx.TransportError as fault:
            reason = line(str(fault), 200) or "the connection broke"
            raise FetchFault(f"no connection ({reason})", silent=True) from None

    async def _answer(self, url: str, response: httpx.Response, room: Room) -> Reply | tuple[int, str]:
        status, headers = response.status_code, response.headers
        if status in (301, 302, 303, 307, 308) and "location" in headers:
            return status, self._target(url, headers["location"])
        if status not in (200, 203, 226, 304):
            raise self._fault(status, headers)
        kind = headers.get("content-type", "")
        charset = _CHARSET.search(kind)
        return Reply(
            changed=status != 304,
            body=b"" if status == 304 else await self._body(response, room),
            kind=kind.partition(";")[0].strip().lower()[:100],
            charset=charset[1] if charset else "",
            address=url,
            moved="",
            etag=headers.get("etag", ""),
            modified=headers.get("last-modified", ""),
            wait=_unchanged_for(headers.get("cache-control", "")),
        )

    def _target(self, url: str, location: str) -> str:
        """Where a redirect leads; what is no web address is refused."""
        try:
            return without_login(regular_address(urljoin(url, location.strip().replace(" ", "%20"))))[0]
        except ValueError:
            raise FetchFault(f"it redirects to what is no web address, '{line(location, 80)}'") from None

    def _fault(self, status: int, headers: httpx.Headers) -> FetchFault:
        try:
            phrase = f" ({HTTPStatus(status).phrase})"
        except ValueError:
            phrase = ""
        wait = self._wait(headers.get("retry-after", ""))
        return FetchFault(f"the server answered with status {status}{phrase}", gone=status == 410, wait=wait)

    def _wait(self, said: str) -> int:
        """For how long a server asks to be left alone: it says seconds or a time; a day is granted."""
        if said.strip().isdecimal() and len(said) < 20:
            return min(int(said) * SECOND, LONGEST)
        try:
            until = stamp(parsedate_to_datetime(said))
        except (ValueError, TypeError, OverflowError):
            return 0
        return min(max(until - stamp(self._clock()), 0), LONGEST)

    async def _body(self, response: httpx.Response, room: Room) -> bytes:
        """The whole body, decompressed as it comes in; refused as soon as it is too large."""
        most = self._limits.size
        announced = response.headers.get("content-length", "")
        if announced.isdecimal() and int(announced[:20]) > most:
            raise too_large(most)
        decoder = Decoder(response.headers.get("content-encoding", ""), most)
        async for chunk in response.aiter_raw():
            decoder.add(chunk)
            if len(decoder.content) > _LARGE:
                await room.enter()
        return decoder.whole()


def _headers(etag: str, modified: str) -> dict[str, str]:
    headers = {
        "User-Agent": f"Gainful/{__version__} (feed reader)",
        "Accept": _ACCEPTED,
        "Accept-Encoding": "gzip",
        "Connection": "close",
    }
    return (
        headers
        | ({"If-None-Match": etag} if etag else {})
        | ({"If-Modified-Since": modified} if modified else {})
    )


def _with_login(headers: dict[str, str], login: tuple[str, str] | None) -> dict[str, str]:
    if login is None:
        return headers
    pair = base64.b64encode(":".join(login).encode()).decode()
    return {**headers, "Authorization": f"Basic {pair}"}


def _weaker(url: str, target: str) -> bool:
    """Whether a redirect leads from https to http; such a one is followed, and not remembered."""
    return url.startswith("https:") and not target.startswith("https:")


def _unchanged_for(said: str) -> int:
    age = _MAX_AGE.search(said)
    return min(int(age[1]) * SECOND, GRANTED) if age else 0


def fault_of(address: str, fault: Exception) -> str:
    """What is said of an address that brought nothing, in one sentence."""
    return f"{shown_address(address)}: {line(str(fault), 300).rstrip('.')}."


def outside_loops(work: Callable[[], _Value]) -> _Value:
    """What `work`, which runs a loop of its own, returns; in a notebook, whose loop runs already, in a thread beside it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(work).result()
