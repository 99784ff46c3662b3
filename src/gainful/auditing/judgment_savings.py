"""How many of the people's judgments a model saves when two systems are compared, and how many are needed.

y is the difference of two systems in a topic by people's judgments, known for n topics; f that by the model's labels, known
for N topics in all. With people alone and with both, by `gainful.statistics.prediction_powered`:

    se²(people) = var(y) / n
    se²(both)   = var(y − w·f) / n + w² · var(f) / (N − n)          w = λ · (N − n) / N,  λ the slope of y on f

where var(f) is that of the topics that only the model labelled; a plan, which does not know which these will be, takes that
of all N.

    saved       = 1 − (width with both / width with people alone)²

Widths shrink with the root of the number of topics, so that this is the share of the people's topics that could have been
left out for an interval as wide. A plan asks the same formulas for the fewest n, as if the variances of the pilot held.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from gainful.auditing.pilot_moments import Moments, moments_of
from gainful.auditing.system_values import SystemValues
from gainful.comparisons.judges.agreement_coefficients import Floats
from gainful.formats.ids import shown
from gainful.judging.ordered_lists import OrderedLists
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.statistics import special
from gainful.statistics.differences import power
from gainful.statistics.intervals import t_interval
from gainful.statistics.prediction_powered import LEAST_TOPICS, common_slope, over_topics

ASSUMED = 0.3
"""Share of the topics that people would judge, where they judged all that the model labelled."""
POWER = 0.8
MOST_TOPICS = 1_000_000
_LEAST_LABELLED = 2  # topics that only the model labelled, below which they have no variance


@dataclass(frozen=True, slots=True)
class Needed:
    """The fewest topics that people must judge.

    people     with people alone
    both       with the model, as many topics labelled as are now; None where these do not suffice
    unlimited  with the model, and as many topics labelled as one likes
    """

    people: int | None
    both: int | None
    unlimited: int | None

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {"people": self.people, "both": self.both, "unlimited": self.unlimited}


@dataclass(frozen=True, slots=True)
class Drawn:
    """Documents that people must judge, drawn in each of the labelled topics; None where no number of them is enough.

    people_percent  of the documents, without the model's labels
    both_percent    with them
    of              about how many documents either system has above the cutoff in all labelled topics
    """

    people_percent: int | None
    both_percent: int | None
    of: int

    @property
    def people(self) -> int | None:
        """The number of documents without the model's labels."""
        return self._number(self.people_percent)

    @property
    def both(self) -> int | None:
        """The number of documents with the model's labels."""
        return self._number(self.both_percent)

    def _number(self, percent: int | None) -> int | None:
        return None if percent is None else math.ceil(self.of * percent / 100)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "people": self.people,
            "people_percent": self.people_percent,
            "both": self.both,
            "both_percent": self.both_percent,
            "of": self.of,
        }


@dataclass(frozen=True, slots=True)
class PairSaving:
    """Two systems on one measure.

    difference    B − A by people's judgments
    people_width  full width of the confidence interval of the difference, with people alone; NaN where there is none
    both_width    that with the model
    saved         share of the people's topics that the model saves
    documents     that people judge of one topic, on average: those above the measure's cutoff in either system; NaN where it has
                  no cutoff
    width         what a wanted width needs; None where none was asked for
    decide        what deciding the observed difference needs, with power 0.8; None where it was not asked for
    width_drawn, decide_drawn  what a wanted width and the decision need if documents are drawn in every topic; None where
                  several pairs were asked for, or the measure is no sum over documents (`document_plan`)
    """

    a: str
    b: str
    difference: float
    people_width: float
    both_width: float
    saved: float
    documents: float
    width: Needed | None = None
    decide: Needed | None = None
    width_drawn: Drawn | None = None
    decide_drawn: Drawn | None = None

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "a": shown(self.a),
            "b": shown(self.b),
            "difference": self.difference,
            "people_width": self.people_width,
            "both_width": self.both_width,
            "saved": self.saved,
            "documents_per_topic": self.documents,
            "width": None if self.width is None else self.width.to_dict(),
            "decide": None if self.decide is None else self.decide.to_dict(),
            "width_drawn": None if self.width_drawn is None else self.width_drawn.to_dict(),
            "decide_drawn": None if self.decide_drawn is None else self.decide_drawn.to_dict(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Savings(Brief):
    """What the model saves on one measure, for every pair of systems.

    people    topics that people judged, for which the widths are
    labelled  topics that the model labelled in all
    assumed   whether `people` is an assumption: people judged every topic that the model labelled, so that it saves nothing
              now, and the numbers say what it would have saved had people judged so many of them
    slope     of people's differences on the model's, common to all pairs
    pairs     every pair, or the one that was asked for
    curve     (topics that people judge, width with people alone, width with both), for the median pair
    """

    measure: Measure
    people: int
    labelled: int
    assumed: bool
    slope: float
    pairs: tuple[PairSaving, ...]
    curve: tuple[tuple[int, float, float], ...]
    confidence: float

    @property
    def median(self) -> float:
        """The share saved for the median pair; NaN where no pair has widths."""
        known = [pair.saved for pair in self.pairs if not math.isnan(pair.saved)]
        return float(np.median(known)) if known else math.nan

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "people": self.people,
            "labelled": self.labelled,
            "assumed": self.assumed,
            "slope": self.slope,
            "confidence": self.confidence,
            "median": self.median,
            "pairs": [pair.to_dict() for pair in self.pairs],
            "curve": [
                {"people": topics, "people_width": alone, "both_width": both}
                for topics, alone, both in self.curve
            ],
        }


def savings(
    values: SystemValues,
    number: int,
    *,
    confidence: float,
    chosen: tuple[str, str] | None = None,
    width: float | None = None,
    decide: bool = False,
    lists: Mapping[str, OrderedLists] | None = None,
) -> Savings | None:
    """For the measure of this number; None where there is one system, or people judged too few topics.

    chosen  baseline and candidate, of which alone something is said; the slope is that of all pairs
    width   wanted full width of the interval
    decide  whether to say how many topics decide the observed difference
    lists   of the systems, for the number of documents that people judge of a topic
    """
    systems, topics = len(values.systems), len(values.topics)
    if systems < 2 or topics < LEAST_TOPICS:
        return None
    rows = list(combinations(range(systems), 2))
    first, second = (np.array(side) for side in zip(*rows, strict=True))
    people, model, elsewhere = (
        of_judge[number][second] - of_judge[number][first]
        for of_judge in (values.people, values.model, values.elsewhere)
    )
    slope = common_slope(people, model)
    labelled = topics + elsewhere.shape[1]
    assumed = elsewhere.shape[1] < _LEAST_LABELLED
    judged = max(LEAST_TOPICS, round(ASSUMED * topics)) if assumed else topics
    lost = 1 / (systems - 1) if slope else 0.0
    everywhere = np.concatenate([model, elsewhere], axis=1)
    moments = [moments_of(*row, slope, lost) for row in zip(people, model, everywhere, strict=True)]
    if assumed:
        widths = [
            (each.width(judged, confidence), each.width(judged, confidence, labelled)) for each in moments
        ]
    else:
        widths = _actual_widths(people, model, elsewhere, slope, systems - 1, confidence)
    kept = range(len(rows)) if chosen is None else [_place(values.names, rows, chosen)]
    turned = chosen is not None and values.names[first[kept[0]]] != chosen[0]
    pairs = []
    for place in kept:
        a, b = (values.names[side] for side in rows[place])
        difference = float(people[place].mean())
        if turned:
            a, b, difference = b, a, -difference
        alone, both = widths[place]
        known = moments[place]
        pairs.append(
            PairSaving(
                a,
                b,
                difference,
                alone,
                both,
                1 - (both / alone) ** 2 if alone > 0 else math.nan,
                documents_of(lists or {}, (a, b), values.measures[number].cutoff),
                None if width is None else _for_width(known, width, confidence, labelled),
                _for_decision(known, difference, confidence, labelled) if decide else None,
            )
        )
    curve = _curve([moments[place] for place in kept], labelled, confidence)
    return Savings(
        values.measures[number], judged, labelled, assumed, slope, tuple(pairs), tuple(curve), confidence
    )


def documents_of(lists: Mapping[str, OrderedLists], pair: tuple[str, str], cutoff: int | None) -> float:
    """How many documents two systems have above the cutoff, the mean over topics; NaN without a cutoff or lists."""
    if cutoff is None or any(name not in lists for name in pair):
        return math.nan
    first, second = (lists[name] for name in pair)
    both = [{*first.documents(topic)[:cutoff], *second.documents(topic)[:cutoff]} for topic in first.topics]
    return float(np.mean([len(documents) for documents in both])) if both else math.nan


def _place(names: Sequence[str], rows: Sequence[tuple[int, int]], chosen: tuple[str, str]) -> int:
    first, second = sorted(names.index(name) for name in chosen)
    return rows.index((first, second))


def _actual_widths(
    people: Floats, model: Floats, elsewhere: Floats, slope: float, independent: int, confidence: float
) -> list[tuple[float, float]]:
    """The widths of the intervals that the comparison itself would show: with people alone, and with the model."""
    with_model = over_topics(people, model, elsewhere, slope=slope, independent=independent)
    widths = [
        (high - low).tolist()
        for low, high in (t_interval(people, confidence), with_model.interval(confidence))
    ]
    return list(zip(*widths, strict=True))


def _curve(moments: Sequence[Moments], labelled: int, confidence: float) -> list[tuple[int, float, float]]:
    """Median widths over pairs, for every number of topics that people could judge; all pairs at once."""
    people, model, together, everywhere = (
        np.array([getattr(each, name) for each in moments])
        for name in ("people", "model", "together", "everywhere")
    )
    slope, lost = moments[0].slope, moments[0].lost
    points = []
    for topics in sorted({round(step) for step in np.linspace(LEAST_TOPICS, labelled, 60)}):
        others = labelled - topics
        weight = slope * others / labelled
        residual = np.maximum(people - 2 * weight * together + weight**2 * model, 0)
        more = weight**2 * everywhere / others if others else 0.0
        errors = (np.sqrt(people / topics), np.sqrt(residual / topics + more))
        widths = [
            2
            * float(special().stdtrit(topics - 1 - used, 1 - (1 - confidence) / 2))
            * float(np.median(error))
            for used, error in zip((0.0, lost), errors, strict=True)
        ]
        points.append((int(topics), widths[0], widths[1]))
    return points


def _for_width(moments: Moments, width: float, confidence: float, labelled: int) -> Needed:
    return Needed(
        _fewest(lambda topics: moments.width(topics, confidence) <= width, MOST_TOPICS),
        _fewest(lambda topics: moments.width(topics, confidence, labelled) <= width, labelled),
        _fewest(lambda topics: moments.width(topics, confidence, math.inf) <= width, MOST_TOPICS),
    )


def _for_decision(moments: Moments, difference: float, confidence: float, labelled: int) -> Needed:
    """The topics that show a difference as large as this one with the wanted power."""
    if not difference:
        return Needed(None, None, None)

    def decides(error: Callable[[int], float]) -> Callable[[int], bool]:
        def enough(topics: int) -> bool:
            deviation = error(topics) * math.sqrt(topics)
            if not deviation:
                return True
            return bool(power(abs(difference) / deviation, topics, alpha=1 - confidence) >= POWER)

        return enough

    return Needed(
        _fewest(decides(moments.alone), MOST_TOPICS),
        _fewest(decides(lambda topics: moments.error(topics, labelled)), labelled),
        _fewest(decides(lambda topics: moments.error(topics, math.inf)), MOST_TOPICS),
    )


def _fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """The fewest topics that are enough, from the number that an interval needs; None where even the most are not.

    >>> _fewest(lambda topics: topics >= 17, 100), _fewest(lambda topics: topics >= 17, 10)
    (17, None)
    """
    low, high = LEAST_TOPICS, LEAST_TOPICS
    if most < low or not enough(most):
        return None
    while not enough(high):
        low, high = high + 1, min(2 * high, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low
