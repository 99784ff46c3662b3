"""OPML: lists of feeds in folders, as feed readers exchange them.

A folder within a folder is written with a slash, `News/Science`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from gainful.errors import DataError
from gainful.filtering.feeds.feed_address import regular_address, shown_address, without_password
from gainful.filtering.feeds.feed_guard import UNDEFINED_ENTITY, broken_at, guarded, html_entities
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.feeds.subscriptions import MOST_FEEDS, folder_path
from gainful.filtering.safe_text import line, web, xml

LARGEST = 5 << 20
"""Bytes of a file."""


@dataclass(frozen=True)
class Outline:
    """A feed of a list.

    address  of the feed, regular
    title    what the list calls it; may be empty
    folder   in which it lies, `A/B` for B within A; may be empty
    site     the web page that it belongs to; may be empty
    """

    address: str
    title: str = ""
    folder: str = ""
    site: str = ""


@dataclass(frozen=True)
class Outlines:
    """A list of feeds.

    feeds    each once, in the order of the file
    refused  what stands for feeds in the file and is no web address
    """

    feeds: tuple[Outline, ...]
    refused: tuple[str, ...] = ()


def read_opml(raw: bytes, name: str = "the file") -> Outlines:
    """The feeds of an OPML file; `DataError` where it is none, or too large in any way.

    name  of the file, for messages
    """
    if len(raw) > LARGEST:
        raise DataError(f"{name} holds more than {LARGEST >> 20} MiB; that is not a list of feeds.")
    safe = guarded(raw, name, kind="a list of feeds")
    text = safe.text
    broken = broken_at(text, name)
    if broken and broken.reason == UNDEFINED_ENTITY:
        text = html_entities(text)
        broken = broken_at(text, name)
    if broken:
        raise DataError(
            f"{name}, line {broken.line + safe.line}: broken XML ({broken.reason}); export the list again."
        )
    reader = _Reader(name)
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = reader.enter, reader.leave
    parser.Parse(text.encode("utf-8", "replace"), True)
    if not reader.is_opml:
        raise DataError(f"{name} is not OPML; subscribe to a feed by its address.")
    return Outlines(tuple(reader.feeds.values()), tuple(reader.refused))


class _Reader:
    """Takes elements as they come."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._depth = 0
        self._folders: list[str] = []
        self.feeds: dict[str, Outline] = {}
        self.refused: list[str] = []
        self.is_opml = False

    def enter(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self._depth += 1
        self.is_opml = self.is_opml or (self._depth == 1 and tag.lower() == "opml")
        if tag.lower() != "outline":
            self._folders.append("")
            return
        given = {name.lower(): value for name, value in attributes.items()}
        title = line(given.get("title") or given.get("text") or "", 300)
        if address := given.get("xmlurl", "").strip():
            self._add(address, title, web(given.get("htmlurl", "")))
            title = ""
        self._folders.append(title)

    def _add(self, address: str, title: str, site: str) -> None:
        try:
            regular = regular_address(address)
        except DataError:
            self.refused.append(line(shown_address(address), 100))
            return
        title = "" if title in (address, regular) else title
        self.feeds.setdefault(regular, Outline(regular, title, folder_path("/".join(self._folders)), site))
        if len(self.feeds) > MOST_FEEDS:
            raise DataError(f"{self._name} lists more than {MOST_FEEDS:,} feeds; split it.")

    def leave(self, _: str) -> None:
        """An element ends."""
        self._depth -= 1
        self._folders.pop()


def write_opml(feeds: Iterable[Outline], title: str = "Feeds") -> str:
    """Feeds as an OPML file, folders as outlines within each other."""
    tree: dict[str, object] = {}
    for feed in feeds:
        place = tree
        for folder in filter(None, feed.folder.split("/")):
            inner = place.setdefault(f"/{folder}", {})
            assert isinstance(inner, dict)
            place = inner
        place[feed.address] = feed
    rows = ['<?xml version="1.0" encoding="utf-8"?>', '<opml version="2.0">']
    rows += [f"  <head><title>{_attribute(title)[1:-1]}</title></head>", "  <body>", *_rows(tree, "    ")]
    return "\n".join([*rows, "  </body>", "</opml>", ""])


def _rows(tree: dict[str, object], indent: str) -> Iterable[str]:
    for name, inner in tree.items():
        if isinstance(inner, dict):
            yield f"{indent}<outline text={_attribute(name[1:])}>"
            yield from _rows(inner, indent + "  ")
            yield f"{indent}</outline>"
        elif isinstance(inner, Outline):
            title = _attribute(inner.title or inner.address)
            site = f" htmlUrl={_attribute(inner.site)}" if inner.site else ""
            yield f'{indent}<outline type="rss" text={title} title={title} xmlUrl={_attribute(inner.address)}{site}/>'


def _attribute(text: str) -> str:
    return quoteattr(xml(text))


def subscriptions_opml(feeds: FeedStore, reader: int, *, passwords: bool = False) -> str:
    """The feeds of a reader as an OPML file.

    passwords  whether addresses keep their passwords; without them the file can be passed on
    """
    full = feeds.full_addresses(reader)
    return write_opml(
        Outline(
            full[feed.number] if passwords else without_password(full[feed.number]),
            "" if feed.title == feed.address else feed.title,
            feed.folder,
            feed.site,
        )
        for feed in feeds.feeds(reader)
        if feed.number in full
    )
