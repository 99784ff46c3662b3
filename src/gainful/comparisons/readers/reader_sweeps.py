"""sweep: judgments and runs in; what each kind of reader gets from every run, and which run is better for which readers, out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.compare_call import Inputs
from gainful.comparisons.comparison import Comparison
from gainful.comparisons.pair import which_pairs
from gainful.comparisons.readers.reader_ranges import By, Readers, Sweep, consistent_with
from gainful.comparisons.score_table import ScoreTable, System
from gainful.comparisons.verdict import judging
from gainful.curves.rank_curves import by_rank_measures, values_by_rank
from gainful.curves.recall_curves import found_relevant, interpolated, level_of_relevance, shares_of
from gainful.curves.topic_averages import check_last_rank
from gainful.errors import NothingInCommon, UsageError
from gainful.formats.ids import shown
from gainful.measures import Measure, P
from gainful.measures._many import takes_cutoff, without_cutoff
from gainful.measures.iprec import IPrec
from gainful.measures.rbp import RBP
from gainful.scores import RunScores, Scores, evaluate
from gainful.scores.model_scores import people_alone
from gainful.statistics.resampling import BAND_RESAMPLES, SEED, Progress
from gainful.statistics.simultaneous_bands import Bands, simultaneous

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

RANKS = 1000
"""Default last rank of a sweep; lower if all lists end before it."""
LEVELS = 101
"""Of recall: whole percents."""
PATIENCE = tuple(percent / 100 for percent in range(50, 100))
"""How likely a reader is to go on from a document to the next."""

Got = Callable[[RunScores], tuple[Floats, Booleans]]
"""A run's value at each point and topic, and where there was nothing to find."""


class Way(NamedTuple):
    """One way in which readers differ.

    measure  name of what they get
    at       the points
    got      what they get, points × topics
    """

    measure: Measure
    at: Floats
    got: Got


def by_rank(scores: Scores, measure: str | Measure, ranks: int | None) -> Way:
    """She stops at a rank: the measure at every cutoff."""
    chosen, depth = by_rank_measures(measure, scores.settings.rel, ranks, min(RANKS, longest(scores)))
    if len(chosen) != 1:
        raise UsageError(f"a sweep is of one measure; got {', '.join(map(str, chosen))}.")
    if chosen[0].needs is not None:
        raise UsageError(
            f"{chosen[0]} cannot be used for readers; choose a measure that needs only grades, such as P."
        )
    if chosen[0].less_is_better:
        raise UsageError(f"less of {chosen[0]} is better; use a measure where more is better, such as P.")
    check_last_rank(depth, len(scores.runs[0].topics))
    return Way(chosen[0], np.arange(1.0, depth + 1), lambda run: values_by_rank(chosen[0], run.judged, depth))


def by_recall(scores: Scores) -> Way:
    """She needs a share of the relevant documents: interpolated precision there."""
    rel, shares = level_of_relevance(scores, None), shares_of(LEVELS)

    def got(run: RunScores) -> tuple[Floats, Booleans]:
        relevant = found_relevant(run.judged, rel)
        values = interpolated(relevant, shares)
        return values, np.broadcast_to(relevant.relevant == 0, values.shape)

    return Way(IPrec(rel=rel), np.array([float(share) for share in shares]), got)


def by_patience() -> Way:
    """She goes on from each document to the next with the same probability: RBP."""
    measures = [RBP(p=p) for p in PATIENCE]

    def got(run: RunScores) -> tuple[Floats, Booleans]:
        values, undefined = zip(*(measure.evaluate(run.judged) for measure in measures), strict=True)
        return np.stack(values), np.stack(undefined)

    return Way(RBP, np.array(PATIENCE), got)


def longest(scores: Scores) -> int:
    """The length of the longest list."""
    return max(1, *(int(run.judged.retrieved.max(initial=0)) for run in scores))


def counted(runs: Sequence[RunScores], undefined: Sequence[Booleans]) -> Booleans:
    """Which topics count for each run, systems × topics: at every point of the sweep, or not at all."""
    kept = [
        run.evaluated & ~nothing.any(axis=0) if run.settings.undefined == "skip" else run.evaluated
        for run, nothing in zip(runs, undefined, strict=True)
    ]
    return np.stack(kept)


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
    resamples: int = BAND_RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
    **settings: Any,
) -> Readers:
    """For which readers one run is better, for which another, and for which the difference is not significant.

    qrels, runs  and the settings are those of `gainful.evaluate`; two runs or more
    by           "rank" (where she stops), "recall" (how much she needs), "patience" (how likely she goes on), or several
    measure      by rank: what she gets if she stops there; P, or another with a cutoff, such as nDCG
    ranks        last rank of that sweep; None is 1,000, or the end of the longest list
    baseline     compare every run with this one only; None compares all pairs. Differences are candidate minus baseline,
                 or of two runs the second given minus the first
    level        confidence of each band: over all points of a sweep, and all pairs
    resamples    bootstrap resamples of the topics
    seed         random seed

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
    resamples: int = BAND_RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Readers:
    """For which readers which run is better, from existing scores; only the judged runs in them are used."""
    asked = _asked(by)
    if len(scores) < 2:
        raise NothingInCommon(
            f"there is only one run ('{shown(scores.runs[0].name)}'); a comparison needs two or more."
        )
    if any(run.user is not None for run in scores):
        raise UsageError("these scores are of several users; sweep readers over runs judged for all alike.")
    if scores.judgments.inclusion is not None:
        raise UsageError(
            "--readers follows judged documents down the lists, and estimates under a design rest on others too; leave it out, "
            "or the design."
        )
    systems = tuple(System(run.name, run.path, run.digest) for run in scores)
    a, b = which_pairs([system.name for system in systems], baseline)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    by_way = []
    for kind in asked:
        way = _way(scores, kind, measure, ranks)
        values = _values(scores, way, systems)
        bands = simultaneous(values, b, a, level=level, resamples=resamples, seed=seed, progress=progress)
        by_way.append(
            [
                _of_pair(kind, way, systems, pair, bands, number, level, values.shape[2])
                for number, pair in enumerate(pairs)
            ]
        )
    sweeps = tuple(swept for of_pair in zip(*by_way, strict=True) for swept in of_pair)
    described = scores.to_dict(per_topic=False)
    return Readers(
        sweeps,
        systems,
        tuple((systems[first].name, systems[second].name) for first, second in pairs),
        level,
        resamples,
        seed,
        described["settings"],
        scores.settings.stated() + people_alone(scores),
        described["qrels"],
        (*scores.notes, *_noticed(sweeps)),
    )


def swept_by(measures: Sequence[Measure]) -> Measure:
    """The measure to sweep by rank: the lead measure without its cutoff, or P where that cannot be swept.

    >>> from gainful.measures import parse
    >>> [swept_by([parse(name)]) for name in ("nDCG@10", "Bpref", "Fallout@5")]
    [nDCG, P, P]
    """
    lead = judging(measures)[0]
    if takes_cutoff(lead) and lead.needs is None and lead.summary == "mean" and not lead.less_is_better:
        return without_cutoff(lead)
    return P


def sweep_comparison(
    comparison: Comparison,
    inputs: Inputs,
    *,
    by: tuple[str, ...] = (),
    measure: str | None = None,
    resamples: int | None = None,
    progress: Progress | None = None,
) -> tuple[Readers, dict[str, Readers]]:
    """For which readers each of the systems compared is better, over all topics and within each group of topics.

    inputs  what was compared, runs and judgments in memory; no file is opened again
    """
    judgments, runs, scores = inputs.lists("--readers")
    names, method = comparison.table.names, comparison.method
    options: dict[str, Any] = {
        "measure": measure or swept_by(comparison.table.measures),
        "baseline": method.baseline,
        "level": method.confidence,
        "seed": method.seed,
        "resamples": resamples or BAND_RESAMPLES,
        "progress": progress,
    }
    named = zip(scores.runs, names, strict=True)
    scores = replace(scores, runs=tuple(replace(run, name=name) for run, name in named))
    by_group: dict[str, Readers] = {}
    for group, part in (comparison.groups.parts if comparison.groups else {}).items():
        evaluating = {"topics": list(part.table.topics)} | scores.settings.to_dict()
        of_group = sweep(judgments, dict(zip(names, runs, strict=True)), by or BY, **options, **evaluating)
        by_group[group] = consistent_with(of_group, part)
    return consistent_with(sweep_scores(scores, by or BY, **options), comparison), by_group


def _of_pair(
    by: By,
    way: Way,
    systems: Sequence[System],
    pair: tuple[int, int],
    bands: Bands,
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
        bands.means[list(pair)],
        bands.difference[number],
        bands.low[number],
        bands.high[number],
        level,
        bands.critical,
        topics,
    )


def _asked(by: str | Iterable[str]) -> list[By]:
    """The sweeps that are named, each once."""
    named = [name.strip() for name in by.split(",")] if isinstance(by, str) else list(by)
    for name in named:
        if name not in BY:
            raise UsageError(f"readers vary by {', '.join(BY)}; got {name!r}.")
    if not named:
        raise UsageError(f"no sweep is given; name some of {', '.join(BY)}.")
    return list(dict.fromkeys(named))  # type: ignore[arg-type]


def _way(scores: Scores, by: By, measure: str | Measure, ranks: int | None) -> Way:
    scores.settings.need_an_order("a sweep over readers")
    match by:
        case "rank":
            return by_rank(scores, measure, ranks)
        case "recall":
            return by_recall(scores)
    return by_patience()


def _values(scores: Scores, way: Way, systems: Sequence[System]) -> Floats:
    """What readers get, systems × points × topics, of the topics that all systems are judged on."""
    values, undefined = zip(*(way.got(run) for run in scores), strict=True)
    counts = counted(scores.runs, undefined)
    table = ScoreTable(
        (way.measure,),
        tuple(systems),
        scores.runs[0].topics,
        np.where(counts, 0.0, np.nan)[None],
        scores.settings,
    )
    _, topics = table.of(way.measure)  # refuses systems that were judged on different ones
    if len(topics) < 2:
        raise NothingInCommon(
            f"{way.measure}: one topic ('{shown(topics[0])}') is not enough to compare systems; give two or more."
        )
    return np.stack(values)[:, :, counts.all(axis=0)]


def _noticed(sweeps: Sequence[Sweep]) -> list[str]:
    """Notes: too few topics for a band, and the like."""
    notes = []
    if sweeps[0].topics < _FEW:
        notes.append(
            f"{sweeps[0].topics} topics are few for a simultaneous band: it is likely too narrow; use {_FEW} or more"
        )
    for by in dict.fromkeys(sweep.by for sweep in sweeps):
        bare = [sweep for sweep in sweeps if sweep.by == by and np.isnan(sweep.low).all()]
        if bare:
            first, second = map(shown, bare[0].systems)
            more = (
                f" and {len(bare) - 1:,} more {'pair' if len(bare) == 2 else 'pairs'}"
                if len(bare) > 1
                else ""
            )
            notes.append(f"by {by}, too few topics tell {first} from {second}{more} for any band")
    return notes
