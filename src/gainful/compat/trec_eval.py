"""trec_eval's dialect: its names, its order, its roundings and its layout, as version 10 prints them.

>>> made = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 0.9, "d1": 0.4}}, ["recip_rank", "P.1,2"])
>>> print(made.text(per_topic=True), end="")
recip_rank            	q1	0.5000
P_1                   	q1	0.0000
P_2                   	q1	0.5000
recip_rank            	all	0.5000
P_1                   	all	0.0000
P_2                   	all	0.5000

Where it differs from `gainful evaluate`: interpolated precision asks for round(recall · R) documents; the residual of
RBP is 0 for a list without unjudged documents; fractions of a grade are cut off; judged topics that the run lacks
are left out unless `complete`; preferences put the lower id first among equal scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.compat._trec_eval_columns import Column, Options, columns
from gainful.compat._trec_eval_names import RELATIONS, refuse_foreign, requested
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.formats.ids import from_bytes, shown
from gainful.formats.judgments import read_qrels
from gainful.formats.run_queue import Queue
from gainful.formats.runs import Run, runs_of
from gainful.formats.types import By, Rules
from gainful.judging import JudgedRun, Ranking
from gainful.judging.record import judge
from gainful.judging.settings import Settings
from gainful.judging.transforms import condense, keep_topics, pool_of_topics, shorten

__all__ = ["Evaluation", "evaluate", "read_deviations", "requested"]

if TYPE_CHECKING:
    from gainful._core import Found
    from gainful.formats import Judgments
    from gainful.formats.types import Progress

_BY: dict[str, By | None] = {
    "qrels": None,
    "qrels_jg": "judges",
    "prefs": "preferences",
    "qrels_prefs": "preferences",
}
LAYOUT = "trec"
"""Files are read as TREC's; trec_eval never guesses at another layout."""

# A list that is not there is taken for one with one unjudged document; of these the traces are wiped out afterwards.
_WIPED = ("num_ret", "utility", "rbp_resid")


def evaluate(
    qrels: Any,
    run: Any,
    measures: Iterable[str] = ("official",),
    *,
    relation: str = "qrels",
    complete: bool = False,
    level: int = 1,
    depth: int | None = None,
    judged_only: bool = False,
    documents: int = 0,
    deviations: Deviations | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Score one run as trec_eval does.

    relation     what the judgments are (-R): qrels; qrels_jg, by several judges; prefs, preferences; qrels_prefs, grades
                 read as preferences
    measures     its names, with parameters after a dot (`P.5,10`), or sets such as `official` and `all_trec`
    complete     judged topics that the run lacks count as zero (-c); otherwise they are left out
    level        lowest grade that is relevant (-l)
    depth        ranks counted of each list (-M)
    judged_only  unjudged documents are removed (-J), after the list was cut at its depth
    documents    in the collection, for utility (-N)
    deviations   print in standard deviations from these means (-Z)
    """
    if relation not in RELATIONS:
        raise UsageError(f"judgments are one of {', '.join(RELATIONS)}; got '{relation}'.")
    asked, notes = requested(measures)
    refuse_foreign(asked, relation)
    wanted = columns(asked, Options(level=level, documents=documents))
    judgments = read_qrels(qrels, by=_BY[relation], layout=LAYOUT, threads=threads)
    runs = [Run(each.path, name=each.name, layout=LAYOUT) if each.path else each for each in runs_of(run)]
    queue = Queue(judgments, runs, rules=Rules(), threads=threads)
    ((only, found),) = queue.finished(progress)
    by_preference = _BY[relation] == "preferences"
    judged, said = record(judgments, found, depth=depth, judged_only=judged_only, ascending=by_preference)
    missing = np.flatnonzero(~judged.present)
    if len(missing) == len(judgments.topics):
        raise NothingInCommon(
            f"{only.name}: no topic is judged. Are these the right files, in the order QRELS RUN?"
        )
    if complete:
        judged = _with_one_unjudged(judged)
    elif len(missing):
        judged = present_only(judged)
        said.append(_left_out([judgments.topics[topic] for topic in missing]))
    evaluation = _evaluation(judgments, found, judged, wanted, deviations, (*notes, *said))
    if complete:  # trec_eval counts anew over all topics then, and asks for grades above 0 whatever the level
        relevant = float((np.trunc(judgments.index.grade) > 0).sum())
        evaluation = replace(evaluation, recounted={"num_rel": relevant})
    return evaluation


def record(
    judgments: Judgments, found: Found, *, depth: int | None, judged_only: bool, ascending: bool
) -> tuple[JudgedRun, list[str]]:
    """The judged run as trec_eval makes it: whole grades, first cut at the depth and then freed of the unjudged.

    Among equal scores the higher id comes first; for preferences, where they are `ascending`, the lower one.
    """
    judged = judge(judgments, found, Settings())
    if ascending:
        judged = _turned(judged)
    notes = []
    whole = np.trunc(judgments.index.grade)
    if judgments.details is None and (whole != judgments.index.grade).any():
        notes.append(
            "grades with fractions: they are cut to whole numbers, as trec_eval does; `gainful evaluate` keeps them"
        )
        pool = Ranking.best_first(judgments.index.offsets, whole)
        judged = judged.replace(grade=np.trunc(judged.grade), pool=pool)
    if depth is not None:
        judged = shorten(judged, depth)
    return (condense(judged) if judged_only else judged), notes


def _turned(judged: JudgedRun) -> JudgedRun:
    """The documents of each group of equal scores in the opposite order."""
    rank = judged.first + judged.last - judged.rank
    order = np.lexsort((rank, judged.each(np.arange(len(judged)))))
    names = ("grade", "first", "last", "row")
    return judged.replace(rank=rank[order], **{name: getattr(judged, name)[order] for name in names})


def present_only(judged: JudgedRun) -> JudgedRun:
    """The topics that the run has."""
    return keep_topics(judged, judged.present, pool_of_topics(judged.pool, judged.present))


def _evaluation(
    judgments: Judgments,
    found: Found,
    judged: JudgedRun,
    wanted: tuple[Column, ...],
    deviations: Deviations | None,
    notes: tuple[str, ...],
) -> Evaluation:
    complete = len(judged) == len(judgments.topics)
    raw = judgments.index.topics
    there = list(range(len(raw))) if complete else np.flatnonzero(found.present).tolist()
    order = sorted(range(len(there)), key=lambda row: raw[there[row]])
    values = np.array([column.values(judged) for column in wanted]).reshape(len(wanted), len(judged))
    texts = {column.name: column.text(judged) for column in wanted if column.text is not None}
    _wipe(wanted, values, texts, ~judged.present)
    topics = tuple(judgments.topics[there[row]] for row in order)
    evaluation = Evaluation(
        run_id=_run_id(found),
        topics=topics,
        columns=wanted,
        values=values[:, order],
        texts={name: [found_texts[row] for row in order] for name, found_texts in texts.items()},
        notes=notes,
    )
    return evaluation if deviations is None else in_deviations(evaluation, deviations)


def _left_out(topics: list[str]) -> str:
    single = len(topics) == 1
    what = "judged topic is" if single else "judged topics are"
    some = ", ".join(map(shown, topics[:5])) + (", …" if len(topics) > 5 else "")
    return f"{len(topics):,} {what} not in the run and left out; -c counts {'it' if single else 'them'} as zero: {some}"


def _with_one_unjudged(judged: JudgedRun) -> JudgedRun:
    """As trec_eval 10 sees missing topics: a list of one document that nobody judged."""
    return judged.replace(retrieved=np.where(judged.present, judged.retrieved, 1.0))


def _wipe(
    wanted: tuple[Column, ...],
    values: NDArray[np.float64],
    texts: Mapping[str, list[str]],
    missing: NDArray[np.bool_],
) -> None:
    for column, row in zip(wanted, values, strict=True):
        if column.name in _WIPED or column.root == "unj":
            row[missing] = 0.0
        if column.name == "relstring":
            for number in np.flatnonzero(missing):
                texts[column.name][number] = ""


def _run_id(found: Found) -> str:
    words = from_bytes(found.tag).split()
    return shown(words[0]) if words else ""


ALL = "all"
NO_ZSCORE = -1_000_000.0
"""What trec_eval says where the means and deviations have no line for a measure of a topic."""

Deviations = Mapping[tuple[str, str], tuple[float, float]]
"""(topic, measure as printed) → mean and standard deviation over reference runs."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What trec_eval says of one run: a row of values for each column, topics in the order of their bytes.

    recounted  summaries that are counted over all judgments, not added up from the topics
    """

    run_id: str
    topics: tuple[str, ...]
    columns: tuple[Column, ...]
    values: NDArray[np.float64]
    texts: Mapping[str, list[str]]
    notes: tuple[str, ...] = ()
    deviations: bool = False
    recounted: Mapping[str, float] = field(default_factory=dict)

    def summary(self) -> dict[str, float]:
        """Each column over all topics."""
        rows = zip(self.columns, self.values, strict=True)
        return {column.name: self.recounted.get(column.name, _summed(column, row)) for column, row in rows}

    def text(self, *, per_topic: bool = False, summary: bool = True) -> str:
        """What trec_eval prints; `per_topic` is its -q, no `summary` its -n."""
        return "".join([*(self._topics() if per_topic else ()), *(self._all() if summary else ())])

    def _topics(self) -> Iterator[str]:
        for number, topic in enumerate(self.topics):
            for column, row in zip(self.columns, self.values, strict=True):
                if column.text is not None:
                    yield _line(column.name, topic, f"'{self.texts[column.name][number]}'")
                elif column.single:
                    yield self._number(column, topic, float(row[number]))

    def _all(self) -> Iterator[str]:
        summary = self.summary()
        for column in self.columns:
            if column.root == "runid":
                yield _line(column.name, ALL, self.run_id)
            elif column.text is None:
                yield self._number(column, ALL, summary[column.name])

    def _number(self, column: Column, topic: str, value: float) -> str:
        if self.deviations:
            return "Z" + _line(column.name, topic, _decimals(value))
        return _line(column.name, topic, str(int(value)) if column.whole else _decimals(value))


def read_deviations(path: str) -> Deviations:
    """Means and standard deviations from a file with lines of topic, measure, mean, deviation."""
    deviations = {}
    try:
        text = Path(path).read_text("utf-8", "surrogateescape")
    except OSError as fault:
        raise DataError(f"{shown(path)} cannot be read: {fault.strerror}.") from None
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        try:
            topic, measure, mean, deviation = fields
            deviations[topic, measure] = float(mean), float(deviation)
        except ValueError:
            raise DataError(
                f"{shown(path)}, line {number}: expected topic, measure, mean, standard deviation; got '{shown(line[:60])}'."
            ) from None
    return deviations


def in_deviations(evaluation: Evaluation, deviations: Deviations) -> Evaluation:
    """Every value as its distance from the mean, in standard deviations."""
    values = np.array(
        [
            [
                _deviation(value, deviations.get((topic, column.name)))
                for topic, value in zip(evaluation.topics, row, strict=True)
            ]
            if column.root not in ("num_q", "runid")
            else row
            for column, row in zip(evaluation.columns, evaluation.values, strict=True)
        ]
    )
    return replace(evaluation, values=values.reshape(evaluation.values.shape), deviations=True)


def _deviation(value: float, known: tuple[float, float] | None) -> float:
    if known is None:
        return NO_ZSCORE
    mean, deviation = known
    if deviation == 0:
        return 0.0 if value == mean else NO_ZSCORE
    return (value - mean) / deviation


def _summed(column: Column, values: NDArray[np.float64]) -> float:
    """Added up one after the other, as trec_eval does; a sum that rounds better would print other digits at times."""
    total = float(np.add.accumulate(values)[-1])
    if column.summary == "sum":
        return total
    mean = total / len(values)
    return math.exp(mean) if column.summary == "geometric" else mean


def _decimals(value: float) -> str:
    """Four decimals; zero divided by zero as C prints it on x86-64, where it has a sign."""
    return "-nan" if math.isnan(value) else f"{value:.4f}"


def _line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{shown(topic)}\t{value}\n"
