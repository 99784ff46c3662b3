"""gainful filter demo: a filter learns, on a stream made from a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gainful.cli.filter.charting import Pictures, charting
from gainful.cli.filter.common import make_folder
from gainful.cli.options import refuse_existing
from gainful.cli.output import write


@click.command("demo", short_help="Watch a filter learn, on a stream made from a seed.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Of the stream.  [default: 7]")
@click.option(
    "--documents", type=click.IntRange(200, 100_000), metavar="N", help="In the stream.  [default: 3000]"
)
@click.option(
    "--write",
    "folder",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Keep the stream, its topics and judgments as files.",
)
@click.option("--overwrite", is_flag=True, help="Replace files that are there.")
@charting
def demo_command(
    seed: int | None,
    documents: int | None,
    folder: str | None,
    overwrite: bool,
    charts: str | None,
    trace: tuple[str, ...],
    chart_format: str,
) -> None:
    """Watch a filter learn, on a made-up stream: eight readers, each with three words to begin with.

    What a topic is about drifts as the stream goes by, and other documents use its words without being relevant.
    """
    pictures = Pictures(charts, chart_format, overwrite=overwrite)
    if folder:
        refuse_existing(
            *(str(Path(folder) / name) for name in ("stream.jsonl", "topics.jsonl", "qrels.txt")),
            overwrite=overwrite,
        )

    from gainful.filtering import demo
    from gainful.filtering.laboratory import simulate
    from gainful.filtering.views import over_time, table

    stream = demo.demo(documents=documents or demo.DOCUMENTS, seed=demo.SEED if seed is None else seed)
    names = [topic.id for topic in stream.topics]
    made = simulate(
        stream.documents, stream.topics, stream.qrels, rules=demo.RULES, examples=0, trace=[*trace, names[0]]
    )
    best = made.rows[0].name
    heading = f"{best}, as the stream goes by (all topics together):"
    write(f"{table(made)}\n{heading}\n\n{over_time(made, best)}\n{demo.learned(made, names[0])}\n", None)
    pictures.draw(made)
    if folder:
        _keep(stream, Path(folder))


def _keep(stream: Any, folder: Path) -> None:
    """The demo's stream as the files that simulate reads."""
    from gainful.filtering.demo import as_files

    make_folder(folder)
    for name, text in as_files(stream).items():
        write(text, str(folder / name))
    click.echo(
        f"The stream is in {folder}; try: gainful filter simulate {folder}/stream.jsonl {folder}/topics.jsonl {folder}/qrels.txt",
        err=True,
    )
