"""Answers to a reader's questions, as text and records: profiles, why a document was delivered or not, and what another
threshold would have delivered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gainful.filtering.reliability import Reliability
from gainful.filtering.safe_text import line
from gainful.filtering.state.events import logged_rule
from gainful.filtering.state.filter_results import Explanation, Preview, Previewed, ProfileState
from gainful.formats.ids import shown
from gainful.presentation.table import Table
from gainful.presentation.text_style import UNDEFINED, counted, fixed, percent, signed

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
        ["theta", f"{fixed(profile.theta, places)}{_formula(profile)}"],
        ["", _ends(profile, places)],
        ["judged", f"{profile.n:,}: {profile.relevant:,} relevant, {profile.other:,} not"],
        ["deliveries", f"{profile.deliveries:,} of {profile.seen:,} documents seen"],
        ["added", profile.added.isoformat(timespec="seconds")],
    ]
    wanted = [(term, weight) for term, weight in profile.terms if weight > 0]
    body = [[shown(term), fixed(weight, places)] for term, weight in wanted[:terms]]
    left = len(wanted) - len(body)
    more = f"\n{left:,} more terms; --terms {len(wanted)} shows all." if left > 0 else ""
    words = Table(["term", "weight"], body).text() if body else "It has no terms yet."
    against = _against([pair for pair in profile.terms[::-1] if pair[1] < 0], terms, places)
    table = Table(["profile", shown(profile.name)], facts, names=2).text()
    return f"{table}\n\n{in_words(profile)}{words}{more}\n{against}"


def _against(unwanted: Sequence[tuple[str, float]], most: int, places: int) -> str:
    """The terms that speak against a document, the strongest first."""
    if not unwanted or not most:
        return ""
    words = ", ".join(f"{shown(term)} ({fixed(weight, places)})" for term, weight in unwanted[:most])
    left = len(unwanted) - most
    return f"\nSpeaks against a document: {words}{f', and {left:,} more terms' if left > 0 else ''}.\n"


def _bar(estimate: Reliability) -> str:
    """What is delivered, in words."""
    needed, lowest = percent(estimate.needed, 0), percent(estimate.lowest, 0)
    if lowest == needed:
        return f"what is relevant with a probability of at least {needed}, from which a delivery is worth its cost"
    return (
        f"what is relevant with a probability of at least {lowest}, to explore; "
        f"from {needed} on a delivery is worth its cost"
    )


def _sources(profile: ProfileState, estimate: Reliability) -> str:
    """What probabilities are estimated from, and what becomes of deliveries without an answer."""
    told = []
    if estimate.answers:
        told.append(counted(estimate.answers, "answer"))
    if estimate.others:
        count_little = "it counts" if estimate.others == 1 else "these count"
        told.append(f"{counted(estimate.others, 'example')} ({count_little} little)")
    said = f"from {' and '.join(told)}"
    if shared := estimate.shared_relevant + estimate.shared_other:
        said += f", beginning with {counted(shared, 'answer')} to other profiles ({_at_most(profile)})"
    if not estimate.silent:
        return said
    silent = counted(estimate.silent, "delivery without an answer", "deliveries without an answer")
    count = "counts" if estimate.silent == 1 else "count"
    weight = f"(weight {estimate.silence:.2f})"
    if estimate.silence >= _HEARD:
        why = "because this reader hardly ever says so"
        return f'{said}; {silent} {count} as a hint of "not relevant" {weight}, {why}'
    why = (
        'this reader says "not relevant" too'
        if profile.other or estimate.shared_other
        else "it is not known what silence means here"
    )
    read = f"hardly {count} {weight}" if weight != "(weight 0.00)" else "left out"
    return f"{said}; {silent} {read}, because {why}"


def _at_most(profile: ProfileState) -> str:
    """How much each of the other profiles counts."""
    return f"each profile counts as {logged_rule(profile.settings.rule).siblings:g} at most"


_HEARD = 0.1  # the weight from which silence says something


def in_words(profile: ProfileState) -> str:
    """What a profile delivers and what that is estimated from, a paragraph; empty for a rule that estimates nothing."""
    if profile.estimate is None:
        return ""
    later = set_anew(profile.theta, profile.seen, profile.theta_now)
    if not profile.relevant:
        needed = percent(profile.estimate.needed, 0)
        return (
            "While nothing is judged relevant, the profile delivers what is nearest to its text, to learn from the answers"
            f"{_decided_by_others(profile, profile.estimate)}.\n"
            f"Then it delivers what is relevant with a probability of at least {needed}.\n{later}\n"
        )
    return (
        f"The profile delivers {_bar(profile.estimate)}.\n"
        f"This is estimated {_sources(profile, profile.estimate)}.\n{later}\n"
    )


def _decided_by_others(profile: ProfileState, estimate: Reliability) -> str:
    """Where answers to other profiles say how near that is."""
    shared = estimate.shared_relevant + estimate.shared_other
    if not shared or logged_rule(profile.settings.rule).parameters.get("patience"):
        return ""
    return f"; {counted(shared, 'answer')} to other profiles decide how near it must be ({_at_most(profile)})"


def set_anew(theta: float, seen: int, now: float | None, places: int = 4) -> str:
    """The threshold that a profile would have if it were set now, a line; empty where it is the one in force.

    >>> set_anew(0.25, 1200, 0.2).split("; ")[0], set_anew(0.25, 1200, 0.25)
    ('The threshold of 0.2500 was set at document 1,200', '')
    """
    if now is None or fixed(now, places) == fixed(theta, places):
        return ""
    return (
        f"The threshold of {fixed(theta, places)} was set at document {seen:,}; "
        f"with the documents and the answers to other profiles since then it would be {fixed(now, places)}.\n"
    )


def threshold_change(profile: str, *, judged: int, relevant: int, before: float, after: float) -> str:
    """What answers did to the threshold of a profile, in a line.

    >>> threshold_change("garden", judged=2, relevant=1, before=0.25, after=0.5)
    'garden: 2 judged, 1 of them relevant; threshold 0.2500 → 0.5000.'
    """
    return (
        f"{shown(profile)}: {judged:,} judged, {relevant:,} of them relevant; "
        f"threshold {before:.4f} → {after:.4f}."
    )


def theta_parts(profile: ProfileState, places: int = 4) -> str:
    """Where a threshold comes from, in a line."""
    rule = f"{line(profile.settings.rule)}, {profile.n:,} judged"
    formula = _formula(profile).removeprefix(" = ")
    return (
        f"{formula} with {_ends(profile, places)}; {rule}" if formula else f"{rule}; {_ends(profile, places)}"
    )


def _formula(profile: ProfileState) -> str:
    """How theta lies between two scores, for a rule that puts it there."""
    if profile.alpha is None:
        return ""
    high, low = ("top", "start") if profile.theta_opt is None else ("theta_opt", "theta_zero")
    return f" = {high} − alpha · ({high} − {low})"


def _ends(profile: ProfileState, places: int) -> str:
    """The scores between which theta lies: theta_opt and theta_zero; while nothing is judged relevant, top and start."""

    def number(value: float | None) -> str:
        return fixed(value, places)

    if profile.alpha is None:
        return f"theta_opt {number(profile.theta_opt)}, theta_zero {number(profile.theta_zero)}"
    if profile.theta_opt is None:
        ends, why = (
            f"top {number(profile.top)}, start {number(profile.start)}",
            " (nothing is judged relevant yet)",
        )
    else:
        ends, why = f"theta_opt {number(profile.theta_opt)}, theta_zero {number(profile.theta_zero)}", ""
    return f"{ends}, alpha {number(profile.alpha)}{why}"


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
        "estimate": _estimate_record(profile.estimate),
        "terms": dict(profile.terms),
    }


def _estimate_record(estimate: Reliability | None) -> dict[str, float] | None:
    """What a threshold's probabilities come from, without curve and bins."""
    names = ("needed", "lowest", "answers", "others", "silent", "silence", "shared_relevant", "shared_other")
    return None if estimate is None else {name: getattr(estimate, name) for name in names}


_TERMS = 15


def explained(explanation: Explanation, *, places: int = 4) -> str:
    """The reason, the terms that add up to the score, the threshold with its parts, and what would change it."""
    title = f" ({line(explanation.title, 80)})" if explanation.title else ""
    paragraphs = [
        f"Document {shown(explanation.document)}{title}, for profile {shown(explanation.profile.name)}.\n{explanation.reason}",
        _sum(explanation, places),
        f"theta comes from: {theta_parts(explanation.profile, places)}",
    ]
    if explanation.probability is not None:
        chance = f"By its score it is relevant with a probability of {percent(explanation.probability, 0)}."
        paragraphs.append(f"{chance}\n{in_words(explanation.profile)}".rstrip())
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

    by_size = sorted(explanation.parts, key=lambda part: -abs(part.adds))
    strongest, rest = sorted(by_size[:_TERMS], key=lambda part: -part.adds), by_size[_TERMS:]
    body = [
        [shown(part.term), number(part.in_document), number(part.in_profile), number(part.adds)]
        for part in strongest
    ]
    if rest:
        body.append([f"{len(rest)} more terms", "", "", number(math.fsum(part.adds for part in rest))])
    body += [
        ["score (sum)", "", "", number(explanation.score)],
        ["theta (threshold)", "", "", number(explanation.profile.theta)],
        ["margin", "", "", signed(explanation.margin, places)],
    ]
    heading = "With the current profile:"
    against = [shown(part.term) for part in explanation.parts[::-1] if part.adds < 0]
    more = f" and {len(against) - 8} more" if len(against) > 8 else ""
    note = f"\n\nSpeaks against it: {', '.join(against[:8])}{more}." if against else ""
    return f"{heading}\n\n{Table(['term', 'in document', 'in profile', 'adds'], body).text()}{note}"


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
        "probability": explanation.probability,
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
