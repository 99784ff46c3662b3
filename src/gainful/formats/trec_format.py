"""Lines whose fields blanks divide: TREC's, and three columns.

TREC: topic, Q0, document, rank, score, tag; or topic, iteration, document, grade.
Three columns: topic, document, rank for a run (marco), as MS MARCO has them; topic, document, grade for judgments. Such a
run is ordered by rank, since there are no scores; ranks that nobody named as such must be 1, 2, 3, … in each topic.
"""

from __future__ import annotations

import re

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats.ids import from_bytes, shown
from gainful.formats.layouts import Layout, check_newlines, first_line, is_number, trec_layout
from gainful.formats.output_files import number_text, triples
from gainful.formats.registry import Format, register
from gainful.formats.types import MARK, TREC, Kind

_BLANK = re.compile(rb"[\x00-\x20\x7f]")


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
        raise UsageError(f"the tag '{shown(tag)}' contains spaces; a tag is one word.")
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
                f"the id '{shown(from_bytes(id_))}' is not possible in TREC text; write csv, json or parquet."
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


def _has_three_columns(head: bytes) -> bool:
    fields = first_line(head.removeprefix(MARK)).split()
    return len(fields) == 3 and is_number(fields[2])


def _ranked(head: bytes, kind: Kind, *, named: bool) -> Layout:  # noqa: ARG001 (layouts are asked for alike)
    if not named:
        check_newlines(head.removeprefix(MARK))
    return Layout("marco", places=(0, 1, 2), ranked=True, counting=not named)


def _graded(head: bytes, kind: Kind, *, named: bool) -> Layout:  # noqa: ARG001 (layouts are asked for alike)
    if not named:
        check_newlines(head.removeprefix(MARK))
    return Layout("columns", places=(0, 1, 2))


def _written_columns(rows: Rows, kind: Kind, tag: str) -> bytes:
    if kind == "qrels":
        return written_lines(rows, kind, tag).replace(b" ", b"\t")
    ranked = sorted(zip(triples(rows), ranks(rows), strict=True), key=lambda row: (row[0][0], row[1]))
    return b"".join(
        b"%s\t%s\t%d\n" % (*plain_ids(topic, document), rank) for (topic, document, _), rank in ranked
    )


register(
    Format(
        TREC,
        layout=trec_layout,
        write=written_lines,
        endings=(".run", ".trec", ".txt", ".qrels", ".res"),
    )
)
register(
    Format("marco", recognise=_has_three_columns, recognised_as="run", layout=_ranked, write=_written_columns)
)
register(Format("columns", recognise=_has_three_columns, recognised_as="qrels", layout=_graded))
