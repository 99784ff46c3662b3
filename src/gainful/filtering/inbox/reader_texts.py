"""Answers of a filter as a reader knows them: with the texts of feed items, and whole words in place of stems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.inbox.entry_pages import EntryPages, story_number
from gainful.filtering.inbox.whole_words import WholeWords
from gainful.filtering.state.events import id_of
from gainful.filtering.state.filter import Filter
from gainful.filtering.state.filter_results import Delivery, Explanation, NearMiss, Part, ProfileState
from gainful.filtering.state.store import question_marks
from gainful.formats.ids import from_bytes

_AT_ONCE = 500  # documents that are looked up together
_Found = TypeVar("_Found", Delivery, NearMiss)
_NAMED = re.compile(r"the term '([^']+)'")


class ReaderTexts:
    """What the log leaves out: texts that are kept with the feeds, and the words that terms are the stems of.

    filter_  of the reader, whose state holds the feeds too
    reader   the reader's number
    """

    def __init__(self, filter_: Filter, reader: int = 1) -> None:
        self._filter, self._reader = filter_, reader
        self._feeds = FeedStore(filter_.store)
        self._words = WholeWords(filter_.settings.analyzer)

    def filled(self, found: Iterable[_Found]) -> list[_Found]:
        """Deliveries or near misses, those of feed items with the item's text."""
        documents = list(found)
        filled: list[_Found] = []
        for start in range(0, len(documents), _AT_ONCE):
            batch = documents[start : start + _AT_ONCE]
            texts = self._texts([document.document for document in batch])
            filled += [
                replace(document, text=texts.get(document.document, document.text)) for document in batch
            ]
        return filled

    def _texts(self, ids: Sequence[str]) -> dict[str, str]:
        """Texts of those of the documents that are feed items, by their ids."""
        query = f"SELECT id FROM documents WHERE text_kept = 0 AND id IN ({question_marks(ids)})"
        with self._filter.store.reading():
            left_out = [from_bytes(id_) for (id_,) in self._filter.store.rows(query, tuple(map(id_of, ids)))]
        numbers = {id_: number for id_ in left_out if (number := story_number(id_)) is not None}
        items = self._feeds.items(numbers.values(), self._reader)
        return {id_: items[number].text for id_, number in numbers.items() if number in items}

    def parts(self, document: Delivery | NearMiss, parts: Sequence[Part]) -> tuple[Part, ...]:
        """Shared terms as words of a document that `filled` gave."""
        words = self._words.of([part.term for part in parts], document.title, document.text)
        return tuple(replace(part, term=words[part.term]) for part in parts)

    def profile(self, profile: ProfileState, most: int) -> ProfileState:
        """A profile with words in place of its strongest terms and of those that speak most against a document.

        most  how many of each; the others stay as they are
        """
        strongest = [term for term, weight in profile.terms if weight > 0][:most]
        against = [term for term, weight in profile.terms[::-1] if weight < 0][:most]
        words = self._of_profile(profile, [*strongest, *against])
        return replace(
            profile, terms=tuple((words.get(term, term), weight) for term, weight in profile.terms)
        )

    def _of_profile(self, profile: ProfileState, terms: Sequence[str]) -> dict[str, str]:
        with self._filter.store.reading():
            number = self._filter.profile_number(profile.name)
        pages = EntryPages(self._filter, self._feeds, self._reader)
        return pages.whole_words(number, profile.settings.text, terms)

    def explanation(self, explanation: Explanation) -> Explanation:
        """An explanation with words of the document, and words of the profile for what the document lacks."""
        text = self._texts([explanation.document]).get(explanation.document)
        if text is None:
            query = "SELECT text FROM documents WHERE id = ?"
            with self._filter.store.reading():
                text = str(self._filter.store.one(query, id_of(explanation.document)) or "")
        here = self._words.of([part.term for part in explanation.parts], explanation.title, text)
        there = self._of_profile(explanation.profile, [term for term, _ in explanation.missing])

        def worded(sentence: str) -> str:
            return _NAMED.sub(lambda named: f"the word '{here.get(named[1], named[1])}'", sentence)

        return replace(
            explanation,
            parts=tuple(replace(part, term=here[part.term]) for part in explanation.parts),
            missing=tuple((there[term], weight) for term, weight in explanation.missing),
            change=tuple(map(worded, explanation.change)),
        )
