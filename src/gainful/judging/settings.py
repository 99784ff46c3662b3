"""The conventions under which runs are judged; every output states them."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict, get_args, get_type_hints

from gainful.errors import UsageError
from gainful.formats.types import Duplicates, JudgmentDuplicates, Rules, Ties

Missing = Literal["empty", "skip", "error"]
Undefined = Literal["keep", "skip", "0", "1", "nan"]
Unjudged = Literal["nonrelevant", "condense"]
Pool = Literal["judged", "retrieved"]
Halves = Literal["stored", "up"]
Bits = Literal["64", "32"]

BY_RULE = ("docid", "ascending", "input", "reverse")
"""Ties whose order is a rule that knows nothing of relevance: a note reports where it decides what is above a cutoff."""

LIMITS: dict[str, tuple[int, int | None, str]] = {
    "depth": (1, None, "every rank"),
    "round_topics": (0, 15, "no rounding"),
    "round_mean": (0, 15, "no rounding"),
}
"""Settings that are whole numbers: the least, the greatest if there is one, and what None means."""


@dataclass(frozen=True)
class Settings:
    """How ties, missing topics, unjudged documents and the like are handled.

    ties        order of tied scores: document id, descending (docid) or ascending, order in the input (input) or its reverse,
                higher grades first (best), lower grades first (worst), or the expected value over all orders (expected)
    missing     judged topics missing from the run: scored as an empty list (empty), left out (skip), or an error
    undefined   topics with nothing relevant: the value that the measure defines for them (keep), left out (skip), or this value
    unjudged    unjudged documents: not relevant (nonrelevant), or removed from the list (condense)
    duplicates  a document twice in a topic: an error; only the first or the best-scored one stays; each copy is counted; or
                copies keep their ranks, and the one that ranks first is credited (once)
    pool        what there was to find: every judged document (judged), or only those in the list (retrieved), as in tools that
                see the labels of a list alone
    rel         lowest grade that counts as relevant, for measures whose rel is 1
    depth       evaluate only this many ranks of each list; default all
    drop_self   remove documents whose id equals the topic id, as BEIR does
    scores      precision of scores in bits; with 32, scores equal as 32-bit floats are tied, as in trec_eval 9
    round_topics  round each topic's value to this many decimals before the mean, as gdeval does with 5
    round_mean  round the mean to this many decimals, as BEIR does with 5
    round_halves  numbers halfway between two decimals, where rounding is asked for: the nearest to what is stored (stored), as C
                and Python print them, or up, as Java's Math.round does

    >>> Settings(ties="best").stated()
    'ties: higher grades first · missing topics: score 0 · topics with nothing relevant: kept · unjudged documents: not relevant'
    """

    ties: Ties = "docid"
    missing: Missing = "empty"
    undefined: Undefined = "keep"
    unjudged: Unjudged = "nonrelevant"
    duplicates: Duplicates = "error"
    pool: Pool = "judged"
    rel: float | None = None
    depth: int | None = None
    drop_self: bool = False
    scores: Bits = "64"
    round_topics: int | None = None
    round_mean: int | None = None
    round_halves: Halves = "stored"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise UsageError(f"{name} must be one of {', '.join(choices)}; got {getattr(self, name)!r}.")
        for name in ("rel", *LIMITS):  # NumPy's numbers become Python's, which JSON can hold
            if hasattr(getattr(self, name), "item"):
                object.__setattr__(self, name, getattr(self, name).item())
        if self.ties == "expected" and self.depth is not None:
            raise UsageError(
                "ties=expected has no depth: which of the tied documents are above it depends on their order; "
                "give the measures a cutoff instead, as in nDCG@10."
            )
        if self.duplicates == "once" and self.ties in ("best", "worst", "expected"):
            raise UsageError(
                f"duplicates=once has no ties={self.ties}: which of two tied copies ranks first depends on their order; "
                f"choose ties {', '.join(BY_RULE)}, or duplicates first or best."
            )
        for name, (least, most, meaning_of_none) in LIMITS.items():
            number: Any = getattr(self, name)  # whatever a caller from untyped code gave
            if number is None:
                continue
            if (
                isinstance(number, bool)
                or not isinstance(number, int)
                or not least <= number <= (most or number)
            ):
                within = f"{least} or more" if most is None else f"from {least} to {most}"
                raise UsageError(
                    f"{name} must be a whole number, {within}, or None for {meaning_of_none}; got {number!r}."
                )

    @functools.cached_property
    def rules(self) -> Rules:
        """What the core has to know of them."""
        return Rules(self.ties, self.duplicates, self.drop_self, narrow=self.scores == "32")

    @property
    def judgment_duplicates(self) -> JudgmentDuplicates:
        """What is done where a document is judged twice: only a run can hold copies, and they are an error in judgments."""
        match self.duplicates:
            case "counted" | "once":
                return "error"
            case rule:
                return rule

    @property
    def by_order_of_rows(self) -> bool:
        """Whether the order of the rows of a run decides anything."""
        return self.ties in ("input", "reverse") or self.duplicates == "first"

    def rounded(self, value: float, digits: int) -> float:
        """The value to so many decimals.

        >>> Settings().rounded(0.125, 2), Settings(round_halves="up").rounded(0.125, 2)
        (0.12, 0.13)
        """
        if self.round_halves == "up" and math.isfinite(value):
            scale = 10.0**digits
            return math.floor(value * scale + 0.5) / scale
        return round(value, digits)

    def need_an_order(self, what: str) -> None:
        """Raise where the order of tied documents is random, and this needs one order."""
        if self.ties == "expected":
            raise UsageError(f"{what} needs one order of the documents; choose ties other than expected.")

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
        for name, rounded in (("round_topics", "values of topics"), ("round_mean", "means")):
            digits = getattr(self, name)
            halves = ", halves up" if self.round_halves == "up" else ""
            said += [f"{rounded}: rounded to {digits} decimals{halves}"] if digits is not None else []
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
            "ascending": "by document id, ascending",
            "input": "in the order given",
            "reverse": "in the reverse of the order given",
            "best": "higher grades first",
            "worst": "lower grades first",
            "expected": "in random order, expected value [worst, best]",
        },
    ),
    "missing": ("missing topics", {"empty": "score 0", "skip": "left out", "error": "none"}),
    "undefined": (
        "topics with nothing relevant",
        {"keep": "kept", "skip": "left out", "0": "score 0", "1": "score 1", "nan": "score NaN"},
    ),
    "unjudged": ("unjudged documents", {"nonrelevant": "not relevant", "condense": "removed"}),
    "duplicates": (
        "documents twice in a topic",
        {
            "first": "the first counts",
            "best": "the best counts",
            "counted": "each copy counts",
            "once": "the copy that ranks first counts",
        },
    ),
    "pool": ("relevant documents", {"retrieved": "those in the list"}),
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
    pool: Pool
    rel: float | None
    depth: int | None
    drop_self: bool
    scores: Bits
    round_topics: int | None
    round_mean: int | None
    round_halves: Halves


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
