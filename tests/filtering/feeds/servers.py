"""A web server on loopback that answers as a test tells it to, names of hosts that lead to it, and a request."""

import asyncio
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gainful.filtering.feeds.fetch_reply import Limits
from gainful.filtering.feeds.fetch_request import Fetcher
from gainful.filtering.feeds.guarded_network import NetworkRules


@dataclass
class Request:
    """What was asked: host, path, headers in lower case."""

    host: str
    path: str
    headers: dict[str, str]


@dataclass
class Server:
    """Answers by path. An answer is (status, headers, body), a function of the request that gives one, or an async
    function of request and writer that does as it likes.
    """

    answers: dict[str, object] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    port: int = 0
    together: int = 0
    most_together: dict[str, int] = field(default_factory=dict)
    _open: dict[str, int] = field(default_factory=dict)

    def url(self, path: str, host: str = "a.example") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host = ""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {
                name.lower(): value.strip()
                for name, _, value in (row.partition(":") for row in head[1:] if row)
            }
            host = headers["host"].rpartition(":")[0] or headers["host"]
            self._count(host, 1)
            request = Request(host, head[0].split()[1], headers)
            self.requests.append(request)
            answer = self.answers.get(f"{host}{request.path}", self.answers.get(request.path, (404, {}, b"")))
            if callable(answer):
                answer = answer(request)
            if asyncio.iscoroutine(answer):
                answer = await answer
            if asyncio.iscoroutinefunction(answer):
                answer = await answer(writer)
            if answer is not None:
                writer.write(raw(*answer))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            if host:
                self._count(host, -1)
            writer.close()

    def _count(self, host: str, change: int) -> None:
        self._open[host] = self._open.get(host, 0) + change
        self.most_together[host] = max(self.most_together.get(host, 0), self._open[host])
        self.together = max(self.together, sum(self._open.values()))


def raw(status, headers, body):
    body = body if isinstance(body, bytes) else body.encode()
    head = {"Content-Length": str(len(body)), "Connection": "close", **headers}
    rows = [
        f"HTTP/1.1 {status} Said",
        *(f"{name}: {value}" for name, value in head.items() if value is not None),
    ]
    return "\r\n".join([*rows, "", ""]).encode("latin-1") + body


class Running:
    """The server, in a thread of its own for as long as the block lasts."""

    def __init__(self):
        self.server = Server()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self.server.serve, "127.0.0.1", 0, limit=1 << 20), self._loop
        ).result(10)
        self.server.port = listening.sockets[0].getsockname()[1]
        self._listening = listening
        return self.server

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _stop(self):
        self._listening.close()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def to_loopback(host, port):
    """Every name ends in .example and leads to loopback."""
    if host == "127.0.0.1" or host.endswith(".example"):
        return ["127.0.0.1"]
    raise OSError(f"{host} is not known")


PUBLIC = "93.184.215.14"
LOOPBACK = NetworkRules(allow_private=True, resolve=to_loopback)
PATIENT = Limits(size=1 << 20, total=60, connect=30, quiet=30)
QUICK = Limits(size=1 << 20, total=1, connect=1, quiet=0.5)


def get(url, rules=LOOPBACK, limits=PATIENT, **given):
    async def fetched():
        async with Fetcher(rules, limits, clock=lambda: datetime(2026, 3, 1, tzinfo=UTC)) as fetcher:
            return await fetcher.get(url, **given)

    return asyncio.run(fetched())


def rss(*names, title="News", more=""):
    items = "".join(
        f"<item><guid>{name}</guid><title>Title of {name}</title><link>https://story.example/{name}</link>"
        f"<description>{' '.join(f'w{name}x{number}' for number in range(30))}</description></item>"
        for name in names
    )
    return f'<rss version="2.0"><channel><title>{title}</title><link>https://site.example/</link>{more}{items}</channel></rss>'
