"""check: what is wrong with judgments and runs, before any number is made of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful._core import Fault, Found, Index, Rows, Top, judge_rows
from gainful.checking import judgment_findings, run_findings
from gainful.checking.checkup import (
    CUTOFFS,
    SEVERITIES,
    Checkup,
    Depth,
    Finding,
    QrelsFacts,
    RunFacts,
    Unjudged,
)
from gainful.checking.run_findings import TOP
from gainful.checking.run_scan import (
    Judged,
    Scan,
    Texts,
    begins_as_text,
    constant_topics,
    highest_and_lowest,
    look_alikes,
    scan,
    selves,
)
from gainful.errors import DataError, UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import from_bytes, shown
from gainful.formats.judgments import Judgments, cores
from gainful.formats.rows import rows_of
from gainful.formats.runs import Run, read_again, runs_of
from gainful.formats.sources import is_path, kept
from gainful.formats.types import Kind, Progress
from gainful.judging import JudgedRun, PerTopic
from gainful.judging.notes import close_topics
from gainful.judging.record import judge, pool_of
from gainful.judging.settings import Settings
from gainful.judging.transforms import order_ties
from gainful.measures import parse
from gainful.summaries import mean

_STDIN = "-"
_APART = ("topic-ids", "document-ids", "no-common-topic")
"""Findings that say why documents do not meet; that they are not retrieved, or not judged, is no news beside them."""


_MEASURES = ("nDCG@10", "AP")
"""Measures for which the conventions that move them are named."""
_UNUSUAL = ("measure", "round_topics")
"""Conventions that are not named: DCG is another measure, and rounding moves little."""
_MOST = 5


def check(
    qrels: Any,
    runs: Any,
    *,
    unjudged: int | None = None,
    conventions: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Checkup:
    """Find errors in judgments and runs that would stop an evaluation or make its numbers wrong, and other peculiarities.

    qrels, runs  as for `evaluate`
    unjudged     also list the unjudged documents down to this rank
    conventions  also name the conventions that move nDCG@10 and AP most on these data
    threads      number of threads; by default all cores
    progress     called repeatedly while a file is read, with its name, bytes read and total bytes

    >>> found = check({"q1": {"D7": 1, "D8": 0}}, {"q1": {"d7": 2.0, "D8": 1.0}})
    >>> found.fine, found.findings[0].text
    (False, '1 retrieved document differs only in case from a judged one: they do not match, and count as unjudged.')
    """
    if unjudged is not None and unjudged < 1:
        raise UsageError(f"unjudged must be 1 or more, or None for no list; got {unjudged}.")
    qrels = kept(os.fsdecode(qrels)) if is_path(qrels) else qrels
    all_runs = [read_again(run) for run in runs_of(runs)]
    swapped = tuple(judgment_findings.about_swapped_files(qrels, all_runs))
    if swapped:
        return Checkup(None, (), swapped, {})
    examined = _Examination(threads or cores(), progress, conventions=conventions)
    judgments = examined.judgments(qrels)
    if judgments is None:
        return Checkup(None, (), tuple(examined.findings), {})
    candidates = None if unjudged is None else _Candidates(judgments.index, unjudged)
    look_up = cache(lambda: Judged(judgments.index))  # made when the rows are no longer held
    facts = [
        fact for run in all_runs if (fact := examined.run(run, judgments, look_up, candidates)) is not None
    ]
    return examined.checkup(judgments, facts, candidates)


def _about_conventions(where: str, run: Run, judgments: Judgments, threads: int) -> Iterator[Finding]:
    """The conventions that move a number most on these data, each switched alone."""
    from gainful.presentation.text_style import rounded
    from gainful.reconciling.convention_effects import effects_on
    from gainful.reconciling.judged_readings import JudgedReadings

    readings = JudgedReadings(judgments, run, threads=threads)
    for measure in _MEASURES:
        effects = [
            effect
            for effect in effects_on(parse(measure), readings, known=True)
            if effect.name not in _UNUSUAL
        ]
        said = [
            f"{effect.title} ({' or '.join((next(iter(effect.values)), written))}): {rounded(abs(move))}"
            for effect in effects[:_MOST]
            for written, move in [effect.farthest]
        ]
        if said:
            way_out = (
                "State them beside the number; `gainful reconcile` explains a number that somebody shows."
            )
            text = f"Conventions move {measure} by up to: {'; '.join(said)}."
            yield Finding("note", "conventions", where, text, way_out, len(effects))


class _Examination:
    """Findings as they come."""

    def __init__(self, threads: int, progress: Progress | None, *, conventions: bool = False) -> None:
        self.threads = threads
        self.conventions = conventions
        self.progress = progress
        self.findings: list[Finding] = []
        self.grades: dict[float, int] = {}
        self._retrieved: Any = None

    def judgments(self, given: Any) -> Judgments | None:
        """The judgments, or None where they cannot be read."""
        if isinstance(given, Judgments):
            judgments, where = given, given.path or "judgments"
        else:
            where = shown(os.fsdecode(given)) if is_path(given) else "judgments"
            where = "standard input" if where == _STDIN else where
            rows = self._rows(given, "qrels", where)
            if rows is None:
                return None
            judgments = Judgments(
                self._index(rows, where, given), os.fsdecode(given) if is_path(given) else None
            )
        self.where = where
        grades = judgments.index.grade
        self.grades = dict(
            zip(*(part.tolist() for part in np.unique(grades, return_counts=True)), strict=True)
        )
        self.findings += judgment_findings.about_grades(where, grades)
        self.empty = [judgments.topics[topic] for topic in np.flatnonzero(_relevant_of(judgments) == 0)]
        self.findings += judgment_findings.about_empty_topics(where, self.empty, len(judgments.topics))
        self._retrieved = np.zeros(len(judgments), bool)
        return judgments

    def run(
        self, run: Run, judgments: Judgments, look_up: Callable[[], Judged], candidates: _Candidates | None
    ) -> RunFacts | None:
        """The facts of a run, or None where it cannot be read."""
        where = shown(run.path) if run.path and run.path != _STDIN else shown(run.name)
        rows = (
            run.content
            if isinstance(run.content, Rows)
            else self._rows(run.path or run.content, "run", where)
        )
        if rows is None:
            return None
        depth = 0 if candidates is None else candidates.top
        found = self._judged(rows, judgments.index, where, run.path is not None, depth)
        judged = judge(judgments, found, Settings())
        self._retrieved[found.row] = True
        text = run.path if run.path != _STDIN else None
        held: Rows | None = rows
        if text is None or run.content is not None or not begins_as_text(text):
            values = rows.values
        else:  # the text is scanned: of the rows only their scores are held
            values, held = rows.take_values(), None
        del rows

        def again() -> Rows:
            return rows_of(text, "run", threads=self.threads) if held is None else held

        scanned = scan(text, again, look_up(), len(values), self._teller(run.name))
        facts = _facts_of(run, found, judged, judgments)
        texts = Texts(text if run.content is None else None, again, scanned)
        self.findings += self._about(where, facts, judged, judgments, found, values, scanned, texts)
        if self.conventions and judged.present.any():
            self.findings += _about_conventions(where, Run(again(), name=run.name), judgments, self.threads)
        if candidates is not None:
            candidates.add(found.top)
        return facts

    def checkup(
        self, judgments: Judgments, facts: Sequence[RunFacts], candidates: _Candidates | None
    ) -> Checkup:
        """Everything together, the worst first."""
        never: dict[float, int] = {}
        if facts:
            lost = judgments.index.grade[~self._retrieved]
            never = dict(zip(*(part.tolist() for part in np.unique(lost, return_counts=True)), strict=True))
            self.findings += run_findings.about_runs(facts)
            if not any(finding.code in _APART for finding in self.findings):
                self.findings += run_findings.about_never_retrieved(never, self.grades, len(facts))
        return Checkup(
            QrelsFacts(
                name=self.where,
                digest=judgments.digest,
                topics=len(judgments.topics),
                judgments=len(judgments),
                grades=self.grades,
                topics_without_relevant=len(self.empty),
            ),
            tuple(facts),
            tuple(sorted(self.findings, key=lambda finding: SEVERITIES.index(finding.severity))),
            never,
            None if candidates is None else candidates.listed(),
        )

    def _about(
        self,
        where: str,
        facts: RunFacts,
        judged: JudgedRun,
        judgments: Judgments,
        found: Found,
        values: NDArray[np.float64],
        scanned: Scan,
        texts: Texts,
    ) -> Iterator[Finding]:
        labelled = {topic for model in judgments.models for topic in model.labels.topics}
        yield from run_findings.about_topics(
            where, facts.missing, facts.extra, len(judgments.topics), labelled
        )
        examples, alike = look_alikes(scanned, judgments, found, texts)
        yield from run_findings.about_documents(where, examples, len(judgments), alike)
        yield from run_findings.about_ranks(where, scanned, values)
        yield from run_findings.about_infinite(where, values)
        if not facts.topics:
            return
        if not alike:
            yield from run_findings.about_judged_share(where, facts.judged)
        shallow = int((judged.retrieved[judged.present] < run_findings.TOP).sum())
        yield from run_findings.about_depth(where, facts.depth, shallow, facts.topics)
        span = _tie_span(judged) if any(facts.ties.values()) else {}
        highest, lowest = highest_and_lowest(scanned, values)
        constant = constant_topics(scanned, highest, lowest, judgments)
        yield from run_findings.about_ties(where, facts, span, constant)
        close = close_topics((found.close_topic, found.close_first, found.close_last), CUTOFFS)
        yield from run_findings.about_close_scores(where, close, facts.topics)
        yield from run_findings.about_selves(where, *selves(scanned, values, highest), len(scanned.names))

    def _rows(self, given: Any, kind: Kind, where: str) -> Rows | None:
        try:
            return rows_of(given, kind, threads=self.threads)
        except DataError as error:
            fault = error.__context__
            count = fault.count if isinstance(fault, Fault) else 1
            code = fault.kind if isinstance(fault, Fault) else "unreadable"
            self.findings.append(_said(error, code, where, count))
            return None

    def _index(self, rows: Rows, where: str, given: Any) -> Index:
        try:
            return Index(rows, duplicates="error")
        except Fault as fault:
            self.findings.append(_duplicates(fault, where, "qrels", is_path(given)))
            return Index(rows, duplicates="first")

    def _judged(self, rows: Rows, index: Index, where: str, from_file: bool, depth: int) -> Found:
        try:
            return judge_rows(index, rows, ties="docid", duplicates="error", threads=self.threads, top=depth)
        except Fault as fault:
            self.findings.append(_duplicates(fault, where, "run", from_file))
            return judge_rows(index, rows, ties="docid", duplicates="first", threads=self.threads, top=depth)

    def _teller(self, name: str) -> Any:
        progress = self.progress
        return None if progress is None else lambda done, whole: progress(name, done, whole)


def _duplicates(fault: Fault, where: str, kind: Kind, from_file: bool) -> Finding:
    error = explain(fault, where, kind, unit="line" if from_file else "row")
    return _said(error, "duplicates", where, fault.count)


def _said(error: DataError, code: str, where: str, count: int) -> Finding:
    """An error as a finding: without the name of the file, which stands beside it, and without what did not happen."""
    text, _, way_out = str(error).partition("\n")
    while text.startswith(where):
        text = text.removeprefix(where).lstrip(f",: {os.sep}")
    way_out = way_out.replace("; nothing was evaluated", "").replace("Nothing was evaluated.", "")
    if text.partition(" ")[0].isalpha():  # otherwise the name of a file, of a run in several files
        text = text[:1].upper() + text[1:]
    return Finding("fault", code, where, text, way_out, count)


# ---- facts of a run --------------------------------------------------------------------------------------


def _facts_of(run: Run, found: Found, judged: JudgedRun, judgments: Judgments) -> RunFacts:
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
        judged={cutoff: judged.judged_share(cutoff) for cutoff in CUTOFFS},
        ties={cutoff: _tied(judged, cutoff) for cutoff in CUTOFFS},
    )


def _tied(judged: JudgedRun, cutoff: int) -> int:
    """Topics in which tied scores, a judged document's among them, straddle the cutoff."""
    across = (judged.first <= cutoff) & (judged.last > cutoff)
    return int((judged.total(where=across) > 0).sum())


def _relevant_of(judgments: Judgments) -> PerTopic:
    """Relevant documents of each topic."""
    pool = pool_of(judgments)
    return pool.total(where=pool.grade >= 1)


def _tie_span(judged: JudgedRun) -> dict[str, tuple[float, float]]:
    """Means of two measures, with ties in the worst order and in the best."""
    best, worst = order_ties(judged, best=True), order_ties(judged, best=False)
    return {name: (mean(parse(name)(worst)), mean(parse(name)(best))) for name in (f"nDCG@{TOP}", "AP")}


class _Candidates:
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
