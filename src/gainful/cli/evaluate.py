"""gainful evaluate: scores of runs against judgments."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gainful.cli.options import said_of_users, users
from gainful.cli.output import OutputFile, write
from gainful.cli.progress import Bar
from gainful.cli.told import by_of, told_apart
from gainful.errors import UsageError
from gainful.formats.judgments import read_qrels
from gainful.formats.kinds import By
from gainful.formats.layouts import NAMES
from gainful.formats.runs import Queue, Run, runs_of
from gainful.judging.settings import CHOICES, Settings

_Command = TypeVar("_Command", bound=Callable[..., Any])

FORMATS = ("table", "trec", "csv", "json", "jsonl", "markdown", "latex", "parquet")


def _choice(name: str, text: str) -> Callable[[_Command], _Command]:
    return click.option(
        f"--{name}", type=click.Choice(CHOICES[name]), default=CHOICES[name][0], show_default=True, help=text
    )


@click.command("evaluate", short_help="Score runs against judgments.")
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="What to measure; takes commas and repeats. See `gainful measures`.",
)
@click.option("-q", "--per-topic", is_flag=True, help="Each topic's values too.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="trec is trec_eval's own layout and names.",
)
@click.option("-o", "--output", type=OutputFile(), help="Write here; the file appears whole or not at all.")
@click.option("--overwrite", is_flag=True, help="Replace the output file if it is there.")
@_choice("ties", "Equal scores: by document id descending, in the order given, best or worst for the reader.")
@_choice("missing", "A judged topic that the run lacks: an empty list, or left out.")
@_choice("undefined", "A topic with nothing to find: the measure's declared value, or left out.")
@_choice("unjudged", "A document without judgment: not relevant, or removed before ranking.")
@_choice("duplicates", "A document twice in a topic.")
@click.option(
    "--rel",
    type=float,
    metavar="N",
    help="Lowest grade that is relevant, for measures that do not say.  [default: 1]",
)
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N", help="Count only the first N ranks of each list."
)
@click.option(
    "--topics", metavar="FILE|LIST", help="Only these topics: a file with one a line, or a list with commas."
)
@click.option(
    "--drop-self", is_flag=True, help="Take out documents with the id of their topic, as BEIR does."
)
@users
@told_apart
@click.option(
    "--qrels-format", type=click.Choice(NAMES), help="Layout of QRELS.  [default: told from its content]"
)
@click.option(
    "--run-format", type=click.Choice(NAMES), help="Layout of every RUN.  [default: told from its content]"
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many may read at once.  [default: all cores]",
)
@click.option(
    "--places",
    type=click.IntRange(0, 17),
    metavar="N",
    default=4,
    show_default=True,
    help="Decimals in table and trec; csv and json have all.",
)
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    form: str,
    output: str | None,
    overwrite: bool,
    topics: str | None,
    known: tuple[str, ...],
    expected: str | None,
    qrels_by: By | None,
    qrels_format: str | None,
    run_format: str | None,
    threads: int | None,
    places: int,
    **settings: Any,
) -> None:
    """Score runs against judgments.

    QRELS and RUN are files in TREC format, CSV or TSV with names, JSON, JSON lines or Parquet, MS MARCO's three
    columns or BEIR's; plain or compressed (gz, bz2, xz, zst, lz4); - is standard input. QRELS may be irds:ID for the
    judgments of a collection that ir_datasets knows.

    \b
    gainful evaluate qrels.txt bm25.run
    gainful evaluate qrels.txt *.run -m nDCG@10,AP,RR
    gainful evaluate qrels.txt bm25.run -m 'nDCG(gain=exp)@10' -m AP@100 -q
    gainful evaluate qrels.txt bm25.run --rel 2 -f json -o scores.json
    zcat bm25.run.gz | gainful evaluate qrels.txt - -m official -f trec
    """
    if [qrels, *runs].count("-") > 1:
        raise UsageError("standard input can be read once only; - stands more than once.")
    if output and not overwrite and Path(output).exists():
        raise UsageError(f"{output} is there already; choose another name, or replace it with --overwrite.")
    chosen = Settings(**settings)
    # NumPy, once imported, starts threads of its own; the core has begun to read by then and shares the time it takes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    judgments = read_qrels(
        qrels,
        by=by_of(measures, qrels_by),
        layout=qrels_format,
        duplicates=chosen.duplicates,
        threads=threads,
    )
    queue = Queue(
        judgments,
        runs_of([Run(run, layout=run_format) for run in runs]),
        ties=chosen.order,
        duplicates=chosen.duplicates,
        threads=threads,
        drop_self=chosen.drop_self,
    )

    from gainful.cli.views import VIEWS
    from gainful.scores import DEFAULT, score

    with Bar() as bar:
        scores = score(
            judgments,
            queue,
            list(measures) or DEFAULT,
            chosen,
            topics=topics,
            **said_of_users(known, expected),
            progress=bar.tell,
        )
    write(VIEWS[form](scores, per_topic=per_topic, places=places), output)
    for note in scores.notes:
        click.echo(f"note: {note}", err=True)
    if form in ("trec", "csv") and not output:
        click.echo(f"settings: {chosen.stated()}", err=True)
