"""gainful dialects: the tools whose numbers can be printed, and what each of them does."""

from __future__ import annotations

import click

from gainful.cli.commands import screen, write


@click.command("dialects", short_help="List the tools whose numbers can be printed, or explain one.")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the dialects, or explain one of them.

    A dialect is another tool's names, conventions and roundings. NAME is one of the list, with or without a version: its
    conventions, its measures and what they are here, and where the facts come from.

    \b
    gainful dialects
    gainful dialects beir
    gainful dialects trec-eval@9
    gainful evaluate qrels.txt bm25.run --dialect beir
    """
    from gainful.dialects.dialect_registry import every, find
    from gainful.dialects.dialect_text import explained, listed

    where = screen(None, wide=False)
    write(listed(every(), where) if name is None else explained(find(name), where), None)
