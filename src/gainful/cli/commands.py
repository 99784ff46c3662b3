"""The group `gainful` and its commands, each imported when it is called; and where they write.

Results go to standard output, or to a file that is written atomically; what cannot be written is refused before any work
is done. Long work shows a bar on standard error, on a terminal only.
"""

from __future__ import annotations

import importlib
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar

import click

from gainful import __version__
from gainful.errors import DataError, UsageError, printable
from gainful.formats.sources import file_type
from gainful.presentation.text_style import COLOURS, PLAIN, Screen

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


COMMANDS = (
    *("evaluate", "compare", "gate", "correlate", "curve", "explain", "report", "measures"),
    *("dialects", "reconcile", "search", "pool", "judge", "audit", "check", "convert", "trec_eval", "filter"),
    *("install-trec-eval", "completion"),
)
"""Names of the commands; each is held by the module of that name, but for those in `_MODULES`."""

_MODULES = {
    "trec_eval": "trec_eval_command",  # gainful.compat.trec_eval has the name already
    "install-trec-eval": "install_trec_eval",
}


class Commands(click.Group):
    """Commands whose modules are imported when they are called.

    places  where each command is: `module:attribute` by its name, in the order in which help lists them
    """

    def __init__(self, places: Mapping[str, str], **given: Any) -> None:
        super().__init__(**given)
        self.places = places

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """The names, in the order of use."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; where there is none, the error names the nearest."""
        if cmd_name not in self.places and ctx.resilient_parsing:  # a shell completes what nobody knows
            return None
        if cmd_name not in self.places:
            near = _nearest(cmd_name, self.list_commands(ctx))
            hint = f"; did you mean {' or '.join(near)}?" if near else "."
            raise click.UsageError(f"No such command {cmd_name!r}{hint}", ctx)
        module, attribute = self.places[cmd_name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


def _nearest(name: str, commands: Sequence[str]) -> list[str]:
    """Commands that begin as this name does, or else those spelled like it."""
    from difflib import get_close_matches

    begins = [command for command in commands if name and command.startswith(name)]
    return begins or get_close_matches(name, commands)


HELP = """Evaluate ranked retrieval, compare systems, and filter streams of documents.

\b
gainful evaluate qrels.txt bm25.run dense.run
gainful evaluate qrels.txt bm25.run -m nDCG@10,AP -q -f json -o scores.json
gainful measures nDCG
"""
gainful = Commands(
    {name: f"gainful.cli.{_MODULES.get(name, name)}:command" for name in COMMANDS},
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
)


class _Version(str):
    """Click's message for --version, which asks what is installed only when it is filled in."""

    def __mod__(self, known: Any) -> str:
        from gainful.cli.installation import installation

        return f"{super().__mod__(known)} · {installation()}"


click.version_option(
    __version__,
    prog_name="gainful",
    message=_Version("%(prog)s %(version)s"),
    help="Show the version, whether the core is native or plain Python, and what it was installed from.",
)(gainful)


class SortedHelp(click.Command):
    """A command whose options stand under headings; those that no heading claims stand last, under Options."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, heading by heading."""
        records = {
            param.name: record
            for param in self.get_params(ctx)
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx))
        }
        for heading, names in self.headings.items():
            with formatter.section(heading):
                formatter.write_dl([records.pop(name) for name in names if name in records])
        if records:
            with formatter.section("Options"):
                formatter.write_dl([*records.values()])


def screen(output: str | None, *, wide: bool) -> Screen:
    """Where text goes: 80 columns unless more are asked for, and colours where a terminal shows them (not with NO_COLOR)."""
    terminal = output is None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return Screen(None if wide else 80, colours=terminal and not os.environ.get("NO_COLOR"))


def write(content: str | bytes, path: str | None, *, overwrite: bool | None = None) -> None:
    """Print the content, or write it to the file, atomically; bytes are not for a terminal.

    overwrite  replace a file that is there, also one that appeared while the command worked; as the command's own
               --overwrite says, unless given
    """
    raw = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    if isinstance(content, bytes) and path is None and sys.stdout.isatty():
        raise UsageError("this format is binary; name a file with -o.")
    if path is None:
        if isinstance(content, str) and sys.stdout.isatty():
            raw = _with_colours(printable(content)).encode("utf-8", "backslashreplace")
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(raw)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise DataError(f"standard output cannot be written: {fault.strerror}.") from None
        return
    from gainful.formats.output_files import put

    if overwrite is None:
        overwrite = bool(click.get_current_context().params.get("overwrite"))
    put(raw, path, overwrite=overwrite)


def refuse_existing(*paths: str | None, overwrite: bool, in_place: str = "") -> None:
    """Raise, before any work is done, where a file would be replaced: without --overwrite any, with it one that is read.

    in_place  the file that is read and may be replaced by what is made of it
    """
    for path in paths:
        if not path or file_type(path) != stat.S_IFREG:
            continue
        if not overwrite:
            raise UsageError(f"{path} already exists; choose another name, or replace it with --overwrite.")
        if any(_same_file(path, read) for read in _files_read() if read != in_place):
            raise UsageError(
                f"{path} is read by this command, and would be lost; choose another name for what is written."
            )


def _files_read() -> Iterator[str]:
    """What the running command was given that may be the name of a file it reads."""
    from gainful.cli.options import OutputFile

    context = click.get_current_context(silent=True)
    for param in context.command.params if context else ():
        value = context.params.get(param.name or "") if context else None
        if not isinstance(param.type, OutputFile):
            yield from (
                each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, str)
            )


def _same_file(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)  # noqa: PTH121 (pathlib takes 2 ms to import)
    except (OSError, ValueError):  # there is no such file, or it is no name of one
        return False


def refuse_one_file(what: str, path: str | None, **others: str | None) -> None:
    """Raise where a file to be written is also one of these others, each under its name."""
    for name, other in others.items():
        if path and other and os.path.realpath(path) == os.path.realpath(other):
            raise UsageError(f"{path} cannot be both the {what} and the {name}; choose another name for one.")


def refuse_two_inputs(*paths: str) -> None:
    """Raise where standard input would have to be read twice."""
    if paths.count("-") > 1:
        raise UsageError("standard input can be read only once, but - is given more than once.")


def _with_colours(text: str) -> str:
    """The text with the colours of `Screen` as a terminal obeys them: of all control sequences, only these pass."""
    for code in (*COLOURS.values(), PLAIN):
        text = text.replace(printable(code), code)
    return text


PATIENCE = 0.7
"""Seconds before there is anything to show."""


class Bar:
    """Shows how far a file has been read, once that takes long enough to wonder."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}
        self._quiet = not sys.stderr.isatty()

    def tell(self, name: str, done: int, whole: int | None) -> None:
        """So much of this is done."""
        if self._quiet or time.monotonic() - self._since < PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                self._amount(),
                TimeRemainingColumn(),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(printable(name), total=whole)
        self._bar.update(self._tasks[name], completed=done)

    def _amount(self) -> ProgressColumn:
        from rich.progress import DownloadColumn

        return DownloadColumn()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


class Counted(Bar):
    """The bar for work that is counted, not measured in bytes."""

    def _amount(self) -> ProgressColumn:
        from rich.progress import MofNCompleteColumn

        return MofNCompleteColumn()
