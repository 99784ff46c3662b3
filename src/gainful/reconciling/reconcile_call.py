"""reconcile: judgments, a run and values that somebody shows in; whose numbers they are out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.formats.ids import some_quoted
from gainful.formats.judgments import read_qrels
from gainful.formats.runs import runs_of
from gainful.judging.settings import Settings
from gainful.reconciling.claimed_values import Claimed, Shown, measure_of, of_mapping
from gainful.reconciling.convention_effects import effects_on
from gainful.reconciling.convention_space import MEASURE
from gainful.reconciling.convention_walk import Walk, printed_as, walk
from gainful.reconciling.further_values import further_causes, named, telling_apart
from gainful.reconciling.judged_readings import JudgedReadings
from gainful.reconciling.plausible_answers import Searcher
from gainful.reconciling.reconciliation import Reconciled, Reconciliation, odd_values
from gainful.reconciling.value_files import read_values

MOST_EFFECTS = 8
"""Conventions whose effect is shown."""


def readings_of(qrels: Any, run: Any, *, threads: int | None = None) -> JudgedReadings:
    """Judgments and one run, read once, for any number of readings."""
    judgments = read_qrels(qrels, threads=threads)
    runs = runs_of(run)
    if len(runs) != 1:
        raise UsageError(f"values are those of one run, and {len(runs)} are given.")
    return JudgedReadings(judgments, runs[0], threads=threads)


def reconcile(
    qrels: Any,
    run: Any,
    values: Any,
    *,
    row: str | None = None,
    show: int = 3,
    threads: int | None = None,
) -> Reconciliation:
    """Say whose numbers these are: which tool, or which conventions, give them on these data.

    qrels    judgments, as for `evaluate`
    run      the run, as for `evaluate`
    values   {measure: value}, or {measure: {topic: value}}; the name of a file (what a tool printed, JSON, CSV, a table in
             Markdown); or a list of these, one for each source
    row      the row of the run in a table of systems, where it does not have the run's name
    show     how many explanations are told
    threads  number of threads; by default all cores

    A value is known to the decimals it has: "0.5371" is any number that is printed so.

    >>> qrels, run = {"q1": {"q1": 1, "d": 1}}, {"q1": {"q1": 2.0, "d": 1.0}}
    >>> answer, *_ = reconcile(qrels, run, {"nDCG@10": "0.6131"}).answers
    >>> answer.title, answer.clauses()
    ('beir@2.2.0', ["documents of the topic's own id are taken out"])
    """
    readings = readings_of(qrels, run, threads=threads)
    given = values if isinstance(values, list | tuple) else [values]
    sources = [_shown(each, readings, row) for each in given]
    if not sources:
        raise UsageError(
            "no value is given; say which number is to be explained, as in --value 0.5371 -m nDCG@10."
        )
    searcher = Searcher(readings)
    explained = tuple(_reconciled(source, searcher, show) for source in sources)
    return Reconciliation(readings.name, len(readings.topics), explained, _way(explained, readings))


def between(
    qrels: Any, run: Any, start: str, stop: str, measure: str = "nDCG@10", *, threads: int | None = None
) -> Walk:
    """Walk from one tool's number to another's, with the share of the difference that each convention has.

    start, stop  dialects, with or without a version; "gainful" for our own conventions
    measure      as we name it, or as one of the tools does

    >>> qrels, run = {"q1": {"q1": 1, "d": 1}}, {"q1": {"q1": 2.0, "d": 1.0}}
    >>> print(between(qrels, run, "mteb", "beir").sentence())
    NDCG@10 is 1.0000 in mteb@2.26.24 and 0.6131 in beir@2.2.0, −0.3869: documents of the topic's own id −0.3869.
    """
    readings = readings_of(qrels, run, threads=threads)
    return walk_between(readings, start, stop, measure)


def walk_between(
    readings: JudgedReadings, start: str, stop: str, measure: str, *, ours: Settings | None = None
) -> Walk:
    """The way from one tool's number to another's, of a run that has been read.

    ours  our own settings; by default the defaults
    """
    first, last = (printed_as(title, measure, readings, ours) for title in (start, stop))
    return walk(first, last, measure, readings)


def _shown(given: Any, readings: JudgedReadings, row: str | None) -> Shown:
    if isinstance(given, Mapping):
        return of_mapping(given)
    if isinstance(given, str | os.PathLike):
        return read_values(os.fsdecode(given), topics=set(readings.topics), run=readings.name, row=row)
    raise UsageError(f"values are {{measure: value}} or the name of a file, not {type(given).__name__}.")


def _reconciled(source: Shown, searcher: Searcher, show: int) -> Reconciled:
    readings = searcher.readings
    claims, unknown = _of_judged_topics(source, readings)
    search = searcher.search(claims)
    percent = _as_percentages(claims)
    taken = False
    if percent is not None and not (search.answers and (search.answers[0].title or readings.copies)):
        again = searcher.search(percent)
        taken = bool(again.answers) and (not search.answers or bool(again.answers[0].title))
        search = again if taken else search
    odd = [] if taken else odd_values(claims, unknown, copies=readings.copies)
    beyond = any(
        claimed.mean is not None and claimed.mean.value > claimed.measure.bounds[1]
        for claimed in search.claims
    )
    effects = [
        effect
        for effect in effects_on(search.claims[0].measure, readings)
        if beyond or effect.name != MEASURE
    ]
    return Reconciled(
        source.source,
        search,
        taken,
        tuple(odd),
        tuple(telling_apart(search, readings, show)),
        () if search.answers else tuple(further_causes(searcher, search)),
        tuple(effects[:MOST_EFFECTS]),
        readings.copies,
        show,
    )


def _of_judged_topics(source: Shown, readings: JudgedReadings) -> tuple[tuple[Claimed, ...], list[str]]:
    """The claims without topics that are not judged, and which these are; an error where nothing is left."""
    unknown = [
        topic for claimed in source.claims for topic in claimed.topics if readings.place(topic) is None
    ]
    kept = [
        replace(
            claimed,
            topics={
                topic: number for topic, number in claimed.topics.items() if readings.place(topic) is not None
            },
        )
        for claimed in source.claims
    ]
    claims = tuple(claimed for claimed in kept if claimed.numbers)
    if not claims:
        raise DataError(
            f"{source.source}: none of the topics is judged ({some_quoted(list(dict.fromkeys(unknown)))}); "
            f"the judgments have {some_quoted(readings.topics)}."
        )
    return claims, list(dict.fromkeys(unknown))


def _as_percentages(claims: Sequence[Claimed]) -> tuple[Claimed, ...] | None:
    """The values taken for percentages, where one of them is beyond the bounds of its measure and 100 times them is not."""
    if not any(number.value > claimed.measure.bounds[1] for claimed in claims for number in claimed.numbers):
        return None
    return tuple(
        replace(
            claimed,
            mean=None if claimed.mean is None else claimed.mean.as_percentage(),
            topics={topic: number.as_percentage() for topic, number in claimed.topics.items()},
        )
        for claimed in claims
    )


def _way(sources: Sequence[Reconciled], readings: JudgedReadings) -> Walk | None:
    """The way between two sources that are both explained, on the first measure that both have."""
    if len(sources) != 2 or not all(source.answers for source in sources):
        return None
    first, second = (source.answers[0] for source in sources)
    for name, printed in first.printed.items():
        for other, there in second.printed.items():
            if measure_of(name) == measure_of(other):
                return walk((named(first), printed), (named(second), there), name, readings)
    return None
