"""Judgments of several judges: a file for each, or one in which a column names the judge."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful._core import Index, Rows
from gainful.comparisons.judges.agreement_coefficients import Floats, Places
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.formats.ids import from_bytes, in_order, shown
from gainful.formats.judgments import Judgments, read_qrels
from gainful.formats.sources import is_path, person_of
from gainful.formats.types import JudgmentDuplicates

MERGED = ("max", "min", "mean", "majority")

Cells = dict[tuple[bytes, bytes], list[float]]


def read_judges(
    given: Any, *, duplicates: JudgmentDuplicates = "error", threads: int | None = None
) -> dict[str, Judgments]:
    """The judgments of each judge, by name.

    given  several judgments: a mapping from the judge's name, or a list (files give their names); each is anything
           that `read_qrels` takes. Or one file, frame or `read_qrels(…, by="judges")` in which a column names the
           judge: the second one in TREC text; `judge`, `assessor` or `annotator` where columns have names

    >>> read_judges({"ann": {"q": {"d": 1}}, "ben": {"q": {"d": 0}}})
    {'ann': Judgments(1 topics, 1 judgments), 'ben': Judgments(1 topics, 1 judgments)}
    """
    if isinstance(given, list | tuple) and len(given) == 1 and not isinstance(given[0], Mapping):
        given = given[0]
    if isinstance(given, Mapping):
        named = {str(name): judgments for name, judgments in given.items()}
    elif isinstance(given, list | tuple):
        named = dict(zip(_names(given), given, strict=True))
    else:
        return _several(_split(read_qrels(given, by="judges", duplicates=duplicates)), given)
    read = {}
    for name, judgments in named.items():
        try:
            read[name] = read_qrels(judgments, duplicates=duplicates, threads=threads)
        except DataError as fault:
            if is_path(judgments):
                raise
            raise DataError(f"judge '{shown(name)}': {fault}") from None
    return _several(read, given)


def merge(judges: Any, how: str = "majority") -> Judgments:
    """One grade for each document out of those that its judges gave; judges who did not judge it have no say.

    how  "max": relevant if anyone says so (the union, where grades are 0 and 1) · "min": if all say so (the
         intersection) · "mean" · "majority": the highest grade that more than half of them reach

    >>> three = {"ann": {"q": {"d": 3}}, "ben": {"q": {"d": 1}}, "cy": {"q": {"d": 0}}}
    >>> {how: merge(three, how).to_dict()["q"]["d"] for how in MERGED}
    {'max': 3.0, 'min': 0.0, 'mean': 1.3333333333333333, 'majority': 1.0}
    """
    choose = merging(how)
    cells = grades_of(read_judges(judges).values())
    return _judgments([(*key, choose(grades)) for key, grades in cells.items()])


def merging(how: str) -> Callable[[Sequence[float]], float]:
    """The function that makes one grade of several, by a name of `MERGED`.

    >>> merging("majority")([3, 1, 0]), merging("majority")([3, 0])
    (1, 0)
    """
    if how not in MERGED:
        raise UsageError(f"judges are merged by one of {', '.join(MERGED)}; got {how!r}.")
    choose: dict[str, Callable[[Sequence[float]], float]] = {
        "max": max,
        "min": min,
        "mean": lambda grades: math.fsum(grades) / len(grades),
        "majority": lambda grades: sorted(grades)[(len(grades) - 1) // 2],
    }
    return choose[how]


def only_common(judges: Mapping[str, Judgments]) -> dict[str, Judgments]:
    """The judgments of each judge, restricted to the documents that all of them judged."""
    cells = grades_of(judges.values())
    kept = [(*key, grades) for key, grades in cells.items() if len(grades) == len(judges)]
    if not kept:
        raise NothingInCommon("no document was judged by all judges; there is nothing to compare.")
    return {
        name: _judgments([(topic, document, grades[number]) for topic, document, grades in kept])
        for number, name in enumerate(judges)
    }


def grades_of(judges: Iterable[Judgments]) -> Cells:
    """What was said of each document of each topic, in the order of the judges."""
    cells: Cells = {}
    for judgments in judges:
        for key, grade in rows_of_judge(judgments):
            cells.setdefault(key, []).append(grade)
    return cells


def rows_of_judge(judgments: Judgments) -> Iterable[tuple[tuple[bytes, bytes], float]]:
    """((topic, document), grade) for each judgment."""
    index = judgments.index
    offsets, grades = index.offsets.tolist(), index.grade.tolist()
    for topic, start, stop in zip(index.topics, offsets, offsets[1:], strict=False):
        for document, grade in zip(index.documents(start, stop), grades[start:stop], strict=True):
            yield (topic, document), grade


def _names(given: Sequence[Any]) -> list[str]:
    """What to call the judges of a list: as their files, where these have different names; else with a number."""
    sources = [source.path if isinstance(source, Judgments) else source for source in given]
    paths = [os.fsdecode(source) for source in sources if is_path(source)]
    if len(paths) < len(given):
        return [f"judge {number}" for number in range(1, len(given) + 1)]
    names = [person_of(path) for path in paths]
    if len(set(names)) == len(names):
        return names
    if len(set(paths)) == len(paths):
        return paths
    twice = next(path for path in paths if paths.count(path) > 1)
    raise UsageError(f"{shown(twice)} is given twice; judges are different files, or have names.")


def _split(judgments: Judgments) -> dict[str, Judgments]:
    """The judgments of each judge in the column, in the order in which they come first."""
    details = judgments.details
    if details is None or details.by != "judges":
        raise UsageError(
            "these judgments do not say who judged; give several, or read them with read_qrels(…, by='judges')."
        )
    rows: dict[bytes, list[tuple[bytes, bytes, float]]] = {}
    for topic, judge, document, grade in zip(
        details.topics, details.aspects, details.documents, details.grades, strict=True
    ):
        rows.setdefault(judge, []).append((topic, document, grade))
    return {from_bytes(judge): _judgments(of_judge) for judge, of_judge in rows.items()}


def _judgments(rows: Sequence[tuple[bytes, bytes, float]]) -> Judgments:
    topics, documents, grades = (list(column) for column in zip(*rows, strict=True))
    return Judgments(Index(Rows.of_lists(topics, documents, grades), duplicates="error"))


def _several(judges: dict[str, Judgments], given: Any) -> dict[str, Judgments]:
    if len(judges) < 2:
        who = f" ('{shown(next(iter(judges)))}')" if judges else ""
        where = f"{shown(os.fsdecode(given))}: " if is_path(given) else ""
        raise UsageError(
            f"{where}there is {'one judge' if judges else 'no judge'}{who}; two or more are needed: give several "
            "judgments, or one file whose second column (or column 'judge') names the judge."
        )
    for name, judgments in judges.items():
        if not np.isfinite(judgments.index.grade).all():
            raise DataError(
                f"judge '{shown(name)}' has given an infinite grade; agreement cannot be measured with it."
            )
    return judges


@dataclass(frozen=True, eq=False)
class Items:
    """Documents of topics × judges.

    topic    of each item, counted from 0 in the usual order of topics, so that draws do not depend on who comes first
    ratings  items × judges; NaN where a judge has not judged the document
    """

    judges: tuple[str, ...]
    topic: Places
    ratings: Floats

    def __len__(self) -> int:
        return len(self.topic)

    @classmethod
    def of(cls, judges: Mapping[str, Judgments], topics: Collection[str] | None = None) -> Items:
        """Everything that any judge judged, of these topics."""
        numbers: dict[bytes, int] = {}
        places: dict[tuple[bytes, bytes], int] = {}
        of_item: list[int] = []
        cells: list[tuple[int, int, float]] = []
        for judge, judgments in enumerate(judges.values()):
            for key, grade in rows_of_judge(judgments):
                place = places.setdefault(key, len(places))
                if place == len(of_item):
                    of_item.append(numbers.setdefault(key[0], len(numbers)))
                cells.append((place, judge, grade))
        ratings = np.full((len(of_item), len(judges)), np.nan)
        for place, judge, grade in cells:
            ratings[place, judge] = grade
        ids = [from_bytes(topic) for topic in numbers]
        order = {topic: number for number, topic in enumerate(in_order(ids))}
        place_of = np.array([order[topic] for topic in ids], np.intp)
        items = cls(tuple(judges), place_of[np.array(of_item, np.intp)], ratings)
        if topics is None:
            return items
        return items.where(np.array([topic in topics for topic in order], bool)[items.topic])

    @property
    def judged(self) -> Places:
        """How many judges each item has."""
        return np.asarray((~np.isnan(self.ratings)).sum(axis=1))

    def where(self, kept: NDArray[np.bool_]) -> Items:
        """Only these items; topics without any are numbered out."""
        _, topic = np.unique(self.topic[kept], return_inverse=True)
        return Items(self.judges, topic, self.ratings[kept])

    def of_judges(self, *judges: int) -> Items:
        """Only items that all of these judges judged, and only what they said."""
        both = self.where(np.asarray(~np.isnan(self.ratings[:, judges]).any(axis=1)))
        return Items(tuple(self.judges[judge] for judge in judges), both.topic, both.ratings[:, judges])

    @property
    def topics(self) -> int:
        """How many topics have items."""
        return int(self.topic.max(initial=-1)) + 1
