"""gainful convert: a run or judgments in another layout."""

from __future__ import annotations

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, write
from gainful.cli.options import FormatName, OutputFile
from gainful.errors import UsageError
from gainful.formats.judgments import cores
from gainful.formats.layouts import layout_of, layout_of_source, read_source
from gainful.formats.output_files import layout_for, packed, written
from gainful.formats.ratings_format import LABELS, label_lists
from gainful.formats.records import GRADE
from gainful.formats.registry import read_names, written_names
from gainful.formats.rows import rows_of
from gainful.formats.sources import SNIFFED, Source
from gainful.formats.types import COLLECTION, TREC, WHAT, Kind


@click.command("convert", short_help="Convert a run or judgments to another format.")
@click.argument("given", metavar="IN")
@click.argument("made", metavar="OUT", type=OutputFile())
@click.option(
    "--kind", type=click.Choice(["run", "qrels"]), help="What IN contains, if its columns do not tell."
)
@click.option(
    "--from",
    "layout",
    type=FormatName(read_names),
    help="Format of IN.  [default: detected from its content]",
)
@click.option("--to", type=FormatName(written_names), help="Format of OUT.  [default: given by its suffix]")
@click.option("--qrels", help="Judgments that give the labels, for --to labels.")
@click.option(
    "--tag",
    default="",
    metavar="TAG",
    help="The last column of a TREC run, Elasticsearch's index, OpenSearch's name of the judgments.  "
    "[default: as in IN, or gainful]",
)
@click.option("--overwrite", is_flag=True, help="Replace OUT if it exists.")
def command(
    given: str,
    made: str,
    kind: str | None,
    layout: str | None,
    to: str | None,
    qrels: str | None,
    tag: str,
    overwrite: bool,
) -> None:
    """Convert a run or judgments to another format; ids stay unchanged and OUT is written atomically.

    The suffix of OUT gives its format (.run, .txt, .csv, .tsv, .json, .jsonl, .parquet) and compression (.gz, .bz2, .xz,
    .zst, .lz4); for others use --to: beir and marco; elasticsearch, opensearch and quepid, which take judgments; and labels,
    the labels and scores of each list of a run, for tools that see these alone (LightGBM, scikit-learn, rax). IN can be -
    (standard input), or irds:ID for the judgments of a collection in ir_datasets.

    \b
    gainful convert bm25.run bm25.parquet
    gainful convert qrels/test.tsv qrels.txt --kind qrels
    gainful convert run.json run.trec.gz --kind run
    gainful convert bm25.run labels.json --to labels --qrels qrels.txt
    gainful convert qrels.txt rank_eval.json --to elasticsearch --tag products
    """
    refuse_existing(made, overwrite=overwrite, in_place=given)
    if qrels is not None and to != LABELS:
        raise UsageError("--qrels is for --to labels.")
    to = to or layout_for(made)
    if given.startswith(COLLECTION):
        what: Kind = "qrels"
        rows = rows_of(given, what, threads=cores())
    else:
        with Source(given) as source:
            what = _kind(source, kind, layout)
            rows = read_source(source, what, layout_of_source(source, what, layout), threads=cores())
    if qrels is not None and what == "run":
        write(packed(label_lists(rows, rows_of(qrels, "qrels", threads=cores())), made), made)
        say(f"labels of {len(rows):,} rows written to {made}.")
        return
    label = tag or rows.tag.decode("utf-8", "surrogateescape").split(" ")[0] or "gainful"
    write(written(rows, what, to, path=made, tag=label), made)
    count = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"
    say(f"{count} of {WHAT[what]} written to {made} ({to}).")


def _kind(source: Source, said: str | None, layout: str | None) -> Kind:
    if said is not None:
        return "run" if said == "run" else "qrels"
    head = source.head(SNIFFED)
    line = next((line for line in head.splitlines() if line.strip() and not line.startswith(b"#")), b"")
    names = {
        name.strip('" ').lower() for name in line.decode("utf-8", "replace").replace("\t", ",").split(",")
    }
    if names & ({*GRADE} - {"score"}):
        return "qrels"
    if layout_of(head, "run", layout).name == TREC:
        return "run" if len(line.split()) >= 5 else "qrels"
    raise UsageError(
        f"{source.name}: runs and judgments look alike in this format; give --kind run or --kind qrels."
    )
