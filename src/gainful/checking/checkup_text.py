"""A check-up as text: facts of the files, findings in words, and documents to judge next."""

from __future__ import annotations

import textwrap

from gainful.checking.checkup import Checkup, Finding, RunFacts
from gainful.formats.ids import shown
from gainful.presentation.page import page
from gainful.presentation.table import Table
from gainful.presentation.text_style import UNDEFINED, counted, percent, whole

_WIDTH = 100
_EXAMPLES = 5  # as many as a finding has at most
_ALIKE = 3  # findings of one kind that are shown in full
_HEADS = ("run", "topics", "missing", "extra", "rows", "depth", "judged@10", "@100", "@1000", "ties@10")


def as_list(checkup: Checkup, top: int) -> str:
    """A line for each document to judge: topic, document, how many runs have it down to that rank, its best rank."""
    head = f"# topic document runs best_rank (unjudged in the top {top}, most useful first)\n"
    lines = (
        f"{shown(unjudged.topic)} {shown(unjudged.document)} {unjudged.runs} {unjudged.best_rank}\n"
        for unjudged in checkup.unjudged or ()
    )
    return head + "".join(lines)


def as_table(checkup: Checkup) -> str:
    """Facts first, then findings, then the verdict."""
    parts = _judgment_facts(checkup)
    if checkup.runs:
        parts.append(Table(_HEADS, [_row(run) for run in checkup.runs]).text())
    parts += _findings(checkup)
    return "\n\n".join([*parts, verdict(checkup)]) + "\n"


def html(checkup: Checkup) -> str:
    """The check-up in a notebook: facts, findings, and the verdict."""
    above = " ".join(_judgment_facts(checkup))
    tables = [(above, Table(_HEADS, [_row(run) for run in checkup.runs]))]
    return page(tables, [" ".join(line.split()) for line in _findings(checkup)], verdict(checkup), "html")


def _judgment_facts(checkup: Checkup) -> list[str]:
    facts = checkup.qrels
    if facts is None:
        return []
    grades = ", ".join(f"{grade:g}: {count:,}" for grade, count in facts.grades.items())
    topics, judgments = counted(facts.topics, "topic"), counted(facts.judgments, "judgment")
    return [f"{facts.name}: {topics}, {judgments} (grade {grades})"]


def _row(run: RunFacts) -> list[str]:
    depth = UNDEFINED
    if run.depth is not None:
        depth = whole(run.depth.least)
        if run.depth.most > run.depth.least:
            depth = f"{run.depth.least:,}–{run.depth.most:,}"
    counts = [run.topics, len(run.missing), len(run.extra), run.rows]
    shares = [percent(share, 0) for share in run.judged.values()]
    return [shown(run.name), *map(whole, counts), depth, *shares, whole(run.ties[10])]


def _findings(checkup: Checkup) -> list[str]:
    """Findings in words; where more than a few are alike, the others by name."""
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in checkup.findings:
        alike.setdefault((finding.severity, finding.code), []).append(finding)
    parts = []
    for (severity, code), same in alike.items():
        in_full = same if len(same) <= _ALIKE + 1 else same[:_ALIKE]
        parts += [finding_text(finding) for finding in in_full]
        if len(same) > len(in_full):
            said = ", ".join(finding.where for finding in same[_ALIKE:])
            parts.append(_wrapped(f"{severity}: {code} in {len(same) - _ALIKE} more: {said}", "", "    "))
    return parts


def finding_text(finding: Finding) -> str:
    """One finding: what was found, some examples, and what to do."""
    head = f"{finding.severity}: " + (f"{finding.where}: " if finding.where else "") + finding.text
    lines = [_wrapped(head, "", "    ")]
    if finding.examples:
        more = ", …" if finding.count > len(finding.examples) == _EXAMPLES else ""
        lines.append(_wrapped(f"such as {', '.join(finding.examples)}{more}", "    ", "    "))
    if finding.way_out:
        lines.append(_wrapped(f"→ {finding.way_out}", "    ", "      "))
    return "\n".join(lines)


def _wrapped(text: str, first: str, others: str) -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def verdict(checkup: Checkup) -> str:
    """How many findings there are, and whether an evaluation can be trusted."""
    counts = {severity: len(checkup.of(severity)) for severity in ("fault", "warning", "note")}
    said = ", ".join(counted(count, name) for name, count in counts.items() if count)
    if counts["fault"]:
        return f"{said}: an evaluation would stop, or its numbers would be wrong."
    return f"{said}; no faults." if said else "No faults, nothing to note."
