"""Small judged streams, made from seeds, simulations on them, and states of a filter in use."""

import itertools

import pytest

from gainful.filtering import Filter, simulate
from gainful.filtering.demo import Demo, demo

from . import slow as slow_literal
from . import states as states_of_filters


def run(made: Demo, **given):
    """A simulation on that stream, of which the first hundred documents are for reference."""
    return simulate(made.documents, made.topics, made.qrels, **{"reference": 100, **given})


@pytest.fixture(scope="session")
def slow():
    return slow_literal


@pytest.fixture(scope="session")
def small() -> Demo:
    return demo(documents=900, seed=6)


@pytest.fixture(scope="session")
def simulation(small):
    """Four rules, one of their topics traced; for reading only."""
    return run(
        small,
        rules=["beta_gamma(gamma=[0.01,0.02])", "zero", "fixed(theta=0.3)"],
        trace=["garden"],
        windows=8,
    )


@pytest.fixture(scope="session")
def states():
    return states_of_filters


@pytest.fixture(scope="session")
def schemas(postgres_server):
    """Addresses of schemas that are not there yet, in a database that tests share: a fresh one takes a tenth of a second."""
    database = postgres_server.database()
    return (f"{database}&schema=state_{number}" for number in itertools.count(1))


@pytest.fixture(params=["sqlite", "postgres"])
def address(request, folder):
    """Where a state can be made: a file, and then a schema of PostgreSQL."""
    return folder / "state" if request.param == "sqlite" else next(request.getfixturevalue("schemas"))


@pytest.fixture
def made(address, states):
    """A state with nothing in it, in either database."""
    with Filter.create(address, clock=states.Clock()) as state:
        yield state


@pytest.fixture
def fed(made, states):
    """A reader of theme 1, and three hundred documents."""
    made.add_profile("one", text=states.wish(1))
    made.ingest(states.documents(300, 4))
    return made
