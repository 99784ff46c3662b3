"""Scores as text: a table for people, trec_eval's layout, CSV and JSON for programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Sequence

from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.scores import RunScores, Scores

ALL = "all"


def table(scores: Scores, *, per_topic: bool, places: int) -> str:
    """Runs as rows and measures as columns; a single run stands upright. The settings close it."""
    measures = [str(measure) for measure in scores.measures]
    if per_topic:
        heads = ["run", "topic", *measures]
        body = [row for run in scores for row in _topic_rows(run, measures, places)]
        if len(scores) == 1:
            heads, body = heads[1:], [row[1:] for row in body]
    elif len(scores) == 1:
        run = scores.runs[0]
        heads, body = (
            ["measure", shown(run.name)],
            [[name, _number(measure, run.mean[name], places)] for name, measure in _named(scores)],
        )
    else:
        heads = ["run", *measures]
        body = [
            [shown(run.name), *(_number(measure, run.mean[name], places) for name, measure in _named(scores))]
            for run in scores
        ]
    names = 2 if per_topic and len(scores) > 1 else 1
    return _aligned(heads, body, names) + f"\n{_evaluated(scores)} · {scores.settings.stated()}\n"


def trec(scores: Scores, *, per_topic: bool, places: int) -> str:
    """trec_eval's own layout and names; each topic's values before the summary, as there."""
    lines = []
    for run in scores:
        if per_topic:
            for topic, values in run.per_topic.items():
                for name, measure in _named(scores):
                    if name in values and measure.name != "NumQ" and measure.summary != "geometric":
                        lines.append(_trec_line(measure, shown(topic), values[name], places))
        lines.append(f"{'runid':<22}\t{ALL}\t{shown(run.tag or run.name)}")
        lines += [_trec_line(measure, ALL, run.mean[name], places) for name, measure in _named(scores)]
    return "\n".join(lines) + "\n"


def long_csv(scores: Scores, *, per_topic: bool, places: int) -> str:  # noqa: ARG001 (all views are called alike)
    """A line for each run, topic and measure, values in full; topic `all` is the summary; the settings stand in each line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "topic", "measure", "value", "settings"])
    settings = scores.settings.stated().replace(" · ", "; ")
    for run in scores:
        if per_topic:
            for topic, values in run.per_topic.items():
                writer.writerows(
                    [shown(run.name), shown(topic), name, repr(value), settings]
                    for name, value in values.items()
                )
        writer.writerows(
            [shown(run.name), ALL, name, repr(value), settings] for name, value in run.mean.items()
        )
    return text.getvalue()


def json(scores: Scores, *, per_topic: bool, places: int) -> str:  # noqa: ARG001 (all views are called alike)
    """Everything, values in full."""
    import msgspec

    raw = msgspec.json.format(msgspec.json.encode(scores.to_dict(per_topic=per_topic)), indent=2)
    return raw.decode() + "\n"


VIEWS: dict[str, Callable[..., str]] = {"table": table, "trec": trec, "csv": long_csv, "json": json}


def _named(scores: Scores) -> Iterator[tuple[str, Measure]]:
    return ((str(measure), measure) for measure in scores.measures)


def _topic_rows(run: RunScores, measures: Sequence[str], places: int) -> Iterator[list[str]]:
    by_name = dict(zip(measures, run.measures, strict=True))
    for topic, values in [*run.per_topic.items(), (ALL, run.mean)]:
        yield [
            shown(run.name),
            shown(topic),
            *(_number(by_name[name], values[name], places) if name in values else "–" for name in measures),
        ]


def _number(measure: Measure, value: float, places: int) -> str:
    if math.isnan(value):
        return "–"
    if measure.summary == "sum" and value.is_integer():
        return f"{value:.0f}"
    return f"{value:.{places}f}"


def _trec_line(measure: Measure, topic: str, value: float, places: int) -> str:
    return f"{measure.trec_name or str(measure):<22}\t{topic}\t{_number(measure, value, places)}"


def _evaluated(scores: Scores) -> str:
    counts = sorted({int(run.evaluated.sum()) for run in scores})
    number = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"{number} topic{'' if counts == [1] else 's'}"


def _aligned(heads: Sequence[str], body: Sequence[Sequence[str]], names: int) -> str:
    """Columns of text; the first `names` to the left, numbers to the right."""
    widths = [max(len(row[column]) for row in [heads, *body]) for column in range(len(heads))]
    lines = []
    for row in [heads, *body]:
        cells = [
            cell.ljust(width) if column < names else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(lines) + "\n"
