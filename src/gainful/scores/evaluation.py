"""evaluate: judgments and runs in, scores out."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Unpack

from gainful._core import Found
from gainful.arrays import NDArray, np
from gainful.errors import UsageError
from gainful.formats.ids import from_bytes, some
from gainful.formats.judgments import Judgments, read_qrels
from gainful.formats.run_queue import Queue
from gainful.formats.runs import Names, Run, runs_of
from gainful.formats.types import Progress
from gainful.judging import JudgedRun
from gainful.judging.notes import nothing_in_common, topics_missing
from gainful.judging.record import judge, pool_of
from gainful.judging.settings import Conventions, Settings, settings_of
from gainful.judging.transforms import chosen_topics, keep_topics, knowing, order_ties, pool_of_topics
from gainful.measures import Measure, parse_many
from gainful.measures._needs import check_needs, needed
from gainful.measures._other_tools import from_ir_measures, is_of_ir_measures
from gainful.scores.lazy_scores import CoreScoring
from gainful.scores.score_set import RunScores, Scores, close_scores

DEFAULT = "nDCG@10,AP,RR,P@10,R@100,Judged@10"
"""The default measures."""
ESTIMATOR = "auto"
"""How sums are estimated under a design, unless asked otherwise."""

BLOCK = 1_000_000
"""Hits that are scored at once; bounds memory and changes no value."""


class Evaluating(Conventions, total=False):
    """Keywords of `evaluate` that are also taken by every call that evaluates runs first."""

    topics: str | os.PathLike[str] | Iterable[str] | None
    known: Any
    expected: Any
    threads: int | None
    names: Names | None
    queries: Any
    documents: Any
    design: Any
    estimator: str
    model_qrels: Any


def evaluate(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    topics: str | os.PathLike[str] | Iterable[str] | None = None,
    known: Any = None,
    expected: Any = None,
    threads: int | None = None,
    names: Names | None = None,
    queries: Any = None,
    documents: Any = None,
    design: Any = None,
    estimator: str = ESTIMATOR,
    model_qrels: Any = None,
    progress: Progress | None = None,
    **conventions: Unpack[Conventions],
) -> Scores:
    """Score one or several runs against judgments.

    qrels     judgments: a path, `read_qrels(...)`, or any object that it accepts (mapping, data frame, columns, rows)
    runs      a run in any of these forms; or several: a list, or a mapping from names to runs
    measures  as text (`"nDCG@10, AP"`) or as objects (`[nDCG @ 10, AP(rel=2)]`)
    topics    only these topics: a list, or a file with one per line
    known     documents that the user knew, for Coverage and Novelty: a path, {topic: [document, …]}, or one of these per user
    expected  relevant documents that users expected, for RelRecall and RecallEffort: a number, a path, {topic: number}
    threads   number of threads; by default all cores
    names     names of runs from files: "file" (default), "tag" (the last column of a TREC file) or "path"; if several
              files have the same name, their tags are used if these differ, else their paths
    queries   texts of queries, shown beside their ids: {topic: text}, or a file (TSV, CSV, JSON lines, TREC topics); by
              default `queries.jsonl` beside the folder `qrels` of BEIR's judgments
    documents  titles and texts of documents, shown beside their ids: {document: title}, or a file (JSON lines, CSV, Parquet); by
              default `corpus.jsonl` there
    design    with which probability each judged document was drawn: a study folder, a file, or {topic: {document:
              probability}}; values are then estimates, with confidence intervals. A fifth column of the judgments says it too
    estimator  how sums are estimated under a design: "ht" (Horvitz–Thompson), "centred" or "ratio"; "auto" is centred where
              the documents that were not drawn are known, and ht otherwise
    model_qrels  labels by a model, or a list of them, each in the form of judgments: people's judgments of some topics, or
              of documents drawn by chance, then say what the labels are worth, and means have confidence intervals
    progress  called repeatedly while a file is read, with its name, bytes read and total bytes

    The conventions (ties, missing, undefined, unjudged, duplicates, pool, rel, depth, drop_self, scores, round_topics,
    round_mean, round_halves) are the fields of `gainful.Settings`.

    >>> evaluate({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 3.0, "d1": 2.0}}, "AP(rel=2)").mean
    {'AP(rel=2)': 0.5}
    """
    settings = settings_of(evaluate, conventions)
    asked = asked_for(measures, settings.rel)
    by = needed(asked) if asked.needs else None
    judgments = read_qrels(
        qrels,
        by=by,
        duplicates=settings.judgment_duplicates,
        threads=threads,
        design=design,
        sampled=True,
    )
    if model_qrels is not None:
        from gainful.formats.model_labels import with_models

        judgments = with_models(judgments, model_qrels)
    more = {"known": known, "expected": expected, "queries": queries, "documents": documents}
    given = runs_of(runs, names)
    if judgments.models and judgments.inclusion is None:
        return _with_models(judgments, given, asked, settings, topics, threads, more)
    queue = Queue(judgments, given, rules=settings.rules, threads=threads)
    return score(
        judgments, queue, asked, settings, topics=topics, estimator=estimator, progress=progress, **more
    )


def _with_models(
    judgments: Judgments,
    runs: list[Run],
    measures: tuple[Measure, ...],
    settings: Settings,
    topics: Any,
    threads: int | None,
    more: Mapping[str, Any],
) -> Scores:
    """Scores under people's judgments and under the labels of each model, put together; each run is opened once."""
    from gainful.formats.judgments import read_topics
    from gainful.scores.model_scores import scored_with_models

    in_memory = [run.in_memory() for run in runs]
    kept = None if topics is None else set(read_topics(topics))
    known = set(judgments.topics).union(*(model.labels.topics for model in judgments.models))
    if kept is not None and (unknown := sorted(kept - known)):
        raise UsageError(
            f"of the topics asked for, {len(unknown)} {'is' if len(unknown) == 1 else 'are'} neither judged nor labelled: "
            f"{some(unknown)}."
        )
    if kept is not None and kept.isdisjoint(judgments.topics):
        raise UsageError(
            "people judged none of the topics asked for, so that nothing is known of the labels' worth."
        )

    def under(labels: Judgments, **more: Any) -> Scores:
        queue = Queue(labels, in_memory, rules=settings.rules, threads=threads)
        there = None if kept is None else [topic for topic in labels.topics if topic in kept]
        return score(labels, queue, measures, settings, topics=there, **more)

    return scored_with_models(under(judgments, **more), under, judgments.models, settings)


def score(
    judgments: Judgments,
    queue: Queue,
    measures: str | Measure | Iterable[str | Measure],
    settings: Settings,
    *,
    topics: str | os.PathLike[str] | Iterable[str] | None = None,
    known: Any = None,
    expected: Any = None,
    queries: Any = None,
    documents: Any = None,
    estimator: str = ESTIMATOR,
    progress: Progress | None = None,
) -> Scores:
    """Score the runs of a queue, which may have begun to read them already."""
    try:
        asked = asked_for(measures, settings.rel)
        said = {name for name, given in (("known", known), ("expected", expected)) if given is not None}
        if asked.needs:
            check_needs(asked, judgments, said)
        judgments.check_grades()
        kept = None if topics is None else chosen_topics(judgments, topics)
        if said:
            from gainful.scores.users import by_user, users_of

            users = users_of(judgments, known, expected, kept)
        pool = None if kept is None else pool_of_topics(pool_of(judgments), kept)
        core = CoreScoring(judgments, asked, settings) if pool is None and not said else None
        texts = judgments.texts(queries, documents)
    except BaseException:
        queue.cancel()
        raise
    names = (
        judgments.topics if kept is None else tuple(judgments.topics[topic] for topic in np.flatnonzero(kept))
    )
    scored: list[RunScores] = []
    for run, found in queue.finished(progress):
        if core and (run_scores := core.scored(run, found)):
            _check_topics(run, found, run_scores.missing, names, settings)
            scored.append(run_scores)
            continue
        judged = judge(judgments, found, settings)
        if "anywhere" in asked.needs:
            from gainful.judging.ordered_lists import with_judged_anywhere

            judged = with_judged_anywhere(judged, judgments, run, settings)
        if kept is not None:
            assert pool is not None
            own = settings.pool == "retrieved"  # what there was to find is then in the list
            judged = keep_topics(judged, kept, pool_of_topics(judged.pool, kept) if own else pool)
        missing = [names[place] for place in np.flatnonzero(~judged.present)]
        _check_topics(run, found, missing, names, settings)
        if judgments.inclusion is not None:
            from gainful.scores.estimated_scores import estimated

            scored.append(
                estimated(_score(run, found, judged, names, asked, settings, kept), estimator, said)
            )
        elif said:
            each = {user: knowing(judged, knowledge) for user, knowledge in users.items()}
            scored += by_user(
                {user: _score(run, found, each[user], names, asked, settings, kept) for user in each}
            )
        else:
            scored.append(_score(run, found, judged, names, asked, settings, kept))
    return Scores(tuple(scored), asked, settings, judgments, texts, pool_of_some=pool)


def _check_topics(
    run: Run, found: Found, missing: Sequence[str], topics: tuple[str, ...], settings: Settings
) -> None:
    """Raise where the run has none of the topics, or lacks one and that is an error."""
    if len(missing) == len(topics):
        raise nothing_in_common(run.name, run.path, tuple(map(from_bytes, found.extra)), topics)
    if settings.missing == "error" and missing:
        raise topics_missing(run.name, run.path, missing)


def _score(
    run: Run,
    found: Found,
    judged: JudgedRun,
    topics: tuple[str, ...],
    measures: tuple[Measure, ...],
    settings: Settings,
    kept: NDArray[np.bool_] | None,
) -> RunScores:
    values, undefined, errors = values_of(judged, measures, settings)
    return RunScores(
        name=run.name,
        path=run.path,
        digest=found.digest or None,
        tag=from_bytes(found.tag),
        topics=topics,
        measures=measures,
        settings=settings,
        judged=judged,
        extra=tuple(map(from_bytes, found.extra)),
        values=values,
        nothing_to_find=undefined,
        tie_errors=errors,
        dropped=found.dropped,
        close=close_scores(found, kept) if len(found.close_topic) else None,
    )


class TopicValues(NamedTuple):
    """Measures × topics.

    values     the values
    undefined  where there was nothing to find
    errors     standard errors of values that are means of a random sample of the orders of tied documents; None where none is
    """

    values: NDArray[np.float64]
    undefined: NDArray[np.bool_]
    errors: NDArray[np.float64] | None = None


def values_of(
    judged: JudgedRun,
    measures: tuple[Measure, ...],
    settings: Settings,
    known: Mapping[int, NDArray[np.float64]] | None = None,
) -> TopicValues:
    """The value of every measure for every topic, as the settings want it, computed in blocks of topics.

    known  values that were computed in another way, by the number of the measure
    """
    topics, shape = len(judged), (len(measures), len(judged))
    small = judged.aspects is None and len(judged.rank) <= BLOCK and len(judged.pool.rank) <= BLOCK
    values, undefined = np.empty(shape), np.empty(shape, bool)
    errors = None
    if settings.ties == "expected":
        from gainful.measures._tied_orders import over_tied_orders

        errors = np.zeros(shape)
    for start, stop in [(0, topics)] if small else _blocks(judged):
        block = judged if stop - start == topics else judged.select(start, stop)
        for number, measure in enumerate(measures):
            here = number, slice(start, stop)
            if errors is None:
                values[here], undefined[here] = measure.evaluate(block)
            else:
                values[here], undefined[here], errors[here] = over_tied_orders(measure, block)
    for number, given in (known or {}).items():
        values[number] = given
    if settings.undefined not in ("keep", "skip"):
        values[undefined] = float(settings.undefined)
    if settings.round_topics is not None:
        rounded = [settings.rounded(value, settings.round_topics) for value in values.ravel().tolist()]
        values = np.array(rounded, np.float64).reshape(shape)
    return TopicValues(values, undefined, errors if errors is not None and errors.any() else None)


def _blocks(judged: JudgedRun) -> Iterator[tuple[int, int]]:
    """Ranges of topics with at most BLOCK hits (and as many judgments), one topic at the least."""
    topics, start = len(judged), 0
    all_offsets = [judged.offsets, judged.pool.offsets]
    all_offsets += [] if judged.aspects is None else [judged.aspects.entries]
    while start < topics:
        stop = min(
            int(np.searchsorted(offsets, offsets[start] + BLOCK, side="right")) - 1 for offsets in all_offsets
        )
        stop = min(max(stop, start + 1), topics)
        yield start, stop
        start = stop


def values_at_bounds(run: RunScores) -> Iterator[RunScores]:
    """The run with its tied documents in the worst order, and in the best one."""
    from gainful.measures._tied_orders import bounds_over_orders, by_grade

    odd = {
        number: bounds_over_orders(measure, run.judged)
        for number, measure in enumerate(run.measures)
        if not by_grade(measure)
    }
    for place, settings in enumerate(
        (replace(run.settings, ties="worst"), replace(run.settings, ties="best"))
    ):
        ordered = order_ties(run.judged, best=settings.ties == "best")
        known = {number: bounds[place] for number, bounds in odd.items()}
        values, undefined, _ = values_of(ordered, run.measures, settings, known)
        yield replace(run, values=values, nothing_to_find=undefined, tie_errors=None, settings=settings)


_MANY = (list, Iterable)  # list first: it is by far the quickest to ask for


class Asked(tuple[Measure, ...]):
    """Checked measures, and what they need beside grades; computed once for many small calls."""

    needs: frozenset[str]
    """What any of them needs."""


def asked_for(measures: str | Measure | Iterable[str | Measure], rel: float | None) -> Asked:
    """The measures, parsed and checked; `rel` is set for those that take one and were given none."""
    if isinstance(measures, Asked):
        return measures
    if isinstance(measures, str):
        return _of_text(measures, rel)
    items = [measures] if isinstance(measures, Measure) or not isinstance(measures, _MANY) else measures
    return _checked([each for item in items for each in _measures_of(item)], rel)


@functools.lru_cache(maxsize=256)
def _of_text(text: str, rel: float | None) -> Asked:
    """The measures named by text; cached, unlike measures of the user's own, which may be defined again."""
    return _checked(parse_many(text), rel)


def _checked(parsed: list[Any], rel: float | None) -> Asked:
    for item in parsed:
        if not isinstance(item, Measure):
            raise UsageError(
                f"{item!r} is not a measure; write it as text ('nDCG@10') or decorate the function with @measure."
            )
    if rel is not None:
        parsed = [item(rel=rel) if item.leaves("rel") else item for item in parsed]
    if not parsed:
        raise UsageError("no measure is given.")
    asked = Asked(dict.fromkeys(parsed))
    asked.needs = frozenset(measure.needs for measure in asked if measure.needs is not None)
    return asked


def _measures_of(item: Any) -> Iterable[Any]:
    if isinstance(item, str):
        return _of_text(item, None)
    if isinstance(item, Measure):
        return [item]
    return [from_ir_measures(item) if is_of_ir_measures(item) else item]
