"""What `gainful compare` adds to a comparison: readers, what moved, what is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.errors import UsageError
from gainful.formats.ids import shown
from gainful.judging.settings import Settings

if TYPE_CHECKING:
    from gainful.cli.compare_loading import Loaded
    from gainful.cli.progress import Bar
    from gainful.comparisons import Comparison
    from gainful.comparisons.readers import Readers
    from gainful.comparisons.sections import Section


@dataclass(frozen=True)
class Added:
    """One of them: its text, and its part of the JSON."""

    option: str
    text: str
    held: dict[str, Any]
    notes: tuple[str, ...] = ()


def moved_section(made: Comparison, given: Loaded, rows: int, form: str, places: int) -> Added:
    """Topics that moved most, and documents where there are runs."""
    from gainful.comparisons.moving import credited, moved
    from gainful.comparisons.tables import settings_of
    from gainful.comparisons.views_moved import of_moved

    found = moved(made, number=rows)
    notes: tuple[str, ...] = ()
    if given.runs and given.judgments is not None:
        found = credited(
            found,
            given.judgments,
            given.runs,
            made.table.names,
            given.measures,
            settings_of(made.table) or Settings(),
        )
    else:
        notes = ("--moved names documents where judgments and runs are given; these are scores alone",)
    return _added("--moved", of_moved(found, made.table, places=places), form, notes)


def unknown_section(
    made: Comparison, given: Loaded, depth: int | None, rows: int, form: str, places: int
) -> Added:
    """Bounds, reversals and ties."""
    from gainful.comparisons.bounds import depth_of
    from gainful.comparisons.evidence import gather
    from gainful.comparisons.not_known import unknown_of
    from gainful.comparisons.tables import settings_of
    from gainful.comparisons.views_unknown import of_unknown

    judgments, runs, measures = given.lists("--unknown")
    how = settings_of(made.table) or Settings()
    deepest = max(depth_of(measure, depth) for measure in measures)
    evidence = gather(judgments, runs, how, names=made.table.names, depth=deepest)
    found = unknown_of(made, evidence, measures, depth=depth, first=rows)
    return _added("--unknown", of_unknown(found, places=places), form, found.notes)


def readers_section(
    made: Comparison,
    given: Loaded,
    by: Sequence[str],
    settings: dict[str, Any],
    form: str,
    places: int,
    chart: str | None,
    resamples: int | None,
    bar: Bar,
) -> Added:
    """For which readers each is better; and the same for each group of topics.

    resamples  None is the default of readers
    """
    from gainful.cli.output import write
    from gainful.comparisons.readers import BY, sweep
    from gainful.comparisons.readers.bands import RESAMPLES
    from gainful.comparisons.readers.views import of_readers
    from gainful.comparisons.views import heading

    if made.table.weights is not None:
        raise UsageError("--readers does not take weights; leave --weights out, or ask for it by itself.")
    judgments, runs, _ = given.lists("--readers")
    named = dict(zip(made.table.names, runs, strict=True))
    method = made.method

    def swept(topics: Any) -> Readers:
        return sweep(
            judgments,
            named,
            tuple(by) or BY,
            baseline=method.baseline,
            level=method.confidence,
            resamples=RESAMPLES if resamples is None else resamples,
            seed=method.seed,
            progress=bar.tell,
            **(settings | {"topics": topics}),
        )

    whole = swept(settings["topics"])
    if chart:
        from gainful.comparisons.readers import charts
        from gainful.curves.charts import rendered
        from gainful.curves.suffixes import check_suffix

        write(rendered(charts.chart(whole), check_suffix(chart)), chart)
    parts = {} if made.groups is None else made.groups.parts
    by_group = {group: swept(list(part.table.topics)) for group, part in parts.items()}
    text = of_readers(whole, form, places=places)
    for group, found in by_group.items():
        if form in ("table", "markdown"):
            text += f"\n{heading(f'group {shown(group)}', form)}\n\n" + of_readers(found, form, places=places)
    if form in ("table", "markdown"):
        text = ("## Readers\n\n" if form == "markdown" else "READERS\n\n") + text
    everything = whole.to_dict()
    held = {name: everything[name] for name in ("crossovers", "sweeps", "sentences", "headlines")}
    if by_group:
        held["crossovers_by_group"] = {
            shown(group): [one.to_dict() for one in found.crossovers] for group, found in by_group.items()
        }
    return Added("--readers", text, held, whole.notes)


def together(main: str, added: Sequence[Added], form: str) -> str:
    """The comparison and what was added to it, in one text."""
    if not added:
        return main
    if form == "csv":
        if len(added) > 1:
            names = " and ".join(one.option for one in added)
            raise UsageError(f"csv holds one table; ask for {names} one at a time, or for -f json.")
        return added[0].text
    if form == "json":
        import msgspec

        from gainful.comparisons.views import as_json

        held = msgspec.json.decode(main)
        for one in added:
            held |= one.held
        return as_json(held)
    return "\n".join([main, *(one.text for one in added)])


def _added(option: str, section: Section, form: str, notes: tuple[str, ...]) -> Added:
    text = "" if form == "json" else section.text(form)
    return Added(option, text, {section.key: section.held}, notes)
