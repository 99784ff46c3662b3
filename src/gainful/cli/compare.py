"""gainful compare: which of two or more systems is better, for whom, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from gainful.cli import say
from gainful.cli.commands import (
    Bar,
    Counted,
    refuse_existing,
    refuse_one_file,
    refuse_two_inputs,
    screen,
    write,
)
from gainful.cli.compare_options import (
    SECTIONS,
    CompareCommand,
    change_options,
    compared,
    judge_options,
    reader_options,
    refuse,
    statistics,
)
from gainful.cli.options import JUDGING, designs, judging, scope, was_said
from gainful.cli.options import names as name_options
from gainful.cli.options import output as output_options
from gainful.cli.options import wide as wide_option
from gainful.errors import UsageError
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.comparisons import Comparison, ScoreTable
    from gainful.comparisons.compare_call import Inputs
    from gainful.comparisons.readers import Readers
    from gainful.comparisons.verdict import Verdict
    from gainful.presentation.page import OutputSection

FORMATS = ("table", "csv", "json", "markdown", "latex", "html")


@click.command("compare", cls=CompareCommand, short_help="Compare systems with significance tests.")
@click.argument("inputs", metavar="QRELS RUN RUN... | TABLE...", nargs=-1, required=True)
@compared
@reader_options
@change_options
@judge_options
@statistics
@output_options(FORMATS, note="html is for --paper.")
@wide_option
@judging(*JUDGING)
@scope
@name_options
@designs
def command(
    inputs: tuple[str, ...],
    qrels: tuple[str, ...],
    measures: tuple[str, ...],
    form: str,
    output: str | None,
    overwrite: bool,
    chart: str | None,
    **options: Any,
) -> None:
    """Compare two or more systems: differences, confidence intervals and significance tests.

    Systems are runs, which are scored with the judgments QRELS, or results saved by `gainful evaluate -q -f json`.
    TABLE is a table of scores without judgments: CSV with a row for each topic and a column for each system,
    or with columns named system, topic and score (and measure); or a saved result. Topics are paired by id.

    \b
    gainful compare qrels.txt bm25.run dense.run -m nDCG@10,AP
    gainful compare qrels.txt *.run --baseline bm25
    gainful compare qrels.txt *.run -m AP --correction tukey -f latex
    gainful compare qrels.txt bm25.run dense.run -m nDCG@10,AP --paper -f latex -o table.tex
    gainful compare qrels.txt a.run b.run --readers --chart readers.svg
    gainful compare qrels.txt a.run b.run --moved --unknown
    gainful compare qrels.txt a.run b.run --moved --queries queries.tsv --documents docs.jsonl
    gainful compare qrels.txt a.run b.run --groups groups.tsv --weights traffic.tsv
    gainful compare a.run b.run --qrels ann.qrels --qrels ben.qrels
    gainful compare qrels.txt a.run b.run --wide     every column and a sentence for each pair
    gainful compare study/judgments.qrels a.run b.run --design study
    gainful compare people.qrels a.run b.run --model-qrels labels.qrels
    gainful compare scores.csv                       letters and rank intervals
    gainful compare scores.csv --view components     does the ranking generalise to other topics?
    gainful compare qrels.txt saved.json new.run -f json -o comparison.json
    """
    refuse_one_file("output", output, chart=chart)
    refuse_existing(output, chart, overwrite=overwrite)
    refuse_two_inputs(*qrels, *inputs, options["queries"] or "", options["documents"] or "")
    options["screen"] = screen(output, wide=options.pop("wide"))
    under_judges = len(qrels) > 1 or options["judge_column"]
    refuse(options, form, chart, under_judges=under_judges)
    settings = {name: options.pop(name) for name in (*JUDGING, "topics", "threads", "names")}
    estimating = {name: options.pop(name) for name in ("design", "estimator")}
    estimating["model_qrels"] = list(options.pop("model_qrels")) or None
    given_texts = {name: options.pop(name) for name in ("queries", "documents")}
    for name in ("design", "model_qrels"):
        if under_judges and estimating[name] is not None:
            raise UsageError(
                f"--{name.replace('_', '-')} goes with the judgments of one QRELS; leave it out, or give one."
            )
    if under_judges:
        text, notes = _under_judges(qrels, inputs, measures, settings, form, options)
        closing = ""
    else:
        text, notes, closing = _compared(
            [*qrels, *inputs], measures, settings | given_texts | estimating, form, chart, options
        )
    write(text, output)
    from gainful.judging.notes import grouped

    for note in grouped(notes):
        say(f"note: {note}")
    if form == "csv" and not output and closing:
        say(f"settings: {closing}")


def _under_judges(
    qrels: Sequence[str],
    inputs: Sequence[str],
    measures: Sequence[str],
    settings: dict[str, Any],
    form: str,
    options: dict[str, Any],
) -> tuple[str, list[str]]:
    """Scores under each judge, their agreement, and whether the order of runs survives; and notes."""
    from gainful.comparisons.judges import compare_judges
    from gainful.comparisons.judges.judge_tables import of_judges
    from gainful.comparisons.method import LEAD
    from gainful.formats.runs import runs_of

    names = settings.pop("names")
    if not qrels:
        qrels, inputs = inputs[:1], inputs[1:]
    if not inputs:
        raise UsageError(
            "no run is given; with --qrels all inputs are runs: gainful compare RUN RUN --qrels A --qrels B"
        )
    with Counted() as bar:
        judges = compare_judges(
            list(qrels) if len(qrels) > 1 else qrels[0],
            runs_of(list(inputs), names),
            ",".join(measures) or LEAD,
            merge=tuple(options["merge"]),
            documents="common" if options["common"] else "all",
            resamples=options["resamples"],
            seed=options["seed"],
            confidence=1 - options["alpha"],
            progress=bar.tell,
            **settings,
        )
    return of_judges(judges, form, places=options["places"]), list(judges.notes)


def _compared(
    inputs: Sequence[str],
    measures: Sequence[str],
    settings: dict[str, Any],
    form: str,
    chart: str | None,
    options: dict[str, Any],
) -> tuple[str, list[str], str]:
    """The text, the notes, and how it was made."""
    from gainful.comparisons import Method, compare_scores, comparison_tables
    from gainful.comparisons.board_tables import paper_method
    from gainful.comparisons.groups import grouped, read_groups
    from gainful.comparisons.topic_attributes import read_weights
    from gainful.comparisons.verdict import verdict_of
    from gainful.presentation.page import together

    wanted = [name for name in SECTIONS if options[name]]
    method = Method(**{name: options[name] for name in Method.__dataclass_fields__})
    weights = None if options["weights"] is None else read_weights(options["weights"])
    with Bar() as bar:
        given = _loaded(inputs, measures, settings, bar, hold=not {"readers", "unknown"}.isdisjoint(wanted))
    table = given.table if weights is None else given.table.weighted(weights)
    with Counted() as bar:
        groups = None if options["groups"] is None else read_groups(options["groups"])
        if options["view"] == "components":
            return _components(table, groups, options["target"], form), list(table.notes), ""
        if options["view"] == "topics":
            topics = _topics(table, groups, form, options["places"])
            return topics, [*table.notes, *_texts_noted(table)], ""
        if options["paper"]:
            method = paper_method(method, table.names, letters=options["letters"])
            comparison = compare_scores(table, method, progress=bar.tell)
            paper = comparison.paper(form, places=options["places"], letters=options["letters"])
            return paper, list(comparison.notes), ""
        comparison = compare_scores(table, method, progress=bar.tell)
        if groups is not None:
            comparison = grouped(comparison, groups, progress=bar.tell)
        sections, readers = _sections(comparison, given, wanted, chart, options, bar)
        main = _main(comparison, verdict_of(comparison, readers=readers), form, options, bar)
    notes = [*comparison.notes, *(note for section in sections for note in section.notes)]
    notes += _texts_noted(table)
    how = (
        method.stated()
        if given.table.qrels is None or not given.table.qrels.get("models")
        else [comparison.stated()]
    )
    closing = "; ".join(how) + comparison_tables.evaluated(table)
    return together(main, sections, form, options["screen"]), notes, closing


def _texts_noted(table: ScoreTable) -> list[str]:
    return [] if table.texts is None else table.texts.notes


def _loaded(
    inputs: Sequence[str], measures: Sequence[str], settings: dict[str, Any], bar: Bar, *, hold: bool
) -> Inputs:
    """The scores, and the runs behind them where there are any; with `hold`, or if they are small, these are in memory.

    Each file is opened once; the first is judgments as soon as another is a run.
    """
    from gainful.comparisons.compare_call import Inputs, are_small, load, load_saved
    from gainful.comparisons.method import LEAD
    from gainful.comparisons.saved_scores import read_input, read_inputs
    from gainful.comparisons.score_table import ScoreTable
    from gainful.formats.runs import runs_of

    qrels, *paths = inputs
    given = read_inputs(paths, hold=hold or are_small(paths))
    if all(isinstance(table_or_run, ScoreTable) for table_or_run in given):
        first = read_input(qrels)
        if isinstance(first, ScoreTable):
            _refuse_judging()
            tables = [
                first,
                *(table_or_run for table_or_run in given if isinstance(table_or_run, ScoreTable)),
            ]
            names = list(map(shown, inputs))
            more = {name: settings[name] for name in ("topics", "queries", "documents")}
            table = load_saved(tables, ",".join(measures) or None, names=names, **more)
            return Inputs(table, saved=tuple(names))
    if not given:
        raise UsageError(
            "one file is not enough: give judgments and two runs (QRELS RUN RUN), or a table of scores."
        )
    if len(given) == 1 and not isinstance(given[0], ScoreTable):
        raise UsageError(
            f"only one run is given ({paths[0]}); a comparison needs two or more: gainful compare QRELS RUN RUN"
        )
    if not any(isinstance(table_or_run, ScoreTable) for table_or_run in given):
        given = [*runs_of(given, settings["names"])]
    return load(
        qrels,
        given,
        ",".join(measures) or LEAD,
        labels=list(map(shown, paths)),
        progress=bar.tell,
        **settings,
    )


def _refuse_judging() -> None:
    """Raise where an option says how runs are judged, and there are none."""
    for name in JUDGING:
        if was_said(name):
            raise UsageError(
                f"--{name.replace('_', '-')} applies to runs; these are scores already, so it would have no effect."
            )


def _sections(
    comparison: Comparison,
    given: Inputs,
    wanted: Sequence[str],
    chart: str | None,
    options: dict[str, Any],
    bar: Bar,
) -> tuple[list[OutputSection], Readers | None]:
    """The sections asked for, in order, and the readers if they are among them, drawn where a chart is asked for."""
    places, rows = options["places"], options["rows"]
    sections: list[OutputSection] = []
    readers = None
    if "readers" in wanted:
        from gainful.comparisons.readers.reader_sweeps import sweep_comparison
        from gainful.comparisons.readers.reader_text import readers_section

        resamples = options["resamples"] if was_said("resamples") else None
        asked = {"by": options["by"], "measure": options["by_rank"], "resamples": resamples}
        readers, by_group = sweep_comparison(comparison, given, **asked, progress=bar.tell)
        sections.append(readers_section(readers, places=places, by_group=by_group))
        if chart:
            _draw(readers, chart)
    if "moved" in wanted:
        from gainful.comparisons.topic_tables import moved_section

        sections.append(moved_section(comparison, places=places, rows=rows))
    if "unknown" in wanted:
        from gainful.comparisons.unjudged.unknown import unknown_section

        sections.append(unknown_section(comparison, given, depth=options["to"], places=places, rows=rows))
    return sections, readers


def _draw(readers: Readers, path: str) -> None:
    from gainful.comparisons.readers.reader_chart import reader_spec
    from gainful.presentation.chart_files import check_suffix, rendered

    write(rendered(reader_spec(readers), check_suffix(path)), path)


def _main(comparison: Comparison, verdict: Verdict, form: str, options: dict[str, Any], bar: Bar) -> str:
    """The verdict, then pairs or leaderboards."""
    from gainful.comparisons import comparison_tables
    from gainful.comparisons.board_tables import of_boards
    from gainful.comparisons.rank_board import leaderboards

    table, view, places = comparison.table, options["view"], options["places"]
    two = comparison.method.baseline is not None or len(table.systems) == 2
    if view == "pairs" or (view is None and two):
        return comparison_tables.of_pairs(
            comparison, form, places=places, verdict=verdict, screen=options["screen"]
        )
    parts = {} if comparison.groups is None else comparison.groups.parts
    boards, *others = (
        leaderboards(part, table.measures, progress=bar.tell) for part in (comparison, *parts.values())
    )
    return of_boards(
        comparison,
        boards,
        form,
        places=places,
        letters=options["letters"] or None,
        by_group=dict(zip(parts, others, strict=True)),
        verdict=verdict,
        screen=options["screen"],
    )


def _components(table: ScoreTable, groups: dict[str, str] | None, target: float, form: str) -> str:
    from gainful.comparisons.comparison_tables import of_components
    from gainful.comparisons.groups import members_of
    from gainful.statistics.anova import components

    def analyses(part: ScoreTable) -> list[Any]:
        return [
            components(part.of(measure)[0], measure=str(measure), target=target) for measure in part.measures
        ]

    members = {} if groups is None else members_of(table, groups)[0]
    by_group = {
        group: analyses(table.only(set(topics))) for group, topics in members.items() if len(topics) > 1
    }
    return of_components(table, analyses(table), form, by_group=by_group)


def _topics(table: ScoreTable, groups: dict[str, str] | None, form: str, places: int) -> str:
    from gainful.comparisons import difficulty
    from gainful.comparisons.topic_tables import of_topics

    return of_topics(difficulty(table), table, places=places, groups=groups or {}).text(form)
