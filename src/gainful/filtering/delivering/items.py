"""Items: deliveries with the words that they came for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gainful.filtering.state.filter import Filter
from gainful.filtering.state.results import Delivery, Part
from gainful.formats.ids import shown

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

    @property
    def reader(self) -> str:
        """The name of the profile as people see it; another profile may have the name of one that was removed."""
        return shown(self.delivery.profile) + (" (removed)" if self.delivery.removed else "")


def items(state: Filter, deliveries: Iterable[Delivery]) -> list[Item]:
    """Each delivery with its terms; a document that was forgotten, or a profile that was removed since, has none."""
    found = list(deliveries)
    return [Item(one, parts) for one, parts in zip(found, state.parts(found), strict=True)]


def by_profile(found: Iterable[Item]) -> dict[int, list[Item]]:
    """The items of each profile, in their order, by the profile's number."""
    grouped: dict[int, list[Item]] = {}
    for item in found:
        grouped.setdefault(item.delivery.profile_number, []).append(item)
    return grouped
