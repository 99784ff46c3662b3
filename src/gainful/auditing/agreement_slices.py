"""How far a model agrees with people on some of the documents: those of a grade, a topic, a band of ranks or a system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful.auditing.judged_pairs import JudgedPairs
from gainful.comparisons.judges.agreement_coefficients import Kappa, Share, Statistic, summed
from gainful.comparisons.judges.topic_estimates import Chance, Estimate, estimates
from gainful.formats.ids import shown
from gainful.judging.ordered_lists import OrderedLists
from gainful.presentation.text_style import fixed

SliceKind = Literal["grade", "topic", "length", "ranks", "system"]

BANDS = ((1, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, None))
"""Ranks that are looked at together; a document has the best rank that any run gives it."""
TOP = 10
"""Ranks of a system whose documents are looked at."""
LENGTHS = 4
"""Bands of documents by the number of their words."""
_WHY = {
    "same": "",
    "kappa_linear": "all grades are equal, so agreement beyond chance is undefined",
    "lean": "",
}


@dataclass(frozen=True, slots=True)
class Slice:
    """Agreement on some of the pairs.

    kind          what they have in common: people's "grade", the "topic", the "length" of the document, "ranks" in the runs, or
                  the "system" that has them among its first ten
    name          the grade, the topic, the band of lengths in words or of ranks, or the system
    pairs         documents that both judged
    same          share with the same grade from both
    kappa_linear  Cohen's kappa, weighted by the difference of the grades; undefined within one grade
    lean          mean of the model's grade minus the people's
    apart         mean distance of the two
    """

    kind: SliceKind
    name: str
    pairs: int
    topics: int
    same: Estimate
    kappa_linear: Estimate
    lean: Estimate
    apart: float

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        fields = {"kind": self.kind, "name": shown(self.name), "pairs": self.pairs, "topics": self.topics}
        fields |= {name: getattr(self, name).to_dict() for name in ("same", "kappa_linear", "lean")}
        return fields | {"apart": self.apart}


def slices_of(
    pairs: JudgedPairs,
    lists: Mapping[str, OrderedLists],
    chance: Chance,
    words: Mapping[str, int] | None = None,
) -> Iterator[Slice]:
    """By grade, by topic (the least agreement first), by length where texts are known, and where there are runs by ranks and
    by system.

    words  in each document whose text is known
    """
    for grade in pairs.grades.tolist():
        yield _slice(
            "grade",
            fixed(grade, 0) if grade.is_integer() else f"{grade:g}",
            pairs,
            pairs.grade == grade,
            chance,
        )
    topics = [
        _slice("topic", name, pairs, pairs.topic == number, chance)
        for number, name in enumerate(pairs.topics)
    ]
    yield from sorted(topics, key=lambda topic: -topic.apart)
    for name, here in _lengths(pairs, words or {}):
        yield _slice("length", name, pairs, here, chance)
    if not lists:
        return
    ranks = {name: _ranks(pairs, of_run) for name, of_run in lists.items()}
    best = np.min([*ranks.values()], axis=0)
    for first, last in BANDS:
        here = (best >= first) & (best <= (np.inf if last is None else last)) & np.isfinite(best)
        if here.any():
            yield _slice(
                "ranks", f"{first} and below" if last is None else f"{first} to {last}", pairs, here, chance
            )
    if np.isinf(best).any():
        yield _slice("ranks", "nowhere", pairs, np.isinf(best), chance)
    for name, of_run in ranks.items():
        if (of_run <= TOP).any():
            yield _slice("system", name, pairs, of_run <= TOP, chance)


def _lengths(pairs: JudgedPairs, words: Mapping[str, int]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Bands of as many pairs each, the shortest documents first; fewer bands where many have one length."""
    lengths = np.array([words.get(document, np.nan) for document in pairs.documents], np.float64)
    known = lengths[~np.isnan(lengths)]
    if not len(known):
        return
    ends = np.unique(np.quantile(known, np.arange(1, LENGTHS + 1) / LENGTHS, method="inverted_cdf"))
    first = float(known.min())
    for last in ends.tolist():
        yield f"{first:,.0f} to {last:,.0f} words", (lengths >= first) & (lengths <= last)
        first = float(known[known > last].min(initial=np.inf))
    if len(known) < len(lengths):
        yield "text unknown", np.isnan(lengths)


def _ranks(pairs: JudgedPairs, lists: OrderedLists) -> NDArray[np.float64]:
    """The rank of each pair in a run; infinite where the run does not have it."""
    known = set(lists.topics)
    rank_of = [
        {place.document: place.rank for place in lists[topic]} if topic in known else {}
        for topic in pairs.topics
    ]
    found: Sequence[float] = [
        rank_of[topic].get(document, np.inf)
        for topic, document in zip(pairs.topic.tolist(), pairs.documents, strict=True)
    ]
    return np.array(found, np.float64)


def _slice(kind: SliceKind, name: str, pairs: JudgedPairs, here: NDArray[np.bool_], chance: Chance) -> Slice:
    _, topic = np.unique(pairs.topic[here], return_inverse=True)
    topics = int(topic.max()) + 1
    grade, level = pairs.grade[here], pairs.level[here]
    ones = summed(topic, np.ones(len(topic)), topics)
    statistics: dict[str, Statistic] = {
        "same": Share(summed(topic, grade == level, topics), ones),
        "kappa_linear": Kappa.of(topic, grade, level, weights="linear"),
        "lean": Share(summed(topic, level - grade, topics), ones),
    }
    estimated = estimates(statistics, topics, chance, why=_WHY)
    if kind == "grade":  # one of the two judges never varies: kappa is 0 or undefined, and says nothing
        estimated["kappa_linear"] = Estimate(np.nan, reason="people gave all of these the same grade")
    return Slice(kind, name, len(topic), topics, **estimated, apart=float(np.abs(level - grade).mean()))
