"""What an inbox returns: entries as a reader sees them, and how an answer moved a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Entry:
    """A document that was delivered to a profile, or nearly was.

    number       of the delivery's event in the reader's log; None for a document that was not delivered
    item         id of the document; one that came from a feed is called item-N
    profile      the name of the profile
    title, link, author  as they came with it; the link leads to a web page, or is empty
    feed         title of the feed it came from; empty for a document that came otherwise
    also_in      titles of the reader's other feeds that had the same story
    published    when it was published, as the feed says
    delivered    when it was delivered; None for a document that was not
    excerpt      the beginning of its text, on one line
    html         its content, cleaned; empty where there is none
    words        why it came: words of the document that speak for it, those that add most first
    against      words of the document that speak against it, the strongest first
    score        by the profile when it was delivered; of a document that was not, by the profile as it is
    threshold    the one that the score was compared with
    probability  of being relevant, by profile and answers as they are now; None while nothing is judged relevant, and for a
                 rule that estimates none
    verdict      what the reader says of it: True for relevant, False for not relevant, None for nothing
    read, saved  the reader's marks
    text         the whole text
    profile_number  of the profile, which stays when its name changes
    """

    number: int | None
    item: str
    profile: str
    title: str
    link: str
    feed: str
    also_in: tuple[str, ...]
    published: datetime | None
    delivered: datetime | None
    excerpt: str
    html: str
    words: tuple[str, ...]
    against: tuple[str, ...]
    score: float
    threshold: float
    probability: float | None
    verdict: bool | None
    read: bool
    saved: bool
    author: str
    text: str
    profile_number: int


@dataclass(frozen=True)
class EntryMarks:
    """A delivery with what its reader did with it, and without its content; for lists of thousands.

    number          of the delivery's event in the reader's log
    profile_number  of the profile
    delivered       when
    verdict         what the reader says of it: True for relevant, False for not relevant, None for nothing
    read, saved     the reader's marks
    """

    number: int
    profile_number: int
    delivered: datetime
    verdict: bool | None
    read: bool
    saved: bool


@dataclass(frozen=True)
class Moved:
    """What an answer did.

    profile, item  what was answered
    verdict        what the reader says of the item now
    changed        False where the reader had said the same before: then nothing happened
    before, after  the profile's threshold
    judged         documents that the reader has answered for this profile, and how many of them are relevant
    """

    profile: str
    item: str
    verdict: bool | None
    changed: bool
    before: float
    after: float
    judged: int
    relevant: int
