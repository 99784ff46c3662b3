"""Debian's Chromium, and axe-core in it; tests/conftest.py has the fixtures, one browser for each file.

It ends with the file, since Playwright's loop of events would keep other tests from running theirs.
"""

import os
import shutil
from importlib.resources import files

import pytest

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium; without it the tests are skipped, but not where everything must be tested."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Chromium, and CI is set: install the package chromium")
        pytest.skip("there is no Chromium (Debian's package chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core."""
    pytest.importorskip("axe_playwright_python")
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(tab, axe) -> list[str]:
    """What axe-core finds wrong, with the first place of each."""
    tab.evaluate(axe)
    return [
        f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in tab.evaluate("axe.run()")["violations"]
    ]
