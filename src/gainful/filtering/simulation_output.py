"""A simulation as text and data: a table for people, Markdown for a page, CSV and JSON for programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.method import Method
from gainful.comparisons.score_table import ScoreTable
from gainful.errors import UsageError
from gainful.filtering.experiment import Conditions
from gainful.filtering.profile_models import model_name
from gainful.filtering.reliability import expected_at_cutoffs, reliability
from gainful.filtering.simulation import HINDSIGHT, Row, Simulation
from gainful.filtering.vectors import Floats
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.table import Table
from gainful.presentation.text_style import UNDEFINED, fixed, p_value, signed

if TYPE_CHECKING:
    from gainful.comparisons.comparison import Comparison
    from gainful.filtering.replay import Replay
    from gainful.filtering.simulation import Simulation


def compared(
    simulation: Simulation, *, measure: str | None = None, baseline: str | None = None
) -> Comparison:
    """Every row against one of them.

    measure   the first one measured, unless named
    baseline  the row that the others are compared with; the first, unless named
    """
    names = [row.name for row in simulation.rows]
    against = names[0] if baseline is None else baseline
    if against not in names:
        raise UsageError(f"there is no row '{against}' to compare with; there are {', '.join(names)}")
    table = ScoreTable.of_scores(simulation.scores).select([measure or str(simulation.scores.measures[0])])
    return compare_scores(table, Method(baseline=against))


_MOST = 600  # points of a curve; more cannot be seen
_THRESHOLDS = ("theta", "theta_opt", "theta_zero")


def simulation_dict(simulation: Simulation, *, per_topic: bool = True) -> dict[str, Any]:
    """A simulation in the layout of the JSON output."""
    from gainful import __version__

    conditions = simulation.conditions
    return {
        "gainful": __version__,
        "kind": "filter simulation",
        "settings": {
            "documents": len(simulation.documents),
            "reference": conditions.reference,
            "topics": len(simulation.topics),
            "nothing_to_find": list(map(shown, simulation.nothing_to_find)),
            "examples": conditions.examples,
            "rel": conditions.rel,
            "utility": asdict(conditions.utility),
            "feedback": asdict(conditions.feedback),
            "schedule": asdict(conditions.schedule),
            "epochs": conditions.epochs,
            "epoch_ends": list(simulation.epoch_ends),
            "text": _text(conditions),
            "judgments": simulation.digest,
        },
        "measures": [str(measure) for measure in simulation.scores.measures],
        "rows": [_row_dict(row, simulation, per_topic) for row in simulation.rows],
        "traces": trace_dicts(simulation),
        "notes": list(simulation.notes),
    }


def _text(conditions: Conditions) -> dict[str, Any] | None:
    """How text became terms; None where documents carry their own vectors."""
    how = conditions.analyzer
    if how is None:
        return None
    return {
        "language": how.language,
        "stop": how.stop,
        "title_weight": how.title_weight,
        "body_weight": how.body_weight,
    }


def _row_dict(row: Row, of: Simulation, per_topic: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": row.name,
        "rule": None
        if row.variant is None
        else {"name": row.variant.rule.name, **row.variant.rule.parameters},
        "profile": None
        if row.variant is None
        else {"name": model_name(row.variant.profile), **asdict(row.variant.profile)},
        "mean": row.scores.mean,
        "silent_topics": row.silent,
        "negative_topics": row.negative,
        "over_time": row.over_time,
    }
    if per_topic:
        record["per_topic"] = {
            shown(topic): {
                **row.scores.per_topic.get(topic, {}),
                "relevant": sum(document >= int(row.edges[0]) for document in of.relevant[number]),
                "delivered": [shown(of.documents[document]) for document in row.deliveries[number].tolist()],
                "theta": None if row.thresholds is None else _plain(row.thresholds[number, :, 0]),
                "best_theta": row.best[number] if row.best else None,
            }
            for number, topic in enumerate(of.topics)
        }
    return record


def _plain(values: Floats) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in values.tolist()]


def trace_dicts(simulation: Simulation) -> list[dict[str, Any]]:
    """Every trace, in the layout of the JSON output."""
    return [
        {"row": rule, "topic": shown(topic), **_trace(replay, simulation.relevant_to(topic))}
        for (rule, topic), replay in simulation.traces.items()
    ]


def _trace(replay: Replay, relevant: frozenset[int]) -> dict[str, Any]:
    last, curve = replay.last, replay.last.curve
    some = _spread(len(curve))
    expected, found = expected_at_cutoffs(last), reliability(last)
    names = () if expected is None else ("utility", "low", "high")
    return {
        "documents": [replay.start, replay.start + len(replay.scores)],
        "curve": {
            "nothing": curve.nothing,
            "score": curve.score[some].tolist(),
            "utility": curve.utility[some].tolist(),
            "expected": {name: getattr(expected, name)[some].tolist() for name in names} or None,
        },
        "calibration": None if found is None else asdict(found),
        "last": {name: _finite(getattr(last, name)) for name in (*_THRESHOLDS, "alpha")} | {"n": last.n},
        "thresholds": [
            {"seen": int(at), **{name: _finite(value) for name, value in zip(_THRESHOLDS, row, strict=False)}}
            for at, row in zip(replay.renewed.tolist(), replay.thresholds.tolist(), strict=True)
        ],
        "deliveries": [
            {
                "document": int(document),
                "score": float(replay.scores[document - replay.start]),
                "relevant": document in relevant,
            }
            for document in replay.deliveries.tolist()
        ],
    }


def _spread(length: int) -> Any:
    """Places spread over a curve: all at its top, where it bends, and fewer below."""
    if length <= _MOST:
        return np.arange(length)
    top = np.arange(_MOST // 2)
    return np.unique(np.concatenate([top, np.linspace(_MOST // 2, length - 1, _MOST // 2).astype(np.int64)]))


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


ALL = "all"
DELIVERIES = "deliveries"
_HEADS = {"NumRet": DELIVERIES}


def table(
    simulation: Simulation, *, per_topic: bool = False, places: int = 3, against: Comparison | None = None
) -> str:
    """A row for each variant; how it was made closes it."""
    return f"{grid(simulation, per_topic=per_topic, places=places, against=against).text()}\n\n{_foot(simulation, against)}\n"


def markdown(
    simulation: Simulation, *, per_topic: bool = False, places: int = 3, against: Comparison | None = None
) -> str:
    """A table for a page, and how it was made below it."""
    return f"{grid(simulation, per_topic=per_topic, places=places, against=against).markdown()}\n\n{_foot(simulation, against)}\n"


def grid(
    simulation: Simulation, *, per_topic: bool = False, places: int = 3, against: Comparison | None = None
) -> Table:
    """The cells of the table."""
    measures = simulation.scores.measures
    heads = [_HEADS.get(str(measure), str(measure)) for measure in measures]
    if per_topic:
        body = [cells for row in simulation.rows for cells in _topic_cells(row, measures, places)]
        return Table(["rule", "topic", *heads], body, names=2)
    body = []
    ps = _p_values(against)
    for row in simulation.rows:
        cells = [_number(measure, row.scores.mean[str(measure)], places) for measure in measures]
        cells += [str(row.silent), str(row.negative)]
        if against is not None:
            cells.append(ps.get(row.name, UNDEFINED))
        body.append([shown(row.name), *cells])
    return Table(["rule", *heads, "silent", "negative", *(["p"] if against is not None else [])], body)


def over_time(simulation: Simulation, name: str, *, parts: int = 5) -> str:
    """What one row did over time, all topics together, in some parts of the stream."""
    windows = simulation[name].over_time
    size = max(1, len(windows) // parts)
    body = []
    for start in range(0, len(windows), size):
        some = windows[start : start + size]
        delivered, relevant, utility = (
            sum(_value(window[key]) for window in some) for key in ("delivered", "relevant", "utility")
        )
        precision = fixed(relevant / delivered if delivered else None, 2)
        theta = some[-1]["theta"]
        cells = [
            f"{delivered:.0f}",
            f"{relevant:.0f}",
            precision,
            signed(utility, 0),
            fixed(theta, 3),
        ]
        body.append([f"{_value(some[0]['from']):,.0f} to {_value(some[-1]['to']):,.0f}", *cells])
    return Table(["documents", DELIVERIES, "relevant", "precision", "utility", "theta"], body).text() + "\n"


def long_csv(simulation: Simulation, *, per_topic: bool = False, **_: object) -> str:
    """A line for each row, topic and measure, values in full; topic `all` is the mean, or the sum for deliveries."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["rule", "topic", "measure", "value", "settings"])
    settings = simulation.stated().replace(" · ", "; ")
    for row in simulation.rows:
        if per_topic:
            for topic, values in row.scores.per_topic.items():
                writer.writerows([shown(row.name), shown(topic), *pair, settings] for pair in _pairs(values))
        counts = {"silent": float(row.silent), "negative": float(row.negative)}
        writer.writerows(
            [shown(row.name), ALL, *pair, settings] for pair in _pairs({**row.scores.mean, **counts})
        )
    return text.getvalue()


def json(
    simulation: Simulation, *, per_topic: bool = False, against: Comparison | None = None, **_: object
) -> str:
    """Everything, values in full."""
    import msgspec

    whole = simulation.to_dict(per_topic=per_topic)
    if against is not None:
        whole["comparisons"] = {
            "baseline": against.method.baseline,
            "stated": against.stated(),
            "pairs": [pair.to_dict() for pair in against.pairs],
        }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


VIEWS: dict[str, Callable[..., str]] = {"table": table, "markdown": markdown, "csv": long_csv, "json": json}


def _foot(simulation: Simulation, against: Comparison | None) -> str:
    said = [simulation.stated()]
    if against is not None:
        said.append(f"p: {against.table.measures[0]} against {against.method.baseline} · {against.stated()}")
    if any(row.name.startswith(HINDSIGHT) for row in simulation.rows):
        said.append(
            "hindsight: for each topic, the single threshold on these scores that is best in retrospect"
        )
    return "\n".join(said)


def _p_values(against: Comparison | None) -> dict[str, str]:
    if against is None:
        return {}
    base = against.method.baseline
    return {(pair.b if pair.a == base else pair.a): p_value(pair.p_adjusted) for pair in against.pairs}


def _topic_cells(row: Row, measures: tuple[Measure, ...], places: int) -> list[list[str]]:
    lines = []
    for topic, values in [*row.scores.per_topic.items(), (ALL, row.scores.mean)]:
        cells = [_number(measure, values.get(str(measure), math.nan), places) for measure in measures]
        lines.append([shown(row.name), shown(topic), *cells])
    return lines


def _pairs(values: dict[str, float]) -> list[tuple[str, str]]:
    return [(name, repr(value)) for name, value in values.items()]


def _number(measure: Measure, value: float, places: int) -> str:
    return fixed(value, places, whole=measure.summary == "sum")


def _value(given: Any) -> float:
    return float(given)
