"""Rounds of fetching: conditional requests, redirects, failures and how long they wait, hosts that are slow or busy."""

import asyncio
import gzip
import json
import random
from datetime import timedelta

import pytest

from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.feeds.fetch_reply import Limits
from gainful.filtering.feeds.fetch_round import fetch_all
from gainful.filtering.feeds.fetch_schedule import SECOND
from gainful.filtering.state.store_address import open_store

from .publishing import BEGIN, item, publish
from .servers import LOOPBACK, rss

PATIENT = Limits(total=60, connect=30, quiet=30)
MINUTE = 60 * SECOND


@pytest.fixture
def fetch(address, clock):
    return fetching(address, clock)


def fetching(address, clock):
    def fetched(**given):
        return fetch_all(
            address, clock=clock, chance=random.Random(1), **{"rules": LOOPBACK, "limits": PATIENT, **given}
        )

    return fetched


def health(feeds, number=1):
    return next(feed for feed in feeds.feeds(1) if feed.number == number)


def titles(feeds, reader=1):
    return [item.title for item in feeds.unseen(reader)]


def test_a_feed_is_fetched_stored_and_not_fetched_again_before_it_is_due(server, feeds, fetch, clock):
    server.answers["/feed"] = (200, {"Content-Type": "application/rss+xml"}, rss("two", "one"))
    feeds.subscribe(1, server.url("/feed"))
    done = fetch()
    assert (done.due, done.new, done.changed, done.faults) == (1, 2, 1, {})
    assert titles(feeds) == ["Title of one", "Title of two"]  # undated feeds have the latest first
    feed = health(feeds)
    assert (feed.title, feed.site, feed.fetched) == ("News", "https://site.example/", BEGIN)
    assert timedelta(minutes=30) <= feed.due - BEGIN <= timedelta(minutes=33)
    assert fetch().due == 0
    clock.pass_by(minutes=34)
    assert (fetch().due, len(server.requests)) == (1, 2)


def test_what_is_unchanged_is_not_sent_again(server, feeds_of_either, either, clock):
    feeds, fetch = feeds_of_either, fetching(either, clock)

    def answer(request):
        if (
            request.headers.get("if-none-match") == '"v1"'
            and request.headers.get("if-modified-since") == "Mon"
        ):
            return 304, {}, b""
        return 200, {"ETag": '"v1"', "Last-Modified": "Mon"}, rss("one")

    server.answers["/feed"] = answer
    feeds.subscribe(1, server.url("/feed"))
    assert fetch().new == 1
    first = health(feeds).due - BEGIN
    clock.pass_by(hours=1)
    done = fetch()
    assert (done.unchanged, done.new) == (1, 0)
    feed = health(feeds)
    assert (feed.renewed, feed.fetched) == (BEGIN, BEGIN + timedelta(hours=1))
    assert feed.due - feed.fetched > first  # the interval has grown


def test_intervals_stay_between_a_quarter_of_an_hour_and_a_day(feeds, clock):
    waits = {}
    for name, new in (("busy", True), ("quiet", False)):
        number = feeds.subscribe(1, f"https://{name}.example/").number
        for step in range(15):
            publish(feeds, number, item(f"{name}{step if new else 0}"))
            clock.now = health(feeds, number).due
        waits[name] = health(feeds, number).due - health(feeds, number).fetched
    assert timedelta(minutes=15) <= waits["busy"] <= timedelta(minutes=16.5)
    assert timedelta(hours=24) <= waits["quiet"] <= timedelta(hours=26.4)


def test_a_server_that_says_how_long_nothing_changes_is_believed_up_to_six_hours(server, feeds, fetch):
    server.answers["/a"] = (200, {"Cache-Control": "public, max-age=7200"}, rss("one"))
    server.answers["/b"] = (200, {"Cache-Control": "max-age=999999999"}, rss("two"))
    server.answers["/c"] = (200, {}, rss("three", more="<ttl>180</ttl>"))
    for path in "abc":
        feeds.subscribe(1, server.url(f"/{path}"))
    fetch()
    hours = [int((health(feeds, number).due - BEGIN) / timedelta(hours=1)) for number in (1, 2, 3)]
    assert hours == [2, 6, 3]


def test_failures_wait_longer_each_time_and_a_success_ends_them(server, feeds, fetch, clock):
    feeds.subscribe(1, server.url("/feed"))
    waits = []
    for failures in range(1, 10):
        done = fetch()
        assert done.faults == {server.url("/feed"): "the server answered with status 404 (Not Found)"}
        feed = health(feeds)
        assert (feed.failures, feed.fault) == (failures, "the server answered with status 404 (Not Found)")
        waits.append((feed.due - clock.now) / timedelta(minutes=15))
        clock.now = feed.due
    assert all(2**place <= wait <= 2**place * 1.1 for place, wait in enumerate(waits[:7]))
    assert 96 <= waits[-1] <= 96 * 1.1  # a day
    server.answers["/feed"] = (200, {}, rss("one"))
    assert fetch().new == 1
    assert (health(feeds).failures, health(feeds).fault) == (0, "")


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_wants_to_be_left_alone_is_left_alone_with_all_its_feeds(server, feeds, fetch, status):
    server.answers["/a"] = (status, {"Retry-After": "7200"}, b"")
    server.answers["/b"] = server.answers["/c"] = (200, {}, rss("one"))
    for path in "abc":
        feeds.subscribe(1, server.url(f"/{path}"))
    feeds.subscribe(1, server.url("/c", host="b.example"))
    done = fetch()
    assert (done.postponed, done.new, len(done.faults)) == (2, 1, 1)
    assert server.paths().count("/b") == 0
    for number in (1, 2, 3):
        assert timedelta(hours=2) <= health(feeds, number).due - BEGIN <= timedelta(hours=2.2)
    assert [health(feeds, number).failures for number in (1, 2, 3)] == [1, 0, 0]


def test_retry_after_may_name_a_time_and_is_granted_a_day_at_most(server, feeds, fetch):
    server.answers["a.example/feed"] = (503, {"Retry-After": "Sun, 01 Mar 2026 09:00:00 GMT"}, b"")
    server.answers["b.example/feed"] = (503, {"Retry-After": "99999999999"}, b"")
    server.answers["c.example/feed"] = (503, {"Retry-After": "Sun, 01 Mar 1926 09:00:00 GMT"}, b"")
    server.answers["d.example/feed"] = (503, {"Retry-After": "soon" * 100}, b"")
    for host in "abcd":
        feeds.subscribe(1, server.url("/feed", f"{host}.example"))
    fetch()
    hours = [(health(feeds, number).due - BEGIN) / timedelta(hours=1) for number in (1, 2, 3, 4)]
    assert 3 <= hours[0] <= 3.3
    assert 24 <= hours[1] <= 26.4
    assert all(0.25 <= each <= 0.275 for each in hours[2:])


def test_a_feed_that_is_gone_is_not_asked_again_until_somebody_subscribes_anew(server, feeds, fetch, clock):
    server.answers["/feed"] = (410, {}, b"")
    feeds.subscribe(1, server.url("/feed"))
    fetch()
    feed = health(feeds)
    assert (feed.gone, feed.due) == (True, None)
    clock.pass_by(days=400)
    assert fetch().due == 0
    feeds.subscribe(2, server.url("/feed"))
    assert fetch().due == 1


def test_permanent_redirects_are_remembered_and_temporary_ones_are_not(server, feeds, fetch, clock):
    server.answers["/old"] = lambda _: (301, {"Location": "/newer"}, b"")
    server.answers["/newer"] = lambda _: (308, {"Location": server.url("/new", "b.example")}, b"")
    server.answers["/new"] = lambda _: (302, {"Location": "/today"}, b"")
    server.answers["/today"] = (200, {}, rss("one"))
    feeds.subscribe(1, server.url("/old"))
    for _ in range(2):
        fetch()
        clock.pass_by(days=1)
    assert server.paths() == ["/old", "/newer", "/new", "/today", "/new", "/today"]
    assert health(feeds).address == server.url("/old")


def test_a_redirect_to_what_is_no_feed_is_not_remembered_and_a_moved_feed_that_fails_is_looked_for_at_home(
    server, feeds, fetch, clock
):
    server.answers["/old"] = lambda _: (301, {"Location": "/new"}, b"")
    server.answers["/new"] = (200, {"Content-Type": "text/html"}, "<html>parked</html>")
    feeds.subscribe(1, server.url("/old"))
    fetch()
    assert health(feeds).fault == "it is a web page, not a feed"
    clock.pass_by(days=1)
    server.answers["/new"] = (200, {}, rss("one"))
    fetch()
    clock.pass_by(days=1)
    server.answers["/new"] = (410, {}, b"")
    fetch()
    assert (health(feeds).gone, health(feeds).failures) == (False, 1)
    clock.pass_by(days=1)
    server.answers["/old"] = (200, {}, rss("two"))
    fetch()
    assert server.paths() == ["/old", "/new", "/old", "/new", "/new", "/old"]
    assert titles(feeds) == ["Title of one", "Title of two"]


def test_name_and_password_go_to_the_host_they_are_for_and_to_no_other(server, feeds, fetch, clock):
    server.answers["/feed"] = lambda _: (302, {"Location": server.url("/feed", "b.example")}, b"")
    server.answers["b.example/feed"] = lambda _: (302, {"Location": server.url("/home")}, b"")
    server.answers["/home"] = (404, {}, b"")
    feeds.subscribe(1, server.url("/feed").replace("//", "//me:s%40cret@"))
    done = fetch()
    sent = [(request.host, request.headers.get("authorization")) for request in server.requests]
    assert sent == [
        ("a.example", "Basic bWU6c0BjcmV0"),
        ("b.example", None),
        ("a.example", "Basic bWU6c0BjcmV0"),
    ]
    assert "cret" not in repr(done)
    assert "***" in repr(done)


def test_json_feeds_gzip_and_encodings_are_read(server, feeds, fetch):
    entry = {
        "id": 7,
        "url": "/x",
        "title": "J",
        "content_html": "<p>Ünï <script>bad()</script></p>",
        "authors": [{"name": "A"}],
    }
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Jay", "items": [entry, "no item", {}]}
    server.answers["/json"] = (200, {"Content-Type": "application/feed+json"}, json.dumps(feed))
    server.answers["/zip"] = (200, {"Content-Encoding": "gzip"}, gzip.compress(rss("zip").encode()))
    latin = rss("latin").replace("Title of latin", "Été").encode("latin-1")
    server.answers["/latin"] = (200, {"Content-Type": "text/xml; charset=iso-8859-1"}, latin)
    for path in ("/json", "/zip", "/latin"):
        feeds.subscribe(1, server.url(path))
    assert fetch().faults == {}
    items = {item.title: item for item in feeds.unseen(1)}
    assert {"J", "Title of zip", "Été"} <= items.keys()
    assert (items["J"].html, items["J"].link, items["J"].author) == ("<p>Ünï </p>", server.url("/x"), "A")


def test_one_request_a_host_at_a_time_and_a_slow_host_keeps_nobody_back(server, feeds, fetch):
    async def slow(writer):
        while sum(request.path == "/quick" for request in server.requests) < 60:  # until the others are done
            await asyncio.sleep(0.01)
        return 200, {}, rss("slow")

    for number in range(3):
        server.answers[f"/slow{number}"] = lambda _: slow
        feeds.subscribe(1, server.url(f"/slow{number}", "slow.example"))
    server.answers["/quick"] = lambda request: (200, {}, rss(request.host))
    for number in range(60):
        feeds.subscribe(1, server.url("/quick", f"h{number}.example"))
    done = fetch()
    assert (done.changed, done.faults) == (63, {})
    assert set(server.most_together.values()) == {1}
    assert server.together > 1
    hosts = [request.host for request in server.requests]
    assert "slow.example" in hosts[:32]
    assert hosts[-2:] == ["slow.example", "slow.example"]


def test_hosts_that_redirect_to_one_host_take_turns_there(server, feeds, fetch):
    async def slow(writer):
        await asyncio.sleep(0.05)
        return 200, {}, rss("one")

    server.answers["/to"] = lambda _: (302, {"Location": server.url("/feed", "busy.example")}, b"")
    server.answers["/feed"] = lambda _: slow
    for number in range(8):
        feeds.subscribe(1, server.url("/to", f"h{number}.example"))
    assert fetch().changed == 8
    assert server.most_together["busy.example"] == 1


def test_a_host_that_never_answers_is_given_up_after_three_feeds(server, feeds, fetch):
    async def silent(writer):
        await asyncio.sleep(30)

    for number in range(6):
        server.answers[f"/{number}"] = lambda _: silent
        feeds.subscribe(1, server.url(f"/{number}"))
    done = fetch(limits=Limits(total=0.3, quiet=0.2, connect=1))
    assert (len(done.faults), done.postponed) == (3, 3)


def test_a_feed_is_fetched_by_one_of_two_servers(server, feeds, fetch, address, clock):
    server.answers["/feed"] = (200, {}, rss("one"))
    feeds.subscribe(1, server.url("/feed"))
    taken = feeds.due("another server")
    assert [feed.location for feed in taken] == [server.url("/feed")]
    assert (fetch().due, server.requests) == (0, [])
    clock.pass_by(minutes=11)  # the other one has died
    assert fetch().new == 1
    late = feeds.record("another server", [], chance=random.Random(0))
    assert late == {}


def test_results_of_a_lease_that_has_passed_to_another_are_left_out(feeds, clock):
    from gainful.filtering.feeds.feed_records import Fetched

    number = feeds.subscribe(1, "https://a.example/").number
    feeds.due("first")
    clock.pass_by(minutes=11)
    feeds.due("second")
    results = [Fetched(number, (item("one"),))]
    assert feeds.record("first", results, chance=random.Random(0)) == {}
    assert feeds.record("second", results, chance=random.Random(0)) == {number: 1}


def test_a_clock_that_was_set_back_stops_nothing(server, feeds, fetch, clock):
    server.answers["/feed"] = (200, {}, rss("one"))
    clock.pass_by(days=3000)
    feeds.subscribe(1, server.url("/feed"))
    fetch()
    feeds.due("dead")
    clock.pass_by(days=-3000)
    assert fetch().due == 1


def test_two_rounds_at_once_fetch_every_feed_once(server, feeds_of_either, either, clock):
    feeds, address = feeds_of_either, either
    from gainful.filtering.feeds.fetch_round import fetch_due

    server.answers["/feed"] = lambda request: (200, {}, rss(request.host))
    for number in range(20):
        feeds.subscribe(1, server.url("/feed", f"h{number}.example"))

    async def both():
        stores = [open_store(address) for _ in range(2)]
        try:
            return await asyncio.gather(
                *(
                    fetch_due(FeedStore(store, clock), rules=LOOPBACK, limits=PATIENT, most=15)
                    for store in stores
                )
            )
        finally:
            for store in stores:
                store.close()

    done = asyncio.run(both())
    assert sum(each.due for each in done) == sum(each.new for each in done) == 20
    assert len(server.requests) == 20


def test_progress_is_told_and_an_interrupted_round_gives_its_feeds_back(server, feeds, fetch):
    server.answers["/feed"] = lambda request: (200, {}, rss(request.host))
    for number in range(3):
        feeds.subscribe(1, server.url("/feed", f"h{number}.example"))
    told = []

    def interrupt(done, total):
        told.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(progress=interrupt)
    assert told[0][1] == 3
    done = fetch(progress=lambda done, total: told.append((done, total)))
    assert done.due + told[0][0] == 3
    assert told[-1] == (done.due, done.due)


def test_a_round_can_be_fetched_where_a_loop_runs_already_as_in_a_notebook(server, feeds, address, clock):
    server.answers["/feed"] = lambda request: (200, {}, rss(request.host))
    feeds.subscribe(1, server.url("/feed", "h.example"))

    async def cell():
        return fetch_all(address, clock=clock, rules=LOOPBACK, limits=PATIENT)

    assert asyncio.run(cell()).new == 1
