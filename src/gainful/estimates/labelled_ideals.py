"""nDCG and NCG where models labelled the documents: how many of each grade the ideal list of a topic has.

    number = Σ expected + s · c      c = Σ (there − expected) / π over the documents drawn,  s = √(τ² / (τ² + v))
    error  = √(2 · τ² · (1 − s))
    nDCG   = (sum / ideal(number − error) + sum / ideal(number + error)) / 2

expected is the share of documents with that label which reach the grade, in the other topics. c is what labels miss in
this topic: right on average, but a document that was drawn with probability 1/30 counts thirty times in it. v is the variance
that c has from the choice of documents, and τ² the mean of c² − v over the topics (at least 0), which is how much labels miss
in truth. With s the numbers of the topics differ as much as they do in truth (constrained empirical Bayes; Ghosh 1992, J. Am.
Stat. Assoc. 87, 533–540); without it more, with labels alone less. The error is what a number is off then.

v comes from the documents drawn where each was drawn for itself. Of n of N it is what labels let expect, Σ expected · (1 −
expected) · (1 − π) / π over the N: the spread among a few drawn documents is 0 where none of them reaches the grade and large
where one does, so that c would be kept where it is below 0, lost where it is above, and numbers be too low on average.

The sum is divided by two ideal lists, one of fewer and one of more documents, as 1 / ideal of a number that is right on
average is too low on average.
A number is no less than was seen, and no more than there can be. Of the lowest grade it is no less than 1 where chance
decided what was drawn, so that nDCG is never further from 0 than the sum divided by the gain of that grade: no topic
outweighs all others because its ideal list was estimated to be next to empty.
"""

from __future__ import annotations

import numpy as np

from gainful.estimates.estimator_registry import sample_variance
from gainful.estimates.measure_shapes import Linear
from gainful.estimates.model_gains import expected_from_labels
from gainful.judging.ranking import Floats, PerTopic, ratio, share
from gainful.judging.sampling import Sample
from gainful.statistics.survey_sampling import concave


def share_of_ideal(total: PerTopic, gain: Floats, sample: Sample, shape: Linear) -> PerTopic:
    """The sum of each topic as a share of its ideal list; NaN where there is nothing to find for certain.

    total  the estimated sum of gains
    gain   of each document of the pool; 0 where it was not drawn
    """
    assert shape.ideal is not None
    levels = np.unique(gain[gain > 0])
    weight = shape.ideal(np.arange(1.0, np.diff(sample.offsets).max(initial=0) + 1))
    fewer, more = np.zeros(len(total)), np.zeros(len(total))
    for height, level in zip(np.diff(levels, prepend=0.0), levels, strict=True):
        there = (gain >= level).astype(np.float64)
        low, high = _numbers(sample, there, least=np.where(sample.complete | (level > levels[0]), 0.0, 1.0))
        fewer += height * concave(low, weight)[0]
        more += height * concave(high, weight)[0]
    of_ideal = (ratio(total, fewer) + ratio(total, more)) / 2
    # where no gain at all was drawn, every sum is 0
    return np.where(sample.complete | (fewer > 0), of_ideal, 0.0)


def _numbers(sample: Sample, there: Floats, least: PerTopic) -> tuple[PerTopic, PerTopic]:
    """How many documents of each topic reach a grade, less and plus what that may be off."""
    expected = expected_from_labels(sample, there)
    missed, variance = sample.totals(there - expected), _variance_of_missed(sample, there, expected)
    by_chance = ~sample.complete
    typical = max(float((missed**2 - variance)[by_chance].mean()), 0.0) if by_chance.any() else 0.0
    of_truth = share(np.full(len(variance), typical), typical + variance)
    kept = np.where(variance > 0, np.sqrt(of_truth), 1.0)
    error = np.sqrt(2 * typical * (1 - kept))
    seen = sample.pool.total(np.where(sample.drawn, there, 0.0))
    most = seen + sample.pool.total(where=~sample.drawn)

    def within(number: PerTopic) -> PerTopic:
        return np.maximum(np.clip(number, seen, most), least)

    number = within(sample.pool.total(expected) + kept * missed)
    return within(number - error), within(number + error)


def _variance_of_missed(sample: Sample, there: Floats, expected: Floats) -> PerTopic:
    """The variance that what labels miss has from the choice of documents, topic by topic."""
    fixed, probability = sample.of_fixed_size, sample.inclusion.probability[sample.rows]
    certain = np.clip(expected, 0, 1)
    let_expect = np.where(fixed, certain * (1 - certain) * (1 - probability) / probability, 0.0)
    return sample_variance(sample, np.where(fixed, 0.0, there - expected)) + sample.pool.total(let_expect)
