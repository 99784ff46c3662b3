"""Webhooks: what they are told, how it is signed, that nothing is lost, and where nothing is sent."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta

import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Document
from gainful.filtering.feeds.guarded_network import NetworkRules
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.service_parts import ServiceOptions
from gainful.filtering.service.webhooks import Webhooks, deliver_webhooks
from gainful.filtering.state.store_address import open_store

from .conftest import Asked, Running, copied, serving


class Receiver:
    """A server that is told of deliveries: keeps the requests, answers with the next of its statuses, the last for ever."""

    def __init__(self):
        self.requests, self.statuses = [], [204]

    async def __call__(self, scope, receive, send):
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.requests.append((headers, body))
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        sent = [(b"location", b"http://169.254.169.254/")] if 300 <= status < 400 else []
        await send({"type": "http.response.start", "status": status, "headers": sent})
        await send({"type": "http.response.body", "body": b""})

    def told(self):
        """Titles that it was told of."""
        return [json.loads(body)["data"]["title"] for _, body in self.requests]


@pytest.fixture
def receiver():
    target = Receiver()
    with Running(target) as target.base:
        yield target


@pytest.fixture
def hooked(folder, clock, stock, receiver):
    """A service that may send to loopback, with a webhook that has been told of nothing yet."""
    options = ServiceOptions(network=NetworkRules(allow_private=True))
    for served in serving(copied(stock, folder, clock), clock, options):
        served.hook = hooks(served).add(1, f"{receiver.base}/hook", upto=0, allow_private=True)
        yield served


def hooks(served):
    return Webhooks(served.service.ledger, chance=lambda: 1.0)


def deliver(served):
    """What the service does every few seconds."""
    Asked.run(deliver_webhooks(served.service))


def test_every_delivery_is_told_once_oldest_first(hooked, receiver):
    deliver(hooked)
    assert receiver.told() == ["Cocoa up", "A late <harvest> & more", "At the port", "The match"]
    deliver(hooked)
    assert len(receiver.requests) == 4
    with hooked.inbox() as inbox:
        inbox.filter.ingest([Document("e", "Cocoa prices rise, a poor cocoa harvest", "Again")])
    deliver(hooked)
    assert receiver.told()[4:] == ["Again"]


def test_a_message_says_what_came_and_why(hooked, receiver):
    deliver(hooked)
    message = json.loads(receiver.requests[0][1])
    assert message["type"] == "entry.delivered"
    data = message["data"]
    assert (data["profile"], data["link"]) == ("cocoa", "https://example.org/a")
    assert data["score"] >= data["threshold"]
    assert "harvest" in data["words"]


def test_messages_are_signed_as_the_specification_says(hooked, receiver):
    deliver(hooked)
    for headers, body in receiver.requests:
        name, time = headers["webhook-id"], headers["webhook-timestamp"]
        key = base64.b64decode(hooked.hook.secret.removeprefix("whsec_"))
        signed = f"{name}.{time}.".encode() + body
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == f"v1,{expected}"
        assert int(time) == hooked.clock.now.timestamp()
    assert len({headers["webhook-id"] for headers, _ in receiver.requests}) == 4


def test_a_message_that_is_not_taken_is_sent_again_by_the_same_name(hooked, receiver):
    receiver.statuses = [204, 503, 204]
    deliver(hooked)
    assert len(receiver.requests) == 2
    deliver(hooked)
    assert len(receiver.requests) == 2  # not at once
    (hook,) = hooks(hooked).all(1)
    assert (hook.failures, hook.fault) == (1, "it answered with status 503")
    hooked.clock.now = hook.due
    deliver(hooked)
    ids = [headers["webhook-id"] for headers, _ in receiver.requests]
    assert ids[1] == ids[2]
    assert len(ids) == 5
    (hook,) = hooks(hooked).all(1)
    assert (hook.failures, hook.fault) == (0, "")


def test_a_process_that_ends_before_it_has_noted_an_answer_sends_the_message_again(
    hooked, receiver, monkeypatch
):
    class EndedError(BaseException):
        """Stands for the end of the process: nothing that handles faults sees it."""

    def ended(*_):
        raise EndedError

    with monkeypatch.context() as patch:
        patch.setattr(Webhooks, "acknowledged", ended)
        patch.setattr(Webhooks, "release", lambda *_: None)
        with pytest.raises(EndedError):
            deliver(hooked)
    hooked.clock.pass_(minutes=6)
    deliver(hooked)
    assert receiver.told() == ["Cocoa up", "Cocoa up", "A late <harvest> & more", "At the port", "The match"]
    ids = [headers["webhook-id"] for headers, _ in receiver.requests]
    assert ids[0] == ids[1]


def test_an_address_that_fails_is_asked_less_and_less_and_at_least_daily(hooked, receiver):
    receiver.statuses = [500]
    waits = []
    for _ in range(14):
        (hook,) = hooks(hooked).all(1)
        hooks(hooked).failed(hook, "away")
        (hook,) = hooks(hooked).all(1)
        waits.append((hook.due - hooked.clock.now) / timedelta(minutes=1))
    assert waits == [*(2.0**step for step in range(11)), 1440.0, 1440.0, 1440.0]


def test_waits_differ_so_that_not_all_come_back_at_once(hooked):
    early = Webhooks(hooked.service.ledger, chance=lambda: 0.0)
    (hook,) = early.all(1)
    early.failed(hook, "away")
    assert early.all(1)[0].due - hooked.clock.now == timedelta(seconds=30)


def test_an_address_that_is_gone_is_never_asked_again(hooked, receiver):
    receiver.statuses = [410]
    deliver(hooked)
    hooked.clock.pass_(days=30)
    deliver(hooked)
    assert len(receiver.requests) == 1
    assert hooks(hooked).all(1)[0].gone


def test_redirects_are_not_followed(hooked, receiver):
    receiver.statuses = [302]
    deliver(hooked)
    assert len(receiver.requests) == 1
    assert hooks(hooked).all(1)[0].fault == "it answered with status 302"


def test_only_one_of_several_processes_tells(hooked, receiver):
    second = Ledger(open_store(hooked.address), hooked.clock)
    assert len(hooks(hooked).claim()) == 1
    assert Webhooks(second).claim() == []
    deliver(hooked)
    assert receiver.requests == []
    hooked.clock.pass_(minutes=6)  # the one that claimed it has ended without a word
    assert len(Webhooks(second).claim()) == 1
    second.close()


def test_a_clock_that_was_years_ahead_does_not_silence_a_webhook(hooked, receiver):
    hooked.clock.pass_(days=3000)
    (hook,) = hooks(hooked).claim()
    hooks(hooked).failed(hook, "away")
    hooked.clock.pass_(days=-3000)
    deliver(hooked)
    assert len(receiver.requests) == 4


def test_one_that_fails_keeps_no_other_back(hooked, receiver):
    hooks(hooked).add(1, "http://127.0.0.1:1/", upto=0, allow_private=True)
    deliver(hooked)
    first, second = hooks(hooked).all(1)
    assert (first.fault, len(receiver.requests)) == ("", 4)
    assert second.failures == 1
    assert second.fault


def test_a_webhook_of_one_profile_is_told_of_that_one(hooked, receiver):
    hooks(hooked).remove(1, hooked.hook.number)
    hooks(hooked).add(1, receiver.base, upto=0, profile=2, allow_private=True)
    deliver(hooked)
    assert receiver.told() == ["The match"]


def test_another_reader_cannot_remove_it(hooked):
    hooks(hooked).remove(2, hooked.hook.number)
    assert len(hooks(hooked).all(1)) == 1
    assert hooks(hooked).all(2) == []


def test_claims_answers_and_failures_are_kept_in_either_database(anywhere):
    kept = hooks(anywhere)
    first, second = (kept.add(1, f"https://example.org/{place}", upto=5, profile=place) for place in (1, 2))
    assert [hook.number for hook in kept.claim()] == [first.number, second.number]
    kept.acknowledged(first, 9)
    kept.acknowledged(first, 8)  # an older answer does not take it back
    kept.failed(second, "away")
    kept.release(first)
    kept.release(second)
    assert [(hook.upto, hook.failures, hook.fault) for hook in kept.all(1)] == [(9, 0, ""), (5, 1, "away")]
    assert [hook.number for hook in kept.claim()] == [first.number]
    anywhere.service.accounts.remove(1)
    assert kept.all(1) == []


# ---- where nothing is sent


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://169.254.169.254/latest",
        "https://10.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://0.0.0.0/",
    ],
)
def test_addresses_inside_are_refused_when_they_are_given(served, address):
    with pytest.raises(UsageError, match="cannot lead to"):
        hooks(served).add(1, address, upto=0)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "ftp://example.org/", "http://", "", "file:///etc/passwd"]
)
def test_what_is_no_web_address_is_refused(served, address):
    with pytest.raises(DataError):
        hooks(served).add(1, address, upto=0)


def test_a_name_that_leads_inside_is_refused_after_it_was_looked_up(folder, clock, stock, receiver):
    async def resolve(_host, _port):
        return ["127.0.0.1"]

    options = ServiceOptions(network=NetworkRules(allow_private=False, resolve=resolve))
    for served in serving(copied(stock, folder, clock), clock, options):
        hooks(served).add(1, "http://hooks.example.org/", upto=0)
        deliver(served)
        assert "private address" in hooks(served).all(1)[0].fault
    assert receiver.requests == []


def test_a_reader_has_a_bounded_number(served):
    for place in range(20):
        hooks(served).add(1, f"https://example.org/{place}", upto=0)
    with pytest.raises(UsageError, match="at most 20"):
        hooks(served).add(1, "https://example.org/more", upto=0)
