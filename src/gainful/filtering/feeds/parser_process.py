"""The process in which strangers' bytes are parsed: with bounds on memory and time, and without the right to write files.

Run as a program by `parser_pool`: jobs come in by standard input, answers go out by standard output, each a number of bytes
(four bytes, the most significant first) and a message (MessagePack).
"""

from __future__ import annotations

import resource
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from gainful.errors import GainfulError
from gainful.filtering.feeds.feed_content import ParsedFeed, parsed_feed
from gainful.filtering.feeds.page_feeds import FeedLink, feed_links

MEMORY = 512 << 20
"""Bytes of address space of the process."""

SECONDS = 10
"""Of the processor's time, for one job."""

_WORN = 200 << 20  # bytes of memory after which a process has done enough


@dataclass(frozen=True)
class Job:
    """What is to be parsed.

    kind     "feed" or "page"
    address  where it was fetched
    charset  the encoding that the server says it has
    body     the bytes
    """

    kind: Literal["feed", "page"]
    address: str
    charset: str
    body: bytes


@dataclass(frozen=True)
class Parsed:
    """What came of it: one of a feed, the feeds of a page, or a fault in words."""

    feed: ParsedFeed | None = None
    links: tuple[FeedLink, ...] = ()
    fault: str = ""


def answer(job: Job) -> Parsed:
    """Parse what a job holds."""
    try:
        if job.kind == "page":
            return Parsed(links=feed_links(job.body, job.address, job.charset))
        return Parsed(parsed_feed(job.body, job.address, job.charset))
    except GainfulError as fault:
        return Parsed(fault=str(fault))
    except MemoryError:
        return Parsed(fault="it needs too much memory to be read")
    except Exception as fault:  # whatever a hostile feed makes a parser stumble over
        return Parsed(fault=f"it cannot be read ({type(fault).__name__})")


def bound_process() -> None:
    """Bound what this process may take, for good."""
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # a system that does not know this bound
            resource.setrlimit(what, (most, most))


def main(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Answer jobs until there are no more, or the process has grown."""
    bound_process()
    while len(size := jobs.read(4)) == 4:
        used = resource.getrusage(resource.RUSAGE_SELF)
        spent = round(used.ru_utime + used.ru_stime) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (spent + SECONDS, resource.RLIM_INFINITY))
        job = msgspec.msgpack.decode(jobs.read(int.from_bytes(size, "big")), type=Job)
        encoded = msgspec.msgpack.encode(answer(job))
        answers.write(len(encoded).to_bytes(4, "big") + encoded)
        answers.flush()
        if _resident() > _WORN:
            return


def _resident() -> int:
    """Bytes of memory that the process has now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
