"""What all tests share: the same random examples every time, who runs what and when, and CI notices a missing package."""

import gc
import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

# Fixtures of the whole session: imported by several folders, each would have a browser and a server of its own.
from .chromium import axe, browser  # noqa: F401
from .filtering.postgres import postgres, postgres_server  # noqa: F401

settings.register_profile("gainful", derandomize=True, deadline=None)
settings.load_profile("gainful")


@pytest.fixture(scope="session", autouse=True)
def caches(tmp_path_factory):
    """What Gainful keeps for the next time lies with the tests' other files, for all workers together."""
    folder = tmp_path_factory.getbasetemp().parent / "caches"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


# On a second Python (.ci/run sets this) only those tests run whose result can depend on its version: the core and what it
# takes from Python objects, formats and files, the command line, the state of a filter, printing, names and doctests.
# Left out is what takes long and is arithmetic on NumPy's arrays (simulations and what their commands print, learning,
# distributions), or happens in Java, PostgreSQL, newsboat, a browser, the program that draws charts, a type checker, or a
# script's process.
SAME_ON_EVERY_PYTHON = [
    *(
        "agreement",
        "auditing",
        "batch",
        "comparisons",
        "curves",
        "explaining",
        "installing",
        "integrations",
        "reports",
    ),
    *("site", "spark", "statistics"),
    *(f"cli/test_{name}.py" for name in ("compare_opens", "filter", "plain_install", "report", "walks")),
    *(
        f"filtering/test_{name}.py"
        for name in ("expected_utility", "feedback", "profile_models", "reliability")
    ),
    *(
        f"filtering/test_{name}.py"
        for name in ("replay", "simulation", "simulation_inputs", "simulation_views")
    ),
    *(f"filtering/test_{name}.py" for name in ("threshold_registry", "thresholds", "vectors")),
    *(f"filtering/test_state_{name}.py" for name in ("answers", "damage", "kill", "rebuild", "simulation")),
    *("filtering/feeds/test_fetch_kill.py", "service/test_isolation.py", "service/test_several_servers.py"),
    *("judging/test_transforms.py", "presentation/test_charts.py"),
    *(f"measures/test_{name}.py" for name in ("large", "many", "properties", "seeds", "stubs")),
    *(f"measures/test_literal{name}.py" for name in ("", "_aspects", "_filtering", "_graded", "_users")),
    *("filtering/state_stores", "service/test_browser.py", "service/test_walk.py"),
    *("service_protocols/test_newsboat.py", "service_protocols/test_programs_in_a_browser.py"),
    *("studies/test_judging_page.py", "studies/test_judging_server.py"),
    *("test_code_blocks.py", "test_examples.py", "test_teaching.py"),
]
collect_ignore = SAME_ON_EVERY_PYTHON if os.environ.get("GAINFUL_SECOND_PYTHON") else []
# What starts slowly is started by few workers: these folders are given to one worker in one piece, other tests file by file.
TOGETHER = {
    **{"spark": "Java", "batch": "PyTorch and JAX", "reports": "Chromium and the process that draws charts"},
    **{"service": "PostgreSQL", "service_protocols": "PostgreSQL", "filtering/state_stores": "PostgreSQL"},
    **{"filtering/inbox": "PostgreSQL", "filtering/feeds": "PostgreSQL"},
}
# Started first, the longest first, so that no worker is left alone with a long file at the end.
FIRST = [
    *(
        "spark",
        "site/test_site.py",
        "service",
        "reports",
        "batch",
        "filtering/test_state_rebuild.py",
        "cli/test_filter.py",
    ),
    *("filtering/test_state_kill.py", "test_examples.py", "formats/test_layouts.py", "test_teaching.py"),
    *("cli/test_plain_install.py", "measures/test_properties.py", "filtering/test_simulation.py"),
    *("filtering/test_state_simulation.py", "cli/test_endings.py", "filtering/test_state_damage.py"),
]
if missing := [
    name for name in (*SAME_ON_EVERY_PYTHON, *TOGETHER, *FIRST) if not (Path(__file__).parent / name).exists()
]:
    raise FileNotFoundError(f"tests/conftest.py names tests that are not there: {', '.join(missing)}")


def portion(nodeid):
    """What is given to a worker in one piece: the file of a test, or what its folder needs."""
    path = nodeid.partition("::")[0].removeprefix("tests/")
    return TOGETHER.get(path.rpartition("/")[0], path)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class ByPortion(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return portion(nodeid)

    return ByPortion(config, log)


def at_most(test, examples):
    """Let a property test draw so many random examples at most: fewer under sanitizers and in .ci/run."""
    asked = getattr(test, "_hypothesis_internal_use_settings", None)
    if asked is not None and asked.max_examples > examples:
        test._hypothesis_internal_use_settings = settings(asked, max_examples=examples)


def pytest_collection_modifyitems(items):
    if most := os.environ.get("GAINFUL_EXAMPLES"):
        for item in items:
            at_most(getattr(item, "obj", None), int(most))
    order = {TOGETHER.get(name, name): place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: order.get(portion(item.nodeid), len(FIRST)))


APART = ("'torch'", "'triton'")  # not pinned; `make torch` installs them for one Python, or fails


def noticed(report):
    """With CI set, a test that a missing package would skip fails."""
    said = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
    if os.environ.get("GAINFUL_INTEGRATIONS") and said:  # make integrations has all that they need
        report.outcome, report.longrepr = "failed", said
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
def folder(tmp_path):
    """A folder in memory where there is one: states are synchronised at every step, which tests need not wait for."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="gainful-") as made:
        yield Path(made)


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
