"""What all tests share: property tests draw the same examples every time, and CI notices a package that is not there."""

import gc
import os
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("gainful", derandomize=True, deadline=None)
settings.load_profile("gainful")

# On a second Python (.ci/run sets this) only those tests run whose result can depend on its version: the core and what it
# takes from Python objects, formats and files, the command line, the state of a filter, printing, names and doctests.
# Left out is what takes long and is arithmetic on NumPy's arrays, or happens in Java, a browser or a type checker.
SAME_ON_EVERY_PYTHON = [
    *("agreement", "batch", "comparisons", "curves", "explaining", "reports", "spark", "statistics"),
    *(f"filtering/test_{name}.py" for name in ("replay", "simulation", "thresholds", "vectors")),
    *(f"filtering/test_state_{name}.py" for name in ("kill", "rebuild", "simulation")),
    *(f"measures/test_{name}.py" for name in ("large", "many", "properties", "seeds", "stubs")),
    *(f"measures/test_literal{name}.py" for name in ("", "_aspects", "_filtering", "_graded", "_users")),
    *("cli/test_plain_install.py", "test_teaching.py"),
]
collect_ignore = SAME_ON_EVERY_PYTHON if os.environ.get("GAINFUL_SECOND_PYTHON") else []
if missing := [name for name in SAME_ON_EVERY_PYTHON if not (Path(__file__).parent / name).exists()]:
    raise FileNotFoundError(f"tests/conftest.py names tests that are not there: {', '.join(missing)}")

APART = ("'torch'", "'triton'")  # not pinned; `make torch` installs them for one Python, or fails


def noticed(report):
    """With CI set, a test that a missing package would skip fails."""
    said = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
    if os.environ.get("CI") and "could not import" in said and not any(name in said for name in APART):
        report.outcome, report.longrepr = "failed", said
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    return noticed((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return noticed((yield))


def pytest_collection():
    gc.disable()


def pytest_collection_finish():
    """Tests and modules stay to the end: the garbage collector need not look at them again and again."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def as_nobody():
    """A context in which this process has no more rights than any user: root may enter every folder."""

    @contextmanager
    def changed():
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)

    return changed
