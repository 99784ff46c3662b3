"""Pages of an inbox: deliveries and near misses as entries, with their feeds, their marks and the words they came for."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from gainful.filtering.feeds.feed_records import FeedItem
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.inbox.delivery_reasons import Reason, Reasons
from gainful.filtering.inbox.entry_selection import DELIVERED, Selection, bounded
from gainful.filtering.inbox.inbox_entry import Entry, EntryMarks
from gainful.filtering.inbox.whole_words import WholeWords
from gainful.filtering.safe_text import line, web
from gainful.filtering.state.engine import Engine
from gainful.filtering.state.events import id_of, moment, plain
from gainful.filtering.state.filter import Filter
from gainful.filtering.state.filter_results import NearMiss
from gainful.filtering.state.store import Row, Store, question_marks
from gainful.formats.ids import from_bytes

_EXCERPT = 300  # characters
_REMEMBERED = 5000  # documents whose excerpts and words are remembered
_EXAMPLES = 100  # documents judged, and documents delivered, that a profile's words are looked for in
_AT_ONCE = 500  # entries that are read together
_SEARCHED, _LONGEST = 12, 100  # words of a search, and characters of a word; more are left out
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_ITEM = re.compile(r"item-([1-9]\d{0,14})")

_DOCUMENT = "x.id, x.title, x.text, x.link, x.date, x.text_kept"
_MARKS = "j.verdict, coalesce(m.read, 0) AS read, coalesce(m.saved, 0) AS saved"
_ENTRIES = f"SELECT d.event, d.profile, p.name, d.document, {_DOCUMENT}, d.score, d.theta, e.time, {_MARKS} {DELIVERED}"
_ABOUT = f"""
SELECT d.event AS delivery, p.number AS profile, p.name, x.number AS document, {_DOCUMENT}, d.score AS then_score,
    d.theta AS then_theta, e.time AS delivered_time, {_MARKS}
FROM profiles AS p JOIN documents AS x ON x.id = ? LEFT JOIN deliveries AS d ON d.profile = p.number AND d.document = x.number
LEFT JOIN events AS e ON e.number = d.event LEFT JOIN judgments AS j ON j.profile = p.number AND j.document = x.number
LEFT JOIN marks AS m ON m.document = x.number WHERE p.active = 1 AND p.name = ?
"""

_OF_PROFILE = """
SELECT x.id, x.title, x.text, x.text_kept FROM (
    SELECT * FROM (SELECT document, verdict + 1 AS worth FROM judgments WHERE profile = :profile
        ORDER BY verdict DESC, document DESC LIMIT :most) AS judged
    UNION ALL SELECT * FROM (SELECT document, 0 AS worth FROM deliveries WHERE profile = :profile
        ORDER BY event DESC LIMIT :most) AS delivered
) AS chosen JOIN documents AS x ON x.number = chosen.document WHERE x.id IS NOT NULL ORDER BY chosen.worth DESC, x.number DESC
"""


@dataclass(frozen=True)
class _Draft:
    """An entry as the log has it, without what feeds and profiles say of it."""

    number: int | None
    profile_number: int
    profile: str
    document: int
    item: str
    title: str
    text: str
    link: str
    date: datetime | None
    kept: bool
    score: float | None
    threshold: float | None
    delivered: datetime | None
    verdict: bool | None
    read: bool
    saved: bool

    def scored(self, score: float, threshold: float) -> _Draft:
        """With score and threshold of now, where it was not delivered."""
        return self if self.number is not None else replace(self, score=score, threshold=threshold)

    @property
    def story(self) -> int | None:
        """The number of the feed item whose text is kept with the feeds; None for a document that came otherwise."""
        return None if self.kept else story_number(self.item)


class EntryPages:
    """Reads entries; every call is one read transaction or several."""

    def __init__(self, filter_: Filter, feeds: FeedStore, reader: int) -> None:
        self._filter, self._feeds, self._reader = filter_, feeds, reader
        self._store: Store = filter_.store
        self._reasons = Reasons(self._store)
        self._words = WholeWords(filter_.settings.analyzer)
        self._known: dict[int, tuple[str, dict[str, str]]] = {}  # excerpts and words, by documents' numbers
        self._engine: weakref.ref[Engine] | None = None  # for which these hold

    # ---- which entries

    def marks(self, selection: Selection, *, oldest_first: bool, most: int | None) -> list[EntryMarks]:
        """The entries that are asked for, newest first unless asked otherwise, without their content."""
        order = "ASC" if oldest_first else "DESC"
        matches = self._matches(selection.search)
        limit = "LIMIT :most" if matches is None and most is not None else ""
        query = (
            f"SELECT d.event, d.profile, e.time, {_MARKS}, x.id, x.text_kept, d.document {DELIVERED} {selection.sql()} "
            f"ORDER BY d.event {order} {limit}"
        )
        with self._store.reading():
            rows = self._store.scan(query, {**selection.given(), "most": most})
            if matches is not None:
                rows = islice((row for row in rows if matches.has(*row[-3:])), most)
            return [_entry_marks(row) for row in rows]

    def count(self, selection: Selection) -> int:
        """How many entries there are."""
        if selection.search:
            return len(self.marks(selection, oldest_first=False, most=None))
        query = f"SELECT count(*) {DELIVERED} {selection.sql()}"
        with self._store.reading():
            return int(next(self._store.rows(query, selection.given()))[0])

    def _matches(self, search: str) -> _Matches | None:
        """Documents that have all words of a search; None where there is no word."""
        words = [word[:_LONGEST] for word in plain(search.replace("\0", " ")).lower().split()[:_SEARCHED]]
        if not words:
            return None
        condition = "(lower(title) LIKE ? ESCAPE '!' OR lower(text) LIKE ? ESCAPE '!')"
        query = f"SELECT number, title, text FROM documents WHERE {' AND '.join([condition] * len(words))}"
        with self._store.reading():
            rows = self._store.scan(query, [_pattern(word) for word in words for _ in ("title", "text")])
            documents = {
                number
                for number, title, text in rows
                if all(word in f"{title}\n{text}".lower() for word in words)
            }
        return _Matches(documents, self._feeds.search(self._reader, words))

    # ---- entries

    def entries(self, numbers: Sequence[int]) -> list[Entry]:
        """Entries of these numbers, in their order; unknown ones are left out."""
        drafts: dict[int, _Draft] = {}
        for start in range(0, len(numbers), _AT_ONCE):
            batch = numbers[start : start + _AT_ONCE]
            query = f"{_ENTRIES} WHERE p.active = 1 AND d.event IN ({question_marks(batch)})"
            with self._store.reading():
                rows = self._store.rows(query, tuple(map(bounded, batch)))
                drafts |= {row[0]: _draft(row) for row in rows}
        return self._finished([drafts[number] for number in numbers if number in drafts])

    def near(self, profiles: Iterable[str], most: int) -> list[Entry]:
        """Documents that were nearly delivered, nearest first: by how much of the threshold their score reaches."""
        misses = [miss for name in profiles for miss in self._filter.near_misses(name, most=most)]
        misses.sort(key=lambda miss: -_reached(miss))
        return self.about([(miss.profile, miss.document) for miss in misses[:most]])

    def about(self, pairs: Sequence[tuple[str, str]]) -> list[Entry]:
        """Entries of profiles and documents, delivered or not, in their order; unknown ones are left out."""
        with self._store.reading():
            rows = [self._store.row(_ABOUT, id_of(item), plain(profile)) for profile, item in pairs]
        return self._finished([_draft(row) for row in rows if row is not None])

    def whole_words(self, profile: int, description: str, terms: Sequence[str]) -> dict[str, str]:
        """Words for the terms of a profile: of its description, of documents that were judged, of the latest deliveries."""
        with self._store.reading():
            rows = list(self._store.rows(_OF_PROFILE, {"profile": profile, "most": _EXAMPLES}))
        stories = {row[0]: None if row[3] else story_number(from_bytes(row[0])) for row in rows}
        items = self._feeds.items([story for story in stories.values() if story is not None], self._reader)

        def documents() -> Iterator[tuple[str, str]]:
            yield "", description
            for id_, title, text, _ in rows:
                item = items.get(stories[id_] or 0)
                yield title, text if item is None else item.text

        return self._words.among(terms, documents())

    def _finished(self, drafts: Sequence[_Draft]) -> list[Entry]:
        with self._filter.reading() as engine:
            self._forget_unless_same(engine)
            reasons = self._reasons.of(engine, [(draft.profile_number, draft.document) for draft in drafts])
            thresholds = {number: reader.theta for number, reader in engine.readers.items()}
        stories = sorted({draft.story for draft in drafts if draft.story is not None})
        items = self._feeds.items(stories, self._reader) if stories else {}
        other_feeds = self._feeds.also_in(self._reader, stories) if stories else {}
        return [
            self._entry(
                draft.scored(reason.score, thresholds.get(draft.profile_number, 0.0)),
                reason,
                None if draft.story is None else items.get(draft.story),
                () if draft.story is None else tuple(other_feeds.get(draft.story, ())),
            )
            for draft, reason in zip(drafts, reasons, strict=True)
        ]

    def _forget_unless_same(self, engine: Engine) -> None:
        """Forget excerpts when the log was read anew: after an erasure, numbers may stand for other documents."""
        if self._engine is None or self._engine() is not engine:
            self._known.clear()
            self._engine = weakref.ref(engine)

    def _entry(self, draft: _Draft, reason: Reason, item: FeedItem | None, also_in: tuple[str, ...]) -> Entry:
        text = draft.text if item is None else item.text
        terms = (*reason.speak_for, *reason.against)
        excerpt, words = self._excerpt_and_words(draft.document, terms, draft.title, text)
        return Entry(
            number=draft.number,
            item=draft.item,
            profile=draft.profile,
            title=draft.title,
            link=web(draft.link),
            feed="" if item is None else item.feed_title,
            also_in=also_in,
            published=draft.date if item is None else item.published,
            delivered=draft.delivered,
            excerpt=excerpt,
            html="" if item is None else item.html,
            words=tuple(words[term] for term in reason.speak_for),
            against=tuple(words[term] for term in reason.against),
            score=draft.score or 0.0,
            threshold=draft.threshold or 0.0,
            probability=reason.probability,
            verdict=draft.verdict,
            read=draft.read,
            saved=draft.saved,
            author="" if item is None else item.author,
            text=text,
            profile_number=draft.profile_number,
        )

    def _excerpt_and_words(
        self, document: int, terms: Sequence[str], title: str, text: str
    ) -> tuple[str, dict[str, str]]:
        """The excerpt of a document, and its words for these terms; those of documents asked for lately are remembered."""
        if document not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[document] = line(text[: 4 * _EXCERPT], _EXCERPT), {}
        excerpt, words = self._known[document]
        words |= self._words.of([term for term in terms if term not in words], title, text)
        return excerpt, words


@dataclass(frozen=True)
class _Matches:
    """What matches a search: documents of the log by their numbers, and stories of feeds."""

    documents: set[int]
    stories: set[int]

    def has(self, id_: bytes, kept: int, document: int) -> bool:
        """Whether a document, by its id, whether its text is kept in the log, and its number, is among them."""
        return document in self.documents or (not kept and story_number(from_bytes(id_)) in self.stories)


def story_number(item: str) -> int | None:
    """The number of the feed item that a document is by its id, where its text is not kept in the log; None for others."""
    numbered = _ITEM.fullmatch(item)
    return None if numbered is None else int(numbered[1])


def _pattern(word: str) -> str:
    """A LIKE pattern that matches every text with the word, and perhaps others; databases lower-case different letters."""
    literal = re.sub(r"([!%_])", r"!\1", word)
    return "%" + _BEYOND_ASCII.sub("%", literal) + "%"


def _entry_marks(row: Row) -> EntryMarks:
    number, profile, time, verdict, read, saved = row[:6]
    return EntryMarks(number, profile, moment(time), _answer(verdict), bool(read), bool(saved))


def _reached(miss: NearMiss) -> float:
    return miss.score / miss.theta if miss.theta > 0 else miss.score


def _draft(row: Row) -> _Draft:
    number, profile, name, document, id_, title, text, link, date, kept = row[:10]
    score, theta, time, verdict, read, saved = row[10:]
    return _Draft(
        number=number,
        profile_number=profile,
        profile=name,
        document=document,
        item=from_bytes(id_),
        title=title,
        text=text,
        link=link,
        date=_time(date),
        kept=bool(kept),
        score=score,
        threshold=theta,
        delivered=_time(time),
        verdict=_answer(verdict),
        read=bool(read),
        saved=bool(saved),
    )


def _time(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else moment(microseconds)


def _answer(verdict: int | None) -> bool | None:
    return None if verdict is None else bool(verdict)
