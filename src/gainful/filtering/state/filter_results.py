"""What a filter answers: plain records, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from gainful.filtering.reliability import Reliability
from gainful.filtering.replay import Replay
from gainful.filtering.state.events import ProfileSettings
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import Floats, Integers


@dataclass(frozen=True)
class Ingested:
    """What came of documents that arrived.

    documents   that were new
    again       that had been seen before, with the same text: they are not seen twice
    changed     that had been seen before, with another text: what was first seen stays
    empty       new ones without a term: kept, and never delivered
    deliveries  to all profiles together
    """

    documents: int = 0
    again: int = 0
    empty: int = 0
    deliveries: int = 0
    changed: int = 0

    def __add__(self, other: Ingested) -> Ingested:
        return Ingested(
            self.documents + other.documents,
            self.again + other.again,
            self.empty + other.empty,
            self.deliveries + other.deliveries,
            self.changed + other.changed,
        )


@dataclass(frozen=True)
class Delivery:
    """A document that was shown to a reader.

    number    of the event in the log
    profile   the name of the profile
    document  its id
    title, text, link, date  as they came with it
    score     by the profile as it was then
    theta     the threshold then
    position  how many documents had been seen, this one included
    time      when it was delivered
    verdict   what the reader says of it now: "relevant", "not-relevant", or None
    profile_number  of the profile: after its removal another one may have its name
    removed   whether the profile was removed since
    """

    number: int
    profile: str
    document: str
    title: str
    text: str
    link: str
    date: datetime | None
    score: float
    theta: float
    position: int
    time: datetime
    verdict: str | None
    profile_number: int = 0
    removed: bool = False


@dataclass(frozen=True)
class ProfileState:
    """A profile as it is now.

    settings    what was given
    terms       the strongest terms with their weights, highest first
    theta       the score from which a document is delivered
    theta_opt, theta_zero, alpha, start, top  its parts (see `threshold_registry.Threshold`); None where there is none
    n           judged documents
    floor       scores at or below it are never delivered
    relevant, other  documents judged so
    deliveries  so far
    seen        documents seen when profile and threshold were last computed
    estimate    what the threshold's probabilities come from; None for a rule that estimates none, and in a list of profiles
    theta_now   what theta would be if it were set now, where answers to other profiles count; None elsewhere
    """

    name: str
    settings: ProfileSettings
    terms: tuple[tuple[str, float], ...]
    theta: float
    theta_opt: float | None
    theta_zero: float | None
    alpha: float | None
    n: int
    start: float | None
    top: float | None
    floor: float
    relevant: int
    other: int
    deliveries: int
    seen: int
    added: datetime
    estimate: Reliability | None = None
    theta_now: float | None = None


@dataclass(frozen=True)
class Part:
    """A term that document and profile share, and what it adds to the score: in_document · in_profile."""

    term: str
    in_document: float
    in_profile: float

    @property
    def adds(self) -> float:
        """Its part of the score."""
        return self.in_document * self.in_profile


@dataclass(frozen=True)
class Explanation:
    """Why a document came, or did not.

    parts        shared terms, those that add most first; their sum is the score, to the last bits
    score        by the profile as it is now
    margin       score − theta: 0 or more would be delivered now
    delivered    the delivery as it happened, with score and theta of then; None if it never was
    delivers     whether it would be delivered now
    verdict      what the reader says of it: "relevant", "not-relevant", or None
    reason       one sentence that says why, or why not
    change       sentences that say what would have changed it; empty where nothing is to be said
    missing      the profile's strongest terms that the document lacks, with their weights
    probability  of being relevant, by its score; None for a rule that estimates none
    """

    profile: ProfileState
    document: str
    title: str
    position: int
    parts: tuple[Part, ...]
    score: float
    margin: float
    delivered: Delivery | None
    delivers: bool
    verdict: str | None
    reason: str
    change: tuple[str, ...]
    missing: tuple[tuple[str, float], ...]
    probability: float | None = None


@dataclass(frozen=True)
class NearMiss:
    """A document that was not delivered, and not judged, but scores high.

    profile      the name of the profile
    document     its id
    title, text, link, date  as they came with it
    score        by the profile as it is now
    theta        the threshold now; a document at it or above arrived before profile or threshold were what they are
    probability  of being relevant, by the calibration of the profile's rule; None for a rule that estimates none
    position     how many documents had been seen, this one included
    profile_number  of the profile
    """

    profile: str
    document: str
    title: str
    text: str
    link: str
    date: datetime | None
    score: float
    theta: float
    probability: float | None
    position: int
    profile_number: int


@dataclass(frozen=True)
class Previewed:
    """A document of the history under a threshold that was asked about: its score by the profile as it is now."""

    document: str
    title: str
    score: float
    position: int
    verdict: str | None
    delivered: bool


@dataclass(frozen=True)
class Preview:
    """What a threshold would have done on the history, by the profile as it is now.

    would_come   documents at the threshold or above, highest first
    gained       how many of them were never delivered
    lost         delivered documents below it, highest first: these would have been missed
    relevant     judged relevant among those that would have come; `other` judged not relevant, `unjudged` the rest
    missed       judged relevant below the threshold
    utility      of what would have been delivered, unjudged ones counted as not relevant
    history      documents it was tried on
    """

    profile: str
    threshold: float
    would_come: tuple[Previewed, ...]
    gained: int
    lost: tuple[Previewed, ...]
    relevant: int
    other: int
    unjudged: int
    missed: int
    utility: float
    history: int


@dataclass(frozen=True, eq=False)
class History:
    """Scores and judgments of one profile, for curves.

    documents   positions of the documents in the history (from 0), in the order of their arrival
    scores      of each, by the profile as it is now
    verdicts    of each: 1 relevant, 0 not relevant, −1 not judged
    threshold   made from them now, with its whole utility curve (`charts.utility_curve` takes it)
    replay      renewals and deliveries over time (`charts.threshold_over_time` takes it)
    relevant    positions of the documents judged relevant
    """

    profile: str
    documents: Integers
    scores: Floats
    verdicts: np.ndarray[tuple[int], np.dtype[np.int8]]
    threshold: Threshold
    replay: Replay
    relevant: frozenset[int]


@dataclass(frozen=True)
class Rebuilt:
    """The result of rebuilding everything from the log.

    events     that were gone through
    documents  among them
    decisions  deliveries that were decided again and compared with those of the log
    unchecked  deliveries that could not be compared, because something that mattered then was forgotten since
    differing  what was not the same, a sentence each; empty: everything agreed, to the last bit
    """

    events: int
    documents: int
    decisions: int
    unchecked: int
    differing: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the state was what its log says."""
        return not self.differing


@dataclass(frozen=True)
class Forgotten:
    """What was removed for good.

    events   of the log
    terms    that nothing else has
    copies   of older versions, which may still hold it
    remains  where else the database may hold it for a while, as a sentence; empty where nowhere
    """

    events: int
    terms: int
    copies: tuple[str, ...] = ()
    remains: str = ""


@dataclass(frozen=True)
class Stats:
    """A state in numbers."""

    version: int
    created: datetime
    events: int
    documents: int
    empty: int
    forgotten: int
    history: int
    cap: int | None
    terms: int
    epoch: int
    epoch_began: int
    profiles: int
    deliveries: int
    feedback: int
    bytes: int
