"""The conventions under which runs are judged; every output states them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict, get_args, get_type_hints

from gainful.errors import UsageError
from gainful.formats.types import Duplicates, Order

Ties = Literal["docid", "input", "best", "worst"]
Missing = Literal["empty", "skip"]
Undefined = Literal["keep", "skip"]
Unjudged = Literal["nonrelevant", "condense"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What is done where data leave a choice.

    ties        equal scores: by document id, descending ("docid"); in the order given ("input"); higher grades first
                ("best"); lower grades first ("worst")
    missing     a judged topic that the run lacks: scored as an "empty" list, or left out ("skip")
    undefined   a topic with nothing to find: the value that the measure declares ("keep"), or left out ("skip")
    unjudged    a document without a judgment: "nonrelevant" and in its place, or removed first ("condense")
    duplicates  a document twice in a topic: "error", or the "first" or the "best" scored one counts
    rel         lowest grade that is relevant, for measures that leave it at 1 (or say 1)
    depth       ranks counted of each list; None is all
    drop_self   a document with the id of its topic is taken out first (as BEIR does)

    >>> Settings(ties="best").stated()
    'ties best · missing empty · undefined keep · unjudged nonrelevant'
    """

    ties: Ties = "docid"
    missing: Missing = "empty"
    undefined: Undefined = "keep"
    unjudged: Unjudged = "nonrelevant"
    duplicates: Duplicates = "error"
    rel: float | None = None
    depth: int | None = None
    drop_self: bool = False

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise UsageError(f"{name} must be one of {', '.join(choices)}; got {getattr(self, name)!r}.")
        for name in ("rel", "depth"):  # NumPy's numbers become Python's, which JSON can hold
            if hasattr(getattr(self, name), "item"):
                object.__setattr__(self, name, getattr(self, name).item())
        depth: Any = self.depth  # whatever a caller from untyped code gave
        if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
            raise UsageError(
                f"depth must be a whole number, 1 or more, or None for every rank; got {self.depth!r}."
            )

    @property
    def order(self) -> Order:
        """How the core is to order equal scores; best and worst are made of any order afterwards."""
        return "input" if self.ties == "input" else "docid"

    def stated(self) -> str:
        """The settings that matter, in a line."""
        parts = [f"{name} {getattr(self, name)}" for name in ("ties", "missing", "undefined", "unjudged")]
        parts += [f"duplicates {self.duplicates}"] if self.duplicates != "error" else []
        parts += [f"rel {self.rel:g}"] if self.rel is not None else []
        parts += [f"depth {self.depth}"] if self.depth is not None else []
        parts += ["drop-self"] if self.drop_self else []
        return " · ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """The settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Conventions(TypedDict, total=False):
    """The fields of `Settings`, as keywords of every call that judges runs."""

    ties: Ties
    missing: Missing
    undefined: Undefined
    unjudged: Unjudged
    duplicates: Duplicates
    rel: float | None
    depth: int | None
    drop_self: bool


def settings_of(call: Callable[..., Any], keywords: Conventions) -> Settings:
    """The settings that the keywords of a public call ask for; a sentence where one of them is unknown.

    >>> from gainful import evaluate
    >>> settings_of(evaluate, {"ties": "best"}).ties
    'best'
    """
    try:
        return _settings(**keywords)
    except TypeError:  # a name that is unknown, or a value that cannot be hashed
        check_keywords(call, keywords, Conventions)
        return Settings(**keywords)


def check_keywords(call: Callable[..., Any], keywords: Mapping[str, Any], known: type) -> None:
    """Raise where a keyword of a public call is none of its own and none of this TypedDict's."""
    unknown = next((name for name in keywords if name not in get_type_hints(known)), None)
    if unknown is None:
        return
    import inspect
    from difflib import get_close_matches

    own = [
        parameter.name
        for parameter in inspect.signature(call).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    takes = [*own, *get_type_hints(known)]
    near = get_close_matches(unknown, takes, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    if unknown == "settings":
        hint = f"settings are keywords of their own, as in {call.__name__}(…, ties='best'). "
    raise UsageError(
        f"{call.__name__}() has no keyword {unknown}; {hint}The keywords are {', '.join(takes)}."
    )


@functools.lru_cache(maxsize=64)
def _settings(**keywords: Any) -> Settings:
    return Settings(**keywords)


CHOICES: dict[str, tuple[str, ...]] = {
    name: get_args(hint)
    for name, hint in get_type_hints(Settings).items()
    if get_args(hint) and isinstance(get_args(hint)[0], str)
}
