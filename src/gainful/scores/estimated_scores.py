"""Scores that are estimates: of a run whose judged documents were drawn with known probabilities."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from gainful.arrays import NDArray, np
from gainful.errors import UsageError
from gainful.estimates import Estimate, bounds_by_topic, estimate, has_estimator
from gainful.estimates.estimator_registry import KINDS, Kind
from gainful.estimates.gain_estimators import is_listed
from gainful.estimates.interval_rules import refusal_of_difference
from gainful.estimates.measure_shapes import shape_of
from gainful.formats.ids import some
from gainful.judging import JudgedRun
from gainful.judging.notes import TOP
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.presentation.text_style import counted, fixed, listed
from gainful.scores.score_set import RunScores
from gainful.statistics import special
from gainful.statistics.intervals import skewed_t_interval, t_interval

if TYPE_CHECKING:
    from gainful.formats import Judgments
    from gainful.formats.inclusion import Inclusion

CONFIDENCE = 0.95
AUTO = "auto"
"""Centred where the documents that were not drawn are known, Horvitz–Thompson otherwise."""
_LEAST_TOPICS = 2


@dataclass(frozen=True, eq=False)
class EstimatedRun(RunScores):
    """Topics × measures for one run, estimated from a sample of documents.

    Where a measure has no estimator its values are NaN, and the bounds say between which values they lie; so they do where
    it has one, but no interval (`gainful.estimates.interval_rules`).
    """

    estimates: tuple[Estimate | None, ...] = ()
    ends: tuple[tuple[NDArray[np.float64], NDArray[np.float64]] | None, ...] = ()
    """For each measure without an interval, the least and the greatest value of each topic."""

    def counts(self, number: int) -> NDArray[np.bool_]:
        """The topics that count for the measure of that number: not those in which nothing relevant was drawn."""
        counting = super().counts(number)
        return counting if self.estimates[number] is None else counting & ~np.isnan(self.values[number])

    def counted(self, number: int) -> NDArray[np.float64]:
        """The values of the measure of that number, for the topics that count."""
        values: NDArray[np.float64] = self.values[number][self.counts(number)]
        return values

    @property
    def left_out(self) -> list[str]:
        """The topics in which nothing relevant was drawn, by any measure."""
        lost = np.zeros(len(self.topics), bool)
        for number, of_measure in enumerate(self.estimates):
            if of_measure is not None:
                lost |= np.isnan(self.values[number])
        return [self.topics[topic] for topic in np.flatnonzero(lost)]

    @property
    def shallowest(self) -> int:
        """The least cutoff of the measures; 10 where none has one."""
        return min((measure.cutoff for measure in self.measures if measure.cutoff), default=TOP)

    @cached_property
    def never_drawn(self) -> float:
        """Share of the top of the lists that could not be drawn; 0 where documents that were not drawn are not listed."""
        if not self.judged.require_sample().inclusion.listed:
            return 0.0
        there = np.minimum(self.judged.retrieved, self.shallowest).sum()
        drawable = np.count_nonzero(self.judged.rank <= self.shallowest)
        return float(1 - drawable / there) if there else 0.0

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """What stands beside each mean: its 95 % confidence interval, or bounds where it has no estimate."""
        beside = {}
        for number, measure in enumerate(self.measures):
            ends = self.ends[number]
            if ends is not None:
                counts = super().counts(number)  # bounds are known of topics that have no estimate, too
                beside[str(measure)] = float(ends[0][counts].mean()), float(ends[1][counts].mean())
            elif measure.summary == "mean":
                beside[str(measure)] = self.over_topics(number)
        return {name: ends for name, ends in beside.items() if not math.isnan(ends[0])}

    def over_topics(self, number: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Confidence interval of a mean, for topics like these and documents drawn like these (`interval_of_mean`).

        The spread of the estimates between topics holds both: documents of each topic are drawn by themselves. NaN where the
        mean has bounds in place of an interval, of one topic, and where all topics have one value.
        """
        if self.ends[number] is not None:
            return math.nan, math.nan
        values = self.counted(number)
        if len(values) < _LEAST_TOPICS or np.ptp(values) == 0:
            return math.nan, math.nan
        of_measure = self.estimates[number]
        return interval_of_mean(values, confidence, labelled=of_measure is not None and of_measure.labelled)

    def of_these_topics(self, number: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Confidence interval of a mean over these topics alone: only the choice of documents is left to chance.

        NaN where the variance of an estimate is not known.
        """
        of_measure = self.estimates[number]
        if of_measure is None or self.ends[number] is not None:
            return math.nan, math.nan
        counts = self.counts(number)
        variance = of_measure.variance(self.judged.require_sample())[counts]
        topics = int(counts.sum())
        middle = float(self.counted(number).mean()) if topics else math.nan
        half = normal_quantile(confidence) * math.sqrt(float(variance.sum())) / topics if topics else math.nan
        return middle - half, middle + half

    @property
    def stated_design(self) -> str:
        """What the numbers are, for the line that closes a table."""
        bounded = [
            str(measure) for measure, ends in zip(self.measures, self.ends, strict=True) if ends is not None
        ]
        beside = "95 % confidence intervals for topics and documents"
        if len(bounded) == len(self.measures):
            beside = "bounds"
        elif bounded:
            beside += f"; of {listed(bounded)}, bounds"
        return f"{self.design_in_words} · in brackets: {beside}"

    @property
    def design_in_words(self) -> str:
        """From how many judgments, and under which design."""
        return in_words(self.judged.require_sample().inclusion, self.judged)

    def to_dict(self, *, per_topic: bool = True) -> dict[str, Any]:
        """The run's part of the JSON output, with intervals and bounds."""
        output = super().to_dict(per_topic=per_topic)
        named = list(enumerate(map(str, self.measures)))
        output["intervals"] = {
            name: {
                "topics_and_documents": list(self.over_topics(number)),
                "documents": list(self.of_these_topics(number)),
                "bias": of_measure.bias,
            }
            for number, name in named
            if (of_measure := self.estimates[number]) is not None and self.ends[number] is None
        }
        output["bounds"] = {name: list(self.intervals[name]) for number, name in named if self.ends[number]}
        return output


def interval_of_mean(
    values: NDArray[np.float64], confidence: float, *, labelled: bool
) -> tuple[float, float]:
    """Student's t for the mean of estimates; transformed for skewness where no labels are part of them.

    With labels, how skewed a sample is depends on few documents that were drawn with small probabilities; transformed for that,
    intervals are wider and hold the truth less often.
    """
    interval = t_interval if labelled else skewed_t_interval
    low, high = interval(values[None, :], confidence)
    return float(low[0]), float(high[0])


def normal_quantile(confidence: float) -> float:
    """How many standard errors a two-sided interval reaches to each side."""
    return float(special().ndtri(1 - (1 - confidence) / 2))


def estimated(run: RunScores, kind: Any, said: Collection[str] = ()) -> EstimatedRun:
    """The run with estimates in place of the values that its judged documents have by themselves.

    kind  how sums are estimated
    said  what was said of users, which cannot be estimated
    """
    if said:
        raise UsageError(
            f"--{next(iter(said))} is not possible together with a design; leave one of them out."
        )
    refuse_settings(run.settings, kind)
    if kind == AUTO:
        kind = "centred" if is_listed(run.judged.require_sample()) else "ht"
    if kind != "centred" and run.judged.require_sample().inclusion.labels is not None:
        raise UsageError(
            "labels by models go with --estimator centred, which needs the documents that could have been drawn and were "
            "not: list them in the judgments with grade −1, or give the study (--design)."
        )
    fields = {name: getattr(run, name) for name in RunScores.__dataclass_fields__}
    return EstimatedRun(**(fields | estimated_values(run.judged, run.measures, run.settings, kind)))


def estimated_values(
    judged: JudgedRun, measures: Sequence[Measure], settings: Settings, kind: Kind
) -> dict[str, Any]:
    """The fields of an `EstimatedRun`: values, where there was nothing to find, estimates and bounds."""
    sample = judged.require_sample()
    by_chance, complete = sample.inclusion.by_chance, sample.complete
    values = np.full((len(measures), len(judged)), np.nan)
    undefined = np.zeros((len(measures), len(judged)), bool)
    estimates: list[Estimate | None] = []
    ends: list[Any] = []
    for number, measure in enumerate(measures):
        if measure.diagnostic or measure.needs not in (None, "probabilities"):
            values[number], undefined[number] = measure.evaluate(judged)
            of_measure, bounds = Estimate(values[number], None, "none"), None
        elif by_chance and has_estimator(measure, judged.top):
            of_measure = estimate(measure, judged, kind)
            # a topic is left out where nothing relevant was drawn, and counts where there is nothing for certain
            _, nothing = measure.evaluate(judged)
            undefined[number] = (np.isnan(of_measure.values) | nothing) & complete
            values[number] = np.where(undefined[number], measure.undefined, of_measure.values)
            bounds = bounds_by_topic(measure, judged) if of_measure.refused else None
        else:
            of_measure, bounds = None, bounds_by_topic(measure, judged)
        estimates.append(of_measure)
        ends.append(bounds)
    if settings.undefined not in ("keep", "skip"):
        values[undefined] = float(settings.undefined)
    return {
        "values": values,
        "nothing_to_find": undefined,
        "tie_errors": None,
        "estimates": tuple(estimates),
        "ends": tuple(ends),
    }


def without_intervals(runs: Sequence[RunScores]) -> dict[Measure, str]:
    """The measures that have bounds in place of intervals and tests in some run, and why; "" where there is no estimator.

    Of several runs those are named that the reason is about, where it is not about all.
    """
    why: dict[Measure, str] = {}
    about: dict[Measure, list[str]] = {}
    for run in runs:
        if isinstance(run, EstimatedRun):
            for measure, ends, of_measure in zip(run.measures, run.ends, run.estimates, strict=True):
                if ends is not None:
                    about.setdefault(measure, []).append(run.name)
                    why.setdefault(measure, "" if of_measure is None else of_measure.refused)
    return {
        measure: f"{said} (so in {some(about[measure])})"
        if said and len(about[measure]) < len(runs)
        else said
        for measure, said in why.items()
    }


def without_tests(runs: Sequence[RunScores]) -> dict[Measure, str]:
    """The measures whose differences have no interval and no test, and why: those without intervals, and those of which too
    little was drawn that weighs in the difference of some pair.
    """
    found = without_intervals(runs)
    drawn = [
        run
        for run in runs
        if isinstance(run, EstimatedRun) and run.judged.require_sample().inclusion.by_chance
    ]
    for a, b in combinations(drawn, 2):
        for number, measure in enumerate(a.measures):
            if measure in found or a.estimates[number] is None:
                continue
            why = refusal_of_difference(
                a.judged, b.judged, shape_of(measure, a.judged.top), b.values[number] - a.values[number]
            )
            if why:
                found[measure] = why + (f" (so between {some([a.name, b.name])})" if len(drawn) > 2 else "")
    return found


def refuse_settings(settings: Settings, kind: str) -> None:
    """Raise where a setting has no meaning for estimates, or nobody knows this estimator."""
    if kind not in (AUTO, *KINDS):
        raise UsageError(f"estimator must be one of {', '.join((AUTO, *KINDS))}; got {kind!r}.")
    odd = {"ties": "expected", "unjudged": "condense", "pool": "retrieved"}
    for name, value in odd.items():
        if getattr(settings, name) == value:
            raise UsageError(
                f"--{name} {value} changes which documents count, and documents that were drawn by chance stand for others "
                "too; leave it out, or leave the design out."
            )


def in_words(inclusion: Inclusion, judged: JudgedRun) -> str:
    """From how many judgments, and under which design, numbers are estimated; or that they are not."""
    sample = judged.require_sample()
    drawn = sample.drawn if inclusion.by_chance else sample.grade[sample.rows] >= 0
    judgments = counted(int(drawn.sum()), "judgment")
    if not inclusion.by_chance:
        return f"{judgments} of documents that were chosen by other means than chance ({inclusion.source})"
    probability = inclusion.probability[sample.rows][drawn]
    if not len(probability):
        return f"estimated from {judgments} ({inclusion.source})"
    least, most = float(probability.min()), float(probability.max())
    drawn_with = fixed(least, 2) if least == most else f"{_shown(least)} to {_shown(most)}"
    return f"estimated from {judgments} drawn with probability {drawn_with} ({inclusion.source})"


def _shown(probability: float) -> str:
    return f"{probability:.2g}"


def design_to_dict(judgments: Judgments) -> dict[str, Any]:
    """The design's part of the JSON output."""
    inclusion = judgments.inclusion
    assert inclusion is not None
    drawn = judgments.index.grade >= 0
    drawn &= ~np.isnan(inclusion.probability) | (not inclusion.by_chance)
    known = inclusion.by_chance and bool(drawn.any())
    return {
        "source": inclusion.source,
        "drawn": int(drawn.sum()),
        "by_chance": inclusion.by_chance,
        "least_probability": float(inclusion.probability[drawn].min()) if known else None,
        "for_certain": int((inclusion.probability[drawn] == 1).sum()),
        "listed": inclusion.listed,
        "unanswered": inclusion.unanswered,
    }
