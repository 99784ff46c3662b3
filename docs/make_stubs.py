"""Writes the types of the measures, from the measures themselves, for editors and type checkers; `make docs`.

src/gainful/measures/__init__.pyi  a class for each measure, whose calls take its own parameters and no others
src/gainful/__init__.pyi           below the line MARK: the same names
"""

import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gainful.measures import Measure
from gainful.measures._parse import everything

PACKAGE = Path(__file__).parents[1] / "src" / "gainful"
MARK = "# Measures, as `make docs` writes them."
WIDER = {  # what a parameter takes beside what its function reads: names, tables
    "Gain": "Gain | str | Mapping[float | str, float | str]",
    "Discount": "Discount | str",
    "Stop": "Stop | str | Mapping[float | str, float]",
    "tuple[float, ...]": "Sequence[float]",
}
HEAD = """\
# Written by `make docs` from the measures themselves.
# mypy: disable-error-code="override"
from collections.abc import Mapping, Sequence
from typing import Literal, Self, overload

from gainful.judging.ranking import PerTopic as PerTopic
from gainful.judging.record import JudgedRun
from gainful.measures._gains import Discount, Gain
from gainful.measures._measure import Measure as Measure, measure as measure
from gainful.measures._parse import get as get, names as names, parse as parse, parse_many as parse_many
from gainful.measures._reader_models import Stop

__all__ = ["Measure", "PerTopic", "get", "measure", "names", "parse", "parse_many"]

_SummaryName = Literal["mean", "geometric", "median", "std", "sum"]
_UnjudgedRule = Literal["nonrelevant", "condense"]
"""


def measures_stub() -> str:
    """The stub of gainful.measures."""
    return HEAD + "".join(map(_declared, everything()))


def package_stub(text: str) -> str:
    """The stub of gainful, whose last part is written anew."""
    head, _, _ = text.partition(MARK)
    names = "".join(f"{measure.name}: _measures._{measure.name}\n" for measure in everything())
    return f"{head}{MARK}\n{names}"


def _declared(measure: Measure) -> str:
    definition = measure.definition
    parameters = inspect.signature(definition.function).parameters
    types = {name: _type(parameters[name].annotation) for name in definition.parameters}
    taken = "".join(f"{name}: {kind} = ..., " for name, kind in types.items())
    taken += "summary: _SummaryName = ..., unjudged: _UnjudgedRule = ..."
    at = (
        f"    def __matmul__(self, value: {types[definition.at]}) -> Self: ...\n"
        if definition.at in types
        else ""
    )
    doc = textwrap.indent(f'"""{measure.title}"""', "    ")
    return (
        f"\nclass _{measure.name}(Measure):\n{doc}\n"
        f"    @overload\n    def __call__(self, judged: JudgedRun, /, *, {taken}) -> PerTopic: ...\n"
        f"    @overload\n    def __call__(self, /, *, {taken}) -> Self: ...\n{at}"
        f"\n{measure.name}: _{measure.name}\n"
    )


def _type(annotation: Any) -> str:
    text = inspect.formatannotation(annotation).rpartition("gainful.measures._gains.")[2]
    text = text.replace("gainful.measures._reader_models.", "")
    first, optional, _ = text.partition(" | None")
    return WIDER.get(first, first) + optional


FILES: dict[Path, Callable[[str], str]] = {
    PACKAGE / "measures" / "__init__.pyi": lambda _: measures_stub(),
    PACKAGE / "__init__.pyi": package_stub,
}

if __name__ == "__main__":
    for file, written in FILES.items():
        file.write_text(written(file.read_text(encoding="utf-8") if file.exists() else ""), encoding="utf-8")
