"""Terms of a document as a reader knows them: the words of its title and text that they are the stems of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from gainful.filtering.analyzer import Analyzer, words

LONGEST = 60
"""Characters of a word; the rest of a longer one is cut off, since strangers write what is read."""

_POSSESSIVE = re.compile("['’]s$")
_MOST = 50_000  # words whose stems are remembered
_WINDOW = 4000  # characters in which a word is looked for in lower case too, after it was found with capitals


class WholeWords:
    """Finds, for terms of a document, words of the document that have these stems.

    >>> WholeWords(Analyzer()).of(["strawberri", "soil"], "Soil for Strawberries", "Strawberries like moist soil.")
    {'strawberri': 'Strawberries', 'soil': 'soil'}
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._stems: dict[str, str | None] = {}

    def of(self, terms: Collection[str], title: str, text: str) -> dict[str, str]:
        """A word for each term: the first one of the document, without capitals where it also stands so.

        A term of which the document has no word stays as it is; both are cut after `LONGEST` characters.
        """
        chosen = self._chosen(terms, title, text)
        return {term: _cut(chosen.get(term, term)) for term in terms}

    def among(self, terms: Collection[str], documents: Iterable[tuple[str, str]]) -> dict[str, str]:
        """A word for each term, from the first of several documents, (title, text), that has one."""
        chosen: dict[str, str] = {}
        for title, text in documents:
            missing = [term for term in terms if term not in chosen]
            if not missing:
                break
            chosen |= self._chosen(missing, title, text)
        return {term: _cut(chosen.get(term, term)) for term in terms}

    def _chosen(self, terms: Collection[str], title: str, text: str) -> dict[str, str]:
        """A word for each term of which the document has one."""
        chosen: dict[str, str] = {}
        if terms:
            for part in (title, text[:_WINDOW], text[_WINDOW:]):
                self._look(frozenset(terms), part, chosen)
                if len(chosen) == len(terms) and part is not title:
                    break
        return {term: _POSSESSIVE.sub("", word) for term, word in chosen.items()}

    def _look(self, terms: frozenset[str], part: str, chosen: dict[str, str]) -> None:
        """Add words of one part to those chosen, until every term has one without capitals."""
        unsettled = {term for term in terms if term not in chosen or chosen[term] != chosen[term].lower()}
        for word in words(unicodedata.normalize("NFKC", part)):
            lowered = word.lower()
            stem = self._stem(lowered)
            if stem in unsettled:
                assert stem is not None
                if word == lowered and chosen.get(stem, word).lower() == lowered:
                    chosen[stem] = word
                    unsettled.discard(stem)
                    if not unsettled:
                        return
                else:
                    chosen.setdefault(stem, word)

    def _stem(self, word: str) -> str | None:
        """The stem of a word in lower case; None for one that is no term."""
        if word in self._stems:
            return self._stems[word]
        terms = self._analyzer.terms(word)
        stem = terms[0] if len(terms) == 1 else None
        if len(word) <= LONGEST:
            if len(self._stems) >= _MOST:
                self._stems.clear()
            self._stems[word] = stem
        return stem


def _cut(word: str) -> str:
    return word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…"
