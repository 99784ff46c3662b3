"""Whether a file looks like a run or like judgments, told from its first lines; so that swapped files are noticed."""

from __future__ import annotations

from gainful.errors import DataError
from gainful.formats.sources import Source
from gainful.formats.types import Kind

_HEAD = 1 << 16
_LINES = 200


def shape_of(path: str) -> Kind | None:
    """What the first lines look like; None where they are neither, or cannot be read."""
    try:
        with Source(path) as source:
            return shape(source.head(_HEAD))
    except DataError:
        return None


def shape(head: bytes) -> Kind | None:
    r"""What these first bytes of a file look like.

    >>> shape(b"q1 Q0 d7 1 12.5 bm25\n"), shape(b"q1 0 d7 2\n"), shape(b"query,docid\n")
    ('run', 'qrels', None)
    """
    rows = _rows(head)[:_LINES]
    if rows and all(len(row) >= 6 and _is_number(row[3]) and _is_number(row[4]) for row in rows):
        return "run"
    if rows and all(len(row) == 4 and _is_number(row[3]) for row in rows):
        return "qrels"
    return None


def _rows(head: bytes) -> list[list[bytes]]:
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(lines) > 1 and len(head) == _HEAD:
        lines.pop()  # cut off
    return [line.split() for line in lines if line.strip() and not line.startswith(b"#")]


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
