"""The Google Reader API: login, streams, ids, tags and what they mean, subscriptions; and what is refused."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.service.google_reader_streams import entry_number, long_id, short_id
from gainful.filtering.service.visitors import ServiceOptions

from .conftest import Clock, Running, copied, serving, stocked

READING_LIST = "user/-/state/com.google/reading-list"
READ, STARRED = "user/-/state/com.google/read", "user/-/state/com.google/starred"
NOT_RELEVANT, SAVED = "user/-/label/not relevant", "user/-/label/saved"
ATOM = "{http://www.w3.org/2005/Atom}"


def titles(served, stream=READING_LIST, **given):
    """Titles of a stream's items, in order."""
    with served.client() as client:
        answer = client.get(f"stream/contents/{stream}", params=given)
        assert answer.status_code == 200, answer.text
        return [item["title"] for item in answer.json()["items"]]


def numbers(served):
    """Numbers of the entries by their titles."""
    return {title: entry.number for title, entry in served.entries().items()}


def edit(served, title, **given):
    """Change the tags of an entry; a and r are tags."""
    with served.client() as client:
        answer = client.post("edit-tag", data={"i": long_id(numbers(served)[title]), **given})
        assert answer.text == "OK", answer.text


def standing(served, title):
    """Verdict, read and saved of an entry, and the threshold of its profile."""
    with served.inbox() as inbox:
        entry = next(entry for entry in inbox.entries() if entry.title == title)
        return entry.verdict, entry.read, entry.saved, inbox.filter.profile(entry.profile).theta


# ---- login


def log_in(served, name, password, **given):
    with served.browser() as client:
        return client.post("/accounts/ClientLogin", data={"Email": name, "Passwd": password, **given})


def test_a_client_logs_in_and_uses_what_it_was_given(served):
    answer = log_in(served, "Ada", served.secret)
    fields = dict(row.split("=") for row in answer.text.splitlines())
    assert list(fields) == ["SID", "LSID", "Auth"]
    headers = {"Authorization": f"GoogleLogin auth={fields['Auth']}"}
    who = served.browser(**headers).get("/reader/api/0/user-info").json()
    assert who == {"userId": "1", "userName": "ada", "userProfileId": "1", "userEmail": ""}
    assert log_in(served, "ada", served.secret, output="json").json() == fields


def test_a_login_password_opens_the_page_and_not_the_api(served):
    served.service.accounts.set_password(1, "the password of the page")
    assert log_in(served, "ada", "the password of the page").status_code == 401


def test_failed_logins_are_limited_and_say_how_long(served):
    answers = [log_in(served, "ada", "wrong") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 15 * 60
    assert log_in(served, "ada", served.secret).status_code == 429


def test_a_revoked_password_is_worth_nothing_at_once(served):
    with served.client() as client:
        assert client.get("user-info").status_code == 200
        served.service.accounts.revoke_api_password(1, 1)
        assert client.get("user-info").status_code == 401


@pytest.mark.parametrize(
    "auth", ["", "1/", "1/wrong", "2/{}", "0/{}", "{}", "1/{}x", "99999999999999999999/{}", "١/{}"]
)
def test_every_other_header_is_refused(served, auth):
    value = f"GoogleLogin auth={auth.format(served.secret)}".encode()
    with served.browser() as client:
        answer = client.get("/reader/api/0/subscription/list", headers={"Authorization": value})
    assert answer.status_code == 401


def test_the_token_has_57_characters_and_a_wrong_one_is_refused(served):
    item = {"i": long_id(numbers(served)["Cocoa up"]), "a": STARRED}
    with served.client() as client:
        token = client.get("token").text
        assert len(token) == 57
        assert client.post("edit-tag", data={**item, "T": token}).text == "OK"
        for tokenless in ("", "x"):  # as FeedMe and Reeder have it
            assert client.post("edit-tag", data={**item, "T": tokenless}).text == "OK"
        refused = client.post("edit-tag", data={**item, "T": token[::-1]})
        assert (refused.status_code, refused.headers["X-Reader-Google-Bad-Token"]) == (401, "true")


# ---- ids


@given(number=st.integers(1, 2**40))
def test_an_id_is_understood_in_every_form_that_clients_send(number):
    decimal, prefixed = short_id(number), long_id(number)
    digits = prefixed.rpartition("/")[2]
    unpadded = digits.lstrip("0")
    forms = [decimal, prefixed, digits, digits.upper(), unpadded, prefixed.replace(digits, unpadded)]
    assert {entry_number(form) for form in forms} == {number}
    assert int(decimal) < 2**53  # JavaScript counts to there


@given(text=st.text(max_size=40))
def test_any_other_text_is_no_id(text):
    number = entry_number(text)
    assert number is None or text.removeprefix("tag:google.com,2005:reader/item/").isascii()


# ---- what is there


def test_each_profile_is_a_subscription_by_its_number(served):
    with served.client() as client:
        listed = client.get("subscription/list", params={"output": "json"}).json()["subscriptions"]
        assert [(feed["id"], feed["title"], feed["categories"]) for feed in listed] == [
            ("feed/1", "cocoa", []),
            ("feed/2", "sport", []),
        ]
        assert all(feed["url"].startswith(served.base) for feed in listed)


def test_an_item_has_what_clients_ask_of_it(served):
    with served.client() as client:
        (item,) = client.get("stream/contents/feed/1", params={"n": 1, "r": "o"}).json()["items"]
    assert item["id"] == long_id(numbers(served)["Cocoa up"])
    assert item["title"] == "Cocoa up"
    assert item["origin"] == {"streamId": "feed/1", "title": "cocoa", "htmlUrl": "https://example.org/a"}
    assert item["canonical"] == [{"href": "https://example.org/a"}]
    assert item["categories"] == [READING_LIST, "user/-/state/com.google/fresh"]
    assert "Cocoa prices rise after a poor harvest" in item["summary"]["content"]
    assert "Because of" in item["summary"]["content"]
    delivered = served.clock.now - timedelta(minutes=3)
    assert item["published"] == delivered.timestamp()
    assert item["timestampUsec"] == item["crawlTimeMsec"] + "000" == str(round(delivered.timestamp() * 1e6))


def test_titles_are_shown_letter_for_letter_and_links_lead_to_the_web_alone(served):
    with served.client() as client:
        items = {item["title"]: item for item in client.get("stream/contents").json()["items"]}
    assert "A late ＜harvest＞ ＆ more" in items
    assert items["The match"]["canonical"] == items["The match"]["alternate"] == []


def test_streams_by_profile_state_and_order(served):
    assert titles(served, "feed/2") == ["The match"]
    cocoa = ["At the port", "A late ＜harvest＞ ＆ more", "Cocoa up"]
    assert titles(served, "feed/1") == cocoa
    assert titles(served, "feed/1", r="o") == cocoa[::-1]
    assert titles(served) == ["The match", *cocoa]
    assert titles(served, "user/1/state/com.google/reading-list", n=2) == ["The match", "At the port"]
    edit(served, "Cocoa up", a=STARRED)
    edit(served, "At the port", a=NOT_RELEVANT)
    edit(served, "The match", a=[SAVED, READ])
    assert titles(served, STARRED) == ["Cocoa up"]
    assert titles(served, NOT_RELEVANT) == ["At the port"]
    assert titles(served, SAVED) == ["The match"]
    assert titles(served, xt=STARRED) == ["The match", *cocoa[:2]]
    assert titles(served, xt=[STARRED, SAVED]) == cocoa[:2]
    assert titles(served, it=STARRED) == ["Cocoa up"]
    assert titles(served, "feed/2", it=STARRED) == []
    assert titles(served, STARRED, it=NOT_RELEVANT) == []
    assert titles(served, it="user/-/label/unknown") == []
    assert titles(served, xt=READING_LIST) == []
    assert titles(served, xt="feed/1") == ["The match"]


def test_reading_marks_choose_too(served):
    edit(served, "The match", a=READ)
    assert titles(served, xt=READ)[0] == "At the port"
    assert titles(served, it=READ) == ["The match"]
    assert titles(served, READ) == ["The match"]
    assert len(titles(served, "user/-/state/com.google/kept-unread")) == 3


def test_times_bound_a_stream_whole_or_in_parts_of_seconds(served):
    last = served.clock.now.timestamp()
    assert titles(served, ot=f"{last - 60.5}") == ["The match", "At the port"]
    assert titles(served, nt=int(last) - 150) == ["Cocoa up"]
    for nonsense in ("soon", "nan", "-1", "1e400", "0"):
        assert len(titles(served, ot=nonsense, nt=nonsense, n=nonsense)) in (0, 4)


def test_a_long_stream_is_read_page_by_page(served):
    for order in ("n", "o"):
        seen, continuation = [], None
        while True:
            with served.client() as client:
                given = {"n": 1, "r": order} | ({"c": continuation} if continuation else {})
                page = client.get("stream/contents", params=given).json()
            seen += [item["title"] for item in page["items"]]
            continuation = page.get("continuation")
            if continuation is None:
                break
        assert seen == titles(served, r=order)


def test_pages_of_what_is_not_starred_leave_nothing_out(served):
    edit(served, "At the port", a=STARRED)
    with served.client() as client:
        given = {"s": READING_LIST, "xt": STARRED, "n": 2}
        first = client.get("stream/items/ids", params=given).json()
        second = client.get("stream/items/ids", params={**given, "c": first["continuation"]}).json()
    assert [len(first["itemRefs"]), len(second["itemRefs"]), "continuation" in second] == [2, 1, False]


def test_ids_lead_to_contents_as_netnewswire_asks(served):
    with served.client() as client:
        given = {"s": READING_LIST, "n": "1000", "xt": READ, "output": "json"}
        references = client.get("stream/items/ids", params=given).json()["itemRefs"]
        wanted = [f"tag:google.com,2005:reader/item/{int(one['id']):x}" for one in references]
        answer = client.post("stream/items/contents", data={"i": wanted, "output": "json"}).json()
        assert [item["title"] for item in answer["items"]] == titles(served)
        assert references[0]["directStreamIds"] == ["feed/2"]
        padded = [f"tag:google.com,2005:reader/item/{int(one['id']):016x}" for one in references[:2]]
        assert client.post("edit-tag", data={"i": padded, "a": READ}).text == "OK"
        assert len(client.get("stream/items/ids", params=given).json()["itemRefs"]) == 2


def test_unknown_ids_are_passed_over(served):
    with served.client() as client:
        wanted = [long_id(10**9), "nonsense", "12", long_id(numbers(served)["Cocoa up"])]
        items = client.post("stream/items/contents", data={"i": wanted}).json()["items"]
        assert [item["title"] for item in items] == ["Cocoa up"]
        assert client.post("edit-tag", data={"i": wanted[:3], "a": STARRED}).text == "OK"


def test_unread_entries_are_counted_by_profile(served):
    edit(served, "Cocoa up", a=READ)
    with served.client() as client:
        counts = client.get("unread-count", params={"output": "json"}).json()
    newest = {count["id"]: count.pop("newestItemTimestampUsec") for count in counts["unreadcounts"]}
    assert counts == {
        "max": 3,
        "unreadcounts": [
            {"id": "feed/1", "count": 2},
            {"id": "feed/2", "count": 1},
            {"id": READING_LIST, "count": 3},
        ],
    }
    assert newest["feed/1"] < newest["feed/2"] == newest[READING_LIST]


def test_tags_and_preferences_are_listed(served):
    with served.client() as client:
        assert [tag["id"] for tag in client.get("tag/list").json()["tags"]] == [STARRED, NOT_RELEVANT, SAVED]
        assert client.get("preference/list").json() == {"prefs": []}
        assert client.get("preference/stream/list").json() == {"streamprefs": {}}


def test_atom_is_a_feed_that_a_client_need_not_read_twice(served):
    edit(served, "Cocoa up", a=[READ, STARRED])
    auth = {"Authorization": f"GoogleLogin auth=1/{served.secret}"}
    client, path = served.browser(**auth), "/reader/atom/feed%2F1?n=20"
    answer = client.get(path)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.text)
    assert feed.findtext(f"{ATOM}title") == "cocoa"
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [
        "At the port",
        "A late <harvest> & more",
        "Cocoa up",
    ]
    labels = [[label.get("label") for label in entry.findall(f"{ATOM}category")] for entry in entries]
    assert labels == [
        ["reading-list", "fresh"],
        ["reading-list", "fresh"],
        ["reading-list", "read", "starred"],
    ]
    known = {"If-None-Match": answer.headers["etag"]}
    assert client.get(path, headers=known).status_code == 304
    edit(served, "Cocoa up", r=READ)
    assert client.get(path, headers=known).status_code == 200


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


def subscriptions(served):
    with served.client() as client:
        return {feed["id"]: feed["title"] for feed in client.get("subscription/list").json()["subscriptions"]}


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
    from gainful.filtering.state.reader_states import reader_filter

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


def test_a_database_that_is_away_is_said_with_503_and_comes_back(clock, postgres_server):
    address = postgres_server.database()
    stocked(address, clock)
    for served in serving(address, clock):
        with served.client() as client:
            assert client.get("subscription/list").status_code == 200
            postgres_server.kill()
            away = client.get("subscription/list")
            assert (away.status_code, away.headers["Retry-After"]) == (503, "30")
            postgres_server.start()
            assert client.get("subscription/list").status_code == 200
