"""What would surprise a reader of scores under several judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from gainful.comparisons.judges.items import Items
from gainful.formats.ids import shown
from gainful.formats.judgments import Judgments
from gainful.formats.words import counted
from gainful.scores import Scores

_FEW = 5
"""Systems below which intervals of tau hold the truth clearly less often than they say."""


def about(
    judges: Mapping[str, Judgments],
    items: Items,
    topics: set[str],
    scored: Mapping[str, Scores],
    left_out: Sequence[str],
    *,
    common: bool,
) -> list[str]:
    """Judgments that are not alike in what was judged, copies, and what each evaluation noticed.

    common  whether scores are made with the documents alone that all judged
    """
    notes = [*_topics(judges, topics), *([] if common else _unequal(items))]
    notes += [
        f"{shown(one)} and {shown(other)} have the same judgments"
        for one, other in combinations(judges, 2)
        if judges[one].digest == judges[other].digest
    ]
    if left_out:
        notes.append(
            f"{counted(len(left_out), 'topic does', 'topics do')} not count for some system under some judge: left out for all"
        )
    several = len(next(iter(scored.values())))
    if 1 < several < _FEW:
        notes.append(f"tau of {several} systems has few values; its intervals are too short")
    return notes + _of_scores(scored)


def _topics(judges: Mapping[str, Judgments], topics: set[str]) -> list[str]:
    more = {shown(name): len(set(one.topics) - topics) for name, one in judges.items()}
    if not any(more.values()):
        return []
    said = ", ".join(f"{name} {number:,}" for name, number in more.items() if number)
    return [
        f"only the {counted(len(topics), 'topic')} that all judged (and that were asked for) count; left out: {said}"
    ]


def _unequal(items: Items) -> list[str]:
    """Judges who did not judge the same documents: their scores differ by that too."""
    everyone = len(items.judges)
    if (items.judged == everyone).all():
        return []
    counts = (~np.isnan(items.ratings)).sum(axis=0).tolist()
    said = ", ".join(f"{shown(name)} {number:,}" for name, number in zip(items.judges, counts, strict=True))
    common = int((items.judged == everyone).sum())
    return [
        f"the judges did not judge the same documents ({said}; all of them {common:,}): scores differ by that too, "
        "unless the common ones alone count (--common)"
    ]


def _of_scores(scored: Mapping[str, Scores]) -> list[str]:
    """What evaluation noticed: said once where it holds under every judge, else with the judges' names."""
    who: dict[str, list[str]] = {}
    for name, one in scored.items():
        for note in one.notes:
            who.setdefault(note, []).append(shown(name))
    return [
        note if len(names) == len(scored) else f"under {', '.join(names)}: {note}"
        for note, names in who.items()
    ]
