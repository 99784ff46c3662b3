"""Where threshold rules are found: `threshold_rule` makes one of a function, under the function's name.

The built-in rules are in `threshold_rules`. A rule of one's own is a function in any file:

    from gainful.filtering import threshold_rule

    @threshold_rule
    def mine(seen, *, x: float = 1.0):
        '''theta = x · the highest score seen'''
        return x * max(seen.scores, default=0.0)

Once the file is imported, `simulate(..., rules="mine(x=0.9)")` and `Filter.add_profile(..., rule="mine")` know it; the
command line imports the files that the environment variable `GAINFUL_RULES` names (separated as in `PATH`).
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from gainful._core import Aims, PlaceCurve
from gainful.errors import DataError, UsageError
from gainful.filtering.relevance_calibration import Calibration
from gainful.filtering.theta_opt_and_zero import (
    Curve,
    LinearUtility,
    Seen,
    curve_of,
    seen_of,
    theta_opt_and_zero,
)
from gainful.formats.ids import shown

USUAL = LinearUtility(2, -1)
VARIABLE = "GAINFUL_RULES"
_COMMON = ("utility", "floor", "answers")  # what every rule may ask for beside its own parameters


@dataclass(frozen=True, eq=False)
class Threshold:
    """A threshold and where it comes from.

    rule        the rule that set it
    theta       the score from which a document is delivered
    theta_opt   the score of the best cutoff; None while nothing is judged relevant
    theta_zero  the highest score below it that is no better than delivering nothing; None likewise
    alpha       how far theta lies from theta_opt on the way to theta_zero; None for rules that have none
    n           judged documents
    start, top  what stands for theta_zero and theta_opt while nothing is judged relevant; None otherwise
    floor       scores at or below it are never delivered
    calibration  the curve of probabilities behind it, for a rule that estimates one
    """

    rule: str
    theta: float
    theta_opt: float | None
    theta_zero: float | None
    alpha: float | None
    n: int
    start: float | None
    top: float | None
    floor: float
    utility: LinearUtility = field(repr=False)
    seen: Seen = field(repr=False)
    calibration: Calibration | None = field(default=None, repr=False)

    def delivers(self, score: float) -> bool:
        """Whether a document of that score is delivered."""
        return score >= self.theta and score > self.floor

    @cached_property
    def curve(self) -> Curve:
        """The whole utility curve."""
        return curve_of(self.seen, self.utility, self.floor)


@dataclass(frozen=True)
class Between:
    """A threshold between two scores, `alpha` of the way from the higher to the lower, as a rule returns it.

    theta_opt, theta_zero  None while nothing is judged relevant; then `top` and `start` stand for them
    calibration            the curve of probabilities that they come from, where there is one
    """

    alpha: float
    theta_opt: float | None
    theta_zero: float | None
    top: float | None = None
    start: float | None = None
    calibration: Calibration | None = None

    @property
    def theta(self) -> float:
        """theta_opt − alpha · (theta_opt − theta_zero); rounding cannot leave the interval, and the ends are exact."""
        high = self.top if self.theta_opt is None else self.theta_opt
        low = self.start if self.theta_zero is None else self.theta_zero
        assert high is not None
        assert low is not None
        if self.alpha == 1 or high == low:
            return low
        return min(max(high - self.alpha * (high - low), low), high)


class CurveAndAims(NamedTuple):
    """What sets theta_opt, which is theta, and theta_zero where nothing was answered; alpha is 0."""

    curve: PlaceCurve
    aims: Aims


@dataclass(frozen=True)
class Range:
    """What values a parameter may have: in words, and as a test."""

    said: str
    holds: Callable[[float], bool]


FLOOR = Range("below infinity", lambda value: value < math.inf)
ANY = Range("a finite number", math.isfinite)


class ThresholdRule:
    """A rule: from scores of the documents seen, and what was said of some of them, to a threshold.

    name        the function's name
    parameters  its own keywords and their defaults; one that must be given has `inspect.Parameter.empty`
    calibrates  whether it asks for `answers`: then the place of each judged document is kept
    """

    def __init__(self, function: Callable[..., Any], ranges: Mapping[str, Range]) -> None:
        self.name = function.__name__
        self._function = function
        keywords = dict(list(inspect.signature(function).parameters.items())[1:])
        self._takes = [name for name in _COMMON if name in keywords]
        self.parameters = {
            name: parameter.default for name, parameter in keywords.items() if name not in _COMMON
        }
        self.ranges = {name: ranges.get(name, ANY) for name in self.parameters}
        self.calibrates = "answers" in keywords
        self.unanswered: Callable[..., CurveAndAims | None] | None = None
        # help() and doctest see the function behind it
        self.__doc__ = function.__doc__
        self.__name__, self.__qualname__, self.__module__ = self.name, self.name, function.__module__
        self.__wrapped__ = function

    def __call__(
        self,
        scores: ArrayLike | Seen,
        feedback: Sequence[bool | None] = (),
        *,
        utility: LinearUtility = USUAL,
        floor: float = 0.0,
        **given: float,
    ) -> Threshold:
        """The threshold after what was seen.

        scores    of every document seen, delivered or not, by the profile as it is now
        feedback  for each of them True (relevant), False (not relevant) or None (not judged)
        utility   what deliveries are worth
        floor     scores at or below it are never delivered; minus infinity where every score may be
        """
        _in_range("floor", floor, FLOOR)
        self.check(given)
        seen = seen_of(scores, feedback)
        known = {"utility": utility, "floor": floor, "answers": seen.answers}
        common = {name: known[name] for name in self._takes}
        theta = self._function(seen, **common, **given)
        if isinstance(theta, Between):
            ends = (theta.theta_opt, theta.theta_zero, theta.alpha, seen.judged, theta.start, theta.top)
            return Threshold(self.name, theta.theta, *ends, floor, utility, seen, theta.calibration)
        if isinstance(theta, bool) or not isinstance(theta, int | float | np.number) or math.isnan(theta):
            raise UsageError(f"the rule {self.name} must return a number; got {theta!r:.60}")
        marks = theta_opt_and_zero(seen, utility, floor)
        return Threshold(self.name, float(theta), *marks, None, seen.judged, None, None, floor, utility, seen)

    def unanswered_by(
        self, function: Callable[..., CurveAndAims | None]
    ) -> Callable[..., CurveAndAims | None]:
        """Register what holds for every profile without an answer, so that the core sets many thresholds at once.

        function  takes what the reader's other profiles were told (`Told`, or None), `utility`, `floor` and the parameters of the
                  rule, and gives what the rule would find whatever the scores; None where it depends on them
        """
        self.unanswered = function
        return function

    def check(self, given: Mapping[str, Any]) -> None:
        """Refuse parameters that it does not take, values out of range, and what is missing."""
        for name, value in given.items():
            if name not in self.parameters:
                takes = f"it takes {', '.join(self.parameters)}" if self.parameters else "it takes none"
                raise UsageError(f"{self.name} has no parameter '{name}'; {takes}")
            _in_range(name, value, self.ranges[name])
        for name, default in self.parameters.items():
            if default is inspect.Parameter.empty and name not in given:
                raise UsageError(f"{self.name} needs {name}: {self.name}({name}=0.2)")

    def __repr__(self) -> str:
        return f"<threshold rule {self.name}>"


def _in_range(name: str, value: Any, allowed: Range) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or math.isnan(value):
        raise UsageError(f"{name} must be a number; got {value!r}")
    if not allowed.holds(float(value)):
        raise UsageError(f"{name} must be {allowed.said}; got {value:g}")


_RULES: dict[str, ThresholdRule] = {}


@overload
def threshold_rule(function: Callable[..., Any], /) -> ThresholdRule: ...
@overload
def threshold_rule(**ranges: Range) -> Callable[[Callable[..., Any]], ThresholdRule]: ...
def threshold_rule(
    function: Callable[..., Any] | None = None, /, **ranges: Range
) -> ThresholdRule | Callable[[Callable[..., Any]], ThresholdRule]:
    """Make a threshold rule of a function and register it under the function's name.

    The function takes what was seen (`Seen`: scores, which are relevant, number of judged ones), `utility`, `floor` and
    `answers` if it names them, and its own parameters, which are numbers with defaults. It returns theta.

    ranges  what values a parameter may have; any finite number where nothing is said

    >>> @threshold_rule
    ... def highest(seen, *, share: float = 1.0):
    ...     "theta = share · the highest score seen"
    ...     return share * max(seen.scores, default=0.0)
    >>> highest([0.9, 0.8], [None, None], share=0.5).theta
    0.45
    >>> _RULES.pop("highest")
    <threshold rule highest>
    """

    def register(function: Callable[..., Any]) -> ThresholdRule:
        rule = ThresholdRule(function, ranges)
        known = _RULES.get(rule.name)
        if known is not None and known.__module__ != rule.__module__:
            raise UsageError(f"there is a threshold rule '{rule.name}' already; choose another name")
        _RULES[rule.name] = rule
        return rule

    return register if function is None else register(function)


def rule_names() -> list[str]:
    """Every threshold rule there is, the built-in ones first.

    >>> rule_names()[:3]
    ['beta_gamma', 'expected', 'optimum']
    """
    _load()
    return list(_RULES)


def rule_named(name: str) -> ThresholdRule:
    """The threshold rule of that name."""
    if name not in _RULES:
        _load()
    if name not in _RULES:
        raise UsageError(f"there is no rule '{shown(name)}'; there are {', '.join(_RULES)}")
    return _RULES[name]


def _load() -> None:
    """Import the built-in rules, and the files that the environment names."""
    import_module("gainful.filtering.threshold_rules")
    for path in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        _load_file(os.path.realpath(path))


def _load_file(path: str) -> None:
    name = f"gainful_rules_{path.encode('utf-8', 'surrogateescape').hex()}"
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{VARIABLE}: {shown(path)} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as fault:  # a file of the user's
        del sys.modules[name]
        raise DataError(
            f"{VARIABLE}: {shown(path)} cannot be imported ({type(fault).__name__}: {fault})."
        ) from None
