"""What all tests share: property tests draw the same examples every time, and CI notices a package that is not there."""

import os
from contextlib import contextmanager

import pytest
from hypothesis import settings

settings.register_profile("gainful", derandomize=True, deadline=None)
settings.load_profile("gainful")

# What does not depend on the version of Python and takes long is left out on the second one (.ci/run sets this).
collect_ignore = ["spark", "reports", "test_teaching.py"] if os.environ.get("GAINFUL_SECOND_PYTHON") else []

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
