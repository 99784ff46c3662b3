"""Profiles with their thresholds, and why a document was delivered or not, as text and as records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainful.filtering.output.safe_text import line
from gainful.filtering.state.filter_results import Explanation, ProfileState
from gainful.formats.ids import shown
from gainful.presentation.numbers import UNDEFINED, fixed, signed
from gainful.presentation.table import Table

_HEADS = ["profile", "text", "theta", "alpha", "judged", "relevant", "deliveries"]


def listed(profiles: Sequence[ProfileState], *, places: int = 4) -> str:
    """A row for each profile."""
    if not profiles:
        return "No profiles.\n"
    body = [
        [
            shown(one.name),
            line(one.settings.text, 48),
            fixed(one.theta, places),
            fixed(one.alpha, places),
            f"{one.n:,}",
            f"{one.relevant:,}",
            f"{one.deliveries:,}",
        ]
        for one in profiles
    ]
    return f"{Table(_HEADS, body, names=2).text()}\n"


def profiled(one: ProfileState, *, terms: int, places: int = 4) -> str:
    """One profile: what was given, its threshold, and what it looks for."""
    given = one.settings
    facts = [
        ["text", line(given.text, 200) or UNDEFINED],
        ["rule", line(given.rule)],
        ["learns by", line(given.rocchio)],
        ["utility", line(given.utility)],
        ["theta", f"{fixed(one.theta, places)}: {theta_parts(one, places)}"],
        ["judged", f"{one.n:,}: {one.relevant:,} relevant, {one.other:,} not"],
        ["deliveries", f"{one.deliveries:,} of {one.seen:,} documents seen"],
        ["added", one.added.isoformat(timespec="seconds")],
    ]
    body = [[shown(term), fixed(weight, places)] for term, weight in one.terms[:terms]]
    left = len(one.terms) - len(body)
    more = f"\n{left} more terms; --terms {len(one.terms)} shows all." if left > 0 else ""
    words = Table(["term", "weight"], body).text() if body else "It has no terms yet."
    return f"{Table(['profile', shown(one.name)], facts, names=2).text()}\n\n{words}{more}\n"


def theta_parts(one: ProfileState, places: int = 4) -> str:
    """Where a threshold comes from, in a line.

    beta_gamma lies between theta_opt and theta_zero; while nothing is judged relevant, between top and start.
    """

    def number(value: float | None) -> str:
        return fixed(value, places)

    rule = f"{line(one.settings.rule)}, {one.n:,} judged"
    if one.alpha is None:
        return f"{rule}; theta_opt {number(one.theta_opt)}, theta_zero {number(one.theta_zero)}"
    if one.theta_opt is None:
        ends = ("top", one.top, "start", one.start)
    else:
        ends = ("theta_opt", one.theta_opt, "theta_zero", one.theta_zero)
    high, above, low, below = ends
    why = "" if one.theta_opt is not None else " (nothing is judged relevant yet)"
    parts = f"{high} {number(above)}, {low} {number(below)}, alpha {number(one.alpha)}"
    return f"{high} − alpha · ({high} − {low}) with {parts}{why}; {rule}"


def theta_record(one: ProfileState) -> dict[str, Any]:
    """A threshold and its parts, values in full."""
    return {
        "theta": one.theta,
        "theta_opt": one.theta_opt,
        "theta_zero": one.theta_zero,
        "start": one.start,
        "top": one.top,
        "alpha": one.alpha,
        "judged": one.n,
        "rule": one.settings.rule,
    }


def profile_record(one: ProfileState) -> dict[str, Any]:
    """All of a profile, values in full."""
    return {
        "name": shown(one.name),
        "text": one.settings.text,
        "rocchio": one.settings.rocchio,
        "utility": one.settings.utility,
        **theta_record(one),
        "relevant": one.relevant,
        "other": one.other,
        "deliveries": one.deliveries,
        "seen": one.seen,
        "added": one.added.isoformat(),
        "terms": dict(one.terms),
    }


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
        words = ", ".join(f"{shown(term)} ({fixed(weight, places)})" for term, weight in found.missing[:8])
        paragraphs.append(f"The profile's strongest terms that it lacks: {words}.")
    return "\n\n".join(paragraphs) + "\n"


def _sum(found: Explanation, places: int) -> str:
    def number(value: float) -> str:
        return fixed(value, places)

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
        ["margin", "", "", signed(found.margin, places)],
    ]
    heading = "By the profile as it is now:"
    return f"{heading}\n\n{Table(['term', 'in document', 'in profile', 'adds'], body).text()}"


def explanation_record(found: Explanation) -> dict[str, Any]:
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
