"""Comparisons of estimates: what they rest on, intervals for these topics alone, and bounds where nothing can be estimated.

The interval of a pair in a comparison comes from the spread of its differences between topics. As the documents of each
topic are drawn by themselves, it holds both sources of chance, topics and documents. For these topics alone, chance is in
the documents only: the variance of a difference is that of Σ (y_B − y_A) / π, y the influence of a document on the estimate.
Its interval is Student's t, with as many degrees of freedom as topics make the variance: (Σ v)² / Σ v², v the part of each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.model_intervals import notes_of_models, with_models
from gainful.comparisons.score_table import ScoreTable
from gainful.errors import DataError
from gainful.formats.ids import shown
from gainful.formats.runs import Run
from gainful.judging.notes import DECIDES, GOOD_TO_KNOW, Note
from gainful.measures import Measure
from gainful.presentation.text_style import counted, listed, percent, signed
from gainful.scores import Scores
from gainful.statistics import special

if TYPE_CHECKING:
    from gainful.comparisons.method import Method
    from gainful.comparisons.pair import Pair

_FEW = 3
"""Pairs whose interval for these topics is told in a note; the JSON output has all."""


@dataclass(frozen=True, slots=True)
class TheseTopics:
    """The difference of a pair over these topics alone, where only the choice of documents is left to chance."""

    measure: Measure
    a: str
    b: str
    difference: float
    interval: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "difference": self.difference,
            "interval": list(self.interval),
        }


def scored_table(scores: Scores, runs: Sequence[Run] = (), *, whole: bool = False) -> ScoreTable:
    """The scores as a table; of estimates, only the measures that have intervals, and bounds of the others in a note.

    whole  whether a measure without an interval leaves the question open, as it does for a gate; raises then
    """
    table = ScoreTable.of_scores(scores, runs)
    if design_of(table) is None:
        return table
    from gainful.scores.estimated_scores import without_intervals, without_tests

    refused = without_tests(scores.runs)
    without = list(refused)
    if not without:
        return table
    bounds = bounds_in_words(scores, runs, without) if runs else []
    estimated = [measure for measure in table.measures if measure not in without]
    if not estimated or whole:
        between = f"\nWhatever the grades of the other documents are: {'; '.join(bounds)}." if bounds else ""
        so = "there is no test and no interval" + (", and a gate cannot tell" if whole else "")
        raise DataError(f"{_why_nothing(scores, refused)}, so that {so}.{between}")
    said = without_intervals(scores.runs)  # which the scores have a note on
    notes = [
        Note(
            f"{measure}: no test and no interval of differences, as {why}",
            kind=f"no test {measure}",
            matters=DECIDES,
        )
        for measure, why in refused.items()
        if measure not in said
    ]
    notes += [Note(bound, kind=bound, matters=DECIDES) for bound in bounds]
    return replace(table.select(estimated), notes=(*table.notes, *notes))


def _why_nothing(scores: Scores, refused: Mapping[Measure, str]) -> str:
    inclusion = scores.runs[0].judged.require_sample().inclusion
    if not inclusion.by_chance:
        return f"{inclusion.source}: documents were chosen by other means than chance"
    unknown = [str(measure) for measure, why in refused.items() if not why]
    said = [f"{measure}: {why}" for measure, why in refused.items() if why]
    if unknown:
        said.insert(0, f"{listed(unknown)} cannot be estimated without bias from a sample of documents")
    return f"{inclusion.source}: {'; '.join(said)}"


def bounds_in_words(scores: Scores, runs: Sequence[Run], measures: Sequence[Measure]) -> list[str]:
    """Between which values the differences of the first pairs lie, measure by measure, in words."""
    from gainful.comparisons.unjudged.evidence import gather
    from gainful.comparisons.unjudged.value_bounds import bounds_of_difference, depth_of

    names = [run.name for run in scores.runs]
    deepest = max(map(depth_of, measures))
    evidence = gather(scores.judgments, runs, scores.settings, names=names, depth=deepest)
    topics = [evidence.place[topic] for topic in scores.runs[0].topics]
    pairs = [(0, second) for second in range(1, len(names))][:_FEW]
    sentences = []
    for measure in measures:
        for a, b in pairs:
            ends = bounds_of_difference(evidence, measure, a, b, topics)
            low, high = float(ends.low.mean()), float(ends.high.mean())
            sentences.append(
                f"{measure}, {shown(names[b])} − {shown(names[a])} lies between {signed(low)} and {signed(high)}"
            )
    return sentences


def design_of(table: ScoreTable) -> Mapping[str, Any] | None:
    """What is known of how documents were drawn; None where that is not so."""
    return None if table.qrels is None else table.qrels.get("design")


def with_design(sentence: str, table: ScoreTable) -> str:
    """A sentence about scores that says, where they are estimates, from how many judgments or models' labels.

    >>> table = ScoreTable.of_matrix([[0.1, 0.2], [0.3, 0.1]])
    >>> with_design("a is better.", replace(table, qrels={"design": {"drawn": 81, "source": "study"}}))
    'a is better, estimated from 81 judgments drawn with known probabilities.'
    """
    design = design_of(table)
    if design is None:
        return with_models(sentence, table)
    number = counted(int(design["drawn"]), "judgment")
    return f"{sentence.removesuffix('.')}, estimated from {number} drawn with known probabilities."


def notes_of_design(table: ScoreTable, pairs: Sequence[Pair], method: Method) -> list[str]:
    """What the numbers are estimated from, and the intervals of few pairs for these topics alone."""
    design = design_of(table)
    if design is None:
        return notes_of_models(table, pairs, method)
    least = design["least_probability"]
    how = f"with probabilities from {least:.2g} on" if least is not None and least < 1 else "for certain"
    sure = (
        f", {design['for_certain']:,} of them for certain" if design["for_certain"] > 0 and least < 1 else ""
    )
    said: list[str] = [
        Note(
            f"all values are estimates from {counted(int(design['drawn']), 'judgment')} drawn {how}{sure} "
            f"({design['source']}); intervals hold the choice of topics and of documents",
            kind="design",
            matters=DECIDES,
        )
    ]
    alone = these_topics(table, pairs[:_FEW], method) if len(pairs) <= _FEW else []
    for pair in alone:
        low, high = pair.interval
        said.append(
            Note(
                f"{pair.measure}, {shown(pair.b)} − {shown(pair.a)} for these topics alone: {signed(pair.difference)} "
                f"({percent(method.confidence)} CI {signed(low)} to {signed(high)}), from the choice of documents alone",
                kind=f"these topics {pair.measure} {pair.a} {pair.b}",
                matters=GOOD_TO_KNOW,
            )
        )
    return said


def these_topics(table: ScoreTable, pairs: Sequence[Pair], method: Method) -> list[TheseTopics]:
    """The pairs over these topics alone; those whose variance from documents is not known are left out."""
    if table.scores is None or design_of(table) is None:
        return []
    from gainful.scores.estimated_scores import EstimatedRun

    runs = {run.name: run for run in table.scores.runs if isinstance(run, EstimatedRun)}
    alone = []
    for pair in pairs:
        if pair.a not in runs or pair.b not in runs:
            continue
        parts = _variances(table, runs[pair.a], runs[pair.b], pair.measure)
        if np.isfinite(parts).all():
            half = reach_of_parts(parts, method.confidence)
            ends = pair.difference - half, pair.difference + half
            alone.append(TheseTopics(pair.measure, pair.a, pair.b, pair.difference, ends))
    return alone


def reach_of_parts(parts: NDArray[np.float64], confidence: float) -> float:
    """How far an interval reaches to each side of a mean, from what each topic adds to its variance.

    >>> round(reach_of_parts(np.full(4, 0.01), 0.95), 3)  # √0.04 · t with 4 degrees of freedom, 2.776
    0.555
    """
    freedom = parts.sum() ** 2 / (parts**2).sum() if parts.any() else 1.0
    return float(special().stdtrit(freedom, (1 + confidence) / 2)) * math.sqrt(parts.sum())


def _variances(table: ScoreTable, first: Any, second: Any, measure: Measure) -> NDArray[np.float64]:
    """What each topic adds to the variance of the difference of two means that comes from the choice of documents."""
    from gainful.estimates.estimator_registry import sample_variance

    number = next(place for place, each in enumerate(first.measures) if str(each) == str(measure))
    both = [run.estimates[number] for run in (first, second)]
    if any(each.influence is None or not each.exact for each in both):
        return np.array([np.nan])
    influences = [each.influence for each in both]
    by_topic = sample_variance(first.judged.require_sample(), influences[1] - influences[0])
    place = {topic: at for at, topic in enumerate(first.topics)}
    _, topics = table.of(measure)
    weights = table.weights_of(topics)
    shares = np.full(len(topics), 1 / len(topics)) if weights is None else weights / weights.sum()
    return np.asarray(shares**2 * by_topic[[place[topic] for topic in topics]])


def design_to_dict(table: ScoreTable, pairs: Sequence[Pair], method: Method) -> dict[str, Any]:
    """The design's part of a comparison's JSON output; nothing where there is no design."""
    if design_of(table) is None:
        return {}
    return {"these_topics": [pair.to_dict() for pair in these_topics(table, pairs, method)]}
