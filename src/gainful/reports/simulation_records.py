"""What a simulation says: the JSON that `gainful filter simulate -f json` wrote, read and checked, and its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace

from gainful.errors import DataError
from gainful.filtering.reliability import Reliability
from gainful.filtering.simulation import HINDSIGHT
from gainful.formats.ids import shown
from gainful.formats.sources import Source
from gainful.presentation.text_style import counted

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
        edges = (
            [self.over_time[0].start, *(window.stop for window in self.over_time)] if self.over_time else []
        )
        return list(
            zip(edges, accumulate((window.utility for window in self.over_time), initial=0.0), strict=False)
        )


class ExpectedUtility(msgspec.Struct, frozen=True):
    """Expected utility at each cutoff, and its band."""

    utility: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class CutoffCurve(msgspec.Struct, frozen=True):
    """Utility at each score at which the list could be cut; and the expected one, where the rule expects any."""

    nothing: float
    score: tuple[float, ...]
    utility: tuple[float, ...]
    expected: ExpectedUtility | None = None

    def __post_init__(self) -> None:
        columns = [self.utility]
        if self.expected is not None:
            columns += [self.expected.utility, self.expected.low, self.expected.high]
        for column in columns:
            if len(self.score) != len(column):
                raise ValueError(f"{len(self.score)} scores and {len(column)} utilities in a curve")


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
    """A threshold, and the number of documents seen when it was set."""

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
    calibration: Reliability | None = None


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
        return max((row for row in self.rows if row.learns), key=final_utility)

    @property
    def headline(self) -> str:
        """One sentence."""
        best = self.best
        if sum(row.learns for row in self.rows) == 1:
            return f"{best.name} is worth {worth(final_utility(best))} to its readers, all topics together."
        if final_utility(best) <= 0:
            return "No rule is worth more to its readers than delivering nothing."
        return f"{best.name} is worth most to its readers: {worth(final_utility(best))}, all topics together."

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
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields | {"headline": self.headline}


def read_simulation(path: str) -> Simulated:
    """A simulation that was saved."""
    with Source(path) as source:
        raw = source.read_all(_LARGEST)
    name = shown(path)
    try:
        simulated = msgspec.json.decode(raw, type=Simulated)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise DataError(
            f"{name} is not what `gainful filter simulate -f json` writes: {shown(str(fault))}."
        ) from None
    if simulated.kind != "filter simulation" or not any(row.learns for row in simulated.rows):
        raise DataError(
            f"{name} is no simulation of a filter; make one: gainful filter simulate … -f json -o simulation.json"
        )
    return _printable(simulated)


def _printable(simulated: Simulated) -> Simulated:
    """With every name and note as people see it."""
    rows = [
        replace(row, name=shown(row.name), mean={shown(name): value for name, value in row.mean.items()})
        for row in simulated.rows
    ]
    traces = [replace(trace, row=shown(trace.row), topic=shown(trace.topic)) for trace in simulated.traces]
    return replace(
        simulated,
        measures=tuple(map(shown, simulated.measures)),
        rows=tuple(rows),
        traces=tuple(traces),
        notes=tuple(map(shown, simulated.notes)),
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


def final_utility(row: Row) -> float:
    """Utility of the row when the stream has ended, all topics together."""
    return row.utility_so_far[-1][1] if row.over_time else 0.0
