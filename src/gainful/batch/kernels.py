"""The door to the kernels that put arrays in order and sum them up, for measures that have no kernel of their own.

They need PyTorch, Triton and a CUDA device, and give what the plain path gives; without them nothing is missing but speed.
`GAINFUL_KERNELS=0` in the environment leaves them out, and so does `kernels=False` in a call.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gainful.judging.namespaces import type_name

if TYPE_CHECKING:
    from gainful.batch.dense_ranking import Array, Grades

SELECTED = 128  # ranks up to which selecting is faster than sorting
SORTED = 1024  # columns up to which a line fits in the registers of a warp
SHORT, SWEPT = 64, 4096  # columns of lines that are summed up in one piece
SCORES = ("float32", "float16", "bfloat16")
GRADES = (*SCORES, "int64", "int32", "int16", "int8", "uint8", "bool")


def can_order(scores: Array, k: int) -> bool:
    """Whether the kernels put such scores in order, down to rank k."""
    return type_name(scores) in SCORES and _fits(scores, k)


def can_select(grades: Grades, k: int) -> bool:
    """Whether the kernels find the k largest of such grades."""
    return type_name(grades.like) == "float32" and type_name(grades.raw) in GRADES and _fits(grades.raw, k)


def _fits(array: Array, k: int) -> bool:
    lines, columns = array.shape
    if not getattr(array, "is_cuda", False) or not (k <= SELECTED or max(columns, k) <= SORTED):
        return False
    return 0 < lines < 2**31 and columns < 2**30 and ready()


@lru_cache(maxsize=1)
def ready() -> bool:
    """Whether Triton is there, and nobody has asked to leave it out."""
    if os.environ.get("GAINFUL_KERNELS") == "0":
        return False
    try:
        import triton  # noqa: F401 (is it there?)
    except ImportError:
        return False
    return True


def graded_in_order(scores: Array, grades: Grades, mask: Array, k: int | None) -> tuple[Array, Any]:
    """Grades at ranks 1 to k (None: at all), and topics in which a score is not a number."""
    from gainful.batch.line_kernels import select

    columns = scores.shape[-1]
    return select(scores, grades.raw, mask, grades.unjudged, columns if k is None else min(k, columns))


def largest(grades: Grades, k: int) -> Array:
    """The k largest grades of each topic, largest first."""
    from gainful.batch.line_kernels import select

    return select(None, grades.raw, grades.mask, grades.unjudged, k)[0]


def can_sweep(grade: Array, *others: Any) -> bool:
    """Whether lines of such grades are summed up by a kernel, with these arrays beside them."""
    if not getattr(grade, "is_cuda", False) or type_name(grade) != "float32" or len(grade.shape) != 2:
        return False
    lines, columns = grade.shape
    fit = all(tuple(other.shape) in ((lines, columns), (1, columns), (columns,)) for other in others)
    return fit and 0 < lines < 2**31 and SHORT < columns <= SWEPT and ready()


def running(grade: Array, x: Array) -> Array:
    """Sums of x so far, over the hits of each line."""
    from gainful.batch.line_kernels import running as swept

    return swept(grade, x)


def reduced(grade: Array, x: Any, where: Array, *, most: bool) -> Array:
    """The sum of x, or the most, over the hits of each line where it holds."""
    from gainful.batch.line_kernels import reduced as swept

    return swept(grade, x, where, most=most)
