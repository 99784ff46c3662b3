"""What the service does by itself: feeds fetched, items filtered for every reader, then what other modules have to do."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta

from starlette.concurrency import run_in_threadpool

from gainful.errors import GainfulError, printable
from gainful.filtering.service.visitors import Service

Duty = Callable[[Service], Awaitable[None]]
"""Something to be done again and again; it decides itself whether it is time."""

EVERY = 20.0
"""Seconds between rounds."""

LEASE = timedelta(seconds=90)
"""How long other processes wait for one that has ended without a word."""

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
            await self.round()
            await asyncio.sleep(self._every)

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
