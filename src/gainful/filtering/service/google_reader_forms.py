"""Answers of the Google Reader API as records for JSON: items, subscriptions, tags, unread counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gainful.filtering.safe_text import line, web
from gainful.filtering.service.entry_forms import author, content, published, title_of, updated
from gainful.filtering.service.google_reader_streams import NOT_RELEVANT, SAVED, long_id, short_id
from gainful.filtering.state.events import stamp

if TYPE_CHECKING:
    from gainful.filtering.inbox.inbox_entry import Entry, EntryMarks

STATE = "user/-/state/com.google/"
READING_LIST = f"{STATE}reading-list"
_LABEL = "user/-/label/"
_LOOKALIKES = str.maketrans("<>&", "＜＞＆")


def shown_title(text: str) -> str:
    """A title that clients show letter for letter, whether they take it for HTML or not: brackets become wide ones.

    >>> shown_title("1 < 2 & <b>3</b>")
    '1 ＜ 2 ＆ ＜b＞3＜/b＞'
    """
    return text.translate(_LOOKALIKES)


def feed_id(profile: int) -> str:
    """The stream of a profile."""
    return f"feed/{profile}"


def states_of(entry: Entry) -> list[str]:
    """The states of an entry, by the names that clients know."""
    return [
        "reading-list",
        "read" if entry.read else "fresh",
        *(["starred"] if entry.verdict is True else []),
    ]


def item(entry: Entry) -> dict[str, Any]:
    """An entry as an item of a stream."""
    delivered = stamp(updated([entry]))
    link = web(entry.link)
    links = [{"href": link}] if link else []
    labels = ([NOT_RELEVANT] if entry.verdict is False else []) + ([SAVED] if entry.saved else [])
    return {
        "id": long_id(entry.number or 0),
        "crawlTimeMsec": str(delivered // 1_000),
        "timestampUsec": str(delivered),
        "published": _seconds(published(entry)),
        "updated": delivered // 1_000_000,
        "title": shown_title(title_of(entry)),
        "author": shown_title(author(entry)),
        "summary": {"direction": "ltr", "content": content(entry)},
        "canonical": links,
        "alternate": [{**address, "type": "text/html"} for address in links],
        "categories": [f"{STATE}{state}" for state in states_of(entry)]
        + [f"{_LABEL}{label}" for label in labels],
        "origin": {
            "streamId": feed_id(entry.profile_number),
            "title": shown_title(line(entry.profile, 100)),
            "htmlUrl": link,
        },
    }


def stream(
    name: str, entries: Sequence[Entry], *, now: datetime, continuation: str | None = None
) -> dict[str, Any]:
    """A stream with its items."""
    record: dict[str, Any] = {
        "direction": "ltr",
        "id": name,
        "updated": _seconds(now),
        "items": [item(entry) for entry in entries],
    }
    return _continued(record, continuation)


def item_references(entries: Iterable[EntryMarks], continuation: str | None) -> dict[str, Any]:
    """The ids of a stream's items."""
    references = [
        {
            "id": short_id(entry.number),
            "directStreamIds": [feed_id(entry.profile_number)],
            "timestampUsec": str(stamp(entry.delivered)),
        }
        for entry in entries
    ]
    return _continued({"itemRefs": references}, continuation)


def subscriptions(profiles: Mapping[int, str], base: str) -> dict[str, Any]:
    """Profiles as subscriptions; their addresses are those of this API, and ask for a password."""
    return {
        "subscriptions": [
            {
                "id": feed_id(number),
                "title": shown_title(line(name, 100)),
                "categories": [],
                "sortid": f"{number:08x}",
                "firstitemmsec": "0",
                "url": f"{base}reader/atom/feed/{number}",
                "htmlUrl": base,
                "iconUrl": "",
            }
            for number, name in profiles.items()
        ]
    }


def tags() -> dict[str, Any]:
    """States and labels that entries can have."""
    labels = [{"id": f"{_LABEL}{label}", "type": "tag"} for label in (NOT_RELEVANT, SAVED)]
    return {"tags": [{"id": f"{STATE}starred"}, *labels]}


def unread_counts(counts: Mapping[int, tuple[int, datetime | None]]) -> dict[str, Any]:
    """How many entries are unread in each profile, and when the newest of them came."""
    total = sum(count for count, _ in counts.values())
    newest = max((delivered for _, delivered in counts.values() if delivered), default=None)
    return {
        "max": total,
        "unreadcounts": [
            *(_count(feed_id(number), *unread) for number, unread in counts.items()),
            _count(READING_LIST, total, newest),
        ],
    }


def _count(name: str, count: int, newest: datetime | None) -> dict[str, Any]:
    return {"id": name, "count": count, "newestItemTimestampUsec": str(stamp(newest) if newest else 0)}


def _seconds(moment: datetime) -> int:
    return stamp(moment) // 1_000_000


def _continued(record: dict[str, Any], continuation: str | None) -> dict[str, Any]:
    return record if continuation is None else {**record, "continuation": continuation}
