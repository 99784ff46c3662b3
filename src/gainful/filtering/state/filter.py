"""Filter: a stream kept worth reading, day after day, and nothing lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gainful.filtering.analyzer import Analyzer
from gainful.filtering.document import CAP
from gainful.filtering.state import reader_answers, undelivered
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import Event, Settings, stamp
from gainful.filtering.state.filter_calls import ProfileCalls, StreamCalls
from gainful.filtering.state.filter_results import (
    Delivery,
    Explanation,
    History,
    NearMiss,
    Part,
    Preview,
)
from gainful.filtering.state.filter_session import Clock, now
from gainful.filtering.state.maintenance import Maintenance
from gainful.filtering.state.reader_answers import explanation, parts_of
from gainful.filtering.state.store_address import Address, making_store, open_store

NEAR = 1000
"""Near misses are looked for among so many documents seen last."""


class Filter(ProfileCalls, StreamCalls, Maintenance):
    """Profiles, documents and feedback of one reader.

    Every call that changes something has happened for good when it returns; a call that raises has changed nothing
    (`ingest`: what was reported before stays). Data faults raise `DataError`, wrong arguments `UsageError`.

    >>> import tempfile, pathlib
    >>> from gainful.filtering import Document
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Filter.create(pathlib.Path(folder.name) / "my.filter") as mine:
    ...     _ = mine.add_profile("cocoa", text="cocoa harvest and prices")
    ...     _ = mine.ingest([Document("a", "Cocoa prices rise after a poor harvest"), Document("b", "A goal late in the match")])
    ...     [one.document for one in mine.deliveries()]
    ['a']
    >>> folder.cleanup()
    """

    @classmethod
    def create(
        cls,
        address: Address,
        *,
        analyzer: Analyzer | None = None,
        epochs: float | None = 2.0,
        refresh: float = 0.05,
        cap: int | None = CAP,
        clock: Clock | None = None,
        wait: float = 30.0,
    ) -> Filter:
        """Make a new state; one that is there already is refused. Only its owner can read a file.

        address   the path of an SQLite file, or postgresql://user@host:port/database
        analyzer  how text becomes terms; the usual one is English
        epochs    a new idf epoch begins when the documents seen have grown by this factor; None keeps the first
        refresh   thresholds are recomputed after feedback, and when the documents seen have grown by this share
        cap       documents of the history that stay (see docs/filter_state.md); None keeps all
        clock     gives the time that events are stamped with; the system's by default. Time decides nothing
        wait      seconds to wait for another process that is writing
        """
        settings = Settings.of(analyzer or Analyzer(), epochs=epochs, refresh=refresh, cap=cap)
        with making_store(address, wait=wait) as store:
            Log(store).add(Event(1, "settings", stamp((clock or now)()), 0, body=settings.to_dict()))
        return cls(open_store(address, wait=wait), clock)

    @classmethod
    def open(cls, address: Address, *, wait: float = 30.0, clock: Clock | None = None) -> Filter:
        """Open a state: a file, or a database (see `create`). What is none, or of a newer version, is refused; an older one
        is migrated, with a copy kept. `with Filter.open(address) as state:` closes it.
        """
        return cls(open_store(address, wait=wait), clock)

    def explain(self, profile: str, document: str) -> Explanation:
        """Why a document came, or did not, and what would have changed it."""
        with self.reading() as engine:
            reader, number = self._reader(engine, profile), self.document_number(document)
            return explanation(self._store, self._log, engine, reader, number)

    def parts(self, deliveries: Sequence[Delivery | NearMiss]) -> list[tuple[Part, ...]]:
        """The terms that each delivery shares with its profile as it is now, those that add most first.

        A delivery to a profile that was removed, or of a document that was forgotten since, has none.
        """
        with self.reading() as engine:
            return [
                parts_of(
                    self._store,
                    self._log,
                    engine,
                    engine.readers.get(delivery.profile_number),
                    delivery.document,
                )
                for delivery in deliveries
            ]

    def preview(self, profile: str, threshold: float, *, since: datetime | None = None) -> Preview:
        """What a threshold would have done on the history, or on what of it arrived since a time (inclusive)."""
        with self.reading() as engine:
            reader = self._reader(engine, profile)
            return undelivered.preview(self._store, engine, reader, threshold, since=since)

    def near_misses(self, profile: str, *, most: int = 10, last: int | None = NEAR) -> list[NearMiss]:
        """Documents that came near the threshold: the highest-scored that were neither delivered nor judged.

        `feedback` takes an answer to each, as to any document. Those of an archive, or from before the profile was added,
        are among them.

        most  how many to list
        last  among so many documents seen last; None for the whole history
        """
        with self.reading() as engine:
            return undelivered.near_misses(
                self._store, engine, self._reader(engine, profile), most=most, last=last
            )

    def history(self, profile: str) -> History:
        """Scores and judgments of one profile, for curves."""
        with self.reading() as engine:
            return reader_answers.history(self._store, engine, self._reader(engine, profile))
