"""Batches of sorted rows become chunks of whole topics, so that many topics are judged in one call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

ROWS = 1 << 18
"""Rows of a chunk; more only where one topic has more."""


def chunks(batches: Iterator[Any], key: Sequence[str], rows: int = ROWS) -> Iterator[Any]:
    """Tables of at least so many rows, the last one excepted, in which every group is whole.

    Rows with the same key must stand together; a batch may end anywhere.
    """
    import pyarrow as pa

    held: list[Any] = []
    count = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        if count >= rows:
            begins = _last_begins(batch, key)
            follows = begins == 0 and _key(held[-1], key, -1) != _key(batch, key, 0)
            if begins or follows:
                yield pa.Table.from_batches([*held, batch.slice(0, begins)])
                held, count, batch = [], 0, batch.slice(begins)  # noqa: PLW2901 (the rest of it)
        held.append(batch)
        count += batch.num_rows
    if held:
        yield pa.Table.from_batches(held)


def _last_begins(batch: Any, key: Sequence[str]) -> int:
    """Where the last group of a batch begins, found by halving: equal keys stand together."""
    last = _key(batch, key, -1)
    low, high = 0, batch.num_rows - 1
    while low < high:
        middle = (low + high) // 2
        if _key(batch, key, middle) == last:
            high = middle
        else:
            low = middle + 1
    return low


def _key(batch: Any, key: Sequence[str], row: int) -> tuple[Any, ...]:
    return tuple(batch.column(name)[row].as_py() for name in key)
