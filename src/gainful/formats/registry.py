r"""Formats of files: each says how it is recognised, how it is read and, where it can be, how it is written.

Those of the package are the files `*_format.py` beside this one; each calls `register`, and nothing lists them by hand.
A format of one's own is one file outside the package:

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
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from gainful.errors import UsageError
from gainful.formats.types import TREC, Kind

if TYPE_CHECKING:
    from gainful._core import Rows
    from gainful.formats.layouts import Layout
    from gainful.formats.run_queue import How, Pending
    from gainful.formats.runs import Run
    from gainful.formats.sources import Source

GROUP = "gainful.formats"
_ENDING = "_format"

Triples: TypeAlias = "Iterable[tuple[Any, Any, Any]]"
Reader: TypeAlias = "Callable[[Source, Kind], Rows | Mapping[Any, Any] | Triples]"
Writer: TypeAlias = "Callable[[Rows, Kind, str], bytes]"


class LayoutOf(Protocol):
    """The layout of lines that begin with `head`; `named` if the caller named the format."""

    def __call__(self, head: bytes, kind: Kind, *, named: bool) -> Layout:
        """The layout."""


@dataclass(frozen=True)
class Format:
    """A format of files.

    read           the rows of an open file: (topic, document, value) each, or {topic: {document: value}}
    recognise      whether content that begins with these bytes (decompressed, at least its first line) is in the format
    write          the content of a file that holds the rows; None where the format is only read
    endings        of names of files that are written in the format
    recognised_as  only a run, or only judgments, are recognised as it; None for both
    layout         for lines that the core reads, in place of `read`: where topic, document and value stand
    quoted         the rows of such lines where fields are quoted, which the core does not read
    named          all named values of an open file (records, a nested mapping or an Arrow table), and what a place in it
                   is called; for judgments by subtopics, by judges or as preferences
    begin          starts to judge a run in an open file, where there is a quicker way than to read its rows first
    joins          whether several files can be read as one
    """

    name: str
    read: Reader | None = None
    recognise: Callable[[bytes], bool] | None = None
    write: Writer | None = None
    endings: tuple[str, ...] = ()
    recognised_as: Kind | None = None
    layout: LayoutOf | None = None
    quoted: Callable[[Source, Layout], Triples] | None = None
    named: Callable[[Source], tuple[Any, str]] | None = None
    begin: Callable[[Run, How, Source], Pending] | None = None
    joins: bool = True

    def recognises(self, head: bytes, kind: Kind) -> bool:
        """Whether a run, or judgments, that begin with these bytes are in the format."""
        return self.recognise is not None and self.recognised_as in (None, kind) and self.recognise(head)


_BUILT_IN: dict[str, Format] = {}
OWN: dict[str, Format] = {}


def register(form: Format) -> Format:
    """Register a format of the package."""
    _BUILT_IN[form.name] = form
    return form


def file_format(
    name: str,
    *,
    recognise: Callable[[bytes], bool] | None = None,
    write: Writer | None = None,
    endings: tuple[str, ...] = (),
) -> Callable[[Reader], Format]:
    """A decorator: the function reads files of the format, which is known by its name from now on."""
    if name in built_in() or not name.isidentifier():
        raise UsageError(f"'{name}' cannot be the name of a format; it is taken, or not one word.")

    def add(read: Reader) -> Format:
        OWN[name] = Format(name, read, recognise, write, endings)
        return OWN[name]

    return add


def find(name: str) -> Format | None:
    """The format of that name, if there is one."""
    if name == TREC:
        return _trec()
    if name not in OWN and name not in built_in():
        _load_installed()
    return OWN.get(name) or built_in().get(name)


def named(name: str) -> Format:
    """The format of that name, which can be read."""
    form = find(name)
    if form is None or not _is_read(form):
        raise UsageError(f"a layout is one of {', '.join(read_names())}; got {name!r}.")
    return form


def recognised(head: bytes, kind: Kind) -> Format | None:
    """The format of a run, or of judgments, that begin with these bytes: a built-in one, or of an installed package."""
    form = next((form for form in built_in().values() if form.recognises(head, kind)), None)
    if form is None:
        _load_installed()
        form = next((form for form in OWN.values() if form.recognises(head, kind)), None)
    return form


def for_ending(ending: str) -> Format | None:
    """The format in which a file whose name ends so is written."""
    if ending in _trec().endings:
        return _trec()
    _load_installed()
    return next((f for f in (*built_in().values(), *OWN.values()) if f.write and ending in f.endings), None)


def read_names() -> list[str]:
    """Names of the formats that come with the package and can be read.

    >>> read_names()[0], "parquet" in read_names()
    ('trec', True)
    """
    return [form.name for form in built_in().values() if _is_read(form)]


def written_names() -> list[str]:
    """Names of the formats that come with the package and can be written."""
    return [form.name for form in built_in().values() if form.write]


def _is_read(form: Format) -> bool:
    return form.read is not None or form.layout is not None


def _trec() -> Format:
    if TREC not in _BUILT_IN:
        import_module(f"{__package__}.{TREC}{_ENDING}")
    return _BUILT_IN[TREC]


@lru_cache(maxsize=1)
def built_in() -> Mapping[str, Format]:
    """The formats of the package by name, TREC first; imports their files.

    A file is recognised by the first of them that knows it. TREC's, which may have been imported before the others, comes last
    but for its name, so that the order does not depend on what was imported when.
    """
    import pkgutil

    import gainful.formats

    early = dict(_BUILT_IN)
    for info in pkgutil.iter_modules(gainful.formats.__path__):
        if info.name.endswith(_ENDING):
            import_module(f"{__package__}.{info.name}")
    others = {name: form for name, form in _BUILT_IN.items() if name not in early}
    return {TREC: _trec(), **others, **early}


@lru_cache(maxsize=1)
def _load_installed() -> None:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        point.load()
