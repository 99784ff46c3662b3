"""The feeds that a web page names."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from gainful.errors import DataError
from gainful.filtering.feeds.feed_address import regular_address
from gainful.filtering.feeds.feed_guard import decoded
from gainful.filtering.feeds.item_markup import whole_link
from gainful.filtering.safe_text import line

_PAGE, _LINKS = 512 << 10, 10  # bytes of a page that are searched; feeds of a page that are named
_FEED_TYPES = frozenset(
    f"application/{kind}" for kind in ("rss+xml", "atom+xml", "rdf+xml", "feed+json", "json")
)
_META = re.compile(rb"<meta[^<>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(r"<(link|base)\b([^<>]*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([a-z-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)


@dataclass(frozen=True)
class FeedLink:
    """A feed that a page names: its address, and what the page calls it."""

    address: str
    title: str


def feed_links(body: bytes, address: str, charset: str) -> tuple[FeedLink, ...]:
    """Feeds that a web page names, in its order.

    >>> page = b'<base href="/x/"><link rel="alternate" type="application/rss+xml" title="All &amp; more" href="feed">'
    >>> feed_links(page, "https://example.org/page", "")
    (FeedLink(address='https://example.org/x/feed', title='All & more'),)
    """
    text = _COMMENT.sub("", page_text(body[:_PAGE], charset))
    base, links = address, dict[str, FeedLink]()
    for tag, inside in _LINK.findall(text):
        attributes = {
            name.lower(): html.unescape(double or single or bare)
            for name, double, single, bare in _ATTRIBUTE.findall(inside[:4000])
        }
        if tag.lower() == "base":
            base = whole_link(address, attributes.get("href", "")) or base
        elif "alternate" in attributes.get("rel", "").lower().split() and _is_feed(
            attributes.get("type", "")
        ):
            target = _regular(whole_link(base, attributes.get("href", "")))
            links.setdefault(target, FeedLink(target, line(attributes.get("title", ""), 200)))
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
