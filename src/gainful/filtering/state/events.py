"""Events, as the log of a state holds them, and the settings that they carry."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import numpy as np

from gainful.errors import DataError, UsageError
from gainful.filtering.analyzer import Analyzer
from gainful.filtering.document import Document
from gainful.filtering.learner import Schedule
from gainful.filtering.profile_models import ProfileModel, Regression, Rocchio, model_name
from gainful.filtering.rule_text import (
    DEFAULT_MODEL,
    DEFAULT_RULE,
    Rule,
    grid_of,
    parse_profiles,
    parse_rules,
    written,
)
from gainful.filtering.stream_epochs import check_epochs
from gainful.filtering.theta_opt_and_zero import LinearUtility, parse_utility
from gainful.filtering.vectors import Counts, Integers, Terms
from gainful.formats.ids import shown, to_bytes

_One = TypeVar("_One")

_OLD_DEFAULTS: dict[str, dict[str, float]] = {
    "beta_gamma": {"beta": 0.1, "gamma": 0.05},
    "expected": {"caution": 0.0, "nearness": 0.0, "hint": 1.0, "siblings": 0.0},
    "regression": {"description": 0.5},
}
"""What a missing parameter means in a log: logs of earlier versions left out these values, which were the defaults."""

MOST_TERMS = 1 << 26
"""Terms that one state can number."""

_MOST_VALUE = {"tf": 1e300, "weights": 1.000001}  # profiles have length 1
_LEAST_VALUE = {"tf": 0.0, "weights": -1.000001}
_SAID = {None: None, 1: "relevant", 0: "not-relevant"}


def said(verdict: int | None) -> str | None:
    """A verdict of the log as the reader gave it; None for none."""
    return _SAID[verdict]


@dataclass(frozen=True)
class Settings:
    """What holds for the whole state; how text becomes terms never changes."""

    language: str | None
    stop: bool
    title_weight: float
    body_weight: float
    epochs: float | None
    refresh: float
    cap: int | None

    @classmethod
    def of(cls, analyzer: Analyzer, *, epochs: float | None, refresh: float, cap: int | None) -> Settings:
        """Settings with this way to make terms."""
        how = (analyzer.language, analyzer.stop, float(analyzer.title_weight), float(analyzer.body_weight))
        return cls(*how, epochs, refresh, cap)

    def __post_init__(self) -> None:
        check_epochs(self.epochs)
        Schedule(refresh=self.refresh)
        cap: object = self.cap
        if cap is not None and (isinstance(cap, bool) or not isinstance(cap, int) or cap < 1):
            raise UsageError(f"cap must be 1 or more documents, or None for all; got {self.cap!r}")

    def changed(self, **changes: Any) -> Settings:
        """These settings with some of them changed."""
        return replace(self, **changes)

    @property
    def analyzer(self) -> Analyzer:
        """How text becomes terms."""
        return Analyzer(self.language, self.stop, self.title_weight, self.body_weight)

    @property
    def schedule(self) -> Schedule:
        """When profiles are recomputed: after each feedback, and as documents are seen."""
        return Schedule(refresh=self.refresh)

    def to_dict(self) -> dict[str, Any]:
        """As the log holds it."""
        return asdict(self)


@dataclass(frozen=True)
class ProfileSettings:
    """What was given for a profile; rule, model (`rocchio`, as logs call it) and utility as text that reads back."""

    name: str
    text: str
    rule: str
    rocchio: str
    utility: str

    def to_dict(self) -> dict[str, Any]:
        """As the log holds it."""
        return asdict(self)


@lru_cache(maxsize=256)
def learning_of(rule: str, model: str, utility: str) -> tuple[Rule, ProfileModel, LinearUtility]:
    """How a profile learns: its threshold rule, its model and its utility, from their texts."""
    return logged_rule(rule), _logged_model(model), parse_utility(utility)


def logged_rule(text: str) -> Rule:
    """The rule that a log names; a parameter that it leaves out has the value that it had when logs left it out.

    >>> logged_rule("beta_gamma(beta=0.3)").parameters
    {'beta': 0.3, 'gamma': 0.05, 'share': 0.005}
    """
    name, given = grid_of(text)[0]
    return Rule.of(name, **{**_OLD_DEFAULTS.get(name, {}), **given})


def _logged_model(text: str) -> ProfileModel:
    name, given = grid_of(text)[0]
    old: dict[str, Any] = {
        key: value for key, value in _OLD_DEFAULTS.get(name, {}).items() if key not in given
    }
    return replace(parse_profiles(text)[0], **old)


@dataclass(frozen=True)
class Event:
    """An event that is neither a document nor a delivery.

    position  how many documents had been seen
    body      what is particular to its kind
    counts    the terms of a profile's text
    """

    number: int
    kind: str
    time: int
    position: int
    profile: int | None = None
    document: int | None = None
    verdict: bool | None = None
    body: dict[str, Any] = field(default_factory=dict)
    counts: Counts | None = None


def packed(terms: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> tuple[bytes, bytes]:
    """Terms and their values as the file holds them: little-endian, 32-bit whole numbers and 64-bit floats."""
    return terms.astype("<i4").tobytes(), values.astype("<f8").tobytes()


Row = tuple[Any, ...]
Damaged = Callable[[str], DataError]
"""The error for a state that holds what this program cannot have written."""


def body_of(body: str, kind: type[_One], where: str, damaged: Damaged) -> _One:
    """The JSON of an event or a profile as a record of that type."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as fault:
        raise damaged(f"{where}, column body: {shown(str(fault))}") from None


def term_numbers(rows: Sequence[Row], table: str, damaged: Damaged) -> tuple[Integers, Terms]:
    """Packed terms of some rows (key, terms, …), one after the other: where each row begins, and all numbers.

    A row's numbers rise and are below `MOST_TERMS`: memory is allocated by the highest one.
    """
    for key, raw, *_ in rows:
        if len(raw) % 4:
            raise damaged(f"table {table}, row {key}, column terms: {len(raw)} bytes are not 32-bit numbers")
    offsets = np.cumsum([0, *(len(row[1]) // 4 for row in rows)], dtype=np.int64)
    terms = np.frombuffer(b"".join(row[1] for row in rows), "<i4").astype(np.int32)
    wrong = (terms < 0) | (terms >= MOST_TERMS)
    wrong[1:] |= (terms[1:] <= terms[:-1]) & ~np.isin(np.arange(1, len(terms)), offsets)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        key = rows[int(np.searchsorted(offsets, at, side="right")) - 1][0]
        raise damaged(f"table {table}, row {key}, column terms: {terms[at]} is not the number of a next term")
    return offsets, terms


def counts_of(rows: Sequence[Row], table: str, damaged: Damaged, column: str = "tf") -> Counts:
    """Packed terms and their values of some rows (key, terms, values), one after the other."""
    offsets, terms = term_numbers(rows, table, damaged)
    for key, raw, packed_values in rows:
        if len(packed_values) != 2 * len(raw):
            raise damaged(f"table {table}, row {key}, column {column}: not one 64-bit number for each term")
    values = np.frombuffer(b"".join(row[2] for row in rows), "<f8").astype(np.float64)
    sound = (values >= _LEAST_VALUE[column]) & (values <= _MOST_VALUE[column])
    if not sound.all():
        at = int(np.flatnonzero(~sound)[0])
        key = rows[int(np.searchsorted(offsets, at, side="right")) - 1][0]
        raise damaged(f"table {table}, row {key}, column {column}: {values[at]:g} is out of range")
    return Counts(offsets, terms, values)


def digest_of(document: Document) -> bytes:
    """A digest by which a text is recognised; title and text count."""
    title, text = plain(document.title).encode(), plain(document.text).encode()
    return hashlib.blake2b(len(title).to_bytes(8, "little") + title + text, digest_size=16).digest()


def hash_of(id_: bytes) -> bytes:
    """What stays of the id of a forgotten document."""
    return hashlib.blake2b(id_, digest_size=16, person=b"gainful").digest()


def id_of(text: str) -> bytes:
    """An id as the file holds it."""
    try:
        return to_bytes(text)
    except UnicodeEncodeError:
        raise DataError(
            f"the id {text!a} is not text: half of a surrogate pair stands alone in it."
        ) from None


def plain(text: str) -> str:
    r"""Text that every database can hold as UTF-8; half of a surrogate pair, and NUL, become U+FFFD.

    >>> plain("caf\ud800")
    'caf�'
    """
    if "\0" in text:
        text = text.replace("\0", "�")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def stamp(moment: datetime) -> int:
    """A time as the file holds it: microseconds since 1970, UTC; without a zone it is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - _EPOCH) // timedelta(microseconds=1)


def moment(stamped: int) -> datetime:
    """The time that `stamp` wrote; one that another zone has put beyond the years 1 to 9999 becomes the first or last.

    >>> moment(stamp(datetime.fromisoformat("0001-01-01T00:00:00+14:00"))).isoformat()
    '0001-01-01T00:00:00+00:00'
    """
    return _EPOCH + timedelta(microseconds=min(max(stamped, stamp(_FIRST)), stamp(_LAST)))


def default_settings(
    name: str, text: str, *, rule: str = DEFAULT_RULE, model: str = DEFAULT_MODEL, utility: str = "2,-1"
) -> ProfileSettings:
    """The settings of a profile for which nothing but a name and a text is given."""
    return ProfileSettings(_named(name), plain(text), _whole(parse_rules(rule)[0]), _model(model), utility)


def new_settings(
    name: str,
    text: str,
    *,
    rule: str | Rule | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    utility: str | LinearUtility | None = None,
    model: str | ProfileModel | None = None,
) -> ProfileSettings:
    """The settings of a new profile; what is None has its default. Beta or gamma alone ask for beta_gamma."""
    short = rule is None and (beta is not None or gamma is not None)
    settings = default_settings(name, text, rule="beta_gamma" if short else DEFAULT_RULE)
    return changed_settings(settings, rule=rule, beta=beta, gamma=gamma, utility=utility, model=model)


def changed_settings(
    settings: ProfileSettings,
    *,
    rename: str | None = None,
    text: str | None = None,
    rule: str | Rule | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    utility: str | LinearUtility | None = None,
    model: str | ProfileModel | None = None,
) -> ProfileSettings:
    """These settings with what is given in place of what was."""
    given: dict[str, str] = {}
    if rename is not None:
        given["name"] = _named(rename)
    if text is not None:
        given["text"] = plain(text)
    if rule is not None or beta is not None or gamma is not None:
        given["rule"] = _rule(settings.rule, rule, beta, gamma)
    if utility is not None:
        given["utility"] = _utility(utility)
    if model is not None:
        given["rocchio"] = _model(model)
    return replace(settings, **given)


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
        was = logged_rule(before)
        if was.name != "beta_gamma":
            raise UsageError(f"beta and gamma belong to beta_gamma; the profile's rule is {was.name}")
        short = {"beta": beta, "gamma": gamma}
        kept = {**was.parameters, **{name: value for name, value in short.items() if value is not None}}
        asked = Rule.of("beta_gamma", **kept)
    return _whole(asked)


def _whole(rule: Rule) -> str:
    """The rule with every parameter: a log means the same whatever defaults become."""
    values = {name: repr(float(value)) for name, value in rule.parameters.items()}
    texts = [f"{name}={value.removesuffix('.0')}" for name, value in values.items()]
    return f"{rule.name}({','.join(texts)})" if texts else rule.name


def _model(model: str | ProfileModel) -> str:
    asked = model if isinstance(model, Rocchio | Regression) else _single(parse_profiles(model), model)
    text = written(asked, _OLD_DEFAULTS.get(model_name(asked), {}))
    return text if parse_profiles(text)[0] == asked else _exact(model_name(asked), asdict(asked))


def _utility(utility: str | LinearUtility) -> str:
    asked = utility if isinstance(utility, LinearUtility) else parse_utility(utility)
    text = str(asked)
    return text if parse_utility(text) == asked else ",".join(repr(value) for value in asdict(asked).values())


def _single(combinations: list[_One], text: str) -> _One:
    if len(combinations) != 1:
        raise UsageError(
            f"a profile has one value for each parameter; {text!r} names {len(combinations)} combinations"
        )
    return combinations[0]


def _exact(name: str, values: dict[str, float | None]) -> str:
    """Every digit, where the usual fifteen are not enough."""
    return f"{name}({','.join(f'{key}={value!r}' for key, value in values.items())})"
