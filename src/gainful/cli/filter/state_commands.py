"""gainful filter stats, check, rebuild, export, move, forget: the state itself."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, BinaryIO

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing
from gainful.cli.filter.filter_options import Answer, answering, opened, state_option
from gainful.cli.options import OutputFile
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, unshown
from gainful.presentation.text_style import counted

if TYPE_CHECKING:
    from gainful.filtering.state.filter import Filter
    from gainful.filtering.state.filter_results import Forgotten


@click.command("stats", short_help="Show statistics of the state.")
@answering
def stats_command(filter_: Filter) -> Answer:
    """Show statistics of the state."""
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


@click.command("check", short_help="Verify the state.")
@state_option
def check_command(state: str | None) -> None:
    """Verify that the state is intact and that all data in it follows from its log. Changes nothing; exit code 3 on errors."""
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


@click.command("move", short_help="Copy a state to another file or database.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option(
    "--wait",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a process that is writing to the state.",
)
def move_command(source: str, target: str, wait: float) -> None:
    """Copy a state with all its readers to an address where nothing is yet, and verify every table by its digest.

    An address is a file or postgresql://USER@HOST/DATABASE; both directions work. The new state appears when all of it is
    verified, or not at all. The old one stays as it is: stop what uses it before, use the new one from then on, and delete
    the old one when you no longer need it.

    \b
    gainful filter move my.filter postgresql://news@localhost/news
    gainful filter move postgresql://news@localhost/news copy.filter
    """
    from gainful.filtering.state.state_move import move

    moved = move(source, target, wait=wait)
    click.echo(
        f"{moved.target} has all of {moved.source}: {counted(moved.readers, 'reader')}, {counted(moved.tables, 'table')}, "
        f"{counted(moved.rows, 'row')}; every digest agrees. {moved.source} stays as it was: from now on use the new one."
    )


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
