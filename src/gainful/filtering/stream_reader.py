"""Documents and topics from files: JSON lines, CSV, Parquet, feeds, TREC topics; documents all at once or one by one."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

from gainful.errors import DataError
from gainful.filtering.document import Document, Topic
from gainful.filtering.feeds.feed_items import feed_in
from gainful.formats.ids import shown, unshown
from gainful.formats.sources import Source
from gainful.formats.text_records import (
    Place,
    form_of,
    given_id,
    given_text,
    records,
    records_in,
)
from gainful.formats.texts import tagged_topics
from gainful.formats.types import Progress

_YEAR_ALONE = re.compile(r"\d{1,4}")


def read_stream(path: str | os.PathLike[str], *, progress: Progress | None = None) -> list[Document]:
    """Every document of a file, in its order, which is the order of the stream.

    A record has an id and a text, and may have a title, a date (ISO 8601), a link and a vector. Either all have a vector, of
    one length, or none has. JSON lines, CSV (.csv, .tsv) and Parquet (.parquet) are read; `-` is standard input.
    """
    documents: list[Document] = []
    places: dict[str, int] = {}
    length: int | None = None
    place = None
    for place, record in records(os.fsdecode(path), progress):
        document = document_of(place, record)
        if document.id in places:
            raise place.fault(
                f"the id '{shown(document.id)}' occurs already in {place.unit} {places[document.id]}; "
                "each document needs its own."
            )
        places[document.id] = place.number
        if documents and (document.vector is None) != (length is None):
            has, had = ("no vector", "have one") if document.vector is None else ("a vector", "have none")
            raise place.fault(
                f"the document has {has}, and those before it {had}; give all of them one, or none."
            )
        if document.vector is not None:
            length = len(document.vector) if length is None else length
            check_length(place, document.vector, length)
        documents.append(document)
    if place is None:
        raise DataError(f"{shown(os.fsdecode(path))} holds no documents.")
    return documents


def backwards(documents: list[Document]) -> int:
    """How many documents are dated before the one that they follow."""
    dates = [document.date for document in documents if document.date is not None]
    return sum(later < earlier for earlier, later in pairwise(dates))


def document_of(place: Place, record: Mapping[str, Any]) -> Document:
    """The document that a record describes."""
    name = given_id(place, record, "a document")
    vector = given_vector(place, record.get("vector"))
    text, title = given_text(place, record, "text"), given_text(place, record, "title")
    if vector is None and "text" not in record and "title" not in record:
        raise place.fault(f"the document '{shown(name)}' has no text, no title and no vector.")
    link = given_text(place, record, "link") or given_text(place, record, "url")
    return Document(name, text, title, given_date(place, record.get("date")), vector, place.number, link)


def given_date(place: Place, value: Any) -> datetime | None:
    """A date, ISO 8601 as text; one without a time zone is taken as UTC."""
    if value is None or isinstance(value, datetime):
        moment = value
    elif isinstance(value, date):  # a column of days
        moment = datetime(value.year, value.month, value.day)  # its zone follows below
    else:
        try:
            if not isinstance(value, str) or _YEAR_ALONE.fullmatch(value.strip()):
                raise ValueError
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            raise place.fault(
                f"date {value!r:.60} is none; write it as 2026-03-13 or 2026-03-13T09:30:00Z."
            ) from None
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def given_vector(place: Place, value: Any) -> tuple[float, ...] | None:
    """A vector: a list of finite numbers, or as text `[0.1, 0.2]` or `0.1 0.2`."""
    if value is None:
        return None
    if isinstance(value, str):
        value = value.strip().removeprefix("[").removesuffix("]").replace(",", " ").split()
    if not isinstance(value, list | tuple) or not value:
        raise place.fault(f"vector must be a list of numbers, and not empty; got {value!r:.60}.")
    vector = []
    for number, entry in enumerate(value, 1):
        try:
            vector.append(float(entry) if not isinstance(entry, bool) else math.nan)
        except (TypeError, ValueError, OverflowError):
            raise place.fault(f"number {number} of the vector is none: {entry!r:.60}.") from None
        if not math.isfinite(vector[-1]):
            raise place.fault(f"number {number} of the vector is {entry!r:.60}; all must be finite numbers.")
    return tuple(vector)


def check_length(place: Place, vector: tuple[float, ...], length: int) -> None:
    """Raise where a vector is not as long as those before it."""
    if len(vector) != length:
        raise place.fault(f"the vector has {len(vector)} numbers, and those before it have {length}.")


_EVERY = 100  # items of a feed between two reports of progress
_TAG = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<")


def documents_in(
    path: str,
    *,
    form: str | None = None,
    prefix: str = "",
    salvage: bool = False,
    progress: Progress | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Iterator[Document]:
    """The documents of a file, `-` for standard input, in the order in which they arrive.

    form      one of `document.FORMS`; recognised by the name and the first bytes where it is not given
    prefix    put before every id, where those of several sources would meet
    salvage   read what can be read of a broken feed
    progress  called now and then with how much has been read
    on_note   called with a sentence for each fault of a feed that was repaired
    """
    with Source(path) as source:
        if (form or _form(source)) == "feed":
            feed = feed_in(source, salvage=salvage)
            if on_note is not None:
                for note in feed.notes:
                    on_note(note)
            documents = _items(source, feed.documents, progress)
        else:
            rows = records_in(source, form or _form(source), progress)
            documents = (_placed(place, document_of(place, record)) for place, record in rows)
        yield from (
            (replace(document, id=prefix + document.id) for document in documents) if prefix else documents
        )


def _items(source: Source, documents: list[Document], progress: Progress | None) -> Iterator[Document]:
    """Items of a feed, which have no lines of their own; the file is read by now, progress is their share of it."""
    for number, document in enumerate(documents):
        if progress and source.size and number % _EVERY == 0:
            progress(source.name, source.size * number // len(documents), source.size)
        yield replace(document, place=0)


def _placed(place: Place, document: Document) -> Document:
    """A document whose place is that of a line, or none: rows of Parquet have no lines."""
    return document if place.unit == "line" else replace(document, place=0)


def _form(source: Source) -> str:
    """What the name says, or else the first bytes: an angle bracket begins a feed, anything else JSON lines."""
    return form_of(source) or ("feed" if _TAG.match(source.head(512)) else "jsonl")


_SAYS_WHAT = ("title", "query", "desc", "description", "question")


def read_topics(path: str | os.PathLike[str]) -> list[Topic]:
    """Every topic of a file, in its order.

    JSON lines: an id and a text, and perhaps examples (a list of document ids) and a vector. A file that begins with
    a tag is read as TREC topics: the number, title and description of each `<top>`; narratives are left out, since they
    mostly say what is not wanted.
    """
    name = os.fsdecode(path)
    placed = _trec(name) if _has_tags(name) else (_topic(place, record) for place, record in records(name))
    return _apart(placed, shown(name))


def _apart(placed: Iterable[tuple[Place, Topic]], name: str) -> list[Topic]:
    topics: list[Topic] = []
    places: dict[str, int] = {}
    for place, topic in placed:
        if topic.id in places:
            raise place.fault(
                f"the topic '{shown(topic.id)}' occurs already in {place.unit} {places[topic.id]}."
            )
        places[topic.id] = place.number
        topics.append(topic)
    if not topics:
        raise DataError(f"{name} holds no topics.")
    return topics


def _topic(place: Place, record: Mapping[str, Any]) -> tuple[Place, Topic]:
    name = given_id(place, record, "a topic")
    words = [given_text(place, record, "title"), given_text(place, record, "text")]
    examples = record.get("examples", [])
    if isinstance(examples, str):
        examples = examples.split()
    if not isinstance(examples, list) or not all(isinstance(example, str | int) for example in examples):
        raise place.fault(f"examples must be a list of document ids; got {examples!r:.60}.")
    vector = given_vector(place, record.get("vector"))
    known = tuple(unshown(str(example)) for example in examples)
    return place, Topic(name, "\n".join(filter(None, words)), known, vector, place.number)


def _has_tags(path: str) -> bool:
    if path == "-":
        return False
    with Source(path) as source:
        return source.head(256).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _trec(path: str) -> Iterator[tuple[Place, Topic]]:
    with Source(path) as source:
        for place, name, parts in tagged_topics(source):
            words = [text for tag, texts in parts.items() if tag in _SAYS_WHAT for text in texts if text]
            yield place, Topic(name, "\n".join(words), place=place.number)
