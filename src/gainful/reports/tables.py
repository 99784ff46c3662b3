"""Tables of a report: what each of them holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gainful.formats.ids import shown
from gainful.presentation.numbers import fixed, p_value, percent, signed
from gainful.presentation.table import Cell, Table
from gainful.reports.page import Evaluated, Report
from gainful.reports.simulation_section import Simulated
from gainful.reports.table import ReportTable


def tables(report: Report, *, places: int = 4) -> list[ReportTable]:
    """Every table of a report."""
    made: list[ReportTable] = []
    if report.evaluated is not None:
        made += _of_runs(report.evaluated, places)
    if report.simulated is not None:
        made.append(rules(report.simulated, places))
    return made


def _of_runs(one: Evaluated, places: int) -> Iterator[ReportTable]:
    if len(one.board.lines) > 1:
        yield leads(one, places)
    yield scores(one, places)
    if (sure := intervals(one, places)).table.rows:
        yield sure
    if one.pairs is not None:
        yield pairs(one, places)
    if one.readers is not None:
        yield readers(one)
    yield topics(one, places)
    yield sources(one)


def leads(one: Evaluated, places: int) -> ReportTable:
    """Who leads on what."""
    rows = [
        {
            "measure": lead.measure,
            "first": shown(lead.leader),
            "mean": lead.mean,
            "next": None if lead.behind is None else shown(lead.behind),
            "ahead by": lead.ahead_by,
            "p": lead.p,
            "the two": lead.words,
        }
        for lead in one.verdict.leads
    ]
    looks = {"mean": _number(places), "ahead by": _number(places), "p": p_value}
    return ReportTable("leaders", "Who is first on what", Table.of(rows, looks, 2))


def scores(one: Evaluated, places: int) -> ReportTable:
    """Systems × measures; systems that share a letter cannot be told apart."""
    looks = {measure: _number(0 if measure.startswith("Num") else places) for measure in one.board.measures}
    rows: list[dict[str, Any]] = [
        {"system": shown(line.system)}
        | {
            measure: Cell(looks[measure](cell.mean), cell.mean, raised=cell.letters)
            for measure, cell in line.cells.items()
        }
        for line in one.board.lines
    ]
    said = "Systems that share a letter in a column cannot be told apart. " if one.board.compared else ""
    return ReportTable("scores", "Scores", Table.of(rows), said + one.board.stated)


def intervals(one: Evaluated, places: int) -> ReportTable:
    """How sure each mean is."""
    rows = [
        {
            "measure": measure,
            "system": shown(line.system),
            "mean": line.cells[measure].mean,
            "low": line.cells[measure].low,
            "high": line.cells[measure].high,
            **dict(zip(("rank from", "to"), line.cells[measure].ranks or (None, None), strict=True)),
        }
        for measure in one.board.measures
        for line in one.board.lines
        if line.cells[measure].low is not None or line.cells[measure].ranks is not None
    ]
    looks = dict.fromkeys(("mean", "low", "high"), _number(places))
    title = f"Means and ranks, {percent(one.board.confidence)} intervals"
    return ReportTable("intervals", title, Table.of(rows, looks, 2))


def pairs(one: Evaluated, places: int) -> ReportTable:
    """Every pair on every measure compared."""
    assert one.pairs is not None
    rows = []
    for pair in one.pairs.comparison.pairs:
        low, high = pair.interval
        rows.append(
            {
                "measure": str(pair.measure),
                "A": shown(pair.a),
                "B": shown(pair.b),
                "B − A": pair.difference,
                "low": low,
                "high": high,
                "p": pair.p_value,
                "p adjusted": pair.p_adjusted,
                "effect": pair.effect_size,
                "wins": pair.wins,
                "ties": pair.ties,
                "losses": pair.losses,
            }
        )
    sign = _signed(places)
    looks = {
        "B − A": sign,
        "low": sign,
        "high": sign,
        "effect": _signed(2),
        "p": p_value,
        "p adjusted": p_value,
    }
    return ReportTable("pairs", "Pairs of systems", Table.of(rows, looks, 3), one.pairs.comparison.stated())


def topics(one: Evaluated, places: int) -> ReportTable:
    """Every topic: what there was to find, and the first measure over systems."""
    measure = one.board.measures[0]
    rows = []
    for topic, (median, low, high) in zip(one.topics.topics, one.topics.difficulty(measure), strict=True):
        rows.append(
            {
                "topic": shown(topic.id),
                "relevant": topic.relevant,
                "judged": topic.judged,
                f"{measure} median": median,
                f"{measure} lowest": low,
                f"{measure} highest": high,
            }
        )
    looks: dict[str, Callable[[Any], str]] = {
        head: _number(places) for head in rows[0] if head.startswith(measure)
    }
    looks["judged"] = _share
    return ReportTable("topics", "Topics", Table.of(rows, looks), "Median, lowest and highest over systems.")


def readers(one: Evaluated) -> ReportTable:
    """For which readers which system is better."""
    assert one.readers is not None
    rows = [
        {
            "by": found.by,
            "pair": " or ".join(map(shown, found.systems)),
            "from": found.start,
            "to": found.stop,
            "better": "cannot be told" if found.leader is None else shown(found.leader),
        }
        for found in one.readers.crossovers
    ]
    looks = {"from": "{:g}".format, "to": "{:g}".format}
    return ReportTable("readers", "Who is served better by whom", Table.of(rows, looks, 2), one.readers.how())


def sources(one: Evaluated) -> ReportTable:
    """Where the numbers come from."""
    rows = [
        {
            "run": shown(run.name),
            "file": None if run.path is None else shown(run.path),
            "topics": run.topics,
            "missing": run.missing,
            "judged@10": run.judged,
            "digest": run.digest,
        }
        for run in one.data.runs
    ]
    return ReportTable("runs", "Runs", Table.of(rows, {"judged@10": _share}, 2), one.data.stated)


def rules(made: Simulated, places: int) -> ReportTable:
    """Rules side by side."""
    rows = [
        {
            "rule": row.name,
            **{measure: row.mean.get(measure) for measure in made.measures},
            "silent": row.silent_topics,
            "negative": row.negative_topics,
        }
        for row in made.rows
    ]
    looks = {measure: _number(0 if measure.startswith("Num") else places) for measure in made.measures}
    return ReportTable("rules", "Rules side by side", Table.of(rows, looks), made.stated)


def _number(places: int) -> Callable[[Any], str]:
    return lambda value: fixed(value, places)


def _signed(places: int) -> Callable[[Any], str]:
    return lambda value: signed(value, places)


def _share(value: float) -> str:
    return percent(value, 0)
