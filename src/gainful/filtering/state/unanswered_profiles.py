"""Profiles without an answer: their thresholds follow from their highest scores, and are set for many of them at once."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from gainful._core import HighestScores
from gainful.filtering.profile_models import ProfileModel
from gainful.filtering.rule_text import Rule
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.sibling_index import SiblingIndex
from gainful.filtering.theta_opt_and_zero import LinearUtility
from gainful.formats.judgments import cores

DEPTH = 64
"""How many of the highest scores of a profile are kept to begin with; twice as many each time they are too few."""

_ENOUGH = 1000  # profiles from which a second thread is worth it

Learning = Callable[[Reader], tuple[Rule, ProfileModel, LinearUtility]]


def unanswered_thetas(
    readers: Iterable[Reader],
    highest: HighestScores,
    siblings: SiblingIndex,
    learning: Learning,
    *,
    held: int,
    documents: int,
) -> Iterator[tuple[Reader, float, float]]:
    """Profiles, their theta_opt, which is theta, and their theta_zero. Left out are profiles that have answers, those whose rule
    asks for more than the highest scores, and those of which too few are kept.

    learning  how a profile learns
    held, documents  how many documents are in the history, and how many were seen
    """
    kinds: dict[tuple[str, str], list[Reader]] = defaultdict(list)
    for reader in readers:
        if not reader.judged:
            kinds[reader.settings.rule, reader.settings.utility].append(reader)
    for alike in kinds.values():
        rule, _, utility = learning(alike[0])
        threads = cores() if len(alike) >= _ENOUGH else 1
        group = siblings.of(alike[0])
        # Without answers of their own, all of them were told the same by the others, but for silence.
        told = None if group is None else group.told(alike[0].number)
        if found := rule.unanswered(told, utility=utility, floor=0.0):
            numbers = np.array([reader.number for reader in alike], np.int64)
            best, zero = highest.expected_thetas(numbers, held, documents, *found, threads=threads)
            for reader, theta_opt, theta_zero in zip(alike, best.tolist(), zero.tolist(), strict=True):
                if not math.isnan(theta_opt):
                    yield reader, theta_opt, theta_zero
