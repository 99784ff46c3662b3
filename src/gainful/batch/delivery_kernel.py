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
TILE = {"ROWS": 128, "ACROSS": 128, "DEEP": 64, "TOGETHER": 16, "num_warps": 4, "num_stages": 3}
ALIGNED = 8  # 16-bit numbers: vectors begin at multiples of 16 bytes, as the device's copy engine needs it


@jit
def _tile(
    documents, profiles, thresholds, counter, pairs, scores, rows, across, deep, room,
    ROWS: tl.constexpr, ACROSS: tl.constexpr, DEEP: tl.constexpr, TOGETHER: tl.constexpr,
):  # fmt: skip
    # tiles that share rows and columns run near each other, so that they find them in the cache
    tile = tl.program_id(0)
    tiles_down, tiles_across = tl.cdiv(rows, ROWS), tl.cdiv(across, ACROSS)
    in_group = TOGETHER * tiles_across
    group = (tile // in_group) * TOGETHER
    height = min(tiles_down - group, TOGETHER)
    top, left = (group + (tile % in_group) % height) * ROWS, ((tile % in_group) // height) * ACROSS

    summed = tl.zeros((ROWS, ACROSS), dtype=tl.float32)
    for start in range(0, deep, DEEP):
        summed = tl.dot(documents.load([top, start]), profiles.load([left, start]).T, summed)

    # a column at a time of each row: most tiles have no delivery, and most others at most one in a row
    row, place = top + tl.arange(0, ROWS), tl.arange(0, ACROSS)
    least = tl.load(thresholds + left + place, mask=left + place < across, other=float("inf"))
    if tl.max(summed - least[None, :]) >= 0:
        kept = tl.where(summed >= least[None, :], summed, float("-inf"))
        first = tl.min(tl.where(kept > float("-inf"), place[None, :], ACROSS), axis=1)
        while tl.min(first, axis=0) < ACROSS:
            reached = (first < ACROSS) & (row < rows)
            score = tl.max(tl.where(place[None, :] == first[:, None], kept, float("-inf")), axis=1)
            free = tl.atomic_add(counter + tl.zeros_like(row), 1, mask=reached, sem="relaxed")
            there_is_room = reached & (free < room)
            tl.store(pairs + free, row * across + left + first, mask=there_is_room)
            tl.store(scores + free, score, mask=there_is_room)
            later = (kept > float("-inf")) & (place[None, :] > first[:, None])
            first = tl.min(tl.where(later, place[None, :], ACROSS), axis=1)


@jit
def _apart(pair, order, scores, document, profile, score, count, across, start):
    """Sorted deliveries as documents, profiles and scores."""
    at = tl.program_id(0) * 1024 + tl.arange(0, 1024)
    both = tl.load(pair + at, mask=at < count, other=0)
    tl.store(document + at, (both // across).to(tl.int64) + start, mask=at < count)
    tl.store(profile + at, (both % across).to(tl.int64), mask=at < count)
    place = tl.load(order + at, mask=at < count, other=0)
    tl.store(score + at, tl.load(scores + place, mask=at < count, other=0.0), mask=at < count)


def delivered(documents: Any, profiles: Any, thresholds: Any) -> tuple[Any, Any, Any]:
    """Documents, profiles and scores of what reaches the thresholds; by document, then by profile."""
    import torch

    documents, profiles = _aligned(documents.detach()), _aligned(profiles.detach())
    thresholds = thresholds.detach().to(torch.float32).contiguous()
    rows = max(1, MOST_PAIRS // profiles.shape[0])
    blocks = [
        _in_order(documents[start : start + rows], profiles, thresholds, start)
        for start in range(0, documents.shape[0], rows)
    ]
    if len(blocks) == 1:
        return blocks[0]
    document, profile, score = (torch.cat(column) for column in zip(*blocks, strict=True))
    return document, profile, score


def _aligned(vectors: Any) -> Any:
    """Vectors that the copy engine can read: a copy with zeros at the end where they do not lie so already."""
    import torch

    sound = vectors.stride(-1) == 1 and vectors.stride(0) % ALIGNED == 0 and vectors.stride(0) > 0
    if sound and vectors.data_ptr() % 16 == 0:
        return vectors
    return torch.nn.functional.pad(vectors, (0, -vectors.shape[1] % ALIGNED)).contiguous().clone()


def _in_order(documents: Any, profiles: Any, thresholds: Any, start: int) -> tuple[Any, Any, Any]:
    """Those of a block of documents, the first of which has this number."""
    import torch

    across, room = profiles.shape[0], FIRST_GUESS
    while True:
        count, pairs, scores = compared(documents, profiles, thresholds, room)
        if count <= room:
            break
        room = count  # there are more: once again, with room for all
    pair, order = torch.sort(pairs[:count])
    return taken_apart(pair, order, scores, across, start)


def taken_apart(pair: Any, order: Any, scores: Any, across: int, start: int) -> tuple[Any, Any, Any]:
    """Documents, profiles and scores of sorted pairs."""
    import torch

    count = len(pair)
    document, profile = torch.empty((2, count), dtype=torch.int64, device=pair.device)
    score = torch.empty(count, dtype=torch.float32, device=pair.device)
    if count:
        with torch.cuda.device_of(pair):
            _apart[(triton.cdiv(count, 1024),)](
                pair, order, scores, document, profile, score, count, across, start
            )
    return document, profile, score


def compared(documents: Any, profiles: Any, thresholds: Any, room: int) -> tuple[int, Any, Any]:
    """How many reach their threshold; and, of as many as there is room for, document × profiles + profile, and the score."""
    import torch
    from triton.tools.tensor_descriptor import TensorDescriptor

    (rows, deep), across = documents.shape, profiles.shape[0]
    counter = torch.zeros(1, dtype=torch.int32, device=documents.device)
    pairs = torch.empty(room, dtype=torch.int32, device=documents.device)
    scores = torch.empty(room, dtype=torch.float32, device=documents.device)
    grid = (triton.cdiv(rows, TILE["ROWS"]) * triton.cdiv(across, TILE["ACROSS"]),)
    of_documents = TensorDescriptor.from_tensor(documents, [TILE["ROWS"], TILE["DEEP"]])
    of_profiles = TensorDescriptor.from_tensor(profiles, [TILE["ACROSS"], TILE["DEEP"]])
    with torch.cuda.device_of(documents):
        _tile[grid](
            of_documents, of_profiles, thresholds, counter, pairs, scores, rows, across, deep, room, **TILE
        )
    return int(counter.item()), pairs, scores
