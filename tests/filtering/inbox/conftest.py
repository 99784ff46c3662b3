"""Inboxes on both databases, with feeds whose items tests put in without any network."""

from contextlib import contextmanager

import pytest
from tests.filtering.feeds import publishing

from gainful.filtering import Filter
from gainful.filtering.inbox.inbox import Inbox

GARDEN = "Compost and mulch keep the soil of a {} moist, and {} thrive in it. Sow them in May, cover the seedlings."
TRADE = "Shares of the grocer {} rose by {} percent after the bank had lent it money for another warehouse."


class Desk:
    """Feeds of one state and the inboxes of its readers."""

    def __init__(self, address):
        self.address, self.clock, self.open = address, publishing.Clock(), []
        self.inbox = self.reader(1)

    def reader(self, number, **given):
        self.open.append(Inbox(self.address, number, clock=self.clock, create=True, **given))
        return self.open[-1]

    def subscribe(self, name="news", reader=1):
        return self.inbox.feeds.subscribe(reader, f"https://{name}.example/feed").number

    def publish(self, feed, *items):
        return publishing.publish(self.inbox.feeds, feed, *items)

    def garden(self, *names):
        return [self.item(name, GARDEN.format(name, f"{name} roses")) for name in names]

    def trade(self, *names):
        return [self.item(name, TRADE.format(name, len(name))) for name in names]

    def item(self, name, text, **given):
        own = {"title": f"About {name}", "text": text, "html": f"<p>{text}</p>", "author": "Ada"}
        return publishing.item(name, **{**own, **given})

    def close(self):
        for inbox in self.open:
            inbox.close()


@contextmanager
def opened(address):
    """A reader who likes gardening, and no feeds yet, in a new state."""
    Filter.create(address).close()
    desk = Desk(address)
    desk.inbox.filter.add_profile("garden", text="compost, soil and mulch", rule="fixed(theta=0.05)")
    yield desk
    desk.close()


@pytest.fixture
def desk(folder):
    """A reader who likes gardening, and no feeds yet, in a file."""
    with opened(folder / "state") as desk:
        yield desk


@pytest.fixture(params=["file", "database"])
def any_desk(request, folder):
    """A reader who likes gardening, and no feeds yet, in a file and in PostgreSQL."""
    with opened(folder / "state" if request.param == "file" else request.getfixturevalue("postgres")) as desk:
        yield desk


@pytest.fixture
def fed(desk):
    """Three deliveries of five items."""
    desk.feed = desk.subscribe()
    desk.publish(
        desk.feed, *desk.garden("balcony", "border"), *desk.trade("Brixon", "Corvane"), *desk.garden("plot")
    )
    desk.inbox.take_in()
    return desk
