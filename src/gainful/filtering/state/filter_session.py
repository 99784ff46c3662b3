"""A session: the engine and the file of a state kept together, transaction by transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from gainful.errors import DataError
from gainful.filtering.state.arrivals import Arrivals
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import Event, id_of, plain, stamp
from gainful.filtering.state.profile_index import Reader
from gainful.filtering.state.sqlite_file import Store
from gainful.formats.ids import shown

Clock = Callable[[], datetime]


class Session:
    """What every call of a filter needs: a transaction, the engine as the file has it, and the things that names mean."""

    def __init__(self, store: Store, clock: Clock | None) -> None:
        self._store = store
        self._log = Log(store)
        self._clock = clock or now
        self._engine: Engine | None = None
        self._touched = -1
        self._arrivals: Arrivals | None = None

    def close(self) -> None:
        """Give the file back."""
        self._engine = None
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[Engine]:
        try:
            with self._store.writing():
                engine = self._current()
                yield engine
                (self._engine or engine).flush()
        except BaseException:
            self._engine = self._arrivals = None  # memory may be ahead of the file
            raise

    @contextmanager
    def _reading(self) -> Iterator[Engine]:
        with self._store.reading():
            yield self._current()

    def _current(self) -> Engine:
        """The engine, as the file has it; read again if another process has written."""
        touched = self._store.touched
        if self._engine is None or touched != self._touched:
            self._engine = self._loaded()
            self._arrivals = None
            self._touched = touched
        return self._engine

    def _loaded(self) -> Engine:
        return Engine(self._store, self._log)

    def _arriving(self, engine: Engine) -> Arrivals:
        if self._arrivals is None or self._arrivals.engine is not engine:
            self._arrivals = Arrivals(self._store, self._log, engine)
        return self._arrivals

    def _event(self, engine: Engine, kind: str, **given: Any) -> None:
        event = Event(self._log.last + 1, kind, self._time(), engine.seen, **given)
        self._log.add(event)
        engine.apply(event)

    def _time(self) -> int:
        return stamp(self._clock())

    def _profile(self, name: str) -> int:
        """The number of a profile that is there."""
        number = self._store.one("SELECT number FROM profiles WHERE active AND name = ?", plain(name))
        if number is None:
            raise self._unknown_profile(name)
        return int(number)

    def _reader(self, engine: Engine, name: str) -> Reader:
        number = self._profile(name)
        if number not in engine.readers:
            raise self._store.damaged(f"table profiles: '{shown(name)}' is there twice, or half")
        return engine.readers[number]

    def _unknown_profile(self, name: str) -> DataError:
        known = [
            name
            for (name,) in self._store.rows("SELECT name FROM profiles WHERE active ORDER BY number LIMIT 6")
        ]
        there = ", ".join(f"'{shown(one)}'" for one in known[:5]) + (", …" if len(known) > 5 else "")
        return DataError(
            f"{self._store.name} has no profile '{shown(name)}'; "
            + (f"there is {there}." if known else "there is none yet.")
        )

    def _document(self, document: str) -> int:
        id_ = id_of(document)
        found = self._log.known(id_)
        if found is None:
            gone = ": it was forgotten" if self._log.was_forgotten(id_) else ""
            raise DataError(f"{self._store.name} has no document '{shown(document)}'{gone}.")
        return found[0]


def now() -> datetime:
    """What the system's clock says."""
    return datetime.now(UTC)
