"""The conventions under which runs are judged; every output states them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict, get_args, get_type_hints

from gainful.errors import UsageError
from gainful.formats.types import Duplicates, Rules, Ties

Missing = Literal["empty", "skip"]
Undefined = Literal["keep", "skip"]
Unjudged = Literal["nonrelevant", "condense"]
Bits = Literal["64", "32"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How ties, missing topics, unjudged documents and the like are handled.

    ties        order of tied scores: document id, descending (docid), order in the input (input), higher grades first (best),
                or lower grades first (worst)
    missing     judged topics missing from the run: scored as an empty list (empty), or left out (skip)
    undefined   topics with nothing relevant: the value that the measure defines for them (keep), or left out (skip)
    unjudged    unjudged documents: not relevant (nonrelevant), or removed from the list (condense)
    duplicates  a document twice in a topic: an error, or only the first or the best-scored one counts
    rel         lowest grade that counts as relevant, for measures whose rel is 1
    depth       evaluate only this many ranks of each list; default all
    drop_self   remove documents whose id equals the topic id, as BEIR does
    scores      precision of scores in bits; with 32, scores equal as 32-bit floats are tied, as in trec_eval 9

    >>> Settings(ties="best").stated()
    'ties: higher grades first · missing topics: score 0 · topics with nothing relevant: kept · unjudged documents: not relevant'
    """

    ties: Ties = "docid"
    missing: Missing = "empty"
    undefined: Undefined = "keep"
    unjudged: Unjudged = "nonrelevant"
    duplicates: Duplicates = "error"
    rel: float | None = None
    depth: int | None = None
    drop_self: bool = False
    scores: Bits = "64"

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
    def rules(self) -> Rules:
        """What the core has to know of them."""
        return Rules(self.ties, self.duplicates, self.drop_self, narrow=self.scores == "32")

    def stated(self) -> str:
        """The settings in a line for people; those at the end only where they were changed."""
        said = [
            f"{subject}: {words[getattr(self, name)]}"
            for name, (subject, words) in WORDS.items()
            if getattr(self, name) in words
        ]
        said += [f"relevant from grade {self.rel:g}"] if self.rel is not None else []
        said += [f"lists cut at rank {self.depth:,}"] if self.depth is not None else []
        said += ["documents with the id of their topic: removed"] if self.drop_self else []
        said += [f"scores: {self.scores} bits"] if self.scores != "64" else []
        return " · ".join(said)

    def short(self) -> str:
        """The settings in a line for programs: names and values that differ from the defaults, or that always matter.

        >>> Settings(depth=100).short()
        'ties docid; missing empty; undefined keep; unjudged nonrelevant; depth 100'
        """
        always = ("ties", "missing", "undefined", "unjudged")
        said = self.to_dict()
        return "; ".join(
            f"{field.name} {said[field.name]}".removesuffix(" True")
            for field in fields(self)
            if field.name in always or said[field.name] != field.default
        )

    def to_dict(self) -> dict[str, Any]:
        """The settings by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


WORDS: dict[str, tuple[str, dict[str, str]]] = {
    "ties": (
        "ties",
        {
            "docid": "by document id",
            "input": "in the order given",
            "best": "higher grades first",
            "worst": "lower grades first",
        },
    ),
    "missing": ("missing topics", {"empty": "score 0", "skip": "left out"}),
    "undefined": ("topics with nothing relevant", {"keep": "kept", "skip": "left out"}),
    "unjudged": ("unjudged documents", {"nonrelevant": "not relevant", "condense": "removed"}),
    "duplicates": ("documents twice in a topic", {"first": "the first counts", "best": "the best counts"}),
}
"""How settings are stated to people: what each is about, and what each value means."""


def explained() -> dict[str, str]:
    """What each field of the settings means, as their docstring says it.

    >>> explained()["depth"]
    'evaluate only this many ranks of each list; default all'
    """
    lines = (Settings.__doc__ or "").split("\n\n")[1:2]
    text = " ".join(lines)
    # from Python 3.13 on docstrings come without the indentation of their block
    entries = re.split(r"\n(?: {4})?(?=\w)", "\n" + text.lstrip("\n"))[1:]
    return {name: " ".join(words) for name, *words in map(str.split, entries)}


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
    scores: Bits


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
