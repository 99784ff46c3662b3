"""Curves: what the page draws along the list, with the ideal, bands and crossings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gainful.curves import Curves, by_rank, precision_recall
from gainful.measures import Measure, parse
from gainful.measures._many import takes_cutoff
from gainful.reports.crossings import Crossing, crossings, told
from gainful.scores import Scores

DEPTH = 100
MOST = 7
"""Systems that are drawn together; more lines cannot be told apart."""

BAND = 0.95
_CROSSING = 3  # systems, best first, whose crossings are told and marked
_BY_RANK = 4  # measures beside nDCG, P and R that get a curve of their own
_TITLES = {
    "nDCG": "How close to ideal, by how far the reader goes",
    "P": "Precision, by how far the reader goes",
    "R": "Recall, by how far the reader goes",
    "DCG": "Discounted gain collected, against the ideal",
    "CG": "Gain collected, against the ideal",
}


@dataclass(frozen=True, eq=False)
class Drawn:
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

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "name": self.name,
            "title": self.title,
            "says": list(self.says),
            "curves": [curve.to_dict() for curve in self.curves],
        }


def drawn(scores: Scores, systems: Sequence[str]) -> tuple[Drawn, ...]:
    """Every chart of these systems, best first."""
    shown_runs = tuple(scores[system] for system in systems)
    some = replace(scores, runs=shown_runs)
    most = max(int(run.judged.retrieved.max(initial=0)) for run in shown_runs)
    depth = max(1, min(DEPTH, most))
    band = BAND if len(scores.runs[0].topics) > 1 else None
    ndcg, others = _measures(scores)
    made = [_one(by_rank(some, ndcg, to=depth, band=band), "nDCG", main=True)]
    made.append(_recall(some, band))
    worth = {key: value for key, value in ndcg.params.items() if key in ("gain", "discount", "base")}
    dcg = parse("DCG")(**worth)
    cg = parse("CG")(**{key: value for key, value in worth.items() if key == "gain"})
    made += [
        _one(by_rank(some, dcg, to=depth, ideal=True, band=band), "DCG", main=True),
        _one(by_rank(some, cg, to=depth, ideal=True, band=band), "CG", main=True),
    ]
    made += [
        _one(by_rank(some, one, to=depth, band=band), one.name, main=False)
        for one in others
        if one.needs is None
    ]
    return tuple(made)


def _recall(scores: Scores, band: float | None) -> Drawn:
    curves = precision_recall(scores, band=band)
    means = [curve for curve in curves if curve.role == "run"][:_CROSSING]
    found = crossings(means)
    title = "Precision against recall"
    return Drawn("precision-recall", title, curves, found, tuple(told(means, found, "recall")), True)


def _one(curves: Curves, name: str, *, main: bool) -> Drawn:
    means = [curve for curve in curves if curve.role == "run"][:_CROSSING]
    found = crossings(means)
    title = _TITLES.get(name, f"{name}, by how far the reader goes")
    slug = f"{means[0].y}-by-rank".lower()
    slug = "".join(letter if letter.isalnum() or letter == "-" else "-" for letter in slug)
    return Drawn(slug, title, curves, found, tuple(told(means, found, "rank")), main)


def _measures(scores: Scores) -> tuple[Measure, list[Measure]]:
    """The nDCG that was asked for, or the usual one; and other measures that go down the list, P and R among them."""
    asked = [_without_cutoff(one) for one in scores.measures if takes_cutoff(one) and one.summary == "mean"]
    ndcg = next((one for one in asked if one.name == "nDCG"), parse("nDCG"))
    rel = scores.settings.rel
    usual = [parse(name) if rel is None else parse(name)(rel=rel) for name in ("P", "R")]
    others = [one for one in dict.fromkeys(asked) if one != ndcg and one not in usual]
    return ndcg, [*usual, *others[:_BY_RANK]]


def _without_cutoff(measure: Measure) -> Measure:
    """The measure at no rank yet; one of the user's own has no name to be parsed by."""
    given = {name: value for name, value in measure._given.items() if name != "cutoff"}
    return Measure(measure.definition, given, measure.summary, measure.unjudged)
