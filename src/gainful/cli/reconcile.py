"""gainful reconcile: whose number it is, and the way from one tool's number to another's."""

from __future__ import annotations

from typing import Any

import click

from gainful.cli.commands import refuse_existing, refuse_two_inputs, screen, write
from gainful.cli.options import output
from gainful.cli.options import wide as wide_option
from gainful.errors import UsageError

FORMATS = ("text", "markdown", "json")
DEFAULT = "nDCG@10"


@click.command("reconcile", short_help="Explain whose number a value is: tools and conventions.")
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option(
    "--value",
    "value",
    multiple=True,
    metavar="NUMBER",
    help="A number to explain, with the digits it was printed with; may be repeated, once for each measure of -m.",
)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="Measures of --value or --between, comma-separated, as we or any tool name them.  [default: nDCG@10]",
)
@click.option(
    "--values",
    multiple=True,
    metavar="FILE|MEASURE=NUMBER",
    help="Numbers to explain: measure=number,…; or a file that a tool printed (lines of trec_eval, JSON, CSV), or a table of a "
    "paper (CSV, Markdown). Give two files to have two tools' outputs side by side.",
)
@click.option("--row", metavar="NAME", help="Row of the run in a table.  [default: the name of the run]")
@click.option(
    "--between",
    nargs=2,
    metavar="A B",
    help="Instead walk from the number of dialect A to that of dialect B, convention by convention; gainful is ours.",
)
@click.option(
    "--show",
    type=click.IntRange(min=1),
    metavar="N",
    default=3,
    show_default=True,
    help="Number of explanations in text; json has them all.",
)
@output(FORMATS)
@wide_option
@click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="Number of threads.  [default: all cores]"
)
def command(
    qrels: str,
    run: str,
    value: tuple[str, ...],
    measures: tuple[str, ...],
    values: tuple[str, ...],
    row: str | None,
    between: tuple[str, str] | None,
    show: int,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
    wide: bool,
    threads: int | None,
) -> None:
    """Explain a number: which tool prints it on these data, or which conventions give it, most plausible first.

    It tries every dialect (`gainful dialects`) and the combinations of conventions that these data can tell apart. A number
    is taken with the digits it has: 0.5371 is whatever is printed so. With --between it says what each convention
    contributes to the difference between two tools.

    \b
    gainful reconcile qrels.txt bm25.run --value 0.5371 -m nDCG@10
    gainful reconcile qrels.txt bm25.run --value 0.5371 --value 0.31 -m nDCG@10,AP
    gainful reconcile qrels.txt bm25.run --values nDCG@10=0.5371,AP=0.31
    gainful reconcile qrels.txt bm25.run --values theirs.txt --values ours.json
    gainful reconcile qrels.txt bm25.run --values table.md --row 'BM25 (ours)'
    gainful reconcile --between beir lightgbm qrels.txt bm25.run -m nDCG@10
    """
    refuse_two_inputs(qrels, run, *values)
    refuse_existing(output, overwrite=overwrite)
    from gainful.dialects.dialect_scores import as_texts

    asked = as_texts(measures) or [DEFAULT]
    how: dict[str, Any] = {"places": places, "screen": screen(output, wide=wide)}
    if between is not None:
        if value or values:
            raise UsageError(
                "--between walks between two tools; leave --value and --values out, or --between."
            )
        write(_walks(qrels, run, between, asked, form, threads, how), output)
        return
    sources: list[Any] = list(values)
    if value:
        sources.insert(0, _paired(asked, value))
    elif measures:
        raise UsageError("-m names the measures of --value or --between; give one of them.")
    if not sources:
        raise UsageError(
            "say which number is to be explained: --value 0.5371 -m nDCG@10, or --values FILE; or walk with --between A B."
        )
    from gainful.reconciling import reconcile

    write(reconcile(qrels, run, sources, row=row, show=show, threads=threads).view(form, **how), output)


def _paired(measures: list[str], numbers: tuple[str, ...]) -> dict[str, str]:
    """Each number with its measure."""
    from gainful.presentation.text_style import counted

    if len(measures) != len(numbers):
        raise UsageError(
            f"there {'is' if len(numbers) == 1 else 'are'} {counted(len(numbers), 'value')} and "
            f"{counted(len(measures), 'measure')}; give a measure for each value, in the same order."
        )
    return dict(zip(measures, numbers, strict=True))


def _walks(
    qrels: str,
    run: str,
    ends: tuple[str, str],
    measures: list[str],
    form: str,
    threads: int | None,
    how: dict[str, Any],
) -> str:
    """The way between two dialects, for each measure."""
    from gainful.presentation.table import as_json
    from gainful.reconciling import readings_of
    from gainful.reconciling.reconcile_call import walk_between

    readings = readings_of(qrels, run, threads=threads)
    walks = [walk_between(readings, *ends, measure) for measure in measures]
    if form == "json":
        return as_json([walk.to_dict() for walk in walks] if len(walks) > 1 else walks[0].to_dict())
    return "\n".join(walk.view(form, **how) for walk in walks)
