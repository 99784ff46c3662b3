"""gainful trec_eval: trec_eval's command line, and its output to the letter."""

from __future__ import annotations

import click

from gainful.cli import say
from gainful.cli.commands import Bar, refuse_two_inputs, write
from gainful.compat._trec_eval_names import RELATIONS

VERSION = "10.0"


@click.command("trec_eval", short_help="Drop-in replacement for trec_eval 10.")
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option(
    "-q", "--query_eval_wanted", "per_topic", is_flag=True, help="Also print the values of each topic."
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME[.PARAMETERS]",
    help="P.5,10, ndcg_cut.10, all_trec, …; may be repeated.  [default: official]",
)
@click.option(
    "-c",
    "--complete_rel_info_wanted",
    "complete",
    is_flag=True,
    help="Judged topics missing from the run count as zero; otherwise they are left out.",
)
@click.option(
    "-n",
    "--nosummary",
    "summary",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Do not print the summary over topics.",
)
@click.option(
    "-l", "--level_for_rel", "level", type=int, default=1, metavar="N", help="Lowest grade that is relevant."
)
@click.option(
    "-M",
    "--Max_retrieved_per_topic",
    "depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Count only the first N ranks of each list.",
)
@click.option(
    "-J", "--Judged_docs_only", "judged_only", is_flag=True, help="Remove unjudged documents first."
)
@click.option(
    "-N",
    "--Number_docs_in_coll",
    "documents",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Documents in the collection, for utility.",
)
@click.option(
    "-R",
    "--Rel_info_format",
    "relation",
    type=click.Choice(tuple(RELATIONS)),
    default="qrels",
    help="Format of QRELS.",
)
@click.option(
    "-T",
    "--Results_format",
    "results",
    type=click.Choice(("trec_results",)),
    default="trec_results",
    help="Format of RUN.",
)
@click.option(
    "-Z",
    "--Zscore",
    "deviations",
    metavar="FILE",
    help="Print z-scores, using the means and standard deviations in FILE.",
)
@click.option("-o", "--Output_old_results_format", is_flag=True, hidden=True, expose_value=False)
@click.version_option(VERSION, "-v", "--version", message="gainful trec_eval, as trec_eval %(version)s")
def command(
    qrels: str,
    run: str,
    per_topic: bool,
    measures: tuple[str, ...],
    complete: bool,
    summary: bool,
    level: int,
    depth: int | None,
    judged_only: bool,
    documents: int,
    relation: str,
    results: str,  # noqa: ARG001 (there is only one)
    deviations: str | None,
) -> None:
    """Score one run exactly like trec_eval 10, with its options, names, rounding and output format.

    Files can be compressed (gz, bz2, xz, zst, lz4); - is standard input. Invalid lines give an error with file and line.

    \b
    gainful trec_eval qrels.txt bm25.run
    gainful trec_eval -q -c -m map -m ndcg_cut.10 qrels.txt bm25.run
    gainful trec_eval -m all_trec -l2 -M100 qrels.txt bm25.run
    """
    refuse_two_inputs(qrels, run)
    from gainful.compat.trec_eval import evaluate, read_deviations

    with Bar() as bar:
        evaluation = evaluate(
            qrels,
            [run],
            measures or ("official",),
            relation=relation,
            complete=complete,
            level=level,
            depth=depth,
            judged_only=judged_only,
            documents=documents,
            deviations=None if deviations is None else read_deviations(deviations),
            progress=bar.tell,
        )
    write(evaluation.text(per_topic=per_topic, summary=summary), None)
    for note in evaluation.notes:
        say(f"note: {note}")
