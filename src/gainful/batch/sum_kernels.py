# mypy: disable-error-code="no-untyped-def,untyped-decorator,no-any-return,no-untyped-call"
# Triton reads the text of a kernel itself: its arguments are blocks of numbers in registers and have no types of Python's.
"""Sums along lines on a GPU: what is not a hit is left out as it is read, so that nothing is written in between."""

from __future__ import annotations

from typing import Any

from gainful.batch.optional_triton import jit, tl, triton


@jit
def _hits(grade, line, column, columns):
    return tl.load(grade + line * columns + column, mask=column < columns, other=float("-inf")) > float(
        "-inf"
    )


@jit
def _running(grade, x, found, columns, x_step, BLOCK: tl.constexpr):
    line = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    hit = _hits(grade, line, column, columns)
    value = tl.load(x + line * x_step + column, mask=hit, other=0).to(tl.float32)
    tl.store(found + line * columns + column, tl.cumsum(value, axis=0), mask=column < columns)


@jit
def _reduced(
    grade, x, where, found, columns, x_step, where_step,
    HAS_X: tl.constexpr, HAS_WHERE: tl.constexpr, MOST: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    line = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    counted = _hits(grade, line, column, columns)
    if HAS_WHERE:
        counted = counted & (tl.load(where + line * where_step + column, mask=counted, other=0) != 0)
    if HAS_X:  # noqa: SIM108 (Triton's if, not Python's)
        value = tl.load(x + line * x_step + column, mask=counted, other=0).to(tl.float32)
    else:
        value = counted.to(tl.float32)
    tl.store(found + line, tl.max(value, axis=0) if MOST else tl.sum(value, axis=0))


def running(grade: Any, x: Any) -> Any:
    """Sums of x so far, over the hits of each line."""
    import torch

    grade, (x, step) = grade.contiguous(), _lines(x)
    found = torch.empty_like(grade)
    with torch.cuda.device_of(grade):
        _running[(grade.shape[0],)](grade, x, found, grade.shape[1], step, **_shape(grade))
    return found


def reduced(grade: Any, x: Any, where: Any, *, most: bool) -> Any:
    """The sum of x, or the most, over the hits of each line where it holds; x None counts them."""
    import torch

    grade = grade.contiguous()
    (of_x, x_step), (of_where, where_step) = (
        (grade, 0) if one is None else _lines(one) for one in (x, where)
    )
    found = torch.empty(grade.shape[0], dtype=grade.dtype, device=grade.device)
    with torch.cuda.device_of(grade):
        _reduced[(grade.shape[0],)](
            grade, of_x, of_where, found, grade.shape[1], x_step, where_step,
            HAS_X=x is not None, HAS_WHERE=where is not None, MOST=most, **_shape(grade),
        )  # fmt: skip
    return found


def _shape(grade: Any) -> dict[str, int]:
    block = triton.next_power_of_2(grade.shape[1])
    return {"BLOCK": block, "num_warps": max(1, block // 1024)}


def _lines(x: Any) -> tuple[Any, int]:
    """With the columns of a line side by side, and how far it is to the next line; booleans as bytes."""
    import torch

    x = x if x.stride(-1) == 1 else x.contiguous()
    step = x.stride(0) if x.dim() == 2 and x.shape[0] > 1 else 0
    return (x.view(torch.uint8) if x.dtype is torch.bool else x), step
