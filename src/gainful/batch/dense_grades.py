"""Grades on a dense array: which of them are judgments, as floats, made no sooner than they are needed."""

from functools import cached_property
from typing import Any

from gainful.batch.dense_ranking import NOT_A_HIT, Array, as_type_of, count
from gainful.judging.namespaces import type_name
from gainful.judging.ranking import namespace


class Grades:
    """Grades as they were given, topics × documents.

    raw       numbers of any type; NaN is no judgment
    mask      where documents are; None: everywhere
    unjudged  a number that stands for no judgment; None: there is none
    like      an array of the float type to work with
    """

    def __init__(self, raw: Array, mask: Array, unjudged: float | None, like: Array) -> None:
        self.raw = raw
        self.mask = mask
        self.unjudged = unjudged
        self.like = like

    @property
    def columns(self) -> int:
        """How many documents a topic may have."""
        return int(self.raw.shape[-1])

    @cached_property
    def clean(self) -> Array:
        """Grades as floats; minus infinity where there is no judgment."""
        xp = namespace(self.raw)
        grade = as_floats(self.raw, self.like)
        if is_floating(self.raw):
            if xp.__name__ == "torch":  # in one pass
                grade = xp.nan_to_num(grade, nan=NOT_A_HIT, posinf=float("inf"), neginf=NOT_A_HIT)
            else:
                grade = xp.where(xp.isnan(grade), NOT_A_HIT, grade)
        if self.unjudged is not None:
            # whole numbers are compared as floats: one that their type cannot hold must not wrap around
            compared = self.raw if is_floating(self.raw) else as_floats(self.raw, self.like)
            grade = xp.where(compared == self.unjudged, NOT_A_HIT, grade)
        return grade if self.mask is None else xp.where(self.mask, grade, NOT_A_HIT)

    def count(self, which: Any) -> Array:
        """How many judged documents of each topic hold a test that nothing unjudged passes."""
        plain = self.unjudged is None and self.mask is None and self._compares()
        return count(which(self.raw if plain else self.clean), like=self.like)

    def _compares(self) -> bool:
        """Whether grades as they are can be compared with any number, which saves a copy of them."""
        long = type_name(self.raw) in ("int64", "int32") and namespace(self.raw).__name__ == "torch"
        return long or is_floating(self.raw)

    def highest(self) -> Array:
        """The best grade of each topic; minus infinity where nothing is judged."""
        return namespace(self.raw).max(self.clean, axis=-1)

    def judged(self) -> "Grades":
        """Those of 0 and more alone."""
        xp = namespace(self.clean)
        return Grades(xp.where(self.clean >= 0, self.clean, NOT_A_HIT), None, None, self.like)


def is_floating(array: Array) -> bool:
    """Whether it holds floats, so that it can hold NaN."""
    return "float" in type_name(array)


def as_floats(array: Array, like: Array) -> Array:
    """The same numbers as floats of the type of `like`."""
    return array if array.dtype == like.dtype else as_type_of(like, array)
