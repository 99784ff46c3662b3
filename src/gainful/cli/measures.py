"""gainful measures: what can be measured, and what each measure means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from gainful.cli.commands import write

if TYPE_CHECKING:
    from gainful.measures import Measure

_WIDTH = 80


@click.command("measures", short_help="List the measures, or explain one.")
@click.argument("words", metavar="[NAME|WORD]", nargs=-1)
@click.option("--all", "every", is_flag=True, help="List every measure, not only the everyday ones.")
def command(words: tuple[str, ...], every: bool) -> None:
    """List the everyday measures, list those about a word, or explain one measure.

    NAME is a measure: its definition, parameters, reference, and when it misleads. WORD is looked for in the names and
    descriptions of all measures, and in the names of their groups.

    \b
    gainful measures
    gainful measures --all
    gainful measures recall
    gainful measures nDCG
    gainful measures ndcg_cut_10
    """
    from gainful.measures._measure_text import explained
    from gainful.measures._parse import everything, parse

    text = " ".join(words)
    if not text:
        write(_listed(everything()) if every else _everyday(everything()), None)
        return
    about = [] if _is_own_name(text) else _about(text, everything())
    if len(about) > 1:
        write(_listed(about), None)
    else:
        write(explained(about[0] if about else parse(text)), None)


def _is_own_name(text: str) -> bool:
    from gainful.measures._parse import in_file

    return in_file(text.lower()) is not None


def _about(word: str, measures: Sequence[Measure]) -> list[Measure]:
    """The measures that have the word in their title, the beginning of a word suffices; or are in the group of that name."""
    begins = re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)
    return [measure for measure in measures if begins.search(f"{measure.title} {measure.group}")]


def _everyday(measures: Sequence[Measure]) -> str:
    """The everyday measures, and how many there are of each other group."""
    from gainful.measures._parse import by_group

    others = {measure.group: 0 for measure in by_group(measures) if measure.group != "everyday"}
    for measure in measures:
        if measure.group in others:
            others[measure.group] += 1
    everyday = [measure for measure in measures if measure.group == "everyday"]
    more = ", ".join(f"{group} ({count})" for group, count in others.items())
    return (
        f"{_lines(everyday)}\n\n{_wrapped(f'More with --all, or by a word: {more}.')}\n"
        "gainful measures recall lists those about recall; gainful measures nDCG explains one.\n"
    )


def _listed(measures: Sequence[Measure]) -> str:
    """Measures with their titles, group by group."""
    from gainful.measures._parse import by_group

    ordered = by_group(measures)
    parts = [
        f"{group}\n{_lines([measure for measure in ordered if measure.group == group])}"
        for group in dict.fromkeys(measure.group for measure in ordered)
    ]
    closing = "gainful measures NAME explains one; nDCG@10, AP(rel=2), RBP(p=0.9) set parameters."
    return "\n\n".join([*parts, closing]) + "\n"


def _lines(measures: Sequence[Measure]) -> str:
    width = max(len(measure.name) for measure in measures)
    return "\n".join(f"  {measure.name:<{width}}  {measure.title}" for measure in measures)


def _wrapped(text: str) -> str:
    import textwrap

    return textwrap.fill(text, _WIDTH, break_long_words=False)
