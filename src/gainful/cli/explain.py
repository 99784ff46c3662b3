"""gainful explain: how a number came about, rank by rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, refuse_one_file, refuse_two_inputs, screen, write
from gainful.cli.options import JUDGING, OutputFile, judging, output, texts, users
from gainful.cli.options import wide as wide_option
from gainful.errors import UsageError
from gainful.formats.ids import unshown
from gainful.judging.settings import Settings

FORMATS = ("text", "markdown", "html", "json")


@click.command("explain", short_help="Show how a score is computed, rank by rank.")
@click.argument("qrels", metavar="[QRELS", required=False)
@click.argument("run", metavar="RUN]", required=False)
@click.option("--topic", metavar="ID", help="The topic; may be left out if there is only one.")
@click.option(
    "--worst",
    is_flag=True,
    help="The topic with the lowest value; with --compare, the topic on which RUN2 loses most.",
)
@click.option(
    "-m",
    "--measures",
    metavar="MEASURE",
    help="The measure to explain.  [default: nDCG@10; with --relevant AP]",
)
@click.option(
    "--compare",
    metavar="RUN2",
    help="Compare with a candidate run (RUN is the baseline), and list the documents that cause the difference.",
)
@click.option(
    "--gains",
    metavar="LIST",
    help="Without files: the gains of a list in its order, such as '3 2 0 1'; 3*9 is nine times 3.",
)
@click.option(
    "--ideal",
    metavar="LIST",
    help="With --gains: how the ideal list begins, such as '3*9 2'.  [default: the list in its best order]",
)
@click.option(
    "--relevant",
    metavar="RANKS",
    help="Without files: the ranks of the relevant documents of a list, such as 1,2,5,8.",
)
@click.option(
    "--of",
    type=int,
    metavar="N",
    help="With --relevant: number of relevant documents in all, also those not in the list.  [default: none is missed]",
)
@click.option(
    "--all", "every", is_flag=True, help="Show every rank; do not fold sequences of unjudged documents."
)
@click.option(
    "--chart",
    type=OutputFile(),
    metavar="FILE",
    help="Write a picture (.svg, .png, .pdf, .html or .json): precision by recall with its ranks, or gain by rank.",
)
@output(FORMATS)
@wide_option
@judging(*JUDGING)
@texts()
@users
def command(
    qrels: str | None,
    run: str | None,
    topic: str | None,
    worst: bool,
    measures: str | None,
    compare: str | None,
    gains: str | None,
    ideal: str | None,
    relevant: str | None,
    of: int | None,
    every: bool,
    chart: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
    wide: bool,
    known: tuple[str, ...],
    expected: float | str | None,
    queries: str | None,
    documents: str | None,
    **settings: Any,
) -> None:
    """Show how a measure is computed for one topic: the document at each rank, and what it contributes.

    Below the table: the topic's value, as in `gainful evaluate`, and the value under other parameters.

    \b
    gainful explain qrels.txt bm25.run --topic 301 -m nDCG@10
    gainful explain qrels.txt bm25.run --topic 301 -m AP -f markdown --chart pr.svg
    gainful explain qrels.txt bm25.run --topic 301 -m nDCG@10 --compare dense.run
    gainful explain qrels.txt bm25.run --worst --compare dense.run -f html -o worst.html
    gainful explain qrels.txt bm25.run --topic 301 --queries topics.tsv --documents docs.jsonl
    gainful explain --gains '3 2 1 1 3 1 1 2 1 1' --ideal '3*9 2' -m 'nDCG(discount=jk)@10'
    gainful explain --relevant 1,2,5,8 --of 10 --chart pr.svg
    """
    _refuse(
        gains,
        ideal,
        relevant,
        of,
        files=[qrels, run, topic, compare, queries, documents, "" if worst else None],
    )
    refuse_two_inputs(qrels or "", run or "", compare or "", queries or "", documents or "")
    if chart:
        from gainful.presentation.chart_files import check_suffix, ready

        check_suffix(chart)
        ready()
    if form == "html":
        from gainful.reports.html_page import ready as page_ready

        page_ready()
    refuse_one_file("output", output, chart=chart)
    refuse_existing(output, chart, overwrite=overwrite)

    from gainful.explaining import lists_by_hand
    from gainful.explaining.explain_call import explanations, with_texts
    from gainful.explaining.explanation import difference

    measure = measures or ("AP" if relevant is not None else "nDCG@10")
    judged: Any = qrels
    runs: list[Any] = [run] if compare is None else [run, compare]
    if gains is not None:
        judged, *runs = lists_by_hand.list_of_gains(gains, ideal)
    if relevant is not None:
        judged, *runs = lists_by_hand.list_of_relevant(relevant, of)
    if qrels is None:
        lists_by_hand.check_measure(measure)
    explained = explanations(
        judged,
        [{lists_by_hand.RUN: runs[0]}] if qrels is None else runs,
        None if topic is None else unshown(topic),
        measure,
        Settings(**settings),
        worst=worst,
        known=[*known] or None,
        expected=expected,
        queries=queries,
        documents=documents,
    )
    explained = with_texts(explained)
    if chart:
        from gainful.explaining.explanation import explanation_spec
        from gainful.presentation.chart_files import rendered

        write(rendered(explanation_spec(explained), check_suffix(chart)), chart)
    shown: Any = explained[0] if compare is None else difference(*explained)
    how: dict[str, Any] = {"places": places, "fold": not every}
    how |= {"screen": screen(output, wide=wide)} if form == "text" else {}
    write(_view(shown, form, **how), output)
    for note in explained[0].texts.notes if explained[0].texts else []:
        say(f"note: {note}")


def _refuse(
    gains: str | None, ideal: str | None, relevant: str | None, of: int | None, *, files: Sequence[str | None]
) -> None:
    """Raise unless there are files and a topic, or one list that is written down."""
    if ideal is not None and gains is None:
        raise UsageError("--ideal is an option of --gains; add it.")
    if of is not None and relevant is None:
        raise UsageError("--of is an option of --relevant; add it.")
    if gains is not None and relevant is not None:
        raise UsageError("--gains and --relevant each write a list down; use one of them.")
    if gains is None and relevant is None:
        qrels, run, *_ = files
        if run is None or qrels is None:
            raise UsageError(
                "explain needs judgments and a run: gainful explain QRELS RUN [--topic ID]; "
                "or a list: gainful explain --gains '3 2 0 1', gainful explain --relevant 1,2,5,8 --of 10"
            )
    elif any(given is not None for given in files):
        option = "gains" if gains is not None else "relevant"
        raise UsageError(
            f"--{option} stands for files and topic; leave QRELS, RUN and their options out (--topic, --worst, --compare, "
            "--queries, --documents)."
        )


def _view(explained: Any, form: str, **how: Any) -> str:
    if form == "json":
        import msgspec

        return msgspec.json.format(msgspec.json.encode(explained.to_dict()), indent=2).decode() + "\n"
    if form == "html":
        from gainful.reports.html_page import explanation_page

        return explanation_page(explained, **how)
    text: str = getattr(explained, form)(**how)
    return text
