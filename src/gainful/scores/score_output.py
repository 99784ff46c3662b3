"""Scores in every format: tables for people (text, Markdown, LaTeX, HTML), files for programs (trec_eval, CSV, JSON, Parquet)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from gainful.formats.ids import from_bytes, shown, to_bytes
from gainful.measures import Measure
from gainful.presentation.page import page
from gainful.presentation.table import Cell, Table
from gainful.presentation.text_style import NARROW, UNDEFINED, Screen, fixed, latex
from gainful.scores.run_scores import RunScores
from gainful.scores.score_set import Scores

_TOP = 10  # ranks in which a missed document is looked for, where no measure has a cutoff

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
    return page([grid], [], stated(scores.runs), "html")


def run_table(run: RunScores) -> str:
    """One run: its measures, the settings below them."""
    return f"{_upright(run, 4).text(NARROW)}\n\n{NARROW.filled(stated([run]))}\n"


def run_html(run: RunScores) -> str:
    """One run in a notebook: its measures, the settings below them."""
    return page([_upright(run, 4)], [], stated([run]), "html")


def _upright(run: RunScores, places: int) -> Table:
    rows = [[str(measure), _mean(run, measure, places)] for measure in run.measures]
    return Table(["measure", shown(run.name)], rows)


def _mean(run: RunScores, measure: Measure, places: int) -> str:
    """The summary of a measure; where it is expected over the orders of ties, with that of the worst and the best order."""
    name = str(measure)
    value, *bounds = (
        fixed(number, places, whole=measure.whole_numbers)
        for number in (run.mean[name], *run.tie_bounds.get(name, ()))
    )
    return f"{value} [{', '.join(bounds)}]" if bounds else value


def markdown(scores: Scores, *, per_topic: bool, places: int) -> str:
    """A table for a page, the settings below it."""
    return f"{_grid(scores, per_topic, places).markdown()}\n\n{stated(scores.runs)}\n"


def booktabs(scores: Scores, *, per_topic: bool, places: int) -> str:
    """A LaTeX table, the best of each measure in bold, the settings as a comment above it."""
    return f"% {latex(stated(scores.runs))}\n{_grid(scores, per_topic, places, bold=True).latex()}\n"


def _grid(scores: Scores, per_topic: bool, places: int, *, bold: bool = False) -> Table:
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
    missed = _missed(scores)
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


def _missed(scores: Scores) -> list[str]:
    """For each row the best relevant document that the run lacks in its first ranks, with its title.

    Empty unless documents were given; those that lie beside the judgments are not read for this.
    """
    texts = scores.texts
    if texts is None or texts.documents is None or texts.documents in texts.found:
        return []
    depth = next((measure.cutoff for measure in scores.measures if measure.cutoff), _TOP)
    index, topics = scores.judgments.index, scores.judgments.topics
    starts = dict(zip(topics, pairwise(index.offsets.tolist()), strict=True))
    documents: list[str | None] = []
    for run in scores:
        judged = run.judged
        found = set(judged.row[judged.rank <= depth].tolist())
        for topic, counts in zip(run.topics, run.evaluated.tolist(), strict=True):
            rows = [row for row in range(*starts[topic]) if row not in found]
            best = max(rows, key=lambda row: float(index.grade[row]), default=None)
            relevant = best is not None and index.grade[best] >= (run.settings.rel or 1)
            if counts:
                documents.append(
                    from_bytes(index.documents(best, best + 1)[0]) if best is not None and relevant else None
                )
        documents.append(None)  # the row of all topics
    titles = texts.titles({document for document in documents if document is not None})
    return [
        "" if document is None else shown(f"{document} {titles.get(document, '')}".strip())
        for document in documents
    ]


def stated(runs: Sequence[RunScores]) -> str:
    """How many topics count, how many of them have nothing to find, and the settings.

    Which topics have nothing to find, and in which measures, is in the JSON.
    """
    counts = sorted({int(run.evaluated.sum()) for run in runs})
    number = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    said = f"{number} topic{'' if counts == [1] else 's'}"
    measures = {measure for run in runs for measure in run.undefined}
    topics = {topic for run in runs for where in run.undefined.values() for topic in where}
    if topics:
        said += f", {len(topics):,} undefined"
    if topics and len(measures) < len(runs[0].measures):
        said += f" in {'some measures' if len(measures) > 1 else measures.pop()}"
    dialect = getattr(runs[0], "dialect", None)
    common = f"{f'dialect: {dialect} · ' if dialect else ''}{runs[0].settings.stated()}"
    others = [
        str(measure)
        for number, measure in enumerate(runs[0].measures)
        if runs[0].settings_of(number) != runs[0].settings
    ]
    return f"{said} · {common}" + (f" · other conventions: {', '.join(others)}" if others else "")


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
