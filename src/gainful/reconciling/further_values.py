"""What else would settle the question: values that tell explanations apart, and causes beyond conventions where none fits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from gainful.dialects import find
from gainful.errors import GainfulError
from gainful.formats.ids import shown, some
from gainful.presentation.text_style import counted, fixed, listed
from gainful.reconciling.claimed_values import Claimed, measure_of
from gainful.reconciling.convention_space import Reading, convention
from gainful.reconciling.dialect_readings import OURS, left_to_chance, outcome_of, printed_by
from gainful.reconciling.explanations import Answer, Search
from gainful.reconciling.judged_readings import JudgedReadings
from gainful.reconciling.plausible_answers import Searcher

PROBES = (
    "nDCG@10",
    "AP",
    "RR",
    "P@10",
    "R@100",
    "nDCG@5",
    "nDCG@100",
    "nDCG",
    "AP@10",
    "RR@10",
    "R@10",
    "P@5",
)
"""Measures that are tried as further values, and as what may have been meant, the commonest first."""
RANKS = (1, 3, 5, 10, 15, 20, 25, 30, 50, 100, 200, 500, 1000)
"""Depths of lists and cutoffs that are tried where no convention fits."""
_PLACES = 4


def telling_apart(search: Search, readings: JudgedReadings, show: int) -> list[str]:
    """Sentences that name a topic and a measure whose values tell the first explanations apart."""
    answers = search.answers[:show]
    if len(answers) < 2:
        return []
    names = [named(answer) for answer in answers]
    return [*_by_topic(answers, names, readings), *_by_measure(search.claims, answers, names, readings)]


def named(answer: Answer) -> str:
    """An explanation in a word or two."""
    if answer.title or answer.near:
        return answer.title or f"{answer.near} but for one convention"
    changes = [
        f"{name}={convention(name).written(printed.reading.conventions()[name])}"
        for name in answer.changes
        for printed in list(answer.printed.values())[:1]
        if name in printed.reading.conventions()
    ]
    return ", ".join(changes) or OURS


def _by_topic(answers: Sequence[Answer], names: Sequence[str], readings: JudgedReadings) -> Iterator[str]:
    values = np.array([np.where(each.first.counts, each.first.values, np.nan) for each in answers])
    best, most = None, (1, 0.0)
    for place in range(values.shape[1]):
        column = values[:, place]
        distinct = len({fixed(value, _PLACES) for value in column.tolist()})
        known = column[~np.isnan(column)]
        spread = float(np.ptp(known)) if len(known) else 0.0
        if (distinct, spread) > most:
            best, most = place, (distinct, spread)
    if best is not None:
        topic = f"The value of topic {shown(readings.topics[best])}"
        yield _apart(topic, values[:, best].tolist(), names, "not counted")


def _by_measure(
    claims: Sequence[Claimed], answers: Sequence[Answer], names: Sequence[str], readings: JudgedReadings
) -> Iterator[str]:
    asked = {str(claimed.measure) for claimed in claims}
    best, most = None, 1
    for probe in PROBES:
        if probe in asked:
            continue
        values = [_probed(answer, probe, readings) for answer in answers]
        distinct = len({fixed(value, _PLACES) for value in values if value is not None})
        if distinct > most and None not in values[:2]:
            best, most = (probe, values), distinct
    if best is not None:
        yield _apart(f"{best[0]} of all topics", best[1], names, "no such measure")


def _apart(what: str, values: Sequence[float | None], names: Sequence[str], absent: str) -> str:
    """Which value each explanation has; those with the same value together."""
    groups: dict[str, list[str]] = {}
    for value, name in zip(values, names, strict=True):
        missing = value is None or math.isnan(value)
        groups.setdefault(absent if missing else fixed(value, _PLACES), []).append(name)
    told = "; ".join(f"{value} ({' or '.join(alike)})" for value, alike in groups.items())
    apart = "tells them apart" if len(groups) == len(names) else "tells some of them apart"
    return f"{what} {apart}: {told}."


def _probed(answer: Answer, probe: str, readings: JudgedReadings) -> float | None:
    """The mean of another measure, as this explanation has it; None where it has none."""
    measure = measure_of(probe)
    first = next(iter(answer.printed.values()))
    try:
        if not answer.title or answer.title == OURS:
            keywords = {
                name: value
                for name, value in first.reading.measure.params.items()
                if name in measure.params and name != "cutoff" and not first.reading.measure.leaves(name)
            }
            asked = measure(**keywords) if keywords else measure
            return readings.outcome(Reading(asked, first.reading.settings)).mean
        dialect = find(answer.title)
        for printed in printed_by(dialect, Claimed(probe)):
            outcome = outcome_of(dialect, printed, readings)
            if not isinstance(outcome, str) and left_to_chance(printed, readings) is None:
                return outcome.mean
    except GainfulError:
        return None
    return None


def sentences_on_chance(search: Search) -> list[str]:
    """Tools that leave ties to chance and may have printed the value."""
    return [
        f"{title} leaves tied documents to chance: its {ends.name} is between {fixed(ends.low)} and {fixed(ends.high)}, so it "
        "may be this one."
        for title, ends in search.by_chance.items()
    ]


# ---- where nothing fits -----------------------------------------------------------------------------------


def further_causes(searcher: Searcher, search: Search) -> list[str]:
    """Sentences on what may cause a number that no tool and no convention gives."""
    causes = sentences_on_chance(search)
    causes += _of_variants(searcher, search.claims)
    causes += _of_other_measures(searcher, search)
    causes += _of_other_topics(search)
    causes += _of_single_topics(search, searcher.readings)
    if not causes:
        causes.append(
            "No depth, cutoff or number of topics explains it either: other judgments, another run, or topics that are not "
            "judged here remain. The values of single topics would tell which."
        )
    return causes


def _of_variants(searcher: Searcher, claims: Sequence[Claimed]) -> Iterator[str]:
    """Other depths and cutoffs, and lists without unjudged documents, that give every value shown."""
    deepest = int(searcher.readings.record(searcher.base).retrieved.max(initial=0))
    ranks = [rank for rank in RANKS if rank <= deepest]
    changes = [{"cutoff": rank} for rank in (*ranks, None)]
    changes += [{"depth": rank} for rank in ranks]
    by_change: dict[str, list[str]] = {}
    for answer, change in searcher.variants(claims, [*changes, {"unjudged": "condense"}]):
        ((name, value),) = change.items()
        by_change.setdefault(convention(name).clause(value), []).append(answer.title)
    for clause, titles in by_change.items():
        yield f"It is what {listed(list(dict.fromkeys(titles)))} would give where {clause}."


def _of_other_measures(searcher: Searcher, search: Search) -> Iterator[str]:
    """Other measures that have this value under our own conventions: a column of a table may have been mistaken."""
    claimed = search.claims[0]
    if len(search.claims) > 1 or claimed.mean is None:
        return
    others = [
        name
        for name in PROBES
        if measure_of(name).name != claimed.measure.name
        and claimed.mean.fits(searcher.readings.outcome(Reading(measure_of(name), searcher.base)).mean)
    ]
    if others:
        yield f"It is our value of {listed(others)}: another measure than {claimed.name} may be meant."


def _of_other_topics(search: Search) -> Iterator[str]:
    """Another number of topics by which the sum may have been divided."""
    claimed = search.claims[0]
    if len(search.claims) > 1 or claimed.mean is None or claimed.measure.summary != "mean":
        return
    tools = [answer for answer in search.nearest if answer.title not in ("", OURS)]
    for answer in (search.ours, *tools[:2]):
        outcome = answer.first
        number = int(outcome.counts.sum())
        total = outcome.mean * number
        for other in range(max(1, number // 2), 2 * number + 1):
            zero = int((outcome.values[outcome.counts] == 0).sum())
            if other == number or number - other > zero or not claimed.mean.fits(total / other):
                continue
            more = (
                f"{counted(other - number, 'topic')} more count as 0, such as topics without judgments here"
                if other > number
                else f"{counted(number - other, 'topic')} of value 0 are left out"
            )
            yield f"It is the sum of {answer.title} over {counted(other, 'topic')} instead of {number}: {more}."


def _of_single_topics(search: Search, readings: JudgedReadings) -> Iterator[str]:
    """Topics on which the nearest explanation differs from what is shown."""
    nearest = next((answer for answer in search.nearest if answer.matched), None)
    if nearest is None:
        return
    for claimed in search.claims:
        if claimed.name not in nearest.outcomes or not claimed.topics:
            continue
        outcome = nearest.outcomes[claimed.name]
        places = {topic: readings.place(topic) for topic in claimed.topics}
        off = [
            topic
            for topic, number in claimed.topics.items()
            if (place := places[topic]) is not None
            and not (outcome.counts[place] and number.fits(float(outcome.values[place])))
        ]
        judged = sum(place is not None for place in places.values())
        if off and len(off) < judged:
            yield (
                f"{named(nearest)} gives {claimed.name} of {judged - len(off)} of {counted(judged, 'topic')} as shown; "
                f"it differs on {some(off)}: other judgments or another list there."
            )
