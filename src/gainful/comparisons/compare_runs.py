"""compare: judgments and runs in, a comparison out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Unpack

from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.groups import grouped, read_groups
from gainful.comparisons.method import LEAD, Method
from gainful.comparisons.saved_scores import read_input
from gainful.comparisons.score_inputs import load
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.topic_attributes import read_weights
from gainful.formats.multi_file import is_path
from gainful.judging.settings import check_keywords
from gainful.measures import Measure
from gainful.scores import Evaluating, evaluate
from gainful.statistics.blocks import Progress
from gainful.statistics.draws import RESAMPLES, SEED


def compare(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = LEAD,
    *,
    baseline: str | None = None,
    test: str = "signflip",
    interval: str = "t",
    correction: str = "holm",
    family: str = "measure",
    alpha: float = 0.05,
    power: float = 0.8,
    flips: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    groups: Any = None,
    weights: Any = None,
    progress: Progress | None = None,
    **evaluating: Unpack[Evaluating],
) -> Comparison:
    """Which of two or more runs is better, by how much and how surely.

    qrels, runs, measures and the keywords topics, known, expected, threads, ties, … are those of `gainful.evaluate`; in a
    list of runs a path to a result that `gainful evaluate -q -f json` saved may stand for one.
    groups   compare within these groups of topics too: {topic: group}, or a file of topic and group
    weights  how much each topic counts: {topic: weight}, or a file of topic and weight
    The rest is explained at `gainful.comparisons.Method`.

    >>> qrels = {f"q{n}": {"d": 1} for n in range(6)}
    >>> good, bad = ({topic: {"d": d, "x": 1.0} for topic in qrels} for d in (2.0, 0.5))
    >>> print(compare(qrels, {"bad": bad, "good": good}, "RR").pairs[0].p_value)  # 2/2⁶
    0.03125
    """
    check_keywords(compare, evaluating, Evaluating)
    method = Method(test, interval, correction, family, baseline, alpha, power, flips, resamples, seed)
    read = (
        [read_input(os.fsdecode(run)) if is_path(run) else run for run in runs]
        if isinstance(runs, list | tuple)
        else []
    )
    if any(isinstance(run, ScoreTable) for run in read):
        table = load(qrels, read, measures, **evaluating).table
    else:
        table = ScoreTable.of_scores(evaluate(qrels, runs, measures, **evaluating))
    if weights is not None:
        table = table.weighted(read_weights(weights))
    made = compare_scores(table, method, progress=progress)
    return made if groups is None else grouped(made, read_groups(groups), progress=progress)
