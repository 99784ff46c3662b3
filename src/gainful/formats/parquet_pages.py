"""How many rows of a Parquet file may be decoded at once, from the headers of its pages; and whether these are true.

A small file may hold very long values: one that repeats is stored once, in a dictionary, or as a prefix of the value before
it, and pages are compressed. The libraries decode a number of rows at once, so that this number bounds the memory.
The footer and the headers of pages are Thrift's compact protocol, of which the little that is needed is read here.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Iterator
from typing import Any, BinaryIO, NamedTuple

from gainful.errors import DataError
from gainful.formats.streams import HELD_ANYHOW, HELD_TIMES, decompressed_sizes

DECODED = 1 << 25
"""Bytes that the rows decoded at once may take."""
LARGEST_PAGE = 1 << 26
"""Bytes of a decompressed page that any file may have; larger files may have larger ones."""
UNCHECKED = 1 << 28
"""Bytes that a page can decompress to, whatever its header says, before it is compared with its header."""
_FEWEST = 16  # rows at once where the headers cannot be understood
_WORDS = 128  # of a dictionary, looked at together
_LONGEST_HEADER = 1 << 24
_DICTIONARY_PAGE, _DELTA_BYTE_ARRAY, _OF_DICTIONARY = 2, 7, (2, 8)
_DETAILS = {0: 5, 2: 7, 3: 8}  # field of a header with more of a data page, a dictionary, a newer data page
_GZIP, _BROTLI, _LZ4 = 2, 4, 5
_RATIOS = {_GZIP: 1032, _BROTLI: math.inf, _LZ4: 255}  # bytes from one byte, at the most
_DAMAGED = (KeyError, IndexError, ValueError, TypeError, AttributeError, RecursionError, OverflowError)

Batches = Callable[[io.BytesIO, int], Iterator[Any]]
"""Decodes a file, a number of rows at once."""


class TooLarge(Exception):
    """A page, or all dictionaries together, are too large to be decompressed: which, and how large they are."""


class WrongHeader(Exception):
    """A page is larger than its header says, or one of both cannot be read."""


class Uncheckable(Exception):
    """A page may be larger than its header says, and only decompressing it all at once would tell."""


class _Page(NamedTuple):
    """A page: where its content is, its size there and when decompressed, how many values it has and how they are encoded.

    levels  bytes at its start that are not compressed; None where nothing is
    """

    start: int
    stored: int
    size: int
    values: int
    encoding: int
    dictionary: bool
    levels: int | None


def rows_at_once(
    file: BinaryIO, size: int, most: int, batches: Batches, columns: Collection[str] | None = None
) -> int:
    """How many rows to decode at once, so that they take 32 MiB at the most, beside the pages themselves.

    size     bytes of the file
    most     rows at once where values are short
    columns  that are decoded; None for all
    """
    try:
        groups = _footer(file, size)[4]
        _check_sizes(file, size, groups)
        width = max((_width_of_rows(file, group, batches, columns) for group in groups), default=1.0)
    except _DAMAGED:
        return _FEWEST  # the library says what is wrong with it
    return max(1, min(most, int(DECODED / max(1.0, width))))


def row_count(file: BinaryIO, size: int) -> int:
    """How many rows a file of so many bytes says that it has."""
    try:
        return int(_footer(file, size)[3])
    except _DAMAGED:
        return 0


def check_headers(file: BinaryIO, size: int) -> None:
    """Raise WrongHeader if a page may decompress to much more than its header says.

    arro3 compares the two after it has decompressed the page: gzip, Brotli and the older LZ4 have no bound there.
    Pages that are too short to become large are left to it. Of the others, those of gzip are decompressed here piece
    by piece; the standard library cannot do so with the other two, and Uncheckable is raised.
    """
    try:
        groups = _footer(file, size)[4]
        for chunk in (chunk[3] for group in groups for chunk in group[1] if chunk[3][4] in _RATIOS):
            for page in _pages(file, chunk):
                if page.levels is not None and page.stored * _RATIOS[chunk[4]] > UNCHECKED:
                    if chunk[4] != _GZIP:
                        raise Uncheckable
                    _check_header(file, page, page.levels)
    except _DAMAGED:  # arro3 might understand what was not understood here
        raise WrongHeader("the header of a page cannot be read") from None


def _check_header(file: BinaryIO, page: _Page, levels: int) -> None:
    if not 0 <= levels <= page.stored:
        raise ValueError
    file.seek(page.start + levels)
    content, size = file.read(page.stored - levels), levels
    try:
        for piece in decompressed_sizes(content):
            size += piece
            if size > page.size:
                raise WrongHeader(f"a page is larger than the {page.size:,} bytes that its header says")
    except DataError:
        raise WrongHeader("a page cannot be decompressed") from None


def _footer(file: BinaryIO, size: int) -> dict[int, Any]:
    file.seek(size - 8)
    length = int.from_bytes(file.read(4), "little")
    file.seek(size - 8 - length)
    return _Thrift(file.read(length)).struct()


def _check_sizes(file: BinaryIO, size: int, groups: Any) -> None:
    """Raise TooLarge if pages are; of dictionaries, whose words all occur in rows, the sum may be what rows may be."""
    dictionaries = 0
    for page in (page for group in groups for chunk in group[1] for page in _pages(file, chunk[3])):
        dictionaries += page.size if page.dictionary else 0
        if page.size > LARGEST_PAGE + 2 * size:
            raise TooLarge(f"a page of {page.size:,} bytes")
        if dictionaries > HELD_ANYHOW + HELD_TIMES * size:
            raise TooLarge(f"dictionaries of more than {dictionaries:,} bytes")


def _width_of_rows(file: BinaryIO, group: Any, batches: Batches, columns: Collection[str] | None) -> float:
    """Bytes that a row of a row group can take when many are decoded at once."""
    chunks = [chunk[3] for chunk in group[1]]
    if columns is not None:
        chunks = [chunk for chunk in chunks if chunk[3][0].decode() in columns]
    return sum(_width(file, chunk, batches) for chunk in chunks)


def _width(file: BinaryIO, chunk: Any, batches: Batches) -> float:
    """Bytes that a value of a column can take: of a plain page the mean, of others the longest that there may be."""
    widest = 1.0
    for page in _pages(file, chunk):
        if page.dictionary:
            width = _longest_word(file, page, chunk[4], batches) if chunk[1] == _BYTE_ARRAY else 1.0
        elif page.encoding in _OF_DICTIONARY:
            continue
        else:
            # A value may have the whole page as its prefix. Few files have such pages, and they may take more memory.
            width = page.size / (4 if page.encoding == _DELTA_BYTE_ARRAY else max(1, page.values))
        widest = max(widest, width)
    return widest


def _pages(file: BinaryIO, chunk: Any) -> Iterator[_Page]:
    place = start = chunk.get(11) or chunk[9]
    while place < start + chunk[7]:
        header, length = _header(file, place)
        place += length
        details = header.get(_DETAILS.get(header[1], 0), {1: 0})
        newer = header[1] == 3  # it says where its levels end, and whether the rest is compressed
        levels = details[5] + details[6] if newer else 0
        yield _Page(
            place,
            header[3],
            header[2],
            details[1],
            details.get(4 if newer else 2, 0),
            header[1] == _DICTIONARY_PAGE,
            levels if not newer or details.get(7, True) else None,
        )
        place += max(0, header[3])


def _header(file: BinaryIO, place: int) -> tuple[dict[int, Any], int]:
    """The header of the page there, and its length, which nothing tells before it is read."""
    room = 1 << 8
    while True:
        file.seek(place)
        thrift = _Thrift(file.read(room))
        try:
            return thrift.struct(), thrift.place
        except IndexError:
            if room > _LONGEST_HEADER:
                raise
            room <<= 4


# ---- the words of a dictionary ----------------------------------------------------------------------------------------

_BYTE_ARRAY, _I32, _I64, _BINARY, _LIST, _STRUCT = 6, 5, 6, 8, 9, 12


def _longest_word(file: BinaryIO, page: _Page, codec: int, batches: Batches) -> float:
    """Bytes that are no fewer than the longest word of a dictionary has.

    A dictionary is stored as a plain page of its words; as the only page of a file it is decoded by the library.
    """
    if page.size <= DECODED >> 11:
        return page.size
    file.seek(page.start)
    content = file.read(page.stored)
    words = io.BytesIO(_file_of_page(content, page, codec))
    return max((batch.nbytes for batch in batches(words, _WORDS)), default=1.0)


def _file_of_page(content: bytes, page: _Page, codec: int) -> bytes:
    """A Parquet file with one column, whose only page has this content."""
    plain = _written({1: (_I32, page.values), 2: (_I32, 0), 3: (_I32, 3), 4: (_I32, 3)})
    sizes = {2: (_I32, page.size), 3: (_I32, page.stored)}
    body = b"PAR1" + _written({1: (_I32, 0), **sizes, 5: (_STRUCT, plain)}) + content
    column = {
        1: (_I32, _BYTE_ARRAY),
        2: (_LIST, (_I32, [0])),
        3: (_LIST, (_BINARY, [b"word"])),
        4: (_I32, codec),
        5: (_I64, page.values),
        6: (_I64, len(body)),
        7: (_I64, len(body) - 4),
        9: (_I64, 4),
    }
    chunk = _written({2: (_I64, 4), 3: (_STRUCT, _written(column))})
    group = _written({1: (_LIST, (_STRUCT, [chunk])), 2: (_I64, len(body)), 3: (_I64, page.values)})
    root = _written({4: (_BINARY, b"words"), 5: (_I32, 1)})
    word = _written({1: (_I32, _BYTE_ARRAY), 3: (_I32, 0), 4: (_BINARY, b"word")})
    footer = _written(
        {
            1: (_I32, 1),
            2: (_LIST, (_STRUCT, [root, word])),
            3: (_I64, page.values),
            4: (_LIST, (_STRUCT, [group])),
        }
    )
    return body + footer + len(footer).to_bytes(4, "little") + b"PAR1"


# ---- Thrift -----------------------------------------------------------------------------------------------------------


def _written(fields: dict[int, tuple[int, Any]]) -> bytes:
    """A struct of {number: (type, value)}."""
    numbers = [0, *fields]
    parts = [
        bytes([number - before << 4 | kind]) + _value(kind, value)
        for before, (number, (kind, value)) in zip(numbers, fields.items(), strict=False)
    ]
    return b"".join(parts) + b"\0"


def _value(kind: int, value: Any) -> bytes:
    if kind == _STRUCT:
        return bytes(value)
    if kind == _BINARY:
        return _varint(len(value)) + bytes(value)
    if kind == _LIST:
        of, items = value
        return bytes([len(items) << 4 | of]) + b"".join(_value(of, item) for item in items)
    return _varint(2 * value)


def _varint(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


class _Thrift:
    """Reads structs as {number: value}; an IndexError where the data ends too early."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def struct(self) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._zigzag()
            fields[number] = head & 15 == 1 if head & 15 in (1, 2) else self._value(head & 15)
        return fields

    def _value(self, kind: int) -> Any:
        match kind:
            case 1 | 2 | 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._zigzag()
            case 7:
                return self._bytes(8)
            case 8:
                return self._bytes(self._varint())
            case 9 | 10:
                head = self._byte()
                count = head >> 4 if head >> 4 < 15 else self._varint()
                return [self._value(head & 15) for _ in range(count)]
            case 11:
                count = self._varint()
                kinds = self._byte() if count else 0
                return [(self._value(kinds >> 4), self._value(kinds & 15)) for _ in range(count)]
            case 12:
                return self.struct()
            case 13:
                return self._bytes(16)
        raise ValueError(f"no type {kind} in Thrift")

    def _byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def _bytes(self, count: int) -> bytes:
        self.place += count
        if self.place > len(self.data):
            raise IndexError
        return self.data[self.place - count : self.place]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7

    def _zigzag(self) -> int:
        number = self._varint()
        return number >> 1 ^ -(number & 1)
