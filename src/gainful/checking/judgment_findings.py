"""Findings about judgments, and about files given in the wrong order: what each looks at, what it says, what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful._core import Fault, Rows
from gainful.checking.checkup import Finding, some_grades, some_ids
from gainful.errors import DataError
from gainful.formats.ids import shown
from gainful.formats.runs import Run
from gainful.formats.sources import Source, is_path
from gainful.formats.streams import BytesReader
from gainful.formats.types import Kind
from gainful.presentation.text_style import counted

COARSE = 10
_HEAD = 1 << 16  # bytes by which a run is distinguished from judgments
_KINDS: tuple[Kind, ...] = ("run", "qrels")
_STDIN = "-"


def about_grades(where: str, grades: NDArray[np.float64]) -> Iterator[Finding]:
    """Grades below zero, with fractions, without a zero, all alike, or many."""
    below = int((grades < 0).sum())
    if below:
        yield Finding(
            "note",
            "negative-grades",
            where,
            f"{counted(below, 'grade')} below zero: these documents count as unjudged (no gain, not relevant).",
            "Use 0 for 'not relevant'.",
            below,
            some_grades(grades[grades < 0]),
        )
    split = int((grades != np.trunc(grades)).sum())
    if split:
        yield Finding(
            "note",
            "fractional-grades",
            where,
            f"{counted(split, 'grade')} with a fraction: Gainful keeps them; trec_eval truncates them, so that 0.9 becomes 0.",
            "Scale them to integers if another tool must read the file too.",
            split,
            some_grades(grades[grades != np.trunc(grades)]),
        )
    judged = grades[grades >= 0]
    if not len(judged):
        yield Finding(
            "fault",
            "nothing-judged",
            where,
            "Every grade is below zero: nothing is judged, and every score is 0.",
            "Check the file: grades should be 0 or more.",
            len(grades),
        )
    elif judged.min() > 0:
        yield from _without_zero(where, judged)
    if len(judged) and 0 < judged.max() < 1:
        yield Finding(
            "warning",
            "scale-below-one",
            where,
            f"The highest grade is {judged.max():g}, so nothing is relevant for measures that count (P, R, AP, RR).",
            f"Set the lowest relevant grade: --rel {judged[judged > 0].min():g}.",
            len(judged),
        )
    if len(judged) and judged.max() > COARSE:
        yield Finding(
            "note",
            "high-grades",
            where,
            f"Grades go up to {judged.max():g}; with gain=exp the best grade has a gain of 2^{judged.max():g} − 1.",
            "Use gain=linear or a table of gains.",
        )


def _without_zero(where: str, judged: NDArray[np.float64]) -> Iterator[Finding]:
    if judged.min() == judged.max():
        yield Finding(
            "note",
            "only-relevant",
            where,
            f"Every judged document has grade {judged.max():g}: only relevant documents are listed.",
            "Bpref, infAP and Judged are meaningless then; other measures count unlisted documents as not relevant.",
        )
    else:
        yield Finding(
            "warning",
            "scale-without-zero",
            where,
            f"The lowest grade is {judged.min():g}, so every judged document counts as relevant.",
            "If it means 'not relevant', set --rel to the next grade, and give gains: nDCG(gain={2:1,3:2}).",
            len(judged),
        )


def about_empty_topics(where: str, empty: Sequence[str], topics: int) -> Iterator[Finding]:
    """Topics in which nothing is relevant."""
    if empty:
        yield Finding(
            "note",
            "nothing-relevant",
            where,
            f"{counted(len(empty), 'topic')} of {topics:,} with nothing relevant: most measures are 0 there.",
            "--undefined skip leaves them out of the averages.",
            len(empty),
            some_ids(empty),
        )


def about_swapped_files(qrels: Any, runs: Sequence[Run]) -> Iterator[Finding]:
    """Judgments that look like a run, and runs that look like judgments."""
    first = os.fsdecode(qrels) if is_path(qrels) and os.fsdecode(qrels) != _STDIN else None
    paths = [run.path for run in runs if run.path and run.path != _STDIN and run.content is None]
    if first is not None and shape_of(first) == "run":
        others = [path for path in paths if shape_of(path) == "qrels"]
        way_out = "The judgments are the first argument: gainful check QRELS RUN…"
        if others:
            way_out = f"The judgments may be {shown(others[0])}; they must be the first argument."
        text = "This looks like a run (six columns, with ranks and scores), but is given as judgments."
        yield Finding("fault", "swapped", shown(first), text, way_out)
    for path in paths:
        if shape_of(path) == "qrels":
            text = "This looks like judgments (four columns, the last a grade), but is given as a run."
            yield Finding("fault", "swapped", shown(path), text, "Give the judgments first, then the runs.")


def shape_of(path: str) -> Kind | None:
    """What the first lines look like; None where they are neither, or cannot be read."""
    try:
        with Source(path) as source:
            return shape(source.head(_HEAD))
    except DataError:
        return None


def shape(head: bytes) -> Kind | None:
    r"""What these first bytes of a file look like.

    >>> shape(b"q1 Q0 d7 1 12.5 bm25\n"), shape(b"q1 0 d7 2\n"), shape(b"query,docid\n")
    ('run', 'qrels', None)
    """
    whole = head[: head.rfind(b"\n") + 1] or head  # a last line may be cut off
    for kind in _KINDS:
        with suppress(Fault):
            Rows.read(BytesReader(whole), kind=kind, threads=1)
            return kind
    return None
