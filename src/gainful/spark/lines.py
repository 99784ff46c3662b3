"""Lines of text become columns, in the workers; what cannot be read becomes a row without a topic that says so."""

from __future__ import annotations

from typing import Any

import numpy as np

from gainful._core.plain_rows import NUMBER
from gainful.formats.faults import COLUMNS
from gainful.formats.ids import to_bytes
from gainful.formats.layouts import Layout
from gainful.formats.types import By, Kind
from gainful.spark.faults import LINE, SEPARATOR


class Numbers:
    """Columns of ids and of numbers as text.

    path    as it was given, for messages
    ranked  the numbers are ranks: the smaller, the better
    """

    def __init__(self, path: str, *, ranked: bool = False) -> None:
        self.path = path
        self.ranked = ranked

    def parsed(self, batch: Any) -> Any:
        """Topic, document and value, and the other columns as they are."""
        import pyarrow as pa

        values, wrong = _numbers(batch["value"])
        columns = {name: batch[name] for name in batch.schema.names}
        columns["value"] = pa.array(
            -values if self.ranked else values, mask=np.array(batch["value"].is_null())
        )
        made = pa.RecordBatch.from_pydict(columns)
        if not wrong:
            return made
        good = np.ones(batch.num_rows, bool)
        good[list(wrong)] = False
        texts = [batch["value"][row].as_py() for row in wrong]
        return _with_faults(made.filter(pa.array(good)), [self.fault("value", 0, text) for text in texts])

    def fault(self, kind: str, columns: int, text: bytes) -> bytes:
        """What stands in place of a document."""
        parts = [LINE + kind.encode(), to_bytes(self.path), str(columns).encode(), text[:80]]
        return SEPARATOR.join(parts)


class Split(Numbers):
    """Lines with blanks between their columns."""

    def __init__(
        self, path: str, kind: Kind, layout: Layout, by: By | None = None, *, in_parts: bool = False
    ) -> None:
        super().__init__(path, ranked=layout.ranked)
        topic, document, value = layout.places
        self.told_apart: tuple[str, ...] = ()
        if by is not None:
            self.told_apart = ("aspect", "part") if in_parts else ("aspect",)
            document, value = (3, 4) if in_parts else (2, 3)
        self.places = {"topic": topic, "document": document, "value": value}
        self.places |= {name: place for place, name in enumerate(self.told_apart, 1)}
        columns = layout.described(kind) or COLUMNS["parts" if in_parts else by or kind]
        self.needed = len(columns.split(", ")) - columns.endswith(", tag")

    def parsed(self, batch: Any) -> Any:
        """Topic, document, value, and what tells them apart."""
        import pyarrow as pa
        import pyarrow.compute as pc

        lines = batch["line"].view(pa.string())  # bytes that are not text stay as they are
        lines = pc.if_else(pc.starts_with(lines, "\ufeff"), pc.binary_replace_slice(lines, 0, 3, ""), lines)
        lines = lines.filter(pc.invert(pc.starts_with(lines, "#")))  # after a blank it is a topic's
        lines = pc.ascii_trim(lines, " \t\r")
        lines = lines.filter(pc.greater(pc.binary_length(lines), 0))
        fields = _split(lines, max(self.places.values()) + 1)
        enough = pc.greater_equal(pc.list_value_length(fields), self.needed)
        short = [
            self.fault("columns", len(line.split()), line)
            for line in lines.filter(pc.invert(enough)).view(pa.binary()).to_pylist()
        ]
        fields = fields.filter(enough)
        columns = {
            name: pc.list_element(fields, place).view(pa.binary()) for name, place in self.places.items()
        }
        made = super().parsed(pa.RecordBatch.from_pydict(columns))
        return _with_faults(made, short)


def _split(lines: Any, most: int) -> Any:
    """The fields of each line, which blanks and tabs divide and no other spaces: these may stand in an id."""
    import pyarrow.compute as pc

    if any(pc.any(pc.match_substring(lines, other)).as_py() for other in "\v\f"):
        return pc.split_pattern_regex(lines, "[ \t]+", max_splits=most)
    return pc.ascii_split_whitespace(lines, max_splits=most)


def _numbers(texts: Any) -> tuple[np.ndarray, list[int]]:
    """The numbers, and the places of what is none; missing ones are NaN."""
    import pyarrow as pa

    try:
        return texts.view(pa.string()).cast(pa.float64()).to_numpy(zero_copy_only=False), []
    except pa.ArrowInvalid:
        pass
    values, wrong = np.full(len(texts), np.nan), []
    for row, text in enumerate(texts.to_pylist()):
        field = None if text is None else NUMBER.fullmatch(text.strip())
        if text is not None and field is None:
            wrong.append(row)
        elif field is not None and not field["nan"]:
            values[row] = float(field[0])
    return values, wrong


def _with_faults(batch: Any, faults: list[bytes]) -> Any:
    import pyarrow as pa

    if not faults:
        return batch
    columns = {
        name: pa.concat_arrays(
            [batch[name], pa.array(faults if name == "document" else [None] * len(faults), batch[name].type)]
        )
        for name in batch.schema.names
    }
    return pa.RecordBatch.from_pydict(columns)
