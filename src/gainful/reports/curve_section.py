"""Curves: what a reader has got by each rank, with the ideal, bands, and the places where systems cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.readers import Sweep
from gainful.curves import Curve, Curves, by_rank, precision_recall
from gainful.curves.curve_output import curve_panel
from gainful.formats.ids import shown
from gainful.measures import CG, DCG, Measure, P, R, nDCG
from gainful.measures._many import takes_cutoff, without_cutoff
from gainful.reports.report_results import Results
from gainful.reports.section_registry import Figure, Section, report_section
from gainful.scores import Scores

Floats = NDArray[np.float64]

DEPTH = 100
BAND = 0.95
_CROSSING = 3  # systems, best first, whose crossings are described and marked
_BY_RANK = 4  # measures beside nDCG, P and R that get a curve of their own
_RINGS = 6  # crossings that are marked on a chart
_OFTEN = 2  # crossings of two curves that are described one by one
_LEAST = 0.01  # of the highest value: curves that are nearer to each other are taken as one
_TITLES = {
    nDCG.definition: "nDCG by rank",
    P.definition: "Precision by rank",
    R.definition: "Recall by rank",
    DCG.definition: "Discounted gain collected, against the ideal",
    CG.definition: "Gain collected, against the ideal",
}


@dataclass(frozen=True, slots=True)
class Crossing:
    """From x on, `after` is above `before`; y is where they meet."""

    before: str
    after: str
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class CurveChart:
    """One chart of curves.

    name   a word for files and links
    says   what crosses where, in sentences
    main   whether it is shown at once; the others wait until they are asked for
    """

    name: str
    title: str
    curves: Curves
    crossings: tuple[Crossing, ...]
    says: tuple[str, ...]
    main: bool

    @property
    def measure(self) -> str:
        """What the curves show, as their axis names it."""
        return self.curves[0].y

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "name": self.name,
            "title": self.title,
            "says": list(self.says),
            "curves": [curve.to_dict() for curve in self.curves],
        }

    def figure(self, positions: Mapping[str, int]) -> Figure:
        """The chart, with bands, the ideal and the places where curves cross."""
        ours = [curve for curve in self.curves if curve.role == "run"]
        ideal = [curve for curve in self.curves if curve.role == "ideal"][:1]
        x, y = ours[0].x, ours[0].y
        panel = curve_panel([*ideal, *ours], positions, rings=self._rings(x))
        says = " ".join(self.says) or f"{y} by {x} of {', '.join(shown(curve.run) for curve in ours)}."
        return Figure(self.name, self.title, says, panel.spec())

    def _rings(self, x: str) -> list[tuple[float, float, str, str]]:
        """Where curves cross; not those of two that cross too often to mean anything."""
        pairs = [frozenset((crossing.before, crossing.after)) for crossing in self.crossings]
        kept = [
            crossing
            for crossing, pair in zip(self.crossings, pairs, strict=True)
            if pairs.count(pair) <= _OFTEN
        ]
        return [
            (
                crossing.x,
                crossing.y,
                f"{x} {crossing.x:g}",
                f"{shown(crossing.after)} overtakes {shown(crossing.before)}",
            )
            for crossing in kept[:_RINGS]
        ]


@report_section
@dataclass(frozen=True, eq=False)
class CurveSection(Section):
    """Every chart of the systems that are drawn, best first."""

    name, title, order, template = "curves", "Curves", 30, "curves.html"

    charts: tuple[CurveChart, ...]
    drawn: tuple[str, ...]
    positions: Mapping[str, int]

    @classmethod
    def of(cls, results: Results) -> Self | None:
        """Of the judged runs of the best systems."""
        if results.scores is None or results.estimated:
            return None
        runs = tuple(results.scores[system] for system in results.drawn)
        sweeps = () if results.readers is None else results.readers.sweeps
        return cls(_charts(replace(results.scores, runs=runs), sweeps), results.drawn, results.positions)

    def to_dict(self) -> list[dict[str, Any]]:
        """By name, in the layout of the JSON output."""
        return [chart.to_dict() for chart in self.charts]

    def figures(self) -> list[Figure]:
        """A chart for each measure."""
        return [chart.figure(self.positions) for chart in self.charts]


def _charts(scores: Scores, sweeps: Sequence[Sweep]) -> tuple[CurveChart, ...]:
    most = max(int(run.judged.retrieved.max(initial=0)) for run in scores)
    depth = max(1, min(DEPTH, most))
    band = BAND if len(scores.runs[0].topics) > 1 else None
    ndcg, others = _measures(scores)
    worth = {key: value for key, value in ndcg.params.items() if key in ("gain", "discount", "base")}
    gains = [DCG(**worth), CG(**{key: value for key, value in worth.items() if key == "gain"})]
    return (
        _by_rank(by_rank(scores, ndcg, to=depth, band=band), ndcg, sweeps, main=True),
        _recall(scores, band, sweeps),
        *(
            _by_rank(by_rank(scores, measure, to=depth, ideal=True, band=band), measure, sweeps, main=False)
            for measure in gains
        ),
        *(
            _by_rank(by_rank(scores, measure, to=depth, band=band), measure, sweeps, main=False)
            for measure in others
            if measure.needs is None
        ),
    )


def _recall(scores: Scores, band: float | None, sweeps: Sequence[Sweep]) -> CurveChart:
    curves = precision_recall(scores, band=band)
    tested = [sweep for sweep in sweeps if sweep.by == "recall"]
    return _chart(curves, "precision-recall", "Precision against recall", "recall", tested, main=True)


def _by_rank(curves: Curves, measure: Measure, sweeps: Sequence[Sweep], *, main: bool) -> CurveChart:
    name = f"{curves[0].y}-by-rank".lower()
    name = "".join(letter if letter.isalnum() or letter == "-" else "-" for letter in name)
    title = _TITLES.get(measure.definition, f"{measure.name} by rank")
    tested = [sweep for sweep in sweeps if sweep.by == "rank" and sweep.measure == measure]
    return _chart(curves, name, title, "rank", tested, main=main)


def _chart(
    curves: Curves, name: str, title: str, x: str, tested: Sequence[Sweep], *, main: bool
) -> CurveChart:
    means = [curve for curve in curves if curve.role == "run"][:_CROSSING]
    crossed = crossings(means)
    return CurveChart(
        name, title, curves, crossed, tuple(crossing_sentences(means, crossed, x, tested)), main
    )


def _measures(scores: Scores) -> tuple[Measure, list[Measure]]:
    """The nDCG that was asked for, or the usual one; and other measures that go down the list, P and R among them."""
    asked = [
        without_cutoff(measure)
        for measure in scores.measures
        if takes_cutoff(measure) and measure.summary == "mean"
    ]
    ndcg = next((measure for measure in asked if measure.definition is nDCG.definition), nDCG)
    rel = scores.settings.rel
    usual = [P, R] if rel is None else [P(rel=rel), R(rel=rel)]
    others = [measure for measure in dict.fromkeys(asked) if measure != ndcg and measure not in usual]
    return ndcg, [*usual, *others[:_BY_RANK]]


def crossings(curves: Sequence[Curve]) -> tuple[Crossing, ...]:
    """Of every two curves over the same points, in the order of x.

    >>> falls = Curve("falls", None, "rank", "P", np.array([[1, 0.9], [2, 0.5], [3, 0.1]]))
    >>> rises = Curve("rises", None, "rank", "P", np.array([[1, 0.1], [2, 0.5], [3, 0.9]]))
    >>> crossings([falls, rises])
    (Crossing(before='falls', after='rises', x=3.0, y=0.9),)
    """
    crossed = [crossing for a, b in combinations(curves, 2) for crossing in _of_two(a, b)]
    return tuple(sorted(crossed, key=lambda crossing: crossing.x))


def crossing_sentences(
    curves: Sequence[Curve], crossed: Sequence[Crossing], x: str, tested: Sequence[Sweep] = ()
) -> list[str]:
    """What can be said of each pair of curves: what its sweep found, or where the means cross, which is no test.

    x       name of the axis
    tested  sweeps along these very curves: where there is one, only it says who is better
    """
    lines = []
    for a, b in combinations(curves, 2):
        names = {a.run, b.run}
        if sweeps := [sweep for sweep in tested if set(sweep.systems) == names]:
            lines.append(sweeps[0].sentence)
            continue
        some = [crossing for crossing in crossed if {crossing.before, crossing.after} == names]
        if not some:
            continue
        first = some[0]
        before, after = shown(first.before), shown(first.after)
        if len(some) == 1:
            lines.append(
                f"The mean of {before} is above that of {after} at first, and below it from {x} {first.x:g} on (not tested)."
            )
        elif len(some) <= _OFTEN:
            lines.append(
                f"The mean of {after} is above that of {before} from {x} {first.x:g} up to {x} {some[1].x:g}, "
                "and below it elsewhere (not tested)."
            )
        else:
            lines.append(
                f"The means of {before} and {after} cross {len(some)} times between {x} {first.x:g} and {some[-1].x:g}."
            )
    return lines


def _of_two(a: Curve, b: Curve) -> list[Crossing]:
    """Where one passes the other; stretches in which they are hardly apart are passed over."""
    if len(a) != len(b) or not np.array_equal(a.points[:, 0], b.points[:, 0]):
        return []
    apart = b.values - a.values
    least = _LEAST * max(float(np.nanmax(np.abs(curve.values), initial=0.0)) for curve in (a, b))
    stretches: list[tuple[bool, int]] = []  # who is ahead, and from which place on
    for start, stop in _stretches(np.sign(apart)):
        if np.nanmax(np.abs(apart[start:stop])) >= max(least, 1e-12):
            ahead = bool(apart[start] > 0)
            if not stretches or stretches[-1][0] != ahead:
                stretches.append((ahead, start))
    crossed = []
    for _, (ahead, start) in pairwise(stretches):
        winner, loser = (b, a) if ahead else (a, b)
        x, y = winner.points[start]
        crossed.append(Crossing(loser.run, winner.run, float(x), float(y)))
    return crossed


def _stretches(signs: Floats) -> list[tuple[int, int]]:
    """First and last place of neighbours of one sign; places without a sign are left out."""
    turns = [0, *(np.flatnonzero(np.diff(signs)) + 1).tolist(), len(signs)]
    return [(start, stop) for start, stop in pairwise(turns) if stop > start and abs(signs[start]) == 1]
