"""TREC's lines: topic, Q0, document, rank, score, tag; or topic, iteration, document, grade; any blanks between."""

from __future__ import annotations

import re

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats.ids import from_bytes, shown
from gainful.formats.layouts import trec_layout
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


register(
    Format(
        TREC,
        layout=trec_layout,
        write=written_lines,
        endings=(".run", ".trec", ".txt", ".qrels", ".res"),
    )
)
