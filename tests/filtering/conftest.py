"""Small judged streams, made from seeds, simulations on them, and states of a filter in use."""

import importlib.util
import os
import sys
import tempfile
from pathlib import Path

import pytest

from gainful.filtering import Filter, simulate
from gainful.filtering.demo import Demo, demo


def _helper(name):
    """A module beside this file; pytest imports tests without putting their folder on the path."""
    spec = importlib.util.spec_from_file_location(f"filtering_{name}", Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run(made: Demo, **given):
    """A simulation on that stream, of which the first hundred documents are for reference."""
    return simulate(made.documents, made.topics, made.qrels, **{"reference": 100, **given})


@pytest.fixture(scope="session")
def slow():
    return _helper("slow")


@pytest.fixture(scope="session")
def small() -> Demo:
    return demo(documents=900, seed=6)


@pytest.fixture(scope="session")
def simulation(small):
    """Four rules, one of their topics traced; for reading only."""
    return run(
        small,
        rules=["beta_gamma(gamma=[0.01,0.05])", "zero", "fixed(theta=0.3)"],
        trace=["garden"],
        windows=8,
    )


@pytest.fixture(scope="session")
def states():
    return _helper("states")


@pytest.fixture
def folder(tmp_path):
    """A folder in memory where there is one: states are synchronised at every step, which tests need not wait for."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="gainful-") as made:
        yield Path(made)


@pytest.fixture
def made(folder, states):
    """A state with nothing in it."""
    with Filter.create(folder / "state", clock=states.Clock()) as state:
        yield state


@pytest.fixture
def fed(made, states):
    """A reader of theme 1, and three hundred documents."""
    made.add_profile("one", text=states.wish(1))
    made.ingest(states.documents(300, 4))
    return made
