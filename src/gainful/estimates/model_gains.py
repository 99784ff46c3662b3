"""What models' labels let expect of a document: learned from the documents drawn in the other topics.

    m(label) = (Σ x of documents with that label + 3 · mean of x) / (their number + 3)        over the other topics' samples

x is the gain of a document, or whether it reaches a grade. Labels of any scale serve: a label is only a name for documents
that are much alike. Documents that a model did not label are one more group. Several models are put together by a ridge
regression of x on what each lets expect, also from the other topics; these expectations have seen the topic itself, so that
with several models estimates are nearly, not exactly, unbiased.
"""

from __future__ import annotations

import numpy as np

from gainful.judging.ranking import Floats, Integers
from gainful.judging.sampling import Sample
from gainful.statistics.prediction_powered import RIDGE

_PRIOR = 3.0  # documents that a label's mean begins with
_GROUPS = 12  # labels of more values than this are cut into so many groups of equal size


def expected_from_labels(sample: Sample, x: Floats) -> Floats:
    """For each document of the pool, the mean of x among documents of the other topics with labels like its own.

    x  for each document of the pool; what it is where none was drawn plays no part
    """
    labels = sample.inclusion.labels
    assert labels is not None
    topic = np.repeat(np.arange(len(sample.offsets) - 1), np.diff(sample.offsets))
    return expected_of(labels[:, sample.rows], topic, sample.drawn, x)


def expected_of(labels: Floats, topic: Integers, drawn: np.ndarray, x: Floats) -> Floats:
    """What labels (models × documents) let expect of x, given the topic of each document and whether it was drawn.

    Two topics, labels 1 1 0 and 1 0 0, x = 2 1 0 and 2 0 0. In the first, label 1 is worth (2 + 3 · 2/3) / (1 + 3):

    >>> labels, topic = np.array([[1.0, 1, 0, 1, 0, 0]]), np.array([0, 0, 0, 1, 1, 1])
    >>> expected_of(labels, topic, np.ones(6, bool), np.array([2.0, 1, 0, 2, 0, 0])).round(2).tolist()
    [1.0, 1.0, 0.4, 1.2, 0.75, 0.75]
    """
    expected = np.stack([_by_label(_groups(model), topic, drawn, x) for model in labels])
    return expected[0] if len(expected) == 1 else _together(expected, topic, drawn, x)


def _groups(labels: Floats) -> Integers:
    """The number of the group of documents that each belongs to, by its label; those without a label are the last."""
    known = ~np.isnan(labels)
    values = np.unique(labels[known])
    if len(values) > _GROUPS:
        values = np.unique(np.quantile(labels[known], np.linspace(0, 1, _GROUPS, endpoint=False)))
    return np.where(known, np.searchsorted(values, labels, side="right") - 1, len(values)).astype(np.intp)


def _by_label(group: Integers, topic: Integers, drawn: np.ndarray, x: Floats) -> Floats:
    topics, groups = int(topic.max(initial=-1)) + 1, int(group.max(initial=-1)) + 1
    cell = topic * groups + group

    def elsewhere(values: Floats) -> Floats:
        """Topics × groups: the sum over the documents drawn in the other topics."""
        here = np.bincount(cell, np.where(drawn, values, 0.0), topics * groups).reshape(topics, groups)
        return np.asarray(here.sum(axis=0) - here)

    number, total = elsewhere(np.ones(len(x))), elsewhere(x)
    every = number.sum(axis=1, keepdims=True)
    mean = np.divide(total.sum(axis=1, keepdims=True), every, out=np.zeros_like(every), where=every > 0)
    return np.asarray(((total + _PRIOR * mean) / (number + _PRIOR))[topic, group])


def _together(expected: Floats, topic: Integers, drawn: np.ndarray, x: Floats) -> Floats:
    columns = np.concatenate([expected, np.ones((1, len(x)))])
    seen, wanted, where = columns[:, drawn], x[drawn], topic[drawn]
    total, aim = seen @ seen.T, seen @ wanted
    ridge = np.diag(np.append(RIDGE * np.diag(total)[:-1], 0.0) + 1e-9)
    together = np.empty(len(x))
    for number in np.unique(topic):
        here, own = where == number, topic == number
        left = total - seen[:, here] @ seen[:, here].T + ridge
        together[own] = np.linalg.solve(left, aim - seen[:, here] @ wanted[here]) @ columns[:, own]
    return together
