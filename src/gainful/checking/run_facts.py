"""Facts of a run that has met the judgments, and the documents in its top ranks that nobody judged."""

from __future__ import annotations

import numpy as np

from gainful._core import Found, Index, Rows, Top
from gainful.checking.checkup import CUTOFFS, NAMED, Depth, RunFacts, Unjudged
from gainful.checking.id_arrays import Integers
from gainful.checking.run_findings import TOP
from gainful.checking.run_scan import Scan, rows_of_text
from gainful.formats import Judgments
from gainful.formats.ids import from_bytes
from gainful.formats.runs import Run
from gainful.judging import JudgedRun, PerTopic
from gainful.judging.notes import judged_share
from gainful.judging.record import pool_of
from gainful.judging.transforms import order_ties
from gainful.measures import parse
from gainful.summaries import mean


class Texts:
    """Ids of documents by row: of a file, read again in one pass; of what is in memory, from there."""

    def __init__(self, path: str | None, rows: Rows, scanned: Scan) -> None:
        self._path = path if scanned.from_text else None
        self._rows = rows

    def __call__(self, wanted: Integers) -> list[bytes]:
        """The ids of the documents in these rows, which rise."""
        if self._path is None:
            documents = self._rows.documents
            return [documents[row] for row in wanted.tolist()]
        found: list[bytes] = []
        base, done = 0, 0
        for block in rows_of_text(self._path):
            stop = int(np.searchsorted(wanted, base + len(block)))
            found += [block.documents[row] for row in (wanted[done:stop] - base).tolist()]
            base, done = base + len(block), stop
            if done == len(wanted):
                break
        return found


def relevant_of(judgments: Judgments) -> PerTopic:
    """Relevant documents of each topic."""
    pool = pool_of(judgments)
    return pool.total(where=pool.grade >= 1)


def facts_of(run: Run, found: Found, judged: JudgedRun, judgments: Judgments) -> RunFacts:
    """What the run holds."""
    there = judged.retrieved[judged.present]
    depth = Depth(int(there.min()), float(np.median(there)), int(there.max())) if len(there) else None
    return RunFacts(
        name=run.name,
        path=run.path,
        tag=from_bytes(found.tag),
        digest=found.digest,
        rows=found.rows,
        topics=int(judged.present.sum()),
        missing=tuple(judgments.topics[topic] for topic in np.flatnonzero(~judged.present)),
        extra=tuple(map(from_bytes, found.extra)),
        depth=depth,
        judged={cutoff: judged_share(judged, cutoff) for cutoff in CUTOFFS},
        ties={cutoff: _tied(judged, cutoff) for cutoff in CUTOFFS},
    )


def _tied(judged: JudgedRun, cutoff: int) -> int:
    """Topics in which tied scores, a judged document's among them, straddle the cutoff."""
    across = (judged.first <= cutoff) & (judged.last > cutoff)
    return int((judged.total(where=across) > 0).sum())


def constant_topics(scanned: Scan, rows: Rows, judgments: Judgments) -> int:
    """Judged topics of the run in which all scores, more than one, are equal."""
    values, starts = scanned.together(rows.values), scanned.offsets[:-1]
    if not len(values):
        return 0
    flat = np.maximum.reduceat(values, starts) == np.minimum.reduceat(values, starts)
    judged = set(judgments.index.topics)
    flat &= np.diff(scanned.offsets) > 1
    return sum(scanned.names[topic] in judged for topic in np.flatnonzero(flat))


def look_alikes(
    scanned: Scan, judgments: Judgments, found: Found, texts: Texts
) -> tuple[list[tuple[str, str, str]], int]:
    """Documents that look like judged ones that were not retrieved: some as (topic, retrieved, judged), and how many."""
    met = np.zeros(len(judgments), bool)
    met[found.row] = True
    lost = np.flatnonzero(~met[scanned.like])
    rows, like = scanned.alike[lost[:NAMED]], scanned.like[lost[:NAMED]]
    return [
        (
            from_bytes(scanned.names[topic]),
            from_bytes(document),
            from_bytes(judgments.index.documents(judged, judged + 1)[0]),
        )
        for topic, judged, document in zip(
            scanned.numbers_of(rows).tolist(), like.tolist(), texts(rows), strict=True
        )
    ], len(lost)


def selves(scanned: Scan, rows: Rows) -> tuple[list[str], int]:
    """Topics that have a document of their own id, and in how many of them it has the highest score."""
    if not len(scanned.selves):
        return [], 0
    topics = scanned.numbers_of(scanned.selves)
    highest = np.maximum.reduceat(scanned.together(rows.values), scanned.offsets[:-1])
    first = int((rows.values[scanned.selves] >= highest[topics]).sum())
    return [from_bytes(scanned.names[topic]) for topic in topics.tolist()], first


def tie_span(judged: JudgedRun) -> dict[str, tuple[float, float]]:
    """Means of two measures, with ties in the worst order and in the best."""
    best, worst = order_ties(judged, best=True), order_ties(judged, best=False)
    return {name: (mean(parse(name)(worst)), mean(parse(name)(best))) for name in (f"nDCG@{TOP}", "AP")}


class Candidates:
    """Unjudged documents of the top ranks, gathered run by run.

    top  the last rank looked at
    """

    def __init__(self, index: Index, top: int) -> None:
        self.top = top
        self._topics = [from_bytes(topic) for topic in index.topics]
        self._ranks: dict[tuple[int, bytes], list[int]] = {}

    def add(self, first: Top) -> None:
        """Take in the first documents of every judged topic of a run, in the order of their ranks."""
        unjudged = np.flatnonzero(first.row < 0)
        topics = np.repeat(np.arange(len(self._topics)), np.diff(first.offsets))[unjudged]
        ranks = unjudged - first.offsets[topics] + 1
        documents = first.documents(0, len(first.row))
        for topic, rank, place in zip(topics.tolist(), ranks.tolist(), unjudged.tolist(), strict=True):
            self._ranks.setdefault((topic, documents[place]), []).append(rank)

    def listed(self) -> tuple[Unjudged, ...]:
        """By how many runs have them, then by their best rank, then by their mean rank."""
        order = sorted(
            self._ranks.items(),
            key=lambda item: (-len(item[1]), min(item[1]), sum(item[1]), *item[0]),
        )
        return tuple(
            Unjudged(
                self._topics[topic], from_bytes(document), len(ranks), min(ranks), sum(ranks) / len(ranks)
            )
            for (topic, document), ranks in order
        )
