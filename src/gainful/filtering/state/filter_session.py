"""A session: the engine and the file of a state kept together, and documents that arrive written into the log and scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from gainful.errors import DataError
from gainful.filtering.document import Document
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.event_log import FORGOTTEN, Log
from gainful.filtering.state.events import Event, digest_of, id_of, moment, plain, stamp
from gainful.filtering.state.filter_results import Ingested
from gainful.filtering.state.profile_index import Decision, Reader
from gainful.filtering.state.store import Store
from gainful.filtering.vectors import Counts, Vocabulary
from gainful.formats.ids import shown

_MOST = 100_000  # documents and terms after which words are looked up again


@dataclass(frozen=True)
class _Sorted:
    """Documents sorted out: those that are new, by id and with their digests; how many are not, and what is wrong with the one
    after them.
    """

    fresh: dict[bytes, tuple[Document, bytes]]
    again: int
    changed: int
    fault: DataError | None


class Arrivals:
    """The way in, with what it remembers of words and terms. Everything takes place within a transaction."""

    def __init__(self, store: Store, log: Log, engine: Engine) -> None:
        self._store = store
        self._log = log
        self.engine = engine
        self._analyzer = engine.settings.analyzer
        self._terms: dict[str, int] = {}
        self._since = 0  # documents since words were last forgotten

    def arrive(
        self,
        documents: Sequence[Document],
        *,
        deliverable: bool,
        time: int,
        changed: str = "error",
        keep_text: bool = True,
    ) -> tuple[Ingested, DataError | None]:
        """Take documents in up to the first that cannot be; what came of it, and what is wrong with that one."""
        arrived = self._sorted_out(documents, keep=changed == "keep")
        fresh, before = arrived.fresh, Ingested(again=arrived.again, changed=arrived.changed)
        if not fresh:
            return before, arrived.fault
        self._forget_words()
        self._since += len(fresh)
        counted = [self._analyzer.counts(document.title, document.text) for document, _ in fresh.values()]
        counts = self._numbered(counted)
        self._log.saw(fresh, counts, deliverable=deliverable, time=time, keep_text=keep_text)
        witness = _Writer(self._log, self.engine, time)
        self.engine.go(counts, deliverable=deliverable, witness=witness)
        empty = sum(not terms for terms in counted)
        return before + Ingested(len(fresh), empty=empty, deliveries=witness.deliveries), arrived.fault

    def archive(self, documents: Sequence[Document], *, time: int) -> list[int]:
        """Take documents in that are delivered to nobody; their numbers, also of those that were there."""
        _, fault = self.arrive(documents, deliverable=False, time=time)
        if fault is not None:
            raise fault
        known = [self._log.known(id_of(document.id)) for document in documents]
        if None in known:
            gone = documents[known.index(None)]
            raise DataError(f"{self._store.name} has no document '{shown(gone.id)}': it was erased.")
        return [row[0] for row in known if row is not None]

    def counted(self, texts: Sequence[str]) -> Counts:
        """Texts that are no documents, as terms."""
        return self._numbered([self._analyzer.counts("", text) for text in texts])

    def _numbered(self, counted: Sequence[dict[str, float]]) -> Counts:
        self._log.number_terms(counted, self._terms)
        return Counts.of(counted, Vocabulary(self._terms))

    def _forget_words(self) -> None:
        """Bound what is remembered, so that memory does not grow with the stream."""
        if len(self._terms) > _MOST or self._since > _MOST:
            self._terms = {}
            self._analyzer = self.engine.settings.analyzer
            self._since = 0

    def _sorted_out(self, documents: Sequence[Document], *, keep: bool) -> _Sorted:
        """Documents up to the first that cannot be taken in: new ones, and how many were seen before."""
        fresh: dict[bytes, tuple[Document, bytes]] = {}
        again = changed = 0
        sound, fault = self._sound(documents)
        seen = self._log.digests([id_ for id_, _, _ in sound])
        for id_, digest, document in sound:
            before = fresh[id_][1] if id_ in fresh else seen.get(id_)
            if before is None:
                fresh[id_] = document, digest
            elif before in (digest, FORGOTTEN):  # what was forgotten is never taken in again
                again += 1
            elif keep:
                changed += 1
            else:
                fault = self._changed(document, fresh[id_][0] if id_ in fresh else None)
                break
        return _Sorted(fresh, again, changed, fault)

    def _sound(
        self, documents: Sequence[Document]
    ) -> tuple[list[tuple[bytes, bytes, Document]], DataError | None]:
        """Documents with their ids and digests, up to the first that is none for a filter; what is wrong with that one."""
        sound: list[tuple[bytes, bytes, Document]] = []
        for document in documents:
            try:
                sound.append((*self._checked(document), document))
            except DataError as fault:
                return sound, fault
        return sound, None

    def _checked(self, document: Document) -> tuple[bytes, bytes]:
        """Id and digest of a document that can be taken in."""
        if document.vector is not None:
            raise DataError(
                f"document '{shown(document.id)}'{_line(document)} has its own vector, but filters work on "
                "text. Give it a text, or use `gainful filter simulate` for vectors."
            )
        return id_of(document.id), digest_of(document)

    def _changed(self, document: Document, earlier: Document | None) -> DataError:
        """What is said of an id seen before with other text."""
        if earlier is not None:
            where = f"earlier among the same documents{_line(earlier)}"
        else:
            number = self._store.one("SELECT number FROM documents WHERE id = ?", id_of(document.id))
            where = f"as document {number + 1:,} of the stream, on {self._when(number)}"
        return DataError(
            f"document '{shown(document.id)}'{_line(document)} arrived before with a different text, {where}; give it another "
            "id, or keep the first version (--changed keep)."
        )

    def _when(self, number: int) -> str:
        query = "SELECT time FROM events JOIN documents ON event = events.number WHERE documents.number = ?"
        return moment(self._store.needed("the event of a document", query, number)[0]).strftime(
            "%Y-%m-%d %H:%M UTC"
        )


def _line(document: Document) -> str:
    return f" (line {document.place})" if document.place else ""


class _Writer:
    """Writes deliveries, epochs and cuts into the log."""

    def __init__(self, log: Log, engine: Engine, time: int) -> None:
        self._log, self._engine, self._time = log, engine, time
        self.deliveries = 0

    def delivered(self, decisions: list[Decision]) -> None:
        """Deliveries become events."""
        if decisions:
            self.deliveries += self._log.delivered(decisions, time=self._time)

    def happened(self, kind: str, body: dict[str, Any]) -> Event:
        """Epochs and cuts become events."""
        event = Event(self._log.last + 1, kind, self._time, self._engine.seen, body=body)
        self._log.add(event)
        return event


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

    @property
    def name(self) -> str:
        """The address of the state, as messages show it."""
        return self._store.name

    @property
    def store(self) -> Store:
        """The tables of the state, for what is kept beside the log."""
        return self._store

    def close(self) -> None:
        """Close the file."""
        self._engine = None
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[Engine]:
        """A read transaction: the engine as the state has it, and tables of the same moment."""
        with self._store.reading():
            yield self._current()

    @contextmanager
    def _writing(self) -> Iterator[Engine]:
        try:
            with self._store.writing():
                engine = self._current()
                yield engine
                (self._engine or engine).flush()
                self._touched = self._store.revise()
        except BaseException:
            self._engine = self._arrivals = None  # memory may be ahead of the file
            raise

    def _current(self) -> Engine:
        """The engine, as the state has it; read again if another process has changed the log."""
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

    def profile_number(self, name: str) -> int:
        """The number of a profile that is there; within a transaction of the store."""
        number = self._store.one("SELECT number FROM profiles WHERE active = 1 AND name = ?", plain(name))
        if number is None:
            raise self._unknown_profile(name)
        return int(number)

    def _reader(self, engine: Engine, name: str) -> Reader:
        number = self.profile_number(name)
        if number not in engine.readers:
            raise self._store.damaged(f"table profiles: '{shown(name)}' is there twice, or half")
        return engine.readers[number]

    def _unknown_profile(self, name: str) -> DataError:
        query = "SELECT name FROM profiles WHERE active = 1 ORDER BY number LIMIT 6"
        known = [name for (name,) in self._store.rows(query)]
        there = ", ".join(f"'{shown(other)}'" for other in known[:5]) + (", …" if len(known) > 5 else "")
        return DataError(
            f"{self._store.name} has no profile '{shown(name)}'; "
            + (f"there is {there}." if known else "there is none yet.")
        )

    def document_number(self, document: str) -> int:
        """The number of a document that was seen, from 0; within a transaction of the store."""
        id_ = id_of(document)
        known = self._log.known(id_)
        if known is None:
            gone = ": it was erased" if self._log.was_forgotten(id_) else ""
            raise DataError(f"{self._store.name} has no document '{shown(document)}'{gone}.")
        return known[0]


def now() -> datetime:
    """What the system's clock says."""
    return datetime.now(UTC)
