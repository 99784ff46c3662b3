"""report: judgments and runs in, one page out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from gainful.comparisons import Method
from gainful.errors import UsageError
from gainful.formats.ids import shown as plain
from gainful.formats.runs import Run, read_again, runs_of
from gainful.judging.settings import check_keywords
from gainful.measures import Measure
from gainful.presentation.numbers import counted, listed
from gainful.reports.data_section import date, versions
from gainful.reports.report_document import Report
from gainful.reports.report_results import Progress, Results, by_run
from gainful.reports.section_registry import report_sections
from gainful.reports.simulation_section import read_simulation
from gainful.scores import DEFAULT, Evaluating, Scores, evaluate


def report(
    qrels: Any = None,
    runs: Any = None,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT,
    *,
    simulation: str | os.PathLike[str] | None = None,
    documents: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    shown: int | None = None,
    method: Method | None = None,
    title: str | None = None,
    command: str | None = None,
    progress: Progress | None = None,
    **evaluating: Unpack[Evaluating],
) -> Report:
    """One page on runs against judgments, on a filter simulation, or on both.

    qrels, runs  as for `evaluate`; leave them out for a page on a simulation alone
    measures     the first one orders the systems and decides the verdict
    simulation   what `gainful filter simulate -f json` wrote
    documents    titles and texts: JSON lines with id, title, text, or a mapping
    shown        documents of each list that are shown; 50, or fewer where a page could not hold so many
    method       how systems are compared: `gainful.comparisons.Method(baseline="bm25")`
    title        of the page
    command      that made it, for the page to state
    progress     is called now and then, with what is being done, how much is done and how much there is

    Further keywords are those of `evaluate`: topics, known, expected, threads, names, and the fields of `gainful.Settings`.

    Runs are held in memory while the report is made: their files are opened once for scores and lists, and once more to
    check the lines themselves.

    >>> made = report({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {"x": 1.0}}, "RR, P@1")
    >>> made["scores"].cell("run", "P@1").mean
    0.5
    """
    check_keywords(report, evaluating, Evaluating)
    if shown is not None and (isinstance(shown, bool) or shown < 1):
        raise UsageError(f"shown must be 1 or more, or None for as many as a page can hold; got {shown}.")
    command = None if command is None else plain(command)
    simulated = None if simulation is None else read_simulation(os.fsdecode(simulation))
    if (qrels is None or runs is None) and simulated is None:
        raise UsageError("a report needs judgments and runs, or a filter simulation.")
    scores = None
    held: list[Run] = []
    if qrels is not None and runs is not None:
        given = runs_of(runs, evaluating.get("names"))
        tell = by_run(progress, "reading", len(given))
        for run in given:
            held.append(read_again(run).in_memory())
            if tell:
                tell(run.name, 0, None)
        scores = evaluate(qrels, held, measures, **evaluating)
    results = Results(scores, held, simulated, method or Method(), documents, shown, progress)
    sections = {kind.name: section for kind in report_sections() if (section := results.section(kind))}
    return Report(
        title=plain(title) if title else _title(results),
        sections=sections,
        command=command,
        versions=versions(),
        date=date(),
    )


def _title(results: Results) -> str:
    """The systems and topics, or the rules, in a line."""
    if results.scores is None:
        assert results.simulation is not None
        return f"{counted(sum(row.learns for row in results.simulation.rows), 'rule')} on one stream"
    return f"{_systems(results.scores, results.systems)} on {counted(len(results.scores.runs[0].topics), 'topic')}"


def _systems(scores: Scores, systems: Iterable[str]) -> str:
    return f"{len(scores)} systems" if len(scores) > 3 else listed([plain(system) for system in systems])
