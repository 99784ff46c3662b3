"""Data: what the check-up found, and all that is needed to make the page again."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gainful.checking import Checkup, Finding
from gainful.formats.ids import shown
from gainful.judging.notes import judged_share
from gainful.scores import Scores

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


@dataclass(frozen=True)
class Data:
    """Where the page comes from.

    qrels     path, digest, topics and judgments
    grades    how many judgments there are of each grade
    findings  of the check-up, worst first; None where it was not made
    command   that made the page; None where it was made in Python
    date      of the making, from SOURCE_DATE_EPOCH; None where that is not set, so that pages can be compared
    """

    qrels: Mapping[str, Any]
    grades: Mapping[float, int]
    runs: tuple[Source, ...]
    settings: Mapping[str, Any]
    stated: str
    findings: tuple[Finding, ...] | None
    notes: tuple[str, ...]
    command: str | None
    versions: Mapping[str, str]
    date: str | None

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
            "findings": None if self.findings is None else [asdict(one) for one in self.findings],
            "notes": list(map(str, self.notes)),
            "command": self.command,
            "versions": dict(self.versions),
            "date": self.date,
        }


def data(scores: Scores, systems: Sequence[str], checkup: Checkup | None, command: str | None) -> Data:
    """Of the scores and the check-up; the systems are in the order of the board."""
    grades: dict[float, int] = {}
    for grade in scores.pool.grade.tolist():
        grades[grade] = grades.get(grade, 0) + 1
    runs = [scores[system] for system in systems]
    return Data(
        qrels=scores.to_dict(per_topic=False)["qrels"],
        grades=dict(sorted(grades.items(), reverse=True)),
        runs=tuple(
            Source(
                run.name,
                run.path,
                run.digest,
                int(run.judged.present.sum()),
                len(run.missing),
                judged_share(run.judged, 10),
            )
            for run in runs
        ),
        settings=scores.settings.to_dict(),
        stated=scores.settings.stated(),
        findings=None if checkup is None else checkup.findings,
        notes=tuple(scores.notes),
        command=command,
        versions=versions(),
        date=date(),
    )


def versions() -> dict[str, str]:
    """Of Gainful, Python and the libraries that numbers and pictures come from."""
    from gainful import __version__

    made = {"gainful": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            made[name] = version(name)
        except PackageNotFoundError:  # a page as text needs no library for pictures
            continue
    return made


def date() -> str | None:
    """The day that SOURCE_DATE_EPOCH says, where it says one."""
    try:
        seconds = int(os.environ.get("SOURCE_DATE_EPOCH", ""))
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):  # no number, or one beyond the calendar
        return None
