"""Inclusion: with which probability each judged document was drawn for judging, and from which stratum."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WHOLE = 1e-6  # how far a number of documents may be from a whole one


@dataclass(frozen=True, eq=False)
class Inclusion:
    """How the documents of judgments were drawn, by their place in the judgments.

    probability  chance with which each document was drawn; 1 where it was taken for certain; NaN where it was chosen by
                 other means than chance, or was not drawn and has an unknown one: it then stands for nothing
    stratum      number of the stratum that each document belongs to; a topic without strata is one stratum
    size         for each stratum, how many documents it has, if a sample of fixed size was drawn from it; NaN where
                 documents were drawn independently of each other
    listed       whether documents that could have been drawn and were not are in the judgments, with a grade below 0
    source       where probabilities were read, as messages call it
    by_chance    whether in every topic that has judgments some were drawn by chance from all the documents that were not known
    by_effect    whether documents were drawn by their effect on a measure, and those below its cutoff not at all
    unanswered   documents that were drawn and have no judgment
    reach        the last rank, in any run of the study, of documents that could be drawn; infinity where there is none
    labels       models × documents: what each model said of each; NaN where it said nothing; None where there is no model
    """

    probability: NDArray[np.float64]
    stratum: NDArray[np.int64]
    size: NDArray[np.float64]
    listed: bool
    source: str
    by_chance: bool = True
    unanswered: int = 0
    by_effect: bool = False
    reach: float = math.inf
    labels: NDArray[np.float64] | None = None

    @property
    def digest(self) -> str:
        """Digest of the probabilities and strata."""
        return hashlib.sha256(self.probability.tobytes() + self.stratum.tobytes()).hexdigest()


def strata_sizes(
    probability: NDArray[np.float64],
    stratum: NDArray[np.int64],
    judged: NDArray[np.bool_],
    named: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """How many documents each named stratum has, where the probability is one and drawn / probability is a whole number.

    >>> strata_sizes(np.array([0.25, 0.25, 0.5]), np.array([0, 0, 1]), np.ones(3, bool), np.array([True, False]))
    array([ 8., nan])
    """
    count = len(named)
    drawn = np.bincount(stratum[judged], minlength=count).astype(np.float64)
    least, most = np.full(count, np.inf), np.zeros(count)
    with np.errstate(invalid="ignore", divide="ignore"):
        np.minimum.at(least, stratum, probability)
        np.maximum.at(most, stratum, probability)
        size = drawn / most
        whole = np.abs(size - np.round(size)) <= _WHOLE * np.maximum(size, 1.0)
        alike = np.abs(most - least) <= _WHOLE * most
    return np.where(named & whole & alike & (drawn > 0), np.round(size), np.nan)
