"""Leaderboard: systems best first, with intervals for their ranks and letters for differences that are not significant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.comparison import Comparison
from gainful.comparisons.model_intervals import rows_for_ranks
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.presentation.text_style import percent
from gainful.statistics import resampling
from gainful.statistics.differences import EQUAL
from gainful.statistics.resampling import Progress

Ends = tuple[NDArray[np.intp], NDArray[np.intp]]
_ROWS = 100  # rows drawn again together


@dataclass(frozen=True, slots=True)
class Place:
    """One system on the leaderboard.

    ranks    interval of its rank, over topics drawn again
    letters  systems that share one do not differ significantly; "" where the test can resolve no pair of the board
    """

    rank: int
    system: str
    mean: float
    ranks: tuple[int, int]
    letters: str

    def to_dict(self) -> dict[str, Any]:
        """By name."""
        return {
            "rank": self.rank,
            "system": shown(self.system),
            "mean": self.mean,
            "rank_interval": list(self.ranks),
            "letters": self.letters,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Leaderboard(Brief):
    """The systems of a comparison by one measure, best first."""

    measure: Measure
    places: tuple[Place, ...]
    topics: int
    confidence: float
    resamples: int
    seed: int
    significant: int
    """Neighbours on the board that differ significantly."""
    unresolved: int
    """Neighbours between which the test could not have found any difference."""
    limit: str | None
    """Why it could not, and what it would take."""

    @property
    def lettered(self) -> bool:
        """Whether people can read its letters: no more systems than one alphabet has."""
        return len(self.places) <= 26

    def sentence(self) -> str:
        """How many neighbours on the board differ significantly, in a sentence."""
        neighbours = len(self.places) - 1
        together = neighbours - self.significant - self.unresolved
        parts = []
        if self.significant == neighbours:
            parts.append("every system differs significantly from its neighbours on this board")
        if together:
            parts.append(f"{together} of {neighbours} neighbours on this board do not differ significantly")
        if self.unresolved:
            parts.append(
                f"the test cannot resolve {self.unresolved} of {neighbours} neighbours on this board: {self.limit}"
            )
        top, (low, high) = shown(self.places[0].system), self.places[0].ranks
        rank = f"{top} stays on rank {low}" if low == high else f"{top} ranks between {low} and {high}"
        parts.append(f"with other topics {rank} ({percent(self.confidence)})")
        return f"{self.measure}: {'; '.join(parts)}."

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "topics": self.topics,
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
            "significant_neighbours": self.significant,
            "unresolved_neighbours": self.unresolved,
            "places": [place.to_dict() for place in self.places],
        }


def leaderboard(
    comparison: Comparison, measure: str | Measure | None = None, *, progress: Progress | None = None
) -> Leaderboard:
    """The leaderboard of one measure; by default the first."""
    table = comparison.table
    place = 0 if measure is None else table.place_of(measure)
    return leaderboards(comparison, table.measures[place : place + 1], progress=progress)[0]


def leaderboards(
    comparison: Comparison, measures: Sequence[Measure] | None = None, *, progress: Progress | None = None
) -> list[Leaderboard]:
    """The leaderboards of several measures, by default of all; measures of the same topics are drawn again together."""
    if comparison.method.baseline is not None:
        raise UsageError("a leaderboard needs all pairs compared; leave the baseline out.")
    asked = comparison.table.measures if measures is None else measures
    ends = [
        end for some in _drawn_together(comparison, asked) for end in _rank_ends(comparison, some, progress)
    ]
    return [_board(comparison, measure, *end) for measure, end in zip(asked, ends, strict=True)]


def _drawn_together(comparison: Comparison, measures: Sequence[Measure]) -> list[list[Measure]]:
    """Neighbours of the same topics, as many as are held in bounded memory; with weights each is alone."""
    table = comparison.table
    most = max(1, _ROWS // len(table.names)) if table.weights is None else 1
    by_topics = [list(some) for _, some in groupby(measures, key=lambda measure: table.of(measure)[1])]
    return [some[at : at + most] for some in by_topics for at in range(0, len(some), most)]


def _rank_ends(comparison: Comparison, measures: Sequence[Measure], progress: Progress | None) -> list[Ends]:
    """Intervals of the ranks by each measure."""
    table, method = comparison.table, comparison.method
    rows = [_sign(measure) * rows_for_ranks(table, measure) for measure in measures]
    drawn = resampling.means(
        np.concatenate(rows),
        resamples=method.resamples,
        seed=method.seed,
        progress=progress,
        weights=table.weights_of(table.of(measures[0])[1]),
    )
    each = np.split(drawn, len(measures), axis=1)
    return [_between(some, method.confidence) for some in each]


def _sign(measure: Measure) -> float:
    return -1.0 if measure.less_is_better else 1.0


def _board(
    comparison: Comparison, measure: Measure, low: NDArray[np.intp], high: NDArray[np.intp]
) -> Leaderboard:
    _, topics = comparison.table.of(measure)
    names, method = comparison.table.names, comparison.method
    means = comparison.means[str(measure)]
    sign = _sign(measure)
    order = sorted(range(len(names)), key=lambda system: -sign * means[names[system]])
    ranks = _ranks(sign * np.array([[means[name] for name in names]]))[0]
    different, unresolved = _matrices(comparison, measure, order)
    above = np.arange(len(order) - 1)
    blind = unresolved[above, above + 1]
    nothing = np.count_nonzero(unresolved) == len(order) * (len(order) - 1)
    marks = [""] * len(order) if nothing else letters(different)
    places = tuple(
        Place(
            int(ranks[system]),
            names[system],
            means[names[system]],
            (int(low[system]), int(high[system])),
            marks[number],
        )
        for number, system in enumerate(order)
    )
    limits = (comparison.limit(pair) for pair in comparison.of(measure))
    return Leaderboard(
        measure,
        places,
        len(topics),
        method.confidence,
        method.resamples,
        method.seed,
        significant=int(np.count_nonzero(different[above, above + 1])),
        unresolved=int(np.count_nonzero(blind)),
        limit=next((limit for limit in limits if limit), None) if blind.any() else None,
    )


def rank_intervals(
    rows: NDArray[np.float64],
    *,
    confidence: float = 0.95,
    resamples: int = resampling.RESAMPLES,
    seed: int = resampling.SEED,
    progress: Progress | None = None,
    weights: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The ranks between which each system (a row) falls when topics are drawn again; 1 is the best.

    >>> low, high = rank_intervals(np.array([[0.1, 0.2, 0.1], [0.8, 0.9, 0.7]]), resamples=100)
    >>> low.tolist(), high.tolist()
    ([2, 1], [2, 1])
    """
    drawn = resampling.means(rows, resamples=resamples, seed=seed, progress=progress, weights=weights)
    return _between(drawn, confidence)


def _between(drawn: NDArray[np.float64], confidence: float) -> Ends:
    """The middle share of each system's ranks, from resampled means: resamples × systems."""
    ranks = np.empty(drawn.shape, np.intp)
    block = resampling.block_size(drawn.shape[1], most=4096)
    for start in range(0, len(drawn), block):
        ranks[start : start + block] = _ranks(drawn[start : start + block])
    tail = (1 - confidence) / 2
    low = np.quantile(ranks, tail, axis=0, method="inverted_cdf")
    high = np.quantile(ranks, 1 - tail, axis=0, method="inverted_cdf")
    return low.astype(np.intp), high.astype(np.intp)


def _ranks(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """The rank of each value in its row: 1 + the number of better ones.

    >>> _ranks(np.array([[0.5, 0.9, 0.5, 0.1]])).tolist()
    [[2, 1, 2, 4]]
    """
    grid = EQUAL * np.abs(scores).max(initial=0)
    if grid > 0:  # means that are equal on paper share a rank
        scores = np.round(scores / grid)
    order = np.argsort(-scores, axis=1, kind="stable")
    ordered = np.take_along_axis(scores, order, axis=1)
    place = np.broadcast_to(np.arange(1, scores.shape[1] + 1), scores.shape).copy()
    place[:, 1:][ordered[:, 1:] == ordered[:, :-1]] = 0
    np.maximum.accumulate(place, axis=1, out=place)
    ranks = np.empty_like(place)
    np.put_along_axis(ranks, order, place, axis=1)
    return ranks


def _matrices(
    comparison: Comparison, measure: Measure, order: list[int]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which systems differ significantly, and which pairs the test could not resolve; in the order of the board."""
    place = {comparison.table.names[system]: number for number, system in enumerate(order)}
    different, unresolved = np.zeros((2, len(order), len(order)), np.bool_)
    alpha = comparison.method.alpha
    for pair in comparison.of(measure):
        a, b = place[pair.a], place[pair.b]
        different[a, b] = different[b, a] = pair.significant(alpha)
        unresolved[a, b] = unresolved[b, a] = pair.unresolved(alpha)
    return different, unresolved


_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def groups(different: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Groups of systems none of which differ, so that every two that do not differ are together in one.

    different  systems × systems, in the order of the leaderboard, best first

    The middle one differs from neither end:

    >>> groups(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    [(0, 1), (1, 2)]
    """
    size = len(different)
    alike = [
        sum(1 << other for other in np.flatnonzero(~row).tolist()) | 1 << system
        for system, row in enumerate(different)
    ]
    uncovered = list(alike)
    cover = []
    for system in range(size):
        while uncovered[system]:
            group = _grown(system, alike, uncovered)
            for member in _members(group):
                uncovered[member] &= ~group
            cover.append(group)
    return sorted(_members(group) for group in _needed(cover, size))


def _grown(system: int, alike: Sequence[int], uncovered: Sequence[int]) -> int:
    """A group with this system: first those it still has to share a letter with, best first, then any other that fits."""
    group, fits = 1 << system, alike[system]
    for wanted in (uncovered[system], fits):
        for other in _members(wanted):
            if fits >> other & 1:
                group |= 1 << other
                fits &= alike[other]
    return group


def _needed(cover: Sequence[int], size: int) -> list[int]:
    """The groups without those whose every pair is together elsewhere, the smallest left out first."""
    together = np.zeros((size, size), np.intp)
    for group in cover:
        members = np.array(_members(group))
        together[np.ix_(members, members)] += 1
    kept = []
    for group in sorted(cover, key=int.bit_count):
        members = np.array(_members(group))
        block = np.ix_(members, members)
        if (together[block] > 1).all():
            together[block] -= 1
        else:
            kept.append(group)
    return kept


def _members(group: int) -> tuple[int, ...]:
    members = []
    while group:
        lowest = group & -group
        members.append(lowest.bit_length() - 1)
        group ^= lowest
    return tuple(members)


def letter(number: int) -> str:
    """The letters a to z, then a1 to z1, a2 …

    >>> letter(0), letter(25), letter(26), letter(53)
    ('a', 'z', 'a1', 'b2')
    """
    turn, place = divmod(number, len(_ALPHABET))
    return _ALPHABET[place] + (str(turn) if turn else "")


def split(marks: str) -> list[str]:
    """The letters of a system, one by one.

    >>> split("abc1d")
    ['a', 'b', 'c1', 'd']
    """
    return re.findall("[a-z][0-9]*", marks)


def short(marks: str, dash: str = "–") -> str:
    """The letters of a mark, four or more in a row as their ends.

    >>> short("abdefghz"), short("abc"), short("wxyza1b1")
    ('abd–hz', 'abc', 'w–b1')
    """
    numbers = [_number(mark) for mark in split(marks)]
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [
        [letter(run[0]), dash, letter(run[-1])] if len(run) > 3 else list(map(letter, run)) for run in runs
    ]
    return "".join(part for run in parts for part in run)


def _number(mark: str) -> int:
    return _ALPHABET.index(mark[0]) + len(_ALPHABET) * int(mark[1:] or 0)


def letters(different: NDArray[np.bool_]) -> list[str]:
    """The letters of each system, best system first.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    ['a', 'ab', 'b']
    """
    marks = [""] * len(different)
    for number, group in enumerate(groups(different)):
        for member in group:
            marks[member] += letter(number)
    return marks
