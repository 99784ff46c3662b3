"""How unsure a model's label leaves the grade that a person will give, learned from the documents that people judged."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.errors import DataError
from gainful.formats.model_labels import read_labels
from gainful.studies.candidates import pairs_of

Floats = NDArray[np.float64]

UNKNOWN = 0.5
"""Of a document without a label, or with one that nobody has judged yet: a coin between no grade and the best."""
_MOST = 12  # labels up to which each is looked at by itself; of more, ranges that hold as many documents
_RANGES = 10


def labels_of(evidence: Evidence, given: Any) -> Floats:
    """The label of each candidate; NaN where the model gave none."""
    labelled = read_labels(given).to_dict()
    labels = [labelled.get(topic, {}).get(document, np.nan) for topic, document in pairs_of(evidence)]
    if np.isnan(labels).all():
        raise DataError(
            "the model labelled none of the documents of this study; are topics and ids written alike?"
        )
    return np.array(labels, np.float64)


def label_uncertainty(labels: Floats, grade: Floats, top: float) -> Floats:
    """The standard deviation of people's grades, as shares of the best, where the model gave a document's label.

    labels  of each document; NaN where there is none
    grade   by people; below 0 where nobody judged it
    top     the best grade

    A coin between no grade and the best counts as one judged document beside them. Label 1 was judged 0 and 3 of 3, label 2
    twice 3: with the coin, √(1.5/3 − (1.5/3)²) and √(2.5/3 − (2.5/3)²).

    >>> label_uncertainty(np.array([1.0, 1.0, 2.0, 2.0, np.nan]), np.array([0.0, 3.0, 3.0, 3.0, -1.0]), 3.0).round(3)
    array([0.5  , 0.5  , 0.373, 0.373, 0.5  ])
    """
    known = ~np.isnan(labels)
    values = np.unique(labels[known])
    edges = values[1:]
    if len(values) > _MOST:
        edges = np.unique(np.quantile(labels[known], np.linspace(0, 1, _RANGES + 1)[1:-1]))
    kind = np.searchsorted(edges, np.where(known, labels, values[:1]), side="right")
    judged = known & (grade >= 0)
    share = np.where(judged, grade / top, 0.0)
    number = np.bincount(kind[judged], minlength=len(edges) + 1) + 1.0
    first, second = (
        (np.bincount(kind[judged], share[judged] ** power, len(edges) + 1) + 0.5) / number for power in (1, 2)
    )
    return np.where(known, np.sqrt(np.maximum(second - first**2, 0.0))[kind], UNKNOWN)
