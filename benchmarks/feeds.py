"""How long does a round of fetching a thousand feeds take, on one core, where nine of ten have nothing new?

The feeds lie on a server on loopback, in a process of its own, under 250 names of hosts. The first round brings every feed
with 20 items; the second finds 5 new items in every tenth feed, and is told by the others that nothing has changed.
"""

import asyncio
import contextlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from support.measuring import hold, inside, state

FEEDS, HOSTS, ITEMS, NEW, LENGTH = 1_000, 250, 20, 5, 150
ANSWER = b'HTTP/1.1 %d OK\r\nContent-Length: %d\r\nETag: "%d"\r\nConnection: close\r\n\r\n'


def answer() -> None:
    found = inside("feeds", "rounds")
    for name, told in found.items():
        what = f"{told['due']:,} feeds, {told['unchanged']:,} unchanged, {told['new']:,} new items"
        state(f"{name}: {what}", told["seconds"], told["megabytes"])
        print(f"  {'':<44}{told['processor']:>8.1f} s of the processor", flush=True)
    hold("a round where nine of ten are unchanged", found["second"]["seconds"], most=60, unit="s")
    hold("its memory, with the processes that parse", found["second"]["megabytes"], most=300, unit="MB")


def rounds() -> dict[str, dict[str, float]]:
    """Two rounds on one core."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    server = subprocess.Popen(
        [sys.executable, __file__, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    global SERVER  # noqa: PLW0603 (whose memory does not count)
    SERVER = server.pid
    os.sched_setaffinity(server.pid, set(range(os.cpu_count() or 1)))
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _rounds(Path(folder) / "state", int(server.stdout.readline()))
    finally:
        server.terminate()
        server.wait()


def _rounds(path: Path, port: int) -> dict[str, dict[str, float]]:
    from gainful.filtering import Filter
    from gainful.filtering.feeds.feed_store import FeedStore
    from gainful.filtering.feeds.fetch_round import fetch_all
    from gainful.filtering.feeds.guarded_network import NetworkRules
    from gainful.filtering.state.store_address import open_store

    async def loopback(_: str, __: int) -> list[str]:
        return ["127.0.0.1"]

    Filter.create(path).close()
    store = open_store(path)
    addresses = [f"http://h{number % HOSTS}.example:{port}/{number}" for number in range(FEEDS)]
    FeedStore(store).subscribe_all(1, [(address, "", "") for address in addresses])
    store.close()
    now, told = datetime.now(UTC), {}
    for name in ("first", "second"):
        begun, used = time.perf_counter(), _used()
        with Memory() as memory:
            done = fetch_all(
                path,
                clock=lambda now=now: now,  # type: ignore[misc]
                rules=NetworkRules(allow_private=True, resolve=loopback),
                chance=random.Random(1),
            )
        assert not done.faults, done.faults
        told[name] = {
            "due": done.due,
            "unchanged": done.unchanged,
            "new": done.new,
            "seconds": time.perf_counter() - begun,
            "processor": _used() - used,
            "megabytes": memory.megabytes,
        }
        now += timedelta(days=1)
    return told


def _used() -> float:
    return sum(
        getattr(resource.getrusage(who), part)
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        for part in ("ru_utime", "ru_stime")
    )


class Memory:
    """The most memory that this process and its children have at one time, looked at ten times a second."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.wait(0.1):
            with contextlib.suppress(OSError, ValueError):  # a child has just ended
                processes = [os.getpid(), *self._children()]
                self.megabytes = max(self.megabytes, sum(map(self._resident, processes)))

    def _children(self) -> list[int]:
        lists = [path.read_text().split() for path in Path("/proc/self/task").glob("*/children")]
        return [int(number) for numbers in lists for number in numbers if int(number) != SERVER]

    def _resident(self, process: int) -> float:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20


# ---- the server


def serve() -> None:
    """Serve feeds until this process is ended: a first version of each, then a second of every tenth."""

    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        number = int(head.split()[1][1:])
        version = 2 if "if-none-match" in head.lower() else 1
        if version == 2 and number % 10:
            writer.write(ANSWER % (304, 0, 1))
        else:
            body = _feed(number, version)
            writer.write(ANSWER % (200, len(body), version) + body)
        await writer.drain()
        writer.close()

    async def forever() -> None:
        server = await asyncio.start_server(answered, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(forever())


def _feed(number: int, version: int) -> bytes:
    names = range(0, ITEMS) if version == 1 else range(NEW, ITEMS + NEW)
    items = []
    for name in names:
        chance = random.Random(f"{number} {name}")
        words = " ".join(f"w{chance.randrange(30_000):x}q" for _ in range(LENGTH))
        items.append(
            f"<item><guid>{number}-{name}</guid><title>Item {name} of {number}</title>"
            f"<link>https://h{number % HOSTS}.example/{number}/{name}</link>"
            f"<description>&lt;p&gt;{words}&lt;/p&gt;</description></item>"
        )
    return (
        f'<rss version="2.0"><channel><title>Feed {number}</title>{"".join(items)}</channel></rss>'.encode()
    )


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve()
    else:
        print(json.dumps(rounds()))
