"""The pieces of a measure's docstring: title, formula, a line for every parameter, when it misleads."""

import inspect
import re
from collections.abc import Iterable
from itertools import dropwhile, takewhile
from typing import NamedTuple


class Pieces(NamedTuple):
    """What a measure's docstring says."""

    title: str
    formula: str
    parameters: dict[str, str]
    misleads: str


def pieces(docstring: str | None, names: Iterable[str]) -> Pieces:
    """Take a docstring apart; the names are those of the parameters.

    >>> pieces('''Share of it.
    ...
    ...     P = found / cutoff
    ...
    ... cutoff  last rank counted
    ...
    ... Misleads when nothing is found.
    ... ''', ["cutoff"]).formula
    'P = found / cutoff'
    """
    text = inspect.cleandoc(docstring or "")
    paragraphs = re.split(r"\n\s*\n", text)
    after_title = dropwhile(lambda one: not one.startswith("    "), paragraphs[1:])
    indented = takewhile(lambda one: one.startswith("    "), after_title)
    formula = "\n\n".join(map(inspect.cleandoc, indented))
    misleads = next((" ".join(one.split()) for one in paragraphs if one.startswith("Misleads")), "")
    lines = {}
    for name in names:
        line = re.search(rf"^{name} {{2,}}(\S.*)$", text, re.MULTILINE)
        if line:
            lines[name] = line[1]
    return Pieces(paragraphs[0].strip(), formula, lines, misleads)
