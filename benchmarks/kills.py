"""Is every acknowledged click there, once, after kill −9 of the service and of PostgreSQL, under fetching and clicking?

    python -m benchmarks.kills [TIMES]

`gainful filter serve` runs on a PostgreSQL server of its own (from Debian's packages, in a temporary folder, synchronising
every commit), fetches feeds that a local server keeps filling, and two readers answer what comes through the Google Reader
API. In turn the service and PostgreSQL are killed at random moments and started again. After each kill every click that was
answered with OK must be in the log exactly once; in the end `check` finds nothing and `rebuild` agrees.
"""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing, suppress
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.filtering.postgres import Server

from gainful.filtering import Filter
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.service.accounts import Accounts
from gainful.filtering.service.google_reader_streams import entry_number
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.state.reader_states import reader_filter
from gainful.filtering.state.store_address import open_store

THEMES = ("cocoa", "tulip", "glacier", "violin")
STARRED, NOT_RELEVANT = "user/-/state/com.google/starred", "user/-/label/not relevant"
SYNCHRONISED = ("shared_buffers=32MB", "max_connections=60")


class Site(ThreadingHTTPServer):
    """Feeds whose items grow each time that they are asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Page)
        self.published = dict.fromkeys(range(len(THEMES)), 0)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def feed(self, number: int) -> str:
        """The feed of a number, with new items in front of some that were there."""
        self.published[number] += 12
        last = self.published[number]
        items = "".join(_item(number, place) for place in range(max(0, last - 40), last))
        return f'<rss version="2.0"><channel><title>Feed {number}</title>{items}</channel></rss>'


class Page(BaseHTTPRequestHandler):
    """One feed."""

    def do_GET(self) -> None:
        """Answer with a feed."""
        body = self.server.feed(int(self.path.strip("/").removesuffix(".rss"))).encode()  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _item(feed: int, place: int) -> str:
    chance = random.Random(f"{feed} {place}")
    words = [f"w{feed}n{place}x{number}" for number in range(20)] + [
        THEMES[chance.randrange(len(THEMES))]
    ] * 3
    chance.shuffle(words)
    return (
        f"<item><guid>{feed}-{place}</guid><title>Item {place} of {feed}</title>"
        f"<link>http://feeds.example/{feed}/{place}</link><description>{' '.join(words)}</description></item>"
    )


class Clicks(threading.Thread):
    """A reader who answers deliveries; what was acknowledged is remembered by the id that the API gives a delivery.

    Four of five are called relevant: profiles that learn from tossed coins soon deliver nothing to click on.
    """

    def __init__(self, base: str, reader: int, secret: str) -> None:
        super().__init__(daemon=True)
        self.reader, self._base, self._secret = reader, base, secret
        self._chance = random.Random(reader)
        self.tried: dict[str, str] = {}
        self.acknowledged: dict[str, str] = {}
        self.failed = 0
        self.ended = threading.Event()

    def run(self) -> None:
        """Answer until `ended` is set."""
        while not self.ended.is_set():
            try:
                self._answer_some()
            except (HTTPException, OSError, ValueError):  # the service or its database is away
                self.failed += 1
                time.sleep(0.05)

    def _answer_some(self) -> None:
        stream = {"s": "user/-/state/com.google/reading-list", "n": 1000, "output": "json"}
        references = json.loads(self._asked("stream/items/ids", stream))["itemRefs"]
        waiting = [reference["id"] for reference in references if reference["id"] not in self.acknowledged]
        for item in waiting[:5]:
            verdict = self.tried.setdefault(item, self._chance.choices([STARRED, NOT_RELEVANT], [4, 1])[0])
            if self._asked("edit-tag", {}, {"i": item, "a": verdict}).strip() == "OK":
                self.acknowledged[item] = verdict
            if self.ended.wait(self._chance.random() * 0.03):
                return
        if not waiting:
            self.ended.wait(0.1)

    def _asked(self, call: str, query: dict[str, object], form: dict[str, str] | None = None) -> str:
        body = None if form is None else urlencode(form).encode()
        request = Request(f"{self._base}/reader/api/0/{call}?{urlencode(query)}", data=body)
        request.add_header("Authorization", f"GoogleLogin auth={self.reader}/{self._secret}")
        with urlopen(request, timeout=20) as answer:
            return answer.read().decode()


class Service:
    """`gainful filter serve` in a process of its own."""

    def __init__(self, address: str, folder: Path) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._address, self._log = address, folder / "service.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers; feeds are due, and what a killed one held is taken as expired."""
        with closing(open_store(self._address)) as store, store.writing():
            store.execute("DELETE FROM leases")
            store.execute("UPDATE feeds SET due = 0, leased = 0")
        command = [sys.executable, "-c", "from gainful.cli import main; main()", "filter", "serve"]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--state", self._address, "--port", str(self.port)], stdout=log, stderr=log
            )
        for _ in range(600):
            with suppress(OSError), closing(socket.create_connection(("127.0.0.1", self.port), 1)):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise SystemExit(f"the service does not start:\n{self._log.read_text()[-3000:]}")

    def kill(self) -> None:
        """Kill it at once."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def prepared(address: str, site: Site) -> dict[int, str]:
    """A state with two readers, their profiles and feeds; the password for programs of each."""
    Filter.create(address).close()
    secrets = {}
    with closing(open_store(address)) as store:
        accounts, feeds = Accounts(Ledger(store)), FeedStore(store)
        for name in ("ada", "bob"):
            reader = accounts.create(name, "a long password").reader
            secrets[reader] = accounts.add_api_password(reader, "kills")
            with reader_filter(address, reader, create=True) as state:
                for theme in THEMES[:2] if reader == 1 else THEMES[1:3]:
                    state.add_profile(theme, text=theme)
            for number in range(len(THEMES)):
                feeds.subscribe(reader, f"{site.address}/{number}.rss")
    return secrets


def verify(address: str, clicks: list[Clicks], *, whole: bool) -> int:
    """Fail where an acknowledged click is missing, another one, or there twice; how many answers the logs hold."""
    held = 0
    for reader in clicks:
        acknowledged = dict(reader.acknowledged)
        with reader_filter(address, reader.reader) as state:
            with state.store.reading():
                rows = state.store.execute(
                    "SELECT d.event, count(*), max(verdict) FROM deliveries AS d JOIN feedback AS f "
                    "ON f.profile = d.profile AND f.document = d.document GROUP BY d.event"
                )
                answers = {event: (count, verdict) for event, count, verdict in rows}
            twice = [event for event, (count, _) in answers.items() if count != 1]
            assert not twice, f"reader {reader.reader}: answered twice: {twice}"
            for item, tag in acknowledged.items():
                kept = answers.get(entry_number(item))
                assert kept == (1, int(tag == STARRED)), f"reader {reader.reader}: {item} is {kept}"
            if whole:
                assert state.check() == []
                assert state.rebuild().agrees
        held += len(answers)
    with closing(open_store(address)) as store:
        assert store.one("SELECT count(*) FROM items") == store.one("SELECT count(DISTINCT link) FROM items")
    return held


def _wait_for(clicks: list[Clicks], more: int, *, seconds: float) -> None:
    """Wait until so many more clicks are acknowledged, but not for ever."""
    enough = sum(len(reader.acknowledged) for reader in clicks) + more
    until = time.monotonic() + seconds
    while sum(len(reader.acknowledged) for reader in clicks) < enough and time.monotonic() < until:
        time.sleep(0.01)


def main(times: int) -> None:
    os.environ["GAINFUL_ALLOW_PRIVATE"] = "1"  # the feeds are on this machine
    folder = Path(tempfile.mkdtemp(prefix="gainful-kills-"))
    chance, begun = random.Random(1), time.monotonic()
    database = Server(tempfile.mkdtemp(prefix="gainful-postgres-"), settings=SYNCHRONISED).start()
    address, site = database.database(), Site()
    service = Service(address, folder)
    clicks = [Clicks(service.base, reader, secret) for reader, secret in prepared(address, site).items()]
    try:
        service.start()
        for reader in clicks:
            reader.start()
        for turn in range(1, times + 1):
            _wait_for(clicks, chance.randrange(2, 15), seconds=20)
            time.sleep(chance.random() * 0.3)
            if turn % 2:
                service.kill()
                service.start()
            else:
                database.kill()
                database.start()
            assert all(reader.is_alive() for reader in clicks)
            held = verify(address, clicks, whole=turn % 20 == 0)
            done = sum(len(reader.acknowledged) for reader in clicks)
            failed = sum(reader.failed for reader in clicks)
            print(
                f"  {turn:>4} kills: {done:,} clicks acknowledged, {held:,} in the logs, {failed:,} refused",
                flush=True,
            )
        for reader in clicks:
            reader.ended.set()
            reader.join()
        service.kill()
        verify(address, clicks, whole=True)
    finally:
        if service.process is not None and service.process.poll() is None:
            service.kill()
        database.stop()
        shutil.rmtree(database.folder)
        shutil.rmtree(folder)
    assert done > times, "too few clicks to say anything"
    print(
        f"All {done:,} acknowledged clicks are there once, and rebuild agrees ({time.monotonic() - begun:,.0f} s)."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
