"""Scores as text: tables for people and papers, trec_eval's layout, CSV, JSON and Parquet for programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator

from gainful.formats.ids import shown, to_bytes
from gainful.measures import Measure
from gainful.presentation.numbers import fixed
from gainful.presentation.table import Cell, Table, latex
from gainful.scores import RunScores, Scores

ALL = "all"


def table(scores: Scores, *, per_topic: bool, places: int) -> str:
    """Runs as rows and measures as columns; a single run stands upright. The settings close it."""
    if len(scores.runs) > 1 or per_topic:
        grid = _grid(scores, per_topic, places)
    else:
        (run,) = scores.runs
        values = zip(scores.measures, run.mean.values(), strict=True)
        rows = [
            [str(measure), fixed(value, places, whole=measure.whole_numbers)] for measure, value in values
        ]
        grid = Table(["measure", shown(run.name)], rows)
    return f"{grid.text()}\n\n{_closing(scores)}\n"


def markdown(scores: Scores, *, per_topic: bool, places: int) -> str:
    """A table for a page, the settings below it."""
    return f"{_grid(scores, per_topic, places).markdown()}\n\n{_closing(scores)}\n"


def booktabs(scores: Scores, *, per_topic: bool, places: int) -> str:
    """A LaTeX table, the best of each measure in bold, the settings as a comment above it."""
    return f"% {latex(_closing(scores))}\n{_grid(scores, per_topic, places, bold=True).latex()}\n"


def trec(scores: Scores, *, per_topic: bool, places: int) -> str:
    """trec_eval's own layout, names and order of topics (by the bytes of their ids); each topic before the summary."""
    lines = []
    named = _trec_names(scores)
    for run in scores:
        if per_topic:
            for topic in sorted(run.per_topic, key=to_bytes):
                values = run.per_topic[topic]
                lines += [
                    _trec_line(name, shown(topic), measure, values[str(measure)], places)
                    for name, measure in named
                    if str(measure) in values and measure.name != "NumQ" and measure.summary != "geometric"
                ]
        lines.append(f"{'runid':<22}\t{ALL}\t{shown(run.tag or run.name)}")
        lines += [_trec_line(name, ALL, measure, run.mean[str(measure)], places) for name, measure in named]
    return "\n".join(lines) + "\n"


def _trec_names(scores: Scores) -> list[tuple[str, Measure]]:
    """What trec_eval calls each measure; a second name too where it is one of a series: Rprec is Rprec_mult_1.00."""
    named = [(measure.trec_name or str(measure), measure) for measure in scores.measures]
    for measure in scores.measures:
        for name in measure.trec_names[1:]:
            series = name.rpartition("_")[0]
            places = [at for at, (other, _) in enumerate(named) if other.rpartition("_")[0] == series]
            if places:
                before = [at for at in places if named[at][0] < name]
                named.insert(before[-1] + 1 if before else places[0], (name, measure))
    return named


def long_csv(scores: Scores, *, per_topic: bool, places: int) -> str:  # noqa: ARG001 (all views are called alike)
    """A line for each run, topic and measure, values in full; topic `all` is the summary; the settings in each line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "topic", "measure", "value", "settings"])
    settings = scores.settings.short()
    for run, topic, measure, value in _long(scores, per_topic):
        writer.writerow([run, topic, measure, repr(value), settings])
    return text.getvalue()


def json(scores: Scores, *, per_topic: bool, places: int) -> str:  # noqa: ARG001 (all views are called alike)
    """Everything, values in full."""
    import msgspec

    raw = msgspec.json.format(msgspec.json.encode(scores.to_dict(per_topic=per_topic)), indent=2)
    return raw.decode() + "\n"


def jsonl(scores: Scores, *, per_topic: bool, places: int) -> str:  # noqa: ARG001 (all views are called alike)
    """A record for each run, topic and measure, values in full; the settings first."""
    import msgspec

    encode = msgspec.json.encode
    head = {key: value for key, value in scores.to_dict(per_topic=False).items() if key != "runs"}
    rows = (
        dict(zip(("run", "topic", "measure", "value"), row, strict=True)) for row in _long(scores, per_topic)
    )
    return "\n".join(encode(record).decode() for record in [head, *rows]) + "\n"


def parquet(scores: Scores, *, per_topic: bool, places: int) -> bytes:  # noqa: ARG001 (all views are called alike)
    """A row for each run, topic and measure; the settings in the file's metadata."""
    from gainful.formats.parquet import Column, written

    runs, topics, measures, values = map(list, zip(*_long(scores, per_topic), strict=True))
    columns: list[Column] = [
        ("run", "u", runs),
        ("topic", "u", topics),
        ("measure", "u", measures),
        ("value", "g", values),
    ]
    return written(columns, {"gainful": json(scores, per_topic=False, places=0)})


VIEWS: dict[str, Callable[..., str | bytes]] = {
    "table": table,
    "trec": trec,
    "csv": long_csv,
    "json": json,
    "jsonl": jsonl,
    "markdown": markdown,
    "latex": booktabs,
    "parquet": parquet,
}


def _grid(scores: Scores, per_topic: bool, places: int, *, bold: bool = False) -> Table:
    names = [str(measure) for measure in scores.measures]
    if not per_topic:
        best = _best(scores) if bold and len(scores) > 1 else {}
        body: list[list[str | Cell]] = [
            [
                shown(run.name),
                *(
                    Cell(
                        fixed(run.mean[name], places, whole=measure.whole_numbers),
                        bold=run.mean[name] == best.get(name),
                    )
                    for name, measure in zip(names, scores.measures, strict=True)
                ),
            ]
            for run in scores
        ]
        return Table(["run", *names], body)
    rows = [row for run in scores for row in _topic_rows(run, places)]
    if len(scores) == 1:
        return Table(["topic", *names], [row[1:] for row in rows])
    return Table(["run", "topic", *names], rows, names=2)


def _best(scores: Scores) -> dict[str, float]:
    """The best value of each measure; nothing is best where all are alike."""
    best = {}
    for measure in scores.measures:
        name = str(measure)
        values = [run.mean[name] for run in scores if not math.isnan(run.mean[name])]
        if values and min(values) < max(values):
            best[name] = min(values) if measure.less_is_better else max(values)
    return best


def _long(scores: Scores, per_topic: bool) -> Iterator[tuple[str, str, str, float]]:
    for run in scores:
        topics = [*run.per_topic.items()] if per_topic else []
        for topic, values in [*topics, (ALL, run.mean)]:
            yield from ((shown(run.name), shown(topic), name, value) for name, value in values.items())


def _topic_rows(run: RunScores, places: int) -> Iterator[list[str]]:
    named = [(str(measure), measure) for measure in run.measures]
    for topic, values in [*run.per_topic.items(), (ALL, run.mean)]:
        cells = (
            fixed(values[name], places, whole=measure.whole_numbers) if name in values else "–"
            for name, measure in named
        )
        yield [shown(run.name), shown(topic), *cells]


def _trec_line(name: str, topic: str, measure: Measure, value: float, places: int) -> str:
    counts = measure.whole_numbers and value.is_integer()
    number = "–" if math.isnan(value) else f"{value:.{0 if counts else places}f}"
    return f"{name:<22}\t{topic}\t{number}"


def _closing(scores: Scores) -> str:
    """How many topics count, how many of them have nothing to find, and the settings.

    Which topics have nothing to find, and in which measures, is in the JSON.
    """
    counts = sorted({int(run.evaluated.sum()) for run in scores.runs})
    number = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    said = f"{number} topic{'' if counts == [1] else 's'}"
    measures = {measure for run in scores.runs for measure in run.undefined}
    topics = {topic for run in scores.runs for where in run.undefined.values() for topic in where}
    if topics:
        said += f", {len(topics):,} undefined"
    if topics and len(measures) < len(scores.measures):
        said += f" in {'some measures' if len(measures) > 1 else measures.pop()}"
    return f"{said} · {scores.settings.stated()}"
