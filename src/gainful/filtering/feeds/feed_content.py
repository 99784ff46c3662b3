"""What fetched bytes contain: a feed (RSS, Atom, RDF or JSON Feed) with its items cleaned, or a page that names feeds.

These functions take apart what strangers have written, and run in a process of their own (`parser_process`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from typing import Any
from urllib.parse import urljoin

import msgspec

from gainful.errors import DataError, UsageError
from gainful.filtering.feeds.feed_address import regular_address
from gainful.filtering.feeds.feed_guard import decoded
from gainful.filtering.feeds.feed_items import body_of, date_of, entries_of, known_as, title_of
from gainful.filtering.feeds.feed_records import ParsedItem
from gainful.filtering.safe_text import line, text_of, tidied, web

MOST_ITEMS = 500
"""Items of a feed that are read: the first of them, which are the latest in all but a few feeds."""

_MARKUP, _TEXT, _ALL = (
    200_000,
    200_000,
    16_000_000,
)  # characters of an item's markup and text; of all items together
_PAGE, _LINKS = 512 << 10, 10  # bytes of a page that are searched; feeds of a page that are named
_TAGS = {
    *(
        "a",
        "abbr",
        "b",
        "blockquote",
        "br",
        "cite",
        "code",
        "dd",
        "del",
        "dfn",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "ins",
        "kbd",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "q",
        "s",
        "samp",
    ),
    *(
        "small",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "time",
        "tr",
        "u",
        "ul",
        "var",
    ),
}
_UNSEEN = {"script", "style", "template", "head", "title", "noscript", "iframe", "object", "svg", "math"}
_ATTRIBUTES = {"a": {"href"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
_DEEPEST = (
    200  # elements within each other, in the markup of an item; the time to clean it grows with their square
)
_OPENED = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,15})")
_UNCLOSED = frozenset(  # elements that end by themselves
    {
        *("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"),
        *("p", "li", "dd", "dt", "option"),
    }
)
_START = datetime(1970, 1, 1, tzinfo=UTC)
_FEED_TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
        "application/json",
    }
)
_META = re.compile(rb"<meta[^<>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(r"<(link|base)\b([^<>]*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([a-z-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)


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


@dataclass(frozen=True)
class FeedLink:
    """A feed that a page names: its address, and what the page calls it."""

    address: str
    title: str


def parsed_feed(body: bytes, address: str, charset: str) -> ParsedFeed:
    """The feed that was fetched from an address, if it is one."""
    if body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        feed = _json_feed(body, address)
    else:
        feed = _xml_feed(body, address, charset)
    return replace(feed, items=_oldest_first(feed.items))


def _xml_feed(body: bytes, address: str, charset: str) -> ParsedFeed:
    read = entries_of(body, "the answer", salvage=True, charset=charset)
    minutes = str(read.feed.get("ttl") or "")
    return ParsedFeed(
        line(text_of(str(read.feed.get("title") or "")), 300),
        web(str(read.feed.get("link") or "")),
        tuple(_item(entry, address) for entry in read.entries[:MOST_ITEMS]),
        int(minutes) * 60 if minutes.isdecimal() and len(minutes) < 7 else 0,
    )


def _oldest_first(items: Iterable[ParsedItem]) -> tuple[ParsedItem, ...]:
    """Items once each, by their dates where all have one, or else from the last to the first; within a bound in all."""
    kept, left = [], _ALL
    for item in {item.id: item for item in reversed(tuple(items))}.values():
        left -= len(item.html) + len(item.text)
        if left < 0:
            item = replace(item, html="", text=item.text[:1000])  # noqa: PLW2901 (what is kept of it)
        kept.append(item)
    if all(item.published is not None for item in kept):
        kept.sort(key=lambda item: item.published or _START)
    return tuple(kept)


def _item(entry: dict[str, Any], address: str) -> ParsedItem:
    """An item as feedparser gives it."""
    title, (part, text) = title_of(entry), body_of(entry)
    link = _joined(address, str(entry.get("link") or ""))
    plain = part.get("type") == "text/plain"
    base = _joined(link or address, str(part.get("base") or "")) or link or address
    return ParsedItem(
        known_as(str(entry.get("id") or ""), link, title, text),
        line(title, 500),
        link,
        line(text_of(str(entry.get("author") or "")), 200),
        _paragraphs(text) if plain else cleaned(str(part.get("value") or ""), base),
        text[:_TEXT],
        date_of(entry),
    )


def _joined(base: str, link: str) -> str:
    """A link made whole; empty where it is no web address."""
    try:
        return web(urljoin(base, link.strip())) if link.strip() else ""
    except ValueError:
        return ""


def cleaned(markup: str, base: str) -> str:
    """Markup without all that runs, loads or hides something: text, its structure, and links to web pages.

    Of markup that is nested beyond measure the text is left.

    base  the address that links are relative to

    >>> cleaned('<p onclick="x()">a <a href="/b">b</a><img src="c"><script>d</script></p>', "https://example.org/a")
    '<p>a <a href="https://example.org/b" rel="noopener noreferrer nofollow">b</a></p>'
    """

    def kept(_: str, attribute: str, value: str) -> str | None:
        if attribute == "href":
            return _joined(base, value) or None
        return value if attribute == "rel" or (value.isdecimal() and len(value) < 3) else None

    bounded = markup[:_MARKUP].replace("\0", "")
    if _is_deep(bounded):
        return _paragraphs(text_of(bounded))
    clean: str = _nh3().clean(
        bounded,
        tags=_TAGS,
        clean_content_tags=_UNSEEN,
        attributes=_ATTRIBUTES,
        attribute_filter=kept,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
    return clean.strip()


def _is_deep(markup: str) -> bool:
    """Whether more elements are open within each other than any text needs, by a count that errs on the safe side."""
    depth = 0
    for closing, tag in _OPENED.findall(markup):
        if tag.lower() not in _UNCLOSED:
            depth = max(depth - 1, 0) if closing else depth + 1
            if depth > _DEEPEST:
                return True
    return False


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in text[:_TEXT].split("\n") if paragraph)


def _nh3() -> Any:
    try:
        return import_module("nh3")
    except ImportError:
        raise UsageError("fetching feeds needs nh3: pip install 'gainful[feeds]'") from None


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
        _joined(address, _said(feed, "home_page_url")),
        tuple(_json_item(record, address) for record in records),
        0,
    )


def _json_item(record: Mapping[str, Any], address: str) -> ParsedItem:
    link = _joined(address, _said(record, "url") or _said(record, "external_url"))
    markup, plain = _said(record, "content_html"), _said(record, "content_text") or _said(record, "summary")
    text = text_of(markup) if markup else tidied(plain[:_TEXT])
    title = line(_said(record, "title"), 500)
    return ParsedItem(
        known_as(_said(record, "id"), link, title, text),
        title,
        link,
        line(", ".join(_authors(record)), 200),
        cleaned(markup, link or address) if markup else _paragraphs(text),
        text[:_TEXT],
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


# ---- pages


def feed_links(body: bytes, address: str, charset: str) -> tuple[FeedLink, ...]:
    """Feeds that a web page names, in its order.

    >>> page = b'<base href="/x/"><link rel="alternate" type="application/rss+xml" title="All &amp; more" href="feed">'
    >>> feed_links(page, "https://example.org/page", "")
    (FeedLink(address='https://example.org/x/feed', title='All & more'),)
    """
    text = _COMMENT.sub("", page_text(body[:_PAGE], charset))
    base, links = address, dict[str, FeedLink]()
    for tag, inside in _LINK.findall(text):
        found = {
            name.lower(): html.unescape(double or single or bare)
            for name, double, single, bare in _ATTRIBUTE.findall(inside[:4000])
        }
        if tag.lower() == "base":
            base = _joined(address, found.get("href", "")) or base
        elif "alternate" in found.get("rel", "").lower().split() and _is_feed(found.get("type", "")):
            target = _regular(_joined(base, found.get("href", "")))
            links.setdefault(target, FeedLink(target, line(found.get("title", ""), 200)))
    links.pop("", None)
    return tuple(links.values())[:_LINKS]


def page_text(body: bytes, charset: str) -> str:
    """The text of a page: by its byte-order mark, its own declaration, what the server says, or what fits."""
    try:
        return decoded(body, "the page", charset=charset, declared=_META)[0]
    except DataError:
        return body.decode("utf-8", "replace")


def _is_feed(kind: str) -> bool:
    return kind.partition(";")[0].strip().lower() in _FEED_TYPES


def _regular(address: str) -> str:
    try:
        return regular_address(address) if address else ""
    except DataError:
        return ""
