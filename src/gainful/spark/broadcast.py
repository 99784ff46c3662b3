"""Judgments that every worker holds: small enough to be sent, looked up topic by topic."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from uuid import uuid4

import numpy as np


class Held:
    """Rows of judgments as bytes; a process opens them once, however many tasks it is given."""

    def __init__(self, table: Any) -> None:
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        ordered = table.take(pa.compute.sort_indices(table["topic"])).combine_chunks()
        with pa.ipc.new_stream(sink, ordered.schema) as writer:
            writer.write_table(ordered)
        self.raw = sink.getvalue().to_pybytes()
        self.token = uuid4().hex

    def __hash__(self) -> int:
        return hash(self.token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.token == other.token

    def of(self, topics: list[bytes]) -> Any:
        """The rows of these topics."""
        table, places = _opened(self)
        ranges = [places[topic] for topic in topics if topic in places]
        if not ranges:
            return table.slice(0, 0)
        starts, lengths = np.array(ranges).T
        ends = np.cumsum(lengths)
        return table.take(np.arange(ends[-1]) + np.repeat(starts - ends + lengths, lengths))


@lru_cache(maxsize=2)
def _opened(held: Held) -> tuple[Any, dict[bytes, tuple[int, int]]]:
    """The table, and where each topic begins and how many rows it has."""
    import pyarrow as pa

    table = pa.ipc.open_stream(held.raw).read_all()
    numbers = table["topic"].combine_chunks().dictionary_encode()
    codes = numbers.indices.to_numpy()
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    lengths = np.diff(np.append(starts, len(codes)))
    places = zip(starts.tolist(), lengths.tolist(), strict=True)
    return table, dict(zip(numbers.dictionary.to_pylist(), places, strict=True))
