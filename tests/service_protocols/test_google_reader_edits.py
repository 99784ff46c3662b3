"""The Google Reader API: what starring, labels and reading mean, subscriptions, and what strangers and hostile requests get."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.service.google_reader_streams import long_id
from gainful.filtering.service.service_parts import ServiceOptions
from gainful.filtering.state.reader_states import reader_filter

from .conftest import Clock, Running, copied, serving
from .feed_reader import (
    NOT_RELEVANT,
    READ,
    READING_LIST,
    SAVED,
    STARRED,
    edit,
    numbers,
    standing,
    subscriptions,
    titles,
)

# ---- what tags mean


def test_a_star_says_relevant_and_moves_the_threshold_and_unstarring_takes_it_back(anywhere):
    before = standing(anywhere, "Cocoa up")
    edit(anywhere, "Cocoa up", a=STARRED)
    starred = standing(anywhere, "Cocoa up")
    assert (before[0], starred[0]) == (None, True)
    assert starred[3] != before[3]
    edit(anywhere, "Cocoa up", r=STARRED)
    undone = standing(anywhere, "Cocoa up")
    assert undone[0] is None
    assert undone[3] != starred[3]


def test_not_relevant_is_a_label_of_its_own_and_unstarring_does_not_touch_it(served):
    edit(served, "Cocoa up", a=NOT_RELEVANT)
    refused = standing(served, "Cocoa up")
    assert refused[0] is False
    edit(served, "Cocoa up", r=STARRED)
    assert standing(served, "Cocoa up") == refused
    edit(served, "Cocoa up", r=NOT_RELEVANT)
    assert standing(served, "Cocoa up")[0] is None
    edit(served, "Cocoa up", a=STARRED)
    edit(served, "Cocoa up", r=NOT_RELEVANT)
    assert standing(served, "Cocoa up")[0] is True


def test_reading_says_nothing(served):
    before = standing(served, "Cocoa up")
    edit(served, "Cocoa up", a=READ, r="user/-/state/com.google/kept-unread")
    read = standing(served, "Cocoa up")
    assert (read[0], read[1], read[3]) == (None, True, before[3])
    edit(
        served,
        "Cocoa up",
        r=READ,
        a=["user/-/state/com.google/kept-unread", "user/-/state/com.google/tracking-kept-unread"],
    )
    assert standing(served, "Cocoa up") == before


def test_a_star_leaves_an_unread_item_unread_and_a_client_has_the_last_word(served):
    edit(served, "Cocoa up", a=STARRED)
    assert standing(served, "Cocoa up")[:2] == (True, False)
    edit(served, "At the port", a=READ)
    edit(served, "At the port", a=STARRED)
    assert standing(served, "At the port")[:2] == (True, True)
    edit(served, "At the port", a=NOT_RELEVANT, r=READ)
    assert standing(served, "At the port")[:2] == (False, False)


def test_several_items_are_starred_at_once(served):
    with served.client() as client:
        ids = [long_id(number) for number in numbers(served).values()]
        assert client.post("edit-tag", data={"i": [*ids, long_id(10**9)], "a": STARRED}).text == "OK"
        assert len(titles(served, STARRED)) == 4
        many = [long_id(number) for number in range(1, 1_002)]
        assert client.post("edit-tag", data={"i": many, "r": STARRED}).status_code == 400


def test_a_star_sent_again_is_no_second_answer(served):
    edit(served, "Cocoa up", a=STARRED)
    with served.inbox() as inbox:
        count = inbox.filter.store.one("SELECT count(*) FROM feedback")
    edit(served, "Cocoa up", a=STARRED)
    with served.inbox() as inbox:
        assert inbox.filter.store.one("SELECT count(*) FROM feedback") == count


def test_sharing_says_not_relevant_in_newsboat_and_nothing_elsewhere(served):
    share = {"i": long_id(numbers(served)["Cocoa up"]), "a": "user/-/state/com.google/broadcast"}
    with served.client() as client:
        client.post("edit-tag", data=share)
        assert standing(served, "Cocoa up")[0] is None
        client.post("edit-tag", data=share, headers={"User-Agent": "newsboat/2.21.0 (Linux x86_64)"})
        assert standing(served, "Cocoa up")[0] is False


@pytest.mark.parametrize(
    "given", [{"a": "user/-/label/my own"}, {"a": [STARRED, NOT_RELEVANT]}, {"r": "user/-/label/my own"}]
)
def test_tags_that_cannot_be_kept_are_refused_and_nothing_is_changed(served, given):
    before = standing(served, "Cocoa up")
    with served.client() as client:
        answer = client.post("edit-tag", data={"i": long_id(numbers(served)["Cocoa up"]), **given})
    assert answer.status_code == 400
    assert standing(served, "Cocoa up") == before


def test_a_stream_is_marked_as_read_up_to_a_time(served):
    with served.client() as client:
        moment = served.clock.now - timedelta(minutes=2)
        for stamped in (f"{moment.timestamp() * 1e6:.0f}", f"{moment.timestamp() * 1e3:.0f}"):
            assert client.post("mark-all-as-read", data={"s": "feed/1", "ts": stamped}).text == "OK"
        assert titles(served, it=READ) == ["A late ＜harvest＞ ＆ more", "Cocoa up"]
        client.post("mark-all-as-read", data={"s": "feed/1"})
        assert titles(served, xt=READ) == ["The match"]
        client.post("mark-all-as-read", data={"s": READING_LIST})
        assert titles(served, xt=READ) == []
        assert client.post("mark-all-as-read", data={"s": "feed/77"}).status_code == 400


# ---- subscriptions


def test_a_profile_is_renamed_and_removed(served):
    with served.client() as client:
        renamed = client.post("subscription/edit", data={"s": "feed/1", "ac": "edit", "t": "chocolate"})
        assert renamed.text == "OK"
        assert subscriptions(served) == {"feed/1": "chocolate", "feed/2": "sport"}
        assert len(titles(served, "feed/1")) == 3
        assert client.post("subscription/edit", data={"s": "feed/2", "ac": "unsubscribe"}).text == "OK"
        assert subscriptions(served) == {"feed/1": "chocolate"}
        folder = client.post(
            "subscription/edit", data={"s": "feed/1", "ac": "edit", "a": "user/-/label/folder"}
        )
        assert folder.status_code == 400
        for unknown in (
            {"s": "feed/9", "ac": "edit", "t": "x"},
            {"s": "feed/1", "ac": "burn"},
            {"s": "user/1", "ac": "edit"},
        ):
            assert client.post("subscription/edit", data=unknown).status_code == 400


def test_an_address_becomes_a_feed_that_is_fetched_with_its_folder(served):
    with served.client() as client:
        address = "https://example.org/rss"
        given = {"s": f"feed/{address}", "ac": "subscribe", "t": "Example", "a": "user/-/label/news"}
        assert client.post("subscription/edit", data=given).text == "OK"
        with served.inbox() as inbox:
            (feed,) = inbox.feeds.feeds(1)
        assert (feed.address, feed.title, feed.folder) == (address, "Example", "news")
        moved = {"s": f"feed/{address}", "ac": "edit", "t": "Better", "r": "user/-/label/news"}
        assert client.post("subscription/edit", data=moved).text == "OK"
        with served.inbox() as inbox:
            (feed,) = inbox.feeds.feeds(1)
        assert (feed.title, feed.folder) == ("Better", "")
        assert (
            client.post("subscription/edit", data={"s": f"feed/{address}", "ac": "unsubscribe"}).text == "OK"
        )
        with served.inbox() as inbox:
            assert inbox.feeds.feeds(1) == []
        assert (
            client.post("subscription/edit", data={"s": f"feed/{address}", "ac": "unsubscribe"}).status_code
            == 400
        )


RSS = """<rss version="2.0"><channel><title>Example news</title><link>https://example.org/</link>
<item><title>One</title><link>https://example.org/1</link></item></channel></rss>"""


async def website(scope, _receive, send):
    """A page that names its feed, and the feed."""
    page = '<html><head><link rel="alternate" type="application/rss+xml" href="/news.rss"></head></html>'
    kind, body = ("application/rss+xml", RSS) if scope["path"] == "/news.rss" else ("text/html", page)
    headers = [(b"content-type", kind.encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})


def test_quickadd_takes_the_address_of_a_feed_or_of_its_page(folder, clock, stock):
    options = ServiceOptions(network=NetworkRules(allow_private=True))
    for served in serving(copied(stock, folder, clock), clock, options):
        with Running(website) as base, served.client() as client:
            added = client.post("subscription/quickadd", params={"quickadd": f"{base}/"}, timeout=60).json()
            assert added == {
                "query": f"{base}/",
                "numResults": 1,
                "streamId": f"feed/{base}/news.rss",
                "streamName": "Example news",
            }


def test_quickadd_takes_words_to_look_for(served):
    with served.client() as client:
        added = client.post("subscription/quickadd", params={"quickadd": "bees and honey"}).json()
        assert (added["numResults"], added["streamId"], added["streamName"]) == (
            1,
            "feed/3",
            "bees and honey",
        )
        assert subscriptions(served)["feed/3"] == "bees and honey"
        for refused in (
            "",
            "bees and honey",
            "javascript://alert(1)",
            "http://127.0.0.1/",
            "http://169.254.169.254/",
        ):
            answer = client.post("subscription/quickadd", params={"quickadd": refused}).json()
            assert answer["numResults"] == 0
            assert answer["error"]
    with served.inbox() as inbox:
        assert inbox.feeds.feeds(1) == []


# ---- strangers


def test_nothing_of_another_reader_is_reached(served):
    service = served.service
    eve = service.accounts.create("eve").reader
    reader_filter(served.address, eve, create=True, clock=served.clock).close()
    secret = service.accounts.add_api_password(eve, "tests")
    before = standing(served, "Cocoa up")
    with served.client(secret, eve) as client:
        item = long_id(numbers(served)["Cocoa up"])
        assert client.get("subscription/list").json() == {"subscriptions": []}
        assert client.get("stream/contents").json()["items"] == []
        assert client.post("stream/items/contents", data={"i": item}).json()["items"] == []
        assert client.post("edit-tag", data={"i": item, "a": [STARRED, READ, SAVED]}).text == "OK"
        assert client.get("stream/contents/feed/1").status_code == 400
        assert client.post("mark-all-as-read", data={"s": READING_LIST}).text == "OK"
        assert client.post("subscription/edit", data={"s": "feed/1", "ac": "unsubscribe"}).status_code == 400
    with served.client(secret, 1) as client:  # her password with another number
        assert client.get("user-info").status_code == 401
    assert standing(served, "Cocoa up") == before
    assert subscriptions(served) == {"feed/1": "cocoa", "feed/2": "sport"}


@pytest.mark.parametrize(
    "body",
    [
        b"i=" + b"%ff" * 1000,
        b"a=\xff\xfe&i=\x00",
        b"&" * 5000,
        b"i=1&" * 10_200,
        b"a=" + b"user/-/label/" * 20_000,
    ],
    ids=["percent", "bytes", "ampersands", "many", "long"],
)
def test_hostile_bodies_are_refused_or_passed_over(served, body):
    with served.client() as client:
        answer = client.post(
            "edit-tag", content=body, headers={"Content-Type": "application/x-www-form-urlencoded"}
        )
        assert answer.status_code in (200, 400)
        assert client.post("edit-tag", content=b"i=" * 600_000).status_code == 413


@pytest.mark.parametrize(
    "stream", ["feed/0", "feed/-1", "feed/1%27--", "user/-/state/com.google/%00", "%2e%2e/%2e%2e", "a" * 5000]
)
def test_streams_that_are_not_there_are_refused_with_a_sentence(served, stream):
    with served.client() as client:
        answer = client.get(f"stream/contents/{stream}")
        assert answer.status_code == 400
        assert answer.text.startswith("there is no stream")
        assert len(answer.content) < 1000


TEXTS = st.one_of(
    st.text(max_size=30),
    st.integers(-(10**25), 10**25).map(str),
    st.sampled_from(
        [READING_LIST, READ, STARRED, NOT_RELEVANT, SAVED, "feed/1", "feed/2", "o", "1e999", "nan"]
    ),
)


@given(
    given=st.dictionaries(
        st.sampled_from(["s", "n", "c", "r", "ot", "nt", "xt", "it", "output"]), st.lists(TEXTS, max_size=3)
    )
)
def test_whatever_is_asked_is_answered_or_refused(steady, given):
    with steady.client() as client:
        for call in ("stream/items/ids", "stream/contents"):
            assert client.get(call, params=given).status_code in (200, 400)


@pytest.fixture(scope="module")
def steady(tmp_path_factory, stock):
    """A service that many requests in a row are sent to."""
    clock = Clock()
    yield from serving(copied(stock, tmp_path_factory.mktemp("steady"), clock), clock)


def test_thousands_of_items_are_marked_at_once(served):
    with served.client() as client:
        ids = [long_id(number) for number in range(9_000)]
        assert client.post("edit-tag", data={"i": ids, "a": READ}).text == "OK"
        assert titles(served, xt=READ) == []
