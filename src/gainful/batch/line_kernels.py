# mypy: disable-error-code="no-untyped-def,untyped-decorator,no-any-return,no-untyped-call"
# Triton reads the text of a kernel itself: its arguments are blocks of numbers in registers and have no types of Python's.
"""Selecting, sorting and summing along lines on a GPU; where Triton is not installed, kernels can be read but are never run.

Selecting and sorting: each line of scores is read once, and put in order in the registers of a warp. A score and its column
become one whole number that no other column of the line has: the larger score, and of equal scores the first column, is the
larger number. So any way to find the largest finds them in the right order.

Sums: what is not a hit is left out as it is read, so that nothing is written in between.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


triton: Any = _imported("triton")
tl: Any = _imported("triton.language")


def jit(function: Any) -> Any:
    """The function as a kernel, or as it is."""
    return function if triton is None else triton.jit(function)


PIECE = 10  # of 2 to this power columns are looked at together when few are selected


@jit
def _grades(grade, at, there, unjudged, HAS_UNJUDGED: tl.constexpr):
    """Grades as floats; minus infinity where there is no judgment."""
    raw = tl.load(grade + at, mask=there, other=0)
    value = raw.to(tl.float32)
    value = tl.where(value != value, float("-inf"), value)  # noqa: PLR0124 (NaN)
    if HAS_UNJUDGED:
        value = tl.where(raw == unjudged, float("-inf"), value)
    return tl.where(there, value, float("-inf"))


@jit
def _sortable(value):
    """The bits of floats as whole numbers in the same order."""
    bits = value.to(tl.int32, bitcast=True)
    return bits ^ ((bits >> 31) & 2147483647)


@jit
def _keys(score, at, there):
    """A whole number for each score, in the same order; the lowest there is where no candidate is."""
    value = tl.load(score + at, mask=there, other=0.0).to(tl.float32)
    value = tl.where(value == 0.0, 0.0, value)  # minus zero is zero
    key = _sortable(value)
    key = tl.where(value != value, 2147483647, key)  # noqa: PLR0124 (NaN goes where nobody can overlook it)
    return tl.where(there, key, -2147483648)


@jit
def _unique(key, column):
    """A number for each key and column, larger for what stands further up."""
    return (key.to(tl.int64) << 32) | (2147483647 - column).to(tl.int64)


@jit
def _there(mask, line, mask_step, column, columns, HAS_MASK: tl.constexpr):
    there = column < columns
    if HAS_MASK:
        there = there & (tl.load(mask + line * mask_step + column, mask=there, other=0) != 0)
    return there


@jit
def _in_registers(x, BLOCK: tl.constexpr):
    """The numbers in another order, so that neighbours are in one thread, and sorting them needs no exchange."""
    if BLOCK == 1024:
        x = tl.reshape(tl.trans(tl.reshape(x, [32, 32])), [1024])
    return x


@jit
def _side(N: tl.constexpr, i: tl.constexpr):
    """0 and 1 along the i-th axis from the last, of N axes."""
    return tl.reshape(tl.arange(0, 2), [1] * (N - i - 1) + [2] + [1] * i)


@jit
def _exchanged(x, flip, N: tl.constexpr, i: tl.constexpr):
    """Each of two neighbours along an axis takes the smaller or the larger of both."""
    other = x ^ tl.xor_sum(x, N - 1 - i, True)
    return tl.where((flip ^ _side(N, i)) != 0, tl.maximum(x, other), tl.minimum(x, other))


@jit
def _merged(x, N: tl.constexpr, STAGE: tl.constexpr, LAST: tl.constexpr):
    """Bitonic runs of 2^STAGE become sorted ones: largest first in the last, up and down by turns before."""
    flip = 1 if LAST else _side(N, STAGE)
    for step in tl.static_range(STAGE):
        x = _exchanged(x, flip, N, STAGE - 1 - step)
    return x


@jit
def _first(x, LOG_N: tl.constexpr, LOG_K: tl.constexpr):
    """The 2^LOG_K largest of 2^LOG_N whole numbers of 32 bits, largest first.

    A bitonic sort, as in `tl.topk`; there each number is compared and chosen, here one instruction takes the larger.
    """
    x = tl.reshape(x, [2] * LOG_N)
    for stage in tl.static_range(1, LOG_K + 1):
        x = _merged(x, LOG_N, stage, stage == LOG_N)
    for stage in tl.static_range(LOG_K + 1, LOG_N + 1):
        x = tl.max(x, axis=LOG_N - stage)
        x = _merged(x, LOG_N + LOG_K - stage, LOG_K, stage == LOG_N)
    return tl.reshape(x, [2**LOG_K])


@jit
def _by_score(
    score, grade, mask, unjudged, ranked, broken,
    columns, k, score_step, grade_step, mask_step,
    HAS_MASK: tl.constexpr, HAS_UNJUDGED: tl.constexpr, PIECES: tl.constexpr, LOG_N: tl.constexpr, LOG_K: tl.constexpr,
):  # fmt: skip
    """Grades of the first k of each line. Of 2^LOG_N columns at a time 2^LOG_K are kept; all of them, to sort a line whole."""
    line = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, 2**LOG_N)
    there = _there(mask, line, mask_step, column, columns, HAS_MASK)
    key = _keys(score, line * score_step + column, there)
    best = tl.topk(_in_registers(_unique(key, column), 2**LOG_N), 2**LOG_K)
    for piece in range(1, PIECES):
        start = piece * 2**LOG_N
        there = _there(mask, line, mask_step, start + column, columns, HAS_MASK)
        key = _keys(score, line * score_step + start + column, there)
        more = tl.topk(_in_registers(_unique(key, start + column), 2**LOG_N), 2**LOG_K)
        best = tl.topk(tl.interleave(best, more), 2**LOG_K)
    place = tl.arange(0, 2**LOG_K)
    candidate = (best >> 32).to(tl.int32) != -2147483648
    where = 2147483647 - (best & 4294967295)
    value = _grades(grade, line * grade_step + where, candidate, unjudged, HAS_UNJUDGED)
    tl.store(ranked + line * k + place, value, mask=place < k)
    tl.store(broken + line, (tl.max(best, axis=0) >> 32).to(tl.int32) == 2147483647)


@jit
def _by_grade(
    grade, mask, unjudged, ranked, columns, k, grade_step, mask_step,
    HAS_MASK: tl.constexpr, HAS_UNJUDGED: tl.constexpr, PIECES: tl.constexpr, LOG_N: tl.constexpr, LOG_K: tl.constexpr,
):  # fmt: skip
    """The k largest grades of each line."""
    line = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, 2**LOG_N)
    there = _there(mask, line, mask_step, column, columns, HAS_MASK)
    key = _sortable(_grades(grade, line * grade_step + column, there, unjudged, HAS_UNJUDGED))
    best = _first(_in_registers(key, 2**LOG_N), LOG_N, LOG_K)
    for piece in range(1, PIECES):
        start = piece * 2**LOG_N
        there = _there(mask, line, mask_step, start + column, columns, HAS_MASK)
        key = _sortable(_grades(grade, line * grade_step + start + column, there, unjudged, HAS_UNJUDGED))
        more = _first(_in_registers(key, 2**LOG_N), LOG_N, LOG_K)
        best = _first(tl.interleave(best, more), LOG_K + 1, LOG_K)
    place = tl.arange(0, 2**LOG_K)
    value = (best ^ ((best >> 31) & 2147483647)).to(tl.float32, bitcast=True)
    tl.store(ranked + line * k + place, value, mask=place < k)


def select(scores: Any, grades: Any, mask: Any, unjudged: float | None, k: int) -> tuple[Any, Any]:
    """Grades of the first k columns of each line by score, or the k largest where there are no scores.

    With scores, also the lines in which one is not a number.
    """
    import torch

    lines, columns = grades.shape
    log_n, log_k = _shape(columns, k)
    ranked = torch.empty((lines, k), dtype=torch.float32, device=grades.device)
    grades = _in_lines(grades)
    mask = None if mask is None else _in_lines(mask)
    flags = {"HAS_MASK": mask is not None, "HAS_UNJUDGED": unjudged is not None}
    # a line for each warp: nothing is exchanged but among its threads
    shape = {"LOG_N": log_n, "LOG_K": log_k, "num_warps": 1}
    pieces = triton.cdiv(columns, 2**log_n)
    of_mask, mask_step = (grades, 0) if mask is None else (mask, mask.stride(0))  # a kernel takes no nothing
    number = 0.0 if unjudged is None else float(unjudged)
    with torch.cuda.device_of(grades):
        if scores is None:
            _by_grade[(lines,)](
                grades, of_mask, number, ranked, columns, k, grades.stride(0), mask_step,
                **flags, **shape, PIECES=pieces,
            )  # fmt: skip
            return ranked, None
        scores = _in_lines(scores.detach())
        broken = torch.empty(lines, dtype=torch.bool, device=grades.device)
        _by_score[(lines,)](
            scores, grades, of_mask, number, ranked, broken, columns, k,
            scores.stride(0), grades.stride(0), mask_step, **flags, **shape, PIECES=pieces,
        )  # fmt: skip
    return ranked, broken


def _shape(columns: int, k: int) -> tuple[int, int]:
    """How many columns are looked at together and how many of them are kept, as powers of two."""
    whole, kept = (max(1, (number - 1).bit_length()) for number in (columns, k))
    piece = min(whole, PIECE)
    return (piece, kept) if kept + 2 <= piece else (max(whole, kept), max(whole, kept))


def _in_lines(array: Any) -> Any:
    """With the columns of a line side by side; booleans as bytes."""
    import torch

    array = array if array.stride(-1) == 1 else array.contiguous()
    return array.view(torch.uint8) if array.dtype is torch.bool else array


@jit
def _hits(grade, line, column, columns):
    return tl.load(grade + line * columns + column, mask=column < columns, other=float("-inf")) > float(
        "-inf"
    )


@jit
def _running(grade, x, sums, columns, x_step, BLOCK: tl.constexpr):
    line = tl.program_id(0).to(tl.int64)
    column = tl.arange(0, BLOCK)
    hit = _hits(grade, line, column, columns)
    value = tl.load(x + line * x_step + column, mask=hit, other=0).to(tl.float32)
    tl.store(sums + line * columns + column, tl.cumsum(value, axis=0), mask=column < columns)


@jit
def _reduced(
    grade, x, where, sums, columns, x_step, where_step,
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
    tl.store(sums + line, tl.max(value, axis=0) if MOST else tl.sum(value, axis=0))


def running(grade: Any, x: Any) -> Any:
    """Sums of x so far, over the hits of each line."""
    import torch

    grade, (x, step) = grade.contiguous(), _lines(x)
    sums = torch.empty_like(grade)
    with torch.cuda.device_of(grade):
        _running[(grade.shape[0],)](grade, x, sums, grade.shape[1], step, **_block(grade))
    return sums


def reduced(grade: Any, x: Any, where: Any, *, most: bool) -> Any:
    """The sum of x, or the most, over the hits of each line where it holds; x None counts them."""
    import torch

    grade = grade.contiguous()
    (of_x, x_step), (of_where, where_step) = (
        (grade, 0) if array is None else _lines(array) for array in (x, where)
    )
    sums = torch.empty(grade.shape[0], dtype=grade.dtype, device=grade.device)
    with torch.cuda.device_of(grade):
        _reduced[(grade.shape[0],)](
            grade, of_x, of_where, sums, grade.shape[1], x_step, where_step,
            HAS_X=x is not None, HAS_WHERE=where is not None, MOST=most, **_block(grade),
        )  # fmt: skip
    return sums


def _block(grade: Any) -> dict[str, int]:
    block = triton.next_power_of_2(grade.shape[1])
    return {"BLOCK": block, "num_warps": max(1, block // 1024)}


def _lines(x: Any) -> tuple[Any, int]:
    """With the columns of a line side by side, and how far it is to the next line; booleans as bytes."""
    import torch

    x = x if x.stride(-1) == 1 else x.contiguous()
    step = x.stride(0) if x.dim() == 2 and x.shape[0] > 1 else 0
    return (x.view(torch.uint8) if x.dtype is torch.bool else x), step
