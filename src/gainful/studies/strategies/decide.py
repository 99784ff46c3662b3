"""Decide: next the documents that most change the difference of two runs.

A document's score is the size of its effect, times the chance that it has one:

    effect   how far the mean difference moves if the document has the best grade, as `gainful compare --unknown` computes it
    chance   the mean grade of judged documents with a best rank like its own, as a share of the best grade;
             a document that counts half stands beside them in each band of ranks, so that no chance is 0 or 1

With labels by a model it is the size of its effect times how unsure its label leaves the grade (`studies.label_uncertainty`),
so that people are asked where the model is least sure and it matters most.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.comparisons.unjudged.reversals import LinearTopic, Topic
from gainful.comparisons.unjudged.value_bounds import depth_of
from gainful.errors import UsageError
from gainful.estimates.measure_shapes import Linear, shape_of
from gainful.measures import Measure
from gainful.studies.candidates import best_ranks
from gainful.studies.label_uncertainty import label_uncertainty
from gainful.studies.strategies import Choice, Floats, Situation, pool_strategy
from gainful.studies.strategies.adaptive import PER_TOPIC

BANDS = np.array([1.0, 3.0, 10.0, 30.0])
"""Last ranks of the bands in which the chance of relevance is taken to be the same."""


def relevance_chances(evidence: Evidence) -> Floats:
    """The mean grade to expect of each document, as a share of the best grade.

    Of two judged documents at rank 1 one has grade 3 of 3, the other 0: (1 + 1/2) / (2 + 1).

    >>> from gainful.formats import Run
    >>> from gainful.studies.candidates import candidates_of
    >>> runs = {"a": Run({"1": {"x": 1.0}, "2": {"y": 1.0}, "3": {"z": 1.0}})}
    >>> relevance_chances(candidates_of(runs, {("1", "x"): 3, ("2", "y"): 0}, best=3))
    array([0.5, 0.5, 0.5])
    """
    band = np.searchsorted(BANDS, best_ranks(evidence))
    judged = evidence.grade >= 0
    shares = np.bincount(band[judged], evidence.grade[judged] / evidence.top, len(BANDS) + 1)
    counts = np.bincount(band[judged], minlength=len(BANDS) + 1)
    return np.asarray(((shares + 0.5) / (counts + 1))[band])


def effects(evidence: Evidence, measure: Measure, compared: tuple[int, int]) -> Floats:
    """How far each row moves the mean difference if it has the best grade; 0 of rows that are judged or rank too low."""
    kind = LinearTopic if isinstance(shape_of(measure, evidence.top), Linear) else Topic
    moved = np.zeros(len(evidence.grade))
    for number in range(len(evidence.topics)):
        topic = kind(evidence, measure, number, compared, depth_of(measure))
        moved[evidence.part(number).start + topic.documents[topic.open]] = topic.effects()
    return moved / max(1, len(evidence.topics))


@pool_strategy("decide", adaptive=True, pair=True)
def decide(situation: Situation) -> Sequence[Choice]:
    """`decide`: the documents with the largest effect times chance, over all topics together."""
    if situation.parameters:
        raise UsageError(f"decide has no parameters; got decide:{situation.parameters}.")
    if situation.compared is None:
        raise UsageError("decide needs two runs to decide between; name them with --compare A B.")
    evidence = situation.evidence
    moved = effects(evidence, situation.measure, situation.compared)
    unsure = None
    if situation.labels is not None:
        unsure = label_uncertainty(situation.labels, evidence.grade, evidence.top)
    score = np.abs(moved) * (relevance_chances(evidence) if unsure is None else unsure)
    rows = np.flatnonzero(situation.free & _open(situation))
    size = PER_TOPIC * len(evidence.topics) if situation.size is None else situation.size
    rows = rows[np.lexsort((situation.uniform[rows], -score[rows]))][:size]
    a, b = (evidence.names[run] for run in situation.compared)

    def reason(row: int) -> str:
        said = f"{situation.best_place(row)}; moves {b} − {a} by up to {abs(moved[row]):.4f}"
        if unsure is None or situation.labels is None:
            return said
        label = situation.labels[row]
        named = "no label" if np.isnan(label) else f"label {label:g}"
        return f"{said}; {named}, people's grades there vary by {unsure[row]:.2f} of the best"

    return [Choice(row, reason(row)) for row in rows.tolist()]


def _open(situation: Situation) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Rows that one of the two runs has among the ranks that the measure counts."""
    compared = list(situation.compared or ())
    return np.asarray((situation.evidence.ranks[compared] <= depth_of(situation.measure)).any(axis=0))
