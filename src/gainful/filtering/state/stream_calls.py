"""The stream: documents arrive, deliveries go out, feedback comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Literal

from gainful.errors import DataError, UsageError
from gainful.filtering.document import CHANGED, VERDICTS, Document
from gainful.filtering.state import answers
from gainful.filtering.state.events import stamp
from gainful.filtering.state.filter_results import Delivery, Ingested
from gainful.filtering.state.filter_session import Session
from gainful.formats.ids import shown

Verdict = Literal["relevant", "not-relevant", "undo"]
Changed = Literal["error", "keep"]
Told = Callable[[Ingested], None]

_PAGE = 500  # deliveries read at once


class StreamCalls(Session):
    """The part of a filter that takes documents in, delivers them and hears feedback."""

    def ingest(
        self,
        documents: Iterable[Document],
        *,
        deliver: bool = True,
        changed: Changed = "error",
        batch: int = 256,
        progress: Told | None = None,
    ) -> Ingested:
        """Documents that arrive, in their order.

        Done in batches, each committed once `progress` is called (with the total so far). An id seen before with the same
        text and title is counted as `again`. When a fault comes, or reading `documents` raises, what came before it stays.

        deliver  False: an archive, which fills the history and is delivered to nobody; a new idf epoch begins after it
        changed  what an id seen before with another text is: "error", a fault; or "keep", which leaves what was first
                 seen as it is and counts it as `changed`
        """
        if batch < 1:
            raise UsageError(f"batch must be 1 document or more; got {batch}")
        if changed not in CHANGED:
            raise UsageError(f"changed must be {' or '.join(CHANGED)}; got {changed!r}")
        total, source = Ingested(), iter(documents)
        some, fault = _take(source, batch)
        while some or fault:
            following = _take(source, batch) if not deliver and fault is None else ([], None)
            with self._writing() as engine:
                done, wrong = self._arriving(engine).arrive(
                    some, deliverable=deliver, changed=changed, time=self._time()
                )
                last = wrong is not None or not any(following)
                if not deliver and last and (total + done).documents and engine.began < engine.seen:
                    self._event(engine, "epoch")
            total += done
            if progress is not None:
                progress(total)
            if (problem := wrong or fault) is not None:
                raise problem
            some, fault = _take(source, batch) if deliver else following
        return total

    def deliveries(
        self, *, profile: str | None = None, since: datetime | int | None = None
    ) -> Iterator[Delivery]:
        """Deliveries in their order; since a time (inclusive), or after an event's number."""
        with self._store.reading():
            whose = None if profile is None else self._profile(profile)
        return self._delivered(whose, since)

    def _delivered(self, profile: int | None, since: datetime | int | None) -> Iterator[Delivery]:
        last = since if isinstance(since, int) else 0
        from_time = stamp(since) if isinstance(since, datetime) else None
        whose = "" if profile is None else "AND d.profile = :profile"
        when = "" if from_time is None else "AND e.time >= :time"
        query = f"{answers.DELIVERIES} WHERE d.event > :last {whose} {when} ORDER BY d.event LIMIT :most"
        while True:
            with self._store.reading():
                given = {"last": last, "profile": profile, "time": from_time, "most": _PAGE}
                rows = list(self._store.rows(query, given))
            if not rows:
                return
            last = rows[-1][0]
            yield from map(answers.delivery, rows)

    def feedback(self, profile: str, document: str, verdict: Verdict) -> None:
        """What the reader says of a document that was seen, delivered or not, early or late; "undo" takes it back."""
        self.bulk([(profile, document, verdict)])

    def bulk(self, said: Iterable[tuple[str, str, str]]) -> int:
        """Many of them at once, (profile, document, verdict): all or none. How many there were."""
        count = 0
        with self._writing() as engine:
            for profile, document, verdict in said:
                if verdict not in VERDICTS:
                    raise DataError(f"feedback is relevant, not-relevant or undo; got '{shown(verdict)}'.")
                reader, number = self._reader(engine, profile), self._document(document)
                if VERDICTS[verdict] is None and number not in reader.judged:
                    raise DataError(
                        f"there is nothing to undo: '{shown(profile)}' has given no feedback on '{shown(document)}'."
                    )
                self._event(
                    engine, "feedback", profile=reader.number, document=number, verdict=VERDICTS[verdict]
                )
                count += 1
        return count


def _take(source: Iterator[Document], most: int) -> tuple[list[Document], Exception | None]:
    """The next documents, and what went wrong in reading on."""
    some: list[Document] = []
    try:
        for one in source:
            some.append(one)
            if len(some) == most:
                break
    except Exception as fault:
        return some, fault
    return some, None
