"""Tables of the plain twin, as in native/rows.h: files, lists, mappings and Arrow columns → (topic, document, value)."""

from collections.abc import Sequence
from functools import cached_property
from itertools import count
from math import isnan, ldexp
from struct import pack
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful._core.faults import Fault
from gainful._core.plain_lines import (
    BLANKS,
    Faults,
    Row,
    Source,
    check_ranks,
    parse,
    parse_table,
    read_all,
)


class Rows:
    """A table of (topic, document, value)."""

    def __init__(
        self, table: list[Row], tag: bytes = b"", hollow: Sequence[bytes] = (), has_lines: bool = True
    ) -> None:
        self.table = table
        self.tag = tag
        self.hollow = hollow  # topics of a mapping that hold no documents
        self.has_lines = has_lines
        self.topics = [row.topic for row in table]
        self.documents = [row.document for row in table]
        self.values: NDArray[np.float64] = np.array([row.value for row in table], np.float64)

    @cached_property
    def digest(self) -> str:
        """What stands for the rows, whatever their order."""
        return f"{sum(hash_row(*row[1:]) for row in self.table) % (1 << 128):032x}"

    def __len__(self) -> int:
        return len(self.table)

    def take_values(self) -> NDArray[np.float64]:
        """The values of all rows, which are given up; their digest stays."""
        _ = self.digest  # worked out while there are rows
        values, self.table, self.values = self.values, [], np.zeros(0)
        return values

    @staticmethod
    def read(source: int | Source, *, kind: Literal["qrels", "run"], threads: int, _block: int = 0) -> "Rows":
        """A whole file."""
        check_word("kind", kind, "qrels", "run")
        check_threads(threads)
        faults = Faults()
        pairs = list(parse(read_all(source), kind, faults))
        faults.check()
        if not pairs:
            raise Fault("empty", 0, 0, b"", 1)
        return Rows([row for row, _ in pairs], pairs[0][1])

    @staticmethod
    def read_table(
        source: int | Source,
        *,
        separator: str,
        places: tuple[int, int, int],
        header: bool,
        ranked: bool,
        columns: int,
        counting: bool,
        threads: int,
        _block: int = 0,
    ) -> "Rows":
        """A whole file whose columns a character divides, or blanks."""
        check_threads(threads)
        faults = Faults()
        rows = list(
            parse_table(
                read_all(source),
                faults,
                separator=separator.encode(),
                places=places,
                header=header,
                ranked=ranked,
                columns=columns,
            )
        )
        faults.check()
        if not rows:
            raise Fault("empty", 0, 0, b"", 1)
        if counting:
            check_ranks(rows, faults)
            faults.check()
        return Rows(rows)

    @staticmethod
    def of_lists(topics: Sequence[Any], documents: Sequence[Any], values: Sequence[Any]) -> "Rows":
        """Three columns of one length."""
        faults, table = Faults(), []
        for line, (topic, document, value) in enumerate(zip(topics, documents, values, strict=True), 1):
            if (row := make_row(faults, line, topic, document, value)) is not None:
                table.append(row)
        faults.check()
        if not table:
            raise Fault("empty", 0, 0, b"", 1)
        return Rows(table)

    @staticmethod
    def of_mapping(nested: Any) -> "Rows":
        """A mapping of topics to mappings of documents to values."""
        faults, table, hollow, place = Faults(has_lines=False), [], [], count(1)
        if not hasattr(nested, "items"):
            raise Fault("type", 0, 0, b"mapping\t" + type_name(nested), 1)
        for topic, inner in nested.items():
            name = as_id(topic)
            if name is None:
                faults.note("type", next(place), 0, b"topic\t" + type_name(topic))
            elif not hasattr(inner, "items"):
                faults.note("type", next(place), 0, b"mapping\t" + type_name(inner) + b"\t" + name)
            elif not name.strip(BLANKS):
                faults.note("null", next(place), 0, missing_text(name, b""))
            else:
                entries = list(inner.items())
                rows = [make_row(faults, next(place), name, item, value, True) for item, value in entries]
                table += [row for row in rows if row is not None]
                hollow += [] if entries else [name]
        faults.check()
        if not table and not hollow:
            raise Fault("empty", 0, 0, b"", 1)
        return Rows(table, hollow=hollow, has_lines=False)

    @staticmethod
    def of_stream(
        capsule: object, topic: str, document: str, value: str, *, threads: int | None = None
    ) -> "Rows":
        """Three columns of an Arrow stream; threads None is as many as there are."""
        from gainful._core.plain_arrow import cells

        check_threads(1 if threads is None else threads)
        return Rows.of_lists(*cells(capsule, {"topic": topic, "document": document, "value": value}))


def make_row(
    faults: Faults, place: int, topic: Any, document: Any, value: Any, mapping: bool = False
) -> Row | None:
    """A row of Python objects; None, and a fault noted, where one of them cannot be used."""
    name, item, number = as_id(topic), as_id(document), as_value(value)
    if name is None:
        faults.note("type", place, 0, b"topic\t" + type_name(topic))
    elif item is None:
        named = [name] if mapping else []
        faults.note("type", place, 0, b"\t".join([b"document", type_name(document), *named]))
    elif number is None:
        named = [name, item] if mapping else []
        faults.note("type", place, 0, b"\t".join([b"value", type_name(value), *named]))
    elif not name.strip(BLANKS) or not item.strip(BLANKS):
        faults.note("null", place, 0, missing_text(name, item))
    elif isnan(number):
        faults.note("nan", place, 0, name + b"\t" + item)
    else:
        return Row(place, name, item, number)
    return None


def missing_text(topic: bytes, document: bytes) -> bytes:
    """Of an id that is empty or nothing but blanks: whether it is the topic or the document, and what the row has of both."""
    return b"\t".join([b"document", topic, b""] if topic.strip(BLANKS) else [b"topic", b"", document])


def check_word(name: str, word: str, *allowed: str) -> None:
    if word not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {word!r}")


def check_threads(threads: int) -> None:
    if threads < 1:
        raise ValueError(f"threads must be 1 or more; got {threads}")


# Python objects → ids and numbers


def type_name(thing: object) -> bytes:
    return type(thing).__name__.encode()


def as_id(thing: Any) -> bytes | None:
    """Bytes of an id; None where the type cannot be one."""
    if isinstance(thing, bytes):
        return bytes(thing)
    try:
        if isinstance(thing, str):
            return str.encode(thing, "utf-8", "surrogateescape")
        if not isinstance(thing, bool) and hasattr(thing, "__index__"):
            return b"%d" % thing.__index__()
    except (TypeError, ValueError):
        pass
    return None


def as_value(thing: Any) -> float | None:
    """The number; None where it is none. Text is none, even of digits."""
    try:
        return ldexp(thing, 0)  # what float() does, but for text
    except (TypeError, OverflowError, ValueError):
        return None


PI = [  # the fractional digits of pi, sixteen at a time
    *(0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
    *(0x452821E638D01377, 0xBE5466CF34E90C6C, 0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917),
]


def fold(a: int, b: int) -> int:
    """Both halves of the product of two 64-bit words, in one word."""
    product = a * b
    return (product ^ product >> 64) & (1 << 64) - 1


def mix(x: int, y: int) -> int:
    """Both factors again in what fold makes of them: a product with zero would forget the other one."""
    return fold(x, y) ^ x ^ (y << 32 | y >> 32) & (1 << 64) - 1


def hash_id(data: bytes) -> int:
    """64 bits that stand for an id."""
    state, rest = PI[0], data
    while len(rest) > 16:
        state = mix(int.from_bytes(rest[:8], "little") ^ PI[1], int.from_bytes(rest[8:16], "little") ^ state)
        rest = rest[16:]
    if len(rest) >= 4:  # two words that may overlap
        width = 8 if len(rest) >= 8 else 4
        a, b = int.from_bytes(rest[:width], "little"), int.from_bytes(rest[-width:], "little")
    elif rest:
        a, b = rest[0] | rest[len(rest) // 2] << 8 | rest[-1] << 16, 0
    else:
        a, b = 0, 0
    return fold(mix(a ^ PI[2] ^ state, b ^ PI[3]) ^ PI[1], len(data) ^ PI[4])


def hash_row(topic: bytes, document: bytes, value: float) -> int:
    """128 bits that stand for a row."""
    bits = int.from_bytes(pack("<d", value + 0.0), "little")  # −0.0 + 0.0 is 0.0: equal values, equal bits
    both = fold(hash_id(document) ^ PI[5], hash_id(topic) ^ PI[6])
    low = fold(both ^ PI[7], bits ^ PI[0])
    return fold(low ^ PI[2], both ^ bits) << 64 | low
