"""Inbox: what one reader's filter delivers from the reader's feeds, read, marked and answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self, Unpack

from gainful.errors import DataError, UsageError
from gainful.filtering.document import VERDICTS
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.inbox.entry_pages import EntryPages
from gainful.filtering.inbox.entry_selection import DELIVERED, Selection, Which, bounded
from gainful.filtering.inbox.inbox_entry import Entry, EntryMarks, Moved
from gainful.filtering.state.events import id_of, plain
from gainful.filtering.state.filter_calls import IngestProgress, Verdict
from gainful.filtering.state.filter_results import Ingested
from gainful.filtering.state.filter_session import Clock, now
from gainful.filtering.state.reader_states import reader_filter
from gainful.filtering.state.schema import THRESHOLD
from gainful.filtering.state.store import Store, question_marks
from gainful.filtering.state.store_address import Address, open_store
from gainful.formats.ids import from_bytes

_BATCH = 500  # items that go through the filter together
_MOST_PROFILES = 20  # whose near misses are listed together
_AT_ONCE = 500  # marks that are looked up together

_STANDING = (
    "SELECT learned.profile AS profile, theta FROM profiles JOIN learned ON learned.profile = profiles.number "
    f"JOIN {THRESHOLD} WHERE active = 1 AND name = ?"
)


class Inbox:
    """One reader's filter, the feeds of all readers, and the reader's marks.

    Every call that changes something has happened for good when it returns. One thread uses an inbox at a time; it may pass
    from one thread to another.

    filter  the reader's `Filter`
    feeds   the `FeedStore` that all readers share
    reader  the reader's number
    clock   gives the time
    """

    def __init__(
        self,
        address: Address,
        reader: int = 1,
        *,
        create: bool = False,
        clock: Clock | None = None,
        wait: float = 30.0,
    ) -> None:
        """Open the inbox of a reader.

        address  of the main state, which holds the feeds; reader 1's log is in it too
        create   make the reader's own state where it is not there yet
        clock    gives the time that events are stamped with; the system's by default
        wait     seconds to wait for another process that is writing
        """
        self.reader, self.clock = reader, clock or now
        self.filter = reader_filter(address, reader, create=create, clock=clock, wait=wait)
        self._store: Store = self.filter.store
        self._shared = self._store
        try:
            if reader != 1:
                self._shared = open_store(address, wait=wait)
            self.feeds = FeedStore(self._shared, clock)
            self._pages = EntryPages(self.filter, self.feeds, reader)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the reader's state and the feeds."""
        if self._shared is not self._store:
            self._shared.close()
        self.filter.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---- in

    def take_in(self, *, most: int | None = None, progress: IngestProgress | None = None) -> Ingested:
        """Send the reader's new feed items through the filter, in the order of their arrival.

        Ended at any moment, it is continued by the next call: items may be given to the filter again, which knows those that
        it has, and none is lost. While the reader has no profile, items wait for one.

        most      items to take in at most, so that the reader's other calls come in between; None for all
        progress  called with the total so far after each batch that was committed
        """
        if most is not None and most < 1:
            raise UsageError(f"most must be 1 item or more; got {most}")
        total, left = Ingested(), most
        if not self.profile_names():
            return total
        while left != 0 and (items := self.feeds.unseen(self.reader, most=min(left or _BATCH, _BATCH))):
            documents = [item.document() for item in items]
            total += self.filter.ingest(documents, changed="keep", keep_text=False)
            self.feeds.seen(self.reader, [item.number for item in items])
            left = None if left is None else left - len(items)
            if progress is not None:
                progress(total)
        return total

    # ---- out

    def entries(self, *, most: int = 50, oldest_first: bool = False, **which: Unpack[Which]) -> list[Entry]:
        """Entries, newest first.

        most          how many at most; `before` the last one's number gives the next page
        oldest_first  the other order
        which         see `Which`: profile, unread, saved, answered, fresh, search, before, after, since, until
        """
        chosen = self.marks(most=most, oldest_first=oldest_first, **which)
        return self._pages.entries([entry.number for entry in chosen])

    def marks(
        self, *, most: int | None = 50, oldest_first: bool = False, **which: Unpack[Which]
    ) -> list[EntryMarks]:
        """The entries that `entries` gives, without their content, for lists of thousands; `most=None` gives all."""
        if most is not None and most < 1:
            raise UsageError(f"most must be 1 entry or more; got {most}")
        return self._pages.marks(self._selected(which), oldest_first=oldest_first, most=most)

    def entries_of(self, numbers: Sequence[int]) -> list[Entry]:
        """The entries of these numbers, in their order; unknown numbers are left out."""
        return self._pages.entries(numbers)

    def entry(self, number: int) -> Entry:
        """The entry of a number."""
        entries = self._pages.entries([number])
        if not entries:
            raise DataError(f"{self.filter.name} has no delivery {number}.")
        return entries[0]

    def count(self, **which: Unpack[Which]) -> int:
        """How many entries there are; `which` as in `entries`."""
        return self._pages.count(self._selected(which))

    def near(self, profile: str | None = None, most: int = 20) -> list[Entry]:
        """Documents that were not delivered and nearly were, nearest first.

        They have no number: `answer` takes the profile and the item.

        profile  of this one; without it, of those that have had the fewest answers, which learn most from them
        """
        return self._pages.near([profile] if profile is not None else self._least_answered(), most)

    def _least_answered(self) -> list[str]:
        """Profiles with the fewest answers first, of those the newest; a bounded number."""
        with self.filter.reading() as engine:
            readers = sorted(engine.readers.values(), key=lambda reader: (len(reader.judged), -reader.number))
            return [reader.settings.name for reader in readers[:_MOST_PROFILES]]

    def about(self, pairs: Sequence[tuple[str, str]]) -> list[Entry]:
        """Entries of profiles and documents, (profile, item), delivered or not, in their order; unknown ones are left out."""
        return self._pages.about(pairs)

    def whole_words(self, profile: str, terms: Sequence[str]) -> dict[str, str]:
        """Words for terms of a profile: of its description, or else of documents that were judged or delivered.

        A term without such a word stays as it is.
        """
        with self.filter.reading() as engine:
            reader = engine.readers[self.filter.profile_number(profile)]
        return self._pages.whole_words(reader.number, reader.settings.text, terms)

    def profile_names(self) -> dict[int, str]:
        """The names of the profiles by their numbers, oldest first."""
        with self._store.reading():
            return dict(
                self._store.rows("SELECT number, name FROM profiles WHERE active = 1 ORDER BY number")
            )

    def unread(self) -> dict[str, int]:
        """How many entries of each profile are not marked as read."""
        query = (
            "SELECT d.profile, count(*) AS unread FROM deliveries AS d LEFT JOIN marks AS m ON m.document = d.document "
            "WHERE coalesce(m.read, 0) = 0 GROUP BY d.profile"
        )
        with self._store.reading():
            counts: dict[int, int] = dict(self._store.rows(query))
        return {name: counts.get(number, 0) for number, name in self.profile_names().items()}

    def _selected(self, which: Which) -> Selection:
        chosen: dict[str, Any] = dict(which)
        if isinstance(chosen.get("profile"), str):
            chosen["profile"] = self._profile_number(chosen["profile"])
        return Selection(**chosen)

    def _profile_number(self, name: str) -> int:
        with self._store.reading():
            return self.filter.profile_number(name)

    # ---- answers

    def answer(self, profile: str, item: str, verdict: Verdict, *, mark_read: bool = True) -> Moved:
        """What the reader says of a document, delivered or not; "undo" takes it back.

        An answer that was given before changes nothing, so that a click can safely be sent again.

        mark_read  mark the document as read too, unless the answer is "undo"
        """
        if verdict not in VERDICTS:
            raise UsageError(f"an answer is {', '.join(VERDICTS)}; got {verdict!r}")
        with self._store.reading():  # refuses unknown names before a transaction begins that would fail
            self.filter.profile_number(profile)
            self.filter.document_number(item)
        before = 0.0

        def once() -> Iterator[tuple[str, str, str]]:  # runs within the filter's transaction
            nonlocal before
            number, before = self._standing(profile)
            document = self.filter.document_number(item)
            query = "SELECT verdict FROM judgments WHERE profile = ? AND document = ?"
            earlier = self._store.one(query, number, document)
            if mark_read and VERDICTS[verdict] is not None:
                self._mark([document], read=True)
            if (None if earlier is None else bool(earlier)) != VERDICTS[verdict]:
                yield profile, item, verdict

        changed = self.filter.bulk(once())
        return self._moved(profile, item, verdict, before=before, changed=bool(changed))

    def answer_entry(self, number: int, verdict: Verdict, *, mark_read: bool = True) -> Moved:
        """What the reader says of an entry; the rest as in `answer`."""
        query = (
            "SELECT p.name, x.id FROM deliveries AS d JOIN profiles AS p ON p.number = d.profile AND p.active = 1 "
            "JOIN documents AS x ON x.number = d.document WHERE d.event = ?"
        )
        with self._store.reading():
            row = self._store.row(query, bounded(number))
        if row is None:
            raise DataError(f"{self.filter.name} has no delivery {number}.")
        return self.answer(row[0], from_bytes(row[1]), verdict, mark_read=mark_read)

    def _standing(self, profile: str) -> tuple[int, float]:
        """Number and threshold of a profile, within the transaction under way."""
        row = self._store.row(_STANDING, plain(profile))
        return (self.filter.profile_number(profile), 0.0) if row is None else (row[0], row[1])

    def _moved(self, profile: str, item: str, verdict: Verdict, *, before: float, changed: bool) -> Moved:
        query = "SELECT count(*), coalesce(sum(verdict), 0) FROM judgments WHERE profile = ?"
        with self._store.reading():
            number, after = self._standing(profile)
            judged, relevant = self._store.needed("table judgments", query, number)
        return Moved(profile, item, VERDICTS[verdict], changed, before, after, judged, int(relevant))

    # ---- marks

    def mark(self, items: Iterable[int | str], *, read: bool | None = None, saved: bool | None = None) -> int:
        """Mark entries (by number) or documents (by id) as read or saved, or take the mark away; None leaves it.

        A document delivered to two profiles is read in both. Unknown ones are left out. Returns how many documents were marked.
        """
        given = list(items)
        with self._store.writing():
            documents = self._documents(given)
            self._mark(sorted(documents), read=read, saved=saved)
        return len(documents)

    def mark_all_read(self, profile: str | int | None = None, *, until: int | datetime | None = None) -> int:
        """Mark what was delivered to a profile, or to all profiles, as read; returns how many documents were unread.

        until  the number of the newest entry that the reader has seen, or a time: what was delivered later stays unread
        """
        which: Which = {"profile": profile, "unread": True}
        if isinstance(until, datetime):
            which["until"] = until
        elif until is not None:
            which["before"] = until + 1
        selection = self._selected(which)
        query = f"SELECT DISTINCT d.document {DELIVERED} {selection.sql()}"
        with self._store.writing():
            documents = [document for (document,) in self._store.rows(query, selection.given())]
            self._mark(documents, read=True)
        return len(documents)

    def _documents(self, items: Sequence[int | str]) -> set[int]:
        numbers = [bounded(item) for item in items if isinstance(item, int)]
        ids = [id_of(item) for item in items if isinstance(item, str)]
        documents: set[int] = set()
        for query, keys in (
            ("SELECT document FROM deliveries WHERE event IN ({})", numbers),
            ("SELECT number FROM documents WHERE id IN ({})", ids),
        ):
            for start in range(0, len(keys), _AT_ONCE):
                batch = keys[start : start + _AT_ONCE]
                rows = self._store.rows(query.format(question_marks(batch)), tuple(batch))
                documents.update(document for (document,) in rows)
        return documents

    def _mark(self, documents: Sequence[int], *, read: bool | None = None, saved: bool | None = None) -> None:
        """Marks within the transaction under way."""
        given = {"read": read, "saved": saved}
        changes = ", ".join(f"{name} = excluded.{name}" for name, value in given.items() if value is not None)
        if changes:
            statement = "INSERT INTO marks (document, read, saved) VALUES (?, ?, ?) ON CONFLICT (document) DO UPDATE SET"
            rows = [(document, int(bool(read)), int(bool(saved))) for document in documents]
            self._store.executemany(f"{statement} {changes}", rows)
