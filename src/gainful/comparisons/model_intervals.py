"""Comparisons by people's judgments of some topics and models' labels of all of them.

The difference of two systems is estimated as any mean is (`gainful.statistics.prediction_powered`), with one slope for all
pairs of a measure. Wins, losses and topics that moved are those of the topics that people judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.method import Index, Method, Tested
from gainful.comparisons.pair import Pair
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.judging.notes import GOOD_TO_KNOW, Note
from gainful.presentation.text_style import counted, listed, percent, signed
from gainful.scores.model_notes import about_skewness
from gainful.scores.model_scores import MOST_LEFT, ModelValues
from gainful.statistics import prediction_powered, special
from gainful.statistics.differences import differences
from gainful.statistics.paired_tests import PValues
from gainful.statistics.prediction_powered import LEAST_TOPICS, PoweredMeans

if TYPE_CHECKING:
    from gainful.comparisons.score_table import ScoreTable
    from gainful.measures import Measure

_FEW = 3
"""Pairs whose interval for these topics is told in a note."""
POWERED_TEST = "prediction-powered t test"


def models_of(table: ScoreTable) -> ModelValues | None:
    """The values by models' labels of the measures and systems of a table; None where there are none."""
    if table.scores is None:
        return None
    models: ModelValues | None = getattr(table.scores.runs[0], "models", None)
    if models is None:
        return None
    if table.topics != models.topics[: models.people]:
        raise UsageError(
            "labels by models are for all topics of a comparison; leave --groups, or the restriction of topics, out."
        )
    measures = list(map(str, table.scores.measures))
    systems = [run.name for run in table.scores.runs]
    return models.select(
        [measures.index(str(measure)) for measure in table.measures],
        [systems.index(name) for name in table.names],
    )


def check_method(table: ScoreTable, method: Method) -> Method:
    """The method as it is with models' labels: a t test; refused where something else was asked for."""
    if table.weights is not None:
        raise UsageError("weights of topics do not go together with labels by models; leave one of them out.")
    if method.shared:
        raise UsageError(
            f"correction {method.correction} makes its own randomisation, which labels by models do not allow; use holm."
        )
    if method.test not in ("signflip", "t") or method.interval != "t":
        raise UsageError(
            "with labels by models, intervals and p-values come from Student's t; leave --test and --interval out."
        )
    return replace(method, test="t")


def powered_differences(
    table: ScoreTable, measure: Measure, first: Index, second: Index, *, these: bool = False
) -> PoweredMeans:
    """The difference of each pair, B − A, for topics like these, or for these topics alone; one slope for all pairs."""
    models = models_of(table)
    assert models is not None
    _refuse_chosen(table, models, measure)
    rows, _ = table.of(measure)
    there, others = _as_one(models, table.place_of(measure), rows)
    every = np.triu_indices(len(rows), 1)
    slope = prediction_powered.common_slope(*(differences(values, *every) for values in (rows, there)))
    pairs = [differences(values, first, second) for values in (rows, there, others)]
    estimate = prediction_powered.of_these_topics if these else prediction_powered.over_topics
    return estimate(*pairs, slope=slope, independent=len(rows) - 1)


def powered_pair(table: ScoreTable, measure: Measure) -> PoweredMeans:
    """The difference of the second system of a table from the first."""
    return powered_differences(table, measure, np.array([0]), np.array([1]))


def _refuse_chosen(table: ScoreTable, models: ModelValues, measure: Measure) -> None:
    """Raise, with bounds, where people judged what they chose within their topics."""
    left = models.left[table.place_of(measure)]
    if left <= MOST_LEFT:
        return
    from gainful.comparisons.design_intervals import bounds_in_words

    assert table.scores is not None
    runs = [table.runs[name] for name in table.names if name in table.runs]
    bounds = bounds_in_words(table.scores, runs, [measure]) if len(runs) == len(table.names) else []
    between = f"\nWhatever the grades of the other documents are: {'; '.join(bounds)}." if bounds else ""
    raise DataError(
        f"{measure}: in their topics people left {percent(left, 0)} of the labelled documents above its cutoff unjudged. What "
        f"they chose to judge is no random sample, so that there is no test and no interval.{between}\n"
        "Judge these documents too, or draw documents by chance (gainful pool --strategy sample:change:10%)."
    )


def tested(table: ScoreTable, measure: Measure, first: Index, second: Index) -> tuple[Tested, PoweredMeans]:
    """The p-value of each pair; 1 where there are too few topics to find any."""
    means = powered_differences(table, measure, first, second)
    same = ~differences(table.of(measure)[0], first, second).any(axis=1)
    resolved = ~np.isnan(means.error) | same
    p = np.where(np.isnan(means.error), 1.0, means.p_values())
    ways = np.full(len(p), "formula", dtype=object)
    return Tested(PValues(p, ways, None), np.where(resolved, 0.0, 1.0)), means


def powered_pairs(
    pairs: Sequence[Pair], table: ScoreTable, measure: Measure, means: PoweredMeans, method: Method
) -> list[Pair]:
    """The pairs of one measure with estimates and intervals that rest on models' labels too."""
    levels = powered_means(table, measure, means.slope)
    low, high = means.interval(method.confidence)
    reach = special().stdtrit(means.freedom, 1 - method.alpha / 2) + special().stdtrit(
        means.freedom, method.power
    )
    spread = table.of(measure)[0].shape[1] ** 0.5 * means.error
    return [
        replace(
            pair,
            mean_a=levels[table.names.index(pair.a)],
            mean_b=levels[table.names.index(pair.b)],
            difference=float(means.estimate[number]),
            interval=(float(low[number]), float(high[number])),
            effect_size=float(means.estimate[number] / spread[number]) if spread[number] > 0 else np.nan,
            minimum_detectable=float(reach[number] * means.error[number]),
            topics_needed=np.nan,
        )
        for number, pair in enumerate(pairs)
    ]


def powered_means(table: ScoreTable, measure: Measure, slope: float) -> list[float]:
    """The mean of each system, by the slope of the differences, so that these are differences of the means."""
    models = models_of(table)
    assert models is not None
    rows, _ = table.of(measure)
    there, others = _as_one(models, table.place_of(measure), rows)
    means: list[float] = prediction_powered.over_topics(rows, there, others, slope=slope).estimate.tolist()
    return means


def with_models(sentence: str, table: ScoreTable) -> str:
    """A sentence about scores that says, where models' labels are part of them, whose they are."""
    models = models_of(table)
    if models is None or not models.others:
        return sentence
    return f"{sentence.removesuffix('.')}; {models.in_words}."


def notes_of_models(table: ScoreTable, pairs: Sequence[Pair], method: Method) -> list[str]:
    """What the labels are worth for few pairs: the width against people alone, and the interval for these topics."""
    models = models_of(table)
    if models is None or not models.others or len(pairs) > _FEW:
        return []
    said: list[str] = []
    for pair in pairs:
        ends = np.array([table.names.index(pair.a)]), np.array([table.names.index(pair.b)])
        alone = _people_alone(table, pair.measure, *ends, method)
        width = pair.interval[1] - pair.interval[0]
        these = powered_differences(table, pair.measure, *ends, these=True)
        low, high = (float(end[0]) for end in these.interval(method.confidence))
        if np.isnan(width) or np.isnan(low) or not alone:
            continue
        name = f"{pair.measure}, {shown(pair.b)} − {shown(pair.a)}"
        share = 1 - (width / alone) ** 2
        worth = (
            f"as narrow as with {percent(share / (1 - share), 0)} more topics judged by people"
            if share > 0
            else "no narrower than with people's judgments alone"
        )
        said.append(
            Note(
                f"{name}: with the labels of {listed(list(models.names))} the interval is {percent(width / alone, 0)} as wide as "
                f"by people alone, {worth}; for these {counted(len(models.topics), 'topic')} alone it is {signed(low)} to "
                f"{signed(high)}",
                kind=f"worth {name}",
                matters=GOOD_TO_KNOW,
            )
        )
    return said


def notes_of_skewness(means: Mapping[Measure, PoweredMeans]) -> list[str]:
    """For each measure, how many pairs have intervals that reach further than Student's."""
    numbers = {measure: int(of_pairs.stretched.sum()) for measure, of_pairs in means.items()}
    return [
        about_skewness(f"{measure}, {number} of {counted(len(means[measure].estimate), 'pair')}")
        for measure, number in numbers.items()
        if number
    ]


def _people_alone(table: ScoreTable, measure: Measure, first: Index, second: Index, method: Method) -> float:
    """The width of the interval from people's topics alone."""
    from gainful.statistics.intervals import t_interval

    rows, _ = table.of(measure)
    low, high = t_interval(rows[second] - rows[first], method.confidence)
    return float(high[0] - low[0])


def limit_of(table: ScoreTable) -> str:
    """Why nothing can be said of a pair."""
    models = models_of(table)
    assert models is not None
    if models.people < LEAST_TOPICS:
        return f"people judged {counted(models.people, 'topic')}, and at least {LEAST_TOPICS} are needed"
    return "one or few of the topics that people judged make nearly all of the difference; more of them are needed"


def rows_for_ranks(table: ScoreTable, measure: Measure) -> NDArray[np.float64]:
    """Systems × topics whose plain means are the estimates, to be drawn again for intervals of ranks.

    Around the estimate stand (n + m) / n · (r − r̄) of the n topics of people, r = y − λ·f, and (n + m) / m · λ · (f − f̄) of the
    m others: drawn again together they vary as the estimate does.
    """
    models = models_of(table)
    rows, _ = table.of(measure)
    if models is None or not models.others:
        return rows
    first, second = np.triu_indices(len(rows), 1)
    slope = powered_differences(table, measure, first, second).slope
    there, others = _as_one(models, table.place_of(measure), rows)
    n, m = models.people, models.others
    weight = slope * m / (n + m)
    residual, predicted = rows - weight * there, weight * others
    means = [each.mean(axis=1, keepdims=True) for each in (residual, predicted)]
    apart = (n + m) / n * (residual - means[0]), (n + m) / m * (predicted - means[1])
    return np.asarray(means[0] + means[1] + np.concatenate(apart, axis=1))


def _as_one(models: ModelValues, number: int, rows: Any) -> tuple[Any, Any]:
    """Systems × topics by all models together, for people's topics and for the others; what is the same for all systems
    plays no part, as their differences are what is estimated.
    """
    model, elsewhere = models.parts(number)
    if len(models.names) == 1:
        return model[0], elsewhere[0]
    return prediction_powered.combined(
        rows - rows.mean(axis=0),
        model - model.mean(axis=1, keepdims=True),
        elsewhere - elsewhere.mean(axis=1, keepdims=True),
    )
