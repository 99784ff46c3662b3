"""sweep: judgments and runs in, readers out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import numpy as np

from gainful.comparisons.comparing_scores import which_pairs
from gainful.comparisons.readers import points
from gainful.comparisons.readers.bands import RESAMPLES, Bands, simultaneous
from gainful.comparisons.readers.points import Way
from gainful.comparisons.readers.results import By, Floats, Readers, Sweep
from gainful.comparisons.tables import ScoreTable, System
from gainful.errors import NothingInCommon, UsageError
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.scores import Scores, evaluate
from gainful.statistics.blocks import Progress

BY: tuple[By, ...] = get_args(By)
MEASURE = "P"
_FEW = 20


def sweep(
    qrels: Any,
    runs: Any,
    by: str | Iterable[str] = BY,
    *,
    measure: str | Measure = MEASURE,
    ranks: int | None = None,
    baseline: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
    **settings: Any,
) -> Readers:
    """For which readers is one run better, for which another, and for which can nobody tell?

    qrels, runs  and the settings are those of `gainful.evaluate`; two runs or more
    by           "rank" (where she stops), "recall" (how much she needs), "patience" (how likely she goes on), or several
    measure      by rank: what she gets if she stops there; P, or another with a cutoff, such as nDCG
    ranks        last rank of that sweep; None is 1,000, or the end of the longest list
    baseline     compare every run with this one only, each less the baseline; None compares all pairs
    level        confidence of each band: over all points of a sweep, and all pairs
    resamples    how often topics are drawn anew
    seed         where chance starts

    >>> qrels = {f"q{n}": {"d": 1} for n in range(30)}
    >>> good, bad = ({topic: {"d": d, "x": 1.0} for topic in qrels} for d in (2.0, 0.5))
    >>> print(sweep(qrels, {"good": good, "bad": bad}, by="recall").sentences[0])
    good is better than bad for all readers, however many of the relevant documents they need (30 topics).
    """
    asked = _asked(by)
    scores = evaluate(qrels, runs, "NumRel", progress=progress, **settings)
    return sweep_scores(
        scores,
        asked,
        measure=measure,
        ranks=ranks,
        baseline=baseline,
        level=level,
        resamples=resamples,
        seed=seed,
        progress=progress,
    )


def sweep_scores(
    scores: Scores,
    by: str | Iterable[str] = BY,
    *,
    measure: str | Measure = MEASURE,
    ranks: int | None = None,
    baseline: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Readers:
    """The same for scores that are there already, of any measures: what is used are the judged runs in them."""
    asked = _asked(by)
    if len(scores) < 2:
        raise NothingInCommon(
            f"there is one run ('{shown(scores.runs[0].name)}'); a comparison needs two or more."
        )
    if any(run.user is not None for run in scores):
        raise UsageError("these scores are of several users; sweep readers over runs judged for all alike.")
    systems = tuple(System(run.name, run.path, run.digest) for run in scores)
    pairs = _pairs([system.name for system in systems], baseline)
    made = []
    for one in asked:
        way = _way(scores, one, measure, ranks)
        values = _values(scores, way, systems)
        first, second = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
        found = simultaneous(
            values, first, second, level=level, resamples=resamples, seed=seed, progress=progress
        )
        made.append(
            [
                _of_pair(one, way, systems, pair, found, number, level, values.shape[2])
                for number, pair in enumerate(pairs)
            ]
        )
    sweeps = tuple(one for group in zip(*made, strict=True) for one in group)
    described = scores.to_dict(per_topic=False)
    return Readers(
        sweeps,
        systems,
        tuple((systems[a].name, systems[b].name) for a, b in pairs),
        level,
        resamples,
        seed,
        described["settings"],
        scores.settings.stated(),
        described["qrels"],
        (*scores.notes, *_noticed(sweeps)),
    )


def _pairs(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """All pairs in the order given; or each other system and then the baseline, so that more is better than it."""
    first, second = which_pairs(names, baseline)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    return pairs if baseline is None else [(other, base) for base, other in pairs]


def _of_pair(
    by: By,
    way: Way,
    systems: Sequence[System],
    pair: tuple[int, int],
    found: Bands,
    number: int,
    level: float,
    topics: int,
) -> Sweep:
    """One pair's part of the bands."""
    return Sweep(
        by,
        way.measure,
        (systems[pair[0]].name, systems[pair[1]].name),
        way.at,
        found.means[list(pair)],
        found.difference[number],
        found.low[number],
        found.high[number],
        level,
        found.critical,
        topics,
    )


def _asked(by: str | Iterable[str]) -> list[By]:
    """The sweeps that are named, each once."""
    named = [one.strip() for one in by.split(",")] if isinstance(by, str) else list(by)
    for one in named:
        if one not in BY:
            raise UsageError(f"readers are swept by {', '.join(BY)}; got {one!r}.")
    if not named:
        raise UsageError(f"no sweep was asked for; name some of {', '.join(BY)}.")
    return list(dict.fromkeys(named))  # type: ignore[arg-type]


def _way(scores: Scores, by: By, measure: str | Measure, ranks: int | None) -> Way:
    match by:
        case "rank":
            return points.by_rank(scores, measure, ranks)
        case "recall":
            return points.by_recall(scores)
    return points.by_patience()


def _values(scores: Scores, way: Way, systems: Sequence[System]) -> Floats:
    """What readers get, systems × points × topics, of the topics that all systems are judged on."""
    values, undefined = zip(*(way.got(run) for run in scores), strict=True)
    counted = points.counted(scores.runs, undefined)
    table = ScoreTable(
        (way.measure,),
        tuple(systems),
        scores.runs[0].topics,
        np.where(counted, 0.0, np.nan)[None],
        scores.settings.to_dict(),
    )
    _, topics = table.of(way.measure)  # refuses systems that were judged on different ones
    if len(topics) < 2:
        raise NothingInCommon(
            f"{way.measure}: one topic ('{shown(topics[0])}') is not enough to compare systems; give two or more."
        )
    return np.stack(values)[:, :, counted.all(axis=0)]


def _noticed(sweeps: Sequence[Sweep]) -> list[str]:
    """What would surprise a reader of the bands."""
    made = []
    if sweeps[0].topics < _FEW:
        made.append(
            f"{sweeps[0].topics} topics are few for a band over a whole sweep: it is likely too narrow; take {_FEW} or more"
        )
    for by in dict.fromkeys(one.by for one in sweeps):
        bare = [one for one in sweeps if one.by == by and np.isnan(one.low).all()]
        if bare:
            first, second = map(shown, bare[0].systems)
            more = f" and {len(bare) - 1:,} more pairs" if len(bare) > 1 else ""
            made.append(f"by {by}, too few topics tell {first} from {second}{more} for any band")
    return made
