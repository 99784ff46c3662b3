"""gainful check: what is wrong with judgments and runs, before any number is made of them."""

from __future__ import annotations

import click

from gainful.cli import say
from gainful.cli.commands import Bar, refuse_existing, refuse_two_inputs, write
from gainful.cli.options import OR_CONFIG, OutputFile, config
from gainful.errors import DataError, UsageError
from gainful.presentation.table import as_json
from gainful.presentation.text_style import counted


@click.command("check", short_help="Find errors in judgments and runs.")
@click.argument("qrels", metavar="QRELS", required=False)
@click.argument("runs", metavar="RUN...", nargs=-1)
@click.option(
    "--unjudged",
    type=click.IntRange(min=1),
    metavar="N",
    help="Instead list the unjudged documents of the top N ranks, most useful to judge first.",
)
@click.option(
    "--conventions",
    is_flag=True,
    help="Also name the conventions that move nDCG@10 and AP most on these data: ties, gain, ideal list and others.",
)
@click.option(
    "-f", "--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True
)
@click.option(
    "-o", "--output", type=OutputFile(), help="Write to this file, atomically, instead of standard output."
)
@click.option("--overwrite", is_flag=True, help="Replace an existing output file.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of threads.  [default: all cores]",
)
@config("check")
def command(
    qrels: str | None,
    runs: tuple[str, ...],
    unjudged: int | None,
    conventions: bool,
    form: str,
    output: str | None,
    overwrite: bool,
    threads: int | None,
    config: str | None,  # noqa: ARG001 (it has set the defaults)
) -> None:
    """Find errors in judgments and runs before evaluating them.

    It reports duplicates, NaN, swapped files, ids that differ only in case, type or padding, ranks that contradict scores,
    ties, depth, missing topics and judged shares. Exits with 3 if an error would stop an evaluation or make it wrong.

    \b
    gainful check qrels.txt bm25.run dense.run
    gainful check qrels.txt *.run -f json -o check.json
    gainful check qrels.txt *.run --unjudged 10 > to-judge.txt
    gainful check qrels.txt bm25.run --conventions
    gainful check                                    the files are named in pyproject.toml or gainful.toml
    """
    if qrels is None or not runs:
        missing = "judgments and runs are" if qrels is None else "run is"
        raise UsageError(f"no {missing} given: gainful check QRELS RUN..., {OR_CONFIG}.")
    refuse_two_inputs(qrels, *runs)
    refuse_existing(output, overwrite=overwrite)
    from gainful.checking import check
    from gainful.checking.checkup import as_list, as_table, finding_text

    with Bar() as bar:
        checkup = check(
            qrels, list(runs), unjudged=unjudged, conventions=conventions, threads=threads, progress=bar.tell
        )
    if form == "json":
        write(as_json(checkup.to_dict()), output)
    elif unjudged is None:
        write(as_table(checkup), output)
    else:
        write(as_list(checkup, unjudged), output)
        for finding in checkup.findings:
            if finding.severity != "note":
                say(finding_text(finding))
    if not checkup.fine:
        raise DataError(f"{counted(len(checkup.of('fault')), 'fault')} found.")
