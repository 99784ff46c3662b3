"""Utility against cutoff, the threshold over time, and what another threshold would have delivered: text, records, charts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from gainful.filtering.output.safe_text import line
from gainful.filtering.state.filter_results import History, Preview, Previewed
from gainful.formats.ids import shown
from gainful.presentation.numbers import UNDEFINED, fixed, signed
from gainful.presentation.table import Table

_CUTOFFS, _RENEWALS = 12, 10


def history_tables(history: History, *, places: int = 4) -> str:
    """The best cutoffs of the list with the marks beside them, and how the threshold went."""
    return f"{_cutoffs(history, places)}\n\n{_renewals(history, places)}\n"


def _cutoffs(history: History, places: int) -> str:
    threshold, curve = history.threshold, history.threshold.curve
    head = f"Utility against cutoff for {shown(history.profile)}: {threshold.n:,} judged of {len(history.scores):,} documents"
    if not len(curve):
        return f"{head}.\nNo document seen has a term in common with the profile."
    marks = _marks(history)
    rows: dict[int, str] = dict.fromkeys(range(min(_CUTOFFS, len(curve))), "")
    for name, value in marks.items():
        at = int((curve.score >= value).sum()) - 1
        if at >= 0:  # none is at or above a mark that is beyond every score
            rows[at] = f"{rows[at]}, {name}" if rows.get(at) else name
    body = [
        [
            fixed(float(curve.score[at]), places),
            f"{curve.delivered[at]:,}",
            f"{curve.relevant[at]:,}",
            signed(float(curve.utility[at]), 2, whole=True),
            rows[at],
        ]
        for at in sorted(rows)
    ]
    said = ", ".join(f"{name} {fixed(value, places)}" for name, value in marks.items())
    grid = Table(
        ["cut at score", "delivers", "relevant", "utility", "last cutoff at or above"], body, names=0
    )
    return f"{head}.\n{said}\n\n{grid.text()}"


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
    names = ("theta", "theta_opt", "theta_zero", "alpha", "judged")
    return {
        "profile": shown(history.profile),
        **_marks(history),
        "curve": {
            "score": curve.score.tolist(),
            "delivered": curve.delivered.tolist(),
            "relevant": curve.relevant.tolist(),
            "utility": curve.utility.tolist(),
        },
        "over_time": [
            {
                "seen": seen,
                **{name: None if math.isnan(one) else one for name, one in zip(names, row, strict=True)},
            }
            for seen, row in zip(went.renewed.tolist(), went.thresholds.tolist(), strict=True)
        ],
    }


def charts() -> tuple[Callable[[History], Any], Callable[[History], Any]]:
    """What draws utility against cutoff, and what draws the threshold over time."""
    return _utility, _over_time


def _utility(history: History) -> Any:
    from gainful.filtering.threshold_charts import utility_curve

    return utility_curve(history.threshold, title=f"Utility against cutoff: profile {shown(history.profile)}")


def _over_time(history: History) -> Any:
    from gainful.filtering.threshold_charts import threshold_over_time

    title = f"Threshold over time: profile {shown(history.profile)}"
    other = set(history.documents[history.verdicts == 0].tolist())
    return threshold_over_time(history.replay, relevant=history.relevant, other=other, title=title)


def previewed(preview: Preview, *, most: int, places: int = 4) -> str:
    """What would have come, and what would have been missed."""
    come = len(preview.would_come)
    head = (
        f"A threshold of {preview.threshold:g} for {shown(preview.profile)}, by the profile as it is now, on the "
        f"{preview.history:,} documents of the history:\n"
        f"{come:,} would have come, {preview.gained:,} of them never delivered; judged relevant {preview.relevant:,}, "
        f"not relevant {preview.other:,}, not judged {preview.unjudged:,}.\n"
        f"Missed: {len(preview.lost):,} of those that were delivered; {preview.missed:,} of those judged relevant.\n"
        f"Utility {signed(preview.utility, 2, whole=True)}, not judged counted as not relevant."
    )
    parts = [head, _some("Would have come", preview.would_come, most, places)]
    if preview.lost:
        parts.append(_some("Would have been missed", preview.lost, most, places))
    return "\n\n".join(part for part in parts if part) + "\n"


def _some(heading: str, rows: tuple[Previewed, ...], most: int, places: int) -> str:
    if not rows:
        return ""
    body = [
        [
            shown(document.document),
            line(document.title, 48),
            "yes" if document.delivered else "no",
            document.verdict or UNDEFINED,
            fixed(document.score, places),
        ]
        for document in rows[:most]
    ]
    more = f"\n{len(rows) - most:,} more; --most {len(rows)} shows all." if len(rows) > most else ""
    return f"{heading}:\n\n{Table(['document', 'title', 'delivered', 'said', 'score'], body, names=4).text()}{more}"


def preview_record(preview: Preview) -> dict[str, Any]:
    """All of it, values in full."""
    made = asdict(preview)
    made["profile"] = shown(preview.profile)
    for key in ("would_come", "lost"):
        made[key] = [
            {
                "id": shown(document.document),
                "title": document.title,
                "score": document.score,
                "position": document.position,
                "verdict": document.verdict,
                "delivered": document.delivered,
            }
            for document in getattr(preview, key)
        ]
    return made
