"""gainful measures: what can be measured, and what each measure means."""

from __future__ import annotations

import click

from gainful.cli.commands import write


@click.command("measures", short_help="List the measures, or explain one.")
@click.argument("name", metavar="[NAME]", required=False)
def command(name: str | None) -> None:
    """List the measures, or explain one: its definition, parameters, reference, and when it misleads.

    \b
    gainful measures
    gainful measures nDCG
    gainful measures ndcg_cut_10
    """
    from gainful.measures import parse
    from gainful.measures._measure_text import explained

    write(listed() if name is None else explained(parse(name)), None)


def listed() -> str:
    """Every measure with its title."""
    from gainful.measures import get, names

    width = max(map(len, names()))
    lines = [f"{name:<{width}}  {get(name).title}" for name in names()]
    return (
        "\n".join(lines)
        + "\n\ngainful measures NAME explains one; nDCG@10, AP(rel=2), RBP(p=0.9) set parameters.\n"
    )
