"""Rankings sorted lazily, only to the requested depth; equal scores in the order of columns."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from gainful.batch import kernels
from gainful.batch.dense_ranking import NOT_A_HIT, Array, Dense, Grades
from gainful.judging.namespaces import ranks_like, type_name
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


SORTED_AT_ONCE = 4096  # columns up to which a GPU sorts whole lines faster than it selects
WIDTHS = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}


def in_order(scores: Array, mask: Array, k: int | None) -> Array:
    """Columns of the first k candidates of each topic (None: of all), best first; others after them.

    >>> import numpy as np
    >>> in_order(np.array([[0.5, 2.0, 0.5, 1.0]]), None, 3)
    array([[1, 3, 0]])
    """
    columns = scores.shape[-1]
    k = columns if k is None else min(k, columns)
    library = namespace(scores).__name__.partition(".")[0]
    chosen = {"torch": _torch, "jax": _jax, "numpy": _numpy}.get(library, _any)
    return chosen(scores, mask, k)


def _any(scores: Array, mask: Array, k: int) -> Array:
    """By the array API alone: sorted whole, twice where there is a mask."""
    xp = namespace(scores)
    order = xp.argsort(-scores, axis=-1, stable=True)
    if mask is not None:
        behind = xp.astype(~xp.take_along_axis(mask, order, axis=-1), xp.uint8)
        order = xp.take_along_axis(order, xp.argsort(behind, axis=-1, stable=True), axis=-1)
    return order[..., :k]


def _numpy(scores: Array, mask: Array, k: int) -> Array:
    import numpy as np

    width = WIDTHS[type_name(scores)]
    bits = (scores + scores.dtype.type(0)).view(f"int{width}")
    keys = _rising(bits, mask, np, -(1 << (width - 1)))
    columns = scores.shape[-1]
    if width == 64 or 4 * k > columns:
        return np.argsort(~keys, axis=-1, stable=True)[..., :k]
    unique = keys.astype(np.int64) * 2**32 + np.arange(columns - 1, -1, -1)
    kept = np.argpartition(unique, columns - k, axis=-1)[..., columns - k :]
    order = np.argsort(-np.take_along_axis(unique, kept, axis=-1), axis=-1)
    return np.take_along_axis(kept, order, axis=-1)


def _torch(scores: Array, mask: Array, k: int) -> Array:
    import torch

    scores, columns = scores.detach() + 0.0, scores.shape[-1]
    width = WIDTHS[type_name(scores)]
    sort = width == 64 or 4 * k > columns or (scores.is_cuda and columns <= SORTED_AT_ONCE)
    if sort and mask is None:
        return torch.sort(scores, dim=-1, descending=True, stable=True).indices[..., :k]
    kind = {16: torch.int16, 32: torch.int32, 64: torch.int64}[width]
    keys = _rising(scores.view(kind), mask, torch, -(1 << (width - 1)))
    if sort:
        return torch.sort(keys, dim=-1, descending=True, stable=True).indices[..., :k]
    from_last = torch.arange(columns - 1, -1, -1, device=scores.device)
    unique = torch.topk(keys.to(torch.int64) * 2**32 + from_last, k, dim=-1).values
    return columns - 1 - (unique & (2**32 - 1))


def _jax(scores: Array, mask: Array, k: int) -> Array:
    import jax.numpy as jnp
    from jax import lax

    width = WIDTHS[type_name(scores)]
    kind = {16: jnp.int16, 32: jnp.int32, 64: jnp.int64}[width]
    scores = jnp.where(scores == 0, 0.0, scores)  # minus zero is zero; XLA takes "+ 0.0" for nothing
    bits = lax.bitcast_convert_type(scores, kind)
    keys = _rising(bits, mask, jnp, -(1 << (width - 1)))
    return lax.top_k(keys, k)[1]  # of equal ones the first column first, as XLA promises


def _rising(bits: Array, mask: Array, xp: Any, lowest: int) -> Array:
    """The bits of floats as whole numbers in the same order; the lowest there is where no candidate is."""
    keys = xp.where(bits < 0, bits ^ (-1 - lowest), bits)
    return keys if mask is None else xp.where(mask, keys, lowest)


def largest(x: Array, k: int) -> Array:
    """The k largest numbers of each line, largest first; filled up with minus infinity where there are fewer."""
    xp = namespace(x)
    columns = x.shape[-1]
    if xp.__name__ == "torch" and 4 * k <= columns and not (x.is_cuda and columns <= SORTED_AT_ONCE):
        return x.topk(k, dim=-1).values
    if xp.__name__.startswith("jax") and k <= columns:
        from jax import lax

        return lax.top_k(x, k)[0]
    if xp.__name__ == "numpy" and 4 * k <= columns:
        x = xp.partition(x, columns - k, axis=-1)[..., columns - k :]
    ordered = -xp.sort(-x, axis=-1)
    if k <= columns:
        return ordered[..., :k]
    missing = 0.0 * ranks_like(x, k - columns) - float("inf")
    return xp.concat((ordered, xp.broadcast_to(missing, (*x.shape[:-1], k - columns))), axis=-1)
