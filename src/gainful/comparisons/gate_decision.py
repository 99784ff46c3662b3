"""gate: may the candidate replace the baseline? Non-inferiority with a stated margin.

For each measure, with differences candidate − baseline (turned round where less is better) and a margin that one is
ready to lose:

    pass         the lower bound of the true difference lies above −margin
    fail         the upper bound lies below −margin
    cannot tell  neither: the topics are too few to say, which counts as a failure unless that is allowed

Both bounds are one-sided at confidence 1 − alpha and come from the sign-flip test, so that passing is the same as
rejecting "the candidate loses the margin or more" with p ≤ alpha. "No significant difference" would be another
question: with few topics nothing is significant, and everything would pass.
All measures must pass, which needs no correction: a candidate that should fail would have to pass on every one by chance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from gainful.comparisons.compare_call import MeasuresGiven, load, measures_of
from gainful.comparisons.comparison import compare_scores, refuse_other_summaries
from gainful.comparisons.design_intervals import design_of
from gainful.comparisons.gate_verdict import FAIL, PASS, UNSURE, Check, Gate
from gainful.comparisons.method import MATTERS, RESOLUTION, Method, check_limits
from gainful.comparisons.model_intervals import models_of, powered_means, powered_pair
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.topic_changes import TopicMoved, credited, moved_between, titled
from gainful.errors import MeasureError, NothingInCommon, UsageError
from gainful.formats.ids import shown
from gainful.formats.types import Progress
from gainful.judging.settings import check_keywords
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.scores import Evaluating
from gainful.scores.model_notes import about_skewness
from gainful.statistics.differences import deviation, differences, topics_needed
from gainful.statistics.flips import DEFAULT, Flips, OneSided
from gainful.statistics.prediction_powered import PoweredMean, PoweredMeans
from gainful.statistics.resampling import SEED
from gainful.summaries import mean

_LARGEST_MARGIN = 1e100

Margin = float | Mapping[str | Measure, float]
"""What may be lost: the same on every measure, or by the measure's name."""


def gate(
    qrels: Any,
    baseline: Any,
    candidate: Any,
    measures: MeasuresGiven,
    *,
    margin: Margin,
    alpha: float = 0.05,
    power: float = 0.8,
    allow_inconclusive: bool = False,
    flips: int = DEFAULT,
    seed: int = SEED,
    worst: int = 5,
    matters: float = MATTERS,
    progress: Progress | None = None,
    **evaluating: Unpack[Evaluating],
) -> Gate:
    """Test whether a candidate is not worse than the baseline by more than a margin (non-inferiority test).

    qrels are judgments; baseline and candidate are each a run or a saved result (`evaluate -q -f json`)

    margin              Acceptable loss, in units of the measure; a number, or one for each measure by name.
    alpha               Significance level: the probability of passing a candidate that loses the margin.
    power               Probability of passing an equal candidate, for the number of topics needed.
    allow_inconclusive  Pass if there are too few topics to decide.
    flips               Number of sign flips.
    seed                Random seed.
    worst               Number of topics to list, of those that lost most.
    matters             Smallest difference on other measures that the verdict mentions; such as 0.02.

    Further keywords are those of `evaluate`: topics, queries, documents, known, expected, threads, and the fields of
    `gainful.Settings`.

    >>> qrels = {f"q{n}": {"d": 1} for n in range(6)}
    >>> run = {topic: {"d": 2.0, "x": 1.0} for topic in qrels}
    >>> gate(qrels, run, run, "RR", margin=0.01).verdict
    'pass'
    """
    check_keywords(gate, evaluating, Evaluating)
    table = load(qrels, [baseline, candidate], measures, progress=progress, whole=True, **evaluating).table
    return gate_scores(
        table,
        margin=margin,
        alpha=alpha,
        power=power,
        allow_inconclusive=allow_inconclusive,
        flips=flips,
        seed=seed,
        worst=worst,
        matters=matters,
    )


def gate_scores(
    table: ScoreTable,
    *,
    margin: Margin,
    alpha: float = 0.05,
    power: float = 0.8,
    allow_inconclusive: bool = False,
    flips: int = DEFAULT,
    seed: int = SEED,
    worst: int = 5,
    matters: float = MATTERS,
) -> Gate:
    """Gate on existing scores: the first system is the baseline, the second the candidate."""
    if len(table.systems) != 2:
        raise UsageError(
            f"a gate is between two systems, a baseline and a candidate; got {len(table.systems)}."
        )
    given = {"alpha": alpha, "power": power, "flips": flips, "seed": seed, "matters": matters}
    for name, value in given.items():
        check_limits(name, value)
    if not alpha < 0.5:
        raise UsageError(f"alpha must be less than 0.5; got {alpha:g}.")
    if not alpha < power:
        raise UsageError(f"power must be more than alpha; got {power:g} and {alpha:g}.")
    refuse_other_summaries(table.measures)
    margins = _margins(margin, table.measures, None if table.settings is None else table.settings.rel)
    checks, notes = [], [*table.notes]
    for measure in table.measures:
        _, topics = table.of(measure)
        if len(topics) < 2:
            raise NothingInCommon(
                f"{measure}: a gate cannot decide on one topic ('{shown(topics[0])}'); give more."
            )
        powered = None if models_of(table) is None else powered_pair(table, measure)
        check = _check(table, measure, margins[measure], alpha, power, flips, seed, powered)
        checks.append(replace(check, regressed=_regressed(table, measure, worst)))
        if powered is not None and powered.stretched.any():
            notes.append(about_skewness(str(measure)))
        if powered is not None and np.isnan(powered.error[0]) and check.ties < check.topics:
            notes.append(
                f"{measure}: the labels give no interval, so that people's {counted(len(topics), 'topic')} alone decide "
                "(sign-flip test)"
            )
    if _same_run(table):
        notes.append("baseline and candidate are the same run (their digests are equal)")
    baseline, candidate = table.names
    method = Method(alpha=alpha, power=power, seed=seed, matters=matters)
    return Gate(
        baseline,
        candidate,
        tuple(checks),
        alpha,
        power,
        flips,
        seed,
        allow_inconclusive,
        table,
        tuple(notes),
        compare_scores(table, method).verdict,
    )


def _check(
    table: ScoreTable,
    measure: Measure,
    margin: float,
    alpha: float,
    power: float,
    flips: int,
    seed: int,
    powered: PoweredMeans | None = None,
) -> Check:
    rows, topics = table.of(measure)
    gains = differences(rows, np.array([0]), np.array([1]))
    if measure.less_is_better:
        gains = -gains  # as gains, whichever way the measure points
    patterns = Flips(len(topics), flips, seed)
    if powered is not None and np.isnan(powered.error[0]):
        powered = None  # labels give no interval: people's judgments alone decide
    if powered is None and not patterns.exact and patterns.smallest > alpha:
        raise UsageError(
            f"{flips:,} flips give no p-value under {patterns.smallest:.2g} and cannot decide at alpha {alpha:g}; "
            f"ask for {math.ceil(RESOLUTION / alpha):,} or more."
        )
    means = [mean(row) for row in rows]
    difference = means[1] - means[0]
    test: OneSided | PoweredMean = OneSided.of(gains[0], patterns)
    if powered is not None:  # labels by models are part of the means
        means = [*powered_means(table, measure, powered.slope)]
        difference = float(powered.estimate[0])
        (gained,) = powered.each()
        test = gained.mirrored if measure.less_is_better else gained
    ends = test.lower(alpha), test.upper(alpha)
    lower, upper = (-ends[1], -ends[0]) if measure.less_is_better else ends
    if np.ptp(gains) == 0:  # both bounds are the difference itself, which rounding would set beside them
        lower, upper = (difference if math.isfinite(end) else end for end in (lower, upper))
    p_value = test.p_above(-margin)
    saved_estimates = design_of(table) is not None and table.scores is None
    if saved_estimates and np.ptp(gains) == 0 and not _same_run(table):
        verdict, lower, upper = UNSURE, -math.inf, math.inf  # too little was drawn, or it may have been
    elif p_value <= alpha:
        verdict = PASS
    elif test.p_below(-margin) <= alpha:
        verdict = FAIL
    else:
        verdict = UNSURE
    spread = float(deviation(gains)[0])
    effect = np.array([margin / spread if spread > 0 else math.inf])
    needed = topics_needed(effect, alpha=alpha, target=power, sides=1)[0]
    return Check(
        measure=measure,
        margin=margin,
        verdict=verdict,
        mean_baseline=means[0],
        mean_candidate=means[1],
        difference=difference,
        lower=lower,
        upper=upper,
        p_value=p_value,
        topics=len(topics),
        # Fewer topics cannot give so small a p-value, whatever the scores.
        topics_needed=max(float(needed), math.ceil(-math.log2(alpha))) if margin > 0 else math.inf,
        wins=int((gains > 0).sum()),
        ties=int((gains == 0).sum()),
        losses=int((gains < 0).sum()),
    )


def _same_run(table: ScoreTable) -> bool:
    digests = {system.digest for system in table.systems}
    return len(digests) == 1 and None not in digests


def _regressed(table: ScoreTable, measure: Measure, number: int) -> tuple[TopicMoved, ...]:
    """The topics on which the candidate loses most, with the documents that cost it where these are known."""
    baseline, candidate = table.names
    pair = moved_between(table, measure, baseline, candidate, number)
    if table.scores is not None:
        with suppress(MeasureError):  # it may not be a sum over documents
            (pair,) = titled(credited([pair], table.scores), table)
    return pair.lost


def _margins(margin: Margin, measures: Sequence[Measure], rel: float | None) -> dict[Measure, float]:
    """The margin of each measure; `rel` is that of measures that leave it open."""
    if isinstance(margin, Mapping):
        named: dict[str, float] = {}
        for name, value in margin.items():
            asked = name if str(name) in map(str, measures) else measures_of(name, rel)[0]
            named[str(asked)] = value
        if lacking := [str(measure) for measure in measures if str(measure) not in named]:
            raise UsageError(
                f"no margin is given for {', '.join(lacking)}; set the acceptable loss, "
                f"for example --margin {lacking[0]}=0.01 (margin={{'{lacking[0]}': 0.01}} in Python)."
            )
        if unknown := named.keys() - set(map(str, measures)):
            raise UsageError(
                f"a margin is given for {', '.join(sorted(unknown))}, which is not measured; "
                f"there are {', '.join(map(str, measures))}."
            )
        margins = {measure: named[str(measure)] for measure in measures}
    else:
        margins = dict.fromkeys(measures, margin)
    for measure, value in margins.items():
        if not 0 <= value <= _LARGEST_MARGIN:
            raise UsageError(
                f"the margin of {measure} must lie between 0 and {_LARGEST_MARGIN:g}, in units of the measure; got {value}."
            )
    return {measure: float(value) for measure, value in margins.items()}
