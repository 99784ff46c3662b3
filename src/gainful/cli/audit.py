"""gainful audit: what a model's labels are worth beside people's judgments."""

from __future__ import annotations

from typing import Any

import click

from gainful.cli import say
from gainful.cli.commands import Counted, refuse_existing, refuse_one_file, refuse_two_inputs, screen, write
from gainful.cli.options import JUDGING, OutputFile, judging, output
from gainful.cli.options import names as names_option
from gainful.cli.options import wide as wide_option
from gainful.errors import UsageError

FORMATS = ("text", "markdown", "csv", "json", "html")
VIEWS = ("systems", "calibration", "widths")


@click.command("audit", short_help="Audit a model's relevance labels against people's judgments.")
@click.argument("qrels", metavar="QRELS")
@click.argument("labels", metavar="LABELS")
@click.argument("runs", metavar="[RUN...]", nargs=-1)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="Measures, comma-separated; may be repeated.  [default: nDCG@10]",
)
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Two systems, baseline first: what the model saves is said of these alone.  [default: every pair]",
)
@click.option(
    "--width",
    type=click.FloatRange(0, min_open=True),
    metavar="WIDTH",
    help="Say how many topics people must judge for a confidence interval of the difference this wide.",
)
@click.option(
    "--decide",
    is_flag=True,
    help="Say how many topics people must judge to decide the difference observed, with power 0.8.",
)
@click.option(
    "--families",
    metavar="FILE|names",
    help="Families of systems, for what the model does for each: a file with a system and its family on each line, or names "
    "for the beginnings of the systems' names, up to a hyphen, underscore, dot or slash.",
)
@click.option(
    "--documents",
    metavar="FILE",
    help="Texts of documents, for agreement by their length: JSON lines with id, title and text (or CSV, Parquet).",
)
@click.option("--common", is_flag=True, help="Score with documents alone that both judged.")
@click.option(
    "--chart",
    type=OutputFile(),
    metavar="FILE",
    help="Write the pictures (.svg, .png, .pdf, .html or .json).",
)
@click.option(
    "--view",
    type=click.Choice(VIEWS),
    help="Only this picture: people against model, grade by label, or width by people's topics.",
)
@click.option(
    "--resamples",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    default=10_000,
    show_default=True,
    help="Resamples of the topics, for intervals.",
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=0, show_default=True, help="Random seed."
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    default=0.95,
    show_default=True,
    help="Confidence of intervals.",
)
@output(FORMATS, note="csv and json have every topic, system and pair.")
@wide_option
@names_option
@judging(*JUDGING)
def command(
    qrels: str,
    labels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    compare: tuple[str, str] | None,
    width: float | None,
    decide: bool,
    families: str | None,
    documents: str | None,
    common: bool,
    chart: str | None,
    view: str | None,
    resamples: int,
    seed: int,
    confidence: float,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
    wide: bool,
    names: Any,
    **settings: Any,
) -> None:
    """Audit a model as a judge: how far it agrees with people, whom it favours, and how much judging it saves.

    QRELS are people's judgments, LABELS a model's, in any form that judgments have and on any scale. The model may have
    labelled more topics than people judged. With runs, systems are scored by both.

    \b
    gainful audit qrels.txt gpt.qrels
    gainful audit qrels.txt gpt.qrels bm25.run dense.run hybrid.run -m nDCG@10,AP
    gainful audit qrels.txt gpt.qrels *.run --compare bm25 dense --width 0.05 --decide
    gainful audit qrels.txt gpt.qrels *.run --chart audit.svg
    gainful audit qrels.txt gpt.qrels *.run --families families.csv --documents corpus.jsonl
    """
    refuse_two_inputs(qrels, labels, *runs, documents or "")
    refuse_one_file("output", output, chart=chart)
    refuse_existing(output, chart, overwrite=overwrite)
    if view and not chart:
        raise UsageError("--view chooses a picture of --chart; add --chart FILE.")
    if chart:
        from gainful.presentation.chart_files import check_suffix, ready

        check_suffix(chart)
        ready()
    if measures and not runs:
        raise UsageError("-m names measures of systems; give their runs too.")
    if view in ("systems", "widths") and not runs:
        raise UsageError(f"--view {view} shows systems; give their runs too.")
    from gainful.auditing import audit

    with Counted() as bar:
        made = audit(
            qrels,
            labels,
            list(runs) or None,
            list(measures) or "nDCG@10",
            compare=compare,
            width=width,
            decide=decide,
            common=common,
            documents=documents,
            families=families,
            resamples=resamples,
            seed=seed,
            confidence=confidence,
            names=names,
            progress=bar.tell,
            **settings,
        )
    text = made.view(form, places=places, screen=screen(output, wide=wide))
    if chart:
        from gainful.presentation.chart_files import check_suffix, rendered

        write(rendered(made.chart(view), check_suffix(chart)), chart)
    write(text, output)
    for note in made.notes:
        say(f"note: {note}")
