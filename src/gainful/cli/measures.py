"""gainful measures: what can be measured, and what each measure means."""

from __future__ import annotations

import click

from gainful.cli.output import write


@click.command("measures", short_help="List the measures, or explain one.")
@click.argument("name", metavar="[NAME]", required=False)
def command(name: str | None) -> None:
    """List the measures, or explain one: its definition, parameters, reference, and when it misleads.

    \b
    gainful measures
    gainful measures nDCG
    gainful measures ndcg_cut_10
    """
    from gainful.measures import get, names, parse

    if name is None:
        width = max(map(len, names()))
        lines = [f"{each:<{width}}  {get(each).title}" for each in names()]
        write("\n".join(lines) + "\n\n`gainful measures NAME` explains one; nDCG@10, AP(rel=2), RBP(p=0.9) set parameters.\n", None)
        return
    write(_explained(parse(name)), None)


def _explained(measure) -> str:  # type: ignore[no-untyped-def]
    return repr(measure)
