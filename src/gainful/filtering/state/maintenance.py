"""Care of a whole state: its settings and numbers, made anew and checked, data out of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

from gainful.errors import DataError, UsageError
from gainful.filtering.state import checkup, forget
from gainful.filtering.state.events import Event, Settings, id_of, plain
from gainful.filtering.state.export import export
from gainful.filtering.state.migration import copies_of
from gainful.filtering.state.rebuild import Quiet, derive, rebuild
from gainful.filtering.state.results import Forgotten, Rebuilt, Stats
from gainful.filtering.state.session import Session


class Care(Session):
    """The part of a filter that looks after the file."""

    @property
    def settings(self) -> Settings:
        """What holds for the whole state."""
        with self._store.reading():
            return self._log.settings

    def configure(self, **changes: Any) -> Settings:
        """Change `epochs`, `refresh` or `cap` from now on."""
        for name in changes.keys() - {"epochs", "refresh", "cap"}:
            raise UsageError(f"'{name}' cannot be changed; epochs, refresh and cap can")
        with self._writing() as engine:
            settings = engine.settings.changed(**changes)
            self._event(engine, "settings", body=settings.to_dict())
            return settings

    def stats(self) -> Stats:
        """The state in numbers."""
        with self._reading() as engine:
            return checkup.stats(self._store, self._log, engine)

    def rebuild(self) -> Rebuilt:
        """Make everything anew from the log, and say whether it was as it should be.

        What was there need not be readable. A log that is damaged is refused, and nothing changes.
        """
        self._engine = self._arrivals = None
        with self._store.writing():
            if damage := checkup.damage(self._store):
                raise DataError(
                    f"{self._store.name} is damaged: {damage[0]}. Take it from a backup; nothing was changed."
                )
            return rebuild(self._store, self._log)

    def check(self) -> list[str]:
        """Findings, a sentence each; none where file, log and what is made from it agree. Changes nothing."""
        self._engine = None
        with self._store.speaking():
            self._store.execute("BEGIN IMMEDIATE")
            try:
                return checkup.check(self._store, self._log)
            finally:
                self._store.undo()

    def export(self, file: IO[str]) -> int:
        """Everything as JSON lines, a header and then the events in their order; how many lines."""
        with self._store.reading():
            return export(self._store, file)

    def forget_document(self, document: str) -> Forgotten:
        """Remove a document for good, the log included. A hash of its id stays, so that it is not taken in again."""
        with self._store.reading():
            number = self._document(document)
        return self._forget("document", lambda: forget.forget_document(self._store, number, id_of(document)))

    def forget_profile(self, name: str) -> Forgotten:
        """Remove a profile for good, present or removed, with its deliveries and feedback, the log included."""
        with self._store.reading():
            query = "SELECT number FROM profiles WHERE name = ?"
            numbers = [number for (number,) in self._store.execute(query, (plain(name),))]
        if not numbers:
            raise self._unknown_profile(name)

        def remove() -> tuple[int, int]:
            done = [forget.forget_profile(self._store, number) for number in numbers]
            return sum(events for events, _ in done), sum(terms for _, terms in done)

        return self._forget("profile", remove)

    def scrub(self) -> None:
        """Write the file anew, without traces of what was forgotten; needed only where forgetting could not finish."""
        self._store.scrub()

    def _forget(self, what: str, remove: Callable[[], tuple[int, int]]) -> Forgotten:
        with self._writing() as engine:
            self._store.execute("PRAGMA secure_delete = ON")
            events, terms = remove()
            self._log.add(Event(self._log.last + 1, "forget", self._time(), engine.seen, body={"what": what}))
            self._engine = derive(self._store, self._log, Quiet())
        self._store.scrub()
        self._engine = self._arrivals = None
        return Forgotten(events, terms, tuple(map(str, copies_of(self._store.path))))
