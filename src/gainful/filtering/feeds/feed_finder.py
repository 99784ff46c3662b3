"""The feed of a web page: the page itself where it is a feed, or one that it names, or one at a usual place."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from urllib.parse import urljoin

from gainful.errors import DataError
from gainful.filtering.feeds.feed_address import regular_address, shown_address, with_login_of
from gainful.filtering.feeds.feed_content import ParsedFeed
from gainful.filtering.feeds.fetch_reply import Limits, Reply
from gainful.filtering.feeds.fetch_request import Fetcher, fault_of, outside_loops
from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.feeds.page_feeds import FeedLink
from gainful.filtering.feeds.parser_pool import ParserPool
from gainful.filtering.state.filter_session import Clock, now

_TRIED = 3  # feeds that a page names
_USUAL = ("/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml")


@dataclass(frozen=True)
class FoundFeed:
    """A feed that was fetched and read.

    address  of the feed, with the name and password that were given, if any
    title    what it calls itself
    items    how many it has
    others   other feeds that the page names
    """

    address: str
    title: str
    items: int
    others: tuple[FeedLink, ...] = ()


async def find_feed(
    address: str,
    *,
    rules: NetworkRules | None = None,
    limits: Limits | None = None,
    clock: Clock | None = None,
) -> FoundFeed:
    """The feed of an address, which may be that of a feed or of a web page; `DataError` where there is none.

    rules   where requests may go; to public hosts by default
    limits  how much of anything an answer may take
    clock   for servers that name a time
    """
    given = regular_address(address)
    async with Fetcher(rules, limits, clock=clock or now) as fetcher, ParserPool(1) as parsers:
        return await _Search(given, fetcher, parsers).found()


def found_feed(
    address: str,
    *,
    rules: NetworkRules | None = None,
    limits: Limits | None = None,
    clock: Clock | None = None,
) -> FoundFeed:
    """The feed of an address, as `find_feed` finds it, for callers that wait."""
    return outside_loops(lambda: asyncio.run(find_feed(address, rules=rules, limits=limits, clock=clock)))


@dataclass
class _Search:
    given: str
    fetcher: Fetcher
    parsers: ParserPool

    async def found(self) -> FoundFeed:
        try:
            reply = await self.fetcher.get(self.given)
        except DataError as fault:
            raise DataError(fault_of(self.given, fault)) from None
        if feed := await self._read(reply):
            return FoundFeed(
                self._own(reply.moved) if reply.moved else self.given, feed.title, len(feed.items)
            )
        links = await self.parsers.links(reply.body, reply.address, reply.charset)
        usual = [FeedLink(urljoin(reply.address, path), "") for path in _USUAL]
        for link in (*links[:_TRIED], *usual):
            if feed := await self._fetched(link.address):
                others = tuple(other for other in links if other != link)
                return FoundFeed(self._own(link.address), feed.title or link.title, len(feed.items), others)
        raise DataError(
            f"{shown_address(self.given)} is not a feed, and names none; give the address of a feed itself."
        )

    def _own(self, address: str) -> str:
        """An address that was found, with the name and password that were given, if it is on the same host."""
        return with_login_of(address, self.given)

    async def _fetched(self, address: str) -> ParsedFeed | None:
        try:
            return await self._read(await self.fetcher.get(address, login=self.given))
        except DataError:
            return None

    async def _read(self, reply: Reply) -> ParsedFeed | None:
        try:
            return await self.parsers.feed(reply.body, reply.address, reply.charset)
        except DataError:
            return None
