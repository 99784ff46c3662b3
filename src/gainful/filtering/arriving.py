"""Documents as they arrive: from JSON lines, CSV, Parquet or a feed, one by one, told apart by their content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from gainful.filtering.documents import Document
from gainful.filtering.feeds import feed_in
from gainful.filtering.records import Progress, form_of, records_in
from gainful.filtering.streams import document_of
from gainful.formats.sources import Source

FORMS = ("jsonl", "csv", "tsv", "parquet", "feed")
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

    form      one of FORMS; told from the name and the first bytes where it is not given
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
            found = (replace(one, place=0) for one in feed.documents)  # items have no lines of their own
        else:
            rows = records_in(source, form or _form(source), progress)
            found = (document_of(place, record) for place, record in rows)
        yield from (replace(one, id=prefix + one.id) for one in found) if prefix else found


def _nobody(_: str) -> None:
    """Nobody wants to know."""


def _form(source: Source) -> str:
    """What the name says, or else the first bytes: an angle bracket begins a feed, anything else JSON lines."""
    return form_of(source) or ("feed" if _TAG.match(source.head(512)) else "jsonl")
