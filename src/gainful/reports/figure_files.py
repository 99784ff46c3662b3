"""Figures for a paper: every chart as SVG, PDF and PNG, every table as CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gainful.errors import DataError, UsageError
from gainful.formats.output_files import put
from gainful.presentation.chart_files import rendered
from gainful.reports.report_document import Report
from gainful.reports.report_results import Progress

ENDINGS = (".svg", ".pdf", ".png")
_ALWAYS = ("scores.csv", "rules.csv")  # one of them is among the files of every report


def refuse_replacing(folder: str, *, overwrite: bool) -> None:
    """Raise, before any work is done, where a folder holds the figures of a report and they may not be replaced."""
    _refuse(Path(folder), _ALWAYS, overwrite=overwrite)


def write_figures(
    report: Report, folder: str, *, overwrite: bool = False, progress: Progress | None = None
) -> list[str]:
    """Write them all into a folder, which is made if it is not there; nothing is replaced unless that is asked for."""
    place = Path(folder)
    charts = {f"{figure.name}{ending}": (figure, ending) for figure in report.charts() for ending in ENDINGS}
    tables: dict[str, str] = {}
    for table in report.tables():
        tables |= {f"{table.name}.csv": table.table.csv(), f"{table.name}.tex": table.latex()}
    _refuse(place, [*charts, *tables], overwrite=overwrite)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise DataError(f"{folder} cannot be made: {fault.strerror}.") from None
    for number, (name, (figure, ending)) in enumerate(charts.items()):
        if progress:
            progress("figures", number, len(charts))
        put(rendered(figure.spec, ending), str(place / name), overwrite=overwrite)
    for name, content in tables.items():
        put(content.encode("utf-8", "surrogateescape"), str(place / name), overwrite=overwrite)
    return [*charts, *tables]


def _refuse(place: Path, names: Sequence[str], *, overwrite: bool) -> None:
    there = [name for name in names if (place / name).exists()]
    if there and not overwrite:
        raise UsageError(
            f"{place / there[0]} is there already; choose another folder, or replace it with --overwrite."
        )
