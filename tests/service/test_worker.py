"""What the service does by itself: fetching, filtering, one process of several, and what fails stops nothing else."""

import asyncio
import logging
import threading
import time

import pytest

from gainful.errors import DataError
from gainful.filtering.service.background_worker import Worker, fetch, take_in
from gainful.filtering.service.open_inboxes import OpenInboxes
from gainful.filtering.state.filter import Filter

from .newsstand import SENTENCE, opml
from .serving import Served, publish


@pytest.fixture
def bare(either, clock):
    """A service on either database that only does what a test asks for, with two readers."""
    served = Served(either, clock)
    for name in ("ada", "bob"):
        served.accounts.create(name)
    yield served
    asyncio.run(served.service.inboxes.close())
    served.service.ledger.close()


def test_feeds_are_fetched_and_their_items_filtered_for_each_reader_alone(bare, stand):
    from gainful.filtering.feeds.opml import read_opml

    for reader, sentence in ((1, SENTENCE), (2, "trains, trams and timetables")):
        with bare.inbox(reader) as inbox:
            inbox.filter.add_profile("mine", text=sentence)
            for feed in read_opml(opml(stand.base).encode()).feeds:
                inbox.feeds.subscribe(reader, feed.address)

    async def work():
        await fetch(bare.service)
        await take_in(bare.service)

    asyncio.run(work())
    titles = {}
    for reader in (1, 2):
        with bare.inbox(reader) as inbox:
            assert inbox.filter.stats().documents == 14
            assert inbox.feeds.unseen(reader) == []
            titles[reader] = {entry.title for entry in inbox.entries()}
    assert titles[1]
    assert titles[2]
    assert not titles[1] & titles[2]


def test_a_damaged_state_of_one_reader_keeps_nothing_from_the_others(folder, clock, caplog):
    path = folder / "team.filter"
    Filter.create(path, clock=clock).close()
    served = Served(path, clock)
    for reader, name in enumerate(("ada", "bob", "eve"), 1):
        served.accounts.create(name)
        with served.inbox(reader) as inbox:
            inbox.filter.add_profile("bees", text=SENTENCE)
            publish(inbox, f"https://{name}.example", [("Bees", "bees and honey in the hive")])
    (folder / "team.filter.readers" / "2.filter").write_bytes(b"junk" * 1000)

    async def work():
        await take_in(served.service)
        with pytest.raises(DataError):
            await served.service.inboxes.ask(2, lambda inbox: inbox.unread())
        await served.service.inboxes.forget(2)  # a damaged state can be forgotten too
        with pytest.raises(DataError, match="removed"):
            await served.service.inboxes.ask(2, lambda inbox: inbox.unread())
        await served.service.inboxes.close()

    asyncio.run(work())
    served.service.ledger.close()
    assert "reader 2" in caplog.text
    assert not (folder / "team.filter.readers" / "2.filter").exists()
    for reader in (1, 3):
        with served.inbox(reader) as inbox:
            assert inbox.filter.stats().documents == 1


def test_of_two_processes_one_works_and_the_other_takes_over(bare, clock):
    done = []

    async def duty(service):
        done.append(service)

    first, second = Worker(bare.service, [duty]), Worker(bare.service, [duty])

    async def rounds():
        assert await first.round()
        assert not await second.round()
        assert len(done) == 1
        clock.pass_by(seconds=91)  # the first has ended without a word
        assert await second.round()
        assert not await first.round()
        await second.stop()

    asyncio.run(rounds())
    assert len(done) == 2


def test_a_duty_that_fails_is_logged_and_stops_no_other(bare, caplog):
    done = []

    async def refused(_):
        raise DataError("the feed of \x1b[2Jnowhere is gone.")

    async def broken(_):
        raise ZeroDivisionError

    async def fine(_):
        done.append(1)

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(Worker(bare.service, [refused, broken, fine]).round())
    assert done == [1]
    assert "nowhere is gone" in caplog.text
    assert "\x1b" not in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_database_that_is_away_is_waited_for(bare, monkeypatch):
    from gainful.filtering.state.store import StoreUnavailable

    def lost(*_):
        raise StoreUnavailable("the database does not answer.")

    worker = Worker(bare.service, [])
    with monkeypatch.context() as away:
        away.setattr(bare.service.ledger, "lease", lost)
        assert not asyncio.run(worker.round())
    assert asyncio.run(worker.round())


def test_a_wish_wakes_the_worker_before_its_time(state, clock, stand):
    with Served(state, clock, work=True, every=60) as served, served.reader() as ada:
        with served.inbox() as inbox:
            inbox.filter.add_profile("bees", text=SENTENCE)
        ada.submit("/feeds/subscribe", address=f"{stand.base}/meadow.xml")
        until = time.monotonic() + 20
        while "The Meadow Post" not in ada.get("/?show=all").text:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_clicks_come_in_between_while_many_items_are_filtered(bare):
    """A reader's items are taken in by parts, so that nobody waits for all of them."""
    with bare.inbox() as inbox:
        inbox.filter.add_profile("bees", text=SENTENCE)
        publish(inbox, "https://many.example", [(f"Bees {n}", f"bees number{n} word{n}") for n in range(450)])
    seen = []

    async def both():
        async def click():
            while not seen or seen[-1] < 450:
                seen.append(await bare.service.inboxes.ask(1, lambda inbox: inbox.filter.stats().documents))
                await asyncio.sleep(0)

        await asyncio.gather(take_in(bare.service), click())

    asyncio.run(both())
    assert any(0 < count < 450 for count in seen)


def test_inboxes_beyond_the_bound_are_closed_and_opened_again(folder, clock):
    path = folder / "many.filter"
    Filter.create(path, clock=clock).close()
    open_inboxes = OpenInboxes(str(path), clock=clock, most=2)

    async def visits():
        readers = [
            await open_inboxes.ask(reader, lambda inbox: inbox.reader) for reader in (1, 2, 3, 1, 4, 2)
        ]
        open_ones = len(open_inboxes._open)
        await open_inboxes.close()
        return readers, open_ones

    assert asyncio.run(visits()) == ([1, 2, 3, 1, 4, 2], 2)


def test_requests_of_one_reader_wait_for_each_other_and_those_of_others_do_not(folder, clock):
    path = folder / "two.filter"
    Filter.create(path, clock=clock).close()
    open_inboxes = OpenInboxes(str(path), clock=clock)
    order, other_was_there = [], threading.Event()

    def waits_for_the_other(inbox):
        order.append(f"{inbox.reader} begins")
        assert other_was_there.wait(30)
        order.append(f"{inbox.reader} ends")

    async def visits():
        own = [open_inboxes.ask(1, waits_for_the_other) for _ in range(2)]
        await asyncio.gather(*own, open_inboxes.ask(2, lambda _: other_was_there.set()))
        await open_inboxes.close()

    asyncio.run(visits())
    assert order == ["1 begins", "1 ends"] * 2
