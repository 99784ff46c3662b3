"""A store of feeds in a state of its own, with a clock that only tests move."""

import pytest

from gainful.filtering import Filter
from gainful.filtering.feeds.feed_store import FeedStore
from gainful.filtering.state.store_address import open_store

from . import publishing, servers


@pytest.fixture
def clock():
    return publishing.Clock()


@pytest.fixture
def address(folder):
    Filter.create(folder / "state").close()
    return folder / "state"


@pytest.fixture(params=["sqlite", "postgres"])
def either(request):
    """The address of a new state, in each database."""
    if request.param == "sqlite":
        return request.getfixturevalue("address")
    address = request.getfixturevalue("postgres")
    Filter.create(address).close()
    return address


@pytest.fixture
def feeds(address, clock):
    store = open_store(address)
    yield FeedStore(store, clock)
    store.close()


@pytest.fixture
def feeds_of_either(either, clock):
    store = open_store(either)
    yield FeedStore(store, clock)
    store.close()


@pytest.fixture
def server():
    with servers.Running() as running:
        yield running
