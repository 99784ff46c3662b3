"""What a check-up found: facts of the judgments and of each run, and findings that say what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful.formats.ids import shown
from gainful.presentation.page import Brief
from gainful.presentation.text_style import counted

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
        from gainful.checking.checkup_text import verdict

        return f"<Checkup of {counted(len(self.runs), 'run')}: {verdict(self)}>"

    def __str__(self) -> str:
        from gainful.checking.checkup_text import as_table

        return as_table(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from gainful.checking.checkup_text import html

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
