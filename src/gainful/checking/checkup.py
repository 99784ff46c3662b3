"""What a check-up found: facts of the judgments and of each run, findings that say what to do, and all of it as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown
from gainful.presentation.page import Brief, page
from gainful.presentation.table import Table
from gainful.presentation.text_style import NARROW, UNDEFINED, counted, percent, whole

Severity = Literal["fault", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("fault", "warning", "note")

CUTOFFS = (10, 100, 1000)
"""Ranks for which shares of judged documents and ties are reported."""


@dataclass(frozen=True, repr=False)
class Finding(Brief):
    """Something to know before the numbers are believed.

    severity  a "fault" stops or falsifies an evaluation; a "warning" changes what its numbers mean; a "note" is good to know
    code      a word for the kind of finding
    where     the file or run it is about; "" where it is about all of them
    text      what was found
    way_out   what to do
    count     how many rows, topics or documents it concerns
    examples  some of them
    """

    severity: Severity
    code: str
    where: str
    text: str
    way_out: str = ""
    count: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class QrelsFacts(Brief):
    """What the judgments hold."""

    name: str
    digest: str
    topics: int
    judgments: int
    grades: Mapping[float, int]
    topics_without_relevant: int


@dataclass(frozen=True)
class Depth:
    """Documents per topic, over the judged topics that the run has."""

    least: int
    median: float
    most: int


@dataclass(frozen=True, repr=False)
class RunFacts(Brief):
    """What a run holds.

    topics          judged topics that it has
    missing, extra  judged topics that it lacks; topics of it that are not judged
    judged          share of the documents down to each cutoff that are judged
    ties            topics in which tied scores straddle each cutoff, a judged document among them
    """

    name: str
    path: str | None
    tag: str
    digest: str
    rows: int
    topics: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    depth: Depth | None
    judged: Mapping[int, float]
    ties: Mapping[int, int]


@dataclass(frozen=True)
class Unjudged:
    """A document that nobody judged, in the top ranks of one run or more."""

    topic: str
    document: str
    runs: int
    best_rank: int
    mean_rank: float


@dataclass(frozen=True)
class Checkup:
    """Result of a check: facts of the files, and findings.

    qrels            facts of the judgments; None where they cannot be read
    runs             facts of the runs that can be read
    findings         worst first
    never_retrieved  number of judged documents that no run retrieved, by grade
    unjudged         documents to judge next, most useful first; None if not requested
    """

    qrels: QrelsFacts | None
    runs: tuple[RunFacts, ...]
    findings: tuple[Finding, ...]
    never_retrieved: Mapping[float, int]
    unjudged: tuple[Unjudged, ...] | None = None

    @property
    def fine(self) -> bool:
        """True if no fault was found that would stop an evaluation or make its numbers wrong."""
        return not any(finding.severity == "fault" for finding in self.findings)

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """The findings of that severity."""
        return tuple(finding for finding in self.findings if finding.severity == severity)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        whole: dict[str, Any] = {
            "fine": self.fine,
            "findings": [asdict(finding) for finding in self.findings],
            "qrels": None if self.qrels is None else _with_text_keys(asdict(self.qrels)),
            "runs": [_with_text_keys(asdict(run)) for run in self.runs],
            "never_retrieved": _keyed(self.never_retrieved),
        }
        if self.unjudged is not None:
            whole["unjudged"] = [_shown_ids(asdict(document)) for document in self.unjudged]
        return whole

    def __repr__(self) -> str:
        return f"<Checkup of {counted(len(self.runs), 'run')}: {verdict(self)}>"

    def __str__(self) -> str:
        return as_table(self).rstrip("\n")

    def _repr_html_(self) -> str:
        return html(self)


def _with_text_keys(record: dict[str, Any]) -> dict[str, Any]:
    """JSON has text for keys; ids are written as people see them."""
    for name, value in record.items():
        if name in ("grades", "judged", "ties"):
            record[name] = _keyed(value)
        elif name in ("missing", "extra"):
            record[name] = [shown(topic) for topic in value]
        elif name in ("name", "path", "tag") and value is not None:
            record[name] = shown(value)
    return record


def _keyed(numbers: Mapping[float, Any]) -> dict[str, Any]:
    return {f"{number:g}": value for number, value in numbers.items()}


def _shown_ids(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"topic": shown(record["topic"]), "document": shown(record["document"])}


NAMED = 5
"""Examples that a finding has at most."""


def some_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """The first ids, as people see them."""
    return tuple(shown(id_) for id_, _ in zip(ids, range(NAMED), strict=False))


def some_grades(grades: NDArray[np.float64]) -> tuple[str, ...]:
    """The lowest grades, each once."""
    return tuple(f"{grade:g}" for grade in np.unique(grades)[:NAMED])


_WIDTH = 80
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
        parts.append(Table(_HEADS, [_row(run) for run in checkup.runs]).text(NARROW))
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
