"""Open inboxes: one for each reader, asked by one thread at a time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from gainful.errors import DataError, GainfulError
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.state.filter_session import Clock
from gainful.filtering.state.reader_states import FIRST, readers_of, remove_reader
from gainful.filtering.state.store_address import Address, open_store

_T = TypeVar("_T")

MOST_OPEN = 32
"""Inboxes that are open at once; beyond it the one that was used longest ago is closed. A long log takes tens of megabytes."""


@dataclass
class _OpenInbox:
    """A reader's inbox, once it was asked for, and who waits for it."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    inbox: Inbox | None = None
    waiting: int = 0


class OpenInboxes:
    """Readers' inboxes, kept open between requests: an engine is read once, not at every click.

    Every handler reaches a reader's things through `ask`, so that what it does is done with this reader's inbox and no other.
    """

    def __init__(self, address: str, *, clock: Clock | None = None, most: int = MOST_OPEN) -> None:
        self._address, self._clock, self._most = address, clock, most
        self._open: OrderedDict[int, _OpenInbox] = OrderedDict()
        self._gone: set[int] = set()

    async def ask(self, reader: int, work: Callable[[Inbox], _T]) -> _T:
        """What `work` returns when it is called with the reader's inbox, in a worker thread, while nobody else has it."""
        opened = self._open.setdefault(reader, _OpenInbox())
        self._open.move_to_end(reader)
        opened.waiting += 1
        try:
            async with opened.turn:
                if (
                    reader in self._gone
                ):  # who waited while the reader was forgotten would make a new, empty state
                    raise DataError("This account is removed.")
                return await _to_its_end(run_in_threadpool(self._work, opened, reader, work))
        finally:
            opened.waiting -= 1
            await self._make_room()

    def _work(self, opened: _OpenInbox, reader: int, work: Callable[[Inbox], _T]) -> _T:
        if opened.inbox is None:
            opened.inbox = Inbox(self._address, reader, create=reader != 1, clock=self._clock)
        return work(opened.inbox)

    async def forget(self, reader: int) -> None:
        """Remove everything of a reader for good: feeds, log, verdicts and marks."""
        opened = self._open.setdefault(reader, _OpenInbox())
        async with opened.turn:
            await run_in_threadpool(_close, opened)
            await run_in_threadpool(forget_reader, self._address, reader)
            self._gone.add(reader)

    async def close(self) -> None:
        """Close all of them."""
        while self._open:
            _, opened = self._open.popitem()
            async with opened.turn:
                await run_in_threadpool(_close, opened)

    async def _make_room(self) -> None:
        idle = [reader for reader, opened in self._open.items() if not opened.waiting]
        for reader in idle[: max(0, len(self._open) - self._most)]:
            opened = self._open.pop(reader)
            async with opened.turn:
                await run_in_threadpool(_close, opened)


async def _to_its_end(working: Coroutine[Any, Any, _T]) -> _T:
    """What a thread returns. Whoever is cancelled meanwhile waits for it: nobody else may have the inbox until then."""
    task = asyncio.ensure_future(working)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def _close(opened: _OpenInbox) -> None:
    if opened.inbox is not None:
        inbox, opened.inbox = opened.inbox, None
        with suppress(GainfulError):
            inbox.close()


def forget_reader(address: Address, reader: int) -> None:
    """Remove everything of a reader for good: feeds, log, verdicts and marks. The reader's inbox must not be open.

    The first reader's log is the main state itself, which others need: it stays, and is emptied.
    """
    if reader == FIRST:
        with Inbox(address, reader) as inbox:
            inbox.feeds.forget(reader)
            inbox.filter.forget_everything()
        return
    with closing(open_store(address)) as store:
        FeedStore(store).forget(reader)
    if reader in readers_of(address):  # others have no state yet; a damaged one is removed like any other
        remove_reader(address, reader)
