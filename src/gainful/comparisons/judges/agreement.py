"""How far judges agree on the documents that they judged, pair by pair and all together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from gainful.comparisons.judges.agreement_coefficients import (
    Alpha,
    Fleiss,
    Kappa,
    Level,
    Share,
    Statistic,
    overlap,
    summed,
)
from gainful.comparisons.judges.judge_files import Items, read_judges
from gainful.comparisons.judges.topic_estimates import Chance, Estimate, estimates
from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.formats.judgments import read_topics
from gainful.presentation.page import Brief
from gainful.statistics.resampling import RESAMPLES, SEED, Progress

_ONE_GRADE = "all grades are equal, so agreement beyond chance is undefined"
_NOTHING = "nobody found anything relevant"
_OF_PAIRS = {
    "same": "",
    "kappa": _ONE_GRADE,
    "kappa_linear": _ONE_GRADE,
    "kappa_quadratic": _ONE_GRADE,
    "kappa_relevant": "both judges call all documents relevant, or none",
    "overlap": _NOTHING,
}
"""What is said of a pair of judges, and why it may be undefined."""
_NOTHING_SHARED = "no document was judged by two judges"
_NO_ITEMS = "no document was judged by both"


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two judges on the documents that both judged.

    items            documents that both judged, in so many topics
    only_first       documents that the first judged and the second did not
    same             share with the same grade from both
    kappa            Cohen's kappa of the grades, every disagreement alike
    kappa_linear     the same, weighted by the difference of the grades
    kappa_quadratic  the same, weighted by its square
    kappa_relevant   the same of relevant or not
    overlap          relevant to both as a share of relevant to either, mean over topics
    """

    first: str
    second: str
    items: int
    topics: int
    only_first: int
    only_second: int
    same: Estimate
    kappa: Estimate
    kappa_linear: Estimate
    kappa_quadratic: Estimate
    kappa_relevant: Estimate
    overlap: Estimate

    def estimates(self) -> dict[str, Estimate]:
        """The estimates by name, in the order of the output."""
        return {name: getattr(self, name) for name in _OF_PAIRS}

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        fields = {"first": shown(self.first), "second": shown(self.second)}
        fields |= {name: getattr(self, name) for name in ("items", "topics", "only_first", "only_second")}
        return fields | {name: estimated.to_dict() for name, estimated in self.estimates().items()}


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Brief):
    """All judges together, and each pair of them.

    items     documents that anyone judged
    shared    those that two judges or more judged; by_all: those that all did
    alpha     Krippendorff's, over the shared ones; `level` says what counts as near
    fleiss    Fleiss' kappa, over the shared ones if each has as many judges, else over those that all judged;
              `fleiss_over` says it
    overlap   relevant to all as a share of relevant to any, mean over topics, of documents that all judged
    rel       lowest grade that is relevant
    """

    judges: tuple[str, ...]
    items: int
    shared: int
    by_all: int
    topics: int
    alpha: Estimate
    fleiss: Estimate
    overlap: Estimate
    pairs: tuple[PairAgreement, ...]
    level: Level
    rel: float
    chance: Chance
    fleiss_over: str

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "judges": list(map(shown, self.judges)),
            "items": self.items,
            "shared": self.shared,
            "by_all": self.by_all,
            "topics": self.topics,
            "level": self.level,
            "rel": self.rel,
            "alpha": self.alpha.to_dict(),
            "fleiss": self.fleiss.to_dict() | {"over": self.fleiss_over},
            "overlap": self.overlap.to_dict(),
            "pairs": [pair.to_dict() for pair in self.pairs],
        }

    def sentence(self) -> str:
        """How far the judges agree, in a sentence."""
        if np.isnan(self.alpha.value):
            return f"Agreement between the judges is undefined: {self.alpha.reason}."
        alpha, fleiss, overlap = (
            estimated.stated(self.chance) for estimated in (self.alpha, self.fleiss, self.overlap)
        )
        return (
            f"{len(self.judges)} judges, {self.shared:,} documents judged by two or more: Krippendorff's alpha "
            f"({self.level}) {alpha}, Fleiss' kappa {fleiss}, overlap of all {overlap}."
        )


def agree(
    qrels: Any,
    *,
    rel: float = 1,
    level: Level = "ordinal",
    topics: Any = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = 0.95,
    duplicates: Any = "error",
    progress: Progress | None = None,
) -> Agreement:
    """How far judges agree; qrels are as `read_judges` takes them, and need no topic that all judges share.

    level  of alpha: grades are in order ("ordinal"), mere names ("nominal"), or numbers ("interval")

    >>> ann, ben = {"q": {"d1": 1, "d2": 1, "d3": 0, "d4": 0}}, {"q": {"d1": 1, "d2": 0, "d3": 0, "d4": 0}}
    >>> pair = agree({"ann": ann, "ben": ben}).pairs[0]
    >>> pair.kappa.value, pair.overlap.value, pair.kappa.reason
    (0.5, 0.5, 'one topic gives no interval')
    """
    judges = read_judges(qrels, duplicates=duplicates)
    items = Items.of(judges, None if topics is None else read_topics(topics))
    if not len(items):
        raise UsageError("none of the topics asked for was judged.")
    return agreement_of(items, rel, level, Chance(resamples, seed, confidence), progress)


def agreement_of(
    items: Items, rel: float, level: Level, chance: Chance, progress: Progress | None = None
) -> Agreement:
    """The agreement in a table of items."""
    shared = items.where(items.judged > 1)
    fleiss, over = _fleiss(items, chance)
    by_all = items.of_judges(*range(len(items.judges)))
    return Agreement(
        items.judges,
        len(items),
        len(shared),
        len(by_all),
        shared.topics,
        _alpha(shared, level, chance, progress),
        fleiss,
        _overlap(by_all, rel, chance),
        tuple(_pairs(items, rel, chance, progress)),
        level,
        rel,
        chance,
        over,
    )


def _pairs(items: Items, rel: float, chance: Chance, progress: Progress | None) -> Iterator[PairAgreement]:
    pairs = list(combinations(range(len(items.judges)), 2))
    for number, (first, second) in enumerate(pairs, 1):
        yield _pair(items, first, second, rel, chance)
        if progress:
            progress("pairs of judges", number, len(pairs))


def _pair(items: Items, first: int, second: int, rel: float, chance: Chance) -> PairAgreement:
    both = items.of_judges(first, second)
    alone = [int((~np.isnan(items.ratings[:, judge])).sum()) - len(both) for judge in (first, second)]
    of_pair = dict.fromkeys(_OF_PAIRS, Estimate(np.nan, reason=_NO_ITEMS))
    if len(both):
        of_pair = estimates(_statistics(both, rel), both.topics, chance, why=_OF_PAIRS)
    return PairAgreement(
        items.judges[first], items.judges[second], len(both), both.topics, alone[0], alone[1], **of_pair
    )


def _statistics(both: Items, rel: float) -> dict[str, Statistic]:
    """Every statistic of two judges, by name."""
    first, second = both.ratings.T
    relevant = both.ratings >= rel
    return {
        "same": Share(
            summed(both.topic, first == second, both.topics),
            summed(both.topic, np.ones(len(both)), both.topics),
        ),
        "kappa": Kappa.of(both.topic, first, second),
        "kappa_linear": Kappa.of(both.topic, first, second, weights="linear"),
        "kappa_quadratic": Kappa.of(both.topic, first, second, weights="quadratic"),
        "kappa_relevant": Kappa.of(both.topic, *relevant.T.astype(np.float64)),
        "overlap": overlap(both.topic, relevant),
    }


def _alpha(shared: Items, level: Level, chance: Chance, progress: Progress | None) -> Estimate:
    if not len(shared):
        return Estimate(np.nan, reason=_NOTHING_SHARED)
    statistic = Alpha.of(shared.topic, shared.ratings, level=level)
    return estimates({"": statistic}, shared.topics, chance, why={"": _ONE_GRADE}, progress=progress)[""]


def _fleiss(items: Items, chance: Chance) -> tuple[Estimate, str]:
    """Fleiss' kappa, and over which documents: those with two judges or more, if these are as many for each."""
    shared = items.where(items.judged > 1)
    if not len(shared):
        return Estimate(np.nan, reason=_NOTHING_SHARED), "no documents"
    fewest, most = int(shared.judged.min()), int(shared.judged.max())
    over = f"{len(shared):,} documents with {most} judges each"
    if fewest != most:
        everyone = len(items.judges)
        shared = items.where(items.judged == everyone)
        if not len(shared):
            reason = f"documents have {fewest} to {most} judges, none all {everyone}; it needs the same number for each"
            return Estimate(np.nan, reason=reason), "no documents"
        over = f"{len(shared):,} documents that all {everyone} judges judged, of {len(items):,}"
    items = shared
    there = ~np.isnan(items.ratings)
    grades, code = np.unique(items.ratings[there], return_inverse=True)
    counts = np.zeros((len(items), len(grades)))
    np.add.at(counts, (np.nonzero(there)[0], code), 1)
    statistic = Fleiss.of(items.topic, counts)
    return estimates({"": statistic}, items.topics, chance, why={"": _ONE_GRADE})[""], over


def _overlap(by_all: Items, rel: float, chance: Chance) -> Estimate:
    if not len(by_all):
        return Estimate(np.nan, reason="no document was judged by all")
    statistic = overlap(by_all.topic, by_all.ratings >= rel)
    return estimates({"": statistic}, by_all.topics, chance, why={"": _NOTHING})[""]
