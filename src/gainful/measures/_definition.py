"""What all forms of a measure share: the function, what its decorator said, its parameters and its docstring."""

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from gainful.judging.aspects import Needs
from gainful.judging.ranking import PerTopic
from gainful.measures._docstring import Pieces, pieces
from gainful.measures._parameters import Parameter, choice
from gainful.measures._trec import Form, Same

SUMMARIES = ("mean", "geometric", "median", "std", "sum")
When = Literal["nothing relevant", "nothing to gain"]
Unjudged = Literal["nonrelevant", "condense"]
as_summary = choice(SUMMARIES)
as_unjudged = choice(("nonrelevant", "condense"))
WITHOUT_GAIN = ("cost", "residual")  # parts of a measure that a topic with nothing to gain has too
EVERYWHERE = ("summary", "unjudged")  # what every measure takes beside its own parameters


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


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    if any(isinstance(one.annotation, str) for one in signature.parameters.values()):
        try:
            return inspect.signature(function, eval_str=True)
        except Exception:  # a name that exists for type checkers only; such a parameter takes anything
            return signature
    return signature
