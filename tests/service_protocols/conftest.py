"""A service on a small state, served on loopback, and a client of its protocols that is logged in."""

import asyncio
import shutil
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default

import httpx
import pytest
import uvicorn
from aiosmtpd.smtp import SMTP

from gainful.filtering import Document
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.app import create_app
from gainful.filtering.service.mail_plans import DigestPlans
from gainful.filtering.service.service_parts import ServiceOptions
from gainful.filtering.state.filter import Filter

BEGIN = datetime(2026, 3, 2, 6, tzinfo=UTC)  # a Monday


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **given: float) -> None:
        self.now += timedelta(**given)


EXAMPLES = [
    Document(f"seed-{number}", text)
    for number, text in enumerate(["Cocoa harvest poor", "Cocoa prices rise", "Prices of the cocoa harvest"])
]
WEATHER = [Document(f"rain-{day}", f"Rain number{day} in the north, and wind{day}") for day in range(12)]
DOCUMENTS = [
    Document("a", "Cocoa prices rise after a poor harvest", "Cocoa up", link="https://example.org/a"),
    Document(
        "b", "Late cocoa harvest: cocoa prices rise", "A late <harvest> & more", link="https://example.org/b"
    ),
    Document(
        "c",
        "Cocoa prices rise: a poor cocoa harvest at the port",
        "At the port",
        link="https://example.org/c",
    ),
    Document("d", "A goal late in the match decides it", "The match", link="javascript:alert(1)"),
]


class Asked(httpx.BaseTransport):
    """Requests handed to an application without a socket, in the loop of a thread that all tests share."""

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)

    def __init__(self, app) -> None:
        self._inner = httpx.ASGITransport(app)

    @classmethod
    def run(cls, work):
        """The result of a coroutine."""
        if not cls.thread.is_alive():
            cls.thread.start()
        return asyncio.run_coroutine_threadsafe(work, cls.loop).result(60)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self.run(self._answer(request))

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
        answer = await self._inner.handle_async_request(sent)
        return httpx.Response(answer.status_code, headers=answer.headers, content=await answer.aread())


@dataclass
class Served:
    """A service with one account, ada, and her password for programs."""

    app: object
    address: str
    clock: Clock
    secret: str
    base: str = "http://gainful.test"

    @property
    def service(self):
        return self.app.state.service

    def inbox(self, reader: int = 1) -> Inbox:
        """The reader's inbox, on a connection of its own."""
        return Inbox(self.address, reader, clock=self.clock)

    def browser(self, **headers: str) -> httpx.Client:
        """A client that is not logged in."""
        return httpx.Client(transport=Asked(self.app), base_url=self.base, headers=headers)

    def client(self, secret: str | None = None, reader: int = 1) -> httpx.Client:
        """A client of the Google Reader API that has logged in."""
        headers = {"Authorization": f"GoogleLogin auth={reader}/{secret or self.secret}"}
        base = f"{self.base}/reader/api/0/"
        return httpx.Client(transport=Asked(self.app), base_url=base, headers=headers)

    def entries(self) -> dict:
        """The entries of the inbox by their titles."""
        with self.inbox() as inbox:
            return {entry.title: entry for entry in inbox.entries()}


def stocked(address: str, clock: Clock) -> None:
    """A state with two profiles and four documents, of which three are delivered to the first and one to the second."""
    with Filter.create(address, clock=clock) as state:
        state.ingest(WEATHER)
        state.add_profile("cocoa", text="cocoa harvest and prices", examples=EXAMPLES, rule="beta_gamma")
        state.add_profile("sport", text="a goal in a match")
        for document in DOCUMENTS:
            clock.pass_(minutes=1)
            state.ingest([document])


class Running:
    """An application served by uvicorn in a thread, on a free port of loopback."""

    def __init__(self, app: object) -> None:
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="none", lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the server did not start")
            self._thread.join(0.01)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def stock(tmp_path_factory):
    """A stocked state, to be copied, and its clock."""
    path, clock = tmp_path_factory.mktemp("stock") / "state", Clock()
    stocked(str(path), clock)
    return path, clock.now


@pytest.fixture
def served(folder, clock, stock):
    """The service on SQLite."""
    yield from serving(copied(stock, folder, clock), clock)


def copied(stock, folder, clock):
    """A stocked state in a folder, and the clock at the time it was made."""
    path, clock.now = stock
    shutil.copy(path, folder / "state")
    return str(folder / "state")


@pytest.fixture(params=["sqlite", "postgres"])
def anywhere(request, folder, clock, stock):
    """The service on SQLite, and on PostgreSQL."""
    if request.param == "sqlite":
        yield from serving(copied(stock, folder, clock), clock)
    else:
        address = request.getfixturevalue("postgres")
        stocked(address, clock)
        yield from serving(address, clock)


def serving(address: str, clock: Clock, options: ServiceOptions | None = None):
    app = create_app(address, clock=clock, options=options, work=False)
    app.state.service.accounts.create("ada")
    secret = app.state.service.accounts.add_api_password(1, "tests")
    running = app.router.lifespan_context(app)
    Asked.run(running.__aenter__())
    yield Served(app, address, clock, secret)
    Asked.run(running.__aexit__(None, None, None))


class Mailbox:
    """A mail server on loopback that keeps what it is given.

    at_recipient, at_message  called with the message under way; what they return is the server's answer
    """

    def __init__(self) -> None:
        self.messages, self.recipients = [], []
        self.at_recipient = self.at_message = lambda _: "250 OK"

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        answer = self.at_recipient(envelope)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server, _session, envelope):
        answer = self.at_message(envelope)
        if answer.startswith("250"):
            self.messages.append(message_from_bytes(envelope.content, policy=default))
            self.recipients.append(envelope.rcpt_tos)
        return answer

    async def listen(self):
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: SMTP(self, loop=loop), "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"smtp://127.0.0.1:{port}"

    async def close(self):
        self._server.close()


@pytest.fixture
def mailbox(monkeypatch):
    """A mail server, and the environment that names it."""
    box = Mailbox()
    Asked.run(box.listen())
    monkeypatch.setenv("GAINFUL_SMTP", box.address)
    monkeypatch.setenv("GAINFUL_MAIL_FROM", "gainful@example.org")
    yield box
    Asked.run(box.close())


@pytest.fixture
def posted(folder, clock, stock):
    """The service, which knows its public address; ada gets a digest each day from seven."""
    for served in serving(copied(stock, folder, clock), clock, ServiceOptions(public="http://gainful.test")):
        DigestPlans(served.service.ledger).put(1, "ada@example.org", upto=0, hour=7, confirmed=True)
        yield served
