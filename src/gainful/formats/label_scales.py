"""Scales of a model's labels: whether they are people's grades, and how labels on another scale are read as grades."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ScaleKind = Literal["same", "binary", "other"]

STRAY = 0.02
"""Share of the labels up to which values off the people's scale are faults; where there are more, the scale is another."""


def scale_of(grade: Floats, label: Floats) -> tuple[ScaleKind, dict[float, int]]:
    """Which scale a model's labels are on, beside people's grades; and the labels that are off the people's scale although most
    are on it, with how often they occur.

    grade  of the documents that both judged
    label  of all documents that the model judged: one that is off the scale does harm also where nobody judged

    >>> grades = np.array([0.0, 3.0, 1.0])
    >>> scale_of(grades, np.array([0.0, 2.0, 1.0])), scale_of(grades, np.array([1.0, 5.0, 4.0]))
    (('same', {}), ('other', {}))
    """
    grades, labels = set(np.unique(grade).tolist()), Counter(label.tolist())
    stray = {value: times for value, times in sorted(labels.items()) if value not in grades}
    low, high = min(0.0, *grades), max(grades)
    between = all(float(value).is_integer() and low <= value <= high for value in stray)
    if stray and between and all(map(float.is_integer, grades)):
        stray = {}  # grades that people happened not to give
    if 0 < sum(stray.values()) <= STRAY * len(label):
        return "same", stray
    if stray:
        return "other", {}
    if high > 1 and set(labels) <= {0.0, 1.0}:
        return "binary", {}
    return "same", {}


def read_as_grades(labels: Floats, label: Floats, grade: Floats) -> Floats:
    """Labels as people's grades: as many documents reach each grade by the model as by people, as nearly as labels allow.

    labels  to be read
    label, grade  of the documents that both judged; the lowest label of these is read as the lowest grade

    Of four documents two reach grade 1 by people, and two have label 4 or more; one reaches grade 3, and one has label 5:

    >>> read_as_grades(np.array([1.0, 4.0, 5.0]), np.array([5.0, 4.0, 2.0, 1.0]), np.array([1.0, 3.0, 0.0, 0.0])).tolist()
    [0.0, 1.0, 3.0]
    """
    steps = np.unique(label)[1:]
    grades = np.unique(grade)
    reached = np.array([(label >= step).mean() for step in steps])
    read = np.full(len(labels), grades[0])
    for each in grades[1:] if len(steps) else ():
        step = steps[np.abs(reached - (grade >= each).mean()).argmin()]
        read[labels >= step] = each
    return read


def labels_in_words(labels: Floats, scale: ScaleKind) -> str:
    """Which labels there are.

    >>> labels_in_words(np.array([0.0, 0.5, 1.0]), "other"), labels_in_words(np.array([1.0, 1.0]), "binary")
    ('from 0 to 1', 'all 1')
    """
    low, high = labels.min(), labels.max()
    if low == high:
        return f"all {low:g}"
    return "binary" if scale == "binary" else f"from {low:g} to {high:g}"


def reading_in_words(scale: ScaleKind) -> str:
    """How labels on another scale are read: a grade is always given to some label, so that of two labels one is the best grade.

    >>> reading_in_words("binary")
    'label 1 is read as the best grade, 0 as the lowest'
    """
    if scale == "binary":
        return "label 1 is read as the best grade, 0 as the lowest"
    return "labels are read as grades so that as many documents reach each grade as by people, as nearly as labels allow"
