"""Entries of an inbox as other programs read them: Atom (RFC 4287), JSON Feed 1.1, and the HTML of one entry with why it came."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from gainful import __version__
from gainful.filtering.delivery_forms import add_element, atom_root, atom_time, xml_document
from gainful.filtering.safe_text import line, web
from gainful.presentation.text_style import fixed

if TYPE_CHECKING:
    from gainful.filtering.inbox.inbox_entry import Entry

WORDS = 6
"""Words that are named as the reason for an entry."""

_TITLE = 300
_UNTITLED = "(no title)"
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)

LABELS = "http://www.google.com/reader/"
"""The scheme of the categories that clients of the Google Reader API take as the state of an entry."""


@dataclass(frozen=True)
class FeedHead:
    """What a feed says of itself: its title, a name that never changes, its own address, and the page it belongs to."""

    title: str
    name: str
    address: str
    page: str


def title_of(entry: Entry) -> str:
    """The title of an entry on one line, cut where it is too long; its first words where it has none."""
    return line(entry.title, _TITLE) or line(entry.excerpt, 80) or _UNTITLED


def why(entry: Entry) -> str:
    """Why an entry came, in a sentence."""
    words = [line(word, 40) for word in entry.words[:WORDS]]
    named = f"Because of {', '.join(words)}. " if words else ""
    also = [line(title, 60) for title in entry.also_in]
    elsewhere = f" Also in {', '.join(also)}." if also else ""
    return f"{named}Score {fixed(entry.score)}, threshold {fixed(entry.threshold)}.{elsewhere}"


def content(entry: Entry) -> str:
    """The cleaned HTML of an entry, followed by why it came."""
    body = entry.html or (f"<p>{escape(entry.excerpt)}</p>" if entry.excerpt else "")
    return f"{body}\n<p><em>{escape(why(entry))}</em></p>"


def updated(entries: Iterable[Entry]) -> datetime:
    """When the newest of some entries was delivered; the beginning of 1970 where there are none."""
    return max((entry.delivered for entry in entries if entry.delivered), default=_BEGINNING)


def published(entry: Entry) -> datetime:
    """When an entry was published, as its feed says; when it was delivered where that says nothing."""
    return entry.published or updated([entry])


def author(entry: Entry) -> str:
    """Who wrote an entry, and the feed it came from."""
    return line(", ".join(filter(None, (entry.author, entry.feed))), 120)


def atom(
    entries: Sequence[Entry],
    head: FeedHead,
    *,
    id_of: Callable[[Entry], str],
    labels: Callable[[Entry], Sequence[str]] = lambda _: (),
) -> str:
    """An Atom feed of entries, in the order given.

    id_of   the id of an entry, which stays the same for ever
    labels  names of states that clients of the Google Reader API know
    """
    feed = atom_root()
    add_element(feed, "title", line(head.title, _TITLE))
    add_element(feed, "id", head.name)
    add_element(feed, "updated", atom_time(updated(entries)))
    add_element(feed, "link", rel="self", type="application/atom+xml", href=head.address)
    add_element(feed, "link", rel="alternate", type="text/html", href=head.page)
    add_element(add_element(feed, "author"), "name", "Gainful")
    add_element(feed, "generator", "Gainful", version=__version__)
    for entry in entries:
        element = add_element(feed, "entry")
        add_element(element, "title", title_of(entry), type="text")
        add_element(element, "id", id_of(entry))
        add_element(element, "updated", atom_time(updated([entry])))
        add_element(element, "published", atom_time(published(entry)))
        if link := web(entry.link):
            add_element(element, "link", rel="alternate", href=link)
        add_element(add_element(element, "author"), "name", author(entry) or "Gainful")
        for label in labels(entry):
            add_element(
                element,
                "category",
                term=f"user/-/state/com.google/{label}",
                scheme=LABELS,
                label=label,
            )
        add_element(element, "content", content(entry), type="html")
    return xml_document(feed)


def json_feed(entries: Sequence[Entry], head: FeedHead, *, id_of: Callable[[Entry], str]) -> dict[str, Any]:
    """A JSON Feed of entries, in the order given."""
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": line(head.title, _TITLE),
        "home_page_url": head.page,
        "feed_url": head.address,
        "items": [_json_item(entry, id_of(entry)) for entry in entries],
    }


def _json_item(entry: Entry, name: str) -> dict[str, Any]:
    item = {
        "id": name,
        "title": title_of(entry),
        "content_html": content(entry),
        "date_published": atom_time(published(entry)),
        "authors": [{"name": author(entry)}],
        "_gainful": {
            "profile": entry.profile,
            "score": entry.score,
            "threshold": entry.threshold,
            "words": list(entry.words),
            "delivered": atom_time(updated([entry])),
        },
    }
    if link := web(entry.link):
        item["url"] = link
    return item


def unless_known(request: Request, body: str, kind: str) -> Response:
    """A feed as an answer; a client that has this very one already is told so with 304."""
    encoded = body.encode("utf-8", "replace")
    name = f'"{sha256(encoded).hexdigest()[:32]}"'
    headers = {"ETag": name, "Cache-Control": "private, no-cache"}
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if name in known:
        return Response(status_code=304, headers=headers)
    return Response(encoded, media_type=f"{kind}; charset=utf-8", headers=headers)
