"""Three columns: topic, document, rank for a run (marco), as MS MARCO has them; topic, document, grade for judgments.

Such a run is ordered by rank, since there are no scores; ranks that nobody named as such must be 1, 2, 3, … in each topic.
"""

from __future__ import annotations

from gainful._core import Rows
from gainful.formats.layouts import Layout, check_newlines, first_line, is_number
from gainful.formats.output_files import triples
from gainful.formats.registry import Format, register
from gainful.formats.trec_format import plain_ids, ranks, written_lines
from gainful.formats.types import MARK, Kind


def _recognise(head: bytes) -> bool:
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


def _write(rows: Rows, kind: Kind, tag: str) -> bytes:
    if kind == "qrels":
        return written_lines(rows, kind, tag).replace(b" ", b"\t")
    ranked = sorted(zip(triples(rows), ranks(rows), strict=True), key=lambda row: (row[0][0], row[1]))
    return b"".join(
        b"%s\t%s\t%d\n" % (*plain_ids(topic, document), rank) for (topic, document, _), rank in ranked
    )


register(Format("marco", recognise=_recognise, recognised_as="run", layout=_ranked, write=_write))
register(Format("columns", recognise=_recognise, recognised_as="qrels", layout=_graded))
