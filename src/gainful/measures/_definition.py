"""What is known of a measure beside its values: its function, what its decorator and its docstring say, its names."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import dropwhile, takewhile
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from gainful.judging.aspects import Needs
from gainful.judging.ranking import PerTopic
from gainful.measures._parameters import Parameter, choice
from gainful.measures._trec import Form, Same

SUMMARIES = ("mean", "geometric", "median", "std", "sum")
When = Literal["nothing relevant", "nothing to gain"]
Unjudged = Literal["nonrelevant", "condense"]
as_summary = choice(SUMMARIES)
as_unjudged = choice(("nonrelevant", "condense"))
WITHOUT_GAIN = ("cost", "residual")  # parts of a measure that a topic with nothing to gain has too
EVERYWHERE = ("summary", "unjudged")  # what every measure takes beside its own parameters


class Pieces(NamedTuple):
    """What a measure's docstring says."""

    title: str
    formula: str
    parameters: dict[str, str]
    misleads: str


class Definition:
    """What all forms of a measure share: the function and what its decorator said."""

    def __init__(self, function: Callable[..., PerTopic], said: Mapping[str, Any]) -> None:
        self.function = function
        self.name: str = function.__name__
        self.module: str = function.__module__
        self.at: str = said["at"]
        self.bounds: tuple[float, float] = said["bounds"]
        self.undefined = float(said["undefined"])
        self.when: When | None = said["when"]
        self.cite: str = said["cite"]
        self.aliases: tuple[str, ...] = tuple(said["aliases"])
        self.trec: Mapping[str, Form] = MappingProxyType(
            {root: form if hasattr(form, "read") else Same(**form) for root, form in said["trec"].items()}
        )
        self.summary: str = as_summary("summary", said["summary"])
        self.may_fall: bool = said["may_fall"]
        self.less_is_better: bool = said["less_is_better"]
        self.whole_numbers: bool = said["whole_numbers"]
        self.diagnostic: bool = said["diagnostic"]
        self.needs: Needs | None = said["needs"]
        signature = _signature(function)
        self.parameters = {
            name: Parameter(parameter)
            for name, parameter in signature.parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        }
        for name in EVERYWHERE:
            if name in self.parameters:
                raise TypeError(
                    f"{self.name}: every measure takes {name} already; call this parameter something else"
                )

    @cached_property
    def pieces(self) -> Pieces:
        """What its docstring says."""
        return pieces(self.function.__doc__, self.parameters)


class Described:
    """What a measure says of itself: its name, what its definition declares, and what its docstring says."""

    definition: Definition
    summary: str
    unjudged: Unjudged
    _given: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Without parameters: nDCG."""
        return self.definition.name

    @property
    def params(self) -> dict[str, Any]:
        """Every parameter and its value; one that must be set and is not is left out."""
        given: Mapping[str, Any] = self._given
        return {
            name: given.get(name, one.default)
            for name, one in self.definition.parameters.items()
            if name in given or not one.needed
        }

    @property
    def cutoff(self) -> int | None:
        """The last rank counted; None where every rank counts, or where the measure takes no cutoff."""
        return self._given.get("cutoff")

    def leaves(self, name: str) -> bool:
        """Whether it takes this parameter and leaves it at a default that is a value, not None."""
        parameter = self.definition.parameters.get(name)
        return parameter is not None and name not in self._given and parameter.default is not None

    @property
    def bounds(self) -> tuple[float, float]:
        """Its least and greatest value."""
        return self.definition.bounds

    @property
    def undefined(self) -> float:
        """What a topic with nothing to measure is worth."""
        return self.definition.undefined

    @property
    def when(self) -> When | None:
        """When a topic has nothing to measure, beside where the formula has no value."""
        return self.definition.when

    @property
    def cite(self) -> str:
        """Where it comes from."""
        return self.definition.cite

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names it is known by."""
        return self.definition.aliases

    @property
    def trec(self) -> Mapping[str, Form]:
        """What trec_eval calls it, and how it writes parameters there."""
        return self.definition.trec

    @property
    def needs(self) -> Needs | None:
        """What the judgments must say beside a grade for each document: "subtopics", "judges", "preferences"."""
        return self.definition.needs

    @property
    def may_fall(self) -> bool:
        """Whether moving a better document up may lower it."""
        return self.definition.may_fall

    @property
    def less_is_better(self) -> bool:
        """Whether a lower value is the better one; so for what a part of it costs or leaves open."""
        return self.definition.less_is_better or self._given.get("part") in ("cost", "residual")

    @property
    def diagnostic(self) -> bool:
        """Whether it counts or describes, and a higher value is no merit: nobody leads on it."""
        return self.definition.diagnostic or self.definition.whole_numbers

    @property
    def whole_numbers(self) -> bool:
        """Whether it counts, and topics are summed: every value is then a whole number, shown without decimals."""
        return self.definition.whole_numbers and self.summary == "sum"

    @property
    def trec_names(self) -> tuple[str, ...]:
        """Every name under which trec_eval prints it. The level of relevance is an option there, not in the name."""
        parameters = self.definition.parameters
        values = {**self.params, "summary": self.summary, "unjudged": self.unjudged}
        defaults = {
            **{name: one.default for name, one in parameters.items()},
            "summary": self.definition.summary,
            "unjudged": "nonrelevant",
        }
        if defaults.get("rel") is not None:
            values["rel"] = defaults["rel"]
        written = ((root, form.write(values, defaults)) for root, form in self.trec.items())
        return tuple(root + suffix for root, suffix in written if suffix is not None)

    @property
    def trec_name(self) -> str | None:
        """The name that trec_eval prints (map_cut_10), or None where it has none."""
        names = self.trec_names
        return names[0] if names else None

    @property
    def title(self) -> str:
        """The first line of its docstring."""
        return self.definition.pieces.title

    @property
    def formula(self) -> str:
        """Its formula, as the docstring writes it."""
        return self.definition.pieces.formula

    @property
    def parameters(self) -> dict[str, str]:
        """A line for every parameter."""
        return self.definition.pieces.parameters

    @property
    def misleads(self) -> str:
        """When not to trust it."""
        return self.definition.pieces.misleads


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
        line = re.search(rf"^{name} {{2,}}(\S.*)$", text, re.MULTILINE)
        if line:
            lines[name] = line[1]
    return Pieces(paragraphs[0].strip(), formula, lines, misleads)


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    if any(isinstance(one.annotation, str) for one in signature.parameters.values()):
        try:
            return inspect.signature(function, eval_str=True)
        except Exception:  # a name that exists for type checkers only; such a parameter takes anything
            return signature
    return signature
