"""Feeds: RSS, Atom and RDF become documents, oldest first."""

from __future__ import annotations

import calendar
import hashlib
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.filtering.document import Document
from gainful.filtering.feeds.feed_guard import LARGEST, UNDEFINED_ENTITY, broken_at, guarded, html_entities
from gainful.filtering.safe_text import text_of, tidied
from gainful.formats.sources import Source

SALVAGED = 1 << 20
"""Characters of broken XML that are tried: the lenient parser for it is slow, and has no bounds of its own."""

_LONGEST_ID = 1000  # characters; what is longer is no name
_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'
_START = datetime(1970, 1, 1, tzinfo=UTC)
_WEB = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


@dataclass(frozen=True)
class FeedFile:
    """What a feed holds.

    documents  its items, oldest first where all of them are dated, in the order of the file otherwise
    title      of the feed
    notes      what was forgiven, a sentence each
    """

    documents: list[Document]
    title: str
    notes: list[str]


@dataclass(frozen=True)
class Entries:
    """A feed as feedparser gives it.

    feed     what it says of itself
    entries  what it says of each item, in the order of the file
    notes    what was forgiven, a sentence each
    """

    feed: Mapping[str, Any]
    entries: list[dict[str, Any]]
    notes: list[str]


def read_feed(path: str, *, salvage: bool = False) -> FeedFile:
    """The items of a feed in a file, `-` for standard input; plain or compressed. Nothing is fetched.

    salvage  read what can be read of broken XML, with a note; it is refused otherwise
    """
    with Source(path) as source:
        return feed_in(source, salvage=salvage)


def feed_in(source: Source, *, salvage: bool = False) -> FeedFile:
    """The items of a feed in an open file."""
    read = entries_of(source.raw().read(LARGEST + 1), source.name, salvage=salvage)
    documents = [_document(entry, place) for place, entry in enumerate(read.entries, 1)]
    if all(document.date for document in documents):
        documents.sort(key=lambda document: (document.date or _START, -document.place))
    return FeedFile(_apart(documents), tidied(str(read.feed.get("title") or "")), read.notes)


def entries_of(raw: bytes, name: str, *, salvage: bool = False, charset: str = "") -> Entries:
    """What the bytes of a feed contain, once they are known to be safe to parse.

    name     of the file, for messages
    salvage  read what can be read of broken XML
    charset  which encoding the server says it has
    """
    safe = guarded(raw, name, charset=charset)
    text, notes = safe.text, list(safe.notes)
    broken = broken_at(text, name)
    if broken and broken.reason == UNDEFINED_ENTITY:
        text = html_entities(text)
        broken = broken_at(text, name)
    if broken:
        fault = f"{name}, line {broken.line + safe.line}: broken XML ({broken.reason})"
        if not salvage:
            raise DataError(f"{fault}. Fetch it again, or read what is left of it with --salvage.")
        if len(text) > SALVAGED:
            raise DataError(f"{fault}, and more than the {SALVAGED >> 20} MiB that can be salvaged.")
    parsed = _parsed(text, name)
    if not parsed.get("version"):
        raise DataError(f"{name} is not a feed: it contains neither RSS nor Atom nor RDF.")
    if broken:
        notes.append(f"{fault}; {len(parsed['entries'])} items could be read.")
    return Entries(parsed["feed"], parsed["entries"], notes)


def _parsed(text: str, name: str) -> Mapping[str, Any]:
    """What feedparser makes of it."""
    content = io.BytesIO((_DECLARATION + text).encode("utf-8", "replace"))
    feedparser = _feedparser()
    try:
        feed: Mapping[str, Any] = feedparser.parse(content, sanitize_html=False, resolve_relative_uris=False)
    except MemoryError:
        raise
    except Exception as fault:  # whatever a hostile feed makes the parser stumble over
        reason = f"{type(fault).__name__} in the parser, {tidied(str(fault))[:80]}"
        raise DataError(f"{name} cannot be read as a feed ({reason}).") from None
    return feed


def _document(entry: dict[str, Any], place: int) -> Document:
    title, (_, text) = title_of(entry), body_of(entry)
    link = str(entry.get("link") or "").strip()
    return Document(
        known_as(str(entry.get("id") or ""), link, title, text),
        text,
        title,
        date_of(entry),
        place=place,
        link=link if _WEB.fullmatch(link) else "",
    )


def title_of(entry: Mapping[str, Any]) -> str:
    """The title of an item, on one line."""
    return _words(entry.get("title"), entry.get("title_detail")).replace("\n", " ")


def known_as(id_: str, link: str, title: str, text: str) -> str:
    """By what an item is known: its id, or else its link, or else its content, by a digest."""
    known = tidied(id_).replace("\n", " ") or tidied(link)
    return known if 0 < len(known) <= _LONGEST_ID else _digest(title, text)


def body_of(entry: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The content of an item where there is some, or else the summary: as it stands in the feed, and as text."""
    for part in [*entry.get("content", ()), entry.get("summary_detail", {})]:
        if text := _words(part.get("value"), part):
            return part, text
    summary = entry.get("summary") or ""
    return {"value": summary}, _words(summary, None)


def _words(value: Any, detail: Mapping[str, Any] | None) -> str:
    """Text as a reader sees it; what is declared as plain text keeps its brackets."""
    if not value:
        return ""
    plain = detail is not None and detail.get("type") == "text/plain"
    return tidied(str(value)) if plain else text_of(str(value))


def date_of(entry: dict[str, Any]) -> datetime | None:
    """When an item was published, or else changed."""
    for key in ("published_parsed", "updated_parsed", "created_parsed"):
        if date := dict.get(entry, key):  # feedparser's own `get` takes one date for another
            try:
                return _START + timedelta(seconds=calendar.timegm(date))
            except (ValueError, OverflowError, TypeError):
                continue
    return None


def _digest(title: str, text: str) -> str:
    """An id for an item that has none: equal content has equal ids."""
    content = f"{title}\n{text}".encode("utf-8", "replace")
    return f"item-{hashlib.blake2b(content, digest_size=12).hexdigest()}"


def _apart(documents: list[Document]) -> list[Document]:
    """One of each that stands there twice, word for word."""
    first = {(document.id, document.title, document.text): document for document in reversed(documents)}
    return [
        document for document in documents if first[document.id, document.title, document.text] is document
    ]


def _feedparser() -> Any:
    try:
        return import_module("feedparser")
    except ImportError:
        raise UsageError("reading RSS and Atom needs feedparser: pip install 'gainful[feeds]'") from None
