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

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.compat._trec_eval_columns import Column, Options, columns
from gainful.compat._trec_eval_names import ORDER, RELATIONS, TEN, Version
from gainful.compat._trec_eval_output import Deviations, Evaluation, in_deviations, read_deviations
from gainful.errors import MeasureError, NothingInCommon, UsageError
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
    _refuse_foreign(asked, relation)
    wanted = columns(asked, Options(level=level, documents=documents))
    judgments = read_qrels(qrels, by=_BY[relation], layout=LAYOUT, threads=threads)
    runs = [Run(one.path, name=one.name, layout=LAYOUT) if one.path else one for one in runs_of(run)]
    queue = Queue(judgments, runs, rules=Rules(), threads=threads)
    ((one, found),) = queue.finished(progress)
    by_preference = _BY[relation] == "preferences"
    judged, said = record(judgments, found, depth=depth, judged_only=judged_only, ascending=by_preference)
    missing = np.flatnonzero(~judged.present)
    if len(missing) == len(judgments.topics):
        raise NothingInCommon(
            f"{one.name}: no topic is judged. Are these the right files, in the order QRELS RUN?"
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


def requested(measures: Iterable[str], version: Version = TEN) -> tuple[dict[str, str | None], list[str]]:
    """The names asked for, with the text of their parameters, and notes; the first parameters of a name count.

    >>> requested(["P.5,10", "map", "P.20"])[0]
    {'P': '5,10', 'map': None}
    """
    asked: dict[str, str | None] = {}
    notes = []
    for text in measures:
        root, dot, parameters = text.partition(".")
        if dot and not parameters:
            raise MeasureError(f"'{text}' ends in a dot; parameters go there, as in P.5,10.")
        if root in version.sets:
            asked = dict.fromkeys(version.sets[root]) | asked
        elif root not in ORDER:
            sets = ", ".join(version.sets)
            raise MeasureError(f"'{root}' is not a measure of trec_eval; nor is it one of its sets {sets}.")
        elif dot and asked.get(root) is not None:
            notes.append(
                f"{text} is not computed: {root} has parameters already, and trec_eval takes the first"
            )
        else:
            asked[root] = parameters if dot else asked.get(root)
    return asked, notes


def _refuse_foreign(asked: Iterable[str], relation: str) -> None:
    """Measures that cannot be computed from judgments of that kind."""
    for root in asked:
        if root not in RELATIONS[relation]:
            kinds = " or ".join(f"-R {name}" for name, roots in RELATIONS.items() if root in roots)
            raise UsageError(
                f"{root} is not computed from judgments of the kind {relation}; it needs {kinds}."
            )


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
    made = Evaluation(
        run_id=_run_id(found),
        topics=topics,
        columns=wanted,
        values=values[:, order],
        texts={name: [found_texts[row] for row in order] for name, found_texts in texts.items()},
        notes=notes,
    )
    return made if deviations is None else in_deviations(made, deviations)


def _left_out(topics: list[str]) -> str:
    one = len(topics) == 1
    what = "judged topic is" if one else "judged topics are"
    some = ", ".join(map(shown, topics[:5])) + (", …" if len(topics) > 5 else "")
    return f"{len(topics):,} {what} not in the run and left out; -c counts {'it' if one else 'them'} as zero: {some}"


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
