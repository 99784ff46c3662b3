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


def history_tables(found: History, *, places: int = 4) -> str:
    """The best cutoffs of the list with the marks beside them, and how the threshold went."""
    return f"{_cutoffs(found, places)}\n\n{_renewals(found, places)}\n"


def _cutoffs(found: History, places: int) -> str:
    threshold, curve = found.threshold, found.threshold.curve
    head = f"Utility against cutoff for {shown(found.profile)}: {threshold.n:,} judged of {len(found.scores):,} documents"
    if not len(curve):
        return f"{head}.\nNo document seen has a term in common with the profile."
    marks = _marks(found)
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


def _marks(found: History) -> dict[str, float]:
    one = found.threshold
    given = {"theta_opt": one.theta_opt, "theta": one.theta, "theta_zero": one.theta_zero}
    return {name: value for name, value in given.items() if value is not None and math.isfinite(value)}


def _renewals(found: History, places: int) -> str:
    went = found.replay
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


def history_record(found: History) -> dict[str, Any]:
    """All points, values in full."""
    curve, went = found.threshold.curve, found.replay
    names = ("theta", "theta_opt", "theta_zero", "alpha", "judged")
    return {
        "profile": shown(found.profile),
        **_marks(found),
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


def _utility(found: History) -> Any:
    from gainful.filtering.threshold_charts import utility_curve

    return utility_curve(found.threshold, title=f"Utility against cutoff: profile {shown(found.profile)}")


def _over_time(found: History) -> Any:
    from gainful.filtering.threshold_charts import threshold_over_time

    title = f"Threshold over time: profile {shown(found.profile)}"
    other = set(found.documents[found.verdicts == 0].tolist())
    return threshold_over_time(found.replay, relevant=found.relevant, other=other, title=title)


def previewed(found: Preview, *, most: int, places: int = 4) -> str:
    """What would have come, and what would have been missed."""
    come = len(found.would_come)
    head = (
        f"A threshold of {found.threshold:g} for {shown(found.profile)}, by the profile as it is now, on the "
        f"{found.history:,} documents of the history:\n"
        f"{come:,} would have come, {found.gained:,} of them never delivered; judged relevant {found.relevant:,}, "
        f"not relevant {found.other:,}, not judged {found.unjudged:,}.\n"
        f"Missed: {len(found.lost):,} of those that were delivered; {found.missed:,} of those judged relevant.\n"
        f"Utility {signed(found.utility, 2, whole=True)}, not judged counted as not relevant."
    )
    parts = [head, _some("Would have come", found.would_come, most, places)]
    if found.lost:
        parts.append(_some("Would have been missed", found.lost, most, places))
    return "\n\n".join(part for part in parts if part) + "\n"


def _some(heading: str, rows: tuple[Previewed, ...], most: int, places: int) -> str:
    if not rows:
        return ""
    body = [
        [
            shown(one.document),
            line(one.title, 48),
            "yes" if one.delivered else "no",
            one.verdict or UNDEFINED,
            fixed(one.score, places),
        ]
        for one in rows[:most]
    ]
    more = f"\n{len(rows) - most:,} more; --most {len(rows)} shows all." if len(rows) > most else ""
    return f"{heading}:\n\n{Table(['document', 'title', 'delivered', 'said', 'score'], body, names=4).text()}{more}"


def preview_record(found: Preview) -> dict[str, Any]:
    """All of it, values in full."""
    made = asdict(found)
    made["profile"] = shown(found.profile)
    for key in ("would_come", "lost"):
        made[key] = [
            {
                "id": shown(one.document),
                "title": one.title,
                "score": one.score,
                "position": one.position,
                "verdict": one.verdict,
                "delivered": one.delivered,
            }
            for one in getattr(found, key)
        ]
    return made
