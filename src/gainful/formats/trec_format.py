"""TREC's lines: topic, Q0, document, rank, score, tag; or topic, iteration, document, grade; any blanks between."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats.ids import from_bytes, shown
from gainful.formats.layouts import TREC, Layout, check_newlines, first_line, header_separator, is_number
from gainful.formats.registry import Format, register
from gainful.formats.sources import Source
from gainful.formats.types import MARK, Kind
from gainful.formats.written_rows import number_text, triples

if TYPE_CHECKING:
    from gainful.formats.pending_runs import How, Pending
    from gainful.formats.runs import Run

_BLANK = re.compile(rb"[\x00-\x20\x7f]")


def _recognise(head: bytes) -> bool:
    """Whether the first line surely is one of TREC; lines that are not recognised by anything are read as such, too."""
    text = head.removeprefix(MARK)
    line = first_line(text)
    fields = line.split()
    return (
        3 < len(fields) < 7
        and is_number(fields[min(len(fields), 5) - 1])
        and not line.lstrip().startswith((b"{", b"["))
        and b"\0" not in line
        and header_separator(text) is None
    )


def layout(head: bytes, kind: Kind, *, named: bool) -> Layout:
    """Where topic, document and value stand; judgments that look like a run are refused, unless the layout is named."""
    text = head.removeprefix(MARK)
    check_newlines(text)
    fields = first_line(text).split()
    looks_like_run = len(fields) >= 6 and fields[1].upper() == b"Q0" and is_number(fields[4])
    if kind == "qrels" and looks_like_run and not named:
        raise DataError(
            "this looks like a run, not like judgments; the order is QRELS RUN (--qrels-format trec, "
            "layout='trec' in Python, reads it anyhow)."
        )
    return Layout(TREC, places=(0, 2, 4) if kind == "run" else (0, 2, 3))


def _begin(run: Run, how: How, source: Source) -> Pending:
    from gainful.formats.pending_runs import PendingFile

    return PendingFile(run, how, source)


def written_lines(rows: Rows, kind: Kind, tag: str) -> bytes:
    """The content of a file in the layout of TREC."""
    if kind == "qrels":
        lines = (
            b"%s 0 %s %s\n" % (*plain_ids(topic, document), number_text(grade).encode())
            for topic, document, grade in triples(rows)
        )
        return b"".join(lines)
    label = tag.encode("utf-8", "surrogateescape")
    if _BLANK.search(label):
        raise UsageError(f"the tag '{shown(tag)}' has blanks; a tag is one word.")
    ranked = zip(triples(rows), ranks(rows), strict=True)
    return b"".join(
        b"%s Q0 %s %d %s %s\n" % (*plain_ids(topic, document), rank, repr(score).encode(), label)
        for (topic, document, score), rank in ranked
    )


def plain_ids(topic: bytes, document: bytes) -> tuple[bytes, bytes]:
    """The ids, if they can stand in columns that blanks divide."""
    for id_ in (topic, document):
        if not id_ or _BLANK.search(id_) or topic.startswith((b"#", MARK)):
            raise DataError(
                f"the id '{shown(from_bytes(id_))}' cannot stand in columns that blanks divide; write csv, json or parquet."
            )
    return topic, document


def ranks(rows: Rows) -> list[int]:
    """The rank of each row in its topic: score descending, then document id descending."""
    by_topic: dict[bytes, list[int]] = {}
    listed = list(triples(rows))
    for place, (topic, _, _) in enumerate(listed):
        by_topic.setdefault(topic, []).append(place)
    ranks = [0] * len(listed)
    for places in by_topic.values():
        places.sort(key=lambda place: (listed[place][2], listed[place][1]), reverse=True)
        for rank, place in enumerate(places, 1):
            ranks[place] = rank
    return ranks


register(
    Format(
        TREC,
        recognise=_recognise,
        layout=layout,
        write=written_lines,
        endings=(".run", ".trec", ".txt", ".qrels", ".res"),
        begin=_begin,
    )
)
