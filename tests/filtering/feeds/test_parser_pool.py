"""Parsing in processes of its own: used again, bounded, and replaced when a hostile feed has got the better of one."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from gainful.errors import DataError
from gainful.filtering.feeds import parser_process
from gainful.filtering.feeds.feed_records import MOST_ITEMS
from gainful.filtering.feeds.parser_pool import ParserPool
from gainful.filtering.feeds.parser_process import Job, answer

from .servers import rss
from .test_feed_items import BOMBS, item

HERE = "https://a.example/feed"
FEED = rss("one").encode()


def in_pool(work, **given):
    async def worked():
        async with ParserPool(**given) as pool:
            return await work(pool)

    return asyncio.run(worked())


def test_a_process_is_used_again():
    async def work(pool):
        feeds = [await pool.feed(FEED, HERE) for _ in range(3)]
        links = await pool.links(b'<link rel=alternate type="application/rss+xml" href=/f>', HERE)
        return feeds, links, pool.started

    feeds, links, started = in_pool(work)
    assert [feed.items[0].title for feed in feeds] == ["Title of one"] * 3
    assert [link.address for link in links] == ["https://a.example/f"]
    assert started == 1


def test_as_many_processes_work_at_once_as_are_allowed():
    async def work(pool):
        await asyncio.gather(*(pool.feed(FEED, HERE) for _ in range(6)))
        return pool.started

    assert in_pool(work, processes=2) <= 2


def test_one_that_takes_too_long_is_killed_and_replaced():
    async def work(pool):
        await pool.feed(FEED, HERE)
        process = pool._free[0]
        os.kill(process.pid, signal.SIGSTOP)  # it answers no more
        pool._seconds = 0.2
        with pytest.raises(DataError, match=r"more than 0\.2 s"):
            await pool.feed(FEED, HERE)
        pool._seconds = 30
        feed = await pool.feed(FEED, HERE)
        return process.returncode, feed.title, pool.started

    assert in_pool(work, processes=1) == (-signal.SIGKILL, "News", 2)


def test_one_that_dies_is_replaced():
    async def work(pool):
        await pool.feed(FEED, HERE)
        process = pool._free[0]
        os.kill(process.pid, signal.SIGSTOP)
        asking = asyncio.create_task(pool.feed(FEED, HERE))
        await asyncio.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(DataError, match="gave up on it"):
            await asking
        return (await pool.feed(FEED, HERE)).title

    assert in_pool(work, processes=1) == "News"


def test_one_that_has_died_between_two_feeds_is_noticed():
    async def work(pool):
        await pool.feed(FEED, HERE)
        os.kill(pool._free[0].pid, signal.SIGKILL)
        await pool._free[0].wait()
        return (await pool.feed(FEED, HERE)).title

    assert in_pool(work, processes=1) == "News"


def test_processes_end_with_the_pool():
    processes = []

    async def work(pool):
        await pool.feed(FEED, HERE)
        processes.extend(pool._free)

    in_pool(work)
    assert all(process.returncode is not None for process in processes)


def bounded(code):
    """What a bounded process does with a piece of code."""
    bound = "from gainful.filtering.feeds.parser_process import bound_process; bound_process(); "
    return subprocess.run(
        [sys.executable, "-c", bound + code], capture_output=True, text=True, timeout=60, check=False
    )


def test_memory_is_bounded():
    done = bounded("bytearray(600 << 20)")
    assert "MemoryError" in done.stderr


def test_files_cannot_be_written(tmp_path):
    done = bounded(f"open({str(tmp_path / 'x')!r}, 'wb', buffering=0).write(b'x')")
    assert "File too large" in done.stderr
    assert (tmp_path / "x").stat().st_size == 0


def test_a_job_has_so_much_time_of_the_processor(monkeypatch):
    code = (
        "import gainful.filtering.feeds.parser_process as p, io, msgspec; p.SECONDS = 0; "
        "p.answer = lambda job: [None for _ in iter(int, 1)]; "
        "job = msgspec.msgpack.encode(p.Job('feed', '', '', b'')); "
        "p.main(io.BytesIO(len(job).to_bytes(4, 'big') + job), io.BytesIO())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGXCPU


def test_a_process_that_has_grown_ends_after_its_job(monkeypatch):
    monkeypatch.setattr(parser_process, "_WORN", 0)
    monkeypatch.setattr(parser_process.resource, "setrlimit", lambda *_: None)
    import io

    import msgspec

    job = msgspec.msgpack.encode(Job("feed", HERE, "", FEED))
    answers = io.BytesIO()
    parser_process.main(io.BytesIO(2 * (len(job).to_bytes(4, "big") + job)), answers)
    size = int.from_bytes(answers.getvalue()[:4], "big")
    assert len(answers.getvalue()) == 4 + size


DEEP = 20_000
HOSTILE = {
    **{f"feed: {name}": bomb if isinstance(bomb, bytes) else bomb.encode() for name, bomb in BOMBS.items()},
    "deep markup": item("&lt;div&gt;" * DEEP).encode(),
    "deep lists": item("&lt;ul&gt;&lt;li&gt;" * DEEP).encode(),
    "many tables": item("&lt;table&gt;" * DEEP).encode(),
    "many attributes": item("&lt;a " + " ".join(f"x{n}=y" for n in range(DEEP)) + "&gt;").encode(),
    "a title of 3 MB": item(rest=f"<title>{'x' * 3_000_000}</title>").encode(),
    "a text of 3 MB": item("y " * 1_500_000).encode(),
    "a link of 1 MB": item(rest=f"<link>https://a.example/{'x' * 1_000_000}</link>").encode(),
    "invalid UTF-8": b'<?xml version="1.0" encoding="utf-8"?>' + item().encode() + b"\xff\xfe\x80",
    "no text at all": bytes(range(256)) * 1000,
    "deep JSON": b'{"version": "https://jsonfeed.org/version/1", "items": '
    + b"[" * DEEP
    + b"]" * DEEP
    + b"}",
    "wrong JSON": json.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": ["x"],
            "items": [[], 1, None, {"id": {}}, {"url": 5}],
        }
    ).encode(),
    "a number of 1 MB": b'{"version": "https://jsonfeed.org/version/1", "items": [{"id": '
    + b"9" * 1_000_000
    + b"}]}",
    "many items": rss(*(f"n{n}" for n in range(1_000))).encode(),
    "many JSON items": json.dumps(
        {"version": "https://jsonfeed.org/version/1", "items": [{"content_html": "<p>x"}] * 20_000}
    ).encode(),
}


def processor_seconds(pool):
    """What the processes that wait for work have used, by the system's account."""
    stats = [Path(f"/proc/{process.pid}/stat").read_text() for process in pool._free]
    ticks = [sum(map(int, stat.rpartition(")")[2].split()[11:13])) for stat in stats]
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def test_hostile_feeds_are_refused_or_read_in_bounds_and_stop_no_other():
    async def work(pool):
        feed = await pool.feed(FEED, HERE)
        for name, body in HOSTILE.items():
            before = processor_seconds(pool)
            with suppress(DataError):
                feed = await pool.feed(body, HERE)
            assert processor_seconds(pool) - before < 10, name
            assert len(feed.items) <= MOST_ITEMS, name
            assert all(len(entry.title) <= 500 for entry in feed.items), name
            assert all(len(entry.text) <= 200_000 and len(entry.html) <= 2_000_000 for entry in feed.items), (
                name
            )
        return (await pool.feed(FEED, HERE)).title, pool.started

    assert in_pool(work, processes=1, seconds=10) == ("News", 1)


def test_a_fault_in_a_parser_is_said_and_ends_nothing(monkeypatch):
    def broken(*_):
        raise RuntimeError("inside")

    monkeypatch.setattr(parser_process, "parsed_feed", broken)
    assert answer(Job("feed", HERE, "", FEED)).fault == "it cannot be read (RuntimeError)"

    def exhausted(*_):
        raise MemoryError

    monkeypatch.setattr(parser_process, "parsed_feed", exhausted)
    assert "too much memory" in answer(Job("feed", HERE, "", FEED)).fault
