"""Rankings that are put in order no sooner than somebody looks, and no further than somebody looks."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from gainful.batch import kernels
from gainful.batch.dense import NOT_A_HIT, Array, Dense
from gainful.batch.grades import Grades
from gainful.batch.ordering import in_order, largest
from gainful.judging.ranking import Worth, namespace


class Later(ABC):
    """A ranking that is sorted when it must be; a cut asks for the first ranks alone.

    expected  the deepest cut that is expected: what is selected for one cut serves the smaller ones
    """

    first = False
    fast = False

    def __init__(self, columns: int, expected: int) -> None:
        self.columns = columns
        self.expected = expected
        self._selected: dict[int, Dense] = {}

    @abstractmethod
    def _best(self, k: int | None) -> Array:
        """Grades at ranks 1 to k, or at all."""

    @cached_property
    def whole(self) -> Dense:
        """All ranks."""
        return Dense(self._best(None), first=self.first, fast=self.fast)

    def cut(self, k: Any) -> Any:
        """The ranking down to rank k: one k for all topics, one for each, or None for all of it."""
        if k is None:
            return self
        if hasattr(k, "shape") or "whole" in self.__dict__ or k >= self.columns:
            return self.whole.cut(k)
        wanted = max(int(k), 1)
        deep = self.expected if wanted <= self.expected < self.columns else wanted
        if deep not in self._selected:
            self._selected[deep] = Dense(self._best(deep), first=self.first, fast=self.fast)
        return self._selected[deep].cut(k)

    def __len__(self) -> int:
        return len(self.whole)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "whole":
            raise AttributeError(name)
        return getattr(self.whole, name)


class BestFirst(Later):
    """An ideal list: the best gains of some grades first.

    parts  grades of topics × documents, side by side
    gain   what a grade is worth; None where a better grade is never worth less
    """

    first = True

    def __init__(self, parts: tuple[Grades, ...], gain: Worth | None, expected: int, *, fast: bool) -> None:
        super().__init__(sum(part.columns for part in parts), expected)
        self.parts = parts
        self.gain = gain
        self.fast = fast

    def _best(self, k: int | None) -> Array:
        xp = namespace(self.parts[0].raw)
        if self.gain is None:
            kept = [self._largest(part, part.columns if k is None else k) for part in self.parts]
            return kept[0] if len(kept) == 1 else largest(xp.concat(kept, axis=-1), k or self.columns)
        clean = [part.clean for part in self.parts]
        grade = clean[0] if len(clean) == 1 else xp.concat(clean, axis=-1)
        worth = xp.where(grade > NOT_A_HIT, self.gain(grade), NOT_A_HIT)
        return xp.take_along_axis(grade, in_order(worth, None, k), axis=-1)

    def _largest(self, part: Grades, k: int) -> Array:
        if self.fast and kernels.can_select(part, k):
            return kernels.largest(part, k)
        return largest(part.clean, k)
