"""Damage: what a file may have suffered before it is read."""

from __future__ import annotations

import random
from collections.abc import Callable

Mutation = Callable[[bytearray, random.Random], None]

_TOKENS = (
    *(
        b"\n",
        b"\r",
        b"\r\n",
        b"\t",
        b" ",
        b",",
        b";",
        b'"',
        b"'",
        b"#",
        b"\0",
        b"\x1b[31m",
        b"\xc2\x9b",
        b"\xff",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"nan",
        b"-inf",
        b"1e999",
        b"9" * 30,
        b"-0",
        b"0x10",
        b"{",
        b"}",
        b"[",
        b"]",
    ),
    *(b"null", b"true", b":", b"Q0", b"\\u0000", b"\\ud800", b"PAR1", b"<!DOCTYPE", b"&#0;", b"]]>"),
)


def flip(data: bytearray, draw: random.Random) -> None:
    """One bit."""
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def overwrite(data: bytearray, draw: random.Random) -> None:
    """A byte with any other."""
    data[draw.randrange(len(data))] = draw.randrange(256)


def insert(data: bytearray, draw: random.Random) -> None:
    """A token that means something somewhere."""
    place = draw.randrange(len(data) + 1)
    data[place:place] = draw.choice(_TOKENS)


def cut(data: bytearray, draw: random.Random) -> None:
    """The end is missing."""
    del data[draw.randrange(len(data)) :]


def drop(data: bytearray, draw: random.Random) -> None:
    """A piece is missing."""
    start = draw.randrange(len(data))
    del data[start : start + draw.randint(1, 40)]


def repeat(data: bytearray, draw: random.Random) -> None:
    """A piece stands there twice, or a thousand times."""
    start = draw.randrange(len(data))
    piece = bytes(data[start : start + draw.randint(1, 40)])
    data[start:start] = piece * draw.choice([1, 2, 1000])


def swap(data: bytearray, draw: random.Random) -> None:
    """Two pieces change places."""
    first, second = sorted((draw.randrange(len(data)), draw.randrange(len(data))))
    data[first:] = data[second:] + data[first:second]


MUTATIONS: tuple[Mutation, ...] = (flip, overwrite, insert, insert, cut, drop, repeat, swap)


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The data after one to four accidents."""
    damaged = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        if damaged:
            draw.choice(MUTATIONS)(damaged, draw)
    return bytes(damaged)
