"""The reference of the Python interface, from the docstrings of what each package makes public."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

from docs.website.markdown_text import cell, prose

from gainful.measures import Measure

PACKAGES = {
    "gainful": "evaluate, compare, report: what most programs need",
    "gainful.comparisons": "two or more systems, the gate, boards and their correlation",
    "gainful.curves": "measures along the list",
    "gainful.explaining": "a score followed to its parts",
    "gainful.reconciling": "whose number a value is",
    "gainful.dialects": "conventions of other tools",
    "gainful.judging": "judged runs, and what one's own measures are written with",
    "gainful.estimates": "measures of a sample of documents",
    "gainful.auditing": "a model as a judge beside people",
    "gainful.studies": "what to judge, and when to stop",
    "gainful.reports": "one page of all of it, and sections of one's own",
    "gainful.filtering": "streams, profiles and thresholds",
    "gainful.batch": "measures on arrays of any device",
    "gainful.integrations": "Gainful inside other tools",
}
"""Packages in the order of the reference, and what each is for."""
WIDTH = 88
FIELD = re.compile(r"(\w+(?:, \w+)*) {2,}(\S.*)")


def interface_pages() -> dict[str, str]:
    """A page for each package, by its file's name."""
    rows = "".join(f"| [`{name}`]({_file(name)}) | {said} |\n" for name, said in PACKAGES.items())
    index = (
        "# Python\n\nWhat each package makes public; every example is run by the tests. Measures have "
        f"[pages of their own](../measures/index.md).\n\n| package | holds |\n|---|---|\n{rows}"
    )
    return {"index.md": index} | {_file(name): package_page(name) for name in PACKAGES}


def _file(package: str) -> str:
    return (
        f"{package.removeprefix('gainful.').replace('.', '_')}.md"
        if package != "gainful"
        else "evaluate_and_compare.md"
    )


def package_page(name: str) -> str:
    """What a package says of itself, and each of its public names."""
    package = importlib.import_module(name)
    parts = [f"# {name}\n", *docstring(package.__doc__ or "")]
    for public in sorted(set(dir(package)) & set(package.__all__), key=str.lower):
        value = getattr(package, public)
        if not isinstance(value, Measure) and (inspect.isclass(value) or inspect.isroutine(value)):
            parts += described(public, value)
    return "\n".join(parts)


def described(name: str, value: Any) -> Iterator[str]:
    """A class or a function: its signature, its docstring, and what a class has."""
    yield f"## {name}\n"
    if inspect.isroutine(value):
        yield f"```python\n{signature(name, value)}\n```\n"
        yield from docstring(value.__doc__ or "")
        return
    own = value.__doc__ or ""
    yield from docstring("" if own.startswith(f"{name}(") else own)  # what dataclasses write themselves
    members = [(member, part) for member, part in vars(value).items() if not member.startswith("_")]
    rows = [
        f"| `{member}` | {cell(_first_line(part.__doc__))} |\n"
        for member, part in members
        if isinstance(part, property) or type(part).__name__ == "cached_property"
    ]
    if rows:
        yield f"| property | is |\n|---|---|\n{''.join(rows)}"
    for member, part in members:
        function = part.__func__ if isinstance(part, classmethod | staticmethod) else part
        if inspect.isfunction(function):
            yield f"### {name}.{member}\n"
            yield f"```python\n{signature(member, function)}\n```\n"
            yield from docstring(function.__doc__ or "")


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n\n")[0]


def signature(name: str, function: Any) -> str:
    """How it is called: in one line where that fits, else a line for each parameter."""
    try:
        known = inspect.signature(function)
    except ValueError:
        return f"{name}(…)"
    parameters = [each for each in known.parameters.values() if each.name not in ("self", "cls")]
    known = known.replace(
        parameters=[each.replace(annotation=_plain(each.annotation)) for each in parameters],
        return_annotation=_plain(known.return_annotation),
    )
    return known_as_text(name, known)


def known_as_text(name: str, known: inspect.Signature) -> str:
    """A signature as code.

    >>> known_as_text("f", inspect.signature(lambda a, *, b=1: None))
    'f(a, *, b=1)'
    """
    line = f"{name}{known}"
    if len(line) <= WIDTH:
        return line
    written: list[str] = []
    keyword_only = False
    for each in known.parameters.values():
        if each.kind is each.KEYWORD_ONLY and not keyword_only:
            written, keyword_only = [*written, "*"], True
        keyword_only = keyword_only or each.kind is each.VAR_POSITIONAL
        written.append(str(each))
    gives = (
        ""
        if known.return_annotation is known.empty
        else f" -> {inspect.formatannotation(known.return_annotation)}"
    )
    return f"{name}(\n" + "".join(f"    {each},\n" for each in written) + f"){gives}"


class _Annotation:
    """A type that is written as it stands in the code."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(annotation: Any) -> Any:
    return _Annotation(annotation.strip("'\"")) if isinstance(annotation, str) else annotation


def docstring(text: str) -> Iterator[str]:
    """Paragraphs, lines of "name  meaning", formulas and examples as Markdown."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        lines = paragraph.splitlines()
        if not paragraph.strip():
            continue
        if lines[0].lstrip().startswith(">>>"):
            yield f"```pycon\n{inspect.cleandoc(paragraph)}\n```\n"
        elif all(line.startswith("    ") for line in lines):
            yield f"```text\n{inspect.cleandoc(paragraph)}\n```\n"
        elif any(FIELD.fullmatch(line) for line in lines):
            yield from _fields(lines)
        else:
            yield "\n".join(line if line.startswith(("- ", "* ")) else prose(line) for line in lines) + "\n"


def _fields(lines: list[str]) -> Iterator[str]:
    """A table of names and what they mean; lines that go on are indented, others are sentences before or after it."""
    rows: list[list[str]] = []
    before: list[str] = []
    after: list[str] = []
    for line in lines:
        found = FIELD.fullmatch(line)
        if found:
            rows.append([found[1], found[2]])
        elif rows and line.startswith(" ") and not after:
            rows[-1][1] += f" {line.strip()}"
        else:
            (after if rows else before).append(line.strip())
    if before:
        yield prose(" ".join(before)) + "\n"
    yield "| name | meaning |\n|---|---|\n" + "".join(f"| `{name}` | {cell(said)} |\n" for name, said in rows)
    if after:
        yield prose(" ".join(after)) + "\n"
