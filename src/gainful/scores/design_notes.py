"""Notes on estimates: what a reader must know of how documents were drawn, and where numbers are biased or have no interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gainful.arrays import np
from gainful.formats.ids import shown, some
from gainful.judging.notes import DECIDES, GOOD_TO_KNOW, Note
from gainful.presentation.text_style import counted, listed, percent
from gainful.scores.estimated_scores import EstimatedRun, without_intervals
from gainful.scores.score_set import RunScores

if TYPE_CHECKING:
    from gainful.formats.inclusion import Inclusion
    from gainful.formats.model_labels import ModelLabels


def about_design(runs: Sequence[RunScores], models: Sequence[ModelLabels] = ()) -> list[Note]:
    """What a reader of estimates must know, once for all runs.

    models  whose labels are part of the estimates
    """
    run = next((each for each in runs if isinstance(each, EstimatedRun)), None)
    if run is None:
        return []
    inclusion = run.judged.require_sample().inclusion
    notes = []
    refused = without_intervals(runs)
    without = [str(measure) for measure, why in refused.items() if not why]
    if not inclusion.by_chance:
        notes.append(
            Note(
                f"documents were chosen by other means than chance ({inclusion.source}): there are no intervals, and bounds are "
                "given instead; a random part of the study would correct that",
                kind="no probabilities",
                matters=DECIDES,
            )
        )
    elif without:
        notes.append(
            Note(
                f"{listed(without)} cannot be estimated without bias from a sample of documents; the bounds hold whatever the "
                "grades of the other documents are",
                kind="no estimator",
                matters=DECIDES,
            )
        )
    if inclusion.labels is not None:
        labelled = float((~np.isnan(inclusion.labels)).all(axis=0).mean())
        notes.append(
            Note(
                f"labels by {counted(len(inclusion.labels), 'model')} say what to expect of each document "
                f"({percent(labelled, 0)} of them are labelled), learned from the judgments of other topics; sums stay "
                f"{'unbiased' if len(inclusion.labels) == 1 else 'nearly unbiased'} however wrong the labels are",
                kind="labels",
                matters=GOOD_TO_KNOW,
            )
        )
        outside = {topic for model in models for topic in model.labels.topics} - set(run.topics)
        if outside:
            notes.append(
                Note(
                    f"labels of {counted(len(outside), 'topic')} of which no document could be drawn play no part; where people "
                    "judge only some topics, let them judge these whole, or draw documents of all topics",
                    kind="labels outside",
                    matters=GOOD_TO_KNOW,
                )
            )
    notes += [
        Note(
            f"{measure}: bounds in place of an interval, as {why}",
            kind=f"no interval {measure}",
            matters=DECIDES,
        )
        for measure, why in refused.items()
        if why
    ]
    biases = [
        (str(measure), each)
        for measure, each in zip(run.measures, run.estimates, strict=True)
        if each and measure not in refused
    ]
    rough = [name for name, each in biases if each.bias == "approximate"]
    ratios = [name for name, each in biases if each.bias == "small"]
    if ratios:
        notes.append(
            Note(
                f"{listed(ratios)}: {_with_small_bias(inclusion)}",
                kind="ratios",
                matters=GOOD_TO_KNOW,
            )
        )
    if rough:
        where = (
            "docs/design_estimates.md for the bias"
            if inclusion.labels is None
            else "docs/models.md for how often intervals hold the truth in simulations"
        )
        notes.append(
            Note(
                f"{listed(rough)} {'is' if len(rough) == 1 else 'are'} approximate under a design: see {where}",
                kind="approximate",
                matters=GOOD_TO_KNOW,
            )
        )
    if run.left_out:
        notes.append(
            Note(
                f"{counted(len(run.left_out), 'topic')} left out of shares and averages of precision, as nothing relevant was "
                f"drawn there: {some(run.left_out)}",
                kind="nothing drawn",
                matters=DECIDES,
            )
        )
    if inclusion.by_effect or math.isfinite(inclusion.reach):
        where = (
            "above the cutoff of the study's measure"
            if inclusion.by_effect
            else f"down to rank {inclusion.reach:g}"
        )
        notes.append(
            Note(
                f"only documents {where} could be drawn: sums down to it (P, DCG, RBP) are estimated, but deeper ones are too "
                "low, and shares (R, nDCG) and AP lack the relevant documents further down, and are too high",
                kind="beyond the sample",
                matters=DECIDES,
            )
        )
    for each in runs:
        if isinstance(each, EstimatedRun) and (share := each.never_drawn) > 0:
            lost = Note(
                f"{percent(share, 0)} of the top {each.shallowest} could not be drawn for judging, as in a run that was not in "
                "the study; these documents count as not relevant, and values are too low",
                kind="never drawn",
                matters=DECIDES,
            )
            notes.append(lost.about(shown(each.name)))
    if inclusion.unanswered:
        notes.append(
            Note(
                f"{counted(inclusion.unanswered, 'document')} of {inclusion.source} drawn for judging, and not judged yet; "
                "as they count as not relevant, estimates are too low",
                kind="unanswered",
                matters=DECIDES,
            )
        )
    return notes


def _with_small_bias(inclusion: Inclusion) -> str:
    """What keeps a small bias, and where to read of it."""
    if inclusion.labels is not None and len(inclusion.labels) > 1:
        return "ratios of estimates, or sums beside the labels of several models, which keep a small bias; see docs/models.md"
    return "ratios of estimates, which keep a small bias; see docs/design_estimates.md"
