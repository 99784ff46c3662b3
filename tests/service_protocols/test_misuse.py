"""What a reader could do to the others or to strangers by means of the protocols: nothing."""

import asyncio
import logging
import re
from pathlib import Path

import httpx
import pytest

from gainful.errors import DataError
from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service import google_reader, mail_digest, open_inboxes, webhooks
from gainful.filtering.service.mail_digest import ANSWERS, CONFIRMING, ENDING
from gainful.filtering.service.service_faults import UNUSABLE
from gainful.filtering.service.service_parts import ServiceOptions
from gainful.filtering.service.sessions import forgery_token
from gainful.filtering.service.signed_links import SignedLinks
from gainful.filtering.service.webhooks import Webhooks, deliver_webhooks
from gainful.filtering.state.reader_states import reader_address, reader_filter
from gainful.filtering.state.store import StoreUnavailable

from .conftest import BEGIN, Asked, copied, serving
from .digests import next_day, plans, send
from .feed_reader import READING_LIST, STARRED, subscriptions

PROGRAMS = "/settings/programs"


def form(served, browser, path, **given):
    """A form of ada's page of programs, sent."""
    secret = served.service.sessions.begin(1)
    cookies = {"Cookie": f"gainful_session={secret}", **given.pop("headers", {})}
    return browser.post(f"{PROGRAMS}{path}", data={"token": forgery_token(secret), **given}, headers=cookies)


# ---- what faults tell


def test_a_damaged_state_is_told_without_its_place_on_the_server(served, caplog):
    served.service.accounts.create("bob")
    secret = served.service.accounts.add_api_password(2, "tests")
    path = Path(reader_address(served.address, 2))
    path.parent.mkdir()
    path.write_bytes(b"no state" * 1000)
    with served.client(secret, reader=2) as bob, caplog.at_level(logging.WARNING):
        refused = bob.get("subscription/list")
    assert (refused.status_code, refused.text) == (409, f"{UNUSABLE}\n")
    assert str(path) in caplog.text
    with served.client() as ada:
        assert ada.get("subscription/list").status_code == 200


def test_a_reader_whose_log_could_not_be_removed_is_not_told_that_it_is_forgotten(served, monkeypatch):
    served.service.accounts.create("bob")
    reader_filter(served.address, 2, create=True).close()
    secret = served.service.sessions.begin(2)

    def away(*_):
        raise StoreUnavailable("the database is away")

    def forget(browser):
        given = {"token": forgery_token(secret), "name": "bob"}
        return browser.post(
            "/settings/forget", data=given, headers={"Cookie": f"gainful_session={secret}"}
        ).status_code

    with served.browser() as browser:
        with monkeypatch.context() as patch:
            patch.setattr(open_inboxes, "remove_reader", away)
            assert forget(browser) == 503
        assert served.service.accounts.named("bob") is not None
        assert forget(browser) == 303
    assert served.service.accounts.named("bob") is None
    assert not Path(reader_address(served.address, 2)).exists()


# ---- mail


def test_a_forged_host_does_not_stand_in_the_mail_that_asks_for_a_confirmation(posted, mailbox):
    with posted.browser() as browser:
        forged = {"headers": {"Host": "evil.test"}, "hour": "7", "most": "5"}
        form(posted, browser, "/mail", address="stranger@example.org", **forged)
    (message,) = mailbox.messages
    assert "evil.test" not in message.get_content()
    assert "http://gainful.test/mail/confirm/" in message.get_content()


def test_without_a_public_address_no_confirmation_is_mailed(served, mailbox):
    with served.browser() as browser:
        answer = form(served, browser, "/mail", address="stranger@example.org", hour="7", most="5")
    assert "--public-url" in re.sub("%20", " ", answer.headers["set-cookie"])
    assert mailbox.messages == []


def test_ending_a_digest_and_asking_again_does_not_flood_a_stranger(posted, mailbox):
    with posted.browser() as browser:
        for _ in range(4):
            form(posted, browser, "/mail", address="stranger@example.org", hour="7", most="5")
            form(posted, browser, "/mail/end")
    assert len(mailbox.messages) == 1
    posted.clock.pass_(minutes=11)
    with posted.browser() as browser:
        form(posted, browser, "/mail", address="stranger@example.org", hour="7", most="5")
    assert len(mailbox.messages) == 2


@pytest.mark.parametrize(
    ("path", "purpose", "facts"),
    [
        ("answer", ANSWERS, (2, 1, "relevant")),
        ("unsubscribe", ENDING, (2, "bob@example.org")),
        ("confirm", CONFIRMING, (2, "bob@example.org")),
    ],
)
def test_links_of_a_removed_account_do_not_work_and_make_no_state(served, path, purpose, facts):
    served.service.accounts.create("bob")
    link = f"/mail/{path}/{SignedLinks(served.service.ledger, purpose).token(*facts)}"
    with served.browser() as browser:
        assert browser.get(link).status_code != 410
        served.service.accounts.remove(2)
        Asked.run(served.service.inboxes.forget(2))
        assert browser.get(link).status_code == 410
        assert browser.post(link).status_code == 410
    assert not Path(reader_address(served.address, 2)).exists()


def test_a_digest_that_cannot_be_written_keeps_no_other_back(posted, mailbox, monkeypatch, caplog):
    posted.service.accounts.create("bob")
    reader_filter(posted.address, 2, create=True).close()
    plans(posted).put(2, "bob@example.org", upto=0, hour=7, confirmed=True)
    written = mail_digest.DigestPost.write

    def stumble(post, claim, inbox):
        if claim.plan.reader == 1:
            raise LookupError("a header that no library takes")
        return written(post, claim, inbox) or mail_digest.Written(_note(), 1)

    monkeypatch.setattr(mail_digest.DigestPost, "write", stumble)
    next_day(posted)
    send(posted)
    assert mailbox.recipients == [["bob@example.org"]]
    assert "no library takes" in caplog.text


def _note():
    return mail_digest.confirmation_message(
        "https://example.org", sender="gainful@example.org", to="bob@example.org", now=BEGIN
    )


# ---- requests that cost much


def test_streams_that_are_left_out_are_looked_up_once_each_and_are_few(served, monkeypatch):
    asked, marks = [], Inbox.marks
    monkeypatch.setattr(Inbox, "marks", lambda *given, **which: asked.append(1) or marks(*given, **which))
    with served.client() as client:
        given = {"s": READING_LIST, "xt": [STARRED] * 1_000}
        assert client.get("stream/items/ids", params=given).status_code == 200
        assert len(asked) == 2
        many = {"s": READING_LIST, "xt": [f"feed/{number}" for number in range(21)]}
        refused = client.get("stream/items/ids", params=many)
    assert refused.status_code == 400
    assert "at most 20 streams in xt" in refused.text


def test_one_request_edits_few_subscriptions(served):
    streams = [f"feed/https://site{number}.example/" for number in range(101)]
    with served.client() as client:
        refused = client.post("subscription/edit", data={"ac": "subscribe", "s": streams})
        assert refused.status_code == 400
        accepted = client.post("subscription/edit", data={"ac": "subscribe", "s": streams[:100]})
        assert accepted.status_code == 200
    with served.inbox() as inbox:
        assert len(inbox.feeds.feeds(1)) == 100


def test_names_and_wishes_of_profiles_are_bounded_and_on_one_line(served):
    with served.client() as client:
        long = {"ac": "edit", "s": "feed/1", "t": "x" * 101}
        assert client.post("subscription/edit", data=long).status_code == 400
        odd = {"ac": "edit", "s": "feed/1", "t": " two\nlines\x1b[2J "}
        assert client.post("subscription/edit", data=odd).status_code == 200
        wish = client.post("subscription/quickadd", data={"quickadd": "bees " * 1_001}).json()
        assert wish["numResults"] == 0
        assert client.post("subscription/quickadd", data={"quickadd": "bees\nand hives"}).json()["numResults"]
    assert list(subscriptions(served).values()) == ["two lines [2J", "sport", "bees and hives"]


def test_a_reader_has_one_address_searched_for_feeds_at_a_time_and_all_have_four(served, monkeypatch):
    under_way, most, said, refused = [], [0], [], asyncio.Event()
    clients = [f"1/{served.secret}"]
    for reader in range(2, 8):
        served.service.accounts.create(f"reader {reader}")
        clients.append(f"{reader}/{served.service.accounts.add_api_password(reader, 'tests')}")

    async def search(*_, **__):
        under_way.append(1)
        most[0] = max(most[0], len(under_way))
        async with asyncio.timeout(30):
            await refused.wait()  # until all that are too many have been told so
        under_way.pop()
        raise DataError("no feed")

    async def ask(client, auth):
        path, asked = "/reader/api/0/subscription/quickadd", {"quickadd": "https://slow.example/"}
        headers = {"Authorization": f"GoogleLogin auth={auth}"}
        said.append((await client.post(path, data=asked, headers=headers)).json()["error"])
        if len(said) == 2 * len(clients):
            refused.set()

    async def ask_at_once():
        transport = httpx.ASGITransport(served.app)
        async with httpx.AsyncClient(transport=transport, base_url=served.base) as client:
            await asyncio.gather(*(ask(client, auth) for auth in clients * 3))

    monkeypatch.setattr(google_reader, "find_feed", search)
    Asked.run(ask_at_once())
    assert said[-len(clients) :] == ["no feed"] * len(clients)
    assert all("still being looked at" in sentence for sentence in said[: -len(clients)])
    assert most == [4]
    assert served.service.seekers == set()


# ---- webhooks


@pytest.fixture
def hooked(folder, clock, stock):
    """A service with a second reader."""
    options = ServiceOptions(network=NetworkRules(allow_private=False))
    for served in serving(copied(stock, folder, clock), clock, options):
        served.service.accounts.create("bob")
        yield served


def hooks(served):
    return Webhooks(served.service.ledger, chance=lambda: 1.0)


def test_a_number_that_another_reader_has_now_is_not_touched_by_a_round_for_the_old_one(hooked):
    old = hooks(hooked).add(1, "https://ada.example/", upto=0)
    hooks(hooked).remove(1, old.number)
    new = hooks(hooked).add(2, "https://bob.example/", upto=0)
    assert new.number == old.number
    assert [hook.reader for hook in hooks(hooked).claim()] == [2]
    hooks(hooked).failed(old, "late")
    hooks(hooked).acknowledged(old, 4)
    hooks(hooked).release(old)
    assert hooks(hooked).all(2) == [new]
    assert hooks(hooked).claim() == []  # still left to who claimed it


def test_slow_webhooks_of_a_reader_leave_places_to_others(hooked, monkeypatch):
    for number in range(12):
        hooks(hooked).add(1, f"https://slow{number}.example/", upto=0)
    reader_filter(hooked.address, 2, create=True).close()
    hooks(hooked).add(2, "https://bob.example/", upto=0)
    under_way, most, quick = set(), [0], asyncio.Event()

    async def send_all(_, hook):
        if hook.reader == 2:
            quick.set()
            return
        under_way.add(hook.number)
        most[0] = max(most[0], len(under_way))
        async with asyncio.timeout(20):
            await quick.wait()  # slower than any other reader's webhook
        under_way.discard(hook.number)

    monkeypatch.setattr(webhooks._Round, "_send_all", send_all)
    Asked.run(deliver_webhooks(hooked.service))
    assert most[0] <= 2
    assert hooks(hooked).all(1)[0].failures == 0


def test_a_round_of_webhooks_ends_in_time_and_gives_back_what_it_did_not_tell(hooked, monkeypatch):
    hooks(hooked).add(1, "https://ada.example/", upto=0)
    monkeypatch.setattr(webhooks, "_ROUND_SECONDS", -1.0)
    Asked.run(deliver_webhooks(hooked.service))
    (hook,) = hooks(hooked).claim()
    assert (hook.failures, hook.upto) == (0, 0)


def test_a_webhook_that_a_library_stumbles_over_keeps_no_other_back(hooked, monkeypatch, caplog):
    for name in ("one", "two"):
        hooks(hooked).add(1, f"https://{name}.example/", upto=0)

    async def send_one(_client, hook, _entry, _time):
        if "one" in hook.address:
            raise LookupError("what no library takes")
        return "", False

    monkeypatch.setattr(webhooks, "_send", send_one)
    Asked.run(deliver_webhooks(hooked.service))
    one, two = hooks(hooked).all(1)
    assert (one.failures, one.fault) == (1, "it could not be told; the server's log says why")
    assert (two.failures, two.upto > 0) == (0, True)
    assert "what no library takes" in caplog.text
