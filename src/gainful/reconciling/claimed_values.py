"""Values that somebody shows: numbers with the digits they have, of measures as they were named, for all topics or for some."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from gainful.dialects import every
from gainful.errors import MeasureError, UsageError
from gainful.measures import Measure, parse
from gainful.reconciling.convention_space import BY_NAME

LEAST_DIGITS = 4
"""Decimals that a number has at least that comes as a float: 0.5 may have been 0.5000."""
_FINEST = 1e-9
_UNIT_OF_PERCENT = 100


@dataclass(frozen=True)
class Number:
    """A value as it was shown, and how far the number behind it may be from it.

    >>> shown_number("0.5371").fits(0.53714), shown_number("0.5371").fits(0.5372)
    (True, False)
    """

    text: str
    value: float
    within: float

    def fits(self, value: float, slack: float = 0.0) -> bool:
        """Whether a value is shown as this number."""
        if math.isnan(self.value) or math.isnan(value):
            return math.isnan(self.value) and math.isnan(value)
        return abs(value - self.value) <= max(self.tolerance, slack)

    @property
    def tolerance(self) -> float:
        """How far a computed value may be from it: half of the last decimal, and what arithmetic leaves."""
        return max(self.within * (1 + 1e-9), _FINEST)

    def off(self, value: float) -> float:
        """How far a value is from this number."""
        return abs(value - self.value)

    @property
    def places(self) -> int:
        """The decimals that it is shown with."""
        return max(0, round(-math.log10(2 * self.within))) if self.within else LEAST_DIGITS

    def as_percentage(self) -> Number:
        """The number where it was meant in percent."""
        return Number(self.text, self.value / _UNIT_OF_PERCENT, self.within / _UNIT_OF_PERCENT)


@dataclass(frozen=True)
class Claimed:
    """What is said of one measure.

    name    the measure, as it was named
    mean    its value for all topics; None where that was not said
    topics  its value for single topics
    """

    name: str
    mean: Number | None = None
    topics: Mapping[str, Number] = field(default_factory=dict)

    @property
    def measure(self) -> Measure:
        """The measure of ours that has this name, or that the tool has under this name."""
        return measure_of(self.name)

    @property
    def numbers(self) -> list[Number]:
        """Every number there is."""
        return [*([] if self.mean is None else [self.mean]), *self.topics.values()]


@dataclass(frozen=True)
class Shown:
    """Values from one source: a command line, a file that a tool wrote, a table of a paper."""

    source: str
    claims: tuple[Claimed, ...]


def shown_number(given: str | float, digits: int | None = None) -> Number:
    """A number from text, whose decimals are those that it is written with, or from a float, whose decimals are told.

    >>> shown_number("53.71%")
    Number(text='53.71%', value=0.5371, within=5e-05)
    """
    text = given.strip() if isinstance(given, str) else repr(float(given))
    try:
        exact = Decimal(text.removesuffix("%"))
    except InvalidOperation:
        raise UsageError(f"'{text}' is not a number; a value looks like 0.5371 or 53.71%.") from None
    if text.endswith("%"):
        exact = exact.scaleb(-2)
    exponent = exact.as_tuple().exponent
    if not isinstance(exponent, int):  # NaN, infinite
        return Number(text, float(exact), 0.0)
    places = max(0, -exponent) if digits is None else max(digits, 0)
    return Number(text, float(exact), 0.5 * 10.0**-places)


def of_mapping(values: Mapping[str, Any], source: str = "values") -> Shown:
    """Values by measure: a number, text, or {topic: number} for each."""
    flat = [
        number
        for value in values.values()
        for number in (value.values() if isinstance(value, Mapping) else [value])
    ]
    digits = _digits(flat)
    claims = []
    for name, value in values.items():
        measure_of(name)
        if isinstance(value, Mapping):
            topics = {str(topic): _number(number, digits) for topic, number in value.items()}
            claims.append(Claimed(name, topics.pop("all", None), topics))
        else:
            claims.append(Claimed(name, _number(value, digits)))
    if not claims:
        raise UsageError(
            "no value is given; say which number is to be explained, as in --value 0.5371 -m nDCG@10."
        )
    return Shown(source, tuple(claims))


def _digits(numbers: Iterable[Any]) -> int:
    """Decimals of the floats of one source: trailing zeros are lost, so that the longest of them decides."""
    most = [
        -int(exponent)
        for number in numbers
        if not isinstance(number, str) and number is not None
        for exponent in [Decimal(repr(float(number))).as_tuple().exponent]
        if isinstance(exponent, int)
    ]
    return max([LEAST_DIGITS, *most])


def _number(value: Any, digits: int) -> Number:
    number = isinstance(value, str | int | float) or hasattr(value, "__float__")
    if isinstance(value, bool) or not number:
        raise UsageError(f"{value!r} is not a value; a value is a number such as 0.5371.")
    return shown_number(value) if isinstance(value, str) else shown_number(float(value), digits)


@lru_cache(maxsize=1024)
def measure_of(name: str) -> Measure:
    """The measure of ours that this is: by our notation, or as a tool spells it, then with our own conventions."""
    try:
        measure = parse(name)
        measure.require()
    except MeasureError as unknown:
        for dialect in every():
            for spelled in dialect.measures:
                cutoff = spelled.cutoff_in(name)
                if cutoff is not None:
                    return without_conventions(spelled.at(cutoff).measure)
        raise MeasureError(f"{str(unknown).rstrip('.')}; no dialect has it either.") from None
    return measure


def without_conventions(measure: Measure) -> Measure:
    """The formula of a measure with our own conventions.

    >>> without_conventions(parse("nDCG(gain=exp,ideal=hits)@10"))
    nDCG@10
    """
    parameters = measure.definition.parameters
    ours = {
        name: parameters[name].default
        for name in measure.params
        if name in BY_NAME and measure.leaves(name) is False
    }
    ours = {name: value for name, value in ours.items() if value is not None and name != "cutoff"}
    return measure(**ours) if ours else measure


def is_measure(name: str) -> bool:
    """Whether somebody has a measure of that name."""
    try:
        measure_of(name.strip())
    except MeasureError:
        return False
    return True
