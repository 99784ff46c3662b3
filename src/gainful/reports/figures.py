"""Figures for a paper: every chart as SVG, PDF and PNG, every table as CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gainful.errors import DataError, UsageError
from gainful.formats.output_files import put
from gainful.presentation.chart_files import rendered
from gainful.reports import report_charts
from gainful.reports.page import Evaluated, Progress, Report
from gainful.reports.report_charts import Figure
from gainful.reports.tables import tables

ENDINGS = (".svg", ".pdf", ".png")
_ALWAYS = ("scores.csv", "rules.csv")  # one of them is among the files of every report


def figures(report: Report) -> Iterator[Figure]:
    """Every chart, in the order of the page."""
    if report.evaluated is not None:
        yield from _of_runs(report.evaluated)
    if report.simulated is not None:
        yield from report_charts.simulation_figures(report.simulated)


def _of_runs(one: Evaluated) -> Iterator[Figure]:
    systems = dict.fromkeys([*one.drawn, *one.board.systems])
    positions = {system: position for position, system in enumerate(systems)}
    yield report_charts.means(one.board, one.board.measures[0], positions)
    for drawn in one.curves:
        yield report_charts.curves(drawn, positions)
    if one.pairs is not None:
        measure = one.pairs.measures[0]
        method = one.pairs.comparison.method
        yield report_charts.forest(one.pairs.of(measure), method.alpha, method.confidence, one.first)
        yield report_charts.bars(one.pairs, measure, positions, less_is_better=measure in one.board.lower)
    if one.readers is not None:
        for by in dict.fromkeys(sweep.by for sweep in one.readers.sweeps):
            yield report_charts.reader_strips(one.readers, by, positions)
        for sweep in one.readers.of(*one.readers.pairs[0]):
            yield report_charts.reader_gap(sweep, positions)


def _names(report: Report, some: Sequence[Figure]) -> list[str]:
    pictures = [f"{figure.name}{ending}" for figure in some for ending in ENDINGS]
    return [*pictures, *(f"{table.name}.{ending}" for table in tables(report) for ending in ("csv", "tex"))]


def refuse_replacing(folder: str, *, overwrite: bool) -> None:
    """Raise, before any work is done, where a folder holds the figures of a report and they may not be replaced."""
    _refuse(Path(folder), _ALWAYS, overwrite=overwrite)


def _refuse(place: Path, names: Sequence[str], *, overwrite: bool) -> None:
    there = [name for name in names if (place / name).exists()]
    if there and not overwrite:
        raise UsageError(
            f"{place / there[0]} is there already; choose another folder, or replace it with --overwrite."
        )


def write_figures(
    report: Report, folder: str, *, overwrite: bool = False, progress: Progress | None = None
) -> list[str]:
    """Write them all into a folder, which is made if it is not there; nothing is replaced unless that is asked for."""
    place = Path(folder)
    drawn_figures = list(figures(report))
    _refuse(place, _names(report, drawn_figures), overwrite=overwrite)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise DataError(f"{folder} cannot be made: {fault.strerror}.") from None
    written = []
    for number, figure in enumerate(drawn_figures):
        if progress:
            progress("figures", number, len(drawn_figures))
        for ending in ENDINGS:
            put(rendered(figure.spec, ending), str(place / f"{figure.name}{ending}"), overwrite=overwrite)
            written.append(f"{figure.name}{ending}")
    for table in tables(report):
        for ending, content in (("csv", table.table.csv()), ("tex", table.latex())):
            put(
                content.encode("utf-8", "surrogateescape"),
                str(place / f"{table.name}.{ending}"),
                overwrite=overwrite,
            )
            written.append(f"{table.name}.{ending}")
    return written
