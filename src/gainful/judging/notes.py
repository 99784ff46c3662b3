"""What would surprise a reader of the scores, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from gainful.formats.ids import shown
from gainful.judging.ranking import Ranking
from gainful.judging.record import JudgedRun
from gainful.judging.settings import Settings

_NAMED = 5
_DEPTHS_DIFFER = 1.5
_SHARES_DIFFER = 0.1
_TOP = 10


def about_run(
    judged: JudgedRun,
    settings: Settings,
    *,
    missing: Sequence[str],
    extra: Sequence[str],
    cutoffs: Iterable[int],
) -> list[str]:
    """Topics missing or extra, and ties that the cutoffs asked for fall into."""
    notes = []
    topics = len(judged.present)
    if missing:
        fate = "left out" if settings.missing == "skip" else "scored as empty lists"
        notes.append(
            f"{_count(len(missing), 'judged topic')} of {topics} not in the run, {fate}: {_named(missing)}"
        )
    if extra:
        notes.append(f"{_count(len(extra), 'topic')} of the run not judged, ignored: {_named(extra)}")
    if settings.ties in ("docid", "input"):
        rule = "document id, descending" if settings.ties == "docid" else "order given"
        for cutoff in sorted(set(cutoffs)):
            astride = _topics_with(judged, (judged.first <= cutoff) & (judged.last > cutoff))
            if astride:
                notes.append(
                    f"equal scores with judged documents among them stand across rank {cutoff} in {_count(astride, 'topic')} "
                    f"of {topics}; their order is by {rule} (--ties)"
                )
    return notes


def about_judgments(pool: Ranking) -> list[str]:
    """A scale whose lowest judged grade is 1: nothing would count as not relevant."""
    grades = pool.grade[pool.grade >= 0]
    if len(grades) and grades.min() == 1 and grades.max() > 1:
        return [
            "the lowest grade judged is 1, so every judged document is relevant; "
            "if 1 means not relevant here, say --rel 2, RBP(rel=2), and a gain table such as gain={2:1,3:2}"
        ]
    return []


def about_subtopics(judged: JudgedRun) -> list[str]:
    """Judgments whose second column says nothing."""
    if judged.aspects is not None and len(judged) and (np.diff(judged.aspects.topics) <= 1).all():
        return ["every topic has one subtopic in the judgments; is the second column really the subtopic?"]
    return []


def about_runs(runs: Mapping[str, JudgedRun]) -> list[str]:
    """Runs that are not alike in depth or in the share that is judged: their scores compare unequal things."""
    if len(runs) < 2:
        return []
    notes = []
    depths = {
        name: float(np.median(run.retrieved[run.present])) for name, run in runs.items() if run.present.any()
    }
    if depths and max(depths.values()) > _DEPTHS_DIFFER * min(depths.values()):
        notes.append("the runs differ in depth (documents per topic, median): " + _listed(depths, "{:,.0f}"))
    shares = {name: judged_share(run, _TOP) for name, run in runs.items()}
    if max(shares.values()) - min(shares.values()) > _SHARES_DIFFER:
        notes.append(
            f"the runs differ in how much of their top {_TOP} is judged: " + _listed(shares, "{:.0%}")
        )
    return notes


def judged_share(judged: JudgedRun, cutoff: int) -> float:
    """Judged documents among the top ranks of all topics, as a share of the documents there."""
    there = np.minimum(judged.retrieved, cutoff).sum()
    return float(np.count_nonzero((judged.rank <= cutoff) & (judged.grade >= 0)) / there) if there else 0.0


def _topics_with(judged: JudgedRun, where: np.ndarray) -> int:
    before = np.concatenate(([0], np.cumsum(where)))
    return int(np.count_nonzero(np.diff(before[judged.offsets])))


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return ", ".join(map(shown, ids[:_NAMED])) + more


def _listed(values: Mapping[str, float], form: str) -> str:
    ordered = sorted(values.items(), key=lambda item: -item[1])
    if len(ordered) > 2 * _NAMED:
        ordered = [*ordered[:_NAMED], *ordered[-_NAMED:]]
        return (
            ", ".join(f"{name} {form.format(value)}" for name, value in ordered)
            + " (the first and last five)"
        )
    return ", ".join(f"{name} {form.format(value)}" for name, value in ordered)
