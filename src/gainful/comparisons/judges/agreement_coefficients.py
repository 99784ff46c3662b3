"""How far judges agree: kappa of Cohen and of Fleiss, Krippendorff's alpha, overlap; each a function of topics drawn.

Judgments of one topic depend on each other, so intervals are computed by resampling topics.
Every statistic here keeps what it needs of each topic, and `over(times)` is its value where each topic counts so
many times: times is resamples × topics, and a row of ones is the data themselves. NaN is where it is undefined.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

Weights = Literal["none", "linear", "quadratic"]
Level = Literal["ordinal", "nominal", "interval"]


class Statistic(Protocol):
    """A statistic that is a function of sums over topics, so that it can be computed for every resample of them."""

    def over(self, times: Floats) -> Floats:
        """Its value for each row of times."""
        ...


@dataclass(frozen=True, eq=False)
class Share:
    """Σ part / Σ whole over topics."""

    part: Floats
    whole: Floats

    def over(self, times: Floats) -> Floats:
        """Its value for each row of times."""
        return ratio(times @ self.part, times @ self.whole)


@dataclass(frozen=True, eq=False)
class Kappa:
    """Cohen's kappa of two judges, weighted or not (Cohen 1960, 1968).

        κ = 1 − Σ w(c, k) n(c, k) / Σ w(c, k) n(c, ·) n(·, k) / n

    n(c, k) counts the items with grade c from the first and k from the second judge. The weight of a disagreement is 1
    ("none"), |c − k| ("linear") or (c − k)² ("quadratic"), of the grades as they are: a grade that nobody used leaves
    its gap.
    """

    disagreed: Floats  # per topic, Σ w n(c, k)
    first: Floats  # topics × grades
    second: Floats
    weight: Floats  # grades × grades

    @classmethod
    def of(cls, topic: Places, first: Floats, second: Floats, *, weights: Weights = "none") -> Kappa:
        """Of two judges' grades of the same items, and the topic of each item, counted from 0."""
        _one_of("weights", weights, get_args(Weights))
        topics = int(topic.max(initial=-1)) + 1
        grades, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
        of_first, of_second = codes[: len(first)], codes[len(first) :]
        apart = np.abs(grades[:, None] - grades)
        weight = {"none": np.sign(apart), "linear": apart, "quadratic": apart**2}[weights]
        disagreed = summed(topic, weight[of_first, of_second], topics)
        return cls(
            disagreed,
            _counts(topic, of_first, topics, len(grades)),
            _counts(topic, of_second, topics, len(grades)),
            weight,
        )

    def over(self, times: Floats) -> Floats:
        """Its value for each row of times; undefined where both judges gave one and the same grade only."""
        first, second = times @ self.first, times @ self.second
        expected = ((first @ self.weight) * second).sum(axis=1)
        return 1 - ratio(times @ self.disagreed * first.sum(axis=1), expected)


@dataclass(frozen=True, eq=False)
class Fleiss:
    """Fleiss' kappa of items that have the same number of judges, be they the same judges or not (Fleiss 1971).

        κ = (P − E) / (1 − E)      P = mean over items of Σ n(c)(n(c) − 1) / m(m − 1)      E = Σ p(c)²

    n(c) of an item's m judges gave it grade c; p(c) is the share of c among all grades given.
    """

    agreed: Floats  # per topic, Σ over items
    items: Floats
    given: Floats  # topics × grades

    @classmethod
    def of(cls, topic: Places, counts: Floats) -> Fleiss:
        """Of items × grades: how many judges gave the item that grade."""
        topics, judges = int(topic.max(initial=-1)) + 1, counts.sum(axis=1)
        if (judges != judges[:1]).any() or (judges < 2).any():
            raise UsageError("Fleiss' kappa needs the same number of judges, two or more, for every item.")
        agreed = (counts * (counts - 1)).sum(axis=1) / (judges * (judges - 1))
        given = np.zeros((topics, counts.shape[1]))
        np.add.at(given, topic, counts)
        return cls(summed(topic, agreed, topics), summed(topic, np.ones(len(topic)), topics), given)

    def over(self, times: Floats) -> Floats:
        """Its value for each row of times; undefined where only one grade was given."""
        given = times @ self.given
        total = given.sum(axis=1)
        by_chance = np.where(_several(given), ratio((given**2).sum(axis=1), total**2), np.nan)
        agreed = ratio(times @ self.agreed, times @ self.items)
        return np.asarray((agreed - by_chance) / (1 - by_chance))


@dataclass(frozen=True, eq=False)
class Alpha:
    """Krippendorff's alpha of items that two judges or more have judged, not necessarily the same ones (2011).

        α = 1 − (n − 1) Σ o(c, k) δ²(c, k) / Σ n(c) n(k) δ²(c, k)

    o(c, k) counts the pairs of grades of the same item, each pair 1/(m − 1) where the item has m judges; n(c) sums it.
    δ is 1 for two different grades ("nominal"), their difference ("interval"), or the number of grades given between
    them, those of c and of k counting half ("ordinal").
    """

    level: Level
    grades: Floats
    low: Places  # of each cell of o, which hold c < k and k < c together
    high: Places
    cells: Floats  # topics × cells
    given: Floats  # topics × grades

    @classmethod
    def of(cls, topic: Places, ratings: Floats, *, level: Level = "ordinal") -> Alpha:
        """Of items × judges, NaN where a judge has not judged the item."""
        _one_of("level", level, get_args(Level))
        judged = (~np.isnan(ratings)).sum(axis=1)
        topics = int(topic.max(initial=-1)) + 1
        topic, ratings, judged = topic[judged > 1], ratings[judged > 1], judged[judged > 1]
        there = ~np.isnan(ratings)
        grades, inverse = np.unique(ratings[there], return_inverse=True)
        codes = np.full(ratings.shape, -1)
        codes[there] = inverse
        low, high, cells = _coincidences(topic, codes, judged, topics, len(grades))
        item, _ = np.nonzero(there)
        return cls(level, grades, low, high, cells, _counts(topic[item], inverse, topics, len(grades)))

    def over(self, times: Floats) -> Floats:
        """Its value for each row of times; undefined where only one grade was given."""
        given, cells = times @ self.given, times @ self.cells
        total = given.sum(axis=1)
        if self.level == "nominal":
            observed, expected = cells.sum(axis=1), total**2 - (given**2).sum(axis=1)
        else:
            between = (
                np.cumsum(given, axis=1) - given / 2
            )  # ordinal: where the middle of each grade's givings lies
            place = between if self.level == "ordinal" else np.broadcast_to(self.grades, given.shape)
            observed = (cells * (place[:, self.high] - place[:, self.low]) ** 2).sum(axis=1)
            middle = ratio((given * place).sum(axis=1), total)
            expected = 2 * total * (given * (place - middle[:, None]) ** 2).sum(axis=1)
        return 1 - ratio((total - 1) * observed, np.where(_several(given), expected, 0))


def overlap(topic: Places, relevant: NDArray[np.bool_]) -> Share:
    """Of relevant documents, those that all judges call so: |A ∩ B ∩ …| / |A ∪ B ∪ …|, mean over topics (Voorhees 2000).

    relevant  items × judges, of items that all of them judged; a topic in which nobody found anything does not count
    """
    topics = int(topic.max(initial=-1)) + 1
    all_say = summed(topic, np.asarray(relevant.all(axis=1)), topics)
    any_says = summed(topic, np.asarray(relevant.any(axis=1)), topics)
    return Share(np.nan_to_num(ratio(all_say, any_says)), np.sign(any_says))


def kappa(first: Sequence[float], second: Sequence[float], *, weights: Weights = "none") -> float:
    """Cohen's kappa of two judges' grades of the same items; NaN where it is undefined.

    Three of four agree; by chance (2·1 + 2·3)/16 would:

    >>> kappa([1, 1, 0, 0], [1, 0, 0, 0]) == 1 - (1 / 4) / (8 / 16)
    True
    """
    of_first, of_second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if of_first.shape != of_second.shape or of_first.ndim != 1:
        raise UsageError(f"two judges grade the same items; got {of_first.size} and {of_second.size} grades.")
    return _of_all(
        Kappa.of(np.zeros(len(of_first), np.intp), of_first, of_second, weights=weights), len(of_first)
    )


def fleiss(counts: Sequence[Sequence[float]]) -> float:
    """Fleiss' kappa of items × grades: how many judges gave the item that grade. NaN where it is undefined.

    Two judges, two items, they agree on one; the grades were given three times and once:

    >>> fleiss([[2, 0], [1, 1]]) == (1 / 2 - 10 / 16) / (1 - 10 / 16)
    True
    """
    table = np.asarray(counts, np.float64)
    if table.ndim != 2:
        raise UsageError("counts must be items × grades, two dimensions.")
    return _of_all(Fleiss.of(np.zeros(len(table), np.intp), table), len(table))


def alpha(ratings: Sequence[Sequence[float]], *, level: Level = "ordinal") -> float:
    """Krippendorff's alpha of items × judges, NaN where a judge has not judged an item. NaN where it is undefined.

    >>> alpha([[1, 1], [2, 2], [1, 2], [3, float("nan")]], level="nominal") == 1 - 5 * 2 / (6**2 - 3**2 - 3**2)
    True
    """
    table = np.asarray(ratings, np.float64)
    if table.ndim != 2:
        raise UsageError("ratings must be items × judges, two dimensions.")
    return _of_all(Alpha.of(np.zeros(len(table), np.intp), table, level=level), len(table))


def summed(topic: Places, values: NDArray[np.float64] | NDArray[np.bool_], topics: int) -> Floats:
    """The sum of the items' values in each topic."""
    return np.asarray(np.bincount(topic, values, topics), np.float64)


def _of_all(statistic: Statistic, items: int) -> float:
    return float(statistic.over(np.ones((1, 1)))[0]) if items else math.nan


def _coincidences(
    topic: Places, codes: Places, judged: Places, topics: int, grades: int
) -> tuple[Places, Places, Floats]:
    """The pairs of different grades that items have: low and high grade of each kind, and topics × kinds."""
    keys, weights, where = [], [], []
    for judge in range(codes.shape[1]):
        for other in range(judge):
            low, high = (
                np.minimum(codes[:, judge], codes[:, other]),
                np.maximum(codes[:, judge], codes[:, other]),
            )
            differ = (low >= 0) & (low != high)
            keys.append(low[differ] * grades + high[differ])
            weights.append(2 / (judged[differ] - 1))
            where.append(topic[differ])
    pairs_of_grades, place = np.unique(np.concatenate(keys or [np.zeros(0, np.intp)]), return_inverse=True)
    cells = np.zeros((topics, len(pairs_of_grades)))
    if len(pairs_of_grades):
        np.add.at(cells, (np.concatenate(where), place), np.concatenate(weights))
    return pairs_of_grades // max(grades, 1), pairs_of_grades % max(grades, 1), cells


def _counts(topic: Places, code: Places, topics: int, grades: int) -> Floats:
    """How often each grade was given in each topic."""
    counts = np.bincount(topic * grades + code, minlength=topics * grades)
    return counts.reshape(topics, grades).astype(np.float64)


def _several(given: Floats) -> NDArray[np.bool_]:
    """Whether more than one grade was given."""
    return np.asarray(np.count_nonzero(given, axis=1) > 1)


def ratio(above: Floats, below: Floats) -> Floats:
    """Above over below, NaN where there is nothing below."""
    return np.asarray(np.divide(above, below, out=np.full(np.shape(below), np.nan), where=below != 0))


def _one_of(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise UsageError(f"{name} must be one of {', '.join(choices)}; got {value!r}.")
