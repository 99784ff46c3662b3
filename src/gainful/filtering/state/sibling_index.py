"""The profiles of a state that learn from each other, as their answers and deliveries stand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from gainful.filtering.rule_text import Rule
from gainful.filtering.sibling_profiles import OTHER, RELEVANT, SILENT, Siblings
from gainful.filtering.state.profile_index import Reader


class SiblingIndex:
    """Profiles by the rule that they share; their places must be of one kind.

    readers  the profiles that there are
    rule_of  the rule of each; None where it is not known here: such a profile has no siblings
    """

    def __init__(self, readers: Mapping[int, Reader], rule_of: Callable[[Reader], Rule | None]) -> None:
        self._readers, self._rule_of = readers, rule_of
        self._siblings: dict[tuple[float, float], Siblings] = {}

    def of(self, reader: Reader) -> Siblings | None:
        """The profiles that one learns from, and itself; None where it learns by itself."""
        kind = self._kind(reader)
        if not kind[0]:
            return None
        if kind not in self._siblings:
            self._siblings[kind] = siblings = Siblings(kind[0])
            for other in self._readers.values():
                if self._kind(other) == kind:
                    for document in other.judged.keys() | other.sent.keys():
                        _count(siblings, other, document, 1)
        return self._siblings[kind]

    def _kind(self, reader: Reader) -> tuple[float, float]:
        rule = self._rule_of(reader)
        return (rule.siblings, rule.nearness) if rule is not None else (0.0, 0.0)

    def leave(self, reader: Reader, document: int) -> None:
        """What is known of a document is about to change: it no longer counts."""
        if (siblings := self.of(reader)) is not None:
            _count(siblings, reader, document, -1)

    def enter(self, reader: Reader, document: int) -> None:
        """A document counts again, by what is known of it now."""
        if (siblings := self.of(reader)) is not None:
            _count(siblings, reader, document, 1)

    def clear(self) -> None:
        """Profiles have come, gone or changed their rule: all is counted again when it is asked for."""
        self._siblings.clear()


def _count(siblings: Siblings, reader: Reader, document: int, by: int) -> None:
    good = reader.judged.get(document)
    if good is None:
        siblings.count(reader.number, SILENT, reader.sent.get(document, math.nan), by)
    elif document not in reader.of_another_kind:
        place = reader.places.get(document, math.nan)
        siblings.count(reader.number, RELEVANT if good else OTHER, place, by)
