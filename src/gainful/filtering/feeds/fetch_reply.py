"""What a server answers, how much of it is taken, and what can be wrong with it."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import dataclass

from gainful.errors import DataError
from gainful.filtering.safe_text import line


@dataclass(frozen=True)
class Limits:
    """How much of anything an answer may take.

    size     bytes of an answer, compressed and decompressed
    total    seconds for all of it, redirects included
    connect  seconds until a connection stands
    quiet    seconds without a byte
    turn     seconds to wait until no other request to the host is under way
    """

    size: int = 10 << 20
    total: float = 60.0
    connect: float = 10.0
    quiet: float = 20.0
    turn: float = 60.0


@dataclass(frozen=True)
class Reply:
    """What a server answered.

    changed   False where it has nothing new (status 304)
    body      decompressed
    kind      the type of the content, as `text/html`
    charset   the encoding that the server says it has; may be empty
    address   where it was found in the end, without name and password
    moved     where it is found from now on, as permanent redirects say; empty where it stays
    etag, modified
              for the next conditional request
    wait      microseconds for which the server says that it does not change
    """

    changed: bool
    body: bytes
    kind: str
    charset: str
    address: str
    moved: str
    etag: str
    modified: str
    wait: int


class FetchFault(DataError):
    """A request that brought nothing.

    gone    the server says that it is gone for good
    wait    microseconds for which the server asks to be left alone
    silent  whether the server did not answer at all
    busy    whether another request to the host was under way for too long
    """

    def __init__(
        self, said: str, *, gone: bool = False, wait: int = 0, silent: bool = False, busy: bool = False
    ) -> None:
        super().__init__(said)
        self.gone, self.wait, self.silent, self.busy = gone, wait, silent, busy


class Room:
    """A place among the large answers, once it is needed."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places, self._inside = places, False

    async def enter(self) -> None:
        """Wait for a place, unless there is one already."""
        if not self._inside:
            await self._places.acquire()
            self._inside = True

    def leave(self) -> None:
        """Give the place back, if there is one."""
        if self._inside:
            self._places.release()


class Decoder:
    """Bytes of an answer, decompressed up to a bound."""

    def __init__(self, encoding: str, most: int) -> None:
        self._most, self._taken = most, 0
        self.content = bytearray()
        match encoding.strip().lower():
            case "" | "identity":
                self._inflate = None
            case "gzip" | "x-gzip":
                self._inflate = zlib.decompressobj(wbits=31)
            case other:
                raise FetchFault(
                    f"the answer is compressed in a way that was not asked for, '{line(other, 40)}'"
                )

    def add(self, chunk: bytes) -> None:
        """Take the next bytes; raises as soon as there are too many, compressed or not."""
        self._taken += len(chunk)
        if self._inflate is None:
            self.content += chunk
        else:
            try:
                self.content += self._inflate.decompress(chunk, self._most + 1 - len(self.content))
            except zlib.error:
                raise FetchFault("the answer is not compressed as it says") from None
        if max(self._taken, len(self.content)) > self._most:
            raise too_large(self._most)

    def whole(self) -> bytes:
        """All of it."""
        if self._inflate is not None and self._taken and not self._inflate.eof:
            raise FetchFault("the answer ended too soon")
        return bytes(self.content)


def too_large(most: int) -> FetchFault:
    """What is raised where an answer has more bytes than it may have."""
    return FetchFault(f"the answer has more than {most / 2**20:g} MiB")
