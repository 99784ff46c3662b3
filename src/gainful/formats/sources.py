"""Where bytes come from: a file, a pipe, standard input, an open file object; any of them plain or compressed.

Bytes of a pipe, of standard input and of an open file object can be read once. Where they are needed again, `kept` copies
them to an unnamed temporary file first.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

from gainful._core import Fault
from gainful.errors import DataError
from gainful.formats.decompressors import CHUNK, MAGIC, MAGIC_BYTES, unpacking_of
from gainful.formats.ids import shown
from gainful.formats.streams import Content, Readable, Stream
from gainful.formats.types import MARK
from gainful.system_calls import READING, read_at

if TYPE_CHECKING:
    from types import TracebackType

LONGEST_LINE = 64 << 20
NAMELESS = "file object"
"""What an open file object is called that has no name."""

_STDIN = 0
SNIFFED = 1 << 14
"""Bytes of the content that are looked at."""

_LONGEST_SNIFFED = 1 << 20
_COMPRESSED = {".gz", ".bz2", ".xz", ".zst", ".lz4"}
_FORMATS = {".run", ".trec", ".res", ".results", ".csv", ".tsv", ".json", ".jsonl", ".parquet"}


class Kept(str):
    """The name of an input whose bytes lie in an unnamed temporary file, and can be read as often as needed."""

    __slots__ = ("descriptor",)
    descriptor: int

    def __del__(self) -> None:
        with suppress(AttributeError):  # its bytes could not be read
            os.close(self.descriptor)


class Paths(str):
    """Several paths that stand for one thing; as text, what they have in common."""

    __slots__ = ("parts",)
    parts: tuple[str, ...]

    @classmethod
    def of(cls, parts: Sequence[str | bytes | os.PathLike[Any]]) -> Paths:
        """Of a list of paths."""
        names = tuple(os.fsdecode(part) for part in parts)
        alike = len({name.startswith(os.sep) for name in names}) == 1
        folder = os.path.commonpath(names) if len(names) > 1 and alike else names[0]
        paths = cls(folder if folder not in ("", os.sep) else names[0])
        paths.parts = names
        return paths


def is_path(given: object) -> TypeGuard[str | bytes | os.PathLike[str]]:
    """Whether this names a file."""
    return isinstance(given, str | bytes | os.PathLike)


def path_of(given: Any) -> str | None:
    """The path that an input names: a list of paths as one, an open file object as a copy of its bytes; None for others.

    >>> path_of(["runs/bm25/part-0", "runs/bm25/part-1"]), path_of({"q1": {"d1": 1}})
    ('runs/bm25', None)
    """
    if isinstance(given, str | bytes | os.PathLike):
        return os.fsdecode(given)
    if isinstance(given, list | tuple) and given and all(map(is_path, given)):
        return Paths.of(given)
    return kept_file(given) if callable(getattr(given, "read", None)) else None


def opened(path: str) -> Source:
    """The file of that path, or all that it stands for: the files of a directory, of a glob, or of several paths."""
    if not os.path.isfile(path) or isinstance(path, Paths):  # noqa: PTH113 (what is no path at all is refused later)
        from gainful.formats.multi_file import Parts, parts_of

        if (parts := parts_of(path)) is not None:
            return Parts(path, parts)
    return Source(path)


def file_type(path: str) -> int | None:
    """The type of what is there, such as `stat.S_IFREG`; None where nothing is, or this user may not look."""
    try:
        return stat.S_IFMT(os.stat(path).st_mode)  # noqa: PTH116 (pathlib takes 2 ms to import)
    except (OSError, ValueError):  # the latter: no path at all, such as one with a zero byte
        return None


def flows(path: str) -> bool:
    """Whether the bytes can be read once only: those of standard input, a pipe or a device."""
    if isinstance(path, Kept):
        return False
    return path == "-" or file_type(path) not in (None, stat.S_IFREG, stat.S_IFDIR)


def kept(path: str) -> str:
    """The path, fit to be read more than once: what flows is copied to an unnamed temporary file first."""
    if not flows(path):
        return path
    descriptor = _descriptor(path)
    with os.fdopen(descriptor, "rb", closefd=descriptor != _STDIN) as file:
        return _spooled(file, path, _said(path))


def kept_file(file: Any) -> Kept:
    """What an open file object still has to give; text is written as UTF-8."""
    name = getattr(file, "name", None)
    name = name if isinstance(name, str) and name else NAMELESS
    return _spooled(file, name, shown(name))


def _spooled(file: Any, name: str, said: str) -> Kept:
    from tempfile import TemporaryFile, gettempdir

    spooled = Kept(name)
    try:
        with TemporaryFile() as copy:
            while block := file.read(1 << 20):
                raw = block.encode("utf-8", "surrogateescape") if isinstance(block, str) else block
                try:
                    copy.write(raw)
                    copy.flush()
                except OSError as fault:
                    raise DataError(
                        f"{said} is read twice, and its copy in {shown(gettempdir())} cannot be written: {fault.strerror}. "
                        "Give a file, or set TMPDIR to a folder with room."
                    ) from None
            spooled.descriptor = os.dup(copy.fileno())
    except (
        OSError,
        ValueError,
    ) as fault:  # the latter: a file object that is closed, or bytes that are not UTF-8
        raise DataError(f"{said} cannot be read: {getattr(fault, 'strerror', None) or fault}.") from None
    return spooled


class Source(AbstractContextManager["Source"]):
    """An input that the core can read: `handle` is a file descriptor or an object with `readinto` and `rewind`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.fd = _descriptor(path)
        self._owned = [] if self.fd == _STDIN else [self.fd]
        try:
            status = os.fstat(self.fd)
            if stat.S_ISDIR(status.st_mode):
                raise DataError(f"{self.name} is a directory; give a file in it.")
            regular = stat.S_ISREG(status.st_mode) and (
                isinstance(path, Kept) or os.lseek(self.fd, 0, os.SEEK_CUR) == 0  # nobody has read of it
            )
            self.size = status.st_size if regular else None
            head = read_at(self.fd, MAGIC_BYTES, 0) if regular else _first_bytes(self.fd)
            unpack = unpacking_of(head) if head.startswith(MAGIC) else None
            if regular and unpack is None:
                self.handle: int | Readable = self.fd
            else:
                # of a temporary file that others have open too, each reads from a place of its own
                file: Any = (
                    Content(self.fd) if regular else os.fdopen(self.fd, "rb", buffering=0, closefd=False)
                )
                self.handle = Stream(file, b"" if regular else head, unpack, self.name, can_rewind=regular)
        except OSError as fault:
            self.close()
            raise unreadable(self.name, fault) from None
        except BaseException:
            self.close()
            raise

    @cached_property
    def name(self) -> str:
        """What messages call it."""
        return _said(self.path)

    def head(self, size: int = SNIFFED, *, line: bool = False) -> bytes:
        """The first bytes of the content; they are not consumed.

        line  more of them where the first line is longer, unless it is very long
        """
        handle = self.handle
        try:
            head = read_at(handle, size, 0) if isinstance(handle, int) else handle.peek(size)
        except OSError as fault:
            raise unreadable(self.name, fault) from None
        longer = line and len(head) == size < _LONGEST_SNIFFED and b"\n" not in head
        return self.head(4 * size, line=True) if longer else head

    def hold(self) -> None:
        """What follows is held in memory: compressed bytes may not unpack to very much more than they are."""
        if not isinstance(self.handle, int):
            self.handle.held = True

    def rewind(self) -> bool:
        """Start again from the first byte, where that can be done; a file always does."""
        return isinstance(self.handle, int) or self.handle.rewind()

    @property
    def can_rewind(self) -> bool:
        """Whether the content can be read again from its first byte."""
        return isinstance(self.handle, int) or self.handle.can_rewind

    def raw(self) -> io.BufferedReader:
        """The content as a file."""
        return io.BufferedReader(Content(self.handle), CHUNK)

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes]:
        """The content, line by line, without a mark of byte order; a line that is too long is refused."""
        file, number = self.raw(), 0
        while line := file.readline(longest + 1):
            number += 1
            if len(line) > longest:
                raise DataError(f"{self.at(number)}: longer than {longest >> 20} MiB.")
            yield line.removeprefix(MARK) if number == 1 else line

    @property
    def on_disk(self) -> bool:
        """Whether others can open it by its path and find the content itself."""
        return isinstance(self.handle, int) and self.path != "-" and not isinstance(self.path, Kept)

    def place(self, fault: Fault, unit: str) -> tuple[Fault, str]:  # noqa: ARG002 (several files use it)
        """A fault, and the name of the file that its line is counted in."""
        return fault, self.name

    def at(self, number: int, unit: str = "line") -> str:
        """The name of the file and the place in it, as messages have them."""
        fault, name = self.place(Fault("", number, 0, b"", 1), unit)
        return f"{name}, {unit} {fault.args[1]}"

    def read_all(self, limit: int) -> bytes:
        """The whole content; refused when there is more of it than the limit."""
        self.hold()
        file, content = self.raw(), bytearray()
        try:
            while block := file.read(1 << 20):  # one read of everything would ask for all the memory at once
                content += block
                if len(content) > limit:
                    raise DataError(
                        f"{self.name} holds more than {limit >> 30} GiB; give it as TREC text or JSON lines."
                    )
        except OSError as fault:
            raise unreadable(self.name, fault) from None
        return bytes(content)

    def bytes_taken(self, bytes_read: int) -> int:
        """How much of the file itself has been read, when the core has taken so many bytes of its content."""
        return bytes_read if isinstance(self.handle, int) else self.handle.taken

    def close(self) -> None:
        """Give the file back, once, whichever thread asks first; standard input stays open."""
        try:
            os.close(self._owned.pop())
        except IndexError:
            return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def unreadable(name: str, fault: OSError) -> DataError:
    """What to raise where the system does not give the content of a file."""
    return DataError(f"{name} cannot be read: {fault.strerror or fault}.")


def _said(path: str) -> str:
    return "standard input" if path == "-" else shown(path)


def _descriptor(path: str) -> int:
    if isinstance(path, Kept):
        return os.dup(path.descriptor)
    if path == "-":
        return _STDIN
    try:
        return os.open(path, READING)
    except FileNotFoundError:
        raise DataError(f"{_said(path)}: there is no such file.") from None
    except PermissionError:
        raise DataError(f"{_said(path)} is not readable by this user; change its permissions.") from None
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else fault
        raise DataError(f"{_said(path)} cannot be opened: {reason}.") from None


def _first_bytes(fd: int) -> bytes:
    head = b""
    while len(head) < MAGIC_BYTES and (more := os.read(fd, CHUNK)):
        head += more
    return head


def name_of(path: str) -> str:
    """The name of a run from its file: without .gz and the like, and without the ending of a format of runs.

    >>> name_of("runs/bm25.run.gz"), name_of("runs/bm25.v2.txt"), name_of("-")
    ('bm25', 'bm25.v2.txt', 'stdin')
    """
    if path == "-":
        return "stdin"
    parts = path.split(os.sep)  # noqa: PTH206 (pathlib takes 2 ms to import)
    name = next((part for part in reversed(parts) if part not in ("", ".")), "")
    for endings in (_COMPRESSED, _FORMATS):
        stem, ending = os.path.splitext(name)  # noqa: PTH122 (pathlib takes 2 ms to import)
        name = stem if ending.lower() in endings else name
    return name


def person_of(path: str) -> str:
    """The name of a judge or a user from the name of their file, without .txt and .qrels.

    >>> person_of("judges/ann.qrels.txt.gz")
    'ann'
    """
    return name_of(path).removesuffix(".txt").removesuffix(".qrels")
