"""gainful search: queries to a search engine become a run."""

from __future__ import annotations

import click

from gainful.cli import say
from gainful.cli.commands import Counted, refuse_existing, refuse_two_inputs, write
from gainful.cli.options import FormatName, OutputFile
from gainful.formats.registry import written_names
from gainful.formats.types import TREC


@click.command("search", short_help="Ask a search engine: queries become a run.")
@click.argument("url", metavar="URL")
@click.argument("queries", metavar="QUERIES")
@click.option(
    "--engine",
    type=click.Choice(("elasticsearch", "opensearch", "solr")),
    help="What answers.  [default: solr if URL has /solr/, else elasticsearch]",
)
@click.option(
    "--template",
    metavar="FILE",
    help='Body of a request as JSON: {{query}} where the text stands, "{{depth}}" where the number of documents does.  '
    "[default: all fields are searched]",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Documents asked for.",
)
@click.option(
    "--id-field",
    default="_id",
    metavar="FIELD",
    help="Field of a document that holds the id which judgments use.  [default: the engine's own id]",
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    metavar="N",
    help="Queries in a request.  [default: 20; Solr takes one]",
)
@click.option(
    "--connections",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    metavar="N",
    help="Requests at a time.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long an answer may take.",
)
@click.option(
    "--retries",
    type=click.IntRange(0, 20),
    default=5,
    show_default=True,
    metavar="N",
    help="How often a request is repeated that was not answered completely; waits double from half a second.",
)
@click.option("--tag", default="", metavar="TAG", help="Last column of the run.  [default: the engine]")
@click.option(
    "--to",
    type=FormatName(written_names),
    help="Format of the run.  [default: given by the suffix of -o, else trec]",
)
@click.option("-o", "--output", type=OutputFile(), help="Write to this file, atomically.")
@click.option("--overwrite", is_flag=True, help="Replace an existing file.")
def command(
    url: str,
    queries: str,
    engine: str | None,
    template: str | None,
    depth: int,
    id_field: str,
    batch: int | None,
    connections: int,
    timeout: float,
    retries: int,
    tag: str,
    to: str | None,
    output: str | None,
    overwrite: bool,
) -> None:
    """Send QUERIES to Elasticsearch, OpenSearch or Solr, and write what they return as a run.

    URL is that of an index, or of a collection of Solr. QUERIES is TSV or CSV of id and text, JSON lines, Parquet or TREC
    topics. Who asks is said in the environment: GAINFUL_SEARCH_API_KEY, GAINFUL_SEARCH_TOKEN, or GAINFUL_SEARCH_USER and
    GAINFUL_SEARCH_PASSWORD. Requests that are not answered completely are repeated; if one stays so, nothing is written.

    \b
    gainful search http://localhost:9200/products queries.tsv -o bm25.run
    gainful search http://localhost:9200/products queries.tsv --template hybrid.json -o hybrid.run
    gainful search http://localhost:8983/solr/products queries.tsv --depth 1000 -o solr.run
    gainful search http://localhost:9200/products queries.tsv | gainful evaluate qrels.txt -
    """
    refuse_existing(output, overwrite=overwrite)
    refuse_two_inputs(queries, template or "")
    from gainful.formats.output_files import layout_for, written
    from gainful.integrations.endpoint_search import search

    form = to or (layout_for(output) if output else TREC)
    with Counted() as bar:
        found = search(
            url,
            queries,
            engine=engine,
            template=template,
            depth=depth,
            id_field=id_field,
            batch=batch,
            connections=connections,
            timeout=timeout,
            retries=retries,
            progress=bar.tell,
        )
    rows = found.run.rows()
    label = tag or found.stated.partition(" ")[0]
    write(written(rows, "run", form, path=output or "", tag=label), output)
    for note in found.notes:
        say(f"note: {note}.")
    if output:
        say(f"{len(rows):,} rows of a run written to {output} ({form}; {found.stated}).")
