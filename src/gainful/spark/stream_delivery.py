"""deliver: documents of a batch or of a stream meet the profiles of many readers, in the native core of every worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gainful._core import ProfileIndex
from gainful.errors import DataError, UsageError
from gainful.filtering.analyzer import Analyzer
from gainful.filtering.vectors import Counts, Idf, Vector, Vocabulary
from gainful.formats.records import DOCUMENT, column_named
from gainful.presentation.page import Brief
from gainful.spark.frames import functions, renamed

TITLE, TEXT = ("title", "headline", "subject"), ("text", "body", "content", "abstract")
DELIVERIES = "document string, profile string, score double, threshold double"


@dataclass(frozen=True, repr=False)
class Profiles(Brief):
    """What every worker needs to deliver: profiles and thresholds, and how text becomes vectors.

    vectors     the profile of each reader, in terms of the vocabulary
    thresholds  the score that a document must reach for each reader
    vocabulary  the numbers of terms
    idf         the weights of terms, of the epoch in force
    analyzer    how text is cut into terms

    A learner of `gainful.filtering` has such a profile and such a threshold; `described` makes them of words.
    """

    vectors: Mapping[str, Vector]
    thresholds: Mapping[str, float]
    vocabulary: Vocabulary
    idf: Idf
    analyzer: Analyzer

    def __post_init__(self) -> None:
        if not self.vectors:
            raise UsageError("there are no profiles.")
        for name in self.vectors:
            theta = self.thresholds.get(name)
            if theta is None or np.isnan(theta):
                raise UsageError(f"profile '{name}' has no threshold.")

    @classmethod
    def described(
        cls,
        descriptions: Mapping[str, str],
        *,
        reference: Iterable[str],
        threshold: float | Mapping[str, float],
        analyzer: Analyzer | None = None,
    ) -> Profiles:
        """Profiles of words alone; the weights of terms come from reference texts.

        >>> made = Profiles.described({"cocoa": "cocoa beans"}, reference=["cocoa prices", "oil"], threshold=0.2)
        >>> made.vocabulary.names
        ['cocoa', 'bean', 'price', 'oil']
        """
        how = analyzer or Analyzer()
        vocabulary = Vocabulary()
        asked = Counts.of([how.counts("", text) for text in descriptions.values()], vocabulary)
        idf = Idf.of(Counts.of([how.counts("", text) for text in reference], vocabulary))
        vectors = {
            name: Vector(asked[place : place + 1].terms, idf.weighted(asked[place : place + 1]))
            for place, name in enumerate(descriptions)
        }
        same = isinstance(threshold, int | float)
        thresholds = dict.fromkeys(vectors, float(threshold)) if same else dict(threshold)  # type: ignore[arg-type]
        return cls(vectors, thresholds, vocabulary, idf, how)

    @cached_property
    def index(self) -> ProfileIndex:
        """The profiles in the native core."""
        vectors = list(self.vectors.values())
        return ProfileIndex([vector.terms for vector in vectors], [vector.weights for vector in vectors])

    @cached_property
    def theta(self) -> np.ndarray:
        """The thresholds, in the order of the profiles."""
        return np.array([float(self.thresholds[name]) for name in self.vectors])

    def counts(self, documents: list[dict[str, float]]) -> Counts:
        """Counted terms by their numbers; those that nobody knows come last, by name, so that no document depends on others."""
        beyond = Vocabulary()
        beyond._numbers.update(self.vocabulary._numbers)
        for term in sorted({term for counted in documents for term in counted}):
            beyond.number(term)
        return Counts.of(documents, beyond)

    def reached(self, documents: list[dict[str, float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Documents, profiles and scores of the pairs that are deliveries; with no term in common there is none."""
        counts = self.counts(documents)
        weights = self.idf.weighted(counts)
        return self.index.reach(counts.offsets, counts.terms, weights, self.theta, floor=0.0, threads=1)

    def __getstate__(self) -> dict[str, object]:
        # The index lives in native memory; another process makes it anew.
        return {name: value for name, value in self.__dict__.items() if name not in ("index", "theta")}


def deliver(documents: Any, profiles: Profiles, *, columns: Mapping[str, str] | None = None) -> Any:
    """The deliveries of documents to readers: a DataFrame of document, profile, score and threshold.

    documents  a DataFrame, or a structured stream, with columns document, text and title (either may be absent)
    profiles   what readers want; every worker gets a copy
    columns    names of columns that are not known by themselves: {"document": "guid", "text": "body_html"}

    A document has the same scores in any batch, partition or stream. A row without text has no terms and is never
    delivered.
    """
    F = functions()
    names = renamed(documents, columns or {})
    chosen = {
        role: column_named(list(names), known)
        for role, known in (("document", DOCUMENT), ("title", TITLE), ("text", TEXT))
    }
    if chosen["document"] is None or (chosen["title"] is None and chosen["text"] is None):
        raise DataError(
            f"documents: expected columns document and text (or title), got {', '.join(documents.columns)}; "
            "name those that are meant: columns={'document': …, 'text': …}."
        )
    selected = [
        (F.lit("") if name is None else F.col(f"`{names[name]}`")).cast("string").alias(role)
        for role, name in chosen.items()
    ]

    def delivered(batches: Iterator[Any]) -> Iterator[Any]:
        return (_deliveries(batch, profiles) for batch in batches)

    return documents.select(*selected).mapInArrow(delivered, DELIVERIES)


def _deliveries(batch: Any, profiles: Profiles) -> Any:
    import pyarrow as pa

    if batch["document"].null_count:
        raise DataError(
            f"documents: the id of a document is missing (null) ({batch['document'].null_count} such rows)."
        )
    texts = zip(batch["title"].to_pylist(), batch["text"].to_pylist(), strict=True)
    counted = [profiles.analyzer.counts(title or "", text or "") for title, text in texts]
    rows, readers, scores = profiles.reached(counted)
    names = pa.array(list(profiles.vectors), pa.string())
    return pa.RecordBatch.from_pydict(
        {
            "document": batch["document"].take(pa.array(rows)),
            "profile": names.take(pa.array(readers)),
            "score": pa.array(scores),
            "threshold": pa.array(profiles.theta[readers]),
        }
    )
