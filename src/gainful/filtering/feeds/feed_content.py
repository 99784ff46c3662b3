"""What fetched bytes contain: a feed (RSS, Atom, RDF or JSON Feed), with its items cleaned.

These functions take apart what strangers have written, and run in a process of their own (`parser_process`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from gainful.errors import DataError
from gainful.filtering.feeds.feed_items import body_of, date_of, entries_of, known_as, title_of
from gainful.filtering.feeds.feed_records import MOST_ITEMS, ParsedItem
from gainful.filtering.feeds.item_markup import LONGEST, cleaned, paragraphs, whole_link
from gainful.filtering.safe_text import line, text_of, tidied, web

_ALL, _SHORT = 4_000_000, 1_000  # characters of all items together; of one for which no room is left
_START = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class ParsedFeed:
    """What a feed holds.

    title, site  what it says of itself
    items        oldest first
    every        seconds for which it says that it does not change; 0 where it says nothing
    """

    title: str
    site: str
    items: tuple[ParsedItem, ...]
    every: int


def parsed_feed(body: bytes, address: str, charset: str) -> ParsedFeed:
    """The feed that was fetched from an address, if it is one."""
    is_json = body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    feed = _json_feed(body, address) if is_json else _xml_feed(body, address, charset)
    return replace(feed, items=_oldest_first(feed.items))


def _xml_feed(body: bytes, address: str, charset: str) -> ParsedFeed:
    read = entries_of(body, "the answer", salvage=True, charset=charset)
    minutes = str(read.feed.get("ttl") or "")
    return ParsedFeed(
        line(text_of(str(read.feed.get("title") or "")), 300),
        web(str(read.feed.get("link") or "")),
        tuple(_item(entry, address) for entry in read.entries[:MOST_ITEMS]),  # the latest, in most feeds
        int(minutes) * 60 if minutes.isdecimal() and len(minutes) < 7 else 0,
    )


def _oldest_first(items: Iterable[ParsedItem]) -> tuple[ParsedItem, ...]:
    """Items once each, by their dates where all have one, or else from the last to the first; within a bound in all.

    Where there is more than that, what stands last in the feed is shortened.
    """
    kept: dict[str, ParsedItem] = {}
    left = _ALL
    for item in items:
        left -= len(item.html) + len(item.text)
        kept.setdefault(item.id, item if left >= 0 else replace(item, html="", text=item.text[:_SHORT]))
    oldest_first = list(reversed(kept.values()))
    if all(item.published is not None for item in oldest_first):
        oldest_first.sort(key=lambda item: item.published or _START)
    return tuple(oldest_first)


def _item(entry: dict[str, Any], address: str) -> ParsedItem:
    """An item as feedparser gives it."""
    title, (part, text) = title_of(entry), body_of(entry)
    link = whole_link(address, str(entry.get("link") or ""))
    plain = part.get("type") == "text/plain"
    base = whole_link(link or address, str(part.get("base") or "")) or link or address
    return ParsedItem(
        known_as(str(entry.get("id") or ""), link, title, text),
        line(title, 500),
        link,
        line(text_of(str(entry.get("author") or "")), 200),
        paragraphs(text) if plain else cleaned(str(part.get("value") or ""), base),
        text[:LONGEST],
        date_of(entry),
    )


# ---- JSON Feed


def _json_feed(body: bytes, address: str) -> ParsedFeed:
    try:
        feed = msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise DataError("the answer is not a feed: it is broken JSON.") from None
    if not isinstance(feed, dict) or "jsonfeed.org" not in str(feed.get("version", ""))[:100]:
        raise DataError("the answer is not a feed: it is JSON, but no JSON Feed.")
    items = feed.get("items")
    records = (
        [item for item in items[:MOST_ITEMS] if isinstance(item, dict)] if isinstance(items, list) else []
    )
    return ParsedFeed(
        line(_said(feed, "title"), 300),
        whole_link(address, _said(feed, "home_page_url")),
        tuple(_json_item(record, address) for record in records),
        0,
    )


def _json_item(record: Mapping[str, Any], address: str) -> ParsedItem:
    link = whole_link(address, _said(record, "url") or _said(record, "external_url"))
    markup, plain = _said(record, "content_html"), _said(record, "content_text") or _said(record, "summary")
    text = text_of(markup) if markup else tidied(plain[:LONGEST])
    title = line(_said(record, "title"), 500)
    return ParsedItem(
        known_as(_said(record, "id"), link, title, text),
        title,
        link,
        line(", ".join(_authors(record)), 200),
        cleaned(markup, link or address) if markup else paragraphs(text),
        text[:LONGEST],
        _json_date(_said(record, "date_published") or _said(record, "date_modified")),
    )


def _said(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _authors(record: Mapping[str, Any]) -> list[str]:
    authors = record.get("authors")
    listed = authors if isinstance(authors, list) else [record.get("author")]
    return [name for author in listed[:5] if isinstance(author, dict) and (name := _said(author, "name"))]


def _json_date(said: str) -> datetime | None:
    try:
        date = datetime.fromisoformat(said)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
