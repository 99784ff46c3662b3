"""When two items tell the same story: the same link, the same words, or nearly the same words.

Items are found by keys, which are hashes of the link, of all words, and of samples of the words (MinHash), and then compared.
Two items of different feeds tell the same story if one of these holds:

- they have the same link, but for scheme, `www.`, a final slash, the fragment and parameters that track readers; links to
  the front page of a site, and links that several items of one feed share, say nothing
- title and text are the same words, at least 6
- both texts have at least 20 words, and of the runs of three words that occur in either, 80 % occur in both

Two items of one feed are two stories unless both link and words are the same: feeds repeat phrases of their own.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np

FEWEST_WORDS, FEWEST_TEXT, RUN, SIMILAR = 6, 20, 3, 0.8
"""The words that make a text; those that make it comparable with others; words of a run; the share that makes two the same."""

LONGEST_TEXT = 2_000
"""Words of a text that are compared."""

_BANDS, _ROWS = 10, 4  # of two texts that share 80 % of their runs, 1 in 200 pairs is overlooked
_PRIME = np.uint64((1 << 31) - 1)
_NUMBERS = np.random.Generator(np.random.PCG64(20)).integers(
    1, int(_PRIME), size=(2, _BANDS * _ROWS), dtype=np.uint64
)
_WORD = re.compile(r"\w+")
_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|wt\.\w+|at_\w+|ref|cmp|ocid|xtor",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StoryText:
    """What is compared of an item.

    feed   number of its feed
    title, text
           its words
    link   where it leads
    """

    feed: int
    title: str
    text: str
    link: str


LINK, WORDS, SAMPLE = b"l", b"w", b"s"
"""What a key begins with: whether it is of the link, of all words, or of a sample of the words."""


def keys(item: StoryText) -> list[bytes]:
    """Hashes that items of the same story have in common: one at least, with few exceptions."""
    words = _words(item.text)
    samples = _samples(_runs(words)) if len(words) >= FEWEST_TEXT else []
    marks = (link_key(item.link), _digest(item), *samples)
    return list(dict.fromkeys(mark for mark in marks if mark is not None))


def link_key(link: str) -> bytes | None:
    """The hash of a link that says which story it is; None where it says nothing."""
    plain = plain_link(link)
    return LINK + _hashed(plain) if plain else None


def same_words(item: StoryText, other: StoryText) -> bool:
    """Whether two items say the same, by their words."""
    digest = _digest(item)
    if digest and digest == _digest(other):
        return True
    words, others = _words(item.text), _words(other.text)
    if item.feed == other.feed or min(len(words), len(others)) < FEWEST_TEXT:
        return False
    return similarity(words, others) >= SIMILAR


def similarity(words: list[str], others: list[str]) -> float:
    """The share of runs of three words that occur in both texts, of those that occur in either (Jaccard).

    >>> similarity("a b c d".split(), "a b c e".split())
    0.3333333333333333
    """
    runs, theirs = set(_runs(words)), set(_runs(others))
    return len(runs & theirs) / len(runs | theirs) if runs or theirs else 0.0


def plain_link(link: str) -> str:
    """A link as it is compared; empty where it leads to the front page of a site, or nowhere.

    >>> plain_link("http://www.Example.org/a/?utm_source=rss&id=7#top"), plain_link("https://example.org/")
    ('example.org/a?id=7', '')
    """
    try:
        parts = urlsplit(link)
        host, port = (parts.hostname or "").removeprefix("www.").rstrip("."), parts.port
    except ValueError:
        return ""
    kept = [pair for pair in _pairs(parts.query) if not _TRACKING.fullmatch(pair[0])]
    path = parts.path.rstrip("/")
    if parts.scheme not in ("http", "https") or not host or not (path or kept):
        return ""
    where = host if port in (None, 80, 443) else f"{host}:{port}"
    return where + path + (f"?{urlencode(sorted(kept), errors='replace')}" if kept else "")


def _pairs(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, max_num_fields=50)
    except ValueError:  # more parameters than links have
        return [("", query)]


def _words(text: str) -> list[str]:
    return [match[0] for match, _ in zip(_WORD.finditer(text.casefold()), range(LONGEST_TEXT), strict=False)]


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(words[start:] for start in range(RUN)), strict=False))


def _digest(item: StoryText) -> bytes | None:
    words = _words(f"{item.title}\n{item.text}")
    return WORDS + _hashed(" ".join(words)) if len(words) >= FEWEST_WORDS else None


def _samples(runs: list[tuple[str, ...]]) -> list[bytes]:
    """A hash of each group of four least hashes of the runs: equal in two texts with the chance similarity⁴."""
    hashes = np.fromiter(
        {zlib.crc32(" ".join(run).encode("utf-8", "replace")) for run in runs}, dtype=np.uint64
    )
    factors, offsets = _NUMBERS
    least = np.stack(
        [((hashes * factor + offset) % _PRIME).min() for factor, offset in zip(factors, offsets, strict=True)]
    )
    bounds = range(0, _BANDS * _ROWS + 1, _ROWS)
    return [
        SAMPLE + _hashed(f"{band} " + " ".join(map(str, least[start:end])))
        for band, (start, end) in enumerate(pairwise(bounds))
    ]


def _hashed(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()
