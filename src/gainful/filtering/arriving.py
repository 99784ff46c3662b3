"""Documents as they arrive: from JSON lines, CSV, Parquet or a feed, one by one, told apart by their content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from gainful.filtering.documents import Document
from gainful.filtering.feeds import feed_in
from gainful.filtering.records import Place, Progress, form_of, records_in
from gainful.filtering.streams import document_of
from gainful.formats.sources import Source

_EVERY = 100  # items of a feed between two reports of progress
_TAG = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<")


def documents_in(
    path: str,
    *,
    form: str | None = None,
    prefix: str = "",
    salvage: bool = False,
    progress: Progress | None = None,
    told: Callable[[str], None] | None = None,
) -> Iterator[Document]:
    """The documents of a file, `-` for standard input, in the order in which they arrive.

    form      one of `choices.FORMS`; told from the name and the first bytes where it is not given
    prefix    put before every id, where those of several sources would meet
    salvage   read what can be read of a broken feed
    progress  told now and then how much has been read
    told      told of what was forgiven, a sentence each
    """
    with Source(path) as source:
        if (form or _form(source)) == "feed":
            feed = feed_in(source, salvage=salvage)
            for note in feed.notes:
                (told or _nobody)(note)
            found = _items(source, feed.documents, progress)
        else:
            rows = records_in(source, form or _form(source), progress)
            found = (_placed(place, document_of(place, record)) for place, record in rows)
        yield from (replace(one, id=prefix + one.id) for one in found) if prefix else found


def _items(source: Source, documents: list[Document], progress: Progress | None) -> Iterator[Document]:
    """Items of a feed, which have no lines of their own; the file is read by now, what is told is their share of it."""
    for number, one in enumerate(documents):
        if progress and source.size and number % _EVERY == 0:
            progress(source.name, source.size * number // len(documents), source.size)
        yield replace(one, place=0)


def _placed(place: Place, document: Document) -> Document:
    """A document whose place is that of a line, or none: rows of Parquet have no lines."""
    return document if place.unit == "line" else replace(document, place=0)


def _nobody(_: str) -> None:
    """Nobody wants to know."""


def _form(source: Source) -> str:
    """What the name says, or else the first bytes: an angle bracket begins a feed, anything else JSON lines."""
    return form_of(source) or ("feed" if _TAG.match(source.head(512)) else "jsonl")
