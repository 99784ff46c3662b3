"""evaluate: judgments and runs in, scores out."""

from __future__ import annotations

import functools
import os
from collections.abc import Container, Iterable, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from gainful._core import Found
from gainful.errors import MeasureError, NothingInCommon, UsageError
from gainful.formats.ids import from_bytes, shown, some_quoted
from gainful.formats.judgments import Judgments, read_qrels, read_topics
from gainful.formats.run_queue import Queue
from gainful.formats.runs import Names, Run, runs_of
from gainful.formats.types import By, Progress
from gainful.judging import JudgedRun
from gainful.judging.knowledge import Knowledge
from gainful.judging.record_building import judge, pool_of
from gainful.judging.settings import Conventions, Settings, settings_of
from gainful.judging.transforms import keep_topics, knowing, pool_of_topics
from gainful.measures import Measure, parse_many
from gainful.measures._definition import lacking
from gainful.measures._other_tools import from_ir_measures, is_of_ir_measures
from gainful.scores.run_scores import CloseScores, RunScores
from gainful.scores.score_set import Scores
from gainful.scores.topic_values import values_of

DEFAULT = "nDCG@10,AP,RR,P@10,R@100,Judged@10"
"""The default measures."""


class Evaluating(Conventions, total=False):
    """Keywords of `evaluate` that are also taken by every call that evaluates runs first."""

    topics: str | os.PathLike[str] | Iterable[str] | None
    known: Any
    expected: Any
    threads: int | None
    names: Names | None
    queries: Any
    documents: Any


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
    documents titles and texts of documents, shown beside their ids: {document: title}, or a file (JSON lines, CSV, Parquet); by
              default `corpus.jsonl` there
    progress  called repeatedly while a file is read, with its name, bytes read and total bytes

    The conventions (ties, missing, undefined, unjudged, duplicates, pool, rel, depth, drop_self, scores, round_topics,
    round_mean, round_halves) are the fields of `gainful.Settings`.

    >>> evaluate({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 3.0, "d1": 2.0}}, "AP(rel=2)").mean
    {'AP(rel=2)': 0.5}
    """
    settings = settings_of(evaluate, conventions)
    asked = asked_for(measures, settings.rel)
    by = needed(asked) if asked.needs else None
    judgments = read_qrels(qrels, by=by, duplicates=settings.judgment_duplicates, threads=threads)
    queue = Queue(judgments, runs_of(runs, names), rules=settings.rules, threads=threads)
    return score(
        judgments,
        queue,
        asked,
        settings,
        topics=topics,
        known=known,
        expected=expected,
        queries=queries,
        documents=documents,
        progress=progress,
    )


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
    progress: Progress | None = None,
) -> Scores:
    """Score the runs of a queue, which may have begun to read them already."""
    try:
        asked = asked_for(measures, settings.rel)
        said = {name for name, given in (("known", known), ("expected", expected)) if given is not None}
        if asked.needs:
            check_needs(asked, judgments, said)
        kept = None if topics is None else chosen_topics(judgments, topics)
        users = _users(judgments, known, expected, kept) if said else {}
        pool = pool_of(judgments) if kept is None else pool_of_topics(pool_of(judgments), kept)
        texts = judgments.texts(queries, documents)
    except BaseException:
        queue.cancel()
        raise
    names = (
        judgments.topics if kept is None else tuple(judgments.topics[topic] for topic in np.flatnonzero(kept))
    )
    scored = []
    for run, found in queue.finished(progress):
        judged = judge(judgments, found, settings)
        if "anywhere" in asked.needs:
            from gainful.judging.ordered_lists import with_judged_anywhere

            judged = with_judged_anywhere(judged, judgments, run, settings)
        if kept is not None:
            own = settings.pool == "retrieved"  # what there was to find is then in the list
            judged = keep_topics(judged, kept, pool_of_topics(judged.pool, kept) if own else pool)
        if not np.count_nonzero(judged.present):
            raise nothing_in_common(run.name, run.path, tuple(map(from_bytes, found.extra)), names)
        if users:
            scored += _score_by_user(users, run, found, judged, names, asked, settings, kept)
        else:
            scored.append(_score(run, found, judged, names, asked, settings, kept))
    return Scores(tuple(scored), asked, settings, judgments, pool, texts)


def _users(
    judgments: Judgments, known: Any, expected: Any, kept: NDArray[np.bool_] | None
) -> dict[str | None, Knowledge]:
    from gainful.scores.users import users_of

    users = users_of(judgments, known, expected)
    return users if kept is None else {user: knowledge.keep(kept) for user, knowledge in users.items()}


def _score_by_user(
    users: dict[str | None, Knowledge], run: Run, found: Found, judged: JudgedRun, *more: Any
) -> list[RunScores]:
    from gainful.scores.users import by_user

    return by_user(
        {user: _score(run, found, knowing(judged, knowledge), *more) for user, knowledge in users.items()}
    )


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
        close=_close(found, kept) if len(found.close_topic) else None,
    )


def _close(found: Found, kept: NDArray[np.bool_] | None) -> CloseScores:
    """Close scores of the topics that are kept, with topics numbered among these."""
    close = found.close_topic, found.close_first, found.close_last
    if kept is None:
        return close
    topic, first, last = (column[kept[found.close_topic]] for column in close)
    return (np.cumsum(kept, dtype=np.int32) - 1)[topic], first, last


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


def chosen_topics(judgments: Judgments, topics: str | os.PathLike[str] | Iterable[str]) -> NDArray[np.bool_]:
    """Which of the judged topics are asked for; an error where one of them is not judged."""
    asked = read_topics(topics)
    if not asked:
        raise UsageError("no topic is named in --topics (topics=... in Python).")
    kept = np.array([topic in asked for topic in judgments.topics], bool)
    if not kept.any():
        no_file = ", and there is no file of that name" if isinstance(topics, str) and topics in asked else ""
        raise UsageError(
            f"none of the topics asked for ({some_quoted(sorted(asked))}) is judged{no_file}; "
            f"the judgments have {some_quoted(judgments.topics)}."
        )
    unknown = asked - set(judgments.topics)
    if unknown:
        are = "is" if len(unknown) == 1 else "are"
        raise UsageError(
            f"of the topics asked for, {len(unknown)} {are} not judged: {some_quoted(sorted(unknown))}."
        )
    return kept


def nothing_in_common(
    name: str, path: str | None, extra: Sequence[str], topics: Sequence[str]
) -> NothingInCommon:
    """What to raise where no topic of the run of that name is judged."""
    of_run = f"the run has {some_quoted(extra)}" if extra else "the run has no topics at all"
    where = shown(path) if path else f"run '{shown(name)}'"
    return NothingInCommon(
        f"{where}: no topic is judged; {of_run}, the judgments have {some_quoted(topics)}.\n"
        "Are these the right files, in the order QRELS RUN?"
    )


def needed(measures: Iterable[Measure]) -> By | None:
    """What these measures need the judgments by (subtopics, judges, preferences); None where grades alone will do.

    Judgments by subtopic or by judge serve every need; preferences in parts serve preferences alone.
    """
    needs = {measure.needs for measure in measures}
    return next((by for by in ("subtopics", "judges", "preferences") if by in needs), None)


def check_needs(measures: Iterable[Measure], judgments: Judgments, said: Container[str] = ()) -> None:
    """Raise where a measure needs what the judgments do not have, or what was not said of the user."""
    details = judgments.details
    for measure in measures:
        if measure.needs in ("known", "expected"):
            if measure.needs not in said:
                raise MeasureError(lacking(str(measure), measure.needs) + ".")
        elif measure.needs not in (None, "anywhere") and (
            details is None or (details.parts is not None and measure.needs != "preferences")
        ):
            raise MeasureError(lacking(str(measure), measure.needs) + ".")
