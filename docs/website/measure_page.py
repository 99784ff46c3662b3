"""The page of a measure: its formula, an example to change, its parameters, when it misleads, and what other tools make of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from html import escape

from docs.website.formula_markup import formula_markup
from docs.website.markdown_text import cell
from docs.website.worked_example import examples, markup
from docs.website.worked_table import KINDS, worked_table

from gainful.dialects.dialect_registry import HOLE, Dialect, Spelled, every
from gainful.dialects.dialect_text import _ours
from gainful.judging.settings import Settings
from gainful.measures import Measure, get, names, parse
from gainful.measures._measure_text import NEEDS, _value
from gainful.measures._parse import by_group, everything

DOI = re.compile(r"doi:(\S+)")


def measure_pages() -> dict[str, str]:
    """Every page by its file's name; index.md has the list."""
    pages = {f"{name.lower()}.md": measure_page(get(name)) for name in names()}
    return {"index.md": index_page()} | pages


def groups() -> dict[str, list[str]]:
    """Names of the measures, group by group."""
    found: dict[str, list[str]] = {}
    for measure in by_group(everything()):
        found.setdefault(measure.group, []).append(measure.name)
    return found


def index_page() -> str:
    """All measures, group by group."""
    parts = [
        "# Measures\n\nEach page has the formula, an example to change, what the parameters mean, when the measure misleads, and "
        "what other tools call it. `gainful measures NAME` prints the same text.\n\n"
        "Cutoffs are written `nDCG@10`, parameters `AP(rel=2)@100`, another summary than the mean `AP(summary=geometric)`. "
        "[Choosing measures](../choosing.md) helps to pick a few.\n"
    ]
    for group, members in groups().items():
        rows = "".join(f"| [`{name}`]({name.lower()}.md) | {get(name).title} |\n" for name in members)
        parts.append(f"\n## {group[0].upper()}{group[1:]}\n\n| measure | what it is |\n|---|---|\n{rows}")
    return "".join(parts)


def measure_page(measure: Measure) -> str:
    """One measure."""
    parts = [
        f"# {measure.name}\n\n{measure.title}\n",
        f'<div class="formulas" data-search-exclude>\n{formula_markup(measure.formula)}\n</div>\n',
        *_example(measure),
        *_parameters(measure),
    ]
    if measure.misleads:
        parts.append(f"## When it misleads\n\n{_sentence(measure.misleads)}\n")
    parts += [*_by_hand(measure), *_other_tools(measure), *_facts(measure)]
    return "\n".join(parts)


def _sentence(misleads: str) -> str:
    """What begins with "Misleads when" as it stands under its heading."""
    return f"It {misleads[0].lower()}{misleads[1:]}"


def _example(measure: Measure) -> Iterator[str]:
    if measure.needs in KINDS:
        yield f"## Worked example\n\n{worked_table(measure)}"
    elif examples(measure):
        yield (
            "## Worked example\n\nChange the grades: every number follows, computed in this page by the operations "
            f"of Gainful's own definition.\n\n{markup(measure)}"
        )


def _parameters(measure: Measure) -> Iterator[str]:
    if measure.parameters:
        rows = "".join(
            f"| `{name}` | {escape(_value(measure, name))} | {cell(text)} |\n"
            for name, text in measure.parameters.items()
        )
        yield f"## Parameters\n\n| parameter | default | meaning |\n|---|---|---|\n{rows}"


def _by_hand(measure: Measure) -> Iterator[str]:
    called = str(measure)
    for name, value in {"cutoff": 10, "recall": 0.5}.items():
        called = f"{measure.name}@{value}" if name in measure._lacks else called
    more = {
        **{
            "subtopics": " --qrels-by subtopics",
            "judges": " --qrels-by judges",
            "preferences": " --qrels-by preferences",
        },
        **{"known": " --known known.txt", "expected": " --expected 10", "probabilities": " --design study"},
    }.get(str(measure.needs), "")
    example = measure.definition.pieces.example
    said = f"By hand: {example}\n\n" if example else ""
    yield f"## Computing it\n\n{said}```\ngainful evaluate qrels.txt bm25.run -m '{called}'{more}\n```\n"


def _other_tools(measure: Measure) -> Iterator[str]:
    rows = list(_rows_of_tools(measure))
    if rows:
        yield (
            "## In other tools\n\nWhat each tool calls it, the measure here that has the same formula, and the conventions that "
            "differ from Gainful's defaults ([dialects](../dialects.md)). Older versions: `gainful dialects`.\n\n"
            '<div class="tools" markdown>\n\n'
            f"| tool | its name | here | conventions that differ |\n|---|---|---|---|\n{''.join(rows)}\n</div>\n"
        )


def _rows_of_tools(measure: Measure) -> Iterator[str]:
    newest: dict[str, Dialect] = {}
    for dialect in every():
        newest.setdefault(dialect.name, dialect)
    called: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for dialect in newest.values():
        for spelled in dialect.measures:
            if parse(spelled.measure.replace(HOLE, "10")).name != measure.name:
                continue
            key = (dialect.title, _ours(spelled).removesuffix("@K"), _differing(dialect, spelled))
            called.setdefault(key, []).append((spelled.name.replace(HOLE, "K"), _ours(spelled)))
    for (title, _, differing), spellings in called.items():
        theirs, ours = (
            ", ".join(dict.fromkeys(f"`{name}`" for name in side)) for side in zip(*spellings, strict=True)
        )
        yield f"| {title.replace('@', '<wbr>@')} | {theirs} | {ours} | {cell(differing)} |\n"


def _differing(dialect: Dialect, spelled: Spelled) -> str:
    default, own = Settings(), dialect.settings_of(spelled)
    said = [
        f"{field.name}={getattr(own, field.name)}"
        for field in fields(Settings)
        if getattr(own, field.name) != getattr(default, field.name)
    ]
    said += [f"a known fault: {spelled.fault}"] if spelled.fault else []
    said += [f"tied scores: {spelled.no_rule}"] if spelled.no_rule else []
    return ", ".join(said)


def _facts(measure: Measure) -> Iterator[str]:
    low, high = measure.bounds
    facts = [f"Values: from {low:g} to {high:g}.".replace("inf", "∞").replace("-", "−")]
    if measure.when:
        facts.append(f"A topic with {measure.when} counts {measure.undefined:g} and is listed as undefined.")
    if measure.summary != "mean":
        facts.append(f"Summary over topics: {measure.summary}.")
    if measure.less_is_better:
        facts.append("The lower, the better.")
    if measure.needs in NEEDS:
        facts.append(NEEDS[measure.needs])
    also = [*(f"`{alias}`" for alias in measure.aliases), *(f"`{root}` (trec_eval)" for root in measure.trec)]
    if also:
        facts.append(f"Also called {', '.join(also)}.")
    if measure.cite:
        linked = DOI.sub(r"[doi:\1](https://doi.org/\1)", escape(measure.cite, quote=False))
        facts.append(f"Source: {linked}.")
    yield "## Facts\n\n" + "".join(f"- {fact}\n" for fact in facts)
