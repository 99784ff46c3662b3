"""Documents of a run that are judged for any topic at all; for measures that ask whether an assessor ever saw them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gainful._core import Index, Rows
from gainful.errors import UsageError
from gainful.formats.judgments import Judgments, cores
from gainful.formats.run_queue import How
from gainful.formats.runs import Run
from gainful.judging import JudgedRun, Ranking
from gainful.judging.settings import Settings


def with_judged_anywhere(judged: JudgedRun, judgments: Judgments, run: Run, settings: Settings) -> JudgedRun:
    """The record with the ranks of its documents that are judged for this topic or another.

    The run is read again: first for the documents in it that are judged at all, then for their ranks.
    """
    if settings.unjudged == "condense":  # what is left is judged
        return judged.replace(anywhere=Ranking(judged.offsets, judged.rank, judged.grade))
    if run.path == "-":
        raise UsageError(
            "a run from standard input can be read only once, but this measure reads it twice; write it to a file."
        )
    rows = run.rows()
    index = judgments.index
    known, topics = set(index.documents(0, len(index))), set(index.topics)
    pairs = dict.fromkeys(
        pair
        for pair in zip(rows.topics, rows.documents, strict=True)
        if pair[1] in known and pair[0] in topics
    )
    return with_ranks_of(pairs, judged, judgments, run, settings)


def with_ranks_of(
    pairs: Iterable[tuple[bytes, bytes]],
    judged: JudgedRun,
    judgments: Judgments,
    run: Run,
    settings: Settings,
) -> JudgedRun:
    """The record with the ranks of documents judged anywhere, from known pairs of topic and document without repetition."""
    listed = list(pairs)
    nothing = Ranking(np.zeros(len(judged) + 1, dtype=np.int64), np.zeros(0), np.zeros(0))
    return judged.replace(anywhere=_ranked(listed, judgments, run, settings) if listed else nothing)


def _ranked(pairs: list[tuple[bytes, bytes]], judgments: Judgments, run: Run, settings: Settings) -> Ranking:
    rows = Rows.of_lists(
        [topic for topic, _ in pairs], [document for _, document in pairs], [0.0] * len(pairs)
    )
    index = Index(rows, duplicates="error")
    how = How(Judgments(index), settings.rules, cores())
    found = run.begin(how).finish()
    number = {topic: place for place, topic in enumerate(index.topics)}
    places = np.array([number.get(topic, -1) for topic in judgments.index.topics])
    counts = np.where(places < 0, 0, np.diff(found.offsets)[places])
    rank = found.rank.astype(np.float64)  # topics stand in one order in every index
    return Ranking(np.concatenate(([0], np.cumsum(counts))), rank, np.zeros(len(rank))).cut(settings.depth)
