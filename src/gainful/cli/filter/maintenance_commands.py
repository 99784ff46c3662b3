"""gainful filter stats, check, rebuild, export and forget: the state itself."""

from __future__ import annotations

import io
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

import click

from gainful.cli import say
from gainful.cli.filter.filter_options import as_json, named, opened, state_option
from gainful.cli.options import output, refuse_existing
from gainful.cli.output import OutputFile, write
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, unshown
from gainful.presentation.numbers import counted

if TYPE_CHECKING:
    from gainful.filtering.state.filter import Filter


@click.command("stats", short_help="The state in numbers.")
@state_option
@output(("table", "json"))
def stats_command(state: str | None, form: str, output: str | None, overwrite: bool, places: int) -> None:  # noqa: ARG001 (no decimals here)
    """Count what the state holds."""
    refuse_existing(output, overwrite=overwrite)
    from dataclasses import asdict

    with opened(state) as filter_:
        found = asdict(filter_.stats())
    found["created"] = found["created"].isoformat()
    if form == "json":
        write(as_json(found), output)
        return
    from gainful.presentation.table import Table

    cells = {
        name: f"{value:,}" if isinstance(value, int) else "none" if value is None else value
        for name, value in found.items()
    }
    body = [[name.replace("_", " "), cell] for name, cell in cells.items()]
    grid = Table(["state", shown(named(state))], body, names=2)
    write(f"{grid.text()}\n", output)


@click.command("check", short_help="Check that file, log and profiles agree.")
@state_option
def check_command(state: str | None) -> None:
    """Check that the file is whole and that everything in it follows from its log. Changes nothing; exit 3 if not so."""
    with opened(state) as filter_:
        findings = filter_.check()
    if findings:
        raise DataError(
            "\n".join(
                [
                    f"{shown(named(state))}: {counted(len(findings), 'finding')}.",
                    *(f"  {one}" for one in findings),
                ]
            )
        )
    click.echo(f"{shown(named(state))} is in order.")


@click.command("rebuild", short_help="Rebuild everything from the log.")
@state_option
def rebuild_command(state: str | None) -> None:
    """Rebuild profiles, thresholds and decisions from the log, and compare them with what was there; exit 3 if they differ."""
    with opened(state) as filter_:
        done = filter_.rebuild()
    said = f"{counted(done.events, 'event')}, {counted(done.documents, 'document')}, "
    said += f"{counted(done.decisions, 'decision')} compared"
    if done.unchecked:
        said += f", {done.unchecked:,} not, because something that mattered was forgotten since"
    if not done.agrees:
        differing = "\n".join(f"  {one}" for one in done.differing)
        raise DataError(
            f"rebuilt from {said}. What was there differed, and is now as the log says:\n{differing}"
        )
    click.echo(f"Rebuilt from {said}: everything agrees.")


@click.command("export", short_help="Everything, as JSON lines.")
@click.option("-o", "--output", type=OutputFile(), help="Write here, atomically.")
@click.option("--overwrite", is_flag=True, help="Replace an output file that is there.")
@state_option
def export_command(output: str | None, overwrite: bool, state: str | None) -> None:
    """Write everything that the state holds as JSON lines: a header, then all events in their order.

    A file that it writes can be read by its owner only, as the state itself.

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


@click.group("forget", short_help="Remove a document or a profile for good.")
def forget_group() -> None:
    """Remove a document or a profile for good, from the log too. There is no way back.

    \b
    gainful filter forget document d17 --state my.filter
    gainful filter forget profile garden --yes --state my.filter
    """


@forget_group.command("document", short_help="A document, its text and what was said of it.")
@click.argument("document")
@click.option("--yes", is_flag=True, help="Do not ask.")
@state_option
def forget_document_command(document: str, yes: bool, state: str | None) -> None:
    """Remove a document for good: its text, its deliveries and the feedback on it. It will not be taken in again."""
    _surely(f"document {shown(unshown(document))}", yes)
    with opened(state) as filter_:
        done = filter_.forget_document(unshown(document))
    _forgotten(f"Document {shown(unshown(document))}", done.events, done.copies)


@forget_group.command("profile", short_help="A profile, its deliveries and feedback.")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@state_option
def forget_profile_command(name: str, yes: bool, state: str | None) -> None:
    """Remove a profile for good, with its deliveries and feedback; also one that was removed before."""
    _surely(f"profile {shown(unshown(name))}", yes)
    with opened(state) as filter_:
        done = filter_.forget_profile(unshown(name))
    _forgotten(f"Profile {shown(unshown(name))}", done.events, done.copies)


@forget_group.command("traces", short_help="What another process kept of something forgotten.")
@state_option
def forget_traces_command(state: str | None) -> None:
    """Rewrite the file, without traces of what was forgotten: needed only where forgetting has asked for it."""
    with opened(state) as filter_:
        filter_.scrub()
    click.echo(f"{shown(named(state))} was rewritten; nothing is left of what was forgotten.")


def _surely(what: str, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(f"forgetting {what} cannot be undone; say --yes if it is meant.")
    click.confirm(f"Remove {what} for good? There is no way back.", abort=True, err=True)


def _forgotten(what: str, events: int, copies: tuple[str, ...]) -> None:
    click.echo(f"{what} was removed for good, with {counted(events, 'event')} of the log.")
    for path in copies:
        say(f"note: {shown(path)} is a copy of an older version and may still hold it; remove it too.")
