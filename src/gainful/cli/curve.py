"""gainful curve: what a measure does going down the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gainful.cli import say
from gainful.cli.commands import Bar, refuse_existing, refuse_one_file, refuse_two_inputs, write
from gainful.cli.options import JUDGING, OutputFile, judging, output, scope, texts, users
from gainful.errors import UsageError
from gainful.formats.ids import unshown
from gainful.formats.judgments import read_qrels
from gainful.formats.run_queue import Queue
from gainful.formats.runs import runs_of
from gainful.judging.settings import Settings

if TYPE_CHECKING:
    from gainful.curves.curve_call import Kind
    from gainful.curves.topic_averages import Average

FORMATS = ("table", "csv", "json", "parquet")
KINDS = ("rank", "recall", "precision-recall", "roc", "effort")


@click.command("curve", short_help="Plot a measure by rank, or precision by recall.")
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="Measures, comma-separated; may be repeated. nDCG@10 ends at rank 10.  [default: nDCG]",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    help="Kind of curve: a measure by rank; recall by rank; precision by recall; "
    "relevant against non-relevant judged documents (roc); share of the gain by documents read (effort).",
)
@click.option(
    "--to",
    type=click.IntRange(1, 10_000_000),
    metavar="N",
    help="Last rank of the curve, or largest number of documents read.  "
    "[default: the cutoff of the measures or --depth if given, else 100]",
)
@click.option(
    "--average",
    type=click.Choice(["topics", "ratio"]),
    default="topics",
    show_default=True,
    help="Mean of the topics' values, or ratio of the mean curve to the mean ideal curve.",
)
@click.option("--topic", "alone", multiple=True, metavar="ID", help="Only this topic; may be repeated.")
@click.option("-q", "--per-topic", is_flag=True, help="Also the curve of each topic.")
@click.option(
    "--levels",
    metavar="N|LIST",
    help="Recall levels: their number, or a comma-separated list.  [default: 11; for roc 101]",
)
@click.option(
    "--raw", is_flag=True, help="Precision and recall at every rank of each topic, not interpolated."
)
@click.option(
    "--cost", metavar="GRADE=N,...", help="With --kind effort: reading cost by grade; 1 for other grades."
)
@click.option("--ideal", is_flag=True, help="Also the curve of the ideal list.")
@click.option(
    "--band",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Pointwise bootstrap confidence band over topics, such as 0.95.",
)
@click.option(
    "--resamples",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Bootstrap resamples of the band.  [default: 2,000]",
)
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Random seed of the band.  [default: 0]")
@click.option(
    "--difference", is_flag=True, help="For two runs: also the second minus the first, topic by topic."
)
@click.option(
    "--chart", type=OutputFile(), metavar="FILE", help="Write a chart (.svg, .png, .pdf, .html or .json)."
)
@output(FORMATS, note="csv, json and parquet have every point.")
@judging(*JUDGING)
@scope
@texts("queries")
@users
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    kind: Kind,
    to: int | None,
    average: Average,
    alone: tuple[str, ...],
    per_topic: bool,
    levels: str | None,
    raw: bool,
    cost: str | None,
    ideal: bool,
    band: float | None,
    resamples: int | None,
    seed: int | None,
    difference: bool,
    chart: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    topics: str | None,
    known: tuple[str, ...],
    expected: float | str | None,
    threads: int | None,
    queries: str | None,
    places: int,
    **settings: Any,
) -> None:
    """Plot curves of runs: a measure at every rank, or precision by recall.

    QRELS and RUN are files in TREC format, plain or compressed (gz, bz2, xz, zst); - is standard input.

    \b
    gainful curve qrels.txt bm25.run dense.run -m nDCG --ideal --chart ndcg.svg
    gainful curve qrels.txt bm25.run -m nDCG@10
    gainful curve qrels.txt bm25.run -m CG,DCG,NCG --to 15 --ideal
    gainful curve qrels.txt bm25.run -m 'nDCG(discount=jk)' --average ratio
    gainful curve qrels.txt *.run --kind precision-recall --band 0.95 --chart pr.pdf
    gainful curve qrels.txt bm25.run dense.run -m P --difference --band 0.95
    gainful curve qrels.txt bm25.run --kind precision-recall --raw --topic 301
    """
    refuse_two_inputs(qrels, *runs, queries or "")
    if queries and not (per_topic or alone or raw):
        raise UsageError("--queries are shown with the curve of each topic; add --topic ID or -q.")
    if chart:
        _check_chart(chart)
    refuse_one_file("output", output, chart=chart)
    refuse_existing(output, chart, overwrite=overwrite)
    if measures and kind != "rank":
        raise UsageError(f"-m is for --kind rank; {kind} curves have a fixed measure.")
    wanted = _wanted(kind, alone, per_topic, levels, raw, cost, ideal, band, resamples, seed, difference)
    chosen = Settings(**settings)

    from gainful.curves.curve_call import measured, of_scores
    from gainful.curves.rank_curves import by_rank_measures
    from gainful.measures._needs import needed
    from gainful.scores import score

    by_rank, last = by_rank_measures(list(measures) or "nDCG", chosen.rel, to, chosen.depth)
    judgments = read_qrels(qrels, by=needed(by_rank), duplicates=chosen.judgment_duplicates, threads=threads)
    queue = Queue(judgments, runs_of(list(runs)), rules=chosen.rules, threads=threads)
    with Bar() as bar:
        scores = score(
            judgments,
            queue,
            measured(by_rank, kind, last),
            chosen,
            topics=topics,
            known=[*known] or None,
            expected=expected,
            queries=queries,
            progress=bar.tell,
        )
    curves = of_scores(scores, by_rank, kind=kind, to=last, average=average, **wanted)

    from gainful.curves.curve_output import VIEWS

    text = VIEWS[form](curves, places=places)
    if chart:
        from gainful.curves.curve_output import drawn
        from gainful.presentation.chart_files import check_suffix

        write(drawn(curves, check_suffix(chart)), chart)
    write(text, output)
    from gainful.judging.notes import grouped

    for note in grouped([*curves.notes, *(scores.texts.notes if scores.texts else [])]):
        say(f"note: {note}")
    if form == "csv" and not output:
        say(f"settings: {curves.stated}")


def _check_chart(path: str) -> None:
    from gainful.presentation.chart_files import check_suffix, ready

    check_suffix(path)
    ready()


def _wanted(
    kind: str,
    alone: tuple[str, ...],
    per_topic: bool,
    levels: str | None,
    raw: bool,
    cost: str | None,
    ideal: bool,
    band: float | None,
    resamples: int | None,
    seed: int | None,
    difference: bool,
) -> dict[str, Any]:
    """What was asked for, refused where the kind of curve does not have it."""
    takes = {
        "--levels": (levels is not None, ("precision-recall", "roc")),
        "--raw": (raw, ("precision-recall",)),
        "--cost": (cost is not None, ("effort",)),
    }
    for option, (given, kinds) in takes.items():
        if given and kind not in kinds:
            raise UsageError(f"{option} goes with --kind {' or '.join(kinds)}.")
    if raw and (levels or band or difference):
        raise UsageError(
            "--raw is per topic and not interpolated; it does not go with --levels, --band and --difference."
        )
    if alone and (band or difference):
        raise UsageError(
            "--topic shows single topics; it does not go with --band and --difference, which are over topics."
        )
    if (resamples is not None or seed is not None) and band is None:
        raise UsageError("--resamples and --seed are options of a band; add --band 0.95.")
    options: dict[str, Any] = {"ideal": ideal}
    if alone or per_topic:
        options["per_topic"] = [unshown(topic) for topic in alone] if alone else True
    if raw:
        return options | {"raw": True}
    options |= {"band": band, "difference": difference}
    options |= {"resamples": resamples} if resamples is not None else {}
    options |= {"seed": seed} if seed is not None else {}
    options |= {"levels": _levels(levels)} if levels else {}
    options |= {"cost": _cost(cost)} if cost else {}
    return options


def _levels(text: str) -> int | list[float]:
    try:
        return int(text) if text.strip().isdigit() else [float(level) for level in text.split(",")]
    except ValueError:
        raise UsageError(
            f"--levels takes a number, or comma-separated levels such as 0,0.5,1; got '{text}'."
        ) from None


def _cost(text: str) -> dict[float, float]:
    try:
        pairs = [pair.split("=") for pair in text.split(",")]
        return {float(grade): float(price) for grade, price in pairs}
    except ValueError:
        raise UsageError(f"--cost takes grades and their costs, such as 1=2,2=3; got '{text}'.") from None
