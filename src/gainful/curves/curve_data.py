"""A curve: points with named axes, which know how they were made. Pictures are made of them elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.presentation.page import Brief

Floats = NDArray[np.float64]
Role = Literal["run", "ideal", "difference"]


@dataclass(frozen=True, eq=False, repr=False)
class Band(Brief):
    """A confidence band of a mean curve over resampled topics, point by point.

    low, high  where the share `level` of the resampled means lies between, at each point
    resamples  number of bootstrap resamples of the topics
    seed       of the draws; the same topics are drawn for all runs
    """

    low: Floats
    high: Floats
    level: float
    resamples: int
    seed: int


@dataclass(frozen=True, eq=False)
class Curve:
    """Curve of one run, for one topic or averaged over topics.

    run      the run's name; `ideal` is the ideal list; `a − b` is a difference
    topic    the topic; None where topics are averaged
    query    the text of the topic, where it is known
    x, y     names of the axes
    points   a row (x, y) for each point
    band     confidence band over topics, if requested
    average  how topics were averaged: mean of the "topics", or "ratio" of the mean curve to the mean ideal one
    topics   number of topics
    areas    under the curve, by name: "step" and "line"
    ranks    number of points that are ranks of the list, from 1 on, each with its precision and recall; 0 for others
    """

    run: str
    topic: str | None
    x: str
    y: str
    points: Floats
    band: Band | None = None
    average: Literal["topics", "ratio"] | None = None
    topics: int = 1
    areas: Mapping[str, float] = field(default_factory=dict)
    role: Role = "run"
    ranks: int = 0
    query: str | None = None

    def __getitem__(self, x: float) -> float:
        """The value at x.

        >>> Curve("bm25", None, "rank", "P", np.array([[1, 1.0], [2, 0.5]]))[2]
        0.5
        """
        places = np.flatnonzero(self.points[:, 0] == x)
        if not len(places):
            raise KeyError(
                f"no point at {self.x} {x:g}; there are points from {self.points[0, 0]:g} to {self.points[-1, 0]:g}"
            )
        return float(self.points[places[0], 1])

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        topic = "" if self.topic is None else f", topic {shown(self.topic)}"
        return f"<Curve of {shown(self.run)}{topic}: {self.y} by {self.x}, {len(self)} points>"

    def __str__(self) -> str:
        from gainful.curves.curve_output import curve_page

        return curve_page(self, "table").rstrip("\n")

    def _repr_html_(self) -> str:
        from gainful.curves.curve_output import curve_page

        return curve_page(self, "html")

    @property
    def title(self) -> str:
        """The measure; of one topic also its id and its text."""
        if self.topic is None:
            return self.y
        return f"{self.y}, topic {shown(self.topic)}" + (f": {shown(self.query)}" if self.query else "")

    @property
    def values(self) -> Floats:
        """The y of each point."""
        return self.points[:, 1]

    def dominates(self, other: Curve) -> bool:
        """Whether this curve is nowhere below the other and somewhere above it.

        >>> better = Curve("a", None, "recall", "precision", np.array([[0, 1.0], [1, 0.5]]))
        >>> worse = Curve("b", None, "recall", "precision", np.array([[0, 1.0], [1, 0.4]]))
        >>> better.dominates(worse), worse.dominates(better)
        (True, False)
        """
        if (self.x, self.y) != (other.x, other.y) or not np.array_equal(
            self.points[:, 0], other.points[:, 0]
        ):
            raise UsageError("only curves with the same axes and the same points along them can be compared.")
        known = ~np.isnan(self.values - other.values)  # a curve without a topic that counts lies nowhere
        mine, theirs = self.values[known], other.values[known]
        return bool((mine >= theirs).all() and (mine > theirs).any())

    def to_dict(self) -> dict[str, Any]:
        """The curve's part of the JSON output."""
        fields: dict[str, Any] = {
            "run": shown(self.run),
            "topic": None if self.topic is None else shown(self.topic),
            **({} if self.query is None else {"query": shown(self.query)}),
            "x": self.x,
            "y": self.y,
            "role": self.role,
            "average": self.average,
            "topics": self.topics,
            "points": [[plain(x), y] for x, y in self.points.tolist()],
            "low": None if self.band is None else self.band.low.tolist(),
            "high": None if self.band is None else self.band.high.tolist(),
            "areas": dict(self.areas),
        }
        if self.band is not None:
            fields["band"] = {
                "level": self.band.level,
                "resamples": self.band.resamples,
                "seed": self.band.seed,
            }
        return fields


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of several runs, with their settings.

    >>> import gainful
    >>> made = gainful.curve({"q": {"d1": 1, "d2": 0}}, {"q": {"d2": 2.0, "d1": 1.0}}, "P", to=2)
    >>> made[0].points.tolist()
    [[1.0, 0.0], [2.0, 0.5]]
    """

    curves: tuple[Curve, ...]
    settings: Mapping[str, Any]
    stated: str
    """The settings in a line."""
    qrels: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def __getitem__(self, which: int | str) -> Curve:
        """A curve by its place, or the first of a run."""
        if isinstance(which, int):
            return self.curves[which]
        for curve in self.curves:
            if curve.run == which:
                return curve
        raise KeyError(
            f"no curve of {which!r}; there are {', '.join(dict.fromkeys(curve.run for curve in self.curves))}"
        )

    def __iter__(self) -> Iterator[Curve]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    def __repr__(self) -> str:
        return f"<Curves: {'; '.join(repr(curve)[1:-1] for curve in self.curves[:4])}{'; …' if len(self) > 4 else ''}>"

    def __str__(self) -> str:
        from gainful.curves.curve_output import table

        return table(self, places=4).rstrip("\n")

    def dominance(self) -> list[str]:
        """What can be said of each pair of runs whose curves stand for all topics, in sentences."""
        means: dict[str, list[Curve]] = {}
        for curve in self.curves:
            if curve.topic is None and curve.role == "run":
                means.setdefault(curve.y, []).append(curve)
        return [
            _said(a, b) for curves in means.values() for i, a in enumerate(curves) for b in curves[i + 1 :]
        ]

    def rows(self) -> Iterator[tuple[str, str | None, str, str, float, float, float | None, float | None]]:
        """Run, topic, names of the axes, x, y, and the band's low and high, for every point."""
        for curve in self.curves:
            low = [None] * len(curve) if curve.band is None else curve.band.low.tolist()
            high = [None] * len(curve) if curve.band is None else curve.band.high.tolist()
            for (x, y), least, most in zip(curve.points.tolist(), low, high, strict=True):
                yield curve.run, curve.topic, curve.x, curve.y, x, y, least, most

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        return {
            "gainful": __version__,
            "settings": dict(self.settings),
            "qrels": dict(self.qrels),
            "curves": [curve.to_dict() for curve in self.curves],
        }

    def chart(self, *, title: str | None = None) -> Any:
        """An Altair chart."""
        from gainful.curves.curve_output import chart

        return chart(self, title=title)

    def save(self, path: str, *, overwrite: bool = False) -> None:
        """Write the chart to a file: .svg, .png, .pdf, .html or .json."""
        from gainful.curves.curve_output import save

        save(self, path, overwrite=overwrite)

    def _repr_html_(self) -> str:
        from gainful.curves.curve_output import inline

        return inline(self)


def plain(x: float) -> float:
    """1 rather than 1.0, so that ranks look like ranks."""
    return int(x) if x.is_integer() else x


def _said(a: Curve, b: Curve) -> str:
    first, second = shown(a.run), shown(b.run)
    if a.dominates(b):
        return f"{a.y}: {first} is nowhere below {second}"
    if b.dominates(a):
        return f"{a.y}: {second} is nowhere below {first}"
    if np.isnan(a.values - b.values).all():
        return f"{a.y}: {first} and {second} have no point that both reach"
    if np.array_equal(a.values, b.values, equal_nan=True):
        return f"{a.y}: {first} and {second} are the same"
    return f"{a.y}: {first} and {second} cross"
