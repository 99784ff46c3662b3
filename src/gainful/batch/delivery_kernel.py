# mypy: disable-error-code="no-untyped-def,untyped-decorator,no-any-return,no-untyped-call"
# Triton reads the text of a kernel itself: its arguments are blocks of numbers in registers and have no types of Python's.
"""Matrix products on a GPU of which only what reaches a threshold is written.

Tiles of documents × profiles are multiplied as in any matrix product, 16-bit floats summed up in 32 bits; then each
score is compared where it is, in registers, and the few that reach their threshold take the next free places of a list.
"""

from __future__ import annotations

from typing import Any

from gainful.batch.line_kernels import jit, tl, triton

MOST_PAIRS = 2**31 - 1  # that one launch looks at: deliveries are counted in 32 bits
FIRST_GUESS = 1 << 20  # deliveries there is room for, before it is known how many there are
TILE = {"ROWS": 128, "ACROSS": 256, "DEEP": 64, "TOGETHER": 8, "num_warps": 8, "num_stages": 3}


@jit
def _halves(x, DOWN: tl.constexpr, ACROSS: tl.constexpr):
    """The left and the right half of a tile."""
    return tl.split(tl.permute(tl.reshape(x, (DOWN, 2, ACROSS // 2)), (0, 2, 1)))


@jit
def _listed(summed, row, column, thresholds, counter, document, profile, score, rows, across, room):
    """Scores that reach their threshold take the next free places."""
    least = tl.load(thresholds + column, mask=column < across, other=float("inf"))
    reached = (summed >= least[None, :]) & (row < rows)[:, None] & (column < across)[None, :]
    if tl.max(reached.to(tl.int32)) > 0:
        place = tl.atomic_add(counter + tl.zeros_like(summed).to(tl.int32), 1, mask=reached, sem="relaxed")
        kept = reached & (place < room)
        tl.store(document + place, tl.broadcast_to(row[:, None], summed.shape), mask=kept)
        tl.store(profile + place, tl.broadcast_to(column[None, :], summed.shape), mask=kept)
        tl.store(score + place, summed, mask=kept)


@jit
def _tile(
    documents, profiles, thresholds, counter, document, profile, score,
    rows, across, deep, room, document_step, profile_step,
    ROWS: tl.constexpr, ACROSS: tl.constexpr, DEEP: tl.constexpr, TOGETHER: tl.constexpr,
):  # fmt: skip
    # tiles that share rows and columns run near each other, so that they find them in the cache
    tile = tl.program_id(0)
    tiles_down, tiles_across = tl.cdiv(rows, ROWS), tl.cdiv(across, ACROSS)
    in_group = TOGETHER * tiles_across
    first = (tile // in_group) * TOGETHER
    height = min(tiles_down - first, TOGETHER)
    row = (first + (tile % in_group) % height) * ROWS + tl.arange(0, ROWS)
    column = ((tile % in_group) // height) * ACROSS + tl.arange(0, ACROSS)

    along = tl.arange(0, DEEP)
    left = documents + (row % rows).to(tl.int64)[:, None] * document_step + along[None, :]
    right = profiles + (column % across).to(tl.int64)[None, :] * profile_step + along[:, None]
    summed = tl.zeros((ROWS, ACROSS), dtype=tl.float32)
    for start in range(0, deep, DEEP):
        a = tl.load(left, mask=along[None, :] < deep - start, other=0.0)
        b = tl.load(right, mask=along[:, None] < deep - start, other=0.0)
        summed = tl.dot(a, b, summed)
        left += DEEP
        right += DEEP

    # a quarter of the columns at a time: fewer registers, and most quarters have nothing to list
    begin = ((tile % in_group) // height) * ACROSS
    left_half, right_half = _halves(summed, ROWS, ACROSS)
    one, two = _halves(left_half, ROWS, ACROSS // 2)
    three, four = _halves(right_half, ROWS, ACROSS // 2)
    for quarter in tl.static_range(4):
        part = one if quarter == 0 else (two if quarter == 1 else (three if quarter == 2 else four))
        at = begin + quarter * (ACROSS // 4) + tl.arange(0, ACROSS // 4)
        _listed(part, row, at, thresholds, counter, document, profile, score, rows, across, room)


def delivered(documents: Any, profiles: Any, thresholds: Any) -> tuple[Any, Any, Any]:
    """Documents, profiles and scores of what reaches the thresholds; by document, then by profile."""
    import torch

    documents, profiles = (
        x.detach() if x.stride(-1) == 1 else x.detach().contiguous() for x in (documents, profiles)
    )
    thresholds = thresholds.detach().to(torch.float32).contiguous()
    rows = max(1, MOST_PAIRS // profiles.shape[0])
    blocks = [
        _in_order(documents[start : start + rows], profiles, thresholds, start)
        for start in range(0, documents.shape[0], rows)
    ]
    document, profile, score = (torch.cat(column) for column in zip(*blocks, strict=True))
    return document, profile, score


def _in_order(documents: Any, profiles: Any, thresholds: Any, start: int) -> tuple[Any, Any, Any]:
    """Those of a block of documents, the first of which has this number."""
    import torch

    across, room = profiles.shape[0], FIRST_GUESS
    while True:
        count, document, profile, score = compared(documents, profiles, thresholds, room)
        if count <= room:
            break
        room = count  # there are more: once again, with room for all
    pair, order = torch.sort(document[:count].long() * across + profile[:count])
    return pair // across + start, pair % across, score[:count][order]


def compared(documents: Any, profiles: Any, thresholds: Any, room: int) -> tuple[int, Any, Any, Any]:
    """How many reach their threshold; and, of as many as there is room for, the document, the profile and the score."""
    import torch

    counter = torch.zeros(1, dtype=torch.int32, device=documents.device)
    document, profile = torch.empty((2, room), dtype=torch.int32, device=documents.device)
    score = torch.empty(room, dtype=torch.float32, device=documents.device)
    launch(documents, profiles, thresholds, counter, document, profile, score)
    return int(counter.item()), document, profile, score


def launch(
    documents: Any, profiles: Any, thresholds: Any, counter: Any, document: Any, profile: Any, score: Any
) -> None:
    """Start the kernel; nothing is waited for."""
    import torch

    (rows, deep), across = documents.shape, profiles.shape[0]
    grid = (triton.cdiv(rows, TILE["ROWS"]) * triton.cdiv(across, TILE["ACROSS"]),)
    with torch.cuda.device_of(documents):
        _tile[grid](
            documents, profiles, thresholds, counter, document, profile, score,
            rows, across, deep, score.shape[0], documents.stride(0), profiles.stride(0), **TILE,
        )  # fmt: skip
