"""Man pages from the commands themselves: `make man` writes build/man/man1/gainful.1, gainful-evaluate.1 and so on."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from gainful import __version__
from gainful.cli.commands import gainful

EXIT_STATUS = {
    0: "fine",
    1: "a gate failed",
    2: "wrong usage",
    3: "bad data or file; the place is named",
    4: "nothing to compare",
    70: "internal error",
}


def contexts(command: click.Command, parent: click.Context | None = None) -> Iterator[click.Context]:
    """The command and all below it."""
    context = click.Context(
        command, parent=parent, info_name=command.name if parent else "gainful", **command.context_settings
    )
    yield context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from contexts(below, context)


def page(context: click.Context) -> str:
    """The page of a command, in the macros of man."""
    command = context.command
    name = context.command_path.replace(" ", "-")
    lines = [
        f'.TH "{_escaped(name.upper())}" 1 "" "gainful {__version__}" "Gainful"',
        ".SH NAME",
        f"{_escaped(name)} \\- {_escaped(command.get_short_help_str(200).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {_escaped(context.command_path)}",
        _escaped(" ".join(command.collect_usage_pieces(context))),
        ".SH DESCRIPTION",
        *_description(command.help or ""),
    ]
    records = [
        record
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context))
    ]
    if records:
        lines += [".SH OPTIONS", *(line for record in records for line in _item(*record))]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for name_below in command.list_commands(context):
            below = command.get_command(context, name_below)
            if below is not None and not below.hidden:
                lines += _item(f"{name}-{name_below}(1)", below.get_short_help_str(200))
    lines.append(".SH EXIT STATUS")
    lines += [line for code, meaning in EXIT_STATUS.items() for line in _item(str(code), meaning)]
    if context.parent is not None:
        lines += [".SH SEE ALSO", f".BR {_escaped(context.parent.command_path.replace(' ', '-'))} (1)"]
    return "\n".join(lines) + "\n"


def _item(term: str, meaning: str) -> list[str]:
    return [".TP", f".B {_escaped(term)}", _escaped(meaning)]


def _description(text: str) -> Iterator[str]:
    """Paragraphs; those that click prints as they are (marked by a backspace), keep their lines."""
    for number, paragraph in enumerate(inspect.cleandoc(text).split("\n\n")):
        if number:
            yield ".PP"
        lines = paragraph.splitlines()
        kept = lines[0].strip() == "\b"
        if kept:
            yield from (".nf", *map(_escaped, lines[1:]), ".fi")
        else:
            yield from map(_escaped, (line.strip() for line in lines))


def _escaped(text: str) -> str:
    """Text that no character of is an instruction of roff; hyphens can be copied as they are typed."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def write(folder: Path) -> list[Path]:
    """Every page, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for context in contexts(gainful):
        path = folder / f"{context.command_path.replace(' ', '-')}.1"
        path.write_text(page(context), encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "build/man") / "man1"
    print(f"{len(write(target))} man pages are in {target}.")
