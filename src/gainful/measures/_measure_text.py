"""A measure explained: what its own file says, as text."""

from __future__ import annotations

import textwrap

from gainful.measures._measure import Measure

_WIDTH = 100
NEEDS = {
    "subtopics": "Needs judgments by subtopic: topic, subtopic, document, grade (--qrels-by subtopics).",
    "judges": "Needs judgments by judge: topic, judge, document, grade (--qrels-by judges).",
    "preferences": "Needs preferences: topic, judge, document, level (--qrels-by preferences).",
    "known": "Needs the documents that the user knew (--known).",
    "expected": "Needs how many relevant documents the user expected (--expected).",
}


def explained(measure: Measure) -> str:
    """One measure, as its own file says it."""
    parts = [f"{measure}: {measure.title}", textwrap.indent(measure.formula, "    ")]
    if measure.parameters:
        params = measure.params
        width = max(map(len, measure.parameters))
        lines = [
            f"{name:<{width}}  {text}"
            + (f"  [{_value(params[name])}]" if name in params else "  [must be given]")
            for name, text in measure.parameters.items()
        ]
        parts.append("\n".join(lines))
    low, high = measure.bounds
    facts = [f"from {low:g} to {high:g}".replace("inf", "∞")]
    if measure.when:
        facts.append(f"a topic with {measure.when} counts {measure.undefined:g} and is listed as undefined")
    if measure.summary != "mean":
        facts.append(f"summary over topics: {measure.summary}")
    parts.append(_wrapped("; ".join(facts).capitalize() + "."))
    if measure.needs in NEEDS:
        parts.append(_wrapped(NEEDS[measure.needs]))
    if measure.misleads:
        parts.append(_wrapped(measure.misleads))
    also = [*measure.aliases, *(f"{root} (trec_eval)" for root in measure.trec)]
    if also:
        parts.append(_wrapped("Also called " + ", ".join(also) + "."))
    if measure.cite:
        parts.append(_wrapped(measure.cite))
    return "\n\n".join(parts) + "\n"


def _value(value: object) -> str:
    return "none" if value is None else str(value)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
