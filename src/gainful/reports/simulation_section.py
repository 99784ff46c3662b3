"""Filtering: what a simulation says, read from the JSON that `gainful filter simulate -f json` wrote."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace

from gainful.errors import DataError
from gainful.filtering.simulation import HINDSIGHT
from gainful.formats.ids import shown
from gainful.formats.sources import Source
from gainful.presentation.numbers import counted

_LARGEST = 1 << 30  # bytes


class Window(msgspec.Struct, frozen=True, rename={"start": "from", "stop": "to"}):
    """A part of the stream, all topics together."""

    start: int
    stop: int
    delivered: float
    relevant: float
    utility: float
    theta: float | None
    precision: float | None = None


class Row(msgspec.Struct, frozen=True):
    """One rule."""

    name: str
    mean: Mapping[str, float | None]
    silent_topics: int
    negative_topics: int
    over_time: tuple[Window, ...]

    @property
    def learns(self) -> bool:
        """Whether it decides as documents arrive; the best threshold in hindsight does not."""
        return not self.name.startswith(HINDSIGHT)

    @property
    def utility_so_far(self) -> list[tuple[int, float]]:
        """Documents seen, and utility until then."""
        edges = [self.over_time[0].start, *(one.stop for one in self.over_time)] if self.over_time else []
        return list(
            zip(edges, accumulate((one.utility for one in self.over_time), initial=0.0), strict=False)
        )


class CutoffCurve(msgspec.Struct, frozen=True):
    """Utility at each score at which the list could be cut."""

    nothing: float
    score: tuple[float, ...]
    utility: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.score) != len(self.utility):
            raise ValueError(f"{len(self.score)} scores and {len(self.utility)} utilities in a curve")


class Last(msgspec.Struct, frozen=True):
    """The threshold at the end."""

    theta: float | None
    theta_opt: float | None
    theta_zero: float | None
    alpha: float | None
    n: int


class Delivery(msgspec.Struct, frozen=True):
    """A document that was delivered."""

    document: int
    score: float
    relevant: bool


class Renewal(msgspec.Struct, frozen=True):
    """A threshold that was set when so many documents had been seen."""

    seen: int
    theta: float | None
    theta_opt: float | None
    theta_zero: float | None


class Trace(msgspec.Struct, frozen=True):
    """Everything that happened to one topic under one rule."""

    row: str
    topic: str
    documents: tuple[int, int]
    curve: CutoffCurve
    last: Last
    thresholds: tuple[Renewal, ...]
    deliveries: tuple[Delivery, ...]


class Simulated(msgspec.Struct, frozen=True):
    """A simulation, as the page shows it."""

    gainful: str
    settings: Mapping[str, Any]
    measures: tuple[str, ...]
    rows: tuple[Row, ...]
    kind: str = ""
    traces: tuple[Trace, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Row:
        """The rule that decides as documents arrive and has the highest utility in the end."""
        return max((row for row in self.rows if row.learns), key=_final)

    @property
    def headline(self) -> str:
        """One sentence."""
        best = self.best
        if sum(row.learns for row in self.rows) == 1:
            return f"{best.name} is worth {worth(_final(best))} to its readers, all topics together."
        if _final(best) <= 0:
            return "No rule is worth more to its readers than delivering nothing."
        return f"{best.name} is worth most to its readers: {worth(_final(best))}, all topics together."

    @property
    def stated(self) -> str:
        """How it was made, in a line."""
        said = self.settings
        return " · ".join(
            [
                counted(said.get("topics", 0), "topic"),
                counted(said.get("documents", 0) - said.get("reference", 0), "document"),
                _prices(said.get("utility", {})),
                f"judgments {str(said.get('judgments', ''))[:12]}",
            ]
        )

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made | {"headline": self.headline}


def read_simulation(path: str) -> Simulated:
    """A simulation that was saved."""
    with Source(path) as source:
        raw = source.read_all(_LARGEST)
    name = shown(path)
    try:
        made = msgspec.json.decode(raw, type=Simulated)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise DataError(
            f"{name} is not what `gainful filter simulate -f json` writes: {shown(str(fault))}."
        ) from None
    if made.kind != "filter simulation" or not any(row.learns for row in made.rows):
        raise DataError(
            f"{name} is no simulation of a filter; make one: gainful filter simulate … -f json -o simulation.json"
        )
    return _printable(made)


def _printable(made: Simulated) -> Simulated:
    """With every name and note as people see it."""
    rows = [
        replace(row, name=shown(row.name), mean={shown(name): value for name, value in row.mean.items()})
        for row in made.rows
    ]
    traces = [replace(trace, row=shown(trace.row), topic=shown(trace.topic)) for trace in made.traces]
    return replace(
        made,
        measures=tuple(map(shown, made.measures)),
        rows=tuple(rows),
        traces=tuple(traces),
        notes=tuple(map(shown, made.notes)),
    )


def worth(utility: float) -> str:
    """A sum of utility in words, with its sign.

    >>> worth(36.0), worth(-71.0), worth(0.4), worth(0.0)
    ('+36', '−71', '+0.4', '0')
    """
    text = f"{utility:+,.2f}".rstrip("0").rstrip(".").replace("-", "−")
    return "0" if text in ("+0", "−0") else text


def _prices(utility: Mapping[str, float]) -> str:
    """What a document adds; what it adds where it is not delivered is nothing as a rule, and then not said.

    >>> _prices({"credit": 2, "cost": -1, "missed": 0, "avoided": 0}), _prices({"credit": 1, "cost": -1, "missed": -2})
    ('credit 2 and cost −1', 'credit 1 and cost −1, missed −2 and avoided 0')
    """
    credit, cost, missed, avoided = (
        f"{utility.get(name, 0):g}".replace("-", "−") for name in ("credit", "cost", "missed", "avoided")
    )
    more = "" if missed == avoided == "0" else f", missed {missed} and avoided {avoided}"
    return f"credit {credit} and cost {cost}{more}"


def _final(row: Row) -> float:
    return row.utility_so_far[-1][1] if row.over_time else 0.0
