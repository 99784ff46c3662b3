"""What the service does by itself: feeds fetched, items filtered for every reader, then what other modules have to do."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from datetime import timedelta

from starlette.concurrency import run_in_threadpool

from gainful.errors import GainfulError, printable
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.feeds.fetch_round import fetch_due
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.service_parts import Service
from gainful.filtering.state.store_address import open_store

Duty = Callable[[Service], Awaitable[None]]
"""Something to be done again and again; it decides itself whether it is time."""

EVERY = 10.0
"""Seconds between rounds."""

LEASE = timedelta(seconds=90)
"""How long other processes wait for one that has ended without a word."""

_FETCHED = 100  # feeds of a round: slow servers do not keep the other duties back for long
_PART = 200  # items that go through a reader's filter before clicks of that reader have their turn

_log = logging.getLogger("gainful.service")


class Worker:
    """Does the duties in turn, in this process, while no other process on the same database does."""

    def __init__(self, service: Service, duties: Sequence[Duty], *, every: float = EVERY) -> None:
        self._service, self._duties, self._every = service, duties, every
        self._holder = secrets.token_hex(8)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in the loop that is running."""
        self._task = asyncio.create_task(self._rounds())

    async def stop(self) -> None:
        """End, and leave the duties to others."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            with suppress(GainfulError):
                await run_in_threadpool(self._service.ledger.release, "worker", self._holder)

    async def _rounds(self) -> None:
        while True:
            self._service.woken.clear()
            await self.round()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._every):
                    await self._service.woken.wait()

    async def round(self) -> bool:
        """Every duty once, if this process has the lease; a duty that fails is logged and stops no other."""
        if not await self._leased():
            return False
        renewing = asyncio.create_task(self._renew())
        try:
            for duty in self._duties:
                await self._do(duty)
        finally:
            renewing.cancel()
            with suppress(asyncio.CancelledError):
                await renewing
        return True

    async def _do(self, duty: Duty) -> None:
        try:
            await duty(self._service)
        except GainfulError as fault:
            _log.warning("%s", printable(str(fault)))
        except Exception:
            _log.exception("a duty of the service failed: %s", getattr(duty, "__name__", duty))

    async def _leased(self) -> bool:
        try:
            return await run_in_threadpool(self._service.ledger.lease, "worker", self._holder, LEASE)
        except GainfulError as fault:  # the database is away; the next round asks again
            _log.warning("%s", printable(str(fault)))
            return False

    async def _renew(self) -> None:
        """Keep the lease while a long round goes on."""
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            await self._leased()


def wake(service: Service) -> None:
    """Let the worker of this process begin its next round at once."""
    service.woken.set()


# ---- fetching and filtering


async def fetch(service: Service) -> None:
    """Fetch the feeds that are due."""
    if not service.options.fetch or not await run_in_threadpool(_any_due, service):
        return
    with closing(
        open_store(service.address)
    ) as store:  # not in a thread: it is closed whenever this is cancelled
        feeds = FeedStore(store, service.ledger.clock)
        await fetch_due(feeds, rules=service.options.network, most=_FETCHED)


def _any_due(service: Service) -> bool:
    with closing(open_store(service.address)) as store:
        return bool(FeedStore(store, service.ledger.clock).count_due())


async def take_in(service: Service) -> None:
    """Send new items through the filters of their readers, in parts, so that nobody's click waits long."""
    for reader in await run_in_threadpool(_waited_for, service):
        try:
            await _take_in(service, reader)
        except GainfulError as fault:  # of one reader's state; the others have theirs
            _log.warning("reader %d: %s", reader, printable(str(fault)))
        except Exception:
            _log.exception("items of reader %d could not be filtered", reader)


def _waited_for(service: Service) -> list[int]:
    """Readers who have items to filter; their inboxes need not be opened to know that."""
    with closing(open_store(service.address)) as store:
        feeds = FeedStore(store, service.ledger.clock)
        return [account.reader for account in service.accounts.all() if feeds.unseen(account.reader, most=1)]


async def _take_in(service: Service, reader: int) -> None:
    def part(inbox: Inbox) -> bool:
        return inbox.take_in(most=_PART).documents > 0

    while await service.inboxes.ask(reader, part):
        await asyncio.sleep(0)


duties: list[Duty] = [fetch, take_in]
