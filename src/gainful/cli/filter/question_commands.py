"""gainful filter near, explain, curve, preview: what was nearly delivered, why, and what another threshold would do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, write
from gainful.cli.filter.filter_options import Answer, Derived, answering, as_json, opened, state_option
from gainful.cli.options import OutputFile, output
from gainful.formats.ids import unshown
from gainful.presentation.chart_files import check_suffix

if TYPE_CHECKING:
    from gainful.filtering.state.filter import Filter


@click.command("near", short_help="Show documents that were nearly delivered.")
@click.argument("profile")
@click.option(
    "-n",
    "--most",
    cls=Derived,
    source="state.filter:Filter.near_misses",
    type=click.IntRange(1),
    metavar="N",
    help="Number of documents.",
)
@click.option(
    "--last",
    cls=Derived,
    source="state.filter:Filter.near_misses",
    type=click.IntRange(1),
    metavar="N",
    help="Among the latest N documents seen.",
)
@state_option
@output(("table", "jsonl", "markdown"), note="markdown is a digest; jsonl can be filled in for feedback.")
def near_command(
    profile: str,
    most: int,
    last: int,
    state: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Show documents that were nearly delivered: the highest-scored ones that were neither delivered nor judged.

    Feedback on a few of them widens a profile that has become too narrow.

    \b
    gainful filter near garden --state my.filter
    gainful filter feedback garden d18 relevant --state my.filter
    """
    refuse_existing(output, overwrite=overwrite)
    from gainful.filtering.delivery_forms import misses_digest, misses_lines, misses_table
    from gainful.filtering.inbox.reader_texts import ReaderTexts

    with opened(state) as filter_:
        texts = ReaderTexts(filter_)
        misses = texts.filled(filter_.near_misses(unshown(profile), most=most, last=last))
        described = list(zip(misses, filter_.parts(misses), strict=True))
        if form != "jsonl":  # which has terms
            described = [(miss, texts.parts(miss, parts)) for miss, parts in described]
    if form == "jsonl":
        write(misses_lines(described), output)
    else:
        view = misses_digest if form == "markdown" else misses_table
        write(view(described, places=places), output)


@click.command("explain", short_help="Explain why a document was delivered, or why not.")
@click.argument("profile")
@click.argument("document")
@answering
def explain_command(filter_: Filter, profile: str, document: str) -> Answer:
    """Explain why a document was delivered to a profile, or why not, and what would change that.

    The contributions of the terms sum to the score; theta is the threshold, with its components.

    \b
    gainful filter explain garden d17 --state my.filter
    """
    from gainful.filtering.answer_text import explained, explanation_record
    from gainful.filtering.inbox.reader_texts import ReaderTexts

    explanation = filter_.explain(unshown(profile), unshown(document))
    worded = ReaderTexts(filter_).explanation(explanation)
    return Answer(partial(explanation_record, explanation), partial(explained, worded))


@click.command("curve", short_help="Show utility against cutoff, and the threshold over time.")
@click.argument("profile")
@click.option(
    "--chart",
    type=OutputFile(),
    help="Plot utility against cutoff (.svg, .png, .pdf, .html or .json).",
)
@click.option(
    "--reliability",
    type=OutputFile(),
    help="Plot predicted relevance beside the answers (rules that estimate probabilities).",
)
@click.option("--over-time", type=OutputFile(), help="Plot the threshold over time, with every delivery.")
@state_option
@output(("table", "json"))
def curve_command(
    profile: str,
    chart: str | None,
    reliability: str | None,
    over_time: str | None,
    state: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Show how a profile's threshold is computed: utility at each cutoff of the history, and the threshold over time.

    With a rule that estimates probabilities (expected): also what it expects of each cutoff, and how its predictions
    compare with the answers.

    \b
    gainful filter curve garden --state my.filter
    gainful filter curve garden --chart curve.svg --over-time threshold.png --state my.filter
    gainful filter curve garden --reliability reliability.svg --state my.filter
    """
    paths = (chart, reliability, over_time)
    refuse_existing(output, *paths, overwrite=overwrite)
    wanted = [path for path in paths if path]
    for path in wanted:
        check_suffix(path)
    from gainful.filtering.history_text import charts, history_record, history_tables

    if wanted:
        from gainful.presentation.chart_files import ready

        ready()
    with opened(state) as filter_:
        history = filter_.history(unshown(profile))
    if wanted:
        from gainful.formats.output_files import put
        from gainful.presentation.chart_files import rendered

        pictures = [
            (rendered(draw(history), check_suffix(path)), path)
            for draw, path in zip(charts(), paths, strict=True)
            if path
        ]
        for raw, path in pictures:
            put(raw, path, overwrite=overwrite)
            say(f"The chart is in {path}.")
    write(
        as_json(history_record(history)) if form == "json" else history_tables(history, places=places), output
    )


@click.command("preview", short_help="Show what another threshold would have delivered.")
@click.argument("profile")
@click.option("--threshold", type=float, required=True, metavar="T", help="Threshold to try.")
@click.option(
    "--most",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    metavar="N",
    help="Number of rows to show.",
)
@answering
def preview_command(filter_: Filter, profile: str, threshold: float, most: int) -> Answer:
    """Show which documents another threshold would have delivered, and which it would have missed. Changes nothing.

    \b
    gainful filter preview garden --threshold 0.2 --state my.filter
    """
    from gainful.filtering.answer_text import preview_record, previewed

    preview = filter_.preview(unshown(profile), threshold)
    return Answer(partial(preview_record, preview), partial(previewed, preview, most=most))
