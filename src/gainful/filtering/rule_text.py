"""Threshold rules and profiles with their parameters, as text and as grids.

>>> [str(rule) for rule in parse_rules("beta_gamma(beta=[0, 0.1], gamma=0.01)")]
['beta_gamma(beta=0,gamma=0.01)', 'beta_gamma(beta=0.1,gamma=0.01)']
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from gainful.errors import UsageError
from gainful.filtering.profile_models import MODELS, ProfileModel, model_name, parameters_of
from gainful.filtering.sibling_profiles import Told
from gainful.filtering.theta_opt_and_zero import LinearUtility, Seen
from gainful.filtering.threshold_registry import CurveAndAims, Threshold, rule_named
from gainful.formats.ids import shown

DEFAULT_RULE, DEFAULT_MODEL = "expected", "regression"
"""The threshold rule and the way to learn a profile where none is given; docs/filtering.md tells how they were chosen."""

MOST_COMBINATIONS = 100_000
"""Rules or profiles that one grid can name."""


@dataclass(frozen=True)
class Rule:
    """A threshold rule with its parameters."""

    name: str
    given: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        rule, given = rule_named(self.name), dict(self.given)
        rule.check(given)
        # Written in one way, so that equal rules are equal.
        not_default = tuple(
            (name, given[name])
            for name, default in rule.parameters.items()
            if name in given and given[name] != default
        )
        object.__setattr__(self, "given", not_default)

    @classmethod
    def of(cls, name: str, **given: float) -> Rule:
        """The rule of that name.

        >>> Rule.of("ratio", share=0.01)
        Rule('ratio(share=0.01)')
        """
        return cls(name, tuple(given.items()))

    @property
    def parameters(self) -> dict[str, float]:
        """Every parameter and its value."""
        return {**rule_named(self.name).parameters, **dict(self.given)}

    @property
    def calibrates(self) -> bool:
        """Whether it asks where the scores of judged documents stood when they were judged."""
        return rule_named(self.name).calibrates

    @property
    def nearness(self) -> float:
        """How much the score itself counts in these places, beside how rare it is."""
        return self.parameters.get("nearness", 0.0)

    @property
    def hint(self) -> float:
        """How probably a reader answers only what is relevant where profiles learn from silence; 1 where they never do."""
        return self.parameters.get("hint", 1.0) if self.parameters.get("silence") else 1.0

    @property
    def siblings(self) -> float:
        """As how many answers, and silent deliveries, each other profile counts at the most; 0: it learns by itself."""
        return self.parameters.get("siblings", 0.0)

    def threshold(self, seen: Seen, *, utility: LinearUtility, floor: float) -> Threshold:
        """The threshold after what was seen."""
        return rule_named(self.name)(seen, (), utility=utility, floor=floor, **dict(self.given))

    def unanswered(self, told: Told | None, *, utility: LinearUtility, floor: float) -> CurveAndAims | None:
        """What sets the threshold of every profile that has no answer; None where that depends on its scores."""
        known = rule_named(self.name).unanswered
        return known and known(told, utility=utility, floor=floor, **self.parameters)

    def __str__(self) -> str:
        return _written(self.name, rule_named(self.name).parameters, self.parameters)

    def __repr__(self) -> str:
        return f"Rule({str(self)!r})"


def parse_rules(text: str) -> list[Rule]:
    """One rule, or a grid of them: a list in brackets stands for each of its values."""
    return [Rule.of(name, **values) for name, values in grid_of(text)]


def parse_profiles(text: str) -> list[ProfileModel]:
    """One way to learn profiles, or a grid of them.

    >>> [written(profile) for profile in parse_profiles("rocchio(terms=[20, None])")]
    ['rocchio(terms=20)', 'rocchio(terms=None)']
    """
    profiles: list[ProfileModel] = []
    for name, values in grid_of(text, "rocchio(other=0.5,terms=[60,200])"):
        if name not in MODELS:
            raise UsageError(f"there is no model of a profile '{shown(name)}'; there are {', '.join(MODELS)}")
        known = parameters_of(MODELS[name])
        for wrong in values.keys() - known.keys():
            raise UsageError(f"{name} has no parameter '{wrong}'; it takes {', '.join(known)}")
        profiles.append(MODELS[name](**values))
    return profiles


def written(profile: ProfileModel, always: Collection[str] = ()) -> str:
    """A profile's parameters as text, only those that are not the usual ones; and some in any case."""
    usual = {name: value for name, value in parameters_of(type(profile)).items() if name not in always}
    return _written(model_name(profile), usual, dataclasses.asdict(profile))


def _written(name: str, usual: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    shown = [
        f"{key}={_number(value)}"
        for key, value in values.items()
        if value != usual.get(key, inspect.Parameter.empty)
    ]
    return f"{name}({','.join(shown)})" if shown else name


def _number(value: Any) -> str:
    return str(value) if value is None else f"{value:.15g}"


def grid_of(
    text: str, example: str = "beta_gamma(beta=0.1,gamma=[0.01,0.05])"
) -> list[tuple[str, dict[str, Any]]]:
    """The name in a text and each combination of the values that it gives to parameters."""
    wrong = UsageError(f"{text!r} is not understood; write it as {example}")
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise wrong from None
    if isinstance(call, ast.Name):
        return [(call.id, {})]
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
        raise wrong
    axes: dict[str, list[Any]] = {}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in axes:  # the parser itself lets a name stand there twice
            raise wrong
        try:
            value = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            raise wrong from None
        axes[keyword.arg] = list(value) if isinstance(value, list | tuple) else [value]
        if not axes[keyword.arg]:
            raise wrong
    if math.prod(len(values) for values in axes.values()) > MOST_COMBINATIONS:
        raise UsageError(f"{text[:60]!r} names more than {MOST_COMBINATIONS:,} combinations")
    return [(call.func.id, dict(zip(axes, values, strict=True))) for values in product(*axes.values())]
