r"""Formats of files beside those of lines: each says how it is recognised, how it is read and, where it can be, written.

A format of one's own is one file, inside or outside the package:

    from gainful.formats.registry import file_format

    @file_format("letor", endings=(".letor",), recognise=lambda head: b" qid:" in head.partition(b"\n")[0])
    def letor(source, kind):
        for line in source.lines():
            grade, topic, *_, document = line.decode().split()
            yield topic.removeprefix("qid:"), document, float(grade)

Once that file is imported, everything that takes a path takes the format: recognised by the first bytes, or named
(`layout="letor"`, `--run-format letor`). A package that names the file in its entry points, group `gainful.formats`, need
not be imported: it is looked up when a name or content is met that no other format knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from gainful.errors import UsageError
from gainful.formats.types import Kind

if TYPE_CHECKING:
    from gainful._core import Rows
    from gainful.formats.sources import Source

GROUP = "gainful.formats"

Reader: TypeAlias = "Callable[[Source, Kind], Rows | Mapping[Any, Any] | Iterable[tuple[Any, Any, Any]]]"
Writer: TypeAlias = "Callable[[Rows, Kind, str], bytes]"


@dataclass(frozen=True)
class Format:
    """A format of files.

    read       the rows of an open file: (topic, document, value) each, or {topic: {document: value}}
    recognise  whether content that begins with these bytes (decompressed, at least its first line) is in the format
    write      the content of a file that holds the rows; None where the format is only read
    endings    of names of files that are written in the format
    """

    name: str
    read: Reader
    recognise: Callable[[bytes], bool] | None = None
    write: Writer | None = None
    endings: tuple[str, ...] = ()


_FORMATS: dict[str, Format] = {}


def file_format(
    name: str,
    *,
    recognise: Callable[[bytes], bool] | None = None,
    write: Writer | None = None,
    endings: tuple[str, ...] = (),
) -> Callable[[Reader], Format]:
    """A decorator: the function reads files of the format, which is known by its name from now on."""
    from gainful.formats.layouts import NAMES

    if name in NAMES or not name.isidentifier():
        raise UsageError(f"'{name}' cannot be the name of a format; it is taken, or not one word.")

    def register(read: Reader) -> Format:
        _FORMATS[name] = Format(name, read, recognise, write, endings)
        return _FORMATS[name]

    return register


def find(name: str) -> Format | None:
    """The format of that name, if one was registered."""
    if name not in _FORMATS:
        _load_installed()
    return _FORMATS.get(name)


def recognised(head: bytes, *, installed: bool) -> Format | None:
    """The format of content that begins with these bytes; with `installed`, packages that are not imported are asked too."""
    if installed:
        _load_installed()
    for form in _FORMATS.values():
        if form.recognise is not None and form.recognise(head):
            return form
    return None


def for_ending(ending: str) -> Format | None:
    """The format in which a file whose name ends so is written."""
    _load_installed()
    return next((form for form in _FORMATS.values() if form.write and ending in form.endings), None)


@lru_cache(maxsize=1)
def _load_installed() -> None:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        point.load()
