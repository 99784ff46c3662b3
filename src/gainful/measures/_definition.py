"""What all forms of a measure share: its function, what its decorator and its docstring say, and its parameters.

A parameter whose name stands in `KNOWN` means the same, and takes the same values, in every measure.
"""

import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from gainful.arrays import is_numpy_number, np
from gainful.errors import MeasureError
from gainful.judging.aspects import Needs
from gainful.judging.ranking import PerTopic
from gainful.measures._gains import as_discount, as_gain
from gainful.measures._reader_models import as_stop
from gainful.measures._trec import Form, Same
from gainful.summaries import SUMMARIES

if TYPE_CHECKING:
    from gainful.measures._measure_text import Pieces

When = Literal["nothing relevant", "nothing to gain"]
Group = Literal[
    "everyday",
    "graded",
    "recall",
    "user models",
    "diversity",
    "NTCIR",
    "judges and preferences",
    "sets and filtering",
    "counts",
    "others",
]
"""What a measure is for; lists of measures have them in this order."""
Unjudged = Literal["nonrelevant", "condense"]
EVERYWHERE = ("summary", "unjudged")  # what every measure takes beside its own parameters
Check = Callable[[str, Any], Any]
MOST_RANKS = 1_000_000_000
"""Of a cutoff: longer than any list, and small enough for exact arithmetic."""


def plain(value: float) -> float:
    """A number as it is shown: 2 rather than 2.0, and never NumPy's."""
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def number(
    *, least: float = -math.inf, above: float = -math.inf, most: float = math.inf, below: float = math.inf
) -> Check:
    """A check for numbers within limits."""
    limits = [f"{least:g} or more"] * (least > -math.inf) + [f"above {above:g}"] * (above > -math.inf)
    limits += [f"{most:g} or less"] * (most < math.inf) + [f"below {below:g}"] * (below < math.inf)
    expected = ", ".join(["a number", " and ".join(limits)] if limits else ["a number"])

    def check(name: str, value: Any) -> float:
        if not _is_number(value) or not (least <= value <= most and above < value < below):
            raise MeasureError(f"{name} must be {expected}; got {_shown(value)}")
        return plain(value)

    return check


def whole(least: int, most: float = math.inf) -> Check:
    """A check for whole numbers from a least one on."""
    expected = f"{least} or more" if most >= MOST_RANKS else f"from {least} to {most}"

    def check(name: str, value: Any) -> int:
        if _is_number(value) and value > most >= MOST_RANKS:
            raise MeasureError(f"{name} must be {most:,} or less; got {_shown(value)}")
        if not _is_number(value) or value != int(value) or not least <= value <= most:
            raise MeasureError(f"{name} must be {expected}{_if_not_whole(value)}; got {_shown(value)}")
        return int(value)

    return check


def choice(options: Sequence[Any]) -> Check:
    """A check for one of a few words."""

    def check(name: str, value: Any) -> Any:
        if not any(value == option and type(value) is type(option) for option in options):
            raise MeasureError(f"{name} must be {' or '.join(map(str, options))}; got {_shown(value)}")
        return value

    return check


def many(check_each: Check) -> Check:
    """A check for several values, each of which must pass a check."""

    def check(name: str, value: Any) -> tuple[Any, ...]:
        if (
            isinstance(value, str | bytes | Mapping)
            or not isinstance(value, Sequence | np.ndarray)
            or not len(value)
        ):
            raise MeasureError(f"{name} must be a list of numbers in brackets; got {_shown(value)}")
        return tuple(check_each(name, each) for each in value)

    return check


def kind(type_: type) -> Check:
    """A check for values of a type."""

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, type_):
            raise MeasureError(f"{name} must be {type_.__name__}; got {_shown(value)}")
        return value

    return check


def anything(name: str, value: Any) -> Any:  # noqa: ARG001 - the form of a check
    """A check that lets everything pass, numbers in their plain form."""
    return plain(float(value)) if isinstance(value, float) or is_numpy_number(value) else value


KNOWN: dict[str, Check] = {
    "cutoff": whole(1, MOST_RANKS),
    "rel": number(least=0),
    "gain": lambda _, value: as_gain(value),
    "discount": lambda _, value: as_discount(value),
    "base": number(above=1),
    "p": number(above=0, below=1),
    "beta": number(least=0, most=1e100),  # its square is a number too
    "mult": number(above=0, most=1e6),
    "recall": number(least=0, most=1),
    "levels": many(number(least=0, most=1)),
    "points": whole(2, 100_001),
    "top": number(above=0),
    "documents": whole(0, 10**15),
    "alpha": number(least=0, most=1),
    "gamma": number(above=0, most=1),
    "bottom": number(least=0),
    "T": number(above=0, most=1e6),
    "stop": lambda _, value: as_stop(value),
    "weight": lambda _, value: as_gain(value),
}
MEANING_OF_NONE = {"cutoff": "for every rank"}


class Parameter:
    """One parameter of a measure: its name, its default, and what it takes."""

    __slots__ = ("_check", "default", "name", "needed")

    def __init__(self, parameter: inspect.Parameter) -> None:
        self.name = parameter.name
        self.needed = parameter.default is inspect.Parameter.empty
        self._check = KNOWN.get(self.name) or _by_annotation(parameter.annotation)
        self.default: Any = None
        if not self.needed and parameter.default is not None:
            self.default = self._check(self.name, parameter.default)

    @property
    def may_be_none(self) -> bool:
        """Whether None is a value; it is where it is the default."""
        return not self.needed and self.default is None

    def checked(self, value: Any) -> Any:
        """The value in its plain form, or an error that says what was expected."""
        if value is None and self.may_be_none:
            return None
        try:
            return self._check(self.name, value)
        except MeasureError as fault:
            if not self.may_be_none:
                raise
            meaning = f" {MEANING_OF_NONE[self.name]}" if self.name in MEANING_OF_NONE else ""
            raise MeasureError(str(fault).replace("; got", f", or None{meaning}; got")) from None


def shown(value: Any) -> str:
    """A value as it is written in a measure's name.

    >>> shown((0.25, 1)), shown("jk"), shown(None)
    ('(0.25,1)', 'jk', 'None')
    """
    if isinstance(value, tuple):
        return "(" + ",".join(map(shown, value)) + ("," if len(value) == 1 else "") + ")"
    return value if isinstance(value, str) and value.isidentifier() else repr(value)


def _by_annotation(annotation: Any) -> Check:
    """What a parameter takes, from its type: a Literal's words, numbers, words, truth values."""
    if typing.get_origin(annotation) in (types.UnionType, typing.Union):
        real = [option for option in typing.get_args(annotation) if option is not type(None)]
        annotation = real[0] if len(real) == 1 else Any
    if typing.get_origin(annotation) is typing.Literal:
        return choice(typing.get_args(annotation))
    simple: dict[Any, Check] = {float: number(), int: _any_whole, str: kind(str), bool: kind(bool)}
    return simple.get(annotation, anything)


def _is_number(value: Any) -> bool:
    number_like = (isinstance(value, int | float) and not isinstance(value, bool)) or is_numpy_number(value)
    try:
        return number_like and math.isfinite(value)
    except OverflowError:
        return False


def _any_whole(name: str, value: Any) -> int:
    checked = number()(name, value)
    if checked != int(checked):
        raise MeasureError(f"{name} must be a whole number; got {_shown(value)}")
    return int(checked)


def _if_not_whole(value: Any) -> str:
    return " and whole" if _is_number(value) and value % 1 else ""


def _shown(value: Any) -> str:
    of_numpy = type(value).__module__ == "numpy" and hasattr(value, "item") and not value.ndim
    return repr(value.item()) if of_numpy else repr(value)


as_summary = choice(tuple(SUMMARIES))
as_unjudged = choice(("nonrelevant", "condense"))


class Declared(TypedDict, total=False):
    """What a measure's decorator says: see `measure`."""

    group: Group
    bounds: tuple[float, float]
    undefined: float
    when: When | None
    cite: str
    aliases: tuple[str, ...]
    trec: Mapping[str, Form | Mapping[str, Any]]
    summary: str
    at: str
    may_fall: bool
    less_is_better: bool
    whole_numbers: bool
    diagnostic: bool
    share_of: str | None
    stated: tuple[str, ...]
    unmet: str
    needs: Needs | None


DEFAULTS: Declared = {
    "group": "others",
    "bounds": (-math.inf, math.inf),
    "undefined": 0.0,
    "when": None,
    "cite": "",
    "aliases": (),
    "trec": {},
    "summary": "mean",
    "at": "cutoff",
    "may_fall": False,
    "less_is_better": False,
    "whole_numbers": False,
    "diagnostic": False,
    "share_of": None,
    "stated": (),
    "unmet": "",
    "needs": None,
}


def is_built_in(function: Any) -> bool:
    """Whether the code of a function is Gainful's; its `__module__` may be copied from another, as `functools.wraps` does.

    >>> is_built_in(is_built_in), is_built_in(math.sqrt)
    (True, False)
    """
    module = str(getattr(function, "__globals__", {}).get("__name__"))
    return module.partition(".")[0] == __name__.partition(".")[0] and not hasattr(function, "__wrapped__")


class Definition:
    """What all forms of a measure share: the function and what its decorator said."""

    def __init__(self, function: Callable[..., PerTopic], given: Declared) -> None:
        if unknown := given.keys() - DEFAULTS.keys():
            raise TypeError(
                f"@measure has no keyword {', '.join(sorted(unknown))}; it takes {', '.join(DEFAULTS)}"
            )
        declared = DEFAULTS | given
        self.function = function
        self.name: str = function.__name__
        self.module: str = function.__module__
        self.built_in = is_built_in(function)
        self.at: str = declared["at"]
        self.group: Group = declared["group"]
        self.bounds: tuple[float, float] = declared["bounds"]
        self.undefined = float(declared["undefined"])
        self.when: When | None = declared["when"]
        self.cite: str = declared["cite"]
        self.aliases: tuple[str, ...] = tuple(declared["aliases"])
        self.trec: Mapping[str, Form] = MappingProxyType(
            {
                root: Same(**form) if isinstance(form, Mapping) else form
                for root, form in declared["trec"].items()
            }
        )
        self.summary: str = as_summary("summary", declared["summary"])
        self.may_fall: bool = declared["may_fall"]
        self.less_is_better: bool = declared["less_is_better"]
        self.whole_numbers: bool = declared["whole_numbers"]
        self.diagnostic: bool = declared["diagnostic"]
        self.share_of: str | None = declared["share_of"]
        self.stated: tuple[str, ...] = tuple(declared["stated"])
        self.unmet: str = declared["unmet"]
        self.needs: Needs | None = declared["needs"]
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
    def pieces(self) -> "Pieces":
        """What its docstring says."""
        from gainful.measures._measure_text import pieces

        return pieces(self.function.__doc__, self.parameters)

    def unknown_parameter(self, name: str) -> str:
        """What to say of a parameter that the measure does not take: the nearest that it does."""
        from difflib import get_close_matches

        takes = [*self.parameters, *EVERYWHERE]
        near = get_close_matches(name, takes, n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        return f"{self.name} has no parameter {name}{hint} It takes {', '.join(takes)}"


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    if any(isinstance(parameter.annotation, str) for parameter in signature.parameters.values()):
        try:
            return inspect.signature(function, eval_str=True)
        except Exception:  # a name that exists for type checkers only; such a parameter takes anything
            return signature
    return signature
