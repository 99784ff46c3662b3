"""What `gainful compare` adds to a comparison: readers, what moved, what is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.judging.settings import Settings

if TYPE_CHECKING:
    from gainful.cli.compare_loading import Loaded
    from gainful.cli.progress import Bar
    from gainful.comparisons import Comparison
    from gainful.comparisons.readers import Readers
    from gainful.comparisons.sections import Section

SECTIONS = ("readers", "moved", "unknown")


@dataclass(frozen=True)
class Wanted:
    """What is asked of the sections.

    sections   their names, in the order in which they stand
    rows       topics and documents that are listed
    to         last rank that --unknown looks at; None is the measure's cutoff, or 100
    by         sweeps of readers; empty is all
    by_rank    what readers get who stop at a rank; None is P
    resamples  of the bands of readers; None is their default
    chart      where readers are drawn
    settings   how runs were judged
    """

    sections: tuple[str, ...]
    places: int
    rows: int
    to: int | None
    by: tuple[str, ...]
    by_rank: str | None
    resamples: int | None
    chart: str | None
    settings: Mapping[str, Any]


def sections_of(made: Comparison, given: Loaded, wanted: Wanted, bar: Bar) -> list[Section]:
    """Those asked for, in order."""
    makers = {"readers": _readers, "moved": _moved, "unknown": _unknown}
    return [makers[name](made, given, wanted, bar) for name in wanted.sections]


def together(main: str, added: list[Section], form: str) -> str:
    """The comparison and what was added to it, in one text; csv, which holds one table, has that alone."""
    if not added:
        return main
    if form == "csv":
        return added[0].text(form)
    if form == "json":
        import msgspec

        from gainful.presentation.table import as_json

        held = msgspec.json.decode(main)
        for one in added:
            held |= one.held
        return as_json(held)
    return "\n".join([main, *(one.text(form) for one in added)])


def _moved(made: Comparison, given: Loaded, wanted: Wanted, _bar: Bar) -> Section:
    """Topics that moved most, and documents where there are runs."""
    from gainful.comparisons.topic_changes import credited, moved
    from gainful.comparisons.topic_tables import of_moved

    found = moved(made, number=wanted.rows)
    notes: tuple[str, ...] = ()
    if given.runs and given.judgments is not None:
        found = credited(found, given.judgments, given.runs, made.table.names, _judged_by(made))
    else:
        notes = ("--moved names documents where judgments and runs are given; these are scores alone",)
    return of_moved(found, made.table, places=wanted.places, notes=notes)


def _unknown(made: Comparison, given: Loaded, wanted: Wanted, _bar: Bar) -> Section:
    """Bounds, reversals and ties."""
    from gainful.comparisons.unjudged import gather, unknown_of
    from gainful.comparisons.unjudged.unknown_results import of_unknown
    from gainful.comparisons.unjudged.value_bounds import depth_of

    judgments, runs, measures = given.lists("--unknown")
    deepest = max(depth_of(measure, wanted.to) for measure in measures)
    evidence = gather(judgments, runs, _judged_by(made), names=made.table.names, depth=deepest)
    found = unknown_of(made, evidence, measures, depth=wanted.to, first=wanted.rows)
    return of_unknown(found, places=wanted.places)


def _readers(made: Comparison, given: Loaded, wanted: Wanted, bar: Bar) -> Section:
    """For which readers each is better; and the same for each group of topics."""
    from gainful.comparisons.readers import BY, sweep
    from gainful.comparisons.readers.reader_sweeps import MEASURE
    from gainful.comparisons.readers.reader_tables import readers_section

    judgments, runs, _ = given.lists("--readers")
    named = dict(zip(made.table.names, runs, strict=True))
    method = made.method

    def swept(topics: Any) -> Readers:
        return sweep(
            judgments,
            named,
            wanted.by or BY,
            measure=wanted.by_rank or MEASURE,
            baseline=method.baseline,
            level=method.confidence,
            seed=method.seed,
            progress=bar.tell,
            **({} if wanted.resamples is None else {"resamples": wanted.resamples}),
            **(dict(wanted.settings) | {"topics": topics}),
        )

    whole = swept(wanted.settings["topics"])
    parts = {} if made.groups is None else made.groups.parts
    by_group = {group: swept(list(part.table.topics)) for group, part in parts.items()}
    if wanted.chart:
        _draw(whole, wanted.chart)
    return readers_section(whole, places=wanted.places, by_group=by_group)


def _draw(readers: Readers, path: str) -> None:
    from gainful.cli.output import write
    from gainful.comparisons.readers.reader_chart import reader_spec
    from gainful.presentation.chart_files import check_suffix, rendered

    write(rendered(reader_spec(readers), check_suffix(path)), path)


def _judged_by(made: Comparison) -> Settings:
    from gainful.comparisons.score_table import settings_of

    return settings_of(made.table) or Settings()
