"""Attacks on fetching: addresses and redirects that lead inside. Each is refused, and nothing is asked."""

import asyncio
from datetime import datetime

import httpcore
import pytest

from gainful.errors import DataError
from gainful.filtering.feeds import guarded_network
from gainful.filtering.feeds.address_guard import PUBLIC_PORTS, refusal
from gainful.filtering.feeds.fetch_reply import FetchFault
from gainful.filtering.feeds.fetch_request import Fetcher
from gainful.filtering.feeds.guarded_network import GuardedBackend, NetworkRules, Refused, guarded_client

from .servers import LOOPBACK, PATIENT, PUBLIC, get, raw, rss

REFUSED = {
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "private networks": [
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "fc00::1",
        "fdff::1",
    ],
    "link-local": ["169.254.0.1", "fe80::1", "fe80::1%1"],
    "metadata of machines": [
        *("169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192"),
        *("fd00:ec2::254", "fd20:ce::254"),
    ],
    "unspecified": ["0.0.0.0", "0.1.2.3", "::"],
    "multicast and broadcast": ["224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"],
    "reserved": [
        "240.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "2001:db8::1",
        "4000::1",
    ],
    "IPv4 within IPv6": [
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.215.14", "::127.0.0.1", "64:ff9b::127.0.0.1"),
        *(
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::10.0.0.1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::",
            "2001:0:a00:1::",
        ),
    ],
    "site-local and others": ["fec0::1", "100::1", "5f00::1"],
}


@pytest.fixture
def no_connection(monkeypatch):
    """Fails where anything is connected to."""

    async def connect(*given, **_):
        pytest.fail(f"connected to {given[1:3]}")

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)


def answering(*addresses):
    async def resolve(host, port):
        return list(addresses)

    return NetworkRules(allow_private=False, resolve=resolve)


@pytest.mark.parametrize("kind", REFUSED)
def test_a_name_that_leads_inside_is_refused_before_anything_is_asked(no_connection, kind):
    for address in REFUSED[kind]:
        with pytest.raises(Refused, match="which is not allowed"):
            get("http://inside.example/feed", answering(address))


@pytest.mark.parametrize("kind", REFUSED)
def test_an_address_that_leads_inside_is_refused_before_anything_is_asked(no_connection, kind):
    for address in REFUSED[kind]:
        if "%" not in address:
            host = f"[{address}]" if ":" in address else address
            with pytest.raises(Refused, match="which is not allowed"):
                get(f"http://{host}/feed", NetworkRules(allow_private=False))


@pytest.mark.parametrize(
    "host",
    [
        *(
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "127.1",
            "127.0.1",
            "0",
            "localhost",
            "LOCALHOST.",
        ),
        *("[0:0:0:0:0:0:0:1]", "[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]"),
        "127.0.0.1.",
    ],
)
def test_loopback_in_disguise_is_refused(no_connection, host):
    with pytest.raises(DataError, match=r"which is not allowed|is not known|no web address"):
        get(f"http://{host}/feed", NetworkRules(allow_private=False))


def test_public_addresses_are_asked():
    for address in (
        PUBLIC,
        "1.1.1.1",
        "172.32.0.1",
        "100.128.0.1",
        "2606:4700::1111",
        "64:ff9b::93.184.215.14",
    ):
        assert refusal(address) == ""


def test_private_addresses_can_be_allowed_and_metadata_cannot(no_connection):
    for address in ("127.0.0.1", "10.0.0.1", "192.168.1.1", "::1", "fd12::1"):
        assert refusal(address, allow_private=True) == ""
    never = [kind for kind in REFUSED if kind not in ("loopback", "private networks")]
    for address in (each for kind in never for each in REFUSED[kind] if each != "64:ff9b::127.0.0.1"):
        assert refusal(address, allow_private=True) != "", address


def test_a_name_with_one_public_and_one_private_address_is_refused(no_connection):
    for addresses in ([PUBLIC, "10.0.0.1"], ["::1", PUBLIC]):
        with pytest.raises(Refused):
            get("http://mixed.example/", answering(*addresses))


class Wire(httpcore.AsyncNetworkStream):
    """A connection that notes what is asked of it, and answers with an empty feed."""

    def __init__(self, peer):
        self.peer, self.sent, self.tls, self.answer = peer, b"", None, raw(200, {}, rss())

    def get_extra_info(self, info):
        return (self.peer, 443) if info == "server_addr" else None

    async def start_tls(self, ssl_context, server_hostname=None, *_, **__):
        assert ssl_context.check_hostname
        self.tls = server_hostname
        return self

    async def write(self, buffer, *_, **__):
        self.sent += buffer

    async def read(self, *_, **__):
        answer, self.answer = self.answer, b""
        return answer

    async def aclose(self):
        pass


@pytest.fixture
def wire(monkeypatch):
    """All connections are wires; the addresses they go to are noted."""
    gone_to = []

    async def connect(self, host, port, *_, **__):
        gone_to.append((host, port, Wire(host)))
        return gone_to[-1][2]

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    return gone_to


def test_the_connection_goes_to_the_very_address_that_was_checked(wire):
    answers = iter([[PUBLIC], ["127.0.0.1"]])  # a name that changes between two looks

    async def rebinding(host, port):
        return next(answers)

    get("https://rebind.example/feed", NetworkRules(allow_private=False, resolve=rebinding))
    ((host, port, stream),) = wire
    assert (host, port) == (PUBLIC, 443)
    assert next(answers) == ["127.0.0.1"]  # it was looked up once
    assert stream.tls == "rebind.example"
    assert b"Host: rebind.example\r\n" in stream.sent


def test_a_name_is_checked_again_at_the_next_request(wire):
    answers = iter([[PUBLIC], ["127.0.0.1"]])

    async def rebinding(host, port):
        return next(answers)

    async def twice():
        rules = NetworkRules(allow_private=False, resolve=rebinding)
        async with Fetcher(rules, PATIENT, clock=datetime.now) as fetcher:
            await fetcher.get("http://rebind.example/feed")
            with pytest.raises(Refused):
                await fetcher.get("http://rebind.example/feed")

    asyncio.run(twice())
    assert len(wire) == 1


def test_a_connection_that_ends_elsewhere_is_refused(monkeypatch):
    async def connect(*_, **__):
        return Wire("10.0.0.1")

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    with pytest.raises(Refused):
        get("http://a.example/", answering(PUBLIC))


def test_proxies_of_the_environment_are_not_used(wire, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://10.0.0.1:3128")
    get("http://a.example/", answering(PUBLIC))
    assert wire[0][0] == PUBLIC


@pytest.mark.parametrize("port", [1, 21, 22, 23, 25, 110, 6379, 5432, 11211, 9200, 65535])
def test_ports_of_other_services_are_refused(no_connection, port):
    assert port not in PUBLIC_PORTS
    with pytest.raises(Refused, match=f"port {port} is not allowed"):
        get(f"http://a.example:{port}/", answering(PUBLIC))


@pytest.mark.parametrize(
    "address",
    [
        *(
            "file:///etc/passwd",
            "ftp://a.example/",
            "gopher://a.example/_x",
            "javascript:alert(1)",
            "data:text/xml,<a/>",
        ),
        *(
            "dict://a.example/",
            "http://",
            "http:///path",
            "https://[::1",
            "http://a.example:99999/",
            "http://a b/",
        ),
        *(
            "http://a.example\r\nX: y/",
            "http://a\\b.example/",
            "http://a.example@/",
            "x" * 2000,
            "jar:http://a.example!/",
        ),
    ],
)
def test_what_is_no_web_address_is_refused(no_connection, address):
    with pytest.raises(DataError):
        get(address, answering(PUBLIC))


INSIDE = [
    *(
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://0.0.0.0/",
        "http://[::]/",
    ),
    *(
        "file:///etc/passwd",
        "gopher://a.example/",
        "ftp://a.example/",
        "javascript:alert(1)",
        "data:,x",
        "http://[::1",
    ),
    "http://[::ffff:169.254.169.254]/",
]


@pytest.mark.parametrize("target", INSIDE)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_inside_is_refused_also_where_private_addresses_are_allowed(server, target, status):
    server.answers["/feed"] = (status, {"Location": target}, b"")
    with pytest.raises(DataError, match=r"which is not allowed|no web address"):
        get(server.url("/feed"), NetworkRules(allow_private=True, resolve=guarded_or_loopback))
    assert server.paths() == ["/feed"]


async def guarded_or_loopback(host, port):
    return ["127.0.0.1"] if host.endswith(".example") else [host]


def test_a_redirect_from_a_public_host_to_loopback_is_refused(server, monkeypatch):
    """The public host is played by the server on loopback; its redirect leads to that server by its true address."""
    connect_tcp = httpcore.AnyIOBackend.connect_tcp
    server.answers["/feed"] = (302, {"Location": server.url("/secret", "127.0.0.1")}, b"")
    server.answers["/secret"] = (200, {}, rss("secret"))

    async def connect(self, host, port, *given):
        assert host == PUBLIC
        stream = await connect_tcp(self, "127.0.0.1", server.port, *given)
        monkeypatch.setattr(
            stream, "get_extra_info", lambda info: (PUBLIC, port) if info == "server_addr" else None
        )
        return stream

    async def resolve(host, port):
        return [PUBLIC if host == "a.example" else host]

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    monkeypatch.setattr(guarded_network, "PUBLIC_PORTS", PUBLIC_PORTS | {server.port})
    with pytest.raises(Refused, match="a private address"):
        get(server.url("/feed"), NetworkRules(allow_private=False, resolve=resolve))
    assert server.paths() == ["/feed"]


def test_redirects_without_end_are_refused(server):
    server.answers["/loop"] = (302, {"Location": "/loop"}, b"")
    with pytest.raises(FetchFault, match="more than 5 redirects"):
        get(server.url("/loop"))
    assert len(server.requests) == 6


def test_a_name_and_password_in_a_redirect_are_not_sent(server):
    server.answers["/feed"] = lambda _: (
        302,
        {"Location": server.url("/b", "b.example").replace("//", "//a:b@")},
        b"",
    )
    server.answers["/b"] = (200, {}, rss())
    assert "a:b" not in get(server.url("/feed")).address
    assert "authorization" not in server.requests[1].headers


def test_cookies_are_not_kept(server):
    server.answers["/feed"] = (302, {"Location": "/next", "Set-Cookie": "track=1"}, b"")
    server.answers["/next"] = (200, {}, rss())
    get(server.url("/feed"))
    assert all(
        "cookie" not in request.headers and "referer" not in request.headers for request in server.requests
    )


def test_sockets_of_the_machine_are_refused():
    with pytest.raises(Refused):
        asyncio.run(GuardedBackend(LOOPBACK).connect_unix_socket("/run/docker.sock"))


def test_a_client_for_other_requests_is_guarded_too(server, no_connection):
    async def post(url, rules):
        async with guarded_client(rules=rules) as client:
            return await client.post(url, json={"a": 1})

    with pytest.raises(Refused):
        asyncio.run(post("http://hook.example/", answering("10.0.0.1")))
    with pytest.raises(Refused):
        asyncio.run(post("http://hook.example:6379/", answering(PUBLIC)))
