"""Dialects and where they are found: each tool has a file in `tools`, which registers one dialect for each version."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, Literal

from gainful.errors import MeasureError, UsageError
from gainful.judging.settings import Settings
from gainful.measures import Measure, parse

Grades = Literal["any", "whole", "whole, up to 4", "not negative", "whole, not negative", "0 and 1"]
"""Grades that a tool takes."""

ABOVE_ZERO = 5e-324
"""The level of relevance where any grade above 0 is relevant: the least number above 0."""

HOLE = "{k}"


@dataclass(frozen=True)
class Spelled:
    """A measure of a tool.

    name      as the tool spells it, {k} where the cutoff stands: "NDCG@{k}"
    measure   the measure of ours that has its formula, with the same {k}: "nDCG@{k}"
    settings  conventions that differ from those of the dialect
    grades    grades that it takes, where they differ from those of the dialect
    no_rule   why the order of tied documents cannot be reproduced; empty where it can
    fault     a known fault that is reproduced, in a few words
    signed    whether it divides by an ideal list that is worth less than nothing too, which is declined
    """

    name: str
    measure: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    grades: Grades | None = None
    no_rule: str = ""
    fault: str = ""
    signed: bool = False

    def cutoff_in(self, text: str) -> str | None:
        """The cutoff that the text names, where it is this measure: "" if it has none, None if it is another measure."""
        pattern = re.escape(self.name).replace(re.escape(HOLE), r"(\d+)")
        match = re.fullmatch(pattern, text, re.IGNORECASE)
        return None if match is None else (match[1] if HOLE in self.name else "")

    def at(self, cutoff: str) -> Column:
        """The measure at a cutoff."""
        return Column(self.name.replace(HOLE, cutoff), parse(self.measure.replace(HOLE, cutoff)), self)


@dataclass(frozen=True)
class Column:
    """A measure of a tool at a cutoff: its name there, the measure of ours, and how the tool spells it."""

    name: str
    measure: Measure
    spelled: Spelled


@dataclass(frozen=True)
class Dialect:
    """What a version of a tool does.

    name      short name, as in --dialect beir
    version   the version whose behaviour it is: the newest that was looked at
    since     the oldest version that does the same; empty where none but this one was looked at
    tool      what it is, in a few words
    settings  its conventions, as fields of `Settings` that differ from the defaults
    measures  its measures
    usual     names of the measures that are shown where none is asked for
    source    where the facts come from
    grades    grades that it takes
    notes     what a reader should know besides
    stops_at_undefined  whether it stops at a topic with nothing relevant
    """

    name: str
    version: str
    tool: str
    settings: Mapping[str, Any]
    measures: Sequence[Spelled]
    usual: Sequence[str]
    source: str
    since: str = ""
    grades: Grades = "any"
    notes: Sequence[str] = ()
    stops_at_undefined: bool = False

    @property
    def title(self) -> str:
        """Name and version: beir@2.2.0."""
        return f"{self.name}@{self.version}"

    @property
    def versions(self) -> str:
        """The versions that do the same: 1.0.1 to 2.2.0."""
        return f"{self.since} to {self.version}" if self.since else self.version

    def covers(self, version: str) -> bool:
        """Whether it is what that version does; 2.2 is the newest that begins so."""
        asked, newest, oldest = (
            _numbers(version),
            _numbers(self.version),
            _numbers(self.since or self.version),
        )
        return oldest <= (*asked, _ANY) and asked <= newest[: len(asked)]

    @cached_property
    def conventions(self) -> Settings:
        """The settings that its measures have unless they say otherwise."""
        return Settings(**self.settings)

    def settings_of(self, spelled: Spelled) -> Settings:
        """The settings of a measure."""
        return Settings(**{**self.settings, **spelled.settings})

    def columns(self, asked: Sequence[str] | None = None) -> list[Column]:
        """The measures asked for, in the tool's spelling or in ours; an error with what it has where it lacks one."""
        return list(
            {column.name: column for text in asked or self.usual for column in [self._column(text)]}.values()
        )

    def _column(self, text: str) -> Column:
        for spelled in self.measures:
            cutoff = spelled.cutoff_in(text)
            if cutoff is not None:
                return spelled.at(cutoff)
        ours = self._ours(text)
        if ours is not None:
            return ours
        has = ", ".join(spelled.name.replace(HOLE, "K") for spelled in self.measures)
        raise MeasureError(f"{self.title} has no measure '{text}'; it has {has}")

    def _ours(self, text: str) -> Column | None:
        """The first measure of the tool that is this one of ours; what the text leaves open is as the tool has it."""
        try:
            wanted = parse(text)
        except MeasureError:
            return None
        at = "" if wanted.cutoff is None else str(wanted.cutoff)
        for spelled in self.measures:
            if (HOLE in spelled.name) == bool(at) and _leads(text, wanted, spelled.at(at or "1").measure):
                return spelled.at(at)
        return None


def _leads(text: str, wanted: Measure, other: Measure) -> bool:
    """Whether the other has all that the text says of the measure, what is a default of ours included."""
    said = set(re.findall(r"[(,]\s*(\w+)\s*=", text))
    ours = {**wanted.params, "summary": wanted.summary, "unjudged": wanted.unjudged}
    theirs = {**other.params, "summary": other.summary, "unjudged": other.unjudged}
    same = all(theirs.get(name) == ours[name] for name in said & ours.keys() if name != "cutoff")
    return same and wanted.leads_to(other)


_ANY = (1, 0, "")  # after every part of a version


def _numbers(version: str) -> tuple[tuple[int, int, str], ...]:
    """The parts of a version, in the order of versions: 2.10 comes after 2.9, and 1.2a after 1.2."""
    parts = (re.fullmatch(r"(\d*)(.*)", part) for part in version.split("."))
    return tuple((0, int(part[1] or 0), part[2]) for part in parts if part)


_dialects: dict[str, list[Dialect]] = {}


def dialect(**described: Any) -> Dialect:
    """Register a dialect; the one registered first is the newest of its name."""
    made = Dialect(**described)
    _dialects.setdefault(made.name, []).append(made)
    return made


@lru_cache(maxsize=1)
def _load() -> None:
    import pkgutil

    package = f"{__package__}.tools"
    for info in pkgutil.iter_modules(import_module(package).__path__):
        import_module(f"{package}.{info.name}")


def every() -> list[Dialect]:
    """Every dialect, by name, newest version first.

    >>> "beir@2.2.0" in [dialect.title for dialect in every()]
    True
    """
    _load()
    return [version for name in sorted(_dialects) for version in _dialects[name]]


def find(text: str) -> Dialect:
    """The dialect of that name, or of that name and version; the nearest are named where there is none.

    >>> find("beir").title, find("beir@2.1").title, find("beir@0.2").title
    ('beir@2.2.0', 'beir@2.2.0', 'beir@0.2.3')
    """
    _load()
    name, _, version = text.strip().partition("@")
    plain = name.lower().replace("_", "-")
    if plain not in _dialects:
        from difflib import get_close_matches

        near = get_close_matches(plain, _dialects, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(_dialects))}."
        raise UsageError(f"'{name}' is not a dialect; {hint} `gainful dialects` lists them.")
    versions = _dialects[plain]
    for known in versions:
        if not version or known.covers(version):
            return known
    have = ", ".join(f"{plain} {known.versions}" for known in versions)
    raise UsageError(f"nothing is known of {plain} {version}; known: {have}.")
