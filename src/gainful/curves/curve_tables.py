"""Curves as a table for people, and as CSV, JSON and Parquet for programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from gainful.curves.curve_chart import caption
from gainful.curves.curve_data import Curve, Curves, plain
from gainful.formats.ids import shown
from gainful.judging.settings import Settings
from gainful.presentation.page import page
from gainful.presentation.table import LONGEST, Table
from gainful.presentation.text_style import UNDEFINED, counted, cut_to, fixed

_ROWS = 30  # a table has no more, unless all points are asked for
_HEADS = ("run", "topic", "x_name", "y_name", "x", "y", "low", "high", "average", "role", "settings")


def table(curves: Curves, *, places: int) -> str:
    """Points as rows and runs as columns, a table for each measure and each topic that is shown alone."""
    groups = _together(curves)
    sentences = list(dict.fromkeys(line for group in groups for line in _left_out(group[0])))
    if len([curve for curve in curves if curve.role == "run" and curve.topic is None]) > 1:
        sentences += curves.dominance()
    closing = "\n".join(line for line in (caption(curves), curves.stated) if line)
    return page(
        [(cut_to(group[0].title, LONGEST), _table(group, places)) for group in groups],
        sentences,
        closing,
        "table",
    )


def curve_page(curve: Curve, form: str) -> str:
    """One curve alone, as "table" or "html"."""
    return page(
        [(cut_to(curve.title, LONGEST), _table([curve], 4))],
        _left_out(curve),
        counted(curve.topics, "topic"),
        form,
    )


def long_csv(curves: Curves, *, places: int) -> str:  # noqa: ARG001 - all views are called alike
    """A line for each point, values in full; the settings stand in each line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEADS)
    settings = Settings(**curves.settings).short()
    for curve in curves:
        nothing = [""] * len(curve)
        low = nothing if curve.band is None else list(map(_full, curve.band.low.tolist()))
        high = nothing if curve.band is None else list(map(_full, curve.band.high.tolist()))
        head = [shown(curve.run), "all" if curve.topic is None else shown(curve.topic), curve.x, curve.y]
        tail = [curve.average or "", curve.role, settings]
        for (x, y), least, most in zip(curve.points.tolist(), low, high, strict=True):
            writer.writerow([*head, plain(x), _full(y), least, most, *tail])
    return out.getvalue()


def json(curves: Curves, *, places: int) -> str:  # noqa: ARG001 - all views are called alike
    """Everything, values in full."""
    import msgspec

    return msgspec.json.encode(curves.to_dict()).decode() + "\n"


def parquet(curves: Curves, *, places: int) -> bytes:  # noqa: ARG001 - all views are called alike
    """A row for each point, values in full, NaN where there is no band; the settings are in the file's metadata."""
    from gainful import __version__
    from gainful.formats.parquet import Column, written

    words: dict[str, list[str]] = {
        name: [] for name in ("run", "topic", "x_name", "y_name", "average", "role")
    }
    numbers: dict[str, list[float]] = {name: [] for name in ("x", "y", "low", "high")}
    for curve in curves:
        topic = "all" if curve.topic is None else shown(curve.topic)
        said = (shown(curve.run), topic, curve.x, curve.y, curve.average or "", curve.role)
        for name, word in zip(words, said, strict=True):
            words[name] += [word] * len(curve)
        nothing = [math.nan] * len(curve)
        numbers["x"] += curve.points[:, 0].tolist()
        numbers["y"] += curve.points[:, 1].tolist()
        numbers["low"] += nothing if curve.band is None else curve.band.low.tolist()
        numbers["high"] += nothing if curve.band is None else curve.band.high.tolist()
    columns: list[Column] = [(name, "u", values) for name, values in words.items()]
    columns += [(name, "g", values) for name, values in numbers.items()]
    return written(columns, {"gainful": __version__, "settings": curves.stated})


VIEWS: dict[str, Callable[..., str | bytes]] = {
    "table": table,
    "csv": long_csv,
    "json": json,
    "parquet": parquet,
}


def html_table(curves: Curves) -> str:
    """The tables, one after the other."""
    tables = "".join(_table(group, 4).html() for group in _together(curves))
    return f"{tables}<p>{escape(caption(curves))}</p><p>{escape(curves.stated)}</p>"


def _together(curves: Curves) -> list[list[Curve]]:
    """Curves that share a table: the same measure, topic and points."""
    groups: dict[tuple[str, str | None, bytes], list[Curve]] = {}
    for curve in curves:
        groups.setdefault((curve.y, curve.topic, curve.points[:, 0].tobytes()), []).append(curve)
    return list(groups.values())


def _left_out(curve: Curve) -> list[str]:
    number = len(curve) - len(_chosen(curve))
    return [f"({number:,} of {len(curve):,} points left out; -f csv has them all)"] if number > 0 else []


def _table(curves: Sequence[Curve], places: int) -> Table:
    heads = [curves[0].x]
    for curve in curves:
        heads += [shown(curve.run)] if curve.band is None else [shown(curve.run), "low", "high"]
    rows = []
    for place in _chosen(curves[0]):
        row = [f"{round(float(curves[0].points[place, 0]), 4):.10g}"]
        for curve in curves:
            row.append(fixed(float(curve.points[place, 1]), places) if place < len(curve) else UNDEFINED)
            if curve.band is not None:
                row += [fixed(float(ends[place]), places) for ends in (curve.band.low, curve.band.high)]
        rows.append(row)
    areas = dict.fromkeys(name for curve in curves for name in curve.areas)
    return Table(heads, rows + [_areas(name, curves, places) for name in areas], names=0)


def _areas(name: str, curves: Sequence[Curve], places: int) -> list[str]:
    """The area under each curve, as a row."""
    row = [f"area, {name}"]
    for curve in curves:
        row.append(fixed(curve.areas.get(name, math.nan), places))
        row += ["", ""] if curve.band is not None else []
    return row


def _chosen(curve: Curve) -> list[int]:
    """All points of a short curve; of a long one the first ten, then fewer and fewer, and the last."""
    length = len(curve)
    if length <= _ROWS:
        return list(range(length))
    if len(np.unique(curve.points[:, 0])) < length:  # raw points: where recall is first reached, and the end
        return sorted({*np.unique(curve.points[:, 0], return_index=True)[1].tolist(), length - 1})
    if curve.x not in ("rank", "documents read", "effort"):
        return [round(place * (length - 1) / 20) for place in range(21)]
    ranks = [*range(1, 11), 15, *(lead * 10**power for power in range(1, 7) for lead in (2, 3, 5, 7, 10))]
    return [rank - 1 for rank in ranks if rank < length] + [length - 1]


def _full(value: float) -> str:
    return "" if math.isnan(value) else repr(value)
