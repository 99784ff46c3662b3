"""How many of the ids that were asked for have a text, and examples of both sides where few of them do."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gainful.formats.ids import difference, in_order, plain, shown, some_quoted, to_bytes
from gainful.formats.sources import is_path

FEW = 0.5
"""Below this share of ids with a text, a file is probably another one than was meant."""
SEEN = 10_000
"""Ids of a file that are remembered for examples; documents may be many millions."""


@dataclass(frozen=True)
class TextMatch:
    """Ids that texts were asked for, beside those that have one.

    source  the file, as people see its name, or what else was given
    what    what the ids are of: pooled document, judged topic
    wanted  ids that were asked for
    texted  those that have a title or a text
    there   ids that were given, the first of them where they are many

    >>> match = TextMatch("docs.jsonl", "pooled document", {"d1", "d2"}, frozenset(), ("x9", "D1"))
    >>> for part in str(match).split("; "):
    ...     print(part)
    none of 2 pooled documents has a text in docs.jsonl
    ids there: 'D1', 'x9'
    ids without a text: 'd1', 'd2'
    'D1' and 'd1' differ only in case
    """

    source: str
    what: str
    wanted: Collection[str]
    texted: Collection[str]
    there: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        source: str,
        what: str,
        wanted: Collection[str],
        texts: Mapping[str, str | tuple[str, str]],
        there: Sequence[str],
    ) -> TextMatch:
        """The match of texts that were read; one that is empty is none."""
        return cls(
            source, what, wanted, frozenset(name for name in wanted if any(texts.get(name, ""))), there
        )

    def joined(self, earlier: TextMatch | None) -> TextMatch:
        """With what was asked for earlier, of the same texts."""
        if earlier is None:
            return self
        wanted, texted = {*earlier.wanted, *self.wanted}, {*earlier.texted, *self.texted}
        return TextMatch(self.source, self.what, wanted, texted, self.there)

    @property
    def none(self) -> bool:
        """Whether texts were asked for and there are none."""
        return bool(self.wanted) and not self.texted

    @property
    def few(self) -> bool:
        """Whether less than half of the ids have a text."""
        return len(self.texted) < FEW * len(self.wanted)

    def __str__(self) -> str:
        number, count = len(self.wanted), len(self.texted)
        have = "has" if count < 2 else "have"
        of = f"{count:,}" if count else "none"
        said = [
            f"{of} of {number:,} {self.what}{'' if number == 1 else 's'} {have} a text in {self.source}",
            *self._examples(),
        ]
        return "; ".join(said)

    def _examples(self) -> list[str]:
        wanted = {*self.wanted}
        lacking = [name for name in self.wanted if name not in self.texted]
        empty = [name for name in dict.fromkeys(self.there) if name in wanted and name not in self.texted]
        if self.none and empty:
            return [
                f"ids are there ({some_quoted(empty)}), but their texts are empty or in fields of other names"
            ]
        there = [name for name in dict.fromkeys(self.there) if name not in wanted]
        pair = _look_alikes(lacking, there)
        if pair is not None:  # first in both lists
            there = list(dict.fromkeys([pair[1], *there]))
        ours = list(dict.fromkeys([*([] if pair is None else [pair[0]]), *in_order(lacking)]))
        said = [f"ids there: {_first_quoted(there)}"] if there else []
        said.append(f"ids without a text: {some_quoted(ours)}")
        if pair is not None:
            differ = difference(*map(to_bytes, pair))
            said.append(f"'{shown(pair[1])}' and '{shown(pair[0])}' differ only in {differ}")
        return said


def source_of(given: Any, what: str) -> str:
    """What texts were given as, for a message: the name of the file.

    >>> source_of("docs.jsonl", "documents"), source_of({}, "documents")
    ('docs.jsonl', 'the documents given')
    """
    return shown(os.fsdecode(given)) if is_path(given) else f"the {what} given"


def _look_alikes(lacking: Sequence[str], there: Sequence[str]) -> tuple[str, str] | None:
    """An id without a text, and one that is there and looks the same; None where no such pair is found."""
    by_form = {plain(to_bytes(name)): name for name in reversed(there)}
    for name in in_order(lacking):
        alike = by_form.get(plain(to_bytes(name)))
        if alike is not None:
            return name, alike
    return None


def _first_quoted(ids: Sequence[str]) -> str:
    """The first three ids in quotation marks; how many more there are is not known where only the first were kept."""
    return ", ".join(f"'{shown(name)}'" for name in ids[:3]) + (" and others" if len(ids) > 3 else "")
