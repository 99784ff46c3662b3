"""gainful filter explain, curve and preview: why, how, and what if."""

from __future__ import annotations

import click

from gainful.cli import say
from gainful.cli.filter.filter_options import as_json, opened, state_option
from gainful.cli.options import output, refuse_existing
from gainful.cli.output import OutputFile, write
from gainful.formats.ids import unshown
from gainful.presentation.chart_files import check_suffix


@click.command("explain", short_help="Why a document came, or did not.")
@click.argument("profile")
@click.argument("document")
@state_option
@output(("table", "json"))
def explain_command(
    profile: str,
    document: str,
    state: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Say why a document was delivered to a profile, or why not, and what would have changed it.

    The terms add up to the score; theta is the threshold, with the parts it is made of.

    \b
    gainful filter explain garden d17 --state my.filter
    """
    refuse_existing(output, overwrite=overwrite)
    from gainful.filtering.answer_text import explained, explanation_record

    with opened(state) as filter_:
        found = filter_.explain(unshown(profile), unshown(document))
    write(as_json(explanation_record(found)) if form == "json" else explained(found, places=places), output)


@click.command("curve", short_help="Utility against cutoff, and the threshold over time.")
@click.argument("profile")
@click.option(
    "--chart",
    type=OutputFile(),
    help="Draw utility against cutoff into a .svg, .png, .pdf, .html or .json file.",
)
@click.option("--over-time", type=OutputFile(), help="Draw the threshold over time, with every delivery.")
@state_option
@output(("table", "json"))
def curve_command(
    profile: str,
    chart: str | None,
    over_time: str | None,
    state: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Show where a profile's threshold comes from: utility at each cutoff of the history, and how the threshold went.

    \b
    gainful filter curve garden --state my.filter
    gainful filter curve garden --chart curve.svg --over-time threshold.png --state my.filter
    """
    refuse_existing(output, chart, over_time, overwrite=overwrite)
    wanted = [path for path in (chart, over_time) if path]
    for path in wanted:
        check_suffix(path)
    from gainful.filtering.answer_text import charts, history_record, history_tables

    if wanted:
        from gainful.presentation.chart_files import ready

        ready()
    with opened(state) as filter_:
        found = filter_.history(unshown(profile))
    if wanted:
        from gainful.formats.output_files import put
        from gainful.presentation.chart_files import rendered

        made = [
            (rendered(draw(found), check_suffix(path)), path)
            for draw, path in zip(charts(), (chart, over_time), strict=True)
            if path
        ]
        for raw, path in made:
            put(raw, path, overwrite=overwrite)
            say(f"The chart is in {path}.")
    write(as_json(history_record(found)) if form == "json" else history_tables(found, places=places), output)


@click.command("preview", short_help="What another threshold would have done.")
@click.argument("profile")
@click.option("--threshold", type=float, required=True, metavar="T", help="Threshold to try.")
@click.option(
    "--most", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Rows to show."
)
@state_option
@output(("table", "json"))
def preview_command(
    profile: str,
    threshold: float,
    most: int,
    state: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Say what would have come with another threshold, and what would have been missed. Nothing changes.

    \b
    gainful filter preview garden --threshold 0.2 --state my.filter
    """
    refuse_existing(output, overwrite=overwrite)
    from gainful.filtering.answer_text import preview_record, previewed

    with opened(state) as filter_:
        found = filter_.preview(unshown(profile), threshold)
    write(
        as_json(preview_record(found)) if form == "json" else previewed(found, most=most, places=places),
        output,
    )
