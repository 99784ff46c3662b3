"""compare_judges: the same runs under the judgments of several judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from gainful.comparisons.comparison import refuse_other_summaries
from gainful.comparisons.judges.agreement import agreement_of
from gainful.comparisons.judges.agreement_coefficients import Floats, Level
from gainful.comparisons.judges.judge_files import Items, only_common, read_judges
from gainful.comparisons.judges.judge_files import merge as merged_judgments
from gainful.comparisons.judges.judge_orders import orders_of
from gainful.comparisons.judges.judge_results import Judges, SystemScores
from gainful.comparisons.judges.topic_estimates import Chance
from gainful.comparisons.method import LEAD
from gainful.comparisons.score_table import ScoreTable
from gainful.errors import NothingInCommon, UsageError
from gainful.formats.ids import shown
from gainful.formats.judgments import Judgments, read_topics
from gainful.formats.runs import runs_of
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.scores import Scores, evaluate
from gainful.statistics.resampling import RESAMPLES, SEED, Progress
from gainful.summaries import mean

DOCUMENTS = ("all", "common")


def compare_judges(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = LEAD,
    *,
    level: Level = "ordinal",
    documents: str = "all",
    merge: str | Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = 0.95,
    progress: Progress | None = None,
    **settings: Any,
) -> Judges:
    """Scores of the runs under each judge, how far the judges agree, and whether the order of the runs survives.

    qrels      several judgments, as a list or by name, or one in which a column names the judge: see `read_judges`
    runs, measures and the settings are those of `gainful.evaluate`; rel is also what agreement calls relevant
    level      of Krippendorff's alpha: grades are in order ("ordinal"), names ("nominal") or numbers ("interval")
    documents  score with "all" that each judge judged, or only with the "common" ones, that every judge judged
    merge      score also under judges merged into one: "max", "min", "mean", "majority", several of these
    resamples  of the topics, for intervals of this confidence

    What one judge judged and another did not has no part in their agreement; under the one who did not judge it, it is
    unjudged (not relevant, unless unjudged="condense"). Scores and orders are over the topics that all judged.

    >>> ann, ben = {"q": {"d1": 1, "d2": 0}}, {"q": {"d1": 0, "d2": 1}}
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d1": 1.0, "d2": 2.0}}}
    >>> made = compare_judges({"ann": ann, "ben": ben}, runs, "RR")
    >>> dict(made.scores[0].by_judge), made.orders[0].pairs[0].swaps
    ({'ann': 1.0, 'ben': 0.5}, (('a', 'b'),))
    """
    chance = Chance(resamples, seed, confidence)
    if documents not in DOCUMENTS:
        raise UsageError(f"documents must be one of {', '.join(DOCUMENTS)}; got {documents!r}.")
    common = documents == "common"
    merged = [merge] if isinstance(merge, str) else list(merge)
    rules = {"duplicates": settings.get("duplicates", "error"), "threads": settings.get("threads")}
    judges = read_judges(qrels, **rules)
    topics = _common_topics(judges, settings.pop("topics", None))
    rel = settings.get("rel")
    items = Items.of(judges, topics)
    agreement = agreement_of(items, 1 if rel is None else rel, level, chance, progress)
    scored = _scored(only_common(judges) if common else judges, merged, topics, runs, measures, settings)
    table = _Table(scored)
    names, systems = tuple(judges), [system.name for system in table.systems]
    values = {measure: table.of(measure) for measure in table.measures}
    by_judge = dict(zip(names, scored, strict=False))
    return Judges(
        names,
        table.systems,
        table.measures,
        table.topics,
        tuple(row for measure in values for row in _scores(measure, systems, names, merged, values[measure])),
        agreement,
        tuple(
            orders_of(measure, systems, names, values[measure][: len(names)], chance, progress)
            for measure in values
            if len(systems) > 1
        ),
        scored[0].settings,
        {name: judgments.digest for name, judgments in judges.items()},
        documents,
        tuple(merged),
        chance,
        tuple(notes_about(judges, items, topics, by_judge, table.left_out, common=common)),
    )


def _scored(
    judges: Mapping[str, Judgments],
    merged: Sequence[str],
    topics: set[str],
    runs: Any,
    measures: str | Measure | Iterable[str | Measure],
    settings: Mapping[str, Any],
) -> list[Scores]:
    """The scores under each judge, then under each merger of them, of the topics that all have; each run is read once."""
    kept = topics.intersection(*(judgments.topics for judgments in judges.values()))
    if not kept:
        raise NothingInCommon(
            "no topic has documents that all judges judged; there is nothing to score with."
        )
    in_memory = [run.in_memory() for run in runs_of(runs)]
    all_judgments = [*judges.values(), *(merged_judgments(judges, how) for how in merged)]
    return [evaluate(judgments, in_memory, measures, topics=kept, **settings) for judgments in all_judgments]


class _Table:
    """Scores under several judges, as arrays over the topics that count for every system under every judge."""

    def __init__(self, scored: Sequence[Scores]) -> None:
        tables = [ScoreTable.of_scores(scores) for scores in scored]
        first = tables[0]
        self.measures, self.systems = first.measures, first.systems
        refuse_other_summaries(self.measures)
        self._values = np.stack([table.values for table in tables], axis=1)  # measures × judges × …
        self._counted = np.asarray(~np.isnan(self._values).any(axis=(0, 1, 2)))
        self.topics = tuple(first.topics[place] for place in np.flatnonzero(self._counted))
        self.left_out = tuple(first.topics[place] for place in np.flatnonzero(~self._counted))
        if not self.topics:
            raise NothingInCommon(
                "no topic counts for every system under every judge; there is nothing to compare."
            )

    def of(self, measure: Measure) -> Floats:
        """Judges × systems × topics."""
        return np.ascontiguousarray(self._values[self.measures.index(measure)][:, :, self._counted])


def _common_topics(judges: Mapping[str, Judgments], asked: Any) -> set[str]:
    common = set.intersection(*(set(judgments.topics) for judgments in judges.values()))
    if not common:
        counts = ", ".join(f"{shown(name)} {len(judgments.topics):,}" for name, judgments in judges.items())
        raise NothingInCommon(
            f"no topic was judged by every judge (topics of each: {counts}); systems cannot be compared under them.\n"
            "For their agreement on common topics use gainful.comparisons.judges.agree(…)."
        )
    if asked is None:
        return common
    wanted = read_topics(asked)
    if unknown := sorted(wanted - common):
        raise UsageError(
            f"{len(unknown)} of the topics asked for were not judged by every judge: {', '.join(map(shown, unknown[:5]))}."
        )
    return wanted


def _scores(
    measure: Measure, systems: Sequence[str], judges: Sequence[str], merged: Sequence[str], values: Floats
) -> list[SystemScores]:
    """Of each system; values are judges × systems × topics, the merged judges last."""
    of_systems = []
    for number, system in enumerate(systems):
        means = [mean(row) for row in values[:, number]]
        by_judge = dict(zip(judges, means, strict=False))
        under_merged = dict(zip(merged, means[len(judges) :], strict=True))
        of_systems.append(SystemScores.of(measure, system, by_judge, under_merged))
    return of_systems


_FEW = 5
"""Systems below which intervals of tau hold the truth clearly less often than they say."""


def notes_about(
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
        f"{shown(first)} and {shown(second)} have the same judgments"
        for first, second in combinations(judges, 2)
        if judges[first].digest == judges[second].digest
    ]
    if left_out:
        notes.append(
            f"{counted(len(left_out), 'topic does', 'topics do')} not count for some system under some judge: left out for all"
        )
    systems = len(next(iter(scored.values())))
    if 1 < systems < _FEW:
        notes.append(f"tau of {systems} systems has few values; its intervals are too short")
    return notes + _of_scores(scored)


def _topics(judges: Mapping[str, Judgments], topics: set[str]) -> list[str]:
    more = {shown(name): len(set(judgments.topics) - topics) for name, judgments in judges.items()}
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
    for name, scores in scored.items():
        for note in scores.notes:
            who.setdefault(note, []).append(shown(name))
    return [
        note if len(names) == len(scored) else f"under {', '.join(names)}: {note}"
        for note, names in who.items()
    ]
