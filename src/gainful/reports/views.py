"""A report as text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from gainful.reports.page import Report
from gainful.reports.table import ReportTable
from gainful.reports.tables import tables

_MOST = 60  # rows of a table for people; CSV and JSON have all


def text(report: Report, *, places: int) -> str:
    """For the terminal."""
    parts = [report.title, "═" * len(report.title), "", *_said(report, "· ")]
    for table in tables(report, places=places):
        parts += [
            "",
            table.title,
            "─" * len(table.title),
            *_cut(table, "text"),
            *([table.caption] if table.caption else []),
        ]
    return "\n".join([*parts, *_closing(report)]) + "\n"


def markdown(report: Report, *, places: int) -> str:
    """For a page of a repository."""
    parts = [f"# {report.title}", "", *_said(report, "- ")]
    for table in tables(report, places=places):
        parts += ["", f"## {table.title}", "", *_cut(table, "markdown")]
        parts += ["", f"_{table.caption}_"] if table.caption else []
    return "\n".join([*parts, *_closing(report)]) + "\n"


def latex(report: Report, *, places: int) -> str:
    """Tables for a paper."""
    return "\n".join(table.latex() for table in tables(report, places=places))


def _said(report: Report, mark: str) -> Iterator[str]:
    if report.evaluated is not None:
        verdict = report.evaluated.verdict
        yield verdict.headline
        yield from verdict.says
        if report.evaluated.alone:
            yield report.evaluated.alone
        if verdict.caveats:
            yield ""
            yield from (f"{mark}{one}" for one in verdict.caveats)
    if report.simulated is not None:
        yield report.simulated.headline


def _cut(table: ReportTable, form: str) -> list[str]:
    lines: list[str] = getattr(table.table, form)().splitlines()
    left = len(table.table.rows) - _MOST
    return lines if left <= 0 else [*lines[: _MOST + 2], f"… {left:,} more; JSON and CSV have them all"]


def _closing(report: Report) -> list[str]:
    made = [f"gainful {report.versions['gainful']}"]
    made += [report.date] if report.date else []
    return ["", " · ".join(made), *([report.command] if report.command else [])]
