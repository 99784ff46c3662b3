"""Parameters of measures: what values they take. A name that stands here means the same in every measure."""

import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gainful.errors import MeasureError
from gainful.measures._discounts import as_discount
from gainful.measures._gains import as_gain
from gainful.measures._stops import as_stop

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
    wanted = ", ".join(["a number", " and ".join(limits)] if limits else ["a number"])

    def check(name: str, value: Any) -> float:
        if not _is_number(value) or not (least <= value <= most and above < value < below):
            raise MeasureError(f"{name} must be {wanted}; got {_shown(value)}")
        return plain(value)

    return check


def whole(least: int, most: float = math.inf) -> Check:
    """A check for whole numbers from a least one on."""
    wanted = f"{least} or more" if most >= MOST_RANKS else f"from {least} to {most}"

    def check(name: str, value: Any) -> int:
        if _is_number(value) and value > most >= MOST_RANKS:
            raise MeasureError(f"{name} must be {most:,} or less; got {_shown(value)}")
        if not _is_number(value) or value != int(value) or not least <= value <= most:
            raise MeasureError(f"{name} must be {wanted}{_if_not_whole(value)}; got {_shown(value)}")
        return int(value)

    return check


def choice(options: Sequence[Any]) -> Check:
    """A check for one of a few words."""

    def check(name: str, value: Any) -> Any:
        if not any(value == option and type(value) is type(option) for option in options):
            raise MeasureError(f"{name} must be {' or '.join(map(str, options))}; got {_shown(value)}")
        return value

    return check


def many(one: Check) -> Check:
    """A check for several values, each of which must pass a check."""

    def check(name: str, value: Any) -> tuple[Any, ...]:
        if (
            isinstance(value, str | bytes | Mapping)
            or not isinstance(value, Sequence | np.ndarray)
            or not len(value)
        ):
            raise MeasureError(f"{name} must be a list of numbers in brackets; got {_shown(value)}")
        return tuple(one(name, each) for each in value)

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
    return plain(float(value)) if isinstance(value, float | np.integer | np.floating) else value


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

    def stands_at(self, value: Any) -> bool:
        """Whether the value is the default."""
        return not self.needed and bool(self.default == value) and isinstance(value, type(self.default))

    def checked(self, value: Any) -> Any:
        """The value in its plain form, or an error that says what was wanted."""
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
        real = [one for one in typing.get_args(annotation) if one is not type(None)]
        annotation = real[0] if len(real) == 1 else Any
    if typing.get_origin(annotation) is typing.Literal:
        return choice(typing.get_args(annotation))
    simple: dict[Any, Check] = {float: number(), int: _any_whole, str: kind(str), bool: kind(bool)}
    return simple.get(annotation, anything)


def _is_number(value: Any) -> bool:
    number_like = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    try:
        return number_like and math.isfinite(value)
    except OverflowError:
        return False


def _any_whole(name: str, value: Any) -> int:
    found = number()(name, value)
    if found != int(found):
        raise MeasureError(f"{name} must be a whole number; got {_shown(value)}")
    return int(found)


def _if_not_whole(value: Any) -> str:
    return " and whole" if isinstance(value, float | np.floating) and _is_number(value) and value % 1 else ""


def _shown(value: Any) -> str:
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)
