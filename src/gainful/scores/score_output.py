"""Scores in every format: tables for people (text, Markdown, LaTeX, HTML), files for programs (trec_eval, CSV, JSON, Parquet)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gainful.formats.ids import shown, shown_texts, to_bytes
from gainful.measures import Measure
from gainful.presentation.text_style import NARROW, UNDEFINED, Screen, fixed, latex
from gainful.scores.score_set import RunScores, Scores

if TYPE_CHECKING:
    from gainful.presentation.table import Cell, Table

ALL = "all"
"""Stands for a topic where the value is the summary of all topics."""


def table(scores: Scores, *, per_topic: bool, places: int, screen: Screen = NARROW) -> str:
    """Runs as rows and measures as columns; a single run stands upright. The settings close it."""
    upright = len(scores.runs) == 1 and not per_topic
    grid = _upright(scores.runs[0], places) if upright else _grid(scores, per_topic, places)
    return f"{grid.text(screen)}\n\n{screen.filled(stated(scores.runs))}\n"


def html(scores: Scores) -> str:
    """A table for a notebook, the settings below it."""
    grid = _grid(scores, False, 4, bold=True) if len(scores.runs) > 1 else _upright(scores.runs[0], 4)
    from gainful.presentation.page import page

    return page([grid], [], stated(scores.runs), "html")


def run_table(run: RunScores) -> str:
    """One run: its measures, the settings below them."""
    return f"{_upright(run, 4).text(NARROW)}\n\n{NARROW.filled(stated([run]))}\n"


def run_html(run: RunScores) -> str:
    """One run in a notebook: its measures, the settings below them."""
    from gainful.presentation.page import page

    return page([_upright(run, 4)], [], stated([run]), "html")


def _upright(run: RunScores, places: int) -> Table:
    from gainful.presentation.table import Table  # which JSON does without

    rows = [[str(measure), _mean(run, measure, places)] for measure in run.measures]
    return Table(["measure", shown(run.name)], rows)


def _mean(run: RunScores, measure: Measure, places: int) -> str:
    """The summary of a measure; where it is expected over the orders of ties, with that of the worst and the best order."""
    name = str(measure)
    numbers = [run.mean[name]]
    intervals = getattr(run, "intervals", None)
    if intervals or run.settings.ties == "expected":
        numbers += (intervals or run.tie_bounds).get(name, ())
    value, *bounds = (fixed(number, places, whole=measure.whole_numbers) for number in numbers)
    return f"{value} [{', '.join(bounds)}]" if bounds else value


def markdown(scores: Scores, *, per_topic: bool, places: int) -> str:
    """A table for a page, the settings below it."""
    return f"{_grid(scores, per_topic, places).markdown()}\n\n{stated(scores.runs)}\n"


def booktabs(scores: Scores, *, per_topic: bool, places: int) -> str:
    """A LaTeX table, the best of each measure in bold, the settings as a comment above it."""
    return f"% {latex(stated(scores.runs))}\n{_grid(scores, per_topic, places, bold=True).latex()}\n"


def _grid(scores: Scores, per_topic: bool, places: int, *, bold: bool = False) -> Table:
    from gainful.presentation.table import Cell, Table

    names = [str(measure) for measure in scores.measures]
    if not per_topic:
        best = _best(scores) if bold and len(scores) > 1 else {}
        body: list[list[str | Cell]] = [
            [
                shown(run.name),
                *(
                    Cell(
                        _mean(run, measure, places),
                        bold=run.mean[name] == best.get(name),
                    )
                    for name, measure in zip(names, scores.measures, strict=True)
                ),
            ]
            for run in scores
        ]
        return Table(["run", *names], body)
    rows = [row for run in scores for row in _topic_rows(run, places, scores.queries)]
    heads = ["run", "topic", *(["query"] if scores.queries else []), *names]
    missed: list[str] = []
    if scores.texts is not None:
        from gainful.scores.missed_documents import missed_documents

        missed = missed_documents(scores)
    if missed:
        heads, rows = [*heads, "misses"], [[*row, cell] for row, cell in zip(rows, missed, strict=True)]
    if len(scores) == 1:
        heads, rows = heads[1:], [row[1:] for row in rows]
    words = heads.index(names[0])
    texts = [words - 1] * bool(scores.queries) + [len(heads) - 1] * bool(missed)
    return Table(heads, rows, [*range(words), *texts], texts)


def _best(scores: Scores) -> dict[str, float]:
    """The best value of each measure; nothing is best where all are alike."""
    best = {}
    for measure in scores.measures:
        name = str(measure)
        values = [run.mean[name] for run in scores if not math.isnan(run.mean[name])]
        if values and min(values) < max(values):
            best[name] = min(values) if measure.less_is_better else max(values)
    return best


def _topic_rows(run: RunScores, places: int, queries: Mapping[str, str]) -> Iterator[list[str]]:
    named = [(str(measure), measure) for measure in run.measures]
    for topic, values in [*run.per_topic.items(), (ALL, run.mean)]:
        cells = (
            fixed(values[name], places, whole=measure.whole_numbers) if name in values else UNDEFINED
            for name, measure in named
        )
        query = [shown(queries.get(topic, ""))] if queries else []
        yield [shown(run.name), shown(topic), *query, *cells]


def stated(runs: Sequence[RunScores]) -> str:
    """How many topics count, how many of them have nothing to find, and the settings.

    Which topics have nothing to find, and in which measures, is in the JSON.
    """
    counts = sorted({run.number_evaluated for run in runs})
    number = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    said = f"{number} topic{'' if counts == [1] else 's'}"
    undefined = [run.undefined for run in runs]
    measures = {measure for of_run in undefined for measure in of_run}
    topics = {topic for of_run in undefined for where in of_run.values() for topic in where}
    if topics:
        said += f", {len(topics):,} undefined"
    if topics and len(measures) < len(runs[0].measures):
        said += f" in {'some measures' if len(measures) > 1 else measures.pop()}"
    design = getattr(runs[0], "stated_design", None)
    said += f" · {design}" if design else ""
    common, dialect = runs[0].settings.stated(), getattr(runs[0], "dialect", None)
    if dialect is None:
        return f"{said} · {common}"
    others = [
        str(measure)
        for number, measure in enumerate(runs[0].measures)
        if runs[0].settings_of(number) != runs[0].settings
    ]
    also = f" · other conventions: {', '.join(others)}" if others else ""
    return f"{said} · dialect: {dialect} · {common}{also}"


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
    """What trec_eval calls each measure; a second name too where it is one of a series: Rprec is Rprec_mult_1.00.

    In a dialect measures are named as that tool names them.
    """
    if scores.dialect is not None:
        return [(str(measure), measure) for measure in scores.measures]
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
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "topic", "measure", "value", "settings"])
    dialect = f"dialect {scores.dialect}; " * (scores.dialect is not None)
    settings = {
        str(measure): dialect + scores.runs[0].settings_of(number).short()
        for number, measure in enumerate(scores.measures)
    }
    for run, topic, measure, value in _long(scores, per_topic):
        writer.writerow([run, topic, measure, repr(value), settings[measure]])
    return text.getvalue()


def as_dict(scores: Scores, *, per_topic: bool) -> dict[str, Any]:
    """Everything, in the layout of the JSON output."""
    from gainful import __version__

    others = _other_settings(scores)
    return {
        "gainful": __version__,
        **({} if scores.dialect is None else {"dialect": scores.dialect}),
        "settings": scores.settings.to_dict(),
        **({"settings_of_measures": others} if others else {}),
        "qrels": {
            "path": None if scores.judgments.path is None else shown(scores.judgments.path),
            "digest": scores.judgments.digest,
            "topics": len(scores.judgments.topics),
            "judgments": len(scores.judgments),
            **_design(scores),
        },
        **({"queries": shown_texts(scores.queries)} if per_topic and scores.queries else {}),
        "runs": [run.to_dict(per_topic=per_topic) for run in scores.runs],
    }


def _design(scores: Scores) -> dict[str, Any]:
    """How documents were chosen, and which models labelled them, where that was said."""
    said: dict[str, Any] = {}
    if getattr(scores.judgments, "inclusion", None) is not None:
        from gainful.scores.estimated_scores import design_to_dict

        said["design"] = design_to_dict(scores.judgments)
    if getattr(scores.judgments, "models", ()):
        values = getattr(scores.runs[0], "models", None)
        names = [model.name for model in scores.judgments.models]
        said["models"] = {"names": names} if values is None else values.to_dict()
    return said


def _other_settings(scores: Scores) -> dict[str, dict[str, Any]]:
    """For each measure of a dialect that has conventions of its own, those that differ from the settings."""
    common, own = scores.settings.to_dict(), {}
    for number, measure in enumerate(scores.measures if scores.runs else ()):
        said = scores.runs[0].settings_of(number).to_dict()
        own[str(measure)] = {name: said[name] for name in said if said[name] != common[name]}
    return {measure: settings for measure, settings in own.items() if settings}


def run_dict(run: RunScores, *, per_topic: bool) -> dict[str, Any]:
    """The run's part of the JSON output."""
    output: dict[str, Any] = {
        "name": shown(run.name),
        "path": None if run.path is None else shown(run.path),
        "digest": run.digest,
        **({} if run.user is None else {"user": shown(run.user)}),
        "topics": {
            "evaluated": run.number_evaluated,
            "missing": list(map(shown, run.missing)),
            "extra": list(map(shown, run.extra)),
            "undefined": {measure: list(map(shown, topics)) for measure, topics in run.undefined.items()},
        },
        "mean": run.mean,
    }
    if run.tie_bounds:
        output["ties"] = {name: {"worst": low, "best": high} for name, (low, high) in run.tie_bounds.items()}
    if per_topic:
        output["per_topic"] = {shown(topic): values for topic, values in run.per_topic.items()}
    return output


def flat_dict(scores: Scores) -> dict[str, float]:
    """Means by names that experiment trackers accept, the run's name first if there are several."""
    alone = len(scores.runs) == 1
    return {
        _tracked(measure) if alone else f"{_tracked(run.name)}/{_tracked(measure)}": value
        for run in scores.runs
        for measure, value in run.mean.items()
    }


def _tracked(name: str) -> str:
    plain = name.replace("@", "_at_").translate(str.maketrans("(,", "..", ")"))
    return re.sub(r"[^A-Za-z0-9_.-]", "_", plain)


def json(scores: Scores, *, per_topic: bool, places: int) -> str:  # noqa: ARG001 (all views are called alike)
    """Everything, values in full."""
    import msgspec

    raw = msgspec.json.format(msgspec.json.encode(as_dict(scores, per_topic=per_topic)), indent=2)
    return raw.decode() + "\n"


def jsonl(scores: Scores, *, per_topic: bool, places: int) -> str:  # noqa: ARG001 (all views are called alike)
    """A record for each run, topic and measure, values in full; the settings first."""
    import msgspec

    encode = msgspec.json.encode
    head = {key: value for key, value in as_dict(scores, per_topic=False).items() if key != "runs"}
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


def arrow(scores: Scores) -> object:
    """An Arrow stream with a row for each run, topic that counts, and measure."""
    from gainful._core import arrow_stream

    rows = [(shown(run), shown(topic), measure, value) for run, topic, measure, value in scores.rows()]
    runs, topics, measures, values = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [])
    texts = {"run": runs, "topic": topics, "measure": measures}
    return arrow_stream([*((name, "u", column) for name, column in texts.items()), ("value", "g", values)])


FORMS: dict[str, Callable[..., str | bytes]] = {
    "table": table,
    "markdown": markdown,
    "latex": booktabs,
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
