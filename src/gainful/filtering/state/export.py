"""Export: everything that happened, and what was read or saved, as JSON lines."""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Iterator
from typing import IO, Any

from gainful.filtering.safe_text import json_text
from gainful.filtering.state.events import body_of, moment, said
from gainful.filtering.state.schema import VERSION
from gainful.filtering.state.store import Store
from gainful.formats.ids import from_bytes, shown

Record = dict[str, Any]


def export(store: Store, file: IO[str]) -> int:
    """Write a header, every event in order, and what was read or saved; how many lines that made."""
    from gainful import __version__

    names: dict[int, str] = dict(store.rows("SELECT number, name FROM profiles"))
    kinds = (
        _documents(store),
        _deliveries(store, names),
        _feedback(store, names),
        _changes(store, names),
        _gone(store),
    )
    file.write(_line({"gainful": __version__, "kind": "filter state", "version": VERSION}))
    lines = 1
    for record in heapq.merge(*kinds, key=lambda record: record["event"]):
        file.write(_line(record))
        lines += 1
    for mark in _marks(store):
        file.write(_line(mark))
        lines += 1
    return lines


def _documents(store: Store) -> Iterator[Record]:
    query = (
        "SELECT event, time, documents.number, id, deliverable, date, title, text, text_kept, link FROM documents "
        "JOIN events ON events.number = event WHERE id IS NOT NULL ORDER BY documents.number"
    )
    for event, time, number, raw, deliverable, date, title, text, text_kept, link in store.scan(query):
        yield {
            **_head(event, "document", time),
            "position": number + 1,
            "id": shown(from_bytes(raw)),
            "title": title,
            "text": text if text_kept else None,
            "link": link,
            "date": None if date is None else _time(date),
            "deliverable": bool(deliverable),
        }


def _deliveries(store: Store, names: dict[int, str]) -> Iterator[Record]:
    query = (
        "SELECT d.event, time, profile, id, score, theta FROM deliveries AS d "
        "JOIN events AS e ON e.number = d.event JOIN documents AS x ON x.number = document ORDER BY d.event"
    )
    for event, time, profile, raw, score, theta in store.scan(query):
        record = {
            **_head(event, "delivery", time),
            **_whose(profile, names),
            "document": shown(from_bytes(raw)),
        }
        yield {**record, "score": score, "theta": theta}


def _feedback(store: Store, names: dict[int, str]) -> Iterator[Record]:
    query = (
        "SELECT f.event, time, position, profile, id, verdict FROM feedback AS f "
        "JOIN events AS e ON e.number = f.event JOIN documents AS x ON x.number = document ORDER BY f.event"
    )
    for event, time, position, profile, raw, verdict in store.scan(query):
        record = {**_head(event, "feedback", time), "position": position, **_whose(profile, names)}
        yield {**record, "document": shown(from_bytes(raw)), "verdict": said(verdict) or "undo"}


def _changes(store: Store, names: dict[int, str]) -> Iterator[Record]:
    query = (
        "SELECT event, kind, time, position, profile AS changed_profile, body FROM changes "
        "JOIN events ON number = event ORDER BY event"
    )
    for event, kind, time, position, profile, body in store.scan(query):
        whose = {} if profile is None else _whose(profile, names)
        yield {**_head(event, kind, time), "position": position, **whose, "body": _body(store, event, body)}


def _body(store: Store, event: int, body: str) -> Record:
    return body_of(body, dict[str, Any], f"table changes, row {event}", store.damaged)


def _gone(store: Store) -> Iterator[Record]:
    for event, time in store.rows("SELECT number, time FROM events WHERE kind = 'forgotten' ORDER BY number"):
        yield _head(event, "forgotten", time)


def _marks(store: Store) -> Iterator[Record]:
    query = "SELECT id, read, saved FROM marks JOIN documents ON number = document WHERE id IS NOT NULL ORDER BY document"
    for raw, read, saved in store.scan(query):
        yield {
            "kind": "mark",
            "document": shown(from_bytes(raw)),
            "read": bool(read),
            "saved": bool(saved),
        }


def _head(event: int, kind: str, time: int) -> Record:
    return {"event": event, "kind": kind, "time": _time(time)}


def _whose(profile: int, names: dict[int, str]) -> Record:
    """A name may have been free again and taken by another profile; the number tells them apart."""
    return {"profile": names.get(profile), "profile_number": profile}


def _time(stamped: int) -> str:
    return moment(stamped).isoformat().replace("+00:00", "Z")


def _line(record: Record) -> str:
    plain = {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in record.items()
    }
    return json_text(json.dumps(plain, ensure_ascii=False, allow_nan=False) + "\n")
