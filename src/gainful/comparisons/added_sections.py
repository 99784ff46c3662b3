"""What may be added to a comparison of runs: for which readers, what changed, what is not known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gainful.comparisons.compare_call import Inputs
from gainful.comparisons.comparison import Comparison
from gainful.comparisons.readers import BY, Readers, sweep, sweep_scores
from gainful.comparisons.readers.reader_sweeps import MEASURE
from gainful.comparisons.readers.reader_tables import readers_section
from gainful.comparisons.result_section import Section
from gainful.comparisons.topic_changes import credited, moved
from gainful.comparisons.topic_tables import of_moved
from gainful.comparisons.unjudged import gather, unknown_of
from gainful.comparisons.unjudged.unknown_results import of_unknown
from gainful.comparisons.unjudged.value_bounds import depth_of
from gainful.statistics.resampling import BAND_RESAMPLES, Progress


@dataclass(frozen=True, eq=False)
class AddedSections:
    """Makes the sections of one comparison from the runs in memory; no file is opened again.

    inputs    what was compared, runs and judgments in memory
    places    decimals for people
    rows      topics and documents that are listed
    progress  is told how far resampling has come
    """

    comparison: Comparison
    inputs: Inputs
    places: int = 4
    rows: int = 5
    progress: Progress | None = None

    def changed(self) -> Section:
        """Topics that gained and lost most, and documents where there are runs."""
        pairs = moved(self.comparison, number=self.rows)
        notes: tuple[str, ...] = ()
        if self.inputs.scores is not None and self.inputs.judgments is not None and not self.inputs.saved:
            judgments, runs, scores = self.inputs.lists("--moved")
            pairs = credited(pairs, judgments, runs, self.comparison.table.names, scores.settings)
        else:
            notes = ("--moved names documents where judgments and runs are given; these are scores alone",)
        return of_moved(pairs, self.comparison.table, places=self.places, notes=notes)

    def unknown(self, *, depth: int | None = None) -> Section:
        """Bounds, reversals and ties; documents down to this rank are open."""
        judgments, runs, scores = self.inputs.lists("--unknown")
        deepest = max(depth_of(measure, depth) for measure in scores.measures)
        evidence = gather(judgments, runs, scores.settings, names=self.comparison.table.names, depth=deepest)
        found = unknown_of(self.comparison, evidence, scores.measures, depth=depth, first=self.rows)
        return of_unknown(found, places=self.places)

    def readers(
        self, *, by: tuple[str, ...] = (), measure: str | None = None, resamples: int | None = None
    ) -> tuple[Section, Readers]:
        """For which readers each is better, and within each group of topics; and the result behind the section."""
        judgments, runs, scores = self.inputs.lists("--readers")
        names, method = self.comparison.table.names, self.comparison.method
        options: dict[str, Any] = {
            "measure": measure or MEASURE,
            "baseline": method.baseline,
            "level": method.confidence,
            "seed": method.seed,
            "resamples": resamples or BAND_RESAMPLES,
            "progress": self.progress,
        }
        named = zip(scores.runs, names, strict=True)
        scores = replace(scores, runs=tuple(replace(run, name=name) for run, name in named))
        readers = sweep_scores(scores, by or BY, **options)
        by_group: dict[str, Readers] = {}
        for group, part in (self.comparison.groups.parts if self.comparison.groups else {}).items():
            held = dict(zip(names, runs, strict=True))
            kept = {"topics": list(part.table.topics)} | scores.settings.to_dict()
            by_group[group] = sweep(judgments, held, by or BY, **options, **kept)
        return readers_section(readers, places=self.places, by_group=by_group), readers
