"""gainful report: one page that a team can read, send and keep."""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from gainful.cli import say
from gainful.cli.commands import Counted, refuse_existing, refuse_two_inputs, write
from gainful.cli.options import (
    JUDGING,
    OR_CONFIG,
    config,
    designs,
    judging,
    output,
    statistics_options,
    texts,
    was_said,
)
from gainful.cli.options import names as name_options
from gainful.errors import UsageError
from gainful.formats.runs import Names

FORMATS = ("html", "json", "text", "markdown", "latex")


@click.command("report", short_help="Write one HTML page with scores, tests, curves and ranked lists.")
@click.argument("qrels", metavar="[QRELS]", required=False)
@click.argument("runs", metavar="[RUN...]", nargs=-1)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="Measures, comma-separated; may be repeated. The first one orders the systems.",
)
@click.option("--filter", "simulation", metavar="FILE", help="Output of `gainful filter simulate -f json`.")
@click.option(
    "--against",
    metavar="DIALECT",
    help="Set the number of another tool beside ours, and show what each convention contributes to the difference.",
)
@texts()
@click.option(
    "--shown",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of documents shown of each list.  [default: 50, fewer if there are very many lists]",
)
@click.option(
    "--figures",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Write every chart as SVG, PDF and PNG and every table as CSV and LaTeX into this folder too.",
)
@click.option(
    "--title", metavar="TEXT", help="Title of the page.  [default: the systems and the number of topics]"
)
@output(FORMATS, note="html is one self-contained file.")
@statistics_options("baseline", "test", "interval", "correction", "alpha", "seed", "matters")
@judging(*JUDGING)
@click.option(
    "--topics",
    metavar="FILE|LIST",
    help="Only these topics: a file with one per line, or a comma-separated list.",
)
@name_options
@designs
@config("report")
def command(
    qrels: str | None,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    simulation: str | None,
    against: str | None,
    queries: str | None,
    documents: str | None,
    shown: int | None,
    figures: str | None,
    title: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
    topics: str | None,
    names: Names | None,
    design: str | None,
    estimator: str,
    model_qrels: tuple[str, ...],
    config: str | None,  # noqa: ARG001 (it has set the defaults)
    **options: Any,
) -> None:
    """Write one HTML page that compares runs: scores, significance tests, curves, readers, topics and ranked lists.

    The page is self-contained: it needs no server and no network, can be printed, and works without JavaScript.
    With --filter it shows a filter simulation, alone or in addition to runs.
    QRELS, RUN and most options can be set in [tool.gainful] and [tool.gainful.report] tables in pyproject.toml, or in
    gainful.toml; then no argument is needed. The baseline and candidate of `gainful gate` are compared if no runs are named.

    \b
    gainful report qrels.txt bm25.run dense.run -o report.html
    gainful report qrels.txt *.run -m nDCG@10,AP --baseline bm25 -o report.html
    gainful report qrels.txt *.run --queries queries.tsv --documents docs.jsonl
    gainful report qrels.txt *.run --figures figures -o report.html
    gainful report qrels.txt *.run --against beir -o report.html
    gainful report study/judgments.qrels a.run b.run --design study -m DCG@10 -o report.html
    gainful report people.qrels a.run b.run --model-qrels labels.qrels -o report.html
    gainful report --filter simulation.json -o filter.html
    gainful report -o report.html                    the rest is in pyproject.toml
    gainful report qrels.txt *.run -f markdown
    """
    if simulation is not None and not was_said(
        "qrels"
    ):  # a file of options does not add runs to a simulation
        qrels, runs = None, ()
    if qrels is None and simulation is None:
        raise UsageError(
            f"a report needs judgments and runs: gainful report QRELS RUN..., {OR_CONFIG}; or a simulation (--filter FILE)."
        )
    if qrels is not None and not runs:
        raise UsageError(f"no run is given, only the judgments {qrels}: gainful report QRELS RUN...")
    refuse_two_inputs(qrels or "", *runs, queries or "", documents or "", simulation or "")
    refuse_existing(output, overwrite=overwrite)
    if form == "html" and output is None and sys.stdout.isatty():
        raise UsageError(
            "HTML is not printed to a terminal; name a file with -o, for example -o report.html."
        )
    _refuse_folder(figures)
    from gainful.comparisons import Method
    from gainful.presentation.chart_painter import Painter
    from gainful.reports import report
    from gainful.reports.html_page import ready
    from gainful.reports.report_document import refuse_replacing

    if form == "html" or figures:
        ready()
    if figures:
        refuse_replacing(figures, overwrite=overwrite)
    conventions: dict[str, Any] = {name: options.pop(name) for name in JUDGING}
    conventions |= {"measures": list(measures)} if measures else {}
    with Counted() as bar, Painter() if form == "html" else nullcontext() as painter:
        page = report(
            qrels,
            list(runs) or None,
            simulation=simulation,
            queries=queries,
            documents=documents,
            shown=shown,
            method=Method(**options),
            against=against,
            topics=topics,
            names=names,
            design=design,
            estimator=estimator,
            model_qrels=list(model_qrels) or None,
            title=title,
            command=_as_typed(click.get_current_context()),
            progress=bar.tell,
            **conventions,
        )
        content = page.view(form, places=places, progress=bar.tell, painter=painter)
        written = page.figures(figures, overwrite=overwrite, progress=bar.tell) if figures else []
    write(content, output)
    if written:
        say(f"{len(written)} figures and tables are in {figures}.")
    if "topics" in page and (texts := page["topics"].results.of_runs.texts) is not None:
        for note in texts.notes:
            say(f"note: {note}")
    if output:
        say(f"The report is in {output}.")


def _refuse_folder(folder: str | None) -> None:
    """Raise, before any work is done, where the folder cannot be made."""
    if folder and not Path(folder).is_dir() and not Path(folder).parent.is_dir():
        raise UsageError(f"there is no folder {Path(folder).parent} to make {folder} in; create it first.")


def _as_typed(ctx: click.Context) -> str:
    """The command as it was given, for the page to state; what was left at its default is left out."""
    words = ["gainful", "report"]
    arguments: list[str] = []
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        if ctx.get_parameter_source(parameter.name or "") is not ParameterSource.COMMANDLINE or value is None:
            continue
        values = [str(text) for text in value] if isinstance(value, tuple) else [str(value)]
        if isinstance(parameter, click.Argument):
            arguments += values
        elif isinstance(value, bool):
            words.append(parameter.opts[-1])
        else:
            words += [part for text in values for part in (parameter.opts[-1], text)]
    return shlex.join([*words[:2], *arguments, *words[2:]])
