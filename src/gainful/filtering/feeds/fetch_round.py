"""A round of fetching: every feed that is due, many hosts at a time, one request a host; a feed that fails stops no other."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from gainful.errors import DataError
from gainful.filtering.feeds.feed_address import host_of, shown_address, without_login
from gainful.filtering.feeds.feed_records import DueFeed, Fetched
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.feeds.fetch_reply import FetchFault, Limits, Reply
from gainful.filtering.feeds.fetch_request import Fetcher, outside_loops
from gainful.filtering.feeds.fetch_schedule import GRANTED, SECOND, SHORTEST
from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.feeds.parser_pool import ParserPool
from gainful.filtering.state.filter_session import Clock
from gainful.filtering.state.store_address import Address, open_store

AT_ONCE = 32
"""Hosts that are asked at the same time."""

_SILENT = 3  # requests in a row that a host does not answer, after which it is left alone for this round
_TOGETHER = 100  # results that are written in one transaction
_RENEWED = 180.0  # seconds after which leases are renewed

_Value = TypeVar("_Value")
Progress = Callable[[int, int], None]
"""Called with how many feeds are done, and how many there are."""


@dataclass
class RoundResult:
    """What came of a round.

    due        feeds that were due
    new        items that nobody had seen before
    changed    feeds that had something to read
    unchanged  feeds whose servers said that nothing is new (status 304)
    postponed  feeds that were not asked, since their servers want to be left alone
    failed     feeds that brought nothing
    faults     what is wrong with each of these, by its address, without passwords
    """

    due: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    postponed: int = 0
    failed: int = 0
    faults: dict[str, str] = field(default_factory=dict)


def fetch_all(
    address: Address,
    *,
    clock: Clock | None = None,
    chance: Random | None = None,
    rules: NetworkRules | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> RoundResult:
    """Fetch every feed that is due in a state, and store what is new.

    clock     decides what is due; the system's by default
    chance    spreads the times of the next fetches
    rules     where requests may go; to public hosts by default
    limits    how much of anything an answer may take
    progress  called after each feed
    """

    def fetched() -> RoundResult:
        with closing(open_store(address)) as store:
            feeds = FeedStore(store, clock)
            if not feeds.count_due():
                return RoundResult()
            return asyncio.run(fetch_due(feeds, chance=chance, rules=rules, limits=limits, progress=progress))

    return outside_loops(fetched)


async def fetch_due(
    feeds: FeedStore,
    *,
    chance: Random | None = None,
    rules: NetworkRules | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    most: int = 1_000,
) -> RoundResult:
    """Fetch feeds that are due, and store what is new. The store is used in another thread until this returns.

    Feeds that another process is fetching are left to it. Keywords are those of `fetch_all`.

    most  feeds in this round
    """
    round_ = _Round(feeds, chance or Random(secrets.randbits(64)), progress)
    try:
        due = await round_.in_thread(lambda: feeds.due(round_.holder, most=most))
        round_.result.due = len(due)
        if due:
            async with Fetcher(rules, limits, clock=feeds.clock) as fetcher, ParserPool() as parsers:
                await round_.go(due, fetcher, parsers)
        return round_.result
    finally:
        await round_.end()


class _Round:
    """One round: tasks that fetch, and one that writes down what came of it."""

    def __init__(self, feeds: FeedStore, chance: Random, progress: Progress | None) -> None:
        self.holder = secrets.token_hex(8)
        self.result = RoundResult()
        self._feeds, self._chance, self._progress = feeds, chance, progress
        self._thread = ThreadPoolExecutor(1)  # a store serves one thread at a time
        self._results: asyncio.Queue[tuple[Fetched, asyncio.Future[None]]] = asyncio.Queue()
        self._addresses: dict[int, str] = {}

    async def in_thread(self, call: Callable[[], _Value]) -> _Value:
        """What a call of the store returns; it waits for the disk, and the network goes on meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    async def go(self, due: Sequence[DueFeed], fetcher: Fetcher, parsers: ParserPool) -> None:
        """Fetch these feeds."""
        self._addresses = {feed.number: shown_address(feed.address) for feed in due}
        places = asyncio.Semaphore(AT_ONCE)
        hosts = [_Host(feeds, fetcher, parsers, places, self._written) for feeds in _by_host(due).values()]
        try:
            async with asyncio.TaskGroup() as tasks:
                renewing = tasks.create_task(self._renew())
                for host in hosts:
                    tasks.create_task(host.fetch())
                await self._record(len(due))
                renewing.cancel()
        except* DataError as faults:  # the state cannot be written: nothing else is raised
            raise faults.exceptions[0] from None

    async def _written(self, fetched: Fetched) -> None:
        """Have a result written down; who fetched it waits until then, so that few results are held in memory."""
        done = asyncio.get_running_loop().create_future()
        self._results.put_nowait((fetched, done))
        await done

    async def _record(self, count: int) -> None:
        """Write results down as they come, until all are there."""
        done = 0
        while done < count:
            waiting = [await self._results.get()]
            while len(waiting) < _TOGETHER and not self._results.empty():
                waiting.append(self._results.get_nowait())
            await self._write([fetched for fetched, _ in waiting])
            for _, written in waiting:
                if not written.done():
                    written.set_result(None)
            done += len(waiting)
            if self._progress:
                self._progress(done, count)

    async def _write(self, results: list[Fetched]) -> None:
        new = await self.in_thread(lambda: self._feeds.record(self.holder, results, chance=self._chance))
        self.result.new += sum(new.values())
        for fetched in results:
            self._count(fetched)

    def _count(self, fetched: Fetched) -> None:
        if fetched.busy:
            self.result.postponed += 1
        elif fetched.fault or fetched.gone:
            self.result.failed += 1
            self.result.faults[self._addresses[fetched.feed]] = fetched.fault
        elif fetched.items is None:
            self.result.unchanged += 1
        else:
            self.result.changed += 1

    async def _renew(self) -> None:
        """Keep the leases of a long round."""
        while True:
            await asyncio.sleep(_RENEWED)
            await self.in_thread(lambda: self._feeds.renew(self.holder))

    async def end(self) -> None:
        """Give back what was not fetched, and leave the store to its owner."""
        try:
            await asyncio.shield(self.in_thread(lambda: self._feeds.release(self.holder)))
        finally:
            self._thread.shutdown(wait=True)


def _by_host(due: Iterable[DueFeed]) -> dict[str, list[DueFeed]]:
    hosts: dict[str, list[DueFeed]] = {}
    for feed in due:
        hosts.setdefault(host_of(feed.location), []).append(feed)
    return hosts


@dataclass
class _Host:
    """The feeds of one host, fetched one after the other.

    places  of the round: how many hosts are asked at the same time
    report  takes each result, and returns when it is written down
    """

    feeds: list[DueFeed]
    fetcher: Fetcher
    parsers: ParserPool
    places: asyncio.Semaphore
    report: Callable[[Fetched], Awaitable[None]]
    silent: int = 0
    wait: int = 0

    async def fetch(self) -> None:
        """Fetch every feed; once the host asks to be left alone, or does not answer, the others are postponed."""
        for feed in self.feeds:
            if self.wait or self.silent >= _SILENT:
                await self.report(Fetched(feed.number, busy=True, wait=self.wait or SHORTEST))
                continue
            async with self.places:
                await self.report(await self._fetched(feed))

    async def _fetched(self, feed: DueFeed) -> Fetched:
        try:
            asked = {"login": feed.address, "etag": feed.etag, "modified": feed.modified}
            async with self.fetcher.answer(feed.location, **asked) as reply:
                self.silent = 0
                return await self._parsed(feed, reply)
        except FetchFault as fault:
            return self._failed(feed, fault)
        except DataError as fault:
            return Fetched(feed.number, fault=str(fault))
        except Exception as fault:  # a fault in a library that a hostile server has found stops no other feed
            return Fetched(feed.number, fault=f"internal error ({type(fault).__name__})")

    def _failed(self, feed: DueFeed, fault: FetchFault) -> Fetched:
        """What is noted of a feed that failed; one that had moved is looked for at its own address the next time."""
        if fault.busy:
            return Fetched(feed.number, busy=True, wait=SHORTEST)
        self.silent = self.silent + 1 if fault.silent else 0
        self.wait = fault.wait
        moved = feed.location != without_login(feed.address)[0] and feed.location != feed.address
        return Fetched(
            feed.number,
            fault=str(fault),
            gone=fault.gone and not moved,
            wait=fault.wait,
            location=feed.address if moved else "",
        )

    async def _parsed(self, feed: DueFeed, reply: Reply) -> Fetched:
        if not reply.changed:
            return Fetched(feed.number, wait=reply.wait, location=reply.moved)
        try:
            parsed = await self.parsers.feed(reply.body, reply.address, reply.charset)
        except DataError:
            if reply.kind in ("text/html", "application/xhtml+xml"):
                raise DataError("it is a web page, not a feed") from None
            raise
        return Fetched(
            feed.number,
            parsed.items,
            title=parsed.title,
            site=parsed.site,
            location=reply.moved,
            etag=reply.etag,
            modified=reply.modified,
            wait=min(max(reply.wait, parsed.every * SECOND), GRANTED),
        )
