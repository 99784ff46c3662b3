"""How quick is the service: a page of 50 items for 20 readers at once, and a click that moves a threshold?

A process of its own serves a state on loopback. Each of 20 readers has a log of 10,000 documents, some of them answered;
the readers ask for the page again and again, half a second apart (in all 40 pages a second), then without a pause.
One reader has 1,000 profiles. Clicks are timed from the request to the answer that names the moved threshold.
"""

import argparse
import asyncio
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from support.measuring import hold, state

if TYPE_CHECKING:
    from gainful.filtering.inbox.inbox import Inbox

READERS, DOCUMENTS, PROFILES, PAGES, CLICKS = 20, 10_000, 1_000, 20, 30
FIRST = 2  # of the readers who are measured
FEED = "https://news.example/feed.xml"
WORDS = [f"word{number}" for number in range(4000)]


def answer() -> None:
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "my.filter")
        subprocess.run([sys.executable, __file__, "stock", address], check=True)
        server = subprocess.Popen(
            [sys.executable, __file__, "serve", address], stdout=subprocess.PIPE, text=True
        )
        try:
            told = server.stdout.readline().split()
            base, secrets, many = told[0], told[1:-1], told[-1]
            measure(server.pid, base, secrets, many)
        finally:
            server.terminate()
            server.wait()


def measure(server: int, base: str, secrets: list[str], many: str) -> None:
    memory = {"at its start": megabytes(server)}
    for name, some in (("with one reader", secrets[:1]), ("with 20 readers", secrets)):
        asyncio.run(readers(base, some, pause=0, pages=0))
        memory[name] = megabytes(server)
    pages = asyncio.run(readers(base, secrets, pause=0.5))
    state("a page of 50 items, 20 readers, 40 pages a second: median", statistics.median(pages))
    hold("a page of 50 items, 20 readers: 95 of 100", percentile(pages, 95) * 1000, most=50, unit="ms")
    before = processor_seconds(server)
    hurried = asyncio.run(readers(base, secrets, pause=0))
    used = (processor_seconds(server) - before) / (len(hurried) + len(secrets))
    rate = len(hurried) / (sum(hurried) / READERS)
    state(f"the same without a pause ({rate:.0f} pages a second): 95 of 100", percentile(hurried, 95))
    state("the server's processor time for such a page", used)
    print("  the server's memory:", ", ".join(f"{size:.0f} MB {name}" for name, size in memory.items()))
    clicks = timed_clicks(base, secrets[0])
    hold(
        "a click to the moved threshold, 10,000 documents: 95 of 100",
        percentile(clicks, 95) * 1000,
        most=100,
        unit="ms",
    )
    wide = timed_clicks(base, many)
    hold(
        "the same for a reader of 1,000 profiles: 95 of 100", percentile(wide, 95) * 1000, most=100, unit="ms"
    )
    pages = asyncio.run(readers(base, [many], pause=0.1))
    hold(
        "the page of a reader of 1,000 profiles: 95 of 100", percentile(pages, 95) * 1000, most=50, unit="ms"
    )


def percentile(values: list[float], share: int) -> float:
    return statistics.quantiles(values, n=100)[share - 1]


def megabytes(process: int) -> float:
    """Memory that a process has now."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor_seconds(process: int) -> float:
    """What a process has used of the processor."""
    used = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


async def readers(base: str, secrets: list[str], pause: float, pages: int = PAGES) -> list[float]:
    """Seconds that each page took."""
    async with httpx.AsyncClient(base_url=base, timeout=60) as client:
        chance = random.Random(1)
        times: list[float] = []

        async def ask(secret: str) -> float:
            began = time.perf_counter()
            page = await client.get("/?show=all", headers={"Cookie": f"gainful_session={secret}"})
            assert page.text.count("<article") == 50, page.text[:500]
            return time.perf_counter() - began

        async def read(secret: str) -> None:
            await asyncio.sleep(pause * chance.random())
            for _ in range(pages):
                times.append(await ask(secret))
                await asyncio.sleep(pause * (0.5 + chance.random()))

        for secret in secrets:  # each reader's log is read once, before the clock runs
            await ask(secret)
        await asyncio.gather(*map(read, secrets))
    return times


def timed_clicks(base: str, secret: str) -> list[float]:
    """Seconds from a press to the answer, for presses that change something."""
    with httpx.Client(base_url=base, headers={"Cookie": f"gainful_session={secret}"}) as client:
        page = client.get("/?show=all").text
        token = re.search(r'name="token" value="(\w+)"', page)[1]
        pressable = [set(re.findall(rf'value="{deed} (\d+)"', page)) for deed in ("relevant", "not-relevant")]
        numbers = sorted(pressable[0] & pressable[1])  # without an answer yet
        times = []
        for place in range(min(CLICKS, len(numbers))):
            fields = {"token": token, "press": f"{('relevant', 'not-relevant')[place % 2]} {numbers[place]}"}
            began = time.perf_counter()
            answered = client.post("/entry", data=fields, headers={"Accept": "application/json"})
            times.append(time.perf_counter() - began)
            assert "threshold" in answered.json()["said"], answered.text
    return times


# ---- the process that serves


def serve(address: str) -> None:
    import uvicorn

    from gainful.filtering.service.app import create_app
    from gainful.filtering.service.service_parts import ServiceOptions

    app = create_app(address, options=ServiceOptions(fetch=False))
    sessions = app.state.service.sessions
    while len(app.state.service.accounts.all()) < READERS + FIRST:
        app.state.service.accounts.create(f"reader {len(app.state.service.accounts.all())}")
    secrets = [sessions.begin(reader) for reader in range(FIRST, FIRST + READERS + 1)]
    config = uvicorn.Config(app, port=0, log_level="warning", access_log=False, ws="none")
    server = uvicorn.Server(config)

    async def run() -> None:
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        print(f"http://127.0.0.1:{port}", *secrets, flush=True)
        await serving

    asyncio.run(run())


def stock(address: str) -> None:
    """Logs of 20 readers, the same but for their places, and of one more, who has 1,000 profiles; reader 1 has none."""
    from gainful.filtering.document import Topic
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.state.filter import Filter

    Filter.create(address).close()
    with Inbox(address, FIRST, create=True) as inbox:
        publish(inbox)
        inbox.filter.add_profile("mine", text="gainful theme0")
        take_in(inbox, DOCUMENTS)
    own = Path(f"{address}.readers")
    for reader in range(FIRST + 1, FIRST + READERS):
        shutil.copy(own / f"{FIRST}.filter", own / f"{reader}.filter")
        with Inbox(address, reader) as inbox:
            inbox.feeds.subscribe(reader, FEED)
            skip(inbox)
    with Inbox(address, FIRST + READERS, create=True) as inbox:
        wishes = [Topic(f"profile {n}", f"gainful theme{n % 40} word{n}") for n in range(PROFILES)]
        inbox.filter.add_profiles(wishes)
        publish(inbox)
        take_in(inbox, 2000)
        skip(inbox)


def publish(inbox: "Inbox") -> None:
    """A feed of 10,000 items, fetched in 20 parts, of which a reader is given all."""
    from gainful.filtering.feeds.feed_records import Fetched, ParsedItem

    feed = inbox.feeds.subscribe(inbox.reader, FEED)
    if not inbox.feeds.store.one("SELECT count(*) FROM items"):
        chance = random.Random(7)
        items = [
            ParsedItem(
                f"id{n}", title=title(n, chance), text=prose(n, chance), link=f"https://news.example/{n}"
            )
            for n in range(DOCUMENTS)
        ]
        for start in range(0, DOCUMENTS, 500):
            inbox.feeds.store.execute("UPDATE feeds SET due = 0, leased = 0")
            inbox.feeds.due("bench")
            part = tuple(items[start : start + 500])
            inbox.feeds.record("bench", [Fetched(feed.number, part, title="News")], chance=chance)
            inbox.feeds.release("bench")
    inbox.feeds.store.execute("UPDATE subscriptions SET upto = 0 WHERE reader = ?", (inbox.reader,))


def skip(inbox: "Inbox") -> None:
    """What was not given to a reader yet is not given."""
    while given := inbox.feeds.unseen(inbox.reader, most=500):
        inbox.feeds.seen(inbox.reader, [item.number for item in given])


def take_in(inbox: "Inbox", documents: int) -> None:
    """Items go through a reader's filter; some that are delivered are answered on the way."""
    taken = 0
    while taken < documents and (some := inbox.take_in(most=500).documents):
        taken += some
        for entry in inbox.entries(most=4, answered="none"):
            inbox.answer_entry(entry.number, "relevant" if "theme0 " in entry.title else "not-relevant")


def title(number: int, chance: random.Random) -> str:
    return f"gainful theme{number % 40} " + " ".join(chance.sample(WORDS, 6))


def prose(number: int, chance: random.Random) -> str:
    return f"gainful theme{number % 40} " + " ".join(chance.choices(WORDS, k=80))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("deed", choices=("stock", "serve"))
    parser.add_argument("address")
    given = parser.parse_args()
    {"stock": stock, "serve": serve}[given.deed](given.address)
