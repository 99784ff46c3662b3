"""Tied documents in random order: a judged run whose sums are their expected values.

Every document of a tie group is at each rank of the group with the same probability. `spread` gives a record in which the
tied hits of one grade stand at every rank of their group, each with the probability that such a hit is there, and in which
the operations that measures are written with give expected values:

total    sums of what each hit is worth at its rank: of a mean the mean is taken, so the value is exact
running  what stands so far, given that this hit is here: the groups above, and of its own group the ranks above, which the
         other documents share evenly (McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38)
most     where it falls with the rank: what the first of the hits is worth, by the probability that it is the first

The text of a measure is read as it is. Expected values may be added, and multiplied or divided by what is certain; any other
use raises `OneOrderAtATime`, and the measure is then computed order by order: see `tie_orders`.
"""

from typing import TYPE_CHECKING, Any

from gainful.arrays import NDArray, np
from gainful.judging.ranking import Booleans, Floats, Integers, PerTopic, Ranking, Worth, offsets_of
from gainful.judging.record import Ideal, JudgedRun
from gainful.judging.topic_blocks import accumulated
from gainful.judging.transforms import tie_groups


class OneOrderAtATime(Exception):
    """What was asked is not a sum over hits, so each order of the tied documents has to be looked at."""


class Expected(np.ndarray[Any, np.dtype[np.float64]]):
    """Expected values: they may be added, and multiplied or divided by numbers that are certain."""

    in_random_order = True

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        chances = [isinstance(each, Expected) for each in inputs]
        sums = ufunc in (np.add, np.subtract, np.negative, np.positive)
        scaled = (ufunc is np.multiply and sum(chances) == 1) or (
            ufunc is np.divide and chances == [True, False]
        )
        if method != "__call__" or keywords or not (sums or scaled):
            raise OneOrderAtATime
        plain = [each.view(np.ndarray) if isinstance(each, Expected) else each for each in inputs]
        return ufunc(*plain).view(Expected)

    def __array_function__(self, function: Any, types: Any, inputs: Any, keywords: Any) -> Any:
        if function is np.where and not isinstance(inputs[0], Expected) and not keywords:
            return np.where(*(np.asarray(each) for each in inputs)).view(Expected)
        raise OneOrderAtATime


BESIDE = ("begins", "column", "copies", "share", "size")


if TYPE_CHECKING:
    _Base = Ranking
else:
    _Base = object  # classes with slots of their own cannot be combined


class _Spread(_Base):
    """What rankings have in common in which each tied grade stands at every rank of its group.

    share    for each entry, how many hits of that grade are expected at that rank
    copies   for each entry, how many hits the grade has in the group
    size     for each entry, how many documents the group has
    begins   for each entry, the first rank of the group
    column   for each entry, a number for its group and grade
    """

    __slots__ = ()
    begins: Floats
    column: Integers
    copies: Floats
    share: Floats
    size: Floats

    def cut(self, k: float | Floats | None) -> Ranking:
        """The ranking down to rank k."""
        if k is None:
            return self
        return self.only(self.rank <= (self.each(k) if isinstance(k, np.ndarray) else k))

    def only(self, where: Booleans) -> Ranking:
        """The entries where it holds."""
        if where.all():
            return self
        entries = Ranking(self.offsets, self.rank, self.grade)
        offsets = offsets_of(entries.total(where=where).astype(np.intp))
        beside = {name: getattr(self, name)[where] for name in BESIDE}
        return Spread(offsets, self.rank[where], self.grade[where], self._top, beside)

    def total(self, x: Floats | Booleans | float = 1.0, where: Booleans | None = None) -> PerTopic:
        """The expected sum of x over the hits of each topic."""
        worth = self.share * np.asarray(x, np.float64)
        return self._reduce(np.add, worth if where is None else np.where(where, worth, 0.0)).view(Expected)

    def running(self, x: Floats | Booleans) -> Floats:
        """The expected sum of x so far, given that this hit is here, itself included."""
        if isinstance(x, Expected):
            raise OneOrderAtATime
        worth = np.asarray(x, np.float64)
        groups = self._starts_of(self.begins)
        above = self._sums_before(self.share * worth, groups)  # of the groups before
        rows = self._starts_of(self.rank)
        beside = self._sums_before(self.copies * worth, rows) - self._sums_before(self.copies * worth, groups)
        own = self._own_before(worth)
        others = np.maximum(self.size - 1.0, 1.0)
        return (above + worth + (beside - own) / others).view(Expected)

    def most(self, x: Floats | float, where: Booleans | None = None) -> PerTopic:
        """The expected x of the first hit of each topic where it holds; x must fall with the rank, and with nothing else."""
        here = np.ones(len(self.rank), bool) if where is None else np.asarray(where)
        worth = np.broadcast_to(np.asarray(x, np.float64), self.rank.shape)
        kept = np.flatnonzero(here)
        values = np.zeros(len(self))
        if not len(kept):
            return values.view(Expected)
        topic = np.searchsorted(self.offsets, kept, side="right") - 1
        _check_falling(topic, self.rank[kept], worth[kept])
        first_group = np.full(len(self), np.inf)
        np.minimum.at(first_group, topic, self.begins[kept])
        kept = kept[self.begins[kept] == first_group[topic]]
        topic = np.searchsorted(self.offsets, kept, side="right") - 1
        # rows of the group: the hits that count are at this rank with the probability relevant / size, if at none above
        new_row = np.ones(len(kept), bool)
        new_row[1:] = (topic[1:] != topic[:-1]) | (self.rank[kept][1:] != self.rank[kept][:-1])
        row_starts = np.flatnonzero(new_row)
        relevant = np.add.reduceat(self.copies[kept], row_starts)
        entry, row_topic = kept[row_starts], topic[row_starts]
        left = self.size[entry] - (self.rank[entry] - self.begins[entry])  # documents at this rank and below
        by_topic = offsets_of(np.bincount(row_topic, minlength=len(self)))
        rows = Ranking(by_topic, self.rank[entry], self.grade[entry])
        reached = rows.surviving(np.minimum(relevant / left, 1.0))
        return rows.total(reached * np.minimum(relevant / left, 1.0) * worth[entry]).view(Expected)

    def _refused(self, *_: Any, **__: Any) -> Any:
        raise OneOrderAtATime

    surviving = following = sorted_by = at = _refused

    def _starts_of(self, level: Floats) -> Integers:
        """For each entry, where the entries of the same topic begin that share this level (their group, or their rank)."""
        begins = np.ones(len(level), bool)
        begins[1:] = level[1:] != level[:-1]
        starts = self.offsets[:-1]
        begins[starts[starts < len(begins)]] = True
        places = np.flatnonzero(begins)
        start: Integers = places[np.cumsum(begins) - 1]
        return start

    def _sums_before(self, x: Floats, start: Integers) -> Floats:
        """Sum of x over the entries of the topic before a place; a topic's own entries decide its bits."""
        entries = Ranking(self.offsets, self.rank, self.grade)
        so_far = accumulated(entries, np.add, x)
        place = np.maximum(start - 1, 0)
        return np.where(start > self.each(self.offsets[:-1]), so_far[place] if len(so_far) else so_far, 0.0)

    def _own_before(self, x: Floats) -> Floats:
        """Sum of x over the entries of the same group and grade at ranks before."""
        order = np.argsort(self.column, kind="stable")  # entries of one column stand in rank order
        lengths = np.bincount(self.column[order]) if len(order) else np.zeros(0, np.intp)
        columns = Ranking(offsets_of(lengths), self.rank[order], self.grade[order])
        summed = np.empty_like(x)
        summed[order] = accumulated(columns, np.add, x[order]) - x[order] if len(order) else x[order]
        return summed


class Spread(_Spread, Ranking):
    """A ranking in which each tied grade stands at every rank of its group."""

    __slots__ = BESIDE

    def __init__(
        self, offsets: Integers, rank: Floats, grade: Floats, top: float | None, beside: dict[str, Any]
    ) -> None:
        super().__init__(offsets, rank, grade, top=top)
        for name in BESIDE:
            setattr(self, name, beside[name])


class ExpectedRun(_Spread, JudgedRun):
    """A judged run whose tied documents are in random order, as a measure reads it."""

    __slots__ = ("original", *BESIDE)

    def __init__(self, original: JudgedRun) -> None:
        entries = spread_entries(original)
        self.original = original
        fields = original.fields() | {name: entries.pop(name) for name in ("offsets", "rank", "grade")}
        super().__init__(**(fields | {"first": None, "last": None, "row": None}))
        for name in BESIDE:
            setattr(self, name, entries[name])

    def ideal(self, gain: Worth, *, of: Ideal = "judged") -> Ranking:
        """Best gain first; of documents, so no order of ties matters."""
        return self.original.ideal(gain, of=of)

    ideal_rank = every_rank = rank_of_judged = _Spread._refused
    known = property(_Spread._refused)


def spread_entries(judged: JudgedRun) -> dict[str, NDArray[Any]]:
    """Entries of every tie group: each grade of it at each of its ranks, by rank and then by grade."""
    group, _ = tie_groups(judged)
    order = np.lexsort((-judged.grade, group))
    group, grade = group[order], judged.grade[order]
    new = np.ones(len(order), bool)
    new[1:] = (group[1:] != group[:-1]) | (grade[1:] != grade[:-1])
    columns = np.flatnonzero(new)
    copies = np.diff(np.append(columns, len(order))).astype(np.float64)
    first, last = judged.first[order][columns], judged.last[order][columns]
    topic = judged.each(np.arange(len(judged)))[order][columns]
    length = (last - first + 1).astype(np.intp)
    column = np.repeat(np.arange(len(columns)), length)
    rank = np.arange(len(column)) - np.repeat(offsets_of(length)[:-1], length) + first[column]
    place = np.lexsort((column, rank, topic[column]))
    column, rank = column[place], rank[place]
    return {
        "offsets": offsets_of(np.bincount(topic[column], minlength=len(judged))),
        "rank": rank,
        "grade": grade[columns][column],
        "share": copies[column] / length[column],
        "copies": copies[column],
        "size": length[column].astype(np.float64),
        "begins": first[column],
        "column": column,
    }


def _check_falling(topic: Integers, rank: Floats, worth: Floats) -> None:
    """Raise unless x depends on the rank alone, and never rises with it."""
    same = topic[1:] == topic[:-1]
    alike = same & (rank[1:] == rank[:-1])
    if (worth[1:][alike] != worth[:-1][alike]).any() or (worth[1:][same] > worth[:-1][same]).any():
        raise OneOrderAtATime
