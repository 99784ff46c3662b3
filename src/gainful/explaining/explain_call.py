"""explain and explain_difference: read, evaluate, and work one topic out rank by rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from gainful.errors import NothingInCommon, UsageError
from gainful.explaining.contributions import parts_of
from gainful.explaining.explanation import Difference, Explanation, Row, difference
from gainful.explaining.tracing import as_read
from gainful.explaining.worked_columns import (
    columns_of,
    listed,
    not_listed,
    variants_of,
)
from gainful.formats import Judgments, Run, read_qrels
from gainful.formats.ids import check_judged, shown
from gainful.formats.runs import read_again, runs_of
from gainful.formats.user_knowledge import read_known
from gainful.judging import JudgedRun
from gainful.judging.ordered_lists import ordered
from gainful.judging.settings import Conventions, Settings, settings_of
from gainful.measures import Measure, parse
from gainful.measures._needs import needed
from gainful.scores import Scores, evaluate


def explain(
    qrels: Any,
    run: Any,
    topic: str | None = None,
    measure: str | Measure = "nDCG@10",
    *,
    worst: bool = False,
    known: Any = None,
    expected: Any = None,
    queries: Any = None,
    documents: Any = None,
    **conventions: Unpack[Conventions],
) -> Explanation:
    """Explain how a measure is computed for one topic, document by document.

    qrels, run  as for `evaluate`
    topic       its id; may be left out if there is only one
    measure     as text ("nDCG@10") or as an object
    worst       instead of a topic: the one with the lowest value
    known       documents that the user knew, as for `evaluate`
    expected    number of relevant documents that the user expected, as for `evaluate`
    queries     texts of queries, as for `evaluate`
    documents   titles and texts of documents, as for `evaluate`

    The conventions (ties, missing, undefined, unjudged, duplicates, pool, rel, depth, drop_self, scores, round_topics,
    round_mean) are the fields of `gainful.Settings`.

    >>> print(explain({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, "q", "AP").text())
    AP = 0.8333 · topic q · run
    ...
    """
    settings = settings_of(explain, conventions)
    more: Any = {"known": known, "expected": expected, "queries": queries, "documents": documents}
    [explanation] = with_texts(explanations(qrels, [run], topic, measure, settings, worst=worst, **more))
    return explanation


def explain_difference(
    qrels: Any,
    baseline: Any,
    candidate: Any,
    topic: str | None = None,
    measure: str | Measure = "nDCG@10",
    *,
    worst: bool = False,
    known: Any = None,
    expected: Any = None,
    queries: Any = None,
    documents: Any = None,
    **conventions: Unpack[Conventions],
) -> Difference:
    """Which documents make a candidate better or worse than a baseline on one topic, and how much each.

    qrels                as for `evaluate`
    baseline, candidate  two runs; differences are candidate minus baseline
    topic                its id; may be left out if there is only one
    measure              as text ("nDCG@10") or as an object
    worst                instead of a topic: the one on which the candidate loses most
    known                documents that the user knew, as for `evaluate`
    expected             number of relevant documents that the user expected, as for `evaluate`
    queries              texts of queries, as for `evaluate`
    documents            titles and texts of documents, as for `evaluate`

    The conventions (ties, missing, undefined, unjudged, duplicates, pool, rel, depth, drop_self, scores, round_topics,
    round_mean) are the fields of `gainful.Settings`.

    >>> ranked = explain_difference({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}, {"q": {"a": 2.0, "b": 1.0}}, "q", "RR")
    >>> ranked.value, [(moved.document, moved.difference) for moved in ranked.documents]
    (0.5, [('a', 0.5), ('b', 0.0)])
    """
    settings = settings_of(explain_difference, conventions)
    runs = [baseline, candidate]
    more: Any = {"known": known, "expected": expected, "queries": queries, "documents": documents}
    return difference(*with_texts(explanations(qrels, runs, topic, measure, settings, worst=worst, **more)))


def explanations(
    qrels: Any,
    runs: Sequence[Any],
    topic: str | None,
    measure: str | Measure,
    settings: Settings,
    *,
    worst: bool = False,
    known: Any = None,
    expected: Any = None,
    queries: Any = None,
    documents: Any = None,
) -> list[Explanation]:
    """The explanation of each run; texts of the topic and its documents are not read yet."""
    settings.need_an_order("explaining a topic")
    measure = parse(measure) if isinstance(measure, str) else measure
    measure.require()
    judgments = read_qrels(qrels, by=needed([measure]), duplicates=settings.judgment_duplicates)
    if worst and topic is not None:
        raise UsageError("a topic and the worst topic are asked for; choose one of them.")
    if topic is None and not worst:
        topic = _only_topic(judgments.topics)
    if topic is not None:
        topic = str(topic)
        check_judged(topic, judgments.topics)
    opened = [read_again(run) for given in runs for run in runs_of(given)]
    if len(opened) != len(runs):
        raise UsageError("an explanation is of one run; several were given.")
    if known is not None and len(read_known(known).users) > 1:
        raise UsageError("an explanation is for one user; give the known documents of one user.")
    if len({run.name for run in opened}) < len(opened):
        opened = [run.renamed(f"{run.name}#{number}") for number, run in enumerate(opened, 1)]
    beside: Any = {"known": known, "expected": expected, "queries": queries, "documents": documents}
    scores = evaluate(judgments, opened, [measure], **beside, **settings.to_dict())
    topic = _worst_topic(scores) if topic is None else topic
    place = judgments.topics.index(topic)
    return [
        _explained(judgments, run, topic, scores, scored.judged.select(place, place + 1))
        for run, scored in zip(opened, scores, strict=True)
    ]


def _only_topic(topics: Sequence[str]) -> str:
    if len(topics) == 1:
        return topics[0]
    named = ", ".join(f"'{shown(topic)}'" for topic in topics[:3]) + (", …" if len(topics) > 3 else "")
    raise UsageError(
        f"the judgments have {len(topics):,} topics ({named}); choose one (--topic ID, topic=… in Python), "
        "or the worst (--worst, worst=True)."
    )


def _worst_topic(scores: Scores) -> str:
    """The topic with the lowest value; of two runs, that on which the second loses most against the first."""
    [measure], first, last = scores.measures, scores.runs[0], scores.runs[-1]
    values = last.values[0] - (first.values[0] if last is not first else 0.0)
    values = -values if measure.less_is_better else values
    counts = first.evaluated & last.evaluated & ~(first.nothing_to_find[0] & last.nothing_to_find[0])
    if not counts.any():
        raise NothingInCommon(f"{measure}: no topic has anything to measure, so none is the worst.")
    return first.topics[int(np.argmin(np.where(counts, values, np.inf)))]


def _explained(judgments: Judgments, run: Run, topic: str, scores: Scores, judged: JudgedRun) -> Explanation:
    measure, settings = scores.measures[0], scores.settings
    working, judged = as_read(measure, judged)
    places = ordered(run, settings, judgments=judgments, topics=[topic])[topic]
    everything = listed(judgments, topic, judged, places)
    parts = parts_of(working, judged)
    cutoff = measure.cutoff or len(everything)
    shown_list = everything[:cutoff]
    columns = columns_of(working, judged, parts, shown_list)
    depth = max((len(cells) for cells in columns.values()), default=0)
    rows = tuple(
        Row(
            rank,
            shown_list[rank - 1].document if rank <= len(shown_list) else None,
            shown_list[rank - 1].grade if rank <= len(shown_list) else None,
            tuple(cells[rank - 1] if rank <= len(cells) else None for cells in columns.values()),
        )
        for rank in range(1, max(depth, len(shown_list)) + 1)
    )
    rest = everything[cutoff:]
    return Explanation(
        run=run.name,
        topic=topic,
        measure=measure,
        parts=parts,
        columns=tuple(columns),
        rows=rows,
        variants=variants_of(measure, judged),
        missed=tuple(not_listed(judgments, topic, shown_list)),
        below=(len(rest), sum(place.grade is not None for place in rest)),
        settings=settings,
        texts=scores.texts,
    )


def with_texts(explained: Sequence[Explanation]) -> list[Explanation]:
    """The explanations with the text of their topic and the titles of their documents, all read at once."""
    texts = explained[0].texts
    if texts is None:
        return list(explained)
    topic = explained[0].topic
    query = texts.of_queries([topic]).get(topic)
    listed_documents = {row.document for each in explained for row in each.rows if row.document is not None}
    titles = texts.titles(listed_documents | {document for each in explained for document, _ in each.missed})
    return [replace(each, query=query, titles=titles) for each in explained]
