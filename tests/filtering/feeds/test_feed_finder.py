"""The feed of an address: itself, one that a page names, or one at a usual place."""

import asyncio
from datetime import UTC, datetime

import pytest

from gainful.errors import DataError
from gainful.filtering.feeds.feed_finder import find_feed, found_feed
from gainful.filtering.feeds.fetch_reply import Limits
from gainful.filtering.feeds.guarded_network import NetworkRules

from .servers import LOOPBACK, rss

PATIENT = Limits(size=1 << 20, total=60, connect=30, quiet=30)
HTML = {"Content-Type": "text/html"}


def find(address, rules=LOOPBACK):
    return found_feed(address, rules=rules, limits=PATIENT, clock=lambda: datetime(2026, 3, 1, tzinfo=UTC))


def page(*hrefs):
    return (
        200,
        HTML,
        "".join(
            f'<link rel="alternate" type="application/rss+xml" title="{href}" href="{href}">'
            for href in hrefs
        ),
    )


def test_the_address_of_a_feed_is_its_own(server):
    server.answers["/feed"] = (200, {}, rss("one", "two"))
    found = find(server.url("/feed"))
    assert (found.address, found.title, found.items, found.others) == (server.url("/feed"), "News", 2, ())
    assert len(server.requests) == 1


def test_a_page_leads_to_the_first_feed_that_it_names_and_that_is_one(server):
    server.answers["/"] = page("/gone", "/feed", "/comments")
    server.answers["/feed"] = (200, {}, rss("one"))
    found = find(server.url("/"))
    assert found.address == server.url("/feed")
    assert [link.title for link in found.others] == ["/gone", "/comments"]
    assert server.paths() == ["/", "/gone", "/feed"]


def test_a_page_that_names_no_feed_may_have_one_at_a_usual_place(server):
    server.answers["/"] = (200, HTML, "<p>hello")
    server.answers["/atom.xml"] = (200, {}, rss("one"))
    assert find(server.url("/")).address == server.url("/atom.xml")


def test_where_there_is_no_feed_that_is_said_after_a_few_requests(server):
    server.answers["/"] = page(*(f"/{number}" for number in range(50)))
    with pytest.raises(DataError, match="is not a feed, and names none"):
        find(server.url("/"))
    assert len(server.requests) == 1 + 3 + 5


def test_an_address_that_brings_nothing_says_why_and_shows_no_password(server):
    with pytest.raises(DataError, match=r"//me:\*\*\*@a\.example.*status 404 \(Not Found\)\.$") as fault:
        find(server.url("/nothing").replace("//", "//me:secret@"))
    assert "secret" not in str(fault.value)


def test_a_permanent_redirect_gives_the_new_address_and_a_temporary_one_the_old(server):
    server.answers["/moved"] = (301, {"Location": "/feed"}, b"")
    server.answers["/today"] = (302, {"Location": "/feed"}, b"")
    server.answers["/feed"] = (200, {}, rss("one"))
    assert find(server.url("/moved")).address == server.url("/feed")
    assert find(server.url("/today")).address == server.url("/today")


def test_a_page_that_names_feeds_inside_leads_nowhere(server):
    server.answers["/"] = page(
        "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", "http://inside.example/"
    )

    async def resolve(host, port):
        return ["10.0.0.1" if host == "inside.example" else host if host[0].isdigit() else "127.0.0.1"]

    class Rules(NetworkRules):
        """Loopback is allowed, as the server of the test is there; other private addresses are not."""

        def check_address(self, host, address):
            if address != "127.0.0.1":
                NetworkRules(allow_private=False).check_address(host, address)

    with pytest.raises(DataError, match="names none"):
        find(server.url("/"), Rules(allow_private=True, resolve=resolve))
    assert {request.host for request in server.requests} == {"a.example"}


def test_the_password_of_a_page_goes_to_its_feed_on_the_same_host_alone(server):
    server.answers["/"] = (200, HTML, page("/feed", server.url("/other", "b.example"))[2])
    server.answers["/feed"] = (401, {}, b"")
    server.answers["/other"] = (200, {}, rss())
    find(server.url("/").replace("//", "//me:secret@"))
    assert [(request.host, "authorization" in request.headers) for request in server.requests] == [
        ("a.example", True),
        ("a.example", True),
        ("b.example", False),
    ]


def test_a_feed_on_the_same_host_keeps_the_password_that_it_needs(server):
    server.answers["/"] = page("/feed")
    server.answers["/moved"] = (301, {"Location": "/feed"}, b"")
    server.answers["/feed"] = (200, {}, rss("one"))
    for path in ("/", "/moved"):
        assert find(server.url(path).replace("//", "//me:pw@")).address == server.url("/feed").replace(
            "//", "//me:pw@"
        )


def test_it_can_be_awaited(server):
    server.answers["/feed"] = (200, {}, rss("one"))
    assert asyncio.run(find_feed(server.url("/feed"), rules=LOOPBACK)).title == "News"
