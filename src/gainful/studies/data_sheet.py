"""The data sheet of collected judgments: who judged what, when, under which instructions, and how far they agree."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime

from gainful import __version__
from gainful.formats.ids import shown
from gainful.presentation.table import Table
from gainful.presentation.text_style import fixed, markdown_text
from gainful.studies.answer_files import moment
from gainful.studies.assessor_agreement import AssessorAgreement
from gainful.studies.collected_answers import Collected, answer_counts
from gainful.studies.study_records import Answers

MERGED_AS = {
    "majority": "the highest grade that more than half of them reach (of two different grades, the lower one)",
    "max": "the highest of them",
    "min": "the lowest of them",
    "mean": "their mean",
}
"""How several grades become one, in words."""


def data_sheet(collected: Collected, agreement: AssessorAgreement, files: Sequence[str]) -> str:
    """The sheet as Markdown.

    files  names of the files that were written beside it
    """
    parts = [
        "# Data sheet",
        _study(collected),
        "## Instructions",
        _quoted(collected.study.manifest.instructions) or "None were given.",
        "### Scale",
        _scale(collected).markdown(),
        "## Assessors",
        work_table(collected).markdown(),
        "## From answers to judgments",
        "\n".join(f"- {line}" for line in rule_sentences(collected)),
        "## Agreement",
        agreement.sentence(),
        *(text for above, table in agreement.tables() for text in (f"### {above}", table.markdown())),
        "## Files",
        "\n".join(f"- `{name}`" for name in files),
        f"_Written by gainful {__version__}._",
    ]
    return "\n\n".join(parts) + "\n"


def _study(collected: Collected) -> str:
    manifest, study = collected.study.manifest, collected.study
    lines = [
        f"Study `{shown(manifest.id)}`: documents chosen by `{shown(manifest.strategy)}`, seed {manifest.seed}"
        + (f", for {markdown_text(manifest.measure)}" if manifest.measure else "")
        + ".",
        f"{len(study.topics):,} topics, {len(study.pool):,} documents to judge in {study.batches} "
        f"batch{'' if study.batches == 1 else 'es'}, {len(study.known):,} judged before; "
        f"mode: {manifest.mode}; overlap asked for: {manifest.overlap:.0%}.",
    ]
    runs = "\n".join(
        f"- {markdown_text(shown(name))}, digest `{digest}`" for name, digest in manifest.runs.items()
    )
    return "\n".join(lines) + (f"\n\nRuns that were pooled:\n\n{runs}" if runs else "")


def _quoted(text: str) -> str:
    """The instructions word by word, as a block of text in which nothing is markup."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text.rstrip()}\n{fence}" if text.strip() else ""


def _scale(collected: Collected) -> Table:
    counts: dict[float, int] = {}
    for grade in collected.judgments.values():
        counts[grade] = counts.get(grade, 0) + 1
    body = [
        [f"{level.grade} {level.label}", f"{counts.get(level.grade, 0):,}"]
        for level in sorted(collected.study.manifest.scale, key=lambda level: level.grade)
    ]
    return Table(["grade", "judgments"], body)


def work_table(collected: Collected) -> Table:
    """What each assessor has done, and when."""
    assigned: dict[str, int] = {}
    for row in collected.study.assignments:
        assigned[row.assessor] = assigned.get(row.assessor, 0) + 1
    everybody = dict.fromkeys((*collected.study.manifest.assessors, *collected.answers))
    rows = [_work(name, assigned.get(name, 0), collected.answers.get(name)) for name in everybody]
    if collected.adjudicated is not None:
        name = f"{collected.adjudicated.assessor} (adjudication)"
        rows.append(_work(name, len(collected.conflicts), collected.adjudicated))
    done = "compared" if collected.study.manifest.mode == "preferences" else "graded"
    heads = [
        "assessor",
        "assigned",
        done,
        "skipped",
        "cannot tell",
        "knew",
        "minutes",
        "median s",
        "first",
        "last",
    ]
    return Table(heads, rows)


def _work(name: str, assigned: int, answers: Answers | None) -> list[str]:
    if answers is None:
        return [shown(name), f"{assigned:,}", "0", "0", "0", "0", "–", "–", "–", "–"]
    counts = answer_counts(answers)
    replies = [reply for reply in answers.replies if reply.state != "open"]
    seconds = [reply.seconds for reply in replies]
    times = [time for time in map(moment, replies) if math.isfinite(time)]
    return [
        shown(name),
        f"{assigned:,}",
        f"{counts['graded'] + counts['compared']:,}",
        f"{counts['skipped']:,}",
        f"{counts['cannot tell']:,}",
        f"{sum(reply.known for reply in answers.answers if reply.state != 'open'):,}",
        fixed(sum(seconds) / 60, 1),
        fixed(statistics.median(seconds), 1) if seconds else "–",
        _minute(min(times)) if times else "–",
        _minute(max(times)) if times else "–",
    ]


def _minute(time: float) -> str:
    return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M}"


def rule_sentences(collected: Collected) -> list[str]:
    """How judgments were made of answers, and what could not be."""
    conflicts, decisions = collected.conflicts, collected.decisions
    settled = sum((row.topic, row.document) in decisions for row in conflicts)
    waiting = [row.pair for row in collected.study.pool if row.pair not in collected.judgments]
    contradictions = sum(map(len, collected.contradictions.values()))
    left_out = (
        [f"Comparisons left out, as they contradict later ones of the same assessor: {contradictions:,}."]
        if contradictions
        else []
    )
    if collected.study.manifest.mode == "preferences":
        compared = sum(map(len, collected.preferences.values()))
        return [f"Comparisons: {compared:,}; each is a part of its own in preferences.qrels.", *left_out]
    return [
        f"Judgments: {len(collected.judgments):,}, of them {len(collected.study.known):,} known before.",
        f"Where several assessors graded a document, the grade is {MERGED_AS[collected.merge]}; "
        "a grade that was adjudicated stands instead.",
        f"Documents that were graded differently: {len(conflicts):,}; {settled:,} of them adjudicated.",
        f"Pooled documents without a grade: {len(waiting):,}; not answered yet, skipped, or nobody could tell.",
        "Grades given for practice, where the grade was known, are no judgments.",
        *left_out,
    ]
