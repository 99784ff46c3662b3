"""Processes that parse: a few, started when they are needed, used again, and replaced when one takes too long or dies."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import Process
from contextlib import suppress

import msgspec

from gainful.errors import DataError
from gainful.filtering.feeds.feed_content import ParsedFeed
from gainful.filtering.feeds.page_feeds import FeedLink
from gainful.filtering.feeds.parser_process import Job, Parsed

_LARGEST = 64 << 20  # bytes of an answer
_SECONDS = 20.0
_PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TMPDIR")


class ParserPool:
    """Parses in processes of its own, at most so many at a time.

    processes  how many
    seconds    after which one that has not answered is killed
    """

    def __init__(self, processes: int = 2, *, seconds: float = _SECONDS) -> None:
        self._free: list[Process] = []
        self._places = asyncio.Semaphore(processes)
        self._seconds = seconds
        self.started = 0

    async def __aenter__(self) -> ParserPool:
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self._free:
            await _end(process)
        self._free.clear()

    async def feed(self, body: bytes, address: str, charset: str = "") -> ParsedFeed:
        """The feed that bytes contain; `DataError` says why they are none."""
        parsed = await self._asked(Job("feed", address, charset, body))
        if parsed.feed is None:
            raise DataError(parsed.fault)
        return parsed.feed

    async def links(self, body: bytes, address: str, charset: str = "") -> tuple[FeedLink, ...]:
        """The feeds that a page names."""
        parsed = await self._asked(Job("page", address, charset, body))
        if parsed.fault:
            raise DataError(parsed.fault)
        return parsed.links

    async def _asked(self, job: Job) -> Parsed:
        async with self._places:
            process = await self._process()
            try:
                async with asyncio.timeout(self._seconds):
                    parsed = await _exchange(process, job)
            except TimeoutError:
                await _end(process)
                raise DataError(f"it takes more than {self._seconds:g} s to be read") from None
            except (EOFError, OSError, msgspec.MsgspecError):
                await _end(process)
                raise DataError("it cannot be read: the parser gave up on it") from None
            except BaseException:
                await _end(process)
                raise
            self._free.append(process)
            return parsed

    async def _process(self) -> Process:
        """A process that is alive: one that has worked before, or a new one."""
        while self._free:
            process = self._free.pop()
            if process.returncode is None and not (process.stdout and process.stdout.at_eof()):
                return process
            await _end(process)
        self.started += 1
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "gainful.filtering.feeds.parser_process"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            start_new_session=True,  # an interrupt of the program is the program's to deal with
        )


async def _exchange(process: Process, job: Job) -> Parsed:
    assert process.stdin is not None
    assert process.stdout is not None
    encoded = msgspec.msgpack.encode(job)
    process.stdin.write(len(encoded).to_bytes(4, "big") + encoded)
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(4), "big")
    if size > _LARGEST:
        raise EOFError
    return msgspec.msgpack.decode(await process.stdout.readexactly(size), type=Parsed)


async def _end(process: Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
