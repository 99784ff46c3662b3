"""The engine: what follows from the events, kept up to date in memory and in the tables made from the log.

The same code runs live and when everything is rebuilt; the difference is who says when an idf epoch begins and when
the history is cut: the rules, which then write it into the log, or the log.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

from gainful._core import HighestScores
from gainful.errors import DataError, UsageError
from gainful.filtering.learner import LATEST, Learner, order_matters
from gainful.filtering.profile_models import ProfileModel
from gainful.filtering.rule_text import Rule
from gainful.filtering.state import derived
from gainful.filtering.state.document_places import note_arrivals, place_when_judged
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import Event, Settings, learning_of
from gainful.filtering.state.history_vectors import HistoryVectors, kept_by, leaving, next_cut
from gainful.filtering.state.profile_index import ActiveProfiles, Decision, Reader
from gainful.filtering.state.sibling_index import SiblingIndex
from gainful.filtering.state.store import Store
from gainful.filtering.state.unanswered_profiles import DEPTH, unanswered_thetas
from gainful.filtering.stream_epochs import epoch_end
from gainful.filtering.theta_opt_and_zero import LinearUtility
from gainful.filtering.vectors import NOTHING, Counts, Floats, Idf, Integers, Vector
from gainful.formats.ids import shown

Happened = Callable[[str, dict[str, Any]], Event]


class Witness(Protocol):
    """Receives deliveries and epoch events."""

    def delivered(self, decisions: list[Decision]) -> None:
        """Deliveries, in the order of documents and then of profiles."""

    @property
    def happened(self) -> Happened | None:
        """Makes the event that the rules ask for; None where epochs and cuts come from the log instead."""


class Engine:
    """Epoch, history, profiles and thresholds of a state."""

    def __init__(self, store: Store, log: Log) -> None:
        self.store = store
        self._log = log
        self.settings: Settings = log.settings
        self.seen = log.seen
        self.readers = derived.readers(store)
        self.epoch, self.idf = derived.epoch(store)
        self._stale: dict[int, bool] = {}  # profiles whose threshold is to be set anew; True: the profile too
        self._profiles: ActiveProfiles | None = None
        self.highest = HighestScores(DEPTH)
        self.siblings = SiblingIndex(self.readers, self._rule_if_known)
        self._history: HistoryVectors | None = None
        self.held = int(store.one("SELECT count(*) FROM history"))
        self.cut = derived.last_cut(store)
        derived.check(store, self.readers.values(), began=self.began, seen=self.seen)

    @classmethod
    def anew(cls, store: Store, log: Log) -> Engine:
        """An engine that has seen nothing yet; the tables made from the log must be empty."""
        engine = cls(store, log)
        engine.seen = engine.cut = 0
        return engine

    # ---- what it holds

    @property
    def history(self) -> HistoryVectors:
        """The history as vectors; read from the file when it is first needed."""
        if self._history is None:
            self._history = HistoryVectors(self.store, self.idf)
        return self._history

    @property
    def began(self) -> int:
        """Documents seen when the idf epoch began."""
        return self.idf.documents

    @property
    def dropped(self) -> int:
        """Documents seen that are not in the history."""
        return self.seen - self.held

    def description(self, reader: Reader) -> Vector:
        """The text of a profile in the terms of the epoch."""
        return Vector(reader.counts.terms, self.idf.weighted(reader.counts))

    # ---- documents

    def go(self, counts: Counts, *, deliverable: bool, witness: Witness) -> None:
        """Documents that arrived; they are in the log already."""
        self.flush()
        first, last = self.seen, self.seen + len(counts)
        self.store.executemany("INSERT INTO history VALUES (?)", ((number,) for number in range(first, last)))
        if self._history is not None:
            self._history.append(first, counts)
        while self.seen < last:
            stop = min(last, self._next(rules=witness.happened is not None))
            coming = counts[self.seen - first : stop - first]
            reached = self.profiles.arrive(coming, self.idf, self.seen, deliverable=deliverable)
            if deliverable:
                note_arrivals(self, reached, stop)
                witness.delivered(reached.decisions)
            self.held += stop - self.seen
            self.seen = stop
            if witness.happened is not None:
                self._by_rule(witness.happened)
            self._refresh()

    def _next(self, *, rules: bool) -> int:
        """How many documents will have been seen when something else than a decision is to be done."""
        due = self.profiles.next_due()
        stops = [] if due is None else [due]
        if rules and self.settings.epochs is not None:
            stops.append(epoch_end(self.began, self.settings.epochs))
        if rules and self.settings.cap is not None:
            stops.append(next_cut(self.settings.cap, seen=self.seen, held=self.held, last=self.cut))
        return max(min(stops, default=1 << 62), self.seen + 1)

    def _by_rule(self, happened: Happened) -> None:
        growth, cap = self.settings.epochs, self.settings.cap
        if growth is not None and self.seen >= epoch_end(self.began, growth):
            self.apply(happened("epoch", {}))
        if cap is not None and self.seen >= next_cut(cap, seen=self.seen, held=self.held, last=self.cut):
            self.apply(happened("cap", {"keep": cap}))

    @property
    def profiles(self) -> ActiveProfiles:
        """All profiles side by side; built again when one of them has changed."""
        if self._profiles is None:
            self._profiles = ActiveProfiles(self.readers, self.settings.schedule, self.highest)
        return self._profiles

    # ---- other events

    def apply(self, event: Event) -> None:
        """What any other event changes; profiles and thresholds follow with `flush`."""
        if any(number != event.profile and self._shares(number) for number in self._stale):
            self.flush()  # what one profile has learned counts for the next one
        match event.kind:
            case "feedback":
                self._heard(event)
            case "profile-added" | "profile-edited":
                self._profile_changed(event)
            case "profile-removed":
                self._removed(event)
            case "epoch":
                self._begin_epoch()
            case "cap":
                self._cut(kept_by(event, self.store.damaged))
            case "settings":
                self.settings = self._log.settings_of(event)
                self._profiles = None
            case "forget":
                pass  # what it removed is no longer in the log
            case _:
                raise self._damaged(event, "kind")

    def _heard(self, event: Event) -> None:
        if event.profile is None or event.document is None or not event.document < self.seen:
            raise self._damaged(event, "document")
        reader = self.readers.get(event.profile)
        example = reader is not None and self._is_example(reader, event.document)
        if reader is not None and reader.number in self._stale and not example:
            rule, model, _ = self.learning(reader)
            if order_matters(rule, model):
                self.flush()  # one answer after the other, however many come in one call
        place = None
        if reader is not None and event.verdict is not None:
            place = place_when_judged(self, reader, event.document, example=example)
        derived.keep_verdict(self.store, event.profile, event.document, event.verdict, place)
        if event.verdict is not None and not derived.in_history(self.store, event.document):
            self._bring_back(event.document)
        if reader is not None:
            self.siblings.leave(reader, event.document)
            again = reader.judged.pop(event.document, None) is not None
            reader.places.pop(event.document, None)
            if event.verdict is not None:
                reader.judged[event.document] = event.verdict
                if place is not None:
                    reader.places[event.document] = place
            else:
                reader.of_another_kind.discard(event.document)
            self.siblings.enter(reader, event.document)
            self._stale[reader.number] = self._stale.get(reader.number, False) or again or example

    def _is_example(self, reader: Reader, document: int) -> bool:
        """Whether a document is judged as part of what a profile is made of: no document has arrived since the profile was
        added or edited, and it was never delivered there.
        """
        return reader.changed == self.seen and not derived.was_delivered(self.store, reader.number, document)

    def _bring_back(self, document: int) -> None:
        """A document that had left the history is in it again; what was stale before is made without it."""
        self.flush()
        self.highest.clear()
        self.store.execute("INSERT INTO history VALUES (?)", (document,))
        if self._history is not None:
            self._history.bring_back(document)
        self.held += 1

    def _profile_changed(self, event: Event) -> None:
        if event.profile is None or event.counts is None:
            raise self._damaged(event, "profile or terms")
        settings = self._log.profile_settings_of(event)
        known = self.readers.get(event.profile)
        reader = Reader(event.profile, settings, event.counts, self.seen)
        self.readers[event.profile] = reader
        if known:
            reader.judged, reader.places, reader.sent = known.judged, known.places, known.sent
            reader.of_another_kind = known.of_another_kind
            if settings.rule != known.settings.rule:
                self.siblings.clear()
                if derived.nearness_of(settings) != derived.nearness_of(known.settings):
                    reader.of_another_kind, reader.sent = set(known.judged), {}
                    derived.drop_arrivals(self.store, reader.number)
        derived.keep_profile(self.store, reader, event.time)
        self._stale[event.profile] = True

    def _removed(self, event: Event) -> None:
        if event.profile not in self.readers:
            raise self._damaged(event, "profile")
        self.flush()
        del self.readers[event.profile]
        self.highest.drop(event.profile)
        self._profiles = None
        self.siblings.clear()
        derived.retire(self.store, event.profile)

    def _begin_epoch(self) -> None:
        self.epoch, self.idf = self.epoch + 1, Idf(self.seen, self._log.frequency(self.seen))
        derived.keep_epoch(self.store, self.epoch, self.idf)
        self._history = None
        self._renew(self.readers.values())

    def _cut(self, keep: int) -> None:
        """Cut the history by the rule of `cap`; every threshold is recomputed from what stays."""
        self.flush()
        judged = {document for reader in self.readers.values() for document in reader.judged}
        vectors = [reader.vector for reader in self.readers.values()]
        gone = leaving(self.history, self.held, vectors, judged, keep)
        self.store.executemany(
            "DELETE FROM history WHERE document = ?", ((document,) for document in gone.tolist())
        )
        self._history = None
        self.highest.clear()
        self.held -= len(gone)
        self.cut = self.seen
        self._renew(self.readers.values(), learn=False)

    def _damaged(self, event: Event, column: str) -> DataError:
        return self.store.damaged(
            f"event {event.number} ({shown(event.kind)}), column {column}: what it names is missing"
        )

    # ---- profiles and thresholds

    def flush(self) -> None:
        """Recompute what events have made stale: thresholds, and the profiles that are to learn."""
        stale = [(self.readers[number], self._stale[number]) for number in sorted(self._stale)]
        if stale:
            learning = [reader for reader, changed in stale if changed or self._learns(reader)]
            self._renew([reader for reader, _ in stale if reader not in learning], learn=False)
            self._renew(learning)
            self._stale.clear()

    def _learns(self, reader: Reader) -> bool:
        """Whether a profile is to be learned again after its reader's answers."""
        return self.learning(reader)[1].due(reader.known, len(reader.judged))

    def _refresh(self) -> None:
        """Thresholds that are due, now that more documents were seen."""
        if due := self.profiles.due(self.seen):
            self._renew([self.readers[number] for number in due], learn=False)

    def _renew(self, readers: Iterable[Reader], *, learn: bool = True) -> None:
        """Recompute thresholds, and profiles too if they are to learn."""
        renewed: dict[Reader, derived.Parts] = {}
        if not learn:
            readers = list(readers)
            together = unanswered_thetas(
                readers, self.highest, self.siblings, self.learning, held=self.held, documents=self.seen
            )
            for reader, theta_opt, theta_zero in together:
                reader.theta, reader.seen, reader.known = theta_opt, self.seen, 0
                renewed[reader] = derived.parts_unanswered(theta_opt, theta_zero)
        for reader in readers:
            if reader not in renewed:
                renewed[reader] = self._renewed(reader, learn)
        if not renewed:
            return
        derived.keep_renewals(self.store, self.seen, renewed.items(), learned=learn)
        if learn:
            self._profiles = None
        elif self._profiles is not None:
            self._profiles.place(renewed)

    def _renewed(self, reader: Reader, learn: bool) -> derived.Parts:
        """The parts of a new threshold; the scores it was made from are not kept."""
        learner = self.learner(reader, learn=learn)
        threshold = learner.settle(self.seen)
        if learn or reader.number not in self.highest:
            self.highest.keep(reader.number, learner.scores(self.seen))
        reader.vector, reader.theta = learner.profile, threshold.theta
        reader.seen, reader.known = self.seen, threshold.n
        return derived.parts_of(threshold)

    def _shares(self, number: int) -> bool:
        """Whether a profile and others of the reader learn from each other."""
        return number in self.readers and bool(self.learning(self.readers[number])[0].siblings)

    def learning(self, reader: Reader) -> tuple[Rule, ProfileModel, LinearUtility]:
        """How a profile learns; refused where its rule is not known here."""
        settings = reader.settings
        try:
            return learning_of(settings.rule, settings.rocchio, settings.utility)
        except UsageError as fault:
            raise DataError(
                f"{self.store.name}, profile '{shown(settings.name)}': {shown(str(fault))}. If the rule is one of your own, "
                "load the file that registers it."
            ) from None

    def _rule_if_known(self, reader: Reader) -> Rule | None:
        try:
            return self.learning(reader)[0]
        except DataError:
            return None

    def learner(self, reader: Reader, *, learn: bool = False) -> Learner:
        """A learner that knows what the reader said, with the profile as it is, or learned again."""
        rule, model, utility = self.learning(reader)
        siblings = self.siblings.of(reader)
        learner = Learner(
            rule=rule,
            model=model,
            utility=utility,
            schedule=self.settings.schedule,
            siblings=None if siblings is None else (siblings, reader.number),
        )
        description = self.description(reader) if learn else NOTHING
        documents = self.history.documents[: self.held]
        arrival = np.argsort(documents) if (np.diff(documents) < 0).any() else None
        learner.enter(self.history.vectors, description, dropped=self.dropped, arrival=arrival)
        judged = sorted(reader.judged.items())
        rows = self.history.rows([document for document, _ in judged])
        learner.relevant = array("q", [row for row, (_, good) in zip(rows, judged, strict=True) if good])
        learner.other = array("q", [row for row, (_, good) in zip(rows, judged, strict=True) if not good])
        if rule.calibrates:
            learner.places = {
                row: reader.places.get(document, math.nan)
                for row, (document, _) in zip(rows, judged, strict=True)
            }
            learner.delivered = array("q", self.history.rows(self._delivered(reader)))
        if learn:
            learner.learn(self.seen)
            learner.resume(learner.profile, self.history.scores(learner.profile, self.held))
        else:
            learner.resume(reader.vector, self.history.scores(reader.vector, self.held))
        return learner

    def _delivered(self, reader: Reader) -> list[int]:
        """The latest deliveries of a profile that are still in the history, in the order of their arrival."""
        latest = np.array(
            derived.delivered(self.store, reader.number, before=self.seen, most=LATEST), np.int64
        )
        there = np.isin(latest, self.history.documents[: self.held])
        return [int(document) for document in latest[there]]

    def scores(self, reader: Reader) -> tuple[Integers, Floats]:
        """Documents of the history in the order of their arrival, and their scores by the profile as it is."""
        documents = self.history.documents[: self.held]
        order = np.argsort(documents)
        return documents[order], self.history.scores(reader.vector, self.held)[order]
