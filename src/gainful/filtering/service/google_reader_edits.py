"""Changes that clients of the Google Reader API make: tags of entries, reading marks, subscriptions.

Starring says "relevant" and the label *not relevant* says that; removing either takes back what it said, and nothing else.
Reading says nothing. A subscription is a profile; an address that a client subscribes to becomes a feed that is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gainful.errors import UsageError
from gainful.filtering.feeds.feed_address import shown_address
from gainful.filtering.safe_text import line
from gainful.filtering.service.google_reader_forms import feed_id
from gainful.filtering.service.google_reader_streams import (
    NOT_RELEVANT,
    SAVED,
    Target,
    label_named,
    profile_numbered,
    state_named,
    target_named,
)
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.filtering.feeds.feed_records import Feed
    from gainful.filtering.inbox.entry_selection import Which
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.state.filter_calls import Verdict

MOST_ANSWERS = 1_000
"""Items that one request may star or label at most: each answer moves a threshold."""

MOST_EDITED = 100
"""Subscriptions that one request may change at most."""

_FOLDER = 100
_NAME, _TITLE, _WISH = (
    60,
    100,
    5_000,
)  # characters of a name made from a wish, of one that is given, and of a wish


@dataclass(frozen=True)
class TagEdit:
    """What a request changes of some entries.

    read, saved  the marks after it; None leaves them
    verdict      "relevant" or "not-relevant", which is said of them
    undone       verdicts that are taken back where they were given: True for relevant, False for not relevant
    """

    read: bool | None = None
    saved: bool | None = None
    verdict: Verdict | None = None
    undone: frozenset[bool] = frozenset()

    @classmethod
    def of(cls, added: Iterable[str], removed: Iterable[str], *, shares: bool = False) -> TagEdit:
        """What adding and removing these tags means; labels that are not kept are refused.

        shares  sharing means "not relevant": for newsboat, which has two flags and no labels
        """
        adds = {_tag(name, shares) for name in added}
        drops = {_tag(name, shares) for name in removed}
        if {"starred", NOT_RELEVANT} <= adds:
            raise UsageError(f"an item is starred or '{NOT_RELEVANT}', not both at once.")
        return cls(
            read=True if "read" in adds else False if "kept-unread" in adds or "read" in drops else None,
            saved=True if SAVED in adds else False if SAVED in drops else None,
            verdict="relevant" if "starred" in adds else "not-relevant" if NOT_RELEVANT in adds else None,
            undone=frozenset(
                said for said, name in ((True, "starred"), (False, NOT_RELEVANT)) if name in drops
            ),
        )

    def apply(self, inbox: Inbox, numbers: Sequence[int]) -> None:
        """Change these entries; numbers that are not of this inbox are passed over."""
        if numbers and (self.verdict is not None or self.undone):
            self._answer(inbox, numbers)
        if self.read is not None or self.saved is not None:
            inbox.mark(numbers, read=self.read, saved=self.saved)

    def _answer(self, inbox: Inbox, numbers: Sequence[int]) -> None:
        """Say or take back what is to be said; entries that were unread stay so, as clients expect of a star."""
        if len(numbers) > MOST_ANSWERS:
            raise UsageError(f"one request answers at most {MOST_ANSWERS:,} items; got {len(numbers):,}.")
        wanted = set(numbers)
        answered = [
            marks
            for marks in inbox.marks(after=min(numbers) - 1, before=max(numbers) + 1, most=None)
            if marks.number in wanted and (self.verdict is not None or marks.verdict in self.undone)
        ]
        for marks in answered:
            inbox.answer_entry(marks.number, self.verdict or "undo", mark_read=False)


def _tag(name: str, shares: bool) -> str:
    """The state or label that a tag names; a label that is not kept is refused."""
    label = label_named(name)
    if label in (NOT_RELEVANT, SAVED):
        return label
    if label is not None:
        raise UsageError(
            f"the label '{shown(label[:100])}' is not kept; labels are '{NOT_RELEVANT}' and '{SAVED}'."
        )
    state = state_named(name) or ""
    return NOT_RELEVANT if shares and state == "broadcast" else state


def mark_all_read(inbox: Inbox, target: Target, until: datetime | None) -> None:
    """Mark the entries of a stream as read, those that were delivered up to a time."""
    unread = inbox.marks(unread=True, until=until, most=None)
    which: Which = {**target.which, "until": until}
    asked = {entry.number for entry in inbox.marks(**which, most=None)}
    inbox.mark([entry.number for entry in unread if (entry.number in asked) is target.holds], read=True)


def older_than(text: str) -> datetime | None:
    """A time as clients give it: since 1970, in seconds or in thousandth, millionth or billionth parts of one.

    >>> older_than("1790000000"), older_than("1790000000000000")
    (datetime.datetime(2026, 9, 21, 14, 13, 20, tzinfo=datetime.timezone.utc),
     datetime.datetime(2026, 9, 21, 14, 13, 20, tzinfo=datetime.timezone.utc))
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 20) or not int(text):
        return None
    seconds = float(text)
    while seconds > 2**36:
        seconds /= 1_000
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


# ---- subscriptions


def edit_subscription(
    inbox: Inbox,
    profiles: Mapping[int, str],
    stream: str,
    *,
    action: str,
    title: str,
    folder: str | None,
) -> None:
    """Rename or remove a profile; subscribe to a feed, rename, move or leave it.

    folder  of a feed; None leaves it, empty takes the feed out of its folder
    """
    number = profile_numbered(stream)
    if number is not None:
        _edit_profile(inbox, profiles, number, action, title)
    elif stream.startswith("feed/"):
        _edit_feed(inbox, stream.removeprefix("feed/"), action, title, folder)
    else:
        raise UsageError(f"{shown(stream[:200])} is no subscription; those are feed/N and feed/ADDRESS.")


def _edit_profile(inbox: Inbox, profiles: Mapping[int, str], number: int, action: str, title: str) -> None:
    if number not in profiles:
        raise UsageError(f"there is no profile feed/{number}.")
    if action == "unsubscribe":
        inbox.filter.remove_profile(profiles[number])
    elif (name := line(title)) and name != profiles[number]:
        if len(name) > _TITLE:
            raise UsageError(f"the name of a profile has at most {_TITLE} characters; got {len(name):,}.")
        inbox.filter.edit_profile(profiles[number], rename=name)
    elif action == "edit" and not name:
        raise UsageError("profiles lie in no folders; only a new title can be given.")


def _edit_feed(inbox: Inbox, address: str, action: str, title: str, folder: str | None) -> None:
    if action == "subscribe":
        inbox.feeds.subscribe(inbox.reader, address, title=title, folder=(folder or "")[:_FOLDER])
        return
    feed = _feed_at(inbox, address)
    if action == "unsubscribe":
        inbox.feeds.unsubscribe(inbox.reader, feed.number)
    else:
        inbox.feeds.rename(
            inbox.reader,
            feed.number,
            title=title or None,
            folder=None if folder is None else folder[:_FOLDER],
        )


def _feed_at(inbox: Inbox, address: str) -> Feed:
    for feed in inbox.feeds.feeds(inbox.reader):
        if feed.address in (address, shown_address(address)):  # feeds do not tell their passwords
            return feed
    raise UsageError(f"there is no subscription to {shown(address[:200])}.")


def add_profile(inbox: Inbox, wish: str) -> tuple[str, str]:
    """Add a profile that looks for a text; its stream and its name."""
    if len(wish) > _WISH:
        raise UsageError(f"what a profile looks for has at most {_WISH:,} characters; got {len(wish):,}.")
    name = line(wish, _NAME)
    inbox.filter.add_profile(name, text=wish)
    inbox.take_in()  # items may have waited for a first profile
    numbers = {known: number for number, known in inbox.profile_names().items()}
    return feed_id(numbers[name]), name


def stream_target(stream: str, profiles: Mapping[int, str]) -> Target:
    """The entries of a stream; one that is not known is refused."""
    target = target_named(stream, profiles)
    if target is None:
        raise UsageError(f"there is no stream {shown(stream[:200])}.")
    return target
