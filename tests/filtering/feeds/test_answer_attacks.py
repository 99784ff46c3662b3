"""Attacks by answers: bodies and headers without end, silence, compression bombs. Each is given up at a bound."""

import asyncio
import gzip

import httpx
import pytest

from gainful.filtering.feeds import fetch_reply, guarded_network
from gainful.filtering.feeds.fetch_reply import FetchFault, Limits
from gainful.filtering.feeds.guarded_network import NetworkRules, guarded_client

from .servers import LOOPBACK, PATIENT, PUBLIC, QUICK, get


def endless(*, first=b"", chunk=b"x" * 65536, pause=0.0):
    """Sends for as long as it is listened to."""

    async def answer(writer):
        writer.write(first)
        while True:
            writer.write(chunk)
            await writer.drain()
            await asyncio.sleep(pause)

    return lambda _: answer


HEAD = b"HTTP/1.1 200 OK\r\n"
BODY = HEAD + b"Content-Type: text/xml\r\n\r\n"
BOMB = gzip.compress(b"\0" * (64 << 20), 9)

TIMED = "longer than 1 s|no answer within"

ANSWERS = {
    "a body without end": (endless(first=BODY), "more than 1 MiB"),
    "a body that drips": (endless(first=BODY, chunk=b"x", pause=0.1), TIMED),
    "headers without end": (
        endless(first=HEAD, chunk=b"X: " + b"y" * 60_000 + b"\r\n"),
        "does not speak HTTP",
    ),
    "headers that drip": (endless(first=HEAD, chunk=b"X: y\r\n", pause=0.1), TIMED),
    "a status line without end": (endless(chunk=b"HTTP" * 10_000), "does not speak HTTP"),
    "an interim answer again and again": (
        endless(chunk=b"HTTP/1.1 103 Early\r\n\r\n" * 100, pause=0.01),
        TIMED,
    ),
    "silence": (endless(chunk=b"", pause=0.1), TIMED),
    "a declared length beyond measure": ((200, {"Content-Length": str(1 << 40)}, b"x"), "more than 1 MiB"),
    "a length that is none": ((200, {"Content-Length": "-5"}, b"x"), "does not speak HTTP"),
    "a compressed bomb": ((200, {"Content-Encoding": "gzip"}, BOMB), "more than 1 MiB"),
    "a bomb within a bomb": (
        (200, {"Content-Encoding": "gzip, gzip"}, gzip.compress(BOMB)),
        "was not asked for",
    ),
    "another compression": ((200, {"Content-Encoding": "br"}, b"x"), "was not asked for"),
    "a false compression": ((200, {"Content-Encoding": "gzip"}, b"plain"), "not compressed as it says"),
    "a compression cut short": ((200, {"Content-Encoding": "gzip"}, BOMB[:99]), "ended too soon"),
    "a body cut short": ((200, {"Content-Length": "50"}, b"x"), "does not speak HTTP"),
    "no HTTP at all": (endless(chunk=b"220 mail.example ESMTP\r\n" * 1000), "does not speak HTTP"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_bounded_while_they_stream(server, name):
    server.answers["/feed"], said = ANSWERS[name]
    with pytest.raises(FetchFault, match=said):
        get(server.url("/feed"), limits=QUICK if said == TIMED else PATIENT)


def test_a_bomb_is_refused_after_as_much_as_is_allowed(monkeypatch):
    decoder = fetch_reply.Decoder("gzip", 1 << 20)
    with pytest.raises(FetchFault, match="more than 1 MiB"):
        decoder.add(BOMB)
    assert len(decoder.content) <= (1 << 20) + 1


def test_the_time_for_all_redirects_is_one(server):
    async def slow(writer):
        await asyncio.sleep(0.4)
        return 302, {"Location": "/feed"}, b""

    server.answers["/feed"] = lambda _: slow
    with pytest.raises(FetchFault, match="longer than 1 s"):
        get(server.url("/feed"), limits=Limits(total=1))


def test_a_server_of_names_that_does_not_answer_holds_nobody_else_up(server, monkeypatch):
    monkeypatch.setattr(guarded_network, "_LOOKUP_SECONDS", 0.2)

    async def hanging(host, port):
        if host.startswith("slow"):
            await asyncio.sleep(60)
        return ["127.0.0.1"]

    with pytest.raises(FetchFault, match="no answer within"):
        get("http://slow.example/", NetworkRules(allow_private=True, resolve=hanging))


def test_lookups_of_the_system_run_beside_each_other_and_end_with_an_answer(monkeypatch):
    looked = []

    def getaddrinfo(host, port, **_):
        looked.append(host)
        if host == "unknown.example":
            raise OSError("unknown")
        return [(2, 1, 6, "", (PUBLIC, port))]

    monkeypatch.setattr(guarded_network.socket, "getaddrinfo", getaddrinfo)

    async def look_up():
        resolve = guarded_network._SystemResolver()
        hosts = [f"h{number}.example" for number in range(100)]
        answers = await asyncio.gather(*(resolve(host, 80) for host in hosts))
        assert answers == [[PUBLIC]] * 100
        with pytest.raises(OSError, match="unknown"):
            await resolve("unknown.example", 80)

    asyncio.run(look_up())
    assert len(looked) == 101


def test_a_guarded_client_speaks_httpx(server):
    server.answers["/hook"] = (204, {}, b"")

    async def post(path):
        async with guarded_client(rules=LOOPBACK, timeout=1) as client:
            return await client.post(server.url(path), content=b"x")

    assert asyncio.run(post("/hook")).status_code == 204
    server.answers["/broken"] = endless(chunk=b"?" * 200_000)
    with pytest.raises(httpx.ProtocolError):
        asyncio.run(post("/broken"))
