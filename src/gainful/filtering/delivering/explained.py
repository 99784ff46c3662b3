"""Why a document came, or did not, as text and as a record."""

from __future__ import annotations

from typing import Any

from gainful.filtering.delivering.profiled import theta_parts, theta_record
from gainful.filtering.delivering.writing import line
from gainful.filtering.state.results import Explanation
from gainful.formats.grid import Grid
from gainful.formats.ids import shown

_TERMS = 15


def explained(found: Explanation, *, places: int = 4) -> str:
    """The reason, the terms that add up to the score, the threshold with its parts, and what would change it."""
    title = f" ({line(found.title, 80)})" if found.title else ""
    paragraphs = [
        f"Document {shown(found.document)}{title}, for profile {shown(found.profile.name)}.\n{found.reason}",
        _sum(found, places),
        f"theta comes from: {theta_parts(found.profile, places)}",
    ]
    if found.verdict:
        paragraphs.append(f"The reader said: {found.verdict}.")
    if found.change:
        paragraphs.append("\n".join(["What would change it:", *(f"  {shown(one)}" for one in found.change)]))
    if found.missing and not found.delivers:
        words = ", ".join(f"{shown(term)} ({weight:.{places}f})" for term, weight in found.missing[:8])
        paragraphs.append(f"The profile's strongest terms that it lacks: {words}.")
    return "\n\n".join(paragraphs) + "\n"


def _sum(found: Explanation, places: int) -> str:
    def number(value: float) -> str:
        return f"{value:.{places}f}"

    strongest, rest = found.parts[:_TERMS], found.parts[_TERMS:]
    body = [
        [shown(part.term), number(part.in_document), number(part.in_profile), number(part.adds)]
        for part in strongest
    ]
    if rest:
        body.append([f"{len(rest)} more terms", "", "", number(sum(part.adds for part in rest))])
    body += [
        ["score, their sum", "", "", number(found.score)],
        ["theta, the threshold", "", "", number(found.profile.theta)],
        ["margin", "", "", f"{found.margin:+.{places}f}"],
    ]
    heading = "By the profile as it is now:"
    return f"{heading}\n\n{Grid(['term', 'in document', 'in profile', 'adds'], body).text()}"


def record(found: Explanation) -> dict[str, Any]:
    """All of it, values in full."""
    sent = found.delivered
    return {
        "profile": shown(found.profile.name),
        "id": shown(found.document),
        "title": found.title,
        "position": found.position,
        "delivered": sent is not None,
        "delivery": None
        if sent is None
        else {"event": sent.number, "time": sent.time.isoformat(), "score": sent.score, "theta": sent.theta},
        "reason": found.reason,
        "change": list(found.change),
        "verdict": found.verdict,
        "score": found.score,
        "margin": found.margin,
        "delivers_now": found.delivers,
        **theta_record(found.profile),
        "terms": [
            {
                "term": part.term,
                "in_document": part.in_document,
                "in_profile": part.in_profile,
                "adds": part.adds,
            }
            for part in found.parts
        ],
        "missing": [{"term": term, "in_profile": weight} for term, weight in found.missing],
    }
