"""What the store of feeds returns: feeds with their health, and items."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gainful.filtering.document import Document
from gainful.presentation.page import Brief

MOST_ITEMS = 500
"""Items of a feed that are taken in at once."""


@dataclass(frozen=True, slots=True, repr=False)
class Feed(Brief):
    """A feed, as one reader sees it.

    number    by which it is known; the same for every reader
    address   as it was subscribed to; a password in it is not shown
    site      the web page that it belongs to; may be empty
    title     the reader's own name for it, or else the one that it gives itself, or else its address
    folder    in which the reader keeps it; may be empty
    added     when the reader subscribed
    fetched   when it was last fetched with success; None for never
    renewed   when it last had something new; None for never
    due       when it is fetched next; None where it is gone
    failures  fetches that failed since
    fault     why the last one failed, in words; empty where it did not
    gone      whether its server said that it is gone for good (status 410)
    """

    number: int
    address: str
    site: str
    title: str
    folder: str
    added: datetime
    fetched: datetime | None
    renewed: datetime | None
    due: datetime | None
    failures: int
    fault: str
    gone: bool


@dataclass(frozen=True, slots=True, repr=False)
class FeedItem(Brief):
    """An item of a feed.

    number      by which it is known; the same for every reader
    story       number of the item that stands for all of this reader's items that tell the same
    feed        number of its feed
    feed_title  title of its feed
    title       one line of text; may be empty
    link        where the whole of it can be read; a web address, or empty
    author      one line of text; may be empty
    html        what it says, cleaned: no scripts, styles, forms or images, and links that lead to web pages only
    text        what it says, as text
    published   when, as the feed says it
    arrived     when it was first seen
    """

    number: int
    story: int
    feed: int
    feed_title: str
    title: str
    link: str
    author: str
    html: str
    text: str
    published: datetime | None
    arrived: datetime

    def document(self) -> Document:
        """The item as a filter takes it in; its id names the story.

        An item that is dated later than it arrived has the date of its arrival.
        """
        date = self.arrived if self.published is None else min(self.published, self.arrived)
        return Document(f"item-{self.story}", self.text, self.title, date, link=self.link)


@dataclass(frozen=True, slots=True, repr=False)
class ParsedItem(Brief):
    """An item as it stands in a feed, before it has a number.

    id         by which the feed knows it
    published  None where the feed says nothing

    The others are those of `FeedItem`.
    """

    id: str
    title: str = ""
    link: str = ""
    author: str = ""
    html: str = ""
    text: str = ""
    published: datetime | None = None


@dataclass(frozen=True, slots=True, repr=False)
class DueFeed(Brief):
    """A feed that is to be fetched, with what its server said the last time.

    number    by which it is known
    address   as it was subscribed to, with name and password if there are any
    location  where it is fetched: the address, or where a permanent redirect led
    etag, modified
              what the server said of the content that is known, for a conditional request
    """

    number: int
    address: str
    location: str
    etag: str
    modified: str


@dataclass(frozen=True, slots=True, repr=False)
class Fetched(Brief):
    """What came of fetching a feed.

    feed      its number
    items     what it holds, oldest first; None where the server says that nothing has changed, or where it failed
    fault     why it failed, in words; empty where it did not
    gone      whether the server says that it is gone for good
    wait      microseconds for which the server asks to be left alone
    busy      whether it was not asked at all, since its server asked to be left alone; not a failure
    title, site, location, etag, modified
              what is known of it now; those of a feed that failed are ignored
    """

    feed: int
    items: tuple[ParsedItem, ...] | None = None
    fault: str = ""
    gone: bool = False
    wait: int = 0
    busy: bool = False
    title: str = ""
    site: str = ""
    location: str = ""
    etag: str = ""
    modified: str = ""
