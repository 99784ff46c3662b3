"""gainful filter near, explain, curve, preview, stats, check, rebuild, export, forget: questions to a state, and its upkeep."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, write
from gainful.cli.filter.filter_options import (
    Answer,
    Derived,
    answering,
    as_json,
    opened,
    state_option,
)
from gainful.cli.options import OutputFile, output
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, unshown
from gainful.presentation.chart_files import check_suffix
from gainful.presentation.text_style import counted

if TYPE_CHECKING:
    from gainful.filtering.state.filter import Filter
    from gainful.filtering.state.filter_results import Forgotten


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

    with opened(state) as filter_:
        misses = filter_.near_misses(unshown(profile), most=most, last=last)
        described = list(zip(misses, filter_.parts(misses), strict=True))
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

    explanation = filter_.explain(unshown(profile), unshown(document))
    return Answer(partial(explanation_record, explanation), partial(explained, explanation))


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


@click.command("stats", short_help="Show statistics of the state file.")
@answering
def stats_command(filter_: Filter) -> Answer:
    """Show statistics of the state file."""
    stats = asdict(filter_.stats())
    stats["created"] = stats["created"].isoformat()

    def text(*, places: int) -> str:  # noqa: ARG001 (all are whole numbers)
        from gainful.presentation.table import Table

        cells = {
            name: f"{value:,}" if isinstance(value, int) else "none" if value is None else value
            for name, value in stats.items()
        }
        body = [[name.replace("_", " "), cell] for name, cell in cells.items()]
        return f"{Table(['state', filter_.name], body, names=2).text()}\n"

    return Answer(lambda: stats, text)


@click.command("check", short_help="Verify the state file.")
@state_option
def check_command(state: str | None) -> None:
    """Verify that the file is intact and that all data in it follows from its log. Changes nothing; exit code 3 on errors."""
    with opened(state) as filter_:
        findings = filter_.check()
    if findings:
        raise DataError(
            "\n".join(
                [
                    f"{filter_.name}: {counted(len(findings), 'finding')}.",
                    *(f"  {finding}" for finding in findings),
                ]
            )
        )
    click.echo(f"{filter_.name} is in order.")


@click.command("rebuild", short_help="Rebuild everything from the log.")
@state_option
def rebuild_command(state: str | None) -> None:
    """Rebuild profiles, thresholds and decisions from the log, and compare with the old ones; exit code 3 if they differ."""
    with opened(state) as filter_:
        done = filter_.rebuild()
    said = f"{counted(done.events, 'event')}, {counted(done.documents, 'document')}, "
    said += f"{counted(done.decisions, 'decision')} compared"
    if done.unchecked:
        said += f", {done.unchecked:,} not compared, because data they depended on was erased"
    if not done.agrees:
        differing = "\n".join(f"  {table}" for table in done.differing)
        raise DataError(f"rebuilt from {said}. These tables differed and were corrected:\n{differing}")
    click.echo(f"Rebuilt from {said}: everything agrees.")


@click.command("export", short_help="Export everything as JSON lines.")
@click.option("-o", "--output", type=OutputFile(), help="Write to this file, atomically.")
@click.option("--overwrite", is_flag=True, help="Replace an existing output file.")
@state_option
def export_command(output: str | None, overwrite: bool, state: str | None) -> None:
    """Export the whole state as JSON lines: a header, then all events in order.

    The exported file is readable by its owner only, like the state itself.

    \b
    gainful filter export -o mine.jsonl --state my.filter
    """
    refuse_existing(output, overwrite=overwrite)
    with opened(state) as filter_:
        if output is None:
            _exported(filter_, sys.stdout.buffer)
            return
        from gainful.formats.output_files import putting

        with putting(output, overwrite=overwrite, private=True) as file:
            lines = _exported(filter_, file)
    click.echo(f"{counted(lines, 'line')} in {shown(output)}.")


def _exported(filter_: Filter, file: BinaryIO) -> int:
    """How many lines were written, as UTF-8 whatever the terminal's encoding is."""
    text = io.TextIOWrapper(file, "utf-8", newline="\n", write_through=True)
    try:
        return filter_.export(text)
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise DataError(f"the export cannot be written: {fault.strerror}.") from None
    finally:
        with suppress(OSError):
            text.detach()


@click.group("forget", short_help="Erase a document or a profile permanently.")
def forget_group() -> None:
    """Erase a document or a profile permanently, from the log too. This cannot be undone.

    \b
    gainful filter forget document d17 --state my.filter
    gainful filter forget profile garden --yes --state my.filter
    """


@forget_group.command("document", short_help="Erase a document, its text and its feedback.")
@click.argument("document")
@click.option("--yes", is_flag=True, help="Do not ask.")
@state_option
def forget_document_command(document: str, yes: bool, state: str | None) -> None:
    """Erase a document permanently, with its text, deliveries and feedback. It will not be ingested again."""
    _surely(f"document {shown(unshown(document))}", yes)
    with opened(state) as filter_:
        done = filter_.forget_document(unshown(document))
    _forgotten(f"Document {shown(unshown(document))}", done)


@forget_group.command("profile", short_help="Erase a profile, its deliveries and feedback.")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@state_option
def forget_profile_command(name: str, yes: bool, state: str | None) -> None:
    """Erase a profile permanently, with its deliveries and feedback; also one that was removed before."""
    _surely(f"profile {shown(unshown(name))}", yes)
    with opened(state) as filter_:
        done = filter_.forget_profile(unshown(name))
    _forgotten(f"Profile {shown(unshown(name))}", done)


@forget_group.command("traces", short_help="Finish an erasure that could not be completed.")
@state_option
def forget_traces_command(state: str | None) -> None:
    """Rewrite the file without traces of erased data; needed only if `forget` asked for it."""
    with opened(state) as filter_:
        filter_.scrub()
    click.echo(f"{filter_.name} was rewritten without traces of erased data.")


def _surely(what: str, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(f"erasing {what} cannot be undone; confirm with --yes.")
    click.confirm(f"Erase {what} permanently? This cannot be undone.", abort=True, err=True)


def _forgotten(what: str, done: Forgotten) -> None:
    click.echo(f"{what} was erased, with {counted(done.events, 'event')} of the log.")
    if done.remains:
        say(f"note: {done.remains}.")
    for path in done.copies:
        say(f"note: {shown(path)} is a copy of an older version and may still contain it; delete it too.")
