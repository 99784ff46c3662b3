"""Every route, asked by one reader for another reader's things: nothing of them is seen, and nothing of them changes."""

import re

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gainful.filtering.state.store_address import open_store

from .serving import Browser, Clock, Served, publish

SECRET = "okapi"
"""A word that stands in everything of the other reader, and in no request."""

ITEMS = [
    (f"The {SECRET} of house {number}", f"A story about the {SECRET}, number{number} of many")
    for number in range(6)
]


def furnish(served, reader, name):
    """A reader with a profile, items, a feed, answers, marks and a password for programs, all with the secret word."""
    account = served.accounts.create(name, "a password of " + name)
    assert account.reader == reader
    served.accounts.add_api_password(reader, f"{SECRET} phone")
    with served.inbox(reader) as inbox:
        inbox.filter.add_profile("stories", text=f"a story about the {SECRET}", rule="fixed(theta=0.001)")
        publish(
            inbox,
            f"https://{name}.example/{SECRET}",
            ITEMS,
            title=f"{SECRET} paper",
            folder=f"{SECRET} folder",
        )
        inbox.take_in()
        entries = inbox.entries()
        assert len(entries) >= 2
        inbox.answer_entry(entries[0].number, "relevant")
        inbox.mark([entries[1].number], saved=True)
        return {
            "numbers": [str(entry.number) for entry in entries],
            "items": [entry.item for entry in entries],
            "feeds": [str(feed.number) for feed in inbox.feeds.feeds(reader)],
        }


def kept(served, reader):
    """Everything of a reader in the states, as text."""
    rows = []
    with served.inbox(reader) as inbox, inbox.filter.store.reading():
        for table in (
            "events",
            "documents",
            "deliveries",
            "feedback",
            "changes",
            "profiles",
            "judgments",
            "marks",
        ):
            rows += [table, *map(str, inbox.filter.store.execute(f"SELECT * FROM {table} ORDER BY 1, 2"))]
    store = open_store(served.address)
    try:
        with store.reading():
            for table in ("accounts", "api_passwords", "subscriptions"):
                query = f"SELECT * FROM {table} WHERE reader = ? ORDER BY 1, 2"
                rows += [table, *map(str, store.execute(query, (reader,)))]
    finally:
        store.close()
    return "\n".join(rows)


class House:
    """A service with two readers: one whose things are wanted, one who wants them."""

    def __init__(self, address, owner):
        self.served = Served(address, Clock())
        self.owner, self.thief = owner, 3 - owner

    def __enter__(self):
        self.served.__enter__()
        for reader, name in ((1, "ada"), (2, "eve")):
            if reader == self.owner:
                self.wanted = furnish(self.served, reader, name)
            else:
                self.served.accounts.create(name, "a password of " + name)
                with self.served.inbox(reader) as inbox:
                    inbox.filter.add_profile("own", text="gardens and trains")
        self.secret = self.served.accounts.add_api_password(self.thief, "own")
        self.before = kept(self.served, self.owner)
        self.browser = Browser(self.served)
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.served.__exit__()

    def routes(self):
        return sorted(
            (method, route.path)
            for route in self.served.app.routes
            for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"})
        )

    def ask(self, method, path, fields):
        """A request of the thief, with a session, a token and a password for programs that are right."""
        session = self.served.service.sessions.begin(self.thief)
        self.browser.cookies.clear()
        self.browser.cookies.set("gainful_session", session)
        headers = {"Authorization": f"GoogleLogin auth={self.thief}/{self.secret}"}
        where = re.sub(
            r"\{(\w+)(?::\w+)?\}", lambda part: fields.get(part[1]) or fields.get("number") or "1", path
        )
        where = where.replace("?", "%3F").replace("#", "%23")
        if method == "POST":
            sent = {**fields, "token": self.browser.token()}
            return self.browser.post(where, data=sent, headers=headers)
        return self.browser.request(method, where, params=fields, headers=headers)


@pytest.fixture(scope="module", params=[1, 2], ids=["of-the-first-reader", "of-another-reader"])
def house(request, tmp_path_factory):
    from gainful.filtering.state.filter import Filter

    path = tmp_path_factory.mktemp("house") / "my.filter"
    Filter.create(path).close()
    with House(str(path), request.param) as house:
        yield house


def bundles(wanted):
    """Fields that name another reader's things, for every button and form."""
    presses = ("not-relevant {number}", "undo {number}", "save {number}", "relevant 1/{item}")
    return [
        {
            **{
                "number": number,
                "press": press.format(number=number, item=item),
                "keep": number,
                "before": "999999",
                "i": number,
                "item": item,
                "feed": feed,
                "do": "forget",
            },
            **{
                "profile": "stories",
                "name": "stories",
                "in": "stories",
                "answered": item,
                "q": "story",
                "show": "all",
            },
            **{"threshold": "0.0", "rename": "taken", "text": "taken", "title": "taken", "folder": "taken"},
            **{"s": "feed/stories", "streamId": "feed/stories", "output": "json", "n": "100", "reader": "1"},
        }
        for number, item, feed, press in zip(
            wanted["numbers"] * 4, wanted["items"] * 4, wanted["feeds"] * 8, presses, strict=False
        )
    ]


def test_another_readers_things_are_neither_seen_nor_changed_by_their_numbers_and_names(house):
    asked = 0
    for method, path in house.routes():
        for fields in bundles(house.wanted):
            answer = house.ask(method, path, fields)
            assert answer.status_code < 500, (method, path, answer.text)
            assert SECRET not in answer.text, (method, path)
            asked += 1
    assert asked > 100
    assert kept(house.served, house.owner) == house.before


def test_the_owner_herself_sees_them_by_the_same_requests(house):
    """Otherwise the tests beside this one could not fail."""
    with Browser(house.served, house.owner) as owner:
        paths = [
            "/?show=all",
            f"/entry/{house.wanted['numbers'][0]}",
            "/profile?name=stories",
            "/feeds",
            "/feeds.opml",
        ]
        assert all(SECRET in owner.get(path).text for path in [*paths, "/settings/export"])


NAMES = [
    *(
        "number",
        "press",
        "item",
        "profile",
        "name",
        "feed",
        "do",
        "keep",
        "before",
        "until",
        "back",
        "threshold",
        "rename",
        "in",
    ),
    *(
        "answered",
        "reader",
        "s",
        "i",
        "a",
        "r",
        "n",
        "ac",
        "t",
        "streamId",
        "output",
        "show",
        "account",
        "user",
    ),
]


@settings(max_examples=120, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_request_at_all_reaches_another_readers_things(house, data):
    known = [
        *house.wanted["numbers"],
        *house.wanted["items"],
        *house.wanted["feeds"],
        "stories",
        "feed/stories",
    ]
    values = st.sampled_from(
        [
            *known,
            "1",
            "2",
            "0",
            "-1",
            "ada",
            "eve",
            "relevant",
            "undo",
            "save",
            "forget",
            "user/1/state/com.google/starred",
        ]
    ) | st.text(max_size=8)
    method, path = data.draw(st.sampled_from(house.routes()))
    fields = data.draw(st.dictionaries(st.sampled_from(NAMES), values, max_size=6))
    answer = house.ask(method, path, fields)
    assert answer.status_code < 500, (method, path, fields, answer.text)
    assert SECRET not in answer.text
    assert kept(house.served, house.owner) == house.before


def test_without_a_session_every_page_leads_to_the_login_and_every_form_is_refused(house):
    with httpx.Client(base_url=house.served.base) as stranger:
        open_to_all = {"/login", "/start", "/health", "/static/{name}"}
        for method, path in house.routes():
            if path in open_to_all:
                continue
            for fields in bundles(house.wanted)[:2]:
                where = re.sub(r"\{\w+(?::\w+)?\}", fields["number"], path)
                sent = {"data": fields} if method == "POST" else {"params": fields}
                answer = stranger.request(method, where, **sent)
                assert SECRET not in answer.text
                assert answer.status_code in (303, 307, 400, 401, 403, 404, 405, 410, 429), (
                    method,
                    path,
                    answer.status_code,
                )
    assert kept(house.served, house.owner) == house.before
