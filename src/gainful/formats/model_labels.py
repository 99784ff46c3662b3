"""Labels by models, beside the judgments of people: read, and checked against them.

Labels are files or objects of the same form as judgments, one for each model. They may be on any scale: what they are worth
is learned from the documents, or the topics, that people judged too. Where systems are scored by labels on another scale than
the people's, these are read as grades first (`label_scales`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful._core import Index, Rows
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.label_scales import Floats, ScaleKind, read_as_grades, scale_of
from gainful.formats.layouts import layout_of_source, read_source
from gainful.formats.rows import of_object
from gainful.formats.sources import is_path, opened, path_of

if TYPE_CHECKING:
    from gainful.formats.judgments import Judgments


_ENOUGH = 20
"""Pairs from which on labels that are all the same as people's grades are taken for these."""


@dataclass(frozen=True, eq=False)
class ModelLabels:
    """What one model said of documents.

    labels    as the model gave them
    scale     of the labels, beside the people's
    left_out  labels off the people's scale although most are on it, and how often they occur
    """

    name: str
    labels: Judgments
    scale: ScaleKind = "same"
    left_out: Mapping[float, int] = field(default_factory=dict)

    def as_grades(self, people: Judgments) -> Judgments:
        """The labels on the people's scale: those on another are read as grades, and those off it are left out."""
        if self.scale == "same" and not self.left_out:
            return self.labels
        topics, documents, given = self.labels.rows
        labels = np.array(given)
        if self.scale == "same":
            kept = np.flatnonzero(~np.isin(labels, list(self.left_out)))
            rows = [topics[row] for row in kept], [documents[row] for row in kept], labels[kept].tolist()
        else:
            rows = topics, documents, read_as_grades(labels, *_both(people, self)).tolist()
        return replace(self.labels, index=Index(Rows.of_lists(*rows), duplicates="error"))

    def __repr__(self) -> str:
        return f"ModelLabels({self.name!r}, {len(self.labels)} labels)"


def judgments(people: Any, models: Any, **reading: Any) -> Judgments:
    """Judgments by people together with labels by models, for `evaluate`, `compare`, `gate` and `report`.

    people   judgments: whatever `read_qrels` takes
    models   labels of one model, or a list of them, each in any form that judgments may have
    reading  keywords of `read_qrels`

    >>> both = judgments({"q1": {"d1": 2}}, {"q1": {"d1": 3}, "q2": {"d2": 1}})
    >>> both.models
    (ModelLabels('model', 2 labels),)
    """
    from gainful.formats.judgments import read_qrels

    return with_models(read_qrels(people, sampled=True, **reading), models)


def with_models(people: Judgments, models: Any) -> Judgments:
    """People's judgments with the labels of models; refused where these cannot be what they are said to be."""
    if people.details is not None:
        raise UsageError(
            "labels by models go with plain judgments, not with those by subtopic, judge or preference."
        )
    given = list(models) if isinstance(models, list | tuple) else [models]
    read = _named([read_labels(model) for model in given], given)
    read = [_beside(people, model) for model in read]
    together = replace(people, models=tuple(read))
    if people.inclusion is not None:
        rows = np.stack([_by_row(people, model) for model in read])
        return replace(together, inclusion=replace(people.inclusion, labels=rows))
    return together


def read_labels(given: Any) -> Judgments:
    """A model's labels; a pair that has several is refused, with the number of those that contradict each other."""
    from gainful.formats.judgments import read_qrels

    labels = read_qrels(given, duplicates="first")
    if not labels.dropped:
        return labels
    where = shown(os.fsdecode(given)) if is_path(given) else "the model's labels"
    if is_path(given) and os.fsdecode(given) == "-":
        said = f"{labels.dropped:,} {'row repeats' if labels.dropped == 1 else 'rows repeat'} a pair that has a label already"
    else:
        repeated, contradictory = _repeated(given)
        pairs = "pair has" if repeated == 1 else "pairs have"
        said = f"{repeated:,} {pairs} several labels, {contradictory:,} of them different ones"
    raise DataError(
        f"{where}: {said}. Several passes of a model are several judges: give each pass as a file of its own."
    )


def _repeated(given: Any) -> tuple[int, int]:
    """How many pairs have several labels, and how many of these have different ones."""
    from gainful.formats.judgments import threads_of

    if is_path(given):
        with opened(os.fsdecode(given)) as source:
            rows = read_source(
                source, "qrels", layout_of_source(source, "qrels", None), threads=threads_of(None)
            )
    else:
        rows = of_object(given, "qrels")
    of_pair: dict[tuple[bytes, bytes], list[float]] = {}
    for topic, document, label in zip(rows.topics, rows.documents, rows.values.tolist(), strict=True):
        of_pair.setdefault((topic, document), []).append(label)
    repeated = [labels for labels in of_pair.values() if len(labels) > 1]
    return len(repeated), sum(len(set(labels)) > 1 for labels in repeated)


def _named(read: Sequence[Judgments], given: Sequence[Any]) -> list[ModelLabels]:
    """Each with the name of its file, or a number."""
    paths = [path_of(model) for model in given]
    names = [
        shown(Path(path).name.removesuffix(".gz").removesuffix(".qrels").removesuffix(".txt")) if path else ""
        for path in paths
    ]
    if len(given) == 1:
        names = [names[0] or "model"]
    names = [name or f"model {number}" for number, name in enumerate(names, 1)]
    apart = [
        f"{name} ({names[:place].count(name) + 1})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
    return [ModelLabels(name, labels) for name, labels in zip(apart, read, strict=True)]


def _beside(people: Judgments, model: ModelLabels) -> ModelLabels:
    """The labels with their scale; refused where nothing is known of their worth, or they are people's own."""
    if set(people.topics).isdisjoint(model.labels.topics):
        raise DataError(
            f"{model.name} has labels for none of the topics that people judged, so that nothing is known of its worth; are "
            "topic ids written alike?"
        )
    labels, grades = _both(people, model)
    if not len(labels):
        raise DataError(
            f"{model.name} has labels for none of the documents that people judged, so that nothing is known of its worth; are "
            "document ids written alike?"
        )
    if len(labels) >= _ENOUGH and (labels == grades).all() and np.ptp(grades) > 0:
        raise DataError(
            f"the labels of {model.name} are the people's own judgments in every pair that both have ({len(labels):,}); give "
            "what the model said instead."
        )
    # grades below 0, which tell nothing of what a label is worth, are on people's scale all the same
    scale, left_out = scale_of(
        people.index.grade[~np.isnan(_by_row(people, model))], model.labels.index.grade
    )
    return replace(model, scale=scale, left_out=left_out)


def _both(people: Judgments, model: ModelLabels) -> tuple[Floats, Floats]:
    """Labels and grades of the documents that both judged."""
    labels, grades = _by_row(people, model), people.index.grade
    known = ~np.isnan(labels) & (grades >= 0)
    return labels[known], grades[known]


def _by_row(people: Judgments, model: ModelLabels) -> Floats:
    """The label of each document of the judgments, in their order; NaN where the model gave none."""
    labels = dict(zip(zip(*model.labels.rows[:2], strict=True), model.labels.rows[2], strict=True))
    return np.array(
        [labels.get(pair, np.nan) for pair in zip(*people.rows[:2], strict=True)], dtype=np.float64
    )
