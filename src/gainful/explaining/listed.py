"""The documents of one topic by name, in the order in which the record has them.

A record knows its judged documents alone; the others are read from the run again and fill the ranks between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from gainful._core import Rows
from gainful.formats import Judgments, Run
from gainful.formats.ids import from_bytes, to_bytes
from gainful.formats.judgments import cores
from gainful.formats.multi_file import opened
from gainful.formats.rows import rows_of, told_layout
from gainful.judging import JudgedRun
from gainful.judging.settings import Settings

_BLOCK = 1 << 20


@dataclass(frozen=True)
class Listed:
    """One document of a list: its rank, its id and its grade; None where nobody judged it."""

    rank: int
    document: str
    grade: float | None


def listed(judgments: Judgments, run: Run, topic: str, judged: JudgedRun, settings: Settings) -> list[Listed]:
    """Every document that the run has for the topic, best first.

    judged  of this topic alone, as the settings made it
    """
    start, stop = _place(judgments, topic)
    names = [from_bytes(name) for name in judgments.index.documents(start, stop)]
    hits = {
        int(rank): Listed(int(rank), names[row - start], float(grade))
        for rank, row, grade in zip(judged.rank, judged.row, judged.grade, strict=True)
    }
    others = iter(_others(run, topic, set(names), settings))
    depth = int(judged.retrieved[0])
    return [hits.get(rank) or Listed(rank, next(others, ""), None) for rank in range(1, depth + 1)]


def not_listed(judgments: Judgments, topic: str, there: list[Listed]) -> list[tuple[str, float]]:
    """Judged documents that are not among these, best first."""
    start, stop = _place(judgments, topic)
    seen = {one.document for one in there}
    names = map(from_bytes, judgments.index.documents(start, stop))
    grades = judgments.index.grade[start:stop].tolist()
    left = [(name, grade) for name, grade in zip(names, grades, strict=True) if name not in seen]
    return sorted(left, key=lambda one: -one[1])


def _place(judgments: Judgments, topic: str) -> tuple[int, int]:
    number = judgments.topics.index(topic)
    start, stop = judgments.index.offsets[number : number + 2].tolist()
    return start, stop


def _others(run: Run, topic: str, judged: set[str], settings: Settings) -> list[str]:
    """Documents of the topic that are not judged, in the run's order."""
    scores: dict[str, float] = {}
    left_out = judged | {topic} if settings.drop_self else judged
    for document, score in _rows(run, topic):
        if document not in left_out and (
            document not in scores or (settings.duplicates == "best" and score > scores[document])
        ):
            scores[document] = score
    found = list(scores)
    if settings.ties != "input":
        found.sort(key=to_bytes, reverse=True)
    found.sort(key=lambda document: -scores[document])
    return found


def _rows(run: Run, topic: str) -> Iterator[tuple[str, float]]:
    """Document and score of each row of the topic, in the order given."""
    if run.held is None and run.path is not None:
        yield from _in_file(run.path, topic, run.layout)
    elif isinstance(run.held, Mapping):
        for name, documents in run.held.items():
            if _id(name) == topic:
                yield from ((_id(document), float(score)) for document, score in documents.items())
    elif isinstance(run.held, Rows):
        yield from _in_rows(run.held, topic)


def _in_file(path: str, topic: str, layout: str | None) -> Iterator[tuple[str, float]]:
    """The topic's rows in what has been read without a fault already."""
    with opened(path) as source:
        if told_layout(source, "run", layout).name == "trec":
            yield from _in_text(source.raw(), topic)
            return
    yield from _in_rows(rows_of(path, "run", threads=cores(), layout=layout), topic)


def _in_rows(rows: Rows, topic: str) -> Iterator[tuple[str, float]]:
    raw = to_bytes(topic)
    for name, document, score in zip(rows.topics, rows.documents, rows.values.tolist(), strict=True):
        if name == raw:
            yield from_bytes(document), score


def _in_text(file: BinaryIO, topic: str) -> Iterator[tuple[str, float]]:
    """Only lines that begin with the topic are taken apart: runs are long, and one topic is wanted."""
    blanks, word = rb"[ \t]+", rb"[^ \t\r\n]+"
    name = to_bytes(topic)
    columns = [re.escape(name), word, b"(" + word + b")", word, b"(" + word + b")"]
    row = re.compile(rb"^[ \t]*" + blanks.join(columns), re.MULTILINE)
    left, first = b"", True
    while block := file.read(_BLOCK):
        text = left + (block.removeprefix(b"\xef\xbb\xbf") if first else block)
        first = False
        end = text.rfind(b"\n") + 1
        if name in text:  # most blocks hold other topics alone
            yield from _matches(row, text[:end])
        left = text[end:]
    yield from _matches(row, left)


def _matches(row: re.Pattern[bytes], text: bytes) -> Iterator[tuple[str, float]]:
    return ((from_bytes(found[1]), float(found[2])) for found in row.finditer(text))


def _id(value: Any) -> str:
    if isinstance(value, bytes):
        return from_bytes(value)
    return value if isinstance(value, str) else str(int(value) if isinstance(value, np.integer) else value)
