"""The site's page that reports in the browser: the whole report, equal to the command line's, with nothing from elsewhere."""

import functools
import gzip
import http.server
import importlib.util
import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from docs.website import browser_report_page
from docs.website.browser_report_page import EXAMPLE, EXAMPLES, FETCHED, PAGE
from tests.chromium import violations

import gainful
from gainful.presentation import chart_files

PATHS = [str(EXAMPLE / name) for name in EXAMPLES]
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")
WITHOUT = """
import sys
for name in ("scipy", "scipy.special", "scipy.stats", "vl_convert", "altair", "Stemmer"):
    sys.modules[name] = None
sys.path.insert(0, sys.argv[1])
import browser_report, json, msgspec
assert msgspec.__file__.startswith(sys.argv[1])
made = browser_report.prepared(sys.argv[2], sys.argv[3:])
charts = json.loads(browser_report.specs(made))
print(browser_report.page(made, ["<svg ></svg>" for _ in charts], "").replace("\\n", " "))
"""

needs_pyodide = pytest.mark.skipif(
    not (FETCHED / ".installed").exists(), reason="Pyodide is not in build/pyodide; `make pyodide` fetches it"
)


@pytest.fixture(scope="module")
def browser_report():
    """The Python of the page, without the stand-ins beside it."""
    found = importlib.util.spec_from_file_location("browser_report", PAGE / "python" / "browser_report.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_report_of_the_page_is_that_of_the_command_line(browser_report):
    made = browser_report.prepared(PATHS[0], PATHS[1:])
    pictures = [chart_files.svg(spec) for spec in json.loads(browser_report.specs(made))]
    page = browser_report.page(made, pictures, chart_files.script())
    assert page == gainful.report(PATHS[0], PATHS[1:]).html()


def test_without_scipy_and_msgspec_a_report_differs_in_the_last_digits_at_most(browser_report):
    made = browser_report.prepared(PATHS[0], PATHS[1:])
    expected = browser_report.page(made, ["<svg ></svg>" for _ in made.charts()], "").replace("\n", " ")
    words = [sys.executable, "-c", WITHOUT, str(PAGE / "python"), *PATHS]
    found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.removesuffix("\n")
    assert NUMBER.sub("0", found) == NUMBER.sub("0", expected)
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (found, expected)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-10)


class Served:
    """A folder on a server of this machine, and what it was asked for."""

    def __init__(self, folder):
        self.asked = asked = []

        class Noting(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                asked.append((self.command, self.path))

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Noting, directory=str(folder))
        )
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


@needs_pyodide
def test_what_is_dropped_becomes_the_whole_report_and_nothing_is_sent(browser, axe, tmp_path):
    assert browser_report_page.place(tmp_path / "browser")
    with Served(tmp_path) as served:
        tab = browser.new_page()
        loaded, faults = [], []
        tab.on("request", lambda request: loaded.append(request.url))
        tab.on("pageerror", lambda fault: faults.append(str(fault)))
        tab.goto(f"{served.address}/browser/report.html")
        tab.wait_for_function("!document.getElementById('files').disabled", timeout=120_000)
        before = list(served.asked)
        tab.set_input_files("#files", list(reversed(PATHS)))
        tab.wait_for_selector("#report:not([hidden])", timeout=120_000)
        report = tab.frame_locator("#report").locator("main")
        text = report.inner_text()
        notes, scores = tab.text_content("#notes"), tab.text_content("#scores")
        seen = violations(tab, axe)
        with tab.expect_download() as saved:
            tab.click("#download")
        page = Path(saved.value.path()).read_text(encoding="utf-8")
        tab.close()
        assert served.asked == before  # nothing was asked for, and nothing sent, once there were files
    assert {command for command, _ in before} == {"GET"}
    assert [url for url in loaded if not url.startswith((served.address, "blob:", "data:"))] == []
    assert faults == []
    assert seen == []
    runs = PATHS[:0:-1]
    ours = gainful.report(PATHS[0], runs).html()
    assert "0.6879" in scores
    assert "tied scores straddle rank 10" in notes
    opened = browser.new_page()
    opened.set_content(ours)
    assert text == opened.locator("main").inner_text()
    opened.close()
    assert page.count("<svg") == ours.count("<svg")


@needs_pyodide
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_the_example_is_one_click_away_on_a_desk_and_on_a_phone(scheme, width, browser, axe, tmp_path):
    browser_report_page.place(tmp_path / "browser")
    with Served(tmp_path) as served:
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 850})
        tab = context.new_page()
        tab.goto(f"{served.address}/browser/report.html")
        tab.click("#example", timeout=120_000)
        tab.wait_for_selector("#report:not([hidden])", timeout=120_000)
        headline = tab.frame_locator("#report").locator(".headline").first.inner_text()
        for frame in tab.frames:
            assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(tab, axe) == []
        context.close()
    assert headline.startswith("sprinter is better than both other systems on nDCG@10")


@needs_pyodide
def test_files_are_told_apart_and_what_is_wrong_with_them_is_said(browser, tmp_path):
    browser_report_page.place(tmp_path / "browser")
    (tmp_path / "browser" / "example" / "plain.run").unlink()
    judged, run = (Path(PATHS[place]).read_bytes() for place in (0, 1))

    def given(name, content):
        return {"name": name, "mimeType": "text/plain", "buffer": content}

    with Served(tmp_path) as served:
        tab = browser.new_page()
        tab.goto(f"{served.address}/browser/report.html")
        tab.wait_for_function("!document.getElementById('files').disabled", timeout=120_000)

        def fault():
            tab.wait_for_selector("#fault:not([hidden])")
            tab.wait_for_function("!document.getElementById('files').disabled")
            return tab.text_content("#fault")

        tab.set_input_files("#files", [given("judged.txt", judged), given("a.run", run), given("a.run", run)])
        assert fault() == "Two files are named a.run; give each a name of its own."
        tab.click("#example")
        assert fault() == "example/plain.run: 404"
        packed = gzip.compress(judged, mtime=0)
        tab.set_input_files("#files", [given("a.run", run), given("judged.txt.gz", packed)])
        tab.wait_for_selector("#report:not([hidden])", timeout=120_000)
        assert "0.6879" in tab.text_content("#scores")
        tab.close()


def test_without_pyodide_the_page_says_that_python_is_not_there(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(browser_report_page, "FETCHED", tmp_path / "nothing")
    assert not browser_report_page.place(tmp_path / "browser")
    with Served(tmp_path) as served:
        tab = browser.new_page()
        tab.goto(f"{served.address}/browser/report.html")
        tab.wait_for_selector("#fault:not([hidden])")
        assert tab.text_content("#fault").startswith("What this page needs cannot be loaded: ")
        assert tab.locator("#files").is_disabled()
        assert tab.text_content("#status") == ""
        tab.close()
