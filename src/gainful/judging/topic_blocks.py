"""Sums and products within topics, for all topics at once: topics of similar length stand side by side in a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gainful.arrays import NDArray, np

if TYPE_CHECKING:
    from gainful.judging.ranking import Ranking

MANY = 128  # from so many topics side by side, adding row to row beats NumPy's accumulate


def accumulated(ranking: Ranking, with_: np.ufunc, x: NDArray[Any]) -> NDArray[np.float64]:
    """X summed up or multiplied hit by hit within each topic; a topic's own hits decide its bits, not those beside it."""
    place, blocks, size = blocks_of(ranking)
    padded = np.zeros(size)
    padded[place] = x
    for start, length, topics in blocks:
        block = padded[start : start + length * topics].reshape(length, topics)
        if topics < MANY:
            with_.accumulate(block, axis=0, out=block)
        else:
            for row in range(1, length):
                with_(block[row - 1], block[row], out=block[row])
    return padded.take(place)


def blocks_of(ranking: Ranking) -> tuple[NDArray[np.intp], list[tuple[int, int, int]], int]:
    """Where each hit goes in the padded blocks; start, length and topics of each block; size in all.

    A block holds topics with lengths between two powers of two, so that at most half of it is padding.
    """
    kept: tuple[NDArray[np.intp], list[tuple[int, int, int]], int] | None = ranking._memo.get("blocks")
    if kept is None:
        lengths = ranking._lengths()
        scale = np.frexp(lengths)[1]
        base, step = np.zeros_like(lengths), np.zeros_like(lengths)
        blocks, size = [], 0
        for power in np.unique(scale[lengths > 0]):
            here = np.flatnonzero(scale == power)
            length, topics = int(lengths[here].max()), len(here)
            base[here], step[here] = size + np.arange(topics), topics
            blocks.append((size, length, topics))
            size += length * topics
        within = np.arange(len(ranking.rank)) - ranking.each(ranking.offsets[:-1])  # 0, 1, 2, … of each topic
        place = ranking.each(base) + within * ranking.each(step)
        kept = ranking._memo["blocks"] = (place, blocks, size)
    return kept
