"""A collection of answers in a few lines: judgments, assessors, what is open, agreement and conflicts."""

from __future__ import annotations

from gainful.formats.ids import shown
from gainful.presentation.text_style import counted
from gainful.studies.assessor_agreement import AssessorAgreement
from gainful.studies.collected_answers import Collected
from gainful.studies.study_folder import Pair

_NAMED = 8  # assessors


def waiting_for_answers(collected: Collected) -> list[Pair]:
    """Pooled documents that have no judgment and that somebody may still answer."""
    over = {*collected.judgments, *collected.given_up}
    return [row.pair for row in collected.study.pool if row.pair not in over]


def summary_lines(collected: Collected, agreement: AssessorAgreement) -> list[str]:
    """What was collected, in sentences; the tables are in the data sheet."""
    if collected.study.manifest.mode == "preferences":
        comparisons = sum(map(len, collected.preferences.values()))
        left_out = sum(map(len, collected.contradictions.values()))
        contradicting = f"; {counted(left_out, 'contradicting one')} left out" if left_out else ""
        lines = [
            f"Collected: {counted(comparisons, 'comparison')} by {_assessors(collected)}{contradicting}.",
            f"Answered: {_answered(collected)}.",
        ]
    else:
        known = len(collected.study.known)
        before = f", {known:,} of them known before" if known else ""
        lines = [
            f"Collected: {counted(len(collected.judgments), 'judgment')}{before}, by {_assessors(collected)}.",
            f"Answered: {_answered(collected)}.",
            _open(collected),
            _conflicts(collected),
        ]
    return [*lines, agreement.line()]


def _assessors(collected: Collected) -> str:
    return counted(len(collected.answers), "assessor")


def _answered(collected: Collected) -> str:
    """How much of what was assigned each assessor has answered; of pairs, which the answers choose, only how many."""
    assigned = dict.fromkeys(collected.study.manifest.assessors, 0)
    for row in collected.study.assignments:
        assigned[row.assessor] = assigned.get(row.assessor, 0) + 1
    pairs = collected.study.manifest.mode == "preferences"
    said = []
    for name, number in assigned.items():
        answers = collected.answers.get(name)
        done = 0 if answers is None else sum(reply.state != "open" for reply in answers.replies)
        said.append(f"{shown(name)} {done:,}" + ("" if pairs else f" of {number:,}"))
    more = len(said) - _NAMED
    return ", ".join(said[:_NAMED]) + (f" and {counted(more, 'other assessor')}" if more > 0 else "")


def _open(collected: Collected) -> str:
    waiting, given_up = len(waiting_for_answers(collected)), len(collected.given_up)
    if not waiting and not given_up:
        return "Open: none; every pooled document has a grade."
    parts = [f"{counted(waiting, 'pooled document')} without an answer"] if waiting else []
    parts += [f"{counted(given_up, 'pooled document')} skipped, or nobody could tell"] if given_up else []
    return f"Open: {'; '.join(parts)}."


def _conflicts(collected: Collected) -> str:
    conflicts = len(collected.conflicts)
    if not conflicts:
        return "Conflicts: none."
    settled = sum((row.topic, row.document) in collected.decisions for row in collected.conflicts)
    return (
        f"Conflicts: {counted(conflicts, 'document')} graded differently, {settled or 'none'} adjudicated; "
        f"merged by {collected.merge}."
    )
