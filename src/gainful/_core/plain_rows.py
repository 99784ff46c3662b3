"""Rows of the plain twin: bytes, lists, mappings and Arrow columns → (topic, document, value)."""

import os
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import count
from math import isnan, ldexp
from struct import pack
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gainful._core.faults import Fault

LINE_LIMIT = 1 << 20
ID_LIMIT = 4 << 10
SHOWN = 80  # bytes of a line that a fault repeats
HEAD = 512
NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
NUMBER = re.compile(
    rb"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|(?P<nan>nan(?:\([a-z0-9_]*\))?))",
    re.IGNORECASE,
)


class Source(Protocol):
    """Bytes from Python: a decompressor, a pipe."""

    def readinto(self, buffer: Any, /) -> int:
        """Fill the buffer as far as there is data; 0 at the end."""

    def rewind(self) -> bool:
        """Start again from the beginning; False where that cannot be done."""


class Row(NamedTuple):
    """One line of a file or one entry of a list or mapping; place is its line or its number, from 1."""

    place: int
    topic: bytes
    document: bytes
    value: float


class Faults:
    """Faults met so far: the one with the lowest place, and how many there are of each kind."""

    def __init__(self, has_lines: bool = True) -> None:
        self.has_lines = has_lines  # entries of a mapping have none that could be told
        self.worst: tuple[str, int, int, bytes] | None = None
        self.counts: dict[str, int] = {}

    def note(self, kind: str, place: int, other: int = 0, text: bytes = b"") -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.worst is None or place < self.worst[1]:
            self.worst = (kind, place, other, text)

    def check(self) -> None:
        if self.worst is not None:
            kind, place, other, text = self.worst
            place, other = (place, other) if self.has_lines else (0, 0)
            raise Fault(kind, place, other, text, self.counts[kind])


# Digest


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


# Bytes → rows


def read_all(source: int | Source) -> bytes:
    whole = bytearray()
    while True:
        if isinstance(source, int):
            part = os.pread(source, 1 << 20, len(whole))
        else:
            buffer = bytearray(1 << 20)
            part = bytes(buffer[: source.readinto(buffer)])
        if not part:
            return bytes(whole)
        whole += part


def lines_of(data: bytes, faults: Faults) -> Iterator[tuple[int, bytes]]:
    """Lines that hold something, with their numbers; what is no line of text is noted in faults."""
    if strange := NOT_TEXT.search(data[:HEAD]):
        faults.note("binary", data.count(b"\n", 0, strange.start()) + 1)
        return
    for line, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if len(raw) > LINE_LIMIT:
            faults.note("long", line)
        elif b"\0" in raw:
            faults.note("binary", line)
        elif raw.strip(b" \t\r"):
            yield line, raw


def parse(data: bytes, kind: str, faults: Faults) -> Iterator[tuple[Row, bytes]]:
    """Rows with the tag of each; what cannot be read is noted in faults.

    Judgments have 4 fields, runs 5 or 6, the same on all lines. Blanks divide them; but where tabs divide a line of a
    run into six fields, the tag may hold blanks. A line that begins with # is a comment, unless it reads as a row whose
    topic begins so.
    """
    wanted = (5, 6) if kind == "run" else (4,)
    first = 0  # how many fields the first row has
    uneven: tuple[int, bytes] | None = None
    for line, raw in lines_of(data, faults):
        text = raw.rstrip(b" \t\r").lstrip(b" \t")
        fields = re.split(rb"[ \t]+", text)
        before_tag = text
        if kind == "run" and len(fields) > 6 and (parts := fields_before_tag(text)):
            fields, before_tag = parts, b""
        right = len(fields) in wanted
        if raw.startswith(b"#") and not (
            right and len(fields[0]) > 1 and NUMBER.fullmatch(fields[wanted[0] - 1])
        ):
            continue
        if not right:
            faults.note("columns", line, len(fields), text[:SHOWN])
        elif (
            row := row_of(fields[0], fields[2], fields[wanted[0] - 1], line, before_tag, faults)
        ) is not None:
            first = first or len(fields)
            if len(fields) != first and uneven is None:
                uneven = line, text[:SHOWN]
            yield row, fields[5] if len(fields) > 5 else b""
    if uneven is not None:
        faults.note("uneven", uneven[0], first, uneven[1])


def parse_table(
    data: bytes,
    faults: Faults,
    *,
    separator: bytes,
    places: tuple[int, int, int],
    header: bool,
    ranked: bool,
    columns: int,
) -> Iterator[Row]:
    """Rows of a table whose columns one character divides, or any blanks; every line has as many."""
    for line, raw in lines_of(data, faults):
        if separator and b'"' in raw:
            faults.note("quoted", line)
            continue
        text = raw.rstrip(b"\r")
        if not text.strip(b" \t"):
            continue
        if header:
            header = raw.startswith(b"#")  # comments may stand before the names
            continue
        fields = (
            [field.strip(b" \t") for field in text.split(separator)]
            if separator
            else re.split(rb"[ \t]+", text.strip(b" \t"))
        )
        right = len(fields) == columns
        comment = not separator and raw.startswith(b"#")
        if comment and not (right and len(fields[0]) > 1 and NUMBER.fullmatch(fields[2])):
            continue
        if not right:
            faults.note("columns", line, len(fields), text[:SHOWN])
            continue
        topic, document, value = (fields[place] for place in places)
        row = row_of(topic, document, value, line, b"" if separator else text, faults)
        if row is not None:
            yield row._replace(value=-row.value) if ranked else row


def row_of(topic: bytes, document: bytes, value: bytes, line: int, text: bytes, faults: Faults) -> Row | None:
    """The row of these fields; None, and a fault noted, where one of them cannot be used.

    text  the line they are from, where blanks divide it
    """
    match = NUMBER.fullmatch(value)
    if (blank := field_with_blank(text)) is not None:
        faults.note("blank", line, 0, blank[:SHOWN])
    elif not topic or not document:
        faults.note("null", line, 0, b"topic" if not topic else b"document")
    elif max(len(topic), len(document)) > ID_LIMIT:
        faults.note("id", line)
    elif match is None:
        faults.note("value", line, 0, value[:SHOWN])
    elif match["nan"]:
        faults.note("nan", line, 0, value)
    else:
        return Row(line, topic, document, float(value))
    return None


def field_with_blank(text: bytes) -> bytes | None:
    """A field with a space in it, where tabs divide the text into three fields or more."""
    fields = fields_between_tabs(text)
    return next((field for field in fields if b" " in field), None) if len(fields) >= 3 else None


def fields_before_tag(text: bytes) -> list[bytes]:
    """The fields of a run's line that tabs divide into six, of which only the tag holds blanks; none of another line."""
    fields = fields_between_tabs(text)
    return fields if len(fields) == 6 and not any(b" " in field for field in fields[:5]) else []


def fields_between_tabs(text: bytes) -> list[bytes]:
    """What stands between tabs, without the spaces around it."""
    return [field for part in text.split(b"\t") if (field := part.strip(b" "))]


def check_ranks(rows: Sequence[Row], faults: Faults) -> None:
    """Note where the ranks of a topic, which are the negatives of the values, are not 1, 2, 3, … in some order."""
    counts: dict[bytes, int] = {}
    for row in rows:
        counts[row.topic] = counts.get(row.topic, 0) + 1
    met = set()
    for row in rows:
        if -row.value not in range(1, counts[row.topic] + 1) or (row.topic, row.value) in met:
            faults.note("rank", row.place, counts[row.topic], row.topic)
        met.add((row.topic, row.value))


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
        self.digest = f"{sum(hash_row(*row[1:]) for row in table) % (1 << 128):032x}"

    def __len__(self) -> int:
        return len(self.table)

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
        check_threads(1 if threads is None else threads)
        arrow = import_module("pyarrow")
        table = arrow.RecordBatchReader._import_from_c_capsule(capsule).read_all()
        names = {"topic": topic, "document": document, "value": value}
        for name in names.values():
            if name not in table.column_names:
                raise KeyError(name)
        faults, lists = Faults(), []
        for role, name in names.items():
            column = table.column(table.column_names.index(name))
            kind = column.type.value_type if arrow.types.is_dictionary(column.type) else column.type
            tests = ("floating", "integer") if role == "value" else ("integer", *BYTES)
            known = any(getattr(arrow.types, f"is_{test}")(kind) for test in tests)
            if not arrow.types.is_null(kind) and (not known or (role == "value" and kind != column.type)):
                raise Fault("type", 0, 0, f"{role}\t{kind}".encode(), 1)
            if role != "value" and "string" in str(kind):  # ids need not be UTF-8
                column = arrow.chunked_array([c.cast(kind) for c in column.chunks], type=kind)
                column = column.cast("large_binary" if "large" in str(kind) else "binary")
            lists.append(column.to_pylist())
        for line, cells in enumerate(zip(*lists, strict=True), 1):
            for role, cell in zip(names, cells, strict=True):
                if cell is None:
                    faults.note("null", line, 0, role.encode())
                    break
            else:
                if isnan(cells[2]):
                    faults.note("nan", line, 0, b"%s\t%s" % (as_id(cells[0]), as_id(cells[1])))
                elif max(len(as_id(cell) or b"") for cell in cells[:2]) > ID_LIMIT:
                    faults.note("id", line, 0, b"")
        faults.check()
        return Rows.of_lists(*lists)


BYTES = (
    "string",
    "large_string",
    "string_view",
    "binary",
    "large_binary",
    "binary_view",
    "fixed_size_binary",
)


def columns(capsule: object) -> list[str]:
    """Names of an Arrow stream's columns; here the capsule is used up, as pyarrow cannot look without taking it."""
    names: list[str] = import_module("pyarrow").RecordBatchReader._import_from_c_capsule(capsule).schema.names
    return names


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
    elif isnan(number):
        faults.note("nan", place, 0, name + b"\t" + item)
    else:
        return Row(place, name, item, number)
    return None


def check_word(name: str, word: str, *allowed: str) -> None:
    if word not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}; got {word!r}")


def check_threads(threads: int) -> None:
    if threads < 1:
        raise ValueError(f"threads must be 1 or more; got {threads}")
