"""A ranked list written by hand, with no files: its gains or the ranks of its relevant documents, followed rank by rank."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.judging import JudgedRun, Ranking, judged_run
from gainful.measures import Measure, parse
from gainful.measures._gains import Discount
from gainful.measures._many import at_cutoffs
from gainful.measures._needs import needed
from gainful.presentation.table import Table
from gainful.presentation.text_style import counted, fixed

TOPIC = "example"
RUN = "list"

_MOST_DOCUMENTS = 10_000
_MOST_RELEVANT = 1_000_000
_REPEATED = re.compile(r"(.+)\*([0-9]{1,9})")


class ByHand(NamedTuple):
    """Judgments and a run, each of one topic, as `explain` takes them."""

    qrels: dict[str, dict[str, float]]
    run: dict[str, dict[str, float]]


def list_of_gains(gains: str, ideal: str | None = None) -> ByHand:
    """A list of documents D1, D2, … with these gains, and the documents that the ideal list has besides.

    gains  of the list in its order, such as "3 2 0 1"; 3*9 is nine times 3
    ideal  how the ideal list begins, or all of it; by default the best order of the list itself

    >>> qrels, run = list_of_gains("3 1", "3*2")
    >>> qrels, list(run["example"])
    ({'example': {'D1': 3.0, 'D2': 1.0, 'missed1': 3.0}}, ['D1', 'D2'])
    """
    found = _numbers("gains", gains)
    best = sorted([] if ideal is None else _numbers("ideal", ideal), reverse=True)
    missed = sorted((Counter(best) - Counter(found)).elements(), reverse=True)
    if sorted([*found, *missed], reverse=True)[: len(best)] != best:
        raise UsageError(
            f"--ideal begins with {_written(best)}, but the list itself has better documents: {_written(found)}; "
            "write the ideal list from its beginning, best first."
        )
    return _by_hand(found, missed)


def list_of_relevant(ranks: str, of: int | None = None) -> ByHand:
    """A list of documents D1, D2, … that are relevant at these ranks; it ends at the last of them.

    ranks  such as "1,2,5,8"
    of     number of relevant documents in all, also those that the list does not have; by default none is missing

    >>> list_of_relevant("1,3", 3).qrels
    {'example': {'D1': 1.0, 'D2': 0.0, 'D3': 1.0, 'missed1': 1.0}}
    """
    relevant: set[int] = set()
    for text in _split("relevant", ranks):
        if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= _MOST_DOCUMENTS:
            raise UsageError(
                f"--relevant takes ranks, such as 1,2,5,8, from 1 to {_MOST_DOCUMENTS:,}; got '{text}'."
            )
        if int(text) in relevant:
            raise UsageError(f"--relevant has rank {text} twice; write each rank once.")
        relevant.add(int(text))
    of = len(relevant) if of is None else of
    if not len(relevant) <= of <= _MOST_RELEVANT:
        raise UsageError(
            f"--of counts all relevant documents, so it is from {len(relevant)} (the ranks in --relevant) "
            f"to {_MOST_RELEVANT:,}; got {of:,}."
        )
    found = [float(rank in relevant) for rank in range(1, max(relevant) + 1)]
    return _by_hand(found, [1.0] * (of - len(relevant)))


def check_measure(measure: str) -> None:
    """Raise if the measure needs more of the judgments than a grade for each document.

    >>> check_measure("NRBP")
    Traceback (most recent call last):
    gainful.errors.UsageError: NRBP needs judgments by subtopics, and a list that is written down has only grades; give files.
    """
    needs = needed([parse(measure)])
    if needs is not None:
        raise UsageError(
            f"{measure} needs judgments by {needs}, and a list that is written down has only grades; give files."
        )


def _by_hand(found: list[float], missed: list[float]) -> ByHand:
    grades = {f"D{rank}": gain for rank, gain in enumerate(found, 1)}
    others = {f"missed{number}": gain for number, gain in enumerate(missed, 1)}
    return ByHand(
        {TOPIC: grades | others}, {TOPIC: {name: -float(rank) for rank, name in enumerate(grades, 1)}}
    )


def _numbers(option: str, text: str) -> list[float]:
    """The numbers of a list, repeated ones as often as is written."""
    numbers: list[float] = []
    for word in _split(option, text):
        repeated = _REPEATED.fullmatch(word)
        value, times = (repeated[1], int(repeated[2])) if repeated else (word, 1)
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 <= number < 1e9:
            raise UsageError(
                f"--{option} takes numbers from 0 on, such as '3 2 0 1', and 3*9 for nine times 3; got '{word}'."
            )
        if len(numbers) + times > _MOST_DOCUMENTS:
            raise UsageError(f"--{option} has more than {_MOST_DOCUMENTS:,} documents; write a shorter list.")
        numbers += [number] * times
    if not numbers:
        raise UsageError(f"--{option} has no document: {text} repeats nothing; write it at least once.")
    return numbers


def _split(option: str, text: str) -> list[str]:
    words = text.replace(",", " ").split()
    if not words:
        raise UsageError(f"--{option} is empty; write its numbers, separated by blanks or commas.")
    return words


def _written(numbers: list[float]) -> str:
    some = " ".join(f"{number:g}" for number in numbers[:10])
    return some if len(numbers) <= 10 else f"{some} …"


Floats = NDArray[np.float64]
Ideal = Literal["judged", "retrieved"]


@dataclass(frozen=True, eq=False)
class Gains:
    """A list of gains in the order of its documents, and every gain there was to have.

    >>> print(gains([3, 0, 1]))
    rank  gain  CG  ideal CG     DCG  ideal DCG    nDCG
    ────  ────  ──  ────────  ──────  ─────────  ──────
       1     3   3         3  3.0000     3.0000  1.0000
       2     0   3         4  3.0000     3.6309  0.8262
       3     1   4         4  3.5000     3.6309  0.9639

    What is asked of it comes as a vector, a number for each rank. Of several lists it comes as a row for each list.

    >>> two = gains([[1, 0, 1], [0, 0, 2]])
    >>> two.cg
    array([[1., 1., 2.],
           [0., 0., 2.]])
    """

    judged: JudgedRun
    depth: int
    several: bool

    def __repr__(self) -> str:
        lists = f"{counted(len(self.judged), 'list')} of " if self.several else ""
        return f"<Gains: {lists}{counted(self.depth, 'rank')}>"

    def __str__(self) -> str:
        return self._table().text()

    def _repr_html_(self) -> str:
        return self._table().html()

    def _table(self) -> Table:
        """Rank by rank: the gain, what was gained so far, and the share of the best that was to be had."""
        columns = {"CG": self.cg, "ideal CG": self.ideal_cg, "DCG": self.dcg(), "ideal DCG": self.ideal_dcg()}
        columns |= {"nDCG": self.ndcg()}
        each = {name: np.atleast_2d(values) for name, values in columns.items()}
        gained = np.diff(each["CG"], axis=1, prepend=0)
        rows = [
            [str(number + 1), str(rank + 1), f"{gained[number, rank]:g}"]
            + [
                fixed(float(values[number, rank])) if "D" in name else f"{values[number, rank]:g}"
                for name, values in each.items()
            ]
            for number in range(len(gained))
            for rank in range(self.depth)
        ]
        heads = ["list", "rank", "gain", *columns]
        return Table(heads, rows, 0) if self.several else Table(heads[1:], [row[1:] for row in rows], 0)

    @property
    def cg(self) -> Floats:
        """Cumulated gain: the gains so far, summed."""
        return self.at_every_rank("CG")

    @property
    def ideal_cg(self) -> Floats:
        """Cumulated gain of every gain there was to have, best first."""
        return self.ideal().cg

    def dcg(self, *, discount: str | Discount = "log", base: float = 2, gain: Any = "linear") -> Floats:
        """Discounted cumulated gain; discount and gain as in the measure DCG."""
        return self.at_every_rank(parse("DCG")(discount=discount, base=base, gain=gain))

    def ideal_dcg(
        self,
        *,
        discount: str | Discount = "log",
        base: float = 2,
        gain: Any = "linear",
        ideal: Ideal = "judged",
    ) -> Floats:
        """Discounted cumulated gain of the ideal list."""
        return self.ideal(ideal).dcg(discount=discount, base=base, gain=gain)

    def ncg(self, *, gain: Any = "linear", ideal: Ideal = "judged") -> Floats:
        """Cumulated gain as a share of the ideal list's."""
        return self.at_every_rank(parse("NCG")(gain=gain, ideal=ideal))

    def ndcg(
        self,
        *,
        discount: str | Discount = "log",
        base: float = 2,
        gain: Any = "linear",
        ideal: Ideal = "judged",
    ) -> Floats:
        """Discounted cumulated gain as a share of the ideal list's."""
        return self.at_every_rank(parse("nDCG")(discount=discount, base=base, gain=gain, ideal=ideal))

    def at_every_rank(self, measure: str | Measure) -> Floats:
        """Any measure that takes a cutoff, at every rank of the list.

        >>> gains([1, 0, 1]).at_every_rank("P").round(4)
        array([1.    , 0.5   , 0.6667])
        """
        chosen = parse(measure) if isinstance(measure, str) else measure
        values, _ = at_cutoffs(chosen, self.judged, np.arange(1.0, self.depth + 1))
        return values.T if self.several else values[:, 0]

    def ideal(self, of: Ideal = "judged") -> Gains:
        """The best list: every gain there was to have, largest first, as long as this one; or this one sorted."""
        pool = self.judged.pool
        best = (
            pool
            if of == "judged"
            else Ranking.best_first(self.judged.offsets, self.judged.grade, top=pool.top)
        )
        there = best.cut(self.depth)
        run = JudgedRun(
            there.offsets,
            there.rank,
            there.grade,
            pool=pool,
            retrieved=np.diff(there.offsets).astype(np.float64),
            present=self.judged.present,
        )
        return Gains(run, self.depth, self.several)


def gains(
    found: Sequence[float] | Sequence[Sequence[float]],
    judged: Sequence[float] | Sequence[Sequence[float]] | Mapping[float, int] | None = None,
) -> Gains:
    """Gains of a ranked list, first document first, for computing CG, DCG and nDCG by hand; or of several lists.

    judged  all gains in the judgments, including those retrieved; by default only those retrieved

    >>> figure = gains([3, 2, 1, 1, 3, 1, 1, 2, 1, 1], judged=[3] * 9 + [2] * 2 + [1] * 6)
    >>> figure.cg
    array([ 3.,  5.,  6.,  7., 10., 11., 12., 14., 15., 16.])
    >>> figure.dcg(discount="jk")[8:].round(4), figure.ndcg(discount="jk")[8:].round(4)
    (array([9.1482, 9.4492]), array([0.6156, 0.6111]))
    """
    if not len(found):
        raise UsageError(
            "no gains were given; write them in the order of the list, as in gains([3, 2, 0, 1])."
        )
    several = not np.isscalar(found[0])
    lists = [list(row) for row in found] if several else [list(found)]  # type: ignore[arg-type]
    for row in lists:
        for gain in row:
            if not isinstance(gain, int | float | np.number) or not np.isfinite(gain) or gain < 0:
                raise UsageError(f"a gain is a number, 0 or more; got {gain!r}.")
    if isinstance(judged, Mapping):
        judged = [gain for gain, times in judged.items() for _ in range(times)]
    record = judged_run(lists, judged=None if judged is None else judged if several else [judged])  # type: ignore[arg-type]
    return Gains(record, max(map(len, lists)), several)
