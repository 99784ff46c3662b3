"""report: judgments and runs in, one page out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from gainful.comparisons import Method
from gainful.errors import UsageError
from gainful.formats.ids import shown as plain
from gainful.formats.runs import runs_of
from gainful.judging.settings import check_keywords
from gainful.measures import Measure
from gainful.presentation.numbers import counted
from gainful.reports.board import Board
from gainful.reports.page import Evaluated, Progress, Report
from gainful.reports.provenance import date, versions
from gainful.reports.sections import evaluated
from gainful.reports.simulation_section import Simulated, read_simulation
from gainful.scores import DEFAULT, Evaluating


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

    >>> made = report({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}, "q2": {"x": 1.0}}, "RR, P@1")
    >>> made.evaluated.board.cell("run", "P@1").mean
    0.5
    """
    check_keywords(report, evaluating, Evaluating)
    if shown is not None and (isinstance(shown, bool) or shown < 1):
        raise UsageError(f"shown must be 1 or more, or None for as much as a page can hold; got {shown}.")
    command = None if command is None else plain(command)
    simulated = None if simulation is None else read_simulation(os.fsdecode(simulation))
    if qrels is None or runs is None:
        if simulated is None:
            raise UsageError("a report needs judgments and runs, or a filter simulation.")
        made = None
    else:
        made = evaluated(
            qrels,
            runs_of(runs, evaluating.get("names")),
            measures,
            documents=documents,
            shown=shown,
            method=method or Method(),
            evaluating=evaluating,
            command=command,
            progress=progress,
        )
    return Report(
        title=plain(title) if title else _title(made, simulated),
        evaluated=made,
        simulated=simulated,
        command=command,
        versions=versions(),
        date=date(),
    )


def _title(made: Evaluated | None, simulated: Simulated | None) -> str:
    if made is None:
        assert simulated is not None
        return f"{counted(sum(row.learns for row in simulated.rows), 'rule')} on one stream"
    return _named(made.board)


def _named(made: Board) -> str:
    """The systems and topics, in a line."""
    names = [plain(system) for system in made.systems]
    topics = counted(made.topics, "topic")
    if len(names) > 3:
        return f"{len(names)} systems on {topics}"
    said = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{said} on {topics}"
