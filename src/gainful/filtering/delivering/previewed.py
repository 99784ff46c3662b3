"""What another threshold would have done, as text and as a record."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from gainful.filtering.delivering.writing import line
from gainful.filtering.state.results import Preview, Previewed
from gainful.formats.grid import Grid
from gainful.formats.ids import shown


def previewed(found: Preview, *, most: int, places: int = 4) -> str:
    """What would have come, and what would have been missed."""
    come = len(found.would_come)
    head = (
        f"A threshold of {found.threshold:g} for {shown(found.profile)}, by the profile as it is now, on the "
        f"{found.history:,} documents of the history:\n"
        f"{come:,} would have come, {found.gained:,} of them never delivered; judged relevant {found.relevant:,}, "
        f"not relevant {found.other:,}, not judged {found.unjudged:,}.\n"
        f"Missed: {len(found.lost):,} of those that were delivered; {found.missed:,} of those judged relevant.\n"
        f"Utility {found.utility:+g}, not judged counted as not relevant."
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
            one.verdict or "–",
            f"{one.score:.{places}f}",
        ]
        for one in rows[:most]
    ]
    more = f"\n{len(rows) - most:,} more; --most {len(rows)} shows all." if len(rows) > most else ""
    return f"{heading}:\n\n{Grid(['document', 'title', 'delivered', 'said', 'score'], body, names=4).text()}{more}"


def record(found: Preview) -> dict[str, Any]:
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
