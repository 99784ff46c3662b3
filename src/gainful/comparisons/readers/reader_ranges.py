"""What a sweep over readers found: curves, the difference with its band, and who leads where."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.readers import reader_text
from gainful.comparisons.score_table import System
from gainful.curves.curve_data import plain
from gainful.formats.ids import shown
from gainful.measures import Measure

if TYPE_CHECKING:
    from gainful.comparisons.comparison import Comparison

Floats = NDArray[np.float64]
By = Literal["rank", "recall", "patience"]


@dataclass(frozen=True, slots=True)
class Range:
    """Adjacent readers for whom the result is the same.

    systems      the pair it is about
    start, stop  the first and the last point along the sweep, both within
    leader       the better system; None where the difference is not significant
    """

    by: By
    measure: Measure
    systems: tuple[str, str]
    start: float
    stop: float
    leader: str | None

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "by": self.by,
            "measure": str(self.measure),
            "systems": list(map(shown, self.systems)),
            "from": plain(self.start),
            "to": plain(self.stop),
            "leader": None if self.leader is None else shown(self.leader),
        }


@dataclass(frozen=True, eq=False)
class Sweep:
    """Two systems along one sweep of readers.

    by          what moves: the "rank" where she stops, the "recall" that she needs, or her "patience"
    measure     what she gets: P (or another by rank), IPrec or RBP
    at          the points along the sweep
    systems     A and B: the baseline and the candidate, or two systems in the order given
    curves      mean over topics of A and of B: 2 × points
    difference  B − A
    low, high   a band that holds the whole true difference with confidence `level`: all points of the sweep together,
                and all pairs of systems that were compared; NaN where too few topics differ for a spread to be known
    level       confidence of the band
    critical    standard errors from the difference to the band's edge
    topics      how many the two were compared on
    overruled   points at which nobody is said to lead, because the comparison tests this very measure there (nDCG@10 in a
                sweep of nDCG) and finds no significant difference
    """

    by: By
    measure: Measure
    systems: tuple[str, str]
    at: Floats
    curves: Floats
    difference: Floats
    low: Floats
    high: Floats
    level: float
    critical: float
    topics: int
    overruled: tuple[float, ...] = ()

    @cached_property
    def leads(self) -> NDArray[np.int8]:
        """At each point 1 where B leads, −1 where A does, 0 where neither does significantly."""
        leads = (self.low > 0).astype(np.int8) - (self.high < 0).astype(np.int8)
        return np.where(np.isin(self.at, self.overruled), 0, leads).astype(np.int8)

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """Points next to each other with the same leader, from the first to the last."""
        turns = np.flatnonzero(np.diff(self.leads)) + 1
        starts, stops = [0, *turns.tolist()], [*(turns - 1).tolist(), len(self.at) - 1]
        return tuple(
            Range(
                self.by,
                self.measure,
                self.systems,
                float(self.at[start]),
                float(self.at[stop]),
                self._named(int(self.leads[start])),
            )
            for start, stop in zip(starts, stops, strict=True)
        )

    @property
    def dominant(self) -> str | None:
        """The system that leads at every point of the sweep, if one does."""
        return self.ranges[0].leader if len(self.ranges) == 1 else None

    @property
    def sentence(self) -> str:
        """Which system is better for which readers, in a sentence."""
        return reader_text.of_sweep(self)

    def _named(self, lead: int) -> str | None:
        return {1: self.systems[1], -1: self.systems[0], 0: None}[lead]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output; null where there is no band."""
        return {
            "by": self.by,
            "measure": str(self.measure),
            "systems": list(map(shown, self.systems)),
            "topics": self.topics,
            "critical": _number(self.critical),
            "dominant": None if self.dominant is None else shown(self.dominant),
            "at": [plain(x) for x in self.at.tolist()],
            "curves": self.curves.tolist(),
            "difference": self.difference.tolist(),
            "low": [_number(x) for x in self.low.tolist()],
            "high": [_number(x) for x in self.high.tolist()],
        }

    def __repr__(self) -> str:
        first, second = map(shown, self.systems)
        return f"<Sweep by {self.by}: {self.measure} of {first} and {second}, {len(self.at)} points, {len(self.ranges)} ranges>"


@dataclass(frozen=True, eq=False)
class Readers:
    """Sweeps over readers, for each pair of systems, and how they were made.

    level      confidence of each band
    resamples  number of bootstrap resamples of the topics
    seed       of the draws; the same topics are drawn at all points, for all pairs and in all sweeps
    pairs      the pairs of systems; a band holds for all of them together
    settings   how runs were judged; `stated` says it in a line
    """

    sweeps: tuple[Sweep, ...]
    systems: tuple[System, ...]
    pairs: tuple[tuple[str, str], ...]
    level: float
    resamples: int
    seed: int
    settings: Mapping[str, Any]
    stated: str
    qrels: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Sweep]:
        return iter(self.sweeps)

    def __len__(self) -> int:
        return len(self.sweeps)

    def __getitem__(self, by: str) -> Sweep:
        """The sweep by rank, recall or patience of the only pair, or of the first one."""
        for sweep in self.sweeps:
            if sweep.by == by:
                return sweep
        there = dict.fromkeys(sweep.by for sweep in self.sweeps)
        raise KeyError(f"no sweep by {by!r}; there are {', '.join(there)}")

    def of(self, first: str, second: str) -> tuple[Sweep, ...]:
        """The sweeps of one pair, named in either order."""
        sweeps = tuple(sweep for sweep in self.sweeps if set(sweep.systems) == {first, second})
        if not sweeps:
            raise KeyError(f"{first!r} and {second!r} were not compared")
        return sweeps

    @property
    def crossovers(self) -> tuple[Range, ...]:
        """The ranges of all sweeps, one after the other."""
        return tuple(stretch for sweep in self.sweeps for stretch in sweep.ranges)

    @property
    def headlines(self) -> tuple[str, ...]:
        """For each pair which system is better for which readers, in a sentence or two."""
        return tuple(reader_text.of_pair(self.of(*pair)) for pair in self.pairs)

    @property
    def sentences(self) -> tuple[str, ...]:
        """For each pair and sweep, which system is better for which readers."""
        return tuple(sweep.sentence for sweep in self.sweeps)

    def how(self) -> str:
        """The bands, resamples, random seed and settings, in a line."""
        return reader_text.method(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        return {
            "gainful": __version__,
            "settings": dict(self.settings),
            "qrels": dict(self.qrels),
            "systems": [system.to_dict() for system in self.systems],
            "statistics": {
                "band": "simultaneous over the sweep and the pairs, studentised bootstrap over topics",
                "level": self.level,
                "resamples": self.resamples,
                "seed": self.seed,
            },
            "headlines": list(self.headlines),
            "sentences": list(self.sentences),
            "crossovers": [stretch.to_dict() for stretch in self.crossovers],
            "sweeps": [sweep.to_dict() for sweep in self.sweeps],
            "notes": list(map(str, self.notes)),
        }

    def table(self, *, places: int = 4) -> str:
        """The ranges in columns, then the sentences."""
        return reader_text.of_readers(self, "table", places=places)

    def chart(self, *, title: str | None = None) -> Any:
        """An Altair chart."""
        from gainful.comparisons.readers.reader_chart import chart

        return chart(self, title=title)

    def save(self, path: str, *, overwrite: bool = False, title: str | None = None) -> None:
        """Write the chart to a file: .svg, .png, .pdf, .html or .json."""
        from gainful.comparisons.readers.reader_chart import save

        save(self, path, overwrite=overwrite, title=title)

    def __repr__(self) -> str:
        return f"<Readers: {len(self.systems)} systems, {len(self.pairs)} pairs, {len(self.sweeps)} sweeps>"

    def _repr_html_(self) -> str:
        from gainful.comparisons.readers.reader_chart import inline

        return inline(self)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


_VARIES = {"rank": "cutoff", "recall": "recall", "patience": "p"}
"""The parameter of a measure that a sweep moves."""


def consistent_with(readers: Readers, comparison: Comparison) -> Readers:
    """The sweeps, with no leader at points where the comparison's own test finds no significant difference.

    A band over all points and a test at one of them use different methods and corrections; the test has the last word.
    """
    return replace(readers, sweeps=tuple(_overruled(sweep, comparison) for sweep in readers.sweeps))


def _overruled(sweep: Sweep, comparison: Comparison) -> Sweep:
    points = []
    for measure in comparison.table.measures:
        at = _point(sweep, measure)
        try:
            pair = comparison.pair(measure, *sweep.systems)
        except KeyError:
            continue
        won = pair.significant(comparison.method.alpha) and not comparison.against_the_mean(pair)
        if at is not None and not won:
            points.append(at)
    return replace(sweep, overruled=tuple(points))


def _point(sweep: Sweep, measure: Measure) -> float | None:
    """Where along the sweep the measure stands; one without a cutoff stands at the last rank. None if nowhere."""
    if measure == sweep.measure:
        return float(sweep.at[-1]) if sweep.by == "rank" else None
    name = _VARIES[sweep.by]
    value = measure.params.get(name)
    if value is None or measure.definition is not sweep.measure.definition:
        return None
    return float(value) if sweep.measure(**{name: value}) == measure else None
