"""The Google Reader API: login, ids, streams, and everything else that clients ask for."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.filtering.service.google_reader_streams import entry_number, long_id, short_id

from .conftest import serving, stocked
from .feed_reader import (
    ATOM,
    NOT_RELEVANT,
    READ,
    READING_LIST,
    SAVED,
    STARRED,
    edit,
    numbers,
    titles,
)

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
