"""A fetching process is killed at any moment: its feeds are fetched by the next one, and every item is stored once."""

import random
import signal
import subprocess
import sys
import time

from .servers import rss

PROGRAM = """
import asyncio, random, sys
from datetime import datetime
from gainful.filtering.feeds.fetch_round import fetch_all
from gainful.filtering.feeds.guarded_network import NetworkRules

async def to_loopback(host, port):
    return ["127.0.0.1"]

now = datetime.fromisoformat(sys.argv[2])
print("begun", flush=True)
fetch_all(sys.argv[1], clock=lambda: now, rules=NetworkRules(allow_private=True, resolve=to_loopback))
print("ended", flush=True)
"""
FEEDS, KILLS = 40, 3


def fetching(address, clock):
    """A process that fetches what is due; it has begun when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(address), clock.now.isoformat()],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "begun\n"
    return process


def test_a_killed_process_loses_no_feed_and_stores_no_item_twice(server, feeds, address, clock):
    chance, held = random.Random(4), 0
    server.answers["/feed"] = lambda request: (200, {}, rss(f"{request.host}-1", f"{request.host}-2"))
    feeds.subscribe_all(1, [(server.url("/feed", f"h{number}.example"), "", "") for number in range(FEEDS)])
    given = []
    for _ in range(KILLS):
        process = fetching(address, clock)
        asked = len(server.requests)
        while process.poll() is None and len(server.requests) < asked + chance.randrange(1, 15):
            time.sleep(0.002)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.stdout.close()
        process.wait()
        held += feeds.store.one("SELECT count(*) FROM feeds WHERE lease <> ''")
        given += [item.title for item in feeds.unseen(1)][:10]
        feeds.seen(1, [item.number for item in feeds.unseen(1)][:10])
        clock.pass_by(minutes=11)  # its leases have ended
    assert held > 0  # it was killed in the middle
    process = fetching(address, clock)
    assert process.communicate()[0] == "ended\n"
    given += [item.title for item in feeds.unseen(1)]
    assert sorted(given) == sorted(
        f"Title of h{number}.example-{each}" for number in range(FEEDS) for each in (1, 2)
    )
    assert all(feed.fetched is not None and feed.failures == 0 for feed in feeds.feeds(1))
    clock.pass_by(days=1)
    assert len(feeds.due("another")) == FEEDS  # nobody holds any
