"""Lines of text → rows in the plain twin, as in native/lines.h and native/delimited.h."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from gainful._core.faults import Fault
from gainful.system_calls import read_at

LINE_LIMIT = 1 << 20
ID_LIMIT = 4 << 10
BLANKS = b" \t\r\n"
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


def read_all(source: int | Source) -> bytes:
    whole = bytearray()
    while True:
        if isinstance(source, int):
            part = read_at(source, 1 << 20, len(whole))
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
    fields = fields_between_tabs(text) if b"\t" in text else []
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
