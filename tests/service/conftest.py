"""A service with one reader, who has a profile and items; a browser where there is one."""

import pytest

from gainful.filtering.service import accounts
from gainful.filtering.state.filter import Filter

from ..filtering.conftest import schemas  # noqa: F401, TID252 (a fixture)
from .newsstand import MEADOW, RAIL, SENTENCE, SKY, Newsstand
from .serving import Clock, Served, publish


@pytest.fixture(autouse=True, scope="session")
def quick_hashes():
    """Passwords are hashed as always, but with little memory and time: what that costs is argon2's own affair."""
    from argon2 import PasswordHasher

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_hasher", lambda: PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
        yield


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def state(folder, clock):
    """The address of a state with nothing in it."""
    path = folder / "my.filter"
    Filter.create(path, clock=clock).close()
    return str(path)


@pytest.fixture(params=["sqlite", "postgres"])
def either(request, clock):
    """The address of a state with nothing in it, in either database."""
    if request.param == "sqlite":
        return request.getfixturevalue("state")
    address = next(request.getfixturevalue("schemas"))
    Filter.create(address, clock=clock).close()
    return address


def stock(inbox):
    """A profile about bees, and what three papers say; what was delivered is not answered."""
    inbox.filter.add_profile("bees", text=SENTENCE)
    for name, items in (("meadow", MEADOW), ("rail", RAIL), ("sky", SKY)):
        publish(inbox, f"https://{name}.example", [pair[1:] for pair in items], title=name)
    inbox.take_in()


@pytest.fixture
def served(state, clock):
    """A service with the account ada, who has a profile and items."""
    with Served(state, clock) as running:
        running.accounts.create("ada", "correct horse battery staple")
        with running.inbox() as inbox:
            stock(inbox)
        yield running


@pytest.fixture
def ada(served):
    with served.reader() as reader:
        yield reader


@pytest.fixture
def stand():
    with Newsstand() as running:
        yield running
