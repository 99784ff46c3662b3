"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from html import escape

import click
from docs.make_man import EXIT_STATUS, contexts
from docs.website.markdown_text import cell, prose

from gainful.cli.commands import SortedHelp, gainful


def command_pages() -> dict[str, str]:
    """A page for each command, by its file's name; commands of a group stand on the page of the group."""
    every = list(contexts(gainful))
    pages = {"index.md": index_page(every)}
    for context in every:
        words = context.command_path.split()
        if len(words) == 2:
            below = [each for each in every if each.command_path.split()[:2] == words and each is not context]
            pages[f"{words[1]}.md"] = "\n".join(
                [*_section(context, 1), *(line for each in below for line in _section(each, 2))]
            )
    return pages


def index_page(every: list[click.Context]) -> str:
    """All commands, what they do, and how they end."""
    rows = [
        f"| [`{context.command_path}`]({context.command.name}.md) | {cell(context.command.get_short_help_str(200))} |"
        for context in every
        if len(context.command_path.split()) == 2
    ]
    statuses = [f"| {code} | {meaning} |" for code, meaning in EXIT_STATUS.items()]
    return "\n".join(
        [
            "# Commands\n",
            "Every command explains itself: `gainful COMMAND --help`. "
            'Shells complete commands, options, measures, dialects and files after `eval "$(gainful completion bash)"`.\n',
            "| command | what it does |\n|---|---|",
            *rows,
            "\n## Exit codes\n\n| code | meaning |\n|---|---|",
            *statuses,
            "",
        ]
    )


def _section(context: click.Context, level: int) -> Iterator[str]:
    """A command: how it is called, what it does, and its options under their headings."""
    command = context.command
    yield f"{'#' * level} {context.command_path}\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    yield from _help(command.help or "")
    if isinstance(command, click.Group):
        return
    records = {
        option.name: record
        for option in command.get_params(context)
        if isinstance(option, click.Option)
        and (record := option.get_help_record(context))
        and "--help" not in option.opts
    }
    headings = command.headings if isinstance(command, SortedHelp) else {}
    for heading, names in headings.items():
        listed = [records.pop(name) for name in names if name in records]
        yield from _options(heading, listed)
    yield from _options("Options", list(records.values()))


def _help(text: str) -> Iterator[str]:
    """Paragraphs; those that click prints as they are (marked by a backspace) are examples or lists."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        lines = paragraph.splitlines()
        if lines and lines[0].strip() == "\b":
            yield "```text\n" + inspect.cleandoc("\n".join(lines[1:])) + "\n```\n"
        elif lines:
            yield prose(" ".join(line.strip() for line in lines)) + "\n"


def _options(heading: str, records: list[tuple[str, str]]) -> Iterator[str]:
    if not records:
        return
    rows = "".join(
        f"<dt><code>{escape(names)}</code></dt><dd>{escape(meaning)}</dd>\n" for names, meaning in records
    )
    yield f'<p class="heading">{escape(heading)}</p>\n<dl class="options">\n{rows}</dl>\n'
