"""Scores for programs: trec_eval's layout, CSV, JSON, JSON lines and Parquet."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator

from gainful.formats.ids import shown, to_bytes
from gainful.measures import Measure
from gainful.scores import Scores
from gainful.scores.score_tables import ALL


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


FILES: dict[str, Callable[..., str | bytes]] = {
    "trec": trec,
    "csv": long_csv,
    "json": json,
    "jsonl": jsonl,
    "parquet": parquet,
}


def _long(scores: Scores, per_topic: bool) -> Iterator[tuple[str, str, str, float]]:
    for run in scores:
        topics = [*run.per_topic.items()] if per_topic else []
        for topic, values in [*topics, (ALL, run.mean)]:
            yield from ((shown(run.name), shown(topic), name, value) for name, value in values.items())


def _trec_line(name: str, topic: str, measure: Measure, value: float, places: int) -> str:
    counts = measure.whole_numbers and value.is_integer()
    number = "–" if math.isnan(value) else f"{value:.{0 if counts else places}f}"
    return f"{name:<22}\t{topic}\t{number}"
