"""Wishes: what is given for a profile, checked and written so that it reads back."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TypeVar

from gainful.errors import UsageError
from gainful.filtering.profiles import Rocchio
from gainful.filtering.rules import Rule, parse_profiles, parse_rules, written
from gainful.filtering.state.events import RULE, Wish, plain
from gainful.filtering.utilities import LinearUtility, parse_utility

_One = TypeVar("_One")


def wished(
    name: str,
    text: str,
    *,
    rule: str | Rule | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    utility: str | LinearUtility | None = None,
    rocchio: str | Rocchio | None = None,
) -> Wish:
    """A wish for a new profile; what is not given is as usual."""
    usual = Wish(_named(name), plain(text), RULE, "rocchio", "2,-1")
    return changed(usual, rule=rule, beta=beta, gamma=gamma, utility=utility, rocchio=rocchio)


def changed(
    wish: Wish,
    *,
    rename: str | None = None,
    text: str | None = None,
    rule: str | Rule | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    utility: str | LinearUtility | None = None,
    rocchio: str | Rocchio | None = None,
) -> Wish:
    """The same wish with what is given in place of what was."""
    given: dict[str, str] = {}
    if rename is not None:
        given["name"] = _named(rename)
    if text is not None:
        given["text"] = plain(text)
    if rule is not None or beta is not None or gamma is not None:
        given["rule"] = _rule(wish.rule, rule, beta, gamma)
    if utility is not None:
        given["utility"] = _utility(utility)
    if rocchio is not None:
        given["rocchio"] = _rocchio(rocchio)
    return replace(wish, **given)


def _named(name: str) -> str:
    if not name.strip():
        raise UsageError("a profile needs a name that is not empty")
    return plain(name)


def _rule(before: str, rule: str | Rule | None, beta: float | None, gamma: float | None) -> str:
    if rule is not None:
        if beta is not None or gamma is not None:
            raise UsageError("give beta and gamma within the rule, or without a rule")
        asked = rule if isinstance(rule, Rule) else _single(parse_rules(rule), rule)
    else:
        was = parse_rules(before)[0]
        if was.name != "beta_gamma":
            raise UsageError(f"beta and gamma belong to beta_gamma; the profile's rule is {was.name}")
        short = {"beta": beta, "gamma": gamma}
        kept = {**was.parameters, **{name: value for name, value in short.items() if value is not None}}
        asked = Rule.of("beta_gamma", **kept)
    text = str(asked)
    return text if parse_rules(text)[0] == asked else _exact(asked.name, dict(asked.given))


def _rocchio(rocchio: str | Rocchio) -> str:
    asked = rocchio if isinstance(rocchio, Rocchio) else _single(parse_profiles(rocchio), rocchio)
    text = written(asked)
    return text if parse_profiles(text)[0] == asked else _exact("rocchio", asdict(asked))


def _utility(utility: str | LinearUtility) -> str:
    asked = utility if isinstance(utility, LinearUtility) else parse_utility(utility)
    text = str(asked)
    return text if parse_utility(text) == asked else ",".join(repr(value) for value in asdict(asked).values())


def _single(found: list[_One], text: str) -> _One:
    if len(found) != 1:
        raise UsageError(
            f"a profile has one value for each parameter; {text!r} names {len(found)} combinations"
        )
    return found[0]


def _exact(name: str, values: dict[str, float | None]) -> str:
    """Every digit, where the usual fifteen are not enough."""
    return f"{name}({','.join(f'{key}={value!r}' for key, value in values.items())})"
