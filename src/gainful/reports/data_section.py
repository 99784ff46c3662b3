"""Data: what the check-up found, and all that is needed to make the page again."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Self

import numpy as np

from gainful.checking import Finding
from gainful.checking.checkup import SEVERITIES
from gainful.formats.ids import shown
from gainful.presentation.table import Table
from gainful.presentation.text_style import counted, percent
from gainful.reports.report_results import Results
from gainful.reports.section_registry import ReportTable, Section, report_section

_LIBRARIES = ("numpy", "scipy", "altair", "vl-convert-python", "jinja2")


@dataclass(frozen=True, slots=True)
class Source:
    """A file or object that the numbers come from."""

    name: str
    path: str | None
    digest: str | None
    topics: int
    missing: int
    judged: float


@report_section
@dataclass(frozen=True)
class DataSection(Section):
    """Where the numbers come from; of a simulation alone, nothing but what the report itself says.

    qrels     path, digest, topics and judgments
    grades    how many judgments there are of each grade
    findings  of the check-up, worst first; None where it was not made
    """

    name, title, order, template = "data", "Data", 90, "data.html"

    qrels: Mapping[str, Any]
    grades: Mapping[float, int]
    runs: tuple[Source, ...]
    settings: Mapping[str, Any]
    stated: str
    findings: tuple[Finding, ...] | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, results: Results) -> Self:
        """Of the scores and the check-up."""
        scores = results.scores
        if scores is None:
            return cls({}, {}, (), {}, "", None, ())
        pool = scores.pool.grade[scores.pool.grade >= 0] if results.estimated else scores.pool.grade
        grades, counts = np.unique(pool, return_counts=True)  # below 0 are documents that were not drawn
        return cls(
            qrels=scores.to_dict(per_topic=False)["qrels"],
            grades=dict(zip(grades[::-1].tolist(), counts[::-1].tolist(), strict=True)),
            runs=tuple(
                Source(
                    run.name,
                    run.path,
                    run.digest,
                    int(run.judged.present.sum()),
                    len(run.missing),
                    run.judged.judged_share(10),
                )
                for run in (scores[system] for system in results.systems)
            ),
            settings=scores.settings.to_dict(),
            stated=scores.settings.stated(),
            findings=None if results.checkup is None else results.checkup.findings,
            notes=tuple(scores.notes),
        )

    @property
    def judged_in_words(self) -> str:
        """How many judgments there are, of how many topics."""
        return f"{counted(self.qrels['judgments'], 'judgment')} of {counted(self.qrels['topics'], 'topic')}"

    @property
    def severities(self) -> dict[str, str]:
        """How many findings there are of each severity, in words, worst first."""
        found = [finding.severity for finding in self.findings or ()]
        return {
            severity: counted(found.count(severity), severity) for severity in SEVERITIES if severity in found
        }

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "qrels": dict(self.qrels),
            "grades": {f"{grade:g}": count for grade, count in self.grades.items()},
            "runs": [
                asdict(run) | {"name": shown(run.name), "path": None if run.path is None else shown(run.path)}
                for run in self.runs
            ],
            "settings": dict(self.settings),
            "findings": None if self.findings is None else [asdict(finding) for finding in self.findings],
            "notes": list(map(str, self.notes)),
        }

    def tables(self, places: int) -> list[ReportTable]:  # noqa: ARG002 (shares in percent have none)
        """The runs and their files."""
        rows = [
            {
                "run": shown(run.name),
                "file": None if run.path is None else shown(run.path),
                "topics": run.topics,
                "missing": run.missing,
                "judged@10": run.judged,
                "digest": run.digest,
            }
            for run in self.runs
        ]
        looks = {"judged@10": partial(percent, places=0)}
        return [ReportTable("runs", "Runs", Table.of(rows, looks, 2), self.stated)] if rows else []


def versions() -> dict[str, str]:
    """Of Gainful, Python and the libraries that numbers and pictures come from."""
    from gainful import __version__

    versions_by_name = {"gainful": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            versions_by_name[name] = version(name)
        except PackageNotFoundError:  # a page as text needs no library for pictures
            continue
    return versions_by_name


def date() -> str | None:
    """The day that SOURCE_DATE_EPOCH says, where it says one."""
    try:
        seconds = int(os.environ.get("SOURCE_DATE_EPOCH", ""))
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):  # no number, or one beyond the calendar
        return None
