"""Items: deliveries with the words that they came for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gainful.errors import DataError
from gainful.filtering.state.filter import Filter
from gainful.filtering.state.results import Delivery, Part

WORDS = 4
"""Terms that a digest names for each document."""


@dataclass(frozen=True)
class Item:
    """A delivery, and the terms that add most to its score by the profile as it is now."""

    delivery: Delivery
    parts: tuple[Part, ...]

    @property
    def words(self) -> list[str]:
        """The strongest of these terms."""
        return [part.term for part in self.parts[:WORDS]]


def items(state: Filter, deliveries: Iterable[Delivery]) -> list[Item]:
    """Each delivery with its terms; a document that was forgotten since has none."""
    return [Item(one, _parts(state, one)) for one in deliveries]


def _parts(state: Filter, delivery: Delivery) -> tuple[Part, ...]:
    try:
        return state.explain(delivery.profile, delivery.document).parts
    except DataError:  # document or profile is there no more
        return ()


def by_profile(found: Iterable[Item]) -> dict[str, list[Item]]:
    """The items of each profile, in their order."""
    grouped: dict[str, list[Item]] = {}
    for item in found:
        grouped.setdefault(item.delivery.profile, []).append(item)
    return grouped
