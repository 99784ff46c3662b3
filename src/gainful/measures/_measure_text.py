"""A measure explained: what its own file says, as text and as HTML."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable
from html import escape
from itertools import dropwhile, takewhile
from typing import NamedTuple

from gainful.measures._measure import Measure
from gainful.presentation.table import Table
from gainful.presentation.text_style import narrow_formula

_WIDTH = 80
NEEDS = {
    "subtopics": "Needs judgments by subtopic: topic, subtopic, document, grade (--qrels-by subtopics).",
    "judges": "Needs judgments by judge: topic, judge, document, grade (--qrels-by judges).",
    "preferences": "Needs preferences: topic, judge, document, level (--qrels-by preferences).",
    "known": "Needs the documents that the user knew (--known).",
    "probabilities": "Needs inclusion probabilities: a fifth column of the judgments, or --design.",
    "expected": "Needs how many relevant documents the user expected (--expected).",
}


def explained(measure: Measure) -> str:
    """One measure, as its own file says it, for the terminal."""
    formula = narrow_formula(measure.formula, _WIDTH - 4)
    parts = [_wrapped(f"{measure}: {measure.title}"), textwrap.indent(formula, "    ")]
    if measure.parameters:
        width = max(map(len, measure.parameters))
        lines = [
            _wrapped(f"{name:<{width}}  {text}  [{_value(measure, name)}]", indent=" " * (width + 2))
            for name, text in measure.parameters.items()
        ]
        parts.append("\n".join(lines))
    return "\n\n".join([*parts, *map(_wrapped, _facts(measure))]) + "\n"


def html(measure: Measure) -> str:
    """One measure, as its own file says it, for a notebook."""
    rows = [[name, _value(measure, name), text] for name, text in measure.parameters.items()]
    table = Table(["parameter", "value", "meaning"], rows, names=(0, 1, 2)).html() if rows else ""
    title = f"<p><b>{escape(str(measure))}</b>: {escape(measure.title)}</p>"
    facts = "".join(f"<p>{escape(fact)}</p>" for fact in _facts(measure))
    return f"{title}<pre>{escape(measure.formula)}</pre>{table}{facts}"


def _facts(measure: Measure) -> list[str]:
    """Its bounds, what it needs, when it misleads, its other names, and where it comes from."""
    low, high = measure.bounds
    facts = [f"from {low:g} to {high:g}".replace("inf", "∞")]
    if measure.when:
        facts.append(f"a topic with {measure.when} counts {measure.undefined:g} and is listed as undefined")
    if measure.summary != "mean":
        facts.append(f"summary over topics: {measure.summary}")
    sentences = ["; ".join(facts).capitalize() + "."]
    if measure.needs in NEEDS:
        sentences.append(NEEDS[measure.needs])
    if measure.misleads:
        sentences.append(measure.misleads)
    example = measure.definition.pieces.example
    if example:
        sentences.append(f"Example: {example}")
    also = [*measure.aliases, *(f"{root} (trec_eval)" for root in measure.trec)]
    if also:
        sentences.append("Also called " + ", ".join(also) + ".")
    if measure.cite:
        sentences.append(measure.cite)
    return sentences


def _value(measure: Measure, name: str) -> str:
    if name not in measure.params:
        return "must be given"
    value = measure.params[name]
    return "none" if value is None else str(value)


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


class Pieces(NamedTuple):
    """What a measure's docstring says."""

    title: str
    formula: str
    parameters: dict[str, str]
    misleads: str
    example: str


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
    after_title = dropwhile(lambda paragraph: not paragraph.startswith("    "), paragraphs[1:])
    indented = takewhile(lambda paragraph: paragraph.startswith("    "), after_title)
    formula = "\n\n".join(map(inspect.cleandoc, indented))
    misleads = next((" ".join(text.split()) for text in paragraphs if text.startswith("Misleads")), "")
    lines = {}
    for name in names:
        entry = re.search(rf"^{name} {{2,}}(\S.*(?:\n {{2,}}\S.*)*)", text, re.MULTILINE)
        if entry:
            lines[name] = " ".join(entry[1].split())
    shown_by = next((place for place, text in enumerate(paragraphs) if text.startswith(">>>")), 0)
    example = " ".join(paragraphs[shown_by - 1].split()).rstrip(":") if shown_by > 1 else ""
    if example == misleads or paragraphs[shown_by - 1].startswith(("    ", *(f"{name}  " for name in lines))):
        example = ""
    return Pieces(paragraphs[0].strip(), formula, lines, misleads, example)
