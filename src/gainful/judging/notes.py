"""What would surprise a reader of the scores, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from gainful.formats.ids import shown
from gainful.judging.ranking import Ranking
from gainful.judging.record import JudgedRun
from gainful.judging.settings import Settings
from gainful.presentation.numbers import counted, extremes, percent, whole

_NAMED = 5
DEPTHS_DIFFER = 1.5
"""Runs whose lists are so many times as long as another's are worth a note."""
SHARES_DIFFER = 0.1
"""Runs are worth a note that differ by more than this in the share of their top ranks that is judged."""
ONE_SUBTOPIC = ["every topic has one subtopic in the judgments; is the second column really the subtopic?"]
TOP = 10
"""Ranks of which the share that is judged is compared."""


def about_run(
    judged: JudgedRun,
    settings: Settings,
    *,
    missing: Sequence[str],
    extra: Sequence[str],
    cutoffs: Iterable[int],
) -> list[str]:
    """Topics missing or extra, and ties that the cutoffs asked for fall into."""
    told = settings.ties in ("docid", "input") and bool((judged.first < judged.last).any())
    astride = {cutoff: int(ties_astride(judged, cutoff).sum()) for cutoff in cutoffs} if told else {}
    return about_topics(
        len(judged.present), settings, missing=missing, extra=extra, extras=len(extra), astride=astride
    )


def about_topics(
    topics: int,
    settings: Settings,
    *,
    missing: Sequence[str],
    extra: Sequence[str],
    extras: int,
    astride: Mapping[int, int],
) -> list[str]:
    """The same from counts: extras topics not judged, the first of them named; astride topics for each cutoff."""
    notes = []
    if missing:
        fate = "left out" if settings.missing == "skip" else "scored as empty lists"
        notes.append(
            f"{counted(len(missing), 'judged topic')} of {topics} not in the run, {fate}: {_named(missing)}"
        )
    if extras:
        notes.append(f"{counted(extras, 'topic')} of the run not judged, ignored: {_named(extra, extras)}")
    rule = "document id, descending" if settings.ties == "docid" else "order given"
    for cutoff, count in sorted(astride.items()):
        if count:
            notes.append(
                f"equal scores with judged documents among them stand across rank {cutoff} in {counted(count, 'topic')} "
                f"of {topics}; their order is by {rule} (--ties)"
            )
    return notes


def ties_astride(judged: JudgedRun, cutoff: int) -> np.ndarray:
    """The topics in which a tie with a judged document in it stands across this rank."""
    return _topics_with(judged, (judged.first <= cutoff) & (judged.last > cutoff))


def about_judgments(pool: Ranking) -> list[str]:
    """A scale whose lowest judged grade is 1: nothing would count as not relevant."""
    grades = pool.grade[pool.grade >= 0]
    return about_grades(float(grades.min()), float(grades.max())) if len(grades) else []


def about_grades(lowest: float, highest: float) -> list[str]:
    """The same from the lowest and the highest grade judged."""
    if lowest == 1 and highest > 1:
        return [
            "the lowest grade judged is 1, so every judged document is relevant; "
            "if 1 means not relevant here, say --rel 2, RBP(rel=2), and a gain table such as gain={2:1,3:2}"
        ]
    return []


def about_subtopics(judged: JudgedRun) -> list[str]:
    """Judgments whose second column says nothing."""
    if judged.aspects is not None and len(judged) and (np.diff(judged.aspects.topics) <= 1).all():
        return ONE_SUBTOPIC
    return []


def about_runs(runs: Mapping[str, JudgedRun]) -> list[str]:
    """Runs that are not alike in depth or in the share that is judged: their scores compare unequal things."""
    if len(runs) < 2:
        return []
    depths = {name: median(run.retrieved[run.present]) for name, run in runs.items() if run.present.any()}
    return about_unlike(depths, {name: judged_share(run, TOP) for name, run in runs.items()})


def about_unlike(depths: Mapping[str, float], shares: Mapping[str, float]) -> list[str]:
    """The same from the median depth of each run, and the share of its top that is judged."""
    notes = []
    if depths and max(depths.values()) > DEPTHS_DIFFER * min(depths.values()):
        notes.append("the runs differ in depth (documents per topic, median): " + extremes(depths, whole))
    if max(shares.values()) - min(shares.values()) > SHARES_DIFFER:
        notes.append(
            f"the runs differ in how much of their top {TOP} is judged: "
            + extremes(shares, partial(percent, places=0))
        )
    return notes


def judged_share(judged: JudgedRun, cutoff: int) -> float:
    """Judged documents among the top ranks of all topics, as a share of the documents there."""
    there = np.minimum(judged.retrieved, cutoff).sum()
    return float(np.count_nonzero((judged.rank <= cutoff) & (judged.grade >= 0)) / there) if there else 0.0


def median(numbers: np.ndarray) -> float:
    """NumPy's own would import its masked arrays, which takes as long as reading some runs."""
    ordered = np.sort(numbers)
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _topics_with(judged: JudgedRun, where: np.ndarray) -> np.ndarray:
    before = np.concatenate(([0], np.cumsum(where)))
    there: np.ndarray = np.diff(before[judged.offsets]) > 0
    return there


def _named(ids: Sequence[str], count: int | None = None) -> str:
    left = (len(ids) if count is None else count) - _NAMED
    more = f" and {left:,} more" if left > 0 else ""
    return ", ".join(map(shown, ids[:_NAMED])) + more
