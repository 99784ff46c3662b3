"""A service on loopback for tests, and readers who use it as a browser without a script does."""

from __future__ import annotations

import re
import threading
from datetime import UTC, datetime
from html import unescape
from random import Random

import httpx
import uvicorn
from tests.filtering.feeds.publishing import Clock as StillClock

from gainful.filtering.feeds.feed_records import Fetched, ParsedItem
from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.app import create_app
from gainful.filtering.service.service_parts import ServiceOptions

PASSWORD = "correct horse battery staple"


class Clock(StillClock):
    """Stands still, on a Monday, until a test moves it."""

    def __init__(self) -> None:
        super().__init__(datetime(2026, 11, 16, 9, tzinfo=UTC))


class Served:
    """A service that answers on a free port while the block lasts."""

    def __init__(self, address, clock=None, *, work=False, every=0.2, **options):
        self.address, self.clock = str(address), clock or Clock()
        options.setdefault("network", NetworkRules(allow_private=True))
        self.app = create_app(
            self.address, options=ServiceOptions(**options), clock=self.clock, work=work, every=every
        )
        self.service = self.app.state.service
        self.accounts = self.service.accounts
        config = uvicorn.Config(
            self.app,
            host="127.0.0.1",
            port=0,
            log_level="warning",
            ws="none",
            timeout_graceful_shutdown=2,
            proxy_headers=False,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self):
        self._thread.start()
        while not self._server.started:
            self._thread.join(0.01)
            assert self._thread.is_alive(), "the server did not start"
        self.base = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, *_):
        self._server.should_exit = True
        self._thread.join(20)

    def reader(self, name="ada"):
        """A browser of this account, logged in; the account is made where it is not there."""
        account = self.accounts.named(name) or self.accounts.create(name, PASSWORD)
        return Browser(self, account.reader)

    def inbox(self, reader=1):
        """The inbox of a reader, on a connection of its own."""
        return Inbox(self.address, reader, create=reader != 1, clock=self.clock)


class Browser(httpx.Client):
    """What a browser without a script does: keeps cookies, follows links, sends forms as pages have them."""

    def __init__(self, served, reader=None, **more):
        super().__init__(base_url=served.base, follow_redirects=True, timeout=30, **more)
        self.served, self.reader_number = served, reader
        if reader is not None:
            self.cookies.set("gainful_session", served.service.sessions.begin(reader))

    def token(self, path="/settings"):
        """The token of this session, from a form of a page."""
        return re.search(r'name="token" value="([0-9a-f]+)"', self.get(path).text)[1]

    def submit(self, path, files=None, **fields):
        """Send a form with its token."""
        return self.post(path, data={"token": self.token(), **fields}, files=files)

    def say(self, path, **fields):
        """Send a form as the page's script does; what the service answers."""
        form = {"token": self.token(), **fields}
        return self.post(path, data=form, headers={"Accept": "application/json"}).json()


def told(answer):
    """The message that a page shows."""
    return unescape(re.search(r'id="said"[^>]*>(.*?)</p>', answer.text, re.S)[1])


def titles(answer):
    """Titles of the items on a page, in their order."""
    headings = re.findall(r"<article.*?<h[12]>(.*?)</h[12]>", answer.text, re.S)
    return [unescape(re.sub(r"<[^>]+>", "", heading)).strip() for heading in headings]


def publish(inbox, address, items, *, title="A paper", folder=""):
    """A feed that was fetched and had these items: pairs of title and text, or `ParsedItem`s."""
    feed = inbox.feeds.subscribe(inbox.reader, address, folder=folder)
    inbox.feeds.store.execute("UPDATE feeds SET due = 0, leased = 0 WHERE number = ?", (feed.number,))
    inbox.feeds.due("test")
    parsed = tuple(
        item
        if isinstance(item, ParsedItem)
        else ParsedItem(
            f"{address}#{place}",
            title=item[0],
            text=item[1],
            html=f"<p>{item[1]}</p>",
            link=f"{address}/{place}",
        )
        for place, item in enumerate(items)
    )
    inbox.feeds.record("test", [Fetched(feed.number, parsed, title=title)], chance=Random(0))
    inbox.feeds.release("test")
    return feed.number
