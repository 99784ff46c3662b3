"""How alike two rankings are: the lists of two runs, topic by topic, and two orders of the same systems.

Rank-biased overlap (RBO) is the similarity of two ranked lists to a reader who goes on from each rank with chance p:

    RBO = (1 − p) Σ p^(d−1) · |first d of A ∩ first d of B| / d        over all depths d

Lists end, so that the sum is known only in part (Webber, Moffat & Zobel 2010, doi:10.1145/1852102.1852106):

    least         nothing below the ends is shared
    most          as much as could be is
    extrapolated  the lists go on agreeing as they did where they end
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.formats.ids import in_order, shown
from gainful.formats.judgments import read_qrels
from gainful.formats.runs import Run, read_run
from gainful.formats.types import Ties
from gainful.judging.ordered_lists import ordered
from gainful.judging.settings import Settings
from gainful.presentation.page import Brief
from gainful.summaries import mean


@dataclass(frozen=True, slots=True)
class Overlap:
    """Rank-biased overlap of two lists, and what is known of it."""

    least: float
    most: float
    extrapolated: float


def rbo(first: Sequence[Hashable], second: Sequence[Hashable], *, p: float = 0.9) -> Overlap:
    """Rank-biased overlap of two lists, which may differ in length and in what they hold.

    >>> overlap = rbo(["a", "b"], ["b", "a"], p=0.5)  # of Σ 0.5^d · 2/d from d = 2 on, the rest being known
    >>> round(overlap.least, 4) == round(2 * (math.log(2) - 0.5), 4), overlap.most, overlap.extrapolated
    (True, 0.5, 0.5)
    """
    persistence(p)
    shared = shared_by_depth(first, second)
    short, long = sorted((len(first), len(second)))
    if short == 0:
        # Nothing is known of an empty list; two of them agree on nothing at all.
        return Overlap(0.0, 1.0 if long else 0.0, 0.0)
    depth = np.arange(1, long + 1)
    weight = p**depth / depth
    known = float((shared * weight).sum())
    at_end, at_short = float(shared[-1]), float(shared[short - 1])
    beyond = -math.log1p(-p) - float(weight.sum())  # Σ p^d / d over d > long
    extended = np.where(depth > short, at_short * (depth - short) / short, 0.0)
    end = (at_end - at_short) / long + at_short / short
    return Overlap(
        least=(1 - p) / p * (known + at_end * beyond),
        most=_most(shared, short, p),
        extrapolated=(1 - p) / p * (known + float((extended * weight).sum())) + end * p**long,
    )


def shared_by_depth(first: Sequence[Hashable], second: Sequence[Hashable]) -> NDArray[np.float64]:
    """How many of the first d both lists have, for each d down to the end of the longer.

    >>> shared_by_depth("abc", "bxad").tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    rank = {item: number for number, item in enumerate(second)}
    if len(rank) < len(second) or len(set(first)) < len(first):
        raise DataError("a ranked list contains an item twice; remove one of them.")
    deeper = [max(number, rank[item]) for number, item in enumerate(first) if item in rank]
    return np.cumsum(np.bincount(np.array(deeper, np.intp), minlength=max(len(first), len(second)))).astype(
        float
    )


def persistence(p: float) -> float:
    """The persistence p; raise unless it lies between 0 and 1."""
    if not 0 < p < 1:
        raise UsageError(f"p must lie between 0 and 1; got {p:g}.")
    return p


def _most(shared: NDArray[np.float64], short: int, p: float) -> float:
    """The greatest RBO possible: below the ends, the lists agree as far as they can."""
    long = len(shared)
    full = int(long + short - shared[-1])  # from here on the lists could agree wholly
    depth = np.arange(1, max(full, long) + 1)
    seen = np.concatenate([shared, np.full(len(depth) - long, shared[-1])])
    could = np.minimum(seen + np.maximum(depth - short, 0) + np.maximum(depth - long, 0), depth)
    return float((1 - p) * (p ** (depth - 1) * could / depth).sum() + p ** len(depth))


DEPTHS = (1, 5, 10, 20, 50, 100, 1000)

Lists = dict[str, list[str]]


@dataclass(frozen=True, repr=False)
class ListOverlap(Brief):
    """How alike two runs are over one kind of documents; means over the topics that both have.

    of        "all" documents, only the "judged" ones, or only the "relevant" ones
    rbo       known for certain up to the ends of the lists: its least and most value, and its extrapolation
    by_depth  share of the first d documents that both have, for each depth d; lists that are shorter count as they are
    """

    first: str
    second: str
    of: str
    topics: int
    p: float
    rbo: Overlap
    by_depth: dict[int, float]
    per_topic: dict[str, Overlap]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "first": shown(self.first),
            "second": shown(self.second),
            "of": self.of,
            "topics": self.topics,
            "p": self.p,
            "rbo": asdict(self.rbo),
            "overlap": {str(depth): value for depth, value in self.by_depth.items()},
            "per_topic": {shown(topic): asdict(value) for topic, value in self.per_topic.items()},
        }


def correlate_runs(
    first: Any,
    second: Any,
    *,
    qrels: Any = None,
    p: float = 0.9,
    depth: int | None = None,
    depths: Sequence[int] = DEPTHS,
    rel: float = 1,
    ties: Ties = "docid",
) -> list[ListOverlap]:
    """How alike two runs are: rank-biased overlap, and the share of documents that both have by depth.

    qrels  judgments; with them only judged topics count, and judged and relevant documents are also looked at by themselves
    p      chance that the reader goes on from each rank: 0.9 looks at about the first ten documents
    depth  ranks counted of each list; None is all
    ties   equal scores: by document id, descending ("docid"), or in the order given ("input")

    >>> overlaps = correlate_runs({"q": {"a": 3.0, "b": 2.0}}, {"q": {"b": 3.0, "a": 2.0}}, p=0.5, depths=[1, 2])
    >>> overlaps[0].rbo.extrapolated, overlaps[0].by_depth
    (0.5, {1: 0.0, 2: 1.0})
    """
    persistence(p)
    if depth is not None and depth < 1:
        raise UsageError(f"depth must be 1 or more, or None for every rank; got {depth}.")
    runs = [read_run(given) for given in (first, second)]
    if runs[0].name == runs[1].name:
        runs = [Run(run.content, name=name) for run, name in zip(runs, ("first", "second"), strict=True)]
    lists = [_lists(run, ties) for run in runs]
    grades = None if qrels is None else read_qrels(qrels).to_dict()
    topics = [topic for topic in lists[0] if topic in lists[1] and (grades is None or topic in grades)]
    if not topics:
        where = "no topic is in both runs" if grades is None else "no judged topic is in both runs"
        raise NothingInCommon(f"{where}; are these the right files?")
    kinds: dict[str, Callable[[str, str], bool] | None] = {"all": None}
    if grades is not None:
        kinds["judged"] = lambda topic, document: grades[topic].get(document, -1.0) >= 0
        kinds["relevant"] = lambda topic, document: grades[topic].get(document, -math.inf) >= rel
    names = (runs[0].name, runs[1].name)
    return [
        _overlap(names, lists, in_order(topics), kind, counts, p, depth, depths)
        for kind, counts in kinds.items()
    ]


def _overlap(
    names: tuple[str, str],
    lists: Sequence[Lists],
    topics: Sequence[str],
    kind: str,
    counts: Callable[[str, str], bool] | None,
    p: float,
    depth: int | None,
    depths: Sequence[int],
) -> ListOverlap:
    per_topic: dict[str, Overlap] = {}
    shares: dict[int, list[float]] = {limit: [] for limit in depths}
    for topic in topics:
        first, second = (
            [document for document in of[topic] if counts is None or counts(topic, document)][:depth]
            for of in lists
        )
        if not first and not second:
            continue  # nothing of this kind in either list
        per_topic[topic] = rbo(first, second, p=p)
        shared = shared_by_depth(first, second)
        for limit, share in shares.items():
            longest = min(limit, len(shared))
            share.append(float(shared[longest - 1]) / longest)
    deepest = max(len(of[topic][:depth]) for of in lists for topic in topics)
    return ListOverlap(
        names[0],
        names[1],
        kind,
        len(per_topic),
        p,
        _mean(list(per_topic.values())),
        {
            limit: mean(np.array(share))
            for limit, share in shares.items()
            if limit <= max(deepest, min(depths))
        },
        per_topic,
    )


def _lists(run: Run, ties: Ties) -> Lists:
    """Documents of each topic in rank order."""
    if ties not in ("docid", "input"):
        raise UsageError(f"ties must be docid or input; got {ties!r}.")
    lists = ordered(run, Settings(ties=ties))
    return {topic: lists.documents(topic) for topic in lists.topics}


def _mean(overlaps: Sequence[Overlap]) -> Overlap:
    ends = ("least", "most", "extrapolated")
    return Overlap(*(mean(np.array([getattr(overlap, end) for overlap in overlaps])) for end in ends))


def tau_b(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Kendall's tau-b: concordant minus discordant pairs; pairs tied in either order are left out of the divisor.

        τb = (C − D) / √((C + D + ties in x only) (C + D + ties in y only))

    3 1 2 against 3 2 1: two pairs agree, one does not.

    >>> tau_b(np.array([3.0, 1.0, 2.0]), np.array([3.0, 2.0, 1.0])) == (2 - 1) / 3
    True
    """
    above, below = np.triu_indices(len(x), 1)
    of_x, of_y = np.sign(x[above] - x[below]), np.sign(y[above] - y[below])
    divisor = math.sqrt(float(np.count_nonzero(of_x)) * float(np.count_nonzero(of_y)))
    return float((of_x * of_y).sum()) / divisor if divisor else math.nan


def tau_ap(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """AP correlation (Yilmaz, Aslam & Robertson 2008, doi:10.1145/1390334.1390435): disagreement at the top weighs more.

        τap = 1/(N − 1) · Σ over ranks i ≥ 2 of y of (C(i) − D(i)) / (i − 1)

    x is the truth, y the order that is judged by it; C(i) and D(i) count the systems above rank i of y that x
    puts above and below it. Ties: the expected value over all ways of breaking them.

    The order 1 3 2 of y where x has 1 2 3: (1/1 + (1 − 1)/2) / 2

    >>> tau_ap(np.array([3.0, 2.0, 1.0]), np.array([3.0, 1.0, 2.0]))
    0.5
    """
    size = len(x)
    if size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    total = 0.0
    inverse = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, size + 1))])  # Σ 1/k up to k
    for system in range(size):
        above = y > y[system]
        first = int(above.sum())  # systems above all that tie with this one
        if first == 0:
            continue
        tied = int((y == y[system]).sum())
        agreement = float(np.sign(x[above] - x[system]).sum())
        # Its rank − 1 is first, first + 1, … with equal chance; within the tie, agreement and its reverse cancel.
        total += agreement * float(inverse[first + tied - 1] - inverse[first - 1]) / tied
    return total / (size - 1)


@dataclass(frozen=True, slots=True, repr=False)
class Orders(Brief):
    """How alike two orders of the same systems are."""

    first: str
    second: str
    systems: int
    tau_b: float
    tau_ap: float
    """The first order is the truth."""
    rbo: float
    p: float
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """By name."""
        return asdict(self) | {"notes": list(self.notes)}


def correlate_orders(
    first: Mapping[str, float],
    second: Mapping[str, float],
    *,
    names: tuple[str, str] = ("first", "second"),
    p: float = 0.9,
) -> Orders:
    """How alike two orders of systems are, each a mapping from the system to its score; only systems in both count.

    >>> orders = correlate_orders({"a": 0.3, "b": 0.2, "c": 0.1}, {"a": 0.5, "b": 0.3, "c": 0.4})
    >>> round(orders.tau_b, 4), orders.tau_ap
    (0.3333, 0.5)
    """
    common = [name for name in first if name in second]
    if len(common) < 2:
        raise NothingInCommon(
            f"{len(common)} system{'' if len(common) == 1 else 's'} in common; an order needs two at least."
        )
    x, y = (np.array([order[name] for name in common], np.float64) for order in (first, second))
    notes = []
    if alone := (len(first) - len(common)) + (len(second) - len(common)):
        notes.append(f"{alone} system{'' if alone == 1 else 's'} in only one of the two, left out")
    if any(len(np.unique(scores)) < len(scores) for scores in (x, y)):
        notes.append(
            "some systems tie; tau_ap and RBO are averages over all ways of breaking the ties, "
            "tau-b excludes tied pairs from its denominator"
        )
    return Orders(*names, len(common), tau_b(x, y), tau_ap(x, y), order_rbo(x, y, p), p, tuple(notes))


def order_rbo(x: NDArray[np.float64], y: NDArray[np.float64], p: float) -> float:
    """Rank-biased overlap of two orders of the same systems, its expected value over all ways of breaking ties.

        RBO = (1 − p) Σ p^(d−1) · A(d) + p^N        A(d) = expected share of the first d that both have

    >>> order_rbo(np.array([2.0, 1.0]), np.array([1.0, 2.0]), 0.5)  # 0.5 · (0 + 0.5 · 1) + 0.25
    0.5
    """
    persistence(p)
    size = len(x)
    depths = np.arange(1, size + 1)
    agreement = (_within(x) * _within(y)).sum(axis=0) / depths
    return float((1 - p) * (p ** (depths - 1) * agreement).sum() + p**size)


def _within(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance that each system is among the first d, for each d: systems × depths."""
    first = (scores[:, None] < scores).sum(axis=1)
    tied = (scores[:, None] == scores).sum(axis=1)
    depths = np.arange(1, len(scores) + 1)
    return np.asarray(np.clip((depths - first[:, None]) / tied[:, None], 0, 1))
