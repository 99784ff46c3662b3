"""gainful explain: how a number came about, rank by rank."""

from __future__ import annotations

from typing import Any

import click

from gainful.cli.commands import refuse_existing, refuse_two_inputs, write
from gainful.cli.options import JUDGING, judging, output, users
from gainful.formats.ids import unshown
from gainful.judging.settings import Settings

FORMATS = ("text", "markdown", "html", "json")


@click.command("explain", short_help="Show how a score is computed, rank by rank.")
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("--topic", required=True, metavar="ID", help="The topic.")
@click.option(
    "-m",
    "--measures",
    default="nDCG@10",
    show_default=True,
    metavar="MEASURE",
    help="The measure to explain.",
)
@click.option(
    "--compare",
    metavar="RUN2",
    help="Compare with a candidate run (RUN is the baseline), and list the documents that cause the difference.",
)
@click.option(
    "--all", "every", is_flag=True, help="Show every rank; do not fold sequences of unjudged documents."
)
@output(FORMATS)
@judging(*JUDGING)
@users
def command(
    qrels: str,
    run: str,
    topic: str,
    measures: str,
    compare: str | None,
    every: bool,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
    known: tuple[str, ...],
    expected: float | str | None,
    **settings: Any,
) -> None:
    """Show how a measure is computed for one topic: the document at each rank, and what it contributes.

    Below the table: the topic's value, as in `gainful evaluate`, and the value under other parameters.

    \b
    gainful explain qrels.txt bm25.run --topic 301 -m nDCG@10
    gainful explain qrels.txt bm25.run --topic 301 -m AP -f markdown
    gainful explain qrels.txt bm25.run --topic 301 -m nDCG@10 --compare dense.run
    """
    refuse_two_inputs(qrels, run, compare or "")
    refuse_existing(output, overwrite=overwrite)

    from gainful.explaining.explanation import difference, explanations

    runs = [run] if compare is None else [run, compare]
    made: Any = explanations(
        qrels, runs, unshown(topic), measures, Settings(**settings), known=[*known] or None, expected=expected
    )
    shown = made[0] if compare is None else difference(*made)
    write(_view(shown, form, places=places, fold=not every), output)


def _view(explained: Any, form: str, *, places: int, fold: bool) -> str:
    if form == "json":
        import msgspec

        return msgspec.json.format(msgspec.json.encode(explained.to_dict()), indent=2).decode() + "\n"
    made: str = getattr(explained, form)(places=places, fold=fold)
    return made
