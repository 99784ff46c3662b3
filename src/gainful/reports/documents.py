"""Documents: what the ids stand for, where a file or mapping says so."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

from gainful.errors import DataError
from gainful.filtering.stream_reader import given_id, given_text
from gainful.filtering.stream_records import Progress, records

_LONGEST = 280  # letters of a text that are shown


def read_documents(
    given: str | os.PathLike[str] | Mapping[str, Any],
    wanted: Collection[str],
    *,
    progress: Progress | None = None,
) -> dict[str, tuple[str, str]]:
    """Title and text of the documents that are wanted; a long text is cut.

    given  JSON lines (or CSV, Parquet) with id, title and text; or a mapping from ids to texts, or to
           {"title": …, "text": …}

    >>> read_documents({"d1": {"title": "Apes", "text": "They climb."}, "d2": "not asked for"}, ["d1"])
    {'d1': ('Apes', 'They climb.')}
    """
    if isinstance(given, Mapping):
        return {one: _of_mapping(given[one]) for one in wanted if one in given}
    found: dict[str, tuple[str, str]] = {}
    some = False
    for place, record in records(os.fsdecode(given), progress):
        some = True
        name = given_id(place, record, "a document")
        if name in wanted:
            found[name] = given_text(place, record, "title").strip(), _cut(given_text(place, record, "text"))
    if not some:
        raise DataError(f"{os.fsdecode(given)} holds no documents.")
    return found


def _of_mapping(value: Any) -> tuple[str, str]:
    if isinstance(value, Mapping):
        return str(value.get("title", "") or ""), _cut(str(value.get("text", "") or ""))
    return "", _cut(str(value))


def _cut(text: str) -> str:
    """The beginning of it, on one line.

    >>> _cut("word " * 100)[-6:]
    'word …'
    """
    whole = " ".join(text.split())
    return whole if len(whole) <= _LONGEST else whole[:_LONGEST].rsplit(" ", 1)[0] + " …"
