"""Answers to a reader's questions, as text and records: profiles, why a document was delivered or not, and what another
threshold would have delivered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gainful.filtering.safe_text import line
from gainful.filtering.state.filter_results import Explanation, Preview, Previewed, ProfileState
from gainful.formats.ids import shown
from gainful.presentation.table import Table
from gainful.presentation.text_style import UNDEFINED, fixed, signed

_HEADS = ["profile", "text", "theta", "alpha", "judged", "relevant", "deliveries"]


def listed(profiles: Sequence[ProfileState], *, places: int = 4) -> str:
    """A row for each profile."""
    if not profiles:
        return "No profiles.\n"
    body = [
        [
            shown(profile.name),
            line(profile.settings.text, 48),
            fixed(profile.theta, places),
            fixed(profile.alpha, places),
            f"{profile.n:,}",
            f"{profile.relevant:,}",
            f"{profile.deliveries:,}",
        ]
        for profile in profiles
    ]
    return f"{Table(_HEADS, body, names=2).text()}\n"


def profiled(profile: ProfileState, *, terms: int, places: int = 4) -> str:
    """One profile: what was given, its threshold, and what it looks for."""
    given = profile.settings
    facts = [
        ["text", line(given.text, 200) or UNDEFINED],
        ["rule", line(given.rule)],
        ["learns by", line(given.rocchio)],
        ["utility", line(given.utility)],
        ["theta", f"{fixed(profile.theta, places)}: {theta_parts(profile, places)}"],
        ["judged", f"{profile.n:,}: {profile.relevant:,} relevant, {profile.other:,} not"],
        ["deliveries", f"{profile.deliveries:,} of {profile.seen:,} documents seen"],
        ["added", profile.added.isoformat(timespec="seconds")],
    ]
    body = [[shown(term), fixed(weight, places)] for term, weight in profile.terms[:terms]]
    left = len(profile.terms) - len(body)
    more = f"\n{left} more terms; --terms {len(profile.terms)} shows all." if left > 0 else ""
    words = Table(["term", "weight"], body).text() if body else "It has no terms yet."
    return f"{Table(['profile', shown(profile.name)], facts, names=2).text()}\n\n{words}{more}\n"


def theta_parts(profile: ProfileState, places: int = 4) -> str:
    """Where a threshold comes from, in a line.

    beta_gamma lies between theta_opt and theta_zero; while nothing is judged relevant, between top and start.
    """

    def number(value: float | None) -> str:
        return fixed(value, places)

    rule = f"{line(profile.settings.rule)}, {profile.n:,} judged"
    if profile.alpha is None:
        return f"{rule}; theta_opt {number(profile.theta_opt)}, theta_zero {number(profile.theta_zero)}"
    if profile.theta_opt is None:
        ends = ("top", profile.top, "start", profile.start)
    else:
        ends = ("theta_opt", profile.theta_opt, "theta_zero", profile.theta_zero)
    high, above, low, below = ends
    why = "" if profile.theta_opt is not None else " (nothing is judged relevant yet)"
    parts = f"{high} {number(above)}, {low} {number(below)}, alpha {number(profile.alpha)}"
    return f"{high} − alpha · ({high} − {low}) with {parts}{why}; {rule}"


def theta_record(profile: ProfileState) -> dict[str, Any]:
    """A threshold and its parts, values in full."""
    return {
        "theta": profile.theta,
        "theta_opt": profile.theta_opt,
        "theta_zero": profile.theta_zero,
        "start": profile.start,
        "top": profile.top,
        "alpha": profile.alpha,
        "judged": profile.n,
        "rule": profile.settings.rule,
    }


def profile_record(profile: ProfileState) -> dict[str, Any]:
    """All of a profile, values in full."""
    return {
        "name": shown(profile.name),
        "text": profile.settings.text,
        "rocchio": profile.settings.rocchio,
        "utility": profile.settings.utility,
        **theta_record(profile),
        "relevant": profile.relevant,
        "other": profile.other,
        "deliveries": profile.deliveries,
        "seen": profile.seen,
        "added": profile.added.isoformat(),
        "terms": dict(profile.terms),
    }


_TERMS = 15


def explained(explanation: Explanation, *, places: int = 4) -> str:
    """The reason, the terms that add up to the score, the threshold with its parts, and what would change it."""
    title = f" ({line(explanation.title, 80)})" if explanation.title else ""
    paragraphs = [
        f"Document {shown(explanation.document)}{title}, for profile {shown(explanation.profile.name)}.\n{explanation.reason}",
        _sum(explanation, places),
        f"theta comes from: {theta_parts(explanation.profile, places)}",
    ]
    if explanation.verdict:
        paragraphs.append(f"The reader said: {explanation.verdict}.")
    if explanation.change:
        paragraphs.append(
            "\n".join(["What would change it:", *(f"  {shown(sentence)}" for sentence in explanation.change)])
        )
    if explanation.missing and not explanation.delivers:
        words = ", ".join(
            f"{shown(term)} ({fixed(weight, places)})" for term, weight in explanation.missing[:8]
        )
        paragraphs.append(f"The profile's strongest terms that do not occur in it: {words}.")
    return "\n\n".join(paragraphs) + "\n"


def _sum(explanation: Explanation, places: int) -> str:
    def number(value: float) -> str:
        return fixed(value, places)

    largest = sorted(explanation.parts, key=lambda part: -abs(part.adds))[:_TERMS]
    strongest = [part for part in explanation.parts if part in largest]
    rest = [part for part in explanation.parts if part not in largest]
    body = [
        [shown(part.term), number(part.in_document), number(part.in_profile), number(part.adds)]
        for part in strongest
    ]
    if rest:
        body.append([f"{len(rest)} more terms", "", "", number(sum(part.adds for part in rest))])
    body += [
        ["score (sum)", "", "", number(explanation.score)],
        ["theta (threshold)", "", "", number(explanation.profile.theta)],
        ["margin", "", "", signed(explanation.margin, places)],
    ]
    heading = "With the current profile:"
    return f"{heading}\n\n{Table(['term', 'in document', 'in profile', 'adds'], body).text()}"


def explanation_record(explanation: Explanation) -> dict[str, Any]:
    """All of it, values in full."""
    sent = explanation.delivered
    return {
        "profile": shown(explanation.profile.name),
        "id": shown(explanation.document),
        "title": explanation.title,
        "position": explanation.position,
        "delivered": sent is not None,
        "delivery": None
        if sent is None
        else {"event": sent.number, "time": sent.time.isoformat(), "score": sent.score, "theta": sent.theta},
        "reason": explanation.reason,
        "change": list(explanation.change),
        "verdict": explanation.verdict,
        "score": explanation.score,
        "margin": explanation.margin,
        "delivers_now": explanation.delivers,
        **theta_record(explanation.profile),
        "terms": [
            {
                "term": part.term,
                "in_document": part.in_document,
                "in_profile": part.in_profile,
                "adds": part.adds,
            }
            for part in explanation.parts
        ],
        "missing": [{"term": term, "in_profile": weight} for term, weight in explanation.missing],
    }


def previewed(preview: Preview, *, most: int, places: int = 4) -> str:
    """What would have been delivered, and what would have been missed."""
    come = len(preview.would_come)
    head = (
        f"A threshold of {preview.threshold:g} for {shown(preview.profile)}, with the current profile, on the "
        f"{preview.history:,} documents of the history:\n"
        f"{come:,} would have been delivered, {preview.gained:,} of them never delivered; judged relevant {preview.relevant:,}, "
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
    record = asdict(preview)
    record["profile"] = shown(preview.profile)
    for key in ("would_come", "lost"):
        record[key] = [
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
    return record
