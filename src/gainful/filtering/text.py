"""Text becomes terms: Unicode words in lower case, without stop words, reduced to their stems.

>>> Analyzer().terms("The readers were reading: Don't stop!")
['reader', 'read', 'stop']
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from gainful.errors import UsageError
from gainful.filtering.words import STOP

# Letters and digits; an apostrophe within a word belongs to it.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_MARKS = range(0x300, 0x20000)  # where they are
_VARIANTS = re.compile(
    "[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)  # how a letter is drawn, not which it is


@dataclass(frozen=True)
class Analyzer:
    """How text is cut into terms.

    language      of the stems and the stop words; None leaves words as they are
    stop          leave out words that say nothing of the content
    title_weight  how many times a word of the title counts
    body_weight   how many times a word of the text counts

    A word has a letter in it and two characters at least; numbers alone are no terms.
    """

    language: str | None = "english"
    stop: bool = True
    title_weight: float = 1.0
    body_weight: float = 1.0
    _known: dict[str, str | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.language is not None and self.language not in languages():
            raise UsageError(
                f"there are no stems for the language '{self.language}'; there are {', '.join(languages())}, "
                "and none for words as they are"
            )
        for name, value in (("title weight", self.title_weight), ("body weight", self.body_weight)):
            if not (value >= 0 and math.isfinite(value)):
                raise UsageError(f"{name} must be 0 or more and finite; got {value:g}")

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in their order, repeated where they are."""
        known = self._known
        found = []
        for word in _words(unicodedata.normalize("NFKC", text).lower()):
            try:
                term = known[word]
            except KeyError:
                term = known[word] = self._term(word)
            if term is not None:
                found.append(term)
        return found

    def counts(self, title: str, body: str) -> dict[str, float]:
        """How often each term occurs, in title and body by their weights.

        >>> Analyzer(title_weight=2).counts("Cocoa", "cocoa prices")
        {'cocoa': 3.0, 'price': 1.0}
        """
        counted: dict[str, float] = {}
        for text, weight in ((title, self.title_weight), (body, self.body_weight)):
            if weight:
                for term in self.terms(text):
                    counted[term] = counted.get(term, 0.0) + weight
        return counted

    def _term(self, word: str) -> str | None:
        word = word.replace("’", "'")
        if self.stop and self.language is not None and word in STOP.get(self.language, ()):
            return None
        word = word.removesuffix("'s")
        if len(word) < 2 or not _LETTER.search(word):
            return None
        if self.language is None:
            return word
        if self.stop and word in STOP.get(self.language, ()):
            return None
        return _stemmer(self.language)(word)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_known": {}}


def _words(text: str) -> list[str]:
    return _WORD.findall(text) if text.isascii() else _marked_word().findall(_VARIANTS.sub("", text))


@cache
def _marked_word() -> re.Pattern[str]:
    """A word with marks: many scripts write vowels as marks on letters, which `re` does not take for parts of words."""
    kinds = "".join(unicodedata.category(chr(one))[0] for one in _MARKS)
    runs = [run.span() for run in re.finditer("M+", kinds)]
    marks = "".join(f"{chr(_MARKS[start])}-{chr(_MARKS[end - 1])}" for start, end in runs)
    # Most words end at a character that is below every mark; to look for that first is much quicker.
    part = rf"[^\W_]+(?:(?![\0-\u02ff])[{marks}]+[^\W_]*)*"
    return re.compile(f"{part}(?:['’]{part})*")


_STEMMERS: dict[str, Callable[[str], str]] = {}


def _stemmer(language: str) -> Callable[[str], str]:
    if language not in _STEMMERS:
        stem: Callable[[str], str] = _snowball().Stemmer(language).stemWord
        _STEMMERS[language] = stem
    return _STEMMERS[language]


def languages() -> list[str]:
    """The languages that have stems."""
    found: list[str] = _snowball().algorithms()
    return sorted(found)


def _snowball() -> Any:
    try:
        return import_module("Stemmer")
    except ImportError:
        raise UsageError(
            "stems need PyStemmer: pip install 'gainful[text]'. Without it, use words as they are (language none)."
        ) from None
