"""Streams of the Google Reader API: ids of items, names of streams, and which entries of an inbox a request asks for.

A profile is a feed, `feed/N` by its number. An entry has a long id of 64 bits, written in decimal digits or, after
`tag:google.com,2005:reader/item/`, in hexadecimal ones; clients mix both, some without the prefix or leading zeros.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from gainful.errors import UsageError
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.filtering.inbox.entry_selection import Which
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.inbox.inbox_entry import EntryMarks

Fields = Mapping[str, list[str]]
"""Parameters of a request: of its address and its body, each with all its values."""

ITEM = "tag:google.com,2005:reader/item/"
"""What stands before the hexadecimal digits of an item's id."""

_FIRST = 0xA << 48
"""Added to an entry's number: the hexadecimal digits of every id begin with a letter, so that without their prefix they are
not taken for decimal ones; and ids stay below 2⁵³, which JavaScript can count to.
"""
_MOST = 1 << 48
_HEXADECIMAL = re.compile(r"[0-9a-f]{1,16}", re.IGNORECASE)
_DECIMAL = re.compile(r"[0-9]{1,19}")

NOT_RELEVANT, SAVED = "not relevant", "saved"
"""Labels of entries: a verdict, and what a reader keeps for later."""

MOST_ITEMS, MOST_IDS = 1_000, 10_000
"""Items, and ids of items, that one answer holds at most."""

_USUAL = 20
_MOST_TAGS = 20  # that one request includes, or leaves out: each that is left out is looked up by itself


def long_id(number: int) -> str:
    """The id of an entry in hexadecimal digits, with its prefix.

    >>> long_id(12)
    'tag:google.com,2005:reader/item/000a00000000000c'
    """
    return f"{ITEM}{_FIRST + number:016x}"


def short_id(number: int) -> str:
    """The id of an entry in decimal digits.

    >>> short_id(12)
    '2814749767106572'
    """
    return str(_FIRST + number)


def entry_number(item: str) -> int | None:
    """The number of the entry whose id this is, in any of its forms; None where it is no id.

    >>> [entry_number(short_id(12)), entry_number(long_id(12)), entry_number("a00000000000c"), entry_number("12")]
    [12, 12, 12, None]
    """
    digits = item.removeprefix(ITEM)
    if digits == item and _DECIMAL.fullmatch(item) and not item.startswith("0"):
        value = int(item)
    elif _HEXADECIMAL.fullmatch(digits):
        value = int(digits, 16)
    else:
        return None
    return value - _FIRST if _FIRST <= value < _FIRST + _MOST else None


@dataclass(frozen=True)
class Target:
    """A set of entries: those that an inbox selects by some keywords, or all others.

    which  keywords of `Inbox.marks`
    holds  False for all entries but these
    """

    which: Which
    holds: bool = True

    def but(self) -> Target:
        """All other entries."""
        return Target(self.which, not self.holds)


_EVERYTHING, _NOTHING = Target({}), Target({}, holds=False)
_STATES = {
    "reading-list": _EVERYTHING,
    "read": Target({"unread": True}, holds=False),
    "unread": Target({"unread": True}),
    "kept-unread": Target({"unread": True}),
    "fresh": Target({"unread": True}),
    "starred": Target({"answered": "relevant"}),
}
_LABELS = {NOT_RELEVANT: Target({"answered": "not-relevant"}), SAVED: Target({"saved": True})}
_STATE = re.compile(r"user/[^/]*/state/com\.google/([a-z-]+)")
_LABEL = re.compile(r"user/[^/]*/label/(.*)", re.DOTALL)
_FEED = re.compile(r"feed/([0-9]{1,15})")


def state_named(stream: str) -> str | None:
    """The state that a stream names, "read" for user/-/state/com.google/read; None where it names none."""
    matched = _STATE.fullmatch(stream)
    return matched[1] if matched else None


def label_named(stream: str) -> str | None:
    """The label that a stream names; None where it names none."""
    matched = _LABEL.fullmatch(stream)
    return matched[1] if matched else None


def profile_numbered(stream: str) -> int | None:
    """The number of the profile that is a stream; None where it is another one.

    >>> profile_numbered("feed/3"), profile_numbered("feed/https://example.org/rss")
    (3, None)
    """
    matched = _FEED.fullmatch(stream)
    return int(matched[1]) if matched else None


def target_named(stream: str, profiles: Mapping[int, str]) -> Target | None:
    """The entries of a stream; None for a stream that is not known.

    profiles  the names of the reader's profiles, by their numbers
    """
    if (number := profile_numbered(stream)) is not None:
        return Target({"profile": number}) if number in profiles else None
    if (state := state_named(stream)) is not None:
        return _STATES.get(state)
    return _LABELS.get(label_named(stream) or "")


@dataclass(frozen=True)
class StreamQuery:
    """Which entries a request asks for.

    targets  sets of entries; those asked for are in all of them
    since, until  when they were delivered
    oldest_first, most, beyond  their order, how many, and after which of them the answer begins
    """

    targets: tuple[Target, ...]
    since: datetime | None = None
    until: datetime | None = None
    oldest_first: bool = False
    most: int = _USUAL
    beyond: int | None = None

    @classmethod
    def of(cls, stream: str, given: Fields, profiles: Mapping[int, str], *, most: int) -> StreamQuery:
        """The query of a request's parameters: n, r, ot, nt, c, it and xt; a stream that is not known is refused.

        A value that is no number is as if it were not given, as other servers have it.
        """
        target = target_named(stream, profiles)
        if target is None:
            raise UsageError(
                f"there is no stream {shown(stream[:200])}; streams are feed/N for a profile, "
                f"user/-/state/com.google/ reading-list or starred, and user/-/label/ {NOT_RELEVANT} or {SAVED}."
            )
        included, excluded = (
            [target_named(name, profiles) or _NOTHING for name in _tags(given, field)]
            for field in ("it", "xt")
        )
        asked = _whole(given, "n")
        return cls(
            (target, *included, *(left_out.but() for left_out in excluded)),
            _time(given, "ot"),
            _time(given, "nt"),
            last(given, "r") == "o",
            min(max(_USUAL if asked is None else asked, 0), most),
            _whole(given, "c"),
        )

    def entries(self, inbox: Inbox) -> tuple[list[EntryMarks], str | None]:
        """The entries asked for, and what continues the list; None at its end."""
        which = self._which()
        others = [target.which for target in self.targets if not target.holds]
        if which is None or not self.most:
            return [], None
        limit = None if others else self.most + 1
        listed = inbox.marks(**self._bounded(which), oldest_first=self.oldest_first, most=limit)
        for other in others:
            left_out = {entry.number for entry in inbox.marks(**self._bounded(other), most=None)}
            listed = [entry for entry in listed if entry.number not in left_out]
        chosen = listed[: self.most]
        return chosen, str(chosen[-1].number) if len(listed) > len(chosen) else None

    def _bounded(self, which: Which) -> Which:
        """These keywords, within the times and from the place asked for."""
        bounds: Which = {
            "before": None if self.oldest_first else self.beyond,
            "after": self.beyond if self.oldest_first else None,
            "since": self.since,
            "until": self.until,
        }
        return {**which, **bounds}

    def _which(self) -> Which | None:
        """The keywords of all targets that hold together; None where they exclude each other."""
        together: dict[str, Any] = {}
        for target in self.targets:
            for key, value in target.which.items() if target.holds else ():
                if together.setdefault(key, value) != value:
                    return None
        return cast("Which", together)


def last(given: Fields, name: str) -> str:
    """The last value of a parameter; empty where it is not given."""
    values = given.get(name) or [""]
    return values[-1]


def _tags(given: Fields, name: str) -> list[str]:
    """Streams that a request names, each once; refused where there are too many."""
    tags = list(dict.fromkeys(given.get(name, ())))
    if len(tags) > _MOST_TAGS:
        raise UsageError(f"one request names at most {_MOST_TAGS} streams in {name}; got {len(tags):,}.")
    return tags


def _whole(given: Fields, name: str) -> int | None:
    text = last(given, name).strip()
    return int(text) if _DECIMAL.fullmatch(text) and len(text) < 19 else None  # what a database can count to


def _time(given: Fields, name: str) -> datetime | None:
    """A time in seconds since 1970, whole or not; 0 is none."""
    try:
        seconds = float(last(given, name))
    except ValueError:
        return None
    if not math.isfinite(seconds) or not 0 < seconds < 2**36:
        return None
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
