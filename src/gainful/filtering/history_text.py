"""A profile's history, as text, records and charts: utility against cutoff, calibration, and the threshold over time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from gainful.filtering.answer_text import set_anew
from gainful.filtering.expected_utility import ExpectedCurve
from gainful.filtering.reliability import Reliability, expected_at_cutoffs, reliability
from gainful.filtering.state.filter_results import History
from gainful.formats.ids import shown
from gainful.presentation.table import Table
from gainful.presentation.text_style import counted, fixed, percent, signed

_CUTOFFS, _RENEWALS = 12, 10


def history_tables(history: History, *, places: int = 4) -> str:
    """The best cutoffs of the list with the marks beside them, the calibration, and how the threshold went."""
    found = reliability(history.threshold)
    parts = [
        _cutoffs(history, places),
        *([] if found is None else [_bins(found)]),
        _renewals(history, places),
    ]
    return "\n\n".join(parts) + "\n"


def _cutoffs(history: History, places: int) -> str:
    threshold, curve = history.threshold, history.threshold.curve
    head = f"Utility against cutoff for {shown(history.profile)}: {threshold.n:,} judged of {len(history.scores):,} documents"
    if not len(curve):
        return f"{head}.\nNo document seen has a score above {threshold.floor:g} by the profile."
    marks = _marks(history)
    rows: dict[int, str] = dict.fromkeys(range(min(_CUTOFFS, len(curve))), "")
    for name, value in marks.items():
        at = int((curve.score >= value).sum()) - 1
        if at >= 0:  # none is at or above a mark that is beyond every score
            rows[at] = f"{rows[at]}, {name}" if rows.get(at) else name
    expected = expected_at_cutoffs(threshold)
    body = [
        [
            fixed(float(curve.score[at]), places),
            f"{curve.delivered[at]:,}",
            f"{curve.relevant[at]:,}",
            signed(float(curve.utility[at]), 2, whole=True),
            *([] if expected is None else _expected(expected, at)),
            rows[at],
        ]
        for at in sorted(rows)
    ]
    said = ", ".join(f"{name} {fixed(value, places)}" for name, value in marks.items())
    heads = ["cut at score", "delivers", "relevant", "utility", "last cutoff at or above"]
    note = ""
    if expected is not None:
        heads = ["cut at", "delivers", "relevant", "counted", "expected", "band", "last at or above"]
        note = (
            "\ncounted: utility with every document that is not judged taken as not relevant"
            "\nexpected: utility by the probability of relevance; band: two standard errors"
        )
    return f"{head}.\n{said}{note}\n{_in_force(history, places)}\n{Table(heads, body, names=0).text()}"


def _in_force(history: History, places: int) -> str:
    """The threshold that decides, where answers to other profiles would make another one of it."""
    went, answers = history.replay, history.threshold.seen.answers
    if not len(went.renewed) or answers.siblings is None or not answers.siblings.profiles:
        return ""
    return set_anew(float(went.thresholds[-1, 0]), int(went.renewed[-1]), history.threshold.theta, places)


def _expected(expected: ExpectedCurve, at: int) -> list[str]:
    value, low, high = (float(column[at]) for column in (expected.utility, expected.low, expected.high))
    return [signed(value, 1), f"{signed(low, 0)} to {signed(high, 0)}"]


def _bins(found: Reliability) -> str:
    """What was predicted, beside what the reader said."""
    head = f"Predicted and observed relevance, {counted(found.answers, 'answer')}"
    if not found.bins:
        shared = found.shared_relevant + found.shared_other
        others = f"{counted(shared, 'answer')} to other profiles and " if shared else ""
        alone = "" if shared else " alone"
        return f"{head}: the probabilities come from {others}the streams of other readers{alone}."
    body = [
        [
            f"{part.first:,.0f} to {part.last:,.0f}",
            f"{part.answers:,}",
            f"{part.relevant:,}",
            percent(part.predicted, 0),
            percent(part.share, 0),
            f"{percent(part.low, 0)} to {percent(part.high, 0)}",
        ]
        for part in found.bins
    ]
    heads = ["1 in N scores as high", "answers", "relevant", "predicted", "observed", "95 % interval"]
    return (
        f"{head}; worth delivering from {percent(found.needed, 0)}:\n\n{Table(heads, body, names=0).text()}"
    )


def _marks(history: History) -> dict[str, float]:
    threshold = history.threshold
    given = {"theta_opt": threshold.theta_opt, "theta": threshold.theta, "theta_zero": threshold.theta_zero}
    return {name: value for name, value in given.items() if value is not None and math.isfinite(value)}


def _renewals(history: History, places: int) -> str:
    went = history.replay
    body = [
        [
            f"{seen:,}",
            *(fixed(value, places) for value in row[:4]),
            f"{row[4]:.0f}",
        ]
        for seen, row in zip(went.renewed.tolist(), went.thresholds.tolist(), strict=True)
    ]
    if not body:
        return "The threshold has not been set yet."
    left = len(body) - _RENEWALS
    first = (
        f"The threshold over time, the last {_RENEWALS} of {len(body)} settings"
        if left > 0
        else "The threshold over time"
    )
    heads = ["documents seen", "theta", "theta_opt", "theta_zero", "alpha", "judged"]
    return f"{first}:\n\n{Table(heads, body[-_RENEWALS:], names=0).text()}"


def history_record(history: History) -> dict[str, Any]:
    """All points, values in full."""
    curve, went = history.threshold.curve, history.replay
    expected, found = expected_at_cutoffs(history.threshold), reliability(history.threshold)
    names = ("theta", "theta_opt", "theta_zero", "alpha", "judged")
    return {
        "profile": shown(history.profile),
        **_marks(history),
        "curve": {
            "score": curve.score.tolist(),
            "delivered": curve.delivered.tolist(),
            "relevant": curve.relevant.tolist(),
            "utility": curve.utility.tolist(),
            "expected": expected_record(expected),
        },
        "calibration": None if found is None else asdict(found),
        "over_time": [
            {
                "seen": seen,
                **{
                    name: None if math.isnan(value) else value for name, value in zip(names, row, strict=True)
                },
            }
            for seen, row in zip(went.renewed.tolist(), went.thresholds.tolist(), strict=True)
        ],
    }


def expected_record(expected: ExpectedCurve | None) -> dict[str, list[float]] | None:
    """Expected utility at each cutoff with its band; None where a rule expects nothing."""
    if expected is None:
        return None
    return {name: getattr(expected, name).tolist() for name in ("utility", "low", "high")}


def charts() -> tuple[Callable[[History], Any], ...]:
    """What draws utility against cutoff, the calibration, and the threshold over time."""
    return _utility, _reliability, _over_time


def _utility(history: History) -> Any:
    from gainful.filtering.threshold_charts import utility_curve

    return utility_curve(history.threshold, title=f"Utility against cutoff: profile {shown(history.profile)}")


def _reliability(history: History) -> Any:
    from gainful.filtering.threshold_charts import reliability_diagram

    title = f"Predicted and observed relevance: profile {shown(history.profile)}"
    return reliability_diagram(history.threshold, title=title)


def _over_time(history: History) -> Any:
    from gainful.filtering.threshold_charts import threshold_over_time

    title = f"Threshold over time: profile {shown(history.profile)}"
    other = set(history.documents[history.verdicts == 0].tolist())
    return threshold_over_time(history.replay, relevant=history.relevant, other=other, title=title)
