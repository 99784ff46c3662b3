"""A dense ranking and the grades under it: topics × ranks in one array, with the operations that measures are written with.

The last axis is the rank, from 1; a place that holds no judged document has the grade minus infinity. What measures
say of hits holds of the other places as well, and is left out of every sum: no branch depends on the data, so the
same operations run on any device, and inside a compiled function.
"""

from functools import cached_property
from typing import Any, TypeAlias

from gainful.batch import kernels
from gainful.judging.namespaces import ranks_like, retyped, type_name, whole
from gainful.judging.ranking import namespace

Array: TypeAlias = Any
"""An array of any library: NumPy's, a tensor of PyTorch, an array of JAX or CuPy."""

NOT_A_HIT = float("-inf")


class Dense:
    """Graded documents of all topics, a place for each rank.

    rank   1, 2, … along the last axis; the same for every topic
    grade  topics × ranks; minus infinity where there is no judged document
    there  where hits are, if the grade does not say it
    first  whether hits stand at ranks 1, 2, … without a gap, as in an ideal list
    fast   whether kernels may be used where there are any

    >>> import numpy as np
    >>> two = Dense(np.array([[3.0, -np.inf, 1.0], [2.0, 0.0, -np.inf]]))
    >>> two.total(two.grade / two.rank, where=two.grade > 0)
    array([3.33333333, 2.        ])
    >>> two.cut(1).total(where=two.cut(1).grade >= 3)
    array([1., 0.])
    """

    def __init__(
        self,
        grade: Array,
        *,
        rank: Array = None,
        there: Array = None,
        first: bool = False,
        fast: bool = False,
    ) -> None:
        self.xp = namespace(grade)
        self.grade = grade
        self.rank = ranks_like(grade, grade.shape[-1]) if rank is None else rank
        self.first = first
        self.fast = fast
        self._there = there

    def __len__(self) -> int:
        """How many topics there are."""
        return int(self.grade.shape[0])

    @cached_property
    def there(self) -> Array:
        """Where hits are."""
        return self.grade > NOT_A_HIT if self._there is None else self._there

    # ---- what measures are written with ------------------------------------------------------------------

    def cut(self, k: Any) -> "Dense":
        """The ranking down to rank k: one k for all topics, one for each, or None for all of it."""
        if k is None:
            return self
        if hasattr(k, "shape"):
            return self.only(self.rank <= self.each(k))
        n = max(int(k), 0)
        if n >= self.grade.shape[-1]:
            return self
        there = None if self._there is None else self._there[..., :n]
        grade, rank = self.grade[..., :n], self.rank[..., :n]
        return Dense(grade, rank=rank, there=there, first=self.first, fast=self.fast)

    def only(self, where: Array) -> "Dense":
        """The hits where it holds, at the ranks that they have."""
        there = self.there & where
        grade = self.xp.where(there, self.grade, NOT_A_HIT)
        return Dense(grade, rank=self.rank, there=there, fast=self.fast)

    def total(self, x: Any = 1.0, where: Array = None) -> Array:
        """Sum of x over the hits of each topic, or over those of them where it holds."""
        if not hasattr(x, "shape"):
            counted = self._reduced(None, where, most=False)
            return counted if x == 1.0 else counted * x
        return self._reduced(x, where, most=False)

    def most(self, x: Any, where: Array = None) -> Array:
        """Largest x (none below zero) over the hits of each topic where it holds; 0 if there is none."""
        if not hasattr(x, "shape"):
            return self._reduced(None, where, most=True) * x
        return self._reduced(x, where, most=True)

    def _reduced(self, x: Array, where: Array, *, most: bool) -> Array:
        xp = self.xp
        if self._kernels(x, where):
            return kernels.reduced(self.grade, x, where, most=most)
        counted = self.there if where is None else self.there & where
        if x is None or is_boolean(x):
            counted = counted if x is None else counted & x
            return (
                xp.max(as_type_of(self.grade, counted), axis=-1) if most else count(counted, like=self.grade)
            )
        kept = xp.where(counted, x, 0.0)
        return xp.max(kept, axis=-1) if most else xp.sum(kept, axis=-1)

    def running(self, x: Array) -> Array:
        """Sum of x within the topic so far, this hit included."""
        if self._kernels(x):
            return kernels.running(self.grade, x)
        if is_boolean(x):
            return summed_so_far(self.there & x, like=self.grade)
        return summed_so_far(self.xp.where(self.there, x, 0.0), like=self.grade)

    def _kernels(self, *beside: Array) -> bool:
        return self.fast and kernels.can_sweep(self.grade, *(array for array in beside if array is not None))

    def surviving(self, stop: Array) -> Array:
        """Product of 1 − stop over the earlier hits of the topic: the share of readers who get this far."""
        xp = self.xp
        going_on = xp.where(self.there, 1.0 - stop, 1.0)
        passed = xp.cumulative_prod(going_on, axis=-1) if hasattr(xp, "cumulative_prod") else None
        passed = xp.cumprod(going_on, axis=-1) if passed is None else passed
        return xp.concat((xp.ones_like(passed[..., :1]), passed[..., :-1]), axis=-1)

    def each(self, y: Array) -> Array:
        """A value for each topic, at each hit of that topic."""
        return self.xp.expand_dims(y, axis=-1)

    def following(self, end: float) -> Array:
        """The rank of the next hit of the topic, at each hit; after the last one, the end."""
        xp = self.xp
        ranks = xp.sort(xp.where(self.there, self.rank, float("inf")), axis=-1)
        after = xp.zeros_like(ranks[..., :1]) + float(end)
        ranks = xp.concat((xp.where(ranks < float("inf"), ranks, float(end)), after), axis=-1)
        return xp.take_along_axis(ranks, whole(self.running(self.there)), axis=-1)

    def at(self, x: Array, other: "Dense", *, ahead: float = 0) -> Array:
        """The x of this ranking as it stood at each hit of another: that of the last hit down to its rank.

        0 before the first hit. With ahead, as it stands so many ranks further down.
        """
        xp = self.xp
        rank = xp.minimum(other.rank + float(ahead), float(self.grade.shape[-1]))
        if self.first:
            reached = xp.minimum(rank, self.each(self.total()))
            last = reached
        else:
            shape = (*self.grade.shape[:-1], rank.shape[-1])
            place = xp.broadcast_to(whole(rank) - 1, shape)
            reached = xp.take_along_axis(self.running(self.there), place, axis=-1)
            # the rank of each hit, one after the other
            ranks = xp.sort(xp.where(self.there, self.rank, float("inf")), axis=-1)
            last = xp.take_along_axis(ranks, whole(xp.maximum(reached - 1.0, 0.0)), axis=-1)
            last = xp.where(reached > 0, last, 0.0)
        stood = xp.take_along_axis(x + 0.0 * reached[..., :1], whole(xp.maximum(last - 1.0, 0.0)), axis=-1)
        return xp.where(reached > 0, stood, 0.0)


# ---- what libraries spell differently --------------------------------------------------------------------


def is_boolean(x: Array) -> bool:
    """Whether it is true or false at each place."""
    return type_name(x) == "bool"


def count(where: Array, *, like: Array) -> Array:
    """How often it holds along the last axis, as floats of the type of `like`."""
    xp = namespace(like)
    if xp.__name__ in ("torch", "numpy"):  # they need no copy in floats
        return xp.sum(where, axis=-1, dtype=like.dtype)
    return xp.sum(xp.astype(where, like.dtype), axis=-1)


def as_type_of(like: Array, x: Array) -> Array:
    """The numbers in the type of another array."""
    return retyped(x, like.dtype)


def summed_so_far(x: Array, *, like: Array) -> Array:
    """Sums along the last axis, each place included, as floats of the type of `like`."""
    xp = namespace(like)
    if xp.__name__ == "torch":
        return xp.cumulative_sum(x, axis=-1, dtype=like.dtype)
    if not hasattr(xp, "cumulative_sum"):  # NumPy before 2.1
        return xp.cumsum(x, axis=-1, dtype=like.dtype)
    return xp.cumulative_sum(xp.astype(x, like.dtype), axis=-1)


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
    """The numbers as floats of the type of `like`."""
    return array if array.dtype == like.dtype else as_type_of(like, array)
