"""A learner: the profile and the threshold of one reader, computed again from the documents seen and judged."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, insort
from dataclasses import dataclass
from itertools import filterfalse

import numpy as np

from gainful.errors import UsageError
from gainful.filtering.profile_models import Judged, ProfileModel, Regression
from gainful.filtering.relevance_calibration import answers_only_relevant, places_of
from gainful.filtering.rule_text import Rule
from gainful.filtering.sibling_profiles import OTHER, RELEVANT, SILENT, Siblings
from gainful.filtering.stream_epochs import LARGEST
from gainful.filtering.theta_opt_and_zero import NO_ANSWERS, Answers, LinearUtility, Seen
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import NOTHING, Floats, Integers, Store, Vector


@dataclass(frozen=True)
class Schedule:
    """When a learner renews its profile and threshold.

    growth   when the judged documents have grown by this share since the last time; 0 renews after each feedback
    refresh  and when the documents seen have grown by this share, feedback or not
    """

    growth: float = 0.0
    refresh: float = 0.05

    def __post_init__(self) -> None:
        if not 0 <= self.growth <= LARGEST:
            raise UsageError(f"growth must be from 0 to a billion; got {self.growth:g}")
        if not 0 < self.refresh <= LARGEST:
            raise UsageError(f"refresh must be above 0, and a billion at most; got {self.refresh:g}")

    def after(self, seen: int) -> int:
        """How many documents will have been seen at the next refresh, if the last one was at that many.

        >>> Schedule(refresh=0.05).after(100)
        105
        """
        return seen + max(1, math.ceil(seen * self.refresh))


LATEST = 500
"""The latest answers that a calibrating rule is given, and the latest deliveries among which it is told which have none."""


def order_matters(rule: Rule, model: ProfileModel) -> bool:
    """Whether the order of answers decides: by which profile each is placed, and when the profile learns."""
    return rule.calibrates or isinstance(model, Regression)


class Learner:
    """What one reader wants, learned: feedback goes in, a profile and a threshold come out.

    siblings  the profiles of the same reader, where they learn from each other, and the number of this one among them

    The profile depends on the documents seen and judged. So does the threshold, and on the places that judged documents had
    among all others when they were judged; whoever tells the same in the same order gets the same bits.
    """

    def __init__(
        self,
        *,
        rule: Rule,
        model: ProfileModel,
        utility: LinearUtility,
        schedule: Schedule,
        siblings: tuple[Siblings, int] | None = None,
    ) -> None:
        self.rule = rule
        self.model = model
        self.utility = utility
        self.schedule = schedule
        self.siblings = siblings
        self.relevant = array("q")  # numbers of documents in the order of their arrival
        self.other = array("q")
        self.places: dict[int, float] = {}  # of judged documents, when they were judged
        self.sent: dict[
            int, float
        ] = {}  # places of deliveries, when they arrived; where profiles learn from each other
        self.delivered = array("q")  # the latest deliveries, in the order of their arrival
        self.profile = NOTHING
        self.threshold: Threshold | None = None
        self.dropped = 0
        self._new = 0  # feedback since the last renewal
        self._changed = False  # whether some of it took an answer back
        self._seen = 0  # documents seen by then
        self._known = 0  # documents judged by then
        self._scores: Floats = np.empty(0)  # of documents seen, by the profile as it is

    def enter(
        self, store: Store, description: Vector, *, dropped: int = 0, arrival: Integers | None = None
    ) -> None:
        """Work with these vectors from now on: at the start, and when an idf epoch begins.

        dropped  documents seen before that are not in the store; the others are numbered as they are there
        arrival  the documents of the store in the order of their arrival, where they do not stand so
        """
        self.store = store
        self.description = description
        self.dropped = dropped
        self.arrival = arrival
        self._seen = 0
        self._changed = True
        self._scores = np.empty(0)

    def deliver(self, document: int) -> None:
        """A document was delivered."""
        if self.siblings is not None:
            self.sent[document] = self.place(document, document + 1)
            self._count(SILENT, self.sent[document])
        self.delivered.append(document)
        del self.delivered[:-LATEST]

    def tell(self, document: int, relevant: bool | None, seen: int) -> None:
        """What the reader said of a document, after so many were seen; None takes it back."""
        in_turn = order_matters(self.rule, self.model) and not self.schedule.growth
        if in_turn and self._new and self.threshold is not None:
            self.renew(seen)  # one answer after the other, also where several arrive together
        before = document in self.places
        for kind, judged in enumerate((self.relevant, self.other)):
            place = bisect_left(judged, document)
            if place < len(judged) and judged[place] == document:
                del judged[place]
                self._count(kind, self.places[document], -1)
        if not before:
            self._count(SILENT, self.sent.get(document, math.nan), -1)
        if relevant is None:
            self.places.pop(document, None)
            self._count(SILENT, self.sent.get(document, math.nan))
        else:
            insort(self.relevant if relevant else self.other, document)
            if not before:
                self.places[document] = self.place(document, seen)
            self._count(RELEVANT if relevant else OTHER, self.places[document])
        self._changed |= before
        self._new += 1

    def _count(self, kind: int, place: float, by: int = 1) -> None:
        if self.siblings is not None:
            self.siblings[0].count(self.siblings[1], kind, place, by)

    def place(self, document: int, seen: int) -> float:
        """The place of a document among all seen, by the profile as it is; NaN where there is none yet."""
        if not len(self.profile.terms) or not self.rule.calibrates:
            return math.nan
        scores = self.scores(seen)
        nearness = self.rule.nearness if self.store.floor > -math.inf else 0.0
        return float(places_of(scores[[document]], scores, self.dropped, nearness)[0])

    @property
    def judged(self) -> int:
        """How many documents have feedback."""
        return len(self.relevant) + len(self.other)

    def next_refresh(self) -> int:
        """How many documents will have been seen when it must be renewed, feedback or not."""
        return self.schedule.after(self._seen)

    def due(self, seen: int) -> bool:
        """Whether it is to be renewed now that so many documents were seen."""
        if self._new and self._new >= self.schedule.growth * (self.judged - self._new):
            return True
        return seen >= self.next_refresh()

    def renew(self, seen: int) -> Threshold:
        """The threshold after that many documents, delivered or not; and the profile, where it is time."""
        if self._changed or (self._new and self.model.due(self._known, self.judged)):
            self.learn(seen)
        return self.settle(seen)

    def learn(self, seen: int) -> None:
        """The profile, from the description, the judged documents and those seen beside them."""
        judged = self._taught()
        held = seen - self.dropped
        arrived = np.arange(held) if self.arrival is None else self.arrival
        self.profile = self.model.profile(self.store, self.description, judged, arrived)
        self._changed = False
        self._scores = np.empty(0)

    def _taught(self) -> Judged:
        """What the reader said; and her silence, as "not relevant", where she probably answers only what is relevant."""
        judged = Judged(np.array(self.relevant, np.int64), np.array(self.other, np.int64))
        if self.rule.hint == 1 or not len(self.delivered):
            return judged
        answers = self._answers()
        told = self._arrived(answers.rows[~np.isnan(answers.places)])
        # What arrived after the last document that she answered may be waiting for her still.
        passed = answers.silent[self._arrived(answers.silent) < told.max(initial=-1)]
        answers = answers._replace(silent=passed)
        if not len(passed) or answers_only_relevant(answers) <= self.rule.hint:
            return judged
        other = np.concatenate([judged.other, passed])
        return Judged(judged.relevant, other[np.argsort(self._arrived(other))])

    def resume(self, profile: Vector, scores: Floats) -> None:
        """Go on with a profile that was learned before, and the scores that it gives to the documents seen."""
        self.profile, self._scores = profile, scores

    def scores(self, seen: int) -> Floats:
        """Scores of the documents seen, by the profile as it is."""
        held = seen - self.dropped
        if len(self._scores) < held:
            more = self.store.score(self.profile, len(self._scores), held)
            self._scores = np.concatenate([self._scores, more])
        return self._scores[:held]

    def settle(self, seen: int) -> Threshold:
        """The threshold of the profile as it is, after that many documents."""
        history = Seen(
            self.scores(seen), np.array(self.relevant, np.int64), self.judged, self.dropped, self._answers()
        )
        self.threshold = self.rule.threshold(history, utility=self.utility, floor=self.store.floor)
        self._new = 0
        self._seen = seen
        self._known = self.judged
        return self.threshold

    def _answers(self) -> Answers:
        if not self.rule.calibrates:
            return NO_ANSWERS
        relevant, other = self.relevant[-LATEST:], self.other[-LATEST:]
        rows = np.concatenate([np.array(relevant, np.int64), np.array(other, np.int64)])
        latest = np.argsort(self._arrived(rows))[-LATEST:]
        places = np.fromiter(map(self.places.__getitem__, rows[latest].tolist()), np.float64, len(latest))
        silent = list(filterfalse(self.places.__contains__, self.delivered))
        told = None if self.siblings is None else self.siblings[0].told(self.siblings[1])
        return Answers(rows[latest], places, latest < len(relevant), np.array(silent, np.int64), told)

    def _arrived(self, rows: Integers) -> Integers:
        """When documents arrived, in numbers that rise with time."""
        return rows if self.arrival is None else np.argsort(self.arrival)[rows]
